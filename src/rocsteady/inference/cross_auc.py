"""The AUC of one group's positives against another group's negatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.readings import unit_scaled
from rocsteady.inference.ranked import Floats, Integers, RankedRows, ranked_rows, set_of_one_model
from rocsteady.scores.score_set import ScoreSet


def cross_auc(score_set: ScoreSet) -> Floats:
    """The AUC of the positives of each group against the negatives of each group.

    Where scores mean the same in all groups, the entries of the matrix differ only by chance. The mean of its
    diagonal is the mean AUC; the mean of all entries is the AUC under one threshold shared by all groups, and
    their mean weighted by class sizes is the AUC of the pooled rows. :func:`rocsteady.comparability` compares
    the first two, without this matrix.

    Parameters
    ----------
    score_set : ScoreSet
        What one classifier said, group by group; row weights count.

    Returns
    -------
    (M, M) float64 array
        ``[i, j]`` is the chance that a positive of group i outscores a negative of group j, ties counting
        half; NaN where i has no positives or j no negatives. Groups stand in the order of
        ``score_set.names``.

    See Also
    --------
    rocsteady.comparability : What the matrix says, with a test, for any number of groups.

    Notes
    -----
    Time grows with groups times rows, memory with the square of the number of groups.

    Examples
    --------
    The second reader gives higher ratings to everyone:

    >>> import rocsteady as rs
    >>> readers = rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [8, 6, 7, 5])])
    >>> rs.cross_auc(readers)
    array([[0.75, 0.  ],
           [1.  , 0.75]])
    """
    score_set = set_of_one_model("cross_auc", score_set)
    columns = score_set.columns
    rows = ranked_rows(columns)
    return _counted(rows) if columns.weights is None else _weighed(rows, unit_scaled(columns.weights))


def _counted(rows: RankedRows) -> Floats:
    negatives = _Negatives(rows)
    areas = np.full((rows.n_groups, rows.n_groups), np.nan)
    for i in np.flatnonzero(rows.n_positives).tolist():
        own = rows.positives_of(i)
        at = np.bincount(rows.ranks[own], minlength=rows.n_distinct)
        wins = negatives.sums(2 * np.cumsum(at) - at)
        areas[i, negatives.groups] = wins / (2 * rows.n_positives[i] * rows.n_negatives[negatives.groups])
    return areas


def _weighed(rows: RankedRows, weights: Floats) -> Floats:
    negatives = _Negatives(rows, weights[~rows.is_positive])
    areas = np.full((rows.n_groups, rows.n_groups), np.nan)
    for i in np.flatnonzero(rows.n_positives).tolist():
        own = rows.positives_of(i)
        above = np.cumsum(np.bincount(rows.ranks[own], weights[own], minlength=rows.n_distinct))
        before = np.append(0.0, above[:-1])
        wins = negatives.sums(before + above)
        losses = negatives.sums((above[-1] - above) + (above[-1] - before))
        # Both are sums of terms that are not negative, so 0 and 1 come out exactly.
        areas[i, negatives.groups] = wins / (wins + losses)
    return areas


class _Negatives:
    """The negatives of all groups, group after group; sums a value at their scores over each group."""

    def __init__(self, rows: RankedRows, weights: Floats | None = None) -> None:
        self.groups: Integers = np.flatnonzero(rows.n_negatives)
        # reduceat gives nonsense for empty groups, so it sees only the others.
        self._starts = (np.cumsum(rows.n_negatives) - rows.n_negatives)[self.groups]
        self._ranks = rows.ranks[~rows.is_positive]
        self._weights = weights

    def sums(self, value_at: NDArray[Any]) -> NDArray[Any]:
        values = value_at[self._ranks]
        if not values.size:
            return values
        return np.add.reduceat(values if self._weights is None else values * self._weights, self._starts)
