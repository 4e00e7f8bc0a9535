"""Cross-validated learners, from stable to unstable: intervals and tests over folds.

Cases come from two normal classes in four dimensions. Logistic regression, naive Bayes and a decision tree
are cross-validated with 10 folds, and with 5 repeats of 10 folds. What an interval is for is the mean
performance of the models that were trained, on the population: their mean AUC, and the TPR at FPR 0.1 of
their threshold average; beside it, the expected performance over all training sets of that size. Tests
compare two learners of one kind that look at halves of the features with the same distribution, so both are
equally good.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import holds, without_notes
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import rocsteady as rs

LEARNERS: dict[str, Any] = {
    "logistic": LogisticRegression(),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(min_samples_leaf=8, random_state=0),
}
FOLDS, FPR, POPULATION, CASES = 10, 0.1, 4000, 200


def drawn(n: int, rng: np.random.Generator, n_features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Features and classes, half of each."""
    y = np.arange(n) % 2
    return rng.normal(size=(n, n_features)) + 0.6 * y[:, None], y


def scores(fitted: Any, X: np.ndarray) -> np.ndarray:
    """Of the positive class."""
    return np.asarray(fitted.predict_proba(X)[:, 1])


def cross_validated(
    learner: Any, X: np.ndarray, y: np.ndarray, repeats: int, seed: int
) -> tuple[list[tuple[np.ndarray, np.ndarray]], list[Any]]:
    """Labels and scores of all test folds, and the models."""
    splitter = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=repeats, random_state=seed)
    pairs, models = [], []
    for train, test in splitter.split(X, y):
        models.append(type(learner)(**learner.get_params()).fit(X[train], y[train]))
        pairs.append((y[test], scores(models[-1], X[test])))
    return pairs, models


def truths(models: list[Any], rng: np.random.Generator) -> dict[str, float]:
    """Of the trained models, on the population."""
    X, y = drawn(POPULATION, rng)
    whole = rs.ScoreSet.from_folds([(y, scores(model, X)) for model in models], design="independent")
    average = rs.average(whole, "threshold", threads=1)
    return {"AUC": float(rs.roc_curves(whole, threads=1).auc.mean()), "TPR": float(average.tpr_at(FPR))}


def coverage(learner: str, repeats: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the performance of the models at hand, and which that of the learner."""
    kept: dict[str, list[tuple[Any, float]]] = defaultdict(list)
    for i in range(replicates):
        rng = np.random.default_rng([seed, i])
        pairs, models = cross_validated(LEARNERS[learner], *drawn(CASES, rng), repeats, i)
        truth = truths(models, rng)
        folds = rs.ScoreSet.from_folds(pairs, repeats=repeats)
        with without_notes():
            for way, own in (("", folds), (", folds as a sample", folds.with_design("independent"))):
                kept[f"AUC{way}"].append((rs.summarize_auc(own).interval, truth["AUC"]))
                point = rs.average(own, "threshold", threads=1).at(fpr=FPR)
                kept[f"TPR{way}"].append((point.tpr_interval, truth["TPR"]))
    shares: Shares = {}
    for name, found in kept.items():
        expected = float(np.mean([truth for _, truth in found]))
        shares[name] = np.array([bool(holds(own, truth)) for own, truth in found])
        if name in truth:
            shares[f"{name}, learner"] = np.array([bool(holds(own, expected)) for own, _ in found])
    return shares


def levels(learner: str, repeats: int, *, replicates: int, seed: int) -> Shares:
    """Which tests reject, the learners being equally good."""
    rejected: dict[str, list[bool]] = defaultdict(list)
    design = rs.Design.cross_validation(FOLDS, repeats=repeats)
    for i in range(replicates):
        X, y = drawn(CASES, np.random.default_rng([seed, i]), n_features=8)
        first, second = (
            cross_validated(LEARNERS[learner], X[:, own], y, repeats, i)[0] for own in (slice(4), slice(4, 8))
        )
        labels = np.concatenate([own for own, _ in first])
        both = {
            name: np.concatenate([own for _, own in pairs]) for name, pairs in (("a", first), ("b", second))
        }
        groups = np.repeat(np.arange(len(first)), [own.size for own, _ in first])
        for way, known in (("", design), (", folds as a sample", rs.Design("independent"))):
            folds = rs.ScoreSet.from_arrays(labels, both, groups, design=known)
            with without_notes():
                found = rs.compare(folds, "a", "b", method="vertical", n_resamples=500, threads=1)
            rejected[f"AUC{way}"].append(found.auc.pvalue <= 0.05)
            rejected[f"curve{way}"].append(found.curve.pvalue <= 0.05)
    return {name: np.array(values) for name, values in rejected.items()}


SETTINGS = grid(learner=tuple(LEARNERS), repeats=(1, 5))
QUESTIONS = (
    Question("learners", 0.95, SETTINGS, coverage, replicates=400),
    Question("learners_tests", 0.05, SETTINGS, levels, replicates=400),
)
