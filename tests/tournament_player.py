"""A player that tests import by name in other processes: slow enough to be killed in mid-game."""

import os
import time


class Slow:
    """The first legal action, after a pause."""

    def act(self, observation, action_mask, rng):
        """Choose for every row."""
        time.sleep(float(os.environ.get("PAUSE", "0")))
        return action_mask.argmax(axis=1)


def slow(game):
    """Make one."""
    return Slow()
