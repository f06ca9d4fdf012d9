"""Positions as JSON-able dicts: saved games, custom starts, tests."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.reader import Reader
from climbenvs.games.everest_1953.flow import advance
from climbenvs.games.everest_1953.mountain import put_card
from climbenvs.games.everest_1953.snapshot_checks import check_consistency
from climbenvs.games.everest_1953.state import (
    BASE_CAMP,
    BOARDS,
    CAUSES,
    DIFFICULTIES,
    DISCARD_PLAYED,
    FIRST_AUTOMATIC_OP,
    HAND_SIZE,
    KINDS,
    LAST_SPACE,
    LEVEL_WIDTH,
    MALLORY_CARDS,
    MALLORY_DECK_SIZE,
    NATIONS,
    NUM_BACKPACKS,
    NUM_EVEREST,
    NUM_SLOTS,
    NUM_WEATHER,
    OPS,
    STACK_SIZE,
    num_expeditions,
)
from climbenvs.games.everest_1953.tables import texts

VERSION = 1
MAX_CLOCK = 2**31 - 1
ANY_NUMBER = 9

# Arguments of the control stack's items after the seat, each a range; operations are listed as
# ["op", seat, level, name, a, b, c]. Items without a seat have -1 there.
NO_SEAT = ("week", "market", "ascent", "week_end", "mallory", "mallory_gift")
ITEM_ARGUMENTS: dict[str, tuple[tuple[int, int], ...]] = {
    "turn": ((0, 2), (0, 1)),
    "place": ((0, HAND_SIZE - 1),),
    "pay": ((0, HAND_SIZE - 1), (0, NUM_SLOTS - 1), (0, 20), (0, 20), (0, 20), (0, 2)),
    "make_room": ((0, 3), (0, 2), (0, 1)),
    "bivouac_cards": ((0, 2**NUM_SLOTS - 1),),
    "ice_axes": ((0, ANY_NUMBER), (0, 2 ** (BASE_CAMP + 1) - 1)),
    "swap_cards": ((-1, NUM_SLOTS - 1),),
    "arrange": ((0, NUM_SLOTS - 1),),
    "reward": ((1, LAST_SPACE),),
    "space": ((1, LAST_SPACE),),
}
PLAIN_KINDS = tuple(kind for kind in KINDS if kind not in OPS)


# --------------------------------------------------------------------------------- writing


def _ids(names: list[str], cards: np.ndarray) -> list[str | None]:
    return [names[card] if card >= 0 else None for card in cards.tolist()]


def to_dict(s: Any, t: Any) -> dict[str, Any]:
    """The snapshot of a position; docs/games/everest_1953.md describes its fields."""
    players = int(s["num_players"])
    cards, backpacks, weather = (
        texts(t["card_id"]),
        texts(t["backpack_id"]),
        texts(t["weather_id"]),
    )

    def pile(ids: list[str], name: str, deck: bool) -> list[str | None]:
        content = s[name][: s[f"num_{name}"]]
        return _ids(ids, content[::-1] if deck else content)

    return {
        "game": "everest_1953",
        "version": VERSION,
        "players": players,
        "board": BOARDS[s["board"]],
        "difficulty": DIFFICULTIES[s["difficulty"]] if players == 1 else None,
        "week": int(s["week"]),
        "weather": weather[s["weather"]] if s["weather"] >= 0 else None,
        "weather_past": pile(weather, "weather_past", False),
        "weather_deck": pile(weather, "weather_deck", True),
        "weather_box": pile(weather, "weather_box", False),
        "everest_deck": pile(cards, "everest_deck", True),
        "everest_discard": pile(cards, "everest_discard", False),
        "market": _ids(cards, s["market"][: s["market_size"]]),
        "backpack_deck": pile(backpacks, "backpack_deck", True),
        "backpack_discard": pile(backpacks, "backpack_discard", False),
        "backpack_market": _ids(backpacks, s["backpack_market"][: s["backpack_market_size"]]),
        "supply": s["supply"].tolist(),
        "start_row": _start_row(s, cards),
        "start_holder": int(s["start_holder"]),
        "first": int(s["first"]),
        "mallory": _mallory(s, cards) if players == 1 else None,
        "stack": [_item(row) for row in s["stack"][: s["stack_size"]].tolist()],
        "decisions": int(s["actions_applied"]),
        "max_decisions": int(s["max_decisions"]),
        "over": bool(s["cause"]),
        "winners": [seat for seat in range(players) if s["winner"][seat]],
        "cause": CAUSES[s["cause"]],
        "seats": [_seat(s, cards, seat) for seat in range(players)],
    }


def _start_row(s: Any, cards: list[str]) -> list[dict[str, Any] | None]:
    return [
        None
        if s["start_row"][i] < 0
        else {"card": cards[s["start_row"][i]], "res": s["start_resources"][i].tolist()}
        for i in range(int(s["start_row_size"]))
    ]


def _mallory(s: Any, cards: list[str]) -> dict[str, Any]:
    return {
        "nation": NATIONS[s["mallory_nation"]],
        "bivouac": int(s["mallory_bivouac"]),
        "res": s["mallory_resources"].tolist(),
        "cards": _ids(cards, s["mallory_cards"][: s["num_mallory_cards"]]),
        "deck": _ids(cards, s["mallory_deck"][: s["num_mallory_deck"]][::-1]),
        "discard": _ids(cards, s["mallory_discard"][: s["num_mallory_discard"]]),
    }


def _item(row: list[int]) -> list[Any]:
    name = KINDS[row[0]]
    if name in OPS:
        return ["op", row[1], row[2], name, *row[3:6]]
    return [name, row[1], *row[2 : 2 + len(ITEM_ARGUMENTS.get(name, ()))]]


def _seat(s: Any, cards: list[str], seat: int) -> dict[str, Any]:
    hand = s["hand"][seat, : s["hand_size"][seat]]
    public = s["hand_public"][seat, : s["hand_size"][seat]]
    climbers = s["climber_deck"][seat, : s["num_climber_deck"][seat]]
    return {
        "nation": NATIONS[s["nation"][seat]],
        "hand": _ids(cards, hand),
        "public": _ids(cards, hand[public == 1]),
        "climber_deck": _ids(cards, climbers[::-1]),
        "climber_out": _ids(cards, s["climber_out"][seat, : s["num_climber_out"][seat]]),
        "res": s["resources"][seat].reshape(4, 3).tolist(),
        "cards": _ids(cards, s["cards"][seat]),
        "tokens": [bool(token) for token in s["tokens"][seat]],
        "bivouac": int(s["bivouac"][seat]),
        "backpack_taken": bool(s["backpack_taken"][seat]),
        "weather_ignored": bool(s["weather_ignored"][seat]),
    }


# --------------------------------------------------------------------------------- reading


def from_dict(snapshot: Mapping[str, Any], s: Any, t: Any) -> None:
    """Fill a zeroed record from a snapshot and run what happens by itself.

    A snapshot holds no random generator: what is shuffled from here on depends on the record's.

    Raises:
        SnapshotError: naming the field that is wrong and what was expected.
    """
    reader = Reader(snapshot, "snapshot", SnapshotError)
    reader.choice("game", ["everest_1953"])
    reader.choice("version", [VERSION])
    players = reader.integer("players", 1, 4)
    s["num_players"] = players
    s["board"] = BOARDS.index(reader.choice("board", BOARDS))
    difficulty = reader.choice("difficulty", DIFFICULTIES if players == 1 else (None,))
    s["difficulty"] = DIFFICULTIES.index(difficulty or "normal")
    _read_calendar(reader, s, t)
    cards = texts(t["card_id"])[:NUM_EVEREST]
    backpacks = texts(t["backpack_id"])
    _read_pile(reader, "everest_deck", cards, s, NUM_EVEREST, deck=True)
    _read_pile(reader, "everest_discard", cards, s, NUM_EVEREST)
    _read_row(reader, "market", cards, s, int(t["market_cards"][players]))
    _read_pile(reader, "backpack_deck", backpacks, s, NUM_BACKPACKS, deck=True)
    _read_pile(reader, "backpack_discard", backpacks, s, NUM_BACKPACKS)
    _read_row(reader, "backpack_market", backpacks, s, int(t["market_backpacks"][players]))
    s["supply"] = reader.integers("supply", 0, int(t["resources_per_type"]), length=3)
    _read_start_row(reader, s, cards)
    _read_mallory(reader, s, t)
    for seat, entry in enumerate(reader.tables("seats", length=players)):
        _read_seat(entry, s, t, seat)
    _read_stack(reader, s)
    _read_end(reader, s)
    reader.close()
    check_consistency(s, t)
    if s["cause"] == 0:
        advance(s, t)


def _indices(reader: Reader, key: str, ids: list[str], most: int) -> list[int]:
    """A list of ids -> indices, none of them twice."""
    names = reader.choices(key, ids)
    if len(names) > most or len(set(names)) < len(names):
        raise reader.fail(key, f"at most {most} ids, each once")
    return [ids.index(name) for name in names]


def _read_pile(
    reader: Reader, name: str, ids: list[str], s: Any, most: int, deck: bool = False
) -> None:
    """A pile with its counter; decks are listed from the top and kept from the bottom."""
    pile = _indices(reader, name, ids, most)
    s[f"num_{name}"] = len(pile)
    s[name][: len(pile)] = pile[::-1] if deck else pile


def _read_row(reader: Reader, name: str, ids: list[str], s: Any, size: int) -> None:
    """A row of cards with gaps; it may be missing altogether before it is first laid out."""
    row = reader.choices(name, [*ids, None])
    if len(row) not in (0, size) or (not row and s["week"] > 1):
        raise reader.fail(name, f"{size} entries")
    s[f"{name}_size"] = len(row)
    s[name][: len(row)] = [-1 if card is None else ids.index(card) for card in row]


def _read_calendar(reader: Reader, s: Any, t: Any) -> None:
    """Weeks, weather, and who begins."""
    ids = texts(t["weather_id"])
    weeks = int(t["weeks"][s["num_players"]])
    expeditions = num_expeditions(s)
    s["week"] = reader.integer("week", 0, weeks)
    weather = reader.choice("weather", ids if s["week"] else (None,))
    s["weather"] = -1 if weather is None else ids.index(weather)
    _read_pile(reader, "weather_past", ids, s, NUM_WEATHER)
    _read_pile(reader, "weather_deck", ids, s, 4, deck=True)
    _read_pile(reader, "weather_box", ids, s, NUM_WEATHER)
    s["start_holder"] = reader.integer("start_holder", -1, expeditions - 1)
    s["first"] = reader.integer("first", 0, expeditions - 1)
    if s["num_weather_deck"] != weeks - s["week"]:
        raise reader.fail("weather_deck", f"{weeks - int(s['week'])} cards, one per week to come")


def _read_start_row(reader: Reader, s: Any, cards: list[str]) -> None:
    """The starting cards and what lies on them."""
    size = num_expeditions(s) + 1
    row = reader.items("start_row")
    if len(row) not in (0, size):
        raise reader.fail("start_row", f"no or {size} entries")
    s["start_row_size"] = len(row)
    for i, value in enumerate(row):
        s["start_row"][i] = -1
        if value is not None:
            entry = Reader(value, f"{reader.where}.start_row[{i}]", SnapshotError)
            s["start_row"][i] = cards.index(entry.choice("card", cards))
            s["start_resources"][i] = entry.integers("res", 0, 20, length=3)
            entry.close()


def _read_mallory(reader: Reader, s: Any, t: Any) -> None:
    """Mallory, present exactly in solo games."""
    if s["num_players"] > 1:
        reader.choice("mallory", (None,))
        return
    cards = texts(t["card_id"])
    entry = reader.table("mallory")
    s["mallory_nation"] = NATIONS.index(entry.choice("nation", NATIONS))
    s["mallory_bivouac"] = entry.integer("bivouac", 0, LAST_SPACE)
    s["mallory_resources"] = entry.integers("res", 0, ANY_NUMBER, length=4)
    pyramid = _indices(entry, "cards", cards[:NUM_EVEREST], MALLORY_CARDS)
    s["num_mallory_cards"] = len(pyramid)
    s["mallory_cards"][: len(pyramid)] = pyramid
    for key, stored, step in (("deck", "mallory_deck", -1), ("discard", "mallory_discard", 1)):
        names = entry.choices(key, cards[NUM_EVEREST:])
        if len(names) > MALLORY_DECK_SIZE:
            raise entry.fail(key, f"at most {MALLORY_DECK_SIZE} climbers")
        s[f"num_{stored}"] = len(names)
        s[stored][: len(names)] = [cards.index(name) for name in names[::step]]
    entry.close()


def _flag(reader: Reader, key: str) -> bool:
    return reader.choice(key, (False, True))


def _read_seat(entry: Reader, s: Any, t: Any, seat: int) -> None:
    """What belongs to a seat."""
    nation = NATIONS.index(entry.choice("nation", NATIONS))
    s["nation"][seat] = nation
    cards = texts(t["card_id"])
    own = [cards[card] for card in t["nation_climbers"][nation].tolist()]
    playable = cards[:NUM_EVEREST] + own
    hand = [cards.index(name) for name in entry.choices("hand", playable)]
    if len(hand) > HAND_SIZE or hand != sorted(set(hand)):
        raise entry.fail("hand", f"at most {HAND_SIZE} cards in the order of the deck file")
    s["hand_size"][seat] = len(hand)
    s["hand"][seat, : len(hand)] = hand
    public = [cards.index(name) for name in entry.choices("public", cards[:NUM_EVEREST])]
    if public != [card for card in hand if card in public]:
        raise entry.fail("public", "Everest cards of the hand in the same order")
    s["hand_public"][seat, : len(hand)] = [card in public for card in hand]
    for key in ("climber_deck", "climber_out"):
        names = entry.choices(key, own)
        if len(set(names)) < len(names):
            raise entry.fail(key, "own climbers, each once")
        pile = [cards.index(name) for name in names]
        s[f"num_{key}"][seat] = len(pile)
        s[key][seat, : len(pile)] = pile[::-1] if key == "climber_deck" else pile
    _read_resources(entry, s, seat)
    s["cards"][seat] = -1
    slots = entry.choices("cards", [*playable, None], length=NUM_SLOTS)
    for slot, name in enumerate(slots):
        if name is not None:
            put_card(s, t, seat, slot, cards.index(name))
    tokens = entry.choices("tokens", (False, True), length=3)
    if any(type(token) is not bool for token in tokens):
        raise entry.fail("tokens", "three booleans")
    s["tokens"][seat] = tokens
    s["bivouac"][seat] = entry.integer("bivouac", 0, LAST_SPACE)
    s["backpack_taken"][seat] = _flag(entry, "backpack_taken")
    s["weather_ignored"][seat] = _flag(entry, "weather_ignored")
    entry.close()


def _read_resources(entry: Reader, s: Any, seat: int) -> None:
    """Three numbers per level."""
    for level, row in enumerate(entry.items("res", length=len(LEVEL_WIDTH))):
        if (
            not isinstance(row, list | tuple)
            or len(row) != 3
            or any(type(n) is not int or not 0 <= n <= 20 for n in row)
        ):
            raise entry.fail("res", "four lists of three integers from 0 to 20")
        s["resources"][seat, 3 * level : 3 * level + 3] = row


def _read_stack(reader: Reader, s: Any) -> None:
    """The control stack, items checked one by one."""
    items = reader.items("stack")
    if len(items) > STACK_SIZE:
        raise reader.fail("stack", f"at most {STACK_SIZE} items")
    s["stack_size"] = len(items)
    for i, item in enumerate(items):
        where = f"{reader.where}.stack[{i}]"
        row = _read_item(item, s, where)
        s["stack"][i, : len(row)] = row


def _read_item(item: Any, s: Any, where: str) -> list[int]:
    """An item -> row of the stack."""

    def wrong(expected: str) -> SnapshotError:
        return SnapshotError(f"{where}: found {item!r}, expected {expected}")

    def is_name(value: Any, names: Collection[str]) -> bool:
        return isinstance(value, str) and value in names

    kinds = ("op", *PLAIN_KINDS)
    if not isinstance(item, list | tuple) or not item or not is_name(item[0], kinds):
        raise wrong("[kind, seat, ...] with a kind of " + ", ".join(("op", *PLAIN_KINDS)))
    name, numbers = item[0], list(item[1:])
    ranges = [(-1, -1) if name in NO_SEAT else (0, int(s["num_players"]) - 1)]
    if name == "op":
        if len(item) != 7 or not is_name(item[3], OPS):
            raise wrong('["op", seat, level, name, a, b, c] with a name of ' + ", ".join(OPS))
        name = numbers.pop(2)
        ranges += [(0, 3), *([(0, ANY_NUMBER)] * 3)]
    elif name == "end_turn":
        ranges = [(0, num_expeditions(s) - 1)]
    ranges += ITEM_ARGUMENTS.get(name, ())
    if len(numbers) != len(ranges) or any(
        type(number) is not int or not low <= number <= high
        for number, (low, high) in zip(numbers, ranges, strict=True)
    ):
        raise wrong("numbers in " + ", ".join(f"{low}..{high}" for low, high in ranges))
    kind = KINDS.index(name)
    if name in OPS and kind not in (DISCARD_PLAYED,) and kind < FIRST_AUTOMATIC_OP:
        counted = name.startswith(("gain", "move", "trade"))
        if counted and numbers[2] == 0:
            raise wrong("at least one repetition")
    return [kind, *numbers]


def _read_end(reader: Reader, s: Any) -> None:
    """The clock, and how the game ended."""
    s["max_decisions"] = reader.integer("max_decisions", 1, MAX_CLOCK)
    s["actions_applied"] = reader.integer("decisions", 0, MAX_CLOCK)
    s["decisions"] = s["actions_applied"]
    over = _flag(reader, "over")
    s["cause"] = CAUSES.index(reader.choice("cause", CAUSES[1:] if over else (None,)))
    winners = reader.integers("winners", 0, int(s["num_players"]) - 1)
    if winners != sorted(set(winners)) or (winners and not over):
        raise reader.fail("winners", "seats in ascending order, none while the game runs")
    for seat in winners:
        s["winner"][seat] = 1
    if over != (s["stack_size"] == 0):
        raise reader.fail("stack", "no items exactly when the game is over")
    if over:
        s["player"] = -1
    elif s["actions_applied"] >= s["max_decisions"]:
        raise reader.fail("decisions", "less than max_decisions while the game runs")
