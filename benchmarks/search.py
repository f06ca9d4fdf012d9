"""How many simulations per second information-set search makes, on one core.

    python benchmarks/search.py

Positions are taken from games between scripted players at all stages. Playouts are at random, or by
the game's strongest scripted player. Cases take turns, as in `benchmarks/throughput.py`.
"""

import json
import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from tqdm import tqdm

from agents.ismcts import ISMCTS
from agents.recipes import STRONGEST
from benchmarks.machine import describe_machine
from benchmarks.measure import Case, calibrate_all, measure_all
from climbenvs.engine.game import Game
from climbenvs.engine.position import Position
from climbenvs.policies import named_policy
from climbenvs.registry import load

RESULTS = Path(__file__).parent / "results" / "search.json"
SIMULATIONS = 100
POSITIONS = 16


def positions(game: Game, num_players: int, policy: str) -> list[Position]:
    """Positions of games between scripted players, each later in its game than the one before."""
    player, rng = named_policy(game, policy), np.random.default_rng(0)
    found = []
    for seed in range(POSITIONS):
        position = game.start(num_players, seed=seed)
        for _ in range(4 * seed):
            if position.is_over:
                position.restart()
            row, mask = position.observe(position.player), position.action_mask()
            position.apply(int(player.act(row[None], mask[None], rng)[0]))
        if position.is_over:
            position.restart()
        found.append(position)
    return found


def search_case(game: Game, num_players: int, rollout: str, policy: str) -> Case:
    """Searches of one position after the other."""
    search = ISMCTS(game, SIMULATIONS, rollout=rollout)
    pool = positions(game, num_players, policy)
    count = 0

    def play(times: int) -> int:
        nonlocal count
        for _ in range(times):
            search.search(pool[count % len(pool)], seed=count)
            count += 1
        return times * SIMULATIONS

    labels = {"game": game.name, "players": num_players, "rollout": rollout}
    return Case(play, labels, fewest=len(pool))


def main(
    rounds: Annotated[int, typer.Option(help="measurements of each case")] = 5,
    seconds: Annotated[float, typer.Option(help="length of a measurement")] = 0.3,
    out: Annotated[Path, typer.Option(help="file of the results")] = RESULTS,
) -> None:
    """Measure and write the results."""
    machine = describe_machine()
    cases = []
    for name, policy in STRONGEST.items():
        game = load(name)
        for players in sorted({*game.definition.num_players}):
            cases += [search_case(game, players, rollout, policy) for rollout in ("random", policy)]
    with tqdm(total=(rounds + 1) * len(cases), unit=" measurements") as bar:
        for _ in calibrate_all(cases, seconds):
            bar.update()
        for _ in measure_all(cases, rounds):
            bar.update()
    content = {
        "machine": machine,
        "simulations": SIMULATIONS,
        "rounds": rounds,
        "results": [case.result() for case in cases],
    }
    out.write_text(json.dumps(content, indent=1) + "\n")
    for case in cases:
        result = case.result()
        typer.echo(
            f"{result['game']:14} {result['players']} players, {result['rollout']:8} "
            f"{result['per_second']['median']:>10,.0f} simulations/s"
        )


if __name__ == "__main__":
    try:
        typer.run(main)
    except KeyboardInterrupt:
        sys.exit(130)
