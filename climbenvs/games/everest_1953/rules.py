"""The game's verbs: playing a decision, legal actions, rewards."""

from climbenvs.engine.jit import rule
from climbenvs.engine.rows import copy_row
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
    activate,
    add_to_hand,
    discard,
    push_program,
    take_from_hand,
)
from climbenvs.games.everest_1953.flow import advance, check_clock, discard_backpack, end_game
from climbenvs.games.everest_1953.mountain import (
    is_climber_on_top,
    payments,
    put_card,
    room_on,
    take_away,
)
from climbenvs.games.everest_1953.resources import arrive, gain, give_back, move_down, move_up
from climbenvs.games.everest_1953.state import (
    ARRANGE,
    BASE_CAMP,
    BASE_CAMP_ACTION,
    BIVOUAC_CARDS,
    CHOOSE_CLIMBER,
    DISCARD_PLAYED,
    DRAFT,
    END_TURN,
    EXTRA_ACTION,
    FIRST_DECISION_OP,
    GAIN_FIXED_HERE,
    GAIN_HERE,
    GAIN_SAME_L1,
    HAND_LIMIT,
    ICE_AXES,
    LEVEL_OF,
    LEVEL_START,
    MAKE_ROOM,
    OVERFLOW,
    PAY,
    PENALTY,
    PLACE,
    PLAY_CARD,
    REARRANGE,
    REWARD,
    SPACE,
    SUMMIT,
    SWAP,
    SWAP_CARDS,
    TRADE_HERE,
    TURN,
    pop,
    push,
)
from climbenvs.games.everest_1953.tables import (
    BACKPACK_START,
    MAX_REWARDS,
    NUM_SPACES,
    REWARD_START,
)

# ------------------------------------------------------------------------- playing cards


@rule
def pay_and_play(s, t, seat, position, slot, payment):
    """Pay for a hand card, lay it into its slot and use its effect; or stand on the summit."""
    level = LEVEL_OF[slot]
    for kind in range(3):
        s.resources[seat, 3 * level + kind] -= payment[kind]
        s.supply[kind] += payment[kind]
    put_card(s, t, seat, slot, take_from_hand(s, seat, position))
    if is_climber_on_top(s, t, seat, slot):
        s.winner[seat] = 1
        end_game(s, SUMMIT)
    else:
        activate(s, t, seat, slot)


@rule
def place(s, t, seat, position, slot):
    """A slot is chosen: pay at once if only one payment is possible."""
    card = int(s.hand[seat, position])
    count, _, payment = payments(s, t, seat, card, slot, (0, 0, 0), 0)
    if count == 1:
        pay_and_play(s, t, seat, position, slot, payment)
    else:
        push(s, PAY, seat, position, slot)


@rule
def pay(s, t, top, seat, position, slot, kind):
    """One more resource is committed; the rest follows when only one payment is left."""
    item = s.stack[top]
    item[4 + kind] += 1
    item[7] = kind
    paid = (int(item[4]), int(item[5]), int(item[6]))
    card = int(s.hand[seat, position])
    count, _, payment = payments(s, t, seat, card, slot, paid, kind)
    if count == 1:
        pop(s)
        pay_and_play(s, t, seat, position, slot, payment)


@rule
def lose_card(s, t, seat, slot):
    """A played card is discarded; the hand limit may have sunk (R47, R48)."""
    discard(s, seat, take_away(s, t, seat, slot))
    push(s, HAND_LIMIT, seat)


@rule
def swap_cards(s, t, seat, slot, other):
    """Two cards change places; a Climber may reach the summit this way (R44)."""
    card = s.cards[seat, slot]
    s.cards[seat, slot] = s.cards[seat, other]
    s.cards[seat, other] = card
    if is_climber_on_top(s, t, seat, slot) or is_climber_on_top(s, t, seat, other):
        s.winner[seat] = 1
        end_game(s, SUMMIT)


@rule
def next_in_row(s, seat, slot):
    """Next occupied slot of the same level, -1 if there is none."""
    for other in range(slot + 1, LEVEL_START[LEVEL_OF[slot] + 1]):
        if s.cards[seat, other] >= 0:
            return other
    return -1


@rule
def arrange(s, seat, top, target, slot):
    """The chosen card takes the place to fill; go on until one card is left."""
    card = s.cards[seat, target]
    s.cards[seat, target] = s.cards[seat, slot]
    s.cards[seat, slot] = card
    target = next_in_row(s, seat, target)
    if target < 0 or next_in_row(s, seat, target) < 0:
        pop(s)
    else:
        s.stack[top, 2] = target


# ------------------------------------------------------------------------- the decisions


@rule
def play_turn(s, t, top, seat, action):
    """A main or secondary action, moving down, or the end of the turn."""
    if action == PASS:
        pop(s)
        push(s, END_TURN, seat)
        return
    if DOWN <= action < DROP:
        move_down(s, seat, 1 + (action - DOWN) // 3, (action - DOWN) % 3)
        return
    if TOKEN <= action < SLOT:
        token = action - TOKEN
        s.tokens[seat, token] = 0
        s.stack[top, 3] = 1
        if token == EXTRA_ACTION:
            s.stack[top, 2] += 1
        else:
            push(s, ICE_AXES, seat, token + 1, 0)
        return
    s.stack[top, 2] -= 1
    if action == ADVANCE:
        s.bivouac[seat] += 1
        push(s, SPACE, seat, int(s.bivouac[seat]))
    elif action >= TAKE_BACKPACK:
        s.backpack_taken[seat] = 1
        backpack = discard_backpack(s, action - TAKE_BACKPACK)
        push_program(s, t, BACKPACK_START + backpack, seat, 0)
    elif action >= PLAY_HAND:
        push(s, PLACE, seat, action - PLAY_HAND)
    else:
        position = action - TAKE_CARD
        add_to_hand(s, seat, int(s.market[position]), 1)
        s.market[position] = -1
        push(s, BASE_CAMP_ACTION, seat)
        push(s, HAND_LIMIT, seat)


@rule
def draft(s, seat, position):
    """A starting card with its resources; after the last one the row is cleared."""
    add_to_hand(s, seat, int(s.start_row[position]), 1)
    s.start_row[position] = -1
    for kind in range(3):
        s.resources[seat, kind] += s.start_resources[position, kind]
        s.start_resources[position, kind] = 0
    if s.stack[s.stack_size - 1, 0] != DRAFT:
        for other in range(int(s.start_row_size)):
            if s.start_row[other] >= 0:
                discard(s, seat, int(s.start_row[other]))
            for kind in range(3):
                s.supply[kind] += s.start_resources[other, kind]
                s.start_resources[other, kind] = 0
        s.start_row_size = 0
    push(s, HAND_LIMIT, seat)


@rule
def keep_climber(s, seat, choice):
    """One of the top two climbers to the hand, the other to the bottom of the deck."""
    deck = s.climber_deck[seat]
    size = int(s.num_climber_deck[seat]) - 1
    chosen = int(deck[size - choice])
    if size > 0:
        other = deck[size - 1 + choice]
        for i in range(size - 1, 0, -1):
            deck[i] = deck[i - 1]
        deck[0] = other
    s.num_climber_deck[seat] = size
    add_to_hand(s, seat, chosen, 0)
    push(s, HAND_LIMIT, seat)


@rule
def make_room(s, t, top, seat, action):
    """A resource gives way to the arriving one, or the arriving one stays where it came from."""
    level = int(s.stack[top, 2])
    kind = int(s.stack[top, 3])
    from_below = int(s.stack[top, 4])
    if action == PASS:
        pop(s)
        if from_below:
            s.resources[seat, 3 * level - 3 + kind] += 1
    elif action >= DROP:
        pop(s)
        give_back(s, seat, level, (action - DROP) % 3)
        arrive(s, seat, level, kind, from_below)
    else:
        move_down(s, seat, 1 + (action - DOWN) // 3, (action - DOWN) % 3)
        if room_on(s, t, seat, level) > 0:
            pop(s)
            arrive(s, seat, level, kind, from_below)


@rule
def overflow(s, seat, action):
    """A resource leaves a level that is too full."""
    if action >= DROP:
        give_back(s, seat, (action - DROP) // 3, (action - DROP) % 3)
    else:
        move_down(s, seat, 1 + (action - DOWN) // 3, (action - DOWN) % 3)


@rule
def use_source(s, t, top, seat, kind, action):
    """A card of one's choice (or base camp) is activated; the decision stays for the next one."""
    if action == PASS:
        pop(s)
        return
    slot = action - SLOT
    if kind == BIVOUAC_CARDS:
        s.stack[top, 2] &= ~(1 << slot)
    else:
        s.stack[top, 2] -= 1
        s.stack[top, 3] |= 1 << slot
    if slot == BASE_CAMP:
        push(s, BASE_CAMP_ACTION, seat)
    else:
        activate(s, t, seat, slot)


@rule
def gain_or_move(s, t, seat, action):
    """Carry out a gain or a move up."""
    if GAIN <= action < UP:
        gain(s, t, seat, (action - GAIN) // 3, (action - GAIN) % 3)
    elif UP <= action < DOWN:
        move_up(s, t, seat, (action - UP) // 3, (action - UP) % 3)


@rule
def play_op(s, t, top, kind, seat, action):
    """Carry out what was chosen for an operation; `pass` ends it, a gate's whole program."""
    level = int(s.stack[top, 2])
    a = int(s.stack[top, 3])
    if kind == PLAY_CARD and DOWN <= action < DROP:
        move_down(s, seat, 1 + (action - DOWN) // 3, (action - DOWN) % 3)
        return
    pop(s)
    if action == PASS:
        if kind == DISCARD_PLAYED:
            s.stack_size -= a
    elif kind == GAIN_SAME_L1:
        resource = action - GAIN
        amounts = (a if resource == 0 else 0, a if resource == 1 else 0, a if resource == 2 else 0)
        push(s, GAIN_FIXED_HERE, seat, 0, amounts[0], amounts[1], amounts[2])
    elif kind == TRADE_HERE:
        give_back(s, seat, (action - DROP) // 3, (action - DROP) % 3)
        push(s, GAIN_HERE, seat, level, a)
    elif kind == PLAY_CARD:
        push(s, PLACE, seat, action - PLAY_HAND)
    elif kind == REARRANGE:
        first = LEVEL_START[action - REARRANGE_LEVEL]
        push(s, ARRANGE, seat, first if s.cards[seat, first] >= 0 else next_in_row(s, seat, first))
    elif kind == SWAP:
        discard(s, seat, take_from_hand(s, seat, action - DISCARD_HAND))
        push(s, SWAP_CARDS, seat, -1)
    elif kind == DISCARD_PLAYED:
        lose_card(s, t, seat, action - SLOT)
    else:
        if a > 1:
            push(s, kind, seat, level, a - 1)
        gain_or_move(s, t, seat, action)


@rule
def play_once(s, t, kind, seat, a, action):
    """Carry out a decision that is asked once: its item has been taken off the stack."""
    if kind == BASE_CAMP_ACTION:
        gain_or_move(s, t, seat, action)
    elif kind == PLACE:
        place(s, t, seat, a, action - SLOT)
    elif kind == CHOOSE_CLIMBER:
        keep_climber(s, seat, action - KEEP_CLIMBER)
    elif kind == DRAFT:
        draft(s, seat, action - START_CARD)
    elif kind == PENALTY:
        lose_card(s, t, seat, action - SLOT)
    elif kind == REWARD:
        index = int(s.board) * NUM_SPACES + a - 1
        reward = REWARD_START + index * MAX_REWARDS + action - REWARD_CHOICE
        push_program(s, t, reward, seat, 0)
    elif kind == SWAP_CARDS:
        if a < 0:
            push(s, SWAP_CARDS, seat, action - SLOT)
        else:
            swap_cards(s, t, seat, a, action - SLOT)


@rule
def play(s, t, action):
    """Carry out an action for the decision on top of the stack."""
    top = int(s.stack_size) - 1
    kind = int(s.stack[top, 0])
    seat = int(s.stack[top, 1])
    a = int(s.stack[top, 2])
    if kind == TURN:
        play_turn(s, t, top, seat, action)
    elif kind >= FIRST_DECISION_OP:
        play_op(s, t, top, kind, seat, action)
    elif kind == PAY:
        pay(s, t, top, seat, a, int(s.stack[top, 3]), action - PAY_TYPE)
    elif kind == MAKE_ROOM:
        make_room(s, t, top, seat, action)
    elif kind == OVERFLOW:
        overflow(s, seat, action)
    elif kind == HAND_LIMIT:
        discard(s, seat, take_from_hand(s, seat, action - DISCARD_HAND))
    elif kind in (BIVOUAC_CARDS, ICE_AXES):
        use_source(s, t, top, seat, kind, action)
    elif kind == ARRANGE:
        arrange(s, seat, top, a, action - SLOT)
    else:
        pop(s)
        play_once(s, t, kind, seat, a, action)


@rule
def apply(s, t, action):
    """Play one decision and all that follows up to the next one or the end."""
    s.actions_applied += 1
    play(s, t, int(action))
    advance(s, t)
    check_clock(s, t)


@rule
def legal(s, t, mask):
    """The legal actions, found when the decision came up."""
    copy_row(mask, 0, s.legal_mask, 0)
    return int(s.num_legal)


@rule
def rewards(s, t, out):
    """Winners share 1, the others share -1; nothing when all win. Solo: 1 or -1."""
    players = int(s.num_players)
    winners = 0
    for seat in range(players):
        winners += s.winner[seat]
    if players == 1:
        out[0] += 1 if winners else -1
    elif winners < players:
        for seat in range(players):
            if s.winner[seat]:
                out[seat] += 1 / winners
            else:
                out[seat] -= 1 / (players - winners)
