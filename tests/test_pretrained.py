"""The shipped agents load, fit their games, are small, play well, and say how they came to be."""

import pytest

import agents
from agents.recipes import PLAYERS, recipe, recipe_names
from climbenvs.arena import play_match
from climbenvs.policies import named_policy
from climbenvs.registry import games, load


def test_there_is_a_recipe_for_every_game_and_player_count():
    assert sorted(PLAYERS) == sorted(games())
    for game, counts in PLAYERS.items():
        low, high = load(game).definition.num_players
        assert list(counts) == list(range(low, high + 1))
    with pytest.raises(ValueError, match="'chess/2'; there are everest_go/2"):
        recipe("chess/2")


def test_every_recipe_has_its_agent():
    assert agents.pretrained() == sorted(recipe_names())


@pytest.mark.parametrize("name", agents.pretrained())
def test_a_shipped_agent_is_small_and_says_how_it_came_to_be(name):
    folder = agents.PRETRAINED / name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 3_000_000
    card = agents.read_card(folder)
    assert card["command"] == f"python scripts/train_baselines.py {name}"
    assert card["steps"] >= recipe(name).steps
    assert {"seconds", "commit", "machine", "settings"} <= card.keys()
    for result in card["strength"]:
        assert result["low"] <= result["win_rate"] <= result["high"]
    against = [result["opponent"] for result in card["strength"]]
    scripted = list(load(card["game"]).definition.policies)
    assert against[: len(scripted) + 1] == ["random", *scripted]
    assert against[-1].startswith("ismcts:")


@pytest.mark.parametrize("name", agents.pretrained())
def test_a_shipped_agent_beats_random_play(name):
    game_name, _, players = name.partition("/")
    game = load(game_name)
    policy = agents.load(name)
    assert agents.load("ppo", game, int(players)).card == policy.card
    if game.definition.cooperative or players == "1":
        result = play_match(game, [policy] * int(players), 15, seed=3)
        assert result.shares.mean() > 0  # random play never wins these games
    else:
        lineup = [policy, *[named_policy(game, "random")] * (int(players) - 1)]
        result = play_match(game, lineup, 10, seed=3)
        assert result.shares[:, :, 0].mean() > 0.75


def test_an_agent_is_told_from_another_by_its_fingerprint(tmp_path):
    game = load("everest_go")
    prints = {name: agents.fingerprint(name, game, 2) for name in ("ppo", "everest_go/2", "greedy")}
    assert prints["ppo"] == prints["everest_go/2"] != prints["greedy"] is None
    path = tmp_path / "model.onnx"
    path.write_bytes(b"one")
    first = agents.fingerprint(f"onnx:{path}", game, 2)
    path.write_bytes(b"two")
    assert agents.fingerprint(f"onnx:{path}", game, 2) != first


def test_names_that_are_none_are_refused():
    with pytest.raises(ValueError, match="'nobody' is no trained agent; shipped are everest_1953"):
        agents.load("nobody")
    with pytest.raises(ValueError, match="there are random"):
        agents.load("nobody", load("sherpa"))
