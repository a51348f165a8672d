"""Mechanisms as environments of Gymnasium, for controllers and learners.

Importing this module registers ``clatter/ParcelPusher-v0`` and ``clatter/HoppingLeg-v0``:

    import gymnasium
    import clatter.envs
    env = gymnasium.make("clatter/ParcelPusher-v0")

:class:`MechanismEnv` makes one of any model.
"""

from __future__ import annotations

import gymnasium

from clatter.envs.hopping_leg import HoppingLegEnv
from clatter.envs.mechanism_env import MechanismEnv
from clatter.envs.parcel_pusher import ParcelPusherEnv

gymnasium.register("clatter/ParcelPusher-v0", entry_point="clatter.envs:ParcelPusherEnv",
                   max_episode_steps=200)
gymnasium.register("clatter/HoppingLeg-v0", entry_point="clatter.envs:HoppingLegEnv",
                   max_episode_steps=400)

__all__ = ["HoppingLegEnv", "MechanismEnv", "ParcelPusherEnv"]
