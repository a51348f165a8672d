"""FMUs of FMI 3.0 through FMPy's functions, with the status and messages of each call."""

import ctypes
import zipfile
from pathlib import Path

import fmpy
import fmpy.fmi3
from fmpy.fmi1 import FMICallException

import tools

OK, WARNING, DISCARD, ERROR = range(4)
NAN = float("nan")


def pack(model, directory, *options):
    """The extracted FMU of a model: a path, or the text of one."""
    path = model
    if not isinstance(model, Path):
        path = directory / "model.xml"
        path.write_text(model)
    tools.clatter("pack", path, "--fmi", 3, "-o", directory / "model.fmu", *options)
    with zipfile.ZipFile(directory / "model.fmu") as archive:
        archive.extractall(directory / "extracted")
    return Fmu(directory / "extracted")


class Fmu:
    """What the description says."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.description = fmpy.read_model_description(str(directory))
        self.variables = {v.name: v for v in self.description.modelVariables}

    def reference(self, name):
        return self.variables[name].valueReference

    @property
    def binary(self):
        identifier = self.description.coSimulation.modelIdentifier
        return self.directory / "binaries" / "x86_64-linux" / (identifier + ".so")


class Instance(fmpy.fmi3.FMU3Slave):
    """One instance; a call that is refused raises FMICallException with its status."""

    def __init__(self, fmu, events=False, early=False, update=None, intermediate=(), token=None):
        super().__init__(guid=token or fmu.description.guid, unzipDirectory=str(fmu.directory),
                         modelIdentifier=fmu.description.coSimulation.modelIdentifier,
                         instanceName="test")
        self.fmu = fmu
        self.messages = []  # (status, category, text)
        self.update = update
        self.instantiate(eventModeUsed=events, earlyReturnAllowed=early, logMessage=self._log,
                         intermediateUpdate=self._update if update else None,
                         requiredIntermediateVariables=[fmu.reference(n) for n in intermediate])

    def _log(self, environment, status, category, message):
        self.messages.append((status, category.decode(), message.decode()))

    def _update(self, environment, time, set_requested, get_allowed, finished, can_return,
                requested, return_time):
        assert get_allowed and finished
        answer = self.update(self, time)
        if answer is not None:
            requested[0], return_time[0] = True, answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.freeInstance()

    def start(self, stop=None, **parameters):
        """To the first communication point, in step mode or in event mode."""
        self.enterInitializationMode(startTime=0.0, stopTime=stop)
        for name, value in parameters.items():
            self.set(name.replace("__", "."), value)
        self.exitInitializationMode()
        return self

    def set(self, name, *values):
        kind = self.fmu.variables[name].type
        setter = self.setInt64 if kind in ("Enumeration", "Int64") else self.setFloat64
        return setter([self.fmu.reference(name)], values)

    def get(self, name):
        variable = self.fmu.variables[name]
        n = variable.shape[0] if variable.shape else 1
        getter = self.getInt64 if variable.type in ("Enumeration", "Int64") else self.getFloat64
        values = getter([variable.valueReference], nValues=n)
        return list(values) if variable.shape else values[0]

    def everything(self):
        """Every number that can be read but time, as bytes: equal bytes mean equal to the last bit.
        Time is the sum of what the host has asked for, which it rounds as it likes."""
        parts = []
        for kinds, ctype, call in ((("Float64",), ctypes.c_double, self.fmi3GetFloat64),
                                   (("Int64", "Enumeration"), ctypes.c_int64, self.fmi3GetInt64),
                                   (("Boolean",), ctypes.c_bool, self.fmi3GetBoolean)):
            variables = [v for v in self.fmu.variables.values() if v.type in kinds and v.name != "time"]
            n = sum(v.shape[0] if v.shape else 1 for v in variables)
            references = (ctypes.c_uint * max(1, len(variables)))(
                *(v.valueReference for v in variables))
            values = (ctype * max(1, n))()
            call(self.component, references, len(variables), values, n)
            parts.append(bytes(values))
        return b"".join(parts)

    def refused(self, call, *arguments, words):
        """The call gives fmi3Error and a message that says the words."""
        try:
            call(*arguments)
        except FMICallException as exception:
            assert exception.status == ERROR
            assert words in self.messages[-1][2], self.messages[-1]
            assert self.messages[-1][:2] == (ERROR, "logError")
            return
        raise AssertionError(f"{call} was not refused")
