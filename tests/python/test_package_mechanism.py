"""The Python package: mechanisms made and changed in Python."""

import inspect

import pytest

import tools

import clatter
from clatter.elements import Body, Elements, Vertices


def bouncer():
    mechanism = clatter.Mechanism("bouncer", description="falls & bounces <once>")
    mechanism.experiment(stop_time=1.5)
    mechanism.solver(step_size=1e-3)
    mechanism.gravity(y=-9.81)
    mechanism.parameter("size", 0.1, unit="m", min=0.01)
    ball = mechanism.planar_body("ball", mass=1, inertia="2/5*size^2", initial_y=0.5)
    rim = ball.circle("rim", radius="size")
    floor = mechanism.ground().line("floor")
    mechanism.contact("touch", first=rim, second=floor, normal_restitution=0.8)
    return mechanism


WRITTEN = '''<mechanism xmlns="urn:clatter:model:1" name="bouncer" \
description="falls &amp; bounces &lt;once&gt;">
  <experiment stop_time="1.5"/>
  <solver step_size="0.001"/>
  <gravity y="-9.81"/>
  <parameter name="size" value="0.1" unit="m" min="0.01"/>
  <planar_body name="ball" mass="1" inertia="2/5*size^2" initial_y="0.5">
    <circle name="rim" radius="size"/>
  </planar_body>
  <ground>
    <line name="floor"/>
  </ground>
  <contact name="touch" first="ball.rim" second="ground.floor" normal_restitution="0.8"/>
</mechanism>
'''


def test_what_is_made_is_a_model_file(tmp_path):
    assert bouncer().to_xml() == WRITTEN
    path = bouncer().write(tmp_path / "bouncer.xml")
    tools.clatter("check", path)
    assert clatter.Model(bouncer()).guid == clatter.Model(path).guid


@pytest.mark.filterwarnings("ignore::clatter.ClatterWarning")
def test_every_model_is_the_same_when_read_and_written(model_path):
    model = clatter.Model(model_path)
    copy = clatter.Model(clatter.Mechanism.read(model_path))
    assert list(copy.variables.values()) == list(model.variables.values())
    stop = model.start_time + 10 * model.variables["solver.step_size"].start
    assert copy.simulate(stop).drop_attrs().identical(model.simulate(stop).drop_attrs())


def test_changes(tmp_path):
    mechanism = bouncer()
    mechanism.find("ball")["mass"] = 3.5
    mechanism.find("touch")["friction_coefficient"] = "0.1 + 0.2"
    mechanism.gravity(x=1)
    mechanism.output("ball.x")
    mechanism.output("ball.y")
    assert mechanism.to_xml().count("<gravity") == 1
    assert '<gravity y="-9.81" x="1"/>' in mechanism.to_xml()
    model = clatter.Model(mechanism)
    assert model.variables["ball.mass"].start == 3.5
    assert list(model.outputs) == ["ball.x", "ball.y"]
    mechanism.find("touch").remove()
    del mechanism.find("ball.rim")["radius"]
    assert "touch.gap" not in mechanism.to_xml()
    with pytest.raises(clatter.ModelError, match="radius"):
        clatter.Model(mechanism)
    with pytest.raises(clatter.ClatterError, match="did you mean 'ball.rim'"):
        mechanism.find("ball.rin")
    with pytest.raises(clatter.ClatterError, match="did you mean 'mass'"):
        mechanism.find("ball")["maas"]


def test_problems_are_those_of_elements():
    mechanism = bouncer()
    mechanism.find("ball.rim")["radius"] = "sise"
    mechanism.planar_body("other", mass=-1, inertia=1)
    mechanism.find("ground")["colour"] = "red"
    with pytest.raises(clatter.ModelError) as caught:
        clatter.Model(mechanism)
    by_element = {problem.element: problem.message for problem in caught.value.problems}
    assert "size" in by_element["<circle ball.rim>"]
    assert "mass" in by_element["<planar_body other>"]
    assert "colour" in by_element["<ground>"]
    assert "<circle ball.rim>: error: " in str(caught.value)
    assert clatter.check(mechanism)[0].element


def test_files_that_a_mechanism_names(tmp_path):
    mechanism = clatter.Mechanism.read(tools.MODELS / "parcel_pusher.xml")
    assert mechanism["materials"] == "../materials.xml"
    assert len(clatter.Model(mechanism).outputs) == 13
    mechanism.folder = tmp_path
    with pytest.raises(clatter.ModelError, match="materials"):
        clatter.Model(mechanism)


def test_tables():
    mechanism = clatter.Mechanism("pushed")
    mechanism.table("profile", rows=[(0, 0), (1, 2.5)])
    mechanism.point_mass("cart", mass=1)
    mechanism.force("push", on="cart", x="profile(t)")
    result = clatter.Model(mechanism).simulate(1.0)
    assert result["cart.velocity_x"].values[-1] == pytest.approx(1.25)


def test_files_that_are_none(tmp_path):
    for content in ("<mechanism>", "<other/>", ""):
        path = tmp_path / "wrong.xml"
        path.write_text(content)
        with pytest.raises(clatter.ModelError):
            clatter.Mechanism.read(path)
    with pytest.raises(clatter.ModelError):
        clatter.Mechanism.read(tmp_path / "nowhere.xml")


def test_every_element_has_a_method_with_its_attributes():
    """Against the schema, which knows the same elements by another way."""
    from lxml import etree
    schema = etree.parse(tools.ROOT / "resources" / "schema" / "model.xsd")
    space = {"xs": "http://www.w3.org/2001/XMLSchema"}
    methods = {name: method for kind in (Vertices, Body, Elements)
               for name, method in vars(kind).items() if inspect.isfunction(method)}
    types = {node.get("name"): node for node in schema.iterfind("xs:complexType", space)}
    inside = {"repeat_of_shapes", "repeat_of_vertices", "repeat_of_outputs"}  # the same by where it stands
    assert set(types) - {"mechanism", "outputs"} - inside == set(methods)
    for tag, method in methods.items():
        attributes = {node.get("name") for node in types[tag].iterfind("xs:attribute", space)}
        free = {"parameters"} if types[tag].find("xs:anyAttribute", space) is not None else set()
        assert attributes | free == set(inspect.signature(method).parameters) - {"self"}, tag
        assert all(f"{name}: " in method.__doc__ for name in attributes)


def test_shapes_hold_vertices(tmp_path):
    mechanism = clatter.Mechanism("m")
    body = mechanism.planar_body("b")
    rim = body.outline("rim", group="parts", density=3)
    teeth = rim.repeat(count=6, index="k")
    teeth.to(x="cos(2*pi*k/6)", y="sin(2*pi*k/6)")
    teeth.arc_to(x="1.1*cos(2*pi*(k+0.5)/6)", y="1.1*sin(2*pi*(k+0.5)/6)", radius=-2)
    mechanism.contacts("all", first="parts")
    assert [problem for problem in clatter.check(mechanism) if problem.severity == "error"] == []
    again = clatter.Mechanism.read(mechanism.write(tmp_path / "m.xml"))
    assert again.to_xml() == mechanism.to_xml()
    assert isinstance(again.find("b.rim"), Vertices)
