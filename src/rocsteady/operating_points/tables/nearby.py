"""Which other cut-offs are held against the chosen one: near ones always, far ones too."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def nearby_thresholds(
    scores: NDArray[Any], chosen: float, n: int, *, higher_is_positive: bool
) -> NDArray[np.float64]:
    """The chosen threshold and ``n`` others, strictest first.

    They are scores at geometrically growing distances from the chosen one, by rank among the different scores
    and on both sides: the next one, and so on up to the ends, where nothing and everything is called
    positive. A side that has too few leaves its share to the other.

    >>> nearby_thresholds(np.arange(1000), 10.0, 8, higher_is_positive=True)
    array([ inf, 109.,  20.,  11.,  10.,   9.,   8.,   5.,   0.])
    """
    nothing = np.inf if higher_is_positive else -np.inf
    rising = np.union1d(np.asarray(scores, dtype=np.float64), [nothing, chosen])
    every = rising[::-1] if higher_is_positive else rising
    at = int(np.flatnonzero(every == chosen)[0])
    n_stricter, n_looser = at, every.size - 1 - at
    n_looser = min(n_looser, n - min(n_stricter, n // 2))
    n_stricter = min(n_stricter, n - n_looser)
    stricter, looser = growing(at, n_stricter), growing(every.size - 1 - at, n_looser)
    return np.concatenate([every[at - stricter[::-1]], every[[at]], every[at + looser]])


def growing(longest: int, n: int) -> NDArray[np.intp]:
    """``n`` different distances from 1 to ``longest``, each about the same factor longer than the last.

    >>> growing(1000, 4), growing(5, 5), growing(9, 1), growing(3, 0)
    (array([   1,   10,  100, 1000]), array([1, 2, 3, 4, 5]), array([1]), array([], dtype=int64))
    """
    if n < 2:
        return np.arange(1, n + 1, dtype=np.intp)
    wanted = np.rint(longest ** (np.arange(n) / (n - 1))).astype(np.intp)
    steps = np.arange(n)
    apart = np.maximum.accumulate(wanted - steps) + steps  # at least one more than the last
    return np.minimum(apart, longest - steps[::-1])  # with room for those to come
