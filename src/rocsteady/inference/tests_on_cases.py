"""Tests of classifiers on one set of cases, or on two: of AUCs (DeLong), of readings, of whole curves.

DeLong's variance of a difference is the sum of what the positives add and what the negatives add, each known
from its own number of cases. So it has Satterthwaite's degrees of freedom, and Student's t (F for several) is
the reference; the normal distribution rejects too often where a class is rare.

References
----------
DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845. Sun & Xu (2014), IEEE Signal Processing
Letters 21, 1389-1393. Krishnamoorthy & Yu (2004), Statistics & Probability Letters 66, 161-169: the degrees
of freedom of several contrasts at once. Robin et al. (2011), BMC Bioinformatics 12, 77 (pROC). Venkatraman &
Begg (1996), Biometrika 83, 835-848 (paired). Venkatraman (2000), Biometrics 56, 1134-1138 (unpaired).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.calling import LEVELS, NO_LEVEL, welcomes
from rocsteady.counting.table import (
    ClusterCounts,
    CoMoments,
    cluster_counts,
    delong_covariance,
    delong_moments,
    score_ranks,
)
from rocsteady.curves.from_scores import auc as auc_of
from rocsteady.curves.from_scores import (
    described,
    is_table,
    only_scores,
    require_nothing_said_twice,
    roc_curve,
    warn_if_decisions,
)
from rocsteady.curves.intervals import warn_of_few_clusters
from rocsteady.curves.readings import require_both_classes
from rocsteady.curves.statistics import Statistic, statistic_of
from rocsteady.errors import ColumnError, DataError, LabelError, Remedy, fail, warn
from rocsteady.inference.bootstrap import (
    Resamples,
    clusters_of_both,
    drawn_rows,
    warn_in_one_cluster,
    warn_redrawn,
)
from rocsteady.options import How, one_of, open_share, resamples_asked, whole_number, yes_or_no
from rocsteady.results import Result, Tested
from rocsteady.scores.score_set import ScoreSet, warn_of_clusters
from rocsteady.scores.scores import Scores
from rocsteady.showing import Said, Told
from rocsteady.statistics.delong import (
    ClusteredAuc,
    clustered_covariance,
    delong_components,
)
from rocsteady.statistics.limits import (
    Interval,
    f_tail,
    ratio_to_error,
    satterthwaite_df,
    t_quantile,
    two_sided_pvalue,
    upper_tail,
)
from rocsteady.statistics.resampling import RankedCases, resampled_cases
from rocsteady.words import plural, printable

FEWEST_CASES = 15
"""Of a class: with fewer, the spread within it is hardly known, and RS156 says so."""
_MOST_TIED = 0.2  # of the cases
_ROUNDING = 1e-9  # areas of the same cases in another order are equal but for this
_SIDES = {"two.sided": "two-sided", "two_sided": "two-sided", "larger": "greater", "smaller": "less"}
_BLOCK = 2**20
"""Cells held at once. The draws depend on it: with another number the same seed gives other permutations."""


# DeLong's test of areas
# ----------------------


@dataclass(frozen=True, eq=False, repr=False)
class AucComparison(Told, Result, sentence="inference.auc_comparison"):
    """The difference between AUCs and a test of whether there is one.

    Attributes
    ----------
    aucs : float64 array
        One per classifier.
    difference, standard_error : float, or (k, k) arrays for k > 2 classifiers
        ``aucs[0] - aucs[1]``; for more, ``[i, j]`` is the AUC of i less that of j.
    statistic : float
        t, or F of the hypothesis that all k > 2 AUCs are equal; z and chi-square under the normal reference.
    df : float
        Of the statistic: Satterthwaite's for t, infinite for z, the number of independent contrasts for F and
        chi-square.
    error_df : float
        Of the standard error: as ``df`` for two classifiers, those of the denominator for F, infinite for
        chi-square.
    pvalue : float
        Two-sided.
    interval : Interval
        Of the difference (of each, without adjustment, for k > 2).
    covariance : (k, k) float64 array
        Of the AUCs.
    correlation : float, or (k, k) array for k > 2 classifiers
        Of the AUCs over samples of cases, what :func:`plan` asks for; 0 for separate cases, NaN where an
        AUC has no variance.
    paired : bool
        Whether all classifiers scored the same cases.
    reference : str
        "t" (for more than two classifiers F) or "normal" (chi-square).
    """

    aucs: Floats
    difference: Any
    standard_error: Any
    statistic: float
    df: float
    error_df: float
    pvalue: float
    interval: Interval
    covariance: Floats
    correlation: Any
    paired: bool
    reference: str

    _told: ClassVar[tuple[str, ...]] = ("method",)
    _line = "AUCs {_areas}: {_gap}{_letter} = {statistic:.3f}, p = {pvalue:.3g}"

    method = Said("inference.delong_test")
    """Which test, in words."""

    @property
    def _areas(self) -> str:
        return ", ".join(f"{area:.3f}" for area in self.aucs[:4]) + (", ..." if self.aucs.size > 4 else "")

    @property
    def _gap(self) -> str:
        return "" if self.aucs.size > 2 else f"difference {self.difference:.3f}, "

    @property
    def _letter(self) -> str:
        normal, exact = ("chi-square", "F") if self.aucs.size > 2 else ("z", "t")
        return normal if np.isinf(self.error_df) else exact


@welcomes(
    "compare_auc(labels, scores_a, scores_b)",
    instead={"sample_weight": "leave it out; compare(score_set, 'a', 'b') takes weights over groups"},
)
def compare_auc(
    labels: object,
    *scores: object,
    paired: bool = True,
    positive: object = None,
    higher_is_positive: bool = True,
    confidence_level: float = 0.95,
    reference: str = "t",
    clusters: object = None,
    threads: int | None = None,
) -> AucComparison:
    """Test whether classifiers differ in AUC.

    Arrays are paired by position: entry i of the labels and of every score array must be about the same
    case, which plain arrays cannot show. :meth:`ScoreSet.from_frame` with ``case=`` brings rows in order.

    Parameters
    ----------
    labels : array-like
        The true class of each case, as in :func:`rocsteady.roc_curve`. For two separate sets of cases give a
        pair, ``(labels_a, labels_b)``, and ``paired=False``.
    *scores : array-like
        The scores of each classifier, two or more; one entry per case. Or call it with nothing but
        :class:`Scores`, ``compare_auc(scores_a, scores_b)``; paired, their labels (and their cases, where
        they are known) must agree row by row. A ScoreSet of one model and one group stands for its Scores.
    paired : bool
        Whether all classifiers scored the same cases. Two are tested by their difference, more by the
        hypothesis that all are equal. False: two independent sets.
    positive, higher_is_positive, threads
        As in :func:`rocsteady.roc_curve`.
    confidence_level : float
        Of the interval of the difference.
    reference : {"t", "normal"}
        ``"t"``: Student's t (for more than two classifiers F) with Satterthwaite's degrees of freedom,
        ``(V_pos + V_neg)**2 / (V_pos**2 / (n_pos - 1) + V_neg**2 / (n_neg - 1))`` for the parts of DeLong's
        variance that the two classes add; of independent sets, the four parts. ``"normal"``: as pROC, z and
        chi-square (with 10 positives and 1,000 negatives a 5 % test rejects 6 to 9 %); for independent sets
        Welch's t over the sets.
    clusters : array-like, optional
        The patient, user or site of every row, where rows belong together; for two separate sets of cases a
        pair of arrays. If left out, as :class:`Scores` know them. The variance is then Obuchowski's (1997),
        and clusters give the degrees of freedom.

    Returns
    -------
    AucComparison

    Warns
    -----
    RocsteadyWarning
        RS156 with fewer than 15 positives or negatives; RS157 with fewer than 20 clusters that have some.

    Notes
    -----
    Not for models nested in one another and fitted on the same cases: the test is then far too timid
    (Demler, Pencina & D'Agostino 2012).

    Examples
    --------
    >>> import rocsteady as rs
    >>> sick = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> first = [9, 8, 7, 3, 6, 4, 2, 1, 0]
    >>> second = [9, 2, 3, 7, 8, 6, 5, 1, 0]
    >>> rs.compare_auc(sick, first, second)
    AucComparison(AUCs 0.900, 0.650: difference 0.250, t = 1.066, p = 0.338)
    >>> rs.compare_auc(sick, first, first).pvalue
    1.0
    >>> round(rs.compare_auc(sick, first, second).correlation, 3)
    0.075
    >>> rs.compare_auc(rs.Scores(sick, first), rs.Scores(sick, second), reference="normal")
    AucComparison(AUCs 0.900, 0.650: difference 0.250, z = 1.066, p = 0.286)
    """
    level = open_share("confidence_level", confidence_level)
    one_of("reference", reference, ("t", "normal"), elsewhere={"z": "normal", "satterthwaite": "t"})
    classifiers = _classifiers("compare_auc", (labels, *scores), paired, positive, higher_is_positive)
    counts: list[Any] = []  # of clusters, for every classifier; nothing where rows are independent
    for own, named in zip(classifiers, clusters_of_both(classifiers, clusters, paired=paired), strict=False):
        counts += cluster_counts(own, together=named, each=True, threads=threads)
    warn_of_few_clusters(counts)
    read = _paired_areas if paired else _separate_areas
    aucs, covariance, correlation, difference, parts, freedom = read(classifiers, counts, threads)
    cases = [(own.n_positives, own.n_negatives) for own in classifiers]
    _warn_of_areas(aucs, np.diag(covariance), cases, are_clustered=bool(counts))
    # Sorted, so that changing places of the classifiers changes no digit.
    variance: Any = np.sort(parts, axis=0).sum(axis=0)
    df: Any = np.full(variance.shape, np.inf)
    if reference == "t":
        df = satterthwaite_df(parts, freedom)
    elif not paired:  # over the two sets of cases, as in pROC
        sizes = [own.n_positives.size for own in counts] or [sum(own) for own in cases]
        df[0, 1] = satterthwaite_df(np.diag(covariance), np.array(sizes) - 1.0)
    error: Any = np.sqrt(variance)
    if len(aucs) == 2:
        correlation, difference, error, df = (float(of[0, 1]) for of in (correlation, difference, error, df))
        ratio = ratio_to_error(difference, error)
        test = ratio, df, df, float(two_sided_pvalue(ratio, df))
    else:
        test = _all_equal(difference, variance, parts, freedom, reference)
    half = t_quantile(df, level) * error
    interval = Interval(difference - half, difference + half, level, "delong")
    found = aucs, difference, error, *test, interval, covariance, correlation
    return AucComparison(*found, paired=paired, reference=reference)


def parts_of_area(
    scores: Scores, clusters: ClusterCounts | None, threads: int | None = None
) -> tuple[Floats, Floats]:
    """What classes, or kinds of clusters, add to the variance of an AUC, and their degrees of freedom."""
    if clusters is not None:
        return ClusteredAuc.of_counts(clusters).components()
    m, cases = delong_moments(scores, threads=threads), np.array([scores.n_positives, scores.n_negatives])
    return delong_components(m.positive_spread[0], m.negative_spread[0], *cases), cases - 1.0


def parts_of_differences(
    moments: CoMoments, clusters: Sequence[ClusterCounts | None]
) -> tuple[Floats, Floats]:
    """The same for all differences of AUCs of the same cases, ``(n, k, k)``.

    Not var(a) + var(b) - 2 cov(a, b): classifiers that differ in few cases would cancel to nothing.
    """
    known = [own for own in clusters if own is not None]
    if known:
        found = [[ClusteredAuc.of_counts(a, b).components() for b in known] for a in known]
        return np.moveaxis(np.array([[own[0] for own in row] for row in found]), 2, 0), found[0][0][1]
    cases = np.array([moments.n_positives, moments.n_negatives])
    return delong_components(moments.positive_difference, moments.negative_difference, *cases), cases - 1.0


_Areas = tuple[Floats, Floats, Any, Any, Floats, Floats]
"""AUCs; their covariance, correlation and differences, ``(k, k)``; what is added to the variances of these,
``(n, k, k)``, and the degrees of freedom of each."""


def _paired_areas(scores: Sequence[Scores], clusters: Sequence[ClusterCounts], threads: int | None) -> _Areas:
    """Two or more classifiers of the same cases."""
    m = delong_covariance(scores, threads=threads)
    cases, wins, pairs = (m.n_positives, m.n_negatives), m.wins.tolist(), 2 * m.n_positives * m.n_negatives
    parts, freedom = parts_of_differences(m, clusters)
    if clusters:
        covariance = clustered_covariance([ClusteredAuc.of_counts(own) for own in clusters])
    else:
        covariance = delong_components(m.positive_spread, m.negative_spread, *cases).sum(axis=0)
    both = np.outer(np.diag(covariance), np.diag(covariance))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.where(both > 0, covariance / np.sqrt(both), np.nan)
    # Exactly 1 where classifiers place all cases alike.
    correlation[(parts.sum(axis=0) == 0) & (both > 0)] = 1.0
    aucs = np.array([won / pairs for won in wins])
    difference = np.array([[(a - b) / pairs for b in wins] for a in wins])
    return aucs, covariance, np.clip(correlation, -1.0, 1.0), difference, parts, freedom


def _separate_areas(
    scores: Sequence[Scores], clusters: Sequence[ClusterCounts], threads: int | None
) -> _Areas:
    """Two classifiers, each of cases of its own."""
    known: Sequence[ClusterCounts | None] = clusters or [None] * len(scores)
    found = [parts_of_area(own, of, threads) for own, of in zip(scores, known, strict=True)]
    parts, freedom = (np.concatenate(own) for own in zip(*found, strict=True))
    aucs, variances = np.array([auc_of(own) for own in scores]), [own.sum() for own, _ in found]
    of_both = np.multiply.outer(parts, 1 - np.eye(2))  # a classifier has no difference from itself
    return aucs, np.diag(variances), np.zeros((2, 2)), aucs[:, None] - aucs, of_both, freedom


def _all_equal(
    difference: Floats, variance: Floats, parts: Floats, freedom: Floats, reference: str
) -> tuple[float, float, float, float]:
    """That all AUCs are equal: the statistic, its degrees of freedom, those of its error, the p-value.

    Classifiers that place every case alike count once: the variance of their difference is exactly zero. The
    others are held against the first, in units of the error of that contrast, so that a contrast with a tiny
    error weighs as much as one with a large. F is as Hotelling's T**2: chi-square over its contrasts, less
    for contrasts that errors pay for; NaN for too few cases to tell.
    """
    is_normal = reference == "normal"
    if np.isnan(variance).any():
        return np.nan, float(len(variance) - 1), np.inf if is_normal else np.nan, np.nan
    alike = (variance == 0) & (difference == 0)
    distinct = [a for a in range(len(variance)) if not alike[a, :a].any()]
    first, others = distinct[0], distinct[1:]
    to_first = variance[others, first]
    errors = np.sqrt(np.where(to_first > 0, to_first, 1.0))

    def of_contrasts(of_differences: Floats) -> Floats:
        own = of_differences[others, first]
        covariance = (own[:, None] + own - of_differences[np.ix_(others, others)]) / 2
        return np.asarray(covariance / np.outer(errors, errors))

    spread, directions = np.linalg.eigh(of_contrasts(variance))
    along = directions.T @ (difference[others, first] / errors)
    varies = spread > 1e-9 * len(variance)  # fewer where one contrast follows from the rest
    n = int(varies.sum())
    if np.abs(along[~varies]).max(initial=0) > 1e-6:  # a difference that no case varies in: separated classes
        return np.inf, n + 1.0, np.inf if is_normal else np.nan, 0.0
    chi_square = float(np.sum(along[varies] ** 2 / spread[varies]))
    if n == 0:  # all classifiers rank the cases alike
        return chi_square, 0.0, np.inf, 1.0
    if is_normal:
        return chi_square, float(n), np.inf, float(f_tail(n, np.inf, chi_square / n))
    # The class's shares of the variance in the directions that vary; together they are the identity.
    scaled = directions[:, varies] / np.sqrt(spread[varies])
    shares = [scaled.T @ of_contrasts(part) @ scaled for part in parts]
    lost = sum(
        (np.trace(share @ share) + np.trace(share) ** 2) / df
        for share, df in zip(shares, freedom, strict=True)
    )
    error_df = float((n + n**2) / lost - n + 1)
    ratio = chi_square * error_df / (n * (error_df + n - 1))
    return ratio, float(n), error_df, float(f_tail(n, error_df, ratio)) if error_df > 0 else np.nan


def warn_of_few_cases(fewest: int) -> None:
    """RS156 where a class is so rare that its spread is hardly known."""
    if 1 < fewest < FEWEST_CASES:  # of a single one RS153 says more
        warn("RS156.test", n=fewest, needed=FEWEST_CASES, unit="")


def _warn_of_areas(
    aucs: Floats, variances: Floats, cases: Sequence[tuple[int, int]], *, are_clustered: bool
) -> None:
    """RS151 to RS154 and RS156: what DeLong's variance does not know; ``cases`` of every set, by class."""
    separated = np.isin(aucs, (0.0, 1.0))
    n_positives, n_negatives = min(cases, key=min)
    if min(n_positives, n_negatives) == 1:
        warn("RS153.test", n_positives=n_positives, n_negatives=n_negatives, unit=None)
    if separated.any() and not all(min(own) == 1 for own in cases):
        warn("RS151.test", n_separated=int(separated.sum()), n=aucs.size)
    if not are_clustered:
        warn_of_few_cases(min(n_positives, n_negatives))
    flat = (variances == 0) & (aucs > 0) & (aucs < 1)
    if flat.any():  # a zero variance at an AUC that is not 0 or 1 is no certainty
        warn("RS154.test", number=int(np.argmax(flat)) + 1, auc=aucs[flat][0])


# The bootstrap of one reading of two curves
# ------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapTest(Told, Tested, sentence="inference.bootstrap_test"):
    """The difference of two classifiers in one statistic, and a test of whether there is one.

    Attributes
    ----------
    measure : str
        What was compared, for example ``"TPR at FPR 0.1"``.
    values : (float, float)
        Of either classifier.
    difference, standard_error : float
        ``values[0] - values[1]``, and the standard deviation of its resamples (times the root of
        M / (M - 1) where M clusters were drawn).
    interval : Interval
        Of the difference: the difference plus and minus quantiles of the standard error.
    statistic : float
        ``difference / standard_error``.
    df : float
        Of Student's t, where clusters were drawn; infinite, for the normal distribution, where cases were.
    pvalue : float
        Of the statistic, on the side(s) that ``alternative`` names.
    alternative : str
        ``"two-sided"``; ``"greater"``: the first value is larger than the second; ``"less"``: smaller.
    paired : bool
        Whether both scored the same cases, which were then drawn together.
    n_resamples : int
        How many.
    """

    measure: str
    values: tuple[float, float]
    difference: float
    standard_error: float
    interval: Interval
    statistic: float
    pvalue: float
    alternative: str
    paired: bool
    n_resamples: int
    df: float = np.inf
    _clusters: tuple[tuple[int, str], ...] = ()  # how many, what they are called; of each set of cases
    _statistic: Statistic | None = None

    _told: ClassVar[tuple[str, ...]] = ("random",)
    _line = (
        "{measure} {values[0]:.3f} and {values[1]:.3f}: difference {difference:.3f}, "
        "{_letter} = {statistic:.3f}, p = {pvalue:.3g}{_side}"
    )

    random = Said("inference.drawn_for_both", of="_clusters")
    """What was drawn, in words."""

    @property
    def _side(self) -> str:
        return "" if self.alternative == "two-sided" else f" ({self.alternative})"


@welcomes("bootstrap_test(labels, scores_a, scores_b)")
def bootstrap_test(
    labels: object,
    *scores: object,
    statistic: object = "auc",
    paired: bool = True,
    clusters: object = None,
    alternative: str = "two-sided",
    n_resamples: int = 2000,
    seed: int = 0,
    confidence_level: float = 0.95,
    positive: object = None,
    higher_is_positive: bool = True,
    threads: int | None = None,
) -> BootstrapTest:
    """Test whether two classifiers differ in the AUC, a partial AUC, a TPR at an FPR or an FPR at a TPR.

    Cases are drawn with replacement within each class; the difference is divided by the standard deviation
    of its resamples and taken as standard normal, as pROC does. For the AUC, :func:`compare_auc` (DeLong)
    gives nearly the same without chance. Of clusters all rows are drawn together, for both classifiers at
    once, and the difference is taken as Student's t.

    Parameters
    ----------
    labels, *scores, positive, higher_is_positive, clusters
        As in :func:`rocsteady.compare_auc`, of two classifiers.
    statistic : "auc", PartialAuc or dict
        What to compare: one number, as in :func:`bootstrap`.
    paired : bool
        Whether both scored the same cases; they are then drawn together.
    alternative : {"two-sided", "greater", "less"}
        Of the first value against the second. For an FPR the better one is the smaller.
    n_resamples, seed : int
        RS270 warns below a hundred. The result does not depend on the order of the rows, and changing
        places of the classifiers changes the sign only.
    confidence_level : float
        Of the interval of the difference, which is two-sided whatever the alternative.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    BootstrapTest

    Raises
    ------
    UsageError
        RS059 for a statistic of several numbers, RS058 for clusters that do not fit the rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sick = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> first = [9, 8, 7, 3, 6, 4, 2, 1, 0]
    >>> second = [9, 2, 3, 7, 8, 6, 5, 1, 0]
    >>> found = rs.bootstrap_test(sick, first, second, statistic={"fpr": 0.2})
    >>> found.measure, found.values
    ('TPR at FPR 0.2', (0.75, 0.5))
    >>> rs.bootstrap_test(sick, first, first).pvalue
    1.0

    Five patients, four of them with two rows each.

    >>> rs.bootstrap_test(sick, first, second, clusters=list("abcdabcde")).random
    'The 5 clusters are treated as a random sample; each is drawn with all its rows.'
    """
    measure = statistic_of(statistic)
    if not measure.is_scalar:
        raise fail("RS059.one-number", measure=measure.label)
    one_of("alternative", alternative, ("two-sided", "greater", "less"), elsewhere=_SIDES)
    how = How(confidence_level, n_resamples=n_resamples, seed=seed, threads=threads)
    both = _classifiers("bootstrap_test", (labels, *scores), paired, positive, higher_is_positive)
    a, b = (float(measure.read(roc_curve(own))) for own in both)
    named, difference = clusters_of_both(both, clusters, paired=paired), a - b
    drawn = [] if named else _by_case(both, measure, paired, how)
    for own, rows in zip(both, named, strict=False):  # the same seed and clusters: the same draws
        drawn.append(drawn_rows(own, rows, measure, how))
        if len(drawn) == 1 or not paired:
            warn_redrawn(drawn[-1].n_redrawn, n_resamples)
            warn_in_one_cluster(drawn[-1])
    errors, df = np.array([float(own.standard_error[0]) for own in drawn]), drawn[0].df
    if paired:  # the same classifier twice has none, also where clusters are too few for an error
        together = replace(drawn[0], values=drawn[0].values - drawn[1].values)
        error = float(together.standard_error[0]) if together.values.any() else 0.0
    else:  # the variances add up, without the chance covariance of two sets of draws
        error = float(np.sqrt((errors**2).sum()))
        df = min(own.df for own in drawn)
        if errors.any():
            df = float(satterthwaite_df(errors**2, [own.df for own in drawn]))
    if error == 0 and difference != 0:
        warn("RS271.difference", difference=difference, n_resamples=n_resamples)
    half = t_quantile(df, confidence_level) * error
    ratio = ratio_to_error(difference, error)
    turned = {"two-sided": abs(ratio), "greater": ratio, "less": -ratio}[alternative]
    tail = 0.5 if ratio == 0 else float(upper_tail(turned, df))  # also without degrees of freedom
    return BootstrapTest(
        measure=measure.label,
        values=(a, b),
        difference=difference,
        standard_error=error,
        interval=Interval(difference - half, difference + half, confidence_level, "bootstrap"),
        statistic=ratio,
        pvalue=2 * tail if alternative == "two-sided" else tail,
        alternative=alternative,
        paired=paired,
        n_resamples=n_resamples,
        df=df,
        _clusters=tuple((len(own), own.unit) for own in named[: 1 if paired else 2]),
        _statistic=measure,
    )


def _by_case(both: Sequence[Scores], measure: Statistic, paired: bool, how: How) -> list[Resamples]:
    """Resamples of either classifier; cases are drawn within their class."""
    cases = [(own.is_positive, _levels(own)) for own in both]
    if paired:
        # The same seed and the same order of the cases: both classifiers meet the same draws.
        is_positive, a, b, is_swapped = _in_own_order(cases[0][0], cases[0][1], cases[1][1])
        cases, both = [(is_positive, a), (is_positive, b)], both[::-1] if is_swapped else both
    else:
        orders = [np.lexsort([places, is_positive]) for is_positive, places in cases]
        cases = [(own[0][order], own[1][order]) for own, order in zip(cases, orders, strict=True)]
    drawn = []
    for own, (is_positive, places) in zip(both, cases, strict=True):
        vertices, ranks = None, places.max() - places  # strictest first
        if measure.hold == "threshold":  # how many distinct scores a frozen threshold reaches
            distinct, threshold = np.unique(own.scores), measure.at
            beyond = distinct >= threshold if own.higher_is_positive else distinct <= threshold
            vertices = np.array([beyond.sum()], dtype=np.int64)
        ranked = RankedCases.of_one(ranks[is_positive], ranks[~is_positive])
        read = measure.resampled(resampled_cases(ranked, measure.readings(vertices), **how.draws))
        drawn.append(Resamples(np.array([np.nan]), read))
    return drawn


def _in_own_order(is_positive: Mask, a: Integers, b: Integers) -> tuple[Mask, Integers, Integers, bool]:
    """Paired cases sorted by what the classifiers say of them, and whether the second one comes first here.

    Draws are made by position: so they depend neither on the rows nor on which classifier was named first.
    """
    ways = []
    for own, other, is_swapped in ((a, b, False), (b, a, True)):
        order = np.lexsort([other, own, is_positive])
        ways.append((is_positive[order], own[order], other[order], is_swapped))
    return min(ways, key=lambda way: [np.ascontiguousarray(own).tobytes() for own in way[:3]])


def _levels(own: Scores) -> Integers:
    """Every score as its place among the distinct ones, 0 for the one that speaks least for positive."""
    ranks = score_ranks(own)
    return np.asarray(ranks.max() - ranks)


# Venkatraman's permutation tests of two whole ROC curves
# -------------------------------------------------------
#
# With every threshold set between two neighbouring ranks, a classifier makes some number of errors. The
# statistic sums how far the errors of two classifiers are apart. Under the hypothesis of equal curves a case
# (paired) or a class (unpaired) may exchange its ranks between the classifiers, and nothing changes but by
# chance.


@dataclass(frozen=True, eq=False, repr=False)
class VenkatramanTest(Told, Result, sentence="inference.venkatraman_test"):
    """A permutation test of whether two ROC curves are one.

    Attributes
    ----------
    difference : float
        How far the error rates of the two are apart, on average over all thresholds of equal rank.
    aucs : (float, float)
        Of the two. Equal areas do not mean equal curves, and are not what is tested.
    statistic : float
        Venkatraman's E: paired, ``difference`` times the square of the number of cases; unpaired, the area
        between the two curves of errors, which is ``difference``.
    pvalue : float
        Share of permutations with as large a statistic, the observed one counted among them.
    n_permutations : int
        How many.
    paired : bool
        Whether both scored the same cases.
    ties : str
        How ties were broken.
    """

    difference: float
    aucs: tuple[float, float]
    statistic: float
    pvalue: float
    n_permutations: int
    paired: bool
    ties: str

    _line = "{_how} points apart, E = {statistic:.4g}, p = {pvalue:.3g}"

    @property
    def _how(self) -> str:
        return f"{'paired' if self.paired else 'unpaired'}: error rates {100 * self.difference:.2g}"


@welcomes(
    "venkatraman_test(labels, scores_a, scores_b)",
    instead=dict.fromkeys(LEVELS, NO_LEVEL),
)
def venkatraman_test(
    labels: object,
    *scores: object,
    paired: bool = True,
    ties: str = "random",
    n_permutations: int = 2000,
    seed: int = 0,
    positive: object = None,
    higher_is_positive: bool = True,
) -> VenkatramanTest:
    """Test whether two classifiers have the same ROC curve.

    It sees curves that cross, which a test of the areas does not. Equality of the whole curves is tested: a
    small p-value does not say that one is better, nor that the areas differ.

    Parameters
    ----------
    labels, *scores, positive, higher_is_positive
        As in :func:`rocsteady.compare_auc`, of two classifiers.
    paired : bool
        Whether both scored the same cases. Then the two ranks of a case are exchanged (Venkatraman & Begg
        1996), else cases of a class between the samples (Venkatraman 2000).
    ties : {"random", "first"}
        The test is about ranks. Tied scores are put in random order (the same for both classifiers, so that
        equal scores stay equal), or in the order of the rows, as pROC does unless told otherwise. With many
        ties the result depends on it; with ``"first"`` also on how the rows happen to be sorted.
    n_permutations, seed : int
        How many; RS270 warns below a hundred. The same seed gives the same result in any order of the rows
        (with random ties) and of the classifiers.

    Returns
    -------
    VenkatramanTest

    Notes
    -----
    Two samples of different sizes, or shares of positives, are put on a common scale, in which each class
    enters by its share in both together; pROC exchanges plain ranks there, which are not comparable.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sick = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> first = [9, 8, 7, 3, 6, 4, 2, 1, 0]
    >>> second = [9, 2, 3, 7, 8, 6, 5, 1, 0]
    >>> rs.venkatraman_test(sick, first, second).statistic
    10.0
    >>> rs.venkatraman_test(sick, first, first).pvalue
    1.0
    """
    one_of("ties", ties, ("random", "first"))
    n_permutations = resamples_asked(n_permutations, least=1, name="n_permutations")
    seed = whole_number("seed", seed, least=0, example=0)
    both = _classifiers("venkatraman_test", (labels, *scores), paired, positive, higher_is_positive)
    _warn_of_ties(both)
    read = _paired_curves if paired else _separate_curves
    observed, permuted = read(both, ties, n_permutations, seed)
    as_far = np.count_nonzero(permuted >= observed - _ROUNDING)
    a, b = (float(auc_of(own)) for own in both)
    return VenkatramanTest(
        difference=float(observed / both[0].columns.n_rows ** 2 if paired else observed),
        aucs=(a, b),
        statistic=float(observed),
        pvalue=float((1 + as_far) / (1 + n_permutations)),
        n_permutations=n_permutations,
        paired=paired,
        ties=ties,
    )


def _warn_of_ties(both: Sequence[Scores]) -> None:
    """RS294 where many cases share a score with one of the other class: their order is arbitrary."""
    shares = []
    for own in both:
        places = _levels(own)
        of_class = [np.bincount(places[own.is_positive == k], minlength=places.max() + 1) for k in (0, 1)]
        is_mixed = np.all(of_class, axis=0)
        shares.append(float(np.sum(of_class, axis=0)[is_mixed].sum() / places.size))
    if max(shares) > _MOST_TIED:
        warn("RS294.ties", first=shares[0], second=shares[1])


def _paired_curves(
    both: Sequence[Scores], ties: str, n_permutations: int, seed: int
) -> tuple[float, NDArray[Any]]:
    """The statistic, and that of every permutation."""
    is_positive, (a, b) = both[0].is_positive, (_levels(own) for own in both)
    if ties == "first":
        a, b = distinct_ranks(a, None), distinct_ranks(b, None)
    is_positive, a, b, _ = _in_own_order(is_positive, a, b)
    if ties == "random":
        keys = np.random.default_rng([seed, 1]).random(a.size)
        a, b = distinct_ranks(a, keys), distinct_ranks(b, keys)
    return errors_apart(a, b, is_positive), exchanged_within_cases(a, b, is_positive, n_permutations, seed)


def _separate_curves(
    both: Sequence[Scores], ties: str, n_permutations: int, seed: int
) -> tuple[float, NDArray[Any]]:
    """As above, of separate cases."""
    in_order = []  # which cases are positive, lowest rank first
    for own in both:
        places, is_positive, keys = _levels(own), own.is_positive, None
        if ties == "random":
            order = np.lexsort([is_positive, places])
            places, is_positive = places[order], is_positive[order]
            keys = np.random.default_rng([seed, 1]).random(places.size)
        in_order.append(is_positive[np.argsort(distinct_ranks(places, keys))])
    a, b = sorted(in_order, key=lambda own: (own.size, own.tobytes()))
    share = float((a.sum() + b.sum()) / (a.size + b.size))
    permuted = exchanged_within_classes(a, b, share, n_permutations, seed)
    return float(area_between(a[None, :], b[None, :], share)[0]), permuted


def distinct_ranks(scores: NDArray[np.generic], keys: Floats | None) -> Integers:
    """Ranks 0, 1, ... of scores, lowest first; ties in the order of their keys, or of their rows."""
    levels = np.unique(scores, return_inverse=True)[1].reshape(-1)  # lexsort must not meet two zeros
    order = np.lexsort([levels] if keys is None else [keys, levels])
    ranks = np.empty(order.size, dtype=np.int64)
    ranks[order] = np.arange(order.size)
    return ranks


def errors_apart(a: Integers, b: Integers, is_positive: Mask) -> int:
    """Paired: the sum over all ranks of how far the numbers of errors are apart.

    Moving the threshold past a positive adds an error, past a negative it takes one away.

    >>> import numpy as np
    >>> errors_apart(np.array([0, 1, 2]), np.array([0, 2, 1]), np.array([False, True, False]))
    2
    """
    step = np.where(is_positive, 1, -1)
    return int(np.abs(np.cumsum(step[np.argsort(a)] - step[np.argsort(b)])).sum())


def exchanged_within_cases(
    a: Integers, b: Integers, is_positive: Mask, n_permutations: int, seed: int
) -> Integers:
    """The paired statistic after the two ranks of each case were, or were not, exchanged; one per draw.

    A rank may then be held by two cases of one classifier, or by none. Two cases are put in random order.
    """
    n = a.size
    step = np.where(is_positive, 1, -1).astype(np.int8)
    owner_a, owner_b = np.argsort(a), np.argsort(b)
    stream = np.random.default_rng(seed)
    found = []
    for rows in _blocks(n_permutations, n):
        draws = stream.integers(8, size=(rows, n), dtype=np.uint8)
        is_exchanged = (draws & 1).astype(np.bool_)
        of_a, of_b = is_exchanged[:, owner_a], is_exchanged[:, owner_b]
        first = _in_order(~of_a, of_b, step[owner_a], step[owner_b], (draws & 2).astype(np.bool_))
        second = _in_order(of_a, ~of_b, step[owner_a], step[owner_b], (draws & 4).astype(np.bool_))
        apart = np.cumsum(first - second, axis=1, dtype=np.int64)
        found.append(np.abs(apart).sum(axis=1))
    return np.concatenate(found)


def _in_order(
    has_a: Mask, has_b: Mask, a: NDArray[np.int8], b: NDArray[np.int8], a_first: Mask
) -> NDArray[np.int8]:
    """What the cases of one classifier add, in order; every rank has two seats, some of them taken."""
    taken = np.stack([np.where(a_first, has_a, has_b), np.where(a_first, has_b, has_a)], axis=2)
    seats = np.stack([np.where(a_first, a, b), np.where(a_first, b, a)], axis=2)
    return np.asarray(seats[taken].reshape(has_a.shape))  # as many are taken as there are cases


def positions(is_positive: Mask, share: float) -> tuple[Floats, Floats]:
    """Of ``(rows, n)`` cases in order: the common scale, and the rate of errors just above every case.

    Classes enter by ``share`` and ``1 - share`` whatever the sizes are, so that samples of other sizes and
    other shares of positives stand on the same scale: from 0, before all cases, to 1.
    """
    n_positives, n_negatives = is_positive[0].sum(), (~is_positive[0]).sum()
    missed = share * np.cumsum(is_positive, axis=1) / n_positives
    spared = (1 - share) * np.cumsum(~is_positive, axis=1) / n_negatives
    return missed + spared, missed + (1 - share) - spared


def area_between(a: Mask, b: Mask, share: float) -> Floats:
    """Unpaired: the area between the errors of two samples on the common scale, for every row of cases.

    As in pROC, by trapezia at the positions of all cases, from where both samples have begun.
    """
    (x_a, y_a), (x_b, y_b) = positions(a, share), positions(b, share)
    rows = np.arange(len(a))[:, None] * 2.0  # rows apart by more than the scale is long: one path for all
    x = np.sort(np.concatenate([x_a, x_b], axis=1), axis=1)
    at = (x + rows).ravel()
    heights = [
        np.interp(at, (own + rows).ravel(), y.ravel()).reshape(x.shape) for own, y in ((x_a, y_a), (x_b, y_b))
    ]
    apart = np.abs(heights[0] - heights[1])
    begun = x[:, :-1] >= np.maximum(x_a[:, :1], x_b[:, :1])
    return np.asarray((np.diff(x, axis=1) * (apart[:, 1:] + apart[:, :-1]) / 2 * begun).sum(axis=1))


def exchanged_within_classes(a: Mask, b: Mask, share: float, n_permutations: int, seed: int) -> Floats:
    """The unpaired statistic after the cases of each class were dealt out again; one per draw."""
    scale = [positions(own[None, :], share)[0][0] for own in (a, b)]
    # A step before each case is its own: within it, cases of the other sample fall by chance.
    steps = [np.diff(own, prepend=0.0) for own in scale]
    stream = np.random.default_rng(seed)
    n_a, is_positive = a.size, np.concatenate([a, b])
    middle, width = np.concatenate(scale), np.concatenate(steps)
    found = []
    for rows in _blocks(n_permutations, 4 * is_positive.size):
        at = middle - width * stream.random((rows, is_positive.size))
        chosen = np.empty((rows, is_positive.size), dtype=np.bool_)  # who goes to the first sample
        for own, n_own in ((is_positive, a.sum()), (~is_positive, (~a).sum())):
            keys = stream.random((rows, int(own.sum())))
            cut = np.partition(keys, int(n_own) - 1, axis=1)[:, int(n_own) - 1 : int(n_own)]
            chosen[:, own] = keys <= cut
        order = np.argsort(at, axis=1)
        to_first = np.take_along_axis(chosen, order, axis=1)
        in_order = is_positive[order]
        found.append(
            area_between(in_order[to_first].reshape(rows, n_a), in_order[~to_first].reshape(rows, -1), share)
        )
    return np.concatenate(found)


def _blocks(n_draws: int, cells: int) -> Iterator[int]:
    """Numbers of draws that together are all of them, each a block that fits into memory."""
    size = max(1, _BLOCK // cells)
    for start in range(0, n_draws, size):
        yield min(size, n_draws - start)


# The classifiers to compare: arrays paired by position, or Scores that know their labels
# ---------------------------------------------------------------------------------------


def _classifiers(
    function: str, given: Sequence[Any], paired: bool, positive: object, higher_is_positive: bool
) -> list[Scores]:
    """The scores of each classifier; RS002, RS013, RS024 or RS038 if they cannot be compared."""
    yes_or_no("paired", paired)
    yes_or_no("higher_is_positive", higher_is_positive)
    made: list[Any] = [only_scores(value) for value in given]
    are_scores = all(isinstance(value, Scores) for value in made)
    if not are_scores:
        _require_arrays(function, made)
    n, is_any = len(made) - (not are_scores), function == "compare_auc" and paired
    if n < 2 or (n > 2 and not is_any):
        needed, what = "two or more" if is_any else "exactly two", function == "compare_auc"
        facts = {"n": n, "needed": needed, "what": "AUCs" if what else "curves"}
        raise fail("RS002.number-of-classifiers", function=function, **facts)
    if not are_scores:
        made = _of_arrays(made, paired, positive, higher_is_positive)
    else:
        for own in made:
            require_nothing_said_twice(own, positive, None, higher_is_positive)
            if own.columns.weights is not None:
                raise fail("RS038.counted", function=function, scores=own)
        if paired:
            for other in made[1:]:
                _require_same_cases(made[0], other)
        else:
            _warn_of_same_cases(*made)
        if function == "venkatraman_test":  # takes rows as cases
            any(warn_of_clusters(own, function) for own in made)
    for own in made:
        require_both_classes(own.n_positives, own.n_negatives)
        if not are_scores:  # they were looked at when they were made
            warn_if_decisions(own)
    return made


def _require_arrays(function: str, everything: Sequence[Any]) -> None:
    """RS002 for what is no array, and if scores of all classifiers came as one table or list of arrays."""
    for value in everything:
        if isinstance(value, Scores | ScoreSet | Result) or is_table(value):
            ways = _ways_to_compare(value, everything, function)
            raise fail("RS002.classifiers", function=function, given=[*map(described, everything)], ways=ways)
    scores = everything[1] if len(everything) == 2 else None
    if isinstance(scores, np.ndarray) and scores.ndim == 2:
        facts = {"given": described(scores), "part": "column", "parts": "scores.T"}
        raise fail("RS002.scores-in-one", function=function, **facts)
    if isinstance(scores, list | tuple) and scores and all(np.ndim(part) == 1 for part in scores[:2]):
        facts = {"given": described(scores), "part": "array", "parts": "scores"}
        raise fail("RS002.scores-in-one", function=function, **facts)


def _of_arrays(
    everything: Sequence[Any], paired: bool, positive: object, higher_is_positive: bool
) -> list[Scores]:
    labels, *scores = everything
    is_pair = (  # a list of two labels is not
        isinstance(labels, list | tuple)
        and len(labels) == 2
        and all(hasattr(part, "__len__") and not isinstance(part, str | bytes) for part in labels)
    )
    if paired and is_pair:
        raise fail("RS002.paired-labels")
    options: dict[str, Any] = {"positive": positive, "higher_is_positive": higher_is_positive}
    made, refused = [], []
    for i, own in enumerate(scores):
        try:
            made.append(Scores.in_place(labels[i] if is_pair else labels, own, **options))
        except LabelError as error:
            refused.append(error)
        except (ColumnError, DataError) as error:
            if error.code in ("RS013", "RS015", "RS031", "RS033"):  # which of the arrays is wrong
                error.problem = f"score array {i + 1} of {len(scores)}: {error.problem}"
            raise
    if refused:  # any of the scores may be the labels
        raise next((own for own in refused if own.entry == "RS022.swapped"), refused[0])
    return made


def _require_same_cases(first: Scores, other: Scores) -> None:
    """One direction and the same labels row by row."""
    if other.higher_is_positive != first.higher_is_positive:
        raise fail("RS002.two-directions", first=first, other=other)
    n_rows = other.columns.n_rows
    if n_rows != first.columns.n_rows:
        raise fail("RS013.paired", first=first, other=other)
    if other.cases is not None and first.cases is not None and other.cases != first.cases:
        raise fail("RS002.other-cases", first=first, other=other)
    differing = np.flatnonzero(other.is_positive != first.is_positive)
    if differing.size:
        facts = {"n": differing.size, "n_rows": n_rows, "row": int(differing[0])}
        raise fail("RS002.other-order", first=first, other=other, **facts)


def _warn_of_same_cases(first: Scores, second: Scores) -> None:
    """RS279 if cases are named, and both classifiers scored some of the same."""
    a, b = (set(own.cases or ()) for own in (first, second))
    if a & b:
        way = "name models and cases in a ScoreSet, and pair those:  compare(score_set, unmatched='drop')"
        ways = ["pair them: leave out  paired=False" if a == b else way]
        warn("RS279.same", n=len(a & b), n_first=len(a), n_second=len(b), ways=ways)


def _ways_to_compare(value: Any, everything: Sequence[Any], function: str) -> list[Remedy]:
    sets = [own for own in everything if isinstance(own, ScoreSet)]
    models = list(dict.fromkeys(model for own in sets for model in own.models))
    if isinstance(value, ScoreSet) and len(models) > 1:
        a, b = (f"score_set[{f'{model} / {value.groups[0]}'!r}]" for model in models[:2])
        whole: list[Remedy] = []
        if len(value.groups) > 1:
            whole = [f"all {printable(plural(value.unit))} at once:  compare(score_set)"]
        return [*whole, f"two models on one {printable(value.unit)}:  {function}({a}, {b})"]
    if isinstance(value, ScoreSet):
        return ["name the models and cases:  ScoreSet.from_frame(..., model='...', case='...')"]
    if isinstance(value, Scores):
        return [
            f"Scores have their labels:  {function}(scores_a, scores_b)",
            f"or arrays:  {function}(labels, scores_a, scores_b)",
        ]
    if isinstance(value, Result):
        call = f"{function}(labels, scores_a, scores_b)"
        return [f"a curve does not tell which case is which; give the scores:  {call}"]
    return [f"name the columns:  {function}(frame['label'], frame['score_a'], frame['score_b'])"]
