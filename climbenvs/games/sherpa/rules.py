"""What happens: the deal, and what every action does."""

from climbenvs.engine.jit import rule
from climbenvs.games.sherpa.actions import (
    ADD,
    BLIZZARD_AT,
    BUILD,
    DISCARD_KIND,
    END_PLAYING,
    END_TURN,
    MOVE,
    ON_SEAT_CREVASSE,
    WITHDRAW,
)
from climbenvs.games.sherpa.chance import (
    discard_card,
    fill_spaces,
    mix_line,
    mix_pile,
    pick_cards,
    renew_pile,
)
from climbenvs.games.sherpa.dangers import (
    oldest_due,
    pay_food,
    place_blizzard,
    settle_blizzards,
    strike,
)
from climbenvs.games.sherpa.legal import (
    copy_off_line,
)
from climbenvs.games.sherpa.line import (
    NOBODY,
    SEVERAL,
    add_token,
    carrier,
    enter,
    insert,
    is_free,
    put,
    swap_up,
    tidy,
)
from climbenvs.games.sherpa.rounds import (
    ask_play,
    ask_supply,
    end_round,
    end_turn,
    start_round,
)
from climbenvs.games.sherpa.state import (
    BLIZZARD,
    CAMPS_OWN,
    CREVASSE,
    DISCARD,
    FIRST_CAMP,
    FIRST_NEUTRAL,
    HALTED,
    HAND_SIZE,
    HAND_SIZE_AT_START,
    HAS_BUILT,
    ICE_AXE,
    MAX_PLAYERS,
    NUM_CHARACTER_KINDS,
    NUM_CLIMB_KINDS,
    NUM_KINDS,
    NUM_NEUTRALS,
    NUM_RESOURCES,
    NUM_SLOTS,
    ON_LINE,
    OXYGEN,
    PAY,
    PRESENT,
    PROTECT,
    SHELTER,
    SPACES,
    STAGE_STORM,
    YETI,
)


@rule
def clear_table(s, t):
    """Everything in its box: no line, no cards dealt, nothing built."""
    s.asked = -1
    s.winner = -1
    s.place[:] = -1
    s.elements[:] = t.elements
    for resource in range(NUM_RESOURCES):
        s.box[resource] = t.tokens[resource]
    for seat in range(int(s.num_players)):
        s.seats[seat, PRESENT] = 1


@rule
def setup(s, t):
    """Deal cards, line and tokens, and start the first round."""
    clear_table(s, t)
    for kind in range(NUM_KINDS):
        s.discard[kind] = t.counts[kind]
        if kind < NUM_CLIMB_KINDS:
            s.climbs_left += t.counts[kind]
    renew_pile(s)
    players = int(s.num_players)
    for _ in range(HAND_SIZE_AT_START):
        for seat in range(players):
            pick_cards(s, seat, 1)
    for seat in range(players):
        s.seats[seat, CAMPS_OWN] = 1
        for slot in range(0, NUM_SLOTS, 2):
            enter(s, NUM_SLOTS * seat + slot)  # R5
    if players == 2:
        for i in range(NUM_NEUTRALS):
            insert(s, FIRST_NEUTRAL + i, int(s.line_size))  # R4
    mix_line(s)
    for position in range(int(s.line_size)):
        put(s, s.line[position], position)
    for seat in range(players):
        for slot in range(0, NUM_SLOTS, 2):
            fill_spaces(s, NUM_SLOTS * seat + slot)
    start_round(s)


@rule
def apply(s, t, action):
    """Play one decision and all that follows of itself, up to the next decision or the end."""
    seat = int(s.player)
    if action < ON_SEAT_CREVASSE:
        play_climb(s, t, seat, action)
    elif action < BLIZZARD_AT:
        play_danger(s, t, seat, action)
    elif action < MOVE:
        discard_card(s, seat, BLIZZARD)
        place_blizzard(s, action > BLIZZARD_AT)
        if settle_blizzards(s):
            ask_play(s)
    elif action < END_PLAYING:
        swap_up(s, NUM_SLOTS * seat + action - MOVE)
        s.points -= 1
        tidy(s)
        ask_play(s)
    elif action == END_PLAYING:
        s.points = 0
        supply_team(s, seat)
        ask_supply(s)
    elif action < BUILD:
        withdraw(s, t, NUM_SLOTS * seat + (action - WITHDRAW) // NUM_RESOURCES)
    elif action < ADD:
        build_camp(s, seat, NUM_SLOTS * seat + action - BUILD)
    elif action < DISCARD_KIND:
        s.added = 1
        s.added_kind = action - ADD
        s.cards_due = SPACES[action - ADD]
        s.decision = DISCARD
    elif action < END_TURN:
        pay_for_character(s, seat, action - DISCARD_KIND)
    else:
        end_turn(s, t)


@rule
def play_climb(s, t, seat, kind):
    """Discard a climb card and pay its price."""
    discard_card(s, seat, kind)
    s.paid_card = kind
    for resource in range(NUM_RESOURCES):
        s.tokens_due[resource] = t.costs[kind, resource]
    pay_on(s, t, seat)


@rule
def pay_on(s, t, seat):
    """Withdraw the tokens due, asking where several characters carry one; then gain the points."""
    for resource in range(NUM_RESOURCES):
        while s.tokens_due[resource] > 0:
            element = carrier(s, seat, resource)
            if element == SEVERAL:
                s.decision = PAY
                s.asked = resource
                return
            add_token(s, element, resource, -1)
            s.tokens_due[resource] -= 1
    s.points += t.points[s.paid_card]
    if s.climbed == 0:
        s.points += pair_bonus(s, seat)  # R14
        s.climbed = 1
    s.paid_card = 0
    ask_play(s)


@rule
def pair_bonus(s, seat):
    """Bonus points for every pair of a seat's equal characters on the line."""
    bonus = 0
    if s.seats[seat, ON_LINE] > 1:
        for kind in range(NUM_CHARACTER_KINDS):
            element = NUM_SLOTS * seat + 2 * kind
            if s.place[element] >= 0 and s.place[element + 1] >= 0:
                bonus += SPACES[kind]
    return bonus


@rule
def play_danger(s, t, seat, action):
    """Discard a crevasse, avalanche or yeti; the target protects itself or is struck."""
    card = (action - ON_SEAT_CREVASSE) // MAX_PLAYERS
    target = (seat + (action - ON_SEAT_CREVASSE) % MAX_PLAYERS) % int(s.num_players)
    if card == 2:
        kind = YETI
    else:
        kind = CREVASSE + card
    discard_card(s, seat, kind)
    protector = NOBODY
    resource = ICE_AXE if kind == CREVASSE else OXYGEN
    if kind != YETI:
        protector = carrier(s, target, resource)
    if protector == SEVERAL:
        s.decision = PROTECT
        s.player = target
        s.asked = resource
        return
    if protector == NOBODY:
        strike(s, t, kind, target)
    else:
        add_token(s, protector, resource, -1)
    ask_play(s)


@rule
def withdraw(s, t, element):
    """A character gives the token that was asked for; go on with what asked for it."""
    if s.decision == SHELTER:
        pay_food(s, oldest_due(s), element)
        if settle_blizzards(s):
            if s.stage == STAGE_STORM:
                end_round(s)
            else:
                ask_play(s)
        return
    add_token(s, element, s.asked, -1)
    if s.decision == PROTECT:
        ask_play(s)
    else:
        s.tokens_due[s.asked] -= 1
        pay_on(s, t, element // NUM_SLOTS)


@rule
def build_camp(s, seat, element):
    """Build a camp just below a character, the own tile first; it supplies at once (R25, R27)."""
    camp = FIRST_CAMP
    while s.place[camp] >= 0:
        camp += 1
    insert(s, camp, int(s.place[element]) + 1)
    if s.seats[seat, CAMPS_OWN] > 0:
        s.seats[seat, CAMPS_OWN] -= 1
    else:
        s.camps_common -= 1
    s.seats[seat, HAS_BUILT] = 1
    s.camps_established += 1
    supply_team(s, seat)
    ask_supply(s)


@rule
def beside_camp(s, position):
    """Whether a camp that is not halted lies directly above or below a position."""
    if position > 0:
        above = s.line[position - 1]
        if above >= FIRST_CAMP and s.elements[above, HALTED] == 0:
            return True
    if position + 1 < s.line_size:
        below = s.line[position + 1]
        return below >= FIRST_CAMP and s.elements[below, HALTED] == 0
    return False


@rule
def supply_team(s, seat):
    """Every free character of the active player beside an open camp fills its spaces (R27)."""
    for element in range(NUM_SLOTS * seat, NUM_SLOTS * seat + NUM_SLOTS):
        if is_free(s, element) and beside_camp(s, int(s.place[element])):
            fill_spaces(s, element)


@rule
def pay_for_character(s, seat, kind):
    """Discard a card; after the last one the new character joins the line, fully supplied."""
    discard_card(s, seat, kind)
    s.cards_due -= 1
    if s.cards_due == 0:
        element = copy_off_line(s, seat, int(s.added_kind))
        s.added_kind = 0
        enter(s, element)
        fill_spaces(s, element)
        ask_supply(s)


@rule
def determinize(s, t, seat):
    """Deal all cards that `seat` cannot see anew: the other hands and the order of the pile."""
    size = int(s.pile_size)
    for other in range(int(s.num_players)):
        if other != seat:
            for kind in range(NUM_KINDS):
                for _ in range(int(s.hands[other, kind])):
                    s.pile[size] = kind
                    size += 1
                s.hands[other, kind] = 0
    mix_pile(s, size)
    for other in range(int(s.num_players)):
        if other != seat:
            for _ in range(int(s.seats[other, HAND_SIZE])):
                size -= 1
                s.hands[other, s.pile[size]] += 1
                s.pile[size] = 0
    s.pile_size = size
    s.climbs_left = 0
    for kind in range(NUM_CLIMB_KINDS):
        s.climbs_left += s.discard[kind]
    for i in range(size):
        if s.pile[i] < NUM_CLIMB_KINDS:
            s.climbs_left += 1
