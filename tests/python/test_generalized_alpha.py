"""The nonsmooth generalized-alpha scheme in the FMU, simulated by FMPy: the benchmark systems of
its paper (GA in docs/notation.md), its promises (no penetration, joints that hold, second order),
all sets of friction forces, redundant contacts and joints, and what a host may do to it."""

import functools
import math
from xml.etree import ElementTree

import numpy as np
import pytest

import exact
import models
import tools
from fmi2 import DISCARD, ERROR, OK, Instance
from exact import double_pendulum, euler, rk4
from models import G, PLANAR_FOUR_BAR, SPLITS, puck, spatial
from tools import GENERALIZED_ALPHA, MODELS, MOREAU_JEAN, OPEN, SLIP, STICK, mechanism, quaternion

HEALTH = ["solver." + name for name in (
    "penetration", "joint_violation", "joint_velocity_violation", "iterations", "retried_steps",
    "failed_steps")]


@pytest.fixture(scope="module")
def run(pack):
    """Simulates a model (a name, a path, or the text of one) through FMPy: its outputs by name, and
    what is asked for besides."""

    def run_model(model, stop, dt, rho=0.5, settings=None, interval=None, more=(), inputs=None,
                  scheme=GENERALIZED_ALPHA):
        if isinstance(model, str) and not model.startswith("<"):
            model = MODELS / f"{model}.xml"
        fmu = pack(model)
        names = list(dict.fromkeys([*fmu.names("output"), *HEALTH, *more]))
        result = tools.simulate(fmu, stop, dt, {"solver.scheme": scheme,
                                                "solver.spectral_radius": rho} | (settings or {}),
                                output=names, communication=interval, inputs=inputs)
        assert result["time"][-1] == pytest.approx(stop, abs=1e-9)
        assert result["solver.failed_steps"][-1] == 0
        return result

    return run_model


def columns(result, names):
    return np.array([result[name] for name in names]).T


def order(steps, errors):
    """Over all steps: what a line through the errors says."""
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


# --- rotating_ball, GA 10.1 ---

M, R, MU = 1.0, 0.1, 0.2
V_IMPACT = math.sqrt(2 * G * 0.9)
T_IMPACT = V_IMPACT / G
T_ZENO = 3 * T_IMPACT
T_ROLL = 0.72812
BALL_STEPS = [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4]


def ball(run, omega, e, dt=2e-3, stop=1.5):
    return run("rotating_ball", stop, dt, settings={"ball.initial_angular_velocity": omega,
                                                    "floor_contact.normal_restitution": e})


def efforts(result, what):
    return [result[f"floor_contact.{row}_{what}"] for row in ("normal", "friction")]


def arrival(result):
    return int(np.argmax(result["floor_contact.normal_percussion"] > 0))


@pytest.mark.parametrize("omega, e, begin, end, friction", [
    (0.0, 0.5, T_ZENO + 0.06, 1.5, 0.0),          # at rest; what is left of the velocity halves
    (50.0, 0.0, T_IMPACT + 4e-3, 0.72, -0.003924),  # sliding
    (50.0, 0.0, T_ROLL + 6e-3, 1.5, 0.0),         # rolling
    (10.0, 0.0, T_IMPACT + 4e-3, 1.5, 0.0),
], ids=["rest", "sliding", "rolling after sliding", "rolling"])
def test_ball_has_exact_percussions_in_steady_motion(run, omega, e, begin, end, friction):
    result = ball(run, omega, e)
    steady = result[(result["time"] > begin) & (result["time"] < end)]
    assert len(steady) > 60
    P_N, P_F = efforts(steady, "percussion")
    assert P_N == pytest.approx(0.01962, abs=1e-8)
    assert P_F == pytest.approx(friction, abs=1e-8)
    la_N, la_F = efforts(steady, "force")
    assert la_N == pytest.approx(M * G, abs=1e-6)
    assert la_F == pytest.approx(friction / 2e-3, abs=1e-6)


def test_ball_bounces_to_the_end_of_all_bounces(run):
    """Of first order over the impacts, which are placed at the grid; at rest where they end."""
    errors = []
    steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4]
    for dt in steps:
        result = ball(run, 0.0, 0.5, dt, stop=2.0)
        t = result["time"]
        errors.append(np.abs(result["ball.y"] - R - exact.bounce(t, G, 0.9, 0.5)).mean())
        assert result["solver.last_impact_time"][-1] == pytest.approx(T_ZENO, abs=10 * dt)
        after = t > T_ZENO + 30 * dt
        assert np.abs(result["floor_contact.gap"][after]).max() <= 1e-9
        assert (result["floor_contact.state"][after] != OPEN).all()
    assert order(steps, errors) == pytest.approx(1.0, abs=0.25), errors


def test_sliding_impact_converges(run):
    """Lambda comes from the velocity at the start of its step: late by no more than the weight of
    two steps."""
    for dt in BALL_STEPS:
        result = ball(run, 50.0, 0.0, dt, stop=1.0)
        hit = arrival(result)
        t = result["time"]
        assert abs(t[hit] - T_IMPACT) <= dt
        La_N, La_F = (part[hit] for part in efforts(result, "impulse"))
        assert abs(La_N - 4.2021) <= 2 * M * G * dt + 5e-5
        assert abs(La_F + 0.8404) <= 2 * MU * M * G * dt + 5e-5
        assert La_F == pytest.approx(-MU * La_N, rel=1e-9)
        stick = t[np.argmax(result["floor_contact.state"] == STICK)]
        assert abs(stick - T_ROLL) <= dt
        assert result["ball.velocity_x"][t > stick] == pytest.approx(-10 / 7, abs=1e-8)
        slides = (t > T_IMPACT + dt) & (t < stick)
        assert (result["floor_contact.state"][slides] == SLIP).all()


def test_sticking_impact_is_exact(run):
    for dt in BALL_STEPS[:3]:
        result = ball(run, 10.0, 0.0, dt, stop=1.0)
        hit = arrival(result)
        La_N, La_F = (part[hit] for part in efforts(result, "impulse"))
        assert La_F == pytest.approx(-2 / 7, abs=1e-8)
        assert abs(La_N - 4.2021) <= 2 * M * G * dt + 5e-5
        assert (result["floor_contact.state"][hit:] == STICK).all()
        assert result["ball.velocity_x"][hit:] == pytest.approx(-2 / 7, abs=1e-8)


# --- every model ---

# Step and stop time where the model's own would take long, inputs where nothing would happen
QUICKER = {
    "ball_in_hole": (5e-4, 1.2, {}),
    "capstan_cable": (1e-3, 0.01, {}),  # divides most of its steps: 61 contacts with friction
    "circuit_breaker": (5e-5, 0.05, {"trip_force": 5.0}),
    "guided_hopper": (5e-5, 0.3, {"solver.tolerance": 1e-10}),  # the paper's has 1e-6
    "slider_crank": (5e-5, 0.1, {}),
    "slider_crank_3d": (2e-5, 0.03, {}),
    "tippe_top": (1e-3, 2.0, {}),
}


def own_experiment(path):
    root = ElementTree.parse(path).getroot()
    find = lambda tag: next(node for node in root if node.tag.endswith("}" + tag))
    return (float(find("solver").get("step_size")), float(find("experiment").get("stop_time")), {})


def test_nothing_penetrates_and_joints_hold_in_every_step(run, model_path, record_property):
    dt, stop, settings = QUICKER.get(model_path.stem) or own_experiment(model_path)
    result = run(model_path, stop, dt, settings=settings)
    assert len(result) == round(stop / dt) + 1
    for name in HEALTH:
        record_property(name, float(result[name].max()))
    assert result["solver.penetration"].max() <= 1e-9
    assert result["solver.joint_violation"].max() <= 1e-10
    assert result["solver.joint_velocity_violation"].max() <= 1e-10


# --- the other benchmarks of the paper ---

def test_ball_in_cylinder_stays_on_the_wall(run):
    """At the step of the paper; the motion is that of a ball that cannot leave the wall."""
    result = run("ball_in_cylinder", 2.0, 1e-2)
    assert np.abs(result["wall_contact.gap"]).max() <= 1e-9
    assert (result["wall_contact.state"] != OPEN).all()
    steps, errors = [1e-2, 5e-3, 2.5e-3], []
    reference = exact.ball_in_cylinder(1e-2 * np.arange(101))
    for dt in steps:
        result = run("ball_in_cylinder", 1.0, dt, interval=1e-2)
        errors.append(np.abs(columns(result, ["ball.x", "ball.y"]) - reference[:, :2]).max())
    assert order(steps, errors) > 1.5 and errors[0] < 1e-3, errors


@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_ball_rests_in_the_corner(run, dt, record_property):
    """With forces that are not unique: their sum is."""
    result = run("ball_in_corner", 2.0, dt, settings={"solver.tolerance": 1e-10})
    record_property("retried", float(result["solver.retried_steps"][-1]))
    assert result["solver.penetration"].max() <= 1e-9
    t = result["time"]
    both = (result["left_contact.state"] != OPEN) & (result["right_contact.state"] != OPEN)
    assert t[np.argmax(both)] == pytest.approx(1.36, abs=5e-3)
    rest = t > 1.4
    assert both[rest].all()
    assert np.hypot(result["ball.velocity_x"], result["ball.velocity_y"])[rest].max() < 1e-8
    force = np.zeros((2, rest.sum()))
    for side, angle in (("left", math.pi / 4), ("right", 3 * math.pi / 4)):
        n = np.array([[math.cos(angle)], [math.sin(angle)]])
        tangent = np.array([n[1], -n[0]])  # the normal turned clockwise
        force += n * result[f"{side}_contact.normal_percussion"][rest]
        force += tangent * result[f"{side}_contact.friction_percussion"][rest]
    assert force[0] == pytest.approx(0.0, abs=1e-8)
    assert force[1] == pytest.approx(dt * M * G, abs=1e-8)


ROD_MU, ROD_GRAVITY = 5 / 3, 10.0


def rod_force(angle, rate):
    """Normal force on the tip of the sliding rod (m 1, half length 1, inertia 1/3)."""
    s, c = math.sin(angle), math.cos(angle)
    return (ROD_GRAVITY + s * rate * rate) / (1 + 3 * c * (c + ROD_MU * s))


def sliding_rod(x):
    """(angle, its rate, velocity of the centre)' while the tip slides on to the right."""
    angle, rate, _ = x
    N = rod_force(angle, rate)
    return np.array([rate, 3 * N * (math.cos(angle) + ROD_MU * math.sin(angle)), -ROD_MU * N])


def test_painleve_rod_detaches_at_the_blow_up(run, record_property):
    """Where both parts of the fraction in rod_force vanish: at 45 degrees."""
    dt = 8e-4
    result = run("painleve_rod", 1.5, dt, rho=0.9)
    record_property("retried", float(result["solver.retried_steps"][-1]))
    assert result["solver.penetration"].max() <= 1e-9
    t, state = result["time"], result["tip_contact.state"]
    off = int(np.argmax(state == OPEN))
    assert t[off] == pytest.approx(0.8145, abs=2 * dt)
    assert result["rod.angle"][off] == pytest.approx(-math.pi / 4, abs=1e-2)
    assert (state[:off] == SLIP).all() and (state[off:] == OPEN).all()
    assert result["tip_contact.normal_force"][:off].max() > 10 * ROD_GRAVITY
    # all laws hold at the end of a step: the force there is that of the angle and rate there
    for row in result[1:1001]:
        assert row["tip_contact.normal_force"] == pytest.approx(
            rod_force(row["rod.angle"], row["rod.angular_velocity"]), rel=1e-8)


@pytest.mark.parametrize("dt", [4e-4, 2e-4, 1e-4])
def test_painleve_rod_passes_the_blow_up_with_finer_steps(run, dt, record_property):
    result = run("painleve_rod", 1.0, dt, rho=0.9)
    record_property("retried", float(result["solver.retried_steps"][-1]))
    assert result["solver.penetration"].max() <= 1e-9
    off = int(np.argmax(result["tip_contact.state"] == OPEN))
    assert result["time"][off] == pytest.approx(0.8145, abs=2 * dt)


def test_sliding_rod_converges_with_order_two(run):
    """Up to t = 0.72, where the force has doubled."""
    steps, errors = [8e-3, 4e-3, 2e-3, 1e-3], []
    reference = rk4(sliding_rod, [math.radians(-31), 0.0, 30.0], 1e-3, 720)[::8]
    for dt in steps:
        result = run("painleve_rod", 0.72, dt, rho=0.9, interval=8e-3)
        x = columns(result, ["rod.angle", "rod.angular_velocity", "rod.velocity_x"])
        errors.append(np.abs(x - reference).max(axis=0))
    for error in np.transpose(errors):
        assert tools.orders(steps, error) == pytest.approx(2.0, abs=0.1), error


def inclination(result):
    x, y = result["top.quaternion_1"], result["top.quaternion_2"]
    return np.arccos(1 - 2 * (x * x + y * y))


def test_tippe_top_turns_over_as_in_the_paper_at_its_step(run):
    """3.10 rad at 1.82 s belong to the paper's step of 1 ms; what shorter steps converge to is in
    test_mechanics_models.py."""
    result = run("tippe_top", 8.0, 1e-3)
    t, theta = result["time"], inclination(result)
    assert t[np.argmax(theta > math.pi / 2)] == pytest.approx(0.97, abs=5e-3)
    top = int(np.argmax(theta))
    assert theta[top] == pytest.approx(3.10, abs=5e-3)
    assert t[top] == pytest.approx(1.82, abs=5e-3)
    assert result["solver.penetration"].max() <= 1e-9
    assert result["solver.retried_steps"][-1] == 0


def with_spin(omega):
    return {"ball.initial_angular_velocity": omega, "floor_contact.normal_restitution": 0.0}


@pytest.mark.parametrize("model, stop, dt, rho, tolerance, settings, paper", [
    ("rotating_ball", 1.5, 2e-3, 0.5, 1e-6, {}, 0.01),
    ("rotating_ball", 1.5, 2e-3, 0.5, 1e-6, with_spin(50.0), 0.01),
    ("rotating_ball", 1.5, 2e-3, 0.5, 1e-6, with_spin(10.0), 0.01),
    ("ball_in_corner", 2.0, 1e-4, 0.5, 1e-6, {}, 0.36),
    ("ball_in_cylinder", 2.0, 1e-2, 0.5, 1e-6, {}, 0.37),
    ("painleve_rod", 1.5, 8e-4, 0.9, 1e-8, {}, 0.07),
    ("tippe_top", 8.0, 1e-3, 0.5, 1e-6, {}, 0.36),
])
def test_newton_updates_after_the_first_are_as_few_as_in_the_paper(
        run, model, stop, dt, rho, tolerance, settings, paper, record_property):
    """At the number of the paper's tolerance, which there is an absolute residual and here a
    relative one."""
    result = run(model, stop, dt, rho, settings | {"solver.tolerance": tolerance})
    average = np.maximum(0, result["solver.iterations"][1:] - 1).mean()
    record_property("average", float(average))
    assert average <= paper


# --- order ---

RADII = pytest.mark.parametrize("rho", [0.0, 0.5, 0.9, 1.0])
ANGLES = ["upper.angle", "lower.angle"]
RATES = ["upper.angular_velocity", "lower.angular_velocity"]


def check_order_two(solve, steps, reference, groups):
    """solve(dt) and reference: one row per time; groups of its columns have an order each."""
    errors = [np.abs(solve(dt) - reference).max(axis=0) for dt in steps]
    for group in groups:
        worst = [error[group].max() for error in errors]
        assert tools.orders(steps, worst) == pytest.approx(2.0, abs=0.1), worst


@functools.cache
def double_pendulum_reference():
    return rk4(double_pendulum, [0, 0, 0, 0], 5e-4, 2000)[::8]


@RADII
def test_double_pendulum_is_of_order_two(run, rho):
    solve = lambda dt: columns(run("double_pendulum", 1.0, dt, rho, interval=4e-3), ANGLES + RATES)
    check_order_two(solve, [4e-3, 2e-3, 1e-3, 5e-4], double_pendulum_reference(),
                    [slice(0, 2), slice(2, 4)])


def point_on_slope(x):
    """(x, speed along the curve) on y = exp(-x), sliding down."""
    slope = -math.exp(-x[0])
    w = math.hypot(1.0, slope)
    N = 10 / w - slope / w**3 * x[1] ** 2  # the path curves upwards
    return np.array([x[1] / w, -10 * slope / w - 0.3 * N])


@functools.cache
def point_on_slope_reference():
    x, speed = rk4(point_on_slope, [0.0, 0.0], 1e-3, 1600)[::8].T
    w = np.hypot(1.0, np.exp(-x))
    return np.array([x, np.exp(-x), speed / w, -np.exp(-x) * speed / w]).T


@RADII
def test_sliding_down_a_curve_is_of_order_two(run, rho):
    names = ["mass.x", "mass.y", "mass.velocity_x", "mass.velocity_y"]
    solve = lambda dt: columns(run("point_on_slope", 1.6, dt, rho, interval=8e-3), names)
    check_order_two(solve, [8e-3, 4e-3, 2e-3, 1e-3], point_on_slope_reference(),
                    [slice(0, 2), slice(2, 4)])


@RADII
def test_free_top_is_of_order_two(run, rho):
    J = np.array([1.0, 2.0, 3.0])
    names = [f"top.quaternion_{i}" for i in range(4)] + [f"top.angular_velocity_{k}" for k in "xyz"]
    solve = lambda dt: columns(run("free_top", 5.0, dt, rho, interval=2e-2), names)
    reference = rk4(euler(J), solve(2e-2)[0], 2e-3, 2500)[::10]
    check_order_two(solve, [2e-2, 1e-2, 5e-3, 2.5e-3], reference, [slice(0, 4), slice(4, 7)])


# --- friction ---

SLED = mechanism(f"""<gravity y="-{G}"/>
<point_mass name="sled" mass="2" initial_velocity_x="1.5"><point name="sole"/></point_mass>
<ground><line name="floor"/></ground>
<contact name="floor" first="sled.sole" second="ground.floor" friction_coefficient="0.4"/>""")


def test_friction_in_the_plane_stops_a_sled(run):
    dt, v, a = 1e-2, 1.5, 0.4 * G
    result = run(SLED, 1.0, dt)
    t = result["time"]
    slides = t < v / a
    assert result["sled.velocity_x"][slides] == pytest.approx((v - a * t)[slides], abs=1e-9)
    assert result["sled.x"][slides] == pytest.approx((v * t - a * t**2 / 2)[slides], abs=1e-9)
    assert (result["floor.state"][1:][slides[1:]] == SLIP).all()
    rests = t > v / a + dt
    assert (result["floor.state"][rests] == STICK).all()
    assert np.abs(result["sled.velocity_x"][rests]).max() < 1e-12
    # what the velocity does within the step in which it ends, the scheme cannot know
    assert result["sled.x"][-1] == pytest.approx(v * v / (2 * a), abs=a * dt**2)


def test_friction_of_space_slides_on_a_straight_line(run):
    mu, v = 0.4, np.array([1.5, 2.0])
    result = run(puck(mu, v), 1.0, 1e-2)
    t = result["time"]
    slides = t < 2.5 / (mu * G)
    u = columns(result, ["puck.velocity_x", "puck.velocity_y"])
    assert u[slides] == pytest.approx(np.outer(1 - mu * G * t[slides] / 2.5, v), abs=1e-9)
    assert np.abs(u[t > 2.5 / (mu * G) + 1e-2]).max() < 1e-12
    assert result["puck.y"] == pytest.approx(result["puck.x"] * 4 / 3, abs=1e-9)


RADIUS, MASS, INERTIA = 0.05, 0.3, 0.4 * 0.3 * 0.05**2


def cue_ball(friction, velocity, spin, contact=""):
    start = "".join(f' initial_velocity_{k}="{v}"' for k, v in zip("xyz", velocity))
    start += "".join(f' initial_angular_velocity_{k}="{w}"' for k, w in zip("xyz", spin))
    body = spatial("ball", f'initial_z="{RADIUS}"{start}',
                   f'<sphere name="skin" radius="{RADIUS}"/>', MASS, (INERTIA,) * 3)
    return mechanism(f'<gravity z="{-G}"/>{body}<ground><plane name="table"/></ground><contact '
                     'name="cloth" first="ball.skin" second="ground.table" '
                     f'friction_coefficient="{friction}" {contact}/>')


def cue_ball_errors(run, spin, steps):
    """Largest errors of the path at each step size, while the ball slides and in all. The lowest
    point slides in one direction, the friction is constant, the path a parabola until it rolls."""
    mu, v = 0.2, np.array([1.0, 0.5])
    slip = v + RADIUS * np.array([-spin[1], spin[0]])
    speed = np.linalg.norm(slip)
    T = 2 * speed / (7 * mu * G)
    errors = []
    for dt in steps:
        result = run(cue_ball(mu, v, spin), 0.5, dt, interval=1e-2)
        t = np.minimum(result["time"], T)[:, None]
        u = v - mu * G * t * slip / speed
        x = v * t - mu * G * t**2 / 2 * slip / speed + u * (result["time"][:, None] - t)
        error = np.abs(columns(result, ["ball.x", "ball.y"]) - x).max(axis=1)
        errors.append((error[result["time"] < T].max(), error.max()))
        assert result["cloth.state"][10] == SLIP and result["cloth.state"][-1] == STICK
    return np.transpose(errors)


def test_ball_slides_on_a_parabola_until_it_rolls(run):
    sliding, all_time = cue_ball_errors(run, (10.0, -20.0, 0.0), [1e-2])
    assert sliding[0] < 1e-9
    assert all_time[0] < 0.2 * G * 1e-2**2  # what friction does in the step in which sliding ends


def test_ball_with_side_spin_runs_on_the_same_parabola(run):
    """Its axes turn by 0.6 rad in the longest step."""
    steps = [1e-2, 5e-3, 2.5e-3, 1.25e-3]
    sliding, all_time = cue_ball_errors(run, (10.0, -20.0, 60.0), steps)
    assert order(steps, sliding) > 1.9, sliding
    assert order(steps, all_time) > 1.9, all_time


def check_order_one(steps, errors):
    """The laws set the friction of a step by the velocity at its end: of first order where the
    direction of sliding turns."""
    assert tools.orders(steps, errors) == pytest.approx(1.0, abs=0.1), errors


def test_elliptic_friction_turns_the_motion_aside(run):
    mu, c, v = 0.3, 0.5, np.array([1.0, 1.5])

    def f(x):
        s = np.array([x[2], c * c * x[3]])
        return np.concatenate([x[2:], -mu * G * s / math.hypot(x[2], c * x[3])])

    reference = rk4(f, [0, 0, *v], 1e-3, 300)[::10]
    steps, errors = [1e-2, 5e-3, 2.5e-3, 1.25e-3], []
    for dt in steps:
        result = run(puck(mu, v, contact=f'friction_ratio="{c}"'), 0.3, dt, interval=1e-2)
        x = columns(result, ["puck.x", "puck.y", "puck.velocity_x", "puck.velocity_y"])
        errors.append(np.abs(x - reference).max())
    check_order_one(steps, errors)


def test_drilling_friction_shares_the_force_with_sliding(run):
    """GA (157): a puck that spins slides farther."""
    mu, v, spin, radius = 0.3, 1.0, 30.0, 0.2
    k, J = 3 * math.pi / 16 * radius, 0.1  # of spatial()

    def f(x):
        size = math.hypot(x[1], k * x[2])
        return np.array([x[1], -mu * G * x[1] / size, -mu * G * k * k * x[2] / size / J])

    reference = rk4(f, [0, v, spin], 1e-3, 400)[::10]
    model = puck(mu, (v, 0.0), f'initial_angular_velocity_z="{spin}"',
                 contact=f'contact_radius="{radius}"')
    steps, errors = [1e-2, 5e-3, 2.5e-3, 1.25e-3], []
    for dt in steps:
        result = run(model, 0.4, dt, interval=1e-2)
        x = columns(result, ["puck.x", "puck.velocity_x", "puck.angular_velocity_z"])
        errors.append(np.abs(x - reference).max())
    assert reference[-1, 0] > v * 0.4 - mu * G * 0.08  # farther than without spin
    check_order_one(steps, errors)


def test_drilling_friction_alone_stops_a_spin(run):
    mu, radius, spin = 0.3, 0.2, 5.0
    a = 3 * math.pi / 16 * mu * G * radius / 0.1
    result = run(puck(mu, (0.0, 0.0), f'initial_angular_velocity_z="{spin}"',
                      contact=f'contact_radius="{radius}"'), 2 * spin / a, spin / a / 100)
    t = result["time"]
    expected = np.maximum(0.0, spin - a * t)
    assert result["puck.angular_velocity_z"] == pytest.approx(expected, abs=1e-9)
    assert result["seat.state"][-1] == STICK


@pytest.mark.parametrize("e_N, e_F, mu", [(1.0, 1.0, 5.0), (0.5, 0.3, 5.0), (0.5, 0.6, 0.1),
                                          (0.0, -0.5, 5.0)])
def test_tangential_restitution_in_the_plane(run, e_N, e_F, mu):
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="ball" mass="1" inertia="0.004" initial_y="0.6" initial_velocity_x="2"
  initial_angular_velocity="5"><circle name="rim" radius="0.1"/></planar_body>
<ground><line name="floor"/></ground>
<contact name="floor_contact" first="ball.rim" second="ground.floor" friction_coefficient="{mu}"
  normal_restitution="{e_N}" tangential_restitution="{e_F}"/>""")
    result = run(text, 0.4, 1e-3)
    hit = arrival(result)
    before, after = result[hit - 1], result[hit]
    slip = lambda row: row["ball.velocity_x"] + 0.1 * row["ball.angular_velocity"]
    P_N, P_F = (part[hit] for part in efforts(result, "percussion"))
    assert after["ball.velocity_y"] == pytest.approx(-e_N * before["ball.velocity_y"], abs=1e-9)
    mobility = 1 + 0.1**2 / 0.004
    wanted = -(1 + e_F) * slip(before) / mobility  # to sling the surface back by e_F
    assert P_F == pytest.approx(max(wanted, -mu * P_N), abs=1e-9)
    assert slip(after) - slip(before) == pytest.approx(mobility * P_F, abs=1e-9)
    if e_N == e_F == 1.0:  # placed at the grid, and so at the wrong height
        assert result["energy.total"][-1] == pytest.approx(result["energy.total"][0],
                                                           abs=G * 4 * 1e-3)


@pytest.mark.parametrize("w", [(0.0, 0.0, 0.0), (7.0, -4.0, 3.0)], ids=["flat", "spinning"])
def test_tangential_restitution_of_space(run, w):
    """A superball: the velocity of its surface turns round. The laws take the velocities before
    along the directions at the end of the step, by which the ball has turned by |w| dt."""
    v, dt = np.array([1.0, 2.0]), 1e-3
    text = cue_ball(3.0, [*v, -2.0], w, 'normal_restitution="0.9" tangential_restitution="0.8"')
    text = text.replace(f'initial_z="{RADIUS}"', 'initial_z="0.2"')
    result = run(text, 0.2, dt, more=["cloth.sliding_velocity_1", "cloth.sliding_velocity_2"])
    hit = int(np.argmax(result["cloth.normal_percussion"] > 0))
    slip = columns(result, ["cloth.sliding_velocity_1", "cloth.sliding_velocity_2"])
    before = v + RADIUS * np.array([-w[1], w[0]])
    assert np.linalg.norm(slip[hit - 1]) == pytest.approx(np.linalg.norm(before), abs=1e-9)
    turned = RADIUS * np.dot(w, w) * dt
    assert slip[hit] == pytest.approx(-0.8 * slip[hit - 1], abs=1e-9 + turned)
    before, after = result["ball.velocity_z"][hit - 1:hit + 1]
    assert after == pytest.approx(-0.9 * before, abs=1e-9)


# --- redundant contacts and joints ---

FEET = [(x, y) for x in (-0.3, 0.3) for y in (-0.2, 0.2)]
WEIGHT, LOAD, HALF_HEIGHT = 2.0 * G, 30.0, 0.15


def table(x, y):
    """On four feet, with a load at (x, y): expressions of time. It stands on the table's top
    without turning with it: a force down and its moment."""
    feet = "".join(f'<point name="foot_{i}" x="{x}" y="{y}" z="{-HALF_HEIGHT}"/>'
                   for i, (x, y) in enumerate(FEET))
    body = spatial("table", f'initial_z="{HALF_HEIGHT}"', feet, 2.0, (0.05, 0.08, 0.1))
    contacts = "".join(f'<contact name="foot_{i}" first="table.foot_{i}" second="ground.floor" '
                       'friction_coefficient="2"/>' for i in range(4))
    return mechanism(f"""<gravity z="{-G}"/>{body}<ground><plane name="floor"/></ground>{contacts}
<force name="load" on="table" z="{-LOAD}"/>
<torque name="moment" on="table" x="-({y})*{LOAD}" y="({x})*{LOAD}"/>""")


def test_four_feet_carry_a_load_that_moves(run):
    """Four forces for three equations of balance; where the load is, they say together."""
    result = run(table("0.2*cos(3*t)", "0.15*sin(3*t)"), 3.0, 1e-2)
    t = result["time"][1:]
    N = np.array([result[f"foot_{i}.normal_force"] for i in range(4)])[:, 1:]
    assert (N >= 0).all()
    x, y = np.transpose(FEET)
    assert N.sum(axis=0) == pytest.approx(WEIGHT + LOAD, abs=1e-6)
    assert x @ N == pytest.approx(LOAD * 0.2 * np.cos(3 * t), abs=1e-6)
    assert y @ N == pytest.approx(LOAD * 0.15 * np.sin(3 * t), abs=1e-6)
    position = columns(result, ["table.x", "table.y", "table.z"])
    assert position == pytest.approx(np.tile([0, 0, HALF_HEIGHT], (len(position), 1)), abs=1e-9)
    assert np.abs(quaternion(result, "table")[1:]).max() < 1e-9
    assert result["solver.retried_steps"][-1] == 0


def test_table_tips_over_its_front_feet(run):
    """When the load, moving out, outweighs it; it then turns about the feet, which stick."""
    a, h, x_0, v = 0.3, HALF_HEIGHT, 0.4, 0.5
    start = (a * (1 + WEIGHT / LOAD) - x_0) / v
    inertia = 0.08 + 2.0 * (a * a + h * h)

    def f(x):
        angle, rate, t = x
        arm = h * math.sin(angle) - a * math.cos(angle)  # of the centre, ahead of the feet
        moment = (WEIGHT + LOAD) * arm + LOAD * (x_0 + v * t)
        return np.array([rate, moment / inertia, 1.0])

    steps, errors = [4e-3, 2e-3, 1e-3], []
    end = 0.5
    n = 2000
    reference = rk4(f, [0.0, 0.0, start], (end - start) / n, n)[-1]
    for dt in steps:
        result = run(table(f"{x_0} + {v}*t", "0"), end, dt)
        tilt = 2 * np.arctan2(result["table.quaternion_2"], result["table.quaternion_0"])
        still = result["time"] < start
        assert still.sum() > 20 and np.abs(tilt[still]).max() < 1e-9
        assert result["solver.penetration"].max() <= 1e-9
        errors.append(abs(tilt[-1] - reference[0]))
    assert reference[0] > 0.1
    assert order(steps, errors) > 1.8, errors


def test_redundant_hinges_of_space_move_as_those_of_the_plane(run):
    """Angles and quaternions are not moved in the same way: a difference of order two."""
    bodies = ("crank", "coupler", "rocker")
    names = [f"{body}.{name}" for body in bodies for name in ("x", "y", "velocity_x", "velocity_y")]
    steps, differences = [4e-3, 2e-3, 1e-3], []
    for dt in steps:
        plane = run(mechanism(PLANAR_FOUR_BAR), 2.0, dt, interval=2e-2)
        space = run("four_bar_spatial", 2.0, dt, interval=2e-2)
        assert np.ptp(plane["coupler.y"]) > 0.5
        differences.append(np.abs(columns(space, names) - columns(plane, names)).max())
        assert max(np.abs(space[f"{body}.z"]).max() for body in bodies) < 1e-10
        for result in (plane, space):
            assert result["solver.joint_violation"].max() <= 1e-10
            assert result["solver.retried_steps"][-1] == 0
    assert differences[-1] < 1e-3
    assert tools.orders(steps, differences) == pytest.approx(2.0, abs=0.1), differences


# --- both schemes ---

@pytest.mark.parametrize("model, stop, interval, steps, values", [
    ("slider_crank", 0.01, 1e-4, [1e-4, 5e-5, 2.5e-5, 1.25e-5, 6.25e-6], lambda result: columns(
        result, ["crank.angle", "rod.angle", "slider.angle", "slider.x", "slider.y"])),
    ("tippe_top", 0.5, 1e-2, [1e-3, 5e-4, 2.5e-4, 1.25e-4], inclination),
], ids=["slider_crank", "tippe_top"])
def test_converges_to_the_motion_of_moreau_jean(run, model, stop, interval, steps, values):
    """With one order, that of Moreau-Jean; the slider-crank through four impacts."""
    differences = []
    for dt in steps:
        alpha, moreau = (values(run(model, stop, dt, interval=interval, scheme=scheme))
                         for scheme in (GENERALIZED_ALPHA, MOREAU_JEAN))
        differences.append(np.abs(alpha - moreau).max())
    assert order(steps, differences) > 0.75, differences
    assert differences[-1] < 0.2 * differences[0]


# --- what hosts do ---

def test_result_does_not_depend_on_the_split(pack):
    fmu = pack(models.BOWL)
    results = set()
    for split in SPLITS:
        with Instance(fmu) as instance:
            instance.start(solver__scheme=GENERALIZED_ALPHA, push=2.0)
            done = 0
            for n in split:
                assert instance.step(done * 1e-3, n * 1e-3) == OK, instance.last_message()
                done += n
            results.add(instance.snapshot())
    assert len(results) == 1


@pytest.mark.parametrize("model", [models.BOWL, MODELS / "slider_crank.xml",
                                   MODELS / "tippe_top.xml"], ids=["bowl", "crank", "top"])
def test_restored_state_goes_on_to_the_last_bit(pack, model):
    fmu = pack(model)
    dt = float(fmu.variables["solver.step_size"].start)
    with Instance(fmu) as instance, Instance(fmu) as other:
        for each in (instance, other):
            each.start(solver__scheme=GENERALIZED_ALPHA)
        instance.steps(0.0, dt, 400)
        state, data = instance.save(), instance.serialize()
        instance.steps(400 * dt, dt, 300)
        after = instance.snapshot()
        assert instance.SetFMUstate(state) == OK
        instance.steps(400 * dt, 100 * dt, 3)
        assert instance.snapshot() == after
        instance.release(state)
        other.steps(0.0, dt, 37)  # of another past
        status, copy = other.deserialize(data)
        assert status == OK and other.SetFMUstate(copy) == OK
        other.steps(400 * dt, dt, 300)
        assert other.snapshot() == after
        other.release(copy)


def values(instance):
    """All numbers but the count of failures, to the last bit."""
    names = [v.name for v in instance.fmu.variables.values()
             if v.type != "String" and v.name != "solver.failed_steps"]
    return {name: float(instance.get(name)).hex() for name in names}


@pytest.mark.parametrize("scheme", [1, GENERALIZED_ALPHA], ids=["moreau_jean", "generalized_alpha"])
def test_wedged_prop_stops_without_restitution(run, scheme):
    """A prop that is wedged under its hinge by friction cannot rebound, whatever its restitution:
    it stops, and the step that leaves restitution out is counted."""
    result = run(models.WEDGE, 1.0, 1e-3, scheme=scheme,
                 more=["rod.angular_velocity", "solver.inelastic_steps"])
    assert result["solver.inelastic_steps"][-1] > 0
    assert abs(result["rod.angular_velocity"][-1]) < 1e-9


@pytest.mark.parametrize("scheme", [1, GENERALIZED_ALPHA], ids=["moreau_jean", "generalized_alpha"])
def test_step_without_a_solution_leaves_everything_as_it_was(pack, tmp_path, scheme):
    """A ball that is pressed against a wall cannot move: said in these words, by its contact."""
    path = tmp_path / "jam.xml"
    path.write_text(models.JAM)
    done = tools.try_clatter("run", path, "--scheme", ("moreau_jean", "generalized_alpha")[scheme - 1])
    assert done.returncode == 1 and "no solution" in done.stderr and "of contact " in done.stderr
    with Instance(pack(models.JAM)) as instance:
        instance.start(solver__scheme=scheme)
        assert instance.step(0.0, 1.0) == DISCARD
        status, t = instance.real_status()
        assert status == OK and 0.1 < t < 0.5
        before = values(instance)
        state = instance.save()
        for n in range(2):
            assert instance.step(t, 1e-3) == ERROR
            assert values(instance) == before
            assert instance.get("solver.failed_steps") == 2
            assert instance.SetFMUstate(state) == OK
        instance.release(state)


def test_failure_within_a_communication_step_keeps_what_was_reached(pack):
    """A force that grows beyond all numbers, on a sled in contact."""
    with Instance(pack(models.SLED)) as instance, Instance(pack(models.SLED)) as other:
        for each in (instance, other):
            each.start(solver__scheme=GENERALIZED_ALPHA, push=30.0, explode=500.0)
        assert instance.step(0.0, 2.0) == DISCARD
        _, reached = instance.real_status()
        n = round(reached / 1e-3)
        assert n > 100 and other.step(0.0, n * 1e-3) == OK
        assert values(instance) == values(other)
        for each in (instance, other):
            assert each.step(reached, 1e-6) == OK, each.last_message()
        assert values(instance) == values(other)


def test_steps_of_any_length(pack):
    """Also shorter than the internal one, in sliding, with forces that are constant."""
    with Instance(pack(models.SLED)) as instance:
        instance.start(solver__scheme=GENERALIZED_ALPHA, push=14.0)
        t = 0.0
        for size in (1e-3, 1e-6, 0.1, 3.3e-3, 1e-9, 0.2, 1e-3):
            assert instance.step(t, size) == OK, instance.last_message()
            t += size
            assert instance.get("sled.velocity_x") == pytest.approx(2.0 * t, rel=1e-9)
            assert instance.get("floor.normal_force") == pytest.approx(20.0, rel=1e-9)
