"""What so many groups with so many cases would give: half-widths, power, and the smallest that suffice.

The variance of one group's reading is ``between + within / times``, where ``times`` says how many times the
present number of cases a group has. Groups are what is random, so an interval for their mean uses Student's t
with one degree of freedom less than there are groups, and its quantile shrinks as groups are added. A single
group shows nothing of that: its cases alone are random then, their variance is taken as known, and quantiles
are normal.

References
----------
Kupper & Hafner (1989), The American Statistician 43, 101-105: the half-width is itself random.
Browne (1995), Statistics in Medicine 14, 1933-1940; Julious & Owen (2006), Pharmaceutical Statistics 5,
29-37: so is the variance that a pilot shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rocsteady.statistics.groups import noncentrality, rejection_chance, spread_quantiles
from rocsteady.statistics.intervals import t_quantile

Floats = NDArray[np.float64]

MOST_GROUPS = 10**9
"""Nobody will have more; a plan that needs more says that none suffices."""
_NODES = 200
"""Values of a variance that the uncertainty of a pilot is averaged over."""


@dataclass(frozen=True)
class Components:
    """The variance of one group's reading, in two parts.

    Attributes
    ----------
    between : float
        Of the groups' true values.
    within : float
        Of a group's reading around its true value, on average, with as many cases as now.
    seen, df : float
        The variance of readings that a pilot showed, and its degrees of freedom: how uncertain the parts are.
        No degrees of freedom where they are known.
    """

    between: float
    within: float
    seen: float = math.nan
    df: int = 0

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
    seen = variance_seen(values)
    typical = seen * df / float(chdtri(df, 0.5))
    return Components(max(typical - within, 0.0), within, seen, df)


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


def promised_half_width(
    parts: Components, times_cases: float, n_groups: int, confidence_level: float, assurance: float | None
) -> float:
    """The same from what is known of the variance: an assurance counts the uncertainty of the pilot, too.

    >>> known, pilot = Components(0.01, 0.0), Components(0.01, 0.0, 0.01, 9)
    >>> round(promised_half_width(known, 1, 10, 0.95, 0.8), 4)
    0.0834
    >>> round(promised_half_width(pilot, 1, 10, 0.95, 0.8), 4)
    0.0956
    """
    if assurance is None or not parts.df:
        return half_width(parts.variance(times_cases), n_groups, confidence_level, assurance)
    variance = _assured_variance(parts, times_cases, n_groups - 1, assurance)
    return _quantile(n_groups, confidence_level) * math.sqrt(variance / n_groups)


@cache
def _nodes() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(_NODES)


def _assured_variance(parts: Components, times_cases: float, df: int, assurance: float) -> float:
    """The variance that a study will not exceed with that chance.

    The ratio of its variance to the pilot's has an F distribution, with as many cases as in the pilot. With
    others, every variance that the pilot may come from is split, and its chi-square distributions are mixed.
    """
    from scipy.optimize import brentq
    from scipy.special import chdtr, chdtri, fdtri

    same = parts.seen * float(fdtri(df, parts.df, assurance))
    if times_cases == 1 or parts.within == 0 or same == 0:
        return same
    places, lengths = _nodes()
    true = parts.seen * parts.df / np.asarray(chdtri(parts.df, (1 + places) / 2))
    within = np.minimum(parts.within, true)
    variances = true - within + within / times_cases

    def excess(variance: float) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is left between groups
            chances = chdtr(df, df * variance / variances)
        return float(lengths @ np.where(variances > 0, chances, 1.0)) / 2 - assurance

    if excess(0.0) >= 0:
        return 0.0
    return float(brentq(excess, 0.0, 2 * same * max(1.0, 1 / times_cases), rtol=1e-12))


def _quantile(n_groups: int, confidence_level: float) -> float:
    return float(t_quantile(np.inf if n_groups == 1 else n_groups - 1, confidence_level))


def variance_of_half_width(width: float, n_groups: int, confidence_level: float) -> float:
    """The variance of one reading that gives so many groups this half-width.

    >>> round(variance_of_half_width(half_width(0.01, 10, 0.95, None), 10, 0.95), 9)
    0.01
    """
    return n_groups * (width / _quantile(n_groups, confidence_level)) ** 2


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

    def is_met(self, components: Components, n_groups: int, times_cases: float = 1.0) -> bool:
        """Whether so many groups, with so many times the cases in each, are enough."""
        if self.half_width is not None:
            return self._promised(components, n_groups, times_cases) <= self.half_width
        variance = components.variance(times_cases)
        return power(self.difference, variance, n_groups, self.confidence_level) >= self.power

    def _promised(self, components: Components, n_groups: int, times_cases: float) -> float:
        level, assurance = self.confidence_level, self.assurance
        return promised_half_width(components, times_cases, n_groups, level, assurance)

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
        return fewest(lambda n: self.is_met(components, n, times_cases), start)

    def times_cases(self, components: Components, n_groups: int) -> float:
        """How many times the present cases so many groups need; infinite where no number suffices."""
        if self.half_width is None and self.difference == 0:
            return math.inf
        if self.half_width is not None and self.assurance is not None and components.df:
            return self._assured_times(components, n_groups)
        room = self.largest_variance(n_groups) - components.between
        if components.within == 0:
            return 0.0 if room >= 0 else math.inf
        return components.within / room if room > 0 else math.inf

    def _assured_times(self, components: Components, n_groups: int) -> float:
        from scipy.optimize import brentq

        def excess(log_times: float) -> float:
            return self._promised(components, n_groups, math.exp(log_times)) - (self.half_width or 0.0)

        if self.half_width is None or self._promised(components, n_groups, math.inf) > self.half_width:
            return math.inf
        if components.within == 0 or components.seen == 0:
            return 0.0
        low, high = -1.0, 1.0
        while excess(low) <= 0:
            low *= 2
        while excess(high) > 0:
            if high > 60:  # nothing but the differences between groups is left
                return math.inf
            high *= 2
        return math.exp(float(brentq(excess, low, high, rtol=1e-12)))
