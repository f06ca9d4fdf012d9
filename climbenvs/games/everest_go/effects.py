"""What the action cards do: when they can be played, their targets, and how they resolve."""

from climbenvs.engine.jit import rule
from climbenvs.engine.rows import copy_values
from climbenvs.games.everest_go.actions import PASS_COLD, SPOT
from climbenvs.games.everest_go.state import (
    AVALANCHE_CHOICE,
    CANCEL,
    CHILL,
    COLDS,
    DISCARD_STACK,
    DISCARD_VISIBLE,
    FIRE_CHOICE,
    FIRST_ACTION_CARD,
    FREEZE,
    HAND_SIZE,
    HYPOTHERMIA,
    LEFT,
    MAX_PLAYERS,
    MAX_STACK,
    NUM_GARMENTS,
    NUM_KINDS,
    NUM_PARTS,
    NUM_SLOTS,
    OXYGEN,
    RECOVER_CARD,
    ROTATE_STACKS,
    STEAL_CARD,
    STEAL_SPOT,
    TAKE_CARD,
    TARGET_PLAYER,
    TARGET_SPOT,
    WARM,
)
from climbenvs.games.everest_go.table import (
    add_colds,
    discard_top,
    enter_hand,
    forget_hand,
    is_frozen,
    put_on,
    refresh_stack,
    set_frozen,
    set_item,
    take_off,
    top,
)


@rule
def clear_pending(s):
    """No action card is being resolved."""
    s.pending_card = -1
    s.num_targets = 0
    s.targets[0] = 0
    s.targets[1] = 0
    s.victim = -1
    s.part = -1
    s.direction = -1
    for seat in range(MAX_PLAYERS):
        s.sealed[seat] = 0


@rule
def card_done(s, stays):
    """The action card is resolved or cancelled; it is discarded unless it stays on the table."""
    if not stays:
        s.discard[s.pending_card] += 1
    clear_pending(s)


@rule
def can_be_played(s, t, kind):
    """Whether the turn player can play a card of the hand now (R26)."""
    if kind < NUM_GARMENTS:
        return not is_frozen(s, s.turn_player, kind // 4)
    if kind < FIRST_ACTION_CARD:
        return True
    effect = t.effect[kind]
    if effect == CHILL:
        return True
    if effect == CANCEL:
        return False
    if effect == STEAL_CARD:
        return has_target_player(s, t, kind)
    if effect == RECOVER_CARD:
        return discard_is_stocked(s)
    if effect == WARM:
        return can_be_warmed(s)
    if effect == ROTATE_STACKS:
        return has_avalanche(s)
    return has_target_spot(s, t, kind)


@rule
def discard_is_stocked(s):
    """Whether the discard pile holds a card."""
    for kind in range(NUM_KINDS):
        if s.discard[kind] > 0:
            return True
    return False


@rule
def can_be_warmed(s):
    """Whether the turn player has a Cold or a frozen part."""
    if s.seats[s.turn_player, COLDS] > 0:
        return True
    for part in range(NUM_PARTS):
        if is_frozen(s, s.turn_player, part):
            return True
    return False


@rule
def is_target_spot(s, t, kind, seat, slot):
    """Whether a spot is a legal target of a card of the turn player (R13 to R16)."""
    effect = t.effect[kind]
    if slot >= NUM_PARTS:
        item = s.seats[seat, OXYGEN + slot - NUM_PARTS]
        return effect == STEAL_SPOT and t.takes_items[kind] and item and seat != s.turn_player
    if is_frozen(s, seat, slot):
        return False
    if effect == FREEZE:
        return True
    points = top(s, seat, slot)
    if points == 0:
        return False
    if effect == STEAL_SPOT:
        if points == t.resistant_points and not t.takes_resistant[kind]:
            return False
        return seat != s.turn_player and not is_frozen(s, s.turn_player, slot)
    if points == t.resistant_points:
        return False
    return not (s.num_targets > 0 and s.targets[0] == NUM_SLOTS * seat + slot)


@rule
def has_target_spot(s, t, kind):
    """Whether any spot is a legal target (R26)."""
    for seat in range(s.num_players):
        for slot in range(NUM_SLOTS):
            if is_target_spot(s, t, kind, seat, slot):
                return True
    return False


@rule
def is_target_player(s, t, kind, seat):
    """Whether a seat can be chosen: an opponent with cards, or for a Cold anybody (R13)."""
    if t.effect[kind] == CHILL:
        return True
    return seat != s.turn_player and s.seats[seat, HAND_SIZE] > 0


@rule
def has_target_player(s, t, kind):
    """Whether any seat can be chosen."""
    for seat in range(s.num_players):
        if is_target_player(s, t, kind, seat):
            return True
    return False


@rule
def avalanche_is_possible(s, part):
    """Whether an Avalanche can move anything on a body part (R23)."""
    movers = 0
    garments = 0
    for seat in range(s.num_players):
        if not is_frozen(s, seat, part):
            movers += 1
            garments += s.height[seat, part]
    return movers >= 2 and garments > 0


@rule
def has_avalanche(s):
    """Whether an Avalanche can move anything at all."""
    for part in range(NUM_PARTS):
        if avalanche_is_possible(s, part):
            return True
    return False


@rule
def start_action_card(s, t, kind):
    """The card leaves the hand and its first decision comes up."""
    s.pending_card = kind
    effect = t.effect[kind]
    if effect in (STEAL_CARD, CHILL):
        s.decision = TARGET_PLAYER
    elif effect == RECOVER_CARD:
        s.decision = TAKE_CARD
    elif effect == WARM:
        s.decision = FIRE_CHOICE
    elif effect == ROTATE_STACKS:
        s.decision = AVALANCHE_CHOICE
    else:
        s.decision = TARGET_SPOT


@rule
def choose_spot(s, t, spot):
    """Store a target; True when the card has all it takes or can get (R19)."""
    seat = (s.player + spot // NUM_SLOTS) % s.num_players
    s.targets[s.num_targets] = NUM_SLOTS * seat + spot % NUM_SLOTS
    s.num_targets += 1
    if s.num_targets < t.count[s.pending_card]:
        return not has_target_spot(s, t, s.pending_card)
    return True


@rule
def choose_player(s, relative):
    """Store the victim."""
    s.victim = (s.player + relative) % s.num_players


@rule
def choose_fire(s, t, action):
    """Melt a Hypothermia at once, or aim a Cold at the left neighbour; True for the Cold (R22)."""
    if action == PASS_COLD:
        s.victim = (s.player + 1) % s.num_players
        return True
    set_frozen(s, t, s.player, action - SPOT, 0)
    s.discard[HYPOTHERMIA] += 1
    card_done(s, False)
    return False


@rule
def choose_avalanche(s, choice):
    """Store body part and direction."""
    s.part = choice // 2
    s.direction = choice % 2


@rule
def take_card(s, t, kind):
    """Take a card from the discard pile (R18) or from the victim's hand (R17)."""
    thief = s.turn_player
    victim = s.victim
    if t.effect[s.pending_card] == RECOVER_CARD:
        s.discard[kind] -= 1
        for other in range(s.num_players):
            if other != thief:
                s.known[MAX_PLAYERS * other + thief, kind] += 1
    else:
        s.hand[victim, kind] -= 1
        s.seats[victim, HAND_SIZE] -= 1
        s.known[MAX_PLAYERS * thief + victim, kind] -= 1
        s.known[MAX_PLAYERS * victim + thief, kind] += 1
        for other in range(s.num_players):
            if other != thief and other != victim:
                forget_hand(s, other, victim)
    enter_hand(s, thief, kind)
    card_done(s, False)


@rule
def resolve(s, t):
    """The pending card takes effect; True when it is done, False if a card is to be taken."""
    effect = t.effect[s.pending_card]
    if effect == STEAL_CARD:
        row = MAX_PLAYERS * s.turn_player + s.victim
        copy_values(s.known[row], 0, s.hand[s.victim])
        s.player = s.turn_player
        s.decision = TAKE_CARD
        return False
    if effect == STEAL_SPOT:
        steal_spot(s, t)
    elif effect == DISCARD_VISIBLE:
        for i in range(s.num_targets):
            discard_top(s, t, s.targets[i] // NUM_SLOTS, s.targets[i] % NUM_SLOTS)
    elif effect == DISCARD_STACK:
        discard_stack(s, t, s.targets[0] // NUM_SLOTS, s.targets[0] % NUM_SLOTS)
    elif effect == FREEZE:
        set_frozen(s, t, s.targets[0] // NUM_SLOTS, s.targets[0] % NUM_SLOTS, 1)
    elif effect == CHILL:
        add_colds(s, t, s.victim, 1)
    elif effect == WARM:
        add_colds(s, t, s.turn_player, -1)
        add_colds(s, t, s.victim, 1)
    else:
        rotate_stacks(s, t)
    card_done(s, effect in (FREEZE, CHILL))
    return True


@rule
def steal_spot(s, t):
    """The chosen garment or special item changes to the turn player's mountaineer."""
    seat = s.targets[0] // NUM_SLOTS
    slot = s.targets[0] % NUM_SLOTS
    if slot >= NUM_PARTS:
        set_item(s, t, seat, slot - NUM_PARTS, 0)
        set_item(s, t, s.turn_player, slot - NUM_PARTS, 1)
    else:
        put_on(s, t, s.turn_player, slot, take_off(s, t, seat, slot))


@rule
def discard_stack(s, t, seat, part):
    """Discard from the top down to the first resistant garment, which stays (R15)."""
    while s.height[seat, part] > 0 and top(s, seat, part) != t.resistant_points:
        discard_top(s, t, seat, part)


@rule
def is_mover(s, seat):
    """Whether a mountaineer takes part in the pending Avalanche (R23, R24)."""
    return not is_frozen(s, seat, s.part) and s.sealed[seat] == 0


@rule
def rotate_stacks(s, t):
    """Every mover's stack goes to the next mover in the chosen direction, all at once (R23).

    Swapping the first mover's stack with the second's, third's, ... carries each on by one.
    """
    players = s.num_players
    step = 1 if s.direction == LEFT else players - 1
    first = -1
    seat = 0
    for _ in range(players):
        if is_mover(s, seat):
            if first < 0:
                first = seat
            else:
                swap_stacks(s, first, seat, s.part)
        seat = (seat + step) % players
    for other in range(players):
        refresh_stack(s, t, other, s.part)


@rule
def swap_stacks(s, one, other, part):
    """Two seats exchange their stacks of a body part, order kept."""
    for level in range(MAX_STACK):
        value = s.stacks[one, part, level]
        s.stacks[one, part, level] = s.stacks[other, part, level]
        s.stacks[other, part, level] = value
    height = s.height[one, part]
    s.height[one, part] = s.height[other, part]
    s.height[other, part] = height
