"""The generator is SplitMix64, compiled or not, and its integers and shuffles are uniform."""

import itertools

import numpy as np
import pytest
from helpers import run_python

from climbenvs.engine import random as engine_random
from climbenvs.engine.game import as_records
from climbenvs.engine.jit import rule
from climbenvs.engine.random import GENERATOR_DTYPE, below, game_seed, next_stream, shuffle

# https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64 and the author's splitmix64.c
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def generator(seed):
    records = as_records(np.zeros(1, GENERATOR_DTYPE))
    records["rng"] = seed
    return records[0]


@rule
def draw_many(records, bound, out):
    for k in range(out.shape[0]):
        out[k] = below(records[0], bound)


@rule
def shuffle_many(records, out):
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[k, i] = i
        shuffle(records[0], out[k], out.shape[1])


def records_of(seed):
    records = as_records(np.zeros(1, GENERATOR_DTYPE))
    records["rng"] = seed
    return records


def test_published_values_come_from_the_plain_form():
    stream = 1234567
    values = []
    for _ in PUBLISHED:
        stream = next_stream(stream)
        values.append(game_seed(stream))
    assert values == PUBLISHED


def test_published_values_come_from_the_rules():
    state = np.uint64(1234567)
    values = []
    for _ in PUBLISHED:
        state = np.uint64(engine_random.advance(state))
        values.append(int(engine_random.scramble(state)))
    assert values == PUBLISHED


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_plain_and_compiled_forms_agree(seed):
    plain = engine_random._advance_plain(seed)
    assert int(engine_random.advance(np.uint64(seed))) == int(plain)
    assert int(engine_random.scramble(np.uint64(seed))) == engine_random._scramble_plain(seed)


def test_below_takes_the_upper_bits_of_each_word():
    record = generator(1234567)
    assert [int(below(record, 100)) for _ in PUBLISHED] == [
        ((word >> 33) * 100) >> 31 for word in PUBLISHED
    ]


def test_below_one_is_zero_and_advances_the_generator():
    record = generator(5)
    assert below(record, 1) == 0
    assert int(record["rng"]) == next_stream(5)


def chi_square(counts):
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2 / expected).sum())


@pytest.mark.parametrize(("bound", "limit"), [(2, 10.8), (6, 20.5), (7, 22.5), (120, 172.0)])
def test_below_is_uniform(bound, limit):
    values = np.zeros(60_000, np.int64)
    draw_many(records_of(11), bound, values)
    assert chi_square(np.bincount(values, minlength=bound)) < limit  # 0.1 % of fair generators


def test_below_is_uniform_over_consecutive_seeds():
    values = np.array([below(generator(seed), 6) for seed in range(12_000)])
    assert chi_square(np.bincount(values, minlength=6)) < 20.5


def test_every_order_is_as_likely_after_a_shuffle():
    cards = np.zeros((48_000, 4), np.int64)
    shuffle_many(records_of(3), cards)
    orders = {order: k for k, order in enumerate(itertools.permutations(range(4)))}
    counts = np.bincount([orders[tuple(row)] for row in cards.tolist()], minlength=24)
    assert chi_square(counts) < 49.7


def test_a_shuffle_touches_only_the_first_cards():
    cards = np.arange(10)
    shuffle(generator(8), cards, 6)
    assert sorted(cards[:6].tolist()) == list(range(6))
    assert cards[6:].tolist() == [6, 7, 8, 9]


def test_uncompiled_rules_draw_the_same():
    code = (
        "import numpy as np;"
        "from climbenvs.engine.game import as_records;"
        "from climbenvs.engine.random import GENERATOR_DTYPE, below, shuffle;"
        "records = as_records(np.zeros(1, GENERATOR_DTYPE)); cards = np.arange(30);"
        "shuffle(records[0], cards, 30);"
        "print([int(below(records[0], 1000)) for _ in range(50)], cards.tolist())"
    )
    compiled, plain = (run_python(code, CLIMBENVS_JIT=jit) for jit in "10")
    assert compiled == plain
