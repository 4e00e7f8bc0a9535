"""Many curves in flat arrays, single curves being views."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import index
from typing import Any, TypeVar, overload
from weakref import WeakSet

import numpy as np

from rocsteady.arrays import Counts, Floats, Integers, Mask
from rocsteady.counting.cells import rounding_of
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.table import (
    MOST_PAIRS,
    CountTable,
    Moments,
    cluster_counts,
    count_table,
    curve_moments,
)
from rocsteady.curves import intervals as curve_intervals
from rocsteady.curves.from_scores import require_score_set
from rocsteady.curves.readings import Bounded, CurveBounds
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import (
    Option,
    Remedy,
    RocsteadyError,
    fail,
    is_asked_by_the_user,
    warn,
)
from rocsteady.options import one_of
from rocsteady.results import TableResult, plain, read_only, unit_column
from rocsteady.scores.columns import LeftOut, unknown_name
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn
from rocsteady.statistics.delong import delong_variance
from rocsteady.statistics.limits import Interval, mean_limits
from rocsteady.words import counted, grouped, listed, printable

_TABLE = ("n_positives", "n_negatives", "auc", "standard_error", "low", "high")
_MOST_MODELS = 4  # whose mean AUCs fit on one line
_LEVEL = 0.95  # of the intervals of a table, and of those that say that scores run the other way


C = TypeVar("C")


class Curves(Drawn, TableResult, Sequence[C]):
    """Curves of many groups: by position, by name, and by model and group."""

    names: tuple[str, ...]
    undefined: tuple[str, ...]
    unit: str
    models: tuple[str, ...]
    groups: tuple[str, ...]

    def _curve(self, i: int) -> C:
        raise NotImplementedError

    def _pairs(self) -> list[tuple[str, str]]:
        """Model and group of every curve; models that were not named are empty."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[C]:
        return (self._curve(i) for i in range(len(self)))

    @overload
    def __getitem__(self, key: int | str | tuple[object, object]) -> C: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[C]: ...
    def __getitem__(self, key: int | str | tuple[object, object] | slice) -> C | Sequence[C]:
        if isinstance(key, slice):
            return [self._curve(i) for i in range(*key.indices(len(self)))]
        return self._curve(self.position(key))

    def position(self, key: int | str | tuple[object, object]) -> int:
        """Where a curve stands, by position, by name or by model and group."""
        if not isinstance(key, str | tuple):  # counted from 0, or backwards from -1
            n = len(self)
            if isinstance(key, bool | np.bool_) or not hasattr(key, "__index__") or not -n <= index(key) < n:
                raise fail("RS001.curve-position", key=key, n=n, last=n - 1)
            return index(key) % n
        wanted = tuple(map(str, key)) if isinstance(key, tuple) else key
        found = self._positions.get(wanted, [])
        if len(found) == 1:
            return found[0]
        name = " / ".join(wanted) if isinstance(wanted, tuple) else wanted
        if not found:
            for own in self.undefined:
                if isinstance(own, LeftOut) and own.name == name:
                    raise fail("RS001.no-curve", name=name, why=own)
            raise unknown_name(name, self.names, "curve")
        # Model "a / b" on group "c" is called what model "a" on group "b / c" is.
        ways: list[Remedy] = [f"by position:  curves[{found[0]}]"]
        if isinstance(key, str) and self.models:
            model, group = self._pairs()[found[0]]
            ways.append(f"by model and group:  curves[{model!r}, {group!r}]")
        positions = ", ".join(map(str, found[:8])) + (", ..." if len(found) > 8 else "")
        raise fail("RS001.several-curves", n=len(found), name=key, positions=positions, ways=ways)

    @cached_property
    def _positions(self) -> dict[str | tuple[str, ...], list[int]]:
        """Names, and pairs of model and group, to positions."""
        positions: dict[str | tuple[str, ...], list[int]] = {}
        for i, name in enumerate(self.names):
            positions.setdefault(name, []).append(i)
        for i, pair in enumerate(self._pairs() if self.models else ()):
            positions.setdefault(pair, []).append(i)
        return positions

    def _named(self, others: Collection[str]) -> dict[str, Any]:
        """The columns of the models, if there are several, and of the groups, by the word for one."""
        models, groups = zip(*self._pairs(), strict=True) if len(self) else ((), ())
        columns: dict[str, Any] = {"model": list(models)} if len(set(self.models)) > 1 else {}
        return columns | {unit_column(self.unit, ("model", *others)): list(groups)}

    def to_dict(self) -> dict[str, Any]:
        """All curves as plain data that JSON can carry."""
        words = {name: plain(getattr(self, name)) for name in ("unit", "models", "groups", "undefined")}
        return words | {"curves": [curve.to_dict() for curve in self]}  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False, repr=False)
class CurveSet(Bounded, Curves[RocCurve], figure="roc"):
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
    bounds : CurveBounds or None
        Where rows were counted in cells these are the middle curves: ``lower`` and ``upper`` have the lowest
        and the highest that the counts allow. Else None.

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
    bounds: CurveBounds | None = None

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
            bounds=None if self.bounds is None else self.bounds.of_curve(i),
            _classes=self.classes,
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
        if not self.is_weighted:
            pairs = self.n_positives * self.n_negatives.astype(np.float64)
            if pairs.max(initial=0) < MOST_PAIRS:
                return read_only(curve_intervals.auc_shares(self._moments)[0])
        return read_only(np.array([curve.auc for curve in self]))  # moments count pairs, a share needs none

    def auc_standard_error(self, method: str = "delong") -> Floats:
        """Standard error of every AUC; see :meth:`RocCurve.auc_standard_error`."""
        if self.is_weighted:
            raise fail("RS038.formulas", method=method, n=len(self))
        counts = (self.table.true_positives, self.table.false_positives, self.table.offsets)
        return curve_intervals.standard_errors(method, self._moments, *counts)

    def auc_interval(self, confidence_level: float = 0.95, method: str = "guarded") -> Interval:
        """Confidence interval of every AUC, its limits as arrays; by formula, there is no bootstrap."""
        one_of("method", method, curve_intervals.INTERVAL_METHODS[:-1], elsewhere=curve_intervals.ELSEWHERE)
        if self.is_weighted:
            raise fail("RS038.formulas", method=method, n=len(self))
        return curve_intervals.intervals(method, self._moments, confidence_level)

    @cached_property
    def _moments(self) -> Moments:
        moments = curve_moments(self.table.true_positives, self.table.false_positives, self.table.offsets)
        if self._rows is None or self._members is None or self._rows._together is None:
            return moments
        clusters = cluster_counts(self._rows)
        return replace(moments, clusters=tuple(clusters[member] for member in self._members))

    def _pairs(self) -> list[tuple[str, str]]:
        models = [self.models[i] for i in self.model_index] if self.models else [""] * len(self)
        return list(zip(models, [self.groups[i] for i in self.group_index], strict=True))

    def to_frame(self, library: str | None = None) -> Any:
        """One row per curve, as a pandas or Polars frame.

        Columns: ``model`` if there are several; the group, under the word for one; ``n_positives``,
        ``n_negatives``, ``auc``, DeLong's ``standard_error``, and ``low`` and ``high``, the limits of
        :meth:`auc_interval`. The last three are NaN with weights, the error also where a class has a single
        case. Where counts leave something open, ``auc_at_least`` and ``auc_at_most`` stand in their place.
        """
        return super().to_frame(library)

    def _columns(self) -> dict[str, Any]:
        columns = self._named(_TABLE)
        columns |= {"n_positives": self.n_positives, "n_negatives": self.n_negatives, "auc": self.auc}
        if self.bounds is not None:
            return columns | {"auc_at_least": self.auc_bounds.low, "auc_at_most": self.auc_bounds.high}
        error = low = high = np.full(len(self), np.nan)
        if not self.is_weighted:  # a table shows what is NaN or 0: no warning needed
            error = np.sqrt(delong_variance(self._moments))
            interval = curve_intervals.quiet_intervals(self._moments, _LEVEL)
            low, high = interval.low, interval.high
        return columns | {"standard_error": error, "low": low, "high": high}

    def __repr__(self) -> str:
        members, unit = self._by_model().items(), printable(self.unit)
        means = [
            f"{printable(model)} {self.auc[own].mean():.3f}".strip() for model, own in members if own.any()
        ]
        mean = ", mean AUC " if len(self) else ""
        mean += ", ".join(means[:_MOST_MODELS]) + (", ..." if len(means) > _MOST_MODELS else "")
        if self.bounds is not None and len(self):
            within = max(np.max(self.auc - self.auc_bounds.low), np.max(self.auc_bounds.high - self.auc))
            mean += f", AUC within {within:.2g}"
        if len(self.models) <= 1:
            left_out = f", {grouped(len(self.undefined))} without a curve" if self.undefined else ""
            return f"CurveSet({counted(len(self), unit)}{left_out}{mean})"
        n_groups = np.unique(self.group_index).size
        models, groups = counted(len(means), "model"), counted(n_groups, unit)
        is_full = len(self) == len(means) * n_groups
        sizes = f"{models} x {groups}" if is_full else f"{counted(len(self), 'curve')}, {models}, {groups}"
        left_out = f", {counted(len(self.undefined), 'curve')} undefined" if self.undefined else ""
        return f"CurveSet({sizes}{left_out}{mean})"

    def _by_model(self) -> dict[str, Mask]:
        """Each model that has curves, and which they are; a single model needs no name."""
        if len(self.models) <= 1:
            return {"": np.ones(len(self), dtype=np.bool_)}
        members = {model: self.model_index == i for i, model in enumerate(self.models)}
        return {model: own for model, own in members.items() if own.any()}


def roc_curves(
    score_set: ScoreSet | CountedScores, *, undefined: str = "raise", threads: int | None = None
) -> CurveSet:
    """The ROC curve of every group of a set, in one pass.

    Parameters
    ----------
    score_set : ScoreSet or CountedScores
        What the classifiers said, or counts of it. Counts that do not know every threshold give middle
        curves, and their ``bounds``.
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
        if score_set.undefined and (undefined == "raise" or not score_set.has_curve.any()):
            raise refuse_undefined(score_set)
        if not score_set.knows_thresholds:
            return curves_between_bounds(score_set)
        return _curves(score_set, score_set.paths().middle, score_set.has_curve)
    score_set = require_score_set(score_set)
    table = count_table(score_set, threads=threads)
    has_curve = table.has_curve
    if not has_curve.any() or (undefined == "raise" and not has_curve.all()):
        raise refuse_undefined(score_set)
    warn_of_reversed(score_set)
    is_needed = score_set.columns.has_weights or score_set._together is not None
    rows = {"_rows": score_set if is_needed else None, "_members": np.flatnonzero(has_curve)}
    kept = table if has_curve.all() else table.keep(has_curve)
    return _curves(score_set, kept, has_curve, design=score_set.design, **rows)


def curves_between_bounds(counts: CountedScores) -> CurveSet:
    """The middle curves of counts that do not know every threshold, with their bounds."""
    paths, has_curve = counts.paths(), counts.has_curve
    lower, upper = (_curves(counts, own, has_curve) for own in (paths.lower, paths.upper))
    rounding = rounding_of(counts.cells)[has_curve]
    bounds = CurveBounds(lower, upper, rounding, counts.cells.keep(has_curve))
    return _curves(counts, paths.middle, has_curve, bounds=bounds)


def _curves(source: ScoreSet | CountedScores, table: CountTable, has_curve: Mask, **more: Any) -> CurveSet:
    """The curves of all members of a set that have one."""
    members = np.flatnonzero(has_curve)
    return CurveSet(
        table=table,
        names=tuple(source.names[member] for member in members),
        undefined=source.undefined,
        unit=source.unit,
        models=source.models,
        groups=source.groups,
        model_index=source.model_index[members] if source.models else np.zeros(members.size, dtype=np.int64),
        group_index=source.group_index[members],
        classes=source.classes,
        **more,
    )


def refuse_undefined(score_set: ScoreSet | CountedScores) -> RocsteadyError:
    """The error about groups without a curve: RS032 if no group has one, else RS036."""
    has_curve = score_set.has_curve
    undefined, unit, n_missing = score_set.undefined, score_set.unit, len(score_set.undefined)
    more = f" and {grouped(n_missing - 8)} more" if n_missing > 8 else ""
    without = "; ".join(undefined[:8]) + more
    if has_curve.any():
        facts = {"n": n_missing, "whole": len(score_set), "unit": unit, "without": without}
        if len(score_set.models) <= 1:
            return fail("RS036.groups", **facts)
        return fail("RS036.models", n_models=len(score_set.models), n_groups=len(score_set.groups), **facts)
    n_positives, n_negatives = int(score_set.n_positives.sum()), int(score_set.n_negatives.sum())
    sizes: dict[str, Any] = {"n_positives": n_positives, "n_negatives": n_negatives}
    sizes["whose"] = f" in the rows of {printable(score_set.models[0])}" if any(score_set.models) else ""
    sizes |= {"positive": score_set.classes.positive, "negative": score_set.classes.negative}
    if not (n_positives and n_negatives):
        return fail("RS032.no-positives" if n_negatives else "RS032.no-negatives", **sizes)
    return fail("RS032.groups", unit=unit, without=without, **sizes)


# Whether scores seem to run the other way: a mean AUC that is clearly below one half
# -----------------------------------------------------------------------------------


_looked_at: WeakSet[ScoreSet] = WeakSet()
"""Sets that were looked at: what there is to say of one is said once."""
_MOST_GROUPS, _MOST_ROWS = 16, 256
"""Of a model, and of a group: enough to tell an AUC from one half, and no work beside counting them all."""
_CLEARLY_RIGHT = 0.6
"""A mean of such rough AUCs from which no interval of the exact ones lies below one half."""


def warn_of_reversed(score_set: ScoreSet) -> None:
    """RS106 where a command would stop with RS041, once for each set, if the user asked for it.

    Else the curves are a step towards something else.
    """
    if score_set in _looked_at or not is_asked_by_the_user():
        return
    _looked_at.add(score_set)
    if all(_rough_auc(score_set, own) > _CLEARLY_RIGHT for own in range(max(len(score_set.models), 1))):
        return
    if not score_set.has_curve.any():
        return
    facts = _reversed(score_set, in_shell=False)
    if facts is not None:
        warn("RS106.reversed", **facts)


def _rough_auc(score_set: ScoreSet, model: int) -> float:
    """The mean AUC of some of a model's groups, from some of their rows."""
    c = score_set.columns
    own = np.flatnonzero((score_set.model_index == model) & score_set.has_curve)
    areas = []
    for group in own[:: -(-own.size // _MOST_GROUPS) or 1]:
        start, stop = c.offsets[group], c.offsets[group + 1]
        rows = slice(start, stop, -(-(stop - start) // _MOST_ROWS))
        is_positive = c.labels[rows] == c.positive
        positives, negatives = np.sort(c.scores[rows][is_positive]), c.scores[rows][~is_positive]
        if positives.size and negatives.size:
            below = sum(np.searchsorted(positives, negatives, side=side).sum() for side in ("left", "right"))
            areas.append(1 - below / (2 * positives.size * negatives.size))
    rough = float(np.mean(areas)) if areas else 0.0
    return rough if c.higher_is_positive or not areas else 1 - rough


def reversed_scores(score_set: ScoreSet) -> RocsteadyError | None:
    """RS041 if the interval of a model's mean AUC lies wholly below one half, else None.

    The interval is Student's, over the groups; of a single group, the logit interval of its AUC (there is
    none with weights). Nothing is flipped: the reader is told, and decides.

    Examples
    --------
    >>> from rocsteady.scores import ScoreSet
    >>> distances = ScoreSet.from_folds([([0, 0, 1, 1], [9, 7, 8, 2]), ([0, 0, 1, 1], [9, 7, 3, 2])])
    >>> print(reversed_scores(distances))
    None
    >>> folds = [([0, 0, 1, 1], [9, 7, 8, 2])] * 5 + [([0, 0, 1, 1], [9, 7, 3, 2])] * 5
    >>> print(reversed_scores(ScoreSet.from_folds(folds)))
    RS041: AUC is below 0.5 in 10 of 10 folds (mean 0.12). Scores may run the other way.
      95 % interval of the mean: 0.031 to 0.22
      -> higher_is_positive=False, or positive='0', or --allow-reversed
    """
    facts = _reversed(score_set, in_shell=True)
    return None if facts is None else fail("RS041.reversed", **facts)


def _reversed(score_set: ScoreSet, *, in_shell: bool) -> dict[str, Any] | None:
    """What there is to say of models whose interval lies below one half; None if there is none."""
    curves = roc_curves(score_set, undefined="drop")
    members, limits = curves._by_model(), {}
    for model, own in members.items():
        if curves.auc[own].mean() >= 0.5:  # no interval around it lies wholly below
            continue
        if np.count_nonzero(own) > 1 or curves.is_weighted:
            low, high = mean_limits(curves.auc[own], _LEVEL)  # NaN of a single one
        else:
            alone = curve_intervals.quiet_intervals(curves._moments, _LEVEL)
            low, high = float(alone.low[own][0]), float(alone.high[own][0])
        if high < 0.5:
            limits[model] = low, high
    if not limits:
        return None
    first, *others = limits
    aucs, (low, high) = curves.auc[members[first]], limits[first]
    facts: dict[str, Any] = {"n": aucs.size, "n_below": int((aucs < 0.5).sum()), "mean": float(aucs.mean())}
    facts |= {"level": 100 * _LEVEL, "low": max(low, 0.0), "high": high, "unit": curves.unit}
    ways: list[str | Option] = [Option("higher_is_positive", not score_set.higher_is_positive)]
    if in_shell and not score_set.higher_is_positive:
        ways = ["leave out  --low-is-positive"]
    if score_set.classes.negative_is_a_label:
        ways += [", or ", Option("positive", score_set.classes.negative)]
    ways += [", or --allow-reversed"] * in_shell
    if len(limits) < len(members):  # one direction serves all models
        turn = f"turn the scores of {listed(list(limits))} round"
        ways = [f"{turn}, or  --allow-reversed" if in_shell else turn]
    return facts | {"model": first if len(members) > 1 else "", "others": others, "ways": [ways]}
