"""Figure 1: two datasets, one fixed threshold, and what the three ways of averaging make of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.averaging_roc import averages
from papers.averaging_roc.parameters import FIGURE_1_FPR, POORLY, WELL, Separable
from papers.checks import Check, exact, simulated
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.shared_threshold import PooledAverage, ThresholdAverage
from rocsteady.curves.curve_set import CurveSet
from rocsteady.results import Result
from rocsteady.simulate import binormal_auc_variance

Floats = NDArray[np.float64]
SECTION = "Figure 1"
SEED = 264
"""No positive of this drawing lies between a marked threshold and the next negative below it, so the marked
points are the highest ones at their FPR, which vertical averaging reads."""


@dataclass(frozen=True, eq=False, repr=False)
class Figure1(Result):
    """The drawn scores, the curves and the points of Figure 1.

    Attributes
    ----------
    score_set : ScoreSet
        The two datasets.
    curves : CurveSet
        Their curves.
    pooled, threshold, vertical : Average
        The three averages.
    shared_threshold : float
        The fixed threshold, midway between two negatives of dataset 1, so that exactly 18 of 150 exceed it.
    own_threshold : float
        The one that gives dataset 2 the same FPR, 9 of 75.
    points : mapping
        Points (FPR, TPR) by name.
    """

    score_set: rs.ScoreSet
    curves: CurveSet
    pooled: PooledAverage
    threshold: ThresholdAverage
    vertical: DirectionalAverage
    shared_threshold: float
    own_threshold: float
    points: Mapping[str, tuple[float, float]]

    def __repr__(self) -> str:
        return f"Figure1(shared threshold {self.shared_threshold:.3f}, own {self.own_threshold:.3f})"


def figure_1(seed: int = SEED) -> Figure1:
    """Draw the scores and average the two curves in the three ways."""
    pairs = [_draw(dataset, [seed, i]) for i, dataset in enumerate((WELL, POORLY))]
    score_set = rs.ScoreSet.from_folds(
        pairs, names=[WELL.name, POORLY.name], unit="dataset", design="independent"
    )
    shared, own = (
        _between(scores[~labels], dataset.n_false_positives)
        for (labels, scores), dataset in zip(pairs, (WELL, POORLY), strict=True)
    )
    curves = rs.roc_curves(score_set)
    pooled, threshold = averages.pooled(score_set), averages.threshold(score_set)
    vertical = averages.vertical(score_set)
    first, second = (curve.rates_at(shared) for curve in curves)
    second_own = curves[1].rates_at(own)
    at_pooled, at_threshold = pooled.rates_at(shared), threshold.rates_at(shared)
    points = {
        "dataset 1": (first.fpr, first.tpr),
        "dataset 2": (second.fpr, second.tpr),
        "dataset 2, own threshold": (second_own.fpr, second_own.tpr),
        "pooled": (at_pooled.fpr, at_pooled.tpr),
        "threshold": (at_threshold.fpr, at_threshold.tpr),
        # Read at the two marked points: on a jump of a curve other TPRs have the same FPR.
        "vertical": (FIGURE_1_FPR, (first.tpr + second_own.tpr) / 2),
    }
    return Figure1(score_set, curves, pooled, threshold, vertical, shared, own, points)


def _draw(dataset: Separable, seed: list[int]) -> tuple[NDArray[np.bool_], Floats]:
    n = dataset.n_per_class
    labels = np.arange(2 * n) < n
    logits = np.random.default_rng(seed).standard_normal(2 * n) + np.where(labels, 1, -1) * dataset.center
    return labels, 1 / (1 + np.exp(-logits))


def _between(negatives: Floats, n_above: int) -> float:
    """A threshold with exactly so many negatives above it."""
    strictest_first = np.sort(negatives)[::-1]
    return float((strictest_first[n_above - 1] + strictest_first[n_above]) / 2)


def checks(figure: Figure1, expected: Mapping[str, float]) -> list[Check]:
    """The points against their populations, and the identities that hold in every sample."""
    return [*_identities(figure), *_against_population(figure, expected)]


def _identities(figure: Figure1) -> list[Check]:
    (fpr_1, tpr_1), (fpr_2, tpr_2) = figure.points["dataset 1"], figure.points["dataset 2"]
    own_fpr, own_tpr = figure.points["dataset 2, own threshold"]
    share = WELL.n_per_class / (WELL.n_per_class + POORLY.n_per_class)
    pooled_fpr, pooled_tpr = figure.points["pooled"]
    mean_fpr, mean_tpr = figure.points["threshold"]
    return [
        exact(SECTION, "FPR of dataset 1 at the fixed threshold is 18/150", FIGURE_1_FPR, fpr_1),
        exact(SECTION, "FPR of dataset 2 at its own threshold is 9/75", FIGURE_1_FPR, own_fpr),
        exact(SECTION, "pooled FPR weighs by negatives", share * fpr_1 + (1 - share) * fpr_2, pooled_fpr),
        exact(SECTION, "pooled TPR weighs by positives", share * tpr_1 + (1 - share) * tpr_2, pooled_tpr),
        exact(SECTION, "threshold average: mean FPR", (fpr_1 + fpr_2) / 2, mean_fpr),
        exact(SECTION, "threshold average: mean TPR", (tpr_1 + tpr_2) / 2, mean_tpr),
        exact(
            SECTION,
            "vertical average at FPR 0.12: mean TPR",
            (tpr_1 + own_tpr) / 2,
            figure.vertical.tpr_at(FIGURE_1_FPR),
        ),
        exact(
            SECTION,
            "area under the vertical average is the mean area",
            float(figure.curves.auc.mean()),
            figure.vertical.auc,
        ),
    ]


def _against_population(figure: Figure1, expected: Mapping[str, float]) -> list[Check]:
    error = standard_errors()
    points, areas = figure.points, figure.curves.auc
    found = {
        "threshold": figure.shared_threshold,
        "own threshold of dataset 2": figure.own_threshold,
        "fpr 1": points["dataset 1"][0],
        "tpr 1": points["dataset 1"][1],
        "fpr 2": points["dataset 2"][0],
        "tpr 2": points["dataset 2"][1],
        "pooled fpr": points["pooled"][0],
        "pooled tpr": points["pooled"][1],
        "threshold fpr": points["threshold"][0],
        "threshold tpr": points["threshold"][1],
        "tpr 2 at own threshold": points["dataset 2, own threshold"][1],
        "vertical tpr": points["vertical"][1],
        "auc 1": float(areas[0]),
        "auc 2": float(areas[1]),
    }
    source = "delta method at these sizes"
    return [
        exact(SECTION, name, expected[name], found[name], tolerance=1e-6)  # the center has six digits
        if name == "fpr 1"
        else simulated(SECTION, name, expected[name], found[name], error[name], source)
        for name in expected
    ]


def standard_errors() -> dict[str, float]:
    """How far the points of one drawing scatter, to first order.

    The fixed threshold is where a given share of dataset 1's negatives ends, so it scatters, and with it
    every rate that is read there; the rates also scatter because cases are counted.
    """
    fixed = _threshold_error(WELL, 0.0)
    own = _threshold_error(POORLY, -POORLY.center - ndtri(FIGURE_1_FPR))
    share = WELL.n_per_class / (WELL.n_per_class + POORLY.n_per_class)
    tpr_1, fpr_2, tpr_2 = _rate(WELL, 1, 0.0), _rate(POORLY, -1, 0.0), _rate(POORLY, 1, 0.0)
    own_tpr = _rate(POORLY, 1, -POORLY.center - ndtri(FIGURE_1_FPR))

    def together(weight: float, first: tuple[float, float], second: tuple[float, float]) -> float:
        # What the threshold does to both rates adds up before it is squared: it is one threshold.
        moved = (weight * first[0] + (1 - weight) * second[0]) * fixed
        return math.hypot(moved, weight * first[1], (1 - weight) * second[1])

    still = (0.0, 0.0)  # the FPR of dataset 1 is held
    own_score = 1 / (1 + math.exp(POORLY.center + ndtri(FIGURE_1_FPR)))
    return {
        "threshold": 0.25 * fixed,
        "own threshold of dataset 2": own_score * (1 - own_score) * own,
        "fpr 1": 0.0,
        "tpr 1": together(1.0, tpr_1, still),
        "fpr 2": together(0.0, still, fpr_2),
        "tpr 2": together(0.0, still, tpr_2),
        "pooled fpr": together(share, still, fpr_2),
        "pooled tpr": together(share, tpr_1, tpr_2),
        "threshold fpr": together(0.5, still, fpr_2),
        "threshold tpr": together(0.5, tpr_1, tpr_2),
        "tpr 2 at own threshold": math.hypot(own_tpr[0] * own, own_tpr[1]),
        "vertical tpr": math.hypot(together(1.0, tpr_1, still), own_tpr[0] * own, own_tpr[1]) / 2,
        "auc 1": _area_error(WELL),
        "auc 2": _area_error(POORLY),
    }


def _density(dataset: Separable, side: int, logit: float) -> float:
    return math.exp(-((logit - side * dataset.center) ** 2) / 2) / math.sqrt(2 * math.pi)


def _rate(dataset: Separable, side: int, logit: float) -> tuple[float, float]:
    """How fast a rate falls with the threshold, and its own error from counting cases."""
    rate = float(ndtr(side * dataset.center - logit))
    return _density(dataset, side, logit), math.sqrt(rate * (1 - rate) / dataset.n_per_class)


def _threshold_error(dataset: Separable, logit: float) -> float:
    """The error of the threshold that a fixed number of negatives exceeds, on the scale of logits."""
    slope, counting = _rate(dataset, -1, logit)
    return counting / slope


def _area_error(dataset: Separable) -> float:
    n = dataset.n_per_class
    return math.sqrt(binormal_auc_variance(2 * dataset.center, n_positives=n, n_negatives=n))
