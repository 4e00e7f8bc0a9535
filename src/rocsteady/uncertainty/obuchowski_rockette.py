"""Obuchowski and Rockette's analysis of reader studies, as functions of arrays.

Every formula needs only means of covariances, so cases may overlap between cells in any way: fully crossed,
nested in readers, nested in modalities, partly. Leading axes are studies of their own, or positions along a
curve.

References
----------
Obuchowski & Rockette (1995), Communications in Statistics - Simulation 24, 285-308.
Hillis (2007), Statistics in Medicine 26, 596-619 (degrees of freedom).
Hillis (2014), Statistics in Medicine 33, 330-360 (nested designs).
Welch (1951), Biometrika 38, 330-336 (means with unequal variances).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.reader_components import ROUNDING, Components, as_number, cleared, over_df

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GlobalTest:
    """The test that all modalities are alike; arrays where there are several studies.

    Attributes
    ----------
    name : {"F", "chi2"}
        Which statistic.
    statistic, df1, df2, pvalue : float
        ``df2`` is infinite for chi2.
    error_term : float
        What the mean square of modalities was divided by.
    """

    name: str
    statistic: Any
    df1: float
    df2: Any
    pvalue: Any
    error_term: Any


def _less(one: Any, other: Any) -> Floats:
    """``one - other``, exactly 0 where the two differ by rounding only."""
    difference = np.asarray(one) - other
    noise = ROUNDING * np.maximum(np.abs(one), np.abs(other))
    return np.asarray(np.where(np.abs(difference) <= noise, 0.0, difference))


def _known(variance: Any, scale: Any) -> Floats:
    """NaN for an estimate below 0, which says nothing; 0 for one that is 0 but for rounding."""
    variance = np.where(np.abs(variance) <= ROUNDING * np.abs(scale), 0.0, variance)
    return np.asarray(np.where(variance < 0, np.nan, variance))


@dataclass(frozen=True, eq=False)
class _MeanErrors:
    """What the means of the modalities vary by, apart from what all of them share.

    ``variance[i] = (spread[i] + rest[i]) / n_readers[i]``, where ``spread`` is estimated from readers, with
    the degrees of freedom ``df``: one number where modalities were pooled, else one for each.
    """

    spread: Floats
    rest: Floats
    n_readers: Floats
    df: Any

    @property
    def variance(self) -> Floats:
        return np.asarray((self.spread + self.rest) / self.n_readers)

    def freedom(self, members: Any) -> Any:
        """Satterthwaite's degrees of freedom of the summed variance of some modalities (Hillis 2007)."""
        total = self.variance[..., members].sum(axis=-1)
        known = (self.spread / self.n_readers)[..., members]
        if np.ndim(self.df):
            own = np.asarray(self.df)[members]
            noise, least = (known**2 / own).sum(axis=-1), own.sum()
        else:
            noise, least = known.sum(axis=-1) ** 2 / self.df, self.df
        return satterthwaite(total, noise, least)

    @property
    def freedom_each(self) -> Any:
        """The same of every modality by itself."""
        return satterthwaite(self.variance, (self.spread / self.n_readers) ** 2 / self.df, self.df)


def satterthwaite(total: Any, noise: Any, least: Any) -> Floats:
    """``total ** 2 / noise``: infinite without noise, and ``least`` where nothing varies at all."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(noise > 0, np.square(total) / noise, np.where(np.equal(total, 0), least, np.inf))
    return np.asarray(np.where(np.isnan(total) | np.isnan(noise), np.nan, found))


def _mean_errors(of: Components, readers: str, cases: str) -> _MeanErrors:
    """Pooled over modalities; each by itself where nested readers are not equally many."""
    n = np.asarray(of.n_readers, dtype=np.float64)
    pooled = not of.nested or bool((n == n[0]).all())
    if pooled:
        var, cov2, ms = (np.asarray(value)[..., None] for value in (of.var, of.cov2, of.ms_reader))
        df: Any = float((n - 1).sum())
    else:
        var, cov2, ms, df = of.var_each, of.cov2_each, of.ms_reader_each, n - 1
    if not of.nested:
        ms, df = np.asarray(of.ms_modality_reader)[..., None], (n.size - 1) * (n[0] - 1)
    shared = np.maximum(_less(cov2, np.asarray(of.cov3)[..., None]), 0.0)
    if readers == "fixed":
        # Crossed: Var - Cov1 + (r - 1) (Cov2 - Cov3). Nested: Var + (r - 1) Cov2 - r Cov3.
        if of.nested:
            # A single reader has no Cov2: what the cases share with other modalities is all.
            own = np.where(n > 1, cov2, np.asarray(of.cov3)[..., None])
            rest = _less(var, own) + n * np.where(n > 1, shared, 0.0)
        else:
            rest = _less(var, np.asarray(of.cov1)[..., None]) + (n - 1) * shared
        rest = _known(rest, var)
        spread, df = np.zeros_like(rest), np.inf
    else:
        rest = n * shared if cases == "random" else np.zeros(np.broadcast_shapes(n.shape, shared.shape))
        spread = np.broadcast_to(ms, rest.shape)
    return _MeanErrors(spread, rest, n, df)


def global_test(of: Components, *, readers: str = "random", cases: str = "random") -> GlobalTest:
    """The test that all modalities have the same mean: F, or chi-square for fixed readers.

    Nothing over nothing is no evidence: statistic 0 and p-value 1. Something over nothing has an infinite
    statistic and no p-value (NaN).

    Examples
    --------
    >>> import numpy as np
    >>> from rocsteady.uncertainty.reader_components import components
    >>> theta = np.array([[0.80, 0.85, 0.90], [0.84, 0.91, 0.92]])
    >>> covariance = np.full((2, 3, 2, 3), 2e-4) + 4e-4 * np.eye(6).reshape(2, 3, 2, 3)
    >>> found = global_test(components(theta, covariance), cases="fixed")
    >>> found.name, round(found.statistic, 3), found.df1, round(found.df2), round(found.pvalue, 4)
    ('F', 12.0, 1.0, 2, 0.0742)
    """
    errors, t = _mean_errors(of, readers, cases), of.n_modalities
    n = errors.n_readers
    variance = np.broadcast_to(errors.variance, np.shape(of.means))
    harmonic = 1 / np.mean(1 / n)
    error_term = np.asarray(harmonic * variance.mean(axis=-1))
    if np.ndim(errors.df) == 0 and (n == n[0]).all():
        ratio = _ratio(np.asarray(of.ms_modality), error_term)
        df2 = np.asarray(errors.freedom(np.arange(t)))
    else:
        ratio, df2 = _weighted_ratio(np.asarray(of.means), variance, errors.freedom_each)
        ratio = np.where(np.asarray(of.ms_modality) == 0, 0.0, ratio)
    if readers == "fixed":
        statistic, name = (t - 1) * ratio, "chi2"
    else:
        statistic, name = ratio, "F"
    pvalue = np.where(ratio == 0, 1.0, np.where(np.isinf(ratio), np.nan, _f_tail(t - 1, df2, ratio)))
    return GlobalTest(name, *map(as_number, (statistic, t - 1, df2, pvalue, error_term)))


def _ratio(mean_square: Floats, error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(mean_square == 0, 0.0, mean_square / error))


def _weighted_ratio(means: Floats, variance: Floats, dfs: Any) -> tuple[Floats, Floats]:
    """Welch's F of means with unequal variances, and its second degrees of freedom; t squared for two.

    ``dfs`` are those of every variance. Means without a variance are what the others are compared with.
    """
    t = means.shape[-1]
    sure = variance == 0
    is_any = sure.any(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_variance = 1 / variance
        shares = np.where(is_any, sure, by_variance)
        shares = shares / shares.sum(axis=-1, keepdims=True)
        away = np.square(means - (shares * means).sum(axis=-1, keepdims=True))
        away = np.where(away <= (ROUNDING * np.abs(means)) ** 2, 0.0, away)
        ratio = np.where(away == 0, 0.0, by_variance * away).sum(axis=-1) / (t - 1)
        unsure = (np.square(1 - shares) / dfs).sum(axis=-1)
        return np.asarray(ratio / (1 + 2 * (t - 2) / (t**2 - 1) * unsure)), (t**2 - 1) / (3 * unsure)


def _f_tail(df1: float, df2: Any, ratio: Any) -> Floats:
    """The upper tail of F; of chi-square over its degrees of freedom where the second are infinite."""
    from scipy.special import chdtrc, fdtrc

    finite = np.isfinite(df2)
    by_f = fdtrc(df1, np.where(finite, df2, 1.0), ratio)
    return np.asarray(np.where(np.isnan(df2), np.nan, np.where(finite, by_f, chdtrc(df1, df1 * ratio))))


def difference_error(
    of: Components, a: int, b: int, *, readers: str = "random", cases: str = "random"
) -> tuple[Any, Any]:
    """Standard error and degrees of freedom of the mean of one modality less that of another.

    Examples
    --------
    >>> import numpy as np
    >>> from rocsteady.uncertainty.reader_components import components
    >>> theta = np.array([[0.80, 0.85, 0.90], [0.84, 0.91, 0.92]])
    >>> covariance = np.full((2, 3, 2, 3), 2e-4) + 4e-4 * np.eye(6).reshape(2, 3, 2, 3)
    >>> error, df = difference_error(components(theta, covariance), 0, 1)
    >>> round(error, 6), round(df, 6)
    (0.011547, 2.0)
    """
    errors = _mean_errors(of, readers, cases)
    variance = np.broadcast_to(errors.variance, np.shape(of.means))
    error = np.sqrt(variance[..., a] + variance[..., b])
    return as_number(error), as_number(errors.freedom(np.array([a, b])))


def single_modality(
    values: Floats, covariance: Floats, *, readers: str = "random", cases: str = "random"
) -> tuple[Any, Any, Any]:
    """Mean, standard error and degrees of freedom of one modality from its own data, ``(..., r)``.

    ``covariance`` is ``(..., r, r)``. Random readers and cases: Hillis (2007), section 5.3.

    Examples
    --------
    >>> import numpy as np
    >>> mean, error, df = single_modality(np.array([0.8, 0.85, 0.9]), np.full((3, 3), 2e-4))
    >>> round(mean, 3), round(error, 6), round(df, 4)
    (0.85, 0.032146, 3.0752)
    """
    values, covariance = np.asarray(values, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    r = values.shape[-1]
    mean = values.mean(axis=-1)
    deviations = values - mean[..., None]
    spread = cleared(over_df((deviations**2).sum(axis=-1), r - 1), np.abs(values).max(axis=-1))
    own = np.eye(r, dtype=bool)
    var = covariance[..., own].mean(axis=-1)
    cov2 = covariance[..., ~own].mean(axis=-1) if r > 1 else np.zeros_like(var)
    error, df = mean_error(spread, var, cov2, r, readers=readers, cases=cases)
    return as_number(mean), error, df


def each_modality(of: Components, *, readers: str = "random", cases: str = "random") -> tuple[Any, Any, Any]:
    """What :func:`single_modality` gives, for all modalities: three ``(..., t)`` arrays."""
    n = np.asarray(of.n_readers, dtype=np.float64)
    own = (of.ms_reader_each, of.var_each, of.cov2_each)
    return of.means, *mean_error(*own, n, readers=readers, cases=cases)


def mean_error(
    ms_reader: Any, var: Any, cov2: Any, n_readers: Any, *, readers: str = "random", cases: str = "random"
) -> tuple[Any, Any]:
    """Standard error and degrees of freedom of a modality's mean, from its mean square and covariances.

    >>> error, df = mean_error(0.003, 8e-4, 4e-4, 5)
    >>> round(error, 5), round(df, 2)
    (0.03162, 11.11)
    """
    shared = np.maximum(cov2, 0.0)
    if readers == "fixed":
        error = np.sqrt(_known(var + (n_readers - 1) * shared, var) / n_readers)
        return as_number(error), as_number(np.full(np.shape(error), np.inf))
    spread = np.asarray(ms_reader, dtype=np.float64)
    total = spread + (n_readers * shared if cases == "random" else 0.0)
    df = satterthwaite(total, over_df(spread**2, n_readers - 1), n_readers - 1.0)
    return as_number(np.sqrt(total / n_readers)), as_number(df)


def t_quantile(df: Any, confidence_level: float) -> Any:
    """The factor of two-sided intervals, normal where ``df`` is infinite; arrays as well.

    >>> import numpy as np
    >>> t_quantile(np.array([4.0, np.inf]), 0.95).round(4).tolist()
    [2.7764, 1.96]
    """
    from scipy.special import ndtri, stdtrit

    finite = np.isfinite(df)
    tail = (1 + confidence_level) / 2
    by_t = stdtrit(np.where(finite, df, 1.0), tail)
    return as_number(np.where(np.isnan(df), np.nan, np.where(finite, by_t, ndtri(tail))))
