"""What a winner map runs along: a rate, a ratio of costs, an alert budget; and what a group is worth there.

Worth is the larger the better, in units a reader knows: the true positive rate where the false positive rate
or the number of alerts is held, the false positive rate (negative) where the true positive rate is, and the
expected cost per case (negative) where every group is tuned to the costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import AtAlarmRate, Horizontal, Method, Pooled, Tangent, Threshold, Vertical
from rocsteady.averaging.shared import SharedThresholdAverage
from rocsteady.averaging.tuned import TangentAverage
from rocsteady.inference.winner_map.shared_thresholds import (
    added_costs,
    added_rates,
    alert_path,
    falling_slopes,
    hull_of,
)
from rocsteady.inference.winner_map.sign_changes import Path
from rocsteady.words import percent

Floats = NDArray[np.float64]

N_POSITIONS = 200


@dataclass(frozen=True)
class Axis:
    """An axis from one position to a larger one.

    Attributes
    ----------
    low, high : float
        The declared range, in positions.
    method : Method
        The average whose groups are compared.
    prevalence : float or None
        Share of positives where the classifier will be used, where that matters.
    """

    low: float
    high: float
    method: Method
    prevalence: float | None = None
    over: ClassVar[str]
    label: ClassVar[str]
    """Of the axis, in a figure."""
    gain: ClassVar[str]
    """What the difference counts, in a figure and a table."""
    better: ClassVar[str]
    """What is good about the winner, in a sentence."""
    unit: ClassVar[str]
    """What positions are, in a sentence."""

    @property
    def takes_cases(self) -> bool:
        """Whether limits can be made of resampled cases."""
        return False

    @property
    def is_shared(self) -> bool:
        """Whether all groups have one threshold."""
        return isinstance(self.method, Threshold | Pooled)

    def of_one(self) -> Axis:
        """The same along a single group, of which every average is its curve."""
        return self if self.method == self.own_method else replace(self, method=self.own_method)

    @property
    def own_method(self) -> Method:
        """The average whose groups have thresholds of their own, each set by what the axis holds."""
        raise TypeError(f"{type(self).__name__} has no average of its own")

    @property
    def positions(self) -> Floats:
        """Where groups are compared: fixed beforehand, both ends among them."""
        return np.linspace(self.low, self.high, N_POSITIONS)

    def worth(self, average: Average) -> Floats:
        """What every group is worth at all positions, ``(n_groups, n)``; its mean is that of the average."""
        raise TypeError(f"{type(self).__name__} does not say what a group is worth")

    def path(self, average: Average) -> Path:
        """What the average is worth, exactly, in places of its own."""
        raise TypeError(f"{type(self).__name__} has no path")

    def place(self, position: float) -> float:
        """The place on a path that belongs to a position."""
        return position

    def position(self, place: float) -> float:
        """The position that belongs to a place on a path."""
        return place

    def number(self, position: float) -> str:
        """A position without its unit."""
        return f"{position:.3g}"

    def says(self, position: float) -> str:
        """A position in a sentence."""
        return f"{self.unit} {self.number(position)}"

    @property
    def held(self) -> str:
        """What is the same for both models, in a sentence."""
        raise TypeError(f"{type(self).__name__} does not say what it holds")


@dataclass(frozen=True)
class RateAxis(Axis):
    """Along one rate; the other is what a model is worth."""

    @property
    def takes_cases(self) -> bool:
        """Under the average that holds this rate, or one threshold for all."""
        return self.is_shared or isinstance(self.method, type(self.own_method))

    @property
    def own_method(self) -> Method:
        """The one that holds this rate."""
        return Vertical() if self.over == "fpr" else Horizontal()

    def worth(self, average: Average) -> Floats:
        """Of the average that holds this rate its groups' own values; of others what every group adds."""
        if self._is_own(average):
            return average._values(self.positions)  # type: ignore[attr-defined,no-any-return]
        read = average.tpr_at if self.over == "fpr" else average.fpr_at
        sign = 1.0 if self.over == "fpr" else -1.0
        return np.asarray(sign * (read(self.positions) + average._linearised(self.positions, self.over)))

    def _is_own(self, average: Average) -> bool:
        if not isinstance(average, DirectionalAverage):
            return False
        direction = average.direction
        return direction.is_vertical if self.over == "fpr" else direction.is_horizontal

    @property
    def held(self) -> str:
        """The rate, and whose threshold it is."""
        if self.is_shared:
            return f"at the same mean {self.unit} under one threshold for all"
        if isinstance(self.method, Vertical | Horizontal):
            return f"at the same {self.unit}"
        return f"at the same mean {self.unit} of the {self.method.label} averages"

    def path(self, average: Average) -> Path:
        """The average itself."""
        if self.over == "fpr":
            return Path(average.fpr, average.tpr)
        return Path(average.tpr, -average.fpr)


@dataclass(frozen=True)
class AlongFpr(RateAxis):
    """At every false positive rate, the true positive rate."""

    over: ClassVar[str] = "fpr"
    label: ClassVar[str] = "false positive rate"
    gain: ClassVar[str] = "TPR gained"
    better: ClassVar[str] = "TPR higher"
    unit: ClassVar[str] = "FPR"


@dataclass(frozen=True)
class AlongTpr(RateAxis):
    """At every true positive rate, the false positive rate."""

    over: ClassVar[str] = "tpr"
    label: ClassVar[str] = "true positive rate"
    gain: ClassVar[str] = "FPR saved"
    better: ClassVar[str] = "FPR lower"
    unit: ClassVar[str] = "TPR"


@dataclass(frozen=True)
class AlongCosts(Axis):
    """Over ratios of costs, false negative to false positive; every group tuned to them.

    Attributes
    ----------
    false_positive : float
        What one costs; expected costs are in its unit.
    """

    false_positive: float = 1.0
    over: ClassVar[str] = "costs"
    label: ClassVar[str] = "costs, false positive : false negative"
    gain: ClassVar[str] = "cost per case saved"
    better: ClassVar[str] = "cost per case lower"
    unit: ClassVar[str] = "costs"

    @property
    def own_method(self) -> Method:
        """Every group at its point of least cost."""
        return Tangent()

    @property
    def positions(self) -> Floats:
        """Evenly spaced on a log scale."""
        return np.geomspace(self.low, self.high, N_POSITIONS)

    @property
    def _shares(self) -> tuple[float, float]:
        """Of the positives and of the negatives."""
        positives = float(self.prevalence or 0.0)
        return positives, 1 - positives

    def _expected(self, ratio: Floats) -> tuple[Floats, Floats]:
        """What it costs per case to miss every positive, and to have a false alarm on every negative."""
        p, q = self._shares
        return p * self.false_positive * ratio, np.full(ratio.shape, q * self.false_positive)

    def worth(self, average: Average) -> Floats:
        """Minus the least cost per case of every group, or minus its cost where that of all is least."""
        misses, alarms = self._expected(self.positions)
        if isinstance(average, SharedThresholdAverage):
            return -added_costs(average, misses, alarms)
        assert isinstance(average, TangentAverage)
        corners = average._best_corners(misses / (misses + alarms))
        hulls = average._hulls
        return np.asarray(-(misses * (1 - hulls.tpr[corners]) + alarms * hulls.fpr[corners]))

    def path(self, average: Average) -> Path:
        """Minus the least cost of the average: straight in the share of the costs that false alarms have."""
        fpr, tpr = average.fpr, average.tpr
        if isinstance(average, SharedThresholdAverage):
            corners = hull_of(average)
            fpr, tpr = fpr[corners], tpr[corners]
        p, q = self._shares
        slopes = falling_slopes(fpr, tpr)
        with np.errstate(invalid="ignore"):
            shares = np.where(np.isinf(slopes), 1.0, p * slopes / (q + p * slopes))
        places = np.unique(np.concatenate([shares, [0.0, 1.0]]))
        misses, alarms = p * (1 - places), q * places
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.where(misses > 0, alarms / misses, np.inf)
        best = np.searchsorted(-slopes, -wanted, side="left")
        return Path(places, -(misses * (1 - tpr[best]) + alarms * fpr[best]))

    def place(self, position: float) -> float:
        """The share of a false positive in both costs."""
        return 1 / (1 + position)

    def position(self, place: float) -> float:
        """The ratio."""
        return (1 - place) / place

    def number(self, position: float) -> str:
        """As costs are written, the smaller one being 1."""
        return cost_ratio(position)

    @property
    def held(self) -> str:
        """Who tunes to what."""
        share = percent(self.prevalence or 0.0)
        unit = f"a false positive costing {self.false_positive:g}"
        who = "under one threshold for all, set to the costs" if self.is_shared else "each tuned to the costs"
        return f"{who}, at a prevalence of {share}, {unit}"


@dataclass(frozen=True)
class AlongAlerts(Axis):
    """At every share of cases called positive, the true positive rate."""

    over: ClassVar[str] = "alerts"
    label: ClassVar[str] = "share of cases called positive"
    gain: ClassVar[str] = "TPR gained"
    better: ClassVar[str] = "TPR higher"
    unit: ClassVar[str] = "alerts"

    @property
    def own_method(self) -> Method:
        """Every group with as many alerts."""
        return AtAlarmRate(prevalence=float(self.prevalence or 0.0))

    def worth(self, average: Average) -> Floats:
        """The true positive rate of every group at that many alerts, or what it adds to the mean."""
        if isinstance(average, SharedThresholdAverage):
            return added_rates(average, float(self.prevalence or 0.0), self.positions)
        assert isinstance(average, DirectionalAverage)
        at = self.positions * average.direction.length
        return np.asarray(average._turned_back(at, average._values(at))[1])

    def path(self, average: Average) -> Path:
        """The average by the share of cases called positive."""
        if isinstance(average, SharedThresholdAverage):
            return Path(*alert_path(average, float(self.prevalence or 0.0)))
        assert isinstance(average, DirectionalAverage)
        return Path(average._path[0] / average.direction.length, average.tpr)

    def number(self, position: float) -> str:
        """As a share."""
        return percent(position)

    @property
    def held(self) -> str:
        """The budget."""
        what = (
            "mean share of alerts under one threshold for all," if self.is_shared else "share of alerts and"
        )
        return f"at the same {what} a prevalence of {percent(self.prevalence or 0.0)}".replace(
            ", a", ", at a"
        )


def cost_ratio(ratio: float) -> str:
    """A ratio of costs, false negative to false positive, as it is typed.

    >>> cost_ratio(20), cost_ratio(0.5), cost_ratio(7.389)
    ('1 : 20', '2 : 1', '1 : 7.39')
    """
    if ratio >= 1 or math.isclose(ratio, 1):
        return f"1 : {ratio:.3g}"
    return f"{1 / ratio:.3g} : 1"
