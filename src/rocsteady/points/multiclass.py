"""Several classes: decisions by class weights, their errors in every fold, and the search for weights.

References
----------
P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, Variance estimation for two-class and multi-class ROC
analysis using operating point averaging, ICPR 2008.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady import _kernels
from rocsteady._kernels.reference import decided
from rocsteady.arrays import Floats, Indices, Integers, over_folds
from rocsteady.errors import Option, RocsteadyError, counted, fail, warn
from rocsteady.options import one_of, one_rate, real_numbers, whole_number, yes_or_no
from rocsteady.points.measures import MulticlassConfusion, require_room
from rocsteady.points.tables import OperatingPointTable, one_each, points_of
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.columns import shown, word
from rocsteady.scores.multiclass import MulticlassScores, folds_that_count, read_outputs
from rocsteady.showing import Told
from rocsteady.statistics.folds import share_of_variance
from rocsteady.words import listed, named, near_match, printable, shell

# Decisions
# ---------

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

    Notes
    -----
    Products are rounded to float64, as everywhere, before they are compared. Rows and weights are scaled by
    powers of two first, so that densities of any size are told apart; that changes no decision.

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


def digits_that_decide(outputs: Any, class_weights: ArrayLike, fewest: int = 3) -> int:
    """How many significant digits of class weights decide every row as all of their digits do.

    >>> digits_that_decide([[0.5, 0.5001], [0.3, 0.7]], [0.5001, 0.4999])
    4
    """
    weights = np.asarray(class_weights, dtype=np.float64)
    exact = decide(outputs, weights)
    for digits in range(fewest, 17):
        rounded = [float(f"{own:.{digits}g}") for own in weights.tolist()]
        if np.array_equal(decide(outputs, rounded), exact):
            return digits
    return 17


def _require_multiclass(function: str, scores: object) -> MulticlassScores:
    """RS001 unless it is what the function works on."""
    if isinstance(scores, MulticlassScores):
        return scores
    raise fail("RS001.multiclass", function=function, kind=type(scores).__name__)


def weighable_columns(outputs: Floats) -> Floats:
    """Outputs (n, C) as the kernels take them: (C, n), each row times a power of two that brings it below 1.

    Densities of many dimensions can be so small that their products with weights would all be zero.
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
    """Weight vectors as the kernels take them: each times a power of two, since division would round ties."""
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max(axis=1, keepdims=True))[1]))


def normalized(weights: Floats) -> Floats:
    """Each vector divided by its sum; one that sums to 1 stays as it is, and decides as it did before."""
    scaled = weights / weights.max(axis=1, keepdims=True)  # the sum of the largest floats would be infinite
    with np.errstate(over="ignore"):
        done = np.abs(weights.sum(axis=1, keepdims=True) - 1) <= ROUNDING
    return np.where(done, weights, scaled / scaled.sum(axis=1, keepdims=True))


# Operating points
# ----------------

Decide = Callable[[Floats, Any], Any]


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
    asked = {"class_weights": class_weights, "points": points, "decide": decide}
    names = [name for name, value in asked.items() if value is not None]
    if names != ["class_weights"] and (names != ["points", "decide"] or not callable(decide)):
        raise fail("RS002.weights-or-points", given=listed(names) or "neither")
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    scores = _require_multiclass("average_multiclass_points", multiclass_scores)
    way = "count them where a measure is defined:  undefined='drop'"
    folds_that_count(scores, "raise" if undefined == "raise" else "keep", way)
    weights = None if class_weights is None else read_class_weights(class_weights, scores.n_classes)
    given = points_of(points) if weights is None else [tuple(vector) for vector in weights.tolist()]  # type: ignore[arg-type]
    require_room(len(scores.folds), len(given), n_classes=scores.n_classes)
    if weights is None:
        counts = _decided_by_function(scores, given, decide)  # type: ignore[arg-type]
    else:
        counts = _decided_by_weights(scores, weighable_weights(read_only(weights)), threads)
    return OperatingPointTable(
        MulticlassConfusion(scores.classes, counts),
        points=tuple(given),
        folds=scores.folds,
        class_weights=weights,
        unit=scores.unit,
        undefined=scores.undefined,
        design=scores.design,
    )


def _decided_by_weights(scores: MulticlassScores, weights: Floats, threads: int | None) -> Floats:
    """Counts [fold, point, true class, decided class]."""
    n_folds, n_classes = len(scores.folds), scores.n_classes
    cells = scores.fold_index * n_classes + scores.label_index
    rows = weighable_columns(scores.outputs), cells, n_folds * n_classes
    counts = _kernels.kernels.count_decisions(
        *rows, np.ascontiguousarray(weights), _kernels.thread_count(threads)
    )
    by_fold = counts.reshape(len(weights), n_folds, n_classes, n_classes).transpose(1, 0, 2, 3)
    return read_only(np.ascontiguousarray(by_fold, dtype=np.float64))


def _decided_by_function(scores: MulticlassScores, points: list[Any], decide: Decide) -> Floats:
    """Counts [fold, point, true class, decided class]; what the function raises comes through unchanged.

    Whole numbers may be classes or their places. Both readings are counted until one of them fails, so that
    nothing is guessed: RS073 if neither, or both to the end, can be meant.
    """
    n_classes = scores.n_classes
    counts = {reading: np.empty((len(scores.folds), len(points), n_classes**2)) for reading in _READERS}
    for f, fold in enumerate(scores.folds):
        rows = scores.fold_index == f
        outputs, true = scores.outputs[rows], scores.label_index[rows]
        outputs.flags.writeable = False  # what one point does to them must not reach the next
        for k, point in enumerate(points):
            given = one_each(decide(outputs, point), true.size, "row")
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
    for value in found:
        try:
            places[value]
        except (KeyError, TypeError):  # a list has no hash
            return f"{shown(value[1])!r:.60}, which is no class"
    return np.array([places[value] for value in found], dtype=np.int64)


_READERS = {"places": _as_places, "classes": _as_classes}


def _unusable(found: str, classes: tuple[Any, ...]) -> RocsteadyError:
    last = len(classes) - 1
    remedies = [f"the classes themselves: {listed([shown(c) for c in classes])}"]
    if any(isinstance(c, int | np.integer) and not isinstance(c, bool) for c in classes):
        remedies.append("whole numbers that can be read both ways: name the classes by words")
    else:
        remedies.append(f"places, 0 to {last}:  decide=lambda outputs, w: (outputs * w).argmax(axis=1)")
    return fail("RS073.decide-class", fault=found, ways=remedies)


# Class weights whose largest class error is small
# ------------------------------------------------


class _Weights:
    """A result that stands for its ``class_weights`` wherever class weights are taken."""

    class_weights: Floats

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = np.asarray(self.class_weights, dtype=dtype)
        return array.copy() if copy else array


@dataclass(frozen=True, eq=False, repr=False)
class ClassWeightPoint(_Weights, Result):
    """One operating point of a classifier of several classes, with its errors on the rows it was chosen on.

    Wherever class weights are taken it stands for its own.

    Attributes
    ----------
    classes : tuple
    class_weights : (C,) float64 array
        Sum to 1.
    errors : (C,) float64 array
        Share of the rows of each class that are decided wrongly.
    max_error, mean_error : float
        Of the classes, each counting alike.
    """

    _line: ClassVar = "weights {self._shown}: largest class error {max_error:.4g}"

    classes: tuple[Any, ...]
    class_weights: Floats
    errors: Floats
    max_error: float
    mean_error: float

    @property
    def _shown(self) -> str:
        return ", ".join(f"{weight:.4g}" for weight in self.class_weights)


@dataclass(frozen=True, eq=False, repr=False)
class NestedErrors(Told, TableResult, sentence="points.nested_errors"):
    """Errors of searched class weights, each fold judged by weights that were chosen without it.

    Attributes
    ----------
    classes : tuple
    folds : tuple of str
    class_weights : (n_folds, C) float64 array
        The best vector of the search on all folds but this one.
    errors : (n_folds, C) float64 array
        What that vector does on this fold: share of the rows of each class that are decided wrongly; NaN
        where the fold lacks the class.
    mean, sd, standard_error : (C,) float64 arrays
        Of ``errors`` over folds. Folds share training and search rows, which the standard error allows for as
        that of a measure does.
    n_defined : (C,) int64 array
        Folds that have the class.
    stacked : (C,) float64 array
        Wrong decisions of all folds over all rows of the class.
    max_error, mean_max_error : float
        The largest of ``stacked``, and the mean over folds of the largest of ``errors`` (of folds that have
        all classes). What the worst class of one chosen vector suffers usually lies between them: above the
        first where the worst class is not the same for every vector, and below the second, since the largest
        of noisy shares is too large. Where weights change little, the first is too large as well.
    optimism : (C,) float64 array
        ``stacked`` less the errors of the search on all rows, whose best of many vectors is judged by the
        rows it was chosen on.
    undefined : tuple of str
        Folds that lack a class, and which.
    """

    _line: ClassVar = (
        "{folds:count fold}: largest class error {max_error:.4g} stacked, "
        "{mean_max_error:.4g} in the mean fold"
    )

    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    class_weights: Floats
    errors: Floats
    mean: Floats
    sd: Floats
    standard_error: Floats
    n_defined: Integers
    stacked: Floats
    max_error: float
    mean_max_error: float
    optimism: Floats
    undefined: tuple[str, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {"fold": list(self.folds), **_of_classes(self)}


@dataclass(frozen=True, eq=False, repr=False)
class ClassWeightSearch(Told, _Weights, TableResult, sentence="points.class_weights"):
    """The weight vectors that a search kept, best first. Wherever class weights are taken it stands for them.

    Attributes
    ----------
    classes : tuple
    class_weights : (n_kept, C) float64 array
        Each vector sums to 1.
    errors : (n_kept, C) float64 array
        Share of the rows of each class that are decided wrongly, all folds stacked. These are the rows that
        the vectors were chosen on, so the errors are optimistic; ``nested`` has those on other rows.
    max_errors, mean_errors : (n_kept,) float64 arrays
        The largest and the mean class error.
    n_distinct : int
        How many different rows ``errors`` has: many weight vectors decide alike.
    history : (n_steps + 1, 2) float64 array
        What was made small, the largest error of the classes without a limit, and the mean class error of the
        best vector: of the start, and after each step.
    seed : int or None
        None of an exact search, which draws nothing and keeps one vector.
    at_most : mapping
        The errors that classes were allowed, by class; every vector keeps to them.
    nested : NestedErrors or None
        If asked for: errors of weights chosen without the fold that they are judged on.
    """

    _line: ClassVar = (
        "{max_errors:count weight vector} of {classes:count class}, {n_distinct} distinct, "
        "largest class error {best.max_error:.4g}{nested:?, nested {nested.max_error:.4g}}"
        "{at_most:?, {_limits:list}}"
    )

    classes: tuple[Any, ...]
    class_weights: Floats
    errors: Floats
    max_errors: Floats
    mean_errors: Floats
    n_distinct: int
    history: Floats
    seed: int | None
    nested: NestedErrors | None = None
    at_most: Mapping[Any, float] = field(default_factory=dict)

    @property
    def _limits(self) -> list[str]:
        return [f"{word(c)} at most {limit:g}" for c, limit in self.at_most.items()]

    @property
    def best(self) -> ClassWeightPoint:
        """The first of the vectors, with its errors."""
        errors = float(self.max_errors[0]), float(self.mean_errors[0])
        return ClassWeightPoint(self.classes, self.class_weights[0], self.errors[0], *errors)

    def __len__(self) -> int:
        return int(self.max_errors.size)

    def _columns(self) -> dict[str, Any]:
        return {**_of_classes(self), "max_error": self.max_errors, "mean_error": self.mean_errors}


def _of_classes(found: NestedErrors | ClassWeightSearch) -> dict[str, Any]:
    """A column for the weight of each class, and one for its error."""
    columns = {f"weight {word(c)}": found.class_weights[:, i] for i, c in enumerate(found.classes)}
    return columns | {f"error {word(c)}": found.errors[:, i] for i, c in enumerate(found.classes)}


FEW_MOVABLE = 0.5
"""Below this share of rows that weights can move, a warning says so."""


def search_class_weights(
    multiclass_scores: MulticlassScores,
    *,
    at_most: Mapping[Any, float] | None = None,
    n_start: int = 1000,
    n_steps: int = 5,
    keep: int = 100,
    seed: int = 0,
    exact: bool = False,
    nested: bool = False,
    undefined: str = "raise",
    threads: int | None = None,
) -> ClassWeightSearch:
    """Search for class weights whose largest class error is small (minimax).

    The start is ``n_start`` vectors, evenly spread over all vectors that sum to 1 (Dirichlet), the first two
    replaced by equal weights and by inverse class frequencies. The best ``keep`` stay: smallest largest class
    error, then smallest mean class error, then the older one. In each step every vector kept gives nine
    children, its weights times ``exp(sigma z)`` with z standard normal; sigma is 1 in the first step and
    halves from step to step. The best of parents and children stay, so the result never gets worse.

    With ``at_most`` some classes have a limit: of all weights that keep to every limit those are looked for
    whose largest error of the other classes is smallest, then the mean error of all classes. A larger weight
    finds more cases of its class and fewer of every other, so the weights of classes with a limit are not
    searched: they are the smallest that keep to the limits, given those of the others. So weights that keep
    to the limits are found wherever there are any.

    The errors found are those on the very rows that chose the weights. ``nested=True`` adds the honest figure
    for "search, then deploy": every fold is decided by weights that it had no say in. The classifiers of the
    folds are taken as given, so the outputs must come from cross-validation.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        All folds are stacked.
    at_most : dict, optional
        Errors that classes may have at most, ``{"b": 0.05}``: shares of their rows, all folds stacked,
        compared in whole numbers of rows.
    n_start, n_steps, keep : int
        Vectors at the start, steps, vectors kept.
    seed : int
        Of ``numpy.random.default_rng``.
    exact : bool
        Whether to find, instead, the smallest largest class error that any weights attain, for two classes
        and up to 20,000 rows, or three and up to 1,000. Of all weights that attain it the smallest mean class
        error decides, then how far the decisions are from changing: the point lies inside its cell. Cells
        thinner than the rounding of weights cannot be hit; weight ratios beyond 1e73 are not looked at.
    nested : bool
        Whether to search without each fold, too, and judge it by the weights found; see ``.nested`` of the
        result, which gives the error of the worst class from both sides.
    undefined : {"raise", "drop", "keep"}
        Of a nested search: what to do about folds that lack a class. ``"drop"`` leaves them out altogether,
        ``"keep"`` counts them for the classes that they have.
    threads : int, optional
        All cores if not given. The result does not depend on it.

    Returns
    -------
    ClassWeightSearch

    Raises
    ------
    DataError
        RS008 if no weights keep to ``at_most``; it says what can be attained.

    Warns
    -----
    RocsteadyWarning
        RS250 if fewer than half of the rows have two outputs above zero: weights move no others.

    Notes
    -----
    Class errors lie on a lattice of multiples of one over the class size. Comparisons are made in whole
    numbers, so that ties are ties. Paclik, Lai, Novovicova and Duin (2008) name the search; its start, moves
    and order are ours.

    Examples
    --------
    Equal weights miss the rare third class:

    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> labels = rng.choice(3, 300, p=[0.6, 0.3, 0.1])
    >>> densities = np.exp(-((labels + rng.normal(size=300))[:, None] - [0, 1, 2]) ** 2 / 2)
    >>> folds = np.arange(300) % 5
    >>> scores = rs.MulticlassScores(labels, densities * [0.6, 0.3, 0.1], folds=folds)
    >>> found = rs.search_class_weights(scores)
    >>> found
    ClassWeightSearch(100 weight vectors of 3 classes, 27 distinct, largest class error 0.3978)
    >>> found.best.errors.round(3).tolist()
    [0.397, 0.398, 0.393]
    >>> rs.search_class_weights(scores, exact=True).best.max_error == found.best.max_error
    True

    At most 10 % of the third class may be missed:

    >>> rs.search_class_weights(scores, at_most={2: 0.1}).best.errors.round(3).tolist()
    [0.765, 0.785, 0.071]
    >>> rs.search_class_weights(scores, nested=True).nested
    NestedErrors(5 folds: largest class error 0.4643 stacked, 0.5889 in the mean fold)
    """
    asked = {"n_start": n_start, "n_steps": n_steps, "keep": keep, "seed": seed, "undefined": undefined}
    exact, nested = yes_or_no("exact", exact), yes_or_no("nested", nested)
    foreign = [name for name, usual in _USUAL.items() if asked[name] is not usual and asked[name] != usual]
    foreign = [name for name in foreign if exact or (name == "undefined" and not nested)]
    if exact and nested:
        foreign = ["nested", *foreign]
    if foreign:  # options of one kind of search that were given to another
        raise fail("RS002.search-options", given=foreign, is_exact=exact)
    scores = _require_multiclass("search_class_weights", multiclass_scores)
    limits = read_limits(at_most, scores)
    if exact:
        return _exact_search(scores, limits, threads)
    whole_number("n_start", n_start, least=2, example=1000)
    whole_number("n_steps", n_steps, least=0, example=5)
    whole_number("keep", keep, least=1, example=100)
    whole_number("seed", seed, least=0, example=0)
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    lacking = scores.undefined
    ways = "leave them out:  undefined='drop'", "count them for their classes:  undefined='keep'"
    scores = folds_that_count(scores, undefined if nested else "keep", *ways)
    if nested:
        _require_classes_elsewhere(scores)
    rows = ClassRows(scores)
    movable = int(np.count_nonzero(np.count_nonzero(rows.columns, axis=0) > 1))
    if movable < FEW_MOVABLE * scores.n_rows:
        warn("RS250.few-movable", n=movable, n_rows=scores.n_rows)
    numbers = (limits, n_start, n_steps, keep, seed, threads)
    search = _search(rows, *numbers)
    if not nested:
        return search
    weights = np.empty((len(scores.folds), scores.n_classes))
    wrong = np.zeros(weights.shape)
    for f, name in enumerate(scores.folds):
        others = scores.select([other for other in scores.folds if other != name])
        weights[f] = _search(ClassRows(others), *numbers, without=named(scores.unit, name)).class_weights[0]
        own = scores.select([name])
        missed = own.label_index[decide(own, weights[f]) != own.label_index]
        wrong[f] = np.bincount(missed, minlength=scores.n_classes)
    sizes = scores.class_counts
    errors = np.divide(wrong, sizes, out=np.full(wrong.shape, np.nan), where=sizes > 0)
    mean, sd, n_defined = over_folds(errors)
    stacked = wrong.sum(axis=0) / sizes.sum(axis=0)
    honest = NestedErrors(
        scores.classes,
        scores.folds,
        class_weights=weights,
        errors=errors,
        mean=mean,
        sd=sd,
        standard_error=sd * np.sqrt(share_of_variance(1 / n_defined, scores.design.test_train_ratio)),
        n_defined=n_defined,
        stacked=stacked,
        max_error=float(stacked.max()),
        mean_max_error=float(over_folds(errors.max(axis=1))[0]),  # NaN where a fold lacks a class
        optimism=stacked - search.errors[0],
        undefined=lacking,
    )
    return replace(search, nested=honest)


_USUAL = {"n_start": 1000, "n_steps": 5, "keep": 100, "seed": 0, "undefined": "raise"}


def _require_classes_elsewhere(scores: MulticlassScores) -> None:
    """RS042 and RS078 unless every class has rows outside of every fold."""
    if len(scores.folds) < 2:
        raise fail("RS042.two-folds", n=len(scores.folds))
    alone = scores.class_counts == scores.class_counts.sum(axis=0)
    if alone.any():
        fold, place = (int(i) for i in np.argwhere(alone)[0])
        label, folds = shown(scores.classes[place]), scores.folds
        raise fail("RS078.class-in-fold", label=label, fold=folds[fold], folds=folds)


Limits = Mapping[int, float]
"""The largest error that a class may have, by its place."""
_ABOVE = 2.0**-40
"""How much larger a weight is than where a row changes sides: more than products are rounded by."""
_MOST_TURNS = 100


def read_limits(at_most: object, scores: MulticlassScores) -> dict[int, float]:
    """Limits by place of the class; classes may be named by the words for them. RS002, RS021, RS042."""
    if at_most is None:
        return {}
    example = {scores.classes[0]: 0.05}
    if not isinstance(at_most, Mapping) or not at_most:
        raise fail("RS002.limits", found=at_most, ways=[Option("at_most", example)])
    words, limits = tuple(map(word, scores.classes)), {}
    for name, limit in at_most.items():
        place = next((i for i, own in enumerate(scores.classes) if own == name), None)
        if place is None and word(name) not in words:
            raise fail(
                "RS021.limit",
                name=shown(name),
                classes=list(map(printable, words)),
                close=near_match(word(name), words),
            )
        place = words.index(word(name)) if place is None else place
        limits[place] = one_rate(f"at_most[{shown(name)}]", limit)
    return limits


def _lifted(allowed: Mapping[int, float], n_classes: int) -> list[int]:
    """The classes whose weights follow from their limits; none where all have one."""
    return [] if len(allowed) == n_classes else list(allowed)


def _nothing_keeps(rows: ClassRows, limits: Limits, counts: Integers, without: str = "") -> RocsteadyError:
    """RS008: the limits, and what comes nearest to them; of a single limit what no weights can do better."""
    classes = [shown(own) for own in rows.classes]
    nearest = best_first(counts, rows.sizes, rows.allowed(limits))[0]
    least = {c: int(counts[nearest, c]) for c in limits}
    if len(limits) == 1:
        (c,) = limits
        least[c] = int(counts[:, c].min())
    enough = {
        c: max(math.ceil(1000 * Fraction(n, int(rows.sizes[c]))) / 1000, limits[c]) for c, n in least.items()
    }
    facts = {
        "limits": [f"{classes[c]}: {limit:.4g}" for c, limit in limits.items()],
        "attained": [
            f"{classes[c]}: {n / rows.sizes[c]:.4g} ({n} of {rows.sizes[c]})" for c, n in least.items()
        ],
    }
    if without:
        return fail("RS008.nested", without=without, **facts)
    return fail(
        "RS008.search",
        **facts,
        python=", ".join(f"{rows.classes[c]!r}: {own:g}" for c, own in enough.items()),
        shell=" ".join(f"--at-most {shell([f'{classes[c]}={own:g}'])}" for c, own in enough.items()),
    )


class ClassRows:
    """The rows of all folds, ordered by their true class, as the kernel takes them."""

    def __init__(self, scores: MulticlassScores) -> None:
        self.classes, self.sizes = scores.classes, scores.class_counts.sum(axis=0)
        order = np.argsort(scores.label_index, kind="stable")
        self.columns = np.ascontiguousarray(weighable_columns(scores.outputs)[:, order])  # (C, n)
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def allowed(self, limits: Limits) -> dict[int, int]:
        """How many rows of each class with a limit may be decided wrongly: of 100 under 0.29 they are 29."""
        return {c: math.floor(Fraction(repr(limit)) * int(self.sizes[c])) for c, limit in limits.items()}

    def judged(
        self, class_weights: Floats, allowed: Mapping[int, int], threads: int | None
    ) -> tuple[Floats, Integers]:
        """Weight vectors with their error counts; those that break a limit are mended where they can be."""
        counts, lifted = self.error_counts(class_weights, threads), _lifted(allowed, len(self.classes))
        broken = _broken(counts, allowed) if lifted else np.empty(0, dtype=np.intp)
        if not broken.size:
            return class_weights, counts
        mended = class_weights[broken]
        mended[:, lifted] = 0.0
        mended /= mended.max(axis=1, keepdims=True)
        mended[:, lifted] = _LEAST
        mended = self.keeping(mended, allowed, lifted)
        own = self.error_counts(mended, threads)
        weights, counts, is_whole = class_weights.copy(), counts.copy(), np.full(broken.size, True)
        is_whole[_broken(own, allowed)] = False
        weights[broken[is_whole]], counts[broken[is_whole]] = mended[is_whole], own[is_whole]
        return weights, counts

    def safest(self, allowed: Mapping[int, int]) -> Floats:
        """The vector that keeps to all limits if any does, (1, C): other classes have next to no weight.

        A smaller weight of another class finds more cases of those with a limit. Where all have one, the last
        is the measure of the others, and needs them as small as they may be.
        """
        n = len(self.classes)
        lifted = list(allowed)[: n - 1]
        start = np.zeros((1, n))
        start[0, lifted] = _LEAST if len(allowed) == n else 1.0
        if len(allowed) == n:
            start[0, list(allowed)[-1]] = 1.0
        return self.keeping(start, allowed, lifted, 10 * _MOST_TURNS)

    def keeping(
        self, start: Floats, allowed: Mapping[int, int], lifted: list[int], turns: int = _MOST_TURNS
    ) -> Floats:
        """Weight vectors whose ``lifted`` weights are the smallest that keep to what their classes may lose.

        What one class needs grows with the weights of the others that have a limit. So they rise from where
        they start, in turns, until all limits hold or no larger weights are looked for.
        """
        weights, most = start.copy(), math.exp(FARTHEST)
        for first, last in self._blocks(len(weights)):
            rising = np.arange(first, min(last, len(weights)))
            for _ in range(turns):
                own = weights[rising]
                for c in lifted:
                    needed = int(self.sizes[c]) - allowed[c]
                    if needed > 0:
                        ratios = self._ratios(own, c, slice(*self.offsets[c : c + 2]))
                        least = np.partition(ratios, needed - 1, axis=1)[:, needed - 1] * (1 + _ABOVE)
                        own[:, c] = np.clip(least, own[:, c], most)
                has_risen = (own != weights[rising]).any(axis=1) & (own < most).all(axis=1)
                weights[rising] = own
                rising = rising[has_risen]
                if not rising.size:
                    break
        return _inside(weights)

    def in_cells(self, class_weights: Floats, allowed: Mapping[int, int]) -> Floats:
        """The same decisions, with weights of the limited classes in the middle of what decides so."""
        weights = class_weights.copy()
        for start, stop in self._blocks(len(weights)):
            own = weights[start:stop]
            for c in _lifted(allowed, len(self.classes)):
                ratios, weight = self._ratios(own, c, slice(None)), own[:, c]
                is_below = ratios < weight[:, None]
                below = np.where(is_below, ratios, 0.0).max(axis=1)
                above = np.where(is_below, np.inf, ratios).min(axis=1)
                ends = np.where(below > 0, below, weight / 4), np.where(np.isfinite(above), above, weight * 4)
                own[:, c] = np.sqrt(ends[0]) * np.sqrt(ends[1])
        return _inside(weights)

    def _ratios(self, class_weights: Floats, c: int, rows: slice) -> Floats:
        """The weight of a class above which each of some rows is decided for it, (K, n); else infinite."""
        outputs, rivals = self.columns[:, rows], np.zeros((len(class_weights), self.columns[c, rows].size))
        for other in range(len(self.classes)):
            if other != c:
                np.maximum(rivals, class_weights[:, other, None] * outputs[other], out=rivals)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratios = rivals / outputs[c]
        nothing = 0.0 if c == 0 else np.inf  # a row of zeros is a tie, and goes to the first class
        return np.where(np.isnan(ratios), nothing, ratios)

    def _blocks(self, n: int) -> Iterator[tuple[int, int]]:
        size = max(1, _BLOCK * 16 // self.columns.shape[1])
        yield from ((start, start + size) for start in range(0, n, size))

    def error_counts(self, class_weights: Floats, threads: int | None = None) -> Integers:
        """Wrongly decided rows of each class under each of K weight vectors, (K, C)."""
        counts: Integers = _kernels.kernels.count_errors(
            self.columns, self.offsets, np.ascontiguousarray(class_weights), _kernels.thread_count(threads)
        )
        return counts


CHILDREN = 9
"""New vectors from each one kept, in each step."""


def _search(
    rows: ClassRows,
    limits: Limits,
    n_start: int,
    n_steps: int,
    keep: int,
    seed: int,
    threads: int | None,
    without: str = "",
) -> ClassWeightSearch:
    rng = np.random.default_rng(seed)
    n_classes, allowed = rows.sizes.size, rows.allowed(limits)
    weights = rng.dirichlet(np.ones(n_classes), n_start)
    weights[0], weights[1] = 1.0, 1.0 / rows.sizes
    weights = _inside(weights)
    mended: Mapping[int, int] = {}
    if allowed:
        weights = np.vstack([weights, rows.safest(allowed)])
        if not _broken(rows.error_counts(weights[-1:], threads), allowed).size:
            mended = allowed
    weights, counts = rows.judged(weights, mended, threads)
    history = np.empty((n_steps + 1, 2))
    for step in range(n_steps + 1):
        # Parents stand before their children, the children in order: equal ones stay in order of creation.
        best = best_first(counts, rows.sizes, allowed)[:keep]
        weights, counts = weights[best], counts[best]
        errors = counts[0] / rows.sizes
        history[step] = np.delete(errors, _lifted(allowed, n_classes)).max(), errors.mean()
        if step < n_steps:
            moves = np.exp(2.0**-step * rng.standard_normal((len(weights), CHILDREN, n_classes)))
            children = _inside((weights[:, None, :] * moves).reshape(-1, n_classes))
            children, own = rows.judged(children, mended, threads)
            weights, counts = np.concatenate([weights, children]), np.concatenate([counts, own])
    if allowed:
        broken = _broken(counts, allowed)
        if broken.size == len(counts):
            raise _nothing_keeps(rows, limits, counts, without)
        weights, counts = np.delete(weights, broken, axis=0), np.delete(counts, broken, axis=0)
        inside = rows.in_cells(weights, allowed)
        alike = (rows.error_counts(inside, threads) == counts).all(axis=1)
        weights = np.where(alike[:, None], inside, weights)
    return _found(rows, weights, counts, history, seed, limits)


def _broken(counts: Integers, allowed: Mapping[int, int]) -> Indices:
    """Places of error counts (K, C) that are more than is allowed."""
    own = list(allowed)
    return np.flatnonzero((counts[:, own] > np.array([allowed[c] for c in own])).any(axis=1))


def _found(
    rows: ClassRows,
    weights: Floats,
    counts: Integers,
    history: Floats | None,
    seed: int | None,
    limits: Limits,
) -> ClassWeightSearch:
    errors = counts / rows.sizes
    largest, mean = errors.max(axis=1), errors.mean(axis=1)
    if history is None:
        free = np.delete(errors[0], _lifted(limits, rows.sizes.size))
        history = np.array([[free.max(), mean[0]]])
    return ClassWeightSearch(
        rows.classes,
        class_weights=weights,
        errors=errors,
        max_errors=largest,
        mean_errors=mean,
        n_distinct=int(np.unique(counts, axis=0).shape[0]),
        history=history,
        seed=seed,
        at_most={rows.classes[c]: limit for c, limit in limits.items()},
    )


def best_first(error_counts: Integers, sizes: Integers, allowed: Mapping[int, int] | None = None) -> Integers:
    """Places of weight vectors by their error counts (K, C): smallest largest class error, then mean one.

    Equal ones stay in the order in which they stand. Rates are compared exactly, as whole numbers: times the
    least common multiple of the class sizes, as Python integers where 64 bits are too few. With errors that
    are ``allowed`` by class first the largest rate beyond them, then the largest error of the other classes.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[1, 1], [2, 0], [1, 0]])
    >>> best_first(counts, np.array([3, 4])).tolist()
    [2, 0, 1]
    >>> best_first(counts, np.array([3, 4]), {0: 1}).tolist()
    [2, 0, 1]
    """
    allowed = allowed or {}
    common = math.lcm(*sizes.tolist())
    kind = np.int64 if common * sizes.size < 2**62 else object
    times = np.array([common // size for size in sizes.tolist()], dtype=kind)
    scaled = error_counts.astype(kind) * times
    keys = [scaled.sum(axis=1), np.delete(scaled, _lifted(allowed, sizes.size), axis=1).max(axis=1)]
    if allowed:
        own = list(allowed)
        beyond = (error_counts[:, own] - np.array(list(allowed.values()))).clip(0).astype(kind) * times[own]
        keys.append(beyond.max(axis=1))
    # Numbers of any size become ranks, which lexsort takes.
    return np.lexsort([np.unique(own, return_inverse=True)[1] for own in keys])


def _inside(weights: Floats) -> Floats:
    """Normalised, and no weight zero: a Dirichlet draw can round to it."""
    return normalized(np.maximum(weights, _LEAST))


_LEAST = float(np.finfo(np.float64).tiny ** 0.25)


# The surface of all trade-offs
# -----------------------------

_TRIED = 2000
"""Weight vectors of which a surface is made."""


def spread_class_weights(
    multiclass_scores: MulticlassScores, n_points: int = 200, *, seed: int = 0, threads: int | None = None
) -> Floats:
    """Class weights spread over the ROC surface: what the classes' errors can be traded for.

    The vectors that are tried lie on lines through two of the rows: each row has one that makes it a tie of
    all classes. So they follow the outputs, whatever their scale. Kept are those that no other one beats in
    one class without being beaten in another, far from each other in their errors. The errors are those on
    these rows.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        All folds are stacked.
    n_points : int
        At most so many; there may be fewer different ones.
    seed, threads : int
        As for :func:`rocsteady.search_class_weights`.

    Returns
    -------
    (k, C) float64 array
        Each vector sums to 1.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> labels = rng.choice(3, 300)
    >>> outputs = np.exp(-((labels + rng.normal(size=300))[:, None] - [0, 1, 2]) ** 2 / 2)
    >>> weights = rs.spread_class_weights(rs.MulticlassScores(labels, outputs), 50)
    >>> weights.shape, bool((weights.sum(axis=1).round(12) == 1).all())
    ((24, 3), True)
    """
    scores = folds_that_count(_require_multiclass("spread_class_weights", multiclass_scores), "keep")
    whole_number("n_points", n_points, least=1, example=200)
    whole_number("seed", seed, least=0, example=0)
    rows, rng = ClassRows(scores), np.random.default_rng(seed)
    logarithms = np.log(np.maximum(rows.columns, _LEAST))
    mixed = rng.uniform(-0.5, 1.5, _TRIED)[:, None]  # between two rows, and beyond either
    some = logarithms[:, rng.integers(scores.n_rows, size=(2, _TRIED))].transpose(1, 2, 0)
    tied = -(mixed * some[0] + (1 - mixed) * some[1])
    weights = _inside(np.exp(tied - tied.max(axis=1, keepdims=True)))
    counts, first = np.unique(rows.error_counts(weights, threads), axis=0, return_index=True)
    is_best = np.array(
        [not ((counts <= own).all(axis=1) & (counts < own).any(axis=1)).any() for own in counts]
    )
    return read_only(weights[first[is_best]][_far_apart(counts[is_best] / rows.sizes, n_points)])


def _far_apart(places: Floats, n: int) -> Integers:
    """Some of the places, each the furthest from those before it; the first has the smallest largest one."""
    chosen = [int(places.max(axis=1).argmin())]
    distance = np.full(len(places), np.inf)
    while len(chosen) < min(n, len(places)):
        distance = np.minimum(distance, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(distance.argmax()))
    return np.array(chosen)


# The exact minimum: lines cut the plane of log weights into cells, and within a cell nothing changes
# -----------------------------------------------------------------------------------------------------

MOST_ROWS = {2: 20_000, 3: 1000}
"""Rows of all folds, by the number of classes: time grows with n**2 and n**3."""
FARTHEST = 170.0
"""Logarithms of weight ratios stay within this, a ratio of 1e73: far beyond it products would be zero."""
_BLOCK = 2**18
"""Weight vectors tried at once; bounds the memory and does not change the answer."""


def _exact_search(scores: MulticlassScores, limits: Limits, threads: int | None) -> ClassWeightSearch:
    n_classes, nothing = scores.n_classes, np.empty((0, scores.n_classes))
    if n_classes not in MOST_ROWS:
        raise fail("RS042.many-classes", n_classes=n_classes)
    if scores.n_rows > MOST_ROWS[n_classes]:
        raise fail("RS042.many-rows", n_classes=n_classes, most=MOST_ROWS[n_classes], n_rows=scores.n_rows)
    rows = ClassRows(folds_that_count(scores, "keep"))
    allowed = rows.allowed(limits)
    best, best_counts, margin = nothing, nothing.astype(np.int64), np.empty(0)
    for logarithms, widths in _cells_of_two(rows) if n_classes == 2 else _cells_of_three(rows):
        weights = normalized(np.exp(np.column_stack([logarithms, np.zeros(len(logarithms))])))
        # The best so far goes first, and stays if nothing is better.
        counts = np.vstack([best_counts, rows.error_counts(weights, threads)])
        weights, margins = np.vstack([best, weights]), np.append(margin, widths)
        order = best_first(counts, rows.sizes, allowed)
        alike = order[(counts[order] == counts[order[0]]).all(axis=1)]
        first = [int(alike[np.argmax(margins[alike])])]  # of equal ones the furthest from changing
        best, best_counts, margin = weights[first], counts[first], margins[first]
    if any(best_counts[0, c] > n for c, n in allowed.items()):
        raise _nothing_keeps(rows, limits, best_counts)
    return _found(rows, best, best_counts, None, None, limits)


def _lines(rows: ClassRows, one: int, other: int) -> Floats:
    """Where rows of two classes change sides between them: log(y_other / y_one), sorted, each once."""
    own = [slice(*rows.offsets[c : c + 2]) for c in (one, other)]
    above, below = (np.concatenate([rows.columns[c, part] for part in own]) for c in (other, one))
    both = (above > 0) & (below > 0)  # an output of zero never wins: there is no line
    # The quotient is rounded once, so rows with the same ratio have one line. One out of range is too far.
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        found = np.log(np.unique(above[both] / below[both]))
    return np.unique(found[np.abs(found) < FARTHEST])


def _cells_of_two(rows: ClassRows) -> Iterator[tuple[Floats, Floats]]:
    """Points log(w1/w2) between the lines, and how far the next line is."""
    lines = _lines(rows, 0, 1)
    ends = np.concatenate([[-_reach(lines)], lines, [_reach(lines)]])
    yield ((ends[1:] + ends[:-1]) / 2)[:, None], np.diff(ends) / 2


def _reach(*lines: Floats) -> float:
    """Half the side of a square that meets every cell: no two lines cross beyond twice the farthest."""
    farthest = max((float(np.abs(part).max()) for part in lines if part.size), default=0.0)
    return min(3 * farthest + 2, FARTHEST)


def _cells_of_three(rows: ClassRows) -> Iterator[tuple[Floats, Floats]]:
    """Points (log(w1/w3), log(w2/w3)), one inside each cell, and how far it may move."""
    vertical, horizontal, oblique = _lines(rows, 0, 2), _lines(rows, 1, 2), _lines(rows, 0, 1)
    reach = _reach(vertical, horizontal, oblique)
    sides = [
        np.concatenate([[-reach], lines[np.abs(lines) < reach], [reach]]) for lines in (vertical, horizontal)
    ]
    low, high = sides[1][:-1], sides[1][1:]
    held: list[tuple[Floats, Floats]] = []
    for left, right in itertools.pairwise(sides[0]):
        held.append(_cut_by_oblique(left, right, low, high, oblique))
        if right == sides[0][-1] or sum(len(margins) for _, margins in held) > _BLOCK:
            points, margins = (np.concatenate(parts) for parts in zip(*held, strict=True))
            yield points, margins
            held = []


def _cut_by_oblique(
    left: float, right: float, low: Floats, high: Floats, oblique: Floats
) -> tuple[Floats, Floats]:
    """The cells of a column of rectangles (left, right) x (low, high), cut by the lines a - b = oblique."""
    # a - b runs from left - high to right - low within a rectangle; the lines between cut it into strips.
    first = np.searchsorted(oblique, left - high, side="right")
    last = np.searchsorted(oblique, right - low, side="left")
    n_strips = np.maximum(last - first, 0) + 1
    cell = np.repeat(np.arange(low.size), n_strips)
    strip = np.arange(cell.size) - np.repeat(np.cumsum(n_strips) - n_strips, n_strips)
    padded = np.concatenate([[-np.inf], oblique, [np.inf]])
    below = np.maximum(padded[first[cell] + strip], (left - high)[cell])
    above = np.minimum(padded[first[cell] + strip + 1], (right - low)[cell])
    difference = (below + above) / 2
    start, stop = np.maximum(left, low[cell] + difference), np.minimum(right, high[cell] + difference)
    a = (start + stop) / 2
    margins = np.minimum(above - below, stop - start) / 2
    return np.column_stack([a, a - difference]), margins
