"""What happens by itself: the weeks, the end of turns and games, Mallory, and the control stack."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import shuffle
from climbenvs.engine.rows import clear
from climbenvs.games.everest_1953.actions import PASS
from climbenvs.games.everest_1953.decisions import choices
from climbenvs.games.everest_1953.effects import discard, draw_everest, push_program, run_op
from climbenvs.games.everest_1953.mountain import cards_on_level
from climbenvs.games.everest_1953.state import (
    ASCENT,
    CHOOSE_CLIMBER,
    DISCARD_PLAYED,
    END_TURN,
    FIRST_AUTOMATIC,
    FIRST_AUTOMATIC_OP,
    HAND_LIMIT,
    HARD,
    IS_CLIMBER,
    LAST_SPACE,
    MALLORY,
    MALLORY_CARDS,
    MALLORY_GIFT,
    MALLORY_WON,
    MARKET,
    MIXED,
    NUM_SLOTS,
    OVERFLOW,
    PENALTY,
    REWARD,
    SAME,
    SPACE,
    SPECIFIC,
    TRUNCATED,
    TURN,
    WEEK,
    WEEK_END,
    WEEKS,
    num_expeditions,
    pop,
    push,
)
from climbenvs.games.everest_1953.tables import (
    MAX_REWARDS,
    NUM_SPACES,
    REWARD_START,
    SIDES_PER_NATION,
)

# --------------------------------------------------------------------------------- the end


@rule
def end_game(s, cause):
    """Nothing more is to be decided; `winner` says who won."""
    s.cause = cause
    s.player = -1
    s.stack_size = 0
    s.num_legal = 0
    clear(s.legal_mask[0])


@rule
def count_climbers(s, t, seat):
    """Climbers on a Mountain, Sherpas who are Climbers included."""
    count = 0
    for slot in range(NUM_SLOTS):
        card = s.cards[seat, slot]
        if card >= 0 and t.card_types[card] & IS_CLIMBER:
            count += 1
    return count


@rule
def score_game(s, t, cause):
    """Most cards on level 3 win, then most Climbers (R53); solo this is lost."""
    players = int(s.num_players)
    if players > 1:
        best = 0
        for seat in range(players):
            best = max(best, 32 * cards_on_level(s, seat, 2) + count_climbers(s, t, seat))
        for seat in range(players):
            score = 32 * cards_on_level(s, seat, 2) + count_climbers(s, t, seat)
            s.winner[seat] = score == best
    end_game(s, cause)


# --------------------------------------------------------------------------------- the week


@rule
def start_week(s, t):
    """New weather, then everything that is decided or laid out before the Ascent Period."""
    if s.start_holder < 0:
        s.start_holder = s.first
    s.week += 1
    if s.weather >= 0:
        s.weather_past[s.num_weather_past] = s.weather
        s.num_weather_past += 1
    s.num_weather_deck -= 1
    s.weather = s.weather_deck[s.num_weather_deck]
    players = int(s.num_players)
    for seat in range(players):
        s.weather_ignored[seat] = 0
        for token in range(3):
            if int(t.weather_refresh[s.weather + 1]) >> token & 1:
                s.tokens[seat, token] = 1
    start = int(s.start_holder) if players > 1 else 0
    push(s, ASCENT, -1)
    for step in range(players - 1, -1, -1):
        push(s, CHOOSE_CLIMBER, (start + step) % players)
    push(s, MARKET, -1)
    for step in range(players - 1, -1, -1):
        push(s, OVERFLOW, (start + step) % players)


@rule
def refill_market(s, t):
    """Discard what is left of the cards, then of the backpacks, and lay out new ones."""
    for position in range(int(s.market_size)):
        if s.market[position] >= 0:
            discard(s, -1, int(s.market[position]))
    s.market_size = t.market_cards[s.num_players]
    for position in range(int(s.market_size)):
        s.market[position] = draw_everest(s)
    for position in range(int(s.backpack_market_size)):
        if s.backpack_market[position] >= 0:
            discard_backpack(s, position)
    s.backpack_market_size = t.market_backpacks[s.num_players]
    for position in range(int(s.backpack_market_size)):
        s.backpack_market[position] = draw_backpack(s)


@rule
def discard_backpack(s, position):
    """Take a backpack from its row to the discard pile; returns it."""
    backpack = int(s.backpack_market[position])
    s.backpack_market[position] = -1
    s.backpack_discard[s.num_backpack_discard] = backpack
    s.num_backpack_discard += 1
    return backpack


@rule
def draw_backpack(s):
    """Top backpack, the discard pile being shuffled when needed (R4); -1 if there is none."""
    if s.num_backpack_deck == 0:
        count = int(s.num_backpack_discard)
        for i in range(count):
            s.backpack_deck[i] = s.backpack_discard[i]
        shuffle(s, s.backpack_deck, count)
        s.num_backpack_deck = count
        s.num_backpack_discard = 0
    if s.num_backpack_deck == 0:
        return -1
    s.num_backpack_deck -= 1
    return int(s.backpack_deck[s.num_backpack_deck])


@rule
def start_turn(s, expedition):
    """The next turn: a player's or Mallory's."""
    if expedition < s.num_players:
        push(s, TURN, expedition, 1, 0)
    else:
        push(s, MALLORY, -1)


@rule
def start_ascent(s):
    """Flags beside the board; the holder of the starting card opens the Ascent Period."""
    if s.start_holder >= 0:
        s.first = s.start_holder
    s.start_holder = -1
    s.mallory_bivouac = 0
    for seat in range(int(s.num_players)):
        s.bivouac[seat] = 0
        s.backpack_taken[seat] = 0
    start_turn(s, int(s.first))


@rule
def flag_of(s, expedition):
    """Bivouac space of a seat's flag or of Mallory's."""
    if expedition < s.num_players:
        return int(s.bivouac[expedition])
    return int(s.mallory_bivouac)


@rule
def end_turn(s, expedition):
    """The week ends when somebody is on the last space or all are on the board; else the next."""
    expeditions = num_expeditions(s)
    if flag_of(s, expedition) == LAST_SPACE:
        push(s, WEEK_END, -1)
        for step in range(expeditions - 1, 0, -1):
            other = (expedition + step) % expeditions
            if other < s.num_players and s.bivouac[other] == 0:
                push(s, HAND_LIMIT, other)
                push(s, PENALTY, other)
        return
    for other in range(expeditions):
        if flag_of(s, other) == 0:
            start_turn(s, (expedition + 1) % expeditions)
            return
    push(s, WEEK_END, -1)


@rule
def end_week(s, t):
    """The next week, or the end of the game."""
    if s.week < t.weeks[s.num_players]:
        push(s, WEEK, -1)
    else:
        score_game(s, t, WEEKS)


@rule
def enter_space(s, t, seat, space):
    """Rewards of a bivouac space: all of them, or one to be chosen (R40)."""
    index = int(s.board) * NUM_SPACES + space - 1
    if t.space_choice[s.board, space - 1] and not s.both_rewards[seat]:
        push(s, REWARD, seat, space)
        return
    for reward in range(int(t.space_rewards[s.board, space - 1]) - 1, -1, -1):
        push_program(s, t, REWARD_START + index * MAX_REWARDS + reward, seat, 0)


# --------------------------------------------------------------------------------- Mallory


@rule
def mallory_card(s):
    """Mallory's pyramid grows; the tenth card is the summit, and the game is lost."""
    card = draw_everest(s)
    if card >= 0:
        s.mallory_cards[s.num_mallory_cards] = card
        s.num_mallory_cards += 1
        if s.num_mallory_cards == MALLORY_CARDS:
            end_game(s, MALLORY_WON)


@rule
def mallory_gain(s, t):
    """Mallory gains at his lowest level with room by day; a level filled up is worth a card."""
    side = SIDES_PER_NATION * int(s.mallory_nation)
    for level in range(4):
        if s.mallory_resources[level] < t.sides[side, level]:
            s.mallory_resources[level] += 1
            if s.mallory_resources[level] == t.sides[side, level]:
                mallory_card(s)
            return


@rule
def mallory_climber(s):
    """Turn over the top of Mallory's deck, shuffling his discard pile when needed."""
    if s.num_mallory_deck == 0:
        count = int(s.num_mallory_discard)
        for i in range(count):
            s.mallory_deck[i] = s.mallory_discard[i]
        shuffle(s, s.mallory_deck, count)
        s.num_mallory_deck = count
        s.num_mallory_discard = 0
    s.num_mallory_deck -= 1
    climber = int(s.mallory_deck[s.num_mallory_deck])
    s.mallory_discard[s.num_mallory_discard] = climber
    s.num_mallory_discard += 1
    return climber


@rule
def leftmost(row, size):
    """Position of the first card left in a row, -1 if there is none."""
    for position in range(size):
        if row[position] >= 0:
            return position
    return -1


@rule
def mallory_turn(s, t):
    """Mallory advances on the bivouac board or does what the cost of his next climber says."""
    if s.mallory_bivouac > 0:
        s.mallory_bivouac = min(int(s.mallory_bivouac) + 1, LAST_SPACE)
        mallory_gain(s, t)
        return
    kind = int(t.card_class[mallory_climber(s)])
    rest = 0
    if kind == SPECIFIC:
        position = leftmost(s.market, int(s.market_size))
        if position >= 0:
            discard(s, -1, int(s.market[position]))
            s.market[position] = -1
            mallory_gain(s, t)
        rest = leftmost(s.market, int(s.market_size))
    elif kind == MIXED:
        mallory_card(s)
    elif kind == SAME:
        position = leftmost(s.backpack_market, int(s.backpack_market_size))
        if position >= 0:
            discard_backpack(s, position)
            if s.difficulty == HARD:
                mallory_gain(s, t)
        rest = leftmost(s.backpack_market, int(s.backpack_market_size))
    if rest < 0 and s.cause == 0:
        s.mallory_bivouac = 1
        mallory_gain(s, t)
        if s.start_holder < 0:
            s.start_holder = 1


# --------------------------------------------------------------------------- the control stack


@rule
def run_item(s, t, kind, seat, a):
    """Execute an automatic item that is not an operation."""
    if kind == END_TURN:
        end_turn(s, seat)
    elif kind == SPACE:
        enter_space(s, t, seat, a)
    elif kind == WEEK:
        start_week(s, t)
    elif kind == MARKET:
        refill_market(s, t)
    elif kind == ASCENT:
        start_ascent(s)
    elif kind == WEEK_END:
        end_week(s, t)
    elif kind == MALLORY:
        push(s, END_TURN, 1)
        mallory_turn(s, t)
    elif kind == MALLORY_GIFT:
        mallory_gain(s, t)


@rule
def skip_item(s):
    """Drop a decision without a choice; a gate takes the rest of its program along (R45)."""
    top = int(s.stack_size) - 1
    kind = int(s.stack[top, 0])
    seat = int(s.stack[top, 1])
    pop(s)
    if kind == TURN:
        push(s, END_TURN, seat)
    elif kind == DISCARD_PLAYED:
        s.stack_size = max(0, int(s.stack_size) - int(s.stack[top, 3]))


@rule
def advance(s, t):
    """Run automatic items and drop empty decisions up to a real one or the end."""
    while s.cause == 0:
        top = int(s.stack_size) - 1
        kind = int(s.stack[top, 0])
        if kind >= FIRST_AUTOMATIC:
            seat = int(s.stack[top, 1])
            a = int(s.stack[top, 2])
            pop(s)
            if kind < FIRST_AUTOMATIC_OP:
                run_item(s, t, kind, seat, a)
            else:
                run_op(
                    s,
                    t,
                    kind,
                    seat,
                    a,
                    int(s.stack[top, 3]),
                    int(s.stack[top, 4]),
                    int(s.stack[top, 5]),
                )
            continue
        choices(s, t)
        if s.num_legal > 1 or (s.num_legal == 1 and not s.legal_mask[0, PASS]):
            s.player = s.stack[top, 1]
            return
        skip_item(s)


@rule
def check_clock(s, t):
    """Score the game as it stands when its limit of actions is reached."""
    if s.cause == 0 and s.actions_applied >= s.max_decisions:
        score_game(s, t, TRUNCATED)
