"""How many comparisons of two cases each reader adds: by these readers count under U-statistics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]


def pairs_read(is_read: Mask, truth: Mask) -> Integers:
    """Pairs of a positive and a negative case that were read, ``(..., r)`` from ``(..., r, c)``."""
    return np.asarray((is_read & truth).sum(axis=-1) * (is_read & ~truth).sum(axis=-1), dtype=np.int64)


def count_alike(is_read: Mask, truth: Mask) -> bool:
    """Whether all readers of a modality read as many pairs, so that weighing by pairs changes nothing.

    Examples
    --------
    >>> import numpy as np
    >>> truth = np.array([True, True, False, False])
    >>> count_alike(np.array([[[1, 1, 1, 1], [1, 1, 1, 0]]], dtype=bool), truth)
    False
    >>> count_alike(np.array([[[1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]]], dtype=bool), truth)
    True
    """
    pairs = np.atleast_2d(pairs_read(is_read, truth))
    return all(np.unique(own[own > 0]).size <= 1 for own in pairs)
