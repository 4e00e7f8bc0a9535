"""Pooling: the curve of all rows together, as if they came from one group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.merging import PooledRows, Rates, rates_of_groups
from rocsteady.averaging.methods import Pooled
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, ThresholdRates
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import (
    degrees_of_freedom,
    effective_number,
)
from rocsteady.words import counted, percent, plural

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PooledAverage(SharedThresholdAverage):
    """The curve of all rows together; groups of one class count too.

    Examples
    --------
    >>> import rocsteady as rs
    >>> hosts = rs.ScoreSet.from_arrays([1, 0, 0, 0], [0.9, 0.4, 0.3, 0.95], ["a", "a", "b", "b"])
    >>> rs.average(hosts, "pooled")
    PooledAverage(pooled, 2 groups, 1 without a curve, AUC 0.6667)
    """

    method: Pooled
    _rates: PooledRows  # the table of all groups that have rows, and what they count on either axis

    @property
    def effective_groups(self) -> float:
        """How many groups of equal size would be as sure, in the class where that is fewer."""
        return min(effective_number(self._rates.fpr_weights), effective_number(self._rates.tpr_weights))

    @property
    def degrees_of_freedom(self) -> float:
        """Of t intervals, in the class where they are fewer."""
        return min(map(degrees_of_freedom, self._axis_weights))

    @property
    def _axis_weights(self) -> tuple[Floats, Floats]:
        return self._rates.fpr_weights, self._rates.tpr_weights

    def _cases_behind(self, rate: str) -> tuple[Floats, NDArray[Any]]:
        """Groups of one class count too; an area needs both classes, and counts the rarer one."""
        table, (of_fpr, of_tpr) = self._rates.table, self._axis_weights
        if rate == "auc":
            rate = "fpr" if table.n_negatives.sum() < table.n_positives.sum() else "tpr"
        return (of_fpr, table.n_negatives) if rate == "fpr" else (of_tpr, table.n_positives)

    @property
    def _given_weights(self) -> tuple[Floats, Floats]:
        return self._rates.of_negatives, self._rates.of_positives

    @property
    def _spread_weights(self) -> Floats:
        has_both = (self._rates.fpr_weights > 0) & (self._rates.tpr_weights > 0)
        return np.asarray(has_both / max(has_both.sum(), 1))

    def _group_rates(self, thresholds: ArrayLike, rule: str | None) -> Rates:
        return rates_of_groups(self._rates.table, thresholds, rule)

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        if self.method.balanced:
            counts = f"every {self.unit} counts the same in each class"
        else:
            counts = f"every row counts the same, so large {plural(self.unit)} count more"
        n_groups = len(self._rates.table)
        return (
            f"All rows of {counted(n_groups, self.unit)} together under one threshold; {counts}, and scores "
            f"of different {plural(self.unit)} are compared with each other."
        )

    def _describe(self, rates: ThresholdRates, intervals: dict[str, Interval]) -> str:
        caught = f"{percent(rates.tpr)} of all {sentences.positives(self)} are caught"
        alarms = f"{percent(rates.fpr)} of all {sentences.negatives(self)} raise false alarms"
        large = "" if self.method.balanced else f"Large {plural(self.unit)} count more."
        return sentences.joined(
            f"With one threshold of {rates.threshold:.4g}, {caught}{sentences.within(intervals['tpr'])} and "
            f"{alarms}{sentences.within(intervals['fpr'])}, all {plural(self.unit)} together.",
            large,
            sentences.what_is_random(self),
        )
