"""Statistics shared by ratings and score tables."""

import math

import numpy as np


def two_sided_p(differences: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """P-values of differences with standard errors, by the normal distribution.

    Args:
        differences: any shape.
        errors: same shape; where it is zero, a difference other than zero is certain.
    """
    safe = np.where(errors > 0, errors, 1)
    z = np.abs(np.where(errors > 0, differences / safe, np.where(differences != 0, np.inf, 0)))
    return np.vectorize(math.erfc, otypes=[float])(z / math.sqrt(2))


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
    """Mean and its standard error, of independent values."""
    if len(values) < 2:
        return float(np.mean(values)), 0.0
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


def deal_means(deals: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The mean value of each deal: what is independent.

    Args:
        deals: [G] number of each value's deal.
        values: [G] float.
    """
    _, index = np.unique(deals, return_inverse=True)
    return np.bincount(index, values) / np.bincount(index)
