"""clatter run --inputs: exact integrals of tables, the same motion as through FMPy, hostile tables."""

import sys

import fmpy
import numpy as np
import pytest


import tools
from tools import FIRST_SCHEMES, clatter, mechanism, read_csv, time_of_children, try_clatter

# A mass of 2 kg pushed by two inputs; its velocity is the integral of the force, which these schemes
# get exactly from a force that is straight within each step.
CART = mechanism("""
<experiment stop_time="1"/>
<input name="push" unit="N" start="1" min="-100" max="100"/>
<input name="lift" unit="N"/>
<parameter name="load" value="2" unit="kg"/>
<point_mass name="cart" mass="load"/>
<force name="hand" on="cart" x="push" y="lift"/>
""", name="cart", step=1e-2)


@pytest.fixture
def cart(tmp_path):
    path = tmp_path / "cart.xml"
    path.write_text(CART)
    return path


def run(model, table, *options, name="in.csv"):
    """Result of a run with this table, and what it said on standard error."""
    path = model.parent / name
    path.write_bytes(table if isinstance(table, bytes) else table.encode())
    out = model.parent / "out.csv"
    done = try_clatter("run", model, "--inputs", path, "-o", out, *options)
    assert done.returncode == 0, done.stderr
    return read_csv(out), done.stderr


def refuse(model, table, *options):
    """What a run with this table that is refused says."""
    path = model.parent / "in.csv"
    path.write_bytes(table if isinstance(table, bytes) else table.encode())
    done = try_clatter("run", model, "--inputs", path, "-o", model.parent / "out.csv", *options)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert not (model.parent / "out.csv").exists()
    return done.stderr


def integral(t, f, end):
    """Of the straight lines through (t, f) up to each end; the last value holds."""
    t, f = np.append(t, max(t[-1], 100.0)), np.append(f, f[-1])
    sums = np.append(0, np.cumsum(0.5 * (f[1:] + f[:-1]) * np.diff(t)))
    result = []
    for e in np.atleast_1d(end):
        i = max(np.searchsorted(t, e, side="left") - 1, 0)
        part = 0.0 if t[i + 1] == t[i] else (e - t[i]) / (t[i + 1] - t[i])
        middle = f[i] + 0.5 * part * (f[i + 1] - f[i])
        result.append(sums[i] + middle * (e - t[i]))
    return np.array(result)


def held(t, f):
    """The table of a held input as one of straight lines and jumps."""
    return np.repeat(t, 2)[1:], np.repeat(f, 2)[:-1]


def to_text(t, **columns):
    rows = np.column_stack([t, *columns.values()])
    return "time," + ",".join(columns) + "\n" + "".join(
        ",".join(repr(float(v)) for v in row) + "\n" for row in rows)


T = np.array([0, 0.123, 0.1277, 0.35, 0.35, 0.6123456, 0.9])  # none on the grid but the first
F = np.array([0, 20, -30, 5, 50, 10, -20.0])


@pytest.mark.parametrize("scheme", ["moreau_jean", "lobatto"])
@pytest.mark.parametrize("interval", [(), ("--interval", "0.07")])
def test_lines_and_jumps_are_exact(cart, scheme, interval):
    rows, said = run(cart, to_text(T, push=F), "--scheme", scheme, *interval)
    assert rows["cart.velocity_x"] == pytest.approx(0.5 * integral(T, F, rows["time"]), abs=1e-12)
    assert rows["cart.velocity_y"] == pytest.approx(0)
    assert "the table ends at 0.9 s" in said and "until 1 s" in said


def test_held_values_are_exact(cart):
    t, f = np.delete(T, 3), np.delete(F, 3)
    rows, _ = run(cart, to_text(t, push=f), "--interpolation", "held")
    expected = 0.5 * integral(*held(t, f), rows["time"])
    assert rows["cart.velocity_x"] == pytest.approx(expected, abs=1e-12)


def test_first_value_holds_before_the_first_row(cart):
    for options in ((), ("--interpolation", "held")):
        rows, said = run(cart, "time,push\n0.503,4\n2,4\n", *options)
        assert rows["cart.velocity_x"] == pytest.approx(2 * rows["time"], abs=1e-13)
        assert said == ""


def test_inputs_without_a_column_keep_their_start(cart):
    rows, _ = run(cart, "time,lift\n0,0\n1,4\n")
    assert rows["cart.velocity_x"] == pytest.approx(0.5 * rows["time"], abs=1e-13)
    assert rows["cart.velocity_y"] == pytest.approx(rows["time"] ** 2, abs=1e-13)


def test_start_in_the_middle_of_the_table(tmp_path):
    path = tmp_path / "late.xml"
    path.write_text(CART.replace('<experiment stop', '<experiment start_time="0.5" stop'))
    rows, _ = run(path, "time,push\n0,0\n2,8\n")
    assert rows["time"][0] == 0.5
    assert rows["cart.velocity_x"] == pytest.approx(rows["time"] ** 2 - 0.25, abs=1e-13)


@pytest.mark.parametrize("text", [
    "time;push\n0;0\n1;4\n",
    "time\tpush\n0\t0\n1\t4\n",
    '"time","push"\r\n"0","0"\r\n"1","4"\r\n',
    "\ufeff# a table\n\n push , time \n# more\n0,0\n4,1",
])
def test_forms_of_tables(cart, text):
    rows, _ = run(cart, text)
    assert rows["cart.velocity_x"] == pytest.approx(rows["time"] ** 2, abs=1e-13)


def test_steps_end_at_rows_and_nowhere_else(cart):
    """100 steps; rows on the grid cost none, rows between it one each, straight ones none."""
    def steps(table, *options):
        (cart.parent / "in.csv").write_text(table)
        text = clatter("run", cart, "--inputs", cart.parent / "in.csv", *options)
        return int(text.split("steps")[1].split()[0])

    assert steps("time,push\n0,0\n0.5,1\n1,0\n") == 100
    assert steps("time,push\n0,0\n0.505,1\n1,0\n") == 101
    assert steps("time,push\n0,0\n0.505,0.505\n1,1\n") == 100
    assert steps("time,push\n0,0\n0.505,1\n1,0\n", "--interval", "1") == 101
    assert steps("time,push\n0,0\n0.505,0\n1,0\n", "--interpolation", "held") == 100
    assert steps("time,push\n0,0\n0.505,1\n1,2\n", "--interpolation", "held") == 101


def test_rows_closer_than_steps(cart):
    """Straight lines between the ends of steps: as good as the trapezoidal rule, and told."""
    t = np.linspace(0, 1, 20001)
    f = np.sin(7 * t)
    rows, said = run(cart, to_text(t, push=f))
    assert len(rows) == 101 and "half a step" in said
    grid = np.linspace(0, 1, 101)
    expected = 0.5 * integral(grid, np.interp(grid, t, f), rows["time"])
    assert rows["cart.velocity_x"] == pytest.approx(expected, abs=1e-12)
    rows, said = run(cart, to_text(t, push=f), "--interpolation", "held")
    expected = 0.5 * integral(*held(grid, np.sin(7 * grid)), rows["time"])
    assert rows["cart.velocity_x"] == pytest.approx(expected, abs=1e-12)
    # a jump amid such rows is still exact
    t, f = np.insert(t, 9998, t[9998]), np.insert(f, 9998, f[9998])
    f[9999:] += 10
    rows, _ = run(cart, to_text(t, push=f))
    jump = t[9998]
    grid = np.sort(np.append(grid, [jump, jump]))
    values = np.interp(grid, t, f) - 10 * (grid == jump) * (np.arange(103) == 50)
    assert rows["cart.velocity_x"] == pytest.approx(0.5 * integral(grid, values, rows["time"]),
                                                    abs=1e-6)


def test_a_million_rows_are_quick(cart):
    t = np.linspace(0, 1, 1_000_001)
    np.savetxt(cart.parent / "in.csv", np.column_stack([t, np.cos(t), t]), delimiter=",",
               header="time,push,lift", comments="")
    began = time_of_children()
    clatter("run", cart, "--inputs", cart.parent / "in.csv")
    assert time_of_children() - began < 10


# --- the same as through FMPy ---

NINE = [f"push_{i}" for i in range(9)]  # FMPy 0.3.32 hands over the slopes of nine inputs, or fails
NINE_MODEL = mechanism(
    '<experiment stop_time="1"/>\n<gravity y="-10"/>\n'
    + "".join(f'<input name="{name}" unit="N"/>\n' for name in NINE)
    + """<point_mass name="cart" mass="2"><point name="tip"/></point_mass>
<ground><line name="floor"/></ground>
<force name="hand" on="cart" x=\"""" + " + ".join(NINE) + """"/>
<contact name="floor" first="cart.tip" second="ground.floor" friction_coefficient="0.5"/>
""", name="nine", step=1e-3)


@pytest.mark.parametrize("scheme, n", [("moreau_jean", 10), ("generalized_alpha", 100)])
def test_lines_as_through_fmpy(pack, tmp_path, scheme, n):
    """Sticks and slides under a sum of lines. FMPy takes the slope behind a row only where the row
    is there twice, and none at the first row: this one is before the start. Generalized-alpha solves
    for accelerations where something is set, which FMPy does at each communication point: rows too.
    """
    path = tmp_path / "nine.xml"
    path.write_text(NINE_MODEL)
    t = np.append(-0.1, np.linspace(0, 1, n + 1))
    values = {name: 3 * np.cos(5 * t + 0.1 * i) + 0.1 * i for i, name in enumerate(NINE)}
    rows, said = run(path, to_text(t, **values), "--interval", "1e-2", "--scheme", scheme)
    assert said == ""
    names = ["cart.x", "cart.velocity_x", "floor.normal_force", "floor.state"]
    signals = np.rec.fromarrays([np.repeat(v, 2) for v in (t, *values.values())],
                                names=["time", *values])
    other = fmpy.simulate_fmu(str(pack(NINE_MODEL).directory), validate=False, stop_time=1.0,
                              input=signals, output_interval=1e-2, set_input_derivatives=True,
                              output=names, start_values={"solver.scheme": FIRST_SCHEMES[scheme]})
    assert set(rows["floor.state"]) == {tools.SLIP, tools.STICK}
    for name in names:
        assert rows[name] == pytest.approx(other[name], abs=1e-9), name


def test_held_values_as_through_fmpy(tmp_path):
    """The command line of FMPy, which has no slopes: held values are written with jumps."""
    clatter("pack", tools.MODELS / "parcel_pusher.xml", "-o", tmp_path / "parcel.fmu")
    t, f = np.array([0, 0.3, 0.557, 1.2]), np.array([12, 20, -5, 30.0])
    (tmp_path / "held.csv").write_text(to_text(t, drive_force=f))
    jumps = to_text(*held(t, f)[:1], drive_force=held(t, f)[1])
    (tmp_path / "jumps.csv").write_text(jumps)
    results = {}
    for name, options in (("held", ["--interpolation", "held"]), ("jumps", [])):
        out = tmp_path / f"out_{name}.csv"
        clatter("run", tools.MODELS / "parcel_pusher.xml", "--inputs", tmp_path / f"{name}.csv",
                *options, "--interval", "0.01", "-o", out)
        results[name] = read_csv(out)
    done = tools.run(sys.executable, "-m", "fmpy", "simulate", tmp_path / "parcel.fmu",
                     "--input-file", tmp_path / "jumps.csv", "--output-interval", "0.01",
                     "--stop-time", "2", "--output-file", tmp_path / "fmpy.csv")
    assert done.returncode == 0, done.stderr
    other = read_csv(tmp_path / "fmpy.csv")
    names = [name.strip("\"") for name in other.dtype.names]
    assert len(names) > 10 and len(other) == 202
    other = other[np.abs(other[other.dtype.names[0]] - 0.557) > 1e-6]  # FMPy's row at the jump
    for name, quoted in zip(names, other.dtype.names):
        if np.isnan(other[quoted]).all():
            continue  # True and False
        for result in results.values():
            assert result[name] == pytest.approx(other[quoted], abs=1e-9), name


# --- tables that are refused ---

@pytest.mark.parametrize("table, place, words", [
    ("", "1:1", ["empty"]),
    ("# only this\n", "2:1", ["empty"]),
    ("time,push\n", "1:1", ["no rows"]),
    ("0,1\n1,2\n", "1:1", ["names"]),
    ("t,push\n0,1\n", "1:1", ["no column 'time'"]),
    ("Time,push\n0,1\n", "1:1", ["no column 'time'", "'Time'"]),
    ("time\n0\n", "1:1", ["beside"]),
    ("time,push,push\n0,1,2\n", "1:11", ["two columns 'push'"]),
    ("time,posh\n0,1\n", "1:6", ["posh", "did you mean 'push'"]),
    ("time,cart.x\n0,1\n", "1:6", ["cart.x", "computed"]),
    ("time,load\n0,1\n", "1:6", ["load", "--set load=VALUE"]),
    ("time,push\n0,1\n1\n", "3:1", ["1 cell", "2 columns"]),
    ("time,push\n0,1\n1,2,3\n", "3:5", ["3 cells"]),
    ("time;push\n0;1\n1;2,5\n", "3:3", ["push", "'2,5'", "point"]),
    ("time,push\n0,much\n", "2:3", ["push", "'much'"]),
    ("time,push\n0,nan\n", "2:3", ["push", "'nan'"]),
    ("time,push\n0,1e999\n", "2:3", ["push", "1e999"]),
    ("time,push\n0,\n", "2:3", ["push", "expected a number"]),
    ("time,push\nsoon,1\n", "2:1", ["time", "'soon'"]),
    ("time,push\n0,1\n1,101\n", "3:3", ["101", "-100 to 100"]),
    ("time,push\n0,1\n2,1\n1,1\n", "4:1", ["decrease"]),
    ("time,push\n0,1\n0,2\n0,3\n", "4:1", ["third"]),
    ('time,push\n0,"1\n', "2:3", ["quotes"]),
    (b"time,push\n0,1\0\n", "", ["no text"]),
    (b"\x1f\x8b\x08\x00\x00", "", ["compressed"]),
    ("time,push\n0,1\n".encode("utf-16"), "", ["UTF-16"]),
    (bytes(range(256)) * 40, "", ["no text"]),
    (b"\xff\xd8\xff\xe0 what,\xfe\n1,2\n", "1:1", ["time"]),
])
def test_problems_have_places(cart, table, place, words):
    said = refuse(cart, table)
    assert f"in.csv:{place}: error: " in said if place else "in.csv: error: " in said
    for word in words:
        assert word in said


def test_many_problems_are_not_all_told(cart):
    assert len(refuse(cart, "time,push\n" + "x,y\n" * 1000).splitlines()) < 15
    assert len(refuse(cart, "time,push\n" + "1\n" * 1000).splitlines()) < 15


def test_wrong_command_lines(cart, tmp_path):
    assert "one of them" in refuse(cart, "time,push\n0,1\n", "--set", "push=2")
    assert "cubic" in refuse(cart, "time,push\n0,1\n", "--interpolation", "cubic")
    done = try_clatter("run", cart, "--inputs", tmp_path / "no.csv")
    assert done.returncode == 1 and "no.csv" in done.stderr and done.stdout == ""
    done = try_clatter("run", cart, "--inputs", tmp_path)
    assert done.returncode == 1 and "irectory" in done.stderr
    table = tmp_path / "in.csv"
    table.write_text("time,push\n0,1\n1,1\n")
    done = try_clatter("run", cart, "--inputs", table, "-o", table)
    assert done.returncode == 2 and "table of inputs" in done.stderr
    assert table.read_text().startswith("time,push")


def test_a_model_without_inputs(tmp_path):
    (tmp_path / "in.csv").write_text("time,push\n0,1\n1,1\n")
    done = try_clatter("run", tools.MODELS / "rotating_ball.xml", "--inputs", tmp_path / "in.csv")
    assert done.returncode == 1 and "no inputs" in done.stderr


def test_locale_is_not_used(cart, comma_locale):
    (cart.parent / "in.csv").write_text("time,push\n0,0.5\n0.5,1.5\n1,0\n")
    texts = []
    for environment in (None, comma_locale):
        clatter("run", cart, "--inputs", cart.parent / "in.csv", "-o", cart.parent / "out.csv",
                env=environment)
        texts.append((cart.parent / "out.csv").read_text())
    assert texts[0] == texts[1]
