"""What has to hold between the fields of a snapshot."""

from typing import Any

import numpy as np

from climbenvs.engine.reader import Reader
from climbenvs.games.sherpa.actions import ACTIONS, card_id
from climbenvs.games.sherpa.dangers import oldest_due
from climbenvs.games.sherpa.legal import copy_off_line, legal
from climbenvs.games.sherpa.state import (
    CAMPS_OWN,
    DISCARD,
    DUE,
    FIRST_CAMP,
    HAND_SIZE,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    OVER,
    PAY,
    PROTECT,
    RESOURCES,
    SETTLED,
    SHELTER,
    STAGE_PLAY,
    STAGE_STORM,
    STAGE_SUPPLY,
    SUMMIT,
    SUPPLY,
    USABLE,
)


def check_position(reader: Reader, s: Any, t: Any) -> None:
    """Raise unless the fields of a record that was read from a snapshot fit each other.

    Raises:
        SnapshotError: naming the field that is wrong and what was expected.
    """
    _check_cards(reader, s, t)
    _check_camps(reader, s)
    _check_end(reader, s)
    _check_stage(reader, s)
    _check_to_act(reader, s)
    _check_blizzards(reader, s)
    _check_pending(reader, s)
    if s["decision"] != OVER:
        mask = np.zeros(ACTIONS.size, np.int8)
        if legal(s, t, mask) == 0:
            raise reader.fail("decision", "a decision that offers at least one action")


def _check_cards(reader: Reader, s: Any, t: Any) -> None:
    """Every card of the deck is in a hand, the pile or the discard pile."""
    pile = np.bincount(s["pile"][: s["pile_size"]], minlength=NUM_KINDS)
    found = s["hands"].sum(axis=0) + pile + s["discard"]
    for kind in np.flatnonzero(found != t["counts"]).tolist():
        raise reader.error(
            f"snapshot.hands, pile and discard: {found[kind]} cards {card_id(t, kind)!r}, "
            f"expected {t['counts'][kind]}"
        )


def _check_camps(reader: Reader, s: Any) -> None:
    """One tile per player: on a board, in the line or in the common supply."""
    in_line = int((s["line"][: s["line_size"]] >= FIRST_CAMP).sum())
    total = int(s["seats"][:, CAMPS_OWN].sum()) + int(s["camps_common"]) + in_line
    if total != s["num_players"]:
        raise reader.error(
            f"snapshot.camps_own, camps_common and line: {total} camps, expected {s['num_players']}"
        )


def _check_end(reader: Reader, s: Any) -> None:
    """`over`, an end cause and a winner go together."""
    if (s["decision"] == OVER) != (s["end"] != 0):
        raise reader.fail("end", "a cause exactly when the decision is 'over'")
    if (s["winner"] >= 0) != (s["end"] == SUMMIT):
        raise reader.fail("winner", "a seat exactly when the end is 'summit'")


def _check_stage(reader: Reader, s: Any) -> None:
    """Each decision has its stages."""
    decision, stage = int(s["decision"]), int(s["stage"])
    allowed = {STAGE_PLAY}
    if decision in (SUPPLY, DISCARD):
        allowed = {STAGE_SUPPLY}
    elif decision == SHELTER:
        allowed = {STAGE_PLAY, STAGE_STORM}
    elif decision == OVER:
        allowed = {STAGE_PLAY, STAGE_SUPPLY, STAGE_STORM}
    if stage not in allowed:
        raise reader.fail("stage", "a stage in which this decision is taken")
    if stage == STAGE_STORM and s["turn"] != s["num_players"] - 1:
        raise reader.fail("turn", "the last index of `order` during the storm")


def _check_to_act(reader: Reader, s: Any) -> None:
    """The active player decides, but for protection and shelter."""
    decision = int(s["decision"])
    if (s["player"] < 0) != (decision == OVER):
        raise reader.fail("to_act", "null exactly when the decision is 'over'")
    if decision not in (PROTECT, SHELTER, OVER) and s["player"] != s["order"][s["turn"]]:
        raise reader.fail("to_act", f"the active player, seat {s['order'][s['turn']]}")


def _check_blizzards(reader: Reader, s: Any) -> None:
    """Blizzards are unsettled only while a shelter is asked for, by the owner of who was hit."""
    states = s["blizzard_state"][: s["num_blizzards"]]
    if s["decision"] != SHELTER:
        if np.any(states != SETTLED):
            raise reader.fail("blizzards", "settled ones only, unless the decision is 'shelter'")
        return
    if not np.any(states == DUE):
        raise reader.fail("blizzards", "one that is due, as the decision is 'shelter'")
    if np.any(s["blizzard_on"][: s["num_blizzards"]][states == DUE] >= FIRST_CAMP):
        raise reader.fail("blizzards", "none that is due on a camp")
    if int(s["blizzard_on"][oldest_due(s)]) // NUM_SLOTS != s["player"]:
        raise reader.fail("blizzards", "the oldest due one on a character of `to_act`")


def _check_pending(reader: Reader, s: Any) -> None:
    """What is being paid for can be paid."""
    seat = int(s["player"])
    if s["decision"] == PAY:
        for resource in range(NUM_RESOURCES):
            if s["tokens_due"][resource] > s["seats"][seat, USABLE + resource]:
                raise reader.fail("pending", f"no more {RESOURCES[resource]} than are usable")
    if s["decision"] == DISCARD:
        if not s["added"]:
            raise reader.fail("added", "true while a character is being paid for")
        if copy_off_line(s, seat, int(s["added_kind"])) < 0:
            raise reader.fail("pending", "a kind of which a character is off the line")
        if s["cards_due"] > s["seats"][seat, HAND_SIZE]:
            raise reader.fail("pending", "no more cards due than are in hand")
