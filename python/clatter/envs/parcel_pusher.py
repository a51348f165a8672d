"""A carriage shoves a parcel to a place and leaves it there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clatter._examples import example
from clatter.envs.mechanism_env import MechanismEnv, Observation
from clatter.variables import Value

TARGET = 1.0  # m, where the parcel's centre shall rest
FORCE = 50.0  # N, the largest one


class ParcelPusherEnv(MechanismEnv):
    """The action is the force on the carriage, in N; every 10 ms.

    The reward of a step is 1 - d/0.54 m, d being the parcel's distance from 1 m (0.54 m is that of
    its start), less a little for force. The parcel can be shoved, not pulled: beyond the target it
    stays there. An episode ends at the stop, which the parcel must not strike (reward -10).
    The parcel's mass is drawn between 1.5 kg and 2.5 kg.
    """

    def __init__(self, interval: float = 0.01) -> None:
        super().__init__(
            example("parcel_pusher"), interval=interval, reward=reward,
            observations=["carriage.x", "carriage.velocity_x", "parcel.x", "parcel.velocity_x"],
            measured=["stop_contact_bottom.closed", "stop_contact_top.closed"],
            terminated=strikes_stop, sample=draw_parameters, failure_reward=-10.0)


def strikes_stop(outputs: Mapping[str, float]) -> bool:
    return outputs["stop_contact_bottom.closed"] != 0 or outputs["stop_contact_top.closed"] != 0


def reward(outputs: Mapping[str, float], action: Observation) -> float:
    if strikes_stop(outputs):
        return -10.0
    distance = abs(outputs["parcel.x"] - TARGET)
    return 1.0 - distance / 0.54 - 0.01 * float((action[0] / FORCE) ** 2)


def draw_parameters(random: np.random.Generator) -> Mapping[str, Value]:
    return {"parcel_mass": float(random.uniform(1.5, 2.5)), "drive_force": 0.0}
