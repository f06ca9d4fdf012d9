"""What a scripted player can afford, and whom it hits."""

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.actions import (
    BLIZZARD_AT,
    ON_SEAT_AVALANCHE,
    ON_SEAT_CREVASSE,
    ON_SEAT_YETI,
)
from climbenvs.games.sherpa.scouting import (
    BONUS,
    FAR,
    HAND,
    POINTS,
    SEATS,
    carries,
    climb_cost,
    element_at,
    first_person,
)
from climbenvs.games.sherpa.state import (
    FIRST_KIND,
    FOOD,
    HALTED,
    HAS_BUILT,
    ICE_AXE,
    MAX_LINE,
    MAX_PLAYERS,
    NUM_KINDS,
    NUM_SLOTS,
    OXYGEN,
    PRESENT,
    SEAT_COLUMNS,
    USABLE,
)

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


# --------------------------------------------------------------------------------------- the budget


@rule
def spare(obs, pair, resource, reserve):
    """Usable tokens of a type, less one that the pair has to keep."""
    tokens = int(obs[SEATS + USABLE + resource])
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
    points = int(obs[POINTS])
    first = NUM_KINDS - 1
    for index in range(7):
        row = index if dearest_first else 6 - index
        kind, gain, price_i, price_o, price_f = _DEAREST[row]
        for _ in range(int(obs[HAND + kind])):
            if points >= need or price_i > ice_axes or price_o > oxygen or price_f > food:
                break
            if first == NUM_KINDS - 1:
                first = int(kind)
                points += int(obs[BONUS])
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


# --------------------------------------------------------------------------------------- the attack


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
    return FAR


@rule
def rival(obs):
    """The other seat nearest to the summit, or -1."""
    best = -1
    nearest = FAR
    for seat in range(1, MAX_PLAYERS):
        if obs[SEATS + SEAT_COLUMNS * seat + PRESENT]:
            steps = threat(obs, seat) - 3 * int(obs[SEATS + SEAT_COLUMNS * seat + HAS_BUILT])
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
    row = SEATS + SEAT_COLUMNS * seat
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
