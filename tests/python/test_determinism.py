"""Contacts that come and go, to the last bit: twice, after a reset, after a restore (in the same
instance at another moment, in another instance, in another process), in threads, and for any split
of the same internal steps, with every scheme. What a snapshot holds may differ in size from moment
to moment, but it brings back all that the motion depends on."""

import hashlib
import inspect
import threading

import pytest

import models
import tools
from fmi2 import OK, Instance

SCHEMES = {"moreau_jean": 1, "generalized_alpha": 2, "moreau_jean_combined": 4,
           "generalized_alpha_velocity": 5, "implicit_newmark": 6, "lobatto": tools.LOBATTO}
STEP, N = 0.01, 60  # communication steps of ten internal ones; 0.6 s from the moment of a snapshot


@pytest.fixture(scope="module", params=["BOWL", "RATTLE", "TUMBLE"])
def fmu(request, pack):
    return pack(getattr(models, request.param))


@pytest.fixture(scope="module", params=SCHEMES)
def scheme(request):
    return SCHEMES[request.param]


def begin(instance, scheme):
    return instance.start(solver__scheme=scheme)


def go_on(instance, first, n=N):
    """All values after each of n communication steps; the input depends on the time alone."""
    seen = []
    for i in range(first, first + n):
        assert instance.set(push=5.0 * (i % 5) - 10.0) == OK
        assert instance.step(i * STEP, STEP) == OK, instance.last_message()
        seen.append(instance.snapshot())
    return seen


def closed(instance):
    """Which contacts are closed now; of those that are found, how many."""
    names = [name for name in instance.fmu.names() if name.endswith(".closed")]
    groups = [name for name in instance.fmu.names() if name.endswith(".contacts")]
    found = [f"{name} {i}" for name in groups for i in range(instance.get(name))]
    return frozenset([name for name in names if instance.get(name)] + found)


@pytest.fixture(scope="module")
def history(fmu, scheme):
    """A run of 2 N steps: values, closed contacts and serialized states along it."""
    with Instance(fmu) as instance:
        begin(instance, scheme)
        values, contacts, states = [], [closed(instance)], [instance.serialize()]
        for i in range(2 * N):
            values += go_on(instance, i, 1)
            contacts.append(closed(instance))
            states.append(instance.serialize())
    return values, contacts, states


def test_contacts_come_and_go(history):
    """Otherwise these tests would say nothing."""
    values, contacts, _ = history
    changes = sum(1 for before, after in zip(contacts, contacts[1:]) if before != after)
    assert changes > 8
    assert max(map(len, contacts)) >= 4
    assert len(set(values)) == len(values)


def test_twice_and_after_a_reset(fmu, scheme, history):
    with Instance(fmu) as instance:
        begin(instance, scheme)
        assert go_on(instance, 0, 2 * N) == history[0]
        assert instance.Reset() == OK
        begin(instance, scheme)
        assert go_on(instance, 0, 2 * N) == history[0]


def moments(contacts):
    """Numbers of steps with few and with many closed contacts, and in between."""
    order = sorted(range(N), key=lambda i: (len(contacts[i]), i))
    return order[0], order[N // 2], order[-1]


def test_restored_at_another_moment(fmu, scheme, history):
    """Snapshots of open contacts are put back while contacts are closed, and the other way round."""
    values, contacts, _ = history
    few, some, many = moments(contacts)
    assert len(contacts[few]) < len(contacts[many])
    with Instance(fmu) as instance:
        begin(instance, scheme)
        states = {}
        for i in range(N):
            if i in (few, some, many):
                states[i] = instance.save()
            go_on(instance, i, 1)
        for at, there in ((many, few), (few, many), (some, few), (some, many), (many, some)):
            assert instance.SetFMUstate(states[at]) == OK
            assert closed(instance) == contacts[at]
            assert instance.SetFMUstate(states[there]) == OK
            assert closed(instance) == contacts[there]
            assert go_on(instance, there, N // 2) == values[there:there + N // 2]
        for state in states.values():
            instance.release(state)


def test_states_are_the_same_bytes(fmu, scheme, history):
    """Serialized again after a restore in an instance that has seen other things."""
    _, contacts, states = history
    with Instance(fmu) as instance:
        begin(instance, scheme)
        go_on(instance, 0, 17)
        for at in moments(contacts):
            status, state = instance.deserialize(states[at])
            assert status == OK and instance.SetFMUstate(state) == OK
            assert instance.serialize() == states[at]
            instance.release(state)


# A process that imports little starts in a tenth of the time.
ELSEWHERE = f"""
import hashlib, sys
import fmi2
from fmi2 import OK
STEP, N = {STEP}, {N}
{inspect.getsource(go_on)}
fmu = fmi2.Fmu(sys.argv[1])
for argument in sys.argv[2:]:
    path, first = argument.split("@")
    with fmi2.Instance(fmu) as instance:  # never started: the state says all
        status, state = instance.deserialize(open(path, "rb").read())
        assert status == OK and instance.SetFMUstate(state) == OK
        values = go_on(instance, int(first))
        print(hashlib.sha256(b"".join(values)).hexdigest())
        instance.release(state)
"""


def test_restored_in_another_process(fmu, scheme, history, tmp_path):
    values, contacts, states = history
    expected, arguments = [], []
    for at in moments(contacts):
        (tmp_path / f"state_{at}").write_bytes(states[at])
        arguments.append(f"{tmp_path}/state_{at}@{at}")
        expected.append(hashlib.sha256(b"".join(values[at:at + N])).hexdigest())
    assert tools.python(ELSEWHERE, fmu.directory, *arguments).split() == expected


def test_threads(fmu, scheme, history):
    """Four at once, each restored to another moment half way through."""
    values, contacts, states = history
    results = {}
    barrier = threading.Barrier(4)

    def work(number):
        with Instance(fmu, name=f"thread_{number}") as instance:
            begin(instance, scheme)
            barrier.wait()
            first = go_on(instance, 0, N)
            at = moments(contacts)[number % 3]
            _, state = instance.deserialize(states[at])
            assert instance.SetFMUstate(state) == OK
            results[number] = first, at, go_on(instance, at, N)
            instance.release(state)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [0, 1, 2, 3]
    for first, at, second in results.values():
        assert first == values[:N]
        assert second == values[at:at + N]


def test_any_split_of_the_same_internal_steps(fmu, scheme):
    """Ten internal steps one by one, or in two communication steps, give what one of ten gives."""
    def run(parts):
        with Instance(fmu) as instance:
            begin(instance, scheme)
            for i in range(N):
                t = i * STEP
                for part in range(parts):
                    assert instance.step(t + part * STEP / parts, STEP / parts) == OK
            names = [name for name in fmu.names() if name.startswith("ball_")
                     and fmu.variables[name].causality in ("output", "local")]
            return [instance.get(name) for name in names]
    assert run(1) == run(2) == run(10)
