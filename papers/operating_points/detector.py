"""A Gaussian detector on Highleyman's first class, cross-validated: its scores, its 30 operating points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from papers.operating_points.models import detector_outputs
from papers.operating_points.parameters import CHOSEN_TPR, N_FOLDS, N_POINTS
from rocsteady.points.tables import OperatingPointTable, average_operating_points
from rocsteady.scores import stratified_folds
from rocsteady.simulate import highleyman

Floats = NDArray[np.float64]


def detector_scores(n_per_class: int, seed: int) -> rs.ScoreSet:
    """Draw both classes and score each case by a detector that was trained without its fold."""
    features, is_first = highleyman(n_per_class, seed=seed)
    folds = stratified_folds(is_first, N_FOLDS, seed=seed)
    outputs = detector_outputs(features, is_first, folds)
    pairs = [(is_first[folds == fold], outputs[folds == fold]) for fold in range(N_FOLDS)]
    return rs.ScoreSet.from_folds(pairs, design="independent")


def thirty_points(score_set: rs.ScoreSet) -> OperatingPointTable:
    """The table at 30 of the distinct scores, evenly by rank, the strictest first."""
    with_end = average_operating_points(score_set, thresholds=N_POINTS + 1)
    assert with_end.thresholds is not None
    return average_operating_points(score_set, thresholds=with_end.thresholds[1:])  # nothing lies at +inf


def chosen_point(tpr: Floats) -> int:
    """The strictest point with a mean TPR of at least 0.9, but for rounding."""
    return int(np.flatnonzero(tpr >= CHOSEN_TPR - 1e-9)[0])
