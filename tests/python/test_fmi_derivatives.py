"""Slopes of inputs, time derivatives of outputs, directional derivatives, against the analysis."""

import math

import pytest

from fmi2 import DISCARD, ERROR, OK, Instance, array, byref, c_double, c_int, c_uint
from tools import LOBATTO, mechanism

M, MU, G = 2.0, 0.5, 10.0  # of models.SLED and models.FLIGHT


def exact(value):
    return pytest.approx(value, rel=1e-11, abs=1e-12)


# --- input slopes ---

@pytest.mark.parametrize("n", [1, 4, 100])
def test_slope_is_used_inside_the_step(flight, n):
    """The midpoint rule integrates a linear force exactly, its position with dt^2/12 [v']."""
    F0, s, T, dt = 3.0, 8.0, 0.4, 1e-3
    with Instance(flight) as instance:
        instance.start()
        for i in range(n):
            t = i * T / n
            assert instance.set(push=F0 + s * t) == OK and instance.slope("push", s) == OK
            assert instance.step(t, T / n) == OK
        assert instance.get("stone.velocity_x") == exact(3 + (F0 * T + s * T**2 / 2) / M)
        x = 3 * T + (F0 * T**2 / 2 + s * T**3 / 6) / M + dt**2 / 12 * s * T / M
        assert instance.get("stone.x") == exact(x)


def test_slope_starts_when_it_is_set_and_holds_until_it_is_changed(flight):
    with Instance(flight) as instance:
        instance.start(push=4.0)
        assert instance.step(0.0, 0.5) == OK
        assert instance.slope("push", 2.0) == OK  # 4 at t = 0.5, 5 at t = 1, 6 at t = 1.5
        instance.steps(0.5, 0.5, 2)
        assert instance.get("stone.velocity_x") == exact(3 + (4 * 0.5 + 5 * 1.0) / M)
        assert instance.slope("push", 0.0) == OK  # from here it stays at 6
        assert instance.step(1.5, 1.0) == OK
        assert instance.get("stone.velocity_x") == exact(3 + (2 + 5 + 6) / M)


def test_slope_before_and_in_initialization(flight):
    with Instance(flight) as instance:
        assert instance.set(push=1.0) == OK and instance.slope("push", 2.0) == OK
        instance.start(start=5.0)
        assert instance.get("stone.acceleration_x") == exact(1 / M)
        assert instance.step(5.0, 1.0) == OK
        assert instance.get("stone.velocity_x") == exact(3 + 2 / M)
        assert instance.get("stone.acceleration_x") == exact(3 / M)


def test_what_has_no_slope(sled):
    with Instance(sled) as instance:
        instance.start()
        before = instance.serialize()
        for order in (0, 2, -1, 2**31 - 1):
            assert instance.slope("push", 1.0, order) == ERROR
        for name in ("drag", "sled.x", "sled.mass", "floor.state", "time"):
            assert instance.slope(name, 1.0) == ERROR and name in instance.last_message()
        refs = array(c_uint, [sled.reference("push"), sled.reference("sled.x")])
        assert instance.SetRealInputDerivatives(refs, 2, array(c_int, [1, 1]),
                                                array(c_double, [1.0, 1.0])) == ERROR
        assert instance.serialize() == before


# --- output derivatives ---

def check_derivatives(instance, expected):
    for name, value in expected.items():
        status, derivative = instance.derivative(name)
        assert status == OK, (name, instance.last_message())
        assert derivative == exact(value), name


def test_output_derivatives_in_flight(flight):
    with Instance(flight) as instance:
        instance.start(push=6.0)
        check_derivatives(instance, {"stone.x": 3.0, "stone.y": 4.0, "stone.velocity_x": 3.0})
        assert instance.step(0.0, 0.7) == OK
        vx, vy = 3 + 3 * 0.7, 4 - 7.0
        check_derivatives(instance, {
            "stone.x": vx, "stone.y": vy, "stone.velocity_x": 3.0, "stone.velocity_y": -G,
            "energy.kinetic": M * (vx * 3 - vy * G), "energy.potential": M * G * vy,
            "energy.total": M * vx * 3})
        assert instance.set(push=-2.0) == OK  # at once
        check_derivatives(instance, {"stone.velocity_x": -1.0})


def test_output_derivatives_at_rest_and_sliding(sled):
    with Instance(sled) as instance:
        instance.start(push=8.0)
        instance.steps(0.0, 0.1, 2)
        check_derivatives(instance, {  # held by friction and by the floor
            "sled.velocity_x": 0.0, "sled.velocity_y": 0.0, "sled.x": 0.0, "floor.gap": 0.0,
            "floor.sliding_velocity": 0.0, "energy.total": 0.0, "energy.kinetic": 0.0})
        assert instance.set(push=14.0) == OK
        instance.steps(0.2, 0.1, 5)
        v = 2.0 * 0.5
        check_derivatives(instance, {
            "sled.x": v, "sled.velocity_x": 2.0, "sled.velocity_y": 0.0, "floor.gap": 0.0,
            "floor.sliding_velocity": 2.0, "energy.kinetic": M * v * 2.0,
            "energy.total": M * v * 2.0})


def test_outputs_without_a_derivative(sled):
    with Instance(sled, logging=True) as instance:
        instance.start()
        instance.steps(0.0, 0.1, 1)
        for name in ("floor.normal_percussion", "floor.friction_percussion"):
            assert instance.derivative(name)[0] == DISCARD
            assert instance.messages[-1].category == b"logStatusDiscard"
        for name in ("floor.state", "sled.mass", "push", "time"):
            assert instance.derivative(name)[0] == ERROR
        for order in (0, 2, -1):
            assert instance.derivative("sled.x", order)[0] == ERROR


def test_spring_outputs_have_derivatives(pack):
    """length' is the speed along the spring, tension' = k length' + c length''; where the product
    offers none it must say so."""
    model = mechanism("""
<point_mass name="mass" mass="2" initial_x="3" initial_velocity_x="0.5"/>
<spring_damper name="spring" first="mass" stiffness="8" free_length="1"/>
<outputs><output variable="spring.length"/><output variable="spring.tension"/>
<output variable="energy.potential"/></outputs>""")
    with Instance(pack(model)) as instance:
        instance.start()
        check_derivatives(instance, {"energy.potential": 8 * 2 * 0.5})
        status, value = instance.derivative("spring.length")
        assert status == DISCARD or value == exact(0.5)


# --- directional derivatives ---

def check_directional(instance, unknown, seeds, expected):
    status, value = instance.directional(unknown, seeds)
    assert status == OK, instance.last_message()
    assert value == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_directional_in_flight(flight):
    with Instance(flight) as instance:
        instance.start(push=6.0)
        assert instance.step(0.0, 0.3) == OK
        before = instance.serialize()
        y = instance.get("stone.y")
        check_directional(instance, "stone.acceleration_x", {"push": 1.0}, 1 / M)
        check_directional(instance, "stone.acceleration_x", {"push": -7.0}, -7 / M)
        check_directional(instance, "stone.acceleration_y", {"push": 1.0}, 0.0)
        check_directional(instance, "stone.acceleration_y", {"gravity.y": 1.0}, 1.0)
        check_directional(instance, "stone.acceleration_x", {"gravity.x": 2.0, "push": 1.0}, 2.5)
        check_directional(instance, "energy.potential", {"gravity.y": 1.0}, -M * y)
        check_directional(instance, "stone.x", {"push": 1.0}, 0.0)
        check_directional(instance, "stone.acceleration_x", {"push": 0.0}, 0.0)
        assert instance.directional("stone.acceleration_x", {}) == (OK, 0.0)
        assert instance.serialize() == before


def test_directional_in_initialization_mode(flight):
    with Instance(flight) as instance:
        instance.EnterInitializationMode()
        instance.set(push=2.0)
        check_directional(instance, "stone.acceleration_x", {"push": 3.0}, 3 / M)
        assert instance.ExitInitializationMode() == OK


def test_directional_under_contact(sled):
    with Instance(sled) as instance:
        instance.start(push=4.0)
        instance.steps(0.0, 0.1, 1)
        assert instance.get("floor.state") == 3
        check_directional(instance, "sled.acceleration_x", {"push": 1.0}, 0.0)  # friction follows
        check_directional(instance, "sled.acceleration_y", {"gravity.y": 1.0}, 0.0)
        check_directional(instance, "sled.acceleration_x", {"floor.friction_coefficient": 1.0}, 0.0)
        assert instance.set(push=14.0) == OK
        instance.steps(0.1, 0.1, 1)
        assert instance.get("floor.state") == 2
        check_directional(instance, "sled.acceleration_x", {"push": 1.0}, 1 / M)
        check_directional(instance, "sled.acceleration_x", {"floor.friction_coefficient": 1.0}, -G)
        check_directional(instance, "sled.acceleration_x", {"gravity.y": 1.0}, MU)


def test_no_derivative_at_a_kink(sled):
    with Instance(sled, logging=True) as instance:
        instance.start(push=MU * M * G)  # on the edge of slipping
        before = instance.serialize()
        status, _ = instance.directional("sled.acceleration_x", {"push": 1.0})
        assert status == DISCARD
        assert instance.messages[-1].category == b"logStatusDiscard"
        assert instance.serialize() == before
        check_directional(instance, "sled.acceleration_y", {"push": 1.0}, 0.0)


def test_no_derivative_where_a_contact_is_about_to_open(sled):
    with Instance(sled) as instance:
        instance.start(gravity__y=0.0)
        assert instance.directional("sled.acceleration_y", {"gravity.y": 1.0})[0] == DISCARD


def test_directional_of_a_spring(sled):
    """energy = (drag-1)/2 (l - l0)^2: the parameter acts through a calculated one."""
    with Instance(sled) as instance:
        instance.start(sled__initial_x=4.0, sled__initial_y=3.0, drag=21.0)
        assert instance.get("band.length") == exact(5.0)
        assert instance.get("band.tension") == exact(20.0 * 4.0)
        check_directional(instance, "energy.potential", {"drag": 1.0}, 0.5 * 4.0**2)
        check_directional(instance, "band.tension", {"drag": 1.0}, 4.0)
        check_directional(instance, "sled.acceleration_x", {"drag": 1.0}, -4.0 * 0.8 / M)
        assert instance.get("drag") == 21.0


def test_directional_at_a_bound(sled):
    """drag = 1 makes the spring's stiffness zero, its lowest: only one side exists."""
    with Instance(sled) as instance:
        instance.start(sled__initial_x=4.0, sled__initial_y=3.0)
        status, value = instance.directional("energy.potential", {"drag": 1.0})
        assert status == DISCARD or value == pytest.approx(8.0, rel=1e-8)


def test_directional_arguments(sled):
    with Instance(sled) as instance:
        instance.start()
        for unknown, known in (("sled.mass", "push"), ("push", "push"), ("sled.x", "sled.mass"),
                               ("sled.x", "sled.velocity_x"), ("floor.state", "push"),
                               ("sled.x", "solver.scheme"), ("time", "push")):
            assert instance.directional(unknown, {known: 1.0})[0] == ERROR, (unknown, known)
        assert not math.isnan(instance.get("sled.x"))
        refs = array(c_uint, [sled.reference("push")])
        assert instance.GetDirectionalDerivative(
            refs, 2**40, refs, 1, array(c_double, [1.0]), byref(c_double())) == ERROR


# --- directional derivatives in inputs that prescribe motion ---

PRESCRIBED_OUTPUTS = [
    "arm.angle", "arm.angular_velocity", "arm.angular_acceleration", "servo.torque", "servo.drive_torque",
    "servo.work", "slider.x", "slider.velocity_x", "slider.acceleration_x", "ram.force_x", "belt.x",
    "belt.velocity_x", "belt.acceleration_x", "box.acceleration_x", "touch.gap", "touch.sliding_velocity",
    "touch.friction_force", "rotor.angular_velocity", "rotor.angular_acceleration", "motor.torque",
    "spring.tension", "energy.kinetic", "energy.potential"]
PRESCRIBED = mechanism("<outputs>" + "".join(f'<output variable="{name}"/>' for name in PRESCRIBED_OUTPUTS)
                       + """</outputs>
<gravity y="-9.81"/>
<input name="angle" unit="rad"/><input name="position" unit="m"/><input name="place" unit="m"/>
<input name="speed" unit="rad/s"/><input name="push" unit="N"/>
<parameter name="gain" value="2" tunable="true"/>
<planar_body name="arm" mass="1" inertia="0.1"><point name="end" x="0.5"/></planar_body>
<revolute name="hinge" first="ground" second="arm"/>
<angle_drive name="servo" first="ground" second="arm" angle="gain*angle + sin(t)"/>
<planar_body name="slider" mass="2" inertia="0.1"/>
<prismatic name="guide" first="ground" second="slider"/>
<slide_drive name="ram" first="ground" second="slider" position="position"/>
<driven_frame name="belt" x="place" y="-1"><line name="top"/></driven_frame>
<planar_body name="box" mass="1" inertia="0.1" initial_y="-0.5"><circle name="rim" radius="0.5"/></planar_body>
<contact name="touch" first="box.rim" second="belt.top" friction_coefficient="0.4"/>
<planar_body name="rotor" mass="1" inertia="0.1"/>
<revolute name="bearing" first="ground" second="rotor"/>
<speed_drive name="motor" first="ground" second="rotor" speed="speed"/>
<force name="hand" on="box" x="push"/>
<spring_damper name="spring" first="arm.end" second="slider" stiffness="10" damping="1" free_length="0.1"/>
""")
PRESCRIBED_INPUTS = {"angle": lambda t: 0.3 * t, "position": lambda t: 0.1 * t**2, "place": lambda t: 0.2 * t,
                     "speed": lambda t: 2 * t, "push": lambda t: 1.0}


def check_against_differences(instance, values):
    """All outputs in all inputs: the change that fmi2GetReal shows after fmi2SetReal."""
    distance = 1e-4
    state = instance.save()
    for known, value in (values | {"gain": 2.0}).items():
        shown = []
        for side in (1, -1):
            assert instance.set_all({known: value + side * distance}) == OK
            shown.append([instance.get(unknown) for unknown in PRESCRIBED_OUTPUTS])
            assert instance.SetFMUstate(state) == OK
        for i, unknown in enumerate(PRESCRIBED_OUTPUTS):
            difference = (shown[0][i] - shown[1][i]) / (2 * distance)
            status, derivative = instance.directional(unknown, {known: 1.0})
            assert status == OK, (known, unknown, instance.last_message())
            assert derivative == pytest.approx(difference, rel=1e-6, abs=1e-6), (known, unknown)
    instance.release(state)


@pytest.mark.parametrize("scheme", [*range(1, 7), LOBATTO])
def test_directional_in_inputs_that_prescribe_motion(pack, scheme):
    with Instance(pack(PRESCRIBED)) as instance:
        assert instance.set_all({"solver.scheme": scheme}) == OK
        assert instance.SetupExperiment(0, 0.0, 0.0, 0, 0.0) == OK
        assert instance.EnterInitializationMode() == OK
        check_against_differences(instance, dict.fromkeys(PRESCRIBED_INPUTS, 0.0))
        assert instance.directional("belt.x", {"place": 1.0}) == (OK, exact(1.0))
        assert instance.ExitInitializationMode() == OK
        check_against_differences(instance, dict.fromkeys(PRESCRIBED_INPUTS, 0.0))
        for i in range(20):
            values = {name: value(0.005 * (i + 1)) for name, value in PRESCRIBED_INPUTS.items()}
            assert instance.set_all(values) == OK
            assert instance.step(0.005 * i, 0.005) == OK
        check_against_differences(instance, values)
        ahead = {name: value(0.105) for name, value in PRESCRIBED_INPUTS.items()}
        assert instance.set_all(ahead) == OK
        check_against_differences(instance, ahead)
        assert instance.directional("belt.x", {"place": 1.0}) == (OK, 0.0)
