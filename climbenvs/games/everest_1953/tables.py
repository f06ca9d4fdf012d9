"""The deck as tables: the record that all rules read, and the features of cards."""

import numpy as np

from climbenvs.games.everest_1953.state import (
    BOARDS,
    CARD_TYPES,
    CLIMBERS_PER_NATION,
    DIFFICULTIES,
    KINDS,
    NUM_BACKPACKS,
    NUM_CARDS,
    NUM_NATIONS,
    NUM_WEATHER,
    OPS,
    RESOURCES,
)

TEXT_SIZE = 48
TRIGGERS = ("once", "axe", "bivouac")
DISCOUNTS = (*RESOURCES, "any", "none")
CLASSES = ("specific", "mixed", "same")
AMOUNT = 9
MAX_OPS = 4
MAX_REWARDS = 3
NUM_SPACES = 5
TYPE_COUNTS = {"sherpa": 16, "funding": 10, "innovation": 11, "culture": 12}
CLIMBING_SHERPAS = 3
FORCED_BIVOUACS = 2
START_BACKPACKS = 1

# Operations by number of parameters; those that a program run again, or by others, may have.
OP_PARAMETERS = {
    **dict.fromkeys(("gain_here", "gain_l1", "gain_any", "gain_same_l1", "trade_here"), 1),
    **dict.fromkeys(("move_here", "move_l1", "move_any", "draw", "refresh", "activate_axes"), 1),
    "gain_fixed_here": 3,
    **dict.fromkeys(("gain_each_l1", "play_card", "rearrange", "swap", "discard_played"), 0),
    **dict.fromkeys(("activate_bivouac", "take_start", "ignore_weather", "go_bivouac"), 0),
}
REPEATABLE_OPS = tuple(
    op
    for op in OPS
    if op.startswith(("gain_", "move_"))
    or op in ("trade_here", "draw", "refresh", "take_start", "ignore_weather")
)

# What a program is described by: amounts per operation.
EFFECT_FEATURES = (
    "gain_here",
    "gain_l1",
    "gain_any",
    "gain_fixed_here tent",
    "gain_fixed_here supplies",
    "gain_fixed_here oxygen",
    "gain_each_l1",
    "gain_same_l1",
    "trade_here",
    "move_here",
    "move_l1",
    "move_any",
    "draw",
    "play_card",
    "rearrange",
    "swap",
    "discard_played",
    "refresh ice axe",
    "refresh double ice axe",
    "refresh extra action",
    "activate_bivouac",
    "activate_axes",
    "take_start",
    "ignore_weather",
)
NUM_EFFECT_FEATURES = len(EFFECT_FEATURES)
NUM_CARD_FEATURES = 52
NUM_SLOT_FEATURES = 16
NUM_BACKPACK_FEATURES = NUM_EFFECT_FEATURES + 1
NUM_SIDE_FEATURES = 25

# Programs in one table: effects by card, others by card, backpacks, bivouac rewards.
OTHERS_START = NUM_CARDS
BACKPACK_START = 2 * NUM_CARDS
REWARD_START = BACKPACK_START + NUM_BACKPACKS
NUM_PROGRAMS = REWARD_START + len(BOARDS) * NUM_SPACES * MAX_REWARDS

# How a weather card changes a Mountain: row of `sides` = SIDES_PER_NATION * nation + mode.
MODE_DAY = 0  # 1..4: night side of that level
MODE_LESS_ROOM = 5
SIDES_PER_NATION = 6

TABLE_DTYPE = np.dtype(
    [
        # features for observations
        ("card_features", np.int8, (NUM_CARDS, NUM_CARD_FEATURES)),
        ("slot_features", np.int8, (NUM_CARDS, NUM_SLOT_FEATURES)),
        ("backpack_features", np.int8, (NUM_BACKPACKS, NUM_BACKPACK_FEATURES)),
        # Mountains: capacity 4, extra cost 4 x 4, level 1 gains, moves, levels 2-4 move down
        ("sides", np.int8, (SIDES_PER_NATION * NUM_NATIONS, NUM_SIDE_FEATURES)),
        # cards
        ("card_cost", np.int8, (NUM_CARDS, 5)),  # tent, supplies, oxygen, any, same
        ("card_discount", np.int8, (NUM_CARDS, 4)),  # tent, supplies, oxygen, any
        ("card_types", np.int16, NUM_CARDS),  # bits
        ("card_trigger", np.int8, NUM_CARDS),  # index into TRIGGERS
        ("card_class", np.int8, NUM_CARDS),  # index into CLASSES
        ("perm_discount", np.int8, NUM_CARDS),  # card type, -1 = none
        ("perm_hand", np.int8, NUM_CARDS),  # added to the hand limit
        ("perm_both", np.int8, NUM_CARDS),  # 1 = both rewards of a choice
        ("nation_climbers", np.int8, (NUM_NATIONS, CLIMBERS_PER_NATION)),  # card indices
        ("climber_nation", np.int8, NUM_CARDS),  # -1 for Everest cards
        ("climber_position", np.int8, NUM_CARDS),  # within its nation
        # programs
        ("program_size", np.int8, NUM_PROGRAMS),
        ("programs", np.int8, (NUM_PROGRAMS, MAX_OPS, 4)),  # kind, a, b, c
        ("space_choice", np.int8, (len(BOARDS), NUM_SPACES)),  # 1 = one of two rewards
        ("space_rewards", np.int8, (len(BOARDS), NUM_SPACES)),  # number of rewards
        # weather; row 0 of the second group stands for "none yet"
        ("weather_period", np.int8, NUM_WEATHER),  # 0 = A, 1 = B
        ("weather_refresh", np.int8, NUM_WEATHER + 1),  # tokens as bits
        ("weather_lasts", np.int8, NUM_WEATHER + 1),  # 1 = an effect for the whole week
        ("weather_mode", np.int8, NUM_WEATHER + 1),  # row of `sides` within the nation
        ("weather_cloudy", np.int8, NUM_WEATHER + 1),  # 1 = supporting cards give no discount
        ("weather_surcharge", np.int16, NUM_WEATHER + 1),  # card types as bits
        ("solo_removed", np.int8, (len(DIFFICULTIES), NUM_WEATHER)),  # 1 = not in the game
        # numbers, lists by number of players
        ("market_cards", np.int16, 5),
        ("market_backpacks", np.int16, 5),
        ("weeks", np.int16, 5),
        ("weather_a", np.int16, 5),
        ("weather_b", np.int16, 5),
        ("start_resources", np.int16, 5),  # on each card of the starting row
        ("solo_resources", np.int16, len(DIFFICULTIES)),
        ("resources_per_type", np.int16),
        ("hand_limit", np.int16),
        ("hand_limit_max", np.int16),
        ("mallory_classes", np.int16, len(CLASSES)),
        # words, for people: UTF-8, padded with zeros (see `text`)
        ("card_id", np.uint8, (NUM_CARDS, TEXT_SIZE)),
        ("card_name", np.uint8, (NUM_CARDS, TEXT_SIZE)),
        ("backpack_id", np.uint8, (NUM_BACKPACKS, TEXT_SIZE)),
        ("backpack_name", np.uint8, (NUM_BACKPACKS, TEXT_SIZE)),
        ("weather_id", np.uint8, (NUM_WEATHER, TEXT_SIZE)),
        ("weather_name", np.uint8, (NUM_WEATHER, TEXT_SIZE)),
        ("nation_name", np.uint8, (NUM_NATIONS, TEXT_SIZE)),
    ]
)


def text(field: np.ndarray) -> str:
    """A text kept in a table."""
    return bytes(field).rstrip(b"\0").decode()


def texts(field: np.ndarray) -> list[str]:
    """All texts of a table's field."""
    return [text(row) for row in field]


def store(field: np.ndarray, value: str) -> None:
    """Keep a text in a table's empty field."""
    encoded = value.encode()
    field[: len(encoded)] = list(encoded)


def write_features(card: int, t: np.void) -> None:
    """Feature rows of a card, in hand or market and on a Mountain."""
    types = [int(t["card_types"][card]) >> kind & 1 for kind in range(len(CARD_TYPES))]
    trigger = int(t["card_trigger"][card])
    effect = program_features(t, card)
    others = program_features(t, OTHERS_START + card)
    row = t["card_features"][card]
    row[0:5] = types
    row[5:10] = t["card_cost"][card]
    row[10:14] = t["card_discount"][card]
    row[14 + trigger] = 1
    row[17:41] = effect
    row[41:45] = [
        chosen_gains(others),
        others[3:6].sum() + 3 * others[6],
        others[9:12].sum(),
        others[12],
    ]
    if t["perm_discount"][card] >= 0:
        row[45 + t["perm_discount"][card]] = 1
    row[50] = t["perm_hand"][card]
    row[51] = t["perm_both"][card]
    slot = t["slot_features"][card]
    slot[0] = 1
    slot[1:6] = types
    slot[6:10] = t["card_discount"][card]
    if trigger > 0:
        slot[9 + trigger] = 1
        slot[12] = chosen_gains(effect) + effect[3:6].sum() + 3 * effect[6]
        slot[13] = effect[9:12].sum()
        slot[14] = effect[12:].any()
    slot[15] = (
        1 + t["perm_discount"][card]
        if t["perm_discount"][card] >= 0
        else 6
        if t["perm_hand"][card]
        else 7 * t["perm_both"][card]
    )


def program_features(t: np.void, program: int) -> np.ndarray:
    """Amounts per operation, summed over a program (see `EFFECT_FEATURES`)."""
    row = np.zeros(NUM_EFFECT_FEATURES, np.int16)
    for op in t["programs"][program, : t["program_size"][program]]:
        name, a, b, c = KINDS[op[0]], int(op[1]), int(op[2]), int(op[3])
        if name == "gain_fixed_here":
            row[3:6] += [a, b, c]
        elif name == "refresh":
            row[17:20] += [a & 1, a >> 1 & 1, a >> 2 & 1]
        elif name != "go_bivouac":
            counted = OP_PARAMETERS[name] == 1
            row[EFFECT_FEATURES.index(name)] += a if counted else 1
    return row


def chosen_gains(features: np.ndarray) -> int:
    """Resources of a chosen type; a trade gains one less than it says."""
    trade = max(int(features[8]) - 1, 0)
    return int(features[0:3].sum() + features[7]) + trade


def reward_program(board: int, space: int, reward: int) -> int:
    """Row of a reward's program; spaces count from 1."""
    return REWARD_START + (board * NUM_SPACES + space - 1) * MAX_REWARDS + reward
