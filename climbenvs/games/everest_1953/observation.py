"""What a seat may know, as a flat int8 vector, and the global state for centralised critics."""

from climbenvs.engine.jit import rule
from climbenvs.engine.rows import clear, copy_row
from climbenvs.games.everest_1953.decisions import overfull_level
from climbenvs.games.everest_1953.effects import hand_limit_of
from climbenvs.games.everest_1953.layouts import (
    OBSERVATION,
    SEAT,
    STATE,
)
from climbenvs.games.everest_1953.mountain import side_of
from climbenvs.games.everest_1953.state import (
    ARRANGE,
    ASCENT,
    CHOOSE_CLIMBER,
    CLIMBERS_PER_NATION,
    FIRST_DECISION_OP,
    ICE_AXES,
    LAST_SPACE,
    LEVEL_OF,
    MAKE_ROOM,
    NUM_CARDS,
    NUM_EVEREST,
    OVERFLOW,
    PAY,
    PLACE,
    REWARD,
    SWAP_CARDS,
    TURN,
    WEEK,
    WEEK_END,
)
from climbenvs.games.everest_1953.tables import (
    NUM_BACKPACK_FEATURES,
    NUM_CARD_FEATURES,
    NUM_SLOT_FEATURES,
    SIDES_PER_NATION,
)

DIFFICULTY_AT = OBSERVATION.offset("difficulty")
BOARD_AT = OBSERVATION.offset("board_ii")
WEEK_AT = OBSERVATION.offset("week")
WEATHER_AT = OBSERVATION.offset("weather")
WEATHER_PAST_AT = OBSERVATION.offset("weather_past")
SUPPLY_AT = OBSERVATION.offset("supply")
START_HOLDER_AT = OBSERVATION.offset("start_holder")
FIRST_AT = OBSERVATION.offset("first")
DECKS_AT = OBSERVATION.offset("everest_deck")
EVEREST_DISCARD_AT = OBSERVATION.offset("everest_discard")
BACKPACK_DISCARD_AT = OBSERVATION.offset("backpack_discard")
MARKET_AT = OBSERVATION.offset("market")
BACKPACKS_AT = OBSERVATION.offset("backpacks")
START_ROW_AT = OBSERVATION.offset("start_row")
HAND_AT = OBSERVATION.offset("hand")
CLIMBER_CHOICE_AT = OBSERVATION.offset("climber_choice")
OWN_CLIMBERS_AT = OBSERVATION.offset("own_climbers")
SEATS_AT = OBSERVATION.offset("seats")
MALLORY_AT = OBSERVATION.offset("mallory")
DECISION_AT = OBSERVATION.offset("decision")
DECIDER_AT = OBSERVATION.offset("decider")
TURN_OWNER_AT = OBSERVATION.offset("turn_owner")
TURN_STATE_AT = OBSERVATION.offset("main_actions")
LEVEL_AT = OBSERVATION.offset("level")
RESOURCE_AT = OBSERVATION.offset("resource")
AMOUNT_AT = OBSERVATION.offset("amount")
SLOT_AT = OBSERVATION.offset("slot")
PAID_AT = OBSERVATION.offset("paid")
CARD_IN_PLAY_AT = OBSERVATION.offset("card_in_play")
FLAGS_AT = OBSERVATION.offset("from_below")
CLOCK_AT = OBSERVATION.offset("clock")
SEAT_SIZE = SEAT.size
TOKENS_AT = SEAT.offset("tokens")
FLAG_AT = SEAT.offset("flag")
HAND_SIZE_AT = SEAT.offset("hand_size")
SLOTS_AT = SEAT.offset("slots")
KNOWN_HAND_AT = SEAT.offset("known_hand")
HANDS_AT = STATE.offset("hands")
CLIMBER_DECKS_AT = STATE.offset("climber_decks")
EVEREST_DECK_AT = STATE.offset("everest_deck")
BACKPACK_DECK_AT = STATE.offset("backpack_deck")
WEATHER_DECK_AT = STATE.offset("weather_deck")
MALLORY_DECK_AT = STATE.offset("mallory_deck")
MAX_CLOCK = 127


@rule
def observe_table(s, t, seat, out):
    """Options, calendar, weather, supply, who begins, piles."""
    players = int(s.num_players)
    out[players - 1] = 1
    if players == 1:
        out[DIFFICULTY_AT + s.difficulty] = 1
    out[BOARD_AT] = s.board
    if s.week > 0:
        out[WEEK_AT + s.week - 1] = 1
    out[WEEK_AT + 4] = t.weeks[players] - s.week
    if s.weather >= 0:
        out[WEATHER_AT + s.weather] = 1
    for i in range(int(s.num_weather_past)):
        out[WEATHER_PAST_AT + int(s.weather_past[i])] = 1
    for kind in range(3):
        out[SUPPLY_AT + kind] = s.supply[kind]
    holder = int(s.start_holder)
    out[START_HOLDER_AT + (5 if holder < 0 else seat_index(players, seat, holder))] = 1
    out[DECKS_AT] = s.num_everest_deck
    out[DECKS_AT + 1] = s.num_backpack_deck
    for i in range(int(s.num_everest_discard)):
        out[EVEREST_DISCARD_AT + int(s.everest_discard[i])] = 1
    for i in range(int(s.num_backpack_discard)):
        out[BACKPACK_DISCARD_AT + int(s.backpack_discard[i])] = 1
    out[CLOCK_AT] = max(0, min(MAX_CLOCK, int(s.max_decisions) - int(s.actions_applied)))


@rule
def seat_index(players, seat, other):
    """Where an expedition stands as `seat` sees the table: own seat 0, Mallory 4."""
    return (other - seat) % players if other < players else 4


@rule
def observe_cards(s, t, seat, out):
    """Market, backpacks, starting row, and the own hand."""
    for position in range(int(s.market_size)):
        if s.market[position] >= 0:
            offset = MARKET_AT + NUM_CARD_FEATURES * position
            copy_row(out, offset, t.card_features, int(s.market[position]))
    for position in range(int(s.backpack_market_size)):
        if s.backpack_market[position] >= 0:
            offset = BACKPACKS_AT + NUM_BACKPACK_FEATURES * position
            copy_row(out, offset, t.backpack_features, int(s.backpack_market[position]))
    for position in range(int(s.start_row_size)):
        if s.start_row[position] >= 0:
            offset = START_ROW_AT + (NUM_CARD_FEATURES + 3) * position
            copy_row(out, offset, t.card_features, int(s.start_row[position]))
            copy_row(out, offset + NUM_CARD_FEATURES, s.start_resources, position)
    for position in range(int(s.hand_size[seat])):
        offset = HAND_AT + NUM_CARD_FEATURES * position
        copy_row(out, offset, t.card_features, int(s.hand[seat, position]))


@rule
def observe_own_climbers(s, t, seat, out):
    """Where each own climber is: deck, hand, Mountain (all that is nowhere else), out."""
    places = 0  # two bits per climber: 1 + deck 0, hand 1, out 3 in the order of the one-hot
    for i in range(int(s.num_climber_deck[seat])):
        position = int(t.climber_position[s.climber_deck[seat, i]])
        out[OWN_CLIMBERS_AT + 4 * position] = 1
        places |= 1 << position
    for i in range(int(s.hand_size[seat])):
        if s.hand[seat, i] >= NUM_EVEREST:
            position = int(t.climber_position[s.hand[seat, i]])
            out[OWN_CLIMBERS_AT + 4 * position + 1] = 1
            places |= 1 << position
    for i in range(int(s.num_climber_out[seat])):
        position = int(t.climber_position[s.climber_out[seat, i]])
        out[OWN_CLIMBERS_AT + 4 * position + 3] = 1
        places |= 1 << position
    for position in range(CLIMBERS_PER_NATION):
        if not places >> position & 1:
            out[OWN_CLIMBERS_AT + 4 * position + 2] = 1


@rule
def observe_seat(s, t, seat, at, out):
    """What all see of a seat, from offset `at` on."""
    out[at] = 1
    out[at + 1 + int(s.nation[seat])] = 1
    copy_row(out, at + 5, s.resources, seat)
    copy_row(out, at + 17, t.sides, side_of(s, t, seat))
    copy_row(out, at + TOKENS_AT, s.tokens, seat)
    out[at + FLAG_AT + int(s.bivouac[seat])] = 1
    out[at + FLAG_AT + LAST_SPACE + 1] = s.backpack_taken[seat]
    out[at + FLAG_AT + LAST_SPACE + 2] = s.weather_ignored[seat]
    size = int(s.hand_size[seat])
    climbers = 0
    for i in range(size):
        card = int(s.hand[seat, i])
        if card >= NUM_EVEREST:
            climbers += 1
        elif s.hand_public[seat, i]:
            out[at + KNOWN_HAND_AT + card] = 1
    out[at + HAND_SIZE_AT] = size
    out[at + HAND_SIZE_AT + 1] = climbers
    out[at + HAND_SIZE_AT + 2] = hand_limit_of(s, t, seat)
    out[at + HAND_SIZE_AT + 3] = s.num_climber_deck[seat]
    occupied = int(s.occupied[seat])
    slot = 0
    while occupied >> slot:
        if occupied >> slot & 1:
            offset = at + SLOTS_AT + NUM_SLOT_FEATURES * slot
            copy_row(out, offset, t.slot_features, int(s.cards[seat, slot]))
        slot += 1


@rule
def observe_mallory(s, t, out):
    """Mallory's flag, resources, pyramid and what is left in his deck."""
    out[MALLORY_AT] = 1
    out[MALLORY_AT + 1 + s.mallory_bivouac] = 1
    side = SIDES_PER_NATION * int(s.mallory_nation)
    for level in range(4):
        out[MALLORY_AT + 7 + level] = s.mallory_resources[level]
        out[MALLORY_AT + 11 + level] = t.sides[side, level]
    out[MALLORY_AT + 15] = s.num_mallory_cards
    for i in range(int(s.num_mallory_deck)):
        out[MALLORY_AT + 16 + int(t.card_class[s.mallory_deck[i]])] += 1


@rule
def observe_turn(s, seat, out):
    """Whose turn it is and how far; who opened the week unless that is about to be settled."""
    players = int(s.num_players)
    settled = True
    ending = False
    owner = -1
    for i in range(int(s.stack_size)):
        kind = int(s.stack[i, 0])
        if kind == TURN:
            owner = seat_index(players, seat, int(s.stack[i, 1]))
            out[TURN_STATE_AT] = s.stack[i, 2]
            out[TURN_STATE_AT + 1] = s.stack[i, 3]
        elif kind in (WEEK, ASCENT):
            settled = False
        elif kind == WEEK_END:
            ending = True
    if ending and owner < 0:
        if players == 1 and s.mallory_bivouac == LAST_SPACE:
            owner = 4
        for other in range(players):
            if s.bivouac[other] == LAST_SPACE:
                owner = seat_index(players, seat, other)
    if owner >= 0:
        out[TURN_OWNER_AT + owner] = 1
    if settled:
        out[FIRST_AT + seat_index(players, seat, int(s.first))] = 1


@rule
def observe_item(s, t, seat, everything, out):
    """The decision: the item on top of the stack; hidden cards only if they are the seat's own."""
    top = int(s.stack_size) - 1
    kind = int(s.stack[top, 0])
    decider = int(s.stack[top, 1])
    a = int(s.stack[top, 2])
    b = int(s.stack[top, 3])
    out[DECISION_AT + kind] = 1
    out[DECIDER_AT + (decider - seat) % int(s.num_players)] = 1
    if kind >= FIRST_DECISION_OP:
        out[LEVEL_AT + a] = 1
        out[AMOUNT_AT] = b
    elif kind == MAKE_ROOM:
        out[LEVEL_AT + a] = 1
        out[RESOURCE_AT + b] = 1
        out[FLAGS_AT] = s.stack[top, 4]
    elif kind == OVERFLOW:
        out[LEVEL_AT + overfull_level(s, t, decider)] = 1
    elif kind in (PLACE, PAY):
        if everything or decider == seat:
            copy_row(out, CARD_IN_PLAY_AT, t.card_features, int(s.hand[decider, a]))
        if kind == PAY:
            out[LEVEL_AT + LEVEL_OF[b]] = 1
            out[SLOT_AT + b] = 1
            for resource in range(3):
                out[PAID_AT + resource] = s.stack[top, 4 + resource]
    elif kind == ICE_AXES:
        out[AMOUNT_AT] = a
    elif kind == ARRANGE or (kind == SWAP_CARDS and a >= 0):
        out[SLOT_AT + a] = 1
    elif kind == REWARD:
        out[FLAGS_AT + 1] = a
    elif kind == CHOOSE_CLIMBER and (everything or decider == seat):
        size = int(s.num_climber_deck[decider])
        for i in range(min(2, size)):
            card = int(s.climber_deck[decider, size - 1 - i])
            copy_row(out, CLIMBER_CHOICE_AT + NUM_CARD_FEATURES * i, t.card_features, card)


@rule
def write_observation(s, t, seat, everything, out):
    """The observation of a seat, with `everything` also what the decider alone knows."""
    clear(out)
    observe_table(s, t, seat, out)
    observe_cards(s, t, seat, out)
    observe_own_climbers(s, t, seat, out)
    players = int(s.num_players)
    for step in range(players):
        observe_seat(s, t, (seat + step) % players, SEATS_AT + SEAT_SIZE * step, out)
    if players == 1:
        observe_mallory(s, t, out)
    observe_turn(s, seat, out)
    if s.stack_size > 0:
        observe_item(s, t, seat, everything, out)


@rule
def observe(s, t, seat, out):
    """What `seat` may know, own seat first."""
    write_observation(s, t, int(seat), False, out)


@rule
def global_state(s, t, out):
    """Seat 0's observation, all hands and the order of every deck."""
    write_observation(s, t, 0, True, out)
    for seat in range(int(s.num_players)):
        for i in range(int(s.hand_size[seat])):
            out[HANDS_AT + NUM_CARDS * seat + int(s.hand[seat, i])] = 1
        size = int(s.num_climber_deck[seat])
        for i in range(size):
            climber = int(s.climber_deck[seat, size - 1 - i])
            out[CLIMBER_DECKS_AT + CLIMBERS_PER_NATION * seat + i] = 1 + t.climber_position[climber]
    size = int(s.num_everest_deck)
    for i in range(size):
        out[EVEREST_DECK_AT + i] = 1 + s.everest_deck[size - 1 - i]
    size = int(s.num_backpack_deck)
    for i in range(size):
        out[BACKPACK_DECK_AT + i] = 1 + s.backpack_deck[size - 1 - i]
    size = int(s.num_weather_deck)
    for i in range(size):
        out[WEATHER_DECK_AT + i] = 1 + s.weather_deck[size - 1 - i]
    size = int(s.num_mallory_deck)
    for i in range(size):
        out[MALLORY_DECK_AT + i] = 1 + t.card_class[s.mallory_deck[size - 1 - i]]
