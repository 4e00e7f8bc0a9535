"""The AUC of a cross-validation, whose folds share training data.

Cases have ``n_features`` normal features; the classes differ by ``DISTANCE`` along their diagonal. A
nearest-mean classifier is trained on all folds but one: its direction w gives the true AUC of that fold's
model, Phi(w'd / (sqrt(2) |w|)). Two things may be meant by "the AUC": the mean of the models that were
trained here, or that of all training sets of this size. Each interval is held against both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import holds, without_notes

import rocsteady as rs

Floats = NDArray[np.float64]

DISTANCE = 1.5
"""Between the class means, in standard deviations: an AUC of 0.856 at best."""
MANY = 20_000
METHODS: dict[str, dict[str, object]] = {
    "t over folds": {"method": "t"},
    "influence": {"method": "cv-influence"},
    "Nadeau-Bengio": {"method": "nadeau-bengio"},
}


def cross_validated(
    n_cases: int, n_features: int, n_folds: int, replicates: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Scores ``(2, n_folds, cases of a class in a fold)`` of each cross-validation and its models' AUCs."""
    per_fold = n_cases // (2 * n_folds)
    apart = np.full(n_features, DISTANCE / np.sqrt(n_features))
    for _ in range(replicates):
        x = rng.normal(size=(2, n_folds, per_fold, n_features))
        x[1] += apart
        sums = x.sum(axis=2)
        means = (sums.sum(axis=1, keepdims=True) - sums) / (per_fold * (n_folds - 1))
        middle, axis = means.mean(axis=0), means[1] - means[0]
        scores = np.einsum("cfnd,fd->cfn", x, axis) - np.einsum("fd,fd->f", middle, axis)[:, None]
        yield scores, ndtr(axis @ apart / np.sqrt(2) / np.linalg.norm(axis, axis=1))


@lru_cache
def expected_area(n_cases: int, n_features: int, n_folds: int) -> float:
    """The mean true AUC of models trained on as many cases as all folds but one have.

    Only the direction counts, and the difference of two means of n cases is normal around the true one.
    """
    rng = np.random.default_rng(n_cases)
    per_class = n_cases // (2 * n_folds) * (n_folds - 1)
    axis = rng.normal(size=(MANY, n_features)) * np.sqrt(2 / per_class) + DISTANCE / np.sqrt(n_features)
    cosine = axis.sum(axis=1) / np.sqrt(n_features) / np.linalg.norm(axis, axis=1)
    return float(ndtr(DISTANCE * cosine / np.sqrt(2)).mean())


def coverage(n_cases: int, n_features: int, n_folds: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the mean of these models, and which that of all training sets."""
    rng = np.random.default_rng(seed)
    everywhere = expected_area(n_cases, n_features, n_folds)
    held: dict[str, list[bool]] = {}
    labels = np.repeat([False, True], n_cases // 2)
    folds = np.tile(np.repeat(np.arange(n_folds), n_cases // (2 * n_folds)), 2)
    with without_notes():
        for scores, areas in cross_validated(n_cases, n_features, n_folds, replicates, rng):
            drawn = rs.ScoreSet.from_arrays(labels, scores.ravel(), folds, positive=True)
            curves = rs.roc_curves(drawn, threads=1)
            for name, options in METHODS.items():
                interval = rs.summarize_auc(curves, **options).interval
                for meant, truth in (("these models", areas.mean()), ("all training sets", everywhere)):
                    held.setdefault(f"{name}, {meant}", []).append(bool(holds(interval, truth)))
    return {name: np.array(values) for name, values in held.items()}


QUESTIONS = (
    Question(
        "cross_validation",
        0.95,
        grid(n_cases__n_folds=((100, 5), (100, 10), (400, 5), (400, 10), (2000, 10)), n_features=(2, 20)),
        coverage,
    ),
)
