"""Deck files: reading, checking against the rulebook's component counts, compiling to tables."""

from pathlib import Path

import numpy as np

from climbenvs.engine.reader import Reader, check_source, open_deck_file
from climbenvs.games.sherpa.state import (
    CAMPS_FOR_ACCESS,
    CARDS_PER_TURN,
    CHARACTER_KINDS,
    CREVASSE,
    DANGERS,
    HAND_SIZE_AT_START,
    MAX_BLIZZARDS,
    MAX_LINE,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_CLIMB_KINDS,
    NUM_NEUTRALS,
    NUM_TOKENS,
    RESOURCES,
    SPACES,
    TABLE_DTYPE,
    element_rows,
)

SHIPPED = Path(__file__).with_name("deck.toml")

_MAX_OF_A_KIND = 20
_MAX_PRICE = 12
_RULEBOOK_SETUP = {
    "hand": HAND_SIZE_AT_START,
    "pick_per_turn": CARDS_PER_TURN,
    "tokens_at_start": int(SPACES.sum()),
    "neutral_characters_2p": NUM_NEUTRALS,
    "camps_per_player": 1,
    "camps_for_access": CAMPS_FOR_ACCESS,
    "blizzard_tokens": MAX_BLIZZARDS,
}
_PROTECTIONS = ("ice_axe", "oxygen", "food", "none")
_EFFECTS = ("fall_highest", "fall_all", "place_blizzard", "highest_to_bottom")
_FALLS = ("fall_highest", "fall_all")


def read_deck(path: Path | None) -> np.ndarray:
    """Read a deck file and return its table record, shape [1].

    Args:
        path: the file, None for the shipped deck.

    Raises:
        DeckError: naming file, entry and what was expected.
    """
    deck = open_deck_file(path or SHIPPED)
    tables = np.zeros(1, TABLE_DTYPE)
    tables["elements"][0] = element_rows()
    _read_fixed(deck)
    _read_tokens(deck, tables)
    _read_climb_cards(deck, tables)
    _read_danger_cards(deck, tables)
    deck.close()
    total = int(tables["counts"].sum())
    if total != NUM_CARDS:
        where = f"{deck.where}: climb_cards and danger_cards"
        raise deck.error(f"{where}: {total} cards, expected {NUM_CARDS}")
    return tables


def _fixed(entry: Reader, key: str, value: int) -> None:
    """A number that the rulebook pins."""
    entry.integer(key, value, value)


def _read_fixed(deck: Reader) -> None:
    """Check everything that the rulebook fixes and the rules therefore take for granted."""
    game = deck.table("game")
    game.choice("name", ["sherpa"])
    _fixed(game, "version", 1)
    _fixed(game, "players_min", 2)
    _fixed(game, "players_max", MAX_PLAYERS)
    _fixed(game, "total_cards", NUM_CARDS)
    game.close()
    setup = deck.table("setup")
    for key, value in _RULEBOOK_SETUP.items():
        _fixed(setup, key, value)
    setup.close()
    for kind, entry in enumerate(deck.tables("characters", length=len(CHARACTER_KINDS))):
        entry.choice("id", [CHARACTER_KINDS[kind]])
        _fixed(entry, "copies", 2)
        for key in ("spaces", "add_cost_cards", "pair_bonus"):
            _fixed(entry, key, int(SPACES[kind]))
        check_source(entry)
        entry.close()


def _read_tokens(deck: Reader, tables: np.ndarray) -> None:
    """The three types of token."""
    for resource, entry in enumerate(deck.tables("resources", length=len(RESOURCES))):
        entry.choice("id", [RESOURCES[resource]])
        tables["tokens"][0, resource] = entry.integer("count", 0, NUM_TOKENS)
        check_source(entry)
        entry.close()
    total = int(tables["tokens"].sum())
    if total != NUM_TOKENS:
        raise deck.error(f"{deck.where}: resources: {total} tokens, expected {NUM_TOKENS}")


def _read_climb_cards(deck: Reader, tables: np.ndarray) -> None:
    """The climb cards, kinds 0 to 11 in the file's order."""
    entries = deck.tables("climb_cards")
    if not 1 <= len(entries) <= NUM_CLIMB_KINDS:
        where = f"{deck.where}: climb_cards"
        raise deck.error(f"{where}: {len(entries)} kinds, expected 1 to {NUM_CLIMB_KINDS}")
    tables["num_climb_kinds"] = len(entries)
    for kind, entry in enumerate(entries):
        _read_id(entry, tables, kind)
        price = entry.integers("cost", 0, _MAX_PRICE, length=len(RESOURCES))
        if sum(price) > _MAX_PRICE:
            raise entry.fail("cost", f"at most {_MAX_PRICE} tokens")
        tables["costs"][0, kind] = price
        tables["points"][0, kind] = _read_effect(entry, ("gain_points",), 1, 127)
        tables["counts"][0, kind] = entry.integer("count", 0, _MAX_OF_A_KIND)
        check_source(entry)
        entry.close()


def _read_danger_cards(deck: Reader, tables: np.ndarray) -> None:
    """The four danger cards, kinds 12 to 15."""
    for index, entry in enumerate(deck.tables("danger_cards", length=len(DANGERS))):
        kind = CREVASSE + index
        entry.choice("id", [DANGERS[index]])
        _read_id(entry, tables, kind)
        entry.choice("protection", [_PROTECTIONS[index]])
        effect = _EFFECTS[index]
        high = MAX_LINE if effect in _FALLS else 0
        tables["distances"][0, kind] = _read_effect(entry, (effect,), 0, high)
        tables["counts"][0, kind] = entry.integer("count", 0, _MAX_OF_A_KIND)
        check_source(entry)
        entry.close()


def _read_id(entry: Reader, tables: np.ndarray, kind: int) -> None:
    """The name of a card kind: short, of lower-case letters, digits and underscores, unique."""
    expected = "a new name of at most 32 letters a-z, digits and underscores"
    name = entry.get("id", expected=expected)
    simple = isinstance(name, str) and name.isascii() and name.replace("_", "a").isalnum()
    if not simple or name != name.lower() or len(name) > 32:
        raise entry.fail("id", expected)
    code = np.frombuffer(name.encode().ljust(32, b"\0"), np.uint8)
    if np.any(np.all(tables["ids"][0] == code, axis=1)) or (kind < CREVASSE and name in DANGERS):
        raise entry.fail("id", expected)
    tables["ids"][0, kind] = code


def _read_effect(entry: Reader, names: tuple[str, ...], low: int, high: int) -> int:
    """The number of the one effect that a card has."""
    (effect,) = entry.items("effects", length=1)
    expected = f"[[{' or '.join(names)}, an integer from {low} to {high}]]"
    if not isinstance(effect, list) or len(effect) != 2 or effect[0] not in names:
        raise entry.fail("effects", expected)
    if type(effect[1]) is not int or not low <= effect[1] <= high:
        raise entry.fail("effects", expected)
    return effect[1]
