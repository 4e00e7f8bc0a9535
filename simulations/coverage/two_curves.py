"""Tests of two models on the same cases: DeLong, Venkatraman's permutations, the bootstrap of cases.

Both models have the same curve, and half of the variance of their scores in common; every rejection is a
false one.
"""

from __future__ import annotations

import numpy as np
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import Population, first_ones, without_notes

import rocsteady as rs

PERMUTATIONS = 200
RESAMPLES = 500


def rejected(area: float, n_positives: int, n_negatives: int, *, replicates: int, seed: int) -> Shares:
    """Which 5 % tests reject."""
    rng = np.random.default_rng(seed)
    labels = first_ones(n_positives, n_negatives)
    apart = Population(area).separation * labels
    found: dict[str, list[bool]] = {}
    with without_notes():
        for i in range(replicates):
            noise = rng.normal(size=(3, labels.size))
            a, b = ((noise[0] + own) / np.sqrt(2) + apart for own in noise[1:])
            pvalues = {
                "DeLong": rs.compare_auc(labels, a, b, threads=1).pvalue,
                "bootstrap of AUC": rs.bootstrap_test(labels, a, b, n_resamples=RESAMPLES, seed=i).pvalue,
                "bootstrap of TPR at FPR 0.1": rs.bootstrap_test(
                    labels, a, b, statistic=rs.TprAt(0.1), n_resamples=RESAMPLES, seed=i
                ).pvalue,
                "Venkatraman": rs.venkatraman_test(labels, a, b, n_permutations=PERMUTATIONS, seed=i).pvalue,
            }
            for name, pvalue in pvalues.items():
                found.setdefault(name, []).append(bool(pvalue <= 0.05))
    return {name: np.array(values) for name, values in found.items()}


QUESTIONS = (
    Question(
        "two_curves",
        0.05,
        grid(
            area=(0.6, 0.8, 0.95, 0.99),
            n_positives__n_negatives=((20, 20), (20, 200), (50, 50), (200, 200)),
        ),
        rejected,
    ),
)
