"""FMU states: rollback and restoring elsewhere, bit for bit; damaged bytes are refused."""

import random
from ctypes import byref, c_char, c_size_t, c_void_p

import pytest

import tools
from fmi2 import ERROR, OK, Instance


def run_on(instance, t, n=60):
    """Steps with input changes on the way; every value after every step."""
    seen = []
    for i in range(n):
        instance.set(push=float(i % 7) - 3.0)
        instance.slope("push", float(i % 3))
        assert instance.step(t + i * 0.01, 0.01) == OK
        seen.append(instance.snapshot())
    return seen


@pytest.mark.parametrize("at", [0.0, 0.2, 0.47])
def test_rollback_bit_for_bit(bowl, at):
    with Instance(bowl) as instance:
        instance.start()
        if at > 0:
            assert instance.step(0.0, at) == OK
        instance.set(push=1.5)
        instance.slope("push", 4.0)
        state = instance.save()
        here = instance.snapshot()
        first = run_on(instance, at)
        instance.set(wall_0__friction_coefficient=0.9)
        assert instance.SetFMUstate(state) == OK
        assert instance.snapshot() == here
        assert run_on(instance, at) == first
        instance.Terminate()
        assert instance.SetFMUstate(state) == OK
        assert run_on(instance, at) == first
        instance.Reset()
        assert instance.SetFMUstate(state) == OK
        assert run_on(instance, at) == first
        instance.release(state)


def test_restored_input_slopes_go_on(bowl):
    """Without setting anything again after the restore."""
    with Instance(bowl) as instance:
        instance.start()
        instance.set(push=1.0)
        instance.slope("push", 100.0)
        assert instance.step(0.0, 0.1) == OK
        state = instance.save()
        instance.steps(0.1, 0.1, 3)
        expected = instance.snapshot()
        instance.set(push=0.0)
        instance.slope("push", 0.0)
        assert instance.SetFMUstate(state) == OK
        instance.steps(0.1, 0.1, 3)
        assert instance.snapshot() == expected
        instance.release(state)


def test_state_in_initialization_mode_and_before(bowl):
    with Instance(bowl) as instance:
        fresh = instance.save()
        instance.SetupExperiment(0, 0.0, 1.0, 1, 2.0)
        instance.EnterInitializationMode()
        instance.set(push=3.0)
        entering = instance.save()
        assert instance.ExitInitializationMode() == OK
        assert instance.step(1.0, 0.5) == OK
        expected = instance.snapshot()
        assert instance.SetFMUstate(entering) == OK
        assert instance.get("push") == 3.0 and instance.get("time") == 1.0
        assert instance.ExitInitializationMode() == OK
        assert instance.step(1.0, 0.5) == OK
        assert instance.snapshot() == expected
        assert instance.step(1.5, 1.0) == ERROR  # the stop time is still that of the experiment
        assert instance.SetFMUstate(fresh) == OK
        instance.start()
        assert instance.get("time") == 0.0 and instance.get("push") == 0.0
        instance.release(fresh)
        instance.release(entering)


def test_stop_time_is_that_of_the_resumed_run(bowl):
    """A state saved at the end of a run goes on in one with a later stop time, or with none."""
    with Instance(bowl) as first:
        first.start(stop=0.5)
        first.steps(0.0, 0.1, 5)
        assert first.step(0.5, 0.1) == ERROR and "stop time" in first.last_message()
        data = first.serialize()
    for stop in (None, 0.7):
        with Instance(bowl) as second:
            if stop is not None:
                second.start(stop=stop)
            status, state = second.deserialize(data)
            assert status == OK and second.SetFMUstate(state) == OK
            second.release(state)
            second.steps(0.5, 0.1, 2)
            assert second.step(0.7, 0.1) == (ERROR if stop else OK)


# A free body whose inertia is positive definite as it is, but not with a product of inertia of 2.
TOP = tools.mechanism("""
<spatial_body name="top" mass="1" inertia_xx="1" inertia_yy="1" inertia_zz="1"
  initial_angular_velocity_x="1"/>
""", name="top")


@pytest.mark.parametrize("entered", [False, True])
def test_state_from_which_no_motion_can_start(pack, entered):
    """It was saved before that was known: it comes back whole, wherever the instance is by then."""
    def outcome(instance):
        instance.steps(0.0, 0.01, 5)
        return instance.serialize()

    with Instance(pack(TOP)) as instance:
        with Instance(pack(TOP)) as other:
            expected = outcome(other.start())
        if entered:
            assert instance.EnterInitializationMode() == OK
            assert instance.get("top.mass") == 1.0  # the motion has been started once
        assert instance.set(top__inertia_xy=2.0) == OK
        bad = instance.save()
        data = instance.serialize()
        if not entered:
            assert instance.EnterInitializationMode() == OK
        assert instance.ExitInitializationMode() == ERROR
        assert "positive definite" in instance.last_message()
        for where in ("error", "instantiated", "moving"):
            if where == "instantiated":
                assert instance.Reset() == OK
            if where == "moving":
                assert instance.Reset() == OK
                instance.start().steps(0.0, 0.01, 3)
            assert instance.SetFMUstate(bad) == OK, instance.last_message()
            assert instance.serialize() == data
            assert instance.set(top__inertia_xy=0.0) == OK
            if not entered:
                assert instance.EnterInitializationMode() == OK
            assert instance.ExitInitializationMode() == OK
            assert outcome(instance) == expected
        instance.release(bad)


def test_overwriting_a_state_takes_no_new_memory(bowl):
    with Instance(bowl) as instance:
        instance.start()
        state = instance.save()
        address = state.value
        instance.steps(0.0, 0.1, 2)
        assert instance.GetFMUstate(byref(state)) == OK and state.value == address
        expected = instance.snapshot()
        instance.steps(0.2, 0.1, 2)
        assert instance.SetFMUstate(state) == OK
        assert instance.snapshot() == expected
        instance.release(state)
        assert instance.FreeFMUstate(byref(state)) == OK  # freeing nothing is allowed


def test_restore_in_another_instance(bowl):
    with Instance(bowl, name="a") as a, Instance(bowl, name="b") as b:
        a.start()
        a.steps(0.0, 0.1, 4)
        status, state = b.deserialize(a.serialize())
        assert status == OK
        assert b.SetFMUstate(state) == OK
        assert b.serialize() == a.serialize()
        assert run_on(a, 0.4) == run_on(b, 0.4)
        b.release(state)


def test_restore_in_another_process(bowl, tmp_path):
    with Instance(bowl) as instance:
        instance.start()
        instance.set(push=2.0)
        instance.slope("push", -1.0)
        instance.steps(0.0, 0.05, 5)
        (tmp_path / "state").write_bytes(instance.serialize())
        instance.steps(0.25, 0.05, 10)
        expected = instance.serialize()
    code = """
import sys, fmi2
from pathlib import Path
fmu = fmi2.Fmu(sys.argv[1])
with fmi2.Instance(fmu, name="elsewhere") as instance:
    status, state = instance.deserialize(Path(sys.argv[2]).read_bytes())
    assert status == fmi2.OK and instance.SetFMUstate(state) == fmi2.OK
    instance.release(state)
    instance.steps(0.25, 0.05, 10)
    print(instance.serialize().hex())
"""
    assert bytes.fromhex(tools.python(code, bowl.directory, tmp_path / "state")) == expected


def test_equal_states_give_equal_bytes(bowl):
    runs = set()
    for _ in range(3):
        with Instance(bowl) as instance:
            instance.start()
            instance.steps(0.0, 0.1, 3)
            runs.add(instance.serialize())
    assert len(runs) == 1


def test_damaged_bytes_are_refused(bowl):
    random.seed(20)
    with Instance(bowl) as instance:
        instance.start()
        instance.steps(0.0, 0.1, 3)
        data = instance.serialize()
        here = instance.snapshot()
        damaged = [b"", b"x", data[:-1], data[:100], data[:112], data[: len(data) // 2],
                   bytes(len(data)), random.randbytes(len(data)), random.randbytes(10)]
        for _ in range(300):
            copy = bytearray(data)
            copy[random.randrange(len(data))] ^= 1 << random.randrange(8)
            damaged.append(bytes(copy))
        for bad in damaged:
            n = len(instance.messages)
            status, state = instance.deserialize(bad)
            assert status == ERROR and not state.value
            assert len(instance.messages) == n + 1
        assert instance.snapshot() == here
        state = c_void_p()  # a size that lies: no more is read than a state has
        whole = (c_char * len(data)).from_buffer_copy(data)
        assert instance.DeSerializeFMUstate(whole, 2**64 - 1, byref(state)) == OK
        instance.release(state)


def test_state_of_another_model_is_refused(bowl, ball):
    with Instance(bowl) as a, Instance(ball) as b:
        a.start()
        b.start()
        data = b.serialize()
        status, _ = a.deserialize(data)
        assert status == ERROR
        padded, _ = a.deserialize(data + bytes(10_000))
        assert padded == ERROR and "another model" in a.last_message()
        state = b.save()
        before = a.serialize()
        assert a.SetFMUstate(state) == ERROR
        assert a.serialize() == before
        b.release(state)


def test_array_too_small(bowl):
    with Instance(bowl) as instance:
        instance.start()
        state = instance.save()
        size = c_size_t()
        assert instance.SerializedFMUstateSize(state, byref(size)) == OK
        buffer = (c_char * size.value)()
        assert instance.SerializeFMUstate(state, buffer, size.value - 1) == ERROR
        assert bytes(buffer) == bytes(size.value)
        assert instance.SerializeFMUstate(state, buffer, size.value) == OK
        instance.release(state)


SCHEMES = range(1, 10)


def move_with(instance, scheme, steps):
    """Without friction, which Schatzman's and Paoli's scheme refuses."""
    for name in instance.fmu.names("parameter"):
        if name.endswith(".friction_coefficient"):
            assert instance.set_all({name: 0.0}) == OK
    assert instance.set(solver__scheme=scheme) == OK
    instance.start().steps(0.0, 0.01, steps)
    return instance


def start_with(fmu, scheme, steps):
    return move_with(Instance(fmu), scheme, steps)


def test_a_state_brings_its_scheme_along(bowl):
    """Wherever it is restored: bit for bit as in the instance that it was saved in."""
    expected, data = {}, {}
    for scheme in SCHEMES:
        with start_with(bowl, scheme, 20) as instance:
            data[scheme] = instance.serialize()
            expected[scheme] = run_on(instance, 0.2, 20)
    assert len({str(run[-1]) for run in expected.values()}) > 3  # they are different schemes
    for other in SCHEMES:
        with start_with(bowl, other, 7) as instance:
            for scheme in SCHEMES:
                status, state = instance.deserialize(data[scheme])
                assert status == OK and instance.SetFMUstate(state) == OK
                instance.release(state)
                assert instance.get("solver.scheme") == scheme
                assert instance.serialize() == data[scheme]
                assert run_on(instance, 0.2, 20) == expected[scheme]


def test_a_reset_instance_starts_with_any_scheme(bowl):
    with start_with(bowl, 1, 20) as instance:
        for scheme in SCHEMES:
            assert instance.Reset() == OK
            move_with(instance, scheme, 20)
            with start_with(bowl, scheme, 20) as fresh:
                assert instance.serialize() == fresh.serialize()
            assert instance.set(solver__scheme=scheme % 9 + 1) == ERROR  # the motion has begun


@pytest.mark.parametrize("scheme", [0, 10, -1, 2**31 - 1])
def test_a_scheme_that_does_not_exist_is_refused(bowl, scheme):
    with Instance(bowl) as instance:
        assert instance.set(solver__scheme=scheme) == ERROR
        assert "solver.scheme" in instance.last_message()
