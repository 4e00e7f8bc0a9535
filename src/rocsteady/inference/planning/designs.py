"""What so many groups with so many cases would give: half-widths, power, and the smallest that suffice.

The variance of one group's reading is ``between + within / times``, where ``times`` says how many times the
present number of cases a group has. Groups are what is random, so an interval for their mean uses Student's t
with one degree of freedom less than there are groups, and its quantile shrinks as groups are added. A single
group shows nothing of that: its cases alone are random then, their variance is taken as known, and quantiles
are normal.

References
----------
Kupper & Hafner (1989), The American Statistician 43, 101-105: the half-width is itself random.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.operating_points.tables.planning import noncentrality, rejection_chance, spread_quantiles
from rocsteady.uncertainty.spread import two_sided_quantile

Floats = NDArray[np.float64]

MOST_GROUPS = 10**9
"""Nobody will have more; a plan that needs more says that none suffices."""


@dataclass(frozen=True)
class Components:
    """The variance of one group's reading, in two parts.

    Attributes
    ----------
    between : float
        Of the groups' true values.
    within : float
        Of a group's reading around its true value, on average, with as many cases as now.
    """

    between: float
    within: float

    def variance(self, times_cases: float = 1.0) -> float:
        """Of one reading, with so many times the cases; infinite leaves what lies between groups.

        >>> Components(0.01, 0.02).variance(4), Components(0.01, 0.02).variance(math.inf)
        (0.015, 0.01)
        """
        return self.between + self.within / times_cases


def split_variance(values: Floats, variances: Floats) -> Components:
    """Between groups by difference: what is seen less what the cases explain, not below 0.

    Groups whose own noise is not known (NaN) still say how much readings scatter.

    >>> found = split_variance(np.array([0.7, 0.8, 0.9]), np.full(3, 0.004))
    >>> round(found.between, 9), found.within
    (0.006, 0.004)
    """
    within = float(np.nanmean(variances))
    return Components(max(variance_seen(values) - within, 0.0), within)


def planned_components(values: Floats, within: float) -> Components:
    """The same for looking ahead: as often too large as too small.

    A variance seen in few groups is right on average because it is sometimes far too large; more often it is
    too small, and plans made from it would be too hopeful more often than not. So it is divided by the median
    of its distribution, not by the mean.

    >>> found = planned_components(np.array([0.7, 0.8, 0.9]), 0.004)
    >>> round(found.between, 6), round(0.01 * 2 / 1.386294 - 0.004, 6)
    (0.010427, 0.010427)
    """
    from scipy.special import chdtri

    df = values.size - 1
    typical = variance_seen(values) * df / float(chdtri(df, 0.5))
    return Components(max(typical - within, 0.0), within)


def variance_seen(values: Floats) -> float:
    """Of the readings of all groups; exactly 0 where they are the same."""
    return float(values.var(ddof=1)) if np.ptp(values) > 0 else 0.0


def between_range(values: Floats, within: float, confidence_level: float) -> tuple[float, float]:
    """Limits of the variance between groups: chi-square limits of the whole, less what the cases explain.

    Readings are taken as normal, and ``within`` as known: it comes from all cases together.
    """
    from scipy.special import chdtri

    df, whole, tail = values.size - 1, variance_seen(values), (1 - confidence_level) / 2
    low, high = (df * whole / float(chdtri(df, upper)) for upper in (tail, 1 - tail))
    return max(low - within, 0.0), max(high - within, 0.0)


def half_width(variance: float, n_groups: int, confidence_level: float, assurance: float | None) -> float:
    """Of the t interval for the mean of so many groups, or of the normal one for a single group.

    Without ``assurance`` it is the root mean square of what will be seen; with it, what the half-width seen
    will not exceed with that chance.

    >>> round(half_width(0.01, 10, 0.95, None), 4), round(half_width(0.01, 10, 0.95, 0.8), 4)
    (0.0715, 0.0834)
    >>> round(half_width(0.01, 1, 0.95, None), 4)
    0.196
    """
    from scipy.special import chdtri

    df = n_groups - 1
    luck = 1.0 if assurance is None else math.sqrt(float(chdtri(df, 1 - assurance)) / df)
    return _quantile(n_groups, confidence_level) * math.sqrt(variance / n_groups) * luck


def _quantile(n_groups: int, confidence_level: float) -> float:
    return two_sided_quantile("normal" if n_groups == 1 else "t", confidence_level, max(n_groups - 1, 1))


def _spread(n_groups: int) -> tuple[Floats, Floats]:
    """Values of the estimated over the true spread, and their chances; for a single group it is known."""
    return (np.ones(1), np.ones(1)) if n_groups == 1 else spread_quantiles(n_groups - 1)


def power(difference: float, variance: float, n_groups: int, confidence_level: float) -> float:
    """The chance that a two-sided t test over so many groups finds a true difference; of one group a z test.

    >>> round(power(0.05, 0.01, 34, 0.95), 3), round(power(0.28, 0.01, 1, 0.95), 3)
    (0.808, 0.8)
    """
    if variance == 0:
        return 1.0 if difference else 1 - confidence_level
    limit = _quantile(n_groups, confidence_level)
    return rejection_chance(abs(difference) * math.sqrt(n_groups / variance), limit, *_spread(n_groups))


def errors_apart(n_groups: int, confidence_level: float, chance: float) -> float:
    """How many standard errors a true difference must be for a test to find it with that chance.

    >>> round(errors_apart(10, 0.95, 0.8), 4), round(errors_apart(1, 0.95, 0.8), 4)
    (3.1496, 2.8016)
    """
    if n_groups > 1:
        return noncentrality(n_groups - 1, 1 - confidence_level, chance)
    from scipy.optimize import brentq

    if chance <= 1 - confidence_level:
        return 0.0
    # 8 and the quantile of the test: no chance that a float holds apart from 1 needs more.
    most = 9 + _quantile(1, confidence_level)
    return float(brentq(lambda gap: power(gap, 1.0, 1, confidence_level) - chance, 0.0, most, xtol=1e-14))


def fewest(is_enough: Callable[[int], bool], start: int) -> float:
    """The smallest number of groups that is enough, by doubling and halving; infinite if none is.

    >>> fewest(lambda n: n * n >= 1000, 5)
    32.0
    """
    high = max(start, 2)
    while not is_enough(high):
        if high >= MOST_GROUPS:
            return math.inf
        high *= 2
    low = 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return float(high)


@dataclass(frozen=True)
class Target:
    """What is wanted of an interval or of a test.

    Attributes
    ----------
    half_width : float or None
        Not wider than this; or
    difference, power : float
        a true difference of this size found with this chance.
    confidence_level : float
        Of the interval; one less it is the level of the test.
    assurance : float or None
        Chance that the half-width is met.
    """

    half_width: float | None
    difference: float
    power: float
    confidence_level: float
    assurance: float | None

    def is_met(self, variance: float, n_groups: int) -> bool:
        """Whether so many groups, of this variance, are enough."""
        if self.half_width is not None:
            return half_width(variance, n_groups, self.confidence_level, self.assurance) <= self.half_width
        return power(self.difference, variance, n_groups, self.confidence_level) >= self.power

    def largest_variance(self, n_groups: int) -> float:
        """The variance of one group's reading with which so many groups are just enough."""
        if self.half_width is not None:
            unit = half_width(1.0, n_groups, self.confidence_level, self.assurance)
            return (self.half_width / unit) ** 2
        needed = errors_apart(n_groups, self.confidence_level, self.power)
        return math.inf if needed == 0 else n_groups * (self.difference / needed) ** 2

    def groups(self, components: Components, start: int, times_cases: float = 1.0) -> float:
        """The fewest groups that are enough, with so many times the cases in each."""
        if self.half_width is None and self.difference == 0:
            return math.inf
        variance = components.variance(times_cases)
        return fewest(lambda n: self.is_met(variance, n), start)

    def times_cases(self, components: Components, n_groups: int) -> float:
        """How many times the present cases so many groups need; infinite where no number suffices."""
        if self.half_width is None and self.difference == 0:
            return math.inf
        room = self.largest_variance(n_groups) - components.between
        if components.within == 0:
            return 0.0 if room >= 0 else math.inf
        return components.within / room if room > 0 else math.inf
