"""What is kept of a run: numbers, words or arrays made of its motion."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from clatter._sweep_plan import RESERVED

if TYPE_CHECKING:
    import xarray

    from clatter.variables import Variable, Variables


@dataclass(frozen=True)
class Field:
    """One result of a run: a number (float64), a word (str), or an array of numbers."""

    data: Any
    dims: tuple[str, ...] = ()
    coords: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        return () if isinstance(self.data, str) else self.data.shape


@dataclass(frozen=True)
class Motion:
    """time (n), values (n x variables); as_dataset makes what the user's own functions are given."""

    time: np.ndarray
    variables: Variables
    values: np.ndarray
    as_dataset: Callable[[], xarray.Dataset]


def time_average(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    duration = time[-1] - time[0]
    return np.asarray(np.trapezoid(values, time, axis=0) / duration if duration > 0 else values[-1])


WORDS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "final": lambda time, values: values[-1],
    "min": lambda time, values: values.min(axis=0),
    "max": lambda time, values: values.max(axis=0),
    "mean": time_average,
    "motion": lambda time, values: values.T,
}


class Reduction:
    """The argument reduce of a sweep: a word, a list of words, or a function."""

    def __init__(self, reduce: Any, varied: Sequence[str] = ()):
        """varied: names that the result has for parameters."""
        self.function = reduce if callable(reduce) else None
        self.words = () if callable(reduce) else words_of(reduce)
        self.taken = frozenset(varied) | frozenset(RESERVED)

    @property
    def needs_only_the_end(self) -> bool:
        return self.words == ("final",)

    def __call__(self, motion: Motion) -> dict[str, Field]:
        if self.function is not None:
            return fields_of(self.function(motion.as_dataset()), self.taken)
        fields = {}
        for word in self.words:
            reduced = WORDS[word](motion.time, motion.values)
            for variable, data in zip(motion.variables.values(), reduced, strict=True):
                if word == "motion":
                    fields[self.label(variable, word)] = Field(
                        data, ("time",), {"time": motion.time}
                    )
                elif variable.type != "enumeration":
                    fields[self.label(variable, word)] = Field(data)
                elif word == "final":  # there is no least or mean word
                    fields[self.label(variable, word)] = Field(variable.from_number(data))
        return fields

    def label(self, variable: Variable, word: str) -> str:
        return variable.name if len(self.words) == 1 else f"{variable.name}.{word}"

    def numbers(self, variables: Variables) -> list[str]:
        """What a result has of each run, as far as that is known before one was made."""
        return [
            self.label(variable, word)
            for word in self.words
            for variable in variables.values()
            if word != "motion" and variable.type != "enumeration"
        ]

    def identity(self) -> str:
        """The same for the same words or the same code, in another process, too."""
        return " ".join(self.words) if self.function is None else code_identity(self.function)


def words_of(reduce: Any) -> tuple[str, ...]:
    words = (reduce,) if isinstance(reduce, str) else tuple(reduce)
    for word in words:
        if word not in WORDS:
            raise ValueError(f"reduce {word!r}: expected a function or one of {', '.join(WORDS)}")
    if not words or len(set(words)) < len(words):
        raise ValueError("reduce: expected words, each of them once")
    return words


def fields_of(result: Any, taken: frozenset[str]) -> dict[str, Field]:
    """What a user's function returned: a scalar, an array, a mapping of them, or of xarray."""
    if hasattr(result, "data_vars"):
        items = dict(result.data_vars)
    elif isinstance(result, Mapping):
        items = dict(result)
    else:
        items = {getattr(result, "name", None) or "value": result}
    fields: dict[str, Field] = {}
    coords: dict[str, np.ndarray] = {}
    for name, item in items.items():
        fields[name] = made = field_of(name, item)
        for word in (name, *made.dims):
            if not isinstance(word, str) or word in taken:
                raise ValueError(f"reduce returned {word!r}, which the sweep has already")
        for dim, values in made.coords.items():
            if not np.array_equal(coords.setdefault(dim, values), values):
                raise ValueError(f"reduce returned results that differ in their coordinate {dim}")
    return fields


def field_of(name: str, item: Any) -> Field:
    if isinstance(item, str):
        return Field(item)
    data = np.asarray(item)
    if data.dtype.kind not in "biuf" or data.size == 0:
        raise TypeError(
            f"reduce returned {'an empty ' if data.size == 0 else ''}{type(item).__name__} as "
            f"{name}: expected a number, an array of numbers or a text"
        )
    dims = tuple(f"{name}_{axis}" for axis in range(data.ndim))
    coords = {}
    if hasattr(item, "dims"):  # a DataArray
        dims = tuple(str(dim) for dim in item.dims)
        coords = {dim: np.asarray(item.coords[dim]) for dim in dims if dim in item.coords}
    return Field(data.astype(np.float64), dims, coords)


def code_identity(function: Callable[..., Any]) -> str:
    """Name and hash of a function's code, constants, defaults and what it closes over."""
    digest = hashlib.sha256()
    name = getattr(function, "__qualname__", type(function).__name__)
    code = getattr(function, "__code__", None)
    if code is None:
        digest.update(repr_without_address(function).encode())
    else:
        digest_code(digest, code)
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        for value in [*(function.__defaults__ or ()), *cells]:
            digest_value(digest, value)
    return f"{name} {digest.hexdigest()[:16]}"


def digest_code(digest: Any, code: types.CodeType) -> None:
    digest.update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
    for constant in code.co_consts:
        digest_value(digest, constant)


def digest_value(digest: Any, value: Any) -> None:
    if isinstance(value, types.CodeType):
        digest_code(digest, value)
    elif isinstance(value, types.FunctionType):
        digest.update(code_identity(value).encode())
    elif isinstance(value, np.ndarray):
        digest.update(value.tobytes())
    elif isinstance(value, set | frozenset):
        digest.update(repr(sorted(map(repr, value))).encode())
    else:
        digest.update(repr_without_address(value).encode())


def repr_without_address(value: Any) -> str:
    """An object without a text of its own is told apart by its type alone: its address differs in
    each process."""
    text = repr(value)
    return type(value).__qualname__ if f"{id(value):x}" in text else text
