"""What hosts do that the standard does not ask for, or hardly: the run goes on, or ends with a reason."""

import zipfile
from ctypes import byref, c_char_p, c_double, c_int

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

import models
import tools
from fmi2 import DISCARD, ERROR, OK, Fmu, Instance
from tools import MODELS, NAMESPACE, mechanism


# --- steps without a solution ---

@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
@pytest.mark.parametrize("interval", [1e-3, 1e-2, 0.05])
def test_fmpy_ends_with_the_reason(pack, scheme, interval, capfd):
    """FMPy repeats a discarded step from where it began, for ever if nothing tells it to stop."""
    number = {"moreau_jean": 1, "generalized_alpha": 2}[scheme]
    with pytest.raises(FMICallException) as end:
        fmpy.simulate_fmu(str(pack(models.JAM).directory), validate=False, stop_time=1.0,
                          output_interval=interval, start_values={"solver.scheme": number},
                          timeout=120.0, debug_logging=False)
    assert end.value.function == "fmi2DoStep" and end.value.status == ERROR
    # the last words, and if a part of the step was made before, those then, are the reason
    said = capfd.readouterr().out.splitlines()
    assert 1 <= len(said) <= 2
    for line in said:
        assert line.startswith("[ERROR]")
        assert "the contact laws have no solution" in line
        assert "contact tip" in line or "contact face" in line  # one as much as the other


@pytest.mark.parametrize("interval", [1e-3, 1e-2])
def test_hosts_that_ignore_the_status_are_told_at_every_step(pack, interval):
    """libcosim reports the last message, others go on as if nothing had happened."""
    with Instance(pack(models.JAM)) as instance:
        instance.start()
        t = 0.0
        while instance.step(t, interval) == OK:
            t += interval
        n = len(instance.messages)
        assert n == 1 and "contact tip" in instance.last_message()
        assert instance.messages[0].status == ERROR  # hosts hide messages with fmi2Discard
        t += interval
        if interval > 1e-3:  # a part of the step was made: why there is no more is said again
            assert instance.step(t, interval) == ERROR
            assert "contact tip" in instance.last_message()
        for _ in range(3):
            assert instance.step(t, interval) == ERROR
        assert len(instance.messages) > n + 2


# --- inputs, tolerances and last values ---

def test_values_at_the_bounds_of_a_controller(pack):
    """A carriage with an input of at most 50 N that a controller drives into saturation moves as one
    that gets 50 N, in FMPy, whose exceptions would end the run."""
    fmu = pack(mechanism("""
<input name="push" unit="N" min="-50" max="50"/>
<point_mass name="carriage" mass="2"/>
<force name="motor" on="carriage" x="push"/>
"""))
    times = np.linspace(0.0, 0.1, 11)
    signal = np.array(list(zip(times, [50.00000000000001] * 11)),
                      dtype=[("time", float), ("push", float)])
    result = tools.simulate(fmu, 0.1, 1e-3, inputs=signal, output=["carriage.velocity_x"])
    assert result["carriage.velocity_x"][-1] == pytest.approx(2.5, rel=1e-12)


def test_result_does_not_depend_on_the_tolerance_of_the_host(pack):
    fmu = pack(MODELS / "hopping_leg.xml")
    results = []
    for tolerance in (None, 1e-4, 1e-6):
        results.append(fmpy.simulate_fmu(str(fmu.directory), validate=False, stop_time=0.5,
                                         output_interval=1e-2, relative_tolerance=tolerance))
    assert all((result == results[0]).all() for result in results)


PAINLEVE = f"""<mechanism {NAMESPACE} name="painleve_rod">
 <solver step_size="8e-4"/><gravity y="-10"/>
 <planar_body name="rod" mass="1" inertia="0.0002211407022218764"
   initial_y="sin(31*pi/180)" initial_angle="-31*pi/180" initial_velocity_x="30">
  <point name="tip" x="1"/></planar_body>
 <ground><line name="floor"/></ground>
 <contact name="tip_contact" first="rod.tip" second="ground.floor" friction_coefficient="5/3"/>
 <outputs><output variable="rod.x"/><output variable="rod.velocity_x"/>
  <output variable="rod.acceleration_x"/></outputs>
</mechanism>"""


def test_accelerations_that_do_not_exist(pack, tmp_path):
    """Painlevé's rod, slender and inclined, sliding: no acceleration fits its contact. Hosts read all
    outputs; that must not end a run that has a solution in percussions."""
    with Instance(pack(PAINLEVE)) as instance:
        instance.start()
        names = "rod.x", "rod.velocity_x", "rod.acceleration_x"
        for _ in range(2):
            assert instance.try_get(*names) == (OK, [0.0, 30.0, 0.0])
            assert instance.derivative("rod.velocity_x")[0] == DISCARD
            assert instance.derivative("rod.x") == (OK, 30.0)
        assert [m.category for m in instance.messages] == [b"logStatusWarning"]
        assert "rod.acceleration_x does not exist at 0" in instance.last_message()
        assert instance.step(0.0, 8e-4) == OK  # an impact without a collision, then free flight
        assert instance.derivative("rod.velocity_x") == (OK, 0.0)
    model, csv = tmp_path / "rod.xml", tmp_path / "rod.csv"
    model.write_text(PAINLEVE)
    tools.clatter("run", model, "--stop", "0.008", "-o", csv)
    acceleration = tools.read_csv(csv)["rod.acceleration_x"]
    assert acceleration[0] == 0.0 and np.isfinite(acceleration).all()


# --- parameters that bound each other ---

LO_HI = f"""<mechanism {NAMESPACE} name="lo_hi">
  <parameter name="lo" value="0" unit="m" tunable="true"/>
  <parameter name="hi" value="1" unit="m" tunable="true"/>
  <parameter name="width" value="hi - lo" unit="m" min="1e-6" tunable="true"/>
  <point_mass name="a" mass="1"/>
  <spring_damper name="s" first="a" stiffness="width"/>
</mechanism>"""


@pytest.mark.parametrize("mode", ["instantiated", "initialization"])
@pytest.mark.parametrize("calls", [("lo", "hi"), ("hi", "lo"), ("lo hi",), ("hi lo",)])
@pytest.mark.parametrize("values", [{"lo": 3.0, "hi": 4.0}, {"lo": -5.0, "hi": -4.0}])
def test_parameters_that_bound_each_other_in_any_order(pack, mode, calls, values):
    with Instance(pack(LO_HI)) as instance:
        if mode == "initialization":
            assert instance.EnterInitializationMode() == OK
        for names in calls:
            assert instance.set_all({name: values[name] for name in names.split()}) == OK
        if mode == "instantiated":
            assert instance.EnterInitializationMode() == OK
        assert instance.ExitInitializationMode() == OK
        assert instance.get("width") == 1.0
        # between steps there is no later time at which it could be right: one call, in any order
        together = {name: values[name] - 7.0 for name in " ".join(calls).split()}
        assert instance.set_all(together) == OK and instance.get("width") == 1.0
        before = instance.serialize()
        assert instance.set(lo=100.0) == ERROR and "width" in instance.last_message()
        assert instance.serialize() == before
        assert instance.step(0.0, 0.01) == OK


def test_parameters_that_contradict_each_other_are_named_at_the_end(pack, tmp_path):
    with Instance(pack(LO_HI)) as instance:
        assert instance.set(lo=2.0) == OK
        assert instance.EnterInitializationMode() == OK
        assert instance.messages == []
        assert instance.ExitInitializationMode() == ERROR
        for part in ("fmi2ExitInitializationMode", "width", "lo = 2", "hi = 1"):
            assert part in instance.last_message()
    model = tmp_path / "lo_hi.xml"
    model.write_text(LO_HI)
    tools.clatter("run", model, "--stop", "0.01", "--set", "lo=3", "--set", "hi=4")
    done = tools.try_clatter("run", model, "--stop", "0.01", "--set", "lo=2")
    assert done.returncode == 1 and "lo = 2" in done.stderr and "hi = 1" in done.stderr


# --- lengths and numbers ---

def test_steps_that_cannot_be_counted_are_refused(pack):
    with Instance(pack(models.SLED)) as instance:
        instance.start()
        before = instance.serialize()
        for size in (1e9, 1e300):
            assert instance.step(0.0, size) == ERROR
            assert "internal steps" in instance.last_message()
            assert instance.serialize() == before
        assert instance.step(0.0, 0.01) == OK


def test_largest_numbers(pack):
    """Every real parameter and input at the ends of all numbers: refused, or a motion whose values
    are finite, or an error with words."""
    fmu = pack(models.SLED)
    for name in fmu.names("parameter", "Real") + fmu.names("input", "Real"):
        for value in (1.7e308, -1.7e308):
            with Instance(fmu) as instance:
                status = instance.set_all({name: value})
                steps = [instance.EnterInitializationMode, instance.ExitInitializationMode,
                         lambda: instance.step(0.0, 0.01)]
                while status == OK and steps:
                    status = steps.pop(0)()
                assert status in (OK, ERROR), (name, value)
                assert status == OK or name in str(instance.messages) or "finite" in str(
                    instance.messages), (name, value, instance.messages)
                if status == OK:
                    for output in fmu.names("output", "Real"):
                        status, values = instance.try_get(output)
                        assert (status == OK and np.isfinite(values[0])) or (
                            status == ERROR and output in instance.last_message())


def test_kinds_of_status_that_fmi_does_not_have(pack):
    with Instance(pack(models.SLED)) as instance:
        instance.start()
        for kind in (-1, 4, 99):
            for call, value in (("", c_int()), ("Real", c_double()), ("Integer", c_int()),
                                ("Boolean", c_int()), ("String", c_char_p())):
                n = len(instance.messages)
                assert getattr(instance, f"Get{call}Status")(kind, byref(value)) == ERROR
                assert len(instance.messages) == n + 1 and str(kind) in instance.last_message()


# --- enumerations as integers ---

def test_enumerations_as_integers(tmp_path):
    """For hosts that cannot read enumerations: the same numbers, told in the description."""
    made = {}
    for option in ([], ["--no-enumerations"]):
        directory = tmp_path / f"fmu{len(option)}"
        tools.clatter("pack", MODELS / "parcel_pusher.xml", "-o", tmp_path / "a.fmu", *option)
        with zipfile.ZipFile(tmp_path / "a.fmu") as archive:
            archive.extractall(directory)
        made[len(option)] = Fmu(directory)
    with_types, plain = made[0], made[1]
    assert "Enumeration" not in (plain.directory / "modelDescription.xml").read_text()
    assert "enumeration" not in (plain.directory / "documentation" / "index.html").read_text()
    enumerations = with_types.names(kind="Enumeration")
    assert "solver.scheme" in enumerations and any(n.endswith(".state") for n in enumerations)
    for name in enumerations:
        old, new = with_types.variables[name], plain.variables[name]
        assert new.type == "Integer" and new.min == "1" and int(new.max) >= 2
        assert (new.reference, new.start) == (old.reference, old.start)
    text = (plain.directory / "modelDescription.xml").read_text()
    assert "1 open, 2 slip, 3 stick" in text and "1 moreau_jean, 2 generalized_alpha" in text
    results = []
    for fmu in made.values():
        with Instance(fmu) as instance:
            instance.start(solver__scheme=2)
            instance.steps(0.0, 0.01, 30)
            results.append({name: instance.get(name) for name in fmu.variables})
    assert results[0] == results[1]


# --- the description ---

def test_initial_unknowns_are_what_every_host_expects(pack, model_path):
    """FMI: outputs and calculated parameters; with states and their derivatives only if there are
    <Derivatives>. OMSimulator takes for such whatever has or is told by the attribute derivative."""
    root = tools.description(pack(model_path))
    variables = list(root.iterfind("ModelVariables/ScalarVariable"))
    expected = {i for i, v in enumerate(variables, 1)
                if v.get("causality") in ("output", "calculatedParameter")}
    listed = [int(u.get("index")) for u in root.iterfind("ModelStructure/InitialUnknowns/Unknown")]
    assert listed == sorted(expected)
    for i, v in enumerate(variables, 1):
        if v[0].get("derivative") is not None:
            assert {i, int(v[0].get("derivative"))} <= expected
    # FMILibrary wants a start value of time, FMI forbids it; FMI does not ask for the variable
    assert not [v for v in variables if v.get("causality") == "independent"]
    assert root.find("ModelStructure/Derivatives") is None
