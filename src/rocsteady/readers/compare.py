"""``compare_readers``: which modality do readers see more with, by how much, and how sure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.measures import Auc
from rocsteady.errors import RocsteadyWarning, caller_level, caution, fail, warn
from rocsteady.inference.differences import BEHIND_A_TEST, Difference, difference_columns
from rocsteady.readers.covariance import CENTRED, OBUCHOWSKI_ROCKETTE, Settings, values, warn_of_reversed
from rocsteady.readers.curves import ReaderAverageCurve, average_curve
from rocsteady.readers.margins import (
    DEFAULT_ALPHA,
    Equivalence,
    NonInferiority,
    adjusted_differences,
    equivalent,
    non_inferior,
    require_known_errors,
    tested_difference,
)
from rocsteady.readers.study import (
    ReaderDesign,
    ReaderRatings,
    is_nested,
    is_partly_paired,
    reader_column,
    reader_ratings,
)
from rocsteady.readers.summarize import PerModality, StudyResult, per_modality_of
from rocsteady.results import TableResult, read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import said
from rocsteady.statistics.intervals import Interval, ratio_to_error, t_quantile, two_sided_pvalue
from rocsteady.statistics.obuchowski_rockette import (
    ROUNDING,
    Components,
    components,
    difference_error,
    each_modality,
    global_test,
)
from rocsteady.statistics.u_statistics import difference_errors, equality, mean_errors, reader_moments
from rocsteady.words import class_cases, counted, plural, printable

_NEAR = 0.15
"""Distance of a mean from 0 or 1 below which its limits are looked at; plain ones fell short from 0.9 on."""
_WIDEST = 0.6
"""Half an interval as a share of the way to 0 or 1. Beyond it, plain 95 % limits of a mean AUC were measured
to cover 0.87 to 0.93 (Roe-Metz model, 3 to 10 readers)."""


@dataclass(frozen=True, eq=False, repr=False)
class PerReader(TableResult):
    """Every reader by themselves: one row for each reader and pair of modalities.

    Cases are random here, whatever is random in the comparison: what would this very reader show on other
    cases? The standard error is ``sqrt(2 (Var - Cov1))``, with Var and Cov1 of the reader averaged over all
    modalities. Readers who read one modality only have no row. Errors, limits and p-values are NaN where
    that variance is unknown: with one case of a class, or where an unbiased Var is below Cov1.

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

    def __len__(self) -> int:
        return len(self.reader)

    def _columns(self) -> dict[str, Any]:
        numbers = dict(super()._columns())
        word = reader_column(self.unit, ("a", "b", *numbers))
        return {word: list(self.reader), "a": list(self.a), "b": list(self.b)} | numbers

    def __repr__(self) -> str:
        readers = counted(len(set(self.reader)), printable(self.unit))
        return f"PerReader({readers}, {counted(len(self), 'difference')})"


@dataclass(frozen=True, eq=False, repr=False)
class ComparedStudy(StudyResult):
    """What comparisons of modalities, and of a standalone system with readers, have beside.

    Attributes
    ----------
    n_cases, n_positives, n_negatives : int
        Cases that anyone read.
    design : str
        Who read what: ``"fully crossed"``, ...
    means : (t,) float64 array
        Of each modality over its readers.
    differences : tuple of Difference
        What was compared.
    """

    _told: ClassVar = ("notes", "methods")
    _not_for_papers: ClassVar = BEHIND_A_TEST

    n_cases: int
    n_positives: int
    n_negatives: int
    design: str
    means: Floats
    differences: tuple[Difference, ...]
    _ratings: ReaderRatings

    @property
    def ratings(self) -> ReaderRatings:
        """What was analysed; a standalone system is the first reader."""
        return self._ratings

    @property
    def methods(self) -> str:
        """The paragraph of a paper that says what was done."""
        return said(f"reader_methods.of_{self._kind}", self)


def study_facts(ratings: ReaderRatings, settings: Settings) -> dict[str, Any]:
    """What a comparison says of the study and of how it was made."""
    return {
        "modalities": ratings.modalities,
        "unit": ratings.unit,
        "n_cases": len(ratings.cases),
        "n_positives": ratings.n_positives,
        "n_negatives": ratings.n_negatives,
        "design": ratings.design,
        "_ratings": ratings,
        "_settings": settings,
        **settings.facts(),
    }


@dataclass(frozen=True, eq=False, repr=False)
class ReaderComparison(ComparedStudy, sentence="readers.comparison"):
    """Modalities of a reader study compared, made by :func:`rocsteady.compare_readers`.

    Attributes
    ----------
    method : str
        Which analysis; :class:`ComparedStudy` and ``StudyResult`` have what else was asked, read and found.
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

    method: str
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
        return self.differences[0].difference if len(self.differences) == 1 else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the difference; NaN for more than two modalities."""
        return self.differences[0].standard_error if len(self.differences) == 1 else float("nan")

    @property
    def interval(self) -> Interval:
        """Of the difference; NaN limits for more than two modalities: see ``differences``."""
        if len(self.differences) == 1:
            return self.differences[0].interval
        return Interval(float("nan"), float("nan"), self.confidence_level, "several modalities")

    def non_inferior(
        self,
        margin: float,
        *,
        new: str | None = None,
        reference: str | None = None,
        alpha: float = DEFAULT_ALPHA,
    ) -> NonInferiority:
        """Whether one modality is worse by less than ``margin``: :func:`rocsteady.non_inferior`."""
        return non_inferior(self, margin, new=new, reference=reference, alpha=alpha)

    def equivalent(
        self, margin: float, *, modalities: tuple[str, str] | None = None, alpha: float = DEFAULT_ALPHA
    ) -> Equivalence:
        """Whether two modalities differ by less than ``margin``: :func:`rocsteady.equivalent`."""
        return equivalent(self, margin, modalities=modalities, alpha=alpha)

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

    def _columns(self) -> dict[str, Any]:
        columns = difference_columns(self.differences)
        columns.pop("flip_pvalue")
        return columns

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.readers), printable(self.unit))}, {counted(self.n_cases, 'case')}"
        both = (("readers", self.readers_are), ("cases", self.cases_are))
        random = f"{' and '.join(word for word, are in both if are == 'random')} random"
        if len(self.differences) > 1:
            what = "F" if isinstance(self.df, tuple) else "chi2"
            found = f"{what} {self.statistic:.4g}, p {self.pvalue:.3g}"
            return f"ReaderComparison({len(self.modalities)} modalities, {sizes}, {random}: {found})"
        (own,) = self.differences
        of = f"{printable(own.a)} less {printable(own.b)}"
        found = f"{own.quantity} {own.difference:+.4f}, p {own.pvalue:.3g}"
        return f"ReaderComparison({of}, {sizes}, {random}: {found})"


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
    """Modalities whose mean is so near to 0 or 1 that its plain limits cover too little.

    That was measured for AUCs and rates alone.
    """
    per = found.per_modality
    if not (found._settings.measure.hold or isinstance(found._settings.measure, Auc)):
        return np.empty(0, dtype=np.int64)
    half, room = (per.high - per.low) / 2, np.minimum(per.value, 1 - per.value)
    is_near = (half > _WIDEST * room) & (room > 0) & (room < _NEAR) & (per.standard_error > 0)
    return np.flatnonzero(is_near)


def compare_readers(
    score_set: ScoreSet,
    *,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    method: str = OBUCHOWSKI_ROCKETTE,
    modalities: Sequence[str] | None = None,
    confidence_level: float = 0.95,
    adjust: str | None = "holm",
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderComparison:
    """Compare modalities that several readers read: a multi-reader multi-case (MRMC) study.

    The readers who took part and the cases they read are both samples, and both add to the error of what was
    found. Obuchowski and Rockette's analysis takes both into account.

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
    confidence_level : float
        Of all intervals.
    adjust : {"holm", "bh", None}
        How ``adjusted_pvalue`` allows for the number of pairs; ``pvalue`` does not.
    missing : {"raise", "drop"}
        What to do about readers who lack a modality, or one of the classes in it.
    n_resamples, seed : int
        Of the bootstrap.
    threads : int, optional
        Changes the time only.

    Returns
    -------
    ReaderComparison

    Raises
    ------
    DataError
        RS027 with one modality, one reader who is to be random, or cases without names; RS028 where cells of
        the design are missing, RS029 where a case is rated twice, RS036 where a reader lacks a class.

    Warns
    -----
    RocsteadyWarning
        RS213 with fewer than four random readers, RS214 where the error term of the test is 0, RS215 where
        ratings are missing here and there, RS219 where an AUC is clearly below 1/2.

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
    ``method="u-statistics"``, whose pairs have their own errors always.

    Measured at a level of 5 % (Roe-Metz model, 50 + 50 cases, AUC 0.70 to 0.96): with five readers or more
    tests of differences reject 2 to 6 % of true hypotheses, with three 4 to 7 %. Readers nested in modalities
    (one AUC, 1,500 studies each): 5 to 6 % with 5 and 5 or 3 and 7 of them, 6 to 9 % with 2 and 8. The test
    of several modalities at once rejects 4 to 5 % with 3, 4 and 6 readers or 4, 6 and 8 (fixed cases, 20,000
    studies), 5 to 8 % with 3, 5, 7 and 9.

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
    >>> table = reader_study(standalone=False)
    >>> study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    >>> found = rs.compare_readers(study, modalities=["digital", "film"])
    >>> found
    ReaderComparison(digital less film, 6 readers, 120 cases, readers and cases random: mean AUC +0.0722,
    p 0.0216)
    >>> found.per_modality
    PerModality(mean AUC: digital 0.8883, film 0.8161)
    >>> found.interval
    Interval(0.0124 to 0.1320, confidence level 0.95, t)
    >>> rs.compare_readers(study, readers="fixed").pvalue < found.pvalue  # about these six readers alone
    True
    """
    settings = Settings(
        readers=readers,
        cases=cases,
        measure=measure,
        covariance=covariance,
        confidence_level=confidence_level,
        method=method,
        adjust=adjust,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
    )
    any_cells = settings.is_by_u_statistics
    ratings = reader_ratings(score_set, modalities=modalities, missing=missing, allow_missing_cells=any_cells)
    return compare_ratings(ratings, settings)


def compare_ratings(ratings: ReaderRatings, settings: Settings) -> ReaderComparison:
    """What :func:`compare_readers` gives, for ratings that are checked."""
    settings.require_readers(ratings)
    by_u_statistics = _by_u_statistics(ratings, settings) if settings.is_by_u_statistics else None
    theta, sigma = values(ratings, settings.measure), settings.covariances_of(ratings)
    if ratings.design == ReaderDesign.PARTLY:
        warn("RS215.missing", missing=said("readers.what_is_missing", ratings))
    warn_of_reversed(ratings, theta, sigma, settings.measure)
    is_known = ~np.isnan(theta)
    of = components(theta, sigma) if is_known.all() or is_nested(is_known) else None
    analysis = by_u_statistics or _by_components(ratings, settings, theta, sigma, of)
    found = _result(ratings, settings, theta, sigma, of, analysis)
    _warn_of_error_term(found)
    return found


@dataclass(frozen=True, eq=False)
class _Analysis:
    """Means with errors and degrees of freedom, errors of their differences, the test that all are alike."""

    means: tuple[Floats, Floats, Floats]
    differences: dict[tuple[int, int], tuple[float, float]]
    statistic: float
    df: Any
    pvalue: float
    error_term: float
    uncentred_errors: Floats | None = None


def _by_components(
    ratings: ReaderRatings, settings: Settings, theta: Floats, sigma: Floats, of: Components | None
) -> _Analysis:
    """Obuchowski and Rockette's analysis."""
    assert of is not None  # reader_ratings refuses missing cells
    random = {"readers": settings.readers, "cases": settings.cases}
    test = global_test(of, **random)
    pairs = {}
    for pair in combinations(range(of.n_modalities), 2):
        parts, (a, b) = of, pair
        if is_partly_paired(ratings.is_read):  # two modalities by themselves, with the readers of either
            both, (a, b) = np.array(pair), (0, 1)
            kept = np.flatnonzero(~np.isnan(theta[both]).all(axis=0))
            parts = components(theta[np.ix_(both, kept)], sigma[np.ix_(both, kept, both, kept)])
        pairs[pair] = difference_error(parts, a, b, **random)
    df = int(test.df1) if test.name == "chi2" else (int(test.df1), test.df2)
    return _Analysis(each_modality(of, **random), pairs, test.statistic, df, test.pvalue, test.error_term)


def _by_u_statistics(ratings: ReaderRatings, settings: Settings) -> _Analysis:
    """Gallas' analysis: any design, random readers and cases, the AUC.

    Means are of all comparisons of a modality, so readers count by how many pairs of cases they read. RS262
    where a variance came out negative and the biased one stands in.
    """
    _require_comparisons(ratings)
    centred = settings.covariance == CENTRED
    moments = reader_moments(ratings.ratings, ratings.is_read, ratings.truth, centred=centred)
    of_means, of_differences = mean_errors(moments), difference_errors(moments)
    is_own = np.eye(len(of_means.df), dtype=bool)
    unknown = _pairs_of(ratings, np.isnan(np.where(is_own, of_means.df, of_differences.df)))
    if unknown:  # neither variance is usable, or nearly all comparisons are of one reader
        raise fail("RS027.no-variance", is_centred=centred, unit=ratings.unit, pairs=unknown)
    biased = _pairs_of(ratings, of_differences.is_biased | np.diag(of_means.is_biased))
    if biased:
        warn("RS262.biased", pairs=biased)
    test, errors = equality(moments), np.sqrt(of_differences.variance)
    pairs = {
        pair: (float(errors[pair]), float(of_differences.df[pair]))
        for pair in combinations(range(len(ratings.modalities)), 2)
    }
    own = np.diag(moments.uncentred)
    uncentred = own[:, None] + own[None, :] - 2 * moments.uncentred
    return _Analysis(
        (moments.means, np.sqrt(of_means.variance), of_means.df),
        pairs,
        test.statistic,
        test.df,
        test.pvalue,
        test.error_term,
        np.sqrt(np.where(uncentred < 0, np.nan, uncentred)) if centred else None,
    )


def _require_comparisons(ratings: ReaderRatings) -> None:
    """RS027 unless two readers saw two cases of each class; RS030 for patients: their cases are one draw."""
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


def _pairs_of(ratings: ReaderRatings, chosen: Mask) -> list[str]:
    """Modalities on the diagonal and differences above it that are chosen, in words."""
    names = [printable(name) for name in ratings.modalities]
    places = zip(*np.nonzero(np.triu(chosen)), strict=True)
    return [names[i] if i == j else f"{names[i]} less {names[j]}" for i, j in places]


def _result(
    ratings: ReaderRatings,
    settings: Settings,
    theta: Floats,
    sigma: Floats,
    of: Components | None,
    analysis: _Analysis,
) -> ReaderComparison:
    modalities, n_readers = ratings.modalities, len(ratings.readers)
    quantity, random = settings.quantity(n_readers), settings.what_is_random(ratings, n_readers)
    nothing = np.full(len(modalities), np.nan)
    parts = (nothing,) * 3 if of is None else (of.ms_reader_each, of.var_each, of.cov2_each)
    cells = [(ratings, i) for i in range(len(modalities))]
    per_modality = per_modality_of(settings, cells, analysis.means, parts, quantity, "t")
    means, intervals = per_modality.value, per_modality.intervals
    differences = [
        tested_difference(
            (modalities[a], modalities[b]),
            (float(means[a]), float(means[b])),
            (intervals[a], intervals[b]),
            (_less(float(means[a]), float(means[b])), *errors),
            settings.confidence_level,
            quantity=quantity,
            method=said("readers.test_words", settings),
            random=random,
            lower_is_better=lower_is_better(settings),
        )
        for (a, b), errors in analysis.differences.items()
    ]
    if not settings.is_by_u_statistics:
        require_known_errors(settings.covariance, differences)
    return ReaderComparison(
        **study_facts(ratings, settings),
        readers=ratings.readers,
        method=settings.method,
        random=random,
        values=read_only(theta),
        means=means,
        components=of,
        statistic=analysis.statistic,
        df=analysis.df,
        pvalue=analysis.pvalue,
        error_term=analysis.error_term,
        differences=adjusted_differences(differences, settings.adjust),
        per_modality=per_modality,
        per_reader=_per_reader(ratings, theta, sigma, settings.confidence_level),
        covariances=read_only(sigma),
        _uncentred_errors=analysis.uncentred_errors,
    )


def _less(a: float, b: float) -> float:
    """``a - b``, 0 where that is rounding."""
    return 0.0 if abs(a - b) <= ROUNDING * max(abs(a), abs(b)) else a - b


def lower_is_better(settings: Settings) -> bool:
    """Whether less of the measure is better, as of false positive rates."""
    return bool(settings.measure.lower_is_better)


def _per_reader(ratings: ReaderRatings, theta: Floats, sigma: Floats, level: float) -> PerReader:
    """Reader by reader, for readers with two modalities or more; cases are random."""
    rows = []
    for j, reader in enumerate(ratings.readers):
        read = np.flatnonzero(~np.isnan(theta[:, j])).tolist()
        error = _own_error(sigma[np.ix_(read, [j], read, [j])][:, 0, :, 0])
        rows += [(reader, a, b, theta[a, j], theta[b, j], error) for a, b in combinations(read, 2)]
    a_value, b_value, errors = (np.array([row[k] for row in rows], dtype=np.float64) for k in (3, 4, 5))
    difference = a_value - b_value
    statistic = np.array([ratio_to_error(d, e) for d, e in zip(difference, errors, strict=True)])
    half = float(t_quantile(np.inf, level)) * errors
    half[(errors == 0) & (difference != 0)] = np.nan  # nothing to hold it against
    return PerReader(
        unit=ratings.unit,
        reader=tuple(row[0] for row in rows),
        a=tuple(ratings.modalities[row[1]] for row in rows),
        b=tuple(ratings.modalities[row[2]] for row in rows),
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


def _own_error(own: Floats) -> float:
    """``sqrt(2 (Var - Cov1))`` of one reader, from the covariances of their modalities.

    0 where nothing but rounding is left, as of identical ratings. An unbiased Var below Cov1 says nothing:
    NaN, as where Var is unknown.
    """
    t = len(own)
    if t < 2:
        return float("nan")
    var = own.trace() / t
    cov1 = (own.sum() - own.trace()) / (t * (t - 1))
    excess = var - cov1
    if abs(excess) <= ROUNDING * abs(var):
        return 0.0
    return float(np.sqrt(2 * excess)) if excess > 0 else float("nan")


def _warn_of_error_term(found: ReaderComparison) -> None:
    """RS214 where the error term is not sound; RS151 where a cell does not vary, and readers are fixed."""
    of_error_term = caution_of_error_term(found)
    if of_error_term is not None:
        warnings.warn(of_error_term, stacklevel=caller_level())
    variances = np.einsum("ijij->ij", found.covariances)[found.ratings.cells]
    n_known = int((variances == 0).sum())
    if found.readers_are == "fixed" and n_known:
        warn("RS151.cells", measure=found.measure, n=n_known, n_cells=variances.size)
