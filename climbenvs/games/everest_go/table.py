"""Moving cards about on the table, with everything derived from them kept up to date."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import shuffle
from climbenvs.engine.rows import clear
from climbenvs.games.everest_go.state import (
    COLDS,
    FIRST_PART,
    FLAG,
    FROZEN,
    HAND_SIZE,
    HIDDEN,
    HIDDEN_FOURS,
    HIDDEN_POINTS,
    LOOSE_POINTS,
    MAX_PLAYERS,
    NUM_KINDS,
    NUM_PARTS,
    OXYGEN,
    PART_SIZE,
    READY,
    SCORE,
    UNDER,
    VISIBLE,
)


@rule
def column(part, which):
    """Column of `seats` that holds one of a body part's ten features."""
    return FIRST_PART + PART_SIZE * part + which


@rule
def is_frozen(s, seat, part):
    """Whether a Hypothermia lies on the body part."""
    return s.seats[seat, column(part, FROZEN)] != 0


@rule
def is_ready(s, seat):
    """Whether the seat may shout: all six parts covered, none frozen."""
    return s.seats[seat, READY] != 0


@rule
def top(s, seat, part):
    """Points of the visible garment, 0 if there is none."""
    height = s.height[seat, part]
    if height == 0:
        return 0
    return int(s.stacks[seat, part, height - 1])


@rule
def stack_points(s, seat, part):
    """Points of all garments on a body part."""
    return top(s, seat, part) + int(s.seats[seat, column(part, HIDDEN_POINTS)])


@rule
def refresh_seat(s, t, seat):
    """Bring a seat's score and readiness up to date."""
    row = s.seats[seat]
    score = int(row[OXYGEN]) * t.item_points[0] + int(row[FLAG]) * t.item_points[1]
    score -= int(row[COLDS]) * t.cold_penalty
    ready = 1
    for part in range(NUM_PARTS):
        frozen = is_frozen(s, seat, part)
        if not frozen:
            score += stack_points(s, seat, part)
        if frozen or s.height[seat, part] == 0:
            ready = 0
    s.score[seat] = score
    row[SCORE] = max(-128, min(127, score))
    row[READY] = ready


@rule
def refresh_stack(s, t, seat, part):
    """Bring the features of a stack up to date after it changed, then those of its seat."""
    stack = s.stacks[seat, part]
    height = int(s.height[seat, part])
    points = 0
    fours = 0
    loose = 0
    for level in range(height):
        value = int(stack[level])
        points += value
        loose += value
        if value == t.resistant_points:
            fours += 1
            loose = 0
    row = s.seats[seat]
    start = column(part, 0)
    for level in range(PART_SIZE - 1):
        row[start + level] = 0
    if height > 0:
        visible = int(stack[height - 1])
        row[start + VISIBLE + visible - 1] = 1
        row[start + HIDDEN_POINTS] = points - visible
        row[start + HIDDEN] = height - 1
        row[start + HIDDEN_FOURS] = fours - (visible == t.resistant_points)
        row[start + LOOSE_POINTS] = loose
    if height > 1:
        row[start + UNDER] = stack[height - 2]
    refresh_seat(s, t, seat)


@rule
def put_on(s, t, seat, part, points):
    """Place a garment on top of a stack."""
    s.stacks[seat, part, s.height[seat, part]] = points
    s.height[seat, part] += 1
    refresh_stack(s, t, seat, part)


@rule
def take_off(s, t, seat, part):
    """Remove the visible garment of a stack; returns its points."""
    level = s.height[seat, part] - 1
    points = int(s.stacks[seat, part, level])
    s.stacks[seat, part, level] = 0
    s.height[seat, part] = level
    refresh_stack(s, t, seat, part)
    return points


@rule
def discard_top(s, t, seat, part):
    """Discard the visible garment of a stack."""
    points = take_off(s, t, seat, part)
    s.discard[4 * part + points - 1] += 1


@rule
def set_frozen(s, t, seat, part, frozen):
    """Lay a Hypothermia on a body part or remove it."""
    s.seats[seat, column(part, FROZEN)] = frozen
    refresh_seat(s, t, seat)


@rule
def add_colds(s, t, seat, count):
    """Lay Colds next to a mountaineer, or take them away."""
    s.seats[seat, COLDS] += count
    refresh_seat(s, t, seat)


@rule
def set_item(s, t, seat, item, present):
    """Place a special item (0 Oxygen, 1 Flag) next to a mountaineer or remove it."""
    s.seats[seat, OXYGEN + item] = present
    refresh_seat(s, t, seat)


@rule
def enter_hand(s, seat, kind):
    """A card goes into a hand."""
    s.hand[seat, kind] += 1
    s.seats[seat, HAND_SIZE] += 1


@rule
def leave_hand(s, seat, kind):
    """A card leaves a hand openly: whoever knew of a copy there forgets one."""
    s.hand[seat, kind] -= 1
    s.seats[seat, HAND_SIZE] -= 1
    for other in range(s.num_players):
        row = MAX_PLAYERS * other + seat
        if s.known[row, kind] > 0:
            s.known[row, kind] -= 1


@rule
def forget_hand(s, observer, seat):
    """The observer no longer knows any card of a hand."""
    clear(s.known[MAX_PLAYERS * observer + seat])


@rule
def draw_card(s, seat):
    """The top card of the deck goes into a hand."""
    s.deck_size -= 1
    kind = int(s.deck[s.deck_size])
    s.deck[s.deck_size] = 0
    s.deck_count[kind] -= 1
    enter_hand(s, seat, kind)


@rule
def form_deck(s):
    """Shuffle the discard pile to be the new deck; True if there was anything in it."""
    size = 0
    for kind in range(NUM_KINDS):
        copies = s.discard[kind]
        for _ in range(copies):
            s.deck[size] = kind
            size += 1
        s.deck_count[kind] = copies
    clear(s.discard)
    shuffle(s, s.deck, size)
    s.deck_size = size
    return size > 0
