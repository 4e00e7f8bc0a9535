"""Scores from two normal distributions, their AUC and how much it scatters."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocsteady.simulate.normal_integrals import both_below

Scores = NDArray[np.float64]
Labels = NDArray[np.bool_]


def binormal(
    n_positives: int, n_negatives: int, *, separation: float, ratio: float = 1.0, seed: int
) -> tuple[Labels, Scores]:
    """Draw scores from two normal distributions: negatives from N(0, 1), positives from N(separation, ratio).

    Parameters
    ----------
    n_positives, n_negatives : int
        How many cases of each class. The positives come first.
    separation : float
        Distance of the two means, in standard deviations of the negatives.
    ratio : float
        Standard deviation of the positives over that of the negatives.
    seed : int
        The same seed gives the same scores.

    Returns
    -------
    labels : array of bool
    scores : array of float

    Examples
    --------
    >>> labels, scores = binormal(2, 3, separation=1.5, seed=0)
    >>> labels
    array([ True,  True, False, False, False])
    >>> scores.round(3)
    array([ 1.626,  1.368,  0.64 ,  0.105, -0.536])
    """
    if ratio <= 0:
        raise ValueError(f"ratio is a quotient of standard deviations and must be positive, got {ratio}")
    scores = np.random.default_rng(seed).standard_normal(n_positives + n_negatives)
    scores[:n_positives] = separation + ratio * scores[:n_positives]
    return np.arange(scores.size) < n_positives, scores


def binormal_auc(separation: float, ratio: float = 1.0) -> float:
    """The AUC that :func:`binormal` draws around: the chance that a positive outscores a negative.

    >>> round(binormal_auc(1.5), 6)
    0.855578
    """
    return 0.5 * math.erfc(-separation / math.sqrt(2 * (1 + ratio**2)))


def binormal_auc_variance(
    separation: float, ratio: float = 1.0, *, n_positives: int, n_negatives: int
) -> float:
    """The variance of the AUC of one sample that :func:`binormal` draws.

    An AUC is a mean over pairs, and pairs that share a case are not independent: the variance needs the
    chance that two positives both outscore one negative, and that one positive outscores two negatives.

    Parameters
    ----------
    separation, ratio : float
        As for :func:`binormal`.
    n_positives, n_negatives : int
        How many cases of each class.

    Examples
    --------
    >>> variance = binormal_auc_variance(0.4 / 0.16, 0.18 / 0.16, n_positives=300, n_negatives=300)
    >>> round(variance**0.5, 6)
    0.007931
    """
    area, spread = binormal_auc(separation, ratio), 1 + ratio**2
    h = separation / math.sqrt(spread)
    two_positives = float(both_below(h, 1 / spread))  # what two pairs share is the negative, of variance 1
    two_negatives = float(both_below(h, ratio**2 / spread))
    return (
        area * (1 - area)
        + (n_positives - 1) * (two_positives - area**2)
        + (n_negatives - 1) * (two_negatives - area**2)
    ) / (n_positives * n_negatives)
