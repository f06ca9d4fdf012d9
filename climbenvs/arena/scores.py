"""Teams and players alone: distributions of scores instead of ratings."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from climbenvs.arena.games import PlayedGames
from climbenvs.arena.matches import share_interval
from climbenvs.arena.significance import deal_means, holm_pairs, mean_and_error, two_sided_p

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class ScoreStanding:
    """How an entrant came off by itself."""

    name: str
    games: int
    win_rate: float
    low: float
    high: float
    score: float
    """Mean score."""
    score_error: float
    """Its standard error over deals."""
    quantiles: tuple[float, ...]
    """Of the scores, at `QUANTILES`."""
    reward: float
    forfeits: int


@dataclass(frozen=True)
class ScoreTable:
    """The result of a tournament of teams or players alone; the best win rate first."""

    num_players: int
    num_games: int
    num_deals: int
    standings: tuple[ScoreStanding, ...]
    differences: np.ndarray
    """[E, E] float64, mean difference of victories (row less column) on the same deals."""
    p_values: np.ndarray
    """[E, E] float64, adjusted, of that difference being zero."""

    @property
    def names(self) -> list[str]:
        """The entrants, the best first."""
        return [standing.name for standing in self.standings]

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-able."""
        content = asdict(self)
        for name in ("differences", "p_values"):
            content[name] = content[name].tolist()
        return content


def tabulate(games: PlayedGames) -> ScoreTable:
    """Compare entrants that each took all seats of their games.

    Args:
        games: of a cooperative game, or of a game for one.

    Raises:
        ValueError: if different entrants sat in one game.
    """
    if np.any(games.seated != games.seated[:, :1]):
        raise ValueError("entrants of one game are rivals here; rate() compares those")
    owner = games.seated[:, 0]
    wins = games.shares[:, 0]
    standings = [_standing(games, entrant, owner) for entrant in range(len(games.entrants))]
    order = sorted(
        range(len(standings)), key=lambda i: (-standings[i].win_rate, -standings[i].score)
    )
    count = len(order)
    differences, errors, deals = np.zeros((3, count, count))
    for i, first in enumerate(order):
        for j, second in enumerate(order):
            if i != j:
                paired = _paired(games.deals, wins, owner == first, owner == second)
                differences[i, j], errors[i, j] = mean_and_error(paired)
                deals[i, j] = len(paired)
    known = ~np.eye(count, dtype=bool)
    return ScoreTable(
        num_players=games.num_players,
        num_games=games.num_games,
        num_deals=len(np.unique(games.deals)),
        standings=tuple(standings[i] for i in order),
        differences=differences,
        p_values=holm_pairs(two_sided_p(differences, errors, np.maximum(deals, 1)), known),
    )


def _standing(games: PlayedGames, entrant: int, owner: np.ndarray) -> ScoreStanding:
    """The row of an entrant."""
    mine = owner == entrant
    deals = games.deals[mine]
    win_rate, low, high = share_interval(deal_means(deals, games.shares[mine, 0]))
    scores = games.scores[mine].mean(axis=1)
    by_deal = deal_means(deals, scores)
    score = float(by_deal.mean())
    score_error = float(by_deal.std() / np.sqrt(len(by_deal)))
    return ScoreStanding(
        name=games.entrants[entrant],
        games=int(np.count_nonzero(mine)),
        win_rate=win_rate,
        low=low,
        high=high,
        score=score,
        score_error=score_error,
        quantiles=tuple(float(value) for value in np.quantile(scores, QUANTILES)),
        reward=float(games.rewards[mine, 0].mean()),
        forfeits=int(np.count_nonzero(games.forfeited_by[mine] >= 0)),
    )


def _paired(
    deals: np.ndarray, values: np.ndarray, first: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Differences of the deal means of two entrants on the deals that both have played."""
    common = np.intersect1d(deals[first], deals[second])
    one, two = first & np.isin(deals, common), second & np.isin(deals, common)
    if not len(common):
        raise ValueError("two entrants have no deal in common; they cannot be compared")
    return deal_means(deals[one], values[one]) - deal_means(deals[two], values[two])
