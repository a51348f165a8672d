"""Getting and setting values: types, causalities, variabilities, ranges; all or none."""

import math
from ctypes import byref, c_char_p, c_double, c_int, c_uint

import pytest

import models
from fmi2 import ERROR, OK, Instance, array

CALL_OF = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean",
           "String": "String"}
CTYPE = {"Real": c_double, "Integer": c_int, "Boolean": c_int, "String": c_char_p}


@pytest.fixture(scope="module")
def fmu(pack):
    return pack(models.SLED)


@pytest.fixture
def instance(fmu):
    with Instance(fmu) as made:
        yield made


def test_every_variable_through_every_function(fmu, instance):
    instance.start()
    for variable in fmu.variables.values():
        refs = array(c_uint, [variable.reference])
        for call, ctype in CTYPE.items():
            right = CALL_OF[variable.type] == call
            value = ctype()
            n = len(instance.messages)
            assert getattr(instance, "Get" + call)(refs, 1, byref(value)) == (OK if right else ERROR)
            if not right:
                assert len(instance.messages) == n + 1
                assert variable.name in instance.last_message()


def test_reference_is_the_index(fmu, instance):
    """As FMI counts them in ModelStructure: from 1, time being there without being listed."""
    n = len(fmu.variables)
    assert [v.reference for v in fmu.variables.values()] == list(range(1, n + 1))
    assert "time" not in fmu.variables
    instance.start(start=3.0)
    assert instance.get("time") == 3.0
    for bad in (n + 1, 2**31, 2**32 - 1):
        for call, ctype in CTYPE.items():
            value = ctype()
            assert getattr(instance, "Get" + call)(array(c_uint, [bad]), 1, byref(value)) == ERROR
            assert getattr(instance, "Set" + call)(array(c_uint, [bad]), 1, byref(value)) == ERROR


@pytest.mark.parametrize("state", ["instantiated", "initialization", "stepping"])
def test_who_can_be_set_when(fmu, instance, state):
    """By what the description says of causality and variability, and by nothing else."""
    if state != "instantiated":
        instance.SetupExperiment(0, 0.0, 0.0, 0, 0.0)
        instance.EnterInitializationMode()
    if state == "stepping":
        instance.ExitInitializationMode()
    for v in fmu.variables.values():
        settable = v.causality == "input" or v.causality == "parameter" and (
            state != "stepping" or v.variability == "tunable")
        if v.type == "String":
            assert not settable
            assert instance.SetString(array(c_uint, [v.reference]), 1,
                                      array(c_char_p, [b"x"])) == ERROR
            continue
        call = CALL_OF[v.type]
        value = CTYPE[call](float(v.start or 0) if call == "Real" else int(v.start or 0))
        status = getattr(instance, "Set" + call)(array(c_uint, [v.reference]), 1, byref(value))
        assert status == (OK if settable else ERROR), (v, instance.last_message())


def test_start_values_are_told_truly(fmu, instance):
    instance.SetupExperiment(0, 0.0, 0.0, 0, 0.0)
    instance.EnterInitializationMode()
    checked = 0
    for v in fmu.variables.values():
        if v.start is not None and v.type in ("Real", "Integer", "Enumeration"):
            assert instance.get(v.name) == float(v.start), v.name
            checked += 1
    assert checked > 20


def test_not_a_number_is_refused_everywhere(fmu, instance):
    before = instance.serialize()
    names = [n for c in ("parameter", "input") for n in fmu.names(c, "Real")]
    assert len(names) > 15
    for name in names:
        for bad in (math.nan, math.inf, -math.inf):
            assert instance.set_all({name: bad}) == ERROR
            assert name in instance.last_message()
    assert instance.serialize() == before
    instance.start()
    before = instance.serialize()
    for bad in (math.nan, math.inf, -math.inf):
        assert instance.set(push=bad) == ERROR
        assert instance.slope("push", bad) == ERROR
        assert instance.directional("sled.acceleration_x", {"push": bad})[0] == ERROR
        assert instance.step(0.0, bad) == ERROR
        assert instance.step(bad, 0.1) == ERROR
    assert instance.serialize() == before


def test_ranges_of_the_description_hold(fmu, instance):
    """Of a parameter, but for rounding."""
    checked = 0
    instance.EnterInitializationMode()
    for name in fmu.names("parameter", "Real"):
        v = fmu.variables[name]
        for bound, outwards in ((v.min, -1.0), (v.max, 1.0)):
            if bound is None:
                continue
            bound = float(bound)
            n = len(instance.messages)
            assert instance.set_all({name: bound + outwards * max(1e-6 * abs(bound), 1e-9)}) == ERROR
            assert name in instance.last_message() and "range" in instance.last_message()
            assert len(instance.messages) == n + 1
            assert instance.set_all({name: bound}) == OK and len(instance.messages) == n + 1
            assert instance.set_all({name: math.nextafter(bound, outwards * math.inf)}) == OK
            checked += 1
        if v.min is not None or v.max is not None:
            warnings = [m for m in instance.messages if m.category == b"logStatusWarning"
                        and name in m.text]
            assert len(warnings) == 1 and "is taken instead" in warnings[0].text
            assert instance.set_all({name: float(v.start)}) == OK
    assert checked > 8
    assert instance.get("drag") == 1.0
    assert instance.set(sled__mass=-1.0) == ERROR
    assert instance.set(sled__mass=0.0) == ERROR
    assert instance.set(solver__scheme=0) == ERROR
    assert instance.set(solver__scheme=99) == ERROR
    assert instance.set(solver__maximum_iterations=0) == ERROR
    assert instance.set(push=1000.0) == OK


def test_inputs_beyond_their_range_are_taken_as_the_bound(fmu, instance):
    """50.00000000000001 of 50 and a controller that asks for more than there is: the run goes on with
    the bound, and the user is told once."""
    instance.start()
    for value, taken in ((1000.0000000000001, 1000.0), (1e6, 1000.0), (-1e308, -1000.0),
                         (5.0, 5.0), (math.nextafter(-1000.0, -math.inf), -1000.0)):
        assert instance.set(push=value) == OK
        assert instance.get("push") == taken
    assert instance.step(0.0, 0.1) == OK
    warnings = [m for m in instance.messages if m.category == b"logStatusWarning"]
    assert len(warnings) == 1 == len(instance.messages)
    assert "push = 1000.0000000000001" in warnings[0].text and "1000 is taken" in warnings[0].text
    for bad in (math.nan, math.inf, -math.inf):
        assert instance.set(push=bad) == ERROR and "push" in instance.last_message()
    instance.Reset()
    instance.messages.clear()
    instance.start(push=-2000.0)
    assert len(instance.messages) == 1  # a new run, a new warning


def test_several_values_are_set_all_or_none(fmu, instance):
    instance.start()
    good = {"push": 3.0, "floor.friction_coefficient": 0.1}
    before = instance.serialize()
    for bad in ({"sled.mass": 3.0}, {"sled.x": 0.0}, {"drag": -1.0}, {"push": math.nan},
                {"solver.scheme": 1}, {"explode": math.inf}):
        values = {**good, **bad}
        refs = array(c_uint, [fmu.reference(n) for n in values])
        assert instance.SetReal(refs, len(values), array(c_double, values.values())) == ERROR
        assert instance.serialize() == before
    assert instance.set_all(good) == OK
    assert instance.get("push") == 3.0 and instance.get("floor.friction_coefficient") == 0.1


def test_all_or_none_when_a_calculated_parameter_refuses(fmu, instance):
    """length/2 becomes the free length of the spring, which cannot be negative; the input set in
    the same call keeps its value and its slope."""
    instance.start()
    assert instance.set(push=1.0) == OK and instance.slope("push", 50.0) == OK
    assert instance.step(0.0, 0.1) == OK
    before = instance.serialize()
    # drag is tunable, its spring's stiffness is drag - 1 >= 0
    values = {"push": 3.0, "floor.friction_coefficient": 0.1, "drag": 0.5}
    assert instance.set_all(values) == ERROR
    assert "band.stiffness" in instance.last_message()
    assert instance.serialize() == before


def test_calculated_parameters_follow(fmu, instance):
    instance.EnterInitializationMode()
    assert fmu.variables["band.free_length"].causality == "calculatedParameter"
    assert instance.get("band.free_length") == 1.0
    assert instance.set(length=5.0) == OK
    assert instance.get("band.free_length") == 2.5
    assert instance.set(length=-1.0) == OK  # another one may still come
    assert instance.try_get("band.free_length")[0] == ERROR
    assert instance.set(length=3.0) == OK
    assert instance.get("length") == 3.0 and instance.get("band.free_length") == 1.5


def test_same_variable_twice_in_a_call(fmu, instance):
    refs = array(c_uint, [fmu.reference("push")] * 2)
    assert instance.SetReal(refs, 2, array(c_double, [1.0, 2.0])) == OK
    instance.start()
    assert instance.get("push") == 2.0
    before = instance.serialize()
    assert instance.SetReal(refs, 2, array(c_double, [5.0, math.nan])) == ERROR
    assert instance.serialize() == before


def test_absurd_counts(fmu, instance):
    refs = array(c_uint, [fmu.reference("push")])
    assert instance.SetReal(refs, 2**64 - 1, array(c_double, [0.0])) == ERROR
    assert instance.SetReal(None, 0, None) == OK
    assert instance.GetReal(None, 0, None) == ERROR  # not in this state
    instance.start()
    assert instance.GetReal(None, 0, None) == OK


def test_outputs_in_initialization_mode_follow_what_is_set(instance):
    instance.SetupExperiment(0, 0.0, 2.5, 0, 0.0)
    instance.EnterInitializationMode()
    assert instance.get("time") == 2.5
    assert instance.get("sled.y") == 0.0 and instance.get("floor.state") == 3  # stick
    assert instance.set(sled__initial_y=7.0) == OK
    assert instance.get("sled.y") == 7.0 and instance.get("floor.gap") == 7.0
    assert instance.get("floor.state") == 1 and instance.get("floor.closed") == 0
    assert instance.get("sled.acceleration_y") == pytest.approx(-10.0, rel=1e-14)
    assert instance.set(push=6.0) == OK
    assert instance.get("sled.acceleration_x") == pytest.approx(3.0, rel=1e-14)
    assert instance.ExitInitializationMode() == OK
    assert instance.get("sled.acceleration_x") == pytest.approx(3.0, rel=1e-14)


def test_tunable_parameters_between_steps(instance):
    """Friction goes from holding to none to holding: the motion is known in each part."""
    instance.start(push=8.0)
    instance.steps(0.0, 0.1, 5)
    assert instance.get("sled.velocity_x") == 0.0 and instance.get("floor.state") == 3
    assert instance.set(floor__friction_coefficient=0.0) == OK
    instance.steps(0.5, 0.1, 5)
    assert instance.get("sled.velocity_x") == pytest.approx(4.0 * 0.5, rel=1e-12)
    assert instance.get("floor.state") == 2
    assert instance.set(floor__friction_coefficient=0.5) == OK  # (8 - 10)/2 from 2 m/s
    instance.steps(1.0, 0.1, 10)
    assert instance.get("sled.velocity_x") == pytest.approx(1.0, rel=1e-12)
    instance.steps(2.0, 0.1, 15)
    assert instance.get("sled.velocity_x") == 0.0 and instance.get("floor.state") == 3


def test_reset_gives_the_same_again(instance):
    def run(push):
        instance.start(push=push)
        instance.steps(0.0, 0.01, 50)
        return instance.snapshot()

    first = run(20.0)
    assert instance.Reset() == OK
    assert run(-30.0) != first
    assert instance.set(drag=4.0) == OK
    assert instance.Reset() == OK
    assert run(20.0) == first
