"""Players that choose for whole batches at once.

A policy is any object with `act(observation, action_mask, rng) -> actions`; rules of the form
(observation, action_mask, generator) -> action become one through `CompiledPolicy`.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np

from climbenvs.engine.game import Game, as_records
from climbenvs.engine.jit import rule
from climbenvs.engine.random import GENERATOR_DTYPE, below


@runtime_checkable
class Policy(Protocol):
    """What every player offers."""

    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row.

        Args:
            observation: [B, D] int8, each row as the seat to act sees it.
            action_mask: [B, N] int8.
            rng: the only source of randomness to use.

        Returns:
            [B] integers, each legal in its row.
        """
        ...


@rule
def choose_random(observation, action_mask, generator):
    """A legal action, all equally likely."""
    count = 0
    for action in range(action_mask.shape[0]):
        count += action_mask[action]
    skip = below(generator, count)
    action = 0
    while True:
        skip -= action_mask[action]
        if skip < 0:
            return action
        action += 1


def generators(rng: np.random.Generator, count: int) -> np.ndarray:
    """`count` independent generator records for compiled policies."""
    records = np.zeros(count, GENERATOR_DTYPE)
    records["rng"] = rng.integers(2**64, size=count, dtype=np.uint64)
    return as_records(records)


class CompiledPolicy:
    """A policy whose choice is a rule; it can also play inside `VectorGame.rollout`.

    Args:
        game: the game it plays.
        choose: rule (observation [D], action_mask [N], generator) -> action.
    """

    def __init__(self, game: Game, choose: Any) -> None:
        self.game = game
        self.choose = choose

    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row; see `Policy.act`."""
        count = len(observation)
        actions = np.empty(count, np.int64)
        kernel = self.game.kernel("choose", self.choose)
        kernel(
            np.ascontiguousarray(observation, np.int8),
            np.ascontiguousarray(action_mask, np.int8),
            generators(rng, count),
            actions,
            0,
            count,
        )
        return actions


def named_policy(game: Game, name: str) -> CompiledPolicy:
    """A policy of the game by name: "random" or one of its scripted players.

    Raises:
        ValueError: naming the policies there are.
    """
    known = {"random": choose_random, **game.definition.policies}
    if name not in known:
        raise ValueError(f"{game.name} has no policy {name!r}; there are {', '.join(known)}")
    return CompiledPolicy(game, known[name])


def as_policy(game: Game, policy: Any) -> Policy:
    """A policy from a name, a compiled rule, or an object with `act`."""
    if isinstance(policy, str):
        return named_policy(game, policy)
    if isinstance(policy, Policy):
        return policy
    raise TypeError(f"{policy!r} is no policy: expected a name or an object with an act method")
