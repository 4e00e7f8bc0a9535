"""Two models over many datasets: intervals, tests and bands of ``rs.compare``, regions of a winner map.

Both models score the same cases, and what makes a case hard is partly common to them. In every dataset the
negatives are N(0, 1) and the positives N(separation, sd**2), separations differing between datasets where
said. What a curve is compared with is E[R^], the mean curve of finite datasets (errata H8).

``same``: two models of one kind. ``better``: one separates more. ``crossing``: equal AUCs, but one has twice
the spread in the positives, so it wins at low FPRs and loses at high ones. ``skewed``: equal mean AUCs, but
one varies greatly between datasets and the other does not, so differences are not symmetric.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.datasets import mean_separation
from simulations.coverage.populations import first_ones, holds, without_notes

import rocsteady as rs
from rocsteady.simulate import ShiftedDatasets

Floats = NDArray[np.float64]

AREA = 0.856
"""Of the plain model: separation 1.5."""
COMMON = 0.5
"""Share of the variance of a score that both models have in common."""
PLACE = 0.1
RANGE = (0.02, 0.5)
RESAMPLES = 500


@dataclass(frozen=True)
class Model:
    """A model's separations over datasets, and the spread of its positives."""

    separation: float
    positive_sd: float = 1.0
    separation_sd: float = 0.0

    @property
    def population(self) -> ShiftedDatasets:
        """For its curves in closed form."""
        return ShiftedDatasets(
            "C-1", self.separation, positive_sd=self.positive_sd, separation_sd=self.separation_sd
        )


SKEWED_AREA, SKEWED_SPREAD = 0.95, 0.8
SCENARIOS = {
    "same": (Model(1.5), Model(1.5)),
    "better": (Model(1.9), Model(1.5)),
    "crossing": (Model(1.5 * np.sqrt(5 / 2), positive_sd=2.0), Model(1.5)),
    "skewed": (
        Model(mean_separation(SKEWED_AREA, SKEWED_SPREAD), separation_sd=SKEWED_SPREAD),
        Model(mean_separation(SKEWED_AREA, 0.0)),
    ),
}


def drawn_pairs(
    scenario: str, n_groups: int, n_positives: int, n_negatives: int, replicates: int, seed: int
) -> Iterator[rs.ScoreSet]:
    """Sets of datasets with the scores of both models."""
    rng = np.random.default_rng(seed)
    own = first_ones(n_positives, n_negatives)
    labels, groups = np.tile(own, n_groups), np.repeat(np.arange(n_groups), own.size)
    for _ in range(replicates):
        common = np.sqrt(COMMON) * rng.normal(size=labels.size)
        scores = {}
        for name, model in zip("ab", SCENARIOS[scenario], strict=True):
            noise = common + np.sqrt(1 - COMMON) * rng.normal(size=labels.size)
            apart = model.separation + model.separation_sd * rng.normal(size=n_groups)
            scores[name] = np.where(labels, model.positive_sd * noise + apart[groups], noise)
        yield rs.ScoreSet.from_arrays(labels, scores, groups, positive=True)


@lru_cache
def expected_curve(model: Model, n_negatives: int) -> Floats:
    """E[R^] at every attainable FPR."""
    population = model.population
    return np.array([population.expected_vertical_tpr(k, n_negatives) for k in range(n_negatives)])


def true_difference(scenario: str, fpr: Floats, n_negatives: int) -> Floats:
    """The mean difference of the vertical averages of finite datasets."""
    k = np.minimum(np.floor(np.asarray(fpr) * n_negatives + 1e-9).astype(int), n_negatives - 1)
    first, second = (expected_curve(model, n_negatives)[k] for model in SCENARIOS[scenario])
    return np.asarray(first - second)


def true_auc_difference(scenario: str) -> float:
    """Of the mean AUCs; an empirical AUC is unbiased."""
    first, second = (model.population.vertical_auc for model in SCENARIOS[scenario])
    return float(first - second)


def compared(scenario: str, n_groups: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals and bands of ``rs.compare`` hold the true differences."""
    found: dict[str, list[bool]] = {}
    areas, place = true_auc_difference(scenario), float(true_difference(scenario, np.array(PLACE), n))
    with without_notes():
        for i, drawn in enumerate(drawn_pairs(scenario, n_groups, n, n, replicates, seed)):
            made = rs.compare(
                drawn,
                "a",
                "b",
                method="vertical",
                at={"fpr": PLACE},
                fpr=RANGE,
                n_resamples=RESAMPLES,
                seed=i,
                threads=1,
            )
            curve = made.curve
            truth = true_difference(scenario, curve.position, n)
            lower, upper = curve.simultaneous_lower, curve.simultaneous_upper
            inside = {
                "AUC": bool(holds(made.auc.interval, areas)),
                "TPR at FPR 0.1": bool(holds(made.at[0].interval, place)),
                "band": not ((lower > truth) | (upper < truth)).any(),  # NaN: left out
            }
            for name, held in inside.items():
                found.setdefault(name, []).append(held)
    return {name: np.array(held) for name, held in found.items()}


def tested(scenario: str, n_groups: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which 5 % tests reject, where the mean AUCs (and under ``same`` the curves) are equal."""
    found: dict[str, list[bool]] = {}
    with without_notes():
        for i, drawn in enumerate(drawn_pairs(scenario, n_groups, n, n, replicates, seed)):
            made = rs.compare(
                drawn, "a", "b", method="vertical", fpr=RANGE, n_resamples=RESAMPLES, seed=i, threads=1
            )
            pvalues = {"t of AUC": made.auc.pvalue, "Wilcoxon of AUC": made.wilcoxon.pvalue}
            if scenario == "same":
                pvalues["sign flips of the curve"] = made.curve.pvalue
            for name, pvalue in pvalues.items():
                found.setdefault(name, []).append(bool(pvalue <= 0.05))
    return {name: np.array(rejected) for name, rejected in found.items()}


def unpaired(n_first: int, n_second: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which 5 % tests reject, where two models of one kind have datasets of their own."""
    rng = np.random.default_rng(seed)
    n_groups = n_first + n_second
    labels, groups = np.tile(first_ones(n, n), n_groups), np.repeat(np.arange(n_groups), 2 * n)
    models = np.where(groups < n_first, "a", "b")
    found: dict[str, list[bool]] = {}
    with without_notes():
        for i in range(replicates):
            scores = rng.normal(size=labels.size) + 1.5 * labels
            drawn = rs.ScoreSet.from_arrays(labels, scores, groups, models=models, positive=True)
            made = rs.compare(
                drawn, "a", "b", method="vertical", fpr=RANGE, n_resamples=RESAMPLES, seed=i, threads=1
            )
            for name, pvalue in (
                ("Welch of AUC", made.auc.pvalue),
                ("flips of the curve", made.curve.pvalue),
            ):
                found.setdefault(name, []).append(bool(pvalue <= 0.05))
    return {name: np.array(rejected) for name, rejected in found.items()}


def mapped(scenario: str, n_groups: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which winner maps name a winner at some FPR where that model is not better."""
    wrong = []
    with without_notes():
        for i, drawn in enumerate(drawn_pairs(scenario, n_groups, n, n, replicates, seed)):
            made = rs.winner_map(drawn, "a", "b", fpr=RANGE, n_resamples=RESAMPLES, seed=i, threads=1)
            truth = true_difference(scenario, made.position, n)
            named = np.array([{"a": 1, "b": -1, None: 0}[winner] for winner in made.winner])
            wrong.append(bool((named * truth <= 0)[named != 0].any()))
    return {"a wrong region": np.array(wrong)}


def within_cases(scenario: str, n_positives: int, n_negatives: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals of one dataset, whose cases are random, hold the population's differences."""
    found: dict[str, list[bool]] = {}
    first, second = (model.population for model in SCENARIOS[scenario])
    areas, place = true_auc_difference(scenario), first.vertical_tpr(PLACE) - second.vertical_tpr(PLACE)
    with without_notes():
        for i, drawn in enumerate(drawn_pairs(scenario, 1, n_positives, n_negatives, replicates, seed)):
            made = rs.compare(
                drawn, "a", "b", random="cases", at={"fpr": PLACE}, n_resamples=RESAMPLES, seed=i, threads=1
            )
            curve = made.curve
            truth = first.vertical_tpr(curve.position) - second.vertical_tpr(curve.position)
            outside = (curve.simultaneous_lower > truth) | (curve.simultaneous_upper < truth)
            inside = {
                "AUC": bool(holds(made.auc.interval, areas)),
                "TPR at FPR 0.1": bool(holds(made.at[0].interval, place)),
                "band": not outside.any(),
            }
            for name, held in inside.items():
                found.setdefault(name, []).append(held)
    return {name: np.array(held) for name, held in found.items()}


QUESTIONS = (
    Question(
        "compare_intervals",
        0.95,
        grid(
            scenario__n_groups=(("same", 6), ("same", 10), ("same", 30), ("better", 6), ("better", 10)),
            n=(50,),
        )
        + grid(scenario__n_groups=(("crossing", 6), ("crossing", 10), ("crossing", 30)), n=(50,))
        + grid(scenario__n_groups=(("skewed", 6), ("skewed", 10), ("skewed", 30)), n=(50,)),
        compared,
    ),
    Question(
        "compare_tests",
        0.05,
        grid(
            scenario=("same",),
            n_groups__n=((3, 50), (5, 50), (6, 50), (10, 20), (10, 50), (10, 200), (30, 50), (100, 50)),
        ),
        tested,
    ),
    Question(
        "compare_tests_skewed",
        0.05,
        grid(scenario=("skewed",), n_groups__n=((6, 50), (10, 50), (100, 50))),
        tested,
    ),
    Question(
        "compare_unpaired", 0.05, grid(n_first__n_second__n=((4, 4, 50), (4, 12, 50), (10, 10, 50))), unpaired
    ),
    Question(
        "winner_map",
        0.05,
        grid(
            scenario__n_groups=(
                ("same", 6),
                ("same", 10),
                ("crossing", 6),
                ("crossing", 10),
                ("crossing", 30),
            ),
            n=(50,),
        ),
        mapped,
    ),
    Question(
        "compare_cases",
        0.95,
        grid(scenario=("same",), n_positives__n_negatives=((20, 20), (20, 200), (200, 200)))
        + grid(scenario=("crossing",), n_positives__n_negatives=((20, 20), (200, 200))),
        within_cases,
    ),
)
