"""Rates at frozen thresholds where cases are random: (paired) proportions, within groups that stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.methods import Pooled
from rocsteady.curves.uncertainty import EffectiveCases
from rocsteady.inference.comparing.own_intervals import of_share
from rocsteady.inference.comparing.sides import Side
from rocsteady.statistics.intervals import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Share:
    """One model's rate: the calls (0 or 1) of every group's cases of a class, and what each group counts."""

    calls: list[Floats]
    weights: Floats
    clusters: list[NDArray[np.int64]] | None = None  # of the same cases, where rows belong together

    @property
    def mean(self) -> float:
        """Over groups."""
        return float(sum(w * own.mean() for w, own in self._counted))

    @property
    def variance(self) -> float:
        """Of that mean."""
        if self.clusters is None:
            return sum(w**2 * _variance_of_mean(own) for w, own in self._counted)
        kept = zip(self.weights, self.calls, self.clusters, strict=True)
        return sum(float(w) ** 2 * _variance_by_cluster(own, codes) for w, own, codes in kept if w > 0)

    @property
    def df(self) -> float:
        """Of its variance: infinite for independent cases, else from the number of clusters."""
        if self.clusters is None:
            return np.inf
        return float(sum(np.unique(own).size - 1 for own in self.clusters))

    def less(self, other: Share) -> Share:
        """The differences of the same cases' calls."""
        both = [x - y for x, y in zip(self.calls, other.calls, strict=True)]
        return Share(both, self.weights, self.clusters)

    def interval(self, level: float) -> Interval:
        """Of the rate."""
        sizes = [own.size for _, own in self._counted]
        if self.clusters is not None and len(sizes) == 1:
            binomial = self.mean * (1 - self.mean)
            n = np.unique(self.clusters[0]).size if binomial == 0 else min(binomial / self.variance, sizes[0])
            low, high = EffectiveCases(n, self.df).limits(self.mean, level)
            return Interval(float(low), float(high), level, "wilson")
        return of_share(self.mean, sizes, self.variance, level)

    @property
    def _counted(self) -> list[tuple[float, Floats]]:
        return [(float(w), own) for w, own in zip(self.weights, self.calls, strict=True) if w > 0]


def shares_of(sides: Sequence[Side], thresholds: Sequence[float], *, of_positives: bool) -> list[Share]:
    """The rates of all models in one class."""
    found = []
    for side, threshold in zip(sides, thresholds, strict=True):
        c = side.scores.columns
        called = c.scores >= threshold if c.higher_is_positive else c.scores <= threshold
        is_class = (c.labels == c.positive) == of_positives
        rows = [
            called[start:stop][is_class[start:stop]].astype(np.float64)
            for start, stop in zip(c.offsets[:-1], c.offsets[1:], strict=True)
        ]
        weights = np.array([own.size if isinstance(side.method, Pooled) else 1.0 for own in rows])
        together = side.scores._together
        clusters = None
        if together is not None:
            clusters = [
                together.codes[start:stop][is_class[start:stop]]
                for start, stop in zip(c.offsets[:-1], c.offsets[1:], strict=True)
            ]
        found.append(Share(rows, weights / weights.sum(), clusters))
    return found


def variance_of_difference(shares: Sequence[Share], *, paired: bool) -> float:
    """Of the first rate less the second."""
    first, second = shares
    return first.less(second).variance if paired else first.variance + second.variance


def _variance_by_cluster(values: Floats, codes: NDArray[np.int64]) -> float:
    """Of a mean of rows that belong together: what they add is summed before it is squared."""
    present, own = np.unique(codes, return_inverse=True)
    if present.size < 2:
        return float("nan")
    sums = np.bincount(own.reshape(-1), values - values.mean())
    return float(present.size / (present.size - 1) * (sums**2).sum() / values.size**2)


def _variance_of_mean(values: Floats) -> float:
    return float(values.var(ddof=1) / values.size) if values.size > 1 else float("nan")
