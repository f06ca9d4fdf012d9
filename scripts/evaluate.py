"""Measure an agent against named opponents: every deal is played in all rotations of the seats.

python scripts/evaluate.py runs/first/final.zip --against random,builder,greedy
python scripts/evaluate.py greedy --game everest_go --players 4 --against builder
"""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

import agents
import climbenvs
from agents.evaluation import Evaluation, evaluate
from climbenvs.engine.errors import ClimbenvsError
from scripts.train import parse_options


def table_of(agent: str, game: str, results: list[Evaluation]) -> Table:
    """The results as a table for the terminal."""
    table = Table(
        title=f"{agent} in {game}, {results[0].num_players} players", title_justify="left"
    )
    for heading in (
        "against",
        "games",
        "win rate",
        "95 % interval",
        "par",
        "score",
        "theirs",
    ):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for result in results:
        table.add_row(
            result.opponent,
            f"{result.games:,}",
            f"{result.win_rate:.1%}",
            f"{result.low:.1%} to {result.high:.1%}",
            f"{result.par:.0%}",
            f"{result.score:.1f}",
            f"{result.opponent_score:.1f}",
        )
    return table


def main(
    agent: Annotated[str, typer.Argument(help="scripted player, checkpoint or folder of a run")],
    against: Annotated[
        str, typer.Option(help="comma-separated opponents; commas within: ;")
    ] = "random",
    game: Annotated[str | None, typer.Option(help="game; a checkpoint's own if left out")] = None,
    players: Annotated[
        int | None, typer.Option(help="seats; a checkpoint's own if left out")
    ] = None,
    deals: Annotated[int, typer.Option(help="deals, each played in all rotations")] = 500,
    seed: Annotated[int, typer.Option(help="seed of the deals")] = 0,
    threads: Annotated[int, typer.Option(help="threads for torch and the games")] = 2,
    option: Annotated[list[str] | None, typer.Option(help="game option as name=value")] = None,
    json_path: Annotated[Path | None, typer.Option("--json", help="write the results here")] = None,
) -> None:
    """Print a table of win rates with 95 % intervals, and write it as JSON if asked to."""
    path = agents.checkpoint_path(agent)
    if path is not None:
        import torch

        torch.set_num_threads(threads)
        card = agents.read_card(path)
        game = game or card["game"]
        players = card["num_players"] if players is None else players
    loaded = climbenvs.load(game or "everest_go")
    num_players = loaded.definition.default_players if players is None else players
    player = agents.load(agent, loaded, num_players)
    names = agents.split_names(against)
    results = []
    with tqdm(total=deals * num_players * len(names), unit=" games") as bar:
        for name in names:
            bar.set_postfix_str(f"against {name}")
            results.append(
                evaluate(
                    loaded,
                    player,
                    agents.load(name, loaded, num_players),
                    name=name,
                    num_players=num_players,
                    deals=deals,
                    seed=seed,
                    num_threads=threads,
                    progress=bar.update,
                    **parse_options(option or []),
                )
            )
    Console().print(table_of(agent, loaded.definition.title, results))
    if json_path is not None:
        content = {
            "agent": agent,
            "game": loaded.definition.stem,
            "results": [result.to_dict() for result in results],
        }
        json_path.parent.mkdir(parents=True, exist_ok=True)
        json_path.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    try:
        typer.run(main)
    except (ClimbenvsError, ValueError) as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
