"""Averages of groups that are tuned alike: to a ratio of error rates (radial), to given costs (tangent)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Array, Floats, Indices, Integers, Mask
from rocsteady.averaging.base import (
    MOST_VALUES,
    SPREADS,
    Average,
    AveragePoint,
    GroupPoints,
    Points,
    block_by_block,
    rising,
    scatter,
    warn_if_alike,
    with_ends,
)
from rocsteady.averaging.methods import AtCosts, Radial, Tangent
from rocsteady.counting.table import places_in_groups
from rocsteady.curves.readings import even_vertices, hull_vertices_of_all, scalar_or_array
from rocsteady.errors import fail
from rocsteady.options import How, real_numbers
from rocsteady.places import is_place, place_of
from rocsteady.results import plain_fields
from rocsteady.statistics.groups import spread
from rocsteady.statistics.limits import Interval, t_quantile

_AT_ONCE = 2**15  # points computed at once: what is needed on the way stays in the processor's cache
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
    offsets: Integers


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
    for start in range(0, starts.size, rows):
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


# The area under the radial average, exact to a few units of 1e-15
# ----------------------------------------------------------------


def area_above(paths: ErrorPaths, weights: Floats) -> float:
    """The area between the weighted mean of the points on rays and the corner (0, 1).

    It is half the integral of ``mean fpr * mean fnr`` over z, the log of the odds of the share that names a
    ray. Between neighbouring bends the mean is a sum of functions ``cross / (dx + dy * exp(z))`` whose poles
    lie at a distance of pi from the real line, so in a cell of z of length 1/4 each of them is a polynomial
    to the last digit, and so are sums of them.
    """
    before, after, group = _bends(paths)
    x0, x1, y0, y1 = paths.fpr[before], paths.fpr[after], paths.fnr[before], paths.fnr[after]
    run, rise = x1 - x0, y0 - y1
    cross = (run * y0 + rise * x0) * weights[group]
    with np.errstate(divide="ignore", invalid="ignore"):
        start, stop = np.log(x0) - np.log(y0), np.log(x1) - np.log(y1)
    segments = np.array([run, rise, cross, start, stop])[:, cross > 0]  # the others bound no area
    run, rise, cross, start, stop = segments
    edges = np.linspace(-_REACH, _REACH, round(2 * _REACH * _PER_UNIT) + 1)
    first = np.maximum(np.searchsorted(edges, start, side="right") - 1, 0)
    last = np.minimum(np.searchsorted(edges, stop, side="left") - 1, edges.size - 2)
    n_cells = np.maximum(last - first + 1, 0)
    which = np.repeat(np.arange(first.size), n_cells)
    cell = np.arange(which.size) - np.repeat(np.cumsum(n_cells) - n_cells, n_cells) + first[which]
    has_bends = np.zeros(edges.size - 1, dtype=np.bool_)
    has_bends[cell[(start[which] > edges[cell]) | (stop[which] < edges[cell + 1])]] = True
    total, calm, length = 0.0, ~has_bends[cell], np.diff(edges)
    own, here = which[calm], cell[calm]
    for node, weight in zip(*np.polynomial.legendre.leggauss(_N_NODES), strict=True):
        odds = np.exp(edges[:-1] + length * ((1 + node) / 2))
        of_segments = cross[own] / (run[own] + rise[own] * odds[here])
        fnr = np.bincount(here, of_segments, minlength=length.size)
        total += weight / 2 * float(np.sum(length * fnr * fnr * odds))
    which, cell = which[~calm], cell[~calm]
    order = np.argsort(cell, kind="stable")
    bounds = np.searchsorted(cell[order], np.arange(edges.size))
    for k in np.flatnonzero(has_bends):
        chosen = segments[:, which[order[bounds[k] : bounds[k + 1]]]]
        total += _cell_area(chosen, edges[k], edges[k + 1])
    return total / 2


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


_NODES = np.cos(np.pi * (np.arange(_N_TERMS) + 0.5) / _N_TERMS)
"""Chebyshev's nodes of a cell, from -1 to 1."""
_TO_TERMS = np.linalg.inv(np.vander(_NODES, increasing=True))


def _cell_area(segments: Floats, low: float, high: float) -> float:
    """Integral of mean fpr times mean fnr over one cell."""
    run, rise, cross, start, stop = segments
    middle, half = (low + high) / 2, (high - low) / 2
    odds = np.exp(middle + half * _NODES)[:, None]
    terms = _TO_TERMS @ (cross / (run + rise * odds))
    at = np.concatenate([np.maximum(start, low), np.minimum(stop, high)])
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


# The radial average: every group tuned to the same ratio of its two error rates
# ------------------------------------------------------------------------------

_N_ANGLES = 401  # of the grid; odd, so that 1 : 1 is one of them
_MOST_RAYS = 1000  # of a bootstrap
_FEWEST_RAYS = 101
_HALVINGS = 60
"""Until two rays are as close as floats can be."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TunedPoint(AveragePoint):
    """Where the groups stand when each is tuned to the same; more as in :class:`AveragePoint`.

    Attributes
    ----------
    fpr_sd, tpr_sd, covariance : float or array
        Between groups (divisor M - 1 at equal weights); NaN for a single group.
    fpr_standard_error, tpr_standard_error : float or array
        Of the mean point.
    """

    fpr_interval: Interval
    tpr_interval: Interval
    fpr_sd: Any
    tpr_sd: Any
    fpr_standard_error: Any
    tpr_standard_error: Any
    covariance: Any


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ErrorRatioRates(TunedPoint, sentence="averages.error_ratio"):
    """Where the groups stand at a ratio of the two error rates; more as in :class:`TunedPoint`.

    Attributes
    ----------
    ratio : float or array
        ``fpr : fnr`` as one number; infinite for no misses.
    parts : (float, float) or arrays
        The same as it was asked for.
    thresholds : (float, float) or None
        For a single ratio, the smallest and the largest of the groups' own thresholds. Where a group meets
        the ratio between two of its thresholds, the stricter counts.
    """

    ratio: Any
    parts: tuple[Any, Any]

    _in_frame = f"ratio, fpr, tpr, {', '.join(SPREADS)}"
    _line = "fpr : fnr = {ratio:g}: fpr {fpr:.4f}, tpr {tpr:.4f}"
    _lines = "at {ratio:count ratio}"


@dataclass(frozen=True, eq=False, repr=False)
class RadialAverage(Average):
    """The mean of the groups' points at every ratio of the two error rates.

    ``.fpr`` and ``.tpr`` are samples of the curve, at a grid of directions and at those of the groups'
    vertices where these are not too many; ``.auc`` is the area under the curve itself, exact to about 1e-14.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "radial")
    >>> average
    RadialAverage(radial, 2 folds, AUC 0.8196)
    >>> average.at_error_ratio(1, 1)
    ErrorRatioRates(fpr : fnr = 1: fpr 0.3750, tpr 0.6250)
    """

    method: Radial

    @cached_property
    def _paths(self) -> ErrorPaths:
        table = self._groups.table
        sizes = np.diff(table.offsets)
        n_positives, n_negatives = np.repeat(table.n_positives, sizes), np.repeat(table.n_negatives, sizes)
        fnr = (n_positives - table.true_positives) / n_positives
        return ErrorPaths(table.false_positives / n_negatives, fnr, table.offsets)

    @cached_property
    def auc(self) -> float:
        """Area under the curve itself, not under its samples; never less than the mean of the areas."""
        return float(1 - area_above(self._paths, self.weights))

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        shares = self._shares(max(MOST_VALUES // len(self.members), _N_ANGLES))
        fpr, tpr = (with_ends(rate) for rate in self._rates_on(shares))
        return rising(fpr), rising(tpr)

    def _shares(self, most: int) -> Floats:
        """Directions to look along, 0 and 1 among them: a grid of angles and vertices' directions."""
        angles = np.linspace(0, np.pi / 2, min(_N_ANGLES, most))
        grid = np.sin(angles) / (np.sin(angles) + np.cos(angles))
        grid[0], grid[-1] = 0.0, 1.0
        x, y = self._paths.fpr, self._paths.fnr
        inside = (x > 0) & (y > 0)
        own = np.unique(x[inside] / (x[inside] + y[inside]))
        room = max(most - grid.size, 0)
        if own.size > room:
            own = own[np.linspace(0, own.size - 1, room).astype(np.intp)]
        return np.unique(np.concatenate([grid, [0.5], own]))

    def _read_between(self, held: str, at: Floats) -> tuple[Floats, Floats]:
        """The curve is known at some rays only; between them it is no straight line.

        Both rates rise with the share of false alarms that names a ray, so rays are halved until two
        neighbours are left: the reading lies between theirs.
        """
        low, high = np.zeros(at.shape), np.ones(at.shape)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            reached = self._rates_on(middle)[held == "tpr"]
            # Of an FPR the best TPR is read, so rays that just have it come before; of a TPR the best FPR.
            is_before = reached <= at if held == "fpr" else reached < at
            low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
        first, last = self._rates_on(low), self._rates_on(high)
        if held == "fpr":
            ends = first[1], np.where(last[0] <= at, 1.0, last[1])  # beyond the last ray nothing is missed
        else:
            ends = np.where(first[1] >= at, 0.0, first[0]), last[0]  # before the first there are no alarms
        found = super()._read_between(held, at)[0]
        return np.minimum(ends[0], found), np.maximum(ends[1], found)

    def _rates_on(self, shares: Floats) -> tuple[Floats, Floats]:
        """Mean FPR and TPR on rays, some rays at a time."""

        def found(block: Array) -> dict[str, Array]:
            fpr, fnr, _ = points_on_rays(self._paths, block)
            return {"fpr": self.weights @ fpr, "fnr": self.weights @ fnr}

        means = block_by_block(found, shares, self.n_groups)
        return means["fpr"], 1 - means["fnr"]

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate where the average has FPR = FNR: the mean of the groups' equal error rates."""
        return float(self._rates_on(np.array([0.5]))[0][0])

    def group_points(self, at: ArrayLike | Mapping[str, Any]) -> GroupPoints:  # noqa: D102 - as of every average
        if is_place(at):
            at = _shares_of(*place_of(at, among=("ratio",), task="read groups at").value)[0]
        fpr, fnr, before = points_on_rays(self._paths, self._positions_at(at, None))
        table = self._groups.table
        return GroupPoints(fpr, 1 - fnr, table.thresholds[table.offsets[:-1, None] + before])

    def at_error_ratio(
        self,
        fpr: ArrayLike,
        fnr: ArrayLike,
        *,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
    ) -> ErrorRatioRates:
        """Where every group has ``fpr : fnr`` in this ratio, with the spread between groups.

        Parameters
        ----------
        fpr, fnr : float or array-like
            The ratio of the two error rates (not of costs): ``at_error_ratio(1, 2)`` has twice as high a
            share of misses as of false alarms. ``(0, 1)`` is the most caught without a false alarm,
            ``(1, 0)`` the fewest false alarms without a miss.
        confidence_level, quantile, scale
            Of the intervals, as in :meth:`at`.
        """
        how = How(confidence_level, quantile, scale=scale)
        shares, ratio = _shares_of(fpr, fnr)
        found = block_by_block(self._spreads, shares, self.n_groups)
        found["fpr_alike"] &= shares > 0  # along the outer rays one of the rates is 0 for all
        found["tpr_alike"] &= shares < 1
        warn_if_alike(self, how, np.atleast_1d(found["fpr_alike"] | found["tpr_alike"]))
        facts: dict[str, Any] = {own: scalar_or_array(found[own], shares) for own in SPREADS}
        facts |= {"ratio": scalar_or_array(ratio, ratio), "parts": (fpr, fnr)}
        if not shares.ndim:
            at = self.group_points(shares).thresholds
            facts["thresholds"] = float(at.min()), float(at.max())
        point = self._point(how, "ratio", shares, found, made=ErrorRatioRates, **facts)
        return cast("ErrorRatioRates", point)

    def _spreads(self, shares: Floats) -> dict[str, Array]:
        """Means and spreads on rays."""
        x, y, _ = points_on_rays(self._paths, shares)
        return scatter(self, x, 1 - y, (self.weights, self.weights), self.weights)

    @cached_property
    def _points(self) -> Points:
        most = int(np.clip(MOST_VALUES // len(self.members), _FEWEST_RAYS, _MOST_RAYS))
        x, y, _ = points_on_rays(self._paths, self._shares(most))
        return with_ends(x), with_ends(1 - y), self.weights, self.weights


def _shares_of(fpr: ArrayLike, fnr: ArrayLike) -> tuple[Floats, Floats]:
    """``fpr / (fpr + fnr)`` and ``fpr / fnr`` of a ratio, else RS042."""
    a, b = real_numbers("fpr", fpr, example=1), real_numbers("fnr", fnr, example=1)
    for name, part in (("fpr", a), ("fnr", b)):
        if not ((part >= 0) & (part < np.inf)).all():
            found = part[~((part >= 0) & (part < np.inf))].flat[0]
            raise fail("RS042.error-rate", name=name, found=found)
    try:
        a, b = np.broadcast_arrays(a, b)
    except ValueError:
        raise fail("RS042.shapes", a=a.shape, b=b.shape) from None
    if ((a == 0) & (b == 0)).any():
        raise fail("RS042.no-ratio")
    largest = np.maximum(a, b)  # sums of very large or very small parts would leave the range of floats
    a, b = a / largest, b / largest
    with np.errstate(divide="ignore", over="ignore"):
        return a / (a + b), a / b


# The tangent average: every group tuned to the threshold that is best for it at given costs
# ------------------------------------------------------------------------------------------

_MOST_COSTS = 1000  # of a bootstrap
_FEWEST_COSTS = 101


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CostPoint(TunedPoint, sentence="averages.costs"):
    """Where the groups stand when each is tuned to the same costs; more as in :class:`TunedPoint`.

    Where several thresholds of a group cost the same, the strictest counts.

    Attributes
    ----------
    cost : float
        The mean of the groups' minimal expected costs per case.
    cost_sd, cost_standard_error : float
        Between groups, and of the mean; NaN for a single group.
    cost_interval : Interval
        Confidence interval of the mean cost; what is random is the groups.
    costs : AtCosts
        The costs that were asked for.
    """

    cost: float
    cost_sd: float
    cost_standard_error: float
    cost_interval: Interval
    costs: AtCosts

    _line = "cost {cost:.4g}, fpr {fpr:.4f}, tpr {tpr:.4f}"

    def to_dict(self) -> dict[str, Any]:
        """The point as plain data; its costs as three numbers."""
        return super().to_dict() | {"costs": plain_fields(self.costs)}


@dataclass(frozen=True, eq=False)
class _Hulls:
    """Corners of all hulls; ``change`` is the probability cost from which a corner beats the one before."""

    fpr: Floats
    tpr: Floats
    change: Floats
    thresholds: Floats
    offsets: Integers
    is_edge: Mask  # all but the first corner of every hull


@dataclass(frozen=True, eq=False, repr=False)
class TangentAverage(Average):
    """The mean of the groups' cost-optimal points, for every ratio of costs; an exact, concave polyline.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "tangent")
    >>> average
    TangentAverage(tangent, 2 folds, AUC 0.8750)
    >>> average.at_costs(false_positive=1, false_negative=5, prevalence=0.2)
    CostPoint(cost 0.4, fpr 0.5000, tpr 1.0000)
    """

    method: Tangent

    @cached_property
    def _hulls(self) -> _Hulls:
        table = self._groups.table
        found = hull_vertices_of_all(table.true_positives, table.false_positives, table.offsets)
        sizes = [own.size for own in found]
        corners = np.concatenate(found) + np.repeat(table.offsets[:-1], sizes)
        tp, fp = table.true_positives[corners], table.false_positives[corners]
        n_tp, n_fp = np.repeat(table.n_positives, sizes), np.repeat(table.n_negatives, sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        is_edge = np.ones(corners.size, dtype=np.bool_)
        is_edge[offsets[:-1]] = False
        # d fpr / (d fpr + d tpr) of the edge that leads to each corner; 0 for the first of a hull. Products
        # of counts below 2**53 are exact, so that equally steep edges of different groups are equal.
        if tp.dtype.kind == "f":  # weights; their products may leave the range of floats
            run, rise = np.diff(fp / n_fp, prepend=0.0), np.diff(tp / n_tp, prepend=0.0)
        else:
            run = np.diff(fp, prepend=0) * n_tp.astype(np.float64)
            rise = np.diff(tp, prepend=0) * n_fp.astype(np.float64)
        first = (fp == 0) & (tp == 0)
        run[first], rise[first] = 0.0, 1.0
        return _Hulls(fp / n_fp, tp / n_tp, run / (run + rise), table.thresholds[corners], offsets, is_edge)

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        hulls, is_edge = self._hulls, self._hulls.is_edge
        weights = np.repeat(self.weights, np.diff(hulls.offsets))
        change, place = np.unique(hulls.change[is_edge], return_inverse=True)
        path = []
        for rates in (hulls.fpr, hulls.tpr):
            steps = (np.diff(rates, prepend=0.0) * weights)[is_edge]
            added = np.bincount(place, steps, minlength=change.size)
            path.append(np.append(0.0, np.cumsum(added)))
            path[-1][1 + int(np.flatnonzero(added)[-1]) :] = 1.0  # where all hulls have got there, exactly
        return rising(path[0]), rising(path[1])

    def at_costs(
        self,
        *,
        false_positive: float,
        false_negative: float,
        prevalence: float,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
    ) -> CostPoint:
        """The mean of the groups' points and costs when each group is tuned to these costs.

        Parameters
        ----------
        false_positive, false_negative : float
            Cost of each error; not negative, not both 0.
        prevalence : float
            Share of positives where the classifier will be used, strictly between 0 and 1.
        confidence_level, quantile, scale
            Of the intervals, as in :meth:`at`; limits of costs are linear.
        """
        how = How(confidence_level, quantile, scale=scale)
        costs = AtCosts(false_positive, false_negative, prevalence)
        of_misses, of_alarms = costs.expected
        corners = self._best_corners(np.array([of_misses / (of_misses + of_alarms)]))
        at, x, y = (own[corners] for own in (self._hulls.thresholds, self._hulls.fpr, self._hulls.tpr))
        found = scatter(self, x, y, (self.weights, self.weights), self.weights)
        paid = spread(of_misses * (1 - y) + of_alarms * x, self.weights, self.design.test_train_ratio)
        cost, sd, error = (float(own[0]) for own in (paid.mean, paid.sd, paid.standard_error))
        half = t_quantile(self.degrees_of_freedom, confidence_level, quantile) * error
        facts: dict[str, Any] = {name: float(found[name][0]) for name in SPREADS}
        facts |= {"cost": cost, "cost_sd": sd, "cost_standard_error": error, "costs": costs}
        facts["cost_interval"] = Interval(cost - half, cost + half, confidence_level, quantile)
        facts["thresholds"] = float(at.min()), float(at.max())
        point = self._point(how, "costs", 0.0, found, made=CostPoint, **facts)
        return cast("CostPoint", point)

    def group_points(self, at: ArrayLike | Mapping[str, Any]) -> GroupPoints:  # noqa: D102 - as of every average
        hulls, corners = self._hulls, self._best_corners(self._positions_at(at, None))
        return GroupPoints(hulls.fpr[corners], hulls.tpr[corners], hulls.thresholds[corners])

    def _best_corners(self, probability_cost: Floats) -> Indices:
        """The best corner of every group at probability costs, the strictest of equals.

        Without a cost of misses all corners without false alarms are equally good; then the highest of them
        is taken, which costs nothing more.
        """
        hulls, starts = self._hulls, self._hulls.offsets[:-1]
        edges = hulls.offsets - np.arange(hulls.offsets.size)
        place = places_in_groups(hulls.change[hulls.is_edge], edges, probability_cost)
        at_least = hulls.change[starts + 1] == 0
        return np.asarray(starts[:, None] + np.maximum(place, at_least[:, None]), dtype=np.intp)

    @cached_property
    def _points(self) -> Points:
        # One column for each stretch of costs at which no group changes its corner; with many groups some of
        # the stretches, evenly along the curve.
        hulls = self._hulls
        most = int(np.clip(MOST_VALUES // len(self.members), _FEWEST_COSTS, _MOST_COSTS))
        changes = np.unique(hulls.change[hulls.is_edge])[even_vertices((self.fpr + self.tpr)[1:], most)]
        corners = self._best_corners(np.append(changes, 2.0))
        # Below the first change nobody has left (0, 0), also where some curve rises straight from it.
        fpr, tpr = (np.pad(rates[corners], [(0, 0), (1, 0)]) for rates in (hulls.fpr, hulls.tpr))
        return fpr, tpr, self.weights, self.weights
