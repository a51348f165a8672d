"""Each kind of element in a small mechanism with a known motion."""

import math

import numpy as np
import pytest

import tools
from tools import STICK, mechanism, simulate


# --- forces ---

def test_spring_oscillates(pack):
    """m x'' = -k (x - l): exactly the frequency of the midpoint rule, tan(w dt/2) = w0 dt/2."""
    m, k, dt = 2.0, 800.0, 1e-3
    fmu = pack(mechanism(f"""
<point_mass name="mass" mass="{m}" initial_x="1.3"/>
<spring_damper name="spring" first="mass" stiffness="{k}" free_length="1"/>"""))
    result = simulate(fmu, 2.0, dt, output=["mass.x", "mass.y", "energy.total", "spring.tension"])
    w = 2 / dt * math.atan(math.sqrt(k / m) * dt / 2)
    assert result["mass.x"] == pytest.approx(1 + 0.3 * np.cos(w * result["time"]), abs=1e-10)
    assert result["spring.tension"] == pytest.approx(k * (result["mass.x"] - 1), abs=1e-9)
    assert result["energy.total"] == pytest.approx(k * 0.3**2 / 2, rel=1e-10)
    assert (result["mass.y"] == 0).all()


def test_damper_decays(pack):
    m, k, c = 1.0, 100.0, 4.0
    fmu = pack(mechanism(f"""
<point_mass name="mass" mass="{m}" initial_x="0.2"/>
<spring_damper name="spring" first="mass" stiffness="{k}" damping="{c}"/>"""))
    w = math.sqrt(k / m - (c / 2 / m) ** 2)
    errors = []
    for dt in (4e-3, 2e-3, 1e-3):
        result = simulate(fmu, 1.0, dt, output=["mass.x"])
        t = result["time"]
        x = 0.2 * np.exp(-c / 2 / m * t) * (np.cos(w * t) + c / 2 / m / w * np.sin(w * t))
        errors.append(np.abs(result["mass.x"] - x).max())
    assert tools.orders([4e-3, 2e-3, 1e-3], errors) == pytest.approx(2.0, abs=0.1)


def test_theta_one_is_of_first_order_and_damps(pack):
    fmu = pack(mechanism("""
<point_mass name="mass" mass="1" initial_x="0.2"/>
<spring_damper name="spring" first="mass" stiffness="100"/>"""))
    errors = []
    for dt in (2e-3, 1e-3, 5e-4):
        result = simulate(fmu, 1.0, dt, {"solver.theta": 1.0}, ["mass.x", "energy.total"])
        errors.append(np.abs(result["mass.x"] - 0.2 * np.cos(10 * result["time"])).max())
        assert (np.diff(result["energy.total"]) < 0).all()
    assert tools.orders([2e-3, 1e-3, 5e-4], errors) == pytest.approx(1.0, abs=0.1)


def test_torsional_spring(pack):
    J, k, dt = 0.5, 200.0, 1e-3
    fmu = pack(mechanism(f"""
<planar_body name="wheel" mass="1" inertia="{J}" initial_angle="0.7"/>
<torsional_spring_damper name="spring" first="ground" second="wheel" stiffness="{k}" free_angle="0.2"/>"""))
    result = simulate(fmu, 1.0, dt, output=["wheel.angle", "spring.torque", "energy.total"])
    w = 2 / dt * math.atan(math.sqrt(k / J) * dt / 2)
    angle = 0.2 + 0.5 * np.cos(w * result["time"])
    assert result["wheel.angle"] == pytest.approx(angle, abs=1e-10)
    assert result["spring.torque"] == pytest.approx(-k * (angle - 0.2), abs=1e-8)
    assert result["energy.total"] == pytest.approx(k * 0.5**2 / 2, rel=1e-10)


def test_torque_and_its_reaction(pack):
    fmu = pack(mechanism("""
<planar_body name="a" mass="1" inertia="0.5"/>
<planar_body name="b" mass="1" inertia="0.25" initial_x="3"/>
<torque name="motor" on="a" against="b" value="4*t"/>"""))
    result = simulate(fmu, 1.0, 1e-3)
    assert result["a.angular_velocity"][-1] == pytest.approx(4 / 2 / 0.5, rel=1e-12)
    assert result["b.angular_velocity"][-1] == pytest.approx(-4 / 2 / 0.25, rel=1e-12)


def test_projectile_with_force_of_time_and_input(pack):
    """x'' = (3 sin(2t) + 2 wind)/m, y'' = -g."""
    fmu = pack(mechanism("""
<gravity y="-9.81"/><input name="wind" unit="N" start="0.5"/>
<point_mass name="ball" mass="2" initial_velocity_x="1" initial_velocity_y="5"/>
<force name="push" on="ball" x="3*sin(2*t) + 2*wind"/>"""))
    dt = 1e-3
    result = simulate(fmu, 1.0, dt)
    t = result["time"]
    x = t + 3 / 2 * (t / 2 - np.sin(2 * t) / 4) + 0.25 * t**2
    assert result["ball.x"] == pytest.approx(x, abs=dt**2)
    assert result["ball.y"] == pytest.approx(5 * t - 9.81 * t**2 / 2, abs=1e-11)
    signals = np.array([(0.0, 0.0), (1.0, 4.0)], dtype=[("time", float), ("wind", float)])
    result = simulate(fmu, 1.0, dt, inputs=signals)  # FMPy gives the slope of the ramp
    v = 1 + 3 / 4 * (1 - math.cos(2)) + 2.0
    assert result["ball.velocity_x"][-1] == pytest.approx(v, abs=2e-3)


def test_force_off_the_centre_turns(pack):
    """A force in the body frame at an arm: constant torque, and the force turns along."""
    fmu = pack(mechanism("""
<planar_body name="rod" mass="1" inertia="0.5"><point name="end" x="2"/></planar_body>
<force name="jet" on="rod.end" y="3" frame="body"/>"""))
    result = simulate(fmu, 1.0, 1e-3)
    t = result["time"]
    assert result["rod.angle"] == pytest.approx(12 * t**2 / 2, abs=1e-9)
    vx = np.cumsum(-3 * np.sin(6 * ((t[1:] + t[:-1]) / 2) ** 2)) * 1e-3
    assert result["rod.velocity_x"][1:] == pytest.approx(vx, abs=1e-4)


# --- contacts ---

def two_balls(e, mu=0.0, e_F=0.0, offset=0.0):
    return mechanism(f"""
<planar_body name="a" mass="1" inertia="0.4" initial_x="-1" initial_velocity_x="2"
  initial_y="{offset}"><circle name="rim" radius="0.25"/></planar_body>
<planar_body name="b" mass="3" inertia="0.4" initial_x="1" initial_velocity_x="-1">
  <circle name="rim" radius="0.25"/></planar_body>
<contact name="hit" first="a.rim" second="b.rim" normal_restitution="{e}"
  friction_coefficient="{mu}" tangential_restitution="{e_F}"/>""")


@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_two_balls_collide_by_newtons_law(pack, e):
    result = simulate(pack(two_balls(e)), 1.0, 1e-3)
    a, b = result["a.velocity_x"], result["b.velocity_x"]
    assert a + 3 * b == pytest.approx(-1.0, rel=1e-12)  # momentum
    assert a[-1] - b[-1] == pytest.approx(-e * 3.0, abs=1e-12)
    assert result["hit.normal_percussion"].max() == pytest.approx((1 + e) * 3 * 0.75, rel=1e-12)
    gained = result["energy.total"][-1] / result["energy.total"][0] - 1
    assert gained == pytest.approx(0.0, abs=1e-12) if e == 1.0 else gained < -0.1


def test_oblique_collision_with_friction_conserves_what_it_must(pack):
    result = simulate(pack(two_balls(0.5, mu=0.3, offset=0.3)), 1.0, 5e-4)
    x, y = result["a.velocity_x"], result["a.velocity_y"]
    X, Y = result["b.velocity_x"], result["b.velocity_y"]
    assert x + 3 * X == pytest.approx(-1.0, rel=1e-11)
    assert y + 3 * Y == pytest.approx(0.0, abs=1e-11)
    # about the origin; the arms of the scheme's contact point are those at the end of the step
    spin = (0.4 * (result["a.angular_velocity"] + result["b.angular_velocity"])
            + result["a.x"] * y - result["a.y"] * x
            + 3 * (result["b.x"] * Y - result["b.y"] * X))
    assert spin == pytest.approx(spin[0], abs=5e-3)
    assert abs(result["a.angular_velocity"][-1]) > 0.1
    assert result["energy.total"][-1] < result["energy.total"][0]


def test_tangential_restitution(pack):
    """A superball: sticking friction returns e_F of the sliding velocity."""
    fmu = pack(mechanism("""
<gravity y="-10"/>
<planar_body name="ball" mass="1" inertia="0.004" initial_y="0.5" initial_angular_velocity="-20">
  <circle name="rim" radius="0.1"/></planar_body>
<ground><line name="floor"/></ground>
<contact name="floor" first="ball.rim" second="ground.floor" friction_coefficient="5"
  normal_restitution="1" tangential_restitution="0.6"/>"""))
    result = simulate(fmu, 0.5, 1e-3, output=["floor.sliding_velocity", "floor.normal_percussion",
                                               "floor.friction_percussion"])
    hit = int(np.argmax(result["floor.normal_percussion"] > 0))
    before, after = result["floor.sliding_velocity"][[hit - 1, hit]]
    assert before == pytest.approx(-2.0, rel=1e-12)
    assert after == pytest.approx(0.6 * 2.0, rel=1e-10)
    assert result["floor.friction_percussion"][hit] == pytest.approx(1.6 * 2 / 3.5, rel=1e-10)


def test_point_on_a_line_that_moves(pack):
    """A plate with a line on it falls freely with a point resting on it: no force between them."""
    fmu = pack(mechanism("""
<gravity y="-10"/>
<planar_body name="plate" mass="5" inertia="1"><line name="top" y="0.1"/></planar_body>
<point_mass name="crumb" mass="0.1" initial_x="0.3" initial_y="0.1"><point name="tip"/></point_mass>
<contact name="rest" first="plate.top" second="crumb.tip" friction_coefficient="0.5"/>"""))
    result = simulate(fmu, 0.5, 1e-3)
    assert np.abs(result["rest.normal_percussion"]).max() < 1e-12
    assert result["crumb.y"] - result["plate.y"] == pytest.approx(0.1, abs=1e-10)


def incline(mu, material=""):
    return mechanism(f"""
<gravity y="-10"/><parameter name="slope" value="0.4" unit="rad"/>
<point_mass name="block" mass="3" {material}><point name="foot"/></point_mass>
<ground {material.replace("wood", "steel")}><line name="hill" normal_angle="pi/2 + slope"/></ground>
<contact name="hill" first="block.foot" second="ground.hill" {mu}/>""",
                     attributes='materials="materials.xml"' if material else "")


def test_friction_holds_on_an_incline(pack):
    result = simulate(pack(incline('friction_coefficient="0.43"')), 1.0, 1e-3)  # tan 0.4 = 0.4228
    assert np.abs(result["block.x"]).max() < 1e-12
    assert (result["hill.state"] == STICK).all()
    assert result["hill.normal_percussion"][1:] == pytest.approx(30e-3 * math.cos(0.4), rel=1e-9)
    assert np.abs(result["hill.friction_percussion"][1:]) == pytest.approx(30e-3 * math.sin(0.4),
                                                                           rel=1e-9)


def test_block_slides_down_an_incline(pack):
    result = simulate(pack(incline('friction_coefficient="0.2"')), 1.0, 1e-3)
    a = 10 * (math.sin(0.4) - 0.2 * math.cos(0.4))
    s = np.hypot(result["block.x"], result["block.y"])
    assert s == pytest.approx(a * result["time"] ** 2 / 2, abs=1e-3)
    # a gap of rounding size lets the block fall freely for one step, no more
    assert result["hill.gap"].max() < 1e-12 and result["hill.gap"].min() >= -10 * 1e-3**2
    speed = np.hypot(result["block.velocity_x"], result["block.velocity_y"])
    assert speed[10:] == pytest.approx(a * result["time"][10:], abs=1e-9)


MATERIALS = """<materials xmlns="urn:clatter:materials:1">
<pair first="steel" second="wood" friction_coefficient="0.2" normal_restitution="0.1"
  source="a test"/></materials>"""


def test_contact_from_the_table_of_materials(pack):
    fmu = pack(incline("", 'material="wood"'), MATERIALS)
    assert float(fmu.variables["hill.friction_coefficient"].start) == 0.2
    assert float(fmu.variables["hill.normal_restitution"].start) == 0.1
    assert (fmu.resources / "materials.xml").read_text() == MATERIALS
    by_table = simulate(fmu, 1.0, 1e-3)
    by_hand = simulate(pack(incline('friction_coefficient="0.2" normal_restitution="0.1"')), 1.0,
                       1e-3)
    assert (by_table["block.x"] == by_hand["block.x"]).all()
    given = pack(incline('friction_coefficient="0.7"', 'material="wood"'), MATERIALS)
    assert float(given.variables["hill.friction_coefficient"].start) == 0.7


def test_many_balls_come_to_rest_in_a_bowl(pack):
    """No failed step on the way, no ball through the wall."""
    import models
    result = simulate(pack(models.BOWL), 6.0, 1e-3, {"push": 0.0}, communication=1e-2)
    assert result["solver.failed_steps"][-1] == 0
    for i in range(4):
        distance = np.hypot(result[f"ball_{i}.x"], result[f"ball_{i}.y"] - 1.0)
        assert distance.max() < 0.9 + 5e-3
        for j in range(i):
            gap = np.hypot(result[f"ball_{i}.x"] - result[f"ball_{j}.x"],
                           result[f"ball_{i}.y"] - result[f"ball_{j}.y"])
            assert gap.min() > 0.2 - 1e-2
