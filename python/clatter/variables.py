"""What a model shows: its variables with their units, and values as users write them."""

from __future__ import annotations

import fnmatch
import html
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clatter._errors import ValueRefusedError, VariableError, nearest
from clatter._library import CAUSALITIES, TYPES, VARIABILITIES, Floats, Handle, text

#: What a parameter can be set to: a number, or the word of an enumeration.
Value = float | int | bool | str


@dataclass(frozen=True)
class Variable:
    """One variable of a model, as in its FMU."""

    name: str
    index: int  #: the FMU's value reference
    type: str  #: "real", "integer", "boolean", "enumeration" or "string"
    causality: str  #: "parameter", "calculated parameter", "input", "output", "local", "independent"
    variability: str  #: "fixed", "tunable", "discrete" or "continuous"
    unit: str  #: of a real, "1" without one; "" of other types
    start: float | int | bool | str | None  #: of parameters and inputs
    min: float
    max: float
    words: tuple[str, ...]  #: the values of an enumeration
    description: str

    @property
    def can_be_set(self) -> bool:
        return self.causality in ("parameter", "input")

    def to_number(self, value: Value) -> float:
        """The number that stands for a value; ``ValueRefusedError`` if it is none for this."""
        if isinstance(value, str):
            if self.type == "enumeration" and value in self.words:
                return float(self.words.index(value) + 1)
            raise self._refuse(value)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self._refuse(value) from None
        if not math.isfinite(number):
            raise ValueRefusedError(f"{self.name} cannot be {number}")
        return number

    def _refuse(self, value: object) -> ValueRefusedError:
        expected = "a number"
        hint = ""
        if self.type == "enumeration":
            expected = "one of " + ", ".join(self.words)
            hint = nearest(str(value), self.words)
        return ValueRefusedError(f"{self.name} = {value!r}: expected {expected}{hint}")

    def from_number(self, number: float) -> float | int | bool | str:
        """The value that a number stands for."""
        if self.type == "boolean":
            return number != 0
        if self.type == "integer":
            return int(number)
        if self.type == "enumeration":
            i = int(number) - 1
            return self.words[i] if 0 <= i < len(self.words) else str(i + 1)
        return float(number)

    def from_numbers(self, numbers: Floats) -> npt.NDArray[Any]:
        """The same for many: floats, integers, booleans, or the words of an enumeration."""
        if self.type == "boolean":
            return np.asarray(numbers != 0)
        if self.type == "integer":
            return numbers.astype(np.int64)
        if self.type == "enumeration":
            words: npt.NDArray[np.str_] = np.array(("",) + self.words)
            return words[numbers.astype(np.intp)]
        return np.ascontiguousarray(numbers)


def read_variables(handle: Handle) -> Variables:
    found = []
    for index in range(handle.variable_count()):
        raw, words = handle.variable(index)
        causality = CAUSALITIES[raw.causality]
        variable = Variable(text(raw.name), index, TYPES[raw.type], causality,
                            VARIABILITIES[raw.variability], text(raw.unit), None, raw.min, raw.max,
                            words, text(raw.description))
        if "parameter" in causality or causality == "input":
            start = variable.from_number(raw.start)
            variable = Variable(**{**variable.__dict__, "start": start})
        found.append(variable)
    return Variables(found)


class Variables(Mapping[str, Variable]):
    """Variables by name, in the order of the model; prints as a table."""

    def __init__(self, variables: Iterable[Variable]) -> None:
        self._by_name = {variable.name: variable for variable in variables}

    def __getitem__(self, name: str) -> Variable:
        try:
            return self._by_name[name]
        except KeyError:
            raise VariableError(
                f"there is no variable '{name}'{nearest(str(name), self._by_name)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def get(self, name: str, default: Any = None) -> Any:
        return self._by_name.get(name, default)

    def where(self, condition: Callable[[Variable], bool]) -> Variables:
        return Variables(variable for variable in self.values() if condition(variable))

    def of(self, *causalities: str) -> Variables:
        return self.where(lambda variable: variable.causality in causalities)

    def match(self, names: str | Iterable[str]) -> Variables:
        """Variables by their names or patterns ("ball.*"), in the order asked for."""
        found: dict[str, Variable] = {}
        for name in [names] if isinstance(names, str) else names:
            if name in self._by_name:
                found[name] = self._by_name[name]
            elif any(character in name for character in "*?["):
                matches = fnmatch.filter(self._by_name, name)
                if not matches:
                    raise VariableError(f"no variable matches '{name}'")
                found.update((match, self._by_name[match]) for match in matches)
            else:
                self[name]  # tells what is wrong
        return Variables(found.values())

    def _rows(self) -> list[tuple[str, ...]]:
        return [(v.name, v.causality, v.unit if v.type == "real" else v.type,
                 "" if v.start is None else str(v.start), v.description) for v in self.values()]

    def __repr__(self) -> str:
        rows = [("name", "causality", "unit", "start", "description"), *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)),
                                    row[4]]).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                       for row in self._rows())
        return ("<table><thead><tr><th>name</th><th>causality</th><th>unit</th><th>start</th>"
                f"<th>description</th></tr></thead><tbody>{rows}</tbody></table>")
