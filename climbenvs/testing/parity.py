"""Check that one row of a batch plays the same game as a position, for any number of threads."""

import random

import numpy as np

from climbenvs.engine import jit, records
from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.position import Position
from climbenvs.envs.vector import Batch, VectorGame
from climbenvs.testing.cases import Case, Options, Players, cases

ROWS = 3
"""Rows that are compared with as many positions."""


def check_vector(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 300,
    seed: int = 0,
) -> None:
    """Play a `VectorGame` and one `Position` per row with the same actions, over several games.

    Observations, masks, players, rewards and ends are equal at every step; after an end both go
    on with the next game of the row's stream.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: fewest decisions of each case in all rows together; every row ends a game.
        seed: of the first row.

    Raises:
        AssertionError: naming game, player count, options, seed, decision and what differs.
    """
    for case in cases(game, num_players, options):
        rng = random.Random(seed)
        vector = _vector(case, ROWS, seed)
        positions = [case.start(seed + row) for row in range(ROWS)]
        rewards = np.zeros((ROWS, case.num_players), np.float32)
        done = np.zeros(ROWS, np.bool_)
        ended = np.zeros(ROWS, np.int64)
        batch = vector.reset()
        step = 0
        while True:
            for row in range(ROWS):
                where = seed + row, step
                _compare_row(case, where, positions[row], batch, row, rewards[row], done[row])
            ended += done
            if step * ROWS >= decisions and ended.min() > 0:
                break
            actions = [rng.choice(position.legal_actions()) for position in positions]
            batch = vector.step(actions)
            for row, position in enumerate(positions):
                paid = position.rewards()
                position.apply(actions[row])
                rewards[row] = position.rewards() - paid
                done[row] = position.is_over
                if done[row]:
                    position.restart()
            step += 1


def _vector(case: Case, rows: int, seed: int, num_threads: int = 1) -> VectorGame:
    return VectorGame(
        case.game,
        rows,
        num_players=case.num_players,
        seed=seed % 2**64,
        num_threads=num_threads,
        **case.options,
    )


def _compare_row(
    case: Case,
    where: tuple[int, int],
    position: Position,
    batch: Batch,
    row: int,
    rewards: np.ndarray,
    done: np.bool_,
) -> None:
    expected = Batch(
        position.observe(position.player),
        position.action_mask(),
        np.array(position.player),
        rewards,
        np.array(done),
    )
    for name, mine, theirs in zip(Batch._fields, expected, batch, strict=True):
        same = np.allclose if name == "rewards" else np.array_equal
        if not same(mine, theirs[row]):
            raise case.error(f"row {row} of a vector has another {name} than a position", *where)


def check_threads(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    steps: int | None = None,
    seed: int = 0,
) -> None:
    """Step a batch with one thread and with two: everything is equal.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        steps: steps of the whole batch, which has as many rows as two threads need; by default
            32, and 2 uncompiled.
        seed: of the first row.

    Raises:
        AssertionError: naming game, player count, options, step and what differs.
    """
    steps = (32 if jit.ENABLED else 2) if steps is None else steps
    for case in cases(game, num_players, options):
        one = _vector(case, 2 * records.ROWS_PER_THREAD, seed)
        two = _vector(case, one.num_envs, seed, num_threads=2)
        batches = one.reset(), two.reset()
        for step in range(steps + 1):
            _compare_vectors(case, one, two, f"step {step}, two threads")
            for name, mine, theirs in zip(Batch._fields, *batches, strict=True):
                if not np.array_equal(mine, theirs):
                    raise case.error(f"step {step}, two threads: the batch has another {name}")
            actions = one.sample_actions()
            if not np.array_equal(actions, two.sample_actions()):
                raise case.error(f"step {step}, two threads: the random actions differ")
            batches = one.step(actions), two.step(actions)


def _compare_vectors(case: Case, one: VectorGame, two: VectorGame, what: str) -> None:
    mine, theirs = one.get_state(), two.get_state()
    for name in mine.keys() - {"states"}:
        if not np.array_equal(mine[name], theirs[name]):
            raise case.error(f"{what}: the rows have other {name}")
    for field in mine["states"].dtype.names or ():
        if not np.array_equal(mine["states"][field], theirs["states"][field]):
            raise case.error(f"{what}: the records differ in {field}")


def check_rollout(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 2_000,
    seed: int = 0,
) -> None:
    """A rollout in compiled code ends where single steps with the same random actions end.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: decisions of each case in all rows together.
        seed: of the first row.

    Raises:
        AssertionError: naming game, player count, options and what differs.
    """
    for case in cases(game, num_players, options):
        rolled = _vector(case, ROWS, seed)
        rolled.reset()
        stepped = rolled.clone()
        steps = max(1, decisions // ROWS)
        games = np.zeros(ROWS, np.int64)
        returns = np.zeros((ROWS, case.num_players), np.float64)
        running = np.zeros_like(returns)
        for _ in range(steps):
            batch = stepped.step(stepped.sample_actions())
            games += batch.done
            running += batch.rewards
            returns[batch.done] += running[batch.done]
            running[batch.done] = 0
        result = rolled.rollout(steps)
        what = f"rollout of {steps} steps"
        _compare_vectors(case, rolled, stepped, what)
        if result.decisions != steps * ROWS or not np.array_equal(result.games, games):
            raise case.error(f"{what}: {result.games} games in each row; stepping ends {games}")
        if not np.allclose(result.returns, returns, atol=1e-4):
            raise case.error(f"{what}: the returns are {result.returns}; stepping gives {returns}")
