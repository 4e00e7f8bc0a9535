"""How words of the paper become numbers: most, clearly, the same, higher and low, substantial.

A claim about sets that says neither "most" nor "generally" must hold on every one of them; where it holds on
most, that is the correction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papers.smroc.analysis.significance import signed_ranks
from papers.smroc.parameters import LEVEL

MOST = 2 / 3
"""More than this share of the sets are most of them."""
SAME_AREA = 0.002
"""Average areas that differ by less are the same: about what can be seen in the figures."""
SAME_FACTOR = 1.25
"""Standard deviations within this factor of each other are the same: ten runs can tell little less."""
SUBSTANTIAL = 0.02
"""Of a difference between differences of areas."""
FAR = 0.05
"""Areas closer than this are comparable; substantially higher is by more."""
MUCH_LOWER = 0.5
"""A standard deviation is substantially lower if it is below this share of the other."""

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def most(count: int, n: int) -> bool:
    """Whether so many of n sets are most of them.

    >>> most(2, 3), most(7, 10), most(0, 0)
    (False, True, False)
    """
    return bool(count > MOST * n)


def higher(spreads: Floats) -> Booleans:
    """Which standard deviations are the higher ones: above their median. All others are the low ones.

    >>> higher(np.array([0.01, 0.002, 0.004])).tolist()
    [True, False, False]
    """
    return np.asarray(spreads > np.median(spreads))


def ratios(first: Floats, second: Floats) -> Floats:
    """The second spreads divided by the first; NaN where the first is none.

    >>> ratios(np.array([0.01, 0.0]), np.array([0.005, 0.1])).tolist()
    [0.5, nan]
    """
    found: Floats = np.divide(second, first, out=np.full(first.shape, np.nan), where=first > 1e-12)
    return found


def same(ratio: Floats) -> Booleans:
    """Which ratios are those of two spreads that are the same.

    >>> same(np.array([0.9, 0.11, 1.3, np.nan])).tolist()
    [True, False, False, False]
    """
    return np.asarray((ratio <= SAME_FACTOR) & (ratio >= 1 / SAME_FACTOR))


def clearly_below(differences: Floats) -> bool:
    """Whether most are negative, and more so than signs and sizes are by chance."""
    return most(int((differences < 0).sum()), differences.size) and signed_ranks(differences) <= LEVEL
