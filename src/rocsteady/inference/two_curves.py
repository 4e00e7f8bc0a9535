"""Tests of two curves on one set of cases, or on two: of what is read off them, and of whole curves.

References
----------
Robin et al. (2011), BMC Bioinformatics 12, 77: the difference over the standard deviation of its resamples.
Venkatraman & Begg (1996), Biometrika 83, 835-848 (paired). Venkatraman (2000), Biometrics 56, 1134-1138
(unpaired).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.from_scores import auc as auc_of
from rocsteady.curves.from_scores import roc_curve, warn_if_decisions
from rocsteady.curves.measures import RatesAt, Statistic, statistic_of
from rocsteady.curves.readings import require_both_classes
from rocsteady.errors import fail, warn
from rocsteady.inference.bootstrap import warn_in_one_cluster, warn_redrawn
from rocsteady.inference.compare_auc import given_classifiers
from rocsteady.inference.resamples import Clusters, Resamples, Wanted, clusters_of_both, drawn_rows
from rocsteady.options import one_of, open_share, resamples_asked, whole_number, yes_or_no
from rocsteady.results import Result
from rocsteady.scores.scores import Scores
from rocsteady.showing import Told, said
from rocsteady.statistics.intervals import Interval, ratio_to_error, t_quantile, two_sided_pvalue, upper_tail
from rocsteady.statistics.resampling import RankedCases, resampled_cases

ALTERNATIVES = ("two-sided", "greater", "less")


_ELSEWHERE = {"two.sided": "two-sided", "two_sided": "two-sided", "larger": "greater", "smaller": "less"}


_MOST_TIED = 0.2  # of the cases


_ROUNDING = 1e-9  # areas of the same cases in another order are equal but for this


_BLOCK = 2**20
"""Cells held at once. The draws depend on it: with another number the same seed gives other permutations."""


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapTest(Told, Result, sentence="inference.bootstrap_test"):
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

    _told: ClassVar[tuple[str, ...]] = ("random",)

    @property
    def random(self) -> str:
        """What was drawn, in words."""
        return said("inference.drawn_for_both", self._clusters)

    def __repr__(self) -> str:
        a, b = self.values
        side = "" if self.alternative == "two-sided" else f" ({self.alternative})"
        return (
            f"BootstrapTest({self.measure} {a:.3f} and {b:.3f}: difference {self.difference:.3f}, "
            f"{'z' if np.isinf(self.df) else 't'} = {self.statistic:.3f}, p = {self.pvalue:.3g}{side})"
        )


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
    gives nearly the same without chance. Where patients have several rows each, ``clusters`` says so: then
    patients are drawn with all their rows, for both classifiers at once, and the difference is taken as
    Student's t. Rows drawn one by one would find differences where there are none.

    Parameters
    ----------
    labels : array-like
        The true class of each case, as in :func:`rocsteady.roc_curve`; for two separate sets of cases a pair,
        ``(labels_a, labels_b)``, and ``paired=False``.
    *scores : array-like
        The scores of the two classifiers; or call it with two :class:`Scores` alone.
    statistic : "auc", PartialAuc, TprAt, FprAt, SensitivityAt or SpecificityAt
        What to compare: one number.
    paired : bool
        Whether both scored the same cases; they are then drawn together.
    clusters : array-like, optional
        The patient, user or site of every row; for two separate sets of cases a pair of arrays. If left out,
        two :class:`Scores` whose named clusters or cases have several rows are drawn by these.
    alternative : {"two-sided", "greater", "less"}
        Of the first value against the second. For an FPR the better one is the smaller.
    n_resamples, seed : int
        RS270 warns below a hundred. The result does not depend on the order of the rows, and changing
        places of the classifiers changes the sign only.
    confidence_level : float
        Of the interval of the difference, which is two-sided whatever the alternative.
    positive, higher_is_positive, threads
        As in :func:`rocsteady.roc_curve`.

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
    >>> found = rs.bootstrap_test(sick, first, second, statistic=rs.TprAt(0.2))
    >>> found.measure, found.values
    ('TPR at FPR 0.2', (0.75, 0.5))
    >>> rs.bootstrap_test(sick, first, first).pvalue
    1.0

    Five patients, four of them with two rows each.

    >>> rs.bootstrap_test(sick, first, second, clusters=list("abcdabcde")).random
    'the 5 clusters, each with all its rows'
    """
    measure = statistic_of(statistic)
    if not measure.is_scalar:
        raise fail("RS059.one-number", measure=measure.label)
    paired = yes_or_no("paired", paired)
    one_of("alternative", alternative, ALTERNATIVES, elsewhere=_ELSEWHERE)
    level = open_share("confidence_level", confidence_level)
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    both = given_classifiers(
        labels,
        scores,
        paired=paired,
        positive=positive,
        higher_is_positive=higher_is_positive,
        function="bootstrap_test",
        most=2,
    )
    a, b = (float(measure.read(roc_curve(own))) for own in both)
    if not isinstance(labels, Scores):
        for own in both:
            warn_if_decisions(own)
    wanted = Wanted(measure, None, n_resamples, seed, threads)
    named = clusters_of_both(both, clusters, paired=paired) or []
    if named:
        error, df = _by_cluster(both, named, wanted, paired=paired)
    else:
        error, df = (_paired_error if paired else _unpaired_error)(both, wanted), np.inf
    difference = a - b
    if error == 0 and difference != 0:
        warn("RS271.difference", difference=difference, n_resamples=n_resamples)
    half = t_quantile(df, level) * error
    ratio = ratio_to_error(difference, error)
    return BootstrapTest(
        measure=measure.label,
        values=(a, b),
        difference=difference,
        standard_error=error,
        interval=Interval(difference - half, difference + half, level, "bootstrap"),
        statistic=ratio,
        pvalue=one_or_two_sided(ratio, alternative, df),
        alternative=alternative,
        paired=paired,
        n_resamples=n_resamples,
        df=df,
        _clusters=tuple((own.n, own.unit) for own in named[: 1 if paired else 2]),
    )


def one_or_two_sided(z: float, alternative: str, df: float = np.inf) -> float:
    """The p-value of a normal statistic, or of Student's t; ``"greater"`` is small where z is large.

    >>> round(one_or_two_sided(1.96, "greater"), 3), round(one_or_two_sided(1.96, "less"), 3)
    (0.025, 0.975)
    """
    if z == 0:  # also without degrees of freedom
        return 1.0 if alternative == "two-sided" else 0.5
    if alternative == "two-sided":
        return float(two_sided_pvalue(z, df))
    return float(upper_tail(z if alternative == "greater" else -z, df))


def _by_cluster(
    both: Sequence[Scores], named: Sequence[Clusters], wanted: Wanted, *, paired: bool
) -> tuple[float, float]:
    """The standard error of the difference and its degrees of freedom; patients are drawn whole."""
    # The same seed and the same numbers of the clusters: both classifiers meet the same draws.
    a, b = (drawn_rows(own, clusters, wanted) for own, clusters in zip(both, named, strict=True))
    for drawn in (a,) if paired else (a, b):
        warn_redrawn(drawn.n_redrawn, wanted.n_resamples)
        warn_in_one_cluster(drawn)
    if paired:
        values = a.values - b.values
        if not values.any():  # the same classifier twice, also where clusters are too few for an error
            return 0.0, a.df
        differences = Resamples(a.estimate - b.estimate, values, a.n_drawn, a.df)
        return float(differences.standard_error[0]), a.df
    variances = np.array([float(drawn.standard_error[0]) for drawn in (a, b)]) ** 2
    total = float(variances.sum())
    if total == 0:
        return 0.0, float(min(a.df, b.df))
    return float(np.sqrt(total)), total**2 / float(np.sum(variances**2 / np.array([a.df, b.df])))


def _paired_error(both: Sequence[Scores], wanted: Wanted) -> float:
    is_positive, a, b, is_swapped = ordered_pair(both[0].is_positive, levels(both[0]), levels(both[1]))
    # The same seed and the same order of the cases: both classifiers meet the same draws.
    vertices = [_vertices(own, wanted.statistic) for own in (both[::-1] if is_swapped else both)]
    resampled = [_resampled(is_positive, *own, wanted) for own in zip((a, b), vertices, strict=True)]
    return float(np.std(resampled[0] - resampled[1], ddof=1))


def _unpaired_error(both: Sequence[Scores], wanted: Wanted) -> float:
    """Independent samples: the variances add up, without the chance covariance of two sets of draws."""
    variances = []
    for own in both:
        places = levels(own)
        order = np.lexsort([places, own.is_positive])
        vertices = _vertices(own, wanted.statistic)
        values = _resampled(own.is_positive[order], places[order], vertices, wanted)
        variances.append(np.var(values, ddof=1))
    return float(np.sqrt(variances[0] + variances[1]))


def _vertices(own: Scores, statistic: Statistic) -> Integers | None:
    """How many distinct scores a frozen threshold calls positive."""
    if not isinstance(statistic.raw, RatesAt):
        return None
    distinct, threshold = np.unique(own.scores), statistic.raw.threshold
    beyond = distinct >= threshold if own.higher_is_positive else distinct <= threshold
    return np.array([beyond.sum()], dtype=np.int64)


def _resampled(is_positive: Mask, places: Integers, vertices: Integers | None, wanted: Wanted) -> Floats:
    ranks = places.max() - places  # strictest first
    cases = RankedCases.of_one(ranks[is_positive], ranks[~is_positive])
    values = resampled_cases(cases, wanted.statistic.readings(vertices), **wanted.how)
    return wanted.statistic.resampled(values)[:, 0]


# Cases of two classifiers in an order of their own
# -------------------------------------------------
#
# Draws are made by position. Cases sorted by what the classifiers say of them, whichever was named first, are
# drawn alike however the rows were sorted.


class OrderedPair(NamedTuple):
    """Paired cases: class, rank by either classifier; and whether the second one named comes first here."""

    is_positive: Mask
    a: Integers
    b: Integers
    is_swapped: bool


def ordered_pair(is_positive: Mask, a: Integers, b: Integers) -> OrderedPair:
    """The cases in an order that depends neither on the rows nor on which classifier was named first.

    Examples
    --------
    >>> import numpy as np
    >>> is_positive, a, b = np.array([True, False]), np.array([1, 0]), np.array([0, 1])
    >>> ordered_pair(is_positive, a, b).a.tolist(), ordered_pair(is_positive, b, a).a.tolist()
    ([0, 1], [0, 1])
    """
    ways = []
    for own, other, is_swapped in ((a, b, False), (b, a, True)):
        order = np.lexsort([other, own, is_positive])
        ways.append(OrderedPair(is_positive[order], own[order], other[order], is_swapped))
    return min(ways, key=lambda way: content(*way[:3]))


def content(*arrays: NDArray[Any]) -> bytes:
    """What arrays hold, to be compared."""
    return b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def levels(own: Scores) -> Integers:
    """Every score as its place among the distinct ones, 0 for the one that speaks least for positive."""
    places = np.unique(own.scores, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return places if own.higher_is_positive else places.max() - places


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

    def __repr__(self) -> str:
        how = "paired" if self.paired else "unpaired"
        return (
            f"VenkatramanTest({how}: error rates {100 * self.difference:.2g} points apart, "
            f"E = {self.statistic:.4g}, p = {self.pvalue:.3g})"
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
    labels : array-like
        The true class of each case, as in :func:`rocsteady.roc_curve`; for two separate sets of cases a pair,
        ``(labels_a, labels_b)``, and ``paired=False``.
    *scores : array-like
        The scores of the two classifiers; or call it with two :class:`Scores` alone.
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
    positive, higher_is_positive
        As in :func:`rocsteady.roc_curve`.

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
    paired, ties = yes_or_no("paired", paired), one_of("ties", ties, ("random", "first"))
    n_permutations = resamples_asked(n_permutations, least=1, name="n_permutations")
    seed = whole_number("seed", seed, least=0, example=0)
    both = given_classifiers(
        labels,
        scores,
        paired=paired,
        positive=positive,
        higher_is_positive=higher_is_positive,
        function="venkatraman_test",
        most=2,
    )
    for own in both:
        require_both_classes(own.n_positives, own.n_negatives)
    if not isinstance(labels, Scores):
        for own in both:
            warn_if_decisions(own)
    _warn_of_ties(both)
    observed, permuted, size = (_paired if paired else _unpaired)(both, ties, n_permutations, seed)
    as_far = np.count_nonzero(permuted >= observed - _ROUNDING)
    return VenkatramanTest(
        difference=float(observed / size),
        aucs=(float(auc_of(both[0])), float(auc_of(both[1]))),
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
        places = levels(own)
        counts = [
            np.bincount(places[part], minlength=places.max() + 1)
            for part in (own.is_positive, ~own.is_positive)
        ]
        mixed = (counts[0] > 0) & (counts[1] > 0)
        shares.append((counts[0] + counts[1])[mixed].sum() / places.size)
    if max(shares) > _MOST_TIED:
        warn("RS294.ties", first=float(shares[0]), second=float(shares[1]))


def _paired(
    both: Sequence[Scores], ties: str, n_permutations: int, seed: int
) -> tuple[float, NDArray[Any], float]:
    is_positive = both[0].is_positive
    a, b = (levels(own) for own in both)
    if ties == "random":
        is_positive, a, b, _ = ordered_pair(is_positive, a, b)
        keys = np.random.default_rng([seed, 1]).random(a.size)
        a, b = distinct_ranks(a, keys), distinct_ranks(b, keys)
    else:
        is_positive, a, b, _ = ordered_pair(is_positive, distinct_ranks(a, None), distinct_ranks(b, None))
    permuted = exchanged_within_cases(a, b, is_positive, n_permutations, seed)
    return errors_apart(a, b, is_positive), permuted, float(a.size) ** 2


def _unpaired(
    both: Sequence[Scores], ties: str, n_permutations: int, seed: int
) -> tuple[float, NDArray[Any], float]:
    a, b = sorted((_in_rank_order(own, ties, seed) for own in both), key=lambda own: (own.size, content(own)))
    share = (a.sum() + b.sum()) / (a.size + b.size)
    permuted = exchanged_within_classes(a, b, float(share), n_permutations, seed)
    return float(area_between(a[None, :], b[None, :], float(share))[0]), permuted, 1.0


def _in_rank_order(own: Scores, ties: str, seed: int) -> Mask:
    """Which cases are positive, lowest rank first."""
    places, is_positive, keys = levels(own), own.is_positive, None
    if ties == "random":
        order = np.lexsort([is_positive, places])
        places, is_positive = places[order], is_positive[order]
        keys = np.random.default_rng([seed, 1]).random(places.size)
    return is_positive[np.argsort(distinct_ranks(places, keys))]


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

    Examples
    --------
    >>> import numpy as np
    >>> errors_apart(np.array([0, 1, 2]), np.array([0, 2, 1]), np.array([False, True, False]))
    2
    """
    step = np.where(is_positive, 1, -1)
    apart = np.cumsum(step[np.argsort(a)] - step[np.argsort(b)])
    return int(np.abs(apart).sum())


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
