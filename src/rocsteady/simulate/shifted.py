"""Many datasets scored by one classifier, whose score level may shift from dataset to dataset.

The simulation of Hogan and Adams (section 5), with what its curves look like when datasets and cases are
without number, in closed form. A standard deviation is meant wherever the paper writes N(mu, sigma).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.scores.score_set import ScoreSet
from rocsteady.simulate.normal_integrals import (
    below_moved_up,
    both_below,
    normal_below,
    normal_quantile_at,
    standard_normal_nodes,
)

Floats = NDArray[np.float64]

KINDS = ("C-1", "C-2a", "C-2b")
SIDES = ("upper", "lower")


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
        if self.kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(map(repr, KINDS))}, got {self.kind!r}")
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
        positives, negatives = self.draw_arrays(n_datasets, n_positives, n_negatives, seed=seed, noise=noise)
        return _as_set(np.concatenate([positives, negatives], axis=1), n_positives, unit)

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
        level = (self.separation + self.negative_sd * normal_quantile_at(fpr)) / self._own_positive_sd
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
            return normal_below(level)
        # In one half of the datasets nothing grows, in the other by twice the size of the shift.
        return (normal_below(level) + below_moved_up(level, 2 * self.shift_sd / spread)) / 2

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
        from scipy.special import betaincinv

        if side not in SIDES:
            raise ValueError(f"side is one of {', '.join(map(repr, SIDES))}, got {side!r}")
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
        return _like(threshold, normal_below(-t / self._shared_negative_sd))

    def tpr_beyond(self, threshold: ArrayLike) -> Any:
        """TPR of the threshold average: the mean share of positives at or above the threshold."""
        t = np.asarray(threshold, dtype=np.float64)
        spread = math.hypot(self._own_positive_sd, self.location_sd)
        if self.kind == "C-2b":
            return _like(threshold, below_moved_up((self.separation - t) / spread, self.shift_sd / spread))
        return _like(
            threshold, normal_below((self.separation - t) / math.hypot(spread, self._common_shift_sd))
        )

    def threshold_at(self, fpr: ArrayLike) -> Any:
        """The threshold that gives this FPR on average, when all datasets share it."""
        return _like(fpr, -self._shared_negative_sd * normal_quantile_at(fpr))

    def threshold_tpr(self, fpr: ArrayLike) -> Any:
        """TPR of the threshold average where its FPR is this."""
        return _like(fpr, self.tpr_beyond(self.threshold_at(fpr)))

    @cached_property
    def threshold_auc(self) -> float:
        """Area under the threshold average of datasets without number."""
        spread = math.hypot(self._shared_negative_sd, self._own_positive_sd, self.location_sd)
        if self.kind == "C-2b":
            return float(below_moved_up(self.separation / spread, self.shift_sd / spread))
        return float(normal_below(self.separation / math.hypot(spread, self._common_shift_sd)))

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
        one_fp, two_fp = _once_and_twice(shifts - threshold, self.negative_sd, center)
        one_tp, two_tp = _once_and_twice(
            self.separation + moved - threshold, self.positive_sd, positive_center
        )
        fpr, tpr = weights @ one_fp, weights @ one_tp
        within = np.array(
            [weights @ (one_fp - two_fp) / n_negatives, weights @ (one_tp - two_tp) / n_positives]
        )
        between = np.empty((2, 2))
        between[0, 0], between[1, 1] = weights @ two_fp - fpr**2, weights @ two_tp - tpr**2
        between[0, 1] = between[1, 0] = weights @ self._one_of_each(shifts, moved, threshold) - fpr * tpr
        return between + np.diag(within)

    def _one_of_each(self, shifts: Floats, moved: Floats, threshold: float) -> Any:
        """The chance that a negative and a positive of one dataset both exceed the threshold, by shift."""
        if self.location_sd == 0:
            negative = normal_below((shifts - threshold) / self.negative_sd)
            return negative * normal_below((self.separation + moved - threshold) / self._own_positive_sd)
        centers, weights = standard_normal_nodes()
        center = self.location_sd * centers[:, None] - threshold
        negative = normal_below((shifts + center) / self.negative_sd)
        positive = normal_below((self.separation + moved + center) / self._own_positive_sd)
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
    drawn = {
        name: np.concatenate(
            population.draw_arrays(
                n_datasets, n_positives, n_negatives, seed=seed, noise=number if own_noise else 0
            ),
            axis=1,
        )
        for number, (name, population) in enumerate(populations.items())
    }
    return _as_set(drawn, n_positives, unit)


def _as_set(scores: Floats | dict[str, Floats], n_positives: int, unit: str) -> ScoreSet:
    """Rows of scores, the positives first, as the groups of a set."""
    n_datasets, n_cases = (next(iter(scores.values())) if isinstance(scores, dict) else scores).shape
    flat: Any = {k: v.ravel() for k, v in scores.items()} if isinstance(scores, dict) else scores.ravel()
    return ScoreSet.from_arrays(
        np.tile(np.arange(n_cases) < n_positives, n_datasets),
        flat,
        np.repeat(np.arange(1, n_datasets + 1), n_cases),
        unit=unit,
        design="independent",
    )


def _once_and_twice(level: Floats, own_sd: float, common_sd: float) -> tuple[Any, Any]:
    """The chance that one score of a dataset, and that two of them, exceed a threshold.

    ``level`` is the mean above the threshold; the two scores share a part with standard deviation common_sd.
    """
    spread = math.hypot(own_sd, common_sd)
    return normal_below(level / spread), both_below(level / spread, (common_sd / spread) ** 2)


def _like(given: ArrayLike, value: Any) -> Any:
    """Scalar in, scalar out."""
    return float(value) if np.ndim(given) == 0 else value
