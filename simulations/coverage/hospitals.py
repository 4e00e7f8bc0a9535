"""Means over hospitals, held against the TRUE curves of the population of hospitals.

Scores are binormal; the separation varies from hospital to hospital (``SPREADS``), and the level shifts by
N(0, ``SHIFT``). A 95 % interval by Student's t is for the mean over all hospitals of

- the AUC;
- the area under the threshold average;
- the TPR of the threshold average where its FPR is ``FPR``: the threshold is set again on other data;
- both rates at a threshold that is kept;
- the TPR at ``FPR`` of each hospital's own curve: small hospitals read the top of their steps (RS317).
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import first_ones, holds, said

import rocsteady as rs

SHIFT, FPR = 0.5, 0.1
SPREADS = {"little": 0.2, "moderately": 0.5, "much": 0.8, "very much": 1.2}
"""Standard deviation of the separations: AUCs of 0.96 then differ by 0.015, 0.04, 0.07 and 0.11."""


def drawn(
    rng: np.random.Generator, n_groups: int, n_positives: int, n_negatives: int, apart: float, spread: float
) -> rs.ScoreSet:
    """The scores of some hospitals."""
    labels = np.tile(first_ones(n_positives, n_negatives), n_groups)
    hospital = np.repeat(np.arange(n_groups), n_positives + n_negatives)
    shift, gap = SHIFT * rng.normal(size=n_groups), apart + spread * rng.normal(size=n_groups)
    scores = rng.normal(size=labels.size) + shift[hospital] + gap[hospital] * labels
    return rs.ScoreSet.from_arrays(
        labels, scores, hospital, positive=True, unit="hospital", design="independent"
    )


def separation_of(area: float, spread: float) -> float:
    """The mean separation that gives this mean AUC."""
    return float(np.sqrt(2 + spread**2) * ndtri(area))


def areas(area: float, differ: str, n: int, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the mean AUC: for the logit of the mean, and for the mean itself."""
    rng, spread = np.random.default_rng(seed), SPREADS[differ]
    apart = separation_of(area, spread)
    found: dict[str, list[bool]] = {"logit": [], "linear": [], "RS289": []}
    for _ in range(replicates):
        curves = rs.roc_curves(drawn(rng, n_groups, n, n, apart, spread), threads=1)
        with said(set()) as codes:
            found["logit"].append(bool(holds(rs.summarize_auc(curves, "t").interval, area)))
        found["RS289"].append("RS289" in codes)
        with said(set()):
            found["linear"].append(bool(holds(rs.summarize_auc(curves, "t", scale="linear").interval, area)))
    return {name: np.array(values) for name, values in found.items()}


def true_rates(apart: float, spread: float) -> dict[str, float]:
    """What the intervals of areas and rates are for; the kept threshold lies between the classes."""
    level = np.hypot(1, SHIFT), np.sqrt(1 + SHIFT**2 + spread**2)
    again = -level[0] * ndtri(FPR)
    return {
        "area, shared": float(ndtr(apart / np.hypot(*level))),
        "TPR, set again": float(ndtr((apart - again) / level[1])),
        "TPR, kept": float(ndtr(apart / 2 / level[1])),
        "FPR, kept": float(ndtr(-apart / 2 / level[0])),
        "TPR, own": float(ndtr((apart + ndtri(FPR)) / np.hypot(1, spread))),
    }


def rates(
    area: float, differ: str, n_positives: int, n_negatives: int, n_groups: int, *, replicates: int, seed: int
) -> Shares:
    """Which intervals of areas and rates hold the truth; how often the first and the last one warn."""
    rng, spread = np.random.default_rng(seed), SPREADS[differ]
    apart = separation_of(area, spread)
    truth = true_rates(apart, spread)
    found: dict[str, list[bool]] = {name: [] for name in (*truth, "RS289", "RS317")}
    for _ in range(replicates):
        scores = drawn(rng, n_groups, n_positives, n_negatives, apart, spread)
        shared = rs.average(scores, "threshold", threads=1)
        with said(set()) as codes:
            area_interval = shared.auc_interval()
        found["RS289"].append("RS289" in codes)
        with said(set()):
            kept = shared.at(threshold=apart / 2)
            intervals = {
                "area, shared": area_interval,
                "TPR, set again": shared.at(fpr=FPR).tpr_interval,
                "TPR, kept": kept.tpr_interval,
                "FPR, kept": kept.fpr_interval,
            }
        with said(set()) as codes:
            intervals["TPR, own"] = rs.average(scores, "vertical", threads=1).at(fpr=FPR).tpr_interval
        found["RS317"].append("RS317" in codes)
        for name, interval in intervals.items():
            found[name].append(bool(holds(interval, truth[name])))
    return {name: np.array(values) for name, values in found.items()}


QUESTIONS = (
    Question(
        "hospitals_auc",
        0.95,
        grid(area=(0.85, 0.96), differ=tuple(SPREADS), n=(20, 100), n_groups=(3, 5, 10, 30)),
        areas,
    ),
    Question(
        "hospitals_rates",
        0.95,
        grid(
            area=(0.85, 0.96),
            differ=("moderately", "much"),
            n_positives__n_negatives=((20, 20), (100, 100), (20, 500)),
            n_groups=(3, 5, 10, 30),
        ),
        rates,
        replicates=1000,
    ),
)
