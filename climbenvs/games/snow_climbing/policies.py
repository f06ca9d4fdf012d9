"""Scripted players of Snow Climbing. They see an observation and its mask, nothing else.

`climber` weighs the number it leaves on top, what camp would lose now, whether the next player is
stuck, and the danger of the snow; its weights were found by a search. `novice` climbs in
small steps and looks at the revealed tiles only. Both know the shipped deck's numbers.
"""

import numpy as np

from climbenvs.engine.bits import bit, lowest, popcount
from climbenvs.engine.jit import rule
from climbenvs.games.snow_climbing import estimates as es
from climbenvs.games.snow_climbing import observation as layout
from climbenvs.games.snow_climbing.actions import (
    BURY_CARD,
    LOSE_CARD,
    PLAY_CARD,
    RECOVER_CARD,
    RECOVER_NOTHING,
    ROUTE_CARD,
    SAVE_CARD,
    USE_BACKPACK,
)
from climbenvs.games.snow_climbing.estimates import (
    ABOVE,
    ALL_CARDS,
    COMPASS,
    FIRST_GEAR,
    LOW,
    PARTNERS,
    ROPE,
    ROPES,
    SAVES,
    TENT,
    TYPE_CARDS,
    TYPE_OF,
    read_cards,
    snow_cost,
)
from climbenvs.games.snow_climbing.state import SEATS, TYPES

NO_CARD = -1
MANY = 1e9


def weights(**named):
    """Weights by name as an array; what is not named is not considered."""
    unknown = set(named) - set(es.WEIGHT_NAMES)
    assert not unknown, unknown
    return np.array([named.get(name, 0.0) for name in es.WEIGHT_NAMES])


CLIMBER = weights(
    progress=3.0,
    near=0.56,
    met=6.12,
    next_level=1.18,
    later=0.17,
    lost=0.97,
    rope=1.52,
    go_on=0.95,
    height=1.07,
    steep=1.0,
    held_rope=0.37,
    held=0.39,
    clear=1.31,
    recover=1.69,
    snow_card=0.94,
    pass_gear=1.88,
    pass_rope=0.3,
    pass_tent=-0.71,
    pass_high=0.16,
    pass_single=-0.23,
    pass_compass=0.5,
    own_stuck=0.56,
)
NOVICE = weights(progress=1.0, near=0.5, met=5.0, go_on=0.5, height=2.0, lost=0.5, rope=0.5)


@rule
def choose_as_climber(observation, action_mask, generator):
    """The strongest scripted player."""
    return choose(observation, action_mask, CLIMBER)


@rule
def choose_as_novice(observation, action_mask, generator):
    """A simple player that climbs in small steps."""
    return choose(observation, action_mask, NOVICE)


@rule
def choose(observation, action_mask, w):
    """The action of least cost, the first one among equals."""
    hand = read_cards(observation, layout.OWN_HAND)
    given = read_cards(observation, layout.GIVEN)
    snow = read_cards(observation, layout.STACK + layout.SNOW)
    pending = read_cards(observation, layout.PENDING)
    best = -1
    least = MANY
    for action in range(action_mask.shape[0]):
        if action_mask[action]:
            cost = action_cost(observation, action, hand, given, snow, pending, w)
            if best < 0 or cost < least:
                best = action
                least = cost
    return best


@rule
def action_cost(observation, action, hand, given, snow, pending, w):
    """Cost of any action."""
    if action < PLAY_CARD:
        return pass_cost(action, hand, w)
    if action < ROUTE_CARD:
        return play_cost(observation, action - PLAY_CARD, NO_CARD, hand, given, snow, w)
    if action < BURY_CARD:
        card = action - ROUTE_CARD
        return route_cost(observation, card, hand & ~bit(card), given, snow, w)
    if action < RECOVER_CARD:
        card = action - BURY_CARD
        return play_cost(observation, lowest(pending), card, hand, given, snow, w)
    if action <= RECOVER_NOTHING:
        return recover_cost(observation, action - RECOVER_CARD, hand, snow, pending, w)
    if action < USE_BACKPACK:
        return lose_cost(observation, action - LOSE_CARD, snow, w)
    if action < SAVE_CARD:
        backpack = action - USE_BACKPACK
        # Between equals, keep the backpack that fits more.
        return (
            save_cost(observation, snow & SAVES[backpack], snow, w)
            + popcount(SAVES[backpack]) / 1000
        )
    return snow_cost(observation, snow & ~bit(action - SAVE_CARD), w)


@rule
def top_card(observation):
    """The card on top of the stack, or NO_CARD."""
    top = read_cards(observation, layout.STACK + layout.TOP)
    return lowest(top) if top else NO_CARD


@rule
def pass_cost(card, hand, w):
    """Which card to give away: above all the higher one of a gear pair, so that it can clear."""
    kind = TYPE_OF[card]
    partners = hand & TYPE_CARDS[kind] & ~bit(card)
    cost = -w[es.W_PASS_HIGH] * LOW[card] / 20
    if kind == ROPE:
        cost -= w[es.W_PASS_ROPE]
    elif kind == TENT:
        cost -= w[es.W_PASS_TENT]
    elif partners & ~ABOVE[LOW[card]]:
        cost -= w[es.W_PASS_GEAR] if kind >= FIRST_GEAR else w[es.W_PASS_COMPASS]
    if partners == 0:
        cost -= w[es.W_PASS_SINGLE]
    return cost


@rule
def route_cost(observation, card, hand, given, snow, w):
    """Cost of a change of route with the best second card; `hand` is without the first."""
    number = observation[layout.NUMBERS + layout.TOP_NUMBER]
    least = MANY
    rest = hand & PARTNERS[number, card]
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        least = min(least, play_cost(observation, card, other, hand, given, snow, w))
    return least


@rule
def play_cost(observation, card, buried, hand, given, snow, w):
    """Cost of putting a card on the stack and another, if any, into the snow."""
    hand = hand & ~bit(card)
    below = top_card(observation)
    matched = below >= 0 and TYPE_OF[below] == TYPE_OF[card]
    number = LOW[card]
    kind = TYPE_OF[card]
    gain = 0.0
    if matched and kind >= FIRST_GEAR:
        number = 0
        kind = -1
    elif matched and kind == COMPASS and snow:
        gain = w[es.W_RECOVER]
    if buried >= 0:
        hand &= ~bit(buried)
        snow |= bit(buried)
    unseen = ALL_CARDS & ~(hand | given | snow | bit(card))
    unseen &= ~read_cards(observation, layout.STACK) & ~read_cards(observation, layout.CLEARED)
    sizes = layout.NUMBERS + layout.HAND_SIZES
    others = -popcount(given)
    for k in range(1, SEATS):
        others += observation[sizes + k]
    hidden_left = observation[sizes + 1] - popcount(given)
    known = hand | given
    lost = es.expected_loss(known, unseen, others)
    ropes = popcount(known & ROPES) + others * popcount(unseen & ROPES) / max(1, popcount(unseen))
    stuck = es.stuck_chance(given, unseen, hidden_left, number)
    going_on = (
        w[es.W_GO_ON]
        + w[es.W_HEIGHT] * number / 20
        + w[es.W_STEEP] * (number / 20) ** 2
        + w[es.W_HELD_ROPE] * ropes
        + w[es.W_HELD] * lost
    )
    if kind >= FIRST_GEAR:
        match = es.match_chance(given, unseen, hidden_left, kind, number)
        going_on -= w[es.W_CLEAR] * match * number / 20
    ending = w[es.W_LOST] * lost + w[es.W_ROPE] * ropes
    cost = stuck * ending + (1.0 - stuck) * going_on
    return cost - gain + snow_cost(observation, snow, w)


@rule
def can_act(hand, number):
    """Whether a hand can climb or change route."""
    if hand & ABOVE[number]:
        return True
    rest = hand
    while rest:
        if hand & PARTNERS[number, lowest(rest)]:
            return True
        rest &= rest - 1
    return False


@rule
def recover_cost(observation, card, hand, snow, pending, w):
    """Cost of recovering a card (none if its index is beyond the cards); oneself is next to act."""
    snow |= pending
    number = int(observation[layout.NUMBERS + layout.TOP_NUMBER])
    if card < TYPE_OF.shape[0]:
        snow &= ~bit(card)
        number = LOW[card]
    cost = w[es.W_HEIGHT] * number / 20 + w[es.W_STEEP] * (number / 20) ** 2
    if not can_act(hand, number):
        cost += w[es.W_OWN_STUCK]
    return cost + snow_cost(observation, snow, w)


@rule
def lose_cost(observation, card, snow, w):
    """Cost of losing a card at camp, with the best second loss if there is one."""
    snow = snow | bit(card)
    picks = observation[layout.NUMBERS + layout.CAMP_PICKS] - 1
    if picks == 0:
        return snow_cost(observation, snow, w)
    camp = read_cards(observation, layout.CAMP_CARDS)
    least = MANY
    types_left = 0
    for kind in range(TYPES - 1, TYPE_OF[card], -1):
        rest = camp & TYPE_CARDS[kind]
        types_left += rest != 0
        while rest and types_left >= picks:
            least = min(least, snow_cost(observation, snow | (rest & -rest), w))
            rest &= rest - 1
    return least


@rule
def save_cost(observation, cards, snow, w):
    """Danger of the snow after the best of the cards is saved."""
    least = MANY
    while cards:
        least = min(least, snow_cost(observation, snow & ~(cards & -cards), w))
        cards &= cards - 1
    return least
