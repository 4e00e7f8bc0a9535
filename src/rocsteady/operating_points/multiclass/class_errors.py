"""Error counts of each class under many weight vectors, and which of them are better: decided in integers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.errors import fail
from rocsteady.operating_points.multiclass.deciding import Floats, Integers, weighable_columns
from rocsteady.results import Result
from rocsteady.scores.columns import shown
from rocsteady.scores.multiclass import MulticlassScores


@dataclass(frozen=True, eq=False)
class ClassRows:
    """The rows of all folds, ordered by their true class, ready for the kernel.

    Attributes
    ----------
    columns : (C, n) float64 array
    offsets : int64 array of C + 1
        Where the rows of each class start.
    sizes : int64 array of C
        Rows of each class, none of them zero.
    """

    columns: Floats
    offsets: Integers
    sizes: Integers

    def error_counts(self, class_weights: Floats, threads: int | None = None) -> Integers:
        """Wrongly decided rows of each class under each of K weight vectors, (K, C)."""
        counts: Integers = _kernels.kernels.count_errors(
            self.columns, self.offsets, np.ascontiguousarray(class_weights), _kernels.thread_count(threads)
        )
        return counts


def require_multiclass(name: str, scores: object) -> MulticlassScores:
    """RS001 unless it is what the function works on."""
    if isinstance(scores, MulticlassScores):
        return scores
    raise fail("RS001.multiclass", function=name, kind=type(scores).__name__)


def class_rows(scores: MulticlassScores) -> ClassRows:
    """The rows of all folds by class; RS078 if a class has none."""
    sizes = class_rows_needed(scores)
    order = np.argsort(scores.label_index, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return ClassRows(weighable_columns(scores.outputs[order]), offsets, sizes)


def class_rows_needed(scores: MulticlassScores) -> Integers:
    """How many rows each class has in all folds together; RS078 if one has none."""
    sizes = scores.class_counts.sum(axis=0)
    if not sizes.all():
        missing = [shown(scores.classes[c]) for c in np.flatnonzero(sizes == 0)]
        raise fail("RS078.classes", n=len(missing), missing=missing)
    return np.asarray(sizes)


@dataclass(frozen=True, eq=False)
class Objective:
    """What is made small: the largest class error, then the mean one.

    Both are whole numbers, the rates times the least common multiple of the class sizes, so that vectors
    compare exactly; Python integers where 64 bits are too few.
    """

    largest: NDArray[Any]
    total: NDArray[Any]

    def order(self) -> Integers:
        """Places of the vectors, best first; equal ones in the order in which they stand."""
        # Numbers of any size become ranks, which lexsort takes.
        ranks = [np.unique(part, return_inverse=True)[1] for part in (self.total, self.largest)]
        return np.lexsort(ranks)


def objective(error_counts: Integers, sizes: Integers) -> Objective:
    """The objective of each row of ``error_counts``, (K, C).

    Examples
    --------
    >>> import numpy as np
    >>> found = objective(np.array([[1, 1], [2, 0], [1, 0]]), np.array([3, 4]))
    >>> found.largest.tolist(), found.total.tolist(), found.order().tolist()
    ([4, 8, 4], [7, 8, 4], [2, 0, 1])
    """
    common = math.lcm(*sizes.tolist())
    scale = [common // size for size in sizes.tolist()]
    kind = np.int64 if common * len(scale) < 2**62 else object
    scaled = error_counts.astype(kind) * np.array(scale, dtype=kind)
    return Objective(scaled.max(axis=1), scaled.sum(axis=1))


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
