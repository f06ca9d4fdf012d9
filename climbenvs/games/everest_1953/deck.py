"""The deck file: reading, checking against the rulebook's counts, and turning it into tables."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from climbenvs.engine.errors import DeckError
from climbenvs.engine.reader import Reader, read_deck_file
from climbenvs.games.everest_1953.state import (
    BOARDS,
    CARD_TYPES,
    CLIMBERS_PER_NATION,
    DIFFICULTIES,
    DISCARD_PLAYED,
    IS_CLIMBER,
    KINDS,
    LEVEL_WIDTH,
    MIXED,
    NATIONS,
    NUM_BACKPACKS,
    NUM_CLIMBERS,
    NUM_EVEREST,
    NUM_NATIONS,
    NUM_WEATHER,
    OPS,
    RESOURCES,
    SAME,
    SPECIFIC,
)
from climbenvs.games.everest_1953.tables import (
    AMOUNT,
    BACKPACK_START,
    CLASSES,
    CLIMBING_SHERPAS,
    DISCOUNTS,
    FORCED_BIVOUACS,
    MAX_OPS,
    MAX_REWARDS,
    MODE_LESS_ROOM,
    NUM_EFFECT_FEATURES,
    NUM_SPACES,
    OP_PARAMETERS,
    OTHERS_START,
    REPEATABLE_OPS,
    SIDES_PER_NATION,
    START_BACKPACKS,
    TABLE_DTYPE,
    TEXT_SIZE,
    TRIGGERS,
    TYPE_COUNTS,
    program_features,
    reward_program,
    store,
    texts,
    write_features,
)

SHIPPED = Path(__file__).with_name("deck.toml")


def read_deck(path: Path | None) -> np.ndarray:
    """Read and check a deck file.

    Args:
        path: TOML file, None for the shipped one.

    Returns:
        An array of one table record.

    Raises:
        DeckError: naming file, entry and what was expected.
    """
    path = path or SHIPPED
    deck = read_deck_file(path, "everest_1953")
    tables = np.zeros(1, TABLE_DTYPE)
    t = tables[0]
    used: set[str] = set()
    _read_params(deck.table("params"), t)
    _read_weather(deck.tables("weather", length=NUM_WEATHER), t)
    _read_removed(deck.table("params").table("rulebook"), t)
    _read_mountains(deck.tables("mountain", length=NUM_NATIONS), t)
    _read_everest(deck.table("everest").tables("cards", length=NUM_EVEREST), t, used)
    _read_climbers(deck.table("climbers").tables("cards", length=NUM_CLIMBERS), t, used)
    _read_backpacks(deck.table("backpacks").tables("cards", length=NUM_BACKPACKS), t, used)
    _read_bivouac(deck.table("bivouac"), t, used)
    missing = [
        name for name in (*OPS, "discount", "hand_limit", "bivouac_both") if name not in used
    ]
    if missing:
        raise DeckError(f"{path}: no entry uses {missing[0]!r}, expected every effect to occur")
    deck.close()
    return tables


def _check_source(entry: Reader) -> None:
    """Provenance: "rulebook" or "reconstructed", then any remark."""
    source = entry.get("source", expected='text beginning with "rulebook" or "reconstructed"')
    if not isinstance(source, str) or not source.startswith(("rulebook", "reconstructed")):
        raise entry.fail("source", 'text beginning with "rulebook" or "reconstructed"')


def _read_text(entry: Reader, key: str, field: np.ndarray) -> None:
    expected = f"a text of 1 to {TEXT_SIZE} bytes"
    value = entry.get(key, expected=expected)
    if not isinstance(value, str) or not 0 < len(value.encode()) <= TEXT_SIZE:
        raise entry.fail(key, expected)
    store(field, value)


def _read_identity(entry: Reader, kind: str, index: int, t: np.void) -> None:
    """Id and name; ids are unique among their kind."""
    for key in ("id", "name"):
        _read_text(entry, key, t[f"{kind}_{key}"][index])
    ids = texts(t[f"{kind}_id"][: index + 1])
    if ids[-1] in ids[:-1]:
        raise entry.fail("id", "an id that no other entry has")


def _read_params(params: Reader, t: np.void) -> None:
    """Numbers of the rulebook and of the reconstruction."""
    rulebook = params.table("rulebook")
    rulebook.get("resource_types")
    if rulebook.items("resource_types") != list(RESOURCES):
        raise rulebook.fail("resource_types", f"{list(RESOURCES)}")
    t["resources_per_type"] = rulebook.integer("resources_per_type", 20, 20)
    t["hand_limit"] = rulebook.integer("hand_limit", 1, 7)
    for key, low, high in (
        ("market_cards", 1, 8),
        ("market_backpacks", 1, 5),
        ("weeks", 1, 4),
        ("weather_a", 0, 2),
        ("weather_b", 0, 3),
    ):
        values = rulebook.integers(key, 0, high, length=5)
        if any(value < low for value in values[1:]):
            raise rulebook.fail(key, f"integers from {low} to {high} after the first")
        t[key] = values
    if any(t["weeks"][1:] != (t["weather_a"] + t["weather_b"])[1:]):
        raise rulebook.fail("weeks", "weather_a + weather_b for each number of players")
    if rulebook.items("pyramid") != [4, 3, 2, 1]:
        raise rulebook.fail("pyramid", "[4, 3, 2, 1]")
    solo = rulebook.table("solo_start_resources")
    t["solo_resources"] = [solo.integer(name, 0, 6) for name in DIFFICULTIES]
    classes = rulebook.table("mallory_classes")
    t["mallory_classes"] = [classes.integer(name, 3, 3) for name in CLASSES]
    reconstructed = params.table("reconstructed")
    t["start_resources"] = reconstructed.integers("start_resources", 0, 6, length=5)
    t["hand_limit_max"] = reconstructed.integer("hand_limit_max", int(t["hand_limit"]), 7)
    if reconstructed.items("level_width") != list(LEVEL_WIDTH):
        raise reconstructed.fail("level_width", f"{list(LEVEL_WIDTH)}")


def _read_removed(rulebook: Reader, t: np.void) -> None:
    """Weather cards that a solo difficulty leaves out; enough of either period must remain."""
    removed = rulebook.table("solo_removed_weather")
    ids = texts(t["weather_id"])
    for row, name in enumerate(DIFFICULTIES):
        for weather in removed.choices(name, ids):
            t["solo_removed"][row, ids.index(weather)] = 1
        for period, needed in enumerate((t["weather_a"][1], t["weather_b"][1])):
            left = (t["weather_period"] == period) & (t["solo_removed"][row] == 0)
            if left.sum() < needed:
                raise removed.fail(name, f"at least {needed} cards of period {'AB'[period]} left")


def _read_weather(entries: Sequence[Reader], t: np.void) -> None:
    """Five cards of either period and what they do."""
    for index, entry in enumerate(entries):
        _read_identity(entry, "weather", index, t)
        _check_source(entry)
        t["weather_period"][index] = "AB".index(entry.choice("period", ("A", "B")))
        effect = entry.items("effect")
        row = index + 1
        t["weather_lasts"][row] = 1
        match effect:
            case ["refresh", int(mask)] if 1 <= mask <= 7:
                t["weather_refresh"][row] = mask
                t["weather_lasts"][row] = 0
            case ["no_discounts"]:
                t["weather_cloudy"][row] = 1
            case ["night", int(level)] if 1 <= level <= 4:
                t["weather_mode"][row] = level
            case ["capacity", 1]:
                t["weather_mode"][row] = MODE_LESS_ROOM
            case ["surcharge", int(kind)] if 0 <= kind < len(CARD_TYPES):
                t["weather_surcharge"][row] = 1 << kind
            case _:
                raise entry.fail(
                    "effect",
                    '["refresh", 1-7], ["no_discounts"], ["night", 1-4], ["capacity", 1] '
                    'or ["surcharge", 0-4]',
                )
        entry.close()
    if t["weather_period"].sum() != NUM_WEATHER // 2:
        raise entries[0].fail("period", "five cards of period A and five of B")


def _read_mountains(entries: Sequence[Reader], t: np.void) -> None:
    """Four levels per nation with their day and night sides, laid out per weather mode."""
    for nation, entry in enumerate(entries):
        entry.choice("nation", [NATIONS[nation]])
        _read_text(entry, "name", t["nation_name"][nation])
        sides = t["sides"][SIDES_PER_NATION * nation : SIDES_PER_NATION * (nation + 1)]
        for index, level in enumerate(entry.tables("levels", length=4)):
            level.integer("level", index + 1, index + 1)
            _check_source(level)
            day = _read_side(level.table("day"), index)
            night = _read_side(level.table("night"), index)
            for mode in range(SIDES_PER_NATION):
                _write_side(sides[mode], index, night if mode == index + 1 else day)
            level.close()
        sides[MODE_LESS_ROOM, :4] = np.maximum(sides[MODE_LESS_ROOM, :4] - 1, 0)
        entry.close()


def _read_side(side: Reader, level: int) -> tuple[int, list[int], list[int]]:
    """Capacity, extra cost and abilities of one side of a Mountain card."""
    capacity = side.integer("capacity", 0, AMOUNT)
    extra = side.integers("extra", 0, AMOUNT, length=4)
    if level == 0:
        axe = side.choice("axe", ("gain_or_move", "gain", "move", "none"))
        abilities = [int(axe in ("gain_or_move", "gain")), int(axe in ("gain_or_move", "move"))]
    else:
        abilities = [int(side.choice("move_down", (True, False)))]
    side.close()
    return capacity, extra, abilities


def _write_side(row: np.ndarray, level: int, side: tuple[int, list[int], list[int]]) -> None:
    capacity, extra, abilities = side
    row[level] = capacity
    row[4 + 4 * level : 8 + 4 * level] = extra
    start = 20 if level == 0 else 21 + level
    row[start : start + len(abilities)] = abilities


def _read_program(
    entry: Reader, key: str, program: int, t: np.void, used: set[str], limit: int, default: object
) -> list[list[object]]:
    """A program of at most `limit` operations, written to the table; returned as in the file."""
    ops = entry.items(key, default)
    _write_program(entry, key, ops, program, t, used, limit)
    return ops


def _write_program(
    entry: Reader,
    key: str,
    ops: Sequence[object],
    program: int,
    t: np.void,
    used: set[str],
    limit: int,
) -> None:
    if len(ops) > limit:
        raise entry.fail(key, f"at most {limit} operations")
    for index, op in enumerate(ops):
        if not isinstance(op, list) or not op or op[0] not in OP_PARAMETERS:
            raise entry.fail(key, "operations [name, numbers...] named " + ", ".join(OP_PARAMETERS))
        name, parameters = op[0], op[1:]
        high = 7 if name == "refresh" else AMOUNT
        low = 0 if name == "gain_fixed_here" else 1
        if len(parameters) != OP_PARAMETERS[name] or any(
            type(n) is not int or not low <= n <= high for n in parameters
        ):
            raise entry.fail(key, f"{OP_PARAMETERS[name]} numbers {low} to {high} after {name!r}")
        if name in ("play_card", "go_bivouac") and index + 1 < len(ops):
            raise entry.fail(key, f"{name!r} only as the last operation")
        kind = KINDS.index(name)
        if kind == DISCARD_PLAYED:
            parameters = [len(ops) - 1 - index]
        t["programs"][program, index] = [kind, *parameters, *([0] * (3 - len(parameters)))]
        used.add(name)
    t["program_size"][program] = len(ops)


def _read_card(entry: Reader, card: int, t: np.void, used: set[str]) -> None:
    """What Everest cards and Climbers have in common."""
    _read_identity(entry, "card", card, t)
    _check_source(entry)
    cost = entry.integers("cost", 0, AMOUNT, length=5)
    if not 0 < sum(cost) <= 4:
        raise entry.fail("cost", "one to four symbols")
    t["card_cost"][card] = cost
    discount = DISCOUNTS.index(entry.choice("discount", DISCOUNTS))
    if discount < 4:
        t["card_discount"][card, discount] = 1
    trigger = entry.choice("trigger", TRIGGERS)
    t["card_trigger"][card] = TRIGGERS.index(trigger)
    effect = _read_program(entry, "effect", card, t, used, MAX_OPS, [])
    others = _read_program(entry, "others", OTHERS_START + card, t, used, 1, [])
    if trigger != "once" and not effect:
        raise entry.fail("effect", f"an effect for the trigger {trigger!r}")
    for key, ops in (("effect", effect if trigger != "once" else []), ("others", others)):
        if any(op[0] not in REPEATABLE_OPS for op in ops):
            raise entry.fail(key, "only " + ", ".join(REPEATABLE_OPS))
    if any(op[0] == "go_bivouac" for op in effect):
        raise entry.fail("effect", "'go_bivouac' only on backpacks")
    t["perm_discount"][card] = -1
    perm = entry.items("perm", [])
    match perm:
        case []:
            pass
        case [["discount", int(kind)]] if 0 <= kind < len(CARD_TYPES):
            t["perm_discount"][card] = kind
        case [["hand_limit", int(amount)]] if 1 <= amount <= AMOUNT:
            t["perm_hand"][card] = amount
        case [["bivouac_both"]]:
            t["perm_both"][card] = 1
        case _:
            raise entry.fail(
                "perm", 'at most one of ["discount", 0-4], ["hand_limit", 1-9], ["bivouac_both"]'
            )
    used.update(ability[0] for ability in perm)
    write_features(card, t)


def _read_everest(entries: Sequence[Reader], t: np.void, used: set[str]) -> None:
    counts = dict.fromkeys(TYPE_COUNTS, 0)
    climbing = 0
    for card, entry in enumerate(entries):
        kind = entry.choice("type", tuple(TYPE_COUNTS))
        climber = entry.choice("climber", (True, False), False)
        if climber and kind != "sherpa":
            raise entry.fail("climber", "only on sherpas")
        counts[kind] += 1
        climbing += climber
        t["card_types"][card] = 1 << CARD_TYPES.index(kind) | (IS_CLIMBER if climber else 0)
        t["climber_nation"][card] = t["climber_position"][card] = -1
        _read_card(entry, card, t, used)
        entry.close()
    where = entries[0].where.rsplit("[", 1)[0]
    for kind, count in counts.items():
        if count != TYPE_COUNTS[kind]:
            raise DeckError(f"{where}: {count} cards of type {kind}, expected {TYPE_COUNTS[kind]}")
    if climbing != CLIMBING_SHERPAS:
        raise DeckError(f"{where}: {climbing} climbing sherpas, expected {CLIMBING_SHERPAS}")


def _read_climbers(entries: Sequence[Reader], t: np.void, used: set[str]) -> None:
    nations: list[list[int]] = [[] for _ in NATIONS]
    classes = np.zeros((NUM_NATIONS, len(CLASSES)), np.int64)
    for index, entry in enumerate(entries):
        card = NUM_EVEREST + index
        nation = NATIONS.index(entry.choice("nation", NATIONS))
        t["card_types"][card] = IS_CLIMBER
        t["climber_nation"][card] = nation
        t["climber_position"][card] = len(nations[nation])
        nations[nation].append(card)
        _read_card(entry, card, t, used)
        cost = t["card_cost"][card].tolist()
        if sum(cost) != 3 or cost[3] or cost[4] not in (0, 3):
            raise entry.fail("cost", "three of one type, one of each type, or `same` 3")
        kind = SAME if cost[4] else MIXED if cost[:3] == [1, 1, 1] else SPECIFIC
        if kind == SPECIFIC and 3 not in cost[:3]:
            raise entry.fail("cost", "three of one type, one of each type, or `same` 3")
        t["card_class"][card] = kind
        classes[nation, kind] += 1
        entry.close()
    where = entries[0].where.rsplit("[", 1)[0]
    for nation, cards in enumerate(nations):
        if len(cards) != CLIMBERS_PER_NATION:
            raise DeckError(f"{where}: {len(cards)} climbers of {NATIONS[nation]}, expected 5")
        t["nation_climbers"][nation] = cards
    for kind, name in enumerate(CLASSES):
        rest = int((classes[:, kind].sum() - classes[:, kind]).min())
        if rest < t["mallory_classes"][kind]:
            raise DeckError(
                f"{where}: three nations hold {rest} {name} climbers, expected 3 or more"
            )


def _read_backpacks(entries: Sequence[Reader], t: np.void, used: set[str]) -> None:
    forced = start = 0
    for index, entry in enumerate(entries):
        program = BACKPACK_START + index
        _read_identity(entry, "backpack", index, t)
        _check_source(entry)
        ops = _read_program(entry, "effect", program, t, used, MAX_OPS, [])
        names = [op[0] for op in ops]
        forced += "go_bivouac" in names
        start += "take_start" in names
        row = t["backpack_features"][index]
        row[:NUM_EFFECT_FEATURES] = program_features(t, program)
        row[NUM_EFFECT_FEATURES] = "go_bivouac" in names
        entry.close()
    where = entries[0].where.rsplit("[", 1)[0]
    if forced != FORCED_BIVOUACS:
        raise DeckError(f"{where}: {forced} backpacks end with 'go_bivouac', expected 2")
    if start != START_BACKPACKS:
        raise DeckError(f"{where}: {start} backpacks have 'take_start', expected 1")


def _read_bivouac(boards: Reader, t: np.void, used: set[str]) -> None:
    for board, name in enumerate(BOARDS):
        for index, space in enumerate(boards.tables(name, length=NUM_SPACES)):
            _check_source(space)
            choice = space.choice("mode", ("all", "choice")) == "choice"
            rewards = space.items("rewards")
            if not 0 < len(rewards) <= MAX_REWARDS or (choice and len(rewards) != 2):
                raise space.fail("rewards", "two rewards to choose from, or up to three of `all`")
            for number, ops in enumerate(rewards):
                if not isinstance(ops, list) or not ops or ["go_bivouac"] in ops:
                    raise space.fail("rewards", "programs without 'go_bivouac', none of them empty")
                program = reward_program(board, index + 1, number)
                _write_program(space, "rewards", ops, program, t, used, MAX_OPS)
            t["space_choice"][board, index] = choice
            t["space_rewards"][board, index] = len(rewards)
            space.close()
    boards.close()
