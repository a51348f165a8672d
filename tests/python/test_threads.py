"""Several threads on one step (solver.threads): the same bits whatever their number."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fmi2 import OK, Instance
from test_grains import pile
from tools import clatter

LAST_STEPS = 20


def result(path, n_threads, *settings):
    out = path.with_suffix(f".{n_threads}.csv")
    clatter("run", path, "-o", out, "--stop", "0.4", f"--set=solver.threads={n_threads}",
            *(f"--set=solver.{setting}" for setting in settings))
    return out.read_bytes()


@pytest.mark.parametrize("settings", [(), ("cone_law=relaxed",), ("cone_projection=yes",),
                                      ("cone_method=gradient", "cone_iterations=20")])
def test_any_number_of_threads_gives_the_same_bits(tmp_path, settings):
    path = tmp_path / "pile.xml"
    path.write_text(pile(11, 10, 9))
    alone, two, *others = (result(path, n, *settings) for n in (1, 2, 3, 7))
    assert all(other == two for other in others)
    assert two != alone  # its contacts are solved in another order: slabs were made


def advance(instance, first, n):
    """The last of n steps of 5 ms, and how many threads the process had at most meanwhile."""
    most, ends = 0, False

    def watch():
        nonlocal most
        while not ends:
            most = max(most, len(os.listdir("/proc/self/task")))

    watcher = threading.Thread(target=watch)
    watcher.start()
    for i in range(first, first + n):
        assert instance.step(0.005 * i, 0.005) == OK
    ends = True
    watcher.join()
    return [instance.get(name) for name in
            ("solver.residual", "solver.penetration", "solver.contact_iterations")], most


OTHER_PROCESS = """
import sys
sys.path.insert(0, sys.argv[1])
from fmi2 import OK, Fmu, Instance
from test_threads import LAST_STEPS, advance
with Instance(Fmu(sys.argv[2])) as instance:
    instance.start(0.0, **{"solver.threads": 2})
    status, state = instance.deserialize(open(sys.argv[3], "rb").read())
    assert status == OK and instance.SetFMUstate(state) == OK
    print(advance(instance, 60, LAST_STEPS)[0])
"""


def test_an_fmu_has_threads_while_it_is_called(pack, tmp_path):
    fmu = pack(pile(11, 10, 9))
    before = len(os.listdir("/proc/self/task"))
    with Instance(fmu) as instance:
        instance.start(0.0, **{"solver.threads": 3})
        advance(instance, 0, 60)
        (tmp_path / "state").write_bytes(instance.serialize())
        then, most = advance(instance, 60, LAST_STEPS)
        assert most >= before + 1 + 2  # that of the watcher and two more
        for _ in range(1000):  # the system forgets them soon after they have ended
            if len(os.listdir("/proc/self/task")) == before:
                break
            time.sleep(0.01)
        assert len(os.listdir("/proc/self/task")) == before
    again = subprocess.run([sys.executable, "-c", OTHER_PROCESS, Path(__file__).parent,
                            fmu.directory, tmp_path / "state"], capture_output=True, text=True,
                           timeout=900)
    assert again.stdout.strip() == repr(then), again.stderr  # bit for bit, with the state's threads
