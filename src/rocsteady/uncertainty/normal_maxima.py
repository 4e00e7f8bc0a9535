"""The largest studentised mean of normal values that are as alike as those at hand.

What a whole curve is held against where groups can be neither drawn again nor flipped: folds of a
cross-validation share training cases. Every group is replaced by a normal combination of all of them, so that
positions keep their covariance, and the mean of the new groups is divided by its own standard error. At a
single position that is Student's t with M - 1 degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BLOCK = 4_000_000
"""Normal values that are drawn at once."""


def largest_of_normal(deviations: Floats, *, n_draws: int, seed: int) -> Floats:
    """The largest absolute t over all positions, of each of many draws.

    Parameters
    ----------
    deviations : float64 array of (n_groups, n)
        Of every group from the mean, at every position; some position must vary.

    Examples
    --------
    >>> import numpy as np
    >>> alone = largest_of_normal(np.array([[-0.1], [0.0], [0.2], [-0.1]]), n_draws=4000, seed=0)
    >>> print(round(float((alone > 3.182).mean()), 2))  # the 95 % quantile of Student's t with 3 df
    0.05
    """
    m = deviations.shape[0]
    # As many rows as positions differ in: the same covariance from fewer normal values.
    root = np.linalg.qr(deviations, mode="r") if m > deviations.shape[1] else deviations
    varies = (root**2).sum(axis=0) > 0
    root = root[:, varies]
    stream = np.random.default_rng(seed)
    size = max(1, _BLOCK // (m * max(root.shape)))
    found = []
    for start in range(0, n_draws, size):
        n = min(size, n_draws - start)
        groups = stream.standard_normal((n, m, root.shape[0])) @ root
        mean = groups.mean(axis=1)
        spread = np.sqrt(((groups - mean[:, None]) ** 2).sum(axis=1) / (m * (m - 1)))
        found.append(np.abs(mean / spread).max(axis=1))
    return np.concatenate(found)
