"""A digest of some random play through every face, to be compared between processes.

Run as `python tests/transcript.py GAME NUM_PLAYERS`.
"""

import hashlib
import sys

import numpy as np

from climbenvs.envs.aec import make_env
from climbenvs.envs.single import SingleSeatEnv, SingleSeatVectorEnv


def choose(mask, rng):
    """A random legal action of one mask."""
    return int(rng.choice(np.flatnonzero(mask)))


def play_aec(env, seed, decisions):
    """Everything the agents see in `decisions` decisions, as one list of plain values."""
    rng, seen = np.random.default_rng(seed), []
    env.reset(seed=seed)
    while decisions:
        for agent in env.agent_iter():
            observation, reward, termination, _, info = env.last()
            seen += [agent, observation["observation"].tobytes(), float(reward), termination]
            seen += [observation["action_mask"].tobytes(), sorted(info.items())]
            env.step(None if termination else choose(observation["action_mask"], rng))
            decisions -= 1
            if not decisions:
                return seen
        seen.append(env.state().tobytes())
        env.reset()
    return seen


def play_single(env, seed, decisions):
    """Everything a learner sees in `decisions` decisions, as one list of plain values."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen = []
    for _ in range(decisions):
        observation, reward, termination, _, info = env.step(choose(info["action_mask"], rng))
        seen += [observation.tobytes(), reward, termination, info.pop("action_mask").tobytes()]
        seen.append(sorted(info.items()))
        if termination:
            observation, info = env.reset()
        else:
            info["action_mask"] = env.unwrapped.action_masks()
    return seen


def play_vector(envs, seed, steps):
    """Everything the learners of a vector see in some steps, as one list of plain values."""
    rng = np.random.default_rng(seed)
    _, infos = envs.reset(seed=seed)
    seen = []
    for _ in range(steps):
        actions = [choose(mask, rng) for mask in infos["action_mask"]]
        observations, rewards, terminations, _, infos = envs.step(np.array(actions))
        seen += [observations.tobytes(), rewards.tobytes(), terminations.tobytes()]
        seen += [infos["action_mask"].tobytes(), infos["seat"].tobytes()]
    return seen


def digest(game, num_players):
    """One number for all of it."""
    seen = [
        play_aec(make_env(game, num_players=num_players), 3, 60),
        play_single(SingleSeatEnv(game, num_players=num_players), 4, 30),
        play_vector(SingleSeatVectorEnv(game, 3, num_players=num_players), 5, 15),
    ]
    return hashlib.sha256(repr(seen).encode()).hexdigest()


if __name__ == "__main__":
    print(digest(sys.argv[1], int(sys.argv[2])))
