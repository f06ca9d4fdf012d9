"""Cards and tokens: the pile, the hands and the box. All chance of the game is in this file."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below, shuffle
from climbenvs.games.sherpa.line import add_token
from climbenvs.games.sherpa.state import (
    HAND_SIZE,
    NO_CARD,
    NUM_CLIMB_KINDS,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    SPACES,
    TOKENS,
)


@rule
def mix_pile(s, size):
    """Bring the first `size` cards of the pile into random order."""
    shuffle(s, s.pile, size)


@rule
def mix_line(s):
    """Bring the line into random order."""
    shuffle(s, s.line, int(s.line_size))


@rule
def draw_token(s):
    """Type of a token drawn from the box, every token equally likely; the box is not empty."""
    skip = below(s, int(s.box[0]) + int(s.box[1]) + int(s.box[2]))
    resource = 0
    while skip >= s.box[resource]:
        skip -= int(s.box[resource])
        resource += 1
    return resource


@rule
def renew_pile(s):
    """Shuffle the discard pile into a new pile; there may be no card."""
    size = 0
    for kind in range(NUM_KINDS):
        for _ in range(int(s.discard[kind])):
            s.pile[size] = kind
            size += 1
        s.discard[kind] = 0
    s.pile_size = size
    mix_pile(s, size)


@rule
def take_card(s):
    """Take the pile's top card; the discards are mixed once the last card is taken (R8, R9)."""
    if s.pile_size == 0:
        renew_pile(s)
        if s.pile_size == 0:
            return NO_CARD
    s.pile_size -= 1
    card = int(s.pile[s.pile_size])
    s.pile[s.pile_size] = 0
    if s.pile_size == 0:
        renew_pile(s)
    return card


@rule
def turn_over(s, t):
    """Points of the first climb card turned over from the pile; 0 if there is none left (R10)."""
    if s.climbs_left == 0:
        return 0
    card = NUM_KINDS
    while card >= NUM_CLIMB_KINDS:
        card = take_card(s)
        s.discard[card] += 1
    return int(t.points[card])


@rule
def pick_cards(s, seat, count):
    """A seat takes cards from the pile, fewer if none are left."""
    for _ in range(count):
        card = take_card(s)
        if card != NO_CARD:
            s.hands[seat, card] += 1
            s.seats[seat, HAND_SIZE] += 1
            if card < NUM_CLIMB_KINDS:
                s.climbs_left -= 1


@rule
def discard_card(s, seat, kind):
    """A card goes from a hand to the discard pile, before its effect (R11)."""
    s.hands[seat, kind] -= 1
    s.seats[seat, HAND_SIZE] -= 1
    s.discard[kind] += 1
    if kind < NUM_CLIMB_KINDS:
        s.climbs_left += 1


@rule
def fill_spaces(s, element):
    """A character draws tokens until its spaces are full or the box is empty (R28)."""
    held = 0
    for resource in range(NUM_RESOURCES):
        held += int(s.elements[element, TOKENS + resource])
    for _ in range(held, SPACES[element % NUM_SLOTS // 2]):
        if s.box[0] + s.box[1] + s.box[2] > 0:
            add_token(s, element, draw_token(s), 1)
