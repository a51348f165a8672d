"""Tables as signals: in the program and in FMUs, against formulas and splines made here."""

import re
import shutil
import zipfile

import numpy as np
import pytest

import tools
from fmi2 import OK, Fmu, Instance, Refused
from tools import FIRST_SCHEMES, MODELS, mechanism

DOCUMENT = (tools.ROOT / "docs" / "model-format.md").read_text()


def rows(x, y):
    return "; ".join(f"{a!r} {b!r}" for a, b in zip(x.tolist(), y.tolist()))


def write_csv(path, header, *columns):
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=header, comments="",
               fmt="%.17g")


def pack(model, directory):
    tools.clatter("pack", model, "-o", directory / "model.fmu")
    with zipfile.ZipFile(directory / "model.fmu") as archive:
        archive.extractall(directory / "extracted")
    return Fmu(directory / "extracted")


# --- the example of the documentation ---

def write_example(directory):
    section = DOCUMENT.split("\n## Tables\n")[1].split("\n## ")[0]
    (model,) = re.findall("```xml\n(.*?)```", section, re.DOTALL)
    (table,) = re.findall("```csv\n(.*?)```", section, re.DOTALL)
    (directory / "shaker.xml").write_text(model)
    (directory / "record.csv").write_text(table)
    return directory / "shaker.xml"


@pytest.mark.parametrize("scheme", FIRST_SCHEMES)
def test_example_runs_alike_in_the_program_and_in_its_fmu(tmp_path, scheme):
    model = write_example(tmp_path)
    checked = tools.clatter("check", model)
    assert "warning" not in checked and "can be used" in checked
    tools.clatter("run", model, "--scheme", scheme, "-o", tmp_path / "out.csv")
    fmu = pack(model, tmp_path)
    (tmp_path / "record.csv").unlink()  # the FMU has its own
    program = tools.read_csv(tmp_path / "out.csv")
    host = tools.simulate(fmu, 2.0, 1e-3, {"solver.scheme": FIRST_SCHEMES[scheme]})
    for name in ("parcel.x", "parcel.y", "parcel.velocity_y", "table.velocity_y"):
        assert (program[name] == host[name]).all(), name
    assert program["table.y"].max() == pytest.approx(1.1e-3, rel=0.2)
    assert program["parcel.x"][-1] > 0.0 and program["solver.failed_steps"][-1] == 0


# --- files ---

PUSHED = """<experiment stop_time="1"/>
<point_mass name="a" mass="2"/><force name="f" on="a" x="{}"/>"""


def test_packed_whatever_the_files_are_called(tmp_path):
    """Outside of the model's folder, with equal names, by an absolute path: all are in the FMU."""
    far = tmp_path / "far away"
    for folder in ("model", "one", "far away"):
        (tmp_path / folder).mkdir()
    x = np.array([0.0, 1.0])
    write_csv(tmp_path / "one" / "p.csv", "t,v", x, [2.0, 2.0])
    write_csv(far / "p.csv", "t,v", x, [30.0, 30.0])
    write_csv(tmp_path / "model" / "back\\slash.csv", "t,v", x, [400.0, 400.0])
    model = tmp_path / "model" / "m.xml"
    model.write_text(mechanism(f"""<table name="a1" file="../one/p.csv"/>
<table name="a2" file="{far / 'p.csv'}"/><table name="a3" file="back\\slash.csv"/>
<table name="a4" file="../one/p.csv" interpolation="held"/>
""" + PUSHED.format("a1(t) + a2(t) + a3(t) + a4(t)")))
    fmu = pack(model, tmp_path)
    found = sorted(path.name for path in (fmu.resources / "tables").iterdir())
    assert found == ["a1.csv", "a2.csv", "a3.csv"]
    for folder in ("model", "one", "far away"):
        shutil.rmtree(tmp_path / folder)
    with Instance(fmu) as instance:
        instance.start()
        assert instance.step(0.0, 0.5) == OK
        assert instance.get("a.velocity_x") == pytest.approx(0.5 * 434 / 2, rel=1e-12)


def test_fmu_with_another_file_is_another(tmp_path):
    fmu = pack(write_example(tmp_path), tmp_path)
    packed = fmu.resources / "tables" / "record.csv"
    text = packed.read_text()
    packed.write_text(text.replace("1.1", "1.2"))
    with pytest.raises(Refused, match="GUID"):
        Instance(fmu)
    packed.write_text("time,height,temperature\n0,0,\n1,x,\n")
    with pytest.raises(Refused, match="tables/record.csv:3:3: expected a number, not 'x'"):
        Instance(fmu)
    packed.unlink()
    with pytest.raises(Refused, match="model.xml:8:.*cannot be read"):
        Instance(fmu)


def test_nothing_is_written_over_a_file_of_the_model(tmp_path):
    model = write_example(tmp_path)
    before = (tmp_path / "record.csv").read_text()
    for command in ("run", "pack"):
        done = tools.try_clatter(command, model, "-o", tmp_path / "record.csv")
        assert done.returncode == 2 and "the model itself" in done.stderr
    assert (tmp_path / "record.csv").read_text() == before


def test_a_million_rows(tmp_path):
    """Loaded within seconds, and looked up as quickly as few."""
    x = np.linspace(0.0, 10.0, 1_000_000)
    write_csv(tmp_path / "long.csv", "t,v", x, np.sin(x))
    (tmp_path / "short.csv").write_text("t,v\n0,0\n5,0\n10,0\n")
    seconds = {}
    for name in ("short", "long"):
        (tmp_path / f"{name}.xml").write_text(mechanism(
            f'<table name="force" file="{name}.csv" interpolation="smooth"/>'
            + PUSHED.format("force(t)")))
        begin = tools.time_of_children()
        tools.clatter("run", tmp_path / f"{name}.xml", "--step", "1e-5", "--interval", "0.1",
                      "-o", tmp_path / "out.csv")
        seconds[name] = tools.time_of_children() - begin
    result = tools.read_csv(tmp_path / "out.csv")
    assert result["a.velocity_x"][-1] == pytest.approx((1 - np.cos(1.0)) / 2, rel=1e-9)
    assert seconds["long"] < seconds["short"] + 10.0


# --- motions ---

def test_impulse_of_linear_and_held_forces(run):
    """Linear forces are integrated exactly by theta 1/2, steps of a held one as a sum."""
    model = mechanism("""<table name="ramp" rows="0 0; 0.25 8; 0.5 -4; 1 2"/>
<table name="steps" rows="0 3; 0.25 -1; 0.5 2" interpolation="held"/>
<point_mass name="a" mass="2"/><force name="f" on="a" x="ramp(t)" y="steps(t)"/>""")
    result = run(model, 1.0, 1 / 1024)
    area = 0.25 * 4 + 0.25 * 2 - 0.5 * 1
    assert result["a.velocity_x"][-1] == pytest.approx(area / 2, abs=1e-13)
    assert result["a.velocity_y"][-1] == pytest.approx((0.75 - 0.25 + 1.0) / 2, abs=4 / 1024)


OMEGA, STIFFNESS = 7.0, 30.0
SPRUNG = """<experiment stop_time="1"/>{}
<driven_frame name="d" x="{}"/>
<point_mass name="a" mass="1"/>
<spring_damper name="s" first="a" second="d" stiffness="30" free_length="0"/>"""


def sprung_exactly(t):
    """x'' = -k (x - 0.1 sin(omega t)) from rest at 0"""
    k = STIFFNESS
    a = 0.1 * k / (k - OMEGA**2)
    return a * (np.sin(OMEGA * t) - OMEGA / np.sqrt(k) * np.sin(np.sqrt(k) * t))


def drive_by_table():
    x = np.linspace(-0.1, 1.1, 601)
    table = f'<table name="f" interpolation="smooth" rows="{rows(x, np.sin(OMEGA * x))}"/>'
    return SPRUNG.format(table, "0.1*f(t)")


def test_order_of_a_motion_that_a_smooth_table_drives(run, scheme):
    """Through a spring, beside the same drive as an expression and the exact solution: order 2."""
    steps = [8e-3, 4e-3, 2e-3]
    found = []
    for dt in steps:
        by_table = run(mechanism(drive_by_table()), 1.0, dt, {"solver.scheme": scheme})
        by_formula = run(mechanism(SPRUNG.format("", f"0.1*sin({OMEGA}*t)")), 1.0, dt,
                         {"solver.scheme": scheme})
        assert np.abs(by_table["a.x"] - by_formula["a.x"]).max() < 1e-9  # the spline's own error
        assert np.abs(by_table["d.velocity_x"] - by_formula["d.velocity_x"]).max() < 1e-6
        found.append(np.abs(by_table["a.x"] - sprung_exactly(by_table["time"])).max())
    assert tools.orders(steps, found) == pytest.approx(2.0, abs=0.1)


def test_snapshots_repeat_bit_for_bit(tmp_path, scheme):
    fmu = pack(write_example(tmp_path), tmp_path)
    with Instance(fmu) as instance, Instance(fmu) as other:
        instance.start(**{"solver.scheme": scheme})
        instance.steps(0.0, 0.01, 23)
        data = instance.serialize()
        instance.steps(0.23, 0.01, 40)
        first = instance.snapshot()
        other.start(**{"solver.scheme": scheme})
        status, state = other.deserialize(data)
        assert status == OK and other.SetFMUstate(state) == OK
        other.release(state)
        other.steps(0.23, 0.01, 40)
        assert other.snapshot() == first


def test_derivative_with_an_input_through_a_table(pack):
    """force = map(in) with map(u) = u^2, a parabola through three rows: d a/d in = 2 in/m"""
    fmu = pack(mechanism("""<input name="command"/>
<table name="map" rows="-2 4; 0 0; 3 9" interpolation="smooth"/>
<point_mass name="a" mass="2"/><force name="f" on="a" x="map(command)"/>
<outputs><output variable="a.acceleration_x"/></outputs>"""))
    with Instance(fmu) as instance:
        instance.start(command=1.5)
        assert instance.get("a.acceleration_x") == pytest.approx(2.25 / 2, rel=1e-14)
        status, change = instance.directional("a.acceleration_x", {"command": 1.0})
        assert status == OK and change == pytest.approx(1.5, rel=1e-12)


def test_end_of_a_table_that_must_not_be_left(tmp_path):
    """Up to its last row, however the host rounds it, and no further."""
    (tmp_path / "m.xml").write_text(mechanism(
        '<table name="record" rows="0 0; 0.35 1; 0.7 2" beyond="error"/>'
        + PUSHED.format("record(t)")))
    tools.clatter("run", tmp_path / "m.xml", "--stop", "0.7", "--step", "0.1")
    done = tools.try_clatter("run", tmp_path / "m.xml", "--stop", "0.8", "--step", "0.1")
    assert done.returncode == 1
    assert "is not a number at t = 0.75 s: is that beyond the rows of table record?" in done.stderr


# --- the cam ---

def periodic_spline(x, y):
    """Second derivatives at the points by a dense solve; value and two derivatives at any place."""
    n = len(x) - 1
    h = np.diff(x)
    matrix, right = np.zeros((n, n)), np.zeros(n)
    for i in range(n):
        left = h[i - 1]
        matrix[i, i - 1] += left / 6
        matrix[i, i] += (left + h[i]) / 3
        matrix[i, (i + 1) % n] += h[i] / 6
        right[i] = (y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1 if i else n - 1]) / left
    m = np.linalg.solve(matrix, right)
    m = np.append(m, m[0])

    def at(u):
        u = x[0] + np.mod(u - x[0], x[-1] - x[0])
        i = np.clip(np.searchsorted(x, u, side="right") - 1, 0, n - 1)
        a, b = (x[i + 1] - u) / h[i], (u - x[i]) / h[i]
        value = a * y[i] + b * y[i + 1] + ((a**3 - a) * m[i] + (b**3 - b) * m[i + 1]) * h[i]**2 / 6
        secant = (y[i + 1] - y[i]) / h[i]
        slope = secant + ((1 - 3 * a**2) * m[i] + (3 * b**2 - 1) * m[i + 1]) * h[i] / 6
        return value, slope, a * m[i] + b * m[i + 1]

    return at


def test_valve_follows_its_cam_and_leaves_it(run):
    cam = np.genfromtxt(MODELS / "cam_lift.csv", delimiter=",", names=True, skip_header=1)
    lift = periodic_spline(cam["cam_angle_deg"], cam["lift_mm"])
    settings = {"solver.scheme": FIRST_SCHEMES["generalized_alpha"]}
    for speed in (30.0, 48.0):
        result = run(MODELS / "cam_valve.xml", 0.1, 2e-5, settings | {"speed": speed})
        value, slope, bend = lift(360 * speed * result["time"])
        rate = 360 * speed
        assert np.abs(result["tappet.y"] - (1e-3 * value - 1e-4)).max() < 1e-12
        assert np.abs(result["tappet.velocity_y"] - 1e-3 * rate * slope).max() < 1e-9
        up = result["tappet.y"] > 2e-4
        spring = 150 + 2e4 * result["tappet.y"] + 2 * result["tappet.velocity_y"]
        needed = 0.1 * (1e-3 * rate**2 * bend + 9.81) + spring
        if speed == 30.0:  # pressed on by what the spring has over for the valve's acceleration
            assert np.abs(result["on_tappet.gap"][up]).max() < 1e-9
            assert result["on_tappet.normal_force"][up] == pytest.approx(needed[up], abs=0.5)
            assert needed[up].min() > 100
        else:
            assert needed[up].min() < 0 and 2.5e-3 < result["on_tappet.gap"][up].max() < 3e-3
            assert result["on_tappet.normal_impulse"].max() > 0.4
        assert result["solver.penetration"].max() < 1e-12
