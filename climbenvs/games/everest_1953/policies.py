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
from climbenvs.games.everest_1953.estimates import (
    OWN_SLOTS_AT,
    PYRAMID,
    RESOURCES_AT,
    SUMMIT_SLOT,
    card_worth,
    move_value,
    next_slot,
    summit_card,
    wish,
    worth,
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
    START_ROW_AT,
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
    SWAP,
    TRADE_HERE,
)
from climbenvs.games.everest_1953.tables import (
    NUM_BACKPACK_FEATURES,
    NUM_CARD_FEATURES,
    NUM_EFFECT_FEATURES,
    NUM_SLOT_FEATURES,
)

# Weights of the scores.
W_MOVE_FROM = -2  # what a move must gain more than
W_TAKE = 50  # taking a card
W_TAKE_FULL = 16  # taking one with a full hand, for the sake of base camp
W_BESIDE = 58  # playing a card beside the pyramid
W_PACK = 19  # per feature of a backpack
W_PACK_FORCED = 62  # a backpack that ends at the bivouac
W_BIVOUAC = 35  # going to the bivouac
W_EXTRA = 90  # the Extra Action

NEVER = -1000


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
