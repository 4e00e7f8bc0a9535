"""Whether differences between models are too skewed for their number: tests and bands rest on symmetry.

AUCs near 1 have a long tail to the left, the longer the more they vary. The tails of two models that vary
alike cancel in their difference. Where one of them varies much more, one tail is left, and t tests, sign
flips and bands come out too sure. The skewness of a handful of differences cannot be seen in them; it is
worked out from means and variances, as if what a model does not share with the other were normal on the logit
scale.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import warn

Floats = NDArray[np.float64]

_UNLIKELY = 0.95
_TOLERATED = 0.13
_FEWEST = 10
"""Skewness squared, over the groups (ten or more): beyond it levels were measured to be off by 0.02."""


def difference_skewness(a: Floats, b: Floats, *, paired: bool = True) -> float:
    """The skewness to be expected of differences between two models' AUCs; 0 if nothing varies.

    Examples
    --------
    >>> import numpy as np
    >>> steady, wild = np.full(6, 0.95), np.array([0.99, 0.98, 0.99, 0.97, 0.80, 0.99])
    >>> round(difference_skewness(wild, steady), 1), round(difference_skewness(steady, steady), 1)
    (-4.6, 0.0)
    """
    if min(a.size, b.size) < 2:
        return 0.0
    shared = float(np.cov(a, b)[0, 1]) if paired else 0.0
    variances = [max(float(own.var(ddof=1)) - shared, 0.0) for own in (a, b)]  # what the other does not share
    total = sum(variances)
    if not total > 0:
        return 0.0
    third = 0.0
    for sign, own, variance in ((1, a, variances[0]), (-1, b, variances[1])):
        mean = float(np.clip(own.mean(), 0.01, 0.99))
        third -= sign * 3 * (2 * mean - 1) / (mean * (1 - mean)) * variance**2
    return float(third / total**1.5)


def is_skewed(a: Floats, b: Floats, *, paired: bool = True) -> bool:
    """Whether so few groups are too few for a skewness as large as this.

    One model must also vary more than the other beyond what chance explains: of a handful of groups the
    variances themselves are uncertain.
    """
    n_groups = min(a.size, b.size)
    is_large = difference_skewness(a, b, paired=paired) ** 2 > _TOLERATED * max(n_groups, _FEWEST)
    return is_large and _vary_differently(a, b)


def _vary_differently(a: Floats, b: Floats) -> bool:
    from scipy.special import fdtri

    (low, low_df), (high, high_df) = sorted((float(own.var(ddof=1)), own.size - 1) for own in (a, b))
    return bool(high > low * fdtri(high_df, low_df, _UNLIKELY))


def warn_of_skew(a: Floats, b: Floats, unit: str, *, paired: bool = True) -> None:
    """RS278 if differences are too skewed for their number."""
    if is_skewed(a, b, paired=paired):
        skewness = difference_skewness(a, b, paired=paired)
        warn("RS278.skewed", n=min(a.size, b.size), unit=unit, skewness=skewness)
