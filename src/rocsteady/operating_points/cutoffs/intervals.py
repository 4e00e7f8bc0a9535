"""How sure a chosen cut-off is: it is chosen anew in resamples of what is random.

A threshold that maximises an empirical curve converges with the cube root of the number of cases, and the
plain bootstrap does not imitate that well. Where 95 % is claimed (simulations/cutoffs.py), percentiles cover
91 to 98 % with 50 + 50 cases and 70 to 98 % with 20 + 200; smoothed intervals cover 95 to 99 % with 50 + 50
or more, and 89 to 96 % with 20 + 200, the rate of the 20 least. Intervals over groups cover 93 to 99 %, but
91 % for the threshold of a target FPR with 8 or 20 groups. Draws from smoothed distributions imitate the
choice (Leger & MacGibbon 2006, Can. J. Stat. 34, 29-44). Distributions are smoothed on the scale of normal
scores, so that only the order of the scores matters. What choosing the best of a sample adds to its rates is
seen in the resamples, and taken off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.merging import rates_of_groups
from rocsteady.counting.arguments import one_of, open_share, whole_number
from rocsteady.counting.caller import caller_level
from rocsteady.counting.results import Result
from rocsteady.curves.auc_uncertainty import ranked_rows
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, UsageError, counted, warn
from rocsteady.operating_points.cutoffs.criteria import Criterion, TargetRate, strictest_optima
from rocsteady.operating_points.cutoffs.smoothed_resamples import smoothed_intervals
from rocsteady.operating_points.cutoffs.vertices import group_table
from rocsteady.uncertainty.clusters import drawn_counts, drawn_means
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import two_sided_quantile
from rocsteady.words import percent, plural

if TYPE_CHECKING:
    from rocsteady.averaging.shared_threshold import SharedThresholdAverage
    from rocsteady.operating_points.cutoffs.choosing import Cutoff

Floats = NDArray[np.float64]

METHODS = ("smoothed", "percentile")
_ELSEWHERE = {"bootstrap": "percentile", "perc": "percentile", "kernel": "smoothed"}
_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer
_MOST_THRESHOLDS = 4000
_PLACES = 12  # of the rates of resampled groups: sums in another order, on another machine, are the same
_LARGEST_CLUMP = 0.05
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
    method : {"smoothed", "percentile", "groups"}
        Which resamples.
    reading : str
        What is random and what the intervals cover.
    """

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
    """Intervals of the threshold and of its rates, the cut-off chosen anew in every resample.

    What they cover is the threshold that would be chosen if the whole population were known, and the
    population's rates there: the largest TPR - FPR, the point closest to (0, 1), equal error rates, the
    smallest expected cost at the same prevalence, or the target rate exactly kept. They do not tell what
    *this* threshold will attain on other rows: ``cutoff.on(other)`` does. The smoothed intervals take off
    what the choice adds to the rates, so they are not centred at the rates of these rows.

    Parameters
    ----------
    cutoff : Cutoff
        On a curve the cases are random, of each class as many as there are, so neither class dies out. On an
        average the groups are random and are drawn whole.
    confidence_level : float
        Between 0 and 1.
    n_resamples, seed : int
        The same seed gives the same intervals on any machine.
    method : {"smoothed", "percentile"}, optional
        For curves. Smoothed where no score is shared by more than 5 % of a class, else percentile: heavily
        tied scores are steps, and steps are not to be smoothed. Weighted rows have percentiles only.

    Warns
    -----
    RocsteadyWarning
        RS242 for fewer than eight groups; RS243 for a class with one case; RS244 where the sample does not
        bound the cut-off.
    """
    level = open_share("confidence_level", confidence_level)
    n_resamples = whole_number("n_resamples", n_resamples, least=2, example=2000)
    seed = whole_number("seed", seed, least=0, example=0)
    if method is not None:
        one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    curve = cutoff._curve
    if isinstance(curve, RocCurve):
        _require_sample(curve)
        used = method or ("percentile" if _why_not_smooth(curve, cutoff.criterion) else "smoothed")
        if used == "smoothed":
            limits = _smoothed(curve, cutoff, level, n_resamples, seed)
        else:
            limits = _percentiles(_resampled_cases(curve, cutoff.criterion, n_resamples, seed), level)
            limits = _opened(curve, cutoff.criterion, limits)
        random = "cases of both classes are random"
    else:
        if method is not None:
            raise UsageError(
                "RS072",
                "the cases of an average are not resampled, its groups are.",
                f"found: {Option('method', method).python()}",
                "leave the method out:  cutoff.intervals()",
            )
        used, random = "groups", f"{plural(curve.unit)} are random"
        limits = _of_groups(curve, cutoff, level, n_resamples, seed)
    return _made(cutoff, limits, level, (n_resamples, seed, used), random)


def _made(
    cutoff: Cutoff, limits: Floats, level: float, how: tuple[int, int, str], random: str
) -> CutoffIntervals:
    """Limits ``(2, 3)`` of threshold, fpr and tpr as intervals."""
    held = None
    if isinstance(cutoff.criterion, TargetRate):
        held = "fpr" if cutoff.criterion.tpr is None else "tpr"
    made: dict[str, Any] = {}
    for column, name in enumerate(("threshold", "fpr", "tpr")):
        low, high = limits[:, column].tolist()
        made[name] = None if name == held else Interval(low, high, level, f"bootstrap, {how[2]}")
    reading = _reading(made, random, level, held)
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
        f"and has {rates} there ({100 * level:g} % confidence, each by itself; {random}, the cut-off is "
        f"chosen anew in every resample)."
    )


def _require_sample(curve: RocCurve) -> None:
    """Refuse what cannot be drawn from; RS243 where drawing shows half of the picture."""
    if curve._is_hull:
        raise UsageError(
            "RS002",
            "a convex hull cannot be resampled: it has lost the cases between its corners.",
            "",
            "choose on the curve itself, a smallest cost has the same vertex:  choose_cutoff(curve, ...)",
        )
    if curve.is_weighted and curve._rows is None:
        raise UsageError(
            "RS038",
            "a curve from sums of weights cannot be resampled.",
            "the bootstrap draws rows, and counts do not tell which rows they merged",
            "start from the rows:  roc_curve(labels, scores, sample_weight=...)",
        )
    sizes = _class_sizes(curve)
    if min(sizes) == 1:
        warn(
            "RS243",
            "a class with a single case cannot be resampled; the intervals show the other's spread only.",
            f"found: {counted(sizes[0], 'positive')}, {counted(sizes[1], 'negative')}",
            "collect cases of that class before a cut-off is set",
            stacklevel=caller_level(),
        )


def _class_sizes(curve: RocCurve) -> tuple[int, int]:
    if curve._rows is None:
        return int(curve.n_positives), int(curve.n_negatives)
    is_positive = curve._rows.is_positive
    return int(is_positive.sum()), int((~is_positive).sum())


def _why_not_smooth(curve: RocCurve, criterion: Criterion) -> str:
    """What speaks against smoothing; nothing if nothing does."""
    if curve.is_weighted:
        return "rows are weighted"
    if _beyond(curve, criterion) < 1:
        return "fewer than one case is expected beyond the target"
    for counts, name in ((curve.true_positives, "positives"), (curve.false_positives, "negatives")):
        n = int(counts[-1])
        if n < _FEWEST_CASES:
            return f"there are only {n} {name}"
        if np.diff(counts).max() > max(1, _LARGEST_CLUMP * n):
            return f"{percent(float(np.diff(counts).max() / n))} of the {name} share one score"
    return ""


def _smoothed(curve: RocCurve, cutoff: Cutoff, level: float, n_resamples: int, seed: int) -> Floats:
    why = _why_not_smooth(curve, cutoff.criterion)
    if why:
        raise UsageError(
            "RS072", "these scores cannot be smoothed.", why, ("use  ", Option("method", "percentile"))
        )
    return smoothed_intervals(
        curve, cutoff.criterion, cutoff.index, confidence_level=level, n_resamples=n_resamples, seed=seed
    )


def _beyond(curve: RocCurve, criterion: Criterion) -> float:
    """How many cases are expected on the far side of a target; infinite for other criteria."""
    if not isinstance(criterion, TargetRate):
        return float("inf")
    n_positives, n_negatives = _class_sizes(curve)
    return (
        n_positives * (1 - criterion.tpr)
        if criterion.tpr is not None
        else n_negatives * (criterion.fpr or 0.0)
    )


def _opened(curve: RocCurve, criterion: Criterion, limits: Floats) -> Floats:
    """Limits without the end that the sample does not set; RS244 where there is such an end, or no width."""
    if isinstance(criterion, TargetRate) and _beyond(curve, criterion) < 1:
        is_fpr = criterion.tpr is None
        found = (
            f"fewer than one of the {'negatives' if is_fpr else 'positives'} is expected beyond the target"
        )
        strict = float(curve.thresholds[0])
        limits[:, 0] = np.sort(limits[:, 0])
        end = strict if is_fpr else -strict
        limits[1 if end > 0 else 0, 0] = end
        limits[(0, 2) if is_fpr else (1, 1)] = 0.0 if is_fpr else 1.0  # the free rate may be as bad as can be
    elif (limits[0, 1:] == limits[1, 1:]).all():
        found = "all resamples have the same rates: classes are separated, or all scores are equal"
    else:
        return limits
    warn(
        "RS244",
        "the sample does not bound the cut-off.",
        found,
        "collect cases until some lie on the far side, or ask for a rate that is not so near to 0 or 1",
        stacklevel=caller_level(),
    )
    return limits


def _percentiles(resampled: Iterator[Floats], level: float) -> Floats:
    """Observed values, so that infinite thresholds are not mixed with others."""
    rows = np.concatenate(list(resampled))
    tails = (1 - level) / 2, (1 + level) / 2
    low = np.quantile(rows, tails[0], axis=0, method="lower")
    return np.array([low, np.quantile(rows, tails[1], axis=0, method="higher")])


def _resampled_cases(curve: RocCurve, criterion: Criterion, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Threshold, FPR and TPR of the cut-off of every resample, in blocks; cases are drawn within classes."""
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    n_steps = curve.thresholds.size - 1
    if curve.is_weighted:
        ranks, weights = ranked_rows(curve._rows)
        columns: list[Any] = list(zip(ranks, weights, strict=True))
        draw: Any = _drawn_weights
        size = max(1, _BLOCK // max(n_steps, *_class_sizes(curve)))
    else:
        columns = [np.diff(counts) for counts in (curve.true_positives, curve.false_positives)]
        draw = _drawn_counts
        size = max(1, _BLOCK // n_steps)
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        tp, fp = (draw(stream, own, n, n_steps) for stream, own in zip(streams, columns, strict=True))
        best = strictest_optima(criterion, tp, fp)
        row = np.arange(n)
        yield np.stack([curve.thresholds[best], fp[row, best] / fp[:, -1], tp[row, best] / tp[:, -1]], axis=1)


def _drawn_counts(
    stream: np.random.Generator, counts: NDArray[np.int64], n_resamples: int, n_steps: int
) -> NDArray[np.int64]:
    """Cases at or beyond every vertex, one resample per row; how many cases there are does not matter."""
    taken = np.flatnonzero(counts)
    drawn = np.zeros((n_resamples, n_steps + 1), dtype=np.int64)
    total = int(counts.sum())
    drawn[:, 1 + taken] = stream.multinomial(total, counts[taken] / total, size=n_resamples)
    return np.cumsum(drawn, axis=1)


def _drawn_weights(
    stream: np.random.Generator, rows: tuple[NDArray[np.int64], Floats], n_resamples: int, n_steps: int
) -> Floats:
    """Weight at or beyond every vertex; a row is drawn together with its weight."""
    ranks, weights = rows
    drawn = stream.integers(ranks.size, size=(n_resamples, ranks.size))
    cells = 1 + ranks[drawn] + (n_steps + 1) * np.arange(n_resamples)[:, None]
    shares = weights / weights.max()
    summed = np.bincount(cells.ravel(), shares[drawn].ravel(), minlength=n_resamples * (n_steps + 1))
    return np.cumsum(summed.reshape(n_resamples, n_steps + 1), axis=1)


def _of_groups(
    average: SharedThresholdAverage, cutoff: Cutoff, level: float, n_resamples: int, seed: int
) -> Floats:
    """Limits from resampled groups; RS242 where they are few."""
    n_groups = len(group_table(average))
    if n_groups < FEWEST_GROUPS:
        warn(
            "RS242",
            f"{counted(n_groups, average.unit)} are too few to be drawn again.",
            f"below {FEWEST_GROUPS} the intervals are not reliable; of a single one there are none",
            f"collect {plural(average.unit)}, not more cases in each",
            stacklevel=caller_level(),
        )
    if n_groups < 2:
        return np.full((2, 3), np.nan)
    return _percentiles(_resampled_groups(average, cutoff, n_resamples, seed), _expanded(average, level))


def _expanded(average: SharedThresholdAverage, level: float) -> float:
    """The level at which percentiles are taken: further out for few groups, whose resamples are too alike.

    That of the t quantile times the root of M / (M - 1) in a normal distribution (Hesterberg 2015, expanded
    percentile interval).
    """
    from scipy.special import ndtr

    n_groups = average.effective_groups
    if not n_groups > 1:
        return level
    factor = two_sided_quantile("t", level, average.degrees_of_freedom) * np.sqrt(n_groups / (n_groups - 1))
    return float(1 - 2 * ndtr(-factor))


def _resampled_groups(
    average: SharedThresholdAverage, cutoff: Cutoff, n_resamples: int, seed: int
) -> Iterator[Floats]:
    """Threshold, FPR and TPR of the cut-off of the average of every resample of groups."""
    table = group_table(average)
    vertex = _some_vertices(average, cutoff.index)
    rates = rates_of_groups(table, average.thresholds[vertex], None)
    fpr, tpr = rates.fpr, rates.tpr
    fpr[:, 0] = tpr[:, 0] = 0.0  # beyond everything, also beyond a score that is itself infinite
    fpr_weights, tpr_weights = average._axis_weights
    n_groups = len(table)
    per_block = max(1, _BLOCK // vertex.size)
    for counts in drawn_counts(n_groups, n_resamples, seed):
        for start in range(0, counts.shape[0], per_block):
            drawn = counts[start : start + per_block]
            x, y = drawn_means(fpr, fpr_weights, drawn), drawn_means(tpr, tpr_weights, drawn)
            usable = np.isfinite(x[:, 0]) & np.isfinite(y[:, 0])  # a class may not have been drawn at all
            x, y = (np.clip(np.round(rate[usable], _PLACES), 0.0, 1.0) for rate in (x, y))
            best = strictest_optima(cutoff.criterion, y, x)
            own = np.arange(best.size)
            yield np.stack([average.thresholds[vertex[best]], x[own, best], y[own, best]], axis=1)


def _some_vertices(average: SharedThresholdAverage, chosen: int) -> NDArray[np.intp]:
    """All vertices, or some that lie evenly along the curve, and the chosen one."""
    n = average.thresholds.size
    if n <= _MOST_THRESHOLDS:
        return np.arange(n)
    along = average.fpr + average.tpr
    evenly = np.searchsorted(along, np.linspace(0, 2, _MOST_THRESHOLDS)).clip(0, n - 1)
    return np.unique(np.concatenate([[0, chosen, n - 1], evenly]))
