"""A logit interval of an AUC that holds its level where one class is rare and the AUC high.

DeLong's standard error is small whenever few cases happen to be misplaced, and then the limit that faces 1/2
is too near. So that limit is also computed as if each class had a quarter of a case more, one that says
nothing: tied with everything, as likely above as below. The outer of the two limits is taken on either side,
with Student's t, because the spread within a rare class is itself known only roughly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import Moments

Floats = NDArray[np.float64]

SHARE = 0.25
"""Of a case that says nothing, added to each class. Chosen by simulation (docs/coverage.md): a half is wider
for nothing, a tenth leaves rare classes short."""


def guarded_limits(
    auc: Floats, complement: Floats, moments: Moments, confidence_level: float
) -> tuple[Floats, Floats]:
    """Limits of every AUC; wider than logit limits, by little where both classes are large.

    Examples
    --------
    >>> import numpy as np
    >>> from rocsteady.counting.table import curve_moments
    >>> true_positives, false_positives = np.array([0, 15, 20, 20]), np.array([0, 1, 12, 400])
    >>> moments = curve_moments(true_positives, false_positives, np.array([0, 4]))
    >>> auc = moments.wins / (2 * 20 * 400)
    >>> [round(float(limit[0]), 3) for limit in guarded_limits(auc, 1 - auc, moments, 0.95)]
    [0.893, 0.999]
    """
    limits = [_limits(auc, complement, moments, share, confidence_level) for share in (0.0, SHARE)]
    # fmin and fmax: a class with a single case has no spread of its own, and the other limit serves.
    return (
        np.asarray(np.fmin(limits[0][0], limits[1][0])),
        np.asarray(np.fmax(limits[0][1], limits[1][1])),
    )


def _limits(
    auc: Floats, complement: Floats, moments: Moments, share: float, confidence_level: float
) -> tuple[Floats, Floats]:
    """Logit limits with Student's t, of a sample with ``share`` of a case added to each class."""
    from scipy.special import expit, stdtrit

    positives = moments.n_positives.astype(np.float64)
    negatives = moments.n_negatives.astype(np.float64)
    pairs = (positives + share) * (negatives + share)
    ties = share * (positives + negatives + share) / 2  # of what was added, with everything
    won = (positives * negatives * auc + ties) / pairs
    lost = (positives * negatives * complement + ties) / pairs
    with np.errstate(divide="ignore", invalid="ignore"):  # an AUC of 0 or 1, or a class with one case
        of_positives = _variance(moments.positive_spread, auc, positives, negatives, share)
        of_negatives = _variance(moments.negative_spread, auc, negatives, positives, share)
        total = of_positives + of_negatives
        df = total**2 / (
            of_positives**2 / (positives + share - 1) + of_negatives**2 / (negatives + share - 1)
        )
        factor = np.where(total == 0, 0.0, stdtrit(df, (1 + confidence_level) / 2))  # all scores equal
        half = factor * np.sqrt(total) / (won * lost)
        center = np.log(won) - np.log(lost)
        return np.asarray(expit(center - half)), np.asarray(expit(center + half))


def _variance(spread: Any, auc: Floats, own: Floats, others: Floats, share: float) -> Floats:
    """The part of DeLong's variance that one class adds."""
    within = np.asarray(spread, dtype=np.float64) / (own * (2 * others) ** 2)  # sum of squared deviations
    shrunk = others / (others + share)
    apart = shrunk * (auc - 0.5)  # how far the mean placement is from that of the added case
    squares = shrunk**2 * within + own * share / (own + share) * apart**2
    return np.asarray(squares / ((own + share - 1) * (own + share)))
