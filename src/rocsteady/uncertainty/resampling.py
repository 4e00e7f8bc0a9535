"""The bootstrap, as arrays: cases drawn within their group and class, or whole groups drawn.

Never both: the spread between groups already holds the noise of the cases in them, and drawing those again
would count it twice (Davison & Hinkley 1997, section 3.8).

Every draw is a function of the seed, the number of the resample, the group, the class and the position of the
draw, whatever the number of threads. So two models whose cases stand in the same order are resampled together
if they are given the same seed: the paired bootstrap is two calls and a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady import _kernels
from rocsteady._kernels.reference_stream import drawn_below, stream_start
from rocsteady.counting.arguments import one_of
from rocsteady.counting.table import score_ranks, warn_without_kernels
from rocsteady.errors import DataError

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.scores.scores import Scores

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Progress = Callable[[int, int], object]


@dataclass(frozen=True, eq=False)
class RankedCases:
    """Cases of one or many groups, each class in its own columns, groups one after the other.

    Attributes
    ----------
    positive_ranks, negative_ranks : int64 arrays
        Rank of every case among the distinct scores (of its group, or of all groups), 0 for the strictest;
        ties share a rank. The order of the cases within a group is theirs to keep: it pairs models.
    positive_offsets, negative_offsets : int64 arrays
        Group ``g`` owns the cases ``offsets[g]:offsets[g + 1]`` of each class.
    positive_weights, negative_weights : float64 arrays or None
        Of the cases.
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


def ranked_cases(
    scores: Scores | ScoreSet, *, shared: bool = False, threads: int | None = None
) -> RankedCases:
    """Ranks of the cases of one or many groups, in the order in which the groups hold them.

    Parameters
    ----------
    scores : Scores or ScoreSet
        Of one model.
    shared : bool
        Rank the cases of all groups together, for one curve through all of them.

    Examples
    --------
    >>> from rocsteady.scores.scores import Scores
    >>> cases = ranked_cases(Scores([1, 0, 1, 0], [0.9, 0.3, 0.3, 0.1]))
    >>> cases.positive_ranks.tolist(), cases.negative_ranks.tolist()
    ([0, 1], [1, 2])
    """
    c = scores.columns
    is_positive = np.asarray(c.labels == c.positive)
    ranks = score_ranks(scores, shared=shared, threads=threads)
    positive_offsets = np.append(0, np.cumsum(is_positive))[c.offsets]
    positive_weights, negative_weights = (
        (None, None) if c.weights is None else (c.weights[is_positive], c.weights[~is_positive])
    )
    return RankedCases(
        ranks[is_positive],
        ranks[~is_positive],
        positive_offsets,
        c.offsets - positive_offsets,
        positive_weights,
        negative_weights,
        c.are_counts,
    )


class Readings(NamedTuple):
    """What is read off every resampled curve. The columns of the answer come in the order of the fields.

    Attributes
    ----------
    auc : bool
        One column.
    partial_fpr, partial_tpr : sequences of (low, high)
        Raw areas: under the curve over a range of FPRs, right of it over a range of TPRs. One column each.
    tpr_at : array-like
        FPRs at which the TPR is read, at the upper end of a jump. One column each.
    fpr_at : array-like
        TPRs at which the FPR is read, at the lower end of a jump. One column each.
    frozen : array-like of int
        Vertices, that is numbers of distinct scores called positive: ``(n,)``, or ``(n_groups, n)`` where
        every group has its own ranks. First the n FPRs, then the n TPRs.
    """

    auc: bool = False
    partial_fpr: Sequence[tuple[float, float]] = ()
    partial_tpr: Sequence[tuple[float, float]] = ()
    tpr_at: ArrayLike = ()
    fpr_at: ArrayLike = ()
    frozen: ArrayLike = ()

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
    group_weights: ArrayLike | None = None,
    shared: bool = False,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Readings of curves whose cases were drawn with replacement, within their group and class.

    The groups stay as they are; neither class can die out.

    Parameters
    ----------
    cases : RankedCases
        Ranked within their groups, or together if ``shared``.
    readings : Readings
        What to read off every curve.
    group_weights : array-like, optional
        A reading is the weighted mean of what the groups' own curves give; by default they count alike.
    shared : bool
        Read one curve through the drawn cases of all groups instead.
    n_resamples, seed : int
        How many; resample r is the same however many follow it.
    threads : int, optional
        Changes the time only.
    progress : callable, optional
        Called with (done, total), at most ten times a second and once at the end.

    Returns
    -------
    float64 array of (n_resamples, readings)

    Examples
    --------
    >>> cases = RankedCases.of_one([0, 1, 3], [2, 4])
    >>> resampled_cases(cases, n_resamples=3, seed=1).shape
    (3, 1)
    """
    if cases.are_counts:
        raise _no_single_cases()
    weights = (
        np.ones(cases.n_groups) if group_weights is None else np.asarray(group_weights, dtype=np.float64)
    )
    columns = readings._columns(1 if shared else cases.n_groups)
    warn_without_kernels()
    values: Floats = _kernels.kernels.resample_cases(
        *_case_columns(cases, 960),
        np.ascontiguousarray(weights),
        shared,
        *columns,
        seed % 2**64,
        n_resamples,
        _kernels.thread_count(threads),
        progress,
    )
    return values


class ResampledGroups(NamedTuple):
    """Readings of resampled groups.

    Attributes
    ----------
    values : float64 array of (n_resamples, readings)
        What was read.
    redrawn : int64 array of (n_resamples,)
        How many draws of each resample were thrown away, because no drawn group had cases of one of the
        classes. Resamples of two models hold the same groups where this is the same, and else they do not.
    """

    values: Floats
    redrawn: Integers

    @property
    def n_redrawn(self) -> int:
        """Draws of all resamples that were thrown away."""
        return int(self.redrawn.sum())


def resampled_groups(
    cases: RankedCases,
    readings: Readings = AUC,
    *,
    average: str = "pooled",
    group_weights: ArrayLike | None = None,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ResampledGroups:
    """Readings of the one curve through all cases of groups that were drawn with replacement.

    Groups may be patients with several rows each.

    Parameters
    ----------
    cases : RankedCases
        Ranked together: ``ranked_cases(score_set, shared=True)``.
    readings : Readings
        What to read off every curve.
    average : {"pooled", "threshold"}
        Whether cases count alike, or groups do (mean rates at every threshold).
    group_weights : array-like, optional
        Of the groups, times what they count for already.
    n_resamples, seed, threads, progress
        As in :func:`resampled_cases`.

    Examples
    --------
    >>> from rocsteady.scores.score_set import ScoreSet
    >>> labels, scores, groups = [1, 0, 1, 0, 1, 0], [5, 3, 4, 2, 1, 0], [0, 0, 1, 1, 2, 2]
    >>> cases = ranked_cases(ScoreSet.from_arrays(labels, scores, groups), shared=True)
    >>> resampled_groups(cases, n_resamples=4, seed=1).values.shape
    (4, 1)
    """
    weights = (
        np.ones(cases.n_groups) if group_weights is None else np.asarray(group_weights, dtype=np.float64)
    )
    one_of("average", average, ("pooled", "threshold"))
    columns = _case_columns(cases, 0)
    shares = [weights, weights]
    if average == "threshold":
        sizes = [_group_sums(*columns[k::2]) for k in (0, 1)]
        shares = [np.divide(weights, n, out=np.zeros_like(n), where=n > 0) for n in sizes]
    warn_without_kernels()
    values, n_redrawn = _kernels.kernels.resample_groups(
        *columns,
        *(np.ascontiguousarray(share) for share in shares),
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


def _no_single_cases() -> DataError:
    return DataError(
        "RS406",
        "resampling cases draws single cases; these are counts of cases between scores.",
        "",
        "let the groups be random:  random='groups'",
        "or ask for it with the scores themselves:  read_scores(path, ...)",
    )


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


def bootstrap_aucs(
    positive_ranks: Integers,
    negative_ranks: Integers,
    *,
    positive_weights: Floats | None = None,
    negative_weights: Floats | None = None,
    n_resamples: int = 2000,
    seed: int = 0,
) -> Floats:
    """AUCs of resamples of one curve, drawn within each class with replacement.

    Parameters
    ----------
    positive_ranks, negative_ranks : int64 arrays
        Rank of every case among the distinct scores, 0 for the strictest; ties share a rank.
    positive_weights, negative_weights : float64 arrays, optional
        A row is drawn together with its weight.
    n_resamples : int
        How many.
    seed : int
        The same seed gives the same resamples on any machine.

    Returns
    -------
    float64 array
        One AUC per resample.
    """
    cases = RankedCases.of_one(positive_ranks, negative_ranks, positive_weights, negative_weights)
    return resampled_cases(cases, n_resamples=n_resamples, seed=seed)[:, 0]
