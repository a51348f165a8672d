"""Which runs a sweep makes: the values of every run, in an order that never changes.

A grid is the product of its values, the last parameter varying fastest; samples are a list of runs.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# Columns and dimensions that every result of a sweep has; parameters cannot be called so.
RESERVED = ("run", "status", "reason", "time_reached")


@dataclass(frozen=True)
class Plan:
    """columns: the values of each parameter (n_runs); axes: of a grid, the values along each
    dimension and the parameters that follow it."""

    columns: dict[str, np.ndarray]
    n_runs: int
    axes: tuple[Axis, ...] | None = None

    def values_of(self, runs: np.ndarray) -> dict[str, np.ndarray]:
        return {name: column[runs] for name, column in self.columns.items()}

    def digest(self) -> str:
        """Of names, order and every bit of the values."""
        digest = hashlib.sha256()
        for name, column in self.columns.items():
            data = column.tobytes() if column.dtype.kind == "f" else repr(column.tolist()).encode()
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
        shape = None if self.axes is None else [len(axis.values) for axis in self.axes]
        digest.update(repr((self.n_runs, shape)).encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class Axis:
    """One dimension of a grid. All its parameters have the same values; the first names it."""

    names: tuple[str, ...]
    values: np.ndarray


def make_plan(runs: Any) -> Plan:
    """A mapping from names to values is a grid; a list of mappings or a DataFrame are samples."""
    if hasattr(runs, "columns") and hasattr(runs, "to_dict"):  # a DataFrame
        return plan_samples({str(name): runs[name].to_numpy() for name in runs.columns}, len(runs))
    if isinstance(runs, Mapping):
        return plan_grid(runs)
    if isinstance(runs, np.ndarray) and runs.dtype.names:
        return plan_samples({name: runs[name] for name in runs.dtype.names}, len(runs))
    if isinstance(runs, Sequence) and not isinstance(runs, str):
        return plan_list(runs)
    raise TypeError(
        "the runs of a sweep are a mapping from names to values (a grid), a DataFrame with a column "
        "for each parameter, or a list of mappings (samples); an array without names has to become "
        f"one of them, such as pandas.DataFrame(array, columns=names). This is a {type(runs).__name__}"
    )


def plan_grid(grid: Mapping[Any, Any]) -> Plan:
    axes = tuple(Axis(names_of(key), column_of(values, key)) for key, values in grid.items())
    names = [name for axis in axes for name in axis.names]
    check_names(names)
    for axis in axes:
        if len(axis.values) == 0:
            raise ValueError(f"the grid has no values for {axis.names[0]}")
        if len(set(axis.values.tolist())) < len(axis.values):
            raise ValueError(f"the grid has a value of {axis.names[0]} more than once")
    n_runs = math.prod(len(axis.values) for axis in axes)
    meshes = np.meshgrid(*(np.arange(len(axis.values)) for axis in axes), indexing="ij")
    columns = {
        name: axis.values[mesh.ravel()]
        for axis, mesh in zip(axes, meshes, strict=True)
        for name in axis.names
    }
    return Plan(columns, n_runs, axes)


def plan_samples(columns: Mapping[str, Any], n_runs: int) -> Plan:
    check_names(list(columns))
    return Plan({name: column_of(values, name) for name, values in columns.items()}, n_runs)


def plan_list(runs: Sequence[Any]) -> Plan:
    for n, run in enumerate(runs):
        if not isinstance(run, Mapping):
            raise TypeError(f"run {n} of the samples is no mapping from names to values: {run!r}")
        if set(run) != set(runs[0]):
            differing = ", ".join(sorted(str(name) for name in set(run) ^ set(runs[0])))
            raise ValueError(
                f"run {n} of the samples does not set the same parameters as run 0: {differing}"
            )
    names = list(runs[0]) if len(runs) > 0 else []
    return plan_samples({name: [run[name] for run in runs] for name in names}, len(runs))


def names_of(key: Any) -> tuple[str, ...]:
    """A key is a name, or a tuple of names that all take the same values."""
    names = key if isinstance(key, tuple) else (key,)
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{key!r} is neither the name of a parameter nor a tuple of names")
    return names


def check_names(names: Sequence[str]) -> None:
    for n, name in enumerate(names):
        if not isinstance(name, str):
            raise TypeError(f"{name!r} is not the name of a parameter")
        if name in names[:n]:
            raise ValueError(f"{name} is varied twice")
        if name in RESERVED:
            raise ValueError(
                f"a sweep has a column {name} of its own: the parameter needs another name"
            )


def column_of(values: Any, name: Any) -> np.ndarray:
    """Numbers as float64, words as they are."""
    if isinstance(values, str | Mapping) or np.ndim(values) != 1:
        raise TypeError(f"the values of {name} are no list of numbers or words: {values!r}")
    array = np.asarray(values if hasattr(values, "dtype") else list(values))
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    words = np.asarray(values, dtype=object)
    if all(isinstance(word, str) for word in words):
        return words
    raise TypeError(f"the values of {name} are neither all numbers nor all words")
