"""What a step tells of itself: forces and impulses of contacts and joints against statics, the
energy balance against exact identities and known losses, and the counts of what a step needed."""

import math

import numpy as np
import pytest

import tools
from fmi2 import ERROR, OK, Instance
from models import G, SLED, TAUT, spatial
from tools import GENERALIZED_ALPHA, MOREAU_JEAN, mechanism

# to the order with which they follow smooth motion with joints; lobatto to that of the rule by which
# the work of a step is summed, from forces at its ends
ORDERS = {"moreau_jean": 2, "generalized_alpha": 2, "moreau_jean_projected": 2,
          "moreau_jean_combined": 2, "generalized_alpha_velocity": 1, "implicit_newmark": 1,
          "schatzman_paoli": 1, "lobatto": 2}
SCHEMES = pytest.mark.parametrize("scheme", ORDERS)
LOSSES = ("dissipated_by_impact", "dissipated_by_friction", "dissipated_by_damping")


def worst_balance(result):
    return np.abs(result["energy.balance"]).max()


def energy(result, name):
    return result["energy." + name]


# --- the balance is exact where all forces of a step are constant or linear ---

@pytest.mark.parametrize("model, stop, dt, settings", [
    ("rotating_ball", 2.0, 1e-3, {}),
    ("rotating_ball", 2.0, 1e-3, {"ball.initial_angular_velocity": 50.0,
                                  "floor_contact.normal_restitution": 0.0}),
    ("ball_in_corner", 2.0, 1e-3, {}),
    ("linear_oscillator", 4.0, 2e-3, {}),
    ("bouncing_oscillator", 1.0, 1e-3, {}),
    ("bouncing_bar", 2.0, 2e-3, {}),
])
def test_balance_vanishes_with_constant_and_linear_forces(run, model, stop, dt, settings):
    """With theta = 1/2 the scheme has the exact identity of energy: rounding alone remains."""
    result = run(tools.MODELS / f"{model}.xml", stop, dt, settings)
    assert worst_balance(result) < 1e-12 * energy(result, "total")[0]
    assert sum(energy(result, name)[-1] for name in LOSSES) > 1e-3 * energy(result, "total")[0]


def test_balance_tells_what_the_scheme_damps(run):
    """With theta = 1 the scheme itself takes energy, which nothing else accounts for."""
    result = run(tools.MODELS / "bouncing_oscillator.xml", 1.0, 5e-4, {"solver.theta": 1.0})
    change = energy(result, "total") - energy(result, "total")[0]
    losses = sum(energy(result, name) for name in LOSSES)
    assert energy(result, "balance") == pytest.approx(change + losses, abs=1e-12)
    assert energy(result, "balance")[-1] < -1.0


# --- what is taken by what ---

def test_ball_with_spin_loses_what_impact_and_friction_take(run):
    """It falls by 0.9 m, does not rebound, and slides until it rolls at 10/7 m/s. The impact is
    placed at the grid: the energies are off by what gravity gives at that speed in a step."""
    inertia = 0.4 * 0.1**2
    sliding = 0.5 * inertia * 50**2 - 0.5 * (1 + 0.4) * (10 / 7)**2
    for dt in (2e-3, 1e-3, 5e-4, 1e-4):
        result = run(tools.MODELS / "rotating_ball.xml", 1.0, dt,
                     {"ball.initial_angular_velocity": 50.0,
                      "floor_contact.normal_restitution": 0.0}, interval=0.1)
        error = G * math.sqrt(2 * G * 0.9) * dt
        assert energy(result, "dissipated_by_impact")[-1] == pytest.approx(0.9 * G, abs=error)
        assert energy(result, "dissipated_by_friction")[-1] == pytest.approx(sliding, abs=error)
        assert np.diff(energy(result, "dissipated_by_friction")).min() > -1e-15


def test_impact_takes_what_restitution_says(run):
    """Up to the second impact: half m v^2 (1 - e^2), v being that before the first one."""
    dt = 1e-4
    result = run(tools.MODELS / "linear_oscillator.xml", 1.0, dt)
    hit = int(np.argmax(result["wall_contact.normal_impulse"] > 0))
    v = result["mass.velocity_x"][hit - 1]
    assert energy(result, "dissipated_by_impact")[-1] == pytest.approx(0.5 * v**2 * 0.36, rel=1e-3)
    assert (energy(result, "dissipated_by_damping")[hit]
            == pytest.approx(0.3 * np.trapezoid(result["mass.velocity_x"][:hit + 1]**2, dx=dt),
                             rel=1e-3))


def test_hinge_with_dry_friction_takes_torque_times_angle(run):
    text = mechanism("""<planar_body name="wheel" mass="1" inertia="2" initial_angular_velocity="3"/>
<revolute name="axle" first="ground" second="wheel" friction_torque="0.5"/>""")
    result = run(text, 20.0, 1e-2)
    assert energy(result, "dissipated_by_friction") == pytest.approx(
        0.5 * result["wheel.angle"], abs=1e-12)
    assert energy(result, "dissipated_by_friction")[-1] == pytest.approx(9.0, abs=1e-12)
    assert result["axle.acting_friction"][10] == pytest.approx(-0.5, abs=1e-12)
    assert result["axle.friction_percussion"][10] == pytest.approx(-0.5e-2, abs=1e-12)
    assert abs(result["axle.acting_friction"][-1]) < 1e-12
    assert worst_balance(result) < 1e-12


def test_belt_spends_twice_what_the_box_gets(run):
    """A box laid on a belt of speed v: half of the belt's work m v^2 is lost to friction."""
    m, v = 2.0, 1.5
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="box" mass="{m}" inertia="0.1" initial_y="0.1">
  <point name="left" x="-0.2" y="-0.1"/><point name="right" x="0.2" y="-0.1"/></planar_body>
<driven_frame name="belt" x="{v}*t"><line name="top"/></driven_frame>
<contact name="left" first="box.left" second="belt.top" friction_coefficient="0.4"/>
<contact name="right" first="box.right" second="belt.top" friction_coefficient="0.4"/>""")
    result = run(text, 1.0, 1e-3)
    assert result["box.velocity_x"][-1] == pytest.approx(v, abs=1e-10)
    assert energy(result, "input_work")[-1] == pytest.approx(m * v**2, rel=2e-3)
    assert energy(result, "dissipated_by_friction")[-1] == pytest.approx(m * v**2 / 2, rel=2e-3)
    assert worst_balance(result) < 1e-12
    assert result["left.friction_force"][10] + result["right.friction_force"][10] == pytest.approx(
        0.4 * m * G, rel=1e-9)


def test_lift_does_the_work_of_lifting(run):
    """A plate under a ball goes up at varying speed: the ball's energy comes from it."""
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="ball" mass="3" inertia="0.01" initial_y="0.1"><circle name="rim" radius="0.1"/>
</planar_body>
<driven_frame name="lift" y="0.5*(1 - cos(t))"><line name="top"/></driven_frame>
<contact name="seat" first="ball.rim" second="lift.top"/>""")
    result = run(text, 3.0, 1e-2)
    gained = energy(result, "total") - energy(result, "total")[0]
    assert energy(result, "input_work") == pytest.approx(gained, abs=1e-3)
    assert gained[-1] == pytest.approx(3 * G * 0.5 * (1 - math.cos(3)), rel=1e-2)
    assert worst_balance(result) < 1e-10


# --- smooth motion: the balance closes with the order of the scheme ---

SWINGING = """<gravity y="-9.81"/>
<planar_body name="rod" mass="1" inertia="0.1" initial_x="0.5"><point name="pivot" x="-0.5"/>
  <point name="end" x="0.5"/></planar_body>
<ground><point name="hook" x="1.5" y="0.5"/></ground>
<revolute name="hinge" first="rod.pivot"/>
<spring_damper name="band" first="rod.end" second="ground.hook" stiffness="40" damping="2"
  free_length="0.3"/>"""
CRANK = """<gravity y="-9.81"/>
<planar_body name="crank" mass="1" inertia="0.1" initial_x="0.5" initial_velocity_y="1"
  initial_angular_velocity="2"><point name="pivot" x="-0.5"/></planar_body>
<revolute name="hinge" first="crank.pivot"/>
<angle_drive name="motor" first="ground" second="crank" angle="2*t + 0.5*t^2"/>"""
SHAKER = """<gravity y="-9.81"/>
<driven_frame name="table" x="0.1*sin(5*t)" y="0.05*cos(3*t)" angle="0.3*sin(2*t)">
  <point name="hook" x="0.2"/></driven_frame>
<planar_body name="mass" mass="1" inertia="0.1" initial_x="0.7" initial_velocity_y="0.5">
  <point name="eye" x="-0.1"/></planar_body>
<spring_damper name="spring" first="mass.eye" second="table.hook" stiffness="50" damping="1"
  free_length="0.4"/>
<torsional_spring_damper name="twist" first="table" second="mass" stiffness="2" damping="0.1"/>"""
ACTUATED = """<gravity y="-9.81"/>
<planar_body name="arm" mass="1" inertia="0.1" initial_x="0.5"><point name="pivot" x="-0.5"/>
  <frame name="rail" angle="0.2"/></planar_body>
<point_mass name="slider" mass="0.5" initial_x="0.7" initial_y="0.040542"/>
<revolute name="hinge" first="ground" second="arm.pivot"/>
<angle_actuator name="motor" first="ground" second="arm" target="0.5*sin(3*t)"
  proportional_gain="30" derivative_gain="3"/>
<slide_actuator name="pusher" first="arm.rail" second="slider" target="0.3" force="5*cos(4*t)"
  proportional_gain="60" derivative_gain="1"/>
<spring_damper name="guide" first="slider" second="arm" stiffness="100" free_length="0.1"/>
<force name="wind" on="arm" frame="body" x="sin(t)" y="2"/>
<torque name="twist" on="arm" value="0.3*t"/>"""
FLYING = """<gravity z="-9.81"/>""" + spatial(
    "top", 'initial_angular_velocity_x="0.5" initial_angular_velocity_y="6" '
    'initial_angular_velocity_z="0.3"', '<point name="pivot" x="-0.3"/><point name="tip" x="0.3"/>',
    J=(0.02, 0.05, 0.06)) + """
<driven_frame name="mast" angle="0.5*sin(2*t)" axis_x="1" axis_z="2">
  <point name="head" x="-0.3"/></driven_frame>
<spherical name="ball" first="top.pivot" second="mast.head"/>
<spring_damper name="stay" first="top.tip" second="mast" stiffness="20" damping="1"
  free_length="0.1"/>
<torque name="push" on="top" x="0.1" y="0.2*t" frame="body"/>
<force name="pull" on="top.tip" y="1 + t"/>"""


@SCHEMES
@pytest.mark.parametrize("model, work, damping", [
    (SWINGING, False, True), (CRANK, True, False), (SHAKER, True, True), (ACTUATED, True, False),
    (FLYING, True, True),
], ids=["spring", "drive", "shaker", "actuators", "space"])
def test_balance_of_smooth_motion_closes_with_the_order_of_the_scheme(run, model, work, damping,
                                                                      scheme):
    steps = [4e-3, 2e-3, 1e-3]
    errors = []
    solver = f'project_start="yes" scheme="{scheme}"'
    for dt in steps:
        result = run(mechanism(model, solver=solver), 1.0, dt, interval=4e-3)
        errors.append(worst_balance(result))
        assert (abs(energy(result, "input_work")[-1]) > 0.05) == work
        assert (energy(result, "dissipated_by_damping")[-1] > 0.05) == damping
        assert (energy(result, "dissipated_by_damping")[-1] == 0.0) == (not damping)
        assert not energy(result, "dissipated_by_impact").any()
    orders = tools.orders(steps, errors)  # without joints those of first order may have more
    assert (ORDERS[scheme] - 0.3 < orders).all() and (orders < 2.3).all(), errors
    assert errors[-1] < (1e-3 if ORDERS[scheme] == 2 else 0.1)


@pytest.mark.parametrize("model, stop, steps, scheme", [
    ("slider_crank", 0.2, [1e-4, 5e-5, 2.5e-5], MOREAU_JEAN),
    ("rocking_block", 1.0, [4e-3, 2e-3, 1e-3], MOREAU_JEAN),
    ("parcel_pusher", 1.0, [1e-3, 5e-4, 2.5e-4], MOREAU_JEAN),
    ("rotating_ball", 2.0, [4e-3, 2e-3, 1e-3], GENERALIZED_ALPHA),
    ("slider_crank", 0.2, [1e-4, 5e-5, 2.5e-5], GENERALIZED_ALPHA),
])
def test_balance_with_impacts_closes_at_least_with_order_one(run, model, stop, steps, scheme):
    errors = [worst_balance(run(tools.MODELS / f"{model}.xml", stop, dt,
                                {"solver.scheme": scheme}, interval=steps[0]))
              for dt in steps]
    assert tools.orders(steps, errors).mean() > 0.8, errors


# --- inputs, parameters, snapshots, failures ---

def test_inputs_that_jump_do_their_work(pack):
    """The force of each step is constant: the balance holds to rounding."""
    with Instance(pack(SLED)) as instance:
        instance.start()
        work = 0.0
        for i, push in enumerate((30.0, -12.0, 5.0, 40.0, -90.0)):
            assert instance.set(push=push) == OK
            x = instance.get("sled.x")
            instance.steps(0.1 * i, 0.02, 5)
            work += push * (instance.get("sled.x") - x)
        assert instance.get("energy.input_work") == pytest.approx(work, rel=1e-12)
        assert instance.get("energy.dissipated_by_friction") > 1.0
        assert abs(instance.get("energy.balance")) < 1e-12


def test_parameters_that_change_put_energy_in(pack):
    """A spring made stiffer in the motion stores more; gravity that changes lifts all."""
    with Instance(pack(SLED)) as instance:
        instance.start(push=20.0)
        instance.steps(0.0, 0.05, 10)
        work = instance.get("energy.input_work")
        stretch = instance.get("band.length") - 1.0
        assert instance.set(drag=3.0) == OK
        spring = 0.5 * 2.0 * stretch**2
        assert instance.get("energy.input_work") == pytest.approx(work + spring, rel=1e-12)
        assert abs(instance.get("energy.balance")) < 1e-12
        assert instance.set(gravity__y=-20.0, drag=5.0) == OK
        assert instance.get("energy.input_work") == pytest.approx(
            work + 2 * spring + 20.0 * instance.get("sled.y"), rel=1e-12)
        assert instance.set(drag=-1.0) != OK  # a refused value changes nothing
        assert instance.get("energy.input_work") == pytest.approx(
            work + 2 * spring + 20.0 * instance.get("sled.y"), rel=1e-12)
        before = instance.get("energy.balance")
        instance.steps(0.5, 1e-3, 5)
        assert abs(instance.get("energy.balance") - before) < 1e-6


JUMPING_HOOK = mechanism("""<input name="hook" unit="m" start="0.5"/>
<point_mass name="mass" mass="1"/><driven_frame name="wall" x="hook"/>
<spring_damper name="spring" first="mass" second="wall" stiffness="8"/>""")


def test_driven_frame_that_jumps_puts_energy_in(pack):
    with Instance(pack(JUMPING_HOOK)) as instance:
        instance.start()
        instance.steps(0.0, 1e-3, 100)
        x = instance.get("mass.x")
        assert instance.slope("hook", 0.0) == OK  # otherwise it moves to the new value in a step
        assert instance.set(hook=0.9) == OK
        assert instance.set(hook=0.7) == OK
        expected = 4 * ((0.7 - x)**2 - (0.5 - x)**2)
        assert instance.get("energy.input_work") == pytest.approx(expected, rel=1e-9)
        instance.steps(0.1, 1e-3, 100)
        assert instance.get("energy.input_work") == pytest.approx(expected, rel=1e-9)
        assert abs(instance.get("energy.balance")) < 1e-12


def test_sums_go_back_with_the_state(pack):
    with Instance(pack(SLED)) as instance:
        instance.start(push=30.0)
        instance.steps(0.0, 0.01, 10)
        assert instance.set(drag=2.0) == OK  # taken into account in the next step only
        state = instance.save()
        instance.steps(0.1, 0.01, 10)
        after = instance.snapshot()
        assert instance.set(push=-50.0) == OK
        instance.steps(0.2, 0.01, 10)
        assert instance.SetFMUstate(state) == OK
        instance.steps(0.1, 0.01, 10)
        assert instance.snapshot() == after
        instance.release(state)


def test_failed_step_leaves_no_energy_behind(pack):
    with Instance(pack(TAUT)) as instance:
        instance.start(solver__maximum_iterations=1, solver__tolerance=1e-12, spring__stiffness=1e9)
        names = ["energy." + name for name in ("total", "balance", "input_work", *LOSSES)]
        before = instance.try_get(*names)
        assert instance.step(0.0, 0.05) == ERROR
        assert instance.try_get(*names) == before


# --- contacts ---

def test_contact_tells_forces_and_impulses_apart(run):
    dt = 1e-3
    result = run(tools.MODELS / "rotating_ball.xml", 1.0, dt,
                 {"ball.initial_angular_velocity": 50.0, "floor_contact.normal_restitution": 0.0})
    hits = np.flatnonzero(result["floor_contact.normal_impulse"] > 0)
    assert len(hits) == 1
    hit = hits[0]
    for row in ("normal", "friction"):
        force, impulse, percussion = (result[f"floor_contact.{row}_{what}"]
                                      for what in ("force", "impulse", "percussion"))
        assert impulse[hit] == percussion[hit] and force[hit] == 0.0
        assert np.delete(impulse, hit) == pytest.approx(0.0, abs=0.0)
        assert np.delete(force, hit) * dt == pytest.approx(np.delete(percussion, hit), rel=1e-14)
    assert result["floor_contact.normal_force"][hit + 1:] == pytest.approx(G, rel=1e-9)
    assert result["floor_contact.friction_force"][hit + 10] == pytest.approx(-0.2 * G, rel=1e-9)


def test_elliptic_friction_is_told_in_forces(run):
    """A block of space slides along each tangent in turn: mu m g and half of it."""
    for axis, expected in ((0, 0.4 * G), (1, 0.2 * G)):
        velocity = 'initial_velocity_x="3"' if axis == 0 else 'initial_velocity_y="3"'
        text = mechanism(f'<gravity z="-{G}"/>' + spatial("block", velocity, '<point name="foot"/>')
                         + """<ground><plane name="floor"/></ground>
<contact name="seat" first="block.foot" second="ground.floor" friction_coefficient="0.4"
  friction_ratio="0.5"/>""")
        result = run(text, 0.1, 1e-3)
        forces = np.array([result["seat.friction_force_1"], result["seat.friction_force_2"]])[:, 5:]
        assert np.abs(forces[axis]) == pytest.approx(expected, rel=1e-9)
        assert np.abs(forces[1 - axis]).max() < 1e-9
        assert result["seat.drilling_force"] == pytest.approx(0.0, abs=1e-12)


# --- joints: statics ---

def efforts(result, joint, space=False):
    names = (["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"] if space
             else ["force_x", "force_y", "torque"])
    return np.array([result[f"{joint}.{name}"][-1] for name in names])


@SCHEMES
def test_hanging_pendulum_carries_its_weight(run, scheme):
    m = 2.0
    for order, sign in (('first="bob.eye" second="ground.hook"', -1),
                        ('first="ground.hook" second="bob.eye"', 1)):
        text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="bob" mass="{m}" inertia="0.1" initial_x="0.3" initial_y="-0.5">
  <point name="eye" y="0.5"/></planar_body>
<ground><point name="hook" x="0.3"/></ground><revolute name="hinge" {order}/>""",
                         solver=f'scheme="{scheme}"')
        result = run(text, 0.01, 1e-3)
        assert efforts(result, "hinge") == pytest.approx([0.0, sign * m * G, 0.0], abs=1e-9)
        assert not result["hinge.impulse_y"].any() and not result["hinge.angular_impulse"].any()


@pytest.mark.parametrize("order, sign", [('first="ground.wall" second="beam.root"', 1),
                                         ('first="beam.root" second="ground.wall"', -1)])
def test_cantilever_carries_weight_and_moment(run, order, sign):
    m, a = 2.0, 0.7
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="beam" mass="{m}" inertia="0.1" initial_x="{a}"><point name="root" x="-{a}"/>
</planar_body><ground><point name="wall"/></ground><rigid name="clamp" {order}/>""")
    assert efforts(run(text, 0.01, 1e-3), "clamp") == pytest.approx(
        [0.0, sign * m * G, sign * m * G * a], abs=1e-9)


@SCHEMES
@pytest.mark.parametrize("order, sign", [('first="ground.wall" second="beam.root"', 1),
                                         ('first="beam.root" second="ground.wall"', -1)])
def test_cantilever_of_space(run, order, sign, scheme):
    """Turned about some axis, its marker askew, its centre of mass off the origin: the components
    are those of the world all the same."""
    m = 2.0
    rotation = (0.3, -0.5, 0.8)
    angle = math.hypot(*rotation)
    n = np.array(rotation) / angle
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    R = np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
    arm = R @ np.array([0.7, -0.2, 0.1])  # from the root to the centre of mass
    origin = R @ np.array([0.6, 0.0, 0.0])
    body = spatial("beam", " ".join(f'initial_{k}="{v!r}" initial_rotation_{k}="{w}"'
                                    for k, v, w in zip("xyz", origin.tolist(), rotation))
                   + ' centre_of_mass_x="0.1" centre_of_mass_y="-0.2" centre_of_mass_z="0.1"',
                   '<frame name="root" x="-0.6" rotation_z="0.4"/>', m=m)
    # the wall's marker has the axes of the beam's
    c, s = math.cos(0.4), math.sin(0.4)
    A = R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    turn = math.acos((np.trace(A) - 1) / 2)
    axis = np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]]) / (2 * math.sin(turn))
    wall = " ".join(f'rotation_{k}="{v!r}"' for k, v in zip("xyz", (turn * axis).tolist()))
    text = mechanism(f'<gravity x="1" y="-{G}" z="2"/>{body}'
                     f'<ground><frame name="wall" {wall}/></ground><rigid name="clamp" {order}/>',
                     solver=f'scheme="{scheme}"')
    force = -m * np.array([1.0, -G, 2.0])
    expected = sign * np.concatenate([force, np.cross(arm, force)])
    assert efforts(run(text, 0.01, 1e-3), "clamp", True) == pytest.approx(expected, abs=1e-8)


def test_slide_and_rod_carry_what_they_must(run):
    """A slide on an incline that a rod holds, its body hanging to the side of it."""
    m, slope, a = 2.0, 0.3, 0.2
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="cart" mass="{m}" inertia="0.1" initial_angle="{slope}"
  initial_x="-{a}*sin({slope})" initial_y="{a}*cos({slope})">
  <point name="foot" y="-{a}"/></planar_body>
<ground><frame name="rail" angle="{slope}"/>
  <point name="top" x="cos({slope})" y="sin({slope})"/></ground>
<prismatic name="slide" first="ground.rail" second="cart.foot"/>
<distance name="rod" first="ground.top" second="cart.foot" length="1"/>""")
    result = run(text, 0.01, 1e-3)
    along = np.array([math.cos(slope), math.sin(slope)])
    across = np.array([-math.sin(slope), math.cos(slope)])
    # the rod pulls at the foot, the weight acts at a above it
    expected = [*(m * G * math.cos(slope) * across), -m * G * a * math.sin(slope)]
    assert efforts(result, "slide") == pytest.approx(expected, abs=1e-8)
    assert efforts(result, "rod") == pytest.approx([*(m * G * math.sin(slope) * along), 0.0],
                                                   abs=1e-8)


@SCHEMES
@pytest.mark.parametrize("order, sign", [('first="disc.rim" second="ground.floor"', -1),
                                         ('first="ground.floor" second="disc.rim"', 1)])
def test_rolling_disc_presses_on_the_second_body_whichever_that_is(run, order, sign, scheme):
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="disc" mass="2" inertia="0.1" initial_y="0.1"><circle name="rim" radius="0.1"/>
</planar_body><ground><line name="floor"/></ground><rolling name="track" {order}/>""",
                     solver=f'scheme="{scheme}"')
    force_x, force_y, _ = efforts(run(text, 0.01, 1e-3), "track")
    assert (force_x, force_y) == pytest.approx((0.0, sign * 2 * G), abs=1e-9)


def test_drive_tells_its_torque(run):
    """Holding an arm level takes m g a; accelerating it the inertia besides."""
    text = mechanism(f"""<gravity y="-{G}"/>
<planar_body name="arm" mass="2" inertia="0.1" initial_x="0.5"><point name="pivot" x="-0.5"/>
</planar_body><revolute name="hinge" first="ground" second="arm.pivot"/>
<angle_drive name="motor" first="ground" second="arm" angle="1.5*t^2"/>""")
    result = run(text, 1.0, 1e-3)
    middle = (result["arm.angle"][1:] + result["arm.angle"][:-1]) / 2
    expected = (0.1 + 2 * 0.25) * 3 + 2 * G * 0.5 * np.cos(middle)
    assert result["motor.torque"][2:] == pytest.approx(expected[1:], abs=2e-2)
    assert result["motor.force_x"] == pytest.approx(0.0, abs=1e-12)


def test_impact_in_a_mechanism_is_told_as_impulses(run):
    result = run(tools.MODELS / "impacting_pendulum.xml", 1.0, 1e-3)
    hits = np.flatnonzero(result["stop.normal_impulse"] > 0)
    assert len(hits) >= 1
    first = hits[0]
    size = np.hypot(result["hinge.impulse_x"], result["hinge.impulse_y"])
    assert size[first] > 0.1 and result["hinge.force_x"][first] == 0.0
    assert not size[:first].any() and result["hinge.force_x"][first - 1] != 0.0


# --- what a step needed ---

COUNTS = ("regularised_steps", "swept_steps", "damped_steps", "retried_steps", "failed_steps")


def test_counts_of_easy_steps(run):
    result = run(tools.MODELS / "rotating_ball.xml", 1.0, 1e-3)
    assert (result["solver.steps"] == np.arange(1001)).all()
    assert (result["solver.total_iterations"] == np.cumsum(result["solver.iterations"])).all()
    assert result["solver.iterations"][1:].min() >= 1
    hit = np.flatnonzero(result["floor_contact.normal_percussion"] > 0)[0]
    assert not result["solver.contact_iterations"][:hit].any()
    assert result["solver.contact_iterations"][hit] > 0
    for name in COUNTS:
        assert result["solver." + name][-1] == 0, name


def test_dependent_force_directions_are_counted(run):
    """The ball rests in the corner from t = 1.36 s on: both planes together push redundantly."""
    result = run(tools.MODELS / "ball_in_corner.xml", 2.0, 1e-3)
    counts = result["solver.regularised_steps"]
    assert counts[1300] <= 2 and counts[-1] > 0
    assert result["solver.retried_steps"][-1] == 0


def test_damped_steps_are_counted(run):
    """A controller of such gain that each full Newton update of the first step leads from one limit
    to the other; half of it ends between them."""
    text = mechanism("""<point_mass name="mass" mass="1" initial_velocity_x="0.025"/>
<slide_actuator name="motor" first="ground" second="mass" proportional_gain="88888" limit="10"/>""")
    result = run(text, 1e-2, 1e-2)
    assert result["solver.damped_steps"][-1] == 1 and result["solver.retried_steps"][-1] == 0
    assert result["solver.iterations"][-1] > 50  # the attempt that failed is part of the cost
    assert result["solver.residual"][-1] <= 1e-10


def test_halved_steps_are_counted(pack):
    """Too few iterations for a long step of nonlinear springs, enough for parts of it."""
    with Instance(pack(TAUT)) as instance:
        instance.start(solver__maximum_iterations=4)
        instance.steps(0.0, 0.05, 4)
        assert 0 < instance.get("solver.retried_steps") <= 4
        assert instance.get("solver.steps") == 4
        assert instance.get("solver.iterations") > 8  # attempts that failed are part of the cost
        assert instance.get("solver.failed_steps") == 0


def test_joint_violation_on_both_levels(run):
    """Moreau-Jean's joints hold on velocity level and drift on position level."""
    result = run(tools.MODELS / "double_pendulum.xml", 1.0, 1e-3)
    assert result["solver.joint_velocity_violation"].max() < 1e-8
    assert result["solver.joint_violation"][-1] > 1e-8
    start = mechanism("""<planar_body name="a" mass="1" inertia="1" initial_velocity_x="0.25"/>
<revolute name="hinge" first="a"/>""")
    first = run(start, 1e-3, 1e-3)
    assert first["solver.joint_velocity_violation"][0] == pytest.approx(0.25)
    assert first["solver.joint_violation"][0] == 0.0


@pytest.mark.parametrize("model, stop, dt, names", [
    ("ball_in_corner", 1.5, 1e-3, ("ball.x", "ball.y", "ball.angle")),
    ("tippe_top", 0.2, 1e-3, ("top.x", "top.y", "top.z", "top.angular_velocity_z")),
    ("rocking_block", 0.5, 1e-3, ("block.x", "block.y", "block.angle")),
])
def test_prox_parameter_changes_the_way_not_the_result(run, model, stop, dt, names):
    path = tools.MODELS / f"{model}.xml"
    reference = run(path, stop, dt)
    for r in (1e-3, 0.1, 10.0):
        result = run(path, stop, dt, {"solver.prox_parameter": r})
        assert result["solver.retried_steps"][-1] == 0
        for name in names:
            size = np.abs(reference[name]).max()
            assert result[name] == pytest.approx(reference[name], abs=1e-6 * size), (name, r)
