"""The package's front door: exports, ids, import cost and the command line."""

import subprocess
import sys

import gymnasium
import pettingzoo
import pytest
from numba.extending import is_jitted
from typer.testing import CliRunner

import climbenvs
from climbenvs import registry
from climbenvs.__main__ import app
from climbenvs.engine import jit
from climbenvs.engine.game import VERBS


def test_everything_exported_is_there():
    for name in climbenvs.__all__:
        assert getattr(climbenvs, name) is not None
    assert set(climbenvs.__all__) <= set(dir(climbenvs))
    with pytest.raises(AttributeError, match="no_such_name"):
        climbenvs.no_such_name  # noqa: B018 - the access is the test


def test_every_registered_game_has_its_ids():
    for spec in registry.specs():
        assert spec.gymnasium_id in gymnasium.registry
        assert spec.pettingzoo_id in pettingzoo.aec_registry


def test_connect_four_is_reachable_but_not_listed():
    assert "connect_four" not in climbenvs.games()
    assert climbenvs.load("connect_four").name == "connect_four"


def test_games_can_be_listed_before_and_after_a_game_is_imported():
    code = (
        "import climbenvs; names = climbenvs.games(); import climbenvs.games;"
        "assert climbenvs.games() == names == climbenvs.registry.games()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_game_names_the_known_ones():
    with pytest.raises(climbenvs.UnknownGameError, match="there are"):
        climbenvs.load("chess")


def test_a_name_cannot_be_registered_twice():
    with pytest.raises(ValueError, match="already"):
        climbenvs.register(registry.specs()[0])


def test_a_game_of_ones_own_gets_ids(monkeypatch):
    monkeypatch.setattr(registry, "_specs", dict(registry._specs))
    spec = climbenvs.GameSpec("own_game", "climbenvs.testing.connect_four", "OwnGame")
    climbenvs.register(spec)
    gymnasium.make("climbenvs/OwnGame-v0").reset(seed=0)
    pettingzoo.make("aec", "climbenvs/own_game-v0").reset(seed=0)
    del gymnasium.registry[spec.gymnasium_id], pettingzoo.aec_registry[spec.pettingzoo_id]


def callees(rule):
    """The rules that a rule calls."""
    function = jit.plain(rule)
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    return [jit.plain(other) for other in called if is_jitted(other)]


def reached(rule):
    """All rules that a rule calls, directly or not."""
    seen, waiting = set(), callees(rule)
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            waiting += callees(function)
    return seen


@pytest.mark.skipif(not jit.ENABLED, reason="only compiled rules can be told from functions")
def test_no_rule_calls_itself(game):
    """Numba's cached code of functions that call each other crashes in the next process."""
    definition = climbenvs.load(game).definition
    entries = [*(getattr(definition, verb) for verb in VERBS), *definition.policies.values()]
    rules = set().union(*(reached(entry) for entry in entries))
    assert [rule.__qualname__ for rule in rules if rule in reached(rule)] == []


def test_importing_brings_neither_numba_nor_training_libraries():
    heavy = ["numba", "torch", "stable_baselines3", "pygame", "matplotlib", "ray"]
    code = f"import sys, climbenvs; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_game_can_be_watched(game):
    result = CliRunner().invoke(app, ["watch", game, "--seed", "3"])
    assert result.exit_code == 0, result.output
    assert "player_1: reward" in result.stdout  # stderr may say that the game is being compiled
    assert CliRunner().invoke(app, ["watch", game, "--seed", "3"]).stdout == result.stdout


def test_a_game_can_be_compiled_ahead_of_time(game):
    result = CliRunner().invoke(app, ["compile", game])
    assert result.exit_code == 0, result.output
    assert "policy 'random'" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["watch", "chess"],
        ["compile", "chess"],
        ["watch", "connect_four", "--players", "5"],
        ["watch", "connect_four", "--policy", "nobody"],
    ],
)
def test_wrong_arguments_are_usage_errors(arguments):
    assert CliRunner().invoke(app, arguments).exit_code == 2
