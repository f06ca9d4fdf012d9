"""The rules of the tiny games."""

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.engine.layout import ActionBlock, ActionLayout, Block, Layout
from climbenvs.engine.random import below
from climbenvs.engine.rows import clear

PLAYERS = 3
MEETING, POKER = 0, 1
NOT_YET = -1

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # the engine's generator
        ("num_players", np.int16),  # 1 to 3
        ("player", np.int16),  # seat to act, -1 when over
        ("decisions", np.int32),  # choices made
        ("kind", np.int16),  # option
        (
            "card",
            np.int16,
            PLAYERS + 1,
        ),  # poker: by seat; after the last one: what is left
        ("choice", np.int16, (PLAYERS, 2)),  # first and second choice of each seat, or NOT_YET
        ("bettor", np.int16),  # poker: who bet first, or NOT_YET
        ("reward", np.float32, PLAYERS),  # at the end
    ]
)
TABLE_DTYPE = np.dtype([("nothing", np.int16)])
ACTIONS = ActionLayout(ActionBlock("a", meaning="A; check or fold"), ActionBlock("b", meaning="B"))
OBSERVATION = Layout(
    Block("card", PLAYERS + 1, meaning="own card, one-hot"),
    Block("own", 4, meaning="own first and second choice, one-hot"),
    Block("bets", PLAYERS, meaning="poker: whether each seat has bet or called, observer first"),
    Block("acted", PLAYERS, meaning="whether each seat has chosen, observer first"),
    Block("poker", 1),
)
STATE = Layout(Block("card", PLAYERS, -1, PLAYERS), Block("choice", 2 * PLAYERS, -1, 1))


@rule
def setup(s, t):
    """Deal."""
    for i in range(PLAYERS + 1):
        s.card[i] = i
    for i in range(s.num_players, 0, -1):
        j = below(s, i + 1)
        s.card[i], s.card[j] = s.card[j], s.card[i]
    s.choice[:, :] = NOT_YET
    s.bettor = NOT_YET
    s.player = 0


@rule
def legal(s, t, mask):
    """Both, always."""
    mask[0] = 1
    mask[1] = 1
    return 2


@rule
def stake(s, seat):
    """Chips a seat has put in."""
    return 2 if s.choice[seat, 0] == 1 or s.choice[seat, 1] == 1 else 1


@rule
def show_down(s):
    """The best card of those who have bet, or of all if nobody has, takes the pot."""
    s.player = -1
    winner = -1
    pot = 0
    for seat in range(s.num_players):
        pot += stake(s, seat)
        s.reward[seat] = -stake(s, seat)
        is_in = s.bettor == NOT_YET or stake(s, seat) == 2
        if is_in and (winner < 0 or s.card[seat] > s.card[winner]):
            winner = seat
    if s.num_players > 1:
        s.reward[winner] += pot
    elif s.card[0] > s.card[1]:
        s.reward[0] = stake(s, 0)


@rule
def meet(s):
    """Who has met."""
    s.player = -1
    paid = 1.0
    for seat in range(s.num_players):
        for part in range(2):
            if s.choice[seat, part] == 1 and paid == 1.0:
                paid = 0.5
    for seat in range(1, s.num_players):
        for part in range(2):
            if s.choice[seat, part] != s.choice[0, part]:
                paid = 0.0
    for seat in range(s.num_players):
        s.reward[seat] = paid


@rule
def apply(s, t, action):
    """Choose; the last choice ends the game."""
    seat = s.player
    part = 0 if s.choice[seat, 0] == NOT_YET else 1
    s.choice[seat, part] = action
    following = (seat + 1) % s.num_players
    if s.kind == MEETING:
        if following == 0 and part == 1:
            meet(s)
        else:
            s.player = following
        return
    if s.bettor == NOT_YET and action == 1:
        s.bettor = seat
    all_checked = s.bettor == NOT_YET and following == 0
    if all_checked or s.bettor == following:
        show_down(s)
    else:
        s.player = following


@rule
def observe(s, t, seat, out):
    """Own card, own choices, who has bet."""
    clear(out)
    if s.kind == POKER:
        out[s.card[seat]] = 1
    for part in range(2):
        if s.choice[seat, part] != NOT_YET:
            out[PLAYERS + 1 + 2 * part + s.choice[seat, part]] = 1
    for turn in range(s.num_players):
        other = (seat + turn) % s.num_players
        if s.kind == POKER:
            out[PLAYERS + 5 + turn] = stake(s, other) - 1
        out[2 * PLAYERS + 5 + turn] = s.choice[other, 0] != NOT_YET
    out[3 * PLAYERS + 5] = s.kind


@rule
def rewards(s, t, out):
    """As settled at the end."""
    for seat in range(s.num_players):
        out[seat] += s.reward[seat]


@rule
def determinize(s, t, seat):
    """The other cards are shuffled; what others have chosen in a meeting is anybody's guess."""
    for i in range(s.num_players, 0, -1):
        j = below(s, i + 1)
        if i != seat and j != seat:
            s.card[i], s.card[j] = s.card[j], s.card[i]
    if s.kind == MEETING:
        for other in range(s.num_players):
            for part in range(2):
                if other != seat and s.choice[other, part] != NOT_YET:
                    s.choice[other, part] = below(s, 2)


@rule
def global_state(s, t, out):
    """All cards and choices."""
    for seat in range(PLAYERS):
        out[seat] = s.card[seat]
        for part in range(2):
            out[PLAYERS + 2 * seat + part] = s.choice[seat, part]
