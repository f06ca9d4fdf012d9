"""Everest Go!: dress a mountaineer, sabotage the others, shout EVEREST! in time."""

from climbenvs.engine.game import GameDefinition, Option
from climbenvs.games.everest_go.actions import ACTIONS, describe
from climbenvs.games.everest_go.deck import read_deck
from climbenvs.games.everest_go.determinize import determinize
from climbenvs.games.everest_go.draw import draw
from climbenvs.games.everest_go.observation import (
    CONSTANT_ELEMENTS,
    OBSERVATION,
    STATE,
    global_state,
    observe,
)
from climbenvs.games.everest_go.policies import choose_builder, choose_greedy
from climbenvs.games.everest_go.rules import apply, legal, setup
from climbenvs.games.everest_go.scoring import outcome, rewards
from climbenvs.games.everest_go.snapshot import from_dict, to_dict
from climbenvs.games.everest_go.state import END_CAUSES, MEMORIES, REWARDS, STATE_DTYPE

GAME = GameDefinition(
    package=__name__,
    name="everest_go",
    version=0,
    title="Everest Go!",
    num_players=(2, 4),
    default_players=4,
    options=(
        Option("beginner", False, (False, True), meaning="play without Blizzard and Avalanche"),
        Option(
            "memory",
            "perfect",
            MEMORIES,
            meaning="observation shows all that was seen so far, or only what is visible now",
        ),
        Option("reward", "win", REWARDS, meaning="share of the victory, or lead over the mean"),
        Option("max_turns", 250, low=1, high=10000, meaning="turn limit"),
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
    end_causes=END_CAUSES,
    constant_elements=CONSTANT_ELEMENTS,
    policies={"builder": choose_builder, "greedy": choose_greedy},
)
