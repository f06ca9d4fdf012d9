"""Matches between policies: every deal is played once in every rotation of the seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from climbenvs.engine.game import Game
from climbenvs.engine.records import Records, check_actions
from climbenvs.policies import Policy

ROWS_AT_ONCE = 4096
"""Games played together; bounds the memory of a long match."""

Z_95 = 1.959964


@dataclass(frozen=True)
class MatchResult:
    """What came out of a match of P entrants over D deals, each in P rotations.

    In rotation r, seat k is played by entrant (k + r) % P.
    """

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
    policies: Sequence[Policy],
    deals: int,
    *,
    seed: int = 0,
    num_threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    **options: Any,
) -> MatchResult:
    """Play `deals` deals in all rotations of the seats; a deal's chance is the same in each.

    Args:
        game: the game.
        policies: one policy per seat; their number is the player count.
        deals: number of deals.
        seed: of the deals (deal d is dealt with seed + d) and of the policies' own choices.
        num_threads: threads that share the games; no result depends on it.
        progress: called with the number of games finished since its last call.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
        IllegalActionError: if a policy chooses an illegal action.
        ValueError: if `deals` is not positive.
    """
    if deals < 1:
        raise ValueError(f"deals is {deals}; expected a positive integer")
    players = len(policies)
    rngs = [np.random.default_rng([seed, entrant]) for entrant in range(players)]
    chunk = max(1, ROWS_AT_ONCE // players)
    parts = []
    for first in range(0, deals, chunk):
        count = min(chunk, deals - first)
        records = Records(game, count * players, players, options, num_threads)
        records.seed([seed + first + row // players for row in range(records.size)])
        records.reset()
        _play_out(records, policies, rngs, progress)
        parts.append(_results(records))
    return MatchResult(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _play_out(
    records: Records,
    policies: Sequence[Policy],
    rngs: Sequence[np.random.Generator],
    progress: Callable[[int], Any] | None,
) -> None:
    """Play every row to its end; row % P is its rotation."""
    players = len(policies)
    running = records.rows
    while len(running):
        seats = records.player[running]
        entrants = (seats + running) % players
        observation = records.observe(seats, running)
        actions = np.empty(len(running), np.int64)
        for entrant, policy in enumerate(policies):
            mine = np.flatnonzero(entrants == entrant)
            if len(mine):
                masks = records.legal_masks[running[mine]]
                chosen = policy.act(observation[mine], masks, rngs[entrant])
                actions[mine] = check_actions(chosen, len(mine))
        records.check_legal(actions, running)
        records.apply(actions, running)
        still = records.player[running] >= 0
        if progress is not None:
            progress(int(np.count_nonzero(~still)))
        running = running[still]


def _results(records: Records) -> tuple[np.ndarray, ...]:
    """The fields of `MatchResult` for a batch of finished games."""
    players = records.num_players
    rows = records.size
    rotation = records.rows % players
    entrants = (np.arange(players) + rotation[:, None]) % players
    shares = np.zeros((rows, players))
    scores = np.zeros((rows, players))
    ends = np.empty(rows, object)
    for row in range(rows):
        outcome = records.game.definition.outcome(records.states[row], records.game.t)
        winners = outcome["winners"]
        if winners:
            shares[row, winners] = 1 / (1 if records.game.definition.cooperative else len(winners))
        scores[row] = outcome["scores"]
        ends[row] = outcome["end"]
    by_seat = (shares, records.rewards(), scores)
    by_entrant = []
    for values in by_seat:
        turned = np.empty_like(values)
        np.put_along_axis(turned, entrants, values, axis=1)
        by_entrant.append(turned.reshape(-1, players, players))
    decisions = records.states["decisions"].astype(np.int64).reshape(-1, players)
    return (*by_entrant, decisions, ends.reshape(-1, players))
