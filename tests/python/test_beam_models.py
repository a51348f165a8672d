"""What the models with beams that touch along their length must show, by their FMUs."""

import math

import fmpy
import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.interpolate import CubicSpline

from tools import MODELS, draw_figures


@pytest.fixture(scope="module")
def motion(pack):
    """The motion of a model's FMU at its own step and scheme, of which no step failed and each is
    exact."""

    def simulate(name, stop=None, outputs=(), **settings):
        fmu = pack(MODELS / f"{name}.xml")
        step = float(settings.get("solver.step_size", fmu.variables["solver.step_size"].start))
        result = fmpy.simulate_fmu(
            str(fmu.directory), validate=False, stop_time=stop, output_interval=step,
            start_values=settings,
            output=["solver.failed_steps", "solver.inexact_steps", *outputs])
        assert result["solver.failed_steps"][-1] == result["solver.inexact_steps"][-1] == 0
        return result

    return simulate


# --- capstan ---

def capstan_ratio(mu, hold, EI=5e-4, R=0.05, r=2.5e-4):
    """Tensions at which a cable with bending stiffness slides on a post, over half a turn. It leaves
    the post at an angle theta to the straight parts, 1 - cos(theta) = EI / 2 T R^2, and presses on
    it there with T sin(theta); between these ends, Euler's law; friction acts at the radius R, the
    tension at R + r."""
    def angle(T):
        return math.acos(1 - EI / (2 * T * (R + r) ** 2))

    ratio = math.exp(mu * math.pi)
    for _ in range(50):
        slack, tight = angle(hold), angle(ratio * hold)
        ratio = ((math.cos(slack) + mu * math.sin(slack))
                 / (math.cos(tight) - mu * math.sin(tight))
                 * math.exp(mu * (math.pi - slack - tight) * R / (R + r)))
    return ratio


@pytest.mark.parametrize("mu", [0.3, 0.15])
def test_capstan(motion, mu):
    """Sliding, tensions are as exp(mu pi) (Euler) within 1 %, and as a cable that does not bend by
    itself has them within 0.2 %; the end that is held stands still until then."""
    r = motion("capstan_cable", friction=mu, outputs=[
        "slack.normal_force", "tight.normal_force", "pull.tension", "cable.first_y",
        "on_post.total_force_y", "on_post.smallest_gap"])
    slides = r["time"] > 0.7
    ratio = r["tight.normal_force"][slides] / r["slack.normal_force"][slides]
    assert ratio.mean() == pytest.approx(math.exp(mu * math.pi), rel=0.01)
    assert ratio.mean() == pytest.approx(capstan_ratio(mu, 20.0), rel=0.002)
    assert np.ptp(ratio) < 0.005 * ratio.mean()
    assert r["slack.normal_force"][slides] == pytest.approx(20.0, rel=1e-3)
    assert r["tight.normal_force"][slides] == pytest.approx(r["pull.tension"][slides], rel=2e-3)
    assert r["on_post.total_force_y"][slides] == pytest.approx(
        20.0 + r["pull.tension"][slides], rel=2e-3)  # what the post carries
    held = (r["time"] > 0.35) & (r["tight.normal_force"] < 0.9 * math.exp(mu * math.pi) * 20)
    assert np.ptp(r["cable.first_y"][held]) < 1e-4
    assert r["cable.first_y"][-1] - r["cable.first_y"][held][-1] > 0.01
    assert r["on_post.smallest_gap"].min() > -5e-5


# --- snap-through ---

def arch_forces(falls, length=0.1, kappa=3.2, width=0.01, height=5e-4, E=2.1e11):
    """The force on the crown of the clamped arch that holds it lower by each of the falls: half of
    the arch, theta' = M/EI - kappa, M' = -r' x n, n being constant; the crown stays level."""
    A = width * height
    EA, GA, EI = E * A, 5 / 6 * E / 2.6 * A, E * A * height ** 2 / 12
    alpha = kappa * length / 2
    s = np.linspace(0, length / 2, 31)
    z = np.array([(np.sin(alpha) - np.sin(alpha - kappa * s)) / kappa,
                  (np.cos(alpha - kappa * s) - np.cos(alpha)) / kappa, alpha - kappa * s, 0 * s])
    crown, p, forces = z[:2, -1].copy(), np.zeros(2), []

    def slope(_, z, n):
        c, si = np.cos(z[2]), np.sin(z[2])
        stretch, shear = 1 + (c * n[0] + si * n[1]) / EA, (c * n[1] - si * n[0]) / GA
        x, y = c * stretch - si * shear, si * stretch + c * shear
        return np.array([x, y, z[3] / EI - kappa, y * n[0] - x * n[1]])

    for fall in falls:
        def ends(a, b, _, fall=fall):
            return np.array([a[0], a[1], a[2] - alpha, b[0] - crown[0],
                             b[1] - crown[1] + fall, b[2]])

        solution = solve_bvp(slope, ends, s, z, p=p, tol=1e-6)
        assert solution.success
        z, p = solution.sol(s), solution.p
        forces.append(-2 * p[1])
    return crown[1], np.array(forces)


def test_snap_through(motion):
    """Until it snaps the crown is where equilibrium has it, and it snaps at the greatest force that
    has one, 20.2 N; it comes back near the least one, 7.8 N. Pressed over 2 s instead of 0.5."""
    falls = 5.6e-3 * np.linspace(0, 1, 71) ** 2
    rise, forces = arch_forces(falls)
    limit = forces.argmax()
    assert forces[limit] == pytest.approx(20.19, abs=0.02)
    r = motion("snap_arch", stop=2.0, duration=2.0, outputs=["crown.y", "on_stop.smallest_gap"],
               **{"solver.step_size": 1e-4})
    force = 21 * np.sin(math.pi * r["time"] / 2) ** 2
    fallen = rise - r["crown.y"]
    snaps = np.argmax(fallen > rise)
    before = slice(0, np.argmax(fallen > 0.8 * falls[limit]))
    exact = CubicSpline(falls, forces)(fallen[before])  # 12 elements are 0.14 % off, 24 0.014 %
    assert exact == pytest.approx(force[before], rel=0.002, abs=1e-3)
    assert force[snaps] == pytest.approx(forces[limit], rel=0.01)
    back = len(fallen) - np.argmax(fallen[::-1] > rise)
    assert force[back] == pytest.approx(forces[limit:].min(), rel=0.03)
    at_stop = r["on_stop.smallest_gap"][snaps + 200:back - 200]
    assert np.ptp(at_stop) < 1e-6


def test_snap_through_at_its_own_pace(motion):
    """And it strikes the stop within a few milliseconds, with several metres per second."""
    r = motion("snap_arch", outputs=["crown.y", "crown.velocity_y", "on_stop.total_normal_impulse",
                                     "on_stop.total_normal_force"])
    t = r["time"]
    gives_way = t[np.argmax(r["crown.y"] < 0.65 * r["crown.y"][0])]
    strikes = t[np.argmax(r["on_stop.total_normal_impulse"] > 0)]
    assert 0.0 < strikes - gives_way < 5e-3
    assert -8.0 < r["crown.velocity_y"].min() < -3.0
    assert r["crown.y"][-1] == pytest.approx(r["crown.y"][0], abs=1e-6)  # it is back
    assert r["on_stop.total_normal_force"][-1] == 0


# --- valve train ---

LIFTER, ROD, ROCKER = 0.04, 0.008 * 0.006 * 0.2 * 7800, 4e-5 / 0.03 ** 2  # masses at the cam ...
VALVE = 1.5 ** 2 * (0.05 + 0.006 ** 2 * 0.1 * 7800)  # ... and reduced to it


@pytest.fixture(scope="module")
def float_speed(motion):
    """Turns per second at which a rigid valve train would leave the cam, from springs and masses
    reduced to the lifter: F(lift) + m lift'' = 0."""
    r = motion("valve_train", stop=0.05, speed=20.0, outputs=["cam.y", "cam.velocity_y"])
    lift = r["cam.y"]
    bend = np.gradient(r["cam.velocity_y"], r["time"]) / 20 ** 2
    spring = (250 + 3e4 * 1.5 * lift) * 1.5 + 0.5 * (1 + lift / 0.03) / 0.03
    mass = LIFTER + ROD + ROCKER + VALVE
    nose = (lift > 0.003) & (bend < 0)
    return math.sqrt((spring[nose] / (-mass * bend[nose])).min())


@pytest.mark.parametrize("part, floats", [(0.9, False), (1.1, True)])
def test_valve_float(motion, float_speed, part, floats):
    speed = part * float_speed
    r = motion("valve_train", stop=1 / speed, speed=speed, outputs=["cam.y", "on_cam.gap"])
    gap = r["on_cam.gap"][r["cam.y"] > 0.003].max()
    assert 34 < float_speed < 36
    assert gap > 2e-4 if floats else gap < 2e-5


def test_valve_follows_a_slow_cam(motion):
    """Where nothing floats the valve is where the rocker's pad puts it, less what the push rod gives
    way, and the rod carries what the springs and the inertia of all beyond its middle make of it."""
    r = motion("valve_train", stop=0.12, speed=5.0, outputs=[
        "cam.y", "cam.velocity_y", "head.y", "in_rod.normal_force"],
               **{"on_stem.friction_coefficient": 0.0})
    angle = -np.arcsin(r["cam.y"] / 0.03)
    opened = -0.045 * np.sin(angle) - 1e-4
    nose = r["cam.y"] > 0.003
    assert r["head.y"][0] - r["head.y"][nose] == pytest.approx(opened[nose], abs=1e-4)
    top = np.argmax(r["cam.y"])
    spring = 250 + 3e4 * (r["head.y"][0] - r["head.y"][top])
    tilted = math.cos(angle[top])
    inertia = (ROD / 2 + ROCKER + VALVE) * np.gradient(r["cam.velocity_y"], r["time"])[top]
    torque = spring * 0.045 * tilted + 0.5 * (1 - angle[top])
    assert -r["in_rod.normal_force"][top] == pytest.approx(torque / (0.03 * tilted) + inertia,
                                                           rel=0.005)


def test_valve_bounces_when_it_floats(motion):
    """At the speed of the model: it is thrown off the cam and strikes its seat hard, again and
    again."""
    r = motion("valve_train", outputs=["on_cam.gap", "on_seat.normal_impulse", "head.velocity_y"])
    strikes = np.flatnonzero(r["on_seat.normal_impulse"] > 1e-6)
    speeds = r["head.velocity_y"][strikes - 1]
    assert r["on_cam.gap"].max() > 2e-3
    assert np.sum(speeds > 1.0) >= 3
    assert speeds.max() < 5.0


def test_figure_can_be_drawn(tmp_path):
    draw_figures("beam_models", ["bm_models"], tmp_path)
