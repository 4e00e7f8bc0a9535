"""``plan_readers``: how many readers and cases a study needs, from the variance components of a pilot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.measures import Auc
from rocsteady.errors import Option, fail, near_match, warn
from rocsteady.options import one_number, one_of, open_share, whole_number
from rocsteady.readers.compare import ReaderComparison, compare_ratings
from rocsteady.readers.margins import margin_of
from rocsteady.readers.power import (
    MOST_READERS,
    Question,
    StudyComponents,
    cases_needed,
    detectable,
    readers_at_least,
    readers_needed,
)
from rocsteady.readers.study import ReaderDesign, Settings, reader_ratings, what_is_random
from rocsteady.results import TableResult, plain, read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Told, notes, said
from rocsteady.statistics.obuchowski_rockette import components
from rocsteady.statistics.reader_covariance import placed, products
from rocsteady.words import counted, grouped, plural, printable

_TESTS = ("difference", "non-inferiority", "equivalence")
_ELSEWHERE = {"superiority": "difference", "noninferiority": "non-inferiority", "tost": "equivalence"}
_USUAL_READERS = tuple(range(3, 21))
_RANGE_LEVEL = 0.95
MOST_ASKED = 10**9
"""Cases that a plan may be asked about."""
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
    "plan_readers({'modality_reader': 0.0002, 'var': 0.0008, 'cov1': 0.00035, 'cov2': 0.00034, "
    "'cov3': 0.00024, 'n_cases': 114}, difference=0.05)"
)


# The plan
# --------


@dataclass(frozen=True, eq=False, repr=False)
class ReaderPlanTable(TableResult):
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

    def __len__(self) -> int:
        return self.n_readers.size

    def __repr__(self) -> str:
        first, last = int(self.n_readers[0]), int(self.n_readers[-1])
        span = f"{first} to {last}" if last > first else f"{first}"
        enough = np.isfinite(self.n_cases)
        most = "no number of" if not enough.any() else f"{grouped(int(self.n_cases[enough].max()))} to"
        least = "" if not enough.any() else f" {grouped(int(self.n_cases[enough].min()))}"
        return f"ReaderPlanTable({span} {plural(printable(self.unit))}: {most}{least} cases)"

    def _columns(self) -> Mapping[str, Any]:
        columns = super()._columns()
        return {name: values for name, values in columns.items() if not np.isnan(values).all()}


@dataclass(frozen=True, eq=False, repr=False)
class ReaderPlan(Told, TableResult, sentence="readers.plan"):
    """How many readers and cases a study needs, made by :func:`rocsteady.plan_readers`.

    Attributes
    ----------
    quantity : str
        What is measured.
    test : {"difference", "non-inferiority", "equivalence"}
        What the study is to show.
    difference : float
        The true difference it is planned for; for non-inferiority of the new modality less the reference.
    is_seen_difference : bool
        Whether that is the one seen in the pilot, for lack of a better.
    margin : float
        Of non-inferiority and equivalence; NaN for a difference.
    power_wanted, alpha : float
        The chance to show it; the level of the two-sided test (one-sided tests have half of it).
    readers_are, cases_are : {"random", "fixed"}
        What is random; ``random`` says it in words.
    n_readers : int or None
        Readers of the design in question: as asked, else of the pilot; None where neither is known.
    n_cases : float
        Cases of that design, in the same way.
    ratio : float
        Negatives for each positive; NaN if not known.
    power : float
        The chance of that design; NaN where it is not known how many readers.
    power_range : pair of float, or None
        The same at the 95 % limits of how much modalities differ within readers: how rough the plan is.
    detectable : float
        The difference that this design finds with the wanted chance (not for equivalence: NaN).
    cases_needed : float
        Cases that ``n_readers`` need, each reading all of them in every modality; infinite if none suffice.
    readers_needed : float
        Readers that ``n_cases`` need; infinite if none suffice, NaN from a pilot of one reader.
    readers_at_least : float
        Readers below which no number of cases suffices; NaN from a pilot of one reader.
    components : StudyComponents
        Of the pilot, as estimated, at the ratio of the planned study.
    set_to_zero : tuple of str
        Those that came out negative and count as 0.
    table : ReaderPlanTable
        Numbers of readers, and what each needs.
    random : str
        What is random, in words.
    notes : tuple of str
        What else is to be known.
    """

    _told: ClassVar = ("notes",)

    quantity: str
    test: str
    difference: float
    is_seen_difference: bool
    margin: float
    power_wanted: float
    alpha: float
    readers_are: str
    cases_are: str
    n_readers: int | None
    n_cases: float
    ratio: float
    power: float
    power_range: tuple[float, float] | None
    detectable: float
    cases_needed: float
    readers_needed: float
    readers_at_least: float
    components: StudyComponents
    set_to_zero: tuple[str, ...]
    table: ReaderPlanTable
    random: str
    _pilot: Pilot
    _question: Question

    @property
    def unit(self) -> str:
        """The word for a reader."""
        return self._pilot.unit

    @property
    def notes(self) -> tuple[str, ...]:
        """How rough the plan is, and what was done to the components."""
        return notes("readers.notes_of_plan", self)

    def power_at(self, n_readers: int, n_cases: float) -> float:
        """The chance to show it with so many readers, who each read so many cases in every modality."""
        readers, cases = self._readers(n_readers), _whole_cases(n_cases)
        return float(self._question.power(self.components, readers, cases))

    def cases_for(self, n_readers: int) -> float:
        """The fewest cases with which so many readers reach the wanted power; infinite if none suffice."""
        readers = self._readers(n_readers)
        return float(cases_needed(self._question, self.components, readers, self.power_wanted)[0][0])

    def readers_for(self, n_cases: float) -> float:
        """The fewest readers who reach the wanted power with so many cases; infinite if none do.

        NaN from a pilot of one reader, which does not show it.
        """
        cases = _whole_cases(n_cases)
        if self._pilot.is_single:
            return math.nan
        return readers_needed(self._question, self.components, cases, self.power_wanted)

    def _readers(self, given: int) -> int:
        number = _whole_readers(given, self.readers_are)
        self._pilot.require_one([number])
        return number

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data that JSON can carry."""
        return super().to_dict() | {"table": plain(self._columns())}

    def _columns(self) -> Mapping[str, Any]:
        return self.table._columns()

    def __repr__(self) -> str:
        what = f"difference {self.difference:.3g}"
        if self.test != "difference":
            what = f"{self.test}, margin {self.margin:g}"
        if self.n_readers is None:
            number = "no number of" if math.isinf(self.readers_needed) else f"{self.readers_needed:g}"
            needed = f"{number} {plural(printable(self.unit))} for {self.n_cases:.0f} cases"
        else:
            who = counted(self.n_readers, printable(self.unit))
            verb = "needs" if self.n_readers == 1 else "need"
            needed = f"{who} {verb} {self.cases_needed:.0f} cases"
            if math.isinf(self.cases_needed):
                needed = f"no number of cases is enough with {who}"
        return f"ReaderPlan({self.quantity}, {what}: for power {self.power_wanted:g}, {needed})"


def plan_readers(
    pilot: Any,
    *,
    difference: float | None = None,
    margin: float | None = None,
    test: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    n_readers: int | Sequence[int] | None = None,
    n_cases: int | None = None,
    ratio: float | None = None,
    readers: str = "random",
    cases: str = "random",
    modalities: Any = None,
    measure: Any = "auc",
    covariance: str | None = None,
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderPlan:
    """Plan how many readers and cases a study of two modalities needs.

    Every reader reads every case with both modalities, and the study is analysed as
    :func:`compare_readers` does. More cases reduce the luck of the cases; what modalities differ within
    readers only more readers reduce.

    Parameters
    ----------
    pilot : ReaderComparison, ScoreSet or dict
        A pilot that was compared, or its ratings; or the variance components of a published study:
        ``modality_reader``, ``var``, ``cov1``, ``cov2``, ``cov3``, ``n_cases`` and, if known, ``n_readers``
        (as Hillis, Obuchowski and Berbaum have them; ``VarTR``, ``KStar`` and the like are understood).
    difference : float, optional
        The true difference between the two modalities. The smallest that matters, not the one that is hoped
        for; the one seen in the pilot unless said. For a margin it is 0 unless said, and for non-inferiority
        it is that of the new modality less the reference: where less is better, as of false positive rates,
        a new modality is worse by a difference above 0.
    margin : float, optional
        Plan to show non-inferiority, or with ``test="equivalence"`` equivalence, within this margin.
    test : {"difference", "non-inferiority", "equivalence"}, optional
        What is to be shown; with a margin non-inferiority unless said.
    power, alpha : float
        The chance to show it; the level of the two-sided test. One-sided tests have half of it, so that the
        same interval decides.
    n_readers : int or sequence of int, optional
        Numbers of readers to plan for; 3 to 20 unless said.
    n_cases : int, optional
        A number of cases, to read how many readers it needs.
    ratio : float, optional
        Negatives for each positive in the planned study; that of the pilot unless said. Needs the ratings of
        a fully crossed pilot, and AUCs.
    readers, cases : {"random", "fixed"}
        What is random in the planned study.
    modalities, measure, covariance, missing, n_resamples, seed, threads
        How a pilot that is handed over as ratings is compared; see :func:`compare_readers`.

    Returns
    -------
    ReaderPlan

    Warns
    -----
    RS223
        If the pilot shows no difference of modalities within readers, so that a plan is too hopeful.

    Raises
    ------
    DataError, UsageError
        RS039 for a pilot that nothing can be planned from.

    Notes
    -----
    What is random: readers and cases, unless said. The power is that of the F test of Obuchowski and Rockette
    with the degrees of freedom of Hillis, a noncentral F (Hillis, Obuchowski & Berbaum 2011); for fixed
    readers a noncentral chi-square. Variance components that came out negative count as 0, and are named in
    the notes.

    More cases are not always better. With few readers the degrees of freedom fall with the luck of the cases,
    and the power may reach its most at some number of cases; ``most_power`` in the table is that most.

    How sure. In simulations (``simulations/reader_planner.py``; the model of Roe and Metz, 2,000 replicates)
    the power promised from known components was met within 0.025 with 5 and 10 readers, within 0.04 for
    margins, within 0.03 for another ratio of the classes; 3 readers with 400 cases found a difference up to
    0.08 more often than promised. A plan is as rough as its pilot: from pilots of 5 readers and 100 cases the
    median promise was 0.00 to 0.07 above the truth, and the middle 80 % of promises ran from 0.27 to 0.88
    where it was 0.47. ``power_range`` takes the variance within readers at its 95 % limits and the luck of
    the cases as known; it held the truth in 91 % to 93 % where readers differ much, in 68 % to 84 % where
    they differ little.

    Examples
    --------
    The study of Van Dyke et al., 5 readers and 114 cases:

    >>> import rocsteady as rs
    >>> published = {"modality_reader": 0.00020040, "var": 0.00080229, "cov1": 0.00034661,
    ...              "cov2": 0.00034407, "cov3": 0.00023903, "n_cases": 114, "n_readers": 5}
    >>> plan = rs.plan_readers(published, difference=0.05, n_readers=6)
    >>> plan
    ReaderPlan(the mean over readers, difference 0.05: for power 0.8, 6 readers need 170 cases)
    >>> plan.readers_for(114), round(plan.power_at(10, 165), 3)
    (11.0, 0.896)
    """
    what_is_random(readers, cases)
    sizes = _sizes(n_readers, readers)
    number_of_cases = None if n_cases is None else _whole_cases(n_cases)
    wanted, level = open_share("power", power), open_share("alpha", alpha)
    per_positive = None if ratio is None else _ratio(ratio)
    test, width = _test_of(test, margin)
    if difference is not None:
        difference = one_number("difference", difference, 0.05)
    if isinstance(pilot, ScoreSet):
        settings = Settings(
            readers=readers,
            cases=cases,
            measure=measure,
            covariance=covariance,
            n_resamples=n_resamples,
            seed=seed,
            threads=threads,
        )
        ratings = reader_ratings(pilot, modalities=modalities, missing=missing, function="plan_readers")
        pilot = compare_ratings(ratings, settings)
    else:
        own = None if isinstance(measure, str) and measure == "auc" else measure
        _refuse_ignored({"measure": own, "covariance": covariance, "modalities": modalities})
    if isinstance(pilot, Mapping):
        found = _of_components(pilot)
    elif isinstance(pilot, ReaderComparison):
        found = _of_comparison(pilot, per_positive)
    else:
        raise fail("RS039.pilot", kind=type(pilot).__name__, example=EXAMPLE)
    if readers == "random" and math.isnan(found.parts.modality_reader):
        raise fail("RS039.one-reader", unit=found.unit, n=found.n_readers or 0)
    if per_positive is not None:
        found = replace(found, parts=_with_ratio(found.parts, per_positive))
    sizes = [1] if found.is_single and sizes is None else sizes
    found.require_one(sizes or [])
    true = _true_difference(test, difference, width, found)
    question = Question(test, true, width, level, readers, cases, found.lower_is_better)
    _require_spread(question, found, readers)
    is_seen = test == "difference" and difference is None
    return _made(found, question, wanted, sizes, number_of_cases, is_seen)


def _refuse_ignored(given: dict[str, Any]) -> None:
    """RS002 for options that only ratings need."""
    for name, value in given.items():
        if value is not None:
            other, ways = "a pilot that was measured already", [f"leave out  {name}"]
            raise fail("RS002.together", name=name, other=other, value=value, ways=ways)


def _with_ratio(parts: StudyComponents, ratio: float) -> StudyComponents:
    if ratio != parts.ratio and parts.from_positives is None:
        raise fail("RS039.ratio", ratio=ratio)
    return parts if ratio == parts.ratio else parts.with_ratio(ratio)


def _require_spread(question: Question, pilot: Pilot, readers: str) -> None:
    """RS039 if the pilot's modalities do not differ at all; RS223 if they do not differ within readers."""
    parts = pilot.parts
    if float(question.error_and_df(parts, 2, parts.n_cases)[0]) <= 1e-12 * parts.var:
        raise fail("RS039.no-spread", example=EXAMPLE)
    variance = parts.modality_reader
    if readers == "random" and variance <= 0:
        warn("RS223.none", unit=pilot.unit, variance=variance, n=pilot.n_readers)


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
    if isinstance(given, float) and not given.is_integer():
        where = "a whole number, at least 4"
        raise fail("RS042", name="n_cases", where=where, found=given, ways=[Option("n_cases", 200)])
    whole = int(given) if isinstance(given, float) else given
    return float(_not_above(MOST_ASKED, "n_cases", whole_number("n_cases", whole, least=4, example=200)))


def _whole_readers(given: Any, readers: str) -> int:
    """A number of readers; RS042 for what is none."""
    least = 1 if readers == "fixed" else 2
    return _not_above(MOST_READERS, "n_readers", whole_number("n_readers", given, least=least, example=6))


def _not_above(most: int, name: str, number: int) -> int:
    if number > most:
        ways = [Option(name, 6 if name == "n_readers" else 200)]
        raise fail("RS042", name=name, where=f"at most {grouped(most)}", found=number, ways=ways)
    return number


def _test_of(test: str | None, margin: float | None) -> tuple[str, float]:
    """Which test and its margin; RS002 if one is without the other."""
    if test is not None:
        one_of("test", test, _TESTS, elsewhere=_ELSEWHERE)
    if margin is None:
        if test in (None, "difference"):
            return "difference", math.nan
        raise fail("RS002.margin", test=test)
    if test == "difference":
        other, ways = "a test for a difference", ["leave out  margin"]
        raise fail("RS002.together", name="margin", other=other, value=margin, ways=ways)
    return test or "non-inferiority", margin_of(margin)


def _true_difference(test: str, given: float | None, margin: float, pilot: Pilot) -> float:
    """The difference to plan for; RS039 for one that no study could show."""
    if test != "difference":
        number = 0.0 if given is None else given
        gain = -number if pilot.lower_is_better else number
        is_within = gain > -margin if test == "non-inferiority" else abs(number) < margin
        if not (is_within and abs(number) < 1):
            raise fail("RS039.margin-met", test=test, number=number, margin=margin)
        return number
    number = abs(pilot.difference if given is None else given)
    if not 0 < number < 1:
        meant = number / 100 if 1 <= number < 100 else 0.05
        is_pilot = given is None and pilot.difference == 0
        raise fail("RS039.difference", is_pilot=is_pilot, found=given, meant=meant)
    return number


def _ratio(given: float) -> float:
    ratio = one_number("ratio", given, 1.0)
    if not 0.001 <= ratio <= 1000:
        where = "negatives for each positive, between 0.001 and 1000"
        raise fail("RS042", name="ratio", where=where, found=given, ways=[Option("ratio", 2.0)])
    return ratio


def _made(
    pilot: Pilot,
    question: Question,
    wanted: float,
    sizes: list[int] | None,
    n_cases: float | None,
    is_seen: bool,
) -> ReaderPlan:
    """The numbers of the plan: of the design asked about, else of the pilot's."""
    parts = pilot.parts
    focus = pilot.n_readers if sizes is None else sizes[0] if len(sizes) == 1 else None
    at = float(max(round(parts.n_cases), 4)) if n_cases is None else n_cases
    own = dict.fromkeys(("power", "detectable", "cases_needed"), math.nan)
    if focus is not None:
        own["power"] = float(question.power(parts, focus, at))
        own["detectable"] = detectable(question, parts, focus, at, wanted)
        own["cases_needed"] = float(cases_needed(question, parts, focus, wanted)[0][0])
    random = (pilot.unit, question.readers_are, question.cases_are, focus or 2)
    return ReaderPlan(
        quantity=pilot.quantity,
        test=question.test,
        difference=question.difference,
        is_seen_difference=is_seen,
        margin=question.margin,
        power_wanted=wanted,
        alpha=question.alpha,
        readers_are=question.readers_are,
        cases_are=question.cases_are,
        n_readers=focus,
        n_cases=at,
        ratio=parts.ratio,
        power_range=None if focus is None else power_range(question, pilot, focus, at),
        **own,
        readers_needed=math.nan if pilot.is_single else readers_needed(question, parts, at, wanted),
        readers_at_least=math.nan if pilot.is_single else readers_at_least(question, parts, wanted),
        components=parts,
        set_to_zero=parts.set_to_zero,
        table=_table(question, pilot, wanted, sizes, n_cases),
        random=said("readers.random_words", *random, not math.isnan(pilot.cases_per_patient)),
        _pilot=pilot,
        _question=question,
    )


def power_range(
    question: Question, pilot: Pilot, n_readers: int, n_cases: float
) -> tuple[float, float] | None:
    """The power at the limits of MS(TR), by chi-square; None where it is not known or does not matter."""
    from scipy.special import chdtri

    parts = pilot.parts
    if question.readers_are == "fixed" or pilot.df < 1:
        return None
    noise = parts.var - parts.cov1 - parts.case_gain
    seen = max(parts.modality_reader + noise, 0.0)
    tail = (1 - _RANGE_LEVEL) / 2
    limits = [pilot.df * seen / float(chdtri(pilot.df, upper)) - noise for upper in (tail, 1 - tail)]
    chances = [
        float(question.power(replace(parts, modality_reader=limit), n_readers, n_cases)) for limit in limits
    ]
    return min(chances), max(chances)


def _table(
    question: Question, pilot: Pilot, wanted: float, sizes: list[int] | None, n_cases: float | None
) -> ReaderPlanTable:
    """What each number of readers needs, or what each gets from a number of cases."""
    parts = pilot.parts
    usual = sorted({*_USUAL_READERS, *([] if pilot.n_readers is None else [pilot.n_readers])})
    usual = [n for n in usual if n > 1 or question.readers_are == "fixed"]
    readers = np.array(usual if sizes is None else sorted(set(sizes)), dtype=np.int64)
    needed, most = cases_needed(question, parts, readers, wanted)
    if n_cases is not None:
        needed = np.full(readers.shape, n_cases)
    classes = np.full((2, readers.size), math.nan)
    if not math.isnan(parts.ratio):
        is_finite = np.isfinite(needed)
        classes[:] = np.where(is_finite, classes, np.inf)
        own = [of_each_class(n, parts.ratio) for n in needed[is_finite]]
        classes[:, is_finite] = np.array(own, dtype=np.float64).reshape(-1, 2).T
    return ReaderPlanTable(
        n_readers=read_only(readers),
        n_cases=read_only(needed),
        n_positives=read_only(classes[0].copy()),
        n_negatives=read_only(classes[1].copy()),
        power=read_only(question.power(parts, readers, needed)),
        most_power=read_only(most),
        unit=pilot.unit,
    )


def of_each_class(n_cases: float, ratio: float) -> tuple[int, int]:
    """Positives and negatives that make so many cases, one of each at least.

    >>> of_each_class(165, 69 / 45)
    (65, 100)
    """
    positives = min(max(round(n_cases / (1 + ratio)), 1), int(n_cases) - 1)
    return positives, int(n_cases) - positives


# What it is planned from: a comparison, the ratings of a pilot, or published components
# --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pilot:
    """What a plan knows of the study before.

    Attributes
    ----------
    parts : StudyComponents
        The variance components.
    n_readers : int or None
        Readers of the pilot; None where only components are known.
    n_modalities : int
        Modalities of the pilot.
    difference : float
        The largest difference seen between two modalities; NaN where only components are known.
    quantity : str
        What was measured.
    unit, positive, negative : str
        The words for a reader and for the two classes.
    design : str
        Who read what.
    lower_is_better : bool
        Whether less is better, as of false positive rates.
    cases_per_patient : float
        NaN where cases are not grouped in patients.
    """

    parts: StudyComponents
    n_readers: int | None
    n_modalities: int
    difference: float
    quantity: str
    unit: str = "reader"
    positive: str = "1"
    negative: str = "0"
    design: str = ReaderDesign.CROSSED
    lower_is_better: bool = False
    cases_per_patient: float = math.nan

    @property
    def is_single(self) -> bool:
        """Whether one reader is all there is: what readers have in common is not known then."""
        return self.n_readers == 1

    @property
    def df(self) -> float:
        """Degrees of freedom of MS(TR), what the variance within readers was learned from; 0 if unknown."""
        return 0 if self.n_readers is None else (self.n_modalities - 1) * (self.n_readers - 1)

    def require_one(self, sizes: list[int]) -> None:
        """RS039 for more readers than one, planned from a pilot of one."""
        if self.is_single and sizes != [1]:
            n_readers = sizes[0] if len(sizes) == 1 else sizes
            raise fail("RS039.one-of-many", unit=self.unit, n_readers=n_readers)


def _of_comparison(found: ReaderComparison, ratio: float | None) -> Pilot:
    ratings, of = found.ratings, found.components
    if of is None:
        raise fail("RS039.method", method=found.method)
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
    if ratio is not None:
        parts = replace(parts, from_positives=_from_positives(found, parts))
    first, clusters = found.differences[0], ratings.clusters
    return Pilot(
        parts=parts,
        n_readers=len(found.readers),
        n_modalities=len(found.modalities),
        difference=float(max((own.difference for own in found.differences), key=abs)),
        quantity=first.quantity,
        unit=found.unit,
        positive=ratings.classes.positive,
        negative=ratings.classes.negative,
        design=found.design,
        lower_is_better=first.lower_is_better,
        cases_per_patient=math.nan if clusters is None else len(ratings.cases) / np.unique(clusters).size,
    )


def _from_positives(found: ReaderComparison, parts: StudyComponents) -> tuple[float, float, float, float]:
    """What the positives have in each component, by DeLong's placements; RS039 where that is not known."""
    ratings = found.ratings
    is_crossed = ratings.design == ReaderDesign.CROSSED
    if not is_crossed or ratings.clusters is not None or not isinstance(found._settings.measure, Auc):
        patients = "" if ratings.clusters is None else ", cases in clusters"
        quantity = found.differences[0].quantity
        raise fail("RS039.ratio-of-crossed", quantity=quantity, design=f"{found.design}{patients}")
    of_class = class_parts(ratings.ratings, ratings.truth)
    whole = np.array([parts.var, parts.cov1, parts.cov2, parts.cov3])
    # Other estimates than DeLong's differ a little; each class is given half of that.
    own = of_class[0] + (whole - of_class[0] - of_class[1]) / 2
    return float(own[0]), float(own[1]), float(own[2]), float(own[3])


def class_parts(ratings: Floats, truth: Mask) -> tuple[Floats, Floats]:
    """Var, Cov1, Cov2 and Cov3 by DeLong, of ``(t, r, c)`` ratings: of the positives, and of the negatives.

    The two add up to those of all cases; each falls like one over the cases of its class.
    """
    shape = ratings.shape[:2]
    cells = placed(ratings.reshape(-1, truth.size), truth)
    pairs = 2.0 * cells.n_positives * cells.n_negatives
    found = []
    for positives in (True, False):
        n = int(cells.n_positives[0] if positives else cells.n_negatives[0])
        matrix = products(cells.deviations(positives=positives)) / (np.outer(pairs, pairs) * n * (n - 1))
        of = components(cells.auc.reshape(shape), matrix.reshape(*shape, *shape))
        found.append(np.array([of.var, of.cov1, of.cov2, of.cov3]))
    return found[0], found[1]


def _of_components(given: Mapping[Any, Any]) -> Pilot:
    """Components by name; RS039 for those that are missing, unknown or impossible."""
    named: dict[str, float] = {}
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
    parts = StudyComponents(
        named["modality_reader"], named["var"], named["cov1"], named["cov2"], named["cov3"], named["n_cases"],
        ratio=named.get("ratio", math.nan),
    )  # fmt: skip
    # Also of numbers that are no numbers: nothing compares with them.
    is_possible = all(abs(own) <= parts.var for own in (parts.cov1, parts.cov2, parts.cov3))
    is_possible = is_possible and 0 < parts.var < math.inf and 1 <= parts.n_cases < math.inf
    if not is_possible or not math.isfinite(parts.modality_reader):
        raise fail(
            "RS039.impossible",
            components=", ".join((f"{name} {value:g}" for name, value in named.items())),
            example=EXAMPLE,
        )
    if n_readers is not None:
        n_readers = whole_number("n_readers", int(n_readers), least=2, example=5)
    return Pilot(parts, n_readers, 2, math.nan, "the mean over readers")
