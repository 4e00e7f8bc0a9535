"""The mean of curves along one direction: vertical, horizontal, diagonal, any angle; also of smROC curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady import _kernels
from rocsteady.arrays import Array, Floats, Indices, Mask
from rocsteady.averaging.base import (
    MOST_VALUES,
    Average,
    Averaged,
    AveragePoint,
    GroupPoints,
    Members,
    Points,
    block_by_block,
    own_thresholds,
    scale_of,
    small_groups,
    warn_if_alike,
    with_grid,
)
from rocsteady.averaging.methods import AlongDirection, AtCosts, Direction
from rocsteady.counting.table import warn_without_kernels
from rocsteady.curves.intervals import Band, BandEdge, runs_of
from rocsteady.curves.readings import read_path, scalar_or_array
from rocsteady.errors import fail, warn
from rocsteady.options import How, rates, real_numbers, whole_number
from rocsteady.places import Kind
from rocsteady.results import TableResult, plain, read_only
from rocsteady.statistics.groups import mostly_alike, spread, weighted_mean
from rocsteady.statistics.limits import t_quantile
from rocsteady.statistics.resampling import half_width

if TYPE_CHECKING:
    from rocsteady.curves.smroc import SmrocCurve

_BEYOND = 1e-12  # a position this far outside counts as the end
_MOST_POSITIONS = 1000
_FEWEST_POSITIONS = 101
_FEWEST_BEYOND = 5
"""Cases of the held class beyond the place: with fewer an interval of 95 % was measured to cover 0.74."""
_USUAL = 0.1
"""Where a whole curve is judged."""


@dataclass(frozen=True, eq=False, repr=False)
class DirectionPoint(TableResult):
    """Where the groups stand at a position along the direction.

    Attributes
    ----------
    position : float or array
        ``cos * fpr + sin * tpr``, the same for all groups.
    fpr, tpr : float or array
        The point of the average.
    value : float or array
        The mean of ``cos * tpr - sin * fpr``; on a jump of a group's curve its better end, unless the method
        says "mid".
    sd, standard_error : float or array
        Of the value: between groups, and of the mean. NaN for a single group.
    """

    position: Any
    fpr: Any
    tpr: Any
    value: Any
    sd: Any
    standard_error: Any

    _in_frame = "position, fpr, tpr, value, sd, standard_error"
    _line = "fpr {fpr:.4f}, tpr {tpr:.4f}, standard error {standard_error:.4f}"
    _lines = "at {position:count position}"


def warn_of_steps(*, is_jump: bool, **facts: Any) -> None:
    """RS317 of what :meth:`DirectionalAverage._steep_steps` found."""
    if is_jump:
        warn("RS317.steps", **facts)
    else:
        warn("RS317.between", **facts)


@dataclass(frozen=True, eq=False, repr=False)
class DirectionalAverage(Average):
    """The mean of curves along a direction; an exact polyline, jumps kept.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "vertical")
    >>> average
    DirectionalAverage(vertical, 2 folds, AUC 0.8125)
    >>> average.at_position(0.5).value
    1.0
    """

    method: AlongDirection

    @property
    def direction(self) -> Direction:
        """Cosine and sine of the angle, exact where the angle is 0, pi/4 or pi/2."""
        return self.method.direction

    @property
    def angle(self) -> float:
        """The angle in radians: 0 vertical, pi/4 diagonal, pi/2 horizontal."""
        return self.direction.angle

    @cached_property
    def auc(self) -> float:
        """Area under the average, which is the mean of the areas."""
        return float(self.weights @ self._groups.auc)

    def _areas(self) -> tuple[float, Floats, Floats]:
        return 0.0, self._groups.auc, self.weights

    @cached_property
    def _path(self) -> tuple[Floats, Floats, Floats]:
        """The positions where any curve bends, twice where the mean jumps, and the mean rates there."""
        warn_without_kernels()
        table, direction = self._groups.table, self.method.direction
        at, fpr, tpr = _kernels.kernels.average_paths(
            table.true_positives, table.false_positives, table.offsets, self._weights,
            direction.cosine, direction.sine, _kernels.thread_count(self._groups.threads),
        )  # fmt: skip
        return read_only(at), read_only(fpr), read_only(tpr)

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        return self._path[1], self._path[2]

    def _turned_back(self, position: Any, value: Any) -> tuple[Any, Any]:
        """``fpr`` and ``tpr`` of a position and a value."""
        direction = self.method.direction
        if direction.is_vertical:
            return position, value
        if direction.is_horizontal:
            return 0.0 - value, position  # never -0.0
        c, s = direction.cosine, direction.sine
        return c * position - s * value, s * position + c * value

    def at_position(self, position: ArrayLike) -> DirectionPoint:
        """The mean and the spread of the groups at positions along the direction.

        Parameters
        ----------
        position : float or array-like
            ``cos * fpr + sin * tpr``, from 0 to ``cos + sin``: the FPR of a vertical average, the TPR of a
            horizontal one.
        """
        given, length = real_numbers("position", position), self.direction.length
        outside = ~((given >= -_BEYOND) & (given <= length + _BEYOND))
        if outside.any():
            raise fail("RS042.position", length=length, found=given[outside].flat[0])
        at = np.clip(given, 0.0, length)
        found = block_by_block(self._spread, at, self.weights.size)
        fpr, tpr = self._turned_back(at, found["mean"])
        shaped = (at, fpr, tpr, found["mean"], found["sd"], found["standard_error"])
        return DirectionPoint(*(scalar_or_array(array, position) for array in shaped))

    def grid(self, n_points: int = 101) -> DirectionPoint:
        """The average at evenly spaced positions, ends included; its area is only near that of the curve."""
        n_points = whole_number("n_points", n_points, least=2, example=101)
        return self.at_position(np.linspace(0, self.direction.length, n_points))

    def _values(self, positions: Floats) -> Floats:
        """What every group is worth at positions in any order, ``(n_groups, n)``."""
        rising, back = np.unique(positions, return_inverse=True)
        first, last = self._ends(rising)
        values = (first + last) / 2 if self.method.jumps_to_mid else np.maximum(first, last)
        return np.asarray(values[:, back])

    def _ends(self, rising: Floats) -> tuple[Floats, Floats]:
        """The same at rising positions, before and after a jump there."""
        warn_without_kernels()
        groups, direction = self._groups, self.method.direction
        place = direction.cosine, direction.sine, rising, _kernels.thread_count(groups.threads)
        ends: tuple[Floats, Floats]
        if groups.plain_scores is None or "table" in groups.__dict__:
            table = groups.table
            ends = _kernels.kernels.read_paths(
                table.true_positives, table.false_positives, table.offsets, *place
            )
            return ends
        c = groups.plain_scores.columns  # some positions need no curve to be counted and kept
        ends = _kernels.kernels.read_scores(
            c.scores, c.labels, c.offsets, c.positive, c.negative, c.higher_is_positive, *place
        )
        whole = len(ends[0]) == len(groups)
        return ends if whole else (ends[0][groups.chosen], ends[1][groups.chosen])

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        if not self.method.holds(name):
            return super()._at(name, value, how)
        how, at = scale_of(self.method, how), np.asarray(value, dtype=np.float64).ravel()
        facts: dict[str, Any] = {}
        if name == "alerts":
            at = at * self.method.direction.length  # a rate of 1 is the end
            facts["rate"] = value
        elif not np.ndim(value):
            own = own_thresholds(self._groups.table, self.method.direction, at)
            facts["thresholds"] = float(own.min()), float(own.max())
        spreads = block_by_block(self._spread, at, self.weights.size)
        warn_if_alike(self, how, spreads["alike"], at)
        steps = self._steep_steps(at)
        if steps is not None:
            warn_of_steps(**steps)
        # The curve's own point, so that it is the one that tpr_at and fpr_at read, to the last digit.
        better, other = ("first", "last") if name == "tpr" else ("last", "first")
        errors = self._turned_back(np.zeros_like(at), spreads["standard_error"])
        found: dict[str, Array] = {name: at}
        for rate, path, error in zip(("fpr", "tpr"), self._path[1:], errors, strict=True):
            if rate != name:
                found[rate] = read_path(self._path[0], path, at, end=better)
                if self.method.jumps_to_mid:
                    found[rate] = (found[rate] + read_path(self._path[0], path, at, end=other)) / 2
                found |= {f"{rate}_standard_error": np.abs(error), f"{rate}_alike": spreads["alike"]}
        return self._point(how, name, value, found, **facts)

    def group_points(self, at: ArrayLike | Mapping[str, Any]) -> GroupPoints:  # noqa: D102 - as of every average
        held: tuple[Kind, ...] = ("fpr", "tpr", "alerts")
        kind = next((own for own in held if self.method.holds(own)), None)
        direction, shares = self.method.direction, self._positions_at(at, kind)
        positions = np.clip(shares * direction.length, 0.0, direction.length)
        thresholds = own_thresholds(self._groups.table, direction, positions)
        values = self._values(positions)
        fpr, tpr = self._turned_back(np.broadcast_to(positions, values.shape), values)
        return GroupPoints(np.clip(fpr, 0.0, 1.0), np.clip(tpr, 0.0, 1.0), thresholds)

    def _spread(self, positions: Floats) -> dict[str, Array]:
        """Mean and spread at positions; where most curves are alike, but for the ends that all share."""
        values = self._values(positions)
        found = spread(values, self.weights, self._groups.design.test_train_ratio)
        return vars(found) | {"alike": mostly_alike(values) & ~self._at_corner(positions, values[0])}

    def _at_corner(self, positions: Floats, values: Floats) -> Mask:
        """Where all curves must meet: at (0, 0) and (1, 1)."""
        rates = np.array(self._turned_back(positions, values))
        return np.asarray((np.abs(rates) < _BEYOND).all(axis=0) | (np.abs(rates - 1) < _BEYOND).all(axis=0))

    def _steep_steps(self, at: Floats | None = None) -> dict[str, Any] | None:
        """What RS317 says of a vertical or a horizontal average at these rates, or its curve."""
        method, is_vertical = self.method, self.method.direction.is_vertical
        if method.jumps_to_mid or method.direction.is_oblique:
            return None
        held, named = "fpr" if is_vertical else "tpr", {"label": method.label, "kind": type(method).__name__}
        if at is None:
            at = on_jumps = np.array([_USUAL if is_vertical else 1 - _USUAL])
        else:  # between the jumps there is no middle to read
            first, last = (
                np.array([read_path(self._path[0], own, at, end=end) for own in self._path[1:]])
                for end in ("first", "last")
            )
            on_jumps = at[(np.abs(first - last) > _BEYOND).any(axis=0)]
        steps = small_groups(self, held, on_jumps, _FEWEST_BEYOND)
        found = steps or small_groups(self, held, at, _FEWEST_BEYOND)
        return found and {"is_jump": steps is not None} | found | named

    def expected_cost(self) -> Floats:
        """Expected cost per case at every vertex, for an average along the cost direction (AtCosts)."""
        if not isinstance(self.method, AtCosts):
            raise fail("RS084.costs", label=self.method.label)
        of_misses, of_alarms = self.method.expected
        return of_misses * (1 - self.tpr) + of_alarms * self.fpr

    # Bands
    # -----

    def _band(self, kind: str, declared: tuple[float, float], wanted: Floats | None, how: How) -> Band:
        """Limits of the mean at positions along the direction."""
        steps = None if kind == "prediction" else self._steep_steps()
        if steps is not None:
            warn_of_steps(**steps)
        ratio, direction = self.design.test_train_ratio, self.method.direction
        if kind == "simultaneous":
            low, high = declared
            if not direction.is_vertical:
                low, high = (direction.cosine * x + direction.sine * float(self.tpr_at(x)) for x in declared)
            at, is_shown = with_grid((low, high), None if wanted is None else self._positions(wanted))
            values = self._values(at)
            half, factor, left_out = half_width(values, self.weights, how, ratio)
            mean = weighted_mean(values, self.weights)
            lines = np.array([at, mean, mean - half, mean + half])[:, is_shown]
        else:
            at = self._band_positions() if wanted is None else self._positions(wanted)
            at, values = (at, self._values(at)) if self.method.jumps_to_mid else self._both_ends(at)
            found, left_out = spread(values, self.weights, ratio), mostly_alike(values)
            factor = t_quantile(self.degrees_of_freedom, how.confidence_level, how.quantile)
            half = factor * found.sd * np.sqrt(1 + 1 / self.effective_groups)
            limits = found.mean - half, found.mean + half
            if kind == "pointwise":
                limits = self._limits_along(at, found.mean, found.standard_error, how, left_out)
            lines = np.array([at, found.mean, *limits])
            if kind == "pointwise":
                lines = self._up_to_the_corner(lines, how, left_out)
        is_left_out = left_out & (at > 0) & (at < direction.length)  # fixed ends do not count
        fpr = at
        if not direction.is_vertical and is_left_out.any():
            fpr, _ = self._turned_back(at, self.weights @ self._values(at))
        middle, lower, upper = (
            BandEdge(*map(np.array, self._turned_back(lines[0], own))) for own in lines[1:]
        )
        where = declared if kind == "simultaneous" else None
        return Band(
            lower, upper, middle, kind, how.confidence_level, factor, where, runs_of(fpr, is_left_out),
            _sentence="averages.band", _about=self.averaged,
        )  # fmt: skip

    def _limits_along(
        self, at: Floats, mean: Floats, error: Floats, how: How, alike: Mask
    ) -> tuple[Floats, Floats]:
        """Limits of the mean along the direction, as those of a point there."""
        how, alike = scale_of(self.method, how), alike & ~self._at_corner(at, mean)
        if self.method.direction.is_horizontal:  # the value is that of the FPR, turned round: less is better
            low, high = self._limits("fpr", 0.0 - mean, error, how, alike)
            return 0.0 - high, 0.0 - low
        return self._limits("tpr", mean, error, how, alike)

    def _up_to_the_corner(self, lines: Floats, how: How, alike: Mask) -> Floats:
        """Position, mean and limits; twice at a corner that groups run into alike: just before and at it."""
        is_vertical = self.method.direction.is_vertical
        end = -1 if is_vertical else 0
        is_run_into = alike[end] and self._at_corner(*lines[:2, [end]])[0]
        if scale_of(self.method, how).scale == "linear" or not is_run_into:
            return lines
        before = lines[:, end].copy()
        low, high = self._limits("tpr" if is_vertical else "fpr", abs(before[1]), 0.0, how, alike=True)
        before[2:] = (low, high) if is_vertical else (0.0 - high, 0.0 - low)
        return np.insert(lines, lines.shape[1] - 1 if end else 1, before, axis=1)

    def _positions(self, fpr: Floats) -> Floats:
        """Where the average has these false positive rates, along its direction; both ends of its jumps."""
        direction = self.method.direction
        if direction.is_vertical:
            return fpr
        tpr = [np.asarray(self.tpr_at(fpr, side=side)) for side in ("lower", "upper")]
        ends = [direction.cosine * fpr + direction.sine * own for own in tpr]
        return np.unique(np.clip(ends, 0.0, direction.length))

    def _band_positions(self) -> Floats:
        """Where bands are looked at: every bend, or a grid where there are more than a band needs."""
        positions = self._path[0]
        corners = positions[np.append(True, positions[1:] > positions[:-1])]
        most = int(np.clip(MOST_VALUES // len(self.members), _FEWEST_POSITIONS, _MOST_POSITIONS))
        return corners if corners.size <= most else np.linspace(0, self.method.direction.length, most)

    def _both_ends(self, rising: Floats) -> tuple[Floats, Floats]:
        """Positions, twice where some curve jumps, and the values of every group there."""
        first, last = self._ends(rising)
        index: Indices = np.repeat(np.arange(rising.size), 1 + (first != last).any(axis=0))
        is_second = np.append(False, index[1:] == index[:-1])
        values = first.take(index, axis=1)
        values[:, is_second] = last.take(index[is_second], axis=1)
        return rising[index], values

    @cached_property
    def _points(self) -> Points:
        at, values = self._both_ends(self._band_positions())  # the curve has its jumps, however they are read
        fpr, tpr = self._turned_back(np.broadcast_to(at, values.shape), values)
        return fpr, tpr, self.weights, self.weights


# Averages of smROC curves: along a direction, as of any curves, but of shares of credit instead of rates
# -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SmrocMembers(Members):
    """The groups of an average of smROC curves; the counts of the table are sums of credit and debit."""

    _curves: tuple[SmrocCurve, ...] = ()

    @property
    def is_weighted(self) -> bool:
        """Credit and debit are no numbers of cases."""
        return True

    @property
    def curves(self) -> list[SmrocCurve]:  # type: ignore[override]
        """The curves that are averaged."""
        return [self._curves[i] for i in self.chosen]

    @cached_property
    def n_positives(self) -> Array:
        """Positives (or their weight) of every group."""
        return np.array([curve.n_positives for curve in self.curves])

    @cached_property
    def n_negatives(self) -> Array:
        """Negatives (or their weight) of every group."""
        return np.array([curve.n_negatives for curve in self.curves])

    @cached_property
    def auc(self) -> Floats:
        """The smAUC of every group."""
        return np.array([curve.auc for curve in self.curves])


@dataclass(frozen=True, eq=False, repr=False)
class SmrocAverage(DirectionalAverage):
    """The mean of smROC curves along a direction; an exact polyline whose area is the mean smAUC.

    ``.fpr`` is a share of all debit and ``.tpr`` a share of all credit, as on :class:`SmrocCurve`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.smroc_curve(rs.ScoreSet.from_folds(folds), mid=0.5), "vertical")
    >>> average
    SmrocAverage(vertical, 2 folds, smAUC 0.7452, chance about 0.5000)
    """

    _groups: SmrocMembers

    @cached_property
    def averaged(self) -> Averaged:
        """What was averaged, for sentences."""
        return replace(super().averaged, smroc_areas=(self.auc, self.chance_auc))

    @property
    def curves(self) -> list[SmrocCurve]:  # type: ignore[override]
        """The smROC curves in the average, in the order of ``members``."""
        return self._groups.curves

    @cached_property
    def chance_auc(self) -> float:
        """About the mean smAUC that the same scores would have with labels dealt at random."""
        return float(self.weights @ [curve.chance_auc for curve in self.curves])

    def chance_tpr_at(self, fpr: ArrayLike) -> Any:
        """About the mean credit share, at a debit share, of labels dealt at random (vertical averages).

        It is what the average is to be read against; the diagonal is not. The area under it is
        ``chance_auc``.
        """
        if not self.direction.is_vertical:
            raise fail("RS089.chance")
        at = rates("fpr", fpr)
        paths = [curve.chance_path for curve in self.curves]
        found = self.weights @ np.array([read_path(x, y, np.ravel(at), end="last") for x, y in paths])
        return scalar_or_array(found.reshape(at.shape), fpr)

    @property
    def equal_error_rate(self) -> float:
        """Refused (RS089): the axes are not error rates."""
        raise fail("RS089.equal-error")

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """Refused (RS089): the points are not decisions."""
        raise fail("RS089.minimum-cost")

    def expected_cost(self) -> Floats:
        """Refused (RS089): the points are not decisions."""
        raise fail("RS089.expected-cost")

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        if name == "alerts":
            raise self._refused(name)
        return super()._at(name, value, how)

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        found = super().to_dict()
        areas = {"smauc": found.pop("auc"), "chance_smauc": plain(self.chance_auc)}
        return found | areas

    @property
    def _area_words(self) -> str:
        return f"smAUC {self.auc:.4f}, chance about {self.chance_auc:.4f}"
