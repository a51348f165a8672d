"""Repetitions and parts: in the program, its FMUs and the Python package, against what is written
out by hand, formulas and the schema."""

import os
import re
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from lxml import etree

import tools
from fmi2 import Fmu
from tools import FIRST_SCHEMES, MODELS, mechanism

import clatter

SECTION = (tools.ROOT / "docs" / "model-format.md").read_text().split(
    "\n## Writing many things\n")[1].split("\n## ")[0]
CHAIN, WAGON = re.findall("```xml\n(.*?)```", SECTION, re.DOTALL)
SCHEMA = etree.XMLSchema(etree.parse(tools.ROOT / "resources" / "schema" / "model.xsd"))


def run(text, directory, *arguments, name="model"):
    path = directory / f"{name}.xml"
    path.write_text(text)
    tools.clatter("run", path, "-o", directory / f"{name}.csv", *arguments)
    return tools.read_csv(directory / f"{name}.csv")


def pack(text, directory):
    (directory / "model.xml").write_text(text)
    tools.clatter("pack", directory / "model.xml", "-o", directory / "model.fmu")
    with zipfile.ZipFile(directory / "model.fmu") as archive:
        archive.extractall(directory / "extracted")
    return Fmu(directory / "extracted")


def names(fmu):
    description = etree.parse(fmu.directory / "modelDescription.xml").getroot()
    assert description.get("variableNamingConvention") == "structured"
    return {node.get("name"): node
            for node in description.iterfind("ModelVariables/ScalarVariable")}


# --- the examples of the documentation ---

@pytest.mark.parametrize("text", [CHAIN, WAGON], ids=["chain", "wagon"])
def test_examples_are_valid(tmp_path, text):
    SCHEMA.assertValid(etree.fromstring(text.encode()))
    (tmp_path / "model.xml").write_text(text)
    checked = tools.clatter("check", tmp_path / "model.xml")
    assert "can be used" in checked and "warning" not in checked


def written_chain(n):
    """The chain of the documentation, each of its elements by hand."""
    links = "".join(
        f'<planar_body name="link_{i}" mass="0.05" inertia="0.05*length^2/12" '
        f'initial_x="({i} - 0.5)*length"><point name="start" x="-length/2"/>'
        '<point name="end" x="length/2"/></planar_body>' for i in range(1, n + 1))
    hinges = '<revolute name="hinge_1" first="link_1.start"/>' + "".join(
        f'<revolute name="hinge_{i}" first="link_{i}.start" second="link_{i - 1}.end"/>'
        for i in range(2, n + 1))
    outputs = "".join(f'<output variable="{name}"/>' for name in (
        f"link_{n}.x", f"link_{n}.y", "hinge_1.force_y", "energy.total"))
    return mechanism('<experiment stop_time="1"/><gravity y="-9.81"/>'
                     '<parameter name="length" value="0.1" unit="m" min="0.01"/>'
                     f"{links}{hinges}<outputs>{outputs}</outputs>")


@pytest.mark.parametrize("scheme", FIRST_SCHEMES)
def test_chain_is_the_one_written_by_hand(tmp_path, scheme):
    options = "--scheme", scheme, "--stop", "0.3"
    short = run(CHAIN, tmp_path, *options)
    long = run(written_chain(20), tmp_path, *options, name="long")
    assert short.dtype.names == tuple(re.sub(r"_(\d+)\.", r"[\1].", name)
                                      for name in long.dtype.names)
    for name, by_hand in zip(short.dtype.names, long.dtype.names):
        assert (short[name] == long[by_hand]).all(), name
    assert short["link[20].y"][-1] < -0.3


def test_chain_in_an_fmu(tmp_path):
    """Variables: what is declared with its derivatives, and the parameter; alike in the program."""
    fmu = pack(CHAIN, tmp_path)
    repeated = {name for name in names(fmu) if "[" in name}
    ends = {f"link[20].{kind}{axis}" for kind in ("", "velocity_", "acceleration_")
            for axis in "xy"}
    assert repeated == ends | {"hinge[1].force_y"} | {
        name for name in repeated if name.startswith("hinge[1].")}
    assert names(fmu)["length"].get("causality") == "parameter"
    program = run(CHAIN, tmp_path, "--stop", "0.3", "--set", "length=0.15")
    host = tools.simulate(fmu, 0.3, 1e-3, {"length": 0.15})
    for name in ("link[20].x", "link[20].y", "hinge[1].force_y"):
        assert (program[name] == host[name]).all(), name
    assert program["link[20].x"][0] == pytest.approx(19.5 * 0.15)


def test_wagon_rolls_as_its_inertia_says(tmp_path):
    """Four wheels that roll: (M + 4 m) g_x = (M + 4 m + 4 I/r^2) a."""
    rows = run(WAGON, tmp_path)
    acceleration = 0.5 * 70.0 / (70.0 + 4 * 0.5 * 5.0)
    assert rows["deck.velocity_x"][-1] == pytest.approx(2.0 * acceleration, rel=1e-6)
    assert rows["rear.disc.angular_velocity"][-1] == pytest.approx(
        -2.0 * acceleration / 0.2, rel=1e-6)
    places = [rows[f"{name}.disc.x"] - rows["deck.x"]
              for name in ("rear", "second", "third", "front")]
    assert np.abs(np.array(places) - np.array([[-0.9], [-0.3], [0.3], [0.9]])).max() < 1e-6
    forces = sum(rows[f"{name}.touch.normal_force"]
                 for name in ("rear", "second", "third", "front"))
    assert forces[-1] == pytest.approx(70.0 * 9.8, rel=1e-6)


def test_wagon_with_repeated_uses_is_the_same(tmp_path):
    uses = re.findall("  <use .*?/>\n", WAGON)
    assert len(uses) == 4
    repeated = WAGON.replace("".join(uses), (
        '<repeat count="4"><use part="wheel" name="wheel" number="i" x="0.6*(i - 2.5)" y="0.2"/>'
        '</repeat><outputs><output variable="deck.x"/><repeat count="4">'
        '<output variable="wheel[i].touch.normal_force"/></repeat></outputs>'))
    SCHEMA.assertValid(etree.fromstring(repeated.encode()))
    single = run(WAGON, tmp_path)
    rows = run(repeated, tmp_path, name="repeated")
    assert rows["deck.x"] == pytest.approx(single["deck.x"], abs=1e-12)
    fmu = pack(repeated, tmp_path)
    assert {name for name in names(fmu) if name.startswith("wheel[2].") and "touch" not in name} \
        == {"wheel[2].radius"}


def test_views(tmp_path):
    """Of a simulation with all bodies; of a result as far as it tells where they are."""
    (tmp_path / "chain.xml").write_text(CHAIN)
    tools.clatter("view", tmp_path / "chain.xml", "-o", tmp_path / "chain.html")
    page = (tmp_path / "chain.html").read_text()
    assert all(f'"link[{i}]"' in page for i in (1, 20))
    run(CHAIN.replace('variable="link[n].x"/>', 'variable="link[n].x"/>'
                      '<output variable="link[n].angle"/>'), tmp_path, "--stop", "0.1")
    done = tools.try_clatter("view", "--model", tmp_path / "model.xml", tmp_path / "model.csv",
                             "-o", tmp_path / "result.html")
    assert done.returncode == 0 and "19 bodies are repeated" in done.stderr


def test_names_with_commas(tmp_path):
    """In the header of a CSV they are quoted; lists of names take them as one."""
    (tmp_path / "grid.xml").write_text(mechanism(
        '<repeat count="3" index="row"><repeat count="2" index="column"><point_mass name="cell" '
        'mass="1" initial_x="row" initial_velocity_y="column"/></repeat></repeat>'
        '<outputs><output variable="cell[3,2].y"/><output variable="cell[1,1].x"/></outputs>'))
    tools.clatter("run", tmp_path / "grid.xml", "--stop", "0.5", "-o", tmp_path / "out.csv",
                  "--plot", tmp_path / "out.svg", "--plot-variables", "cell[3,2].y, cell[1,1].x")
    rows = pd.read_csv(tmp_path / "out.csv")
    assert list(rows) == ["time", "cell[1,1].x", "cell[3,2].y"]
    assert rows["cell[3,2].y"].iloc[-1] == pytest.approx(1.0)
    assert "cell[3,2].y" in (tmp_path / "out.svg").read_text()
    done = tools.run(sys.executable, "-m", "clatter", "sweep", tmp_path / "grid.xml", "-o",
                     tmp_path / "sweep.csv", "--outputs", "cell[3,2].y,cell[1,1].x", "--vary",
                     "solver.step_size=0.01,0.02", "--stop", "0.5", "--processes", "1", "--quiet",
                     env=dict(os.environ, PYTHONPATH=str(tools.ROOT / "python")))
    assert done.returncode == 0, done.stderr
    assert {"cell[3,2].y", "cell[1,1].x"} <= set(pd.read_csv(tmp_path / "sweep.csv"))


# --- the model of the project ---

LONG_FOUR_BAR = "".join(
    [f'<planar_body name="crank_{i}" mass="1" inertia="1/12" initial_x="{i}" initial_y="0.5" '
     'initial_angle="pi/2" initial_velocity_x="speed/2" initial_angular_velocity="-speed">'
     '<point name="foot" x="-0.5"/><point name="head" x="0.5"/></planar_body>' for i in range(3)]
    + [f'<planar_body name="coupler_{i}" mass="1" inertia="1/12" initial_x="{i + 0.5}" '
       'initial_y="1" initial_velocity_x="speed"><point name="left" x="-0.5"/>'
       '<point name="right" x="0.5"/></planar_body>' for i in range(2)]
    + ['<ground><point name="a_0"/><point name="a_1" x="1"/><point name="a_2" x="2"/></ground>']
    + [f'<revolute name="foot_{i}" first="ground.a_{i}" second="crank_{i}.foot"/>'
       for i in range(3)]
    + [f'<revolute name="left_{i}" first="crank_{i}.head" second="coupler_{i}.left"/>'
       f'<revolute name="right_{i}" first="crank_{i + 1}.head" second="coupler_{i}.right"/>'
       for i in range(2)])


@pytest.mark.parametrize("scheme", FIRST_SCHEMES)
def test_four_bars_are_those_written_by_hand(tmp_path, scheme):
    text = (MODELS / "n_four_bar.xml").read_text()
    start = text.index("<constant")
    outputs = text[text.index("<outputs>"):].replace("crank[1]", "crank_0").replace(
        "crank[n+1]", "crank_2")
    short = run(text, tmp_path, "--scheme", scheme, "--stop", "2")
    long = run(text[:start] + LONG_FOUR_BAR + outputs, tmp_path, "--scheme", scheme, "--stop", "2",
               name="long")
    assert len(short.dtype.names) == len(long.dtype.names) == 11
    for name, by_hand in zip(short.dtype.names, long.dtype.names):
        assert (short[name] == long[by_hand]).all(), name
    assert abs(short["crank[1].angle"][-1] - short["crank[1].angle"][0]) > 1.0


# --- constants of repetitions ---

def flower(petals, outputs):
    """Balls fall onto a flower with such petals."""
    return mechanism(
        '<experiment stop_time="0.5"/><gravity y="-9.81"/><constant name="n" value="6"/>'
        f'<ground><polygon name="flower" group="hard">{petals}</polygon></ground>'
        '<repeat index="j" count="3"><planar_body name="ball" mass="1" inertia="0.01" '
        'initial_x="0.2*j-0.39" initial_y="0.8"><circle name="rim" radius="0.05" group="balls"/>'
        '</planar_body></repeat><contacts name="touch" first="balls" second="hard"/>'
        f'<outputs>{outputs}</outputs>')


def test_constants_stand_in_any_repetition(tmp_path):
    """Of vertices and outputs, which have a name for each repetition, as those of bodies have"""
    short = flower('<repeat index="k" count="n"><constant name="a" value="2*pi*k/n"/>'
                   '<constant name="R" value="0.3 + 0.02*cos(a)"/>'
                   '<vertex x="R*cos(a)" y="R*sin(a)"/></repeat>',
                   '<repeat index="k" count="2"><constant name="at" value="5 - 2*k"/>'
                   '<output variable="ball[at].y"/></repeat>')
    SCHEMA.assertValid(etree.fromstring(short.encode()))
    by_hand = flower("".join(
        f'<vertex x="(0.3 + 0.02*cos(2*pi*{k}/n))*cos(2*pi*{k}/n)" '
        f'y="(0.3 + 0.02*cos(2*pi*{k}/n))*sin(2*pi*{k}/n)"/>' for k in range(1, 7)),
        '<output variable="ball[3].y"/><output variable="ball[1].y"/>')
    one, other = run(short, tmp_path), run(by_hand, tmp_path, name="by_hand")
    assert one.dtype.names == other.dtype.names and len(one.dtype.names) == 3
    assert all((one[name] == other[name]).all() for name in one.dtype.names)


def test_constants_of_shapes_have_names(tmp_path):
    """Two of a name are told, and one beside shapes instead of in a repetition of them."""
    repeat = ('<repeat count="2"><constant name="R" value="0.1*i"/>'
              '<circle name="rim" radius="R" y="-R"/></repeat>')
    text = mechanism(f'<ground>{repeat}</ground>'
                     f'<planar_body name="disc" mass="1" inertia="1">{repeat}</planar_body>')
    (tmp_path / "model.xml").write_text(text)
    told = tools.try_clatter("check", tmp_path / "model.xml")
    assert told.returncode != 0 and "the name R[1] is used twice" in told.stdout
    (tmp_path / "model.xml").write_text(
        mechanism('<ground><constant name="R" value="1"/><circle name="rim" radius="R"/></ground>'))
    told = tools.try_clatter("check", tmp_path / "model.xml")
    assert told.returncode != 0 and "<constant> is not known in <ground>" in told.stdout


# --- many ---

def grains(n):
    return mechanism(
        '<gravity y="-9.81"/><ground><line name="floor"/></ground>'
        f'<repeat count="{n}"><planar_body name="grain" mass="1" inertia="0.1" '
        'initial_x="0.3*i" initial_y="0.1 + 1e-6*i"><circle name="rim" radius="0.1"/>'
        '</planar_body><contact name="touch" first="grain.rim" second="ground.floor" '
        'friction_coefficient="0.3"/></repeat>'
        '<outputs><output variable="grain[17].y"/><output variable="energy.total"/></outputs>')


def test_ten_thousand_grains(tmp_path):
    """Within 400 MB of memory, with a description of the FMU that does not grow with them."""
    path = tmp_path / "model.xml"
    sizes = []
    for n in (100, 10_000):
        path.write_text(grains(n))
        for command in (f"check {path}", f"pack {path} -o {tmp_path}/model.fmu"):
            limited = f"ulimit -v {400 * 1024}; exec {tools.BUILD}/clatter {command}"
            done = tools.run("bash", "-c", limited)
            assert done.returncode == 0, done.stdout + done.stderr
        with zipfile.ZipFile(tmp_path / "model.fmu") as archive:
            sizes.append(len(archive.read("modelDescription.xml")))
    assert sizes[0] == sizes[1] < 40_000


# --- the Python package ---

def test_builder_makes_the_examples(tmp_path):
    built = clatter.Mechanism("chain")
    built.solver(step_size=1e-3)
    built.gravity(y=-9.81)
    built.constant("n", 20)
    built.parameter("length", 0.1, unit="m", min=0.01)
    row = built.repeat("n")
    link = row.planar_body("link", mass=0.05, inertia="0.05*length^2/12",
                           initial_x="(i - 0.5)*length")
    start = link.point("start", x="-length/2")
    link.point("end", x="length/2")
    built.revolute("hinge[1]", first="link[1].start")
    built.repeat("n - 1", first=2).revolute("hinge", first=start, second="link[i-1].end")
    for name in ("link[n].x", "link[n].y", "hinge[1].force_y", "energy.total"):
        built.output(name)
    assert start.full_name == "link.start" and built.find("link.end")["x"] == "length/2"
    SCHEMA.assertValid(etree.fromstring(built.to_xml().encode()))
    by_builder = clatter.Model(built).simulate(0.3)
    (tmp_path / "chain.xml").write_text(CHAIN)
    by_file = clatter.Model(tmp_path / "chain.xml").simulate(0.3)
    assert by_builder.drop_attrs().identical(by_file.drop_attrs())


def test_builder_makes_parts():
    built = clatter.Mechanism("table")
    built.gravity(y=-9.81)
    top = built.planar_body("top", mass=2, inertia=1, initial_y=1)
    seats = top.repeat(2)
    seats.point("seat", x="i - 1.5")
    leg = built.part("leg")
    leg.constant("number", 1)
    leg.parameter("stiffness", 1000, unit="N/m")
    foot = leg.ground().point("foot")
    leg.spring_damper("spring", first=foot, second="top.seat[number]", stiffness="stiffness",
                      damping=20, free_length=1)
    leg.output("spring.length")
    built.use("left", part=leg, x=-0.5, number=1)
    built.use("right", part="leg", x=0.5, number=2, stiffness=2000)
    assert foot.full_name == "ground.foot" and foot.path == "leg.ground.foot"
    assert built.find("leg.spring")["damping"] == "20"
    assert built.find("right")["stiffness"] == "2000"
    SCHEMA.assertValid(etree.fromstring(built.to_xml().encode()))
    model = clatter.Model(built)
    assert list(model.outputs) == ["left.spring.length", "right.spring.length"]
    assert model.variables["right.stiffness"].start == 2000
    foot["y"] = "nothing"
    with pytest.raises(clatter.ModelError, match="right of line") as caught:
        clatter.Model(built)
    assert caught.value.problems[0].element == "<point ground.foot>"


def test_what_is_read_can_be_added_to(tmp_path):
    (tmp_path / "wagon.xml").write_text(WAGON)
    wagon = clatter.Mechanism.read(tmp_path / "wagon.xml")
    wagon.find("wheel.disc").point("valve", x="radius/2")
    wagon.find("deck.seat")["y"] = "0.01"
    wagon.find("wheel").sensor("look", at="disc.valve")
    model = clatter.Model(wagon)
    assert "third.look.x" in model.variables and model.variables["deck.mass"].start == 50
