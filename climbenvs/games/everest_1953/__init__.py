"""1953 Everest: a race to build a route of cards to the summit."""

from collections.abc import Mapping
from typing import Any

from climbenvs.engine.errors import OptionError
from climbenvs.engine.game import GameDefinition, Option
from climbenvs.games.everest_1953.actions import ACTIONS, describe
from climbenvs.games.everest_1953.dealing import setup
from climbenvs.games.everest_1953.deck import read_deck
from climbenvs.games.everest_1953.determinize import determinize
from climbenvs.games.everest_1953.draw import draw
from climbenvs.games.everest_1953.layouts import CONSTANT_ELEMENTS, OBSERVATION, STATE
from climbenvs.games.everest_1953.observation import global_state, observe
from climbenvs.games.everest_1953.policies import choose_climber
from climbenvs.games.everest_1953.rules import apply, legal, rewards
from climbenvs.games.everest_1953.snapshot import from_dict, to_dict
from climbenvs.games.everest_1953.state import (
    BOARDS,
    CAUSES,
    DIFFICULTIES,
    NATION_CHOICES,
    NATIONS,
    STATE_DTYPE,
)

# Options that only deal the game, and arrays in which remains of earlier moves lie beyond the end.
UNSAVED_FIELDS = (
    "nations",
    "first_player",
    "nation",
    "stack",
    "start_row",
    "everest_deck",
    "everest_discard",
    "backpack_deck",
    "backpack_discard",
    "weather_deck",
    "weather_box",
    "hand",
    "hand_public",
    "climber_deck",
    "climber_out",
    "mallory_deck",
    "mallory_discard",
)


def check_options(num_players: int, options: Mapping[str, Any]) -> None:
    """Nations and first player must fit the player count; only solo games have a difficulty.

    Raises:
        OptionError: naming the option.
    """
    if num_players > 1 and options["difficulty"] != "normal":
        raise OptionError(
            f"option 'difficulty' is {options['difficulty']!r}; expected 'normal' unless "
            "num_players is 1"
        )
    nations = options["nations"]
    if nations is not None and len(nations) != num_players:
        raise OptionError(f"option 'nations' is {nations!r}; expected {num_players} nations")
    if (options["first_player"] or 0) >= num_players:
        raise OptionError(
            f"option 'first_player' is {options['first_player']}; expected None or a seat below "
            f"{num_players}"
        )


def outcome(s: Any, t: Any) -> dict[str, Any]:
    """How the game ended and who won."""
    players = int(s["num_players"])
    winners = [seat for seat in range(players) if s["winner"][seat]]
    return {
        "end": CAUSES[int(s["cause"])],
        "scores": [int(seat in winners) for seat in range(players)],
        "winners": winners,
    }


GAME = GameDefinition(
    package=__name__,
    name="everest_1953",
    version=0,
    title="1953 Everest",
    num_players=(1, 4),
    default_players=2,
    options=(
        Option("board", "I", BOARDS, meaning="side of the Bivouac board"),
        Option("difficulty", "normal", DIFFICULTIES, meaning="of the solo game"),
        Option(
            "nations",
            None,
            NATION_CHOICES,
            meaning="the nation of each seat; None deals them at random",
            words="None or a list of different nations of " + ", ".join(NATIONS),
        ),
        Option(
            "first_player",
            None,
            (None, 0, 1, 2, 3),
            meaning="seat that opens the first week; None draws it, solo it is always 0",
        ),
        Option(
            "max_decisions",
            2000,
            low=1,
            high=1_000_000,
            meaning="actions, forced ones included, after which the game is scored as it stands",
        ),
    ),
    state_dtype=STATE_DTYPE,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    rewards=rewards,
    determinize=determinize,
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
    end_causes=tuple(cause for cause in CAUSES if cause),
    zero_sum=False,
    constant_elements=CONSTANT_ELEMENTS,
    unsaved_fields=UNSAVED_FIELDS,
    policies={"climber": choose_climber},
    check_options=check_options,
)
