"""The result of a sweep as a Dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clatter._sweep_plan import Plan
from clatter._sweep_reduce import WORDS
from clatter._sweep_rows import Rows

if TYPE_CHECKING:
    import xarray

    from clatter.variables import Variables


def dataset_of(plan: Plan, rows: Rows, known: Variables, about: dict[str, Any]) -> xarray.Dataset:
    """rows: all runs, in order; known: variables of the model, for units and descriptions."""
    import xarray

    dims, shape, coords = frame_of(plan)
    variables: dict[str, Any] = {}
    for name, column in rows.columns.items():
        extra = rows.dims[name]
        variables[name] = (dims + extra, column.reshape(shape + column.shape[1:]))
    variables["status"] = (dims, words(rows.status).reshape(shape))
    variables["reason"] = (dims, words(rows.reason).reshape(shape))
    variables["time_reached"] = (dims, rows.time_reached.reshape(shape))
    coords.update({dim: (dim, values) for dim, values in rows.coords.items()})
    dataset = xarray.Dataset(variables, coords, about)
    for name in map(str, dataset.variables):
        dataset[name].attrs.update(attributes_of(name, known))
    dataset["time_reached"].attrs.update(units="s", long_name="end of the run")
    return dataset


def attributes_of(name: str, known: Variables) -> dict[str, str]:
    """As in the results of Model.simulate; of parcel.x.max what parcel.x has."""
    stem, _, word = name.rpartition(".")
    variable = known.get(name) or (known.get(stem) if word in WORDS else None)
    if variable is None:
        return {}
    attributes = {"long_name": variable.description}
    return attributes | {"units": variable.unit} if variable.type == "real" else attributes


def frame_of(plan: Plan) -> tuple[tuple[str, ...], tuple[int, ...], dict[str, Any]]:
    """Dimensions, their lengths and the coordinates."""
    if plan.axes is None:
        coords: dict[str, Any] = {"run": np.arange(plan.n_runs)}
        coords.update({name: ("run", column) for name, column in plan.columns.items()})
        return ("run",), (plan.n_runs,), coords
    coords = {name: (axis.names[0], axis.values) for axis in plan.axes for name in axis.names}
    dims = tuple(axis.names[0] for axis in plan.axes)
    return dims, tuple(len(axis.values) for axis in plan.axes), coords


def words(items: list[str]) -> np.ndarray:
    return np.array(items, dtype=object)
