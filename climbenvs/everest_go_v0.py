"""# Everest Go!

Dress a mountaineer, sabotage the others, and shout in time: a card game for two to four, everyone
for themselves, with hidden hands.

## Description

Garments worth one to four points are stacked on the six body parts of a mountaineer; action cards
steal, discard, freeze and swap them, and Tents cancel action cards. A turn is one of three options:
play a garment or a special item, play an action card and aim it, or discard cards; then the hand is
refilled to three. Who has all six parts covered and none frozen may shout EVEREST! for three extra
points and end the game; otherwise it ends when the deck has run out for the third time, or after
`max_turns` turns. The highest score wins. The full rules are in `docs/games/everest_go.md`.

## Observation

A dictionary of `observation`, 565 small integers, and `action_mask`, 165 zeros and ones, all zero
for agents that are not to act. The observation has the own hand by kind of card, a block for each
seat (the observer first, then clockwise) with its mountaineer, what is known of other hands, the
discard pile, the cards not seen, the clock, and for the agent to act the decision and what has been
chosen for it. `env.unwrapped.game.observation_layout` names every element.

## Actions

165: shout or not, use a Tent or not, stop discarding, pass a Cold on; play, discard or take a kind
of card; choose a spot, a player, or a body part and a direction for an Avalanche. Seats are counted
from the agent to act. Decisions without a choice are played by the environment.

## Rewards

Zero until the end. With `reward="win"` the W winners get 1/W each and the others share -1; with
`reward="score"` a seat gets a twentieth of its lead over the mean score. Both add up to zero. All
agents terminate together.

## Arguments

- `num_players`: 2, 3 or 4 (default 4).
- `beginner`: True leaves Blizzards and Avalanches in the box (default False).
- `memory`: "perfect" (default) shows everything that was seen so far, "rulebook" only what lies
  visible now.
- `reward`: "win" (default) or "score".
- `max_turns`: turn limit, 1 to 10000 (default 250).
- `deck`: path of another deck file.
- `render_mode`: "ansi", "human" or None.

## Version history

- v0: first version.
"""

from climbenvs.envs.aec import factories

env, raw_env = factories("everest_go")

__all__ = ["env", "raw_env"]
