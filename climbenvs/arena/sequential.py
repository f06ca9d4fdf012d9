"""Is a candidate better than par? A test that may be looked at after every deal and stop early.

A confidence sequence by betting (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
variables by betting", the hedged capital process): for every possible mean a gambler bets against
it, and a mean is excluded once the gambler is too rich. With probability 1 - alpha the true mean is
never excluded, however often one looks and whenever one stops.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

GRID = 2001
"""Means that are bet against."""
LARGEST_BET = 0.5
"""Part of the capital that may be lost on one value."""


@dataclass(frozen=True)
class Verdict:
    """What is known after some deals."""

    answer: str
    """"better", "worse" or "undecided"."""
    deals: int
    mean: float
    low: float
    high: float
    """The running interval: it holds the true mean at all times with probability 1 - alpha."""
    par: float

    def __str__(self) -> str:
        return (
            f"{self.answer} than par {self.par:.1%} after {self.deals} deals: mean {self.mean:.1%},"
            f" between {self.low:.1%} and {self.high:.1%}"
        )


class SequentialTest:
    """Compares the mean of independent values in [0, 1] with par.

    Args:
        par: the mean of a candidate that is no better and no worse, in (0, 1).
        alpha: probability of ever giving a wrong answer.

    Raises:
        ValueError: if a number is out of range.
    """

    def __init__(self, par: float, alpha: float = 0.05) -> None:
        if not (0 < par < 1 and 0 < alpha < 1):
            raise ValueError(f"par {par}, alpha {alpha}: expected numbers between 0 and 1")
        self.par = par
        self.alpha = alpha
        self._means = np.linspace(0, 1, GRID)
        self._rising = np.zeros(GRID)  # logarithms of the capitals of those who bet on more ...
        self._falling = np.zeros(GRID)  # ... and on less than each mean
        self._included = np.ones(GRID, bool)
        self._count = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, values: Iterable[float]) -> Verdict:
        """Take in the values of further deals, in their order.

        Args:
            values: in [0, 1]; one by one or many at once makes no difference.

        Raises:
            ValueError: if a value is out of range; those before it have been taken in.
        """
        for value in values:
            if not 0 <= value <= 1:
                raise ValueError(f"value {value} is not in [0, 1]")
            self._bet(float(value))
        return self.verdict()

    def _bet(self, value: float) -> None:
        """Let everybody bet on the next value, having seen the ones before it only."""
        number = self._count + 1
        guess = (0.5 + self._sum) / number
        variance = (0.25 + self._squares) / number
        size = sqrt(2 * log(2 / self.alpha) / (variance * number * log(1 + number)))
        with np.errstate(divide="ignore"):
            more = np.minimum(size, LARGEST_BET / self._means)
            less = np.minimum(size, LARGEST_BET / (1 - self._means))
        self._rising += np.log1p(more * (value - self._means))
        self._falling += np.log1p(-less * (value - self._means))
        hedged = np.maximum(self._rising, self._falling) + log(0.5)
        self._included &= hedged < log(1 / self.alpha)
        self._count = number
        self._sum += value
        self._squares += (value - guess) ** 2

    def verdict(self) -> Verdict:
        """What is known now."""
        included = np.flatnonzero(self._included)
        mean = self._sum / self._count if self._count else self.par
        step = 1 / (GRID - 1)
        # The grid's neighbours of what is included may be included, too.
        low = max(0.0, self._means[included[0]] - step) if len(included) else mean
        high = min(1.0, self._means[included[-1]] + step) if len(included) else mean
        answer = "better" if low > self.par else "worse" if high < self.par else "undecided"
        return Verdict(answer, self._count, mean, float(low), float(high), self.par)
