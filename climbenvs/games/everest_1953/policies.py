"""A scripted player that sees only the observation and the mask.

It builds the pyramid of 4, 3, 2 and 1 cards, brings up the resources that the next card of each
level asks for, keeps a Climber for the summit and goes to the bivouac when nothing better is left.
All scores are plain integers; the legal action with the highest one is played.
"""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below
from climbenvs.games.everest_1953.actions import (
    ADVANCE,
    DISCARD_HAND,
    DOWN,
    DROP,
    GAIN,
    KEEP_CLIMBER,
    PASS,
    PAY_TYPE,
    PLAY_HAND,
    REARRANGE_LEVEL,
    REWARD_CHOICE,
    SLOT,
    START_CARD,
    TAKE_BACKPACK,
    TAKE_CARD,
    TOKEN,
    UP,
)
from climbenvs.games.everest_1953.deck import (
    NUM_BACKPACK_FEATURES,
    NUM_CARD_FEATURES,
    NUM_EFFECT_FEATURES,
    NUM_SLOT_FEATURES,
)
from climbenvs.games.everest_1953.observation import (
    BACKPACKS_AT,
    CARD_IN_PLAY_AT,
    CLIMBER_CHOICE_AT,
    DECISION_AT,
    FLAG_AT,
    FLAGS_AT,
    HAND_AT,
    HAND_SIZE_AT,
    LEVEL_AT,
    MARKET_AT,
    RESOURCE_AT,
    SEATS_AT,
    SLOTS_AT,
    START_ROW_AT,
    WEATHER_AT,
)
from climbenvs.games.everest_1953.state import (
    BASE_CAMP,
    BIVOUAC_CARDS,
    CLIMBER,
    EXTRA_ACTION,
    ICE_AXES,
    LEVEL_OF,
    MAKE_ROOM,
    MOVE_HERE,
    NUM_DECISION_KINDS,
    PENALTY,
    PLACE,
    SUPPORT,
    SWAP,
    TRADE_HERE,
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
NEVER = -1000

# Weights of the scores.
W_WANTED_TYPE = 10  # a resource of the very type that a level's next card needs
W_WANTED = 4  # one of any type that it needs
W_LATER = 2  # one for the card after it
W_DISTANCE = 11  # per level that a resource still has to climb
W_HEIGHT = 2  # per level on which it lies
W_SAME = 3  # per resource of its type that lies there already
W_MOVE_FROM = -2  # what a move must gain more than
W_MOVES = 4  # per resource that it moves up
W_PERMANENT = 3  # for a permanent discount
W_ANY = 4  # for a discount of any type
W_AGAIN = 2  # for an effect that can be used again
W_CLIMBER = 31  # for the first Climber in the hand
W_SPARE_CLIMBER = 7  # for another one
W_TAKE = 50  # taking a card
W_TAKE_FULL = 16  # taking one with a full hand, for the sake of base camp
W_BESIDE = 58  # playing a card beside the pyramid
W_PACK = 19  # per feature of a backpack
W_PACK_FORCED = 62  # a backpack that ends at the bivouac
W_BIVOUAC = 35  # going to the bivouac
W_EXTRA = 90  # the Extra Action


# ------------------------------------------------------------------- what the seat sees of itself


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


# ------------------------------------------------------------------- what resources are worth


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


# ------------------------------------------------------------------- scores by decision


@rule
def card_fits(observation, position):
    """Highest level of the pyramid on which a hand card can be laid now, -1 for none."""
    card = HAND_AT + NUM_CARD_FEATURES * position
    reserved = summit_card(observation)
    slot = next_slot(observation, 3)
    if slot >= 0 and observation[card + CLIMBER] and wish(observation, card, slot)[4] == 0:
        return 3
    if position == reserved:
        return -1
    for level in range(2, -1, -1):
        slot = next_slot(observation, level)
        if slot >= 0 and wish(observation, card, slot)[4] == 0:
            return level
    return -1


@rule
def play_score(observation, position):
    """Score of playing a hand card."""
    level = card_fits(observation, position)
    card = HAND_AT + NUM_CARD_FEATURES * position
    if level == 3:
        return 10000
    if level >= 0:
        return 600 + 100 * level + card_worth(observation, card)
    if position == summit_card(observation):
        return NEVER
    return W_BESIDE + card_worth(observation, card)


@rule
def take_score(observation, card):
    """Score of taking a card from the market."""
    size = int(observation[SEATS_AT + HAND_SIZE_AT])
    limit = int(observation[SEATS_AT + HAND_SIZE_AT + 2])
    if size < limit:
        return W_TAKE + card_worth(observation, card)
    return W_TAKE_FULL + card_worth(observation, card)


@rule
def backpack_score(observation, card):
    """Score of taking a backpack."""
    value = 0
    for i in range(NUM_EFFECT_FEATURES):
        value += int(observation[card + i])
    value += 2 * int(observation[card + 6])
    if observation[card + NUM_EFFECT_FEATURES]:
        return W_PACK_FORCED + value
    return 400 + W_PACK * value


@rule
def turn_score(observation, action):
    """Score of a main or secondary action."""
    if action == PASS:
        return 0
    if action == ADVANCE:
        return W_BIVOUAC
    if action < PLAY_HAND:
        return take_score(observation, MARKET_AT + NUM_CARD_FEATURES * (action - TAKE_CARD))
    if action < TAKE_BACKPACK:
        return play_score(observation, action - PLAY_HAND)
    if action < ADVANCE:
        position = action - TAKE_BACKPACK
        return backpack_score(observation, BACKPACKS_AT + NUM_BACKPACK_FEATURES * position)
    if action < SLOT:
        if action - TOKEN == EXTRA_ACTION:
            return W_EXTRA if observation[SEATS_AT + FLAG_AT] else 5
        return 500 - action
    return NEVER


@rule
def place_score(slot):
    """Score of a slot for the card in play: the pyramid's highest first."""
    if PYRAMID >> slot & 1:
        return 100 + slot
    return 50 - slot


@rule
def source_score(observation, slot):
    """Score of activating a card or base camp."""
    if slot == BASE_CAMP:
        return 3
    at = OWN_SLOTS_AT + NUM_SLOT_FEATURES * slot
    return 1 + 2 * int(observation[at + 12]) + 3 * int(observation[at + 13]) + LEVEL_OF[slot]


@rule
def slot_score(observation, kind, slot):
    """Score of a slot by what it is chosen for."""
    if kind == PLACE:
        if slot == SUMMIT_SLOT and not observation[CARD_IN_PLAY_AT + CLIMBER]:
            return NEVER
        return place_score(slot)
    if kind == PENALTY:
        return -slot if PYRAMID >> slot & 1 else 100
    if kind in (BIVOUAC_CARDS, ICE_AXES):
        return source_score(observation, slot)
    return -slot


@rule
def resource_score(observation, kind, action):
    """Score of gaining, moving, returning or paying a resource."""
    if action < UP:
        return 10 + worth(observation, (action - GAIN) // 3, (action - GAIN) % 3, 0)
    if action < DOWN:
        value = move_value(observation, (action - UP) // 3, (action - UP) % 3)
        return 10 + value if value > W_MOVE_FROM or kind < MOVE_HERE else value - W_MOVE_FROM - 1
    if action < DROP:
        return 5 - worth(observation, 1 + (action - DOWN) // 3, (action - DOWN) % 3, -1) // 8
    if action < PAY_TYPE:
        level = (action - DROP) // 3
        lost = worth(observation, level, (action - DROP) % 3, -1)
        if kind == MAKE_ROOM:
            return arriving_worth(observation) - lost - 1
        return 20 - lost if kind != TRADE_HERE else 20
    level = 0
    for other in range(4):
        if observation[LEVEL_AT + other]:
            level = other
    return int(observation[RESOURCES_AT + 3 * level + action - PAY_TYPE])


@rule
def arriving_worth(observation):
    """Worth of the resource for which room is to be made."""
    for level in range(4):
        for kind in range(3):
            if observation[LEVEL_AT + level] and observation[RESOURCE_AT + kind]:
                return worth(observation, level, kind, 0)
    return 0


@rule
def action_score(observation, kind, action):
    """Score of an action; `pass` scores zero."""
    if action < SLOT:
        return turn_score(observation, action)
    if action < GAIN:
        return slot_score(observation, kind, action - SLOT)
    if action < DISCARD_HAND:
        return resource_score(observation, kind, action)
    if action < REWARD_CHOICE:
        position = action - DISCARD_HAND
        if kind == SWAP or position == summit_card(observation):
            return NEVER
        return -card_worth(observation, HAND_AT + NUM_CARD_FEATURES * position)
    if action < START_CARD:
        right = action - REWARD_CHOICE
        return 1 + (right if observation[FLAGS_AT + 1] == 4 else 1 - right)
    if action < KEEP_CLIMBER:
        at = START_ROW_AT + (NUM_CARD_FEATURES + 3) * (action - START_CARD)
        value = card_worth(observation, at)
        for i in range(3):
            value += 2 * min(2, int(observation[at + NUM_CARD_FEATURES + i]))
        return value
    if action < REARRANGE_LEVEL:
        at = CLIMBER_CHOICE_AT + NUM_CARD_FEATURES * (action - KEEP_CLIMBER)
        _, _, _, total, missing = wish(observation, at, SUMMIT_SLOT)
        return 100 - 2 * total - missing
    return NEVER


@rule
def choose_climber(observation, action_mask, generator):
    """The legal action with the highest score, ties broken at random."""
    kind = 0
    while kind < NUM_DECISION_KINDS - 1 and not observation[DECISION_AT + kind]:
        kind += 1
    chosen = -1
    best = 2 * NEVER
    ties = 0
    for action in range(action_mask.shape[0]):
        if action_mask[action]:
            score = action_score(observation, kind, action)
            if score > best:
                best = score
                chosen = action
                ties = 1
            elif score == best:
                ties += 1
                if below(generator, ties) == 0:
                    chosen = action
    return chosen
