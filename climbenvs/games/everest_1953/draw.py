"""The table as text."""

from typing import Any

from climbenvs.games.everest_1953.effects import hand_limit_of
from climbenvs.games.everest_1953.mountain import side_of
from climbenvs.games.everest_1953.state import (
    BOARDS,
    CAUSES,
    CHOOSE_CLIMBER,
    DIFFICULTIES,
    KINDS,
    LEVEL_START,
    LEVEL_WIDTH,
    NATIONS,
    NUM_EVEREST,
    PAY,
    PLACE,
    RESOURCES,
    TOKENS,
)
from climbenvs.games.everest_1953.tables import text

LETTERS = "TSO"


def draw(s: Any, t: Any, seat: int) -> str:
    """The table as a seat sees it, or for -1 as anybody does.

    Mountains are shown from level 4 down, resources as T, S and O for Tent, Supplies and Oxygen.
    """
    lines = [_heading(s, t), _weather(s, t), *_rows(s, t)]
    for other in range(int(s["num_players"])):
        lines += ["", *_seat(s, t, other)]
    if s["num_players"] == 1:
        lines += ["", *_mallory(s, t)]
    if seat >= 0:
        hand = s["hand"][seat, : s["hand_size"][seat]].tolist()
        lines += ["", f"hand of player_{seat}: {_cards(t, hand)}"]
    if s["stack_size"]:
        lines.append(_decision(s, t, seat))
    return "\n".join(lines)


def _cards(t: Any, cards: list[int]) -> str:
    return ", ".join(text(t["card_name"][card]) if card >= 0 else "-" for card in cards) or "empty"


def _heading(s: Any, t: Any) -> str:
    """Week, board and, at the end, the result."""
    weeks = int(t["weeks"][s["num_players"]])
    line = f"1953 Everest  week {s['week']} of {weeks}  board {BOARDS[s['board']]}"
    if s["num_players"] == 1:
        line += f"  {DIFFICULTIES[s['difficulty']]} solo game"
    if s["cause"]:
        winners = [f"player_{seat}" for seat in range(int(s["num_players"])) if s["winner"][seat]]
        line += f"  over ({CAUSES[s['cause']]}), won by {', '.join(winners) or 'nobody'}"
    return line


def _weather(s: Any, t: Any) -> str:
    weather = text(t["weather_name"][s["weather"]]) if s["weather"] >= 0 else "not revealed yet"
    holder = int(s["start_holder"])
    who = "Mallory" if holder >= s["num_players"] else f"player_{holder}"
    where = "beside the board" if holder < 0 else f"with {who}"
    return f"weather: {weather}  starting card {where}  supply {_resources(s['supply'].tolist())}"


def _resources(counts: list[int]) -> str:
    return " ".join(f"{n}{letter}" for n, letter in zip(counts, LETTERS, strict=True) if n) or "-"


def _rows(s: Any, t: Any) -> list[str]:
    """Market, backpacks and starting row, positions counted from 1."""
    lines = []
    if s["start_row_size"]:
        row = [
            f"{i + 1} {_cards(t, [card])} ({_resources(s['start_resources'][i].tolist())})"
            for i, card in enumerate(s["start_row"][: s["start_row_size"]].tolist())
        ]
        lines.append("starting row: " + ", ".join(row))
    market = s["market"][: s["market_size"]].tolist()
    if market:
        row = [f"{i + 1} {_cards(t, [card])}" for i, card in enumerate(market)]
        lines.append(f"market: {', '.join(row)} (deck {s['num_everest_deck']})")
    backpacks = s["backpack_market"][: s["backpack_market_size"]].tolist()
    if backpacks:
        row = [
            f"{i + 1} {text(t['backpack_name'][card]) if card >= 0 else '-'}"
            for i, card in enumerate(backpacks)
        ]
        lines.append(f"backpacks: {', '.join(row)} (deck {s['num_backpack_deck']})")
    return lines


def _seat(s: Any, t: Any, seat: int) -> list[str]:
    """A seat's Mountain and what all know of its hand."""
    tokens = [name for name, active in zip(TOKENS, s["tokens"][seat], strict=True) if active]
    size = int(s["hand_size"][seat])
    hand = s["hand"][seat, :size].tolist()
    public = s["hand_public"][seat, :size].tolist()
    known = [card for card, seen in zip(hand, public, strict=True) if seen]
    climbers = sum(card >= NUM_EVEREST for card in hand)
    mark = ">" if s["player"] == seat else " "
    lines = [
        f"{mark}player_{seat} ({NATIONS[s['nation'][seat]]})  bivouac {s['bivouac'][seat]}  "
        f"tokens: {', '.join(tokens) or 'none'}"
        + ("  ignores the weather" if s["weather_ignored"][seat] else ""),
        f" hand {size} of at most {hand_limit_of(s, t, seat)}, {climbers} climbers, known: "
        f"{_cards(t, known)}; {s['num_climber_deck'][seat]} climbers in the deck",
    ]
    side = t["sides"][side_of(s, t, seat)].tolist()
    for level in range(3, -1, -1):
        first = int(LEVEL_START[level])
        places = s["cards"][seat, first : first + LEVEL_WIDTH[level]].tolist()
        while places and places[-1] < 0:
            places.pop()
        resources = _resources(s["resources"][seat, 3 * level : 3 * level + 3].tolist())
        extra = side[4 + 4 * level : 8 + 4 * level]
        cost = _resources(extra[:3]) if any(extra[:3]) else ""
        cost += (" " if cost and extra[3] else "") + (f"{extra[3]} any" if extra[3] else "")
        cards = " | ".join(_cards(t, [card]) for card in places)
        lines.append(
            f" level {level + 1} [{resources}] of {side[level]}"
            + (f", extra cost {cost}" if cost else "")
            + (f": {cards}" if cards else "")
        )
    return lines


def _mallory(s: Any, t: Any) -> list[str]:
    return [
        f" Mallory  bivouac {s['mallory_bivouac']}  resources by level "
        f"{s['mallory_resources'].tolist()}  {s['num_mallory_cards']} of 10 cards  "
        f"{s['num_mallory_deck']} climbers in the deck"
    ]


def _decision(s: Any, t: Any, seat: int) -> str:
    """Who decides what; cards that only the decider knows are named to nobody else."""
    row = s["stack"][s["stack_size"] - 1].tolist()
    kind, decider = row[:2]
    line = f"player_{decider} decides: {KINDS[kind].replace('_', ' ')}"
    if seat != decider:
        return line
    if kind in (PLACE, PAY):
        line += f" {_cards(t, [int(s['hand'][seat, row[2]])])}"
    if kind == PAY:
        paid = [f"{n} {name}" for n, name in zip(row[4:7], RESOURCES, strict=True) if n]
        line += f", paid so far: {', '.join(paid) or 'nothing'}"
    if kind == CHOOSE_CLIMBER:
        size = int(s["num_climber_deck"][seat])
        top = s["climber_deck"][seat, max(0, size - 2) : size].tolist()[::-1]
        line += f" of {_cards(t, top)}"
    return line
