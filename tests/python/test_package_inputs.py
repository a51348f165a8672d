"""The Python package: inputs over the time, as constants, tables, functions and series."""

import numpy as np
import pandas
import pytest
import xarray

import tools

import clatter

# The integral of the force, exactly, as long as it is straight within a step.
CART = tools.mechanism(
    '<input name="push" min="-100" max="100"/><input name="lift"/>'
    '<parameter name="drag" value="0" tunable="true"/>'
    '<point_mass name="cart" mass="1"/><force name="f" on="cart" x="push - drag" y="lift"/>',
    step=0.01)

TIMES = np.array([0.0, 0.135, 0.4, 0.555, 0.8])
VALUES = np.array([0.0, 3.0, -2.0, 5.0, 1.0])


@pytest.fixture(scope="module")
def cart():
    return clatter.Model(CART)


def integral(times, values, t):
    """Of straight lines between the points, the last value holding on."""
    fine = np.unique(np.concatenate((times[times < t], [t])))
    points = np.interp(fine, times, values)
    return float(np.sum(0.5 * (points[1:] + points[:-1]) * np.diff(fine)))


def test_straight_lines_are_exact_whatever_the_interval(cart):
    for interval in (0.01, 0.2, 1.0):
        result = cart.simulate(1.0, interval=interval, inputs={"push": (TIMES, VALUES)})
        assert len(result["time"]) == round(1 / interval) + 1
        for t, velocity in zip(result["time"].values, result["cart.velocity_x"].values):
            assert velocity == pytest.approx(integral(TIMES, VALUES, t), abs=1e-12)


def test_held(cart):
    result = cart.simulate(1.0, interval=0.5, interpolation="held", inputs={"push": (TIMES, VALUES)})
    wanted = np.sum(VALUES * np.diff(np.append(TIMES, 1.0)))
    assert result["cart.velocity_x"].values[-1] == pytest.approx(wanted, abs=1e-12)


def test_jumps(cart):
    """0 up to 0.3, then from 2 to 4 at 0.7, then -1."""
    table = ([0.0, 0.3, 0.3, 0.7, 0.7], [0.0, 0.0, 2.0, 4.0, -1.0])
    result = cart.simulate(1.0, interval=0.1, inputs={"push": table})
    velocity = result["cart.velocity_x"].sel(time=[0.3, 0.7, 1.0], method="nearest").values
    assert velocity == pytest.approx([0.0, 1.2, 0.9], abs=1e-12)
    assert len(result["time"]) == 11


def test_a_table_finer_than_the_steps(cart):
    fine = np.linspace(0, 1, 5001)
    result = cart.simulate(1.0, interval=0.5, inputs={"push": (fine, np.sin(20 * fine))})
    assert result["cart.velocity_x"].values[-1] == pytest.approx((1 - np.cos(20)) / 20, abs=2e-3)


@pytest.mark.parametrize("signal", [
    lambda: (TIMES, VALUES), lambda: (list(TIMES), list(VALUES)),
    lambda: pandas.Series(VALUES, index=TIMES),
    lambda: xarray.DataArray(VALUES, coords={"time": TIMES}, dims="time")])
def test_kinds_of_tables(cart, signal):
    wanted = cart.simulate(1.0, inputs={"push": (TIMES, VALUES)})
    assert cart.simulate(1.0, inputs={"push": signal()}).identical(wanted)


def test_tables_of_many_inputs(cart):
    wanted = cart.simulate(1.0, inputs={"push": (TIMES, VALUES), "lift": (TIMES, -VALUES)})
    frame = pandas.DataFrame({"push": VALUES, "lift": -VALUES}, index=TIMES)
    assert cart.simulate(1.0, inputs=frame).identical(wanted)
    assert cart.simulate(1.0, inputs=frame.rename_axis("time").reset_index()).identical(wanted)
    dataset = xarray.Dataset({"push": ("time", VALUES), "lift": ("time", -VALUES)}, {"time": TIMES})
    assert cart.simulate(1.0, inputs=dataset).identical(wanted)


def test_functions_constants_and_parameters(cart):
    result = cart.simulate(1.0, inputs={"push": lambda t: 2 * t, "lift": 3,
                                        "drag": ([0.0, 0.5], [0.0, 1.0])})
    assert result["cart.velocity_x"].values[-1] == pytest.approx(1.0 - 0.5, abs=1e-12)
    assert result["cart.velocity_y"].values[-1] == pytest.approx(3.0, abs=1e-12)


def test_as_the_program(tmp_path):
    """The same table through clatter run --inputs: the same motion to rounding."""
    times, force = [0.0, 0.25, 0.25, 0.9, 1.3], [10.0, 30.0, 5.0, 25.0, -20.0]
    table = "time,drive_force\n" + "".join(f"{t},{f}\n" for t, f in zip(times, force))
    (tmp_path / "in.csv").write_text(table)
    path = tools.MODELS / "parcel_pusher.xml"
    tools.clatter("run", path, "--stop", 1.5, "--inputs", tmp_path / "in.csv", "-o",
                  tmp_path / "out.csv")
    wanted = tools.read_csv(tmp_path / "out.csv")
    result = clatter.Model(path).simulate(1.5, inputs={"drive_force": (times, force)})
    for name in ("parcel.x", "carriage.x", "carriage.velocity_x"):
        assert np.abs(result[name].values - wanted[name]).max() < 1e-9


@pytest.mark.parametrize("inputs, what", [
    ({"pus": 1}, "did you mean 'push'"), ({"cart.x": 1}, "neither an input nor a tunable"),
    ({"cart.mass": 1}, "fixed parameter"), ({"push": (TIMES, VALUES[:-1])}, "one value for each"),
    ({"push": ([], [])}, "empty"), ({"push": ([0, 1], [0, np.nan])}, "not finite"),
    ({"push": ([0, 1, 0.5], [0, 1, 2])}, "row 2"), ({"push": ([0, 0, 0], [0, 1, 2])}, "row 2"),
    ({"push": ([0, 1], [0, 200])}, "outside of -100 to 100"), ({"push": lambda t: np.inf}, "inf"),
    ({"push": 101}, "outside"), ({"push": (TIMES,)}, "expected \\(times, values\\)")])
def test_inputs_that_are_refused(cart, inputs, what):
    with pytest.raises(clatter.ClatterError, match=what):
        cart.simulate(1.0, inputs=inputs)


def test_inputs_of_another_type(cart):
    with pytest.raises(TypeError, match="mapping"):
        cart.simulate(1.0, inputs=3.0)
