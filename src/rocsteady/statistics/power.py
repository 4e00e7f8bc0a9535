"""Power, half-widths, and the smallest numbers that reach a target, as functions of numbers and arrays.

What is estimated besides is integrated over: the spread of a t test, whose noncentral t has NaN in SciPy. A
spread that is known has infinite degrees of freedom, and the normal distribution.

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
Hanley & McNeil (1982), Radiology 143, 29-36, and (1983), Radiology 148, 839-843.
Obuchowski & McClish (1997), Statistics in Medicine 16, 1529-1542.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.simulate import binormal_auc_variance
from rocsteady.statistics.delong import hanley_mcneil_variance
from rocsteady.statistics.limits import t_quantile, upper_tail

MOST = 10**9
"""Nobody will have more groups or cases; a plan that needs more says that none suffices."""
_NODES = 200
"""Values of a variance that the uncertainty of a pilot is averaged over."""
_POINTS = 160
"""Points of an integral over normal quantiles up to a kink."""
_NORMAL_DF = 1e7
"""With more degrees of freedom Student's t is normal to all digits that count."""
_DIGITS = 4e-15


# Power of t tests, over the spread that they estimate
# ----------------------------------------------------

FARTHEST = 9.0
"""Normal quantiles of the spread that are integrated over."""


def noncentrality(df: float, alpha: float, power: float, *, own_df: float | None = None) -> float:
    """The noncentrality at which a two-sided t test at level ``alpha`` rejects with chance ``power``.

    ``own_df`` are the degrees of freedom of the estimated spread, if the test takes others for its limit;
    infinite ones make it a z test.

    >>> round(noncentrality(9, 0.05, 0.8), 4), round(noncentrality(math.inf, 0.05, 0.8), 4)
    (3.1496, 2.8016)
    """
    limit = t_quantile(df, 1 - alpha)
    spread = spread_quantiles(df if own_df is None else own_df)
    if power <= rejection_chance(0.0, limit, *spread):
        return 0.0
    low, high = 0.0, 1.0
    while rejection_chance(high, limit, *spread) < power:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rejection_chance(middle, limit, *spread) < power else (low, middle)
    return (low + high) / 2


def rejection_chance(delta: float, limit: float, scale: Floats, share: Floats) -> float:
    """The chance that ``|Z + delta|``, with Z normal, exceeds ``limit`` times an estimated spread."""
    return float(share @ (upper_tail(limit * scale - delta) + upper_tail(limit * scale + delta)))


def spread_quantiles(df: Any, n: int = 3601) -> tuple[Floats, Floats]:
    """Values of the estimated over the true spread for each df, ``(..., n)``, and the chance of each."""
    z = np.linspace(-FARTHEST, FARTHEST, n)
    share = np.exp(-(z**2) / 2)
    return spread_ratios(df, z), share / share.sum()


def spread_ratios(df: Any, z: Floats) -> Floats:
    """Estimated over true spread at normal quantiles, ``(..., n)``; 1 where the spread is known."""
    from scipy.special import gammainccinv, gammaincinv, ndtr

    half, z = np.broadcast_arrays(np.asarray(df, dtype=np.float64)[..., None] / 2, z)
    found = np.ones(half.shape)
    is_low, is_high = (~np.isinf(half) & side for side in (z < 0, z >= 0))
    found[is_low] = gammaincinv(half[is_low], ndtr(z[is_low])) / half[is_low]
    found[is_high] = gammainccinv(half[is_high], ndtr(-z[is_high])) / half[is_high]
    return np.asarray(np.sqrt(found))


def chances_of_tests(
    test: str, gain: float, margin: float, variance: Floats, df: Floats, confidence_level: float
) -> Floats:
    """The chance of each ``variance`` and ``df`` of a difference that a test shows what it is to show.

    ``gain`` is the true difference, above 0 where the new one is better; one-sided tests have half the level.
    """
    from scipy.special import ndtr

    df = np.where(df > _NORMAL_DF, np.inf, df)
    limit = t_quantile(df, confidence_level)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(variance)[:, None]
        shift = np.nan_to_num(gain / error, nan=0.0)  # no difference and no error: none is seen
        room = margin / error
        if test == "equivalence":
            scale, share = _spread_below(df, room[:, 0] / limit[:, 0])
        else:  # smooth: 181 points leave an error below 1e-12
            scale, share = spread_quantiles(df, 181)
        if test == "difference":
            chance = ndtr(abs(shift) - limit * scale) + ndtr(-abs(shift) - limit * scale)
        elif test == "non-inferiority":
            chance = ndtr(shift + room - limit * scale)
        else:
            inner = np.where(np.isinf(room), np.inf, room - limit * scale)
            chance = np.maximum(ndtr(inner - shift) - ndtr(-inner - shift), 0.0)
    whole = (chance * share).sum(axis=1)
    return np.where(whole > 1 - _DIGITS, 1.0, whole)  # shares add up to 1 but for rounding


def _spread_below(df: Floats, largest: Floats) -> tuple[Floats, Floats]:
    """Spreads up to the ``largest`` of each df, where the chance of equivalence ends in a kink."""
    from scipy.special import gammainc, gammaincc, ndtri

    nodes, weights = _legendre(_POINTS)
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
def _legendre(n: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(n)


# The variance of one group's reading, and the half-widths and the power that it gives
# -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Components:
    """The variance of one group's reading: between groups, and within one with as many cases as now.

    ``seen`` and ``df`` are the variance that a pilot showed and its degrees of freedom: how uncertain both
    are.
    """

    between: float
    within: float
    seen: float = math.nan
    df: int = 0

    def variance(self, times_cases: float = 1.0) -> float:
        """Of one reading, with so many times the cases; infinite leaves what lies between groups."""
        return self.between + self.within / times_cases


def split_variance(values: Floats, variances: Floats) -> Components:
    """Between groups by difference: what is seen less what the cases explain, not below 0."""
    known = variances[~np.isnan(variances)]
    within = float(known.mean()) if known.size else np.nan
    return Components(max(variance_seen(values) - within, 0.0), within)


def planned_components(values: Floats, within: float) -> Components:
    """The same for looking ahead: as often too large as too small.

    A variance seen in few groups is more often too small than too large, so it is divided by the median of
    its distribution, not by the mean.
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
    """Limits of the variance between groups: chi-square limits of the whole, less what the cases explain."""
    from scipy.special import chdtri

    df, whole, tail = values.size - 1, variance_seen(values), (1 - confidence_level) / 2
    low, high = (df * whole / float(chdtri(df, upper)) for upper in (tail, 1 - tail))
    return max(low - within, 0.0), max(high - within, 0.0)


def half_width(variance: float, n_groups: int, confidence_level: float, assurance: float | None) -> float:
    """Of the t interval for the mean of so many groups, or of the normal one for a single group.

    Without ``assurance`` it is the root mean square of what will be seen; with it, what the half-width seen
    will not exceed with that chance.
    """
    from scipy.special import chdtri

    df = n_groups - 1
    luck = 1.0 if assurance is None else math.sqrt(float(chdtri(df, 1 - assurance)) / df)
    return float(t_quantile(df_of(n_groups), confidence_level)) * math.sqrt(variance / n_groups) * luck


def promised_half_width(
    parts: Components, times_cases: float, n_groups: int, confidence_level: float, assurance: float | None
) -> float:
    """The same from what is known of the variance: an assurance counts the uncertainty of the pilot, too."""
    if assurance is None or not parts.df:
        return half_width(parts.variance(times_cases), n_groups, confidence_level, assurance)
    variance = _assured_variance(parts, times_cases, n_groups - 1, assurance)
    return float(t_quantile(df_of(n_groups), confidence_level)) * math.sqrt(variance / n_groups)


def _assured_variance(parts: Components, times_cases: float, df: int, assurance: float) -> float:
    """The variance that a study will not exceed with that chance.

    Over that of the pilot it has an F distribution with as many cases; with others, those of every variance
    that the pilot may come from are mixed.
    """
    from scipy.optimize import brentq
    from scipy.special import chdtr, chdtri, fdtri

    same = parts.seen * float(fdtri(df, parts.df, assurance))
    if times_cases == 1 or parts.within == 0 or same == 0:
        return same
    places, lengths = _legendre(_NODES)
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


def df_of(n_groups: int) -> float:
    """Degrees of freedom of the variance between so many groups; infinite for one, whose cases are known."""
    return math.inf if n_groups == 1 else n_groups - 1


def power(difference: float, variance: float, n_groups: int, confidence_level: float) -> float:
    """The chance that a two-sided t test over so many groups finds a difference; of one group z."""
    if variance == 0:
        return 1.0 if difference else 1 - confidence_level
    df, away = df_of(n_groups), abs(difference) * math.sqrt(n_groups / variance)
    return rejection_chance(away, t_quantile(df, confidence_level), *spread_quantiles(df))


def fewest(is_enough: Callable[[int], bool], start: int) -> float:
    """The smallest number of groups that is enough, by doubling and halving; infinite if none is."""
    high = max(start, 2)
    while not is_enough(high):
        if high >= MOST:
            return math.inf
        high *= 2
    found = _halved(lambda n: np.array([is_enough(int(n[0]))]), np.ones(1), np.array([float(high)]))
    return float(found[0])


def first_enough(
    chance_at: Callable[[Any, Floats], Floats], chance: Floats, grid: Floats, least: int, power: float
) -> Floats:
    """For each row the first whole number that is enough, between two of the grid; infinite if none is."""
    is_enough = chance >= power
    found = np.full(len(is_enough), np.inf)
    rows = np.flatnonzero(is_enough.any(axis=1))
    if rows.size == 0:
        return found
    first = is_enough[rows].argmax(axis=1)
    low = np.where(first > 0, grid[first - 1], least - 1)
    found[rows] = _halved(lambda n: chance_at(rows, n) >= power, low, grid[first])
    return found


def _halved(is_enough: Callable[[Floats], Mask], low: Floats, high: Floats) -> Floats:
    """Row by row the smallest whole number that is enough, above ``low``, which is not, up to ``high``."""
    while (is_open := high - low > 1).any():
        middle = np.floor((low + high) / 2)
        is_met = is_enough(middle)
        high, low = np.where(is_met & is_open, middle, high), np.where(~is_met & is_open, middle, low)
    return high


@dataclass(frozen=True)
class Target:
    """What is wanted of an interval, or of a test (at one less ``confidence_level``)."""

    half_width: float | None
    difference: float
    power: float
    confidence_level: float
    assurance: float | None

    def is_met(self, components: Components, n_groups: int, times_cases: float = 1.0) -> bool:
        """Whether so many groups, with so many times the cases in each, are enough."""
        if self.half_width is not None:
            return self.promised(components, n_groups, times_cases) <= self.half_width
        return self.chance(components, n_groups, times_cases) >= self.power

    def promised(self, components: Components, n_groups: int, times_cases: float = 1.0) -> float:
        """The half-width that so many groups have."""
        level, assurance = self.confidence_level, self.assurance
        return promised_half_width(components, times_cases, n_groups, level, assurance)

    def chance(self, components: Components, n_groups: int, times_cases: float = 1.0) -> float:
        """The chance that they find the difference."""
        return power(self.difference, components.variance(times_cases), n_groups, self.confidence_level)

    def largest_variance(self, n_groups: int) -> float:
        """The variance of one group's reading with which so many groups are just enough."""
        if self.half_width is not None:
            unit = half_width(1.0, n_groups, self.confidence_level, self.assurance)
            return (self.half_width / unit) ** 2
        needed = noncentrality(df_of(n_groups), 1 - self.confidence_level, self.power)
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
            return self.promised(components, n_groups, math.exp(log_times)) - (self.half_width or 0.0)

        if self.half_width is None or self.promised(components, n_groups, math.inf) > self.half_width:
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


# Of one AUC
# ----------


def binormal_variance(auc: float, n_positives: float, n_negatives: float) -> float:
    """Of an AUC of normal scores with equal spread, exactly."""
    from scipy.special import ndtri

    separation = math.sqrt(2) * float(ndtri(auc))
    return binormal_auc_variance(separation, n_positives=int(n_positives), n_negatives=int(n_negatives))


def obuchowski_variance(auc: float, n_positives: float, n_negatives: float) -> float:
    """Of an AUC fitted to ratings in a few categories; larger than that of the counted AUC when it is high.

    >>> round(obuchowski_variance(0.8, 50, 50) ** 0.5, 4)
    0.0489
    """
    from scipy.special import ndtri

    a = 1.414 * float(ndtri(auc))
    ratio = n_negatives / n_positives
    return 0.0099 * math.exp(-(a**2) / 2) * ((5 * a**2 + 8) + (a**2 + 8) / ratio) / n_positives


AUC_VARIANCES: dict[str, Callable[[float, float, float], float]] = {
    "binormal": binormal_variance,
    "hanley-mcneil": lambda auc, m, n: float(hanley_mcneil_variance(np.array(auc), m, n)),
    "obuchowski": obuchowski_variance,
}
"""By name: of an AUC with so many positives and negatives."""
