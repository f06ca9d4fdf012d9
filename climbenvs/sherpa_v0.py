"""Sherpa as a PettingZoo environment.

## Description

Two to five teams of guides, sherpas and yaks climb in one roped party. Climb cards, paid with ice
axes, oxygen and food that the characters carry, move own characters up the line; crevasses,
avalanches, blizzards and yetis throw teams back or take a character away; camps built between two
own characters refill the packs. Once two camps have been established, the first team that has built
one of them wins as soon as one of its guides and another of its characters lead the line, free of
blizzards and with all three kinds of token between them.
"""

from climbenvs.envs.aec import factories

env, raw_env = factories("sherpa")

__all__ = ["env", "raw_env"]
