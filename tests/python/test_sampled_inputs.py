"""Forces that are sampled and held: between samples the schemes keep their order, the energy balance
closes, and control loops run. Exact solutions are written down here."""

import math
import random

import numpy as np
import pytest

from fmi2 import OK, Instance
from tools import FIRST_SCHEMES, MODELS, ROOT, mechanism, orders

TEST_MODELS = ROOT / "tests" / "models"
ALPHA = FIRST_SCHEMES["generalized_alpha"]

# A mass on a spring of no length, x'' = -k x + push; along y it swings by itself. An arm on a hinge.
OSCILLATOR = mechanism("""
<experiment stop_time="1"/>
<input name="push" unit="N"/>
<parameter name="stiffness" value="30" tunable="true"/>
<point_mass name="puck" mass="1" initial_x="0.1" initial_y="1" initial_velocity_x="0.2"/>
<spring_damper name="spring" first="puck" stiffness="stiffness" free_length="0"/>
<force name="hand" on="puck" x="push"/>
""", name="oscillator", step=1e-3)
PENDULUM = mechanism("""
<experiment stop_time="1"/>
<gravity y="-9.81"/>
<input name="push" unit="N.m"/>
<planar_body name="arm" mass="2" inertia="0.3" initial_y="-0.5"><point name="eye" y="0.5"/></planar_body>
<revolute name="hinge" first="ground" second="arm.eye"/>
<torque name="hand" on="arm" value="push"/>
""", name="pendulum", step=1e-3)
# Slides, slows down and sticks, with m 2, g 10, friction 0.5.
SLED = mechanism("""
<experiment stop_time="1"/>
<input name="push" unit="N"/>
<gravity y="-10"/>
<point_mass name="sled" mass="2" initial_velocity_x="1.5"><point name="tip"/></point_mass>
<ground><line name="floor"/></ground>
<force name="hand" on="sled" x="push"/>
<contact name="floor" first="sled.tip" second="ground.floor" friction_coefficient="0.5"/>
""", name="sled", step=1e-3)


def held(i):
    """The value of sample i."""
    return 3.0 * math.cos(1.7 * i)


def run(fmu, scheme, size, n, per_step, outputs, value=held, name="push", **parameters):
    """Values of outputs after n samples with this many internal steps between them."""
    with Instance(fmu) as instance:
        instance.start(solver__scheme=scheme, solver__step_size=size / per_step, **parameters)
        for i in range(n):
            assert instance.set_all({name: value(i)}) == OK
            assert instance.step(i * size, size) == OK, instance.last_message()
        return [instance.get(o) for o in outputs]


def oscillate(x, v, force, k, t):
    """x, v after t under a constant force, m = 1."""
    w, rest = math.sqrt(k), force / k
    c, s = math.cos(w * t), math.sin(w * t)
    return rest + (x - rest) * c + v / w * s, -(x - rest) * w * s + v * c


def oscillator_exact(size, n):
    x, v = 0.1, 0.2
    for i in range(n):
        x, v = oscillate(x, v, held(i), 30.0, size)
    return np.array([x, v])


@pytest.mark.parametrize("steps", [[1, 2, 4, 8], [5, 10, 20]])
def test_order_between_samples(pack, scheme, steps):
    """Samples at the same times, internal steps ever smaller: also with one step per sample."""
    fmu, size, n = pack(OSCILLATOR), 0.02, 50
    exact = oscillator_exact(size, n)
    errors = [np.linalg.norm(run(fmu, scheme, size, n, k, ["puck.x", "puck.velocity_x"]) - exact)
              for k in steps]
    assert np.all(orders(size / np.array(steps), errors) > 1.9), errors


def test_order_with_a_sample_for_each_step(pack, scheme):
    """Each step has a force of its own; the exact solution is that of these samples."""
    fmu, errors = pack(OSCILLATOR), []
    sizes = np.array([0.01, 0.005, 0.0025, 0.00125])
    for size in sizes:
        n = round(1.0 / size)
        exact = oscillator_exact(size, n)
        errors.append(np.linalg.norm(run(fmu, scheme, size, n, 1, ["puck.x", "puck.velocity_x"])
                                     - exact))
    assert np.all(orders(sizes, errors) > 1.9), errors


def test_order_after_jumps_of_a_parameter(pack, scheme):
    fmu, size, n = pack(OSCILLATOR), 0.02, 50
    x, v = 0.1, 0.2
    for i in range(n):
        x, v = oscillate(x, v, 0.0, 30.0 + 20.0 * (i % 2), size)
    errors = [np.linalg.norm(np.array(run(fmu, scheme, size, n, k, ["puck.x", "puck.velocity_x"],
                                          lambda i: 30.0 + 20.0 * (i % 2), "stiffness")) - (x, v))
              for k in (1, 2, 4, 8)]
    assert np.all(orders(size / np.array([1, 2, 4, 8]), errors) > 1.9), errors


def pendulum_exact(size, n):
    """J phi'' = push - m g l sin(phi) about the hinge, by a method of fourth order in small steps."""
    inertia, weight = 0.3 + 2.0 * 0.25, 2.0 * 9.81 * 0.5
    phi, omega, per_step = 0.0, 0.0, 40
    h = size / per_step
    for i in range(n):
        def rate(y, push=held(i)):
            return np.array([y[1], (push - weight * math.sin(y[0])) / inertia])
        for _ in range(per_step):
            y = np.array([phi, omega])
            a = rate(y)
            b = rate(y + h / 2 * a)
            c = rate(y + h / 2 * b)
            d = rate(y + h * c)
            phi, omega = y + h / 6 * (a + 2 * b + 2 * c + d)
    return np.array([phi, omega])


def test_order_with_a_joint(pack, scheme):
    fmu, size, n = pack(PENDULUM), 0.02, 50
    exact = pendulum_exact(size, n)
    steps = np.array([1, 2, 4, 8])
    errors = [np.linalg.norm(run(fmu, scheme, size, n, k, ["arm.angle", "arm.angular_velocity"])
                             - exact) for k in steps]
    assert np.all(orders(size / steps, errors) > 1.85), errors


def test_sliding_and_sticking_are_exact(pack, scheme):
    """Forces are constant between samples, so that both schemes are exact while it slides, and it
    rests where it sticks: 18 N forward, 3 N, at rest after 0.64 s, 9 N: not enough to move."""
    def push(i):
        return 18.0 if i < 10 else 3.0 if i < 80 else 9.0
    speed, x, size = 1.5, 0.0, 0.01
    for i in range(100):
        a = (push(i) - 10.0) / 2.0
        t = min(size, speed / -a) if a < 0.0 and speed > 0.0 else size if speed > 0.0 else 0.0
        x += speed * t + 0.5 * a * t * t
        speed = max(0.0, speed + a * t)
    got = run(pack(SLED), scheme, size, 100, 10,
              ["sled.x", "sled.velocity_x", "floor.state", "floor.friction_force"], push)
    assert speed == 0.0
    assert got[0] == pytest.approx(x, abs=2e-6)  # first order over the end of sliding
    assert got[1:] == [pytest.approx(0.0, abs=1e-12), 3, pytest.approx(-9.0, rel=1e-9)]


@pytest.mark.parametrize("per_step", [1, 4])
def test_energy_balance_is_exact_without_springs(pack, scheme, per_step):
    """Work of a constant force along the exact path of a free mass."""
    fmu, size, n = pack(TEST_MODELS / "ga_input_energy.xml"), 1e-3, 1000
    v = work = 0.0
    for i in range(n):
        work += held(i) * (v * size + 0.5 * held(i) * size * size)
        v += held(i) * size
    got = run(fmu, scheme, size, n, per_step, ["energy.input_work", "energy.balance",
                                               "puck.velocity_x"])
    assert got[0] == pytest.approx(work, rel=1e-10)
    assert abs(got[1]) < 1e-12 and got[2] == pytest.approx(v, rel=1e-10)


def test_energy_balance_closes_as_without_inputs(pack, scheme):
    """With the order of the scheme, and no worse than for a force that is a function of time."""
    fmu, errors = pack(OSCILLATOR), []
    for k in (1, 2, 4):
        errors.append(abs(run(fmu, scheme, 0.01, 100, k, ["energy.balance"])[0]))
    assert errors[0] < 2e-3 and errors[2] < max(errors[0] / 12.0, 1e-12), errors


# --- control loops ---

def control(fmu, scheme, stiffness, damping, push, seconds=1.5):
    """A carriage that a controller brings to 1 m, with a push while it touches the parcel; sampled
    and held at 1 ms. How many steps were inexact, and where it is in the end."""
    with Instance(fmu) as instance:
        instance.start(solver__scheme=scheme)
        for i in range(round(seconds / 1e-3)):
            x, v = instance.try_get("carriage.x", "carriage.velocity_x")[1]
            force = stiffness * (1.0 - x) - damping * v
            force += push if instance.get("push_contact.closed") else 0.0
            assert instance.set(drive_force=min(50.0, max(-50.0, force))) == OK
            assert instance.step(i * 1e-3, 1e-3) == OK, instance.last_message()
        return instance.get("solver.inexact_steps"), instance.get("carriage.x")


def test_control_loop(pack, scheme):
    inexact, x = control(pack(MODELS / "parcel_pusher.xml"), scheme, 60.0, 14.0, 6.87)
    assert x == pytest.approx(1.0, abs=5e-4) and inexact <= 1


def test_control_loops_with_random_gains(pack, scheme):
    fmu, numbers = pack(MODELS / "parcel_pusher.xml"), random.Random(7)
    for _ in range(20):
        control(fmu, scheme, numbers.uniform(10, 200), numbers.uniform(1, 40),
                numbers.uniform(0, 12), seconds=1.0)
