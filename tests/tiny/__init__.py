"""Two tiny games for one to three seats whose best play is known, to show that learners learn it.

Meeting: every seat names a place and later a time, A or B, seeing nobody's choice. All are paid 1
if everybody has said A twice, 0.5 if all have said the same with any B in it, else 0.

Poker: Kuhn's, for any number of seats. P + 1 cards, one each, ante 1. In turn, check or bet one
more; after a bet all others fold or call once; the highest card among those in wins the pot. A seat
alone plays against the card that is left, which always calls.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.engine.game import GameDefinition, Option
from tiny import rules

MEETING, POKER = rules.MEETING, rules.POKER


def read_deck(path: Path | None) -> np.ndarray:
    """There is nothing to read."""
    return np.zeros(1, rules.TABLE_DTYPE)


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """Those with the highest reward win, if it is positive."""
    players = int(s["num_players"])
    paid = [float(reward) for reward in s["reward"][:players]]
    winners = [seat for seat in range(players) if paid[seat] == max(paid) > 0]
    return {"end": "over" if s["player"] < 0 else None, "scores": paid, "winners": winners}


def unused(*arguments: Any) -> Any:
    """What nobody calls here."""
    raise NotImplementedError


GAME = GameDefinition(
    package=__name__,
    name="tiny",
    version=0,
    title="Tiny games",
    num_players=(1, rules.PLAYERS),
    default_players=2,
    options=(Option("kind", MEETING, low=MEETING, high=POKER, meaning="meeting or poker"),),
    state_dtype=rules.STATE_DTYPE,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    observe=rules.observe,
    rewards=rules.rewards,
    determinize=rules.determinize,
    global_state=rules.global_state,
    observation=rules.OBSERVATION,
    state=rules.STATE,
    actions=rules.ACTIONS,
    read_deck=read_deck,
    to_dict=unused,
    from_dict=unused,
    describe=unused,
    draw=unused,
    outcome=outcome,
    end_causes=("over",),
    zero_sum=False,
)
TEAM = replace(GAME, cooperative=True)
