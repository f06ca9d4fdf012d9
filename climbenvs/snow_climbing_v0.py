"""# Snow Climbing.

A cooperative climb for 2 to 4 players: cards are played onto one stack of rising numbers, what is
left over falls into the snow, and the snow must never show what a revealed tile forbids.

## Description

Five rounds. In each, the players draw cards, pass some to the left, and play in turn: either a card
above the top of the stack, or two cards of one type whose sum is above it, the higher of which is
lost in the snow. When a player can do neither, all hands are put together: pairs are safe, most of
the rest is lost. If the snow then meets any tile revealed so far, all players have lost; surviving
the fifth round wins. Hands are hidden, and the only way to communicate is to play.

## Arguments

- `num_players`: 2, 3 or 4 (default 4). Two players draw ten cards and pass two; more draw seven and
  pass one.
- `blizzard`: True makes seven snowflakes in the snow one more condition (default False).
- `backpacks`: 0 (default), 2, 3 or 4 single rescues from the snow.
- `round_bonus`: reward for every completed round, added to the final one (default 0.0).
- `deck`: path of another deck file.

## Observation

459 small integers: nine planes of 40 cards (own hand, stack, top, snow, cleared, set aside, at
camp, given, received) and 99 numbers (phase, round, seats from the viewer leftwards, sizes, tiles
with the snow's progress, tokens, backpacks). The blocks and their bounds are listed on the game's
page and in the game's `observation_layout`.

## Actions

288: pass, play, change route (first and second card), recover, lose at camp, use a backpack, save.
The mask marks the legal ones. Decisions without a choice are played by the environment.

## Rewards

The same for all: +1 for the summit, -1 for an avalanche, plus `round_bonus` for every completed
round; all of it at the end.

## Version history

- v0: first version.
"""

from climbenvs.envs.aec import factories

env, raw_env = factories("snow_climbing")
