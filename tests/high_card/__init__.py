"""High Card: the smallest game with hidden cards, chance, an option and several player counts."""

from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.engine.errors import DeckError, SnapshotError
from climbenvs.engine.game import GameDefinition, Option
from climbenvs.engine.reader import Reader
from high_card import rules
from high_card.rules import PLAYERS, RANKS, SIZE


def read_deck(path: Path | None) -> np.ndarray:
    """One table: what each rank is worth at the end."""
    if path is not None:
        raise DeckError(f"{path}: high_card has no deck files")
    tables = np.zeros(1, rules.TABLE_DTYPE)
    tables["worth"][0] = np.arange(RANKS)
    return tables


def to_dict(s: Any, t: Any) -> dict[str, Any]:
    """Hands, the deck from the bottom up, and who stands, stays or has folded."""
    players = int(s["num_players"])
    return {
        "game": "high_card",
        "players": players,
        "options": {"ante": int(s["ante"]), "low_wins": bool(s["low_wins"])},
        "hands": [int(card) for card in s["hand"][:players]],
        "deck": [int(card) for card in s["deck"][: int(s["deck_size"])]],
        "folded": [bool(flag) for flag in s["folded"][:players]],
        "pot": int(s["pot"]),
        "paid": [int(paid) for paid in s["paid"][:players]],
        "player": None if s["player"] < 0 else int(s["player"]),
        "winner": None if s["winner"] < 0 else int(s["winner"]),
        "called": int(s["called"]),
    }


def from_dict(snapshot: Any, s: Any, t: Any) -> None:
    """Set up a snapshot; SnapshotError names the field that is wrong."""
    reader = Reader(snapshot, "snapshot", SnapshotError)
    reader.choice("game", ["high_card"])
    players = reader.integer("players", 2, PLAYERS)
    options = reader.table("options")
    s["num_players"] = players
    s["ante"] = options.integer("ante", 1, 3)
    s["low_wins"] = options.choice("low_wins", [False, True])
    options.close()
    s["hand"] = -1
    s["hand"][:players] = hands = reader.integers("hands", 0, RANKS - 1, length=players)
    deck = reader.integers("deck", 0, RANKS - 1)
    if len(deck) > SIZE - players:
        raise reader.fail("deck", f"at most {SIZE - players} cards")
    s["deck"][: len(deck)] = deck
    s["deck_size"] = len(deck)
    if max(np.bincount([*hands, *deck])) > rules.COPIES:
        raise reader.fail("deck", f"at most {rules.COPIES} cards of a rank, hands included")
    s["folded"] = 1
    flags = reader.items("folded", length=players)
    if any(type(flag) is not bool for flag in flags):
        raise reader.fail("folded", "a truth value per seat")
    s["folded"][:players] = flags
    s["pot"] = reader.integer("pot", 0, 127)
    s["paid"][:players] = reader.integers("paid", 0, 60, length=players)
    s["called"] = reader.integer("called", 0, PLAYERS)
    player = reader.choice("player", [*range(players), None])
    winner = reader.choice("winner", [*range(players), None])
    s["player"] = -1 if player is None else player
    s["winner"] = -1 if winner is None else winner
    reader.close()


def describe(s: Any, t: Any, action: int) -> str:
    """An action in words."""
    return ("fold", "stay in", "swap the card")[action]


def draw(s: Any, t: Any, seat: int) -> str:
    """The table as a seat sees it."""
    lines = []
    for other in range(int(s["num_players"])):
        shown = seat == other or s["player"] < 0
        card = int(s["hand"][other]) if shown else "?"
        lines.append(f"player_{other}: {card}{' folded' if s['folded'][other] else ''}")
    return "\n".join([*lines, f"deck {int(s['deck_size'])}, pot {int(s['pot'])}"])


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """How the game ended."""
    players = int(s["num_players"])
    winner = int(s["winner"])
    in_game = players - int(s["folded"][:players].sum())
    end = None if s["player"] >= 0 else "folded" if in_game == 1 else "showdown"
    return {
        "end": end,
        "scores": [int(s["pot"]) if seat == winner else 0 for seat in range(players)],
        "winners": [winner] if winner >= 0 else [],
    }


GAME = GameDefinition(
    package=__name__,
    name="high_card",
    version=0,
    title="High Card",
    num_players=(2, PLAYERS),
    default_players=2,
    options=(
        Option("ante", 1, low=1, high=3, meaning="chips everybody pays first"),
        Option("low_wins", False, values=(False, True), meaning="whether the lowest card wins"),
    ),
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
    end_causes=("showdown", "folded"),
    constant_elements={
        f"observation.seats.{seat}.present": "there are at least two players" for seat in (0, 1)
    },
    policies={"stays": rules.stays},
)
