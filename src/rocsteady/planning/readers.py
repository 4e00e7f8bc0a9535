"""Plans of reader studies: how many readers and cases, from the variance components of a pilot.

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.statistics import Auc
from rocsteady.errors import Option, fail, near_match, warn
from rocsteady.options import one_number, one_of, open_share, whole_number
from rocsteady.planning.groups import DesignTable, Planned, ratio_of
from rocsteady.readers.compare import ReaderComparison, compare_ratings
from rocsteady.readers.design import ReaderDesign
from rocsteady.readers.margins import margin_of
from rocsteady.readers.study import Effect, Settings, reader_ratings, what_is_random
from rocsteady.results import Result, Tabular, plain
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import notes
from rocsteady.statistics.limits import t_quantile
from rocsteady.statistics.obuchowski_rockette import components, mean_error
from rocsteady.statistics.power import chances_of_tests, first_enough
from rocsteady.statistics.reader_covariance import class_parts
from rocsteady.words import counted, plural

MOST_CASES = 10**6
MOST_READERS = 10**4
"""Nobody will have more; a plan that needs more says that none suffices."""
MOST_ASKED = 10**9
"""Cases that a plan may be asked about."""
_ELSEWHERE = {"superiority": "difference", "noninferiority": "non-inferiority", "tost": "equivalence"}
_USUAL_READERS = tuple(range(3, 21))
_NAMES = ("modality_reader", "var", "cov1", "cov2", "cov3", "n_cases", "n_readers", "ratio")
_OPTIONAL = ("n_readers", "ratio")
_COMPONENTS_ELSEWHERE = {
    "vartr": "modality_reader",
    "var_tr": "modality_reader",
    "var(t*r)": "modality_reader",
    "treatment:reader": "modality_reader",
    "error": "var",
    "var(error)": "var",
    "kstar": "n_cases",
    "jstar": "n_readers",
}
"""What RJafroc, MRMCaov, the Iowa programs and Hillis et al. call them."""
EXAMPLE = (
    "plan({'modality_reader': 0.0002, 'var': 0.0008, 'cov1': 0.00035, 'cov2': 0.00034, "
    "'cov3': 0.00024, 'n_cases': 114}, difference=0.05)"
)


class Goal(StrEnum):
    """What the test of a study is to show."""

    DIFFERENCE = "difference"
    NON_INFERIORITY = "non-inferiority"
    EQUIVALENCE = "equivalence"


# Variance components, and the chance that a study has
# ----------------------------------------------------


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
    from_positives: tuple[float, ...] | None = None

    @property
    def case_gain(self) -> float:
        """``Cov2 - Cov3``, not below 0: what the cases give to all readers of one modality."""
        return max(self.cov2 - self.cov3, 0.0)

    @property
    def own_error(self) -> float:
        """``Var - Cov1 - (Cov2 - Cov3)``, not below 0: what the cases add to one reader alone."""
        return max(self.var - self.cov1 - self.case_gain, 0.0)

    @property
    def below_zero(self) -> tuple[str, ...]:
        """Which estimates came out negative, which no variance is; they count as 0."""
        found = {
            "modality_reader": self.modality_reader,
            "case_gain": self.cov2 - self.cov3,
            "own_error": self.var - self.cov1 - self.case_gain,
        }
        # A difference of equal numbers is 0, but for rounding.
        return tuple(name for name, value in found.items() if value < -1e-12 * abs(self.var))

    def with_ratio(self, ratio: float) -> StudyComponents:
        """The same pilot with another number of negatives for each positive, and as many cases in all."""
        if self.from_positives is None:
            raise fail("RS039.ratio", ratio=ratio)
        # As many cases in all: more negatives leave fewer positives, whose luck counts for more.
        positives = (1 + ratio) / (1 + self.ratio)
        negatives = positives * self.ratio / ratio
        own = np.array(self.from_positives)
        rest = np.array([self.var, self.cov1, self.cov2, self.cov3]) - own
        var, cov1, cov2, cov3 = (own * positives + rest * negatives).tolist()
        kept = tuple((own * positives).tolist())
        return replace(self, var=var, cov1=cov1, cov2=cov2, cov3=cov3, ratio=ratio, from_positives=kept)


@dataclass(frozen=True, eq=False, repr=False)
class Question(Result):
    """What the test of the planned study is to show, and what is random: fields as in :class:`ReaderPlan`."""

    test: str
    difference: float
    margin: float
    confidence_level: float
    readers_are: str
    cases_are: str
    lower_is_better: bool

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

    def half_widths(self, of: StudyComponents, n_readers: ArrayLike, n_cases: ArrayLike) -> Floats:
        """Of the interval for the difference, with so many readers and cases in each of their modalities."""
        variance, df = self.error_and_df(of, n_readers, n_cases)
        return np.asarray(t_quantile(df, self.confidence_level) * np.sqrt(variance))

    def chances(self, of: StudyComponents, n_readers: ArrayLike, n_cases: ArrayLike) -> Floats:
        """The chance that the test shows it, with so many readers and cases in each of their modalities.

        Examples
        --------
        >>> vandyke = StudyComponents(0.00020040, 0.00080229, 0.00034661, 0.00034407, 0.00023903, 114)
        >>> question = Question("difference", 0.05, float("nan"), 0.95, "random", "random", False)
        >>> question.chances(vandyke, [6, 10], 251).round(3)
        array([0.892, 0.966])
        """
        variance, df = self.error_and_df(of, *np.broadcast_arrays(n_readers, n_cases))
        level = self.confidence_level
        found = chances_of_tests(self.test, self.gain, self.margin, variance.ravel(), df.ravel(), level)
        return found.reshape(variance.shape)

    def range_of_chances(
        self, of: StudyComponents, df: float, n_readers: int, n_cases: float
    ) -> tuple[float, float]:
        """The same at the 95 % limits of MS(TR), by chi-square with the ``df`` of the pilot."""
        from scipy.special import chdtri

        noise = of.var - of.cov1 - of.case_gain
        seen = max(of.modality_reader + noise, 0.0)
        limits = [df * seen / float(chdtri(df, upper)) - noise for upper in (0.025, 0.975)]
        found = [float(self.chances(replace(of, modality_reader=own), n_readers, n_cases)) for own in limits]
        return min(found), max(found)


def cases_needed(
    question: Question, of: StudyComponents, n_readers: ArrayLike, power: float
) -> tuple[Floats, Floats]:
    """The fewest cases with which so many readers reach the power, and the most power that cases can give.

    With few readers more cases are not always better, so the first number that suffices is looked for.
    """
    readers = np.atleast_1d(np.asarray(n_readers, dtype=np.float64))
    chance = question.chances(of, readers[:, None], np.append(_numbers_of_cases(), np.inf))

    def chance_at(rows: Any, n: Floats) -> Floats:
        return question.chances(of, readers[rows], n)

    return first_enough(chance_at, chance[:, :-1], _numbers_of_cases(), 4, power), chance.max(axis=1)


def readers_needed(question: Question, of: StudyComponents, n_cases: float | None, power: float) -> float:
    """The fewest readers with whom so many cases, or any number (None), reach the power; else infinite."""
    cases = _numbers_of_cases() if n_cases is None else np.array([n_cases])

    def chance(n_readers: Floats) -> Floats:
        return np.asarray(question.chances(of, n_readers[:, None], cases).max(axis=1))

    least = 1 if question.readers_are == "fixed" else 2
    grid = np.unique(np.concatenate([np.arange(least, 41), np.geomspace(40, MOST_READERS, 30).round()]))
    chances = np.zeros_like(grid)
    for start in range(0, grid.size, 8):  # few readers are most often enough, and then nobody asks for more
        part = slice(start, start + 8)
        chances[part] = chance(grid[part])
        if (chances[part] >= power).any():
            break
    return float(first_enough(lambda _, n: chance(n), chances[None], grid, least, power)[0])


def _numbers_of_cases() -> Floats:
    return np.unique(np.geomspace(4, MOST_CASES, 141).round())


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
        return bool(asked.chances(of, n_readers, n_cases) >= power)

    low, high = 0.0, 1.0
    if not is_shown(high):
        return math.nan
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if is_shown(middle) else (middle, high)
    return high


# The plan
# --------


@dataclass(frozen=True, eq=False, repr=False)
class ReaderPlanTable(DesignTable):
    """What numbers of readers would need: one entry of every array for each.

    Attributes
    ----------
    n_readers : int64 array
        How many readers.
    n_cases, n_positives, n_negatives : float64 arrays
        Cases that each of them reads in each modality: the fewest that reach the power, infinite where none
        do; the same for all where a number of cases was asked about.
    power : float64 array
        Chance that the test then shows what it is to show; where no number of cases suffices, that of cases
        without limit.
    most_power : float64 array
        The most that any number of cases gives so many readers.
    unit : str
        The word for a reader.
    """

    n_readers: Integers
    n_cases: Floats
    n_positives: Floats
    n_negatives: Floats
    power: Floats
    most_power: Floats
    unit: str

    _line = "{n_readers:count design} of {unit:plural}"


@dataclass(frozen=True, eq=False, repr=False)
class ReaderPlan(Planned, Question, Tabular, sentence="planning.readers"):
    """How many readers and cases a study needs, made by :func:`rocsteady.plan`.

    Attributes
    ----------
    test : Goal
        What the study is to show: "difference", "non-inferiority" or "equivalence".
    difference : float
        The true difference it is planned for; for non-inferiority of the new modality less the reference.
    margin : float
        Of non-inferiority and equivalence; NaN for a difference.
    confidence_level : float
        One less it, ``alpha``, is the level of the two-sided test; one-sided tests have half of that.
    readers_are, cases_are : Effect
        What is random; ``random`` says it in words.
    lower_is_better : bool
        Whether less is better, as of false positive rates.
    quantity : str
        What is measured.
    is_seen_difference : bool
        Whether the difference is the one seen in the pilot, for lack of a better.
    power_wanted : float
        The chance to show it.
    n_readers : int or None
        Readers of the design in question: as asked, else of the pilot; None where neither is known.
    n_cases : float
        Cases of that design, in the same way.
    components : StudyComponents
        Of the pilot, as estimated, at the ratio of the planned study.
    unit : str
        The word for a reader.
    """

    quantity: str
    is_seen_difference: bool
    power_wanted: float
    n_readers: int | None
    n_cases: float
    components: StudyComponents
    unit: str
    _pilot: ReaderComparison | None
    _pilot_readers: int | None
    _asked: tuple[list[int] | None, float | None]

    _line = (
        "{quantity}, {test} {difference:.3g}{_margin:?, margin {_margin:g}}, power {power_wanted:g}: "
        "{_needed}"
    )
    _told: ClassVar = (
        "alpha", "ratio", "power", "power_range", "detectable", "cases_needed", "readers_needed",
        "readers_at_least", "set_to_zero", "random", "notes",
    )  # fmt: skip

    @property
    def classes(self) -> Classes | None:
        """The labels of the two classes, if a pilot has them."""
        return None if self._pilot is None else self._pilot.ratings.classes

    @property
    def _margin(self) -> float | None:
        return None if math.isnan(self.margin) else self.margin

    @property
    def _needed(self) -> str:
        """Cases for the readers there are, or readers for the cases."""
        if self.n_readers is None:
            return f"{self.readers_needed:g} {plural(self.unit)} for {self.n_cases:.0f} cases"
        return f"{self.cases_needed:.0f} cases for {counted(self.n_readers, self.unit)}"

    @property
    def alpha(self) -> float:
        """The level of the two-sided test; one-sided tests have half of it."""
        return round(1 - self.confidence_level, 12)

    @property
    def is_of_one_reader(self) -> bool:
        """Whether the pilot had one reader: what readers have in common is not known then."""
        return self._pilot_readers == 1

    @property
    def ratio(self) -> float:
        """Negatives for each positive; NaN if not known."""
        return self.components.ratio

    @cached_property
    def power(self) -> float:
        """The chance of that design; NaN where it is not known how many readers."""
        return math.nan if self.n_readers is None else self.power_at(self.n_readers, self.n_cases)

    @cached_property
    def power_range(self) -> tuple[float, float] | None:
        """The same at the 95 % limits of how much modalities differ within readers: how rough the plan is.

        None where that is not known or does not matter.
        """
        if self.n_readers is None or self.readers_are == "fixed" or (self._pilot_readers or 1) < 2:
            return None
        # Those of MS(TR), what the variance within readers was learned from.
        n_modalities = 2 if self._pilot is None else len(self._pilot.modalities)
        df = (n_modalities - 1) * ((self._pilot_readers or 1) - 1)
        return self.range_of_chances(self.components, df, self.n_readers, self.n_cases)

    @cached_property
    def detectable(self) -> float:
        """The difference, or margin of non-inferiority, that this design shows with the wanted chance.

        NaN where it is 1 or more, and for equivalence, which more than one of them decides.
        """
        if self.n_readers is None:
            return math.nan
        return detectable(self, self.components, self.n_readers, self.n_cases, self.power_wanted)

    @cached_property
    def cases_needed(self) -> float:
        """Cases that ``n_readers`` need, each reading all of them in every modality; infinite if none do."""
        return math.nan if self.n_readers is None else self.cases_for(self.n_readers)

    @cached_property
    def readers_needed(self) -> float:
        """Readers that ``n_cases`` need; infinite if none suffice, NaN from a pilot of one reader."""
        return self.readers_for(self.n_cases)

    @cached_property
    def readers_at_least(self) -> float:
        """Readers below which no number of cases suffices; NaN from a pilot of one reader."""
        return self._readers_for(None)

    @property
    def set_to_zero(self) -> tuple[str, ...]:
        """Components that came out negative and count as 0."""
        return notes("planning.set_to_zero", self)

    @property
    def notes(self) -> tuple[str, ...]:
        """How rough the plan is, and what was done to the components."""
        return notes("planning.notes_of_readers", self)

    @cached_property
    def table(self) -> ReaderPlanTable:
        """Numbers of readers, and what each needs, or gets from a number of cases."""
        sizes, n_cases = self._asked
        own = self._pilot_readers or _USUAL_READERS[0]
        usual = [n for n in {*_USUAL_READERS, own} if n > 1 or self.readers_are == "fixed"]
        readers = np.array(sorted(set(usual if sizes is None else sizes)), dtype=np.int64)
        needed, most = cases_needed(self, self.components, readers, self.power_wanted)
        if n_cases is not None:
            needed = np.full(readers.shape, n_cases)
        power = self.chances(self.components, readers, needed)
        return ReaderPlanTable(readers, needed, *of_each_class(needed, self.ratio), power, most, self.unit)

    def power_at(self, n_readers: int, n_cases: float) -> float:
        """The chance to show it with so many readers, who each read so many cases in every modality."""
        readers, cases = self._readers(n_readers), _whole_cases(n_cases)
        return float(self.chances(self.components, readers, cases))

    def half_width_at(self, n_readers: int, n_cases: float) -> float:
        """Of the interval for the difference, as rough as the rest of the plan."""
        readers, cases = self._readers(n_readers), _whole_cases(n_cases)
        return float(self.half_widths(self.components, readers, cases))

    def cases_for(self, n_readers: int) -> float:
        """The fewest cases with which so many readers reach the wanted power; infinite if none suffice."""
        readers = self._readers(n_readers)
        return float(cases_needed(self, self.components, readers, self.power_wanted)[0][0])

    def readers_for(self, n_cases: float) -> float:
        """The fewest readers who reach the wanted power with so many cases; infinite if none do.

        NaN from a pilot of one reader, which does not show it.
        """
        return self._readers_for(_whole_cases(n_cases))

    def _readers_for(self, n_cases: float | None) -> float:
        if self.is_of_one_reader:
            return math.nan
        return readers_needed(self, self.components, n_cases, self.power_wanted)

    def _readers(self, given: int) -> int:
        number = _whole_readers(given, self.readers_are)
        return _of_one(self.unit, [number])[0] if self.is_of_one_reader else number

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data that JSON can carry."""
        return super().to_dict() | {"table": plain(self._columns())}

    def _columns(self) -> Mapping[str, Any]:
        return self.table._columns()


def plan_readers(
    pilot: Any,
    *,
    difference: float | None,
    margin: float | None,
    test: str | None,
    power: float,
    confidence_level: float,
    n_readers: int | Sequence[int] | None,
    n_cases: int | None,
    ratio: float | None,
    readers: str | None,
    cases: str | None,
    modalities: Any,
    measure: Any,
    covariance: str | None,
    missing: str,
    n_resamples: int,
    seed: int,
    threads: int | None,
) -> ReaderPlan:
    """What :func:`rocsteady.plan` does with a reader study."""
    readers, cases = readers or "random", cases or "random"
    what_is_random(readers, cases)
    sizes = _sizes(n_readers, readers)
    at = None if n_cases is None else _whole_cases(n_cases)
    wanted, level = open_share("power", power), open_share("confidence_level", confidence_level)
    ratio = None if ratio is None else ratio_of(ratio, 1000)
    test, width = _test_of(test, margin)
    if difference is not None:
        difference = one_number("difference", difference, 0.05)
    if isinstance(pilot, ScoreSet):
        draws: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
        what: dict[str, Any] = {"readers": readers, "cases": cases, "measure": measure}
        settings = Settings(covariance=covariance, **what, **draws)
        ratings = reader_ratings(pilot, modalities=modalities, missing=missing, function="plan")
        pilot = compare_ratings(ratings, settings)
    else:
        _refuse_ignored({"covariance": covariance, "modalities": modalities, "measure": measure})
    seen, lower_is_better, quantity, unit = math.nan, False, "the mean over readers", "reader"
    found = pilot if isinstance(pilot, ReaderComparison) else None
    known_readers: int | None
    if found is not None:
        parts = _of_comparison(found, has_ratio=ratio is not None)
        known_readers, unit = len(found.readers), found.unit
        quantity, lower_is_better = found.differences[0].quantity, found.differences[0].lower_is_better
        seen = float(max((own.difference for own in found.differences), key=abs))
    elif isinstance(pilot, Mapping):
        parts, known_readers = _of_components(pilot)
    else:
        raise fail("RS039.pilot", kind=type(pilot).__name__, example=EXAMPLE)
    if readers == "random" and math.isnan(parts.modality_reader):
        raise fail("RS039.one-reader", unit=unit, n=known_readers or 0)
    if ratio is not None and ratio != parts.ratio:
        parts = parts.with_ratio(ratio)
    if known_readers == 1:
        sizes = _of_one(unit, sizes)
    true = _true_difference(test, difference, width, seen, lower_is_better=lower_is_better)
    made = ReaderPlan(
        test=Goal(test),
        difference=true,
        margin=width,
        confidence_level=level,
        readers_are=Effect(readers),
        cases_are=Effect(cases),
        lower_is_better=lower_is_better,
        quantity=quantity,
        is_seen_difference=test == "difference" and difference is None,
        power_wanted=wanted,
        n_readers=known_readers if sizes is None else sizes[0] if len(sizes) == 1 else None,
        n_cases=float(max(round(parts.n_cases), 4)) if at is None else at,
        components=parts,
        unit=unit,
        _pilot=found,
        _pilot_readers=known_readers,
        _asked=(sizes, at),
    )
    if float(made.error_and_df(parts, 2, parts.n_cases)[0]) <= 1e-12 * parts.var:
        raise fail("RS039.no-spread", example=EXAMPLE)
    if readers == "random" and parts.modality_reader <= 0:
        warn("RS223.none", unit=unit, variance=parts.modality_reader, n=known_readers)
    return made


def _of_one(unit: str, sizes: list[int] | None) -> list[int]:
    """Numbers of readers planned from a pilot of one: one, else RS039."""
    if sizes not in (None, [1]):
        n_readers = sizes[0] if len(sizes) == 1 else sizes
        raise fail("RS039.one-of-many", unit=unit, n_readers=n_readers)
    return [1]


def _sizes(given: Any, readers: str) -> list[int] | None:
    """Numbers of readers asked for; RS042 for what are none."""
    if given is None:
        return None
    is_one = isinstance(given, str | bytes) or not isinstance(given, Sequence | np.ndarray)
    several = [given] if is_one else list(given)
    if not several:
        raise fail("RS042", name="n_readers", where="numbers", found=given, ways=[Option("n_readers", 6)])
    return [_whole_readers(n, readers) for n in several]


def _whole_cases(given: float) -> float:
    """A number of cases, or infinitely many; RS042 for what is none."""
    if isinstance(given, float) and given == math.inf:
        return given
    whole = int(given) if isinstance(given, float) and given.is_integer() else given
    return float(whole_number("n_cases", whole, least=4, example=200, most=MOST_ASKED))


def _whole_readers(given: Any, readers: str) -> int:
    """A number of readers; RS042 for what is none."""
    least = 1 if readers == "fixed" else 2
    return whole_number("n_readers", given, least=least, example=6, most=MOST_READERS)


def _test_of(test: str | None, margin: float | None) -> tuple[str, float]:
    """Which test and its margin; RS002 if one is without the other."""
    if test is not None:
        one_of("test", test, tuple(own.value for own in Goal), elsewhere=_ELSEWHERE)
    if margin is None:
        if test in (None, "difference"):
            return "difference", math.nan
        raise fail("RS002.margin", test=test)
    if test == "difference":
        other, ways = "a test for a difference", ["leave out  margin"]
        raise fail("RS002.together", name="margin", other=other, value=margin, ways=ways)
    return test or "non-inferiority", margin_of(margin)


def _true_difference(
    test: str, given: float | None, margin: float, seen: float, *, lower_is_better: bool
) -> float:
    """The difference to plan for, the one seen unless given; RS039 for one that no study could show."""
    if test != "difference":
        number = 0.0 if given is None else given
        gain = -number if lower_is_better else number
        is_within = gain > -margin if test == "non-inferiority" else abs(number) < margin
        if not (is_within and abs(number) < 1):
            raise fail("RS039.margin-met", test=test, number=number, margin=margin)
        return number
    number = abs(seen if given is None else given)
    if not 0 < number < 1:
        meant = number / 100 if 1 <= number < 100 else 0.05
        is_pilot = given is None and seen == 0
        raise fail("RS039.difference", is_pilot=is_pilot, found=given, meant=meant)
    return number


def of_each_class(n_cases: ArrayLike, ratio: float) -> tuple[Floats, Floats]:
    """Positives and negatives that make so many cases, one of each at least."""
    n = np.asarray(n_cases, dtype=np.float64)
    positives = np.clip(np.rint(n / (1 + ratio)), 1, n - 1)
    with np.errstate(invalid="ignore"):  # of each infinitely many
        return positives, np.where(np.isinf(n), positives, n - positives)


# What it is planned from: a comparison, the ratings of a pilot, or published components
# --------------------------------------------------------------------------------------


def _refuse_ignored(given: dict[str, Any]) -> None:
    """RS002 for options that only ratings need."""
    for name, value in given.items():
        if value is not None and not (isinstance(value, str) and value == "auc"):
            other, ways = "a pilot that was measured already", [f"leave out  {name}"]
            raise fail("RS002.together", name=name, other=other, value=value, ways=ways)


def _of_comparison(found: ReaderComparison, *, has_ratio: bool) -> StudyComponents:
    """Of a pilot; RS039 for what no crossed study can be planned from."""
    ratings, of = found.ratings, found.components
    if of is None:
        raise fail("RS039.method", method=found.method.value)
    if of.nested:
        raise fail("RS039.nested", unit=found.unit, design=found.design, example=EXAMPLE)
    parts = StudyComponents(
        modality_reader=float(of.ms_modality_reader - of.var + of.cov1 + max(of.cov2 - of.cov3, 0.0)),
        var=float(of.var),
        cov1=float(of.cov1),
        cov2=float(of.cov2),
        cov3=float(of.cov3),
        n_cases=float(ratings.is_read.sum(axis=2).mean()),
        ratio=found.n_negatives / found.n_positives,
    )
    if not parts.var > 0:  # no luck of cases at all
        raise fail("RS039.no-error", var=parts.var, example=EXAMPLE)
    if has_ratio:
        parts = replace(parts, from_positives=_from_positives(found, parts))
    return parts


def _from_positives(found: ReaderComparison, parts: StudyComponents) -> tuple[float, ...]:
    """What the positives have in each component, by DeLong's placements; RS039 where that is not known."""
    ratings = found.ratings
    is_crossed = ratings.design == ReaderDesign.CROSSED
    if not is_crossed or ratings.clusters is not None or not isinstance(found._settings.measure, Auc):
        patients = "" if ratings.clusters is None else ", cases in clusters"
        quantity = found.differences[0].quantity
        raise fail("RS039.ratio-of-crossed", quantity=quantity, design=f"{found.design}{patients}")
    of_positives, of_negatives = class_components(ratings.ratings, ratings.truth)
    whole = np.array([parts.var, parts.cov1, parts.cov2, parts.cov3])
    # Other estimates than DeLong's differ a little; each class is given half of that.
    return tuple((of_positives + (whole - of_positives - of_negatives) / 2).tolist())


def class_components(ratings: Floats, truth: Mask) -> list[Floats]:
    """Var, Cov1, Cov2 and Cov3 of ``(t, r, c)`` ratings by DeLong: of the positives, and of the negatives."""
    shape, found = ratings.shape[:2], []
    for matrix in class_parts(ratings.reshape(-1, truth.size), truth):
        of = components(np.zeros(shape), matrix.reshape(*shape, *shape))
        found.append(np.array([of.var, of.cov1, of.cov2, of.cov3]))
    return found


def _of_components(given: Mapping[Any, Any]) -> tuple[StudyComponents, int | None]:
    """Components by name, and readers; RS039 for those that are missing, unknown or impossible."""
    named: dict[str, Any] = {}
    for key, value in given.items():
        name = _COMPONENTS_ELSEWHERE.get(str(key).casefold(), str(key).casefold())
        if name not in _NAMES:
            meant = near_match(str(key), _NAMES)
            example = None if meant else EXAMPLE
            raise fail("RS039.component", component=key, known=_NAMES, meant=meant, example=example)
        named[name] = one_number(name, value, 114 if name in ("n_cases", "n_readers") else 0.0002)
    missing = [name for name in _NAMES if name not in named and name not in _OPTIONAL]
    if missing:
        given_names = ", ".join(named) or "none"
        raise fail("RS039.missing", missing=missing, given=given_names, example=EXAMPLE)
    n_readers = named.pop("n_readers", None)
    parts = StudyComponents(**named)
    # Also of numbers that are no numbers: nothing compares with them.
    is_possible = all(abs(own) <= parts.var for own in (parts.cov1, parts.cov2, parts.cov3))
    is_possible = is_possible and 0 < parts.var < math.inf and 1 <= parts.n_cases < math.inf
    if not is_possible or not math.isfinite(parts.modality_reader):
        raise fail(
            "RS039.impossible",
            components=", ".join(f"{name} {value:g}" for name, value in named.items()),
            example=EXAMPLE,
        )
    if n_readers is not None:
        n_readers = whole_number("n_readers", int(n_readers), least=2, example=5)
    return parts, n_readers
