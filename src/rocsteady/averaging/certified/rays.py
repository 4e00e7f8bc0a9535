"""Where a radial average has a rate, between its rays: it is a curve there, and its samples are not it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.rays import mean_points

Floats = NDArray[np.float64]

_HALVINGS = 60
"""Until two rays are as close as floats can be."""


def between_rays(average: Any, held: str, at: Floats) -> tuple[Floats, Floats]:
    """Between which values the free rate of a radial average lies where the held one has a value.

    Both rates rise with the share of false alarms that names a ray, so rays are halved until two neighbours
    are left: the reading lies between theirs.
    """
    wanted = np.ravel(at)
    low, high = np.zeros(wanted.size), np.ones(wanted.size)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        reached = _rates(average, middle)[0 if held == "fpr" else 1]
        # Of an FPR the best TPR is read, so rays that just have it come before; of a TPR the best FPR.
        is_before = reached <= wanted if held == "fpr" else reached < wanted
        low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
    first, last = _rates(average, low), _rates(average, high)
    if held == "fpr":
        ends = first[1], np.where(last[0] <= wanted, 1.0, last[1])  # beyond the last ray nothing is missed
    else:
        ends = np.where(first[1] >= wanted, 0.0, first[0]), last[0]  # before the first there are no alarms
    return ends[0].reshape(np.shape(at)), ends[1].reshape(np.shape(at))


def _rates(average: Any, shares: Floats) -> tuple[Floats, Floats]:
    fpr, fnr = mean_points(average._paths, average.weights, shares)
    return fpr, 1 - fnr
