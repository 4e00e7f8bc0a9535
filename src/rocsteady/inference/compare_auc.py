"""DeLong's tests of the difference between AUCs.

The variance of a difference is the sum of what the positives add and what the negatives add, each known from
its own number of cases. So it has Satterthwaite's degrees of freedom, and Student's t (F for several) is the
reference; the normal distribution rejects too often where a class is rare.

References
----------
DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845. Sun & Xu (2014), IEEE Signal Processing
Letters 21, 1389-1393. Satterthwaite (1946), Biometrics Bulletin 2, 110-114. Krishnamoorthy & Yu (2004),
Statistics & Probability Letters 66, 161-169: the degrees of freedom of several contrasts at once. With
``reference="normal"`` the degrees of freedom are those of pROC (Robin et al. 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.calling import welcomes
from rocsteady.counting.table import (
    ClusterCounts,
    cluster_counts,
    delong_covariance,
    delong_moments,
)
from rocsteady.curves.from_scores import (
    described,
    is_table,
    only_scores,
    require_nothing_said_twice,
    warn_if_decisions,
)
from rocsteady.curves.readings import require_both_classes
from rocsteady.curves.uncertainty import warn_of_few_clusters
from rocsteady.errors import ColumnError, DataError, LabelError, Remedy, RocsteadyError, fail, warn
from rocsteady.inference.resamples import clusters_of_both
from rocsteady.options import one_of, open_share, yes_or_no
from rocsteady.results import Result, read_only
from rocsteady.scores.score_set import ScoreSet, warn_of_clusters
from rocsteady.scores.scores import Scores
from rocsteady.statistics.delong import (
    ClusteredAuc,
    clustered_covariance,
    delong_components,
    delong_variance,
)
from rocsteady.statistics.intervals import (
    Interval,
    ratio_to_error,
    satterthwaite_df,
    t_quantile,
    two_sided_pvalue,
)
from rocsteady.words import plural, printable

Floats = NDArray[np.float64]


REFERENCES = ("t", "normal")


FEWEST_CASES = 15
"""Of a class: with fewer, the spread within it is hardly known, and RS156 says so."""


@dataclass(frozen=True, eq=False, repr=False)
class AucComparison(Result):
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
        Of the AUCs over samples of cases, what :func:`plan_auc` asks for; 0 for separate cases, NaN where an
        AUC has no variance.
    method : str
        Which test.
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
    method: str

    def __repr__(self) -> str:
        areas = ", ".join(f"{area:.3f}" for area in self.aucs[:4]) + (", ..." if self.aucs.size > 4 else "")
        normal, exact = ("chi-square", "F") if self.aucs.size > 2 else ("z", "t")
        letter = normal if np.isinf(self.error_df) else exact
        difference = "" if self.aucs.size > 2 else f"difference {self.difference:.3f}, "
        return (
            f"AucComparison(AUCs {areas}: {difference}{letter} = {self.statistic:.3f}, p = {self.pvalue:.3g})"
        )


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
    case. Nothing in plain arrays can show that they are not, so sort them by case first, or let
    :meth:`ScoreSet.from_frame` do it: with ``case=`` the rows of every model come in the same order.

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
        variance that the two classes add; of independent sets, the four parts. ``"normal"``: as DeLong et
        al. and pROC, z and chi-square, which are asymptotic (with 10 positives and 1,000 negatives a 5 %
        test rejects 6 to 9 %); for independent sets Welch's t over the sets, as in pROC.
    clusters : array-like, optional
        The patient, user or site of every row, where rows belong together; for two separate sets of cases a
        pair of arrays. If left out, :class:`Scores` whose named clusters or cases have several rows know
        them. The variance is then Obuchowski's (1997), and clusters give the degrees of freedom.

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
    one_of("reference", reference, REFERENCES, elsewhere={"z": "normal", "satterthwaite": "t"})
    first, *others = (_only_member(given) for given in (labels, *scores))
    classifiers = given_classifiers(
        first, others, paired=paired, positive=positive, higher_is_positive=higher_is_positive
    )
    counts = _cluster_counts(classifiers, clusters, paired=paired, threads=threads)
    comparison = (_paired if paired else _unpaired)(classifiers, counts, level, reference, threads)
    for own in classifiers:
        if not isinstance(first, Scores):  # they were looked at when they were made
            warn_if_decisions(own)
    return comparison


def _only_member(given: object) -> object:
    """The scores of a set that holds nothing else; anything else as it is."""
    return given[0] if isinstance(given, ScoreSet) and len(given) == 1 else given


def _correlation(covariance: Floats, variance: Floats) -> Floats:
    """From the variance of every difference, exactly 1 where classifiers place all cases alike."""
    own = np.diag(covariance)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = covariance / np.sqrt(np.outer(own, own))
    found[(variance == 0) & (own > 0)] = 1.0
    return np.clip(np.where(np.outer(own, own) > 0, found, np.nan), -1.0, 1.0)


def _cluster_counts(
    scores: Sequence[Scores], clusters: object, *, paired: bool, threads: int | None
) -> list[ClusterCounts] | None:
    """What the clusters of every classifier have; None where rows are independent."""
    if clusters is None and all(own._together is None for own in scores):
        return None
    named = clusters_of_both(scores, clusters, paired=paired)
    if named is None:
        return None
    found: list[ClusterCounts] = []
    for i, own in enumerate(scores):
        (counts,) = cluster_counts(own, together=named[0 if paired else i], each=True, threads=threads)
        assert counts is not None
        found.append(counts)
    warn_of_few_clusters(found)
    return found


def _paired(
    scores: Sequence[Scores],
    clusters: Sequence[ClusterCounts] | None,
    level: float,
    reference: str,
    threads: int | None,
) -> AucComparison:
    m = delong_covariance(scores, threads=threads)
    cases = (m.n_positives, m.n_negatives)
    require_both_classes(*cases)
    pairs = 2 * m.n_positives * m.n_negatives
    wins = m.wins.tolist()
    aucs = np.array([won / pairs for won in wins])
    _warn_of_missing_errors(aucs, *cases)
    # Not var(a) + var(b) - 2 cov(a, b): classifiers that differ in few cases would cancel to nothing.
    if clusters is None:
        warn_of_few_cases(min(cases))
        covariance = delong_components(m.positive_spread, m.negative_spread, *cases).sum(axis=0)
        parts = delong_components(m.positive_difference, m.negative_difference, *cases)
        variance = parts.sum(axis=0)
        freedom = np.array(cases) - 1.0
    else:
        covariance = clustered_covariance([ClusteredAuc.of_counts(own) for own in clusters])
        found = [[ClusteredAuc.of_counts(a, b).components() for b in clusters] for a in clusters]
        parts = np.array([[own for own, _ in row] for row in found]).transpose(2, 0, 1)
        variance, freedom = parts.sum(axis=0), found[0][0][1]
    _warn_of_flat(aucs, np.diag(covariance))
    difference = np.array([[(a - b) / pairs for b in wins] for a in wins])
    df = satterthwaite_df(parts, freedom) if reference == "t" else np.full(variance.shape, np.inf)
    error = np.sqrt(variance)
    correlation = _correlation(covariance, variance)
    if len(scores) == 2:
        return _of_two(
            aucs,
            covariance,
            difference[0, 1],
            error[0, 1],
            df[0, 1],
            correlation=float(correlation[0, 1]),
            level=level,
            method="paired DeLong",
        )
    together = _all_equal(difference, variance, parts, freedom)
    if reference == "normal":
        statistic, error_df = together.chi_square, np.inf
    else:
        statistic, error_df = together.f_statistic, together.error_df
    return AucComparison(
        aucs=read_only(aucs),
        difference=read_only(difference),
        standard_error=read_only(error),
        statistic=statistic,
        df=together.df,
        error_df=error_df,
        pvalue=_pvalue_of_all(statistic, together.df, error_df),
        interval=_interval(difference, error, df, level),
        covariance=read_only(covariance),
        correlation=read_only(correlation),
        method="paired DeLong, " + ("chi-square" if reference == "normal" else "F"),
    )


def _unpaired(
    scores: Sequence[Scores],
    clusters: Sequence[ClusterCounts] | None,
    level: float,
    reference: str,
    threads: int | None,
) -> AucComparison:
    aucs, variances, sizes = np.empty(2), np.empty(2), np.empty(2)
    parts: list[float] = []
    freedom: list[float] = []
    for i, own in enumerate(scores):
        with naming_classifier(i + 1, 2):
            moments = delong_moments(own, threads=threads)
        n_positives, n_negatives = int(moments.n_positives[0]), int(moments.n_negatives[0])
        require_both_classes(n_positives, n_negatives)
        aucs[i] = int(moments.wins[0]) / (2 * n_positives * n_negatives)
        if clusters is None:
            variances[i] = delong_variance(moments)[0]
            sizes[i] = n_positives + n_negatives
            spreads = moments.positive_spread, moments.negative_spread
            parts += [float(part[0]) for part in delong_components(*spreads, n_positives, n_negatives)]
            freedom += [n_positives - 1, n_negatives - 1]
        else:
            added = ClusteredAuc.of_counts(clusters[i])
            variances[i], sizes[i] = added.variance, added.sizes[2]
            parts += added.components()[0].tolist()
            freedom += added.components()[1].tolist()
        _warn_of_missing_errors(aucs[i : i + 1], n_positives, n_negatives)
    if clusters is None:
        warn_of_few_cases(int(min(freedom)) + 1)
    _warn_of_flat(aucs, variances)
    total = variances.sum()
    # By class, or by set of cases as in pROC.
    df = float(satterthwaite_df(*((parts, freedom) if reference == "t" else (variances, sizes - 1))))
    difference = aucs[0] - aucs[1]
    error = np.sqrt(total)
    words: dict[str, Any] = {"level": level, "method": "unpaired DeLong"}
    return _of_two(aucs, np.diag(variances), difference, error, df, correlation=0.0, **words)


def _of_two(
    aucs: Floats,
    covariance: Floats,
    difference: float,
    error: float,
    df: float,
    *,
    correlation: float,
    level: float,
    method: str,
) -> AucComparison:
    difference, error, df = float(difference), float(error), float(df)
    statistic = ratio_to_error(difference, error)
    return AucComparison(
        aucs=read_only(aucs),
        difference=difference,
        standard_error=error,
        statistic=statistic,
        df=df,
        error_df=df,
        pvalue=float(two_sided_pvalue(statistic, df)),
        interval=_interval(difference, error, df, level),
        covariance=read_only(covariance),
        correlation=correlation,
        method=method,
    )


def _interval(difference: Any, error: Any, df: Any, level: float) -> Interval:
    half = t_quantile(df, level) * error
    return Interval(difference - half, difference + half, level, "delong")


class _AllEqual(NamedTuple):
    """The hypothesis that all AUCs are equal: chi-square, its contrasts, the degrees of freedom of errors."""

    chi_square: float
    df: float
    error_df: float = np.nan

    @property
    def f_statistic(self) -> float:
        """As Hotelling's T**2: the chi-square over its contrasts, less for contrasts that errors pay for."""
        if self.df == 0 or not np.isfinite(self.chi_square):
            return self.chi_square
        return self.chi_square * self.error_df / (self.df * (self.error_df + self.df - 1))


def _all_equal(difference: Floats, variance: Floats, parts: Floats, freedom: Floats) -> _AllEqual:
    """The statistic that all AUCs are equal, and its degrees of freedom.

    Classifiers that place every case alike count once: the variance of their difference is exactly zero. The
    others are held against the first, in units of the error of that contrast, so that a contrast with a tiny
    error weighs as much as one with a large.
    """
    if np.isnan(variance).any():
        return _AllEqual(np.nan, float(len(variance) - 1))
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
    if np.abs(along[~varies]).max(initial=0) > 1e-6:  # a difference that no case varies in: separated classes
        return _AllEqual(np.inf, float(varies.sum() + 1))
    # The class's shares of the variance in the directions that vary; together they are the identity.
    scaled = directions[:, varies] / np.sqrt(spread[varies])
    shares = [scaled.T @ of_contrasts(part) @ scaled for part in parts]
    n = int(varies.sum())
    lost = sum(
        (np.trace(share @ share) + np.trace(share) ** 2) / df
        for share, df in zip(shares, freedom, strict=True)
    )
    error_df = (n + n**2) / lost - n + 1 if n else np.inf
    return _AllEqual(float(np.sum(along[varies] ** 2 / spread[varies])), float(n), float(error_df))


def _pvalue_of_all(statistic: float, df: float, error_df: float) -> float:
    """Of F, or of chi-square where the errors are taken for known; NaN for too few cases to tell."""
    from scipy.special import chdtrc, fdtrc

    if df == 0:  # all classifiers rank the cases alike
        return 1.0
    if np.isinf(statistic):
        return 0.0
    if np.isinf(error_df):
        return float(chdtrc(df, statistic))
    return float(fdtrc(df, error_df, statistic)) if error_df > 0 else float("nan")


def warn_of_few_cases(fewest: int, unit: str = "") -> None:
    """RS156 where a class is so rare that its spread is hardly known."""
    if 1 < fewest < FEWEST_CASES:  # of a single one RS153 says more
        warn("RS156.test", n=fewest, needed=FEWEST_CASES, unit=unit)


def _warn_of_flat(aucs: Floats, variances: Floats) -> None:
    """RS154: a zero variance at an AUC that is not 0 or 1 is no certainty."""
    flat = (variances == 0) & (aucs > 0) & (aucs < 1)
    if flat.any():
        warn("RS154.test", number=int(np.argmax(flat)) + 1, auc=aucs[flat][0])


def _warn_of_missing_errors(aucs: Floats, n_positives: int, n_negatives: int) -> None:
    """Say where DeLong's variance does not exist (one case in a class) or is zero (separated classes)."""
    if min(n_positives, n_negatives) == 1:
        warn("RS153.test", n_positives=n_positives, n_negatives=n_negatives, unit=None)
    elif np.isin(aucs, (0.0, 1.0)).any():
        warn("RS151.test", n_separated=int(np.isin(aucs, (0.0, 1.0)).sum()), n=aucs.size)


# The classifiers to compare: arrays paired by position, or Scores that know their labels
# ---------------------------------------------------------------------------------------


def given_classifiers(
    labels: Any,
    scores: Sequence[Any],
    *,
    paired: bool,
    positive: object,
    higher_is_positive: bool,
    function: str = "compare_auc",
    most: int | None = None,
) -> list[Scores]:
    """The scores of each classifier; RS002, RS013 or RS038 if they cannot be compared.

    ``function`` is what the messages tell to type; ``most`` the number of classifiers it takes.
    """
    paired = yes_or_no("paired", paired)
    higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
    everything: tuple[Any, ...] = tuple(only_scores(value) for value in (labels, *scores))
    are_scores = [isinstance(value, Scores) for value in everything]
    if all(are_scores):
        _require_number(len(everything), paired, function, most)
        for own in everything:
            require_nothing_said_twice(own, positive, None, higher_is_positive)
        _require_comparable(everything, paired=paired, function=function)
        if not paired:
            _warn_of_same_cases(*everything)
        _warn_of_clusters(everything, function)
        return list(everything)
    for value in everything:
        if isinstance(value, Scores | ScoreSet | Result) or is_table(value):
            raise _not_arrays(value, everything, function)
    if len(scores) == 1:
        _refuse_one_for_all(scores[0], function)
    _require_number(len(scores), paired, function, most)
    pair = _label_pair(labels)
    if paired and pair:
        raise fail("RS002.paired-labels")
    made, refused = [], []
    for number, (own_labels, own_scores) in enumerate(
        zip(pair or [labels] * len(scores), scores, strict=True), start=1
    ):
        try:
            with naming_classifier(number, len(scores)):
                made.append(
                    Scores.in_place(
                        own_labels, own_scores, positive=positive, higher_is_positive=higher_is_positive
                    )
                )
        except LabelError as error:
            refused.append(error)
    if refused:  # any of the scores may be the labels
        raise next((own for own in refused if own.entry == "RS022.swapped"), refused[0])
    return made


@contextmanager
def naming_classifier(number: int, n_classifiers: int) -> Iterator[None]:
    """Say which of several score arrays is wrong where a message speaks of "scores"."""
    try:
        yield
    except (ColumnError, DataError) as error:
        if error.code not in ("RS013", "RS015", "RS031", "RS033"):
            raise
        error.problem = f"score array {number} of {n_classifiers}: {error.problem}"
        raise


def _label_pair(labels: Any) -> tuple[Any, Any] | None:
    """The two label arrays if ``labels`` is a pair of them; a list of two labels is not."""
    if not isinstance(labels, list | tuple) or len(labels) != 2:
        return None
    if any(isinstance(part, str | bytes) or not hasattr(part, "__len__") for part in labels):
        return None
    return labels[0], labels[1]


def _require_number(n_classifiers: int, paired: bool, function: str, most: int | None) -> None:
    if not paired:
        most = 2
    if n_classifiers < 2 or (most is not None and n_classifiers > most):
        raise fail(
            "RS002.number-of-classifiers",
            needed="two or more" if most is None else "exactly two",
            what="AUCs" if function == "compare_auc" else "curves",
            n=n_classifiers,
            function=function,
        )


def _refuse_one_for_all(scores: Any, function: str) -> None:
    """RS002 if the scores of all classifiers came as one table or list of arrays."""
    part = ""
    if isinstance(scores, np.ndarray) and scores.ndim == 2:
        part, parts = "column", "scores.T"
    elif isinstance(scores, list | tuple) and scores and all(np.ndim(part) == 1 for part in scores[:2]):
        part, parts = "array", "scores"
    if part:
        raise fail("RS002.scores-in-one", function=function, given=described(scores), part=part, parts=parts)


def _require_comparable(classifiers: Sequence[Scores], *, paired: bool, function: str) -> None:
    """Scores objects: no weights, one direction and, if paired, the same labels row by row."""
    first = classifiers[0]
    for number, own in enumerate(classifiers, start=1):
        if own.columns.weights is not None:
            raise fail("RS038.counted", function=function, scores=own)
        if not paired or number == 1:
            continue
        if own.higher_is_positive != first.higher_is_positive:
            raise fail("RS002.two-directions", first=first, other=own)
        if own.columns.n_rows != first.columns.n_rows:
            raise fail("RS013.paired", first=first, other=own)
        if own.cases is not None and first.cases is not None and own.cases != first.cases:
            raise fail("RS002.other-cases", first=first, other=own)
        differing = np.flatnonzero(own.is_positive != first.is_positive)
        if differing.size:
            raise fail(
                "RS002.other-order",
                n=differing.size,
                n_rows=own.columns.n_rows,
                first=first,
                other=own,
                row=int(differing[0]),
            )


def _warn_of_same_cases(first: Scores, second: Scores) -> None:
    """RS279 if cases are named, and both classifiers scored some of the same."""
    names = [set(own.cases or ()) for own in (first, second)]
    n_shared = len(names[0] & names[1])
    if not n_shared:
        return
    way = "pair them: leave out  paired=False"
    if names[0] != names[1]:
        way = "name models and cases in a ScoreSet, and pair those:  compare(score_set, unmatched='drop')"
    warn("RS279.same", n=n_shared, n_first=len(names[0]), n_second=len(names[1]), ways=[way])


def _warn_of_clusters(classifiers: Sequence[Scores], function: str) -> None:
    """RS104 if patients have several rows, for tests that take rows as cases."""
    if function in ("bootstrap_test", "compare_auc"):
        return
    for own in classifiers:
        if warn_of_clusters(own, function):
            return


def _not_arrays(value: Any, everything: Sequence[Any], function: str) -> RocsteadyError:
    ways = _ways_to_compare(value, everything, function)
    return fail("RS002.classifiers", function=function, given=[*map(described, everything)], ways=ways)


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
