"""Corners, diagonal and ideal point: what a guesser, a useless score and a perfect one have for a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from papers.checks import Check, binomial, exact, simulated
from papers.reproduction import Tabulated
from papers.slides.parameters import COMMON, GUESSES, RARE
from papers.slides.printed import N_PER_GROUP
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.roc import RocCurve
from rocsteady.results import Result

SECTION = "Guessing"
SEED = 5


@dataclass(frozen=True)
class Guess:
    """Someone who says "positive" with a fixed chance, whatever the case.

    Attributes
    ----------
    chance : float
        How often.
    true_positives, false_positives : int
        Counted among 100 positives and 900 negatives.
    """

    chance: float
    true_positives: int
    false_positives: int

    @property
    def rates(self) -> tuple[float, float]:
        """FPR and TPR."""
        return self.false_positives / COMMON, self.true_positives / RARE


@dataclass(frozen=True, eq=False, repr=False)
class Guessing(Result):
    """The special points and lines of the square.

    Attributes
    ----------
    guesses : tuple of Guess
        Points near the diagonal.
    useless_areas : (float, float)
        Mean and standard deviation of the areas of scores that have nothing to do with the class, 300 + 300
        cases.
    constant_area, ideal_area : float
        Of one score for all cases; of scores that separate the classes.
    ideal_point : (float, float)
        Where the separating threshold lies.
    corners : tuple
        First and last point of a real curve.
    highest : float
        The largest TPR - FPR of that curve, which connects the same corners as the diagonal.
    """

    guesses: tuple[Guess, ...]
    useless_areas: tuple[float, float]
    constant_area: float
    ideal_area: float
    ideal_point: tuple[float, float]
    corners: tuple[tuple[float, float], tuple[float, float]]
    highest: float
    n_replicates: int

    def __repr__(self) -> str:
        return f"Guessing({len(self.guesses)} guessers, mean useless area {self.useless_areas[0]:.4f})"


def guessing(example: RocCurve, n_replicates: int) -> Guessing:
    """Guess, score at random, score with one number, score perfectly; and look at a real curve's ends."""
    random = np.random.default_rng(SEED)
    guesses = tuple(
        Guess(chance, int((random.random(RARE) < chance).sum()), int((random.random(COMMON) < chance).sum()))
        for chance in GUESSES
    )
    labels = np.arange(2 * N_PER_GROUP) < N_PER_GROUP
    areas = [roc_curve(labels, random.random(labels.size)).auc for _ in range(n_replicates)]
    ideal = roc_curve(labels, labels + random.random(labels.size))
    best = int(np.argmax(ideal.tpr - ideal.fpr))
    ends = tuple((float(example.fpr[k]), float(example.tpr[k])) for k in (0, -1))
    return Guessing(
        guesses,
        (float(np.mean(areas)), float(np.std(areas, ddof=1))),
        roc_curve(labels, np.full(labels.size, 0.5)).auc,
        ideal.auc,
        (float(ideal.fpr[best]), float(ideal.tpr[best])),
        (ends[0], ends[1]),
        float((example.tpr - example.fpr).max()),
        n_replicates,
    )


def null_error() -> float:
    """How much the area of a useless score scatters: SPSS's error under its null hypothesis."""
    n = N_PER_GROUP
    return math.sqrt((2 * n + 1) / (12 * n * n))


def checks(found: Guessing, expected: Mapping[str, Any]) -> list[Check]:
    """Guessers lie on the straight line; areas are 1/2 and 1."""
    results = []
    for guess in found.guesses:
        fpr, tpr = guess.rates
        name = f"guesser at {guess.chance:g}"
        results.append(binomial(SECTION, f"{name}: TPR", guess.chance, tpr, RARE))
        results.append(binomial(SECTION, f"{name}: FPR", guess.chance, fpr, COMMON))
    mean, sd = found.useless_areas
    n, wanted = found.n_replicates, expected["sd of useless areas"]
    source = f"{n} samples"
    return [
        *results,
        simulated(SECTION, "mean area of useless scores", 0.5, mean, wanted / math.sqrt(n), source),
        simulated(SECTION, "sd of areas of useless scores", wanted, sd, wanted / math.sqrt(2 * n), source),
        exact(SECTION, "area of one score for all", 0.5, found.constant_area),
        exact(SECTION, "area of a perfect score", 1.0, found.ideal_area),
    ]


def tabulated(found: Guessing) -> Tabulated:
    """The guessers: equal rates, unequal counts."""
    rows = []
    for guess in found.guesses:
        fpr, tpr = guess.rates
        counts = (str(guess.true_positives), str(guess.false_positives))
        rows.append((f"{guess.chance:g}", f"{tpr:.3f}", f"{fpr:.3f}", *counts))
    return Tabulated(
        f'Guessers who say "positive" with a fixed chance, on {RARE} positives and {COMMON} negatives: the '
        "rates are equal but for chance, the amounts are not.",
        ("chance", "TPR", "FPR", "TP", "FP"),
        (("", tuple(rows)),),
    )
