"""The random generator kept in a record: SplitMix64 (Steele, Lea, Flood 2014), 64 bits of state.

Any record with a uint64 field `rng` is a generator, so a saved position replays exactly.
"""

import numpy as np

from climbenvs.engine.jit import ENABLED, rule

# With `rng` first, Numba would take every state record for a subtype, and warn about it.
GENERATOR_DTYPE = np.dtype([("unused", np.uint64), ("rng", np.uint64)])
"""A record that is nothing but a generator; what compiled policies draw from."""

_INCREMENT = 0x9E3779B97F4A7C15
_FACTOR_1 = 0xBF58476D1CE4E5B9
_FACTOR_2 = 0x94D049BB133111EB
_MASK = 2**64 - 1


def _advance_plain(state: int) -> np.uint64:
    return np.uint64((int(state) + _INCREMENT) & _MASK)


def _scramble_plain(state: int) -> int:
    z = int(state)
    z = ((z ^ (z >> 30)) * _FACTOR_1) & _MASK
    z = ((z ^ (z >> 27)) * _FACTOR_2) & _MASK
    return z ^ (z >> 31)


def _advance_compiled(state):
    return np.uint64(state) + np.uint64(_INCREMENT)


def _scramble_compiled(state):
    z = np.uint64(state)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_FACTOR_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_FACTOR_2)
    return z ^ (z >> np.uint64(31))


# NumPy's scalars warn where 64-bit arithmetic wraps, so the uncompiled form counts in Python ints.
advance = rule(_advance_compiled) if ENABLED else _advance_plain
scramble = rule(_scramble_compiled) if ENABLED else _scramble_plain


@rule
def below(generator, bound):
    """A uniform integer in [0, bound), for 0 < bound < 2**31 (bias below bound / 2**31)."""
    generator.rng = advance(generator.rng)
    word = np.int64(scramble(generator.rng) >> np.uint64(33))
    return (word * bound) >> 31


@rule
def shuffle(generator, cards, count):
    """Shuffle the first `count` entries of a 1-D array (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(generator, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


def next_stream(stream: int) -> int:
    """The stream value after one more game; a game's seed is a scramble of it."""
    return (int(stream) + _INCREMENT) & _MASK


def game_seed(stream: int) -> int:
    """The seed of the game dealt at this stream value."""
    return int(_scramble_plain(stream))
