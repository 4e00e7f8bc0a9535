"""Costs that are not known precisely: does the best model change within their range?

With every group tuned to the costs, the expected cost of a model is a concave function of their shares, made
of straight pieces: the lower envelope of the tangent average's vertices. Where two models cost the same is
found on those pieces, not on a grid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.advice.deployment import Deployment, Pair
from rocsteady.advice.readings import least_costs
from rocsteady.averaging.base import Average
from rocsteady.averaging.tuned import TangentAverage
from rocsteady.results import Result
from rocsteady.statistics.groups import spread
from rocsteady.statistics.intervals import Interval, t_quantile
from rocsteady.words import listed, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class TunedCost(Result):
    """What a model costs at one pair of costs, every group tuned to them.

    Attributes
    ----------
    model : str
    costs : (float, float)
        Of a false positive and of a false negative.
    cost : float
        Expected cost per case: the mean of the groups' least costs.
    interval : Interval
        Over groups.
    fpr, tpr : float
        The mean of the groups' best points.
    """

    model: str
    costs: Pair
    cost: float
    interval: Interval
    fpr: float
    tpr: float

    def __repr__(self) -> str:
        a, b = self.costs
        return (
            f"TunedCost(costs {a:g} : {b:g}, cost {self.cost:.4g} at fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class CostDifference(Result):
    """By how much the second of two models costs more than the first at one pair of costs.

    Attributes
    ----------
    costs : (float, float)
    better, worse : str
        By their mean costs there.
    difference : float
        Expected cost per case, worse less better.
    interval : Interval
        Paired over groups.
    """

    costs: Pair
    better: str
    worse: str
    difference: float
    interval: Interval

    def __repr__(self) -> str:
        a, b = self.costs
        better = printable(self.better)
        return f"CostDifference(costs {a:g} : {b:g}, {better} cheaper by {self.difference:.4g})"


@dataclass(frozen=True, eq=False, repr=False)
class CostRange(Result):
    """What happens between the ends of a range of costs.

    Attributes
    ----------
    points : tuple of TunedCost
        Of every model at both ends and in the middle.
    winners : tuple of str
        The cheapest model from one end to the other; one name if it does not change, none if there is one
        model or several cost the same all the way.
    crossings : tuple of (float, float)
        The costs at which one gives way to the next.
    differences : tuple of CostDifference
        The two cheapest at both ends, and where they are furthest apart.
    reading : str
        The same in a sentence.
    """

    points: tuple[TunedCost, ...]
    winners: tuple[str, ...]
    crossings: tuple[Pair, ...]
    differences: tuple[CostDifference, ...]
    reading: str

    @property
    def changes(self) -> bool:
        """Whether another model is cheapest somewhere in the range."""
        return len(self.winners) > 1

    def __repr__(self) -> str:
        return f"CostRange({printable(' then '.join(self.winners)) or 'no model is cheaper'})"


def cost_range(
    tangents: Mapping[str, TangentAverage], deployment: Deployment, confidence_level: float
) -> CostRange | None:
    """Over the range of a deployment's costs; None if they are not a range.

    ``tangents`` has the tangent average of every model, over the same groups.
    """
    if deployment.cost_range is None or deployment.prevalence is None:
        return None
    scale = _Scale(*deployment.cost_range, deployment.prevalence)
    middle = deployment.typical_costs or deployment.cost_range[0]
    ends = deployment.cost_range
    points = tuple(
        _point(name, own, costs, deployment.prevalence, confidence_level)
        for costs in (ends[0], middle, ends[1])
        for name, own in tangents.items()
    )
    if len(tangents) == 1:
        return CostRange(points, (), (), (), _one_model(points))
    places, costs = _envelope(tangents, scale)
    winners, crossings, equal = _succession(list(tangents), places, costs)
    crossed = tuple(scale.costs(place) for place in crossings)
    apart = _furthest(places, costs)
    at = dict.fromkeys([ends[0], scale.costs(apart), ends[1]])
    differences = tuple(_difference(tangents, pair, deployment.prevalence, confidence_level) for pair in at)
    return CostRange(points, winners, crossed, differences, _several(winners, crossed, ends, equal))


@dataclass(frozen=True)
class _Scale:
    """Costs as shares of their sum, on which costs are straight lines: 0 at one end, 1 at the other."""

    first: Pair
    last: Pair
    prevalence: float

    def weights(self, place: Any) -> tuple[Any, Any]:
        """Expected cost of missing every positive and of a false alarm on every negative."""
        share = np.asarray(place)
        a, b = self.first[0] / sum(self.first), self.last[0] / sum(self.last)
        false_positive = (1 - share) * a + share * b
        return self.prevalence * (1 - false_positive), (1 - self.prevalence) * false_positive

    def costs(self, place: float) -> Pair:
        """The costs at a place, in the units of the end that has a false positive cost of its own."""
        a, b = self.first[0] / sum(self.first), self.last[0] / sum(self.last)
        share = (1 - place) * a + place * b
        if place in (0, 1):
            return self.first if place == 0 else self.last
        unit = self.first[0] or self.last[0]
        return (unit, unit * (1 - share) / share) if share > 0 else (0.0, 1.0)

    def place_of_slope(self, slope: Floats) -> Floats:
        """Where two points joined by a line of this slope cost the same."""
        a, b = self.first[0] / sum(self.first), self.last[0] / sum(self.last)
        p, q = self.prevalence, 1 - self.prevalence
        with np.errstate(invalid="ignore"):
            share = np.where(np.isinf(slope), 1.0, p * slope / (q + p * slope))
        return np.asarray((share - a) / (b - a))


def _envelope(tangents: Mapping[str, TangentAverage], scale: _Scale) -> tuple[Floats, Floats]:
    """Places where the best point of any model changes, ends included, and the cost of each model there."""
    corners = [np.array([0.0, 1.0])]
    for own in tangents.values():
        across, up = np.diff(own.fpr), np.diff(own.tpr)
        with np.errstate(divide="ignore", invalid="ignore"):
            corners.append(scale.place_of_slope(up / across))
    places = np.concatenate(corners)
    places = np.unique(places[(places >= 0) & (places <= 1)])
    return places, np.array([_least(own, scale, places) for own in tangents.values()])


def _least(own: Average, scale: _Scale, places: Floats) -> Floats:
    """The least cost of an average at every place: where its slope falls below that of the costs."""
    of_misses, of_alarms = scale.weights(places)
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.diff(own.tpr) / np.diff(own.fpr)
        wanted = of_alarms / of_misses
    falling = np.minimum.accumulate(np.nan_to_num(slopes, nan=np.inf, posinf=np.inf))
    vertex = np.searchsorted(-falling, -wanted, side="left")
    return np.asarray(of_misses * (1 - own.tpr[vertex]) + of_alarms * own.fpr[vertex])


def _succession(
    names: list[str], places: Floats, costs: Floats
) -> tuple[tuple[str, ...], tuple[float, ...], tuple[str, ...]]:
    """The cheapest model from place to place, and where it changes; exact, as costs are straight between.

    Last, the models that cost the same all the way and are cheapest; then none comes first.
    """
    # Between two places all costs are straight lines, so two models change places at most once there.
    # Models that cost the same must not seem to change places for a rounding error.
    extra, tolerance = [], 1e-12 * float(costs.max())
    for i in range(len(names)):
        for j in range(i):
            gap = costs[i] - costs[j]
            gap[np.abs(gap) <= tolerance] = 0.0
            turns = np.flatnonzero(gap[1:] * gap[:-1] < 0)
            share = gap[turns] / (gap[turns] - gap[turns + 1])
            extra.append(places[turns] + share * (places[turns + 1] - places[turns]))
    every = np.unique(np.concatenate([places, *extra]))
    between = (every[1:] + every[:-1]) / 2
    there = np.array([np.interp(between, places, own) for own in costs])
    is_cheapest = there <= there.min(axis=0) + tolerance
    order, changes, alive = [], [], is_cheapest[:, 0]
    for segment in range(1, between.size):  # whoever is cheapest stays it for as long as nobody undercuts
        if not (alive & is_cheapest[:, segment]).any():
            order.append(int(np.argmax(alive)))
            changes.append(float(every[segment]))
            alive = is_cheapest[:, segment]
        alive = alive & is_cheapest[:, segment]
    equal = tuple(names[i] for i in np.flatnonzero(alive)) if not changes and alive.sum() > 1 else ()
    order.append(int(np.argmax(alive)))
    return () if equal else tuple(names[i] for i in order), tuple(changes), equal


def _furthest(places: Floats, costs: Floats) -> float:
    """Where the two cheapest models are furthest apart, as a share of what they cost."""
    rising = np.sort(costs, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.where(rising[1] > 0, (rising[1] - rising[0]) / rising[1], 0.0)
    return float(places[int(np.argmax(gap))])


def _point(name: str, own: TangentAverage, costs: Pair, prevalence: float, level: float) -> TunedCost:
    found = own.at_costs(
        false_positive=costs[0], false_negative=costs[1], prevalence=prevalence, confidence_level=level
    )
    return TunedCost(name, costs, found.cost, found.cost_interval, found.fpr, found.tpr)


def _difference(
    tangents: Mapping[str, TangentAverage], costs: Pair, prevalence: float, level: float
) -> CostDifference:
    of_misses, of_alarms = prevalence * costs[1], (1 - prevalence) * costs[0]
    least = {name: least_costs(own, of_misses, of_alarms) for name, own in tangents.items()}
    better, worse = sorted(least, key=lambda name: float(tangents[name].weights @ least[name]))[:2]
    mean, interval = _mean(least[worse] - least[better], tangents[better], level)
    return CostDifference(costs, better, worse, mean, interval)


def _mean(values: Floats, own: Average, level: float) -> tuple[float, Interval]:
    found = spread(values[:, None], own.weights, own.design.test_train_ratio)
    mean, error = float(found.mean[0]), float(found.standard_error[0])
    half = t_quantile(own.effective_groups - 1, level) * error
    return mean, Interval(mean - half, mean + half, level, "t over groups")


def _one_model(points: tuple[TunedCost, ...]) -> str:
    said = ", ".join(
        f"{p.costs[0]:.3g} : {p.costs[1]:.3g} cost {p.cost:.3g} at FPR {p.fpr:.3f} and TPR {p.tpr:.3f}"
        for p in points
    )
    return f"From one end of the costs to the other: {said}."


def _several(
    winners: tuple[str, ...], crossings: tuple[Pair, ...], ends: tuple[Pair, Pair], equal: tuple[str, ...]
) -> str:
    span = f"from costs {ends[0][0]:g} : {ends[0][1]:g} to {ends[1][0]:g} : {ends[1][1]:g}"
    if equal:
        return f"{listed(equal)} cost the same {span}."
    if len(winners) == 1:
        return f"{winners[0]} is cheapest {span}."
    changes = ", then ".join(
        f"{name} from {a:.3g} : {b:.3g}" for name, (a, b) in zip(winners[1:], crossings, strict=True)
    )
    return f"The cheapest model changes {span}: first {winners[0]}, then {changes}."
