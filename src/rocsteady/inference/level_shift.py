"""Which class moves between groups, and how far: rank tests and variance components.

Everything is computed from ranks within a class, pooled over the groups, so that infinite scores are legal
and no increasing transform of the scores changes an answer.

References
----------
Kruskal & Wallis (1952), Journal of the American Statistical Association 47, 583-621.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocsteady.inference.ranked import Floats, Integers, RankedRows
from rocsteady.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class LevelShift(Result):
    """How far the level of the scores moves between groups, in standard deviations within a group.

    Attributes
    ----------
    overall, positives, negatives : float
        Standard deviation of the level between groups over the standard deviation within a group, of both
        classes and of each. 0 where groups differ no more than chance makes them; NaN with one group, or
        where no group has two rows of the class.
    """

    overall: float
    positives: float
    negatives: float

    def __repr__(self) -> str:
        each = f"positives {self.positives:.2f}, negatives {self.negatives:.2f}"
        return f"LevelShift({self.overall:.2f}: {each})"


@dataclass(frozen=True, eq=False, repr=False)
class RankTest(Result):
    """Kruskal and Wallis' test that the scores of a class are alike in all groups.

    Attributes
    ----------
    statistic : float
        H, corrected for ties.
    df : float
        Groups less one, of the chi-square distribution that H is held against.
    pvalue : float
        NaN with one group.
    """

    statistic: float
    df: float
    pvalue: float

    def __repr__(self) -> str:
        return f"RankTest(H = {self.statistic:.1f}, df = {self.df:g}, p = {self.pvalue:.3g})"


def level_shift(rows: RankedRows) -> LevelShift:
    """The shift of each class and of both, by variance components of the normal scores of ranks."""
    if rows.n_groups < 2:
        return LevelShift(math.nan, math.nan, math.nan)
    components = [_class_components(rows, positive) for positive in (True, False)]
    known = [pair for pair in components if not math.isnan(pair[1])]
    both = (sum(between for between, _ in known), sum(within for _, within in known))
    return LevelShift(*(_ratio(*pair) for pair in ((both if known else components[0]), *components)))


def rank_test(rows: RankedRows, positive: bool) -> RankTest:
    """Kruskal and Wallis' test of one class."""
    from scipy.special import chdtrc

    if rows.n_groups < 2:
        return RankTest(math.nan, math.nan, math.nan)
    midranks, groups, tied = _midranks(rows, positive)
    n = midranks.size
    sizes = np.bincount(groups)
    centred = np.bincount(groups, midranks - (n + 1) / 2)
    spread = (float(n) ** 3 - n - float(np.sum(tied.astype(float) ** 3 - tied))) / 12
    df = float(rows.n_groups - 1)
    if spread <= 0:  # all scores of the class are equal, or there is only one
        return RankTest(0.0, df, 1.0)
    statistic = float((n - 1) * np.sum(centred**2 / sizes) / spread)
    return RankTest(statistic, df, float(chdtrc(df, statistic)))


def _class_components(rows: RankedRows, positive: bool) -> tuple[float, float]:
    """Variance between and within groups of the normal scores of one class, as of equal groups (ANOVA)."""
    from scipy.special import ndtri

    midranks, groups, _ = _midranks(rows, positive)
    n, n_groups = midranks.size, rows.n_groups
    if n == n_groups:  # nobody has a neighbour in his own group
        return math.nan, math.nan
    values = ndtri((midranks - 0.5) / n)
    sizes = np.bincount(groups)
    means = np.bincount(groups, values) / sizes
    within = float(np.sum((values - means[groups]) ** 2) / (n - n_groups))
    around = float(np.sum(sizes * (means - values.mean()) ** 2) / (n_groups - 1))
    typical_size = (n - float(np.sum(sizes.astype(float) ** 2)) / n) / (n_groups - 1)
    return max(0.0, (around - within) / typical_size), within


def _ratio(between: float, within: float) -> float:
    if within == 0:  # all rows of a group score alike
        return math.inf if between > 0 else 0.0
    return math.sqrt(between / within)


def _midranks(rows: RankedRows, positive: bool) -> tuple[Floats, Integers, Integers]:
    """Ranks within a class from 1, ties at their mean; the group of each row; the sizes of the ties."""
    own = rows.is_positive == positive
    at = np.bincount(rows.ranks[own], minlength=rows.n_distinct)
    midrank_at = np.cumsum(at) - (at - 1) / 2
    return midrank_at[rows.ranks[own]], rows.groups[own], at
