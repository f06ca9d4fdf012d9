"""What exists in 1953 Everest: the state record, the control stack's items, the pyramid of slots.

Levels are 0..3 here (level 1 to 4 for people), resource types Tent, Supplies, Oxygen are 0..2, card
indices are Everest cards 0..48 and Climbers 49..68 in the order of the deck file.
"""

import itertools

import numpy as np

from climbenvs.engine.jit import rule

MAX_PLAYERS = 4
NUM_NATIONS = 4
NUM_LEVELS = 4
NUM_TYPES = 3
NUM_EVEREST = 49
NUM_CLIMBERS = 20
NUM_CARDS = NUM_EVEREST + NUM_CLIMBERS
CLIMBERS_PER_NATION = 5
NUM_BACKPACKS = 13
NUM_WEATHER = 10
NUM_SLOTS = 26
BASE_CAMP = 26  # "slot" of the level 1 Mountain card as an Ice Axe source
NUM_TOKENS = 3
LAST_SPACE = 5
HAND_SIZE = 8
START_ROW_SIZE = 5
MARKET_SIZE = 8
BACKPACK_MARKET_SIZE = 5
MALLORY_DECK_SIZE = 9
MALLORY_CARDS = 10
STACK_SIZE = 32
STACK_WIDTH = 8
NUM_ACTIONS = 119

NATIONS = ("uk", "france", "austria", "switzerland")
DIFFICULTIES = ("easy", "normal", "hard")
BOARDS = ("I", "II")
RESOURCES = ("tent", "supplies", "oxygen")
CARD_TYPES = ("sherpa", "funding", "innovation", "culture", "climber")
TOKENS = ("ice axe", "double ice axe", "extra action")
CAUSES = (None, "summit", "weeks", "mallory", "truncated")

# Values of the option `nations`: index 0 deals at random, the others name a nation per seat.
NATION_CHOICES = (
    None,
    *(choice for seats in range(1, 5) for choice in itertools.permutations(NATIONS, seats)),
)
NATION_TABLE = np.array(
    [
        [NATIONS.index(nation) for nation in choice or ()] + [0] * (4 - len(choice or ()))
        for choice in NATION_CHOICES
    ],
    np.int8,
)

# Card types as bits of `card_types`.
SHERPA, FUNDING, INNOVATION, CULTURE, CLIMBER = range(5)
IS_CLIMBER = 1 << CLIMBER
TRIGGER_ONCE, TRIGGER_AXE, TRIGGER_BIVOUAC = range(3)
ICE_AXE, DOUBLE_AXE, EXTRA_ACTION = range(NUM_TOKENS)
SPECIFIC, MIXED, SAME = range(3)  # classes of a Climber's cost
EASY, NORMAL, HARD = range(3)
NOT_OVER, SUMMIT, WEEKS, MALLORY_WON, TRUNCATED = range(5)

# Kinds of the control stack's items: the decisions in the order in which the observation lists
# them, then what happens by itself. Arguments from `stack[i, 2]` on in brackets.
DECISION_KINDS = (
    "draft",
    "overflow",
    "choose_climber",
    "hand_limit",
    "turn",  # [main actions left, whether a secondary action was used]
    "place",  # [hand position]
    "pay",  # [hand position, slot, paid tent, supplies, oxygen, type paid last]
    "base_camp",
    "make_room",  # [level, arriving type, 1 if it comes from the level below]
    "bivouac_cards",  # [slots left as bits]
    "ice_axes",  # [activations left, sources used as bits]
    "swap_cards",  # [first slot or -1]
    "arrange",  # [slot to fill]
    "reward",  # [space]
    "penalty",
)
DECISION_OPS = (  # [level, a, b, c] like all ops
    "gain_here",
    "gain_l1",
    "gain_any",
    "gain_same_l1",
    "trade_here",
    "move_here",
    "move_l1",
    "move_any",
    "play_card",
    "rearrange",
    "swap",
    "discard_played",
)
AUTOMATIC_KINDS = (
    "week",
    "market",
    "ascent",
    "end_turn",
    "week_end",
    "space",  # [space]
    "mallory",
    "mallory_gift",
)
AUTOMATIC_OPS = (
    "gain_fixed_here",
    "gain_each_l1",
    "draw",
    "refresh",
    "activate_bivouac",
    "activate_axes",
    "take_start",
    "ignore_weather",
    "go_bivouac",
)
KINDS = (*DECISION_KINDS, *DECISION_OPS, *AUTOMATIC_KINDS, *AUTOMATIC_OPS)
OPS = (*DECISION_OPS, *AUTOMATIC_OPS)
NUM_DECISION_KINDS = len(DECISION_KINDS) + len(DECISION_OPS)
FIRST_DECISION_OP = len(DECISION_KINDS)
FIRST_AUTOMATIC = NUM_DECISION_KINDS
FIRST_AUTOMATIC_OP = NUM_DECISION_KINDS + len(AUTOMATIC_KINDS)

(
    DRAFT,
    OVERFLOW,
    CHOOSE_CLIMBER,
    HAND_LIMIT,
    TURN,
    PLACE,
    PAY,
    BASE_CAMP_ACTION,
    MAKE_ROOM,
    BIVOUAC_CARDS,
    ICE_AXES,
    SWAP_CARDS,
    ARRANGE,
    REWARD,
    PENALTY,
    GAIN_HERE,
    GAIN_L1,
    GAIN_ANY,
    GAIN_SAME_L1,
    TRADE_HERE,
    MOVE_HERE,
    MOVE_L1,
    MOVE_ANY,
    PLAY_CARD,
    REARRANGE,
    SWAP,
    DISCARD_PLAYED,
    WEEK,
    MARKET,
    ASCENT,
    END_TURN,
    WEEK_END,
    SPACE,
    MALLORY,
    MALLORY_GIFT,
    GAIN_FIXED_HERE,
    GAIN_EACH_L1,
    DRAW,
    REFRESH,
    ACTIVATE_BIVOUAC,
    ACTIVATE_AXES,
    TAKE_START,
    IGNORE_WEATHER,
    GO_BIVOUAC,
) = range(len(KINDS))

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # the engine's generator
        ("num_players", np.int16),  # seats; 1 = solo against Mallory
        ("player", np.int16),  # seat to act, -1 when over
        ("decisions", np.int32),  # real choices made, counted by the engine
        (
            "actions_applied",
            np.int32,
        ),  # actions applied, forced ones included; what the clock counts
        # options
        ("board", np.int16),  # index into BOARDS
        ("difficulty", np.int16),  # index into DIFFICULTIES; only solo games look at it
        ("nations", np.int16),  # index into NATION_CHOICES
        ("first_player", np.int16),  # 0 random, else seat + 1
        ("max_decisions", np.int32),  # actions after which the game is scored as it stands
        # end
        ("cause", np.int16),  # index into CAUSES
        ("winner", np.int8, MAX_PLAYERS),  # 1 where the seat has won
        # the decision to take: computed once per decision, see `decisions.choices`
        ("num_legal", np.int16),  # legal actions
        ("legal_mask", np.int8, (1, NUM_ACTIONS)),  # 1 where the action is legal
        # control stack: rows of kind, seat (-1 = nobody's), arguments; the last row is on top
        ("stack_size", np.int16),
        ("stack", np.int32, (STACK_SIZE, STACK_WIDTH)),
        # calendar and weather; decks lie face down, their last entry is on top
        ("week", np.int16),  # 0 during setup, then 1..4
        (
            "start_holder",
            np.int16,
        ),  # holder of the starting card, -1 beside the board, solo 1 Mallory
        ("first", np.int16),  # who opened the latest Ascent Period
        ("weather", np.int16),  # this week's card, -1 = none yet
        ("num_weather_past", np.int16),
        ("num_weather_deck", np.int16),
        ("num_weather_box", np.int16),
        ("weather_past", np.int8, NUM_WEATHER),  # earlier weeks, oldest first
        ("weather_deck", np.int8, 4),
        ("weather_box", np.int8, NUM_WEATHER),  # cards not in this game
        # common cards and resources
        ("num_everest_deck", np.int16),
        ("num_everest_discard", np.int16),
        ("market_size", np.int16),  # 0 before the first week
        ("num_backpack_deck", np.int16),
        ("num_backpack_discard", np.int16),
        ("backpack_market_size", np.int16),
        ("start_row_size", np.int16),  # 0 after the draft
        ("everest_deck", np.int8, NUM_EVEREST),
        ("everest_discard", np.int8, NUM_EVEREST),  # oldest first
        ("market", np.int8, MARKET_SIZE),  # -1 = taken
        ("backpack_deck", np.int8, NUM_BACKPACKS),
        ("backpack_discard", np.int8, NUM_BACKPACKS),  # oldest first
        ("backpack_market", np.int8, BACKPACK_MARKET_SIZE),  # -1 = taken
        ("start_row", np.int8, START_ROW_SIZE),  # -1 = drafted
        ("start_resources", np.int8, (START_ROW_SIZE, NUM_TYPES)),  # lying on those cards
        ("supply", np.int8, NUM_TYPES),  # resources left, by type
        # seats
        ("nation", np.int8, MAX_PLAYERS),
        ("hand_size", np.int8, MAX_PLAYERS),
        ("hand", np.int8, (MAX_PLAYERS, HAND_SIZE)),  # sorted by card index
        (
            "hand_public",
            np.int8,
            (MAX_PLAYERS, HAND_SIZE),
        ),  # 1 where all saw the card enter the hand
        ("num_climber_deck", np.int8, MAX_PLAYERS),
        ("climber_deck", np.int8, (MAX_PLAYERS, CLIMBERS_PER_NATION)),
        ("num_climber_out", np.int8, MAX_PLAYERS),
        ("climber_out", np.int8, (MAX_PLAYERS, CLIMBERS_PER_NATION)),  # left the game, oldest first
        ("resources", np.int8, (MAX_PLAYERS, NUM_LEVELS * NUM_TYPES)),  # at 3 * level + type
        ("cards", np.int8, (MAX_PLAYERS, NUM_SLOTS)),  # played card per slot, -1 = none
        ("tokens", np.int8, (MAX_PLAYERS, NUM_TOKENS)),  # 1 = active
        ("bivouac", np.int8, MAX_PLAYERS),  # space of the flag, 0 = left of the board
        ("backpack_taken", np.int8, MAX_PLAYERS),  # this week
        ("weather_ignored", np.int8, MAX_PLAYERS),  # this week
        # derived from `cards` by `mountain.put_card` and `take_away`
        ("occupied", np.int32, MAX_PLAYERS),  # occupied slots as bits
        ("discounts", np.int8, (MAX_PLAYERS, len(CARD_TYPES))),  # permanent discounts per card type
        ("hand_bonus", np.int8, MAX_PLAYERS),  # permanent additions to the hand limit
        ("both_rewards", np.int8, MAX_PLAYERS),  # cards that grant both rewards of a choice
        # Mallory, solo only; his resources are untyped
        ("mallory_nation", np.int16),  # whose Mountain he climbs
        ("mallory_bivouac", np.int16),
        ("num_mallory_cards", np.int16),
        ("num_mallory_deck", np.int16),
        ("num_mallory_discard", np.int16),
        ("mallory_resources", np.int8, NUM_LEVELS),
        ("mallory_cards", np.int8, MALLORY_CARDS),  # his pyramid, oldest first
        ("mallory_deck", np.int8, MALLORY_DECK_SIZE),  # climbers
        ("mallory_discard", np.int8, MALLORY_DECK_SIZE),  # oldest first
    ]
)

# The pyramid: level 1 has slots 0..7, level 2 8..14, level 3 15..20, level 4 21..25. The card at
# place p of a level rests on places p and p + 1 of the level below.
LEVEL_WIDTH = (8, 7, 6, 5)
LEVEL_START = np.array([0, 8, 15, 21, 26], np.int64)
LEVEL_OF = np.repeat(np.arange(4), LEVEL_WIDTH)
SUPPORT = np.array(  # left support of each slot, the right one is next to it; -1 on level 1
    [-1] * 8 + [LEVEL_START[LEVEL_OF[x] - 1] + x - LEVEL_START[LEVEL_OF[x]] for x in range(8, 26)]
)
LEVEL_BITS = np.array([((1 << LEVEL_WIDTH[k]) - 1) << int(LEVEL_START[k]) for k in range(4)])
TOP_LEVEL_START = 21


def _higher_neighbours() -> np.ndarray:
    """Per slot, as bits, the adjacent slots with a higher number (R44)."""
    bits = np.zeros(NUM_SLOTS, np.int64)
    for slot in range(NUM_SLOTS):
        if slot + 1 < NUM_SLOTS and LEVEL_OF[slot + 1] == LEVEL_OF[slot]:
            bits[slot] |= 1 << (slot + 1)
        if SUPPORT[slot] >= 0:
            bits[SUPPORT[slot]] |= 1 << slot
            bits[SUPPORT[slot] + 1] |= 1 << slot
    return bits


HIGHER_NEIGHBOURS = _higher_neighbours()


@rule
def push(s, kind, seat, a=0, b=0, c=0, d=0):
    """Lay an item on the control stack; beyond its bound, which no game reaches, it is lost."""
    size = int(s.stack_size)
    if size < STACK_SIZE:
        s.stack[size, 0] = kind
        s.stack[size, 1] = seat
        s.stack[size, 2] = a
        s.stack[size, 3] = b
        s.stack[size, 4] = c
        s.stack[size, 5] = d
        s.stack[size, 6] = 0
        s.stack[size, 7] = 0
        s.stack_size = size + 1


@rule
def pop(s):
    """Take the top item off the control stack."""
    s.stack_size -= 1


@rule
def num_expeditions(s):
    """Expeditions on the mountain, Mallory's included."""
    return max(2, int(s.num_players))
