"""Standard errors, degrees of freedom and a test of equality from the moments of a reader study.

The degrees of freedom are those of the program iMRMC: Satterthwaite's, where what negative cases, positive
cases and readers add to a variance are taken as mean squares with one degree of freedom less than the
effective number of each, and never fewer than the scarcest of the three has (Gaylor & Hopper 1969).

References
----------
Gallas, Bandos, Samuelson & Wagner (2009), Communications in Statistics A 38, 2586-2603.
Gaylor & Hopper (1969), Technometrics 11, 691-706.
Box (1954), Annals of Mathematical Statistics 25, 484-498.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.reader_u_statistics import ReaderMoments

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MeanErrors:
    """Variances with their degrees of freedom, of means or of differences of means.

    Attributes
    ----------
    variance, df : float64 arrays
        NaN where neither estimate of the variance is usable.
    is_biased : bool array
        Where the unbiased variance is not positive, and the biased one, which errs upwards, stands in.
    """

    variance: Floats
    df: Floats
    is_biased: Mask


@dataclass(frozen=True, eq=False)
class Equality:
    """A test that all modalities have the same mean: F, its degrees of freedom, error term and p-value."""

    statistic: float
    df: tuple[float, float]
    error_term: float
    pvalue: float


def mean_errors(moments: ReaderMoments) -> MeanErrors:
    """Of the mean of each modality, ``(t,)``."""
    own = np.arange(len(moments.means))
    dfs = _factor_dfs(moments)
    parts = _parts(moments.components[own, own], dfs)
    return _errors(moments.covariance[own, own], moments.biased[own, own], parts, dfs.min(axis=-1))


def difference_errors(moments: ReaderMoments) -> MeanErrors:
    """Of the difference of every two modalities, ``(t, t)``."""
    dfs = _factor_dfs(moments)
    scarcer = np.minimum(dfs[:, None], dfs)
    own = np.arange(len(dfs))
    each = _parts(moments.components[own, own], dfs)
    parts = np.where(
        np.isfinite(moments.sizes),  # cases or readers that two modalities share: what they add is one part
        _parts(_of_difference(moments.components), scarcer),
        each[:, None] + each,
    )
    variance, biased = _of_difference(moments.covariance), _of_difference(moments.biased)
    return _errors(variance, biased, parts, scarcer.min(axis=-1))


def equality(moments: ReaderMoments) -> Equality:
    """Whether the means of all modalities are the same.

    The spread of the means over half the average variance of their differences, which for two modalities is
    the squared t of the difference. As many numerator degrees of freedom as the differences have directions
    (Box's correction); as many times the denominator ones, which come from the average of what the factors
    add to a difference.
    """
    from scipy.special import fdtrc

    n = len(moments.means)
    found = difference_errors(moments)
    pairs = np.triu_indices(n, 1)
    average = float(found.variance[pairs].mean())
    # By pairs: the mean of equal numbers need not be that number, their differences are 0.
    spread = float(((moments.means[:, None] - moments.means)[pairs] ** 2).sum()) / (n * (n - 1))
    directions = _directions(found.variance)
    df = (directions, float(found.df[pairs][0]) if n == 2 else directions * _pooled_df(moments, average))
    if spread == 0:
        return Equality(0.0, df, average / 2, 1.0)
    if average == 0:
        return Equality(np.inf, df, 0.0, np.nan)  # nothing to hold the spread against
    statistic = spread / (average / 2)
    return Equality(statistic, df, average / 2, float(fdtrc(*df, statistic)))


def _factor_dfs(moments: ReaderMoments) -> Floats:
    """One less than the effective number of negatives, positives and readers of a modality, ``(t, 3)``."""
    own = np.arange(len(moments.means))
    return np.asarray(np.rint(moments.sizes[own, own] - 1))


def _parts(components: Floats, dfs: Floats) -> Floats:
    """What each factor adds to a variance, squared, over its degrees of freedom."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a single reader: no degrees of freedom, NaN
        return np.asarray((components / dfs) ** 2 / dfs)


def _of_difference(of_means: Floats) -> Floats:
    """Variances of differences from covariances of means, ``(t, t, ...)`` each."""
    own = np.arange(len(of_means))
    variances = of_means[own, own]
    return np.asarray(variances[:, None] + variances[None, :] - 2 * of_means)


def _errors(unbiased: Floats, biased: Floats, parts: Floats, least: Floats) -> MeanErrors:
    """The unbiased variance where it is one, else the biased one; and Satterthwaite's degrees of freedom."""
    stands_in = (unbiased <= 0) & (biased > 0)
    variance = np.where(stands_in, biased, unbiased)
    variance[variance < 0] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing varies: the least, below
        df = np.fmax(variance**2 / parts.sum(axis=-1), least)
    df[np.isnan(variance) | (least < 1)] = np.nan
    return MeanErrors(variance, df, stands_in)


def _pooled_df(moments: ReaderMoments, average: float) -> float:
    """Degrees of freedom of one direction of several modalities: Satterthwaite's of the average variance."""
    pairs = np.triu_indices(len(moments.means), 1)
    dfs = _factor_dfs(moments).min(axis=0)
    components = _of_difference(moments.components)[pairs].mean(axis=0)
    total = float(_parts(components, dfs).sum())
    least = float(dfs.min())
    return max(average**2 / total, least) if total > 0 else least


def _directions(variances: Floats) -> float:
    """Box's number of directions of ``t`` means, 1 to t - 1, from the variances of their differences."""
    n = len(variances)
    center = np.eye(n) - 1 / n
    within = -center @ variances @ center / 2
    squares = float((within**2).sum())
    return float(np.clip(np.trace(within) ** 2 / squares, 1, n - 1)) if squares > 0 else float(n - 1)
