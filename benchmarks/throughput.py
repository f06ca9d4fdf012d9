"""Measure how fast every game plays, and write docs/benchmarks.md from the numbers.

    python benchmarks/throughput.py
    python benchmarks/throughput.py everest_go --players 4 --batch-sizes 1,1024 --no-start
    python benchmarks/throughput.py --report

All cases are measured once per round, in another order each time; the report has the median of the
rounds. `--report` writes page and plot again from the numbers of an earlier run.
"""

import json
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer
from tqdm import tqdm

from benchmarks import machine, workloads
from benchmarks.measure import Case, calibrate_all, measure_all
from benchmarks.plot import plot
from benchmarks.report import write_page
from climbenvs import registry
from climbenvs.engine.errors import ClimbenvsError
from climbenvs.engine.game import Game
from climbenvs.engine.records import ROWS_PER_THREAD

ROOT = Path(__file__).resolve().parents[1]
BATCH_SIZES = "1,16,256,1024,4096,16384,65536"
VECTOR_LOOPS = ("rollout", "step")


def parse_numbers(text: str) -> list[int]:
    """Comma-separated positive integers in ascending order."""
    try:
        numbers = sorted({int(part) for part in text.split(",")})
    except ValueError:
        numbers = [0]
    if numbers[0] < 1:
        raise typer.BadParameter(f"{text!r}: expected positive integers separated by commas")
    return numbers


def load_games(names: list[str] | None) -> list[Game]:
    """The chosen games, or every registered one."""
    try:
        return [registry.load(name) for name in names or [s.name for s in registry.specs()]]
    except ClimbenvsError as error:
        raise typer.BadParameter(str(error)) from None


def plan_vectors(
    tables: list[tuple[Game, int]], batches: list[int], threads: list[int], limit: float
) -> tuple[list[tuple[Game, int, int, int]], list[dict[str, Any]]]:
    """What fits the memory limit in ascending order of batch size, and what is skipped for it."""
    planned, skipped, used = [], [], 0
    for batch, (game, players) in product(batches, tables):
        size = batch * workloads.bytes_per_row(game)
        for number in workloads.effective_threads(batch, threads):
            if used + size <= limit:
                used += size
                planned.append((game, players, batch, number))
                continue
            skipped.append(
                {"game": game.name, "players": players, "batch": batch, "threads": number}
                | {"bytes": size, "bytes_left": int(limit - used)}
            )
    return planned, skipped


def faces(tables: list[tuple[Game, int]]) -> tuple[list[Case], list[str]]:
    """The cases of AEC loop and SB3, and notes on what cannot be measured here."""
    cases = [case for game, players in tables for case in workloads.aec_cases(game, players)]
    notes = []
    if any(game.name == "connect_four" for game, _ in tables):
        try:
            cases += workloads.pettingzoo_cases()
        except ImportError as error:
            notes.append(f"PettingZoo's connect_four_v3 cannot be imported: {error}")
    try:
        cases += [
            workloads.seat_case(game, players, batch)
            for (game, players), batch in product(tables, workloads.SEAT_BATCHES)
        ]
    except ImportError as error:
        notes.append(f"SeatVecEnv cannot be imported: {error}")
    return cases, notes


def with_limit(result: dict[str, Any], game: Game, copies: list[dict[str, Any]]) -> dict[str, Any]:
    """A vector's result beside what copying its memory alone would allow.

    A row stays in the caches for all steps of a rollout; stepping goes through the whole batch
    every time, so its buffers decide.
    """
    size = workloads.bytes_per_decision(game)
    buffers = result["batch"] * workloads.bytes_per_row(game)
    in_cache = result["loop"] == "rollout" or buffers <= machine.cache_bytes()
    where = "cache" if in_cache else "memory"
    limit = machine.copy_speed(copies, where, result["threads"]) / size
    share = result["per_second"]["median"] / limit
    return {**result, "copy": where, "limit": limit, "share_of_limit": share}


def run(
    games: list[Game],
    players: list[int] | None,
    batches: list[int],
    threads: list[int],
    *,
    rounds: int,
    seconds: float,
    memory_limit: float,
    start: bool,
) -> dict[str, Any]:
    """Measure everything; the JSON-able record of the run."""
    described = machine.describe_machine()
    tables = [(game, n) for game in games for n in workloads.player_counts(game, players)]
    if not tables:
        raise typer.BadParameter(f"no chosen game takes {players} players")
    games = list(dict.fromkeys(game for game, _ in tables))
    planned, skipped = plan_vectors(tables, batches, threads, memory_limit)
    starts = []
    if start:
        for game in tqdm(games, "first starts", unit="game"):
            starts.append(machine.time_start(game.name))
    positions: dict[tuple[str, int], Any] = {}
    for game, count in tqdm(tables, "compile and play in", unit="table"):
        positions[game.name, count] = workloads.typical_positions(game, count)
    copies = machine.copy_cases(sorted({1} | {number for *_, number in planned}))
    vectors = [
        case
        for game, count, batch, number in planned
        for case in workloads.vector_cases(game, count, batch, number, positions[game.name, count])
    ]
    others, notes = faces(tables)
    cases = [*copies, *vectors, *others]
    for _ in tqdm(calibrate_all(cases, seconds), "calibrate", len(cases), unit="case"):
        pass
    for _ in tqdm(measure_all(cases, rounds), "measure", rounds * len(cases), unit="case"):
        pass
    copied = [case.result() for case in copies]
    by_name = {game.name: game for game in games}
    return {
        "machine": described,
        "settings": {
            "rounds": rounds,
            "seconds": seconds,
            "memory_limit": int(memory_limit),
            "rows_per_thread": ROWS_PER_THREAD,
        },
        "games": {game.name: describe_game(game) for game in games},
        "copies": copied,
        "vector": [
            with_limit(case.result(), by_name[case.labels["game"]], copied) for case in vectors
        ],
        "aec": [case.result() for case in others if case.labels["loop"] == "aec"],
        "seat": [case.result() for case in others if case.labels["loop"] == "seat"],
        "start": starts,
        "skipped": skipped,
        "notes": notes,
    }


def describe_game(game: Game) -> dict[str, Any]:
    """Title and sizes in bytes."""
    return {
        "title": game.definition.title,
        "observation": game.observation_layout.size,
        "mask": game.num_actions,
        "state": game.definition.state_dtype.itemsize,
    }


def main(
    games: Annotated[list[str] | None, typer.Argument(help="names; every game if none")] = None,
    players: Annotated[
        str | None, typer.Option(help="player counts; each game's smallest and largest if left out")
    ] = None,
    batch_sizes: Annotated[str, typer.Option(help="rows of the vectors")] = BATCH_SIZES,
    threads: Annotated[str, typer.Option(help="threads of the vectors, besides one")] = "2",
    rounds: Annotated[int, typer.Option(min=1, help="measurements of every case")] = 5,
    seconds: Annotated[float, typer.Option(help="length of one measurement, about")] = 0.06,
    memory_limit: Annotated[
        float | None, typer.Option(help="GiB for all vectors; half the machine's if left out")
    ] = None,
    start: Annotated[bool, typer.Option(help="time first starts, with compilation, too")] = True,
    out: Annotated[Path, typer.Option(help="the numbers")] = (
        ROOT / "benchmarks/results/throughput.json"
    ),
    plot_path: Annotated[Path, typer.Option("--plot", help="the plot, a PNG")] = (
        ROOT / "docs/images/throughput.png"
    ),
    page: Annotated[Path, typer.Option(help="the report")] = ROOT / "docs/benchmarks.md",
    report: Annotated[bool, typer.Option("--report", help="measure nothing, read --out")] = False,
) -> None:
    """Measure decisions per second and report them beside the machine's memory speed."""
    if report:
        record = json.loads(out.read_text())
    else:
        limit = memory_limit * 2**30 if memory_limit is not None else machine.memory_bytes() / 2
        record = run(
            load_games(games),
            parse_numbers(players) if players else None,
            parse_numbers(batch_sizes),
            sorted({1, *parse_numbers(threads)}),
            rounds=rounds,
            seconds=seconds,
            memory_limit=limit,
            start=start,
        )
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(record, indent=1) + "\n")
    for note in record["notes"]:
        typer.echo(note)
    if record["skipped"]:
        typer.echo(f"{len(record['skipped'])} vectors did not fit the memory limit; see the page")
    plot(record, plot_path)
    write_page(record, page, plot_path)
    typer.echo(f"numbers: {out}\nplot: {plot_path}\npage: {page}")


if __name__ == "__main__":
    typer.run(main)
