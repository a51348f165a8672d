"""The beams of the comparison in Exudyn, driven like the other programs (driver.h says how):

    exudyn_driver.py case=roll_up|pendulum|crank variants=A,B,... n=ELEMENTS dt=... stop=...
                     [budget=...] [trajectory=PREFIX]

A variant is ELEMENT_SOLVER: exact (ObjectBeamGeometricallyExact2D: two nodes, Timoshenko) or cable
(ObjectANCFCable2D: cubic, Euler and Bernoulli), dense or sparse. All that a step calls is compiled:
no functions of the user, no files, one thread, the module without checks of ranges. Motions are
generalized-alpha with the Jacobian kept as long as it will do (modified Newton), which is the
fastest here; the roll-up is static, stop / dt being the load steps.
"""

import json
import math
import sys
import time

sys.exudynFast = True  # before it is imported: the module without checks
import exudyn as exu  # noqa: E402
import exudyn.itemInterface as item  # noqa: E402
import numpy as np  # noqa: E402

SPECTRAL_RADIUS = 0.8
SOLVERS = {"dense": exu.LinearSolverType.EXUdense, "sparse": exu.LinearSolverType.EigenSparse}


class Section:
    """Of a rectangle, or given"""

    def __init__(self, width, height, modulus, density, poisson=0.3):
        area, second = width * height, width * height**3 / 12
        self.EA, self.EI = modulus * area, modulus * second
        self.GA = modulus / (2 * (1 + poisson)) * 5 / 6 * area
        self.mass, self.inertia = density * area, density * second


class Model:
    """What all of them are made of"""

    def __init__(self, element):
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.exact = element == "exact"
        self.ground = self.mbs.AddObject(item.ObjectGround())
        self.origin = self.mbs.AddMarker(item.MarkerNodeCoordinate(
            nodeNumber=self.mbs.AddNode(item.NodePointGround()), coordinate=0))

    def beam(self, length, n, section, x=0.0, velocity_y=0.0, omega=0.0, gravity=0.0):
        """Nodes of one along the x axis, which turns with omega about its first end"""
        nodes, h = [], length / n
        for i in range(n + 1):
            v = velocity_y + omega * i * h
            node = (item.NodeRigidBody2D(referenceCoordinates=[x + i * h, 0, 0],
                                         initialVelocities=[0, v, omega]) if self.exact else
                    item.NodePoint2DSlope1(referenceCoordinates=[x + i * h, 0, 1, 0],
                                           initialVelocities=[0, v, 0, omega]))
            nodes.append(self.mbs.AddNode(node))
        for pair in zip(nodes, nodes[1:]):
            common = {"nodeNumbers": list(pair), "length": h, "massPerLength": section.mass,
                      "bendingStiffness": section.EI, "axialStiffness": section.EA}
            element = self.mbs.AddObject(
                item.ObjectBeamGeometricallyExact2D(
                    **common, crossSectionInertia=section.inertia, shearStiffness=section.GA)
                if self.exact else item.ObjectANCFCable2D(**common))
            self.weight(element, gravity)
        return nodes

    def weight(self, body, gravity):
        if gravity:
            self.mbs.AddLoad(item.LoadMassProportional(
                markerNumber=self.mbs.AddMarker(item.MarkerBodyMass(bodyNumber=body)),
                loadVector=[0, -gravity, 0]))

    def hold(self, node, coordinates):
        for coordinate in coordinates:
            marker = self.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node,
                                                                  coordinate=coordinate))
            self.mbs.AddObject(item.ObjectConnectorCoordinate(markerNumbers=[self.origin, marker]))

    def pin(self, first, second):
        self.mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=[
            self.mbs.AddMarker(item.MarkerNodePosition(nodeNumber=node))
            for node in (first, second)]))


def roll_up(model, n):
    section = Section(1, 1, 1, 1)
    section.EA = section.GA = 1000.0
    section.EI, section.mass, section.inertia = 1.0, 0.1, 0.01
    nodes = model.beam(1.0, n, section)
    model.hold(nodes[0], (0, 1, 2) if model.exact else (0, 1, 3))
    end = (item.MarkerNodeRigid(nodeNumber=nodes[-1]) if model.exact else
           item.MarkerBodyRigid(bodyNumber=n, localPosition=[1.0 / n, 0, 0]))  # 0 is the ground
    model.mbs.AddLoad(item.LoadTorqueVector(markerNumber=model.mbs.AddMarker(end),
                                            loadVector=[0, 0, 0.3 * 2 * math.pi]))
    return [nodes[-1]]


def pendulum(model, n):
    nodes = model.beam(1.0, n, Section(0.01, 0.01, 1e8, 1000), gravity=9.81)
    model.hold(nodes[0], (0, 1))
    return [nodes[-1]]


def crank(model, n):
    crank_length, rod_length, omega, gravity = 0.153, 0.306, 150.0, 10.0
    speed = omega * crank_length
    arm = model.beam(crank_length, n, Section(0.0064, 0.005, 2.1e11, 7800), omega=omega,
                     gravity=gravity)
    rod = model.beam(rod_length, n, Section(0.0032, 0.005, 2.1e11, 7800), x=crank_length,
                     velocity_y=speed, omega=-speed / rod_length, gravity=gravity)
    slider = model.mbs.AddNode(item.NodePoint2D(referenceCoordinates=[crank_length + rod_length, 0]))
    model.weight(model.mbs.AddObject(item.ObjectMassPoint2D(mass=0.076, nodeNumber=slider)),
                 gravity)
    model.hold(arm[0], (0, 1))
    model.pin(arm[-1], rod[0])
    model.pin(rod[-1], slider)
    model.hold(slider, (1,))
    return [slider, rod[n // 2]]


CASES = {"roll_up": roll_up, "pendulum": pendulum, "crank": crank}


def settings(options, solver, n_steps, observed):
    s = exu.SimulationSettings()
    s.solution.file.write = False
    s.solution.sensors.active = observed
    s.linearSolver.solverType = SOLVERS[solver]
    s.linearSolver.reuseAnalyzedPattern = solver == "sparse"
    s.solution.sensors.writePeriod = options["dt"]
    s.timeIntegration.numberOfSteps, s.timeIntegration.endTime = n_steps, options["stop"]
    s.timeIntegration.verboseMode = s.staticSolver.verboseMode = 0
    s.timeIntegration.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
    s.timeIntegration.newton.useModifiedNewton = True
    s.staticSolver.numberOfLoadSteps = n_steps
    s.staticSolver.loadStepDuration = options["stop"]
    return s


def run(options, variant, observed=False):
    """Seconds of all steps without set-up, and the rows (first as it was set up) if observed"""
    element, solver = variant.split("_")
    model = Model(element)
    nodes = CASES[options["case"]](model, options["n"])
    sensors = [model.mbs.AddSensor(item.SensorNode(
        nodeNumber=node, storeInternal=True, writeToFile=False,
        outputVariableType=exu.OutputVariableType.Position)) for node in nodes if observed]
    model.mbs.Assemble()
    n_steps = round(options["stop"] / options["dt"])
    chosen = settings(options, solver, n_steps, observed)
    is_static = options["case"] == "roll_up"
    steps = exu.MainSolverStatic() if is_static else exu.MainSolverImplicitSecondOrder()
    good = steps.InitializeSolver(model.mbs, chosen)
    began = time.process_time()
    good = good and steps.SolveSteps(model.mbs, chosen)
    seconds = time.process_time() - began
    steps.FinalizeSolver(model.mbs, chosen)
    rows = None
    if observed and good:
        rows = np.hstack([model.mbs.GetSensorStoredData(sensor)[:, 1:3] for sensor in sensors])
        rows = rows[-(n_steps + 1):]
        good = len(rows) == n_steps + 1
    return good, seconds, rows


def measure(options, variants):
    results = {v: {"steps": round(options["stop"] / options["dt"]), "failed": False, "memory": 0,
                   "seconds": math.inf} for v in variants}
    if "trajectory" in options:
        for variant, result in results.items():
            good, result["seconds"], rows = run(options, variant, observed=True)
            result["failed"] = not good
            if good:
                rows.tofile(f"{options['trajectory']}.{variant}")
        return results
    end = time.monotonic() + options.get("budget", 0.0)
    while True:
        for variant, result in results.items():
            good, seconds, _ = run(options, variant)
            result["failed"] = result["failed"] or not good
            result["seconds"] = min(result["seconds"], seconds)
        if time.monotonic() >= end:
            return results


def main():
    words = dict(word.split("=", 1) for word in sys.argv[1:])
    options = {"case": words["case"], "n": int(words["n"])}
    options |= {key: float(words[key]) for key in ("dt", "stop", "budget") if key in words}
    if "trajectory" in words:
        options["trajectory"] = words["trajectory"]
    results = measure(options, words["variants"].split(","))
    print(json.dumps({"version": f"Exudyn {exu.__version__}", "variants": results}))


if __name__ == "__main__":
    main()
