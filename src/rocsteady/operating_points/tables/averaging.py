"""Operating point averaging: the same decisions made in every fold, and what they are worth in each.

References
----------
Paclik, Lai, Novovicova & Duin (2008), "Variance estimation for two-class and multi-class ROC analysis using
operating point averaging", ICPR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.members import Members, members_of
from rocsteady.averaging.shared import ranks
from rocsteady.counting.table import CountTable
from rocsteady.curves.readings import alike_thresholds, vertex_at
from rocsteady.errors import Option, UsageError, fail
from rocsteady.operating_points.tables.confusion import TwoClassConfusion, require_room
from rocsteady.operating_points.tables.decisions import decided, points_of
from rocsteady.operating_points.tables.table import OperatingPointTable
from rocsteady.options import one_of, real_numbers, whole_number
from rocsteady.results import read_only

Floats = NDArray[np.float64]


def average_operating_points(
    score_set: object,
    *,
    thresholds: int | ArrayLike | None = None,
    points: Iterable[Any] | None = None,
    decide: Callable[[NDArray[Any], Any], Any] | None = None,
    rule: str | None = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> OperatingPointTable:
    """Every measure at every operating point, with its mean and spread over folds (or datasets, readers).

    An operating point is a way to decide, the same in every fold: a threshold on the scores, or anything that
    a function can apply. Its confusion matrix is counted fold by fold, so that any measure of it has a mean,
    a standard deviation and a standard error over folds. For thresholds this is the threshold average
    (:func:`rocsteady.average` with ``"threshold"``), with every other measure beside the two rates. One
    threshold for all folds is meaningful only if the scores of the folds are on one scale; see
    :func:`rocsteady.comparability`.

    Parameters
    ----------
    score_set : ScoreSet, CurveSet, or sequence of RocCurve or Scores
        Scores of one model; its groups are the folds.
    thresholds : None, int or array-like
        None: every distinct score of all folds together, and the infinite end at which nothing is called
        positive (under ``">"`` everything). A whole number m: m of these points, the end and m - 1 scores
        chosen evenly by rank. Both strictest first. An array: as given.
    points, decide : iterable, function
        Instead of thresholds: any operating points, and ``decide(scores, point)``, which is called with the
        scores of one fold and gives one decision for each: True or False, 1 or 0, or the two labels.
    rule : {">=", ">"}
        What calls a score positive; ``">="`` by default. Where low scores are positive ``"<="`` (default)
        or ``"<"``. Under both rules the points are the same decisions in the same order; the thresholds
        are +inf, u1, u2, ... under ``">="`` and u1, u2, ..., -inf under ``">"``.
    undefined : {"raise", "drop"}
        What to do about folds that lack a class. ``"drop"`` leaves each out of the measures that are not
        defined without that class, and lists it in ``.undefined``: a fold without negatives has a TPR and no
        FPR. ``n_defined`` of a measure says how many folds count. (``"keep"`` is another word for it.) Folds
        that were left out of a CurveSet before count nowhere.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    OperatingPointTable
        With ``.measure(...)``, ``.between(x, y)``, ``.nearest(...)`` and ``.compare_to(...)``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> table = average_operating_points(folds)
    >>> table
    OperatingPointTable(5 points, 2 folds, 2 classes)
    >>> table.thresholds.tolist(), table.measure("tpr").mean.tolist()
    ([inf, 4.0, 3.0, 2.0, 1.0], [0.0, 0.5, 0.75, 1.0, 1.0])
    >>> band = average_operating_points(
    ...     folds, points=[(2, 3), (1, 4)], decide=lambda s, p: (s >= p[0]) & (s <= p[1])
    ... )
    >>> band.measure("accuracy").mean.tolist()
    [0.5, 0.5]
    """
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    _require_one_kind(thresholds, points, decide, rule)
    groups = members_of(
        score_set,
        undefined="raise" if undefined == "raise" else "drop",
        all_rows_count=undefined != "raise",
        threads=threads,
        function="average_operating_points",
    )
    about: dict[str, Any] = {"folds": groups.names, "unit": groups.unit, "undefined": groups.undefined}
    about |= {"design": groups.design, "is_weighted": groups.curves.is_weighted}
    if points is not None and decide is not None:
        given = points_of(points)
        require_room(len(groups), len(given), unit=groups.unit)
        return OperatingPointTable(confusion=decided(groups, given, decide), points=tuple(given), **about)
    at, rule, confusion = _at_thresholds(groups, thresholds, rule)
    return OperatingPointTable(
        confusion=confusion, points=tuple(at.tolist()), thresholds=read_only(at), rule=rule, **about
    )


def _require_one_kind(thresholds: object, points: object, decide: object, rule: object) -> None:
    """RS002 unless there are thresholds, or points with a function to decide by them."""
    if points is None and decide is None:
        return
    found = {"thresholds": thresholds, "points": points, "decide": decide, "rule": rule}
    if thresholds is None and rule is None and points is not None and callable(decide):
        return
    raise fail(
        "RS002.points-or-thresholds",
        given=", ".join((name for name, value in found.items() if value is not None)),
    )


def _at_thresholds(
    groups: Members, thresholds: Any, rule: str | None
) -> tuple[Floats, str, TwoClassConfusion]:
    table = groups.table
    higher = table.higher_is_positive
    rules = (">=", ">") if higher else ("<=", "<")
    rule = rules[0] if rule is None else one_of("rule", rule, rules)
    if thresholds is None or not hasattr(thresholds, "__len__") or _is_scalar_array(thresholds):
        observed = distinct_scores(groups)
        vertex = np.arange(observed.size + 1)
        if thresholds is not None:
            n_scores = _number_of(thresholds) - 1
            chosen = ranks(observed.size, max(n_scores, 2))[-n_scores:]  # of a single one the loosest
            vertex = np.append(0, 1 + chosen)
        require_room(len(table), vertex.size, Option("thresholds", 100), unit=groups.unit)
        # The point at index 0 calls nothing positive, also where a score is infinite itself; so the counts
        # are read at scores only, by one rule, and the other rule is another name for the same points.
        confusion = _counts_at(groups, observed[vertex[1:] - 1], rules[0], beyond_everything=True)
        end = np.inf if higher else -np.inf
        named = np.append(end, observed) if rule == rules[0] else np.append(observed, -end)
        return named[vertex], rule, confusion
    at = np.array(_given(thresholds))
    require_room(len(table), at.size, Option("thresholds", 100), unit=groups.unit)
    _require_apart(groups, at)
    return at, rule, _counts_at(groups, at, rule, beyond_everything=False)


def _is_scalar_array(thresholds: Any) -> bool:
    return isinstance(thresholds, np.ndarray) and thresholds.ndim == 0


_SOME = Option("thresholds", 30)


def _number_of(thresholds: Any) -> int:
    try:
        return whole_number("thresholds", thresholds, least=2, example=30)
    except UsageError as error:
        where = "a whole number of at least 2, or an array of thresholds"
        ways = [_SOME, ("one threshold is an array of one:  ", Option("thresholds", [0.5]))]
        raise fail("RS042", name="thresholds", where=where, found=error.facts["found"], ways=ways) from None


def _given(thresholds: ArrayLike) -> Floats:
    at = real_numbers("thresholds", thresholds, example=[0.2, 0.5, 0.8])
    if at.ndim != 1 or not at.size or np.isnan(at).any():
        ways = [Option("thresholds", [0.2, 0.5, 0.8]), _SOME]
        raise fail("RS042", name="thresholds", where="a list of numbers", found=thresholds, ways=ways)
    return at


def _require_apart(groups: Members, at: Floats) -> None:
    """RS048 if a threshold stands for several integer scores, be they of different groups."""
    if groups.score_set is None or groups.score_set.columns.scores.dtype.kind == "f":
        return
    exact = np.unique(groups.score_set.columns.scores)
    rounded = exact.astype(np.float64)
    alike = np.intersect1d(at, rounded[1:][rounded[1:] == rounded[:-1]])
    if alike.size:
        raise alike_thresholds(alike[0])


def distinct_scores(groups: Members) -> Floats:
    """Every distinct score of all groups that count, strictest first.

    RS048 if floats cannot tell them apart.
    """
    table = groups.table
    if groups.score_set is None:
        rows = np.ones(table.thresholds.size, dtype=np.bool_)
        rows[table.offsets[:-1]] = False  # the leading threshold of each group is no score
        exact: NDArray[Any] = np.unique(table.thresholds[rows])
    else:
        columns = groups.score_set.columns
        chosen = np.zeros(columns.n_groups, dtype=np.bool_)
        chosen[groups.chosen] = True
        exact = np.unique(columns.scores[np.repeat(chosen, np.diff(columns.offsets))])
    rising = exact.astype(np.float64) + 0.0
    alike = rising[1:] == rising[:-1]
    if alike.any():
        raise alike_thresholds(rising[1:][alike][0])
    return rising[::-1] if table.higher_is_positive else rising


def _counts_at(groups: Members, at: Floats, rule: str, *, beyond_everything: bool) -> TwoClassConfusion:
    """What every group counts at thresholds, led by a point that calls nothing positive if that is wanted."""
    table: CountTable = groups.table
    lead = int(beyond_everything)
    tp, fp = np.zeros((len(table), lead + at.size)), np.zeros((len(table), lead + at.size))
    for i, (start, stop) in enumerate(zip(table.offsets[:-1], table.offsets[1:], strict=True)):
        vertex, _ = vertex_at(table.thresholds[start:stop], at, rule, table.higher_is_positive)
        tp[i, lead:] = table.true_positives[start + vertex]
        fp[i, lead:] = table.false_positives[start + vertex]
    sizes = [np.asarray(n, dtype=np.float64)[:, None] for n in (table.n_positives, table.n_negatives)]
    words = (groups.classes.negative, groups.classes.positive)
    return TwoClassConfusion(words, *(read_only(array) for array in (tp, fp, *sizes)))
