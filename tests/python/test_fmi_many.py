"""Many instances, threads, loadings; no allocation in a step; nothing left behind."""

import os
import threading
from pathlib import Path

import fmpy
import pytest

import tools
from fmi2 import OK, Instance

HERE = Path(__file__).parent
FMI_HEADERS = Path(fmpy.__file__).parent / "c-code"


def history(instance, n=40):
    """All values of a run of n steps with inputs of its own."""
    seen = []
    for i in range(n):
        assert instance.set(push=float(i % 5)) == OK
        assert instance.step(i * 0.01, 0.01) == OK
        seen.append(instance.snapshot())
    return seen


def test_a_thousand_instances(ball):
    """All alive at once, stepped in turn, each with another start: each as if it were alone."""
    instances = [Instance(ball, name=f"ball_{i}") for i in range(1000)]
    for i, instance in enumerate(instances):
        instance.start(ball__initial_angular_velocity=float(i))
    for n in range(5):
        for instance in instances:
            assert instance.step(n * 0.1, 0.1) == OK
    together = [instance.snapshot() for instance in instances]
    for instance in instances:
        instance.free()
    assert len(set(together)) == 1000
    for i in (0, 1, 500, 999):
        with Instance(ball) as alone:
            alone.start(ball__initial_angular_velocity=float(i))
            alone.steps(0.0, 0.1, 5)
            assert alone.snapshot() == together[i]


def test_eight_threads(bowl):
    """Each steps instances of its own; all get what a single thread gets."""
    with Instance(bowl) as instance:
        expected = history(instance.start())
    results = {}
    barrier = threading.Barrier(8)

    def work(number):
        barrier.wait()
        runs = []
        for _ in range(4):
            with Instance(bowl, name=f"thread_{number}") as own:
                runs.append(history(own.start()))
        results[number] = runs

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(8))
    assert all(run == expected for runs in results.values() for run in runs)


LOAD_AND_UNLOAD = """
import _ctypes, sys, fmi2
fmu = fmi2.Fmu(sys.argv[1])
handle = fmu.library._handle
del fmu.library
_ctypes.dlclose(handle)

def loaded():
    return str(fmu.binary) in open("/proc/self/maps").read()

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

def once():
    fmu.library = fmi2.load(fmu.binary)
    with fmi2.Instance(fmu) as instance:
        instance.start()
        instance.steps(0.0, 0.01, 3)
        state = instance.save()
        instance.serialize()
        instance.release(state)
        instance.step(5.0, 1.0)  # refused: a message
    handle = fmu.library._handle
    del instance.library, fmu.library
    _ctypes.dlclose(handle)

assert not loaded()
for i in range(200):
    once()
    assert not loaded(), "dlclose did not unload it"
before = resident()
for i in range(1000):
    once()
print(resident() - before)
"""


def test_a_thousand_times_loaded_and_unloaded(bowl):
    """An FMU that kept one page each time would grow by 4 MB."""
    grown = int(tools.python(LOAD_AND_UNLOAD, bowl.directory))
    assert grown < 1_000_000


@pytest.fixture(scope="module")
def counter(tmp_path_factory):
    directory = tmp_path_factory.mktemp("counter")
    cc = os.environ.get("CC", "cc")
    library, driver = directory / "counter.so", directory / "driver"
    for command in ((cc, "-O1", "-shared", "-fPIC", "-fno-builtin", "-o", library,
                     HERE / "allocation_counter.c"),
                    (cc, "-O1", f"-I{FMI_HEADERS}", "-o", driver, HERE / "allocation_driver.c",
                     "-ldl")):
        done = tools.run(*command)
        assert done.returncode == 0, done.stderr
    return library, driver


@pytest.mark.parametrize("step", ["1e-3", "1e-2", "2.5e-4", "3.3e-3"])
def test_no_allocation_in_a_step(bowl, counter, step):
    """In contact, with logging on, with internal steps that divide the step and that do not."""
    library, driver = counter
    n = round(1.0 / float(step))
    done = tools.run(driver, bowl.binary, bowl.guid, bowl.resources, n, step,
                     env={**os.environ, "LD_PRELOAD": str(library)})
    assert done.returncode == 0, (done.returncode, done.stderr)
    instantiated, stepped = map(int, done.stdout.split())
    assert instantiated > 0, "the counter does not count"
    assert stepped == 0
