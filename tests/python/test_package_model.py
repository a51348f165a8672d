"""The Python package: models, their variables, whole motions; results as those of the program."""

import pickle
import threading

import numpy as np
import pytest
import xarray

import tools

import clatter

PUSHER = tools.MODELS / "parcel_pusher.xml"
LEG = tools.MODELS / "hopping_leg.xml"


@pytest.fixture(scope="module")
def pusher():
    return clatter.Model(PUSHER)


def program_result(path, tmp_path, *options):
    tools.clatter("run", path, "--all", "-o", tmp_path / "out.csv", *options)
    return tools.read_csv(tmp_path / "out.csv")


def numbers(model, dataset, name):
    values = dataset[name].values
    variable = model.variables[name]
    return np.array([variable.to_number(value) for value in values.tolist()])


@pytest.mark.filterwarnings("ignore::clatter.ClatterWarning")
def test_every_model_moves_as_with_the_program(model_path, tmp_path):
    """Bit for bit, all variables."""
    model = clatter.Model(model_path)
    stop = 40 * model.variables["solver.step_size"].start
    wanted = program_result(model_path, tmp_path, "--stop", stop)
    result = model.simulate(stop, outputs="*")
    compared = set(wanted.dtype.names) & set(result.data_vars)
    assert len(compared) > 5
    for name in compared:
        assert np.array_equal(numbers(model, result, name), wanted[name]), name
    assert np.abs(result["time"].values - wanted["time"]).max() < 1e-12


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "lobatto"])
def test_parameters_interval_and_scheme(pusher, tmp_path, scheme):
    wanted = program_result(PUSHER, tmp_path, "--stop", 0.61, "--interval", 0.02, "--scheme", scheme,
                            "--set=parcel_mass=1.5", "--set=drive_force=20")
    result = pusher.simulate(0.61, interval=0.02, scheme=scheme,
                             parameters={"parcel_mass": 1.5, "drive_force": 20})
    assert len(result["time"]) == len(wanted) == 32  # the last interval is shorter
    for name in pusher.outputs:
        if name in wanted.dtype.names:
            assert np.array_equal(numbers(pusher, result, name), wanted[name]), name


def test_results_say_what_they_are(pusher):
    result = pusher.simulate(0.5)
    assert isinstance(result, xarray.Dataset)
    assert list(result.data_vars) == list(pusher.outputs)
    assert result["parcel.x"].attrs["units"] == "m"
    assert result["time"].attrs["units"] == "s"
    assert result.attrs["model"] == "parcel_pusher"
    assert result["push_contact.closed"].dtype == bool
    assert set(result["table_contact_front.state"].values) <= {"open", "slip", "stick"}
    assert result.to_dataframe().shape == (501, len(pusher.outputs))


def test_the_same_again(pusher):
    first = pusher.simulate(1.2, parameters={"drive_force": 25})
    pusher.simulate(0.3, parameters={"parcel_mass": 1})
    assert pusher.simulate(1.2, parameters={"drive_force": 25}).identical(first)


def test_variables(pusher):
    assert list(pusher.inputs) == ["drive_force"]
    force = pusher.variables["drive_force"]
    assert (force.unit, force.start, force.min, force.max) == ("N", 12.0, -50.0, 50.0)
    assert pusher.variables["solver.scheme"].start == "moreau_jean"
    assert "lobatto" in pusher.variables["solver.scheme"].words
    assert "drive_force" in repr(pusher.inputs) and "<table>" in pusher.inputs._repr_html_()
    assert "parcel_pusher" in repr(pusher) and "13 outputs" in pusher._repr_html_()
    assert list(pusher.variables.match("parcel.velocity_*")) == ["parcel.velocity_x",
                                                                 "parcel.velocity_y"]
    with pytest.raises(clatter.VariableError, match="did you mean 'drive_force'"):
        pusher.variables["drive_forc"]


def test_outputs_by_name_and_pattern(pusher):
    result = pusher.simulate(0.01, outputs=["energy.total", "carriage.velocity_*", "parcel_mass"])
    assert list(result.data_vars) == ["energy.total", "carriage.velocity_x", "carriage.velocity_y",
                                      "parcel_mass"]
    with pytest.raises(clatter.VariableError, match="no variable matches"):
        pusher.simulate(0.01, outputs="nothing.*")


def test_models_can_be_pickled(pusher):
    copy = pickle.loads(pickle.dumps(pusher))
    assert copy.guid == pusher.guid
    assert copy.simulate(0.2).identical(pusher.simulate(0.2))


def test_text_and_file_are_the_same_model():
    assert clatter.Model(LEG.read_text()).guid == clatter.Model(LEG).guid


def test_threads_share_a_model(pusher):
    wanted = [pusher.simulate(0.3, parameters={"drive_force": force}) for force in range(8)]
    got = [None] * 8

    def run(i):
        got[i] = pusher.simulate(0.3, parameters={"drive_force": i})

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(a.identical(b) for a, b in zip(got, wanted))


def test_errors_of_a_model_have_places():
    with pytest.raises(clatter.ModelError) as caught:
        clatter.Model(tools.mechanism('<point_mass name="a" mass="-1"/>\n<pointmass/>'))
    first = next(problem for problem in caught.value.problems if "mass=" in problem.message)
    assert (first.severity, first.file, first.line) == ("error", "model.xml", 3)
    assert str(first).startswith("model.xml:3:")
    assert len(caught.value.problems) >= 2
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems
    for path in ("nowhere.xml", "", tools.MODELS):
        with pytest.raises(clatter.ModelError, match="cannot be read"):
            clatter.Model(path)
    with pytest.raises(clatter.ValueRefusedError, match="zero byte"):
        clatter.Model("a\0b.xml")
    with pytest.raises(clatter.ModelError, match="no XML"):
        clatter.Model(b"PK")
    with pytest.raises(TypeError):
        clatter.Model(3)


def test_check(pusher):
    assert not [problem for problem in pusher.check() if problem.severity == "error"]
    assert clatter.check(tools.MODELS / "four_bar_spatial.xml")  # notes on its joints
    wrong = clatter.check(tools.mechanism("<nonsense/>"))
    assert wrong and wrong[0].severity == "error"


def test_values_that_are_refused(pusher):
    for parameters, what in [({"drive_force": 51}, "outside of -50 to 50"),
                             ({"drive_force": float("nan")}, "nan"),
                             ({"drive_force": "strong"}, "expected a number"),
                             ({"solver.scheme": "moreau"}, "did you mean 'moreau_jean'"),
                             ({"parcel_mas": 1}, "did you mean 'parcel_mass'"),
                             ({"parcel.x": 1}, "neither a parameter nor an input")]:
        with pytest.raises(clatter.ClatterError, match=what):
            pusher.simulate(0.01, parameters=parameters)
    for options, what in [({"stop": -1}, "before the start"), ({"stop": float("nan")}, "stop time"),
                          ({"stop": 1, "interval": 0}, "positive"),
                          ({"stop": 1, "interval": 1e-12}, "too many"),
                          ({"stop": 1, "interpolation": "cubic"}, "'linear' or 'held'")]:
        with pytest.raises(clatter.ValueRefusedError, match=what):
            pusher.simulate(**options)
    assert len(pusher.simulate(0.01)["time"]) == 11  # usable after all this


def test_a_failed_step_keeps_the_results():
    model = clatter.Model(tools.mechanism(
        '<point_mass name="a" mass="1"/><force name="f" on="a" x="sqrt(0.5 - t)"/>'))
    with pytest.raises(clatter.StepError) as caught:
        model.simulate(1.0, interval=0.2)
    assert caught.value.time == pytest.approx(0.5)
    assert caught.value.results["time"].values == pytest.approx([0, 0.2, 0.4, 0.5])
    assert "sqrt" in str(caught.value) or "force" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).results.identical(caught.value.results)


def test_a_start_that_is_impossible():
    model = clatter.Model(tools.mechanism(
        '<parameter name="m" value="1"/><point_mass name="a" mass="m"/>'))
    with pytest.raises(clatter.StartError, match="a.mass"):
        model.simulate(0.1, parameters={"m": -1})


def test_warnings():
    with pytest.warns(clatter.ClatterWarning, match="penetration"):
        clatter.Model(tools.mechanism(
            '<gravity y="-9.81"/><point_mass name="a" mass="1" initial_y="-0.1"><point name="p"/>'
            '</point_mass><ground><line name="l"/></ground>'
            '<contact name="c" first="a.p" second="ground.l"/>')).simulate(0.01)


def test_pack(pusher, tmp_path):
    path = pusher.pack(tmp_path / "pusher.fmu")
    tools.clatter("pack", PUSHER, "-o", tmp_path / "wanted.fmu")
    assert path.stat().st_size > 1e5
    import fmpy
    description = fmpy.read_model_description(path)
    assert description.guid == pusher.guid and description.fmiVersion == "2.0"
    third = fmpy.read_model_description(pusher.pack(tmp_path / "third.fmu", fmi=3))
    assert third.guid == pusher.guid and third.fmiVersion == "3.0"
    with pytest.raises(clatter.ProgramError, match="cannot be written"):
        pusher.pack(tmp_path / "nowhere" / "a.fmu")


def test_like_fmpy(pack, pusher):
    fmu = pack(PUSHER)
    wanted = tools.simulate(fmu, 1.5, 1e-3, output=["parcel.x", "carriage.velocity_x"])
    result = pusher.simulate(1.5)
    for name in ("parcel.x", "carriage.velocity_x"):
        assert np.array_equal(result[name].values, wanted[name])
