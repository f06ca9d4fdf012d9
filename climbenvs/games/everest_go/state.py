"""What exists in Everest Go!: cards, body parts, decisions, and the record of one game."""

import numpy as np

MAX_PLAYERS = 4
MAX_STACK = 8
MAX_DECK = 120

PARTS = ("head", "jacket", "left_arm", "right_arm", "pants", "boots")
NUM_PARTS = len(PARTS)
ITEMS = ("oxygen", "flag")
SLOTS = (*PARTS, *ITEMS)
NUM_SLOTS = len(SLOTS)
ACTION_CARDS = (
    "equipment_theft",
    "backpack_stealing",
    "mountain_goddess",
    "snowball",
    "yeti",
    "blizzard",
    "tent",
    "hypothermia",
    "cold",
    "fire",
    "avalanche",
)

# Copies of a card are interchangeable: a card is its kind; a garment's is 4 * part + value - 1.
KINDS = (*(f"{part}_{value}" for part in PARTS for value in (1, 2, 3, 4)), *ITEMS, *ACTION_CARDS)
NUM_KINDS = len(KINDS)
NUM_GARMENTS = 4 * NUM_PARTS
FIRST_ITEM = NUM_GARMENTS
FIRST_ACTION_CARD = FIRST_ITEM + len(ITEMS)
TENT = KINDS.index("tent")
HYPOTHERMIA = KINDS.index("hypothermia")
COLD = KINDS.index("cold")

EFFECTS = (
    "none",
    "steal_spot",
    "steal_card",
    "recover_card",
    "discard_visible",
    "discard_stack",
    "cancel",
    "freeze",
    "chill",
    "warm",
    "rotate_stacks",
)
(
    NO_EFFECT,
    STEAL_SPOT,
    STEAL_CARD,
    RECOVER_CARD,
    DISCARD_VISIBLE,
    DISCARD_STACK,
    CANCEL,
    FREEZE,
    CHILL,
    WARM,
    ROTATE_STACKS,
) = range(len(EFFECTS))

DECISIONS = (
    "main",
    "improve",
    "target_spot",
    "target_player",
    "fire_choice",
    "avalanche_choice",
    "take_card",
    "tent",
    "everest",
)
(
    MAIN,
    IMPROVE,
    TARGET_SPOT,
    TARGET_PLAYER,
    FIRE_CHOICE,
    AVALANCHE_CHOICE,
    TAKE_CARD,
    TENT_WINDOW,
    EVEREST_WINDOW,
) = range(len(DECISIONS))
OVER = len(DECISIONS)

DIRECTIONS = ("left", "right")
LEFT, RIGHT = range(2)

END_CAUSES = ("everest", "deck", "truncated")
RUNNING, END_EVEREST, END_DECK, END_TRUNCATED = range(4)

MEMORIES = ("perfect", "rulebook")
PERFECT_MEMORY, RULEBOOK_MEMORY = range(2)
REWARDS = ("win", "score")
WIN_REWARD, SCORE_REWARD = range(2)

# What lies open in front of a seat is kept in the layout of the observation's seat block, so that
# observing it is one copy. Columns of `seats`:
PRESENT, HAND_SIZE, OXYGEN, FLAG, COLDS, SCORE, READY, IS_TURN_PLAYER = range(8)
FIRST_PART = 8
# Columns of a body part's ten, from FIRST_PART + PART_SIZE * part:
VISIBLE = 0  # one-hot of the top garment's points, four columns
UNDER = 4  # points of the garment directly below
HIDDEN_POINTS = 5
HIDDEN = 6  # number of hidden garments
HIDDEN_FOURS = 7
LOOSE_POINTS = 8  # points from the top down to the first resistant garment, that one excluded
FROZEN = 9
PART_SIZE = 10
SEAT_SIZE = FIRST_PART + PART_SIZE * NUM_PARTS

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # generator
        ("num_players", np.int16),  # 2-4
        ("player", np.int16),  # seat to decide, -1 when over
        ("decisions", np.int32),  # real choices made so far
        ("beginner", np.int16),  # option: Blizzard and Avalanche stay in the box
        ("memory", np.int16),  # option: PERFECT_MEMORY or RULEBOOK_MEMORY
        ("reward", np.int16),  # option: WIN_REWARD or SCORE_REWARD
        ("max_turns", np.int16),  # option: turn limit
        ("decision", np.int16),  # what `player` decides, OVER at the end
        ("turn", np.int32),  # counts from 1
        ("turn_player", np.int16),  # whose turn it is
        ("run_outs", np.int16),  # how often the deck has run out
        ("end", np.int16),  # RUNNING or the cause of the end
        ("shouter", np.int16),  # seat that ended the game, -1 if nobody
        ("pending_card", np.int16),  # kind of the action card being resolved, -1 if none
        ("num_targets", np.int16),  # spots chosen so far
        ("targets", np.int16, 2),  # spots chosen, 8 * seat + slot
        ("victim", np.int16),  # seat chosen, -1 if none
        ("part", np.int16),  # body part of an Avalanche, -1 if none
        ("direction", np.int16),  # LEFT or RIGHT, -1 if none
        ("sealed", np.int8, MAX_PLAYERS),  # 1: has sealed a Tent against the Avalanche
        ("stacks", np.int8, (MAX_PLAYERS, NUM_PARTS, MAX_STACK)),  # points, bottom first, 0 empty
        ("height", np.int8, (MAX_PLAYERS, NUM_PARTS)),  # garments in each stack
        ("score", np.int16, MAX_PLAYERS),  # score now, without bonus
        ("seats", np.int8, (MAX_PLAYERS, SEAT_SIZE)),  # what lies open, see the columns above
        ("deck", np.int8, MAX_DECK),  # kinds, next card drawn last, 0 beyond deck_size
        ("deck_size", np.int16),  # cards in the deck
        ("deck_count", np.int8, NUM_KINDS),  # copies of each kind in the deck
        ("discard", np.int8, NUM_KINDS),  # copies of each kind in the discard pile
        ("hand", np.int8, (MAX_PLAYERS, NUM_KINDS)),  # copies of each kind in each hand
        ("known", np.int8, (MAX_PLAYERS**2, NUM_KINDS)),  # [4 * i + j]: what i knows of hand j
    ]
)

TABLES_DTYPE = np.dtype(
    [
        ("hand_size", np.int16),  # cards to draw up to
        ("run_outs_to_end", np.int16),  # the game ends with this run-out
        ("min_discard", np.int16),  # fewest cards thrown away to improve the hand, 0 or 1
        ("everest_bonus", np.int16),  # points for the shout
        ("cold_penalty", np.int16),  # points lost per Cold
        ("resistant_points", np.int16),  # garments of this value are never discarded
        ("item_points", np.int16, len(ITEMS)),  # points of Oxygen and Flag
        ("effect", np.int16, NUM_KINDS),  # effect of each kind, NO_EFFECT for garments and items
        ("count", np.int16, NUM_KINDS),  # how many spots or cards the effect takes
        ("takes_items", np.int16, NUM_KINDS),  # a theft may take special items
        ("takes_resistant", np.int16, NUM_KINDS),  # a theft may take resistant garments
        ("copies", np.int8, NUM_KINDS),  # copies in the whole box
        ("num_cards", np.int16, (MAX_PLAYERS + 1, 2)),  # cards shuffled, [num_players, beginner]
        ("cards", np.int8, (MAX_PLAYERS + 1, 2, MAX_DECK)),  # their kinds
    ]
)
