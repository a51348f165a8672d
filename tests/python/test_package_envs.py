"""The Python package: environments for Gymnasium."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tools

import clatter
import clatter.envs

NAMES = ["clatter/ParcelPusher-v0", "clatter/HoppingLeg-v0"]


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_is_content(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for advice in ("(minimum|maximum) value", "symmetric and normalized"):
            warnings.filterwarnings("ignore", message=f".*{advice}.*")
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_episodes_repeat(name):
    def play(seed):
        env = gymnasium.make(name)
        env.action_space.seed(3)
        history = [env.reset(seed=seed)[0]]
        for _ in range(30):
            observation, reward, *_ = env.step(env.action_space.sample())
            history.append(np.append(observation, reward))
        env.close()
        return np.concatenate(history)

    assert np.array_equal(play(1), play(1))
    assert not np.array_equal(play(1), play(2))


def push(env, observation):
    """Shoves at 0.5 m/s; friction of 3.4 m/s^2 then stops the parcel within 4 cm."""
    x, v, parcel_x, parcel_v = observation
    return [20.0 * (0.5 - v) + 7.0 if parcel_x < 0.96 else -20.0 * v]


def test_a_controller_earns_more_than_none():
    def play(controller):
        env = gymnasium.make("clatter/ParcelPusher-v0")
        observation, _ = env.reset(seed=0)
        total, ended = 0.0, False
        while not ended:
            observation, reward, terminated, truncated, _ = env.step(controller(env, observation))
            total += reward
            ended = terminated or truncated
        return total, observation

    idle, _ = play(lambda env, observation: [0.0])
    hasty, _ = play(lambda env, observation: [50.0])
    steered, last = play(push)
    assert steered > idle + 50 and steered > hasty
    assert abs(last[2] - 1.0) < 0.02


def test_the_leg_earns_by_hopping():
    def play(controller):
        env = gymnasium.make("clatter/HoppingLeg-v0")
        env.reset(seed=0)
        total = 0.0
        for step in range(400):
            _, reward, terminated, truncated, _ = env.step(controller(0.01 * step))
            total += reward
            if terminated or truncated:
                break
        return total

    def swing(t):
        s = 0.3 * np.sin(4 * np.pi * t)
        return np.array([0.5 - s, -1.0 + 2 * s])

    assert play(swing) > play(lambda t: np.array([0.5, -1.0])) + 5


def test_any_model():
    model = clatter.Model(tools.mechanism(
        '<input name="push" min="-5" max="5"/><point_mass name="cart" mass="1" initial_x="1"/>'
        '<force name="f" on="cart" x="push"/>'))
    env = clatter.envs.MechanismEnv(
        model, observations=["cart.x", "cart.velocity_x"], interval=0.05,
        reward=lambda outputs, action: -outputs["cart.x"] ** 2,
        terminated=lambda outputs: abs(outputs["cart.x"]) > 2)
    observation, info = env.reset(options={"parameters": {"cart.initial_x": 1.5}})
    assert observation == pytest.approx([1.5, 0.0]) and info == {"time": 0.0}
    ended = False
    while not ended:
        observation, reward, ended, truncated, info = env.step([7.0])  # cut off at 5 N
        assert reward == -observation[0] ** 2 and not truncated
    assert observation[1] == pytest.approx(5.0 * info["time"])
    with pytest.raises(clatter.ValueRefusedError):
        env.step([float("nan")])


def test_a_failed_step_ends_the_episode():
    model = clatter.Model(tools.mechanism(
        '<input name="push"/><point_mass name="a" mass="1"/>'
        '<force name="f" on="a" x="push + sqrt(0.02 - t)"/>'))
    env = clatter.envs.MechanismEnv(model, observations=["a.x"], reward=lambda outputs, action: 1.0,
                                    failure_reward=-3.0)
    env.reset()
    assert env.step([0.0])[1] == 1.0
    env.step([0.0])
    observation, reward, terminated, _, info = env.step([0.0])
    assert terminated and reward == -3.0 and "failed" in info["failure"]
    env.reset()
    assert not env.step([0.0])[2]


def test_many_at_once():
    env = gymnasium.make_vec("clatter/ParcelPusher-v0", num_envs=2, vectorization_mode="async")
    env.reset(seed=0)
    observations, rewards, *_ = env.step(np.array([[10.0], [20.0]]))
    assert observations.shape == (2, 4) and rewards.shape == (2,)
    env.close()


def test_simulations_of_environments_can_be_pickled():
    env = clatter.envs.ParcelPusherEnv()
    env.reset(seed=5)
    env.step([30.0])
    copy = pickle.loads(pickle.dumps(env))
    assert np.array_equal(copy.step([1.0])[0], env.step([1.0])[0])
