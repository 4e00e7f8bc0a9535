"""Quantiles, tails, and limits of shares and means, as functions of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isnan, log, sqrt
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.errors import counted
from rocsteady.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        The limits (arrays where several quantities were asked for at once).
    confidence_level : float
        For example 0.95.
    method : str
        How it was made; ``"separated"`` for the bound used at an AUC of exactly 0 or 1.
    """

    low: Any
    high: Any
    confidence_level: float
    method: str

    _line = "{self}, confidence level {confidence_level:g}, {method}"

    def __format__(self, spec: str) -> str:
        """``0.7500 to 0.8500``; by ``(+.4f)`` in brackets after a space, or nothing where nothing is known.

        >>> from rocsteady.statistics.limits import Interval
        >>> f"{Interval(-0.1, 0.25, 0.95, 't'):.2f}", f"0.08{Interval(-0.1, 0.25, 0.95, 't'):(+.2f)}"
        ('-0.10 to 0.25', '0.08 (-0.10 to +0.25)')
        >>> f"0.08{Interval(float('nan'), float('nan'), 0.95, 't'):(+.2f)}"
        '0.08'
        """
        if np.ndim(self.low):
            return counted(np.size(self.low), "interval")
        digits = spec.strip("()") or ".4f"
        digits = digits.replace(".", "z.")  # no minus before what is shown as 0
        limits = f"{self.low:{digits}} to {self.high:{digits}}"
        if not spec.startswith("("):
            return limits
        return "" if np.isnan(self.low) else f" ({limits})"


def t_quantile(df: Any, confidence_level: float, kind: str = "t") -> Any:
    """The factor of two-sided intervals: Student's t, normal where ``df`` is infinite or the kind "normal".

    NaN where there are no degrees of freedom.
    """
    from scipy.special import ndtri, stdtrit

    tail, df = (1 + confidence_level) / 2, np.where(np.greater(df, 0), df, np.nan)
    is_normal = np.isinf(df) | ((kind == "normal") & ~np.isnan(df))
    return as_number(np.where(is_normal, ndtri(tail), stdtrit(df, tail)))


def upper_tail(statistic: Any, df: Any = np.inf) -> Any:
    """How likely Student's t is above the statistic; a normal value where ``df`` is infinite."""
    from scipy.special import ndtr, stdtr

    return as_number(np.where(np.isinf(df), ndtr(np.negative(statistic)), stdtr(df, np.negative(statistic))))


def two_sided_pvalue(statistic: Any, df: Any = np.inf) -> Any:
    """Two-sided p-value of a z (``df`` infinite) or t statistic."""
    return 2 * upper_tail(np.abs(statistic), df)


def f_tail(df1: float, df2: Any, ratio: Any) -> Any:
    """The upper tail of F; of chi-square over its degrees of freedom where the second are infinite."""
    from scipy.special import chdtrc, fdtrc

    return as_number(np.where(np.isinf(df2), chdtrc(df1, df1 * ratio), fdtrc(df1, df2, ratio)))


def trapezoids(x: Floats, y: Floats) -> float:
    """The area under a polyline."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def as_number(value: Any) -> Any:
    """A float for an array without axes."""
    return float(value) if np.ndim(value) == 0 else value


def logit_limits(share: Any, half_width: Any, complement: Any = None) -> tuple[Floats, Floats]:
    """``share ± half_width``, the half width being moved to the logit scale by the delta method.

    ``complement`` is 1 - share, given apart where near 1 the subtraction would lose it. NaN at 0 and 1.
    """
    from scipy.special import expit

    complement = 1 - share if complement is None else complement
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        center = np.log(share) - np.log(complement)
        half = half_width / (share * complement)
        return np.asarray(expit(center - half)), np.asarray(expit(center + half))


def wilson_limits(share: Any, n: Any, z: float) -> tuple[Floats, Floats]:
    """Wilson's score limits of a proportion; rounding leaves neither the share nor 0 and 1 outside.

    >>> low, high = wilson_limits(0.9, 20, 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.699, 0.9721)
    """
    share = np.asarray(share, dtype=np.float64)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    low = np.where(share <= 0, 0.0, np.minimum(np.maximum(middle - half, 0), share))
    return low, np.where(share >= 1, 1.0, np.maximum(np.minimum(middle + half, 1), share))


def clopper_pearson(share: Any, n: Any, alpha: float) -> tuple[Floats, Floats]:
    """Clopper & Pearson's exact limits of a proportion.

    >>> low, high = clopper_pearson(0.9, 20, 0.05)
    >>> round(float(low), 4), round(float(high), 4)
    (0.683, 0.9877)
    """
    from scipy.special import betaincinv

    share = np.asarray(share, dtype=np.float64)
    k, none, every = share * n, share <= 0, share >= 1
    low = betaincinv(np.where(none, 1, k), n - np.where(none, 1, k) + 1, alpha / 2)
    high = betaincinv(np.where(every, 1, k) + 1, np.where(every, 1, n - k), 1 - alpha / 2)
    return np.where(none, 0.0, low), np.where(every, 1.0, high)


def separated_limits(
    auc: Floats, n_positives: Any, n_negatives: Any, confidence_level: float
) -> tuple[Floats, Floats]:
    """Limits at an AUC of exactly 0 or 1, where every standard error is zero.

    Seeing no inversion among n cases of the rarer class bounds the AUC from below by ``alpha ** (1 / n)``:
    were it lower, n cases without an inversion would have a probability below alpha.
    """
    rarer = np.minimum(n_positives, n_negatives)
    bound = (1 - confidence_level) ** (1 / np.asarray(rarer, dtype=np.float64))
    return np.where(auc == 1, bound, 0.0), np.where(auc == 1, 1.0, 1 - bound)


def mean_limits(values: Floats, confidence_level: float) -> tuple[float, float]:
    """Limits of the mean of independent values, by Student's t; NaN for a single one."""
    if values.size < 2:
        return np.nan, np.nan
    half = t_quantile(values.size - 1, confidence_level) * values.std(ddof=1) / np.sqrt(values.size)
    return float(values.mean() - half), float(values.mean() + half)


def satterthwaite_df(variances: Any, dfs: Any) -> Floats:
    """Degrees of freedom of sums of independent variances along the first axis; infinite where all are 0.

    A difference of AUCs has a variance from the positives, ``n_positives - 1`` degrees of freedom, and one
    from the negatives. With ten positives and a thousand negatives nearly all of it comes from nine degrees
    of freedom, and the normal distribution rejects too often.
    """
    parts, freedom = np.asarray(variances, dtype=np.float64), np.asarray(dfs, dtype=np.float64)
    freedom = freedom.reshape(*freedom.shape, *[1] * (parts.ndim - freedom.ndim))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Sorted, so that changing places of the classifiers changes no digit.
        total, lost = (np.sort(own, axis=0).sum(axis=0) for own in (parts, parts**2 / freedom))
    return satterthwaite(total, np.where(total == 0, 0.0, lost), np.inf)


def satterthwaite(total: Any, noise: Any, least: Any) -> Floats:
    """Degrees of freedom ``total ** 2 / noise`` of a variance that is a sum.

    ``noise`` sums what its parts are, squared, over their own degrees of freedom. Infinite without noise,
    and ``least`` where nothing varies at all.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(noise > 0, np.square(total) / noise, np.where(np.equal(total, 0), least, np.inf))
    return np.asarray(np.where(np.isnan(total) | np.isnan(noise), np.nan, found))


def ratio_to_error(difference: float, standard_error: float) -> float:
    """``difference / standard_error``, where nothing over nothing is no evidence: 0, not NaN."""
    if standard_error == 0:
        return 0.0 if difference == 0 else float(np.copysign(np.inf, difference))
    return difference / standard_error


# Limits of shares of cases, and of what follows from four counts
# ----------------------------------------------------------------

Cells = tuple[Any, Any, Any, Any]
"""The cases of a 2x2 table: tp, fp, fn, tn."""


def share_interval(part: float, whole: float, confidence_level: float, method: str) -> Interval:
    """The interval of a share of cases; NaN for a share of nothing.

    >>> share_interval(81, 263, 0.95, "wilson")
    Interval(0.2553 to 0.3662, confidence level 0.95, wilson)
    >>> share_interval(0, 20, 0.95, "clopper-pearson")
    Interval(0.0000 to 0.1684, confidence level 0.95, clopper-pearson)
    """
    if whole == 0:
        return Interval(np.nan, np.nan, confidence_level, method)
    if method == "clopper-pearson":
        low, high = clopper_pearson(part / whole, whole, 1 - confidence_level)
    else:
        low, high = wilson_limits(part / whole, whole, t_quantile(np.inf, confidence_level))
    return Interval(float(low), float(high), confidence_level, method)


def _with_half(cells: Cells, method: str) -> tuple[Cells, str]:
    """One half added to every cell where one is 0."""
    a, b, c, d = cells
    return ((a + 0.5, b + 0.5, c + 0.5, d + 0.5), f"{method}, 1/2 added") if 0 in cells else (cells, method)


def ratio_interval(ratio: float, cells: Cells, z: float, level: float) -> Interval:
    """A likelihood ratio ``(a / (a + c)) / (b / (b + d))`` by Simel's standard error of its logarithm."""
    if isnan(ratio):
        return Interval(np.nan, np.nan, level, "log-normal")
    (a, b, c, d), method = _with_half(cells, "log-normal")
    center = (a / (a + c)) / (b / (b + d)) if 0 in cells else ratio
    half = z * sqrt(1 / a - 1 / (a + c) + 1 / b - 1 / (b + d))
    low, high = center * exp(-half), center * exp(half)
    return Interval(min(low, ratio), max(high, ratio), level, method)


def predictive_interval(value: float, share: float, cells: Cells, z: float, level: float) -> Interval:
    """A predictive value on the logit scale; ``a / (a + c)`` are called right, ``b / (b + d)`` wrong."""
    from scipy.special import expit

    if isnan(value) or share in (0, 1):  # at a prevalence of 0 or 1 nothing is left to be unsure about
        return Interval(value, value, level, "logit")
    (a, b, c, d), method = _with_half(cells, "logit")
    center = log(share) + log(a / (a + c)) - log(1 - share) - log(b / (b + d))
    half = z * sqrt(c / (a * (a + c)) + d / (b * (b + d)))
    low, high = (float(expit(edge)) for edge in (center - half, center + half))
    return Interval(min(low, value), max(high, value), level, method)


def enclosing_ranks(n: int, share: float, confidence_level: float) -> tuple[int, int]:
    """Ranks, largest case first, of the two of n cases that enclose what a share of the population exceeds.

    Rank 0 and rank n + 1 stand for no limit.

    >>> enclosing_ranks(100, 0.05, 0.95)
    (1, 11)
    >>> enclosing_ranks(100, 0.01, 0.95)
    (0, 4)
    """
    from scipy.special import bdtr, bdtrc

    tail, counts = (1 - confidence_level) / 2, np.arange(n)
    strict = int((bdtr(counts, n, share) <= tail).sum())
    loose = n + 1 - int((bdtrc(counts, n, share) <= tail).sum())
    return strict, loose
