"""The interval of a mean rate or a mean AUC over groups.

Student's t for the logit of the mean, by the delta method: it stays between 0 and 1, and covers where means
near 1 leave plain limits too narrow on the long side. The mean is that of the rates, never of their logits.
``scale="linear"`` gives the plain limits of the papers.

Where groups agree there is no spread to judge by, and the cases speak: Clopper & Pearson's limits for as many
cases as the groups stand for, fewer where groups are few (Korn & Graubard 1998).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.spread import two_sided_quantile

Floats = NDArray[np.float64]

SCALES = ("logit", "linear")


def t_limits(mean: Any, half_width: Any, scale: str = "logit") -> tuple[Floats, Floats]:
    """``mean ± half_width``, the half width being moved to the logit scale by the delta method.

    Without a spread, and at a mean of 0 or 1, both limits are the mean.

    Examples
    --------
    >>> low, high = t_limits(0.9, 0.1)
    >>> round(float(low), 3), round(float(high), 3)
    (0.748, 0.965)
    """
    mean, half = np.broadcast_arrays(np.asarray(mean, np.float64), np.asarray(half_width, np.float64))
    if scale == "linear":
        return mean - half, mean + half
    from scipy.special import expit, logit

    inside = (mean > 0) & (mean < 1) & (half != 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        center, reach = logit(mean), half / (mean * (1 - mean))
        low, high = (np.where(inside, expit(center + sign * reach), mean) for sign in (-1, 1))
    unknown = np.isnan(half)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def limits_of_mean(
    mean: Any,
    error: Any,
    alike: Any,
    weights: Floats,
    n_cases: Floats | None,
    confidence_level: float,
    *,
    df: float,
    quantile: str = "t",
    scale: str = "logit",
    repeats: int = 1,
) -> tuple[Floats, Floats]:
    """Limits of a mean with this standard error; on the logit scale cases speak, too, where groups are alike.

    ``n_cases`` is None where sums of weights tell no numbers of cases.
    """
    factor = two_sided_quantile(quantile, confidence_level, df)
    low, high = t_limits(mean, factor * np.asarray(error), scale)
    if scale == "linear" or n_cases is None or not np.any(alike):
        return low, high
    least, most = case_limits(
        mean, weights, n_cases, confidence_level, df=df, quantile=quantile, repeats=repeats
    )
    return np.where(alike, np.fmin(low, least), low), np.where(alike, np.fmax(high, most), high)


_SKEWED = {"linear": 0.13, "logit": 0.4}
"""Squared skewness per group from which Student's t was measured to be off by 0.02: see RS289."""
_SKEWED_IF_WIDENED = 1.0
"""The same for folds that share training cases, whose interval is about half as wide again."""


def is_skewed(values: Floats, *, is_widened: bool = False, scale: str = "logit") -> bool:
    """Whether AUCs near 0 or 1 differ so much that intervals from their mean and spread miss (RS289).

    >>> is_skewed(np.array([0.99, 0.8, 1.0, 0.98])), is_skewed(np.array([0.79, 0.7, 0.8, 0.78]))
    (True, False)
    """
    n, mean = values.size, float(values.mean())
    if n < 3 or not 0 < mean < 1:
        return False
    sd = float(values.std(ddof=1))
    skewness = 3 * abs(2 * mean - 1) * sd / (mean * (1 - mean))  # of normal logits, nearly
    return skewness**2 > (_SKEWED_IF_WIDENED if is_widened else _SKEWED[scale]) * max(n, 10)


def case_limits(
    mean: Any,
    weights: Floats,
    n_cases: Floats,
    confidence_level: float,
    *,
    df: float,
    quantile: str = "t",
    repeats: int = 1,
) -> tuple[Floats, Floats]:
    """Clopper & Pearson's limits of a mean rate, from the cases of all groups.

    ``1 / sum(w**2 / n)`` cases are what the groups stand for, over the ``repeats`` of a cross-validation;
    times ``(t_cases / t_groups)**2``, because few groups may agree by chance.

    Examples
    --------
    Five perfect groups of 20 cases: 100 cases would claim 0.964.

    >>> import numpy as np
    >>> low, high = case_limits(1.0, np.full(5, 0.2), np.full(5, 20), 0.95, df=4)
    >>> round(float(low), 3), float(high)
    (0.93, 1.0)
    """
    from scipy.special import betaincinv

    mean = np.asarray(mean, dtype=np.float64)
    counts = weights > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        n = float(1 / (weights[counts] ** 2 / n_cases[counts]).sum()) / repeats
    of_groups = two_sided_quantile(quantile, confidence_level, df)
    if not n > 0 or np.isnan(of_groups):
        return np.full(mean.shape, np.nan), np.full(mean.shape, np.nan)
    of_cases = two_sided_quantile("t", confidence_level, n - 1)
    if of_cases < of_groups:
        n *= (of_cases / of_groups) ** 2
    tail = (1 - confidence_level) / 2
    found = mean * n
    with np.errstate(invalid="ignore"):
        low = np.where(mean > 0, betaincinv(np.maximum(found, 1e-300), n - found + 1, tail), 0.0)
        high = np.where(mean < 1, betaincinv(found + 1, np.maximum(n - found, 1e-300), 1 - tail), 1.0)
    return low, high
