"""Scores, ranking and rewards at the end."""

from typing import Any

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.games.everest_go.state import (
    END_CAUSES,
    FLAG,
    MAX_STACK,
    NUM_PARTS,
    OXYGEN,
    RUNNING,
    WIN_REWARD,
)
from climbenvs.games.everest_go.table import is_frozen

SCORE_SCALE = 20
"""The score reward is the lead over the mean, divided by this."""


@rule
def final_score(s, t, seat):
    """Score with the bonus of the shout (R32)."""
    return s.score[seat] + t.everest_bonus * (s.shouter == seat)


@rule
def count_garments(s, seat, points):
    """Garments of a value on unfrozen parts, visible and hidden (R11)."""
    count = 0
    for part in range(NUM_PARTS):
        if not is_frozen(s, seat, part):
            for level in range(s.height[seat, part]):
                count += s.stacks[seat, part, level] == points
    return count


@rule
def rank_key(s, t, seat):
    """A number that orders the seats: score, shout, items, garments of 4, 3, 2, 1 points (R10)."""
    key = int(final_score(s, t, seat)) + 1000
    key = 2 * key + (s.shouter == seat)
    key = 3 * key + s.seats[seat, OXYGEN] + s.seats[seat, FLAG]
    for points in range(4, 0, -1):
        key = (NUM_PARTS * MAX_STACK + 1) * key + count_garments(s, seat, points)
    return key


@rule
def best_key(s, t):
    """The highest rank key of all seats."""
    best = rank_key(s, t, 0)
    for seat in range(1, s.num_players):
        best = max(best, rank_key(s, t, seat))
    return best


@rule
def rewards(s, t, out):
    """Win reward: winners share 1, the others share -1; score reward: lead over the mean."""
    players = s.num_players
    if s.reward == WIN_REWARD:
        best = best_key(s, t)
        winners = 0
        for seat in range(players):
            winners += rank_key(s, t, seat) == best
        if winners == players:
            return
        for seat in range(players):
            if rank_key(s, t, seat) == best:
                out[seat] += 1 / winners
            else:
                out[seat] -= 1 / (players - winners)
        return
    total = 0
    for seat in range(players):
        total += final_score(s, t, seat)
    for seat in range(players):
        out[seat] += (final_score(s, t, seat) - total / players) / SCORE_SCALE


@rule
def rank_seats(s, t, scores, first):
    """Write each seat's final score and whether it ranks first."""
    best = best_key(s, t)
    for seat in range(s.num_players):
        scores[seat] = final_score(s, t, seat)
        first[seat] = rank_key(s, t, seat) == best


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """Cause of the end, scores (with the bonus, once shouted) and winners, [] while running."""
    players, running = int(s["num_players"]), s["end"] == RUNNING
    scores, first = np.zeros(players, np.int64), np.zeros(players, np.bool_)
    rank_seats(s, t, scores, first)
    return {
        "end": None if running else END_CAUSES[int(s["end"]) - 1],
        "scores": scores.tolist(),
        "winners": [] if running else np.flatnonzero(first).tolist(),
    }
