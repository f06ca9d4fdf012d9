"""Scripted players. They see an observation and its mask, nothing else.

`climber` keeps one token of each type on its best pair of a guide and another character, brings
pairs together to build camps, adds characters, throws dangers at whoever is nearest to winning, and
goes for the summit as soon as its cards suffice. It knows the shipped deck's climb cards.
"""

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.actions import (
    ADD,
    BLIZZARD_AT,
    BUILD,
    DISCARD_KIND,
    END_PLAYING,
    END_TURN,
    MOVE,
    ON_SEAT_AVALANCHE,
    ON_SEAT_CREVASSE,
    WITHDRAW,
)
from climbenvs.games.sherpa.scouting import (
    ESTABLISHED,
    FAR,
    HAND,
    POINTS,
    SEATS,
    best_pair,
    can_build,
    carries,
    element_at,
    empty_spaces,
    first_person,
    is_free_own,
    is_on_line,
    is_open_camp,
    line_length,
    lower_of,
    missing_types,
    pair_cost,
    place_of,
    steps_to_camp,
    touches,
    upper_of,
)
from climbenvs.games.sherpa.state import (
    FOOD,
    HAND_SIZE,
    HAS_BUILT,
    ICE_AXE,
    IS_CAMP,
    NUM_CHARACTER_KINDS,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    OXYGEN,
    SPACES,
    USABLE,
)
from climbenvs.games.sherpa.tactics import (
    attack,
    card_for,
    clear_neutral,
    spare,
)

# What a card is worth keeping when a character has to be paid for.
_KEEP = np.array([3, 3, 3, 5, 5, 5, 6, 0, 0, 0, 0, 0, 4, 4, 3, 5], np.int64)


# ---------------------------------------------------------------------------------- moving together


@rule
def climb_step(obs, mask, pair):
    """The next step of a pair on its way to the summit, or -1 if it cannot be made."""
    one, other = upper_of(obs, pair), lower_of(obs, pair)
    if pair_cost(obs, pair) == 0:
        return -1
    if place_of(obs, one) > first_person(obs, 0):
        if mask[MOVE + one]:
            return MOVE + one
    elif mask[MOVE + other]:
        return MOVE + other
    return -1


@rule
def meeting(obs):
    """The two own characters that are cheapest to bring side by side: 6 * upper + lower, or -1.

    Only the lower one moves, and it may be halted no more than what it passes.
    """
    best = -1
    best_gap = FAR
    for upper in range(NUM_SLOTS):
        high = place_of(obs, upper)
        if high < 0:
            continue
        for lower in range(NUM_SLOTS):
            low = place_of(obs, lower)
            if low > high and is_free_own(obs, lower):
                gap = 4 * (low - high - 1) + (upper >= 2 and lower >= 2)
                if gap < best_gap:
                    best_gap = gap
                    best = NUM_SLOTS * upper + lower
    return best


@rule
def free_tile_step(obs, mask):
    """The lowest character's slot if stepping over the camp above it frees the tile, or -1."""
    last = line_length(obs) - 1
    if last < 1 or not element_at(obs, last - 1, IS_CAMP):
        return -1
    for slot in range(NUM_SLOTS):
        if place_of(obs, slot) == last and is_free_own(obs, slot):
            return slot
    return -1


@rule
def refill(obs, mask, pair):
    """The next action of a character with empty spaces on its way to a camp, or -1."""
    best = -1
    best_score = 0
    for slot in range(NUM_SLOTS):
        if is_free_own(obs, slot):
            steps = steps_to_camp(obs, slot)
            score = 4 * empty_spaces(obs, slot) - steps
            if 0 < steps < FAR and score > best_score:
                best_score = score
                best = slot
    if best < 0:
        return -1
    steps = steps_to_camp(obs, best)
    if obs[POINTS] >= steps:
        return MOVE + best if mask[MOVE + best] else -1
    return card_for(obs, mask, pair, True, steps)


@rule
def recycle(obs, mask):
    """A blizzard that takes an own empty character off the line, to be added anew, or -1."""
    if obs[SEATS + USABLE + FOOD] > 0:
        return -1
    last = line_length(obs) - 1
    for end in range(2):
        if mask[BLIZZARD_AT + end]:
            place = last if end == 1 else first_person(obs, 0)
            for slot in range(2, NUM_SLOTS):
                if place_of(obs, slot) == place and empty_spaces(obs, slot) == SPACES[slot // 2]:
                    return BLIZZARD_AT + end
    return -1


# ------------------------------------------------------------------------------------ the decisions


@rule
def go(obs, mask, pair, reserve):
    """The next action of a climb to the summit within this turn, or -1 if it is out of reach."""
    if pair < 0:
        return -1
    need = pair_cost(obs, pair)
    if obs[POINTS] >= need:
        return climb_step(obs, mask, pair)
    return card_for(obs, mask, pair, reserve, need)


@rule
def prepare(obs, mask, pair):
    """The next action towards building the camps that make the summit accessible, or -1."""
    slot = free_tile_step(obs, mask)
    if slot >= 0:
        if mask[MOVE + slot]:
            return MOVE + slot
        if obs[POINTS] == 0:
            return card_for(obs, mask, pair, True, 1)
    if not can_build(obs):
        return -1
    both = meeting(obs)
    if both < 0:
        return -1
    lower = both % NUM_SLOTS
    gap = place_of(obs, lower) - place_of(obs, both // NUM_SLOTS) - 1
    if gap == 0:
        return -1
    if obs[POINTS] >= gap:
        return MOVE + lower if mask[MOVE + lower] else -1
    return card_for(obs, mask, pair, True, gap)


@rule
def is_met(obs):
    """Whether two own characters stand side by side."""
    both = meeting(obs)
    return both >= 0 and place_of(obs, both % NUM_SLOTS) == place_of(obs, both // NUM_SLOTS) + 1


@rule
def advance(obs, mask, pair):
    """Bring the best pair nearer to the summit with what can be spared, or -1."""
    if pair_cost(obs, pair) == 0:
        return -1
    if obs[POINTS] > 0:
        return climb_step(obs, mask, pair)
    if obs[SEATS + HAND_SIZE] >= 8:
        return card_for(obs, mask, pair, True, 1)
    return -1


@rule
def gather(obs, mask, pair):
    """Get the missing tokens at a camp on top: step into it, and spend doubles to draw anew."""
    upper, lower = upper_of(obs, pair), lower_of(obs, pair)
    top = place_of(obs, upper)
    if steps_to_camp(obs, lower) > 0 and top > 0 and is_open_camp(obs, top - 1):
        if mask[MOVE + upper]:
            return MOVE + upper
        if obs[POINTS] == 0:
            action = card_for(obs, mask, pair, True, 1)
            return action if action >= 0 else card_for(obs, mask, pair, False, 1)
    action = card_for(obs, mask, pair, True, int(obs[POINTS]) + 1)
    if action < 0:
        # An own danger takes a double too.
        if mask[ON_SEAT_AVALANCHE] and spare(obs, pair, OXYGEN, True) > 0:
            action = ON_SEAT_AVALANCHE
        elif mask[ON_SEAT_CREVASSE] and spare(obs, pair, ICE_AXE, True) > 0:
            action = ON_SEAT_CREVASSE
    return action


@rule
def climb(obs, mask, pair):
    """The next action on a way to win in this turn, or -1."""
    ready = obs[ESTABLISHED] >= 2 and obs[SEATS + HAS_BUILT] == 1
    missing = missing_types(obs, pair // NUM_SLOTS, pair % NUM_SLOTS)
    action = -1
    if ready and missing == 0:
        action = go(obs, mask, pair, True)
    if action < 0 and obs[ESTABLISHED] >= 1 and can_build(obs):
        if pair_cost(obs, pair) == 0 and touches(obs, pair):
            return END_PLAYING
        action = go(obs, mask, pair, True)
        if action < 0:
            action = go(obs, mask, pair, False)
    if action < 0 and ready and missing > 0:
        top = first_person(obs, 0)
        if top > 0 and is_open_camp(obs, top - 1):
            if pair_cost(obs, pair) == 0:
                return gather(obs, mask, pair)
            action = go(obs, mask, pair, True)
            if action < 0:
                action = go(obs, mask, pair, False)
    return action


@rule
def choose_play(obs, mask):
    """Go to the summit, or hinder, prepare and advance."""
    pair = best_pair(obs)
    action = -1
    if pair >= 0:
        action = climb(obs, mask, pair)
    if action < 0:
        action = clear_neutral(obs, mask)
    if action < 0:
        # A very large hand is played out, so that cards come back to the pile.
        action = attack(obs, mask, 6 if obs[SEATS + HAND_SIZE] < 20 else FAR)
    if action < 0:
        action = recycle(obs, mask)
    if action < 0 and (obs[ESTABLISHED] < 2 or obs[SEATS + HAS_BUILT] == 0):
        action = prepare(obs, mask, pair)
        if action < 0 and can_build(obs) and is_met(obs):
            return END_PLAYING
    if action < 0 and (pair < 0 or pair_cost(obs, pair) > 0):
        action = refill(obs, mask, pair)
    if action < 0 and pair >= 0:
        action = advance(obs, mask, pair)
    return action if action >= 0 else END_PLAYING


@rule
def worth(obs, pair, slot, resource):
    """What a token on one of the best pair is worth: little if it is a double beside a camp."""
    guide, other = pair // NUM_SLOTS, pair % NUM_SLOTS
    double = carries(obs, guide, resource) + carries(obs, other, resource) > 1
    if double and steps_to_camp(obs, slot) == 0:
        return -10
    return 5 if double else 10


@rule
def choose_carrier(obs, mask):
    """Give a token that the best pair does not need, else one of a type it has twice."""
    pair = best_pair(obs)
    best = -1
    best_score = FAR
    for slot in range(NUM_SLOTS):
        for resource in range(NUM_RESOURCES):
            action = WITHDRAW + NUM_RESOURCES * slot + resource
            if mask[action]:
                score = -carries(obs, slot, resource)
                if pair >= 0 and slot in (pair // NUM_SLOTS, pair % NUM_SLOTS):
                    score += worth(obs, pair, slot, resource)
                if score < best_score:
                    best_score = score
                    best = action
    return best


@rule
def choose_supply(obs, mask):
    """Build wherever one can, the highest place first; then add a character; then end the turn."""
    best = END_TURN
    best_place = FAR
    for slot in range(NUM_SLOTS):
        if mask[BUILD + slot] and place_of(obs, slot) < best_place:
            best_place = place_of(obs, slot)
            best = BUILD + slot
    if best != END_TURN:
        return best
    if mask[ADD] and not is_on_line(obs, 0) and not is_on_line(obs, 1):
        return ADD
    for kind in range(NUM_CHARACTER_KINDS - 1, -1, -1):
        if mask[ADD + kind]:
            return ADD + kind
    return END_TURN


@rule
def choose_discard(obs, mask):
    """The card that is worth least."""
    best = -1
    best_score = FAR
    for kind in range(NUM_KINDS):
        if mask[DISCARD_KIND + kind]:
            score = int(_KEEP[kind]) - int(obs[HAND + kind])
            if score < best_score:
                best_score = score
                best = DISCARD_KIND + kind
    return best


@rule
def choose_climber(observation, action_mask, generator):
    """The strongest scripted player; see the top of this file."""
    if action_mask[END_PLAYING]:
        return choose_play(observation, action_mask)
    if action_mask[END_TURN]:
        return choose_supply(observation, action_mask)
    for action in range(WITHDRAW, BUILD):
        if action_mask[action]:
            return choose_carrier(observation, action_mask)
    return choose_discard(observation, action_mask)
