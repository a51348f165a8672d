"""The Python package: what a step costs beside the step itself.

Steps in bulk (inputs set, outputs read at each of them, all in one call) against the same internal
steps without any of this. Time of the processor, least of several runs in turn: other programs disturb both.
"""

import time

import pytest

import tools

import clatter
from clatter._library import lib

N_STEPS = 4000
LIMIT = 2e-6  # s


def least(*actions, repeats=7):
    """The shortest time of each action, taken in turn."""
    best = [float("inf")] * len(actions)
    for _ in range(repeats):
        for i, action in enumerate(actions):
            began = time.process_time()
            action()
            best[i] = min(best[i], time.process_time() - began)
    return best


@pytest.mark.parametrize("name, outputs", [
    ("parcel_pusher", None), ("parcel_pusher", []), ("hopping_leg", [])])
def test_overhead_in_bulk(name, outputs):
    """With outputs, what the core needs to compute them is counted, too."""
    model = clatter.Model(tools.MODELS / f"{name}.xml")
    step = model.variables["solver.step_size"].start
    first = next(iter(model.inputs.values()))
    constant = (first.min + first.max) / 2

    def simulate():
        model.simulate(N_STEPS * step, inputs={first.name: constant},
                       outputs=outputs)

    def advance():
        simulation = model.start(parameters={first.name: constant})
        lib.clatter_advance(simulation._handle.pointer, N_STEPS * step)
        assert simulation.time == pytest.approx(N_STEPS * step)

    overhead = float("inf")
    for _ in range(6):  # until the machine is quiet
        bulk, bare = least(simulate, advance)
        overhead = min(overhead, (bulk - bare) / N_STEPS)
        if overhead < LIMIT:
            break
    print(f"{name} {outputs}: {1e6 * bare / N_STEPS:.2f} us a step, {1e6 * overhead:.2f} us beside it")
    assert overhead < LIMIT


def test_single_steps_are_cheap():
    """Python's own cost of a step: against the same steps made in bulk."""
    model = clatter.Model(tools.MODELS / "parcel_pusher.xml")
    simulation = model.start(outputs=["parcel.x"])

    def single():
        simulation.reset()
        for _ in range(N_STEPS):
            simulation.step()

    bulk, singly = least(lambda: model.simulate(N_STEPS * 1e-3, outputs="parcel.x"), single)
    overhead = (singly - bulk) / N_STEPS
    print(f"{1e6 * overhead:.2f} us of Python a step")
    assert overhead < 20e-6
