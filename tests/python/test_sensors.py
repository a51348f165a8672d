"""Sensors and gauges against what they measure."""

import numpy as np
import pytest

from test_beam import CLAMP, ENDS, at_rest, cantilever
from tools import clatter, mechanism, read_csv, try_clatter


def simulate(tmp_path, content, stop=1.0, step=1e-3):
    path = tmp_path / "model.xml"
    path.write_text(mechanism(content, step=step))
    clatter("run", path, "--stop", stop, "-o", tmp_path / "motion.csv")
    return read_csv(tmp_path / "motion.csv")


PLANE = '''
<planar_body name="a" mass="1" inertia="1" initial_x="0.3" initial_angle="0.5"
             initial_velocity_x="1" initial_velocity_y="-2" initial_angular_velocity="3">
  <frame name="tip" x="0.2" y="-0.1" angle="0.4"/></planar_body>
<planar_body name="b" mass="1" inertia="1" initial_y="0.7" initial_angle="-1"
             initial_velocity_x="-0.5" initial_velocity_y="0.3" initial_angular_velocity="-7">
  <frame name="eye" x="-0.3" y="0.2" angle="1.1"/></planar_body>
<sensor name="own" at="a"/><sensor name="tip" at="a.tip"/>
<sensor name="seen" at="a.tip" relative_to="b.eye"/>
'''


def turned(angle, x, y):
    return np.array([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y])


def test_in_the_plane(tmp_path):
    rows = simulate(tmp_path, PLANE)
    for name in ("x", "y", "angle", "velocity_x", "velocity_y", "angular_velocity"):
        assert np.array_equal(rows[f"own.{name}"], rows[f"a.{name}"])
    tip = np.array([rows["a.x"], rows["a.y"]]) + turned(rows["a.angle"], 0.2, -0.1)
    assert np.allclose([rows["tip.x"], rows["tip.y"]], tip, rtol=0, atol=1e-14)
    assert np.allclose(rows["tip.angle"], rows["a.angle"] + 0.4, rtol=0, atol=1e-14)
    eye = np.array([rows["b.x"], rows["b.y"]]) + turned(rows["b.angle"], -0.3, 0.2)
    seen = turned(-rows["b.angle"] - 1.1, *(tip - eye))
    assert np.allclose([rows["seen.x"], rows["seen.y"]], seen, rtol=0, atol=1e-13)
    assert np.allclose(rows["seen.angle"], rows["a.angle"] - rows["b.angle"] - 0.7, atol=1e-13)
    assert np.allclose(rows["seen.angular_velocity"], 10, atol=1e-12)
    for name in ("x", "y"):  # central differences: what is seen moves with the velocity seen
        rate = (rows[f"seen.{name}"][2:] - rows[f"seen.{name}"][:-2]) / 2e-3
        assert np.allclose(rows[f"seen.velocity_{name}"][1:-1], rate, atol=2e-3)


def quaternion_product(p, q):
    return np.array([p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                     p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                     p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                     p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]])


def test_in_space(tmp_path):
    """Relative orientation is the quotient of the quaternions, whatever the largest entry."""
    body = ('<spatial_body name="{}" mass="1" inertia_xx="1" inertia_yy="1.5" inertia_zz="2" '
            'initial_angular_velocity_x="{}" initial_angular_velocity_y="{}" '
            'initial_angular_velocity_z="{}"/>')
    rows = simulate(tmp_path, body.format("a", 5, 1, 2) + body.format("b", -2, 4, 0.5) +
                    '<sensor name="own" at="a"/><sensor name="seen" at="a" relative_to="b"/>', 3.0)
    p = {body: np.array([rows[f"{body}.quaternion_{i}"] for i in range(4)]) for body in "ab"}
    conjugate = p["b"] * np.array([[1], [-1], [-1], [-1]])
    for name, exact in (("own", p["a"]), ("seen", quaternion_product(conjugate, p["a"]))):
        exact = exact * np.where(exact[0] < 0, -1, 1)
        found = np.array([rows[f"{name}.quaternion_{i}"] for i in range(4)])
        assert np.min(found[0]) < 0.1  # beyond where the real part is the largest entry
        clear = exact[0] > 1e-6
        assert np.allclose(found[:, clear], exact[:, clear], rtol=0, atol=1e-12)


def test_gauge_on_a_cantilever(tmp_path):
    """Force F at the tip: Q = F, M = F (L - s); a force along the axis adds N. Small load."""
    load = ('<force name="load" on="rod.tip" x="1e-3*min(t/20, 1)" y="1e-4*min(t/20, 1)"/>'
            '<gauge name="root" at="rod.root"/><gauge name="middle" at="rod.middle"/>')
    content = cantilever(4, 2, load).replace(ENDS, ENDS + '<point name="middle" x="0.6"/>')
    end = at_rest(tmp_path, content)
    assert end["root.shear_force"] == pytest.approx(1e-4, rel=1e-3)
    assert end["root.bending_moment"] == pytest.approx(1e-4, rel=1e-3)
    assert end["middle.bending_moment"] == pytest.approx(0.4e-4, rel=1e-3)
    assert end["middle.curvature"] == pytest.approx(0.4e-4, rel=1e-3)
    assert end["middle.normal_force"] == pytest.approx(1e-3, rel=1e-3)
    assert end["middle.stretch"] == pytest.approx(1e-6, rel=1e-3)
    assert end["middle.stress_left"] == 0  # its size is not known


def test_stresses(tmp_path):
    """A moment M bends to sigma = -+6 M / (b h^2): pressure on the inside, which is left."""
    content = ('<beam name="rod" length="1" elements="2" width="0.02" height="0.01" density="1" '
               f'youngs_modulus="1e6" damping_time="0.5">{ENDS}</beam>{CLAMP}'
               '<torque name="load" on="rod.tip" value="1e-5*min(t/20, 1)"/>'
               '<gauge name="gauge" at="rod.root"/>')
    end = at_rest(tmp_path, content)
    stress = 6 * 1e-5 / (0.02 * 0.01 ** 2)
    assert end["gauge.stress_left"] == pytest.approx(-stress, rel=1e-6)
    assert end["gauge.stress_right"] == pytest.approx(stress, rel=1e-6)


def test_gauges_stand_on_beams(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(mechanism('<point_mass name="a" mass="1"><point name="p"/></point_mass>'
                              '<gauge name="g" at="a.p"/>'))
    assert "a <gauge> stands on a beam, not on a <point_mass>" in try_clatter("check", path).stdout


def test_a_sensor_needs_no_input_unless_it_looks_at_a_driven_frame(tmp_path, pack):
    content = ('<input name="hand" unit="m"/><driven_frame name="table" x="hand"/>'
               '<point_mass name="a" mass="1"/><sensor name="free" at="a"/>'
               '<sensor name="seen" at="a" relative_to="table"/>')
    fmu = pack(mechanism(content))
    text = (fmu.directory / "modelDescription.xml").read_text()
    order = [line for line in text.splitlines() if "<ScalarVariable" in line]
    index = {name: i + 1 for i, line in enumerate(order)
             for name in ("free.x", "seen.x", "hand") if f'name="{name}"' in line}
    outputs = text[text.index("<Outputs>"):text.index("</Outputs>")]
    of = {name: next(line for line in outputs.splitlines() if f'index="{index[name]}"' in line)
          for name in ("free.x", "seen.x")}
    assert 'dependencies=""' in of["free.x"]
    assert f'dependencies="{index["hand"]}"' in of["seen.x"]
