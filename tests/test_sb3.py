"""Stable-Baselines3 trains on a learner's seat, with masks and episode statistics."""

import gymnasium
import numpy as np
import pytest
from players import FirstLegal
from transcript import choose

import climbenvs
from climbenvs.envs.single import SingleSeatEnv

pytest.importorskip("sb3_contrib", reason="the extra 'train' is not installed")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from climbenvs.envs.sb3 import ModelPolicy, SeatVecEnv


def learner(env, **arguments):
    return MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=0, device="cpu", **arguments
    )


def test_passes_the_check_of_stable_baselines3(game, num_players):
    check_env(SingleSeatEnv(game, num_players=num_players, illegal_action="random"))


def test_maskable_ppo_learns_and_reports_episodes(game, num_players):
    model = learner(SeatVecEnv(game, 8, num_players=num_players, seed=1))
    model.learn(600)
    assert model.ep_info_buffer is not None
    model.env.set_opponents(["random", ModelPolicy(model)])
    model.learn(300, reset_num_timesteps=False)


def test_maskable_ppo_learns_to_beat_a_simple_opponent():
    env = SeatVecEnv("connect_four", 16, opponents=FirstLegal(), seat=0, seed=1)
    model = learner(env, learning_rate=3e-3)
    model.learn(6000)
    mean, _ = evaluate_policy(model, env, n_eval_episodes=32)
    assert mean > 0.8
    assert len(model.ep_info_buffer) > 0


def test_steps_equal_those_of_the_single_environment(game, num_players):
    vector = SeatVecEnv(game, 2, num_players=num_players, seed=4)
    env = SingleSeatEnv(game, num_players=num_players)
    observation, _ = env.reset(seed=5)
    observations, rng = vector.reset(), np.random.default_rng(0)
    length = 0
    for _ in range(100):
        assert (observations[1] == observation).all()
        assert (vector.env_method("action_masks", indices=1)[0] == env.action_masks()).all()
        actions = [choose(mask, rng) for mask in vector.env_method("action_masks")]
        observations, rewards, dones, infos = vector.step(np.array(actions))
        observation, reward, terminated, _, info = env.step(actions[1])
        length += 1
        assert (rewards.dtype, dones.dtype) == (np.float32, np.bool_)
        assert (rewards[1], dones[1]) == (np.float32(reward), terminated)
        assert infos[1]["TimeLimit.truncated"] is False
        if terminated:
            assert (infos[1]["terminal_observation"] == observation).all()
            assert infos[1]["episode"]["l"] == length
            assert infos[1]["episode"]["r"] == pytest.approx(reward, abs=1e-5)
            assert {key: infos[1][key] for key in ("end", "score", "winner", "seat")} == {
                key: info[key] for key in ("end", "score", "winner", "seat")
            }
            observation, _ = env.reset()
            length = 0


def test_offers_what_stable_baselines3_asks_of_a_vector(game):
    env = SeatVecEnv(game, 3, seat=1)
    env.seed(3)
    first = env.reset()
    env.seed(3)
    assert (env.reset() == first).all()
    assert (env.reset() != first).any() or game == "connect_four"
    assert is_masking_supported(env)
    assert get_action_masks(env).shape == (3, env.action_space.n)
    assert env.get_attr("seat") == [1, 1, 1]
    assert env.get_attr("seat", [0, 2]) == [1, 1]
    env.set_attr("note", 7, indices=1)
    assert env.get_attr("note", 1) == [7]
    assert not env.has_attr("no_such_attribute")
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(gymnasium.Wrapper, [0]) == [False]
    assert [info["seat"] for info in env.reset_infos] == [1, 1, 1]
    assert env.render_mode is None
    env.close()


@pytest.mark.filterwarnings(
    "ignore:The environment is already wrapped with a `Monitor`"  # true: rows report episodes
)
def test_works_inside_the_wrappers_of_stable_baselines3(game):
    env = VecMonitor(SeatVecEnv(game, 2, seed=0))
    env.reset()
    assert is_masking_supported(env)
    env.step(np.array([mask.argmax() for mask in env.env_method("action_masks")]))


def test_options_start_rows_from_snapshots(game):
    position = climbenvs.load(game).start(seed=3)
    env = SeatVecEnv(game, 2, seat=position.player, seed=1)
    env.set_options({"snapshot": position.to_dict()})
    expected = position.observe(position.player)
    assert (env.reset() == expected).all()


def test_renders_rows_as_text(game, capsys):
    env = SeatVecEnv(game, 2, render_mode="ansi", seed=0)
    env.reset()
    assert all(env.env_method("render"))
    env = SeatVecEnv(game, 2, render_mode="human", seed=0)
    env.reset()
    env.render()
    assert capsys.readouterr().out


def test_a_deterministic_model_policy_plays_legal_actions_only():
    env = SeatVecEnv("connect_four", 4, seed=0)
    policy = ModelPolicy(learner(env), deterministic=True)
    observation = env.reset()
    masks = np.eye(7, dtype=np.int8)[[1, 2, 3, 4]]
    rng = np.random.default_rng(0)
    assert policy.act(observation, masks, rng).tolist() == [1, 2, 3, 4]
    assert ModelPolicy(policy.model).act(observation, masks, rng).tolist() == [1, 2, 3, 4]


def test_an_illegal_action_raises():
    env = SeatVecEnv("connect_four", 2, seed=0)
    env.reset()
    with pytest.raises(climbenvs.IllegalActionError, match="row 1"):
        env.step(np.array([0, 7]))
