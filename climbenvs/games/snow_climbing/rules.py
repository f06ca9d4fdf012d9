"""What happens in Snow Climbing: setup, dawn, passing, and the four verbs of the rules.

A decision is played by `apply` and leads on to the next one. Climbing stands in `climbing`, camp
and the avalanche check in `camp`, what the snow area counts as in `snow`.
"""

from climbenvs.engine.bits import bit, lowest, popcount, write_flags
from climbenvs.engine.jit import rule
from climbenvs.engine.random import below
from climbenvs.games.snow_climbing.actions import (
    BURY_CARD,
    LOSE_CARD,
    PASS_CARD,
    PLAY_CARD,
    RECOVER_CARD,
    RECOVER_NOTHING,
    ROUTE_CARD,
    SAVE_CARD,
    USE_BACKPACK,
)
from climbenvs.games.snow_climbing.camp import (
    camp_choices,
    lose_card,
    save_card,
    usable_backpacks,
)
from climbenvs.games.snow_climbing.climbing import (
    finish_turn,
    next_turn,
    place,
    push,
    route_starts,
    top_number,
)
from climbenvs.games.snow_climbing.snow import set_snow
from climbenvs.games.snow_climbing.state import (
    BACKPACK,
    BACKPACKS,
    CAMP,
    CARD_BYTES,
    CARDS,
    CLIMB,
    DAWN,
    GEAR_TYPES,
    LEAD,
    OVER,
    PASS,
    RECOVER,
    ROUNDS,
    ROUTE,
    SAVE,
    SUMMIT,
)


@rule
def setup(s, t):
    """Draw leader, tiles, tokens and backpacks, all hidden or shown as printed, and start (R2)."""
    s.leader = below(s, s.num_players)
    draw_tiles(s, t, 0)
    draw_tokens(s)
    draw_backpacks(s)
    s.deck = bit(CARDS) - 1
    s.pending = -1
    s.pending_backpack = -1
    s.phase = DAWN
    play_dawns(s, t)


@rule
def draw_tiles(s, t, first):
    """Choose a tile for every level from index `first` on."""
    for level in range(first, ROUNDS):
        s.tiles[level] = t.level_tiles[level, below(s, t.level_size[level])]


@rule
def draw_tokens(s):
    """Choose two different gear tokens; the lower one is kept first."""
    one = below(s, GEAR_TYPES)
    other = below(s, GEAR_TYPES - 1)
    other += other >= one
    s.tokens[0] = min(one, other)
    s.tokens[1] = max(one, other)


@rule
def draw_backpacks(s):
    """Reveal as many backpacks as the option says."""
    count = s.backpacks + 1 if s.backpacks else 0  # BACKPACK_CHOICES
    rest = bit(BACKPACKS) - 1
    for _ in range(count):
        drawn = rest
        for _ in range(below(s, popcount(rest))):
            drawn &= drawn - 1
        rest ^= drawn & -drawn
    s.backpacks_left = bit(BACKPACKS) - 1 - rest


@rule
def play_dawns(s, t):
    """Begin the next round; over again if it ends without a decision (only in odd positions)."""
    while s.phase == DAWN:
        s.round_number += 1
        s.cleared = 0
        for seat in range(s.num_players):
            s.passed[seat] = 0
        s.turn = s.leader
        if s.round_number == t.token_round:
            set_snow(s, t, s.snow)  # the revealed tokens count from now on
        deal_hands(s, t)
        s.phase = PASS
        ask_to_pass(s, t)


@rule
def deal_hands(s, t):
    """Deal card by card from the leader until all hands are full or the deck is empty (R3)."""
    count = 0
    rest = s.deck
    while rest:
        s.draw[count] = lowest(rest)
        rest &= rest - 1
        count += 1
    seat = s.leader
    dealt = min(count, t.hand_size[s.num_players] * s.num_players)
    for k in range(dealt):
        other = k + below(s, count - k)
        card = s.draw[other]
        s.draw[other] = s.draw[k]
        s.hand[seat] |= bit(card)
        s.deck ^= bit(card)
        seat += 1
        if seat == s.num_players:
            seat = 0
    for k in range(count):
        s.draw[k] = 0


@rule
def next_to_pass(s, t):
    """The first seat from the leader that still has to pass a card (R4, R5), or -1."""
    quota = t.quota[s.num_players]
    for k in range(s.num_players):
        seat = (s.leader + k) % s.num_players
        if s.hand[seat] and popcount(s.passed[seat]) < quota:
            return seat
    return -1


@rule
def ask_to_pass(s, t):
    """Let the next seat pass; when all have passed, exchange the cards and let the leader lead."""
    seat = next_to_pass(s, t)
    if seat >= 0:
        s.player = seat
        return
    for giver in range(s.num_players):
        s.hand[(giver + 1) % s.num_players] |= s.passed[giver]
    if s.hand[s.leader]:
        s.phase = LEAD
        s.player = s.leader
    else:
        next_turn(s, t)  # R7


@rule
def legal(s, t, mask):
    """Mark what the seat to act may do; every phase chooses from one set of cards."""
    phase = s.phase
    hand = s.hand[s.player]
    if phase == CLIMB:
        climbs = hand & t.above[top_number(s, t)]
        starts = route_starts(s, t, s.player)
        write_flags(mask, PLAY_CARD, climbs, CARD_BYTES)
        write_flags(mask, ROUTE_CARD, starts, CARD_BYTES)
        return popcount(climbs) + popcount(starts)
    if phase == PASS:
        return offer(mask, PASS_CARD, hand)
    if phase == LEAD:
        return offer(mask, PLAY_CARD, hand)
    if phase == ROUTE:
        return offer(mask, BURY_CARD, hand & t.partners[top_number(s, t), s.pending])
    if phase == CAMP:
        return offer(mask, LOSE_CARD, camp_choices(s, t))
    if phase == RECOVER:
        mask[RECOVER_NOTHING] = 1
        return 1 + offer(mask, RECOVER_CARD, s.snow)
    if phase == SAVE:
        return offer(mask, SAVE_CARD, s.snow & t.saves[s.pending_backpack])
    usable = usable_backpacks(s, t)
    for backpack in range(BACKPACKS):
        mask[USE_BACKPACK + backpack] = (usable >> backpack) & 1
    return popcount(usable)


@rule
def offer(mask, offset, cards):
    """Mark a set of cards in one block of actions; returns their number."""
    write_flags(mask, offset, cards, CARD_BYTES)
    return popcount(cards)


@rule
def apply(s, t, action):
    """Play one decision and all that follows up to the next one or the end."""
    phase = s.phase
    if phase == CLIMB:
        climb(s, t, action)
    elif phase == PASS:
        card = bit(action - PASS_CARD)
        s.hand[s.player] ^= card
        s.passed[s.player] |= card
        ask_to_pass(s, t)
    elif phase == LEAD:
        card = action - PLAY_CARD
        s.hand[s.player] ^= bit(card)
        push(s, card)  # R8: it triggers nothing
        next_turn(s, t)
    elif phase == ROUTE:
        change_route(s, t, action - BURY_CARD)
    elif phase == RECOVER:
        recover(s, t, action)
    elif phase == CAMP:
        lose_card(s, t, action - LOSE_CARD)
    elif phase == BACKPACK:
        s.pending_backpack = action - USE_BACKPACK
        s.backpacks_left &= ~(1 << (action - USE_BACKPACK))
        s.phase = SAVE
    elif phase == SAVE:
        save_card(s, t, action - SAVE_CARD)
    if s.phase == DAWN:
        play_dawns(s, t)


@rule
def climb(s, t, action):
    """Climb with a card, or set aside the first card of a change of route."""
    if action < ROUTE_CARD:
        card = action - PLAY_CARD
        s.hand[s.player] ^= bit(card)
        place(s, t, card)
    else:
        card = action - ROUTE_CARD
        s.hand[s.player] ^= bit(card)
        s.pending = card
        s.phase = ROUTE


@rule
def change_route(s, t, card):
    """Place the card set aside; the other one waits for the snow until its ability is done."""
    s.hand[s.player] ^= bit(card)
    stack_card = s.pending
    s.pending = card
    place(s, t, stack_card)


@rule
def recover(s, t, action):
    """The next seat takes a card from the snow onto the stack, or none (R14, R15)."""
    if action != RECOVER_NOTHING:
        card = action - RECOVER_CARD
        push(s, card)
        set_snow(s, t, s.snow ^ bit(card))
    finish_turn(s, t)


@rule
def rounds_completed(s):
    """Rounds survived so far."""
    return s.round_number if s.result == SUMMIT else s.round_number - 1


@rule
def rewards(s, t, out):
    """1 for the summit, -1 for an avalanche, and the bonus of every round; the same for all."""
    result = s.round_bonus * rounds_completed(s)
    if s.phase == OVER:
        result += 1.0 if s.result == SUMMIT else -1.0
    for seat in range(s.num_players):
        out[seat] += result
