"""Faults planted into High Card, one per rule below, for the checks to find."""

import numpy as np
from high_card import GAME, rules, to_dict
from high_card.rules import FOLD, RANKS, STAY, SWAP, below, shuffle

from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.jit import rule


@rule
def observe_leaking(s, t, seat, out):
    """Shows the next seat's card in place of the option."""
    rules.observe(s, t, seat, out)
    out[RANKS + 10] = s.hand[(seat + 1) % s.num_players] > 2


@rule
def observe_out_of_bounds(s, t, seat, out):
    """Writes a deck size that was never declared."""
    rules.observe(s, t, seat, out)
    out[RANKS + 9] = s.deck_size - 5


@rule
def observe_in_part(s, t, seat, out):
    """Leaves out what it takes to be zero anyway."""
    out[s.hand[seat]] = 1


@rule
def observe_changing(s, t, seat, out):
    """Counts how often it is called."""
    rules.observe(s, t, seat, out)
    s.called += 1


@rule
def determinize_nothing(s, t, seat):
    """Keeps all hands and the deck."""


@rule
def determinize_deck(s, t, seat):
    """Keeps all hands."""
    shuffle(s, s.deck, s.deck_size)


@rule
def determinize_own_card(s, t, seat):
    """Resamples the card that the seat knows."""
    card = s.hand[seat]
    s.hand[seat] = s.deck[0]
    s.deck[0] = card


@rule
def determinize_turn(s, t, seat):
    """Resamples whose turn it is."""
    rules.determinize(s, t, seat)
    s.player = below(s, s.num_players)


@rule
def legal_by_decisions(s, t, mask):
    """Depends on something that no snapshot tells."""
    mask[FOLD] = 1
    mask[STAY] = 1
    if s.deck_size > 0 and s.decisions < 1:
        mask[SWAP] = 1
        return 3
    return 2


@rule
def legal_miscounted(s, t, mask):
    """Claims an action too many."""
    return rules.legal(s, t, mask) + 1


@rule
def legal_nothing(s, t, mask):
    """Leaves the second seat without a choice."""
    return rules.legal(s, t, mask) if s.player == 0 else 0


@rule
def apply_for_ever(s, t, action):
    """Nobody's decision has an effect."""


@rule
def apply_with_foreign_chance(s, t, action):
    """Flips a coin that the record does not know."""
    rules.apply(s, t, action)
    if np.random.random() < 0.5:  # noqa: NPY002 - what compiled code knows
        s.called += 1


@rule
def apply_writing_tables(s, t, action):
    """Changes what all rows and threads share."""
    rules.apply(s, t, action)
    t.worth[action] += 1


@rule
def rewards_reversed(s, t, out):
    """Pays the losers."""
    for seat in range(s.num_players):
        out[seat] += s.paid[seat]
    out[s.winner] -= s.pot


@rule
def rewards_from_nowhere(s, t, out):
    """Pays the winner what nobody loses."""
    out[s.winner] += s.pot


@rule
def rewards_by_table(s, t, out):
    """Depends on the order in which games are played, by way of a shared counter."""
    t.worth[0] += 1
    out[s.winner] += t.worth[0] % 7
    out[(s.winner + 1) % s.num_players] -= t.worth[0] % 7


def draw_all(s, t, seat):
    """Shows everybody's card to everybody."""
    return " ".join(str(card) for card in s["hand"])


def describe_leaking(s, t, action):
    """Tells what the next card is."""
    return f"swap for {int(s['deck'][int(s['deck_size']) - 1])}" if action == SWAP else "other"


def to_dict_without_pot(s, t):
    """Loses the pot."""
    return {**to_dict(s, t), "pot": 0}


def from_dict_unchecked(snapshot, s, t):
    """Trusts what it reads."""
    if snapshot["hands"][0] is None:
        raise SnapshotError("hands")
    GAME.from_dict({**snapshot, "pot": int(snapshot["pot"])}, s, t)


def outcome_undeclared(s, t):
    """Ends in a way that nobody declared."""
    outcome = GAME.outcome(s, t)
    return {**outcome, "end": outcome["end"] and "boredom"}


def outcome_two_winners(s, t):
    """Names a seat that does not play."""
    return {**GAME.outcome(s, t), "winners": [3]}
