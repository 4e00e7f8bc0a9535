"""Confusion matrices of every fold at every operating point: what measures are functions of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Remedy, counted, fail

Floats = NDArray[np.float64]

MOST_NUMBERS = 30_000_000
"""Counts that a table may hold: 240 MB, and measures of them take some more."""


@dataclass(frozen=True, eq=False, repr=False)
class Confusion:
    """How many cases of each class were decided to be what, at every point of every fold.

    Counts are floats (whole numbers, or sums of weights), so that products of them do not overflow. In what a
    measure of one fold and one point sees, every count is a single number.

    Attributes
    ----------
    classes : tuple
        The classes: of two with a positive one the words for them, the negative one first.
    """

    classes: tuple[Any, ...]

    @property
    def matrix(self) -> Floats:
        """Counts ``[..., true class, decided class]``, led by folds and points."""
        raise TypeError(f"{type(self).__name__} has no matrix")

    @property
    def class_sizes(self) -> Floats:
        """Cases of each class in each fold, ``(n_folds, n_classes)``."""
        raise TypeError(f"{type(self).__name__} has no class sizes")

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n_folds, n_points)``; empty for a single confusion matrix."""
        raise TypeError(f"{type(self).__name__} has no shape")

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return self.shape[0]

    @property
    def n_points(self) -> int:
        """Number of operating points."""
        return self.shape[1]

    @property
    def correct(self) -> Any:
        """Cases decided to be what they are."""
        return np.trace(self.matrix, axis1=-2, axis2=-1)

    @property
    def total(self) -> Any:
        """Cases of all classes."""
        return self.matrix.sum(axis=(-2, -1))

    def one(self, fold: int, point: int) -> Confusion:
        """The confusion matrix of one fold at one point."""
        raise TypeError(f"{type(self).__name__} has no parts")

    def stacked(self) -> Confusion:
        """All folds as one: their counts added up."""
        raise TypeError(f"{type(self).__name__} cannot be stacked")

    def __repr__(self) -> str:
        size = "" if not self.shape else f"{counted(self.n_folds, 'fold')}, {counted(self.n_points, 'point')}"
        return f"{type(self).__name__}({size or 'one matrix'}, {counted(self.n_classes, 'class')})"


@dataclass(frozen=True, eq=False, repr=False)
class TwoClassConfusion(Confusion):
    """Two classes: the four counts.

    Attributes
    ----------
    tp, fp : (n_folds, n_points) arrays
        Positives and negatives that were called positive.
    positives, negatives : (n_folds, 1) arrays
        Cases of each class.

    Examples
    --------
    >>> import numpy as np
    >>> size = np.array([[2.0], [2.0]])
    >>> tp, fp = np.array([[0.0, 2], [0, 1]]), np.array([[0.0, 1], [0, 0]])
    >>> c = TwoClassConfusion(("0", "1"), tp, fp, size, size)
    >>> c
    TwoClassConfusion(2 folds, 2 points, 2 classes)
    >>> c.fn.tolist(), c.stacked().tp.tolist()
    ([[2.0, 0.0], [2.0, 1.0]], [[0.0, 3.0]])
    >>> c.one(0, 1).matrix.tolist()
    [[1.0, 1.0], [0.0, 2.0]]
    """

    tp: Any
    fp: Any
    positives: Any
    negatives: Any

    @property
    def fn(self) -> Any:
        """Positives called negative."""
        return self.positives - self.tp

    @property
    def tn(self) -> Any:
        """Negatives called negative."""
        return self.negatives - self.fp

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n_folds, n_points)``; empty for a single confusion matrix."""
        return np.shape(self.tp)

    @property
    def matrix(self) -> Floats:
        """Counts ``[..., true class, decided class]``, negative first."""
        rows = [np.stack([self.tn, self.fp], axis=-1), np.stack([self.fn, self.tp], axis=-1)]
        return np.stack(rows, axis=-2)

    @property
    def class_sizes(self) -> Floats:
        """Cases of each class in each fold, ``(n_folds, 2)``, negatives first."""
        return np.concatenate([np.atleast_2d(self.negatives), np.atleast_2d(self.positives)], axis=1)

    @property
    def correct(self) -> Any:
        """Cases decided to be what they are."""
        return self.tp + self.tn

    @property
    def total(self) -> Any:
        """Cases of both classes, ``(n_folds, 1)``."""
        return self.positives + self.negatives

    def one(self, fold: int, point: int) -> TwoClassConfusion:
        """The confusion matrix of one fold at one point."""
        here, size = (fold, point), (fold, 0)
        counts = self.tp[here], self.fp[here], self.positives[size], self.negatives[size]
        return TwoClassConfusion(self.classes, *counts)

    def stacked(self) -> TwoClassConfusion:
        """All folds as one: their counts added up."""
        counts = (self.tp, self.fp, self.positives, self.negatives)
        # One after the other: sums of weights are then rounded alike, and all called positive is a rate of 1.
        return TwoClassConfusion(self.classes, *(reduce(np.add, count)[None] for count in counts))


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassConfusion(Confusion):
    """Any number of classes: a matrix.

    Attributes
    ----------
    counts : (n_folds, n_points, n_classes, n_classes) array
        Counts ``[fold, point, true class, decided class]``; also called ``matrix``.

    Examples
    --------
    >>> import numpy as np
    >>> c = MulticlassConfusion(("a", "b", "c"), np.ones((2, 5, 3, 3)))
    >>> c, c.class_sizes.tolist()
    (MulticlassConfusion(2 folds, 5 points, 3 classes), [[3.0, 3.0, 3.0], [3.0, 3.0, 3.0]])
    """

    counts: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", np.asarray(self.counts, dtype=np.float64))

    @property
    def matrix(self) -> Floats:
        """Counts ``[..., true class, decided class]``."""
        return self.counts

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n_folds, n_points)``; empty for a single confusion matrix."""
        return self.matrix.shape[:-2]

    @property
    def class_sizes(self) -> Floats:
        """Cases of each class in each fold, ``(n_folds, n_classes)``; no point changes them."""
        return np.asarray(self.matrix[:, 0].sum(axis=-1))

    def one(self, fold: int, point: int) -> MulticlassConfusion:
        """The confusion matrix of one fold at one point."""
        return MulticlassConfusion(self.classes, self.matrix[fold, point])

    def stacked(self) -> MulticlassConfusion:
        """All folds as one: their counts added up."""
        return MulticlassConfusion(self.classes, self.matrix.sum(axis=0, keepdims=True))


def require_room(
    n_folds: int, n_points: int, *remedies: Remedy, n_classes: int = 2, unit: str = "fold"
) -> None:
    """RS075 if the table of all confusion matrices would be too large to hold."""
    needed = n_folds * n_points * (2 if n_classes == 2 else n_classes**2)
    if needed > MOST_NUMBERS:
        raise fail(
            "RS075.room",
            unit=unit,
            n_folds=n_folds,
            n_points=n_points,
            n_classes=n_classes,
            size=8 * needed / 1000000000.0,
            ways=remedies or ("take fewer points",),
        )
