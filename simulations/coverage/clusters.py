"""Rows that belong together: datasets whose rows are pooled under one threshold, patients with several rows.

Pooled: the score level of a dataset shifts (C-2a), so its rows go together. Patients: each has ``ROWS`` rows
of one class, whose scores have half of their variance in common; the AUC compares rows of different patients.
Mixed patients have one to six rows, each positive or negative by itself, so most have rows of both classes; a
share of the variance of the scores is common to the rows of a patient and, in part, to two classifiers, which
have the same AUC.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri
from simulations.average_intervals import SHIFTED
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import Population, first_ones, holds, without_notes

import rocsteady as rs
from rocsteady.points.cutoffs import table_at

RESAMPLES = 500
ROWS = 4
COMMON = 0.5
MOST_ROWS, FPR = 6, 0.2


def pooled(n_groups: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals of the pooled AUC hold its mean: whole datasets resampled, or rows as if alone."""
    truth = SHIFTED.expected_threshold_auc(n_groups)
    rng = np.random.default_rng(seed)
    labels = np.tile(first_ones(n, n), n_groups)
    groups = np.repeat(np.arange(n_groups), 2 * n)
    own, alone = [], []
    with without_notes():
        for i in range(replicates):
            shift = SHIFTED.shift_sd * rng.normal(size=n_groups)
            scores = rng.normal(size=labels.size) + SHIFTED.separation * labels + shift[groups]
            drawn = rs.ScoreSet.from_arrays(labels, scores, groups, positive=True)
            made = rs.bootstrap(
                drawn, random="groups", average="pooled", n_resamples=RESAMPLES, seed=i, threads=1
            )
            own.append(bool(holds(made.interval, truth)))
            alone.append(
                bool(holds(rs.roc_curve(labels, scores, threads=1).auc_interval(method="logit"), truth))
            )
    return {"datasets": np.array(own), "rows": np.array(alone)}


def patients(area: float, n_patients: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the AUC where half of the patients are positive."""
    rng = np.random.default_rng(seed)
    named = np.repeat(np.arange(n_patients), ROWS)
    labels = named < n_patients // 2
    apart = Population(area).separation
    own, alone = [], []
    with without_notes():
        for i in range(replicates):
            noise = np.sqrt(1 - COMMON) * rng.normal(size=labels.size)
            scores = noise + np.sqrt(COMMON) * rng.normal(size=n_patients)[named] + apart * labels
            rows = rs.Scores(labels, scores, positive=True)
            made = rs.bootstrap(
                rows, random="clusters", clusters=named, n_resamples=RESAMPLES, seed=i, threads=1
            )
            own.append(bool(holds(made.interval, area)))
            alone.append(
                bool(holds(rs.roc_curve(labels, scores, threads=1).auc_interval(method="logit"), area))
            )
    return {"patients": np.array(own), "rows": np.array(alone)}


def mixed_patients(
    area: float, n_patients: int, correlation: float, rng: np.random.Generator
) -> tuple[Any, Any, Any]:
    """Truth, scores of two classifiers, and the patient of every row."""
    named = np.repeat(np.arange(n_patients), rng.integers(1, MOST_ROWS + 1, n_patients))
    truth = rng.random(named.size) < rng.beta(2, 2, n_patients)[named]
    of_both, *of_each = rng.normal(size=(3, n_patients))
    rows_of_both, *rows_of_each = rng.normal(size=(3, named.size))
    scores = [
        Population(area).separation * truth
        + np.sqrt(correlation / 2) * (of_both + of_each[i])[named]
        + np.sqrt((1 - correlation) / 2) * (rows_of_both + rows_of_each[i])
        for i in (0, 1)
    ]
    return truth, np.array(scores), named


def mixed(area: float, n_patients: int, correlation: float, *, replicates: int, seed: int) -> Shares:
    """Which intervals of one curve hold: patients named, and rows as if independent."""
    rng = np.random.default_rng(seed)
    apart = Population(area).separation
    truths = {"AUC": area, "sensitivity": ndtr(apart / 2), "TPR at FPR": ndtr(apart + ndtri(FPR))}
    held: dict[str, list[bool]] = defaultdict(list)
    with without_notes():
        for _ in range(replicates):
            truth, (scores, _), named = mixed_patients(area, n_patients, correlation, rng)
            own = rs.roc_curve(rs.ScoreSet.from_arrays(truth, scores, clusters=named)[0], threads=1)
            for way, curve in (("", own), (", rows", rs.roc_curve(truth, scores, threads=1))):
                table = table_at(curve, apart / 2, ">=", None, 0.95, "wilson")
                assert table.sensitivity_interval is not None
                found = {
                    "AUC": curve.auc_interval(),
                    "sensitivity": table.sensitivity_interval,
                    "TPR at FPR": curve.tpr_interval(FPR),
                }
                for name, interval in found.items():
                    held[f"{name}{way}"].append(bool(holds(interval, truths[name])))
    return {name: np.array(values) for name, values in held.items()}


def mixed_test(area: float, n_patients: int, correlation: float, *, replicates: int, seed: int) -> Shares:
    """Which tests reject that two classifiers with the same AUC are equal."""
    rng = np.random.default_rng(seed)
    rejected: dict[str, list[bool]] = {"patients": [], "rows": []}
    with without_notes():
        for _ in range(replicates):
            truth, (a, b), named = mixed_patients(area, n_patients, correlation, rng)
            for way, clusters in (("patients", named), ("rows", None)):
                rejected[way].append(rs.compare_auc(truth, a, b, clusters=clusters).pvalue <= 0.05)
    return {name: np.array(values) for name, values in rejected.items()}


MIXED = grid(area=(0.75, 0.9), n_patients=(20, 30, 60), correlation=(0.3, 0.6))
QUESTIONS = (
    Question(
        "pooled_auc",
        0.95,
        grid(n__n_groups=((20, 3), (20, 5), (20, 10), (20, 30), (20, 100), (200, 3), (200, 10), (200, 30))),
        pooled,
    ),
    Question("patients", 0.95, grid(area=(0.8, 0.95), n_patients=(20, 40, 100)), patients),
    Question("mixed_patients", 0.95, MIXED, mixed),
    Question("mixed_patients_test", 0.05, MIXED, mixed_test),
)
