"""Bootstrap tests of what two classifiers differ in: the area, a part of it, a rate at the other.

References
----------
Robin et al. (2011), BMC Bioinformatics 12, 77: the difference over the standard deviation of its resamples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import roc_curve, warn_if_decisions
from rocsteady.curves.measures import RatesAt, Statistic, statistic_of
from rocsteady.errors import fail, warn
from rocsteady.inference.given import given_classifiers
from rocsteady.inference.single_curve.clustered import Drawing, by_cluster, clusters_of_both
from rocsteady.inference.single_curve.ordering import levels, ordered_pair
from rocsteady.options import one_of, open_share, resamples_asked, whole_number, yes_or_no
from rocsteady.results import Result
from rocsteady.scores.scores import Scores
from rocsteady.statistics.intervals import Interval, ratio_to_error, t_quantile, two_sided_pvalue, upper_tail
from rocsteady.statistics.resampling import RankedCases, resampled_cases
from rocsteady.words import grouped

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

ALTERNATIVES = ("two-sided", "greater", "less")
_ELSEWHERE = {"two.sided": "two-sided", "two_sided": "two-sided", "larger": "greater", "smaller": "less"}


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapTest(Result):
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
    random : str
        What was drawn, in words.
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
    random: str = "the cases"

    @property
    def reading(self) -> str:
        """The difference, how sure it is, and what is random."""
        a, b = self.values
        drawn = "drawn together for both" if self.paired else "drawn for each by itself"
        within = " within each class" if np.isinf(self.df) else ""
        tested = {
            "two-sided": "",
            "greater": ", for the first being larger",
            "less": ", for the first being smaller",
        }
        return (
            f"{self.measure}: {a:.3f} and {b:.3f}, a difference of {self.difference:+.3f} "
            f"({100 * self.interval.confidence_level:g} % interval {self.interval.low:+.3f} to "
            f"{self.interval.high:+.3f}; p = {self.pvalue:.3g}{tested[self.alternative]}). What is random "
            f"is {self.random}: {grouped(self.n_resamples)} resamples{within}, {drawn}."
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry."""
        return super().to_dict() | {"reading": self.reading}

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
    measure = _one_number(statistic)
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
    drawn = Drawing(measure, n_resamples, seed, threads)
    named = clusters_of_both(both, clusters, paired=paired)
    if named is not None:
        error, df, random = by_cluster(both, named, drawn, paired=paired)
    else:
        error, df = (_paired_error if paired else _unpaired_error)(both, drawn), np.inf
        random = "the cases"
    difference = a - b
    _warn_of_no_spread(difference, error, n_resamples)
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
        random=random,
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


def _one_number(statistic: object) -> Statistic:
    measure = statistic_of(statistic)
    if not measure.is_scalar:
        raise fail("RS059.one-number", measure=measure.label)
    return measure


def _paired_error(both: Sequence[Scores], drawn: Drawing) -> float:
    is_positive, a, b, is_swapped = ordered_pair(both[0].is_positive, levels(both[0]), levels(both[1]))
    # The same seed and the same order of the cases: both classifiers meet the same draws.
    vertices = [_vertices(own, drawn.statistic) for own in (both[::-1] if is_swapped else both)]
    resampled = [_resampled(is_positive, *own, drawn) for own in zip((a, b), vertices, strict=True)]
    return float(np.std(resampled[0] - resampled[1], ddof=1))


def _unpaired_error(both: Sequence[Scores], drawn: Drawing) -> float:
    """Independent samples: the variances add up, without the chance covariance of two sets of draws."""
    variances = []
    for own in both:
        places = levels(own)
        order = np.lexsort([places, own.is_positive])
        vertices = _vertices(own, drawn.statistic)
        values = _resampled(own.is_positive[order], places[order], vertices, drawn)
        variances.append(np.var(values, ddof=1))
    return float(np.sqrt(variances[0] + variances[1]))


def _vertices(own: Scores, statistic: Statistic) -> Integers | None:
    """How many distinct scores a frozen threshold calls positive."""
    if not isinstance(statistic.raw, RatesAt):
        return None
    distinct, threshold = np.unique(own.scores), float(statistic.raw.threshold)
    beyond = distinct >= threshold if own.higher_is_positive else distinct <= threshold
    return np.array([beyond.sum()], dtype=np.int64)


def _resampled(is_positive: Flags, places: Integers, vertices: Integers | None, drawn: Drawing) -> Floats:
    ranks = places.max() - places  # strictest first
    cases = RankedCases.of_one(ranks[is_positive], ranks[~is_positive])
    values = resampled_cases(
        cases,
        drawn.statistic.readings(vertices),
        n_resamples=drawn.n_resamples,
        seed=drawn.seed,
        threads=drawn.threads,
    )
    return drawn.statistic.resampled(values)[:, 0]


def _warn_of_no_spread(difference: float, error: float, n_resamples: int) -> None:
    if error == 0 and difference != 0:
        warn("RS271.difference", difference=difference, n_resamples=n_resamples)
