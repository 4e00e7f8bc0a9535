"""Rates at frozen thresholds where cases are random: (paired) proportions, within groups that stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.methods import Pooled
from rocsteady.inference.comparing.own_intervals import of_share
from rocsteady.inference.comparing.sides import Side
from rocsteady.uncertainty.intervals import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Share:
    """One model's rate: the calls (0 or 1) of every group's cases of a class, and what each group counts."""

    calls: list[Floats]
    weights: Floats

    @property
    def mean(self) -> float:
        """Over groups."""
        return float(sum(w * own.mean() for w, own in self._counted))

    @property
    def variance(self) -> float:
        """Of that mean."""
        return sum(w**2 * _variance_of_mean(own) for w, own in self._counted)

    def less(self, other: Share) -> Share:
        """The differences of the same cases' calls."""
        return Share([x - y for x, y in zip(self.calls, other.calls, strict=True)], self.weights)

    def interval(self, level: float) -> Interval:
        """Of the rate."""
        return of_share(self.mean, [own.size for _, own in self._counted], self.variance, level)

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
        found.append(Share(rows, weights / weights.sum()))
    return found


def variance_of_difference(shares: Sequence[Share], *, paired: bool) -> float:
    """Of the first rate less the second."""
    first, second = shares
    return first.less(second).variance if paired else first.variance + second.variance


def _variance_of_mean(values: Floats) -> float:
    return float(values.var(ddof=1) / values.size) if values.size > 1 else float("nan")
