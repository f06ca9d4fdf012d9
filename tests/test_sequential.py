"""The sequential test is seldom wrong, however often one looks, and stops early when it can."""

import numpy as np
import pytest

from climbenvs.arena.sequential import SequentialTest


def answers(rate, par, runs, deals, seed=0):
    """The first answer other than "undecided" of each run, looking after every ten deals."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(runs):
        test = SequentialTest(par)
        verdict = test.verdict()
        while verdict.answer == "undecided" and verdict.deals < deals:
            verdict = test.add(rng.binomial(2, rate, 10) / 2)
        found.append(verdict)
    return found


@pytest.mark.parametrize("par", [0.25, 0.5])
def test_a_candidate_at_par_is_seldom_called_anything_else(par):
    wrong = [v for v in answers(par, par, runs=100, deals=400) if v.answer != "undecided"]
    assert len(wrong) <= 8  # 5 expected at most


def test_a_better_and_a_worse_candidate_are_told_early():
    for rate, answer in ((0.65, "better"), (0.35, "worse")):
        found = answers(rate, 0.5, runs=20, deals=2000, seed=1)
        assert {verdict.answer for verdict in found} == {answer}
        assert np.median([verdict.deals for verdict in found]) < 250


def test_the_interval_holds_the_truth_at_all_times():
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(60):
        test = SequentialTest(0.5)
        verdicts = [test.add(rng.beta(2, 6, 10)) for _ in range(30)]
        missed += any(not verdict.low <= 0.25 <= verdict.high for verdict in verdicts)
    assert missed <= 6
    assert verdicts[-1].high - verdicts[-1].low < verdicts[0].high - verdicts[0].low


def test_one_by_one_and_all_at_once_are_the_same():
    values = np.random.default_rng(3).random(50)
    whole, piecewise = SequentialTest(0.4), SequentialTest(0.4)
    for value in values:
        piecewise.add([value])
    assert whole.add(values) == piecewise.verdict()
    assert "than par 40.0% after 50 deals" in str(whole.verdict())


def test_constant_values_are_understood():
    verdict = SequentialTest(0.5).add(np.ones(60))
    assert (verdict.answer, verdict.mean, verdict.high) == ("better", 1.0, 1.0)
    assert SequentialTest(0.5).add(np.full(300, 0.5)).answer == "undecided"


def test_numbers_out_of_range_are_refused():
    with pytest.raises(ValueError, match=r"par 1, alpha 0\.05"):
        SequentialTest(1)
    with pytest.raises(ValueError, match=r"value 1\.5 is not in"):
        SequentialTest(0.5).add([0.2, 1.5])
