"""Inputs as users give them, as rows of numbers at the times of a simulation.

Steps end at the times of the result and where a table kinks, jumps or changes, so that each step
sees straight lines, or constants. A table that is finer than the steps, and a function, are taken at
the ends of steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clatter._errors import ValueRefusedError, VariableError
from clatter._library import Floats
from clatter.variables import Variable, Variables

NEAR = 1e-9  # relative; times that differ by less are the same: 0.1 + 0.2 is 0.3


@dataclass(frozen=True)
class Segment:
    """A part of the motion in which no input jumps; the last row is the next segment's first."""

    times: Floats
    values: Floats  #: (n_times x n_inputs)
    wanted: Any  #: (n_times) is the row one of the result?


@dataclass(frozen=True)
class Table:
    """Values over the time; two equal times are a jump."""

    times: Floats
    values: Floats
    linear: bool  #: else the value of a row holds until the next

    def breaks(self) -> Floats:
        """Times at which it is no straight line, or no constant."""
        changes = np.diff(self.values) != 0
        if not self.linear:
            return np.asarray(self.times[1:][changes])
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.diff(self.values) / np.diff(self.times)
        kinks = np.concatenate(([0.0], slopes, [0.0]))
        return np.asarray(self.times[~(np.abs(np.diff(kinks)) <= NEAR * np.abs(kinks).max(initial=0.0))])

    def jumps(self) -> Floats:
        return np.asarray(self.times[1:][np.diff(self.times) == 0] if self.linear else [], float)

    def sample(self, times: Floats, before: bool) -> Floats:
        """Its values at the times; before: those before a jump, else those after it."""
        near = NEAR * np.maximum(1.0, np.abs(times))
        if not self.linear or not before:
            row = np.searchsorted(self.times, times + near, side="right") - 1
        else:
            row = np.searchsorted(self.times, times - near, side="left") - 1
        last = len(self.times) - 1
        start = np.clip(row, 0, last)
        if not self.linear:
            return self.values[start]
        end = np.clip(row + 1, 0, last)
        length = self.times[end] - self.times[start]
        part = np.divide(times - self.times[start], length, out=np.zeros(len(times)),
                         where=length > 0)
        share = np.clip(part, 0.0, 1.0)
        return np.asarray((1 - share) * self.values[start] + share * self.values[end])


def plan(variables: Variables, inputs: Any, times: Floats, step: float,
         linear: bool) -> tuple[list[Variable], list[Segment]]:
    """The inputs, and the parts of a motion whose results are wanted at the times."""
    signals = name_signals(inputs)
    chosen = [find_input(variables, name) for name in signals]
    sources = [read_signal(variable, signal, linear)
               for variable, signal in zip(chosen, signals.values())]
    grid, wanted = refine(times, [source for source in sources if isinstance(source, Table)], step)
    jumps = [source.jumps() for source in sources if isinstance(source, Table)]
    inside = np.unique(np.concatenate([grid[:0], *jumps]))
    inside = inside[(inside > grid[0] + NEAR) & (inside < grid[-1] - NEAR)]
    ends = [0, *(int(np.abs(grid - t).argmin()) for t in inside), len(grid) - 1]
    segments = []
    for first, last in zip(ends, ends[1:] if len(grid) > 1 else [0]):
        part = slice(first, last + 1)
        values = np.empty((last + 1 - first, len(chosen)))
        for column, (variable, source) in enumerate(zip(chosen, sources)):
            values[:, column] = sample(variable, source, grid[part])
            check_range(variable, values[:, column], grid[part])
        segments.append(Segment(grid[part], values, wanted[part]))
    return chosen, segments


def refine(times: Floats, tables: list[Table], step: float) -> tuple[Floats, Any]:
    """The times and those at which steps have to end besides; which of them are the former."""
    more = [times[:0]]
    for table in tables:
        breaks = table.breaks()
        breaks = breaks[(breaks > times[0]) & (breaks < times[-1])]
        if len(breaks) > 2 * (times[-1] - times[0]) / step:
            breaks = times[0] + step * np.arange(1, int((times[-1] - times[0]) / step) + 1)
            more.append(table.jumps())
        more.append(breaks)
    added = np.unique(np.concatenate(more))
    added = added[(added > times[0]) & (added < times[-1])]
    grid = np.concatenate((times, added))
    order = np.argsort(grid, kind="stable")  # of equal times, that of the result comes first
    grid, wanted = grid[order], order < len(times)
    keep = np.ones(len(grid), dtype=bool)
    near = NEAR * np.maximum(1.0, np.abs(grid))
    for i in np.flatnonzero(~wanted):
        keep[i] = not (grid[i] - grid[i - 1] <= near[i] or grid[i + 1] - grid[i] <= near[i])
    return grid[keep], wanted[keep]


def sample(variable: Variable, source: Any, times: Floats) -> Floats:
    """Of a segment: after a jump at its start, before one at its end."""
    if isinstance(source, Table):
        values = source.sample(times, before=True)
        values[0] = source.sample(times[:1], before=False)[0]
        return values
    if callable(source):
        return np.array([variable.to_number(source(float(t))) for t in times])
    return np.full(len(times), float(source))


def find_input(variables: Variables, name: str) -> Variable:
    variable = variables[name]
    tunable = variable.causality == "parameter" and variable.variability == "tunable"
    if variable.causality != "input" and not tunable:
        raise VariableError(f"'{name}' is neither an input nor a tunable parameter: it is a "
                            f"{variable.variability} {variable.causality}")
    return variable


def name_signals(inputs: Any) -> Mapping[str, Any]:
    """Tables are taken apart into their columns; the time is the index or the column "time"."""
    if inputs is None:
        return {}
    if isinstance(inputs, Mapping) and not hasattr(inputs, "data_vars"):
        return inputs
    if hasattr(inputs, "data_vars"):  # an xarray Dataset
        return {str(name): (inputs[name]["time"].values, inputs[name].values)
                for name in inputs.data_vars}
    if hasattr(inputs, "columns"):  # a pandas DataFrame
        times = inputs["time"] if "time" in inputs.columns else inputs.index
        return {str(name): (np.asarray(times), inputs[name].to_numpy())
                for name in inputs.columns if name != "time"}
    raise TypeError("inputs are a mapping of names, a pandas DataFrame or an xarray Dataset, not "
                    f"{type(inputs).__name__}")


def read_signal(variable: Variable, signal: Any, linear: bool) -> Any:
    """A number, a function or a table."""
    if callable(signal):
        return signal
    if hasattr(signal, "coords") and hasattr(signal, "values"):  # an xarray DataArray
        signal = (signal["time"].values, signal.values)
    elif hasattr(signal, "index") and hasattr(signal, "to_numpy"):  # a pandas Series
        signal = (np.asarray(signal.index), signal.to_numpy())
    if not isinstance(signal, tuple):
        return variable.to_number(signal)
    is_linear = linear and variable.type == "real" and variable.causality == "input"
    return read_table(variable, signal, is_linear)


def read_table(variable: Variable, table: Any, linear: bool) -> Table:
    if len(table) != 2:
        raise ValueRefusedError(f"{variable.name}: expected (times, values), got {len(table)} parts")
    t, values = (np.asarray(part) for part in table)
    if values.dtype.kind in "USO":
        values = np.array([variable.to_number(value) for value in values])
    t, values = t.astype(float), values.astype(float)
    if t.ndim != 1 or t.shape != values.shape:
        raise ValueRefusedError(f"{variable.name}: times have the shape {t.shape}, values "
                                f"{values.shape}; expected one value for each time")
    if len(t) == 0:
        raise ValueRefusedError(f"{variable.name}: the table is empty")
    if not (np.isfinite(t).all() and np.isfinite(values).all()):
        raise ValueRefusedError(f"{variable.name}: the table has numbers that are not finite")
    steps = np.diff(t)
    wrong = (steps < 0) | ((steps == 0) & np.concatenate(([False], steps[:-1] == 0)))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0]) + 1
        raise ValueRefusedError(f"{variable.name}: times have to rise, or to come twice for a jump; "
                                f"that of row {row} does not")
    return Table(t, values, linear)


def check_range(variable: Variable, values: Floats, times: Floats) -> None:
    wrong = np.flatnonzero(~((values >= variable.min) & (values <= variable.max)))
    if len(wrong) > 0:
        i = wrong[0]
        raise ValueRefusedError(f"{variable.name} = {values[i]:g} at t = {times[i]:g} s is outside "
                                f"of {variable.min:g} to {variable.max:g}")


def to_numbers(variables: Variables, values: Mapping[str, Any]) -> tuple[list[int], list[float]]:
    """Indices and numbers of parameters and inputs to be set."""
    chosen = [variables[name] for name in values]
    for variable in chosen:
        if not variable.can_be_set:
            raise VariableError(f"'{variable.name}' cannot be set: it is "
                                f"{describe(variable)}, neither a parameter nor an input")
    return ([variable.index for variable in chosen],
            [variable.to_number(value) for variable, value in zip(chosen, values.values())])


def describe(variable: Variable) -> str:
    article = "an" if variable.causality[0] in "aeiou" else "a"
    return f"{article} {variable.causality}"
