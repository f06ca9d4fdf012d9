"""Which actions are legal."""

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.actions import (
    ADD,
    BLIZZARD_AT,
    BUILD,
    DISCARD_KIND,
    END_PLAYING,
    END_TURN,
    MOVE,
    ON_SEAT_AVALANCHE,
    ON_SEAT_CREVASSE,
    ON_SEAT_YETI,
    WITHDRAW,
)
from climbenvs.games.sherpa.state import (
    AVALANCHE,
    BLIZZARD,
    CAMPS_OWN,
    CREVASSE,
    DISCARD,
    FOOD,
    HALTED,
    HAND_SIZE,
    ICE_AXE,
    NUM_CHARACTER_KINDS,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    OXYGEN,
    PLAY,
    SPACES,
    SUPPLY,
    TOKENS,
    USABLE,
    YETI,
)


@rule
def legal(s, t, mask):
    """Write the mask of the player to act; returns the number of legal actions."""
    seat = int(s.player)
    if s.decision == PLAY:
        mask[END_PLAYING] = 1
        count = 1 + legal_climbs(s, t, mask, seat) + legal_dangers(s, mask, seat)
        if s.points > 0:
            count += legal_moves(s, mask, seat)
        return count
    if s.decision == SUPPLY:
        return legal_supply(s, mask, seat)
    if s.decision == DISCARD:
        return legal_discards(s, mask, seat)
    return legal_carriers(s, mask, seat)


@rule
def legal_climbs(s, t, mask, seat):
    """Climb cards whose whole price is covered by usable tokens (R12)."""
    ice_axes = s.seats[seat, USABLE + ICE_AXE]
    oxygen = s.seats[seat, USABLE + OXYGEN]
    food = s.seats[seat, USABLE + FOOD]
    count = 0
    for kind in range(int(t.num_climb_kinds)):
        playable = (
            (s.hands[seat, kind] > 0)
            & (t.costs[kind, 0] <= ice_axes)
            & (t.costs[kind, 1] <= oxygen)
            & (t.costs[kind, 2] <= food)
        )
        mask[kind] = playable
        count += playable
    return count


@rule
def legal_dangers(s, mask, seat):
    """Dangers on whoever has a free character (R19); blizzards while there are any left (R37)."""
    crevasse = int(s.hands[seat, CREVASSE] > 0)
    avalanche = int(s.hands[seat, AVALANCHE] > 0)
    yeti = int(s.hands[seat, YETI] > 0)
    count = 0
    players = int(s.num_players)
    if crevasse + avalanche + yeti > 0:
        target = seat
        for index in range(players):
            if s.num_free[target] > 0:
                mask[ON_SEAT_CREVASSE + index] = crevasse
                mask[ON_SEAT_AVALANCHE + index] = avalanche
                mask[ON_SEAT_YETI + index] = yeti
                count += crevasse + avalanche + yeti
            target += 1
            if target == players:
                target = 0
    if s.hands[seat, BLIZZARD] > 0 and s.num_blizzards < players and s.line_size > 0:
        mask[BLIZZARD_AT] = 1
        mask[BLIZZARD_AT + 1] = 1
        count += 2
    return count


@rule
def legal_moves(s, mask, seat):
    """Free characters that are not on top; passing a halted element needs food (R21)."""
    has_food = s.seats[seat, USABLE + FOOD] > 0
    count = 0
    for slot in range(NUM_SLOTS):
        element = NUM_SLOTS * seat + slot
        position = int(s.place[element])
        can_move = position > 0 and s.elements[element, HALTED] == 0
        if can_move and (has_food or s.elements[s.line[position - 1], HALTED] == 0):
            mask[MOVE + slot] = 1
            count += 1
    return count


@rule
def legal_supply(s, mask, seat):
    """Camps between two own neighbours (R25), new characters, or the end of the turn (R26)."""
    mask[END_TURN] = 1
    count = 1
    if s.seats[seat, CAMPS_OWN] > 0 or s.camps_common > 0:
        for slot in range(NUM_SLOTS):
            position = int(s.place[NUM_SLOTS * seat + slot])
            has_neighbour = position >= 0 and position + 1 < s.line_size
            if has_neighbour and int(s.line[position + 1]) // NUM_SLOTS == seat:
                mask[BUILD + slot] = 1
                count += 1
    if s.added == 0:
        for kind in range(NUM_CHARACTER_KINDS):
            if s.seats[seat, HAND_SIZE] >= SPACES[kind] and copy_off_line(s, seat, kind) >= 0:
                mask[ADD + kind] = 1
                count += 1
    return count


@rule
def copy_off_line(s, seat, kind):
    """The first character of a kind that is on its seat's board, or -1."""
    element = NUM_SLOTS * seat + 2 * kind
    if s.place[element] < 0:
        return element
    if s.place[element + 1] < 0:
        return element + 1
    return -1


@rule
def legal_discards(s, mask, seat):
    """Any card in hand pays for a character."""
    count = 0
    for kind in range(NUM_KINDS):
        held = s.hands[seat, kind] > 0
        mask[DISCARD_KIND + kind] = held
        count += held
    return count


@rule
def legal_carriers(s, mask, seat):
    """Free characters that carry the type of token asked for."""
    count = 0
    for slot in range(NUM_SLOTS):
        element = NUM_SLOTS * seat + slot
        if s.elements[element, TOKENS + s.asked] > 0 and s.elements[element, HALTED] == 0:
            mask[WITHDRAW + NUM_RESOURCES * slot + s.asked] = 1
            count += 1
    return count
