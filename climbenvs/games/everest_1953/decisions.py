"""What may be decided: the legal actions of every kind of decision."""

from climbenvs.engine.jit import rule
from climbenvs.engine.rows import clear
from climbenvs.games.everest_1953.actions import (
    ADVANCE,
    DISCARD_HAND,
    DOWN,
    DROP,
    GAIN,
    KEEP_CLIMBER,
    PASS,
    PAY_TYPE,
    PLAY_HAND,
    REARRANGE_LEVEL,
    REWARD_CHOICE,
    SLOT,
    START_CARD,
    TAKE_BACKPACK,
    TAKE_CARD,
    TOKEN,
    UP,
)
from climbenvs.games.everest_1953.effects import (
    axe_sources,
    base_camp_types,
    hand_limit_of,
    has_adjacent_cards,
    is_live,
    op_levels,
    usable_slots,
)
from climbenvs.games.everest_1953.mountain import (
    cards_on_level,
    chain_level,
    free_cards,
    is_playable,
    payable_slots,
    payments,
    room_on,
    types_on,
)
from climbenvs.games.everest_1953.resources import gainable, movable_down, movable_up
from climbenvs.games.everest_1953.state import (
    ARRANGE,
    BASE_CAMP_ACTION,
    BIVOUAC_CARDS,
    CHOOSE_CLIMBER,
    DISCARD_PLAYED,
    DOUBLE_AXE,
    DRAFT,
    EXTRA_ACTION,
    FIRST_DECISION_OP,
    GAIN_SAME_L1,
    HAND_LIMIT,
    HIGHER_NEIGHBOURS,
    ICE_AXE,
    ICE_AXES,
    LAST_SPACE,
    LEVEL_BITS,
    LEVEL_OF,
    MAKE_ROOM,
    MOVE_ANY,
    NUM_SLOTS,
    OVERFLOW,
    PAY,
    PENALTY,
    PLACE,
    PLAY_CARD,
    REARRANGE,
    REWARD,
    SWAP,
    SWAP_CARDS,
    TRADE_HERE,
    TRIGGER_BIVOUAC,
    TURN,
)
from climbenvs.games.everest_1953.tables import MAX_REWARDS, NUM_SPACES, REWARD_START


@rule
def allow(s, action):
    """Make an action legal."""
    s.legal_mask[0, action] = 1
    s.num_legal += 1


@rule
def allow_types(s, action, types):
    """Make the actions of these resource types legal."""
    for kind in range(3):
        if types >> kind & 1:
            allow(s, action + kind)


@rule
def allow_slots(s, slots):
    """Make these slots legal."""
    slot = 0
    while slots >> slot:
        if slots >> slot & 1:
            allow(s, SLOT + slot)
        slot += 1


@rule
def allow_hand(s, seat, action):
    """Make every card of the hand legal."""
    for position in range(int(s.hand_size[seat])):
        allow(s, action + position)


@rule
def allow_plays(s, t, seat):
    """Playing a card that can be paid, or moving resources down before (R16)."""
    for position in range(int(s.hand_size[seat])):
        if is_playable(s, t, seat, int(s.hand[seat, position])):
            allow(s, PLAY_HAND + position)
    if s.hand_size[seat] > 0:
        for level in range(1, 4):
            allow_types(s, DOWN + 3 * (level - 1), movable_down(s, t, seat, level))


@rule
def overfull_level(s, t, seat):
    """Lowest level that holds more than its capacity, -1 if none (R21)."""
    for level in range(4):
        if room_on(s, t, seat, level) < 0:
            return level
    return -1


@rule
def turn_choices(s, t, seat, left, used):
    """Main actions while some are left, one secondary action, the end of the turn."""
    flag = int(s.bivouac[seat])
    if left > 0 and flag == 0:
        for position in range(int(s.market_size)):
            if s.market[position] >= 0:
                allow(s, TAKE_CARD + position)
        if not s.backpack_taken[seat]:
            for position in range(int(s.backpack_market_size)):
                if s.backpack_market[position] >= 0:
                    allow(s, TAKE_BACKPACK + position)
        allow_plays(s, t, seat)
    if left > 0 and flag < LAST_SPACE:
        allow(s, ADVANCE)
    if left == 0:
        allow(s, PASS)
    if used == 0:
        if s.tokens[seat, ICE_AXE] or s.tokens[seat, DOUBLE_AXE]:
            if axe_sources(s, t, seat, 0):
                for token in range(2):
                    if s.tokens[seat, token]:
                        allow(s, TOKEN + token)
        if s.tokens[seat, EXTRA_ACTION] and (flag == 0 or flag + left < LAST_SPACE):  # R43
            allow(s, TOKEN + EXTRA_ACTION)


@rule
def overflow_choices(s, t, seat):
    """Return or move down from the lowest level that is too full."""
    level = overfull_level(s, t, seat)
    if level >= 0:
        allow_types(s, DROP + 3 * level, types_on(s, seat, level))
        chain = chain_level(s, t, seat, level)
        if chain >= 0:
            allow_types(s, DOWN + 3 * (chain - 1), types_on(s, seat, chain))


@rule
def make_room_choices(s, t, seat, level, kind, from_below):
    """Return or move down another resource, or leave the arriving one out."""
    allow(s, PASS)
    allow_types(s, DROP + 3 * level, types_on(s, seat, level) & ~(1 << kind))
    chain = chain_level(s, t, seat, level)
    if chain >= 0:
        types = types_on(s, seat, chain)
        if from_below:
            types &= ~(1 << kind)
        allow_types(s, DOWN + 3 * (chain - 1), types)


@rule
def base_camp_choices(s, t, seat):
    """Gain at level 1 or move up from it."""
    gains, moves = base_camp_types(s, t, seat)
    allow_types(s, GAIN, gains)
    allow_types(s, UP, moves)
    if not gains or room_on(s, t, seat, 0) <= 0:
        allow(s, PASS)


@rule
def gain_choices(s, t, seat, levels):
    """Gains at these levels; declining only when all of them are full (R15)."""
    full = True
    for level in range(4):
        if levels >> level & 1:
            allow_types(s, GAIN + 3 * level, gainable(s, t, seat, level))
            if room_on(s, t, seat, level) > 0:
                full = False
    if full:
        allow(s, PASS)


@rule
def move_choices(s, t, seat, levels):
    """Moves up from these levels, or none."""
    allow(s, PASS)
    for level in range(3):
        if levels >> level & 1:
            allow_types(s, UP + 3 * level, movable_up(s, t, seat, level))


@rule
def swap_choices(s, seat, first):
    """A card with an adjacent one in a higher slot, then that other one."""
    occupied = int(s.occupied[seat])
    if first >= 0:
        allow_slots(s, occupied & HIGHER_NEIGHBOURS[first])
        return
    for slot in range(NUM_SLOTS):
        if occupied >> slot & 1 and occupied & HIGHER_NEIGHBOURS[slot]:
            allow(s, SLOT + slot)


@rule
def reward_choices(s, t, seat, space):
    """Rewards that would do something (R39)."""
    first = REWARD_START + (int(s.board) * NUM_SPACES + space - 1) * MAX_REWARDS
    for reward in range(2):
        program = first + reward
        for i in range(int(t.program_size[program])):
            if is_live(s, t, seat, 0, t.programs[program, i]):
                allow(s, REWARD_CHOICE + reward)
                break


@rule
def op_choices(s, t, kind, seat, level):
    """What an operation asks."""
    if kind <= GAIN_SAME_L1:
        gain_choices(s, t, seat, op_levels(s, seat, kind, level))
    elif kind <= MOVE_ANY and kind != TRADE_HERE:
        move_choices(s, t, seat, op_levels(s, seat, kind, level))
    else:
        allow(s, PASS)
        if kind == TRADE_HERE:
            allow_types(s, DROP + 3 * level, types_on(s, seat, level))
        elif kind == PLAY_CARD:
            allow_plays(s, t, seat)
        elif kind == REARRANGE:
            for at in range(4):
                if cards_on_level(s, seat, at) >= 2:
                    allow(s, REARRANGE_LEVEL + at)
        elif kind == SWAP:
            if has_adjacent_cards(s, seat):
                allow_hand(s, seat, DISCARD_HAND)
        elif kind == DISCARD_PLAYED:
            allow_slots(s, free_cards(int(s.occupied[seat])))


@rule
def card_choices(s, t, kind, seat, a, b):
    """What the decisions about cards and places ask."""
    occupied = int(s.occupied[seat])
    if kind == HAND_LIMIT:
        if s.hand_size[seat] > hand_limit_of(s, t, seat):
            allow_hand(s, seat, DISCARD_HAND)
    elif kind == PLACE:
        allow_slots(s, payable_slots(s, t, seat, int(s.hand[seat, a])))
    elif kind == BIVOUAC_CARDS:
        allow(s, PASS)
        allow_slots(s, usable_slots(s, t, seat, TRIGGER_BIVOUAC, a))
    elif kind == ICE_AXES:
        allow(s, PASS)
        if a > 0:
            allow_slots(s, axe_sources(s, t, seat, b))
    elif kind == SWAP_CARDS:
        swap_choices(s, seat, a)
    elif kind == ARRANGE:
        allow_slots(s, occupied & LEVEL_BITS[LEVEL_OF[a]] & -(1 << a))
    elif kind == PENALTY:
        allow_slots(s, free_cards(occupied))
    elif kind == DRAFT:
        for position in range(int(s.start_row_size)):
            if s.start_row[position] >= 0:
                allow(s, START_CARD + position)
    elif kind == CHOOSE_CLIMBER:
        for position in range(min(2, int(s.num_climber_deck[seat]))):
            allow(s, KEEP_CLIMBER + position)


@rule
def choices(s, t):
    """Write the legal actions of the decision on top of the stack into the record."""
    clear(s.legal_mask[0])
    s.num_legal = 0
    top = int(s.stack_size) - 1
    kind = int(s.stack[top, 0])
    seat = int(s.stack[top, 1])
    a = int(s.stack[top, 2])
    b = int(s.stack[top, 3])
    c = int(s.stack[top, 4])
    if kind == TURN:
        turn_choices(s, t, seat, a, b)
    elif kind >= FIRST_DECISION_OP:
        op_choices(s, t, kind, seat, a)
    elif kind == MAKE_ROOM:
        make_room_choices(s, t, seat, a, b, c)
    elif kind == BASE_CAMP_ACTION:
        base_camp_choices(s, t, seat)
    elif kind == OVERFLOW:
        overflow_choices(s, t, seat)
    elif kind == REWARD:
        reward_choices(s, t, seat, a)
    elif kind == PAY:
        paid = (int(s.stack[top, 4]), int(s.stack[top, 5]), int(s.stack[top, 6]))
        card = int(s.hand[seat, a])
        _, types, _ = payments(s, t, seat, card, b, paid, int(s.stack[top, 7]))
        allow_types(s, PAY_TYPE, types)
    else:
        card_choices(s, t, kind, seat, a, b)
