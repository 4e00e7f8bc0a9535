"""Deciding between several classes by class weights: the largest weight times output wins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady._kernels.reference import decided
from rocsteady.errors import fail
from rocsteady.options import real_numbers
from rocsteady.scores.multiclass import MulticlassScores, read_outputs

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

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
