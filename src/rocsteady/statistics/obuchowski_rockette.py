"""Obuchowski and Rockette's analysis of reader studies: mean squares, mean covariances, tests and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.results import Result
from rocsteady.statistics.limits import as_number, f_tail, logit_limits, satterthwaite, t_quantile

ROUNDING = 1e-13
"""Relative to its terms: what rounding leaves of a difference or mean square that is zero."""


@dataclass(frozen=True, eq=False, repr=False)
class Components(Result):
    """Mean squares and mean covariances of a reader study; arrays where there are several studies.

    Attributes
    ----------
    ms_modality, ms_reader, ms_modality_reader : float
        Mean squares of theta. For nested readers ``ms_reader`` is that of readers within modalities, and
        there is no ``ms_modality_reader`` (NaN).
    var, cov1, cov2, cov3 : float
        Mean covariance of the error over cases: of a cell with itself, same reader and other modality, other
        reader and same modality, both different. 0 where there are no such pairs, NaN for ``cov1`` of nested
        readers.
    reader, modality_reader : float
        Variance components of readers and of readers by modalities. They may come out negative.
    ms_reader_each, var_each, cov2_each : (t,) arrays
        Of each modality by itself.
    means : (t,) array
        The mean of theta over the readers of each modality.
    n_readers : (t,) int array
        Readers of each modality.
    nested : bool
        Whether every reader has one modality only.
    """

    ms_modality: Any
    ms_reader: Any
    ms_modality_reader: Any
    var: Any
    cov1: Any
    cov2: Any
    cov3: Any
    reader: Any
    modality_reader: Any
    ms_reader_each: Any
    var_each: Any
    cov2_each: Any
    means: Any
    n_readers: Any
    nested: bool

    _line = "reader {reader:.3g}, error {var:.3g}, cov1 {cov1:.3g}, cov2 {cov2:.3g}, cov3 {cov3:.3g}"
    _lines = "{var:count study}"

    @property
    def n_modalities(self) -> int:
        """How many modalities there are."""
        return int(np.size(self.n_readers))


def components(theta: Floats, covariance: Floats) -> Components:
    """Mean squares and mean covariances of ``(..., t, r)`` values, ``(..., t, r, t, r)`` covariances.

    >>> import numpy as np
    >>> theta = np.array([[0.80, 0.85, 0.90], [0.84, 0.91, 0.92]])
    >>> components(theta, np.full((2, 3, 2, 3), 2e-4) + 4e-4 * np.eye(6).reshape(2, 3, 2, 3))
    Components(reader 0.002, error 0.0006, cov1 0.0002, cov2 0.0002, cov3 0.0002)
    """
    theta = np.asarray(theta, dtype=np.float64)
    cells = ~np.isnan(theta.reshape(-1, *theta.shape[-2:])[0])
    n_readers = cells.sum(axis=1)
    nested = cells.shape[0] > 1 and bool((cells.sum(axis=0) == 1).all())
    if not nested and not cells.all():
        raise ValueError("every reader needs a value in every modality, or in exactly one")
    t = len(cells)
    scale = np.nanmax(np.abs(theta), axis=(-2, -1))
    means = np.where(cells, theta, 0.0).sum(axis=-1) / n_readers
    within = np.where(cells, theta - means[..., None], 0.0)
    squares = (within**2).sum(axis=-1)
    (var, cov1, cov2, cov3), of_each = _mean_covariances(covariance, cells)
    if nested:
        ms_reader = mean_square(squares.sum(axis=-1), (n_readers - 1).sum(), scale)
        cov1 = ms_both = of_both = np.full(np.shape(var), np.nan)
        of_reader = ms_reader - var + cov2
    else:
        r, away = cells.shape[1], theta.mean(axis=-2) - theta.mean(axis=(-2, -1))[..., None]
        ms_reader = mean_square(t * (away**2).sum(axis=-1), r - 1, scale)
        rest = within - away[..., None, :]
        ms_both = mean_square((rest**2).sum(axis=(-2, -1)), (t - 1) * (r - 1), scale)
        of_reader = (ms_reader - ms_both) / t - cov1 + cov3
        of_both = ms_both - var + cov1 + cov2 - cov3
    between = means - means.mean(axis=-1, keepdims=True)
    harmonic = 1 / np.mean(1 / n_readers)
    ms_modality = mean_square(harmonic * (between**2).sum(axis=-1), t - 1, scale)
    found = (ms_modality, ms_reader, ms_both, var, cov1, cov2, cov3, of_reader, of_both)
    ms_each = mean_square(squares, n_readers - 1, scale[..., None])
    return Components(*[*map(as_number, found), ms_each, *of_each, means, n_readers, nested])


def _mean_covariances(covariance: Floats, cells: Mask) -> tuple[list[Any], list[Floats]]:
    """Var, Cov1, Cov2 and Cov3, means over the pairs of cells of each kind; Var and Cov2 of each modality."""
    modality, reader = np.nonzero(cells)
    among = np.asarray(covariance, dtype=np.float64)[
        ..., modality[:, None], reader[:, None], modality[None, :], reader[None, :]
    ]

    def mean(kind: Mask) -> Floats:
        return np.asarray(among[..., kind].mean(axis=-1) if kind.any() else np.zeros(among.shape[:-2]))

    same_modality, same_reader = modality[:, None] == modality, reader[:, None] == reader
    var, cov2 = same_modality & same_reader, same_modality & ~same_reader
    kinds = (var, ~same_modality & same_reader, cov2, ~same_modality & ~same_reader)
    each = [
        np.stack([mean(kind & (modality == i)) for i in range(len(cells))], axis=-1) for kind in (var, cov2)
    ]
    return [mean(kind) for kind in kinds], each


def over_df(sums: Any, df: Any) -> Floats:
    """A sum of squares over its degrees of freedom; NaN where there are none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(np.asarray(df) > 0, sums / np.asarray(df, dtype=np.float64), np.nan))


def mean_square(sums: Any, df: Any, scale: Any) -> Floats:
    """The same without what rounding leaves of values that are alike."""
    found = over_df(sums, df)
    return np.asarray(np.where(found <= (ROUNDING * scale) ** 2, 0.0, found))


# Tests
# -----


@dataclass(frozen=True, eq=False)
class GlobalTest:
    """The test that all modalities are alike; arrays where there are several studies."""

    statistic: Any
    df: Any  # a pair for F, one number for chi-square
    pvalue: Any
    error_term: Any  # what the mean square of modalities was divided by


def ratio_test(ratio: Any, df1: Any, df2: Any, error_term: Any, *, is_chi2: bool = False) -> GlobalTest:
    """F, or chi-square, of a mean square over its error term.

    Nothing over nothing is no evidence; something over nothing has an infinite statistic and no p-value.
    """
    pvalue = np.where(ratio == 0, 1.0, np.where(np.isinf(ratio), np.nan, f_tail(df1, df2, ratio)))
    df = int(df1) if is_chi2 else (df1, as_number(df2))
    return GlobalTest(
        as_number(df1 * ratio if is_chi2 else ratio), df, as_number(pvalue), as_number(error_term)
    )


def less(one: Any, other: Any) -> Floats:
    """``one - other``, exactly 0 where the two differ by rounding only."""
    difference = np.asarray(one) - other
    noise = ROUNDING * np.maximum(np.abs(one), np.abs(other))
    return np.asarray(np.where(np.abs(difference) <= noise, 0.0, difference))


def _known(variance: Any, scale: Any) -> Floats:
    """NaN for an estimate below 0, which says nothing; 0 for one that is 0 but for rounding."""
    variance = np.where(np.abs(variance) <= ROUNDING * np.abs(scale), 0.0, variance)
    return np.asarray(np.where(variance < 0, np.nan, variance))


def _mean_errors(of: Components, readers: str, cases: str) -> tuple[Floats, Floats, Any]:
    """What the means of modalities vary by, apart from what all share, ``(..., t)``; the part from readers.

    And its degrees of freedom: one number where modalities were pooled, else (nested readers who are not
    equally many) one for each.
    """
    n = np.asarray(of.n_readers, dtype=np.float64)
    pooled = not of.nested or bool((n == n[0]).all())
    if pooled:
        var, cov2, ms = (np.asarray(value)[..., None] for value in (of.var, of.cov2, of.ms_reader))
        df: Any = float((n - 1).sum())
    else:
        var, cov2, ms, df = of.var_each, of.cov2_each, of.ms_reader_each, n - 1
    if not of.nested:
        ms, df = np.asarray(of.ms_modality_reader)[..., None], (n.size - 1) * (n[0] - 1)
    shared = np.maximum(less(cov2, np.asarray(of.cov3)[..., None]), 0.0)
    if readers == "fixed":
        # Crossed: Var - Cov1 + (r - 1) (Cov2 - Cov3). Nested: Var + (r - 1) Cov2 - r Cov3.
        if of.nested:
            # A single reader has no Cov2: what the cases share with other modalities is all.
            own = np.where(n > 1, cov2, np.asarray(of.cov3)[..., None])
            rest = less(var, own) + n * np.where(n > 1, shared, 0.0)
        else:
            rest = less(var, np.asarray(of.cov1)[..., None]) + (n - 1) * shared
        rest = _known(rest, var)
        spread, df = np.zeros_like(rest), np.inf
    else:
        rest = n * shared if cases == "random" else np.zeros(np.broadcast_shapes(n.shape, shared.shape))
        spread = np.broadcast_to(ms, rest.shape)
    return np.broadcast_to((spread + rest) / n, np.shape(of.means)), spread / n, df


def _freedom(variance: Floats, of_readers: Floats, df: Any) -> Any:
    """Satterthwaite's degrees of freedom of the summed variance of some modalities (Hillis 2007)."""
    noise, least = of_readers.sum(axis=-1) ** 2 / df, df
    if np.ndim(df):
        noise, least = (of_readers**2 / df).sum(axis=-1), df.sum()
    return satterthwaite(variance.sum(axis=-1), noise, least)


def global_test(of: Components, *, readers: str = "random", cases: str = "random") -> GlobalTest:
    """The test that all modalities have the same mean: F, or chi-square for fixed readers."""
    variance, of_readers, df = _mean_errors(of, readers, cases)
    n, t = np.asarray(of.n_readers, dtype=np.float64), of.n_modalities
    error_term = np.asarray(variance.mean(axis=-1) / np.mean(1 / n))
    if np.ndim(df) == 0 and (n == n[0]).all():
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio, df2 = of.ms_modality / error_term, np.asarray(_freedom(variance, of_readers, df))
    else:
        df_each = satterthwaite(variance, of_readers**2 / df, df)
        ratio, df2 = _weighted_ratio(np.asarray(of.means), variance, df_each)
    ratio = np.where(np.asarray(of.ms_modality) == 0, 0.0, ratio)
    return ratio_test(ratio, t - 1, df2, error_term, is_chi2=readers == "fixed")


def _weighted_ratio(means: Floats, variance: Floats, dfs: Any) -> tuple[Floats, Floats]:
    """Welch's F of means with unequal variances, of ``dfs`` each, and its second degrees of freedom."""
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


def difference_error(
    of: Components, a: int, b: int, *, readers: str = "random", cases: str = "random"
) -> tuple[Any, Any]:
    """Standard error and degrees of freedom of the mean of one modality less that of another."""
    both = np.array([a, b])
    variance, of_readers, df = _mean_errors(of, readers, cases)
    own = variance[..., both], of_readers[..., both], df[both] if np.ndim(df) else df
    return as_number(np.sqrt(own[0].sum(axis=-1))), as_number(_freedom(*own))


def single_modality(
    values: Floats, covariance: Floats, *, readers: str = "random", cases: str = "random"
) -> tuple[Any, Any, Any]:
    """Mean, standard error and degrees of freedom of one modality from its own data, ``(..., r)``."""
    of = components(np.asarray(values)[..., None, :], np.asarray(covariance)[..., None, :, None, :])
    mean, error, df = each_modality(of, readers=readers, cases=cases)
    return as_number(mean[..., 0]), as_number(error[..., 0]), as_number(df[..., 0])


def each_modality(of: Components, *, readers: str = "random", cases: str = "random") -> tuple[Any, Any, Any]:
    """What :func:`single_modality` gives, for all modalities: three ``(..., t)`` arrays."""
    n = np.asarray(of.n_readers, dtype=np.float64)
    own = (of.ms_reader_each, of.var_each, of.cov2_each)
    return of.means, *mean_error(*own, n, readers=readers, cases=cases)


def mean_error(
    ms_reader: Any, var: Any, cov2: Any, n_readers: Any, *, readers: str = "random", cases: str = "random"
) -> tuple[Any, Any]:
    """Standard error and degrees of freedom of a modality's mean, from its mean square and covariances."""
    shared = np.maximum(cov2, 0.0)
    if readers == "fixed":
        error = np.sqrt(_known(var + (n_readers - 1) * shared, var) / n_readers)
        return as_number(error), as_number(np.full(np.shape(error), np.inf))
    spread = np.asarray(ms_reader, dtype=np.float64)
    total = spread + (n_readers * shared if cases == "random" else 0.0)
    df = satterthwaite(total, over_df(spread**2, n_readers - 1), n_readers - 1.0)
    return as_number(np.sqrt(total / n_readers)), as_number(df)


# Limits of the mean of readers, from its standard error and degrees of freedom, as functions of arrays
# -----------------------------------------------------------------------------------------------------

KINDS = ("logit", "t")


def limits_of_readers(
    mean: Any,
    standard_error: Any,
    df: Any,
    confidence_level: float,
    kind: str = "logit",
    *,
    largest: float | None = 1.0,
) -> tuple[Floats, Floats]:
    """Two-sided limits, normal where ``df`` is infinite; logit where means are below ``largest``."""
    mean, standard_error = np.asarray(mean, dtype=np.float64), np.asarray(standard_error, dtype=np.float64)
    # Infinity times nothing: no error has no limits to widen.
    half = np.where(standard_error == 0, 0.0, t_quantile(df, confidence_level) * standard_error)
    low, high = mean - half, mean + half
    if kind == "t" or largest is None:
        return low, high
    inside = (mean > 0) & (mean < largest) & (half > 0)
    limits = logit_limits(np.where(inside, mean / largest, 0.5), half / largest)
    return np.where(inside, largest * limits[0], low), np.where(inside, largest * limits[1], high)


# A standalone reading against readers, as functions of arrays
# ------------------------------------------------------------


def standalone_less_readers(values: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """The first of ``(..., 1 + r)`` values less each of the others, and their covariances."""
    values, covariance = np.asarray(values, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    with_readers = covariance[..., 1:, :1]
    errors = covariance[..., 1:, 1:] - with_readers - np.swapaxes(with_readers, -1, -2)
    return values[..., :1] - values[..., 1:], errors + covariance[..., :1, :1]
