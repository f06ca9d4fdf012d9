"""The rules of High Card.

Everybody pays the ante and gets a card. In turn, a seat folds, stays in, or swaps its card for the
top one of the deck. A swap costs a chip, and by a coin flip the same seat goes on. When all have
stayed, the highest card wins; equal cards go to the first of them. The last one who has not folded
wins at once.
"""

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.engine.layout import ActionBlock, ActionLayout, Block, Group, Layout
from climbenvs.engine.random import below, shuffle
from climbenvs.engine.rows import clear

PLAYERS = 3
RANKS = 5
COPIES = 2
SIZE = RANKS * COPIES
FOLD, STAY, SWAP = 0, 1, 2

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # the engine's generator
        ("num_players", np.int16),  # 2 or 3
        ("player", np.int16),  # seat to act, -1 when over
        ("decisions", np.int32),  # choices made
        ("ante", np.int16),  # option
        ("low_wins", np.int16),  # option
        ("hand", np.int16, PLAYERS),  # rank held, -1 for an absent seat
        ("deck", np.int16, SIZE),  # ranks, the top is the last of deck_size; zero above
        ("deck_size", np.int16),
        ("folded", np.int16, PLAYERS),  # 1 for a seat that has given up or is absent
        ("paid", np.int16, PLAYERS),  # chips paid
        ("pot", np.int16),  # all chips paid
        ("called", np.int16),  # seats that have stayed in
        ("winner", np.int16),  # -1 while the game runs
    ]
)
TABLE_DTYPE = np.dtype([("worth", np.int16, RANKS)])

ACTIONS = ActionLayout(
    ActionBlock("fold", meaning="give up"),
    ActionBlock("stay", meaning="keep the card to the end"),
    ActionBlock("swap", meaning="pay a chip for the top card of the deck"),
)
SEAT = Layout(
    Block("present", 1),
    Block("folded", 1),
    Block("paid", 1, 0, 60),
)
OBSERVATION = Layout(
    Block("card", RANKS, meaning="own card, one-hot", known_to="owner"),
    Group("seats", PLAYERS, SEAT, meaning="observer first"),
    Block("deck_size", 1, 0, SIZE),
    Block("low_wins", 1),
    Block("to_act", 1, meaning="whether the observer is to act"),
)
STATE = Layout(
    Block("cards", PLAYERS * RANKS, meaning="each seat's card, one-hot"),
    Block("folded", PLAYERS),
    Block("deck_size", 1, 0, SIZE),
)


@rule
def take_top(s):
    """The top card of the deck."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    return card


@rule
def pay(s, seat, chips):
    """Move chips from a seat into the pot."""
    s.paid[seat] += chips
    s.pot += chips


@rule
def setup(s, t):
    """Shuffle, deal, pay the ante."""
    for i in range(SIZE):
        s.deck[i] = i % RANKS
    shuffle(s, s.deck, SIZE)
    s.deck_size = SIZE
    for seat in range(PLAYERS):
        if seat < s.num_players:
            s.hand[seat] = take_top(s)
            pay(s, seat, s.ante)
        else:
            s.hand[seat] = -1
            s.folded[seat] = 1
    s.winner = -1
    s.player = 0


@rule
def legal(s, t, mask):
    """Anything, but swapping needs a card in the deck."""
    mask[FOLD] = 1
    mask[STAY] = 1
    if s.deck_size > 0:
        mask[SWAP] = 1
        return 3
    return 2


@rule
def stronger(s, t, card, other):
    """Whether a card beats another one."""
    if s.low_wins == 1:
        return t.worth[card] < t.worth[other]
    return t.worth[card] > t.worth[other]


@rule
def finish(s, t):
    """Find the winner among those who have not folded."""
    s.player = -1
    for seat in range(s.num_players):
        if s.folded[seat] == 0 and (s.winner < 0 or stronger(s, t, s.hand[seat], s.hand[s.winner])):
            s.winner = seat


@rule
def next_player(s, t):
    """The next seat acts; after the last one, or with one seat left, the game ends."""
    standing = 0
    for seat in range(s.num_players):
        standing += 1 - s.folded[seat]
    if standing == 1 or s.player + 1 == s.num_players:
        finish(s, t)
    else:
        s.player += 1


@rule
def apply(s, t, action):
    """Fold, stay in, or swap."""
    seat = s.player
    if action == FOLD:
        s.folded[seat] = 1
        next_player(s, t)
    elif action == STAY:
        s.called += 1
        next_player(s, t)
    else:
        pay(s, seat, 1)
        s.hand[seat] = take_top(s)
        if below(s, 2) == 0:
            next_player(s, t)


@rule
def rewards(s, t, out):
    """Chips won less chips paid."""
    for seat in range(s.num_players):
        out[seat] -= s.paid[seat]
    out[s.winner] += s.pot


@rule
def observe(s, t, seat, out):
    """Own card and all that lies open."""
    clear(out)
    out[s.hand[seat]] = 1
    offset = RANKS
    for turn in range(s.num_players):
        other = (seat + turn) % s.num_players
        out[offset] = 1
        out[offset + 1] = s.folded[other]
        out[offset + 2] = s.paid[other]
        offset += 3
    offset = RANKS + 3 * PLAYERS
    out[offset] = s.deck_size
    out[offset + 1] = s.low_wins
    out[offset + 2] = s.player == seat


@rule
def global_state(s, t, out):
    """All cards."""
    clear(out)
    for seat in range(s.num_players):
        out[RANKS * seat + s.hand[seat]] = 1
    for seat in range(PLAYERS):
        out[RANKS * PLAYERS + seat] = s.folded[seat]
    out[RANKS * PLAYERS + PLAYERS] = s.deck_size


@rule
def determinize(s, t, seat):
    """Shuffle the other hands and the deck together."""
    for other in range(s.num_players):
        if other != seat:
            s.deck[s.deck_size] = s.hand[other]
            s.deck_size += 1
    shuffle(s, s.deck, s.deck_size)
    for other in range(s.num_players):
        if other != seat:
            s.hand[other] = take_top(s)


@rule
def stays(observation, action_mask, generator):
    """A player that always stays in."""
    return STAY
