"""Several classes: decisions by class weights, their confusion matrices in every fold, and AUCs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady import _kernels
from rocsteady._kernels.reference import decided
from rocsteady.arrays import Floats, Integers
from rocsteady.errors import RocsteadyError, counted, fail
from rocsteady.options import one_of, real_numbers
from rocsteady.points.averaging import points_of
from rocsteady.points.measures import MulticlassConfusion, require_room
from rocsteady.points.tables import OperatingPointTable, over_folds
from rocsteady.results import TableResult, read_only
from rocsteady.scores.columns import shown
from rocsteady.scores.multiclass import MulticlassScores, read_outputs
from rocsteady.words import listed, named


def require_multiclass(name: str, scores: object) -> MulticlassScores:
    """RS001 unless it is what the function works on."""
    if isinstance(scores, MulticlassScores):
        return scores
    raise fail("RS001.multiclass", function=name, kind=type(scores).__name__)


def class_rows_needed(scores: MulticlassScores) -> Integers:
    """How many rows each class has in all folds together; RS078 if one has none."""
    sizes = scores.class_counts.sum(axis=0)
    if not sizes.all():
        missing = [shown(scores.classes[c]) for c in np.flatnonzero(sizes == 0)]
        raise fail("RS078.classes", n=len(missing), missing=missing)
    return np.asarray(sizes)


WIDEST_RATIO = 2.0**500
"""The largest ratio of two weights: with it no product that could win leaves the range of floats."""

ROUNDING = 1e-12
"""How far from 1 the sum of normalised weights may be."""


def decide(outputs: Any, class_weights: ArrayLike) -> Integers:
    """The class that each row is decided for: the arg max of ``class_weights[c] * outputs[row, c]``.

    Every vector of class weights is an operating point of a classifier of several classes, as every threshold
    is one of a detector: a larger weight finds more cases of its class, at the cost of the others. Only the
    ratios of the weights matter. For two posteriors (y1, y2) the weights (w1, w2) decide like the threshold
    ``y1 >= w2 / (w1 + w2)``, up to the rounding of exact ties.

    Parameters
    ----------
    outputs : array-like of shape (n, C), a frame, or MulticlassScores
        Posteriors, votes, densities: anything that is not negative.
    class_weights : array-like of shape (C,) or (K, C)
        Positive.

    Returns
    -------
    int64 array of shape (n,), or (K, n) for K weight vectors
        The place of the class among the columns. Ties go to the lowest; a row whose outputs are all zero is a
        tie of all classes.

    Raises
    ------
    DataError
        RS076 if an output is negative, RS031 and RS033 if one is missing or infinite.
    UsageError
        RS077 if weights are not positive, or not one per class.

    See Also
    --------
    rocsteady.average_multiclass_points : The errors at weight vectors, with their spread over folds.
    rocsteady.search_class_weights : Weights for which the worst class error is small.

    Notes
    -----
    Products are rounded to float64, as everywhere, before they are compared. Rows and weights are scaled by
    powers of two first, so that densities of any size are told apart; that changes no decision.

    References
    ----------
    P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, Variance estimation for two-class and multi-class ROC
    analysis using operating point averaging, ICPR 2008.

    Examples
    --------
    >>> import rocsteady as rs
    >>> posteriors = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3]]
    >>> rs.decide(posteriors, [1, 1, 1])
    array([0, 1, 0])
    >>> rs.decide(posteriors, [[1, 1, 1], [1, 1, 4]])
    array([[0, 1, 0],
           [0, 2, 2]])
    """
    matrix = outputs.outputs if isinstance(outputs, MulticlassScores) else read_outputs(outputs)[0]
    weights = read_class_weights(class_weights, matrix.shape[1])
    columns = weighable_columns(matrix)
    decisions = np.empty((weights.shape[0], matrix.shape[0]), dtype=np.int64)
    for k, own in enumerate(weighable_weights(weights)):
        decisions[k] = decided(columns, own)
    return decisions if np.ndim(class_weights) == 2 else decisions[0]


def weighable_columns(outputs: Floats) -> Floats:
    """Outputs of shape (n, C) as the kernels take them: (C, n), the largest of each row brought below 1.

    Each row is multiplied by a power of two, which changes no digit and no decision. Densities of many
    dimensions can be so small that their products with weights would all be zero.
    """
    negative = outputs < 0
    if negative.any():
        row, column = (int(i) for i in np.argwhere(negative)[0])
        n = int(negative.sum())
        raise fail("RS076.negative", n=n, row=row, column=column, output=outputs[row, column])
    exponents = np.frexp(outputs.max(axis=1, initial=0.0))[1]
    return np.ascontiguousarray(np.ldexp(outputs, -exponents[:, None]).T)


def read_class_weights(class_weights: ArrayLike, n_classes: int) -> Floats:
    """Class weights as a (K, C) array of its own; RS077 if they cannot be used."""
    weights = real_numbers("class_weights", class_weights, example=[1.0] * n_classes)
    if weights.ndim not in (1, 2) or weights.shape[-1] != n_classes or weights.size == 0:
        raise fail("RS077.shape", shape=weights.shape, n_classes=n_classes)
    weights = np.atleast_2d(weights)
    good = np.isfinite(weights) & (weights > 0)
    if not good.all():
        point, column = (int(i) for i in np.argwhere(~good)[0])
        place = f"{point}, {column}" if np.ndim(class_weights) == 2 else column
        raise fail("RS077.weight", place=place, weight=weights[point, column])
    top = weights.max(axis=1, keepdims=True)
    if (weights.min(axis=1, keepdims=True) < top / WIDEST_RATIO).any():
        raise fail(
            "RS077.ratio", orders=float((np.log10(top) - np.log10(weights)).max()), widest=WIDEST_RATIO
        )
    return weights


def weighable_weights(weights: Floats) -> Floats:
    """Weight vectors as the kernels take them: the largest of each brought below 1 by a power of two.

    Divided by their sum they would be rounded, and rows whose products tie exactly, as those of votes do,
    would be decided by the rounding.
    """
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max(axis=1, keepdims=True))[1]))


def normalized(weights: Floats) -> Floats:
    """Each vector divided by its sum; one that sums to 1 already stays as it is, to the last digit.

    So weights taken from a result decide exactly as they did there.
    """
    scaled = weights / weights.max(axis=1, keepdims=True)  # the sum of the largest floats would be infinite
    with np.errstate(over="ignore"):
        done = np.abs(weights.sum(axis=1, keepdims=True) - 1) <= ROUNDING
    return np.where(done, weights, scaled / scaled.sum(axis=1, keepdims=True))


Decide = Callable[[Floats, Any], Any]

_READINGS = ("places", "classes")


def decided_by_function(scores: MulticlassScores, points: list[Any], decide: Decide) -> Floats:
    """Counts [fold, point, true class, decided class]; what the function raises comes through unchanged.

    Whole numbers may be classes or their places. Both readings are counted until one of them fails, so that
    nothing is guessed: RS073 if neither, or both to the end, can be meant.
    """
    n_classes = scores.n_classes
    counts = {reading: np.empty((len(scores.folds), len(points), n_classes**2)) for reading in _READINGS}
    for f, fold in enumerate(scores.folds):
        rows = scores.fold_index == f
        outputs, true = scores.outputs[rows], scores.label_index[rows]
        outputs.flags.writeable = False  # what one point does to them must not reach the next
        for k, point in enumerate(points):
            given = _one_per_row(decide(outputs, point), true.size)
            faults = []
            for reading in tuple(counts):
                read = given if isinstance(given, str) else _READERS[reading](given, scores.classes)
                if isinstance(read, str):
                    faults.append(read)
                    del counts[reading]
                else:
                    counts[reading][f, k] = np.bincount(true * n_classes + read, minlength=n_classes**2)
            if not counts:
                where = f"{named('fold', fold)}, point {k} ({point!r:.40})"
                is_whole = not isinstance(given, str) and given.dtype.kind in "iu"
                raise _unusable(f"{faults[0 if is_whole else -1]}, in {where}", scores.classes)
    first, *other = counts.values()
    if other and not np.array_equal(first, other[0]):
        raise _unusable("whole numbers that are classes and places of others, too", scores.classes)
    return read_only(first.reshape(len(scores.folds), len(points), n_classes, n_classes))


def _one_per_row(given: Any, n: int) -> NDArray[Any] | str:
    """The decisions as an array, or what is wrong with it."""
    try:
        array: NDArray[Any] = np.asarray(given)
        if np.ma.isMaskedArray(given) and np.ma.getmaskarray(given).any():
            array = array.astype(object)
            array[np.ma.getmaskarray(given)] = None
    except ValueError:
        return "rows of different lengths"
    if array.shape != (n,):
        return "None" if given is None else f"shape {array.shape} for {counted(n, 'row')}"
    return array


def _as_places(given: NDArray[Any], classes: tuple[Any, ...]) -> Integers | str:
    if given.dtype.kind not in "iu":
        return "no whole numbers"
    outside = (given < 0) | (given >= len(classes))
    if outside.any():
        return f"the place {given[outside][0]}, and there are {counted(len(classes), 'class')}"
    return given.astype(np.int64)


def _as_classes(given: NDArray[Any], classes: tuple[Any, ...]) -> Integers | str:
    places = {(isinstance(name, bool | np.bool_), name): place for place, name in enumerate(classes)}
    found = [(isinstance(value, bool), value) for value in given.tolist()]  # True is not the class 1
    strange = [value for is_bool, value in found if not _is_one_of((is_bool, value), places)]
    if strange:
        return f"{shown(strange[0])!r:.60}, which is no class"
    return np.array([places[value] for value in found], dtype=np.int64)


_READERS = {"places": _as_places, "classes": _as_classes}


def _is_one_of(value: object, places: dict[Any, int]) -> bool:
    try:
        return value in places
    except TypeError:  # a list, which has no hash
        return False


def _unusable(found: str, classes: tuple[Any, ...]) -> RocsteadyError:
    last = len(classes) - 1
    remedies = [f"the classes themselves: {listed([shown(c) for c in classes])}"]
    if any(isinstance(c, int | np.integer) and not isinstance(c, bool) for c in classes):
        remedies.append("whole numbers that can be read both ways: name the classes by words")
    else:
        remedies.append(f"places, 0 to {last}:  decide=lambda outputs, w: (outputs * w).argmax(axis=1)")
    return fail("RS073.decide-class", fault=found, ways=remedies)


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


METHODS = ("hand-till", "one-versus-rest")
_ELSEWHERE = {
    "hand_till": "hand-till", "handtill": "hand-till", "ovo": "hand-till", "one-versus-one": "hand-till",
    "ovr": "one-versus-rest", "one-vs-rest": "one-versus-rest", "one_versus_rest": "one-versus-rest",
    "macro": "one-versus-rest", "ova": "one-versus-rest",
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassAuc(TableResult):
    """An AUC of several classes in each fold, and how it varies from fold to fold.

    Attributes
    ----------
    method, weigh : str
        How the AUCs of single classes or pairs make one.
    classes : tuple
    folds : tuple of str
        Names of the folds that count.
    mean, sd, standard_error : float
        Over folds; spreads are NaN for a single fold.
    per_fold : (n_folds,) float64 array
    stacked : float
        Of all folds taken as one. That compares outputs of different folds with each other.
    parts : (C,) or (C, C) float64 array
        What the mean over folds is made of. One versus rest: the AUC of each class. Hand and Till:
        ``[i, j]`` is the chance that output i is larger for a case of class i than for one of class j, ties
        half; NaN on the diagonal. Means over folds.
    parts_per_fold : (n_folds, ...) float64 array
    undefined : tuple of str
        Folds that were left out, and why.
    """

    method: str
    weigh: str
    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    mean: float
    sd: float
    standard_error: float
    per_fold: Floats
    stacked: float
    parts: Floats
    parts_per_fold: Floats
    undefined: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"MulticlassAuc({self.method}: {self.mean:.4g}, {counted(len(self.classes), 'class')}, "
            f"{counted(len(self.folds), 'fold')})"
        )

    def _columns(self) -> dict[str, Any]:
        return {"fold": list(self.folds), "auc": self.per_fold}


def multiclass_auc(
    multiclass_scores: MulticlassScores,
    method: str = "hand-till",
    *,
    weigh: str = "classes",
    undefined: str = "raise",
    threads: int | None = None,
) -> MulticlassAuc:
    """One AUC for several classes, in each fold.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        Only the order within each column of outputs matters; they may be negative.
    method : {"hand-till", "one-versus-rest"}
        Hand and Till's M: the mean over pairs of classes of how well the two outputs tell the two classes
        apart. It does not depend on how frequent classes are. One versus rest: how well each output tells its
        class from all others; there frequent classes dominate the rest.
    weigh : {"classes", "rows"}
        Whether every class (every pair) counts alike, or by its rows in the fold (both classes of a pair).
    undefined : {"raise", "drop"}
        What to do about folds that lack a class.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    MulticlassAuc

    Raises
    ------
    DataError
        RS078 if a fold lacks a class.

    Notes
    -----
    For posteriors of two classes all of these are the AUC. scikit-learn's ``roc_auc_score`` with
    ``multi_class="ovo"`` and ``"ovr"`` gives the same numbers for one fold, ``average="weighted"`` those of
    ``weigh="rows"``.

    References
    ----------
    D. J. Hand, R. J. Till, A simple generalisation of the area under the ROC curve for multiple class
    classification problems, Machine Learning 45 (2001).

    Examples
    --------
    >>> import rocsteady as rs
    >>> outputs = [[0.6, 0.3, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3], [0.7, 0.2, 0.1]]
    >>> scores = rs.MulticlassScores(["a", "b", "c", "b"], outputs)
    >>> rs.multiclass_auc(scores)
    MulticlassAuc(hand-till: 0.75, 3 classes, 1 fold)
    >>> rs.multiclass_auc(scores, "one-versus-rest").parts.round(3).tolist()
    [0.667, 0.5, 1.0]
    """
    scores = require_multiclass("multiclass_auc", multiclass_scores)
    method = one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    one_of("weigh", weigh, ("classes", "rows"))
    one_of("undefined", undefined, ("raise", "drop"))
    class_rows_needed(scores)
    lacking = scores.undefined
    if lacking and undefined == "raise":
        raise lacks_classes(lacking, "leave them out:  undefined='drop'")
    if lacking:
        scores = scores.select(folds_with_all_classes(scores))
    parts = _aucs(scores, scores.fold_index, len(scores.folds), method, threads)
    per_fold = _one_auc(parts, scores.class_counts, weigh)
    together = _aucs(scores, np.zeros(scores.n_rows, dtype=np.int64), 1, method, threads)
    stacked = _one_auc(together, scores.class_counts.sum(axis=0, keepdims=True), weigh)[0]
    mean, sd, n = over_folds(per_fold)
    return MulticlassAuc(
        method,
        weigh,
        scores.classes,
        scores.folds,
        float(mean),
        float(sd),
        float(sd / np.sqrt(n)),
        read_only(per_fold),
        float(stacked),
        read_only(over_folds(parts)[0]),
        read_only(parts),
        lacking,
    )


def _aucs(
    scores: MulticlassScores, folds: Integers, n_folds: int, method: str, threads: int | None
) -> Floats:
    """The AUCs of classes or pairs in each fold: (n_folds, C), or (n_folds, C, C)."""
    n_classes = scores.n_classes
    if method == "one-versus-rest":
        aucs = np.empty((n_folds, n_classes))
        order = np.argsort(folds, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.bincount(folds, minlength=n_folds))])
        for one in range(n_classes):
            aucs[:, one] = _share_won(scores, one, order, offsets, threads)
        return aucs
    pairs = np.full((n_folds, n_classes, n_classes), np.nan)
    by_cell = np.argsort(folds * n_classes + scores.label_index, kind="stable")
    sizes = np.bincount(folds * n_classes + scores.label_index, minlength=n_folds * n_classes)
    rows = np.split(by_cell, np.cumsum(sizes)[:-1])  # of every class of every fold
    for one in range(n_classes):
        others = [c for c in range(n_classes) if c != one]
        groups = [
            np.concatenate([rows[f * n_classes + one], rows[f * n_classes + other]])
            for f in range(n_folds)
            for other in others
        ]
        offsets = np.concatenate([[0], np.cumsum([group.size for group in groups])])
        won = _share_won(scores, one, np.concatenate(groups), offsets, threads)
        pairs[:, one, others] = won.reshape(n_folds, -1)
    return pairs


def _share_won(
    scores: MulticlassScores, one: int, rows: Integers, offsets: Integers, threads: int | None
) -> Floats:
    """The AUC of one class's output in each group of rows, that class against whatever else is there."""
    wins, n_positives, n_negatives = _kernels.kernels.count_wins(
        np.ascontiguousarray(scores.outputs[rows, one]),
        scores.label_index[rows] == one,
        offsets.astype(np.int64),
        1.0,
        0.0,
        True,
        _kernels.thread_count(threads),
    )
    return np.asarray(wins / (2 * n_positives * n_negatives))


def _one_auc(parts: Floats, sizes: Integers, weigh: str) -> Floats:
    """The mean over classes, or over pairs of classes; both directions of a pair count alike."""
    n_classes = sizes.shape[1]
    if parts.ndim == 2:
        shares = np.ones_like(parts) if weigh == "classes" else sizes.astype(np.float64)
        return np.asarray((parts * shares).sum(axis=1) / shares.sum(axis=1))
    first, second = np.triu_indices(n_classes, k=1)
    pairs = (parts[:, first, second] + parts[:, second, first]) / 2
    shares = (
        np.ones_like(pairs) if weigh == "classes" else (sizes[:, first] + sizes[:, second]).astype(np.float64)
    )
    return np.asarray((pairs * shares).sum(axis=1) / shares.sum(axis=1))
