"""Train the agents shipped under agents/pretrained, measure them and write their cards.

    python scripts/train_baselines.py                      all of them, one after the other
    python scripts/train_baselines.py sherpa/4 sherpa/5    only these
    python scripts/train_baselines.py --measure            measure again what is shipped

A run is kept in a folder below --runs. Ctrl-C saves it, and the same command goes on with it; what
is finished there is not trained again. Strength is measured on deals that training never saw.
"""

import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from tqdm import tqdm

import agents
from agents import networks
from agents.curves import plot_history
from agents.evaluation import evaluate
from agents.recipes import recipe, recipe_names
from agents.selfplay import read_settings, train
from climbenvs.engine.errors import ClimbenvsError
from climbenvs.registry import load

ROOT = Path(__file__).resolve().parents[1]
SELECTION_SEED = 2**40
"""First deal of those on which drawing actions and playing the likeliest are compared."""
STRENGTH_SEED = 2**41
"""First deal of those on which the strength in the card is measured."""
SELECTION_DEALS = 300


def commit() -> str:
    """The commit of this repository, marked if files were changed since."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def train_one(name: str, folder: Path, threads: int) -> None:
    """Train an agent in a folder, or go on with the run that is there."""
    if (folder / networks.CARD).exists():
        return
    settings = recipe(name, threads)
    started = folder / "commit.txt"
    resume = (folder / "checkpoint.pt").exists()
    if not resume:
        folder.mkdir(parents=True, exist_ok=True)
        started.write_text(commit() + "\n")
    train(settings, folder, resume)


def strength(
    name: str, policy: networks.NetworkPolicy, opponents: list[tuple[str, int]], seed: int
) -> list[dict[str, Any]]:
    """Evaluations against each (opponent, number of deals)."""
    game_name, _, players = name.partition("/")
    game = load(game_name)
    results = []
    for opponent, deals in opponents:
        with tqdm(total=deals * int(players), unit=" games", leave=False) as bar:
            bar.set_description(f"{name} against {opponent}")
            result = evaluate(
                game,
                policy,
                agents.load(opponent, game),
                name=opponent,
                num_players=int(players),
                deals=deals,
                seed=seed,
                progress=bar.update,
            )
        results.append(result.to_dict())
    return results


def measure(name: str, folder: Path, deals: int, search: str, search_deals: int) -> dict[str, Any]:
    """The card of a trained agent with what it was measured to be worth.

    Args:
        name: as in `recipe_names`.
        folder: of the agent.
        deals: against random and the scripted players.
        search: a search agent to measure against, as "ismcts:50".
        search_deals: against it.
    """
    game = load(name.partition("/")[0])
    policy = networks.load_agent(game, folder)
    card = policy.card
    scripted = list(game.definition.policies)
    against = [(recipe(name).opponents[-1], SELECTION_DEALS)]
    rates = []
    for policy.deterministic in (False, True):
        rates.append(strength(name, policy, against, SELECTION_SEED)[0]["win_rate"])
    policy.deterministic = card["deterministic"] = rates[1] > rates[0]
    opponents = [(opponent, deals) for opponent in ("random", *scripted)]
    if search:
        opponents.append((search, search_deals))
    card["strength"] = strength(name, policy, opponents, STRENGTH_SEED)
    return card


def ship(name: str, run: Path, card: dict[str, Any]) -> None:
    """Put a finished run's agent, with its card, under agents/pretrained and its curve in docs."""
    game = load(card["game"])
    settings = read_settings(run)
    card["command"] = f"python scripts/train_baselines.py {name}"
    card["commit"] = (run / "commit.txt").read_text().strip()
    card["machine"] = f"{platform.machine()}, {settings.threads} thread(s) of {settings.device}"
    networks.save_agent(agents.PRETRAINED / name, networks.load_network(game, run), card)
    history = [json.loads(line) for line in (run / "history.jsonl").read_text().splitlines()]
    picture = ROOT / "docs" / "images" / "training" / f"{name.replace('/', '_')}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    plot_history(history, picture, settings)


def main(
    names: Annotated[list[str] | None, typer.Argument(help="as sherpa/4; all if left out")] = None,
    runs: Annotated[Path, typer.Option(help="folder of the runs")] = Path("runs/baselines"),
    threads: Annotated[int, typer.Option(help="threads for torch and the games")] = 2,
    deals: Annotated[int, typer.Option(help="deals per scripted opponent")] = 1000,
    search: Annotated[str, typer.Option(help="search agent to measure against")] = "ismcts:50",
    search_deals: Annotated[int, typer.Option(help="deals against the search agent")] = 25,
    only_measure: Annotated[
        bool, typer.Option("--measure", help="measure what is shipped, train nothing")
    ] = False,
) -> None:
    """Train, measure and ship agents."""
    for name in names or recipe_names():
        recipe(name)
        if only_measure:
            shipped = agents.PRETRAINED / name
            card = measure(name, shipped, deals, search, search_deals)
            game = load(card["game"])
            networks.save_agent(shipped, networks.load_network(game, shipped), card)
        else:
            train_one(name, runs / name, threads)
            torch.set_num_threads(threads)
            card = measure(name, runs / name, deals, search, search_deals)
            ship(name, runs / name, card)
        rates = ", ".join(f"{r['opponent']} {r['win_rate']:.1%}" for r in card["strength"])
        typer.echo(f"{name}: wins against {rates}")


if __name__ == "__main__":
    try:
        typer.run(main)
    except (ClimbenvsError, ValueError) as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
