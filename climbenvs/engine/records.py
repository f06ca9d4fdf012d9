"""A batch of games in progress: records, masks and the kernels that work on any of its rows."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from climbenvs.engine import jit
from climbenvs.engine.errors import (
    ClimbenvsError,
    GameOverError,
    IllegalActionError,
    SnapshotError,
)
from climbenvs.engine.game import Game, as_records
from climbenvs.engine.jit import rule
from climbenvs.engine.random import game_seed, next_stream

ROWS_PER_THREAD = 256
"""A batch is cut into no more chunks than give each thread this many rows."""


@rule
def first_illegal(rows, actions, legal_masks):
    """Index into `rows` of the first action that is not legal, or -1."""
    for k in range(rows.shape[0]):
        action = actions[k]
        if action < 0 or action >= legal_masks.shape[1] or legal_masks[rows[k], action] == 0:
            return k
    return -1


def check_seed(seed: Any) -> int:
    """A non-negative integer seed below 2**64, or one from the operating system for None."""
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise ValueError(f"seed is {seed!r}; expected None or an integer in [0, 2**64)")
    return int(seed)


def expand_seeds(seed: Any, count: int) -> np.ndarray:
    """One seed per row, [count] uint64: an integer s becomes s, s + 1, ...; a sequence is taken."""
    if seed is None or isinstance(seed, int | np.integer):
        first = check_seed(seed)
        return np.array([(first + i) % 2**64 for i in range(count)], np.uint64)
    seeds = [check_seed(value) for value in seed]
    if len(seeds) != count:
        raise ValueError(f"{len(seeds)} seeds for {count} games")
    return np.array(seeds, np.uint64)


def check_actions(actions: Any, count: int) -> np.ndarray:
    """Actions as a contiguous [count] int64 array.

    Raises:
        TypeError: if they are not integers.
        ValueError: if the shape is not (count,).
    """
    array = np.asarray(actions)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions have dtype {array.dtype}; expected integers")
    if array.shape != (count,):
        raise ValueError(f"actions have shape {array.shape}; expected ({count},)")
    return np.ascontiguousarray(array, np.int64)


class Records:
    """The state records of a batch of games, with the mask of each.

    Args:
        game: the game.
        size: number of rows B.
        num_players: seats per game.
        options: the game's options by name.
        num_threads: threads that share the rows; no result depends on it.

    Attributes:
        states: [B] state records.
        legal_masks: [B, N] int8.
        counts: [B] int64, number of legal actions, 0 when over.
        streams: [B] uint64, the row's stream of game seeds.
        rows: [B] int64, 0 .. B - 1.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        num_players: int | None,
        options: dict[str, Any],
        num_threads: int = 1,
    ) -> None:
        self.template = game.encode_options(num_players, options)
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise ValueError(f"number of games is {size!r}; expected a positive integer")
        if not isinstance(num_threads, int | np.integer) or num_threads < 1:
            raise ValueError(f"num_threads is {num_threads!r}; expected a positive integer")
        self.game = game
        self.num_players = int(self.template["num_players"][0])
        self.states = as_records(np.zeros(size, game.definition.state_dtype))
        self.legal_masks = np.zeros((size, game.num_actions), np.int8)
        self.counts = np.zeros(size, np.int64)
        self.streams = np.zeros(size, np.uint64)
        self.rows = np.arange(size, dtype=np.int64)
        self.num_threads = int(num_threads)
        self._pool: ThreadPoolExecutor | None = None

    @property
    def size(self) -> int:
        """Number of rows B."""
        return len(self.rows)

    @property
    def player(self) -> np.ndarray:
        """Seat to act in each row, -1 when over; a [B] view of the records."""
        return self.states["player"]

    def run(self, kernel: Callable[..., Any], count: int, *arguments: Any) -> None:
        """Run a kernel over rows 0 .. count - 1, cut into chunks for the threads."""
        chunks = min(self.num_threads, max(1, count // ROWS_PER_THREAD))
        if chunks == 1:
            kernel(*arguments, 0, count)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.num_threads, "climbenvs")
        cuts = [count * i // chunks for i in range(chunks + 1)]
        futures = [
            self._pool.submit(kernel, *arguments, cuts[i], cuts[i + 1]) for i in range(1, chunks)
        ]
        kernel(*arguments, cuts[0], cuts[1])  # this thread would only wait
        for future in futures:
            future.result()

    def seed(self, seed: Any) -> None:
        """Seed every row's stream of games: an integer s gives row i the seed s + i."""
        self.streams[:] = expand_seeds(seed, self.size)

    def reset(self, rows: np.ndarray | None = None) -> None:
        """Deal the next game of each row's stream."""
        rows = self.rows if rows is None else rows
        self.run(
            self.game.kernel("reset"),
            len(rows),
            self.states,
            self.game.tables,
            self.template,
            self.streams,
            rows,
            self.legal_masks,
            self.counts,
        )
        if np.any(self.counts[rows] == 0):
            raise ClimbenvsError(f"{self.game.name} was dealt without any legal action")

    def load(self, snapshot: Mapping[str, Any], rows: np.ndarray | None = None) -> None:
        """Start each row from a snapshot instead of a deal; plays nothing.

        Later chance comes from the row's stream, so that a seed decides it.

        Raises:
            SnapshotError: if it is damaged, over, or of another player count or other options;
                nothing has been changed.
        """
        rows = self.rows if rows is None else rows
        record = as_records(np.zeros(1, self.game.definition.state_dtype))
        self.game.definition.from_dict(snapshot, record[0], self.game.t)
        for name in ("num_players", *self.game.options):
            found, expected = int(record[name][0]), int(self.template[name][0])
            if found != expected:
                option = self.game.options.get(name)
                decode = int if option is None else option.decode
                raise SnapshotError(
                    f"{name}: the snapshot has {decode(found)!r}, the environment "
                    f"{decode(expected)!r}"
                )
        if record["player"][0] < 0:
            raise SnapshotError("player: the game of the snapshot is over")
        for row in rows:
            self.streams[row] = next_stream(self.streams[row])
            record["rng"][0] = game_seed(self.streams[row])
            self.states[row] = record[0]
        self.refresh(rows)

    def refresh(self, rows: np.ndarray | None = None) -> None:
        """Recompute the masks after records were written from outside; plays nothing."""
        rows = self.rows if rows is None else rows
        self.run(
            self.game.kernel("legal"),
            len(rows),
            self.states,
            self.game.tables,
            rows,
            self.legal_masks,
            self.counts,
        )

    def check_legal(self, actions: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Raise unless every action is legal; nothing has been changed then.

        Raises:
            IllegalActionError: naming row, player and action.
            GameOverError: if the row's game has ended.
        """
        rows = self.rows if rows is None else rows
        bad = int(first_illegal(rows, actions, self.legal_masks))
        if bad < 0:
            return
        row, action = int(rows[bad]), int(actions[bad])
        state = self.states[row]
        if state["player"] < 0:
            raise GameOverError(f"row {row}: the game is over, action {action} was not played")
        size = self.game.num_actions
        if not 0 <= action < size:
            text = f"is not in [0, {size})"
        else:
            text = f"({self.game.action_layout.name(action)}) is not legal now"
        raise IllegalActionError(
            f"row {row}, player_{state['player']}: action {action} {text}; "
            f"{self.counts[row]} actions are legal"
        )

    def apply(self, actions: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Play checked actions, one per row of `rows`; finished games stay finished."""
        rows = self.rows if rows is None else rows
        self.run(
            self.game.kernel("apply"),
            len(rows),
            self.states,
            self.game.tables,
            rows,
            actions,
            self.legal_masks,
            self.counts,
        )

    def observe(
        self, seats: np.ndarray, rows: np.ndarray | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """What `seats[k]` may know of row `rows[k]`: [len(rows), D] int8."""
        rows = self.rows if rows is None else rows
        if out is None:
            out = np.empty((len(rows), self.game.observation_layout.size), np.int8)
        seats = np.ascontiguousarray(seats, np.int64)
        kernel = self.game.kernel("observe")
        self.run(kernel, len(rows), self.states, self.game.tables, rows, seats, out)
        return out

    def global_state(self, rows: np.ndarray | None = None) -> np.ndarray:
        """The global state vectors: [len(rows), S] int8."""
        rows = self.rows if rows is None else rows
        out = np.empty((len(rows), self.game.state_layout.size), np.int8)
        kernel = self.game.kernel("global_state")
        self.run(kernel, len(rows), self.states, self.game.tables, rows, out)
        return out

    def rewards(self, rows: np.ndarray | None = None) -> np.ndarray:
        """What has been paid so far, in most games zero until the end: [len(rows), P] float32."""
        rows = self.rows if rows is None else rows
        out = np.empty((len(rows), self.num_players), np.float32)
        kernel = self.game.kernel("rewards")
        self.run(kernel, len(rows), self.states, self.game.tables, rows, out)
        return out

    def determinize(
        self, seats: Sequence[int] | np.ndarray, seeds: Any, rows: np.ndarray | None = None
    ) -> None:
        """Resample in place what `seats[k]` cannot know of row `rows[k]`."""
        rows = self.rows if rows is None else rows
        kernel = self.game.kernel("determinize")
        seeds = expand_seeds(seeds, len(rows))
        seats = np.ascontiguousarray(seats, np.int64)
        self.run(kernel, len(rows), self.states, self.game.tables, rows, seats, seeds)
        self.refresh(rows)

    def clone(self) -> "Records":
        """An independent copy of all games, masks and seeds."""
        copy = object.__new__(Records)
        copy.__dict__.update(self.__dict__)
        copy._pool = None
        for name in ("states", "legal_masks", "counts", "streams"):
            setattr(copy, name, getattr(self, name).copy())
        return copy

    def select(self, rows: np.ndarray) -> "Records":
        """An independent copy of some of the games, as rows 0, 1, ... of a batch of their own."""
        copy = object.__new__(Records)
        copy.__dict__.update(self.__dict__)
        copy._pool = None
        for name in ("states", "legal_masks", "counts", "streams"):
            setattr(copy, name, getattr(self, name)[rows])
        copy.rows = np.arange(len(rows), dtype=np.int64)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Records":
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_pool": None}
        for name in ("states", "template"):
            state[name] = np.asarray(state[name]).view(self.game.definition.state_dtype)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if not jit.ENABLED:
            self.states = as_records(self.states)
            self.template = as_records(self.template)
