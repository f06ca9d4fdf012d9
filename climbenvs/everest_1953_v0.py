"""1953 Everest as a PettingZoo environment.

## Description

Two to four expeditions build routes of cards up the four levels of Everest and bring tents,
supplies and oxygen up to pay for them. A card of a higher level rests on two neighbours below. Who
first lays a Climber on level 4 wins at once; after the last week most cards on level 3 win, then
most Climbers. With one player it is a race against George Mallory, whom an automaton plays at three
levels of difficulty.
"""

from climbenvs.envs.aec import factories

env, raw_env = factories("everest_1953")

__all__ = ["env", "raw_env"]
