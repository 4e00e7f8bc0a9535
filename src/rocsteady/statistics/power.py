"""Power, half-widths, and the smallest numbers that reach a target, as functions of numbers and arrays.

What is estimated besides is integrated over: the spread of a t test, whose noncentral t has NaN in SciPy. A
spread that is known has infinite degrees of freedom, and the normal distribution.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.statistics.intervals import t_quantile, upper_tail

FARTHEST = 9.0
"""Normal quantiles of the spread that are integrated over."""


def noncentrality(df: float, alpha: float, power: float, *, own_df: float | None = None) -> float:
    """The noncentrality at which a two-sided t test at level ``alpha`` rejects with chance ``power``.

    ``own_df`` are the degrees of freedom of the estimated spread, if the test takes others for its limit.

    >>> round(noncentrality(9, 0.05, 0.8), 4)
    3.1496
    """
    limit = t_quantile(df, 1 - alpha)
    spread = spread_quantiles(df if own_df is None else own_df)
    if power <= rejection_chance(0.0, limit, *spread):
        return 0.0
    low, high = 0.0, 1.0
    while rejection_chance(high, limit, *spread) < power:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rejection_chance(middle, limit, *spread) < power else (low, middle)
    return (low + high) / 2


def rejection_chance(delta: float, limit: float, scale: Floats, share: Floats) -> float:
    """The chance that ``|Z + delta|``, with Z normal, exceeds ``limit`` times an estimated spread."""
    return float(share @ (upper_tail(limit * scale - delta) + upper_tail(limit * scale + delta)))


def spread_quantiles(df: Any, n: int = 3601) -> tuple[Floats, Floats]:
    """Values of the estimated over the true spread for each df, ``(..., n)``, and the chance of each.

    By the trapezium rule over the normal quantile of the spread, where it converges fast.
    """
    z = np.linspace(-FARTHEST, FARTHEST, n)
    share = np.exp(-(z**2) / 2)
    return spread_ratios(df, z), share / share.sum()


def spread_ratios(df: Any, z: Floats) -> Floats:
    """Estimated over true spread at normal quantiles, ``(..., n)``; 1 where the spread is known."""
    from scipy.special import gammainccinv, gammaincinv, ndtr

    half, z = np.broadcast_arrays(np.asarray(df, dtype=np.float64)[..., None] / 2, z)
    found = np.ones(half.shape)
    is_low, is_high = (~np.isinf(half) & side for side in (z < 0, z >= 0))
    found[is_low] = gammaincinv(half[is_low], ndtr(z[is_low])) / half[is_low]
    found[is_high] = gammainccinv(half[is_high], ndtr(-z[is_high])) / half[is_high]
    return np.asarray(np.sqrt(found))
