"""Tent windows: who is attacked, who is asked, and what the answer does."""

from climbenvs.engine.jit import rule
from climbenvs.games.everest_go.effects import card_done, resolve
from climbenvs.games.everest_go.state import (
    CHILL,
    NUM_SLOTS,
    ROTATE_STACKS,
    TENT,
    TENT_WINDOW,
)
from climbenvs.games.everest_go.table import is_frozen, leave_hand


@rule
def is_attacked(s, t, seat):
    """Whether the pending card is played against a seat (R12)."""
    if t.effect[s.pending_card] == ROTATE_STACKS:
        return not is_frozen(s, seat, s.part)
    if s.victim >= 0:
        return s.victim == seat
    for i in range(s.num_targets):
        if s.targets[i] // NUM_SLOTS == seat:
            return True
    return False


@rule
def ask(s, seat):
    """The seat decides about its Tent."""
    s.player = seat
    s.decision = TENT_WINDOW


@rule
def open_tent_window(s, t):
    """Ask the first attacked Tent holder left of the turn player; True if the option is done."""
    return ask_next_after(s, t, s.turn_player)


@rule
def ask_next_after(s, t, seat):
    """Ask the next attacked Tent holder, never the turn player; if there is none, resolve."""
    other = (seat + 1) % s.num_players
    while other != s.turn_player:
        if s.hand[other, TENT] > 0 and is_attacked(s, t, other):
            ask(s, other)
            return False
        other = (other + 1) % s.num_players
    discard_sealed_tents(s)
    return resolve(s, t)


@rule
def discard_sealed_tents(s):
    """All sealed answers to an Avalanche are revealed together (R24)."""
    for seat in range(s.num_players):
        if s.sealed[seat]:
            leave_hand(s, seat, TENT)
            s.discard[TENT] += 1


@rule
def answer_tent(s, t, used):
    """Carry out an answer; True when the turn player's option is done with it."""
    seat = s.player
    effect = t.effect[s.pending_card]
    if not used:
        if effect == CHILL:
            return resolve(s, t)
        return ask_next_after(s, t, seat)
    if effect == ROTATE_STACKS:
        s.sealed[seat] = 1
        return ask_next_after(s, t, seat)
    leave_hand(s, seat, TENT)
    s.discard[TENT] += 1
    if effect == CHILL:
        return pass_cold_on(s, t)
    card_done(s, False)
    return True


@rule
def pass_cold_on(s, t):
    """The Cold goes one seat further, to its own player too; Tents are asked again (R21)."""
    s.victim = (s.victim + 1) % s.num_players
    if s.hand[s.victim, TENT] > 0:
        ask(s, s.victim)
        return False
    return resolve(s, t)
