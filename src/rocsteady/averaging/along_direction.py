"""Vertical, horizontal, diagonal, at any angle: the mean of curves along one direction.

Seen along an angle, a point has the position ``u = cos * fpr + sin * tpr``, which is held fixed, and the
value ``v = cos * tpr - sin * fpr``, which is averaged. The area under every such average is the mean of the
areas.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady import _kernels
from rocsteady.averaging.across import mostly_alike, warn_if_alike, warn_if_skewed
from rocsteady.averaging.base import (
    MOST_VALUES,
    Asked,
    Average,
    AveragePoint,
    in_blocks,
)
from rocsteady.averaging.direction_words import describe, describe_point
from rocsteady.averaging.methods import AlongDirection, AtAlarmRate, AtAngle, AtCosts, Diagonal, Direction
from rocsteady.averaging.own_thresholds import own_thresholds
from rocsteady.averaging.steps import told_of_steps
from rocsteady.caller import caller_level
from rocsteady.counting.arguments import rates, real_numbers, whole_number
from rocsteady.counting.results import TableResult, read_only
from rocsteady.counting.table import warn_without_kernels
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.errors import Option, UsageError, warn
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import Spread, spread
from rocsteady.words import counted

Floats = NDArray[np.float64]

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
        names = ("position", "fpr", "tpr", "value", "sd", "standard_error")
        return {name: np.atleast_1d(getattr(self, name)) for name in names}

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

    def auc_interval(
        self,
        confidence_level: float = 0.95,
        *,
        quantile: str = "t",
        scale: str = "logit",
    ) -> Interval:
        """Confidence interval of the area, the mean over groups of theirs; what is random is the groups.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
        >>> hosts = rs.ScoreSet.from_folds(folds, design="independent")
        >>> rs.average(hosts, "vertical").auc_interval(0.5)
        Interval(0.7419 to 0.8672, confidence level 0.5, logit t)
        """
        asked = Asked(confidence_level, quantile, scale=scale)
        aucs = self._groups.auc[:, None]
        error, alike = spread(aucs, self.weights, self._ratio).standard_error[0], mostly_alike(aucs)
        warn_if_alike(self, asked, alike)
        warn_if_skewed(self, asked, aucs[:, 0])
        low, high = self._limits("auc", self.auc, error, asked, bool(alike[0]))
        return Interval(float(low), float(high), asked.confidence_level, asked.how)

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
        at = self._positions(position)
        found = self._spread(at.ravel())
        fpr, tpr = self._turned_back(at.ravel(), found.mean)
        shaped = (at, fpr, tpr, found.mean, found.sd, found.standard_error)
        return DirectionPoint(*(scalar_or_array(array.reshape(at.shape), position) for array in shaped))

    def grid(self, n_points: int = 101) -> DirectionPoint:
        """The average at evenly spaced positions, ends included; its area is only near that of the curve."""
        n_points = whole_number("n_points", n_points, least=2, example=101)
        return self.at_position(np.linspace(0, self.direction.length, n_points))

    def _positions(self, position: ArrayLike) -> Floats:
        at = real_numbers("position", position)
        length = self.direction.length
        outside = ~((at >= -_BEYOND) & (at <= length + _BEYOND))
        if outside.any():
            raise UsageError(
                "RS042",
                f"a position of this average must lie between 0 and {length:.6g}.",
                f"found: {at[outside].flat[0]:g}",
                Option("position", 0.05),
            )
        return np.clip(at, 0.0, length)

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

    def _at(self, name: str, value: ArrayLike, asked: Asked) -> AveragePoint:
        position = self._held(name, value)
        if position is None:
            return super()._at(name, value, asked)
        thresholds = self._own_thresholds(name, value)  # first: it counts all curves, which then are there
        asked = replace(asked, scale=self._scale(asked))
        at = position.ravel()
        found, alike = self._spread(at), self._alike(at)
        warn_if_alike(self, asked, alike, at)
        self._warn_of_steps(at)
        # The curve's own point, so that it is the one that tpr_at and fpr_at read, to the last digit.
        rates = self._read(at)
        errors = self._turned_back(0.0, found.standard_error)
        intervals: dict[str, Interval | None] = {"fpr": None, "tpr": None}
        for own, rate, error in zip(("fpr", "tpr"), rates, errors, strict=True):
            if own != name:
                ends = self._limits(own, rate, np.abs(error), asked, alike)
                low, high = (scalar_or_array(end.reshape(position.shape), value) for end in ends)
                intervals[own] = Interval(low, high, asked.confidence_level, asked.how)
        fpr, tpr = (scalar_or_array(rate.reshape(position.shape), value) for rate in rates)
        return AveragePoint(
            fpr=fpr,
            tpr=tpr,
            threshold=None,
            fpr_interval=intervals["fpr"],
            tpr_interval=intervals["tpr"],
            confidence_level=asked.confidence_level,
            reading=self._describe_point(name, value, fpr, tpr, intervals, thresholds),
            thresholds=thresholds,
            _words=self._words_of_points,
        )

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

    def _describe_point(self, *of_the_point: Any) -> str:
        """What a point means: the arguments of :func:`describe_point` after the average."""
        return describe_point(self, *of_the_point)

    def _held(self, name: str, value: ArrayLike) -> Floats | None:
        """The position where a coordinate has this value, if it is the one that the average holds fixed."""
        direction = self.direction
        if name == "fpr" and direction.is_vertical:
            return rates("fpr", value)
        if name == "tpr" and direction.is_horizontal:
            return rates("tpr", value)
        is_oblique = not (direction.is_vertical or direction.is_horizontal)
        if name == "rate" and (
            isinstance(self.method, AtAlarmRate)
            or (is_oblique and isinstance(self.method, AtAngle | Diagonal))
        ):
            return rates("rate", value) * direction.length  # a rate of 1 is the end
        return None

    def _own_thresholds(self, name: str, value: ArrayLike) -> tuple[float, float] | None:
        if name == "rate" or np.ndim(value):
            return None
        return own_thresholds(self._groups, **{name: float(value)})  # type: ignore[arg-type]

    def _spread(self, positions: Floats) -> Spread:
        """Mean and spread at positions."""
        blocks = in_blocks(positions, self.n_groups)
        found = [spread(self._values(block), self.weights, self._ratio) for block in blocks]
        parts = ([getattr(own, name) for own in found] for name in ("mean", "sd", "standard_error"))
        return Spread(*map(np.concatenate, parts))

    def _alike(self, positions: Floats) -> NDArray[np.bool_]:
        """Where most curves have the very same value, but for the ends that all curves share."""
        found = [self._values(block) for block in in_blocks(positions, self.n_groups)]
        alike = np.concatenate([mostly_alike(own) for own in found])
        return alike & ~self._at_corner(positions, np.concatenate([own[0] for own in found]))

    def _at_corner(self, positions: Floats, values: Floats) -> NDArray[np.bool_]:
        """Where all curves must meet: at (0, 0) and (1, 1)."""
        fpr, tpr = self._turned_back(positions, values)
        starts = (np.abs(fpr) < _BEYOND) & (np.abs(tpr) < _BEYOND)
        return np.asarray(starts | ((np.abs(fpr - 1) < _BEYOND) & (np.abs(tpr - 1) < _BEYOND)))

    def _warn_of_steps(self, at: Floats | None = None) -> None:
        told = told_of_steps(self, at)
        if told is not None:
            warn("RS317", *told, stacklevel=caller_level())

    def _scale(self, asked: Asked) -> str:
        """Along an oblique direction there is no rate, and limits are linear."""
        is_rate = self.direction.is_vertical or self.direction.is_horizontal
        return asked.scale if is_rate else "linear"

    def expected_cost(self) -> Floats:
        """Expected cost per case at every vertex, for an average along the cost direction (AtCosts)."""
        if not isinstance(self.method, AtCosts):
            raise UsageError(
                "RS084",
                f"the {self.method.label} average has no costs.",
                "",
                "average(x, AtCosts(false_positive=1, false_negative=20, prevalence=0.03))",
            )
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

    def _points(self) -> tuple[Floats, Floats, Floats, Floats]:
        at, values = self._both_ends(self._band_positions())  # the curve has its jumps, however they are read
        fpr, tpr = self._turned_back(np.broadcast_to(at, values.shape), values)
        return fpr, tpr, self.weights, self.weights

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        return describe(self)


def _twice(chosen: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Indices with the chosen ones doubled, and which of them are the second of their kind."""
    index = np.repeat(np.arange(chosen.size), 1 + chosen)
    return index, np.append(False, index[1:] == index[:-1])
