"""Matches between players: every deal is played once in every rotation of the seats.

In rotation r, seat k is played by the entrant (k + r) % P of the line-up. All rotations of a deal
have the same chance, so luck and seat cancel out.

**Forfeits.** A player that returns an illegal action, something that is no action, raises, or takes
too long forfeits its game; the reason is kept and the other games go on. Among rivals the forfeiter
is paid -1 and the others share the victory and the reward of 1; a team, and a player alone, are
paid -1. Scores are those at the time.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from climbenvs.arena.games import PlayedGames
from climbenvs.arena.players import Player, Turns
from climbenvs.engine.game import Game
from climbenvs.engine.records import Records, check_actions

ROWS_AT_ONCE = 4096
"""Games played together; bounds the memory of a long match."""

Z_95 = 1.959964
FORFEIT = "forfeit"
NOBODY = -1


@dataclass(frozen=True)
class MatchResult:
    """What came out of a match of P entrants over D deals, each in P rotations."""

    shares: np.ndarray
    """[D, P, P] float64, share of the victory by deal, rotation and entrant."""
    rewards: np.ndarray
    """[D, P, P] float32, reward by deal, rotation and entrant."""
    scores: np.ndarray
    """[D, P, P] float64, score by deal, rotation and entrant."""
    decisions: np.ndarray
    """[D, P] int64, real choices made in each game."""
    ends: np.ndarray
    """[D, P] object, cause of each game's end."""

    @property
    def num_deals(self) -> int:
        """Number of deals D."""
        return len(self.shares)

    def interval(self, entrant: int) -> tuple[float, float, float]:
        """Mean share of the victory of an entrant, with a 95 % interval over the deals."""
        return share_interval(self.shares[:, :, entrant].mean(axis=1))


def share_interval(shares: np.ndarray) -> tuple[float, float, float]:
    """Mean of independent shares in [0, 1] with a 95 % Wilson interval.

    Args:
        shares: [D], one value per deal. A deal's value is a mean over rotations, so its variance
            is below that of a single game; the Wilson interval is taken at the number of games
            that would give the observed variance.

    Returns:
        Mean, lower and upper bound.
    """
    count = len(shares)
    mean = float(np.mean(shares))
    variance = float(np.var(shares, ddof=1)) if count > 1 else 0.0
    effective = count * mean * (1 - mean) / variance if variance > 0 else float(count)
    z = Z_95**2 / effective
    centre = (mean + z / 2) / (1 + z)
    reach = Z_95 / (1 + z) * sqrt(mean * (1 - mean) / effective + z / (4 * effective))
    return mean, min(mean, max(0.0, centre - reach)), max(mean, min(1.0, centre + reach))


def play_match(
    game: Game,
    policies: Sequence[Player],
    deals: int,
    *,
    seed: int = 0,
    num_threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    **options: Any,
) -> MatchResult:
    """Play `deals` deals in all rotations of the seats; errors of players are raised.

    Args:
        game: the game.
        policies: one player per seat; their number is the player count.
        deals: number of deals.
        seed: of the deals (deal d is dealt with seed + d) and of the players' own choices.
        num_threads: threads that share the games; no result depends on it.
        progress: called with the number of games finished since its last call.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
        IllegalActionError: if a player chooses an illegal action.
        ValueError: if `deals` is not positive.
    """
    if deals < 1:
        raise ValueError(f"deals is {deals}; expected a positive integer")
    players = len(policies)
    names = [str(entrant) for entrant in range(players)]
    chunk = max(1, ROWS_AT_ONCE // players)
    rngs = [np.random.default_rng([seed, entrant]) for entrant in range(players)]
    parts = [
        play_games(
            game,
            dict(zip(names, policies, strict=True)),
            names,
            range(seed + first, seed + min(first + chunk, deals)),
            rngs=dict(zip(names, rngs, strict=True)),
            forfeits=False,
            num_threads=num_threads,
            progress=progress,
            **options,
        )
        for first in range(0, deals, chunk)
    ]
    by_entrant = []
    for column in ("shares", "rewards", "scores"):
        values = np.concatenate([getattr(part, column) for part in parts])
        seated = np.concatenate([part.seated for part in parts])
        turned = np.empty_like(values)
        np.put_along_axis(turned, seated, values, axis=1)
        by_entrant.append(turned.reshape(deals, players, players))
    decisions = np.concatenate([part.decisions for part in parts]).reshape(deals, players)
    ends = np.concatenate([part.ends for part in parts]).reshape(deals, players)
    shares, rewards, scores = by_entrant
    return MatchResult(shares, rewards, scores, decisions, ends)


def play_games(
    game: Game,
    entrants: Mapping[str, Player],
    lineup: Sequence[str],
    deals: Sequence[int],
    *,
    rngs: Mapping[str, np.random.Generator],
    rotations: int | None = None,
    forfeits: bool = True,
    time_limit: float | None = None,
    num_threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    **options: Any,
) -> PlayedGames:
    """Play deals with a line-up, in all rotations, all games at once.

    Args:
        game: the game.
        entrants: name -> player, at least those of the line-up.
        lineup: P names, some of which may be the same.
        deals: seeds of the deals.
        rngs: name -> generator of that player's choices.
        rotations: how many rotations to play of each deal; P if None.
        forfeits: let a player that fails forfeit its game; else its error is raised.
        time_limit: seconds a player may take per decision: a call that decides in B games may take
            B times as long. A player that never returns cannot be stopped.
        num_threads: threads that share the games; no result depends on it.
        progress: called with the number of games finished since its last call.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
        Exception: what a player raises or returns wrong, without `forfeits`.
    """
    players = len(lineup)
    turns = players if rotations is None else rotations
    records = Records(game, len(deals) * turns, players, options, num_threads)
    records.seed([deal for deal in deals for _ in range(turns)])
    records.reset()
    names = tuple(dict.fromkeys(lineup))
    numbers = np.array([names.index(name) for name in lineup], np.int64)
    rotation = records.rows % turns
    seated = numbers[(np.arange(players) + rotation[:, None]) % players]
    table = _Table(records, seated, names, entrants, rngs, forfeits, time_limit)
    began = time.perf_counter()
    table.play_out(progress)
    seconds = (time.perf_counter() - began) / records.size
    shares, rewards, scores, ends = table.outcomes()
    return PlayedGames(
        entrants=names,
        deals=np.repeat(np.array(deals, np.uint64), turns),
        lineups=np.tile(numbers, (records.size, 1)),
        rotations=rotation,
        shares=shares,
        rewards=rewards,
        scores=scores,
        decisions=records.states["decisions"].astype(np.int64),
        ends=ends,
        forfeits=table.reasons,
        forfeited_by=table.forfeited_by,
        seconds=np.full(records.size, seconds),
    )


class _Table:
    """A batch of games in progress and the players around it."""

    def __init__(
        self,
        records: Records,
        seated: np.ndarray,
        names: tuple[str, ...],
        entrants: Mapping[str, Player],
        rngs: Mapping[str, np.random.Generator],
        forfeits: bool,
        time_limit: float | None,
    ) -> None:
        self.records = records
        self.players = [entrants[name] for name in names]
        self.rngs = [rngs[name] for name in names]
        self.catches_errors = forfeits
        self.time_limit = time_limit
        self.seated = seated
        self.reasons = np.full(records.size, "", object)
        self.forfeited_by = np.full(records.size, NOBODY, np.int64)

    def play_out(self, progress: Callable[[int], Any] | None) -> None:
        """Play every row to its end or to a forfeit."""
        records = self.records
        for player in self.players:
            if hasattr(player, "reset"):
                player.reset(records.rows.copy())
        running = records.rows
        while len(running):
            entrants = self.seated[running, records.player[running]]
            actions = np.full(records.size, NOBODY, np.int64)
            for entrant in range(len(self.players)):
                mine = running[entrants == entrant]
                if len(mine):
                    self.decide(entrant, mine, actions)
            playing = running[self.forfeited_by[running] == NOBODY]
            records.apply(actions[playing], playing)
            still = playing[records.player[playing] >= 0]
            if progress is not None:
                progress(len(running) - len(still))
            running = still

    def decide(self, entrant: int, rows: np.ndarray, actions: np.ndarray) -> None:
        """Write an entrant's legal actions, or let it forfeit."""
        began = time.perf_counter()
        try:
            chosen = self.ask(entrant, rows)
        except Exception as problem:
            if not self.catches_errors:
                raise
            if len(rows) > 1:  # find out in which of the games it fails
                for row in rows:
                    self.decide(entrant, np.array([row]), actions)
            else:
                self.forfeit(rows, f"{type(problem).__name__}: {problem}")
            return
        took = (time.perf_counter() - began) / len(rows)
        if self.time_limit is not None and took > self.time_limit:
            self.forfeit(rows, f"took {took:.3g} s per decision, {self.time_limit:.3g} allowed")
            return
        if not self.catches_errors:
            self.records.check_legal(chosen, rows)
        in_range = (chosen >= 0) & (chosen < self.records.game.num_actions)
        legal = in_range & (self.records.legal_masks[rows, np.where(in_range, chosen, 0)] == 1)
        for row, action in zip(rows[~legal], chosen[~legal], strict=True):
            self.forfeit(np.array([row]), f"illegal action {action}")
        actions[rows] = chosen

    def ask(self, entrant: int, rows: np.ndarray) -> np.ndarray:
        """An entrant's choices, checked for type and shape only."""
        records, player, rng = self.records, self.players[entrant], self.rngs[entrant]
        seats = records.player[rows].astype(np.int64)
        if hasattr(player, "act_on"):
            positions = records.select(rows)
            positions.determinize(seats, rng.integers(2**64, size=len(rows), dtype=np.uint64))
            positions.streams[:] = 0  # they would tell how the games were dealt
            return check_actions(player.act_on(positions, rng), len(rows))
        observation, mask = records.observe(seats, rows), records.legal_masks[rows]
        if getattr(player, "wants_turns", False):
            turns = Turns(records.game, records.num_players, rows.copy(), seats)
            told: Any = player
            return check_actions(told.act(observation, mask, rng, turns=turns), len(rows))
        return check_actions(player.act(observation, mask, rng), len(rows))

    def forfeit(self, rows: np.ndarray, reason: str) -> None:
        """End the games of some rows to the disadvantage of the seat to act."""
        self.forfeited_by[rows] = self.records.player[rows]
        self.reasons[rows] = reason

    def outcomes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Shares, rewards and scores by seat, and the causes of the ends."""
        records = self.records
        definition = records.game.definition
        shape = (records.size, records.num_players)
        shares, scores = np.zeros(shape), np.zeros(shape)
        rewards = records.rewards()
        ends = np.full(records.size, FORFEIT, object)
        for row in range(records.size):
            outcome = definition.outcome(records.states[row], records.game.t)
            scores[row] = outcome["scores"]
            if self.forfeited_by[row] != NOBODY:
                shares[row], rewards[row] = self.forfeited(row)
                continue
            ends[row] = outcome["end"]
            winners = outcome["winners"]
            if winners:
                shares[row, winners] = 1 / (1 if definition.cooperative else len(winners))
        return shares, rewards, scores, ends

    def forfeited(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Shares and rewards by seat of a forfeited game."""
        players = self.records.num_players
        if self.records.game.definition.cooperative or players == 1:
            return np.zeros(players), np.full(players, -1.0, np.float32)
        shares = np.full(players, 1 / (players - 1))
        shares[self.forfeited_by[row]] = 0
        rewards = shares.astype(np.float32)
        rewards[self.forfeited_by[row]] = -1
        return shares, rewards
