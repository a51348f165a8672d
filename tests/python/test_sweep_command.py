"""python -m clatter sweep."""

import os
import signal
import subprocess
import sys
import time

import pandas
import pytest

import sweep_model
import tools
from clatter._sweep_command import main

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def command(*arguments):
    """In a process of its own, as people start it."""
    return tools.run(sys.executable, "-m", "clatter", "sweep", *arguments, env=ENVIRONMENT)


@pytest.fixture
def run(capsys):
    """In this process, which takes less time: exit code, output, messages."""

    def run_main(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        return code, *capsys.readouterr()

    return run_main


@pytest.fixture
def path(tmp_path):
    return sweep_model.write(tmp_path)


def test_help_tells_all():
    done = command("--help")
    assert done.returncode == 0 and done.stderr == ""
    for word in ("--vary", "LOW:HIGH:N", "normal:MEAN:SIGMA", "--samples", "--seed", "--store",
                 "--cluster", "Exit codes", "$ python -m clatter sweep"):
        assert word in done.stdout


def test_a_grid_into_a_table(path, tmp_path):
    done = command(path, "--vary", "mass=1:2:3", "--vary", "solver.scheme=moreau_jean,lobatto",
                   "--set", "push=2", "-o", tmp_path / "out.parquet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path}/out.parquet: 6 runs, 0 failed\n" and done.stderr == ""
    table = pandas.read_parquet(tmp_path / "out.parquet")
    assert table["mass"].tolist() == [1, 1, 1.5, 1.5, 2, 2]
    assert table["solver.scheme"].tolist() == ["moreau_jean", "lobatto"] * 3
    assert (table["puck.x"] > 0).all() and (table["status"] == "ok").all()


def test_samples_with_failures_into_csv(path, tmp_path, run):
    arguments = [path, "--samples", 40, "--vary", "mass=normal:0.1:0.05", "--vary", "end+push=0.01:1",
                 "--reduce", "final,max", "--outputs", "puck.x,puck.y", "--stop", 0.2,
                 "-o", tmp_path / "out.csv"]
    code, summary, errors = run(*arguments, "--seed", 4)
    assert (code, errors) == (0, "")
    table = pandas.read_csv(tmp_path / "out.csv")
    assert len(table) == 40 and (table["end"] == table["push"]).all()
    counts = table["status"].value_counts()
    assert counts["refused"] > 5 and counts["failed"] > 1 and counts["ok"] > 5
    assert f"40 runs, {counts['refused'] + counts['failed']} failed" in summary
    assert f"  {counts['refused']} refused, the first one because: " in summary
    assert table.loc[table["status"] == "ok", "puck.x.max"].notna().all()
    assert run(*arguments, "--seed", 4, "--quiet") == (0, "", "")
    assert pandas.read_csv(tmp_path / "out.csv").equals(table)
    run(*arguments, "--seed", 5)
    assert not pandas.read_csv(tmp_path / "out.csv").equals(table)


@pytest.mark.parametrize("arguments, message", [
    (["--vary", "mass"], "--vary mass: expected NAME=VALUE"),
    (["--vary", "mass=1:2"], "a range needs a number of values, as in mass=1:2:10"),
    (["--vary", "mass=1:2:x"], "expected LOW:HIGH:N"),
    (["--vary", "mass=a:2:3"], "expected numbers"),
    (["--vary", "mass=1:2:3", "--samples", "5"], "expected LOW:HIGH or normal:MEAN:SIGMA"),
    (["--vary", "mass=normal:1:0", "--samples", "5"], "expected a standard deviation > 0"),
    (["--vary", "mass=2:1", "--samples", "5"], "low < high"),
    (["--vary", "mass=1:2", "--samples", "0"], "expected at least 1"),
    (["--vary", "mass=1,2", "--vary", "mass=3"], "mass is varied twice"),
    (["--vary", "mass=1,2", "-o", "out.xlsx"], "expected a name that ends in"),
    (["--vary", "mass=1,2", "-o", "nowhere/out.csv"], "there is no folder nowhere"),
    ([], "--vary"),
])
def test_a_wrong_command_line(path, tmp_path, run, arguments, message):
    code, _, errors = run(path, "-o", tmp_path / "out.csv", *arguments)
    assert code == 2 and message in errors


@pytest.mark.parametrize("arguments, message", [
    (["puck.xml", "--vary", "mas=1,2"], "did you mean 'mass'?"),
    (["puck.xml", "--vary", "mass=1,2", "--reduce", "last"], "'last'"),
    (["puck.xml", "--vary", "mass=1,2", "--store", "puck.xml"], "is not a folder"),
    (["no.xml", "--vary", "mass=1,2"], "no.xml"),
])
def test_a_sweep_that_cannot_be_made(path, tmp_path, run, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, _, errors = run(*arguments, "-o", "out.csv")
    assert code == 1 and message in errors
    assert not (tmp_path / "out.csv").exists()


def test_interrupted_and_taken_up_again(path, tmp_path):
    """The same command makes what is missing, as if it had never been interrupted."""
    arguments = [path, "--samples", "3000", "--vary", "mass=0.5:2", "--stop", "0.3"]
    kept = ["--store", tmp_path / "store", "-o", tmp_path / "kept.parquet"]
    code = ("import clatter._sweep_store, runpy; clatter._sweep_store.BETWEEN_PARTS = 0.1; "
            "runpy.run_module('clatter', run_name='__main__', alter_sys=True)")
    process = subprocess.Popen(
        [sys.executable, "-c", code, "sweep", *map(str, arguments + kept)],
        env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 600
    while not any((tmp_path / "store").glob("part-*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=600)[1]
    assert process.returncode == 130
    assert "interrupted: " in errors and "makes the others" in errors and "Traceback" not in errors
    assert command(*arguments, *kept).returncode == 0
    assert command(*arguments, "-o", tmp_path / "whole.parquet").returncode == 0
    kept, whole = (pandas.read_parquet(tmp_path / f"{name}.parquet") for name in ("kept", "whole"))
    assert kept.equals(whole) and len(kept) == 3000
