"""Contact with a curve y = f(x): the point on a slope of LO 6.3 against an independent integration
of the sliding point, a disc in a trough, a curve that moves, and what is no function of x."""

import math

import numpy as np
import pytest

import tools
from exact import rk4
from tools import MODELS, SLIP, STICK, mechanism

SLOPE = MODELS / "point_on_slope.xml"
MU, G = 0.3, 10.0


def slide(state):
    """Rates of (x, speed along the curve) on y = exp(-x): friction of the weight's normal part and
    of the centripetal force."""
    x, v = state
    slope, bend = -math.exp(-x), math.exp(-x)
    w = math.hypot(1.0, slope)
    normal = G / w + bend / w**3 * v * v
    return np.array([v / w, -G * slope / w - MU * normal])


def slide_to_rest(speed, dt=1e-3):
    """Times, positions and speeds until the speed vanishes, from x = 0."""
    states = rk4(slide, [0.0, speed], dt, 3000)
    n = np.flatnonzero(states[:, 1] <= 0)
    n = n[n > 1][0]  # the first that has stopped
    rest = dt * states[n - 1, 1] / (states[n - 1, 1] - states[n, 1])
    x = states[n - 1, 0] + states[n - 1, 1] * rest / 2
    return np.append(np.arange(n) * dt, (n - 1) * dt + rest), np.append(states[:n, 0], x)


def errors(result, t, x, start=0.0):
    """Largest deviation of x up to t = 1.6, and those of the time and place of rest."""
    part = result[(result["time"] >= start) & (result["time"] <= 1.6)]
    deviation = np.abs(part["mass.x"] - np.interp(part["time"] - start, t, x)).max()
    rest = result["time"][np.flatnonzero(result["slope_contact.state"] == SLIP)[-1]]
    return deviation, abs(rest - start - t[-1]), abs(result["mass.x"][-1] - x[-1])


def test_point_slides_down_the_slope_and_stops(run):
    """Case 1: order one of the scheme in the step, no penetration."""
    t, x = slide_to_rest(0.0)
    assert t[-1] == pytest.approx(2.1, abs=0.01)
    steps = [4e-3, 2e-3, 1e-3]
    found = []
    for dt in steps:
        result = run(SLOPE, 3.0, dt)
        found.append(errors(result, t, x))
        assert result["solver.penetration"].max() <= 1e-12
        assert np.abs(result["slope_contact.gap"]).max() < 0.3 * dt**2
        assert result["mass.acceleration_x"][0] == pytest.approx(3.5, rel=1e-9)
        assert (result["slope_contact.state"][1:int(2.0 / dt)] == SLIP).all()
        assert (result["slope_contact.state"][int(2.2 / dt):] == STICK).all()
    found = np.array(found)
    assert found[-1, 0] < 2.5e-3 and found[-1, 1] < 3e-3 and found[-1, 2] < 3e-3
    assert tools.orders(steps, found[:, 0]) == pytest.approx(1.0, abs=0.05)
    assert tools.orders(steps, found[:, 2]) == pytest.approx(1.0, abs=0.05)


def test_point_falls_onto_the_slope_and_slides_on(run):
    """Case 2: the impact takes the normal velocity, and MU times it of the tangential one."""
    fall = math.sqrt(0.1)
    t, x = slide_to_rest((1 - MU) * math.sqrt(G) / math.sqrt(2))
    dt = 5e-4
    result = run(SLOPE, 3.0, dt, {"initial_height": 1.5})
    hit = np.flatnonzero(result["slope_contact.closed"])[0]
    assert result["time"][hit] == pytest.approx(fall, abs=2 * dt)
    assert result["slope_contact.sliding_velocity"][hit] == pytest.approx(
        (1 - MU) * math.sqrt(G / 2), rel=2e-3)
    deviation, rest, place = errors(result, t, x, fall)
    assert deviation < 3e-3 and rest < 2e-3 and place < 4e-3
    assert result["solver.penetration"].max() < math.sqrt(G / 2) * dt  # what Moreau's scheme leaves


def test_gap_is_the_distance_to_the_nearest_point(run):
    result = run(SLOPE, 0.3, 1e-2, {"initial_height": 1.5})
    s = np.arange(-1.0, 2.0, 1e-4)
    for row in result:
        nearest = np.hypot(row["mass.x"] - s, row["mass.y"] - np.exp(-s)).min()
        assert row["slope_contact.gap"] == pytest.approx(nearest, abs=1e-7)


def test_disc_swings_in_a_trough(run):
    """Its centre is a pendulum on the curve's parallel at the distance of its radius: at the bottom
    of y = x^2/2, of radius of curvature 1, as long as 1 - radius."""
    model = mechanism(
        '<gravity y="-10"/><planar_body name="disc" mass="1" inertia="1" initial_y="0.25" '
        'initial_velocity_x="0.01"><circle name="rim" radius="0.25"/></planar_body>'
        '<ground><curve name="trough" function="x^2/2"/></ground>'
        '<contact name="touch" first="ground.trough" second="disc.rim"/>')
    result = run(model, 2.0, 1e-3)
    x = result["disc.x"]
    crossings = result["time"][np.flatnonzero((x[1:-1] > 0) & (x[2:] <= 0))]
    assert crossings[0] == pytest.approx(math.pi * math.sqrt(0.75 / 10), rel=5e-3)
    assert np.abs(result["touch.gap"]).max() < 1e-6


def test_curve_moves_with_its_body(run):
    """A hill that moves steadily, with a mass that starts along with it: all is as on a hill at
    rest, seen by a traveller."""
    def hill(x, y, velocity_x, velocity_y):
        return mechanism(
            f'<gravity y="-10"/><point_mass name="mass" mass="1" initial_x="0.1" initial_y="0.5" '
            f'initial_velocity_x="{velocity_x}" initial_velocity_y="{velocity_y}">'
            f'<point name="p"/></point_mass><driven_frame name="hill" x="{x}" y="{y}">'
            f'<curve name="top" x="0.02" y="0.4" function="-x^2"/></driven_frame>'
            f'<contact name="touch" first="mass.p" second="hill.top" friction_coefficient="0.2"/>')

    still = run(hill("0", "0", 0.5, 0), 0.5, 1e-3)
    moving = run(hill("0.7*t", "t", 1.2, 1), 0.5, 1e-3)
    assert still["touch.closed"].sum() > 100
    assert still["mass.y"][-1] < 0.2
    t = still["time"]
    assert moving["mass.x"] - 0.7 * t == pytest.approx(still["mass.x"], abs=1e-9)
    assert moving["mass.y"] - t == pytest.approx(still["mass.y"], abs=1e-9)


@pytest.mark.parametrize("function, words", [
    ("exp(-t)", "time t cannot be used"),
    ("height*x", "unknown name 'height'"),
    ("exp(-x", "expected"),
    (None, "needs the attribute function"),
    ("sqrt(x-1)", "is not a number"),
])
def test_what_is_no_function_of_x(tmp_path, function, words):
    path = tmp_path / "model.xml"
    attribute = f' function="{function}"' if function is not None else ""
    path.write_text(SLOPE.read_text().replace(' function="exp(-x)"', attribute))
    done = tools.try_clatter("run", path, "-o", tmp_path / "out.csv")
    assert done.returncode != 0
    assert words in done.stderr


def test_curve_in_an_fmu(pack):
    result = tools.simulate(pack(SLOPE), 3.0, 1e-3, output=["mass.x", "slope_contact.state"])
    _, x = slide_to_rest(0.0)
    assert result["mass.x"][-1] == pytest.approx(x[-1], abs=3e-3)
    assert result["slope_contact.state"][-1] == STICK
