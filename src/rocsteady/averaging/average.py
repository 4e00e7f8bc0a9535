"""``average``: from many curves one, by a method that is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload
from weakref import WeakKeyDictionary, WeakValueDictionary

from rocsteady.averaging.along_direction import DirectionalAverage
from rocsteady.averaging.base import Average
from rocsteady.averaging.by_threshold import ThresholdAverage
from rocsteady.averaging.given import Floats, Members, members_of, weights_of
from rocsteady.averaging.merging import merge, pool
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
from rocsteady.averaging.of_smroc import is_smroc, smroc_average
from rocsteady.averaging.pooled import PooledAverage
from rocsteady.averaging.questions import two_questions
from rocsteady.calling import welcomes
from rocsteady.counting.arguments import one_of
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.results import read_only
from rocsteady.curves.direction import warn_of_reversed
from rocsteady.errors import UsageError
from rocsteady.scores.design import ask_once
from rocsteady.scores.score_set import ScoreSet

if TYPE_CHECKING:
    from rocsteady.averaging.certified.average import CertifiedAverage


def _which_average(_: str) -> UsageError:
    """RS093: no average was named."""
    return UsageError(
        "RS093",
        "which average was not said, and every one answers another question.",
        two_questions("groups"),
        "average(x, method='threshold')  for one threshold, every group counting once",
        "average(x, method='vertical')  for a threshold of each group, held at an FPR",
        "advise(Deployment(threshold='shared', weigh='groups')).method",
    )


@overload
def average(  # type: ignore[overload-overlap]  # counts are an object, too
    x: CountedScores,
    method: str | Method,
    *,
    group_weights: object = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> Average | CertifiedAverage: ...
@overload
def average(
    x: object,
    method: str | Method,
    *,
    group_weights: object = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> Average: ...
@welcomes("average(ScoreSet.from_folds(zip(labels, scores)), method='vertical')", asks=_which_average)
def average(
    x: object,
    method: str | Method,
    *,
    group_weights: object = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> Average | CertifiedAverage:
    """One ROC curve from many.

    Every method answers a different question; :func:`rocsteady.advise` says which answers yours.

    Parameters
    ----------
    x : ScoreSet, CurveSet, CountedScores, or sequence of RocCurve or Scores
        What to average, of one model. Counts that are not exact give a :class:`CertifiedAverage`. Or
        SmrocCurves, or a sequence of SmrocCurve, along a direction
        (vertical, horizontal, diagonal, AtAngle): the area is then the mean smAUC.
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
        from rocsteady.averaging.certified.making import average_of_counts

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
        return _pooled(groups, chosen, group_weights)
    groups, weights = groups.weighing(weights_of(groups, group_weights))
    return _of_groups(chosen, weights, groups)


def _of_groups(chosen: Method, weights: Floats, groups: Members) -> Average:
    """The average in which every group has its weight."""
    if isinstance(chosen, AlongDirection):
        return DirectionalAverage(chosen, weights, groups)
    if isinstance(chosen, Threshold):
        return ThresholdAverage(chosen, weights, groups, merge(groups, weights))
    if isinstance(chosen, Radial):
        from rocsteady.averaging.radial import RadialAverage

        return RadialAverage(chosen, weights, groups)
    if isinstance(chosen, Tangent):
        from rocsteady.averaging.tangent import TangentAverage

        return TangentAverage(chosen, weights, groups)
    if isinstance(chosen, Binormal):
        from rocsteady.averaging.binormal import binormal_average

        return binormal_average(chosen, weights, groups)
    raise TypeError(f"{chosen!r} has no average")


def _pooled(groups: Members, method: Pooled, group_weights: object) -> PooledAverage:
    if group_weights is not None:
        raise UsageError(
            "RS083",
            "pooling counts rows, so groups have no weights.",
            f"found: group_weights={group_weights!r:.60}",
            "every group the same:  average(x, Pooled(balanced=True))",
            "weighted groups under one threshold:  average(x, 'threshold', group_weights='rows')",
        )
    curve, rows = pool(groups, balanced=method.balanced)
    sizes = rows.table.n_positives + rows.table.n_negatives
    return PooledAverage(method, read_only(sizes), groups, curve, rows)
