"""VectorGame: many games at once, all seats, the fast loop."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from climbenvs.engine.errors import ClimbenvsError, SnapshotError
from climbenvs.engine.game import Game
from climbenvs.engine.records import Records, check_actions
from climbenvs.policies import CompiledPolicy, as_policy, choose_random, generators
from climbenvs.registry import load


class Batch(NamedTuple):
    """What a step returns: B games, P seats, D observation elements, N actions."""

    observation: np.ndarray
    """[B, D] int8, as the seat to act sees its game."""
    action_mask: np.ndarray
    """[B, N] int8, at least two actions are legal."""
    player: np.ndarray
    """[B] int64, seat to act."""
    rewards: np.ndarray
    """[B, P] float32, what this step has paid; in most games zero but where `done`."""
    done: np.ndarray
    """[B] bool, whether a game ended with this step; the rest of the row is the next game's."""


class Rollout(NamedTuple):
    """What a rollout in compiled code returns."""

    decisions: int
    """Decisions taken in all rows together."""
    games: np.ndarray
    """[B] int64, games finished in each row."""
    returns: np.ndarray
    """[B, P] float64, rewards summed over the row's finished games."""


class VectorGame:
    """Many games of one kind, stepped together; a finished game is followed at once by the next.

    Row i of a vector seeded s plays the same games as a `Position`, an AEC environment or a vector
    of one seeded s + i.

    Args:
        game: name or loaded game.
        num_envs: number of games B.
        num_players: seats per game P; the game's default if None.
        seed: integer s (row i gets s + i), one seed per row, or None for a random one.
        num_threads: threads that share the rows; no result depends on it.
        deck: path of another deck file.
        copy: return fresh arrays from every call. The default reuses one set of buffers: what a
            call returned is overwritten by the next.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        num_players: int | None = None,
        seed: Any = 0,
        num_threads: int = 1,
        deck: str | Path | None = None,
        copy: bool = False,
        **options: Any,
    ) -> None:
        self.game = load(game, deck=deck)
        self._records = Records(self.game, num_envs, num_players, options, num_threads)
        self.num_envs = self._records.size
        self.num_players = self._records.num_players
        self.num_actions = self.game.num_actions
        self.observation_size = self.game.observation_layout.size
        self.copy = copy
        self._sampler = generators(np.random.default_rng(0), self.num_envs)
        self._seed(seed)
        self._dealt = False
        self._buffers = Batch(
            np.zeros((self.num_envs, self.observation_size), np.int8),
            np.zeros((self.num_envs, self.num_actions), np.int8),
            np.zeros(self.num_envs, np.int64),
            np.zeros((self.num_envs, self.num_players), np.float32),
            np.zeros(self.num_envs, np.bool_),
        )

    def __repr__(self) -> str:
        return f"VectorGame({self.game!r}, {self.num_envs}, num_players={self.num_players})"

    @property
    def num_threads(self) -> int:
        """Threads that share the rows."""
        return self._records.num_threads

    @property
    def options(self) -> dict[str, Any]:
        """The game's options by name."""
        return self.game.decode_options(self._records.template[0])

    def _seed(self, seed: Any) -> None:
        """Seed the rows' streams of games and, apart from them, the random actions."""
        self._records.seed(seed)
        self._sampler["rng"] = generators(np.random.default_rng(0), self.num_envs)["rng"]
        self._sampler["rng"] += self._records.streams

    def reset(self, seed: Any = None) -> Batch:
        """Deal a new game in every row.

        Args:
            seed: as in the constructor; None deals the next games of the running streams.
        """
        if seed is not None:
            self._seed(seed)
        self._records.reset()
        self._dealt = True
        return self._current()

    def _current(self) -> Batch:
        """Fill the buffers from the records; nothing has just ended."""
        buffers = self._buffers
        buffers.player[:] = self._records.player
        buffers.action_mask[:] = self._records.legal_masks
        self._records.observe(buffers.player, out=buffers.observation)
        buffers.rewards[:] = 0
        buffers.done[:] = False
        return self._result()

    def _result(self) -> Batch:
        return Batch(*(array.copy() for array in self._buffers)) if self.copy else self._buffers

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise ClimbenvsError("reset() has to be called first")

    def step(self, actions: Any) -> Batch:
        """Play one decision in every game.

        Args:
            actions: [B] integers, each legal in its row.

        Raises:
            IllegalActionError: naming row, player and action; no game has been changed.
            TypeError: if the actions are not integers.
            ValueError: if their shape is not (B,).
        """
        self._check_dealt()
        actions = check_actions(actions, self.num_envs)
        records = self._records
        records.check_legal(actions)
        records.run(
            self.game.kernel("step"),
            self.num_envs,
            records.states,
            self.game.tables,
            records.template,
            records.streams,
            actions,
            records.legal_masks,
            records.counts,
            *self._buffers,
        )
        return self._result()

    def sample_actions(self) -> np.ndarray:
        """A random legal action per row, [B] int64, chosen in compiled code."""
        self._check_dealt()
        actions = np.empty(self.num_envs, np.int64)
        self._records.run(
            self.game.kernel("choose", choose_random),
            self.num_envs,
            self._buffers.observation,
            self._records.legal_masks,
            self._sampler,
            actions,
        )
        return actions

    def rollout(self, steps: int, policy: Any = "random") -> Rollout:
        """Play `steps` decisions in every row without leaving compiled code.

        Args:
            steps: decisions per row.
            policy: "random", the name of a scripted player, or a `CompiledPolicy`.

        Raises:
            TypeError: if the policy is not compiled.
            ValueError: if the number of steps is negative or not an integer.
        """
        self._check_dealt()
        if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 0:
            raise ValueError(f"steps is {steps!r}; expected a non-negative integer")
        policy = as_policy(self.game, policy)
        if not isinstance(policy, CompiledPolicy):
            raise TypeError(f"{policy!r} is not a compiled policy; call step() in a loop instead")
        records = self._records
        games = np.zeros(self.num_envs, np.int64)
        returns = np.zeros((self.num_envs, self.num_players), np.float64)
        records.run(
            self.game.kernel("rollout", policy.choose),
            self.num_envs,
            records.states,
            self.game.tables,
            records.template,
            records.streams,
            self._sampler,
            steps,
            records.legal_masks,
            records.counts,
            self._buffers.observation,
            returns,
            games,
        )
        self._current()
        return Rollout(steps * self.num_envs, games, returns)

    def global_state(self) -> np.ndarray:
        """The global state vector of every game: fresh [B, S] int8."""
        self._check_dealt()
        return self._records.global_state()

    def get_state(self) -> dict[str, np.ndarray]:
        """Copies of everything that decides how the games go on; for `set_state`."""
        records = self._records
        return {
            "states": np.array(records.states).view(self.game.definition.state_dtype),
            "streams": records.streams.copy(),
            "sampler": np.array(self._sampler["rng"]),
        }

    def set_state(self, state: dict[str, np.ndarray]) -> Batch:
        """Go back to what `get_state` returned; the batch as it was then, rewards zero.

        Raises:
            SnapshotError: if the arrays are not of this game and size; nothing has been changed.
        """
        records = self._records
        word = np.dtype(np.uint64)
        dtypes = {
            "states": self.game.definition.state_dtype,
            "streams": word,
            "sampler": word,
        }
        for name, dtype in dtypes.items():
            array = state.get(name)
            if array is None or array.shape != (self.num_envs,) or array.dtype != dtype:
                raise SnapshotError(f"{name}: expected {self.num_envs} entries of {dtype}")
        for name in ("num_players", *self.game.options):
            if np.any(state["states"][name] != records.template[name][0]):
                raise SnapshotError(f"states: expected games of the same {name}")
        if np.any(state["states"]["player"] < 0):
            raise SnapshotError("states: expected games that are still running")
        records.states[:] = state["states"]
        records.streams[:] = state["streams"]
        self._sampler["rng"] = state["sampler"]
        records.refresh()
        self._dealt = True
        return self._current()

    def clone(self) -> "VectorGame":
        """An independent copy that plays on identically."""
        copy = VectorGame(
            self.game,
            self.num_envs,
            num_players=self.num_players,
            num_threads=self.num_threads,
            copy=self.copy,
            **self.options,
        )
        if self._dealt:
            copy.set_state(self.get_state())
        else:
            copy._records.streams[:] = self._records.streams
            copy._sampler["rng"] = self._sampler["rng"]
        for mine, theirs in zip(copy._buffers, self._buffers, strict=True):
            mine[:] = theirs
        return copy


def make_vec(
    game: str | Game,
    num_envs: int,
    *,
    num_players: int | None = None,
    seed: Any = 0,
    num_threads: int = 1,
    deck: str | Path | None = None,
    copy: bool = False,
    **options: Any,
) -> VectorGame:
    """Make a `VectorGame`; the arguments are its own."""
    return VectorGame(
        game,
        num_envs,
        num_players=num_players,
        seed=seed,
        num_threads=num_threads,
        deck=deck,
        copy=copy,
        **options,
    )
