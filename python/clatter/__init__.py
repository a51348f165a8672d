"""Clatter: mechanisms with hard contacts, simulated from Python.

    import clatter
    model = clatter.Model(clatter.example("parcel_pusher"))
    result = model.simulate(stop=2.0)

:class:`Model` reads a model, :class:`Simulation` steps through a motion, :class:`Mechanism` builds
models; ``clatter.envs`` has environments for Gymnasium.
"""

from clatter._element import Element
from clatter._errors import (
    ClatterError,
    ClatterWarning,
    ModelError,
    Problem,
    ProgramError,
    StartError,
    StepError,
    ValueRefusedError,
    VariableError,
)
from clatter._examples import example
from clatter._library import version as _version
from clatter._sweep import sweep
from clatter._sweep_rows import SweepError
from clatter._sweep_samples import samples
from clatter.mechanism import Mechanism
from clatter.model import Model, check
from clatter.simulation import Simulation
from clatter.variables import Variable, Variables
from clatter.view import View

__version__ = _version()

__all__ = [
    "ClatterError", "ClatterWarning", "Element", "Mechanism", "Model", "ModelError", "Problem",
    "ProgramError", "Simulation", "StartError", "StepError", "SweepError", "ValueRefusedError",
    "Variable", "VariableError", "Variables", "View", "check", "example", "samples", "sweep",
]
