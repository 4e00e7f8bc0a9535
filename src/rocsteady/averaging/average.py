"""``average``: from many curves one, by a method that is named."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady.averaging.base import Average, AverageBounds
from rocsteady.averaging.directional import DirectionalAverage, is_smroc, smroc_average
from rocsteady.averaging.members import Members, members_of, one_model, weighed
from rocsteady.averaging.methods import (
    AlongDirection,
    Binormal,
    Method,
    MethodName,
    Pooled,
    Radial,
    Tangent,
    Threshold,
    method_of,
)
from rocsteady.averaging.shared import PooledAverage, SharedThresholdAverage, ThresholdAverage, shared_curve
from rocsteady.calling import welcomes
from rocsteady.counting.cells import ROUNDING, Staircases, rounding_of, shared_area
from rocsteady.counting.counted import CountedScores
from rocsteady.curves.curve_set import refuse_undefined, warn_of_reversed
from rocsteady.curves.from_scores import is_table
from rocsteady.errors import RocsteadyError, fail
from rocsteady.options import one_of
from rocsteady.results import read_only
from rocsteady.scores.design import ask_once
from rocsteady.scores.score_set import ScoreSet, takes_frames

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
@welcomes("average(ScoreSet.from_folds(zip(labels, scores)), method='vertical')", asks=_which_average)
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
    if isinstance(x, ScoreSet | CountedScores) and len(x.models) > 1:
        one_model(x.models, method=chosen.typed)
    if isinstance(x, ScoreSet):
        warn_of_reversed(x)
        ask_once(x)
    elif isinstance(x, CountedScores):
        one_of("undefined", undefined, ("raise", "drop"))
        return _of_counts(x, chosen, group_weights, undefined, threads)
    elif is_smroc(x):
        return smroc_average(x, chosen, group_weights=group_weights, undefined=undefined, threads=threads)
    groups = members_of(x, undefined=undefined, all_rows_count=isinstance(chosen, Pooled), threads=threads)
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
    groups, weights = weighed(groups, group_weights)
    if isinstance(chosen, AlongDirection):
        return DirectionalAverage(chosen, weights, groups)
    if isinstance(chosen, Threshold):
        return ThresholdAverage(chosen, weights, groups, shared_curve(groups, weights, weights))
    if isinstance(chosen, Binormal):
        from rocsteady.averaging.binormal import binormal_average  # seldom asked for, slow to import

        return binormal_average(chosen, weights, groups)
    if isinstance(chosen, Radial | Tangent):
        from rocsteady.averaging.tuned import RadialAverage, TangentAverage

        if isinstance(chosen, Radial):
            return RadialAverage(chosen, weights, groups)
        return TangentAverage(chosen, weights, groups)
    raise TypeError(f"{chosen!r} has no average")


def _of_counts(
    counts: CountedScores, method: Method, group_weights: object, undefined: str, threads: int | None
) -> Average:
    """One curve from the counts of many groups, with bounds unless what it needs is known exactly."""
    is_pooled, is_shared = isinstance(method, Pooled), isinstance(method, Pooled | Threshold)
    if not (is_pooled and counts.n_positives.any() and counts.n_negatives.any()) and (
        (undefined == "raise" and counts.undefined) or not counts.has_curve.any()
    ):
        raise refuse_undefined(counts)
    is_known = counts.knows_thresholds if is_shared else counts.is_exact
    if isinstance(method, Binormal) and not is_known:
        raise fail("RS406.binormal", counts=counts)
    names = tuple(
        name for name, has_curve in zip(counts.names, counts.has_curve, strict=True) if has_curve or is_pooled
    )
    groups = Members(
        names,
        counts.undefined,
        counts.unit,
        counts.classes,
        None,
        np.arange(len(names)),
        threads,
        every=counts.names,
        are_counts=not counts.is_weighted,
    )
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
            sizes = cells.n_negatives, cells.n_positives
            of_fpr, of_tpr = (
                np.divide(own, n, out=np.zeros(len(own)), where=n > 0)
                for own, n in zip(middle._axis_weights, sizes, strict=True)
            )
            area = partial(shared_area, cells, (of_fpr, of_tpr))
    return replace(middle, bounds=AverageBounds(of_cells, lost, area))


def _of_cells(
    counts: CountedScores,
    paths: Staircases | None,
    method: Method,
    groups: Members,
    group_weights: object,
    upper: bool | None,
) -> Average:
    """Of the highest curves that the counts allow, of the lowest, or (None) of those in the middle."""
    if paths is None:
        table = counts.shared_counts(upper=upper, every=isinstance(method, Pooled))
    else:
        table = paths.middle if upper is None else paths.upper if upper else paths.lower
    return _made(method, replace(groups, _table=table), group_weights)
