"""Snapshots of Snow Climbing: reading and writing positions as JSON-able dictionaries."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.reader import Reader
from climbenvs.games.snow_climbing import rules
from climbenvs.games.snow_climbing import state as st
from climbenvs.games.snow_climbing.actions import ACTIONS
from climbenvs.games.snow_climbing.climbing import push
from climbenvs.games.snow_climbing.deck import card_id
from climbenvs.games.snow_climbing.snow import set_snow

VERSION = 1
OPTIONS = ("blizzard", "backpacks", "round_bonus")
ON_STACK_PHASES = (st.CLIMB, st.ROUTE, st.RECOVER)
CAUSE_PHASES = (st.BACKPACK, st.SAVE)


def members(cards: Any) -> list[int]:
    """A set of small numbers as an ascending list."""
    word = int(cards)
    return [number for number in range(word.bit_length()) if word >> number & 1]


def card_set(cards: Iterable[int]) -> int:
    """Card indices as a set."""
    return sum(1 << card for card in set(cards))


def to_dict(s: Any, t: Any) -> dict[str, Any]:
    """The snapshot of a position; see the game's page for its fields."""
    players = int(s["num_players"])

    def ids(cards: Any) -> list[str]:
        return [card_id(t, card) for card in members(cards)]

    pending, backpack = int(s["pending"]), int(s["pending_backpack"])
    stack = s["stack_cards"][: int(s["stack_size"])]
    return {
        "game": "snow_climbing",
        "version": VERSION,
        "players": players,
        "options": {
            "blizzard": bool(s["blizzard"]),
            "backpacks": st.BACKPACK_CHOICES[int(s["backpacks"])],
            "round_bonus": float(s["round_bonus"]),
        },
        "round": int(s["round_number"]),
        "phase": st.PHASES[int(s["phase"])],
        "leader": int(s["leader"]),
        "turn": int(s["turn"]),
        "tiles": [st.TILE_IDS[int(tile)] for tile in s["tiles"]],
        "tokens": [st.GEAR_IDS[int(token)] for token in s["tokens"]],
        "backpacks": [st.BACKPACK_IDS[index] for index in members(s["backpacks_left"])],
        "deck": ids(s["deck"]),
        "cleared": ids(s["cleared"]),
        "hands": [ids(s["hand"][seat]) for seat in range(players)],
        "passed": [ids(s["passed"][seat]) for seat in range(players)],
        "stack": [card_id(t, int(card)) for card in stack],
        "snow": ids(s["snow"]),
        "camp": ids(s["camp"]),
        "camp_picks": int(s["camp_picks"]),
        "pending": None if pending < 0 else card_id(t, pending),
        "pending_backpack": None if backpack < 0 else st.BACKPACK_IDS[backpack],
        "result": st.RESULTS[int(s["result"])],
        "cause": [st.CONDITION_IDS[index] for index in members(s["cause"])],
    }


def from_dict(snapshot: Mapping[str, Any], s: Any, t: Any) -> None:
    """Set up the position of a snapshot in a record; plays nothing.

    Raises:
        SnapshotError: naming the field that is wrong and what was expected.
    """
    reader = Reader(snapshot, "snapshot", SnapshotError)
    reader.choice("game", ["snow_climbing"])
    reader.choice("version", [VERSION])
    s["num_players"] = reader.integer("players", 2, st.SEATS)
    _read_options(reader.table("options"), s)
    s["round_number"] = reader.integer("round", 1, st.ROUNDS)
    s["phase"] = st.PHASES.index(reader.choice("phase", st.PHASES))
    for field in ("leader", "turn"):
        s[field] = reader.integer(field, 0, int(s["num_players"]) - 1)
    s["result"] = st.RESULTS.index(reader.choice("result", st.RESULTS))
    s["camp_picks"] = reader.integer("camp_picks", 0, st.TYPES - 1)
    _read_mountain(reader, s, t)
    stack, snow = _read_cards(reader, s, t)
    reader.close()
    _check_phase(reader, s)
    for card in stack:
        push(s, card)
    set_snow(s, t, card_set(snow))
    _find_decider(reader, s, t)


def _read_options(options: Reader, s: Any) -> None:
    s["blizzard"] = int(options.choice("blizzard", [False, True]))
    chosen = options.choice("backpacks", st.BACKPACK_CHOICES)
    s["backpacks"] = st.BACKPACK_CHOICES.index(chosen)
    bonus = options.get("round_bonus", expected="a number of at least 0")
    if isinstance(bonus, bool) or not isinstance(bonus, int | float) or not 0 <= bonus <= 1e6:
        raise options.fail("round_bonus", "a number from 0 to 1e6")
    s["round_bonus"] = bonus
    options.close()


def _read_mountain(reader: Reader, s: Any, t: Any) -> None:
    """Tiles, tokens, backpacks, and what the last avalanche check found."""
    tiles = reader.choices("tiles", st.TILE_IDS, length=st.ROUNDS)
    for level, name in enumerate(tiles):
        tile = st.TILE_IDS.index(name)
        if tile not in t["level_tiles"][level, : int(t["level_size"][level])]:
            raise reader.fail("tiles", "one tile of each level in ascending order")
        s["tiles"][level] = tile
    tokens = reader.choices("tokens", st.GEAR_IDS, length=st.TOKENS_REVEALED)
    s["tokens"] = sorted(st.GEAR_IDS.index(name) for name in tokens)
    if len(set(tokens)) < st.TOKENS_REVEALED:
        raise reader.fail("tokens", "two different gear types")
    backpacks = reader.choices("backpacks", st.BACKPACK_IDS)
    used = reader.choice("pending_backpack", [None, *st.BACKPACK_IDS])
    if len({*backpacks, used}) < len(backpacks) + 1:
        raise reader.fail("backpacks", "different backpacks, the one in use not among them")
    s["backpacks_left"] = sum(1 << st.BACKPACK_IDS.index(name) for name in backpacks)
    s["pending_backpack"] = -1 if used is None else st.BACKPACK_IDS.index(used)
    cause = reader.choices("cause", st.CONDITION_IDS)
    if len(set(cause)) < len(cause):
        raise reader.fail("cause", "different conditions")
    s["cause"] = sum(1 << st.CONDITION_IDS.index(name) for name in cause)


def _read_cards(reader: Reader, s: Any, t: Any) -> tuple[list[int], list[int]]:
    """All card lists; returns the stack from the bottom, and the snow."""
    players = int(s["num_players"])
    numbers = {card_id(t, card): card for card in range(st.CARDS)}

    def cards(source: Reader, key: str) -> list[int]:
        return [numbers[name] for name in source.choices(key, numbers)]

    def by_seat(key: str) -> list[list[int]]:
        lists = reader.items(key, length=players)
        seats = Reader(
            {str(k): entry for k, entry in enumerate(lists)}, f"snapshot.{key}", SnapshotError
        )
        return [cards(seats, str(seat)) for seat in range(players)]

    deck, cleared, camp = cards(reader, "deck"), cards(reader, "cleared"), cards(reader, "camp")
    stack, snow = cards(reader, "stack"), cards(reader, "snow")
    hands, passed = by_seat("hands"), by_seat("passed")
    name = reader.choice("pending", [None, *numbers])
    pending = [] if name is None else [numbers[name]]
    places = [deck, *hands, stack, snow, camp, pending]
    if s["phase"] == st.PASS:
        places += passed
    _check_once(t, [card for place in places for card in place])
    if len(set(cleared)) < len(cleared) or not set(cleared) <= set(deck):
        raise reader.fail("cleared", "different cards of the deck")
    if len({card for given in passed for card in given}) < sum(map(len, passed)):
        raise reader.fail("passed", "different cards")
    quota = int(t["quota"][players])
    if any(len(given) > quota for given in passed):
        raise reader.fail("passed", f"no more than {quota} from each seat")
    for giver in range(players):
        taker = (giver + 1) % players
        others = {card for seat in range(players) if seat != taker for card in hands[seat]}
        if others & set(passed[giver]):
            raise reader.fail("passed", "cards that no seat but the left neighbour holds")
    s["deck"], s["cleared"], s["camp"] = card_set(deck), card_set(cleared), card_set(camp)
    for seat in range(players):
        s["hand"][seat], s["passed"][seat] = card_set(hands[seat]), card_set(passed[seat])
    s["pending"] = pending[0] if pending else -1
    s["stack_size"] = 0
    s["stack"] = 0
    return stack, snow


def _check_once(t: Any, placed: list[int]) -> None:
    for card in range(st.CARDS):
        count = placed.count(card)
        if count != 1:
            raise SnapshotError(
                f"snapshot: card {card_id(t, card)} found {count} times over deck, hands, stack, "
                "snow, camp, pending and cards being passed, expected once"
            )


def _check_phase(reader: Reader, s: Any) -> None:
    """Refuse what the phase rules out."""
    phase = int(s["phase"])
    name = st.PHASES[phase]

    def need(field: str, given: bool, allowed: bool, required: bool) -> None:
        if given and not allowed:
            raise reader.fail(field, f"none in phase {name}")
        if required and not given:
            raise reader.fail(field, f"some in phase {name}")

    stack = bool(reader.get("stack"))
    if phase not in ON_STACK_PHASES and s["turn"] != s["leader"]:
        raise reader.fail("turn", f"the leader in phase {name}")
    need("stack", stack, phase in ON_STACK_PHASES, phase == st.RECOVER)
    need("hands", any(reader.get("hands")), phase < st.CAMP, False)
    camp = phase == st.CAMP
    need("camp", bool(s["camp"]), camp, camp)
    need("camp_picks", bool(s["camp_picks"]), camp, camp)
    pending = s["pending"] >= 0
    need("pending", bool(pending), phase in (st.ROUTE, st.RECOVER), phase == st.ROUTE)
    in_use = s["pending_backpack"] >= 0
    need("pending_backpack", bool(in_use), phase == st.SAVE, phase == st.SAVE)
    need("result", bool(s["result"]), phase == st.OVER, phase == st.OVER)
    caused = phase in CAUSE_PHASES or s["result"] == st.AVALANCHE
    need("cause", bool(s["cause"]), bool(caused), bool(caused))


def _find_decider(reader: Reader, s: Any, t: Any) -> None:
    """Set the seat to act; it must have a legal action."""
    phase = int(s["phase"])
    if phase == st.OVER:
        s["player"] = -1
        return
    if phase == st.PASS:
        s["player"] = rules.next_to_pass(s, t)
    elif phase in (st.CLIMB, st.ROUTE):
        s["player"] = s["turn"]
    elif phase == st.RECOVER:
        s["player"] = (s["turn"] + 1) % s["num_players"]
    else:
        s["player"] = s["leader"]
    if s["player"] < 0:
        raise reader.fail("phase", "a seat that has to pass a card")
    if rules.legal(s, t, np.zeros(ACTIONS.size, np.int8)) == 0:
        raise reader.fail("phase", f"a legal action for seat {int(s['player'])}")
