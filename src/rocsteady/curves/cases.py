"""The cases behind a curve, as resampling takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady.counting.table import require_countable
from rocsteady.curves import auc_uncertainty
from rocsteady.errors import UsageError
from rocsteady.uncertainty.resampling import RankedCases

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve


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
