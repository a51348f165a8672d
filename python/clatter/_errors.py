"""What can go wrong, as exceptions with the program's own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class Problem:
    """Something that was found in a model, and where."""

    severity: str  #: "error", "warning" or "note"
    file: str  #: "" if it is in no file
    line: int  #: from 1; 0 if there is none
    column: int  #: likewise
    message: str  #: what is wrong and what was expected
    element: str = ""  #: of a :class:`clatter.Mechanism`: the element, as "<circle ball.rim>"

    def __str__(self) -> str:
        place = f"{self.file}:" if self.file else f"{self.element or 'clatter'}:"
        if self.line > 0:
            place += f"{self.line}:{self.column}:"
        return f"{place} {self.severity}: {self.message}"


class ClatterError(Exception):
    """Base of all errors of this package."""


class ModelError(ClatterError, ValueError):
    """A model that cannot be used; ``problems`` has all that was found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(tuple(problems))
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class VariableError(ClatterError, LookupError):
    """A model has no variable of that name, or not of the kind that is needed."""


class ValueRefusedError(ClatterError, ValueError):
    """A value, or a call, that the simulation does not accept; nothing has changed."""


class StartError(ClatterError):
    """The motion cannot start with these parameters."""


class StepError(ClatterError):
    """A step could not be solved. The simulation stays at the last one that could.

    ``time`` tells where (s); ``results`` has all rows up to there, if many steps were made at once.
    """

    def __init__(self, message: str, time: float, results: xarray.Dataset | None = None) -> None:
        super().__init__(message, time, results)
        self.message = message
        self.time = time
        self.results = results

    def __str__(self) -> str:
        return f"the step from t = {self.time:g} s failed: {self.message}"


class ProgramError(ClatterError):
    """The command ``clatter`` failed; its messages are those of the exception."""


class ClatterWarning(UserWarning):
    """What the program warns of: contacts that start with a penetration, for example."""


def nearest(name: str, names: Any) -> str:
    """", did you mean 'NAME'?" or nothing."""
    import difflib

    found = difflib.get_close_matches(name, list(names), n=1)
    return f", did you mean '{found[0]}'?" if found else ""
