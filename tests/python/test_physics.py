"""The benchmark systems of the papers, simulated by FMPy, against their exact solutions."""

import math

import numpy as np
import pytest

import exact
import tools
from tools import MODELS, OPEN, SLIP, STICK, simulate

G, R, M, MU = 9.81, 0.1, 1.0, 0.2
V_IMPACT = math.sqrt(2 * G * 0.9)
T_IMPACT = V_IMPACT / G


def case(fmu, dt, omega, e, stop=1.5):
    return simulate(fmu, stop, dt, {"ball.initial_angular_velocity": omega,
                                    "floor_contact.normal_restitution": e})


def impact(result):
    """The row of the step in which the ball arrives."""
    return result[np.argmax(result["floor_contact.normal_percussion"] > 0)]


# --- rotating_ball, GA 10.1 ---

def test_rotating_ball_1_comes_to_rest(ball):
    dt = 2e-3
    result = case(ball, dt, omega=0.0, e=0.5)
    zeno = 3 * T_IMPACT  # (1+e)/(1-e) falls
    assert zeno == pytest.approx(1.28506, abs=1e-5)
    # Newton's law is applied in each step to what is left of the velocity: it halves every time
    settling = result[(result["time"] > zeno + 5 * dt) & (result["time"] < zeno + 25 * dt)]
    speed = np.abs(settling["ball.velocity_y"])
    assert speed[0] < 0.05 * G * dt
    assert speed[1:] == pytest.approx(0.5 * speed[:-1], rel=1e-6)
    after = result[result["time"] > zeno + 50 * dt]
    assert len(after) > 50
    assert np.abs(after["ball.velocity_y"]).max() < 1e-12
    assert np.ptp(after["ball.y"]) < 1e-12
    assert after["floor_contact.normal_percussion"] == pytest.approx(dt * M * G, rel=1e-10)
    assert (after["floor_contact.state"] != OPEN).all()
    assert result["solver.failed_steps"][-1] == 0


def test_penetration_is_told_honestly(ball):
    """Moreau-Jean stops at the first point of its grid that is inside: up to one step too deep."""
    dt = 2e-3
    result = case(ball, dt, omega=0.0, e=0.5)
    depth = np.maximum(0.0, R - result["ball.y"])
    assert result["solver.penetration"] == pytest.approx(depth, abs=1e-14)
    assert result["floor_contact.gap"] == pytest.approx(result["ball.y"] - R, abs=1e-14)
    assert 1e-5 < depth.max() < V_IMPACT * dt


DTS = [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4]


def test_rotating_ball_2_slides_then_rolls(ball):
    """The impact happens in a step: what the weight adds in it is the error of the percussion."""
    exact_F = MU * M * V_IMPACT
    assert exact_F == pytest.approx(0.8404, abs=5e-5)
    errors = []
    for dt in DTS:
        result = case(ball, dt, omega=50.0, e=0.0, stop=1.0)
        hit = impact(result)
        assert abs(hit["time"] - T_IMPACT) <= 2 * dt
        normal, friction = (hit["floor_contact.normal_percussion"],
                            hit["floor_contact.friction_percussion"])
        assert friction == pytest.approx(-MU * normal, rel=1e-12)
        assert abs(normal - M * V_IMPACT) <= 2 * M * G * dt
        errors.append(max(abs(abs(friction) - exact_F), 1e-12))
        # sliding with the friction of the weight, then rolling without any
        sliding = result[(result["time"] > T_IMPACT + 2 * dt) & (result["time"] < 0.72)]
        assert (sliding["floor_contact.state"] == SLIP).all()
        assert sliding["floor_contact.normal_percussion"] == pytest.approx(dt * M * G, rel=1e-9)
        assert sliding["floor_contact.friction_percussion"] == pytest.approx(-dt * MU * M * G,
                                                                             rel=1e-9)
        stick = result["time"][np.argmax(result["floor_contact.state"] == STICK)]
        assert abs(stick - 0.72812) <= 2 * dt
        rolling = result[result["time"] > stick + 2 * dt]
        assert rolling["ball.velocity_x"] == pytest.approx(-R * 50 * 2 / 7, abs=1e-9)
        assert np.abs(rolling["floor_contact.friction_percussion"]).max() < 1e-12
        assert (rolling["ball.velocity_x"] + R * rolling["ball.angular_velocity"]
                == pytest.approx(0.0, abs=1e-12))
    assert errors[-1] < 0.01 * exact_F
    # first order: the bound, in which nothing depends on where in its step the impact falls
    assert all(error <= 2 * MU * M * G * dt for error, dt in zip(errors, DTS))


def test_rotating_ball_3_sticks_at_once(ball):
    for dt in DTS[:3]:
        result = case(ball, dt, omega=10.0, e=0.0, stop=1.0)
        hit = impact(result)
        assert hit["floor_contact.friction_percussion"] == pytest.approx(-2 / 7, rel=1e-10)
        after = result[result["time"] >= hit["time"]]
        assert (after["floor_contact.state"] == STICK).all()
        assert after["ball.velocity_x"] == pytest.approx(-2 / 7, rel=1e-10)


# --- bouncing ---

@pytest.mark.parametrize("name, gravity, height, e, offset", [
    ("bouncing_ball", 10.0, 1.001 - 0.2, 0.8, 0.2),
    ("bouncing_point", 2.0, 1.0, 0.5, 0.0),
])
def test_bouncing_converges_with_order_one(pack, name, gravity, height, e, offset):
    """L1 error of the position over the Zeno point, CH appendix A."""
    fmu = pack(MODELS / f"{name}.xml")
    steps, errors = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4], []
    for dt in steps:
        result = simulate(fmu, 4.0, dt, output=["ball.y"])
        reference = exact.bounce(result["time"], gravity, height, e)
        errors.append(np.abs(result["ball.y"] - offset - reference).mean() * 4.0)
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert 0.75 < order < 1.3, errors
    assert errors[-1] < 0.02


def test_bouncing_rests_after_the_zeno_point(pack):
    result = simulate(pack(MODELS / "bouncing_point.xml"), 4.0, 1e-3)
    after = result[result["time"] > 3.05]  # what is left of the velocity halves every step
    assert np.abs(after["ball.velocity_y"]).max() < 1e-12
    assert after["floor_contact.normal_percussion"] == pytest.approx(2e-3, rel=1e-9)


def test_exact_solution_of_the_oscillator_is_one():
    """The reference itself: energy only falls, by what the impacts take; the floor holds."""
    system = exact.BouncingOscillator()
    times = np.linspace(0.0, 1.0, 4001)
    y = system.positions(times)
    assert y[:, 0].min() > 0.2 - 1e-9
    first = times < 0.40
    assert y[first, 0] == pytest.approx(1.001 - 5 * times[first] ** 2, abs=1e-9)
    assert (y[:, 1] - y[:, 0]).min() < 0.97  # the spring is compressed


def test_bouncing_oscillator_converges(pack):
    """CH 5.2 and appendix B, on [0.4, 1.0]."""
    fmu = pack(MODELS / "bouncing_oscillator.xml")
    errors = []
    steps = [5e-4, 1.25e-4, 3.125e-5]
    reference = exact.BouncingOscillator().positions(5e-4 * np.arange(2001))
    for dt in steps:
        result = simulate(fmu, 1.0, dt, output=["lower.y", "upper.y"], communication=5e-4)
        assert len(result) == len(reference)
        difference = np.abs(result["lower.y"] - reference[:, 0])[result["time"] >= 0.4 - 1e-9]
        errors.append(difference.mean() * 0.6)
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert errors[0] > errors[1] > errors[2], errors
    assert order > 0.7 and errors[-1] < 1e-3, (order, errors)


# --- ball_in_cylinder, GA 10.3 ---

def test_ball_in_cylinder_converges_to_the_ball_on_the_wall(pack):
    fmu = pack(MODELS / "ball_in_cylinder.xml")
    steps, errors = [2e-3, 1e-3, 5e-4], []
    reference = exact.ball_in_cylinder(1e-2 * np.arange(201))
    for dt in steps:
        result = simulate(fmu, 2.0, dt, communication=1e-2)
        errors.append(np.abs(result["ball.x"] - reference[:, 0]).max())
        # no deeper than the weight and the curve of the path could bring it in a step or two
        assert 0.0 < result["solver.penetration"].max() < 2 * 30.0 * dt**2
        distance = np.hypot(result["ball.x"], result["ball.y"] - 1.0)
        assert result["wall_contact.gap"] == pytest.approx(0.9 - distance, abs=1e-12)
    assert all(0.7 < order < 1.4 for order in tools.orders(steps, errors)), errors
    assert errors[-1] < 0.02


def test_ball_in_cylinder_at_the_step_of_the_paper(pack, record_property):
    """Directions at the end of the step and contacts that stay active: the ball does not sink in,
    as it does with Moreau's explicit midpoint scheme in the paper."""
    result = simulate(pack(MODELS / "ball_in_cylinder.xml"), 2.0, 1e-2)
    depth = result["solver.penetration"].max()
    record_property("penetration", float(depth))
    assert depth < 1e-9
    assert result["solver.failed_steps"][-1] == 0


def test_ball_in_cylinder_keeps_the_energy_balance(pack):
    """Friction only takes energy; rolling takes none (up to the scheme's sinking)."""
    result = simulate(pack(MODELS / "ball_in_cylinder.xml"), 2.0, 5e-4)
    energy = result["energy.total"]
    assert energy[0] == pytest.approx(9.81)
    assert energy[-1] < energy[0]
    sliding = result["wall_contact.state"] == SLIP
    assert (np.diff(energy)[sliding[1:]] < 1e-9).all()
