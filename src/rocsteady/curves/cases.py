"""The cases behind a curve, as resampling takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import cluster_counts, require_countable, score_ranks
from rocsteady.curves import auc_uncertainty
from rocsteady.errors import UsageError
from rocsteady.scores.grouping import word
from rocsteady.uncertainty.resampling import RankedCases, Readings, resampled_cases, resampled_groups

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve
    from rocsteady.scores.records import Cases

Floats = NDArray[np.float64]


def cases_of_curve(curve: RocCurve) -> RankedCases:
    """The ranks of its positives and negatives, and their weights; strictest first where rows are not known.

    RS002 for a convex hull, RS038 for a curve from sums of weights that has no rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> cases = cases_of_curve(rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1]))
    >>> cases.positive_ranks.tolist(), cases.negative_ranks.tolist()
    ([0, 1, 2], [2, 3])
    """
    require_no_hull(curve)
    if curve.is_weighted:
        ranks, weights = auc_uncertainty.ranked_rows(curve._rows)
        return RankedCases.of_one(*ranks, *weights)
    require_countable(curve.n_positives * curve.n_negatives)
    steps = np.arange(curve.thresholds.size - 1)
    counts = (curve.true_positives, curve.false_positives)
    positives, negatives = (np.repeat(steps, np.diff(own)) for own in counts)
    return RankedCases.of_one(positives, negatives)


def resampled_curve(curve: RocCurve, readings: Readings, *, n_resamples: int, seed: int) -> Floats:
    """Readings of resampled curves, one row each: cases drawn in their class, or whole clusters."""
    if clusters_of(curve) is None:
        return resampled_cases(cases_of_curve(curve), readings, n_resamples=n_resamples, seed=seed)
    require_no_hull(curve)
    drawn = resampled_groups(_cases_of_clusters(curve), readings, n_resamples=n_resamples, seed=seed)
    return drawn.values


def clusters_of(curve: RocCurve) -> Cases | None:
    """What says which rows of a curve belong together; None where rows are independent."""
    return None if curve._rows is None else curve._rows._together


def _cases_of_clusters(curve: RocCurve) -> RankedCases:
    """The cases, cluster after cluster in the order of their names: that of the rows does not matter."""
    rows, together = curve._rows, clusters_of(curve)
    assert rows is not None
    assert together is not None
    present, codes = np.unique(together.codes, return_inverse=True)
    numbers = np.empty(present.size, dtype=np.int64)
    names = [word(together.values[code]) for code in present.tolist()]
    numbers[sorted(range(present.size), key=names.__getitem__)] = np.arange(present.size)
    codes, ranks = numbers[codes.reshape(-1)], score_ranks(rows)
    columns: list[list[Any]] = [[], [], []]
    for own in (rows.is_positive, ~rows.is_positive):
        order = np.flatnonzero(own)[np.argsort(codes[own], kind="stable")]
        columns[0].append(ranks[order])
        columns[1].append(np.append(0, np.cumsum(np.bincount(codes[own], minlength=present.size))))
        columns[2].append(None if rows.sample_weight is None else rows.sample_weight[order])
    return RankedCases(*columns[0], *columns[1], *columns[2])


def require_independent_rows(curve: RocCurve, what: str, remedy: str = "", statistic: str = "") -> None:
    """RS016 where rows belong together, for a method that takes them for independent."""
    if curve._rows is not None and clusters_of(curve) is not None:
        raise auc_uncertainty.refuse_clusters(what, cluster_counts(curve._rows), remedy, statistic)


def require_no_hull(curve: RocCurve) -> None:
    """RS002 for a convex hull: its corners were picked for being the best."""
    if curve._is_hull:
        raise auc_uncertainty.refuse_hull()


def require_cases(curve: RocCurve, method: str, call: str) -> None:
    """RS002 for a convex hull, RS038 for weights, with the call that takes them: a formula counts cases."""
    require_no_hull(curve)
    if curve.is_weighted:
        raise UsageError(
            "RS038",
            f"the {method} method counts cases and does not take weights.",
            "found: a weighted curve",
            f"resample the rows with their weights:  {call}",
        )
