"""The table as text: the roped party from top to bottom, with colours for a terminal."""

from typing import Any

from climbenvs.games.sherpa.actions import card_id
from climbenvs.games.sherpa.rules import pair_bonus
from climbenvs.games.sherpa.state import (
    BLIZZARD_STATES,
    CAMPS_OWN,
    DECISIONS,
    END_CAUSES,
    FIRST_CAMP,
    FIRST_NEUTRAL,
    HALTED,
    HAND_SIZE,
    HAS_BUILT,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    OVER,
    PAY,
    RESOURCES,
    SETTLED,
    SLOT_NAMES,
    SPACES,
    STAGE_STORM,
    TOKENS,
)

_SEAT_COLOURS = (91, 94, 92, 93, 95)  # red, blue, green, yellow, magenta
_TOKEN_COLOURS = (36, 97, 33)  # ice axe cyan, oxygen white, food brown
_TOKEN_LETTERS = "iof"
_ARROWS = ("v", "^")


def _paint(text: str, *codes: int) -> str:
    return f"\x1b[{';'.join(str(code) for code in codes)}m{text}\x1b[0m"


def draw(s: Any, t: Any, seat: int) -> str:
    """The table as `seat` sees it; other hands are shown as card backs, -1 sees no hand at all.

    Tokens are `i`ce axe, `o`xygen and `f`ood, a dot is an empty space; `*v` is a blizzard moving
    down, `*^` one moving up.
    """
    lines = [_heading(s, t), "", _paint("  --- summit ---", 1)]
    lines += [_element(s, position) for position in range(s["line_size"])]
    lines += ["", *(_seat(s, t, other, seat) for other in _seats_from(s, seat)), "", _stock(s, t)]
    return "\n".join(lines)


def _seats_from(s: Any, seat: int) -> list[int]:
    players = int(s["num_players"])
    return [(max(seat, 0) + index) % players for index in range(players)]


def _player(seat: int) -> str:
    return _paint(f"player_{seat}", _SEAT_COLOURS[seat])


def _heading(s: Any, t: Any) -> str:
    """Round, who decides what, and the points left."""
    parts = [f"round {s['round_number']} of {s['max_rounds']}"]
    active = int(s["order"][s["turn"]])
    if s["decision"] == OVER:
        cause = END_CAUSES[s["end"] - 1]
        parts.append(f"{_player(int(s['winner']))} wins" if s["winner"] >= 0 else f"over: {cause}")
        return "Sherpa, " + ", ".join(parts)
    parts.append("the storm" if s["stage"] == STAGE_STORM else f"turn of {_player(active)}")
    what = DECISIONS[s["decision"]]
    if s["asked"] >= 0:
        what += f" {RESOURCES[s['asked']]}"
    if s["decision"] == PAY:
        what += f" for {card_id(t, int(s['paid_card']))}"
    parts.append(f"{_player(int(s['player']))} decides: {what}")
    if s["points"]:
        parts.append(_paint(f"{s['points']} points", 1))
    if not s["climbed"] and s["stage"] == 0:
        parts.append(f"bonus {pair_bonus(s, active)}")
    return "Sherpa, " + ", ".join(parts)


def _element(s: Any, position: int) -> str:
    """One position of the line."""
    element = int(s["line"][position])
    if element >= FIRST_CAMP:
        name = _paint("/\\ camp /\\" + " " * 16, 1, 32)
    elif element >= FIRST_NEUTRAL:
        name = _paint(f"{'neutral':26}", 90)
    else:
        seat, slot = divmod(element, NUM_SLOTS)
        name = _paint(f"player_{seat} {SLOT_NAMES[slot]:9}", _SEAT_COLOURS[seat])
        name += f"[{_tokens(s, element)}]" + " " * (5 - int(SPACES[slot // 2]))
    return f"{position + 1:4}  {name}{_weather(s, element)}".rstrip()


def _tokens(s: Any, element: int) -> str:
    text, held = "", 0
    for resource in range(NUM_RESOURCES):
        count = int(s["elements"][element, TOKENS + resource])
        held += count
        if count:
            text += _paint(_TOKEN_LETTERS[resource] * count, _TOKEN_COLOURS[resource])
    return text + "." * (int(SPACES[element % NUM_SLOTS // 2]) - held)


def _weather(s: Any, element: int) -> str:
    """The blizzards on an element."""
    marks = []
    for i in range(s["num_blizzards"]):
        if s["blizzard_on"][i] == element:
            state = int(s["blizzard_state"][i])
            note = "" if state == SETTLED else f" ({BLIZZARD_STATES[state]})"
            marks.append(f"*{_ARROWS[s['blizzard_direction'][i]]}{note}")
    if s["elements"][element, HALTED]:
        marks.append("halted")
    return _paint(" ".join(marks), 1, 96) if marks else ""


def _seat(s: Any, t: Any, seat: int, observer: int) -> str:
    """A seat's board and hand; only the observer's own hand lies open."""
    size = int(s["seats"][seat, HAND_SIZE])
    hand = f"{size} cards"
    if seat == observer:
        hand += f" ({_cards(s['hands'][seat], t) or 'none'})"
    off_line = [
        SLOT_NAMES[slot] for slot in range(NUM_SLOTS) if s["place"][NUM_SLOTS * seat + slot] < 0
    ]
    parts = [f"{hand}", f"board: {', '.join(off_line) or 'empty'}"]
    if s["seats"][seat, CAMPS_OWN]:
        parts.append("camp tile")
    if s["seats"][seat, HAS_BUILT]:
        parts.append("has built")
    marker = ">" if seat == int(s["order"][s["turn"]]) and s["decision"] != OVER else " "
    return f"{marker} {_player(seat)}: " + "; ".join(parts)


def _cards(counts: Any, t: Any) -> str:
    return ", ".join(
        f"{counts[kind]} {card_id(t, kind)}" for kind in range(NUM_KINDS) if counts[kind]
    )


def _stock(s: Any, t: Any) -> str:
    """Pile, discards, box and camps."""
    order = " ".join(_player(int(seat)) for seat in s["order"][: s["num_players"]])
    box = ", ".join(f"{s['box'][r]} {RESOURCES[r]}" for r in range(NUM_RESOURCES))
    return "\n".join(
        [
            f"order: {order}",
            f"pile: {s['pile_size']} cards; discarded: {_cards(s['discard'], t) or 'none'}",
            f"box: {box}; camps built: {s['camps_established']}, tiles for all: "
            f"{s['camps_common']}",
        ]
    )
