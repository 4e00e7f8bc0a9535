"""Vertical, horizontal, diagonal, at any angle.

The mean of curves along one direction, of ROC and of smROC curves.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
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
    Points,
    in_blocks,
    mostly_alike,
    steep_steps,
    warn_if_alike,
)
from rocsteady.averaging.members import Members, one_model, weights_of
from rocsteady.averaging.methods import (
    AlongDirection,
    AtAlarmRate,
    AtCosts,
    Binormal,
    Direction,
    Method,
    Pooled,
    Radial,
    Tangent,
    Threshold,
)
from rocsteady.counting.table import CountTable, warn_without_kernels
from rocsteady.curves.readings import read_path, scalar_or_array
from rocsteady.curves.smroc import refuse_undefined_areas
from rocsteady.errors import fail, warn
from rocsteady.options import How, one_of, rates, real_numbers, whole_number
from rocsteady.results import TableResult, plain, read_only
from rocsteady.scores.labels import NO_WORDS
from rocsteady.statistics.groups import Spread, spread
from rocsteady.words import counted

if TYPE_CHECKING:
    from rocsteady.curves.smroc import SmrocCurve


# Vertical, horizontal, diagonal, at any angle: the mean of curves along one direction
# ------------------------------------------------------------------------------------


_BEYOND = 1e-12  # a position this far outside counts as the end
_MOST_POSITIONS = 1000
_FEWEST_POSITIONS = 101


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

    def _columns(self) -> dict[str, Any]:
        return {name: np.atleast_1d(value) for name, value in vars(self).items()}

    def __repr__(self) -> str:
        if np.ndim(self.position):
            return f"DirectionPoint(at {counted(np.size(self.position), 'position')})"
        error = f"standard error {self.standard_error:.4f}"
        return f"DirectionPoint(fpr {self.fpr:.4f}, tpr {self.tpr:.4f}, {error})"


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
        table, direction = self._groups.table, self.direction
        path: tuple[Floats, Floats, Floats] = _kernels.kernels.average_paths(
            table.true_positives,
            table.false_positives,
            table.offsets,
            self._weights,
            direction.cosine,
            direction.sine,
            _kernels.thread_count(self._groups.threads),
        )
        for own in path:
            read_only(own)
        return path

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        return self._path[1], self._path[2]

    def _turned_back(self, position: Any, value: Any) -> tuple[Any, Any]:
        """``fpr`` and ``tpr`` of a position and a value."""
        direction = self.direction
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
        found, _ = self._spread(at.ravel())
        fpr, tpr = self._turned_back(at.ravel(), found.mean)
        shaped = (at, fpr, tpr, found.mean, found.sd, found.standard_error)
        return DirectionPoint(*(scalar_or_array(array.reshape(at.shape), position) for array in shaped))

    def grid(self, n_points: int = 101) -> DirectionPoint:
        """The average at evenly spaced positions, ends included; its area is only near that of the curve."""
        n_points = whole_number("n_points", n_points, least=2, example=101)
        return self.at_position(np.linspace(0, self.direction.length, n_points))

    def _values(self, positions: Floats) -> Floats:
        """What every group is worth at positions in any order, ``(n_groups, n)``."""
        order = np.argsort(positions, kind="stable")
        is_rising = bool((order[1:] > order[:-1]).all())
        first, last = self._ends(positions if is_rising else positions[order])
        values = (first + last) / 2 if self.method.jumps_to_mid else np.maximum(first, last)
        if is_rising:
            return np.asarray(values)
        back = np.empty_like(order)
        back[order] = np.arange(order.size)
        return np.asarray(values[:, back])

    def _ends(self, rising: Floats) -> tuple[Floats, Floats]:
        warn_without_kernels()
        groups, direction = self._groups, self.direction
        if groups.has_plain_scores and not groups.is_counted:  # some positions need no curve to be kept
            c = groups.score_set.columns  # type: ignore[union-attr]
            first, last = _kernels.kernels.read_scores(
                c.scores,
                c.labels,
                c.offsets,
                c.positive,
                c.negative,
                c.higher_is_positive,
                direction.cosine,
                direction.sine,
                rising,
                _kernels.thread_count(groups.threads),
            )
            whole = first.shape[0] == len(groups)
            return (first, last) if whole else (first[groups.chosen], last[groups.chosen])
        table = groups.table
        ends: tuple[Floats, Floats] = _kernels.kernels.read_paths(
            table.true_positives,
            table.false_positives,
            table.offsets,
            direction.cosine,
            direction.sine,
            rising,
            _kernels.thread_count(groups.threads),
        )
        return ends

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        position = self._held(name, value)
        if position is None:
            return super()._at(name, value, how)
        how, at = replace(how, scale=self._scale(how)), position.ravel()
        # The curve's own point, so that it is the one that tpr_at and fpr_at read, to the last digit.
        fpr, tpr = (scalar_or_array(rate.reshape(position.shape), value) for rate in self._read(at))
        found, alike = self._spread(at)
        warn_if_alike(self, how, alike, at)
        self._warn_of_steps(at)
        errors = self._turned_back(np.zeros_like(at), found.standard_error)
        shape = position.shape
        intervals = {
            own: self._interval(own, rate, np.abs(error).reshape(shape), how, alike.reshape(shape))
            for own, rate, error in zip(("fpr", "tpr"), (fpr, tpr), errors, strict=True)
            if own != name
        }
        is_rate = name == "alerts"
        in_use = None if is_rate or position.ndim else self._thresholds_in_use(name, value)
        return self._point(how, name, fpr, tpr, intervals, rate=value if is_rate else None, thresholds=in_use)

    def _read(self, positions: Floats) -> tuple[Floats, Floats]:
        """``fpr`` and ``tpr`` of the curve at positions; on a jump its better end, or the middle."""
        at, fpr, tpr = self._path
        ends = [
            (read_path(at, fpr, positions, end=end), read_path(at, tpr, positions, end=end))
            for end in ("first", "last")
        ]
        found = ends[0] if self.direction.is_horizontal else ends[1]
        if self.method.jumps_to_mid:
            found = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
        # What is held is what was asked for.
        if self.direction.is_vertical:
            return positions, found[1]
        return (found[0], positions) if self.direction.is_horizontal else found

    def _held(self, name: str, value: ArrayLike) -> Floats | None:
        """The position where a coordinate has this value, if it is the one that the average holds fixed."""
        if not self.method.holds(name):
            return None
        held = rates(name, value)
        return held * self.direction.length if name == "alerts" else held  # a rate of 1 is the end

    def _group_rates_at(self, name: str, at: Floats) -> tuple[Floats, Floats] | None:
        position = self._held(name, at)
        return None if position is None else self._turned_back(position, self._values(position))

    def _spread(self, positions: Floats) -> tuple[Spread, Mask]:
        """Mean and spread at positions, and where most curves have the very same value.

        The ends that all curves share do not count as such.
        """
        spreads, alike = [], []
        for block in in_blocks(positions, self.n_groups):
            values = self._values(block)
            spreads.append(spread(values, self.weights, self._ratio))
            alike.append(mostly_alike(values) & ~self._at_corner(block, values[0]))
        parts = ([getattr(own, name) for own in spreads] for name in ("mean", "sd", "standard_error"))
        return Spread(*map(np.concatenate, parts)), np.concatenate(alike)

    def _at_corner(self, positions: Floats, values: Floats) -> Mask:
        """Where all curves must meet: at (0, 0) and (1, 1)."""
        fpr, tpr = self._turned_back(positions, values)
        starts = (np.abs(fpr) < _BEYOND) & (np.abs(tpr) < _BEYOND)
        return np.asarray(starts | ((np.abs(fpr - 1) < _BEYOND) & (np.abs(tpr - 1) < _BEYOND)))

    def _warn_of_steps(self, at: Floats | None = None) -> None:
        steps = steep_steps(self, at)
        if steps is not None:
            warn("RS317.steps", **steps)

    def _scale(self, how: How) -> str:
        """Along an oblique direction there is no rate, and limits are linear."""
        is_rate = self.direction.is_vertical or self.direction.is_horizontal
        return how.scale if is_rate else "linear"

    def expected_cost(self) -> Floats:
        """Expected cost per case at every vertex, for an average along the cost direction (AtCosts)."""
        if not isinstance(self.method, AtCosts):
            raise fail("RS084.costs", label=self.method.label)
        of_misses, of_alarms = self.method.expected
        return of_misses * (1 - self.tpr) + of_alarms * self.fpr

    def _band_positions(self) -> Floats:
        """Where bands are looked at: every bend, or a grid where there are more than a band needs."""
        positions = self._path[0]
        corners = positions[np.append(True, positions[1:] > positions[:-1])]
        most = int(np.clip(MOST_VALUES // len(self.members), _FEWEST_POSITIONS, _MOST_POSITIONS))
        return corners if corners.size <= most else np.linspace(0, self.direction.length, most)

    def _band_values(self, positions: Floats | None = None) -> tuple[Floats, Floats]:
        """Those positions, twice where some curve jumps, and the values of every group there."""
        at = self._band_positions() if positions is None else positions
        if self.method.jumps_to_mid:
            return at, self._values(at)
        return self._both_ends(at)

    def _both_ends(self, rising: Floats) -> tuple[Floats, Floats]:
        first, last = self._ends(rising)
        index, is_second = _twice((first != last).any(axis=0))
        if not is_second.any():
            return rising, first
        values = first.take(index, axis=1)
        values[:, is_second] = last.take(index[is_second], axis=1)
        return rising[index], values

    def _made_points(self) -> Points:
        at, values = self._both_ends(self._band_positions())  # the curve has its jumps, however they are read
        fpr, tpr = self._turned_back(np.broadcast_to(at, values.shape), values)
        return fpr, tpr, self.weights, self.weights


def _twice(chosen: Mask) -> tuple[Indices, Mask]:
    """Indices with the chosen ones doubled, and which of them are the second of their kind."""
    index = np.repeat(np.arange(chosen.size), 1 + chosen)
    return index, np.append(False, index[1:] == index[:-1])


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
    def chosen_curves(self) -> list[SmrocCurve]:
        """The curves that are averaged."""
        return [self._curves[i] for i in self.chosen]

    @cached_property
    def n_positives(self) -> Array:
        """Positives (or their weight) of every group."""
        return np.array([curve.n_positives for curve in self.chosen_curves])

    @cached_property
    def n_negatives(self) -> Array:
        """Negatives (or their weight) of every group."""
        return np.array([curve.n_negatives for curve in self.chosen_curves])

    @cached_property
    def auc(self) -> Floats:
        """The smAUC of every group."""
        return np.array([curve.auc for curve in self.chosen_curves])


@dataclass(frozen=True, eq=False, repr=False)
class SmrocAverage(DirectionalAverage):
    """The mean of smROC curves along a direction; an exact polyline whose area is the mean smAUC.

    ``.fpr`` is a share of all debit and ``.tpr`` a share of all credit, as on :class:`SmrocCurve`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.smroc_curves(rs.ScoreSet.from_folds(folds), mid=0.5), "vertical")
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
        return self._groups.chosen_curves

    @cached_property
    def chance_auc(self) -> float:
        """About the mean smAUC that the same scores would have with labels dealt at random."""
        return float(self.weights @ [curve.chance_auc for curve in self._groups.chosen_curves])

    def chance_tpr_at(self, fpr: ArrayLike) -> Any:
        """About the mean credit share, at a debit share, of labels dealt at random (vertical averages).

        It is what the average is to be read against; the diagonal is not. The area under it is
        ``chance_auc``.
        """
        if not self.direction.is_vertical:
            raise fail("RS089.chance")
        at = rates("fpr", fpr)
        paths = [curve.chance_path for curve in self._groups.chosen_curves]
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

    def _held(self, name: str, value: ArrayLike) -> Floats | None:
        return None if name == "alerts" else super()._held(name, value)

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        return super().to_dict() | {"chance_auc": plain(self.chance_auc)}

    def _area_words(self) -> str:
        return f"smAUC {self.auc:.4f}, chance about {self.chance_auc:.4f}"


def is_smroc(x: object) -> bool:
    """Whether it is a smROC curve or only such; the module of their class is loaded if there are any."""
    kind = getattr(sys.modules.get("rocsteady.curves.smroc"), "SmrocCurve", ())
    if isinstance(x, kind):
        return True
    if not isinstance(x, Sequence) or isinstance(x, str | bytes):
        return False
    return len(x) > 0 and all(isinstance(entry, kind) for entry in x)


def smroc_average(
    x: Any, method: Method, *, group_weights: object, undefined: str, threads: int | None
) -> SmrocAverage:
    """The average of smROC curves, or RS089 for a method that has no meaning for them."""
    one_of("undefined", undefined, ("raise", "drop"))
    if not isinstance(method, AlongDirection) or isinstance(method, AtAlarmRate | AtCosts):
        raise _no_method(method)
    groups = _members(x, undefined, threads)
    groups, weights = groups.weighing(weights_of(groups, group_weights))  # type: ignore[assignment]
    return SmrocAverage(method, weights, groups)


def _no_method(method: Method) -> Exception:
    """RS089, and why: its axes are no rates of decisions."""
    return fail(
        {
            Pooled: "RS089.pooled",
            Binormal: "RS089.binormal",
            Threshold: "RS089.threshold",
            Radial: "RS089.radial",
            Tangent: "RS089.tangent",
            AtCosts: "RS089.cost",
            AtAlarmRate: "RS089.alarm-rate",
        }[type(method)],
        method=method.typed,
    )


def _members(x: Any, undefined: str, threads: int | None) -> SmrocMembers:
    from rocsteady.curves.smroc import SmrocCurve, SmrocCurves

    unit, classes = "curve", NO_WORDS
    without: tuple[str, ...] = ()
    if isinstance(x, SmrocCurves):
        one_model(list(dict.fromkeys(x.models)))
        unit, without, classes = x.unit, x.undefined, x.classes or NO_WORDS
    every = [x] if isinstance(x, SmrocCurve) else list(x)
    if len({curve.higher_is_positive for curve in every}) > 1:
        raise fail("RS002.directions", n=len(every))
    named = [(curve.name or f"curve {i}", curve) for i, curve in enumerate(every, start=1)]
    nameless = tuple(f"{name}: smAUC is undefined" for name, curve in named if curve.auc != curve.auc)
    named = [(name, curve) for name, curve in named if curve.auc == curve.auc]
    if not named or (nameless and undefined == "raise"):
        raise refuse_undefined_areas(nameless, len(every), unit, "[curve.with_mid(0.5) for curve in curves]")
    curves = tuple(curve for _, curve in named)
    table = CountTable(
        np.concatenate([curve.thresholds for curve in curves]),
        np.concatenate([curve.credit_up for curve in curves]),
        np.concatenate([curve.credit_right for curve in curves]),
        np.concatenate([[0], np.cumsum([curve.thresholds.size for curve in curves])]).astype(np.int64),
        curves[0].higher_is_positive,
    )
    return SmrocMembers(
        names=tuple(name for name, _ in named),
        undefined=(*without, *nameless),
        unit=unit,
        classes=classes,
        score_set=None,
        chosen=np.arange(len(curves)),
        threads=threads,
        _table=table,
        _curves=curves,
    )
