"""The PettingZoo face keeps PettingZoo's conventions and tells the truth about the game."""

import copy
import json
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from transcript import choose, digest, play_aec

import climbenvs
from climbenvs.envs.aec import make_env, make_raw_env
from climbenvs.testing import connect_four_v0

with warnings.catch_warnings():
    # importing the tests imports PettingZoo's own Connect Four, which is made in a deprecated way
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

FIRST_COLUMN_WINS = [0, 1, 0, 1, 0, 1, 0]
SECOND_SEAT_WINS = [6, 0, 1, 0, 1, 0, 1, 0]


def play(env, actions):
    env.reset(seed=1)
    for action in actions:
        env.step(action)
    return env


@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",  # api_test knows PettingZoo's own Dict observations
    "ignore:Observation space for each agent probably should be",  # as above
    "ignore:Observation numpy array is all zeros",  # as an empty Connect Four board is
)
@pytest.mark.parametrize("make", [make_env, make_raw_env])
def test_passes_the_api_test_of_pettingzoo(make, game, num_players):
    api_test(make(game, num_players=num_players), num_cycles=100)


def test_passes_the_seed_test_of_pettingzoo(game, num_players):
    seed_test(lambda: make_env(game, num_players=num_players), num_cycles=100)


def test_passes_the_render_test_of_pettingzoo(game, num_players, capsys):
    def make(render_mode):
        return make_env(game, num_players=num_players, render_mode=render_mode)

    render_test(make, custom_tests={"ansi": lambda text: isinstance(text, str) and text != ""})
    assert capsys.readouterr().out


def test_passes_the_parallel_api_test_of_pettingzoo(game, num_players):
    env = turn_based_aec_to_parallel(make_env(game, num_players=num_players))
    parallel_api_test(env, num_cycles=100)


def test_can_be_made_by_id(game):
    spec = next(spec for spec in climbenvs.registry.specs() if spec.name == game)
    env = pettingzoo.make("aec", spec.pettingzoo_id, render_mode="ansi")
    env.reset(seed=0)
    assert str(env) == f"{game}_v{spec.version}"
    assert env.metadata["name"] == str(env)
    assert env.render_mode == "ansi"


def test_spaces_are_the_same_objects_on_every_call(game):
    env = make_env(game)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        low, high = env.game.observation_layout.bounds()
        assert (env.observation_space(agent)["observation"].low == low).all()
        assert (env.observation_space(agent)["observation"].high == high).all()


def test_observations_are_fresh_and_only_the_agent_to_act_has_a_mask(game, num_players):
    env = make_raw_env(game, num_players=num_players)
    env.reset(seed=2)
    for agent in env.agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert seen["action_mask"].any() == (agent == env.agent_selection)
        seen["action_mask"][:] = 0
        seen["observation"][:] = 0
    assert env.observe(env.agent_selection)["action_mask"].any()


def test_seeded_and_unseeded_resets_repeat(game, num_players):
    first, second = (make_env(game, num_players=num_players) for _ in range(2))
    play_aec(second, 9, 20)  # a past that must not matter
    assert play_aec(first, 5, 300) == play_aec(second, 5, 300)


def test_agents_see_what_a_position_of_the_same_seed_shows(game, num_players):
    env = make_env(game, num_players=num_players)
    env.reset(seed=11)
    position = climbenvs.load(game).start(num_players, seed=11)
    rng = np.random.default_rng(0)
    while not position.is_over:
        seen = env.observe(env.agent_selection)
        assert env.agent_selection == f"player_{position.player}"
        assert (seen["observation"] == position.observe(position.player)).all()
        assert (seen["action_mask"] == position.action_mask()).all()
        assert (env.state() == position.state()).all()
        action = choose(seen["action_mask"], rng)
        env.step(action)
        position.apply(action)
    assert [env.rewards[agent] for agent in env.agents] == position.rewards().tolist()
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.state_space.contains(env.state())


def test_infos_have_the_same_numeric_keys_from_reset_to_the_end(game):
    env = make_env(game)
    env.reset(seed=3)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, _, termination, _, info = env.last()
        assert set(info) == {"end", "score", "winner"}
        assert all(isinstance(value, int | float) for value in info.values())
        assert termination == (info["end"] > 0)
        assert termination or not any(info.values())
        env.step(None if termination else choose(observation["action_mask"], rng))
        assert termination or agent in env.agents


@pytest.mark.parametrize(
    ("actions", "rewards"), [(FIRST_COLUMN_WINS, [1, -1]), (SECOND_SEAT_WINS, [-1, 1])]
)
def test_every_agent_gets_its_own_final_reward(actions, rewards):
    env = play(connect_four_v0.env(), actions)
    seen = {}
    for agent in env.agent_iter():
        _, reward, termination, _, info = env.last()
        assert termination
        seen[agent] = (reward, info["winner"], info["end"])
        env.step(None)
    assert seen == {f"player_{s}": (rewards[s], int(rewards[s] > 0), 1) for s in (0, 1)}
    assert env.agents == []


def test_a_full_board_is_a_draw():
    columns = [0, 1] * 3 + [2, 3] * 3 + [4, 5] * 3 + [1, 0] * 3 + [3, 2] * 3 + [5, 4] * 3
    env = play(connect_four_v0.env(), columns)  # the last column is forced
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.infos["player_1"] == {"end": 2, "score": 0.0, "winner": 1}


@pytest.mark.parametrize("action", [-1, 7, 0, True, 2.0, None, "3"])
def test_the_raw_environment_refuses_bad_actions_and_stays_as_it_was(action):
    env = play(connect_four_v0.raw_env(), [0] * 6)
    before = env.to_dict()
    with pytest.raises((climbenvs.IllegalActionError, TypeError)):
        env.step(action)
    assert env.to_dict() == before
    env.step(1)


def test_a_game_that_is_over_takes_no_more_actions():
    env = play(connect_four_v0.raw_env(), FIRST_COLUMN_WINS)
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(climbenvs.GameOverError):
        env.step(None)


def test_an_illegal_action_loses_through_the_wrappers():
    env = play(connect_four_v0.env(), [0] * 6)
    env.step(0)
    assert env.rewards == {"player_0": -1.0, "player_1": 0}
    for _ in env.agent_iter():
        observation, *_ = env.last()
        assert not observation["action_mask"].any()
        env.step(None)
    env.reset()
    assert env.agent_selection == "player_0"


def test_an_action_out_of_bounds_is_refused_by_the_wrappers():
    env = play(connect_four_v0.env(), [0])
    with pytest.raises(AssertionError, match="action space"):
        env.step(-1)


def test_bad_arguments_are_named(game):
    with pytest.raises(climbenvs.OptionError, match="num_players"):
        make_env(game, num_players=99)
    with pytest.raises(climbenvs.OptionError, match="no_such_option"):
        make_env(game, no_such_option=1)
    with pytest.raises(ValueError, match="render_mode"):
        make_env(game, render_mode="rgb_array")
    env = make_env(game)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)


def test_a_snapshot_can_be_started_from(game, num_players):
    env = make_env(game, num_players=num_players)
    play_aec(env, 3, 6)
    snapshot = json.loads(json.dumps(env.to_dict()))
    other = make_env(game, num_players=num_players)
    other.reset(seed=8, options={"snapshot": snapshot})
    assert other.to_dict() == env.to_dict()
    assert other.agent_selection == env.agent_selection


def test_a_finished_snapshot_is_refused():
    snapshot = play(connect_four_v0.env(), FIRST_COLUMN_WINS).to_dict()
    with pytest.raises(climbenvs.SnapshotError, match="over"):
        connect_four_v0.env().reset(options={"snapshot": snapshot})


@pytest.mark.parametrize("make", [make_env, make_raw_env])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_mid_game_play_on_identically(make, duplicate, game, num_players):
    env = make(game, num_players=num_players)
    play_aec(env, 6, 5)
    other = duplicate(env)

    def play_on(env):
        rng, seen = np.random.default_rng(2), []
        for _ in env.agent_iter(50):
            observation, reward, termination, _, _ = env.last()
            seen += [observation["observation"].tobytes(), reward, env.agent_selection]
            env.step(None if termination else choose(observation["action_mask"], rng))
        env.reset()
        return [*seen, env.state().tobytes()]

    assert play_on(env) == play_on(other)


def test_a_clone_is_independent_of_its_original():
    env = play(connect_four_v0.raw_env(), [3])
    other = env.clone()
    other.step(3)
    assert (env.agent_selection, other.agent_selection) == ("player_1", "player_0")
    assert env.to_dict() != other.to_dict()


def test_factories_can_be_pickled():
    env = pickle.loads(pickle.dumps(connect_four_v0.env))(render_mode="ansi")
    assert str(env) == "connect_four_v0"


def test_renderings_tell_the_last_decision():
    env = play(connect_four_v0.env(render_mode="ansi"), [2])
    assert env.render().endswith("player_0: drop a stone into column 3")


def test_a_secret_decision_is_not_rendered_for_others(monkeypatch):
    env = play(connect_four_v0.raw_env(render_mode="ansi"), [2])
    monkeypatch.setattr(type(env.game.action_layout), "is_secret", lambda self, action: True)
    assert "column 3" not in env.render()


def test_rendering_without_a_mode_warns(game):
    env = make_env(game)
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render"):
        assert env.render() is None


@pytest.mark.parametrize(
    "variables", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "CLIMBENVS_JIT": "0"}]
)
def test_other_processes_compiled_or_not_play_the_same(variables, game):
    num_players = climbenvs.load(game).definition.default_players
    command = [sys.executable, "-W", "error", "tests/transcript.py", game, str(num_players)]
    root = Path(__file__).parents[1]
    path = os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **variables, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest(game, num_players)
