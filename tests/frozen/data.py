"""What the frozen calls are made on: the tables of ``rocsteady demo``, seeded simulations, small tables to read.

Scores are rounded to a few decimals, so that the last bit of an exponential or of a logarithm, which differs between machines, decides
no order and moves no threshold.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import rocsteady as rs
from rocsteady import simulate

HOSTS = {
    "label": "label",
    "score": "score",
    "group": "host",
    "model": "model",
    "case": "event",
    "positive": "attack",
}
FOLDS = {
    "label": "outcome",
    "score": "score",
    "group": "fold",
    "model": "model",
    "case": "subscriber",
    "positive": "left",
}
READERS = {
    "label": "truth",
    "score": "rating",
    "group": "reader",
    "model": "modality",
    "case": "case",
    "positive": "cancer",
}


# The tables of the demo


@cache
def hosts() -> rs.ScoreSet:
    """Two detectors on 24 hosts, of which one has no attacks."""
    return rs.ScoreSet.from_frame(simulate.hosts(), **HOSTS)


@cache
def few_hosts_table() -> dict[str, list[Any]]:
    return dict(simulate.hosts(n_hosts=9))


@cache
def few_hosts() -> rs.ScoreSet:
    return rs.ScoreSet.from_frame(few_hosts_table(), **HOSTS)


@cache
def candidate() -> rs.ScoreSet:
    return hosts().model("candidate")


@cache
def current() -> rs.ScoreSet:
    return hosts().model("current")


@cache
def few_candidate() -> rs.ScoreSet:
    return few_hosts().model("candidate")


@cache
def folds() -> rs.ScoreSet:
    """Three models in eight folds of a cross-validation; of ten, the t quantile of scipy 1.16 is off in the eleventh digit."""
    return rs.ScoreSet.from_frame(simulate.subscribers(n_subscribers=800, n_folds=8), **FOLDS)


@cache
def readers() -> rs.ScoreSet:
    """Six readers, two modalities, the same 120 cases."""
    return rs.ScoreSet.from_frame(simulate.reader_study(standalone=False), **READERS)


@cache
def readers_and_ai() -> rs.ScoreSet:
    return rs.ScoreSet.from_frame(simulate.reader_study(), **READERS)


@cache
def readers_with_a_gap() -> rs.ScoreSet:
    """One reader has not read with one modality."""
    table = simulate.reader_study(standalone=False)
    pairs = zip(table["reader"], table["modality"], strict=True)
    seen = [pair != ("reader-6", "film") for pair in pairs]
    kept = {
        name: [own for own, is_seen in zip(values, seen, strict=True) if is_seen]
        for name, values in table.items()
    }
    return rs.ScoreSet.from_frame(kept, **READERS)


@cache
def lesions() -> rs.ScoreSet:
    """A reader study with three cases of every patient, rated in five categories."""
    model = simulate.RoeMetz(auc=(0.8, 0.85), var_c=0.3, var_tc=0.1, var_rc=0.2, var_trc=0.4)
    return model.draw(5, 24, 36, seed=2, rows_per_patient=3, categories=5)


# Single datasets: labels and scores


@cache
def one() -> tuple[np.ndarray, np.ndarray]:
    """Some ties."""
    sick, score = simulate.binormal(40, 70, separation=1.2, ratio=1.3, seed=11)
    return sick, score.round(1)


@cache
def other() -> np.ndarray:
    """Another score for the cases of :func:`one`."""
    score = one()[1]
    noise = simulate.binormal(40, 70, separation=0.3, seed=12)[1]
    return (0.5 * score + 0.7 * noise).round(1)


@cache
def third() -> np.ndarray:
    score = one()[1]
    noise = simulate.binormal(40, 70, separation=0.8, seed=13)[1]
    return (0.3 * score + 0.9 * noise).round(1)


@cache
def weights() -> np.ndarray:
    """Row weights for the cases of :func:`one`."""
    return 1.0 + np.arange(110) % 7 / 4


@cache
def shares() -> tuple[np.ndarray, np.ndarray]:
    """Scores between 0 and 1, for smROC curves."""
    sick, score = simulate.binormal(60, 140, separation=1.5, seed=3)
    return sick, (1 / (1 + np.exp(0.75 - score))).round(3)


TIES = ([1, 1, 0, 1, 0, 0, 1, 0], [3, 2, 2, 2, 1, 1, 1, 0])
INFINITE = ([1, 1, 0, 1, 0, 0, 1, 0], [np.inf, 2.0, np.inf, 1.5, 1.0, -np.inf, -np.inf, -np.inf])
INTEGERS = (
    [1, 0, 1, 0, 1, 0],
    np.array([2**60 + 3, 2**60 + 2, 2**60 + 1, 2**60 + 1, 2**60, -(2**60)], dtype=np.int64),
)
PERFECT = ([1, 1, 1, 0, 0, 0, 0], [9, 8, 7, 3, 2, 1, 0])
BELOW = ([0, 0, 1, 0, 1, 1, 0], [9, 8, 7, 6, 5, 4, 1])
SMALL: dict[str, tuple[Any, Any]] = {
    "ties": TIES,
    "infinities": INFINITE,
    "int64": INTEGERS,
    "perfect": PERFECT,
    "below the diagonal": BELOW,
}


# Sets of groups


@cache
def small_groups() -> rs.ScoreSet:
    """Five groups of a few rows: ties within and between them, an infinite score, one group without positives."""
    pairs = [
        ([1, 1, 0, 0, 1], [5, 3, 3, 1, 1]),
        ([1, 0, 0, 1], [4, 4, 2, 0]),
        ([0, 1, 1, 0, 0, 1], [np.inf, 5, 2, 2, 1, -1]),
        ([0, 0, 0], [3, 2, 1]),
        ([1, 0], [2, 1]),
    ]
    return rs.ScoreSet.from_folds(pairs, names=list("abcde"), unit="ward", design="independent")


@cache
def small_groups_twice() -> rs.ScoreSet:
    """Two models on the rows of :func:`small_groups`."""
    own = small_groups()
    sick = np.concatenate([one.is_positive for one in own])
    score = np.concatenate([one.scores for one in own])
    names = np.repeat(list("abcde"), [one.scores.size for one in own])
    turned = np.where(np.isfinite(score), score % 3, 0)
    return rs.ScoreSet.from_arrays(sick, {"one": score, "two": turned}, names, unit="ward")


@cache
def weighted_groups() -> rs.ScoreSet:
    """Six groups with row weights."""
    population = simulate.ShiftedDatasets("C-1", separation=1.4, location_sd=0.4, separation_sd=0.2)
    sick, score, group = _rows(population.draw(6, 12, 20, seed=5))
    return rs.ScoreSet.from_arrays(sick, score, group, sample_weight=1.0 + np.arange(score.size) % 5 / 2)


@cache
def low_groups() -> rs.ScoreSet:
    """Six groups in which low scores speak for the positive class."""
    population = simulate.ShiftedDatasets("C-2a", separation=1.5, shift_sd=0.5)
    sick, score, group = _rows(population.draw(6, 12, 20, seed=6))
    return rs.ScoreSet.from_arrays(sick, -score, group, higher_is_positive=False)


def _rows(scores: rs.ScoreSet) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores and groups row by row; scores rounded, so that some are tied."""
    sick = np.concatenate([own.is_positive for own in scores])
    score = np.concatenate([own.scores for own in scores]).round(1)
    return sick, score, np.repeat(np.arange(len(scores)), [own.scores.size for own in scores])


@cache
def share_folds() -> rs.ScoreSet:
    """Five folds of scores between 0 and 1."""
    sick, score = shares()
    return rs.ScoreSet.from_arrays(sick, score, np.arange(sick.size) % 5, unit="fold")


@cache
def share_models(design: str = "independent") -> rs.ScoreSet:
    """Two models on eight groups, scores between 0 and 1."""
    sick, score = shares()
    other_share = (0.7 * score + 0.3 * np.random.default_rng(4).random(sick.size)).round(3)
    groups = np.arange(sick.size) % 8
    return rs.ScoreSet.from_arrays(
        sick, {"new": score, "old": other_share}, groups, unit="fold", design=design
    )


@cache
def repeated_folds() -> rs.ScoreSet:
    """Two repeats of four folds: every case is tested twice."""
    sick, score = one()
    case = np.arange(sick.size)
    fold = np.concatenate([case % 4, 4 + case // 3 % 4])
    both = np.concatenate([score, other()])
    return rs.ScoreSet.from_arrays(np.tile(sick, 2), both, fold, cases=np.tile(case, 2), unit="fold")


@cache
def three_classes() -> rs.MulticlassScores:
    rng = np.random.default_rng(4)
    labels = np.arange(120) % 3
    outputs = np.exp(-(((labels + rng.normal(size=120))[:, None] - np.arange(3)) ** 2) / 2).round(4)
    return rs.MulticlassScores(labels.astype(str), outputs, folds=np.arange(120) // 3 % 5)


@cache
def raters() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Decisions and scores of two raters on the same items."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=60)
    scores = [(1 / (1 + np.exp(-truth - rng.normal(size=60)))).round(3) for _ in range(2)]
    return {"ann": (scores[0] > 0.5, scores[0]), "ben": (scores[1] > 0.6, scores[1])}


class NearestMean:
    """A classifier without any library: how much nearer a row is to the mean of class 1."""

    def fit(self, X: Any, y: Any) -> NearestMean:
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        self.classes_ = np.unique(y)
        self.means_ = [X[y == own].mean(axis=0) for own in self.classes_]
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        first, second = (((np.asarray(X, dtype=float) - mean) ** 2).sum(axis=1) for mean in self.means_)
        return (first - second).round(6)

    def predict_proba(self, X: Any) -> np.ndarray:
        share = 1 / (1 + np.exp(-self.decision_function(X)))
        return np.column_stack([1 - share, share]).round(6)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}

    def set_params(self, **options: Any) -> NearestMean:
        return self
