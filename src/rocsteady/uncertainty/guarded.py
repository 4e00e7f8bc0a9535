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
from rocsteady.uncertainty.clustered import ClusteredAuc
from rocsteady.uncertainty.intervals import satterthwaite_df

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
    for i, clusters in enumerate(moments.clusters):
        if clusters is not None:
            added = ClusteredAuc.of_counts(clusters)
            for (low, high), share in zip(limits, (0.0, SHARE), strict=True):
                low[i], high[i] = _clustered_limits(auc[i], complement[i], added, share, confidence_level)
    # fmin and fmax: a class with a single case has no spread of its own, and the other limit serves.
    return (
        np.asarray(np.fmin(limits[0][0], limits[1][0])),
        np.asarray(np.fmax(limits[0][1], limits[1][1])),
    )


def _clustered_limits(
    auc: float, complement: float, added: ClusteredAuc, share: float, confidence_level: float
) -> tuple[Floats, Floats]:
    """The same where rows belong together: clusters take the place of cases."""
    positives, negatives, _ = added.sizes
    sizes = np.asarray(float(positives)), np.asarray(float(negatives))
    variances, freedom = added.components(share, apart=auc - 0.5)
    return _on_logit_scale(
        *_shares(np.asarray(auc), np.asarray(complement), *sizes, share),
        variances.sum(),
        satterthwaite_df(variances, freedom),
        confidence_level,
    )


def _limits(
    auc: Floats, complement: Floats, moments: Moments, share: float, confidence_level: float
) -> tuple[Floats, Floats]:
    """Logit limits with Student's t, of a sample with ``share`` of a case added to each class."""
    positives = moments.n_positives.astype(np.float64)
    negatives = moments.n_negatives.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):  # an AUC of 0 or 1, or a class with one case
        of_positives = _variance(moments.positive_spread, auc, positives, negatives, share)
        of_negatives = _variance(moments.negative_spread, auc, negatives, positives, share)
        total = of_positives + of_negatives
        df = total**2 / (
            of_positives**2 / (positives + share - 1) + of_negatives**2 / (negatives + share - 1)
        )
    shares = _shares(auc, complement, positives, negatives, share)
    return _on_logit_scale(*shares, total, df, confidence_level)


def _shares(
    auc: Floats, complement: Floats, positives: Floats, negatives: Floats, share: float
) -> tuple[Floats, Floats]:
    """The pairs won and lost, as shares, with what was added."""
    pairs = (positives + share) * (negatives + share)
    ties = share * (positives + negatives + share) / 2  # of what was added, with everything
    return (positives * negatives * auc + ties) / pairs, (positives * negatives * complement + ties) / pairs


def _on_logit_scale(
    won: Floats, lost: Floats, variance: Floats, df: Floats, confidence_level: float
) -> tuple[Floats, Floats]:
    from scipy.special import expit, stdtrit

    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(variance == 0, 0.0, stdtrit(df, (1 + confidence_level) / 2))  # all scores equal
        half = factor * np.sqrt(variance) / (won * lost)
        center = np.log(won) - np.log(lost)
        return np.asarray(expit(center - half)), np.asarray(expit(center + half))


def _variance(spread: Any, auc: Floats, own: Floats, others: Floats, share: float) -> Floats:
    """The part of DeLong's variance that one class adds."""
    within = np.asarray(spread, dtype=np.float64) / (own * (2 * others) ** 2)  # sum of squared deviations
    shrunk = others / (others + share)
    apart = shrunk * (auc - 0.5)  # how far the mean placement is from that of the added case
    squares = shrunk**2 * within + own * share / (own + share) * apart**2
    return np.asarray(squares / ((own + share - 1) * (own + share)))
