"""Connect Four, the engine's test subject and the template for a game of one's own."""

from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.engine.errors import DeckError, SnapshotError
from climbenvs.engine.game import GameDefinition
from climbenvs.engine.reader import Reader
from climbenvs.testing.connect_four import rules


def read_deck(path: Path | None) -> np.ndarray:
    """There are no cards: an empty table record."""
    if path is not None:
        raise DeckError(f"{path}: connect_four has no deck")
    return np.zeros(1, np.dtype([("unused", np.int8)]))


def to_dict(s: Any, t: Any) -> dict[str, Any]:
    """Columns from left to right, each a string of seats from the bottom."""
    columns = []
    for column in range(rules.COLUMNS):
        cells = range(column, rules.COLUMNS * int(s["height"][column]), rules.COLUMNS)
        columns.append("".join("01"[int(s["stones"][1, cell])] for cell in cells))
    player = int(s["player"])
    return {
        "game": "connect_four",
        "columns": columns,
        "player": None if player < 0 else player,
        "winner": None if s["winner"] < 0 else int(s["winner"]),
    }


def from_dict(snapshot: Any, s: Any, t: Any) -> None:
    """Set up a snapshot; SnapshotError names the field that is wrong."""
    reader = Reader(snapshot, "snapshot", SnapshotError)
    reader.choice("game", ["connect_four"], "connect_four")
    columns = reader.items("columns", [""] * rules.COLUMNS, rules.COLUMNS)
    player = reader.choice("player", [0, 1, None], 0)
    winner = reader.choice("winner", [0, 1, None], None)
    reader.close()
    s["num_players"] = 2
    for column, seats in enumerate(columns):
        if not isinstance(seats, str) or len(seats) > rules.ROWS or set(seats) - {"0", "1"}:
            raise reader.fail("columns", "strings of up to six 0 and 1")
        s["height"][column] = len(seats)
        for row, seat in enumerate(seats):
            s["stones"][int(seat), rules.COLUMNS * row + column] = 1
    s["decisions"] = int(s["height"].sum())
    s["winner"] = -1 if winner is None else winner
    s["player"] = -1 if player is None else player
    if [seat for seat in (0, 1) if has_four(s, seat)] != [
        seat for seat in (0, 1) if seat == winner
    ]:
        raise reader.fail("winner", "the only seat with four stones in a line, null if none")
    over = s["decisions"] == rules.CELLS or winner is not None
    turn = s["decisions"] % 2
    if int(s["stones"][0].sum() - s["stones"][1].sum()) != turn:
        raise reader.fail("columns", "as many stones of each seat, or one more of seat 0")
    if player != (None if over else turn):
        raise reader.fail("player", "whose turn it is, null when the game is over")


def has_four(s: Any, seat: int) -> bool:
    """Whether a seat has four stones in a line."""
    stones = s["stones"][seat]
    return any(
        rules.makes_four(stones, *divmod(int(cell), rules.COLUMNS))
        for cell in np.flatnonzero(stones)
    )


def describe(s: Any, t: Any, action: int) -> str:
    """An action in words."""
    return f"drop a stone into column {action + 1}"


def draw(s: Any, t: Any, seat: int) -> str:
    """The board, X for seat 0 and O for seat 1."""
    marks = np.where(s["stones"][0] == 1, "X", np.where(s["stones"][1] == 1, "O", "."))
    lines = [" ".join(row) for row in marks.reshape(rules.ROWS, rules.COLUMNS)[::-1]]
    return "\n".join([*lines, " ".join(str(c + 1) for c in range(rules.COLUMNS))])


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """How the game ended."""
    winner = int(s["winner"])
    over = s["player"] < 0
    winners = [winner] if winner >= 0 else [0, 1] if over else []
    end = None if not over else "four" if winner >= 0 else "full"
    return {"end": end, "scores": [int(winner == seat) for seat in (0, 1)], "winners": winners}


GAME = GameDefinition(
    package=__name__,
    name="connect_four",
    version=0,
    title="Connect Four",
    num_players=(2, 2),
    default_players=2,
    options=(),
    state_dtype=rules.STATE_DTYPE,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    observe=rules.observe,
    rewards=rules.rewards,
    determinize=rules.determinize,
    global_state=rules.global_state,
    observation=rules.OBSERVATION,
    state=rules.STATE,
    actions=rules.ACTIONS,
    read_deck=read_deck,
    to_dict=to_dict,
    from_dict=from_dict,
    describe=describe,
    draw=draw,
    outcome=outcome,
    end_causes=("four", "full"),
    hidden_information=False,
)
