"""SmROC curves without their warnings: a Mid beyond 1 is what this reproduction is about.

Nothing is silenced, because filters of warnings belong to the whole process: nothing is said in the first
place.
"""

from __future__ import annotations

from rocsteady.curves.from_scores import given_scores
from rocsteady.curves.smroc import SmrocCurve, SmrocRows, curve_of, smroc_rows


def rows_of(labels: object, scores: object) -> SmrocRows:
    """Labels and scores, checked and sorted once for any number of curves."""
    given = given_scores(
        "smroc_curve", labels, scores, positive=None, sample_weight=None, higher_is_positive=True
    )
    return smroc_rows(given, None, None)


def quiet_curve(labels: object, scores: object, mid: str | float = "paper") -> SmrocCurve:
    """The curve that ``smroc_curve`` gives.

    >>> quiet_curve([1, 0, 0, 0], [1.0, 1.0, 1.0, 0.0])
    SmrocCurve(1 positive, 3 negatives, Mid 1.5 (paper), smAUC 0.750, chance about 0.700)
    """
    return curve_of(rows_of(labels, scores), mid, None)
