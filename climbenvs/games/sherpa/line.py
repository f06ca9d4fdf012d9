"""The roped party: who stands where, what everybody carries, and which blizzard lies on whom.

Everything that is derived (places, usable tokens, free characters, the flags of halted elements)
is kept up to date here and nowhere else.
"""

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.state import (
    BLIZZARDS_ON,
    DUE,
    FIRST_CAMP,
    FIRST_NEUTRAL,
    HALTED,
    HIT,
    NUM_RESOURCES,
    NUM_SLOTS,
    ON_LINE,
    SETTLED,
    TOKENS,
    USABLE,
)

NOBODY = -1
SEVERAL = -2


@rule
def put(s, element, position):
    """Write an element into a position of the line."""
    s.line[position] = element
    s.place[element] = position


@rule
def swap_up(s, element):
    """Swap an element with the one directly above it."""
    position = int(s.place[element])
    put(s, s.line[position - 1], position)
    put(s, element, position - 1)


@rule
def move_back(s, element, distance):
    """Move an element down; those it passes move up, the last position stops it (R35)."""
    position = int(s.place[element])
    target = min(position + distance, s.line_size - 1)
    while position < target:
        put(s, s.line[position + 1], position)
        position += 1
    put(s, element, position)


@rule
def insert(s, element, position):
    """Put an element that is not in the line into it; those from `position` on move down."""
    i = int(s.line_size)
    while i > position:
        put(s, s.line[i - 1], i)
        i -= 1
    put(s, element, position)
    s.line_size += 1


@rule
def take_out(s, element):
    """Take an element out of the line; those below it move up."""
    move_back(s, element, s.line_size)
    s.line_size -= 1
    s.line[s.line_size] = 0
    s.place[element] = -1


@rule
def enter(s, element):
    """A character without tokens joins the line at its end."""
    insert(s, element, s.line_size)
    seat = element // NUM_SLOTS
    s.seats[seat, ON_LINE] += 1
    s.num_free[seat] += 1


@rule
def is_free(s, element):
    """Whether a character is on the line and not halted."""
    return s.place[element] >= 0 and s.elements[element, HALTED] == 0


@rule
def highest_free(s, seat):
    """The highest character of a seat that is not halted, or NOBODY."""
    best = NOBODY
    for element in range(NUM_SLOTS * seat, NUM_SLOTS * seat + NUM_SLOTS):
        if is_free(s, element) and (best == NOBODY or s.place[element] < s.place[best]):
            best = element
    return best


@rule
def add_token(s, element, resource, change):
    """Move one token from the box to a character (`change` 1) or back (-1)."""
    s.elements[element, TOKENS + resource] += change
    s.box[resource] -= change
    if s.elements[element, HALTED] == 0:
        s.seats[element // NUM_SLOTS, USABLE + resource] += change


@rule
def carrier(s, seat, resource):
    """The free character that carries a type of token, NOBODY or SEVERAL."""
    found = NOBODY
    left = int(s.seats[seat, USABLE + resource])
    element = NUM_SLOTS * seat
    while left > 0:
        if s.elements[element, TOKENS + resource] > 0 and s.elements[element, HALTED] == 0:
            if found != NOBODY:
                return SEVERAL
            found = element
            left -= int(s.elements[element, TOKENS + resource])
        element += 1
    return found


@rule
def refresh_blizzards(s, element):
    """Recount the blizzards on an element; one that is settled halts it and freezes its tokens."""
    s.elements[element, BLIZZARDS_ON] = 0
    s.elements[element, BLIZZARDS_ON + 1] = 0
    s.elements[element, HIT] = 0
    halted = 0
    for i in range(int(s.num_blizzards)):
        if s.blizzard_on[i] == element:
            s.elements[element, BLIZZARDS_ON + s.blizzard_direction[i]] += 1
            if s.blizzard_state[i] == SETTLED:
                halted = 1
            elif s.blizzard_state[i] == DUE:
                s.elements[element, HIT] = 1
    if halted == s.elements[element, HALTED]:
        return
    s.elements[element, HALTED] = halted
    if element < FIRST_NEUTRAL:
        seat = element // NUM_SLOTS
        sign = 1 - 2 * halted
        s.num_free[seat] += sign
        for resource in range(NUM_RESOURCES):
            tokens = s.elements[element, TOKENS + resource]
            s.seats[seat, USABLE + resource] += sign * tokens


@rule
def remove_blizzard(s, index):
    """A blizzard leaves play; the younger ones close up."""
    element = int(s.blizzard_on[index])
    s.num_blizzards -= 1
    for i in range(index, int(s.num_blizzards)):
        s.blizzard_on[i] = s.blizzard_on[i + 1]
        s.blizzard_direction[i] = s.blizzard_direction[i + 1]
        s.blizzard_state[i] = s.blizzard_state[i + 1]
    s.blizzard_on[s.num_blizzards] = 0
    s.blizzard_direction[s.num_blizzards] = 0
    s.blizzard_state[s.num_blizzards] = 0
    refresh_blizzards(s, element)


@rule
def lift_blizzards(s, element):
    """Every blizzard on an element leaves play (R23)."""
    for i in range(int(s.num_blizzards) - 1, -1, -1):
        if s.blizzard_on[i] == element:
            remove_blizzard(s, i)


@rule
def tidy(s):
    """A camp in the lowest position leaves the line; its tile is for anyone (R16)."""
    while s.line_size > 0 and s.line[s.line_size - 1] >= FIRST_CAMP:
        camp = int(s.line[s.line_size - 1])
        lift_blizzards(s, camp)
        take_out(s, camp)
        s.camps_common += 1


@rule
def vanish(s, element):
    """A character or neutral disappears with its tokens and every blizzard on it."""
    lift_blizzards(s, element)
    take_out(s, element)
    if element < FIRST_NEUTRAL:
        seat = element // NUM_SLOTS
        for resource in range(NUM_RESOURCES):
            for _ in range(int(s.elements[element, TOKENS + resource])):
                add_token(s, element, resource, -1)
        s.seats[seat, ON_LINE] -= 1
        s.num_free[seat] -= 1
    tidy(s)
