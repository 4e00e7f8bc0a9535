"""The two models of a comparison: what each group is worth; and from estimates and errors to results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Indices
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import AtAlarmRate, Horizontal, Method, Vertical
from rocsteady.averaging.shared import SharedThresholdAverage, rates_of_groups
from rocsteady.counting.table import count_table
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.intervals import runs_of
from rocsteady.errors import fail, warn
from rocsteady.inference.differences import (
    Basis,
    Budget,
    Compared,
    Difference,
    DifferenceCurve,
    Measure,
    Test,
)
from rocsteady.options import rates
from rocsteady.places import Place
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.groups import SignFlips, t_limits
from rocsteady.statistics.limits import (
    Interval,
    ratio_to_error,
    t_quantile,
    two_sided_pvalue,
)

N_POSITIONS = 200


_NO_DIFFERENCE = 1e-13
"""Of two rates or areas: what rounding leaves of equal ones."""
_UNLIKELY, _TOLERATED, _FEWEST = 0.95, 0.13, 10
"""Skewness squared, over the groups (ten or more): beyond it levels were measured to be off by 0.02."""


@dataclass(frozen=True)
class Question:
    """What :func:`rocsteady.compare` was told, checked."""

    confidence_level: float
    n_resamples: int
    seed: int
    fpr: tuple[float, float]
    test_train_ratio: float
    threads: int | None


@dataclass(frozen=True, eq=False)
class Reading:
    """One quantity of one model.

    ``values`` has an entry for each group; their plain mean is ``mean`` and their spread that of the mean:
    what the groups themselves are worth, or, under a threshold for all, what each adds to the whole.
    """

    measure: Measure
    mean: float
    values: Floats


@dataclass(frozen=True, eq=False)
class Side:
    """The scores of one model and the average that is made of them."""

    name: str
    scores: ScoreSet
    method: Method
    threads: int | None = None
    defined: Indices | None = None

    @cached_property
    def curved(self) -> ScoreSet:
        """The groups that have a curve; paired, those that have one of both models."""
        own = self.scores
        return own.take(own.group_index[own.has_curve] if self.defined is None else self.defined)

    @cached_property
    def average(self) -> Average:
        """Of all groups with a curve; pooled, of all groups."""
        return average(self.scores, self.method, undefined="drop", threads=self.threads)

    @property
    def each_meets(self) -> bool:
        """Whether every group meets a budget with a threshold of its own."""
        return isinstance(self.average, DirectionalAverage)

    @cached_property
    def aucs(self) -> Floats:
        """AUC of every group that has a curve."""
        return roc_curves(self.curved, threads=self.threads).auc

    @property
    def n_cases(self) -> float:
        """All cases of the average, or the sum of their weights."""
        groups = self.average._groups
        return float(groups.n_positives.sum() + groups.n_negatives.sum())

    def degrees_of_freedom(self, n_groups: int) -> float:
        """Of the spread of values; fewer than groups less one where they count differently."""
        return n_groups - 1.0 if self.each_meets else min(n_groups - 1.0, self.average.degrees_of_freedom)

    def read(self, place: Place) -> list[Reading]:
        """The rate that is free where the other, the rate of alerts or the threshold is held."""
        at = np.array([place.of(self.name)])
        if place.kind == "threshold":
            return self._at_threshold(at)
        if place.kind == "alerts":
            return [self._at_rate(float(at[0]))]
        free = Measure.TPR if place.kind == "fpr" else Measure.FPR
        if self.each_meets:
            values = self._own_rates(place.kind, at)
            return [Reading(free, float(values.mean()), values)]
        read = self.average.tpr_at if place.kind == "fpr" else self.average.fpr_at
        mean = np.asarray(read(at))
        values = (mean + self.average._linearised(at, place.kind))[:, 0]
        return [Reading(free, float(mean[0]), values)]

    def held_average(self, held: str) -> DirectionalAverage:
        """The average in which every group holds this rate."""
        if held == "fpr":
            method: Method = self.method if isinstance(self.method, Vertical) else Vertical()
        else:
            method = self.method if isinstance(self.method, Horizontal) else Horizontal()
        own: Any = self.average if method == self.method else average(self.scores, method, undefined="drop")
        return own  # type: ignore[no-any-return]

    def _own_rates(self, held: str, at: Floats) -> Floats:
        values = self.held_average(held)._values(at)[:, 0]
        return np.asarray(values if held == "fpr" else 0.0 - values)

    def _at_rate(self, rate: float) -> Reading:
        own = self.average
        # A diagonal can be read at a rate, too, but of a population with as many positives as negatives.
        is_of_alerts = isinstance(self.method, AtAlarmRate) and isinstance(own, DirectionalAverage)
        if not is_of_alerts:
            name = None if self.each_meets else self.method.name
            raise fail("RS084.alerts", method=self.method.label, name=name)
        at = np.atleast_1d(rates("alerts", rate)) * own.direction.length  # type: ignore[attr-defined]
        values = own._turned_back(at, own._values(at))[1][:, 0]  # type: ignore[attr-defined]
        return Reading(Measure.TPR, float(values.mean()), np.asarray(values))

    def _at_threshold(self, threshold: Floats) -> list[Reading]:
        if isinstance(self.average, SharedThresholdAverage):
            table, weights = self.average._groups.table, self.average._axis_weights
        else:
            table = count_table(self.scores, threads=self.threads)
            weights = (np.full(len(self.scores), 1 / len(self.scores)),) * 2
        readings, groups = [], rates_of_groups(table, threshold, None)
        for rate, values, own in zip((Measure.FPR, Measure.TPR), groups, weights, strict=True):
            column = values[:, 0]
            mean = float(column[0] + own @ (column - column[0]))
            readings.append(Reading(rate, mean, mean + column.size * own * (column - mean)))
        return readings

    def gains(self, position: Floats) -> tuple[Floats, Floats]:
        """The average along the curve, more being better, and what every group adds: ``(n_groups, n)``."""
        own = self.average
        if isinstance(own, DirectionalAverage):
            values = own._values(position)
            return values.mean(axis=0), values
        mean = np.asarray(own.tpr_at(position))
        return mean, mean + own._linearised(position)


def positions(sides: tuple[Side, Side], fpr: tuple[float, float]) -> tuple[Floats, str]:
    """Evenly spaced positions over the declared range of FPR, and what a position is.

    Along another direction than the vertical one, from where the two averages, on the mean, have these FPRs.
    """
    first = sides[0].average
    if not isinstance(first, DirectionalAverage) or first.direction.is_vertical:
        return np.linspace(*fpr, N_POSITIONS), "fpr"
    c, s = first.direction.cosine, first.direction.sine
    low, high = (c * x + s * sum(float(side.average.tpr_at(x)) for side in sides) / 2 for x in fpr)
    return np.linspace(low, high, N_POSITIONS), "tpr" if first.direction.is_horizontal else "position"


class Over:
    """Two models compared over what is random: what both ways, over groups and over cases, have in common."""

    test: Test
    """Of areas."""

    def __init__(self, sides: tuple[Side, Side], question: Question, basis: Basis) -> None:
        self.sides, self.question, self.basis = sides, question, basis
        self.paired, self.unit = basis.paired, basis.unit
        self.sizes = [side.aucs.size for side in sides]

    def _difference_of(
        self,
        measure: Measure,
        means: Sequence[float],
        *,
        error: float,
        df: float,
        own: Sequence[Interval],
        place: Place | None = None,
        budget: Budget | None = None,
        test: Test | None = None,
        flip_pvalue: float = float("nan"),
        smallest_pvalue: float = 0.0,
    ) -> Difference:
        """The difference of two values with this standard error; ``own`` are the intervals of the values."""
        facts = Compared(measure, test or self.test, self.basis, place, budget, df)
        level = self.question.confidence_level
        return difference_of(
            facts,
            means,
            own,
            error=error,
            level=level,
            flip_pvalue=flip_pvalue,
            smallest_pvalue=smallest_pvalue,
        )

    def _curve_of(
        self,
        at: Floats,
        over: str,
        means: tuple[Floats, Floats],
        found: SignFlips,
        half: Floats,
        facts: Compared,
    ) -> DifferenceCurve:
        """The difference curve with limits of both kinds; ``half`` widths are those of single positions."""
        together = found.half_width
        difference = np.where(np.abs(found.mean) <= _NO_DIFFERENCE, 0.0, found.mean)
        sign = -1.0 if over == "tpr" else 1.0  # along the horizontal, less of the FPR is more
        n_cases = [int((own.n_positives + own.n_negatives).sum()) for own in (s.curved for s in self.sides)]
        return DifferenceCurve(
            a=self.basis.a,
            b=self.basis.b,
            unit=self.unit,
            n_groups=self.basis.n_groups,
            n_cases=n_cases[0] if n_cases[0] == n_cases[1] else tuple(n_cases),
            over=over,
            range=(float(at[0]), float(at[-1])),
            position=at,
            a_value=0.0 + sign * means[0],
            b_value=0.0 + sign * means[1],
            difference=difference,
            standard_error=found.standard_error,
            lower=difference - half,
            upper=difference + half,
            simultaneous_lower=difference - together,
            simultaneous_upper=difference + together,
            adjusted=found.adjusted,
            statistic=found.statistic,
            pvalue=found.pvalue,
            smallest_pvalue=found.smallest_pvalue,
            factor=found.factor,
            excluded=runs_of(at, found.left_out),
            confidence_level=self.question.confidence_level,
            facts=facts,
        )


def difference_of(
    facts: Compared,
    means: Sequence[float],
    own: Sequence[Interval],
    *,
    error: float,
    level: float,
    flip_pvalue: float = float("nan"),
    smallest_pvalue: float = 0.0,
) -> Difference:
    """The first value less the second, with this standard error and the degrees of freedom of the facts."""
    difference, df = float(means[0] - means[1]), float(facts.df)
    if abs(difference) <= _NO_DIFFERENCE and not error > _NO_DIFFERENCE:
        difference, error = 0.0, error if np.isnan(error) else 0.0
    statistic = ratio_to_error(difference, error)
    pvalue = float(two_sided_pvalue(statistic, df)) if not np.isnan(df) else float("nan")
    if difference == 0 and error == 0:
        pvalue = 1.0
    pvalue = max(pvalue, smallest_pvalue)
    half = float(t_quantile(df, level)) * error if error > 0 else error
    return Difference(
        a=facts.basis.a,
        b=facts.basis.b,
        a_value=float(means[0]),
        b_value=float(means[1]),
        difference=difference,
        standard_error=error,
        interval=Interval(difference - half, difference + half, level, "z" if np.isinf(df) else "t"),
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        flip_pvalue=flip_pvalue,
        adjusted_pvalue=pvalue,
        lower_is_better=facts.measure is Measure.FPR,
        a_interval=own[0],
        b_interval=own[1],
        facts=facts,
    )


def about(value: float, error: float, df: float, level: float) -> Interval:
    """``value ± t * error`` (z with infinite ``df``) on the logit scale; no limits where nothing varies.

    Examples
    --------
    >>> about(0.9, 0.1, 7, 0.95)
    Interval(0.3941 to 0.9920, confidence level 0.95, logit t)
    >>> about(1.0, 0.0, 7, 0.95)
    Interval(nan to nan, confidence level 0.95, logit t)
    """
    kind = f"logit {'z' if np.isinf(df) else 't'}"
    if not (error > 0 and df > 0):
        return Interval(float("nan"), float("nan"), level, kind)
    low, high = t_limits(value, t_quantile(df, level) * error)
    return Interval(float(low), float(high), level, kind)


# Whether differences between models are too skewed for their number: tests and bands rest on symmetry
# ----------------------------------------------------------------------------------------------------
#
# AUCs near 1 have a long tail to the left, the longer the more they vary. The tails of two models that vary
# alike cancel in their difference. Where one of them varies much more, one tail is left, and t tests, sign
# flips and bands come out too sure. The skewness of a handful of differences cannot be seen in them; it is
# worked out from means and variances, as if what a model does not share with the other were normal on the
# logit scale.


def difference_skewness(a: Floats, b: Floats, *, paired: bool = True) -> float:
    """The skewness to be expected of differences between two models' AUCs; 0 if nothing varies.

    Examples
    --------
    >>> import numpy as np
    >>> steady, wild = np.full(6, 0.95), np.array([0.99, 0.98, 0.99, 0.97, 0.80, 0.99])
    >>> round(difference_skewness(wild, steady), 1), round(difference_skewness(steady, steady), 1)
    (-4.6, 0.0)
    """
    if min(a.size, b.size) < 2:
        return 0.0
    shared = float(np.cov(a, b)[0, 1]) if paired else 0.0
    variances = [max(float(own.var(ddof=1)) - shared, 0.0) for own in (a, b)]  # what the other does not share
    total = sum(variances)
    if not total > 0:
        return 0.0
    third = 0.0
    for sign, own, variance in ((1, a, variances[0]), (-1, b, variances[1])):
        mean = float(np.clip(own.mean(), 0.01, 0.99))
        third -= sign * 3 * (2 * mean - 1) / (mean * (1 - mean)) * variance**2
    return float(third / total**1.5)


def warn_of_skew(a: Floats, b: Floats, unit: str, *, paired: bool = True) -> bool:
    """RS278 if so few groups are too few for a skewness as large as this, and whether it was given.

    One model must also vary more than the other beyond what chance explains: of a handful of groups the
    variances themselves are uncertain.
    """
    from scipy.special import fdtri

    n, skewness = min(a.size, b.size), difference_skewness(a, b, paired=paired)
    if not skewness**2 > _TOLERATED * max(n, _FEWEST):
        return False
    (low, low_df), (high, high_df) = sorted((float(own.var(ddof=1)), own.size - 1) for own in (a, b))
    if not high > low * fdtri(high_df, low_df, _UNLIKELY):
        return False
    warn("RS278.skewed", n=n, unit=unit, skewness=skewness)
    return True
