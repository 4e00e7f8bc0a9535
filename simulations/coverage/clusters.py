"""Rows that belong together: datasets whose rows are pooled under one threshold, patients with several rows.

Pooled: the score level of a dataset shifts (C-2a), so its rows go together. Patients: each has ``ROWS`` rows
of one class, whose scores have half of their variance in common; the AUC compares rows of different patients.
"""

from __future__ import annotations

import numpy as np
from simulations.average_intervals import SHIFTED
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import Population, first_ones, holds, without_notes

import rocsteady as rs

RESAMPLES = 500
ROWS = 4
COMMON = 0.5


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


QUESTIONS = (
    Question(
        "pooled_auc",
        0.95,
        grid(n__n_groups=((20, 3), (20, 5), (20, 10), (20, 30), (20, 100), (200, 3), (200, 10), (200, 30))),
        pooled,
    ),
    Question("patients", 0.95, grid(area=(0.8, 0.95), n_patients=(20, 40, 100)), patients),
)
