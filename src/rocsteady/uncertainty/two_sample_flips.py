"""A test of two independent samples of groups, and a band that holds at all positions at once.

Samples of different groups have no pairs whose difference could be flipped. So the signs of the residuals
are, within each sample (the wild bootstrap), and the largest of Welch's t over all positions is compared with
the one observed. That is not exact, but right also where one model scatters more than the other.

References
----------
Wu (1986), Annals of Statistics 14, 1261-1295. Liu (1988), Annals of Statistics 16, 1696-1708.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import read_only
from rocsteady.uncertainty.sign_flips import (
    SAME,
    SignFlips,
    SignPatterns,
    block_size,
    mean_and_error,
    share_as_large,
    sign_patterns,
)

Floats = NDArray[np.float64]

FEWEST = 4
"""Groups in each sample. With three the test was measured to reject 19 % of true hypotheses at 5 %."""


def two_sample_flips(
    first: Floats, second: Floats, *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> SignFlips:
    """Test whether two independent samples of groups have the same mean, at one or many positions.

    Parameters
    ----------
    first, second : (n,) or (n, n_positions) arrays
        What the groups of one model and of the other are worth; two groups or more each.
    confidence_level, n_resamples, seed
        As in :func:`rocsteady.uncertainty.sign_flips.sign_flips`.

    Returns
    -------
    SignFlips
        The p-value is ``(1 + b) / (n + 1)``. With fewer than four groups in a sample it is NaN (1 if nothing
        differs) and the factor of the band infinite.

    Notes
    -----
    At a level of 5 %, with samples of 4 to 30 groups and standard deviations up to 3 : 1, it was measured to
    reject 3 to 6 % of true hypotheses over 40 positions.

    Examples
    --------
    >>> import numpy as np
    >>> two_sample_flips(np.array([0.9, 0.8, 0.85, 0.95]), np.array([0.6, 0.7, 0.75, 0.65]))
    SignFlips(max |t| 4.382, p 0.0155, 129 all flips)
    >>> two_sample_flips(np.full(4, 0.5), np.full(4, 0.5)).pvalue
    1.0
    """
    samples = [_columns(own) for own in (first, second)]
    moments = [mean_and_error(own) for own in samples]
    n_groups = sum(own.shape[0] for own in samples)
    mean, error = moments[0][0] - moments[1][0], np.hypot(moments[0][1], moments[1][1])
    usable = np.isfinite(mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.abs(np.where(mean == 0, 0.0, mean / error))[usable]
    largest = observed.max(initial=0.0, keepdims=True)
    patterns = sign_patterns(n_groups, n_resamples, seed)
    flipped = np.append(_flipped([own[:, usable] for own in samples], patterns), largest)
    adjusted = np.full(mean.shape, np.nan)
    adjusted[usable] = share_as_large(flipped, observed * (1 - SAME))
    pvalue = float(share_as_large(flipped, largest * (1 - SAME))[0])
    factor = _quantile(flipped[:-1], confidence_level)
    if min(own.shape[0] for own in samples) < FEWEST:
        factor, pvalue = np.inf, 1.0 if largest[0] == 0 else np.nan
        adjusted = np.where(adjusted == 1.0, 1.0, np.nan)
    return SignFlips(
        mean=read_only(mean),
        standard_error=read_only(error),
        statistic=float(largest[0]),
        pvalue=pvalue,
        adjusted=read_only(adjusted),
        factor=factor,
        n_flips=flipped.size,
        is_exact=patterns.is_exact,
        smallest_pvalue=1 / flipped.size,
        left_out=read_only(~(error > 0)),
        confidence_level=confidence_level,
    )


def _columns(values: Floats) -> Floats:
    values = np.asarray(values, dtype=np.float64)
    return values[:, None] if values.ndim == 1 else values


def _flipped(samples: list[Floats], patterns: SignPatterns) -> Floats:
    """The largest of Welch's t of flipped residuals, for every pattern."""
    residuals = [
        (own - mean_and_error(own)[0]) * np.sqrt(own.shape[0] / max(own.shape[0] - 1, 1)) for own in samples
    ]
    size = block_size(patterns.n_groups, residuals[0].shape[1])
    return np.concatenate([_largest_welch(signs, residuals) for signs in patterns.rows(size)])


def _largest_welch(signs: Floats, residuals: list[Floats]) -> Floats:
    difference, variance = np.zeros((2, signs.shape[0], residuals[0].shape[1]))
    start, nothing = 0, np.zeros(residuals[0].shape[1])
    for side, own in zip((1, -1), residuals, strict=True):
        n = own.shape[0]
        mean, square = signs[:, start : start + n] @ own / n, (own**2).mean(axis=0)
        difference += side * mean
        variance += np.maximum(square - mean**2, 0.0) / max(n - 1, 1)
        nothing += SAME * square / n
        start += n
    variance[variance <= nothing] = 0.0  # what rounding leaves
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(difference**2 <= nothing, 0.0, np.abs(difference) / np.sqrt(variance))
    return np.asarray(t.max(axis=1, initial=0.0))


def _quantile(flipped: Floats, confidence_level: float) -> float:
    """The quantile that leaves at most 1 - ``confidence_level`` of the flips beyond it; infinite if none."""
    n_beyond = int(np.floor((1 - confidence_level) * flipped.size * (1 + 1e-12)))
    if n_beyond == 0:
        return float("inf")
    place = flipped.size - n_beyond
    return float(np.partition(flipped, place)[place])
