"""``compare_readers``: which modality do readers see more with, by how much, and how sure.

Modalities are compared with each other, or a system that reads by itself with the readers of each;
``summarize_readers`` says how well readers do with each modality by itself. All three are means over readers
with what readers and cases add to their error.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, overload

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.calling import welcomes
from rocsteady.curves.statistics import Auc, PartialAuc, Statistic
from rocsteady.errors import RocsteadyWarning, caller_level, caution, fail, warn
from rocsteady.inference.differences import BEHIND_A_TEST, OF_DIFFERENCES, Difference
from rocsteady.options import one_of
from rocsteady.readers.curves import ReaderAverageCurve, average_curve
from rocsteady.readers.design import ReaderDesign, is_nested, is_partly_paired
from rocsteady.readers.margins import (
    DEFAULT_ALPHA,
    Equivalence,
    NonInferiority,
    OfReaders,
    ReaderTest,
    adjusted_differences,
    equivalent,
    non_inferior,
    require_known_errors,
    tested_difference,
)
from rocsteady.readers.standalone import StandaloneStudy, standalone_study, standalone_threshold_of
from rocsteady.readers.study import (
    Analysis,
    Below,
    Covariance,
    CurveMeasure,
    Effect,
    ReaderRatings,
    Settings,
    below_half,
    reader_ratings,
    values,
    warn_of_reversed,
)
from rocsteady.results import TableResult, columns_of
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn, Told, notes, said
from rocsteady.statistics.limits import (
    Interval,
    separated_limits,
    t_quantile,
    two_sided_pvalue,
)
from rocsteady.statistics.obuchowski_rockette import (
    KINDS,
    ROUNDING,
    Components,
    components,
    difference_error,
    each_modality,
    global_test,
    less,
    limits_of_readers,
    single_modality,
    standalone_less_readers,
)
from rocsteady.statistics.u_statistics import (
    ReaderMoments,
    equality,
    of_difference,
    reader_moments,
    variances,
)
from rocsteady.words import class_cases, counted, plural, printable

SEPARATED, NONE = "separated", "none"
"""How limits were made where nothing varies: the bound for separated classes, or not at all."""
_NEAR = 0.15
"""Distance of a mean from 0 or 1 below which its limits are looked at; plain ones fell short from 0.9 on."""
_WIDEST = 0.6
"""Half an interval as a share of the way to 0 or 1. Beyond it, plain 95 % limits of a mean AUC were measured
to cover 0.87 to 0.93 (Roe-Metz model, 3 to 10 readers)."""
# Tables of modalities and of readers
# -----------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PerModality(TableResult):
    """The mean of every modality over its readers, each from its own data alone.

    Attributes
    ----------
    modalities : tuple of str
        Their names.
    quantity : str
        What was averaged: ``"mean AUC"``.
    value, standard_error, df, low, high : float64 arrays
        The mean and its interval, with Hillis' degrees of freedom (infinite: normal). Plain limits are not
        clipped to [0, 1], as the established programs print them; near 1 they cover too little, and
        ``logit_intervals`` do not. A mean without error has the bound for separated classes where every AUC
        is 0 or 1 (cases random), and no limits (NaN) elsewhere. Two intervals that overlap do not say that
        there is no difference.
    methods : tuple of str
        How the limits of each were made: ``"logit"``, ``"t"``, ``"z"``; ``"separated"`` for the bound where
        every AUC is 0 or 1, ``"none"`` where there are no limits.
    ms_reader, var, cov2 : float64 arrays
        Mean square of readers; mean variance, and mean covariance of two readers, over samples of cases. NaN
        under U-statistics.
    n_readers : int64 array
        Readers of each.
    confidence_level : float
        Of the limits.
    largest : float or None
        The most that the measure can be; None where nobody knows.
    """

    _line = "{quantity}: {_means}"
    _in_frame = "modality=modalities, value, standard_error, df, low, high, ms_reader, var, cov2, n_readers"
    _not_for_papers: ClassVar = ("standard_error", "df", "ms_reader", "var", "cov2")

    modalities: tuple[str, ...]
    quantity: str
    value: Floats
    standard_error: Floats
    df: Floats
    low: Floats
    high: Floats
    methods: tuple[str, ...]
    ms_reader: Floats
    var: Floats
    cov2: Floats
    n_readers: Integers
    confidence_level: float
    largest: float | None

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The limits of each modality as an interval."""
        limits = zip(self.low.tolist(), self.high.tolist(), self.methods, strict=True)
        return tuple(Interval(low, high, self.confidence_level, method) for low, high, method in limits)

    @property
    def logit_intervals(self) -> tuple[Interval, ...]:
        """Intervals made on the logit scale, which stay in the range of the measure, and hold near its ends.

        Plain ones for a measure whose range nobody knows.
        """
        if self.largest is None:
            return self.intervals
        level = self.confidence_level
        low, high = limits_of_readers(
            self.value, self.standard_error, self.df, level, "logit", largest=self.largest
        )
        return tuple(
            Interval(float(low[i]), float(high[i]), level, "logit") if self.standard_error[i] else own
            for i, own in enumerate(self.intervals)
        )

    @property
    def _means(self) -> str:
        return ", ".join(f"{a} {b:.4f}" for a, b in zip(self.modalities, self.value.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.modalities)


@dataclass(frozen=True, eq=False, repr=False)
class PerReader(TableResult):
    """Differences of every reader by themselves: one row for each reader and pair of modalities.

    Cases are random here, whatever is random in the comparison: what would this very reader show on other
    cases? Between modalities the standard error is ``sqrt(2 (Var - Cov1))``, with Var and Cov1 of the reader
    averaged over all modalities; readers who read one modality only have no row. Errors, limits and p-values
    are NaN where the variance is unknown: with one case of a class, or where an unbiased Var is below Cov1.
    A standalone system is ``a``, the reader is ``b``, named by the modality; with fixed cases there is no
    error.

    Attributes
    ----------
    unit : str
        The word for a reader.
    reader, a, b : tuple of str
        Who, and the two modalities.
    a_value, b_value, difference, standard_error, low, high, statistic, pvalue : float64 arrays
        The difference is a less b; z and its two-sided p-value, not adjusted.
    confidence_level : float
        Of the limits.
    """

    _line = "{_readers:count {unit}}, {reader:count difference}"
    _in_frame = (
        "{0.unit}=reader, a, b, a_value, b_value, difference, standard_error, low, high, statistic, pvalue"
    )
    _usual_unit = "reader"
    _not_for_papers: ClassVar = BEHIND_A_TEST

    unit: str
    reader: tuple[str, ...]
    a: tuple[str, ...]
    b: tuple[str, ...]
    a_value: Floats
    b_value: Floats
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    statistic: Floats
    pvalue: Floats
    confidence_level: float

    @property
    def _readers(self) -> set[str]:
        return set(self.reader)

    def __len__(self) -> int:
        return len(self.reader)


@dataclass(frozen=True, eq=False, repr=False)
class ReaderValues(TableResult):
    """Every reader with every modality: one row for each. Cases are random here, the reader is this one.

    Attributes
    ----------
    unit, measure : str
        The word for a reader; what was measured.
    modality, reader : tuple of str
        Of each row.
    value, standard_error, low, high : float64 arrays
        The error is over cases. Limits are made on the logit scale, scaled by the largest area for partial
        ones, and plainly for functions of a curve; at an AUC of 0 or 1 they are the bound for separated
        classes. NaN where cases are fixed or nothing varies.
    n_cases : int64 array
        Cases that the reader read with the modality.
    confidence_level : float
        Of the limits.
    """

    _line = "{measure}, {value:count value}"
    _in_frame = "modality, {0.unit}=reader, value, standard_error, low, high, n_cases"
    _usual_unit = "reader"

    unit: str
    measure: str
    modality: tuple[str, ...]
    reader: tuple[str, ...]
    value: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    n_cases: Integers
    confidence_level: float

    def __len__(self) -> int:
        return len(self.reader)


# Results
# -------


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult(Told, Drawn, TableResult, figure="reader_values"):
    """What all results of a reader study have.

    Attributes
    ----------
    modalities, readers : tuple of str
        Their names.
    unit : str
        The word for a reader.
    measure : str
        What was measured.
    covariance : Covariance
        How covariances over cases were estimated.
    readers_are, cases_are : Effect
        What the result is about; ``random`` says it in words.
    values : (t, r) float64 array
        The measure of each modality and reader; NaN where a reader did not read the modality.
    confidence_level, adjust, n_resamples, seed
        What was asked for.
    """

    _told: ClassVar[tuple[str, ...]] = ("random", "notes")
    _kind: ClassVar[str]

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    unit: str
    measure: str
    covariance: Covariance
    readers_are: Effect
    cases_are: Effect
    values: Floats
    confidence_level: float
    adjust: str | None
    n_resamples: int
    seed: int
    _settings: Settings
    _studies: tuple[ReaderRatings, ...]
    _below_half: tuple[Below, ...]

    @property
    def ratings(self) -> ReaderRatings:
        """What was analysed; a standalone system is the first reader."""
        return self._studies[0]

    @property
    def random(self) -> str:
        """What is random, in words."""
        has_patients = any(own.clusters is not None for own in self._studies)
        are = self.readers_are, self.cases_are
        return said("readers.random_words", self.unit, *are, len(self.readers), has_patients)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know about the data, the design and the components."""
        return notes(f"readers.notes_of_{self._kind}", self)


@dataclass(frozen=True, eq=False, repr=False)
class ComparedStudy(StudyResult):
    """What comparisons of modalities, and of a standalone system with readers, have beside.

    Attributes
    ----------
    means : (t,) float64 array
        Of each modality over its readers.
    differences : tuple of Difference
        What was compared.
    """

    _told: ClassVar = ("random", "n_cases", "n_positives", "n_negatives", "design", "notes", "methods")
    _not_for_papers: ClassVar = BEHIND_A_TEST

    means: Floats
    differences: tuple[Difference, ...]

    @property
    def n_cases(self) -> int:
        """Cases that anyone read."""
        return len(self.ratings.cases)

    @property
    def n_positives(self) -> int:
        """Positive ones of them."""
        return self.ratings.n_positives

    @property
    def n_negatives(self) -> int:
        """Negative ones of them."""
        return self.ratings.n_negatives

    @property
    def design(self) -> ReaderDesign:
        """Who read what."""
        return self.ratings.design

    @property
    def methods(self) -> str:
        """The paragraph of a paper that says what was done."""
        return said(f"reader_methods.of_{self._kind}", self)

    def non_inferior(
        self,
        margin: float,
        *,
        new: str | None = None,
        reference: str | None = None,
        modality: str | None = None,
        alpha: float = DEFAULT_ALPHA,
    ) -> NonInferiority:
        """Whether one is worse by less than ``margin``: :func:`rocsteady.non_inferior`.

        A standalone system is the new one unless said, and is held against the readers of a ``modality``.
        """
        of = self._against(modality)
        new = self.standalone if new is None and isinstance(self, StandaloneComparison) else new
        return non_inferior(of, margin, new=new, reference=reference, alpha=alpha)

    def equivalent(
        self,
        margin: float,
        *,
        modalities: tuple[str, str] | None = None,
        modality: str | None = None,
        alpha: float = DEFAULT_ALPHA,
    ) -> Equivalence:
        """Whether two differ by less than ``margin``, either way: :func:`rocsteady.equivalent`."""
        return equivalent(self._against(modality), margin, modalities=modalities, alpha=alpha)

    def _against(self, modality: Any) -> Any:
        """What is held against a margin; of a standalone system the difference to a modality's readers."""
        if modality is not None:
            other, ways = "modalities compared with each other", ["leave out  modality"]
            raise fail("RS002.together", name="modality", other=other, value=modality, ways=ways)
        return self


@dataclass(frozen=True)
class Assumption:
    """The test of all modalities under one assumption of what is random."""

    readers: str
    cases: str
    statistic: float
    df: Any
    pvalue: float


@dataclass(frozen=True, eq=False, repr=False)
class ReaderComparison(ComparedStudy, sentence="readers.comparison"):
    """Modalities of a reader study compared, made by :func:`rocsteady.compare_readers`.

    Attributes
    ----------
    method : Analysis
        Which; :class:`ComparedStudy` and ``StudyResult`` have what else was asked, read and found.
    components : Components or None
        Mean squares, covariances, variance components. None where cells are missing.
    statistic, df, pvalue : float
        Of the test that all modalities have the same mean: F with the pair ``df``, or chi-square (fixed
        readers) with one number. A difference without any error has no p-value (NaN) and no interval.
    error_term : float
        What the mean square of modalities was divided by.
    differences : tuple of Difference
        Of all pairs of modalities, the earlier less the later.
    per_modality : PerModality
        The mean of each, with an interval.
    per_reader : PerReader
        The differences of each reader.
    covariances : (t, r, t, r) float64 array
        Of the values, over samples of cases.
    """

    _kind: ClassVar = "comparison"
    _of_each = "differences"
    _in_frame = OF_DIFFERENCES.replace("flip_pvalue, ", "")

    method: Analysis
    components: Components | None
    statistic: float
    df: Any
    pvalue: float
    error_term: float
    per_modality: PerModality
    per_reader: PerReader
    covariances: Floats
    _uncentred_errors: Floats | None

    @property
    def difference(self) -> float:
        """The mean of the first modality less that of the second; NaN for more than two."""
        return self.differences[0].difference if len(self.differences) == 1 else np.nan

    @property
    def standard_error(self) -> float:
        """Of the difference; NaN for more than two modalities."""
        return self.differences[0].standard_error if len(self.differences) == 1 else np.nan

    @property
    def interval(self) -> Interval:
        """Of the difference; NaN limits for more than two modalities: see ``differences``."""
        none = Interval(np.nan, np.nan, self.confidence_level, "several modalities")
        return self.differences[0].interval if len(self.differences) == 1 else none

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """The test with readers and cases random, and with either fixed; none where cells are missing."""
        components = self.components
        if self.method != "obuchowski-rockette" or components is None:
            return ()
        found = []
        for readers, cases in (("random", "random"), ("fixed", "random"), ("random", "fixed")):
            if readers == "random" and min(components.n_readers) < 2:
                continue
            test = global_test(components, readers=readers, cases=cases)
            found.append(Assumption(readers, cases, float(test.statistic), test.df, float(test.pvalue)))
        return tuple(found)

    def average_curve(self, modality: str | None = None, *, hold: str = "fpr") -> ReaderAverageCurve:
        """The average curve of the readers of a modality, whose area is their mean AUC."""
        return average_curve(
            self.ratings,
            modality,
            hold=hold,
            readers=self.readers_are,
            cases=self.cases_are,
            confidence_level=self.confidence_level,
            n_resamples=self.n_resamples,
            seed=self.seed,
        )

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.readers), printable(self.unit))}, {counted(self.n_cases, 'case')}"
        both = (("readers", self.readers_are), ("cases", self.cases_are))
        random = f"{' and '.join(word for word, are in both if are == 'random')} random"
        if len(self.differences) > 1:
            what = "F" if isinstance(self.df, tuple) else "chi2"
            found = f"{what} {self.statistic:.4g}, p {self.pvalue:.3g}"
            return f"ReaderComparison({len(self.modalities)} modalities, {sizes}, {random}: {found})"
        (own,) = self.differences
        of = f"{printable(own.a)} - {printable(own.b)}"
        found = f"{own.quantity} {own.difference:+.4f}, p {own.pvalue:.3g}"
        return f"ReaderComparison({of}, {sizes}, {random}: {found})"


@dataclass(frozen=True, eq=False, repr=False)
class StandaloneComparison(ComparedStudy, sentence="readers.standalone"):
    """A standalone system (AI, CAD) against the mean of the readers of each modality.

    Attributes
    ----------
    standalone : str
        The name of the system. Readers, values and means are those of the readers; the design says which of
        them read what, and the system scored all of it.
    standalone_values : (t,) float64 array
        Of the system, on the cases that were read with the modality.
    differences : tuple of Difference
        For each modality the system less the mean of its readers. ``a_interval`` is that of the system by
        itself, over cases; ``b_interval`` that of the mean of the readers. Both are made on the logit scale,
        or plainly where the measure has no largest value; where nothing varies they are the bound for
        separated classes, or NaN.
    ms_reader, var, cov2 : (t,) float64 arrays
        The mean square of readers, and the mean variance and covariance over cases, all of the differences
        between the system and the readers.
    per_reader : PerReader
        The system against each reader.
    """

    _kind: ClassVar = "standalone"
    _line = (
        "{measure}, {standalone} {differences[0].a_value:.4f}, {unit:plural} {differences[0].b_value:.4f}, "
        "p {differences[0].pvalue:.3g}{_more:? and {_more} more}"
    )

    standalone: str
    standalone_values: Floats
    ms_reader: Floats
    var: Floats
    cov2: Floats
    per_reader: PerReader
    _system: StandaloneStudy
    _system_below_half: bool
    _mean_errors: Floats

    @property
    def _more(self) -> int | None:
        return len(self.differences) - 1 or None

    @property
    def design(self) -> ReaderDesign:
        """Who read what; the system scored all of it."""
        return self._system.of_readers.design

    @property
    def difference(self) -> Difference:
        """Where there is one modality: the system less the mean of its readers."""
        return self._against(None)

    def _against(self, modality: Any) -> Difference:
        """The system less the readers of a modality, which need not be named if there is one."""
        names = self.modalities
        name = names[0] if modality is None and len(names) == 1 else modality
        if name is None or str(name) not in names:
            raise fail("RS040.which", modality=modality, modalities=names, unit=self.unit)
        return self.differences[names.index(str(name))]

    def _columns(self) -> dict[str, Any]:
        names = "standalone_value=a_value, mean_of_readers=b_value, difference, standard_error, statistic, df"
        names += ", pvalue, adjusted_pvalue, interval.low, interval.high"
        return {
            "standalone": [self.standalone] * len(self.differences),
            "modality": list(self.modalities),
            **columns_of(self.differences, names),
        }


@dataclass(frozen=True, eq=False, repr=False)
class ReaderSummary(StudyResult, sentence="readers.summary"):
    """The mean of the readers of each modality, each from its own data alone; see :class:`StudyResult`.

    Attributes
    ----------
    per_modality : PerModality
        The means with their errors, degrees of freedom and limits; mean squares and covariances.
    reader_sd : (t,) float64 array
        How much readers differ beyond the luck of their cases: the root of the variance component
        ``MS(R) - Var + Cov2``, 0 where that is negative, NaN for one reader.
    per_reader : ReaderValues
        The readers one by one.
    n_cases, n_positives, n_negatives : (t,) int64 arrays
        Cases that were read with each modality.
    designs : tuple of ReaderDesign
        Who read what, of each modality.
    """

    _kind: ClassVar = "summary"
    _line = "{per_modality.quantity}{_of}, {readers:count {unit}}"

    per_modality: PerModality
    reader_sd: Floats
    per_reader: ReaderValues
    n_cases: Integers
    n_positives: Integers
    n_negatives: Integers
    designs: tuple[ReaderDesign, ...]

    def __len__(self) -> int:
        return len(self.modalities)

    @property
    def means(self) -> Floats:
        """The mean of each modality."""
        return self.per_modality.value

    @property
    def _of(self) -> str:
        if len(self) > 1:
            return f", {counted(len(self), 'modality')}"
        return f" {self.means[0]:.4f}{self.per_modality.intervals[0]:(.4f)}"

    def _columns(self) -> dict[str, Any]:
        low, high = (reduce(self.values, axis=1) for reduce in (np.nanmin, np.nanmax))
        added = {"reader_sd": self.reader_sd, "lowest": low, "highest": high, "n_cases": self.n_cases}
        return {**self.per_modality._columns(), **added}


def caution_of_error_term(found: ReaderComparison) -> RocsteadyWarning | None:
    """RS214 where the test divides by nothing, or by the luck of cases alone though readers are random."""
    of = found.components
    if found.error_term == 0:
        return caution("RS214.no-error", are_equal=found.statistic == 0)
    if of is None or found._settings.is_by_u_statistics or found.readers_are == "fixed":
        return None
    of_readers = of.ms_reader if of.nested else of.ms_modality_reader
    return caution("RS214.readers-alike", unit=found.unit, is_nested=of.nested) if of_readers == 0 else None


def near_ends(found: ReaderComparison) -> Integers:
    """Modalities whose mean is so near to 0 or 1 that its plain limits cover too little (AUCs and rates)."""
    per = found.per_modality
    if not (found._settings.measure.hold or isinstance(found._settings.measure, Auc)):
        return np.empty(0, dtype=np.int64)
    half, room = (per.high - per.low) / 2, np.minimum(per.value, 1 - per.value)
    is_near = (half > _WIDEST * room) & (room > 0) & (room < _NEAR) & (per.standard_error > 0)
    return np.flatnonzero(is_near)


# Modalities compared
# -------------------


@overload
def compare_readers(score_set: ScoreSet, *, standalone: None = None, **options: Any) -> ReaderComparison: ...


@overload
def compare_readers(score_set: ScoreSet, *, standalone: Any, **options: Any) -> StandaloneComparison: ...


@welcomes("compare_readers(score_set)")  # type: ignore[misc]  # its options are named one by one
def compare_readers(
    score_set: ScoreSet,
    *,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    method: str = "obuchowski-rockette",
    modalities: Sequence[str] | None = None,
    standalone: Any = None,
    standalone_threshold: float | None = None,
    standalone_name: str | None = None,
    confidence_level: float = 0.95,
    adjust: str | None = "holm",
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderComparison | StandaloneComparison:
    """Compare modalities that several readers read: a multi-reader multi-case (MRMC) study.

    The readers who took part and the cases they read are both samples, and both add to the error of what was
    found. Obuchowski and Rockette's analysis takes both into account.

    With ``standalone`` a system that reads by itself (AI, CAD) is compared with the mean of the readers of
    each modality. It gives one score to each case, on a scale of its own: only the order of its scores
    counts. Its differences to the readers are analysed as a study of one modality (Hillis 2007, section 5.3).

    Parameters
    ----------
    score_set : ScoreSet
        Groups are the readers, models the modalities; cases are named. Ratings may be ordinal or continuous.
    readers, cases : {"random", "fixed"}
        What the result is to hold for: others like these, or these very ones. Not both can be fixed.
    covariance : {"delong", "jackknife", "unbiased", "bootstrap"}, optional
        How the covariances of the error over cases are estimated. By default DeLong's for the AUC, the
        bootstrap for a rate at a rate, the jackknife for everything else. U-statistics take ``"unbiased"``
        alone: their variance without centring, as iMRMC has it, which is noisy in unbalanced studies.
    measure : str, dict, PartialAuc or callable
        What is read off every reader's curve: ``"auc"``, ``PartialAuc(fpr=(0, 0.1))``, the sensitivity at
        ``{"specificity": 0.9}``, ``{"threshold": 3, "rate": "specificity"}``, or a function of a
        curve that gives a number (what it raises is passed on).
    method : {"obuchowski-rockette", "u-statistics"}
        U-statistics (Gallas) take any pattern of missing ratings and cells, for the AUC with random readers
        and cases.
    modalities : sequence of str, optional
        Which ones, in this order: differences are an earlier one less a later one. All by default.
    standalone : str, ScoreSet or Scores, optional
        The modality that stands for a system (its scores may be there once, or again for every reader), or
        the reader that does; else its scores with their cases, from a table of their own.
    standalone_threshold : float, optional
        The threshold of the system where the measure has one, which is one of the readers: those who recall
        from 3 of 5, say, against an AI that recalls from 0.4.
    standalone_name : str, optional
        What the system is called in the result; by default what it is called in the data.
    confidence_level : float
        Of all intervals.
    adjust : {"holm", "bh", None}
        How ``adjusted_pvalue`` allows for the number of differences; ``pvalue`` does not.
    missing : {"raise", "drop"}
        What to do about readers who lack a modality, or one of the classes in it, and about cases without a
        score of the system.
    n_resamples, seed : int
        Of the bootstrap.
    threads : int, optional
        Changes the time only.

    Returns
    -------
    ReaderComparison, or StandaloneComparison with ``standalone``

    Raises
    ------
    DataError
        RS027 with one modality, one reader who is to be random, or cases without names; RS028 where cells of
        the design are missing, RS029 where a case is rated twice, RS036 where a reader lacks a class; RS040
        if there is no such system, or it has no single score for a case.

    Warns
    -----
    RocsteadyWarning
        RS213 with fewer than four random readers, RS214 where the error term of the test is 0, RS215 where
        ratings are missing here and there, RS219 where an AUC is clearly below 1/2, RS226 if cases without a
        score of the system were left out, RS227 if it gives two values only.

    Notes
    -----
    Cases need not be read in every cell: they may be nested in readers or modalities, or overlap partly. Each
    reader counts the same. Readers may be nested in modalities, each having read one only (Hillis 2014);
    where their numbers differ, the error is not pooled over modalities, and the test of three or more is
    Welch's.

    Differences of pairs use one error term for all modalities, as the established programs do, where all
    modalities were read on the same cases. Partly paired modalities (two share cases that a third does not)
    have no common one: covariances come from the cases that two cells share, and every pair has the error and
    the degrees of freedom that it would have by itself; ``notes`` say so. Readers who lack a modality are for
    ``method="u-statistics"``, whose pairs have their own errors always. How often the tests reject true
    hypotheses was measured: 2 to 9 %, at a level of 5 %, in all designs (docs/coverage.md).

    References
    ----------
    Obuchowski & Rockette (1995), Communications in Statistics - Simulation 24, 285-308; Hillis (2007),
    Statistics in Medicine 26, 596-619; Hillis (2014), Statistics in Medicine 33, 330-360; Welch (1951),
    Biometrika 38, 330-336.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> study = rs.ScoreSet.from_frame(reader_study(), **columns, case="case", positive="cancer")
    >>> found = rs.compare_readers(study, modalities=["digital", "film"])
    >>> found
    ReaderComparison(digital - film, 6 readers, 120 cases, readers and cases random: mean AUC +0.0722,
    p 0.0216)
    >>> found.per_modality
    PerModality(mean AUC: digital 0.8883, film 0.8161)
    >>> found.interval
    Interval(0.0124 to 0.1320, confidence level 0.95, t)

    Six radiologists rated films from 1 to 100; the AI has scores from 0 to 1.

    >>> ai = rs.compare_readers(study, standalone="AI", modalities=["film"])
    >>> ai, ai.non_inferior(0.05).is_shown
    (StandaloneComparison(AUC, AI 0.8381, readers 0.8161, p 0.614), False)
    """
    draws: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
    what: dict[str, Any] = {"readers": readers, "cases": cases, "measure": measure, "covariance": covariance}
    settings = Settings(confidence_level, method=method, adjust=adjust, **what, **draws)
    if standalone is None:
        ignored = {"standalone_threshold": standalone_threshold, "standalone_name": standalone_name}
        for name, own in ignored.items():
            if own is not None:
                other = "a comparison of modalities without a standalone system"
                raise fail("RS002.together", name=name, other=other, value=own, ways=[f"leave out  {name}"])
        ratings = reader_ratings(
            score_set,
            modalities=modalities,
            missing=missing,
            allow_missing_cells=settings.is_by_u_statistics,
        )
        return compare_ratings(ratings, settings)
    if settings.is_by_u_statistics:
        raise fail("RS002.standalone-method")
    threshold = standalone_threshold_of(settings.measure, standalone_threshold)
    system = standalone_study(
        score_set,
        standalone,
        modalities=modalities,
        missing=missing,
        threshold=threshold,
        called=standalone_name,
    )
    settings.require_readers(system.of_readers)
    own_threshold = "" if threshold is None else f" ({printable(system.name)}: {threshold:g})"
    return _compare_system(system, settings, f"{settings.measure.label}{own_threshold}")


def compare_ratings(ratings: ReaderRatings, settings: Settings) -> ReaderComparison:
    """What :func:`compare_readers` gives, for ratings that are checked."""
    settings.require_readers(ratings)
    moments = _moments(ratings, settings) if settings.is_by_u_statistics else None
    theta, sigma = values(ratings, settings.measure), settings.covariances_of(ratings)
    if ratings.design == ReaderDesign.PARTLY:
        warn("RS215.missing", missing=said("readers.what_is_missing", ratings))
    below = below_half(ratings, theta, sigma, settings.measure)
    warn_of_reversed(ratings, below)
    cells, uncentred = ~np.isnan(theta), None
    of = components(theta, sigma) if cells.all() or is_nested(cells) else None
    if moments is None:
        assert of is not None  # reader_ratings refuses missing cells
        test, of_means = global_test(of, **settings.random), each_modality(of, **settings.random)
        of_pairs = _errors_of_pairs(ratings, settings, of, theta, sigma)
    else:
        variance, dfs = _variances(ratings, settings, moments)
        errors, uncentred = np.sqrt(variance), of_difference(moments.uncentred)
        uncentred = np.sqrt(np.where(uncentred < 0, np.nan, uncentred))
        test, of_means = equality(moments), (moments.means, np.diag(errors), np.diag(dfs))
        pairs = combinations(range(len(dfs)), 2)
        of_pairs = {pair: (float(errors[pair]), float(dfs[pair])) for pair in pairs}
    modalities, n_readers, level = ratings.modalities, len(ratings.readers), settings.confidence_level
    quantity = settings.quantity(n_readers)
    parts: Any = np.full((3, len(modalities)), np.nan)
    if of is not None:
        parts = of.ms_reader_each, of.var_each, of.cov2_each
    studies = [(ratings, i) for i in range(len(modalities))]
    per_modality = _per_modality(settings, studies, of_means, parts, quantity, "t")
    means, intervals, differences = per_modality.value, per_modality.intervals, []
    are = (ratings.unit, n_readers, settings.readers, settings.cases, ratings.clusters is not None)
    facts = OfReaders(
        quantity, ReaderTest(settings.method), settings.covariance, *are, statistic=settings.measure
    )
    for (i, j), own in of_pairs.items():
        a, b = float(means[i]), float(means[j])
        differences.append(
            tested_difference(
                (modalities[i], modalities[j]),
                (a, b),
                (intervals[i], intervals[j]),
                (float(less(a, b)), *own),
                level,
                facts,
                lower_is_better=bool(settings.measure.lower_is_better),
            )
        )
    if moments is None:
        require_known_errors(settings.covariance, differences)
    found = ReaderComparison(
        **_facts([ratings], settings, theta, below),
        modalities=modalities,
        readers=ratings.readers,
        method=settings.method,
        means=means,
        components=of,
        **vars(test),
        differences=adjusted_differences(differences, settings.adjust),
        per_modality=per_modality,
        per_reader=_reader_differences(ratings, theta, sigma, level),
        covariances=sigma,
        _uncentred_errors=uncentred if settings.covariance is Covariance.CENTRED else None,
    )
    of_error_term = caution_of_error_term(found)
    if of_error_term is not None:
        warnings.warn(of_error_term, stacklevel=caller_level())
    of_cells = np.einsum("ijij->ij", sigma)[ratings.cells]
    n_known = int((of_cells == 0).sum())
    if settings.readers == "fixed" and n_known:
        warn("RS151.cells", measure=found.measure, n=n_known, n_cells=of_cells.size)
    return found


def _errors_of_pairs(
    ratings: ReaderRatings, settings: Settings, of: Components, theta: Floats, sigma: Floats
) -> dict[tuple[int, int], tuple[float, float]]:
    """Standard errors and degrees of freedom of all differences: of one error term, or each by itself."""
    found, is_partly = {}, is_partly_paired(ratings.is_read)
    for i, j in combinations(range(len(theta)), 2):
        parts, pair = of, (i, j)
        if is_partly:  # two modalities by themselves, with the readers of either
            both = np.array([i, j])
            kept = np.flatnonzero(~np.isnan(theta[both]).all(axis=0))
            parts = components(theta[np.ix_(both, kept)], sigma[np.ix_(both, kept, both, kept)])
            pair = (0, 1)
        found[i, j] = difference_error(parts, pair[0], pair[1], **settings.random)
    return found


def _facts(
    studies: Sequence[ReaderRatings], settings: Settings, theta: Floats, below: Sequence[Below]
) -> dict[str, Any]:
    """What every result says of the study and of how it was made."""
    return {
        "unit": studies[0].unit,
        "measure": settings.measure.label,
        "readers_are": settings.readers,
        "cases_are": settings.cases,
        "values": theta,
        "covariance": settings.covariance,
        "confidence_level": settings.confidence_level,
        "adjust": settings.adjust,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
        "_settings": settings,
        "_studies": tuple(studies),
        "_below_half": tuple(below),
    }


def _moments(ratings: ReaderRatings, settings: Settings) -> ReaderMoments:
    """Of U-statistics; RS027 unless two readers saw two cases of each class, RS030 for patients: one draw."""
    if ratings.clusters is not None:
        n_patients = len(np.unique(ratings.clusters))
        raise fail("RS030.several-of-patient", n=len(ratings.cases), n_patients=n_patients)
    classes = ratings.classes
    of_class = [ratings.is_read[:, :, mask] for mask in (ratings.truth, ~ratings.truth)]
    has_both = np.asarray(of_class[0].any(axis=2) & of_class[1].any(axis=2))
    needs = {f"two {plural(printable(ratings.unit))} who read both classes": has_both.sum(axis=1)}
    names = class_cases(classes.positive, is_positive=True), class_cases(classes.negative, is_positive=False)
    for cases, is_read in zip(names, of_class, strict=True):
        needs[f"two {cases}"] = (is_read & has_both[:, :, None]).any(axis=1).sum(axis=1)
    for needed, n in needs.items():
        lacking = [printable(ratings.modalities[i]) for i in np.flatnonzero(n < 2)]
        if lacking:
            raise fail("RS027.needs", needed=needed, lacking=lacking)
    centred = settings.covariance is Covariance.CENTRED
    return reader_moments(ratings.ratings, ratings.is_read, ratings.truth, centred=centred)


def _variances(ratings: ReaderRatings, settings: Settings, moments: ReaderMoments) -> tuple[Floats, Floats]:
    """By U-statistics; RS027 without, RS262 where one came out negative and the biased one stands in."""
    variance, dfs, is_biased = variances(moments)
    names = [printable(name) for name in ratings.modalities]

    def named(chosen: Mask) -> list[str]:
        places = zip(*np.nonzero(np.triu(chosen)), strict=True)
        return [names[i] if i == j else f"{names[i]} - {names[j]}" for i, j in places]

    if np.isnan(dfs).any():  # neither variance is usable, or nearly all comparisons are of one reader
        centred = settings.covariance is Covariance.CENTRED
        raise fail("RS027.no-variance", is_centred=centred, unit=ratings.unit, pairs=named(np.isnan(dfs)))
    if is_biased.any():
        warn("RS262.biased", pairs=named(is_biased))
    return variance, dfs


def _reader_differences(ratings: ReaderRatings, theta: Floats, sigma: Floats, level: float) -> PerReader:
    """Reader by reader, for readers with two modalities or more, whose error is ``sqrt(2 (Var - Cov1))``."""
    rows = []
    for j, reader in enumerate(ratings.readers):
        read = np.flatnonzero(~np.isnan(theta[:, j])).tolist()
        if (t := len(read)) > 1:
            own = sigma[np.ix_(read, [j], read, [j])][:, 0, :, 0]
            var, cov1 = own.trace() / t, (own.sum() - own.trace()) / (t * (t - 1))
            error = _root_of(2 * (var - cov1), 2 * var)
            for a, b in combinations(read, 2):
                names = ratings.modalities[a], ratings.modalities[b]
                rows.append((reader, *names, theta[a, j], theta[b, j], error))
    return _per_reader(ratings.unit, rows, level)


def _per_reader(unit: str, rows: Sequence[tuple[Any, ...]], level: float) -> PerReader:
    """The table of reader, a and b, their values, and the error of the difference, with normal tests."""
    reader, a, b, *numbers = zip(*rows, strict=True) if rows else ((),) * 6
    a_value, b_value, errors = np.array(numbers, dtype=np.float64)
    difference = a_value - b_value
    is_nothing = errors == 0  # there is nothing to hold a difference against
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(is_nothing & (difference == 0), 0.0, difference / errors)
    half = float(t_quantile(np.inf, level)) * errors
    half[is_nothing & (difference != 0)] = np.nan
    return PerReader(
        unit=unit,
        reader=reader,
        a=a,
        b=b,
        a_value=a_value,
        b_value=b_value,
        difference=difference,
        standard_error=errors,
        low=difference - half,
        high=difference + half,
        statistic=statistic,
        pvalue=np.where(np.isinf(statistic), np.nan, two_sided_pvalue(statistic)),
        confidence_level=level,
    )


def _root_of(variance: float, scale: float = 0.0) -> float:
    """A standard error, 0 where rounding is left; NaN where the variance is unknown, or came out below 0."""
    if abs(variance) <= ROUNDING * abs(scale):
        return 0.0
    return float(np.sqrt(variance)) if variance >= 0 else float("nan")


# A standalone system compared with readers
# -----------------------------------------


def _compare_system(system: StandaloneStudy, settings: Settings, quantity: str) -> StandaloneComparison:
    """The system, which is the first reader, less the others: a study of one modality, for each modality."""
    ratings, random, of_readers = system.ratings, settings.random, system.of_readers
    is_random = settings.cases == "random"
    theta, sigma = values(ratings, settings.measure), settings.covariances_of(ratings)
    are = (ratings.unit, len(of_readers.readers), settings.readers, settings.cases)
    has_patients = ratings.clusters is not None
    test, statistic = ReaderTest.STANDALONE, settings.measure
    facts = OfReaders(quantity, test, settings.covariance, *are, has_patients, statistic=statistic)
    parts, mean_errors, differences, rows = [], [], [], []
    for i, modality in enumerate(ratings.modalities):
        cells = np.flatnonzero(ratings.cells[i])  # the system is the first of them
        readers = tuple(ratings.readers[j] for j in cells[1:])
        own, errors = theta[i, cells], sigma[i][:, i][np.ix_(cells, cells)]
        gaps, covariance = standalone_less_readers(own, errors)
        of = components(gaps[None], covariance[None, :, None])
        parts.append((of.ms_reader, of.var, of.cov2 if gaps.size > 1 else float("nan")))
        alone, mean = float(own[0]), single_modality(own[1:], errors[1:, 1:], **random)
        mean_errors.append(mean[1])
        error = _root_of(float(errors[0, 0])) if is_random else float("nan")
        differences.append(
            tested_difference(
                (system.name, said("readers.average_reader", ratings.unit, readers, modality)),
                (alone, float(mean[0])),
                (
                    interval_of(settings, ratings, i, [0], alone, error),
                    interval_of(settings, ratings, i, cells[1:], *mean),
                ),
                single_modality(gaps, covariance, **random),
                settings.confidence_level,
                facts,
                lower_is_better=bool(settings.measure.lower_is_better),
            )
        )
        for k, reader in enumerate(readers):
            error = _root_of(covariance[k, k], errors[k + 1, k + 1] + errors[0, 0])
            rows.append((reader, system.name, modality, alone, own[k + 1], error if is_random else np.nan))
    below = below_half(of_readers, theta[:, 1:], sigma[:, 1:, :, 1:], settings.measure)
    warn_of_reversed(of_readers, below)
    of_system = below_half(ratings.of_readers([0]), theta[:, :1], sigma[:, :1, :, :1], settings.measure)
    if of_system:
        warn("RS219.system", name=printable(system.name), auc=float(np.nanmin(theta[:, 0])))
    require_known_errors(settings.covariance, differences)
    ms_reader, var, cov2 = np.array(parts, dtype=np.float64).T
    adjust = settings.adjust if len(differences) > 1 else None
    return StandaloneComparison(
        **_facts([ratings], settings, theta[:, 1:].copy(), below) | {"measure": quantity, "adjust": adjust},
        modalities=ratings.modalities,
        standalone=system.name,
        readers=of_readers.readers,
        means=np.array([own.b_value for own in differences]),
        standalone_values=theta[:, 0].copy(),
        differences=adjusted_differences(differences, settings.adjust),
        ms_reader=ms_reader,
        var=var,
        cov2=cov2,
        per_reader=_per_reader(ratings.unit, rows, settings.confidence_level),
        _system=system,
        _system_below_half=bool(of_system),
        _mean_errors=np.array(mean_errors),
    )


# Each modality by itself
# -----------------------


@welcomes("summarize_readers(score_set)")
def summarize_readers(
    score_set: ScoreSet,
    *,
    modalities: Any = None,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    interval: str = "logit",
    confidence_level: float = 0.95,
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderSummary:
    """Say how well the readers of a modality do: their mean with an interval, and how much they differ.

    Each modality is analysed from its own data alone. To compare modalities that share readers or cases, use
    :func:`rocsteady.compare_readers`: what they share cancels out there.

    Parameters
    ----------
    score_set : ScoreSet
        Readers are groups, and cases are named. Models, if there are any, are modalities.
    modalities : sequence of str, optional
        Which ones; all of them if left out.
    readers, cases : {"random", "fixed"}
        What the result is to hold for: other readers and cases like these, or these very ones. A single
        reader can only be fixed.
    covariance, measure, n_resamples, seed, threads
        As for :func:`rocsteady.compare_readers`.
    interval : {"logit", "t"}
        How limits of the means are made. ``"t"``: plainly, as other programs do; near 1 they cover too
        little. ``"logit"``: the same standard error and degrees of freedom on the logit scale; partial areas
        are divided by the largest possible one first, and a function of a curve has plain limits.
    confidence_level : float
        Between 0 and 1.
    missing : {"raise", "drop"}
        What to do about readers who lack a class in a modality.

    Returns
    -------
    ReaderSummary
        With ``.per_modality``, ``.per_reader``, ``.reader_sd`` and ``.reading``.

    Notes
    -----
    With random readers and cases the squared standard error is ``(MS(R) + max(r Cov2, 0)) / r`` and t has
    Hillis' degrees of freedom (Hillis 2007, section 5.3). Plain limits are not clipped to [0, 1]. How often
    they cover the truth: docs/coverage.md.

    Where every AUC is 1 no formula sees anything vary. The limits are then the bound for separated classes
    that one reader has, ``alpha ** (1 / n)`` with n cases of the rarer class. It comes from the cases alone:
    how much readers differ is not seen, and a note says so. Other means that do not vary have no limits.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> study = rs.ScoreSet.from_frame(reader_study(), **columns, case="case", positive="cancer")
    >>> found = rs.summarize_readers(study, modalities=["film"])
    >>> found
    ReaderSummary(mean AUC 0.8161 (0.7218 to 0.8836), 6 readers)
    >>> print(found.reading.split(". ")[0])
    The mean AUC of 6 readers with film is 0.816 (95 % CI 0.722 to 0.884); the readers range from 0.728 \
to 0.878, with a standard deviation of 0.059 beyond sampling error
    """
    draws: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
    what: dict[str, Any] = {"readers": readers, "cases": cases, "measure": measure, "covariance": covariance}
    settings = Settings(confidence_level, **what, **draws)
    one_of("interval", interval, KINDS, elsewhere={"normal": "t", "plain": "t", "wald": "t", "z": "t"})
    options: dict[str, Any] = {"least_modalities": 1, "function": "summarize_readers"}
    chosen = reader_ratings(
        score_set, modalities=modalities, allow_missing_cells=True, need_common_cases=False, **options
    ).modalities
    studies = [reader_ratings(score_set, modalities=[name], missing=missing, **options) for name in chosen]
    settings.require_readers(min(studies, key=lambda own: len(own.readers)))
    names = tuple(dict.fromkeys(name for own in studies for name in own.readers))
    theta = np.full((len(studies), len(names)), np.nan)
    below: list[Below] = []
    means, parts, rows = [], [], []
    for row, own in zip(theta, studies, strict=True):
        found, sigma = values(own, settings.measure), settings.covariances_of(own)
        row[[names.index(name) for name in own.readers]] = found[0]
        of = components(found, sigma)
        means.append([float(value[0]) for value in each_modality(of, **settings.random)])
        parts.append((of.ms_reader, of.var, of.cov2))
        reversed_ = below_half(own, found, sigma, settings.measure)
        warn_of_reversed(own, reversed_)
        below += reversed_
        for j, value in enumerate(found[0].tolist()):
            error = _root_of(float(sigma[0, j, 0, j])) if cases == "random" else float("nan")
            limits = interval_of(settings, own, 0, [j], value, error)
            n_read = int(own.is_read[0, j].sum())
            rows.append((own.modalities[0], own.readers[j], value, error, limits.low, limits.high, n_read))
    quantity = settings.quantity(max(len(own.readers) for own in studies))
    of_means, of_parts = np.array(means, dtype=np.float64).T, np.array(parts, dtype=np.float64).T
    per = _per_modality(settings, [(own, 0) for own in studies], of_means, of_parts, quantity, interval)
    component = per.ms_reader - per.var + per.cov2
    is_nothing = component <= ROUNDING * np.maximum(per.ms_reader, per.var)
    modality, reader, *numbers = zip(*rows, strict=True)
    return ReaderSummary(
        **_facts(studies, settings, theta, below),
        modalities=chosen,
        readers=names,
        per_modality=per,
        reader_sd=np.where(per.n_readers == 1, np.nan, np.sqrt(np.where(is_nothing, 0.0, component))),
        per_reader=ReaderValues(
            unit=studies[0].unit,
            measure=settings.measure.label,
            modality=modality,
            reader=reader,
            **dict(
                zip(
                    ("value", "standard_error", "low", "high", "n_cases"), map(np.array, numbers), strict=True
                )
            ),
            confidence_level=settings.confidence_level,
        ),
        n_cases=np.array([len(own.cases) for own in studies]),
        n_positives=np.array([own.n_positives for own in studies]),
        n_negatives=np.array([own.n_negatives for own in studies]),
        designs=tuple(own.design for own in studies),
    )


def _per_modality(
    settings: Settings,
    studies: Sequence[tuple[ReaderRatings, int]],
    of_means: Any,
    parts: Any,
    quantity: str,
    kind: str,
) -> PerModality:
    """From means with errors and degrees of freedom, MS(R), Var and Cov2; of which study and modality."""
    mean, error, df = np.array(of_means, dtype=np.float64)
    names, intervals, n_readers = [], [], []
    for k, (ratings, i) in enumerate(studies):
        readers = np.flatnonzero(ratings.cells[i])
        of_mean = float(mean[k]), float(error[k]), float(df[k])
        names.append(ratings.modalities[i])
        intervals.append(interval_of(settings, ratings, i, readers, *of_mean, kind))
        n_readers.append(readers.size)
    low, high = np.array([(own.low, own.high) for own in intervals]).T
    ms_reader, var, cov2 = np.array(parts, dtype=np.float64)
    return PerModality(
        modalities=tuple(names),
        quantity=quantity,
        value=mean,
        standard_error=error,
        df=df,
        low=low,
        high=high,
        methods=tuple(own.method for own in intervals),
        ms_reader=ms_reader,
        var=var,
        cov2=cov2,
        n_readers=np.array(n_readers),
        confidence_level=settings.confidence_level,
        largest=largest_value(settings.measure),
    )


def interval_of(
    settings: Settings,
    ratings: ReaderRatings,
    modality: int,
    readers: Any,
    mean: float,
    error: float,
    df: float = np.inf,
    kind: str = "logit",
) -> Interval:
    """Of a mean of readers, or one: logit, plain, or the bound of one where all separate the classes."""
    level, measure = settings.confidence_level, settings.measure
    if error == 0 and settings.cases == "random" and isinstance(measure, Auc) and mean in (0.0, 1.0):
        sizes = [ratings.n_units(positive=side)[modality, readers] for side in (True, False)]
        rarer = np.min(sizes)
        low, high = separated_limits(np.array(mean), rarer, rarer, level)
        return Interval(float(low), float(high), level, SEPARATED)
    if not error > 0:
        return Interval(float("nan"), float("nan"), level, NONE)
    largest = largest_value(measure)
    low, high = limits_of_readers(mean, error, df, level, kind, largest=largest)
    if kind == "logit" and largest is not None and 0 < mean < largest:
        return Interval(float(low), float(high), level, "logit")
    return Interval(float(low), float(high), level, "z" if np.isinf(df) else "t")


def largest_value(measure: Statistic) -> float | None:
    """The most that a measure can be: 1 for areas and rates, the width of a part; None if nobody knows."""
    if isinstance(measure, CurveMeasure):
        return None
    if isinstance(measure, PartialAuc) and not measure.standardized:
        low, high = measure.range
        return high - low
    return 1.0
