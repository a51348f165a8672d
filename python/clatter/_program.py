"""The command clatter, which the package carries: for FMUs and pages."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from clatter._errors import ProgramError
from clatter._library import find_file


def run_program(*arguments: str | os.PathLike[str]) -> str:
    """What the command prints; ``ProgramError`` with its messages if it fails."""
    command = [str(find_file("bin/clatter")), *(os.fspath(part) for part in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise ProgramError((done.stderr or done.stdout).strip())
    return done.stdout


@contextmanager
def written_files(texts: Sequence[tuple[str, bytes]]) -> Iterator[Path]:
    """The path of a model that is in memory, written with the files that it names to a directory
    for the time being."""
    depth = max([0, *(PurePosixPath(name).parts.count("..") for name, _ in texts[1:])])
    with tempfile.TemporaryDirectory(prefix="clatter-") as top:
        folder = Path(top, *(["model"] * depth))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (Path(texts[0][0]).stem + ".xml")
        path.write_bytes(texts[0][1])
        for name, content in texts[1:]:
            if not name.startswith("/"):  # else it is where the model says
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
        yield path


def main() -> None:
    """The command itself, as pip puts it on the path."""
    program = str(find_file("bin/clatter"))
    os.execv(program, [program, *sys.argv[1:]])
