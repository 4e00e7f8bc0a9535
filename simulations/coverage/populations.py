"""Populations with a known curve, and samples from them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

import rocsteady as rs
from rocsteady.curves.curve_set import CurveSet
from rocsteady.statistics.limits import Interval

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SHAPES = ("normal", "spread", "ratings")
_POSITIVE_SD = {"normal": 1.0, "spread": 2.0, "ratings": 1.0}
_CUTS = (0.0, 0.5, 1.0, 1.75)
"""Of the ratings 1 to 5, in standard deviations of the negatives: they are common below, rare above."""
_AT_ONCE = 4_000_000


@contextmanager
def without_notes(*codes: str) -> Iterator[None]:
    """Notes that are expected need not be printed thousands of times; all notes without codes."""
    with warnings.catch_warnings():
        for code in codes or ("RS",):
            warnings.filterwarnings("ignore", message=code)
        yield


@contextmanager
def said(codes: set[str]) -> Iterator[set[str]]:
    """Which codes are warned of, added to a set."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield codes
    codes |= {str(getattr(note.message, "code", "")) for note in caught}


@dataclass(frozen=True)
class Population:
    """Two classes with this AUC.

    ``"normal"`` scores have the same spread in both classes, ``"spread"`` twice as much in the positives;
    ``"ratings"`` are the first, rounded to five values.
    """

    area: float
    shape: str = "normal"

    @cached_property
    def separation(self) -> float:
        """Mean of the positives less mean of the negatives."""
        if self.shape == "ratings":
            return float(brentq(lambda d: _rated_area(d) - self.area, -10, 10))
        return float(np.hypot(1.0, self._sd) * ndtri(self.area))

    @property
    def _sd(self) -> float:
        return _POSITIVE_SD[self.shape]

    def tpr(self, fpr: ArrayLike) -> Floats:
        """The curve of very many cases; not of ratings."""
        return np.asarray(ndtr((self.separation + ndtri(np.asarray(fpr, dtype=float))) / self._sd))

    def draw(self, rng: np.random.Generator, labels: Flags) -> Floats:
        """Scores of cases with these labels."""
        scores = rng.normal(size=labels.shape)
        scores = np.where(labels, self._sd * scores + self.separation, scores)
        return np.searchsorted(_CUTS, scores).astype(np.float64) if self.shape == "ratings" else scores


def _rated_area(separation: float) -> float:
    """AUC of the ratings: a tie counts one half."""
    positives, negatives = (np.diff(ndtr(np.r_[-np.inf, _CUTS, np.inf] - mean)) for mean in (separation, 0.0))
    below = np.cumsum(negatives) - negatives
    return float((positives * (below + negatives / 2)).sum())


def first_ones(n_positives: int, n_negatives: int) -> Flags:
    """Labels of a sample, the positives first."""
    return np.arange(n_positives + n_negatives) < n_positives


def samples(
    population: Population, n_positives: int, n_negatives: int, replicates: int, seed: int
) -> Iterator[CurveSet]:
    """Curves of independent samples, as many at a time as memory allows."""
    rng = np.random.default_rng(seed)
    own = first_ones(n_positives, n_negatives)
    at_once = max(1, _AT_ONCE // own.size)
    for start in range(0, replicates, at_once):
        n = min(at_once, replicates - start)
        labels = np.tile(own, n)
        yield rs.roc_curves(
            rs.ScoreSet.from_arrays(
                labels, population.draw(rng, labels), np.repeat(np.arange(n), own.size), positive=True
            )
        )


def holds(interval: Interval, truth: ArrayLike) -> Flags:
    """Whether the truth lies between the limits; limits that do not exist hold nothing."""
    return np.asarray((interval.low <= truth) & (truth <= interval.high))
