"""Fill the generated blocks of the documentation from the live code.

    python scripts/make_docs.py                            rewrite README.md and docs/**/*.md
    python scripts/make_docs.py --check                    name the files that are not current
    python scripts/make_docs.py --statistics everest_go    play games and keep what was measured

A block stands between `<!-- generated: <game> <what> -->` and `<!-- end -->`. `--check` measures
nothing: it compares the tables of statistics with what is kept in docs/data.
"""

import re
import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from climbenvs.engine.errors import ClimbenvsError
from climbenvs.engine.game import Game
from climbenvs.policies import named_policy
from climbenvs.registry import load
from scripts import doc_agents, doc_statistics, doc_tables

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(<!-- generated: ([^>]*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
EXAMPLE_SEED = 1
EXAMPLE_DECISIONS = 12
"""Decisions shown from the beginning of an example game, and from its end."""


def data_path(name: str) -> Path:
    """Where the statistics of a game are kept."""
    return ROOT / "docs" / "data" / f"statistics_{name}.json"


def example(game: Game) -> str:
    """The beginning and the end of a game between the game's last scripted players."""
    policy = list(game.definition.policies)[-1]
    player = named_policy(game, policy)
    rng = np.random.default_rng(EXAMPLE_SEED)
    position = game.start(game.definition.num_players[0], seed=EXAMPLE_SEED)
    tables, words = [str(position)], []
    while not position.is_over:
        obs, mask = position.observe(position.player), position.action_mask()
        action = int(player.act(obs[None], mask[None], rng)[0])
        words.append(f"player_{position.player}: {position.describe(action)}")
        position.apply(action)
        if len(words) == EXAMPLE_DECISIONS:
            tables.append(str(position))
    outcome = position.outcome()
    skipped = max(0, len(words) - 2 * EXAMPLE_DECISIONS)
    middle = [*words[:EXAMPLE_DECISIONS], "", tables[-1]]
    if skipped:
        middle += ["", f"... {skipped} decisions later ..."]
    lines = [tables[0], "", *middle, "", *words[EXAMPLE_DECISIONS + skipped :], "", str(position)]
    lines += ["", f"end: {outcome['end']}, scores {outcome['scores']}, won by {outcome['winners']}"]
    start = f"`{policy}` in all seats, {position.num_players} players, seed {EXAMPLE_SEED}; each"
    text = "\n".join(line.rstrip() for line in lines)
    return f"{start} table as the player to act sees it.\n\n```text\n{text}\n```"


BLOCKS = {
    "observation": doc_tables.observation_table,
    "state": doc_tables.state_table,
    "actions": doc_tables.actions_table,
    "options": doc_tables.options_table,
    "policies": doc_tables.policies_table,
    "deck": doc_tables.deck_table,
    "example": example,
    "statistics": lambda game: doc_statistics.statistics_table(game, data_path(game.name)),
}


PAGE_BLOCKS = {
    "games": lambda: doc_tables.games_table(ROOT),
    "baselines": doc_agents.baselines_table,
    "recipes": doc_agents.recipes_table,
    "curves": doc_agents.curves,
    "training": doc_agents.training_table,
    "search": doc_agents.search_table,
    "leaderboard": doc_agents.leaderboard,
}


def generate(marker: str) -> str:
    """The content of the block with that marker, one of `PAGE_BLOCKS` or `<game> <what>`.

    Raises:
        ValueError: if there is no such block.
    """
    if marker in PAGE_BLOCKS:
        return PAGE_BLOCKS[marker]()
    name, _, what = marker.partition(" ")
    if what not in BLOCKS:
        known = ", ".join([*PAGE_BLOCKS, *(f"<game> {what}" for what in BLOCKS)])
        raise ValueError(f"unknown block {marker!r}; there are {known}")
    return BLOCKS[what](load(name))


def fill(text: str) -> str:
    """A page with its blocks generated anew.

    Raises:
        ValueError: if a block is unknown or not closed.
    """
    markers = re.findall(r"<!-- generated: (.*?) -->", text)
    if len(markers) != len(BLOCK.findall(text)) or len(markers) != text.count("<!-- end -->"):
        raise ValueError(f"one of the blocks {markers} is not closed by <!-- end -->")
    return BLOCK.sub(lambda match: f"{match[1]}\n{generate(match[2])}\n\n{match[4]}", text)


def pages() -> list[Path]:
    """README.md and all pages below docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def main(
    check: Annotated[bool, typer.Option("--check", help="change nothing, fail if stale")] = False,
    statistics: Annotated[str | None, typer.Option(help="measure this game")] = None,
    games: Annotated[int, typer.Option(help="games per row of statistics")] = 1000,
    seed: Annotated[int, typer.Option(help="of the first game of statistics")] = 0,
) -> None:
    """Generate the tables of the documentation, or check that they are current."""
    if statistics is not None:
        game = load(statistics)
        doc_statistics.write(doc_statistics.measure(game, games, seed), data_path(game.name))
    stale, problems = [], []
    for page in pages():
        before = page.read_text(encoding="utf-8")
        where = page.relative_to(ROOT)
        try:
            after = fill(before)
        except (KeyError, ValueError, ClimbenvsError) as problem:
            problems.append(f"{where}: {problem}")
            continue
        if after != before:
            stale.append(str(where))
            if not check:
                page.write_text(after, encoding="utf-8")
    for problem in problems:
        typer.echo(problem, err=True)
    if check and stale:
        typer.echo(f"not current, run scripts/make_docs.py: {', '.join(stale)}", err=True)
    elif stale:
        typer.echo(f"rewritten: {', '.join(stale)}")
    sys.exit(1 if problems or (check and stale) else 0)


if __name__ == "__main__":
    typer.run(main)
