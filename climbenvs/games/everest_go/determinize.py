"""Resampling what a seat cannot know.

Unknown are the order of the deck, which unseen cards lie there and which in opponents' hands, what
others know, others' sealed answers and, with rulebook memory, covered garments. The unseen cards
are pooled in the deck, shuffled, and given out again.
"""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below, shuffle
from climbenvs.engine.rows import clear, copy_values
from climbenvs.games.everest_go.observation import sees_hand
from climbenvs.games.everest_go.state import (
    HAND_SIZE,
    MAX_PLAYERS,
    NUM_GARMENTS,
    NUM_KINDS,
    NUM_PARTS,
    ROTATE_STACKS,
    RULEBOOK_MEMORY,
    STEAL_CARD,
    TAKE_CARD,
    TENT,
    TENT_WINDOW,
)
from climbenvs.games.everest_go.table import draw_card, refresh_stack
from climbenvs.games.everest_go.tents import is_attacked


@rule
def determinize(s, t, seat):
    """Resample everything `seat` cannot know, in keeping with all it knows."""
    rulebook = s.memory == RULEBOOK_MEMORY
    forget_beyond_observation(s, t, seat, rulebook)
    for relative in range(1, s.num_players):
        pool_hand(s, seat, (seat + relative) % s.num_players)
    if rulebook:
        redeal_covered_garments(s, t)
    shuffle(s, s.deck, s.deck_size)
    refill_asked_hand(s, seat)
    for relative in range(1, s.num_players):
        refill_hand(s, seat, (seat + relative) % s.num_players)
    reseal_tents(s, t, seat)
    if s.decision == TAKE_CARD and t.effect[s.pending_card] == STEAL_CARD:
        row = MAX_PLAYERS * s.turn_player + s.victim
        copy_values(s.known[row], 0, s.hand[s.victim])


@rule
def forget_beyond_observation(s, t, seat, rulebook):
    """Empty all `known` lists but the seat's own, and of those what it is not shown."""
    for observer in range(s.num_players):
        for other in range(s.num_players):
            if observer != seat or (rulebook and not sees_hand(s, t, seat, other)):
                clear(s.known[MAX_PLAYERS * observer + other])


@rule
def pool_card(s, kind):
    """Put a card on the deck."""
    s.deck[s.deck_size] = kind
    s.deck_size += 1
    s.deck_count[kind] += 1


@rule
def pool_hand(s, seat, other):
    """Put what the seat does not know of a hand on the deck."""
    known = s.known[MAX_PLAYERS * seat + other]
    for kind in range(NUM_KINDS):
        keep = int(known[kind])
        while s.hand[other, kind] > keep:
            s.hand[other, kind] -= 1
            pool_card(s, kind)


@rule
def refill_asked_hand(s, seat):
    """Whoever is asked for a Tent gets the first hand of a shuffled deck that has one.

    Dealing again until it fits keeps all fitting hands equally likely, as dealing a Tent first
    would not.
    """
    if s.decision != TENT_WINDOW or s.player == seat:
        return
    if s.hand[s.player, TENT] == 0:
        missing = s.seats[s.player, HAND_SIZE] - hand_count(s, s.player)
        while not has_tent_on_top(s, missing):
            shuffle(s, s.deck, s.deck_size)
    refill_hand(s, seat, s.player)


@rule
def has_tent_on_top(s, count):
    """Whether one of the next cards to be drawn is a Tent."""
    for place in range(s.deck_size - count, s.deck_size):
        if s.deck[place] == TENT:
            return True
    return False


@rule
def hand_count(s, other):
    """Cards that lie in a hand now; the public size is not changed while it is dealt again."""
    held = 0
    for kind in range(NUM_KINDS):
        held += s.hand[other, kind]
    return held


@rule
def refill_hand(s, seat, other):
    """Draw a hand up to its public size again."""
    held = hand_count(s, other)
    missing = s.seats[other, HAND_SIZE] - held
    s.seats[other, HAND_SIZE] = held
    for _ in range(missing):
        draw_card(s, other)


@rule
def redeal_covered_garments(s, t):
    """Every covered place takes one of the unseen garments of its body part, uniformly."""
    for seat in range(s.num_players):
        for part in range(NUM_PARTS):
            for level in range(s.height[seat, part] - 1):
                pool_card(s, 4 * part + int(s.stacks[seat, part, level]) - 1)
    shuffle(s, s.deck, s.deck_size)
    for seat in range(s.num_players):
        for part in range(NUM_PARTS):
            for level in range(s.height[seat, part] - 1):
                s.stacks[seat, part, level] = unpool_garment(s, part) % 4 + 1
            refresh_stack(s, t, seat, part)


@rule
def unpool_garment(s, part):
    """Take the first garment of a body part out of the shuffled deck; returns its kind."""
    place = 0
    while s.deck[place] >= NUM_GARMENTS or s.deck[place] // 4 != part:
        place += 1
    kind = int(s.deck[place])
    s.deck_size -= 1
    s.deck[place] = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    s.deck_count[kind] -= 1
    return kind


@rule
def reseal_tents(s, t, seat):
    """Others' sealed answers become coin flips of those who could have sealed a Tent (R24)."""
    if s.decision != TENT_WINDOW or t.effect[s.pending_card] != ROTATE_STACKS:
        return
    other = (s.turn_player + 1) % s.num_players
    while other != s.player:
        if other != seat:
            could = s.hand[other, TENT] > 0 and is_attacked(s, t, other)
            s.sealed[other] = could and below(s, 2)
        other = (other + 1) % s.num_players
