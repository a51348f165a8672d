"""A model: read once, simulated as often as wanted."""

from __future__ import annotations

import html
import math
import os
import xml.etree.ElementTree as ElementTree
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clatter import _inputs, _library
from clatter._errors import (
    ClatterError,
    ModelError,
    Problem,
    StepError,
    ValueRefusedError,
    VariableError,
)
from clatter._library import HELD, LINEAR, OK, STEP_FAILED, Floats, Handle, Signals
from clatter._program import run_program, written_files
from clatter.mechanism import Mechanism
from clatter.simulation import Simulation, warn_of
from clatter.variables import Value, Variables, read_variables
from clatter.view import View

if TYPE_CHECKING:
    import xarray

Texts = Sequence[tuple[str, bytes]]

INTERPOLATIONS = {"held": HELD, "linear": LINEAR}
MOST_ROWS = 10 ** 9  # of one result


def is_xml(source: str | bytes) -> bool:
    return source.lstrip()[:1] in ("<", b"<")


def read_texts(name: str, model: bytes, folder: Path) -> Texts:
    """A model that is in memory, with the files that it names, which lie in a folder."""
    texts = [(name, model)]
    try:
        root = ElementTree.fromstring(model)
    except ElementTree.ParseError:
        return texts  # the reader of the model tells what is wrong with it
    named = [root.get("materials"), *(element.get("file") for element in root.iter())]
    for file in dict.fromkeys(file for file in named if file):
        if (folder / file).is_file():  # if not, the reader of the model tells it
            texts.append((file, (folder / file).read_bytes()))
    return texts


def load(source: str | bytes | os.PathLike[str] | Mechanism) -> Handle:
    """The handle of a model, usable or not."""
    if isinstance(source, Mechanism):
        name = f"{source.name}.xml"
        return Handle.load_texts(read_texts(name, source.to_xml().encode(), source.folder))
    if isinstance(source, (str, bytes)) and is_xml(source):
        content = source.encode() if isinstance(source, str) else source
        return Handle.load_texts(read_texts("model.xml", content, Path()))
    if isinstance(source, bytes):
        raise ModelError([Problem("error", "", 0, 0, "these bytes are no XML")])
    return Handle.load(source)


def check(source: str | bytes | os.PathLike[str] | Mechanism,
          scheme: str | None = None) -> list[Problem]:
    """All problems of a model, as the command ``clatter check`` prints them: none, or notes and
    warnings alone, if it can be used."""
    handle = load(source)
    problems = _check(handle, scheme) if handle.usable() else handle.problems()
    return place_problems(source, problems)


def place_problems(source: Any, problems: list[Problem]) -> list[Problem]:
    """Those of a mechanism made in Python are problems of its elements."""
    if isinstance(source, Mechanism):
        return [source._place(problem, f"{source.name}.xml") for problem in problems]
    return problems


def _check(handle: Handle, scheme: str | None) -> list[Problem]:
    if scheme is not None:
        chosen, numbers = _inputs.to_numbers(read_variables(handle), {"solver.scheme": scheme})
        handle.set(_library.indices(chosen), np.asarray(numbers, dtype=float))
    try:
        handle.initialize(handle.info().start_time)
        handle.constraints()
    except ClatterError as error:
        problems = handle.problems()
        if not any(problem.severity == "error" for problem in problems):
            problems.append(Problem("error", handle.texts()[0][0], 0, 0, str(error)))
        return problems
    return handle.problems()


class Model:
    """A mechanism, from the path of a model file, from XML as text, or from a
    :class:`clatter.Mechanism`.

    The file, and the files that it names, are read once: a later change of them changes nothing
    here. A model can be pickled, with these files in it, and be used by many threads at once.
    Raises :class:`clatter.ModelError` if it cannot be used.
    """

    def __init__(self, source: str | bytes | os.PathLike[str] | Mechanism) -> None:
        handle = load(source)
        if not handle.usable():
            raise ModelError(place_problems(source, handle.problems()))
        self._take(handle)

    @classmethod
    def _from_texts(cls, texts: Texts) -> Model:
        model = cls.__new__(cls)
        handle = Handle.load_texts(texts)
        if not handle.usable():
            raise ModelError(handle.problems())
        model._take(handle)
        return model

    def _take(self, handle: Handle) -> None:
        info = handle.info()
        self._texts = handle.texts()
        self._idle = deque([handle])  # simulations that wait for work
        self.variables: Variables = read_variables(handle)
        self.problems: tuple[Problem, ...] = tuple(handle.problems())
        self.name: str = _library.text(info.name)
        self.description: str = _library.text(info.description)
        self.guid: str = _library.text(info.guid)
        self.start_time: float = info.start_time
        self.stop_time: float = info.stop_time

    def __reduce__(self) -> Any:
        return Model._from_texts, (self._texts,)

    # --- what it is ---

    @property
    def parameters(self) -> Variables:
        return self.variables.of("parameter")

    @property
    def inputs(self) -> Variables:
        return self.variables.of("input")

    @property
    def outputs(self) -> Variables:
        return self.variables.of("output")

    @property
    def xml(self) -> str:
        """The text of the model file."""
        return self._texts[0][1].decode()

    def check(self, scheme: str | None = None) -> list[Problem]:
        """Warnings and notes of the model and of its start, and whether a scheme can take it."""
        return _check(self._new_handle(), scheme)

    def __repr__(self) -> str:
        return (f"<Model {self.name}: {len(self.parameters)} parameters, {len(self.inputs)} inputs, "
                f"{len(self.outputs)} outputs>")

    def _repr_html_(self) -> str:
        tables = "".join(
            f"<details><summary>{len(variables)} {what}</summary>{variables._repr_html_()}</details>"
            for what, variables in (("inputs", self.inputs), ("outputs", self.outputs),
                                    ("parameters", self.parameters)))
        return (f"<b>{html.escape(self.name)}</b> {html.escape(self.description)}{tables}")

    # --- motion ---

    def _new_handle(self) -> Handle:
        return Handle.load_texts(self._texts)

    def start(self, *, start: float | None = None, interval: float | None = None,
              parameters: Mapping[str, Value] | None = None,
              inputs: str | Iterable[str] | None = None,
              outputs: str | Iterable[str] | None = None,
              scheme: str | None = None) -> Simulation:
        """A motion to be made step by step; see :class:`clatter.Simulation`.

        interval: of a step in s; default: ``solver.step_size``.
        inputs, outputs: names or patterns of what a step takes and returns; default: all.
        """
        return Simulation(self, start=start, interval=interval, inputs=inputs, outputs=outputs,
                          parameters=with_scheme(parameters, scheme))

    def simulate(self, stop: float | None = None, *, start: float | None = None,
                 interval: float | None = None, parameters: Mapping[str, Value] | None = None,
                 inputs: Any = None, interpolation: str = "linear",
                 outputs: str | Iterable[str] | None = None,
                 scheme: str | None = None) -> xarray.Dataset:
        """Makes the motion from start to stop (s) and returns the outputs over the time.

        interval: between rows of the result, in s; default: ``solver.step_size``.
        parameters: values by name, enumerations by their words; inputs too, as constants.
        inputs: by name, each a constant, (times, values), a function of time, or a series over the
            time; or all of them as a DataFrame (time: index or column) or Dataset. Two equal times
            are a jump. Before the first and after the last time their values hold. Tunable
            parameters may be among them; these are held.
        interpolation: "linear" or "held": what tables do between their times, and functions between
            the ends of steps.
        outputs: names or patterns ("ball.*", "*"); default: the outputs of the FMU.
        Raises :class:`clatter.StartError`, or :class:`clatter.StepError` with the results so far.
        """
        check_interpolation(interpolation)
        try:
            handle = self._idle.pop()
        except IndexError:
            handle = self._new_handle()
        try:
            handle.reset()
            result = self._simulate(handle, stop, start, interval, with_scheme(parameters, scheme),
                                    inputs, interpolation, outputs)
        except Exception:
            self._idle.append(handle)
            raise  # one that was interrupted otherwise is not used again
        self._idle.append(handle)
        return result

    def _simulate(self, handle: Handle, stop: float | None, start: float | None,
                  interval: float | None, parameters: Mapping[str, Value], inputs: Any,
                  interpolation: str, outputs: str | Iterable[str] | None) -> xarray.Dataset:
        chosen, numbers = _inputs.to_numbers(self.variables, parameters)
        handle.set(_library.indices(chosen), np.asarray(numbers, dtype=float))
        step = float(handle.get(_library.indices([self.variables["solver.step_size"].index]))[0])
        times = plan_times(self.start_time if start is None else float(start),
                           self.stop_time if stop is None else float(stop),
                           step if interval is None else float(interval))
        driven, segments = _inputs.plan(self.variables, inputs, times, step,
                                        interpolation == "linear")
        read = self._choose_outputs(outputs)
        signals = Signals([variable.index for variable in driven],
                          [variable.index for variable in read.values()],
                          INTERPOLATIONS[interpolation])
        reached, results, status = run_segments(handle, signals, segments)
        dataset = self._dataset(reached, read, results, parameters)
        warn_of(handle.problems(), 3)
        if status == STEP_FAILED:
            raise StepError(handle.message(), handle.time(), dataset)
        return dataset

    def _choose_outputs(self, outputs: str | Iterable[str] | None) -> Variables:
        chosen = self.outputs if outputs is None else self.variables.match(outputs)
        for name in () if outputs is None else (outputs,) if isinstance(outputs, str) else outputs:
            if name in self.variables and self.variables[name].type == "string":
                raise VariableError(f"'{name}' is a text; results are numbers and words")
        return chosen.where(lambda v: v.type != "string" and v.causality != "independent")

    def _dataset(self, times: Floats, variables: Variables, results: Floats,
                 parameters: Mapping[str, Value]) -> xarray.Dataset:
        import xarray  # not needed by who steps or sweeps, and slow to load

        columns = np.ascontiguousarray(results.T)
        data = {}
        for variable, column in zip(variables.values(), columns):
            attributes = {"long_name": variable.description}
            if variable.type == "real":
                attributes["units"] = variable.unit
            data[variable.name] = ("time", variable.from_numbers(column), attributes)
        coordinates = {"time": ("time", times, {"long_name": "time", "units": "s"})}
        facts: dict[str, Value] = {"model": self.name, "guid": self.guid,
                                   "clatter": _library.version()}
        facts.update({f"parameter {name}": value for name, value in parameters.items()})
        return xarray.Dataset(data, coordinates, facts)

    # --- files ---

    def pack(self, path: str | os.PathLike[str] | None = None, *,
             fmi: int = 2, enumerations: bool = True) -> Path:
        """Makes the FMU; default: named after the model, in the current directory.

        fmi: its version, 2 or 3.
        enumerations: False writes them as integers, for hosts that cannot read them.
        """
        path = Path(f"{self.name}.fmu" if path is None else path)
        options = ["--fmi", str(fmi)] + ([] if enumerations else ["--no-enumerations"])
        with written_files(self._texts) as model:
            run_program("pack", model, "-o", path.resolve(), *options)
        return path

    def view(self, result: xarray.Dataset | None = None, *, stop: float | None = None,
             interval: float | None = None, parameters: Mapping[str, Value] | None = None,
             inputs: Any = None, interpolation: str = "linear", scheme: str | None = None,
             height: int = 600) -> View:
        """The motion as an animation, inline in a notebook; ``.save(path)`` keeps the page.

        result: of :meth:`simulate`, with outputs="*" for the page to have all that it can show. If
        there is none the motion is made here; the other arguments are those of :meth:`simulate`,
        interval being 1/60 s by default.
        height: of the frame in a notebook, in pixels.
        """
        if result is not None:
            if not hasattr(result, "data_vars"):
                raise TypeError("result is what simulate returns; the end of a motion is stop=...")
            return self._view_result(result, height)
        settings = with_scheme(parameters, scheme)
        _inputs.to_numbers(self.variables, settings)  # tells what is wrong
        options = [f"--set={name}={word(value)}" for name, value in settings.items()]
        options += [] if stop is None else [f"--stop={float(stop)!r}"]
        options += [] if interval is None else [f"--interval={float(interval)!r}"]
        with written_files(self._texts) as model:
            if inputs is not None:
                table = model.with_suffix(".csv")
                self._write_inputs(inputs, interpolation, stop, settings, table)
                options += ["--inputs", str(table), "--interpolation", interpolation]
            page = model.with_suffix(".html")
            run_program("view", model, "-o", page, *options)
            return View(page.read_text(encoding="utf-8"), height)

    def _view_result(self, result: xarray.Dataset, height: int) -> View:
        with written_files(self._texts) as model:
            table, page = model.with_suffix(".csv"), model.with_suffix(".html")
            frame = result.to_dataframe().reset_index()
            booleans = frame.select_dtypes("bool").columns
            frame[booleans] = frame[booleans].astype(int)
            frame.to_csv(table, index=False)
            run_program("view", table, "--model", model, "-o", page)
            return View(page.read_text(encoding="utf-8"), height)

    def _write_inputs(self, inputs: Any, interpolation: str, stop: float | None,
                      settings: Mapping[str, Value], path: Path) -> None:
        """As the command takes them; the end of a segment and the start of the next are a jump."""
        check_interpolation(interpolation)
        start = self.variables["solver.step_size"].start
        step = float(settings.get("solver.step_size", start if start is not None else 1e-3))
        times = plan_times(self.start_time, self.stop_time if stop is None else float(stop), step)
        driven, segments = _inputs.plan(self.variables, inputs, times, step,
                                        interpolation == "linear")
        rows = [",".join(["time", *(variable.name for variable in driven)])]
        for segment in segments:
            for t, values in zip(segment.times.tolist(), segment.values.tolist()):
                rows.append(",".join(repr(number) for number in (t, *values)))
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def check_interpolation(interpolation: str) -> None:
    if interpolation not in INTERPOLATIONS:
        raise ValueRefusedError(f"interpolation = {interpolation!r}: expected 'linear' or 'held'")


def run_segments(handle: Handle, signals: Signals,
                 segments: Sequence[_inputs.Segment]) -> tuple[Floats, Floats, int]:
    """Times, rows and status of a motion; after a failure the last row is where it ended."""
    times, rows = [], []
    status = OK
    for number, segment in enumerate(segments):
        results = np.empty((len(segment.times), len(signals.outputs)))
        n_rows, status = handle.simulate(segment.times, signals, segment.values, results)
        if n_rows == 0 or status not in (OK, STEP_FAILED):
            handle.check(status)
        reached = segment.times[:n_rows].copy()
        wanted = segment.wanted[:n_rows].copy()
        wanted[0] &= number == 0  # it is there already
        if status != OK:
            reached[-1] = handle.time()
            wanted[-1] |= n_rows > 1
        times.append(reached[wanted])
        rows.append(results[:n_rows][wanted])
        if status != OK:
            break
    return np.concatenate(times), np.concatenate(rows), status


def with_scheme(parameters: Mapping[str, Value] | None, scheme: str | None) -> dict[str, Value]:
    chosen = dict(parameters or {})
    if scheme is not None:
        chosen["solver.scheme"] = scheme
    return chosen


def word(value: Value) -> str:
    """A value as the command line takes it."""
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def plan_times(start: float, stop: float, interval: float) -> Floats:
    """Whole intervals counted from the start, for no error to accumulate, and what is left."""
    if not (math.isfinite(start) and math.isfinite(stop) and stop >= start):
        raise ValueRefusedError(f"the stop time {stop:g} s is before the start time {start:g} s")
    if not (math.isfinite(interval) and interval > 0):
        raise ValueRefusedError(f"interval = {interval:g}: expected a positive number of seconds")
    count = (stop - start) / interval
    if count >= MOST_ROWS:
        raise ValueRefusedError(f"{stop - start:g} s in intervals of {interval:g} s are too many")
    divides = abs(count - round(count)) <= 1e-6 and round(count) > 0
    n = round(count) if divides else math.floor(count)
    times = np.asarray(start + interval * np.arange(n + 1), dtype=np.float64)
    return times if divides or stop == times[-1] else np.append(times, stop)
