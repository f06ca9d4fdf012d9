"""One learner's seat: the right rewards, the right opponents, Gymnasium's conventions."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from players import Cheater, FirstLegal, LastLegal
from transcript import choose, play_single

import climbenvs
from climbenvs.envs.seat import SeatLoop
from climbenvs.envs.single import SingleSeatEnv


def connect_four(**arguments):
    arguments = {"opponents": FirstLegal(), "seat": 0, **arguments}
    return SingleSeatEnv("connect_four", **arguments)


def play(env, actions):
    """Steps without reset; the last one's result."""
    for action in actions:
        result = env.step(action)
    return result


@pytest.mark.parametrize("illegal_action", ["lose", "random"])
def test_passes_the_check_of_gymnasium(illegal_action, game, num_players):
    check_env(
        SingleSeatEnv(game, num_players=num_players, illegal_action=illegal_action),
        skip_render_check=True,
    )


def test_can_be_made_by_id_and_keeps_the_mask_reachable(game):
    spec = next(spec for spec in climbenvs.registry.specs() if spec.name == game)
    env = gymnasium.make(spec.gymnasium_id, seat=0, render_mode="ansi")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert (info["action_mask"] == env.get_wrapper_attr("action_masks")()).all()
    env.step(choose(info["action_mask"], np.random.default_rng(0)))
    assert env.render()


def test_the_learner_gets_its_own_reward_for_winning():
    env = connect_four()
    env.reset(seed=0)
    play(env, [6, 6, 6])
    _, reward, terminated, truncated, info = env.step(6)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert (info["end"], info["score"], info["winner"]) == (1, 1.0, 1)
    assert not info["action_mask"].any()


def test_the_learner_gets_minus_one_for_losing_with_the_final_board():
    env = connect_four(seat=1)
    env.reset(seed=0)
    observation, reward, terminated, _, info = play(env, [6, 5, 6])
    assert (reward, terminated, info["winner"]) == (-1.0, True, 0)
    other = env.game.observation_layout.decode(observation)["other"].reshape(6, 7)
    assert other[:4, 0].tolist() == [1, 1, 1, 1]


def test_opponents_move_first_when_the_learner_does_not():
    observation, info = connect_four(seat=1).reset(seed=0)
    assert observation.sum() == 1
    assert info["seat"] == 1


def test_a_random_seat_takes_every_seat_and_follows_the_seed(game, num_players):
    def seats(env):
        env.reset(seed=4)
        return [env.reset()[1]["seat"] for _ in range(40)]

    first, second = (SingleSeatEnv(game, num_players=num_players) for _ in range(2))
    assert seats(first) == seats(second)
    assert set(seats(first)) == set(range(num_players))


def test_seeded_and_unseeded_resets_repeat(game, num_players):
    first, second = (SingleSeatEnv(game, num_players=num_players) for _ in range(2))
    play_single(second, 9, 5)  # a past that must not matter
    assert play_single(first, 5, 100) == play_single(second, 5, 100)


def test_the_learner_sees_its_own_seat_of_the_game(game, num_players):
    env = SingleSeatEnv(game, num_players=num_players, seat=num_players - 1)
    observation, info = env.reset(seed=5)
    records = env.loop.records
    assert records.player[0] == num_players - 1
    assert (observation == records.observe(records.player)[0]).all()
    assert (info["action_mask"] == records.legal_masks[0]).all()


@pytest.mark.parametrize("action", [-1, 7, 0])
def test_an_illegal_action_raises_and_changes_nothing(action):
    env = connect_four(opponents=LastLegal())
    env.reset(seed=0)
    play(env, [0, 0, 0])
    env.loop.records.legal_masks[0, 0] = 0
    before = env.loop.observe()
    with pytest.raises(climbenvs.IllegalActionError):
        env.step(action)
    assert (env.loop.observe() == before).all()


def test_an_illegal_action_loses_when_asked_to():
    env = connect_four(illegal_action="lose")
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(-1)
    assert (reward, terminated) == (-1.0, True)
    assert (info["end"], info["winner"]) == (0, 0)
    assert not env.action_masks().any()
    env.reset()
    assert env.action_masks().all()


def test_an_illegal_action_becomes_a_random_one_when_asked_to():
    env = connect_four(illegal_action="random")
    env.reset(seed=0)
    observation, reward, terminated, _, _ = env.step(99)
    assert (reward, terminated, observation.sum()) == (0.0, False, 2)


@pytest.mark.parametrize("action", [True, 1.0, None, "1", [1, 2]])
def test_an_action_that_is_no_integer_is_refused(action):
    env = connect_four()
    env.reset(seed=0)
    with pytest.raises((TypeError, ValueError)):
        env.step(action)


def test_steps_before_a_reset_and_after_an_end_are_refused():
    env = connect_four()
    with pytest.raises(climbenvs.ClimbenvsError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    play(env, [6, 6, 6, 6])
    with pytest.raises(climbenvs.GameOverError):
        env.step(0)


@pytest.mark.parametrize(
    "arguments",
    [
        {"seat": 2},
        {"seat": "first"},
        {"opponents": "nobody"},
        {"opponents": []},
        {"opponents": [("random", 0)]},
        {"illegal_action": "ignore"},
        {"render_mode": "rgb_array"},
        {"num_players": 9},
        {"no_such_option": 1},
    ],
)
def test_bad_arguments_are_refused(arguments):
    with pytest.raises(ValueError, match=r"expected|unknown|takes|no_such_option|there are"):
        connect_four(**arguments)


def test_an_opponent_that_is_no_policy_is_refused():
    with pytest.raises(TypeError, match="policy"):
        connect_four(opponents=3)


def test_an_opponents_illegal_action_is_an_error():
    env = connect_four(opponents=Cheater())
    env.reset(seed=0)
    with pytest.raises(climbenvs.IllegalActionError, match="player_1"):
        env.step(0)


def test_opponents_are_drawn_by_weight_per_row():
    game = climbenvs.load("connect_four")
    loop = SeatLoop(
        game,
        2000,
        num_players=None,
        seat=1,
        opponents=[(FirstLegal(), 3), (LastLegal(), 1)],
        illegal_action="raise",
        options={},
    )
    loop.seed(0)
    loop.deal()
    first = loop.records.states["height"][:, 0] == 1
    last = loop.records.states["height"][:, 6] == 1
    assert (first ^ last).all()
    assert 0.7 < first.mean() < 0.8


def test_opponents_can_be_replaced_in_mid_game():
    env = connect_four()
    env.reset(seed=0)
    env.step(3)
    env.set_opponents(["random", LastLegal()])
    env.set_opponents(LastLegal())
    observation, *_ = env.step(3)
    other = env.game.observation_layout.decode(observation)["other"].reshape(6, 7)
    assert np.flatnonzero(other[0]).tolist() == [0, 6]


def test_scripted_players_can_be_named(game):
    for name in climbenvs.load(game).definition.policies:
        play_single(SingleSeatEnv(game, opponents=name), 1, 20)


def test_a_snapshot_can_be_started_from(game):
    position = climbenvs.load(game).start(seed=3)
    env = SingleSeatEnv(game, seat=position.player)
    observation, _ = env.reset(seed=1, options={"snapshot": position.to_dict()})
    assert (observation == position.observe(position.player)).all()


def test_a_snapshot_without_a_decision_for_the_learner_is_refused():
    position = climbenvs.load("connect_four").start(seed=0)
    for action in [0, 1, 0, 1, 0, 1]:
        position.apply(action)
    with pytest.raises(climbenvs.SnapshotError, match="first decision"):
        connect_four(seat=1).reset(options={"snapshot": position.to_dict()})


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_mid_game_play_on_identically(duplicate, game, num_players):
    env = SingleSeatEnv(game, num_players=num_players)
    play_single(env, 6, 3)
    other = duplicate(env)

    def play_on(env):
        rng, seen = np.random.default_rng(0), []
        for _ in range(40):
            if not env.action_masks().any():
                env.reset()
            observation, reward, *_ = env.step(choose(env.action_masks(), rng))
            seen += [observation.tobytes(), reward, env.seat]
        return seen

    assert play_on(env) == play_on(other)


def test_human_mode_prints_every_step(capsys):
    env = connect_four(render_mode="human")
    env.reset(seed=0)
    env.step(0)
    assert env.render() is None
    assert capsys.readouterr().out.count("1 2 3 4 5 6 7") == 3


def test_rendering_without_a_mode_warns():
    env = connect_four()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render"):
        assert env.render() is None


def test_a_learner_decides_for_all_seats_of_a_team_only():
    env = gymnasium.make("climbenvs/SnowClimbing-v0", num_players=3, seat="all", round_bonus=0.5)
    observation, info = env.reset(seed=4)
    base = env.unwrapped
    seats, total, over = set(), 0.0, False
    while not over:
        position = base.loop.records
        assert info["seat"] == position.player[0]
        np.testing.assert_array_equal(observation, position.observe(position.player)[0])
        seats.add(info["seat"])
        action = int(np.flatnonzero(info["action_mask"])[-1])
        observation, reward, over, _, info = env.step(action)
        total += reward
    assert seats == {0, 1, 2}
    assert total == pytest.approx(float(base.loop.records.rewards()[0, 0]))
    with pytest.raises(ValueError, match="seats compete"):
        gymnasium.make("climbenvs/EverestGo-v0", seat="all")
