"""Who plays which seat of which game while a self-play learner trains."""

from typing import Any

import numpy as np

LEARNER = -1


class Seating:
    """The learner in every seat, or in some games in one seat among others.

    An episode is mixed with a fixed probability. In a mixed one the learner has one seat, drawn at
    random, and each other seat draws a player from the mixture.

    Args:
        rows: number of games B.
        seats: seats per game P.
        mixed: probability that an episode is mixed.

    Attributes:
        players: [B, P] int64, number of the player in each seat, or `LEARNER`.
    """

    def __init__(self, rows: int, seats: int, mixed: float) -> None:
        self.mixed = mixed
        self.players = np.full((rows, seats), LEARNER, np.int64)

    def draw(self, rows: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> None:
        """Seat the players of the next episodes.

        Args:
            rows: the rows where an episode begins.
            weights: of the players in the mixture, summing to one; empty for none.
            rng: draws.
        """
        seats = self.players.shape[1]
        self.players[rows] = LEARNER
        if seats == 1 or not len(weights):
            return
        rows = rows[rng.random(len(rows)) < self.mixed]
        self.players[rows] = rng.choice(len(weights), (len(rows), seats), p=weights)
        self.players[rows, rng.integers(seats, size=len(rows))] = LEARNER


def mixture(named: list[Any], selves: list[Any]) -> tuple[list[Any], np.ndarray]:
    """Players and their weights: every named one weighs one, all earlier selves together one."""
    weights = [1.0] * len(named) + [1.0 / len(selves) for _ in selves]
    return [*named, *selves], np.array(weights) / max(sum(weights), 1e-9)
