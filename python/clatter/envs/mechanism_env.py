"""Any model as an environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from clatter._errors import StepError, ValueRefusedError
from clatter.model import Model
from clatter.variables import Value, Variable

Observation = npt.NDArray[np.float64]
Action = npt.NDArray[np.float64]
#: Outputs at the end of a control interval, by name, and the action that led there.
RewardFunction = Callable[[Mapping[str, float], Action], float]
TerminationFunction = Callable[[Mapping[str, float]], bool]
#: Parameters of an episode, drawn with the environment's own random numbers.
SampleFunction = Callable[[np.random.Generator], Mapping[str, Value]]


class MechanismEnv(gymnasium.Env[Observation, Action]):
    """A model whose inputs are the action and whose outputs are the observation.

    Actions are the inputs' values, in their units, within the bounds that the model gives them;
    values beyond are cut off. A step that cannot be solved ends the episode (``terminated``), with
    the reason in ``info["failure"]`` and ``failure_reward`` as its reward.

    model: a model, or the path of one.
    observations: names or patterns of outputs.
    actions: names of inputs; default: all.
    reward: of the outputs (all of ``observations`` and ``measured``, by name) and the action.
    terminated: of the same outputs; default: never.
    interval: between actions, in s.
    measured: further variables, for reward and termination alone.
    parameters: of every episode.
    sample: draws parameters anew for each episode.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, model: Model | str | os.PathLike[str], *, observations: Sequence[str],
                 reward: RewardFunction, actions: Sequence[str] | None = None,
                 terminated: TerminationFunction | None = None, interval: float = 0.01,
                 measured: Sequence[str] = (), parameters: Mapping[str, Value] | None = None,
                 sample: SampleFunction | None = None, failure_reward: float = 0.0) -> None:
        self.model = model if isinstance(model, Model) else Model(model)
        self.parameters = dict(parameters or {})
        self.failure_reward = failure_reward
        self._reward = reward
        self._terminated = terminated
        self._sample = sample
        observed = self.model.variables.match(observations)
        self._n_observed = len(observed)
        self.simulation = self.model.start(interval=interval, parameters=self.parameters,
                                           inputs=actions, outputs=[*observed, *measured])
        self.action_space = action_space(
            [self.model.variables[name] for name in self.simulation.inputs])
        space: Any = gymnasium.spaces.Box(-np.inf, np.inf, (self._n_observed,), np.float64)
        self.observation_space = space

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode. ``options={"parameters": {...}}`` sets parameters of this one."""
        super().reset(seed=seed)
        parameters = dict(self.parameters)
        if self._sample is not None:
            parameters.update(self._sample(self.np_random))
        parameters.update((options or {}).get("parameters", {}))
        outputs = self.simulation.reset(parameters)
        return outputs[:self._n_observed], {"time": self.simulation.time}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        box = self.action_space
        assert isinstance(box, gymnasium.spaces.Box)
        action = np.asarray(action, dtype=float)
        if not np.isfinite(action).all():
            raise ValueRefusedError(f"the action {action} has numbers that are not finite")
        action = np.clip(action, box.low, box.high)
        try:
            outputs = self.simulation.step(action)
        except StepError as error:
            outputs = self.simulation.observe()
            info = {"time": self.simulation.time, "failure": str(error)}
            return outputs[:self._n_observed], self.failure_reward, True, False, info
        named = dict(zip(self.simulation.outputs, outputs.tolist()))
        ended = self._terminated is not None and bool(self._terminated(named))
        reward = float(self._reward(named, action))
        return outputs[:self._n_observed], reward, ended, False, {"time": self.simulation.time}

    def close(self) -> None:
        self.simulation.close()


def action_space(inputs: Sequence[Variable]) -> Any:
    return gymnasium.spaces.Box(np.array([variable.min for variable in inputs]),
                                np.array([variable.max for variable in inputs]), dtype=np.float64)
