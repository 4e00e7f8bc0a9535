"""The smoothed bootstrap of a cut-off: resamples of kernel estimates, on the scale of normal scores.

Each class is smoothed by a normal kernel, not score by score but rank by rank: a score stands at the normal
quantile of its rank among all cases. Resamples are counts in narrow cells of that scale, so that their cost
does not depend on the number of cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.roc import RocCurve
from rocsteady.operating_points.cutoffs.criteria import Criterion, strictest_optima
from rocsteady.statistics.intervals import t_quantile

Floats = NDArray[np.float64]

_CELLS = 1024
_MANY_CELLS = 4096  # for samples so large that cut-offs scatter less than a few cells
_MANY_CASES = 5000
_REACH = 4  # bandwidths beyond the outermost scores
_BLOCK = 2**22
_SILVERMAN = 0.9
"""Silverman's factor. Measured: 0.6 covers too seldom with 30 cases of a class, 0.9 a little too often."""


def smoothed_intervals(
    curve: RocCurve,
    criterion: Criterion,
    index: int,
    *,
    confidence_level: float,
    n_resamples: int,
    seed: int,
) -> Floats:
    """Limits ``(2, 3)`` of threshold, FPR and TPR.

    ``estimate - bias -+ z * sqrt(sd**2 + bias**2)``, with the bias and the standard deviation of cut-offs
    chosen in resamples of the smoothed distributions, whose own best cut-off is known. The bias is itself
    estimated, about as badly as it is large, so it counts as spread too. Limits of rates are made on the
    arcsine scale, which keeps them inside [0, 1] and longer towards its middle.
    """
    scores = _normal_scores(curve)
    steps = [np.diff(counts) for counts in (curve.true_positives, curve.false_positives)]
    bandwidths = [_bandwidth(scores, own) for own in steps]
    reach = _REACH * max(bandwidths)
    n_cells = _CELLS if scores.size < _MANY_CASES else _MANY_CELLS
    edges = np.linspace(scores[0] + reach, scores[-1] - reach, n_cells + 1)
    smooth = [_smoothed(scores, own, h, edges) for own, h in zip(steps, bandwidths, strict=True)]
    truth = _best(criterion, edges, smooth[0][None], smooth[1][None])[0]
    drawn = _resampled(criterion, edges, smooth, [int(own.sum()) for own in steps], n_resamples, seed)
    bias, sd = drawn.mean(axis=0) - truth, drawn.std(axis=0, ddof=1)
    beyond = np.concatenate([[scores[0] + reach], scores, [scores[-1] - reach]])
    own_place = (beyond[index] + beyond[index + 1]) / 2
    estimate = np.array([own_place, curve.fpr[index], curve.tpr[index]])
    center, half = estimate - bias, t_quantile(np.inf, confidence_level) * np.hypot(sd, bias)
    limits = np.array([center - half, center + half])
    sizes = np.array([steps[1].sum(), steps[0].sum()])
    limits[:, 1:] = _arcsine_limits(center[1:], half[1:], sizes)
    limits[:, 0] = np.sort([_threshold_at(curve, scores, place) for place in limits[:, 0]])
    return limits


def _arcsine_limits(rates: Floats, half_widths: Floats, sizes: NDArray[np.int64]) -> Floats:
    """``rate -+ half_width`` on the scale of the arcsine of the root, half a case off 0 and 1."""
    inside = np.clip(rates, 0.5 / sizes, 1 - 0.5 / sizes)
    angles = np.arcsin(np.sqrt(inside))
    half = half_widths / (2 * np.sqrt(inside * (1 - inside)))
    return np.asarray(np.sin(np.clip([angles - half, angles + half], 0.0, np.pi / 2)) ** 2)


def _normal_scores(curve: RocCurve) -> Floats:
    """Where every distinct score stands, strictest first: the normal quantile of its middle rank."""
    from scipy.special import ndtri

    cases = curve.true_positives + curve.false_positives
    middle = (cases[1:] + cases[:-1]) / (2 * cases[-1])
    return np.asarray(-ndtri(middle))


def _bandwidth(scores: Floats, counts: NDArray[np.int64]) -> float:
    """Silverman's rule of thumb for one class."""
    n = int(counts.sum())
    mean = counts @ scores / n
    sd = float(np.sqrt(counts @ (scores - mean) ** 2 / (n - 1)))
    reached = np.cumsum(counts)
    upper, lower = (scores[np.searchsorted(reached, share * n)] for share in (0.25, 0.75))
    spread = float(upper - lower) / 1.349
    return float(_SILVERMAN * min(sd, spread if spread > 0 else sd) * n**-0.2)


def _smoothed(scores: Floats, counts: NDArray[np.int64], bandwidth: float, edges: Floats) -> Floats:
    """The share of a class beyond every edge, from exactly 0 to exactly 1."""
    from scipy.special import ndtr

    places, cases = scores[counts > 0], counts[counts > 0]
    n_cells = edges.size - 1
    if places.size > n_cells:  # cells are much narrower than the bandwidth
        cell = np.searchsorted(-edges, -places, side="right") - 1
        cases = np.bincount(cell, cases, minlength=n_cells)
        places = (edges[1:] + edges[:-1]) / 2
    shares = np.zeros(edges.size)
    for place, weight in zip(places, cases, strict=True):
        shares += weight * ndtr((place - edges) / bandwidth)
    shares = np.maximum.accumulate(shares / counts.sum())
    shares[0], shares[-1] = 0.0, 1.0
    return np.clip(shares, 0.0, 1.0)


def _resampled(
    criterion: Criterion, edges: Floats, smooth: list[Floats], sizes: list[int], n_resamples: int, seed: int
) -> Floats:
    """Place, FPR and TPR of the cut-off of every resample."""
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    shares = [np.diff(own) for own in smooth]
    found = []
    block = _BLOCK // edges.size
    for start in range(0, n_resamples, block):
        n = min(block, n_resamples - start)
        counts = []
        for stream, size, share in zip(streams, sizes, shares, strict=True):
            counts.append(np.zeros((n, edges.size), dtype=np.int64))
            np.cumsum(_drawn(stream, size, share / share.sum(), n), axis=1, out=counts[-1][:, 1:])
        found.append(_best(criterion, edges, *counts))
    return np.concatenate(found)


def _drawn(stream: np.random.Generator, size: int, shares: Floats, n_resamples: int) -> NDArray[np.int64]:
    """Cases in every cell, one resample per row."""
    if size >= shares.size:
        return stream.multinomial(size, shares, size=n_resamples)
    inner = np.cumsum(shares)[:-1]  # few cases: draw them one by one
    cells = np.searchsorted(inner, stream.random((n_resamples, size)), side="right")
    cells += shares.size * np.arange(n_resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=n_resamples * shares.size).reshape(n_resamples, -1)


def _best(criterion: Criterion, edges: Floats, tp: NDArray[Any], fp: NDArray[Any]) -> Floats:
    """Place, FPR and TPR of the cut-off of every row, midway through the empty cells behind it."""
    best = strictest_optima(criterion, tp, fp)
    own = np.arange(best.size)
    cases = tp + fp
    last = (cases <= cases[own, best][:, None]).sum(axis=1) - 1
    place = (edges[best] + edges[last]) / 2
    return np.stack([place, fp[own, best] / fp[:, -1], tp[own, best] / tp[:, -1]], axis=1)


def _threshold_at(curve: RocCurve, scores: Floats, place: float) -> float:
    """The score at a place of the normal scale; infinite beyond the scores."""
    observed = curve.thresholds[1:]
    finite = np.isfinite(observed)
    if place > scores[finite][0]:
        return float(curve.thresholds[0])
    if place < scores[finite][-1]:
        return float(-curve.thresholds[0])
    return float(np.interp(place, scores[finite][::-1], observed[finite][::-1]))
