"""What a scripted player reads out of an observation."""

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.observation import (
    OBSERVATION,
    PUBLIC,
    TURN,
)
from climbenvs.games.sherpa.state import (
    CAMPS_OWN,
    ELEMENT_COLUMNS,
    HALTED,
    IS_CAMP,
    MAX_LINE,
    NUM_RESOURCES,
    NUM_SLOTS,
    SPACES,
)

OWN = OBSERVATION.offset("own_characters")
HAND = OBSERVATION.offset("own_hand")
SEATS = OBSERVATION.offset("seats")
COMMON = OBSERVATION.offset("public") + PUBLIC.offset("camps_common")
ESTABLISHED = COMMON + 1
POINTS = OBSERVATION.offset("turn") + TURN.offset("points")
BONUS = POINTS + 1

FAR = 1000
"""More steps than there are."""


@rule
def place_of(obs, slot):
    """Position of an own character, -1 when off the line."""
    return int(obs[OWN + 6 * slot + 1]) - 1


@rule
def carries(obs, slot, resource):
    """Tokens of a type on an own character."""
    return int(obs[OWN + 6 * slot + 2 + resource])


@rule
def is_free_own(obs, slot):
    """Whether an own character is on the line and not halted."""
    return obs[OWN + 6 * slot + 5] == 1


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
    best_score = FAR
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
    return obs[SEATS + CAMPS_OWN] > 0 or obs[COMMON] > 0


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
    return FAR


@rule
def is_open_camp(obs, position):
    """Whether a camp that is not halted lies at a position."""
    return element_at(obs, position, IS_CAMP) and not element_at(obs, position, HALTED)


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
def is_on_line(obs, slot):
    """Whether an own character is on the line."""
    return obs[OWN + 6 * slot] == 1


@rule
def touches(obs, pair):
    """Whether a pair stands side by side."""
    return place_of(obs, upper_of(obs, pair)) + 1 == place_of(obs, lower_of(obs, pair))
