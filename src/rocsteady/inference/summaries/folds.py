"""Folds of a cross-validation: which cases they share, how often it was repeated, what that does to a mean.

References
----------
LeDell, Petersen & van der Laan (2015), Electronic Journal of Statistics 9, 1583-1607 (influence curves).
Nadeau & Bengio (2003), Machine Learning 52, 239-281; Bouckaert & Frank (2004), PAKDD, LNCS 3056, 3-12
(repeated cross-validation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.averaging.members import Members
from rocsteady.counting.table import Moments
from rocsteady.errors import fail

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SharedCases:
    """In how many groups and rows the cases of a set are.

    Attributes
    ----------
    codes : int64 array
        The case of every row of the groups that have a curve, numbered from 0 without gaps.
    rows : int64 array
        Where those rows are in the set.
    fewest, most : int
        Groups that a case is in.
    """

    codes: Integers
    rows: Integers
    fewest: int
    most: int

    @property
    def any_twice(self) -> bool:
        """Whether some case has several rows, in one group or in several."""
        return self.codes.size > int(self.codes.max()) + 1


def shared_cases(members: Members) -> SharedCases | None:
    """Which rows are about the same case; None where cases are not known."""
    score_set = members.score_set
    if score_set is None or score_set.cases is None:
        return None
    sizes = np.diff(score_set.columns.offsets)
    kept = np.zeros(sizes.size, dtype=np.bool_)
    kept[members.chosen] = True
    rows = np.flatnonzero(np.repeat(kept, sizes))
    groups = np.repeat(np.arange(sizes.size), sizes)[rows]
    _, codes = np.unique(score_set.cases.codes[rows], return_inverse=True)
    pairs = np.unique(codes.astype(np.int64) * sizes.size + groups) // sizes.size
    n_groups = np.bincount(pairs)
    return SharedCases(codes, rows, int(n_groups.min()), int(n_groups.max()))


def repeats_of(members: Members, repeats: int | None, shared: SharedCases | None) -> int:
    """How often the cross-validation was repeated: as named, else as its cases tell, else once.

    RS067 if the folds, the cases and the repeats do not agree.
    """
    n_folds = len(members) + len(members.undefined)
    if shared is not None:
        _require_same_number(members, repeats, shared)
        repeats = shared.most
    repeats = repeats or 1
    if n_folds % repeats or n_folds // repeats < 2:
        is_in_all = shared is not None and shared.most == n_folds
        raise fail("RS067.folds", n=n_folds, unit=members.unit, repeats=repeats, is_in_all=is_in_all)
    return repeats


def _require_same_number(members: Members, repeats: int | None, shared: SharedCases) -> None:
    # A fold of one class has no curve, and its cases are then missing from one repeat.
    is_even = shared.fewest == shared.most or bool(members.undefined)
    if is_even and repeats in (None, shared.most):
        return
    tested = f"{shared.most}" if shared.fewest == shared.most else f"{shared.fewest} to {shared.most}"
    found = {"tested": tested, "n": len(members), "unit": members.unit}
    if is_even:
        raise fail("RS067.other-number", most=shared.most, repeats=repeats, **found)
    raise fail("RS067.uneven", **found)


def influence_variance(members: Members, moments: Moments, shared: SharedCases | None) -> float:
    """The variance of the mean AUC of the folds, its cases being random.

    An AUC is nearly a sum over its cases: a case adds the difference between its placement and the AUC,
    divided by the number of cases of its class. What a case adds to the mean of all folds is squared and
    summed; rows of the same case are added up before, so that repeats, and patients with several rows,
    count once.
    """
    n_folds = moments.wins.size
    if shared is None or not shared.any_twice:
        return float(fold_variances(moments).sum()) / n_folds**2
    added = _influence(members, shared.rows) / n_folds
    return float((np.bincount(shared.codes, weights=added) ** 2).sum())


def fold_variances(moments: Moments) -> Floats:
    """The influence-curve variance of every AUC: DeLong's with the divisor n instead of n - 1."""
    positives, negatives = moments.n_positives.astype(float), moments.n_negatives.astype(float)
    within = moments.positive_spread / positives + moments.negative_spread / negatives
    return np.asarray(within / (2 * positives * negatives) ** 2)


def _influence(members: Members, rows: Integers) -> Floats:
    """What every one of the rows adds to the AUC of its fold."""
    score_set = members.score_set
    assert score_set is not None
    c = score_set.columns
    doubled = _kernels.kernels.placements(
        c.scores, c.labels, c.offsets, c.positive, c.negative, c.higher_is_positive,
        _kernels.thread_count(members.threads),
    )[rows]  # fmt: skip
    folds = np.repeat(np.arange(len(score_set)), np.diff(c.offsets))[rows]
    is_positive = c.labels[rows] == c.positive
    own = np.where(is_positive, score_set.n_positives[folds], score_set.n_negatives[folds])
    rivals = np.where(is_positive, score_set.n_negatives[folds], score_set.n_positives[folds])
    placement = doubled / (2 * rivals)
    wins = np.bincount(folds[is_positive], weights=placement[is_positive], minlength=len(score_set))
    return np.asarray((placement - (wins / np.maximum(score_set.n_positives, 1))[folds]) / own)


def require_cases_of_repeats(members: Members, repeats: int | None, shared: SharedCases | None) -> None:
    """RS067 if a repeated cross-validation is asked what its cases did, and cases are not known."""
    if shared is None and repeats is not None and repeats > 1:
        raise fail("RS067.unnamed", unit=members.unit, n=len(members), repeats=repeats)
