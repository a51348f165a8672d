"""Beams that touch along their length."""

import re

import numpy as np
import pytest

from tools import clatter, description, mechanism, read_csv, try_clatter

ROD = ('length="1" elements="8" width="0.02" height="0.02" youngs_modulus="2e8" density="1000" '
       'damping_time="1e-3" initial_y="0.02"')
FLOOR = '<ground><line name="floor"/><circle name="post" x="0.4" y="-0.5" radius="0.5"/></ground>'


def written(tmp_path, content, **options):
    path = tmp_path / "model.xml"
    path.write_text(mechanism('<gravity y="-9.81"/>' + content, **options))
    return path


def result(tmp_path, content, stop=0.3, **options):
    clatter("run", written(tmp_path, content, **options), "--stop", stop,
            "-o", tmp_path / "result.csv")
    return read_csv(tmp_path / "result.csv")


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
def test_stations_are_circles(tmp_path, scheme):
    """A skin of five stations is five circles, each with a contact of its own."""
    attributes = 'friction_coefficient="0.3" normal_restitution="0.2"'
    places = np.linspace(0.1, 0.9, 5)
    circles = "".join(f'<circle name="c{i}" x="{x}" radius="0.01"/>' for i, x in enumerate(places))
    contacts = "".join(f'<contact name="k{i}" first="rod.c{i}" second="ground.post" {attributes}/>'
                       for i in range(5))
    solver = f'scheme="{scheme}"'
    one = result(tmp_path, f'<beam name="rod" {ROD}>{circles}</beam>{FLOOR}{contacts}',
                 solver=solver)
    other = result(tmp_path, f'<beam name="rod" {ROD}><skin name="skin" first="0.1" last="0.9" '
                   f'stations="5"/></beam>{FLOOR}<contact name="k" first="rod.skin" '
                   f'second="ground.post" {attributes}/>', solver=solver)
    assert one["rod.last_y"][-1] < -0.02  # it bends over the post
    for name in ("rod.first_x", "rod.last_y", "rod.last_angle", "energy.total"):
        assert other[name] == pytest.approx(one[name], abs=1e-12)
    forces = sum(one[f"k{i}.normal_force"] for i in range(5))
    assert other["k.total_normal_force"] == pytest.approx(forces, abs=1e-9)
    assert other["k.smallest_gap"] == pytest.approx(
        np.min([one[f"k{i}.gap"] for i in range(5)], axis=0), abs=1e-12)
    assert other["k.closed_points"] == pytest.approx(
        sum((one[f"k{i}.state"] > 1) * 1.0 for i in range(5)))
    assert other["k.total_normal_impulse"] == pytest.approx(
        sum(one[f"k{i}.normal_impulse"] for i in range(5)), abs=1e-9)


@pytest.mark.parametrize("tag", ["beam", "spline_beam"])
def test_rest_on_the_floor(tmp_path, tag):
    """It lies on all its stations, as many as touch each other, and they carry its weight. On
    velocity level it may have sunk in by the way of one step."""
    rest = result(tmp_path, f'<{tag} name="rod" {ROD}><skin name="skin"/></{tag}>{FLOOR}'
                  '<contact name="k" first="rod.skin" second="ground.floor"/>', stop=1.0)[-1]
    sunk = 1e-3 * np.sqrt(2 * 9.81 * 0.01)
    assert 0.01 - sunk < rest["rod.first_y"] <= 0.01
    assert rest["rod.last_y"] == pytest.approx(rest["rod.first_y"], abs=1e-9)
    assert rest["k.total_force_y"] == pytest.approx(0.4 * 9.81, rel=1e-9)
    assert rest["k.closed_points"] == 51
    assert rest["solver.inexact_steps"] == rest["solver.failed_steps"] == 0


def test_rest_on_a_shaft(tmp_path):
    """A beam of space that is laid across two shafts hangs through between them; they carry half of
    its weight each, at the stations next to where they are."""
    content = (f'<spatial_beam name="rod" length="1" elements="8" width="0.02" height="0.02" '
               'youngs_modulus="2e8" density="1000" damping_time="0.01" initial_z="0.06">'
               '<skin name="skin" stations="41"/></spatial_beam><ground>'
               '<shaft name="left" x="0.2" radius="0.05" axis_y="1" axis_z="0"/>'
               '<shaft name="right" x="0.8" radius="0.05" axis_y="1" axis_z="0"/></ground>'
               '<contact name="left" first="rod.skin" second="ground.left"/>'
               '<contact name="right" first="rod.skin" second="ground.right"/>')
    path = tmp_path / "model.xml"
    path.write_text(mechanism('<gravity y="0" z="-9.81"/>' + content, solver='theta="1"'))
    clatter("run", path, "--stop", 1, "-o", tmp_path / "result.csv")
    rest = read_csv(tmp_path / "result.csv")[-1]
    for side in "left", "right":
        assert rest[f"{side}.total_force_z"] == pytest.approx(0.2 * 9.81, rel=1e-3)
        assert abs(rest[f"{side}.total_force_x"]) < 0.05 * 0.2 * 9.81
        assert abs(rest[f"{side}.smallest_gap"]) < 1e-5
    assert rest["solver.inexact_steps"] == rest["solver.failed_steps"] == 0


def test_two_beams_that_cross(tmp_path):
    """A beam falls across another that is held: each pair of stations may touch, and they do not
    go through each other."""
    content = (f'<beam name="rod" {ROD} initial_x="-0.5"><skin name="skin" stations="40"/></beam>'
               '<beam name="post" length="0.4" elements="4" width="0.02" height="0.02" '
               'youngs_modulus="2e8" density="1000" initial_y="-0.4" initial_angle="pi/2">'
               '<frame name="root"/><skin name="skin" stations="20"/></beam>'
               '<rigid name="clamp" first="ground.foot" second="post.root"/>'
               '<ground><frame name="foot" y="-0.4" angle="pi/2"/></ground>'
               '<contact name="k" first="rod.skin" second="post.skin" friction_coefficient="0.5"/>')
    facts = clatter("check", written(tmp_path, content))
    assert "contacts     800 (pairs of points of 1 <contact>)" in facts
    motion = result(tmp_path, content, stop=0.2)
    assert motion["k.smallest_gap"].min() > -2e-4  # the way of one step at 0.2 m/s
    assert motion["k.total_normal_force"][-1] > 1.0
    assert motion["solver.failed_steps"][-1] == 0


def test_variables(tmp_path, pack):
    """Stations are variables of the FMU; up to eight they are outputs, beyond that the sums are."""
    for stations, shown in (4, True), (9, False):
        path = written(tmp_path, f'<beam name="rod" {ROD}><skin name="skin" stations="{stations}"/>'
                       f'</beam>{FLOOR}<contact name="k" first="rod.skin" second="ground.floor"/>')
        root = description(pack(path.read_text()))
        causality = {v.get("name"): v.get("causality") for v in root.iter("ScalarVariable")}
        assert causality["k.total_normal_force"] == "output"
        assert causality[f"k[{stations}].gap"] == ("output" if shown else "local")
        assert f"k[{stations + 1}].gap" not in causality


@pytest.mark.parametrize("length, radius, expected", [(1, 0.1, 6), (1, 0.01, 51), (5, 0.01, 101)])
def test_default_number(tmp_path, length, radius, expected):
    """As many stations as touch each other, at most 101."""
    content = (f'<beam name="rod" length="{length}" width="0.02" height="0.02" density="1000" '
               f'youngs_modulus="2e8"><skin name="skin" radius="{radius}"/></beam>{FLOOR}'
               '<contact name="k" first="rod.skin" second="ground.floor"/>')
    assert f"contacts     {expected} (" in clatter("check", written(tmp_path, content))


def test_what_slips_through(tmp_path):
    """A circle that fits between two stations is told, with the number that it takes."""
    for stations, told in (10, True), (40, False):
        content = (f'<beam name="rod" {ROD}><skin name="skin" stations="{stations}"/></beam>'
                   '<ground><circle name="pin" y="-1" radius="0.02"/></ground>\n'
                   '<contact name="k" first="rod.skin" second="ground.pin"/>')
        words = clatter("check", written(tmp_path, content))
        match = re.search(r"model.xml:4:1: warning: ground.pin can slip through between the "
                          r"stations of rod.skin, which are 0.111111 m apart: that takes (\d+) "
                          r"stations instead of 10", words)
        assert (match is not None) == told, words


@pytest.mark.parametrize("content, expected", [
    ('<planar_body name="b" mass="1" inertia="1"><skin name="skin"/></planar_body>'
     '<contact name="k" first="b.skin" second="ground.floor"/>',
     "a <skin> is along a body such as <beam>, not on a <planar_body>"),
    (f'<beam name="b" {ROD}><skin name="skin" stations="1001"/></beam>'
     '<contact name="k" first="b.skin" second="ground.floor"/>',
     'stations="1001" is 1001: expected from 0 to 1000'),
    (f'<beam name="b" {ROD}><skin name="skin" stations="4.5"/></beam>'
     '<contact name="k" first="b.skin" second="ground.floor"/>', "expected a whole number"),
    (f'<beam name="b" {ROD}><skin name="skin" last="1.5"/></beam>'
     '<contact name="k" first="b.skin" second="ground.floor"/>', "expected from 0 to 1"),
    (f'<beam name="b" {ROD}><skin name="skin"/></beam>'
     '<rolling name="k" first="b.skin" second="ground.floor"/>',
     "a <skin> does not roll: it touches in more than one point"),
    ('<beam name="b" length="1"><skin name="skin"/></beam>'
     '<contact name="k" first="b.skin" second="ground.floor"/>', "has no stiffness"),
    (f'<beam name="b" {ROD}><skin name="s" stations="1000"/></beam><beam name="c" {ROD}>'
     '<skin name="s" stations="1000"/></beam><contact name="k" first="b.s" second="c.s"/>'
     '<contact name="l" first="c.s" second="b.s"/>', "<contact> l stands for 1000000 pairs"),
    (f'<beam name="b" {ROD}/><planar_body name="c" mass="1" inertia="1"/>'
     '<line_load name="k" on="c" y="1"/>', "a <line_load> is along a body such as <beam>"),
    (f'<beam name="b" {ROD}><point name="p"/></beam><line_load name="k" on="b.p" y="1"/>',
     "a <line_load> is along a body such as <beam>, not on a <point>"),
    (f'<beam name="b" {ROD}/><line_load name="k" y="1"/>', "needs the attribute on"),
])
def test_errors(tmp_path, content, expected):
    done = try_clatter("check", written(tmp_path, FLOOR + content))
    assert done.returncode == 1
    assert expected in done.stdout
    assert re.search(r"model.xml:\d+:\d+: error|line \d+, column \d+", done.stdout)
