"""Shapes with surfaces as model files write them: vertices, groups, files and densities."""

import itertools
import math
import re
import struct
import zipfile

import fmpy
import numpy as np
import pytest
from lxml import etree

import fmi2
import tools
from tools import NAMESPACE


def planar(shapes, body='name="b" mass="1" inertia="1"', before="", after=""):
    return (f'<mechanism {NAMESPACE} name="m">\n{before}\n<planar_body {body}>\n{shapes}\n'
            f'</planar_body>\n{after}\n</mechanism>\n')


def spatial(shapes, body='name="b" mass="1" inertia_xx="1" inertia_yy="1" inertia_zz="1"',
            before="", after=""):
    return (f'<mechanism {NAMESPACE} name="m">\n{before}\n<spatial_body {body}>\n{shapes}\n'
            f'</spatial_body>\n{after}\n</mechanism>\n')


@pytest.fixture
def check(tmp_path):
    """What the program says of a model: (line, column, message) of each error, and of warnings."""

    def check_text(text, severity="error"):
        path = tmp_path / "model.xml"
        path.write_text(text)
        done = tools.try_clatter("check", path)
        assert done.returncode in (0, 1), done.stderr
        found = re.findall(rf"^(?:.*/)?([^/\n]*):(\d+):(\d+): {severity}: (.*)$",
                           done.stderr + done.stdout, re.MULTILINE)
        if severity == "error":
            assert (done.returncode == 0) == (not found), done.stderr
        return [(file, int(line), int(column), message) for file, line, column, message in found]

    return check_text


@pytest.fixture
def parameters(tmp_path):
    """The values of the FMU's parameters, and which of them are calculated."""

    def parameters_of(text):
        path = tmp_path / "model.xml"
        path.write_text(text)
        tools.clatter("pack", path, "-o", tmp_path / "model.fmu")
        with zipfile.ZipFile(tmp_path / "model.fmu") as archive:
            archive.extractall(tmp_path / "fmu")
        root = etree.parse(tmp_path / "fmu" / "modelDescription.xml")
        causality = {variable.get("name"): variable.get("causality")
                     for variable in root.iter("ScalarVariable")
                     if variable.find("Real") is not None
                     and variable.get("causality") in ("parameter", "calculatedParameter")}
        result = fmpy.simulate_fmu(str(tmp_path / "fmu"), validate=False, stop_time=1e-3,
                                   output=list(causality))
        return {name: (causality[name], result[name][0]) for name in causality}

    return parameters_of


def masses(parameters, *names):
    for name in names:
        assert parameters[f"b.{name}"][0] == "calculatedParameter"
    return [parameters[f"b.{name}"][1] for name in names]


# --- vertices ---

GEAR = """
<outline name="rim" density="2">
  <repeat index="k" count="n">
    <to x="r*cos(2*pi*k/n)" y="r*sin(2*pi*k/n)"/>
    <to x="1.1*r*cos(2*pi*(k+0.5)/n)" y="1.1*r*sin(2*pi*(k+0.5)/n)"/>
  </repeat>
</outline>"""


def test_outlines_repeat_steps_and_hide_them(check, parameters):
    text = planar(GEAR, 'name="b"',
                  '<constant name="n" value="12"/><parameter name="r" value="0.3"/>')
    assert check(text) == []
    known = parameters(text)
    assert not [name for name in known if "to[" in name]
    area = 12 * 1.1 * 0.3**2 * math.sin(math.pi / 12)  # triangles of r, 1.1 r and the angle between
    assert masses(known, "mass", "centre_of_mass_x") == pytest.approx([2 * area, 0], abs=1e-12)


def test_parameters_change_vertices_and_masses(run):
    text = planar(GEAR, 'name="b"',
                  '<constant name="n" value="12"/><parameter name="r" value="0.3"/>')
    kinetic = {}
    for r in (0.3, 0.6):
        result = run(text.replace('name="b"', 'name="b" initial_velocity_x="1"'), 0.01, 1e-3,
                     {"r": r})
        kinetic[r] = result["energy.kinetic"][0]
    assert kinetic[0.6] == pytest.approx(4 * kinetic[0.3], rel=1e-12)


@pytest.mark.parametrize("shape, place, words", [
    ('<polygon name="p"><vertex/><vertex x="1"/></polygon>', (4, 1), "3 vertices at least"),
    ('<polygon name="p"><vertex/><vertex x="1"/><vertex x="0.2" y="0.1"/><vertex y="1"/></polygon>',
     (4, 43), "not convex at this vertex"),
    ('<polygon name="p" sides="2" radius="1"/>', (4, 1), "3 sides at least"),
    ('<polygon name="p" sides="5"/>', (4, 1), "needs a radius above 0"),
    ('<polygon name="p" sides="5" radius="1"><vertex/></polygon>', (4, 1), "either vertices or sides"),
    ('<polygon name="p" sides="1e9" radius="1"/>', (4, 26), "from 0 to 1000"),
    ('<polygon name="p"><to/></polygon>', (4, 19), "<to> is not known in <polygon>: expected <vertex>"),
    ('<polygon name="p"><vertex name="a"/></polygon>', (4, 33), "<vertex> has no attribute name"),
    ('<polygon name="p"><vertex><point/></vertex></polygon>', (4, 27), "cannot contain"),
    ('<polygon name="p"><vertex z="1"/><vertex x="1"/><vertex y="1"/></polygon>', (4, 30),
     "has the attribute z only in space"),
    ('<outline name="p"><to x="1"/></outline>', (4, 1), "2 steps at least"),
    ('<outline name="p"><to x="1"/><to x="1/y"/></outline>', (4, 39), "unknown name 'y'"),
    ('<outline name="p"><to x="1"/><arc_to radius="0"/></outline>', (4, 30), "other than 0"),
    ('<outline name="p"><to/><to x="1" y="1"/><to x="1"/><to y="1"/></outline>', (4, 1), "b.p: "),
    ('<outline name="p"><to/><to x="1"/><to y="1"/><to/></outline>', (4, 19), "the last one"),
    ('<polygon name="p"><vertex/><vertex x="1"/><vertex y="1"/><vertex y="1"/></polygon>', (4, 58),
     "the same as the one before it"),
    ('<outline name="p"><arc_to x="1" radius="1" large="maybe"/></outline>', (4, 51),
     "expected no or yes"),
    ('<segment name="p" x_1="1" x_2="1"/>', (4, 1), "the same point"),
    ('<segment name="p" thickness="-1" x_2="1"/>', (4, 30), "at least 0"),
    ('<arc name="p" radius="1" thickness="0.1" from_angle="1" to_angle="0"/>', (4, 1), "to_angle"),
    ('<arc name="p" radius="1" thickness="2" from_angle="0" to_angle="1"/>', (4, 1), "thickness"),
    ('<capsule name="p" radius="1" x_2="1"/>', (4, 1), "<capsule> is for bodies of space"),
    ('<circle name="p" radius="1"><vertex/></circle>', (4, 29), "cannot contain"),
    ('<frame name="p" group="g"/>', (4, 24), "<frame> has no attribute group"),
    ('<box name="p" length="0" height="1" group="g"/>', (4, 1), "has no surface"),
])
def test_errors_of_planar_shapes(check, shape, place, words):
    problems = check(planar(shape))
    assert len(problems) == 1 and problems[0][1:3] == place and words in problems[0][3], problems


@pytest.mark.parametrize("shape, place, words", [
    ('<hull name="p"/>', (4, 1), "needs 4 points"),
    ('<hull name="p"><vertex/><vertex x="1"/><vertex y="1"/><vertex x="1" y="1"/></hull>', (4, 1),
     "b.p: "),
    ('<hull name="p" file="part.step"/>', (4, 22), "ends with .stl or .obj"),
    ('<hull name="p" file="part.stl"/>', (4, 22), "cannot be read"),
    ('<capsule name="p" radius="1"/>', (4, 1), "expected a <sphere>"),
    ('<cylinder name="p" radius="1" length="0"/>', (4, 39), "at least 1e-09"),
    ('<polygon name="p" sides="3" radius="1"/>', (4, 1), "<polygon> is for bodies of the plane"),
])
def test_errors_of_spatial_shapes(check, shape, place, words):
    problems = check(spatial(shape))
    assert len(problems) == 1 and problems[0][1:3] == place and words in problems[0][3], problems


def test_flat_boxes_have_corners_alone(check):
    """They meet lines with their corners, as ever, but nothing with their surface."""
    model = planar('<box name="p" length="0" height="1"/>', after='<ground><line name="l"/><box '
                   'name="q" length="1" height="1"/></ground>\n'
                   '<contact name="c" first="b.p" second="ground.{}"/>')
    assert check(model.format("l")) == []
    problems = check(model.format("q"))
    assert len(problems) == 1 and problems[0][1:3] == (4, 1) and "no surface" in problems[0][3]


def test_vertices_stand_in_shapes_alone(check):
    problems = check(planar('<vertex/>', after='<to x="1"/>'))
    assert [problem[1:3] for problem in problems] == [(4, 1), (6, 1)]
    assert "it stands in a shape" in problems[1][3]


def test_errors_in_repeated_vertices_are_placed(check):
    problems = check(planar('<polygon name="p"><repeat count="3">\n<vertex x="1/(k-i)"/></repeat>'
                            '</polygon>', before='<constant name="k" value="2"/>'))
    assert problems[0][1:3] == (5, 12) and "i = 2 of line 4" in problems[0][3]


def test_too_many_vertices(check):
    problems = check(planar('<polygon name="p"><repeat count="5000"><vertex x="cos(i)" y="sin(i)"/>'
                            '</repeat></polygon>'))
    assert len(problems) == 1 and "at most 2000 points" in problems[0][3]
    problems = check(planar('<outline name="p"><repeat count="10000000"><to/></repeat></outline>'))
    assert len(problems) == 1


# --- groups ---

def test_groups_are_named(check):
    ground = '<ground><line name="floor" group="floor"/></ground>'
    model = planar('<repeat count="3"><circle name="c" radius="0.1" x="i" group="balls"/></repeat>',
                   after=ground + '\n<contacts name="all" first="balls" second="{}"/>')
    assert check(model.format("floor")) == []
    problems = check(model.format("flor"))
    assert len(problems) == 1 and problems[0][1:3] == (7, 44)
    assert "no shape is in a group" in problems[0][3] and "floor" in problems[0][3]


def test_group_names_and_idle_groups(check):
    problems = check(planar('<circle name="c" radius="1" group="a b"/>'))
    assert problems[0][1:3] == (4, 36) and "a letter" in problems[0][3]
    text = planar('<repeat count="2"><circle name="c" radius="1" group="balls"/></repeat>')
    warnings = check(text, "warning")
    assert len(warnings) == 1 and warnings[0][1:3] == (4, 54) and "balls" in warnings[0][3]


def test_groups_that_are_repeated_no_times(check):
    """As many balls as a constant says, none among them: their group is empty, which check warns of.
    A group that stands nowhere is a mistake all the same."""
    def pile(count, group):
        return planar('<circle name="c" radius="1"/>', after=f"""<repeat count="{count}">
<planar_body name="ball" initial_x="3*i"><circle name="c" radius="1" density="1" group="balls"/></planar_body>
</repeat><ground><line name="floor" y="-1" group="floor"/></ground>
<contacts name="rest" first="{group}" second="floor"/>
<contact name="own" first="b.c" second="ground.floor"/>""")
    assert check(pile(2, "balls")) == []
    assert check(pile(0, "balls")) == []
    assert [found[1:3] for found in check(pile(0, "balls"), "warning")] == [(9, 1)]
    assert "nothing in the groups of rest can touch" in check(pile(0, "balls"), "warning")[0][3]
    (mistake,) = check(pile(0, "bals"))
    assert mistake[1:3] == (9, 30) and "did you mean 'balls'?" in mistake[3]


DOOR = planar('<segment name="leaf" x_2="1" group="doors"/>',
              'name="door" mass="1" inertia="0.1" centre_of_mass_x="0.5"',
              before='<gravity y="-9.81"/>',
              after='<ground><circle name="stop" x="0.5" y="-0.3" radius="0.1" group="stops"/></ground>'
              '<revolute name="hinge" first="ground" second="door"/>\n'
              '<contacts name="rest" first="doors" second="stops" {}/>')


def test_bodies_that_a_joint_connects(check, run):
    """A door passes through a stop on what it hangs from, and check says so, unless it is asked to
    touch it."""
    warnings = check(DOOR.format(""), "warning")
    assert len(warnings) == 1 and warnings[0][1:3] == (7, 1)
    assert "nothing in the groups of rest can touch" in warnings[0][3]
    assert 'joined_bodies="touch"' in warnings[0][3]
    touch = DOOR.format('joined_bodies="touch"')
    assert check(touch, "warning") == []
    angle = math.atan2(-0.3, 0.5) + math.asin(0.1 / math.hypot(0.3, 0.5))
    for scheme in ("moreau_jean_combined", "generalized_alpha", "lobatto", "cone_complementarity"):
        end = run(touch.replace("<gravity", f'<solver scheme="{scheme}"/><gravity'), stop=2, dt=1e-3)[-1]
        assert end["door.angle"] == pytest.approx(angle, abs=1e-7), scheme
    assert run(DOOR.format(""), stop=1, dt=1e-3)[-1]["door.angle"] < angle - 1


def test_contacts_need_groups(check):
    problems = check(planar('<circle name="c" radius="1"/>', after='<contacts name="all"/>'))
    assert len(problems) == 1 and "needs the attribute first" in problems[0][3]


def test_materials_of_groups(check, tmp_path):
    (tmp_path / "materials.xml").write_text(
        '<materials xmlns="urn:clatter:materials:1"><pair first="steel" second="steel" '
        'friction_coefficient="0.25"/></materials>')
    model = planar('<circle name="c" radius="1" group="a"/><circle name="d" radius="1" group="a" '
                   'material="{}"/>', 'name="b" mass="1" inertia="1" material="steel"',
                   after='<contacts name="all" first="a"/>').replace(
                       'name="m"', 'name="m" materials="materials.xml"')
    assert check(model.format("steel")) == []
    assert check(model.format("wood")) == []  # shapes of one body do not meet
    meets = model.format("wood").replace("<contacts", '<ground material="wood"><line name="l" '
                                         'group="a"/></ground>\n<contacts')
    problems = check(meets)
    assert [problem[1:3] for problem in problems] == [(7, 1)] * 2
    assert "no pair of steel and wood, the materials of b.c and ground.l" in problems[0][3]
    assert "no pair of wood and wood, the materials of b.d and ground.l" in problems[1][3]


PAIRS = """<materials xmlns="urn:clatter:materials:1">
<pair first="wood" second="steel" friction_coefficient="0.25" normal_restitution="0.5"/>
<pair first="steel" second="steel" friction_coefficient="0.125" tangential_restitution="-0.25"/>
</materials>"""
BALL = ('<planar_body name="{0}" mass="1" inertia="1"><circle name="c" radius="1" group="a" '
        'material="{1}"/></planar_body>\n')


def several(before="", contacts="", after="", floor="wood"):
    """Two balls of steel, and a floor, in one group."""
    return (f'<mechanism {NAMESPACE} name="m" materials="materials.xml">\n'
            f'<ground material="{floor}"><line name="l" group="a"/></ground>\n'
            f'{BALL.format("b", "steel")}{BALL.format("d", "steel")}{before}'
            f'<contacts name="all" first="a" {contacts}/>{after}\n</mechanism>\n')


def test_pairs_of_materials_are_parameters(parameters, tmp_path):
    (tmp_path / "materials.xml").write_text(PAIRS)
    known = parameters(several())
    own = {name[4:]: value[1] for name, value in known.items() if name.startswith("all.")}
    assert own == {"steel.steel.friction_coefficient": 0.125,
                   "steel.steel.normal_restitution": 0.0,
                   "steel.steel.tangential_restitution": -0.25,
                   "steel.wood.friction_coefficient": 0.25,
                   "steel.wood.normal_restitution": 0.5,
                   "steel.wood.tangential_restitution": 0.0}
    known = parameters(several(contacts='friction_coefficient="0.75"'))
    own = {name[4:]: value[1] for name, value in known.items() if name.startswith("all.")}
    assert own == {"friction_coefficient": 0.75,
                   "steel.steel.normal_restitution": 0.0,
                   "steel.steel.tangential_restitution": -0.25,
                   "steel.wood.normal_restitution": 0.5,
                   "steel.wood.tangential_restitution": 0.0}
    given = 'friction_coefficient="0" normal_restitution="0" tangential_restitution="0"'
    known = parameters(several(contacts=given, floor="glass"))  # the table is not asked
    assert len([name for name in known if name.startswith("all.")]) == 3


@pytest.mark.parametrize("model, place, words", [
    (several(BALL.format("g", "glass")), (6, 1), "no pair of glass and steel, the materials of g.c "
     "and b.c: add it there or give friction_coefficient here"),
    (several(BALL.format("g", "glass")), (6, 1), "no pair of glass and wood, the materials of g.c "
     "and ground.l"),
    (several(BALL.format("g", "old wood")), (5, 92), 'material="old wood": all has shapes of'),
    (several(BALL.format("g", "").replace('material=""', "")), (6, 1),
     "g.c has no material, and others of the group a have"),
    (several().replace('materials="materials.xml"', ""), (5, 1), "names no table of materials"),
    (several("".join(BALL.format(f"g{i}", f"m{i}") for i in range(70))), (75, 1),
     "more than 64 materials"),
])
def test_errors_of_pairs_of_materials(check, tmp_path, model, place, words):
    (tmp_path / "materials.xml").write_text(PAIRS)
    problems = check(model)
    assert [problem[1:3] for problem in problems if words in problem[3]] == [place], problems


@pytest.mark.parametrize("apart", [
    '<revolute name="j" first="b" second="g"/><revolute name="k" first="d" second="g"/>'
    '<revolute name="l" first="ground" second="g"/>',
    '<contact name="j" first="b.c" second="g.c"/><contact name="k" first="d.c" second="g.c"/>'
    '<contact name="l" first="ground.l" second="g.c"/>'])
def test_pairs_that_cannot_meet_need_no_values(check, tmp_path, apart):
    """Bodies that joints connect, and shapes that a <contact> names, which gives its own values."""
    (tmp_path / "materials.xml").write_text(PAIRS)
    values = ' friction_coefficient="0" normal_restitution="0" tangential_restitution="0"/>'
    part = BALL.format("g", "glass")
    if "<contact" in apart:  # whose contacts are found, as those of outlines are
        apart = apart.replace("/>", values)
        part = part.replace('<circle name="c" radius="1" group="a" material="glass"/>',
                            '<polygon name="c" group="a" material="glass"><vertex/>'
                            '<vertex x="1"/><vertex y="1"/></polygon>')
    assert check(several(part)) != []
    assert check(several(part, after=apart)) == []
    if "<revolute" in apart:
        assert check(several(part, contacts='joined_bodies="touch"', after=apart)) != []


SLED = ('<planar_body name="{0}" material="{0}" initial_x="{1}" initial_y="0.1"><box name="box" '
        'length="0.4" height="0.2" density="100" group="a"/></planar_body>')
SLEDS = (f'<mechanism {NAMESPACE} name="m" materials="materials.xml"><gravity x="5" y="-8"/>'
         '<solver step_size="0.001" scheme="{}"/><ground material="wood"><line name="l" '
         f'group="a"/></ground>{SLED.format("steel", 0)}{SLED.format("rubber", -3)}'
         '<contacts name="all" first="a"/></mechanism>')
SLED_PAIRS = PAIRS.replace("</materials>", (
    '<pair first="rubber" second="wood" friction_coefficient="0.75"/>'
    '<pair first="rubber" second="steel"/></materials>'))


def test_pairs_of_materials_act(tmp_path):
    """Two sleds on a slope that pulls with 5 along and 8 m/s^2 down: a = 5 - 8 friction, or 0."""
    (tmp_path / "materials.xml").write_text(SLED_PAIRS)

    def end_of(scheme, *options):
        (tmp_path / "model.xml").write_text(SLEDS.format(scheme))
        tools.clatter("run", tmp_path / "model.xml", "--stop", 0.5, *options, "-o",
                      tmp_path / "motion.csv")
        return tools.read_csv(tmp_path / "motion.csv")[-1]

    for scheme in ("moreau_jean", "generalized_alpha", "lobatto"):
        end = end_of(scheme)
        assert end["steel.velocity_x"] == pytest.approx(0.5 * (5 - 0.25 * 8), abs=1e-9)
        assert end["rubber.velocity_x"] == pytest.approx(0.0, abs=1e-9)
    name = "all.steel.wood.friction_coefficient"
    end = end_of("moreau_jean", "--set", f"{name}=0.5")
    assert end["steel.velocity_x"] == pytest.approx(0.5 * (5 - 0.5 * 8), abs=1e-9)
    assert end["rubber.velocity_x"] == pytest.approx(0.0, abs=1e-9)


def test_pairs_of_materials_are_tuned(pack):
    """During the motion, and back again with a state."""
    with fmi2.Instance(pack(SLEDS.format("moreau_jean"), SLED_PAIRS)) as instance:
        instance.start()
        assert instance.step(0.0, 0.2) == fmi2.OK
        state = instance.save()
        before = instance.get("steel.velocity_x")
        assert before == pytest.approx(0.2 * (5 - 0.25 * 8), abs=1e-9)
        assert instance.set_all({"all.steel.wood.friction_coefficient": 0.5}) == fmi2.OK
        assert instance.step(0.2, 0.1) == fmi2.OK
        assert instance.get("steel.velocity_x") - before == pytest.approx(0.1, abs=1e-9)
        assert instance.SetFMUstate(state) == fmi2.OK
        assert instance.get("all.steel.wood.friction_coefficient") == 0.25
        assert instance.step(0.2, 0.1) == fmi2.OK
        assert instance.get("steel.velocity_x") - before == pytest.approx(0.3, abs=1e-9)
        instance.release(state)


# --- files ---

CUBE = list(itertools.product((0.0, 1.0), repeat=3))


def binary_stl(points, head=b"a part"):
    triangles = [(points[i], points[j], points[k])
                 for i in range(len(points)) for j in range(i) for k in range(j)]
    return head.ljust(80) + struct.pack("<I", len(triangles)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles)


def text_stl(points):
    corners = "\n".join(f"  vertex {x} {y} {z}" for x, y, z in points)
    return f"solid part\nfacet normal 0 0 1\nouter loop\n{corners}\nendloop\nendfacet\n".encode()


def obj(points):
    corners = "".join(f"v {x} {y} {z} 1.0\r\n" for x, y, z in points)
    return f"# a part\no part\n{corners}vn 0 0 1\nf 1 2 3\n".encode()


HULL = '<hull name="h" file="{}" scale="0.1" density="1000"/>'


@pytest.mark.parametrize("file, content", [
    ("part.stl", binary_stl(CUBE)), ("part.STL", binary_stl(CUBE, b"solid")),
    ("part.stl", text_stl(CUBE)), ("part.obj", obj(CUBE))])
def test_hulls_of_files(parameters, tmp_path, file, content):
    (tmp_path / file).write_bytes(content)
    known = parameters(spatial(HULL.format(file), 'name="b"'))
    mass, inertia, centre = masses(known, "mass", "inertia_xx", "centre_of_mass_y")
    assert [mass, inertia, centre] == pytest.approx([1, 0.01 / 6, 0.05], rel=1e-7)


def test_files_are_packed_and_shared(tmp_path):
    (tmp_path / "part.obj").write_bytes(obj(CUBE))
    (tmp_path / "model.xml").write_text(spatial(
        f'<repeat count="3">{HULL.format("part.obj")}</repeat>', 'name="b"',
        after='<gravity z="-10"/>'))
    tools.clatter("pack", tmp_path / "model.xml", "-o", tmp_path / "m.fmu")
    names = tools.run("unzip", "-Z1", tmp_path / "m.fmu").stdout.split()
    assert [name for name in names if "shapes" in name] == ["resources/shapes/1.obj"]
    tools.run("unzip", "-q", tmp_path / "m.fmu", "-d", tmp_path / "m")
    result = fmpy.simulate_fmu(str(tmp_path / "m"), stop_time=0.1, validate=False)
    assert result["b.z"][-1] == pytest.approx(0.05 - 10 * 0.1**2 / 2, abs=1e-6)


@pytest.mark.parametrize("file, content, place, words", [
    ("p.stl", b"", ("model.xml", 4, 22), "no STL file"),
    ("p.stl", binary_stl(CUBE)[:-1], ("model.xml", 4, 22), "not all of it"),
    ("p.stl", b"x" * 80 + b"\xff" * 4, ("model.xml", 4, 22), "not all of it"),
    ("p.stl", b"x" * 80 + bytes(4), ("model.xml", 4, 22), "has no points"),
    ("p.stl", binary_stl([(0, 0, math.nan), *CUBE]), ("model.xml", 4, 22), "no finite number"),
    ("p.stl", b"solid\nvertex 1 2\n", ("p.stl", 2, 11), "expected a coordinate"),
    ("p.obj", b"v 1 2 x\n", ("p.obj", 1, 7), "not 'x'"),
    ("p.obj", b"v 1 2 1e999\n", ("p.obj", 1, 7), "finite"),
    ("p.obj", b"v 1 2 " + b"9" * 1000, ("p.obj", 1, 7), "finite"),
    ("p.obj", b"\0\n\xff\n", ("model.xml", 4, 22), "has no points"),
    ("p.obj", obj([(i, i * i, i**3) for i in range(20001)]), ("model.xml", 4, 22),
     "has 20001 different points: expected 20000 at most"),
    ("p.obj", obj([(i, i, 0) for i in range(10)]), ("model.xml", 4, 1), "b.h: "),
])
def test_hostile_files(check, tmp_path, file, content, place, words):
    (tmp_path / file).write_bytes(content)
    problems = check(spatial(HULL.format(file), 'name="b"'))
    assert len(problems) == 1 and problems[0][:3] == place and words in problems[0][3], problems


# --- masses ---

def test_masses_of_the_plane(parameters):
    disc = parameters(planar('<circle name="c" x="2" radius="0.5" density="3"/>', 'name="b"'))
    m = 3 * math.pi / 4
    assert masses(disc, "mass", "inertia", "centre_of_mass_x", "centre_of_mass_y") == pytest.approx(
        [m, m * 0.25 / 2, 2, 0], rel=1e-12)
    box = parameters(planar('<box name="c" length="2" height="1" angle="0.3" density="3"/>',
                            'name="b"'))
    assert masses(box, "mass", "inertia") == pytest.approx([6, 6 * 5 / 12], rel=1e-12)


def test_mass_of_an_angle(parameters):
    """An L of two rectangles, as one outline, and as two boxes."""
    outline = ('<outline name="o" density="2"><to/><to x="3"/><to x="3" y="1"/><to x="1" y="1"/>'
               '<to x="1" y="4"/><to y="4"/></outline>')
    boxes = ('<box name="p" x="1.5" y="0.5" length="3" height="1" density="2"/>'
             '<box name="q" x="0.5" y="2.5" length="1" height="3" density="2"/>')
    m = np.array([6.0, 6.0])
    c = np.array([[1.5, 0.5], [0.5, 2.5]])
    centre = m @ c / m.sum()
    own = m * np.array([10, 10]) / 12
    inertia = own.sum() + (m * ((c - centre) ** 2).sum(axis=1)).sum()
    for shapes in (outline, boxes):
        found = masses(parameters(planar(shapes, 'name="b"')), "mass", "inertia",
                       "centre_of_mass_x", "centre_of_mass_y")
        assert found == pytest.approx([m.sum(), inertia, *centre], rel=1e-12)


def test_mass_of_a_wall(parameters):
    wall = parameters(planar('<segment name="s" x_2="2" thickness="0.2" density="1"/>', 'name="b"'))
    assert masses(wall, "mass", "centre_of_mass_x") == pytest.approx([0.4 + math.pi * 0.01, 1])


def test_masses_of_space(parameters):
    def inertia(shape):
        known = parameters(spatial(shape, 'name="b"'))
        return masses(known, "mass", *(f"inertia_{axes}" for axes in
                                       ("xx", "yy", "zz", "xy", "xz", "yz")))
    m = 5 * 4 / 3 * math.pi * 0.2**3
    theta = 0.4 * m * 0.04
    assert inertia('<sphere name="s" x="1" radius="0.2" density="5"/>') == pytest.approx(
        [m, theta, theta, theta, 0, 0, 0], abs=1e-12)
    m = 5 * math.pi * 0.04 * 3
    across, along = m * (3 * 0.04 + 9) / 12, m * 0.02
    assert inertia('<cylinder name="s" axis_x="2" axis_z="0" radius="0.2" length="3" density="5"/>'
                   ) == pytest.approx([m, along, across, across, 0, 0, 0], abs=1e-12)
    assert inertia('<box name="s" length="1" width="2" height="3" density="5"/>') == pytest.approx(
        [30, 30 * 13 / 12, 30 * 10 / 12, 30 * 5 / 12, 0, 0, 0], abs=1e-12)
    turned = inertia('<box name="s" length="1" width="2" height="3" rotation_z="pi/2" density="5"/>')
    assert turned[1:3] == pytest.approx([30 * 10 / 12, 30 * 13 / 12], rel=1e-12)
    volume = math.pi * 0.01 * 2 + 4 / 3 * math.pi * 0.001
    assert inertia('<capsule name="s" x_1="-1" x_2="1" radius="0.1" density="1"/>')[0] == (
        pytest.approx(volume, rel=1e-12))


def test_mass_of_a_tetrahedron(parameters):
    """Of the points 0, e_x, e_y, e_z: V = 1/6, second moments 1/60 and 1/120 about the origin."""
    known = parameters(spatial('<hull name="h" density="6"><vertex/><vertex x="1"/><vertex y="1"/>'
                               '<vertex z="1"/></hull>', 'name="b"'))
    found = masses(known, "mass", "centre_of_mass_z", "inertia_xx", "inertia_xy")
    square, product = 6 / 60 - 1 / 16, 6 / 120 - 1 / 16
    assert found == pytest.approx([1, 0.25, 2 * square, -product], rel=1e-12)


def test_bodies_with_masses_of_shapes_move(run):
    """A disc on a bar: it turns about its centre of mass; its origin starts where it is said."""
    text = planar('<circle name="c" x="1" radius="0.5" density="3"/>',
                  'name="b" initial_x="5" initial_angle="pi/2" initial_angular_velocity="2"',
                  after='<sensor name="s" at="b"/><gravity x="0" y="0"/>')
    result = run(text, 1.0, 1e-3)
    assert result["b.x"] == pytest.approx(5, abs=1e-12)
    assert result["b.y"] == pytest.approx(1, abs=1e-12)
    assert result["b.angle"][-1] == pytest.approx(math.pi / 2 + 2)
    assert result["s.x"][0] == pytest.approx(5) and result["s.y"][0] == pytest.approx(0, abs=1e-12)
    assert result["s.y"][-1] == pytest.approx(1 - math.cos(2), abs=1e-6)


def test_a_planar_centre_of_mass_can_be_given(run):
    """A pendulum by its centre of mass, and by a frame on a body whose origin is that."""
    hinge = '<gravity y="-10"/><revolute name="r" first="ground" second="{}"/>'
    given = run(planar("", 'name="b" mass="2" inertia="0.3" centre_of_mass_x="0.7"',
                       after=hinge.format("b")), 0.5, 1e-3)
    other = run(planar('<frame name="f" x="-0.7"/>', 'name="b" mass="2" inertia="0.3" '
                       'initial_x="0.7"', after=hinge.format("b.f")), 0.5, 1e-3)
    assert given["b.angle"] == pytest.approx(other["b.angle"], abs=1e-12)
    assert given["b.x"] == pytest.approx(other["b.x"], abs=1e-12)


@pytest.mark.parametrize("body, shape, place, words", [
    ('name="b"', '<circle name="c" radius="1"/>', (3, 1), "b has no mass"),
    ('name="b" inertia="1"', '<circle name="c" radius="1" density="1"/>', (3, 32), "without mass"),
    ('name="b" mass="1"', '<circle name="c" radius="1" density="1"/>', (3, 1),
     "needs the attribute inertia"),
    ('name="b"', '<circle name="c" radius="1" density="-1"/>', (4, 38), "at least 0"),
    ('name="b"', '<circle name="c" radius="1e-9" density="1e-9"/>', (3, 1), "b.mass is"),
    ('name="b"', '<box name="c" length="0" height="1" density="1"/>', (4, 1), "has no surface"),
    ('name="b"', '<ring name="c" radius="1" density="1"/>', (4, 36), "no attribute density"),
])
def test_errors_of_masses(check, body, shape, place, words):
    problems = check(planar(shape, body))
    assert len(problems) == 1 and problems[0][1:3] == place and words in problems[0][3], problems


def test_densities_without_effect_are_told(check):
    warnings = check(planar('<circle name="c" radius="1" density="1"/>'), "warning")
    assert any(w[1:3] == (4, 38) and "b has a mass of its own" in w[3] for w in warnings)


def test_masses_follow_what_is_set(pack):
    fmu = pack(planar('<circle name="c" radius="0.5" density="3"/>',
                      'name="b" initial_velocity_x="1"'))
    result = tools.simulate(fmu, 0.01, 1e-3, {"b.c.density": 6.0}, ["energy.kinetic", "b.mass"])
    assert result["b.mass"][0] == pytest.approx(6 * math.pi / 4, rel=1e-12)
    assert result["energy.kinetic"][0] == pytest.approx(3 * math.pi / 4, rel=1e-12)
    with pytest.raises(Exception):
        tools.simulate(fmu, 0.01, 1e-3, {"b.c.density": 0.0})


# --- curves ---

def ball_over(function, angle="0", parameters=""):
    return (f'<mechanism {NAMESPACE} name="m">{parameters}\n<planar_body name="b" mass="1" '
            f'inertia="1" initial_x="0.3" initial_y="3"><circle name="c" radius="0.1"/></planar_body>'
            f'\n<ground><curve name="hill" function="{function}" angle="{angle}"/></ground>\n'
            f'<contact name="touch" first="b.c" second="ground.hill"/></mechanism>')


def test_curves_use_parameters(run):
    """y = a x^2 + c over (0.3, 3), whose foot is where the distance is least."""
    text = ball_over("a*x^2+twice_c/2", parameters='<parameter name="a" value="0"/>'
                     '<parameter name="c" value="1"/><parameter name="twice_c" value="2*c"/>')
    flat = run(text, 1e-3, 1e-3)
    assert flat["touch.gap"][0] == pytest.approx(3 - 1 - 0.1, rel=1e-12)
    raised = run(text, 1e-3, 1e-3, {"c": 1.5})
    assert raised["touch.gap"][0] == pytest.approx(3 - 1.5 - 0.1, rel=1e-12)
    sloped = run(text, 1e-3, 1e-3, {"a": 0.01})
    x = np.linspace(-3, 3, 600001)
    distance = np.sqrt((x - 0.3) ** 2 + (0.01 * x**2 + 1 - 3) ** 2).min()
    assert sloped["touch.gap"][0] == pytest.approx(distance - 0.1, abs=1e-9)


def test_curves_are_turned(run):
    turned = run(ball_over("0", "pi/2"), 1e-3, 1e-3)  # free where x < 0
    assert turned["touch.gap"][0] == pytest.approx(-0.3 - 0.1, rel=1e-12)


def test_curves_know_no_tunable_parameters(check):
    problems = check(ball_over("k*x", parameters='<parameter name="k" value="1" tunable="true"/>'))
    assert len(problems) == 1 and problems[0][1:3] == (3, 38) and "tunable" in problems[0][3]
    problems = check(ball_over("k*x", parameters='<input name="k"/>'))
    assert len(problems) == 1 and "is an input" in problems[0][3]


def test_the_example_of_the_page(run, tmp_path):
    page = (tools.ROOT / "docs" / "model-format.md").read_text()
    text = page.split("### Shapes with all of their surface")[1].split("```xml\n")[1].split("```")[0]
    assert run(text, 0.01, 1e-3)["piece.y"][-1] < 0.6
    schema = etree.XMLSchema(etree.parse(tools.ROOT / "resources" / "schema" / "model.xsd"))
    assert schema.validate(etree.fromstring(text.encode()))
