"""Where the runs of a sweep are made: in a process of this machine's pool or a Dask worker.

A worker loads a model once, however many runs and sweeps it serves; threads do not share a loaded
model.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clatter import _inputs, _library
from clatter._errors import ClatterError, StepError, ValueRefusedError
from clatter._library import LINEAR, Signals, indices
from clatter._sweep_reduce import Motion, Reduction
from clatter._sweep_rows import OK, Outcome, Rows, SweepError, rows_of
from clatter.model import Model, Texts, plan_times, run_segments

RUNNERS_KEPT = 4  # loaded models in each thread of a worker


@dataclass(frozen=True)
class Task:
    """All that a worker needs to make runs of a sweep, besides their values."""

    texts: Texts  # of the model and the files that it names
    guid: str  # equal models have equal ones
    version: str
    stop: float
    interval: float | None
    outputs: tuple[str, ...]
    parameters: dict[str, Any]  # the same in all runs
    inputs: Any
    reduction: Reduction
    seed: int


@dataclass(frozen=True)
class Chunk:
    """Runs that a worker makes one after the other."""

    runs: np.ndarray
    values: dict[str, np.ndarray]  # (n_runs) of each varied parameter
    n_deaths: int = 0  # workers that died with it

    def divided(self) -> list[Chunk]:
        """Two halves, to find the run that kills its worker; a run by itself stays as it is."""
        halves = np.array_split(np.arange(len(self.runs)), min(2, len(self.runs)))
        return [
            Chunk(
                self.runs[half],
                {name: column[half] for name, column in self.values.items()},
                self.n_deaths + 1 if len(self.runs) == 1 else 0,
            )
            for half in halves
        ]


def run_chunk(task: Task, chunk: Chunk) -> Rows:
    if task.version != _library.version():
        raise SweepError(
            f"a worker has clatter {_library.version()}, but the sweep was started "
            f"with {task.version}"
        )
    began = time.perf_counter()
    runner = loaded_runner(task)
    outcomes = []
    for n, run in enumerate(chunk.runs):
        values = {name: plain(column[n]) for name, column in chunk.values.items()}
        outcomes.append(runner.run(task, int(run), values))
    return rows_of(chunk.runs, outcomes, time.perf_counter() - began)


def plain(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)


class Runner:
    """A model that is loaded and makes one run after the other."""

    def __init__(self, texts: Texts):
        self.model = Model._from_texts(texts)
        self.handle = self.model._idle.pop()  # the one that it was read with

    def run(self, task: Task, run: int, values: dict[str, Any]) -> Outcome:
        """Whatever goes wrong in a run becomes its outcome."""
        try:
            motion = self.record(task, run, values)
        except StepError as error:
            return Outcome("failed", error.message, error.time)
        except (ClatterError, MemoryError) as error:
            return Outcome("refused", str(error), np.nan)
        reached = float(motion.time[-1])
        try:
            return Outcome(OK, "", reached, task.reduction(motion))
        except Exception as error:  # the user's code may raise anything
            return Outcome("reduce_failed", describe(error), reached)

    def record(self, task: Task, run: int, values: dict[str, Any]) -> Motion:
        model, handle = self.model, self.handle
        parameters = task.parameters | values
        inputs = inputs_of_run(task, run, parameters)
        handle.reset()
        chosen, numbers = _inputs.to_numbers(model.variables, parameters)
        handle.set(indices(chosen), np.asarray(numbers, dtype=float))
        step = float(handle.get(indices([model.variables["solver.step_size"].index]))[0])
        interval = step if task.interval is None else task.interval
        times = plan_times(model.start_time, task.stop, interval)
        if task.reduction.needs_only_the_end and inputs is None and len(times) > 2:
            times = times[[0, -2, -1]]  # the last step may be a shorter one, as in Model.simulate
        driven, segments = _inputs.plan(model.variables, inputs, times, step, linear=True)
        read = model.variables.match(task.outputs)
        signals = Signals(
            [variable.index for variable in driven],
            [variable.index for variable in read.values()],
            LINEAR,
        )
        times, results, status = run_segments(handle, signals, segments)
        handle.check(status)
        return Motion(
            times, read, results, lambda: model._dataset(times, read, results, parameters)
        )


def inputs_of_run(task: Task, run: int, parameters: dict[str, Any]) -> Any:
    if not callable(task.inputs):
        return task.inputs
    try:
        return task.inputs(dict(parameters), np.random.default_rng([task.seed, run]))
    except Exception as error:  # the user's code may raise anything
        raise ValueRefusedError(f"inputs raised {describe(error)}") from error


def describe(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"


kept = threading.local()


def loaded_runner(task: Task) -> Runner:
    """Of this thread; the one that was not used for the longest time makes room for another."""
    runners: OrderedDict[str, Runner] = kept.__dict__.setdefault("runners", OrderedDict())
    if task.guid not in runners:
        runners[task.guid] = Runner(task.texts)
    runners.move_to_end(task.guid)
    while len(runners) > RUNNERS_KEPT:
        runners.popitem(last=False)
    return runners[task.guid]
