"""Timing on a machine that is never quiet: many cases in turn, round after round."""

import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Case:
    """Something that can be repeated and counted.

    Args:
        play: does its work so many times and returns what it counted (decisions, bytes).
        labels: what the result is filed under.
        fewest: times per measurement at least.
    """

    play: Callable[[int], int]
    labels: dict[str, Any]
    fewest: int = 1
    times: int = 1
    rates: list[float] = field(default_factory=list)

    def once(self, times: int) -> tuple[float, float]:
        """Seconds it took, and counts per second."""
        started = time.perf_counter()
        count = self.play(times)
        seconds = time.perf_counter() - started
        return seconds, count / seconds

    def calibrate(self, seconds: float) -> None:
        """Compile and warm up, then find how often to repeat for measurements of that length."""
        self.play(self.fewest)
        self.times = self.fewest
        while True:
            took, _ = self.once(self.times)
            wanted = max(self.fewest, math.ceil(self.times * seconds / took))
            if took >= seconds / 4 or wanted <= self.times:
                break
            self.times = wanted if took >= seconds / 50 else min(wanted, 20 * self.times)
        self.times = max(self.fewest, round(self.times * seconds / took))

    def result(self) -> dict[str, Any]:
        """The labels, and counts per second over all rounds."""
        return {**self.labels, "per_second": spread(self.rates)}


def spread(values: Iterable[float]) -> dict[str, float]:
    """Median, smallest and largest of some measurements."""
    values = list(values)
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def calibrate_all(cases: list[Case], seconds: float) -> Iterator[None]:
    """Prepare every case; yields after each."""
    for case in cases:
        case.calibrate(seconds)
        yield


def measure_all(cases: list[Case], rounds: int) -> Iterator[None]:
    """Measure every case once per round, in another order each time; yields after each.

    A slow minute of the machine hits all alike, and a slow second no group of similar cases.
    """
    order = random.Random(0)
    for _ in range(rounds):
        for case in order.sample(cases, len(cases)):
            case.rates.append(case.once(case.times)[1])
            yield
