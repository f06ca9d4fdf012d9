"""What can take part in a match beside policies that see an observation."""

from typing import Protocol, runtime_checkable

import numpy as np

from climbenvs.engine.records import Records


@runtime_checkable
class PositionPolicy(Protocol):
    """A player that searches: it is given positions to play on in, never the true ones."""

    def act_on(self, positions: Records, rng: np.random.Generator) -> np.ndarray:
        """Choose one action per row.

        Args:
            positions: B copies of games in progress. In each row everything that the seat to act
                cannot know, and all later chance, has been drawn anew. The policy may change them.
            rng: the only source of randomness to use.

        Returns:
            [B] integers, each legal in its row.
        """
        ...
