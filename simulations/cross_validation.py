"""How often intervals and tests over folds hold, with the design known and with folds taken as a sample.

    python simulations/cross_validation.py [--replicates 400] [--seed 1] [--cases 200]

Cases come from two normal classes in four dimensions. A learner (from stable to unstable: logistic
regression, naive Bayes, a decision tree) is cross-validated, with 10 folds and with 5 repeats of 10 folds.

1. Coverage of 95 % intervals. The truth is the mean performance of the trained fold models on the
   population: their mean AUC, and the TPR at FPR 0.1 of their threshold average. Beside it, the expected
   performance of the learner over all training sets of that size.
2. Level of 5 % tests. Two learners of the same kind look at halves of the features that have the same
   distribution, so both have the same expected performance: the AUC, and the whole curve.

Every number is a share of independent replicates; its Monte-Carlo standard error is printed at the end.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from typing import Any

import numpy as np
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
DESIGNS = {"10 folds": 1, "5 x 10 folds": 5}
FPR = 0.1
POPULATION = 4000


def drawn(n: int, rng: np.random.Generator, n_features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Features and classes, half of each."""
    y = np.arange(n) % 2
    return rng.normal(size=(n, n_features)) + 0.6 * y[:, None], y


def scores(fitted: Any, X: np.ndarray) -> np.ndarray:
    """Of the positive class."""
    return np.asarray(fitted.predict_proba(X)[:, 1])


def cross_validated(
    learner: Any, X: np.ndarray, y: np.ndarray, repeats: int, seed: int
) -> tuple[rs.ScoreSet, list[Any]]:
    """The scores of all test folds, and the models."""
    splitter = RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=seed)
    pairs, models = [], []
    for train, test in splitter.split(X, y):
        models.append(type(learner)(**learner.get_params()).fit(X[train], y[train]))
        pairs.append((y[test], scores(models[-1], X[test])))
    return rs.ScoreSet.from_folds(pairs, repeats=repeats), models


def truths(models: list[Any], rng: np.random.Generator) -> dict[str, float]:
    """Of the trained models, on the population."""
    X, y = drawn(POPULATION, rng)
    whole = rs.ScoreSet.from_folds([(y, scores(model, X)) for model in models], design="independent")
    average = rs.average(whole, "threshold")
    return {"auc": float(rs.roc_curves(whole).auc.mean()), "tpr": float(average.tpr_at(FPR))}


def intervals(folds: rs.ScoreSet) -> dict[str, Any]:
    """Of both, as a user would ask for them."""
    return {
        "auc": rs.summarize_auc(folds).interval,
        "tpr": rs.average(folds, "threshold").at(fpr=FPR).tpr_interval,
    }


def coverage(name: str, repeats: int, n: int, replicates: int, seed: int) -> dict[str, float]:
    """Shares of intervals that hold the truth: of the models at hand, and of the learner."""
    kept: dict[str, list[tuple[Any, float]]] = defaultdict(list)
    for i in range(replicates):
        rng = np.random.default_rng([seed, i])
        folds, models = cross_validated(LEARNERS[name], *drawn(n, rng), repeats, i)
        truth = truths(models, rng)
        for way, own in (("design", folds), ("sample", folds.with_design("independent"))):
            for what, interval in intervals(own).items():
                kept[f"{what}, {way}"].append((interval, truth[what]))
    shares = {}
    for key, found in kept.items():
        expected = float(np.mean([truth for _, truth in found]))
        shares[key] = float(np.mean([own.low <= truth <= own.high for own, truth in found]))
        shares[f"{key}, learner"] = float(np.mean([own.low <= expected <= own.high for own, _ in found]))
    return shares


def levels(name: str, repeats: int, n: int, replicates: int, seed: int) -> dict[str, float]:
    """Shares of tests that reject, the learners being equally good."""
    rejected: dict[str, list[bool]] = defaultdict(list)
    for i in range(replicates):
        rng = np.random.default_rng([seed, 7, i])
        X, y = drawn(n, rng, n_features=8)
        halves = {"a": X[:, :4], "b": X[:, 4:]}
        sets = {own: cross_validated(LEARNERS[name], half, y, repeats, i)[0] for own, half in halves.items()}
        labels = np.asarray(sets["a"].columns.labels)
        both = {own: np.asarray(found.columns.scores) for own, found in sets.items()}
        groups = np.repeat(np.arange(10 * repeats), np.diff(sets["a"].columns.offsets))
        design = rs.Design.cross_validation(10, repeats=repeats)
        for way, known in (("design", design), ("sample", rs.Design("independent"))):
            folds = rs.ScoreSet.from_arrays(labels, both, groups, design=known)
            found = rs.compare(folds, "a", "b", method="vertical", n_resamples=500)
            rejected[f"AUC, {way}"].append(found.auc.pvalue <= 0.05)
            rejected[f"curve, {way}"].append(found.curve.pvalue <= 0.05)
    return {key: float(np.mean(own)) for key, own in rejected.items()}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=200)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for title, measured in (("coverage of 95 % intervals", coverage), ("level of 5 % tests", levels)):
        print(f"\n{title}, {given.cases} cases")
        for name in LEARNERS:
            for design, repeats in DESIGNS.items():
                found = measured(name, repeats, given.cases, given.replicates, given.seed)
                print(
                    f"  {name}, {design}: " + "; ".join(f"{key} {share:.3f}" for key, share in found.items())
                )
    print(f"\nMonte-Carlo standard error at 0.95: {(0.95 * 0.05 / given.replicates) ** 0.5:.3f}")


if __name__ == "__main__":
    main()
