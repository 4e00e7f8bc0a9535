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
                "DeLong": rs.compare_auc(labels, a, b, reference="normal", threads=1).pvalue,
                "bootstrap of AUC": rs.bootstrap_test(labels, a, b, n_resamples=RESAMPLES, seed=i).pvalue,
                "bootstrap of TPR at FPR 0.1": rs.bootstrap_test(
                    labels, a, b, statistic={"fpr": 0.1}, n_resamples=RESAMPLES, seed=i
                ).pvalue,
                "Venkatraman": rs.venkatraman_test(labels, a, b, n_permutations=PERMUTATIONS, seed=i).pvalue,
            }
            for name, pvalue in pvalues.items():
                found.setdefault(name, []).append(bool(pvalue <= 0.05))
    return {name: np.array(values) for name, values in found.items()}


def rejected_areas(area: float, n_positives: int, n_negatives: int, *, replicates: int, seed: int) -> Shares:
    """Which 5 % tests of AUCs reject: of two and of three models on the same cases, and of two apart."""
    rng = np.random.default_rng(seed)
    labels = first_ones(n_positives, n_negatives)
    apart = Population(area).separation * labels
    found: dict[str, list[bool]] = {}
    with without_notes():
        for _ in range(replicates):
            noise = rng.normal(size=(5, labels.size))
            models = [(noise[0] + own) / np.sqrt(2) + apart for own in noise[1:4]]
            tests = {
                "two, t": rs.compare_auc(labels, *models[:2], threads=1),
                "two, normal": rs.compare_auc(labels, *models[:2], reference="normal", threads=1),
                "three, F": rs.compare_auc(labels, *models, threads=1),
                "three, chi-square": rs.compare_auc(labels, *models, reference="normal", threads=1),
                "apart, t": rs.compare_auc(labels, models[0], noise[4] + apart, paired=False, threads=1),
            }
            for name, test in tests.items():
                found.setdefault(name, []).append(bool(test.pvalue <= 0.05))
    return {name: np.array(values) for name, values in found.items()}


QUESTIONS = (
    Question(
        "two_aucs",
        0.05,
        grid(
            area=(0.7, 0.9),
            n_positives__n_negatives=(
                (10, 10),
                (10, 100),
                (10, 1000),
                (15, 150),
                (20, 20),
                (20, 1000),
                (50, 50),
            ),
        ),
        rejected_areas,
    ),
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
