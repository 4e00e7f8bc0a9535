"""The curves of counts: ordinary ones where every threshold is known, else certified ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.certainty import rounding_of
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.results import TableResult
from rocsteady.counting.table import CountTable
from rocsteady.curves.certified.curve import Bounds, CertifiedCurve
from rocsteady.curves.curve_set import CurveSet, refuse_undefined
from rocsteady.curves.roc import RocCurve
from rocsteady.words import counted, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class CertifiedCurves(TableResult, Sequence[RocCurve]):
    """Curves that are known within bounds, one for each member of counts that has both classes.

    A sequence of :class:`CertifiedCurve`: ``len``, iteration, ``curves[0]``, ``curves["host-7"]`` and, with
    models, ``curves["candidate", "host-7"]``.

    Attributes
    ----------
    middle, lower, upper : CurveSet
        The curves in the middle of the bounds, and the lowest and the highest ones.
    """

    middle: CurveSet
    lower: CurveSet
    upper: CurveSet
    _counts: CountedScores

    def __len__(self) -> int:
        return len(self.middle)

    def __iter__(self) -> Iterator[RocCurve]:
        return (self._curve(i) for i in range(len(self)))

    @overload
    def __getitem__(self, key: int | str | tuple[object, object]) -> RocCurve: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[RocCurve]: ...
    def __getitem__(self, key: int | str | tuple[object, object] | slice) -> RocCurve | Sequence[RocCurve]:
        if isinstance(key, slice):
            return [self._curve(i) for i in range(*key.indices(len(self)))]
        return self._curve(self.middle.position(key))

    def _curve(self, i: int) -> CertifiedCurve:
        middle = self.middle[i]
        member = int(self._members[i])
        return CertifiedCurve(
            middle.thresholds, middle.true_positives, middle.false_positives, middle.higher_is_positive,
            middle.name, lower=self.lower[i], upper=self.upper[i],
            _cells=self._counts.cells.of_members(member, member + 1),
            _rounding=float(self._roundings[member]),
        )  # fmt: skip

    @cached_property
    def _members(self) -> NDArray[np.intp]:
        """Which members of the counts have a curve."""
        return np.flatnonzero(self._counts.has_curve)

    @cached_property
    def _roundings(self) -> Floats:
        return rounding_of(self._counts.cells)

    @property
    def names(self) -> tuple[str, ...]:
        """One per curve."""
        return self.middle.names

    @property
    def undefined(self) -> tuple[str, ...]:
        """Groups without a curve and why."""
        return self.middle.undefined

    @property
    def is_exact(self) -> bool:
        """Whether all curves are known exactly."""
        return self._counts.is_exact

    @cached_property
    def auc(self) -> Floats:
        """AUC of every middle curve."""
        return self.middle.auc

    @cached_property
    def auc_bounds(self) -> Bounds:
        """Between which values every AUC lies."""
        return Bounds(*self._counts.auc_bounds)

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"name": list(self.names)}
        columns |= {"n_positives": self.middle.n_positives, "n_negatives": self.middle.n_negatives}
        bounds = {"auc_at_least": self.auc_bounds.low, "auc_at_most": self.auc_bounds.high}
        return columns | {"auc": self.auc} | bounds

    def __repr__(self) -> str:
        unit = printable(self._counts.unit)
        left_out = f", {len(self.undefined)} without a curve" if self.undefined else ""
        half = f"AUC within {self._counts.auc_bound:.2g}"
        return (
            f"CertifiedCurves({counted(len(self), unit)}{left_out}, mean AUC {self.auc.mean():.3f}, {half})"
        )


def curves_of_counts(counts: CountedScores, *, undefined: str) -> CurveSet | CertifiedCurves:
    """The curves of counts: an ordinary set where the counts at all thresholds are known."""
    if counts.undefined and (undefined == "raise" or not counts.has_curve.any()):
        raise refuse_undefined(counts)
    paths = counts.paths()
    if counts.knows_thresholds:
        return _curve_set(counts, paths.middle)
    middle, lower, upper = (_curve_set(counts, own) for own in (paths.middle, paths.lower, paths.upper))
    return CertifiedCurves(middle, lower, upper, counts)


def _curve_set(counts: CountedScores, table: CountTable) -> CurveSet:
    members = np.flatnonzero(counts.has_curve)
    return CurveSet(
        table=table,
        names=tuple(counts.names[member] for member in members),
        undefined=counts.undefined,
        unit=counts.unit,
        models=counts.models,
        groups=counts.groups,
        model_index=counts.model_index[members] if counts.models else np.zeros(members.size, dtype=np.int64),
        group_index=counts.group_index[members],
        classes=counts.classes,
    )
