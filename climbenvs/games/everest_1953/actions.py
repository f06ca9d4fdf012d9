"""Action numbers and what they are called."""

from typing import Any

from climbenvs.engine.layout import ActionBlock, ActionLayout
from climbenvs.games.everest_1953.state import (
    BACKPACK_MARKET_SIZE,
    BASE_CAMP,
    BASE_CAMP_ACTION,
    BIVOUAC_CARDS,
    DISCARD_PLAYED,
    HAND_SIZE,
    ICE_AXES,
    LEVEL_OF,
    LEVEL_START,
    MARKET_SIZE,
    NUM_SLOTS,
    PENALTY,
    PLACE,
    RESOURCES,
    START_ROW_SIZE,
    TOKENS,
    TURN,
)
from climbenvs.games.everest_1953.tables import text


def slot_place(slot: int) -> str:
    """A slot in words: "level 2 place 1"."""
    level = int(LEVEL_OF[slot])
    return f"level {level + 1} place {slot - int(LEVEL_START[level]) + 1}"


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(i + 1) for i in range(count))


_LEVELS = tuple(f"level_{i + 1}" for i in range(4))
_SLOTS = tuple(slot_place(slot).replace(" ", "_") for slot in range(NUM_SLOTS))

ACTIONS = ActionLayout(
    ActionBlock("pass", (), "end the turn; decline"),
    ActionBlock("take_card", (_numbers(MARKET_SIZE),), "take the card at this market position"),
    ActionBlock("play_card", (_numbers(HAND_SIZE),), "play this card of the hand"),
    ActionBlock("take_backpack", (_numbers(BACKPACK_MARKET_SIZE),), "take this backpack"),
    ActionBlock("go_bivouac", (), "advance the flag to the next bivouac space"),
    ActionBlock("token", (tuple(name.replace(" ", "_") for name in TOKENS),), "use the token"),
    ActionBlock("slot", ((*_SLOTS, "base_camp"),), "choose this place of the Mountain"),
    ActionBlock("gain", (_LEVELS, RESOURCES), "gain a resource at the level"),
    ActionBlock("up", (_LEVELS[:3], RESOURCES), "move a resource up from the level"),
    ActionBlock("down", (_LEVELS[1:], RESOURCES), "move a resource down from the level"),
    ActionBlock("drop", (_LEVELS, RESOURCES), "return a resource from the level to the supply"),
    ActionBlock("pay", (RESOURCES,), "pay a resource of the type"),
    ActionBlock("discard_hand", (_numbers(HAND_SIZE),), "discard this card of the hand"),
    ActionBlock("reward", (("left", "right"),), "choose this bivouac reward"),
    ActionBlock("start_card", (_numbers(START_ROW_SIZE),), "draft this card of the starting row"),
    ActionBlock("climber", (("top", "second"),), "keep this climber, the other goes to the bottom"),
    ActionBlock("level", (_LEVELS,), "rearrange the cards of the level"),
)

PASS = ACTIONS.offset("pass")
TAKE_CARD = ACTIONS.offset("take_card")
PLAY_HAND = ACTIONS.offset("play_card")
TAKE_BACKPACK = ACTIONS.offset("take_backpack")
ADVANCE = ACTIONS.offset("go_bivouac")
TOKEN = ACTIONS.offset("token")
SLOT = ACTIONS.offset("slot")
GAIN = ACTIONS.offset("gain")
UP = ACTIONS.offset("up")
DOWN = ACTIONS.offset("down")  # of level 2; levels count from 1 here
DROP = ACTIONS.offset("drop")
PAY_TYPE = ACTIONS.offset("pay")
DISCARD_HAND = ACTIONS.offset("discard_hand")
REWARD_CHOICE = ACTIONS.offset("reward")
START_CARD = ACTIONS.offset("start_card")
KEEP_CLIMBER = ACTIONS.offset("climber")
REARRANGE_LEVEL = ACTIONS.offset("level")


def describe(s: Any, t: Any, action: int) -> str:
    """An action in words, as the seat to act would say it."""
    block, index = ACTIONS.decode(action)
    first = index[0] if index else 0
    seat = max(int(s["player"]), 0)
    size = int(s["stack_size"])
    item = s["stack"][size - 1] if size else None
    kind = -1 if item is None else int(item[0])
    return _describe(s, t, block, index, first, seat, kind, item)


def _card_name(t: Any, card: int) -> str:
    return text(t["card_name"][card]) if card >= 0 else "no card"


def _describe(
    s: Any, t: Any, block: str, index: Any, first: int, seat: int, kind: int, item: Any
) -> str:
    match block:
        case "pass":
            return "end the turn" if kind == TURN else "decline"
        case "take_card":
            return f"take {_card_name(t, int(s['market'][first]))} from the market"
        case "play_card":
            return f"play {_hand_card(s, t, seat, first)}"
        case "take_backpack":
            backpack = int(s["backpack_market"][first])
            name = text(t["backpack_name"][backpack]) if backpack >= 0 else "nothing"
            return f"take the backpack {name}"
        case "go_bivouac":
            return f"go to bivouac space {int(s['bivouac'][seat]) + 1}"
        case "token":
            return f"use the {TOKENS[first]} token"
        case "slot":
            return _describe_slot(t, first, kind, int(s["cards"][seat][min(first, NUM_SLOTS - 1)]))
        case "pay":
            return f"pay {RESOURCES[first].capitalize()}"
        case "discard_hand":
            return f"discard {_hand_card(s, t, seat, first)} from the hand"
        case "reward":
            return f"choose bivouac reward {'AB'[first]}"
        case "start_card":
            name = _card_name(t, int(s["start_row"][first]))
            return f"draft {name} (starting place {first + 1})"
        case "climber":
            card = int(s["num_climber_deck"][seat]) - 1 - first
            name = _card_name(t, int(s["climber_deck"][seat][card]) if card >= 0 else -1)
            return f"keep {name}"
        case "level":
            return f"rearrange level {first + 1}"
    return _describe_resource(block, *index)


def _hand_card(s: Any, t: Any, seat: int, position: int) -> str:
    if position >= int(s["hand_size"][seat]):
        return "no card"
    return _card_name(t, int(s["hand"][seat][position]))


def _describe_slot(t: Any, slot: int, kind: int, card: int) -> str:
    where = "base camp" if slot == BASE_CAMP else slot_place(slot)
    if kind == PLACE:
        return f"place at {where}"
    if slot == BASE_CAMP or kind in (ICE_AXES, BASE_CAMP_ACTION):
        return f"use the ice axe effect at {where}"
    if kind == BIVOUAC_CARDS:
        return f"use the bivouac effect at {where}"
    if kind in (DISCARD_PLAYED, PENALTY):
        return f"discard the card at {where}"
    return f"choose {where}"


def _describe_resource(block: str, level: int, resource: int) -> str:
    name = RESOURCES[resource].capitalize()
    match block:
        case "gain":
            return f"gain {name} at level {level + 1}"
        case "up":
            return f"move {name} up from level {level + 1} to level {level + 2}"
        case "down":
            return f"move {name} down from level {level + 2} to level {level + 1}"
    return f"return {name} from level {level + 1}"
