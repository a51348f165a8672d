"""Results of runs as columns, and how they are joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clatter._errors import ClatterError
from clatter._sweep_reduce import Field

OK = "ok"  # status of a run; others: failed, refused, reduce_failed, crashed


class SweepError(ClatterError):
    """A sweep cannot go on: what was finished is in its store, if it has one."""


@dataclass
class Rows:
    """Runs in any order. A column (n_rows x ...) has NaN, or no text, where the run failed."""

    runs: np.ndarray
    status: list[str]
    reason: list[str]
    time_reached: np.ndarray
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    coords: dict[str, np.ndarray] = field(default_factory=dict)
    seconds: float = 0.0  # what it took to make them

    @property
    def n_failed(self) -> int:
        return len(self.status) - self.status.count(OK)


@dataclass(frozen=True)
class Outcome:
    """Of one run."""

    status: str
    reason: str
    time_reached: float
    fields: dict[str, Field] = field(default_factory=dict)


def rows_of(runs: np.ndarray, outcomes: list[Outcome], seconds: float = 0.0) -> Rows:
    rows = Rows(
        runs=np.asarray(runs, dtype=np.int64),
        status=[outcome.status for outcome in outcomes],
        reason=[outcome.reason for outcome in outcomes],
        time_reached=np.array([outcome.time_reached for outcome in outcomes], dtype=np.float64),
        seconds=seconds,
    )
    first = next((n for n, outcome in enumerate(outcomes) if outcome.status == OK), None)
    if first is None:
        return rows
    pattern = outcomes[first].fields
    for n, outcome in enumerate(outcomes):
        if outcome.status == OK:
            check_same_fields(pattern, outcome.fields, int(runs[first]), int(runs[n]))
    for name, example in pattern.items():
        rows.columns[name] = column_of_fields(name, example, outcomes)
        rows.dims[name] = example.dims
        rows.coords.update(example.coords)
    return rows


def column_of_fields(name: str, example: Field, outcomes: list[Outcome]) -> np.ndarray:
    column = blank_column(len(outcomes), example.shape, isinstance(example.data, str))
    for n, outcome in enumerate(outcomes):
        if outcome.status == OK:
            column[n] = outcome.fields[name].data
    return column


def blank_column(n: int, shape: tuple[int, ...], of_words: bool) -> np.ndarray:
    if of_words:
        return np.full(n, "", dtype=object)
    return np.full((n, *shape), np.nan)


def check_same_fields(
    first: dict[str, Field], other: dict[str, Field], first_run: int, other_run: int
) -> None:
    """Of two runs: the same names in the same order, shapes and coordinates."""

    def pattern(fields: dict[str, Field]) -> list[tuple[Any, ...]]:
        return [(name, isinstance(f.data, str), f.dims, f.shape) for name, f in fields.items()]

    same = pattern(first) == pattern(other) and all(
        dim in other[name].coords and np.array_equal(coord, other[name].coords[dim])
        for name, f in first.items()
        for dim, coord in f.coords.items()
    )
    if not same:
        raise SweepError(
            f"reduce returned {describe(first)} for run {first_run} but {describe(other)} for run "
            f"{other_run}: every run must give the same names, shapes and coordinates"
        )


def describe(fields: dict[str, Field]) -> str:
    return ", ".join(
        f"{name} of shape {f.shape}" if f.shape else name for name, f in fields.items()
    )


def join_rows(parts: list[Rows], n_runs: int) -> Rows:
    """All runs in their order. Every run is there once: a run that two parts have is refused."""
    parts = [part for part in parts if len(part.runs)]
    filled = np.concatenate([part.runs for part in parts]) if parts else np.empty(0, np.int64)
    if len(filled) != n_runs or not np.array_equal(np.sort(filled), np.arange(n_runs)):
        raise SweepError("the parts of the sweep do not have every run once")
    order = np.argsort(filled)
    joined = Rows(
        runs=filled[order],
        status=in_order([status for part in parts for status in part.status], order),
        reason=in_order([reason for part in parts for reason in part.reason], order),
        time_reached=np.concatenate([part.time_reached for part in parts] or [np.empty(0)])[order],
    )
    made = [part for part in parts if part.columns]
    for part in made:
        check_same_columns(made[0], part)
    if made:
        joined.dims, joined.coords = made[0].dims, made[0].coords
    for name, example in made[0].columns.items() if made else ():
        blank = blank_column(1, example.shape[1:], example.dtype == object)
        pieces = [
            part.columns.get(name, np.repeat(blank, len(part.runs), axis=0)) for part in parts
        ]
        joined.columns[name] = np.concatenate(pieces)[order]
    return joined


def in_order(items: list[str], order: np.ndarray) -> list[str]:
    return [items[n] for n in order]


def check_same_columns(first: Rows, other: Rows) -> None:
    def fields(rows: Rows) -> dict[str, Field]:
        return {
            name: Field(
                "" if column.dtype == object else column[0],
                rows.dims[name],
                {dim: rows.coords[dim] for dim in rows.dims[name] if dim in rows.coords},
            )
            for name, column in rows.columns.items()
        }

    check_same_fields(fields(first), fields(other), int(first.runs[0]), int(other.runs[0]))
