"""What the scripted players of Snow Climbing think of a position.

They know the shipped deck, and of the game only the observation. All costs are in the unit of a
tile that is met. `w` holds the weights in the order of the names below.
"""

import numpy as np

from climbenvs.engine.bits import bit, lowest, popcount
from climbenvs.engine.jit import rule
from climbenvs.games.snow_climbing import observation as layout
from climbenvs.games.snow_climbing.deck import TILES as TILE_RULES
from climbenvs.games.snow_climbing.deck import read_deck
from climbenvs.games.snow_climbing.state import (
    BLIZZARD,
    CARDS,
    COUNT,
    DIFFERENT_TYPES,
    GEAR_TYPES,
    MAX_NUMBER,
    ROUNDS,
    SAME_GEAR,
    SAME_NUMBER,
    SAME_TYPE,
    TILES,
    TOKENS,
    TYPES,
)

_DECK = read_deck(None)[0]
TYPE_OF = _DECK["type_of"].copy()
LOW = _DECK["low"].copy()
TYPE_CARDS = _DECK["type_cards"].copy()
NUMBER_CARDS = _DECK["number_cards"].copy()
ABOVE = _DECK["above"].copy()
PARTNERS = _DECK["partners"].copy()
METRIC = _DECK["metric"].copy()
COUNTED = _DECK["counted"].copy()
LIMIT = np.append(_DECK["limit"], _DECK["blizzard_limit"])
SNOWFLAKES = int(_DECK["snowflakes"])
SAVES = _DECK["saves"].copy()
LEVEL = np.array([level for level, *_ in TILE_RULES], np.int64)
LEVEL_SIZE = _DECK["level_size"].copy()
ALL_CARDS = 2**CARDS - 1
TENT, ROPE, COMPASS, FIRST_GEAR = 0, 1, 2, 3
TENTS = int(TYPE_CARDS[TENT])
ROPES = int(TYPE_CARDS[ROPE])

WEIGHT_NAMES = (
    "progress",  # of a tile, times its share of the limit
    "near",  # one card short of a limit
    "met",  # at or beyond a limit
    "next_level",  # share of the above for tiles of the next round, divided by their number
    "later",  # further factor for every round after that
    "lost",  # expected loss of a card at camp
    "rope",  # the same for a rope
    "go_on",  # climbing goes on
    "height",  # then, number on top in twentieths
    "steep",  # then, its square
    "held_rope",  # then, ropes still in hands
    "held",  # then, cards that camp would lose now
    "clear",  # gain if the next player can clear the stack
    "recover",  # gain if a card can be recovered
    "snow_card",  # a card in the snow, whatever the tiles say
    "pass_gear",  # gain of passing the higher card of a gear pair
    "pass_rope",  # gain of passing a rope
    "pass_tent",  # gain of passing a tent
    "pass_high",  # gain of passing a card, times its number in twentieths
    "pass_single",  # gain of passing a card without another of its type in the hand
    "pass_compass",  # gain of passing the higher card of a compass pair
    "own_stuck",  # after a recovery, not being able to act oneself
)
(
    W_PROGRESS,
    W_NEAR,
    W_MET,
    W_NEXT_LEVEL,
    W_LATER,
    W_LOST,
    W_ROPE,
    W_GO_ON,
    W_HEIGHT,
    W_STEEP,
    W_HELD_ROPE,
    W_HELD,
    W_CLEAR,
    W_RECOVER,
    W_SNOW_CARD,
    W_PASS_GEAR,
    W_PASS_ROPE,
    W_PASS_TENT,
    W_PASS_HIGH,
    W_PASS_SINGLE,
    W_PASS_COMPASS,
    W_OWN_STUCK,
) = range(len(WEIGHT_NAMES))


@rule
def read_cards(observation, offset):
    """A plane of an observation as a set."""
    cards = 0
    for card in range(CARDS):
        if observation[offset + card]:
            cards |= bit(card)
    return cards


@rule
def this_round(observation):
    """The round, 1 to 5."""
    number = 1
    for index in range(ROUNDS):
        if observation[layout.NUMBERS + layout.ROUND + index]:
            number = index + 1
    return number


@rule
def most_in(snow, first):
    """Most cards of one type, from type `first` on."""
    most = 0
    for kind in range(first, TYPES):
        most = max(most, popcount(snow & TYPE_CARDS[kind]))
    return most


@rule
def types_in(snow, first):
    """Number of types with a card, from type `first` on."""
    count = 0
    for kind in range(first, TYPES):
        count += (snow & TYPE_CARDS[kind]) != 0
    return count


@rule
def tile_metric(observation, tile, snow):
    """Metric of a tile for a snow area that may come; both tokens count if they are known."""
    metric = METRIC[tile]
    if metric == COUNT:
        return popcount(snow & COUNTED[tile])
    if metric == SAME_TYPE:
        return most_in(snow, 0)
    if metric == SAME_GEAR:
        return most_in(snow, FIRST_GEAR)
    if metric == SAME_NUMBER:
        most = 0
        for number in range(1, MAX_NUMBER + 1):
            most = max(most, popcount(snow & NUMBER_CARDS[number]))
        return most
    if metric == DIFFERENT_TYPES:
        return types_in(snow, 0)
    count = 0
    for token in range(GEAR_TYPES):
        if observation[layout.NUMBERS + layout.TOKEN_FLAGS + token]:
            count += (snow & TYPE_CARDS[FIRST_GEAR + token]) != 0
    return count


@rule
def condition_cost(amount, limit, w):
    """Cost of a metric that has reached `amount` of `limit`."""
    if amount >= limit:
        return w[W_MET]
    cost = w[W_PROGRESS] * amount / limit
    if amount == limit - 1:
        cost += w[W_NEAR]
    return cost


@rule
def snow_cost(observation, snow, w):
    """Danger of a snow area: revealed conditions, and with less weight those that may come."""
    now = this_round(observation)
    cost = w[W_SNOW_CARD] * popcount(snow)
    for tile in range(TILES):
        level = LEVEL[tile]
        if observation[layout.NUMBERS + layout.REVEALED_TILES + tile]:
            cost += condition_cost(tile_metric(observation, tile, snow), LIMIT[tile], w)
        elif level > now:
            weight = w[W_NEXT_LEVEL] * w[W_LATER] ** (level - now - 1) / LEVEL_SIZE[level - 1]
            if METRIC[tile] == TOKENS:
                gear = types_in(snow, FIRST_GEAR)
                both = gear * (gear - 1) / (GEAR_TYPES * (GEAR_TYPES - 1))
                cost += weight * (both * w[W_MET] + gear / GEAR_TYPES * w[W_PROGRESS])
            else:
                amount = tile_metric(observation, tile, snow)
                cost += weight * condition_cost(amount, LIMIT[tile], w)
    if observation[layout.NUMBERS + layout.BLIZZARD_OPTION]:
        cost += condition_cost(popcount(snow & SNOWFLAKES), LIMIT[BLIZZARD], w)
    return cost


@rule
def expected_loss(hand, unseen, others):
    """Cards but ropes that camp would lose now, on average.

    Args:
        hand: set of the cards known to be in hands.
        unseen: set of the cards that may be anywhere.
        others: how many of them are in hands.
    """
    total = popcount(unseen)
    share = others / total if total else 0.0
    odd_types = 0.0
    pairs = 0.0
    for kind in range(TYPES):
        if kind != ROPE:
            hidden = popcount(unseen & TYPE_CARDS[kind])
            own = popcount(hand & TYPE_CARDS[kind])
            odd = (1.0 - (1.0 - 2.0 * share) ** hidden) / 2.0
            if own & 1:
                odd = 1.0 - odd
            odd_types += odd
            if kind == TENT:
                pairs = (own + share * hidden - odd) / 2.0
    return max(0.0, odd_types - pairs)


@rule
def stuck_chance(known, unseen, count, number):
    """Chance that a hand cannot act on a number on top.

    Args:
        known: set of its known cards.
        unseen: set of the cards from which the others are.
        count: how many others.
        number: on top.
    """
    if known & ABOVE[number]:
        return 0.0
    total = popcount(unseen)
    if count <= 0 or total == 0:
        return 1.0
    climbers = popcount(unseen & ABOVE[number]) / total
    pairs = 0
    rest = unseen
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        pairs += popcount(unseen & PARTNERS[number, card])
    route = min(1.0, 2.0 * pairs / max(1, total * (total - 1)))
    return (1.0 - climbers) ** count * (1.0 - route) ** (count * (count - 1) / 2)


@rule
def match_chance(known, unseen, count, kind, number):
    """Chance that a hand has a card of the type that climbs the number."""
    wanted = TYPE_CARDS[kind] & ABOVE[number]
    if known & wanted:
        return 1.0
    total = popcount(unseen)
    if count <= 0 or total == 0:
        return 0.0
    return 1.0 - (1.0 - popcount(unseen & wanted) / total) ** count
