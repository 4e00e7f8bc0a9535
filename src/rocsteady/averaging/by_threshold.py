"""Threshold averaging: the mean of the groups' rates at every threshold.

It is the curve of all cases together in which a case counts ``1 / (M n)``, with M groups and n cases of its
class in its group; exact at every score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.methods import Threshold
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, ThresholdRates
from rocsteady.counting.arguments import one_number, open_share
from rocsteady.counting.results import TableResult
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import ellipse_outline, ellipse_radius
from rocsteady.words import counted, percent, plural

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Ellipse(TableResult):
    """A confidence region for both mean rates at once (Hotelling).

    Attributes
    ----------
    center : (2,) array
        ``fpr`` and ``tpr`` of the average.
    covariance : (2, 2) array
        Between groups; that of the mean is this over the number of groups.
    fpr, tpr : arrays
        The outline, closed; a segment or a point where the groups do not scatter in two dimensions; NaN for
        fewer than three groups.
    confidence_level : float
        Of the region.
    """

    center: Floats
    covariance: Floats
    fpr: Floats
    tpr: Floats
    confidence_level: float

    def _columns(self) -> dict[str, Floats]:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        fpr, tpr = self.center
        return f"Ellipse(around fpr {fpr:.4f}, tpr {tpr:.4f}, confidence level {self.confidence_level:g})"


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdAverage(SharedThresholdAverage):
    """The mean of both rates over groups at every threshold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "threshold")
    >>> average
    ThresholdAverage(threshold, 2 folds, AUC 0.8438)
    >>> average.rates_at(0.4)
    ThresholdRates(score >= 0.4: fpr 0.5000, tpr 0.7500)
    """

    method: Threshold

    def ellipse(self, threshold: float, confidence_level: float = 0.95) -> Ellipse:
        """The confidence region of both mean rates at a threshold; what is random is the groups."""
        open_share("confidence_level", confidence_level)
        one_number("threshold", threshold)
        rates = self.rates_at(threshold)
        between = rates.covariance
        covariance = np.array([[rates.fpr_sd**2, between], [between, rates.tpr_sd**2]])
        center = np.array([rates.fpr, rates.tpr])
        radius = ellipse_radius(
            self.degrees_of_freedom + 1, 1 / (1 / self.effective_groups + self._ratio), confidence_level
        )
        fpr, tpr = ellipse_outline(center, covariance, radius)
        return Ellipse(center, covariance, fpr, tpr, confidence_level)

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        groups = counted(len(self.members), self.unit)
        is_plain = bool((self.weights == self.weights[0]).all())
        counts = f"every {self.unit} counting {'once' if is_plain else 'its weight'}"
        return (
            f"Mean over {groups}: all {plural(self.unit)} use one threshold; both rates vary between "
            f"{plural(self.unit)}, and their means, {counts}, are what the curve shows."
        )

    def _describe(self, rates: ThresholdRates, intervals: dict[str, Interval]) -> str:
        caught = sentences.catches(self, rates.tpr, intervals["tpr"])
        alarms = sentences.false_alarms(self, rates.fpr, intervals["fpr"])
        groups = self._group_rates([rates.threshold], rates.rule)
        span = f"{percent(groups.tpr.min())} to {percent(groups.tpr.max())} caught"
        span += f" and {percent(groups.fpr.min())} to {percent(groups.fpr.max())} false alarms"
        return sentences.joined(
            f"With one threshold of {rates.threshold:.4g} on every {self.unit}, "
            f"{sentences.average_unit(self)} {caught} and {alarms}.",
            f"Single {plural(self.unit)} range from {span}." if len(self.members) > 1 else "",
            sentences.what_is_random(self),
        )
