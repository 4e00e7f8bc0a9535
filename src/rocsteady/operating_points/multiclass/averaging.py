"""Operating points of several classes: confusion matrices of every fold under every weight vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady import _kernels
from rocsteady.errors import RocsteadyError, fail
from rocsteady.operating_points.multiclass.class_errors import class_rows_needed, require_multiclass
from rocsteady.operating_points.multiclass.deciding import (
    Floats,
    read_class_weights,
    weighable_columns,
    weighable_weights,
)
from rocsteady.operating_points.multiclass.own_decisions import Decide, decided_by_function
from rocsteady.operating_points.tables.confusion import MulticlassConfusion, require_room
from rocsteady.operating_points.tables.decisions import points_of
from rocsteady.operating_points.tables.table import OperatingPointTable
from rocsteady.options import one_of
from rocsteady.results import read_only
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.words import listed


def average_multiclass_points(
    multiclass_scores: MulticlassScores,
    class_weights: ArrayLike | None = None,
    *,
    points: Iterable[Any] | None = None,
    decide: Decide | None = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> OperatingPointTable:
    """Every measure at every operating point of a classifier of several classes, with its spread over folds.

    An operating point is a vector of class weights, by which :func:`rocsteady.decide` decides, or anything
    that a function can decide by. The same point is applied in every fold, its confusion matrix is counted
    fold by fold, and so every measure of it has a mean, a standard deviation and a standard error.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
    class_weights : array-like of shape (K, C) or (C,)
        Positive; only the ratios within a vector matter, and the table keeps them as given.
    points, decide : iterable, function
        Instead of class weights: any operating points, and ``decide(outputs, point)``, which is called with
        the outputs (n, C) of one fold and gives one decision for each row: the class itself, or its place
        among ``multiclass_scores.classes``, as :func:`rocsteady.decide` gives it. Where the classes are whole
        numbers other than 0, 1, 2, ..., decisions that could be read either way are refused.
    undefined : {"raise", "drop"}
        What to do about folds that lack a class. ``"drop"`` leaves each out of the measures that are not
        defined without that class, and lists it in ``.undefined``; ``n_defined`` of a measure says how many
        folds count. (``"keep"`` is another word for it.)
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores. The result does not depend on it.

    Returns
    -------
    OperatingPointTable
        ``.measure("class_error")`` has arrays of shape (K, C), ``per_fold`` (n_folds, K, C). With a single
        fold every spread is NaN.

    Raises
    ------
    DataError
        RS076 if outputs are negative and there are class weights, RS078 if a fold lacks a class.
    UsageError
        RS077 if weights are not positive or not one per class, RS073 if ``decide`` gives something else.

    See Also
    --------
    rocsteady.average_operating_points : The same for two classes and thresholds.

    References
    ----------
    P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, Variance estimation for two-class and multi-class ROC
    analysis using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> import rocsteady as rs
    >>> outputs = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3]] * 2
    >>> scores = rs.MulticlassScores(["a", "b", "c"] * 2, outputs, folds=[1, 1, 1, 2, 2, 2])
    >>> table = rs.average_multiclass_points(scores, [[1, 1, 1], [1, 1, 2]])
    >>> table
    OperatingPointTable(2 points, 2 folds, 3 classes)
    >>> table.measure("class_error").mean.tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    scores = require_multiclass("average_multiclass_points", multiclass_scores)
    _require_one_kind(class_weights, points, decide)
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    class_rows_needed(scores)
    lacking = scores.undefined
    if lacking and undefined == "raise":
        raise lacks_classes(lacking, "count them where a measure is defined:  undefined='drop'")
    about: dict[str, Any] = {"folds": scores.folds, "undefined": lacking, "design": scores.design}
    if points is not None and decide is not None:
        given = points_of(points)
        require_room(len(scores.folds), len(given), n_classes=scores.n_classes)
        matrix = decided_by_function(scores, given, decide)
        return OperatingPointTable(MulticlassConfusion(scores.classes, matrix), points=tuple(given), **about)
    weights = read_class_weights(class_weights, scores.n_classes)  # type: ignore[arg-type]
    require_room(len(scores.folds), len(weights), n_classes=scores.n_classes)
    confusion = MulticlassConfusion(
        scores.classes, _decided_by_weights(scores, weighable_weights(weights), threads)
    )
    vectors = tuple(tuple(vector) for vector in weights.tolist())
    return OperatingPointTable(confusion, points=vectors, class_weights=read_only(weights), **about)


def folds_with_all_classes(scores: MulticlassScores) -> tuple[str, ...]:
    """Names of the folds in which every class has rows; RS078 if there are none."""
    whole = (scores.class_counts > 0).all(axis=1)
    if not whole.any():
        raise fail("RS078.every-fold", undefined=scores.undefined)
    return tuple(scores.folds[f] for f in np.flatnonzero(whole))


def lacks_classes(lacking: tuple[str, ...], *remedies: str) -> RocsteadyError:
    """The error that names the folds that lack a class, and what else can be done about them."""
    return fail("RS078.folds", n=len(lacking), lacking=lacking, ways=remedies)


def _require_one_kind(class_weights: object, points: object, decide: object) -> None:
    """RS002 unless there are class weights, or points with a function to decide by them."""
    if class_weights is not None and points is None and decide is None:
        return
    if class_weights is None and points is not None and callable(decide):
        return
    found = {"class_weights": class_weights, "points": points, "decide": decide}
    names = [name for name, value in found.items() if value is not None]
    raise fail("RS002.weights-or-points", given=listed(names) or "neither")


def _decided_by_weights(scores: MulticlassScores, weights: Floats, threads: int | None) -> Floats:
    """Counts [fold, point, true class, decided class]."""
    n_folds, n_classes = len(scores.folds), scores.n_classes
    cells = scores.fold_index * n_classes + scores.label_index
    counts = _kernels.kernels.count_decisions(
        weighable_columns(scores.outputs),
        cells,
        n_folds * n_classes,
        np.ascontiguousarray(weights),
        _kernels.thread_count(threads),
    )
    by_fold = counts.reshape(len(weights), n_folds, n_classes, n_classes).transpose(1, 0, 2, 3)
    return read_only(np.ascontiguousarray(by_fold, dtype=np.float64))
