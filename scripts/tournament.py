"""Let agents play a tournament: rated, resumable, with a report.

    python scripts/tournament.py everest_go --entrants random,builder,greedy,ppo --deals 1000
    python scripts/tournament.py sherpa --players 4 --entrants random,climber,ppo,ismcts:50
    python scripts/tournament.py everest_go --against runs/tournament.sqlite --candidate runs/new

Every deal is played in all rotations of the seats. Each finished game is a row of --store; stopped
at any time, the same command goes on, and several processes may share the work. With --against,
one candidate plays each entrant of an earlier tournament until it is known who is better.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import agents
import climbenvs
from climbenvs.arena import Field, Store, Tournament, challenge, result_of, write_report
from climbenvs.arena.players import Player
from climbenvs.arena.report import terminal_table
from climbenvs.engine.errors import ClimbenvsError
from climbenvs.engine.game import Game
from scripts.train import parse_options


def load_all(
    names: list[str], game: Game, players: int, threads: int
) -> tuple[dict[str, Player], dict[str, str | None]]:
    """Players and fingerprints by name; "ppo" goes by its full name, as "sherpa/4"."""
    full = [agents.full_name(name, game, players) for name in names]
    loaded = {name: agents.load(name, game, players, threads) for name in full}
    return loaded, {name: agents.fingerprint(name, game, players) for name in full}


def show_verdicts(candidate: str, verdicts: dict) -> None:
    """Print what the tests say."""
    table = Table(title=f"{candidate} is", title_justify="left")
    for heading in ("", "than", "deals", "victories", "running 95 % interval", "par"):
        table.add_column(heading, justify="left" if heading in ("", "than") else "right")
    for rival, v in verdicts.items():
        interval = f"{v.low:.1%} to {v.high:.1%}"
        cells = (v.answer, rival, str(v.deals), f"{v.mean:.1%}", interval, f"{v.par:.1%}")
        table.add_row(*map(Text, cells))
    Console().print(table)


def main(
    game: Annotated[str, typer.Argument(help="name of the game")] = "everest_go",
    players: Annotated[int | None, typer.Option(help="seats; the game's default if none")] = None,
    entrants: Annotated[
        str,
        typer.Option(help="comma-separated names as agents.load takes them; commas within: ;"),
    ] = "random",
    deals: Annotated[int, typer.Option(help="deals per line-up, or at most per rival")] = 1000,
    seed: Annotated[int, typer.Option(help="of the first deal")] = 0,
    store: Annotated[Path, typer.Option(help="SQLite file of the games")] = Path(
        "runs/tournament.sqlite"
    ),
    report: Annotated[Path | None, typer.Option(help="write a page of HTML here")] = None,
    pictures: Annotated[bool, typer.Option(help="and its pictures as PNG files")] = False,
    json: Annotated[Path | None, typer.Option(help="export all games of the store")] = None,
    csv: Annotated[Path | None, typer.Option(help="export all games of the store")] = None,
    parquet: Annotated[Path | None, typer.Option(help="export all games of the store")] = None,
    against: Annotated[Path | None, typer.Option(help="store of an earlier tournament")] = None,
    candidate: Annotated[str | None, typer.Option(help="who is compared with its entrants")] = None,
    threads: Annotated[int, typer.Option(help="threads that share the games")] = 2,
    time_limit: Annotated[
        float | None, typer.Option(help="seconds per decision, then the game is forfeited")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="game option as name=value")] = None,
) -> None:
    """Play, rate and report."""
    loaded = climbenvs.load(game)
    num_players = loaded.definition.default_players if players is None else players
    common = {
        "num_players": num_players,
        "deals": deals,
        "seed": seed,
        "options": parse_options(option or []),
        "num_threads": threads,
        "time_limit": time_limit,
    }
    if (against is None) != (candidate is None):
        raise typer.BadParameter("--against and --candidate go together")
    for path in (store, report, json, csv, parquet):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
    if against is not None:
        with Store(against, read_only=True) as earlier:
            field = Field.of(loaded, num_players, common["options"])
            played = earlier.games(field).entrants
            known = {name: earlier.entrants()[name] for name in played}
        rivals = {name: print_ for name, print_ in known.items() if name != candidate}
        by_name, prints = load_all([candidate, *rivals], loaded, num_players, threads)
        changed = [name for name in rivals if prints[name] != rivals[name]]
        if changed:
            raise ValueError(f"{changed[0]} is not the player whose games are in {against}")
        with Store(store) as opened:
            verdicts = challenge(loaded, candidate, by_name, opened, fingerprints=prints, **common)
        show_verdicts(candidate, verdicts)
        return
    names = agents.split_names(entrants)
    by_name, prints = load_all(names, loaded, num_players, threads)
    with Store(store) as opened:
        tournament = Tournament(loaded, by_name, store=opened, fingerprints=prints, **common)
        tournament.run()
        games = tournament.games()
        for path, write in (
            (json, opened.to_json),
            (csv, opened.to_csv),
            (parquet, opened.to_parquet),
        ):
            if path is not None:
                write(path)
    result = result_of(games)
    title = f"{loaded.definition.title}, {num_players} players"
    Console().print(terminal_table(result, title))
    if report is not None:
        settings = {"game": loaded.definition.stem, **common, "store": store}
        write_report(
            games, report, title=title, settings=settings, result=result, pictures=pictures
        )
        typer.echo(f"report: {report}")


if __name__ == "__main__":
    try:
        typer.run(main)
    except (ClimbenvsError, FileNotFoundError, ValueError) as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
