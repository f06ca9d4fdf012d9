"""Danger cards and the storm that moves the blizzards at the end of a round."""

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.chance import turn_over
from climbenvs.games.sherpa.line import (
    NOBODY,
    SEVERAL,
    add_token,
    carrier,
    highest_free,
    is_free,
    move_back,
    refresh_blizzards,
    remove_blizzard,
    vanish,
)
from climbenvs.games.sherpa.state import (
    CREVASSE,
    DOWN,
    DUE,
    FIRST_CAMP,
    FIRST_NEUTRAL,
    FOOD,
    NUM_SLOTS,
    PAID,
    SETTLED,
    SHELTER,
    UP,
    YETI,
)


@rule
def fall_all(s, seat, distance):
    """Every free character of a seat falls the same distance, the lowest first."""
    first = NUM_SLOTS * seat
    limit = int(s.line_size)
    for _ in range(int(s.num_free[seat])):
        # Those that have fallen are at `limit` or below; those still to fall have not moved.
        lowest = NOBODY
        for element in range(first, first + NUM_SLOTS):
            still_to_fall = is_free(s, element) and s.place[element] < limit
            if still_to_fall and (lowest == NOBODY or s.place[element] > s.place[lowest]):
                lowest = element
        limit = int(s.place[lowest])
        move_back(s, lowest, distance)


@rule
def strike(s, t, kind, seat):
    """A crevasse, avalanche or yeti hits a seat that did not protect itself."""
    if kind != YETI:
        distance = int(t.distances[kind])
        if distance == 0:
            distance = turn_over(s, t)
        if kind == CREVASSE:
            move_back(s, highest_free(s, seat), distance)
        else:
            fall_all(s, seat, distance)
    else:
        move_back(s, highest_free(s, seat), int(s.line_size))


@rule
def place_blizzard(s, on_last):
    """A new blizzard hits the first or the last of the people in the line (R22)."""
    position = 0
    if on_last:
        position = int(s.line_size) - 1  # never a camp
    else:
        while s.line[position] >= FIRST_CAMP:
            position += 1
    index = int(s.num_blizzards)
    s.blizzard_on[index] = s.line[position]
    s.blizzard_direction[index] = UP if on_last else DOWN
    s.blizzard_state[index] = DUE
    s.num_blizzards += 1
    refresh_blizzards(s, int(s.line[position]))


@rule
def oldest_due(s):
    """Index of the oldest blizzard that still has to be dealt with, or -1."""
    for i in range(int(s.num_blizzards)):
        if s.blizzard_state[i] == DUE:
            return i
    return -1


@rule
def pay_food(s, index, element):
    """A character's food keeps the one that a blizzard hit alive."""
    add_token(s, element, FOOD, -1)
    s.blizzard_state[index] = PAID
    refresh_blizzards(s, int(s.blizzard_on[index]))


@rule
def settle_blizzards(s):
    """Deal with every due blizzard, oldest first; False when a player has to choose a carrier.

    A character just hit may pay with its own food: it is halted only once all hits of this event
    are dealt with (R17).
    """
    while True:
        index = oldest_due(s)
        if index < 0:
            break
        hit = int(s.blizzard_on[index])
        seat = hit // NUM_SLOTS
        food = carrier(s, seat, FOOD) if hit < FIRST_NEUTRAL else NOBODY
        if food == SEVERAL:
            s.decision = SHELTER
            s.player = seat
            s.asked = FOOD
            return False
        if food == NOBODY:
            vanish(s, hit)
        else:
            pay_food(s, index, food)
    for i in range(int(s.num_blizzards)):
        if s.blizzard_state[i] == PAID:
            s.blizzard_state[i] = SETTLED
            refresh_blizzards(s, int(s.blizzard_on[i]))
    return True


@rule
def move_blizzards(s, t):
    """Each blizzard moves along its arrow, oldest first; one that leaves the line is gone."""
    index = 0
    for _ in range(int(s.num_blizzards)):
        distance = turn_over(s, t)
        if distance == 0:
            index += 1
            continue
        old = int(s.blizzard_on[index])
        if s.blizzard_direction[index] == UP:
            distance = -distance
        position = int(s.place[old]) + distance
        if position < 0 or position >= s.line_size:
            remove_blizzard(s, index)
            continue
        new = int(s.line[position])
        s.blizzard_on[index] = new
        s.blizzard_state[index] = PAID if new >= FIRST_CAMP else DUE
        refresh_blizzards(s, old)
        refresh_blizzards(s, new)
        index += 1
