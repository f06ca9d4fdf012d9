"""The table of finished games: what matches produce, stores keep, and ratings and reports read."""

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True)
class PlayedGames:
    """G finished games of one game, player count and set of options, in columns; P seats."""

    entrants: tuple[str, ...]
    """Names of the entrants; other columns refer to them by index."""
    deals: np.ndarray
    """[G] uint64, seed of each game's deal; games of equal deals had the same chance."""
    lineups: np.ndarray
    """[G, P] int64, the entrants of each game in the order they were entered, before rotation."""
    rotations: np.ndarray
    """[G] int64: seat k is played by entrant `lineups[g, (k + rotations[g]) % P]`."""
    shares: np.ndarray
    """[G, P] float64, share of the victory by seat."""
    rewards: np.ndarray
    """[G, P] float32, reward by seat."""
    scores: np.ndarray
    """[G, P] float64, score by seat."""
    decisions: np.ndarray
    """[G] int64, real choices made in each game."""
    ends: np.ndarray
    """[G] object, cause of each game's end as the game names it, or "forfeit"."""
    forfeits: np.ndarray
    """[G] object, why a seat forfeited the game; "" where nobody did."""
    forfeited_by: np.ndarray
    """[G] int64, the seat that forfeited, or -1."""
    seconds: np.ndarray
    """[G] float64, wall time spent on each game (that of a batch is shared out evenly)."""

    def select(self, chosen: np.ndarray) -> "PlayedGames":
        """Some of the games, with the entrants that take part in them.

        Args:
            chosen: [G] bool.

        Raises:
            ValueError: if it chooses none.
        """
        if not chosen.any():
            raise ValueError("no games were chosen")
        present, lineups = np.unique(self.lineups[chosen], return_inverse=True)
        columns = {
            field.name: getattr(self, field.name)[chosen]
            for field in fields(self)
            if field.name not in ("entrants", "lineups")
        }
        entrants = tuple(self.entrants[number] for number in present)
        return PlayedGames(entrants, lineups=lineups.reshape(-1, self.num_players), **columns)

    @property
    def num_games(self) -> int:
        """Number of games G."""
        return len(self.deals)

    @property
    def num_players(self) -> int:
        """Number of seats P."""
        return self.lineups.shape[1]

    @property
    def seated(self) -> np.ndarray:
        """[G, P] int64, the entrant in each seat."""
        seats = np.arange(self.num_players)
        return np.take_along_axis(
            self.lineups, (seats + self.rotations[:, None]) % self.num_players, axis=1
        )
