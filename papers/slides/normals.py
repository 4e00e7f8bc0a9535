"""Two normal populations and one threshold: rates, areas and the best cut-offs in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from rocsteady.figures.spec import Key, Line, Panel, Points
from rocsteady.figures.style import Look
from rocsteady.results import read_only
from rocsteady.simulate import binormal_auc, binormal_auc_variance
from rocsteady.text import Quote

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_FURTHEST, _NODES = 10.0, 200


@cache
def legendre_nodes() -> tuple[Floats, Floats]:
    """Points and weights that integrate over -1 to 1; to find them takes longer than to use them."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return read_only(nodes), read_only(weights)


@dataclass(frozen=True)
class CutPoint:
    """A threshold and the rates it has."""

    threshold: float
    tpr: float
    fpr: float

    @property
    def youden(self) -> float:
        """TPR - FPR."""
        return self.tpr - self.fpr

    @property
    def distance(self) -> float:
        """How far the point is from (0, 1)."""
        return math.hypot(self.fpr, 1 - self.tpr)


@dataclass(frozen=True)
class TwoNormals:
    """Scores of negatives and of positives, both normal; the name is for tables and figures.

    >>> example = TwoNormals(1.32, 0.16, 1.72, 0.18)
    >>> round(example.auc, 6), round(example.auc_standard_error(300, 300), 6)
    (0.951634, 0.007931)
    """

    negative_mean: float
    negative_sd: float
    positive_mean: float
    positive_sd: float
    name: str = ""

    @property
    def separation(self) -> float:
        """How far the means are apart, in standard deviations of the negatives."""
        return (self.positive_mean - self.negative_mean) / self.negative_sd

    @property
    def ratio(self) -> float:
        """The positives' standard deviation over the negatives'."""
        return self.positive_sd / self.negative_sd

    @property
    def auc(self) -> float:
        """The chance that a positive outscores a negative."""
        return binormal_auc(self.separation, self.ratio)

    def auc_standard_error(self, n_positives: int, n_negatives: int) -> float:
        """How much the AUC of such samples scatters, exactly."""
        variance = binormal_auc_variance(
            self.separation, self.ratio, n_positives=n_positives, n_negatives=n_negatives
        )
        return math.sqrt(variance)

    def fpr(self, threshold: ArrayLike) -> Any:
        """The share of negatives beyond a threshold."""
        return ndtr((self.negative_mean - np.asarray(threshold)) / self.negative_sd)

    def tpr(self, threshold: ArrayLike) -> Any:
        """The share of positives beyond a threshold."""
        return ndtr((self.positive_mean - np.asarray(threshold)) / self.positive_sd)

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """The curve: the TPR at an FPR."""
        return ndtr((self.separation + ndtri(fpr)) / self.ratio)

    def partial_auc(self, low: float, high: float) -> float:
        """The area under a range of FPR, by quadrature over the deviate of the FPR.

        >>> whole = TwoNormals(0, 1, 1.1, 0.7)
        >>> abs(whole.partial_auc(0, 0.3) + whole.partial_auc(0.3, 1) - whole.auc) < 1e-12
        True
        """
        ends = np.clip(ndtri(np.array([low, high])), -_FURTHEST, _FURTHEST)
        nodes, weights = legendre_nodes()
        z = ends[0] + (nodes + 1) / 2 * (ends[1] - ends[0])
        heights = ndtr((self.separation + z) / self.ratio) * np.exp(-(z**2) / 2)
        return float((weights * heights).sum() * (ends[1] - ends[0]) / 2 / math.sqrt(2 * math.pi))

    def draw(self, n_positives: int, n_negatives: int, seed: Any) -> tuple[Bools, Floats]:
        """Labels and scores of a sample; the negatives come first, as on the slides."""
        random = np.random.default_rng(seed)
        negatives = random.normal(self.negative_mean, self.negative_sd, n_negatives)
        positives = random.normal(self.positive_mean, self.positive_sd, n_positives)
        labels = np.arange(n_negatives + n_positives) >= n_negatives
        return labels, np.concatenate([negatives, positives])

    def at(self, threshold: float) -> CutPoint:
        """A threshold with its rates."""
        return CutPoint(float(threshold), float(self.tpr(threshold)), float(self.fpr(threshold)))

    def youden_cutoff(self) -> CutPoint:
        """Where the curve has slope 1: the two densities are equal there, which is a quadratic equation."""
        first, second = self.negative_sd**2, self.positive_sd**2
        a = second - first
        half_b = first * self.positive_mean - second * self.negative_mean
        c = second * self.negative_mean**2 - first * self.positive_mean**2
        c -= 2 * first * second * math.log(self.positive_sd / self.negative_sd)
        # Neither root is a difference of near equals, also where the two spreads are all but the same.
        q = -(half_b + math.copysign(math.sqrt(half_b**2 - a * c), half_b))
        return max((self.at(x) for x in (c / q, *([q / a] if a else []))), key=lambda cut: cut.youden)

    def equal_errors_cutoff(self) -> CutPoint:
        """Where FPR = FNR: as many standard deviations above one mean as below the other."""
        weighted = self.negative_mean * self.positive_sd + self.positive_mean * self.negative_sd
        return self.at(weighted / (self.negative_sd + self.positive_sd))

    def closest_cutoff(self) -> CutPoint:
        """The point of the curve nearest to (0, 1): where the distance has slope 0, between the means."""
        from scipy.optimize import brentq

        def slope(threshold: float) -> float:
            cut = self.at(threshold)
            negatives, positives = self.densities(threshold)
            return float((1 - cut.tpr) * positives - cut.fpr * negatives)

        ends = (self.negative_mean, self.positive_mean)
        return self.at(float(brentq(slope, *ends, xtol=1e-13)))

    def densities(self, at: ArrayLike) -> tuple[Any, Any]:
        """How dense negatives and positives lie."""
        at = np.asarray(at)
        pairs = ((self.negative_mean, self.negative_sd), (self.positive_mean, self.positive_sd))
        first, second = (
            np.exp(-(((at - mean) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi)) for mean, sd in pairs
        )
        return first, second


def curve_of(model: TwoNormals, **options: Any) -> Line:
    """The curve of two populations; evenly in normal deviates, so dense where it is steep."""
    fpr = ndtr(np.linspace(-6, 6, 601))
    return Line(fpr, model.tpr_at(fpr), **options)


def dot(point: tuple[float, float], look: Look, marker: str = "o", size: float = 6) -> Points:
    """How a point that matters is marked."""
    return Points([point[0]], [point[1]], look=look, marker=marker, size=size)


def titled(panel: Panel, title: str, key: Key | None = None) -> Panel:
    """A panel with its title, and with a key of its own."""
    return replace(panel, title=Quote(title), key=key or panel.key)


EXAMPLE = TwoNormals(1.32, 0.16, 1.72, 0.18, "blood substance")
"""Healthy subjects and patients with hepatitis, as the slides give them."""
