"""Everest Go! as a PettingZoo environment.

## Description

Two to four players each dress a mountaineer in garments worth one to four points, stacked on six
body parts, and sabotage the others with action cards. Who has all six parts covered and none frozen
may shout EVEREST! for three extra points and end the game; otherwise it ends when the deck has run
out for the third time. The highest score wins.
"""

from climbenvs.envs.aec import factories

env, raw_env = factories("everest_go")

__all__ = ["env", "raw_env"]
