"""What is measured: every loop people run, with random legal actions."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import Case
from climbenvs.engine.game import Game
from climbenvs.engine.records import ROWS_PER_THREAD
from climbenvs.envs.aec import make_env, make_raw_env
from climbenvs.envs.vector import VectorGame

ROLLOUT_STEPS = 16
"""A rollout fills the batch's buffers once at its end; fewer steps would measure mostly that."""
SEAT_BATCHES = (16, 256, 1024)
SEAT_STEPS = 200
"""Steps before the first measurement, so that games end at all times and not at once."""
# Positions are taken from so many games, so often, so many decisions apart.
POOL_ROWS, POOL_SAMPLES, POOL_STRIDE = 256, 16, 37


def player_counts(game: Game, chosen: list[int] | None) -> list[int]:
    """The chosen counts that the game takes; its smallest and largest if none was chosen."""
    low, high = game.definition.num_players
    return [n for n in chosen if low <= n <= high] if chosen else sorted({low, high})


def bytes_per_decision(game: Game) -> int:
    """Observation, mask and state record: what a decision at least has to move."""
    definition = game.definition
    return game.observation_layout.size + game.num_actions + definition.state_dtype.itemsize


def bytes_per_row(game: Game) -> int:
    """Memory a row of a `VectorGame` takes, but for a few words; it keeps the mask twice."""
    return bytes_per_decision(game) + game.num_actions


def effective_threads(batch: int, threads: list[int]) -> list[int]:
    """The thread counts that differ: a small batch is not cut into as many chunks."""
    return sorted({min(number, max(1, batch // ROWS_PER_THREAD)) for number in threads})


def typical_positions(game: Game, num_players: int) -> np.ndarray:
    """State records from all stages of random games, as a batch has them after long play."""
    env = VectorGame(game, POOL_ROWS, num_players=num_players)
    env.reset()
    env.rollout(POOL_STRIDE * POOL_SAMPLES)
    samples = []
    for _ in range(POOL_SAMPLES):
        env.rollout(POOL_STRIDE)
        samples.append(env.get_state()["states"])
    return np.concatenate(samples)


def vector_cases(
    game: Game, num_players: int, batch: int, threads: int, positions: np.ndarray
) -> list[Case]:
    """Compiled rollouts, and steps from Python with actions chosen in compiled code."""
    env = VectorGame(game, batch, num_players=num_players, num_threads=threads)
    rng = np.random.default_rng(batch)
    state = env.get_state()
    state["states"] = positions[rng.integers(len(positions), size=batch)]
    state["states"]["rng"] = rng.integers(2**64, size=batch, dtype=np.uint64)
    env.set_state(state)

    def rollout(times: int) -> int:
        return env.rollout(times).decisions

    def step(times: int) -> int:
        for _ in range(times):
            env.step(env.sample_actions())
        return times * batch

    labels = {"game": game.name, "players": num_players, "batch": batch, "threads": threads}
    return [
        Case(rollout, {"loop": "rollout", **labels}, fewest=ROLLOUT_STEPS),
        Case(step, {"loop": "step", **labels}, fewest=2),
    ]


def aec_case(env: Any, labels: dict[str, Any]) -> Case:
    """PettingZoo's loop as its documentation has it; counts decisions, not the final `None`s."""
    env.reset(seed=0)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)

    def play(times: int) -> int:
        decisions = 0
        for _ in range(times):
            env.reset()
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    action = None
                else:
                    action = env.action_space(agent).sample(observation["action_mask"])
                    decisions += 1
                env.step(action)
        return decisions

    return Case(play, labels)


def aec_cases(game: Game, num_players: int) -> list[Case]:
    """The AEC loop with and without PettingZoo's wrappers."""
    makers: list[tuple[str, Callable[..., Any]]] = [("raw_env", make_raw_env), ("env", make_env)]
    return [
        aec_case(
            maker(game, num_players=num_players),
            {"loop": "aec", "game": game.name, "players": num_players, "env": name},
        )
        for name, maker in makers
    ]


def seat_case(game: Game, num_players: int, batch: int) -> Case:
    """A learner's steps against random opponents, with the masks MaskablePPO asks for."""
    from climbenvs.envs.sb3 import SeatVecEnv

    env = SeatVecEnv(game, batch, num_players=num_players, seed=0)
    env.reset()

    def play(times: int) -> int:
        for _ in range(times):
            env.action_masks()
            env.step(env.loop.sample_actions())
        return times * batch

    play(SEAT_STEPS)
    labels = {"loop": "seat", "game": game.name, "players": num_players, "batch": batch}
    return Case(play, labels)


def pettingzoo_cases() -> list[Case]:
    """PettingZoo's own Connect Four in the same loop; ImportError if it lacks its dependencies."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from pettingzoo.classic import connect_four_v3

    return [
        aec_case(
            getattr(connect_four_v3, name)(),
            {"loop": "aec", "game": "pettingzoo connect_four_v3", "players": 2, "env": name},
        )
        for name in ("raw_env", "env")
    ]
