"""Sweeps: which runs are made, what is kept of them, and that it is always the same."""

import io
import re

import numpy as np
import pandas
import pytest

import clatter
import sweep_model


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return sweep_model.write(tmp_path_factory.mktemp("sweep"))


@pytest.fixture(scope="module")
def model(path):
    return clatter.Model(path)


def here(model, runs, **options):
    """In this process, which takes the least time."""
    return clatter.sweep(model, runs, **{"processes": 0, **options})


def test_a_grid_has_the_values_of_single_runs(model):
    masses, pushes = [0.5, 1, 2], [1, 2, 3, 4]
    result = clatter.sweep(model, {"mass": masses, "push": pushes}, processes=2)
    assert result["puck.x"].dims == ("mass", "push")
    assert (result["status"] == "ok").all() and (result["time_reached"] == 0.1).all()
    assert result["puck.x"].attrs["units"] == "m" and result["mass"].attrs["units"] == "kg"
    for mass in masses:
        for push in pushes:
            single = model.simulate(0.1, parameters={"mass": mass, "push": push})
            for name in ("puck.x", "puck.y", "puck.velocity_x", "touch.state"):
                found = result[name].sel(mass=mass, push=push).item()
                assert found == pytest.approx(single[name].values[-1], rel=1e-12, abs=1e-15)


def test_samples_keep_their_order(model):
    frame = pandas.DataFrame({"mass": [2, 0.5, 1], "push": [1.0, 2, 3]})
    result = here(model, frame)
    assert result["puck.x"].dims == ("run",)
    assert result["mass"].values.tolist() == [2, 0.5, 1]
    assert result.identical(here(model, frame.to_dict("records")))
    assert result.identical(here(model, frame.to_records(index=False)))
    assert result["puck.x"].values.tolist() == [
        here(model, {"mass": [mass], "push": [push]})["puck.x"].item()
        for mass, push in frame.to_numpy()
    ]


def test_names_that_take_the_same_value(model):
    tied = here(model, {("mass", "push"): [1, 2]})
    assert tied["puck.x"].dims == ("mass",) and tied["push"].dims == ("mass",)
    apart = here(model, [{"mass": 1, "push": 1}, {"mass": 2, "push": 2}])
    assert tied["puck.x"].values.tolist() == apart["puck.x"].values.tolist()


def test_words_and_solver_settings(model):
    schemes, steps = ["moreau_jean", "generalized_alpha"], [1e-3, 5e-4]
    result = here(model, {"solver.scheme": schemes, "solver.step_size": steps})
    assert result["solver.scheme"].values.tolist() == schemes
    assert (result["status"] == "ok").all()
    assert len(np.unique(result["puck.y"])) > 1


def test_the_same_whatever_the_workers(model, path):
    runs = clatter.samples({"mass": (0.01, 2), "end": (0.01, 0.3)}, 200, seed=3)
    alone = here(model, runs, reduce=["final", "max"])
    assert set(np.unique(alone["status"])) == {"ok", "failed", "refused"}
    for processes in (1, 2, None):
        assert clatter.sweep(path, runs, reduce=["final", "max"], processes=processes).identical(alone)


def test_failed_runs_are_rows_with_their_reason(model):
    result = here(model, {"mass": [1, -1, np.nan], "end": [1, 0.0505]})
    assert result["status"].values.tolist() == [["ok", "failed"], ["refused"] * 2, ["refused"] * 2]
    assert "hand" in result["reason"].values[0, 1]
    assert "-1" in result["reason"].values[1, 0] and "mass" in result["reason"].values[1, 0]
    assert result["time_reached"].values[0, 1] == pytest.approx(0.05)
    assert np.isnan(result["time_reached"].values[1:]).all()
    assert np.isnan(result["puck.x"].values[result["status"].values != "ok"]).all()
    assert result["reason"].values[0, 0] == ""


def test_words_of_reduce(model):
    motion = model.simulate(0.1, parameters={"mass": 2})
    result = here(model, {"mass": [2]}, reduce=["final", "min", "max", "mean", "motion"]).isel(mass=0)
    y = motion["puck.y"].values
    assert result["puck.y.min"] == y.min() and result["puck.y.max"] == y.max()
    assert result["puck.y.final"] == y[-1]
    assert result["puck.y.mean"].item() == pytest.approx(np.trapezoid(y, motion["time"]) / 0.1)
    assert result["puck.y.motion"].values.tolist() == y.tolist()
    assert result["time"].values.tolist() == motion["time"].values.tolist()


def test_what_a_function_may_return(model):
    grid = {"mass": [1, 2], "end": [1, 0.05]}

    def many(motion):
        return {
            "number": np.int32(3),
            "text": "word",
            "array": np.arange(6).reshape(2, 3),
            "curve": motion["puck.x"].isel(time=slice(0, 5)),
        }

    result = here(model, grid, reduce=many)
    good = result.isel(end=0)
    assert good["number"].values.tolist() == [3, 3] and good["text"].values.tolist() == ["word"] * 2
    assert good["array"].shape == (2, 2, 3) and good["array"].values[1].ravel().tolist() == list(range(6))
    assert good["curve"].dims == ("mass", "time") and len(good["time"]) == 5
    failed = result.isel(end=1)
    assert failed["text"].values.tolist() == ["", ""] and np.isnan(failed["array"]).all()
    assert here(model, grid, reduce=lambda motion: 4.5)["value"].values[0, 0] == 4.5
    whole = here(model, grid, reduce=lambda motion: motion[["puck.x"]].isel(time=-1, drop=True))
    assert whole["puck.x"].values[0, 0] == model.simulate(0.1)["puck.x"].values[-1]


def test_a_reduce_that_fails_now_and_then(model):
    def moody(motion):
        if motion["puck.x"].values[-1] > 0.01:
            raise RuntimeError("too far")
        return 1

    result = here(model, {"push": [0, 9]}, reduce=moody)
    assert result["status"].values.tolist() == ["ok", "reduce_failed"]
    assert re.fullmatch(r"RuntimeError: too far \(test_sweep.py:\d+\)", result["reason"].values[1])
    assert result["time_reached"].values.tolist() == [0.1, 0.1]


@pytest.mark.parametrize("reduce, message", [
    (lambda motion: 1 / 0, "runs: ZeroDivisionError: division by zero (test_sweep.py"),
    (lambda motion: {"mass": 1}, "'mass', which the sweep has already"),
    (lambda motion: {"status": 1}, "'status', which the sweep has already"),
    (lambda motion: None, "NoneType as value"),
    (lambda motion: np.zeros(0), "an empty ndarray as value"),
    (lambda motion: np.zeros(int(motion["puck.x"].values[-1] * 1e5)), "every run must give the same"),
])
def test_a_reduce_that_is_wrong_ends_the_sweep(model, reduce, message):
    with pytest.raises(clatter.SweepError, match=re.escape(message)):
        here(model, {"mass": np.linspace(1, 2, 40)}, reduce=reduce)


@pytest.mark.parametrize("runs, options, message", [
    ({"mas": [1]}, {}, "mass"),
    ({"puck.x": [1]}, {}, "puck.x"),
    ({"solver.scheme": ["moreau"]}, {}, "moreau_jean"),
    ({"mass": []}, {}, "no values for mass"),
    ({"mass": [1, 1]}, {}, "mass more than once"),
    ({"mass": [1, "a"]}, {}, "mass"),
    ({"mass": 1}, {}, "mass"),
    ({("mass", "end"): [1], "mass": [2]}, {}, "mass is varied twice"),
    ({1: [1]}, {}, "1 is neither"),
    ([{"mass": 1}, {"end": 1}], {}, "run 1 of the samples does not set the same parameters"),
    ([1], {}, "run 0 of the samples is no mapping"),
    (np.zeros((3, 2)), {}, "an array without names"),
    (3, {}, "the runs of a sweep are"),
    ({"mass": [1]}, {"reduce": "last"}, "'last'"),
    ({"mass": [1]}, {"reduce": []}, "reduce"),
    ({"mass": [1]}, {"outputs": ["puck.z"]}, "puck.z"),
    ({"push": [1]}, {"outputs": ["push"]}, "push"),
    ({"mass": [1]}, {"parameters": {"ende": 1}}, "ende"),
    ({"mass": [1]}, {"parameters": {"mass": 1}}, "mass"),
    ({"mass": [1]}, {"stop": -1}, "stop"),
    ({"mass": [1]}, {"processes": -1}, "processes"),
    ({"mass": [1]}, {"processes": 2, "cluster": "tcp://nowhere:1"}, "processes"),
])
def test_wrong_arguments_are_refused_before_any_run(model, runs, options, message):
    def must_not_run(done, total, failed):
        raise AssertionError("the sweep began")

    with pytest.raises((TypeError, ValueError, LookupError), match=re.escape(message)):
        here(model, runs, progress=must_not_run, **options)


def test_inputs_of_each_run_have_their_own_randomness(model):
    def noisy(parameters, random):
        times = np.linspace(0, 0.1, 11)
        return {"push": (times, parameters["mass"] * random.normal(size=11))}

    def final(**options):
        return clatter.sweep(model, {"mass": [1, 1.5, 2]}, inputs=noisy, **options)["puck.x"].values

    first = final(processes=0)
    assert len(set(first)) == 3
    assert first.tolist() == final(processes=2).tolist()
    assert not set(first) & set(final(processes=0, seed=1))


def test_inputs_that_raise(model):
    result = here(model, {"mass": [1, 2]}, inputs=lambda parameters, random: parameters["push"])
    assert (result["status"] == "refused").all()
    assert result["reason"].values[0].startswith("inputs raised KeyError: 'push' (test_sweep.py:")


def test_runs_that_all_fail_have_their_columns(model):
    result = here(model, {"mass": [-1, -2]})
    assert np.isnan(result["puck.x"]).all() and result["puck.x"].dims == ("mass",)


def test_an_empty_sweep(model):
    result = here(model, pandas.DataFrame({"mass": []}))
    assert result.sizes["run"] == 0


def test_a_model_is_loaded_once(path, monkeypatch):
    loaded = []
    load = clatter._library.Handle.load_texts.__func__
    monkeypatch.setattr(clatter._library.Handle, "load_texts",
                        classmethod(lambda cls, texts: loaded.append(1) or load(cls, texts)))
    text = path.read_text().replace('name="puck"', 'name="puck_of_its_own"', 1)
    other = path.with_name("other.xml")
    other.write_text(text)
    for _ in range(2):
        here(other, {"mass": np.linspace(1, 2, 30)})
    assert len(loaded) == 1


def test_progress_counts_runs(model):
    seen = []
    clatter.sweep(model, {"mass": np.linspace(-1, 1, 50)}, processes=2,
                  progress=lambda *counts: seen.append(counts))
    assert seen[0] == (0, 50, 0) and seen[-1] == (50, 50, 27)
    assert all(a[0] < b[0] and a[2] <= b[2] for a, b in zip(seen, seen[1:]))


def test_a_bar_for_people_only(model, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    here(model, {"mass": [1, -1]})
    assert stream.getvalue() == ""
    here(model, {"mass": [1, -1]}, progress=True)
    assert re.search(r"\[#+\] 2/2 runs, 1 failed  in 0 s", stream.getvalue())


def test_samples_repeat_and_fill_their_ranges():
    ranges = {"a": (1, 3), ("b", "c"): (-1, 0)}
    for method in ("random", "latin_hypercube", "sobol", "halton"):
        first = clatter.samples(ranges, 64, method=method, seed=5)
        assert first.equals(clatter.samples(ranges, 64, method=method, seed=5))
        assert not first.equals(clatter.samples(ranges, 64, method=method, seed=6))
        assert (first["b"] == first["c"]).all()
        assert first["a"].between(1, 3).all() and first["b"].between(-1, 0).all()
        if method != "random":  # each quarter of a range has its share
            counts = np.histogram(first["a"], bins=4, range=(1, 3))[0]
            assert np.abs(counts - 16).max() <= (1 if method == "halton" else 0)


def test_samples_of_distributions():
    from statistics import NormalDist

    import scipy.stats

    frame = clatter.samples({"a": NormalDist(5, 2), "b": scipy.stats.norm(5, 2)}, 4000)
    for name in ("a", "b"):
        assert frame[name].mean() == pytest.approx(5, abs=0.01)
        assert frame[name].std() == pytest.approx(2, abs=0.01)


@pytest.mark.parametrize("ranges, options, message", [
    ({"a": (3, 1)}, {}, "low < high"),
    ({"a": (0, np.inf)}, {}, "low < high"),
    ({"a": "uniform"}, {}, "expected a pair"),
    ({"a": (0, 1)}, {"n": 0}, "0 samples"),
    ({"a": (0, 1)}, {"method": "monte_carlo"}, "latin_hypercube"),
])
def test_wrong_ranges_are_refused(ranges, options, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        clatter.samples(ranges, **{"n": 3, **options})
