"""The reference implementation of the generalized-alpha scheme: its own truth against closed forms
and independent integrations, and the product's scheme against it. Both solve the same equations, so
they must agree to the tolerance of the solvers, not merely to the error of the discretisation."""

import math

import numpy as np
import pytest

import exact
import generalized_alpha_reference as reference
import tools
from generalized_alpha_reference import GeneralizedAlpha, transposed_times
from exact import double_pendulum, euler, rk4
from tools import MODELS, mechanism

SYSTEMS = {"rotating_ball": reference.RotatingBall, "ball_in_corner": reference.BallInCorner,
           "ball_in_cylinder": reference.BallInCylinder, "painleve_rod": reference.PainleveRod,
           "tippe_top": reference.TippeTop, "double_pendulum": reference.DoublePendulum,
           "slider_crank": reference.SliderCrank, "point_on_slope": reference.PointOnSlope,
           "skate": lambda: reference.Skate(speed=1.5, omega=2.0, gravity=3.0)}


def column(v):
    return np.array(v, dtype=complex)[:, None]


def simulate(system, stop, dt, rho=0.5, tolerance=1e-11):
    result = GeneralizedAlpha(system, dt, rho, tolerance).run(round(stop / dt))
    assert result["converged"].all()
    return result


# --- the reference itself ---

@pytest.mark.parametrize("system", [make() for make in SYSTEMS.values()], ids=SYSTEMS)
def test_rows_and_their_rates_agree(system):
    """g' = W^T u, (W^T u)' = W^T a + zeta and q'' against derivatives along q' and a."""
    random = np.random.default_rng(1)
    q, u, a = (column(v + 0.1 * random.normal(size=len(v)))
               for v in (np.array(system.q_0, float), np.array(system.u_0, float),
                         np.zeros(len(system.u_0))))
    system.normalize(q)
    h = reference.COMPLEX_STEP
    q_dot = system.q_dot(q, u)
    later = q + 1j * h * q_dot, u + 1j * h * a
    assert system.q_dot(*later).imag / h == pytest.approx(system.q_ddot(q, u, a).real, rel=1e-12)
    for i, (now, then) in enumerate(zip(system.rows(q, u), system.rows(*later))):
        if i in (0, 2):  # joints and gaps are on position level
            assert then.g.imag / h == pytest.approx(transposed_times(now.W, u).real, rel=1e-12,
                                                    abs=1e-12)
        rate = transposed_times(then.W, later[1]).imag / h
        assert rate == pytest.approx((transposed_times(now.W, a) + now.zeta).real, rel=1e-12,
                                     abs=1e-9)


def test_ball_that_slides_then_rolls():
    """GA 10.1: impulses and forces are known."""
    dt, v = 2e-3, math.sqrt(2 * 9.81 * 0.9)
    result = simulate(reference.RotatingBall(omega=50.0, e_N=0.0), 1.0, dt)
    i = np.argmax(result["La"][:, 0] > 1)
    assert result["t"][i - 1] < v / 9.81 <= result["t"][i]
    assert result["La"][i] == pytest.approx([v, -0.2 * v], rel=9.81 * dt / v)
    sliding = (result["t"] > result["t"][i]) & (result["t"] < 0.72812)
    assert result["la"][sliding] == pytest.approx(np.tile([9.81, -1.962], (sliding.sum(), 1)))
    rolling = result["t"] > 0.72812 + 2 * dt
    assert rolling.sum() > 100
    assert result["la"][rolling, 0] == pytest.approx(9.81)
    assert np.abs(result["la"][rolling, 1]).max() < 1e-10
    assert result["u"][rolling, 0] == pytest.approx(-2 / 7 * 0.1 * 50, rel=1e-10)
    assert result["g_N"].min() > -1e-12


def test_ball_that_sticks_at_once():
    result = simulate(reference.RotatingBall(omega=10.0, e_N=0.0), 0.5, 2e-3)
    i = np.argmax(result["La"][:, 0] > 1)
    assert result["P"][i, 1] == pytest.approx(-2 / 7 * 0.1 * 10, rel=1e-10)
    assert np.abs(result["la"][i + 1:, 1]).max() < 1e-10


def test_ball_comes_to_rest_after_infinitely_many_impacts():
    dt, zeno = 2e-3, 3 * math.sqrt(2 * 0.9 / 9.81)
    result = simulate(reference.RotatingBall(), 1.5, dt)
    impacts = result["t"][result["La"][:, 0] > 0.1]
    assert len(impacts) >= 5 and impacts[-1] < zeno
    after = result["t"] > zeno + 50 * dt
    assert after.sum() > 50
    assert np.abs(result["u"][after]).max() < 1e-9
    assert result["P"][after, 0] == pytest.approx(dt * 9.81, rel=1e-8)
    assert result["g_N"].min() > -1e-11


class FreeTop(reference.SpatialBody):
    def __init__(self):
        super().__init__(1.0, (1.0, 2.0, 3.0), gravity=0.0)
        self.q_0, self.u_0 = [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1.0, 2.0, 0.5]


def slope(state):
    """Abscissa and speed of the point that slides down y = exp(-x)."""
    x, v = state
    f = math.exp(-x)
    root = math.sqrt(1 + f * f)
    normal = 10 / root + v * v * f / root**3
    return np.array([v / root, 10 * f / root - 0.3 * normal])


def skate_position(t, a=3.0, w=2.0):
    return a / w * np.array([t / 2 + math.sin(2 * w * t) / (4 * w),
                             (1 - math.cos(2 * w * t)) / (4 * w)])


SMOOTH = {
    "joints": (reference.DoublePendulum, lambda r: r["q"][-1, [2, 5]],
               lambda: rk4(double_pendulum, [0, 0, 0, 0], 1e-3, 1000)[-1, :2], [1e-2, 5e-3]),
    "contact": (reference.PointOnSlope, lambda r: [r["q"][-1, 0], np.hypot(*r["u"][-1])],
                lambda: rk4(slope, [0, 0], 1e-3, 1000)[-1], [2e-2, 1e-2]),
    "velocity_level": (SYSTEMS["skate"], lambda r: r["q"][-1, :2], lambda: skate_position(1.0),
                       [1e-2, 5e-3]),
    "quaternion": (FreeTop, lambda r: [*r["q"][-1, 3:], *r["u"][-1, 3:]],
                   lambda: rk4(euler(np.array([1.0, 2.0, 3.0])), [1, 0, 0, 0, 1, 2, 0.5], 1e-3,
                               1000)[-1], [2e-2, 1e-2]),
}


@pytest.mark.parametrize("case", SMOOTH)
@pytest.mark.parametrize("rho", [0.5, 0.9])
def test_smooth_motion_is_of_second_order(case, rho):
    make, outcome, truth, steps = SMOOTH[case]
    errors = [np.abs(np.array(outcome(simulate(make(), 1.0, dt, rho))) - truth()).max()
              for dt in steps]
    assert tools.orders(steps, errors) == pytest.approx(2.0, abs=0.15), errors


def test_joints_hold_on_three_levels():
    system = reference.DoublePendulum()
    result = simulate(system, 0.5, 5e-3)
    for q, u, a in zip(*(result[name] for name in "qua")):
        joints = system.rows(column(q), column(u))[0]
        assert np.abs(joints.g).max() < 1e-11
        assert np.abs(transposed_times(joints.W, column(u))).max() < 1e-11
        assert np.abs(transposed_times(joints.W, column(a)) + joints.zeta).max() < 1e-10


def test_ball_in_cylinder_stays_on_the_wall():
    steps, errors = [1e-2, 5e-3], []
    truth = exact.ball_in_cylinder(np.linspace(0.0, 1.0, 101))
    for dt in steps:
        result = simulate(reference.BallInCylinder(), 1.0, dt)
        assert np.abs(result["g_N"]).max() < 1e-11
        errors.append(np.abs(result["q"][::round(1e-2 / dt)] - truth)[:, :2].max())
    assert errors[0] < 5e-3
    assert tools.orders(steps, errors) > 1.5


def test_ball_in_corner_comes_to_rest():
    """Newton's method stalls where four force directions are dependent; the sets exist."""
    tolerance = 1e-8
    result = simulate(reference.BallInCorner(), 1.6, 4e-3, tolerance=tolerance)
    rest = result["t"] > 1.5
    assert result["stalled"].any() and not result["stalled"][rest].any()
    assert np.abs(result["g_N"][rest]).max() <= tolerance
    assert np.abs(result["u"][rest]).max() <= 1e-6
    assert result["g_N"].min() >= -tolerance


def test_painleve_rod_slides_up_to_the_singular_inclination():
    """The force's effect on the gap, 1 + 3 cos (cos - 5/3 sin), vanishes at 45 degrees.
    An integration of the sliding motion with steps down to 1e-13 s arrives there at t = 0.81455 s,
    with a force beyond all bounds. Then there are two solutions, one open, one closed, of which
    Newton's method takes either; at last the tip leaves the floor and stays above it."""
    largest = []
    for dt in (3.2e-3, 1.6e-3):
        result = simulate(reference.PainleveRod(), 1.0, dt, rho=0.9, tolerance=1e-10)
        angle, rate, force = -result["q"][:, 2], result["u"][:, 2], result["la"][:, 0]
        before = angle < np.radians(44)
        effect = 1 + 3 * np.cos(angle) * (np.cos(angle) - 5 / 3 * np.sin(angle))
        expected = (10 - np.sin(angle) * rate**2) / effect
        assert force[before] == pytest.approx(expected[before], rel=1e-9)
        assert result["t"][np.argmax(angle > np.radians(45))] == pytest.approx(0.81455, abs=dt)
        largest.append(force[angle < np.radians(46)].max())
        assert result["g_N"].min() > -1e-10 and result["g_N"][-1] > 0.1
    assert largest[1] > largest[0] > 5 * expected[0]


# --- the product against the reference ---

GENERALIZED_ALPHA = 2  # solver.scheme
PLANAR = [["x", "y", "angle"], ["velocity_x", "velocity_y", "angular_velocity"],
          ["normal_{}", "friction_{}"]]
POINT = [["x", "y"], ["velocity_x", "velocity_y"], ["normal_{}", "friction_{}"]]
SPATIAL = [["x", "y", "z", *(f"quaternion_{i}" for i in range(4))],
           [f"{kind}_{axis}" for kind in ("velocity", "angular_velocity") for axis in "xyz"],
           ["normal_{}", "friction_{}_1", "friction_{}_2", "drilling_{}"]]
SKATE = mechanism('''<gravity y="-3"/>
<planar_body name="skate" mass="2" inertia="0.3" initial_velocity_x="1.5"
  initial_angular_velocity="2"/>
<skate name="blade" first="skate"/>''')


def case(model, system, dt, n, bodies, contacts=(), hinges=(), names=PLANAR, rho=0.5,
         settings=None, tolerance=1e-11, id=None):
    owners = {"bodies": bodies, "contacts": contacts, "hinges": hinges}
    return pytest.param(model, system, dt, n, owners, names, rho, settings or {}, tolerance,
                        id=id or model)


def ball(dt, n, omega, e_N, e_F=0.0, rho=0.5, id=None):
    return case("rotating_ball", lambda: reference.RotatingBall(omega, e_N, e_F), dt, n, ["ball"],
                ["floor_contact"], rho=rho, id=id,
                settings={"ball.initial_angular_velocity": omega,
                          "floor_contact.normal_restitution": e_N,
                          "floor_contact.tangential_restitution": e_F})


CASES = [
    ball(2e-3, 400, 50.0, 0.0, id="ball_slides"),
    ball(2e-3, 300, 10.0, 0.0, rho=0.9, id="ball_rolls"),
    # not with e_N = 0.5: all impacts would fall on the grid, and rounding decide about their step
    ball(2e-3, 800, 0.0, 0.6, rho=0.0, id="ball_bounces"),
    # the first impact reverses the sliding, but not all the way: xi_F and gamma_F are opposed
    ball(2e-3, 600, 36.0, 0.4, 0.3, id="ball_with_tangential_restitution"),
    case("ball_in_cylinder", reference.BallInCylinder, 1e-2, 200, ["ball"], ["wall_contact"]),
    # until shortly before the motion has two solutions
    case("painleve_rod", reference.PainleveRod, 3e-3, 260, ["rod"], ["tip_contact"], rho=0.9),
    # until shortly before rest, when percussions are not unique any more
    case("ball_in_corner", reference.BallInCorner, 4.1e-3, 340, ["ball"],
         ["right_contact", "left_contact"]),
    # residuals are relative to the energy, nearly all of which is spin: they say little of the rest
    case("tippe_top", reference.TippeTop, 4e-3, 420, ["top"], ["body_contact", "stick_contact"],
         names=SPATIAL, tolerance=1e-13),
    case("double_pendulum", reference.DoublePendulum, 5e-3, 200, ["upper", "lower"],
         hinges=["shoulder", "elbow"]),
    case("slider_crank", reference.SliderCrank, 2e-4, 200, ["crank", "rod", "slider"],
         ["front_top", "rear_top", "front_bottom", "rear_bottom"],
         ["axle", "crank_pin", "slider_pin"]),
    case("point_on_slope", reference.PointOnSlope, 1e-2, 250, ["mass"], ["slope_contact"],
         names=POINT),
    case("point_on_slope", lambda: reference.PointOnSlope(1.5), 1e-2, 250, ["mass"],
         ["slope_contact"], names=POINT, settings={"initial_height": 1.5},
         id="point_falls_on_slope"),
    case(SKATE, SYSTEMS["skate"], 1e-2, 150, ["skate"], id="skate"),
]


@pytest.mark.parametrize("model, system, dt, n, owners, names, rho, settings, tolerance", CASES)
def test_product_agrees_step_by_step(run, model, system, dt, n, owners, names, rho, settings,
                                     tolerance):
    expected = simulate(system(), n * dt, dt, rho, tolerance)
    path = model if "<" in model else MODELS / f"{model}.xml"
    found = run(path, n * dt, dt, settings | {"solver.scheme": GENERALIZED_ALPHA,
                                              "solver.spectral_radius": rho,
                                              "solver.tolerance": tolerance})
    assert found["solver.retried_steps"][-1] == 0

    def agree(name, kind, variables, like=None, sign=1.0):
        """After the first row, at which there was no step yet; relative to the largest value."""
        values = np.array([found[f"{owner}.{variable}"] for owner in owners[kind]
                           for variable in variables]).T
        difference = np.abs(sign * values - expected[name])[1:]
        scale = np.abs(expected[like or name]).max()
        assert difference.max() <= 1e-8 * scale, (name, difference.max(axis=1).argmax() + 1)

    coordinates, velocities, laws = names
    agree("q", "bodies", coordinates)
    agree("u", "bodies", velocities)
    if owners["contacts"]:
        agree("P", "contacts", [law.format("percussion") for law in laws])
        agree("la", "contacts", [law.format("force") for law in laws])
        agree("La", "contacts", [law.format("impulse") for law in laws], like="P")
    if owners["hinges"]:  # the product tells what acts on the second body, W_g la_g on the first
        agree("la_g", "hinges", ["force_x", "force_y"], sign=-1.0)
        agree("La_g", "hinges", ["impulse_x", "impulse_y"], like="P_g", sign=-1.0)
