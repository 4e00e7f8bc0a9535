"""``average``: from many curves one, by a method that is named; what can be averaged, and what is certain."""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady import _kernels
from rocsteady._kernels import thread_count
from rocsteady.arrays import Array, Floats
from rocsteady.averaging.base import Average, AverageBounds, Members
from rocsteady.averaging.directional import DirectionalAverage, SmrocAverage, SmrocMembers
from rocsteady.averaging.methods import (
    AlongDirection,
    AtAlarmRate,
    AtCosts,
    Binormal,
    Method,
    MethodName,
    Pooled,
    Radial,
    Tangent,
    Threshold,
    method_of,
)
from rocsteady.averaging.shared_threshold import (
    PooledAverage,
    SharedThresholdAverage,
    ThresholdAverage,
    shared_curve,
)
from rocsteady.calling import welcomes
from rocsteady.counting.cells import ROUNDING, Staircases, rounding_of, shared_area
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.table import FIRST_ROUNDED, CountTable
from rocsteady.curves.curve_set import CurveSet, refuse_undefined, warn_of_reversed
from rocsteady.curves.from_scores import described, is_table
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import RocsteadyError, fail
from rocsteady.options import one_of, real_numbers
from rocsteady.results import read_only
from rocsteady.scores.columns import index_of, word
from rocsteady.scores.design import ASSUMED, ask_once
from rocsteady.scores.labels import NO_WORDS
from rocsteady.scores.score_set import ScoreSet, takes_frames
from rocsteady.scores.scores import Scores

_SIZES = {"pos": "positives", "positive": "positives", "neg": "negatives", "negative": "negatives"}
_SIZES |= {"size": "rows", "sizes": "rows", "n": "rows", "cases": "rows"}

_in_use: WeakKeyDictionary[Members, WeakValueDictionary[Method, Average]] = WeakKeyDictionary()
"""Averages by their groups and their method: one that is asked for again knows its curve already."""


def _which_average(x: object = None, *others: object, **named: object) -> RocsteadyError | None:
    """RS093 where scores came without a method, with calls that take what was given."""
    if x is None or others or "method" in named:
        return None
    shown = "x"
    if isinstance(x, ScoreSet) and len(x.models) > 1:
        shown = f"x.model({x.models[0]!r})"
    elif is_table(x):
        shown = "ScoreSet.from_frame(x, label='...', score='...', group='...')"
    elif isinstance(x, list | tuple) and x and all(isinstance(own, list | tuple) for own in x):
        shown = "ScoreSet.from_folds(x)"
    return fail("RS093.average", x=shown)


@takes_frames
@welcomes(
    "average(ScoreSet.from_folds(zip(labels, scores)), method='vertical')",
    asks=_which_average,
    instead={"at_jumps": 'method=rs.Vertical(at_jumps="{}")'},
)
def average(
    x: object,
    method: MethodName | Method,
    *,
    group_weights: object = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> Average:
    """One ROC curve from many.

    Every method answers a different question; :func:`rocsteady.advise` says which answers yours.

    Parameters
    ----------
    x : ScoreSet, CurveSet, CountedScores, or sequence of RocCurve or Scores
        What to average, of one model. Of counts that are not exact the average has ``bounds``. Or
        SmrocCurves, or a sequence of SmrocCurve, along a direction
        (vertical, horizontal, diagonal, AtAngle): the area is then the mean smAUC. Or a table, with the
        columns of :meth:`ScoreSet.from_frame`: ``label=``, ``score=``, ``group=`` ...
    method : str or Method
        ``"pooled"``, ``"threshold"``, ``"vertical"``, ``"horizontal"``, ``"diagonal"``, ``"radial"``,
        ``"tangent"``, ``"binormal"``; or a value: ``AtAngle(angle)``, ``AtAlarmRate(prevalence=...)``,
        ``AtCosts(false_positive=..., false_negative=..., prevalence=...)``, ``Vertical(at_jumps="mid")``,
        ``Pooled(balanced=True)``.
    group_weights : array-like, mapping, "positives", "negatives" or "rows", optional
        What every group counts; all the same by default. A mapping, and a pandas Series whose index has the
        names of the groups, is taken by name. ``"positives"`` makes the vertical average the
        covariate-adjusted ROC curve of Janes & Pepe (2009). Pooling takes none.
    undefined : {"raise", "drop"}
        What to do about groups with one class, which have no curve. They count in the pooled curve all the
        same, and are listed in ``.undefined``.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    Average
        With ``.fpr``, ``.tpr``, ``.auc``, ``.reading``, ``.at(...)`` and ``.band(...)``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "vertical")
    >>> average.auc, average.tpr_at(0)
    (0.8125, 0.5)
    """
    chosen = method_of(method)
    if isinstance(x, CountedScores):
        return _of_counts(x, chosen, group_weights, undefined, threads)
    # Nothing is a smROC curve while nobody has imported them.
    smroc = sys.modules.get("rocsteady.curves.smroc")
    if smroc is not None and not isinstance(x, ScoreSet | CurveSet):
        some = x if isinstance(x, Sequence) else [x]
        if len(some) and all(isinstance(own, smroc.SmrocCurve) for own in some):
            return _of_smroc(some, chosen, group_weights, undefined, threads)
    pooled = isinstance(chosen, Pooled)
    groups = members_of(x, undefined=undefined, all_rows_count=pooled, threads=threads, method=chosen)
    if isinstance(x, ScoreSet):
        warn_of_reversed(x)
        ask_once(x)
    if group_weights is not None or isinstance(chosen, Binormal):  # fits warn, each time they are asked for
        return _made(chosen, groups, group_weights)
    known = _in_use.setdefault(groups, WeakValueDictionary())
    found = known.get(chosen)
    if found is None:
        known[chosen] = found = _made(chosen, groups, None)
    return found


def _made(chosen: Method, groups: Members, group_weights: object) -> Average:
    """The average of these groups."""
    if isinstance(chosen, Pooled):
        if group_weights is not None:
            raise fail("RS083.pooled", given=group_weights)
        table = groups.table
        rows = read_only(table.n_positives + table.n_negatives)
        sizes = table.n_negatives.astype(np.float64), table.n_positives.astype(np.float64)
        if chosen.balanced:
            sizes = (sizes[0] > 0).astype(np.float64), (sizes[1] > 0).astype(np.float64)
        return PooledAverage(chosen, rows, groups, shared_curve(groups, *sizes), sizes)
    groups, weights = _weighed(groups, group_weights)
    if isinstance(chosen, AlongDirection):
        if isinstance(groups, SmrocMembers):
            return SmrocAverage(chosen, weights, groups)
        return DirectionalAverage(chosen, weights, groups)
    if isinstance(chosen, Threshold):
        return ThresholdAverage(chosen, weights, groups, shared_curve(groups, weights, weights))
    if isinstance(chosen, Binormal):
        from rocsteady.averaging.binormal import binormal_average  # seldom asked for, slow to import

        return binormal_average(chosen, weights, groups)
    from rocsteady.averaging.radial_tangent import RadialAverage, TangentAverage

    tuned: Any = {Radial: RadialAverage, Tangent: TangentAverage}[type(chosen)]
    return tuned(chosen, weights, groups)  # type: ignore[no-any-return]


def _of_counts(
    counts: CountedScores, method: Method, group_weights: object, undefined: str, threads: int | None
) -> Average:
    """One curve from the counts of many groups, with bounds unless what it needs is known exactly."""
    require_one_model(counts.models, "average", method)
    one_of("undefined", undefined, ("raise", "drop"))
    is_pooled, is_shared = isinstance(method, Pooled), isinstance(method, Pooled | Threshold)
    if not (is_pooled and counts.n_positives.any() and counts.n_negatives.any()) and (
        (undefined == "raise" and counts.undefined) or not counts.has_curve.any()
    ):
        raise refuse_undefined(counts)
    is_known = counts.knows_thresholds if is_shared else counts.is_exact
    if isinstance(method, Binormal) and not is_known:
        raise fail("RS406.binormal", counts=counts)
    names = counts.names if is_pooled else tuple(itertools.compress(counts.names, counts.has_curve))
    groups = Members(
        names, counts.undefined, counts.unit, counts.classes, None, np.arange(len(names)), threads,
        every=counts.names, are_counts=not counts.is_weighted,
    )  # fmt: skip
    paths = None if is_shared else counts.paths()
    of_cells = partial(_of_cells, counts, paths, method, groups, group_weights)
    middle = of_cells(None)
    if is_known:
        return middle
    lost, area = float(np.max(rounding_of(counts.cells), initial=0.0)), None
    if isinstance(middle, SharedThresholdAverage):
        lost += 4 * ROUNDING * (len(counts.cells) + 4)  # shares of all cells are added up
        cells = counts.oriented_cells(every=is_pooled)
        if cells.n_members == middle.n_groups:  # else a group has no weight
            both = zip(middle._axis_weights, (cells.n_negatives, cells.n_positives), strict=True)
            shares = [np.divide(own, n, out=np.zeros(len(own)), where=n > 0) for own, n in both]
            area = partial(shared_area, cells, (shares[0], shares[1]))
    return replace(middle, bounds=AverageBounds(of_cells, lost, area))


def _of_cells(
    counts: CountedScores,
    paths: Staircases | None,
    method: Method,
    groups: Members,
    weights: object,
    upper: bool | None,
) -> Average:
    """Of the highest curves that the counts allow, of the lowest, or (None) of those in the middle."""
    if paths is None:
        table = counts.shared_counts(upper=upper, every=isinstance(method, Pooled))
    else:
        table = {None: paths.middle, True: paths.upper, False: paths.lower}[upper]
    return _made(method, replace(groups, _table=table), weights)


# What can be averaged, from whatever was handed over
# --------------------------------------------------


def members_of(
    x: object,
    *,
    undefined: str = "raise",
    all_rows_count: bool = False,
    threads: int | None = None,
    function: str = "average",
    method: Method | None = None,
) -> Members:
    """The groups of whatever was handed over to a function.

    ``all_rows_count`` is for pooling, where a group of one class counts although it has no curve.
    """
    one_of("undefined", undefined, ("raise", "drop"))
    thread_count(threads)  # refuses what is no number of threads, before anything is computed
    if isinstance(x, RocCurve | Scores):
        x = [x]
    if isinstance(x, CurveSet):
        return _of_curve_set(x, threads, function)
    if isinstance(x, Sequence) and not isinstance(x, str | bytes | ScoreSet):
        if not x:
            raise fail("RS082", function=function, found="an empty sequence")
        if all(isinstance(entry, RocCurve) for entry in x):
            return _of_curves(x, threads)
        if all(isinstance(entry, Scores) for entry in x):
            x = _joined(x)
    if isinstance(x, ScoreSet):
        if len(x.models) > 1:
            require_one_model(x.models, function, method)
        if undefined == "raise" and x.undefined and not all_rows_count:
            raise refuse_undefined(x)
        known, wanted = (
            _known.setdefault(x, WeakValueDictionary()),
            (all_rows_count, threads, id(_kernels.kernels)),
        )
        found = known.get(wanted)
        if found is None:
            known[wanted] = found = _of_scores(x, all_rows_count, threads)
        return found
    facts = {"function": function, "found": described(x)}
    if isinstance(x, str | PathLike):
        raise fail("RS002.groups-in-file", **facts)
    if is_table(x):
        raise fail("RS002.groups-in-frame", **facts)
    raise fail("RS002.groups-in-pairs" if isinstance(x, Sequence) else "RS002.no-groups", **facts)


def require_one_model(models: Sequence[str], function: str, method: Method | None = None) -> None:
    """RS044 if there are several models: each has its own average."""
    if len(models) > 1:
        typed = "" if method is None else method.typed
        raise fail("RS044.one", models=list(models), function=function, method=typed)


_known: WeakKeyDictionary[ScoreSet, WeakValueDictionary[Any, Members]] = WeakKeyDictionary()
"""Members that are in use: all averages of a set have the same, so that its curves are counted once."""


def _of_scores(scores: ScoreSet, all_rows_count: bool, threads: int | None) -> Members:
    chosen, every = np.flatnonzero(scores.has_curve), scores.names
    has_both: Any = chosen.size > 0
    if all_rows_count:
        chosen, has_both = np.arange(len(every)), scores.n_positives.any() and scores.n_negatives.any()
    if not has_both:
        raise refuse_undefined(scores)
    names = tuple(every[i] for i in chosen)
    return Members(
        names, scores.undefined, scores.unit, scores.classes, scores, chosen, threads,
        every=every, design=scores.design,
    )  # fmt: skip


def _of_curve_set(curves: CurveSet, threads: int | None, function: str) -> Members:
    if curves.bounds is not None:
        raise fail("RS406.bounds", curves=curves)
    present = dict.fromkeys(curves.model_index.tolist())
    require_one_model([curves.models[i] for i in present] if curves.models else [], function)
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
    table = _joined_table(curves, columns, _exact_of(curves))
    return Members(names, (), "curve", NO_WORDS, None, np.arange(len(names)), threads, table)


def _joined_table(curves: Sequence[Any], columns: Sequence[Sequence[Array]], exact: Any = None) -> CountTable:
    """Thresholds and counts of several curves as one table; RS002 if they differ in direction."""
    if len({curve.higher_is_positive for curve in curves}) > 1:
        raise fail("RS002.directions", n=len(curves))
    thresholds, true_positives, false_positives = (np.concatenate(own) for own in zip(*columns, strict=True))
    offsets = np.cumsum([0, *(own[0].size for own in columns)], dtype=np.int64)
    higher = curves[0].higher_is_positive
    return CountTable(thresholds, true_positives, false_positives, offsets, higher, exact)


def _exact_of(curves: Sequence[RocCurve]) -> Array | None:
    """The thresholds of all curves as integers, if some are too large for floats and none has a fraction."""
    if all(curve._exact is None for curve in curves):
        return None
    found: list[Array] = []
    for curve in curves:
        scores, exact = curve.thresholds[1:], curve._exact
        if exact is None:
            if not ((np.abs(scores) < FIRST_ROUNDED) & (scores == np.floor(scores))).all():
                return None
            exact = np.append(0, scores).astype(np.int64)
        found.append(exact)
    return np.concatenate(found) if np.result_type(*found).kind in "iu" else None


def _joined(scores: Sequence[Scores]) -> ScoreSet:
    names = [given.name or f"set {i}" for i, given in enumerate(scores, start=1)]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    higher = scores[0].higher_is_positive
    if any(given.higher_is_positive != higher for given in scores):
        raise fail("RS002.directions-of-scores")
    given_weights = [own.sample_weight for own in scores]
    weights: list[object] | None = None
    if any(own is not None for own in given_weights):
        both = zip(scores, given_weights, strict=True)
        weights = [np.ones(len(given.scores)) if own is None else own for given, own in both]
    joined = ScoreSet.from_folds(
        [(given.is_positive, given.scores) for given in scores],
        names=names,
        sample_weight=weights,
        higher_is_positive=higher,
        unit="set",
        design=ASSUMED,
    )
    return replace(joined, classes=scores[0].classes)


def _weighed(members: Members, group_weights: Any) -> tuple[Members, Floats]:
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
    names = tuple(itertools.compress(members.names, has_weight))
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
        facts = {"unit": members.unit, "labels": labels, "wrong": wrong}
        facts["names"] = ", ".join([*map(repr, members.names[:3]), *(["..."] if len(members) > 3 else [])])
        raise fail("RS083.index-lacks" if missing else "RS083.index-twice", **facts)
    return dict(zip(labels, np.asarray(weights).tolist(), strict=True))


# smROC curves, along a direction
# -------------------------------


def _of_smroc(x: Any, method: Method, group_weights: object, undefined: str, threads: int | None) -> Average:
    """The average of smROC curves, or RS089 for a method that has no meaning for them."""
    from rocsteady.curves.smroc import SmrocCurves, refuse_undefined_areas, without_area

    one_of("undefined", undefined, ("raise", "drop"))
    if not isinstance(method, AlongDirection) or isinstance(method, AtAlarmRate | AtCosts):
        raise fail(
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
    unit, classes, design = "curve", NO_WORDS, ASSUMED
    without: tuple[str, ...] = ()
    if isinstance(x, SmrocCurves):
        require_one_model(list(dict.fromkeys(x.models)), "average")
        unit, without, classes, design = x.unit, x.undefined, x.classes or NO_WORDS, x.design
    named = [(curve.name or f"curve {i}", curve) for i, curve in enumerate(x, start=1)]
    nameless = without_area(named)
    named = [(name, curve) for name, curve in named if not math.isnan(curve.auc)]
    if not named or (nameless and undefined == "raise"):
        raise refuse_undefined_areas(nameless, len(x), unit, "[curve.with_mid(0.5) for curve in curves]")
    columns = [(curve.thresholds, curve.credit_up, curve.credit_right) for _, curve in named]
    groups = SmrocMembers(
        names=tuple(name for name, _ in named),
        undefined=(*without, *nameless),
        unit=unit,
        classes=classes,
        score_set=None,
        chosen=np.arange(len(named)),
        threads=threads,
        _table=_joined_table(x, columns),
        design=design,
        _curves=tuple(curve for _, curve in named),
    )
    return _made(method, groups, group_weights)
