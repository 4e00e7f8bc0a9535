"""Averages under one threshold for all groups: threshold averaging and pooling."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady import _kernels
from rocsteady._kernels.reference import Long, shares_of_cases
from rocsteady.arrays import Array, Floats, Indices, Integers
from rocsteady.averaging.base import (
    MOST_VALUES,
    SPREADS,
    Average,
    AveragePoint,
    GroupPoints,
    Members,
    Points,
    block_by_block,
    scatter,
    warn_if_alike,
)
from rocsteady.averaging.methods import Pooled, Threshold
from rocsteady.counting.table import CountTable, places_in_groups, warn_without_kernels
from rocsteady.curves.readings import (
    Rates,
    alike_thresholds,
    even_vertices,
    scalar_or_array,
    thresholds_told,
    vertex_at,
)
from rocsteady.errors import RocsteadyWarning, fail
from rocsteady.options import (
    How,
    one_number,
    one_of,
    open_share,
    real_numbers,
    whole_number,
)
from rocsteady.results import TableResult, read_only
from rocsteady.statistics.folds import share_of_variance
from rocsteady.statistics.groups import (
    degrees_of_freedom,
    effective_number,
    ellipse_outline,
    ellipse_radius,
    mostly_alike,
    spread,
)

Merged = tuple[Floats, Floats, Floats]  # thresholds, tpr, fpr


def rates_of_groups(table: CountTable, thresholds: ArrayLike, rule: str | None) -> tuple[Floats, Floats]:
    """FPR and TPR of every group at thresholds, ``(n_groups, n)``; 0 where a class is missing."""
    kind = np.float64 if table.exact is None else np.object_
    vertex = vertices_of_groups(table, np.ravel(np.asarray(thresholds, dtype=kind)), rule)
    vertex += table.offsets[:-1, None]
    fpr, tpr = (
        # Few vertices, each looked at by many thresholds: every rate is divided once.
        (counts / np.repeat(np.where(total > 0, total, 1), np.diff(table.offsets))).take(vertex)
        for counts, total in (
            (table.false_positives, table.n_negatives),
            (table.true_positives, table.n_positives),
        )
    )
    return fpr, tpr


def vertices_of_groups(table: CountTable, at: Array, rule: str | None) -> Indices:
    """The vertex of every group that each threshold leads to, as :func:`vertex_at` finds it for one."""
    if table.exact is not None:
        blocks = [slice(*ends) for ends in itertools.pairwise(table.offsets.tolist())]
        high = table.higher_is_positive
        own = [vertex_at(table.thresholds[rows], at, rule, high, table.exact[rows])[0] for rows in blocks]
        return np.stack(own)
    _, rule = vertex_at(np.array([np.inf]), at, rule, table.higher_is_positive)  # refuses what is no number
    is_observed = np.ones(table.thresholds.size, dtype=np.bool_)
    is_observed[table.offsets[:-1]] = False  # the first means "beyond everything", which no score is
    observed, offsets = table.thresholds[is_observed], table.offsets - np.arange(table.offsets.size)
    is_same = observed[1:] == observed[:-1]  # integers too large for a float
    starts = offsets[1:-1]
    is_same[starts[(starts > 0) & (starts < observed.size)] - 1] = False
    alike = np.intersect1d(observed[1:][is_same], at) if is_same.any() else observed[:0]
    if alike.size:
        raise alike_thresholds(alike[0])
    side = "left" if rule in (">=", "<") else "right"
    below = places_in_groups(observed, offsets, at, side=side)
    return np.diff(offsets)[:, None] - below if table.higher_is_positive else below


def shared_curve(groups: Members, of_negatives: Floats, of_positives: Floats) -> Merged:
    """The curve of all groups under one threshold; every group counts so much in either class."""
    scores = groups.plain_scores
    if scores is None:
        return _merged_table(groups.table, of_positives, of_negatives)
    if groups.chosen.size < len(scores):
        scores = scores.take(scores.group_index[groups.chosen])
    warn_without_kernels()
    c = scores.columns
    thresholds, tpr, fpr = _kernels.kernels.share_curve(
        c.scores, c.labels, c.offsets, c.positive, c.negative,
        np.array(_shares(of_positives, scores.n_positives)),
        np.array(_shares(of_negatives, scores.n_negatives)),
        c.higher_is_positive, _kernels.thread_count(groups.threads),
    )  # fmt: skip
    return read_only(thresholds), read_only(tpr), read_only(fpr)


def _shares(weights: Floats, n_cases: Array) -> Long:
    """What a case of every group counts; nothing where there is none."""
    has_cases = n_cases > 0
    return shares_of_cases(np.where(has_cases, weights, 0.0), np.where(has_cases, n_cases, 1))


def _merged_table(table: CountTable, of_positives: Floats, of_negatives: Floats) -> Merged:
    """From counts, and what every group counts in either class.

    Every vertex is a row for each class it adds cases of, weighted by how many. The weight stands there in
    two parts, the second being what the first has rounded away, and the kernel adds up without any error. So
    a rate is rounded once.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # refused below
        shares = _shares(of_positives, table.n_positives), _shares(of_negatives, table.n_negatives)
    if not all(np.isfinite(own.value).all() for own in shares):
        raise fail("RS037.counts", n=min(table.n_positives.min(), table.n_negatives.min()))
    first = np.zeros(table.thresholds.size, dtype=np.bool_)
    first[table.offsets[:-1]] = True
    again = ~first & ~np.roll(first, 1)
    values = table.thresholds if table.exact is None else table.exact
    repeated = again[1:] & (values[1:] == values[:-1])
    if repeated.any():
        raise alike_thresholds(table.thresholds[1:][repeated][0])
    group = np.repeat(np.arange(len(table)), np.diff(table.offsets))
    scores, labels, weights = [], [], []
    for label, counts, own in (
        (True, table.true_positives, shares[0]),
        (False, table.false_positives, shares[1]),
    ):
        of_vertex = Long(own.high[group], own.low[group])
        before = np.append(counts[:1], counts[:-1])
        added = of_vertex.times(counts.astype(np.float64)).plus(of_vertex.times(-before.astype(np.float64)))
        rows = ~first & (counts > before) & (of_vertex.high > 0)
        for part in added:
            scores.append(values[rows])
            labels.append(np.full(int(rows.sum()), label))
            weights.append(part[rows])
    joined = [np.concatenate(parts) for parts in (scores, labels, weights)]
    whole = np.array([0, joined[0].size], dtype=np.int64)
    thresholds, tpr, fpr, _ = _kernels.kernels.count_curves(
        joined[0], joined[1], whole, 1.0, 0.0, joined[2], table.higher_is_positive,
        _kernels.thread_count(None),
    )  # fmt: skip
    return read_only(thresholds), read_only(tpr), read_only(fpr)


# Averages under one threshold for all groups: what the threshold average and the pooled curve share
# --------------------------------------------------------------------------------------------------

_MOST_THRESHOLDS = 2000


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdRates(Rates):
    """The rates of the average at a shared threshold, and how the groups scatter there; see :class:`Rates`.

    Attributes
    ----------
    fpr_sd, tpr_sd, covariance : float or array
        Between groups (divisor M - 1 at equal weights); NaN for a single group.
    fpr_standard_error, tpr_standard_error : float or array
        Of the average's rates.
    """

    fpr_sd: Any
    tpr_sd: Any
    fpr_standard_error: Any
    tpr_standard_error: Any
    covariance: Any

    _in_frame = f"threshold, fpr, tpr, {', '.join(SPREADS)}"


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdGrid(TableResult):
    """Some points of a threshold average, led by (0, 0) and closed by (1, 1)."""

    thresholds: Floats
    fpr: Floats
    tpr: Floats

    _line = "{fpr:count point}"


@dataclass(frozen=True, eq=False, repr=False)
class SharedThresholdAverage(Average):
    """What the threshold average and the pooled curve have in common."""

    _curve: Merged  # by shared_curve, not written to

    _in_frame = "thresholds, fpr, tpr"

    @property
    def thresholds(self) -> Floats:
        """Every distinct score, strictest first, led by an infinite one."""
        return self._curve[0]

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        return self._curve[2], self._curve[1]

    @property
    def _given_weights(self) -> tuple[Floats, Floats]:
        """What every group with a rate counts on the FPR and on the TPR axis, as it was given."""
        return self._weights, self._weights

    @cached_property
    def _axis_weights(self) -> tuple[Floats, Floats]:
        """The same as shares of one, which are rounded."""
        of_fpr, of_tpr = self._given_weights
        return of_fpr / of_fpr.sum(), of_tpr / of_tpr.sum()

    @cached_property
    def _spread_weights(self) -> Floats:
        """What every group counts in the spread between groups."""
        return self.weights

    @cached_property
    def _exact(self) -> Array | None:
        """The thresholds as integers, where floats cannot tell these apart (see CountTable)."""
        table = self._groups.table
        if table.exact is None:
            return None
        is_score = np.ones(table.exact.size, dtype=np.bool_)
        is_score[table.offsets[:-1]] = False
        rising = np.unique(table.exact[is_score])
        return np.append(rising[:1], rising[::-1] if table.higher_is_positive else rising)

    def group_points(self, at: ArrayLike | Mapping[str, Any]) -> GroupPoints:  # noqa: D102 - as of every average
        table, thresholds = self._groups.table, self._positions_at(at, "threshold")
        fpr, tpr = rates_of_groups(table, thresholds, None)
        fpr[table.n_negatives == 0] = np.nan
        tpr[table.n_positives == 0] = np.nan
        return GroupPoints(fpr, tpr, np.broadcast_to(thresholds, fpr.shape))

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> ThresholdRates:
        """The rates of the average at a threshold, and their spread between groups.

        Parameters
        ----------
        threshold : float or array-like
            Any number, observed or not; integers are compared with integer scores as integers.
        rule : {">=", ">"}
            What calls a score positive, ``">="`` by default; where low scores are positive ``"<="``
            (default) or ``"<"``.
        """
        return self._rates_at(threshold, rule)[0]

    def _rates_at(self, threshold: ArrayLike, rule: str | None) -> tuple[ThresholdRates, dict[str, Array]]:
        """The rates, and where groups are alike."""

        def looked(block: Array) -> dict[str, Array]:
            rates = rates_of_groups(self._groups.table, block, rule)
            return scatter(self, *rates, self._axis_weights, self._spread_weights)

        high, exact = self._groups.higher_is_positive, self._exact
        vertex, rule = vertex_at(self.thresholds, threshold, rule, high, exact)
        at = real_numbers("threshold", threshold) if exact is None else np.asarray(threshold, dtype=object)
        found = block_by_block(looked, at, self.n_groups)
        values = {name: scalar_or_array(found[name], threshold) for name in SPREADS}
        values |= {own: scalar_or_array(getattr(self, own)[vertex], threshold) for own in ("fpr", "tpr")}
        return ThresholdRates(threshold=thresholds_told(threshold, exact), **values, rule=rule), found

    def grid(self, n_points: int = 101, *, by: str = "rank") -> ThresholdGrid:
        """Some of the points, chosen evenly by rank of the distinct scores or evenly by value.

        (0, 0) is always added. Ranks do not change when all scores are rescaled; values do, and infinite
        scores have no even spacing (RS085).
        """
        one_of("by", by, ("rank", "value"))
        n_points = whole_number("n_points", n_points, least=2, example=101)
        observed = self.thresholds[1:]
        if by == "value":
            if not np.isfinite(observed[[0, -1]]).all():
                raise fail("RS085", low=observed[-1], high=observed[0])
            chosen = np.linspace(observed[0], observed[-1], n_points)
            vertex, _ = vertex_at(self.thresholds, chosen, None, self._groups.higher_is_positive)
        else:
            vertex = 1 + ranks(observed.size, n_points)
            chosen = self.thresholds[vertex]
        vertex, chosen = np.append(0, vertex), np.append(self.thresholds[0], chosen)
        return ThresholdGrid(chosen, self.fpr[vertex], self.tpr[vertex])

    @cached_property
    def _called_of_all(self) -> Merged:
        """The shares of all positives and negatives that thresholds call positive, every case counting once.

        Thresholds may be more than those of the average, where some cases count nothing in it.
        """
        groups = self._groups
        totals = (np.asarray(own, dtype=np.float64) for own in (groups.n_negatives, groups.n_positives))
        return shared_curve(groups, *totals)

    @cached_property
    def _shares_called(self) -> Floats:
        """The share of all cases that each threshold calls positive, every case counting once."""
        thresholds, tpr, fpr = self._called_of_all
        called = self._share_of_all(fpr, tpr)
        if thresholds.size == self.thresholds.size:
            return called
        above = 1 if self._groups.higher_is_positive else -1  # cases that count nothing in the average
        return np.asarray(called[np.searchsorted(-above * thresholds, -above * self.thresholds, "right") - 1])

    def _share_of_all(self, fpr: Floats, tpr: Floats) -> Floats:
        n_negatives, n_positives = (
            float(own.sum()) for own in (self._groups.n_negatives, self._groups.n_positives)
        )
        return np.asarray((n_negatives * fpr + n_positives * tpr) / (n_negatives + n_positives))

    def _alerts_between(self, upper: SharedThresholdAverage, at: Floats, moved: float) -> dict[str, Any]:
        """Where thresholds call a share of cases positive, of which this and `upper` are the bounds.

        The strictest threshold that may call so many, and the loosest; both are observed scores, and every
        average of the rows reads the share between them.
        """
        high = self._groups.higher_is_positive
        grid = np.union1d(self._called_of_all[0][1:], upper._called_of_all[0][1:])[:: -1 if high else 1]

        def read(own: SharedThresholdAverage, curve: Merged) -> tuple[Floats, Floats]:
            vertex, _ = vertex_at(curve[0], grid, None, high)
            return curve[2][vertex], curve[1][vertex]

        # The lowest curves have the most false positives and the fewest true ones, the highest the others.
        (most_fpr, least_tpr), (least_fpr, most_tpr) = (
            read(own, own._called_of_all) for own in (self, upper)
        )
        most, least = self._share_of_all(most_fpr, most_tpr), self._share_of_all(least_fpr, least_tpr)
        first = np.searchsorted(np.maximum.accumulate(most), at - moved, side="left")
        last = np.searchsorted(np.maximum.accumulate(least), at + moved, side="right")
        (most_fpr, least_tpr), (least_fpr, most_tpr) = (read(own, own._curve) for own in (self, upper))
        lowest = [np.append(0.0, own)[first] for own in (least_fpr, least_tpr)]
        highest = [np.append(own, 1.0)[last] for own in (most_fpr, most_tpr)]
        return dict(zip(("fpr", "tpr"), zip(lowest, highest, strict=True), strict=True))

    def _alert_shares(self, prevalence: float | None) -> Floats:
        return self._shares_called if prevalence is None else super()._alert_shares(prevalence)

    def _at_alerts(self, value: ArrayLike, how: How) -> AveragePoint:
        """Where the threshold is set, again on other data, to call this share of all cases positive."""
        at = np.asarray(value, dtype=np.float64).ravel()
        equal = np.full(self.n_groups, 1 / self.n_groups)
        found: dict[str, Array] = {}
        for own in ("fpr", "tpr"):
            values = self._linearised(at, "alerts", free=own)
            found[own] = self._free_at(at, "alerts", own)
            error = spread(values, equal, self.design.test_train_ratio).standard_error
            found |= {f"{own}_standard_error": error, f"{own}_alike": mostly_alike(values)}
        warn_if_alike(self, how, found["tpr_alike"], at)
        threshold = kept = None
        if not np.ndim(value):
            vertex = int(np.searchsorted(self._shares_called, at[0] * (1 + 1e-12), side="right")) - 1
            threshold = float(self.thresholds[max(vertex, 0)])
            with warnings.catch_warnings():  # what its groups have in common has been said of the reading
                warnings.simplefilter("ignore", RocsteadyWarning)
                kept = replace(self._at("threshold", threshold, how), beside=self._beside(threshold))
        facts: dict[str, Any] = {"kept": kept, "beside": self._beside(threshold), "rate": value}
        return self._point(how, "alerts", value, found, self.degrees_of_freedom, threshold=threshold, **facts)

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        if name == "alerts":
            return self._at_alerts(value, how)
        if name != "threshold":
            return super()._at(name, value, how)
        rates, found = self._rates_at(value, None)
        at, span = np.asarray(rates.threshold), None
        for own in ("fpr", "tpr"):
            found[own] = getattr(rates, own)
            found[f"{own}_alike"] &= np.isfinite(at.astype(np.float64))
            warn_if_alike(self, how, found[f"{own}_alike"], at)
        if not at.ndim:
            groups = rates_of_groups(self._groups.table, value, None)
            span = tuple((float(own.min()), float(own.max())) for own in groups)
        return self._point(how, name, value, found, threshold=rates.threshold, group_range=span)

    def _shared_threshold(self, fpr: float, tpr: float, held: str) -> float:
        """The threshold that keeps what is held, as :func:`rocsteady.choose_cutoff` has it.

        The largest TPR with such an FPR, of several the strictest; the least FPR with such a TPR, and there
        the largest TPR.
        """
        if held == "tpr":
            strictest = min(int(np.searchsorted(self.tpr, tpr * (1 - 1e-12))), self.tpr.size - 1)
            vertex = int(np.searchsorted(self.fpr, self.fpr[strictest], side="right")) - 1
        else:
            loosest = max(int(np.searchsorted(self.fpr + self.tpr, fpr + tpr, side="right")) - 1, 0)
            vertex = int(np.searchsorted(self.tpr, self.tpr[loosest]))
        return float(self.thresholds[vertex])

    def _beside(self, threshold: float | None) -> float | None:
        if threshold is None:
            return None
        is_high = self._groups.higher_is_positive
        looser = self.thresholds < threshold if is_high else self.thresholds > threshold
        return float(self.thresholds[np.argmax(looser)]) if looser.any() else None

    @cached_property
    def _points(self) -> Points:
        most = int(np.clip(MOST_VALUES // max(len(self.members), 1), 200, _MOST_THRESHOLDS))
        vertex = even_vertices(self.fpr + self.tpr, most)
        fpr, tpr = rates_of_groups(self._groups.table, self.thresholds[vertex], None)
        # The first threshold is beyond everything, also beyond a score that is itself infinite.
        fpr[:, vertex == 0] = tpr[:, vertex == 0] = 0.0
        return fpr, tpr, *self._axis_weights


def ranks(n: int, n_points: int) -> Integers:
    """Indices 0 to n - 1, evenly chosen: ``j (n - 1) / (n_points - 1)``, rounded half up in integers."""
    j = np.arange(n_points, dtype=np.int64)
    return np.unique((2 * j * (n - 1) + (n_points - 1)) // (2 * (n_points - 1)))


# Threshold averaging: the mean of the groups' rates at every threshold
# ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Ellipse(TableResult):
    """A confidence region for both mean rates at once (Hotelling).

    Attributes
    ----------
    center : (2,) array
        ``fpr`` and ``tpr`` of the average.
    covariance : (2, 2) array
        Between groups; that of the mean is this over the number of groups.
    fpr, tpr : arrays
        The outline, closed; a segment or a point where the groups do not scatter in two dimensions; NaN for
        fewer than three groups.
    confidence_level : float
        Of the region.
    """

    center: Floats
    covariance: Floats
    fpr: Floats
    tpr: Floats
    confidence_level: float

    _in_frame = "fpr, tpr"
    _line = "around fpr {center[0]:.4f}, tpr {center[1]:.4f}, confidence level {confidence_level:g}"


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdAverage(SharedThresholdAverage):
    """The mean of both rates over groups at every threshold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "threshold")
    >>> average
    ThresholdAverage(threshold, 2 folds, AUC 0.8438)
    >>> average.rates_at(0.4)
    ThresholdRates(score >= 0.4: fpr 0.5000, tpr 0.7500)
    """

    method: Threshold

    def ellipse(self, threshold: float, confidence_level: float = 0.95) -> Ellipse:
        """The confidence region of both mean rates at a threshold; what is random is the groups."""
        open_share("confidence_level", confidence_level)
        one_number("threshold", threshold)
        rates = self.rates_at(threshold)
        between, center = rates.covariance, np.array([rates.fpr, rates.tpr])
        covariance = np.array([[rates.fpr_sd**2, between], [between, rates.tpr_sd**2]])
        effective = 1 / share_of_variance(1 / self.effective_groups, self.design.test_train_ratio)
        radius = ellipse_radius(self.degrees_of_freedom + 1, effective, confidence_level)
        fpr, tpr = ellipse_outline(center, covariance, radius)
        return Ellipse(center, covariance, fpr, tpr, confidence_level)


# Pooling: the curve of all rows together, as if they came from one group
# -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PooledAverage(SharedThresholdAverage):
    """The curve of all rows together; groups of one class count too.

    Examples
    --------
    >>> import rocsteady as rs
    >>> hosts = rs.ScoreSet.from_arrays([1, 0, 0, 0], [0.9, 0.4, 0.3, 0.95], ["a", "a", "b", "b"])
    >>> rs.average(hosts, "pooled")
    PooledAverage(pooled, 2 groups, 1 without a curve, AUC 0.6667)
    """

    method: Pooled
    _sizes: tuple[Floats, Floats]  # what every group counts among the negatives and the positives

    @property
    def _given_weights(self) -> tuple[Floats, Floats]:
        return self._sizes

    @cached_property
    def _spread_weights(self) -> Floats:
        has_both = (self._sizes[0] > 0) & (self._sizes[1] > 0)
        return np.asarray(has_both / max(has_both.sum(), 1))

    @cached_property
    def effective_groups(self) -> float:
        """How many groups of equal size would be as sure, in the class where that is fewer."""
        return min(map(effective_number, self._axis_weights))

    @cached_property
    def degrees_of_freedom(self) -> float:
        """Of t intervals, in the class where they are fewer."""
        return min(map(degrees_of_freedom, self._axis_weights))

    def _cases_behind(self, rate: str) -> tuple[Floats, Array | None]:
        """Groups of one class count too; an area needs both classes, and counts the rarer one."""
        cases, table = self._groups.cases, self._groups.table
        if rate == "auc":
            rate = "fpr" if table.n_negatives.sum() < table.n_positives.sum() else "tpr"
        i = rate != "fpr"
        return self._axis_weights[i], None if cases is None else cases[i]
