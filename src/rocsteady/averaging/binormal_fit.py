"""Maximum-likelihood fits of binormal curves to counts in ordered categories (Dorfman & Alf 1969).

The model: ``fpr = Phi(z_k)`` and ``tpr = Phi(a + b * z_k)`` at the k-th cut-off, ``z_1 < z_2 < ...``. Only
the order of the scores enters. All groups with the same number of categories are fitted at once, by the
method of scoring with step halving on ``(a, log b, z_1, ..., z_{K-1})``.

References
----------
Dorfman & Alf (1969), Journal of Mathematical Psychology 6, 487-496.
Metz, Herman & Shen (1998), Statistics in Medicine 17, 1033-1053 (categories for continuous scores).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_CATEGORIES = 20
"""More categories than this are merged; the fit would hardly change."""
_MOST_STEPS = 200
_MOST_HALVINGS = 30
_CLOSE = 1e-13  # gain of log-likelihood that another step promises
_MOST_SLOPE = 20.0  # a slope beyond this, or below its inverse, runs away

FITTED = "fitted"
EQUAL_VARIANCES = "one cut-off, b = 1"
NO_INFORMATION = "one score, chance"
CORRECTED = "degenerate, one case added"
CORRECTED_EQUAL = "degenerate, one case added, b = 1"


@dataclass(frozen=True, eq=False)
class BinormalFits:
    """Parameters of every group, their standard errors within the group, and how they came about."""

    a: Floats
    b: Floats
    a_standard_error: Floats
    b_standard_error: Floats
    n_categories: NDArray[np.int64]
    status: tuple[str, ...]
    covariance: Floats  # (n, 2, 2) of a and log b, within the group


@dataclass(frozen=True, eq=False)
class _Fit:
    """Fits of groups with one number of categories."""

    a: Floats
    b: Floats
    variance: Floats  # (n, 2, 2) of a and log b
    exists: NDArray[np.bool_]


def fit_binormal(groups: Iterable[tuple[Floats, Floats]]) -> BinormalFits:
    """Fit every group, given as ``fpr``-side and ``tpr``-side counts per category, strictest first."""
    tables = list(groups)
    sizes = np.array([negatives.size for negatives, _ in tables], dtype=np.int64)
    n = sizes.size
    a, b, a_error, b_error = np.zeros(n), np.ones(n), np.full(n, np.nan), np.full(n, np.nan)
    covariance = np.full((n, 2, 2), np.nan)
    status = np.full(n, NO_INFORMATION, dtype=object)
    for size in np.unique(sizes[sizes > 1]).tolist():
        chosen = np.flatnonzero(sizes == size)
        counts = [np.array([tables[i][side] for i in chosen]) for side in (0, 1)]
        fit = _fit(counts[0], counts[1])
        a[chosen], b[chosen], covariance[chosen] = fit.a, fit.b, fit.variance
        a_error[chosen] = np.sqrt(fit.variance[:, 0, 0])
        b_error[chosen] = fit.b * np.sqrt(fit.variance[:, 1, 1])
        corrected = np.where(np.isnan(fit.variance[:, 1, 1]), CORRECTED_EQUAL, CORRECTED)
        status[chosen] = np.where(fit.exists, FITTED if size > 2 else EQUAL_VARIANCES, corrected)
    return BinormalFits(a, b, a_error, b_error, sizes, tuple(status.tolist()), covariance)


def categories(
    true_positives: NDArray[np.float64],
    false_positives: NDArray[np.float64],
    most: int = MOST_CATEGORIES,
) -> tuple[Floats, Floats]:
    """Negatives and positives in ordered categories, strictest first, from a path of counts.

    A cut-off inside a run of one class carries no information on the curve, so runs are merged without loss;
    then, if there are still too many categories, those are kept whose cut-offs lie evenly along the curve.

    Examples
    --------
    >>> import numpy as np
    >>> negatives, positives = categories(np.array([0.0, 1, 2, 2, 3]), np.array([0.0, 0, 0, 1, 2]))
    >>> negatives.tolist(), positives.tolist()
    ([0.0, 1.0, 1.0], [2.0, 0.0, 1.0])
    """
    x, y = np.diff(false_positives), np.diff(true_positives)
    kind = np.where(y > 0, np.where(x > 0, 3, 1), np.where(x > 0, 2, 0))
    filled = np.flatnonzero(kind)
    kind = kind[filled]
    ends_run = np.append((kind[1:] != kind[:-1]) | (kind[1:] == 3), True)
    cuts = filled[ends_run] + 1
    if cuts.size > most:
        along = true_positives[cuts] / true_positives[-1] + false_positives[cuts] / false_positives[-1]
        even = np.arange(1, most) * (2 / most)
        after = np.searchsorted(along, even).clip(1, cuts.size - 1)
        nearest = np.where(even - along[after - 1] < along[after] - even, after - 1, after)
        cuts = cuts[np.unique(np.append(nearest, cuts.size - 1))]
    return (
        np.diff(false_positives[np.append(0, cuts)]),
        np.diff(true_positives[np.append(0, cuts)]),
    )


def _fit(negatives: Floats, positives: Floats) -> _Fit:
    """Fit; where the likelihood has no maximum, add one case of each class and fit again."""
    fit = _score(negatives, positives)
    again = np.flatnonzero(~fit.exists)
    if again.size:
        share = negatives[again] + positives[again]
        share = share / share.sum(axis=1, keepdims=True)
        added = _score(negatives[again] + share, positives[again] + share)
        # Where even that runs away, the slope is given up and the area decides.
        equal = _of_equal_variances(negatives[again] + share, positives[again] + share)
        fit.a[again] = np.where(added.exists, added.a, equal)
        fit.b[again] = np.where(added.exists, added.b, 1.0)
        fit.variance[again] = np.where(added.exists[:, None, None], added.variance, np.nan)
    return fit


def _of_equal_variances(negatives: Floats, positives: Floats) -> Floats:
    """The ``a`` that gives the area under the points, with b = 1."""
    from scipy.special import ndtri

    shares = [counts / counts.sum(axis=1, keepdims=True) for counts in (negatives, positives)]
    area = (shares[0] * (np.cumsum(shares[1], axis=1) - shares[1] / 2)).sum(axis=1)
    return np.asarray(np.sqrt(2) * ndtri(area))


def _score(negatives: Floats, positives: Floats) -> _Fit:
    """The method of scoring for ``(n, K)`` counts; with two categories the slope stays 1."""
    # Fits that run away leave the range of floats on their way; they are noticed by where they end.
    with np.errstate(all="ignore"):
        return _scored(negatives, positives)


def _scored(negatives: Floats, positives: Floats) -> _Fit:
    state = _start(negatives, positives)
    free_slope = negatives.shape[1] > 2
    value = log_likelihood(state, negatives, positives)
    active = np.isfinite(value)
    variance = np.full((len(state), 2, 2), np.nan)
    done = np.zeros(len(state), dtype=np.bool_)
    for _ in range(_MOST_STEPS):
        k = np.flatnonzero(active)
        if not k.size:
            break
        gradient, information = _derivatives(state[k], negatives[k], positives[k])
        if not free_slope:
            gradient[:, 1], information[:, 1, :], information[:, :, 1] = 0.0, 0.0, 0.0
            information[:, 1, 1] = 1.0
        scale = 1 / np.sqrt(np.diagonal(information, axis1=1, axis2=2))
        usable = np.isfinite(scale).all(axis=1)
        active[k[~usable]] = False
        k, gradient, information, scale = k[usable], gradient[usable], information[usable], scale[usable]
        if not k.size:
            break
        scaled = information * scale[:, :, None] * scale[:, None, :]
        scaled += 1e-12 * np.eye(scaled.shape[1])  # nearly singular where a fit runs away
        inverse = np.linalg.inv(scaled)
        step = scale * (inverse @ (scale * gradient)[:, :, None])[:, :, 0]
        variance[k] = (inverse * scale[:, :, None] * scale[:, None, :])[:, :2, :2]
        gain = (gradient * step).sum(axis=1)
        step /= np.maximum(np.abs(step[:, 1:2]), 1.0)  # the slope at most by a factor of e at once
        state[k], value[k], moved = _halved(state[k], value[k], step, negatives[k], positives[k])
        settled = (gain < _CLOSE) | (~moved & (gain < 1e-8))
        done[k] |= settled
        runs_away = np.abs(state[k, 1]) > np.log(_MOST_SLOPE)
        active[k] = ~settled & moved & ~runs_away
    if not free_slope:
        variance[:, 1, :] = variance[:, :, 1] = np.nan
    inside = np.abs(state[:, 1]) <= np.log(_MOST_SLOPE)
    return _Fit(
        state[:, 0], np.exp(state[:, 1]), variance, done & inside & _has_maximum(negatives, positives)
    )


def _has_maximum(negatives: Floats, positives: Floats) -> NDArray[np.bool_]:
    """False where the classes are separated, or where one of the two rates is 0 or 1 at every cut-off."""
    ends = [
        np.cumsum(counts, axis=1)[:, :-1] / counts.sum(axis=1, keepdims=True)
        for counts in (negatives, positives)
    ]
    fpr, tpr = ends
    separated = ((fpr == 0) | (tpr == 1)).all(axis=1) | ((fpr == 1) | (tpr == 0)).all(axis=1)
    edge = [((rate == 0) | (rate == 1)).all(axis=1) for rate in ends]
    return np.asarray(~(separated | edge[0] | edge[1]))


def _start(negatives: Floats, positives: Floats) -> Floats:
    """Cut-offs of the two classes together, and the line that fits the points best; all within reason."""
    from scipy.special import ndtri

    rates = []
    for counts in (negatives, positives):
        total = counts.sum(axis=1, keepdims=True)
        share = 0.5 / negatives.shape[1]  # keeps every cut-off apart from its neighbours and from the ends
        rates.append(np.cumsum((counts + share) / (total + 0.5), axis=1)[:, :-1])
    z, u = ndtri(rates[0]), ndtri(rates[1])
    zc, uc = z - z.mean(axis=1, keepdims=True), u - u.mean(axis=1, keepdims=True)
    slope = np.ones(len(z))
    if z.shape[1] > 1:
        slope = np.clip(np.sqrt((uc**2).sum(axis=1) / (zc**2).sum(axis=1)), 0.2, 5.0)
    a = u.mean(axis=1) - slope * z.mean(axis=1)
    joint = (z + (u - a[:, None]) / slope[:, None]) / 2
    return np.column_stack([a, np.log(slope), joint])


def log_likelihood(state: Floats, negatives: Floats, positives: Floats) -> Floats:
    """Of states ``(a, log b, z_1, ...)``, one row for each group; -inf where cut-offs are out of order."""
    z = state[:, 2:]
    ordered = (np.diff(z, axis=1) > 0).all(axis=1)
    total = np.zeros(len(state))
    with np.errstate(divide="ignore", invalid="ignore"):
        for counts, edges in ((negatives, z), (positives, _of_positives(state))):
            logs = np.log(_cells(edges))
            total += np.where(counts > 0, counts * logs, 0.0).sum(axis=1)
    return np.where(ordered & np.isfinite(total), total, -np.inf)


def _of_positives(state: Floats) -> Floats:
    return state[:, :1] + np.exp(state[:, 1:2]) * state[:, 2:]


def _cells(edges: Floats) -> Floats:
    """Normal probabilities between neighbouring edges, and beyond the outer ones, without cancellation."""
    from scipy.special import ndtr

    outer = np.full((len(edges), 1), np.inf)
    low, high = np.hstack([-outer, edges]), np.hstack([edges, outer])
    above = low > 0
    return np.asarray(np.where(above, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))


def _derivatives(state: Floats, negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
    """Gradient and expected information of ``(a, log b, z)``."""
    b, z = np.exp(state[:, 1]), state[:, 2:]
    of_z, info_z = _of_edges(z, negatives)
    of_u, info_u = _of_edges(_of_positives(state), positives)
    n, n_edges = z.shape
    # u = a + b z: how the cut-offs of the positives move with every parameter
    jacobian = np.zeros((n, n_edges, n_edges + 2))
    jacobian[:, :, 0] = 1.0
    jacobian[:, :, 1] = b[:, None] * z
    jacobian[:, np.arange(n_edges), np.arange(2, n_edges + 2)] = b[:, None]
    transposed = jacobian.transpose(0, 2, 1)
    gradient = (transposed @ of_u[:, :, None])[:, :, 0]
    information = transposed @ info_u @ jacobian
    gradient[:, 2:] += of_z
    information[:, 2:, 2:] += info_z
    return gradient, information


def _of_edges(edges: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Gradient and expected information of a class with respect to its own cut-offs."""
    density = np.exp(-(edges**2) / 2) / np.sqrt(2 * np.pi)
    cells = np.maximum(_cells(edges), 1e-300)
    ratio = counts / cells
    gradient = density * (ratio[:, :-1] - ratio[:, 1:])
    total = counts.sum(axis=1)[:, None]
    k = np.arange(edges.shape[1])
    information = np.zeros((*edges.shape, edges.shape[1]))
    information[:, k, k] = total * density**2 * (1 / cells[:, :-1] + 1 / cells[:, 1:])
    beside = -total * density[:, 1:] * density[:, :-1] / cells[:, 1:-1]
    information[:, k[:-1], k[1:]] = information[:, k[1:], k[:-1]] = beside
    return gradient, information


def _halved(
    state: Floats, value: Floats, step: Floats, negatives: Floats, positives: Floats
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Each state moved by the first of step, step / 2, ... that does not lose likelihood."""
    moved = np.zeros(len(state), dtype=np.bool_)
    state, value, factor = state.copy(), value.copy(), 1.0
    for _ in range(_MOST_HALVINGS):
        k = np.flatnonzero(~moved)
        if not k.size:
            break
        tried = state[k] + factor * step[k]
        tried_value = log_likelihood(tried, negatives[k], positives[k])
        better = tried_value >= value[k] - 1e-13 * np.abs(value[k])
        state[k[better]], value[k[better]] = tried[better], tried_value[better]
        moved[k[better]] = True
        factor /= 2
    return state, value, moved
