"""Cut-offs chosen again in resamples of the cases behind a curve.

Cases are drawn within their class, as many as there are, so neither class dies out. Rows of one patient are
not independent: where patients are known and have several rows, patients are drawn whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.roc import RocCurve
from rocsteady.curves.uncertainty import ranked_rows
from rocsteady.operating_points.cutoffs.criteria import Criterion, strictest_optima

Floats = NDArray[np.float64]

_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer
MOST_VERTICES = 4000
"""Vertices that are looked at where what choosing adds is wanted: with so many it is next to nothing."""


def percentiles(resampled: Iterator[Floats], level: float) -> Floats:
    """Observed values, so that infinite thresholds are not mixed with others."""
    rows = np.concatenate(list(resampled))
    tails = (1 - level) / 2, (1 + level) / 2
    low = np.quantile(rows, tails[0], axis=0, method="lower")
    return np.array([low, np.quantile(rows, tails[1], axis=0, method="higher")])


def class_sizes(curve: RocCurve) -> tuple[int, int]:
    """Cases among the positives and among the negatives; a weighted row is one case."""
    if curve._rows is None:
        return int(curve.n_positives), int(curve.n_negatives)
    is_positive = curve._rows.is_positive
    return int(is_positive.sum()), int((~is_positive).sum())


def resampled_cases(
    curve: RocCurve, criterion: Criterion, n_resamples: int, seed: int, *, vertices: Any = None
) -> Iterator[Floats]:
    """The cut-off of every resample, in blocks: threshold, FPR and TPR in the resample, both in all rows.

    ``vertices`` are those that may be chosen, the first and the last among them; by default all.
    """
    at = np.arange(curve.thresholds.size) if vertices is None else vertices
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    n_steps = at.size - 1
    if curve.is_weighted:
        ranks, weights = ranked_rows(curve._rows)
        cells = [np.searchsorted(at, own + 1) - 1 for own in ranks]
        columns: list[Any] = list(zip(cells, weights, strict=True))
        draw: Any = _drawn_weights
        size = max(1, _BLOCK // max(n_steps, *class_sizes(curve)))
    else:
        columns = [np.diff(counts[at]) for counts in (curve.true_positives, curve.false_positives)]
        draw = _drawn_counts
        size = max(1, _BLOCK // n_steps)
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        tp, fp = (draw(stream, own, n, n_steps) for stream, own in zip(streams, columns, strict=True))
        yield _chosen(curve, criterion, at, tp, fp)


def _chosen(
    curve: RocCurve, criterion: Criterion, at: NDArray[np.intp], tp: NDArray[Any], fp: NDArray[Any]
) -> Floats:
    """What is kept of every resample, one per row."""
    best, row = strictest_optima(criterion, tp, fp), np.arange(tp.shape[0])
    own = at[best]
    drawn = fp[row, best] / fp[:, -1], tp[row, best] / tp[:, -1]
    return np.stack([curve.thresholds[own], *drawn, curve.fpr[own], curve.tpr[own]], axis=1)


@dataclass(frozen=True, eq=False)
class Patients:
    """Whose rows are behind a curve: the number of every row's patient, how many, and their word."""

    codes: NDArray[np.int64]
    n: int
    unit: str


def patients_of(curve: RocCurve) -> Patients | None:
    """The patients behind a curve; None where they are not known, or have one row each."""
    known = None if curve._rows is None else curve._rows._clusters
    if known is None:
        return None
    present, codes = np.unique(known.codes, return_inverse=True)
    if present.size == codes.size:
        return None
    return Patients(codes.reshape(-1), present.size, known.unit)


def resampled_patients(
    curve: RocCurve,
    criterion: Criterion,
    n_resamples: int,
    seed: int,
    *,
    vertices: NDArray[np.intp],
    patients: Patients,
    kept: int,
) -> Iterator[Floats]:
    """The same with patients drawn whole, and both rates of the vertex that is kept in every resample.

    A resample without one of the classes is left out.
    """
    rows: Any = curve._rows
    ranks = np.unique(rows.scores, return_inverse=True)[1].reshape(-1)
    if rows.higher_is_positive:
        ranks = ranks.max() - ranks
    cells = np.searchsorted(vertices, ranks + 1)
    weights = np.ones(ranks.size) if rows.sample_weight is None else rows.sample_weight
    own = rows.is_positive
    # One row of cells for every patient and class, so that a resample is a product of matrices.
    shape = (2 * patients.n, vertices.size)
    flat = np.ravel_multi_index((patients.codes + patients.n * ~own, cells), shape)
    steps = np.bincount(flat, weights / weights.max(), minlength=shape[0] * shape[1]).reshape(shape)
    reached = np.cumsum(steps, axis=1)
    stream = np.random.default_rng(seed)
    size = max(1, _BLOCK // max(vertices.size, patients.n))
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        drawn = stream.integers(patients.n, size=(n, patients.n)) + patients.n * np.arange(n)[:, None]
        often = np.bincount(drawn.ravel(), minlength=n * patients.n).reshape(n, patients.n).astype(float)
        tp, fp = often @ reached[: patients.n], often @ reached[patients.n :]
        has_both = (tp[:, -1] > 0) & (fp[:, -1] > 0)
        tp, fp = tp[has_both], fp[has_both]
        at = int(np.searchsorted(vertices, kept))
        own_rates = fp[:, [at]] / fp[:, -1:], tp[:, [at]] / tp[:, -1:]
        yield np.concatenate([_chosen(curve, criterion, vertices, tp, fp), *own_rates], axis=1)


def some_vertices(along: Floats, chosen: list[int], most: int) -> NDArray[np.intp]:
    """All vertices, or some that lie evenly along a curve (of FPR + TPR), and the chosen ones."""
    if along.size <= most:
        return np.arange(along.size)
    evenly = np.searchsorted(along, np.linspace(0, 2, most)).clip(0, along.size - 1)
    return np.unique(np.concatenate([[0, *chosen, along.size - 1], evenly]))


def _drawn_counts(
    stream: np.random.Generator, counts: NDArray[np.int64], n_resamples: int, n_steps: int
) -> NDArray[np.int64]:
    """Cases at or beyond every vertex, one resample per row; how many cases there are does not matter."""
    taken = np.flatnonzero(counts)
    drawn = np.zeros((n_resamples, n_steps + 1), dtype=np.int64)
    total = int(counts.sum())
    drawn[:, 1 + taken] = stream.multinomial(total, counts[taken] / total, size=n_resamples)
    return np.cumsum(drawn, axis=1)


def _drawn_weights(
    stream: np.random.Generator, rows: tuple[NDArray[np.int64], Floats], n_resamples: int, n_steps: int
) -> Floats:
    """Weight at or beyond every vertex; a row is drawn together with its weight."""
    ranks, weights = rows
    drawn = stream.integers(ranks.size, size=(n_resamples, ranks.size))
    cells = 1 + ranks[drawn] + (n_steps + 1) * np.arange(n_resamples)[:, None]
    shares = weights / weights.max()
    summed = np.bincount(cells.ravel(), shares[drawn].ravel(), minlength=n_resamples * (n_steps + 1))
    return np.cumsum(summed.reshape(n_resamples, n_steps + 1), axis=1)
