"""The count table: positives and negatives at or beyond every distinct score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.arrays import Counts, Floats, Indices, Integers, Mask
from rocsteady.errors import fail, warn
from rocsteady.results import Frozen
from rocsteady.scores.columns import rows_of, taken
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.scores.scores import Scores


def places_in_groups(
    values: Floats, offsets: NDArray[np.int64], at: Floats, *, side: str = "left"
) -> Indices:
    """How many values of each group lie before each of ``at``, ``(n_groups, n)``.

    As ``numpy.searchsorted`` does for one group of rising values: ``"left"`` counts those that are smaller,
    ``"right"`` also those that are equal. The order of the values does not matter.
    """
    order = np.argsort(at, kind="stable")
    n_groups, n = offsets.size - 1, at.size
    # A value lies before all of `at` from its own place among them on.
    cell = np.searchsorted(at[order], values, side="right" if side == "left" else "left")
    cell += np.repeat(np.arange(n_groups) * (n + 1), np.diff(offsets))
    found = np.bincount(cell, minlength=n_groups * (n + 1)).reshape(n_groups, n + 1)
    before = np.empty((n_groups, n), dtype=np.int64)
    before[:, order] = np.cumsum(found[:, :n], axis=1)
    return before


MOST_PAIRS = 2.0**62  # wins are doubled pairs in int64
FIRST_ROUNDED = 2.0**53
"""From here on a float may stand for several integers."""


@dataclass(frozen=True, eq=False)
class CountTable(Frozen):
    """Counts at every threshold of one or many score sets, strictest threshold first.

    ``exact`` has the thresholds as the integers that they are, where floats cannot tell such integers apart;
    what leads a group has none, and is 0 there.
    """

    thresholds: Floats  # one block per group, each led by an infinite threshold
    true_positives: Counts  # cases of each class at or beyond the threshold
    false_positives: Counts
    offsets: Integers  # group g owns the rows offsets[g]:offsets[g + 1]
    higher_is_positive: bool  # whether "beyond" means above
    exact: NDArray[Any] | None = None

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def n_positives(self) -> Counts:
        """Positives (or their weight) of every group."""
        return self.true_positives[self.offsets[1:] - 1]

    @property
    def n_negatives(self) -> Counts:
        """Negatives (or their weight) of every group."""
        return self.false_positives[self.offsets[1:] - 1]

    @property
    def has_curve(self) -> Mask:
        """Which groups have both classes."""
        return np.asarray((self.n_positives > 0) & (self.n_negatives > 0))

    def keep(self, groups: NDArray[Any]) -> CountTable:
        """The table of some of the groups: of a mask, or by their numbers and in that order."""
        rows, offsets = rows_of(self.offsets, np.arange(len(self))[groups])
        names = ("thresholds", "true_positives", "false_positives", "exact")
        return replace(self, offsets=offsets, **{name: taken(getattr(self, name), rows) for name in names})


@dataclass(frozen=True, eq=False)
class ClusterCounts(Frozen):
    """The rows of a group added up cluster by cluster; one entry per cluster."""

    n_positives: Integers
    n_negatives: Integers
    positive_wins: Integers  # the sum of the doubled placements of its positives
    negative_wins: Integers
    unit: str = "cluster"  # the word for one

    @property
    def fewest(self) -> int:
        """Clusters that have rows of the class that fewer of them have."""
        return int(min(np.count_nonzero(self.n_positives), np.count_nonzero(self.n_negatives)))


@dataclass(frozen=True, eq=False)
class Moments(Frozen):
    """What AUC and DeLong's variance need to know of each group; one entry per group."""

    wins: Integers  # twice the pairs in which the positive outranks the negative, a tie counting half
    n_positives: Integers
    n_negatives: Integers
    positive_spread: Floats  # n * sum(x**2) - sum(x)**2 over the doubled placements x, rounded once
    negative_spread: Floats
    clusters: tuple[ClusterCounts | None, ...] = ()  # of groups whose rows belong together; else None


@dataclass(frozen=True, eq=False)
class CoMoments(Frozen):
    """The same of k classifiers on the same cases; spreads are (k, k)."""

    wins: Integers
    n_positives: int
    n_negatives: int
    positive_spread: Floats
    negative_spread: Floats
    positive_difference: Floats  # of x_a - x_b, exact where the rounded spreads would cancel
    negative_difference: Floats


_in_use: WeakKeyDictionary[Scores | ScoreSet, tuple[Any, int | None, ReferenceType[CountTable]]]
_in_use = WeakKeyDictionary()


def count_table(scores: Scores | ScoreSet, *, threads: int | None = None) -> CountTable:
    """Count positives and negatives at or beyond every distinct score of every group.

    A table that somebody still uses is not counted again.
    """
    _kernels.thread_count(threads)  # refuses what is no number of threads
    kernels, threads_then, known = _in_use.get(scores, (None, None, None))
    table = known() if known and kernels is _kernels.kernels and threads_then == threads else None
    if table is not None:
        return table
    c, exact = scores.columns, None
    counted = _over_rows("count_curves", scores, threads, c.weights)
    thresholds, true_positives, false_positives, offsets = counted
    if c.weights is not None and not np.isfinite([true_positives.max(), false_positives.max()]).all():
        raise fail("RS037.too-large", most=c.weights.max(), n=c.weights.size)
    if c.are_counts:  # whole numbers below 2**53 are exact as floats
        true_positives, false_positives = true_positives.astype(np.int64), false_positives.astype(np.int64)
    if c.scores.dtype.kind != "f" and (np.abs(thresholds[np.isfinite(thresholds)]) >= FIRST_ROUNDED).any():
        exact = np.zeros(thresholds.size, dtype=c.scores.dtype)
        first = np.repeat(offsets[:-1] + 1, np.diff(c.offsets))
        exact[first + score_ranks(scores, threads=threads)] = c.scores
    table = CountTable(thresholds, true_positives, false_positives, offsets, c.higher_is_positive, exact)
    _in_use[scores] = _kernels.kernels, threads, ref(table)
    return table


def count_wins(
    scores: Scores | ScoreSet, *, threads: int | None = None
) -> tuple[Integers, Integers, Integers]:
    """Wins, positives and negatives of every group; what an AUC needs, no table is built."""
    if scores.columns.are_counts:
        moments = delong_moments(scores, threads=threads)
        return moments.wins, moments.n_positives, moments.n_negatives
    counted: tuple[Integers, Integers, Integers] = _over_rows("count_wins", scores, threads)
    return counted


def delong_moments(scores: Scores | ScoreSet, *, threads: int | None = None) -> Moments:
    """What DeLong's variance of every group needs; no table is built."""
    if scores.columns.are_counts:  # rows stand for several cases
        table = count_table(scores, threads=threads)
        return curve_moments(table.true_positives, table.false_positives, table.offsets)
    return Moments(*_over_rows("delong_moments", scores, threads))


def cluster_counts(
    scores: Scores | ScoreSet, *, together: Any = None, each: bool = False, threads: int | None = None
) -> tuple[ClusterCounts | None, ...]:
    """What the clusters of every group have, one sort each; nothing at all where rows are independent.

    ``together`` has the ``codes`` of the clusters and their ``unit``; as the scores know them if left out.
    With ``each`` also of groups whose clusters have one row each.
    RS038 where rows have weights, too: no formula here allows for both.
    """
    together, c = scores._together if together is None else together, scores.columns
    if together is None:
        return ()
    if c.weights is not None:
        raise fail("RS038.no-formula", n=np.unique(together.codes).size, unit=printable(together.unit))
    doubled = _over_rows("placements", scores, threads)
    is_positive = c.labels == c.positive
    found: list[ClusterCounts | None] = []
    for start, stop in pairwise(c.offsets.tolist()):
        present, codes = np.unique(together.codes[start:stop], return_inverse=True)
        own, n, placed = is_positive[start:stop], present.size, doubled[start:stop]
        if n == stop - start and not each:
            found.append(None)
            continue
        of_classes = [(codes[which], placed[which]) for which in (own, ~own)]
        rows = [np.bincount(part, minlength=n) for part, _ in of_classes]
        wins = [np.bincount(part, x, minlength=n).astype(np.int64) for part, x in of_classes]  # below 2**53
        found.append(ClusterCounts(rows[0], rows[1], wins[0], wins[1], printable(together.unit)))
    return tuple(found)


def score_ranks(scores: Scores | ScoreSet, *, shared: bool = False, threads: int | None = None) -> Integers:
    """Rank of every row among the distinct scores of its group (or of all groups), 0 for the strictest."""
    offsets = np.array([0, scores.columns.scores.size], dtype=np.int64) if shared else None
    ranks: Integers = _over_rows("score_ranks", scores, threads, offsets=offsets)
    return ranks


def curve_moments(true_positives: Counts, false_positives: Counts, offsets: Integers) -> Moments:
    """The same moments, read from counts that are already there."""
    warn_without_kernels()
    last = offsets[1:] - 1
    pairs = true_positives[last].astype(np.float64) * false_positives[last]
    require_countable(pairs.max(initial=0.0))
    return Moments(*_kernels.kernels.curve_moments(true_positives, false_positives, offsets))


def require_countable(pairs: float) -> None:
    """RS047 if there are more pairs than a variance can count; counts of a data engine may have them."""
    if pairs >= MOST_PAIRS:
        raise fail("RS047.pairs", n=float(pairs), most=MOST_PAIRS)


def delong_covariance(scores: Sequence[Scores], *, threads: int | None = None) -> CoMoments:
    """What DeLong's test of several classifiers on the same cases needs."""
    warn_without_kernels()
    c, columns = scores[0].columns, [own.columns.scores for own in scores]
    count = _kernels.thread_count(threads)
    covariance = _kernels.kernels.delong_covariance
    return CoMoments(*covariance(columns, c.labels, c.positive, c.negative, c.higher_is_positive, count))


def _over_rows(
    kernel: str, scores: Scores | ScoreSet, threads: int | None, *more: Any, offsets: Integers | None = None
) -> Any:
    """What a kernel finds in the rows of every group, or between other offsets."""
    warn_without_kernels()
    c = scores.columns
    rows = (c.scores, c.labels, c.offsets if offsets is None else offsets, c.positive, c.negative)
    count = _kernels.thread_count(threads)
    return getattr(_kernels.kernels, kernel)(*rows, *more, c.higher_is_positive, count)


@cache
def warn_without_kernels() -> None:
    """RS103, once, if the kernels were not compiled."""
    if not _kernels.is_native:
        warn("RS103.missing")
