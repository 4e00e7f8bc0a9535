"""Simulated scores whose truth is known: for examples, tests and simulations.

Everything random takes a seed and gives the same numbers on every run. :func:`binormal` and :func:`hosts`
give plain arrays and columns, :class:`ShiftedDatasets` gives a :class:`rocsteady.ScoreSet` and the curves of
its population, :func:`highleyman` gives the features of two classes, for a classifier to be trained on.
:class:`RoeMetz` draws reader studies, :func:`reader_study` the one of the documentation and
:func:`subscribers` its cross-validation.

Averages over normal distributions go through Owen's T function: T(h, a) is the chance that one standard
normal exceeds h while another lies between 0 and a times it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtr, ndtri, owens_t

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.options import one_of
from rocsteady.scores.score_set import ScoreSet

__all__ = [
    "RoeMetz",
    "ShiftedDatasets",
    "binormal",
    "binormal_auc",
    "binormal_auc_variance",
    "draw_together",
    "highleyman",
    "highleyman_fpr",
    "highleyman_rates",
    "hosts",
    "reader_study",
    "subscribers",
]


def both_below(h: ArrayLike, correlation: float) -> Any:
    """The chance that two standard normals with this correlation, at least 0, both lie below h.

    >>> float(both_below(0.0, 0.0).round(12)), float(both_below(0.0, 0.5).round(12))
    (0.25, 0.333333333333)
    """
    return ndtr(h) - 2 * owens_t(h, np.sqrt((1 - correlation) / (1 + correlation)))


def below_moved_up(level: ArrayLike, size: float) -> Any:
    """The mean of Phi(level + size * abs(z)) over standard normal z: a positive shift of random size.

    >>> float(below_moved_up(0.0, 0.0)), round(float(below_moved_up(0.0, 1.0)), 12)
    (0.5, 0.75)
    """
    h = np.asarray(level, dtype=np.float64) / np.hypot(1.0, size)
    return ndtr(h) + 2 * owens_t(h, size)


def standard_normal_nodes(n: int = 160, furthest: float = 9.0) -> tuple[Floats, Floats]:
    """Points and weights that integrate over a standard normal; a kink at zero does no harm.

    >>> points, weights = standard_normal_nodes()
    >>> float(weights.sum().round(12)), float((weights * points**2).sum().round(12))
    (1.0, 1.0)
    """
    nodes, weights = np.polynomial.legendre.leggauss(n)
    half = furthest * (nodes + 1) / 2
    density = np.exp(-(half**2) / 2) / np.sqrt(2 * np.pi) * weights * furthest / 2
    return np.concatenate([-half, half]), np.concatenate([density, density])


# Two normal distributions
# ------------------------


def binormal(
    n_positives: int, n_negatives: int, *, separation: float, ratio: float = 1.0, seed: int
) -> tuple[Mask, Floats]:
    """Draw scores from two normal distributions: negatives from N(0, 1), positives from N(separation, ratio).

    Parameters
    ----------
    n_positives, n_negatives : int
        How many cases of each class. The positives come first.
    separation : float
        Distance of the two means, in standard deviations of the negatives.
    ratio : float
        Standard deviation of the positives over that of the negatives.
    seed : int
        The same seed gives the same scores.

    Returns
    -------
    labels : array of bool
    scores : array of float

    Examples
    --------
    >>> labels, scores = binormal(2, 3, separation=1.5, seed=0)
    >>> labels
    array([ True,  True, False, False, False])
    >>> scores.round(3)
    array([ 1.626,  1.368,  0.64 ,  0.105, -0.536])
    """
    if ratio <= 0:
        raise ValueError(f"ratio is a quotient of standard deviations and must be positive, got {ratio}")
    scores = np.random.default_rng(seed).standard_normal(n_positives + n_negatives)
    scores[:n_positives] = separation + ratio * scores[:n_positives]
    return np.arange(scores.size) < n_positives, scores


def binormal_auc(separation: float, ratio: float = 1.0) -> float:
    """The AUC that :func:`binormal` draws around: the chance that a positive outscores a negative.

    >>> round(binormal_auc(1.5), 6)
    0.855578
    """
    return 0.5 * math.erfc(-separation / math.sqrt(2 * (1 + ratio**2)))


def binormal_auc_variance(
    separation: float, ratio: float = 1.0, *, n_positives: int, n_negatives: int
) -> float:
    """The variance of the AUC of one sample that :func:`binormal` draws.

    An AUC is a mean over pairs, and pairs that share a case are not independent: the variance needs the
    chance that two positives both outscore one negative, and that one positive outscores two negatives.

    Parameters
    ----------
    separation, ratio : float
        As for :func:`binormal`.
    n_positives, n_negatives : int
        How many cases of each class.

    Examples
    --------
    >>> variance = binormal_auc_variance(0.4 / 0.16, 0.18 / 0.16, n_positives=300, n_negatives=300)
    >>> round(variance**0.5, 6)
    0.007931
    """
    area, spread = binormal_auc(separation, ratio), 1 + ratio**2
    h = separation / math.sqrt(spread)
    two_positives = float(both_below(h, 1 / spread))  # what two pairs share is the negative, of variance 1
    two_negatives = float(both_below(h, ratio**2 / spread))
    of_positives, of_negatives = two_positives - area**2, two_negatives - area**2
    total = area * (1 - area) + (n_positives - 1) * of_positives + (n_negatives - 1) * of_negatives
    return total / (n_positives * n_negatives)


# Many datasets scored by one classifier, whose score level may shift (Hogan and Adams, section 5)
# ------------------------------------------------------------------------------------------------

# A standard deviation is meant wherever the paper writes N(mu, sigma).

KINDS = ("C-1", "C-2a", "C-2b")


@dataclass(frozen=True)
class ShiftedDatasets:
    """A population of datasets, each with normal scores in both classes.

    Dataset i has a shift e_i ~ N(0, shift_sd), a location m_i ~ N(0, location_sd) and a separation
    d_i ~ N(separation, separation_sd). Its negatives are N(m_i, negative_sd), its positives
    N(m_i + d_i, positive_sd), moved as the kind says:

    ========  ==========  ==========  =======================================================
    kind      negatives   positives   consequence
    ========  ==========  ==========  =======================================================
    "C-1"     0           0           a score means the same in every dataset
    "C-2a"    e_i         e_i         the same curve in every dataset, at another score level
    "C-2b"    e_i         abs(e_i)    easier datasets, where e_i < 0, and unlike score levels
    ========  ==========  ==========  =======================================================

    Parameters
    ----------
    kind : {"C-1", "C-2a", "C-2b"}
        Hogan and Adams' names of the three classifiers.
    separation : float
        Mean of the positives less mean of the negatives, before any shift.
    negative_sd, positive_sd : float
        Spread of the scores within a dataset.
    shift_sd, location_sd, separation_sd : float
        Spread of e_i, m_i and d_i between datasets. C-1 has no shift.

    Examples
    --------
    Own thresholds or one for all: by the first, C-2a is as good as C-1, by the second it is not.

    >>> first = ShiftedDatasets("C-1", separation=3, negative_sd=1.3)
    >>> shifted = ShiftedDatasets("C-2a", separation=3, negative_sd=1.3)
    >>> round(first.vertical_tpr(0.05), 4), round(shifted.vertical_tpr(0.05), 4)
    (0.8056, 0.8056)
    >>> round(first.threshold_tpr(0.05), 4), round(shifted.threshold_tpr(0.05), 4)
    (0.8056, 0.5846)
    >>> shifted.draw(100, n_positives=50, n_negatives=50, seed=1)
    ScoreSet(100 datasets, 10 000 rows, 5 000 positives)
    """

    kind: str
    separation: float
    negative_sd: float = 1.0
    positive_sd: float = 1.0
    shift_sd: float = 1.0
    location_sd: float = 0.0
    separation_sd: float = 0.0

    def __post_init__(self) -> None:
        one_of("kind", self.kind, KINDS)
        if min(self.negative_sd, self.positive_sd) <= 0:
            raise ValueError("negative_sd and positive_sd must be positive")
        if min(self.shift_sd, self.location_sd, self.separation_sd) < 0:
            raise ValueError("shift_sd, location_sd and separation_sd must not be negative")

    # Drawing

    def draw(
        self,
        n_datasets: int,
        n_positives: int,
        n_negatives: int,
        *,
        seed: int,
        noise: int = 0,
        unit: str = "dataset",
    ) -> ScoreSet:
        """Draw datasets as a set of scores, the positives of each first; see :meth:`draw_arrays`.

        ``unit`` is the word for a dataset.
        """
        drawn = self.draw_arrays(n_datasets, n_positives, n_negatives, seed=seed, noise=noise)
        return _as_set(np.concatenate(drawn, axis=1), n_positives, unit)

    def draw_arrays(
        self, n_datasets: int, n_positives: int, n_negatives: int, *, seed: int, noise: int = 0
    ) -> tuple[Floats, Floats]:
        """Draw the scores of the positives and of the negatives, one row for each dataset.

        Every dataset has streams of its own, so the first ten of a hundred datasets are the ten that would
        have been drawn alone. Every kind gets the same shifts and the same noise of its cases: differences
        between kinds are then paired, case by case.

        Parameters
        ----------
        n_datasets, n_positives, n_negatives : int
            How many datasets, and how many cases of each class in every one of them.
        seed : int
            The same seed gives the same scores.
        noise : int
            Another number gives other noise to the cases and leaves the shifts alone: two classifiers that
            agree about a dataset, not about its single cases.
        """
        n_cases = n_positives + n_negatives
        cases, effects = np.empty((n_datasets, n_cases)), np.empty((3, n_datasets, 1))
        for i in range(n_datasets):
            effects[:, i, 0] = np.random.default_rng([seed, i]).standard_normal(3)
            # Not 0: a seed sequence that ends in zeros is the one without them.
            np.random.default_rng([seed, i, 1 + noise]).standard_normal(out=cases[i])
        shift, location, separation = effects
        shift = shift * (0.0 if self.kind == "C-1" else self.shift_sd)
        moved = np.abs(shift) if self.kind == "C-2b" else shift
        center = self.location_sd * location
        apart = self.separation + self.separation_sd * separation
        positives = self.positive_sd * cases[:, :n_positives] + (center + apart + moved)
        negatives = self.negative_sd * cases[:, n_positives:] + (center + shift)
        return positives, negatives

    # Own thresholds: the vertical average

    def vertical_tpr(self, fpr: ArrayLike) -> Any:
        """TPR of the vertical average at an FPR: every dataset has the threshold that gives it this FPR."""
        level = (self.separation + self.negative_sd * ndtri(fpr)) / self._own_positive_sd
        return _like(fpr, self._own(level, self._own_positive_sd))

    @cached_property
    def vertical_auc(self) -> float:
        """Area under the vertical average, which is the mean area under the curves of the datasets."""
        spread = math.hypot(self.negative_sd, self._own_positive_sd)
        return float(self._own(self.separation / spread, spread))

    @property
    def _own_positive_sd(self) -> float:
        return math.hypot(self.positive_sd, self.separation_sd)

    def _own(self, level: Any, spread: float) -> Any:
        """The mean of Phi(level + growth / spread) over datasets, whose separation grows by abs(e) - e."""
        if self.kind != "C-2b":
            return ndtr(level)
        # In one half of the datasets nothing grows, in the other by twice the size of the shift.
        return (ndtr(level) + below_moved_up(level, 2 * self.shift_sd / spread)) / 2

    def expected_vertical_tpr(self, false_positives: int, n_negatives: int, *, side: str = "upper") -> float:
        """The vertical average of finite datasets at FPR = false_positives / n_negatives, on average.

        An empirical curve jumps at every attainable FPR. The upper end of the jump is read as the TPR there,
        which is too good: it is the population's TPR at an FPR that scatters as Beta(k + 1, n - k), the
        lower end that at Beta(k, n - k + 1). More datasets do not take this bias away, more cases do.

        Parameters
        ----------
        false_positives, n_negatives : int
            The FPR as a fraction: counts, not rates. One false positive of 50 negatives is an FPR of 0.02.
        side : {"upper", "lower"}
            Which end of the jump.

        Examples
        --------
        >>> population = ShiftedDatasets("C-1", separation=1.5)
        >>> round(population.expected_vertical_tpr(1, 50), 3), round(population.vertical_tpr(1 / 50), 3)
        (0.369, 0.29)
        """
        from scipy.integrate import quad

        one_of("side", side, ("upper", "lower"))
        for name, count in (("false_positives", false_positives), ("n_negatives", n_negatives)):
            if isinstance(count, bool) or not isinstance(count, Integral):
                raise ValueError(
                    f"{name} is a number of cases, not a rate, got {count!r}; "
                    "an FPR of 0.02 with 50 negatives is  expected_vertical_tpr(1, 50)"
                )
        if not 0 <= false_positives <= n_negatives:
            raise ValueError(f"there are 0 to {n_negatives} false positives, got {false_positives}")
        a = false_positives + (side == "upper")
        b = n_negatives + 1 - a
        if a == 0 or b == 0:  # the two ends of every curve
            return float(b == 0)
        value, _ = quad(lambda p: self.vertical_tpr(betaincinv(a, b, p)), 0, 1, limit=200, epsabs=1e-11)
        return float(value)

    # One threshold for all: the threshold average

    def fpr_beyond(self, threshold: ArrayLike) -> Any:
        """FPR of the threshold average: the mean share of negatives at or above the threshold."""
        t = np.asarray(threshold, dtype=np.float64)
        return _like(threshold, ndtr(-t / self._shared_negative_sd))

    def tpr_beyond(self, threshold: ArrayLike) -> Any:
        """TPR of the threshold average: the mean share of positives at or above the threshold."""
        distance = self.separation - np.asarray(threshold, dtype=np.float64)
        return _like(threshold, self._shared(distance, math.hypot(self._own_positive_sd, self.location_sd)))

    def threshold_at(self, fpr: ArrayLike) -> Any:
        """The threshold that gives this FPR on average, when all datasets share it."""
        return _like(fpr, -self._shared_negative_sd * ndtri(fpr))

    def threshold_tpr(self, fpr: ArrayLike) -> Any:
        """TPR of the threshold average where its FPR is this."""
        return _like(fpr, self.tpr_beyond(self.threshold_at(fpr)))

    @cached_property
    def threshold_auc(self) -> float:
        """Area under the threshold average of datasets without number."""
        spread = math.hypot(self._shared_negative_sd, self._own_positive_sd, self.location_sd)
        return float(self._shared(self.separation, spread))

    def _shared(self, distance: Any, spread: float) -> Any:
        """The chance that positives, as they are moved, lie beyond what is so far below their mean."""
        if self.kind == "C-2b":
            return below_moved_up(distance / spread, self.shift_sd / spread)
        return ndtr(distance / math.hypot(spread, self._common_shift_sd))

    def expected_threshold_auc(self, n_datasets: int) -> float:
        """Area under the threshold average of so many datasets, on average.

        It is the mean over all pairs of datasets of the AUC of the positives of one against the negatives of
        the other. Of M datasets' pairs one in M is a dataset with itself, which knows no shift.
        """
        return self.threshold_auc + (self.vertical_auc - self.threshold_auc) / n_datasets

    @property
    def _common_shift_sd(self) -> float:
        return 0.0 if self.kind == "C-1" else self.shift_sd

    @property
    def _shared_negative_sd(self) -> float:
        return math.hypot(self.negative_sd, self.location_sd, self._common_shift_sd)

    def rate_covariance(self, threshold: float, *, n_positives: int, n_negatives: int) -> Floats:
        """How the rates of single datasets scatter at a shared threshold: covariance of (FPR, TPR), 2 x 2.

        Both the datasets and their cases are random. Divided by the number of datasets it is the covariance
        of the threshold average.

        Examples
        --------
        >>> population = ShiftedDatasets("C-2a", separation=4, negative_sd=1.5)
        >>> covariance = population.rate_covariance(2.5, n_positives=100, n_negatives=100)
        >>> (1.96 * np.sqrt(np.diag(covariance) / 100)).round(3)  # half-widths for 100 datasets
        array([0.02 , 0.037])
        """
        shifts, weights = standard_normal_nodes()
        shifts = shifts * self._common_shift_sd
        moved = np.abs(shifts) if self.kind == "C-2b" else shifts
        center, positive_center = self.location_sd, math.hypot(self.location_sd, self.separation_sd)
        level = self.separation + moved - threshold
        one_fp, two_fp = _once_and_twice(shifts - threshold, self.negative_sd, center)
        one_tp, two_tp = _once_and_twice(level, self.positive_sd, positive_center)
        both = weights @ self._one_of_each(shifts, moved, threshold)
        rates = np.array([weights @ one_fp, weights @ one_tp])
        within = [weights @ (one_fp - two_fp) / n_negatives, weights @ (one_tp - two_tp) / n_positives]
        pairs = np.array([[weights @ two_fp, both], [both, weights @ two_tp]])
        return np.asarray(pairs - np.outer(rates, rates) + np.diag(within))

    def _one_of_each(self, shifts: Floats, moved: Floats, threshold: float) -> Any:
        """The chance that a negative and a positive of one dataset both exceed the threshold, by shift."""
        if self.location_sd == 0:
            negative = ndtr((shifts - threshold) / self.negative_sd)
            return negative * ndtr((self.separation + moved - threshold) / self._own_positive_sd)
        centers, weights = standard_normal_nodes()
        center = self.location_sd * centers[:, None] - threshold
        negative = ndtr((shifts + center) / self.negative_sd)
        positive = ndtr((self.separation + moved + center) / self._own_positive_sd)
        return weights @ (negative * positive)


def draw_together(
    populations: Mapping[str, ShiftedDatasets],
    n_datasets: int,
    n_positives: int,
    n_negatives: int,
    *,
    seed: int,
    own_noise: bool = False,
    unit: str = "dataset",
) -> ScoreSet:
    """Draw several classifiers on the same datasets, as the models of one set.

    Parameters
    ----------
    populations : mapping
        The name of each classifier and what its scores are drawn from.
    n_datasets, n_positives, n_negatives, seed
        As for :meth:`ShiftedDatasets.draw_arrays`.
    own_noise : bool
        Whether each classifier errs on other cases. Otherwise all get the same noise.
    unit : str
        The word for a dataset.

    Examples
    --------
    >>> kinds = {kind: ShiftedDatasets(kind, separation=3, negative_sd=1.3) for kind in ("C-1", "C-2a")}
    >>> draw_together(kinds, 20, 30, 30, seed=1)
    ScoreSet(20 datasets, 2 models, 2 400 rows, 1 200 positives)
    """
    drawn = {}
    for number, (name, population) in enumerate(populations.items()):
        noise = number if own_noise else 0
        both = population.draw_arrays(n_datasets, n_positives, n_negatives, seed=seed, noise=noise)
        drawn[name] = np.concatenate(both, axis=1)
    return _as_set(drawn, n_positives, unit)


def _as_set(scores: dict[str, Floats] | Floats, n_positives: int, unit: str) -> ScoreSet:
    """Rows of scores, the positives first, as the groups of a set."""
    flat: Any = {k: v.ravel() for k, v in scores.items()} if isinstance(scores, dict) else scores.ravel()
    n_datasets, n_cases = np.shape(next(iter(scores.values())) if isinstance(scores, dict) else scores)
    is_positive = np.tile(np.arange(n_cases) < n_positives, n_datasets)
    numbers = np.repeat(np.arange(1, n_datasets + 1), n_cases)
    return ScoreSet.from_arrays(is_positive, flat, numbers, unit=unit, design="independent")


def _once_and_twice(level: Floats, own_sd: float, common_sd: float) -> tuple[Any, Any]:
    """The chance that one score of a dataset, and that two of them, exceed a threshold.

    ``level`` is the mean above the threshold; the two scores share a part with standard deviation common_sd.
    """
    spread = math.hypot(own_sd, common_sd)
    return ndtr(level / spread), both_below(level / spread, (common_sd / spread) ** 2)


def _like(given: ArrayLike, value: Any) -> Any:
    """Scalar in, scalar out."""
    return float(value) if np.ndim(given) == 0 else value


# Highleyman's two classes, and the ROC curve of a Gaussian detector on the first of them
# ---------------------------------------------------------------------------------------


_MEANS = ((1.0, 1.0), (2.0, 0.0))
_SDS = ((1.0, 0.5), (0.1, 2.0))
"""Of both features in both classes; the features are independent within a class."""
_HIGHLEYMAN_NODES = 200
_FURTHEST = 10.0  # standard deviations of the narrow feature: no double sees what lies beyond


def highleyman(n_per_class: int, *, seed: int) -> tuple[Floats, Mask]:
    """Draw Highleyman's classes: two normal classes that cross each other.

    Class 1 has mean (1, 1) and variances (1, 0.25), class 2 mean (2, 0) and variances (0.01, 4).

    Parameters
    ----------
    n_per_class : int
        Cases of each class.
    seed : int
        The same seed gives the same cases.

    Returns
    -------
    features : float array, (2 * n_per_class, 2)
        Class 1 first.
    is_first : bool array
        Which rows are of class 1.

    Examples
    --------
    >>> features, is_first = highleyman(1000, seed=0)
    >>> features.shape, int(is_first.sum())
    ((2000, 2), 1000)
    >>> features[is_first].mean(axis=0).round(1).tolist()
    [1.0, 1.0]
    """
    normals = np.random.default_rng(seed).standard_normal((2, n_per_class, 2))
    drawn = np.asarray(_MEANS)[:, None] + np.asarray(_SDS)[:, None] * normals
    return drawn.reshape(-1, 2), np.arange(2 * n_per_class) < n_per_class


def highleyman_rates(radius: ArrayLike) -> tuple[Any, Any]:
    """FPR and TPR of the detector that accepts what lies within a Mahalanobis distance of class 1.

    It is the limit of a normal density fitted to ever more cases of class 1 and cut off at some value. Of
    class 1 a share 1 - exp(-radius**2 / 2) is accepted. Of class 2 it is an integral over the first feature,
    since at each value of it an interval of the second is accepted.

    Parameters
    ----------
    radius : array-like of float
        In standard deviations of class 1.

    Returns
    -------
    fpr, tpr : float or array

    Examples
    --------
    >>> fpr, tpr = highleyman_rates(1.5)
    >>> round(fpr, 6), round(tpr, 6)
    (0.193444, 0.675348)
    """
    r = np.asarray(radius, dtype=np.float64)[..., None]
    ((x1, y1), (x2, y2)), ((x1_sd, y1_sd), (x2_sd, y2_sd)) = _MEANS, _SDS
    # x = x1 + x1_sd r sin(angle): the ends of the ellipse, where its height falls like a root, become smooth.
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = [(x2 + sign * _FURTHEST * x2_sd - x1) / (x1_sd * r) for sign in (-1, 1)]
    first, last = np.arcsin(np.clip(reach, -1.0, 1.0))
    nodes, weights = np.polynomial.legendre.leggauss(_HIGHLEYMAN_NODES)
    half = (last - first) / 2
    angle = first + half * (nodes + 1)
    x = x1 + x1_sd * r * np.sin(angle)
    height = y1_sd * r * np.cos(angle)
    accepted = ndtr((y1 + height - y2) / y2_sd) - ndtr((y1 - height - y2) / y2_sd)
    density = np.exp(-(((x - x2) / x2_sd) ** 2) / 2) / (x2_sd * np.sqrt(2 * np.pi))
    fpr = (density * accepted * x1_sd * r * np.cos(angle) * weights * half).sum(axis=-1)
    tpr = -np.expm1(-(r[..., 0] ** 2) / 2)
    fpr = np.where(r[..., 0] == 0, 0.0, fpr)
    return (float(fpr), float(tpr)) if r.ndim == 1 else (fpr, tpr)


def highleyman_fpr(tpr: ArrayLike) -> Any:
    """FPR of the detector of :func:`highleyman_rates` where it has this TPR.

    Parameters
    ----------
    tpr : array-like of float
        At least 0, below 1.

    Examples
    --------
    >>> highleyman_fpr([0.5, 0.9]).round(6).tolist()
    [0.102619, 0.324475]
    """
    return highleyman_rates(np.sqrt(-2 * np.log1p(-np.asarray(tpr, dtype=np.float64))))[0]


# The examples of the documentation: two detectors on many hosts, models of three sizes cross-validated
# -----------------------------------------------------------------------------------------------------


_DETECTORS = (  # name, separation, and how far both classes move together from host to host
    ("current", 1.9, 0.15),
    # Better within a host, but a score does not mean the same on each of them: under one shared threshold
    # it loses more than it wins. No comparison of AUCs host by host shows that.
    ("candidate", 2.2, 1.1),
)


def hosts(*, n_hosts: int = 24, seed: int = 20) -> dict[str, list[Any]]:
    """Draw the example of the documentation: two intrusion detectors, watched on many hosts.

    Every host has its own number of events and share of attacks. Both detectors score the same events,
    and an event that fools one tends to fool the other. The last host but one saw no attack, so it has
    no ROC curve; one host saw nine.

    Parameters
    ----------
    n_hosts : int
        At least 3.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    dict
        Columns ``host``, ``event``, ``model``, ``label`` and ``score`` (rounded to four places, so that
        ties occur), one row per event and model.

    Examples
    --------
    >>> table = hosts()
    >>> {name: column[0] for name, column in table.items()}
    {'host': 'host-01', 'event': 1, 'model': 'current', 'label': 'attack', 'score': 2.2586}
    >>> sorted(set(table["host"]) - {h for h, l in zip(table["host"], table["label"]) if l == "attack"})
    ['host-23']
    """
    if n_hosts < 3:
        raise ValueError(f"the example needs at least 3 hosts, got {n_hosts}")
    columns: dict[str, list[Any]] = {}
    first_event = 1
    for number in range(1, n_hosts + 1):
        random = np.random.default_rng([seed, number])  # one stream per host: hosts do not move each other
        # Unequal, with the two awkward hosts that real sets have.
        n_normal = int(random.integers(80, 700))
        n_attacks = int(n_normal * random.uniform(0.08, 0.3))
        n_attacks = {max(n_hosts - 7, 1): 9, n_hosts - 1: 0}.get(number, n_attacks)
        is_attack = random.permutation(n_attacks + n_normal) < n_attacks
        ease = 0.25 * random.standard_normal()  # some hosts are easier, for both detectors
        shared = random.standard_normal(is_attack.size)
        for model, separation, shift in _DETECTORS:
            own = random.standard_normal(is_attack.size)
            level = shift * random.standard_normal()
            drawn = level + (separation + ease) * is_attack + 0.8 * shared + 0.6 * own
            events = range(first_event, first_event + is_attack.size)
            labels = np.where(is_attack, "attack", "normal").tolist()
            rows = {"event": events, "model": model, "label": labels, "score": drawn.round(4).tolist()}
            add_rows(columns, host=f"host-{number:02d}", **rows)
        first_event += is_attack.size
    return columns


_DEPTHS = (  # name, separation, how surely the model speaks, and how much its level differs between folds
    ("depth 2", 1.15, 0.8, 0.1),
    ("depth 5", 1.45, 1.2, 0.6),
    # Too deep: it has learnt its training folds by heart, and is far too sure.
    ("depth 12", 1.25, 3.0, 2.0),
)


def subscribers(*, n_subscribers: int = 3000, n_folds: int = 10, seed: int = 7) -> dict[str, list[Any]]:
    """Draw the example of folds: models of three depths score the subscribers that they were not trained on.

    About one subscriber in seven leaves. Every subscriber is in one fold, and a model was trained anew for
    each, so its scores, which look like probabilities, do not mean quite the same from fold to fold.

    Parameters
    ----------
    n_subscribers, n_folds : int
        Folds are of equal size, and have equally many who leave, as far as that goes.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    dict
        Columns ``fold``, ``subscriber``, ``model``, ``outcome`` (left, stayed) and ``score`` (rounded to four
        places), one row per subscriber and model.

    Examples
    --------
    >>> table = subscribers()
    >>> {name: column[0] for name, column in table.items()}
    {'fold': 1, 'subscriber': 1, 'model': 'depth 2', 'outcome': 'stayed', 'score': 0.0612}
    >>> len(table["score"]), sorted(set(table["model"]))
    (9000, ['depth 12', 'depth 2', 'depth 5'])
    """
    random = np.random.default_rng(seed)
    leaves = random.random(n_subscribers) < 1 / 7
    fold = np.empty(n_subscribers, dtype=np.int64)
    for side in (leaves, ~leaves):  # stratified, as folds should be
        fold[side] = random.permutation(int(side.sum())) % n_folds
    shared = random.standard_normal(n_subscribers)
    columns: dict[str, list[Any]] = {}
    for model, separation, sureness, drift in _DEPTHS:
        level = -1.9 + drift * random.standard_normal(n_folds)
        seen = separation * leaves + 0.8 * shared + 0.6 * random.standard_normal(n_subscribers)
        probability = 1 / (1 + np.exp(-(level[fold] + sureness * seen)))
        outcomes = np.where(leaves, "left", "stayed").tolist()
        rows = {"model": model, "outcome": outcomes, "score": probability.round(4).tolist()}
        add_rows(columns, fold=(fold + 1).tolist(), subscriber=range(1, n_subscribers + 1), **rows)
    return columns


def add_rows(columns: dict[str, list[Any]], **block: Any) -> None:
    """More rows of a table; a name stands for as many rows as the others have."""
    n_rows = max(len(values) for values in block.values() if not isinstance(values, str))
    for name, values in block.items():
        columns.setdefault(name, []).extend([values] * n_rows if isinstance(values, str) else values)


# Reader studies: the model of Roe and Metz (1997)
# ------------------------------------------------
# The rating of a case is a sum of effects: how far apart the classes are in this modality, what this reader
# does with this class, how hard this case is, and their interactions. Effects of the two classes are
# independent. Averages over readers and cases are normal integrals, so the truth has a closed form, also
# where ratings are cut into categories and where the positives spread more than the negatives (Hillis 2012).

STRUCTURES = ("HL", "LL", "HH", "LH")
"""Correlation of the ratings of a case (high or low), then spread of the readers (low or high)."""
_CASES = {"H": (0.3, 0.3, 0.2, 0.2), "L": (0.1, 0.1, 0.2, 0.6)}
_READERS = {"L": (0.0055, 0.0055, 0.0055), "H": (0.011, 0.030, 0.056)}
SEPARATIONS = (0.75, 1.5, 2.5)


@dataclass(frozen=True)
class DrawnReaders:
    """Ratings of one study, or of many at once (then with a first axis of studies).

    Attributes
    ----------
    positives, negatives : float array, (..., modalities, readers, cases)
    auc : float array, (..., modalities, readers)
        What each of these readers reaches in cases without number.
    case_positives, case_negatives : float array, (..., modalities, cases)
        The mean rating of each of these cases, over readers without number.
    standalone_positives, standalone_negatives : float array, (..., cases)
        Scores of a program for the same cases.
    """

    positives: Floats
    negatives: Floats
    auc: Floats
    case_positives: Floats
    case_negatives: Floats
    standalone_positives: Floats
    standalone_negatives: Floats


@dataclass(frozen=True)
class RoeMetz:
    """A population of readers and cases, rated in several modalities.

    Roe and Metz let the last four variances add up to 1.

    Parameters
    ----------
    auc : sequence of float
        The true AUC of each modality, averaged over readers without number. Equal ones make the null
        hypothesis true.
    var_r, var_tr : float
        Variance of the readers, and of readers within modalities.
    var_c, var_tc : float
        Variance of the cases, and of cases within modalities.
    var_rc, var_trc : float
        Variance of cases within readers, and of what is left: another reading of the same case by the same
        reader in the same modality.
    ratio : float
        Standard deviation of the positives over that of the negatives, for one reader. Where it is not 1, the
        variances of cases are those of the negatives, and those of the positives are ``ratio**2`` times as
        large (Hillis 2012). The variances of readers are the same for both.
    standalone_auc : float
        The true AUC of a program that scores the same cases.

    Examples
    --------
    >>> study = RoeMetz(auc=(0.80, 0.86))
    >>> study.draw(n_readers=5, n_positives=50, n_negatives=50, seed=1)
    ScoreSet(5 readers, 2 models, 1 000 rows, 500 positives)
    >>> RoeMetz.preset("HH", separation=1.5).true_auc().round(4)
    array([0.8485, 0.8485])
    """

    auc: Sequence[float] = (0.8, 0.8)
    var_r: float = 0.0055
    var_tr: float = 0.0055
    var_c: float = 0.3
    var_tc: float = 0.3
    var_rc: float = 0.2
    var_trc: float = 0.2
    ratio: float = 1.0
    standalone_auc: float = 0.8

    def __post_init__(self) -> None:
        if not all(0 < area < 1 for area in (*self.auc, self.standalone_auc)):
            raise ValueError(f"every AUC lies between 0 and 1, got {tuple(self.auc)}, {self.standalone_auc}")
        if min(self.var_r, self.var_tr, self.var_c, self.var_tc, self.var_rc, self.var_trc) < 0:
            raise ValueError("a variance must not be negative")
        if self._case_variance <= 0 or self.ratio <= 0:
            raise ValueError("the ratings of a class must spread, and ratio must be positive")

    @classmethod
    def preset(cls, structure: str, *, separation: float = 1.5, n_modalities: int = 2) -> RoeMetz:
        """One of the twelve populations of Roe and Metz, in which the modalities do not differ.

        Parameters
        ----------
        structure : {"HL", "LL", "HH", "LH"}
            High or low correlation of the ratings of a case; low or high spread of the readers.
        separation : {0.75, 1.5, 2.5}
            Distance of the classes in standard deviations: an AUC of about 0.70, 0.86 and 0.96.
        n_modalities : int
            How many modalities.

        Examples
        --------
        >>> RoeMetz.preset("HL", separation=2.5).var_c, RoeMetz.preset("LH", separation=2.5).var_r
        (0.3, 0.056)
        """
        one_of("structure", structure, STRUCTURES)
        if separation not in SEPARATIONS:
            raise ValueError(f"separation is one of {', '.join(map(str, SEPARATIONS))}, got {separation}")
        spread = _READERS[structure[1]][SEPARATIONS.index(separation)]
        area = float(ndtr(separation / math.sqrt(2 * (1 + 2 * spread))))
        return cls((area,) * n_modalities, spread, spread, *_CASES[structure[0]])

    # The truth

    @property
    def _case_variance(self) -> float:
        return self.var_c + self.var_tc + self.var_rc + self.var_trc

    def _sd(self, readers: float, cases: float) -> float:
        """Standard deviation of so many times the variance of the readers and that of the cases."""
        return math.sqrt(readers * (self.var_r + self.var_tr) + cases * self._case_variance)

    @property
    def separation(self) -> Floats:
        """Mean of the positives less mean of the negatives, in every modality."""
        return np.asarray(ndtri(np.asarray(self.auc)) * self._sd(2, 1 + self.ratio**2))

    def true_auc(self, categories: int | None = None) -> Floats:
        """AUC of every modality, averaged over readers without number.

        ``categories`` is as for :meth:`draw`: ratings that tie cost a little. A reader's effects on the two
        classes are independent, so the mean of a reader's AUC needs only how often each class gets each
        category, over all readers.

        Examples
        --------
        >>> RoeMetz(auc=(0.8, 0.9)).true_auc(5).round(4)
        array([0.7839, 0.8842])
        """
        if categories is None:
            return np.asarray(self.auc, dtype=np.float64)
        cuts = np.concatenate([[-np.inf], self.cuts(categories), [np.inf]])
        of_negatives = ndtr(cuts / self._sd(1, 1))
        of_positives = ndtr((cuts - self.separation[:, None]) / self._sd(1, self.ratio**2))
        rivals = of_negatives[1:] + of_negatives[:-1]
        return np.array([np.diff(below) @ rivals / 2 for below in of_positives])

    def mean_tpr(self, fpr: ArrayLike) -> Floats:
        """TPR of the readers without number where each has this FPR: (modalities, ...).

        Examples
        --------
        >>> RoeMetz(auc=(0.8, 0.9)).mean_tpr(0.1).round(4)
        array([0.4666, 0.7036])
        """
        threshold = self._sd(0, 1) * ndtri(np.asarray(fpr, dtype=np.float64))
        return np.asarray(ndtr(np.add.outer(self.separation, threshold) / self._sd(2, self.ratio**2)))

    def auc_of_cases(self, drawn: DrawnReaders) -> Floats:
        """AUC of every modality on these very cases, averaged over readers without number: (..., modalities).

        Examples
        --------
        >>> study = RoeMetz(auc=(0.8, 0.8))
        >>> study.auc_of_cases(study.draw_arrays(5, 50, 50, seed=1)).round(3)
        array([0.817, 0.782])
        """
        between = drawn.case_positives[..., :, None] - drawn.case_negatives[..., None, :]
        left = self.var_rc + self.var_trc
        spread = math.sqrt(2 * (self.var_r + self.var_tr) + (1 + self.ratio**2) * left)
        return np.asarray(ndtr(between / spread).mean(axis=(-2, -1)))

    def cuts(self, categories: int) -> Floats:
        """Where ratings are cut into so many categories: equally far apart, over both classes."""
        if categories < 2:
            raise ValueError(f"ratings need at least 2 categories, got {categories}")
        low = -1.5 * self._sd(1, 1)
        high = float(self.separation.mean()) + 1.5 * self._sd(1, self.ratio**2)
        return np.linspace(low, high, categories + 1)[1:-1]

    # Drawing

    def draw(
        self,
        n_readers: int,
        n_positives: int,
        n_negatives: int,
        *,
        seed: int,
        design: str = "crossed",
        paired: float = 0.5,
        categories: int | None = None,
        rows_per_patient: int = 1,
        mixed_patients: bool = True,
        standalone: bool = False,
    ) -> ScoreSet:
        """Draw a study as a set of scores: groups are readers, models are modalities.

        Parameters
        ----------
        n_readers, n_positives, n_negatives : int
            Readers, and cases of each class in the whole study.
        seed : int
            The same seed gives the same study.
        design : str
            ``"crossed"``: everyone reads everything. ``"nested in readers"``: each reader has cases of their
            own, read in all modalities. ``"nested in modalities"``: each modality has cases of its own, read
            by all readers. ``"partially paired"``: a share ``paired`` of the cases is read in all modalities,
            the others in one. ``"readers nested"``: each modality has ``n_readers`` readers of its own.
        paired : float
            For ``"partially paired"``.
        categories : int, optional
            Cut the ratings into 1, 2, ..., categories.
        rows_per_patient, mixed_patients
            As for :meth:`draw_arrays`. With two rows or more, patients are the clusters of the set.
        standalone : bool
            Add a program, as model ``"AI"`` with one group ``"AI"``, that scores every case between 0 and 1.
        """
        patients: dict[str, Any] = {"rows_per_patient": rows_per_patient, "mixed_patients": mixed_patients}
        drawn = self.draw_arrays(n_readers, n_positives, n_negatives, seed=seed, design=design, **patients)
        ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
        if categories is not None:
            ratings = np.searchsorted(self.cuts(categories), ratings) + 1.0
        is_read = read_cells(len(self.auc), n_readers, n_positives, n_negatives, design=design, paired=paired)
        modality, reader, case = np.nonzero(is_read)
        scores = ratings[modality, reader, case]
        names = np.array([f"modality {i + 1}" for i in range(len(self.auc))])[modality].tolist()
        readers = np.array([f"reader {i + 1}" for i in range(ratings.shape[1])])[reader].tolist()
        if standalone:
            own = np.concatenate([drawn.standalone_positives, drawn.standalone_negatives])
            scores = np.concatenate([scores, ndtr(own)])
            names += ["AI"] * own.size
            readers += ["AI"] * own.size
            case = np.concatenate([case, np.arange(own.size)])
        columns: dict[str, Any] = {"models": names, "cases": case + 1}
        if rows_per_patient > 1:
            numbers = patients_of(n_positives, n_negatives, rows_per_patient, mixed=mixed_patients)
            columns["clusters"] = numbers[case] + 1
        what: dict[str, Any] = {"positive": True, "unit": "reader", "design": "readers"}
        return ScoreSet.from_arrays(case < n_positives, scores, readers, **columns, **what)

    def draw_arrays(
        self,
        n_readers: int,
        n_positives: int,
        n_negatives: int,
        *,
        seed: int,
        design: str = "crossed",
        n_studies: int | None = None,
        rows_per_patient: int = 1,
        mixed_patients: bool = True,
    ) -> DrawnReaders:
        """Draw the ratings of every reader, modality and case; :func:`read_cells` says which are looked at.

        Parameters
        ----------
        n_readers, n_positives, n_negatives, seed
            As for :meth:`draw`.
        design : str
            As for :meth:`draw`; only ``"readers nested"`` makes a difference here: ``n_readers`` readers for
            each modality are drawn.
        n_studies : int, optional
            Draw so many studies at once, as the first axis.
        rows_per_patient : int
            So many successive cases of each class are of one patient, and have half of the variance of their
            case effects in common: lesions, and places without any.
        mixed_patients : bool
            Whether patients have cases of both classes, or of one only.
        """
        n_modalities = len(self.auc)
        n_drawn = n_readers * n_modalities if design == "readers nested" else n_readers
        shape = () if n_studies is None else (n_studies,)
        random = np.random.default_rng(seed)
        patients = None
        if rows_per_patient > 1:
            patients = patients_of(n_positives, n_negatives, rows_per_patient, mixed=mixed_patients)

        def drawn(by_modality: bool, n: int) -> Floats:
            return random.standard_normal((*shape, n_modalities if by_modality else 1, 1, n))

        common = []
        if patients is not None:  # drawn once, since both classes may be of the same patients
            common = [drawn(by_modality, int(patients.max()) + 1) for by_modality in (False, True)]

        def effects(which: slice, *, by_modality: bool) -> Floats:
            """Of some of the cases; those of one patient have half of their variance in common."""
            own = drawn(by_modality, which.stop - which.start)
            if patients is None:
                return own
            return np.asarray((own + common[by_modality][..., patients[which]]) / math.sqrt(2))

        classes, levels, means, standalone = [], [], [], []
        spread = self._sd(0, 1 + self.ratio**2)
        own_separation = float(ndtri(self.standalone_auc)) * spread
        for which, scale, center, own in (
            (slice(0, n_positives), self.ratio, self.separation, own_separation),
            (slice(n_positives, n_positives + n_negatives), 1.0, np.zeros(n_modalities), 0.0),
        ):
            n = which.stop - which.start
            level = math.sqrt(self.var_r) * random.standard_normal((*shape, 1, n_drawn))
            level = level + math.sqrt(self.var_tr) * random.standard_normal((*shape, n_modalities, n_drawn))
            level = center[:, None] + level
            ease = math.sqrt(self.var_c) * effects(which, by_modality=False)
            cases = ease + math.sqrt(self.var_tc) * effects(which, by_modality=True)
            means.append(center[:, None] + scale * cases[..., 0, :])
            cases = cases + math.sqrt(self.var_rc) * random.standard_normal((*shape, 1, n_drawn, n))
            noise = random.standard_normal((*shape, n_modalities, n_drawn, n))
            classes.append(level[..., None] + scale * (cases + math.sqrt(self.var_trc) * noise))
            levels.append(level)
            rest = math.sqrt(self._case_variance - self.var_c) * random.standard_normal((*shape, n))
            standalone.append(own + scale * (ease[..., 0, 0, :] + rest))
        auc = np.asarray(ndtr((levels[0] - levels[1]) / spread))
        return DrawnReaders(classes[0], classes[1], auc, *means, *standalone)


# Who reads which case in which modality, and which cases are of one patient
# --------------------------------------------------------------------------


DESIGNS = ("crossed", "nested in readers", "nested in modalities", "partially paired", "readers nested")
"""Who reads what; see :meth:`rocsteady.simulate.RoeMetz.draw`."""


def read_cells(
    n_modalities: int,
    n_readers: int,
    n_positives: int,
    n_negatives: int,
    *,
    design: str = "crossed",
    paired: float = 0.5,
) -> Mask:
    """Which reader reads which case in which modality: (modalities, readers, cases), the positives first.

    Examples
    --------
    >>> read_cells(2, 3, 4, 4, design="nested in modalities")[:, 0].astype(int)
    array([[1, 0, 1, 0, 1, 0, 1, 0],
           [0, 1, 0, 1, 0, 1, 0, 1]])
    """
    one_of("design", design, DESIGNS)
    # Numbered within the class, so that every reader and every modality gets both.
    number = np.concatenate([np.arange(n_positives), np.arange(n_negatives)])
    modality, reader = np.arange(n_modalities)[:, None, None], np.arange(n_readers)[None, :, None]
    if design == "readers nested":
        owner = np.repeat(np.arange(n_modalities), n_readers)[None, :, None]
        return np.broadcast_to(owner == modality, (n_modalities, owner.size, number.size))
    here: Any = True
    if design == "nested in readers":
        here = number % n_readers == reader
    elif design == "nested in modalities":
        here = number % n_modalities == modality
    elif design == "partially paired":
        size = np.where(np.arange(number.size) < n_positives, n_positives, n_negatives)
        here = (number < paired * size) | (number % n_modalities == modality)
    return np.broadcast_to(here, (n_modalities, n_readers, number.size))


def patients_of(n_positives: int, n_negatives: int, rows_per_patient: int, *, mixed: bool = True) -> Integers:
    """The patient of each case, the positives first: so many successive ones of a class are of the same.

    ``mixed`` patients have positives and negatives, others are of one class.

    Examples
    --------
    >>> patients_of(4, 3, 2).tolist(), patients_of(4, 3, 2, mixed=False).tolist()
    ([0, 0, 1, 1, 0, 0, 1], [0, 0, 1, 1, 2, 2, 3])
    """
    of_class = [np.arange(n, dtype=np.int64) // rows_per_patient for n in (n_positives, n_negatives)]
    of_class[1] += 0 if mixed else -(-n_positives // rows_per_patient)
    return np.concatenate(of_class)


# The reader study of the documentation: six readers, two modalities, a program that scores all cases
# ---------------------------------------------------------------------------------------------------


_MODALITIES = ("film", "digital")
_N_READERS = 6
_STUDY = RoeMetz((0.82, 0.88), 0.03, 0.03, 0.45, 0.1, 0.2, 0.25, ratio=1.2, standalone_auc=0.87)
_SCALE = 100


def reader_study(
    *, n_positives: int = 50, n_negatives: int = 70, seed: int = 16, standalone: bool = True
) -> dict[str, list[Any]]:
    """Draw the reader study of the documentation: six readers, two modalities, the same cases throughout.

    Every reader rates every case in both modalities from 1 (surely normal) to 100 (surely cancer), in steps
    of five, as people do. A program, ``AI``, scores each case once, between 0 and 1, so its scores cannot be
    held against the readers' ratings; its ROC curve can. In the population the mean AUC of the readers rises
    by about 0.06 from film to digital.

    Parameters
    ----------
    n_positives, n_negatives : int
        Cases with and without cancer.
    seed : int
        The same seed gives the same study.
    standalone : bool
        Whether the program's rows are there, as modality ``AI`` of reader ``AI``.

    Returns
    -------
    dict
        Columns ``reader``, ``modality``, ``case``, ``truth`` and ``rating``, one row per rating.

    Examples
    --------
    >>> table = reader_study()
    >>> {name: column[0] for name, column in table.items()}
    {'reader': 'reader-1', 'modality': 'film', 'case': 'case-001', 'truth': 'cancer', 'rating': 30.0}
    >>> len(table["rating"])
    1560
    """
    drawn = _STUDY.draw_arrays(_N_READERS, n_positives, n_negatives, seed=seed)
    random = np.random.default_rng([seed, 1])
    # Cases come in no order of the truth, as in a reading room.
    order = random.permutation(n_positives + n_negatives)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)[..., order]
    truths = np.where(order < n_positives, "cancer", "normal").tolist()
    cases = [f"case-{i + 1:03d}" for i in range(order.size)]
    scale = 0.5 + np.tanh((ratings - _STUDY.separation.mean() / 2) / 2) / 2
    shown = np.clip(5 * np.round(_SCALE * scale / 5), 1, _SCALE)
    columns: dict[str, list[Any]] = {}
    for m, modality in enumerate(_MODALITIES):
        for r in range(_N_READERS):
            rows = {"case": cases, "truth": truths, "rating": shown[m, r].tolist()}
            add_rows(columns, reader=f"reader-{r + 1}", modality=modality, **rows)
    if standalone:
        own = np.concatenate([drawn.standalone_positives, drawn.standalone_negatives])[order]
        rating = (1 / (1 + np.exp(1.5 - 1.5 * own))).round(3).tolist()
        add_rows(columns, reader="AI", modality="AI", case=cases, truth=truths, rating=rating)
    return columns
