"""The stratified bootstrap of an AUC: positives and negatives are resampled apart, so neither dies out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_BLOCK = 2**22
"""Cells held at once; bounds the memory and does not change the answer."""


def bootstrap_aucs(
    positive_ranks: Integers,
    negative_ranks: Integers,
    *,
    positive_weights: Floats | None = None,
    negative_weights: Floats | None = None,
    n_resamples: int = 2000,
    seed: int = 0,
) -> Floats:
    """AUCs of resamples, drawn within each class with replacement.

    Parameters
    ----------
    positive_ranks, negative_ranks : int64 arrays
        Rank of every case among the distinct scores, 0 for the strictest; ties share a rank.
    positive_weights, negative_weights : float64 arrays, optional
        A row is drawn together with its weight.
    n_resamples : int
        How many.
    seed : int
        The same seed gives the same resamples on any machine.

    Returns
    -------
    float64 array
        One AUC per resample.
    """
    n_ranks = int(max(positive_ranks.max(), negative_ranks.max())) + 1
    # One stream per class: the draws do not depend on how the resamples are cut into blocks.
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    positive_weights, negative_weights = _amplified(positive_weights), _amplified(negative_weights)
    size = max(1, _BLOCK // max(n_ranks, positive_ranks.size, negative_ranks.size))
    areas = []
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        positives = _resampled_counts(streams[0], positive_ranks, positive_weights, n, n_ranks)
        negatives = _resampled_counts(streams[1], negative_ranks, negative_weights, n, n_ranks)
        if positive_weights is not None:
            positives, negatives = _of_unit_size(positives), _of_unit_size(negatives)
        at_or_above = np.cumsum(positives, axis=1)
        wins = np.einsum("ij,ij->i", negatives, 2 * at_or_above - positives)
        pairs = at_or_above[:, -1] * negatives.sum(axis=1)
        areas.append(wins / (2 * pairs))
    return np.concatenate(areas)


def _amplified(weights: Floats | None) -> Floats | None:
    """The weights, times the power of two that uses most of the range of floats: sums do not overflow."""
    if weights is None:
        return None
    return np.asarray(np.ldexp(weights, 960 - np.frexp(weights.max())[1]))


def _of_unit_size(counts: Floats) -> Floats:
    """Every resample times a power of two that makes its sum about 1, so that products stay in range."""
    return np.asarray(np.ldexp(counts, -np.frexp(counts.sum(axis=1, keepdims=True))[1]))


def _resampled_counts(
    stream: np.random.Generator, ranks: Integers, weights: Floats | None, n_resamples: int, n_ranks: int
) -> NDArray[Any]:
    """Cases (or weight) drawn at every rank, one row per resample."""
    drawn = stream.integers(ranks.size, size=(n_resamples, ranks.size))
    cells = ranks[drawn] + n_ranks * np.arange(n_resamples)[:, None]
    drawn_weights = None if weights is None else weights[drawn].ravel()
    counts = np.bincount(cells.ravel(), drawn_weights, minlength=n_resamples * n_ranks)
    return counts.reshape(n_resamples, n_ranks)
