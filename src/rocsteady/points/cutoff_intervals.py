"""How sure a chosen cut-off is, and what it attains on new rows.

Of the threshold that is best in the population: a target rate needs no resamples, order statistics bound the
threshold whatever the distribution. Any other cut-off is chosen anew in resamples of what is random. A
threshold that maximises an empirical curve converges with the cube root of the number of cases, which the
plain bootstrap does not imitate well; draws from smoothed distributions do (Leger & MacGibbon 2006, Can. J.
Stat. 34, 29-44). They are smoothed on the scale of normal scores, so that only the order of the scores
matters. What choosing the best of a sample adds to its rates is seen in the resamples, and taken off.

Measured by simulations/cutoffs.py where 95 % is claimed: two normal populations (d' 2.4 and 1), a lognormal
one and t with 3 degrees of freedom; 50 + 50, 20 + 200 and 200 + 20 cases, some with 300 + 300; 400 replicates
of 200 resamples, so the Monte-Carlo standard error is 1.1 %. The methods were chosen on the same samples
(seed 1); a part was run again with another seed (9077), which the ranges below include.

- Targets (FPR 0.01 and 0.05, TPR 0.9 and 0.95): threshold 95 to 100 %, the free rate 95 to 100 %. The price
  is an open end where cases are few: always for FPR 0.05 with 50 negatives (RS244).
- Youden, closest, cost 1:5: 94 to 100 %. Equal errors: 92 to 100 %, least with 20 cases in one class.
- Cost 1:20 at equal classes: 94 to 100 % where d' is 2.4. In the other populations it is best to call nearly
  everything positive; there FPR is covered by 92 to 100 %, TPR by 97 to 100 %, the threshold by 93 to 100 %,
  but by 88 % with 300 + 300 cases and d' 1. With 20 positives the threshold is always open below.
- Percentiles, which serve where scores are heavily tied or weighted or a class has fewer than five cases:
  Youden and equal errors 86 to 100 %; cost 1:20 from 37 % (threshold) and 51 % (FPR); TPR 0.95 and FPR 0.01
  with 100 + 100 cases 75 to 96 %.
- Groups (d' 2.4, each shifted; 8, 20 and 50 groups of 40 + 40, 400 replicates of 400 resamples): Youden,
  closest, equal errors and cost 1:5 93 to 99 %. They fall short in the tails, the more the fewer groups there
  are: the threshold of a target rate by 87 to 96 % (its free rate 92 to 97 %), and cost 1:20 by 78, 87 and
  94 % (its FPR 90, 92 and 96 %).

Of this very threshold: the rows that a cut-off was chosen on flatter it. By how much, resamples tell (Efron &
Gong 1983; Harrell, Lee & Mark 1996): in each the cut-off is chosen again, and its rates there are better than
those that all rows have at the same threshold. The mean difference is the optimism, and is taken off. The
threshold is a constant then, and both of its rates have an interval: Clopper & Pearson's limits of the
corrected rate. They are beta quantiles, those of the shares beyond two neighbouring order statistics, and a
chosen threshold lies between two such. Wilson's limits at the corrected rate cover less with few cases,
pivots and percentiles of resamples much less: these take few values near 0 and 1. Where cases do not count
one by one (weights, patients with several rows, groups) the rate is worth as many cases as would scatter as
much (Korn & Graubard 1998, Surv. Methodol. 24, 193-201): the spread is that of the differences in the
resamples, for patients and groups at least that at the threshold, and t quantiles allow for few of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, hypot, inf, log, nan
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Array, Floats, Integers
from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.shared import SharedThresholdAverage
from rocsteady.curves.roc import RocCurve, sizes
from rocsteady.errors import fail, warn
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.points.criteria import Criterion, MinimumCost, TargetRate, strictest_optima
from rocsteady.points.vertices import (
    Chosen,
    OfCriterion,
    Patients,
    chosen_again,
    class_sizes,
    drawn_cases,
    group_table,
    patients_of,
    redrawn,
)
from rocsteady.results import Result
from rocsteady.scores.score_set import warn_of_clusters
from rocsteady.showing import Told, said
from rocsteady.statistics.groups import degrees_of_freedom, effective_number, error_factor
from rocsteady.statistics.intervals import Interval, clopper_pearson, t_quantile, wilson_limits
from rocsteady.statistics.resampling import expanded_tail
from rocsteady.words import plural

METHODS = ("smoothed", "percentile", "exact")
_ELSEWHERE = {"bootstrap": "percentile", "perc": "percentile", "kernel": "smoothed"}
_ELSEWHERE |= {"order-statistics": "exact", "clopper-pearson": "exact"}
_FEWEST_CASES = 5
_LARGEST_CLUMP = 0.05
_CORRECTED = "clopper-pearson, corrected"
_NO_SPREAD = 1e-12

_CELLS = 1024
_MANY_CELLS = 4096  # for samples so large that cut-offs scatter less than a few cells
_MANY_CASES = 5000
_REACH = 4  # bandwidths beyond the outermost scores
_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer
_SILVERMAN = 0.9
"""Silverman's factor. Measured: 0.6 covers too seldom with 30 cases of a class, 0.9 a little too often."""


def share_interval(part: float, whole: float, confidence_level: float, method: str) -> Interval:
    """The interval of a share of cases; NaN for a share of nothing.

    >>> share_interval(81, 263, 0.95, "wilson")
    Interval(0.2553 to 0.3662, confidence level 0.95, wilson)
    >>> share_interval(0, 20, 0.95, "clopper-pearson")
    Interval(0.0000 to 0.1684, confidence level 0.95, clopper-pearson)
    """
    if whole == 0:
        return Interval(nan, nan, confidence_level, method)
    if method == "clopper-pearson":
        low, high = clopper_pearson(part / whole, whole, 1 - confidence_level)
    else:
        low, high = wilson_limits(part / whole, whole, t_quantile(np.inf, confidence_level))
    return Interval(float(low), float(high), confidence_level, method)


def require_sample(curve: RocCurve) -> None:
    """Refuse what cannot be drawn from: RS002 for a convex hull, RS038 for sums of weights."""
    if curve._is_hull:
        raise fail("RS002.hull")
    if curve.is_weighted and curve._rows is None:
        raise fail("RS038.counts", function="roc_curve")


def _warn_of_few_groups(average: SharedThresholdAverage, n_groups: int) -> None:
    warn("RS242.few", unit=average.unit, n=n_groups, needed=FEWEST_GROUPS)


# The best threshold of the population
# ------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class CutoffIntervals(Told, Result, sentence="points.intervals"):
    """Intervals of a cut-off and of its rates.

    Attributes
    ----------
    threshold : Interval
        Of the threshold that is best in the population; an infinite limit means that the sample sets none.
    fpr, tpr : Interval or None
        Of the population's rates at that threshold. None for the rate that a target holds.
    confidence_level, n_resamples, seed : float, int, int
        As asked for.
    method : {"smoothed", "percentile", "exact", "groups"}
        Which resamples, or none: exact limits are order statistics.
    unit : str
        The word for what is random: a case, or a group of an average.
    reading : str
        What is random and what the intervals cover.
    """

    _not_for_papers: ClassVar = ("n_resamples", "seed")

    threshold: Interval
    fpr: Interval | None
    tpr: Interval | None
    confidence_level: float
    n_resamples: int
    seed: int
    method: str
    unit: str = "case"

    def __repr__(self) -> str:
        parts = [f"threshold {self.threshold.low:.4g} to {self.threshold.high:.4g}"]
        for name in ("fpr", "tpr"):
            own = getattr(self, name)
            parts += [f"{name} {own.low:.4f} to {own.high:.4f}"] if own is not None else []
        return f"CutoffIntervals({', '.join(parts)}, {self.method})"


def cutoff_intervals(
    cutoff: Chosen, confidence_level: float, n_resamples: int, seed: int, method: str | None
) -> CutoffIntervals:
    """See :meth:`Cutoff.intervals`."""
    level = open_share("confidence_level", confidence_level)
    n_resamples = whole_number("n_resamples", n_resamples, least=2, example=2000)
    seed = whole_number("seed", seed, least=0, example=0)
    if method is not None:
        one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    curve = cutoff._curve
    if not isinstance(curve, RocCurve):
        if method is not None:
            raise fail("RS072.average", method=method)
        return of_groups([cutoff], confidence_level=level, n_resamples=n_resamples, seed=seed)[0]
    used = _method_for(curve, cutoff.criterion, method)
    if used != "exact":
        resamples_asked(n_resamples)
    require_sample(curve)
    _warn_of_rows(curve, used)
    limits = _limits_of_cases(curve, cutoff, level, n_resamples, seed, used)
    return _intervals(cutoff, limits, level, n_resamples=n_resamples, seed=seed, method=used)


def of_groups(
    cutoffs: Sequence[Chosen], *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> tuple[CutoffIntervals, ...]:
    """Intervals of several cut-offs of one average, from the same resamples of its groups.

    They are those of ``cutoff.intervals()``; where an average has thousands of vertices, those that are
    looked at differ a little. RS242 where groups are few.
    """
    resamples_asked(n_resamples)
    average: Any = cutoffs[0]._curve
    n_groups = len(group_table(average))
    if n_groups < FEWEST_GROUPS:
        _warn_of_few_groups(average, n_groups)
    drawn = [np.full((1, 3), nan)] * len(cutoffs)
    if n_groups > 1:
        drawn = [rows[:, :3] for rows in redrawn(cutoffs, n_resamples, seed)]
    found = []
    for cutoff, rows in zip(cutoffs, drawn, strict=True):
        limits = _stretched(average, rows, _percentiles(rows, _expanded(average, confidence_level)))
        if _has_no_width(limits):
            warn("RS244.unbounded", why=said("points.same_rates_of_groups"))
        how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "method": "groups"}
        found.append(_intervals(cutoff, limits, confidence_level, **how, unit=average.unit))
    return tuple(found)


def _percentiles(rows: Floats, level: float) -> Floats:
    """Observed values, so that infinite thresholds are not mixed with others."""
    low = np.quantile(rows, (1 - level) / 2, axis=0, method="lower")
    return np.array([low, np.quantile(rows, (1 + level) / 2, axis=0, method="higher")])


def _expanded(average: SharedThresholdAverage, level: float) -> float:
    """The level at which percentiles are taken: further out for few groups, whose resamples are too alike."""
    n_groups = average.effective_groups
    return 1 - 2 * expanded_tail(level, n_groups, average.degrees_of_freedom) if n_groups > 1 else level


def _stretched(average: SharedThresholdAverage, rows: Floats, limits: Floats) -> Floats:
    """Limits further from the median, where groups share training cases; infinite ones stay."""
    if not average.design.test_train_ratio:
        return limits
    middle = np.median(rows, axis=0)
    with np.errstate(invalid="ignore"):
        further = middle + error_factor(average.effective_groups, average.design.test_train_ratio) * (
            limits - middle
        )
    further[:, 1:] = np.clip(further[:, 1:], 0.0, 1.0)  # rates
    return np.where(np.isfinite(further), further, limits)


def _intervals(cutoff: Chosen, limits: Floats, level: float, *, method: str, **how: Any) -> CutoffIntervals:
    """Limits ``(2, 3)`` of threshold, fpr and tpr as intervals, which hold what was estimated."""
    held = cutoff.criterion.held if isinstance(cutoff.criterion, TargetRate) else None
    kind = "order statistics" if method == "exact" else f"bootstrap, {method}"
    made: dict[str, Any] = {}
    for column, name in enumerate(("threshold", "fpr", "tpr")):
        estimate = getattr(cutoff, name)
        low, high = np.minimum(limits[0, column], estimate), np.maximum(limits[1, column], estimate)
        made[name] = None if name == held else Interval(float(low), float(high), level, kind)
    return CutoffIntervals(**made, confidence_level=level, method=method, **how)


def _method_for(curve: RocCurve, criterion: Criterion, method: str | None) -> str:
    """The method asked for, RS072 if these cases do not have it, else the one that suits them."""
    is_exact = isinstance(criterion, TargetRate) and not curve.is_weighted
    why_not = _why_not_smooth(curve, criterion)
    if method is None:
        return "exact" if is_exact else "percentile" if why_not else "smoothed"
    if method == "smoothed" and why_not and not curve._is_hull:
        raise fail("RS072.smoothed", why=said(*why_not), known="exact" if is_exact else "percentile")
    if method == "exact" and not is_exact:
        known = "percentile" if why_not else "smoothed"
        raise fail("RS072.exact", is_weighted=curve.is_weighted, aim=criterion.aim, known=known)
    return method


def _why_not_smooth(curve: RocCurve, criterion: Criterion) -> tuple[Any, ...]:
    """What speaks against smoothing, as a sentence and its facts; nothing if nothing does."""
    if curve.is_weighted:
        return ("points.rows_are_weighted",)
    if _beyond(curve, criterion) < 1:
        return ("points.none_expected",)
    n_positives, n_negatives = class_sizes(curve)
    if min(n_positives, n_negatives) < _FEWEST_CASES:
        return "points.few_cases", min(n_positives, n_negatives), n_positives < n_negatives
    clump = clump_of(curve)
    return () if clump is None else ("points.clump", *clump)


def clump_of(curve: RocCurve) -> tuple[float, bool] | None:
    """The share of a class that a single score has, if that is more than 5 %, and whether it is positive."""
    for counts, is_positive in ((curve.true_positives, True), (curve.false_positives, False)):
        n, most = int(counts[-1]), np.diff(counts).max()
        if most > max(1, _LARGEST_CLUMP * n):
            return float(most / n), is_positive
    return None


def _warn_of_rows(curve: RocCurve, method: str) -> None:
    """RS243 where drawing shows half of the picture, RS104 where patients are not drawn whole."""
    if curve._rows is not None:
        warn_of_clusters(curve._rows, "Cutoff.intervals")
    n_positives, n_negatives = class_sizes(curve)
    if min(n_positives, n_negatives) == 1 and method != "exact":
        warn("RS243.single", n_positives=n_positives, n_negatives=n_negatives)


def _limits_of_cases(
    curve: RocCurve, cutoff: Chosen, level: float, n_resamples: int, seed: int, method: str
) -> Floats:
    """Limits ``(2, 3)`` of threshold, FPR and TPR on a curve; RS244 where the sample does not set one."""
    criterion = cutoff.criterion
    if method == "exact" and isinstance(criterion, TargetRate):
        limits, unbounded = _target_limits(curve, criterion, cutoff.index, level)
    else:
        if method == "smoothed":
            limits = _smoothed_limits(curve, cutoff, level, n_resamples, seed)
        else:
            every = np.arange(curve.thresholds.size)
            drawn = chosen_again([cutoff], every, drawn_cases(curve, every, n_resamples, seed))[0]
            limits = _percentiles(drawn[:, :3], level)
        unbounded = ("points.same_rates",) if _has_no_width(limits) else ()
        limits = _with_few_cases(curve, cutoff, limits, level)
        if isinstance(criterion, MinimumCost):
            _open_for_dear_errors(curve, cutoff, criterion, limits)
        if isinstance(criterion, TargetRate):
            unbounded = _open_for_target(curve, criterion, limits) or unbounded
        else:
            unbounded = _open_for_trivial(curve, limits) or unbounded
    if unbounded:
        warn("RS244.unbounded", why=said(*unbounded))
    return limits


def _beyond(curve: RocCurve, criterion: Criterion) -> float:
    """How many cases are expected on the far side of a target; infinite for other criteria."""
    if not isinstance(criterion, TargetRate):
        return inf
    n_positives, n_negatives = class_sizes(curve)
    return n_negatives * criterion.rate if criterion.held == "fpr" else n_positives * (1 - criterion.rate)


def _has_no_width(limits: Floats) -> bool:
    return bool((limits[0, 1:] == limits[1, 1:]).all())


def _with_few_cases(curve: RocCurve, cutoff: Chosen, limits: Floats, level: float) -> Floats:
    """At least the exact binomial limits for a rate with fewer than five cases on one side of the cut-off.

    If no positive is missed, none is missed in the resamples either, and their spread tells nothing.
    """
    for column, rate, size in zip((2, 1), (cutoff.tpr, cutoff.fpr), _effective_sizes(curve), strict=True):
        cases = round(rate * size)
        if min(cases, size - cases) < _FEWEST_CASES:
            own = share_interval(cases, size, level, "clopper-pearson")
            limits[0, column] = min(limits[0, column], own.low)
            limits[1, column] = max(limits[1, column], own.high)
    return limits


def _effective_sizes(curve: RocCurve) -> tuple[int, int]:
    """Cases of both classes; of weighted rows as many of equal weight as would scatter alike (Kish)."""
    if not curve.is_weighted or curve._rows is None or curve._rows.sample_weight is None:
        return class_sizes(curve)
    shares = curve._rows.sample_weight / curve._rows.sample_weight.max()
    both = (shares[curve._rows.is_positive], shares[~curve._rows.is_positive])
    positives, negatives = (max(1, int(own.sum() ** 2 / (own @ own))) for own in both)
    return positives, negatives


def _open_for_dear_errors(curve: RocCurve, cutoff: Chosen, criterion: MinimumCost, limits: Floats) -> None:
    """No limit of a rate where one more case beyond the cut-off would outweigh all of the other class there.

    With 20 positives, and a miss that costs as much as 20 false positives, one positive among the lowest
    scores would make it best to call everything positive. Whether there are such positives, 20 do not tell.
    """
    assert criterion.share is not None
    of_misses, of_alarms = criterion.expected(criterion.share)
    n_positives, n_negatives = _effective_sizes(curve)
    if of_misses >= n_positives * of_alarms * (1 - Fraction(cutoff.fpr)):
        limits[1, 1] = 1.0
    if of_alarms >= n_negatives * of_misses * Fraction(cutoff.tpr):
        limits[0, 2] = 0.0


def _open_for_trivial(curve: RocCurve, limits: Floats) -> tuple[Any, ...]:
    """No limit of the threshold on a side where calling everything, or nothing, positive is not excluded."""
    everything, nothing = bool(limits[1, 1] >= 1), bool(limits[0, 2] <= 0)
    for is_reached, row, end in (
        (everything, 1, -float(curve.thresholds[0])),
        (nothing, 0, float(curve.thresholds[0])),
    ):
        if is_reached:
            limits[int(end > 0), 0] = end
            limits[row, 1:] = row  # both rates are 1 there, or both 0
    return ("points.trivial_within", everything, nothing) if everything or nothing else ()


def _open_for_target(curve: RocCurve, criterion: TargetRate, limits: Floats) -> tuple[Any, ...]:
    """No limit on the side of a target beyond which no case is expected."""
    if _beyond(curve, criterion) >= 1:
        return ()
    is_fpr = criterion.held == "fpr"
    end = float(curve.thresholds[0]) * (1 if is_fpr else -1)
    limits[int(end > 0), 0] = end
    limits[(0, 2) if is_fpr else (1, 1)] = 0.0 if is_fpr else 1.0  # the free rate may be as bad as can be
    return "points.none_of_class_expected", not is_fpr


# A target rate: order statistics
# -------------------------------
#
# The threshold that a share x of a class exceeds in the population has a binomial number of the sample's
# cases at or beyond it, whatever the distribution. So two of the sorted cases enclose it, as they enclose a
# quantile. The free rate is unsure because the threshold is, and because the other class is a sample: its
# distance to the rate at either limit of the threshold, and to its Wilson limit, are squared and added
# (MOVER; Zou & Donner 2008, Stat. Med. 27, 1693-1702). Where scores are heavily tied, rates move in steps,
# which do not add like that: the limits are then Wilson's of the rates at the threshold's limits.


def enclosing_ranks(n: int, share: float, confidence_level: float) -> tuple[int, int]:
    """Ranks, largest case first, of the two of n cases that enclose what a share of the population exceeds.

    Rank 0 and rank n + 1 stand for no limit.

    >>> enclosing_ranks(100, 0.05, 0.95)
    (1, 11)
    >>> enclosing_ranks(100, 0.01, 0.95)
    (0, 4)
    """
    from scipy.special import bdtr, bdtrc

    tail, counts = (1 - confidence_level) / 2, np.arange(n)
    strict = int((bdtr(counts, n, share) <= tail).sum())
    loose = n + 1 - int((bdtrc(counts, n, share) <= tail).sum())
    return strict, loose


def _target_limits(
    curve: RocCurve, criterion: TargetRate, index: int, level: float
) -> tuple[Floats, tuple[Any, ...]]:
    """Limits of the threshold and of the free rate (the held one's are not used), and what an end lacks."""
    is_fpr, share = criterion.held == "fpr", criterion.rate
    counts, free = curve.true_positives, curve.false_positives
    if is_fpr:
        counts, free = free, counts
    n = int(counts[-1])
    ranks = enclosing_ranks(n, share, level)
    strict, loose = np.searchsorted(counts, ranks).tolist()
    if is_fpr and strict and np.diff(counts).max() > 1:
        strict -= 1  # of tied scores the next one may be the last that keeps the target
    strict, is_open = min(strict, index), loose == counts.size
    thresholds = [-curve.thresholds[0] if is_open else curve.thresholds[loose], curve.thresholds[strict]]
    part, whole = int(free[index]), int(free[-1])
    rate = part / whole
    ends = min(rate, free[strict] / whole), max(rate, 1.0 if is_open else free[loose] / whole)
    if clump_of(curve) is None:
        own = share_interval(part, whole, level, "wilson")
        low = max(rate - hypot(rate - own.low, rate - ends[0]), 0.0)
        high = min(rate + hypot(own.high - rate, ends[1] - rate), 1.0)
    else:
        low = share_interval(round(ends[0] * whole), whole, level, "wilson").low
        high = share_interval(round(ends[1] * whole), whole, level, "wilson").high
    limits = np.zeros((2, 3))
    limits[:, 0] = np.sort(thresholds)
    limits[:, 2 if is_fpr else 1] = low, high
    if ranks[0] > 0 and ranks[1] <= n:
        return limits, ()
    rarer = min(share, 1 - share)
    needed = ceil(log((1 - level) / 2) / log(1 - rarer)) if rarer else None
    return limits, ("points.too_few_to_bound", n, not is_fpr, needed)


# Any other criterion: smoothed resamples
# ---------------------------------------
#
# Each class is smoothed by a normal kernel, not score by score but rank by rank: a score stands at the normal
# quantile of its rank among all cases. Resamples are counts in narrow cells of that scale, so that their cost
# does not depend on the number of cases.


def _smoothed_limits(curve: RocCurve, cutoff: Chosen, level: float, n_resamples: int, seed: int) -> Floats:
    """``estimate - bias -+ z * sqrt(sd**2 + bias**2)`` of threshold, FPR and TPR.

    Bias and standard deviation are those of cut-offs chosen in resamples of the smoothed distributions, whose
    own best cut-off is known. The bias is itself estimated, about as badly as it is large, so it counts as
    spread too. Limits of rates are made on the arcsine scale, which keeps them inside [0, 1] and longer
    towards its middle.
    """
    scores, index = _normal_scores(curve), cutoff.index
    steps = [np.diff(counts) for counts in (curve.true_positives, curve.false_positives)]
    bandwidths = [_bandwidth(scores, own) for own in steps]
    reach = _REACH * max(bandwidths)
    n_cells = _CELLS if scores.size < _MANY_CASES else _MANY_CELLS
    edges = np.linspace(scores[0] + reach, scores[-1] - reach, n_cells + 1)
    smooth = [_smoothed(scores, own, h, edges) for own, h in zip(steps, bandwidths, strict=True)]
    truth = _best(cutoff.criterion, edges, smooth[0][None], smooth[1][None])[0]
    class_cases = [int(own.sum()) for own in steps]
    drawn = _smoothed_choices(cutoff.criterion, edges, smooth, class_cases, n_resamples, seed)
    bias, sd = drawn.mean(axis=0) - truth, drawn.std(axis=0, ddof=1)
    beyond = np.concatenate([[scores[0] + reach], scores, [scores[-1] - reach]])
    own_place = (beyond[index] + beyond[index + 1]) / 2
    center = np.array([own_place, curve.fpr[index], curve.tpr[index]]) - bias
    half = t_quantile(np.inf, level) * np.hypot(sd, bias)
    # Rates on the scale of the arcsine of the root, half a case off 0 and 1.
    least = 0.5 / np.array(class_cases[::-1])
    inside = np.clip(center[1:], least, 1 - least)
    angles, turned = np.arcsin(np.sqrt(inside)), half[1:] / (2 * np.sqrt(inside * (1 - inside)))
    limits = np.array([center - half, center + half])
    limits[:, 1:] = np.sin(np.clip([angles - turned, angles + turned], 0.0, np.pi / 2)) ** 2
    limits[:, 0] = np.sort([_threshold_at(curve, scores, place) for place in limits[:, 0]])
    return limits


def _normal_scores(curve: RocCurve) -> Floats:
    """Where every distinct score stands, strictest first: the normal quantile of its middle rank."""
    from scipy.special import ndtri

    cases = curve.true_positives + curve.false_positives
    middle = (cases[1:] + cases[:-1]) / (2 * cases[-1])
    return np.asarray(-ndtri(middle))


def _bandwidth(scores: Floats, counts: Integers) -> float:
    """Silverman's rule of thumb for one class."""
    n = int(counts.sum())
    mean = counts @ scores / n
    sd = float(np.sqrt(counts @ (scores - mean) ** 2 / (n - 1)))
    reached = np.cumsum(counts)
    upper, lower = (scores[np.searchsorted(reached, share * n)] for share in (0.25, 0.75))
    spread = float(upper - lower) / 1.349
    return float(_SILVERMAN * min(sd, spread if spread > 0 else sd) * n**-0.2)


def _smoothed(scores: Floats, counts: Integers, bandwidth: float, edges: Floats) -> Floats:
    """The share of a class beyond every edge, from exactly 0 to exactly 1."""
    from scipy.special import ndtr

    places, cases = scores[counts > 0], counts[counts > 0]
    n_cells = edges.size - 1
    if places.size > n_cells:  # cells are much narrower than the bandwidth
        cell = np.searchsorted(-edges, -places, side="right") - 1
        cases = np.bincount(cell, cases, minlength=n_cells)
        places = (edges[1:] + edges[:-1]) / 2
    shares = np.zeros(edges.size)
    for place, weight in zip(places, cases, strict=True):
        shares += weight * ndtr((place - edges) / bandwidth)
    shares = np.maximum.accumulate(shares / counts.sum())
    shares[0], shares[-1] = 0.0, 1.0
    return np.clip(shares, 0.0, 1.0)


def _smoothed_choices(
    criterion: Criterion, edges: Floats, smooth: list[Floats], n_cases: list[int], n_resamples: int, seed: int
) -> Floats:
    """Place, FPR and TPR of the cut-off of every resample."""
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    found, block = [], _BLOCK // edges.size
    for start in range(0, n_resamples, block):
        n = min(block, n_resamples - start)
        counts = []
        for stream, size, own in zip(streams, n_cases, smooth, strict=True):
            shares = np.diff(own)
            counts.append(np.zeros((n, edges.size), dtype=np.int64))
            np.cumsum(_drawn(stream, size, shares / shares.sum(), n), axis=1, out=counts[-1][:, 1:])
        found.append(_best(criterion, edges, *counts))
    return np.concatenate(found)


def _drawn(stream: np.random.Generator, size: int, shares: Floats, n_resamples: int) -> Integers:
    """Cases in every cell, one resample per row."""
    if size >= shares.size:
        return stream.multinomial(size, shares, size=n_resamples)
    inner = np.cumsum(shares)[:-1]  # few cases: draw them one by one
    cells = np.searchsorted(inner, stream.random((n_resamples, size)), side="right")
    cells += shares.size * np.arange(n_resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=n_resamples * shares.size).reshape(n_resamples, -1)


def _best(criterion: Criterion, edges: Floats, tp: Array, fp: Array) -> Floats:
    """Place, FPR and TPR of the cut-off of every row, midway through the empty cells behind it."""
    best = strictest_optima(criterion, tp, fp)
    own = np.arange(best.size)
    cases = tp + fp
    last = (cases <= cases[own, best][:, None]).sum(axis=1) - 1
    place = (edges[best] + edges[last]) / 2
    return np.stack([place, fp[own, best] / fp[:, -1], tp[own, best] / tp[:, -1]], axis=1)


def _threshold_at(curve: RocCurve, scores: Floats, place: float) -> float:
    """The score at a place of the normal scale; infinite beyond the scores."""
    observed = curve.thresholds[1:]
    finite = np.isfinite(observed)
    if place > scores[finite][0]:
        return float(curve.thresholds[0])
    if place < scores[finite][-1]:
        return float(-curve.thresholds[0])
    return float(np.interp(place, scores[finite][::-1], observed[finite][::-1]))


# This very threshold on new rows
# -------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedCutoff(Told, OfCriterion, sentence="points.corrected"):
    """What a chosen cut-off attains on new rows, made by ``cutoff.corrected()``.

    Attributes
    ----------
    threshold, rule : float, str
        The cut-off, as it was chosen.
    fpr, tpr, value : float
        What is to be expected on new rows: the apparent ones, less what choosing added. The value is what the
        criterion gives at these rates.
    criterion : Criterion
        What the threshold was chosen for.
    apparent_fpr, apparent_tpr, apparent_value : float
        On the rows that the cut-off was chosen on.
    fpr_interval, tpr_interval : Interval or None
        Of the population's rates at this very threshold. None where nothing is known of it: of a single
        group, and where all groups have the same rate.
    confidence_level, n_resamples, seed : float, int, int
        As asked for.
    random : str
        What was drawn again: ``"cases"``, patients, or the groups of an average.
    """

    _not_for_papers: ClassVar = ("n_resamples", "seed")

    apparent_fpr: float
    apparent_tpr: float
    apparent_value: float
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float
    n_resamples: int
    seed: int
    random: str
    _cases: tuple[float, float]  # that FPR and TPR are worth
    _of_groups: bool

    def __repr__(self) -> str:
        rates = [
            f"{name} {getattr(self, f'apparent_{name}'):.4f} -> {getattr(self, name):.4f}"
            for name in ("fpr", "tpr")
        ]
        return f"CorrectedCutoff(score {self.rule} {self.threshold:g}: {', '.join(rates)})"


def corrected_together(
    cutoffs: Sequence[Chosen], *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> tuple[CorrectedCutoff, ...]:
    """Several cut-offs of one curve or average as :meth:`Cutoff.corrected` has one; groups are drawn once."""
    level = open_share("confidence_level", confidence_level)
    seed = whole_number("seed", seed, least=0, example=0)
    n_resamples = resamples_asked(n_resamples)
    curve: Any = cutoffs[0]._curve
    drawn = [np.empty((0, 7))] * len(cutoffs)
    if isinstance(curve, RocCurve):
        require_sample(curve)
        patients = patients_of(curve)
        unit = "case" if patients is None else patients.unit
        drawn = redrawn(cutoffs, n_resamples, seed)
    else:
        unit, n_groups = curve.unit, len(group_table(curve))
        if n_groups < 2:
            _warn_of_few_groups(curve, n_groups)
        else:
            drawn = redrawn(cutoffs, n_resamples, seed)
    found = []
    for cutoff, rows in zip(cutoffs, drawn, strict=True):
        rates, worth = (cutoff.fpr, cutoff.tpr), (nan, nan)
        if rows.size:  # else one group, or one patient, has all the cases of a class
            rates = _without_optimism(cutoff, rows)
            if isinstance(curve, RocCurve):
                worth = _worth_in_cases(curve, patients, rates, rows, level)
            else:
                worth = _worth_of_groups(curve, cutoff, rates, rows, level)
        how: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "seed": seed}
        found.append(_corrected(cutoff, rates, worth, random=plural(unit), **how))
    return tuple(found)


def _corrected(
    cutoff: Chosen, rates: tuple[float, float], worth: tuple[float, float], **how: Any
) -> CorrectedCutoff:
    intervals = [
        rate_interval(rate, apparent, cases, how["confidence_level"])
        for rate, apparent, cases in zip(rates, (cutoff.fpr, cutoff.tpr), worth, strict=True)
    ]
    return CorrectedCutoff(
        threshold=cutoff.threshold,
        rule=cutoff.rule,
        fpr=rates[0],
        tpr=rates[1],
        value=float(cutoff.criterion.value(*rates)),
        criterion=cutoff.criterion,
        apparent_fpr=cutoff.fpr,
        apparent_tpr=cutoff.tpr,
        apparent_value=cutoff.value,
        fpr_interval=intervals[0],
        tpr_interval=intervals[1],
        _cases=worth,
        _of_groups=not isinstance(cutoff._curve, RocCurve),
        **how,
    )


def rate_interval(rate: float, apparent: float, cases: float, level: float) -> Interval | None:
    """Limits of a corrected rate that is worth so many cases; none where that is not known.

    Where no case was seen on one side, none may be there: an apparent rate of 0 has the limit 0.

    >>> rate_interval(0.85, 0.9, 40, 0.95)
    Interval(0.7016 to 0.9429, confidence level 0.95, clopper-pearson, corrected)
    """
    if not cases > 0:
        return None
    low, high = (float(end) for end in clopper_pearson(np.array(rate), cases, 1 - level))
    return Interval(0.0 if apparent == 0 else low, 1.0 if apparent == 1 else high, level, _CORRECTED)


def _without_optimism(cutoff: Chosen, drawn: Floats) -> tuple[float, float]:
    """The apparent rates less the mean of what choosing adds in the resamples.

    Beyond every score nothing is called positive, here and elsewhere.
    """
    if cutoff.index == 0:
        return 0.0, 0.0
    added = (drawn[:, 1:3] - drawn[:, 3:5]).mean(axis=0)
    fpr, tpr = np.clip(np.array([cutoff.fpr, cutoff.tpr]) - added, 0.0, 1.0)
    return float(fpr), float(tpr)


def _worth(rate: float, variance: float, most: float, fewer: float = 1.0) -> float:
    """How many cases would scatter as much, times a factor, at most so many; 0 and 1 are half a case off."""
    inside = min(max(rate, 0.5 / most), 1 - 0.5 / most)
    return min(inside * (1 - inside) / variance * fewer, most) if variance > 0 else most


def _t_factor(level: float, df: float) -> float:
    """By how much fewer cases make the normal quantile of a binomial interval one of Student's t."""
    return float((t_quantile(np.inf, level) / t_quantile(df, level)) ** 2)


def _worth_in_cases(
    curve: RocCurve, patients: Patients | None, rates: tuple[float, float], drawn: Floats, level: float
) -> tuple[float, float]:
    """How many cases FPR and TPR are worth; where no spread is seen between patients, each is one case."""
    n_positives, n_negatives = map(float, sizes(curve))
    if patients is None and not curve.is_weighted:
        return n_negatives, n_positives
    variances = (drawn[:, 1:3] - drawn[:, 3:5]).var(axis=0)
    if patients is None:
        of_fpr, of_tpr = map(_worth, rates, variances.tolist(), (n_negatives, n_positives))
        return of_fpr, of_tpr
    variances = np.maximum(variances, drawn[:, 5:7].var(axis=0))
    rows: Any = curve._rows
    found = []
    for rate, variance, most, of_class in zip(
        rates,
        variances.tolist(),
        (n_negatives, n_positives),
        (~rows.is_positive, rows.is_positive),
        strict=True,
    ):
        n = np.unique(patients.codes[of_class]).size
        is_known = variance > _NO_SPREAD and n > 1
        found.append(_worth(rate, variance, most, _t_factor(level, n - 1)) if is_known else float(n))
    return found[0], found[1]


def _worth_of_groups(
    average: SharedThresholdAverage, cutoff: Chosen, rates: tuple[float, float], drawn: Floats, level: float
) -> tuple[float, float]:
    """The same for means of groups; NaN where all groups have the same rate."""
    table, at = group_table(average), average.rates_at(cutoff.threshold, rule=cutoff.rule)
    errors = float(at.fpr_standard_error), float(at.tpr_standard_error)
    spreads = (drawn[:, 1:3] - drawn[:, 3:5]).std(axis=0)
    totals = [float(counts.sum()) for counts in (table.n_negatives, table.n_positives)]
    found = []
    for rate, error, spread, own, most in zip(
        rates, errors, spreads, average._axis_weights, totals, strict=True
    ):
        n, df = effective_number(own), degrees_of_freedom(own)
        expanded = spread * np.sqrt(n / (n - 1)) if n > 1 else nan
        widest = max(error, float(expanded) * error_factor(n, average.design.test_train_ratio))
        is_known = df > 0 and widest > _NO_SPREAD
        found.append(_worth(rate, widest**2, most, _t_factor(level, df)) if is_known else nan)
    return found[0], found[1]
