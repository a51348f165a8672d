"""examples/rollback_master.py: what docs/hosts.md says of it."""

import subprocess
import sys

import numpy as np
import pytest

import tools

sys.path.insert(0, str(tools.ROOT / "examples"))
import rollback_master  # noqa: E402

STOP = 1.5


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    plant = tmp_path_factory.mktemp("rollback") / "carriage.fmu"
    tools.clatter("pack", tools.ROOT / "examples" / "controllers" / "carriage.xml", "-o", plant)
    return str(plant), str(tools.BUILD / "examples" / "pd_controller.fmu")


def test_steps_are_spent_where_the_impacts_are(fmus):
    """A seventh of the steps of the plant give the accuracy of a fixed step, rollbacks counted."""
    reference = rollback_master.run_fixed(*fmus, 2.0**-15, STOP)
    times, rows, n_fixed = rollback_master.run_fixed(*fmus, 2.0**-11, STOP)
    of_fixed, _ = rollback_master.errors(reference, times, rows)
    times, rows, n = rollback_master.run_with_rollback(*fmus, 1e-6, STOP)
    of_rollback, _ = rollback_master.errors(reference, times, rows)
    assert n < n_fixed / 6 and of_rollback < 1.4 * of_fixed
    assert n > 3 * (len(times) - 1)  # some steps were taken back
    assert np.diff(times).max() >= 32 * np.diff(times).min()
    stop = np.flatnonzero(np.diff(times) == np.diff(times).min())
    assert np.all(rows[stop, 0] > 0.39)  # at the stop


def test_it_runs_as_its_header_says(fmus):
    done = subprocess.run([sys.executable, tools.ROOT / "examples" / "rollback_master.py", *fmus,
                           "--reference", str(2.0**-14)], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert len(done.stdout.splitlines()) == 9
