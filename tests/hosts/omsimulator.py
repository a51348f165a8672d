"""OMSimulator's library, found beside the program of that name on the PATH. Its warnings and errors go to
standard error; all that it writes to standard output is dropped.
"""

import ctypes
import os
import shutil
import sys
from ctypes import byref, c_bool, c_char_p, c_double, c_int
from pathlib import Path

STATUS_OK = 0
WEAKLY_COUPLED = 1
WARNING = 1  # of messages
GETTERS = {"Real": ("oms_getReal", c_double), "Integer": ("oms_getInteger", c_int),
           "Enumeration": ("oms_getInteger", c_int), "Boolean": ("oms_getBoolean", c_bool)}


@ctypes.CFUNCTYPE(None, c_int, c_char_p)
def tell(kind, message):
    if kind == WARNING:  # it writes errors to standard error itself
        print(f"warning: {message.decode()}", file=sys.stderr, flush=True)


def load():
    program = Path(shutil.which("OMSimulator") or sys.exit("OMSimulator is not on the PATH")).resolve()
    found = sorted(program.parents[1].glob("lib/**/libOMSimulator.so"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    library = ctypes.CDLL(str(found[0]))
    library.oms_setLoggingCallback(tell)
    return library


class Model:
    """Calls functions of the library, whose first argument is the path of an element; anything but
    success is an exception."""

    def __init__(self, directory):
        self.library = load()
        self.name = None
        self.check("oms_setTempDirectory", os.fsencode(directory))

    def check(self, function, *arguments):
        if getattr(self.library, function)(*arguments) != STATUS_OK:
            raise RuntimeError(f"{function}{arguments}")

    def new(self, fmu):
        self.name = "model"
        self.check("oms_newModel", b"model")
        self.check("oms_addSystem", b"model.root", WEAKLY_COUPLED)
        self.check("oms_addSubModel", b"model.root.plant", os.fsencode(fmu))

    def import_system(self, ssp):
        name = c_char_p()
        self.check("oms_importFile", os.fsencode(ssp), byref(name))
        self.name = name.value.decode()

    def set(self, path, kind, value):
        function, number = {"Real": ("oms_setReal", c_double)}.get(kind, ("oms_setInteger", c_int))
        self.check(function, f"{self.name}.{path}".encode(), number(value))

    def get(self, path, kind="Real"):
        function, number = GETTERS[kind]
        value = number()
        self.check(function, f"{self.name}.{path}".encode(), byref(value))
        return value.value

    def run(self, step, n_steps, read):
        """Steps of equal length; what read() gives after each."""
        name = self.name.encode()
        self.check("oms_setResultFile", name, b"", 0)
        self.check("oms_setStopTime", name, c_double(step * n_steps))
        self.check("oms_setFixedStepSize", name, c_double(step))
        self.check("oms_instantiate", name)
        self.check("oms_initialize", name)
        rows = []
        for i in range(n_steps):
            self.check("oms_stepUntil", name, c_double((i + 1) * step))
            rows.append(read())
        self.check("oms_terminate", name)
        self.check("oms_delete", name)
        return rows
