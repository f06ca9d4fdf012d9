"""A fingerprint of everything a game shows under random play."""

import hashlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.position import Position
from climbenvs.registry import load
from climbenvs.testing.cases import Case, global_state, observe_all, record_bytes


def trace(
    game: str | Game | GameDefinition,
    num_players: int | None = None,
    seed: int = 0,
    decisions: int = 200,
    options: Mapping[str, Any] | None = None,
) -> Iterator[str]:
    """Random play, game after game: a running fingerprint of each position.

    Args:
        game: name, definition or loaded game.
        num_players: seats; the game's default if None.
        seed: of the first game and of the choices.
        decisions: how many are played.
        options: options by name.

    Yields:
        After the deal and after every decision, 16 hexadecimal digits that depend on all records,
        observations of all seats, global states, masks, rewards, snapshots and determinised
        copies so far.
    """
    game = load(game)
    players = game.definition.default_players if num_players is None else num_players
    position = Case(game, players, options or {}).start(seed)
    rng = random.Random(seed)
    digest = hashlib.sha256()
    for decision in range(decisions + 1):
        _add(digest, position)
        if not position.is_over:
            seat = rng.randrange(players)
            digest.update(record_bytes(position.determinize(seat, rng.getrandbits(64))))
        yield digest.hexdigest()[:16]
        if decision == decisions:
            return
        if position.is_over:
            position.restart()
        else:
            position.apply(rng.choice(position.legal_actions()))


def _add(digest: Any, position: Position) -> None:
    digest.update(record_bytes(position))
    digest.update(observe_all(position).tobytes())
    digest.update(global_state(position).tobytes())
    digest.update(position.action_mask().tobytes())
    digest.update(position.rewards().astype(np.float32).tobytes())
    digest.update(repr((position.player, position.to_dict(), position.outcome())).encode())


def trace_digest(
    game: str | Game | GameDefinition,
    num_players: int | None = None,
    seed: int = 0,
    decisions: int = 200,
    options: Mapping[str, Any] | None = None,
) -> str:
    """The last fingerprint of `trace`: equal wherever the game is the same.

    Args:
        game: name, definition or loaded game.
        num_players: seats; the game's default if None.
        seed: of the first game and of the choices.
        decisions: how many are played.
        options: options by name.
    """
    *_, last = trace(game, num_players, seed, decisions, options)
    return last
