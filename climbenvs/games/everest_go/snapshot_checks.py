"""Whether the fields of a snapshot fit together."""

from typing import Any

import numpy as np

from climbenvs.engine.errors import SnapshotError
from climbenvs.games.everest_go.effects import (
    avalanche_is_possible,
    has_target_spot,
    is_target_player,
    is_target_spot,
)
from climbenvs.games.everest_go.state import (
    AVALANCHE_CHOICE,
    CHILL,
    COLDS,
    DECISIONS,
    DISCARD_STACK,
    DISCARD_VISIBLE,
    END_CAUSES,
    END_DECK,
    END_EVEREST,
    EVEREST_WINDOW,
    FIRE_CHOICE,
    FREEZE,
    HAND_SIZE,
    IMPROVE,
    KINDS,
    LEFT,
    MAIN,
    MAX_PLAYERS,
    NUM_SLOTS,
    OVER,
    RECOVER_CARD,
    ROTATE_STACKS,
    SLOTS,
    STEAL_CARD,
    STEAL_SPOT,
    TAKE_CARD,
    TARGET_PLAYER,
    TARGET_SPOT,
    TENT,
    TENT_WINDOW,
    WARM,
)
from climbenvs.games.everest_go.table import is_ready
from climbenvs.games.everest_go.tents import is_attacked

SPOT_EFFECTS = {STEAL_SPOT, DISCARD_VISIBLE, DISCARD_STACK, FREEZE}
EFFECTS_OF = {
    TARGET_SPOT: SPOT_EFFECTS,
    TARGET_PLAYER: {STEAL_CARD, CHILL},
    FIRE_CHOICE: {WARM},
    AVALANCHE_CHOICE: {ROTATE_STACKS},
    TAKE_CARD: {STEAL_CARD, RECOVER_CARD},
    TENT_WINDOW: SPOT_EFFECTS | {STEAL_CARD, CHILL, WARM, ROTATE_STACKS},
}
"""Decisions with a pending card -> effects that card may have."""


def require(condition: Any, field: str, expected: str) -> None:
    """Raise a SnapshotError unless the condition holds."""
    if not condition:
        raise SnapshotError(f"snapshot.{field}: expected {expected}")


def check_consistency(s: Any, t: Any) -> None:
    """Raise a SnapshotError unless the fields of a filled record fit together."""
    check_end(s, t)
    if s["decision"] == OVER:
        return
    turn_player = int(s["turn_player"])
    name = DECISIONS[s["decision"]]
    if s["decision"] != TENT_WINDOW:
        require(s["player"] == turn_player, "player", f"the turn player to decide {name!r}")
    if s["decision"] == IMPROVE:
        require(s["seats"][turn_player, HAND_SIZE] > 0, "decision", "a card to discard")
    if s["decision"] == EVEREST_WINDOW:
        require(is_ready(s, turn_player), "decision", "a turn player who may shout")
    if s["decision"] in (MAIN, IMPROVE, EVEREST_WINDOW):
        require(s["pending_card"] < 0, "pending", f"null while {name!r} is decided")
        return
    require(s["pending_card"] >= 0, "pending", f"an action card while {name!r} is decided")
    effect = int(t["effect"][s["pending_card"]])
    card = KINDS[s["pending_card"]]
    fits = effect in EFFECTS_OF[int(s["decision"])]
    require(fits, "pending.card", f"a card that asks for {name!r}, not {card}")
    check_targets(s, t)
    check_choices(s, t, effect)
    if s["decision"] == TENT_WINDOW:
        check_tent_window(s, t, effect)


def check_end(s: Any, t: Any) -> None:
    """Decision, player, end, shouter and run-outs agree on whether and how the game ended."""
    over = s["decision"] == OVER
    require((s["player"] < 0) == over, "player", "null exactly when the decision is 'over'")
    require((s["end"] != 0) == over, "end", f"one of {END_CAUSES} exactly when it is over")
    require(not (over and s["pending_card"] >= 0), "pending", "null when the game is over")
    shouted = s["end"] == END_EVEREST
    require((s["shouter"] >= 0) == shouted, "shouter", "a seat exactly when the end is 'everest'")
    last = int(t["run_outs_to_end"])
    ran_out = s["end"] == END_DECK
    require((s["run_outs"] >= last) == ran_out, "run_outs", f"{last} exactly with end 'deck'")


def check_targets(s: Any, t: Any) -> None:
    """Stored targets are different, legal, and as many as the decision allows."""
    card, count = s["pending_card"], int(s["num_targets"])
    spots = s["targets"][:count].tolist()
    require(len(set(spots)) == count, "pending.targets", "different targets")
    takes = int(t["count"][card]) if t["effect"][card] in SPOT_EFFECTS else 0
    choosing = s["decision"] == TARGET_SPOT
    if choosing or takes == 0:
        most = max(0, takes - 1)
        require(count <= most, "pending.targets", f"at most {most} targets")
    s["num_targets"] = 0
    legal = [is_target_spot(s, t, card, spot // NUM_SLOTS, spot % NUM_SLOTS) for spot in spots]
    s["num_targets"] = count
    for spot, allowed in zip(spots, legal, strict=True):
        where = f"{SLOTS[spot % NUM_SLOTS]} of seat {spot // NUM_SLOTS}"
        require(allowed, "pending.targets", f"legal targets of {KINDS[card]}, not {where}")
    if takes and not choosing:
        complete = count == takes or (0 < count < takes and not has_target_spot(s, t, card))
        require(complete, "pending.targets", f"all that {KINDS[card]} takes")


def check_choices(s: Any, t: Any, effect: int) -> None:
    """Victim, body part and direction are stored when they have been chosen, and are legal."""
    chosen = s["decision"] in (TENT_WINDOW, TAKE_CARD)
    turn_player, victim = int(s["turn_player"]), int(s["victim"])
    if chosen and effect in (STEAL_CARD, CHILL):
        allowed = victim >= 0 and is_target_player(s, t, s["pending_card"], victim)
        require(allowed, "pending.victim", "a seat the card can be played on")
    elif chosen and effect == WARM:
        left = (turn_player + 1) % int(s["num_players"])
        require(victim == left, "pending.victim", f"the left neighbour, seat {left}")
        require(
            s["seats"][turn_player, COLDS] > 0, "mountaineers", "a Cold for the Fire to pass on"
        )
    else:
        require(victim < 0, "pending.victim", "null, nobody has been chosen")
    if chosen and effect == ROTATE_STACKS:
        possible = s["part"] >= 0 and avalanche_is_possible(s, int(s["part"]))
        require(possible, "pending.part", "a body part where garments can move")
        allowed = s["direction"] >= 0 and (s["num_players"] > 2 or s["direction"] == LEFT)
        require(allowed, "pending.direction", "'left' or, with more than two players, 'right'")
    else:
        require(s["part"] < 0, "pending.part", "null, no body part has been chosen")
        require(s["direction"] < 0, "pending.direction", "null, no direction has been chosen")
    if s["decision"] == TAKE_CARD and effect == STEAL_CARD:
        seen = s["known"][MAX_PLAYERS * turn_player + victim]
        whole = np.array_equal(seen, s["hand"][victim])
        require(
            whole, f"known[{turn_player}][{victim}]", "the whole hand, which is being looked at"
        )
    if s["decision"] != TENT_WINDOW:
        require(not s["sealed"].any(), "pending.tents", "nothing before the Tent windows")


def check_tent_window(s: Any, t: Any, effect: int) -> None:
    """The decider is attacked and holds a Tent; so do those who sealed one before."""
    players, turn_player, player = (int(s[f]) for f in ("num_players", "turn_player", "player"))
    holds = s["hand"][player, TENT] > 0
    own_turn = player == turn_player and effect != CHILL
    attacked = is_attacked(s, t, player) and holds and not own_turn
    require(attacked, "player", "an attacked seat that holds a Tent")
    before = [(turn_player + step) % players for step in range(1, players)]
    before = before[: before.index(player)] if player in before else []
    for seat in np.flatnonzero(s["sealed"]).tolist():
        could = (
            effect == ROTATE_STACKS
            and seat in before
            and s["hand"][seat, TENT] > 0
            and is_attacked(s, t, seat)
        )
        require(could, "pending.tents", "attacked Tent holders asked before the decider")
