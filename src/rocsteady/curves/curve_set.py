"""Many curves in flat arrays; single curves are views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_of
from rocsteady.counting.results import TableResult
from rocsteady.counting.table import CountTable, Moments, count_table, curve_moments
from rocsteady.curves import auc_uncertainty
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import DataError, Option, UsageError, counted, near_match
from rocsteady.scores.score_set import ScoreSet
from rocsteady.uncertainty.intervals import Interval

Floats = NDArray[np.float64]
Counts = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class CurveSet(TableResult, Sequence[RocCurve]):
    """The ROC curves of a set of groups: folds, datasets, readers, devices.

    A sequence: ``len``, iteration, ``curves[0]`` and ``curves["host-7"]`` give :class:`RocCurve` views;
    nothing is copied.

    Attributes
    ----------
    table : CountTable
        The counts of all curves in flat arrays.
    names : tuple of str
        One per curve.
    undefined : tuple of str
        Groups without a curve and why, for example ``"host-23: no positives"``.
    unit : str
        The word for a group.
    models : tuple of str
        The models whose curves are in the set.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> curves = rs.roc_curves(rs.ScoreSet.from_folds(folds))
    >>> len(curves), curves.auc.tolist()
    (2, [0.75, 0.875])
    """

    table: CountTable
    names: tuple[str, ...]
    undefined: tuple[str, ...] = ()
    unit: str = "group"
    models: tuple[str, ...] = ()
    _rows: ScoreSet | None = None  # weights only, see RocCurve

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[RocCurve]:
        return (self._curve(i) for i in range(len(self)))

    @overload
    def __getitem__(self, key: int | str) -> RocCurve: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[RocCurve]: ...
    def __getitem__(self, key: int | str | slice) -> RocCurve | Sequence[RocCurve]:
        if isinstance(key, slice):
            return [self._curve(i) for i in range(*key.indices(len(self)))]
        if isinstance(key, str):
            if key not in self._positions:
                meant = near_match(key, self.names)
                remedies = [f"did you mean {meant!r}?"] if meant else []
                raise UsageError("RS001", f"no curve is named {key!r}.", self._name_list(), *remedies)
            return self._curve(self._positions[key])
        position = index(key)
        if not -len(self) <= position < len(self):
            raise IndexError(f"curve {position} of {len(self)}")  # what a sequence has to raise
        return self._curve(position % len(self))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _name_list(self) -> str:
        shown = ", ".join(self.names[:8])
        return f"names: {shown}" + (f" ... ({len(self)} in all)" if len(self) > 8 else "")

    def _curve(self, i: int) -> RocCurve:
        table = self.table
        rows = slice(table.offsets[i], table.offsets[i + 1])
        return RocCurve(
            table.thresholds[rows],
            table.true_positives[rows],
            table.false_positives[rows],
            higher_is_positive=table.higher_is_positive,
            name=self.names[i],
            _rows=None if self._rows is None else self._rows[self.names[i]],
        )

    @property
    def is_weighted(self) -> bool:
        """Whether the counts are sums of weights."""
        return self.table.true_positives.dtype.kind == "f"

    @property
    def n_positives(self) -> Counts:
        """Positives of every curve (their weight if weighted)."""
        return self.table.n_positives

    @property
    def n_negatives(self) -> Counts:
        """Negatives of every curve (their weight if weighted)."""
        return self.table.n_negatives

    @cached_property
    def auc(self) -> Floats:
        """AUC of every curve."""
        if self.is_weighted:
            return np.array([curve.auc for curve in self])
        return auc_uncertainty.auc_shares(self._moments)[0]

    def auc_standard_error(self, method: str = "delong") -> Floats:
        """Standard error of every AUC; see :meth:`RocCurve.auc_standard_error`."""
        if self.is_weighted:
            raise auc_uncertainty.refuse_weights(method)
        errors = auc_uncertainty.standard_errors(method, self._moments, self._ties)
        if method == "delong":
            auc_uncertainty.warn_single_cases(self._moments)
        return errors

    def auc_interval(self, confidence_level: float = 0.95, method: str = "logit") -> Interval:
        """Confidence interval of every AUC, its limits as arrays; by formula, there is no bootstrap."""
        choices = tuple(choice for choice in auc_uncertainty.INTERVAL_METHODS if choice != "bootstrap")
        one_of("method", method, choices)
        if self.is_weighted:
            raise auc_uncertainty.refuse_weights(method)
        return auc_uncertainty.intervals(method, self._moments, self._ties, confidence_level)

    @cached_property
    def _moments(self) -> Moments:
        return curve_moments(self.table.true_positives, self.table.false_positives, self.table.offsets)

    def _ties(self) -> tuple[Floats, Floats]:
        return auc_uncertainty.tied_squares(
            self.table.true_positives, self.table.false_positives, self.table.offsets
        )

    def to_dict(self) -> dict[str, Any]:
        """All curves as plain data that JSON can carry."""
        words = {"unit": self.unit, "models": list(self.models), "undefined": list(self.undefined)}
        return words | {"curves": [curve.to_dict() for curve in self]}

    def _columns(self) -> dict[str, Any]:
        counts = {"n_positives": self.n_positives, "n_negatives": self.n_negatives}
        columns = {"name": list(self.names)} | counts
        columns |= {"n_thresholds": np.diff(self.table.offsets) - 1, "auc": self.auc}
        if not self.is_weighted:  # NaN where a class has one case: the table shows it, no warning needed
            columns["auc_standard_error"] = auc_uncertainty.standard_errors(
                "delong", self._moments, self._ties
            )
        return columns

    def __repr__(self) -> str:
        left_out = f", {len(self.undefined)} without a curve" if self.undefined else ""
        mean = f", mean AUC {self.auc.mean():.3f}" if len(self) else ""
        return f"CurveSet({counted(len(self), self.unit)}{left_out}{mean})"


def roc_curves(score_set: ScoreSet, *, undefined: str = "raise", threads: int | None = None) -> CurveSet:
    """The ROC curve of every group of a set, in one pass.

    Parameters
    ----------
    score_set : ScoreSet
        What the classifiers said.
    undefined : {"raise", "drop"}
        What to do about groups with one class, which have no curve: an error that names them, or leave them
        out and list them in ``.undefined``.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Examples
    --------
    >>> import rocsteady as rs
    >>> hosts = rs.ScoreSet.from_arrays([1, 0, 0, 0], [0.9, 0.4, 0.3, 0.2], ["a", "a", "b", "b"])
    >>> rs.roc_curves(hosts, undefined="drop").undefined
    ('b: no positives',)
    """
    one_of("undefined", undefined, ("raise", "drop"))
    table = count_table(score_set, threads=threads)
    defined = (table.n_positives > 0) & (table.n_negatives > 0)
    names = score_set.names
    if not defined.all():
        if not defined.any():
            raise DataError("RS032", f"no {score_set.unit} has both classes.", _listed(score_set.undefined))
        if undefined == "raise":
            raise DataError(
                "RS036",
                f"{len(score_set.undefined)} of {counted(len(names), score_set.unit)} have no curve.",
                _listed(score_set.undefined),
                ("leave them out and list them on every result:  ", Option("undefined", "drop")),
            )
        table = table.keep(defined)
        names = tuple(name for name, has_curve in zip(names, defined, strict=True) if has_curve)
    rows = None if score_set.columns.weights is None else score_set
    return CurveSet(table, names, score_set.undefined, score_set.unit, score_set.models, rows)


def _listed(undefined: tuple[str, ...]) -> str:
    more = f" and {len(undefined) - 8} more" if len(undefined) > 8 else ""
    return "; ".join(undefined[:8]) + more
