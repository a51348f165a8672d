"""Communication steps: any size, any split, failure and what a host can do then."""

import math
import threading
from ctypes import byref, c_char_p, c_double, c_int

import pytest

import fmi2
from fmi2 import DISCARD, ERROR, OK, PENDING, Instance
from models import SPLITS, TAUT


# --- the split of internal steps into communication steps ---

@pytest.mark.parametrize("dt", [1e-3, 1 / 1024, 0.7e-3])
def test_result_does_not_depend_on_the_split(bowl, dt):
    results = set()
    for split in SPLITS:
        assert sum(split) == 1000
        with Instance(bowl) as instance:
            instance.start(solver__step_size=dt, push=2.0)
            done = 0
            for n in split:
                assert instance.step(done * dt, n * dt) == OK, instance.last_message()
                done += n
            results.add(instance.snapshot())
    assert len(results) == 1


@pytest.mark.parametrize("start", [0.0, -3.0, 1e3])
def test_times_are_not_added_up(sled, start):
    """After 10000 steps of 0.1 ms the time is start + 1 to the last bit."""
    with Instance(sled) as instance:
        instance.start(start=start, solver__step_size=1e-4)
        t = start
        for i in range(10_000):  # as hosts do, with rounding errors of their own
            assert instance.step(t, 1e-4) == OK
            t += 1e-4
        assert t != start + 1.0
        assert instance.get("time") == start + 10_000 * 1e-4


def test_communication_step_that_the_internal_one_does_not_divide(sled):
    """2.5 ms with internal steps of at most 1 ms: three of them, then the exact time."""
    with Instance(sled, logging=True) as instance:
        instance.start(push=14.0)
        for i in range(4):
            assert instance.step(2.5e-3 * i, 2.5e-3) == OK
        assert instance.get("time") == pytest.approx(1e-2, rel=1e-14)
        assert instance.get("sled.velocity_x") == pytest.approx(2.0 * 1e-2, rel=1e-12)
        # friction of the last internal step tells its length
        assert instance.get("floor.normal_percussion") == pytest.approx(20 * 2.5e-3 / 3, rel=1e-9)
        assert [m for m in instance.messages if "12 internal steps" in m.text]


def test_step_sizes_may_vary_and_be_shorter_than_the_internal_one(sled):
    with Instance(sled) as instance:
        instance.start(push=14.0)
        t = 0.0
        for size in (1e-3, 1e-6, 0.1, 3.3e-3, 1e-9, 0.2, 1e-3):
            assert instance.step(t, size) == OK, instance.last_message()
            t += size
            assert instance.get("time") == pytest.approx(t, rel=1e-12)
        assert instance.get("sled.velocity_x") == pytest.approx(2.0 * t, rel=1e-10)


def test_wrong_steps_change_nothing(sled):
    with Instance(sled) as instance:
        instance.start(stop=1.0)
        assert instance.step(0.0, 0.1) == OK
        before = instance.serialize()
        for t, size in ((0.1, 0.0), (0.1, -0.1), (0.0, 0.1), (0.2, 0.1), (0.1, 0.95),
                        (0.1, 1e300), (-0.1, 0.1)):
            n = len(instance.messages)
            assert instance.step(t, size) == ERROR, (t, size)
            assert len(instance.messages) == n + 1
            assert "fmi2DoStep" in instance.last_message()
            assert instance.serialize() == before
        assert instance.step(0.1, 0.9) == OK  # exactly to the stop time
        assert instance.step(1.0, 0.1) == ERROR


# --- failed steps ---

def test_failed_step(sled):
    """The force passes every number between two internal steps of one communication step."""
    with Instance(sled) as instance:
        instance.start(explode=500.0)
        assert instance.step(0.0, 0.25) == OK
        good = instance.save()
        assert instance.step(0.25, 0.75) == DISCARD
        status, reached = instance.real_status()
        assert status == OK and 0.7 < reached < 0.73
        assert reached == pytest.approx(round(reached / 1e-3) * 1e-3, rel=1e-12)
        assert instance.get("time") == reached
        assert instance.get("solver.failed_steps") == 1
        assert math.isfinite(instance.get("sled.x")) and instance.get("sled.x") > 0

        value, text, truth, number = c_int(), c_char_p(), c_int(7), c_double()
        assert instance.GetStatus(fmi2.DO_STEP_STATUS, byref(value)) == OK
        assert value.value == DISCARD
        assert instance.GetStringStatus(fmi2.PENDING_STATUS, byref(text)) == OK
        assert text.value and b"%" not in text.value
        assert instance.GetBooleanStatus(fmi2.TERMINATED, byref(truth)) == OK
        assert truth.value == 0
        assert instance.GetIntegerStatus(fmi2.DO_STEP_STATUS, byref(value)) == DISCARD
        assert instance.GetRealStatus(fmi2.DO_STEP_STATUS, byref(number)) == DISCARD
        assert instance.GetStatus(99, byref(value)) == ERROR
        assert instance.messages[0].status == ERROR and instance.messages[0].category == b"logError"
        assert "fmi2DoStep" in instance.messages[0].text and "finite" in instance.messages[0].text
        assert "finite" in instance.get("solver.message").decode()

        # the values are those of a run that ended there
        with Instance(sled) as other:
            other.start(explode=500.0)
            assert other.step(0.0, 0.25) == OK
            n = round((reached - 0.25) / 1e-3)
            assert other.step(0.25, n * 1e-3) == OK
            for name in ("sled.x", "sled.velocity_x", "energy.kinetic", "floor.normal_percussion",
                         "solver.iterations", "solver.residual"):
                assert instance.get(name) == other.get(name), name

        # go on with small steps, though not for ever
        assert instance.step(reached, 1e-6) == OK
        assert instance.step(reached + 1e-6, 0.5) == ERROR
        assert instance.get("time") == pytest.approx(reached + 1e-6, rel=1e-12)
        # back to the good state, without the cause
        assert instance.SetFMUstate(good) == OK
        assert instance.GetStatus(fmi2.DO_STEP_STATUS, byref(value)) == OK and value.value == OK
        assert instance.set(explode=0.0) == OK
        assert instance.step(0.25, 0.75) == OK
        instance.release(good)


@pytest.mark.parametrize("scheme", [1, 3, 4, 5, 6, 7])  # generalized_alpha needs no more than one
def test_solver_that_gives_up_leaves_everything_as_it_was(pack, scheme):
    """One iteration is not enough for two nonlinear springs; a smaller step is linear enough."""
    with Instance(pack(TAUT)) as instance:
        instance.start(solver__maximum_iterations=1, solver__tolerance=1e-12,
                       solver__scheme=scheme, spring__stiffness=1e9)
        state = instance.save()
        assert instance.step(0.0, 0.05) == ERROR  # no part of it: a host must not try it for ever
        assert instance.messages[-1].category == b"logError"
        assert "could not be solved" in instance.last_message()
        # nothing but the count of failures has changed
        counts = [instance.get(n) for n in ("time", "solver.failed_steps", "mass.x",
                                            "mass.velocity_y")]
        assert counts == [0.0, 1, 1.0, 30.0]
        # FMI: from the error state only back to a state saved before, there with another step
        assert instance.step(0.0, 1e-9) == ERROR
        assert instance.SetFMUstate(state) == OK
        instance.release(state)
        assert instance.step(0.0, 1e-9) == OK, instance.last_message()
        assert instance.real_status() == (OK, 1e-9)
    with Instance(pack(TAUT)) as instance:  # with iterations it needs no excuse
        instance.start(solver__scheme=scheme)
        assert instance.step(0.0, 0.05) == OK
        assert instance.get("solver.iterations") > 1


def test_status_without_failure(sled):
    with Instance(sled) as instance:
        instance.start()
        value = c_int(-1)
        assert instance.GetStatus(fmi2.DO_STEP_STATUS, byref(value)) == OK and value.value == OK
        instance.steps(0.0, 0.01, 3)
        assert instance.GetStatus(fmi2.DO_STEP_STATUS, byref(value)) == OK and value.value == OK
        assert instance.real_status() == (OK, pytest.approx(0.03))
        assert instance.Terminate() == OK
        assert instance.real_status() == (OK, pytest.approx(0.03))


def test_canceled_step(sled):
    """Another thread cancels; the state before can be restored, or the instance reset."""
    with Instance(sled) as instance:
        instance.start(solver__step_size=1e-7, push=14.0)
        state = instance.save()
        results = []
        thread = threading.Thread(target=lambda: results.append(instance.step(0.0, 90.0)))
        thread.start()
        value = c_int(-1)
        while value.value != PENDING:
            assert instance.GetStatus(fmi2.DO_STEP_STATUS, byref(value)) == OK
        text = c_char_p()
        assert instance.GetStringStatus(fmi2.PENDING_STATUS, byref(text)) == OK and text.value
        assert instance.real_status() == (OK, 0.0)  # of the last step that is complete
        assert instance.CancelStep() == OK
        thread.join()
        assert results == [DISCARD]
        status, reached = instance.real_status()
        assert status == OK and 0.0 <= reached < 90.0
        assert instance.get("sled.velocity_x") == pytest.approx(2.0 * reached, rel=1e-9, abs=1e-12)
        assert instance.step(reached, 1e-3) == ERROR  # not from a canceled step
        assert instance.SetFMUstate(state) == OK
        assert instance.step(0.0, 1e-3) == OK
        assert instance.get("sled.velocity_x") == pytest.approx(2e-3, rel=1e-9)
        instance.release(state)
