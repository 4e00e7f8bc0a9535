"""How sure a chosen cut-off is.

A target rate needs no resamples: order statistics bound the threshold whatever the distribution. Any other
cut-off is chosen anew in resamples of what is random. A threshold that maximises an empirical curve converges
with the cube root of the number of cases, which the plain bootstrap does not imitate well; draws from
smoothed distributions do (Leger & MacGibbon 2006, Can. J. Stat. 34, 29-44). They are smoothed on the scale of
normal scores, so that only the order of the scores matters. What choosing the best of a sample adds to its
rates is seen in the resamples, and taken off.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail, warn
from rocsteady.operating_points.cutoffs.case_resamples import class_sizes, percentiles, resampled_cases
from rocsteady.operating_points.cutoffs.criteria import Criterion, MinimumCost, TargetRate
from rocsteady.operating_points.cutoffs.group_resamples import group_limits
from rocsteady.operating_points.cutoffs.objectives import exact
from rocsteady.operating_points.cutoffs.order_statistics import clump_of, target_limits
from rocsteady.operating_points.cutoffs.smoothed_resamples import smoothed_intervals
from rocsteady.operating_points.cutoffs.two_by_two import share_interval
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.results import Result
from rocsteady.scores.score_set import told_of_clusters
from rocsteady.statistics.intervals import Interval
from rocsteady.words import percent, plural

if TYPE_CHECKING:
    from rocsteady.operating_points.cutoffs.choosing import Cutoff

Floats = NDArray[np.float64]

METHODS = ("smoothed", "percentile", "exact")
_ELSEWHERE = {"bootstrap": "percentile", "perc": "percentile", "kernel": "smoothed"}
_ELSEWHERE |= {"order-statistics": "exact", "clopper-pearson": "exact"}
_FEWEST_CASES = 5


@dataclass(frozen=True, eq=False, repr=False)
class CutoffIntervals(Result):
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
    reading: str

    def __repr__(self) -> str:
        parts = [f"threshold {self.threshold.low:.4g} to {self.threshold.high:.4g}"]
        for name in ("fpr", "tpr"):
            own = getattr(self, name)
            parts += [f"{name} {own.low:.4f} to {own.high:.4f}"] if own is not None else []
        return f"CutoffIntervals({', '.join(parts)}, {self.method})"


def cutoff_intervals(
    cutoff: Cutoff,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    method: str | None = None,
) -> CutoffIntervals:
    """Intervals of the threshold and of its rates, which know that the cut-off was chosen on these rows.

    What they cover is the threshold that would be chosen if the whole population were known, and the
    population's rates there: the largest TPR - FPR, the point closest to (0, 1), equal error rates, the
    smallest expected cost at the same prevalence, or the target rate exactly kept. They do not tell what
    *this* threshold will attain on other rows: ``cutoff.on(other)`` does. The smoothed intervals take off
    what the choice adds to the rates, so they are not centred at the rates of these rows, but hold them.

    Parameters
    ----------
    cutoff : Cutoff
        On a curve the cases are random, of each class as many as there are, so neither class dies out. On an
        average the groups are random and are drawn whole.
    confidence_level : float
        Between 0 and 1.
    n_resamples, seed : int
        The same seed gives the same intervals on any machine. Exact intervals use neither.
    method : {"smoothed", "percentile", "exact"}, optional
        For curves. By default exact for a :class:`TargetRate`, from order statistics; else smoothed where no
        score is shared by more than 5 % of a class, and percentile where one is: heavily tied scores are
        steps, and steps are not to be smoothed. Weighted rows have percentiles only.

    Warns
    -----
    RocsteadyWarning
        RS242 for fewer than eight groups; RS243 for a class with one case; RS244 where the sample does not
        bound the cut-off.

    Notes
    -----
    A rate with fewer than five cases on one side of the cut-off has at least the exact binomial limits: where
    no positive is missed, no resample misses one, and their spread tells nothing. The threshold has no limit
    on a side where calling everything, or nothing, positive is within the limits of the rates. How often the
    intervals cover is said at the head of this module, with the populations where they fall short.
    """
    level = open_share("confidence_level", confidence_level)
    n_resamples = whole_number("n_resamples", n_resamples, least=2, example=2000)
    seed = whole_number("seed", seed, least=0, example=0)
    if method is not None:
        one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    curve = cutoff._curve
    if isinstance(curve, RocCurve):
        used = _method_for(curve, cutoff.criterion, method)
        if used != "exact":
            resamples_asked(n_resamples)
        require_sample(curve)
        _warn_of_one_case(curve, used)
        limits = _of_cases(curve, cutoff, level, (n_resamples, seed, used))
        random = "cases of both classes are random"
    else:
        if method is not None:
            raise fail("RS072.average", method=method)
        return of_groups([cutoff], confidence_level=level, n_resamples=n_resamples, seed=seed)[0]
    return _made(cutoff, limits, level, (n_resamples, seed, used), random)


def of_groups(
    cutoffs: Sequence[Cutoff], *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> tuple[CutoffIntervals, ...]:
    """Intervals of several cut-offs of one average, from the same resamples of its groups.

    They are those of ``cutoff.intervals()``. Averages of resampled groups are made once for all, which is
    where the time goes; where an average has thousands of vertices those that are looked at differ a little.
    """
    resamples_asked(n_resamples)
    average: Any = cutoffs[0]._curve
    found = []
    for cutoff, limits in zip(
        cutoffs, group_limits(average, cutoffs, confidence_level, n_resamples, seed), strict=True
    ):
        if _has_no_width(limits):
            why = "all resamples have the same rates: groups are alike, or classes are separated"
            warn("RS244.unbounded", why=why)
        how = (n_resamples, seed, "groups")
        found.append(_made(cutoff, limits, confidence_level, how, f"{plural(average.unit)} are random"))
    return tuple(found)


def _made(
    cutoff: Cutoff, limits: Floats, level: float, how: tuple[int, int, str], random: str
) -> CutoffIntervals:
    """Limits ``(2, 3)`` of threshold, fpr and tpr as intervals, which hold what was estimated."""
    held = None
    if isinstance(cutoff.criterion, TargetRate):
        held = "fpr" if cutoff.criterion.tpr is None else "tpr"
    kind = "order statistics" if how[2] == "exact" else f"bootstrap, {how[2]}"
    made: dict[str, Any] = {}
    for column, name in enumerate(("threshold", "fpr", "tpr")):
        estimate = getattr(cutoff, name)
        low, high = np.minimum(limits[0, column], estimate), np.maximum(limits[1, column], estimate)
        made[name] = None if name == held else Interval(float(low), float(high), level, kind)
    how_made = (
        "limits by order statistics" if how[2] == "exact" else "the cut-off is chosen anew in every resample"
    )
    reading = _reading(made, f"{random}, {how_made}", level, held)
    return CutoffIntervals(
        **made, confidence_level=level, n_resamples=how[0], seed=how[1], method=how[2], reading=reading
    )


def _reading(made: dict[str, Any], random: str, level: float, held: str | None) -> str:
    threshold = made["threshold"]
    rates = " and ".join(
        f"{name.upper()} {percent(made[name].low)} to {percent(made[name].high)}"
        for name in ("tpr", "fpr")
        if name != held
    )
    return (
        f"The best threshold of the population lies between {threshold.low:.4g} and {threshold.high:.4g}, "
        f"and has {rates} there ({100 * level:g} % confidence, each by itself; {random})."
    )


def _method_for(curve: RocCurve, criterion: Criterion, method: str | None) -> str:
    """The method asked for, RS072 if these cases do not have it, else the one that suits them."""
    is_exact = isinstance(criterion, TargetRate) and not curve.is_weighted
    why_not = _why_not_smooth(curve, criterion)
    if method is None:
        return "exact" if is_exact else "percentile" if why_not else "smoothed"
    if method == "smoothed" and why_not and not curve._is_hull:
        raise fail("RS072.smoothed", why=why_not, known="exact" if is_exact else "percentile")
    if method == "exact" and not is_exact:
        known = "percentile" if why_not else "smoothed"
        raise fail("RS072.exact", is_weighted=curve.is_weighted, aim=criterion.aim, known=known)
    return method


def require_sample(curve: RocCurve) -> None:
    """Refuse what cannot be drawn from: RS002 for a convex hull, RS038 for sums of weights."""
    if curve._is_hull:
        raise fail("RS002.hull")
    if curve.is_weighted and curve._rows is None:
        raise fail("RS038.counts", function="roc_curve")


def _warn_of_one_case(curve: RocCurve, method: str) -> None:
    """RS243 where drawing shows half of the picture, RS104 where patients are not drawn whole."""
    if curve._rows is not None:
        own = curve._rows
        told = told_of_clusters(own._clusters, own.columns.offsets, "Cutoff.intervals", "dataset")
        if told is not None:
            warn("RS104.clusters", **told)
    sizes = class_sizes(curve)
    if min(sizes) == 1 and method != "exact":
        warn("RS243.single", n_positives=sizes[0], n_negatives=sizes[1])


def _why_not_smooth(curve: RocCurve, criterion: Criterion) -> str:
    """What speaks against smoothing; nothing if nothing does."""
    if curve.is_weighted:
        return "rows are weighted"
    if _beyond(curve, criterion) < 1:
        return "fewer than one case is expected beyond the target"
    sizes = class_sizes(curve)
    if min(sizes) < _FEWEST_CASES:
        return f"there are only {min(sizes)} {'positives' if sizes[0] < sizes[1] else 'negatives'}"
    return clump_of(curve)


def _of_cases(curve: RocCurve, cutoff: Cutoff, level: float, how: tuple[int, int, str]) -> Floats:
    """Limits on a curve; RS244 where the sample does not set one."""
    n_resamples, seed, method = how
    criterion = cutoff.criterion
    if method == "exact" and isinstance(criterion, TargetRate):
        limits, missing = target_limits(curve, criterion, cutoff.index, level)
        if missing:
            warn("RS244.unbounded", why=missing)
        return limits
    if method == "smoothed":
        limits = smoothed_intervals(
            curve, criterion, cutoff.index, confidence_level=level, n_resamples=n_resamples, seed=seed
        )
    else:
        drawn = (rows[:, :3] for rows in resampled_cases(curve, criterion, n_resamples, seed))
        limits = percentiles(drawn, level)
    found = "all resamples have the same rates: classes are separated, or all scores are equal"
    unbounded = found if _has_no_width(limits) else ""
    limits = _with_few_cases(curve, cutoff, limits, level)
    if isinstance(criterion, MinimumCost):
        _open_for_dear_errors(curve, cutoff, criterion, limits)
    if isinstance(criterion, TargetRate):
        unbounded = _open_for_target(curve, criterion, limits) or unbounded
    else:
        unbounded = _open_for_trivial(curve, limits) or unbounded
    if unbounded:
        warn("RS244.unbounded", why=unbounded)
    return limits


def _beyond(curve: RocCurve, criterion: Criterion) -> float:
    """How many cases are expected on the far side of a target; infinite for other criteria."""
    if not isinstance(criterion, TargetRate):
        return float("inf")
    n_positives, n_negatives = class_sizes(curve)
    return (
        n_positives * (1 - criterion.tpr)
        if criterion.tpr is not None
        else n_negatives * (criterion.fpr or 0.0)
    )


def _has_no_width(limits: Floats) -> bool:
    return bool((limits[0, 1:] == limits[1, 1:]).all())


def _with_few_cases(curve: RocCurve, cutoff: Cutoff, limits: Floats, level: float) -> Floats:
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


def _open_for_dear_errors(curve: RocCurve, cutoff: Cutoff, criterion: MinimumCost, limits: Floats) -> None:
    """No limit of a rate where one more case beyond the cut-off would outweigh all of the other class there.

    With 20 positives, and a miss that costs as much as 20 false positives, one positive among the lowest
    scores would make it best to call everything positive. Whether there are such positives, 20 do not tell.
    """
    of_misses, of_alarms = criterion.expected(criterion._of_sample or Fraction(0))
    n_positives, n_negatives = _effective_sizes(curve)
    if of_misses >= n_positives * of_alarms * (1 - exact(cutoff.fpr)):
        limits[1, 1] = 1.0
    if of_alarms >= n_negatives * of_misses * exact(cutoff.tpr):
        limits[0, 2] = 0.0


def _open_for_trivial(curve: RocCurve, limits: Floats) -> str:
    """No limit of the threshold on a side where calling everything, or nothing, positive is not excluded."""
    found = []
    for is_reached, row, end, what in (
        (limits[1, 1] >= 1, 1, -float(curve.thresholds[0]), "everything"),
        (limits[0, 2] <= 0, 0, float(curve.thresholds[0]), "nothing"),
    ):
        if is_reached:
            limits[int(end > 0), 0] = end
            limits[row, 1:] = row  # both rates are 1 there, or both 0
            found.append(f"calling {what} positive is within the limits")
    return ", and ".join(found)


def _open_for_target(curve: RocCurve, criterion: TargetRate, limits: Floats) -> str:
    """No limit on the side of a target beyond which no case is expected."""
    if _beyond(curve, criterion) >= 1:
        return ""
    is_fpr = criterion.tpr is None
    end = float(curve.thresholds[0]) * (1 if is_fpr else -1)
    limits[int(end > 0), 0] = end
    limits[(0, 2) if is_fpr else (1, 1)] = 0.0 if is_fpr else 1.0  # the free rate may be as bad as can be
    return f"fewer than one of the {'negatives' if is_fpr else 'positives'} is expected beyond the target"
