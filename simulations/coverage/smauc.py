"""smAUC: its intervals, comparisons of two models by it, and permutations of labels and of models.

Scores are those of logistic models, ``1 / (1 + exp(-slope * (evidence + shift)))``, of normal evidence: a
steep slope makes them polarised, a flat one timid, a shift promises too many positives. By the paper's rule
Mid is estimated from the same cases. ``alike``: two models that score alike; ``unlike``: a polarised one and
a timid one with the same smAUC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.learners import CASES, FOLDS, LEARNERS, POPULATION, cross_validated, drawn, scores
from simulations.coverage.populations import holds, said, without_notes

import rocsteady as rs

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SHAPES = {"calibrated": (1.0, 0.0), "timid": (0.4, 0.0), "polarised": (4.0, 0.0), "too high": (1.0, 1.5)}
"""Slope of the logistic model, and what is added to the evidence."""
MANY, EXCHANGES = 2_000_000, 199


def evidence(labels: Flags, noise: float, rng: np.random.Generator, common: Floats | None = None) -> Floats:
    """What a model sees of the cases; ``common`` is what makes them hard for every model."""
    base = rng.normal(size=labels.size) if common is None else common
    return np.asarray(np.where(labels, 1.0, -1.0) + base + noise * rng.normal(size=labels.size))


def scored(shape: str, seen: Floats) -> Floats:
    """To three digits, so that some are tied."""
    slope, shift = SHAPES[shape]
    return np.round(expit(slope * (seen + shift)), 3)


def sample(n: int, prevalence: float, rng: np.random.Generator) -> Flags:
    """The class of a case is random, too; two of each at least."""
    labels = rng.random(n) < prevalence
    labels[:2], labels[2:4] = True, False
    return labels


def smauc(labels: Flags, values: Floats, mid: Any) -> float:
    """The area, whatever is to be said of its Mid."""
    with without_notes():
        return float(rs.smroc_curve(labels, values, mid=mid).auc)


@lru_cache
def true_smauc(shape: str, prevalence: float, mid: Any, noise: float = 0.0) -> float:
    """Of the population: a sample of very many cases."""
    labels = np.arange(MANY) < MANY * prevalence
    return smauc(labels, scored(shape, evidence(labels, noise, np.random.default_rng(0))), mid)


@lru_cache
def noise_of_equal(prevalence: float, mid: Any, shape: str = "polarised", other: str = "timid") -> float:
    """How much more noise the first shape may see until its smAUC is that of the second with noise 1."""
    wanted = true_smauc(other, prevalence, mid, 1.0)

    def off(noise: float) -> float:
        return true_smauc(shape, prevalence, mid, noise) - wanted

    return float(brentq(off, 0.0, 8.0, xtol=1e-3))


def of_cases(shape: str, n: int, prevalence: float, mid: Any, *, replicates: int, seed: int) -> Shares:
    """Which intervals over the cases of one dataset hold the smAUC of the population; when they warn."""
    truth, held, warned = true_smauc(shape, prevalence, mid), [], []
    for i in range(replicates):
        rng = np.random.default_rng([seed, i])
        labels = sample(n, prevalence, rng)
        own = scored(shape, evidence(labels, 0.0, rng))
        with said(set()) as codes:
            found = rs.summarize_smauc(rs.ScoreSet.from_arrays(labels, own), mid=mid, n_permutations=0)
        held.append(bool(holds(found.interval, truth)))
        warned.append("RS298" in codes)
    return {"interval": np.array(held), "RS298": np.array(warned)}


def of_datasets(n_groups: int, mid: Any, spread: float, *, replicates: int, seed: int) -> Shares:
    """Which t intervals hold the mean smAUC of all datasets of this size."""
    size, areas, held = 60, [], []
    found = []
    for i in range(replicates):
        rng = np.random.default_rng([seed, i])
        labels = np.tile(np.arange(size) < size // 3, n_groups)
        groups = np.repeat(np.arange(n_groups), size)
        apart = spread * np.repeat(rng.normal(size=n_groups), size)
        own = scored("calibrated", evidence(labels, 0.0, rng) + np.where(labels, apart, 0.0))
        with without_notes():
            made = rs.summarize_smauc(rs.ScoreSet.from_arrays(labels, own, groups), mid=mid, n_permutations=0)
        areas += made.per_group.smauc.tolist()
        found.append(made.interval)
    truth = float(np.mean(areas))
    held = [bool(holds(own, truth)) for own in found]
    return {"interval": np.array(held)}


def two_models(
    scenario: str, labels: Flags, prevalence: float, mid: Any, rng: np.random.Generator
) -> dict[str, Floats]:
    """Scores of two models with the same smAUC, on the same cases."""
    common = rng.normal(size=labels.size)
    if scenario == "alike":
        return {name: scored("calibrated", evidence(labels, 1.0, rng, common)) for name in "ab"}
    noise = noise_of_equal(prevalence, mid)
    return {
        "a": scored("polarised", evidence(labels, noise, rng, common)),
        "b": scored("timid", evidence(labels, 1.0, rng, common)),
    }


def rejected(
    make: Callable[[np.random.Generator], rs.ScoreSet], mid: Any, replicates: int, seed: int
) -> Shares:
    """How often equal models are found to differ, by the test and by the exchange of the two."""
    found: dict[str, list[bool]] = defaultdict(list)
    for i in range(replicates):
        both = make(np.random.default_rng([seed, i]))
        with without_notes():
            made: Any = rs.compare_smauc(both, "a", "b", mid=mid, n_permutations=EXCHANGES, seed=i)
        found["test"].append(made.smauc.pvalue <= 0.05)
        if made.exchanged is not None:
            found["exchange"].append(made.exchanged.pvalue <= 0.05)
        found["AUC"].append(made.auc.pvalue <= 0.05)
    return {name: np.array(own) for name, own in found.items()}


def compared_cases(
    scenario: str, n: int, prevalence: float, mid: Any, *, replicates: int, seed: int
) -> Shares:
    """Two equal models on one dataset, cases random."""

    def make(rng: np.random.Generator) -> rs.ScoreSet:
        labels = sample(n, prevalence, rng)
        return rs.ScoreSet.from_arrays(labels, two_models(scenario, labels, prevalence, mid, rng))

    found = rejected(make, mid, replicates, seed)
    return {name: own for name, own in found.items() if name != "AUC"}


def compared_datasets(scenario: str, n_groups: int, mid: Any, *, replicates: int, seed: int) -> Shares:
    """Two equal models on several datasets of 60 cases, these random."""
    size = 60

    def make(rng: np.random.Generator) -> rs.ScoreSet:
        labels = np.tile(np.arange(size) < size // 3, n_groups)
        own = two_models(scenario, labels, 1 / 3, mid, rng)
        return rs.ScoreSet.from_arrays(labels, own, np.repeat(np.arange(n_groups), size))

    found = rejected(make, mid, replicates, seed)
    return {name: own for name, own in found.items() if name != "AUC"}


def of_folds(learner: str, repeats: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the mean smAUC of the models that were trained, and that of the learner."""
    found = []
    for i in range(replicates):
        rng = np.random.default_rng([seed, i])
        pairs, models = cross_validated(LEARNERS[learner], *drawn(CASES, rng), repeats, i)
        X, y = drawn(POPULATION, rng)
        truth = float(np.mean([smauc(y == 1, scores(model, X), 0.5) for model in models]))
        folds = rs.ScoreSet.from_folds(pairs, repeats=repeats)
        with without_notes():
            own = rs.summarize_smauc(folds, mid=0.5, n_permutations=0).interval
            alone = rs.summarize_smauc(folds.with_design("independent"), mid=0.5, n_permutations=0).interval
        found.append((own, alone, truth))
    expected = float(np.mean([truth for *_, truth in found]))
    return {
        "these models": np.array([bool(holds(own, truth)) for own, _, truth in found]),
        "the learner": np.array([bool(holds(own, expected)) for own, *_ in found]),
        "the learner, folds as a sample": np.array([bool(holds(own, expected)) for _, own, _ in found]),
    }


def compared_folds(learner: str, repeats: int, *, replicates: int, seed: int) -> Shares:
    """Two equally good learners, each on its half of the features, over the same folds."""

    def make(rng: np.random.Generator) -> rs.ScoreSet:
        X, y = drawn(CASES, rng, n_features=8)
        at = int(rng.integers(2**31))
        first, second = (
            cross_validated(LEARNERS[learner], X[:, own], y, repeats, at)[0]
            for own in (slice(4), slice(4, 8))
        )
        labels = np.concatenate([own for own, _ in first])
        both = {
            name: np.concatenate([own for _, own in pairs]) for name, pairs in (("a", first), ("b", second))
        }
        groups = np.repeat(np.arange(len(first)), [own.size for own, _ in first])
        design = rs.Design.cross_validation(FOLDS, repeats=repeats)
        return rs.ScoreSet.from_arrays(labels, both, groups, design=design)

    found = rejected(make, 0.5, replicates, seed)
    if repeats > 1:  # the cases of the repeats are not named here
        found.pop("exchange", None)
    return found


def dealt(design: str, *, replicates: int, seed: int) -> Shares:
    """How often labels that have nothing to do with the features are found to: trained on, too, in folds."""
    found = []
    for i in range(replicates):
        rng = np.random.default_rng([seed, i])
        labels = sample(120, 0.3, rng)
        if design == "folds":
            x = rng.normal(size=(120, 4))
            pairs, _ = cross_validated(LEARNERS["logistic"], x, labels.astype(int), 1, i)
            own = rs.ScoreSet.from_folds(pairs)
        else:
            values = scored("polarised", rng.normal(size=120))
            groups = rng.permutation(120) % 4 if design == "datasets" else None
            own = rs.ScoreSet.from_arrays(labels, values, groups)
        with without_notes():
            made = rs.summarize_smauc(own, mid=0.5, n_permutations=EXCHANGES, seed=i, undefined="drop")
        found.append(made.pvalue <= 0.05)
    return {"permutation": np.array(found)}


MIDS = (0.5, "paper")
QUESTIONS = (
    Question(
        "smauc_cases",
        0.95,
        grid(shape=tuple(SHAPES), mid=MIDS, n__prevalence=((40, 0.3), (200, 0.3), (200, 0.05), (1000, 0.05))),
        of_cases,
        replicates=1000,
    ),
    Question(
        "smauc_datasets", 0.95, grid(spread=(0.0, 0.7), mid=MIDS, n_groups=(3, 10, 30)), of_datasets,
        replicates=1000,
    ),
    Question("smauc_folds", 0.95, grid(learner=tuple(LEARNERS), repeats=(1, 5)), of_folds, replicates=200),
    Question(
        "compare_smauc_cases",
        0.05,
        grid(
            scenario=("alike", "unlike"),
            mid__n__prevalence=(
                *((0.5, n, own) for n, own in ((40, 0.3), (200, 0.3), (200, 0.05), (1000, 0.05))),
                *(("paper", n, 0.3) for n in (40, 200, 1000)),
            ),
        ),
        compared_cases,
        replicates=1000,
    ),
    Question(
        "compare_smauc_datasets", 0.05, grid(scenario=("alike", "unlike"), mid=MIDS, n_groups=(6, 10, 30)),
        compared_datasets, replicates=1000,
    ),
    Question(
        "compare_smauc_folds", 0.05, grid(learner=tuple(LEARNERS), repeats=(1, 5)), compared_folds,
        replicates=200,
    ),
    Question(
        "smauc_permuted", 0.05, grid(design=("one dataset", "datasets", "folds")), dealt, replicates=1000
    ),
)  # fmt: skip
