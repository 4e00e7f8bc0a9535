"""Confidence intervals of a TPR at an FPR and of an FPR at a TPR: rate and threshold are both uncertain.

The threshold that gives the wanted rate is itself estimated, from the cases of the other class. An interval
for a proportion alone would leave that out and be too narrow.

References
----------
Linnet (1987), Statistics in Medicine 6: both sources of error. Schaefer (1994), Statistics in Medicine 13:
exact limits of both. Zou & Donner (2008), Statistics in Medicine 27, 1693-1702: combining limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.caller import caller_level
from rocsteady.counting.arguments import one_of, open_share, rates, resamples_asked, whole_number
from rocsteady.counting.table import cluster_counts, score_ranks
from rocsteady.curves import auc_uncertainty
from rocsteady.curves.cases import clusters_of, require_cases, require_independent_rows, resampled_curve
from rocsteady.curves.reading import scalar_or_array
from rocsteady.errors import Option, Remedy, warn
from rocsteady.uncertainty.clustered import ClusteredRates, effective_cases
from rocsteady.uncertainty.intervals import Interval, normal_quantile
from rocsteady.uncertainty.resampling import Readings

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve

Floats = NDArray[np.float64]

METHODS = ("score", "exact", "bootstrap")
_ELSEWHERE = {"wilson": "score", "mover": "score", "clopper-pearson": "exact", "percentile": "bootstrap"}
FEWEST_CASES = (10, 5)
"""Cases on either side of a threshold, of the class that sets it and of the other, below which percentiles of
resamples do not keep their level."""


class Held(NamedTuple):
    """A rate that is held at some values, and the one that is read there.

    Attributes
    ----------
    at, value : float64 arrays
        The held rates, and the curve's own readings there.
    n_held, n_read : float
        How many cases either is a share of.
    read : callable
        The reading that leaves whole numbers of cases of the held class beyond the threshold.
    clustered : Clustered, optional
        Where rows belong together, what takes the place of the numbers of cases.
    """

    at: Floats
    value: Floats
    n_held: float
    n_read: float
    read: Callable[[Floats], Floats]
    clustered: Clustered | None = None


class Clustered(NamedTuple):
    """How sure rates at some thresholds are where rows belong together.

    Attributes
    ----------
    held, read : float64 arrays
        How many independent cases would have the same variance as the held rate, and as the one that is read.
    held_df, read_df : float
        Clusters that have rows of the class, less one.
    correlation : float64 array
        Of the two rates at one threshold: a cluster may have rows of both classes.
    """

    held: Floats
    read: Floats
    held_df: float
    read_df: float
    correlation: Floats


def tpr_interval(
    curve: RocCurve, fpr: ArrayLike, method: str, level: float, drawn: dict[str, int]
) -> Interval:
    """Limits of the TPR at FPRs."""
    at = rates("fpr", fpr)
    held = held_fpr(curve, at.ravel())
    return _interval(curve, held, Readings(tpr_at=at.ravel()), ("FPR", fpr), method, level, drawn)


def fpr_interval(
    curve: RocCurve, tpr: ArrayLike, method: str, level: float, drawn: dict[str, int]
) -> Interval:
    """Limits of the FPR at TPRs."""
    at = rates("tpr", tpr)
    held = _held_tpr(curve, at.ravel())
    found = _interval(curve, held, Readings(fpr_at=at.ravel()), ("TPR", tpr), method, level, drawn)
    return found if method == "bootstrap" else _mirrored(found)


def held_fpr(curve: RocCurve, at: Floats) -> Held:
    """FPRs at which the TPR is read."""
    n_positives, n_negatives = sizes(curve)

    def read(beyond: Floats) -> Floats:
        return np.asarray(curve.tpr_at(beyond / n_negatives))

    clustered = None
    if clusters_of(curve) is not None:
        # The threshold that just meets the rate; freed of rounding, as k / n may be an ulp off.
        vertices = np.searchsorted(curve.fpr, np.asarray(at) + 1e-12, side="right") - 1
        tpr, fpr, correlation = rates_of_clusters(curve, vertices)
        clustered = Clustered(fpr.n, tpr.n, fpr.df, tpr.df, correlation)
    return Held(at, np.asarray(curve.tpr_at(at)), n_negatives, n_positives, read, clustered)


def _held_tpr(curve: RocCurve, at: Floats) -> Held:
    """TPRs at which the FPR is read, seen from the other end: that of the negatives is a curve, too.

    The share of positives missed is held, and the share of negatives spared is read.
    """
    n_positives, n_negatives = sizes(curve)

    def read(missed: Floats) -> Floats:
        return 1 - np.asarray(curve.fpr_at((n_positives - missed) / n_positives))

    clustered = None
    if clusters_of(curve) is not None:
        vertices = np.minimum(np.searchsorted(curve.tpr, np.asarray(at) - 1e-12), curve.tpr.size - 1)
        tpr, fpr, correlation = rates_of_clusters(curve, vertices)
        clustered = Clustered(tpr.n, fpr.n, tpr.df, fpr.df, correlation)
    return Held(1 - at, 1 - np.asarray(curve.fpr_at(at)), n_positives, n_negatives, read, clustered)


class EffectiveCases(NamedTuple):
    """How many independent cases would make a rate as sure as clusters do, and their degrees of freedom."""

    n: Any
    df: float = np.inf

    def limits(self, share: Any, level: float) -> tuple[Floats, Floats]:
        """Wilson's limits, with Student's t where there are clusters."""
        return wilson_limits(np.asarray(share), self.n, two_sided_quantile(level, self.df))


def two_sided_quantile(level: float, df: float) -> float:
    """Of Student's t, or of the normal distribution if ``df`` is infinite."""
    from scipy.special import stdtrit

    return normal_quantile(level) if np.isinf(df) else float(stdtrit(df, (1 + level) / 2))


def cases_at(curve: RocCurve, vertices: NDArray[Any]) -> tuple[EffectiveCases, EffectiveCases]:
    """How many cases TPR and FPR at a fixed threshold are worth: rows, Kish's number, or clusters'."""
    if clusters_of(curve) is None:
        n_positives, n_negatives = sizes(curve)
        return EffectiveCases(n_positives), EffectiveCases(n_negatives)
    return rates_of_clusters(curve, vertices)[:2]


def rates_of_clusters(
    curve: RocCurve, vertices: NDArray[Any]
) -> tuple[EffectiveCases, EffectiveCases, Floats]:
    """How sure TPR and FPR at some vertices are, and their correlation, where rows belong together."""
    rows, together = curve._rows, clusters_of(curve)
    assert rows is not None
    assert together is not None
    counts = cluster_counts(rows)  # refuses weights
    auc_uncertainty.warn_of_few_clusters(counts)
    codes = np.unique(together.codes, return_inverse=True)[1].reshape(-1)
    found = ClusteredRates.of_rows(score_ranks(rows), rows.is_positive, codes, curve.thresholds.size - 1)
    made = []
    for share, variance, of_class in (
        (curve.tpr, found.tpr_variance, rows.is_positive),
        (curve.fpr, found.fpr_variance, ~rows.is_positive),
    ):
        n = effective_cases(share, variance, int(np.count_nonzero(of_class)))
        made.append(EffectiveCases(n[vertices], np.unique(codes[of_class]).size - 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = found.covariance / np.sqrt(found.tpr_variance * found.fpr_variance)
    correlation = np.clip(np.nan_to_num(correlation, nan=0.0, posinf=0.0, neginf=0.0), -1, 1)
    return made[0], made[1], correlation[vertices]


def sizes(curve: RocCurve) -> tuple[float, float]:
    """Cases of either class; of weighted rows, how many equal ones would be as good (Kish)."""
    if not curve.is_weighted or curve._rows is None or curve._rows.sample_weight is None:
        return curve.n_positives, curve.n_negatives
    own, weights = curve._rows.is_positive, curve._rows.sample_weight
    found = [weights[part].sum() ** 2 / (weights[part] ** 2).sum() for part in (own, ~own)]
    return float(found[0]), float(found[1])


def _mirrored(interval: Interval) -> Interval:
    return Interval(1 - interval.high, 1 - interval.low, interval.confidence_level, interval.method)


def _interval(
    curve: RocCurve,
    held: Held,
    readings: Readings,
    asked: tuple[str, Any],
    method: str,
    level: float,
    drawn: dict[str, int],
) -> Interval:
    one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    level = open_share("confidence_level", level)
    if method == "bootstrap":
        resampled = drawn_readings(curve, readings, **drawn)
        tails = [(1 - level) / 2, (1 + level) / 2]
        low, high = np.quantile(resampled, tails, axis=0)
    else:
        of = "tpr" if asked[0] == "FPR" else "fpr"
        if method == "exact":
            require_independent_rows(curve, "the exact method", "method='score'", _drawn_as(asked))
        require_cases(curve, method, f"curve.{of}_interval(..., method='bootstrap')")
        low, high = score_limits(held, level) if method == "score" else _exact_limits(held, 1 - level)
    if method == "bootstrap":
        warn_of_few(held, asked[0], Option("method", "score"))
    like = asked[1]
    shape = np.shape(like)
    return Interval(
        scalar_or_array(low.reshape(shape), like), scalar_or_array(high.reshape(shape), like), level, method
    )


def _drawn_as(asked: tuple[str, Any]) -> str:
    """The statistic that a bootstrap of clusters would take."""
    name, at = asked
    kind = "TprAt" if name == "FPR" else "FprAt"
    return f"{kind}({at:g}), " if np.ndim(at) == 0 else f"{kind}(...), "


def drawn_readings(curve: RocCurve, readings: Readings, *, n_resamples: int, seed: int) -> Floats:
    """Readings of resampled cases, ``(n_resamples, readings)``; checks the numbers."""
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    return resampled_curve(curve, readings, n_resamples=n_resamples, seed=seed)


def wilson_limits(share: Floats, n: Any, z: float) -> tuple[Floats, Floats]:
    """Wilson's score limits of a proportion.

    >>> import numpy as np
    >>> low, high = wilson_limits(np.array(0.9), 20, 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.699, 0.9721)
    """
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)


def score_limits(held: Held, level: float) -> tuple[Floats, Floats]:
    """Score limits of the rate at a known threshold, widened by how far the threshold may be off.

    Two distances from the estimate, to the limit of the rate and to the reading at the limit of the held
    rate, are combined like standard errors (Zou & Donner 2008). Where rows belong together both limits are of
    as many cases as would have the same variance, and errors of the two rates that go together cancel.
    """
    value = _expected(held, held.at)
    of_held, of_read = EffectiveCases(held.n_held), EffectiveCases(held.n_read)
    correlation: Any = 0.0
    if held.clustered is not None:
        known = held.clustered
        of_held, of_read = (
            EffectiveCases(known.held, known.held_df),
            EffectiveCases(known.read, known.read_df),
        )
        correlation = known.correlation
    own = of_read.limits(value, level)
    moved = [_expected(held, limit) for limit in of_held.limits(held.at, level)]
    below, above = (
        np.sqrt(np.maximum(a**2 + b**2 - 2 * correlation * a * b, 0.0))
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


def _exact_limits(held: Held, alpha: float) -> tuple[Floats, Floats]:
    """Clopper-Pearson limits at the strictest and the loosest threshold that order statistics leave; wide.

    The cases of the held class beyond the true threshold are binomial. Half of alpha is spent on them, half
    on the rate.
    """
    from scipy.special import bdtr, bdtrik

    ends = []
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


def clopper_pearson(share: Floats, n: float, alpha: float) -> tuple[Floats, Floats]:
    """Clopper & Pearson's exact limits of a proportion.

    >>> import numpy as np
    >>> low, high = clopper_pearson(np.array(0.9), 20, 0.05)
    >>> round(float(low), 4), round(float(high), 4)
    (0.683, 0.9877)
    """
    from scipy.special import betaincinv

    k = share * n
    none, every = share <= 0, share >= 1
    low = betaincinv(np.where(none, 1, k), n - np.where(none, 1, k) + 1, alpha / 2)
    high = betaincinv(np.where(every, 1, k) + 1, np.where(every, 1, n - k), 1 - alpha / 2)
    return np.where(none, 0.0, low), np.where(every, 1.0, high)


def few_cases(held: Held, fewest: tuple[int, int] = FEWEST_CASES) -> NDArray[np.bool_]:
    """Where too few cases stand on one side of the threshold for resamples."""
    is_few = _rarer(held.at, held.n_held) < fewest[0]
    return np.asarray(is_few | (_rarer(held.value, held.n_read) < fewest[1]))


def _rarer(share: Floats, n: float) -> Floats:
    """Cases on the side where fewer are, whole numbers freed of rounding."""
    return np.round(n * np.minimum(share, 1 - share), 9)


def warn_of_few(held: Held, name: str, *remedies: Remedy, fewest: tuple[int, int] = FEWEST_CASES) -> None:
    """RS295 where too few cases stand on one side of the threshold."""
    is_few = few_cases(held, fewest)
    if not is_few.any():
        return
    first = int(np.argmax(is_few))
    at = held.at[first] if name == "FPR" else 1 - held.at[first]
    setting, others = _rarer(held.at, held.n_held)[first], _rarer(held.value, held.n_read)[first]
    warn(
        "RS295",
        "too few cases on one side of the threshold for resamples to keep their confidence level.",
        f"found: at {name} {at:g} {setting:.3g} of the cases that set the threshold, {others:.3g} of "
        f"the others; {fewest[0]} and {fewest[1]} are needed",
        *remedies,
        stacklevel=caller_level(),
    )
