"""Ratings recover known strengths, doubt what is doubtful, and expose seats, cycles and gaps."""

import itertools
import json

import numpy as np
import pytest
from arena_games import plackett_luce, played

from climbenvs.arena import ratings
from climbenvs.arena.ratings import LEVEL, alpha_rank, find_cycle, rate
from climbenvs.arena.scores import tabulate
from climbenvs.arena.significance import holm

PAIRS = list(itertools.combinations(range(3), 2))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_are_recovered(seats):
    strengths = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    lineups = list(itertools.combinations(range(5), seats))
    games = played("abcde", lineups, 300, plackett_luce(strengths, np.random.default_rng(seats)))
    result = rate(games, resamples=200)
    assert result.names == list("abcde")
    truth = dict(zip("abcde", ratings.ELO * strengths, strict=True))
    for standing in result.standings:
        assert standing.rating == pytest.approx(truth[standing.name], abs=25)
        assert standing.low < standing.rating < standing.high
    inside = [s.low <= truth[s.name] <= s.high for s in result.standings]
    assert sum(inside) >= 4
    assert result.differ("a", "e")


def test_intervals_cover_the_truth_about_as_often_as_they_promise():
    strengths = np.array([0.4, 0.0, -0.4])
    covered = []
    for seed in range(40):
        outcome = plackett_luce(strengths, np.random.default_rng(seed))
        result = rate(played("abc", PAIRS, 100, outcome), resamples=150, seed=seed)
        truth = dict(zip("abc", ratings.ELO * strengths, strict=True))
        covered += [s.low <= truth[s.name] <= s.high for s in result.standings]
    assert 0.88 <= np.mean(covered) <= 0.99


def test_identical_players_do_not_differ():
    """Of 40 tournaments of equals, hardly more than one in twenty finds any difference."""
    wrong = 0
    for seed in range(40):
        outcome = plackett_luce(np.zeros(3), np.random.default_rng(100 + seed))
        result = rate(played("abc", PAIRS, 60, outcome), resamples=150)
        wrong += bool((result.p_values < LEVEL).any())
        if seed == 0:
            assert {s.group for s in result.standings} == {"a"}
    assert wrong <= 5


def test_groups_join_only_those_who_do_not_differ():
    strengths = np.array([1.5, 0.02, 0.0])
    outcome = plackett_luce(strengths, np.random.default_rng(7))
    result = rate(played(["top", "x", "y"], PAIRS, 200, outcome))
    groups = {standing.name: standing.group for standing in result.standings}
    assert groups["x"] == groups["y"] != groups["top"]


def test_ties_count_half_and_the_unbeaten_stay_finite():
    level = rate(played("ab", [(0, 1)], 20, lambda deal, seated: [0.0, 0.0]))
    assert [standing.rating for standing in level.standings] == [0.0, 0.0]
    assert level.ahead[0, 1] == 0.5
    crushed = rate(
        played("ab", [(0, 1)], 50, lambda deal, seated: np.where(np.array(seated) == 0, 1, -1))
    )
    assert crushed.names == ["a", "b"]
    assert 300 < crushed.standings[0].rating < 2000
    assert crushed.ahead[0, 1] == 1.0
    assert crushed.differ("a", "b")
    assert crushed.standings[0].high - crushed.standings[0].low > 100


def test_a_seat_that_is_good_for_all_is_nobodys_merit():
    rng = np.random.default_rng(0)

    def outcome(deal, seated):
        return [1, -1] if rng.random() < 0.7 else [-1, 1]

    seats = {(v.name, v.seat): v for v in rate(played("abc", PAIRS, 200, outcome)).seats}
    assert seats["all", 0].share == pytest.approx(0.7, abs=0.05)
    assert seats["all", 0].p_value < 0.001
    for name in "abc":
        assert seats[name, 0].p_value > LEVEL


def test_a_player_that_depends_on_its_seat_is_exposed():
    """`moody` is as strong as the others on the whole: it wins in seat 0 and loses in seat 1."""
    rng = np.random.default_rng(0)

    def outcome(deal, seated):
        if 0 in seated:
            return [1, -1]  # moody wins as the first, and lets the other win as the second
        return [1, -1] if rng.random() < 0.5 else [-1, 1]

    result = rate(played(["moody", "a", "b"], PAIRS, 150, outcome))
    seats = {(v.name, v.seat): v for v in result.seats}
    assert seats["moody", 0].share == 1.0
    assert seats["moody", 1].share == 0.0
    assert seats["moody", 0].p_value < 0.001
    assert not result.differ("moody", "a")


def test_a_cycle_is_found_and_evolution_does_not_settle_in_it():
    def rock_paper_scissors(deal, seated):
        first_wins = (seated[1] - seated[0]) % 3 == 1
        return [1, -1] if first_wins else [-1, 1]

    result = rate(played(["rock", "scissors", "paper"], PAIRS, 40, rock_paper_scissors))
    assert set(result.cycle) == {"rock", "scissors", "paper"}
    order = [*result.cycle, result.cycle[0]]
    for winner, loser in itertools.pairwise(order):
        assert result.ahead[result.names.index(winner), result.names.index(loser)] == 1.0
    assert list(result.alpha_rank.values()) == pytest.approx([1 / 3] * 3)


def test_a_shortest_cycle_is_found():
    beats = np.zeros((5, 5), bool)
    for winner, loser in ((0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (4, 1)):
        beats[winner, loser] = True
    assert sorted(find_cycle(beats)) == [1, 2, 4]


@pytest.mark.parametrize("deals", [1, 2, 3])
def test_a_few_deals_prove_nothing(deals):
    def rock_paper_scissors(deal, seated):
        return [1, -1] if (seated[1] - seated[0]) % 3 == 1 else [-1, 1]

    result = rate(played(["rock", "scissors", "paper"], PAIRS, deals, rock_paper_scissors))
    assert result.cycle == ()
    assert all(value.p_value > LEVEL for value in result.seats)
    wrong = 0
    for seed in range(60):
        wrong += tabulate(team_games([0.5, 0.5], deals, seed)).p_values[0, 1] < LEVEL
    assert wrong <= 5


def test_where_there_is_an_order_there_is_no_cycle():
    outcome = plackett_luce(np.array([2.0, 0.0, -2.0]), np.random.default_rng(5))
    result = rate(played("abc", PAIRS, 100, outcome))
    assert result.cycle == ()
    assert result.alpha_rank == {}
    assert alpha_rank(result.ahead)[0] > 0.99
    assert find_cycle(np.triu(np.ones((4, 4), bool), 1)) == []


def test_who_never_met_cannot_be_compared():
    games = played("abcd", [(0, 1), (2, 3)], 5, lambda deal, seated: [1, -1])
    with pytest.raises(ValueError, match="a and c cannot be compared"):
        rate(games)
    alone = played("a", [(0, 0)], 5, lambda deal, seated: [1, -1])
    with pytest.raises(ValueError, match="a is the only entrant"):
        rate(alone)
    chain = rate(played("abc", [(0, 1), (1, 2)], 5, lambda deal, seated: [1, -1]))
    assert np.isnan(chain.ahead[chain.names.index("a"), chain.names.index("c")])
    assert "NaN" not in json.dumps(chain.to_dict())


def test_repeated_entrants_are_not_compared_with_themselves():
    outcome = plackett_luce(np.array([1.0, 0.0]), np.random.default_rng(1))
    result = rate(played("ab", [(0, 0, 1), (0, 1, 1)], 200, outcome))
    assert result.names == ["a", "b"]
    assert result.standings[0].rating * 2 == pytest.approx(ratings.ELO, abs=35)


def test_holm_is_as_published():
    adjusted = holm(np.array([0.01, 0.04, 0.03, 0.005]))
    np.testing.assert_allclose(adjusted, [0.03, 0.06, 0.06, 0.02])


# --- Teams ---------------------------------------------------------------------------------------


def team_games(chances, deals=200, seed=0):
    rng = np.random.default_rng(seed)
    luck = rng.random(deals)
    lineups = [(number, number) for number in range(len(chances))]
    games = played("abc"[: len(chances)], lineups, deals, lambda deal, seated: [0.0, 0.0])
    wins = luck[games.deals.astype(int)] < np.array(chances)[games.seated[:, 0]]
    games.shares[:] = wins[:, None]
    games.scores[:] = np.where(wins, 5, 2)[:, None]
    return games


def test_teams_are_compared_by_victories_on_the_same_deals():
    result = tabulate(team_games([0.3, 0.34, 0.6]))
    assert result.names == ["c", "b", "a"]
    assert result.p_values[0, 2] < 0.001
    # On equal luck, all that a wins b wins too: pairing shows what the two rates alone would not.
    assert result.differences[1, 2] > 0
    assert result.p_values[1, 2] < LEVEL
    standing = result.standings[0]
    assert standing.low < standing.win_rate < standing.high
    assert standing.quantiles == (2, 2, 5, 5, 5)
    json.dumps(result.to_dict())


def test_equal_teams_do_not_differ_and_rivals_are_refused():
    assert tabulate(team_games([0.4, 0.4])).p_values[0, 1] == 1.0
    with pytest.raises(ValueError, match="are rivals here"):
        tabulate(played("ab", [(0, 1)], 3, lambda deal, seated: [1, -1]))
