"""What more groups or cases would buy where a threshold is set to a mean rate of all groups, or is given.

The reading is one number of the whole: the mean TPR where the mean FPR meets a budget. What every group adds
to it is linearised, as for its interval: how far the group's TPR lies from the mean at today's threshold,
less the slope of the average curve times how far its FPR does. So is the luck of its cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.averaging.average import average
from rocsteady.averaging.methods import method_of
from rocsteady.averaging.shared import SharedThresholdAverage, rates_of_groups
from rocsteady.errors import fail
from rocsteady.inference.group_noise import GroupReadings, measure_of
from rocsteady.inference.plan import Plan, pilot_of, planned, target_of
from rocsteady.scores.score_set import ScoreSet


def plan_shared_budget(
    score_set: ScoreSet,
    at: Mapping[str, float],
    *,
    method: str = "threshold",
    models: tuple[str, str] | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> Plan:
    """Plan for one rate where one threshold for all groups is set to a mean value of the other.

    Parameters
    ----------
    score_set : ScoreSet
        What there is now: at least two pilot. Groups of one class, and what one of two models did not score,
        are left out.
    at : mapping
        ``{"fpr": 0.05}`` or ``{"tpr": 0.9}``: the mean rate that the threshold is set to.
    method : {"threshold", "pooled"}
        Whether every group or every row counts once.
    models : pair of str, optional
        Two models on the same cases, each with a threshold of its own for all groups; the plan is then for
        their difference, first less second.
    power, confidence_level
        As in :func:`rocsteady.plan`.

    Notes
    -----
    Simulated (``simulations/shared_planner.py``) for a difference of two models whose levels shift between
    groups (40 positives and 100 negatives in each, 1,000 pilots): the median half-width promised from 10 and
    20 groups was 0.98 and 0.95 times what was met, with four times the cases 1.01 and 0.96 times; the
    middle 80 % of plans lay between 0.61 and 1.50 times.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1 + k]) for k in range(6)]
    >>> folds += [([1, 1, 1, 0, 0, 0], [9, 3, 2, 6, 4, 1 + k]) for k in range(6)]
    >>> plan_shared_budget(rs.ScoreSet.from_folds(folds, unit="site", design="independent"), {"fpr": 0.35})
    Plan(TPR at FPR 0.35: 0.5000 ± 0.1106 from 12 sites)
    """
    ((held, rate),) = at.items()
    wanted = measure_of(dict(at))
    target = target_of(models, None, None, power, confidence_level, None)
    pilot = pilot_of(score_set, models, undefined="drop", unmatched="drop")
    if pilot.is_one:
        raise fail("RS068.shared-threshold", unit=pilot.unit)
    sides = [_Side(own, method, held, float(rate)) for own in pilot.sets]
    values = [side.values for side in sides]
    found = GroupReadings(
        values[0] if models is None else values[0] - values[1],
        sides[0].variances(sides[1] if models is not None else None),
        tuple(side.mean for side in sides),
        "binomial variance and slope of the average",
    )
    return planned(pilot, found, wanted, target, method)


def plan_given_thresholds(
    score_set: ScoreSet,
    thresholds: Mapping[str, Mapping[str, float]],
    rate: str,
    *,
    method: str = "threshold",
    models: tuple[str, str] | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> Plan:
    """Plan for one rate where thresholds were given beforehand and stay.

    Parameters
    ----------
    score_set : ScoreSet
        What there is now.
    thresholds : mapping
        Of every model (of one without a name by ``""``) the threshold of every group; groups without one are
        left out.
    rate : {"tpr", "fpr"}
        Which rate is planned for.
    method : {"threshold", "pooled"}
        Whether every group or every row counts once.
    models, power, confidence_level
        As in :func:`plan_shared_budget`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1 + k]) for k in range(6)]
    >>> folds += [([1, 1, 1, 0, 0, 0], [9, 3, 2, 6, 4, 1 + k]) for k in range(6)]
    >>> sites = rs.ScoreSet.from_folds(folds, unit="site", design="independent")
    >>> plan_given_thresholds(sites, {"": dict.fromkeys(sites.groups, 6)}, "tpr")
    Plan(TPR at threshold 6: 0.5000 ± 0.1106 from 12 sites)
    """
    names = models or tuple(thresholds)[:1]
    target = target_of(models, None, None, power, confidence_level, None)
    pilot = pilot_of(score_set, models, undefined="drop", unmatched="drop")
    shown = thresholds[names[0]]
    at = [np.array([thresholds[name].get(group, np.nan) for group in pilot.names]) for name in names]
    if any(np.isnan(own).any() for own in at):
        lacking = [g for g, *own in zip(pilot.names, *at, strict=True) if np.isnan(own).any()]
        raise fail("RS068.thresholds", unit=pilot.unit, groups=lacking)
    wanted = measure_of({"threshold": next(iter(shown.values()))}, rate)
    c = pilot.sets[0].columns
    of_class = (c.labels == c.positive) == (rate == "tpr")
    calls = [
        _called(own, np.repeat(t, np.diff(own.columns.offsets)))
        for own, t in zip(pilot.sets, at, strict=True)
    ]
    adds = calls[0] if models is None else calls[0] - calls[1]
    sizes = np.add.reduceat(of_class.astype(np.float64), c.offsets[:-1])
    factor = np.ones(sizes.size) if method == "threshold" else sizes.size * sizes / sizes.sum()
    means = [np.add.reduceat(np.where(of_class, own, 0.0), c.offsets[:-1]) / sizes for own in [adds, *calls]]
    overall = [float(np.mean(factor * own)) for own in means]
    found = GroupReadings(
        overall[0] + factor * (means[0] - overall[0]),
        factor**2 * _variance_of_means(adds, of_class, c.offsets),
        tuple(overall[1:]),
        "binomial variance",
    )
    return planned(pilot, found, wanted, target, method)


def _called(scores: ScoreSet, at: Any) -> Floats:
    """1 for rows that are called positive."""
    c = scores.columns
    called = c.scores >= at if c.higher_is_positive else c.scores <= at
    return np.asarray(called, dtype=np.float64)


class _Side:
    """One model under one threshold for all groups."""

    def __init__(self, scores: ScoreSet, method: str, held: str, rate: float) -> None:
        own: Any = average(scores, method_of(method))
        assert isinstance(own, SharedThresholdAverage)
        self.scores, self.held = scores, held
        read = own.tpr_at if held == "fpr" else own.fpr_at
        self.mean = float(read(rate))
        point = (rate, self.mean) if held == "fpr" else (self.mean, rate)
        self.threshold = own._shared_threshold(*point)
        self.values = self.mean + own._linearised(np.array([rate]), held)[:, 0]
        fpr_weights, tpr_weights = own._axis_weights
        n = len(own.members)
        self.factors = n * fpr_weights, n * tpr_weights
        self.slope = self._slope(own, rate)

    def _slope(self, own: SharedThresholdAverage, rate: float) -> float:
        """A secant over two standard errors of the mean held rate, as the groups' additions have it."""
        axis = ("fpr", "tpr").index(self.held)
        values, factor = (
            rates_of_groups(own._groups.table, [self.threshold], None)[axis][:, 0],
            self.factors[axis],
        )
        n = values.size
        along = factor * (values - float(factor @ values) / n)
        reach = float(np.sqrt(np.sum(along**2) / (n * (n - 1))))
        low, high = max(rate - reach, 0.0), min(rate + reach, 1.0)
        read = own.tpr_at if self.held == "fpr" else own.fpr_at
        return float(read(high) - read(low)) / (high - low) if high > low else 0.0

    def _calls(self) -> Floats:
        return _called(self.scores, self.threshold)

    def _weights(self) -> tuple[float, float]:
        """What a call of a negative and of a positive adds to the reading."""
        return (-self.slope, 1.0) if self.held == "fpr" else (1.0, -self.slope)

    def variances(self, other: _Side | None) -> Floats:
        """The luck of every group's cases; of two models, of the difference on the same cases."""
        c = self.scores.columns
        is_positive = c.labels == c.positive
        total = np.zeros(c.n_groups)
        for of_class, factor, number in (
            (~is_positive, self.factors[0], 0),
            (is_positive, self.factors[1], 1),
        ):
            adds = self._weights()[number] * self._calls()
            if other is not None:
                adds = adds - other._weights()[number] * other._calls()
            total += factor**2 * _variance_of_means(adds, of_class, c.offsets)
        return total


def _variance_of_means(values: Floats, chosen: Mask, offsets: Integers) -> Floats:
    """Of the mean of the chosen values of every group; NaN with fewer than two."""
    starts = offsets[:-1]
    n = np.add.reduceat(chosen.astype(np.float64), starts)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.add.reduceat(np.where(chosen, values, 0.0), starts) / n
        around = np.where(chosen, (values - np.repeat(mean, np.diff(offsets))) ** 2, 0.0)
        spread = np.add.reduceat(around, starts) / (n - 1)
        return np.asarray(np.where(n > 1, spread / n, np.nan))
