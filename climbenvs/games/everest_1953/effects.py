"""Effects: programs of operations, what makes them usable, and the operations without a choice."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import shuffle
from climbenvs.games.everest_1953.mountain import (
    cards_on_level,
    is_playable,
    levels_with_cards,
    resources_on,
    side_of,
)
from climbenvs.games.everest_1953.resources import any_move_down, gain, gainable, movable_up
from climbenvs.games.everest_1953.state import (
    ACTIVATE_AXES,
    ACTIVATE_BIVOUAC,
    BASE_CAMP,
    BIVOUAC_CARDS,
    DISCARD_PLAYED,
    DRAW,
    GAIN_ANY,
    GAIN_EACH_L1,
    GAIN_FIXED_HERE,
    GAIN_HERE,
    GAIN_SAME_L1,
    GO_BIVOUAC,
    HAND_LIMIT,
    HAND_SIZE,
    HIGHER_NEIGHBOURS,
    ICE_AXES,
    IGNORE_WEATHER,
    LEVEL_OF,
    MALLORY_GIFT,
    MOVE_ANY,
    MOVE_HERE,
    NUM_EVEREST,
    NUM_SLOTS,
    OVERFLOW,
    PLAY_CARD,
    REARRANGE,
    REFRESH,
    SPACE,
    SWAP,
    TAKE_START,
    TRADE_HERE,
    TRIGGER_AXE,
    TRIGGER_BIVOUAC,
    push,
)
from climbenvs.games.everest_1953.tables import OTHERS_START

# --------------------------------------------------------------------------------------- cards


@rule
def draw_everest(s):
    """Top Everest card, the discard pile being shuffled when needed (R8); -1 if there is none."""
    if s.num_everest_deck == 0:
        count = int(s.num_everest_discard)
        for i in range(count):
            s.everest_deck[i] = s.everest_discard[i]
        shuffle(s, s.everest_deck, count)
        s.num_everest_deck = count
        s.num_everest_discard = 0
    if s.num_everest_deck == 0:
        return -1
    s.num_everest_deck -= 1
    return int(s.everest_deck[s.num_everest_deck])


@rule
def discard(s, seat, card):
    """Everest cards go to their pile, Climbers leave the game (R12)."""
    if card < NUM_EVEREST:
        s.everest_discard[s.num_everest_discard] = card
        s.num_everest_discard += 1
    else:
        s.climber_out[seat, s.num_climber_out[seat]] = card
        s.num_climber_out[seat] += 1


@rule
def add_to_hand(s, seat, card, public):
    """Sort a card into a hand; one at the record's bound, which only snapshots reach, is full."""
    place = int(s.hand_size[seat])
    if place == HAND_SIZE:
        discard(s, seat, card)
        return
    while place > 0 and s.hand[seat, place - 1] > card:
        s.hand[seat, place] = s.hand[seat, place - 1]
        s.hand_public[seat, place] = s.hand_public[seat, place - 1]
        place -= 1
    s.hand[seat, place] = card
    s.hand_public[seat, place] = public
    s.hand_size[seat] += 1


@rule
def take_from_hand(s, seat, position):
    """Remove and return the card at a hand position."""
    card = int(s.hand[seat, position])
    last = int(s.hand_size[seat]) - 1
    for place in range(position, last):
        s.hand[seat, place] = s.hand[seat, place + 1]
        s.hand_public[seat, place] = s.hand_public[seat, place + 1]
    s.hand_size[seat] = last
    return card


@rule
def hand_limit_of(s, t, seat):
    """Cards the seat may hold."""
    return min(int(t.hand_limit_max), int(t.hand_limit) + int(s.hand_bonus[seat]))


# --------------------------------------------------------------------------------- what is usable


@rule
def op_levels(s, seat, kind, level):
    """Levels at which a gain or move of this kind happens, as bits."""
    if kind in (GAIN_HERE, MOVE_HERE):
        return 1 << level
    if kind in (GAIN_ANY, MOVE_ANY):
        return levels_with_cards(s, seat)
    return 1


@rule
def can_gain_or_move(s, t, seat, kind, level):
    """Whether a gain or move of this kind has anything to do."""
    levels = op_levels(s, seat, kind, level)
    for at in range(4):
        if levels >> at & 1:
            if kind <= GAIN_SAME_L1:
                if gainable(s, t, seat, at):
                    return True
            elif movable_up(s, t, seat, at):
                return True
    return False


@rule
def tokens_to_refresh(s, seat, mask):
    """Exhausted tokens among those of a mask."""
    exhausted = 0
    for token in range(3):
        if mask >> token & 1 and not s.tokens[seat, token]:
            exhausted |= 1 << token
    return exhausted


@rule
def is_repeatable_live(s, t, seat, level, op):
    """Whether an operation that cards may run again (`REPEATABLE_OPS`) would do something."""
    kind = int(op[0])
    if GAIN_HERE <= kind <= GAIN_SAME_L1 or MOVE_HERE <= kind <= MOVE_ANY:
        return can_gain_or_move(s, t, seat, kind, level)
    if kind == TRADE_HERE:
        return resources_on(s, seat, level) > 0
    if kind == GAIN_FIXED_HERE:
        wanted = int(op[1] > 0) + 2 * int(op[2] > 0) + 4 * int(op[3] > 0)
        return (wanted & gainable(s, t, seat, level)) != 0
    if kind == GAIN_EACH_L1:
        return gainable(s, t, seat, 0) != 0
    if kind == DRAW:
        return s.num_everest_deck + s.num_everest_discard > 0
    if kind == REFRESH:
        return tokens_to_refresh(s, seat, int(op[1])) != 0
    if kind == TAKE_START:
        return s.start_holder == -1
    if kind == IGNORE_WEATHER:
        return t.weather_lasts[s.weather + 1] != 0 and s.weather_ignored[seat] == 0
    return False


@rule
def is_usable(s, t, seat, slot, trigger):
    """Whether a played card has this trigger and an effect that would do something."""
    card = int(s.cards[seat, slot])
    if card < 0 or t.card_trigger[card] != trigger:
        return False
    for i in range(int(t.program_size[card])):
        if is_repeatable_live(s, t, seat, LEVEL_OF[slot], t.programs[card, i]):
            return True
    return False


@rule
def usable_slots(s, t, seat, trigger, among):
    """Slots among those given whose cards are usable by a trigger."""
    usable = 0
    slots = int(s.occupied[seat]) & among
    for slot in range(NUM_SLOTS):
        if slots >> slot & 1 and is_usable(s, t, seat, slot, trigger):
            usable |= 1 << slot
    return usable


@rule
def trigger_slots(s, t, seat, trigger):
    """Slots of all own cards with a trigger."""
    found = 0
    for slot in range(NUM_SLOTS):
        card = int(s.cards[seat, slot])
        if card >= 0 and t.card_trigger[card] == trigger:
            found |= 1 << slot
    return found


@rule
def base_camp_types(s, t, seat):
    """What the level 1 Mountain card offers: types to gain, types to move up."""
    side = side_of(s, t, seat)
    gains = gainable(s, t, seat, 0) if t.sides[side, 20] else 0
    moves = movable_up(s, t, seat, 0) if t.sides[side, 21] else 0
    return gains, moves


@rule
def axe_sources(s, t, seat, used):
    """Usable Ice Axe sources that are not used yet: slots and base camp."""
    sources = usable_slots(s, t, seat, TRIGGER_AXE, ~used)
    gains, moves = base_camp_types(s, t, seat)
    if (gains or moves) and not used >> BASE_CAMP & 1:
        sources |= 1 << BASE_CAMP
    return sources


@rule
def has_adjacent_cards(s, seat):
    """Whether two own cards are adjacent (R44)."""
    occupied = int(s.occupied[seat])
    for slot in range(NUM_SLOTS):
        if occupied >> slot & 1 and occupied & HIGHER_NEIGHBOURS[slot]:
            return True
    return False


@rule
def can_play_or_prepare(s, t, seat):
    """Whether a hand card can be paid, or a resource moved down for one (R16)."""
    if s.hand_size[seat] == 0:
        return False
    for position in range(int(s.hand_size[seat])):
        if is_playable(s, t, seat, int(s.hand[seat, position])):
            return True
    return any_move_down(s, t, seat)


@rule
def is_live(s, t, seat, level, op):
    """Whether any operation would do something."""
    kind = int(op[0])
    if kind == PLAY_CARD:
        return can_play_or_prepare(s, t, seat)
    if kind == REARRANGE:
        for at in range(4):
            if cards_on_level(s, seat, at) >= 2:
                return True
        return False
    if kind == SWAP:
        return s.hand_size[seat] > 0 and has_adjacent_cards(s, seat)
    if kind == DISCARD_PLAYED:
        return s.occupied[seat] != 0
    if kind == ACTIVATE_BIVOUAC:
        return usable_slots(s, t, seat, TRIGGER_BIVOUAC, -1) != 0
    if kind == ACTIVATE_AXES:
        return axe_sources(s, t, seat, 0) != 0
    if kind == GO_BIVOUAC:
        return True
    return is_repeatable_live(s, t, seat, level, op)


# ------------------------------------------------------------------------------------ programs


@rule
def push_program(s, t, program, seat, level):
    """Lay a program on the stack, its first operation on top."""
    for i in range(int(t.program_size[program]) - 1, -1, -1):
        op = t.programs[program, i]
        push(s, int(op[0]), seat, level, int(op[1]), int(op[2]), int(op[3]))


@rule
def activate(s, t, seat, slot):
    """The effect of a played card for its owner, then what it gives the others (R33, R34)."""
    card = int(s.cards[seat, slot])
    level = LEVEL_OF[slot]
    others = OTHERS_START + card
    if t.program_size[others] > 0:
        players = int(s.num_players)
        if players == 1:
            push(s, MALLORY_GIFT, -1)
        for step in range(players - 1, 0, -1):
            push_program(s, t, others, (seat + step) % players, level)
    push_program(s, t, card, seat, level)


@rule
def gain_fixed(s, t, seat, level, tent, supplies, oxygen):
    """Gain the first of the given resources and leave the rest on the stack; lost if impossible."""
    kind = 0 if tent > 0 else 1 if supplies > 0 else 2
    tent -= kind == 0
    supplies -= kind == 1
    oxygen -= kind == 2
    if tent + supplies + oxygen > 0:
        push(s, GAIN_FIXED_HERE, seat, level, tent, supplies, oxygen)
    if gainable(s, t, seat, level) >> kind & 1:
        gain(s, t, seat, level, kind)


@rule
def draw_to_hand(s, seat, level, count):
    """Draw one card into the hand and leave the rest on the stack; ends when there is no card."""
    card = draw_everest(s)
    if card >= 0:
        if count > 1:
            push(s, DRAW, seat, level, count - 1)
        add_to_hand(s, seat, card, 0)
        push(s, HAND_LIMIT, seat)


@rule
def run_op(s, t, kind, seat, level, a, b, c):
    """Execute an operation that leaves no choice."""
    if kind == GAIN_FIXED_HERE:
        if a + b + c > 0:
            gain_fixed(s, t, seat, level, a, b, c)
    elif kind == GAIN_EACH_L1:
        gain_fixed(s, t, seat, 0, 1, 1, 1)
    elif kind == DRAW:
        draw_to_hand(s, seat, level, a)
    elif kind == REFRESH:
        for token in range(3):
            if a >> token & 1:
                s.tokens[seat, token] = 1
    elif kind == ACTIVATE_BIVOUAC:
        push(s, BIVOUAC_CARDS, seat, trigger_slots(s, t, seat, TRIGGER_BIVOUAC))
    elif kind == ACTIVATE_AXES:
        push(s, ICE_AXES, seat, a, 0)
    elif kind == TAKE_START:
        if s.start_holder == -1:
            s.start_holder = seat
    elif kind == IGNORE_WEATHER:
        s.weather_ignored[seat] = 1
        push(s, OVERFLOW, seat)
    elif kind == GO_BIVOUAC:
        if s.bivouac[seat] == 0:
            s.bivouac[seat] = 1
            push(s, SPACE, seat, 1)
