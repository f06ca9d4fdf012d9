"""SeatLoop: one learner's seat in each of a batch of games, the opponents played in between."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from climbenvs.engine.errors import ClimbenvsError, GameOverError, SnapshotError
from climbenvs.engine.game import Game, as_records
from climbenvs.engine.jit import rule
from climbenvs.engine.kernels import MAX_DEALS
from climbenvs.engine.random import GENERATOR_DTYPE, below, game_seed
from climbenvs.engine.records import Records, check_actions, expand_seeds
from climbenvs.envs import common
from climbenvs.policies import CompiledPolicy, Policy, as_policy, choose_random

ILLEGAL_ACTIONS = ("raise", "lose", "random")
"""What may happen on an illegal action: an error, the learner loses, a random one is played."""

LEARNER = -1
"""Marks the learner's seat among the policies of a row."""

_ONE = 1 << 30  # a weight of one in the fixed-point shares of a mixture
_SALT = 0x5EA7  # keeps a row's draws apart from the seeds of its games


@rule
def draw_seats(generators, rows, num_players, seats):
    """A random learner's seat for each row."""
    for k in range(rows.shape[0]):
        seats[rows[k]] = below(generators[rows[k]], num_players)


@rule
def draw_opponents(generators, rows, shares, seats, policies):
    """A policy for every seat of each row by the mixture's cumulative shares of 2**30."""
    for k in range(rows.shape[0]):
        row = rows[k]
        for seat in range(policies.shape[1]):
            draw = below(generators[row], 1 << 30)
            index = 0
            while draw >= shares[index]:
                index += 1
            policies[row, seat] = index
        policies[row, seats[row]] = -1


def parse_opponents(game: Game, opponents: Any) -> tuple[list[Policy], np.ndarray]:
    """Opponents in any of the accepted forms -> policies and their cumulative shares.

    Args:
        game: the game.
        opponents: a policy (a name or an object with `act`), a list of policies, or a list of
            (policy, weight) pairs; a list is a mixture.

    Returns:
        The K policies, and [K] int64 cumulative shares of 2**30.

    Raises:
        TypeError: if something is no policy.
        ValueError: if a name is unknown, the list empty or a weight not positive.
    """
    if not isinstance(opponents, list | tuple):
        opponents = [opponents]
    if not opponents:
        raise ValueError("opponents is empty; expected at least one policy")
    policies, weights = [], []
    for entry in opponents:
        policy, weight = entry if isinstance(entry, tuple) else (entry, 1.0)
        policies.append(as_policy(game, policy))
        weights.append(float(weight))
    if not all(0 < weight < float("inf") for weight in weights):
        raise ValueError(f"opponents have weights {weights}; expected positive numbers")
    shares = np.floor(np.cumsum(weights) / sum(weights) * _ONE).astype(np.int64)
    shares[-1] = _ONE
    return policies, shares


class SeatLoop:
    """A batch of games in each of which a learner holds one seat.

    All rows wait for the learner, or are over, whenever a method returns. Seats and opponents are
    drawn anew for every game, each opponent's seat on its own, from a generator of the row: with
    compiled opponents row i of a loop seeded s plays the same games as a loop of one seeded s + i.
    Other policies are asked in batch and share one generator.

    Args:
        game: the game.
        size: number of rows B.
        num_players: seats per game; the game's default if None.
        seat: the learner's seat, or "random"; "all" lets it decide for every seat of a
            cooperative game, always as the seat to act sees it.
        opponents: see `parse_opponents`.
        illegal_action: "raise"; "lose": the game ends with -1 for the learner; "random": a random
            legal action is played instead.
        options: the game's options by name.
        num_threads: threads that share the rows; no result depends on it.

    Attributes:
        records: the games.
        seats: [B] int64, the learner's seat.
        policies: [B, P] int64, each seat's index into `opponents`, `LEARNER` for the learner.
        opponents: the policies of the mixture.
        over: [B] bool, whether the row's game has ended and the next is not dealt yet.
        forfeited: [B] bool, whether it ended by an illegal action (only with "lose").

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
        ValueError: if seat, opponents or illegal_action are not understood.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        *,
        num_players: int | None,
        seat: int | str,
        opponents: Any,
        illegal_action: str,
        options: dict[str, Any],
        num_threads: int = 1,
    ) -> None:
        self.game = game
        self.records = Records(game, size, num_players, options, num_threads)
        players = self.records.num_players
        if illegal_action not in ILLEGAL_ACTIONS:
            raise ValueError(
                f"illegal_action is {illegal_action!r}; expected one of {ILLEGAL_ACTIONS}"
            )
        if seat == "all" and not game.definition.cooperative:
            raise ValueError(f"seat 'all' is for cooperative games; in {game.name} seats compete")
        if seat not in ("random", "all") and (
            isinstance(seat, bool)
            or not isinstance(seat, int | np.integer)
            or not 0 <= seat < players
        ):
            raise ValueError(f"seat is {seat!r}; expected 'random' or an integer below {players}")
        self.seat = seat
        self.illegal_action = illegal_action
        self.opponents, self._shares = parse_opponents(game, opponents)
        self.seats = np.zeros(size, np.int64)
        self.policies = np.full((size, players), LEARNER, np.int64)
        self.over = np.zeros(size, np.bool_)
        self.forfeited = np.zeros(size, np.bool_)
        self.dealt = False
        self._generators = as_records(np.zeros(size, GENERATOR_DTYPE))
        self._scratch = np.zeros((size, game.observation_layout.size), np.int8)
        self.seed(None)

    def seed(self, seed: Any) -> None:
        """Seed the games, the draws of seats and opponents, and the opponents' own choices.

        Args:
            seed: an integer s gives row i the seed s + i; a sequence gives one per row; None draws
                one from the operating system.
        """
        seeds = expand_seeds(seed, self.records.size)
        self.records.seed(seeds)
        self._generators["rng"] = [game_seed(int(value) ^ _SALT) for value in seeds]
        self._rng = np.random.default_rng(seeds)

    def set_opponents(self, opponents: Any) -> None:
        """Replace the mixture; games under way go on against newly drawn opponents.

        Raises:
            TypeError: if something is no policy.
            ValueError: if a name is unknown, the list empty or a weight not positive.
        """
        self.opponents, self._shares = parse_opponents(self.game, opponents)
        if self.dealt:
            self._draw_opponents(self.records.rows)

    def _draw_opponents(self, rows: np.ndarray) -> None:
        if self.seat == "all":
            self.policies[rows] = LEARNER
        else:
            draw_opponents(self._generators, rows, self._shares, self.seats, self.policies)

    def deal(
        self, rows: np.ndarray | None = None, snapshot: Mapping[str, Any] | None = None
    ) -> None:
        """Start a new game in each row and go on to the learner's first decision.

        A game that ends before the learner's first decision is followed by another one.

        Args:
            rows: [R] int64, all if None.
            snapshot: start from this position instead of a deal.

        Raises:
            SnapshotError: if the snapshot is wrong, or the game always ends before the learner is
                to act.
        """
        rows = self.records.rows if rows is None else rows
        for _ in range(MAX_DEALS):
            if snapshot is None:
                self.records.reset(rows)
            else:
                self.records.load(snapshot, rows)
            self.over[rows] = self.forfeited[rows] = False
            self.dealt = True
            self._seat_learner(rows)
            self._respond(rows)
            rows = rows[self.records.player[rows] < 0]
            if not len(rows):
                return
        message = f"{self.game.name} ends before the learner's first decision"
        raise ClimbenvsError(message) if snapshot is None else SnapshotError(message)

    def _seat_learner(self, rows: np.ndarray) -> None:
        if self.seat == "random":
            draw_seats(self._generators, rows, self.records.num_players, self.seats)
        elif self.seat != "all":
            self.seats[rows] = self.seat
        self._draw_opponents(rows)

    def _respond(self, rows: np.ndarray) -> None:
        """Let opponents play in the given rows until the learner is to act or the game is over."""
        waited = rows
        while True:
            players = self.records.player[rows]
            turns = np.where(players >= 0, self.policies[rows, players], LEARNER)
            waiting = turns != LEARNER
            rows, turns = rows[waiting], turns[waiting]
            if not len(rows):
                break
            if len(self.opponents) == 1:
                self._play(0, rows)
                continue
            for index in np.unique(turns):
                self._play(int(index), rows[turns == index])
        if self.seat == "all":
            players = self.records.player[waited]
            self.seats[waited] = np.where(players >= 0, players, self.seats[waited])

    def _play(self, index: int, rows: np.ndarray) -> None:
        """Let one policy play in rows that wait for it."""
        policy, records = self.opponents[index], self.records
        if isinstance(policy, CompiledPolicy):
            records.run(
                self.game.kernel("respond", policy.choose),
                len(rows),
                records.states,
                self.game.tables,
                rows,
                self.policies,
                index,
                self._generators,
                records.legal_masks,
                records.counts,
                self._scratch,
            )
            return
        observation = records.observe(records.player[rows], rows)
        chosen = policy.act(observation, records.legal_masks[rows], self._rng)
        actions = check_actions(chosen, len(rows))
        records.check_legal(actions, rows)
        records.apply(actions, rows)

    def step(self, actions: Any, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Play the learner's decision in each row and go on to its next one or the end.

        Args:
            actions: [R] integers.
            rows: [R] int64, all if None; their games must not be over.

        Returns:
            `rewards` [R] float32: what the learner's seat received between its two decisions, and
            `over` [R] bool: whether the game has ended.

        Raises:
            IllegalActionError: naming row, player and action; no game has been changed.
            GameOverError: if a row's game is over.
            TypeError: if the actions are not integers.
            ValueError: if their shape is not (R,).
        """
        if not self.dealt:
            raise ClimbenvsError("reset() has to be called first")
        records = self.records
        rows = records.rows if rows is None else rows
        actions = check_actions(actions, len(rows))
        if self.over[rows].any():
            raise GameOverError(f"row {rows[self.over[rows]][0]}: the game is over; call reset()")
        if self.illegal_action == "raise":
            records.check_legal(actions, rows)
        else:
            actions = self._resolve_illegal(actions, rows)
        forfeited = self.forfeited[rows]
        playing = rows[~forfeited]
        early = self.game.definition.running_rewards
        paid = self._paid(rows) if early else np.zeros(len(rows), np.float32)
        records.apply(actions[~forfeited], playing)
        self._respond(playing)
        ended = records.player[rows] < 0
        rewards = np.where(forfeited, np.float32(-1), np.float32(0))
        due = ~forfeited if early else ended
        if due.any():
            rewards[due] = self._paid(rows[due]) - paid[due]
        self.over[rows] = ended | forfeited
        return rewards, self.over[rows]

    def _paid(self, rows: np.ndarray) -> np.ndarray:
        """What the learner has been paid in each row so far, [R] float32."""
        return self.records.rewards(rows)[np.arange(len(rows)), self.seats[rows]]

    def _resolve_illegal(self, actions: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Mark rows with an illegal action as forfeited, or replace it by a random legal one."""
        inside = (actions >= 0) & (actions < self.game.num_actions)
        illegal = ~inside | (self.records.legal_masks[rows, np.where(inside, actions, 0)] == 0)
        if self.illegal_action == "lose":
            self.forfeited[rows] = illegal
        elif illegal.any():
            actions = actions.copy()
            actions[illegal] = self.sample_actions(rows[illegal])
        return actions

    def sample_actions(self, rows: np.ndarray | None = None) -> np.ndarray:
        """A random legal action for each row, [R] int64, from the rows' own generators."""
        rows = self.records.rows if rows is None else rows
        masks, actions = self.records.legal_masks[rows], np.empty(len(rows), np.int64)
        drawn = self._generators[rows]
        self.records.run(
            self.game.kernel("choose", choose_random),
            len(rows),
            self._scratch,
            masks,
            drawn,
            actions,
        )
        self._generators[rows] = drawn
        return actions

    def observe(self, rows: np.ndarray | None = None) -> np.ndarray:
        """What the learner may know in each row, fresh [R, D] int8."""
        rows = self.records.rows if rows is None else rows
        return self.records.observe(self.seats[rows], rows)

    def action_masks(self, rows: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """The learner's mask in each row, fresh [R, N] int8, all zero where the game is over."""
        rows = self.records.rows if rows is None else np.asarray(rows, np.int64)
        masks = self.records.legal_masks[rows]
        masks[self.over[rows]] = 0
        return masks

    def result(self, row: int) -> dict[str, Any]:
        """The end of a row's game for the learner; see `climbenvs.envs.common.result_of`.

        A game that the learner forfeited has no end by the rules: all is zero.
        """
        if not self.over[row] or self.forfeited[row]:
            return common.no_result()
        results = common.result_of(self.game, self.records.states[row])
        return results[int(self.seats[row])]

    def get_state(self) -> dict[str, Any]:
        """Copies of everything that decides how the games go on, opponents excepted."""
        return {
            "states": np.array(self.records.states).view(self.game.definition.state_dtype),
            "streams": self.records.streams.copy(),
            "seats": self.seats.copy(),
            "policies": self.policies.copy(),
            "over": self.over.copy(),
            "forfeited": self.forfeited.copy(),
            "draws": np.array(self._generators["rng"]),
            "rng": self._rng.bit_generator.state,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go back to what `get_state` returned of a loop of the same game, size and opponents."""
        self.records.states[:] = state["states"]
        self.records.streams[:] = state["streams"]
        self.records.refresh()
        for name in ("seats", "policies", "over", "forfeited"):
            getattr(self, name)[:] = state[name]
        self._generators["rng"] = state["draws"]
        self._rng.bit_generator.state = state["rng"]
        self.dealt = True

    def draw(self, row: int) -> str:
        """The table of a row as the learner sees it."""
        return self.game.definition.draw(
            self.records.states[row], self.game.t, int(self.seats[row])
        )
