"""Stratified folds: every class dealt to all folds, as evenly as counts allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import LabelError, UsageError, counted
from rocsteady.scores.arrays import no_rows, read_column
from rocsteady.scores.grouping import factorize, shown, word


def stratified_folds(labels: object, folds: int = 10, *, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each row, 0 to ``folds - 1``.

    For each class in order, its rows are shuffled and dealt to the folds in turn, and the next class goes
    on where the last one stopped. So both the class counts and the sizes of any two folds differ by at
    most one.

    Parameters
    ----------
    labels : array-like
        The class of each row, two or more classes.
    folds : int
        At least 2.
    seed : int
        Of ``numpy.random.default_rng``.

    Raises
    ------
    LabelError
        RS046 if a class has fewer rows than there are folds, RS023 if labels are missing.

    Examples
    --------
    >>> from rocsteady.scores import stratified_folds
    >>> import numpy as np
    >>> np.bincount(stratified_folds([0, 1, 1] * 5, 3)).tolist()
    [5, 5, 5]
    """
    if not isinstance(folds, int | np.integer) or isinstance(folds, bool) or folds < 2:
        raise UsageError(
            "RS042", "folds must be an integer of at least 2.", f"folds={folds!r}", "use folds=10"
        )
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise UsageError(
            "RS042", "seed must be an integer, not negative.", f"seed={seed!r:.40}", "use seed=0"
        )
    column = read_column(labels, "label")
    if len(column) == 0:
        raise no_rows()
    classes = factorize(column)
    if classes.missing.any():
        first = int(np.flatnonzero(classes.missing)[0])
        raise LabelError("RS023", "a label is missing.", f"first at row {first}", "drop such rows first")
    rng = np.random.default_rng(seed)
    fold_of_row = np.empty(len(column), dtype=np.int64)
    pointer = 0
    for code in _in_order(classes.values):
        rows = rng.permutation(np.flatnonzero(classes.codes == code))
        if rows.size < folds:
            raise LabelError(
                "RS046",
                f'class "{shown(classes.values[code])}" has fewer cases than there are folds.',
                f"{counted(rows.size, 'case')}, {folds} folds",
                f"use fewer folds:  folds={rows.size}" if rows.size > 1 else "get more cases of this class",
            )
        fold_of_row[rows] = (pointer + np.arange(rows.size)) % folds
        pointer += rows.size
    return fold_of_row


def _in_order(values: Sequence[Any]) -> list[int]:
    """Codes in the order of their values; by their words where values of several kinds have none."""
    try:
        return sorted(range(len(values)), key=lambda code: values[code])
    except TypeError:
        return sorted(range(len(values)), key=lambda code: word(values[code]))
