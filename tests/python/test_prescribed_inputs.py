"""Inputs and tunable parameters that prescribe motion, from hosts that send values alone and from
hosts that send slopes: the value set before a step is reached at its end."""

import math

import numpy as np
import pytest

from fmi2 import OK, Instance
from tools import FIRST_SCHEMES as SCHEMES
from tools import ROOT, clatter, mechanism, orders, read_csv

MODELS = ROOT / "tests" / "models"
ROUNDING = 5e-12  # on velocity level a step's joints hold to its tolerance, 1e-10 of the motion

# Everything that takes a position, and one input for a motion and a force.
SERVOS = mechanism("""
<experiment stop_time="1"/>
<parameter name="gain" value="2" tunable="true"/>
<input name="in"/><input name="other"/>
<planar_body name="arm" mass="1" inertia="0.1"/>
<revolute name="hinge" first="ground" second="arm"/>
<angle_drive name="servo" first="ground" second="arm" angle="gain*in + sin(t)"/>
<planar_body name="slider" mass="2" inertia="0.1"/>
<prismatic name="guide" first="ground" second="slider"/>
<slide_drive name="ram" first="ground" second="slider" position="in*other"/>
<point_mass name="puck" mass="1"/>
<force name="hand" on="puck" x="in"/>
""", name="servos", step=1e-3)

SPEED = mechanism("""
<experiment stop_time="1"/>
<input name="command" unit="rad/s"/>
<planar_body name="arm" mass="1" inertia="0.1"/>
<revolute name="hinge" first="ground" second="arm"/>
<speed_drive name="motor" first="ground" second="arm" speed="command"/>
""", name="speed", step=1e-3)


def sine(t):
    return 0.5 * math.sin(3.0 * t)


def jump(t):
    return 0.66 if t > 0.0 else 0.0


def noise(t):
    return 0.1 * math.sin(1e4 * t * t)


def drive(instance, name, function, sizes, check):
    """Steps of these sizes, before each of which the value at its end is set."""
    t = 0.0
    for size in sizes:
        t_1 = t + size
        assert instance.set_all({name: function(t_1)}) == OK
        assert instance.step(t, size) == OK, instance.last_message()
        t = t_1
        check(t)


@pytest.mark.parametrize("function", [sine, jump, noise])
@pytest.mark.parametrize("sizes", [[1e-3] * 40, [1e-2] * 40, [3.3e-3, 1e-3, 0.02, 7e-4] * 10])
@pytest.mark.parametrize("model", ["drive_input", "drive_input_gravity"])
def test_angle_is_reached(pack, scheme, function, sizes, model):
    """Under Moreau-Jean as well, whose joints hold on velocity level alone."""
    with Instance(pack(MODELS / f"{model}.xml")) as instance:
        instance.start(solver__scheme=scheme)

        def check(t):
            assert instance.get("arm.angle") == pytest.approx(function(t), abs=ROUNDING)
            assert instance.get("servo.violation") < ROUNDING

        drive(instance, "command", function, sizes, check)
        last = instance.get("arm.angle")
        t = sum(sizes)
        for i in range(4):  # the same value is kept: it stands still after a step at the latest
            assert instance.step(t, 1e-2) == OK
            t += 1e-2
            assert instance.get("arm.angle") == pytest.approx(last, abs=ROUNDING)
            if i > 0:
                assert abs(instance.get("arm.angular_velocity")) < 1e-9


def test_violation_tells_the_truth(pack, scheme):
    """A value that is set is none of the motion before the step; slopes of zero make it jump, which
    Moreau-Jean, on velocity level, does not follow."""
    with Instance(pack(MODELS / "drive_input.xml")) as instance:
        instance.start(solver__scheme=scheme)
        assert instance.set(command=0.66) == OK
        assert instance.get("solver.joint_violation") == 0.0
        assert instance.step(0.0, 1e-3) == OK
        assert instance.get("arm.angle") == pytest.approx(0.66, abs=ROUNDING)
        assert instance.get("solver.joint_violation") < ROUNDING
        assert instance.slope("command", 0.0) == OK
        assert instance.set(command=0.16) == OK
        assert instance.step(1e-3, 1e-3) == OK
        off = abs(math.sin(instance.get("arm.angle") - 0.16))
        assert instance.get("solver.joint_violation") == pytest.approx(off, abs=ROUNDING)
        if scheme == SCHEMES["generalized_alpha"]:
            assert off < ROUNDING


def test_slopes_as_before(pack, scheme):
    with Instance(pack(MODELS / "drive_input.xml")) as instance:
        instance.start(solver__scheme=scheme)
        for i in range(50):
            t = 0.01 * i
            assert instance.set(command=0.7 * t) == OK
            assert instance.slope("command", 0.7) == OK
            assert instance.step(t, 0.01) == OK
            assert instance.get("arm.angle") == pytest.approx(0.7 * (t + 0.01), abs=ROUNDING)
            assert instance.get("arm.angular_velocity") == pytest.approx(0.7, rel=1e-9)


def errors_of_a_smooth_motion(fmu, scheme, size):
    """Of angular velocity and torque at t = 1 with samples at this distance."""
    with Instance(fmu) as instance:
        instance.start(solver__scheme=scheme, solver__step_size=size / 4)
        drive(instance, "command", sine, [size] * round(1.0 / size), lambda t: None)
        t = 1.0
        return (abs(instance.get("arm.angular_velocity") - 1.5 * math.cos(3.0 * t)),
                abs(instance.get("servo.torque") + 0.1 * 4.5 * math.sin(3.0 * t)))


def test_orders_for_a_smooth_motion(pack, scheme):
    """Velocities are of second, forces of first order in the distance of the samples."""
    fmu = pack(MODELS / "drive_input.xml")
    sizes = np.array([2e-2, 1e-2, 5e-3])
    velocity, torque = np.array([errors_of_a_smooth_motion(fmu, scheme, h) for h in sizes]).T
    assert np.all(np.abs(orders(sizes, velocity) - 2.0) < 0.1)
    assert np.all(np.abs(orders(sizes, torque) - 1.0) < 0.2)
    assert torque[-1] < 0.03 * 0.45


@pytest.mark.parametrize("size", [1e-3, 1e-2])
def test_ball_stays_on_a_plate_that_moves_smoothly(pack, scheme, size):
    """y = 0.1 (1 - cos 5t): up to 2.5 m/s^2, so that the ball never leaves the plate."""
    with Instance(pack(MODELS / "driven_input.xml")) as instance:
        instance.start(solver__scheme=scheme)

        def height(t):
            return 0.1 * (1.0 - math.cos(5.0 * t))

        def check(t):
            assert instance.get("ball.y") == pytest.approx(height(t), abs=ROUNDING)
            assert instance.get("c.closed")
            if t > 3.5 * size:  # the force of a sample ago
                late = 2.5 * 5.0 * 2.0 * size
                force = 9.81 + 2.5 * math.cos(5.0 * t)
                assert instance.get("c.normal_force") == pytest.approx(force, abs=late)

        drive(instance, "height", height, [size] * round(1.5 / size), check)


@pytest.mark.parametrize("size", [1e-3, 1e-2])
def test_expressions_and_several_uses(pack, scheme, size):
    """gain*in + sin(t), in*other, and a force that takes the same input at once."""
    with Instance(pack(SERVOS)) as instance:
        instance.start(solver__scheme=scheme, other=1.0)
        instance.set(other=1.5)
        speed = 0.0
        for i in range(60):
            t = (i + 1) * size
            value = sine(t)
            assert instance.set_all({"in": value}) == OK
            if i == 30:
                assert instance.set(gain=3.0) == OK
            assert instance.step(t - size, size) == OK, instance.last_message()
            speed += size * value
            gain = 2.0 if i < 30 else 3.0
            # the sine, and the product of two motions, are no parabolas: the error of a step
            error = 1e-9 if scheme == 2 else 2e-5
            assert instance.get("arm.angle") == pytest.approx(gain * value + math.sin(t),
                                                              abs=error)
            assert instance.get("slider.x") == pytest.approx(1.5 * value, abs=error)
            assert instance.get("puck.velocity_x") == pytest.approx(speed, rel=1e-9)


@pytest.mark.parametrize("size", [1e-3, 1e-2])
def test_speed_is_taken_at_once(pack, scheme, size):
    with Instance(pack(SPEED)) as instance:
        instance.start(solver__scheme=scheme)
        angle = 0.0
        for i in range(50):
            speed = math.cos(7.0 * i)
            assert instance.set(command=speed) == OK
            assert instance.step(i * size, size) == OK, instance.last_message()
            angle += speed * size
            assert instance.get("arm.angular_velocity") == pytest.approx(speed, rel=1e-9)
            if scheme == SCHEMES["moreau_jean"]:
                assert instance.get("arm.angle") == pytest.approx(angle, abs=ROUNDING)


def test_first_value_is_that_of_initialization(pack, scheme):
    with Instance(pack(MODELS / "driven_input.xml")) as instance:
        instance.start(solver__scheme=scheme, height=-0.25)
        assert instance.get("c.gap") == pytest.approx(0.25, rel=1e-12)
        assert instance.set(height=-0.5) == OK
        assert instance.get("c.gap") == pytest.approx(0.25, rel=1e-12)
        assert instance.step(0.0, 0.01) == OK
        assert instance.get("c.gap") == pytest.approx(0.5 - 0.5 * 9.81e-4, abs=1e-6)


def run_on(instance, t, n):
    for i in range(n):
        assert instance.set(command=sine(t + 0.01)) == OK
        assert instance.step(t, 0.01) == OK
        t += 0.01
    return instance.snapshot()


def test_samples_belong_to_the_state(pack, scheme):
    """Bit for bit after restoring, in another instance, and after a reset."""
    fmu = pack(MODELS / "drive_input_gravity.xml")
    with Instance(fmu) as instance, Instance(fmu) as other:
        instance.start(solver__scheme=scheme)
        run_on(instance, 0.0, 7)
        data = instance.serialize()
        expected = run_on(instance, 0.07, 5)
        status, state = instance.deserialize(data)
        assert status == OK and instance.SetFMUstate(state) == OK
        assert run_on(instance, 0.07, 5) == expected
        status, state_of_other = other.deserialize(data)
        assert status == OK and other.SetFMUstate(state_of_other) == OK
        assert run_on(other, 0.07, 5) == expected
        instance.release(state)
        other.release(state_of_other)
        assert instance.Reset() == OK
        instance.start(solver__scheme=scheme)
        run_on(instance, 0.0, 7)
        assert run_on(instance, 0.07, 5) == expected


def test_going_on_after_a_discarded_step(pack, scheme):
    """The motion is where the FMU has stopped. (Errors are relative to the stone, which is fast.)"""
    model = (MODELS / "drive_input.xml").read_text().replace(
        "</mechanism>", '<input name="explode"/><point_mass name="stone" mass="1"/>'
        '<force name="bang" on="stone" x="exp(explode*t) - 1"/></mechanism>')
    with Instance(pack(model)) as instance:
        instance.start(solver__scheme=scheme)
        assert instance.set(explode=710.0 / 0.0155) == OK
        assert instance.set(command=0.2) == OK
        assert instance.step(0.0, 0.02) != OK
        status, t = instance.real_status()
        assert status == OK and 0.005 < t < 0.0155
        assert instance.get("arm.angle") == pytest.approx(0.2 * t / 0.02, abs=1e-5)
        assert instance.step(t, 1e-3) != OK  # the force is still there
        assert instance.get("arm.angle") == pytest.approx(0.2 * t / 0.02, abs=1e-5)


def test_run_with_constant_inputs(tmp_path, scheme):
    output = tmp_path / "out.csv"
    clatter("run", MODELS / "drive_input.xml", "--stop", "0.1", "--set", "command=0.3",
            "--set", "arm.initial_angle=0.3", "--scheme", list(SCHEMES)[scheme - 1], "-o", output)
    table = read_csv(output)
    assert np.all(np.abs(table["arm.angle"] - 0.3) < ROUNDING)
    assert np.all(table["solver.joint_violation"] < ROUNDING)
