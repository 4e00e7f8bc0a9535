"""Tests between two classifiers over the same datasets, for both averages and two readings.

What is random are the datasets. Own thresholds (vertical average): a dataset has a TPR at the FPR and an AUC,
so the test is a paired t over datasets. One shared threshold (threshold average): a reading is a function of
all datasets together. The area is a mean over pairs of datasets, whose influence values take the place of the
datasets' own areas; the TPR at a mean FPR is tested by resampling whole datasets, for both classifiers alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.results import Result

Floats = NDArray[np.float64]
LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Result):
    """Which of two classifiers a test chooses.

    Attributes
    ----------
    difference : float
        Second less first.
    standard_error : float
        Of the difference, over datasets.
    low, high : float
        The 95 % interval of the difference.
    """

    difference: float
    standard_error: float
    low: float
    high: float

    @property
    def choice(self) -> int:
        """-1 for the first, 1 for the second, 0 if the interval holds zero."""
        return int(self.low > 0) - int(self.high < 0)

    def __repr__(self) -> str:
        return f"Decision({self.difference:+.4f}, {self.low:+.4f} to {self.high:+.4f})"


def own_tpr(positives: Floats, negatives: Floats, false_positives: int) -> Floats:
    """Each dataset's highest TPR with so many false positives."""
    next_negative = -np.partition(-negatives, false_positives, axis=1)[:, false_positives]
    return np.asarray((positives > next_negative[:, None]).mean(axis=1))


def own_auc(positives: Floats, negatives: Floats) -> Floats:
    """Each dataset's AUC; the scores have no ties."""
    n_positives, n_negatives = positives.shape[1], negatives.shape[1]
    order = np.argsort(np.concatenate([positives, negatives], axis=1), axis=1)
    ranks = np.argsort(order, axis=1)[:, :n_positives] + 1
    return np.asarray((ranks.sum(axis=1) - n_positives * (n_positives + 1) / 2) / (n_positives * n_negatives))


def shared_auc_influence(positives: Floats, negatives: Floats) -> Floats:
    """What each dataset contributes to the area under the threshold average; half their mean is the area.

    A dataset takes part with its positives, against the negatives of all, and with its negatives, against the
    positives of all. All datasets have the same sizes.
    """
    all_positives, all_negatives = np.sort(positives, axis=None), np.sort(negatives, axis=None)
    beaten = np.searchsorted(all_negatives, positives).mean(axis=1) / all_negatives.size
    beating = 1 - np.searchsorted(all_positives, negatives).mean(axis=1) / all_positives.size
    return np.asarray(beaten + beating)


def paired_t(first: Floats, second: Floats) -> Decision:
    """Student's t on the differences, one for each dataset."""
    return _by_t(second - first, float(np.mean(second - first)))


def paired_influence(first: Floats, second: Floats) -> Decision:
    """The same for areas under threshold averages, on influence values."""
    return _by_t(second - first, float(np.mean(second - first)) / 2)


def _by_t(differences: Floats, estimate: float) -> Decision:
    from scipy.special import stdtrit

    error = float(differences.std(ddof=1) / np.sqrt(differences.size))
    half = float(stdtrit(differences.size - 1, 1 - LEVEL / 2)) * error
    return Decision(estimate, error, estimate - half, estimate + half)


def resampled_weights(n_datasets: int, n_resamples: int, seed: int) -> Floats:
    """How often each dataset is in each resample; the first row is the sample itself."""
    random = np.random.default_rng(seed)
    drawn = random.multinomial(n_datasets, np.full(n_datasets, 1 / n_datasets), size=n_resamples)
    return np.concatenate([np.ones((1, n_datasets)), drawn]) / n_datasets


def shared_tpr(positives: Floats, negatives: Floats, fpr: float, weights: Floats) -> Floats:
    """TPR of the threshold average at a mean FPR, in the sample and in every resample of datasets.

    Every resample has its own threshold, the loosest whose mean FPR does not exceed the given one. Thresholds
    are the negatives with a mean FPR in the sample between a third of it and three times it.
    """
    pooled = np.sort(negatives, axis=None)[::-1]
    thresholds = pooled[int(fpr / 3 * pooled.size) : int(3 * fpr * pooled.size)]
    mean_fpr = weights @ shares_beyond(negatives, thresholds)
    allowed = (mean_fpr <= fpr + 1e-12).sum(axis=1)  # mean_fpr only rises along a row
    used, where = np.unique(thresholds[np.maximum(allowed - 1, 0)], return_inverse=True)
    return np.asarray(np.einsum("rd,dr->r", weights, shares_beyond(positives, used)[:, where]))


def shares_beyond(scores: Floats, thresholds: Floats) -> Floats:
    """The share of each dataset's scores at or above each threshold."""
    ascending = np.sort(scores, axis=1)
    below = np.array([np.searchsorted(row, thresholds) for row in ascending])
    return np.asarray(1 - below / scores.shape[1])


def paired_bootstrap(first: Floats, second: Floats) -> Decision:
    """Percentiles of the difference over resamples; entry 0 is the sample itself."""
    differences = second - first
    low, high = np.quantile(differences[1:], [LEVEL / 2, 1 - LEVEL / 2])
    return Decision(float(differences[0]), float(differences[1:].std(ddof=1)), float(low), float(high))
