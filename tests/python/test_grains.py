"""Many bodies at once: cone_complementarity and the models of grains. The solvers themselves are
compared with exact ones in tests/c/test_cone_problem.c."""

import csv
import math
import re
import resource
import subprocess
import sys
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

import tools
from fmi2 import OK, Instance
from tools import MODELS, clatter

GRAINS = tools.ROOT / "resources" / "grains"
G = 9.81
WAYS = [("coulomb", "sweeps"), ("coulomb", "gradient"), ("relaxed", "sweeps"),
        ("relaxed", "gradient")]


@pytest.fixture
def run(tmp_path):
    """A model (its path, or text) by the program; options as --set."""

    def run_model(model, *arguments, **settings):  # without --all: it asks for accelerations
        if isinstance(model, str):
            (tmp_path / "model.xml").write_text(model)
            model = tmp_path / "model.xml"
        clatter("run", model, "-o", tmp_path / "out.csv", *arguments,
                *(f"--set=solver.{name}={value}" for name, value in settings.items()))
        with open(tmp_path / "out.csv", newline="") as file:  # names have commas: ball[1,2,3].x
            names, *rows = csv.reader(file)
        result = dict(zip(names, np.array(rows, float).T))
        assert result["solver.failed_steps"][-1] == 0
        return result

    return run_model


def pile(x, y, z):
    text = (GRAINS / "pile.xml").read_text()
    for axis, count in zip("xyz", (x, y, z)):
        text = re.sub(f'name="count_{axis}" value="10"', f'name="count_{axis}" value="{count}"', text)
    return text


# --- the laws ---

@pytest.mark.parametrize("method", ["sweeps", "gradient"])
def test_a_ball_slides_and_rolls(run, method):
    """CC 3: with the relaxed law it floats at mu dt v_T, with Coulomb's it keeps to the lane."""
    for law, floats in (("coulomb", 0.0), ("relaxed", 1.0)):
        r = run(MODELS / "sliding_ball.xml", cone_law=law, cone_method=method, cone_tolerance=1e-10)
        t = r["time"]
        slip = r["ball.velocity_x"] - 0.108 * r["ball.angular_velocity_y"]
        slides = (t > 0.1) & (t < 0.95)
        assert r["sole.gap"][slides] == pytest.approx(floats * 0.3 * 2e-3 * slip[slides], abs=1e-9)
        rolls = t > 0.9707 + 2e-3
        assert np.abs(slip[rolls]).max() < 1e-8
        assert r["ball.velocity_x"][rolls] == pytest.approx(50 / 7, rel=1e-8)
        assert np.abs(r["sole.gap"][t > 1.0]).max() < 1e-9
        assert r["sole.friction_force_1"][slides] == pytest.approx(
            -0.3 * r["sole.normal_force"][slides], rel=1e-8)


@pytest.mark.parametrize("shape", ['<sphere name="skin" radius="0.5*L" {}/>',
                                   '<box name="skin" length="0.8*L" width="0.7*L" height="0.9*L" {}/>'])
def test_units_do_not_matter(run, shape):
    """With lengths 4^n times as large and times 2^n times all motions are similar: grains of sand, of
    0.06 mm, and boulders of a kilometre move as pebbles of 0.25 m, bit for bit."""
    def heights(n):
        dt, skin = 2.0 ** (n - 8), shape.format('density="1000" group="grains"')
        r = run(f"""<mechanism {tools.NAMESPACE} name="similar"><gravity z="-9.81"/>
<solver scheme="cone_complementarity" step_size="{dt!r}"/><constant name="L" value="{0.25 * 4.0 ** n!r}"/>
<repeat index="k" count="3"><repeat index="j" count="2"><repeat index="i" count="2">
<spatial_body name="grain" initial_x="L*(1.1*i + 0.1*sin(k))" initial_y="L*(1.1*j + 0.1*cos(3*k))"
initial_z="L*(1.1*k - 0.5)" initial_rotation_x="0.1*k">{skin}</spatial_body></repeat></repeat></repeat>
<ground><plane name="floor" group="floor"/></ground>
<contacts name="among" first="grains" friction_coefficient="0.3" normal_restitution="0.2"/>
<contacts name="below" first="grains" second="floor" friction_coefficient="0.3"/>
<outputs><output variable="grain[1,1,1].z"/><output variable="grain[3,2,2].z"/>
<output variable="below.contacts"/><output variable="solver.failed_steps"/></outputs></mechanism>""",
                "--stop", repr(100 * dt))
        assert r["below.contacts"][-1] >= 3
        return np.array([r["grain[1,1,1].z"], r["grain[3,2,2].z"]]) / 4.0 ** n
    pebbles = heights(0)
    assert np.array_equal(heights(-6), pebbles)
    assert np.array_equal(heights(6), pebbles)


@pytest.mark.parametrize("law, method", WAYS)
def test_a_pile_falls(run, law, method):
    """In every step what the floor gives is what the balls weigh and gain; energy falls but for what
    the residual leaves; nothing goes through anything."""
    counts = (4, 4, 3)
    outputs = "".join(f'<output variable="{name}"/>' for name in (
        "scale.force_z", "scale.impulse_z", "energy.total", "solver.penetration", "grains.contacts",
        "solver.failed_steps"))
    text = pile(*counts).replace("</mechanism>", f"""<contact_sensor name="scale" on="ground"
of="floor"/><outputs>{outputs}<repeat index="k" count="{counts[2]}"><repeat index="j"
count="{counts[1]}"><repeat index="i" count="{counts[0]}"><output variable="ball.velocity_z"/>
</repeat></repeat></repeat></outputs></mechanism>""")
    r = run(text, "--stop", "0.8", cone_law=law, cone_method=method, cone_iterations=400,
            cone_tolerance=1e-8)
    mass, dt = 4 / 3 * math.pi * 0.05 ** 3 * 1000, 2e-3
    v = [name for name in r if name.endswith("velocity_z")]
    assert len(v) == math.prod(counts)
    momentum = mass * sum(r[name] for name in v)
    given = -(dt * r["scale.force_z"] + r["scale.impulse_z"])[1:]
    assert given == pytest.approx(np.diff(momentum) + len(v) * mass * G * dt, abs=1e-9)
    assert np.diff(r["energy.total"]).max() < 1e-7 * r["energy.total"][0]
    assert r["solver.penetration"].max() < 1e-5
    assert r["grains.contacts"][-1] > 20


def test_the_floor_carries_what_rests(run):
    r = run(pile(3, 3, 1), "--stop", "0.5")
    weight = 9 * 4 / 3 * math.pi * 0.05 ** 3 * 1000 * G
    assert r["floor.total_normal_force"][r["time"] > 0.3] == pytest.approx(weight, rel=1e-6)


def test_projection_takes_penetrations_back_without_velocity(run):
    """A ball that starts 5 mm inside the floor: it is put on it and stays there; without projection it
    moves out at the recovery velocity."""
    text = pile(1, 1, 1).replace('initial_z="1.2*R', 'initial_z="0.9*R')
    projected = run(text, "--stop", "0.02")
    assert projected["solver.penetration"][1] < 1e-12
    assert np.abs(projected["energy.kinetic"]).max() < 1e-20
    out = run(text, "--stop", "0.02", cone_projection="no", recovery_velocity=0.5)
    assert out["solver.penetration"][:5] == pytest.approx([0.005, 0.004, 0.003, 0.002, 0.001])
    assert out["energy.kinetic"][1] > 0


@pytest.mark.parametrize("projection", ["no", "yes"])
def test_friction_in_a_joint_alone(run, projection):
    """No contact, and nothing to project but the joint: a rod held by friction stays, one that is too
    heavy for it falls with the rest of the torque, 9.9 N.m on 1.1 kg.m2."""
    for torque, alpha in ((10.1, 0.0), (0.1, -9.0)):
        r = run(tools.mechanism(f"""<gravity y="-10"/>
<planar_body name="rod" mass="1" inertia="0.1" initial_x="1"><frame name="end" x="-1"/></planar_body>
<revolute name="hinge" first="ground" second="rod.end" friction_torque="{torque}"/>"""),
                "--scheme", "cone_complementarity", "--stop", "0.02", cone_projection=projection)
        assert r["rod.angular_velocity"][-1] == pytest.approx(0.02 * alpha, rel=1e-2, abs=1e-9)


def test_balls_and_bricks(run):
    r = run(GRAINS / "mixed_pile.xml", "--stop", "0.3")
    assert np.diff(r["energy.total"]).max() < 1e-6 * r["energy.total"][0]
    assert r["solver.penetration"].max() < 1e-3
    assert r["pile.contacts"][-1] > 100


def test_joints_keep_still_in_steps_that_impacts_divide(run):
    """Bars so thin that discs could jump over them: steps are divided where discs strike, into parts as
    short as rounding, in which an error of a joint over the step's length would be any velocity."""
    r = run(GRAINS / "sieve.xml", "--stop", "0.3")
    assert r["solver.located_impacts"][-1] > 10
    assert r["energy.kinetic"].max() < 40  # J; 21 of the sieve, its crank and falling discs
    assert r["solver.joint_violation"].max() < 2e-3**2 * 0.015 * 60**2  # m: step^2 of its acceleration
    assert r["mesh_contacts.largest_penetration"].max() < 2e-3


def test_budget_and_tolerance(run):
    """A step ends at the tolerance, or with its budget, which the residual and the count tell."""
    exact = run(pile(3, 3, 2), "--stop", "0.4", cone_iterations=10000, cone_tolerance=1e-9)
    assert exact["solver.residual"].max() <= 1.1e-9 and exact["solver.inexact_steps"][-1] == 0
    short = run(pile(3, 3, 2), "--stop", "0.4", cone_iterations=3, cone_tolerance=1e-9)
    assert short["solver.contact_iterations"].max() == 2 * 3  # and a projection
    inexact = short["solver.residual"] > 1e-9
    assert inexact.any() and short["solver.inexact_steps"][-1] == inexact.sum()


NEEDLES = """<mechanism xmlns="urn:clatter:model:1" name="needles">
  <experiment stop_time="0.4"/>
  <solver scheme="cone_complementarity" step_size="1e-3"/>
  <gravity z="-9.81"/>
  <repeat count="30"><spatial_body name="n" initial_x="0.02*sin(7*i)" initial_y="0.02*cos(5*i)"
      initial_z="0.02 + 0.012*i" initial_rotation_z="1.3*i">
    <capsule name="c" x_1="-0.1" x_2="0.1" radius="0.002" density="1000" group="g"/>
  </spatial_body></repeat>
  <spatial_body name="plate" initial_z="HEIGHT">
    <box name="b" length="0.2" width="0.2" height="0.002" density="1000" group="g"/></spatial_body>
  <ground><plane name="floor" group="f"/></ground>
  <contacts name="gg" first="g" friction_coefficient="0.3" contact_radius="0.001"/>
  <contacts name="gf" first="g" second="f" friction_coefficient="0.3" normal_restitution="0.3"/>
</mechanism>"""


@pytest.mark.parametrize("height", ["0.6", "0.62"])
def test_residuals_where_impacts_divide_a_step(run, height):
    """Parts may be as short as rounding: what bodies penetrate is not measured by their way in it."""
    r = run(NEEDLES.replace("HEIGHT", height))
    assert r["solver.residual"].max() < 10.0


# --- the drum, as an FMU ---

def steer(instance, t, n, speed=1.0):
    """A controller that holds the torque of the motor at 10 N.m, sampled every 20 ms; what it saw."""
    seen = []
    for i in range(n):
        instance.set(speed=speed)
        assert instance.step(t + 0.02 * i, 0.02) == OK
        torque = instance.get("motor.drive_torque")
        speed = min(max(speed + 0.02 * (10.0 - torque), 0.2), 3.0)
        seen.append((speed, torque, instance.get("among.contacts"), instance.get("lining.contacts")))
    return seen


OTHER_PROCESS = """
import sys
sys.path.insert(0, sys.argv[1])
from fmi2 import OK, Fmu, Instance
from test_grains import steer
with Instance(Fmu(sys.argv[2])) as instance:
    instance.start()
    status, state = instance.deserialize(open(sys.argv[3], "rb").read())
    assert status == OK and instance.SetFMUstate(state) == OK
    print(steer(instance, 1.0, 25, 0.7))
"""


def test_a_controller_steers_the_drum(pack, tmp_path):
    fmu = pack(GRAINS / "drum.xml")
    with Instance(fmu) as instance:
        instance.start()
        first = steer(instance, 0.0, 50)
        (tmp_path / "state").write_bytes(instance.serialize())
        then = steer(instance, 1.0, 25, 0.7)
    assert max(torque for _, torque, *_ in first[10:]) > 1.0
    assert all(inside > 150 for *_, inside, _ in then)
    again = subprocess.run([sys.executable, "-c", OTHER_PROCESS, Path(__file__).parent,
                            fmu.directory, tmp_path / "state"], capture_output=True, text=True,
                           timeout=900)
    assert again.stdout.strip() == repr(then), again.stderr  # bit for bit


def test_no_grain_leaves_the_drum(run):
    text = (GRAINS / "drum.xml").read_text().replace(
        "</mechanism>", "<outputs><output variable=\"solver.failed_steps\"/><output variable="
        "\"lining.largest_penetration\"/><repeat index=\"k\" count=\"10\"><repeat index=\"i\" "
        "count=\"20\"><output variable=\"grain.x\"/><output variable=\"grain.y\"/></repeat></repeat>"
        "</outputs></mechanism>")
    r = run(text, "--stop", "1.5")
    for k in range(1, 11):
        for i in range(1, 21):
            x, y = (r[f"grain[{k},{i}].{axis}"] for axis in "xy")
            assert np.hypot(x, y).max() < 0.25 - 0.009 + 1e-3
    assert r["lining.largest_penetration"].max() < 1e-3


@pytest.mark.parametrize("scheme, penetration", [("moreau_jean", 5e-3), ("generalized_alpha", 1e-6)])
def test_other_schemes_take_piles_to_a_tolerance(run, scheme, penetration):
    """Of more contacts than a dense matrix has room for, by sweeps: as exactly as the user asks."""
    text = pile(6, 6, 6)
    r = run(text, "--scheme", scheme, "--stop", "0.5", tolerance=1e-3)
    assert r["solver.swept_steps"][-1] > 20
    assert r["solver.residual"].max() <= 1e-3
    assert r["solver.inexact_steps"][-1] == 0
    assert r["solver.penetration"].max() < penetration
    other = run(text, "--stop", "0.5", cone_iterations=500)
    # packings on their way down are a throw of dice: docs/grain-models.md has 3 %
    assert r["energy.potential"][-1] == pytest.approx(other["energy.potential"][-1], rel=0.03)


def test_a_hundred_thousand_grains_run(tmp_path):
    (tmp_path / "many.xml").write_text(pile(40, 50, 50))
    clatter("run", tmp_path / "many.xml", "--stop", "0.004", "-o", tmp_path / "many.csv")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of any child so far
    assert largest < 700  # MB


def test_ten_thousand_grains_load(tmp_path):
    """And make a modelDescription.xml of a few kilobytes, which FMPy validates."""
    (tmp_path / "many.xml").write_text(pile(20, 20, 25))
    assert "bodies       10000" in clatter("check", tmp_path / "many.xml")
    clatter("pack", tmp_path / "many.xml", "-o", tmp_path / "many.fmu")
    assert not validate_fmu(str(tmp_path / "many.fmu"))
    directory = fmpy.extract(str(tmp_path / "many.fmu"), str(tmp_path / "many"))
    assert (tmp_path / "many" / "modelDescription.xml").stat().st_size < 100_000
    result = fmpy.simulate_fmu(directory, stop_time=0.02, output_interval=0.002,
                               output=["floor.total_normal_force", "solver.failed_steps"])
    assert result["solver.failed_steps"][-1] == 0


# --- impacts within steps ---

def test_a_fast_ball_bounces_off_a_thin_plate(run):
    """It moves ten times the plate's thickness in a step: it is stopped where it strikes, and goes
    on for the rest of the step with e times its speed."""
    e, speed, radius, top, start = 0.5, 20.0, 0.01, 0.002, 0.513
    result = run(f"""<mechanism xmlns="urn:clatter:model:1" name="fast">
      <experiment stop_time="0.05"/><solver scheme="cone_complementarity" step_size="2e-3"/>
      <spatial_body name="ball" initial_z="{start}" initial_velocity_z="-{speed}">
        <sphere name="skin" radius="{radius}" density="1000" group="balls"/></spatial_body>
      <ground><box name="plate" length="1" width="1" height="{2 * top}" group="plate"/></ground>
      <gravity z="0"/>
      <contacts name="on" first="balls" second="plate" normal_restitution="{e}"/></mechanism>""")
    strikes = (start - radius - top) / speed
    t = result["time"]
    z = np.where(t < strikes, start - speed * t, radius + top + e * speed * (t - strikes))
    assert np.abs(result["ball.z"] - z).max() < 1e-9
    assert result["solver.located_impacts"].max() == 1
    assert result["solver.penetration"].max() == 0


def test_many_fast_grains_stay_above_a_thin_plate(tmp_path):
    """Balls that could pass through it in a step, one layer after the other, while others lie on
    it."""
    n = 4
    (tmp_path / "rain.xml").write_text(f"""<mechanism xmlns="urn:clatter:model:1" name="rain">
      <experiment stop_time="0.12"/><solver scheme="cone_complementarity" step_size="4e-3"/>
      <gravity z="-9.81"/>
      <repeat index="k" count="{n}"><repeat index="j" count="{n}"><repeat index="i" count="{n}">
        <spatial_body name="ball" initial_x="0.05*i + 0.002*sin(7*j + k)"
                      initial_y="0.05*j + 0.002*sin(5*i + 3*k)" initial_z="0.05*k"
                      initial_velocity_z="-8">
          <sphere name="skin" radius="0.02" density="1000" group="balls"/></spatial_body>
      </repeat></repeat></repeat>
      <ground><box name="plate" length="3" width="3" height="0.01" group="plate"/></ground>
      <contacts name="among" first="balls" friction_coefficient="0.3"/>
      <contacts name="on" first="balls" second="plate" friction_coefficient="0.3"/>
      <outputs><output variable="solver.located_impacts"/><output variable="solver.failed_steps"/>
        <repeat index="k" count="{n}"><repeat index="j" count="{n}"><repeat index="i" count="{n}">
          <output variable="ball.z"/></repeat></repeat></repeat></outputs></mechanism>""")
    clatter("run", tmp_path / "rain.xml", "-o", tmp_path / "out.csv")
    with open(tmp_path / "out.csv", newline="") as file:
        names, *rows = csv.reader(file)
    result = dict(zip(names, np.array(rows, float).T))
    heights = [z for name, z in result.items() if name.startswith("ball")]
    assert len(heights) == n**3 and np.min(heights) > 0.005 + 0.02 - 1e-3
    assert result["solver.located_impacts"][-1] >= 5 and result["solver.failed_steps"][-1] == 0


# --- restitution ---

@pytest.mark.parametrize("scheme", ["cone_complementarity", "moreau_jean"])
@pytest.mark.parametrize("e_last", [1, 0])
def test_three_in_a_row_keep_their_energy(run, scheme, e_last):
    """The first of three equal discs strikes the second, which the third is just parting from: one
    impact after the other, as their own speeds would have it."""
    if scheme == "moreau_jean" and e_last == 0:
        pytest.skip("Newton's law itself gains energy where restitutions differ")
    disc = """<planar_body name="{}" initial_x="{}" initial_velocity_x="{}">
<circle name="rim" radius="0.1" density="100"/></planar_body>"""
    r = run(f"""<mechanism {tools.NAMESPACE} name="three"><solver scheme="{scheme}" step_size="1e-3"/>
{disc.format("a", -0.2005, 1)}{disc.format("b", 0, 0)}{disc.format("c", 0.2, 0.5)}
<contact name="ab" first="a.rim" second="b.rim" normal_restitution="1"/>
<contact name="bc" first="b.rim" second="c.rim" normal_restitution="{e_last}"/>
<outputs><output variable="energy.kinetic"/><output variable="a.velocity_x"/>
<output variable="b.velocity_x"/><output variable="c.velocity_x"/>
<output variable="solver.penetration"/><output variable="solver.failed_steps"/></outputs>
</mechanism>""", "--stop", "0.01", cone_tolerance=1e-12)
    last = [0.0, 0.5, 1.0] if e_last == 1 else [0.0, 0.75, 0.75]
    assert [r[f"{name}.velocity_x"][-1] for name in "abc"] == pytest.approx(last, abs=1e-9)
    assert np.diff(r["energy.kinetic"]).max() < 1e-12 * r["energy.kinetic"][0]
    if scheme == "cone_complementarity":
        assert r["solver.penetration"].max() < 1e-12


def balls_in_a_box(e_among, e_walls, e_tangential=0, friction=0):
    """64 balls of 20 mm without weight, which fly at 1 m/s in all directions in a closed box"""
    walls = "".join(f'<plane name="{name}" {at} group="walls"/>' for name, at in (
        ("floor", ""), ("lid", 'z="0.096" normal_z="-1"'),
        ("left", 'x="-0.052" normal_x="1" normal_z="0"'),
        ("right", 'x="0.052" normal_x="-1" normal_z="0"'),
        ("front", 'y="-0.052" normal_y="1" normal_z="0"'),
        ("back", 'y="0.052" normal_y="-1" normal_z="0"')))
    law = f'friction_coefficient="{friction}" tangential_restitution="{e_tangential}"'
    return f"""<mechanism {tools.NAMESPACE} name="box"><solver scheme="cone_complementarity"/>
<gravity z="0"/><constant name="L" value="0.02"/>
<repeat index="k" count="4"><repeat index="j" count="4"><repeat index="i" count="4">
<spatial_body name="ball" initial_x="L*(1.1*(i-2.5) + 0.1*sin(k))"
initial_y="L*(1.1*(j-2.5) + 0.1*cos(3*k))" initial_z="L*(0.6 + 1.1*(k-1))"
initial_velocity_x="sin(i*7 + j*3 + k)" initial_velocity_z="cos(i + 5*j + 3*k)">
<sphere name="skin" radius="0.5*L" density="1000" group="balls"/></spatial_body>
</repeat></repeat></repeat><ground>{walls}</ground>
<contacts name="among" first="balls" {law} normal_restitution="{e_among}"/>
<contacts name="on" first="balls" second="walls" {law} normal_restitution="{e_walls}"/>
<outputs><output variable="energy.kinetic"/><output variable="solver.penetration"/>
<output variable="solver.residual"/><output variable="solver.failed_steps"/>
<output variable="solver.inelastic_steps"/></outputs></mechanism>"""


@pytest.mark.parametrize("e_among, e_walls, friction", [(1, 1, 0), (0.9, 0.9, 0), (0.5, 0.5, 0),
                                                        (1, 0, 0), (0, 1, 0), (1, 1, 0.3)])
@pytest.mark.parametrize("step_size, stop", [(0.02, 0.4), (0.01, 0.2), (5e-3, 0.1)])
def test_balls_in_a_box_gain_no_energy(run, e_among, e_walls, friction, step_size, stop):
    """In steps in which they move by their own size, too, with the default budget, and whatever
    balls and walls have for restitution; with friction where it is the same along the surfaces."""
    r = run(balls_in_a_box(e_among, e_walls, e_among if friction > 0 else 0, friction),
            "--stop", repr(stop), step_size=step_size)
    kinetic = r["energy.kinetic"]
    assert np.diff(kinetic).max() < 1e-4 * kinetic[0]
    assert kinetic[1] < kinetic[0]  # something strikes
    assert r["solver.penetration"].max() < 0.02 / 100  # of a ball's size


@pytest.mark.parametrize("law, method", WAYS)
@pytest.mark.parametrize("e, friction", [(1, 0.3), (1, 1), (0.8, 1)])
def test_friction_with_restitution_gains_no_energy(run, law, method, e, friction):
    """Without restitution along the surfaces Newton's law may gain energy, or have no solution: steps
    in which it does are divided, and keep their restitution."""
    for step_size, stop in ((0.02, 0.08), (0.01, 0.04), (2e-3, 0.02)):
        r = run(balls_in_a_box(e, e, 0, friction), "--stop", repr(stop), step_size=step_size,
                cone_law=law, cone_method=method)
        kinetic = r["energy.kinetic"]
        assert np.diff(kinetic).max() < 1e-4 * kinetic[0]
        assert r["solver.penetration"].max() < 0.02 / 100
        assert r["solver.inelastic_steps"][-1] == 0


def test_more_iterations_add_no_energy(run):
    """The laws of impact have a solution among bodies without room to give way."""
    r = run(balls_in_a_box(1, 1), "--stop", "0.1", step_size=0.02, cone_iterations=20000,
            cone_tolerance=1e-6)
    assert np.diff(r["energy.kinetic"]).max() < 0
    assert r["solver.residual"].max() < 1e-2  # about 1 where percussions run away
    assert r["solver.penetration"].max() < 0.02 / 1000
