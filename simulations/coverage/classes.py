"""One AUC of several classes: a fixed model on one sample, a cross-validation, hospitals that differ.

Classes are normal in as many dimensions as there are classes, each ``apart`` along an axis of its own. In one
sample the outputs are the densities, so the model is the same in all replicates, and its AUCs are known from
many rows. A cross-validation trains the means of the classes on all folds but one; what the interval is for
is the mean of the very models that were trained, on the population. Of hospitals the distance between
classes is another in each, and the interval is for the mean over all hospitals that there could be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import holds, said

import rocsteady as rs
from rocsteady.curves.multiclass import AUCS

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SHARES = {"equal": (1, 1, 1), "one is rare": (5, 4, 1), "five, uneven": (6, 4, 3, 2, 1)}
MANY, OF_MODELS, HOSPITALS = 60_000, 2_000, 400
CLASSES, FOLDS, FEATURES = 3, 10, 6
DIFFER = {"little": 0.1, "much": 0.4, "very much": 0.8}
"""Standard deviation between hospitals of the logarithm of the distance."""


def labelled(shares: str, n: int, rng: np.random.Generator) -> Integers:
    """Classes of a random sample, of each two cases at least."""
    chances = np.array(SHARES[shares]) / sum(SHARES[shares])
    while True:
        labels = rng.choice(chances.size, n, p=chances)
        if np.bincount(labels, minlength=chances.size).min() >= 2:
            return np.asarray(labels, dtype=np.int64)


def densities(labels: Integers, apart: float, n_classes: int, rng: np.random.Generator) -> Floats:
    """The density of each class at rows of these classes, up to a factor of the row."""
    x = rng.normal(size=(labels.size, n_classes))
    x[np.arange(labels.size), labels] += apart
    logs = apart * x
    return np.exp(logs - logs.max(axis=1, keepdims=True))


@lru_cache
def truths(shares: str, apart: float) -> dict[str, Floats]:
    """The mean and the parts of each method, of many rows."""
    rng = np.random.default_rng(0)
    labels, n_classes = labelled(shares, MANY, rng), len(SHARES[shares])
    many = rs.MulticlassScores(labels, densities(labels, apart, n_classes, rng))
    found = {method: many.auc(method) for method in AUCS}
    return {method: np.append(own.mean, own.parts) for method, own in found.items()}


def judged(
    names: list[str], replicates: int, one: Callable[[], tuple[rs.MulticlassScores, dict[str, Floats]]]
) -> Shares:
    """Which intervals hold what they are for; a row of parts for each replicate."""
    held: dict[str, list[NDArray[np.bool_]]] = {name: [] for name in names}
    warned = []
    for _ in range(replicates):
        scores, truth = one()
        codes: set[str] = set()
        for method in AUCS:
            with said(codes):
                found = scores.auc(method, threads=1)
                interval = found.interval()
            held[method].append(np.array([bool(holds(interval, truth[method][0]))]))
            if f"{method}, parts" in held:
                low, high = found.part_intervals()
                parts = truth[method][1:].reshape(found.parts.shape)
                held[f"{method}, parts"].append(((low <= parts) & (parts <= high))[~np.isnan(parts)])
        warned.append("RS289" in codes)
    return {name: np.concatenate(own) for name, own in held.items()} | {"RS289": np.array(warned)}


def of_cases(shares: str, apart: float, n: int, *, replicates: int, seed: int) -> Shares:
    """A fixed model on one sample."""
    rng, truth = np.random.default_rng(seed), truths(shares, apart)

    def one() -> tuple[rs.MulticlassScores, dict[str, Floats]]:
        labels = labelled(shares, n, rng)
        return rs.MulticlassScores(labels, densities(labels, apart, len(SHARES[shares]), rng)), truth

    return judged([*AUCS, *(f"{method}, parts" for method in AUCS)], replicates, one)


def of_folds(n: int, apart: float, repeats: int, *, replicates: int, seed: int) -> Shares:
    """Means of classes that are trained on all folds but one, against these models on the population."""
    rng = np.random.default_rng(seed)

    def drawn(size: int) -> tuple[Integers, Floats]:
        labels = np.arange(size) % CLASSES
        x = rng.normal(size=(size, FEATURES))
        x[np.arange(size), labels] += apart
        return labels, x

    def outputs(x: Floats, means: Floats) -> Floats:
        logs = -((x[:, None] - means) ** 2).sum(axis=2) / 2
        return np.exp(logs - logs.max(axis=1, keepdims=True))

    def one() -> tuple[rs.MulticlassScores, dict[str, Floats]]:
        labels, x = drawn(n)
        others, population = drawn(OF_MODELS)
        tested, made, folds, elsewhere = [], [], [], []
        for fold in range(FOLDS * repeats):
            if fold % FOLDS == 0:
                dealt = np.empty(n, dtype=np.int64)
                for c in range(CLASSES):
                    dealt[labels == c] = rng.permutation(np.arange(np.count_nonzero(labels == c)) % FOLDS)
            test = dealt == fold % FOLDS
            means = np.array([x[~test & (labels == c)].mean(axis=0) for c in range(CLASSES)])
            tested.append(labels[test])
            made.append(outputs(x[test], means))
            folds.append(np.full(test.sum(), fold))
            elsewhere.append(outputs(population, means))
        models = rs.MulticlassScores(
            np.tile(others, len(elsewhere)),
            np.concatenate(elsewhere),
            folds=np.repeat(range(len(folds)), OF_MODELS),
        )
        truth = {}
        for method in AUCS:
            found = models.auc(method, threads=1)
            truth[method] = np.append(found.mean, found.parts)
        design = rs.Design.cross_validation(FOLDS, repeats=repeats)
        own = np.concatenate(tested), np.concatenate(made)
        return rs.MulticlassScores(*own, folds=np.concatenate(folds), design=design), truth

    return judged(list(AUCS), replicates, one)


@lru_cache
def of_many_hospitals(apart: float, differ: str) -> dict[str, Floats]:
    """The mean over hospitals, each of many cases."""
    rng = np.random.default_rng(1)
    labels = np.tile(np.arange(CLASSES), 1500 // CLASSES)
    sums: dict[str, list[Floats]] = {method: [] for method in AUCS}
    for z in rng.normal(size=HOSPITALS // 2):
        for sign in (-1, 1):
            own = densities(labels, apart * np.exp(sign * DIFFER[differ] * z), CLASSES, rng)
            for method in AUCS:
                found = rs.MulticlassScores(labels, own).auc(method, threads=1)
                sums[method].append(np.append(found.mean, found.parts))
    return {method: np.mean(own, axis=0) for method, own in sums.items()}


def of_hospitals(apart: float, differ: str, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """Sixty cases in each hospital, against the mean over all."""
    rng, truth = np.random.default_rng(seed), of_many_hospitals(apart, differ)
    labels = np.tile(np.arange(CLASSES), 20)

    def one() -> tuple[rs.MulticlassScores, dict[str, Floats]]:
        distances = apart * np.exp(DIFFER[differ] * rng.normal(size=n_groups))
        own = np.concatenate([densities(labels, d, CLASSES, rng) for d in distances])
        folds = np.repeat(np.arange(n_groups), labels.size)
        given = np.tile(labels, n_groups), own
        return rs.MulticlassScores(*given, folds=folds, design="independent"), truth

    return judged(list(AUCS), replicates, one)


QUESTIONS = (
    Question(
        "class_aucs",
        0.95,
        (
            *grid(shares=("equal", "one is rare"), apart=(0.7, 1.5, 2.5), n=(30, 100, 400)),
            *grid(shares=("five, uneven",), apart=(1.5,), n=(100, 400)),
        ),
        of_cases,
    ),
    Question(
        "class_aucs_folds",
        0.95,
        grid(n=(90, 300), apart=(0.7, 1.5, 2.5), repeats=(1, 5)),
        of_folds,
        replicates=400,
    ),
    Question(
        "class_aucs_hospitals",
        0.95,
        grid(apart=(0.7, 1.5, 2.5), differ=tuple(DIFFER), n_groups=(3, 5, 10, 30)),
        of_hospitals,
        replicates=1000,
    ),
)
