"""Where values belong among the values of every group, for all groups at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def places_in_groups(
    values: Floats, offsets: NDArray[np.int64], at: Floats, *, side: str = "left"
) -> Indices:
    """How many values of each group lie before each of ``at``, ``(n_groups, n)``.

    What ``numpy.searchsorted`` gives for one group of rising values: ``"left"`` counts those that are
    smaller, ``"right"`` also those that are equal. Values are not compared with each other, so their order
    does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> rates = np.array([0.0, 0.5, 1.0, 0.0, 1.0])
    >>> places_in_groups(rates, np.array([0, 3, 5]), np.array([0.5, 0.7]), side="right").tolist()
    [[2, 2], [1, 1]]
    """
    order = np.argsort(at, kind="stable")
    n_groups, n = offsets.size - 1, at.size
    # A value lies before all of `at` from its own place among them on.
    cell = np.searchsorted(at[order], values, side="right" if side == "left" else "left")
    cell += np.repeat(np.arange(n_groups) * (n + 1), np.diff(offsets))
    found = np.bincount(cell, minlength=n_groups * (n + 1)).reshape(n_groups, n + 1)
    before = np.cumsum(found[:, :n], axis=1)
    if (order[1:] > order[:-1]).all():
        return before
    if (order[1:] < order[:-1]).all():
        return before[:, ::-1]
    back = np.empty_like(before)
    back[:, order] = before
    return back
