"""The 165 actions of Everest Go! and their names; seats are relative to the decider."""

from typing import Any

from climbenvs.engine.layout import ActionBlock, ActionLayout
from climbenvs.games.everest_go.state import DIRECTIONS, KINDS, MAX_PLAYERS, PARTS, SLOTS

_RELATIVE_SEATS = tuple(str(seat) for seat in range(MAX_PLAYERS))

ACTIONS = ActionLayout(
    ActionBlock("everest", meaning="shout EVEREST!"),
    ActionBlock("continue", meaning="do not shout"),
    # Answers to an Avalanche are sealed, hence the Tents are secret.
    ActionBlock("tent", meaning="use a Tent against the card played", secret=True),
    ActionBlock("no_tent", meaning="keep the Tent", secret=True),
    ActionBlock("done", meaning="stop discarding"),
    ActionBlock("pass_cold", meaning="Fire: hand one Cold to the left neighbour"),
    ActionBlock("play", (KINDS,), "play a card from the hand"),
    ActionBlock("discard", (KINDS,), "discard a card from the hand to improve it"),
    ActionBlock(
        "take",
        (KINDS,),
        "take a card from the discard pile or from the victim's hand",
        secret=True,  # a stolen card is known to thief and victim only
    ),
    ActionBlock("spot", (_RELATIVE_SEATS, SLOTS), "choose a body part or special item"),
    ActionBlock("player", (_RELATIVE_SEATS,), "choose a player"),
    ActionBlock("avalanche", (PARTS, DIRECTIONS), "choose a body part and a direction"),
)

EVEREST = ACTIONS.offset("everest")
CONTINUE = ACTIONS.offset("continue")
USE_TENT = ACTIONS.offset("tent")
NO_TENT = ACTIONS.offset("no_tent")
DONE = ACTIONS.offset("done")
PASS_COLD = ACTIONS.offset("pass_cold")
PLAY = ACTIONS.offset("play")
DISCARD = ACTIONS.offset("discard")
TAKE = ACTIONS.offset("take")
SPOT = ACTIONS.offset("spot")
PLAYER = ACTIONS.offset("player")
AVALANCHE = ACTIONS.offset("avalanche")

_TEXTS = {
    "everest": "shout EVEREST!",
    "continue": "do not shout",
    "tent": "use a Tent",
    "no_tent": "do not use a Tent",
    "done": "done",
    "pass_cold": "pass the Cold left",
}


def describe(s: Any, t: Any, action: int) -> str:
    """An action in words, with absolute seats."""
    block, index = ACTIONS.decode(action)
    if block in _TEXTS:
        return _TEXTS[block]
    if block in ("play", "discard", "take"):
        return f"{block} {KINDS[index[0]]}"
    if block == "avalanche":
        return f"avalanche on {PARTS[index[0]]} to the {DIRECTIONS[index[1]]}"
    seat = (max(0, int(s["player"])) + index[0]) % int(s["num_players"])
    if block == "spot":
        return f"choose {SLOTS[index[1]]} of player_{seat}"
    return f"choose player_{seat}"
