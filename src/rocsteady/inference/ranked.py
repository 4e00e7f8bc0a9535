"""The rows of a set in one order for all groups: what comparing scores across groups reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.errors import fail
from rocsteady.scores.columns import Columns
from rocsteady.scores.score_set import ScoreSet

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows of many groups, ranked together.

    Attributes
    ----------
    ranks : int64 array
        Rank of every row among the distinct scores of all groups, 0 for the strictest; ties share a rank.
    groups : int64 array
        The group of every row, numbered from 0 without gaps; rows stand group after group.
    is_positive : bool array
        The class of every row.
    order : int64 array
        The rows, strictest first.
    n_groups, n_distinct : int
        How many groups; how many distinct scores.
    """

    ranks: Integers
    groups: Integers
    is_positive: Mask
    order: Integers
    n_groups: int
    n_distinct: int

    @cached_property
    def n_positives(self) -> Integers:
        """Positives of every group."""
        return np.bincount(self.groups[self.is_positive], minlength=self.n_groups)

    @cached_property
    def n_negatives(self) -> Integers:
        """Negatives of every group."""
        return np.bincount(self.groups[~self.is_positive], minlength=self.n_groups)

    def positives_of(self, group: int) -> Integers:
        """Which rows are the positives of one group."""
        start, stop = (int(row) for row in self._offsets[group : group + 2])
        own: Integers = np.flatnonzero(self.is_positive[start:stop])
        own += start
        return own

    @cached_property
    def _offsets(self) -> Integers:
        return np.concatenate([[0], np.cumsum(self.n_positives + self.n_negatives)])


def ranked_rows(columns: Columns, kept: Mask | None = None) -> RankedRows:
    """Rank the rows of all groups, or of those that are kept, by one sort."""
    sizes = np.diff(columns.offsets)
    kept = np.ones(sizes.size, dtype=np.bool_) if kept is None else kept
    rows = np.repeat(kept, sizes)
    scores, labels = columns.scores[rows], columns.labels[rows]
    rising = np.argsort(scores)  # of tied scores any may come first, and which does depends on the processor
    sorted_scores = scores[rising]
    numbers = np.cumsum(np.append(False, sorted_scores[1:] != sorted_scores[:-1])[: scores.size])
    n_distinct = int(numbers[-1]) + 1 if numbers.size else 0
    ranks = np.empty(scores.size, dtype=np.int64)
    ranks[rising] = n_distinct - 1 - numbers if columns.higher_is_positive else numbers
    n_groups = int(np.count_nonzero(kept))
    groups = np.repeat(np.arange(n_groups), sizes[kept])
    order = np.lexsort((groups, ranks))
    return RankedRows(ranks, groups, labels == columns.positive, order, n_groups, n_distinct)


def set_of_one_model(function: str, score_set: object) -> ScoreSet:
    """``score_set`` if it is a set with one model; else RS002 or RS044, with what to type."""
    refuse_counts(score_set, function)
    if not is_score_set(score_set):
        ways = [
            f"{function}(ScoreSet.from_arrays(labels, scores, groups))",
            f"one pair (labels, scores) for each fold:  {function}(ScoreSet.from_folds(pairs))",
        ]
        raise fail("RS002.set-of-scores", function=function, found=described(score_set), ways=ways)
    if len(score_set.models) > 1:
        raise fail("RS044.one", models=score_set.models, function=function)
    return score_set
