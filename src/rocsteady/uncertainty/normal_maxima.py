"""The largest studentised mean of normal values that are as alike as those at hand.

What a whole curve is held against where groups can be neither drawn again nor flipped: folds of a
cross-validation share training cases. Every group is replaced by a normal combination of all of them, so that
positions keep their covariance, and the mean of the new groups is divided by its own standard error. At a
single position that is Student's t with M - 1 degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import read_only
from rocsteady.uncertainty.sign_flips import SignFlips, mean_and_error

Floats = NDArray[np.float64]

_BLOCK = 4_000_000
"""Normal values that are drawn at once."""
_MANY = 100
"""Groups from which on all positions may share one chance of the spread: it is small then."""


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
    root: Floats = deviations
    if m > deviations.shape[1]:
        root = np.asarray(np.linalg.qr(deviations, mode="r"))
    varies = (root**2).sum(axis=0) > 0
    root = root[:, varies]
    stream = np.random.default_rng(seed)
    if m > _MANY:
        deviation = np.sqrt((root**2).sum(axis=0))
        scale = np.sqrt(stream.chisquare(m - 1, size=n_draws) / (m - 1))
        means = stream.standard_normal((n_draws, root.shape[0])) @ (root / deviation)
        return np.asarray(np.abs(means).max(axis=1) / scale)
    size = max(1, _BLOCK // (m * max(root.shape)))
    found = []
    for start in range(0, n_draws, size):
        n = min(size, n_draws - start)
        groups = (stream.standard_normal((n * m, root.shape[0])) @ root).reshape(n, m, -1)
        mean = groups.mean(axis=1)
        spread = np.sqrt(((groups - mean[:, None]) ** 2).sum(axis=1) / (m * (m - 1)))
        found.append(np.abs(mean / spread).max(axis=1))
    return np.concatenate(found)


def normal_maxima(
    differences: Floats,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    error_factor: float = 1.0,
) -> SignFlips:
    """Test paired differences of groups that share training cases, at all positions at once.

    As :func:`rocsteady.uncertainty.sign_flips.sign_flips`, with normal values in place of flipped ones:
    flips need groups that are independent of each other.

    Examples
    --------
    >>> import numpy as np
    >>> found = normal_maxima(np.array([0.02, 0.05, 0.01, 0.03, 0.04]), error_factor=1.5)
    >>> print(f"{found.statistic:.3f} {found.pvalue:.2f} {found.factor:.1f}")
    2.828 0.05 2.9
    """
    own = np.asarray(differences, dtype=np.float64)
    own = own[:, None] if own.ndim == 1 else own
    mean, error = mean_and_error(own)
    error = error * error_factor
    tested = error > 0
    adjusted, statistic, pvalue, factor = np.full(mean.shape, np.nan), np.nan, np.nan, np.nan
    unvaried = np.isfinite(mean) & (error == 0)
    if tested.any():
        maxima = np.sort(largest_of_normal(own[:, tested] - mean[tested], n_draws=n_resamples, seed=seed))
        t = np.abs(mean[tested] / error[tested])
        adjusted[tested] = (1 + maxima.size - np.searchsorted(maxima, t)) / (maxima.size + 1)
        statistic, pvalue = float(t.max()), float(adjusted[tested].min())
        factor = float(np.quantile(maxima, confidence_level, method="higher"))
    elif unvaried.any() and not mean[unvaried].any():
        statistic, pvalue = 0.0, 1.0
    return SignFlips(
        mean=read_only(mean),
        standard_error=read_only(error),
        statistic=statistic,
        pvalue=pvalue,
        adjusted=read_only(adjusted),
        factor=factor,
        n_flips=n_resamples,
        is_exact=False,
        smallest_pvalue=1 / (n_resamples + 1),
        left_out=read_only(~tested),
        confidence_level=confidence_level,
    )
