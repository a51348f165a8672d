"""The store of a sweep: kills, Ctrl-C, other sweeps, damage."""

import fcntl
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas
import pytest

import clatter
import sweep_model

N_RUNS = 3000
SWEEP = """
import sys, clatter, clatter._sweep_store
clatter._sweep_store.BETWEEN_PARTS = 0.1  # s: there is a part long before all is made
runs = clatter.samples({"mass": (0.05, 2), "end": (0.05, 1)}, int(sys.argv[3]))
clatter.sweep(sys.argv[1], runs, store=sys.argv[2], processes=2, stop=0.3)
"""


@pytest.fixture
def path(tmp_path):
    return sweep_model.write(tmp_path)


def runs_of_store(store):
    return pandas.read_parquet(store)["run"].to_numpy() if any(store.glob("part-*")) else np.array([])


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_goes_on_after_a_kill(path, tmp_path, end):
    store = tmp_path / "store"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", SWEEP, path, store, str(N_RUNS)],
                               env=environment, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 600
    while not any(store.glob("part-*")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(end)
    errors = process.communicate(timeout=600)[1]
    assert process.returncode == -end
    if end == signal.SIGINT:
        assert "runs were finished" in errors and str(store) in errors

    kept = runs_of_store(store)
    assert 0 < len(kept) < N_RUNS and len(set(kept)) == len(kept)
    runs = clatter.samples({"mass": (0.05, 2), "end": (0.05, 1)}, N_RUNS)
    counts = []
    result = clatter.sweep(path, runs, store=store, stop=0.3,
                           progress=lambda *numbers: counts.append(numbers))
    assert counts[0][0] == len(kept), "what the store has is not made again"
    assert sorted(runs_of_store(store)) == list(range(N_RUNS))
    assert result.identical(clatter.sweep(path, runs, stop=0.3))


def test_a_finished_store_is_read_and_no_more(path, tmp_path):
    def count(motion):
        (tmp_path / "runs").open("a").write("x")
        return motion["puck.x"]

    results = [
        clatter.sweep(path, {"mass": [1, 2, -1]}, store=tmp_path / "store", reduce=count, processes=n)
        for n in (0, 1)
    ]
    assert results[0].identical(results[1])
    assert (tmp_path / "runs").read_text() == "xx"


def test_arrays_and_texts_come_back_from_a_store(path, tmp_path):
    def reduce(motion):
        return {"text": "a", "array": np.arange(4.0).reshape(2, 2), "curve": motion["puck.x"]}

    store = tmp_path / "store"
    made = clatter.sweep(path, {"mass": [-1, 1]}, store=store, reduce=reduce)
    assert made["text"].values.tolist() == ["", "a"]
    assert clatter.sweep(path, {"mass": [-1, 1]}, store=store, reduce=reduce).identical(made)


def test_a_store_of_another_sweep_is_refused(path, tmp_path):
    store = tmp_path / "store"
    base = {"stop": 0.05, "reduce": lambda motion: 1, "processes": 0}
    clatter.sweep(path, {"mass": [1, 2]}, store=store, **base)

    def refused(word, runs={"mass": [1, 2]}, **options):
        with pytest.raises(clatter.SweepError, match=f"belongs to another sweep:\n(.*\n)*  {word}: there "):
            clatter.sweep(path, runs, store=store, **{**base, **options})

    refused("values", {"mass": [1, 2.5]})
    refused("values", {"end": [1, 2]})
    refused("values", [{"mass": 1}, {"mass": 2}])
    refused("stop", stop=0.06)
    refused("reduce", reduce=lambda motion: 2)
    refused("reduce", reduce="final")
    refused("outputs", outputs=["puck.x"])
    refused("interval", interval=0.01)
    refused("parameters", parameters={"end": 2})
    refused("inputs", inputs={"push": ([0, 1], [0, 1])})
    refused("seed", seed=3, inputs=lambda parameters, random: None)
    path.write_text(path.read_text().replace('value="1" unit="kg"', 'value="1.5" unit="kg"'))
    refused("model")


def test_what_does_not_matter_is_not_compared(path, tmp_path):
    clatter.sweep(path, {"mass": [1, 2]}, store=tmp_path / "store", processes=1)
    moved = tmp_path / "moved.xml"
    path.rename(moved)
    clatter.sweep(moved, {"mass": [1.0, 2.0]}, store=tmp_path / "store", processes=2, progress=False)


def test_folders_that_cannot_be_stores(path, tmp_path):
    def refused(store, message):
        with pytest.raises(clatter.SweepError, match=message):
            clatter.sweep(path, {"mass": [1]}, store=store, processes=0)

    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("")
    refused(tmp_path / "full", "is not the store of a sweep, and not empty")
    refused(path, "is not a folder")

    store = tmp_path / "store"
    clatter.sweep(path, {"mass": [1]}, store=store, processes=0)
    lock = os.open(store, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    refused(store, "another sweep is at work")
    os.close(lock)
    part = next(store.glob("part-*"))
    part.with_name("part-9.parquet").write_bytes(part.read_bytes())
    refused(store, "has runs that another part has, too")
    part.unlink()
    part.with_name("part-9.parquet").write_bytes(b"PAR1 and no more")
    refused(store, "part-9.parquet cannot be read.*will be made again")
    part.with_name("part-9.parquet").unlink()
    clatter.sweep(path, {"mass": [1]}, store=store, processes=0)
    (store / "_manifest.json").write_text("{")
    refused(store, "_manifest.json cannot be read")
