"""Synthetic finished games for the tests of ratings and reports."""

import itertools

import numpy as np

from climbenvs.arena.games import PlayedGames


def played(entrants, lineups, deals, outcome):
    """Every deal in all rotations of every line-up.

    Args:
        entrants: names.
        lineups: lists of entrant numbers.
        deals: number of deals.
        outcome: (deal, entrants by seat) -> reward by seat.
    """
    rows = []
    for lineup in lineups:
        for deal, rotation in itertools.product(range(deals), range(len(lineup))):
            seated = [lineup[(seat + rotation) % len(lineup)] for seat in range(len(lineup))]
            rows.append((deal, lineup, rotation, outcome(deal, seated)))
    rewards = np.array([row[3] for row in rows], np.float32)
    best = rewards == rewards.max(axis=1, keepdims=True)
    count = len(rows)
    return PlayedGames(
        entrants=tuple(entrants),
        deals=np.array([row[0] for row in rows], np.uint64),
        lineups=np.array([row[1] for row in rows]),
        rotations=np.array([row[2] for row in rows]),
        shares=best / best.sum(axis=1, keepdims=True),
        rewards=rewards,
        scores=rewards.astype(float) * 10,
        decisions=np.full(count, 30),
        ends=np.full(count, "summit", object),
        forfeits=np.full(count, "", object),
        forfeited_by=np.full(count, -1),
        seconds=np.full(count, 0.001),
    )


def plackett_luce(strengths, rng):
    """An outcome by the Plackett-Luce model: the first gets 1, the last -1, evenly between."""

    def outcome(deal, seated):
        order = np.argsort(-(np.asarray(strengths)[seated] + rng.gumbel(size=len(seated))))
        rewards = np.empty(len(seated))
        rewards[order] = np.linspace(1, -1, len(seated))
        return rewards

    return outcome
