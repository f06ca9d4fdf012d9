"""Batches: threads, seeds, refused input, buffers, saved states, clones and random play."""

import pickle
from dataclasses import replace

import high_card
import numpy as np
import pytest

from climbenvs.engine import records as records_module
from climbenvs.engine.errors import (
    ClimbenvsError,
    GameOverError,
    IllegalActionError,
    OptionError,
    SnapshotError,
)
from climbenvs.engine.game import Game
from climbenvs.engine.jit import rule
from climbenvs.engine.records import Records, expand_seeds
from climbenvs.envs.vector import VectorGame, make_vec
from climbenvs.policies import named_policy
from climbenvs.registry import load

GAME = Game(high_card.GAME)


def vector(rows=4, seed=0, **arguments):
    result = VectorGame(GAME, rows, seed=seed, **{"copy": True, "num_players": 3, **arguments})
    return result, result.reset()


def assert_equal(one, two):
    for name in one._fields:
        assert np.array_equal(getattr(one, name), getattr(two, name)), name


def everything(games):
    """Bytes of all that decides how a vector goes on, and of all that it shows."""
    saved = [array.tobytes() for array in games.get_state().values()]
    return saved + [array.tobytes() for array in games._buffers]


def test_a_batch_has_the_declared_shapes_and_types():
    games, batch = vector()
    size = GAME.observation_layout.size
    expected = {
        "observation": ((4, size), np.int8),
        "action_mask": ((4, 3), np.int8),
        "player": ((4,), np.int64),
        "rewards": ((4, 3), np.float32),
        "done": ((4,), np.bool_),
    }
    for _ in range(20):
        for name, (shape, dtype) in expected.items():
            assert getattr(batch, name).shape == shape
            assert getattr(batch, name).dtype == dtype
        assert (batch.action_mask.sum(axis=1) >= 2).all()
        batch = games.step(games.sample_actions())


def test_after_an_end_the_batch_shows_the_next_game():
    games, batch = vector()
    batch = games.step([0] * 4)
    batch = games.step([0] * 4)
    assert batch.done.all()
    assert batch.rewards.tolist() == [[-1, -1, 2]] * 4
    assert batch.player.tolist() == [0] * 4
    batch = games.step([0] * 4)
    assert not batch.done.any()
    assert not batch.rewards.any()


@pytest.mark.parametrize("num_threads", [2, 3, 8])
def test_no_result_depends_on_threads(num_threads, monkeypatch):
    monkeypatch.setattr(records_module, "ROWS_PER_THREAD", 5)
    one, batch_one = vector(37)
    many, batch_many = vector(37, num_threads=num_threads)
    for _ in range(30):
        assert_equal(batch_one, batch_many)
        actions = one.sample_actions()
        assert np.array_equal(actions, many.sample_actions())
        batch_one, batch_many = one.step(actions), many.step(actions)
    assert np.array_equal(one.rollout(20).returns, many.rollout(20).returns)
    assert everything(one) == everything(many)


def test_row_i_plays_the_game_of_seed_plus_i():
    _, batch = vector(5, seed=10)
    for row in range(5):
        _, single = vector(1, seed=10 + row)
        assert np.array_equal(single.observation[0], batch.observation[row])


def test_a_seed_for_each_row_can_be_given():
    _, batch = vector(3, seed=[7, 7, 9])
    assert np.array_equal(batch.observation[0], batch.observation[1])
    assert expand_seeds(2**64 - 1, 2).tolist() == [2**64 - 1, 0]
    assert expand_seeds(np.array([1, 2]), 2).tolist() == [1, 2]


def test_a_seeded_reset_repeats_games_and_random_actions():
    games, _ = vector(8, seed=3)
    first = [games.step(games.sample_actions()) for _ in range(20)]
    games.reset(seed=3)
    for batch in first:
        assert_equal(batch, games.step(games.sample_actions()))


def test_an_unseeded_reset_goes_on_with_the_stream():
    games, first = vector(32, seed=3)
    second = games.reset()
    assert not np.array_equal(first.observation, second.observation)
    again, _ = vector(32, seed=3)
    assert_equal(second, again.reset())


def test_no_seed_means_another_game_each_time():
    streams = {tuple(vector(2, seed=None)[0].get_state()["streams"]) for _ in range(3)}
    assert len(streams) == 3


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "a", True, [1, 2], [1, 2, 3, -4]])
def test_bad_seeds_are_refused(seed):
    with pytest.raises((ValueError, TypeError)):
        vector(4, seed=seed)
    games, _ = vector(4)
    before = everything(games)
    with pytest.raises((ValueError, TypeError)):
        games.reset(seed=seed)
    assert everything(games) == before


@pytest.mark.parametrize("num_envs", [0, -1, 2.0, True, None])
def test_a_bad_number_of_games_is_refused(num_envs):
    with pytest.raises(ValueError, match="number of games"):
        VectorGame(GAME, num_envs)


@pytest.mark.parametrize("num_threads", [0, -1, 1.5])
def test_a_bad_number_of_threads_is_refused(num_threads):
    with pytest.raises(ValueError, match="num_threads"):
        VectorGame(GAME, 2, num_threads=num_threads)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ante": 4}, "integer from 1 to 3"),
        ({"ante": 1.0}, "integer from 1 to 3"),
        ({"ante": True}, "integer from 1 to 3"),
        ({"low_wins": 1}, "False, True"),
        ({"colour": "red"}, "its options: ante, low_wins"),
        ({"num_players": 4}, "takes 2 to 3"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        VectorGame(GAME, 2, **options)


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([1.0, 1.0, 1.0, 1.0], TypeError, "float64"),
        ([True] * 4, TypeError, "bool"),
        (["1"] * 4, TypeError, "dtype"),
        (None, TypeError, "dtype"),
        ([1, 1, 1], ValueError, r"shape \(3,\)"),
        (1, ValueError, "shape"),
        ([[1, 1, 1, 1]], ValueError, "shape"),
        ([1, 1, 3, 1], IllegalActionError, r"row 2, player_0: action 3 is not in \[0, 3\)"),
        ([1, 1, 1, -1], IllegalActionError, "row 3, player_0: action -1"),
        ([2**63 + 1] * 4, IllegalActionError, "row 0"),
    ],
)
def test_bad_actions_are_refused_and_change_nothing(actions, error, message):
    games, _ = vector(4)
    before = everything(games)
    if isinstance(actions, list) and actions[0] == 2**63 + 1:
        actions = np.array(actions, np.uint64)
    with pytest.raises(error, match=message):
        games.step(actions)
    assert everything(games) == before


def test_an_illegal_action_is_named_and_changes_no_row():
    games, _ = vector(2, num_players=2)
    snapshot = {**GAME.start(2, 0).to_dict(), "deck": []}
    games._records.states[1] = GAME.from_dict(snapshot)._records.states[0]
    games._records.refresh()
    before = everything(games)
    message = r"row 1, player_0: action 2 \(swap\) is not legal now; 2 actions are legal"
    with pytest.raises(IllegalActionError, match=message):
        games.step([2, 2])
    assert everything(games) == before


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint8, np.uint64])
def test_actions_of_any_integer_type_are_taken(dtype):
    games, _ = vector(4)
    other, _ = vector(4)
    assert_equal(games.step(np.ones(4, dtype)), other.step([1] * 4))


def test_a_finished_game_in_a_batch_without_autoreset_is_refused():
    records = Records(GAME, 2, 2, {})
    records.seed(0)
    records.reset()
    records.apply(np.array([0]), np.array([1]))
    assert records.player.tolist() == [0, -1]
    with pytest.raises(GameOverError, match="row 1"):
        records.check_legal(np.array([0, 0]))


def test_nothing_can_be_done_before_reset():
    games = make_vec(GAME, 2)
    for use in (games.sample_actions, games.global_state, lambda: games.step([0, 0])):
        with pytest.raises(ClimbenvsError, match=r"reset\(\)"):
            use()


def test_buffers_are_reused_unless_copies_are_asked_for():
    games, first = vector(4, copy=False)
    assert games.step([1] * 4).observation is first.observation
    games, first = vector(4, copy=True)
    kept = first.observation.copy()
    second = games.step([1] * 4)
    assert not np.shares_memory(second.observation, first.observation)
    assert np.array_equal(first.observation, kept)


def test_writing_into_a_batch_does_not_change_the_game():
    games, batch = vector(4, copy=False)
    batch.action_mask[:] = 0
    batch.player[:] = 2
    assert_equal(games.clone().step([1] * 4), vector(4)[0].step([1] * 4))


def test_a_saved_state_brings_everything_back():
    games, _ = vector(6)
    games.step(games.sample_actions())
    saved = games.get_state()
    expected = [games.step(games.sample_actions()) for _ in range(15)]
    games.set_state(pickle.loads(pickle.dumps(saved)))
    for batch in expected:
        assert_equal(batch, games.step(games.sample_actions()))


def test_a_saved_state_is_a_copy():
    games, _ = vector(6)
    saved = games.get_state()
    kept = {name: array.copy() for name, array in saved.items()}
    games.rollout(30)
    assert all(np.array_equal(saved[name], kept[name]) for name in kept)


def test_a_state_that_does_not_fit_is_refused_and_changes_nothing():
    games, _ = vector(4)
    saved = games.get_state()
    before = everything(games)
    wrong = [
        {name: array[:3] for name, array in saved.items()},
        {**saved, "streams": saved["streams"].astype(np.int64)},
        {name: array for name, array in saved.items() if name != "states"},
        vector(4, num_players=2)[0].get_state(),
        vector(4, ante=2)[0].get_state(),
    ]
    for state in wrong:
        with pytest.raises(SnapshotError):
            games.set_state(state)
        assert everything(games) == before


def test_a_clone_plays_on_identically_and_apart():
    games, _ = vector(6, ante=2)
    games.step(games.sample_actions())
    clone = games.clone()
    assert clone.options == games.options
    assert everything(clone) == everything(games)
    before = everything(games)
    batches = [clone.step(clone.sample_actions()) for _ in range(10)]
    assert everything(games) == before
    for batch in batches:
        assert_equal(batch, games.step(games.sample_actions()))


def test_a_clone_made_before_reset_deals_the_same_games():
    games = make_vec(GAME, 4, seed=9, copy=True)
    clone = games.clone()
    assert_equal(games.reset(), clone.reset())
    assert np.array_equal(games.sample_actions(), clone.sample_actions())


def test_a_rollout_counts_games_and_returns():
    games, _ = vector(4)
    result = games.rollout(200, "stays")
    assert result.decisions == 800
    assert result.games.tolist() == [66] * 4
    assert np.allclose(result.returns.sum(axis=1), 0)


@pytest.mark.parametrize("steps", [-1, True, 1.5, "5", None])
def test_a_bad_number_of_steps_is_refused(steps):
    games, _ = vector(4)
    with pytest.raises(ValueError, match="steps is"):
        games.rollout(steps)


def test_only_compiled_policies_play_in_rollouts():
    class Python:
        def act(self, observation, action_mask, rng):
            return action_mask.argmax(axis=1)

    games, _ = vector(4)
    with pytest.raises(TypeError, match="not a compiled policy"):
        games.rollout(2, Python())
    with pytest.raises(ValueError, match="random, stays"):
        games.rollout(2, "raises")


def test_policies_choose_legal_actions_from_their_generator_only():
    _, batch = vector(64)
    policy = named_policy(GAME, "random")
    first, second, third = (
        policy.act(batch.observation, batch.action_mask, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, third)
    assert batch.action_mask[np.arange(64), first].all()


def test_a_vector_survives_pickling():
    games, _ = vector(4)
    games.step(games.sample_actions())
    loaded = pickle.loads(pickle.dumps(games))
    assert_equal(games.step([1] * 4), loaded.step([1] * 4))


def test_a_game_without_any_choice_is_an_error():
    game = Game(replace(high_card.GAME, setup=high_card.rules.finish, name="no_choice"))
    with pytest.raises(ClimbenvsError, match="without any legal action"):
        game.start()


def test_selected_games_are_independent_copies():
    game = load("connect_four")
    records = Records(game, 4, 2, {})
    records.seed(0)
    records.reset()
    records.apply(np.arange(4))
    some = records.select(np.array([3, 1]))
    assert some.size == 2
    np.testing.assert_array_equal(
        some.observe(some.player.astype(np.int64)),
        records.observe(records.player[[3, 1]].astype(np.int64), np.array([3, 1])),
    )
    before = records.states.copy()
    some.apply(np.array([0, 0]))
    np.testing.assert_array_equal(records.states, before)
    some.streams[:] = 0
    assert records.streams.all()


def test_a_template_of_ones_own_gets_the_games_rules():
    game = load("connect_four")
    kernel = game.bind(legal_moves_template, extra=add_one)
    records = Records(game, 1, 2, {})
    records.reset()
    assert kernel(records.states, game.tables, np.zeros(game.num_actions, np.int8)) == 8


# What `Game.bind` replaces.
extra = None
settle = None


@rule
def add_one(count):
    """One more."""
    return count + 1


def legal_moves_template(states, tables, mask):
    """Number of legal moves of the first game, plus one."""
    return extra(settle(states[0], tables[0], mask))
