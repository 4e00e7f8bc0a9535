"""What is averaged: curves, or the scores they come from, with the words for a group and the classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady import _kernels
from rocsteady._kernels import thread_count
from rocsteady.arrays import Array, Floats, Indices
from rocsteady.counting.table import FIRST_ROUNDED, CountTable, count_table
from rocsteady.curves.curve_set import CurveSet, refuse_undefined
from rocsteady.curves.from_scores import described, is_table
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Remedy, fail
from rocsteady.options import one_of, real_numbers
from rocsteady.results import read_only
from rocsteady.scores.columns import index_of, word
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import NO_WORDS, Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores

_SIZES = {"pos": "positives", "positive": "positives", "neg": "negatives", "negative": "negatives"}
_SIZES |= {"size": "rows", "sizes": "rows", "n": "rows", "cases": "rows"}


@dataclass(frozen=True, eq=False)
class Members:
    """The groups of an average.

    Attributes
    ----------
    names : tuple of str
        Of the groups that have a curve.
    undefined : tuple of str
        Groups without a curve, and why.
    unit : str
        The word for a group.
    classes : Classes
        The words for the classes.
    score_set : ScoreSet or None
        The scores of all groups, with or without a curve, if they are known.
    chosen : intp array
        Which groups of the score set, or of the table, are averaged: those that have a curve and a weight.
    every : tuple of str
        Of all groups that were handed over, if some have no curve: weights may be given to each of them.
    design : Design
        How the groups came about.
    are_counts : bool
        Whether a table of floats has numbers of cases, some of them halves.
    """

    names: tuple[str, ...]
    undefined: tuple[str, ...]
    unit: str
    classes: Classes
    score_set: ScoreSet | None
    chosen: Indices
    threads: int | None = None
    _table: CountTable | None = None
    every: tuple[str, ...] = ()
    design: Design = ASSUMED
    are_counts: bool = False

    def __len__(self) -> int:
        return len(self.names)

    def weighing(self, weights: Floats) -> tuple[Members, Floats]:
        """The groups that have a weight, and their weights."""
        has_weight = weights > 0
        if has_weight.all():
            return self, weights
        names = tuple(name for name, kept in zip(self.names, has_weight, strict=True) if kept)
        return replace(self, names=names, chosen=self.chosen[has_weight]), weights[has_weight]

    @property
    def has_plain_scores(self) -> bool:
        """Whether the scores are known, without weights."""
        return self.score_set is not None and self.score_set.columns.weights is None

    @property
    def is_weighted(self) -> bool:
        """Whether rows have weights, so that sums of them are no numbers of cases."""
        if self.score_set is not None:
            return self.score_set.columns.has_weights
        return self.table.true_positives.dtype.kind == "f" and not self.are_counts

    @property
    def is_counted(self) -> bool:
        """Whether the curves have been counted already."""
        return "table" in self.__dict__

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
        has_both = (table.n_positives > 0) & (table.n_negatives > 0)
        if not has_both.all():
            table = table.keep(has_both)
            names = tuple(name for name, kept in zip(names, has_both, strict=True) if kept)
        return CurveSet(
            table=table, names=names, undefined=self.undefined, unit=self.unit, groups=names,
            group_index=np.arange(len(names)), classes=self.classes, design=self.design,
        )  # fmt: skip

    @cached_property
    def n_positives(self) -> Array:
        """Positives (or their weight) of every group that has a curve."""
        if self.score_set is not None and self.has_plain_scores:
            return self.score_set.n_positives[self.chosen]
        return self.table.n_positives

    @cached_property
    def n_negatives(self) -> Array:
        """Negatives (or their weight) of every group that has a curve."""
        if self.score_set is not None and self.has_plain_scores:
            return self.score_set.n_negatives[self.chosen]
        return self.table.n_negatives

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        if self.score_set is not None:
            return self.score_set.higher_is_positive
        return self.table.higher_is_positive

    @cached_property
    def auc(self) -> Floats:
        """AUC of every group that has a curve."""
        return self.curves.auc


@dataclass(frozen=True)
class Asker:
    """Which function asks for groups: what its messages say.

    Attributes
    ----------
    takes : str
        What may be handed to it, a sentence.
    lacks : str
        What is missing where nothing was, a sentence.
    of_one : str
        That it is about one model.
    call : str
        How it is called, with a place for what is handed over.
    usual : str
        What is mostly handed over.
    """

    takes: str = "an average is made of a ScoreSet, a CurveSet, or a list of RocCurve or Scores."
    lacks: str = "there are no curves to average."
    of_one: str = "an average is of one"
    call: str = "average({}, 'vertical')"
    usual: str = "roc_curves(score_set)"

    def typed(self, given: str = "") -> str:
        """The call, with what is to be handed over."""
        return self.call.format(given or self.usual)


def members_of(
    x: object,
    *,
    undefined: str = "raise",
    all_rows_count: bool = False,
    threads: int | None = None,
    asker: Asker | None = None,
) -> Members:
    """What can be averaged, from whatever was handed over.

    ``all_rows_count`` is for pooling, where a group of one class counts although it has no curve. Messages
    are those of ``average`` unless someone else asks.
    """
    asker = asker or Asker()
    one_of("undefined", undefined, ("raise", "drop"))
    thread_count(threads)  # refuses what is no number of threads, before anything is computed
    if isinstance(x, ScoreSet):
        one_model(x.models, asker.of_one)
        return _of_scores(x, undefined, all_rows_count, threads)
    if isinstance(x, CurveSet):
        return _of_curve_set(x, threads, asker)
    if isinstance(x, RocCurve | Scores):
        x = [x]
    if isinstance(x, Sequence) and not isinstance(x, str | bytes):
        if not x:
            raise fail("RS082", lacks=asker.lacks, found="an empty sequence", call=asker.typed())
        if all(isinstance(entry, RocCurve) for entry in x):
            return _of_curves(x, threads)
        if all(isinstance(entry, Scores) for entry in x):
            return _of_scores(_joined(x), undefined, all_rows_count, threads)
    raise fail("RS002.averaged", takes=asker.takes, found=described(x), ways=_ways(x, asker))


def one_model(models: Sequence[str], of_one: str = Asker.of_one) -> None:
    """RS044 if there are several models: each has its own average."""
    if len(models) > 1:
        raise fail("RS044", models=list(models), of_one=of_one, first=models[0])


_InUse = WeakValueDictionary[tuple[bool, int | None, int], Members]
_made: WeakKeyDictionary[ScoreSet, _InUse] = WeakKeyDictionary()
"""Members that are in use: all averages of a set have the same, so that its curves are counted once."""


def _of_scores(score_set: ScoreSet, undefined: str, all_rows_count: bool, threads: int | None) -> Members:
    if undefined == "raise" and score_set.undefined and not all_rows_count:
        raise refuse_undefined(score_set)
    chosen = np.flatnonzero((score_set.n_positives > 0) & (score_set.n_negatives > 0))
    has_both = score_set.n_positives.any() and score_set.n_negatives.any()
    if not (has_both if all_rows_count else chosen.size):
        raise refuse_undefined(score_set)
    if all_rows_count:
        chosen = np.arange(len(score_set))
    known = _made.setdefault(score_set, WeakValueDictionary())
    wanted = all_rows_count, threads, id(_kernels.kernels)
    found = known.get(wanted)
    if found is None:
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


def _of_curve_set(curves: CurveSet, threads: int | None, asker: Asker) -> Members:
    if curves.bounds is not None:
        raise fail("RS406.bounds", curves=curves)
    present = dict.fromkeys(curves.model_index.tolist())
    one_model([curves.models[i] for i in present] if curves.models else [], asker.of_one)
    if not len(curves):
        raise fail("RS082", lacks=asker.lacks, found=repr(curves), call=asker.typed())
    words = curves.classes or NO_WORDS
    everything = np.arange(len(curves))
    return Members(
        curves.names, curves.undefined, curves.unit, words, None, everything, threads, curves.table,
        design=curves.design,
    )  # fmt: skip


def _of_curves(curves: Sequence[RocCurve], threads: int | None) -> Members:
    for curve in curves:
        if curve.bounds is not None:
            raise fail("RS406.bounds", curves=curve)
    directions = {curve.higher_is_positive for curve in curves}
    if len(directions) > 1:
        raise fail("RS002.directions", n=len(curves))
    weighted = any(curve.is_weighted for curve in curves)
    kind: Any = np.float64 if weighted else np.int64
    sizes = [curve.thresholds.size for curve in curves]
    table = CountTable(
        np.concatenate([curve.thresholds for curve in curves]),
        np.concatenate([curve.true_positives for curve in curves]).astype(kind, copy=False),
        np.concatenate([curve.false_positives for curve in curves]).astype(kind, copy=False),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        directions.pop(),
        _exact_of(curves),
    )
    names = tuple(curve.name or f"curve {i}" for i, curve in enumerate(curves, start=1))
    return Members(names, (), "curve", NO_WORDS, None, np.arange(len(names)), threads, table)


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
    directions = {given.higher_is_positive for given in scores}
    if len(directions) > 1:
        raise fail("RS002.directions-of-scores")
    weights: list[object] | None = None
    if any(given.sample_weight is not None for given in scores):
        ones = [np.ones(len(given.scores)) for given in scores]
        weights = [
            one if given.sample_weight is None else given.sample_weight
            for one, given in zip(ones, scores, strict=True)
        ]
    joined = ScoreSet.from_folds(
        [(given.is_positive, given.scores) for given in scores],
        names=names,
        sample_weight=weights,
        higher_is_positive=directions.pop(),
        unit="set",
        design=ASSUMED,
    )
    return replace(joined, classes=scores[0].classes)


def _ways(x: Any, asker: Asker) -> list[Remedy]:
    if isinstance(x, str | PathLike):
        return [f"read the file:  {asker.typed('read_scores(path)')}"]
    if is_table(x):
        return ["name its columns:  ScoreSet.from_frame(frame, label='...', score='...', group='...')"]
    if isinstance(x, Sequence):
        call = asker.typed("ScoreSet.from_folds(pairs)")
        return [f"one pair (labels, scores) for each fold:  {call}"]
    return [asker.typed()]


def weights_of(members: Members, group_weights: object) -> Floats:
    """What every group with a curve counts, as it was given; RS083 if the weights do not fit."""
    n = len(members)
    if group_weights is None:
        return np.ones(n)
    if isinstance(group_weights, str):
        sizes = {"positives": members.n_positives, "negatives": members.n_negatives}
        chosen = one_of("group_weights", group_weights, (*sizes, "rows"), elsewhere=_SIZES)
        raw = sizes[chosen] if chosen in sizes else members.n_positives + members.n_negatives
    elif isinstance(group_weights, Mapping):
        raw = _by_name(members, group_weights)
    elif not _is_in_order(members, index_of(group_weights)):
        raw = _by_name(members, _labelled(members, group_weights))
    else:
        raw = real_numbers("group_weights", group_weights, example="positives")  # type: ignore[arg-type]
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
    return read_only(weights)


def _is_in_order(members: Members, index: Any) -> bool:
    """Whether weights stand in the order of the groups: they have no labels, or the places 0, 1, 2, ...

    Where a group is called by such a number, the numbers are names.
    """
    if index is None:
        return True
    places = [str(i) for i in range(len(index))]
    return [word(label) for label in index] == places and not set(places) & {*members.names, *members.every}


def _labelled(members: Members, weights: Any) -> dict[str, Any]:
    """The weights of a pandas Series by its labels; RS083 unless these name every group, once."""
    labels = [word(label) for label in index_of(weights)]
    named, twice = set(labels), [label for label, n in Counter(labels).items() if n > 1]
    missing = [name for name in members.names if name not in named]
    if missing or twice:
        shown = ", ".join([*map(repr, members.names[:3]), *(["..."] if len(members) > 3 else [])])
        raise fail(
            "RS083.index-lacks" if missing else "RS083.index-twice",
            unit=members.unit,
            labels=labels,
            wrong=missing or twice,
            names=shown,
        )
    return dict(zip(labels, np.asarray(weights).tolist(), strict=True))


def _by_name(members: Members, weights: Mapping[Any, Any]) -> Floats:
    by_name = {word(name): weight for name, weight in weights.items()}
    missing = [name for name in members.names if name not in by_name]
    if missing:
        raise fail("RS083.no-weight", missing=missing, unit=members.unit)
    return real_numbers("group_weights", [by_name[name] for name in members.names], example="positives")
