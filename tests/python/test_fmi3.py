"""FMI 3.0: the same motion as with FMI 2.0, vectors, snapshots, and calls that are wrong."""

import ctypes
import gzip
import re
import sys

import fmpy
import fmpy.validation
import pytest
from fmpy.fmi1 import FMICallException

import fmi3
import models
import tools


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """Packs a model for FMI 3.0, the same one only once."""
    made = {}

    def pack(model):
        if str(model) not in made:
            made[str(model)] = fmi3.pack(model, tmp_path_factory.mktemp("fmi3"))
        return made[str(model)]

    return pack


@pytest.fixture(scope="module")
def ball3(make):
    return make(tools.MODELS / "bouncing_ball.xml")


@pytest.fixture(scope="module")
def sled3(make):
    return make(models.SLED)


@pytest.mark.parametrize("name", ["bouncing_ball", "tippe_top", "parcel_pusher", "box_gripper"])
def test_no_problem_found_by_fmpy(name, tmp_path):
    tools.clatter("pack", tools.MODELS / f"{name}.xml", "--fmi", 3, "-o", tmp_path / "model.fmu")
    assert fmpy.validation.validate_fmu(str(tmp_path / "model.fmu")) == []


def test_description_of_every_model_is_valid(model_path, tmp_path):
    """All that FMPy looks at but the names, which are those of FMI 2.0 and take a minute."""
    tools.clatter("pack", model_path, "--fmi", 3, "-o", tmp_path / "model.fmu")
    fmpy.read_model_description(str(tmp_path / "model.fmu"), validate=True,
                                validate_variable_names=False, validate_model_structure=True)


def test_version_must_be_known(tmp_path):
    done = tools.try_clatter("pack", tools.MODELS / "bouncing_ball.xml", "--fmi", 4)
    assert done.returncode == 2 and "--fmi is 2 or 3, not '4'" in done.stderr


def test_binary(ball3):
    done = tools.run(tools.ROOT / "scripts" / "check_binary.sh", ball3.binary, 3)
    assert done.returncode == 0, done.stderr
    packed = (tools.BUILD / "fmu" / "linux64_fmi3.gz").read_bytes()
    assert ball3.binary.read_bytes() == gzip.decompress(packed)


# --- the same motion ---

@pytest.mark.parametrize("name, scheme, communication", [
    ("rotating_ball", 1, 1e-2), ("rotating_ball", 2, 3.3e-3), ("parcel_pusher", 1, 1e-2),
    ("impacting_pendulum", 2, 1e-2), ("tippe_top", 1, 5e-3)])
def test_same_numbers_as_fmi_2(make, pack, name, scheme, communication):
    """FMPy's simulation of both, all variables that there are: equal to the last bit."""
    old, new = pack(tools.MODELS / f"{name}.xml"), make(tools.MODELS / f"{name}.xml")
    names = [v.name for v in old.variables.values() if v.type != "String"]
    results = [fmpy.simulate_fmu(str(fmu.directory), stop_time=0.3, output_interval=communication,
                                 start_values={"solver.scheme": scheme}, output=names)
               for fmu in (old, new)]
    assert len(results[0]) == len(results[1]) > 20
    for column in results[0].dtype.names:
        assert (results[0][column] == results[1][column]).all(), column


def test_description_has_the_same_variables(make, pack):
    """Names, value references, ranges, start values and units of FMI 2.0 are those of FMI 3.0."""
    path = tools.MODELS / "parcel_pusher.xml"
    old = fmpy.read_model_description(str(pack(path).directory)).modelVariables
    new = {v.name: v for v in make(path).variables.values()}
    for v in old:
        w = new.pop(v.name)
        unit = w.declaredType.unit if w.type == "Float64" else None
        assert (w.valueReference, w.causality, w.variability, w.min, w.max, unit, w.initial) == (
            v.valueReference, v.causality, v.variability, v.min, v.max, v.unit, v.initial), v.name
        assert w.start == v.start or float(w.start) == float(v.start), v.name
    assert new.pop("time").causality == "independent"
    assert all(v.shape for v in new.values())


def test_enumerations_as_integers(tmp_path):
    fmu = fmi3.pack(tools.MODELS / "bouncing_ball.xml", tmp_path, "--no-enumerations")
    scheme = fmu.variables["solver.scheme"]
    assert scheme.type == "Int64" and scheme.min == "1"
    with fmi3.Instance(fmu) as instance:
        instance.start(solver__scheme=2)
        assert instance.get("solver.scheme") == 2


# --- vectors ---

def test_vectors_are_their_components(make):
    fmu = make(tools.MODELS / "tippe_top.xml")
    arrays = {v.name: v for v in fmu.variables.values() if v.shape}
    name = next(iter(arrays)).rsplit(".", 1)[0]
    components = {"position": ["x", "y", "z"], "velocity": ["velocity_x", "velocity_y", "velocity_z"],
                  "quaternion": [f"quaternion_{i}" for i in range(4)],
                  "angular_velocity": [f"angular_velocity_{c}" for c in "xyz"]}
    assert set(arrays) >= {f"{name}.{vector}" for vector in components}
    assert arrays[f"{name}.velocity"].derivative is arrays[f"{name}.position"]
    with fmi3.Instance(fmu) as instance:
        instance.start()
        instance.doStep(0.0, 0.05)
        for vector, parts in components.items():
            assert instance.get(f"{name}.{vector}") == [instance.get(f"{name}.{p}") for p in parts]
        references = [fmu.reference(f"{name}.{n}") for n in ("position", "x", "quaternion")]
        assert len(instance.getFloat64(references, nValues=8)) == 8
        rates = (ctypes.c_double * 3)()
        instance.fmi3GetOutputDerivatives(
            instance.component, (ctypes.c_uint * 1)(fmu.reference(f"{name}.position")), 1,
            (ctypes.c_int32 * 1)(1), rates, 3)
        assert list(rates) == instance.get(f"{name}.velocity")


def test_vectors_in_the_plane(ball3):
    assert ball3.variables["ball.position"].shape == (2,)
    result = fmpy.simulate_fmu(str(ball3.directory), stop_time=0.5, output_interval=0.1)
    assert (result["ball.position"][:, 1] == result["ball.y"]).all()


def test_scalars_alone(ball3, tmp_path):
    fmu = fmi3.pack(tools.MODELS / "bouncing_ball.xml", tmp_path, "--no-vectors")
    assert set(ball3.variables) - set(fmu.variables) == {"ball.position", "ball.velocity"}
    assert fmpy.validation.validate_fmu(str(tmp_path / "model.fmu")) == []


@pytest.mark.parametrize("n", [0, 1, 3, 100])
def test_wrong_sizes_of_arrays(ball3, n):
    with fmi3.Instance(ball3) as instance:
        instance.start()
        reference = ball3.reference("ball.position")
        instance.refused(instance.getFloat64, [reference], n, words=f"do not have {n} values")
        instance.refused(instance.getFloat64, [reference, reference], n, words=f"{n} values")
        instance.refused(instance.setFloat64, [ball3.reference("ball.mass")], [1.0] * n + [2.0, 3.0],
                         words=f"{n + 2} values")
        instance.refused(instance.setFloat64, [reference], [0.0, 0.0], words="cannot be set")


# --- snapshots ---

def test_snapshots_repeat_the_run(ball3):
    with fmi3.Instance(ball3) as instance, fmi3.Instance(ball3) as other:
        instance.start()
        instance.doStep(0.0, 0.39)
        state = instance.getFMUState()
        data = instance.serializeFMUState(state)
        instance.doStep(0.39, 0.8)
        after = instance.everything()
        instance.setFMUState(state)
        instance.freeFMUState(state)
        instance.doStep(0.39, 0.8)
        assert instance.everything() == after
        restored = other.deserializeFMUState(data)
        other.setFMUState(restored)
        other.freeFMUState(restored)
        other.doStep(0.39, 0.8)
        assert other.everything() == after
        other.refused(other.deserializeFMUState, data[:-1], words="too few bytes")
        other.refused(other.deserializeFMUState, data[:-1] + b"x", words="checksum")


def test_snapshot_of_fmi_2_is_one_of_fmi_3(ball3, pack):
    """The bytes are the same: a run can change hosts."""
    import fmi2
    old = pack(tools.MODELS / "bouncing_ball.xml")
    with fmi2.Instance(old) as first, fmi3.Instance(ball3) as second:
        first.start().steps(0.0, 0.1, 5)
        state = second.deserializeFMUState(first.serialize())
        second.setFMUState(state)
        second.freeFMUState(state)
        assert first.step(0.5, 0.3) == fmi2.OK
        second.doStep(0.5, 0.3)
        assert first.get("ball.y") == second.get("ball.y")


def test_event_mode_is_part_of_a_state(ball3):
    with fmi3.Instance(ball3, events=True) as instance, fmi3.Instance(ball3) as other:
        instance.start()
        state = instance.getFMUState()
        data = instance.serializeFMUState(state)
        instance.enterStepMode()
        instance.setFMUState(state)
        instance.freeFMUState(state)
        instance.refused(instance.doStep, 0.0, 0.1, words='state "event mode"')
        instance.enterStepMode()
        instance.doStep(0.0, 0.1)
        other.refused(other.deserializeFMUState, data, words="does not use")


# --- values and calls that are wrong ---

def test_documentation_has_the_table_that_is_tested():
    """That of docs/fmi3.md is the one against which tests/c/test_fmi3_states.c calls everything."""
    text = (tools.ROOT / "docs" / "fmi3.md").read_text()
    table = text[text.index("| call |"):].split("\n\n")[0].splitlines()
    documented = {}
    for line in table[2:]:
        head, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        documented |= {name: "".join(cells) for name in re.findall(r"`(\w+)`", head)}
    source = (tools.ROOT / "tests" / "c" / "test_fmi3_states.c").read_text()
    rows = dict(re.findall(r'\{"(fmi3\w+)", \w+, "([-xf]+)"\}', source))
    assert len(rows) > 20 and documented == {k: v.replace("f", "x") for k, v in rows.items()}


def test_example(ball3):
    """What docs/fmi3.md says that it prints."""
    done = tools.run(sys.executable, tools.ROOT / "examples" / "fmi3_events.py",
                     ball3.directory.parent / "model.fmu")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 4
    text = (tools.ROOT / "docs" / "fmi3.md").read_text()
    assert "".join(f"    {line}\n" for line in lines) in text


def test_hostile_order(ball3):
    with fmi3.Instance(ball3) as instance:
        calls = {"exitInitializationMode": (), "doStep": (0.0, 0.1), "enterEventMode": (),
                 "enterStepMode": (), "updateDiscreteStates": (), "terminate": ()}
        for name, arguments in calls.items():
            instance.refused(getattr(instance, name), *arguments, words='state "instantiated"')
        instance.refused(instance.getFloat64, [0], words='"instantiated"')
        instance.enterInitializationMode()
        instance.refused(instance.enterInitializationMode, words="initialization mode")
        instance.refused(instance.doStep, 0.0, 0.1, words="initialization mode")
        instance.exitInitializationMode()
        instance.refused(instance.enterEventMode, words="not asked for")
        instance.refused(instance.updateDiscreteStates, words='state "step mode"')
        instance.refused(instance.doStep, 0.5, 0.1, words="not where this FMU is")
        instance.refused(instance.doStep, 0.0, -0.1, words="positive")
        instance.refused(instance.doStep, fmi3.NAN, 0.1, words="nan")
        instance.doStep(0.0, 0.1)
        instance.terminate()
        instance.refused(instance.doStep, 0.1, 0.1, words="terminated")
        instance.reset()
        instance.start().doStep(0.0, 0.1)


def test_values_that_are_refused(sled3):
    with fmi3.Instance(sled3) as instance:
        instance.start()
        force = next(v.name for v in sled3.variables.values() if v.causality == "input")
        before = instance.everything()
        for value in (fmi3.NAN, float("inf")):
            instance.refused(instance.set, force, value, words=f"{force} must be a finite number")
        instance.refused(instance.setFloat64, [10 ** 9], [1.0], words="value reference")
        instance.refused(instance.setFloat64, [0], [1.0], words="time")
        instance.refused(instance.setInt64, [sled3.reference(force)], [1], words="is of type Real")
        instance.refused(instance.getInt32, [sled3.reference(force)], words="of this type")
        instance.refused(instance.setFloat64, [sled3.reference("solver.step_size")], [1e-4],
                         words="fixed parameter")
        assert instance.everything() == before


def test_what_is_not_there_says_so(ball3):
    with fmi3.Instance(ball3) as instance:
        instance.refused(instance.fmi3EnterConfigurationMode, instance.component,
                         words="no structural parameters")
        instance.refused(instance.fmi3GetClock, instance.component, (ctypes.c_uint * 1)(1), 1,
                         (ctypes.c_bool * 1)(), words="no clocks")
        instance.refused(instance.fmi3SetTime, instance.component, 0.0, words="only co-simulation")
    with pytest.raises(Exception, match="instantiate"):
        fmi3.Instance(ball3, token="{another}")


def test_failed_step_is_discarded(sled3):
    """As in FMI 2.0: a part of the step is made, the reason told, and the motion can go on."""
    with fmi3.Instance(sled3) as instance:
        instance.start(explode=1e4)  # exp(explode*t) is beyond all numbers from t = 0.0709 on
        flags, time = [ctypes.c_bool(True) for _ in range(3)], ctypes.c_double()
        with pytest.raises(FMICallException) as failed:
            instance.fmi3DoStep(instance.component, 0.0, 0.1, False, *map(ctypes.byref, flags),
                                ctypes.byref(time))
        assert failed.value.status == fmi3.DISCARD
        assert [flag.value for flag in flags] == [False, False, False]
        assert 0.03 < time.value < 0.0709 and time.value == instance.get("time")
        assert "grown beyond all numbers" in instance.messages[-1][2]
        instance.refused(instance.doStep, 0.1, 0.1, words="where the last step failed")


def test_directional_derivatives(sled3, sled):
    import fmi2
    force = next(v.name for v in sled3.variables.values() if v.causality == "input")
    output = next(v.name for v in sled3.variables.values()
                  if v.causality == "output" and v.name.endswith("acceleration_x"))
    with fmi3.Instance(sled3) as instance, fmi2.Instance(sled) as old:
        instance.start()
        old.start()
        status, expected = old.directional(output, {force: 1.0})
        assert status == fmi2.OK
        sensitivity = instance.getDirectionalDerivative(
            [sled3.reference(output)], [sled3.reference(force)], [1.0])
        assert list(sensitivity) == [expected]
