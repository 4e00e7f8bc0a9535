"""The kinds of arrays that signatures name, and the mean over folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Counts = NDArray[Any]
"""int64, or float64 sums of weights."""
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


def over_folds(per_fold: ArrayLike) -> tuple[Floats, Floats, Integers]:
    """Mean, sd (divisor n - 1) and number of the values that are defined, over the first axis.

    Examples
    --------
    >>> mean, sd, n = over_folds([[0.1, 1.0, float("nan")], [0.3, float("nan"), float("nan")]])
    >>> mean.tolist(), sd.round(6).tolist(), n.tolist()
    ([0.2, 1.0, nan], [0.141421, nan, nan], [2, 1, 0])
    """
    values = np.asarray(per_fold, dtype=np.float64)
    defined = ~np.isnan(values)
    n = defined.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Measured from a value of their own, so that values that are all alike have exactly that mean.
        first = np.take_along_axis(values, defined.argmax(axis=0)[None], axis=0)[0]
        mean = first + np.where(defined, values - first, 0.0).sum(axis=0) / n
        has_infinite = np.isinf(values).any(axis=0)
        mean = np.where(has_infinite, np.where(defined, values, 0.0).sum(axis=0) / n, mean)
        squares = np.where(defined, values - mean, 0.0) ** 2
        sd = np.where(n > 1, np.sqrt(squares.sum(axis=0) / (n - 1)), np.nan)
    return np.where(n > 0, mean, np.nan), sd, n.astype(np.int64)
