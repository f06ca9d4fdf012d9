"""Ratings of rivals: strengths with intervals, pairs, seats, and what a single number may hide.

Strengths are those of the Plackett-Luce model (Plackett 1975), for two rivals that of Bradley and
Terry (1952), on Elo's scale with mean 0: 400 points more are odds of ten to one. A game counts as
the comparisons of all pairs in it by reward, a tie as half a win each; fitting these is consistent
for Plackett-Luce (Azari Soufiani et al. 2013). choix fits them by iterated spectral ranking
(Maystre and Grossglauser 2015). Half a win each way for every pair that has met keeps the unbeaten
finite; in the resamples it varies, or the unbeaten would seem to be known exactly. The games of a
deal are not independent of each other but deals are, so everything is resampled or averaged by
deal.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from climbenvs.arena.games import PlayedGames
from climbenvs.arena.matches import share_interval
from climbenvs.arena.significance import (
    PRIOR_VARIANCE,
    deal_means,
    holm,
    holm_pairs,
    mean_and_error,
    two_sided_p,
)

ELO = 400 / np.log(10)
LEVEL = 0.05
"""Differences with an adjusted p-value below this are called significant."""
PRIOR_WINS = 0.5
"""Added each way for every pair that has met."""
# Of the evolutionary model behind the alpha-rank (Omidshafiei et al. 2019).
POPULATION, INTENSITY = 50, 20.0


@dataclass(frozen=True)
class Standing:
    """How an entrant came off."""

    name: str
    games: int
    rating: float
    low: float
    high: float
    share: float
    """Mean share of the victory."""
    share_low: float
    share_high: float
    reward: float
    forfeits: int
    group: str
    """Entrants with a letter in common do not differ significantly."""


@dataclass(frozen=True)
class SeatValue:
    """How an entrant, or everybody ("all"), fares in a seat."""

    name: str
    seat: int
    share: float
    low: float
    high: float
    p_value: float
    """Adjusted; of the entrant's gain in this seat being everybody's, or everybody's being 0."""


@dataclass(frozen=True)
class Ratings:
    """The result of a tournament of rivals; E entrants, the strongest first."""

    num_players: int
    num_games: int
    num_deals: int
    standings: tuple[Standing, ...]
    ahead: np.ndarray
    """[E, E] float64: how often the row's entrant was paid more than the column's, ties half."""
    ahead_error: np.ndarray
    """[E, E] float64, standard errors of that; NaN, as `ahead`, where two have never met."""
    p_values: np.ndarray
    """[E, E] float64, adjusted, of two ratings being equal."""
    seats: tuple[SeatValue, ...]
    cycle: tuple[str, ...]
    """Entrants each of whom beats the next significantly, and the last the first; or none."""
    alpha_rank: dict[str, float]
    """Where there is a cycle: the share of time evolution spends with each entrant."""

    @property
    def names(self) -> list[str]:
        """The entrants, the strongest first."""
        return [standing.name for standing in self.standings]

    def differ(self, first: str, second: str) -> bool:
        """Whether two entrants' ratings differ significantly."""
        names = self.names
        return bool(self.p_values[names.index(first), names.index(second)] < LEVEL)

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-able; NaN becomes None."""
        content = asdict(self)
        for name in ("ahead", "ahead_error", "p_values"):
            rows = content[name].tolist()
            content[name] = [[None if x != x else x for x in row] for row in rows]
        return content


def rate(games: PlayedGames, resamples: int = 400, seed: int = 0) -> Ratings:
    """Rate the entrants of a tournament of rivals.

    Args:
        games: with at least two entrants, all of them connected by common games.
        resamples: of the deals, for the intervals.
        seed: of the resampling.

    Raises:
        ValueError: if there is one entrant only, or two that no chain of common games connects.
        ImportError: naming the extra to install, if choix is missing.
    """
    count = len(games.entrants)
    if count < 2:
        raise ValueError(f"{games.entrants[0]} is the only entrant; ratings need at least two")
    wins = comparisons(games)
    met = (wins + wins.transpose(0, 2, 1)).sum(axis=0) > 0
    _check_connected(met, games.entrants)
    ratings = fit(wins.sum(axis=0) + PRIOR_WINS * met)
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(len(wins), np.full(len(wins), 1 / len(wins)), size=resamples)
    totals = (weights @ wins.reshape(len(wins), -1)).reshape(resamples, count, count)
    totals += rng.exponential(PRIOR_WINS, totals.shape) * met
    samples = np.array([fit(total) for total in totals])
    differences = ratings[:, None] - ratings
    errors = (samples[:, :, None] - samples[:, None, :]).std(axis=0, ddof=1)
    tests = two_sided_p(differences, errors, len(wins))
    p_values = holm_pairs(tests, np.ones((count, count), bool))
    order = np.argsort(-ratings, kind="stable")
    low, high = np.quantile(samples, [0.025, 0.975], axis=0)
    groups = _groups(p_values[np.ix_(order, order)])
    standings = tuple(
        _standing(games, int(entrant), ratings, low, high, group)
        for entrant, group in zip(order, groups, strict=True)
    )
    ahead, ahead_error = _pairs(wins)
    ahead, ahead_error = ahead[np.ix_(order, order)], ahead_error[np.ix_(order, order)]
    names = [standing.name for standing in standings]
    cycle = tuple(names[i] for i in find_cycle(_beats(ahead, ahead_error, len(wins))))
    return Ratings(
        num_players=games.num_players,
        num_games=games.num_games,
        num_deals=len(wins),
        standings=standings,
        ahead=ahead,
        ahead_error=ahead_error,
        p_values=p_values[np.ix_(order, order)],
        seats=seat_values(games, names),
        cycle=cycle,
        alpha_rank=dict(zip(names, alpha_rank(ahead), strict=True)) if cycle else {},
    )


def comparisons(games: PlayedGames) -> np.ndarray:
    """[D, E, E] float64: by deal, how often the row's entrant was paid more, ties half."""
    _, deal = np.unique(games.deals, return_inverse=True)
    count = len(games.entrants)
    wins = np.zeros((deal.max() + 1, count, count))
    seated = games.seated
    for one in range(games.num_players):
        for other in range(games.num_players):
            rivals = seated[:, one] != seated[:, other]
            paid, theirs = games.rewards[rivals, one], games.rewards[rivals, other]
            result = np.where(paid > theirs, 1.0, np.where(paid == theirs, 0.5, 0.0))
            np.add.at(wins, (deal[rivals], seated[rivals, one], seated[rivals, other]), result)
    return wins


def fit(wins: np.ndarray) -> np.ndarray:
    """[E] ratings with mean 0 from [E, E] numbers of how often the row was ahead of the column."""
    try:
        import choix
    except ImportError:
        raise ImportError("ratings need choix: pip install climbenvs[arena]") from None
    strengths = choix.ilsr_pairwise_dense(wins)
    return ELO * (strengths - strengths.mean())


def _check_connected(met: np.ndarray, names: tuple[str, ...]) -> None:
    """Raise unless everybody is linked with everybody by common games."""
    reached = met | np.eye(len(met), dtype=bool)
    for _ in names:
        reached = (reached.astype(int) @ reached.astype(int)) > 0
    if not reached.all():
        i, j = np.argwhere(~reached)[0]
        raise ValueError(
            f"{names[i]} and {names[j]} cannot be compared: no chain of common games links them"
        )


def _standing(
    games: PlayedGames,
    entrant: int,
    ratings: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    group: str,
) -> Standing:
    """The row of an entrant."""
    game, seat = np.nonzero(games.seated == entrant)
    share, share_low, share_high = share_interval(
        deal_means(games.deals[game], games.shares[game, seat])
    )
    forfeited = games.forfeited_by[game] == seat
    return Standing(
        name=games.entrants[entrant],
        games=len(np.unique(game)),
        rating=float(ratings[entrant]),
        low=float(low[entrant]),
        high=float(high[entrant]),
        share=share,
        share_low=share_low,
        share_high=share_high,
        reward=float(games.rewards[game, seat].mean()),
        forfeits=int(np.count_nonzero(forfeited)),
        group=group,
    )


def _pairs(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How often the row is ahead of the column, with standard errors over deals; NaN: never met."""
    played = wins + wins.transpose(0, 2, 1)
    total = played.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ahead = wins.sum(axis=0) / total
        residual = np.nan_to_num(wins - ahead * played)
        one_deal = PRIOR_VARIANCE * (total / len(wins)) ** 2
        error = np.sqrt((residual**2).sum(axis=0) + one_deal) / total
    return ahead, error


def _beats(ahead: np.ndarray, error: np.ndarray, deals: int) -> np.ndarray:
    """[E, E] bool: whether the row is ahead of the column significantly."""
    known = ~np.isnan(ahead)
    p_values = two_sided_p(np.nan_to_num(ahead - 0.5), np.nan_to_num(error), deals)
    return (holm_pairs(p_values, known) < LEVEL) & (np.nan_to_num(ahead) > 0.5)


def _groups(p_values: np.ndarray) -> list[str]:
    """Letters for runs of the ranking in which nobody differs significantly from anybody."""
    count = len(p_values)
    runs: list[tuple[int, int]] = []
    for start in range(count):
        stop = start + 1
        while stop < count and np.all(p_values[start:stop, stop] >= LEVEL):
            stop += 1
        if not runs or stop > runs[-1][1]:
            runs.append((start, stop))
    letters = [chr(ord("a") + number % 26) for number in range(len(runs))]
    return [
        "".join(
            letter for letter, (start, stop) in zip(letters, runs, strict=True) if start <= i < stop
        )
        for i in range(count)
    ]


def seat_values(games: PlayedGames, names: list[str]) -> tuple[SeatValue, ...]:
    """Everybody's share of the victory by seat, then each entrant's, with a test for each.

    An entrant's gain in a seat is its share there less its share over all seats of the same deals.
    It is compared with everybody's gain there: so a player whose play depends on its seat stands
    out, while a seat that is good for all does not count as anybody's merit.
    """
    seats = range(games.num_players)
    common = [games.shares[:, seat] - 1 / games.num_players for seat in seats]
    everybody = [deal_means(games.deals, gain) for gain in common]
    values, tests = [], []
    for seat in seats:
        mean, error = mean_and_error(everybody[seat])
        values.append(("all", seat, *share_interval(everybody[seat] + 1 / games.num_players)))
        tests.append((mean, error, len(everybody[seat])))
    for name in names:
        entrant = games.entrants.index(name)
        game, seated = np.nonzero(games.seated == entrant)
        shares = games.shares[game, seated]
        _, deal = np.unique(games.deals[game], return_inverse=True)
        usual = (np.bincount(deal, shares) / np.bincount(deal))[deal]
        for seat in seats:
            here = seated == seat
            gains = deal_means(deal[here], (shares - usual)[here])
            mean, error = mean_and_error(gains)
            values.append((name, seat, *share_interval(deal_means(deal[here], shares[here]))))
            tests.append((mean - float(everybody[seat].mean()), error, len(gains)))
    differences, errors, deals = np.array(tests).T
    p_values = holm(two_sided_p(differences, errors, deals))
    return tuple(
        SeatValue(*value, p_value=float(p_value))
        for value, p_value in zip(values, p_values, strict=True)
    )


def find_cycle(beats: np.ndarray) -> list[int]:
    """A shortest cycle i beats j beats ... beats i; empty if there is none.

    Args:
        beats: [E, E] bool.
    """
    cycles = [cycle for start in range(len(beats)) if (cycle := _cycle_from(beats, start))]
    return min(cycles, key=len, default=[])


def _cycle_from(beats: np.ndarray, start: int) -> list[int]:
    """A shortest cycle through one entrant, by breadth-first search."""
    paths = [[start]]
    seen = {start}
    while paths:
        longer = []
        for path in paths:
            for following in np.flatnonzero(beats[path[-1]]):
                if following == start:
                    return path
                if following not in seen:
                    seen.add(int(following))
                    longer.append([*path, int(following)])
        paths = longer
    return []


def alpha_rank(ahead: np.ndarray) -> np.ndarray:
    """[E] stationary distribution of the alpha-rank with one population (Omidshafiei et al. 2019).

    Args:
        ahead: [E, E], payoff of the row against the column; NaN counts as a draw.
    """
    payoff = np.nan_to_num(ahead, nan=0.5)
    count = len(payoff)
    advantage = INTENSITY * (payoff.T - payoff)  # of the column as a mutant among the row's
    with np.errstate(over="ignore", invalid="ignore"):
        fixation = np.where(
            np.abs(advantage) < 1e-12,
            1 / POPULATION,
            np.expm1(-advantage) / np.expm1(-POPULATION * advantage),
        )
    chain = np.nan_to_num(fixation) / max(count - 1, 1)
    np.fill_diagonal(chain, 0)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    equations = np.vstack([chain.T - np.eye(count), np.ones(count)])
    solution, *_ = np.linalg.lstsq(equations, np.append(np.zeros(count), 1.0), rcond=None)
    return np.clip(solution, 0, 1)
