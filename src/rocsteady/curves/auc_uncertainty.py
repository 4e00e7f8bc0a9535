"""How sure an AUC is: standard errors, intervals and the test against 1/2, for one curve or many.

The formulas are in :mod:`rocsteady.uncertainty`; what is decided here is which one serves, and what has to
be said when none does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Counts, Floats, Integers
from rocsteady.counting.table import ClusterCounts, Moments, score_ranks
from rocsteady.errors import RocsteadyError, fail, warn
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.results import Result
from rocsteady.scores.scores import Scores
from rocsteady.statistics.delong import (
    ClusteredAuc,
    delong_variance,
    guarded_limits,
    hanley_mcneil_variance,
    nonparametric_variance,
    rank_sum_null_variance,
)
from rocsteady.statistics.intervals import (
    Interval,
    logit_limits,
    ratio_to_error,
    separated_limits,
    t_quantile,
    two_sided_pvalue,
)
from rocsteady.statistics.resampling import RankedCases

Ties = Callable[[], tuple[Floats, Floats]]

ERROR_METHODS = ("delong", "nonparametric", "hanley-mcneil")
INTERVAL_METHODS = ("guarded", "logit", *ERROR_METHODS, "bootstrap")
ELSEWHERE = {"spss": "nonparametric", "hanley": "hanley-mcneil", "wald": "delong", "percentile": "bootstrap"}
"""What other programs call these methods."""
_FEW_MISPLACED, _FEW_FOR_WALD = 5, 6
_VERY_FEW, _RATINGS = 2, 0.045
_MUCH_LARGER = 3
FEWEST_CLUSTERS = 20
_FEWEST_JUDGED = 10
"""Cases of the rarer class: with fewer, every interval is so wide that nobody takes it for exact."""


@dataclass(frozen=True, eq=False, repr=False)
class NullTest(Result):
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

    def __repr__(self) -> str:
        result = f"{'z' if np.isinf(self.df) else 't'} = {self.statistic:.3f}, p = {self.pvalue:.3g}"
        return f"NullTest(AUC {self.auc:.3f} against 0.5: {result}, {self.method})"


def auc_shares(moments: Moments) -> tuple[Floats, Floats]:
    """Every AUC and its complement, each by one division of integers."""
    won, lost = [], []
    columns = (moments.wins.tolist(), moments.n_positives.tolist(), moments.n_negatives.tolist())
    for wins, positives, negatives in zip(*columns, strict=True):
        pairs = 2 * positives * negatives  # Python integers: the division rounds once, however many pairs
        won.append(wins / pairs)
        lost.append((pairs - wins) / pairs)
    return np.array(won), np.array(lost)


def tied_squares(true_positives: Counts, false_positives: Counts, offsets: Integers) -> tuple[Floats, Floats]:
    """Per curve: squared ties summed over the negatives, and over the positives."""
    # Float products: n * e**2 passes int64 with a few million cases, and nothing is subtracted from it.
    new_positives = np.diff(true_positives, prepend=0).astype(np.float64)
    new_negatives = np.diff(false_positives, prepend=0).astype(np.float64)
    new_positives[offsets[:-1]] = new_negatives[offsets[:-1]] = 0  # no case at the infinite threshold
    over_negatives = np.add.reduceat(new_negatives * new_positives**2, offsets[:-1])
    over_positives = np.add.reduceat(new_positives * new_negatives**2, offsets[:-1])
    return over_negatives, over_positives


def standard_errors(method: str, moments: Moments, ties: Ties | None) -> Floats:
    """The standard error of every AUC; ``ties`` is called only by the method that needs them."""
    one_of("method", method, ERROR_METHODS, elsewhere=ELSEWHERE)
    if method != "delong" and any(moments.clusters):
        raise refuse_clusters(f"the {method} method", moments.clusters, "method='delong'")
    if method == "delong":
        variance = delong_variance(moments)
    elif method == "nonparametric":
        assert ties is not None
        variance = nonparametric_variance(moments, *ties())
    else:
        variance = hanley_mcneil_variance(auc_shares(moments)[0], moments.n_positives, moments.n_negatives)
    return np.sqrt(variance)


def intervals(method: str, moments: Moments, ties: Ties | None, confidence_level: float) -> Interval:
    """The interval of every AUC by a formula, with the warnings that belong to it."""
    warn_of_few_clusters(moments.clusters)
    made, separated = quiet_intervals(method, moments, ties, confidence_level)
    if separated.any():
        warn_separated(int(separated.sum()), auc_shares(moments)[0][separated][0])
    warn_single_cases(moments, separated)
    flat = (made.low == made.high) & ~separated
    if flat.any():
        warn_flat(int(flat.sum()), auc_shares(moments)[0][flat][0])
    warn_short(method, *units(moments), auc_shares(moments)[0], ties=ties)
    return made


def units(moments: Moments) -> tuple[Integers, Integers]:
    """How many cases of either class are independent: rows, or the clusters that have some."""
    found = moments.n_positives.copy(), moments.n_negatives.copy()
    for i, clusters in enumerate(moments.clusters):
        if clusters is not None:
            found[0][i] = np.count_nonzero(clusters.n_positives)
            found[1][i] = np.count_nonzero(clusters.n_negatives)
    return found


def _quantiles(moments: Moments, level: float) -> Floats:
    """The normal quantile; Student's where rows are clustered, for clusters are few."""
    df = np.full(moments.wins.size, np.inf)
    for i, clusters in enumerate(moments.clusters):
        if clusters is not None:
            df[i] = ClusteredAuc.of_counts(clusters).df
    return np.asarray(t_quantile(df, level))


def quiet_intervals(
    method: str, moments: Moments, ties: Ties | None, confidence_level: float
) -> tuple[Interval, NDArray[np.bool_]]:
    """Every interval, the bound for separated classes where the AUC is 0 or 1; and which ones those are."""
    level = open_share("confidence_level", confidence_level)
    auc, complement = auc_shares(moments)
    if method == "guarded":
        low, high = guarded_limits(auc, complement, moments, level)
    else:
        error = standard_errors("delong" if method == "logit" else method, moments, ties)
        half = _quantiles(moments, level) * error
        if method == "logit":
            low, high = logit_limits(auc, half, complement)
        else:
            low, high = np.clip(auc - half, 0, 1), np.clip(auc + half, 0, 1)  # as pROC clips
    separated = (auc == 0) | (complement == 0)
    if separated.any():
        bounds = separated_limits(np.where(complement == 0, 1.0, 0.0), *units(moments), level)
        low, high = (
            np.where(separated, bound, limit) for bound, limit in zip(bounds, (low, high), strict=True)
        )
        method = "separated" if separated.all() else method
    return Interval(low, high, level, method), separated


def single_interval(method: str, moments: Moments, ties: Ties | None, confidence_level: float) -> Interval:
    """The interval of one AUC by a formula."""
    made = intervals(method, moments, ties, confidence_level)
    return Interval(float(made.low[0]), float(made.high[0]), made.confidence_level, made.method)


def ranked_rows(rows: Scores | None) -> tuple[tuple[Integers, Integers], tuple[Floats, Floats]]:
    """Ranks and weights of the rows behind a weighted curve, positives and negatives apart."""
    if rows is None or rows.sample_weight is None:
        raise fail("RS038.no-rows")
    ranks, own, weights = score_ranks(rows), rows.is_positive, rows.sample_weight
    return (ranks[own], ranks[~own]), (weights[own], weights[~own])


def bootstrap_interval(
    auc: float, cases: RankedCases | None, draw: Callable[[int, int], Floats], level: float, n: int, seed: int
) -> Interval:
    """The percentile interval of one AUC. ``cases`` are those that are drawn one by one, not in clusters."""
    level, n = open_share("confidence_level", level), resamples_asked(n, least=1)
    seed = whole_number("seed", seed, least=0, example=0)
    if cases is not None:
        n_positives, n_negatives = cases.positive_ranks.size, cases.negative_ranks.size
        if auc in (0, 1):  # every resample would be separated too
            warn_separated(1, auc)
            low, high = separated_limits(np.array(auc), n_positives, n_negatives, level)
            return Interval(float(low), float(high), level, "separated")
        if min(n_positives, n_negatives) == 1:
            warn("RS153.resampled", n_positives=n_positives, n_negatives=n_negatives)
    resampled = draw(n, seed)
    if cases is not None:
        if n > 1 and resampled.min() == resampled.max():
            warn_flat(1, auc)
        warn_short("bootstrap", n_positives, n_negatives, auc)
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "bootstrap")


def null_test(method: str | None, moments: Moments) -> NullTest:
    """Test one AUC against 1/2."""
    clusters = moments.clusters[0] if moments.clusters else None
    if method is None:
        method = "nonparametric" if clusters is None else "delong"
    one_of("method", method, ("nonparametric", "delong"), elsewhere=ELSEWHERE)
    df = np.inf
    if clusters is not None:
        if method != "delong":
            raise refuse_clusters("the rank-sum test", moments.clusters, "method='delong'")
        warn_of_few_clusters(moments.clusters)
        df = ClusteredAuc.of_counts(clusters).df
    if method == "delong":
        error = float(np.sqrt(delong_variance(moments))[0])
        warn_single_cases(moments)
    else:
        error = float(np.sqrt(rank_sum_null_variance(moments.n_positives, moments.n_negatives))[0])
    wins, pairs = int(moments.wins[0]), int(moments.n_positives[0]) * int(moments.n_negatives[0])
    auc, excess = wins / (2 * pairs), (wins - pairs) / (2 * pairs)
    statistic = ratio_to_error(excess, error)
    return NullTest(auc, error, statistic, float(two_sided_pvalue(statistic, df)), method, df)


def refuse_weights(method: str, n_curves: int = 1) -> RocsteadyError:
    """RS038: a formula that counts cases was asked for a weighted curve."""
    if n_curves == 1:
        return fail("RS038.formula", method=method, call="curve.auc_interval(method='bootstrap')")
    return fail("RS038.formulas", method=method, n=n_curves)  # a set has no bootstrap


def refuse_clusters(
    what: str, clusters: Sequence[ClusterCounts | None], remedy: str = "", statistic: str = ""
) -> RocsteadyError:
    """RS016: rows that belong together were given to a method that takes rows for independent."""
    known = next(own for own in clusters if own is not None)
    return fail(
        "RS016.formula",
        what=what,
        rows=int(known.n_positives.sum() + known.n_negatives.sum()),
        n=known.n_positives.size,
        unit=known.unit,
        statistic=statistic,
        ways=[f"a method that allows for it:  {remedy}"] if remedy else [],
    )


def warn_of_few_clusters(clusters: Sequence[ClusterCounts | None]) -> None:
    """RS157 where so few clusters have rows of a class that their spread is hardly known."""
    few = [own for own in clusters if own is not None and own.fewest < FEWEST_CLUSTERS]
    if few:
        own = min(few, key=lambda one: one.fewest)
        warn("RS157", unit=own.unit, n=own.fewest, needed=FEWEST_CLUSTERS)


def warn_separated(n_curves: int, auc: float) -> None:
    """RS151: say that the interval is a bound."""
    if n_curves == 1:
        warn("RS151.one", auc=auc)
    else:
        warn("RS151.several", n=n_curves)


def warn_flat(n_curves: int, auc: float) -> None:
    """RS154: say that a width of zero is not certainty."""
    if n_curves == 1:
        warn("RS154.one", auc=auc)
    else:
        warn("RS154.several", n=n_curves, auc=auc)


def warn_short(
    method: str, n_positives: Any, n_negatives: Any, auc: Any, *, ties: Ties | None = None, call: str = ""
) -> None:
    """RS155: say where a method was measured to cover less than it promises (docs/coverage.md).

    What decides is how many cases of the rarer class are misplaced, about ``n * min(AUC, 1 - AUC)``, and how
    much rarer it is; of very few misplaced ones also whether scores are ratings that many cases share.
    Separated classes have their own bound and their own note.
    """
    rarer, larger = np.minimum(n_positives, n_negatives), np.maximum(n_positives, n_negatives)
    misplaced = rarer * np.minimum(auc, 1 - np.asarray(auc))
    unequal = larger >= _MUCH_LARGER * rarer
    short = {
        "logit": unequal & (misplaced < _FEW_MISPLACED),
        "bootstrap": misplaced < _FEW_FOR_WALD,
        "hanley-mcneil": unequal | (misplaced < _FEW_MISPLACED),
        "delong": misplaced < _FEW_FOR_WALD,
        "nonparametric": misplaced < _FEW_FOR_WALD,
    }.get(method, np.False_)
    judged = (rarer >= _FEWEST_JUDGED) & (misplaced > 0)
    if method == "logit" and ties is not None and (judged & (misplaced < _VERY_FEW)).any():
        short = short | ((misplaced < _VERY_FEW) & (_tied_share(ties, n_positives, n_negatives) > _RATINGS))
    short = np.atleast_1d(short & judged)
    if short.any():
        first = int(np.argmax(short))
        facts = {
            "method": method,
            "n_positives": int(np.atleast_1d(n_positives)[first]),
            "n_negatives": int(np.atleast_1d(n_negatives)[first]),
            "auc": np.atleast_1d(auc)[first],
            "call": call,
            "end": ")" * bool(call),
        }
        if short.size == 1:
            warn("RS155.one", **facts)
        else:
            warn("RS155.several", n=int(short.sum()), of=short.size, **facts)


def _tied_share(ties: Ties, n_positives: Any, n_negatives: Any) -> Any:
    """Root mean square of the share of the other class that a case is tied with, of the class with more."""
    over_negatives, over_positives = ties()
    positives, negatives = np.asarray(n_positives, float), np.asarray(n_negatives, float)
    squares = (over_negatives / (negatives * positives**2), over_positives / (positives * negatives**2))
    return np.sqrt(np.maximum(*squares))


def warn_single_cases(moments: Moments, answered: NDArray[np.bool_] | None = None) -> None:
    """RS153: say where a class has a single case, unless those curves have been ``answered`` otherwise."""
    single = (moments.n_positives == 1) | (moments.n_negatives == 1)
    if answered is not None:
        single &= ~answered
    if single.any():
        n_positives, n_negatives = (int(n[single][0]) for n in (moments.n_positives, moments.n_negatives))
        warn("RS153.delong", n=int(single.sum()), n_positives=n_positives, n_negatives=n_negatives)
