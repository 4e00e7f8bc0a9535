"""Comparisons in which cases are random and the groups are these very ones.

Areas by DeLong's method; readings at a budget and along the curve by the bootstrap of cases within group and
class, both models resampled together where they scored the same cases; rates at frozen thresholds as (paired)
proportions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Indices, Integers, Mask
from rocsteady.averaging.methods import Method, Pooled, Threshold
from rocsteady.counting.table import Moments, cluster_counts, delong_covariance, delong_moments
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.intervals import (
    FEWEST_CLUSTERS,
    EffectiveCases,
    quiet_intervals,
    warn_of_few_clusters,
)
from rocsteady.curves.roc import resampled_curve
from rocsteady.errors import fail, warn
from rocsteady.inference.compare_over_groups import Over, Side, about, difference_of
from rocsteady.inference.differences import Compared, Difference, DifferenceCurve, Measure, Test
from rocsteady.inference.matching import Paired, unequal_rows
from rocsteady.inference.tests_on_cases import (
    parts_of_area,
    parts_of_differences,
    warn_of_few_cases,
)
from rocsteady.options import How
from rocsteady.places import Place
from rocsteady.scores.design import Random
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.delong import delong_variance
from rocsteady.statistics.group_permutation import MaxT, against_maxima
from rocsteady.statistics.limits import Interval, logit_limits, satterthwaite_df, t_quantile
from rocsteady.statistics.resampling import Readings, ranked_cases, resampled_cases
from rocsteady.words import printable

FEW_BEYOND = 1
"""Cases beyond the threshold of a budget. Up to one, 95 % intervals were measured to cover 84 to 92 %."""
FEW_CASES = 50
"""Of a class. With fewer, bands made of the cases' influence alone were measured to hold 91 % of the time."""
_CELLS = 2**22
"""Cells held at once; bounds the memory."""


class OverCases(Over):
    """Two models whose cases are a sample, in groups that stay as they are."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        how: How,
        fpr: tuple[float, float],
        basis: Compared,
        places: Sequence[Place],
        *,
        whole: bool,
    ) -> None:
        together = [side.curved._together for side in sides]
        self._df = np.inf  # of errors from resamples; of the fewer clusters where these are drawn
        if together[0] is not None and together[1] is not None and basis.is_one_dataset:
            sizes = [np.unique(own.codes).size for own in together if own is not None]
            unit, self._df = printable(together[0].unit), min(sizes) - 1.0
            basis = replace(basis, random=Random.CLUSTERS, n_clusters=sizes[0], cluster_unit=unit)
        super().__init__(sides, how, fpr, basis)
        # All that is read of a resample, in the order of the columns: cases are ranked and drawn once.
        self._wanted: dict[str, list[float]] = {"auc": [], "fpr": [], "tpr": []}
        if self.has_area and (whole or not places):
            self._wanted["auc"].append(0.0)
        for place in places:
            if place.kind in self._wanted:
                self._wanted[place.kind].append(float(place.of(basis.a)))
        if whole:
            self._wanted[self.positions[1]] += self.positions[0].tolist()

    @property
    def has_area(self) -> bool:
        """Whether the area under the average is another than the mean AUC of the groups."""
        return not self.basis.is_one_dataset and isinstance(self.basis.method, Pooled | Threshold)

    def difference(self, measure: Measure, place: Place | None = None) -> Difference:
        """The difference of one quantity: the mean AUC, the area under the average, a rate at a place."""
        if measure is Measure.AUC:
            return self._of_aucs()
        if place is not None and place.kind == "threshold":
            return self._of_shares(measure, place)
        level, means = self.how.confidence_level, [side.read(measure, place)[0] for side in self.sides]
        if place is not None:
            self._warn_of_few_beyond(place)
        at = [0.0 if place is None else float(place.of(self.basis.a))]
        draws = self._drawn("auc" if place is None else place.kind, at)[:, :, 0]
        own = [
            _score_interval(side, place, level)
            if place is not None and len(side.scores) == 1
            else about(mean, float(np.std(drawn, ddof=1)), np.inf, level)
            for side, mean, drawn in zip(self.sides, means, draws, strict=True)
        ]
        return difference_of(
            self.facts(measure, Test.BOOTSTRAP, place, df=self._df),
            means,
            own,
            error=float(np.std(draws[0] - draws[1], ddof=1)),
            level=level,
            smallest_pvalue=1 / (self.how.n_resamples + 1),
        )

    # Areas, by DeLong's method

    def _of_aucs(self) -> Difference:
        sets, level = [side.curved for side in self.sides], self.how.confidence_level
        means = [float(side.aucs.mean()) for side in self.sides]
        separated = np.isin(np.concatenate([side.aucs for side in self.sides]), (0.0, 1.0))
        if min(min(own.n_positives.min(), own.n_negatives.min()) for own in sets) == 1:
            warn("RS153.test", n_positives=None, n_negatives=None, unit=self.unit)
        elif separated.any():
            warn("RS151.test", n_separated=int(separated.sum()), n=separated.size)
        if all(own._together is None for own in sets):
            warn_of_few_cases(fewest_cases(self.sides))
        variances, freedom = self._auc_variances(sets)
        df, own = float(satterthwaite_df(variances, freedom)), [_of_auc(side, level) for side in self.sides]
        facts = self.facts(Measure.AUC, Test.DELONG, df=df)
        return difference_of(facts, means, own, error=float(np.sqrt(variances.sum())), level=level)

    def _auc_variances(self, sets: Sequence[ScoreSet]) -> tuple[Floats, Floats]:
        """What the cases of each group and class add to the variance, and their degrees of freedom."""
        together = [own._together for own in sets]
        if self.paired:  # the same rows: one of the two may not know
            together = [together[0] or together[1]] * 2
        counts: list[Sequence[Any]] = [[None] * len(own) for own in sets]
        if any(together):
            known = zip(sets, together, strict=True)
            # Rows of one of two models that are not paired may be independent.
            counts = [cluster_counts(own, together=of, each=True) or [None] * len(own) for own, of in known]
            if min(sum(own.fewest for own in of if own) for of in counts) < FEWEST_CLUSTERS:
                warn_of_few_clusters([*counts[0], *counts[1]])
        found = []
        if self.paired:
            for *both, a, b in zip(*sets, *counts, strict=True):
                parts, freedom = parts_of_differences(delong_covariance(both), (a, b))
                found.append((parts[:, 0, 1] / len(sets[0]) ** 2, freedom))
        else:
            for own, of in zip(sets, counts, strict=True):
                for scores, clusters in zip(own, of, strict=True):
                    parts, freedom = parts_of_area(scores, clusters)
                    found.append((parts / len(own) ** 2, freedom))
        variances, freedoms = zip(*found, strict=True)
        return np.concatenate(variances), np.concatenate(freedoms)

    def auc_correlation(self, found: Difference) -> float:
        """Of the two AUCs, from the variances of both and of their difference; NaN for separate cases."""
        a, b = (float(delong_variance(_moments(side)).sum()) for side in self.sides)
        if not (self.paired and min(a, b) > 0):
            return float("nan")
        both = (found.standard_error * self.sizes[0]) ** 2
        return float(np.clip((a + b - both) / (2 * np.sqrt(a * b)), -1, 1))

    # Readings of resamples

    def _warn_of_few_beyond(self, place: Place) -> None:
        """RS280 where hardly a case stands beyond the threshold that meets a budget."""
        of, at = "negatives" if place.kind == "fpr" else "positives", place.of(self.sides[0].name)
        sizes = [getattr(side.curved, f"n_{of}") for side in self.sides]
        n = min(int(own.min() if self.sides[0].each_meets else own.sum()) for own in sizes)
        beyond, share = n * min(at, 1 - at), math.ceil(200 * FEW_BEYOND / n) / 100
        if beyond > FEW_BEYOND + 1e-9:
            return
        warn(
            "RS280.beyond",
            cases=of,
            kind=place.kind,
            rate=place.kind.upper(),
            at=at,
            beyond=beyond,
            n=n,
            needed=FEW_BEYOND,
            nearest=None if share > 0.5 else share if at < 0.5 else 1 - share,
        )

    def _drawn(self, kind: str, at: Sequence[float]) -> Floats:
        """Both models' readings of the resamples at some places of a kind, ``(2, n_resamples, n)``."""
        wanted = [(of, own) for of, values in self._wanted.items() for own in values]
        return np.ascontiguousarray(self._resampled[:, :, [wanted.index((kind, own)) for own in at]])

    @cached_property
    def _resampled(self) -> Floats:
        """Of resampled cases or clusters; the same seed draws the same ones for both models."""
        wanted, n, found = self._wanted, self.how.n_resamples, []
        readings = Readings(auc=bool(wanted["auc"]), tpr_at=wanted["fpr"], fpr_at=wanted["tpr"])
        for number, side in enumerate(self.sides):
            seed = self.how.seed
            if number and not self.paired:  # samples that must not be drawn alike
                seed = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
            if self.basis.random is Random.CLUSTERS:
                (curve,) = roc_curves(side.curved, threads=side.threads)
                found.append(resampled_curve(curve, readings, n_resamples=n, seed=seed))
            else:
                found.append(read_resamples(side, readings, n_resamples=n, seed=seed))
        return np.array(found)

    def curve(self) -> DifferenceCurve:
        """The difference over the declared range."""
        (at, over), level, seed = self.positions, self.how.confidence_level, self.how.seed
        first, second = (side.gains(at)[0] for side in self.sides)
        draws = self._drawn(over, at.tolist())
        largest = largest_deviations(
            self.sides, at, over, paired=self.paired, n_draws=self.how.n_resamples, seed=seed
        )
        factor, fewest = t_quantile(np.inf, level, "normal"), fewest_cases(self.sides)
        if self.basis.random is Random.CLUSTERS:  # few: deviations as large as Student's t has them
            wider = t_quantile(self._df, level)
            largest, factor, fewest = largest * (wider / factor), wider, 0
        drawn = (draws[0] - draws[1]) * (-1.0 if over == "tpr" else 1.0)
        found = judged(first - second, drawn, largest, level, fewest_cases=fewest)
        facts = self.facts(Measure.TPR, Test.BOOTSTRAP)
        return self.curve_of((first, second), found, factor * found.standard_error, facts)

    # Rates at frozen thresholds: (paired) proportions, within groups that stay

    def _of_shares(self, measure: Measure, place: Place) -> Difference:
        level, columns = self.how.confidence_level, []
        for side in self.sides:
            c, threshold, together = side.scores.columns, place.of(side.name), side.scores._together
            called = c.scores >= threshold if c.higher_is_positive else c.scores <= threshold
            rows = (c.labels == c.positive) == (measure is Measure.TPR)
            groups = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))[rows]
            clusters = None if together is None else together.codes[rows]
            columns.append((called[rows].astype(np.float64), groups, clusters))
        pools = isinstance(self.basis.method, Pooled)
        found = [_share(*own, pools=pools) for own in columns]
        variance = found[0][1] + found[1][1]
        if self.paired:  # the differences of the same cases' calls
            variance = _share(columns[0][0] - columns[1][0], *columns[0][1:], pools=pools)[1]
        intervals = []
        for (mean, own, df), (calls, groups, clusters) in zip(found, columns, strict=True):
            if groups[0] != groups[-1]:
                intervals.append(about(mean, float(np.sqrt(own)), np.inf, level))
                continue
            n, spread = float(calls.size), mean * (1 - mean)
            if clusters is not None:
                n = np.unique(clusters).size if spread == 0 else min(spread / own, n)
            low, high = EffectiveCases(n, df).limits(mean, level)
            intervals.append(Interval(float(low), float(high), level, "wilson"))
        (a, _, df), (b, _, other_df) = found
        facts = self.facts(measure, Test.PROPORTIONS, place, df=min(df, other_df))
        return difference_of(facts, [a, b], intervals, error=float(np.sqrt(variance)), level=level)


def _share(
    calls: Floats, groups: Integers, clusters: Integers | None, *, pools: bool
) -> tuple[float, float, float]:
    """The mean over groups of the share of calls (0 or 1), its variance, and the degrees of freedom of that.

    What rows that belong together add is summed before it is squared.
    """
    present, group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    weights = sizes / sizes.sum() if pools else np.full(present.size, 1 / present.size)
    shares = np.bincount(group, calls) / sizes
    away = calls - shares[group]
    unit = np.arange(calls.size)
    if clusters is not None:
        unit = np.unique(group * (int(clusters.max()) + 1) + clusters, return_inverse=True)[1].reshape(-1)
    of_unit = np.empty(int(unit.max()) + 1, dtype=np.int64)
    of_unit[unit] = group
    n = np.bincount(of_unit)
    squares = np.bincount(of_unit, np.bincount(unit, away) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):  # one case: 0 / 0 = NaN is the answer
        variance = float((weights**2 * (n / (n - 1)) * squares / sizes**2).sum())
    return float(weights @ shares), variance, np.inf if clusters is None else float((n - 1).sum())


def fewest_cases(sides: Sequence[Side]) -> int:
    """Of the rarer class, over all groups."""
    return min(int(min(own.n_positives.sum(), own.n_negatives.sum())) for own in (s.curved for s in sides))


def require_cases(both: Paired, unit: str | None, **ways: Any) -> None:
    """RS038 or RS063 if cases cannot be resampled."""
    if any(own.columns.weights is not None for own in both.sets):
        raise fail("RS038.cases", scores=both.sets[0], unit=unit)
    unlike = unequal_rows(both) if both.is_paired else []
    if unlike:
        raise fail("RS063.order", groups=unlike, unit=both.unit, **ways)


def can_resample_cases(method: Method) -> bool:
    """Whether cases can be resampled under this average."""
    return method in ("vertical", "horizontal", "threshold", "pooled")


def read_resamples(side: Side, readings: Readings, *, n_resamples: int, seed: int) -> Floats:
    """Readings of the average of a model, its cases drawn again within their group and class."""
    is_shared = isinstance(side.method, Pooled | Threshold)
    cases = ranked_cases(side.scores, shared=is_shared)
    if isinstance(side.method, Threshold):
        cases = cases.counting_alike()
    how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
    return resampled_cases(cases, readings, shared=is_shared, threads=side.threads, **how)


def judged(
    difference: Floats,
    drawn: Floats,
    largest: Floats,
    confidence_level: float,
    *,
    fewest_cases: int = FEW_CASES,
) -> MaxT:
    """The sup-t band and test: errors of resampled differences, and the largest deviations there may be.

    With few cases of a class these are the larger of the given ones and those of the resamples.
    """
    error = drawn.std(axis=0, ddof=1)
    if fewest_cases < FEW_CASES:
        deviation = np.abs(drawn - drawn.mean(axis=0))[:, error > 1e-12] / error[error > 1e-12]
        largest = np.maximum(np.sort(largest), np.sort(deviation.max(axis=1, initial=0.0)))
    error[error <= 1e-12] = 0.0
    kept = error > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.where(np.abs(difference) <= 1e-13, 0.0, np.abs(difference) / error)
    return against_maxima(
        difference,
        error,
        observed,
        np.append(largest, np.inf),
        statistic=float(observed.max(initial=0.0)),
        factor=float(np.quantile(largest, confidence_level, method="higher")) if kept.any() else np.nan,
    )


def _moments(side: Side) -> Moments:
    return replace(delong_moments(side.curved), clusters=cluster_counts(side.curved))


def _of_auc(side: Side, level: float) -> Interval:
    """Of the mean AUC of fixed groups whose cases are random; of one dataset, the one that is safe near 1."""
    moments = _moments(side)
    if side.aucs.size == 1:
        made = quiet_intervals(moments, level)
        return Interval(float(made.low[0]), float(made.high[0]), level, made.method)
    mean = side.aucs.mean()
    error = np.sqrt(delong_variance(moments).sum()) / side.aucs.size
    if not (error > 0 and 0 < mean < 1):
        return about(float(mean), float("nan"), np.inf, level)
    low, high = logit_limits(mean, t_quantile(np.inf, level) * error)
    return Interval(float(low), float(high), level, "logit")


def _score_interval(side: Side, place: Place, level: float) -> Interval:
    """Of a rate of one curve where the other is held, cases random."""
    (curve,) = roc_curves(side.curved, threads=side.threads)
    read = curve.tpr_interval if place.kind == "fpr" else curve.fpr_interval
    return read(place.of(side.name), method="score", confidence_level=level)


# What every case adds to a difference curve, and how large the largest deviation of the curve may get
# ----------------------------------------------------------------------------------------------------
#
# A curve of resampled cases is rougher than the curve of new ones would be: the largest deviation over many
# positions is too large, and a band made of it too wide (Bertail, Clemencon & Vayatis 2008). So the errors at
# single positions are those of the bootstrap, but how positions go together is that of the cases' influence.
# With few cases the influence itself is rough, and the larger of the two is taken.


def _influence_of(side: Side, at: Floats, over: str) -> tuple[int, Callable[[slice], Floats]]:
    """How many rows a model has, and what some of them add to its average at every position, ``(rows, n)``.

    The average is read at FPRs or, ``over`` "tpr", at TPRs; its curve is one, or one for each group.
    """
    c = side.scores.columns
    scores = np.asarray(c.scores, dtype=np.float64) * (1 if c.higher_is_positive else -1)
    is_free = np.asarray(c.labels == c.positive) == (over != "tpr")
    groups = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    weights = np.empty(scores.size)
    for which in (is_free, ~is_free):
        sizes = np.bincount(groups[which], minlength=c.n_groups)
        weights[which] = (
            1 / which.sum() if side.method == Pooled() else 1 / (c.n_groups * sizes[groups[which]])
        )
    curve = np.zeros_like(groups) if isinstance(side.method, Pooled | Threshold) else groups
    parts = []
    for number in range(int(curve[-1]) + 1):
        own = curve == number
        parts.append(_read(scores[own], is_free[own], weights[own], at, is_first=over == "tpr"))
    thresholds, free, held, slopes = (np.array(column) for column in zip(*parts, strict=True))

    def rows(own: slice) -> Floats:
        called = scores[own, None] >= thresholds[curve[own]]
        of_free = called - free[curve[own]]
        of_held = -slopes[curve[own]] * (called - held[curve[own]])
        return np.asarray(weights[own, None] * np.where(is_free[own, None], of_free, of_held))

    return scores.size, rows


def _read(
    scores: Floats, is_free: Mask, weights: Floats, at: Floats, *, is_first: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """Threshold, both rates and the slope of one curve where the held rate is met."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    last = np.append(falling[1:] != falling[:-1], True)
    levels = np.append(np.nan, falling[last])  # nothing is called there, not even an infinite score
    rates = []
    for which in (is_free, ~is_free):
        counted = np.cumsum(np.where(which, weights, 0.0)[order])
        rates.append(np.append(0.0, counted[last] / counted[-1]))
    free, held = rates

    def vertex(rate: Floats) -> Indices:
        # A rate k / n must find the vertex that has it, whatever rounding did to either.
        if is_first:
            return np.searchsorted(held, rate - 1e-12, side="left").clip(0, held.size - 1)
        return np.searchsorted(held, rate + 1e-12, side="right") - 1

    own = weights[~is_free] / weights[~is_free].sum()
    reach = np.sqrt((own**2).sum() * at * (1 - at))  # a standard error of the held rate
    low, here, high = (vertex(np.clip(at + step * reach, 0, 1)) for step in (-1, 0, 1))
    rise, run = free[high] - free[low], held[high] - held[low]
    slopes = np.divide(rise, run, out=np.zeros_like(rise), where=run > 0)
    return levels[here], free[here], held[here], slopes


def largest_deviations(
    sides: tuple[Side, Side], at: Floats, over: str, *, paired: bool, n_draws: int, seed: int
) -> Floats:
    """The largest deviation of a normal difference curve, in standard errors, drawn many times."""
    both = [_influence_of(side, at, over) for side in sides]
    covariance = np.zeros((at.size, at.size))
    size = max(1, _CELLS // at.size)
    for n_rows, of_rows in both[:1] if paired else both:
        for start in range(0, n_rows, size):
            rows = of_rows(slice(start, start + size))
            if paired:
                rows = rows - both[1][1](slice(start, start + size))
            covariance += rows.T @ rows
    error = np.sqrt(np.diag(covariance))
    kept = error > 1e-12
    if not kept.any():
        return np.zeros(n_draws)
    correlation = covariance[np.ix_(kept, kept)] / np.outer(error[kept], error[kept])
    # Positions that always move together make it singular; a trifle on the diagonal keeps the root defined.
    root = np.linalg.cholesky(correlation + 1e-9 * np.eye(len(correlation)))
    normal = np.random.default_rng(seed).standard_normal((n_draws, len(root)))
    return np.asarray(np.abs(normal @ root.T).max(axis=1))
