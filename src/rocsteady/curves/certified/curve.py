"""A curve between bounds: an ordinary one in the middle, the lowest and the highest that the counts allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import rates, real_numbers
from rocsteady.counting.cells.certainty import ROUNDING
from rocsteady.counting.cells.table import CellTable
from rocsteady.counting.results import TableResult
from rocsteady.curves.reading import Rates, scalar_or_array, vertex_at
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import UsageError
from rocsteady.words import counted, printable

Floats = NDArray[np.float64]


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


@dataclass(frozen=True, eq=False, repr=False)
class CertifiedCurve(RocCurve):
    """A curve of rows that were counted in cells: the middle one, with the bounds of all its readings.

    It is a :class:`RocCurve` and can be used as one; ``lower`` and ``upper`` are, too. Where ``is_exact``,
    all three are the same curve, and only the counts at thresholds inside a cell are not known.

    Attributes
    ----------
    lower, upper : RocCurve
        The lowest and the highest curve that the counts allow.
    """

    lower: RocCurve | None = None
    upper: RocCurve | None = None
    _cells: CellTable | None = None
    _rounding: float = 0.0

    @property
    def _bounding(self) -> tuple[RocCurve, RocCurve]:
        return self.lower or self, self.upper or self

    @property
    def is_exact(self) -> bool:
        """Whether the curve is known exactly."""
        lower, upper = self._bounding
        return lower.auc == upper.auc and self._rounding == 0

    @property
    def auc_bounds(self) -> Bounds:
        """Between which values the AUC lies."""
        lower, upper = self._bounding
        return self._within(lower.auc, upper.auc)

    def tpr_bounds_at(self, fpr: ArrayLike, side: str = "upper") -> Bounds:
        """Between which values the true positive rate at a false positive rate lies."""
        lower, upper = self._bounding
        before, after = self._beside("fpr", fpr)
        return self._within(lower.tpr_at(before, side), upper.tpr_at(after, side), self._interpolated)

    def fpr_bounds_at(self, tpr: ArrayLike, side: str = "lower") -> Bounds:
        """Between which values the false positive rate at a true positive rate lies."""
        lower, upper = self._bounding
        before, after = self._beside("tpr", tpr)
        return self._within(upper.fpr_at(before, side), lower.fpr_at(after, side), self._interpolated)

    @property
    def _interpolated(self) -> float:
        """What is rounded away between vertices: cells that touch have other ones than the curve itself."""
        return 0.0 if self._own_cells.are_apart else 4 * ROUNDING

    def _beside(self, name: str, value: ArrayLike) -> tuple[Any, Any]:
        """Beside a rate, as far as weights are rounded: where a curve jumps that makes a difference."""
        at = rates(name, value)
        if not self._rounding:
            return value, value
        ends = np.maximum(at - self._rounding, 0.0), np.minimum(at + self._rounding, 1.0)
        return scalar_or_array(ends[0], value), scalar_or_array(ends[1], value)

    def rate_bounds_at(self, threshold: ArrayLike, rule: str | None = None) -> tuple[Bounds, Bounds]:
        """Between which values both rates lie at a threshold: of the FPR, then of the TPR."""
        ends = [scalar_or_array(end, threshold) for end in self._ends_at(threshold, rule)]
        return self._within(*ends[:2]), self._within(*ends[2:])

    def _ends_at(self, threshold: ArrayLike, rule: str | None) -> list[Floats]:
        """The least and the largest FPR, then TPR, at thresholds, as far as cells tell."""
        at = real_numbers("threshold", threshold)
        _, rule = vertex_at(np.array([np.inf]), at, rule, self.higher_is_positive)
        cells = self._own_cells
        found = counts_at_thresholds(cells, at.ravel(), rule)
        totals = (cells.n_negatives[0], cells.n_negatives[0], cells.n_positives[0], cells.n_positives[0])
        return [(own[0] / total).reshape(at.shape) for own, total in zip(found, totals, strict=True)]

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> Rates:
        """The rates that a threshold gives; RS407 for one inside a cell, where only bounds are known."""
        ends = self._ends_at(threshold, rule)
        if not (np.array_equal(ends[0], ends[1]) and np.array_equal(ends[2], ends[3])):
            fpr, tpr = self.rate_bounds_at(threshold, rule)
            raise UsageError(
                "RS407",
                "a threshold lies inside a cell, whose rows were counted together.",
                f"found: {fpr!r} (FPR), {tpr!r} (TPR) at {threshold!r:.40}",
                "between which values they lie:  curve.rate_bounds_at(threshold)",
            )
        return super().rates_at(threshold, rule)

    @property
    def _own_cells(self) -> CellTable:
        if self._cells is None:
            raise TypeError("a certified curve has cells")
        return self._cells

    def _within(self, low: Any, high: Any, more: float = 0.0) -> Bounds:
        lost = self._rounding + more
        if lost:
            low, high = np.maximum(low - lost, 0.0), np.minimum(high + lost, 1.0)
        ends = (own if np.ndim(own) else float(own) for own in (low, high))
        return Bounds(*ends)

    def __repr__(self) -> str:
        name = f"{printable(self.name)}: " if self.name is not None else ""
        cases = f"{counted(self.n_positives, 'positive')}, {counted(self.n_negatives, 'negative')}"
        if self.is_weighted:
            cases = f"weights {self.n_positives:g} positive and {self.n_negatives:g} negative"
        bounds = self.auc_bounds
        area = f"AUC {self.auc:.3f}" if self.is_exact else f"AUC {bounds.low:.6f} to {bounds.high:.6f}"
        return f"CertifiedCurve({name}{cases}, {counted(self.thresholds.size - 1, 'cell')}, {area})"


def counts_at_thresholds(cells: CellTable, thresholds: Floats, rule: str) -> tuple[Any, Any, Any, Any]:
    """How many negatives, at least and at most, then how many positives, lie at or beyond thresholds.

    Of every member, ``(n_members, n)`` each.
    """
    beyond = {">=": np.greater_equal, ">": np.greater, "<=": np.less_equal, "<": np.less}[rule]
    certain, possible = cells.lowest, cells.highest
    if rule in ("<=", "<"):
        certain, possible = possible, certain
    found = []
    for counts in (cells.negatives, cells.positives):
        for ends in (certain, possible):
            columns = [
                cells.sums(np.where(beyond(ends, at), counts, counts.dtype.type(0))) for at in thresholds
            ]
            found.append(np.array(columns, dtype=counts.dtype).reshape(thresholds.size, cells.n_members).T)
    return found[0], found[1], found[2], found[3]
