"""Matches: identical deals, all rotations, honest intervals."""

import numpy as np
import pytest

from climbenvs.arena import play_match, share_interval
from climbenvs.engine.errors import IllegalActionError
from climbenvs.policies import named_policy
from climbenvs.registry import load


class Lowest:
    """Always the legal action of the lowest number."""

    def act(self, observation, action_mask, rng):
        """The first legal action of each row."""
        return action_mask.argmax(axis=1)


def test_equal_deterministic_players_share_every_deal():
    game = load("everest_go")
    result = play_match(game, [Lowest(), Lowest()], 10)
    np.testing.assert_allclose(result.shares.mean(axis=1), 0.5)
    np.testing.assert_allclose(result.rewards.sum(axis=2), 0, atol=1e-6)


def test_rotations_of_a_deal_have_the_same_chance():
    game = load("everest_go")
    result = play_match(game, [Lowest(), Lowest(), Lowest()], 5)
    assert (result.decisions == result.decisions[:, :1]).all()
    np.testing.assert_allclose(
        np.sort(result.scores, axis=2)[:, 0], np.sort(result.scores, axis=2)[:, 1]
    )


def test_entrants_take_every_seat():
    game = load("connect_four")
    result = play_match(game, [Lowest(), named_policy(game, "random")], 3)
    assert result.shares.shape == (3, 2, 2)
    assert set(result.ends.ravel()) <= {"four", "full"}


def test_greedy_beats_builder_and_builder_beats_random():
    game = load("everest_go")
    for better, worse in (("greedy", "builder"), ("builder", "random")):
        result = play_match(game, [named_policy(game, better), named_policy(game, worse)], 60)
        assert result.interval(0)[1] > 0.6


def test_threads_and_progress_change_nothing():
    game = load("everest_go")
    lineup = [named_policy(game, "greedy"), named_policy(game, "random")]
    counted = []
    one = play_match(game, lineup, 300, seed=3, progress=counted.append)
    two = play_match(game, lineup, 300, seed=3, num_threads=2)
    np.testing.assert_array_equal(one.rewards, two.rewards)
    assert sum(counted) == 600


def test_intervals_cover_the_truth_and_never_vanish():
    assert share_interval(np.ones(100))[1] < 0.98
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        mean, low, high = share_interval(rng.binomial(2, 0.8, 50) / 2)
        assert low <= mean <= high
        covered += low <= 0.8 <= high
    assert covered / 400 > 0.92


def test_an_illegal_choice_and_no_deals_are_refused():
    class Wrong:
        def act(self, observation, action_mask, rng):
            return action_mask.argmin(axis=1)

    game = load("everest_go")
    with pytest.raises(IllegalActionError, match="row 0"):
        play_match(game, [Wrong(), Wrong()], 1)
    with pytest.raises(ValueError, match="deals is 0"):
        play_match(game, [Lowest(), Lowest()], 0)
