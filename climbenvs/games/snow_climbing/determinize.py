"""Resampling what a seat cannot know."""

from climbenvs.engine.bits import popcount
from climbenvs.engine.jit import rule
from climbenvs.engine.random import below
from climbenvs.games.snow_climbing.climbing import route_starts, top_number
from climbenvs.games.snow_climbing.rules import draw_tiles, draw_tokens
from climbenvs.games.snow_climbing.state import CLIMB, PASS, ROUTE

TRIES = 4096
"""How many hands are drawn for a seat that must be able to act; then it keeps its own."""


@rule
def determinize(s, t, seat):
    """Redraw the hidden tiles, tokens and cards; the seat's observation stays the same.

    A turn of climbing tells one thing about the hand of the seat to act: it can (and, since nobody
    is asked when there is no choice, it can do two things).
    """
    draw_tiles(s, t, s.round_number)
    if s.round_number < t.token_round:
        draw_tokens(s)
    counts = forget_passed(s, seat)
    pool = s.deck & ~s.cleared
    for other in range(s.num_players):
        if other != seat:
            pool |= hidden_hand(s, seat, other)
    actor = -1
    if (s.phase == CLIMB or s.phase == ROUTE) and s.player != seat:
        actor = s.player
        pool = redraw_actor(s, t, seat, actor, pool)
    for other in range(s.num_players):
        if other != seat and other != actor:
            hidden = hidden_hand(s, seat, other)
            pool = redraw_hand(s, other, hidden, pool)
    s.deck = pool | s.cleared
    redraw_passed(s, seat, counts)


@rule
def hidden_hand(s, seat, other):
    """The set of the other's cards that the seat did not give it."""
    if s.phase != PASS and other == (seat + 1) % s.num_players:
        return s.hand[other] & ~s.passed[seat]
    return s.hand[other]


@rule
def draw_cards(s, pool, count):
    """A uniformly drawn set of cards of the pool."""
    drawn = 0
    for _ in range(count):
        rest = pool & ~drawn
        for _ in range(below(s, popcount(rest))):
            rest &= rest - 1
        drawn |= rest & -rest
    return drawn


@rule
def redraw_hand(s, other, hidden, pool):
    """Replace the hidden part of a hand by cards of the pool; returns what is left of the pool."""
    drawn = draw_cards(s, pool, popcount(hidden))
    s.hand[other] = (s.hand[other] & ~hidden) | drawn
    return pool & ~drawn


@rule
def choices(s, t, seat):
    """How many actions the seat has in its turn of climbing."""
    hand = s.hand[seat]
    if s.phase == ROUTE:
        return popcount(hand & t.partners[top_number(s, t), s.pending])
    return popcount(hand & t.above[top_number(s, t)]) + popcount(route_starts(s, t, seat))


@rule
def redraw_actor(s, t, seat, actor, pool):
    """Redraw the hand of the seat to act until it can act; returns what is left of the pool."""
    own = s.hand[actor]
    hidden = hidden_hand(s, seat, actor)
    needed = min(2, choices(s, t, actor))
    for _ in range(TRIES):
        s.hand[actor] = own
        left = redraw_hand(s, actor, hidden, pool)
        if choices(s, t, actor) >= needed:
            return left
    s.hand[actor] = own
    return pool & ~hidden


@rule
def is_hidden_pass(s, seat, giver):
    """Whether the seat does not know what the giver passed."""
    if giver == seat:
        return False
    return s.phase == PASS or (giver + 1) % s.num_players != seat


@rule
def forget_passed(s, seat):
    """Reduce hidden passes to cards that have been played since; returns the counts before.

    While passing, the cards that lie apart go into the deck, from which all hands are redrawn.

    Returns:
        The number of cards that seat k passed in bits 4k to 4k + 3.
    """
    counts = 0
    for giver in range(s.num_players):
        if is_hidden_pass(s, seat, giver):
            counts |= popcount(s.passed[giver]) << (4 * giver)
            if s.phase == PASS:
                s.deck |= s.passed[giver]
                s.passed[giver] = 0
            else:
                s.passed[giver] &= ~s.hand[(giver + 1) % s.num_players]
    return counts


@rule
def redraw_passed(s, seat, counts):
    """Redraw hidden passes from what the receiver holds or has played since."""
    known = 0
    for giver in range(s.num_players):
        known |= s.passed[giver]
    for giver in range(s.num_players):
        if is_hidden_pass(s, seat, giver):
            count = (counts >> (4 * giver)) & 15
            if s.phase == PASS:
                s.passed[giver] = draw_cards(s, s.deck, count)
                s.deck &= ~s.passed[giver]
            else:
                played = s.passed[giver]
                cards = (s.hand[(giver + 1) % s.num_players] & ~known) | played
                s.passed[giver] = draw_cards(s, cards, min(count, popcount(cards)))
                known |= s.passed[giver]
