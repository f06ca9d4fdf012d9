"""Which games the tests run on: every registered one, listed or not."""

import importlib.util
import os

from climbenvs import registry

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: two test processes share two cores


def is_there(spec):
    """Whether a game's package can be found; one that is found and broken fails its tests."""
    try:
        return importlib.util.find_spec(spec.package) is not None
    except ModuleNotFoundError:
        return False


GAMES = [spec.name for spec in registry.specs() if is_there(spec)]
MISSING = [spec.name for spec in registry.specs() if not is_there(spec)]


def player_counts(game):
    """The smallest, the default and the largest player count of a game."""
    definition = registry.load(game).definition
    return sorted({*definition.num_players, definition.default_players})


TABLES = [(game, num_players) for game in GAMES for num_players in player_counts(game)]


def pytest_report_header():
    """Say what is tested, and which registered games have no package yet."""
    return [f"games: {', '.join(GAMES)}", f"registered without a package: {MISSING or 'none'}"]


def pytest_generate_tests(metafunc):
    """Run a test that asks for `game` (and `num_players`) on every game (and player count)."""
    if {"game", "num_players"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("game", "num_players"), TABLES)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", GAMES)
