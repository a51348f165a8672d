"""A leg on a rail that shall hop as high as it can."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clatter._examples import example
from clatter.envs.mechanism_env import MechanismEnv, Observation
from clatter.variables import Value

STANDING = 0.7  # m, the trunk's height at the start, about


class HoppingLegEnv(MechanismEnv):
    """The actions are the target angles of the motors in hip and knee, in rad; every 10 ms.

    The reward of a step is the height of the trunk above that of its start, in m, less a little for
    the torques of the motors. An episode ends with reward -1 when the trunk is lower than 0.3 m: the
    leg has collapsed. The bend at the start is drawn between 0.4 rad and 0.6 rad. The swing that the
    model has by itself is off.
    """

    def __init__(self, interval: float = 0.01) -> None:
        super().__init__(
            example("hopping_leg"), interval=interval, reward=reward,
            observations=["trunk.y", "trunk.velocity_y", "thigh.angle", "shank.angle",
                          "thigh.angular_velocity", "shank.angular_velocity", "foot_contact.gap"],
            measured=["hip_motor.torque", "knee_motor.torque"], parameters={"swing": 0.0},
            terminated=has_collapsed, sample=draw_parameters, failure_reward=-1.0)


def has_collapsed(outputs: Mapping[str, float]) -> bool:
    return outputs["trunk.y"] < 0.3


def reward(outputs: Mapping[str, float], action: Observation) -> float:
    if has_collapsed(outputs):
        return -1.0
    torques = np.array([outputs["hip_motor.torque"], outputs["knee_motor.torque"]])
    return outputs["trunk.y"] - STANDING - 1e-6 * float(torques @ torques)


def draw_parameters(random: np.random.Generator) -> Mapping[str, Value]:
    return {"initial_bend": float(random.uniform(0.4, 0.6))}
