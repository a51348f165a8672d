"""A motion that is made step by step, in the style of Gymnasium: reset, step, step, step."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clatter._errors import ClatterWarning, Problem, ValueRefusedError, VariableError
from clatter._inputs import find_input, to_numbers
from clatter._library import HELD, Floats, Handle, Signals, address, indices
from clatter.variables import Value

if TYPE_CHECKING:
    from clatter.model import Model


def warn_of(problems: Iterable[Problem], stacklevel: int) -> None:
    for problem in problems:
        if problem.severity == "warning":
            warnings.warn(str(problem), ClatterWarning, stacklevel=stacklevel + 1)


class Simulation:
    """One motion of a model. Made by :meth:`clatter.Model.start`.

    ``step`` takes the values of ``inputs`` and returns those of ``outputs``, both in the order of
    these names. Single variables are read and set by name: ``sim["ball.x"]``,
    ``sim["push"] = 3.0``. A simulation is for one thread at a time; it can be pickled.
    """

    def __init__(self, model: Model, *, start: float | None = None, interval: float | None = None,
                 parameters: Mapping[str, Value] | None = None,
                 inputs: str | Iterable[str] | None = None,
                 outputs: str | Iterable[str] | None = None) -> None:
        self._handle = model._new_handle()
        self._settings: dict[str, Any] = {"start": start, "interval": interval}
        self.model = model
        variables = model.variables
        chosen = variables.of("input") if inputs is None else variables.match(inputs)
        read = model.outputs if outputs is None else variables.match(outputs)
        texts = [name for name, variable in read.items() if variable.type == "string"]
        if outputs is not None and texts:
            raise VariableError(f"'{texts[0]}' is a text; outputs of a step are numbers")
        read = read.where(lambda variable: variable.type != "string")
        self.inputs = tuple(find_input(variables, name).name for name in chosen)
        self.outputs = tuple(read)
        self._signals = Signals([variables[name].index for name in self.inputs],
                                [variables[name].index for name in self.outputs], HELD)
        self._row = np.empty(len(self.inputs))
        self._results = np.empty(len(self.outputs))
        self._row_address = address(self._row)
        self._results_address = address(self._results)
        self._column = {name: i for i, name in enumerate(self.inputs)}
        self.reset(parameters)

    # --- Gymnasium's style ---

    def reset(self, parameters: Mapping[str, Value] | None = None) -> Floats:
        """Back to the start, with these parameters and start values of inputs; the outputs there."""
        self._handle.reset()
        self._parameters = dict(parameters or {})
        self._set(self._parameters)
        start = self._settings["start"]
        self._handle.initialize(self.model.start_time if start is None else float(start))
        warn_of(self._handle.problems(), 3)
        interval = self._settings["interval"]
        self.interval = float(self["solver.step_size"] if interval is None else interval)
        self._row[:] = self._handle.get(self._signals.inputs)
        return self.observe()

    def step(self, inputs: npt.ArrayLike | Mapping[str, Value] | None = None,
             duration: float | None = None) -> Floats:
        """Sets inputs, which stay until the next step, and advances by an interval.

        inputs: as many numbers as ``self.inputs``, or some of them by name; None: as before.
        Returns the outputs at the end. :class:`clatter.StepError` if a step cannot be solved.
        """
        if inputs is not None:
            self._take_inputs(inputs)
        self._handle.step(self.interval if duration is None else duration, self._signals,
                          self._row_address, self._results_address)
        return self._results.copy()

    def _take_inputs(self, inputs: Any) -> None:
        if isinstance(inputs, Mapping):
            for name, value in inputs.items():
                if name not in self._column:
                    find_input(self.model.variables, name)  # tells if there is none
                    raise VariableError(f"'{name}' is not among the inputs of this simulation")
                self._row[self._column[name]] = self.model.variables[name].to_number(value)
            return
        values = np.asarray(inputs, dtype=float)
        if values.ndim == 0:
            values = values.reshape(1)
        if values.shape != self._row.shape:
            raise ValueRefusedError(f"expected {len(self._row)} inputs ({', '.join(self.inputs)}), "
                                    f"got the shape {values.shape}")
        self._row[:] = values

    def observe(self) -> Floats:
        """The outputs at the present time."""
        return self._handle.get(self._signals.outputs)

    # --- state ---

    @property
    def time(self) -> float:
        return self._handle.time()

    def state(self) -> bytes:
        """All that the motion goes on from, parameters and inputs included; see :meth:`restore`."""
        return self._handle.save()

    def restore(self, state: bytes) -> Floats:
        """Goes on from a state of this or another simulation of the model; the outputs there."""
        if not isinstance(state, (bytes, bytearray, memoryview)):
            raise TypeError(f"a state is bytes, not {type(state).__name__}")
        self._handle.restore(bytes(state))
        self._row[:] = self._handle.get(self._signals.inputs)
        return self.observe()

    # --- single variables ---

    def __getitem__(self, name: str) -> float | int | bool | str:
        variable = self.model.variables[name]
        if variable.type == "string":
            return self._handle.get_text(variable.index)
        return variable.from_number(float(self._handle.get(indices([variable.index]))[0]))

    def __setitem__(self, name: str, value: Value) -> None:
        self.set({name: value})

    def set(self, values: Mapping[str, Value]) -> None:
        """Inputs and tunable parameters, all of them or none. For others: :meth:`reset`."""
        for name in values:
            find_input(self.model.variables, name)
        self._set(values)
        for name in values:
            if name in self._column:
                self._row[self._column[name]] = self.model.variables[name].to_number(values[name])

    def _set(self, values: Mapping[str, Value]) -> None:
        chosen, numbers = to_numbers(self.model.variables, values)
        self._handle.set(indices(chosen), np.asarray(numbers, dtype=float))

    # --- derivatives ---

    def derivatives(self, outputs: str | Iterable[str]) -> dict[str, float]:
        """First time derivatives of real outputs at the present time, contact laws included."""
        chosen = self.model.variables.match(outputs)
        values = self._handle.derivatives(indices([v.index for v in chosen.values()]))
        return dict(zip(chosen, values.tolist()))

    def directional_derivative(self, outputs: str | Iterable[str],
                               seed: Mapping[str, float]) -> dict[str, float]:
        """Derivative of outputs at the present state along a direction: how much each input or
        tunable parameter changes."""
        unknowns = self.model.variables.match(outputs)
        knowns = [find_input(self.model.variables, name).index for name in seed]
        values = self._handle.directional_derivative(
            indices([v.index for v in unknowns.values()]), indices(knowns),
            np.asarray(list(seed.values()), dtype=float))
        return dict(zip(unknowns, values.tolist()))

    # --- its health and its end ---

    @property
    def statistics(self) -> dict[str, float]:
        """How well the motion was solved so far: counters, worst residual and penetration."""
        return self._handle.statistics()

    @property
    def problems(self) -> list[Problem]:
        """Of the model, of the start, and of the motion since."""
        return self._handle.problems()

    def close(self) -> None:
        """Gives back its memory at once; otherwise that happens with the object's end."""
        self._handle.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Simulation of {self.model.name} at t = {self.time:g} s>"

    def __reduce__(self) -> Any:
        settings = self._settings | {"inputs": self.inputs, "outputs": self.outputs,
                                     "parameters": self._parameters}
        return _resume, (self.model, settings, self.state())


def _resume(model: Model, settings: Mapping[str, Any], state: bytes) -> Simulation:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClatterWarning)  # which were given before
        simulation = Simulation(model, **settings)
    simulation.restore(state)
    return simulation


