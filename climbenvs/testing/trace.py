"""Print the fingerprints of random play: `python -m climbenvs.testing.trace connect_four`.

Two machines, processes or compiler settings that print different lines play different games; the
first line that differs tells at which decision.
"""

import argparse
import importlib
import json
from pathlib import Path

from climbenvs.engine.game import Game
from climbenvs.registry import load, specs
from climbenvs.testing.digest import trace


def find_game(name: str, deck: Path | None) -> Game:
    """A registered game, or the one that the package of that import path calls GAME."""
    if name in {spec.name for spec in specs()}:
        return load(name, deck=deck)
    return load(importlib.import_module(name).GAME, deck=deck)


def main() -> None:
    """Read the command line, play and print one fingerprint a line."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m climbenvs.testing.trace")
    parser.add_argument("game", help="registered name, or import path of a package with a GAME")
    parser.add_argument("--num-players", type=int, help="number of seats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--decisions", type=int, default=200, help="how many are played")
    parser.add_argument("--options", type=json.loads, default={}, help="as a JSON object")
    parser.add_argument(
        "--cases", type=json.loads, help="several [number of seats, options] as a JSON list"
    )
    parser.add_argument("--deck", type=Path, help="another deck file")
    arguments = parser.parse_args()
    game = find_game(arguments.game, arguments.deck)
    for num_players, options in arguments.cases or [(arguments.num_players, arguments.options)]:
        for line in trace(game, num_players, arguments.seed, arguments.decisions, options):
            print(line)


if __name__ == "__main__":
    main()
