"""What happens in Everest Go!: the turn, from the option over the shout to the draw.

Rulings (R1 to R34) are explained in docs/games/everest_go.md.
"""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below, shuffle
from climbenvs.games.everest_go.actions import (
    AVALANCHE,
    CONTINUE,
    DISCARD,
    DONE,
    EVEREST,
    NO_TENT,
    PASS_COLD,
    PLAY,
    PLAYER,
    SPOT,
    TAKE,
    USE_TENT,
)
from climbenvs.games.everest_go.effects import (
    avalanche_is_possible,
    can_be_played,
    choose_avalanche,
    choose_fire,
    choose_player,
    choose_spot,
    clear_pending,
    is_target_player,
    is_target_spot,
    start_action_card,
    take_card,
)
from climbenvs.games.everest_go.state import (
    AVALANCHE_CHOICE,
    COLDS,
    END_DECK,
    END_EVEREST,
    END_TRUNCATED,
    EVEREST_WINDOW,
    FIRE_CHOICE,
    FIRST_ACTION_CARD,
    FIRST_ITEM,
    HAND_SIZE,
    IMPROVE,
    IS_TURN_PLAYER,
    MAIN,
    NUM_GARMENTS,
    NUM_KINDS,
    NUM_PARTS,
    NUM_SLOTS,
    OVER,
    PRESENT,
    STEAL_CARD,
    TAKE_CARD,
    TARGET_PLAYER,
    TARGET_SPOT,
    TENT_WINDOW,
)
from climbenvs.games.everest_go.table import (
    draw_card,
    form_deck,
    is_frozen,
    is_ready,
    leave_hand,
    put_on,
    set_item,
)
from climbenvs.games.everest_go.tents import answer_tent, open_tent_window


@rule
def setup(s, t):
    """Shuffle, deal, draw the first player."""
    players = s.num_players
    size = t.num_cards[players, s.beginner]
    for place in range(size):
        kind = int(t.cards[players, s.beginner, place])
        s.deck[place] = kind
        s.deck_count[kind] += 1
    s.deck_size = size
    shuffle(s, s.deck, size)
    clear_pending(s)
    s.shouter = -1
    for seat in range(players):
        s.seats[seat, PRESENT] = 1
        for _ in range(t.hand_size):
            draw_card(s, seat)
    s.turn = 1
    begin_turn(s, below(s, players))


@rule
def begin_turn(s, seat):
    """The seat's turn begins with its option."""
    s.turn_player = seat
    for other in range(s.num_players):
        s.seats[other, IS_TURN_PLAYER] = other == seat
    s.player = seat
    s.decision = MAIN


@rule
def finish(s, cause):
    """The game ends."""
    s.end = cause
    s.player = -1
    s.decision = OVER


@rule
def apply(s, t, action):
    """Play one decision and every automatic step up to the next."""
    decision = s.decision
    if decision == MAIN:
        after_option(s, t, choose_option(s, t, action))
    elif decision == IMPROVE:
        after_option(s, t, improve(s, t, action))
    elif decision == TARGET_SPOT:
        if choose_spot(s, t, action - SPOT):
            after_option(s, t, open_tent_window(s, t))
    elif decision == TARGET_PLAYER:
        choose_player(s, action - PLAYER)
        after_option(s, t, open_tent_window(s, t))
    elif decision == FIRE_CHOICE:
        if choose_fire(s, t, action):
            after_option(s, t, open_tent_window(s, t))
        else:
            after_option(s, t, True)
    elif decision == AVALANCHE_CHOICE:
        choose_avalanche(s, action - AVALANCHE)
        after_option(s, t, open_tent_window(s, t))
    elif decision == TAKE_CARD:
        take_card(s, t, action - TAKE)
        after_option(s, t, True)
    elif decision == TENT_WINDOW:
        after_option(s, t, answer_tent(s, t, action == USE_TENT))
    elif action == EVEREST:
        shout(s)
    else:
        draw_and_pass_on(s, t)


@rule
def choose_option(s, t, action):
    """One of the three options, or a shout (R8); True when the option is carried out."""
    seat = s.player
    if action == EVEREST:
        shout(s)
        return False
    if action == DONE:
        return True
    if action >= DISCARD:
        return improve(s, t, action)
    kind = action - PLAY
    leave_hand(s, seat, kind)
    if kind < NUM_GARMENTS:
        put_on(s, t, seat, kind // 4, kind % 4 + 1)
        return True
    if kind < FIRST_ACTION_CARD:
        set_item(s, t, seat, kind - FIRST_ITEM, 1)
        return True
    start_action_card(s, t, kind)
    return False


@rule
def improve(s, t, action):
    """Discard a card of the hand or stop; True when the option is carried out (R6)."""
    if action == DONE:
        return True
    kind = action - DISCARD
    leave_hand(s, s.player, kind)
    s.discard[kind] += 1
    s.decision = IMPROVE
    return s.seats[s.player, HAND_SIZE] == 0


@rule
def shout(s):
    """EVEREST! The game ends without drawing."""
    s.shouter = s.turn_player
    finish(s, END_EVEREST)


@rule
def after_option(s, t, option_done):
    """Back to the turn player, who may shout if ready (R8) and otherwise draws."""
    if not option_done:
        return
    s.player = s.turn_player
    if is_ready(s, s.turn_player):
        s.decision = EVEREST_WINDOW
    else:
        draw_and_pass_on(s, t)


@rule
def draw_and_pass_on(s, t):
    """Draw to a full hand (R4, R5), then the next turn begins unless the game ends (R25)."""
    seat = s.turn_player
    while s.seats[seat, HAND_SIZE] < t.hand_size:
        if s.deck_size == 0:
            if not form_deck(s):
                break
        draw_card(s, seat)
        if s.deck_size == 0:
            s.run_outs += 1
            if s.run_outs == t.run_outs_to_end:
                finish(s, END_DECK)
                return
            form_deck(s)
    if s.turn >= s.max_turns:
        finish(s, END_TRUNCATED)
        return
    s.turn += 1
    begin_turn(s, (seat + 1) % s.num_players)


@rule
def legal(s, t, mask):
    """Mark the legal actions of the seat to decide; returns their number."""
    decision = s.decision
    if decision == MAIN:
        return legal_options(s, t, mask)
    if decision == IMPROVE:
        mask[DONE] = 1
        return 1 + legal_discards(s, mask)
    if decision == TARGET_SPOT:
        return legal_spots(s, t, mask)
    if decision == TARGET_PLAYER:
        return legal_players(s, t, mask)
    if decision == FIRE_CHOICE:
        return legal_fires(s, mask)
    if decision == AVALANCHE_CHOICE:
        return legal_avalanches(s, mask)
    if decision == TAKE_CARD:
        return legal_takes(s, t, mask)
    if decision == TENT_WINDOW:
        mask[USE_TENT] = 1
        mask[NO_TENT] = 1
        return 2
    mask[EVEREST] = 1
    mask[CONTINUE] = 1
    return 2


@rule
def legal_options(s, t, mask):
    """Shout if ready, play what can be played, discard anything."""
    seat = s.player
    count = legal_discards(s, mask)
    if count == 0 or t.min_discard == 0:
        mask[DONE] = 1
        count += 1
    if is_ready(s, seat):
        mask[EVEREST] = 1
        count += 1
    for kind in range(NUM_KINDS):
        if s.hand[seat, kind] > 0 and can_be_played(s, t, kind):
            mask[PLAY + kind] = 1
            count += 1
    return count


@rule
def legal_discards(s, mask):
    """Every kind in the hand."""
    count = 0
    for kind in range(NUM_KINDS):
        if s.hand[s.player, kind] > 0:
            mask[DISCARD + kind] = 1
            count += 1
    return count


@rule
def legal_spots(s, t, mask):
    """Every legal target of the pending card."""
    count = 0
    for relative in range(s.num_players):
        seat = (s.player + relative) % s.num_players
        for slot in range(NUM_SLOTS):
            if is_target_spot(s, t, s.pending_card, seat, slot):
                mask[SPOT + NUM_SLOTS * relative + slot] = 1
                count += 1
    return count


@rule
def legal_players(s, t, mask):
    """Every seat the pending card can be played on."""
    count = 0
    for relative in range(s.num_players):
        if is_target_player(s, t, s.pending_card, (s.player + relative) % s.num_players):
            mask[PLAYER + relative] = 1
            count += 1
    return count


@rule
def legal_fires(s, mask):
    """Pass a Cold on, or melt an own Hypothermia (R22)."""
    count = 0
    if s.seats[s.player, COLDS] > 0:
        mask[PASS_COLD] = 1
        count += 1
    for part in range(NUM_PARTS):
        if is_frozen(s, s.player, part):
            mask[SPOT + part] = 1
            count += 1
    return count


@rule
def legal_avalanches(s, mask):
    """Every body part where anything can move; with two players there is one direction (R23)."""
    count = 0
    directions = 1 if s.num_players == 2 else 2
    for part in range(NUM_PARTS):
        if avalanche_is_possible(s, part):
            for direction in range(directions):
                mask[AVALANCHE + 2 * part + direction] = 1
                count += 1
    return count


@rule
def legal_takes(s, t, mask):
    """Every kind in the victim's hand, or in the discard pile."""
    count = 0
    from_hand = t.effect[s.pending_card] == STEAL_CARD
    for kind in range(NUM_KINDS):
        copies = s.hand[s.victim, kind] if from_hand else s.discard[kind]
        if copies > 0:
            mask[TAKE + kind] = 1
            count += 1
    return count
