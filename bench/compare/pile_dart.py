"""The pile in DART: one skeleton with a free joint for each sphere, collisions found by Bullet,
driven as pile_driver.py says. Nothing falls asleep. Settings:
    solver       dantzig (DART's default, exact), pgs (iterations), free (iterations without matrices)
    iterations   of the last two, at most
"""

import dartpy as dart
import numpy as np

import pile_driver


def choose_solver(solver, pile):
    kind = pile.settings.get("solver")
    iterations = int(pile.settings.get("iterations", 30))
    if kind not in ("dantzig", "pgs", "free"):
        raise ValueError("no such solver")
    if kind != "dantzig":
        # The module has no way to make one, but every world has one.
        pgs = dart.simulation.World().getConstraintSolver().getSecondaryBoxedLcpSolver()
        pgs.setOption(dart.constraint.PgsBoxedLcpSolverOption(iterations))
        solver.setBoxedLcpSolver(pgs)
    options = solver.getMatrixFreeContactSolverOptions()
    options.mEnabled, options.mMaxIterations, options.mMinRows = kind == "free", iterations, 0
    solver.setMatrixFreeContactSolverOptions(options)


def add_shape(node, pile, shape):
    shape_node = node.createShapeNode(shape)
    shape_node.createCollisionAspect()
    shape_node.createDynamicsAspect()
    shape_node.getDynamicsAspect().setFrictionCoeff(pile.mu)


class DartMotion:
    def __init__(self, pile):
        self.world = dart.simulation.World()
        self.world.setTimeStep(pile.dt)
        self.world.setGravity([0.0, 0.0, -pile.gravity])
        sleep = self.world.getDeactivationOptions()
        sleep.mEnabled = False
        self.world.setDeactivationOptions(sleep)
        solver = self.world.getConstraintSolver()
        solver.setCollisionDetector(dart.collision.BulletCollisionDetector())
        choose_solver(solver, pile)
        box = dart.dynamics.Skeleton("box")
        _, node = box.createWeldJointAndBodyNodePair()
        for point, normal in pile.planes:
            add_shape(node, pile, dart.dynamics.PlaneShape(np.array(normal, float),
                                                           np.array(point, float)))
        box.setMobile(False)
        self.world.addSkeleton(box)
        self.spheres = [self.add_sphere(pile, i, r) for i, r in enumerate(pile.positions)]

    def add_sphere(self, pile, i, position):
        skeleton = dart.dynamics.Skeleton(f"ball_{i}")
        _, node = skeleton.createFreeJointAndBodyNodePair()
        add_shape(node, pile, dart.dynamics.SphereShape(pile.radius))
        node.setInertia(dart.dynamics.Inertia(pile.mass, np.zeros(3), pile.inertia * np.eye(3)))
        skeleton.setPositions([0.0, 0.0, 0.0, *position])
        self.world.addSkeleton(skeleton)
        return node

    def steps(self, begin, end):
        for _ in range(begin, end):
            self.world.step()

    def row(self):
        return np.array([(*node.getTransform().translation(), *node.getLinearVelocity(),
                          *node.getAngularVelocity()) for node in self.spheres], dtype=float)


if __name__ == "__main__":
    pile_driver.main(f"DART {dart.__version__}", DartMotion)
