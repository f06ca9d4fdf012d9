"""Tables of what agents were measured to be worth, from their cards and benchmark results."""

import json
from pathlib import Path
from typing import Any

import agents
from climbenvs.registry import load
from scripts.doc_tables import table

RESULTS = Path(__file__).resolve().parents[1] / "benchmarks" / "results"


def read_result(name: str) -> dict[str, Any]:
    """The results of a benchmark.

    Raises:
        ValueError: if they are missing.
    """
    path = RESULTS / f"{name}.json"
    if not path.exists():
        raise ValueError(f"{path.name} is missing, run benchmarks/{name}.py")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def read_shipped() -> dict[str, dict[str, Any]]:
    """The cards of all shipped agents by name."""
    return {
        name: json.loads((agents.PRETRAINED / name / "card.json").read_text())
        for name in agents.pretrained()
    }


def percent(value: float) -> str:
    """A share with one decimal."""
    return f"{100 * value:.1f} %"


def baselines_table() -> str:
    """How strong each shipped agent is: its victories against every opponent, beside par."""
    rows = []
    for name, card in read_shipped().items():
        title = load(card["game"]).definition.title
        for result in card["strength"]:
            rows.append(
                [
                    f"`{name}`",
                    f"{title}, {card['num_players']}",
                    f"`{result['opponent']}`",
                    percent(result["win_rate"]),
                    f"{percent(result['low'])} to {percent(result['high'])}",
                    percent(result["par"]),
                    f"{result['games']:,}",
                ]
            )
    header = ("agent", "game, players", "against", "victories", "95 % interval", "par", "games")
    return table(header, rows)


def recipes_table() -> str:
    """How each shipped agent was trained."""
    rows = []
    for name, card in read_shipped().items():
        settings = card["settings"]
        role = "teacher" if settings["teacher"] else "advisor"
        rows.append(
            [
                f"`{name}`",
                f"{card['steps']:,}",
                f"{card['seconds'] / 60:.0f} min",
                f"{role} `{settings[role]}`",
                ", ".join(f"`{opponent}`" for opponent in settings["opponents"]),
                percent(settings["mixed"]),
                "likeliest" if card["deterministic"] else "drawn",
            ]
        )
    header = ("agent", "decisions", "time", "learns from", "mixed with", "mixed", "actions")
    return table(header, rows)


def curves() -> str:
    """The learning curves of all shipped agents."""
    return "\n\n".join(
        f"![Learning curve of {name}](images/training/{name.replace('/', '_')}.png)"
        for name in agents.pretrained()
    )


def training_table() -> str:
    """Decisions per second that each way of training learns from."""
    content = read_result("training")
    rows = [
        [
            result["way"],
            f"{result['median']:,.0f} ({result['min']:,.0f} - {result['max']:,.0f})",
            f"{result['ratio']:.1f}",
        ]
        for result in content["results"]
    ]
    machine = content["machine"]
    note = (
        f"{machine['cpu']}, {content['threads']} threads; medians of {content['rounds']} rounds, "
        "with the smallest and largest in brackets."
    )
    return f"{table(('way', 'decisions a second', 'ratio'), rows)}\n\n{note}"


def search_table() -> str:
    """Simulations per second of the search by game, player count and playout."""
    content = read_result("search")
    rows = [
        [
            load(result["game"]).definition.title,
            str(result["players"]),
            f"`{result['rollout']}`",
            f"{result['per_second']['median']:,.0f}",
            f"{result['per_second']['min']:,.0f} - {result['per_second']['max']:,.0f}",
        ]
        for result in content["results"]
    ]
    note = (
        f"{content['machine']['cpu']}, one core, {content['simulations']} simulations a search; "
        f"medians of {content['rounds']} rounds."
    )
    header = ("game", "players", "playouts", "simulations a second", "smallest - largest")
    return f"{table(header, rows)}\n\n{note}"


def leaderboard() -> str:
    """The standings of every game and player count."""
    parts = []
    for board in read_result("leaderboard")["boards"]:
        title = load(board["game"]).definition.title
        players = board["num_players"]
        seats = "1 player" if players == 1 else f"{players} players"
        parts.append(f"### {title}, {seats}\n\n{board_table(board)}")
    return "\n\n".join(parts)


def board_table(board: dict[str, Any]) -> str:
    """The standings of one tournament, and how much was played."""
    standings = board["result"]["standings"]
    if "rating" in standings[0]:
        header = ("agent", "rating", "95 % interval", "victories", "reward", "group")
        rows = [
            [
                f"`{s['name']}`",
                f"{s['rating']:+.0f}",
                f"{s['low']:+.0f} to {s['high']:+.0f}",
                percent(s["share"]),
                f"{s['reward']:+.2f}",
                s["group"],
            ]
            for s in standings
        ]
    else:
        header = ("agent", "victories", "95 % interval", "score", "reward")
        rows = [
            [
                f"`{s['name']}`",
                percent(s["win_rate"]),
                f"{percent(s['low'])} to {percent(s['high'])}",
                f"{s['score']:.2f}",
                f"{s['reward']:+.2f}",
            ]
            for s in standings
        ]
    played = board["result"]
    note = f"{played['num_games']:,} games on {played['num_deals']:,} deals."
    if not board["search"]:
        note += " Without search: with five seats there would be too many line-ups."
    return f"{table(header, rows)}\n\n{note}"
