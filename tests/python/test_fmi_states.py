"""Every function in every state, against the table of the FMI 2.0 standard and of docs/fmi.md."""

import ctypes
import re
import threading
from ctypes import byref, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

import pytest

import fmi2
import models
import tools
from fmi2 import DISCARD, ERROR, OK, PENDING, Instance, array

STATES = ["instantiated", "initialization mode", "step complete", "step in progress",
          "step failed", "step canceled", "terminated", "error"]

# FMI 2.0.4, 4.2.4. The two additions of docs/fmi.md are in the last column of each row: DoStep
# after a failed step, and the status of a canceled step.
AT_REST = set(STATES) - {"step in progress"}
AFTER = {"step complete", "step failed", "step canceled", "terminated", "error"}
SETTABLE = {"instantiated", "initialization mode", "step complete"}
ALLOWED = {
    "fmi2SetDebugLogging": set(STATES),
    "fmi2FreeInstance": AT_REST,
    "fmi2Reset": AT_REST,
    "fmi2SetupExperiment": {"instantiated"},
    "fmi2EnterInitializationMode": {"instantiated"},
    "fmi2ExitInitializationMode": {"initialization mode"},
    "fmi2Terminate": {"step complete", "step failed"},
    **{f"fmi2Get{kind}": {"initialization mode"} | AFTER
       for kind in ("Real", "Integer", "Boolean", "String")},
    **{f"fmi2Set{kind}": SETTABLE for kind in ("Real", "Integer", "Boolean", "String")},
    "fmi2SetRealInputDerivatives": SETTABLE,
    "fmi2GetRealOutputDerivatives": AFTER,
    "fmi2GetDirectionalDerivative": {"initialization mode"} | AFTER,
    **{name: AT_REST for name in (
        "fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate", "fmi2SerializedFMUstateSize",
        "fmi2SerializeFMUstate", "fmi2DeSerializeFMUstate")},
    "fmi2DoStep": {"step complete"} | {"step failed"},
    "fmi2CancelStep": {"step in progress"},
    **{f"fmi2Get{kind}Status": {"step complete", "step in progress", "step failed", "terminated"}
       | {"step canceled"} for kind in ("", "Real", "Integer", "Boolean", "String")},
}


def test_table_names_every_function():
    assert set(ALLOWED) == set(fmi2.PROTOTYPES) | {"fmi2FreeInstance"}


def test_documentation_has_the_same_table():
    text = (tools.ROOT / "docs" / "fmi.md").read_text()
    table = text[text.index("| call |"):].split("\n\n")[0].splitlines()
    assert [cell.strip() for cell in table[0].strip("|").split("|")][1:] == STATES
    documented = {}
    for line in table[2:]:
        head, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        names = re.findall(r"`(-?\w+)`", head)
        if "the three that serialize" in head:
            names += ["fmi2SerializedFMUstateSize", "fmi2SerializeFMUstate",
                      "fmi2DeSerializeFMUstate"]
        for name in names:
            if name.startswith("-"):  # fmi2GetReal, -Integer
                stem = re.match(r"fmi2[GS]et", names[0]).group()
                name = stem + name[1:]
            assert set(cells) <= {"x", "-"} and len(cells) == len(STATES), line
            documented[name] = {s for s, cell in zip(STATES, cells) if cell == "x"}
    assert documented == ALLOWED


# --- instances in a state ---

def enter(instance, state):
    """Brings a new instance into a state at rest."""
    if state == "instantiated":
        return
    assert instance.SetupExperiment(0, 0.0, 0.0, 0, 0.0) == OK
    assert instance.EnterInitializationMode() == OK
    if state == "error":  # a gap beyond all numbers
        assert instance.set(sled__initial_y=1.7e308) == OK
        assert instance.set(sled__tip__y=1.7e308) == OK
        assert instance.ExitInitializationMode() == ERROR
        return
    if state == "initialization mode":
        return
    if state == "step canceled":
        assert instance.set(solver__step_size=1e-7) == OK
    assert instance.ExitInitializationMode() == OK
    if state == "step failed":
        assert instance.set(explode=500.0) == OK
        assert instance.step(0.0, 1.0) == DISCARD
    elif state == "step canceled":
        run_long_step(instance, lambda: None)
    elif state == "terminated":
        assert instance.Terminate() == OK


def run_long_step(instance, meanwhile):
    """Calls meanwhile() during a step of a thousand million internal steps, then cancels it."""
    results = []
    thread = threading.Thread(target=lambda: results.append(instance.step(0.0, 90.0)))
    thread.start()
    status = c_int(-1)
    while instance.GetStatus(fmi2.DO_STEP_STATUS, byref(status)) != OK or status.value != PENDING:
        assert thread.is_alive(), "the step ended by itself"
    try:
        meanwhile()
    finally:
        assert instance.CancelStep() == OK
        thread.join()
    assert results == [DISCARD]


def arguments(fmu, instance, function):
    """Good arguments of a function; FMU states come from another instance of the same model."""
    refs = lambda name: array(c_uint, [fmu.reference(name)])
    keep = []
    if "FMUstate" in function:
        other = Instance(fmu)
        state = other.save()
        data = other.serialize()
        keep = [other, state]
    made = {
        "fmi2SetDebugLogging": lambda: (0, 0, None),
        "fmi2SetupExperiment": lambda: (0, 0.0, 0.0, 0, 0.0),
        "fmi2GetReal": lambda: (refs("sled.mass"), 1, byref(c_double())),
        "fmi2GetInteger": lambda: (refs("solver.maximum_iterations"), 1, byref(c_int())),
        "fmi2GetBoolean": lambda: (None, 0, None),
        "fmi2GetString": lambda: (refs("solver.message"), 1, byref(c_char_p())),
        "fmi2SetReal": lambda: (refs("push"), 1, byref(c_double(1.0))),
        "fmi2SetInteger": lambda: (None, 0, None),
        "fmi2SetBoolean": lambda: (None, 0, None),
        "fmi2SetString": lambda: (None, 0, None),
        "fmi2SetRealInputDerivatives": lambda: (refs("push"), 1, byref(c_int(1)),
                                                byref(c_double(0.0))),
        "fmi2GetRealOutputDerivatives": lambda: (None, 0, None, None),
        "fmi2GetDirectionalDerivative": lambda: (None, 0, None, 0, None, None),
        "fmi2GetFMUstate": lambda: (byref(c_void_p()),),
        "fmi2SetFMUstate": lambda: (state,),
        "fmi2FreeFMUstate": lambda: (byref(c_void_p()),),
        "fmi2SerializedFMUstateSize": lambda: (state, byref(c_size_t())),
        "fmi2SerializeFMUstate": lambda: (state, (c_char * len(data))(), len(data)),
        "fmi2DeSerializeFMUstate": lambda: ((c_char * len(data))(*data), len(data),
                                            byref(c_void_p())),
        "fmi2DoStep": lambda: (instance.real_status()[1], 1e-6, 1),
        "fmi2GetStatus": lambda: (fmi2.DO_STEP_STATUS, byref(c_int())),
        "fmi2GetRealStatus": lambda: (fmi2.LAST_SUCCESSFUL_TIME, byref(c_double())),
        "fmi2GetIntegerStatus": lambda: (fmi2.DO_STEP_STATUS, byref(c_int())),
        "fmi2GetBooleanStatus": lambda: (fmi2.TERMINATED, byref(c_int())),
        "fmi2GetStringStatus": lambda: (fmi2.PENDING_STATUS, byref(c_char_p())),
    }
    return made.get(function, lambda: ())(), keep


def check_call(fmu, instance, function, state, given):
    n_before = len(instance.messages)
    status = getattr(fmu.library, function)(instance.component, *given)
    if state in ALLOWED[function]:
        # fmi2GetIntegerStatus serves no kind that FMI defines
        assert status == (DISCARD if function == "fmi2GetIntegerStatus" else OK), \
            instance.last_message()
    else:
        assert status == ERROR
        new = [m for m in instance.messages[n_before:] if m.status == ERROR]
        assert len(new) == 1 and new[0].category == b"logError"
        assert function in new[0].text and state in new[0].text


@pytest.fixture(scope="module")
def fmu(pack):
    return pack(models.SLED)


@pytest.mark.parametrize("state", [s for s in STATES if s != "step in progress"])
@pytest.mark.parametrize("function", [f for f in ALLOWED if f != "fmi2FreeInstance"])
def test_call(fmu, function, state):
    with Instance(fmu) as instance:
        enter(instance, state)
        before = instance.serialize()
        given, keep = arguments(fmu, instance, function)
        check_call(fmu, instance, function, state, given)
        if state not in ALLOWED[function]:
            assert instance.serialize() == before, "a refused call changed something"
        for other in keep[:1]:
            other.free()


@pytest.mark.parametrize("function", [f for f in ALLOWED if f != "fmi2CancelStep"])
def test_call_while_a_step_is_computed(fmu, function):
    with Instance(fmu) as instance:
        instance.start(solver__step_size=1e-7)
        given, keep = arguments(fmu, instance, function)

        def meanwhile():
            if function == "fmi2FreeInstance":  # refused: the step below still ends well
                fmu.library.fmi2FreeInstance(instance.component)
                assert "fmi2FreeInstance" in instance.last_message()
            else:
                check_call(fmu, instance, function, "step in progress", given)

        run_long_step(instance, meanwhile)
        # 0 if the step was canceled before the first internal one: nothing waits for that
        assert 0.0 <= instance.real_status()[1] < 90.0
        for other in keep[:1]:
            other.free()


@pytest.mark.parametrize("state", [s for s in STATES if s != "step in progress"])
def test_free_and_reset_everywhere(fmu, state):
    with Instance(fmu) as instance:
        enter(instance, state)
        assert instance.Reset() == OK
        instance.start()
        assert instance.step(0.0, 0.01) == OK
    with Instance(fmu) as instance:
        enter(instance, state)
    assert not [m for m in instance.messages if "fmi2FreeInstance" in m.text]


@pytest.mark.parametrize("function", ALLOWED)
def test_null_component(fmu, function):
    prototype = fmi2.PROTOTYPES.get(function, [c_void_p])
    zeros = [None if issubclass(kind, (ctypes._Pointer, c_void_p)) else 0 for kind in prototype[1:]]
    expected = None if function == "fmi2FreeInstance" else ERROR
    assert getattr(fmu.library, function)(None, *zeros) == expected


def test_experiment_is_checked(fmu):
    nan, inf = float("nan"), float("inf")
    for bad in ((0, 0, nan, 0, 0), (0, 0, inf, 0, 0), (0, 0, 1, 1, 0.5), (0, 0, 0, 1, nan),
                (0, 0, 0, 1, inf), (1, nan, 0, 0, 0)):
        with Instance(fmu) as instance:
            before = instance.serialize()
            assert instance.SetupExperiment(*bad) == ERROR, bad
            assert instance.serialize() == before
    with Instance(fmu) as instance:
        for n in range(3):  # the last one counts
            assert instance.SetupExperiment(0, 0.0, 0.1 * n, 1, 1.0) == OK
        assert instance.EnterInitializationMode() == OK
        assert instance.get("time") == 0.2


@pytest.mark.parametrize("given, expected", [(1e-6, 1e-10), (0.5, 1e-10), (1e-10, 1e-10),
                                             (0.0, 1e-10), (-1.0, 1e-10), (1e-12, 1e-12),
                                             (1e-30, 1e-14)])
def test_tolerance_of_the_host(fmu, given, expected):
    """It may make solver.tolerance smaller, down to its least value, never larger; and no warning
    ends the run of a host that takes fmi2Warning for a failure."""
    with Instance(fmu) as instance:
        assert instance.SetupExperiment(1, given, 0.0, 0, 0.0) == OK
        assert instance.messages == []
        assert instance.EnterInitializationMode() == OK
        assert instance.get("solver.tolerance") == expected
        assert instance.set(solver__tolerance=1e-7) == OK  # said by name, it counts
        assert instance.get("solver.tolerance") == 1e-7


def test_start_that_cannot_be_mended_by_other_values(fmu):
    with Instance(fmu) as instance:
        assert instance.EnterInitializationMode() == OK
        assert instance.set(sled__initial_y=1.7e308) == OK
        assert instance.set(sled__tip__y=1.7e308) == OK
        assert instance.try_get("sled.y")[0] == ERROR
        assert instance.set(sled__tip__y=0.0) == OK
        assert instance.set(sled__initial_y=0.0) == OK
        assert instance.get("sled.y") == 0.0
        assert instance.ExitInitializationMode() == OK
