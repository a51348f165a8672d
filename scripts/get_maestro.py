"""Fetches Maestro, a co-simulation master in Java, from Maven Central into build/hosts, for the tests:

    python3 scripts/get_maestro.py

A second run finds it there. Nothing is left behind if the download does not arrive whole.
"""

from pathlib import Path

import maven

VERSION = "3.1.1"
SHA256 = "f996cd5d2adc0fed4260185efd24e75730b867e8bce1980c694e58e692251b89"
FILE = f"org/into-cps/maestro/maestro/{VERSION}/maestro-{VERSION}-jar-with-dependencies.jar"
JAR = Path(__file__).resolve().parents[1] / "build" / "hosts" / f"maestro-{VERSION}.jar"


def main():
    if JAR.exists():
        return
    content = maven.download(FILE, SHA256)
    JAR.parent.mkdir(parents=True, exist_ok=True)
    part = JAR.with_suffix(".part")
    part.write_bytes(content)
    part.rename(JAR)


if __name__ == "__main__":
    main()
