"""The pile in Drake: MultibodyPlant with steps, contact by points, driven as pile_driver.py says.
Settings:
    model       sap (convex, soft) or similar (SAP with Hunt and Crossley's damping)
    stiffness   of the contact between two spheres, N/m
    damping     relaxation time of sap's contacts in steps (1); of similar's, dissipation in s/m (50)
"""

from importlib.metadata import version

import numpy as np
from pydrake.geometry import HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

import pile_driver

MODELS = {"sap": DiscreteContactApproximation.kSap,
          "similar": DiscreteContactApproximation.kSimilar}


def surface(pile):
    """Stiffnesses are in series, so that each has twice that of the contact."""
    kind = pile.settings["model"]
    properties = ProximityProperties()
    stiffness = 2 * float(pile.settings["stiffness"])
    properties.AddProperty("material", "point_contact_stiffness", stiffness)
    properties.AddProperty("material", "coulomb_friction", CoulombFriction(pile.mu, pile.mu))
    damping = pile.settings.get("damping")
    if kind == "sap":
        # the times of the two surfaces are added
        properties.AddProperty("material", "relaxation_time", 0.5 * float(damping or 1) * pile.dt)
    else:
        properties.AddProperty("material", "hunt_crossley_dissipation", float(damping or 50))
    return properties


class DrakeMotion:
    def __init__(self, pile):
        if pile.settings.get("model") not in MODELS:
            raise ValueError("no such model of contact")
        self.pile = pile
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=pile.dt)
        plant.set_discrete_contact_approximation(MODELS[pile.settings["model"]])
        plant.mutable_gravity_field().set_gravity_vector([0, 0, -pile.gravity])
        properties = surface(pile)
        for i, (point, normal) in enumerate(pile.planes):
            plant.RegisterCollisionGeometry(
                plant.world_body(), HalfSpace.MakePose(np.array(normal, float),
                                                       np.array(point, float)),
                HalfSpace(), f"wall_{i}", properties)
        inertia = SpatialInertia(pile.mass, np.zeros(3), UnitInertia.SolidSphere(pile.radius))
        self.bodies = []
        for i in range(pile.n):
            body = plant.AddRigidBody(f"ball_{i}", inertia)
            plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(pile.radius),
                                            f"skin_{i}", properties)
            self.bodies.append(body)
        plant.Finalize()
        self.plant, self.diagram = plant, builder.Build()
        self.simulator = Simulator(self.diagram)
        self.context = plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for body, place in zip(self.bodies, pile.positions):
            plant.SetFreeBodyPose(self.context, body, RigidTransform(np.array(place)))
        self.simulator.Initialize()
        self.q = [body.floating_positions_start() for body in self.bodies]    # quaternion, place
        self.v = [body.floating_velocities_start_in_v() for body in self.bodies]  # turning, place

    def steps(self, _, end):
        self.simulator.AdvanceTo(end * self.pile.dt)

    def row(self):
        q, v = self.plant.GetPositions(self.context), self.plant.GetVelocities(self.context)
        return np.array([(*q[i + 4:i + 7], *v[j + 3:j + 6], *v[j:j + 3])
                         for i, j in zip(self.q, self.v)], dtype=float)


if __name__ == "__main__":
    pile_driver.main(f"Drake {version('drake')}", DrakeMotion)
