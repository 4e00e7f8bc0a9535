"""Class weights whose largest class error is small: searched, exact for few classes, judged on new rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers
from rocsteady.errors import counted, fail, warn
from rocsteady.options import one_of, whole_number
from rocsteady.points.multiclass import (
    class_rows_needed,
    decide,
    folds_with_all_classes,
    lacks_classes,
    normalized,
    require_multiclass,
    weighable_columns,
)
from rocsteady.points.tables import over_folds
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.columns import shown, word
from rocsteady.scores.multiclass import MulticlassScores


@dataclass(frozen=True, eq=False)
class ClassRows:
    """The rows of all folds, ordered by their true class, as the kernel takes them (C, n)."""

    columns: Floats
    offsets: Integers
    sizes: Integers

    def error_counts(self, class_weights: Floats, threads: int | None = None) -> Integers:
        """Wrongly decided rows of each class under each of K weight vectors, (K, C)."""
        counts: Integers = _kernels.kernels.count_errors(
            self.columns, self.offsets, np.ascontiguousarray(class_weights), _kernels.thread_count(threads)
        )
        return counts


def class_rows(scores: MulticlassScores) -> ClassRows:
    """The rows of all folds by class; RS078 if a class has none."""
    sizes = class_rows_needed(scores)
    order = np.argsort(scores.label_index, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return ClassRows(weighable_columns(scores.outputs[order]), offsets, sizes)


def best_first(error_counts: Integers, sizes: Integers) -> Integers:
    """Places of weight vectors by their error counts (K, C): smallest largest class error, then mean one.

    Equal ones stay in the order in which they stand. Rates are compared exactly, as whole numbers: times the
    least common multiple of the class sizes, as Python integers where 64 bits are too few.

    Examples
    --------
    >>> import numpy as np
    >>> best_first(np.array([[1, 1], [2, 0], [1, 0]]), np.array([3, 4])).tolist()
    [2, 0, 1]
    """
    common = math.lcm(*sizes.tolist())
    kind = np.int64 if common * sizes.size < 2**62 else object
    scaled = error_counts.astype(kind) * np.array([common // size for size in sizes.tolist()], dtype=kind)
    # Numbers of any size become ranks, which lexsort takes.
    return np.lexsort(
        [np.unique(own, return_inverse=True)[1] for own in (scaled.sum(axis=1), scaled.max(axis=1))]
    )


@dataclass(frozen=True, eq=False, repr=False)
class ClassWeightPoint(Result):
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

    classes: tuple[Any, ...]
    class_weights: Floats
    errors: Floats
    max_error: float
    mean_error: float

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return weights_as_array(self.class_weights, dtype, copy)

    def __repr__(self) -> str:
        weights = ", ".join(f"{weight:.4g}" for weight in self.class_weights)
        return f"ClassWeightPoint(weights {weights}: largest class error {self.max_error:.4g})"


def weights_as_array(weights: Floats, dtype: Any, copy: bool | None) -> NDArray[Any]:
    """What ``__array__`` gives: a copy if one was asked for, or if the type has to change."""
    array = np.asarray(weights, dtype=dtype)
    return array.copy() if copy else array


CHILDREN = 9
"""New vectors from each one kept, in each step."""
FEW_MOVABLE = 0.5
"""Below this share of rows that weights can move, a warning says so."""


@dataclass(frozen=True, eq=False, repr=False)
class ClassWeightSearch(TableResult):
    """The weight vectors that a search kept, best first. Wherever class weights are taken it stands for them.

    Attributes
    ----------
    classes : tuple
    class_weights : (n_kept, C) float64 array
        Each vector sums to 1.
    errors : (n_kept, C) float64 array
        Share of the rows of each class that are decided wrongly, all folds stacked. These are the rows that
        the vectors were chosen on, so the errors are optimistic (:func:`rocsteady.nested_class_weights`).
    max_errors, mean_errors : (n_kept,) float64 arrays
        The largest and the mean class error.
    n_distinct : int
        How many different rows ``errors`` has: many weight vectors decide alike.
    history : (n_steps + 1, 2) float64 array
        Largest and mean class error of the best vector: of the start, and after each step.
    seed : int
    """

    classes: tuple[Any, ...]
    class_weights: Floats
    errors: Floats
    max_errors: Floats
    mean_errors: Floats
    n_distinct: int
    history: Floats
    seed: int

    @property
    def best(self) -> ClassWeightPoint:
        """The first of the vectors, with its errors."""
        return ClassWeightPoint(
            self.classes,
            self.class_weights[0],
            self.errors[0],
            float(self.max_errors[0]),
            float(self.mean_errors[0]),
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return weights_as_array(self.class_weights, dtype, copy)

    def __len__(self) -> int:
        return int(self.max_errors.size)

    def __repr__(self) -> str:
        kept = counted(len(self), "weight vector")
        return (
            f"ClassWeightSearch({kept} of {counted(len(self.classes), 'class')}, {self.n_distinct} distinct, "
            f"largest class error {self.max_errors[0]:.4g})"
        )

    def _columns(self) -> dict[str, Any]:
        weights = {f"weight {word(c)}": self.class_weights[:, i] for i, c in enumerate(self.classes)}
        errors = {f"error {word(c)}": self.errors[:, i] for i, c in enumerate(self.classes)}
        return {**weights, **errors, "max_error": self.max_errors, "mean_error": self.mean_errors}


def search_class_weights(
    multiclass_scores: MulticlassScores,
    *,
    n_start: int = 1000,
    n_steps: int = 5,
    keep: int = 100,
    seed: int = 0,
    threads: int | None = None,
) -> ClassWeightSearch:
    """Search for class weights whose largest class error is small (minimax).

    The start is ``n_start`` vectors, evenly spread over all vectors that sum to 1 (Dirichlet), the first two
    replaced by equal weights and by inverse class frequencies. The best ``keep`` stay: smallest largest class
    error, then smallest mean class error, then the older one. In each step every vector kept gives nine
    children, its weights times ``exp(sigma z)`` with z standard normal; sigma is 1 in the first step and
    halves from step to step. The best of parents and children stay, so the result never gets worse.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        All folds are stacked.
    n_start, n_steps, keep : int
        Vectors at the start, steps, vectors kept.
    seed : int
        Of ``numpy.random.default_rng``.
    threads : int, optional
        All cores if not given. The result does not depend on it.

    Returns
    -------
    ClassWeightSearch

    Raises
    ------
    DataError
        RS076 if outputs are negative, RS078 if a class has no rows.

    Warns
    -----
    RocsteadyWarning
        RS250 if fewer than half of the rows have two outputs above zero: weights move no others.

    See Also
    --------
    rocsteady.exact_class_weights : The smallest possible largest class error, for two or three classes.
    rocsteady.nested_class_weights : What the chosen weights do on rows that they were not chosen on.

    Notes
    -----
    Class errors lie on a lattice of multiples of one over the class size. Comparisons are made in whole
    numbers, so that ties are ties.

    References
    ----------
    P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, Variance estimation for two-class and multi-class ROC
    analysis using operating point averaging, ICPR 2008. The paper names the search; its start, moves and
    order are ours.

    Examples
    --------
    Equal weights miss the rare third class:

    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> labels = rng.choice(3, 300, p=[0.6, 0.3, 0.1])
    >>> densities = np.exp(-((labels + rng.normal(size=300))[:, None] - [0, 1, 2]) ** 2 / 2)
    >>> scores = rs.MulticlassScores(labels, densities * [0.6, 0.3, 0.1])
    >>> found = rs.search_class_weights(scores)
    >>> found
    ClassWeightSearch(100 weight vectors of 3 classes, 27 distinct, largest class error 0.3978)
    >>> found.best.errors.round(3).tolist()
    [0.397, 0.398, 0.393]
    """
    scores = require_multiclass("search_class_weights", multiclass_scores)
    n_start = whole_number("n_start", n_start, least=2, example=1000)
    n_steps = whole_number("n_steps", n_steps, least=0, example=5)
    keep = whole_number("keep", keep, least=1, example=100)
    seed = whole_number("seed", seed, least=0, example=0)
    rows = class_rows(scores)
    movable = int(np.count_nonzero(np.count_nonzero(rows.columns, axis=0) > 1))
    if movable < FEW_MOVABLE * scores.n_rows:
        warn("RS250.few-movable", n=movable, n_rows=scores.n_rows)
    return searched(scores.classes, rows, (n_start, n_steps, keep), seed, threads)


def searched(
    classes: tuple[Any, ...], rows: ClassRows, numbers: tuple[int, int, int], seed: int, threads: int | None
) -> ClassWeightSearch:
    """The search on rows that have been looked at; ``numbers`` are n_start, n_steps and keep."""
    n_start, n_steps, keep = numbers
    rng = np.random.default_rng(seed)
    n_classes = rows.sizes.size
    weights = rng.dirichlet(np.ones(n_classes), n_start)
    weights[0], weights[1] = 1.0, 1.0 / rows.sizes
    weights = _inside(weights)
    counts = rows.error_counts(weights, threads)
    history = np.empty((n_steps + 1, 2))
    for step in range(n_steps + 1):
        # Parents stand before their children, the children in order: equal ones stay in order of creation.
        best = best_first(counts, rows.sizes)[:keep]
        weights, counts = weights[best], counts[best]
        errors = counts[0] / rows.sizes
        history[step] = errors.max(), errors.mean()
        if step < n_steps:
            moves = np.exp(2.0**-step * rng.standard_normal((len(weights), CHILDREN, n_classes)))
            children = _inside((weights[:, None, :] * moves).reshape(-1, n_classes))
            weights = np.concatenate([weights, children])
            counts = np.concatenate([counts, rows.error_counts(children, threads)])
    errors = counts / rows.sizes
    return ClassWeightSearch(
        classes,
        class_weights=read_only(weights),
        errors=read_only(errors),
        max_errors=read_only(errors.max(axis=1)),
        mean_errors=read_only(errors.mean(axis=1)),
        n_distinct=int(np.unique(counts, axis=0).shape[0]),
        history=read_only(history),
        seed=seed,
    )


def _inside(weights: Floats) -> Floats:
    """Normalised, and no weight zero: a Dirichlet draw can round to it."""
    return normalized(np.maximum(weights, np.finfo(np.float64).tiny ** 0.25))


MOST_ROWS = {2: 20_000, 3: 1000}
"""Rows of all folds, by the number of classes: time grows with n**2 and n**3."""
FARTHEST = 170.0
"""Logarithms of weight ratios stay within this, a ratio of 1e73: far beyond it products would be zero."""
_BLOCK = 2**18
"""Weight vectors tried at once; bounds the memory and does not change the answer."""


def exact_class_weights(
    multiclass_scores: MulticlassScores, *, threads: int | None = None
) -> ClassWeightPoint:
    """The smallest largest class error that any class weights attain, for two or three classes.

    Of all weights that attain it the smallest mean class error decides, then how far the decisions are from
    changing: the point returned lies inside its cell.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        Two classes and up to 20,000 rows, or three and up to 1,000. All folds are stacked.
    threads : int, optional
        All cores if not given. The result does not depend on it.

    Returns
    -------
    ClassWeightPoint
        Its errors are those of :func:`rocsteady.decide` with its weights, on the rows they were chosen on.

    Raises
    ------
    UsageError
        RS042 for more classes or rows.
    DataError
        RS076 if outputs are negative, RS078 if a class has no rows.

    See Also
    --------
    rocsteady.search_class_weights : For any number of classes and rows; need not find the minimum.

    Notes
    -----
    Cells thinner than the rounding of weights cannot be hit, and no weights in float64 use them. Weight
    ratios beyond 1e73 are not looked at.

    Examples
    --------
    >>> import rocsteady as rs
    >>> posteriors = [[0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.4, 0.6]]
    >>> rs.exact_class_weights(rs.MulticlassScores(["a", "a", "b", "b"], posteriors))
    ClassWeightPoint(weights 0.1429, 0.8571: largest class error 0.5)
    """
    scores = require_multiclass("exact_class_weights", multiclass_scores)
    if scores.n_classes not in MOST_ROWS:
        raise fail("RS042.many-classes", n_classes=scores.n_classes)
    most = MOST_ROWS[scores.n_classes]
    if scores.n_rows > most:
        raise fail("RS042.many-rows", n_classes=scores.n_classes, most=most, n_rows=scores.n_rows)
    rows = class_rows(scores)
    cells = _cells_of_two(rows) if scores.n_classes == 2 else _cells_of_three(rows)
    best: tuple[Floats, Integers, float] | None = None
    for logarithms, widths in cells:
        weights = normalized(np.exp(np.column_stack([logarithms, np.zeros(len(logarithms))])))
        counts, margins = rows.error_counts(weights, threads), widths
        if best is not None:  # the best so far goes first, and stays if nothing is better
            weights, counts = np.vstack([best[0], weights]), np.vstack([best[1], counts])
            margins = np.append(best[2], margins)
        order = best_first(counts, rows.sizes)
        alike = order[(counts[order] == counts[order[0]]).all(axis=1)]
        first = int(alike[np.argmax(margins[alike])])  # of equal ones the furthest from changing
        best = weights[first], counts[first], float(margins[first])
    if best is None:
        raise RuntimeError("an arrangement has at least one cell")
    errors = best[1] / rows.sizes
    return ClassWeightPoint(
        scores.classes, read_only(best[0]), read_only(errors), float(errors.max()), float(errors.mean())
    )


def _lines(rows: ClassRows, one: int, other: int) -> Floats:
    """Where rows of two classes change sides between them: log(y_other / y_one), sorted, each once."""
    own = [slice(*rows.offsets[c : c + 2]) for c in (one, other)]
    above, below = (np.concatenate([rows.columns[c, part] for part in own]) for c in (other, one))
    both = (above > 0) & (below > 0)  # an output of zero never wins: there is no line
    # The quotient is rounded once, so rows with the same ratio have the same line.
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


@dataclass(frozen=True, eq=False, repr=False)
class NestedSearch(TableResult):
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
        Of ``errors`` over folds. Folds share most of their training and search rows, so the standard error is
        somewhat too small.
    n_defined : (C,) int64 array
        Folds that have the class.
    stacked : (C,) float64 array
        Wrong decisions of all folds over all rows of the class.
    max_error, mean_max_error : float
        The largest of ``stacked``, and the mean over folds of the largest of ``errors`` (of folds that have
        all classes). What the worst class of one chosen vector suffers usually lies between them: above the
        first where the worst class is not the same for every vector, and below the second, since the largest
        of noisy shares is too large. Where weights change little, the first is too large as well.
    search : ClassWeightSearch
        The search on all rows. Its errors are optimistic: the best of many vectors on the rows that they are
        judged by.
    optimism : (C,) float64 array
        ``stacked`` less the errors of ``search.best``.
    undefined : tuple of str
        Folds that lack a class, and which.
    """

    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    class_weights: Floats
    errors: Floats
    mean: Floats
    sd: Floats
    standard_error: Floats
    n_defined: np.ndarray[Any, np.dtype[np.int64]]
    stacked: Floats
    max_error: float
    mean_max_error: float
    search: ClassWeightSearch
    optimism: Floats
    undefined: tuple[str, ...] = ()

    def __repr__(self) -> str:
        chosen = self.search.best.max_error
        return (
            f"NestedSearch({counted(len(self.folds), 'fold')}: largest class error {self.max_error:.4g} "
            f"stacked, {self.mean_max_error:.4g} in the mean fold; {chosen:.4g} as chosen)"
        )

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"fold": list(self.folds)}
        columns |= {f"weight {word(c)}": self.class_weights[:, i] for i, c in enumerate(self.classes)}
        return columns | {f"error {word(c)}": self.errors[:, i] for i, c in enumerate(self.classes)}


def nested_class_weights(
    multiclass_scores: MulticlassScores,
    *,
    n_start: int = 1000,
    n_steps: int = 5,
    keep: int = 100,
    seed: int = 0,
    undefined: str = "raise",
    threads: int | None = None,
) -> NestedSearch:
    """The honest errors of searched class weights: chosen on all folds but one, judged on that one.

    Selection is optimistic. :func:`rocsteady.search_class_weights` takes the best of thousands of vectors,
    and the errors it reports are those on the very rows it chose by. Here every fold is decided by weights
    that it had no say in; so this is the honest figure for "search, then deploy". The classifiers of the
    folds are taken as given: the outputs must come from cross-validation.

    The errors of each class are honest. The error of the worst class is given from both sides, see
    ``max_error`` and ``mean_max_error`` of the result.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        With at least two folds.
    n_start, n_steps, keep, seed, threads
        As for :func:`rocsteady.search_class_weights`; the same for every fold.
    undefined : {"raise", "drop", "keep"}
        What to do about folds that lack a class. ``"drop"`` leaves them out altogether, ``"keep"`` counts
        them for the classes that they have.

    Returns
    -------
    NestedSearch

    Raises
    ------
    UsageError
        RS042 for fewer than two folds.
    DataError
        RS078 if a fold lacks a class, or if one fold has all rows of a class; RS076 if outputs are negative.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> labels = np.arange(90) % 3
    >>> densities = np.exp(-((labels + rng.normal(size=90))[:, None] - [0, 1, 2]) ** 2 / 2)
    >>> scores = rs.MulticlassScores(labels, densities, folds=np.arange(90) // 3 % 5)
    >>> rs.nested_class_weights(scores)
    NestedSearch(5 folds: largest class error 0.5333 stacked, 0.6667 in the mean fold; 0.4667 as chosen)
    """
    scores = require_multiclass("nested_class_weights", multiclass_scores)
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    class_rows_needed(scores)
    lacking = scores.undefined
    if len(scores.folds) > 1 and lacking and undefined == "raise":
        raise lacks_classes(
            lacking, "leave them out:  undefined='drop'", "count them for their classes:  undefined='keep'"
        )
    if lacking and undefined == "drop":
        scores = scores.select(folds_with_all_classes(scores))
    if len(scores.folds) < 2:
        raise fail("RS042.two-folds", n=len(scores.folds))
    alone = scores.class_counts == scores.class_counts.sum(axis=0)
    if alone.any():
        fold, place = (int(i) for i in np.argwhere(alone)[0])
        label, folds = shown(scores.classes[place]), scores.folds
        raise fail("RS078.class-in-fold", label=label, fold=folds[fold], folds=folds)
    search = search_class_weights(
        scores, n_start=n_start, n_steps=n_steps, keep=keep, seed=seed, threads=threads
    )
    weights = np.empty((len(scores.folds), scores.n_classes))
    wrong = np.zeros(weights.shape)
    for f, name in enumerate(scores.folds):
        others = scores.select([other for other in scores.folds if other != name])
        best = searched(scores.classes, class_rows(others), (n_start, n_steps, keep), seed, threads).best
        weights[f] = best.class_weights
        own = scores.select([name])
        missed = own.label_index[decide(own, weights[f]) != own.label_index]
        wrong[f] = np.bincount(missed, minlength=scores.n_classes)
    sizes = scores.class_counts
    errors = np.divide(wrong, sizes, out=np.full(wrong.shape, np.nan), where=sizes > 0)
    mean, sd, n_defined = over_folds(errors)
    stacked = wrong.sum(axis=0) / sizes.sum(axis=0)
    return NestedSearch(
        scores.classes,
        scores.folds,
        class_weights=read_only(weights),
        errors=read_only(errors),
        mean=read_only(mean),
        sd=read_only(sd),
        standard_error=read_only(sd / np.sqrt(n_defined)),
        n_defined=read_only(n_defined),
        stacked=read_only(stacked),
        max_error=float(stacked.max()),
        mean_max_error=float(over_folds(errors.max(axis=1))[0]),  # NaN where a fold lacks a class
        search=search,
        optimism=read_only(stacked - search.best.errors),
        undefined=lacking,
    )
