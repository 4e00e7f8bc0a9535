"""Variances of an AUC from what was counted.

All of them read integers: the *spread* of the placements of a class, ``n * sum(x**2) - sum(x)**2``, is exact,
so a variance near AUC 1 keeps its digits where the usual difference of two means of squares loses them.

References
----------
DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845.
Hanley & McNeil (1982), Radiology 143, 29-36.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import Moments
from rocsteady.uncertainty.clustered import ClusteredAuc

Floats = NDArray[np.float64]


def delong_variance(moments: Moments) -> Floats:
    """DeLong's variance of each AUC; NaN where a class has a single case.

    With V10 and V01 the placements as shares, ``S10 / n_positives + S01 / n_negatives`` where S10 and S01
    are their sample variances. Obuchowski's where rows belong together.
    """
    found = delong_covariance_matrix(
        moments.positive_spread, moments.negative_spread, moments.n_positives, moments.n_negatives
    )
    for i, clusters in enumerate(moments.clusters):
        if clusters is not None:
            found[i] = ClusteredAuc.of_counts(clusters).variance
    return found


def delong_covariance_matrix(
    positive_spread: Floats, negative_spread: Floats, n_positives: Any, n_negatives: Any
) -> Floats:
    """DeLong's (co)variances from (co-)spreads of the doubled placements, entry by entry."""
    positives = np.asarray(n_positives, dtype=np.float64)
    negatives = np.asarray(n_negatives, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):  # one case: 0 / 0 = NaN is the answer
        within = positive_spread / (positives - 1) + negative_spread / (negatives - 1)
        return np.asarray(within / (2 * positives * negatives) ** 2)


def delong_components(
    positive_spread: Floats, negative_spread: Floats, n_positives: Any, n_negatives: Any
) -> tuple[Floats, Floats]:
    """What the positives add to them, and what the negatives add."""
    positives = np.asarray(n_positives, dtype=np.float64)
    negatives = np.asarray(n_negatives, dtype=np.float64)
    pairs = (2 * positives * negatives) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            np.asarray(positive_spread / (positives - 1) / pairs),
            np.asarray(negative_spread / (negatives - 1) / pairs),
        )


def nonparametric_variance(
    moments: Moments, squares_tied_above: Floats, squares_tied_below: Floats
) -> Floats:
    """The variance SPSS calls nonparametric: Hanley & McNeil's with Q1 and Q2 counted.

    Parameters
    ----------
    moments : Moments
        Of the same curves.
    squares_tied_above : float64 array
        Sum over the negatives of the squared number of positives tied with each.
    squares_tied_below : float64 array
        Sum over the positives of the squared number of negatives tied with each.

    Notes
    -----
    ``Q1 - A**2`` is not formed as a difference: with x the doubled placement and e the ties of a negative,
    ``g**2 + g*e + e**2/3 = x**2/4 + e**2/12``, and the first part less ``A**2`` is the spread.
    """
    positives, negatives = moments.n_positives.astype(float), moments.n_negatives.astype(float)
    pairs = positives * negatives
    q1_excess = moments.negative_spread / (2 * pairs) ** 2 + squares_tied_above / (12 * pairs * positives)
    q2_excess = moments.positive_spread / (2 * pairs) ** 2 + squares_tied_below / (12 * pairs * negatives)
    losses = 2 * moments.n_positives * moments.n_negatives - moments.wins
    chance = (moments.wins / (2 * pairs)) * (losses / (2 * pairs))
    return np.asarray((chance + (positives - 1) * q1_excess + (negatives - 1) * q2_excess) / pairs)


def hanley_mcneil_variance(auc: Floats, n_positives: Any, n_negatives: Any) -> Floats:
    """Hanley & McNeil's variance from the AUC alone (exponential model): when the scores are missing.

    Examples
    --------
    >>> import numpy as np
    >>> float(np.sqrt(hanley_mcneil_variance(np.array(0.955), 300, 300)).round(4))
    0.0087
    """
    positives = np.asarray(n_positives, dtype=np.float64)
    negatives = np.asarray(n_negatives, dtype=np.float64)
    q1_excess = auc * (1 - auc) ** 2 / (2 - auc)  # A / (2 - A) - A**2
    q2_excess = auc**2 * (1 - auc) / (1 + auc)  # 2 A**2 / (1 + A) - A**2
    spread = auc * (1 - auc) + (positives - 1) * q1_excess + (negatives - 1) * q2_excess
    return np.asarray(spread / (positives * negatives))


def rank_sum_null_variance(n_positives: Any, n_negatives: Any) -> Floats:
    """Variance of an AUC when both classes have the same continuous distribution, as SPSS uses it."""
    positives = np.asarray(n_positives, dtype=np.float64)
    negatives = np.asarray(n_negatives, dtype=np.float64)
    return np.asarray((positives + negatives + 1) / (12 * positives * negatives))
