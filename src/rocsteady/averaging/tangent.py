"""The tangent average: every group tuned to the threshold that is best for it at given costs.

For every ratio of costs it has the mean of the groups' cost-optimal points, so its curve is the Minkowski
mean of their convex hulls: all edges of all hulls, each scaled by the weight of its group, steepest first.
Its minimal cost is the mean of the groups' minimal costs, for every cost and prevalence (errata H3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.across import mostly_alike
from rocsteady.averaging.base import MOST_VALUES, Asked, Average, make_monotone
from rocsteady.averaging.methods import AtCosts, Tangent
from rocsteady.counting.places import places_in_groups
from rocsteady.counting.results import Result
from rocsteady.curves.hull import hull_vertices_of_all
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import covariance_between, spread, two_sided_quantile
from rocsteady.words import counted, percent, plural

Floats = NDArray[np.float64]

_MOST_COSTS = 1000  # of a bootstrap
_FEWEST_COSTS = 101


@dataclass(frozen=True, eq=False, repr=False)
class CostPoint(Result):
    """Where the groups stand when each is tuned to the same costs.

    Attributes
    ----------
    fpr, tpr : float
        The mean of the groups' cost-optimal points. Where several thresholds of a group cost the same, the
        strictest counts.
    cost : float
        The mean of the groups' minimal expected costs per case.
    cost_sd, cost_standard_error : float
        Between groups, and of the mean; NaN for a single group.
    cost_interval : Interval
        Confidence interval of the mean cost; what is random is the groups.
    fpr_sd, tpr_sd, covariance : float
        Of the groups' points (divisor M - 1 at equal weights).
    fpr_standard_error, tpr_standard_error : float
        Of the mean point.
    fpr_interval, tpr_interval : Interval
        Confidence intervals of the two mean rates.
    thresholds : (float, float)
        The smallest and the largest of the groups' own best thresholds.
    reading : str
        What the point means.
    """

    fpr: float
    tpr: float
    cost: float
    cost_sd: float
    cost_standard_error: float
    cost_interval: Interval
    fpr_sd: float
    tpr_sd: float
    covariance: float
    fpr_standard_error: float
    tpr_standard_error: float
    fpr_interval: Interval
    tpr_interval: Interval
    thresholds: tuple[float, float]
    reading: str

    def __repr__(self) -> str:
        return f"CostPoint(cost {self.cost:.4g}, fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"


@dataclass(frozen=True, eq=False)
class _Hulls:
    """Corners of all hulls; ``change`` is the probability cost from which a corner beats the one before."""

    fpr: Floats
    tpr: Floats
    change: Floats
    thresholds: Floats
    offsets: NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class TangentAverage(Average):
    """The mean of the groups' cost-optimal points, for every ratio of costs; an exact, concave polyline.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "tangent")
    >>> average
    TangentAverage(tangent, 2 folds, AUC 0.8750)
    >>> average.at_costs(false_positive=1, false_negative=5, prevalence=0.2)
    CostPoint(cost 0.4, fpr 0.5000, tpr 1.0000)
    """

    method: Tangent

    @cached_property
    def _hulls(self) -> _Hulls:
        table = self._groups.table
        found = hull_vertices_of_all(table.true_positives, table.false_positives, table.offsets)
        sizes = [own.size for own in found]
        corners = np.concatenate(found) + np.repeat(table.offsets[:-1], sizes)
        tp, fp = table.true_positives[corners], table.false_positives[corners]
        n_tp, n_fp = np.repeat(table.n_positives, sizes), np.repeat(table.n_negatives, sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        return _Hulls(fp / n_fp, tp / n_tp, _changes(tp, fp, n_tp, n_fp), table.thresholds[corners], offsets)

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        hulls = self._hulls
        sizes = np.diff(hulls.offsets)
        weights = np.repeat(self.weights, sizes)
        is_edge = np.ones(weights.size, dtype=np.bool_)
        is_edge[hulls.offsets[:-1]] = False
        change, place = np.unique(hulls.change[is_edge], return_inverse=True)
        path = []
        for rates in (hulls.fpr, hulls.tpr):
            steps = (np.diff(rates, prepend=0.0) * weights)[is_edge]
            added = np.bincount(place, steps, minlength=change.size)
            path.append(np.append(0.0, np.cumsum(added)))
            path[-1][1 + int(np.flatnonzero(added)[-1]) :] = 1.0  # where all hulls have got there, exactly
        return make_monotone(path[0], path[1])

    @cached_property
    def auc(self) -> float:
        """Area under the average; never less than the mean area of the hulls."""
        fpr, tpr = self._polyline
        return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)

    def at_costs(
        self,
        *,
        false_positive: float,
        false_negative: float,
        prevalence: float,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
    ) -> CostPoint:
        """The mean of the groups' points and costs when each group is tuned to these costs.

        Parameters
        ----------
        false_positive, false_negative : float
            Cost of each error; not negative, not both 0.
        prevalence : float
            Share of positives where the classifier will be used, strictly between 0 and 1.
        confidence_level : float
            Of the intervals, between 0 and 1.
        quantile : {"t", "normal"}
            Student's t (default), or the normal quantile, which is too narrow for few groups.
        scale : {"logit", "linear"}
            Of the limits of rates, as in :meth:`at`; those of costs are linear.
        """
        asked = Asked(confidence_level, quantile, scale=scale)
        costs = AtCosts(false_positive, false_negative, prevalence)
        of_misses, of_alarms = costs.expected
        corners = self._best_corners(np.array([of_misses / (of_misses + of_alarms)]))
        x, y = self._hulls.fpr[corners], self._hulls.tpr[corners]
        cost = of_misses * (1 - y) + of_alarms * x
        found = [spread(values, self.weights, self._ratio) for values in (x, y, cost)]
        factor = two_sided_quantile(quantile, confidence_level, self.degrees_of_freedom)
        mean, sd, error = (
            [float(getattr(each, name)[0]) for each in found] for name in ("mean", "sd", "standard_error")
        )
        intervals = []
        for own, values, m, e in zip(("fpr", "tpr"), (x, y), mean, error, strict=False):
            low, high = self._limits(own, m, e, asked, bool(mostly_alike(values)[0]))
            intervals.append(Interval(float(low), float(high), confidence_level, asked.how))
        half = factor * error[2]
        intervals.append(Interval(mean[2] - half, mean[2] + half, confidence_level, quantile))
        at = self._hulls.thresholds[corners]
        thresholds = float(at.min()), float(at.max())
        return CostPoint(
            fpr=mean[0],
            tpr=mean[1],
            cost=mean[2],
            cost_sd=sd[2],
            cost_standard_error=error[2],
            cost_interval=intervals[2],
            fpr_sd=sd[0],
            tpr_sd=sd[1],
            covariance=float(covariance_between(x - mean[0], y - mean[1], self.weights)[0]),
            fpr_standard_error=error[0],
            tpr_standard_error=error[1],
            fpr_interval=intervals[0],
            tpr_interval=intervals[1],
            thresholds=thresholds,
            reading=self._describe(costs, mean, intervals, thresholds),
        )

    def _best_corners(self, probability_cost: Floats) -> NDArray[np.intp]:
        """The best corner of every group at rising probability costs, the strictest of equals.

        Without a cost of misses all corners without false alarms are equally good; then the highest of them
        is taken, which costs nothing more.
        """
        hulls = self._hulls
        starts, is_edge = hulls.offsets[:-1], np.ones(hulls.change.size, dtype=np.bool_)
        is_edge[starts] = False
        edges = hulls.offsets - np.arange(hulls.offsets.size)
        place = places_in_groups(hulls.change[is_edge], edges, probability_cost)
        at_least = hulls.change[starts + 1] == 0
        return np.asarray(starts[:, None] + np.maximum(place, at_least[:, None]), dtype=np.intp)

    def _points(self) -> tuple[Floats, Floats, Floats, Floats]:
        # One column for each stretch of costs at which no group changes its corner; with many groups some of
        # the stretches, evenly along the curve.
        hulls = self._hulls
        is_edge = np.ones(hulls.change.size, dtype=np.bool_)
        is_edge[hulls.offsets[:-1]] = False
        changes = np.unique(hulls.change[is_edge])
        most = int(np.clip(MOST_VALUES // len(self.members), _FEWEST_COSTS, _MOST_COSTS))
        if changes.size > most:
            along = (self.fpr + self.tpr)[1:]
            kept = np.searchsorted(along, np.linspace(0, 2, most)).clip(0, changes.size - 1)
            changes = changes[np.unique(np.append(kept, [0, changes.size - 1]))]
        corners = self._best_corners(np.append(changes, 2.0))
        # Below the first change nobody has left (0, 0), also where some curve rises straight from it.
        fpr, tpr = (np.pad(rates[corners], [(0, 0), (1, 0)]) for rates in (hulls.fpr, hulls.tpr))
        return fpr, tpr, self.weights, self.weights

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        unit, units = self.unit, plural(self.unit)
        return (
            f"Mean over {counted(len(self.members), unit)}: every {unit} sets its own threshold to what "
            f"costs it least, at the same costs and prevalence for all; both rates vary between {units}, "
            f"and their means are what the curve shows. It is optimistic: the best threshold of each {unit} "
            f"was found on the rows on which it is judged. The average along the cost direction (AtCosts) "
            f"errs the other way: it understates what tuned {units} reach."
        )

    def _describe(
        self, costs: AtCosts, mean: list[float], intervals: list[Interval], thresholds: tuple[float, float]
    ) -> str:
        level = f"{100 * intervals[2].confidence_level:g} %"
        within = ""
        if intervals[2].low == intervals[2].low:
            within = f" ({level} CI {intervals[2].low:.4g} to {intervals[2].high:.4g})"
        caught = sentences.catches(self, mean[1], intervals[1])
        alarms = sentences.false_alarms(self, mean[0], intervals[0])
        return sentences.joined(
            f"If every {self.unit} tunes its own threshold to costs of {costs.false_positive:g} for a false "
            f"alarm and {costs.false_negative:g} for a miss at a prevalence of {percent(costs.prevalence)}, "
            f"{sentences.average_unit(self)} {caught} and {alarms}, at an expected cost of "
            f"{mean[2]:.4g} per case{within}.",
            sentences.thresholds_run(self, thresholds),
            f"This is optimistic: each {self.unit} was tuned on the rows on which it is judged.",
            sentences.what_is_random(self),
        )


def _changes(tp: NDArray[Any], fp: NDArray[Any], n_tp: NDArray[Any], n_fp: NDArray[Any]) -> Floats:
    """``d fpr / (d fpr + d tpr)`` of the edge that leads to each corner; 0 for the first of a hull.

    Products of counts below 2**53 are exact, so that equally steep edges of different groups are equal.
    """
    if tp.dtype.kind == "f":  # weights; their products may leave the range of floats
        run, rise = np.diff(fp / n_fp, prepend=0.0), np.diff(tp / n_tp, prepend=0.0)
    else:
        run = np.diff(fp, prepend=0) * n_tp.astype(np.float64)
        rise = np.diff(tp, prepend=0) * n_fp.astype(np.float64)
    first = (fp == 0) & (tp == 0)
    run[first], rise[first] = 0.0, 1.0
    return np.asarray(run / (run + rise))
