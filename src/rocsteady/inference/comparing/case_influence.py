"""What every case adds to a difference curve, and how large the largest deviation of the curve may get.

A curve of resampled cases is rougher than the curve of new ones would be: the largest deviation over many
positions is too large, and a band made of it too wide (Bertail, Clemencon & Vayatis 2008). So the errors at
single positions are those of the bootstrap, but how positions go together is that of the cases' influence.
With few cases the influence itself is rough, and the larger of the two is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.methods import Pooled, Threshold
from rocsteady.inference.comparing.sides import Side

Floats = NDArray[np.float64]

_CELLS = 2**22
"""Cells held at once; bounds the memory."""


@dataclass(frozen=True, eq=False)
class Influence:
    """One model's curve, or those of its groups, at some positions.

    ``thresholds``, ``free``, ``held`` and ``slopes`` are ``(n_curves, n_positions)``; rows of scores have a
    weight and belong to a curve.
    """

    scores: Floats
    is_free: NDArray[np.bool_]
    weights: Floats
    curve: NDArray[np.intp]
    thresholds: Floats
    free: Floats
    held: Floats
    slopes: Floats

    def rows(self, start: int, stop: int) -> Floats:
        """What rows add to the free rate at every position, ``(n_rows, n_positions)``."""
        own, curve = slice(start, stop), self.curve[start:stop]
        called = self.scores[own, None] >= self.thresholds[curve]
        of_free = called - self.free[curve]
        of_held = -self.slopes[curve] * (called - self.held[curve])
        return np.asarray(self.weights[own, None] * np.where(self.is_free[own, None], of_free, of_held))


def influence_of(side: Side, at: Floats, over: str) -> Influence:
    """The influence of every row on the average of one model, read at FPRs or, ``over`` "tpr", at TPRs."""
    c = side.scores.columns
    scores = np.asarray(c.scores, dtype=np.float64) * (1 if c.higher_is_positive else -1)
    is_positive = np.asarray(c.labels == c.positive)
    is_free = is_positive if over != "tpr" else ~is_positive
    groups = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    is_shared = isinstance(side.method, Pooled | Threshold)
    weights = np.empty(scores.size)
    for which in (is_free, ~is_free):
        sizes = np.bincount(groups[which], minlength=c.n_groups)
        weights[which] = (
            1 / which.sum() if side.method == Pooled() else 1 / (c.n_groups * sizes[groups[which]])
        )
    curve = np.zeros_like(groups) if is_shared else groups
    parts = []
    for number in range(int(curve[-1]) + 1):
        own = curve == number
        parts.append(_read(scores[own], is_free[own], weights[own], at, is_first=over == "tpr"))
    thresholds, free, held, slopes = (np.array(column) for column in zip(*parts, strict=True))
    return Influence(scores, is_free, weights, curve, thresholds, free, held, slopes)


def _read(
    scores: Floats, is_free: NDArray[np.bool_], weights: Floats, at: Floats, *, is_first: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """Threshold, both rates and the slope of one curve where the held rate is met."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    last = np.append(falling[1:] != falling[:-1], True)
    levels = np.append(np.nan, falling[last])  # nothing is called there, not even an infinite score
    rates = []
    for which in (is_free, ~is_free):
        counted = np.cumsum(np.where(which, weights, 0.0)[order])
        rates.append(np.append(0.0, counted[last] / counted[-1]))
    free, held = rates

    def vertex(rate: Floats) -> NDArray[np.intp]:
        # A rate k / n must find the vertex that has it, whatever rounding did to either.
        if is_first:
            return np.searchsorted(held, rate - 1e-12, side="left").clip(0, held.size - 1)
        return np.searchsorted(held, rate + 1e-12, side="right") - 1

    own = weights[~is_free] / weights[~is_free].sum()
    reach = np.sqrt((own**2).sum() * at * (1 - at))  # a standard error of the held rate
    low, here, high = (vertex(np.clip(at + step * reach, 0, 1)) for step in (-1, 0, 1))
    rise, run = free[high] - free[low], held[high] - held[low]
    slopes = np.divide(rise, run, out=np.zeros_like(rise), where=run > 0)
    return levels[here], free[here], held[here], slopes


def largest_deviations(
    sides: tuple[Side, Side], at: Floats, over: str, *, paired: bool, n_draws: int, seed: int
) -> Floats:
    """The largest deviation of a normal difference curve, in standard errors, drawn many times."""
    both = [influence_of(side, at, over) for side in sides]
    covariance = np.zeros((at.size, at.size))
    size = max(1, _CELLS // at.size)
    if paired:
        for start in range(0, both[0].scores.size, size):
            rows = both[0].rows(start, start + size) - both[1].rows(start, start + size)
            covariance += rows.T @ rows
    else:
        for own in both:
            for start in range(0, own.scores.size, size):
                rows = own.rows(start, start + size)
                covariance += rows.T @ rows
    error = np.sqrt(np.diag(covariance))
    kept = error > 1e-12
    if not kept.any():
        return np.zeros(n_draws)
    correlation = covariance[np.ix_(kept, kept)] / np.outer(error[kept], error[kept])
    # Positions that always move together make it singular; a trifle on the diagonal keeps the root defined.
    root = np.linalg.cholesky(correlation + 1e-9 * np.eye(len(correlation)))
    normal = np.random.default_rng(seed).standard_normal((n_draws, len(root)))
    return np.asarray(np.abs(normal @ root.T).max(axis=1))
