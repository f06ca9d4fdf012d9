"""Snow Climbing: the team climbs a common stack of numbers and must not lose too much in the snow.

Reading order: `state` (what exists), `rules`, `climbing`, `camp`, `snow` (what happens), `actions`,
`observation`, `determinize`, `deck`, `snapshot`, `draw`, `policies`.
"""

from typing import Any

from climbenvs.engine.game import GameDefinition, Option
from climbenvs.games.snow_climbing import determinize, observation, policies, rules, snapshot
from climbenvs.games.snow_climbing import state as st
from climbenvs.games.snow_climbing.actions import ACTIONS, describe
from climbenvs.games.snow_climbing.deck import read_deck
from climbenvs.games.snow_climbing.draw import draw


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """How the game ended; the score of every seat is the number of rounds completed."""
    players = int(s["num_players"])
    result = st.RESULTS[int(s["result"])]
    completed = int(s["round_number"]) - (result != "summit")
    winners = list(range(players)) if result == "summit" else []
    return {"end": result, "scores": [completed] * players, "winners": winners}


GAME = GameDefinition(
    package=__name__,
    name="snow_climbing",
    version=0,
    title="Snow Climbing",
    num_players=(2, st.SEATS),
    default_players=4,
    options=(
        Option(
            "blizzard",
            False,
            values=(False, True),
            meaning="advanced variant: seven snowflakes in the snow are an avalanche, too",
        ),
        Option(
            "backpacks",
            0,
            values=st.BACKPACK_CHOICES,
            meaning="number of backpacks: none, a little, some or lots of help",
        ),
        Option(
            "round_bonus",
            0.0,
            low=0,
            high=1e6,
            real=True,
            meaning="additional reward for every completed round",
        ),
    ),
    state_dtype=st.STATE_DTYPE,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    observe=observation.observe,
    rewards=rules.rewards,
    determinize=determinize.determinize,
    global_state=observation.global_state,
    observation=observation.OBSERVATION,
    state=observation.STATE,
    actions=ACTIONS,
    read_deck=read_deck,
    to_dict=snapshot.to_dict,
    from_dict=snapshot.from_dict,
    describe=describe,
    draw=draw,
    outcome=outcome,
    end_causes=("summit", "avalanche"),
    zero_sum=False,
    running_rewards=True,
    cooperative=True,
    constant_elements=observation.CONSTANT_ELEMENTS,
    policies={"climber": policies.choose_as_climber, "novice": policies.choose_as_novice},
)
