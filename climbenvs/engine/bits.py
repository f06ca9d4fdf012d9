"""Sets of up to 62 small numbers as bits of one non-negative int64.

Rules that ask "how many of these", "is there any" or "which of those" of a set of cards are one
machine instruction each in this form; `write_flags` turns a set into a row of observation flags.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from climbenvs.engine.jit import ENABLED, rule
from climbenvs.engine.rows import copy_row

FLAGS = np.array([[byte >> bit & 1 for bit in range(8)] for byte in range(256)], np.int8)
"""[256, 8]: the bits of every byte, lowest first."""


def _popcount(typing_context, word):
    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), codegen


def _lowest(typing_context, word):
    def codegen(context, builder, signature, arguments):
        no_zero_promise = context.get_constant(types.boolean, False)
        return builder.cttz(arguments[0], no_zero_promise)

    return types.int64(types.int64), codegen


popcount: Any
lowest: Any
if ENABLED:
    popcount = intrinsic(_popcount)
    lowest = intrinsic(_lowest)
else:

    def popcount(word):
        """Number of elements of the set."""
        return int(word).bit_count()

    def lowest(word):
        """Smallest element of the set, which must not be empty."""
        word = int(word)
        return (word & -word).bit_length() - 1


@rule
def bit(number):
    """The set that holds one number."""
    return np.int64(1) << np.int64(number)


@rule
def write_flags(out, offset, word, num_bytes):
    """Write `8 * num_bytes` flags of the set into an int8 row, 1 for its elements."""
    for k in range(num_bytes):
        copy_row(out, offset + 8 * k, FLAGS, (word >> (8 * k)) & 255)
