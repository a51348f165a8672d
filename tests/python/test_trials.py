"""Models of tests/models/trials: mechanisms that users built and random ones, each of which once stopped,
fell through something or gave forces that nobody can use. They run, with either main scheme, or the
program says why not."""

import re

import numpy as np
import pytest

import tools

TRIALS = tools.ROOT / "tests" / "models" / "trials"
SCHEMES = ("moreau_jean", "generalized_alpha")
# Runs that need not be as long as their models say, s
SHORTER = {"ga_cam_friction": 0.1, "discs20": 0.6, "spheres10": 0.6, "spheres20": 0.05, "rest_friction_alternates": 0.8,
           "grip_share_arbitrary": 0.5}
# Chains of 20 and 30 links thrown on the floor, whose own steps, 5 and 10 ms, are too long for them: whether
# they get through depends on the last digits. They run at this step, s.
# So does a pendulum that jams between its hinge and the floor (random_318), at 5 ms.
TOO_LONG = {"random_639": 1e-3, "random_749": 1e-3, "random_318": 2.5e-3}
NAMES = sorted(path.stem for path in TRIALS.glob("*.xml"))


def run_trial(name, scheme, csv, *options):
    stop = [f"--stop={SHORTER[name]}"] if name in SHORTER else []
    return tools.try_clatter("run", TRIALS / f"{name}.xml", "--scheme", scheme, *stop, *options, "--all",
                             "-o", csv)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", NAMES)
def test_runs(tmp_path, name, scheme):
    step = [f"--step={TOO_LONG[name]}"] if name in TOO_LONG else []
    done = run_trial(name, scheme, tmp_path / "out.csv", *step)
    result = tools.read_csv(tmp_path / "out.csv")
    for variable in result.dtype.names:
        assert variable == "solver.message" or np.isfinite(result[variable]).all(), variable
    assert done.returncode == 0, done.stderr
    assert result["solver.failed_steps"][-1] == 0
    assert result["solver.inexact_steps"][-1] <= 0.2 * result["solver.steps"][-1]
    if scheme == "generalized_alpha":
        assert result["solver.penetration"].max() < 1e-6
        assert result["solver.joint_violation"].max() < 1e-6


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", TOO_LONG)
def test_a_step_that_is_too_long_is_told_with_its_joints_and_contacts(tmp_path, name, scheme):
    done = run_trial(name, scheme, tmp_path / "out.csv")
    named = re.search(r"\(residual \S+: \S+ of (contact c|revolute j)\d+ in line \d+", done.stderr)
    assert done.returncode == 0 or named, done.stderr


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forces_at_rest_are_the_same_from_step_to_step(tmp_path, scheme):
    """A lever on a stop, held by friction in its hinge, has no unique forces: some of them, and always the
    same."""
    assert run_trial("rest_friction_arbitrary", scheme, tmp_path / "out.csv").returncode == 0
    result = tools.read_csv(tmp_path / "out.csv")
    rest = result[len(result) * 9 // 10:]
    pressing = rest["stop.normal_percussion"]
    assert pressing.min() > 0
    for values in (pressing, rest["stop.friction_percussion"], rest["hinge.friction_percussion"]):
        assert np.ptp(values) <= 1e-6 * pressing.max()


def test_four_corners_of_a_gripped_box_share_the_force(tmp_path):
    """Fingers that are parallel press a box on their middle, and the load is the same from step to step."""
    done = tools.try_clatter("run", TRIALS / "grip_share_arbitrary.xml", "--set", "opening=0.05", "--stop",
                             1, "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    last, end = tools.read_csv(tmp_path / "out.csv")[-2:]
    pressing = [name for name in end.dtype.names if name.startswith("on_left[")
                and name.endswith(".normal_percussion") and end[name] > 0]
    assert len(pressing) == 4
    forces = np.array([end[name] for name in pressing])
    assert forces == pytest.approx(np.full(4, forces.mean()), rel=0.05)
    assert forces == pytest.approx([last[name] for name in pressing], rel=1e-6)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_prop_that_joints_block_is_solved_to_the_tolerance(tmp_path, scheme):
    """Its friction is that of least norm: one that stays near the last would not converge."""
    assert run_trial("prop", scheme, tmp_path / "out.csv").returncode == 0
    assert tools.read_csv(tmp_path / "out.csv")["solver.inexact_steps"][-1] == 0
