"""The functions of the shared library (api/clatter.h), and one simulation behind its handle.

The library lies beside this file. CLATTER_BUILD may name another place: the directory of a build, as
the tests use it. ctypes lets other threads run during each call.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clatter._errors import (
    ClatterError,
    ModelError,
    Problem,
    StartError,
    StepError,
    ValueRefusedError,
)

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int32]

API_VERSION = 2
OK, REFUSED, UNUSABLE, NO_START, STEP_FAILED, CANCELLED, NOT_AVAILABLE, NO_MEMORY = range(8)
HELD, LINEAR = range(2)
SEVERITIES = ("note", "warning", "error")
CAUSALITIES = ("parameter", "calculated parameter", "input", "output", "local", "independent")
VARIABILITIES = ("fixed", "tunable", "discrete", "continuous")
TYPES = ("real", "integer", "boolean", "enumeration", "string")


class CFile(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("text", c_void_p), ("n", c_size_t)]


class CProblem(ctypes.Structure):
    _fields_ = [("file", c_char_p), ("message", c_char_p), ("line", c_int64), ("column", c_int64),
                ("severity", c_int32)]


class CInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("description", c_char_p), ("author", c_char_p),
                ("version", c_char_p), ("guid", c_char_p), ("start_time", c_double),
                ("stop_time", c_double), ("step_size", c_double), ("n_bodies", c_int32),
                ("n_contacts", c_int32), ("n_forces", c_int32), ("n_coordinates", c_int32)]


class CVariable(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("description", c_char_p), ("unit", c_char_p),
                ("type", c_int32), ("causality", c_int32), ("variability", c_int32),
                ("n_words", c_int32), ("start", c_double), ("min", c_double), ("max", c_double),
                ("derivative_of", c_int32)]


class CStatistics(ctypes.Structure):
    _fields_ = [(name, c_int64) for name in
                ("steps", "iterations", "contact_iterations", "regularised_steps", "swept_steps",
                 "inexact_steps", "inelastic_steps", "damped_steps", "retried_steps", "failed_steps")
                ] + [("worst_residual", c_double), ("worst_penetration", c_double)]


class CSignals(ctypes.Structure):
    _fields_ = [("n_inputs", c_int32), ("inputs", c_void_p), ("interpolation", c_int32),
                ("n_outputs", c_int32), ("outputs", c_void_p)]


class CConstraints(ctypes.Structure):
    _fields_ = [("n_velocities", c_int32), ("n_equations", c_int32), ("n_redundant", c_int32)]


#: result and arguments of each function
PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {
    "clatter_api_version": (c_int32, []),
    "clatter_version": (c_char_p, []),
    "clatter_load": (c_void_p, [c_char_p]),
    "clatter_load_texts": (c_void_p, [POINTER(CFile), c_int32]),
    "clatter_free": (None, [c_void_p]),
    "clatter_usable": (c_int32, [c_void_p]),
    "clatter_message": (c_char_p, [c_void_p]),
    "clatter_problem_count": (c_int32, [c_void_p]),
    "clatter_problem": (c_int32, [c_void_p, c_int32, POINTER(CProblem)]),
    "clatter_file_count": (c_int32, [c_void_p]),
    "clatter_file": (c_int32, [c_void_p, c_int32, POINTER(CFile)]),
    "clatter_info": (c_int32, [c_void_p, POINTER(CInfo)]),
    "clatter_variable_count": (c_int32, [c_void_p]),
    "clatter_variable": (c_int32, [c_void_p, c_int32, POINTER(CVariable)]),
    "clatter_variable_word": (c_char_p, [c_void_p, c_int32, c_int32]),
    "clatter_variable_find": (c_int32, [c_void_p, c_char_p]),
    "clatter_set": (c_int32, [c_void_p, c_int32, c_void_p, c_void_p]),
    "clatter_get": (c_int32, [c_void_p, c_int32, c_void_p, c_void_p]),
    "clatter_get_text": (c_char_p, [c_void_p, c_int32]),
    "clatter_get_derivatives": (c_int32, [c_void_p, c_int32, c_void_p, c_void_p]),
    "clatter_directional_derivative": (c_int32, [c_void_p, c_int32, c_void_p, c_int32, c_void_p,
                                                 c_void_p, c_void_p]),
    "clatter_initialize": (c_int32, [c_void_p, c_double]),
    "clatter_advance": (c_int32, [c_void_p, c_double]),
    "clatter_step": (c_int32, [c_void_p, c_double, c_void_p, c_void_p, c_void_p]),
    "clatter_simulate": (c_int32, [c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_void_p,
                                   POINTER(c_int64)]),
    "clatter_cancel": (None, [c_void_p]),
    "clatter_clear_cancel": (None, [c_void_p]),
    "clatter_reset": (c_int32, [c_void_p]),
    "clatter_constraints": (c_int32, [c_void_p, POINTER(CConstraints)]),
    "clatter_time": (c_double, [c_void_p]),
    "clatter_statistics": (c_int32, [c_void_p, POINTER(CStatistics)]),
    "clatter_snapshot_size": (c_size_t, [c_void_p]),
    "clatter_save": (c_int32, [c_void_p, c_void_p, c_size_t]),
    "clatter_restore": (c_int32, [c_void_p, c_char_p, c_size_t]),
}


def find_file(name: str) -> Path:
    """A file of the package (bin/clatter, libclatter.so), or of the build that CLATTER_BUILD names."""
    build = os.environ.get("CLATTER_BUILD")
    path = Path(build) / Path(name).name if build else Path(__file__).parent / name
    if not path.is_file():
        raise ClatterError(
            f"{path} is missing: install the package with 'pip install .', or let CLATTER_BUILD "
            "name the directory of a build")
    return path


def load_library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(find_file("libclatter.so")))
    for name, (result, arguments) in PROTOTYPES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if library.clatter_api_version() != API_VERSION:
        raise ClatterError("libclatter.so is of another version than the Python package")
    return library


lib = load_library()


def version() -> str:
    return text(lib.clatter_version())


def text(value: bytes | None) -> str:
    return value.decode("utf-8", "replace") if value is not None else ""


def address(array: npt.NDArray[Any]) -> int:
    return int(array.ctypes.data)


def indices(numbers: Sequence[int]) -> Indices:
    return np.asarray(numbers, dtype=np.int32)


class Signals:
    """Inputs to be set and outputs to be read together, again and again."""

    def __init__(self, inputs: Sequence[int], outputs: Sequence[int], interpolation: int) -> None:
        self.inputs = indices(inputs)
        self.outputs = indices(outputs)
        self.struct = CSignals(len(self.inputs), address(self.inputs), interpolation,
                               len(self.outputs), address(self.outputs))
        self.address = ctypes.addressof(self.struct)


class Handle:
    """A simulation of the library; the only one who knows the pointer. One call at a time."""

    def __init__(self, pointer: int | None) -> None:
        if not pointer:
            raise MemoryError("there is no memory for the model")
        self.pointer: int | None = pointer
        self.busy = threading.Lock()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Handle:
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueRefusedError("the path has a zero byte in it")
        return cls(lib.clatter_load(name))

    @classmethod
    def load_texts(cls, texts: Sequence[tuple[str, bytes]]) -> Handle:
        """The model and the files that it names, each with its name and text."""
        files = (CFile * len(texts))()
        for file, (name, content) in zip(files, texts):
            file.name = name.encode()
            file.text = ctypes.cast(c_char_p(content), c_void_p)
            file.n = len(content)
        return cls(lib.clatter_load_texts(files, len(texts)))

    def close(self) -> None:
        if self.pointer is not None:
            with self.use() as pointer:
                self.pointer = None
                lib.clatter_free(pointer)

    def __del__(self) -> None:
        pointer, self.pointer = getattr(self, "pointer", None), None
        if pointer is not None and lib is not None:
            lib.clatter_free(pointer)

    @contextmanager
    def use(self) -> Iterator[int]:
        """The pointer, for one call: no two threads may be in a simulation."""
        if not self.busy.acquire(blocking=False):
            raise ClatterError("the simulation is in use by another thread")
        try:
            if self.pointer is None:
                raise ClatterError("the simulation has been closed")
            yield self.pointer
        finally:
            self.busy.release()

    def check(self, status: int) -> None:
        if status != OK:
            raise self.error(status)

    def message(self) -> str:
        return text(lib.clatter_message(self.pointer))

    def error(self, status: int) -> Exception:
        message = self.message()
        if status == UNUSABLE:
            return ModelError(self.problems())
        if status == NO_START:
            return StartError(f"the motion cannot start: {message}")
        if status == STEP_FAILED:
            return StepError(message, self.time())
        if status == NO_MEMORY:
            return MemoryError(message)
        if status == REFUSED:
            return ValueRefusedError(message)
        return ClatterError(message)

    # --- what it is ---

    def usable(self) -> bool:
        return bool(lib.clatter_usable(self.pointer))

    def problems(self) -> list[Problem]:
        problems = []
        found = CProblem()
        for i in range(lib.clatter_problem_count(self.pointer)):
            lib.clatter_problem(self.pointer, i, byref(found))
            problems.append(Problem(SEVERITIES[found.severity], text(found.file), found.line,
                                    found.column, text(found.message)))
        return problems

    def texts(self) -> list[tuple[str, bytes]]:
        texts = []
        file = CFile()
        for i in range(lib.clatter_file_count(self.pointer)):
            lib.clatter_file(self.pointer, i, byref(file))
            texts.append((text(file.name), ctypes.string_at(file.text, file.n)))
        return texts

    def info(self) -> CInfo:
        info = CInfo()
        self.check(lib.clatter_info(self.pointer, byref(info)))
        return info

    def variable_count(self) -> int:
        return int(lib.clatter_variable_count(self.pointer))

    def variable(self, index: int) -> tuple[CVariable, tuple[str, ...]]:
        """The description of a variable, and the words of its values."""
        found = CVariable()
        self.check(lib.clatter_variable(self.pointer, index, byref(found)))
        words = tuple(text(lib.clatter_variable_word(self.pointer, index, i))
                      for i in range(found.n_words))
        return found, words

    # --- values ---

    def set(self, variables: Indices, values: Floats) -> None:
        with self.use() as pointer:
            self.check(lib.clatter_set(pointer, len(variables), address(variables),
                                       address(values)))

    def get(self, variables: Indices) -> Floats:
        values = np.empty(len(variables))
        with self.use() as pointer:
            self.check(lib.clatter_get(pointer, len(variables), address(variables),
                                       address(values)))
        return values

    def get_text(self, variable: int) -> str:
        with self.use() as pointer:
            return text(lib.clatter_get_text(pointer, variable))

    def derivatives(self, variables: Indices) -> Floats:
        values = np.empty(len(variables))
        with self.use() as pointer:
            self.check(lib.clatter_get_derivatives(pointer, len(variables), address(variables),
                                                   address(values)))
        return values

    def directional_derivative(self, unknowns: Indices, knowns: Indices, seed: Floats) -> Floats:
        derivative = np.empty(len(unknowns))
        with self.use() as pointer:
            self.check(lib.clatter_directional_derivative(
                pointer, len(unknowns), address(unknowns), len(knowns), address(knowns),
                address(seed), address(derivative)))
        return derivative

    # --- motion ---

    def initialize(self, start_time: float) -> None:
        with self.use() as pointer:
            self.check(lib.clatter_initialize(pointer, start_time))

    def reset(self) -> None:
        with self.use() as pointer:
            self.check(lib.clatter_reset(pointer))

    def step(self, duration: float, signals: Signals, inputs: int, outputs: int) -> None:
        """inputs, outputs: addresses of as many numbers as the signals have. The same as with use(),
        but quicker: controllers make many single steps."""
        if self.pointer is None or not self.busy.acquire(blocking=False):
            with self.use():  # tells why not
                return
        try:
            status = lib.clatter_step(self.pointer, duration, signals.address, inputs, outputs)
            if status != OK:
                raise self.error(status)
        finally:
            self.busy.release()

    def simulate(self, times: Floats, signals: Signals, inputs: Floats,
                 results: Floats) -> tuple[int, int]:
        """(rows written, status); Ctrl-C stops it at the end of the internal step."""
        n_rows = c_int64()

        def run(pointer: int) -> int:
            return int(lib.clatter_simulate(pointer, len(times), address(times), signals.address,
                                            address(inputs), address(results), byref(n_rows)))

        if threading.current_thread() is threading.main_thread():
            status = self.run_interruptibly(run)
        else:
            with self.use() as pointer:
                status = run(pointer)
        return n_rows.value, status

    def run_interruptibly(self, run: Callable[[int], int]) -> int:
        """Python sees Ctrl-C in the main thread alone, and between its own instructions alone: so
        another thread makes the call, while this one waits. Whatever becomes of this one, the
        simulation is in use as long as the other is in it."""
        outcome: list[int | ClatterError] = []
        done = threading.Event()

        def work() -> None:
            try:
                with self.use() as pointer:
                    outcome.append(run(pointer))
            except ClatterError as error:
                outcome.append(error)
            finally:
                done.set()

        interruption: BaseException | None = None
        threading.Thread(target=work, daemon=True).start()
        while not done.is_set():
            try:
                done.wait()
            except BaseException as error:
                interruption = error
                lib.clatter_cancel(self.pointer)  # holds if the call has not begun yet, too
        if interruption is not None:
            lib.clatter_clear_cancel(self.pointer)
            raise interruption
        if isinstance(outcome[0], ClatterError):
            raise outcome[0]
        return outcome[0]

    def constraints(self) -> CConstraints:
        constraints = CConstraints()
        with self.use() as pointer:
            self.check(lib.clatter_constraints(pointer, byref(constraints)))
        return constraints

    def time(self) -> float:
        return float(lib.clatter_time(self.pointer))

    def statistics(self) -> dict[str, float]:
        statistics = CStatistics()
        with self.use() as pointer:
            self.check(lib.clatter_statistics(pointer, byref(statistics)))
        return {name: getattr(statistics, name) for name, *_ in CStatistics._fields_}

    # --- snapshots ---

    def save(self) -> bytes:
        with self.use() as pointer:
            n = lib.clatter_snapshot_size(pointer)
            buffer = ctypes.create_string_buffer(n)
            self.check(lib.clatter_save(pointer, buffer, n))
        return buffer.raw

    def restore(self, snapshot: bytes) -> None:
        with self.use() as pointer:
            self.check(lib.clatter_restore(pointer, snapshot, len(snapshot)))
