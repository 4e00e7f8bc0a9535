"""What one shared threshold costs, its interval over groups, and the test by exchanging rows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocsteady import _kernels
from rocsteady._kernels.resample import running_sum
from rocsteady.inference.ranked import Floats, Integers, Mask, RankedRows
from rocsteady.statistics.intervals import t_quantile

ALIKE = 1e-12
"""Differences of AUCs closer than this are ties: sums of the same terms in another order."""


@dataclass(frozen=True, eq=False)
class Exchanged:
    """AUCs within groups and under one shared threshold, as observed and after exchanging rows.

    Attributes
    ----------
    own, shared : float
        The mean AUC of the groups; the mean AUC of all ordered pairs of groups.
    pvalue : float
        Of the hypothesis that each class has one distribution in all groups, against a cost.
    spread : float
        Standard deviation of the difference after exchanging rows; NaN for a single exchange.
    """

    own: float
    shared: float
    pvalue: float
    spread: float


def exchange_test(rows: RankedRows, n_permutations: int, seed: int, threads: int | None) -> Exchanged:
    """Deal the rows of each class to the groups by chance; how often does that cost as much?"""
    by_score = rows.order[rows.is_positive[rows.order]], rows.order[~rows.is_positive[rows.order]]
    groups = [rows.groups[own] for own in by_score]
    at = [np.bincount(rows.ranks[own], minlength=rows.n_distinct) for own in by_score]
    own, shared = _kernels.kernels.exchange_groups(
        *groups, *at, rows.n_groups, seed % 2**64, n_permutations, _kernels.thread_count(threads)
    )
    costs = own - shared
    as_large = int(np.count_nonzero(costs[1:] >= costs[0] - ALIKE))
    spread = float(np.std(costs[1:], ddof=1)) if n_permutations > 1 else math.nan
    return Exchanged(float(own[0]), float(shared[0]), (1 + as_large) / (n_permutations + 1), spread)


def against_all(rows: RankedRows) -> tuple[Floats, Floats]:
    """Row and column means of the matrix of AUCs between groups, without the matrix.

    The positives of each group against the negatives of all groups, and the negatives of each against the
    positives of all, every group counting once.
    """
    own, others = rows.is_positive, ~rows.is_positive
    positives_at = _balanced_shares(rows, own, rows.n_positives)
    negatives_at = _balanced_shares(rows, others, rows.n_negatives)
    beaten = running_sum(negatives_at[::-1])[::-1] - negatives_at / 2
    beating = running_sum(positives_at) - positives_at / 2
    return (
        np.bincount(rows.groups[own], beaten[rows.ranks[own]]) / rows.n_positives,
        np.bincount(rows.groups[others], beating[rows.ranks[others]]) / rows.n_negatives,
    )


def _balanced_shares(rows: RankedRows, chosen: Mask, n: Integers) -> Floats:
    """Share of a class at each distinct score, every group counting once."""
    weights = 1 / (rows.n_groups * n[rows.groups[chosen]])
    shares: Floats = np.bincount(rows.ranks[chosen], weights, minlength=rows.n_distinct)  # type: ignore[assignment]
    return shares


def delta_error(aucs: Floats, positive_aucs: Floats, negative_aucs: Floats) -> float:
    """Standard error of ``delta`` by leaving out one group at a time; NaN with fewer than three groups.

    ``delta`` is the mean AUC within groups less the mean AUC between different groups. Every leave-one-out
    value follows from the row and column means of the matrix, so that this takes O(M).
    """
    n = aucs.size
    if n < 3:
        return math.nan
    whole = n * float(positive_aucs.sum())  # of the matrix
    inside = aucs.sum() - aucs
    between = (whole - n * (positive_aucs + negative_aucs) + aucs - inside) / ((n - 1) * (n - 2))
    left = inside / (n - 1) - between
    return float(np.sqrt((n - 1) / n * np.sum((left - left.mean()) ** 2)))


def delta_limits(
    delta: float, error: float, spread: float, n_groups: int, confidence_level: float
) -> tuple[float, float]:
    """Limits of ``delta`` by Student's t, made on a square-root scale.

    ``delta`` behaves like a variance between groups with the part that chance alone gives taken off: it is
    skewed, and its error grows with its size. So the part is put back, the limits are made where variances
    scatter evenly, and it is taken off again. Chance alone would scatter like a chi-square with M - 1 degrees
    of freedom, whose mean is sqrt((M - 1) / 2) of its standard deviations (``spread``).

    NaN where leaving out any group changes nothing: that is not certainty about other groups.
    """
    if error < ALIKE:
        return math.nan, math.nan
    half = float(t_quantile(n_groups - 1, confidence_level)) * error if n_groups > 2 else math.nan
    by_chance = spread * math.sqrt((n_groups - 1) / 2)
    if not delta + by_chance > 0:  # far below what chance gives, or only one exchange to learn that from
        return delta - half, delta + half
    root = math.sqrt(delta + by_chance)
    step = half / (2 * root)
    return max(root - step, 0.0) ** 2 - by_chance, (root + step) ** 2 - by_chance
