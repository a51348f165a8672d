"""clatter.sweep: many runs of a model with other parameters, on all cores or on a cluster."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import cloudpickle
import numpy as np

from clatter import _inputs, _library
from clatter._errors import ValueRefusedError
from clatter._sweep_dask import DaskWorkers
from clatter._sweep_driver import Ledger, ThisProcess, Workers, make_runs
from clatter._sweep_plan import Plan, make_plan
from clatter._sweep_pool import ProcessPool
from clatter._sweep_progress import Report, reporter
from clatter._sweep_reduce import Reduction, code_identity
from clatter._sweep_result import dataset_of
from clatter._sweep_rows import join_rows
from clatter._sweep_store import Store
from clatter._sweep_worker import Task
from clatter.model import Model, plan_times

if TYPE_CHECKING:
    import xarray

    from clatter.mechanism import Mechanism


def sweep(
    model: Model | Mechanism | str | os.PathLike[str],
    runs: Any,
    *,
    stop: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Any = None,
    outputs: str | Iterable[str] | None = None,
    interval: float | None = None,
    reduce: str | Sequence[str] | Callable[..., Any] = "final",
    processes: int | None = None,
    cluster: Any = None,
    store: str | os.PathLike[str] | None = None,
    seed: int = 0,
    progress: bool | Report | None = None,
) -> xarray.Dataset:
    """Simulates a model with many sets of parameters and keeps of each run what reduce makes of it.

    runs: a grid, that is a mapping from names to values, every combination of which is run; or
    samples: a DataFrame with a column for each parameter, or a list of mappings. A key of a grid may
    be a tuple of names that take the same values.
    stop, parameters, inputs, outputs, interval: as in Model.simulate, the same for all runs. inputs
    may also be a function of the run's parameters and of a random generator of the run's own.
    reduce: final, min, max, mean (over time) or motion (all of it), a list of these, or a function
    of the run's Dataset that returns a number, an array of numbers, a text, a mapping of them, a
    DataArray or a Dataset.
    processes: on this machine; default: one for each core; 0: none but this one.
    cluster: instead, the address of a Dask scheduler, a distributed.Client or a Dask cluster.
    store: a folder that keeps finished runs. The same call again makes those that are missing.
    seed: of the random generators of inputs.
    progress: a bar (None: where a person sees it), or a function of three numbers: runs that are
    done, all runs, runs that failed.

    Returns a Dataset with the dimensions of the grid, or with the dimension run. Failed runs have
    NaN, and say why in status, reason and time_reached.
    """
    if processes is not None and (processes < 0 or cluster is not None):
        raise ValueRefusedError("processes: expected a number of them, 0 or more, and no cluster")
    if not isinstance(model, Model):
        model = Model(model)
    plan = make_plan(runs)
    task = make_task(model, plan, stop, parameters, inputs, outputs, interval, reduce, seed)
    kept = Store(store, manifest_of(model, task, plan), plan) if store is not None else None
    ledger = Ledger(plan, kept, reporter(progress))
    try:
        if len(ledger.missing):
            make_runs(ledger, workers_for(task, processes, cluster, len(ledger.missing)))
        rows = join_rows(ledger.parts, plan.n_runs)
        if not rows.columns:  # no run went well
            expected = task.reduction.numbers(model.variables.match(task.outputs))
            rows.columns = {name: np.full(plan.n_runs, np.nan) for name in expected}
            rows.dims = dict.fromkeys(expected, ())
    except KeyboardInterrupt as interrupt:
        interrupt.add_note(ledger.summary())
        raise
    finally:
        ledger.close()
    about = {"model": model.name, "guid": model.guid, "clatter": task.version}
    return dataset_of(plan, rows, model.variables, about)


def make_task(
    model: Model,
    plan: Plan,
    stop: float | None,
    parameters: Mapping[str, Any] | None,
    inputs: Any,
    outputs: str | Iterable[str] | None,
    interval: float | None,
    reduce: Any,
    seed: int,
) -> Task:
    """What can be wrong in all runs is refused here, before the first one."""
    fixed = dict(parameters or {})
    for name in fixed:
        if name in plan.columns:
            raise ValueRefusedError(f"{name} is varied, so that it cannot have a fixed value, too")
    _inputs.to_numbers(model.variables, fixed)
    for name, column in plan.columns.items():
        words = column.dtype == object
        _inputs.to_numbers(
            model.variables, {name: column[0] if words else 0.0} if len(column) else {}
        )
        for word in set(column) if words else ():
            model.variables[name].to_number(word)
    stop = model.stop_time if stop is None else float(stop)
    plan_times(model.start_time, stop, 1.0 if interval is None else float(interval))
    if not callable(inputs):
        ends = np.array([model.start_time, stop])
        _inputs.plan(model.variables, inputs, ends, max(stop - model.start_time, 1e-9), linear=True)
    read = tuple(model._choose_outputs(outputs))
    reduction = Reduction(reduce, list(plan.columns))
    clash = next(
        (name for name in read if name in plan.columns and reduction.function is None), None
    )
    if clash is not None:
        raise ValueRefusedError(
            f"{clash} is varied: the result has it already, it can be no output"
        )
    return Task(
        model._texts,
        model.guid,
        _library.version(),
        stop,
        interval,
        read,
        fixed,
        inputs,
        reduction,
        seed,
    )


def manifest_of(model: Model, task: Task, plan: Plan) -> dict[str, Any]:
    """All that the values of the result depend on, as texts to compare and to read."""
    return {
        "clatter": task.version,
        "model": f"{model.name} {model.guid}",
        "runs": plan.n_runs,
        "varied": ", ".join(plan.columns),
        "values": plan.digest(),
        "parameters": json.dumps(task.parameters, default=float),
        "stop": task.stop,
        "interval": task.interval,
        "inputs": identity(task.inputs),
        "seed": task.seed if callable(task.inputs) else None,
        "outputs": ", ".join(task.outputs),
        "reduce": task.reduction.identity(),
    }


def identity(inputs: Any) -> str:
    if inputs is None:
        return "none"
    if callable(inputs):
        return code_identity(inputs)
    return hashlib.sha256(cloudpickle.dumps(inputs)).hexdigest()


def workers_for(task: Task, processes: int | None, cluster: Any, n_runs: int) -> Workers:
    if cluster is not None:
        return DaskWorkers(task, cluster)
    if processes == 0:
        return ThisProcess(task)
    n = len(os.sched_getaffinity(0)) if processes is None else processes
    return ProcessPool(task, min(n, n_runs))
