"""Event mode and early return of FMI 3.0: a host that looks at every impact of a ball.

    clatter pack resources/models/bouncing_ball.xml --fmi 3 -o ball.fmu
    python3 examples/fmi3_events.py ball.fmu
"""

import shutil
import sys

import fmpy
from fmpy.fmi3 import FMU3Slave

STOP, COMMUNICATION_STEP = 2.0, 0.1

path = sys.argv[1] if len(sys.argv) > 1 else "ball.fmu"
description = fmpy.read_model_description(path)
velocity = next(v.valueReference for v in description.modelVariables if v.name == "ball.velocity")
directory = fmpy.extract(path)
ball = FMU3Slave(guid=description.guid, unzipDirectory=directory, instanceName="ball",
                 modelIdentifier=description.coSimulation.modelIdentifier)
ball.instantiate(eventModeUsed=True, earlyReturnAllowed=True)
ball.enterInitializationMode()
ball.exitInitializationMode()  # to event mode
ball.updateDiscreteStates()
ball.enterStepMode()

time, n = 0.0, 1
while time < STOP - 1e-9:
    goal = n * COMMUNICATION_STEP
    event, _, early, reached = ball.doStep(time, goal - time)
    time, n = (reached, n) if early else (goal, n + 1)
    if event:
        ball.enterEventMode()  # a controller could set its outputs here
        print(f"impact before {time:.3f} s: goes on with "
              f"{ball.getFloat64([velocity], nValues=2)[1]:.2f} m/s")
        ball.updateDiscreteStates()
        ball.enterStepMode()

ball.terminate()
ball.freeInstance()
shutil.rmtree(directory)
