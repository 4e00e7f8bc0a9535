"""Comparisons in which cases are random and the groups are these very ones.

Areas by DeLong's method; readings at a budget and along the curve by the bootstrap of cases within group and
class, both models resampled together where they scored the same cases; rates at frozen thresholds as (paired)
proportions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rocsteady.arrays import Floats, Indices, Integers, Mask
from rocsteady.averaging.methods import Method, Pooled, Threshold
from rocsteady.counting.table import cluster_counts, delong_covariance, delong_moments
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.intervals import (
    FEWEST_CLUSTERS,
    EffectiveCases,
    quiet_intervals,
    warn_of_few_clusters,
)
from rocsteady.curves.roc import resampled_curve
from rocsteady.errors import warn
from rocsteady.inference.compare_sides import Over, Question, Side, about, positions
from rocsteady.inference.differences import (
    Basis,
    Budget,
    Compared,
    Difference,
    DifferenceCurve,
    Measure,
    Test,
)
from rocsteady.inference.tests_on_same_cases import warn_of_few_cases
from rocsteady.places import Place
from rocsteady.scores.design import Random
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.delong import ClusteredAuc, delong_components, delong_variance
from rocsteady.statistics.groups import SignFlips
from rocsteady.statistics.limits import Interval, logit_limits, satterthwaite_df, t_quantile
from rocsteady.statistics.resampling import RankedCases, Readings, ranked_cases, resampled_cases
from rocsteady.words import printable

FEW_BEYOND = 1
"""Cases beyond the threshold of a budget. Up to one, 95 % intervals were measured to cover 84 to 92 %."""


FEW_CASES = 50
"""Of a class. With fewer, bands made of the cases' influence alone were measured to hold 91 % of the time."""


_CELLS = 2**22
"""Cells held at once; bounds the memory."""


class OverCases(Over):
    """Two models whose cases are a sample, in groups that stay as they are."""

    test = Test.DELONG

    def __init__(
        self,
        sides: tuple[Side, Side],
        question: Question,
        basis: Basis,
        places: Sequence[Place],
        *,
        whole: bool,
    ) -> None:
        together = sides[0].curved._together
        if together is not None and basis.is_one_dataset and sides[1].curved._together is not None:
            basis = replace(
                basis,
                random=Random.CLUSTERS,
                n_clusters=np.unique(together.codes).size,
                cluster_unit=printable(together.unit),
            )
        super().__init__(sides, question, basis)
        self.places, self.whole = places, whole

    def auc(self) -> Difference:
        """The difference of the mean AUCs."""
        means = [float(side.aucs.mean()) for side in self.sides]
        self._warn_of_missing_errors()
        if all(side.curved._together is None for side in self.sides):
            warn_of_few_cases(fewest_cases(self.sides))
        variances, freedom = self._auc_variances()
        error, df = float(np.sqrt(variances.sum())), float(satterthwaite_df(variances, freedom))
        each = [_of_auc(side, self.question.confidence_level) for side in self.sides]
        return self._difference_of(Measure.AUC, means, error=error, df=df, own=each)

    def _auc_variances(self) -> tuple[Floats, Floats]:
        """What the cases of each group and class add to the variance, and their degrees of freedom."""
        sets = [side.curved for side in self.sides]
        if any(own._together is not None for own in sets):
            found = self._clustered_variances(sets)
            return np.concatenate([own for own, _ in found]), np.concatenate([own for _, own in found])
        if self.paired:
            m = [delong_covariance(pair) for pair in zip(*(side.curved for side in self.sides), strict=True)]
            # Not var(a) + var(b) - 2 cov(a, b): models that differ in few cases would cancel to nothing.
            spreads = (
                [own.positive_difference[0, 1] for own in m],
                [own.negative_difference[0, 1] for own in m],
            )
            sizes = [np.array([own.n_positives for own in m]), np.array([own.n_negatives for own in m])]
            parts = [*delong_components(*map(np.array, spreads), *sizes)]
            return np.concatenate(parts) / len(m) ** 2, np.concatenate(sizes) - 1.0
        variances, freedom = [], []
        for side, n in zip(self.sides, self.sizes, strict=True):
            own = delong_moments(side.curved)
            sizes = [own.n_positives, own.n_negatives]
            variances += [
                part / n**2 for part in delong_components(own.positive_spread, own.negative_spread, *sizes)
            ]
            freedom += [size - 1.0 for size in sizes]
        return np.concatenate(variances), np.concatenate(freedom)

    def _clustered_variances(self, sets: Sequence[ScoreSet]) -> list[tuple[Floats, Floats]]:
        """The same where rows belong together, group by group."""
        together = [own._together for own in sets]
        if self.paired:  # the same rows: one of the two may not know
            together = [together[0] or together[1]] * 2
        counts = [
            cluster_counts(own, together=known, each=True) for own, known in zip(sets, together, strict=True)
        ]
        if min(sum(own.fewest for own in of if own) for of in counts) < FEWEST_CLUSTERS:
            warn_of_few_clusters([*counts[0], *counts[1]])
        if self.paired:
            pairs = zip(*counts, strict=True)
            added = [(ClusteredAuc.of_counts(a, b), len(counts[0])) for a, b in pairs if a and b]
        else:
            added = [(ClusteredAuc.of_counts(own), len(of)) for of in counts for own in of if own]
        return [(own / n**2, freedom) for one, n in added for own, freedom in (one.components(),)]

    def auc_correlation(self, found: Difference) -> float:
        """Of the two AUCs, from the variances of both and of their difference; NaN for separate cases."""
        moments = [
            replace(delong_moments(side.curved), clusters=cluster_counts(side.curved)) for side in self.sides
        ]
        variances = [float(delong_variance(own).sum()) for own in moments]
        if not (self.paired and min(variances) > 0):
            return float("nan")
        both = (found.standard_error * self.sizes[0]) ** 2
        return float(np.clip((sum(variances) - both) / (2 * np.sqrt(variances[0] * variances[1])), -1, 1))

    def _warn_of_missing_errors(self) -> None:
        """RS153 where a class has one case, RS151 where an AUC is 0 or 1: DeLong knows no error there."""
        sets = [side.curved for side in self.sides]
        fewest = min(int(min(own.n_positives.min(), own.n_negatives.min())) for own in sets)
        if fewest == 1:
            warn("RS153.test", n_positives=None, n_negatives=None, unit=self.unit)
        elif any(np.isin(side.aucs, (0.0, 1.0)).any() for side in self.sides):
            aucs = np.concatenate([side.aucs for side in self.sides])
            warn("RS151.test", n_separated=int(np.isin(aucs, (0.0, 1.0)).sum()), n=aucs.size)

    def area(self) -> Difference | None:
        """The difference of the areas under averages with one threshold for all."""
        if not self._has_area:
            return None
        means, level = [side.average.auc for side in self.sides], self.question.confidence_level
        draws = self._drawn("auc", [0.0])[:, :, 0]
        own = [
            about(mean, float(np.std(drawn, ddof=1)), np.inf, level)
            for mean, drawn in zip(means, draws, strict=True)
        ]
        return self._of_draws(Measure.AREA, means, draws, own)

    @property
    def _has_area(self) -> bool:
        """Whether the area under the average is another than the mean AUC."""
        return not self.basis.is_one_dataset and isinstance(self.basis.method, Pooled | Threshold)

    def at(self, place: Place) -> list[Difference]:
        """The differences at one operating point."""
        if place.kind == "threshold":
            return self._at_thresholds(place)
        pair = [side.read(place)[0] for side in self.sides]
        self._warn_of_few_beyond(place)
        draws = self._drawn(place.kind, [place.of(self.basis.a)])[:, :, 0]
        own = [
            _at_budget(side, place, reading.mean, drawn, self.question.confidence_level)
            for side, reading, drawn in zip(self.sides, pair, draws, strict=True)
        ]
        budget = Budget.OWN if self.sides[0].each_meets else Budget.SHARED
        return [self._of_draws(pair[0].measure, [own.mean for own in pair], draws, own, place, budget)]

    def _warn_of_few_beyond(self, place: Place) -> None:
        """RS280 where hardly a case stands beyond the threshold that meets a budget."""
        is_fpr = place.kind == "fpr"
        of = "negatives" if is_fpr else "positives"
        at = place.of(self.sides[0].name)
        sets = [side.curved for side in self.sides]
        sizes = [own.n_negatives if is_fpr else own.n_positives for own in sets]
        n = min(int(own.min() if self.sides[0].each_meets else own.sum()) for own in sizes)
        beyond = n * min(at, 1 - at)
        if beyond > FEW_BEYOND + 1e-9:
            return
        share = math.ceil(200 * FEW_BEYOND / n) / 100
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

    def _of_draws(
        self,
        measure: Measure,
        means: Sequence[float],
        draws: Floats,
        own: Sequence[Interval],
        place: Place | None = None,
        budget: Budget | None = None,
    ) -> Difference:
        return self._difference_of(
            measure,
            means,
            error=float(np.std(draws[0] - draws[1], ddof=1)),
            df=self._df,
            own=own,
            place=place,
            budget=budget,
            test=Test.BOOTSTRAP,
            smallest_pvalue=1 / (self.question.n_resamples + 1),
        )

    @property
    def _df(self) -> float:
        """Of errors from resamples: infinite for cases, of the fewer clusters where these are drawn."""
        if self.basis.random is not Random.CLUSTERS:
            return np.inf
        together = [side.curved._together for side in self.sides]
        return min(np.unique(own.codes).size for own in together if own is not None) - 1.0

    @cached_property
    def _positions(self) -> tuple[Floats, str]:
        """Of the difference curve, and what they are."""
        return positions(self.sides, self.question.fpr)

    @cached_property
    def _wanted(self) -> list[tuple[str, float]]:
        """All that is read of a resample, in the order of the columns: cases are ranked and drawn once."""
        rates: dict[str, list[float]] = {"fpr": [], "tpr": []}
        for place in self.places:
            if place.kind in rates:
                rates[place.kind].append(float(place.of(self.basis.a)))
        if self.whole:
            at, over = self._positions
            rates[over] += at.tolist()
        area = [("auc", 0.0)] if self._has_area and (self.whole or not self.places) else []
        return area + [(kind, own) for kind, values in rates.items() for own in values]

    def _drawn(self, kind: str, at: Sequence[float]) -> Floats:
        """Both models' readings of the resamples at some places of a kind, ``(2, n_resamples, n)``."""
        columns = [self._wanted.index((kind, float(own))) for own in at]
        return np.ascontiguousarray(self._resampled[:, :, columns])

    @cached_property
    def _resampled(self) -> Floats:
        """Of resampled cases or clusters; the same seed draws the same ones for both models."""
        q, found = self.question, []
        at = {kind: [own for of, own in self._wanted if of == kind] for kind in ("auc", "fpr", "tpr")}
        readings = Readings(auc=bool(at["auc"]), tpr_at=at["fpr"], fpr_at=at["tpr"])
        for number, side in enumerate(self.sides):
            seed = q.seed
            if number and not self.paired:  # samples that must not be drawn alike
                seed = int(np.random.SeedSequence([q.seed, number]).generate_state(1)[0])
            if self.basis.random is Random.CLUSTERS:
                (curve,) = roc_curves(side.curved, threads=side.threads)
                drawn = resampled_curve(curve, readings, n_resamples=q.n_resamples, seed=seed)
            else:
                drawn = resampled_cases(
                    cases_for(side),
                    readings,
                    shared=isinstance(side.method, Pooled | Threshold),
                    n_resamples=q.n_resamples,
                    seed=seed,
                    threads=side.threads,
                )
            found.append(drawn)
        return np.array(found)

    def _at_thresholds(self, place: Place) -> list[Difference]:
        thresholds = [place.of(side.name) for side in self.sides]
        level = self.question.confidence_level
        found = []
        for measure in (Measure.FPR, Measure.TPR):
            first, second = _shares_of(self.sides, thresholds, of_positives=measure is Measure.TPR)
            variance = first.less(second).variance if self.paired else first.variance + second.variance
            found.append(
                self._difference_of(
                    measure,
                    [first.mean, second.mean],
                    error=float(np.sqrt(variance)),
                    df=min(first.df, second.df),
                    own=[first.interval(level), second.interval(level)],
                    place=place,
                    budget=Budget.KEPT,
                    test=Test.PROPORTIONS,
                )
            )
        return found

    def curve(self) -> DifferenceCurve:
        """The difference over the declared range."""
        at, over = self._positions
        sign = -1.0 if over == "tpr" else 1.0
        first, second = (side.gains(at)[0] for side in self.sides)
        draws = self._drawn(over, at.tolist())
        q = self.question
        largest = largest_deviations(
            self.sides, at, over, paired=self.paired, n_draws=q.n_resamples, seed=q.seed
        )
        factor, fewest = t_quantile(np.inf, q.confidence_level, "normal"), fewest_cases(self.sides)
        if self.basis.random is Random.CLUSTERS:  # few: deviations as large as Student's t has them
            wider = t_quantile(self._df, q.confidence_level)
            largest, factor, fewest = largest * (wider / factor), wider, 0
        drawn = sign * (draws[0] - draws[1])
        found = judged(first - second, drawn, largest, q.confidence_level, fewest_cases=fewest)
        facts = Compared(Measure.TPR, Test.BOOTSTRAP, self.basis)
        return self._curve_of(at, over, (first, second), found, factor * found.standard_error, facts)


def fewest_cases(sides: Sequence[Side]) -> int:
    """Of the rarer class, over all groups."""
    return min(int(min(own.n_positives.sum(), own.n_negatives.sum())) for own in (s.curved for s in sides))


def can_resample_cases(method: Method) -> bool:
    """Whether cases can be resampled under this average."""
    return method in ("vertical", "horizontal", "threshold", "pooled")


def cases_for(side: Side) -> RankedCases:
    """The ranked cases; for a threshold average each counts one over the cases of its class in its group."""
    if not isinstance(side.method, Threshold):
        return ranked_cases(side.scores, shared=isinstance(side.method, Pooled))
    cases = ranked_cases(side.scores, shared=True)
    shares = [
        np.repeat(1.0 / np.maximum(np.diff(offsets), 1), np.diff(offsets))
        for offsets in (cases.positive_offsets, cases.negative_offsets)
    ]
    return replace(cases, positive_weights=shares[0], negative_weights=shares[1])


def judged(
    difference: Floats,
    drawn: Floats,
    largest: Floats,
    confidence_level: float,
    *,
    fewest_cases: int = FEW_CASES,
) -> SignFlips:
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
    rising = np.sort(largest)
    beyond = rising.size - np.searchsorted(rising, observed * (1 - 1e-10))
    adjusted = (1 + beyond) / (rising.size + 1)
    adjusted[observed == 0] = 1.0
    factor = float(np.quantile(largest, confidence_level, method="higher")) if kept.any() else float("nan")
    return SignFlips(
        mean=difference,
        standard_error=error,
        statistic=float(observed.max(initial=0.0)),
        pvalue=float(adjusted.min(initial=1.0)),
        adjusted=adjusted,
        factor=factor,
        n_flips=rising.size + 1,
        is_exact=False,
        smallest_pvalue=1 / (rising.size + 1),
        left_out=~kept,
        confidence_level=confidence_level,
    )


# The interval of one model's own value
# -------------------------------------


def _of_auc(side: Side, level: float) -> Interval:
    """Of the mean AUC of fixed groups whose cases are random; of one dataset, the one that is safe near 1."""
    moments = replace(delong_moments(side.curved), clusters=cluster_counts(side.curved))
    if side.aucs.size == 1:
        made = quiet_intervals(moments, level)
        return Interval(float(made.low[0]), float(made.high[0]), level, made.method)
    mean = side.aucs.mean()
    error = np.sqrt(delong_variance(moments).sum()) / side.aucs.size
    if not (error > 0 and 0 < mean < 1):
        return about(float(mean), float("nan"), np.inf, level)
    low, high = logit_limits(mean, t_quantile(np.inf, level) * error)
    return Interval(float(low), float(high), level, "logit")


def _at_budget(side: Side, place: Place, value: float, draws: Floats, level: float) -> Interval:
    """Of a rate where the other is held, cases random: score limits of one curve, else from the resamples."""
    if len(side.scores) > 1:
        return about(value, float(np.std(draws, ddof=1)), np.inf, level)
    (curve,) = roc_curves(side.curved, threads=side.threads)
    at = place.of(side.name)
    read = curve.tpr_interval if place.kind == "fpr" else curve.fpr_interval
    return read(at, method="score", confidence_level=level)


# Rates at frozen thresholds: (paired) proportions, within groups that stay
# -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Share:
    """One model's rate: the calls (0 or 1) of every group's cases of a class, and what each group counts."""

    calls: list[Floats]
    weights: Floats
    clusters: list[Integers] | None = None  # of the same cases, where rows belong together

    @property
    def mean(self) -> float:
        """Over groups."""
        return float(sum(w * own.mean() for w, own in self._counted))

    @property
    def variance(self) -> float:
        """Of that mean."""
        if self.clusters is None:
            return sum(w**2 * _variance_of_mean(own) for w, own in self._counted)
        kept = zip(self.weights, self.calls, self.clusters, strict=True)
        return sum(float(w) ** 2 * _variance_by_cluster(own, codes) for w, own, codes in kept if w > 0)

    @property
    def df(self) -> float:
        """Of its variance: infinite for independent cases, else from the number of clusters."""
        if self.clusters is None:
            return np.inf
        return float(sum(np.unique(own).size - 1 for own in self.clusters))

    def less(self, other: _Share) -> _Share:
        """The differences of the same cases' calls."""
        both = [x - y for x, y in zip(self.calls, other.calls, strict=True)]
        return _Share(both, self.weights, self.clusters)

    def interval(self, level: float) -> Interval:
        """Of the rate."""
        sizes = [own.size for _, own in self._counted]
        if len(sizes) > 1:
            return about(self.mean, float(np.sqrt(self.variance)), np.inf, level)
        held = EffectiveCases(sizes[0])
        if self.clusters is not None:
            binomial = self.mean * (1 - self.mean)
            n = np.unique(self.clusters[0]).size if binomial == 0 else min(binomial / self.variance, sizes[0])
            held = EffectiveCases(n, self.df)
        low, high = held.limits(self.mean, level)
        return Interval(float(low), float(high), level, "wilson")

    @property
    def _counted(self) -> list[tuple[float, Floats]]:
        return [(float(w), own) for w, own in zip(self.weights, self.calls, strict=True) if w > 0]


def _shares_of(sides: Sequence[Side], thresholds: Sequence[float], *, of_positives: bool) -> list[_Share]:
    """The rates of all models in one class."""
    found = []
    for side, threshold in zip(sides, thresholds, strict=True):
        c = side.scores.columns
        called = c.scores >= threshold if c.higher_is_positive else c.scores <= threshold
        is_class = (c.labels == c.positive) == of_positives
        rows = [
            called[start:stop][is_class[start:stop]].astype(np.float64)
            for start, stop in zip(c.offsets[:-1], c.offsets[1:], strict=True)
        ]
        weights = np.array([own.size if isinstance(side.method, Pooled) else 1.0 for own in rows])
        together = side.scores._together
        clusters = None
        if together is not None:
            clusters = [
                together.codes[start:stop][is_class[start:stop]]
                for start, stop in zip(c.offsets[:-1], c.offsets[1:], strict=True)
            ]
        found.append(_Share(rows, weights / weights.sum(), clusters))
    return found


def _variance_by_cluster(values: Floats, codes: Integers) -> float:
    """Of a mean of rows that belong together: what they add is summed before it is squared."""
    present, own = np.unique(codes, return_inverse=True)
    if present.size < 2:
        return float("nan")
    sums = np.bincount(own.reshape(-1), values - values.mean())
    return float(present.size / (present.size - 1) * (sums**2).sum() / values.size**2)


def _variance_of_mean(values: Floats) -> float:
    return float(values.var(ddof=1) / values.size) if values.size > 1 else float("nan")


# What every case adds to a difference curve, and how large the largest deviation of the curve may get
# ----------------------------------------------------------------------------------------------------
#
# A curve of resampled cases is rougher than the curve of new ones would be: the largest deviation over many
# positions is too large, and a band made of it too wide (Bertail, Clemencon & Vayatis 2008). So the errors at
# single positions are those of the bootstrap, but how positions go together is that of the cases' influence.
# With few cases the influence itself is rough, and the larger of the two is taken.


@dataclass(frozen=True, eq=False)
class _Influence:
    """One model's curve, or those of its groups, at some positions.

    ``thresholds``, ``free``, ``held`` and ``slopes`` are ``(n_curves, n_positions)``; rows of scores have a
    weight and belong to a curve.
    """

    scores: Floats
    is_free: Mask
    weights: Floats
    curve: Indices
    thresholds: Floats
    free: Floats
    held: Floats
    slopes: Floats

    def rows(self, start: int, stop: int) -> Floats:
        """What rows add to the free rate at every position, ``(n_rows, n_positions)``."""
        own, curve = slice(start, stop), self.curve[start:stop]
        called = self.scores[own, None] >= self.thresholds[curve]
        of_free = called - self.free[curve]
        of_held = -self.slopes[curve] * (called - self.held[curve])
        return np.asarray(self.weights[own, None] * np.where(self.is_free[own, None], of_free, of_held))


def _influence_of(side: Side, at: Floats, over: str) -> _Influence:
    """The influence of every row on the average of one model, read at FPRs or, ``over`` "tpr", at TPRs."""
    c = side.scores.columns
    scores = np.asarray(c.scores, dtype=np.float64) * (1 if c.higher_is_positive else -1)
    is_positive = np.asarray(c.labels == c.positive)
    is_free = is_positive if over != "tpr" else ~is_positive
    groups = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    is_shared = isinstance(side.method, Pooled | Threshold)
    weights = np.empty(scores.size)
    for which in (is_free, ~is_free):
        sizes = np.bincount(groups[which], minlength=c.n_groups)
        weights[which] = (
            1 / which.sum() if side.method == Pooled() else 1 / (c.n_groups * sizes[groups[which]])
        )
    curve = np.zeros_like(groups) if is_shared else groups
    parts = []
    for number in range(int(curve[-1]) + 1):
        own = curve == number
        parts.append(_read(scores[own], is_free[own], weights[own], at, is_first=over == "tpr"))
    thresholds, free, held, slopes = (np.array(column) for column in zip(*parts, strict=True))
    return _Influence(scores, is_free, weights, curve, thresholds, free, held, slopes)


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
    for own in both[:1] if paired else both:
        for start in range(0, own.scores.size, size):
            rows = own.rows(start, start + size)
            if paired:
                rows = rows - both[1].rows(start, start + size)
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
