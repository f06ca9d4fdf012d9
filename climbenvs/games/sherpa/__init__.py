"""Sherpa (Marc Beaudoin, Magma Editions 2007) for two to five players."""

from typing import Any

from climbenvs.engine.game import GameDefinition, Option
from climbenvs.games.sherpa import policies, rounds, rules
from climbenvs.games.sherpa.actions import ACTIONS, describe
from climbenvs.games.sherpa.deck import read_deck
from climbenvs.games.sherpa.draw import draw
from climbenvs.games.sherpa.legal import legal
from climbenvs.games.sherpa.observation import (
    CONSTANT_ELEMENTS,
    OBSERVATION,
    STATE,
    global_state,
    observe,
)
from climbenvs.games.sherpa.snapshot import MAX_ROUNDS, from_dict, to_dict
from climbenvs.games.sherpa.state import END_CAUSES, MAX_PLAYERS, STATE_DTYPE


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """How the game ended; there is no score but having won."""
    winner, end = int(s["winner"]), int(s["end"])
    return {
        "end": END_CAUSES[end - 1] if end else None,
        "scores": [int(seat == winner) for seat in range(int(s["num_players"]))],
        "winners": [winner] if winner >= 0 else [],
    }


GAME = GameDefinition(
    package=__name__,
    name="sherpa",
    version=0,
    title="Sherpa",
    num_players=(2, MAX_PLAYERS),
    default_players=3,
    options=(
        Option(
            "max_rounds",
            200,
            low=1,
            high=MAX_ROUNDS,
            meaning="rounds after which an undecided game ends without a winner",
        ),
    ),
    state_dtype=STATE_DTYPE,
    setup=rules.setup,
    legal=legal,
    apply=rules.apply,
    observe=observe,
    rewards=rounds.rewards,
    determinize=rules.determinize,
    global_state=global_state,
    observation=OBSERVATION,
    state=STATE,
    actions=ACTIONS,
    read_deck=read_deck,
    to_dict=to_dict,
    from_dict=from_dict,
    describe=describe,
    draw=draw,
    outcome=outcome,
    end_causes=END_CAUSES,
    constant_elements=CONSTANT_ELEMENTS,
    # Neutrals are all alike, and so are camps: loading numbers them anew.
    unsaved_fields=("line", "place", "elements", "blizzard_on"),
    policies={"climber": policies.choose_climber},
)
