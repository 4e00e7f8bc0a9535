"""NumPy twins of the kernels that decide by class weights and count (``native/decide.hpp``)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def count_errors(outputs: Floats, offsets: Integers, weights: Floats, threads: int) -> Integers:
    """How many rows of each class are decided wrongly, for each weight vector.

    A row is decided for the class with the largest ``weights[k, c] * outputs[c, row]``; of several the
    lowest. Products are rounded to float64 before they are compared.

    Parameters
    ----------
    outputs : (C, n) float64 array
        Not negative, one row of the array per class; rows of the data stand in the order of their true class.
    offsets : int64 array of C + 1
        Rows ``offsets[c]`` to ``offsets[c + 1]`` are of class c.
    weights : (K, C) float64 array
        Not negative.

    Returns
    -------
    (K, C) int64 array
    """
    _require(outputs, weights)
    n_classes, n_rows = outputs.shape
    if (
        offsets.size != n_classes + 1
        or offsets[0] != 0
        or offsets[-1] != n_rows
        or (np.diff(offsets) < 0).any()
    ):
        raise ValueError("offsets must run from 0 to the number of rows, class by class")
    errors = np.empty((weights.shape[0], n_classes), dtype=np.int64)
    true = np.repeat(np.arange(n_classes), np.diff(offsets))
    for k, own in enumerate(weights):
        errors[k] = np.bincount(true[decided(outputs, own) != true], minlength=n_classes)
    return errors


def count_decisions(
    outputs: Floats, cells: Integers, n_cells: int, weights: Floats, threads: int
) -> Integers:
    """How many rows of each cell are decided for each class, for each weight vector.

    With the true classes as cells this is a confusion matrix; with one cell for each true class of each fold
    it is one per fold.

    Parameters
    ----------
    outputs, weights
        As for :func:`count_errors`, rows in any order.
    cells : int64 array of n
        The cell of each row, 0 to ``n_cells - 1``.

    Returns
    -------
    (K, n_cells, C) int64 array
    """
    _require(outputs, weights)
    n_classes, n_rows = outputs.shape
    if cells.size != n_rows or n_cells < 1 or (n_rows and not (cells.min() >= 0 and cells.max() < n_cells)):
        raise ValueError("every row must have a cell, numbered below n_cells")
    counts = np.empty((weights.shape[0], n_cells, n_classes), dtype=np.int64)
    for k, own in enumerate(weights):
        places = cells * n_classes + decided(outputs, own)
        counts[k] = np.bincount(places, minlength=n_cells * n_classes).reshape(n_cells, n_classes)
    return counts


def decided(outputs: Floats, weights: Floats) -> Integers:
    """The class of each row under one weight vector; ties go to the lowest."""
    best = weights[0] * outputs[0]
    classes = np.zeros(best.size, dtype=np.int64)
    for c in range(1, weights.size):
        product = weights[c] * outputs[c]
        better = product > best
        classes[better] = c
        np.maximum(best, product, out=best)
    return classes


def _require(outputs: Floats, weights: Floats) -> None:
    if outputs.ndim != 2 or weights.ndim != 2 or outputs.shape[0] < 1 or outputs.shape[0] != weights.shape[1]:
        raise ValueError("there must be one weight per class")
