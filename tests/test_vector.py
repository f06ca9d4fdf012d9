"""Vectors of learners play the same games as single environments, in both autoreset modes."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from players import FirstLegal
from transcript import choose, play_vector

import climbenvs
from climbenvs.envs.aec import make_raw_env
from climbenvs.envs.seat import SeatLoop
from climbenvs.envs.single import SingleSeatEnv, SingleSeatVectorEnv

ROWS = 3


def assert_same(first, second):
    """Nested dicts of arrays are equal, keys, dtypes, masks and all."""
    assert set(first) == set(second)
    for key, value in first.items():
        other = second[key]
        if isinstance(value, dict):
            assert_same(value, other)
        elif value.dtype == object:
            present = [row is not None for row in value]
            assert present == [row is not None for row in other]
            for mine, theirs in zip(value[present], other[present], strict=True):
                assert (mine == theirs).all()
        else:
            assert value.dtype == other.dtype, key
            assert (value == other).all(), key


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("illegal_action", ["raise", "lose"])
def test_a_vector_equals_single_environments(mode, illegal_action, game, num_players):
    arguments = {"num_players": num_players, "illegal_action": illegal_action}
    ours = SingleSeatVectorEnv(game, ROWS, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv([lambda: SingleSeatEnv(game, **arguments)] * ROWS, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    (observations, infos), (other_observations, other_infos) = (
        ours.reset(seed=7),
        theirs.reset(seed=7),
    )
    ends = 0
    while ends < 6:
        assert observations.dtype == other_observations.dtype
        assert (observations == other_observations).all()
        assert_same(infos, other_infos)
        masks = infos["action_mask"]
        actions = np.array([choose(mask, rng) if mask.any() else 0 for mask in masks])
        if illegal_action == "lose" and rng.random() < 0.2:
            actions[rng.integers(ROWS)] = -1
        observations, *results, infos = ours.step(actions)
        other_observations, *other_results, other_infos = theirs.step(actions)
        for mine, other in zip(results, other_results, strict=True):
            assert mine.dtype == other.dtype
            assert (mine == other).all()
        ends += int(results[1].sum())


@pytest.mark.parametrize("mode", ["SameStep", AutoresetMode.NEXT_STEP])
def test_can_be_made_by_id_with_its_mode_declared(mode, game):
    spec = next(spec for spec in climbenvs.registry.specs() if spec.name == game)
    envs = gymnasium.make_vec(spec.gymnasium_id, num_envs=4, autoreset_mode=mode, seat=0)
    assert isinstance(envs, SingleSeatVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode(mode)
    observations, infos = envs.reset(seed=0)
    assert envs.observation_space.contains(observations)
    assert (envs.action_masks() == infos["action_mask"]).all()
    assert "autoreset_mode" not in SingleSeatEnv.metadata


def test_ids_also_make_gymnasiums_own_vectors(game):
    spec = next(spec for spec in climbenvs.registry.specs() if spec.name == game)
    envs = gymnasium.make_vec(spec.gymnasium_id, num_envs=2, vectorization_mode="sync")
    envs.reset(seed=0)
    envs.close()


def test_the_final_observation_is_the_finished_games():
    envs = SingleSeatVectorEnv("connect_four", 2, opponents=FirstLegal(), seat=0)
    envs.reset(seed=0)
    for _ in range(3):
        envs.step([6, 6])
    observations, rewards, terminations, truncations, infos = envs.step([6, 1])
    assert rewards.tolist() == [1.0, -1.0]
    assert terminations.tolist() == [True, True]
    assert not truncations.any()
    assert infos["final_info"]["winner"].tolist() == [1, 0]
    assert [final.sum() for final in infos["final_obs"]] == [7, 8]
    assert not observations.any()


def test_the_next_step_mode_ignores_the_action_of_a_row_that_resets():
    envs = SingleSeatVectorEnv(
        "connect_four", 2, opponents=FirstLegal(), seat=0, autoreset_mode="NextStep"
    )
    envs.reset(seed=0)
    for action in ([6, 6], [6, 6], [6, 5]):
        envs.step(action)
    observations, rewards, terminations, _, infos = envs.step([6, 4])
    assert (rewards.tolist(), terminations.tolist()) == ([1.0, -1.0], [True, True])
    assert infos["winner"].tolist() == [1, 0]
    observations, rewards, terminations, _, infos = envs.step([-5, 99])
    assert not rewards.any()
    assert not terminations.any()
    assert not observations.any()
    assert "winner" not in infos


def test_the_disabled_mode_is_refused(game):
    with pytest.raises(ValueError, match="not offered"):
        SingleSeatVectorEnv(game, 2, autoreset_mode=AutoresetMode.DISABLED)


def test_an_illegal_action_names_its_row_and_changes_no_game(game):
    envs = SingleSeatVectorEnv(game, 3)
    observations, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = -1
    with pytest.raises(climbenvs.IllegalActionError, match="row 1"):
        envs.step(actions)
    assert (envs.loop.observe() == observations).all()
    with pytest.raises(ValueError, match="shape"):
        envs.step(actions[:2])
    with pytest.raises(TypeError, match="integers"):
        envs.step(actions.astype(float))


def test_threads_do_not_change_the_games(game, num_players):
    one, many = (
        SingleSeatVectorEnv(game, 600, num_players=num_players, num_threads=threads)
        for threads in (1, 3)
    )
    assert play_vector(one, 3, 10) == play_vector(many, 3, 10)


def test_seeds_can_be_given_per_row(game):
    envs = SingleSeatVectorEnv(game, 2)
    observations, _ = envs.reset(seed=[9, 9])
    assert (observations[0] == observations[1]).all()


def test_renders_every_row(game):
    envs = SingleSeatVectorEnv(game, 2, render_mode="ansi")
    envs.reset(seed=0)
    assert len(envs.render()) == 2


def test_policies_see_only_rows_that_wait_for_them(game, num_players):
    sizes = []

    class Counting(FirstLegal):
        def act(self, observation, action_mask, rng):
            assert (action_mask.sum(axis=1) >= 2).all()
            sizes.append(len(observation))
            return super().act(observation, action_mask, rng)

    loop = SeatLoop(
        climbenvs.load(game),
        8,
        num_players=num_players,
        seat="random",
        opponents=[Counting(), "random"],
        illegal_action="random",
        options={},
    )
    loop.seed(0)
    loop.deal()
    for _ in range(10):
        _, over = loop.step(np.full(8, -1))
        loop.deal(np.flatnonzero(over))
        assert (loop.records.player == loop.seats).all()
    assert sizes or num_players == 1
    assert max(sizes, default=0) <= 8


def test_the_vector_of_all_seats_plays_the_games_of_the_aec_environment(game, num_players):
    vector = climbenvs.make_vec(game, 2, num_players=num_players, seed=4)
    env = make_raw_env(game, num_players=num_players)
    env.reset(seed=5)
    batch, rng = vector.reset(), np.random.default_rng(0)
    for _ in range(100):
        seen = env.observe(env.agent_selection)
        assert env.agent_selection == f"player_{batch.player[1]}"
        assert (seen["observation"] == batch.observation[1]).all()
        assert (seen["action_mask"] == batch.action_mask[1]).all()
        actions = [choose(mask, rng) for mask in batch.action_mask]
        batch = vector.step(np.array(actions))
        env.step(actions[1])
        assert batch.rewards[1].tolist() == list(env.rewards.values())
        if batch.done[1]:
            env.reset()
