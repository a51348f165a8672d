"""Bodies and joints, each in a small mechanism whose motion is known in closed form or from an
independent integration."""

import math

import numpy as np
import pytest

import tools
from exact import double_pendulum, euler, rk4
from models import G, PLANAR_FOUR_BAR, spatial
from tools import mechanism, quaternion, rotation, upward_crossings

# --- joints: many bodies against minimal coordinates ---

def test_double_pendulum_agrees_with_minimal_coordinates(run):
    """Of second order: the joints' forces act with their directions in the middle of the step."""
    steps = [4e-3, 2e-3, 1e-3, 5e-4]
    errors = []
    reference = rk4(double_pendulum, [0, 0, 0, 0], 5e-4, 2000)[::40]
    for dt in steps:
        result = run(tools.MODELS / "double_pendulum.xml", 1.0, dt, interval=2e-2)
        assert result["solver.joint_violation"][0] < 1e-15
        errors.append(max(np.abs(result["upper.angle"] - reference[:, 0]).max(),
                          np.abs(result["lower.angle"] - reference[:, 1]).max()))
    assert tools.orders(steps, errors) == pytest.approx(2.0, abs=0.2), errors
    assert errors[-1] < 1e-5


def test_redundant_hinges_of_space_move_as_those_of_the_plane(run):
    plane = run(mechanism(PLANAR_FOUR_BAR), 2.0, 1e-3, interval=1e-2)
    space = run(tools.MODELS / "four_bar_spatial.xml", 2.0, 1e-3, interval=1e-2)
    assert np.ptp(plane["coupler.y"]) > 0.5  # it does move
    for body in ("crank", "coupler", "rocker"):
        for name in ("x", "y", "velocity_x", "velocity_y"):
            assert space[f"{body}.{name}"] == pytest.approx(plane[f"{body}.{name}"], abs=1e-7)
        assert np.abs(space[f"{body}.z"]).max() < 1e-12
        angle = 2 * np.arctan2(space[f"{body}.quaternion_3"], space[f"{body}.quaternion_0"])
        turns = (angle - plane[f"{body}.angle"]) / (2 * math.pi)
        assert turns == pytest.approx(np.round(turns), abs=1e-7)
    assert space["solver.retried_steps"][-1] == 0
    assert space["solver.joint_violation"].max() < 1e-4


@pytest.mark.parametrize("scheme", [1, 2])
def test_tangents_do_not_jump_where_the_normal_is_level(run, scheme):
    """Equal balls on a floor touch there, and the normal is level to rounding only."""
    forces = []
    for offset in (1e-12, -1e-12):
        a = spatial("a", 'initial_x="-0.1" initial_angular_velocity_y="5"',
                    content='<sphere name="ball" radius="0.1"/>')
        b = spatial("b", f'initial_x="0.1" initial_z="{offset}"',
                    content='<sphere name="ball" radius="0.1"/>')
        push = ('<force name="right" on="a" x="1"/><force name="left" on="b" x="-1"/>')
        contact = ('<contact name="touch" first="a.ball" second="b.ball" '
                   'friction_coefficient="0.3"/>')
        result = run(mechanism(a + b + push + contact), 2e-3, 1e-3,
                     {"solver.scheme": scheme})
        forces.append([result["touch.friction_percussion_1"][-1],
                       result["touch.friction_percussion_2"][-1]])
    assert np.abs(forces[0]).max() > 1e-4
    assert forces[1] == pytest.approx(forces[0], abs=1e-9)


# --- bodies of space ---

def test_free_top_keeps_energy_and_momentum_to_the_order_of_the_scheme(run):
    J = np.array([1.0, 2.0, 3.0])
    steps = [2e-2, 1e-2, 5e-3]
    energy_errors, momentum_errors, errors = [], [], []
    for dt in steps:
        result = run(tools.MODELS / "free_top.xml", 5.0, dt)
        p = quaternion(result, "top")
        w = np.array([result[f"top.angular_velocity_{k}"] for k in "xyz"])
        assert np.sqrt((p * p).sum(axis=0)) == pytest.approx(1.0, abs=1e-14)
        L = np.einsum("nij,jn->ni", rotation(p), J[:, None] * w)
        energy = result["energy.total"]
        energy_errors.append(np.abs(energy - energy[0]).max() / energy[0])
        momentum_errors.append(np.abs(L - L[0]).max() / np.linalg.norm(L[0]))
        reference = rk4(euler(J), [*p[:, 0], *w[:, 0]], dt / 4, 4 * (len(result) - 1))[::4]
        errors.append(max(np.abs(reference[:, 4:].T - w).max(), np.abs(reference[:, :4].T - p).max()))
        assert result["top.x"] == pytest.approx(0.1 * result["time"], abs=1e-12)
    assert max(energy_errors) < 1e-8  # the midpoint rule keeps quadratic invariants
    assert tools.orders(steps, momentum_errors) == pytest.approx(2.0, abs=0.2)
    assert tools.orders(steps, errors) == pytest.approx(2.0, abs=0.2)


def test_symmetric_free_top_precesses(run):
    """The transverse angular velocity turns in the body at the rate (J_3 - J_1)/J_1 w_3."""
    J1, J3, w3, a = 0.2, 0.3, 10.0, 1.5
    result = run(mechanism(spatial("top", f'initial_angular_velocity_x="{a}" '
                                   f'initial_angular_velocity_z="{w3}"', J=(J1, J1, J3))),
                 3.0, 1e-3)
    n = (J3 - J1) / J1 * w3
    t = result["time"]
    assert result["top.angular_velocity_x"] == pytest.approx(a * np.cos(n * t), abs=1e-4)
    assert result["top.angular_velocity_y"] == pytest.approx(a * np.sin(n * t), abs=1e-4)
    assert result["top.angular_velocity_z"] == pytest.approx(w3, abs=1e-9)


def test_heavy_top_precesses_steadily(run):
    """Axis horizontal, held at one end: J_3 w_3 p = m g l."""
    m, l, J1, J3, w3 = 2.0, 0.1, 0.02, 0.01, 150.0
    p = m * G * l / (J3 * w3)
    top = spatial("top", f'initial_x="{l}" initial_rotation_y="pi/2" initial_velocity_y="{p * l}" '
                  f'initial_angular_velocity_x="{-p}" initial_angular_velocity_z="{w3}"',
                  f'<point name="foot" z="{-l}"/>', m, (J1, J1, J3))
    text = mechanism(f'<gravity z="{-G}"/>{top}<spherical name="pivot" first="top.foot"/>')
    errors = []
    steps = [1e-3, 5e-4]
    for dt in steps:
        result = run(text, 2.0, dt)
        t = result["time"]
        errors.append(max(np.abs(result["top.x"] - l * np.cos(p * t)).max(),
                          np.abs(result["top.y"] - l * np.sin(p * t)).max(),
                          np.abs(result["top.z"]).max()) / l)
    assert tools.orders(steps, errors) == pytest.approx(2.0, abs=0.2), errors
    assert errors[-1] < 5e-3


def test_centre_of_mass_may_lie_off_the_origin(run):
    """A spinning body flies about its centre of mass wherever its coordinates have their origin."""
    body = spatial("body", 'centre_of_mass_x="0.3" initial_rotation_z="pi/2" initial_velocity_x="1" '
                   'initial_angular_velocity_z="5"')
    result = run(mechanism(body), 1.0, 1e-3)
    assert result["body.x"] == pytest.approx(result["time"], abs=1e-12)
    assert result["body.y"] == pytest.approx(0.3, abs=1e-12)


# --- each joint ---

def test_spherical_joint_swings_in_any_direction(run):
    m, l, J, a = 2.0, 0.5, 0.03, 0.02
    body = spatial("bob", f'initial_x="{l * math.sin(a) * 0.6}" initial_y="{l * math.sin(a) * 0.8}" '
                   f'initial_z="{-l * math.cos(a)}" initial_rotation_x="{0.8 * a}" '
                   f'initial_rotation_y="{-0.6 * a}"',
                   f'<point name="top" z="{l}"/>', m, (J, J, J))
    result = run(mechanism(f'<gravity z="{-G}"/>{body}<spherical name="pivot" first="bob.top"/>'),
                 5.0, 1e-3)
    assert result["pivot.violation"][0] < 1e-15
    period = 2 * math.pi * math.sqrt((J + m * l * l) / (m * G * l)) * (1 + a * a / 16)
    assert np.diff(upward_crossings(result["time"], result["bob.x"])) == pytest.approx(period,
                                                                                       rel=1e-3)
    assert result["bob.y"] == pytest.approx(result["bob.x"] * 4 / 3, abs=1e-9)
    assert result["pivot.violation"].max() < 1e-7


def test_distance_is_a_massless_rod(run):
    l, a = 0.7, 0.05
    text = mechanism(f"""<gravity y="{-G}"/>
<point_mass name="bob" mass="3" initial_x="{l * math.sin(a)}" initial_y="{-l * math.cos(a)}"/>
<distance name="rod" first="bob" length="{l}"/>""")
    result = run(text, 5.0, 1e-3)
    period = 2 * math.pi * math.sqrt(l / G) * (1 + a * a / 16)
    assert np.diff(upward_crossings(result["time"], result["bob.x"])) == pytest.approx(period,
                                                                                       rel=1e-3)
    assert np.hypot(result["bob.x"], result["bob.y"]) == pytest.approx(l, abs=1e-5)


def test_prismatic_joint_of_the_plane(run):
    text = mechanism(f"""<gravity y="{-G}"/>
<planar_body name="block" mass="2" inertia="0.1" initial_angle="-0.4"/>
<ground><frame name="rail" angle="-0.4"/></ground>
<prismatic name="rail" first="ground.rail" second="block"/>""")
    result = run(text, 1.0, 1e-3)
    s = 0.5 * G * math.sin(0.4) * result["time"] ** 2
    assert result["block.x"] == pytest.approx(s * math.cos(0.4), abs=1e-10)
    assert result["block.y"] == pytest.approx(-s * math.sin(0.4), abs=1e-10)
    assert result["block.angle"] == pytest.approx(-0.4, abs=1e-12)


AXES = 'rotation_x="0.5" rotation_y="-0.7" rotation_z="0.3"'
INITIAL_AXES = AXES.replace("rotation", "initial_rotation")


def axes():
    """The matrix of AXES, by Rodrigues' formula."""
    v = np.array([0.5, -0.7, 0.3])
    angle = np.linalg.norm(v)
    n = v / angle
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def slides(run, joint, initial=""):
    """A body on a joint with oblique axes, and its position in these axes."""
    body = spatial("body", f"{INITIAL_AXES} {initial}", J=(0.1, 0.2, 0.3))
    text = mechanism(f'<gravity z="{-G}"/>{body}<ground><frame name="at" {AXES}/></ground>'
                     f'<{joint} name="joint" first="ground.at" second="body"/>')
    result = run(text, 1.0, 1e-3)
    assert result["joint.violation"].max() < 1e-9
    x = np.array([result[f"body.{k}"] for k in "xyz"])
    return result, axes().T @ x, axes().T @ [0, 0, -G]


def test_prismatic_joint_of_space(run):
    result, x, g = slides(run, "prismatic")
    assert x[0] == pytest.approx(0.5 * g[0] * result["time"] ** 2, abs=1e-9)
    assert np.abs(x[1:]).max() < 1e-9
    p = quaternion(result, "body")
    assert p == pytest.approx(np.repeat(p[:, :1], p.shape[1], axis=1), abs=1e-9)


def test_cylindrical_joint_turns_and_slides(run):
    result, x, g = slides(run, "cylindrical", 'initial_angular_velocity_z="7"')
    assert x[2] == pytest.approx(0.5 * g[2] * result["time"] ** 2, abs=1e-9)
    assert np.abs(x[:2]).max() < 1e-9
    assert result["body.angular_velocity_z"] == pytest.approx(7.0, abs=1e-9)
    axis = rotation(quaternion(result, "body"))[:, :, 2]
    assert axis == pytest.approx(np.tile(axes()[:, 2], (len(axis), 1)), abs=1e-9)


def test_planar_joint_slides_and_turns_in_its_plane(run):
    result, x, g = slides(run, "planar", 'initial_angular_velocity_z="7"')
    t = result["time"]
    assert x[:2] == pytest.approx(0.5 * np.outer(g[:2], t**2), abs=1e-9)
    assert np.abs(x[2]).max() < 1e-9
    assert result["body.angular_velocity_z"] == pytest.approx(7.0, abs=1e-9)


def test_revolute_joint_of_space_is_a_hinge(run):
    """About an oblique axis through the origin: only gravity's part across the axis swings it."""
    a, l, m, J = 0.02, 0.4, 1.0, (0.1, 0.2, 0.3)
    body = spatial("body", INITIAL_AXES, f'<point name="hinge" x="{-l}"/>', m, J)
    x = axes() @ [l, 0, 0]
    body = body.replace("<spatial_body ", '<spatial_body initial_x="{}" initial_y="{}" initial_z="{}" '
                        .format(*x))
    g = axes() @ np.array([G * math.cos(a), G * math.sin(a), 3.0])
    text = mechanism('<gravity x="{}" y="{}" z="{}"/>'.format(*g) + body +
                     f'<ground><frame name="at" {AXES}/></ground>'
                     '<revolute name="hinge" first="body.hinge" second="ground.at"/>')
    result = run(text, 4.0, 1e-3)
    period = 2 * math.pi * math.sqrt((J[2] + m * l * l) / (m * G * l)) * (1 + a * a / 16)
    rate = result["body.angular_velocity_z"]
    assert np.diff(upward_crossings(result["time"], rate)) == pytest.approx(period, rel=1e-3)
    assert np.abs(result["body.angular_velocity_x"]).max() < 1e-9
    assert np.abs(result["body.angular_velocity_y"]).max() < 1e-9


@pytest.mark.parametrize("space", [False, True])
def test_rigid_joint_makes_one_body_of_two(run, space):
    """Two bodies 1 apart turn about their common centre of mass and keep its velocity."""
    w = 3.0
    if space:
        a = spatial("a", f'initial_velocity_y="{-w * 2 / 3}" initial_angular_velocity_z="{w}"',
                    '<frame name="end" x="0.5"/>')
        b = spatial("b", f'initial_x="1" initial_velocity_y="{w / 3}" '
                    f'initial_angular_velocity_z="{w}"', '<frame name="end" x="-0.5"/>', m=2.0)
    else:
        a = f"""<planar_body name="a" mass="1" inertia="0.1" initial_velocity_y="{-w * 2 / 3}"
initial_angular_velocity="{w}"><frame name="end" x="0.5"/></planar_body>"""
        b = f"""<planar_body name="b" mass="2" inertia="0.1" initial_x="1"
initial_velocity_y="{w / 3}" initial_angular_velocity="{w}"><frame name="end" x="-0.5"/>
</planar_body>"""
    result = run(mechanism(a + b + '<rigid name="weld" first="a.end" second="b.end"/>'), 2.0, 1e-3)
    assert (result["a.x"] + 2 * result["b.x"]) / 3 == pytest.approx(2 / 3, abs=1e-10)
    assert (result["a.y"] + 2 * result["b.y"]) / 3 == pytest.approx(0.0, abs=1e-10)
    distance = np.hypot(result["b.x"] - result["a.x"], result["b.y"] - result["a.y"])
    assert distance == pytest.approx(1.0, abs=1e-4)
    assert result["weld.violation"].max() < 1e-4
    rate = result["b.angular_velocity_z" if space else "b.angular_velocity"]
    assert rate == pytest.approx(w, rel=1e-2)  # damped by the scheme, in proportion to the step
