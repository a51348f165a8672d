"""What driven frames, drives, actuators and contacts in several points tell of themselves, against
motions that are known in closed form."""

import numpy as np
import pytest

import fmi2
from models import G, spatial
from tools import mechanism

SCHEMES = pytest.mark.parametrize("scheme", [1, 2], ids=["moreau_jean", "generalized_alpha"])


# --- driven frames ---

DRIVEN = """<driven_frame name="table" x="0.1*sin(3*t)" y="t^2" angle="2*t"/>"""


def check_driven(result, names):
    t = result["time"]
    expected = {"x": 0.1 * np.sin(3 * t), "velocity_x": 0.3 * np.cos(3 * t),
                "acceleration_x": -0.9 * np.sin(3 * t), "y": t**2, "velocity_y": 2 * t,
                "acceleration_y": 2 + 0 * t, "z": t**3, "velocity_z": 3 * t**2,
                "acceleration_z": 6 * t, "angle": 2 * t, "angular_velocity": 2 + 0 * t,
                "angular_acceleration": 0 * t}
    for name in names:
        assert result[f"table.{name}"] == pytest.approx(expected[name], abs=1e-12)


@SCHEMES
def test_driven_frame_tells_its_motion(run, scheme):
    names = [f"{prefix}{axis}" for prefix in ("", "velocity_", "acceleration_") for axis in "xy"]
    names += ["angle", "angular_velocity", "angular_acceleration"]
    result = run(mechanism(DRIVEN + '<point_mass name="ball" mass="1"/>'), 0.1, 1e-2,
                 {"solver.scheme": scheme})
    check_driven(result, names)


@SCHEMES
def test_driven_frame_of_space_tells_its_motion(run, scheme):
    names = [f"{prefix}{axis}" for prefix in ("", "velocity_", "acceleration_") for axis in "xyz"]
    names += ["angle", "angular_velocity", "angular_acceleration"]
    text = DRIVEN.replace("/>", ' z="t^3" axis_x="1" axis_z="0"/>') + spatial("ball", "")
    result = run(mechanism(text), 0.1, 1e-2, {"solver.scheme": scheme})
    check_driven(result, names)


def test_driven_frame_tells_how_it_follows_its_input(pack):
    """A value that is set without a slope is reached at the end of the step."""
    text = mechanism("""<input name="place" unit="m" start="0.5"/>
<driven_frame name="table" x="2*place"/><point_mass name="ball" mass="1"/>""")
    with fmi2.Instance(pack(text)) as instance:
        instance.start()
        assert instance.get("table.x") == 1.0
        assert instance.set(place=0.6) == fmi2.OK
        assert instance.step(0.0, 0.1) == fmi2.OK
        assert instance.get("table.x") == pytest.approx(1.2, abs=1e-12)


# --- drives ---

# Each: the mechanism, its drive's effort and work over time
def lifted(t):
    """A mass of 2 kg on a vertical rail, at 0.1 (1 - cos 3t) m"""
    s, v, a = 0.1 * (1 - np.cos(3 * t)), 0.3 * np.sin(3 * t), 0.9 * np.cos(3 * t)
    return 2 * (a + G), 2 * G * s + v**2


def turned(t):
    """An inertia of 0.5 kg m2 at the angle 0.2 (1 - cos 3t) rad"""
    v, a = 0.6 * np.sin(3 * t), 1.8 * np.cos(3 * t)
    return 0.5 * a, 0.25 * v**2


RAIL = """<gravity y="-9.81"/><ground><frame name="up" angle="pi/2"/></ground>
<planar_body name="mass" mass="2" inertia="1" initial_angle="pi/2"/>
<prismatic name="rail" first="ground.up" second="mass"/>"""
HINGE = """<planar_body name="wheel" mass="1" inertia="0.5"/>
<revolute name="axle" first="ground" second="wheel"/>"""
HINGE_OF_SPACE = spatial("wheel", "", J=(0.1, 0.2, 0.5)) + """
<revolute name="axle" first="ground" second="wheel"/>"""
SLIDE_DRIVE = ('<slide_drive name="motor" first="ground.up" second="mass" '
               'position="0.1*(1 - cos(3*t))"/>')
ANGLE_DRIVE = ('<angle_drive name="motor" first="ground" second="wheel" '
               'angle="0.2*(1 - cos(3*t))"/>')
SPEED_DRIVE = '<speed_drive name="motor" first="ground" second="wheel" speed="0.6*sin(3*t)"/>'


@SCHEMES
@pytest.mark.parametrize("content, effort, exact", [
    (RAIL + SLIDE_DRIVE, "drive_force", lifted),
    (HINGE + ANGLE_DRIVE, "drive_torque", turned),
    (HINGE + SPEED_DRIVE, "drive_torque", turned),
    (HINGE_OF_SPACE + ANGLE_DRIVE, "drive_torque", turned),
    (HINGE_OF_SPACE + SPEED_DRIVE, "drive_torque", turned),
], ids=["slide_drive", "angle_drive", "speed_drive", "angle_drive_of_space", "speed_drive_of_space"])
def test_drive_tells_its_effort_and_work(run, content, effort, exact, scheme):
    """The effort is that at the end of a step with generalized-alpha, the mean of it with
    Moreau-Jean; the work is the change of energy."""
    dt = 1e-3
    result = run(mechanism(content), 1.0, dt, {"solver.scheme": scheme})
    t = result["time"]
    F, work = exact(t)
    shift = 0.5 * dt if scheme == 1 else 0.0
    assert result[f"motor.{effort}"][5:] == pytest.approx(exact(t - shift)[0][5:], abs=1e-4)
    assert result["motor.work"] == pytest.approx(work, abs=1e-5)
    assert result["motor.work"] == pytest.approx(result["energy.input_work"], abs=1e-12)
    assert np.abs(result["energy.balance"]).max() < 5 * 1e-3**2  # of second order


@SCHEMES
def test_drive_on_a_driven_frame_does_the_work_of_its_own_motion(run, scheme):
    """The frame carries the mass on at 1 m/s; the drive moves it against the frame."""
    text = mechanism("""<driven_frame name="belt" x="t"/>
<planar_body name="mass" mass="2" inertia="1" initial_velocity_x="1"/>
<prismatic name="rail" first="belt" second="mass"/>
<slide_drive name="motor" first="belt" second="mass" position="0.1*(1 - cos(3*t))"/>""")
    result = run(text, 1.0, 1e-3, {"solver.scheme": scheme})
    t = result["time"]
    v = 0.3 * np.sin(3 * t)  # against the frame
    assert result["motor.work"] == pytest.approx(v**2, abs=1e-5)
    assert result["energy.input_work"] == pytest.approx((1 + v)**2 - 1, abs=1e-5)
    assert np.abs(result["energy.balance"]).max() < 5 * 1e-3**2  # of second order


# --- actuators ---

SLIDER = """<planar_body name="body" mass="2" inertia="0.5"/>
<prismatic name="joint" first="ground" second="body"/>
<slide_actuator name="motor" first="ground" second="body" proportional_gain="50" derivative_gain="3"
  limit="8" target="0.2" force="1"/>"""
TURNER = """<planar_body name="body" mass="2" inertia="2"/>
<revolute name="joint" first="ground" second="body"/>
<angle_actuator name="motor" first="ground" second="body" proportional_gain="50" derivative_gain="3"
  limit="8" target="0.2" torque="1"/>"""


@SCHEMES
@pytest.mark.parametrize("content, place, velocity, effort", [
    (SLIDER, "x", "velocity_x", "force"), (TURNER, "angle", "angular_velocity", "torque"),
], ids=["slide_actuator", "angle_actuator"])
def test_actuator_tells_its_effort_and_work(run, content, place, velocity, effort, scheme):
    result = run(mechanism(content), 2.0, 1e-3, {"solver.scheme": scheme})
    x, v = result[f"body.{place}"], result[f"body.{velocity}"]
    expected = np.clip(1 + 50 * (0.2 - x) - 3 * v, -8, 8)
    assert expected[0] == 8 and expected.min() < 0
    assert result[f"motor.{effort}"] == pytest.approx(expected, abs=1e-12)
    assert result["motor.work"] == pytest.approx(v**2, abs=1e-5)  # of 2 kg or kg m2 from rest
    assert result["motor.work"] == pytest.approx(result["energy.input_work"], abs=1e-12)


def test_work_goes_back_with_the_state(pack):
    with fmi2.Instance(pack(mechanism(RAIL + SLIDE_DRIVE))) as instance:
        instance.start()
        instance.steps(0.0, 0.1, 3)
        state, work = instance.save(), instance.get("motor.work")
        instance.steps(0.3, 0.1, 3)
        later = instance.get("motor.work")
        assert later != work
        assert instance.SetFMUstate(state) == fmi2.OK
        assert instance.get("motor.work") == work
        instance.steps(0.3, 0.1, 3)
        assert instance.get("motor.work") == later
        assert instance.Reset() == fmi2.OK
        assert instance.start().get("motor.work") == 0.0
        instance.release(state)


# --- contacts in several points ---

BOX = """<gravity y="-9.81"/><ground><line name="floor"/></ground>
<planar_body name="crate" mass="3" inertia="0.1" initial_y="0.1">
  <box name="hull" length="0.6" height="0.2"/></planar_body>
<force name="push" on="crate" x="5"/>"""
BOX_OF_SPACE = """<gravity z="-9.81"/>
<ground><plane name="floor"/></ground>""" + spatial(
    "crate", 'initial_z="0.1"', '<box name="hull" length="0.6" width="0.4" height="0.2"/>', m=3) + """
<force name="push" on="crate" x="3" y="4"/>"""
ORDERS = pytest.mark.parametrize("order", [1, -1], ids=["box_first", "floor_first"])


def contact(order, mu):
    shapes = ("crate.hull", "ground.floor")[::order]
    return (f'<contact name="foot" first="{shapes[0]}" second="{shapes[1]}" '
            f'friction_coefficient="{mu}"/>')


@SCHEMES
@ORDERS
@pytest.mark.parametrize("content, axes, weight, push", [
    (BOX, "xy", [0, -3 * G], [5, 0]), (BOX_OF_SPACE, "xyz", [0, 0, -3 * G], [3, 4, 0]),
], ids=["plane", "space"])
def test_box_tells_its_weight_and_friction(run, content, axes, weight, push, order, scheme):
    """Pushed with 5 N it stays where it is, or slides with mu = 0.1."""
    for mu, friction in ((0.5, 5.0), (0.1, 0.3 * G)):
        result = run(mechanism(content + contact(order, mu)), 0.02, 1e-3,
                     {"solver.scheme": scheme})[2:]
        points = [name for name in result.dtype.names
                  if name.startswith("foot[") and name.endswith("].normal_force")]
        assert len(points) == (4 if axes == "xy" else 8)
        assert sum(result[name] for name in points) == pytest.approx(
            result["foot.total_normal_force"], abs=1e-12)
        assert result["foot.total_normal_force"] == pytest.approx(3 * G, abs=1e-6)
        assert result["foot.total_friction_force"] == pytest.approx(friction, abs=1e-6)
        for axis, W, F in zip(axes, weight, push):
            expected = order * (-W - F * friction / 5)  # on the first body
            assert result[f"foot.total_force_{axis}"] == pytest.approx(expected, abs=1e-6)


def test_a_contact_in_one_point_has_no_totals(run):
    result = run(mechanism("""<ground><line name="floor"/></ground>
<point_mass name="ball" mass="1"><point name="tip"/></point_mass>
<contact name="foot" first="ball.tip" second="ground.floor"/>"""), 0.01, 1e-3)
    assert "foot.normal_force" in result.dtype.names
    assert not [name for name in result.dtype.names if "total_" in name and name.startswith("foot")]
