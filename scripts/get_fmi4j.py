"""Fetches FMI4j, a host in Kotlin, and what it needs from Maven Central into build/hosts/fmi4j, for the
tests:

    python3 scripts/get_fmi4j.py

A second run finds it there. Nothing is left behind if a download does not arrive whole.
"""

import shutil
from pathlib import Path

import maven

VERSION = "0.38.0"
FILES = {  # path: SHA-256
    f"info/laht/fmi4j/fmi-import/{VERSION}/fmi-import-{VERSION}.jar":
        "bfdf6914dca531e9dcba4df60844c66a8564adfcf63c30e97e69804aec3cfebf",
    f"info/laht/fmi4j/fmi-md/{VERSION}/fmi-md-{VERSION}.jar":
        "c9fae9f1cdeaa8163e61554b67c5e039a3d4aaaf898c8c77959af2b5f2f0e86d",
    "com/sun/istack/istack-commons-runtime/3.0.5/istack-commons-runtime-3.0.5.jar":
        "f19ac45cfbbe12fa952be1e691eae80a74c9c7f4ac46ab3f760ca9cfa3bc694b",
    "jakarta/xml/bind/jakarta.xml.bind-api/2.3.3/jakarta.xml.bind-api-2.3.3.jar":
        "c04539f472e9a6dd0c7685ea82d677282269ab8e7baca2e14500e381e0c6cec5",
    "javax/activation/javax.activation-api/1.2.0/javax.activation-api-1.2.0.jar":
        "43fdef0b5b6ceb31b0424b208b930c74ab58fac2ceeb7b3f6fd3aeb8b5ca4393",
    "org/glassfish/jaxb/jaxb-core/2.3.0.1/jaxb-core-2.3.0.1.jar":
        "2c18be9ca61964ad5a6f37f6c92b50a0c20539a64c04af885ce5d6b4524dbbcd",
    "org/glassfish/jaxb/jaxb-runtime/2.3.3/jaxb-runtime-2.3.3.jar":
        "3fcbf9247b08303ecaef2b8b91b47e220b6eced843e02837a5379d011c2c623d",
    "org/jetbrains/kotlin/kotlin-stdlib/1.7.10/kotlin-stdlib-1.7.10.jar":
        "e771fe74250a943e8f6346713201ff1d8cb95c3a5d1a91a22b65a9e04f6a8901",
    "log4j/log4j/1.2.17/log4j-1.2.17.jar":
        "1d31696445697720527091754369082a6651bd49781b6005deb94e56753406f9",
    "org/slf4j/slf4j-api/1.7.25/slf4j-api-1.7.25.jar":
        "18c4a0095d5c1da6b817592e767bb23d29dd2f560ad74df75ff3961dbde25b79",
    "org/slf4j/slf4j-log4j12/1.7.25/slf4j-log4j12-1.7.25.jar":
        "ddb343954deb6f046f862606c534178730c02ed23d0b7f6ca1012c1e3fa74273",
}
DIRECTORY = Path(__file__).resolve().parents[1] / "build" / "hosts" / f"fmi4j-{VERSION}"


def main():
    if DIRECTORY.exists():
        return
    part = DIRECTORY.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for path, sha256 in FILES.items():
        (part / Path(path).name).write_bytes(maven.download(path, sha256))
    part.rename(DIRECTORY)


if __name__ == "__main__":
    main()
