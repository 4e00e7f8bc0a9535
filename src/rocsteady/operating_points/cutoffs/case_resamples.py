"""The plain bootstrap of a cut-off on a curve: cases are drawn within their class, as many as there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.auc_uncertainty import ranked_rows
from rocsteady.curves.roc import RocCurve
from rocsteady.operating_points.cutoffs.criteria import Criterion, strictest_optima

Floats = NDArray[np.float64]

_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer


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


def resampled_cases(curve: RocCurve, criterion: Criterion, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Threshold, FPR and TPR of the cut-off of every resample, in blocks."""
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    n_steps = curve.thresholds.size - 1
    if curve.is_weighted:
        ranks, weights = ranked_rows(curve._rows)
        columns: list[Any] = list(zip(ranks, weights, strict=True))
        draw: Any = _drawn_weights
        size = max(1, _BLOCK // max(n_steps, *class_sizes(curve)))
    else:
        columns = [np.diff(counts) for counts in (curve.true_positives, curve.false_positives)]
        draw = _drawn_counts
        size = max(1, _BLOCK // n_steps)
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        tp, fp = (draw(stream, own, n, n_steps) for stream, own in zip(streams, columns, strict=True))
        best = strictest_optima(criterion, tp, fp)
        row = np.arange(n)
        yield np.stack([curve.thresholds[best], fp[row, best] / fp[:, -1], tp[row, best] / tp[:, -1]], axis=1)


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
