"""Snapshots: a position as plain data, and back."""

from collections.abc import Mapping
from typing import Any

from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.reader import Reader
from climbenvs.games.sherpa.actions import card_id
from climbenvs.games.sherpa.line import add_token, enter, insert, refresh_blizzards
from climbenvs.games.sherpa.rules import clear_table
from climbenvs.games.sherpa.snapshot_checks import check_position
from climbenvs.games.sherpa.state import (
    ACTIVE,
    BLIZZARD_STATES,
    CAMPS_OWN,
    CHARACTER_KINDS,
    DECISIONS,
    DIRECTIONS,
    DISCARD,
    END_CAUSES,
    FINISHED,
    FIRST_CAMP,
    FIRST_NEUTRAL,
    FOOD,
    HAND_SIZE,
    HAS_BUILT,
    MAX_BLIZZARDS,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_CLIMB_KINDS,
    NUM_KINDS,
    NUM_NEUTRALS,
    NUM_RESOURCES,
    NUM_SLOTS,
    ORDER_INDEX,
    PAY,
    PROTECT,
    RESOURCES,
    SHELTER,
    SLOT_NAMES,
    SPACES,
    STAGE_STORM,
    STAGES,
    TOKENS,
)

MAX_ROUNDS = 1_000_000
"""Largest value of the option `max_rounds`."""

_MAX_POINTS = 32_000
_MAX_ESTABLISHED = 32_000


# ------------------------------------------------------------------------------------------- write


def to_dict(s: Any, t: Any) -> dict[str, Any]:
    """The position as JSON-able data."""
    players = int(s["num_players"])
    over = int(s["player"]) < 0
    return {
        "game": "sherpa",
        "version": 1,
        "players": players,
        "options": {"max_rounds": int(s["max_rounds"])},
        "round": int(s["round_number"]),
        "order": [int(seat) for seat in s["order"][:players]],
        "turn": int(s["turn"]),
        "stage": STAGES[s["stage"]],
        "decision": DECISIONS[s["decision"]],
        "to_act": None if over else int(s["player"]),
        "pending": _pending(s, t),
        "points": int(s["points"]),
        "climbed": bool(s["climbed"]),
        "added": bool(s["added"]),
        "line": [element_name(int(element)) for element in s["line"][: s["line_size"]]],
        "blizzards": _blizzards(s),
        "tokens": [_tokens(s, seat) for seat in range(players)],
        "hands": [_cards(s["hands"][seat], t) for seat in range(players)],
        "pile": [card_id(t, int(kind)) for kind in s["pile"][: s["pile_size"]][::-1]],
        "discard": _cards(s["discard"], t),
        "camps_own": [int(s["seats"][seat, CAMPS_OWN]) for seat in range(players)],
        "camps_common": int(s["camps_common"]),
        "has_built": [bool(s["seats"][seat, HAS_BUILT]) for seat in range(players)],
        "camps_established": int(s["camps_established"]),
        "winner": None if s["winner"] < 0 else int(s["winner"]),
        "end": None if s["end"] == 0 else END_CAUSES[s["end"] - 1],
    }


def element_name(element: int) -> str:
    """An element as snapshots write it: `0:guide_1`, `neutral` or `camp`."""
    if element >= FIRST_CAMP:
        return "camp"
    if element >= FIRST_NEUTRAL:
        return "neutral"
    seat, slot = divmod(element, NUM_SLOTS)
    return f"{seat}:{SLOT_NAMES[slot]}"


def _pending(s: Any, t: Any) -> dict[str, Any]:
    if s["decision"] == PAY:
        due = [RESOURCES[r] for r in range(NUM_RESOURCES) for _ in range(s["tokens_due"][r])]
        return {"card": card_id(t, int(s["paid_card"])), "due": due}
    if s["decision"] == PROTECT:
        return {"resource": RESOURCES[s["asked"]]}
    if s["decision"] == DISCARD:
        return {"add": CHARACTER_KINDS[s["added_kind"]], "due": int(s["cards_due"])}
    return {}


def _blizzards(s: Any) -> list[dict[str, Any]]:
    return [
        {
            "pos": int(s["place"][s["blizzard_on"][i]]),
            "dir": DIRECTIONS[s["blizzard_direction"][i]],
            "state": BLIZZARD_STATES[s["blizzard_state"][i]],
        }
        for i in range(s["num_blizzards"])
    ]


def _tokens(s: Any, seat: int) -> dict[str, list[int]]:
    return {
        SLOT_NAMES[slot]: [
            int(count)
            for count in s["elements"][NUM_SLOTS * seat + slot, TOKENS : TOKENS + NUM_RESOURCES]
        ]
        for slot in range(NUM_SLOTS)
        if s["place"][NUM_SLOTS * seat + slot] >= 0
    }


def _cards(counts: Any, t: Any) -> dict[str, int]:
    return {card_id(t, kind): int(counts[kind]) for kind in range(NUM_KINDS) if counts[kind]}


# -------------------------------------------------------------------------------------------- read


def from_dict(snapshot: Mapping[str, Any], s: Any, t: Any) -> None:
    """Fill a zeroed record from a snapshot; plays nothing.

    Raises:
        SnapshotError: naming the field that is wrong and what was expected.
    """
    reader = Reader(snapshot, "snapshot", SnapshotError)
    reader.choice("game", ["sherpa"])
    reader.choice("version", [1])
    s["num_players"] = reader.integer("players", 2, MAX_PLAYERS)
    options = reader.table("options")
    s["max_rounds"] = options.integer("max_rounds", 1, MAX_ROUNDS)
    options.close()
    clear_table(s, t)
    _read_clock(reader, s)
    _read_line(reader, s)
    _read_tokens(reader, s)
    _read_blizzards(reader, s)
    _read_cards(reader, s, t)
    _read_camps(reader, s)
    _read_pending(reader, s, t)
    _read_end(reader, s)
    reader.close()
    check_position(reader, s, t)


def _read_clock(reader: Reader, s: Any) -> None:
    """Round, order, turn and what is decided by whom."""
    players = int(s["num_players"])
    s["round_number"] = reader.integer("round", 1, MAX_ROUNDS)
    order = reader.integers("order", 0, players - 1, length=players)
    if len(set(order)) != players:
        raise reader.fail("order", "every seat once")
    s["order"][:players] = order
    s["turn"] = reader.integer("turn", 0, players - 1)
    s["stage"] = STAGES.index(reader.choice("stage", STAGES))
    s["decision"] = DECISIONS.index(reader.choice("decision", DECISIONS))
    to_act = reader.choice("to_act", [*range(players), None])
    s["player"] = -1 if to_act is None else to_act
    s["points"] = reader.integer("points", 0, _MAX_POINTS)
    s["climbed"] = reader.choice("climbed", [False, True])
    s["added"] = reader.choice("added", [False, True])
    for index, seat in enumerate(order):
        s["seats"][seat, ORDER_INDEX + index] = 1
        s["seats"][seat, FINISHED] = index < s["turn"] or s["stage"] == STAGE_STORM
        s["seats"][seat, ACTIVE] = index == s["turn"]


def _read_line(reader: Reader, s: Any) -> None:
    """The elements from the top; neutrals and camps get the next free numbers."""
    players = int(s["num_players"])
    names = {
        element_name(NUM_SLOTS * seat + slot): NUM_SLOTS * seat + slot
        for seat in range(players)
        for slot in range(NUM_SLOTS)
    }
    neutral, camp = FIRST_NEUTRAL, FIRST_CAMP
    last_neutral = FIRST_NEUTRAL + (NUM_NEUTRALS if players == 2 else 0)
    line = reader.choices("line", ["neutral", "camp", *names])
    for index, name in enumerate(line):
        if name == "neutral":
            element, neutral = neutral, neutral + 1
            if neutral > last_neutral:
                raise reader.fail("line", f"at most {last_neutral - FIRST_NEUTRAL} neutrals")
        elif name == "camp":
            element, camp = camp, camp + 1
            if camp > FIRST_CAMP + players:
                raise reader.fail("line", f"at most {players} camps")
        else:
            element = names[name]
            if s["place"][element] >= 0:
                raise SnapshotError(f"snapshot.line[{index}]: {name} is in the line twice")
        if element < FIRST_NEUTRAL:
            enter(s, element)
        else:
            insert(s, element, index)
    if line and line[-1] == "camp":
        raise reader.fail("line", "no camp in the last position")


def _read_tokens(reader: Reader, s: Any) -> None:
    """What the characters on the line carry."""
    players = int(s["num_players"])
    for seat, entry in enumerate(reader.tables("tokens", length=players)):
        for slot in range(NUM_SLOTS):
            element = NUM_SLOTS * seat + slot
            if s["place"][element] < 0:
                continue
            name, spaces = SLOT_NAMES[slot], int(SPACES[slot // 2])
            counts = entry.integers(name, 0, spaces, length=NUM_RESOURCES)
            if sum(counts) > spaces:
                raise entry.fail(name, f"at most {spaces} tokens in all")
            for resource, count in enumerate(counts):
                if count > s["box"][resource]:
                    raise entry.fail(name, f"no more {RESOURCES[resource]} than there are")
                for _ in range(count):
                    add_token(s, element, resource, 1)
        entry.close()


def _read_blizzards(reader: Reader, s: Any) -> None:
    """The blizzards, oldest first; they lie on elements, not on positions."""
    entries = reader.tables("blizzards")
    most = min(int(s["num_players"]), MAX_BLIZZARDS)
    if len(entries) > most:
        raise reader.fail("blizzards", f"at most {most} entries")
    for index, entry in enumerate(entries):
        if s["line_size"] == 0:
            raise reader.fail("blizzards", "none while the line is empty")
        position = entry.integer("pos", 0, int(s["line_size"]) - 1)
        s["blizzard_on"][index] = s["line"][position]
        direction = entry.choice("dir", DIRECTIONS)
        s["blizzard_direction"][index] = DIRECTIONS.index(direction)
        state = entry.choice("state", BLIZZARD_STATES)
        s["blizzard_state"][index] = BLIZZARD_STATES.index(state)
        entry.close()
        s["num_blizzards"] += 1
        refresh_blizzards(s, int(s["line"][position]))


def _read_cards(reader: Reader, s: Any, t: Any) -> None:
    """Hands, pile and discard pile; together they are the deck."""
    players = int(s["num_players"])
    kinds = {card_id(t, kind): kind for kind in range(NUM_KINDS) if t["ids"][kind, 0]}
    for seat, entry in enumerate(reader.tables("hands", length=players)):
        _read_counts(entry, s["hands"][seat], kinds)
        s["seats"][seat, HAND_SIZE] = s["hands"][seat].sum()
    _read_counts(reader.table("discard"), s["discard"], kinds)
    pile = reader.choices("pile", list(kinds))
    if len(pile) > NUM_CARDS:
        raise reader.fail("pile", f"at most {NUM_CARDS} cards")
    s["pile_size"] = len(pile)
    s["pile"][: len(pile)] = [kinds[name] for name in reversed(pile)]
    s["climbs_left"] = s["discard"][:NUM_CLIMB_KINDS].sum()
    s["climbs_left"] += sum(kinds[name] < NUM_CLIMB_KINDS for name in pile)


def _read_counts(entry: Reader, counts: Any, kinds: Mapping[str, int]) -> None:
    """Cards by kind."""
    for name in list(entry.keys()):
        if name not in kinds:
            raise entry.fail(name, f"only card ids: {', '.join(kinds)}")
        counts[kinds[name]] = entry.integer(name, 0, NUM_CARDS)
    entry.close()


def _read_camps(reader: Reader, s: Any) -> None:
    """Tiles and what has been built."""
    players = int(s["num_players"])
    s["seats"][:players, CAMPS_OWN] = reader.integers("camps_own", 0, 1, length=players)
    built = reader.items("has_built", length=players)
    if any(type(value) is not bool for value in built):
        raise reader.fail("has_built", "true or false for each seat")
    s["seats"][:players, HAS_BUILT] = built
    s["camps_common"] = reader.integer("camps_common", 0, MAX_PLAYERS)
    s["camps_established"] = reader.integer("camps_established", 0, _MAX_ESTABLISHED)


def _read_pending(reader: Reader, s: Any, t: Any) -> None:
    """What is being paid for."""
    pending = reader.table("pending")
    if s["decision"] == PAY:
        names = [card_id(t, kind) for kind in range(int(t["num_climb_kinds"]))]
        s["paid_card"] = names.index(pending.choice("card", names))
        due = [RESOURCES.index(name) for name in pending.choices("due", RESOURCES)]
        price = t["costs"][s["paid_card"]]
        counts = [due.count(resource) for resource in range(NUM_RESOURCES)]
        if not due or due != sorted(due) or any(counts[r] > price[r] for r in range(3)):
            raise pending.fail("due", "tokens of the price, at least one, in resource order")
        s["tokens_due"] = counts
        s["asked"] = due[0]
    elif s["decision"] == PROTECT:
        s["asked"] = RESOURCES.index(pending.choice("resource", RESOURCES))
    elif s["decision"] == DISCARD:
        s["added_kind"] = CHARACTER_KINDS.index(pending.choice("add", CHARACTER_KINDS))
        s["cards_due"] = pending.integer("due", 1, int(SPACES[s["added_kind"]]))
    elif s["decision"] == SHELTER:
        s["asked"] = FOOD
    pending.close()


def _read_end(reader: Reader, s: Any) -> None:
    """How the game ended, if it did."""
    winner = reader.choice("winner", [*range(int(s["num_players"])), None])
    s["winner"] = -1 if winner is None else winner
    end = reader.choice("end", [*END_CAUSES, None])
    s["end"] = 0 if end is None else END_CAUSES.index(end) + 1
