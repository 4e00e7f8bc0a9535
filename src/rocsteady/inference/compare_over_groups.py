"""Comparisons in which groups are random: what each group of two models is worth, how differences scatter.

What is the same where cases are random (:mod:`rocsteady.inference.compare_over_cases`) is here, too: the
models (``Side``), and how estimates and errors become results (``Over``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Indices
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import AtAlarmRate, Horizontal, Method, Vertical
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, rates_of_groups
from rocsteady.counting.table import count_table
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.intervals import runs_of
from rocsteady.errors import fail, warn
from rocsteady.inference.differences import Budget, Compared, Difference, DifferenceCurve, Measure, Test
from rocsteady.options import How, rates
from rocsteady.places import Place
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.group_permutation import MaxT, max_t
from rocsteady.statistics.groups import mean_and_error, mostly_alike, t_limits
from rocsteady.statistics.limits import (
    Interval,
    ratio_to_error,
    satterthwaite,
    t_quantile,
    two_sided_pvalue,
)

N_POSITIONS = 200
_NO_DIFFERENCE = 1e-13
"""Of two rates or areas: what rounding leaves of equal ones."""
_UNLIKELY, _TOLERATED, _FEWEST = 0.95, 0.13, 10
"""Skewness squared, over the groups (ten or more): beyond it levels were measured to be off by 0.02."""


@dataclass(frozen=True, eq=False)
class Side:
    """The scores of one model and the average that is made of them."""

    name: str
    scores: ScoreSet
    method: Method
    threads: int | None = None
    defined: Indices | None = None  # paired: the groups that have a curve of both models

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

    def read(self, measure: Measure, place: Place | None = None) -> tuple[float, Floats]:
        """One quantity, and an entry for each group: their mean is the quantity, their spread that of it.

        Entries are what the groups themselves are worth, or, under a threshold for all, what each adds.
        """
        if place is None:
            if measure is Measure.AUC:
                return float(self.aucs.mean()), self.aucs
            return self.average.auc, self.average.auc + self.average._linearised_area()
        own, at = self.average, np.array([place.of(self.name)])
        if place.kind == "threshold":
            return self._at_threshold(measure, at)
        if place.kind == "alerts" and isinstance(own, SharedThresholdAverage):
            mean = own._free_at(at, "alerts", "tpr")
            return float(mean[0]), (mean + own._linearised(at, "alerts"))[:, 0]
        if place.kind == "alerts":
            # A diagonal can be read at a rate, too, but of a population with as many positives as negatives.
            if not (isinstance(self.method, AtAlarmRate) and isinstance(own, DirectionalAverage)):
                raise fail("RS084.alerts", method=self.method.label)
            along = rates("alerts", at) * own.direction.length
            values = np.asarray(own._turned_back(along, own._values(along))[1][:, 0])
        elif self.each_meets:
            values = self.held_average(place.kind)._values(at)[:, 0]
            values = values if place.kind == "fpr" else 0.0 - values
        else:
            mean = np.asarray((own.tpr_at if place.kind == "fpr" else own.fpr_at)(at))
            return float(mean[0]), (mean + own._linearised(at, place.kind))[:, 0]
        return float(values.mean()), values

    def held_average(self, held: str) -> DirectionalAverage:
        """The average in which every group holds this rate."""
        kind = Vertical if held == "fpr" else Horizontal
        method = self.method if isinstance(self.method, kind) else kind()
        own: Any = self.average if method == self.method else average(self.scores, method, undefined="drop")
        return own  # type: ignore[no-any-return]

    def _at_threshold(self, measure: Measure, threshold: Floats) -> tuple[float, Floats]:
        if isinstance(self.average, SharedThresholdAverage):
            table, weights = self.average._groups.table, self.average._axis_weights
        else:
            table = count_table(self.scores, threads=self.threads)
            weights = (np.full(len(self.scores), 1 / len(self.scores)),) * 2
        of_class = int(measure is Measure.TPR)
        column, own = rates_of_groups(table, threshold, None)[of_class][:, 0], weights[of_class]
        mean = float(column[0] + own @ (column - column[0]))
        return mean, mean + column.size * own * (column - mean)

    def gains(self, position: Floats) -> tuple[Floats, Floats]:
        """The average along the curve, more being better, and what every group adds: ``(n_groups, n)``."""
        own = self.average
        if isinstance(own, DirectionalAverage):
            values = own._values(position)
            return values.mean(axis=0), values
        mean = np.asarray(own.tpr_at(position))
        return mean, mean + own._linearised(position)


class Over:
    """Two models compared over what is random: what both ways, over groups and over cases, have in common."""

    def __init__(self, sides: tuple[Side, Side], how: How, fpr: tuple[float, float], basis: Compared) -> None:
        self.sides, self.how, self.fpr, self.basis = sides, how, fpr, basis
        self.paired, self.unit = basis.paired, basis.unit
        self.sizes = sides[0].aucs.size, sides[1].aucs.size

    @property
    def has_area(self) -> bool:
        """Whether the area under the average is another than the mean AUC of the groups."""
        return not self.sides[0].each_meets

    def at(self, place: Place) -> tuple[Difference, ...]:
        """The differences at one operating point: both rates at a threshold, else the free one."""
        if place.kind == "threshold":
            return self.difference(Measure.FPR, place), self.difference(Measure.TPR, place)
        return (self.difference(Measure.FPR if place.kind == "tpr" else Measure.TPR, place),)

    def difference(self, measure: Measure, place: Place | None = None) -> Difference:
        """The difference of one quantity: the mean AUC, the area under the average, a rate at a place."""
        raise NotImplementedError

    def facts(self, measure: Measure, test: Test, place: Place | None = None, **others: Any) -> Compared:
        """What is said of a difference."""
        budget = None
        if place is not None:
            own = Budget.OWN if self.sides[0].each_meets else Budget.SHARED
            budget = Budget.KEPT if place.kind == "threshold" else own
        return replace(self.basis, measure=measure, test=test, place=place, budget=budget, **others)

    @cached_property
    def positions(self) -> tuple[Floats, str]:
        """Evenly spaced positions over the declared range of FPR, and what a position is.

        Along another direction than the vertical one, from where both averages, on the mean, have these FPRs.
        """
        first = self.sides[0].average
        if not isinstance(first, DirectionalAverage) or first.direction.is_vertical:
            return np.linspace(*self.fpr, N_POSITIONS), "fpr"
        c, s = first.direction.cosine, first.direction.sine
        averages = [side.average for side in self.sides]
        low, high = (c * x + s * sum(float(own.tpr_at(x)) for own in averages) / 2 for x in self.fpr)
        return np.linspace(low, high, N_POSITIONS), "tpr" if first.direction.is_horizontal else "position"

    def curve_of(
        self, means: Sequence[Floats], found: MaxT, half: Floats, facts: Compared
    ) -> DifferenceCurve:
        """The difference curve with limits of both kinds; ``half`` widths are those of single positions."""
        (at, over), together = self.positions, found.half_width
        difference = np.where(np.abs(found.mean) <= _NO_DIFFERENCE, 0.0, found.mean)
        sign = -1.0 if over == "tpr" else 1.0  # along the horizontal, less of the FPR is more
        n_cases = [int((side.curved.n_positives + side.curved.n_negatives).sum()) for side in self.sides]
        return DifferenceCurve(
            a=facts.a,
            b=facts.b,
            unit=self.unit,
            n_groups=facts.n_groups,
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
            confidence_level=self.how.confidence_level,
            facts=facts,
        )


class OverGroups(Over):
    """Two models whose groups are a sample of all there might be: paired within groups, or two samples."""

    def at(self, place: Place) -> tuple[Difference, ...]:
        """The differences at one operating point."""
        if place.is_count:
            is_own = self.sides[0].method.holds("alerts")
            known = {
                side.name: side.average.n_cases_of_alerts() if is_own else side.n_cases for side in self.sides
            }
            place = place.among(known)
        return super().at(place)

    def difference(self, measure: Measure, place: Place | None = None) -> Difference:
        """The difference of one quantity: the mean AUC, the area under the average, a rate at a place."""
        (a, first), (b, second) = read = [side.read(measure, place) for side in self.sides]
        how, ratio = self.how, self.basis.test_train_ratio
        freedom = self._freedom(first, second, is_auc=measure is Measure.AUC)
        errors, found, df = self._errors(first[:, None], second[:, None], freedom)
        error = float(found[0])
        if self.paired and error == 0 and first[0] != second[0]:
            warn("RS245.constant", n_constant=1, n_tests=1, unit=self.unit, n=first.size)
        # Signs can be flipped of values that are independent; what groups add to one reading is not.
        flip = float("nan")
        is_own = measure is Measure.AUC or self.sides[0].each_meets
        if not ratio and (is_own or (place is not None and place.kind == "threshold")):
            flip = self._together(first[:, None], second[:, None]).pvalue
        # At a rate of alerts the average is read along its direction, which is no rate.
        is_oblique = place is not None and place.kind == "alerts" and self.sides[0].each_meets
        own_how = How(how.confidence_level, scale="linear" if is_oblique else "logit")
        intervals = []
        for side, (mean, values), own_error, own_df in zip(self.sides, read, errors, freedom, strict=True):
            alike = bool(mostly_alike(values[:, None])[0])
            limits = side.average._limits(measure.lower(), mean, own_error[0], own_how, alike, own_df)
            low, high = (float(limit) for limit in limits)
            intervals.append(Interval(low, high, how.confidence_level, own_how.name))
        facts = self.facts(measure, Test.T, place, df=float(np.ravel(df)[0]))
        return difference_of(
            facts, (a, b), intervals, error=error, level=how.confidence_level, flip_pvalue=flip
        )

    def _freedom(self, *values: Floats, is_auc: bool = False) -> list[float]:
        """Degrees of freedom of the spread of values; fewer than M - 1 where groups count differently."""
        return [
            n - 1.0 if is_auc or side.each_meets else min(n - 1.0, side.average.degrees_of_freedom)
            for side, n in zip(self.sides, map(len, values), strict=True)
        ]

    def _errors(
        self, first: Floats, second: Floats, freedom: Sequence[float]
    ) -> tuple[list[Floats], Floats, Any]:
        """Standard errors of the means of each column and of their differences, and df of these."""
        ratio = self.basis.test_train_ratio
        errors = [mean_and_error(own, ratio)[1] for own in (first, second)]
        if self.paired:
            return errors, mean_and_error(first - second, ratio)[1], min(freedom)
        variances = np.square(errors)
        noise = sum(own**2 / df for own, df in zip(variances, freedom, strict=True))
        total = variances.sum(axis=0)
        return errors, np.sqrt(total), satterthwaite(total, noise, min(freedom))

    def _together(self, first: Floats, second: Floats) -> MaxT:
        """The test of all columns at once."""
        if self.paired:
            return max_t(first - second, self.how, ratio=self.basis.test_train_ratio)
        return max_t(first, self.how, other=second)

    def curve(self) -> DifferenceCurve | None:
        """The difference over the declared range; none of folds that are not paired: signs cannot flip."""
        ratio, level = self.basis.test_train_ratio, self.how.confidence_level
        if ratio and not self.paired:
            return None
        (first, a), (second, b) = (side.gains(self.positions[0]) for side in self.sides)
        found, freedom = self._together(a, b), self._freedom(a, b)
        *_, df = self._errors(a, b, freedom)
        n_flips = 0 if found.is_exact else self.how.n_resamples
        facts = self.facts(Measure.TPR, Test.NORMAL_MAXIMA if ratio else Test.FLIPS, n_flips=n_flips)
        return self.curve_of((first, second), found, t_quantile(df, level) * found.standard_error, facts)


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
    pvalue = 1.0 if difference == 0 == error else float(two_sided_pvalue(statistic, df))
    pvalue = max(pvalue, smallest_pvalue)
    half = float(t_quantile(df, level)) * error if error > 0 else error
    return Difference(
        a=facts.a,
        b=facts.b,
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


def warn_of_skew(a: Floats, b: Floats, unit: str, *, paired: bool = True, area: str = "AUC") -> bool:
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
    warn("RS278.skewed", n=n, unit=unit, skewness=skewness, area=area)
    return True
