"""Drives, actuators, moving walls, friction of space, velocity-level constraints and the start, each
in a small mechanism whose motion is known in closed form or from an independent integration."""

import math

import numpy as np
import pytest

import tools
from fmi2 import OK, Instance
from exact import rk4
from models import G, puck, spatial
from tools import SLIP, STICK, mechanism, upward_crossings


# --- drives ---

def test_angle_drive_follows_its_expression(run):
    errors = []
    text = mechanism("""<planar_body name="arm" mass="1" inertia="0.1" initial_angular_velocity="1.6"/>
<revolute name="hinge" first="arm"/>
<angle_drive name="motor" first="ground" second="arm" angle="t + 0.3*sin(2*t)"/>""")
    for dt in (2e-3, 1e-3):
        result = run(text, 5.0, dt)
        t = result["time"]
        errors.append(np.abs(result["arm.angle"] - t - 0.3 * np.sin(2 * t)).max())
        assert result["arm.angular_velocity"] == pytest.approx(1 + 0.6 * np.cos(2 * t), abs=1e-4)
    assert errors[1] < 1e-5 and errors[1] < 0.6 * errors[0]


def test_angle_drive_of_space(run):
    body = spatial("arm", 'initial_angular_velocity_z="1.6"', J=(0.1, 0.2, 0.3))
    text = mechanism(body + """<revolute name="hinge" first="arm"/>
<angle_drive name="motor" first="ground" second="arm" angle="t + 0.3*sin(2*t)"/>""")
    result = run(text, 2.0, 1e-3)
    t = result["time"]
    angle = 2 * np.arctan2(result["arm.quaternion_3"], result["arm.quaternion_0"])
    assert angle == pytest.approx(t + 0.3 * np.sin(2 * t), abs=1e-5)


def test_speed_drive_turns_as_fast_as_it_says(run):
    text = mechanism("""<input name="speed" unit="rad/s" start="4"/>
<planar_body name="wheel" mass="1" inertia="0.1" initial_angular_velocity="4"/>
<torque name="load" on="wheel" value="-3"/>
<revolute name="axle" first="wheel"/>
<speed_drive name="motor" first="ground" second="wheel" speed="speed + t"/>""")
    result = run(text, 2.0, 1e-3)
    t = result["time"]
    assert result["wheel.angular_velocity"] == pytest.approx(4 + t, abs=1e-9)
    assert result["wheel.angle"] == pytest.approx(4 * t + t**2 / 2, abs=1e-9)


def test_slide_drive_moves_as_it_says(run):
    text = mechanism("""<gravity y="-9.81"/>
<planar_body name="table" mass="1" inertia="0.1" initial_velocity_x="0.2"/>
<prismatic name="rail" first="ground" second="table"/>
<slide_drive name="motor" first="ground" second="table" position="0.1*sin(2*t)"/>""")
    result = run(text, 3.0, 1e-3)
    t = result["time"]
    assert result["table.velocity_x"] == pytest.approx(0.2 * np.cos(2 * t), abs=1e-9)
    assert result["table.x"] == pytest.approx(0.1 * np.sin(2 * t), abs=1e-6)
    assert np.abs(result["table.y"]).max() < 1e-12


# --- actuators ---

def test_actuators_give_no_more_than_their_limit(run):
    text = mechanism("""<planar_body name="a" mass="2" inertia="0.5"/>
<prismatic name="rail" first="ground" second="a"/>
<slide_actuator name="push" first="ground" second="a" target="100" proportional_gain="50" limit="6"/>
<planar_body name="b" mass="2" inertia="0.5" initial_x="3"/>
<angle_actuator name="turn" first="ground" second="b" target="-100" proportional_gain="50"
  limit="4"/>""")
    result = run(text, 1.0, 1e-3)
    t = result["time"]
    assert result["a.velocity_x"] == pytest.approx(6 / 2 * t, abs=1e-10)
    assert result["b.angular_velocity"] == pytest.approx(-4 / 0.5 * t, abs=1e-10)
    assert result["turn.torque"] == pytest.approx(-4.0, abs=1e-12)


def test_actuator_reaches_its_target(run):
    """Critically damped: J x'' = k (target - x) - 2 sqrt(k J) x'."""
    J, k = 0.5, 50.0
    c = 2 * math.sqrt(k * J)
    text = mechanism(f"""<planar_body name="b" mass="2" inertia="{J}"/>
<angle_actuator name="motor" first="ground" second="b" target="0.7" proportional_gain="{k}"
  derivative_gain="{c}"/>""")
    result = run(text, 2.0, 1e-3)
    t = result["time"]
    w = math.sqrt(k / J)
    assert result["b.angle"] == pytest.approx(0.7 * (1 - (1 + w * t) * np.exp(-w * t)), abs=1e-5)


# --- moving walls ---

def vibrating_table(amplitude, rate):
    return mechanism(f"""<gravity y="{-G}"/>
<driven_frame name="table" y="{amplitude}*sin({rate}*t)"><line name="top"/></driven_frame>
<point_mass name="ball" mass="2" initial_y="0.1" initial_velocity_y="{amplitude * rate}">
  <circle name="rim" radius="0.1"/></point_mass>
<contact name="seat" first="ball.rim" second="table.top"/>""")


def test_ball_rides_on_a_gently_vibrating_table(run):
    a, w, dt = 0.01, 25.0, 1e-3  # a w^2 = 6.25 < g
    result = run(vibrating_table(a, w), 1.0, dt)
    t = result["time"]
    assert result["ball.y"] == pytest.approx(0.1 + a * np.sin(w * t), abs=a * w * dt)
    assert np.abs(result["seat.gap"]).max() < a * w * dt
    assert result["ball.velocity_y"] == pytest.approx(a * w * np.cos(w * t), abs=1e-9)
    # the force of a step: what the velocity at its ends needs
    expected = 2 * (G * dt + np.diff(a * w * np.cos(w * t)))
    assert result["seat.normal_percussion"][1:] == pytest.approx(expected, rel=1e-9)


def test_ball_leaves_a_violently_vibrating_table(run):
    a, w, dt = 0.02, 40.0, 1e-4  # a w^2 = 32 > g: leaves when sin(w t) = g/(a w^2)
    result = run(vibrating_table(a, w), 0.1, dt)
    leave = math.asin(G / (a * w * w)) / w
    open_time = result["time"][np.argmax(result["seat.gap"] > 1e-6)]
    assert leave - 2 * dt < open_time < leave + 0.003
    flight = (result["time"] > leave) & (result["time"] < leave + 0.05)
    tau = result["time"][flight] - leave
    y = 0.1 + a * math.sin(w * leave) + a * w * math.cos(w * leave) * tau - G / 2 * tau**2
    assert result["ball.y"][flight] == pytest.approx(y, abs=2e-4)


# --- friction of space ---

def test_sliding_in_two_directions_stops_on_a_straight_line(run):
    mu, v = 0.4, np.array([1.5, 2.0])
    dt = 1e-3
    result = run(puck(mu, v), 1.0, dt)
    x = np.array([result["puck.x"], result["puck.y"]])
    assert v[1] * x[0] == pytest.approx(v[0] * x[1], abs=1e-9)
    stop = v @ v / (2 * mu * G)
    assert np.linalg.norm(x[:, -1]) == pytest.approx(stop, abs=dt * np.linalg.norm(v))
    assert result["seat.state"][-1] == STICK and result["seat.state"][100] == SLIP
    assert result["seat.friction_percussion_1"][100] == pytest.approx(-0.6 * mu * G * dt, rel=1e-6)
    at_rest = result["time"] > 2.5 / (mu * G) + 3 * dt
    assert np.abs(result["puck.velocity_x"][at_rest]).max() < 1e-12


def test_elliptic_friction_turns_the_motion_aside(run):
    """The friction is normal to the ellipse: v' = -mu g (v_1, c^2 v_2)/sqrt(v_1^2 + c^2 v_2^2)."""
    mu, c, v = 0.3, 0.5, np.array([1.0, 1.5])

    def f(x):
        s = np.array([x[2], c * c * x[3]])
        size = math.hypot(x[2], c * x[3])
        return np.concatenate([x[2:], -mu * G * s / size])

    result = run(puck(mu, v, contact=f'friction_ratio="{c}"'), 0.3, 1e-4, interval=1e-3)
    reference = rk4(f, [0, 0, *v], 1e-3, 300)
    assert result["puck.x"] == pytest.approx(reference[:, 0], abs=1e-4)
    assert result["puck.y"] == pytest.approx(reference[:, 1], abs=1e-4)
    turned = math.atan2(result["puck.velocity_y"][-1], result["puck.velocity_x"][-1])
    assert turned == pytest.approx(math.atan2(reference[-1, 3], reference[-1, 2]), abs=2e-3)
    assert turned > math.atan2(1.5, 1.0) + 0.1  # less friction along y


def test_elliptic_friction_on_an_incline(run):
    """Pulled at 45 degrees to the axes of the ellipse, it starts along the excess of the force over
    the ellipse's nearest point: here it sticks along neither axis and drifts to the easy one."""
    text = puck(0.5, (0.0, 0.0), contact='friction_ratio="0.2"',
                gravity='<gravity x="2" y="2" z="-10"/>')
    result = run(text, 0.5, 1e-3)
    vx, vy = result["puck.velocity_x"][-1], result["puck.velocity_y"][-1]
    # steady direction d with v' || v: solve (2 - 5 d_1/n)/(2 - 0.2 d_2/n) = d_1/d_2, n^2 = d1^2+.04 d2^2
    angles = np.linspace(1e-4, math.pi / 2 - 1e-4, 200001)
    d1, d2 = np.cos(angles), np.sin(angles)
    n = np.hypot(d1, 0.2 * d2)
    residual = (2 - 5 * d1 / n) * d2 - (2 - 5 * 0.04 * d2 / n) * d1
    steady = angles[np.argmin(np.abs(residual))]
    assert math.atan2(vy, vx) == pytest.approx(steady, abs=1e-3)


def test_drilling_friction_brakes_a_spinning_ball(run):
    """Torque 3 pi/16 mu N R, GA (157)."""
    mu, R, radius, m = 0.3, 2e-3, 0.02, 0.1
    J = 0.4 * m * radius**2
    ball = spatial("ball", f'initial_z="{radius}" initial_angular_velocity_z="20"',
                   f'<sphere name="skin" radius="{radius}"/>', m, (J, J, J))
    text = mechanism(f'<gravity z="{-G}"/>{ball}<ground><plane name="table"/></ground><contact '
                     f'name="seat" first="ball.skin" second="ground.table" '
                     f'friction_coefficient="{mu}" contact_radius="{R}"/>')
    deceleration = 3 * math.pi / 16 * mu * m * G * R / J
    result = run(text, 1.5 * 20 / deceleration, 1.5 * 20 / deceleration / 1000)
    expected = np.maximum(0.0, 20 - deceleration * result["time"])
    assert result["ball.angular_velocity_z"] == pytest.approx(expected, abs=2e-2)
    braking = result[result["time"] < 0.9 * 20 / deceleration]
    assert braking["ball.angular_velocity_z"] == pytest.approx(
        20 - deceleration * braking["time"], abs=1e-8)
    assert result["seat.state"][-1] == STICK


def test_ball_rolls_round_in_a_pipe_and_comes_up_again(run):
    result = run(tools.MODELS / "ball_in_hole.xml", 1.2, 1e-4, interval=1e-3)
    assert (result["wall_contact.state"][5:] == STICK).all()
    rate = math.sqrt(2 / 7) * 20
    low = 2 * 5 / 7 * G / rate**2
    assert result["ball.z"].min() == pytest.approx(-low, rel=0.04)
    tops = -upward_crossings(-result["time"][::-1], result["ball.velocity_z"][::-1])
    assert np.diff(np.sort(tops)) == pytest.approx(2 * math.pi / rate, rel=0.02)


# --- velocity level ---

def test_blade_on_an_incline_runs_on_a_cycloid(run):
    """A skate that spins at the constant rate w, gravity a along -y, initial speed a/w along the
    blade: it does not go down on average, but sideways."""
    a, w = 3.0, 2.0
    text = mechanism(f"""<gravity y="{-a}"/>
<planar_body name="skate" mass="2" inertia="0.3" initial_velocity_x="{a / w}"
  initial_angular_velocity="{w}"/>
<skate name="blade" first="skate"/>""")
    errors = []
    for dt in (2e-3, 1e-3):
        result = run(text, 5.0, dt)
        t = result["time"]
        x = a / (2 * w) * (t + np.sin(2 * w * t) / (2 * w))
        y = a / (2 * w * w) * np.sin(w * t) ** 2
        errors.append(max(np.abs(result["skate.x"] - x).max(), np.abs(result["skate.y"] - y).max()))
        sideways = (-np.sin(result["skate.angle"]) * result["skate.velocity_x"]
                    + np.cos(result["skate.angle"]) * result["skate.velocity_y"])
        assert np.abs(sideways).max() < 1e-9
    assert errors[1] < 0.02 and errors[1] < 0.6 * errors[0]


# --- start ---

BROKEN = """<gravity y="-9.81"/>
<planar_body name="bob" mass="1" inertia="0.1" initial_x="1.1" initial_y="0.05"
  initial_velocity_x="0.3" initial_velocity_y="0.2"><point name="pivot" x="-1"/></planar_body>
<revolute name="hinge" first="bob.pivot"/>"""


def test_inconsistent_start_is_reported(tmp_path):
    (tmp_path / "model.xml").write_text(mechanism(BROKEN))
    done = tools.try_clatter("run", tmp_path / "model.xml", "--stop", "0.01")
    assert done.returncode == 0
    assert "joint hinge does not hold at the start" in done.stderr and "0.1" in done.stderr
    assert "violate joint hinge" in done.stderr and "project_start" in done.stderr


def test_start_is_projected_on_request(run, tmp_path):
    text = mechanism(BROKEN, solver='project_start="yes"')
    (tmp_path / "model.xml").write_text(text)
    done = tools.try_clatter("run", tmp_path / "model.xml", "--stop", "0.01")
    assert done.stderr == ""
    result = run(text, 0.1, 1e-3)
    start = result[0]
    assert start["hinge.violation"] < 1e-12
    # velocities: no part along the rod is left, and the least change in the mass metric
    c, s = math.cos(start["bob.angle"]), math.sin(start["bob.angle"])
    w = start["bob.angular_velocity"]
    assert [start["bob.velocity_x"], start["bob.velocity_y"]] == pytest.approx([-s * w, c * w],
                                                                               abs=1e-12)
    assert w == pytest.approx((-s * 0.3 + c * 0.2) / (1 + 0.1), rel=1e-9)
    # positions: nearest in the mass metric (here by a scan over the angle), up to what the
    # directions of the constraint change on the way, 0.1 m
    angles = np.linspace(-0.5, 0.5, 2000001)
    distance = ((np.cos(angles) - 1.1) ** 2 + (np.sin(angles) - 0.05) ** 2 + 0.1 * angles**2)
    assert start["bob.angle"] == pytest.approx(angles[np.argmin(distance)], abs=5e-3)


def test_a_wall_that_an_input_moves_by_a_jump_stops_a_puck_at_once(pack):
    """Gaps follow an input that was set. Without forecast a contact is considered only if it is
    closed at the start of a step: the wall's place in the step before would let the puck pass."""
    fmu = pack(mechanism("""
<input name="position" unit="m" start="-1"/>
<point_mass name="puck" mass="1" initial_velocity_x="-1"><point name="front"/></point_mass>
<driven_frame name="pusher" x="position"><line name="face" normal_angle="0"/></driven_frame>
<contact name="push" first="puck.front" second="pusher.face"/>""", solver='forecast="0"'))
    with Instance(fmu) as instance:
        instance.start()
        assert instance.step(0.0, 0.1) == OK
        assert instance.get("puck.x") == pytest.approx(-0.1, abs=1e-12)
        assert instance.slope("position", 0.0) == OK  # otherwise it moves there in a step
        assert instance.set(position=-0.0999) == OK
        assert instance.step(0.1, 1e-3) == OK
        assert instance.get("puck.velocity_x") == 0.0
        assert instance.get("push.normal_percussion") == pytest.approx(1.0)
        # and taken away again it lets go
        assert instance.set(position=-1.0) == OK
        assert instance.step(0.101, 1e-3) == OK
        assert instance.get("push.gap") > 0.8 and instance.get("push.normal_percussion") == 0.0
