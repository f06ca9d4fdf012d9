"""The deck file of Snow Climbing: reading, checking against the rulebook, compiling to tables."""

from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.engine.errors import DeckError
from climbenvs.engine.reader import Reader, check_source, read_deck_file
from climbenvs.games.snow_climbing import state as st

SHIPPED = Path(__file__).with_name("deck.toml")

TABLE_DTYPE = np.dtype(
    [
        ("hand_size", np.int64, st.SEATS + 1),  # by player count
        ("quota", np.int64, st.SEATS + 1),  # cards to pass, by player count
        ("token_round", np.int64),  # round in which the tokens are revealed
        ("blizzard_limit", np.int64),  # snowflakes that are an avalanche
        ("type_of", np.int64, st.CARDS),  # type of every card
        ("low", np.int64, st.CARDS),  # smallest number of every card
        ("high", np.int64, st.CARDS),  # largest number of every card
        ("type_cards", np.int64, st.TYPES),  # set: cards of the type
        ("number_cards", np.int64, st.MAX_NUMBER + 1),  # set: cards that show the number
        ("snowflakes", np.int64),  # set: cards with a snowflake
        ("on_match", np.int64, st.TYPES),  # NOTHING, CLEAR or RECOVERY
        ("lost_at_camp", np.int64),  # set: cards that are never protected
        ("extra", np.int64, st.TYPES),  # single cards protected by a pair of the type
        ("token_type", np.int64, st.GEAR_TYPES),  # type on every gear token
        ("above", np.int64, st.MAX_NUMBER + 1),  # set: cards that climb a stack of that number
        ("partners", np.int64, (st.MAX_NUMBER + 1, st.CARDS)),  # set: snow cards for a stack card
        ("level_tiles", np.int64, (st.ROUNDS, st.TILES_PER_LEVEL)),  # tiles of every level
        ("level_size", np.int64, st.ROUNDS),  # number of tiles of the level
        ("metric", np.int64, st.TILES),  # kind of metric of every tile
        ("counted", np.int64, st.TILES),  # set: cards that a COUNT metric counts
        ("limit", np.int64, st.TILES),  # value at which the tile is met
        ("saves", np.int64, st.BACKPACKS),  # set: cards that the backpack fits
    ],
    align=True,
)

# The tiles of the rulebook: level, metric, parameters, n.
TILES: tuple[tuple[int, str, dict[str, Any], int], ...] = (
    (1, "cards", {}, 12),
    (1, "same_type", {}, 4),
    (1, "below", {"limit": 15}, 7),
    (2, "of_type", {"type": "compass"}, 3),
    (2, "of_type", {"type": "tent"}, 3),
    (2, "of_type", {"type": "rope"}, 4),
    (3, "tokens", {}, 2),
    (4, "below", {"limit": 7}, 2),
    (4, "same_gear", {}, 2),
    (4, "same_number", {}, 2),
    (5, "even", {}, 6),
    (5, "odd", {}, 6),
    (5, "types", {}, 6),
)
METRICS = {
    "same_type": st.SAME_TYPE,
    "same_gear": st.SAME_GEAR,
    "same_number": st.SAME_NUMBER,
    "types": st.DIFFERENT_TYPES,
    "tokens": st.TOKENS,
}
MATCHES = {"none": st.NOTHING, "clear": st.CLEAR, "recover": st.RECOVERY}


def read_deck(path: Path | None) -> np.ndarray:
    """Read a deck file into a table array of shape [1].

    Raises:
        DeckError: naming file, entry and what was expected.
    """
    deck = read_deck_file(path or SHIPPED, "snow_climbing")
    tables = np.zeros(1, TABLE_DTYPE)
    t = tables[0]
    deck.integer("max_number", st.MAX_NUMBER, st.MAX_NUMBER)
    _read_deal(deck.table("deal"), t)
    for index, entry in enumerate(deck.tables("equipment", length=st.TYPES)):
        _read_equipment(entry, index, t)
    _read_cards(deck, t)
    for index, entry in enumerate(deck.tables("tile", length=st.TILES)):
        _read_tile(entry, index, t)
    for index, entry in enumerate(deck.tables("backpack", length=st.BACKPACKS)):
        _read_backpack(entry, index, t)
    deck.close()
    _compile_climbing(t)
    return tables


def _read_deal(deal: Reader, t: Any) -> None:
    for name, field, low, high in (("hand", "hand_size", 1, 20), ("pass", "quota", 1, 2)):
        counts = deal.table(name)
        for players in range(2, st.SEATS + 1):
            t[field][players] = counts.integer(str(players), low, high)
        counts.close()
    deal.integer("rounds", st.ROUNDS, st.ROUNDS)
    deal.integer("tokens_revealed", st.TOKENS_REVEALED, st.TOKENS_REVEALED)
    t["token_round"] = deal.integer("token_round", 1, st.ROUNDS)
    t["blizzard_limit"] = deal.integer("blizzard_limit", 1, 20)
    if deal.integers("backpack_choices", 0, st.BACKPACKS) != list(st.BACKPACK_CHOICES):
        raise deal.fail("backpack_choices", f"the choices {list(st.BACKPACK_CHOICES)}")
    deal.close()


def _read_equipment(entry: Reader, index: int, t: Any) -> None:
    gear = st.TYPE_IDS[index] in st.GEAR_IDS
    entry.choice("id", [st.TYPE_IDS[index]])
    entry.choice("name", [st.TYPE_NAMES[index]])
    entry.choice("gear", [gear])
    t["on_match"][index] = MATCHES[entry.choice("on_match", list(MATCHES))]
    # The set is filled with the cards of the type once these have been read.
    t["lost_at_camp"] |= (entry.choice("camp", ["pair", "never"]) == "never") << index
    t["extra"][index] = entry.integer("extra", 0, 10)
    if gear:
        t["token_type"][st.GEAR_IDS.index(st.TYPE_IDS[index])] = index
    check_source(entry)
    entry.close()


def _read_cards(deck: Reader, t: Any) -> None:
    entries = deck.tables("card", length=st.CARDS)
    expected = [kind for kind, count in enumerate(st.TYPE_COUNTS) for _ in range(count)]
    ids: set[str] = set()
    for card, (entry, kind) in enumerate(zip(entries, expected, strict=True)):
        entry.choice("type", [st.TYPE_IDS[kind]])
        numbers = entry.integers("numbers", 1, st.MAX_NUMBER)
        if not numbers or numbers != sorted(set(numbers)):
            raise entry.fail("numbers", "one or more numbers in ascending order")
        name = entry.choice("id", ["_".join([st.TYPE_IDS[kind], *map(str, numbers)])])
        if name in ids:
            raise entry.fail("id", "an id that no other card has")
        ids.add(name)
        t["type_of"][card] = kind
        t["low"][card], t["high"][card] = numbers[0], numbers[-1]
        t["type_cards"][kind] |= 1 << card
        for number in numbers:
            t["number_cards"][number] |= 1 << card
        t["snowflakes"] |= entry.choice("snowflake", [False, True]) << card
        check_source(entry)
        entry.close()
    flakes = int(t["snowflakes"]).bit_count()
    if flakes != 20:
        raise DeckError(f"{deck.where}: card: found {flakes} cards with a snowflake, expected 20")
    lost = int(t["lost_at_camp"])
    t["lost_at_camp"] = _union(
        t["type_cards"][kind] for kind in range(st.TYPES) if lost >> kind & 1
    )


def _union(sets: Any) -> int:
    union = 0
    for cards in sets:
        union |= int(cards)
    return union


def _with_number(t: Any, numbers: range) -> int:
    """The set of cards that show at least one of the numbers."""
    return _union(t["number_cards"][number] for number in numbers)


def _read_tile(entry: Reader, index: int, t: Any) -> None:
    level, metric, parameters, limit = TILES[index]
    entry.choice("id", [st.TILE_IDS[index]])
    entry.choice("level", [level])
    entry.choice("metric", [metric])
    for name, value in parameters.items():
        entry.choice(name, [value])
    t["limit"][index] = entry.choice("n", [limit])
    entry.get("text")
    check_source(entry)
    entry.close()
    t["level_tiles"][level - 1, t["level_size"][level - 1]] = index
    t["level_size"][level - 1] += 1
    t["metric"][index] = METRICS.get(metric, st.COUNT)
    if metric == "cards":
        t["counted"][index] = 2**st.CARDS - 1
    elif metric == "of_type":
        t["counted"][index] = t["type_cards"][st.TYPE_IDS.index(parameters["type"])]
    elif metric == "below":
        t["counted"][index] = _with_number(t, range(1, parameters["limit"]))
    elif metric in ("even", "odd"):
        t["counted"][index] = _with_number(t, _parity(metric))


def _parity(name: str) -> range:
    return range(2 if name == "even" else 1, st.MAX_NUMBER + 1, 2)


def _read_backpack(entry: Reader, index: int, t: Any) -> None:
    name = entry.choice("id", [st.BACKPACK_IDS[index]])
    if name in ("save_even", "save_odd"):
        saves = _with_number(t, _parity(entry.choice("save", [name.removeprefix("save_")])))
    elif name in ("save_1_10", "save_11_20"):
        low, high = map(int, name.split("_")[1:])
        entry.choice("save", ["range"])
        saves = _with_number(t, range(entry.choice("lo", [low]), entry.choice("hi", [high]) + 1))
    else:
        types = st.GEAR_IDS if name == "save_gear" else tuple(name.split("_")[1:])
        entry.choice("save", ["types"])
        if tuple(entry.choices("types", st.TYPE_IDS)) != types:
            raise entry.fail("types", f"the types {list(types)}")
        saves = _union(t["type_cards"][st.TYPE_IDS.index(kind)] for kind in types)
    t["saves"][index] = saves
    check_source(entry)
    entry.close()


def _compile_climbing(t: Any) -> None:
    """Tables of what may be played on a stack whose top counts as `number`."""
    numbers = [card_numbers(t, card) for card in range(st.CARDS)]
    for stack_card in range(st.CARDS):
        for snow_card in range(st.CARDS):
            if stack_card == snow_card or t["type_of"][stack_card] != t["type_of"][snow_card]:
                continue
            # R10: any choice of rope numbers with the stack card not the higher one.
            sums = [a + b for a in numbers[stack_card] for b in numbers[snow_card] if a <= b]
            for number in range(min(max(sums, default=0), st.MAX_NUMBER + 1)):
                t["partners"][number, stack_card] |= 1 << snow_card
    for number in range(st.MAX_NUMBER + 1):
        t["above"][number] = _with_number(t, range(number + 1, st.MAX_NUMBER + 1))


def card_numbers(t: Any, card: int) -> list[int]:
    """The numbers on a card in ascending order."""
    return [n for n in range(1, st.MAX_NUMBER + 1) if int(t["number_cards"][n]) >> card & 1]


def card_id(t: Any, card: int) -> str:
    """Id of a card, as in `tent_2` and `rope_8_9_10`."""
    return "_".join([st.TYPE_IDS[int(t["type_of"][card])], *map(str, card_numbers(t, card))])


def card_name(t: Any, card: int) -> str:
    """A card for people, as in "Tent #2" and "Rope #8/9/10"."""
    numbers = "/".join(map(str, card_numbers(t, card)))
    return f"{st.TYPE_NAMES[int(t['type_of'][card])]} #{numbers}"
