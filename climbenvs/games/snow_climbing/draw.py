"""Snow Climbing as text."""

from typing import Any

from climbenvs.games.snow_climbing import state as st
from climbenvs.games.snow_climbing.deck import card_name
from climbenvs.games.snow_climbing.snapshot import members

TILE_TEXTS = {
    "l1_cards": "12 cards",
    "l1_same_type": "4 cards of one type",
    "l1_below_15": "7 cards below 15",
    "l2_compasses": "3 compasses",
    "l2_tents": "3 tents",
    "l2_ropes": "4 ropes",
    "l3_tokens": "both tokens' gear",
    "l4_below_7": "2 cards below 7",
    "l4_same_gear": "2 cards of one gear type",
    "l4_same_number": "2 cards with one number",
    "l5_even": "6 even cards",
    "l5_odd": "6 odd cards",
    "l5_types": "6 types",
}


def draw(s: Any, t: Any, seat: int) -> str:
    """The table as the seat sees it; seat -1 sees only what lies open."""
    lines = [_headline(s)]
    lines += [f"  {line}" for line in _conditions(s, t)]
    if s["backpacks_left"]:
        names = [st.BACKPACK_IDS[index] for index in members(s["backpacks_left"])]
        lines.append(f"Backpacks: {', '.join(names)}")
    lines.append(_cards(t, "Snow", s["snow"]))
    stack = [card_name(t, int(card)) for card in s["stack_cards"][: int(s["stack_size"])]]
    lines.append(f"Stack ({len(stack)}): {' > '.join(stack) or '-'}")
    lines.append(f"Deck: {int(s['deck']).bit_count()} cards")
    if s["cleared"]:
        lines.append(_cards(t, "Cleared this round", s["cleared"]))
    if s["pending"] >= 0:
        lines.append(f"Set aside: {card_name(t, int(s['pending']))}")
    if s["camp"]:
        lines.append(f"{_cards(t, 'At camp', s['camp'])}; {int(s['camp_picks'])} to lose")
    if s["pending_backpack"] >= 0:
        lines.append(f"Backpack in use: {st.BACKPACK_IDS[int(s['pending_backpack'])]}")
    lines += [_seat_line(s, t, other, seat) for other in range(int(s["num_players"]))]
    return "\n".join(lines)


def _headline(s: Any) -> str:
    phase = st.PHASES[int(s["phase"])]
    text = f"Snow Climbing, round {int(s['round_number'])} of {st.ROUNDS}, {phase}"
    if s["result"]:
        return f"{text}: {st.RESULTS[int(s['result'])]}"
    return f"{text}, player_{int(s['player'])} to act"


def _conditions(s: Any, t: Any) -> list[str]:
    """The revealed conditions with the snow's progress towards each."""
    lines = []
    for tile in [int(tile) for tile in s["tiles"][: int(s["round_number"])]]:
        name = st.TILE_IDS[tile]
        text = TILE_TEXTS[name]
        if name == "l3_tokens":
            text = " and ".join(st.GEAR_IDS[int(token)] for token in s["tokens"])
        lines.append(_condition(s, tile, text, int(t["limit"][tile])))
    if s["blizzard"]:
        limit = int(t["blizzard_limit"])
        lines.append(_condition(s, st.BLIZZARD, f"{limit} snowflakes", limit))
    return lines


def _condition(s: Any, index: int, text: str, limit: int) -> str:
    met = " AVALANCHE" if int(s["cause"]) >> index & 1 else ""
    return f"{text}: {int(s['progress'][0, index])}/{limit}{met}"


def _cards(t: Any, title: str, cards: Any) -> str:
    names = [card_name(t, card) for card in members(cards)]
    return f"{title} ({len(names)}): {', '.join(names) or '-'}"


def _seat_line(s: Any, t: Any, other: int, seat: int) -> str:
    hand = s["hand"][other]
    marks = "".join(
        f" ({word})"
        for word, holder in (("leader", s["leader"]), ("to act", s["player"]))
        if holder == other
    )
    title = f"player_{other}{marks}"
    if other == seat:
        return _cards(t, title, hand)
    known = 0
    if seat >= 0 and s["phase"] != st.PASS and other == (seat + 1) % int(s["num_players"]):
        known = int(hand) & int(s["passed"][seat])
    text = f"{title}: {int(hand).bit_count()} cards"
    if known:
        names = ", ".join(card_name(t, card) for card in members(known))
        text += f", among them {names}"
    return text
