"""Where curves meet rays from the perfect corner (0, 1), and the area under the mean of those points.

A curve is followed in its two error rates, ``fpr`` rising and ``fnr`` falling. A ray is named by its share
``t = fpr / (fpr + fnr)``, from 0 (no false alarms) to 1 (no misses); ``z = log(fpr / fnr)`` is the same on
the scale of logits. A straight segment from ``(x0, y0)`` to ``(x1, y1)`` has, with ``dx = x1 - x0``,
``dy = y0 - y1`` and ``cross = dx * y0 + dy * x0``, the point ``fnr = cross / (dx + dy * exp(z))`` on ray z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.places import places_in_groups
from rocsteady.counting.table import CountTable

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_MOST_POINTS = 1_000_000  # of all curves on all rays, held at once
_AT_ONCE = 2**15  # of them, computed at once: what is needed on the way stays in the processor's cache
_REACH = 40.0  # beyond |z| = 40 lies less than 1e-17 of the area
_PER_UNIT = 4  # cells per unit of z
_N_TERMS = 9  # of the polynomial that stands for a segment in a cell
_N_NODES = 5  # of Gauss's rule between two neighbouring bends
_SHORT = 0.003  # between bends this close ...
_FEW_NODES = 2  # ... fewer do


@dataclass(frozen=True, eq=False)
class ErrorPaths:
    """Error rates at every vertex of every curve, each by one division; ``offsets`` as in the table."""

    fpr: Floats
    fnr: Floats
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return self.offsets.size - 1

    def directions(self) -> Floats:
        """The shares t of all vertices that lie inside, sorted, each once."""
        total = self.fpr + self.fnr
        inside = (self.fpr > 0) & (self.fnr > 0)
        return np.unique(self.fpr[inside] / total[inside])


def error_paths(table: CountTable) -> ErrorPaths:
    """The curves of a count table in their error rates."""
    sizes = np.diff(table.offsets)
    n_positives, n_negatives = np.repeat(table.n_positives, sizes), np.repeat(table.n_negatives, sizes)
    fnr = (n_positives - table.true_positives) / n_positives
    return ErrorPaths(table.false_positives / n_negatives, fnr, table.offsets)


def points_on_rays(paths: ErrorPaths, shares: Floats) -> tuple[Floats, Floats, Indices]:
    """``fpr`` and ``fnr`` where curves meet rays, and the vertex at or before each point: ``(n_curves, n)``.

    The ray of share 0 meets a curve last at its highest true positive rate without false alarms, the ray of
    share 1 first at its lowest false positive rate without misses.
    """
    starts, stops = paths.offsets[:-1], paths.offsets[1:]
    total = paths.fpr + paths.fnr
    # A perfect curve passes the corner itself, which lies on every ray; any share between 0 and 1 will do.
    key = np.divide(paths.fpr, total, out=np.full_like(total, 0.5), where=total > 0)
    place = places_in_groups(key, paths.offsets, shares, side="right") - 1
    before = starts[:, None] + np.clip(place, 0, (stops - starts - 2)[:, None])
    x, y = np.empty(before.shape), np.empty(before.shape)
    rows = max(1, _AT_ONCE // max(shares.size, 1))
    for start in range(0, len(paths), rows):
        some = slice(start, start + rows)
        x[some], y[some] = _on_segments(paths, key, shares, before[some])
    # The last vertex without a false alarm, and the first without a miss.
    no_alarms = starts + np.add.reduceat((paths.fpr == 0).astype(np.intp), starts) - 1
    no_misses = stops - np.add.reduceat((paths.fnr == 0).astype(np.intp), starts)
    for share, vertex in ((0.0, no_alarms), (1.0, no_misses)):
        for column in np.flatnonzero(shares == share):
            x[:, column], y[:, column], before[:, column] = paths.fpr[vertex], paths.fnr[vertex], vertex
    is_perfect = no_alarms >= no_misses
    x[is_perfect] = y[is_perfect] = 0.0
    before[is_perfect] = no_misses[is_perfect, None]
    return x, y, before - starts[:, None]


def _on_segments(paths: ErrorPaths, key: Floats, shares: Floats, before: Indices) -> tuple[Floats, Floats]:
    """``fpr`` and ``fnr`` where rays meet the segments that start at these vertices."""
    after = before + 1
    x0, x1, y0, y1 = paths.fpr[before], paths.fpr[after], paths.fnr[before], paths.fnr[after]
    run, rise = x1 - x0, y0 - y1
    across = run * (1 - shares) + rise * shares
    reach = np.divide(run * y0 + rise * x0, across, out=x0 + y0, where=across > 0)
    # Rounding must not carry a point past the ends of its own segment.
    x = np.minimum(np.maximum(reach * shares, x0), x1)
    y = np.minimum(np.maximum(reach * (1 - shares), y1), y0)
    on_vertex = key[before] == shares
    return np.where(on_vertex, x0, x), np.where(on_vertex, y0, y)


def mean_points(paths: ErrorPaths, weights: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Weighted mean of the curves' points on every ray, some rays at a time."""
    n_blocks = -(-shares.size * len(paths) // _MOST_POINTS)
    found = [points_on_rays(paths, block)[:2] for block in np.array_split(shares, max(n_blocks, 1))]
    x, y = (np.concatenate([weights @ own for own in part]) for part in zip(*found, strict=True))
    return x, y


@dataclass(frozen=True, eq=False)
class _Segments:
    """Straight pieces of all curves, weighted, and the range of z that each covers."""

    run: Floats
    rise: Floats
    cross: Floats
    start: Floats
    stop: Floats


def area_above(paths: ErrorPaths, weights: Floats) -> float:
    """The area between the weighted mean of the points on rays and the corner (0, 1).

    It is half the integral of ``mean fpr * mean fnr`` over z. Between neighbouring bends the mean is a sum of
    functions ``cross / (dx + dy * exp(z))`` whose poles lie at a distance of pi from the real line, so in a
    cell of z of length 1/4 each of them is a polynomial to the last digit, and so are sums of them. The
    error is a few units of 1e-15.
    """
    segments = _segments(paths, weights)
    edges = np.linspace(-_REACH, _REACH, round(2 * _REACH * _PER_UNIT) + 1)
    first = np.maximum(np.searchsorted(edges, segments.start, side="right") - 1, 0)
    last = np.minimum(np.searchsorted(edges, segments.stop, side="left") - 1, edges.size - 2)
    n_cells = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(first.size), n_cells)
    cell = np.arange(which.size) - np.repeat(np.cumsum(n_cells) - n_cells, n_cells) + first[which]
    has_bends = np.zeros(edges.size - 1, dtype=np.bool_)
    has_bends[cell[(segments.start[which] > edges[cell]) | (segments.stop[which] < edges[cell + 1])]] = True
    calm = ~has_bends[cell]
    total = _calm_area(segments, which[calm], cell[calm], edges)
    which, cell = which[~calm], cell[~calm]
    order = np.argsort(cell, kind="stable")
    which = which[order]
    bounds = np.searchsorted(cell[order], np.arange(edges.size))
    nodes = _cell_nodes()
    to_terms = np.asarray(np.linalg.inv(np.vander(nodes, increasing=True)), dtype=np.float64)
    for k in np.flatnonzero(has_bends):
        total += _cell_area(segments, which[bounds[k] : bounds[k + 1]], edges[k], edges[k + 1], to_terms)
    return total / 2


def _calm_area(segments: _Segments, which: Indices, cell: Indices, edges: Floats) -> float:
    """Integral of mean fpr times mean fnr over the cells without a bend."""
    total = 0.0
    length = np.diff(edges)
    cross, run, rise = segments.cross[which], segments.run[which], segments.rise[which]
    for node, weight in zip(*np.polynomial.legendre.leggauss(_N_NODES), strict=True):
        odds = np.exp(edges[:-1] + length * ((1 + node) / 2))
        of_segments = cross / (run + rise * odds[cell])
        fnr = np.bincount(cell, of_segments, minlength=length.size)
        total += weight / 2 * float(np.sum(length * fnr * fnr * odds))
    return total


def _cell_nodes() -> Floats:
    """Chebyshev's nodes of a cell, from -1 to 1."""
    return np.asarray(np.cos(np.pi * (np.arange(_N_TERMS) + 0.5) / _N_TERMS))


def _segments(paths: ErrorPaths, weights: Floats) -> _Segments:
    k, following, group = _bends(paths)
    x0, x1, y0, y1 = paths.fpr[k], paths.fpr[following], paths.fnr[k], paths.fnr[following]
    run, rise = x1 - x0, y0 - y1
    cross = (run * y0 + rise * x0) * weights[group]
    seen = cross > 0  # what lies along a ray, or in the corner, bounds no area
    x0, x1, y0, y1 = x0[seen], x1[seen], y0[seen], y1[seen]
    with np.errstate(divide="ignore"):
        start, stop = np.log(x0) - np.log(y0), np.log(x1) - np.log(y1)
    return _Segments(run[seen], rise[seen], cross[seen], start, stop)


def _bends(paths: ErrorPaths) -> tuple[Indices, Indices, Indices]:
    """First and last vertex and the curve of every segment; steps straight on make one segment."""
    is_last = np.zeros(paths.fpr.size, dtype=np.bool_)
    is_last[paths.offsets[1:] - 1] = True
    level = np.zeros_like(is_last)  # the step to a vertex has the same fpr, or the same fnr, as the one after
    for rates in (paths.fpr, paths.fnr):
        still = rates[1:] == rates[:-1]
        level[1:-1] |= still[:-1] & still[1:]
    level |= is_last  # no step ends a curve ...
    level[paths.offsets[:-1]] = False  # ... and every curve starts one
    starts = np.flatnonzero(~level)
    sizes = np.diff(paths.offsets)
    group = np.repeat(np.arange(sizes.size), sizes)[starts]
    following = np.append(starts[1:], 0)
    ends = np.flatnonzero(np.append(group[1:] != group[:-1], True))
    following[ends] = paths.offsets[1:] - 1
    return starts, following, group


def _cell_area(segments: _Segments, chosen: Indices, low: float, high: float, to_terms: Floats) -> float:
    """Integral of mean fpr times mean fnr over one cell."""
    middle, half = (low + high) / 2, (high - low) / 2
    odds = np.exp(middle + half * _cell_nodes())[:, None]
    terms = to_terms @ (segments.cross[chosen] / (segments.run[chosen] + segments.rise[chosen] * odds))
    at = np.concatenate([np.maximum(segments.start[chosen], low), np.minimum(segments.stop[chosen], high)])
    order = np.argsort(at)
    at = at[order]
    running = np.concatenate([terms, -terms], axis=1)[:, order]
    np.cumsum(running, axis=1, out=running)
    length = np.diff(at)
    total = 0.0
    for pieces, n_nodes in ((length > _SHORT, _N_NODES), ((length <= _SHORT) & (length > 0), _FEW_NODES)):
        k = np.flatnonzero(pieces)
        own = running[:, k]
        for node, weight in zip(*np.polynomial.legendre.leggauss(n_nodes), strict=True):
            z = at[k] + length[k] * ((1 + node) / 2)
            u = (z - middle) / half
            fnr = own[-1]
            for term in own[-2::-1]:
                fnr = fnr * u + term
            total += weight / 2 * float(np.sum(length[k] * fnr * fnr * np.exp(z)))
    return total
