"""How many groups or cases suffice: half-widths, power, and the smallest numbers that reach a target.

The variance of one group's reading is ``between + within / times``, where ``times`` says how many times the
present number of cases a group has. Groups are what is random, so an interval for their mean uses Student's t
with one degree of freedom less than there are groups, and its quantile shrinks as groups are added. A single
group shows nothing of that: its cases alone are random then, their variance is taken as known, and quantiles
are normal. For one AUC, or two on the same cases, :func:`plan_auc` needs no data at all.

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

from rocsteady.arrays import Floats
from rocsteady.errors import Option, fail
from rocsteady.options import one_number, one_of, open_share, whole_number
from rocsteady.results import Result
from rocsteady.showing import Told
from rocsteady.simulate import binormal_auc_variance
from rocsteady.statistics.delong import hanley_mcneil_variance
from rocsteady.statistics.intervals import t_quantile
from rocsteady.statistics.power import noncentrality, rejection_chance, spread_quantiles
from rocsteady.words import grouped

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
    known = variances[~np.isnan(variances)]
    within = float(known.mean()) if known.size else np.nan
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


def power(difference: float, variance: float, n_groups: int, confidence_level: float) -> float:
    """The chance that a two-sided t test over so many groups finds a true difference; of one group a z test.

    >>> round(power(0.05, 0.01, 34, 0.95), 3), round(power(0.28, 0.01, 1, 0.95), 3)
    (0.808, 0.8)
    """
    if variance == 0:
        return 1.0 if difference else 1 - confidence_level
    limit = _quantile(n_groups, confidence_level)
    spread = (np.ones(1), np.ones(1)) if n_groups == 1 else spread_quantiles(n_groups - 1)
    return rejection_chance(abs(difference) * math.sqrt(n_groups / variance), limit, *spread)


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


def positive(name: str, value: object, example: float) -> float:
    """``value`` as a number above 0, else a coded error."""
    number = one_number(name, value, example)
    if not number > 0:
        raise fail("RS042", name=name, where="above 0", found=value, ways=[Option(name, example)])
    return number


# One AUC, or two, from numbers alone
# -----------------------------------


VARIANCES = ("binormal", "hanley-mcneil", "obuchowski")


@dataclass(frozen=True, eq=False, repr=False)
class AucPlan(Told, Result, sentence="planning.auc"):
    """Cases for one AUC or for a difference of two, and what they give.

    Attributes
    ----------
    auc, other : float
        The AUC expected; what it is held against, a fixed number or the AUC of another model.
    is_paired : bool
        Whether ``other`` is a model's, on the same cases.
    correlation : float
        Of the two AUCs over samples of cases; NaN for a fixed number.
    n_positives, n_negatives : float
        Cases of each class, whole numbers.
    power : float
        Chance that the test rejects.
    half_width : float
        Of the interval for the AUC, or for the difference.
    standard_error : float
        Of the same.
    variance : str
        The formula.
    confidence_level : float
        One less it is the level of the two-sided test.
    random : str
        What is random.
    """

    auc: float
    other: float
    is_paired: bool
    correlation: float
    n_positives: float
    n_negatives: float
    power: float
    half_width: float
    standard_error: float
    variance: str
    confidence_level: float
    random: str = "cases of one dataset"

    def __repr__(self) -> str:
        against = f"{self.auc:g} against {self.other:g}{' on the same cases' if self.is_paired else ''}"
        cases = f"{grouped(int(self.n_positives))} positives, {grouped(int(self.n_negatives))} negatives"
        return f"AucPlan({against}: {cases}; power {self.power:.3f}, half-width {self.half_width:.4f})"


@dataclass(frozen=True)
class _Question:
    """Two AUCs, how they go together, and which formula says how they scatter."""

    auc: float
    other: float
    correlation: float
    variance: str
    quantile: float

    @property
    def is_paired(self) -> bool:
        return not math.isnan(self.correlation)

    def _variance(self, auc: float, n_positives: float, n_negatives: float) -> float:
        if self.variance == "hanley-mcneil":
            return float(hanley_mcneil_variance(np.array(auc), n_positives, n_negatives))
        if self.variance == "obuchowski":
            return obuchowski_variance(auc, n_positives, n_negatives)
        return normal_variance(auc, n_positives, n_negatives)

    def errors(self, n_positives: float, n_negatives: float) -> tuple[float, float]:
        """Standard errors where nothing differs, and as expected."""
        if not self.is_paired:
            of = [self._variance(area, n_positives, n_negatives) for area in (self.other, self.auc)]
            return math.sqrt(of[0]), math.sqrt(of[1])
        own, other = (self._variance(area, n_positives, n_negatives) for area in (self.auc, self.other))
        middle = self._variance((self.auc + self.other) / 2, n_positives, n_negatives)
        expected = own + other - 2 * self.correlation * math.sqrt(own * other)
        return math.sqrt(2 * (1 - self.correlation) * middle), math.sqrt(expected)

    def power(self, n_positives: float, n_negatives: float) -> float:
        from scipy.special import ndtr

        null, expected = self.errors(n_positives, n_negatives)
        gap = abs(self.auc - self.other)
        near = float(ndtr((gap - self.quantile * null) / expected))
        return near + float(ndtr((-gap - self.quantile * null) / expected))

    def half_width(self, n_positives: float, n_negatives: float) -> float:
        return self.quantile * self.errors(n_positives, n_negatives)[1]


def normal_variance(auc: float, n_positives: float, n_negatives: float) -> float:
    """Of an AUC of normal scores with equal spread, exactly.

    >>> round(normal_variance(0.8, 50, 50) ** 0.5, 4)
    0.0437
    """
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


def plan_auc(
    auc: float,
    *,
    null: float | None = None,
    other_auc: float | None = None,
    correlation: float | None = None,
    n_positives: int | None = None,
    n_negatives: int | None = None,
    ratio: float | None = None,
    half_width: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    variance: str = "binormal",
) -> AucPlan:
    """Cases for one AUC, or to tell two apart on the same cases, without any data.

    Give numbers of cases and read the power and the half-width; or leave them out, and read how many cases
    reach ``power``, or ``half_width``.

    Parameters
    ----------
    auc : float
        The AUC that is expected, in (0, 1).
    null : float, optional
        The fixed AUC that it is tested against; 0.5 unless said.
    other_auc : float, optional
        The AUC of another model on the same cases, instead of ``null``.
    correlation : float, optional
        Of the two models' AUCs over samples of cases, needed with ``other_auc``. Take it from a pilot:
        ``compare_auc(labels, scores_a, scores_b).correlation``. It is near 1 for versions of one model, and
        near 0 or below for markers of different things, where a guess that is too high asks for far too few
        cases; 0 for separate samples.
    n_positives, n_negatives : int, optional
        Cases; of one of them the other follows by ``ratio``.
    ratio : float, optional
        Negatives for each positive; 1 unless said.
    half_width : float, optional
        Wanted of the interval, instead of ``power``.
    power : float
        Wanted of the two-sided test.
    confidence_level : float
        Of the interval; one less it is the level of the test.
    variance : {"binormal", "hanley-mcneil", "obuchowski"}
        Of an AUC: exact for normal scores with equal spread; for exponential scores; for a curve fitted to
        ratings (as in pROC's ``power.roc.test``). The last two ask for more cases where the AUC is high: at
        0.9 by 13 % and 50 % with as many negatives as positives, more with ten times as many.

    Returns
    -------
    AucPlan

    Notes
    -----
    What is random: cases; there is one dataset. For many, :func:`plan` says what differs between them. Power
    is that of a normal test whose error is known: where nothing differs, as in the rank-sum test against 0.5,
    and at the mean of two AUCs. Below 10 cases of a class it is rough.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.plan_auc(0.8, null=0.7)
    AucPlan(0.8 against 0.7: 96 positives, 96 negatives; power 0.802, half-width 0.0617)
    >>> rs.plan_auc(0.8, other_auc=0.75, correlation=0.6, n_positives=100, ratio=4).power.__round__(3)
    0.585
    """
    level = open_share("confidence_level", confidence_level)
    question = _question(auc, null, other_auc, correlation, variance, level)
    power = open_share("power", power)
    if n_positives is not None or n_negatives is not None:
        if half_width is not None:
            other, ways = "numbers of cases", ["leave out  half_width, or the numbers of cases"]
            raise fail("RS002.together", name="half_width", other=other, value=half_width, ways=ways)
        cases = _given_cases(n_positives, n_negatives, ratio)
    else:
        cases = _needed_cases(question, _ratio(ratio), half_width, power, is_default=null is None)
    return AucPlan(
        question.auc,
        question.other,
        question.is_paired,
        question.correlation,
        *cases,
        power=question.power(*cases),
        half_width=question.half_width(*cases),
        standard_error=question.errors(*cases)[1],
        variance=variance,
        confidence_level=level,
    )


def _question(
    auc: Any, null: Any, other_auc: Any, correlation: Any, variance: str, level: float
) -> _Question:
    one_of("variance", variance, VARIANCES, elsewhere={"hanley": "hanley-mcneil"})
    if other_auc is not None and null is not None:
        raise fail("RS002.together", name="null", other="other_auc", value=null, ways=["leave one out"])
    if other_auc is None and correlation is not None:
        raise fail("RS002.correlation-of-one", correlation=correlation)
    if other_auc is not None and correlation is None:
        raise fail("RS002.no-correlation")
    r = math.nan if correlation is None else one_number("correlation", correlation, 0.5)
    if correlation is not None and not -1 < r < 1:
        where, ways = "above -1 and below 1", [Option("correlation", 0.5)]
        raise fail("RS042", name="correlation", where=where, found=correlation, ways=ways)
    name, against = ("other_auc", other_auc) if other_auc is not None else ("null", null)
    against = 0.5 if against is None else open_share(name, against)
    return _Question(open_share("auc", auc), against, r, variance, t_quantile(np.inf, level))


def _ratio(given: Any) -> float:
    """Negatives for each positive; RS042 for one that no study has."""
    ratio = 1.0 if given is None else positive("ratio", given, 1.0)
    if not 1 / MOST_GROUPS <= ratio <= MOST_GROUPS:
        where = f"between {1 / MOST_GROUPS:g} and {MOST_GROUPS:g}"
        raise fail("RS042", name="ratio", where=where, found=given, ways=[Option("ratio", 10.0)])
    return ratio


def _given_cases(n_positives: Any, n_negatives: Any, ratio: Any) -> tuple[float, float]:
    if n_positives is not None and n_negatives is not None and ratio is not None:
        other, ways = "both numbers of cases", ["leave out  ratio"]
        raise fail("RS002.together", name="ratio", other=other, value=ratio, ways=ways)
    per_positive = _ratio(ratio)
    sizes = {"n_positives": n_positives, "n_negatives": n_negatives}
    known = {name: whole_number(name, n, least=2, example=100) for name, n in sizes.items() if n is not None}
    positives = known.get("n_positives", _rounded_up(known.get("n_negatives", 0) / per_positive))
    negatives = known.get("n_negatives", _rounded_up(positives * per_positive))
    return float(max(positives, 2)), float(max(negatives, 2))


def _rounded_up(cases: float) -> int:
    """The whole number that is enough, but for rounding: 84 / 0.7 is 120, not 121."""
    return math.ceil(cases * (1 - 1e-12))


def _needed_cases(
    question: _Question, ratio: float, half_width: Any, power: float, *, is_default: bool
) -> tuple[float, float]:
    """The fewest cases of the rarer class that reach what is wanted, and those of the other."""
    width = None if half_width is None else positive("half_width", half_width, 0.05)
    if width is None and question.auc == question.other:
        name = "other_auc" if question.is_paired else "null"
        ways = [Option(name, 0.7 if question.auc != 0.7 else 0.6)]
        ways += [Option("half_width", 0.05)] if is_default else []
        raise fail("RS042.equal-aucs", auc=question.auc, other=question.other, ways=ways)

    def sizes(n: float) -> tuple[float, float]:
        other = float(_rounded_up(n * ratio if ratio >= 1 else n / ratio))
        return (n, other) if ratio >= 1 else (other, n)

    def is_enough(n: int) -> bool:
        cases = sizes(float(n))
        return question.half_width(*cases) <= width if width else question.power(*cases) >= power

    rarer = fewest(is_enough, 2)
    if math.isinf(rarer):
        raise fail(
            "RS042.too-many-cases",
            most=MOST_GROUPS,
            half_width=width,
            power=None if width else power,
            auc=question.auc,
            other=question.other,
        )
    return sizes(rarer)
