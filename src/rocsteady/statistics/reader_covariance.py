"""Error covariances of the values of a reader study: DeLong, jackknife, unbiased, or by drawing cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.statistics.delong import ClusteredAuc, Leveled, clustered_covariance, values_without_each
from rocsteady.statistics.resampling import (
    RankedCases,
    Readings,
    ResampledGroups,
    resampled_cases,
    resampled_groups,
)

_EXACT = 2.0**62
"""Sums of integers below it do not overflow."""


@dataclass(frozen=True, eq=False)
class Placed:
    """Cases of all cells among the other class: ``doubled`` is twice what each beats, or is beaten by."""

    doubled: Integers
    is_read: Mask
    truth: Mask

    @cached_property
    def n_positives(self) -> Integers:
        """Positives of every cell."""
        return np.asarray((self.is_read & self.truth).sum(axis=1), dtype=np.int64)

    @cached_property
    def n_negatives(self) -> Integers:
        """Negatives of every cell."""
        return np.asarray((self.is_read & ~self.truth).sum(axis=1), dtype=np.int64)

    @cached_property
    def wins(self) -> Integers:
        """Twice the pairs won."""
        return np.asarray(self.doubled[:, self.truth].sum(axis=1), dtype=np.int64)

    @property
    def auc(self) -> Floats:
        """Of every cell; NaN where a class is missing."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.wins / (2.0 * self.n_positives * self.n_negatives))

    def deviations(self, *, positives: bool) -> Integers:
        """Placements of a class less their mean, times twice the pairs of the cell: integers, ``(k, n)``."""
        which = self.truth if positives else ~self.truth
        n = (self.n_positives if positives else self.n_negatives)[:, None]
        return np.where(self.is_read[:, which], n * self.doubled[:, which] - self.wins[:, None], 0)


def placed(ratings: Floats, truth: Mask) -> Placed:
    """The placements of all cells."""
    is_read = ~np.isnan(ratings)
    doubled = np.zeros(ratings.shape, dtype=np.int64)
    offsets = np.append(0, np.cumsum(is_read.sum(axis=1))).astype(np.int64)
    labels = np.broadcast_to(truth, ratings.shape)[is_read].view(np.uint8)
    if labels.size:
        doubled[is_read] = _kernels.kernels.placements(
            np.ascontiguousarray(ratings[is_read], dtype=np.float64), labels, offsets, 1.0, 0.0, True, 1
        )
    return Placed(doubled, is_read, np.asarray(truth, dtype=bool))


def delong(ratings: Floats, truth: Mask, clusters: Integers | None = None) -> Floats:
    """DeLong's covariances; with ``clusters``, numbers of the patients, Obuchowski's.

    The sum over the cases that two cells share of the products of what each case adds to either. Where both
    read the same cases that is DeLong's matrix; a cell's own variance never depends on other cells.

    >>> import numpy as np
    >>> ratings = np.array([[5.0, 4, 2, 3, 1, 1], [4.0, 4, 1, 2, 3, 1]])
    >>> delong(ratings, np.array([True, True, True, False, False, False])).round(4).tolist()
    [[0.0247, 0.034], [0.034, 0.0802]]
    """
    if clusters is not None:
        return _clustered(placed(ratings, truth), clusters)
    of_positives, of_negatives = class_parts(ratings, truth)
    return of_positives + of_negatives


def class_parts(ratings: Floats, truth: Mask) -> list[Floats]:
    """What positives, and what negatives, add to DeLong's covariances; each falls like one over its cases."""
    cells = placed(ratings, truth)
    pairs, found = 2.0 * cells.n_positives * cells.n_negatives, []
    for positives, n in ((True, cells.n_positives), (False, cells.n_negatives)):
        with np.errstate(divide="ignore", invalid="ignore"):  # one case, or none: NaN is the answer
            scale = outer(pairs) * np.sqrt(outer(n * (n - 1.0)))
            found.append(products(cells.deviations(positives=positives)) / scale)
    return found


def jackknife(ratings: Floats, truth: Mask, clusters: Integers | None = None) -> Floats:
    """Covariances of the AUCs when each case of the study is left out once; patients with ``clusters``."""
    if clusters is not None:
        left_out = values_without_each(ratings, truth, _areas, clusters)
        is_read = (~np.isnan(ratings)).astype(np.int64)
        return of_left_out(left_out, sums_of_patients(is_read, clusters, int(clusters.max()) + 1) > 0)
    cells, found = placed(ratings, truth), np.zeros((len(ratings), len(ratings)))
    pairs = 2.0 * cells.n_positives * cells.n_negatives
    n_cases = int(cells.is_read.any(axis=0).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        for positives, n in ((True, cells.n_positives), (False, cells.n_negatives)):
            # Without case i the AUC is A - (V_i - A) / (n - 1): no curve has to be made again.
            found += products(cells.deviations(positives=positives)) / outer(pairs * (n - 1))
        return np.asarray((n_cases - 1) / n_cases * found)


def _areas(cell: Leveled, tp: Integers, fp: Integers) -> Floats:
    """Under many curves of counts; NaN where a class died out."""
    doubled = (np.diff(fp, axis=1) * (tp[:, 1:] + tp[:, :-1])).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(doubled / (2.0 * tp[:, -1] * fp[:, -1]))


def of_left_out(left_out: Floats, is_touched: Mask) -> Floats:
    """The jackknife's covariances from values without each unit, ``(k, n)``, of cells that have it."""
    n = int(is_touched.any(axis=0).sum())
    kept = left_out[:, is_touched.any(axis=0)]
    found = (n - 1) / n * products(around_means(kept))
    return np.where(have_common(is_touched), found, 0.0)


def of_drawn(values: Floats, is_touched: Mask) -> Floats:
    """Covariances of values in resamples, ``(k, n_resamples)``; 0 for cells that share no unit."""
    found = products(around_means(values)) / (values.shape[1] - 1)
    return np.where(have_common(is_touched), found, 0.0)


def around_means(values: Floats) -> Floats:
    """Rows less their means; 0 where that is nothing but rounding."""
    found = values - values.mean(axis=1, keepdims=True)
    found[np.abs(found) <= 1e-13 * np.abs(values)] = 0.0
    return np.asarray(found)


def have_common(is_touched: Mask) -> Mask:
    """Which two cells share a unit, ``(k, k)``."""
    return np.asarray(products(is_touched.astype(np.int64)) > 0)


def products(rows: NDArray[Any]) -> Floats:
    """``rows @ rows.T``, the same for equal rows to the last digit, and exact for integers that allow it."""
    if rows.dtype.kind == "i":
        largest = float(np.abs(rows).max(initial=0))
        if largest**2 * rows.shape[1] < _EXACT:
            return np.asarray(rows @ rows.T)
        rows = rows.astype(np.float64)
    return np.asarray(np.einsum("ki,li->kl", rows, rows))


def sums_of_patients(values: NDArray[Any], clusters: Integers, n: int) -> NDArray[Any]:
    """The columns of ``values``, ``(k, c)``, added up patient by patient, ``(k, n)``."""
    order = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[order], np.arange(n))
    cumulated = np.cumsum(values[:, order], axis=1)
    cumulated = np.concatenate([np.zeros_like(cumulated[:, :1]), cumulated], axis=1)
    return np.diff(cumulated[:, np.append(starts, clusters.size)], axis=1)


def _clustered(cells: Placed, clusters: Integers) -> Floats:
    """Obuchowski's covariances: what the rows of a patient add is summed before it is squared."""
    n = int(clusters.max()) + 1
    added, is_in = [], []
    for positives in (True, False):
        which = cells.truth if positives else ~cells.truth
        own = cells.n_positives if positives else cells.n_negatives
        deviations = sums_of_patients(cells.deviations(positives=positives), clusters[which], n)
        with np.errstate(divide="ignore", invalid="ignore"):
            added.append(deviations / (2.0 * cells.n_positives * cells.n_negatives * own)[:, None])
        is_in.append(sums_of_patients(cells.is_read[:, which].astype(np.int64), clusters[which], n) > 0)
    return clustered_covariance([ClusteredAuc(*cell) for cell in zip(*added, *is_in, strict=True)])


def doubled_wins(positives: Floats, negatives: Floats) -> NDArray[np.int8]:
    """2 for a pair that is won, 1 for a tie; 0 where either was not read."""
    with np.errstate(invalid="ignore"):  # not read: NaN, which wins nothing
        above = positives[..., :, None] > negatives[..., None, :]
        return above.astype(np.int8) + (positives[..., :, None] >= negatives[..., None, :])


def outer(values: NDArray[Any]) -> NDArray[Any]:
    """All products of two, ``(k, k)``."""
    return np.asarray(np.multiply.outer(values, values))


# Covariances of the AUCs of a reader study whose expectations are exactly the true ones
# --------------------------------------------------------------------------------------

_BLOCK = 2**21
"""Pairs of cases times cells held at once; bounds the memory and does not change the answer."""


def unbiased(ratings: Floats, truth: Mask) -> Floats:
    """Covariances of the AUCs, without bias; a variance may come out negative."""
    cells = placed(ratings, truth)
    positives, negatives = cells.n_positives.astype(object), cells.n_negatives.astype(object)
    shared = [products(cells.is_read[:, of].astype(np.int64)).astype(object) for of in (truth, ~truth)]
    same = sum(products(cells.doubled[:, of]).astype(object) for of in (truth, ~truth))
    both = products_of_pairs(ratings[:, truth], ratings[:, ~truth]).astype(np.int64).astype(object)
    wins, pairs = outer(cells.wins.astype(object)), outer(positives * negatives)
    apart = (outer(positives) - shared[0]) * (outer(negatives) - shared[1])
    # Integers of any size, divided once: nothing cancels.
    above = wins * apart - pairs * (wins - same + both)
    below = 4 * pairs * apart
    found = [a / b if b else np.nan for a, b in zip(above.flat, below.flat, strict=True)]
    return np.array(found, dtype=np.float64).reshape(above.shape)


def products_of_pairs(positives: Floats, negatives: Floats, *, with_design: bool = False) -> Floats:
    """Products of the doubled comparisons of every two cells, summed over pairs of cases, ``(k, k)``.

    ``with_design`` the cells are followed by as many that have 1 where there is a comparison.
    """
    k, n_negatives = negatives.shape
    n = k * (2 if with_design else 1)
    found = np.zeros((n, n))
    size = max(1, _BLOCK // max(1, n * n_negatives))
    for start in range(0, positives.shape[1], size):
        block = positives[:, start : start + size]
        rows = doubled_wins(block, negatives)
        if with_design:
            compared = ~np.isnan(block)[:, :, None] & ~np.isnan(negatives)[:, None]
            rows = np.concatenate([rows, compared])
        # Sums of at most 2**21 products of 0, 1 and 2 are exact in single precision.
        flat = rows.reshape(n, -1).astype(np.float32)
        found += flat @ flat.T
    return found


# The bootstrap of a reader study: the same draws of cases, or of patients, for every cell
# ----------------------------------------------------------------------------------------


def drawn_readings(
    ratings: Floats,
    truth: Mask,
    readings: Readings,
    *,
    clusters: Integers | None = None,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ResampledGroups:
    """Readings of one cell's resampled curves; NaN where no drawn case of a class was read.

    Cells given the same ``truth``, ``clusters`` and ``seed`` meet the same draws, of which equally many are
    thrown away.
    """
    is_read = ~np.isnan(ratings)
    ranks = np.zeros(ratings.size, dtype=np.int64)
    distinct, place = np.unique(ratings[is_read], return_inverse=True)
    ranks[is_read] = distinct.size - 1 - place.reshape(-1)
    how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
    if clusters is not None:
        return resampled_groups(_by_patient(ranks, truth, is_read, clusters), readings, **how)
    weights = None if is_read.all() else is_read.astype(np.float64)
    own = [None if weights is None else weights[c] for c in (truth, ~truth)]
    cases = RankedCases.of_one(ranks[truth], ranks[~truth], *own)
    values = resampled_cases(cases, readings, **how)
    return ResampledGroups(values, np.zeros(n_resamples, dtype=np.int64))


def _by_patient(ranks: Integers, truth: Mask, is_read: Mask, clusters: Integers) -> RankedCases:
    n = int(clusters.max()) + 1
    columns, offsets = [], []
    for which in (truth & is_read, ~truth & is_read):
        order = np.argsort(clusters[which], kind="stable")
        columns.append(ranks[which][order])
        sizes = np.bincount(clusters[which], minlength=n)
        offsets.append(np.append(0, np.cumsum(sizes)).astype(np.int64))
    return RankedCases(columns[0], columns[1], offsets[0], offsets[1])
