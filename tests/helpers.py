"""What the tests share."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from climbenvs import registry

ROOT = Path(__file__).resolve().parents[1]


def importable_games() -> list[str]:
    """Names of the registered games whose packages are there."""
    names = []
    for spec in registry.specs():
        try:
            importlib.import_module(spec.package)
        except ModuleNotFoundError as error:
            if error.name and spec.package.startswith(error.name):
                continue  # registered ahead of being written
            raise
        names.append(spec.name)
    return names


def player_counts() -> list[tuple[str, int]]:
    """Every importable game with each of its player counts."""
    pairs = []
    for name in importable_games():
        low, high = registry.load(name).definition.num_players
        pairs += [(name, num_players) for num_players in range(low, high + 1)]
    return pairs


every_game = pytest.mark.parametrize("name", importable_games())
every_player_count = pytest.mark.parametrize(("name", "num_players"), player_counts())


def run_python(code: str, *arguments: str, check: bool = True, **variables: str) -> str:
    """Run a piece of Python in a process of its own and return what it prints.

    Args:
        code: the program.
        *arguments: its `sys.argv[1:]`.
        check: fail the test, showing stderr, if the program fails; else stderr is returned too.
        **variables: environment variables to set.
    """
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": path.rstrip(os.pathsep), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if check:
        assert done.returncode == 0, done.stderr
        return done.stdout
    return done.stdout + done.stderr
