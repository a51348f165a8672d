"""The examples of docs/sweeps.md run as they stand, from the top directory."""

import os
import re
import sys

import pandas
import pytest

import tools

TEXT = (tools.ROOT / "docs" / "sweeps.md").read_text()


@pytest.fixture
def top(tmp_path, monkeypatch):
    """A directory that looks like the repository's."""
    os.symlink(tools.ROOT / "resources", tmp_path / "resources")
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_code_of_the_page(top, capsys):
    """In order: later blocks use what earlier ones made."""
    blocks = re.findall(r"<!-- tested -->\s*```python\n(.*?)```", TEXT, re.S)
    assert len(blocks) >= 5
    names = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, "docs/sweeps.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "['ok' 'ok' 'refused' 'refused']" in printed
    assert re.search(r"\d+% of the parcels", printed)


def test_command_of_the_page(top):
    [command] = re.findall(r"<!-- tested with fewer runs -->\s*```sh\n(.*?)```", TEXT, re.S)
    script = command.replace("10000", "20").replace("python -m", f"{sys.executable} -m")
    environment = {**os.environ, "PYTHONPATH": str(tools.ROOT / "python")}
    done = tools.run("bash", "-euc", script, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "build/parcels.parquet: 20 runs, 0 failed\n"
    assert len(pandas.read_parquet("build/parcels")) == 20
    assert len(pandas.read_parquet("build/parcels.parquet")) == 20
