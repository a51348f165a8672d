"""Signals, curves and outputs that are no numbers: told by name, place and time, and never handed out
with an OK."""

import pytest

import tools
from tools import clatter, mechanism, try_clatter

BODIES = ('<gravity y="0"/>\n<planar_body name="a" mass="1" inertia="1"><point name="p"/></planar_body>'
          '<planar_body name="b" mass="1" inertia="1" initial_x="1"/>'
          '<revolute name="j" first="a.p"/>\n')
# Each kind of attribute that takes a signal: the element in a line of its own.
ATTRIBUTES = {
    "x of force f": '<force name="f" on="b" x="{}"/>',
    "value of torque f": '<torque name="f" on="a" value="{}"/>',
    "angle of angle_drive f": '<angle_drive name="f" first="a" angle="{}"/>',
    "speed of speed_drive f": '<speed_drive name="f" first="a" speed="{}"/>',
    "position of slide_drive f": '<slide_drive name="f" first="b" position="{}"/>',
    "x of driven_frame f": '<driven_frame name="f" x="{}"/>',
    "angle of driven_frame f": '<driven_frame name="f" angle="{}"/>',
    "target of angle_actuator f": '<angle_actuator name="f" first="a" second="b" target="{}"/>',
    "torque of angle_actuator f": '<angle_actuator name="f" first="a" second="b" torque="{}"/>',
    "force of slide_actuator f": '<slide_actuator name="f" first="a" second="b" force="{}"/>',
}
SCHEMES = ("moreau_jean", "generalized_alpha")


def write(tmp_path, content):
    path = tmp_path / "m.xml"
    path.write_text(mechanism(BODIES + content))
    return path


@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize("signal, word", [("sin(t)/t", "not a number"), ("log(0)", "infinite")])
def test_at_the_start(tmp_path, attribute, signal, word):
    line = ATTRIBUTES[attribute].format(signal)
    path = write(tmp_path, line)
    column = line.index(signal) + 1
    for command in (["check"], ["run", "-o", tmp_path / "o.csv"]):
        done = try_clatter(*command, path)
        told = done.stdout + done.stderr
        assert done.returncode == 1
        assert f"{attribute} (line 5, column {column}) is {word} at t = 0 s" in told


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize("signal, end", [("1/(t-0.05)", 0.049), ("sqrt(0.0505-t)", 0.05)])
def test_later(tmp_path, attribute, scheme, signal, end):
    """The rows end at the last step whose signals all have values."""
    path = write(tmp_path, ATTRIBUTES[attribute].format(signal))
    done = try_clatter("run", path, "--stop", "0.1", "--all", "--scheme", scheme, "-o",
                       tmp_path / "o.csv")
    assert done.returncode == 1
    assert f"{attribute} (line 5, column" in done.stderr and "at t = 0.05" in done.stderr
    text = (tmp_path / "o.csv").read_text()
    assert "nan" not in text and "inf" not in text
    assert tools.read_csv(tmp_path / "o.csv")["time"][-1] == pytest.approx(end)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_not_used_may_be_infinite(tmp_path, scheme):
    """The slope of a force at t = 0 is nobody's affair."""
    path = write(tmp_path, '<force name="f" on="b" x="sqrt(t)"/>')
    clatter("run", path, "--stop", "0.01", "--scheme", scheme, "-o", tmp_path / "o.csv")
    # v = 2/3 t^1.5, to the error of a midpoint rule on a kink
    assert tools.read_csv(tmp_path / "o.csv")["b.velocity_x"][-1] == pytest.approx(
        2 / 3 * 0.01 ** 1.5, rel=2e-2)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_curve_that_ends(tmp_path, scheme):
    path = write(tmp_path, '<planar_body name="c" mass="1" inertia="1" initial_x="0.05" '
                           'initial_y="1" initial_velocity_x="-1"><point name="p"/></planar_body>'
                           '<ground><curve name="root" function="sqrt(x)"/></ground>'
                           '<contact name="k" first="c.p" second="ground.root"/>')
    done = try_clatter("run", path, "--stop", "0.2", "--scheme", scheme, "-o", tmp_path / "o.csv")
    assert done.returncode == 1 and "curve" in done.stderr
    assert "nan" not in (tmp_path / "o.csv").read_text()


def test_an_input_that_makes_it_so(pack):
    """The step is refused, with the reason in the log; it goes on with another value."""
    from fmi2 import Instance
    fmu = pack(mechanism('<input name="u" start="1"/>' + BODIES + '<force name="f" on="b" x="1/u"/>'))
    with Instance(fmu, logging=True) as instance:
        instance.start()
        assert instance.step(0.0, 0.001) == 0
        instance.set(u=0.0)
        assert instance.step(0.001, 0.001) != 0
        assert "x of force f" in str(instance.messages)


WARNINGS = {
    "idle shape": ('<planar_body name="c" mass="1" inertia="1"><circle name="s" radius="1"/>'
                   '</planar_body>', "c.s is in no contact, joint, force or sensor"),
    "gravity out of the plane": ('<planar_body name="c" mass="1" inertia="1"/><gravity z="-9.81"/>',
                                 "gravity along z acts on no body"),
    "moments of inertia": ('<spatial_body name="c" mass="1" inertia_xx="1" inertia_yy="1" '
                           'inertia_zz="2.1"/>', "no body has these moments of inertia"),
    "products of inertia": ('<spatial_body name="c" mass="1" inertia_xx="1" inertia_yy="1" '
                            'inertia_zz="0.1" inertia_xy="0.2"/>', "no body has these moments"),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_warnings(tmp_path, name):
    content, word = WARNINGS[name]
    path = tmp_path / "m.xml"
    path.write_text(mechanism(content))
    done = try_clatter("check", path)
    assert done.returncode == 0, done.stdout
    warnings = [line for line in done.stdout.splitlines() if "warning:" in line]
    assert len(warnings) == 1 and word in warnings[0] and f"{path}:3:" in warnings[0]


def test_flat_bodies_are_real(tmp_path):
    """A thin plate has the largest moment that a body can have; turned, too."""
    path = tmp_path / "m.xml"
    path.write_text(mechanism('<spatial_body name="c" mass="1" inertia_xx="0.1" inertia_yy="0.2" '
                              'inertia_zz="0.3"/><spatial_body name="d" mass="1" inertia_xx="0.2" '
                              'inertia_yy="0.2" inertia_zz="0.2" inertia_xy="0.1"/>'))
    assert "warning" not in clatter("check", path)
