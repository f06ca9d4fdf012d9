"""Check that a game does not depend on the process it runs in."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping

from climbenvs.engine import jit
from climbenvs.engine.game import Game, GameDefinition
from climbenvs.registry import load
from climbenvs.testing.cases import Case, Options, Players, cases
from climbenvs.testing.digest import trace


def runs_elsewhere(game: str | Game | GameDefinition) -> bool:
    """Whether another process finds the same game: its package defines it, no house rules."""
    game = load(game)
    try:
        package = importlib.import_module(game.definition.package)
    except ImportError:
        return False
    return getattr(package, "GAME", None) is game.definition and not game.house_rules


def check_processes(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 100,
    seed: int = 0,
) -> None:
    """Compare the traces of this process, one with another hash seed, and one uncompiled.

    Where this process is uncompiled, the third one is compiled.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: how many are played in each case.
        seed: of the first game and of the choices.

    Raises:
        AssertionError: naming game, player count, options, seed and the first decision that
            differs, or what another process printed when it failed.
        ValueError: if another process cannot find the game; see `runs_elsewhere`.
    """
    chosen = cases(game, num_players, options)
    if not runs_elsewhere(chosen[0].game):
        raise ValueError(f"{chosen[0].game!r} is not the GAME of its package")
    mine = [
        list(trace(case.game, case.num_players, seed, decisions, case.options)) for case in chosen
    ]
    for what, variables in (
        ("with another hash seed", {"PYTHONHASHSEED": "1"}),
        (
            "uncompiled" if jit.ENABLED else "compiled",
            {"CLIMBENVS_JIT": "0" if jit.ENABLED else "1", "PYTHONHASHSEED": "2"},
        ),
    ):
        lines = _trace_elsewhere(chosen, decisions, seed, variables)
        for case, expected in zip(chosen, mine, strict=True):
            for decision, line in enumerate(expected):
                if next(lines, None) != line:
                    raise case.error(f"a process {what} plays differently", seed, decision)


def _trace_elsewhere(
    chosen: list[Case], decisions: int, seed: int, variables: Mapping[str, str]
) -> Iterator[str]:
    """The fingerprints of all cases, as another process prints them."""
    game = chosen[0].game
    command = [sys.executable, "-m", "climbenvs.testing.trace", game.definition.package]
    command += ["--seed", str(seed), "--decisions", str(decisions), "--cases"]
    command.append(json.dumps([[case.num_players, dict(case.options)] for case in chosen]))
    if game.deck is not None:
        command += ["--deck", str(game.deck.resolve())]
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        settings = " ".join(f"{name}={value}" for name, value in variables.items())
        raise AssertionError(f"{game.name}: a process with {settings} failed:\n{done.stderr}")
    return iter(done.stdout.split())
