"""The program as its users see it: help, options, exit codes, CSV, summary, progress, README."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

import models
import tools
from tools import clatter, read_csv, try_clatter

BALL = tools.MODELS / "rotating_ball.xml"


@pytest.fixture
def sled(tmp_path):
    path = tmp_path / "sled.xml"
    path.write_text(models.SLED)
    return path


# --- help and wrong command lines ---

def test_help():
    text = clatter("--help")
    assert clatter("-h") == text
    for command in ("pack", "run", "view", "check"):
        assert command in text
        own = clatter(command, "--help")
        assert clatter(command, "-h") == own
        assert own.startswith(f"usage: clatter {command}")
        assert "example" in own and "Exit codes" in own
        assert all(len(line) <= 100 for line in own.splitlines())


def test_help_names_every_option():
    text = clatter("run", "--help")
    for option in ("--output", "--stop", "--step", "--interval", "--scheme", "--set", "--all",
                   "--help"):
        assert option in text


def test_version():
    assert re.fullmatch(r"clatter \d+\.\d+\.\d+\nFMUs for [\w, -]+\n", clatter("--version"))


@pytest.mark.parametrize("arguments, words", [
    ([], ["usage"]),
    (["pak"], ["pak", "pack"]),
    (["--halp"], ["--halp", "--help"]),
    (["run"], ["model"]),
    (["pack"], ["model"]),
    (["check"], ["model"]),
    (["run", BALL, "--stpo", "1"], ["--stpo", "--stop"]),
    (["run", BALL, "--stop"], ["--stop", "value"]),
    (["run", BALL, "--stop", "soon"], ["--stop", "soon"]),
    (["run", BALL, "--stop", "1,5"], ["1,5"]),
    (["run", BALL, "--stop", "nan"], ["nan"]),
    (["run", BALL, "--stop", "-1"], ["stop"]),
    (["run", BALL, "--step", "0"], ["step_size"]),
    (["run", BALL, "--step", "-1e-3"], ["step_size"]),
    (["run", BALL, "--interval", "0"], ["--interval"]),
    (["run", BALL, "--scheme", "moreau_jaen"], ["moreau_jean"]),
    (["run", BALL, "--set", "ball.mass"], ["NAME=VALUE"]),
    (["run", BALL, "--set", "=1"], ["NAME=VALUE"]),
    (["run", BALL, "--set", "ball.mas=1"], ["ball.mas", "ball.mass"]),
    (["run", BALL, "--set", "ball.mass=heavy"], ["heavy", "number"]),
    (["run", BALL, "--set", "ball.mass=-1"], ["ball.mass"]),
    (["run", BALL, "--set", "ball.x=1"], ["ball.x"]),
    (["run", BALL, "--set", "ball.inertia=1"], ["ball.inertia"]),
    (["run", BALL, "--set", "solver.maximum_iterations=1.5"], ["whole"]),
    (["run", BALL, BALL], ["one"]),
    (["run", BALL, "--all=1"], ["--all"]),
    (["run", BALL, "-x"], ["-x"]),
    (["pack", BALL, BALL], ["one"]),
    (["check", BALL, "--output", "x"], ["--output"]),
])
def test_wrong_command_line(arguments, words, tmp_path):
    done = try_clatter(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done
    assert done.stdout == ""
    for word in words:
        assert word in done.stderr
    assert list(tmp_path.iterdir()) == []


# --- pack ---

def test_pack_twice_gives_the_same_bytes(tmp_path):
    clatter("pack", BALL, "-o", tmp_path / "a.fmu")
    clatter("pack", BALL, "--output", tmp_path / "b.fmu")
    shutil.copy(BALL, tmp_path / "copy.xml")
    clatter("pack", tmp_path / "copy.xml", f"-o{tmp_path / 'c.fmu'}", cwd=tmp_path)
    a, b, c = ((tmp_path / name).read_bytes() for name in ("a.fmu", "b.fmu", "c.fmu"))
    assert a == b == c


def test_pack_names_the_fmu_after_the_model(tmp_path):
    text = clatter("pack", BALL, cwd=tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["rotating_ball.fmu"]
    size = (tmp_path / "rotating_ball.fmu").stat().st_size
    assert "rotating_ball.fmu" in text and str(size) in text


def test_pack_needs_no_other_file(tmp_path):
    """Only the program and the model, in a directory of their own."""
    shutil.copy(tools.BUILD / "clatter", tmp_path)
    shutil.copy(BALL, tmp_path / "ball.xml")
    done = tools.run("./clatter", "pack", "ball.xml", cwd=tmp_path, env={})
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "rotating_ball.fmu") as archive:
        assert archive.read("resources/model.xml") == BALL.read_bytes()


def test_content_makes_the_guid(tmp_path):
    guids = set()
    for i, text in enumerate((models.SLED, models.SLED + "\n", models.FLIGHT)):
        (tmp_path / "m.xml").write_text(text)
        clatter("pack", tmp_path / "m.xml", "-o", tmp_path / "m.fmu")
        with zipfile.ZipFile(tmp_path / "m.fmu") as archive:
            description = archive.read("modelDescription.xml").decode()
        guids.add(re.search('guid="([^"]+)"', description).group(1))
    assert len(guids) == 3


def test_output_that_cannot_be_written(tmp_path, sled):
    for command in ("pack", "run"):
        done = try_clatter(command, sled, "-o", tmp_path / "no" / "out")
        assert done.returncode == 1 and "out" in done.stderr
        done = try_clatter(command, sled, "-o", tmp_path)
        assert done.returncode == 1 and "directory" in done.stderr
        done = try_clatter(command, sled, "-o", sled)
        assert done.returncode == 2 and sled.read_text() == models.SLED
    if os.path.exists("/dev/full"):
        done = try_clatter("run", sled, "-o", "/dev/full")
        assert done.returncode == 1 and "written" in done.stderr


# --- check ---

def test_check_tells_what_is_there(sled):
    text = clatter("check", sled)
    for pattern in (r"can be used", r"name\s+sled", r"bodies\s+1\n", r"contacts\s+1\n",
                    r"inputs\s+2\n", r"outputs\s+17\n", r"0 s to 1 s in steps of 0\.001 s"):
        assert re.search(pattern, text), (pattern, text)


# --- run ---

def summary(text):
    found = dict(re.findall(r"^  (\w[\w ]*?)\s{2,}(\S+)", text, re.M))
    return {key: float(value) for key, value in found.items() if key != "wrote"}


def test_summary(sled):
    values = summary(clatter("run", sled, "--stop", "0.5", "--set", "push=14"))
    assert set(values) == {"steps", "steps per second", "iterations", "contact iterations",
                           "worst residual", "worst penetration", "regularised steps", "swept steps",
                           "inexact steps", "inelastic steps", "damped steps",
                           "retried steps", "failed steps"}
    assert values["steps"] == 500 and values["failed steps"] == 0
    assert values["steps per second"] > 0 and values["worst residual"] <= 1e-10


def test_summary_counts_iterations(sled, tmp_path):
    text = clatter("run", sled, "--stop", "0.5", "--scheme", "cone_complementarity", "--all",
                   "-o", tmp_path / "out.csv")
    rows = read_csv(tmp_path / "out.csv")
    assert summary(text)["contact iterations"] == rows["solver.contact_iterations"].sum() > 100


def test_csv(sled, tmp_path):
    text = clatter("run", sled, "--stop", "0.25", "--step=5e-4", "--set", "push=14",
                   "-o", tmp_path / "out.csv")
    assert "501 rows, 18 columns" in text
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0].split(",")[:4] == ["time", "sled.x", "sled.y", "sled.velocity_x"]
    rows = read_csv(tmp_path / "out.csv")
    assert len(rows) == 501 and len(rows.dtype.names) == 18
    assert rows["time"] == pytest.approx(5e-4 * np.arange(501), abs=1e-15)
    assert rows["sled.velocity_x"] == pytest.approx(2 * rows["time"], abs=1e-12)
    assert set(rows["floor.state"]) == {2, 3}


def test_csv_on_standard_output(sled):
    done = try_clatter("run", sled, "--stop", "0.01", "-o", "-")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 12 and done.stdout.startswith("time,")
    assert "steps" in done.stderr


def test_interval(sled, tmp_path):
    for interval, n in (("0.1", 11), ("0.3", 5), ("0.25", 5), ("7", 2)):
        clatter("run", sled, "--stop", "1", "--interval", interval, "-o", tmp_path / "out.csv")
        times = read_csv(tmp_path / "out.csv")["time"]
        assert len(times) == n
        assert times[-1] == pytest.approx(1.0, rel=1e-12)


def test_all_adds_the_locals(sled, tmp_path):
    clatter("run", sled, "--stop", "0.01", "--all", "-o", tmp_path / "out.csv")
    header = (tmp_path / "out.csv").read_text().splitlines()[0].split(",")
    assert "solver.iterations" in header and "solver.message" in header
    assert "sled.mass" not in header


def test_set(sled, tmp_path):
    """Parameters, inputs, integers, enumerations by name and number; the last one holds."""
    def final(*arguments):
        clatter("run", sled, "--stop", "0.1", *arguments, "-o", tmp_path / "out.csv")
        return read_csv(tmp_path / "out.csv")[-1]["sled.velocity_x"]

    assert final("--set", "push=14") == pytest.approx(0.2)
    assert final("--set", "push=1", "--set", "push=30") == pytest.approx(1.0)
    assert final("--set", "push=14", "--set", "sled.mass=1") == pytest.approx(0.9)
    assert final("--set", "push=14", "--set", "floor.friction_coefficient=0") == pytest.approx(0.7)
    same = final("--set", "push=14", "--scheme", "moreau_jean")
    assert final("--set", "push=14", "--set", "solver.scheme=1") == same
    assert final("--set=push=14", "--set", "solver.maximum_iterations=20") == same


def test_failed_step_ends_with_one(sled, tmp_path):
    done = try_clatter("run", sled, "--set", "explode=500", "-o", tmp_path / "out.csv")
    assert done.returncode == 1
    assert "failed" in done.stderr and "t = 0.7" in done.stderr
    assert summary(done.stdout)["failed steps"] == 1
    rows = read_csv(tmp_path / "out.csv")
    assert 0.7 < rows["time"][-1] < 0.73
    assert all(np.isfinite(rows[name]).all() for name in rows.dtype.names)


def test_locale_is_not_used(sled, tmp_path, comma_locale):
    clatter("run", sled, "--stop", "0.1", "--set", "push=14.5", "-o", tmp_path / "a.csv")
    text = clatter("run", sled, "--stop", "0.1", "--set", "push=14.5", "-o", tmp_path / "b.csv",
                   env=comma_locale)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert "0.1 s" in text
    assert try_clatter("run", sled, "--stop", "0,1", env=comma_locale).returncode == 2


# --- progress ---

def on_terminal(*arguments):
    """Exit code and what a terminal would get as standard error."""
    leader, follower = pty.openpty()
    process = subprocess.Popen([str(a) for a in arguments], stdout=subprocess.DEVNULL,
                               stderr=follower)
    os.close(follower)
    seen = b""
    while True:
        if select.select([leader], [], [], 60)[0]:
            try:
                data = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            seen += data
        else:
            process.kill()
            raise AssertionError("nothing happens")
    os.close(leader)
    return process.wait(), seen.decode()


LONG = ("--step", "1e-6", "--stop", "1.5", "--interval", "1e-3")


def test_progress_bar_on_a_terminal():
    code, text = on_terminal(tools.BUILD / "clatter", "run", BALL, *LONG)
    assert code == 0
    bars = re.findall(r"\r\[([#.]{40})\] +(\d+) %", text)
    assert bars, text
    percents = [int(percent) for _, percent in bars]
    assert percents == sorted(percents) and 0 <= percents[0] and percents[-1] <= 100
    assert all(abs(bar.count("#") - 0.4 * int(p)) <= 1 for bar, p in bars)
    assert text.endswith("\r\033[K")  # nothing of it stays


def test_no_progress_bar_in_a_pipe():
    done = try_clatter("run", BALL, *LONG)
    assert done.returncode == 0 and done.stderr == "" and "\r" not in done.stdout


def test_interrupt_keeps_what_was_written(tmp_path):
    process = subprocess.Popen(
        [tools.BUILD / "clatter", "run", BALL, "--step", "1e-6", "--stop", "1000", "--interval",
         "1e-4", "-o", tmp_path / "out.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    while not (tmp_path / "out.csv").exists() or (tmp_path / "out.csv").stat().st_size < 10_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130 and "interrupted" in errors
    rows = read_csv(tmp_path / "out.csv")
    assert len(rows) > 20 and not np.isnan(rows["energy.total"]).any()


# --- README ---

def blocks_of(path):
    """The sh blocks that a page marks with <!-- tested -->. Lines with a prompt are commands
    between shown output; a block without any prompt is a script."""
    text = path.read_text()
    blocks = re.findall(r"<!-- tested -->\s*```(?:sh|console|bash)\n(.*?)```", text, re.S)
    scripts = []
    for block in blocks:
        prompted = re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.M)
        scripts.append("\n".join(prompted) if prompted else block)
    return scripts


@pytest.mark.parametrize("page, made", [("README.md", "*.fmu"),
                                        ("docs/command-line.md", "parcel.png"),
                                        ("docs/hosts.md", "loop.ssp")])
def test_commands_of_the_pages(tmp_path, page, made):
    """In order, in a directory that looks like a built repository."""
    for folder in "examples", "resources":
        os.symlink(tools.ROOT / folder, tmp_path / folder)
    os.symlink(sys.prefix, tmp_path / ".venv")
    (tmp_path / "build").mkdir()
    os.symlink(tools.BUILD, tmp_path / "build" / "release")
    scripts = blocks_of(tools.ROOT / page)
    assert len(scripts) >= 2
    for script in scripts:
        done = tools.run("bash", "-euo", "pipefail", "-c", script, cwd=tmp_path)
        assert done.returncode == 0, (script, done.stdout, done.stderr)
    assert list((tmp_path / "build").glob(made))
