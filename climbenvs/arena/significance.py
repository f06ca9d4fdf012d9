"""Statistics shared by ratings and score tables."""

import math

import numpy as np

PRIOR_VARIANCE = 0.25
"""Of a share between 0 and 1: what one more deal might have shown. It keeps a few deals that happen
to agree from proving anything."""


def two_sided_p(differences: np.ndarray, errors: np.ndarray, deals: int | np.ndarray) -> np.ndarray:
    """P-values of differences with standard errors, by Student's t distribution.

    Args:
        differences: any shape.
        errors: same shape, above zero where there is a difference.
        deals: number of deals behind them.
    """
    try:
        from scipy.stats import t as student
    except ImportError:
        raise ImportError("p-values need scipy: pip install climbenvs[arena]") from None
    safe = np.where(errors > 0, errors, 1)
    p_values: np.ndarray = 2 * student.sf(np.abs(differences / safe), deals)
    return p_values


def holm(p_values: np.ndarray) -> np.ndarray:
    """P-values adjusted for their number (Holm 1979): below 0.05, all together err in 5 %.

    Args:
        p_values: [M].
    """
    count = len(p_values)
    order = np.argsort(p_values)
    steps = p_values[order] * (count - np.arange(count))
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def holm_pairs(p_values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The same for the pairs of a symmetric matrix.

    Args:
        p_values: [E, E].
        known: [E, E] bool, the pairs that were compared; the others get 1.
    """
    upper = np.triu(known, 1)
    adjusted = np.ones_like(p_values)
    adjusted[upper] = holm(p_values[upper])
    return np.minimum(adjusted, adjusted.T)


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """Mean and its standard error, of independent values that differ by 1 at most."""
    count = len(values)
    spread = count * np.var(values) + PRIOR_VARIANCE
    return float(np.mean(values)), float(math.sqrt(spread) / count)


def deal_means(deals: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The mean value of each deal: what is independent.

    Args:
        deals: [G] number of each value's deal.
        values: [G] float.
    """
    _, index = np.unique(deals, return_inverse=True)
    return np.bincount(index, values) / np.bincount(index)
