"""``average``: from many curves one, by a method that is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.averaging.bounds import AverageBounds
from rocsteady.averaging.directional import DirectionalAverage, is_smroc, smroc_average
from rocsteady.averaging.members import Members, members_of, one_model, weights_of
from rocsteady.averaging.methods import (
    AlongDirection,
    Binormal,
    Method,
    Pooled,
    Radial,
    Tangent,
    Threshold,
    method_of,
)
from rocsteady.averaging.shared import PooledAverage, ThresholdAverage, merge, pool
from rocsteady.calling import welcomes
from rocsteady.counting.cells import ROUNDING, rounding_of
from rocsteady.counting.counted import CountedScores
from rocsteady.curves.curve_set import refuse_undefined, warn_of_reversed
from rocsteady.errors import RocsteadyError, fail
from rocsteady.options import one_of
from rocsteady.results import read_only
from rocsteady.scores.design import ask_once
from rocsteady.scores.score_set import ScoreSet, takes_frames


def _which_average(_: str) -> RocsteadyError:
    return fail("RS093.average")


@takes_frames
@welcomes("average(ScoreSet.from_folds(zip(labels, scores)), method='vertical')", asks=_which_average)
def average(
    x: object,
    method: str | Method,
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
    if is_smroc(x):
        return smroc_average(x, chosen, group_weights=group_weights, undefined=undefined, threads=threads)
    if isinstance(x, CountedScores):
        one_of("undefined", undefined, ("raise", "drop"))
        return average_of_counts(x, chosen, group_weights=group_weights, undefined=undefined, threads=threads)
    if isinstance(x, ScoreSet):
        warn_of_reversed(x)
        ask_once(x)
    is_pooled = isinstance(chosen, Pooled)
    groups = members_of(x, undefined=undefined, all_rows_count=is_pooled, threads=threads)
    if group_weights is not None or isinstance(chosen, Binormal):  # fits warn, each time they are asked for
        return made_of_members(chosen, groups, group_weights)
    known = _in_use.setdefault(groups, WeakValueDictionary())
    found = known.get(chosen)
    if found is None:
        known[chosen] = found = made_of_members(chosen, groups, None)
    return found


_in_use: WeakKeyDictionary[Members, WeakValueDictionary[Method, Average]] = WeakKeyDictionary()
"""Averages of the same groups: asked for again, one that is still in use knows its curve already."""


def made_of_members(chosen: Method, groups: Members, group_weights: object) -> Average:
    """The average of these groups."""
    if isinstance(chosen, Pooled):
        if group_weights is not None:
            raise fail("RS083.pooled", given=group_weights)
        curve, rows = pool(groups, balanced=chosen.balanced)
        sizes = rows.table.n_positives + rows.table.n_negatives
        return PooledAverage(chosen, read_only(sizes), groups, curve, rows)
    groups, weights = groups.weighing(weights_of(groups, group_weights))
    if isinstance(chosen, AlongDirection):
        return DirectionalAverage(chosen, weights, groups)
    if isinstance(chosen, Threshold):
        return ThresholdAverage(chosen, weights, groups, merge(groups, weights))
    if isinstance(chosen, Radial):
        from rocsteady.averaging.tuned import RadialAverage

        return RadialAverage(chosen, weights, groups)
    if isinstance(chosen, Tangent):
        from rocsteady.averaging.tuned import TangentAverage

        return TangentAverage(chosen, weights, groups)
    if isinstance(chosen, Binormal):
        from rocsteady.averaging.binormal import binormal_average

        return binormal_average(chosen, weights, groups)
    raise TypeError(f"{chosen!r} has no average")


def average_of_counts(
    counts: CountedScores, method: Method, *, group_weights: object, undefined: str, threads: int | None
) -> Average:
    """One curve from the counts of many groups, with bounds unless what it needs is known exactly."""
    one_model(counts.models)
    is_pooled, is_shared = isinstance(method, Pooled), isinstance(method, Pooled | Threshold)
    if not (is_pooled and counts.n_positives.any() and counts.n_negatives.any()) and (
        (undefined == "raise" and counts.undefined) or not counts.has_curve.any()
    ):
        raise refuse_undefined(counts)
    is_known = counts.knows_thresholds if is_shared else counts.is_exact
    if isinstance(method, Binormal) and not is_known:
        raise fail("RS406.binormal", counts=counts)
    counted = np.ones(len(counts), dtype=np.bool_) if is_pooled else counts.has_curve
    names = tuple(counts.names[i] for i in np.flatnonzero(counted))
    groups = Members(
        names=names,
        undefined=counts.undefined,
        unit=counts.unit,
        classes=counts.classes,
        score_set=None,
        chosen=np.arange(len(names)),
        threads=threads,
        every=counts.names,
        are_counts=not counts.is_weighted,
    )

    def averaged(table: Any) -> Average:
        return made_of_members(method, replace(groups, _table=table), group_weights)

    if is_shared:
        middle = averaged(counts.shared_counts(every=is_pooled))

        def edge(upper: bool) -> Average:
            return averaged(counts.shared_counts(upper=upper, every=is_pooled))
    else:
        paths = counts.paths()
        middle = averaged(paths.middle)

        def edge(upper: bool) -> Average:
            return averaged(paths.upper if upper else paths.lower)

    if is_known:
        return middle
    lost = float(np.max(rounding_of(counts.cells), initial=0.0))
    if is_shared:  # shares of all cells are added up
        lost += 4 * ROUNDING * (len(counts.cells) + 4)
    return replace(middle, bounds=AverageBounds(edge, lost))
