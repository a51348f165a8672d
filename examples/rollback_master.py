"""A master that goes back: step doubling on a plant with impacts and its controller.

    clatter pack examples/controllers/carriage.xml -o carriage.fmu
    python examples/rollback_master.py carriage.fmu build/release/examples/pd_controller.fmu

Every step is made twice, as one step of length H and as two of H/2, from the same state
(fmi2GetFMUstate, fmi2SetFMUstate). The difference of the positions tells how far off the longer one is:
above the tolerance both FMUs go back and H is halved; far below it the next step is twice as long. So
steps are short where the carriage strikes the stop, and long elsewhere. The plant's own step follows
that of the master: solver.step_size is the longest step.
"""

import argparse
from pathlib import Path

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave

POSITIONS = ["carriage.x"]
LONGEST, SHORTEST = 2.0**-5, 2.0**-14  # s; powers of two, so that no time is rounded


class Component:
    """One FMU of the system, with values by name."""

    def __init__(self, path, parameters):
        description = fmpy.read_model_description(path)
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.fmu = FMU2Slave(guid=description.guid, unzipDirectory=fmpy.extract(path),
                             modelIdentifier=description.coSimulation.modelIdentifier,
                             instanceName=Path(path).stem)
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        for name, value in parameters.items():
            self.set(name, value)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.state = None
        self.n_steps = 0

    def set(self, name, value):
        self.fmu.setReal([self.references[name]], [value])

    def get(self, *names):
        return self.fmu.getReal([self.references[name] for name in names])

    def step(self, t, dt):
        self.fmu.doStep(t, dt)
        self.n_steps += 1

    def save(self):
        if self.state is not None:
            self.fmu.freeFMUstate(self.state)
        self.state = self.fmu.getFMUState()

    def restore(self):
        self.fmu.setFMUState(self.state)

    def free(self):
        if self.state is not None:
            self.fmu.freeFMUstate(self.state)
        self.fmu.terminate()
        self.fmu.freeInstance()


class Loop:
    """Plant and controller, whose values are exchanged before each step."""

    def __init__(self, plant, controller):
        self.plant = Component(plant, {"solver.step_size": LONGEST})
        self.controller = Component(controller, {"start_time": 0.0})

    def step(self, t, dt):
        position, velocity = self.plant.get("carriage.x", "carriage.velocity_x")
        self.plant.set("drive_force", self.controller.get("force")[0])
        self.controller.set("position", position)
        self.controller.set("velocity", velocity)
        self.plant.step(t, dt)
        self.controller.step(t, dt)

    def save(self):
        self.plant.save()
        self.controller.save()

    def restore(self):
        self.plant.restore()
        self.controller.restore()

    def positions(self):
        return np.array(self.plant.get(*POSITIONS))

    def free(self):
        self.plant.free()
        self.controller.free()


def run_fixed(plant, controller, dt, stop):
    """Times, positions then, and how many steps the plant made."""
    loop = Loop(plant, controller)
    rows = [loop.positions()]
    n = round(stop / dt)
    for i in range(n):
        loop.step(i * dt, dt)
        rows.append(loop.positions())
    n_steps = loop.plant.n_steps
    loop.free()
    return np.arange(n + 1) * dt, np.array(rows), n_steps


def run_with_rollback(plant, controller, tolerance, stop):
    """The same with steps chosen so that one step is off by no more than the tolerance (m)."""
    loop = Loop(plant, controller)
    t, dt, times, rows = 0.0, LONGEST, [0.0], [loop.positions()]
    while t < stop:
        while t % dt != 0.0 or t + dt > stop:  # stay on multiples of the step
            dt /= 2
        loop.save()
        loop.step(t, dt)
        of_one = loop.positions()
        loop.restore()
        loop.step(t, dt / 2)
        loop.step(t + dt / 2, dt / 2)
        error = np.abs(loop.positions() - of_one).max()
        if error > tolerance and dt > SHORTEST:
            loop.restore()
            dt /= 2
            continue
        t += dt
        times.append(t)
        rows.append(loop.positions())
        if error < tolerance / 4 and dt < LONGEST:
            dt *= 2
    n_steps = loop.plant.n_steps
    loop.free()
    return np.array(times), np.array(rows), n_steps


def errors(reference, times, rows):
    """Largest and last difference from the reference, m."""
    t, x = reference[:2]
    difference = np.abs(rows - x[np.rint(times / t[1]).astype(int)])
    return difference.max(), difference[-1].max()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plant")
    parser.add_argument("controller")
    parser.add_argument("--stop", type=float, default=1.5)
    parser.add_argument("--reference", type=float, default=2.0**-16, help="step of the reference, s")
    arguments = parser.parse_args()
    fmus = arguments.plant, arguments.controller
    reference = run_fixed(*fmus, arguments.reference, arguments.stop)
    print("master                 steps of the plant   largest error   error at the end")
    for exponent in (-7, -9, -11, -13):
        times, rows, n = run_fixed(*fmus, 2.0**exponent, arguments.stop)
        largest, last = errors(reference, times, rows)
        print(f"step 2^{exponent} s".ljust(23), f"{n:18}   {largest:11.2e} m   {last:14.2e} m")
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-7):
        times, rows, n = run_with_rollback(*fmus, tolerance, arguments.stop)
        largest, last = errors(reference, times, rows)
        print(f"tolerance {tolerance:g} m".ljust(23), f"{n:18}   {largest:11.2e} m   {last:14.2e} m"
              f"   shortest step {np.diff(times).min():.1e} s")


if __name__ == "__main__":
    main()
