"""Many curves in flat arrays; single curves are views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_of
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.results import TableResult
from rocsteady.counting.table import (
    MOST_PAIRS,
    CountTable,
    Moments,
    cluster_counts,
    count_table,
    curve_moments,
)
from rocsteady.curves import auc_uncertainty
from rocsteady.curves.given import require_score_set
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import DataError, Option, Remedy, counted
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.records import MemberError, undefined_reasons, unknown_name
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn
from rocsteady.uncertainty.intervals import Interval
from rocsteady.words import grouped, printable

if TYPE_CHECKING:
    from rocsteady.curves.certified.curve_set import CertifiedCurves

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Counts = NDArray[Any]

_TABLE = ("model", "n_positives", "n_negatives", "auc", "standard_error", "low", "high")
_MOST_MODELS = 4  # whose mean AUCs fit on one line


@dataclass(frozen=True, eq=False, repr=False)
class CurveSet(Drawn, TableResult, Sequence[RocCurve], figure="roc"):
    """The ROC curves of a set of groups: folds, datasets, readers, devices.

    A sequence: ``len``, iteration, ``curves[0]``, ``curves["host-7"]`` and, with models,
    ``curves["candidate", "host-7"]`` give :class:`RocCurve` views; nothing is copied.

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
    models, groups : tuple of str
        The models (if any were named) and the groups of the scores.
    model_index, group_index : int64 arrays
        For each curve, its place in ``models`` and ``groups``.
    classes : Classes or None
        The words for the two classes, if known.
    design : Design
        How the scores came about.

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
    groups: tuple[str, ...] = ()
    model_index: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    group_index: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    classes: Classes | None = None
    design: Design = ASSUMED
    _rows: ScoreSet | None = None  # of weights and clusters only, see RocCurve
    _members: Integers | None = None  # which members of it have these curves

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[RocCurve]:
        return (self._curve(i) for i in range(len(self)))

    @overload
    def __getitem__(self, key: int | str | tuple[object, object]) -> RocCurve: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[RocCurve]: ...
    def __getitem__(self, key: int | str | tuple[object, object] | slice) -> RocCurve | Sequence[RocCurve]:
        if isinstance(key, slice):
            return [self._curve(i) for i in range(*key.indices(len(self)))]
        return self._curve(self.position(key))

    def position(self, key: int | str | tuple[object, object]) -> int:
        """Where a curve stands, by position, by name or by model and group."""
        return self._named(key) if isinstance(key, str | tuple) else self._numbered(key)

    def _named(self, key: str | tuple[object, ...]) -> int:
        wanted = tuple(map(str, key)) if isinstance(key, tuple) else key
        found = self._positions.get(wanted, [])
        if not found:
            raise self._unknown(" / ".join(wanted) if isinstance(wanted, tuple) else wanted)
        if len(found) > 1:
            raise self._ambiguous(key, found)
        return found[0]

    def _numbered(self, key: object) -> int:
        try:
            position = None if isinstance(key, bool | np.bool_) else index(key)  # type: ignore[arg-type]
        except TypeError:
            position = None
        if position is None or not -len(self) <= position < len(self):
            raise MemberError(
                "RS001",
                f"there is no curve {key!r:.60}.",
                f"{counted(len(self), 'curve')}, by position, by name or by (model, group)",
                f"count from 0 to {len(self) - 1}",
            )
        return position % len(self)

    @cached_property
    def _positions(self) -> dict[str | tuple[str, ...], list[int]]:
        """Names, and pairs of model and group, to positions."""
        positions: dict[str | tuple[str, ...], list[int]] = {}
        for i, name in enumerate(self.names):
            positions.setdefault(name, []).append(i)
        if self.models:
            for i, (model, group) in enumerate(zip(self.model_index, self.group_index, strict=True)):
                positions.setdefault((self.models[model], self.groups[group]), []).append(i)
        return positions

    def _ambiguous(self, key: object, found: list[int]) -> MemberError:
        """RS001: model "a / b" on group "c" is called what model "a" on group "b / c" is."""
        ways: list[Remedy] = [f"by position:  curves[{found[0]}]"]
        if isinstance(key, str) and self.models:
            model, group = self.models[self.model_index[found[0]]], self.groups[self.group_index[found[0]]]
            ways.append(f"by model and group:  curves[{model!r}, {group!r}]")
        positions = ", ".join(map(str, found[:8])) + (", ..." if len(found) > 8 else "")
        problem = f"{grouped(len(found))} curves have the name {key!r}."
        return MemberError("RS001", problem, f"found at positions {positions}", *ways)

    def _unknown(self, name: str) -> MemberError:
        for reason in self.undefined:
            if reason in undefined_reasons(name):
                return MemberError("RS001", f'"{name}" has no curve.', reason, "see  curves.undefined")
        return unknown_name(name, self.names, "curve")

    def _curve(self, i: int) -> RocCurve:
        table = self.table
        rows = slice(table.offsets[i], table.offsets[i + 1])
        return RocCurve(
            table.thresholds[rows],
            table.true_positives[rows],
            table.false_positives[rows],
            higher_is_positive=table.higher_is_positive,
            name=self.names[i],
            _exact=None if table.exact is None else table.exact[rows],
            _rows=None if self._rows is None or self._members is None else self._rows[int(self._members[i])],
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
        pairs = self.n_positives.astype(np.float64) * self.n_negatives
        if self.is_weighted or pairs.max() >= MOST_PAIRS:  # the moments count pairs; a share needs no count
            return np.array([curve.auc for curve in self])
        return auc_uncertainty.auc_shares(self._moments)[0]

    def auc_standard_error(self, method: str = "delong") -> Floats:
        """Standard error of every AUC; see :meth:`RocCurve.auc_standard_error`."""
        if self.is_weighted:
            raise auc_uncertainty.refuse_weights(method, max(2, len(self)))
        auc_uncertainty.warn_of_few_clusters(self._moments.clusters)
        errors = auc_uncertainty.standard_errors(method, self._moments, self._ties)
        if method == "delong":
            auc_uncertainty.warn_single_cases(self._moments)
        return errors

    def auc_interval(self, confidence_level: float = 0.95, method: str = "guarded") -> Interval:
        """Confidence interval of every AUC, its limits as arrays; by formula, there is no bootstrap."""
        choices = tuple(choice for choice in auc_uncertainty.INTERVAL_METHODS if choice != "bootstrap")
        one_of("method", method, choices, elsewhere=auc_uncertainty.ELSEWHERE)
        if self.is_weighted:
            raise auc_uncertainty.refuse_weights(method, max(2, len(self)))
        return auc_uncertainty.intervals(method, self._moments, self._ties, confidence_level)

    @cached_property
    def _moments(self) -> Moments:
        moments = curve_moments(self.table.true_positives, self.table.false_positives, self.table.offsets)
        if self._rows is None or self._members is None or self._rows._together is None:
            return moments
        clusters = cluster_counts(self._rows)
        return replace(moments, clusters=tuple(clusters[member] for member in self._members))

    def _ties(self) -> tuple[Floats, Floats]:
        return auc_uncertainty.tied_squares(
            self.table.true_positives, self.table.false_positives, self.table.offsets
        )

    def to_dict(self) -> dict[str, Any]:
        """All curves as plain data that JSON can carry."""
        words = {"unit": self.unit, "models": list(self.models), "groups": list(self.groups)}
        words["undefined"] = list(self.undefined)
        return words | {"curves": [curve.to_dict() for curve in self]}

    def to_frame(self) -> Any:
        """One row per curve, as a pandas or Polars frame.

        Columns: ``model`` if there are several; the group, under the word for one; ``n_positives``,
        ``n_negatives``, ``auc``, DeLong's ``standard_error``, and ``low`` and ``high``, the limits of
        :meth:`auc_interval`. The last three are NaN with weights, the error also where a class has a single
        case.
        """
        return super().to_frame()

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        if len(self.models) > 1:
            columns["model"] = [self.models[i] for i in self.model_index]
        word = self.unit if self.unit not in _TABLE else "group"
        columns[word] = [self.groups[i] for i in self.group_index]
        columns |= {"n_positives": self.n_positives, "n_negatives": self.n_negatives, "auc": self.auc}
        error = low = high = np.full(len(self), np.nan)
        if not self.is_weighted:  # a table shows what is NaN or 0: no warning needed
            error = auc_uncertainty.standard_errors("delong", self._moments, None)
            interval, _ = auc_uncertainty.quiet_intervals("guarded", self._moments, None, 0.95)
            low, high = interval.low, interval.high
        return columns | {"standard_error": error, "low": low, "high": high}

    def __repr__(self) -> str:
        means = [f"{printable(model)} {self.auc[own].mean():.3f}".strip() for model, own in self._by_model()]
        unit = printable(self.unit)
        mean = ", ".join(means[:_MOST_MODELS]) + (", ..." if len(means) > _MOST_MODELS else "")
        if len(self.models) <= 1:
            left_out = f", {grouped(len(self.undefined))} without a curve" if self.undefined else ""
            return f"CurveSet({counted(len(self), unit)}{left_out}, mean AUC {mean})"
        n_groups = np.unique(self.group_index).size
        models, groups = counted(len(means), "model"), counted(n_groups, unit)
        is_full = len(self) == len(means) * n_groups
        sizes = f"{models} x {groups}" if is_full else f"{counted(len(self), 'curve')}, {models}, {groups}"
        left_out = f", {counted(len(self.undefined), 'curve')} undefined" if self.undefined else ""
        return f"CurveSet({sizes}{left_out}, mean AUC {mean})"

    def _by_model(self) -> list[tuple[str, NDArray[np.bool_]]]:
        """Each model that has curves, and which they are; a single model needs no name."""
        if len(self.models) <= 1:
            return [("", np.ones(len(self), dtype=np.bool_))]
        members = ((model, self.model_index == i) for i, model in enumerate(self.models))
        return [(model, own) for model, own in members if own.any()]


@overload
def roc_curves(score_set: ScoreSet, *, undefined: str = "raise", threads: int | None = None) -> CurveSet: ...
@overload
def roc_curves(
    score_set: CountedScores, *, undefined: str = "raise", threads: int | None = None
) -> CurveSet | CertifiedCurves: ...
def roc_curves(
    score_set: ScoreSet | CountedScores, *, undefined: str = "raise", threads: int | None = None
) -> CurveSet | CertifiedCurves:
    """The ROC curve of every group of a set, in one pass.

    Parameters
    ----------
    score_set : ScoreSet or CountedScores
        What the classifiers said, or counts of it. Counts that know every threshold give ordinary curves,
        others :class:`CertifiedCurves`.
    undefined : {"raise", "drop"}
        What to do about groups with one class, which have no curve: an error that names them, or leave them
        out and list them in ``.undefined``.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Warns
    -----
    RocsteadyWarning
        RS106 where the scores seem to run the other way: the interval of a model's mean AUC lies below one
        half. Nothing is flipped. It is said once for each set.

    Examples
    --------
    >>> import rocsteady as rs
    >>> hosts = rs.ScoreSet.from_arrays([1, 0, 0, 0], [0.9, 0.4, 0.3, 0.2], ["a", "a", "b", "b"])
    >>> rs.roc_curves(hosts, undefined="drop").undefined
    ('b: no positives',)
    """
    one_of("undefined", undefined, ("raise", "drop"))
    if isinstance(score_set, CountedScores):
        from rocsteady.curves.certified.curve_set import curves_of_counts

        return curves_of_counts(score_set, undefined=undefined)
    score_set = require_score_set(score_set)
    table = count_table(score_set, threads=threads)
    defined = (table.n_positives > 0) & (table.n_negatives > 0)
    if not defined.any():
        raise refuse_undefined(score_set)
    if not defined.all():
        if undefined == "raise":
            raise refuse_undefined(score_set)
        table = table.keep(defined)
    members = np.flatnonzero(defined)
    from rocsteady.curves.direction import warn_of_reversed

    warn_of_reversed(score_set)
    return CurveSet(
        table=table,
        names=tuple(score_set.names[member] for member in members),
        undefined=score_set.undefined,
        unit=score_set.unit,
        models=score_set.models,
        groups=score_set.groups,
        model_index=score_set.model_index[members],
        group_index=score_set.group_index[members],
        classes=score_set.classes,
        design=score_set.design,
        _rows=score_set if score_set.columns.has_weights or score_set._together is not None else None,
        _members=members,
    )


def refuse_undefined(score_set: ScoreSet | CountedScores) -> DataError:
    """The error about groups without a curve: RS032 if no group has one, else RS036."""
    has_curve = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    return _curves_missing(score_set) if has_curve.any() else _no_curve_at_all(score_set)


def _no_curve_at_all(score_set: ScoreSet | CountedScores) -> DataError:
    """RS032; where nothing was divided into groups it speaks of none."""
    positive, negative = score_set.classes.positive, score_set.classes.negative
    n_positives, n_negatives = int(score_set.n_positives.sum()), int(score_set.n_negatives.sum())
    found = f"positive: {positive} ({counted(n_positives, 'row')}), "
    found += f"negative: {negative} ({counted(n_negatives, 'row')})"
    other: Remedy = ["name another positive label:  ", Option("positive", "...")]
    whose = f" in the rows of {printable(score_set.models[0])}" if any(score_set.models) else ""
    if not (n_positives and n_negatives):
        lacking = "negatives" if n_positives else "positives"
        problem = f"there are no {lacking}{whose}, so no ROC curve can be drawn."
        return DataError("RS032", problem, found, "give rows of both classes")
    return DataError(
        "RS032",
        f"no {score_set.unit} has both classes{whose}, so no ROC curve can be drawn.",
        f"{_listed(score_set.undefined)}\n{found}",
        ["group by another column, or not at all:  ", Option("group", "...")],
        other,
    )


def _curves_missing(score_set: ScoreSet | CountedScores) -> DataError:
    """RS036."""
    n_missing, whole = len(score_set.undefined), counted(len(score_set), score_set.unit)
    problem = f"{grouped(n_missing)} of {whole} {'has' if n_missing == 1 else 'have'} no curve."
    if len(score_set.models) > 1:
        sizes = f"{counted(len(score_set.models), 'model')}, {counted(len(score_set.groups), score_set.unit)}"
        whole = counted(len(score_set), "curve")
        problem = f"{grouped(n_missing)} of {whole} ({sizes}) cannot be drawn: one class only."
    return DataError(
        "RS036",
        problem,
        _listed(score_set.undefined),
        ("leave them out and list them on every result:  ", Option("undefined", "drop")),
    )


def _listed(undefined: tuple[str, ...]) -> str:
    more = f" and {grouped(len(undefined) - 8)} more" if len(undefined) > 8 else ""
    return "; ".join(undefined[:8]) + more
