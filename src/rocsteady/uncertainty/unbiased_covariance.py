"""Covariances of the AUCs of a reader study whose expectations are exactly the true ones.

The product of two AUCs, less the mean product of two comparisons (of a positive with a negative case, one in
either cell) that have no case in common. MRMCaov computes the same.

Where two cells share some of their cases only, the two means weigh cases differently: still without bias, but
noisy, the more so the nearer the AUCs are to 1. DeLong's estimate and the jackknife do not have that trouble.

References
----------
Gallas (2006), Academic Radiology 13, 353-362.
Gallas, Pennello & Myers (2007), Journal of the Optical Society of America A 24, B70-B80.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.reader_covariance import doubled_wins, outer, placed, products

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

_BLOCK = 2**21
"""Pairs of cases times cells held at once; bounds the memory and does not change the answer."""


def unbiased(ratings: Floats, truth: Mask) -> Floats:
    """Covariances of the AUCs, without bias; a variance may come out negative.

    Arguments as in :mod:`rocsteady.uncertainty.reader_covariance`.

    Examples
    --------
    >>> import numpy as np
    >>> ratings = np.array([[5.0, 4, 2, 3, 1, 1], [4.0, 4, 1, 2, 3, 1]])
    >>> unbiased(ratings, np.array([True, True, True, False, False, False])).round(4).tolist()
    [[0.0123, 0.0309], [0.0309, 0.0772]]
    """
    cells = placed(ratings, truth)
    positives, negatives = cells.n_positives.astype(object), cells.n_negatives.astype(object)
    shared = [products(cells.is_read[:, of].astype(np.int64)).astype(object) for of in (truth, ~truth)]
    same = sum(products(cells.doubled[:, of]).astype(object) for of in (truth, ~truth))
    both = _won_by_both(ratings[:, truth], ratings[:, ~truth]).astype(object)
    wins, pairs = outer(cells.wins.astype(object)), outer(positives * negatives)
    apart = (outer(positives) - shared[0]) * (outer(negatives) - shared[1])
    # Integers of any size, divided once: nothing cancels.
    above = wins * apart - pairs * (wins - same + both)
    below = 4 * pairs * apart
    found = [a / b if b else np.nan for a, b in zip(above.flat, below.flat, strict=True)]
    return np.array(found, dtype=np.float64).reshape(above.shape)


def _won_by_both(positives: Floats, negatives: Floats) -> Integers:
    """Sums over pairs of cases of the products of doubled comparisons, of all two cells, ``(k, k)``."""
    k, n_negatives = negatives.shape
    found = np.zeros((k, k))
    size = max(1, _BLOCK // max(1, k * n_negatives))
    for start in range(0, positives.shape[1], size):
        # Sums of at most 2**21 products of 0, 1 and 2 are exact in single precision.
        won = doubled_wins(positives[:, start : start + size], negatives).reshape(k, -1).astype(np.float32)
        found += won @ won.T
    return found.astype(np.int64)
