"""All shipped agents against all others, for every game and player count.

    python benchmarks/leaderboard.py                     play, and write the published results
    python benchmarks/leaderboard.py sherpa/4            only this table
    python benchmarks/leaderboard.py --deals 20 --store /tmp/l.sqlite --out /tmp/l.json

The games are kept in --store: stopped at any time, the same command goes on, and a further process
shares the work. The page docs/leaderboard.md is generated from the results.
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import agents
from agents.recipes import recipe, recipe_names
from climbenvs.arena import Store, Tournament, result_of
from climbenvs.arena.report import terminal_table
from climbenvs.registry import load

RESULTS = Path(__file__).parent / "results" / "leaderboard.json"
SEED = 2**42
"""First deal: none that an agent was trained or measured on."""


def entrants(game: str, num_players: int, search: str) -> list[str]:
    """Who takes part: random, the scripted players, the shipped agent, and search."""
    names = ["random", *load(game).definition.policies]
    if f"{game}/{num_players}" in agents.pretrained():
        names.append(f"{game}/{num_players}")
    return [*names, search] if search else names


def play(name: str, store: Store, deals: int, search: str, threads: int) -> dict[str, Any]:
    """Play one table, or what of it is not stored yet."""
    game_name, _, players = name.partition("/")
    game, num_players = load(game_name), int(players)
    names = entrants(game_name, num_players, search)
    tournament = Tournament(
        game,
        {entrant: agents.load(entrant, game, num_players, threads) for entrant in names},
        num_players=num_players,
        deals=deals,
        seed=SEED,
        store=store,
        fingerprints={entrant: agents.fingerprint(entrant, game) for entrant in names},
        deals_per_unit=50,
        num_threads=threads,
    )
    tournament.run()
    result = result_of(tournament.games())
    Console().print(terminal_table(result, f"{game.definition.title}, {num_players} players"))
    return {
        "game": game_name,
        "num_players": num_players,
        "deals": deals,
        "search": search,
        "result": result.to_dict(),
    }


def main(
    names: Annotated[list[str] | None, typer.Argument(help="as sherpa/4; all if left out")] = None,
    store: Annotated[Path, typer.Option(help="SQLite file of the games")] = Path(
        "runs/leaderboard.sqlite"
    ),
    deals: Annotated[int, typer.Option(help="deals per line-up")] = 60,
    search: Annotated[str, typer.Option(help="search agent that takes part")] = "ismcts:50",
    threads: Annotated[int, typer.Option(help="threads that share the games")] = 2,
    out: Annotated[Path, typer.Option(help="file of the results")] = RESULTS,
) -> None:
    """Play all tables and write the results."""
    chosen = names or recipe_names()
    for name in chosen:
        recipe(name)  # raises if there is none
    for path in (store, out):
        path.parent.mkdir(parents=True, exist_ok=True)
    boards = {}
    if out.exists():
        known = json.loads(out.read_text()).get("boards", [])
        boards = {f"{board['game']}/{board['num_players']}": board for board in known}
    with Store(store) as opened:
        for name in chosen:
            boards[name] = play(name, opened, deals, search, threads)
            ordered = [boards[key] for key in recipe_names() if key in boards]
            out.write_text(json.dumps({"boards": ordered}, indent=1) + "\n")


if __name__ == "__main__":
    try:
        typer.run(main)
    except ValueError as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
