"""Cases and power for one AUC, or for the difference of two, from numbers alone.

References
----------
Hanley & McNeil (1982), Radiology 143, 29-36, and (1983), Radiology 148, 839-843.
Obuchowski & McClish (1997), Statistics in Medicine 16, 1529-1542.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.errors import Option, fail
from rocsteady.inference.planning.designs import MOST_GROUPS, fewest
from rocsteady.inference.planning.results import positive
from rocsteady.options import one_number, one_of, open_share, whole_number
from rocsteady.results import Result
from rocsteady.simulate import binormal_auc_variance
from rocsteady.statistics.delong import hanley_mcneil_variance
from rocsteady.statistics.intervals import normal_quantile
from rocsteady.words import grouped

_WHOSE = {
    "binormal": "that of normal scores with equal spread",
    "hanley-mcneil": "Hanley and McNeil's",
    "obuchowski": "Obuchowski's",
}


@dataclass(frozen=True, eq=False, repr=False)
class AucPlan(Result):
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
    reading : str
        The same in plain words.
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
    random: str
    reading: str

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
    question, is_default = _question(
        auc, null, other_auc, correlation, variance, open_share("confidence_level", confidence_level)
    )
    power = open_share("power", power)
    given = (n_positives, n_negatives, ratio)
    if n_positives is not None or n_negatives is not None:
        if half_width is not None:
            other, ways = "numbers of cases", ["leave out  half_width, or the numbers of cases"]
            raise fail("RS002.together", name="half_width", other=other, value=half_width, ways=ways)
        cases = _given_cases(*given)
    else:
        cases = _needed_cases(question, _ratio(ratio), half_width, power, is_default)
    return _answer(question, cases, float(confidence_level))


def _question(
    auc: Any, null: Any, other_auc: Any, correlation: Any, variance: str, level: float
) -> tuple[_Question, bool]:
    one_of("variance", variance, tuple(_WHOSE), elsewhere={"hanley": "hanley-mcneil"})
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
    return _Question(open_share("auc", auc), against, r, variance, normal_quantile(level)), null is None


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
    question: _Question, ratio: float, half_width: Any, power: float, is_default: bool
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


def _answer(question: _Question, cases: tuple[float, float], level: float) -> AucPlan:
    error = question.errors(*cases)[1]
    numbers = {"power": question.power(*cases), "half_width": question.quantile * error}
    what = "a difference of" if question.is_paired else "an AUC of"
    size = f"{abs(question.auc - question.other):.3g}" if question.is_paired else f"{question.auc:g}"
    against = "between two AUCs on the same cases" if question.is_paired else f"against {question.other:g}"
    sizes = f"{grouped(int(cases[0]))} positives and {grouped(int(cases[1]))} negatives"
    text = (
        f"With {sizes}, {what} {size} {against} is found with a chance of {100 * numbers['power']:.0f} % "
        f"(two-sided test at {100 * (1 - level):.3g} %), and its {100 * level:g} % interval has a half-width "
        f"of {numbers['half_width']:.2g}. Cases of one dataset are what is random; the variance is "
        f"{_WHOSE[question.variance]}."
    )
    return AucPlan(
        question.auc,
        question.other,
        question.is_paired,
        question.correlation,
        *cases,
        **numbers,
        standard_error=error,
        variance=question.variance,
        confidence_level=level,
        random="cases of one dataset",
        reading=text,
    )
