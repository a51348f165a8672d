"""Which shapes meet: the list in docs/model-format.md is what the program takes, all else is refused
by name, and nothing that is taken falls through."""

import itertools
import re

import pytest

import tools
from tools import NAMESPACE, clatter, try_clatter

OF_PLANE = {"point": "", "circle": 'radius="0.1"', "ring": 'radius="2"', "line": "",
            "curve": 'function="0"', "box": 'length="0.2" height="0.1"',
            "cam": 'function="0.1 + 0.01*cos(2*angle)"', "frame": ""}
OF_SPACE = {"point": "", "circle": 'radius="0.1"', "ring": 'radius="2"', "line": "",
            "sphere": 'radius="0.1"', "hollow_sphere": 'radius="2"', "plane": "",
            "shaft": 'radius="0.3" axis_x="1" axis_z="0"',
            "bore": 'radius="2" axis_x="1" axis_z="0"',
            "box": 'length="0.2" width="0.1" height="0.1"', "pin": 'radius="0.1" length="0.2"',
            "curve": 'function="0"', "frame": ""}
BODIES = {"plane": '<planar_body name="a" mass="1" inertia="1e-3" {} >{}</planar_body>',
          "space": '<spatial_body name="a" mass="1" inertia_xx="1e-3" inertia_yy="1e-3" '
                   'inertia_zz="1e-3" {}>{}</spatial_body>'}
SHAPES = {"plane": OF_PLANE, "space": OF_SPACE}
HOLES = ("ring", "hollow_sphere", "bore")


def shape(where, tag, name="s"):
    return f'<{tag} name="{name}" {SHAPES[where][tag]}/>'


def up_of(where, fixed):
    return "y" if where == "plane" or fixed == "line" else "z"


def model(where, moving, fixed, start=""):
    gravity = 'y="-10"' if up_of(where, fixed) == "y" else 'y="0" z="-10"'
    return (f'<mechanism {NAMESPACE} name="m"><solver step_size="1e-3"/><gravity {gravity}/>'
            + BODIES[where].format(start, shape(where, moving))
            + f'<ground>{shape(where, fixed)}</ground>\n'
              '<contact name="c" first="a.s" second="ground.s" friction_coefficient="0.3"/>'
              '</mechanism>')


def documented():
    """The pairs in the table of the format's page, by where they meet."""
    text = (tools.ROOT / "docs" / "model-format.md").read_text()
    table = text.split("| shape | meets | where | what touches |\n")[1].split("\n\n")[0]
    pairs = {"plane": set(), "space": set()}
    for row in table.splitlines()[1:]:
        first, second, where, _ = row.strip("| ").split(" | ", 3)
        for place in where.split(", "):
            for pair in itertools.product(re.findall(r"<(\w+)>", first),
                                          re.findall(r"<(\w+)>", second)):
                if set(pair) <= set(SHAPES[place]):
                    pairs[place] |= {pair, pair[::-1]}
    return pairs


MEETING = documented()


@pytest.mark.parametrize("where", SHAPES)
def test_the_list_is_what_is_taken(tmp_path, where):
    path = tmp_path / "m.xml"
    for moving, fixed in itertools.product(SHAPES[where], repeat=2):
        path.write_text(model(where, moving, fixed))
        done = try_clatter("check", path)
        if (moving, fixed) in MEETING[where]:
            assert "cannot meet" not in done.stdout, done.stdout
        else:
            assert done.returncode == 1, (moving, fixed)
            errors = [line for line in done.stdout.splitlines() if "cannot meet" in line]
            assert len(errors) == 1 and errors[0].startswith(f"{path}:2:1: error: "), done.stdout
            assert f"a <{moving}> and a <{fixed}> cannot meet" in errors[0]
            for tag in (moving, fixed):  # what it could meet instead
                assert all(f"<{b}>" in errors[0] for a, b in MEETING[where] if a == tag)


STARTS = {"plane": ['initial_x="0.01"', 'initial_x="0.03" initial_angle="0.5"',
                    'initial_x="-0.02" initial_angular_velocity="20"'],
          "space": ['initial_x="0.01"', 'initial_x="0.03" initial_angular_velocity_x="10"',
                    'initial_x="-0.02" initial_angular_velocity_y="20"']}


def radial(where, fixed, row):
    """Distance from the centre of a round shape, or from the axis of a cylinder."""
    across = ["y", "z"] if fixed in ("shaft", "bore") else ["x", "y"] + ["z"] * (where == "space")
    return sum(row[f"a.{axis}"] ** 2 for axis in across) ** 0.5


@pytest.mark.parametrize("where", SHAPES)
def test_nothing_falls_through(tmp_path, where):
    """Every pair, the first one dropped on the second one or into it: its centre stays outside, or
    inside, but for the way of one step at the speed of the impact, at most 6.4 m/s."""
    slack = 6.4e-3
    path = tmp_path / "m.xml"
    dropped = {moving for moving, fixed in MEETING[where] if fixed in ("line", "plane")}
    dropped -= {"curve"}  # a half plane
    for moving, fixed in sorted(MEETING[where]):
        if moving not in dropped:
            continue  # a hole or a line on the body: the same pair the other way round
        for start in STARTS[where]:
            hole = fixed in HOLES
            up = up_of(where, fixed)
            above = "" if hole else f' initial_{up}="1"'
            path.write_text(model(where, moving, fixed, start + above))
            clatter("run", path, "--stop", "1", "--interval", "0.01", "-o", tmp_path / "o.csv")
            for row in tools.read_csv(tmp_path / "o.csv"):
                if hole:
                    assert radial(where, fixed, row) < 2 + slack, (moving, fixed, start, row["time"])
                elif fixed in ("line", "plane", "curve"):
                    assert row[f"a.{up}"] > -slack, (moving, fixed, start, row["time"])
                else:
                    inside = {"shaft": 0.3, "point": 0.0, "box": 0.05, "cam": 0.09}.get(fixed, 0.1)
                    assert radial(where, fixed, row) > inside - slack, (moving, fixed, start,
                                                                      row["time"])


def test_a_box_does_not_roll(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(model("plane", "box", "line").replace(
        '<contact name="c"', '<rolling name="c"').replace('friction_coefficient="0.3"', ""))
    done = try_clatter("check", path)
    assert done.returncode == 1 and "a <box> does not roll" in done.stdout


def test_corners_are_numbered_as_documented(tmp_path):
    """Heights of the corners of a box turned to the left, and of a level one in space."""
    path = tmp_path / "m.xml"
    text = model("plane", "box", "line", 'initial_y="1" initial_angle="0.3"')
    path.write_text(text.replace('name="c"', 'name="edge"'))
    clatter("run", path, "--stop", "0.001", "-o", tmp_path / "o.csv", "--all")
    row = tools.read_csv(tmp_path / "o.csv")[0]
    gaps = [row[f"edge[{i}].gap"] for i in range(1, 5)]
    assert sorted(range(4), key=gaps.__getitem__) == [0, 1, 2, 3]
    path.write_text(model("space", "box", "plane", 'initial_z="1"'))
    clatter("run", path, "--stop", "0.001", "-o", tmp_path / "o.csv", "--all")
    row = tools.read_csv(tmp_path / "o.csv")[0]
    lower = [row[f"c[{i}].gap"] for i in range(1, 5)]
    upper = [row[f"c[{i}].gap"] for i in range(5, 9)]
    assert max(lower) == min(lower) == pytest.approx(0.95)  # height is along z
    assert max(upper) == min(upper) == pytest.approx(1.05)
