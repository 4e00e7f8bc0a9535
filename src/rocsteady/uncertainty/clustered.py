"""Variances where rows belong together: several rows of a patient, user or site.

Rows of a cluster are alike, so what they add is summed before it is squared. A cluster may have rows of both
classes; what its positives and its negatives add is then correlated, which the cross term allows for.

References
----------
Obuchowski (1997), Biometrics 53, 567-578: the variance of AUCs. Rao & Scott (1992), Biometrics 48, 577-585:
proportions by their effective number of cases. Korn & Graubard (1998), Survey Methodology 24, 193-201: with
the degrees of freedom of the clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import ClusterCounts
from rocsteady.uncertainty.intervals import satterthwaite_df

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ClusteredAuc:
    """What every cluster adds to an AUC, or to a difference of two.

    Attributes
    ----------
    of_positives, of_negatives : float64 arrays
        One entry per cluster: the placements of its rows of a class less their mean over all, over the number
        of all rows of that class. Each sums to 0.
    has_positives, has_negatives : bool arrays
        Which clusters have rows of a class.
    """

    of_positives: Floats
    of_negatives: Floats
    has_positives: Mask
    has_negatives: Mask

    @classmethod
    def of_counts(cls, counts: ClusterCounts, other: ClusterCounts | None = None) -> ClusteredAuc:
        """From sums of placements (less those of another classifier on the same rows).

        Examples
        --------
        >>> import numpy as np
        >>> from rocsteady.counting.table import ClusterCounts
        >>> ClusteredAuc.of_counts(ClusterCounts(*np.array([[1, 1], [1, 1], [4, 1], [2, 3]]))).variance
        0.0625
        """
        rows = (counts.n_positives, counts.n_negatives)
        wins = [counts.positive_wins, counts.negative_wins]
        if other is not None:  # whole numbers: what two classifiers place alike cancels exactly
            wins = [wins[0] - other.positive_wins, wins[1] - other.negative_wins]
        pairs = 2.0 * float(rows[0].sum()) * float(rows[1].sum())
        total = float(wins[0].sum())
        parts = [
            (own - of_class * (total / of_class.sum())) / pairs
            for own, of_class in zip(wins, rows, strict=True)
        ]
        return cls(*parts, *(own > 0 for own in rows))

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Clusters with positives, with negatives, and all."""
        return (
            int(np.count_nonzero(self.has_positives)),
            int(np.count_nonzero(self.has_negatives)),
            int(self.has_positives.size),
        )

    @cached_property
    def variance(self) -> float:
        """Obuchowski's variance; NaN where a class is in one cluster only."""
        return float(self.components()[0].sum())

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom, from the numbers of clusters; infinite without a spread."""
        return float(satterthwaite_df(*self.components()))

    def components(self, share: float = 0.0, apart: float = 0.0) -> tuple[Floats, Floats]:
        """What clusters of positives, of negatives and of both add to the variance, and their freedom.

        Parameters
        ----------
        share : float
            Of a cluster that says nothing, added to each class; see :mod:`rocsteady.uncertainty.guarded`.
        apart : float
            How far the AUC is from 1/2, where that cluster is.
        """
        *by_class, n = (float(size) for size in self.sizes)
        sizes = np.array(by_class)
        kinds = (
            self.has_positives & ~self.has_negatives,
            self.has_negatives & ~self.has_positives,
            self.has_positives & self.has_negatives,
        )
        shrunk = sizes[::-1] / (sizes[::-1] + share)  # placements are among the other class
        with np.errstate(divide="ignore", invalid="ignore"):
            factors = (shrunk * sizes) ** 2 / ((sizes + share) * (sizes + share - 1))
            crossing = np.prod(shrunk * sizes / (sizes + share)) * (n + share) / (n + share - 1)
            added = sizes * share * (shrunk * apart) ** 2 / ((sizes + share) ** 2 * (sizes + share - 1))
            squares = factors[0] * self.of_positives**2 + factors[1] * self.of_negatives**2
            squares = squares + 2 * crossing * self.of_positives * self.of_negatives
            parts = np.array([squares[own].sum() for own in kinds])
            held = np.array([np.count_nonzero(own) for own in kinds], dtype=np.float64)
            freedom = held * (1 - 1 / np.append(sizes, n))
        if share:
            parts[:2] += added
            freedom[:2] += share
            held[:2] += share
        return parts[held > 0], freedom[held > 0]


def clustered_covariance(added: Sequence[ClusteredAuc]) -> Floats:
    """Obuchowski's covariances of several AUCs on the same rows."""
    positives = np.array([own.of_positives for own in added])
    negatives = np.array([own.of_negatives for own in added])
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = [np.float64(n) / (n - 1) for n in added[0].sizes]
        crossed = positives @ negatives.T
        within = factors[0] * (positives @ positives.T) + factors[1] * (negatives @ negatives.T)
        return np.asarray(within + factors[2] * (crossed + crossed.T))


@dataclass(frozen=True, eq=False)
class ClusteredRates:
    """Variances of the rates at every vertex of a curve, whose rows belong to clusters.

    Attributes
    ----------
    tpr_variance, fpr_variance, covariance : float64 arrays
        At every vertex, strictest first, the leading one included.
    """

    tpr_variance: Floats
    fpr_variance: Floats
    covariance: Floats

    @classmethod
    def of_rows(cls, ranks: Integers, is_positive: Mask, codes: Integers, n_vertices: int) -> ClusteredRates:
        """From the rank of every row among the distinct scores, 0 for the strictest, and its cluster.

        With k rows of a cluster beyond a threshold out of m, the variance needs sums of k², k m and m² over
        the clusters. A further row adds 2 k + 1 to the first, so one pass over the sorted rows has them all.
        """
        n = int(codes.max()) + 1
        order = np.lexsort((codes, ranks))
        codes, positive, ranks = codes[order], is_positive[order], ranks[order]
        before = {True: _earlier(codes, positive), False: _earlier(codes, ~positive)}
        last = np.searchsorted(ranks, np.arange(n_vertices), side="right")

        def up_to(values: NDArray[Any]) -> Floats:
            sums = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
            return np.asarray(sums[np.append(0, last)])

        m = {
            own: np.bincount(codes[positive == own], minlength=n).astype(np.float64) for own in (True, False)
        }
        found, rates = {}, {}
        for own in (True, False):
            here = positive if own else ~positive
            n_rows, clusters = m[own].sum(), np.count_nonzero(m[own])
            rates[own] = rate = up_to(here) / n_rows
            squares = up_to(here * (2.0 * before[own] + 1)) - 2 * rate * up_to(here * m[own][codes])
            squares += rate**2 * (m[own] ** 2).sum()
            with np.errstate(divide="ignore", invalid="ignore"):
                found[own] = np.maximum(squares, 0) / n_rows**2 * np.float64(clusters) / (clusters - 1)
        products = up_to(np.where(positive, before[False], before[True]))
        products -= rates[False] * up_to(positive * m[False][codes])
        products -= rates[True] * up_to(~positive * m[True][codes])
        products += rates[True] * rates[False] * (m[True] * m[False]).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            covariance = products / (m[True].sum() * m[False].sum()) * np.float64(n) / (n - 1)
        return cls(found[True], found[False], covariance)


def _earlier(codes: Integers, which: Mask) -> Integers:
    """How many chosen rows of the same cluster stand before each row."""
    by_cluster = np.argsort(codes, kind="stable")
    sorted_codes, chosen = codes[by_cluster], which[by_cluster].astype(np.int64)
    before = np.cumsum(chosen) - chosen
    starts = np.searchsorted(sorted_codes, sorted_codes)
    found = np.empty(codes.size, dtype=np.int64)
    found[by_cluster] = before - before[starts]
    return found


def effective_cases(rate: Floats, variance: Floats, n_rows: int) -> Floats:
    """How many independent cases would have the same variance, at every vertex; at most as many as rows.

    The design effect is that of the vertex or, if larger, that pooled over all vertices: where few rows lie
    on one side of a threshold its own variance says little.

    Examples
    --------
    >>> import numpy as np
    >>> effective_cases(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.05, 0.0]), 10).tolist()
    [5.0, 5.0, 5.0]
    """
    binomial = rate * (1 - rate) / n_rows
    pooled = variance.sum() / binomial.sum() if binomial.any() else 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(binomial > 0, variance / binomial, pooled)
    return np.asarray(n_rows / np.maximum(1.0, np.maximum(own, pooled)))
