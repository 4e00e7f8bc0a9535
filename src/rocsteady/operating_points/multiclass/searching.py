"""The greedy search for class weights whose largest class error is small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import counted, warn
from rocsteady.operating_points.multiclass.class_errors import (
    ClassRows,
    ClassWeightPoint,
    class_rows,
    objective,
    require_multiclass,
    weights_as_array,
)
from rocsteady.operating_points.multiclass.deciding import Floats, Integers, normalized
from rocsteady.options import whole_number
from rocsteady.results import TableResult, read_only
from rocsteady.scores.columns import word
from rocsteady.scores.multiclass import MulticlassScores

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
    _warn_of_rows_that_stay(rows)
    return searched(scores.classes, rows, (n_start, n_steps, keep), seed, threads)


def searched(
    classes: tuple[Any, ...], rows: ClassRows, numbers: tuple[int, int, int], seed: int, threads: int | None
) -> ClassWeightSearch:
    """The search on rows that have been looked at; ``numbers`` are n_start, n_steps and keep."""
    weights, counts, history = _search(rows, numbers, seed, threads)
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


def _search(
    rows: ClassRows, numbers: tuple[int, int, int], seed: int, threads: int | None
) -> tuple[Floats, Integers, Floats]:
    """The vectors kept, their error counts, and the best errors after each step."""
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
        best = objective(counts, rows.sizes).order()[:keep]
        weights, counts = weights[best], counts[best]
        errors = counts[0] / rows.sizes
        history[step] = errors.max(), errors.mean()
        if step < n_steps:
            moves = np.exp(2.0**-step * rng.standard_normal((len(weights), CHILDREN, n_classes)))
            children = _inside((weights[:, None, :] * moves).reshape(-1, n_classes))
            weights = np.concatenate([weights, children])
            counts = np.concatenate([counts, rows.error_counts(children, threads)])
    return weights, counts, history


def _inside(weights: Floats) -> Floats:
    """Normalised, and no weight zero: a Dirichlet draw can round to it."""
    return normalized(np.maximum(weights, np.finfo(np.float64).tiny ** 0.25))


def _warn_of_rows_that_stay(rows: ClassRows) -> None:
    movable = int(np.count_nonzero(np.count_nonzero(rows.columns, axis=0) > 1))
    n = rows.columns.shape[1]
    if movable < FEW_MOVABLE * n:
        warn("RS250.few-movable", n=movable, n_rows=n)
