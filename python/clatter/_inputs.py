"""Inputs as users give them, as rows of numbers at the times of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from clatter._errors import ValueRefusedError, VariableError
from clatter._library import Floats
from clatter.variables import Variable, Variables

#: One input: a constant, (times, values), a function of time, or a pandas Series or xarray
#: DataArray over the time.
Signal = (float | str | tuple[npt.ArrayLike, npt.ArrayLike] | Callable[[float], float] | Any)


def sample(variables: Variables, inputs: Mapping[str, Signal] | Any | None, times: Floats,
           held: bool) -> tuple[list[Variable], Floats]:
    """The inputs and their values (n_times x n_inputs) at the times."""
    signals = name_signals(inputs)
    chosen = [find_input(variables, name) for name in signals]
    values = np.empty((len(times), len(chosen)))
    for column, (variable, signal) in enumerate(zip(chosen, signals.values())):
        values[:, column] = sample_one(variable, signal, times, held)
        check_range(variable, values[:, column], times)
    return chosen, values


def find_input(variables: Variables, name: str) -> Variable:
    variable = variables[name]
    tunable = variable.causality == "parameter" and variable.variability == "tunable"
    if variable.causality != "input" and not tunable:
        raise VariableError(f"'{name}' is neither an input nor a tunable parameter: it is a "
                            f"{variable.variability} {variable.causality}")
    return variable


def name_signals(inputs: Any) -> Mapping[str, Signal]:
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


def sample_one(variable: Variable, signal: Signal, times: Floats, held: bool) -> Floats:
    if callable(signal):
        return np.array([variable.to_number(signal(float(t))) for t in times])
    if hasattr(signal, "index") and hasattr(signal, "to_numpy"):  # a pandas Series
        signal = (np.asarray(signal.index), signal.to_numpy())
    elif hasattr(signal, "coords") and hasattr(signal, "values"):  # an xarray DataArray
        signal = (signal["time"].values, signal.values)
    if isinstance(signal, tuple):
        return interpolate(variable, *read_table(variable, signal), times, held)
    return np.full(len(times), variable.to_number(signal))


def read_table(variable: Variable, table: Any) -> tuple[Floats, Floats]:
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
    if (np.diff(t) <= 0).any():
        row = int(np.flatnonzero(np.diff(t) <= 0)[0]) + 1
        raise ValueRefusedError(f"{variable.name}: times have to rise, but that of row {row} does "
                                "not")
    return t, values


def interpolate(variable: Variable, t: Floats, values: Floats, times: Floats, held: bool) -> Floats:
    """Before the first and after the last time the value is that of this time."""
    if not held and variable.type == "real" and variable.causality == "input":
        return np.interp(times, t, values)
    nearly = 1e-9 * np.maximum(1.0, np.abs(times))  # for 0.1 + 0.2 to count as 0.3
    rows = np.searchsorted(t, times + nearly, side="right") - 1
    return values[np.maximum(rows, 0)]


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


def names(values: Iterable[Variable]) -> list[str]:
    return [variable.name for variable in values]
