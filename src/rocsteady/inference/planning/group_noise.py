"""How much a group's reading scatters because its cases are a sample, by formula.

A rate at a frozen threshold is a share of the cases of one class: binomial. A TPR at an FPR is read at a
threshold that the same negatives set. That threshold lies at the r-th largest negative, and the share of the
population beyond it has the variance of a Beta distribution; it moves the TPR by the slope of the curve. The
slope is counted: how many positives lie between two negatives on either side of the threshold, as far away as
the threshold is unsure. Squares of counts are corrected for their own noise, so that a mean over many small
groups is nearly unbiased. An FPR at a TPR is the same with the classes exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import FprAt, RatesAt, TprAt
from rocsteady.inference.planning.measures import Measure
from rocsteady.scores.scores import Scores

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reading:
    """One model's rate in one group, case by case.

    Attributes
    ----------
    counted : float64 array
        What every case of the rate's class counts: 1 beyond the threshold, a share where it is tied with it.
    setting : float64 array
        For a threshold that the other class sets: whether each of its cases is at or beyond it; else empty.
    near : float64 array
        Whether every case of the rate's class lies near the threshold; empty as well.
    around : float64 array
        The same of the setting class.
    width, square : float
        The share of the setting class in the population that lies as near: its mean and mean square. NaN if
        there is no such class.
    variance : float
        Of the share of the setting class beyond the threshold.
    """

    counted: Floats
    setting: Floats
    near: Floats
    around: Floats
    width: float
    square: float
    variance: float

    @property
    def value(self) -> float:
        """The rate."""
        return float(self.counted.mean())


def reading_of(scores: Scores, measure: Measure) -> Reading:
    """The rate of one group, at a threshold or at the other rate."""
    statistic = measure.statistic
    is_positive = scores.is_positive
    if isinstance(statistic, RatesAt):
        values = scores.columns.scores
        beyond = values >= statistic.threshold
        if not scores.higher_is_positive:
            beyond = values <= statistic.threshold
        own = is_positive if measure.rate == "tpr" else ~is_positive
        none = np.empty(0)
        return Reading(beyond[own].astype(np.float64), none, none, none, np.nan, np.nan, 0.0)
    ranks = _rising_ranks(scores)
    if isinstance(statistic, TprAt):
        return _read(ranks[is_positive], ranks[~is_positive], statistic.fpr, best="last")
    if isinstance(statistic, FprAt):
        return _read(ranks[~is_positive], ranks[is_positive], statistic.tpr, best="first")
    raise TypeError(f"no formula for {statistic!r}")


def _rising_ranks(scores: Scores) -> Integers:
    """Rank of every row among the distinct scores, the strictest last; exact for integers of any kind."""
    values, ranks = np.unique(scores.columns.scores, return_inverse=True)
    return np.asarray(ranks if scores.higher_is_positive else values.size - 1 - ranks, dtype=np.int64)


def _read(free: Integers, held: Integers, rate: float, *, best: str) -> Reading:
    """The share of ``free`` beyond the threshold at which ``rate`` of ``held`` are.

    ``best`` is the end that is read where the curve has several points of that rate: the last one (most of
    ``free``) or the first.
    """
    n = held.size
    falling = np.sort(held)[::-1]
    shares = np.arange(n + 1) / n
    # The threshold lies at the r-th largest; r = 0 is beyond everything, r = n + 1 below everything.
    r = int(np.searchsorted(shares, rate, side="right" if best == "last" else "left"))
    counted = _beyond(free, falling, r, rate)
    j = max(1, round(float(np.sqrt(r * (n + 1 - r) / (n + 2)))))
    low, high = max(r - j, 0), min(r + j, n + 1)
    near = _above(free, falling, high) - _above(free, falling, low)
    m = high - low
    ends = falling[min(high, n) - 1], falling[max(low, 1) - 1]
    around = ((held >= ends[0]) & (held <= ends[1])).astype(float)
    width, square = m / (n + 1), m * (m + 1) / ((n + 1) * (n + 2))
    setting = np.zeros(n) if r == 0 else np.ones(n) if r == n + 1 else (held >= falling[r - 1]).astype(float)
    variance = r * (n + 1 - r) / ((n + 1) ** 2 * (n + 2))
    return Reading(counted, setting, near, around, width, square, variance)


def _above(free: Integers, falling: Integers, r: int) -> Floats:
    """Which cases lie above the r-th largest of the other class."""
    if r in (0, falling.size + 1):
        return np.full(free.size, float(r > 0))
    return np.asarray(free > falling[r - 1], dtype=np.float64)


def _beyond(free: Integers, falling: Integers, r: int, rate: float) -> Floats:
    """The same; those tied with it count the share of the tie that the rate reaches into."""
    counted = _above(free, falling, r)
    n = falling.size
    if 0 < r <= n:
        threshold = falling[r - 1]
        above, through = np.count_nonzero(falling > threshold), np.count_nonzero(falling >= threshold)
        share = (rate - above / n) / ((through - above) / n)
        counted[free == threshold] = min(max(share, 0.0), 1.0)
    return counted


def variance_of(readings: list[Reading]) -> float:
    """The sampling variance of one rate, or of the first less the second; NaN with fewer than two cases.

    Examples
    --------
    >>> none = np.empty(0)
    >>> half = Reading(np.array([1.0, 0.0, 1.0, 0.0]), none, none, none, np.nan, np.nan, 0.0)
    >>> round(variance_of([half]), 6), variance_of([half, half])
    (0.083333, 0.0)
    """
    signs = (1.0, -1.0)[: len(readings)]
    counted: Floats = np.zeros(readings[0].counted.size)
    for sign, reading in zip(signs, readings, strict=True):
        counted = counted + sign * reading.counted
    if counted.size < 2:
        return float("nan")
    variance = float(counted.var(ddof=1)) / counted.size
    for i, one in enumerate(readings):
        for k, other in enumerate(readings):
            if one.setting.size:
                variance += signs[i] * signs[k] * _slopes(one, other) * _covariance(one, other, is_one=i == k)
    return max(variance, 0.0)


def _slopes(one: Reading, other: Reading) -> float:
    """The product of two slopes, without the share of it that is the noise of counting."""
    n = one.near.size
    shared = float(one.near @ other.near)
    pairs = (float(one.near.sum()) * float(other.near.sum()) - shared) / (n * (n - 1))
    return pairs / _widths(one, other)


def _widths(one: Reading, other: Reading) -> float:
    """The mean product of two widths: they vary together as far as the same cases lie around both."""
    if np.array_equal(one.around, other.around):
        return float(np.sqrt(one.square * other.square))
    overlap = float(one.around @ other.around) / float(np.sqrt(one.around.sum() * other.around.sum()))
    scatter = [reading.square - reading.width**2 for reading in (one, other)]
    return one.width * other.width + overlap * float(np.sqrt(scatter[0] * scatter[1]))


def _covariance(one: Reading, other: Reading, *, is_one: bool) -> float:
    """Of the shares of the setting class beyond two thresholds."""
    if is_one:
        return one.variance
    if np.array_equal(one.setting, other.setting):  # exactly 1, also where no case lies beyond
        return float(one.variance)
    deviations: list[Any] = [reading.setting - reading.setting.mean() for reading in (one, other)]
    scale = float(np.sqrt((deviations[0] ** 2).sum() * (deviations[1] ** 2).sum()))
    correlation = float(deviations[0] @ deviations[1]) / scale if scale > 0 else 0.0
    return correlation * float(np.sqrt(one.variance * other.variance))
