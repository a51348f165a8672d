"""Fetches Python for Windows, with FMPy, into build/hosts, for the tests to run FMUs with under Wine:

    .venv/bin/python scripts/get_windows_python.py

The interpreter is the one that Maven Central has for programs in Java; the packages are PyPI's for
Windows. A second run finds all of it there. Nothing is left behind if it does not arrive whole.
"""

import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import maven

VERSION = "3.11.3"
SHA256 = "3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834"
FILE = f"org/bytedeco/cpython/{VERSION}-1.5.9/cpython-{VERSION}-1.5.9-windows-x86_64.jar"
FOLDER = "org/bytedeco/cpython/windows-x86_64/"  # in that file
# Named one by one, since FMPy asks for NumPy 2, which aborts in Wine 8; it runs with NumPy 1, too.
PACKAGES = ["fmpy==0.3.32", "numpy==1.26.4", "lxml==6.1.3", "attrs==26.1.0", "lark==1.3.1",
            "msgpack==1.2.4"]
UNUSED = ("test", "tests", "idlelib", "tkinter", "pip", "setuptools", "lib2to3")
PYTHON = Path(__file__).resolve().parents[1] / "build" / "hosts" / f"windows-python-{VERSION}"


def wanted(name):
    """Of the names within FOLDER: the program, its library and the modules."""
    return name in ("python.exe", "python311.dll") or (
        name.startswith("lib/") and not set(name.split("/")) & set(UNUSED))


def extract_interpreter(target):
    with zipfile.ZipFile(io.BytesIO(maven.download(FILE, SHA256))) as archive:
        for entry in archive.infolist():
            name = entry.filename.removeprefix(FOLDER)
            if not entry.is_dir() and name != entry.filename and wanted(name):
                path = target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(entry))


def install_packages(target):
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "--platform", "win_amd64", "--python-version", "3.11", "--only-binary=:all:",
                    "--no-deps", "--target", target / "lib" / "site-packages", *PACKAGES], check=True)


def main():
    if PYTHON.exists():
        return
    part = PYTHON.with_name(PYTHON.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    extract_interpreter(part)
    install_packages(part)
    part.rename(PYTHON)


if __name__ == "__main__":
    main()
