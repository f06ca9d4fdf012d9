"""The actions of Snow Climbing: nine blocks, six of them over all cards."""

from typing import Any

from climbenvs.engine.layout import ActionBlock, ActionLayout
from climbenvs.games.snow_climbing import state as st
from climbenvs.games.snow_climbing.deck import card_id, card_name, read_deck

_SHIPPED = read_deck(None)[0]

CARD_IDS = tuple(card_id(_SHIPPED, card) for card in range(st.CARDS))
"""Ids of the shipped deck; with another deck an action keeps the name of the card's place."""

ACTIONS = ActionLayout(
    ActionBlock("pass", (CARD_IDS,), "give the card to the left neighbour"),
    ActionBlock("play", (CARD_IDS,), "lead with the card, or climb with it"),
    ActionBlock("route", (CARD_IDS,), "change route: the card that goes onto the stack"),
    ActionBlock("bury", (CARD_IDS,), "change route: the card that goes into the snow"),
    ActionBlock("recover", (CARD_IDS,), "take the card from the snow onto the stack"),
    ActionBlock("recover_nothing", (), "leave the snow as it is"),
    ActionBlock("lose", (CARD_IDS,), "the card that camp does not protect"),
    ActionBlock("use", (st.BACKPACK_IDS,), "use the backpack"),
    ActionBlock("save", (CARD_IDS,), "the card that the backpack saves from the snow"),
)

PASS_CARD = ACTIONS.offset("pass")
PLAY_CARD = ACTIONS.offset("play")
ROUTE_CARD = ACTIONS.offset("route")
BURY_CARD = ACTIONS.offset("bury")
RECOVER_CARD = ACTIONS.offset("recover")
RECOVER_NOTHING = ACTIONS.offset("recover_nothing")
LOSE_CARD = ACTIONS.offset("lose")
USE_BACKPACK = ACTIONS.offset("use")
SAVE_CARD = ACTIONS.offset("save")

_TEXTS = {
    "pass": "pass {}",
    "play": "climb with {}",
    "route": "change route: {} onto the stack",
    "bury": "change route: {} into the snow",
    "recover": "recover {}",
    "lose": "lose {}",
    "save": "save {}",
}


def describe(s: Any, t: Any, action: int) -> str:
    """An action in words."""
    block, index = ACTIONS.decode(action)
    if block == "recover_nothing":
        return "recover nothing"
    if block == "use":
        return f"use backpack {st.BACKPACK_IDS[index[0]]}"
    if block == "play" and s["phase"] == st.LEAD:
        return f"lead with {card_name(t, index[0])}"
    return _TEXTS[block].format(card_name(t, index[0]))
