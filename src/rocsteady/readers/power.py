"""The power of a reader study: how often its test finds a difference, or shows that there is none.

The test is that of Obuchowski and Rockette with the degrees of freedom of Hillis. Two modalities that differ
by ``d``, ``r`` readers and ``c`` cases, where the pilot had ``k``:

    error term  E = S + (k / c) (Var - Cov1 + (r - 1) G),     G = max(Cov2 - Cov3, 0)
    of readers  M = S + (k / c) (Var - Cov1 - G)              what MS(TR) estimates
    noncentrality  d^2 r / (2 E),   degrees of freedom  (r - 1) (E / M)^2

``S`` is the variance of modalities within readers. For fixed cases the error term is ``M`` with ``r - 1``
degrees of freedom, for fixed readers ``E`` without ``S`` and a normal test: the error of one mean of readers
with the mean square ``M`` and the covariance ``G``, twice.

References
----------
Hillis, Obuchowski & Berbaum (2011), Academic Radiology 18, 129-142.
Hillis & Schartz (2018), Journal of Medical Imaging 5, 045503.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats
from rocsteady.statistics.intervals import t_quantile
from rocsteady.statistics.obuchowski_rockette import mean_error
from rocsteady.statistics.power import FARTHEST, spread_quantiles, spread_ratios

MOST_CASES = 10**6
MOST_READERS = 10**4
"""Nobody will have more; a plan that needs more says that none suffices."""
_NORMAL_DF = 1e7
"""With more degrees of freedom Student's t is normal to all digits that count."""


_DIGITS = 4e-15


_POINTS = 160
"""Points of an integral over normal quantiles."""


@dataclass(frozen=True)
class StudyComponents:
    """The variance components of a pilot, as Obuchowski and Rockette estimate them.

    Attributes
    ----------
    modality_reader : float
        Variance of modalities within readers, which no number of cases reduces.
    var, cov1, cov2, cov3 : float
        Of the error: variance; covariance of one reader in two modalities, of two readers in one, of two
        readers in two. All fall like one over the number of cases.
    n_cases : float
        Cases that each reader read in each modality.
    ratio : float
        Negatives for each positive; NaN where that is not known.
    from_positives : tuple of float, or None
        What the luck of the positives has in ``var``, ``cov1``, ``cov2`` and ``cov3``; the rest is that of
        the negatives. Needed to plan for another ratio.
    """

    modality_reader: float
    var: float
    cov1: float
    cov2: float
    cov3: float
    n_cases: float
    ratio: float = math.nan
    from_positives: tuple[float, float, float, float] | None = None

    @property
    def case_gain(self) -> float:
        """``Cov2 - Cov3``, not below 0: what the cases give to all readers of one modality."""
        return max(self.cov2 - self.cov3, 0.0)

    @property
    def own_error(self) -> float:
        """``Var - Cov1 - (Cov2 - Cov3)``, not below 0: what the cases add to one reader alone."""
        return max(self.var - self.cov1 - self.case_gain, 0.0)

    @property
    def set_to_zero(self) -> tuple[str, ...]:
        """The estimates that came out negative, which no variance is."""
        found = {
            "the variance of modalities within readers": self.modality_reader,
            "Cov2 - Cov3": self.cov2 - self.cov3,
            "Var - Cov1 - (Cov2 - Cov3)": self.var - self.cov1 - self.case_gain,
        }
        # A difference of equal numbers is 0, but for rounding.
        return tuple(name for name, value in found.items() if value < -1e-12 * abs(self.var))

    def with_ratio(self, ratio: float) -> StudyComponents:
        """The same pilot with another number of negatives for each positive, and as many cases in all."""
        if self.from_positives is None:
            raise ValueError("what each class has in the variances is not known")
        # As many cases in all: more negatives leave fewer positives, whose luck counts for more.
        positives = (1 + ratio) / (1 + self.ratio)
        negatives = positives * self.ratio / ratio
        own = [part * positives for part in self.from_positives]
        whole = (self.var, self.cov1, self.cov2, self.cov3)
        var, cov1, cov2, cov3 = (
            part + (value - old) * negatives
            for part, value, old in zip(own, whole, self.from_positives, strict=True)
        )
        kept = (own[0], own[1], own[2], own[3])
        return replace(self, var=var, cov1=cov1, cov2=cov2, cov3=cov3, ratio=ratio, from_positives=kept)


@dataclass(frozen=True)
class Question:
    """What the test of the planned study is to show, and what is random.

    Attributes
    ----------
    test : {"difference", "non-inferiority", "equivalence"}
        Which.
    difference : float
        The true difference; for non-inferiority of the new modality less the reference.
    margin : float
        Of the last two tests; NaN for the first.
    alpha : float
        Level of the two-sided test; one-sided tests have half of it.
    readers_are, cases_are : {"random", "fixed"}
        What is random.
    lower_is_better : bool
        Whether less is better, as of false positive rates: a new modality is then worse by a difference
        above 0.
    """

    test: str
    difference: float
    margin: float
    alpha: float
    readers_are: str = "random"
    cases_are: str = "random"
    lower_is_better: bool = False

    @property
    def gain(self) -> float:
        """The true difference, above 0 where the new modality is better."""
        return -self.difference if self.lower_is_better else self.difference

    def error_and_df(self, of: StudyComponents, n_readers: Any, n_cases: Any) -> tuple[Floats, Floats]:
        """Variance of the difference that is tested, and the degrees of freedom of its estimate."""
        less = of.n_cases / np.asarray(n_cases, dtype=np.float64)
        between = max(of.modality_reader, 0.0) if self.readers_are == "random" else 0.0
        own, shared = less * of.own_error, less * of.case_gain
        readers = np.asarray(n_readers, dtype=np.float64)
        error, df = mean_error(
            between + own, own + shared, shared, readers, readers=self.readers_are, cases=self.cases_are
        )
        return np.asarray(2 * np.square(error)), np.asarray(df)

    def power(self, of: StudyComponents, n_readers: ArrayLike, n_cases: ArrayLike) -> Floats:
        """The chance that the test shows it, with so many readers and cases in each of their modalities.

        Examples
        --------
        >>> vandyke = StudyComponents(0.00020040, 0.00080229, 0.00034661, 0.00034407, 0.00023903, 114)
        >>> question = Question("difference", 0.05, float("nan"), 0.05)
        >>> question.power(vandyke, [6, 10], 251).round(3)
        array([0.892, 0.966])
        """
        variance, df = self.error_and_df(of, *np.broadcast_arrays(n_readers, n_cases))
        shape = variance.shape
        chance = self._chances(variance.ravel(), df.ravel())
        return chance.reshape(shape)

    def _chances(self, variance: Floats, df: Floats) -> Floats:
        from scipy.special import ndtr

        df = np.where(df > _NORMAL_DF, np.inf, df)
        limit = t_quantile(df, 1 - self.alpha)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(variance)[:, None]
            shift = np.nan_to_num(self.gain / error, nan=0.0)  # no difference and no error: none is seen
            room = self.margin / error
            if self.test == "equivalence":
                scale, share = spread_below(df, room[:, 0] / limit[:, 0])
            else:  # smooth: 181 points leave an error below 1e-12
                scale, share = spread_quantiles(df, 181)
            if self.test == "difference":
                chance = ndtr(abs(shift) - limit * scale) + ndtr(-abs(shift) - limit * scale)
            elif self.test == "non-inferiority":
                chance = ndtr(shift + room - limit * scale)
            else:
                inner = np.where(np.isinf(room), np.inf, room - limit * scale)
                chance = np.maximum(ndtr(inner - shift) - ndtr(-inner - shift), 0.0)
        whole = (chance * share).sum(axis=1)
        return np.where(whole > 1 - _DIGITS, 1.0, whole)  # shares add up to 1 but for rounding


def spread_below(df: Floats, largest: Floats) -> tuple[Floats, Floats]:
    """Spreads up to the ``largest`` ratio of each df, where the chance of equivalence ends in a kink.

    160 points of Gauss and Legendre, ``(n, 160)``, and their chances, which are less than 1 together.
    """
    from scipy.special import gammainc, gammaincc, ndtri

    nodes, weights = _nodes()
    is_known = np.isinf(df)[:, None]
    half = np.where(is_known, 1.0, df[:, None] / 2)
    reached = half * np.minimum(largest, 1e9)[:, None] ** 2
    # Of the upper half the tail is taken, which near 1 has digits that the rest has lost.
    ends = np.where(reached < half, ndtri(gammainc(half, reached)), -ndtri(gammaincc(half, reached)))
    reach = (np.clip(ends, -FARTHEST, FARTHEST) + FARTHEST) / 2
    z = reach * (nodes + 1) - FARTHEST
    share = reach * weights * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    # All points are one where the spread is known.
    return spread_ratios(df, z), np.where(is_known, 1 / nodes.size, share)


@cache
def _nodes() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    return nodes, weights


def cases_needed(
    question: Question, of: StudyComponents, n_readers: ArrayLike, power: float
) -> tuple[Floats, Floats]:
    """The fewest cases with which so many readers reach the power, and the most power that cases can give.

    More cases are not always better: with few readers the degrees of freedom fall while the error falls. So
    the first number that suffices is looked for, over all of them, not by halving from the top.
    """
    readers = np.atleast_1d(np.asarray(n_readers, dtype=np.float64))
    chance = question.power(of, readers[:, None], np.append(_numbers_of_cases(), np.inf))

    def chance_at(rows: Any, n: Floats) -> Floats:
        return question.power(of, readers[rows], n)

    return _first(chance_at, chance[:, :-1], _numbers_of_cases(), 4, power), chance.max(axis=1)


def readers_needed(question: Question, of: StudyComponents, n_cases: float, power: float) -> float:
    """The fewest readers with whom so many cases reach the power; infinite if none do."""
    return _fewest_readers(question, lambda n: question.power(of, n, n_cases), power)


def readers_at_least(question: Question, of: StudyComponents, power: float) -> float:
    """The fewest readers for whom some number of cases reaches the power; infinite if there are none."""
    cases = _numbers_of_cases()
    return _fewest_readers(question, lambda n: question.power(of, n[:, None], cases).max(axis=1), power)


def _numbers_of_cases() -> Floats:
    return np.unique(np.geomspace(4, MOST_CASES, 36).round())


def _fewest_readers(question: Question, chance: Callable[[Floats], Floats], power: float) -> float:
    least = 1 if question.readers_are == "fixed" else 2
    grid = np.unique(np.concatenate([np.arange(least, 41), np.geomspace(40, MOST_READERS, 30).round()]))
    chances = np.zeros_like(grid)
    for start in range(0, grid.size, 8):  # few readers are most often enough, and then nobody asks for more
        part = slice(start, start + 8)
        chances[part] = chance(grid[part])
        if (chances[part] >= power).any():
            break
    return float(_first(lambda _, n: chance(n), chances[None], grid, least, power)[0])


def detectable(
    question: Question, of: StudyComponents, n_readers: int, n_cases: float, power: float
) -> float:
    """The difference, or the margin of non-inferiority, that a design shows with this chance.

    NaN where it is 1 or more, and for equivalence, which more than one of them decides.
    """
    if question.test == "equivalence":
        return math.nan

    def is_shown(size: float) -> bool:
        is_plain = question.test == "difference"
        asked = replace(question, difference=size) if is_plain else replace(question, margin=size)
        return bool(asked.power(of, n_readers, n_cases) >= power)

    low, high = 0.0, 1.0
    if not is_shown(high):
        return math.nan
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if is_shown(middle) else (middle, high)
    return high


def _first(
    chance_at: Callable[[Any, Floats], Floats], chance: Floats, grid: Floats, least: int, power: float
) -> Floats:
    """For each row the first whole number that is enough, between two of the grid; infinite if none is."""
    is_enough = chance >= power
    found = np.full(len(is_enough), np.inf)
    rows = np.flatnonzero(is_enough.any(axis=1))
    if rows.size == 0:
        return found
    first = is_enough[rows].argmax(axis=1)
    high = grid[first]
    low = np.where(first > 0, grid[first - 1], least - 1)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        is_met = chance_at(rows, middle) >= power
        open_still = high - low > 1
        high, low = np.where(is_met & open_still, middle, high), np.where(~is_met & open_still, middle, low)
    found[rows] = high
    return found
