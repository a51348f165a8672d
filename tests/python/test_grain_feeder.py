"""resources/grains/feeder.xml as an FMU through FMPy: a controller steers the tray so that the weight
in the bin grows as it should; the state in the middle of the flow goes on in another process bit for
bit. CLATTER_GRAINS is the number of discs, 10000 for instance (400 without it)."""

import math
import os
import re

import fmpy
import pytest
from fmpy.fmi2 import FMU2Slave

import tools

FEEDER = tools.ROOT / "resources" / "grains" / "feeder.xml"
N_GRAINS = int(os.environ.get("CLATTER_GRAINS", 400))
STEP = 2e-3
SAMPLE, FILTER = 0.01, 0.2  # s, of the controller
SETTLED, SAVED, END = 0.8, 1.6, 2.2  # s: the flow is asked for, the state saved, the trial over
WANTED = 2.0  # N/s of flow into the bin
GAIN = 5e-3  # m of amplitude for each newton that is missing in the bin
HIGHEST = 5e-3  # m
FEW = 0.5  # N: eight discs that rolled over the edge as the heap formed
LAG = 1.2  # N: what comes in 0.2 s of the filter, 0.4 N, what the gain leaves at 2 mm, and noise
WATCHED = ("scale.force_y", "scale.impulse_y", "energy.total", "among.total_normal_force",
           "tray.velocity_x", "solver.residual", "solver.failed_steps")


def wanted_weight(t):
    return WANTED * max(t - SETTLED, 0.0)


class Feeder:
    """An instance of the FMU by FMPy, and its variables by name."""

    def __init__(self, directory):
        description = fmpy.read_model_description(directory)
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.types = {v.name: v.type for v in description.modelVariables}
        self.fmu = FMU2Slave(guid=description.guid, unzipDirectory=str(directory),
                             modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def __getitem__(self, name):
        get = self.fmu.getReal if self.types[name] == "Real" else self.fmu.getInteger
        return get([self.references[name]])[0]

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


def steer(feeder, start, stop, filtered=0.0):
    """The controller, from one time to another, with the weight that it has filtered: what was seen
    at each of its samples, that weight the first."""
    seen = []
    for n in range(round(start / SAMPLE), round(stop / SAMPLE)):
        weight = -(feeder["scale.force_y"] + feeder["scale.impulse_y"] / STEP)
        filtered += SAMPLE / FILTER * (weight - filtered)
        amplitude = min(max(GAIN * (wanted_weight(n * SAMPLE) - filtered), 0.0), HIGHEST)
        feeder.fmu.setReal([feeder.references["amplitude"]], [amplitude])
        feeder.fmu.doStep(n * SAMPLE, SAMPLE)
        seen.append((filtered, amplitude, *(feeder[name] for name in WATCHED)))
    return seen


OTHER_PROCESS = """
import sys
from test_grain_feeder import END, SAVED, Feeder, steer
feeder = Feeder(sys.argv[1])
state = feeder.fmu.deSerializeFMUstate(open(sys.argv[2], "rb").read())
feeder.fmu.setFMUstate(state)
feeder.fmu.freeFMUstate(state)
print(steer(feeder, SAVED, END, float(sys.argv[3])))
feeder.close()
"""


@pytest.fixture
def directory(tmp_path):
    rows = min(math.isqrt(N_GRAINS), 20)
    text = FEEDER.read_text()
    for name, value in (("columns", N_GRAINS // rows), ("rows", rows)):
        text, n = re.subn(f'name="{name}" value="[0-9]+"', f'name="{name}" value="{value}"', text)
        assert n == 1
    (tmp_path / "feeder.xml").write_text(text)
    tools.clatter("pack", tmp_path / "feeder.xml", "-o", tmp_path / "feeder.fmu")
    return fmpy.extract(str(tmp_path / "feeder.fmu"), str(tmp_path / "feeder"))


def test_a_controller_steers_the_feeder(directory, tmp_path):
    feeder = Feeder(directory)
    first = steer(feeder, 0.0, SAVED)
    state = feeder.fmu.getFMUstate()
    (tmp_path / "state").write_bytes(bytes(feeder.fmu.serializeFMUstate(state)))
    feeder.fmu.freeFMUstate(state)
    then = steer(feeder, SAVED, END, first[-1][0])
    feeder.close()
    for filtered, amplitude, *_ in (first + then)[::10]:
        print(f"amplitude {amplitude:.5f} m, weight {filtered:.3f} N")
    again = tools.python(OTHER_PROCESS, directory, tmp_path / "state", first[-1][0], timeout=3600)
    assert again.strip() == repr(then)  # bit for bit
    assert then[-1][-1] == 0  # failed steps
    assert first[round(SETTLED / SAMPLE)][0] < FEW  # nothing has shaken so far
    assert then[-1][0] == pytest.approx(wanted_weight(END), abs=LAG)
