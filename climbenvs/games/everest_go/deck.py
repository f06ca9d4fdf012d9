"""Reading a deck file into the tables the rules use, checked against the rulebook's counts."""

from pathlib import Path

import numpy as np

from climbenvs.engine.reader import Reader, check_source, read_deck_file
from climbenvs.games.everest_go.state import (
    ACTION_CARDS,
    EFFECTS,
    FIRST_ACTION_CARD,
    FIRST_ITEM,
    ITEMS,
    KINDS,
    MAX_DECK,
    MAX_PLAYERS,
    NUM_KINDS,
    PARTS,
    TABLES_DTYPE,
)

SHIPPED_DECK = Path(__file__).with_name("deck.toml")

NUM_OUTFITS = 8
NUM_ACTION_CARDS = 32
PINNED_COPIES = {"blizzard": 2, "avalanche": 2}
"""Copies of action cards that the rulebook states."""
BOUND_EFFECTS = {"tent": "cancel", "hypothermia": "freeze", "cold": "chill"}
"""Cards that leave a mark of their own on the table keep their effect, and nobody else has it."""
PARAMETERS = {
    "steal_spot": {"items": (0, 1), "resistant": (0, 1)},
    "steal_card": {"count": (1, 1)},
    "recover_card": {"count": (1, 1)},
    "discard_visible": {"count": (1, 2)},
}
"""Integer parameters of the effects that have any, with their ranges."""


def read_deck(path: Path | None) -> np.ndarray:
    """Read a deck file.

    Args:
        path: a TOML file, None for the shipped deck.

    Returns:
        A table record, shape [1].

    Raises:
        DeckError: naming file, entry and what was expected.
    """
    deck = read_deck_file(path or SHIPPED_DECK, "everest_go")
    tables = np.zeros(1, TABLES_DTYPE)
    t = tables[0]
    read_scoring(deck.table("scoring"), t)
    outfits = read_outfits(deck)
    read_items(deck, t)
    read_action_cards(deck, t)
    for points in outfits.values():
        for part, value in enumerate(points):
            t["copies"][4 * part + value - 1] += 1
    without_beginners = read_variants(deck)
    removed = read_setup(deck.table("setup"), t, list(outfits))
    deck.close()
    for players in range(2, MAX_PLAYERS + 1):
        for beginner in (0, 1):
            copies = t["copies"].astype(int)
            for outfit in removed[players]:
                for part, value in enumerate(outfits[outfit]):
                    copies[4 * part + value - 1] -= 1
            for card in without_beginners if beginner else ():
                copies[KINDS.index(card)] = 0
            store_cards(deck, t, players, beginner, copies)
    return tables


def store_cards(deck: Reader, t: np.void, players: int, beginner: int, copies: np.ndarray) -> None:
    """Write the cards shuffled for a player count into the tables."""
    cards = np.repeat(np.arange(NUM_KINDS), copies)
    least = players * int(t["hand_size"]) + 1
    if not least <= len(cards) <= MAX_DECK:
        raise deck.error(
            f"{deck.where}: {len(cards)} cards are shuffled for {players} players, "
            f"expected {least} to {MAX_DECK}"
        )
    t["num_cards"][players, beginner] = len(cards)
    t["cards"][players, beginner, : len(cards)] = cards


def read_scoring(scoring: Reader, t: np.void) -> None:
    """Bonus, penalty, and the value that resists discarding."""
    t["everest_bonus"] = scoring.integer("everest_bonus", 0, 20)
    t["cold_penalty"] = scoring.integer("cold_penalty", 0, 20)
    t["resistant_points"] = scoring.integer("resistant_points", 4, 4)
    scoring.close()


def read_outfits(deck: Reader) -> dict[str, list[int]]:
    """Points of each outfit's six garments, in the order of the body parts."""
    parts = deck.table("body_parts")
    if parts.items("ids") != list(PARTS):
        raise parts.fail("ids", ", ".join(PARTS))
    check_source(parts)
    parts.close()
    outfits: dict[str, list[int]] = {}
    for outfit in deck.tables("outfits", length=NUM_OUTFITS):
        name = outfit.get("id", expected="a name")
        if not isinstance(name, str) or name in outfits:
            raise outfit.fail("id", "a name of its own")
        outfits[name] = outfit.integers("points", 1, 4, length=len(PARTS))
        check_source(outfit)
        outfit.close()
    return outfits


def read_items(deck: Reader, t: np.void) -> None:
    """Points of the special items; there is one of each."""
    for index, item in enumerate(deck.tables("items", length=len(ITEMS))):
        item.choice("id", [ITEMS[index]])
        item.integer("copies", 1, 1)
        check_source(item, "copies_source")
        t["item_points"][index] = item.integer("points", 0, 20)
        check_source(item, "points_source")
        item.close()
        t["copies"][FIRST_ITEM + index] = 1


def read_action_cards(deck: Reader, t: np.void) -> None:
    """Copies and effects of the action cards, whose order is fixed."""
    total = 0
    for index, card in enumerate(deck.tables("actions", length=len(ACTION_CARDS))):
        name = card.choice("id", [ACTION_CARDS[index]])
        kind = FIRST_ACTION_CARD + index
        pinned = PINNED_COPIES.get(name)
        most = 4 if name == "cold" else 9
        copies = card.integer("copies", 0 if pinned is None else pinned, pinned or most)
        check_source(card)
        bound = BOUND_EFFECTS.get(name)
        free = [e for e in EFFECTS[1:] if e not in BOUND_EFFECTS.values()]
        effect = card.choice("effect", free if bound is None else [bound])
        parameters = PARAMETERS.get(effect, {})
        t["effect"][kind] = EFFECTS.index(effect)
        t["count"][kind] = 1
        if "count" in parameters:
            t["count"][kind] = card.integer("count", *parameters["count"])
        if "items" in parameters:
            t["takes_items"][kind] = card.integer("items", *parameters["items"])
            t["takes_resistant"][kind] = card.integer("resistant", *parameters["resistant"])
        card.close()
        t["copies"][kind] = copies
        total += copies
    if total != NUM_ACTION_CARDS:
        raise deck.error(
            f"{deck.where}: actions: {total} cards in all, expected {NUM_ACTION_CARDS}"
        )


def read_variants(deck: Reader) -> list[str]:
    """Action cards that the beginner game leaves in the box."""
    variants = deck.table("variants")
    beginner = variants.table("beginner")
    removed = beginner.choices("remove_actions", ACTION_CARDS)
    check_source(beginner)
    beginner.close()
    variants.close()
    return removed


def read_setup(setup: Reader, t: np.void, outfits: list[str]) -> dict[int, list[str]]:
    """Numbers of the set-up; returns the outfits removed for each player count."""
    t["hand_size"] = setup.integer("hand_size", 1, 3)
    t["run_outs_to_end"] = setup.integer("run_outs_to_end", 1, 3)
    t["min_discard"] = setup.integer("min_discard", 0, 1)
    removed: dict[int, list[str]] = {}
    for entry in setup.tables("remove", length=MAX_PLAYERS - 1):
        players = entry.integer("players", 2, MAX_PLAYERS)
        names = entry.choices("outfits", outfits, length=MAX_PLAYERS - players)
        if players in removed or len(set(names)) != len(names):
            raise entry.fail("players", "one entry per player count, each outfit once")
        check_source(entry)
        entry.close()
        removed[players] = names
    setup.close()
    return removed
