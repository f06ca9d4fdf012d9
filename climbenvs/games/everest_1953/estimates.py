"""What the scripted player makes of what it sees: prices, needs, and what things are worth."""

from climbenvs.engine.jit import rule
from climbenvs.games.everest_1953.observation import (
    HAND_AT,
    HAND_SIZE_AT,
    SEATS_AT,
    SLOTS_AT,
    WEATHER_AT,
)
from climbenvs.games.everest_1953.state import (
    CLIMBER,
    LEVEL_OF,
    SUPPORT,
)
from climbenvs.games.everest_1953.tables import (
    NUM_CARD_FEATURES,
    NUM_SLOT_FEATURES,
)

SUMMIT_SLOT = 21
PYRAMID = 0b1 << 21 | 0b11 << 15 | 0b111 << 8 | 0b1111  # slots of the 4-3-2-1 pyramid

# Weather cards of the shipped deck that change what a card costs.
CLOUDY = 2
BLIZZARD = 8
AVALANCHE = 9

COST = 5  # offsets within the features of a card
DISCOUNT = 10
TRIGGER = 14
EFFECT = 17
PERMANENT = 45
RESOURCES_AT = SEATS_AT + 5
EXTRA_AT = SEATS_AT + 21
OWN_SLOTS_AT = SEATS_AT + SLOTS_AT

# Weights of the scores.
W_WANTED_TYPE = 10  # a resource of the very type that a level's next card needs
W_WANTED = 4  # one of any type that it needs
W_LATER = 2  # one for the card after it
W_DISTANCE = 11  # per level that a resource still has to climb
W_HEIGHT = 2  # per level on which it lies
W_SAME = 3  # per resource of its type that lies there already
W_MOVES = 4  # per resource that it moves up
W_PERMANENT = 3  # for a permanent discount
W_ANY = 4  # for a discount of any type
W_AGAIN = 2  # for an effect that can be used again
W_CLIMBER = 31  # for the first Climber in the hand
W_SPARE_CLIMBER = 7  # for another one


@rule
def own_cards(observation):
    """Occupied slots of the own Mountain, as bits."""
    occupied = 0
    for slot in range(26):
        if observation[OWN_SLOTS_AT + NUM_SLOT_FEATURES * slot]:
            occupied |= 1 << slot
    return occupied


@rule
def next_slot(observation, level):
    """Open slot of the pyramid on a level, -1 if there is none."""
    occupied = own_cards(observation)
    for slot in range(26):
        if LEVEL_OF[slot] == level and PYRAMID >> slot & 1 and not occupied >> slot & 1:
            left = SUPPORT[slot]
            if left < 0 or occupied >> left & 3 == 3:
                return slot
    return -1


@rule
def slots_missing(observation, level):
    """Cards the pyramid still lacks on a level."""
    occupied = own_cards(observation)
    count = 0
    for slot in range(26):
        if LEVEL_OF[slot] == level and PYRAMID >> slot & 1 and not occupied >> slot & 1:
            count += 1
    return count


@rule
def seen_price(observation, card, slot):
    """Price of a card in a slot as `mountain.card_price` has it, from what can be seen."""
    tent = 0
    supplies = 0
    oxygen = 0
    free = 0
    left = SUPPORT[slot]
    if left >= 0 and not observation[WEATHER_AT + CLOUDY]:
        for support in range(left, left + 2):
            at = OWN_SLOTS_AT + NUM_SLOT_FEATURES * support + 6
            tent += int(observation[at])
            supplies += int(observation[at + 1])
            oxygen += int(observation[at + 2])
            free += int(observation[at + 3])
    for other in range(26):
        ability = int(observation[OWN_SLOTS_AT + NUM_SLOT_FEATURES * other + 15])
        if 1 <= ability <= 5 and observation[card + ability - 1]:
            free += 1
    extra = int(observation[EXTRA_AT + 4 * LEVEL_OF[slot] + 3])
    if (observation[WEATHER_AT + BLIZZARD] and observation[card]) or (
        observation[WEATHER_AT + AVALANCHE] and observation[card + CLIMBER]
    ):
        extra += 1
    return (
        int(observation[card + COST]),
        int(observation[card + COST + 1]),
        int(observation[card + COST + 2]),
        int(observation[card + COST + 3]),
        int(observation[card + COST + 4]),
        tent,
        supplies,
        oxygen,
        free,
        extra,
    )


@rule
def wish(observation, card, slot):
    """Resources a card asks for in a slot, its `same` cost in the type of which most is there.

    Returns:
        Tent, supplies and oxygen it needs, all it needs together, how many of them are missing.
    """
    price = seen_price(observation, card, slot)
    level = LEVEL_OF[slot]
    best = (0, 0, 0, 99, 99)
    for chosen in range(3 if price[4] else 1):
        free = price[8]
        spare = price[3]
        due_0 = price[0] - price[5] + (price[4] if chosen == 0 else 0)
        due_1 = price[1] - price[6] + (price[4] if chosen == 1 else 0)
        due_2 = price[2] - price[7] + (price[4] if chosen == 2 else 0)
        spare += min(0, due_0) + min(0, due_1) + min(0, due_2)
        stock_0 = int(observation[RESOURCES_AT + 3 * level])
        stock_1 = int(observation[RESOURCES_AT + 3 * level + 1])
        stock_2 = int(observation[RESOURCES_AT + 3 * level + 2])
        extra_0 = int(observation[EXTRA_AT + 4 * level])
        extra_1 = int(observation[EXTRA_AT + 4 * level + 1])
        extra_2 = int(observation[EXTRA_AT + 4 * level + 2])
        need_0 = extra_0 + max(0, due_0)
        need_1 = extra_1 + max(0, due_1)
        need_2 = extra_2 + max(0, due_2)
        total = max(0, due_0) + max(0, due_1) + max(0, due_2) + max(0, spare)
        total = max(0, total - free) + price[9] + extra_0 + extra_1 + extra_2
        short = max(0, need_0 - stock_0) + max(0, need_1 - stock_1) + max(0, need_2 - stock_2)
        missing = max(short - free, total - stock_0 - stock_1 - stock_2)
        missing = max(missing, 0)
        if missing < best[4] or (missing == best[4] and total < best[3]):
            best = (need_0, need_1, need_2, total, missing)
    return best


@rule
def summit_card(observation):
    """Hand position of the Climber kept for the summit, -1 without one."""
    best = -1
    least = 1000
    for position in range(int(observation[SEATS_AT + HAND_SIZE_AT])):
        card = HAND_AT + NUM_CARD_FEATURES * position
        if observation[card + CLIMBER]:
            _, _, _, total, missing = wish(observation, card, SUMMIT_SLOT)
            if 2 * total + missing < least:
                least = 2 * total + missing
                best = position
    return best


@rule
def level_wish(observation, level):
    """What the next card of a level asks for: the cheapest of the hand that may go there."""
    slot = next_slot(observation, level)
    reserved = summit_card(observation)
    best = (0, 0, 0, 99, 99)
    if level == 3 and reserved >= 0:
        return wish(observation, HAND_AT + NUM_CARD_FEATURES * reserved, SUMMIT_SLOT)
    if slot >= 0 and level < 3:
        for position in range(int(observation[SEATS_AT + HAND_SIZE_AT])):
            card = HAND_AT + NUM_CARD_FEATURES * position
            if position != reserved:
                found = wish(observation, card, slot)
                if found[4] < best[4] or (found[4] == best[4] and found[3] < best[3]):
                    best = found
    if best[4] < 99:
        return best
    extra_0 = int(observation[EXTRA_AT + 4 * level])
    extra_1 = int(observation[EXTRA_AT + 4 * level + 1])
    extra_2 = int(observation[EXTRA_AT + 4 * level + 2])
    if slots_missing(observation, level) == 0:
        return (0, 0, 0, 0, 0)
    return (extra_0, extra_1, extra_2, extra_0 + extra_1 + extra_2 + 1, 1)


@rule
def need(observation, level, kind, change):
    """How much a level wants one more of a type, its stock of it having changed."""
    wished = level_wish(observation, level)
    stock = int(observation[RESOURCES_AT + 3 * level + kind]) + change
    total = change
    for other in range(3):
        total += int(observation[RESOURCES_AT + 3 * level + other])
    needed = wished[0] if kind == 0 else wished[1] if kind == 1 else wished[2]
    if stock < needed:
        return W_WANTED_TYPE
    if total < wished[3]:
        return W_WANTED
    if slots_missing(observation, level) > 1 and total < wished[3] + 2:
        return W_LATER
    return 0


@rule
def worth(observation, level, kind, change):
    """Value of one more resource of a type on a level: for the level itself or one above."""
    best = 1
    for upper in range(level, 4):
        value = need(observation, upper, kind, change if upper == level else 0)
        best = max(best, 2 * value - W_DISTANCE * (upper - level))
    stock = int(observation[RESOURCES_AT + 3 * level + kind]) + change
    return best + W_HEIGHT * level - W_SAME * stock


@rule
def move_value(observation, level, kind):
    """What is gained by moving a resource up from a level."""
    return worth(observation, level + 1, kind, 0) - worth(observation, level, kind, -1)


@rule
def card_worth(observation, card):
    """What a card is good for in the own hand."""
    value = 0
    for i in range(3):
        value += W_MOVES * int(observation[card + EFFECT + 9 + i])
    for i in range(5):
        value += W_PERMANENT * int(observation[card + PERMANENT + i])
    value += W_ANY * int(observation[card + DISCOUNT + 3])
    if observation[card + TRIGGER] == 0:
        value += W_AGAIN
    if observation[card + CLIMBER]:
        value += W_CLIMBER if summit_card(observation) < 0 else W_SPARE_CLIMBER
    return value
