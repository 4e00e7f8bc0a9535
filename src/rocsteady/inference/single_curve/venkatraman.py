"""Venkatraman's permutation tests of two whole ROC curves.

References
----------
Venkatraman & Begg (1996), Biometrika 83, 835-848 (paired). Venkatraman (2000), Biometrics 56, 1134-1138
(unpaired).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import auc as auc_of
from rocsteady.curves.from_scores import warn_if_decisions
from rocsteady.curves.readings import require_both_classes
from rocsteady.errors import warn
from rocsteady.inference.given import given_classifiers
from rocsteady.inference.single_curve.ordering import content, levels, ordered_pair
from rocsteady.inference.single_curve.permuting import (
    area_between,
    distinct_ranks,
    errors_apart,
    exchanged_within_cases,
    exchanged_within_classes,
)
from rocsteady.options import one_of, resamples_asked, whole_number, yes_or_no
from rocsteady.results import Result
from rocsteady.scores.scores import Scores
from rocsteady.words import grouped

Flags = NDArray[np.bool_]

_MOST_TIED = 0.2  # of the cases
_ROUNDING = 1e-9  # areas of the same cases in another order are equal but for this


@dataclass(frozen=True, eq=False, repr=False)
class VenkatramanTest(Result):
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

    @property
    def reading(self) -> str:
        """The difference, how sure it is, and what is random."""
        exchanged = (
            "the two scores of each case were exchanged or not, by chance"
            if self.paired
            else "the cases of each class were dealt out to the two samples again"
        )
        return (
            f"At thresholds of equal rank the two error rates are {100 * self.difference:.2g} percentage "
            f"points apart on average (AUC {self.aucs[0]:.3f} and {self.aucs[1]:.3f}). Of "
            f"{grouped(self.n_permutations)} permutations, in which {exchanged}, a share of "
            f"{self.pvalue:.3g} was as far apart (p). What is tested is whether the two curves are the same "
            f"everywhere, not whether their areas are; what is random is the cases."
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry."""
        return super().to_dict() | {"reading": self.reading}

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
    aucs = (_checked_auc(both[0]), _checked_auc(both[1]))
    if not isinstance(labels, Scores):
        for own in both:
            warn_if_decisions(own)
    _warn_of_ties(both)
    observed, permuted, size = (_paired if paired else _unpaired)(both, ties, n_permutations, seed)
    as_far = np.count_nonzero(permuted >= observed - _ROUNDING)
    return VenkatramanTest(
        difference=float(observed / size),
        aucs=aucs,
        statistic=float(observed),
        pvalue=float((1 + as_far) / (1 + n_permutations)),
        n_permutations=n_permutations,
        paired=paired,
        ties=ties,
    )


def _checked_auc(own: Scores) -> float:
    require_both_classes(own.n_positives, own.n_negatives)
    return float(auc_of(own))


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


def _in_rank_order(own: Scores, ties: str, seed: int) -> Flags:
    """Which cases are positive, lowest rank first."""
    places, is_positive, keys = levels(own), own.is_positive, None
    if ties == "random":
        order = np.lexsort([is_positive, places])
        places, is_positive = places[order], is_positive[order]
        keys = np.random.default_rng([seed, 1]).random(places.size)
    return is_positive[np.argsort(distinct_ranks(places, keys))]
