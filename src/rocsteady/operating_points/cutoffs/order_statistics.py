"""Limits of a cut-off that holds a target rate, from order statistics: no resamples, no smoothing.

The threshold that a share x of a class exceeds in the population has a binomial number of the sample's cases
at or beyond it, whatever the distribution. So two of the sorted cases enclose it, as they enclose a quantile.
The free rate is unsure because the threshold is, and because the other class is a sample: its distance to
the rate at either limit of the threshold, and to its Wilson limit, are squared and added (MOVER; Zou &
Donner 2008, Stat. Med. 27, 1693-1702). Where scores are heavily tied, rates move in steps, which do not add
like that: the limits are then Wilson's of the rates at the threshold's limits.
"""

from __future__ import annotations

from math import ceil, hypot, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.roc import RocCurve
from rocsteady.operating_points.cutoffs.criteria import TargetRate
from rocsteady.operating_points.cutoffs.two_by_two import share_interval
from rocsteady.words import percent

Floats = NDArray[np.float64]

_LARGEST_CLUMP = 0.05


class TargetLimits(NamedTuple):
    """Limits ``(2, 3)`` of threshold, FPR and TPR, and what is missing where an end is open."""

    limits: Floats
    missing: str


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


def target_limits(
    curve: RocCurve, criterion: TargetRate, index: int, confidence_level: float
) -> TargetLimits:
    """Limits of the threshold and of the free rate; the held rate's are not meant to be used."""
    is_fpr = criterion.tpr is None
    share = float((criterion.fpr if is_fpr else criterion.tpr) or 0.0)
    counts, free = curve.true_positives, curve.false_positives
    if is_fpr:
        counts, free = free, counts
    n = int(counts[-1])
    ranks = enclosing_ranks(n, share, confidence_level)
    strict, loose = np.searchsorted(counts, ranks).tolist()
    if is_fpr and strict and np.diff(counts).max() > 1:
        strict -= 1  # of tied scores the next one may be the last that keeps the target
    strict, is_open = min(strict, index), loose == counts.size
    thresholds = [-curve.thresholds[0] if is_open else curve.thresholds[loose], curve.thresholds[strict]]
    rates = free[strict] / free[-1], 1.0 if is_open else free[loose] / free[-1]
    limits = np.zeros((2, 3))
    limits[:, 0] = np.sort(thresholds)
    combine = _in_steps if clump_of(curve) else _square_and_add
    limits[:, 2 if is_fpr else 1] = combine(int(free[index]), int(free[-1]), rates, confidence_level)
    open_end = ranks[0] == 0 or ranks[1] == n + 1
    return TargetLimits(limits, _missing(n, share, confidence_level, is_fpr) if open_end else "")


def _square_and_add(part: int, whole: int, at_limits: tuple[float, float], level: float) -> list[float]:
    """Limits of the free rate, from its Wilson limits and its values at the threshold's limits."""
    own, rate = share_interval(part, whole, level, "wilson"), part / whole
    low = rate - hypot(rate - own.low, rate - min(rate, at_limits[0]))
    high = rate + hypot(own.high - rate, max(rate, at_limits[1]) - rate)
    return [max(low, 0.0), min(high, 1.0)]


def _in_steps(part: int, whole: int, at_limits: tuple[float, float], level: float) -> list[float]:
    """The same for heavily tied scores: Wilson's limits of the rates at the threshold's limits."""
    ends = min(part / whole, at_limits[0]), max(part / whole, at_limits[1])
    low, high = (share_interval(round(rate * whole), whole, level, "wilson") for rate in ends)
    return [low.low, high.high]


def clump_of(curve: RocCurve) -> str:
    """The class, and its share, that a single score has, if that is more than 5 %; else nothing."""
    for counts, name in ((curve.true_positives, "positives"), (curve.false_positives, "negatives")):
        n, most = int(counts[-1]), np.diff(counts).max()
        if most > max(1, _LARGEST_CLUMP * n):
            return f"{percent(float(most / n))} of the {name} share one score"
    return ""


def _missing(n: int, share: float, level: float, is_fpr: bool) -> str:
    """How many cases would bound the threshold on both sides."""
    name = "negatives" if is_fpr else "positives"
    rarer = min(share, 1 - share)
    if rarer == 0:
        return f"no number of {name} shows where the last one ends"
    needed = ceil(log((1 - level) / 2) / log(1 - rarer))
    return f"{n} {name} are too few to bound the threshold on both sides; {needed} are enough"
