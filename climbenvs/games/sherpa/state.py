"""What exists: the state record of one game, the table record of a deck, and the numbers in both.

An *element* is anything in the roped party: a character, a neutral character or a camp. Elements
are numbered 0 .. 40 and the line lists their numbers, position 0 being the highest.
"""

import numpy as np

MAX_PLAYERS = 5
MAX_BLIZZARDS = 5
MAX_LINE = 35
NUM_CARDS = 98
NUM_TOKENS = 60
HAND_SIZE_AT_START = 4
CARDS_PER_TURN = 3
CAMPS_FOR_ACCESS = 2

# Resources, in the order used everywhere.
RESOURCES = ("ice_axe", "oxygen", "food")
NUM_RESOURCES = 3
ICE_AXE, OXYGEN, FOOD = range(NUM_RESOURCES)

# Characters: slot = 2 * kind + copy, in the order in which a board is filled.
CHARACTER_KINDS = ("guide", "sherpa", "yak")
SLOT_NAMES = ("guide_1", "guide_2", "sherpa_1", "sherpa_2", "yak_1", "yak_2")
NUM_CHARACTER_KINDS = 3
NUM_SLOTS = 6
# Spaces for tokens on a character of each kind; also the cards it costs to add one and the bonus
# points of a pair.
SPACES = np.array([1, 2, 3], np.int64)

# Elements: characters are 6 * seat + slot, then six neutrals, then five camps.
FIRST_NEUTRAL = NUM_SLOTS * MAX_PLAYERS
NUM_NEUTRALS = 6
FIRST_CAMP = FIRST_NEUTRAL + NUM_NEUTRALS
NUM_ELEMENTS = FIRST_CAMP + MAX_PLAYERS

# Card kinds: climb cards as the deck lists them, then the four dangers.
NUM_CLIMB_KINDS = 12
CREVASSE, AVALANCHE, BLIZZARD, YETI = range(NUM_CLIMB_KINDS, NUM_CLIMB_KINDS + 4)
DANGERS = ("crevasse", "avalanche", "blizzard", "yeti")
NUM_KINDS = 16
NO_CARD = -1

# Decisions.
DECISIONS = ("play", "supply", "pay", "protect", "shelter", "discard", "over")
PLAY, SUPPLY, PAY, PROTECT, SHELTER, DISCARD, OVER = range(7)

# Stages of a round.
STAGES = ("play", "supply", "storm")
STAGE_PLAY, STAGE_SUPPLY, STAGE_STORM = range(3)

# Blizzards.
DIRECTIONS = ("down", "up")
DOWN, UP = range(2)
BLIZZARD_STATES = ("settled", "due", "paid")
SETTLED, DUE, PAID = range(3)

# End causes.
END_CAUSES = ("summit", "truncated")
NOT_ENDED, SUMMIT, TRUNCATED = range(3)

# Columns of `elements`, which are those of an observation's line rows. The owner's column is
# relative to the observer and stays zero in the record.
ELEMENT_COLUMNS = 18
IS_NEUTRAL = 5
IS_CAMP = 6
FIRST_KIND = 7
SECOND_COPY = 10
TOKENS = 11
BLIZZARDS_ON = 14
HALTED = 16
HIT = 17

# Columns of `seats`, which are those of an observation's seat rows.
SEAT_COLUMNS = 16
PRESENT = 0
HAND_SIZE = 1
CAMPS_OWN = 2
HAS_BUILT = 3
ORDER_INDEX = 4
FINISHED = 9
ACTIVE = 10
DECIDING = 11
ON_LINE = 12
USABLE = 13

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # generator of the game's chance
        ("num_players", np.int16),  # seats P, 2 to 5
        ("player", np.int16),  # seat to decide, -1 when over
        ("decisions", np.int32),  # choices made, counted by the engine
        ("max_rounds", np.int32),  # option: rounds after which the game is cut off
        ("round_number", np.int32),  # current round, from 1
        ("turn", np.int16),  # index into `order` of the active player
        ("stage", np.int16),  # STAGE_PLAY, STAGE_SUPPLY or STAGE_STORM
        ("decision", np.int16),  # PLAY .. OVER
        ("points", np.int16),  # movement points the active player has left
        ("climbed", np.int16),  # 1 when a climb card was played this turn
        ("added", np.int16),  # 1 when a character was added (or is being paid for) this turn
        ("paid_card", np.int16),  # pay: kind of the climb card
        ("tokens_due", np.int16, NUM_RESOURCES),  # pay: tokens still to withdraw of each type
        ("asked", np.int16),  # pay, protect, shelter: type of token asked for; else -1
        ("added_kind", np.int16),  # discard: character kind being paid for
        ("cards_due", np.int16),  # discard: cards still to discard
        ("order", np.int8, MAX_PLAYERS),  # seats in the order they act this round
        ("line_size", np.int16),  # elements in the line
        ("line", np.int8, MAX_LINE),  # element at each position, from the top
        ("place", np.int8, NUM_ELEMENTS),  # position of each element, -1 when not in the line
        ("elements", np.int8, (NUM_ELEMENTS, ELEMENT_COLUMNS)),  # what each is and carries
        ("num_blizzards", np.int16),  # blizzards in play
        ("blizzard_on", np.int8, MAX_BLIZZARDS),  # element under each blizzard, oldest first
        ("blizzard_direction", np.int8, MAX_BLIZZARDS),  # DOWN or UP
        ("blizzard_state", np.int8, MAX_BLIZZARDS),  # SETTLED, DUE or PAID
        ("seats", np.int8, (MAX_PLAYERS, SEAT_COLUMNS)),  # open facts of each seat
        ("num_free", np.int8, MAX_PLAYERS),  # characters on the line and not halted, per seat
        ("hands", np.int8, (MAX_PLAYERS, NUM_KINDS)),  # cards of each kind in each hand
        ("pile_size", np.int16),  # cards in the pile
        ("pile", np.int8, NUM_CARDS),  # kinds of the pile's cards, the top one last
        ("discard", np.int8, NUM_KINDS),  # cards of each kind in the discard pile
        ("climbs_left", np.int16),  # climb cards in pile and discard pile together
        ("box", np.int8, NUM_RESOURCES),  # tokens of each type on nobody's board
        ("camps_common", np.int16),  # camp tiles back from the line, for anyone
        ("camps_established", np.int16),  # camps built so far by all
        ("winner", np.int16),  # seat, -1 if nobody
        ("end", np.int16),  # NOT_ENDED, SUMMIT or TRUNCATED
    ]
)

TABLE_DTYPE = np.dtype(
    [
        ("num_climb_kinds", np.int16),  # climb kinds the deck has
        ("costs", np.int8, (NUM_CLIMB_KINDS, NUM_RESOURCES)),  # price of each climb kind in tokens
        ("points", np.int16, NUM_CLIMB_KINDS),  # movement points of each climb kind
        ("distances", np.int16, NUM_KINDS),  # fixed distance of a danger's fall, 0: turned over
        ("counts", np.int16, NUM_KINDS),  # cards of each kind in the deck
        ("tokens", np.int8, NUM_RESOURCES),  # tokens of each type in the game
        ("elements", np.int8, (NUM_ELEMENTS, ELEMENT_COLUMNS)),  # each element, carrying nothing
        ("ids", np.uint8, (NUM_KINDS, 32)),  # name of each kind in ASCII, else zeros
    ]
)


def element_rows() -> np.ndarray:
    """What each element is, carrying nothing: the initial `elements` of a state record."""
    rows = np.zeros((NUM_ELEMENTS, ELEMENT_COLUMNS), np.int8)
    for element in range(FIRST_NEUTRAL):
        kind, copy = divmod(element % NUM_SLOTS, 2)
        rows[element, FIRST_KIND + kind] = 1
        rows[element, SECOND_COPY] = copy
    rows[FIRST_NEUTRAL:FIRST_CAMP, IS_NEUTRAL] = 1
    rows[FIRST_CAMP:, IS_CAMP] = 1
    return rows
