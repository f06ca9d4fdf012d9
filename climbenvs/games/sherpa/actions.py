"""Action numbers: named blocks, their offsets for the rules, and the words for people."""

from typing import Any

from climbenvs.engine.layout import ActionBlock, ActionLayout
from climbenvs.games.sherpa.state import (
    CHARACTER_KINDS,
    DANGERS,
    MAX_PLAYERS,
    RESOURCES,
    SLOT_NAMES,
)

CLIMB_LABELS = (
    "4x_ice_axe",
    "4x_oxygen",
    "4x_food",
    "7x_ice_axe_oxygen",
    "7x_ice_axe_food",
    "7x_oxygen_food",
    "10x_all",
    "reserved_7",
    "reserved_8",
    "reserved_9",
    "reserved_10",
    "reserved_11",
)
"""The shipped deck's climb cards; a corrected deck may give the numbers other cards."""

_SEATS = ("self", *(f"next_{i}" for i in range(1, MAX_PLAYERS)))

ACTIONS = ActionLayout(
    ActionBlock("climb", (CLIMB_LABELS,), "play a climb card of this kind"),
    ActionBlock("crevasse", (_SEATS,), "play a crevasse on this seat, counted from oneself"),
    ActionBlock("avalanche", (_SEATS,), "play an avalanche on this seat, counted from oneself"),
    ActionBlock("yeti", (_SEATS,), "play a yeti on this seat, counted from oneself"),
    ActionBlock("blizzard", (("first", "last"),), "play a blizzard on this end of the line"),
    ActionBlock("move", (SLOT_NAMES,), "move this character one position up"),
    ActionBlock("end_playing", (), "go on to supplying the team"),
    ActionBlock("withdraw", (SLOT_NAMES, RESOURCES), "take this token from this character"),
    ActionBlock("build", (SLOT_NAMES,), "build a camp just below this character"),
    ActionBlock("add", (CHARACTER_KINDS,), "add a character of this kind"),
    ActionBlock("discard", ((*CLIMB_LABELS, *DANGERS),), "discard a card of this kind"),
    ActionBlock("end_turn", (), "end the turn"),
)

CLIMB = ACTIONS.offset("climb")
ON_SEAT_CREVASSE = ACTIONS.offset("crevasse")
ON_SEAT_AVALANCHE = ACTIONS.offset("avalanche")
ON_SEAT_YETI = ACTIONS.offset("yeti")
BLIZZARD_AT = ACTIONS.offset("blizzard")
MOVE = ACTIONS.offset("move")
END_PLAYING = ACTIONS.offset("end_playing")
WITHDRAW = ACTIONS.offset("withdraw")
BUILD = ACTIONS.offset("build")
ADD = ACTIONS.offset("add")
DISCARD_KIND = ACTIONS.offset("discard")
END_TURN = ACTIONS.offset("end_turn")


def card_id(t: Any, kind: int) -> str:
    """Name of a card kind in the deck in use."""
    return t["ids"][kind].tobytes().rstrip(b"\0").decode() or CLIMB_LABELS[kind]


def describe(s: Any, t: Any, action: int) -> str:
    """An action in words; seats are absolute, as seen by the player to act."""
    block, index = ACTIONS.decode(action)
    if block == "climb":
        return f"play {card_id(t, index[0])}"
    if block in DANGERS and block != "blizzard":
        seat = (max(int(s["player"]), 0) + index[0]) % int(s["num_players"])
        return f"play {block} on player_{seat}"
    if block == "blizzard":
        return f"play blizzard on the {('first', 'last')[index[0]]} character"
    if block == "move":
        return f"move {SLOT_NAMES[index[0]]} up"
    if block == "withdraw":
        return f"withdraw {RESOURCES[index[1]]} from {SLOT_NAMES[index[0]]}"
    if block == "build":
        return f"build camp below {SLOT_NAMES[index[0]]}"
    if block == "add":
        return f"add {CHARACTER_KINDS[index[0]]}"
    if block == "discard":
        return f"discard {card_id(t, index[0])}"
    return block.replace("_", " ")
