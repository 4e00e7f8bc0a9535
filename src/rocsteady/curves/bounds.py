"""What is certain where rows were counted in cells: the lowest and the highest curve that counts allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.counting.cells import ROUNDING, CellTable
from rocsteady.curves.readings import scalar_or_array, vertex_at
from rocsteady.errors import fail
from rocsteady.options import rates, real_numbers
from rocsteady.results import TableResult
from rocsteady.words import counted

_BEYOND = {">=": np.greater_equal, ">": np.greater, "<=": np.less_equal, "<": np.less}


@dataclass(frozen=True)
class Bounds(TableResult):
    """Between which values something certainly lies; this is no confidence interval.

    Attributes
    ----------
    low, high : float or array
        Both included.
    """

    low: Any
    high: Any

    @property
    def half_width(self) -> Any:
        """Half of the distance."""
        return (self.high - self.low) / 2

    def _columns(self) -> dict[str, Any]:
        # Columns called low and high are shown as confidence intervals.
        return {"at_least": np.atleast_1d(self.low), "at_most": np.atleast_1d(self.high)}

    def __repr__(self) -> str:
        if np.ndim(self.low):
            return f"Bounds(at {counted(np.size(self.low), 'place')})"
        return f"Bounds({self.low:.6g} to {self.high:.6g})"


def bounds_of_rate(low: Any, high: Any, rounding: Any = 0.0) -> Bounds:
    """Bounds of a rate or an area, moved outwards by what was rounded."""
    ends = np.maximum(np.asarray(low) - rounding, 0.0), np.minimum(np.asarray(high) + rounding, 1.0)
    return Bounds(*(end if end.ndim else float(end) for end in ends))


@dataclass(frozen=True, eq=False, repr=False)
class CurveBounds:
    """What the counts of one curve, or of the curves of a set, leave open.

    Attributes
    ----------
    lower, upper : RocCurve or CurveSet
        The lowest and the highest that the counts allow.
    rounding : float or array
        What sums of weights may have lost, as a share of a class; 0 without weights.
    """

    lower: Any
    upper: Any
    rounding: Any
    _cells: CellTable

    def of_curve(self, i: int) -> CurveBounds:
        """Those of one curve of a set."""
        cells = self._cells.of_members(i, i + 1)
        return CurveBounds(self.lower[i], self.upper[i], float(self.rounding[i]), cells)

    def rates_at(self, threshold: ArrayLike, rule: str | None) -> tuple[Bounds, Bounds]:
        """FPR and TPR of one curve at thresholds, as far as cells tell."""
        at, cells = real_numbers("threshold", threshold), self._cells
        _, rule = vertex_at(np.array([np.inf]), at, rule, self.lower.higher_is_positive)
        certain, possible = cells.lowest, cells.highest
        if rule in ("<=", "<"):
            certain, possible = possible, certain
        found = []
        for counts in (cells.negatives, cells.positives):
            whole = counts.sum()
            ends = [
                np.array([counts[_BEYOND[rule](end, one)].sum() / whole for one in at.ravel()])
                for end in (certain, possible)
            ]
            found.append(Bounds(*(scalar_or_array(end.reshape(at.shape), threshold) for end in ends)))
        return found[0], found[1]


class Bounded:
    """What a curve, a set of curves and an average say of their bounds; exact ones are their own.

    ``bounds`` is None where counts are exact.
    """

    bounds: Any

    @property
    def lower(self) -> Any:
        """The lowest that the counts allow."""
        return self if self.bounds is None else self.bounds.lower

    @property
    def upper(self) -> Any:
        """The highest that the counts allow."""
        return self if self.bounds is None else self.bounds.upper

    @property
    def auc_bounds(self) -> Bounds:
        """Between which values the area certainly lies."""
        rounding = 0.0 if self.bounds is None else self.bounds.rounding
        return bounds_of_rate(self.lower.auc, self.upper.auc, rounding)

    @property
    def is_exact(self) -> bool:
        """Whether it is known exactly; at which thresholds, may be open all the same."""
        bounds = self.auc_bounds
        return bool(np.all(bounds.low == bounds.high))


class BoundedCurve(Bounded, TableResult):
    """Readings of one curve between its bounds."""

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data that JSON can carry; the infinite threshold is the string ``"inf"``."""
        values = super().to_dict()
        if self.bounds is None:
            del values["bounds"]
        return values

    def tpr_bounds_at(self, fpr: ArrayLike, side: str = "upper") -> Bounds:
        """Between which values the true positive rate at a false positive rate lies."""
        before, after = self._beside("fpr", fpr)
        return self._within(self.lower.tpr_at(before, side), self.upper.tpr_at(after, side))

    def fpr_bounds_at(self, tpr: ArrayLike, side: str = "lower") -> Bounds:
        """Between which values the false positive rate at a true positive rate lies."""
        before, after = self._beside("tpr", tpr)
        return self._within(self.upper.fpr_at(before, side), self.lower.fpr_at(after, side))

    def rate_bounds_at(self, threshold: ArrayLike, rule: str | None = None) -> tuple[Bounds, Bounds]:
        """Between which values both rates lie at a threshold: of the FPR, then of the TPR."""
        if self.bounds is None:
            found = self.rates_at(threshold, rule)  # type: ignore[attr-defined]
            return Bounds(found.fpr, found.fpr), Bounds(found.tpr, found.tpr)
        fpr, tpr = self.bounds.rates_at(threshold, rule)
        rounding = self.bounds.rounding
        return bounds_of_rate(fpr.low, fpr.high, rounding), bounds_of_rate(tpr.low, tpr.high, rounding)

    def _refuse_inside_cells(self, threshold: ArrayLike, rule: str | None) -> None:
        """RS407 for a threshold inside a cell, where only bounds are known."""
        if self.bounds is None:
            return
        ends = self.bounds.rates_at(threshold, rule)
        if not all(np.array_equal(own.low, own.high) for own in ends):
            fpr, tpr = self.rate_bounds_at(threshold, rule)
            raise fail("RS407.inside", fpr=fpr, tpr=tpr, threshold=threshold)

    def _beside(self, name: str, value: ArrayLike) -> tuple[Any, Any]:
        """Beside a rate, as far as weights are rounded: where a curve jumps that makes a difference."""
        at, rounding = rates(name, value), 0.0 if self.bounds is None else self.bounds.rounding
        ends = np.maximum(at - rounding, 0.0), np.minimum(at + rounding, 1.0)
        return scalar_or_array(ends[0], value), scalar_or_array(ends[1], value)

    def _within(self, low: Any, high: Any) -> Bounds:
        if self.bounds is None:
            return Bounds(low, high)
        # Between vertices something is rounded away: cells that touch have other ones than the curve itself.
        interpolated = 0.0 if self.bounds._cells.are_apart else 4 * ROUNDING
        return bounds_of_rate(low, high, self.bounds.rounding + interpolated)
