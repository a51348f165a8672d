"""The Lobatto IIIA-IIIB schemes (LO in docs/notation.md): orders in smooth motion of all kinds,
impacts, long runs, stability, snapshots. docs/lobatto.md tells these figures; the steps themselves
are compared with an independent implementation in test_lobatto_reference.py."""

import math

import numpy as np
import pytest

import tools
from fmi2 import OK, Instance
from lobatto_reference import coefficients
from smooth_motions import MOTIONS, at_steps, extrapolate, slope_force, slope_rate
from tools import LOBATTO, MODELS, STICK, mechanism

STAGES = [2, 3, 4, 5]
SLOPE = MODELS / "point_on_slope.xml"
CORNERS = "front_top", "rear_top", "front_bottom", "rear_bottom"


def lobatto(s, **more):
    """Settings; the tolerance is that of rounding, so that it does not hide the order."""
    settings = {"solver.scheme": LOBATTO, "solver.stages": s, "solver.tolerance": 1e-13}
    return settings | {name.replace("__", "."): value for name, value in more.items()}


# --- orders of smooth motion ---

PAPERS_STEPS = [3.2e-3 * 2**i for i in range(8)]
# Of these, by stages, where (74) is beyond 1e-11, what rounding adds up to. The longest makes three
# steps that end at 1.23 s.
SHOWN = {2: slice(0, 7), 3: slice(1, 7), 4: slice(3, 7), 5: slice(5, 7)}


@pytest.mark.parametrize("s", STAGES)
def test_order_on_the_slope(run, s):
    """LO 6.3, case 1 and figure 9: (74) on [0, 1.6], against an integration along the curve. Forces
    at the ends of steps are of order s - 1."""
    motion, errors = MOTIONS["slope"], []
    for dt in PAPERS_STEPS[SHOWN[s]]:
        n = int(1.6 / dt + 1e-9)
        r = run(SLOPE, n * dt, dt, lobatto(s))
        assert np.abs(r["slope_contact.gap"]).max() < 1e-13
        force = np.abs(r["slope_contact.normal_force"] - at_steps(slope_force, dt, n)[0])
        errors.append([dt * e[1:].sum() for e in motion.errors(r, dt, n)] + [force[1:].max()])
    q, v, force = tools.orders(PAPERS_STEPS[SHOWN[s]], np.array(errors).T)
    near = 0.2 if s < 5 else 0.5  # two steps are left, one of which ends at 1.43 s
    assert q == pytest.approx(2 * s - 2, abs=near), errors
    assert v == pytest.approx(2 * s - 2, abs=near), errors
    assert force[-2:] == pytest.approx(s - 1, abs=0.3), errors


def test_reference_of_the_slope_is_exact(run):
    """Five stages and the integration along the curve agree to rounding, ten times better than the
    best of the errors above."""
    r = run(SLOPE, 1.6, 0.04, lobatto(5))
    assert max(e.max() for e in MOTIONS["slope"].errors(r, 0.04, 40)) < 2e-13


# numbers of steps, by stages: short enough for the order, long enough for errors beyond rounding
COUNTS = {2: (64, 128), 3: (32, 64), 4: (32, 48), 5: (12, 16)}
OTHER_COUNTS = {("slope", 5): (16, 20), ("double pendulum", 3): (64, 128),
                ("double pendulum", 4): (48, 64), ("double pendulum", 5): (48, 64),
                ("slider-crank", 2): (128, 256),
                ("slider-crank", 3): (128, 256), ("slider-crank", 4): (96, 128),
                ("slider-crank", 5): (80, 96), ("rolling disc", 5): (20, 24),
                ("rolling sphere", 5): (16, 20)}


def order_of(run, name, s, counts, **settings):
    motion, errors = MOTIONS[name], []
    for n in counts:
        dt = motion.duration / n
        r = run(motion.model, motion.duration, dt, motion.settings | lobatto(s, **settings))
        assert r["solver.retried_steps"][-1] == 0 and r["solver.inexact_steps"][-1] == 0
        assert max(r["solver.penetration"].max(), r["solver.joint_violation"].max()) < 1e-13
        errors.append([np.trapezoid(e, dx=dt) for e in motion.errors(r, dt, n)])
    return tools.orders(np.divide(1.0, counts), np.array(errors).T)[:, 0], errors


@pytest.mark.parametrize("s", STAGES)
@pytest.mark.parametrize("name", MOTIONS)
def test_order(run, name, s):
    order, errors = order_of(run, name, s, OTHER_COUNTS.get((name, s), COUNTS[s]))
    assert order == pytest.approx([2 * s - 2] * 2, abs=0.2), errors


@pytest.mark.parametrize("s", STAGES)
@pytest.mark.parametrize("name, printed", [("rolling contact", lambda s: max(s - 1, 2)),
                                           ("sliding sphere", lambda s: 1)])
def test_order_of_friction_as_printed(run, name, printed, s):
    """LO (57), (58): friction by the velocity at each stage, of the step by that at its end."""
    order, errors = order_of(run, name, s, (32, 64), solver__stage_friction=2)
    assert order == pytest.approx([printed(s)] * 2, abs=0.2), errors


# --- impacts ---

def falls_on_slope(height, t):
    """LO 6.3, case 2: position after a fall, an impact that slides, and the slope."""
    arrival = math.sqrt((height - 1) / 5)
    if t <= arrival:
        return 0.0, height - 5 * t * t
    speed = (1 - 0.3) * 10 * arrival / math.sqrt(2)  # along the slope, 45 degrees there
    x = extrapolate(slope_rate, [0, speed], t - arrival, 40)[-1, 0]
    return x, math.exp(-x)


@pytest.mark.parametrize("s", STAGES)
def test_order_over_an_impact(run, s):
    """Case 2: the error depends on where in a step the impact falls; mean over several heights."""
    steps, errors = [2e-2, 5e-3, 1.25e-3], []
    heights = np.linspace(1.5, 1.567, 9).tolist()  # arrivals over a long step
    truth = [falls_on_slope(height, 1.6) for height in heights]
    for dt in steps:
        error = []
        for height, end in zip(heights, truth):
            r = run(SLOPE, 1.6, dt, lobatto(s, initial_height=height), interval=0.4)
            error.append(np.abs(np.subtract([r["mass.x"][-1], r["mass.y"][-1]], end)).max())
        errors.append(np.mean(error))
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(1, abs=0.25), errors


@pytest.mark.parametrize("s", STAGES)
def test_ball_that_slides_then_rolls(run, s):
    """LO 6.1, case 2: the percussion of the step of the impact has the weight until its end, too."""
    dt, arrival = 2e-3, math.sqrt(2 * 0.9 / 9.81)
    r = run(MODELS / "rotating_ball.xml", 1.0, dt, lobatto(
        s, ball__initial_angular_velocity=50.0, floor_contact__normal_restitution=0.0))
    t = r["time"]
    i = np.argmax(r["floor_contact.normal_impulse"] > 1)
    assert t[i - 1] < arrival <= t[i]
    assert r["floor_contact.normal_impulse"][i] == pytest.approx(9.81 * t[i], rel=1e-9)
    assert r["floor_contact.friction_impulse"][i] == pytest.approx(-0.2 * 9.81 * t[i], rel=1e-9)
    sliding = (t > t[i] + 5 * dt) & (t < 0.72812 - dt)  # with four stages it falls once more
    assert r["floor_contact.normal_percussion"][sliding] == pytest.approx(9.81 * dt, rel=1e-8)
    assert r["floor_contact.friction_percussion"][sliding] == pytest.approx(-1.962 * dt, rel=1e-8)
    assert r["floor_contact.normal_force"][sliding] == pytest.approx(9.81, rel=1e-6)
    assert t[np.argmax(r["floor_contact.state"] == STICK)] == pytest.approx(0.72812, abs=dt)
    assert r["ball.velocity_x"][-1] == pytest.approx(-10 / 7, rel=1e-9)
    assert np.abs(r["floor_contact.friction_force"][t > 0.74]).max() < 1e-6


@pytest.mark.parametrize("s", STAGES)
def test_ball_that_sticks_at_once(run, s):
    """Case 3."""
    r = run(MODELS / "rotating_ball.xml", 0.6, 2e-3, lobatto(
        s, ball__initial_angular_velocity=10.0, floor_contact__normal_restitution=0.0))
    i = np.argmax(r["floor_contact.normal_impulse"] > 1)
    assert r["floor_contact.friction_impulse"][i] == pytest.approx(-2 / 7, rel=1e-9)
    assert np.abs(r["floor_contact.friction_percussion"][i + 1:]).max() < 1e-9
    assert r["floor_contact.state"][-1] == STICK


@pytest.mark.parametrize("s", STAGES)
def test_ball_comes_to_rest(run, s):
    """Case 1: through infinitely many impacts, which end at 1.28506 s."""
    r = run(MODELS / "rotating_ball.xml", 1.5, 2e-3, lobatto(
        s, ball__initial_angular_velocity=0.0, floor_contact__normal_restitution=0.5))
    assert r["solver.penetration"].max() < 1e-13
    assert 1.27 < r["solver.last_impact_time"][-1] < 1.32
    rest = r["time"] > 1.35
    assert np.abs(r["ball.velocity_y"][rest]).max() < 1e-6
    assert np.abs(r["floor_contact.gap"][rest]).max() < 1e-12


@pytest.mark.parametrize("s", STAGES)
def test_slider_crank_keeps_joints_and_gaps(run, s):
    """LO 6.2 and figure 6, with impacts of all corners."""
    r = run(MODELS / "slider_crank.xml", 0.1, 1e-4, {
        "solver.scheme": LOBATTO, "solver.stages": s, "slider.initial_angle": 0.017})
    assert all(r[f"{corner}.normal_impulse"].max() > 1e-3 for corner in CORNERS)
    assert r["solver.penetration"].max() < 1e-10
    assert r["solver.joint_violation"].max() < 1e-10
    assert r["solver.joint_velocity_violation"].max() < 1e-8
    assert r["solver.inexact_steps"][-1] == 0 and r["solver.retried_steps"][-1] == 0


# --- long runs ---

@pytest.mark.parametrize("s", [2, 3])
@pytest.mark.parametrize("model, dt", [("double_pendulum", 5e-3), ("free_top", 5e-2)])
def test_energy_does_not_drift(run, model, dt, s):
    """Over 50000 steps: the mean of the last tenth is that of the first, the bound stays the same.
    What a step leaves unsolved adds up, so the tolerance is the smallest that there is.
    docs/figures/lobatto.py has a million."""
    r = run(MODELS / f"{model}.xml", 50000 * dt, dt, lobatto(s, solver__tolerance=1e-14),
            interval=25 * dt)
    scale = np.abs(r["energy.kinetic"]).max()
    change = (r["energy.total"] - r["energy.total"][0]) / scale
    first, last = np.array_split(change, 10)[0], np.array_split(change, 10)[-1]
    bound = np.abs(first).max()
    assert bound < 2e-3
    assert np.abs(change).max() < 3 * bound + 1e-10
    assert abs(last.mean() - first.mean()) < 0.3 * bound + 1e-10


# --- stability ---

SPRING = mechanism("""<parameter name="stiffness" value="1"/>
<point_mass name="mass" mass="1" initial_x="1"/><ground><point name="anchor" x="-50"/></ground>
<spring_damper name="spring" first="mass" second="ground.anchor" stiffness="stiffness"
               free_length="50"/>""", step=1e-2)
LIMITS = {2: 2.0, 3: 2.828, 4: 3.112, 5: 3.140}


@pytest.mark.parametrize("s", STAGES)
def test_limit_of_stability(run, s):
    """Just below it steps are as long as they should be and bounded; above it they are divided."""
    for factor, divided in ((0.99, False), (1.01, True), (30.0, True)):
        r = run(SPRING, 5.0, 1e-2, lobatto(s, stiffness=(factor * LIMITS[s] / 1e-2)**2))
        assert (r["solver.retried_steps"][-1] > 0) == divided
        assert np.abs(r["mass.x"]).max() < 20


@pytest.mark.parametrize("s", STAGES)
def test_limit_is_where_the_scheme_becomes_unstable(s):
    """The trace of its matrix on x'' = -omega^2 x first leaves [-2, 2] there: from the tableau."""
    T, one, none = coefficients(s), np.ones(s), np.zeros(s)

    def trace(w):
        A = np.block([[np.eye(s), -T.a], [w * w * T.a_hat, np.eye(s)]])
        weights = np.block([[none, T.b], [-w * w * T.b, none]])
        starts = np.block([[one, none], [none, one]]).T
        return np.trace(np.eye(2) + weights @ np.linalg.solve(A, starts))

    assert max(abs(trace(w)) for w in np.linspace(0, LIMITS[s], 2000)) < 2 + 1e-12
    assert abs(trace(LIMITS[s] + 1e-3)) > 2


# --- snapshots ---

@pytest.mark.parametrize("s", STAGES)
def test_rollback_through_impacts(bowl, s):
    """Bit for bit, in the same instance and in another one."""
    settings = {"solver.scheme": LOBATTO, "solver.stages": s}

    def go_on(instance):
        seen = []
        for i in range(40):
            assert instance.set(push=5.0 * (i % 5) - 10.0) == OK
            assert instance.step(0.3 + 0.01 * i, 0.01) == OK
            seen.append(instance.snapshot())
        return seen

    with Instance(bowl) as instance, Instance(bowl) as other:
        assert instance.set_all(settings) == OK
        instance.start().steps(0.0, 0.01, 30)
        state, data = instance.save(), instance.serialize()
        first = go_on(instance)
        assert instance.get("solver.last_impact_time") > 0.5
        assert instance.SetFMUstate(state) == OK
        assert go_on(instance) == first
        instance.release(state)
        other.start()
        status, state = other.deserialize(data)
        assert status == OK and other.SetFMUstate(state) == OK
        assert go_on(other) == first
        other.release(state)


# --- figures ---

def test_figures_are_drawn_again(tmp_path):
    tools.draw_figures("lobatto", ["lo_3_ball", "lo_8_slope", "lo_9_orders"], tmp_path)
