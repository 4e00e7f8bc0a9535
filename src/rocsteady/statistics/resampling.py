"""The bootstrap, as arrays: cases drawn within their group and class, or whole groups drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady import _kernels
from rocsteady._kernels.resample import drawn_below, stream_start
from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.counting.table import score_ranks, warn_without_kernels
from rocsteady.errors import fail
from rocsteady.options import How, one_of
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.group_permutation import largest_of_normal
from rocsteady.statistics.groups import effective_number, mostly_alike, spread
from rocsteady.statistics.limits import t_quantile

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.scores.scores import Scores


Progress = Callable[[int, int], object]


@dataclass(frozen=True, eq=False)
class RankedCases:
    """Cases of one or many groups, each class in its own columns, groups one after the other.

    Ranks are among the distinct scores (of the group, or of all groups), 0 for the strictest; ties share one.
    The order of the cases within a group is theirs to keep: it pairs models. Group ``g`` owns the cases
    ``offsets[g]:offsets[g + 1]`` of each class.
    """

    positive_ranks: Integers
    negative_ranks: Integers
    positive_offsets: Integers
    negative_offsets: Integers
    positive_weights: Floats | None = None
    negative_weights: Floats | None = None
    are_counts: bool = False  # weights are numbers of cases, which cannot be drawn one by one

    @property
    def n_groups(self) -> int:
        """How many groups."""
        return self.positive_offsets.size - 1

    @classmethod
    def of_one(
        cls,
        positive_ranks: ArrayLike,
        negative_ranks: ArrayLike,
        positive_weights: Floats | None = None,
        negative_weights: Floats | None = None,
    ) -> RankedCases:
        """The cases of a single curve."""
        ranks = [np.ascontiguousarray(r, dtype=np.int64) for r in (positive_ranks, negative_ranks)]
        offsets = [np.array([0, r.size], dtype=np.int64) for r in ranks]
        return cls(ranks[0], ranks[1], offsets[0], offsets[1], positive_weights, negative_weights)

    def by_class(self) -> Iterator[tuple[str, Integers, Integers, Floats | None]]:
        """The name of each class, and of its cases the groups, ranks and weights."""
        for side in ("positive", "negative"):
            ranks, offsets, weights = (
                getattr(self, f"{side}_{own}") for own in ("ranks", "offsets", "weights")
            )
            yield side, np.repeat(np.arange(self.n_groups), np.diff(offsets)), ranks, weights

    def counting_alike(self) -> RankedCases:
        """The same with weights that make every group count the same in each class."""
        made: dict[str, Any] = {}
        for side, groups, ranks, weights in self.by_class():
            own = np.ones(ranks.size) if weights is None else weights
            made[f"{side}_weights"] = own / np.bincount(groups, own, minlength=self.n_groups)[groups]
        return replace(self, **made)


def ranked_cases(scores: Scores | ScoreSet, *, shared: bool = False) -> RankedCases:
    """Ranks of the cases of one model, in the order in which the groups hold them.

    ``shared`` ranks the cases of all groups together, for one curve through all of them.
    """
    c = scores.columns
    is_positive = np.asarray(c.labels == c.positive)
    ranks = score_ranks(scores, shared=shared)
    positive_offsets = np.append(0, np.cumsum(is_positive))[c.offsets]
    return RankedCases(
        ranks[is_positive],
        ranks[~is_positive],
        positive_offsets,
        c.offsets - positive_offsets,
        None if c.weights is None else c.weights[is_positive],
        None if c.weights is None else c.weights[~is_positive],
        c.are_counts,
    )


class Readings(NamedTuple):
    """What is read off every resampled curve. The columns of the answer come in the order of the fields."""

    auc: bool = False
    partial_fpr: Sequence[tuple[float, float]] = ()  # raw areas under the curve over ranges of FPRs
    partial_tpr: Sequence[tuple[float, float]] = ()  # and right of it over ranges of TPRs
    tpr_at: ArrayLike = ()  # FPRs at which the TPR is read, at the upper end of a jump
    fpr_at: ArrayLike = ()  # TPRs at which the FPR is read, at the lower end of a jump
    frozen: ArrayLike = ()
    """Vertices, that is numbers of distinct scores called positive: ``(n,)``, or ``(n_groups, n)`` where
    every group has its own ranks. First the n FPRs, then the n TPRs."""

    def _columns(self, n_curves: int) -> tuple[Integers, Floats, Floats, Integers]:
        """Kinds, low and high of the kernels' readings; the vertices of every curve."""
        ranges = [
            np.asarray(r, dtype=np.float64).reshape(-1, 2) for r in (self.partial_fpr, self.partial_tpr)
        ]
        tpr_at, fpr_at = (np.asarray(at, dtype=np.float64).ravel() for at in (self.tpr_at, self.fpr_at))
        vertices = np.atleast_2d(np.asarray(self.frozen, dtype=np.int64))
        frozen = np.ascontiguousarray(np.broadcast_to(vertices, (n_curves, vertices.shape[1])))
        column = np.arange(frozen.shape[1], dtype=np.float64)
        lows = [np.zeros(int(self.auc)), ranges[0][:, 0], ranges[1][:, 0], tpr_at, fpr_at, column, column]
        low = np.concatenate(lows)
        kinds = np.repeat(np.arange(7), [part.size for part in lows])
        high = np.zeros_like(low)
        high[(kinds == 1) | (kinds == 2)] = np.concatenate([r[:, 1] for r in ranges])
        return kinds, low, high, frozen


AUC = Readings(auc=True)


def resampled_cases(
    cases: RankedCases,
    readings: Readings = AUC,
    *,
    shared: bool = False,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Readings of curves whose cases were drawn with replacement, within their group and class.

    The groups stay as they are; neither class can die out. A reading is the mean of what the groups' own
    curves give; or, ``shared``, that of one curve through the drawn cases of all groups, which must be ranked
    together. Resample r, a row of the answer, is the same however many follow it, and with any number of
    threads. ``progress`` is called with (done, total), at most ten times a second and once at the end.
    """
    if cases.are_counts:
        raise fail("RS406.drawing-cases")
    warn_without_kernels()
    values: Floats = _kernels.kernels.resample_cases(
        *_case_columns(cases, 960),
        np.ones(cases.n_groups),
        shared,
        *readings._columns(1 if shared else cases.n_groups),
        seed % 2**64,
        n_resamples,
        _kernels.thread_count(threads),
        progress,
    )
    return values


class ResampledGroups(NamedTuple):
    """Readings of resampled groups, ``(n_resamples, readings)``, and how often each was drawn again: draws
    without one of the classes are thrown away. Two models meet the same groups where ``redrawn`` is the same.
    """

    values: Floats
    redrawn: Integers


def resampled_groups(
    cases: RankedCases,
    readings: Readings = AUC,
    *,
    average: str = "pooled",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ResampledGroups:
    """Readings of the one curve through all cases of groups that were drawn with replacement.

    As :func:`resampled_cases`. Groups may be patients with several rows each; cases are ranked together.
    ``average`` says whether cases count alike (``"pooled"``) or groups do (``"threshold"``, mean rates at
    every threshold).
    """
    one_of("average", average, ("pooled", "threshold"))
    columns, shares = _case_columns(cases, 0), [np.ones(cases.n_groups)] * 2
    if average == "threshold":
        sizes = [_group_sums(*columns[k::2]) for k in (0, 1)]
        shares = [np.divide(1.0, n, out=np.zeros_like(n), where=n > 0) for n in sizes]
    warn_without_kernels()
    values, n_redrawn = _kernels.kernels.resample_groups(
        *columns,
        *shares,
        *readings._columns(1),
        seed % 2**64,
        n_resamples,
        _kernels.thread_count(threads),
        progress,
    )
    redrawn = np.zeros(n_resamples, dtype=np.int64)
    if n_redrawn:
        has_class = [_group_sums(*columns[k::2]) * shares[k] > 0 for k in (0, 1)]
        redrawn = _times_redrawn(has_class, n_resamples, seed % 2**64)
    return ResampledGroups(values, redrawn)


def _times_redrawn(has_class: Sequence[NDArray[np.bool_]], n_resamples: int, seed: int) -> Integers:
    """How often the kernel draws every resample again: until the groups drawn have both classes."""
    n_groups = has_class[0].size
    bounds = np.full(n_groups, n_groups, dtype=np.uint64)
    times = np.zeros(n_resamples, dtype=np.int64)
    for replicate in range(n_resamples):
        start = stream_start(seed, replicate)
        while True:
            drawn = drawn_below(start, int(times[replicate]) * n_groups, bounds)
            if all(own[drawn].any() for own in has_class):
                break
            times[replicate] += 1
    return times


def _group_sums(ranks: Integers, offsets: Integers, weights: Floats | None) -> Floats:
    """Cases, or weight, of every group in one class."""
    if weights is None:
        return np.diff(offsets).astype(np.float64)
    groups = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    return np.asarray(np.bincount(groups, weights, minlength=offsets.size - 1), dtype=np.float64)


def _case_columns(cases: RankedCases, exponent: int) -> tuple[Any, ...]:
    """The columns as the kernels take them, the largest weight brought to this power of two."""
    c = cases
    weights = [_scaled(w, exponent) for w in (c.positive_weights, c.negative_weights)]
    return c.positive_ranks, c.negative_ranks, c.positive_offsets, c.negative_offsets, *weights


def _scaled(weights: Floats | None, exponent: int) -> Floats | None:
    """Times a power of two, which rounds nothing: only ratios matter, and sums must not overflow."""
    if weights is None:
        return None
    return np.ascontiguousarray(np.ldexp(weights, exponent - np.frexp(weights.max())[1]))


# The bootstrap of whole groups: curves are drawn with replacement and the average is made anew
# ---------------------------------------------------------------------------------------------

_BLOCK = 2**22
"""Draws held at once; bounds the memory and does not change the answer."""


def drawn_counts(n_groups: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """How often every group was drawn, in blocks of ``(resamples, n_groups)``."""
    stream = np.random.default_rng(seed)
    size = max(1, _BLOCK // n_groups)
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        drawn = stream.integers(n_groups, size=(n, n_groups))
        cells = drawn + n_groups * np.arange(n)[:, None]
        yield np.bincount(cells.ravel(), minlength=n * n_groups).reshape(n, n_groups).astype(np.float64)


def drawn_means(values: Floats, weights: Floats, counts: Floats) -> Floats:
    """Weighted means of the drawn groups, ``(resamples, n)``; NaN where none of them has weight."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if _are_equal(weights):
            return np.asarray(counts @ values / counts.sum(axis=1)[:, None])
        return np.asarray((counts * weights) @ values / (counts @ weights)[:, None])


def _are_equal(weights: Floats) -> bool:
    """Whether all groups weigh the same, which leaves less to be multiplied."""
    return bool(weights.size and weights[0] > 0 and (weights == weights[0]).all())


def drawn_standard_errors(deviations: Floats, weights: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Means of the drawn groups and their standard errors, from values less their overall means."""
    total = (counts @ weights)[:, None]
    squared = weights**2
    n = effective_number(weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        if _are_equal(weights):
            drawn = counts.sum(axis=1)[:, None]
            mean = counts @ deviations / drawn
            variance = np.maximum(counts @ deviations**2 / drawn - mean**2, 0.0)
            return mean, np.sqrt(variance / drawn) * np.sqrt(n / (n - 1))
        mean = (counts * weights) @ deviations / total
        # sum of w**2 (v - mean)**2, expanded; the deviations are small, so little cancels
        of_squares = (counts * squared) @ deviations**2
        around = (
            of_squares - 2 * mean * ((counts * squared) @ deviations) + mean**2 * (counts @ squared)[:, None]
        )
        return mean, np.sqrt(np.maximum(around, 0.0)) / total * np.sqrt(n / (n - 1))


_RARE = 5e-4
_LEAST_ERROR = 1 / 3
"""Of a resample, as a share of the usual one: less is met by one in a thousand of eight normal values."""


def half_width(values: Floats, weights: Floats, how: How, ratio: float = 0.0) -> tuple[Floats, float, Mask]:
    """Half the width of a simultaneous band, its factor, and where there is none.

    ``values`` are what every group adds to the curve, ``(n_groups, n)``. Where groups share training cases
    (``ratio``) they cannot be drawn again; then the factor is that of normal values as alike as these.
    """
    found = spread(values, weights, ratio)
    # A resample that draws only curves that coincide at a position has no error there. The more positions
    # where that may happen, the more resamples would ask for an infinite band.
    share = min(0.5, _RARE ** (1 / values.shape[0]))
    left_out = mostly_alike(values, share) | ~(found.standard_error > 0)
    half, factor = np.full(values.shape[1], np.nan), float("nan")
    if not left_out.all():
        kept = ~left_out
        away, error = values[:, kept] - found.mean[kept], found.standard_error[kept]
        if ratio:
            largest = largest_of_normal(away, n_draws=how.n_resamples, seed=how.seed)
        else:
            parts = []
            for counts in drawn_counts(values.shape[0], how.n_resamples, how.seed):
                mean, own = drawn_standard_errors(away, weights, counts)
                # What drew nearly only curves that coincide has next to no error, which says nothing.
                parts.append((np.abs(mean) / np.maximum(own, _LEAST_ERROR * error)).max(axis=1))
            largest = np.concatenate(parts)
        factor = float(np.quantile(largest, how.confidence_level, method="higher"))
        half[kept] = factor * error
    return half, factor, left_out


def expanded_tail(confidence_level: float, n_groups: float, df: float) -> float:
    """The share of resamples beyond either limit (Hesterberg 2015, expanded percentile interval).

    Resampled means have (M - 1) / M of the variance and normal tails; so it is the tail that the t quantile,
    times the root of M / (M - 1), has in a normal distribution.
    """
    from scipy.special import ndtr

    factor = t_quantile(df, confidence_level)
    return float(ndtr(-factor * np.sqrt(n_groups / (n_groups - 1))))


def expanded_percentiles(
    readings: Floats, confidence_level: float, *, n_groups: float, df: float, ratio: float = 0.0
) -> tuple[Floats, Floats]:
    """Percentiles of resamples, taken further out where few groups make them scatter too little.

    Limits stay within what resamples can reach. NaN for a single group. Where groups share training cases
    (``ratio``), limits lie further from the median by the root of 1 + M ratio.
    """
    if not n_groups > 1 or not readings.size:
        nothing = np.full(readings.shape[1:], np.nan)
        return nothing, nothing
    outside = expanded_tail(confidence_level, n_groups, df)
    low, high = np.quantile(readings, [outside, 1 - outside], axis=0)
    if ratio:
        middle, stretch = np.median(readings, axis=0), error_factor(n_groups, ratio)
        low, high = middle - stretch * (middle - low), middle + stretch * (high - middle)
    return low, high


def sup_t_factor(deviations: Floats, standard_error: Floats, confidence_level: float) -> float:
    """How many standard errors hold the largest deviation of a resample, at all positions at once.

    ``deviations`` are resamples less the estimate, ``(n_resamples, n)``; positions without an error do not
    count, and NaN is returned where none is left (Montiel Olea & Plagborg-Moller 2019).
    """
    kept = standard_error > 0
    if not kept.any():
        return float("nan")
    largest = (np.abs(deviations[:, kept]) / standard_error[kept]).max(axis=1)
    return float(np.quantile(largest, confidence_level, method="higher"))


# The cases of one curve, at its vertices or in cells of a smoothed one
# ----------------------------------------------------------------------

_SILVERMAN = 0.9
"""Silverman's factor. Measured: 0.6 covers too seldom with 30 cases of a class, 0.9 a little too often."""


def drawn_cases(stream: np.random.Generator, steps: Integers, n_resamples: int) -> Integers:
    """Cases at or beyond every vertex, one resample per row; how many cases there are does not matter."""
    taken, total = np.flatnonzero(steps), int(steps.sum())
    drawn = np.zeros((n_resamples, steps.size + 1), dtype=np.int64)
    drawn[:, 1 + taken] = stream.multinomial(total, steps[taken] / total, size=n_resamples)
    return np.cumsum(drawn, axis=1)


def drawn_weights(
    stream: np.random.Generator, cells: Integers, shares: Floats, n_resamples: int, n_vertices: int
) -> Floats:
    """Weight at or beyond every vertex."""
    drawn = stream.integers(cells.size, size=(n_resamples, cells.size))
    places = cells[drawn] + n_vertices * np.arange(n_resamples)[:, None]
    summed = np.bincount(places.ravel(), shares[drawn].ravel(), minlength=n_resamples * n_vertices)
    return np.cumsum(summed.reshape(n_resamples, n_vertices), axis=1)


def drawn_shares(stream: np.random.Generator, size: int, shares: Floats, n_resamples: int) -> Integers:
    """Cases in every cell, one resample per row."""
    if size >= shares.size:
        return stream.multinomial(size, shares, size=n_resamples)
    inner = np.cumsum(shares)[:-1]  # few cases: draw them one by one
    cells = np.searchsorted(inner, stream.random((n_resamples, size)), side="right")
    cells += shares.size * np.arange(n_resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=n_resamples * shares.size).reshape(n_resamples, -1)


def bandwidth(scores: Floats, counts: Integers) -> float:
    """Silverman's rule of thumb for one class."""
    n = int(counts.sum())
    mean = counts @ scores / n
    sd = float(np.sqrt(counts @ (scores - mean) ** 2 / (n - 1)))
    reached = np.cumsum(counts)
    upper, lower = (scores[np.searchsorted(reached, share * n)] for share in (0.25, 0.75))
    spread = float(upper - lower) / 1.349
    return float(_SILVERMAN * min(sd, spread if spread > 0 else sd) * n**-0.2)


def smoothed(scores: Floats, counts: Integers, bandwidth: float, edges: Floats) -> Floats:
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
