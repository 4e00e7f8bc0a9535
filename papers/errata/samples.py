"""Small samples for counter-examples: quantiles in place of draws wherever that will do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import rocsteady as rs
from papers.averaging_roc.figure_1 import POORLY, WELL
from papers.slides import printed

Floats = NDArray[np.float64]

TEN_SCORES = np.array(printed.TEN_SCORES)
TEN_LABELS = np.array([1 if label == "+" else 0 for label in printed.TEN_LABELS])
"""The ten instances of the slides."""
N_FIRST = 120


def normal_quantiles(n: int, mean: float = 0.0) -> Floats:
    """What n cases of a normal class would score if chance had no part in it: the highest first."""
    return np.asarray(mean - ndtri((np.arange(n) + 0.5) / n))


def two_datasets(n_second: int = N_FIRST, level: float = 1.0) -> rs.ScoreSet:
    """A well and a poorly separable dataset, as in Hogan and Adams' Figure 1, the second at its own level.

    The first has 120 cases of each class, all scores are normal quantiles with a standard deviation of 1.
    """
    pairs = []
    for dataset, n, shift in ((WELL, N_FIRST, 0.0), (POORLY, n_second, level)):
        classes = [normal_quantiles(n, shift + side * dataset.center) for side in (1, -1)]
        pairs.append((np.arange(2 * n) < n, np.concatenate(classes)))
    return rs.ScoreSet.from_folds(pairs, unit="dataset", design="independent")
