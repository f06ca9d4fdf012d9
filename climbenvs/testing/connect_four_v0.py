"""Connect Four as a PettingZoo environment, the engine's test subject.

## Description

Two players in turn drop a stone into one of seven columns of six cells; four of one's own in a line
win. A full board is a draw. Nothing is hidden and nothing is random.
"""

from climbenvs.envs.aec import factories

env, raw_env = factories("connect_four")

__all__ = ["env", "raw_env"]
