"""What exists in a game of Snow Climbing: the state record and the numbers that index it.

Sets of cards are bits of an int64, bit c for card c of the deck file (`climbenvs.engine.bits`).
"""

import numpy as np

CARDS = 40
CARD_BYTES = 5  # a set of cards in bytes
SEATS = 4
ROUNDS = 5
MAX_NUMBER = 20
TYPES = 8
GEAR_TYPES = 5
TILES = 13
TILES_PER_LEVEL = 3  # at most
TOKENS_REVEALED = 2
BACKPACKS = 7
BACKPACK_CHOICES = (0, 2, 3, 4)
BLIZZARD = TILES  # index of the blizzard among the avalanche conditions
CONDITIONS = TILES + 1

TYPE_IDS = ("tent", "rope", "compass", "glove", "boot", "goggles", "helmet", "carabiner")
TYPE_NAMES = ("Tent", "Rope", "Compass", "Glove", "Boot", "Goggles", "Helmet", "Carabiner")
TYPE_COUNTS = (7, 6, 7, 4, 4, 4, 4, 4)
GEAR_IDS = TYPE_IDS[3:]
TILE_IDS = (
    "l1_cards",
    "l1_same_type",
    "l1_below_15",
    "l2_compasses",
    "l2_tents",
    "l2_ropes",
    "l3_tokens",
    "l4_below_7",
    "l4_same_gear",
    "l4_same_number",
    "l5_even",
    "l5_odd",
    "l5_types",
)
BACKPACK_IDS = (
    "save_rope",
    "save_tent_compass",
    "save_gear",
    "save_even",
    "save_odd",
    "save_1_10",
    "save_11_20",
)
CONDITION_IDS = (*TILE_IDS, "blizzard")

# Phases, in the order of the snapshot's names and of the observation.
PASS, LEAD, CLIMB, ROUTE, RECOVER, CAMP, BACKPACK, SAVE, OVER = range(9)
PHASES = ("pass", "lead", "climb", "route", "recover", "camp", "backpack", "save", "over")
DAWN = 9  # never at a decision: the next round is about to begin

# Results.
RUNNING, SUMMIT, AVALANCHE = range(3)
RESULTS = (None, "summit", "avalanche")

# What a match does (`on_match`).
NOTHING, CLEAR, RECOVERY = range(3)

# Metrics of tiles. The first counts the cards of a set, all others have a formula of their own.
COUNT, SAME_TYPE, SAME_GEAR, SAME_NUMBER, DIFFERENT_TYPES, TOKENS = range(6)

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # the engine's generator
        ("round_bonus", np.float64),  # option: reward for every completed round
        ("deck", np.int64),  # set of cards; their order is never known to anybody
        ("cleared", np.int64),  # set: cards of the deck that a clear put there this round
        ("hand", np.int64, SEATS),  # set of each seat, empty from camp on
        ("passed", np.int64, SEATS),  # set that each seat gave to its left neighbour this round
        ("stack", np.int64),  # set: the climbing stack
        ("snow", np.int64),  # set: the snow area; written by `set_snow` only
        ("camp", np.int64),  # set: cards whose fate is open at camp
        ("cause", np.int64),  # set of conditions met at the last avalanche check
        ("num_players", np.int16),  # 2 .. 4
        ("player", np.int16),  # seat to act, -1 when over
        ("decisions", np.int32),  # choices made, counted by the engine
        ("blizzard", np.int16),  # option: 1 if seven snowflakes are a condition
        ("backpacks", np.int16),  # option: index into BACKPACK_CHOICES
        ("round_number", np.int16),  # 1 .. 5 ("round" is a method of NumPy records)
        ("phase", np.int16),  # index into PHASES
        ("leader", np.int16),  # seat with the leader marker
        ("turn", np.int16),  # seat whose climbing turn it is; the leader outside climbing
        ("camp_picks", np.int16),  # cards still to lose at camp
        ("pending", np.int16),  # card set aside by a change of route, -1 if none
        ("pending_backpack", np.int16),  # backpack in use, -1 if none
        ("backpacks_left", np.int16),  # set of unused backpacks
        ("result", np.int16),  # RUNNING, SUMMIT or AVALANCHE
        ("stack_size", np.int16),  # cards on the stack
        ("stack_cards", np.int16, CARDS),  # the stack from the bottom, then zeros
        ("tiles", np.int16, ROUNDS),  # chosen tile of every level
        ("tokens", np.int16, TOKENS_REVEALED),  # chosen gear tokens in ascending order
        ("progress", np.int8, (1, CONDITIONS)),  # metric of the snow for every tile, snowflakes
        ("snow_types", np.int8, (1, TYPES)),  # cards in the snow by type
        ("draw", np.int8, CARDS),  # workspace of the deal, zero at every decision
        ("spare", np.int32),  # unused; makes the size of a record a multiple of eight bytes
    ]
)
