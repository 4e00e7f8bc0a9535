"""What is averaged: curves, or the scores they come from, with the words for a group and the classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady import _kernels
from rocsteady._kernels import thread_count
from rocsteady.arrays import Array, Floats, Indices
from rocsteady.counting.table import FIRST_ROUNDED, CountTable, count_table
from rocsteady.curves.curve_set import CurveSet, refuse_undefined
from rocsteady.curves.from_scores import described, is_table
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail
from rocsteady.options import one_of, real_numbers
from rocsteady.results import Frozen, read_only
from rocsteady.scores.columns import index_of, word
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import NO_WORDS, Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores

_SIZES = {"pos": "positives", "positive": "positives", "neg": "negatives", "negative": "negatives"}
_SIZES |= {"size": "rows", "sizes": "rows", "n": "rows", "cases": "rows"}


@dataclass(frozen=True, eq=False)
class Members(Frozen):
    """The groups of an average."""

    names: tuple[str, ...]  # of those that have a curve
    undefined: tuple[str, ...]  # those that have none, and why
    unit: str
    classes: Classes
    score_set: ScoreSet | None  # of all groups, with or without a curve, if scores are known
    chosen: Indices  # which groups of the score set, or of the table, are averaged: with a curve and a weight
    threads: int | None = None
    _table: CountTable | None = None
    every: tuple[str, ...] = ()  # all that were handed over: weights may be given to each of them
    design: Design = ASSUMED
    are_counts: bool = False  # a table of floats has numbers of cases, some of them halves

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def plain_scores(self) -> ScoreSet | None:
        """The scores, if they are known and have no weights."""
        known = self.score_set
        return None if known is None or known.columns.weights is not None else known

    @cached_property
    def is_weighted(self) -> bool:
        """Whether rows have weights, so that sums of them are no numbers of cases."""
        if self.score_set is not None:
            return self.score_set.columns.has_weights
        return self.table.true_positives.dtype.kind == "f" and not self.are_counts

    @cached_property
    def table(self) -> CountTable:
        """The counts of the groups that are averaged."""
        table = self._table
        if table is None:
            if self.score_set is None:
                raise TypeError("members have scores or curves")
            table = count_table(self.score_set, threads=self.threads)
        if self.chosen.size == len(table):
            return table
        kept = np.zeros(len(table), dtype=np.bool_)
        kept[self.chosen] = True
        return table.keep(kept)

    @cached_property
    def curves(self) -> CurveSet:
        """The single curves; a group of one class, which counts in pooling, has none."""
        table, names = self.table, self.names
        if not table.has_curve.all():
            names = tuple(name for name, kept in zip(names, table.has_curve, strict=True) if kept)
            table = table.keep(table.has_curve)
        return CurveSet(
            table=table, names=names, undefined=self.undefined, unit=self.unit, groups=names,
            group_index=np.arange(len(names)), classes=self.classes, design=self.design,
        )  # fmt: skip

    @cached_property
    def n_positives(self) -> Array:
        """Positives (or their weight) of every group."""
        known = self.plain_scores
        return self.table.n_positives if known is None else known.n_positives[self.chosen]

    @cached_property
    def n_negatives(self) -> Array:
        """Negatives (or their weight) of every group."""
        known = self.plain_scores
        return self.table.n_negatives if known is None else known.n_negatives[self.chosen]

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        return (self.table if self.score_set is None else self.score_set).higher_is_positive

    @cached_property
    def auc(self) -> Floats:
        """AUC of every group that has a curve."""
        return self.curves.auc


M = TypeVar("M", bound=Members)


def members_of(
    x: object,
    *,
    undefined: str = "raise",
    all_rows_count: bool = False,
    threads: int | None = None,
    function: str = "average",
) -> Members:
    """What can be averaged, from whatever was handed over to a function.

    ``all_rows_count`` is for pooling, where a group of one class counts although it has no curve.
    """
    one_of("undefined", undefined, ("raise", "drop"))
    thread_count(threads)  # refuses what is no number of threads, before anything is computed
    if isinstance(x, ScoreSet):
        one_model(x.models, function)
        return _of_scores(x, undefined, all_rows_count, threads)
    if isinstance(x, CurveSet):
        return _of_curve_set(x, threads, function)
    if isinstance(x, RocCurve | Scores):
        x = [x]
    if isinstance(x, Sequence) and not isinstance(x, str | bytes):
        if not x:
            raise fail("RS082", function=function, found="an empty sequence")
        if all(isinstance(entry, RocCurve) for entry in x):
            return _of_curves(x, threads)
        if all(isinstance(entry, Scores) for entry in x):
            return _of_scores(_joined(x), undefined, all_rows_count, threads)
    facts = {"function": function, "found": described(x)}
    if isinstance(x, str | PathLike):
        raise fail("RS002.groups-in-file", **facts)
    if is_table(x):
        raise fail("RS002.groups-in-frame", **facts)
    raise fail("RS002.groups-in-pairs" if isinstance(x, Sequence) else "RS002.no-groups", **facts)


def one_model(models: Sequence[str], function: str = "average", method: str = "") -> None:
    """RS044 if there are several models: each has its own average."""
    if len(models) > 1:
        raise fail("RS044.one", models=list(models), function=function, method=method)


_made: WeakKeyDictionary[ScoreSet, WeakValueDictionary[Any, Members]] = WeakKeyDictionary()
"""Members that are in use: all averages of a set have the same, so that its curves are counted once."""


def _of_scores(score_set: ScoreSet, undefined: str, all_rows_count: bool, threads: int | None) -> Members:
    known = _made.setdefault(score_set, WeakValueDictionary())
    wanted = all_rows_count, threads, id(_kernels.kernels)
    found = known.get(wanted)
    if undefined == "raise" and score_set.undefined and not all_rows_count:
        raise refuse_undefined(score_set)
    if found is not None:
        return found
    n_positives, n_negatives = score_set.n_positives, score_set.n_negatives
    chosen = np.flatnonzero(score_set.has_curve)
    has_both = bool(chosen.size)
    if all_rows_count:
        chosen, has_both = np.arange(len(score_set)), bool(n_positives.any() and n_negatives.any())
    if not has_both:
        raise refuse_undefined(score_set)
    every = score_set.names
    found = known[wanted] = Members(
        names=tuple(every[i] for i in chosen),
        undefined=score_set.undefined,
        unit=score_set.unit,
        classes=score_set.classes,
        score_set=score_set,
        chosen=chosen,
        threads=threads,
        every=every,
        design=score_set.design,
    )
    return found


def _of_curve_set(curves: CurveSet, threads: int | None, function: str) -> Members:
    if curves.bounds is not None:
        raise fail("RS406.bounds", curves=curves)
    present = dict.fromkeys(curves.model_index.tolist())
    one_model([curves.models[i] for i in present] if curves.models else [], function)
    if not len(curves):
        raise fail("RS082", function=function, found=repr(curves))
    words, everything = curves.classes or NO_WORDS, np.arange(len(curves))
    return Members(
        curves.names, curves.undefined, curves.unit, words, None, everything, threads, curves.table,
        design=curves.design,
    )  # fmt: skip


def _of_curves(curves: Sequence[RocCurve], threads: int | None) -> Members:
    for curve in curves:
        if curve.bounds is not None:
            raise fail("RS406.bounds", curves=curve)
    names = tuple(curve.name or f"curve {i}" for i, curve in enumerate(curves, start=1))
    columns = [(curve.thresholds, curve.true_positives, curve.false_positives) for curve in curves]
    table = joined_table(curves, columns, _exact_of(curves))
    return Members(names, (), "curve", NO_WORDS, None, np.arange(len(names)), threads, table)


def joined_table(curves: Sequence[Any], columns: Sequence[Sequence[Array]], exact: Any = None) -> CountTable:
    """Thresholds and counts of several curves as one table; RS002 if they differ in direction."""
    if len({curve.higher_is_positive for curve in curves}) > 1:
        raise fail("RS002.directions", n=len(curves))
    thresholds, true_positives, false_positives = (np.concatenate(own) for own in zip(*columns, strict=True))
    kind = np.result_type(true_positives, false_positives)
    offsets = np.concatenate([[0], np.cumsum([own[0].size for own in columns])]).astype(np.int64)
    counts = [own.astype(kind, copy=False) for own in (true_positives, false_positives)]
    return CountTable(thresholds, counts[0], counts[1], offsets, curves[0].higher_is_positive, exact)


def _exact_of(curves: Sequence[RocCurve]) -> Array | None:
    """The thresholds of all curves as integers, if some are too large for floats and none has a fraction."""
    if all(curve._exact is None for curve in curves):
        return None
    found: list[Array] = []
    for curve in curves:
        scores = curve.thresholds[1:]
        if curve._exact is not None:
            found.append(curve._exact)
        elif (np.abs(scores) < FIRST_ROUNDED).all() and (scores == np.floor(scores)).all():
            found.append(np.append(0, scores).astype(np.int64))
        else:
            return None
    return np.concatenate(found) if np.result_type(*found).kind in "iu" else None


def _joined(scores: Sequence[Scores]) -> ScoreSet:
    names = [given.name or f"set {i}" for i, given in enumerate(scores, start=1)]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    if len({given.higher_is_positive for given in scores}) > 1:
        raise fail("RS002.directions-of-scores")
    weights: list[object] | None = None
    if any(given.sample_weight is not None for given in scores):
        weights = [
            np.ones(len(given.scores)) if given.sample_weight is None else given.sample_weight
            for given in scores
        ]
    joined = ScoreSet.from_folds(
        [(given.is_positive, given.scores) for given in scores],
        names=names,
        sample_weight=weights,
        higher_is_positive=scores[0].higher_is_positive,
        unit="set",
        design=ASSUMED,
    )
    return replace(joined, classes=scores[0].classes)


def weighed(members: M, group_weights: Any) -> tuple[M, Floats]:
    """The groups with a curve that have a weight, and their weights as given; RS083 if these do not fit."""
    n = len(members.names)
    if group_weights is None:
        return members, np.ones(n)
    if isinstance(group_weights, str):
        sizes = {"positives": members.n_positives, "negatives": members.n_negatives}
        sizes["rows"] = members.n_positives + members.n_negatives
        raw = sizes[one_of("group_weights", group_weights, tuple(sizes), elsewhere=_SIZES)]
    else:
        by_name = _named(members, group_weights)
        given = group_weights if by_name is None else [by_name[name] for name in members.names]
        raw = real_numbers("group_weights", given, example="positives")
        if raw.shape == (len(members.every),) != (n,):  # those of groups without a curve fall away with them
            place = {name: i for i, name in enumerate(members.every)}
            raw = raw[[place[name] for name in members.names]]
    weights = np.asarray(raw, dtype=np.float64)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if weights.shape != (n,):
        shape = " × ".join(map(str, weights.shape)) or "one number"
        raise fail("RS083.shape", n=n, unit=members.unit, shape=shape)
    if not (np.isfinite(total) and (weights >= 0).all() and total > 0):
        raise fail("RS083.values", low=weights.min(), high=weights.max())
    has_weight = weights > 0
    if has_weight.all():
        return members, read_only(weights)
    names = tuple(name for name, kept in zip(members.names, has_weight, strict=True) if kept)
    return replace(members, names=names, chosen=members.chosen[has_weight]), weights[has_weight]


def _named(members: Members, weights: Any) -> dict[str, Any] | None:
    """Weights by the name of their group, from a mapping or a Series that names each once, else RS083.

    None where they stand in the order of the groups: they have no labels, or the places 0, 1, 2, ..., unless
    a group is called by such a number.
    """
    if isinstance(weights, Mapping):
        by_name = {word(name): weight for name, weight in weights.items()}
        missing = [name for name in members.names if name not in by_name]
        if missing:
            raise fail("RS083.no-weight", missing=missing, unit=members.unit)
        return by_name
    index = index_of(weights)
    if index is None:
        return None
    labels, places = [word(label) for label in index], [str(i) for i in range(len(index))]
    if labels == places and not set(places) & {*members.names, *members.every}:
        return None
    missing = [name for name in members.names if name not in labels]
    wrong = missing or [label for label, n in Counter(labels).items() if n > 1]
    if wrong:
        raise fail(
            "RS083.index-lacks" if missing else "RS083.index-twice",
            unit=members.unit,
            labels=labels,
            wrong=wrong,
            names=", ".join([*map(repr, members.names[:3]), *(["..."] if len(members) > 3 else [])]),
        )
    return dict(zip(labels, np.asarray(weights).tolist(), strict=True))
