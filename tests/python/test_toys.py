"""Small machines with impacts and friction whose motion is known by other means."""

import math

import numpy as np
import pytest

import tools

SCHEMES = ("generalized_alpha", "moreau_jean")


def run(model, scheme, tmp_path, *options):
    tools.clatter("run", tools.MODELS / f"{model}.xml", "--scheme", scheme, "-o",
                  tmp_path / "out.csv", *options)
    rows = tools.read_csv(tmp_path / "out.csv")
    assert rows["solver.failed_steps"][-1] == 0
    return rows


# --- billiard ball ---

def billiard_error(rows):
    last = rows[-1]
    return max(abs(last["ball.velocity_x"] - 3 / 7), abs(last["ball.velocity_y"] + 3 / 7))


@pytest.mark.parametrize("scheme, bound", [("generalized_alpha", 1e-4), ("moreau_jean", 3e-3)])
def test_billiard_ball(scheme, bound, tmp_path):
    """Coulomb friction of a sliding ball has a constant direction, that of its slip at the start:
    slip v + R (-omega_y, omega_x) = (2, 1.5) m/s decays with 7/2 mu g until 0.36405 s, and the
    velocity changes with mu g against it. Moreau-Jean is of first order here, because the contact's torque
    acts along directions of the end of the step in a body that turns: 2.0e-3 at 1 ms."""
    rows = run("billiard_ball", scheme, tmp_path, "--set", "solver.step_size=1e-3")
    slip = np.array((1.0 + 20 * 0.05, 30 * 0.05))
    ends = np.linalg.norm(slip) / (7 / 2 * 0.2 * 9.81)
    rolls = np.argmax(rows["cloth.state"] == 3)
    assert rows["cloth.state"][rolls] == 3 and (rows["cloth.state"][rolls:] == 3).all()
    assert abs(rows["time"][rolls] - ends) < 3e-3
    t = rows["time"][: rolls - 2]
    for axis, start, component in (("x", 1.0, slip[0]), ("y", 0.0, slip[1])):
        expected = start - 0.2 * 9.81 * t * component / np.linalg.norm(slip)
        assert np.abs(rows[f"ball.velocity_{axis}"][: rolls - 2] - expected).max() < bound
    assert billiard_error(rows) < bound


def test_billiard_ball_converges(tmp_path):
    errors = [billiard_error(run("billiard_ball", "moreau_jean", tmp_path, "--step", step))
              for step in ("1e-3", "2.5e-4")]
    assert errors[1] < 0.35 * errors[0]


# --- rimless wheel ---

HALF, SLOPE, LENGTH, RATIO, GRAVITY = math.pi / 8, 0.08, 1.0, 0.1, 9.81


def gained(lean, lean_later):
    """Square of the angular velocity that the wheel gains between two leans of the stance spoke."""
    return 2 * GRAVITY / (LENGTH * (1 + RATIO)) * (math.cos(lean) - math.cos(lean_later))


def recursion(n):
    """Angular velocity after each of n impacts. Angular momentum about the foot that strikes is the
    same before and after: I + m l^2 cos(2 half) before, I + m l^2 after, per angular velocity."""
    lean, square = HALF / 2, 1.2**2
    speeds = []
    for _ in range(n):
        square += gained(lean, SLOPE + HALF)
        square *= ((math.cos(2 * HALF) + RATIO) / (1 + RATIO)) ** 2
        lean = HALF - SLOPE
        speeds.append(math.sqrt(square))
    return np.array(speeds)


def speeds_after_impacts(rows, n):
    """From the state in the middle between two impacts, taken back to the last one by energy."""
    speeds = []
    for k in range(1, n + 1):
        middle = -SLOPE - HALF - 2 * HALF * (k - 0.5)
        at = np.argmax(rows["wheel.angle"] < middle)
        assert at > 0
        lean = rows["wheel.angle"][at] + 2 * HALF * k
        speeds.append(math.sqrt(rows["wheel.angular_velocity"][at] ** 2 - gained(HALF - SLOPE, lean)))
    return np.array(speeds)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_rimless_wheel(scheme, tmp_path):
    """Impacts are found at the end of a step, hence errors in proportion to it."""
    errors = []
    for step in ("1e-3", "2.5e-4"):
        rows = run("rimless_wheel", scheme, tmp_path, "--step", step, "--stop", "4")
        errors.append(np.abs(speeds_after_impacts(rows, 4) / recursion(4) - 1).max())
    assert errors[0] < 0.01
    assert errors[1] < 0.003


# --- woodpecker toy ---

@pytest.mark.parametrize("scheme", SCHEMES)
def test_woodpecker(scheme, tmp_path):
    """Period 0.1308 s and descent of 14.54 mm a period, as two other programs find them that know
    the full geometry."""
    rows = run("woodpecker_toy", scheme, tmp_path, "--step", "2e-5")
    angle, t = rows["bird.angle"], rows["time"]
    i = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))
    part = -angle[i] / (angle[i + 1] - angle[i])
    times = t[i] + part * (t[i + 1] - t[i])
    heights = rows["sleeve.y"][i] + part * (rows["sleeve.y"][i + 1] - rows["sleeve.y"][i])
    assert len(times) >= 6
    assert abs(np.diff(times)[-3:].mean() - 0.1308) < 2e-4
    assert abs(np.diff(heights)[-3:].mean() + 14.54e-3) < 5e-5
    assert (rows["beak.normal_percussion"] > 0).any()
