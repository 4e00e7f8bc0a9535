"""Confidence intervals of a curve: the methods for an AUC, its errors and tests, limits of rates, bands.

The estimators are in :mod:`rocsteady.statistics`; this decides which one answers, and what has to be said
when none does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from rocsteady.arrays import Counts, Floats, Integers, Mask
from rocsteady.counting.table import ClusterCounts, Moments, score_ranks
from rocsteady.curves.readings import read_path
from rocsteady.errors import Remedy, fail, warn
from rocsteady.options import one_of, open_share
from rocsteady.results import TableResult, Tested
from rocsteady.scores.scores import Scores
from rocsteady.showing import Told
from rocsteady.statistics.delong import (
    ClusteredAuc,
    delong_variance,
    guarded_limits,
    hanley_mcneil_variance,
    nonparametric_variance,
    rank_sum_null_variance,
)
from rocsteady.statistics.limits import (
    Interval,
    clopper_pearson,
    logit_limits,
    ratio_to_error,
    separated_limits,
    t_quantile,
    two_sided_pvalue,
    wilson_limits,
)

ERROR_METHODS = ("delong", "nonparametric", "hanley-mcneil")
INTERVAL_METHODS = ("guarded", "logit", "delong", "bootstrap")
ELSEWHERE = {"spss": "nonparametric", "hanley": "hanley-mcneil", "wald": "delong", "percentile": "bootstrap"}
"""What other programs call these methods."""
FEWEST_CLUSTERS = 20
_FEW_MISPLACED, _FEW_OF_EQUAL = 6, 2
"""Cases of the rarer class on the wrong side: with fewer, DeLong's error rests on nothing. On the logit
scale that shows in classes of similar size only where fewer than the second are misplaced."""
_FEW_IN_SPSS = 12
"""The same for the interval that SPSS prints, which is symmetric and cut at 1."""
_MUCH_LARGER = 3
_FEWEST_JUDGED = 10
"""Cases of the rarer class: with fewer, every interval is so wide that nobody takes it for exact."""


@dataclass(frozen=True, eq=False, repr=False)
class NullTest(Told, Tested, sentence="inference.null_test"):
    """A test of whether an AUC is 1/2.

    Attributes
    ----------
    auc, standard_error, statistic, pvalue : float
        ``statistic = (auc - 0.5) / standard_error``; the p-value is two-sided.
    method : str
        ``"nonparametric"`` or ``"delong"``.
    df : float
        Of Student's t where rows belong together, from the number of clusters; infinite for z.
    """

    auc: float
    standard_error: float
    statistic: float
    pvalue: float
    method: str
    df: float = np.inf

    _line = "AUC {auc:.3f} against 0.5: {_letter} = {statistic:.3f}, p = {pvalue:.3g}, {method}"


def auc_shares(moments: Moments) -> tuple[Floats, Floats]:
    """Every AUC and its complement, each by one division of Python integers, however many pairs there are."""
    wins, n_positives = moments.wins.astype(object), moments.n_positives.astype(object)
    pairs = 2 * n_positives * moments.n_negatives
    return np.asarray(wins / pairs, dtype=np.float64), np.asarray((pairs - wins) / pairs, dtype=np.float64)


def standard_errors(
    method: str, moments: Moments, true_positives: Counts, false_positives: Counts, offsets: Integers
) -> Floats:
    """The standard error of the AUC of every curve in flat arrays, with the warnings that belong to it."""
    one_of("method", method, ERROR_METHODS, elsewhere=ELSEWHERE)
    if method != "delong":
        require_independent(f"the {method} method", moments.clusters, "method='delong'")
    if method == "hanley-mcneil":
        aucs = auc_shares(moments)[0]
        return np.sqrt(hanley_mcneil_variance(aucs, moments.n_positives, moments.n_negatives))
    if method == "delong":
        warn_of_few_clusters(moments.clusters)
        _warn_of_single_cases(moments)
        return np.sqrt(delong_variance(moments))
    # Float products: n * e**2 passes int64 with a few million cases, and nothing is subtracted from it.
    new_positives, new_negatives = (
        np.diff(counts, prepend=0).astype(np.float64) for counts in (true_positives, false_positives)
    )
    new_positives[offsets[:-1]] = new_negatives[offsets[:-1]] = 0  # no case at the infinite threshold
    over_negatives = np.add.reduceat(new_negatives * new_positives**2, offsets[:-1])
    over_positives = np.add.reduceat(new_positives * new_negatives**2, offsets[:-1])
    return np.sqrt(nonparametric_variance(moments, over_negatives, over_positives))


def quiet_intervals(moments: Moments, confidence_level: float, method: str = "guarded") -> Interval:
    """The interval of every AUC by a formula; the bound for separated classes where it is 0 or 1."""
    level = open_share("confidence_level", confidence_level)
    auc, complement = auc_shares(moments)
    if method == "guarded":
        low, high = guarded_limits(auc, complement, moments, level)
    else:
        df = [np.inf if own is None else ClusteredAuc.of_counts(own).df for own in moments.clusters]
        half = t_quantile(np.array(df or [np.inf]), level) * np.sqrt(delong_variance(moments))
        low, high = {
            "logit": logit_limits(auc, half, complement),
            "delong": (np.clip(auc - half, 0, 1), np.clip(auc + half, 0, 1)),  # as pROC clips
        }[method]
    separated = (auc == 0) | (complement == 0)
    if separated.any():
        bounds = separated_limits(np.where(complement == 0, 1.0, 0.0), *units(moments), level)
        low, high = np.where(separated, bounds, (low, high))
        method = "separated" if separated.all() else method
    return Interval(low, high, level, method)


def intervals(method: str, moments: Moments, confidence_level: float) -> Interval:
    """The same, with the warnings that belong to it."""
    warn_of_few_clusters(moments.clusters)
    made = quiet_intervals(moments, confidence_level, method)
    auc, complement = auc_shares(moments)
    separated = (auc == 0) | (complement == 0)
    if separated.any():
        warn("RS151.separated", n=int(separated.sum()), auc=auc[separated][0])
    _warn_of_single_cases(moments, ~separated)
    flat = (made.low == made.high) & ~separated
    if flat.any():
        warn("RS154.flat", n=int(flat.sum()), auc=auc[flat][0])
    if method != "guarded":
        warn_short(method, *units(moments), auc)
    return made


def single_interval(method: str, moments: Moments, confidence_level: float) -> Interval:
    """The interval of one AUC by a formula."""
    made = intervals(method, moments, confidence_level)
    return Interval(float(made.low[0]), float(made.high[0]), made.confidence_level, made.method)


def units(moments: Moments) -> tuple[Integers, Integers]:
    """How many cases of either class are independent: rows, or the clusters that have some."""
    found = moments.n_positives.copy(), moments.n_negatives.copy()
    for i, clusters in enumerate(moments.clusters):
        if clusters is not None:
            found[0][i] = np.count_nonzero(clusters.n_positives)
            found[1][i] = np.count_nonzero(clusters.n_negatives)
    return found


def null_test(method: str | None, moments: Moments) -> NullTest:
    """Test one AUC against 1/2."""
    clusters = moments.clusters[0] if moments.clusters else None
    if method is None:
        method = "nonparametric" if clusters is None else "delong"
    one_of("method", method, ("nonparametric", "delong"), elsewhere=ELSEWHERE)
    if method == "delong":
        warn_of_few_clusters(moments.clusters)
        _warn_of_single_cases(moments)
        variance = delong_variance(moments)
    else:
        require_independent("the rank-sum test", moments.clusters, "method='delong'")
        variance = rank_sum_null_variance(moments.n_positives, moments.n_negatives)
    error = float(np.sqrt(variance)[0])
    df = np.inf if clusters is None else ClusteredAuc.of_counts(clusters).df
    wins, pairs = int(moments.wins[0]), int(moments.n_positives[0]) * int(moments.n_negatives[0])
    statistic = ratio_to_error((wins - pairs) / (2 * pairs), error)
    pvalue = float(two_sided_pvalue(statistic, df))
    return NullTest(wins / (2 * pairs), error, statistic, pvalue, method, df)


def ranked_rows(rows: Scores | None) -> tuple[tuple[Integers, Integers], tuple[Floats, Floats]]:
    """Ranks and weights of the rows behind a weighted curve, positives and negatives apart."""
    if rows is None or rows.sample_weight is None:
        raise fail("RS038.no-rows")
    ranks, own, weights = score_ranks(rows), rows.is_positive, rows.sample_weight
    return (ranks[own], ranks[~own]), (weights[own], weights[~own])


def require_independent(
    what: str, clusters: Sequence[ClusterCounts | None], remedy: str, statistic: str = ""
) -> None:
    """RS016 where rows belong together, for a method that takes them for independent."""
    known = next((own for own in clusters if own is not None), None)
    if known is not None:
        raise fail(
            "RS016.formula",
            what=what,
            rows=int(known.n_positives.sum() + known.n_negatives.sum()),
            n=known.n_positives.size,
            unit=known.unit,
            statistic=statistic,
            ways=[f"a method that allows for it:  {remedy}"],
        )


def warn_of_few_clusters(clusters: Sequence[ClusterCounts | None]) -> None:
    """RS157 where so few clusters have rows of a class that their spread is hardly known."""
    few = [own for own in clusters if own is not None and own.fewest < FEWEST_CLUSTERS]
    if few:
        own = min(few, key=lambda one: one.fewest)
        warn("RS157", unit=own.unit, n=own.fewest, needed=FEWEST_CLUSTERS)


def is_short(method: str, n_positives: Any, n_negatives: Any, auc: Any) -> Mask:
    """Where few cases of the rarer class are misplaced, about ``n * min(AUC, 1 - AUC)`` of them.

    There every method but the guarded one was measured to cover less than it promises (docs/coverage.md).
    Separated classes have their own bound and their own note.
    """
    n_positives, n_negatives, auc = map(np.atleast_1d, (n_positives, n_negatives, auc))
    rarer = np.minimum(n_positives, n_negatives)
    misplaced = rarer * np.minimum(auc, 1 - auc)
    few = np.full(rarer.shape, _FEW_IN_SPSS if method == "nonparametric" else _FEW_MISPLACED)
    if method == "logit":
        few[np.maximum(n_positives, n_negatives) < _MUCH_LARGER * rarer] = _FEW_OF_EQUAL
    found: Mask = (misplaced > 0) & (misplaced < few) & (rarer >= _FEWEST_JUDGED)
    return found


def warn_short(method: str, n_positives: Any, n_negatives: Any, auc: Any, *, call: str = "") -> None:
    """RS155 where an interval is known to cover less than it promises."""
    n_positives, n_negatives, auc = map(np.atleast_1d, (n_positives, n_negatives, auc))
    short = is_short(method, n_positives, n_negatives, auc)
    if short.any():
        first = int(np.argmax(short))
        warn(
            "RS155.short",
            n=int(short.sum()),
            of=short.size,
            method=method,
            n_positives=int(n_positives[first]),
            n_negatives=int(n_negatives[first]),
            auc=auc[first],
            call=call,
        )


def _warn_of_single_cases(moments: Moments, among: Mask | bool = True) -> None:
    """RS153 where a class has a single case."""
    single = among & ((moments.n_positives == 1) | (moments.n_negatives == 1))
    if single.any():
        n_positives, n_negatives = (int(n[single][0]) for n in (moments.n_positives, moments.n_negatives))
        warn("RS153.delong", n=int(single.sum()), n_positives=n_positives, n_negatives=n_negatives)


# A rate where the other is held: both are uncertain
# --------------------------------------------------

FEWEST_CASES = (10, 5)
"""Cases on either side of a threshold, of the class that sets it and of the other, below which percentiles of
resamples do not keep their level."""


class EffectiveCases(NamedTuple):
    """How many independent cases would make a rate as sure as clusters do, and their degrees of freedom."""

    n: Any
    df: float = np.inf

    def limits(self, share: Any, level: float) -> tuple[Floats, Floats]:
        """Wilson's, with Student's t where there are clusters."""
        return wilson_limits(np.asarray(share), self.n, t_quantile(self.df, level))


class Held(NamedTuple):
    """A rate that is held at some values, and the one that is read there."""

    at: Floats
    value: Floats  # the curve's own readings there
    n_held: float  # how many cases either is a share of
    n_read: float
    read: Callable[[Floats], Any]  # where a whole number of cases of the held class is beyond the threshold
    cases: tuple[EffectiveCases, ...] = ()  # of the held rate and of the one that is read
    correlation: Any = 0.0  # of the two rates at one threshold: a cluster may have rows of both classes


def score_limits(held: Held, level: float) -> tuple[Floats, Floats]:
    """Score limits of the rate at a known threshold, widened by how far the threshold may be off.

    Two distances from the estimate, to the limit of the rate and to the reading at the limit of the held
    rate, are combined like standard errors (Zou & Donner 2008); what the two have in common cancels.
    """
    value = _expected(held, held.at)
    of_held, of_read = held.cases
    own = of_read.limits(value, level)
    moved = [_expected(held, limit) for limit in of_held.limits(held.at, level)]
    below, above = (
        np.sqrt(np.maximum(a**2 + b**2 - 2 * held.correlation * a * b, 0.0))
        for a, b in ((value - own[0], value - moved[0]), (own[1] - value, moved[1] - value))
    )
    low, high = np.maximum(value - below, 0.0), np.minimum(value + above, 1.0)
    return np.minimum(low, held.value), np.maximum(high, held.value)


def _expected(held: Held, at: Floats) -> Floats:
    """The reading where the held rate is expected to be ``at``, between whole numbers of cases.

    A threshold at the k-th of n cases leaves a share of k / (n + 1) beyond it on average, so the best reading
    that a sample affords at k / n, just before the next case, is that of a rate nearer to (k + 1) / (n + 1).
    Left uncorrected, limits at k = 3 cover 83 % instead of 95 %.
    """
    beyond = (held.n_held + 1) * at - 1
    least = np.floor(np.round(beyond, 9))
    share = beyond - least
    ends = [
        np.where(k < 0, 0.0, np.where(k > held.n_held, 1.0, held.read(np.clip(k, 0, held.n_held))))
        for k in (least, least + 1)
    ]
    return np.asarray(ends[0] + share * (ends[1] - ends[0]))


def exact_limits(held: Held, level: float) -> tuple[Floats, Floats]:
    """Clopper-Pearson limits at the strictest and the loosest threshold that order statistics leave; wide.

    Half of alpha is spent on the cases of the held class beyond the true threshold, half on the rate.
    """
    from scipy.special import bdtr, bdtrik

    alpha, ends = 1 - level, []
    for share in (alpha / 4, 1 - alpha / 4):
        n = held.n_held
        beyond = np.ceil(bdtrik(share, n, held.at))
        fewer = np.maximum(beyond - 1, 0)
        beyond = np.where(bdtr(fewer, n, held.at) >= share, fewer, beyond)
        ends.append(np.where(held.at == 0, 0, np.where(held.at == 1, n, np.nan_to_num(beyond))))
    least, most = ends
    strict, loose = held.read(np.maximum(least - 1, 0)), held.read(np.minimum(most, held.n_held))
    low = clopper_pearson(strict, held.n_read, alpha / 2)[0]
    high = clopper_pearson(loose, held.n_read, alpha / 2)[1]
    return np.where(least > 0, low, 0.0), np.where(most >= held.n_held, 1.0, high)


def few_cases(held: Held, fewest: tuple[int, int] = FEWEST_CASES) -> Mask:
    """Where too few cases stand on one side of the threshold for resamples."""
    is_few = _rarer(held.at, held.n_held) < fewest[0]
    return np.asarray(is_few | (_rarer(held.value, held.n_read) < fewest[1]))


def _rarer(share: Floats, n: float) -> Floats:
    """Cases on the side where fewer are, whole numbers freed of rounding."""
    return np.round(n * np.minimum(share, 1 - share), 9)


def warn_of_few(held: Held, name: str, *remedies: Remedy, fewest: tuple[int, int] = FEWEST_CASES) -> None:
    """RS295 where too few cases stand on one side of the threshold."""
    is_few = few_cases(held, fewest)
    if is_few.any():
        first = int(np.argmax(is_few))
        warn(
            "RS295",
            name=name,
            at=held.at[first] if name == "FPR" else 1 - held.at[first],
            setting=_rarer(held.at, held.n_held)[first],
            others=_rarer(held.value, held.n_read)[first],
            fewest=fewest,
            ways=remedies,
        )


# Bands: limits around a curve or an average
# ------------------------------------------

Range = tuple[float, float]


def runs_of(at: Floats, chosen: Mask) -> tuple[Range, ...]:
    """Runs of chosen positions, each as its first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    return tuple((float(at[i]), float(at[j - 1])) for i, j in zip(edges[::2], edges[1::2], strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class BandEdge(TableResult):
    """One side of a band, as a polyline; not clipped to the unit square."""

    fpr: Floats
    tpr: Floats

    _line = "{fpr:count point}"


@dataclass(frozen=True, eq=False, repr=False)
class Band(Told, TableResult):
    """Limits around a curve or an average.

    Attributes
    ----------
    lower, upper : BandEdge
        The worse and the better side, point by point; the same number of points as ``middle``.
    middle : BandEdge
        The curve or average at the same positions.
    kind : str
        "pointwise", "simultaneous" or "prediction".
    confidence_level : float
        Of each point, of the whole band, or of one more group's curve at each point.
    factor : float
        What the standard error was multiplied by; NaN where there is no such factor, as with percentiles.
    fpr : (float, float) or None
        The declared range, where there is one.
    excluded : tuple of (float, float)
        Ranges of false positive rates left out: because most curves coincide there, or too few cases of one
        curve are on one side of the threshold to resample them.
    reading : str
        What the band promises.
    """

    lower: BandEdge
    upper: BandEdge
    middle: BandEdge
    kind: str
    confidence_level: float
    factor: float
    fpr: Range | None
    excluded: tuple[Range, ...]
    _sentence: str  # of show.sentences
    _about: Any  # what that sentence is about besides

    _line = "{kind}, confidence level {confidence_level:g}{fpr:?, fpr {fpr[0]:g} to {fpr[1]:g}}"
    _in_frame = (
        "middle.fpr, middle.tpr, lower_fpr=lower.fpr, lower_tpr=lower.tpr, "
        "upper_fpr=upper.fpr, upper_tpr=upper.tpr"
    )

    def on_grid(self, n_points: int, cosine: float = 1.0, sine: float = 0.0) -> Self:
        """The band at evenly spaced positions along a direction, by default along the FPR.

        On a jump it is what a curve takes there, the better end.
        """
        position = np.maximum.accumulate(cosine * self.middle.fpr + sine * self.middle.tpr)
        at = np.linspace(position[0], position[-1], n_points)
        end = "first" if cosine == 0 else "last"
        lower, upper, middle = (
            BandEdge(*(read_path(position, rates, at, end=end) for rates in (edge.fpr, edge.tpr)))
            for edge in (self.lower, self.upper, self.middle)
        )
        return replace(self, lower=lower, upper=upper, middle=middle)


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand(Band):
    """Limits around one curve.

    Attributes
    ----------
    method : str
        How they were made; the others as in :class:`Band`.
    """

    method: str = "score"

    _line = Band._line + ", {method}"
