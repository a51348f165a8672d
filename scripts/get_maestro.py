"""Fetches Maestro, a co-simulation master in Java, from Maven Central into build/hosts, for the tests:

    python3 scripts/get_maestro.py

A second run finds it there. Nothing is left behind if the download does not arrive whole.
"""

import hashlib
import sys
import urllib.request
from pathlib import Path

VERSION = "3.1.1"
SHA256 = "f996cd5d2adc0fed4260185efd24e75730b867e8bce1980c694e58e692251b89"
URL = ("https://repo.maven.apache.org/maven2/org/into-cps/maestro/maestro/"
       f"{VERSION}/maestro-{VERSION}-jar-with-dependencies.jar")
JAR = Path(__file__).resolve().parents[1] / "build" / "hosts" / f"maestro-{VERSION}.jar"


def main():
    if JAR.exists():
        return
    with urllib.request.urlopen(URL, timeout=60) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != SHA256:
        sys.exit(f"{URL}: this is not the file that was expected")
    JAR.parent.mkdir(parents=True, exist_ok=True)
    part = JAR.with_suffix(".part")
    part.write_bytes(content)
    part.rename(JAR)


if __name__ == "__main__":
    main()
