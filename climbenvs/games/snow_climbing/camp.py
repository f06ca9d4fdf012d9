"""Camp, the avalanche check and the backpacks."""

from climbenvs.engine.bits import bit, popcount
from climbenvs.engine.jit import rule
from climbenvs.games.snow_climbing.snow import met_conditions, set_snow
from climbenvs.games.snow_climbing.state import (
    AVALANCHE,
    BACKPACK,
    BACKPACKS,
    CAMP,
    DAWN,
    OVER,
    ROUNDS,
    SUMMIT,
    TYPES,
)


@rule
def make_camp(s, t):
    """Pool the hands, protect every pair, and ask the leader about the rest (R23 to R27)."""
    pool = 0
    for seat in range(s.num_players):
        pool |= s.hand[seat]
        s.hand[seat] = 0
    lost = pool & t.lost_at_camp
    if lost:
        set_snow(s, t, s.snow | lost)
    odd_types = 0
    extra = 0
    for kind in range(TYPES):
        cards = pool & ~lost & t.type_cards[kind]
        count = popcount(cards)
        extra += t.extra[kind] * (count >> 1)
        if count & 1:
            odd_types += 1
            s.camp |= cards
        else:
            s.deck |= cards
    s.camp_picks = max(0, odd_types - extra)
    s.phase = CAMP
    s.player = s.leader
    if s.camp_picks == 0:
        break_camp(s, t)


@rule
def break_camp(s, t):
    """All cards still at camp are protected; then comes the avalanche check."""
    s.deck |= s.camp
    s.camp = 0
    check_avalanche(s, t)


@rule
def camp_choices(s, t):
    """The set of cards that may be lost now: enough types must be left for later losses."""
    choices = 0
    types_left = 0
    for kind in range(TYPES - 1, -1, -1):
        cards = s.camp & t.type_cards[kind]
        if cards:
            types_left += 1
            if types_left >= s.camp_picks:
                choices |= cards
    return choices


@rule
def lose_card(s, t, card):
    """A camp card goes into the snow; the others of its type and of earlier types are safe."""
    set_snow(s, t, s.snow | bit(card))
    settled = 0
    for kind in range(t.type_of[card] + 1):
        settled |= s.camp & t.type_cards[kind]
    s.camp &= ~settled
    s.deck |= settled & ~bit(card)
    s.camp_picks -= 1
    if s.camp_picks == 0:
        break_camp(s, t)


@rule
def check_avalanche(s, t):
    """Complete the round, or use a backpack, or lose."""
    s.cause = met_conditions(s, t)
    if s.cause == 0:
        complete_round(s)
    elif usable_backpacks(s, t):
        s.phase = BACKPACK
        s.player = s.leader
    else:
        end_game(s, AVALANCHE)


@rule
def complete_round(s):
    """On to the next dawn, or to the summit."""
    if s.round_number == ROUNDS:
        end_game(s, SUMMIT)
    else:
        s.phase = DAWN


@rule
def end_game(s, result):
    """Nobody decides any more."""
    s.result = result
    s.phase = OVER
    s.player = -1


@rule
def usable_backpacks(s, t):
    """The set of unused backpacks that fit a card in the snow."""
    usable = 0
    for backpack in range(BACKPACKS):
        if s.backpacks_left & bit(backpack) and s.snow & t.saves[backpack]:
            usable |= bit(backpack)
    return usable


@rule
def save_card(s, t, card):
    """The backpack in use takes a card out of the snow, and the check is made again (R32)."""
    s.pending_backpack = -1
    s.deck |= bit(card)
    set_snow(s, t, s.snow & ~bit(card))
    check_avalanche(s, t)
