"""The Python package: motions step by step, states as bytes, threads, forks and interruptions."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import tools

import clatter

PUSHER = tools.MODELS / "parcel_pusher.xml"


@pytest.fixture(scope="module")
def pusher():
    return clatter.Model(PUSHER)


@pytest.fixture
def moving(pusher):
    simulation = pusher.start()
    for _ in range(100):
        simulation.step([30.0])
    return simulation


def test_steps_are_the_rows_of_a_whole_motion(pusher):
    whole = pusher.simulate(0.3, parameters={"drive_force": 20})
    simulation = pusher.start(outputs=["parcel.x", "carriage.velocity_x"])
    simulation.reset({"drive_force": 20})
    rows = np.array([simulation.step() for _ in range(300)])
    assert np.array_equal(rows[:, 0], whole["parcel.x"].values[1:])
    assert np.array_equal(rows[:, 1], whole["carriage.velocity_x"].values[1:])
    assert simulation.time == pytest.approx(0.3)


def test_intervals_and_durations(pusher):
    simulation = pusher.start(interval=0.02)
    simulation.step()
    assert simulation.time == pytest.approx(0.02)
    simulation.step(duration=0.005)
    assert simulation.time == pytest.approx(0.025)
    for duration in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(clatter.ValueRefusedError):
            simulation.step(duration=duration)
    assert simulation.time == pytest.approx(0.025)


def test_inputs_stay_until_they_are_set_again(moving):
    copy = pickle.loads(pickle.dumps(moving))
    first = moving.step({"drive_force": 5.0})
    assert np.array_equal(copy.step(5.0), first)
    assert np.array_equal(moving.step(), copy.step([5.0]))
    assert moving["drive_force"] == 5.0
    moving["drive_force"] = -3
    copy.step(-3)
    assert np.array_equal(moving.step()[:3], copy.observe()[:3])


def test_single_variables(moving):
    assert moving["push_contact.closed"] is True
    assert moving["table_contact_front.state"] in ("open", "slip", "stick")
    assert isinstance(moving["solver.steps"], int)
    assert moving["solver.scheme"] == "moreau_jean"
    with pytest.raises(clatter.VariableError, match="did you mean 'parcel.x'"):
        moving["parcell.x"]
    with pytest.raises(clatter.VariableError, match="neither an input nor a tunable"):
        moving["parcel.x"] = 1
    with pytest.raises(clatter.VariableError, match="fixed parameter"):
        moving["parcel_mass"] = 1


@pytest.mark.parametrize("inputs, what", [
    ([1.0, 2.0], "expected 1 inputs"), ([], "expected 1 inputs"), ([[1.0]], "expected 1 inputs"),
    ([float("nan")], "drive_force cannot be"), ([99.0], "outside"),
    ({"drive": 1}, "did you mean 'drive_force'"), ({"parcel.x": 1}, "neither an input")])
def test_wrong_inputs(moving, inputs, what):
    before = moving.state()
    with pytest.raises(clatter.ClatterError, match=what):
        moving.step(inputs)
    assert moving.state() == before


def test_inputs_of_another_kind(moving):
    with pytest.raises((TypeError, ValueError)):
        moving.step(["strong"])


def test_state_and_restore(moving):
    state = moving.state()
    ahead = [moving.step([10.0 * i]) for i in range(-4, 4)]
    moving.restore(state)
    again = [moving.step([10.0 * i]) for i in range(-4, 4)]
    assert np.array_equal(ahead, again)
    other = moving.model.start()
    other.restore(pickle.loads(pickle.dumps(state)))
    assert np.array_equal(other.step([-40.0]), ahead[0])


def test_states_that_are_none(moving):
    state = moving.state()
    leg = clatter.Model(tools.MODELS / "hopping_leg.xml").start()
    for wrong in (b"", b"nonsense", state[:-1], state[:60] + b"\1" + state[61:], leg.state()):
        with pytest.raises(clatter.ValueRefusedError, match="restored|not a state"):
            moving.restore(wrong)
    with pytest.raises(TypeError):
        moving.restore("text")
    assert moving.state() == state


def test_reset(moving):
    start = moving.reset()
    assert moving.time == 0.0
    assert np.array_equal(start, moving.model.start().observe())
    moving.reset({"parcel_mass": 1.0})
    assert moving["parcel_mass"] == 1.0
    moving.reset()
    assert moving["parcel_mass"] == 2.0


def test_a_start_that_is_refused_can_be_mended():
    simulation = clatter.Model(tools.mechanism(
        '<parameter name="m" value="1"/><point_mass name="a" mass="m"/>')).start()
    with pytest.raises(clatter.StartError):
        simulation.reset({"m": -1})
    with pytest.raises(clatter.ValueRefusedError, match="no start yet"):
        simulation.step()
    simulation.reset({"m": 2})
    simulation.step()


def test_after_a_failed_step():
    simulation = clatter.Model(tools.mechanism(
        '<point_mass name="a" mass="1"/><force name="f" on="a" x="sqrt(0.5 - t)"/>')).start()
    with pytest.raises(clatter.StepError) as caught:
        simulation.step(duration=1.0)
    assert caught.value.time == simulation.time == pytest.approx(0.5)
    assert simulation["a.x"] > 0
    with pytest.raises(clatter.StepError):
        simulation.step()
    simulation.reset()
    simulation.step()


def test_derivatives(pusher):
    with pusher.start(parameters={"drive_force": 3.0}) as simulation:
        found = simulation.directional_derivative("carriage.acceleration_x", {"drive_force": 2.0})
        assert found == {"carriage.acceleration_x": pytest.approx(2.0)}
        assert simulation.derivatives("carriage.velocity_x") == {
            "carriage.velocity_x": pytest.approx(3.0)}
        with pytest.raises(clatter.VariableError):
            simulation.directional_derivative("parcel.x", {"parcel.x": 1.0})
    with pytest.raises(clatter.ClatterError, match="closed"):
        simulation.step()
    with pytest.raises(clatter.ClatterError, match="closed"):
        simulation["parcel.x"]
    simulation.close()  # again: nothing


def test_statistics(moving):
    statistics = moving.statistics
    assert statistics["steps"] == 100 and statistics["failed_steps"] == 0
    assert 0 <= statistics["worst_residual"] < 1e-6


def test_two_threads_cannot_be_in_one_simulation():
    simulation = clatter.Model(PUSHER).start()
    thread = threading.Thread(target=lambda: simulation.step(duration=3.0))
    thread.start()
    refused = 0
    while thread.is_alive():
        try:
            simulation.observe()
        except clatter.ClatterError as error:
            assert "another thread" in str(error)
            refused += 1
        time.sleep(1e-3)
    thread.join()
    assert refused > 0
    assert simulation.time == pytest.approx(3.0)


def test_interrupted(pusher):
    """Ctrl-C ends a long motion within its internal step; the model can be used afterwards."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        pusher.simulate(1e5, interval=1e3, outputs="parcel.x")
    assert time.process_time() - began < 20
    assert len(pusher.simulate(0.01)["time"]) == 11


def test_after_a_fork(moving):
    """The child has a copy of its own."""
    wanted = pickle.loads(pickle.dumps(moving)).step([3.0])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, moving.step([3.0]).tobytes())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert np.array_equal(np.frombuffer(pipe.read()), wanted)
    assert np.array_equal(moving.step([3.0]), wanted)


def test_threads_run_in_parallel_without_the_lock_of_python(pusher):
    """While one thread simulates, Python goes on in another."""
    thread = threading.Thread(target=lambda: pusher.simulate(20.0, outputs="parcel.x"))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(1e-3)
    thread.join()
    assert turns > 10
