"""What contacts exert on a body: weights on a slope and of three legs, a drum with bodies inside."""

import re

import fmpy
import numpy as np
import pytest

from fmi2 import OK, Instance
from tools import clatter, mechanism, read_csv, try_clatter

SCHEMES = ("moreau_jean", "generalized_alpha", "moreau_jean_projected", "moreau_jean_combined",
           "generalized_alpha_velocity", "implicit_newmark", "lobatto")


def simulate(tmp_path, content, stop=0.2, step=1e-3, scheme="moreau_jean"):
    path = tmp_path / "model.xml"
    path.write_text(mechanism(content, step=step, solver=f'scheme="{scheme}"'))
    clatter("run", path, "--stop", stop, "-o", tmp_path / "motion.csv")
    return read_csv(tmp_path / "motion.csv")


def vectors(rows, name, quantity="force", axes="xyz"):
    """(n x axes)"""
    return np.array([rows[f"{name}.{quantity}_{axis}"] for axis in axes]).T


# --- at rest ---

# The centre of mass is at (0.3, 0.1) of the body, whose mass is 8 kg; the slope is that of gravity.
SLOPE = """<gravity x="3" y="-8"/>
<ground><line name="floor" group="floor"/></ground>
<planar_body name="crate" initial_x="1"><frame name="edge" x="0.5" y="0"/>
  <box name="box" x="0.3" y="0.1" length="0.4" height="0.2" density="100" group="crate"/>
</planar_body>
<contacts name="touch" first="{}" second="{}" friction_coefficient="0.6"/>
<contact_sensor name="load" on="crate" of="touch"/>
<contact_sensor name="all" on="crate"/>
<contact_sensor name="box" on="crate.box" of="touch"/>
<contact_sensor name="edge" on="crate.edge"/>
<contact_sensor name="floor" on="ground"/>
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_crate_at_rest_on_a_slope(tmp_path, scheme):
    """Contacts balance the weight m g and its torque r x m g about each origin."""
    groups = ("crate", "floor") if scheme != "lobatto" else ("floor", "crate")
    end = simulate(tmp_path, SLOPE.format(*groups), scheme=scheme)[-1]
    for name, torque in (("load", 0.3 * 64 + 0.1 * 24), ("all", 0.3 * 64 + 0.1 * 24),
                         ("box", 0.3 * 64 + 0.1 * 24), ("edge", -0.2 * 64 + 0.1 * 24)):
        found = [end[f"{name}.{of}"] for of in ("force_x", "force_y", "torque")]
        assert found == pytest.approx([-24, 64, torque], abs=1e-6), name
    found = [end[f"floor.{of}"] for of in ("force_x", "force_y", "torque")]
    assert found == pytest.approx([24, -64, -1.3 * 64 - 0.1 * 24], abs=1e-6)
    assert [end[f"load.{of}"] for of in ("impulse_x", "impulse_y", "angular_impulse")] == \
        pytest.approx([0, 0, 0], abs=1e-12)


def test_impulses_at_an_impact(tmp_path):
    """Of a crate that falls flat, and stays: m v in the step of the impact, up to its weight."""
    rows = simulate(tmp_path, SLOPE.format("crate", "floor").replace(
        'initial_x="1"', 'initial_y="0.05" initial_velocity_y="-2"'))
    step = np.argmax(rows["load.impulse_y"])
    speed = -rows["crate.velocity_y"][step - 1]
    assert rows["load.impulse_y"][step] == pytest.approx(8 * speed + 64e-3, rel=1e-9)
    assert rows["load.force_y"][step] == 0 and np.count_nonzero(rows["load.impulse_y"]) == 1
    about_origin, about_edge = (rows[f"{name}.angular_impulse"][step] for name in ("load", "edge"))
    assert about_edge == pytest.approx(about_origin - 0.5 * rows["load.impulse_y"][step], rel=1e-9)


LEGS = {"a": (-0.5, -0.3), "b": (0.6, -0.2), "c": (0.1, 0.5)}


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "lobatto"])
@pytest.mark.parametrize("grouped", [True, False])
def test_legs_of_a_table(tmp_path, scheme, grouped):
    """Three legs, of one body, carry what the lever law says: sum F = m g, sum F x = sum F y = 0."""
    legs = "".join(f'<sphere name="{name}" x="{x}" y="{y}" z="-0.5" radius="0.1" {{}}/>'
                   for name, (x, y) in LEGS.items()).format(*['group="legs"'] * 3)
    contacts = ('<contacts name="touch" first="legs" second="floor" friction_coefficient="0.3"/>'
                if grouped else "".join(f'<contact name="touch_{name}" first="table.{name}" '
                                        'second="ground.floor" friction_coefficient="0.3"/>'
                                        for name in LEGS))
    sensors = "".join(f'<contact_sensor name="{name}" on="table.{name}"/>' for name in LEGS)
    end = simulate(tmp_path, f"""<gravity z="-10"/>
<ground><plane name="floor" {'group="floor"' if grouped else ''}/></ground>
<spatial_body name="table" mass="7" inertia_xx="1" inertia_yy="1" inertia_zz="1" initial_z="0.6">
{legs if grouped else legs.replace('group="legs"', '')}</spatial_body>
{contacts}{sensors}<contact_sensor name="legs" on="table"/>
<contact_sensor name="floor" on="ground.floor"/>""", scheme=scheme)[-1]
    exact = np.linalg.solve(np.array([(1, x, y) for x, y in LEGS.values()]).T, [70, 0, 0])
    for (name, (x, y)), force in zip(LEGS.items(), exact):
        found = [end[f"{name}.{of}_{axis}"] for of in ("force", "torque") for axis in "xyz"]
        assert found == pytest.approx([0, 0, force, y * force, -x * force, 0], abs=1e-5), name
    for name, sign in (("legs", 1), ("floor", -1)):
        found = [end[f"{name}.{of}_{axis}"] for of in ("force", "torque") for axis in "xyz"]
        assert found == pytest.approx([0, 0, 70 * sign, 0, 0, 0], abs=1e-5)


@pytest.mark.parametrize("shape", [
    '<circle name="s" radius="0.1" y="0.1"/>', '<box name="s" length="0.4" height="0.2" y="0.1"/>',
    '<polygon name="s"><vertex/><vertex x="0.3"/><vertex y="0.2"/></polygon>'])
def test_single_contacts_count(tmp_path, shape):
    """Of points that the model names, one or several, and of surfaces: what the contact tells."""
    rows = simulate(tmp_path, f"""<gravity x="3" y="-8"/><ground><line name="floor"/></ground>
<planar_body name="b" mass="2" inertia="0.1" initial_y="0.01" initial_velocity_x="1">{shape}
</planar_body>
<contact name="touch" first="b.s" second="ground.floor" friction_coefficient="0.5"/>
<contact_sensor name="load" on="b" of="touch"/><contact_sensor name="floor" on="ground"/>""")
    if "circle" in shape:
        told = rows["touch.friction_force"], rows["touch.normal_force"]
    else:
        told = rows["touch.total_force_x"], rows["touch.total_force_y"]
    assert np.allclose(vectors(rows, "load", axes="xy").T, told, rtol=0, atol=1e-12)
    assert np.array_equal(vectors(rows, "floor", axes="xy"), -vectors(rows, "load", axes="xy"))
    assert np.max(rows["load.force_y"]) > 10 and np.max(rows["load.impulse_y"]) > 0.5
    # friction acts at the height 0: its moment about the ground's origin is that of the normal force
    assert np.max(np.abs(rows["floor.torque"])) > 0.01


# --- a drum ---

PLANE_DRUM = """<gravity y="-9.81"/>
<planar_body name="drum" mass="3" inertia="2" initial_angular_velocity="3">
  <ring name="wall" radius="0.8" group="drum"/></planar_body>
<revolute name="axle" first="drum"/>
<planar_body name="ball" initial_x="-0.3" initial_y="-0.5">
  <circle name="s" radius="0.09" density="20" group="inside"/></planar_body>
<planar_body name="box" initial_x="-0.1" initial_y="-0.25">
  <box name="s" length="0.15" height="0.1" density="20" group="inside"/></planar_body>
<planar_body name="wedge" initial_x="0.2" initial_y="-0.4">
  <polygon name="s" density="20" group="inside"><vertex x="0.08"/><vertex x="-0.05" y="0.07"/>
  <vertex x="-0.05" y="-0.07"/></polygon></planar_body>"""
SPACE_DRUM = """<gravity y="-9.81"/>
<spatial_body name="drum" mass="3" inertia_xx="2" inertia_yy="2" inertia_zz="2"
              initial_angular_velocity_z="3">
  <bore name="wall" radius="0.8" group="drum"/></spatial_body>
<revolute name="axle" first="drum"/>
<spatial_body name="ball" initial_x="-0.3" initial_y="-0.5">
  <sphere name="s" radius="0.09" density="200" group="inside"/></spatial_body>
<spatial_body name="box" initial_x="-0.1" initial_y="-0.25">
  <box name="s" length="0.15" width="0.12" height="0.1" density="200" group="inside"/>
</spatial_body>
<spatial_body name="pill" initial_x="0.2" initial_y="-0.4" initial_angular_velocity_x="2">
  <capsule name="s" radius="0.05" x_1="-0.05" x_2="0.05" density="200" group="inside"/></spatial_body>"""
BODIES = {"plane": ("ball", "box", "wedge"), "space": ("ball", "box", "pill")}
CONTACTS = """
<contacts name="wall" first="inside" second="drum" friction_coefficient="0.5"
          normal_restitution="0.2"/>
<contacts name="among" first="inside" friction_coefficient="0.3"/>
<contact_sensor name="load" on="drum" of="wall"/>"""


def drum(which):
    return ((PLANE_DRUM if which == "plane" else SPACE_DRUM) + CONTACTS +
            "".join(f'<contact_sensor name="on_{name}" on="{name}"/>' for name in BODIES[which]))


def given(rows, name, of, axis, step):
    """The momentum of each step."""
    return (step * rows[f"{name}.{of[0]}{axis}"] + rows[f"{name}.{of[1]}{axis}"])[1:]


@pytest.mark.parametrize("which", ["plane", "space"])
def test_drum_against_balance_of_momentum(tmp_path, which):
    step = 5e-4
    rows = simulate(tmp_path, drum(which), stop=1.2, step=step)
    assert np.count_nonzero(rows["load.impulse_y"]) > 5  # impacts, and forces between them
    assert np.count_nonzero(rows["load.force_y"]) > 500
    axes = "xy" if which == "plane" else "xyz"
    # what bodies exert on each other cancels: all on those inside is opposite to that on the drum
    for quantity in ("force", "impulse"):
        sums = vectors(rows, "load", quantity, axes) + sum(
            vectors(rows, f"on_{name}", quantity, axes) for name in BODIES[which])
        assert np.max(np.abs(sums)) < 1e-11
    # the drum: I omega' = torque about its axle
    spin = rows["drum.angular_velocity" + ("" if which == "plane" else "_z")]
    end = "" if which == "plane" else "_z"
    torque = given(rows, "load", ("torque", "angular_impulse"), end, step)
    assert np.max(np.abs(2 * (spin[1:] - 3) - np.cumsum(torque))) < 1e-9
    assert spin[-1] < 2.5  # friction has slowed it down
    # each body: m v' = force + m g, up to the residuals of 2400 steps
    for name in BODIES[which]:
        mass = MASSES[which][name]
        for axis in axes:
            weight = -9.81 * mass * step if axis == "y" else 0.0
            momentum = np.cumsum(given(rows, f"on_{name}", ("force_", "impulse_"), axis, step)
                                 + weight)
            velocity = rows[f"{name}.velocity_{axis}"]
            error = mass * (velocity[1:] - velocity[0]) - momentum
            assert np.max(np.abs(error)) < 1e-9, (name, axis)


MASSES = {"plane": {"ball": 20 * np.pi * 0.09**2, "box": 20 * 0.15 * 0.1,
                    "wedge": 20 * 0.5 * 0.13 * 0.14},
          "space": {"ball": 200 * 4 / 3 * np.pi * 0.09**3, "box": 200 * 0.15 * 0.12 * 0.1,
                    "pill": 200 * np.pi * 0.05**2 * (0.1 + 4 / 3 * 0.05)}}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_drum_with_every_scheme(tmp_path, scheme):
    rows = simulate(tmp_path, drum("plane"), stop=0.6, scheme=scheme)
    for quantity in ("force", "impulse"):
        sums = vectors(rows, "load", quantity, "xy") + sum(
            vectors(rows, f"on_{name}", quantity, "xy") for name in BODIES["plane"])
        assert np.max(np.abs(sums)) < 1e-9 * (1 + np.max(np.abs(rows["load.force_y"])))
    assert np.max(np.abs(rows["load.torque"])) > 0.5


def test_the_fmu_tells_the_same(tmp_path, pack):
    fmu = pack(mechanism(drum("space"), step=1e-3))
    names = [f"load.{of}_{axis}" for of in ("force", "torque", "impulse", "angular_impulse")
             for axis in "xyz"]
    result = fmpy.simulate_fmu(str(fmu.directory), stop_time=0.4, output_interval=1e-3,
                               output=names)
    rows = simulate(tmp_path, drum("space"), stop=0.4)
    for name in names:
        assert np.array_equal(result[name], rows[name]), name
    assert np.max(np.abs(result["load.torque_z"])) > 0.1


def test_a_state_that_comes_back_has_the_loads(pack):
    with Instance(pack(mechanism(drum("plane"), step=1e-3))) as instance:
        instance.start()
        assert instance.step(0.0, 0.5) == OK
        state = instance.save()
        here = instance.snapshot()
        load = instance.get("load.torque"), instance.get("load.force_y")
        assert instance.step(0.5, 0.1) == OK
        assert load != (instance.get("load.torque"), instance.get("load.force_y")) and load[0] != 0
        assert instance.SetFMUstate(state) == OK
        assert instance.snapshot() == here
        instance.release(state)


# --- on what bends ---

def test_ball_on_a_beam(tmp_path):
    """At rest on a stiff console: the weight at the arm where the ball lies, about the root."""
    rows = simulate(tmp_path, """<gravity y="-10"/>
<beam name="rod" length="1" height="0.05" width="0.05" elements="4" youngs_modulus="1e9"
      density="1000" damping_time="0.01"><frame name="root"/>
  <skin name="skin" stations="81" group="rod"/></beam>
<rigid name="clamp" first="ground" second="rod.root"/>
<planar_body name="ball" initial_x="0.6" initial_y="0.125" mass="0.5" inertia="0.002">
  <circle name="s" radius="0.1" group="ball"/></planar_body>
<contacts name="touch" first="ball" second="rod" friction_coefficient="1"/>
<contact_sensor name="beam" on="rod" of="touch"/><contact_sensor name="own" on="ball"/>""",
                    stop=0.3, step=5e-4)
    told = slice(20, None)
    force = vectors(rows, "beam", axes="xy")[told]
    assert np.allclose(force, -vectors(rows, "own", axes="xy")[told], atol=1e-10)
    assert np.max(np.abs(force[:, 1])) > 1
    # about the beam's origin, which is at rest, but for the gap between the points that touch
    x, y = rows["ball.x"][told], rows["ball.y"][told]
    exact = x * force[:, 1] - y * force[:, 0] - rows["own.torque"][told]
    bound = rows["touch.largest_penetration"][told] * np.hypot(*force.T) + 1e-8
    assert np.all(np.abs(rows["beam.torque"][told] - exact) <= bound)


# --- reading ---

BOX = """<ground><line name="floor" group="floor"/><line name="other"/></ground>
<planar_body name="crate" mass="1" inertia="1" initial_y="1"><circle name="c" radius="1" group="crate"/>
<frame name="f"/></planar_body><planar_body name="idle" mass="1" inertia="1" initial_y="1"><frame
name="f"/><circle name="c" radius="1"/></planar_body><contact name="other" first="idle.c"
second="ground.other"/><contacts name="touch" first="crate" second="floor"/>
<sensor name="s1" at="crate.f"/><sensor name="s2" at="idle.f"/>
"""


def told(tmp_path, sensor):
    path = tmp_path / "model.xml"
    path.write_text(mechanism(BOX + sensor))
    done = try_clatter("check", path)
    return re.findall(r":(\d+):(\d+): (error|warning): (.*)$", done.stderr + done.stdout,
                      re.MULTILINE)


@pytest.mark.parametrize("attributes, column, severity, words", [
    ('on="crat"', 30, "error", 'on="crat" is not the name of an element: expected a body, the '
     "ground, or a shape written as body.shape, did you mean 'crate'?"),
    ('on="touch"', 30, "error", 'on="touch" is a <contacts>: expected a body'),
    ('on="crate" of="tuch"', 41, "error", 'of="tuch" is not the name of an element: expected a '
     "<contact> or <contacts>, did you mean 'touch'?"),
    ('on="crate" of="ground"', 41, "error", 'of="ground" is a <ground>: expected a <contact>'),
    ('of="touch"', 1, "error", "<contact_sensor> needs the attribute on"),
    ('on="idle" of="touch"', 30, "warning",
     "no shape of idle takes part in touch: the force on it is always zero"),
    ('on="idle.f" of="touch"', 30, "warning", "no shape of idle takes part in touch"),
    ('on="ground.other" of="touch"', 30, "warning", "ground.other takes no part in touch"),
    ('on="crate" of="other"', 30, "warning", "no shape of crate takes part in other"),
])
def test_messages(tmp_path, attributes, column, severity, words):
    problems = told(tmp_path, f'<contact_sensor name="s" {attributes}/>')
    assert [problem[:3] for problem in problems] == [("9", str(column), severity)], problems
    assert words in problems[0][3]


@pytest.mark.parametrize("attributes", [
    'on="crate"', 'on="crate.f" of="touch"', 'on="crate.c"', 'on="ground" of="touch"',
    'on="ground.floor"', 'on="idle"', 'on="idle.c" of="other"', 'on="ground.other"'])
def test_sensors_that_can_feel(tmp_path, attributes):
    assert told(tmp_path, f'<contact_sensor name="s" {attributes}/>') == []


def test_ground_that_is_not_written(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(mechanism('<planar_body name="a" mass="1" inertia="1"/>'
                              '<contact_sensor name="s" on="ground"/>'))
    done = try_clatter("check", path)
    assert done.returncode == 0 and "no shape of the ground takes part" in done.stdout + done.stderr


def test_repeated_sensors(tmp_path):
    """Each of a row of crates is weighed: outputs that the model declares."""
    rows = simulate(tmp_path, """<gravity y="-10"/><ground><line name="l" group="floor"/></ground>
<repeat index="i" count="4"><planar_body name="crate" initial_x="i" initial_y="0.1"><box name="b"
length="0.2" height="0.2" density="100*i" group="crates"/></planar_body>
<contact_sensor name="weight" on="crate[i]"/></repeat>
<contacts name="touch" first="crates" second="floor"/>
<outputs><output variable="weight[1].force_y"/><output variable="weight[4].force_y"/></outputs>""")
    assert rows["weight[1].force_y"][-1] == pytest.approx(40, abs=1e-6)
    assert rows["weight[4].force_y"][-1] == pytest.approx(160, abs=1e-6)
