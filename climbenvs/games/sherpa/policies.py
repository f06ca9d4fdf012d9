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
    ON_SEAT_YETI,
    WITHDRAW,
)
from climbenvs.games.sherpa.observation import OBSERVATION, PUBLIC, TURN
from climbenvs.games.sherpa.state import (
    CAMPS_OWN,
    ELEMENT_COLUMNS,
    FIRST_KIND,
    FOOD,
    HALTED,
    HAND_SIZE,
    HAS_BUILT,
    ICE_AXE,
    IS_CAMP,
    MAX_LINE,
    MAX_PLAYERS,
    NUM_CHARACTER_KINDS,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    OXYGEN,
    PRESENT,
    SEAT_COLUMNS,
    SPACES,
    USABLE,
)

_OWN = OBSERVATION.offset("own_characters")
_HAND = OBSERVATION.offset("own_hand")
_SEATS = OBSERVATION.offset("seats")
_COMMON = OBSERVATION.offset("public") + PUBLIC.offset("camps_common")
_ESTABLISHED = _COMMON + 1
_POINTS = OBSERVATION.offset("turn") + TURN.offset("points")
_BONUS = _POINTS + 1

# The shipped deck's climb cards, dearest first: kind, points, and the price as three flags.
_DEAREST = np.array(
    [
        (6, 10, 1, 1, 1),
        (5, 7, 0, 1, 1),
        (4, 7, 1, 0, 1),
        (3, 7, 1, 1, 0),
        (2, 4, 0, 0, 1),
        (1, 4, 0, 1, 0),
        (0, 4, 1, 0, 0),
    ],
    np.int64,
)
# What a card is worth keeping when a character has to be paid for.
_KEEP = np.array([3, 3, 3, 5, 5, 5, 6, 0, 0, 0, 0, 0, 4, 4, 3, 5], np.int64)
_FAR = 1000


# ---------------------------------------------------------------------------------- what one sees


@rule
def place_of(obs, slot):
    """Position of an own character, -1 when off the line."""
    return int(obs[_OWN + 6 * slot + 1]) - 1


@rule
def carries(obs, slot, resource):
    """Tokens of a type on an own character."""
    return int(obs[_OWN + 6 * slot + 2 + resource])


@rule
def is_free_own(obs, slot):
    """Whether an own character is on the line and not halted."""
    return obs[_OWN + 6 * slot + 5] == 1


@rule
def element_at(obs, position, column):
    """One column of the element at a position of the line."""
    return int(obs[ELEMENT_COLUMNS * position + column])


@rule
def line_length(obs):
    """Number of elements in the line."""
    length = 0
    while length < MAX_LINE and is_element(obs, length):
        length += 1
    return length


@rule
def is_element(obs, position):
    """Whether there is an element at a position: owned by somebody, a neutral or a camp."""
    for column in range(IS_CAMP + 1):
        if element_at(obs, position, column):
            return True
    return False


@rule
def first_person(obs, position):
    """The first position from `position` on that holds no camp."""
    while position < MAX_LINE - 1 and element_at(obs, position, IS_CAMP):
        position += 1
    return position


@rule
def climb_cost(obs, high, low):
    """Steps that bring the characters at two positions, `high` above `low`, to the summit."""
    top = first_person(obs, 0)
    second = top + 1
    if high == top:
        second = first_person(obs, second)
    return high - top + low - second


@rule
def missing_types(obs, one, other):
    """Number of token types that two own characters do not carry between them."""
    missing = 0
    for resource in range(NUM_RESOURCES):
        if carries(obs, one, resource) == 0 and carries(obs, other, resource) == 0:
            missing += 1
    return missing


@rule
def pair_cost(obs, pair):
    """Steps that bring a pair (6 * guide + other) to the summit."""
    one = place_of(obs, pair // NUM_SLOTS)
    other = place_of(obs, pair % NUM_SLOTS)
    return climb_cost(obs, min(one, other), max(one, other))


@rule
def best_pair(obs):
    """The guide and other character nearest to the summit with their tokens, or -1."""
    best = -1
    best_score = _FAR
    for guide in range(2):
        if not is_free_own(obs, guide):
            continue
        for other in range(NUM_SLOTS):
            if other != guide and is_free_own(obs, other):
                pair = NUM_SLOTS * guide + other
                score = 2 * pair_cost(obs, pair) + 5 * missing_types(obs, guide, other)
                score -= 2 * int(SPACES[other // 2])
                if score < best_score:
                    best_score = score
                    best = pair
    return best


@rule
def can_build(obs):
    """Whether there is a camp tile to build with."""
    return obs[_SEATS + CAMPS_OWN] > 0 or obs[_COMMON] > 0


# ------------------------------------------------------------------------------------ the budget


@rule
def spare(obs, pair, resource, reserve):
    """Usable tokens of a type, less one that the pair has to keep."""
    tokens = int(obs[_SEATS + USABLE + resource])
    if reserve and pair >= 0:
        held = carries(obs, pair // NUM_SLOTS, resource) + carries(obs, pair % NUM_SLOTS, resource)
        if held > 0:
            tokens -= 1
    return tokens


@rule
def plan(obs, pair, reserve, need, dearest_first):
    """Climb cards played one after the other until `need` points: 16 * points + first kind."""
    ice_axes = spare(obs, pair, ICE_AXE, reserve)
    oxygen = spare(obs, pair, OXYGEN, reserve)
    food = spare(obs, pair, FOOD, reserve)
    points = int(obs[_POINTS])
    first = NUM_KINDS - 1
    for index in range(7):
        row = index if dearest_first else 6 - index
        kind, gain, price_i, price_o, price_f = _DEAREST[row]
        for _ in range(int(obs[_HAND + kind])):
            if points >= need or price_i > ice_axes or price_o > oxygen or price_f > food:
                break
            if first == NUM_KINDS - 1:
                first = int(kind)
                points += int(obs[_BONUS])
            points += gain
            ice_axes -= price_i
            oxygen -= price_o
            food -= price_f
    return 16 * points + first


@rule
def card_for(obs, mask, pair, reserve, need):
    """The climb card to play now on the way to `need` points, or -1 if they are out of reach."""
    for dearest_first in range(2):
        found = plan(obs, pair, reserve, need, dearest_first)
        kind = found % 16
        if found // 16 >= need and kind < NUM_KINDS - 1 and mask[kind]:
            return kind
    return -1


# ------------------------------------------------------------------------------------- the attack


@rule
def threat(obs, seat):
    """Steps that a relative seat's best pair is away from the summit; few are dangerous."""
    high = -1
    guides = 0
    for position in range(MAX_LINE):
        if element_at(obs, position, seat):
            guide = element_at(obs, position, FIRST_KIND)
            if high < 0:
                high = position
                guides = guide
            elif guides or guide:
                return climb_cost(obs, high, position)
    return _FAR


@rule
def rival(obs):
    """The other seat nearest to the summit, or -1."""
    best = -1
    nearest = _FAR
    for seat in range(1, MAX_PLAYERS):
        if obs[_SEATS + SEAT_COLUMNS * seat + PRESENT]:
            steps = threat(obs, seat) - 3 * int(obs[_SEATS + SEAT_COLUMNS * seat + HAS_BUILT])
            if steps < nearest:
                nearest = steps
                best = seat
    return best


@rule
def attack(obs, mask, within):
    """A danger for the rival if it is within some steps of the summit, or -1."""
    seat = rival(obs)
    if seat < 0 or threat(obs, seat) > within:
        return -1
    row = _SEATS + SEAT_COLUMNS * seat
    if mask[ON_SEAT_CREVASSE + seat] and obs[row + USABLE + ICE_AXE] == 0:
        return ON_SEAT_CREVASSE + seat
    if mask[ON_SEAT_AVALANCHE + seat] and obs[row + USABLE + OXYGEN] == 0:
        return ON_SEAT_AVALANCHE + seat
    top = first_person(obs, 0)
    if mask[BLIZZARD_AT] and element_at(obs, top, seat) and not element_at(obs, top, HALTED):
        return BLIZZARD_AT
    if mask[ON_SEAT_YETI + seat]:
        return ON_SEAT_YETI + seat
    if mask[ON_SEAT_CREVASSE + seat]:
        return ON_SEAT_CREVASSE + seat
    if mask[ON_SEAT_AVALANCHE + seat]:
        return ON_SEAT_AVALANCHE + seat
    return -1


@rule
def clear_neutral(obs, mask):
    """A blizzard that removes a neutral from the top, or -1."""
    if mask[BLIZZARD_AT] and element_at(obs, first_person(obs, 0), 5):
        return BLIZZARD_AT
    return -1


# --------------------------------------------------------------------------------- moving together


@rule
def upper_of(obs, pair):
    """The higher one of a pair."""
    one, other = pair // NUM_SLOTS, pair % NUM_SLOTS
    return one if place_of(obs, one) < place_of(obs, other) else other


@rule
def lower_of(obs, pair):
    """The lower one of a pair."""
    return pair // NUM_SLOTS + pair % NUM_SLOTS - upper_of(obs, pair)


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
    best_gap = _FAR
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
def empty_spaces(obs, slot):
    """Spaces for tokens that an own character has free."""
    spaces = int(SPACES[slot // 2])
    for resource in range(NUM_RESOURCES):
        spaces -= carries(obs, slot, resource)
    return spaces


@rule
def steps_to_camp(obs, slot):
    """Steps up to the next place beside an open camp, 0 if the character is there already."""
    place = place_of(obs, slot)
    if place + 1 < MAX_LINE and is_open_camp(obs, place + 1):
        return 0
    for camp in range(place - 1, -1, -1):
        if is_open_camp(obs, camp):
            return place - camp - 1
    return _FAR


@rule
def is_open_camp(obs, position):
    """Whether a camp that is not halted lies at a position."""
    return element_at(obs, position, IS_CAMP) and not element_at(obs, position, HALTED)


@rule
def refill(obs, mask, pair):
    """The next action of a character with empty spaces on its way to a camp, or -1."""
    best = -1
    best_score = 0
    for slot in range(NUM_SLOTS):
        if is_free_own(obs, slot):
            steps = steps_to_camp(obs, slot)
            score = 4 * empty_spaces(obs, slot) - steps
            if 0 < steps < _FAR and score > best_score:
                best_score = score
                best = slot
    if best < 0:
        return -1
    steps = steps_to_camp(obs, best)
    if obs[_POINTS] >= steps:
        return MOVE + best if mask[MOVE + best] else -1
    return card_for(obs, mask, pair, True, steps)


@rule
def recycle(obs, mask):
    """A blizzard that takes an own empty character off the line, to be added anew, or -1."""
    if obs[_SEATS + USABLE + FOOD] > 0:
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
    if obs[_POINTS] >= need:
        return climb_step(obs, mask, pair)
    return card_for(obs, mask, pair, reserve, need)


@rule
def prepare(obs, mask, pair):
    """The next action towards building the camps that make the summit accessible, or -1."""
    slot = free_tile_step(obs, mask)
    if slot >= 0:
        if mask[MOVE + slot]:
            return MOVE + slot
        if obs[_POINTS] == 0:
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
    if obs[_POINTS] >= gap:
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
    if obs[_POINTS] > 0:
        return climb_step(obs, mask, pair)
    if obs[_SEATS + HAND_SIZE] >= 8:
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
        if obs[_POINTS] == 0:
            action = card_for(obs, mask, pair, True, 1)
            return action if action >= 0 else card_for(obs, mask, pair, False, 1)
    action = card_for(obs, mask, pair, True, int(obs[_POINTS]) + 1)
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
    ready = obs[_ESTABLISHED] >= 2 and obs[_SEATS + HAS_BUILT] == 1
    missing = missing_types(obs, pair // NUM_SLOTS, pair % NUM_SLOTS)
    action = -1
    if ready and missing == 0:
        action = go(obs, mask, pair, True)
    if action < 0 and obs[_ESTABLISHED] >= 1 and can_build(obs):
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
def touches(obs, pair):
    """Whether a pair stands side by side."""
    return place_of(obs, upper_of(obs, pair)) + 1 == place_of(obs, lower_of(obs, pair))


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
        action = attack(obs, mask, 6 if obs[_SEATS + HAND_SIZE] < 20 else _FAR)
    if action < 0:
        action = recycle(obs, mask)
    if action < 0 and (obs[_ESTABLISHED] < 2 or obs[_SEATS + HAS_BUILT] == 0):
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
    best_score = _FAR
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
    best_place = _FAR
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
def is_on_line(obs, slot):
    """Whether an own character is on the line."""
    return obs[_OWN + 6 * slot] == 1


@rule
def choose_discard(obs, mask):
    """The card that is worth least."""
    best = -1
    best_score = _FAR
    for kind in range(NUM_KINDS):
        if mask[DISCARD_KIND + kind]:
            score = int(_KEEP[kind]) - int(obs[_HAND + kind])
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
