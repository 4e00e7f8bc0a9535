"""What a winner map runs along: a rate, a ratio of costs, an alert budget; and what a group is worth there.

Worth is the larger the better, in units a reader knows: the true positive rate where the false positive rate
or the number of alerts is held, the false positive rate (negative) where the true positive rate is, and the
expected cost per case (negative) where every group is tuned to the costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Indices
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import (
    AtAlarmRate,
    Horizontal,
    Method,
    Pooled,
    Tangent,
    Threshold,
    Vertical,
    method_of,
)
from rocsteady.averaging.shared import SharedThresholdAverage, rates_of_groups
from rocsteady.averaging.tuned import TangentAverage
from rocsteady.curves.readings import hull_vertices, read_path
from rocsteady.errors import fail
from rocsteady.options import one_of, open_share, rate_range, real_numbers
from rocsteady.words import percent

OVER = ("fpr", "tpr", "costs", "alerts")
N_POSITIONS = 200
_USUAL = {"fpr": (0.02, 0.5), "tpr": (0.5, 0.98), "costs": ((1.0, 2.0), (1.0, 20.0))}
_NEEDS_PREVALENCE = ("costs", "alerts")
_NOTHING = 1e-12
"""Of the largest value: a smaller difference is a rounding error, and must not seem to change sides."""
_UNITS = 2.0**30
"""Rates are rounded to these parts, so that hulls of sums are found in whole numbers."""


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
        raise NotImplementedError

    @property
    def positions(self) -> Floats:
        """Where groups are compared: fixed beforehand, both ends among them."""
        return np.linspace(self.low, self.high, N_POSITIONS)

    def worth(self, average: Average) -> Floats:
        """What every group is worth at all positions, ``(n_groups, n)``; its mean is that of the average."""
        raise NotImplementedError

    def path(self, average: Average) -> Path:
        """What the average is worth, exactly, in places of its own."""
        raise NotImplementedError

    def place(self, position: float) -> float:
        """The place on a path that belongs to a position."""
        return position

    def position(self, place: float) -> float:
        """The position that belongs to a place on a path."""
        return place

    def number(self, position: float) -> str:
        """A position without its unit."""
        return f"{position:.3g}"


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

    def worth(self, average: Average) -> Floats:
        """Minus the least cost per case of every group, or minus its cost where that of all is least."""
        p, q = self._shares
        misses = p * self.false_positive * self.positions
        alarms = np.full(misses.shape, q * self.false_positive)
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


def cost_ratio(ratio: float) -> str:
    """A ratio of costs, false negative to false positive, as it is typed.

    >>> cost_ratio(20), cost_ratio(0.5), cost_ratio(7.389)
    ('1 : 20', '2 : 1', '1 : 7.39')
    """
    if ratio >= 1 or math.isclose(ratio, 1):
        return f"1 : {ratio:.3g}"
    return f"{1 / ratio:.3g} : 1"


# The range that a map is wanted over
# -----------------------------------


def axis_of(over: str, ranges: dict[str, Any], prevalence: float | None, method: str | Method | None) -> Axis:
    """The axis; RS001, RS042, RS065, RS081, RS091 or RS094 if the range is none.

    ``ranges`` has what was given for each of :data:`OVER`, None where nothing was.
    """
    over = one_of("over", over, OVER)
    others = [name for name, value in ranges.items() if value is not None and name != over]
    if others:  # it would be ignored without a word
        raise fail("RS065.other-range", over=over, name=others[0], value=ranges[others[0]])
    if prevalence is not None and over not in _NEEDS_PREVALENCE:
        raise fail("RS065.prevalence", over=over, prevalence=prevalence)
    given = ranges[over] if ranges[over] is not None else _USUAL.get(over)
    if over in _NEEDS_PREVALENCE:
        if prevalence is None:
            raise fail("RS091.map", over=over)
        prevalence = open_share("prevalence", prevalence)
    if over == "costs":
        low, high, unit = _ratios(given)
        return AlongCosts(low, high, _chosen(over, method, Tangent()), prevalence, unit)
    if given is None:
        raise fail("RS065.alerts")
    if over == "alerts" and np.ndim(np.asarray(given, dtype=object)) == 0:
        raise fail("RS042.one-budget", given=given)
    low, high = rate_range(over, given)
    if over == "alerts":
        own = AtAlarmRate(prevalence=prevalence or 0.0)
        return AlongAlerts(low, high, _chosen(over, method, own), prevalence)
    usual: Method = Vertical() if over == "fpr" else Horizontal()
    chosen = usual if method is None else method_of(method)
    return (AlongFpr if over == "fpr" else AlongTpr)(low, high, chosen)


def _chosen(over: str, method: str | Method | None, own: Method) -> Method:
    """The average in which every group is tuned to what the map runs over, or one with a shared threshold."""
    chosen = own if method is None else method_of(method)
    if chosen != own and not isinstance(chosen, Threshold | Pooled):
        raise fail("RS065.method", over=over, label=own.label, method=method)
    return chosen


def _ratios(given: Any) -> tuple[float, float, float]:
    """The smallest and largest ratio, false negative to false positive, and what a false positive costs."""
    numbers = real_numbers("costs", given, example=((1, 2), (1, 20)))
    if numbers.shape != (2, 2):
        raise fail("RS094.range", given=given)
    if not ((numbers > 0) & (numbers < float("inf"))).all():
        raise fail("RS081.range", given=given)
    pairs = numbers[:, 0].tolist(), (numbers[:, 1] / numbers[:, 0]).tolist()
    low, high = sorted(pairs[1])
    if low == high:
        raise fail("RS094.range", given=given)
    return low, high, float(pairs[0][0])


# One threshold for all groups
# ----------------------------
#
# For each ratio of costs the threshold is where the mean cost is least. To choose it again in other groups
# has no effect of first order, as the cost is flat there; so a group adds its own cost at that threshold. At
# a budget of alerts it adds its true positive rate less the slope of the average times its excess of alerts.


def hull_of(average: SharedThresholdAverage) -> Indices:
    """Vertices of the average that are best at some costs."""
    tpr, fpr = (np.rint(_UNITS * rates).astype(np.int64) for rates in (average.tpr, average.fpr))
    return hull_vertices(tpr, fpr)


def falling_slopes(fpr: Floats, tpr: Floats) -> Floats:
    """Of the pieces of a hull, made to fall where rounding did not let them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.nan_to_num(np.diff(tpr) / np.diff(fpr), nan=np.inf, posinf=np.inf)
    return np.asarray(np.minimum.accumulate(slopes))


def added_costs(average: SharedThresholdAverage, misses: Floats, alarms: Floats) -> Floats:
    """What every group adds to the mean cost, ``(n_groups, n)``; their plain mean is that of the average."""
    hull = hull_of(average)
    slopes = falling_slopes(average.fpr[hull], average.tpr[hull])
    best = hull[np.searchsorted(-slopes, -alarms / misses, side="left")]  # the strictest of equals
    vertices, place = np.unique(best, return_inverse=True)
    fpr, tpr = rates_of_groups(average._groups.table, average.thresholds[vertices], None)
    fpr_weights, tpr_weights = average._axis_weights
    added = []
    for rates, mean, weights in (
        (fpr, average.fpr[vertices], fpr_weights),
        (tpr, average.tpr[vertices], tpr_weights),
    ):
        # The first threshold is beyond everything, also beyond a score that is itself infinite.
        own = np.where(vertices == 0, 0.0, rates)
        added.append((mean + weights.size * weights[:, None] * (own - mean))[:, place])
    return np.asarray(misses * (1 - added[1]) + alarms * added[0])


def alert_path(average: SharedThresholdAverage, prevalence: float) -> tuple[Floats, Floats]:
    """The share of alerts along the average, never falling, and its true positive rate."""
    alerts = prevalence * average.tpr + (1 - prevalence) * average.fpr
    return np.maximum.accumulate(alerts), average.tpr


def added_rates(average: SharedThresholdAverage, prevalence: float, at: Floats) -> Floats:
    """What every group adds to the mean true positive rate at budgets of alerts, ``(n_groups, n)``.

    The slope is a secant over two standard errors of the mean share of alerts, the span over which averages
    of other groups meet the budget.
    """
    path = alert_path(average, prevalence)
    fpr, tpr, fpr_weights, tpr_weights = average._points
    n_groups = fpr.shape[0]
    mean_fpr, mean_tpr = (own @ rates for rates, own in ((fpr, fpr_weights), (tpr, tpr_weights)))
    rising = np.maximum.accumulate(prevalence * mean_tpr + (1 - prevalence) * mean_fpr)
    column = np.searchsorted(rising, at + 1e-12, side="right") - 1
    of_fpr = n_groups * fpr_weights[:, None] * (fpr[:, column] - mean_fpr[column])
    of_tpr = n_groups * tpr_weights[:, None] * (tpr[:, column] - mean_tpr[column])
    of_alerts = prevalence * of_tpr + (1 - prevalence) * of_fpr
    reach = np.sqrt((of_alerts**2).sum(axis=0) / (n_groups * max(n_groups - 1, 1)))
    low, high = np.clip(at - reach, 0, 1), np.clip(at + reach, 0, 1)
    rise = np.interp(high, *path) - np.interp(low, *path)
    slope = np.divide(rise, high - low, out=np.zeros_like(rise), where=high > low)
    return np.asarray(np.interp(at, *path) + of_tpr - slope * of_alerts)


# Where the better of two averages changes: on their straight pieces, not on a grid
# ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Path:
    """What an average is worth along an axis: straight between points, two of them at a jump.

    Attributes
    ----------
    at : float64 array
        Not falling.
    worth : float64 array
        The larger the better.
    """

    at: Floats
    worth: Floats

    def read(self, at: Floats, *, end: str = "last") -> Floats:
        """The worth at places; on a jump where the path comes from (first) or goes on (last)."""
        return read_path(self.at, self.worth, at, end=end)


def sign_changes(first: Path, second: Path, low: float, high: float) -> tuple[float, ...]:
    """Places between ``low`` and ``high`` where the better of two paths changes, in rising order.

    Where both run together before they change places it is the end of that stretch. To touch is not to cross.

    Examples
    --------
    >>> import numpy as np
    >>> rising = Path(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    >>> jumping = Path(np.array([0.0, 0.25, 0.25, 1.0]), np.array([0.5, 0.5, 0.75, 0.75]))
    >>> sign_changes(rising, jumping, 0.0, 1.0)
    (0.75,)
    """
    at, difference = _difference(first, second, low, high)
    standing = np.flatnonzero(difference)
    turns = np.flatnonzero(np.sign(difference[standing[1:]]) != np.sign(difference[standing[:-1]]))
    found = []
    for before, after in zip(standing[turns], standing[turns + 1], strict=True):
        if after > before + 1:  # both run together in between
            found.append(float(at[after - 1]))
            continue
        share = difference[before] / (difference[before] - difference[after])
        found.append(float(at[before] + share * (at[after] - at[before])))
    return tuple(found)


def _difference(first: Path, second: Path, low: float, high: float) -> tuple[Floats, Floats]:
    """Both ends of the difference at every place where either path bends, within the range."""
    bends = np.concatenate([first.at, second.at, [low, high]])
    places = np.unique(bends[(bends >= low) & (bends <= high)])
    worth = np.stack([[own.read(places, end=end) for end in ("first", "last")] for own in (first, second)])
    difference = (worth[0] - worth[1]).T.ravel()
    difference[np.abs(difference) <= _NOTHING * np.abs(worth).max(initial=0.0)] = 0.0
    at = np.repeat(places, 2)
    return at[1:], difference[1:]  # what the paths come from at the lower end is no part of the range


def leaders(paths: list[Path], changes: list[float], low: float, high: float) -> tuple[float, ...]:
    """Those of the places where pairs of paths change sides at which the best of all changes."""
    edges = np.unique(np.array([low, *changes, high]))
    middles = (edges[1:] + edges[:-1]) / 2
    if not middles.size:
        return ()
    worth = np.array([own.read(middles) for own in paths])
    is_best = worth >= worth.max(axis=0) - _NOTHING * np.abs(worth).max(initial=0.0)
    found, alive = [], is_best[:, 0]
    for place, best in zip(edges[1:-1], is_best.T[1:], strict=True):
        if not (alive & best).any():  # whoever leads does so until somebody is ahead
            found.append(float(place))
            alive = best
        alive = alive & best
    return tuple(found)
