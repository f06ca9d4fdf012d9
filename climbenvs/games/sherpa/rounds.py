"""Rounds and turns, and how a game ends."""

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.chance import (
    pick_cards,
)
from climbenvs.games.sherpa.dangers import (
    move_blizzards,
    settle_blizzards,
)
from climbenvs.games.sherpa.state import (
    ACTIVE,
    CAMPS_FOR_ACCESS,
    CARDS_PER_TURN,
    FINISHED,
    FIRST_CAMP,
    FIRST_KIND,
    FIRST_NEUTRAL,
    HALTED,
    HAS_BUILT,
    MAX_PLAYERS,
    NUM_RESOURCES,
    NUM_SLOTS,
    ORDER_INDEX,
    OVER,
    PLAY,
    STAGE_PLAY,
    STAGE_STORM,
    STAGE_SUPPLY,
    SUMMIT,
    SUPPLY,
    TOKENS,
    TRUNCATED,
)


@rule
def set_order(s):
    """The team whose highest character is lowest acts first (R1), one without any before (R2)."""
    players = int(s.num_players)
    for seat in range(players):
        for index in range(MAX_PLAYERS):
            s.seats[seat, ORDER_INDEX + index] = 0
        s.seats[seat, FINISHED] = 0
    # From the top of the line: a team is placed, last first, when its highest character comes by.
    index = players
    seen = 0
    for position in range(int(s.line_size)):
        seat = int(s.line[position]) // NUM_SLOTS
        if seat < MAX_PLAYERS and not (seen >> seat) & 1:
            seen |= 1 << seat
            index -= 1
            s.order[index] = seat
            s.seats[seat, ORDER_INDEX + index] = 1
    for seat in range(players - 1, -1, -1):
        if not (seen >> seat) & 1:
            index -= 1
            s.order[index] = seat
            s.seats[seat, ORDER_INDEX + index] = 1


@rule
def start_round(s):
    """A new round: fix the order, then the first turn."""
    s.round_number += 1
    set_order(s)
    s.turn = 0
    start_turn(s)


@rule
def start_turn(s):
    """The active player picks three cards and begins to play."""
    for seat in range(int(s.num_players)):
        s.seats[seat, ACTIVE] = 0
    seat = int(s.order[s.turn])
    s.seats[seat, ACTIVE] = 1
    s.points = 0
    s.climbed = 0
    s.added = 0
    pick_cards(s, seat, CARDS_PER_TURN)
    ask_play(s)


@rule
def end_turn(s, t):
    """The next player's turn, or the storm and the next round."""
    s.seats[s.order[s.turn], FINISHED] = 1
    if s.turn + 1 < s.num_players:
        s.turn += 1
        start_turn(s)
        return
    s.stage = STAGE_STORM
    move_blizzards(s, t)
    if settle_blizzards(s):
        end_round(s)


@rule
def end_round(s):
    """Somebody may stand on the summit now; else the next round, or the end of the time."""
    s.asked = -1
    if reaches_summit(s):
        return
    if s.round_number >= s.max_rounds:
        end_game(s, TRUNCATED)  # R31
    else:
        start_round(s)


@rule
def ask_play(s):
    """The active player decides what to play next, unless the game is won."""
    s.stage = STAGE_PLAY
    s.asked = -1
    if not reaches_summit(s):
        s.decision = PLAY
        s.player = s.order[s.turn]


@rule
def ask_supply(s):
    """The active player decides how to supply the team, unless the game is won."""
    s.stage = STAGE_SUPPLY
    if not reaches_summit(s):
        s.decision = SUPPLY
        s.player = s.order[s.turn]


@rule
def end_game(s, cause):
    """The game is over."""
    s.end = cause
    s.decision = OVER
    s.player = -1


@rule
def next_person(s, position):
    """The first position from `position` on that is not a camp, or the line's size (R29)."""
    while position < s.line_size and s.line[position] >= FIRST_CAMP:
        position += 1
    return position


@rule
def reaches_summit(s):
    """Whether a team has won; if so the game ends (R29, R30, R32, R38)."""
    if s.camps_established < CAMPS_FOR_ACCESS:
        return False
    first_place = next_person(s, 0)
    second_place = next_person(s, first_place + 1)
    if second_place >= s.line_size:
        return False
    first = int(s.line[first_place])
    second = int(s.line[second_place])
    seat = first // NUM_SLOTS
    if first >= FIRST_NEUTRAL or second // NUM_SLOTS != seat or s.seats[seat, HAS_BUILT] == 0:
        return False
    if s.elements[first, FIRST_KIND] == 0 and s.elements[second, FIRST_KIND] == 0:
        return False
    if s.elements[first, HALTED] or s.elements[second, HALTED]:
        return False
    for token in range(TOKENS, TOKENS + NUM_RESOURCES):
        if s.elements[first, token] == 0 and s.elements[second, token] == 0:
            return False
    s.winner = seat
    end_game(s, SUMMIT)
    return True


@rule
def rewards(s, t, out):
    """1 for the winner, shared out as losses among the others; nothing for running out of time."""
    if s.end != SUMMIT:
        return
    players = int(s.num_players)
    for seat in range(players):
        if seat == s.winner:
            out[seat] += 1
        else:
            out[seat] -= 1 / (players - 1)
