"""Whether the parts of a snapshot fit together."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from climbenvs.engine.errors import SnapshotError
from climbenvs.games.everest_1953.flow import count_climbers
from climbenvs.games.everest_1953.mountain import cards_on_level, is_climber_on_top
from climbenvs.games.everest_1953.state import (
    ARRANGE,
    ASCENT,
    CAUSES,
    DISCARD_PLAYED,
    DRAFT,
    END_TURN,
    FIRST_AUTOMATIC,
    FIRST_AUTOMATIC_OP,
    FIRST_DECISION_OP,
    HAND_LIMIT,
    HAND_SIZE,
    KINDS,
    MAKE_ROOM,
    MALLORY,
    MALLORY_CARDS,
    MALLORY_GIFT,
    MALLORY_WON,
    NATIONS,
    NUM_BACKPACKS,
    NUM_EVEREST,
    NUM_SLOTS,
    NUM_WEATHER,
    PAY,
    PLACE,
    REWARD,
    SUMMIT,
    SUPPORT,
    SWAP_CARDS,
    TURN,
    WEEK,
    WEEK_END,
)
from climbenvs.games.everest_1953.tables import CLASSES, text, texts

# What a stack can rest on: everything else is pushed on top of these and disappears in time.
BOTTOM = (TURN, WEEK, ASCENT, END_TURN, WEEK_END, MALLORY)
ONLY_ON_TOP = (PLACE, PAY, MAKE_ROOM)


def check_consistency(s: Any, t: Any) -> None:
    """Check a filled record.

    Raises:
        SnapshotError: naming the field that is wrong.
    """
    _check_everest_cards(s, t)
    _check_climbers(s, t)
    _check_other_cards(s, t)
    _check_resources(s, t)
    _check_mountains(s, t)
    if s["cause"]:
        _check_end(s, t)
    else:
        _check_stack(s, t)


def _check_each_once(field: str, cards: Iterable[int], ids: list[str]) -> None:
    """Every index of `ids` occurs exactly once."""
    counts = Counter(cards)
    for card, name in enumerate(ids):
        if counts[card] != 1:
            raise SnapshotError(f"snapshot.{field}: {name!r} {counts[card]} times, expected once")


def _everest(cards: np.ndarray) -> list[int]:
    return [card for card in cards.tolist() if 0 <= card < NUM_EVEREST]


def _check_everest_cards(s: Any, t: Any) -> None:
    cards = s["everest_deck"][: s["num_everest_deck"]].tolist()
    cards += s["everest_discard"][: s["num_everest_discard"]].tolist()
    cards += _everest(s["market"][: s["market_size"]])
    cards += _everest(s["start_row"][: s["start_row_size"]])
    cards += s["mallory_cards"][: s["num_mallory_cards"]].tolist()
    for seat in range(int(s["num_players"])):
        cards += _everest(s["hand"][seat, : s["hand_size"][seat]])
        cards += _everest(s["cards"][seat])
    _check_each_once("everest_deck", cards, texts(t["card_id"])[:NUM_EVEREST])


def _check_climbers(s: Any, t: Any) -> None:
    players = int(s["num_players"])
    nations = s["nation"][:players].tolist()
    if len(set(nations)) < players:
        raise SnapshotError("snapshot.seats: the same nation twice, expected different ones")
    for seat, nation in enumerate(nations):
        found = s["climber_deck"][seat, : s["num_climber_deck"][seat]].tolist()
        found += s["climber_out"][seat, : s["num_climber_out"][seat]].tolist()
        found += s["hand"][seat, : s["hand_size"][seat]].tolist() + s["cards"][seat].tolist()
        counts = Counter(found)
        for card in t["nation_climbers"][nation].tolist():
            if counts[card] != 1:
                raise SnapshotError(
                    f"snapshot.seats[{seat}].climber_deck: {text(t['card_id'][card])!r} is "
                    f"{counts[card]} times in deck, hand, Mountain and out, expected once"
                )
    if players == 1:
        _check_mallory(s, t, nations[0])


def _check_mallory(s: Any, t: Any, nation: int) -> None:
    if s["mallory_nation"] == nation:
        raise SnapshotError(
            f"snapshot.mallory.nation: found {NATIONS[nation]!r}, expected another than player_0's"
        )
    climbers = s["mallory_deck"][: s["num_mallory_deck"]].tolist()
    climbers += s["mallory_discard"][: s["num_mallory_discard"]].tolist()
    classes = Counter(int(t["card_class"][card]) for card in climbers)
    wanted = {kind: int(t["mallory_classes"][kind]) for kind in range(len(CLASSES))}
    if len(set(climbers)) < len(climbers) or classes != wanted:
        raise SnapshotError(
            "snapshot.mallory.deck: expected nine different climbers in deck and discard, three of "
            "each class"
        )
    if any(t["climber_nation"][card] == nation for card in climbers):
        raise SnapshotError("snapshot.mallory.deck: found a climber of the player's nation")
    limits = t["sides"][6 * s["mallory_nation"], :4]
    if np.any(s["mallory_resources"] > limits):
        raise SnapshotError(f"snapshot.mallory.res: expected at most {limits.tolist()}")
    if s["num_mallory_cards"] == MALLORY_CARDS and s["cause"] != MALLORY_WON:
        raise SnapshotError("snapshot.mallory.cards: ten cards, but Mallory has not won")


def _check_other_cards(s: Any, t: Any) -> None:
    backpacks = s["backpack_deck"][: s["num_backpack_deck"]].tolist()
    backpacks += s["backpack_discard"][: s["num_backpack_discard"]].tolist()
    row = s["backpack_market"][: s["backpack_market_size"]].tolist()
    backpacks += [card for card in row if card >= 0]
    _check_each_once("backpack_deck", backpacks, texts(t["backpack_id"])[:NUM_BACKPACKS])
    weather = [int(s["weather"])]
    for name in ("weather_past", "weather_deck", "weather_box"):
        weather += s[name][: s[f"num_{name}"]].tolist()
    _check_each_once("weather_box", weather, texts(t["weather_id"])[:NUM_WEATHER])
    if s["num_weather_past"] != max(0, int(s["week"]) - 1):
        raise SnapshotError(
            f"snapshot.weather_past: expected {max(0, int(s['week']) - 1)} cards, one per past week"
        )


def _check_resources(s: Any, t: Any) -> None:
    """What lies about, in the supply and on its way to a full level is all there is."""
    total = s["supply"].astype(np.int64)
    total += s["start_resources"][: s["start_row_size"]].sum(axis=0)
    for seat in range(int(s["num_players"])):
        total += s["resources"][seat].reshape(4, 3).sum(axis=0)
    for row in s["stack"][: s["stack_size"]].tolist():
        if row[0] == MAKE_ROOM and row[4] == 1:
            total[row[3]] += 1
    if np.any(total != t["resources_per_type"]):
        raise SnapshotError(
            f"snapshot.supply: {total.tolist()} resources in all, expected "
            f"{int(t['resources_per_type'])} of each type"
        )


def _check_mountains(s: Any, t: Any) -> None:
    """Cards rest on two others; nobody stands on the summit of a game that goes on."""
    for seat in range(int(s["num_players"])):
        for slot in range(NUM_SLOTS):
            if s["cards"][seat, slot] < 0:
                continue
            left = int(SUPPORT[slot])
            if left >= 0 and np.any(s["cards"][seat, left : left + 2] < 0):
                raise SnapshotError(
                    f"snapshot.seats[{seat}].cards[{slot}]: the card lacks a support below"
                )
            if is_climber_on_top(s, t, seat, slot) and s["cause"] != SUMMIT:
                raise SnapshotError(
                    f"snapshot.seats[{seat}].cards[{slot}]: a Climber on level 4, expected the end "
                    "by 'summit'"
                )


def _check_end(s: Any, t: Any) -> None:
    """The winners are those that the cause of the end makes."""
    players = int(s["num_players"])
    seats = range(players)
    cause = int(s["cause"])
    if cause == SUMMIT:
        on_top = [
            seat
            for seat in seats
            if any(
                s["cards"][seat, slot] >= 0 and is_climber_on_top(s, t, seat, slot)
                for slot in range(NUM_SLOTS)
            )
        ]
        fits = len(on_top) == 1
        expected = on_top
    elif cause == MALLORY_WON:
        fits = players == 1 and s["num_mallory_cards"] == MALLORY_CARDS
        expected = []
    else:
        scores = [
            (int(cards_on_level(s, seat, 2)), int(count_climbers(s, t, seat))) for seat in seats
        ]
        fits = True
        expected = [] if players == 1 else [seat for seat in seats if scores[seat] == max(scores)]
    if not fits:
        raise SnapshotError(f"snapshot.cause: {CAUSES[cause]!r} does not fit the position")
    if [seat for seat in seats if s["winner"][seat]] != expected:
        raise SnapshotError(f"snapshot.winners: expected {expected}")


def _check_stack(s: Any, t: Any) -> None:
    """Items rest on one that leads on, and speak of cards that are there."""
    rows = s["stack"][: s["stack_size"]].tolist()
    for i, row in enumerate(rows):
        problem = _item_problem(s, t, rows, i, row)
        if problem:
            raise SnapshotError(f"snapshot.stack[{i}]: {KINDS[row[0]]} {problem}")
    drafts = sum(row[0] == DRAFT for row in rows)
    left = int((s["start_row"][: s["start_row_size"]] >= 0).sum())
    if (drafts > 0) != (s["start_row_size"] > 0) or drafts > max(0, left - 1):
        raise SnapshotError("snapshot.start_row: expected a card per draft and one more")
    for seat in range(int(s["num_players"])):
        limited = any(row[0] == HAND_LIMIT and row[1] == seat for row in rows)
        if s["hand_size"][seat] == HAND_SIZE and not limited:
            raise SnapshotError(
                f"snapshot.seats[{seat}].hand: {HAND_SIZE} cards, expected at most "
                f"{HAND_SIZE - 1} unless a hand limit is pending"
            )


def _item_problem(s: Any, t: Any, rows: list[list[int]], i: int, row: list[int]) -> str | None:
    """What is wrong with an item in its place, None if nothing."""
    kind, seat, a, b = row[:4]
    weeks_over = int(s["week"]) >= int(t["weeks"][s["num_players"]])
    if (kind in BOTTOM) != (i == 0):
        return "must lie at the bottom" if i else "cannot be the bottom of the stack"
    if kind in ONLY_ON_TOP and i + 1 < len(rows):
        return "must lie on top"
    if kind == WEEK and weeks_over:
        return "found after the last week"
    if kind not in (WEEK, DRAFT, HAND_LIMIT) and s["week"] == 0:
        return "found before the first week"
    if kind in (MALLORY, MALLORY_GIFT) and s["num_players"] > 1:
        return "found in a game without Mallory"
    if kind in (PLACE, PAY) and a >= s["hand_size"][seat]:
        return "speaks of a card that is not in the hand"
    if kind == PAY and s["cards"][seat, b] >= 0:
        return "speaks of a slot that is taken"
    if kind in (ARRANGE, SWAP_CARDS) and a >= 0 and s["cards"][seat, a] < 0:
        return "speaks of an empty slot"
    if kind == MAKE_ROOM and row[4] and a == 0:
        return "says that a resource comes from below level 1"
    if kind == REWARD and not t["space_choice"][s["board"], a - 1]:
        return "speaks of a space without a choice"
    if kind == DISCARD_PLAYED and not _is_followed_by_ops(rows, i, b):
        return "counts more operations after it than there are"
    return None


def _is_followed_by_ops(rows: list[list[int]], i: int, count: int) -> bool:
    """Whether the next `count` items below are operations of the same seat."""
    below = rows[max(0, i - count) : i]
    return len(below) == count and all(
        row[1] == rows[i][1]
        and (FIRST_DECISION_OP <= row[0] < FIRST_AUTOMATIC or row[0] >= FIRST_AUTOMATIC_OP)
        for row in below
    )
