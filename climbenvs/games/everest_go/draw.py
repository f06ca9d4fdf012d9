"""The table as text."""

from typing import Any

from climbenvs.games.everest_go.scoring import outcome
from climbenvs.games.everest_go.snapshot import pending
from climbenvs.games.everest_go.state import (
    COLDS,
    DECISIONS,
    FROZEN,
    HAND_SIZE,
    ITEMS,
    KINDS,
    OXYGEN,
    PARTS,
    READY,
    RULEBOOK_MEMORY,
)
from climbenvs.games.everest_go.table import column


def draw(s: Any, t: Any, seat: int) -> str:
    """The table as a seat sees it, or for -1 as anybody does.

    A stack is shown bottom to top, the visible garment last; `*` marks a frozen body part. With
    rulebook memory covered garments are shown as `?`.
    """
    result = outcome(s, t)
    lines = [heading(s, result)]
    width = max(len(part) for part in PARTS)
    columns = [column_of(s, result, other) for other in range(int(s["num_players"]))]
    widths = [max(len(line) for line in lines_of) for lines_of in columns]
    labels = ["", "hand", *PARTS, "extras"]
    for row, label in enumerate(labels):
        cells = [lines_of[row].ljust(w) for lines_of, w in zip(columns, widths, strict=True)]
        lines.append(f"{label:<{width}}  " + "  ".join(cells).rstrip())
    lines.append(f"discard pile: {cards_text(s['discard'])}")
    if seat >= 0:
        lines.append(f"hand of player_{seat}: {cards_text(s['hand'][seat])}")
    if seat >= 0 and seat == s["player"]:
        lines.append(f"player_{seat} decides: {DECISIONS[s['decision']]}{pending_text(s)}")
    return "\n".join(lines)


def cards_text(counts: Any) -> str:
    """Counts per kind in words."""
    cards = [
        f"{count} x {KINDS[kind]}" if count > 1 else KINDS[kind]
        for kind, count in enumerate(counts.tolist())
        if count
    ]
    return ", ".join(cards) or "empty"


def heading(s: Any, result: dict[str, Any]) -> str:
    """Turn, deck and, at the end, the result."""
    text = f"Everest Go!  turn {s['turn']}  deck {s['deck_size']}  run-outs {s['run_outs']}"
    if result["end"] is None:
        return text
    winners = ", ".join(f"player_{winner}" for winner in result["winners"])
    return f"{text}  over ({result['end']}), won by {winners}"


def column_of(s: Any, result: dict[str, Any], seat: int) -> list[str]:
    """One mountaineer, a line per row of the table."""
    row = s["seats"][seat]
    hides = s["memory"] == RULEBOOK_MEMORY
    mark = ">" if seat == s["turn_player"] and result["end"] is None else " "
    score = "" if hides and result["end"] is None else f" ({result['scores'][seat]})"
    extras = [item for i, item in enumerate(ITEMS) if row[OXYGEN + i]]
    extras += ["cold"] * int(row[COLDS]) + ["ready"] * int(row[READY])
    lines = [f"{mark}player_{seat}{score}", f" {row[HAND_SIZE]} cards"]
    for b in range(len(PARTS)):
        stack = s["stacks"][seat, b, : s["height"][seat, b]].tolist()
        shown = [str(v) for v in stack[-1:]]
        covered = ["?" if hides else str(v) for v in stack[:-1]]
        frozen = "*" if row[column(b, FROZEN)] else ""
        lines.append(" " + (" ".join(covered + shown) or "-") + frozen)
    return [*lines, " " + (" ".join(extras) or "-")]


def pending_text(s: Any) -> str:
    """What the decider knows of the card being resolved; sealed answers stay secret."""
    card = pending(s)
    if card is None:
        return ""
    chosen = [f"{slot} of player_{seat}" for seat, slot in card["targets"]]
    if card["victim"] is not None:
        chosen.append(f"player_{card['victim']}")
    if card["part"] is not None:
        chosen.append(f"{card['part']} to the {card['direction']}")
    return f" ({card['card']}{': ' if chosen else ''}{', '.join(chosen)})"
