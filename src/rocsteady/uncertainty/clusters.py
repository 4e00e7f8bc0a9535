"""The bootstrap of whole groups: curves are drawn with replacement and the average is made anew.

The spread between groups already holds the noise of the cases in them, so cases are not drawn again: that
would count their noise twice (Davison & Hinkley 1997, section 3.8).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.spread import effective_number, error_factor, two_sided_quantile

Floats = NDArray[np.float64]

_BLOCK = 2**22
"""Draws held at once; bounds the memory and does not change the answer."""


def drawn_counts(n_groups: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """How often every group was drawn, in blocks of ``(resamples, n_groups)``.

    >>> [block.sum(axis=1).tolist() for block in drawn_counts(5, 3, seed=0)]
    [[5.0, 5.0, 5.0]]
    """
    stream = np.random.default_rng(seed)
    size = max(1, _BLOCK // n_groups)
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        drawn = stream.integers(n_groups, size=(n, n_groups))
        cells = drawn + n_groups * np.arange(n)[:, None]
        yield np.bincount(cells.ravel(), minlength=n * n_groups).reshape(n, n_groups).astype(np.float64)


def drawn_means(values: Floats, weights: Floats, counts: Floats) -> Floats:
    """Weighted means of the drawn groups, ``(resamples, n)``; NaN where none of them has weight."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if _are_equal(weights):
            return np.asarray(counts @ values / counts.sum(axis=1)[:, None])
        return np.asarray((counts * weights) @ values / (counts @ weights)[:, None])


def _are_equal(weights: Floats) -> bool:
    """Whether all groups weigh the same, which leaves less to be multiplied."""
    return bool(weights.size and weights[0] > 0 and (weights == weights[0]).all())


def drawn_standard_errors(deviations: Floats, weights: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Means of the drawn groups and their standard errors, from values less their overall means."""
    total = (counts @ weights)[:, None]
    squared = weights**2
    n = effective_number(weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        if _are_equal(weights):
            drawn = counts.sum(axis=1)[:, None]
            mean = counts @ deviations / drawn
            variance = np.maximum(counts @ deviations**2 / drawn - mean**2, 0.0)
            return mean, np.sqrt(variance / drawn) * np.sqrt(n / (n - 1))
        mean = (counts * weights) @ deviations / total
        # sum of w**2 (v - mean)**2, expanded; the deviations are small, so little cancels
        of_squares = (counts * squared) @ deviations**2
        around = (
            of_squares - 2 * mean * ((counts * squared) @ deviations) + mean**2 * (counts @ squared)[:, None]
        )
        return mean, np.sqrt(np.maximum(around, 0.0)) / total * np.sqrt(n / (n - 1))


def expanded_percentiles(
    readings: Floats,
    confidence_level: float,
    *,
    n_groups: float,
    df: float,
    quantile: str = "t",
    ratio: float = 0.0,
) -> tuple[Floats, Floats]:
    """Percentiles of resamples, taken further out where few groups make them scatter too little.

    Resampled means have (M - 1) / M of the variance and normal tails; so the percentiles are those that the
    t quantile, times the root of M / (M - 1), has in a normal distribution (Hesterberg 2015, expanded
    percentile interval). Limits stay within what resamples can reach. NaN for a single group. Where groups
    share training cases (``ratio``), limits lie further from the median by the root of 1 + M ratio.
    """
    from scipy.special import ndtr

    if not n_groups > 1 or not readings.size:
        nothing = np.full(readings.shape[1:], np.nan)
        return nothing, nothing
    factor = two_sided_quantile(quantile, confidence_level, df)
    outside = float(ndtr(-factor * np.sqrt(n_groups / (n_groups - 1))))
    low, high = np.quantile(readings, [outside, 1 - outside], axis=0)
    if ratio:
        middle, stretch = np.median(readings, axis=0), error_factor(n_groups, ratio)
        low, high = middle - stretch * (middle - low), middle + stretch * (high - middle)
    return low, high


def sup_t_factor(deviations: Floats, standard_error: Floats, confidence_level: float) -> float:
    """How many standard errors hold the largest deviation of a resample, at all positions at once.

    ``deviations`` are resamples less the estimate, ``(n_resamples, n)``; positions without an error do not
    count, and NaN is returned where none is left (Montiel Olea & Plagborg-Moller 2019).

    >>> import numpy as np
    >>> sup_t_factor(np.array([[0.1, 0.0], [-0.2, 0.0], [0.0, 0.0]]), np.array([0.1, 0.0]), 0.9)
    2.0
    """
    kept = standard_error > 0
    if not kept.any():
        return float("nan")
    largest = (np.abs(deviations[:, kept]) / standard_error[kept]).max(axis=1)
    return float(np.quantile(largest, confidence_level, method="higher"))
