"""Positions as JSON-able dicts: saved games, custom starts, tests."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.reader import Reader
from climbenvs.games.everest_go.actions import ACTIONS
from climbenvs.games.everest_go.rules import legal
from climbenvs.games.everest_go.snapshot_checks import check_consistency
from climbenvs.games.everest_go.state import (
    ACTION_CARDS,
    COLDS,
    DECISIONS,
    DIRECTIONS,
    END_CAUSES,
    FROZEN,
    HAND_SIZE,
    IS_TURN_PLAYER,
    ITEMS,
    KINDS,
    MAX_DECK,
    MAX_PLAYERS,
    MAX_STACK,
    MEMORIES,
    NUM_SLOTS,
    OXYGEN,
    PARTS,
    PRESENT,
    REWARDS,
    SLOTS,
)
from climbenvs.games.everest_go.table import column, refresh_stack

FORMAT = 1
DECISION_NAMES = (*DECISIONS, "over")
NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


def names(counts: np.ndarray) -> list[str]:
    """Counts per kind -> ids in kind order."""
    return [KINDS[kind] for kind in np.repeat(np.arange(len(KINDS)), counts)]


def label(table: tuple[str, ...], index: int) -> str | None:
    """The entry at an index, None for -1."""
    return None if index < 0 else table[index]


def seat_or_none(seat: int) -> int | None:
    """A seat, None for -1."""
    return None if seat < 0 else int(seat)


def to_dict(s: Any, t: Any) -> dict[str, Any]:
    """The snapshot of a position; see docs/games/everest_go.md for its fields."""
    players = int(s["num_players"])
    seats = range(players)
    return {
        "game": "everest_go",
        "format": FORMAT,
        "players": players,
        "options": {
            "beginner": bool(s["beginner"]),
            "memory": MEMORIES[s["memory"]],
            "reward": REWARDS[s["reward"]],
            "max_turns": int(s["max_turns"]),
        },
        "turn": int(s["turn"]),
        "turn_player": int(s["turn_player"]),
        "run_outs": int(s["run_outs"]),
        "deck": [KINDS[kind] for kind in s["deck"][: s["deck_size"]][::-1]],
        "discard": names(s["discard"]),
        "hands": [names(s["hand"][seat]) for seat in seats],
        "known": [[names(s["known"][MAX_PLAYERS * i + j]) for j in seats] for i in seats],
        "mountaineers": [mountaineer(s, seat) for seat in seats],
        "decision": DECISION_NAMES[s["decision"]],
        "player": seat_or_none(s["player"]),
        "pending": pending(s),
        "shouter": seat_or_none(s["shouter"]),
        "end": label(END_CAUSES, int(s["end"]) - 1),
    }


def mountaineer(s: Any, seat: int) -> dict[str, Any]:
    """What lies in front of a seat."""
    row = s["seats"][seat]
    return {
        "stacks": {
            part: s["stacks"][seat, b, : s["height"][seat, b]].tolist()
            for b, part in enumerate(PARTS)
        },
        "frozen": [part for b, part in enumerate(PARTS) if row[column(b, FROZEN)]],
        "items": [item for i, item in enumerate(ITEMS) if row[OXYGEN + i]],
        "cold": int(row[COLDS]),
    }


def pending(s: Any) -> dict[str, Any] | None:
    """The action card being resolved and all that has been chosen for it."""
    if s["pending_card"] < 0:
        return None
    players, turn_player = int(s["num_players"]), int(s["turn_player"])
    asked = [(turn_player + step) % players for step in range(1, players)]
    targets = s["targets"][: s["num_targets"]].tolist()
    return {
        "card": KINDS[s["pending_card"]],
        "targets": [[spot // NUM_SLOTS, SLOTS[spot % NUM_SLOTS]] for spot in targets],
        "victim": seat_or_none(s["victim"]),
        "part": label(PARTS, s["part"]),
        "direction": label(DIRECTIONS, s["direction"]),
        "tents": [seat for seat in asked if s["sealed"][seat]],
    }


def from_dict(snapshot: Mapping[str, Any], s: Any, t: Any) -> None:
    """Fill a zeroed record from a snapshot.

    Raises:
        SnapshotError: naming the field that is wrong and what was expected.
    """
    reader = Reader(snapshot, "snapshot", SnapshotError)
    reader.choice("game", ["everest_go"], "everest_go")
    reader.choice("format", [FORMAT], FORMAT)
    players = reader.integer("players", 2, MAX_PLAYERS)
    s["num_players"] = players
    read_options(reader.table("options", {}), s)
    read_clock(reader, s, players)
    read_cards(reader, s, t, players)
    for seat, entry in enumerate(reader.tables("mountaineers", [{}] * players, players)):
        read_mountaineer(entry, s, seat)
        s["seats"][seat, PRESENT] = 1
        s["seats"][seat, IS_TURN_PLAYER] = seat == s["turn_player"]
        for part in range(len(PARTS)):
            refresh_stack(s, t, seat, part)
    read_decision(reader, s, players)
    reader.close()
    check_copies(s, t)
    check_consistency(s, t)
    if s["player"] >= 0 and legal(s, t, np.zeros(ACTIONS.size, np.int8)) == 0:
        raise SnapshotError("snapshot: the game runs but there is no legal action")


def read_options(options: Reader, s: Any) -> None:
    """The options of the game."""
    s["beginner"] = options.choice("beginner", (False, True), False)
    s["memory"] = MEMORIES.index(options.choice("memory", MEMORIES, MEMORIES[0]))
    s["reward"] = REWARDS.index(options.choice("reward", REWARDS, REWARDS[0]))
    s["max_turns"] = options.integer("max_turns", 1, 10000, 250)
    options.close()


def read_clock(reader: Reader, s: Any, players: int) -> None:
    """Turn, turn player, run-outs."""
    s["turn"] = reader.integer("turn", 1, 2**31 - 1, 1)
    s["turn_player"] = reader.integer("turn_player", 0, players - 1, 0)
    s["run_outs"] = reader.integer("run_outs", 0, 3, 0)


def count_kinds(ids: Iterable[str]) -> np.ndarray:
    """Ids -> counts per kind, int64."""
    return np.bincount([NUMBERS[name] for name in ids], minlength=len(KINDS))


def read_counts(reader: Reader, key: str, default: Any = ()) -> np.ndarray:
    """A list of card ids as counts per kind."""
    return count_kinds(reader.choices(key, KINDS, default))


def read_cards(reader: Reader, s: Any, t: Any, players: int) -> None:
    """Deck, discard pile, hands, and what is known of hands."""
    deck = reader.choices("deck", KINDS, [])
    if len(deck) > MAX_DECK:
        raise reader.fail("deck", f"at most {MAX_DECK} cards")
    s["deck"][: len(deck)] = [NUMBERS[name] for name in reversed(deck)]
    s["deck_size"] = len(deck)
    s["deck_count"] = to_int8(reader, "deck", count_kinds(deck))
    s["discard"] = to_int8(reader, "discard", read_counts(reader, "discard"))
    hands = reader.items("hands", [[]] * players, players)
    known = reader.items("known", [[[]] * players] * players, players)
    for seat in range(players):
        hand = Reader({f"hands[{seat}]": hands[seat]}, reader.where, SnapshotError)
        counts = read_counts(hand, f"hands[{seat}]")
        if counts.sum() > 3:
            raise hand.fail(f"hands[{seat}]", "at most 3 cards")
        s["hand"][seat] = counts
        s["seats"][seat, HAND_SIZE] = counts.sum()
    for i in range(players):
        row = Reader({f"known[{i}]": known[i]}, reader.where, SnapshotError)
        for j, cards in enumerate(row.items(f"known[{i}]", length=players)):
            spot = f"known[{i}][{j}]"
            entry = Reader({spot: cards}, reader.where, SnapshotError)
            counts = read_counts(entry, spot)
            if i == j and counts.any():
                raise entry.fail(spot, "nothing, a seat's own hand is not listed")
            if np.any(counts > s["hand"][j]):
                raise entry.fail(spot, f"only cards that are in hands[{j}]")
            s["known"][MAX_PLAYERS * i + j] = counts


def to_int8(reader: Reader, key: str, counts: np.ndarray) -> np.ndarray:
    """Counts that fit the record; more copies than that exist of no card."""
    if counts.max() > 127:
        raise reader.fail(key, "no more copies of a card than the box has")
    return counts


def read_mountaineer(entry: Reader, s: Any, seat: int) -> None:
    """Stacks, Hypothermias, items and Colds of a seat."""
    stacks = entry.table("stacks", {})
    for b, part in enumerate(PARTS):
        values = stacks.integers(part, 1, 4, [])
        if len(values) > MAX_STACK:
            raise stacks.fail(part, f"at most {MAX_STACK} garments")
        s["stacks"][seat, b, : len(values)] = values
        s["height"][seat, b] = len(values)
    stacks.close()
    frozen = entry.choices("frozen", PARTS, [])
    if len(set(frozen)) != len(frozen):
        raise entry.fail("frozen", "each body part once")
    for part in frozen:
        s["seats"][seat, column(PARTS.index(part), FROZEN)] = 1
    items = entry.choices("items", ITEMS, [])
    if len(set(items)) != len(items):
        raise entry.fail("items", "each special item once")
    for item in items:
        s["seats"][seat, OXYGEN + ITEMS.index(item)] = 1
    s["seats"][seat, COLDS] = entry.integer("cold", 0, 4, 0)
    entry.close()


def read_decision(reader: Reader, s: Any, players: int) -> None:
    """Decision, decider, pending card, shouter and end."""
    seats = (None, *range(players))
    s["decision"] = DECISION_NAMES.index(reader.choice("decision", DECISION_NAMES, "main"))
    player = reader.choice("player", seats, int(s["turn_player"]))
    shouter = reader.choice("shouter", seats, None)
    end = reader.choice("end", (None, *END_CAUSES), None)
    s["player"] = -1 if player is None else player
    s["shouter"] = -1 if shouter is None else shouter
    s["end"] = 0 if end is None else 1 + END_CAUSES.index(end)
    s["pending_card"] = s["victim"] = s["part"] = s["direction"] = -1
    if reader.get("pending", None) is not None:
        read_pending(reader.table("pending"), s, players)


def read_pending(entry: Reader, s: Any, players: int) -> None:
    """The action card being resolved."""
    seats = (None, *range(players))
    s["pending_card"] = NUMBERS[entry.choice("card", ACTION_CARDS)]
    targets = entry.items("targets", [])
    if len(targets) > len(s["targets"]):
        raise entry.fail("targets", f"at most {len(s['targets'])} targets")
    for i, target in enumerate(targets):
        if (
            not isinstance(target, list | tuple)
            or len(target) != 2
            or type(target[0]) is not int
            or target[0] not in range(players)
            or target[1] not in SLOTS
        ):
            raise entry.fail("targets", "pairs of a seat and a body part or item")
        s["targets"][i] = NUM_SLOTS * target[0] + SLOTS.index(target[1])
    s["num_targets"] = len(targets)
    victim = entry.choice("victim", seats, None)
    part = entry.choice("part", (None, *PARTS), None)
    direction = entry.choice("direction", (None, *DIRECTIONS), None)
    s["victim"] = -1 if victim is None else victim
    s["part"] = -1 if part is None else PARTS.index(part)
    s["direction"] = -1 if direction is None else DIRECTIONS.index(direction)
    order = [(int(s["turn_player"]) + step) % players for step in range(players)]
    tents = entry.choices("tents", range(players), [])
    if tents != sorted(set(tents), key=order.index):
        raise entry.fail("tents", "different seats, clockwise from the turn player")
    for seat in tents:
        s["sealed"][seat] = 1
    entry.close()


def check_copies(s: Any, t: Any) -> None:
    """No more copies of a card than the box has."""
    total = s["deck_count"].astype(int) + s["discard"] + s["hand"].sum(axis=0, dtype=int)
    for b in range(len(PARTS)):
        for value in (1, 2, 3, 4):
            total[4 * b + value - 1] += np.count_nonzero(s["stacks"][:, b] == value)
    for i, item in enumerate(ITEMS):
        total[NUMBERS[item]] += s["seats"][:, OXYGEN + i].sum()
    total[NUMBERS["cold"]] += s["seats"][:, COLDS].sum()
    for b in range(len(PARTS)):
        total[NUMBERS["hypothermia"]] += s["seats"][:, column(b, FROZEN)].sum()
    if s["pending_card"] >= 0:
        total[s["pending_card"]] += 1
    for kind in np.flatnonzero(total > t["copies"]):
        raise SnapshotError(
            f"snapshot: {total[kind]} copies of {KINDS[kind]}, the box has {t['copies'][kind]}"
        )
