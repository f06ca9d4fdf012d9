"""Climbing: what may be played on the stack, what a card does there, and whose turn is next."""

from climbenvs.engine.bits import bit, lowest
from climbenvs.engine.jit import rule
from climbenvs.games.snow_climbing.camp import make_camp
from climbenvs.games.snow_climbing.snow import set_snow
from climbenvs.games.snow_climbing.state import CLEAR, CLIMB, RECOVER, RECOVERY


@rule
def top_number(s, t):
    """What the next card has to beat: a rope's smallest number (R9), 0 on an empty stack."""
    if s.stack_size == 0:
        return 0
    return t.low[s.stack_cards[s.stack_size - 1]]


@rule
def route_starts(s, t, seat):
    """The set of the seat's cards that may go onto the stack in a change of route."""
    hand = s.hand[seat]
    number = top_number(s, t)
    starts = 0
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if hand & t.partners[number, card]:
            starts |= bit(card)
    return starts


@rule
def can_act(s, t, seat):
    """Whether the seat can climb or change route, ropes counted with all their numbers (R19)."""
    if s.hand[seat] & t.above[top_number(s, t)]:
        return True
    return route_starts(s, t, seat) != 0


@rule
def push(s, card):
    """Put a card on top of the stack."""
    s.stack_cards[s.stack_size] = card
    s.stack_size += 1
    s.stack |= bit(card)


@rule
def return_stack(s):
    """The whole stack goes into the deck."""
    s.deck |= s.stack
    s.stack = 0
    for height in range(s.stack_size):
        s.stack_cards[height] = 0
    s.stack_size = 0


@rule
def place(s, t, card):
    """A card goes from the hand on the stack and does what its type does on a match."""
    kind = t.type_of[card]
    # R13: only the card directly below counts, however it got there.
    matched = s.stack_size > 0 and t.type_of[s.stack_cards[s.stack_size - 1]] == kind
    push(s, card)
    if matched and t.on_match[kind] == CLEAR:
        s.cleared |= s.stack
        return_stack(s)
    elif matched and t.on_match[kind] == RECOVERY and s.snow:
        s.phase = RECOVER
        s.player = (s.turn + 1) % s.num_players
        return
    finish_turn(s, t)


@rule
def finish_turn(s, t):
    """The second card of a change of route goes into the snow (R12); then the next turn."""
    if s.pending >= 0:
        set_snow(s, t, s.snow | bit(s.pending))
        s.pending = -1
    next_turn(s, t)


@rule
def next_turn(s, t):
    """The next seat climbs if it can; otherwise it leads from now on and makes camp (R20, R21)."""
    s.turn = (s.turn + 1) % s.num_players
    if can_act(s, t, s.turn):
        s.phase = CLIMB
        s.player = s.turn
    else:
        s.leader = s.turn
        return_stack(s)
        make_camp(s, t)
