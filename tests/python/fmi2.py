"""The FMI 2.0 co-simulation functions of an extracted FMU, called as a host calls them.

Nothing is checked or hidden on the way: arguments can be wrong, and the status comes back as it is.
"""

import ctypes
import urllib.parse
from collections import namedtuple
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p, byref
from pathlib import Path

from lxml import etree

OK, WARNING, DISCARD, ERROR, FATAL, PENDING = range(6)
MODEL_EXCHANGE, CO_SIMULATION = range(2)
DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED = range(4)

# The sixth argument is the first of a variable list. It is read only when the format says that it
# is there.
Logger = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_void_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", Logger), ("allocateMemory", c_void_p), ("freeMemory", c_void_p),
                ("stepFinished", c_void_p), ("componentEnvironment", c_void_p)]


_refs, _reals, _integers, _strings = (POINTER(t) for t in (c_uint, c_double, c_int, c_char_p))

PROTOTYPES = {
    "fmi2SetDebugLogging": [c_void_p, c_int, c_size_t, _strings],
    "fmi2SetupExperiment": [c_void_p, c_int, c_double, c_double, c_int, c_double],
    "fmi2EnterInitializationMode": [c_void_p],
    "fmi2ExitInitializationMode": [c_void_p],
    "fmi2Terminate": [c_void_p],
    "fmi2Reset": [c_void_p],
    "fmi2GetReal": [c_void_p, _refs, c_size_t, _reals],
    "fmi2GetInteger": [c_void_p, _refs, c_size_t, _integers],
    "fmi2GetBoolean": [c_void_p, _refs, c_size_t, _integers],
    "fmi2GetString": [c_void_p, _refs, c_size_t, _strings],
    "fmi2SetReal": [c_void_p, _refs, c_size_t, _reals],
    "fmi2SetInteger": [c_void_p, _refs, c_size_t, _integers],
    "fmi2SetBoolean": [c_void_p, _refs, c_size_t, _integers],
    "fmi2SetString": [c_void_p, _refs, c_size_t, _strings],
    "fmi2GetFMUstate": [c_void_p, POINTER(c_void_p)],
    "fmi2SetFMUstate": [c_void_p, c_void_p],
    "fmi2FreeFMUstate": [c_void_p, POINTER(c_void_p)],
    "fmi2SerializedFMUstateSize": [c_void_p, c_void_p, POINTER(c_size_t)],
    "fmi2SerializeFMUstate": [c_void_p, c_void_p, POINTER(c_char), c_size_t],
    "fmi2DeSerializeFMUstate": [c_void_p, POINTER(c_char), c_size_t, POINTER(c_void_p)],
    "fmi2GetDirectionalDerivative": [c_void_p, _refs, c_size_t, _refs, c_size_t, _reals, _reals],
    "fmi2SetRealInputDerivatives": [c_void_p, _refs, c_size_t, _integers, _reals],
    "fmi2GetRealOutputDerivatives": [c_void_p, _refs, c_size_t, _integers, _reals],
    "fmi2DoStep": [c_void_p, c_double, c_double, c_int],
    "fmi2CancelStep": [c_void_p],
    "fmi2GetStatus": [c_void_p, c_int, _integers],
    "fmi2GetRealStatus": [c_void_p, c_int, _reals],
    "fmi2GetIntegerStatus": [c_void_p, c_int, _integers],
    "fmi2GetBooleanStatus": [c_void_p, c_int, _integers],
    "fmi2GetStringStatus": [c_void_p, c_int, _strings],
}

Variable = namedtuple("Variable", "name reference type causality variability start min max")
# FMI: if no variable is independent, time is there without being listed. The FMU reads it as 0.
TIME = Variable("time", 0, "Real", "independent", "continuous", None, None, None)
Message = namedtuple("Message", "environment instance status category text")


def load(path):
    library = ctypes.CDLL(str(path))
    for name, arguments in PROTOTYPES.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = c_int
    library.fmi2Instantiate.argtypes = [c_char_p, c_int, c_char_p, c_char_p, POINTER(Callbacks),
                                        c_int, c_int]
    library.fmi2Instantiate.restype = c_void_p
    library.fmi2FreeInstance.argtypes = [c_void_p]
    library.fmi2FreeInstance.restype = None
    for name in ("fmi2GetTypesPlatform", "fmi2GetVersion"):
        getattr(library, name).argtypes = []
        getattr(library, name).restype = c_char_p
    return library


class Fmu:
    """An extracted FMU: what its description says, and its binary."""

    def __init__(self, directory):
        self.directory = Path(directory)
        root = etree.parse(self.directory / "modelDescription.xml").getroot()
        self.guid = root.get("guid")
        self.identifier = root.find("CoSimulation").get("modelIdentifier")
        self.binary = self.directory / "binaries" / "linux64" / (self.identifier + ".so")
        self.variables = {}
        for node in root.iterfind("ModelVariables/ScalarVariable"):
            kind = node[0]
            self.variables[node.get("name")] = Variable(
                node.get("name"), int(node.get("valueReference")), kind.tag,
                node.get("causality", "local"), node.get("variability", "continuous"),
                kind.get("start"), kind.get("min"), kind.get("max"))
        self.library = load(self.binary)

    def variable(self, name):
        return TIME if name == "time" else self.variables[name]

    def reference(self, name):
        return self.variable(name).reference

    def names(self, causality=None, kind=None):
        return [v.name for v in self.variables.values()
                if causality in (None, v.causality) and kind in (None, v.type)]

    @property
    def resources(self):
        return self.directory / "resources"

    @property
    def uri(self):
        return "file://" + urllib.parse.quote(str(self.resources.resolve()))


def array(ctype, values):
    values = list(values)
    return (ctype * max(1, len(values)))(*values)


class Refused(Exception):
    """fmi2Instantiate gave NULL; the messages say why."""

    def __init__(self, messages):
        super().__init__("\n".join(m.text for m in messages) or "no reason was logged")
        self.messages = messages


class Instance:
    """One component. Calls are methods by their FMI names without fmi2; values go by name."""

    def __init__(self, fmu, name="test", guid=None, uri=None, kind=CO_SIMULATION, logging=False,
                 environment=0x5EED):
        self.fmu = fmu
        self.library = fmu.library
        self.messages = []
        self.formats = set()
        self._logger = Logger(self._log)
        self._callbacks = Callbacks(self._logger, None, None, None, environment)
        encode = lambda text: text if text is None or isinstance(text, bytes) else text.encode()
        self.component = self.library.fmi2Instantiate(
            encode(name), kind, encode(fmu.guid if guid is None else guid),
            encode(fmu.uri if uri is None else uri), byref(self._callbacks), 0, int(logging))
        if not self.component:
            raise Refused(self.messages)

    def _log(self, environment, instance, status, category, message, argument):
        self.formats.add(message)
        text = message
        if message == b"%s":
            text = ctypes.cast(argument, c_char_p).value
        self.messages.append(Message(environment, instance, status, category,
                                     text.decode(errors="replace")))

    def __getattr__(self, name):
        function = getattr(self.library, "fmi2" + name)
        return lambda *arguments: function(self.component, *arguments)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free()

    def free(self):
        if self.component:
            self.library.fmi2FreeInstance(self.component)
            self.component = None

    def last_message(self):
        return self.messages[-1].text if self.messages else ""

    # --- by name ---

    _ctypes = {"Real": c_double, "Integer": c_int, "Boolean": c_int, "Enumeration": c_int,
               "String": c_char_p}
    _calls = {"Enumeration": "Integer"}

    def _kind(self, name):
        kind = self.fmu.variable(name).type
        return self._calls.get(kind, kind), self._ctypes[kind]

    def try_get(self, *names):
        """Status and values of variables of one type."""
        call, ctype = self._kind(names[0])
        values = array(ctype, [ctype()] * 0 + [0 if ctype is not c_char_p else None] * len(names))
        refs = array(c_uint, map(self.fmu.reference, names))
        status = getattr(self, "Get" + call)(refs, len(names), values)
        return status, list(values)[:len(names)]

    def get(self, name):
        status, values = self.try_get(name)
        assert status == OK, (name, self.last_message())
        return values[0]

    def set(self, **by_name):
        """Sets variables of one type; a dot in a name is written as two underscores."""
        return self.set_all({k.replace("__", "."): v for k, v in by_name.items()})

    def set_all(self, values):
        names = list(values)
        call, ctype = self._kind(names[0])
        return getattr(self, "Set" + call)(array(c_uint, map(self.fmu.reference, names)),
                                           len(names), array(ctype, values.values()))

    def snapshot(self):
        """Every value that can be read, as bytes: equal bytes mean equal to the last bit."""
        parts = []
        for call, ctype, kinds in (("Real", c_double, ("Real",)),
                                   ("Integer", c_int, ("Integer", "Enumeration")),
                                   ("Boolean", c_int, ("Boolean",))):
            refs = [v.reference for v in self.fmu.variables.values() if v.type in kinds]
            values = array(ctype, [0] * len(refs))
            status = getattr(self, "Get" + call)(array(c_uint, refs), len(refs), values)
            assert status == OK, self.last_message()
            parts.append(bytes(values))
        return b"".join(parts)

    # --- life cycle ---

    def start(self, start=0.0, stop=None, **parameters):
        """To the first communication point."""
        assert self.SetupExperiment(0, 0.0, start, int(stop is not None), stop or 0.0) == OK
        assert self.EnterInitializationMode() == OK
        for name, value in parameters.items():
            assert self.set(**{name: value}) == OK, self.last_message()
        assert self.ExitInitializationMode() == OK, self.last_message()
        return self

    def step(self, t, size):
        return self.DoStep(t, size, 1)

    def steps(self, t, size, n):
        for i in range(n):
            assert self.step(t + i * size, size) == OK, self.last_message()

    # --- states ---

    def save(self):
        state = c_void_p()
        assert self.GetFMUstate(byref(state)) == OK
        return state

    def release(self, state):
        assert self.FreeFMUstate(byref(state)) == OK
        assert not state.value

    def serialize(self):
        state = self.save()
        size = c_size_t()
        assert self.SerializedFMUstateSize(state, byref(size)) == OK
        data = (c_char * size.value)()
        assert self.SerializeFMUstate(state, data, size) == OK
        self.release(state)
        return bytes(data)

    def deserialize(self, data):
        """Status and state."""
        state = c_void_p()
        buffer = (c_char * max(1, len(data))).from_buffer_copy(data or b"\0")
        return self.DeSerializeFMUstate(buffer, len(data), byref(state)), state

    # --- derivatives ---

    def slope(self, name, value, order=1):
        return self.SetRealInputDerivatives(array(c_uint, [self.fmu.reference(name)]), 1,
                                            array(c_int, [order]), array(c_double, [value]))

    def derivative(self, name, order=1):
        value = c_double(float("nan"))
        status = self.GetRealOutputDerivatives(array(c_uint, [self.fmu.reference(name)]), 1,
                                               array(c_int, [order]), byref(value))
        return status, value.value

    def directional(self, unknown, seeds):
        value = c_double(float("nan"))
        status = self.GetDirectionalDerivative(
            array(c_uint, [self.fmu.reference(unknown)]), 1,
            array(c_uint, map(self.fmu.reference, seeds)), len(seeds),
            array(c_double, seeds.values()), byref(value))
        return status, value.value

    # --- status ---

    def real_status(self):
        value = c_double(float("nan"))
        return self.GetRealStatus(LAST_SUCCESSFUL_TIME, byref(value)), value.value
