"""Differences of two modalities: tested against none, and held against a margin.

Non-inferiority and equivalence need an estimate, its standard error and degrees of freedom, which every
:class:`~rocsteady.inference.differences.Difference` has: of reader studies, of a standalone reading
against readers, of two models on the same cases or datasets.

References
----------
Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680: two one-sided tests.
Chen, Petrick & Sahiner (2012), Academic Radiology 19, 1158-1165: margins in reader studies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from rocsteady.errors import Option, Remedy, fail, near_match, warn
from rocsteady.inference.differences import Difference
from rocsteady.options import one_number
from rocsteady.results import Result, decides
from rocsteady.showing import Told
from rocsteady.statistics.limits import (
    Interval,
    ratio_to_error,
    t_quantile,
    two_sided_pvalue,
    upper_tail,
)
from rocsteady.statistics.multiplicity import adjusted

DEFAULT_ALPHA = 0.025
"""Of each one-sided test: the two-sided 95 % interval then decides, as regulators ask."""


class ReaderTest(StrEnum):
    """Where the p-value of a difference between readings comes from."""

    OBUCHOWSKI_ROCKETTE = "obuchowski-rockette"
    U_STATISTICS = "u-statistics"
    STANDALONE = "standalone"  # a system against readers
    CURVES = "curves"  # two average curves at a place


@dataclass(frozen=True)
class OfReaders:
    """What a difference of a reader study is of, what is random, and which test."""

    chapter: ClassVar = "readers"
    """Of the sentences that are written from these facts."""

    measured: str
    test: ReaderTest
    covariance: str
    unit: str
    n_readers: int
    readers: str
    cases: str
    has_patients: bool
    hold: str = ""
    at: float = float("nan")
    statistic: Any = None
    """What was read off every curve."""


def tested_difference(
    pair: tuple[str, str],
    values: tuple[float, float],
    intervals: tuple[Interval, Interval],
    found: tuple[float, float, float],
    confidence_level: float,
    facts: OfReaders,
    *,
    lower_is_better: bool,
) -> Difference:
    """From the difference with its error and degrees of freedom; without an error there is no test."""
    difference, error, df = found
    statistic = ratio_to_error(difference, error)
    pvalue = 1.0 if difference == 0 else float(two_sided_pvalue(statistic, df))
    half = float(t_quantile(df, confidence_level)) * error if error else 0.0
    kind = "z" if np.isinf(df) else "t"
    if error == 0 and difference:
        pvalue, half, kind = float("nan"), float("nan"), "none"
    return Difference(
        a=pair[0],
        b=pair[1],
        a_value=values[0],
        b_value=values[1],
        difference=difference,
        standard_error=error,
        interval=Interval(difference - half, difference + half, confidence_level, kind),
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        flip_pvalue=float("nan"),
        adjusted_pvalue=pvalue,
        a_interval=intervals[0],
        b_interval=intervals[1],
        lower_is_better=lower_is_better,
        facts=facts,
    )


def adjusted_differences(found: Sequence[Difference], adjust: str | None) -> tuple[Difference, ...]:
    """The same with p-values adjusted for their number."""
    if len(found) == 1:
        return tuple(found)
    pvalues = adjusted(np.array([own.pvalue for own in found]), adjust).tolist()
    return tuple(replace(own, adjusted_pvalue=p) for own, p in zip(found, pvalues, strict=True))


def require_known_errors(covariance: str, differences: Sequence[Difference]) -> None:
    """RS030 where the variance of a difference came out below 0, which an unbiased estimate may."""
    n_unknown = int(np.isnan([own.standard_error for own in differences]).sum())
    if n_unknown:
        raise fail("RS030.negative", covariance=covariance, n=n_unknown, n_differences=len(differences))


@dataclass(frozen=True, eq=False, repr=False)
class AgainstMargin(Told, Result, sentence="readers.margin"):
    """A difference held against a margin: what both kinds of tests have in common.

    Attributes
    ----------
    quantity : str
        What was measured.
    difference, standard_error, df : float
        Of the first modality less the second; infinite ``df`` for a normal test.
    margin : float
        The margin, on the scale of the quantity.
    statistic, pvalue : float
        NaN, as the limits of the interval are, where the standard error is 0: nothing is shown then.
    alpha : float
        Level of a one-sided test.
    interval : Interval
        Lies on the near side of the margin exactly where the test rejects.
    random : str
        What is random.
    """

    _told: ClassVar = ("is_shown",)

    quantity: str
    difference: float
    standard_error: float
    df: float
    margin: float
    statistic: float
    pvalue: float
    alpha: float
    interval: Interval
    random: str

    @property
    def is_shown(self) -> bool:
        """Whether what was to be shown is shown, at the level ``alpha``."""
        return decides(self.pvalue, self.alpha)


@dataclass(frozen=True, eq=False, repr=False)
class NonInferiority(AgainstMargin):
    """Whether one modality is shown to be not worse than another by a margin.

    Attributes
    ----------
    new, reference : str
        The modality that must not be worse, and the one that it is held against; the difference is the first
        less the second, and the p-value one-sided, against the hypothesis that it is worse by the margin.
    interval : Interval
        One-sided, of level ``1 - alpha``. Its finite limit is also a limit of the two-sided interval of level
        ``1 - 2 * alpha``.
    lower_is_better : bool
        Whether less is better, as of false positive rates; worse is then higher.
    """

    _line = (
        "{quantity}, {new} against {reference}, margin {margin:g}: {is_shown:shown|not shown}, "
        "{difference:+.4f}, one-sided p {pvalue:.3g}"
    )

    new: str
    reference: str
    lower_is_better: bool

    @property
    def bound(self) -> float:
        """How much better ``new`` is at least, at the level of the interval: the limit on the near side."""
        return float(-self.interval.high if self.lower_is_better else self.interval.low)

    @property
    def is_superior(self) -> bool:
        """Whether the interval leaves out 0 too: then ``new`` is shown to be better, at the same level."""
        return bool(self.bound > 0)


@dataclass(frozen=True, eq=False, repr=False)
class Equivalence(AgainstMargin):
    """Whether two modalities are shown to differ by less than a margin, by two one-sided tests.

    Attributes
    ----------
    a, b : str
        Which two; the difference is the first less the second.
    statistic, pvalue : float
        Of the one of the two tests that is less sure.
    interval : Interval
        Two-sided, of level ``1 - 2 * alpha``: it lies within the margin exactly where both tests reject.
    """

    _line = (
        "{quantity}, {a} and {b}, margin {margin:g}: {is_shown:shown|not shown}, {difference:+.4f}, "
        "p {pvalue:.3g}"
    )

    a: str
    b: str


def non_inferior(
    found: Any,
    margin: float,
    *,
    new: str | None = None,
    reference: str | None = None,
    alpha: float = DEFAULT_ALPHA,
) -> NonInferiority:
    """Test whether one modality is not worse than another by a margin.

    Parameters
    ----------
    found : ReaderComparison, StandaloneComparison, Comparison or Difference
        What was compared.
    margin : float
        Above 0, on the scale of the measure, chosen before the data were seen: a mean AUC of ``new`` that is
        lower by less than this still counts as not inferior.
    new : str
        The modality that must not be worse. It must be named: the two directions are two questions.
    reference : str, optional
        The other one; needed where there are more than two.
    alpha : float
        Level of the one-sided test. At 0.025 the usual two-sided 95 % interval decides.

    Returns
    -------
    NonInferiority

    Warns
    -----
    RS224
        If the standard error is 0: nothing is shown then, and there is neither p-value nor limit.

    Raises
    ------
    UsageError
        RS097 if the margin is no margin, or if it is not said which modality is new.

    Notes
    -----
    The statistic is ``(difference + margin) / standard error`` with the degrees of freedom of the difference.
    The p-value is not adjusted for the number of pairs; test the one pair that was planned.

    Modalities that differ by just the margin, in simulations (``simulations/reader_planner.py``, readers and
    cases random, 2,000 studies each): non-inferiority at 0.025 was shown in 2.2 % to 3.2 % with 5 and 10
    readers, in 3.5 % to 4.7 % with 3 readers.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> scores = {"old": [9, 8, 7, 6, 3, 5, 4, 2, 1, 0], "new": [9, 8, 7, 4, 3, 5, 6, 2, 1, 0]}
    >>> study = rs.ScoreSet.from_arrays(labels, scores)
    >>> rs.non_inferior(rs.compare(study, "old", "new"), 0.3, new="new")
    NonInferiority(AUC, new against old, margin 0.3: not shown, -0.0800, one-sided p 0.0267)
    """
    margin, alpha = margin_of(margin), _alpha(alpha)
    differences = _differences(found)
    names, new, reference = _names(differences), _as_name(new), _as_name(reference)
    if new is None or (reference is None and len(names) > 2 and new in names) or new == reference:
        lacking = "new" if new is None else "reference"
        ways = _directions(names, new, reference)
        raise fail("RS097.direction", lacking=lacking, names=names, ways=ways)
    of = _difference_of(differences, [("new", new), ("reference", reference)], names[-1])
    gain = -of.difference if of.lower_is_better else of.difference
    tested, reach, kind = _tested(of, gain + margin, margin, alpha)
    low, high = (-math.inf, reach - gain) if of.lower_is_better else (gain - reach, math.inf)
    interval = Interval(low, high, 1 - alpha, f"one-sided {kind}")
    return NonInferiority(
        new=of.a, reference=of.b, interval=interval, lower_is_better=of.lower_is_better, **tested
    )


def equivalent(
    found: Any, margin: float, *, modalities: Any = None, alpha: float = DEFAULT_ALPHA
) -> Equivalence:
    """Test whether two modalities differ by less than a margin, either way.

    Parameters
    ----------
    found : ReaderComparison, StandaloneComparison, Comparison or Difference
        What was compared.
    margin : float
        Above 0, on the scale of the measure, chosen before the data were seen.
    modalities : pair of str, optional
        Which two; needed where there are more. The difference is the first less the second.
    alpha : float
        Level of each of the two one-sided tests. The interval that must lie within the margin has the level
        ``1 - 2 * alpha``: 95 % for 0.025; take 0.05 for the 90 % interval that is usual in bioequivalence.

    Returns
    -------
    Equivalence

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> scores = {"old": [9, 8, 7, 6, 3, 5, 4, 2, 1, 0], "new": [9, 8, 7, 4, 3, 5, 6, 2, 1, 0]}
    >>> found = rs.equivalent(rs.compare(rs.ScoreSet.from_arrays(labels, scores), "old", "new"), 0.4)
    >>> found.is_shown, found.interval
    (True, Interval(-0.1444 to 0.3044, confidence level 0.95, t))
    """
    margin, alpha = margin_of(margin), _alpha(alpha)
    differences = _differences(found)
    if modalities is None and len(differences) == 1:
        modalities = differences[0].a, differences[0].b
    is_several = isinstance(modalities, Iterable) and not isinstance(modalities, str)
    pair, names = [*map(_as_name, modalities)] if is_several else [], _names(differences)
    if len(pair) != 2 or pair[0] == pair[1]:
        raise fail("RS097.two", names=names, example=names[:2])
    of = _difference_of(differences, [("modalities", name) for name in pair], names[:2])
    tested, reach, kind = _tested(of, margin - abs(of.difference), margin, alpha)
    interval = Interval(of.difference - reach, of.difference + reach, 1 - 2 * alpha, kind)
    return Equivalence(a=of.a, b=of.b, interval=interval, **tested)


def _differences(found: Any) -> tuple[Difference, ...]:
    """The differences that can be held against a margin; RS097 for what has none."""
    area = getattr(found, "auc", None)  # of compare(): also has differences at operating points
    several = [own for own in (found, area) if isinstance(own, Difference)]
    several = several or getattr(found, "differences", [])
    if isinstance(several, tuple | list) and several and all(isinstance(own, Difference) for own in several):
        return tuple(several)
    raise fail("RS097.kind", kind=type(found).__name__)


def _difference_of(
    differences: tuple[Difference, ...], wanted: Sequence[tuple[str, Any]], example: Any
) -> Difference:
    """That of the first name less the other; RS097 if there is none, or its error is not known.

    ``wanted`` are names (None for any) and the options that have them. RS224 if the error is 0.
    """
    names, given = _names(differences), [(option, name) for option, name in wanted if name is not None]
    of = [own for own in differences if {name for _, name in given} <= {own.a, own.b}]
    if not of:
        pair = given[0][0], [name for _, name in given]  # of names that were never held against each other
        option, value = next((own for own in given if own[1] not in names), pair)
        others = [name for _, name in given if name != value]
        near = near_match(str(value), [name for name in names if name not in others])
        if value not in names and near:
            example = tuple(near if name == value else name for _, name in given)
            example = near if option != "modalities" else example
        raise fail("RS097.unknown", name=option, value=value, names=names, ways=[Option(option, example)])
    own, first = of[0], given[0][1]
    if not math.isfinite(own.standard_error) or math.isnan(own.df):
        raise fail(
            "RS097.no-error", quantity=own.quantity, first=own.a, second=own.b, difference=own.difference
        )
    if own.standard_error == 0:
        values = {"first_value": own.a_value, "second_value": own.b_value}
        warn("RS224.no-error", quantity=own.quantity, first=own.a, second=own.b, **values)
    if own.a == first:
        return own
    turned: dict[str, Any] = {"a": own.b, "b": own.a, "a_value": own.b_value, "b_value": own.a_value}
    return replace(own, **turned, difference=-own.difference + 0.0)  # no -0


def _directions(names: tuple[str, ...], new: Any, reference: Any) -> list[Remedy]:
    """What to type: every side that could be the one that lacks, with what it asks."""
    if new is not None:
        known = [(new, other) for other in names if other != new]
    elif reference is not None:
        known = [(other, reference) for other in names if other != reference]
    else:
        known = [(names[-1], names[0]), (names[0], names[-1])]
    ways: list[Remedy] = []
    for one, other in known:
        options = [] if new is not None else [Option("new", one)]
        if new is not None or (reference is None and len(names) > 2):
            options += [*([", "] if options else []), Option("reference", other)]  # type: ignore[list-item]
        ways.append([f"{one} not worse than {other}:  ", *options])
    return ways


def _as_name(given: Any) -> Any:
    """A number as the name that it is."""
    is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
    return str(given) if is_number else given


def _names(differences: tuple[Difference, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for own in differences for name in (own.a, own.b)))


def margin_of(given: float) -> float:
    """RS097 for what is no margin."""
    margin = one_number("margin", given, 0.05)
    if not 0 < margin < 1:
        meant = abs(margin) / (100 if abs(margin) >= 1 else 1)
        raise fail("RS097.range", given=given, meant=float(f"{meant:.6g}") if 0 < meant < 1 else 0.05)
    return margin


def _alpha(given: float) -> float:
    alpha = one_number("alpha", given, DEFAULT_ALPHA)
    if not 0 < alpha < 0.5:
        where = "above 0 and below 0.5, the level of a one-sided test"
        raise fail("RS042", name="alpha", where=where, found=given, ways=[Option("alpha", DEFAULT_ALPHA)])
    return alpha


def _tested(of: Difference, room: float, margin: float, alpha: float) -> tuple[dict[str, Any], float, str]:
    """Both kinds of tests, by the room that is left within the margin; how far a limit lies; and which.

    Nothing that varies is no evidence.
    """
    error, reach = of.standard_error, math.nan
    if error:
        reach = float(t_quantile(of.df, 2 * (1 - alpha) - 1)) * error
    statistic = room / error if error else math.nan
    names = ("quantity", "difference", "standard_error", "df", "random")
    tested = {name: getattr(of, name) for name in names}
    tested |= {"margin": margin, "alpha": alpha, "statistic": statistic}
    return (tested | {"pvalue": upper_tail(statistic, of.df)}, reach, "normal" if math.isinf(of.df) else "t")
