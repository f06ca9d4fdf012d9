"""How games go when named players play them: measuring, keeping as JSON, and the table."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.engine.game import Game
from climbenvs.engine.records import Records
from climbenvs.policies import CompiledPolicy, named_policy
from scripts.doc_tables import table

LENGTH_FIELDS = ("round_number", "round", "rounds", "week", "turn", "turns")
"""Fields that may count a game's rounds or turns; the first that a record has does so."""


def measure(game: Game, games: int, seed: int) -> dict[str, Any]:
    """Play games of every player count with every named player in all seats."""
    low, high = game.definition.num_players
    return {
        "game": game.name,
        "version": game.definition.version,
        "games": games,
        "first_seed": seed,
        "rows": [
            measure_row(game, num_players, name, games, seed)
            for num_players in range(low, high + 1)
            for name in ("random", *game.definition.policies)
        ],
    }


def measure_row(game: Game, num_players: int, policy: str, games: int, seed: int) -> dict[str, Any]:
    """One player in all seats, default options, game i dealt with seed + i."""
    records = Records(game, games, num_players, {})
    records.seed([seed + index for index in range(games)])
    records.reset()
    choices, most = play_out(records, named_policy(game, policy), seed)
    outcomes = [game.definition.outcome(record, game.t) for record in records.states]
    decisions = records.states["decisions"].astype(np.int64)
    scores = np.array([outcome.get("scores") or [0] * num_players for outcome in outcomes], float)
    shares = np.zeros((games, num_players))
    for index, outcome in enumerate(outcomes):
        winners = outcome["winners"]
        if winners:
            shares[index, winners] = 1.0 if game.definition.cooperative else 1 / len(winners)
    ends = [outcome["end"] for outcome in outcomes]
    fields = game.definition.state_dtype.names or ()
    counter = next((name for name in LENGTH_FIELDS if name in fields), None)
    return {
        "num_players": num_players,
        "policy": policy,
        "decisions": summary(decisions),
        "length": counter
        and {
            "unit": counter.removesuffix("_number"),
            **summary(records.states[counter].astype(np.int64)),
        },
        "branching": {"mean": round(choices / int(decisions.sum()), 2), "max": most},
        "ends": {
            cause: round(ends.count(cause) / games, 3) for cause in game.definition.end_causes
        },
        "shares": [round(float(share), 3) for share in shares.mean(axis=0)],
        "scores": summary(scores),
        "best_score": round(float(scores.max(axis=1).mean()), 1),
    }


def play_out(records: Records, policy: CompiledPolicy, seed: int) -> tuple[int, int]:
    """Play every game to its end; the sum and the maximum of the numbers of legal actions."""
    rng = np.random.default_rng(seed)
    choices, most = 0, 0
    running = records.rows
    while len(running):
        choices += int(records.counts[running].sum())
        most = max(most, int(records.counts[running].max()))
        observation = records.observe(records.player[running], running)
        actions = policy.act(observation, records.legal_masks[running], rng)
        records.apply(actions, running)
        running = running[records.player[running] >= 0]
    return choices, most


def summary(values: np.ndarray) -> dict[str, float]:
    """Mean, smallest and largest value."""
    return {
        "mean": round(float(values.mean()), 1),
        "min": round(float(values.min()), 1),
        "max": round(float(values.max()), 1),
    }


def write(data: dict[str, Any], path: Path) -> None:
    """Keep what was measured, a line per row."""
    head = {key: value for key, value in data.items() if key != "rows"}
    rows = ",\n".join(f"    {json.dumps(row)}" for row in data["rows"])
    text = json.dumps({**head, "rows": []}, indent=2).replace("[]", f"[\n{rows}\n  ]")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def statistics_table(game: Game, path: Path) -> str:
    """The table of what was measured.

    Raises:
        ValueError: if nothing was measured, or another version of the game.
    """
    how = f"run: python scripts/make_docs.py --statistics {game.name}"
    if not path.exists():
        raise ValueError(f"{path.name} is missing; {how}")
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["version"] != game.definition.version:
        raise ValueError(f"{path.name} was measured with version {data['version']}; {how}")
    length = data["rows"][0]["length"]
    lengths = [f"{length['unit'].removesuffix('s')}s"] if length else []
    share = "success" if game.definition.cooperative else "victories by seat"
    header = ["players", "play", "decisions", *lengths, "choices", "ends", share, "scores", "best"]
    rows = [statistics_row(row, game.definition.cooperative) for row in data["rows"]]
    first, games = data["first_seed"], data["games"]
    error = 0.5 / games**0.5
    return (
        f"{games} games per row, seeds {first} to {first + games - 1}, default options, the same "
        "player in all seats. Means, with the smallest and largest value seen in parentheses; "
        "decisions with a single legal action are not counted. Choices: legal actions per "
        f"decision. Shares have a standard error of up to {error:.3f}. Best: mean of the highest "
        "score.\n\n" + table(header, rows)
    )


def statistics_row(row: dict[str, Any], cooperative: bool) -> list[str]:
    """One measured row for the table."""
    lengths = [spread(row["length"])] if row["length"] else []
    ends = ", ".join(f"{cause} {share:.2f}" for cause, share in row["ends"].items())
    shares = row["shares"][:1] if cooperative else row["shares"]
    return [
        str(row["num_players"]),
        f"`{row['policy']}`",
        spread(row["decisions"]),
        *lengths,
        f"{row['branching']['mean']:g} (to {row['branching']['max']})",
        ends,
        " ".join(f"{share:.2f}" for share in shares),
        spread(row["scores"]),
        f"{row['best_score']:g}",
    ]


def spread(value: dict[str, float]) -> str:
    """Mean and range."""
    return f"{value['mean']:g} ({value['min']:g} to {value['max']:g})"
