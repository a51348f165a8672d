"""The Python package: types, and the examples of its page, run one after the other."""

import os
import re
import subprocess
import sys

import pytest

import tools

PAGE = tools.ROOT / "docs" / "python.md"


def test_examples_run(tmp_path, monkeypatch):
    """All in one process, in the order of the page, in a directory of their own."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 8
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks))
    (tmp_path / "build").mkdir()
    environment = dict(os.environ, PYTHONPATH=str(tools.ROOT / "python"), PYTHONWARNINGS="error")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=environment, text=True,
                          capture_output=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert 'model.xml:1:76: error: mass="-1" is -1: expected at least 1e-12' in done.stdout
    assert re.search(r"the parcel rests at (0.99|1.00)", done.stdout)


def test_examples_of_the_readme_run(tmp_path):
    blocks = re.findall(r"<!-- tested -->\s*```python\n(.*?)```",
                        (tools.ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    script = tmp_path / "readme.py"
    script.write_text("\n".join(blocks))
    os.symlink(tools.ROOT / "resources", tmp_path / "resources")
    environment = dict(os.environ, PYTHONPATH=str(tools.ROOT / "python"), PYTHONWARNINGS="error")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=environment, text=True,
                          capture_output=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    position = float(done.stdout.split(" m\n")[0])
    assert 1.0 < position < 1.3


def test_every_public_name_is_documented():
    import clatter
    for name in clatter.__all__:
        assert getattr(clatter, name).__doc__, name


def test_types_are_strict():
    pytest.importorskip("mypy")
    done = tools.run(sys.executable, "-m", "mypy", "--config-file", tools.ROOT / "pyproject.toml",
                     "--cache-dir", tools.ROOT / "build" / "mypy", cwd=tools.ROOT, timeout=900)
    assert done.returncode == 0, done.stdout
