"""Reader studies of any design by U-statistics: variances of mean AUCs over random readers and cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.statistics.limits import satterthwaite
from rocsteady.statistics.obuchowski_rockette import ROUNDING, GlobalTest, ratio_test
from rocsteady.statistics.reader_covariance import placed, products_of_pairs

# Sums over comparisons with at least this in common, in this order: reader and both cases, reader and
# positive, reader and negative, reader; then the same without the reader. A row makes "exactly this".
_EXACTLY = np.array(
    [
        [1, 0, 0, 0, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0, 0, 0],
        [-1, 0, 1, 0, 0, 0, 0, 0],
        [1, -1, -1, 1, 0, 0, 0, 0],
        [-1, 0, 0, 0, 1, 0, 0, 0],
        [1, -1, 0, 0, -1, 1, 0, 0],
        [1, 0, -1, 0, -1, 0, 1, 0],
        [-1, 1, 1, -1, 1, -1, -1, 1],
    ],
    dtype=np.float64,
)
_SHARED = np.array([6, 5, 3])  # at least the negative case, the positive case, the reader


@dataclass(frozen=True, eq=False)
class ReaderMoments:
    """What eight sums say of the mean AUCs of ``t`` modalities, over random readers and cases."""

    means: Floats  # wins over comparisons of all readers
    covariance: Floats  # (t, t); unbiased in balanced designs. NaN where no comparisons are wholly apart
    uncentred: Floats  # of comparisons as they are, as iMRMC has it: unbiased always, and noisier
    biased: Floats  # by moments that count comparisons with something in common as if they had nothing
    components: Floats  # (t, t, 3): what negatives, positives and readers add, each times its number
    sizes: Floats  # their effective numbers; infinite where nothing is shared


def reader_moments(ratings: Floats, is_read: Mask, truth: Mask, *, centred: bool = True) -> ReaderMoments:
    """From ratings of ``(t, r, c)``, higher for the positive class.

    ``centred=False`` takes comparisons as they are, for ``biased`` and ``components`` too.
    """
    counts, pairs = _counts(is_read, truth)
    is_moved = centred and not bool(is_read.all())
    products, wins = _products(ratings, is_read, truth, with_design=is_moved)
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing read, nothing shared: NaN, or 0 below
        means = wins / (2 * pairs)
        as_they_are = products[: len(means), : len(means)] / 4
        sums = _moved(products, means) if is_moved else as_they_are
        covariance, uncentred = _unbiased(sums, counts), _unbiased(as_they_are, counts)
        moments = np.where(counts > 0, sums / counts, 0.0)
        shares = counts[..., _SHARED] / counts[..., 7:]
        sizes = np.where(shares > 0, 1 / shares, np.inf)
        exactly = counts @ _EXACTLY.T / counts[..., 7:]
    biased = (exactly * moments).sum(axis=-1) - moments[..., 7]
    components = np.where(shares > 0, moments[..., _SHARED] - moments[..., 7:], 0.0)
    return ReaderMoments(means, covariance, uncentred, biased, components, sizes)


def _unbiased(sums: Floats, counts: Floats) -> Floats:
    """The product of two means less the average product of comparisons with nothing in common."""
    # Not @: the last bit would depend on the place of the modality.
    apart, n_apart = (sums * _EXACTLY[7]).sum(axis=-1), (counts * _EXACTLY[7]).sum(axis=-1)
    total, n_total = sums[..., 7], counts[..., 7]
    together = (total - apart) / n_total - total / n_total * ((n_total - n_apart) / n_total)
    return np.asarray(np.where(n_apart > 0, together / (n_apart / n_total), np.nan))


def _moved(products: Floats, means: Floats) -> Floats:
    """Sums of products of comparisons less the mean of their modality."""
    n = len(means)
    a, b = means[:, None, None], means[None, :, None]
    of_wins, with_design = products[:n, :n] / 4, products[:n, n:] / 2
    moved = of_wins - (b * with_design + a * with_design.transpose(1, 0, 2)) + a * b * products[n:, n:]
    return np.ascontiguousarray(moved)


def _products(ratings: Floats, is_read: Mask, truth: Mask, *, with_design: bool) -> tuple[Floats, Floats]:
    """Eight sums of products of doubled comparisons, those of the design if asked; wins of each modality."""
    t, r, n_cases = ratings.shape
    seen = np.where(is_read, ratings, np.nan).reshape(-1, n_cases)
    of_case = placed(seen, truth).doubled.astype(np.float64)
    if with_design:
        others = np.where(
            truth, (is_read & ~truth).sum(axis=2)[..., None], (is_read & truth).sum(axis=2)[..., None]
        )
        of_case = np.concatenate([of_case, (is_read * others).reshape(-1, n_cases)])
    wins = of_case[:, truth].sum(axis=1)
    of_cells = (
        products_of_pairs(seen[:, truth], seen[:, ~truth], with_design=with_design),
        of_case[:, truth] @ of_case[:, truth].T,
        of_case[:, ~truth] @ of_case[:, ~truth].T,
        np.outer(wins, wins),
    )
    n = len(wins) // r
    wins_of_modality = wins.reshape(n, r).sum(axis=1)[:t]
    return _summed([products.reshape(n, r, n, r) for products in of_cells]), wins_of_modality


def _summed(of_cells: Sequence[Floats]) -> Floats:
    """Four sums of every two cells, ``(t, r, t, r)``, over equal readers, then over all readers."""
    t = len(of_cells[0])
    sums = np.empty((t, t, 2 * len(of_cells)))
    for k, products in enumerate(of_cells):
        sums[..., k] = np.einsum("arbr->ab", products)
        sums[..., len(of_cells) + k] = products.sum(axis=(1, 3))
    return sums


def _counts(is_read: Mask, truth: Mask) -> tuple[Floats, Floats]:
    """How many products each sum has, ``(t, t, 8)``, and how many comparisons a modality, ``(t,)``."""
    shape = is_read.shape[:2]
    positives = is_read[:, :, truth].astype(np.float64).reshape(-1, int(truth.sum()))
    negatives = is_read[:, :, ~truth].astype(np.float64).reshape(-1, int((~truth).sum()))
    n_positives, n_negatives = positives.sum(axis=1), negatives.sum(axis=1)
    common_positives, common_negatives = positives @ positives.T, negatives @ negatives.T
    of_cells = (
        common_positives * common_negatives,
        common_positives * np.outer(n_negatives, n_negatives),
        common_negatives * np.outer(n_positives, n_positives),
        np.outer(n_positives * n_negatives, n_positives * n_negatives),
    )
    counts = _summed([products.reshape(*shape, *shape) for products in of_cells])
    return counts, (n_positives * n_negatives).reshape(shape).sum(axis=1)


# Standard errors, degrees of freedom and a test of equality from the moments of a reader study
# ---------------------------------------------------------------------------------------------


def variances(moments: ReaderMoments) -> tuple[Floats, Floats, Mask]:
    """Variances and their degrees of freedom, ``(t, t)``: of means on the diagonal, of differences beside it.

    NaN where no estimate is usable. At last where the unbiased variance is not positive, and the biased one,
    which errs upwards, stands in.
    """
    dfs = _factor_dfs(moments)
    scarcer, is_own = np.minimum(dfs[:, None], dfs), np.eye(len(dfs), dtype=bool)
    each = _parts(moments.components[is_own], dfs)
    parts = np.where(
        np.isfinite(moments.sizes),  # cases or readers that two modalities share: what they add is one part
        _parts(of_difference(moments.components), scarcer),
        each[:, None] + each,
    )
    parts[is_own] = each
    unbiased, biased = (
        np.where(is_own, own, of_difference(own)) for own in (moments.covariance, moments.biased)
    )
    stands_in = (unbiased <= ROUNDING * biased) & (biased > 0)
    variance = np.where(stands_in, biased, unbiased)
    variance[variance < 0] = np.nan
    least = scarcer.min(axis=-1)
    df = np.fmax(satterthwaite(variance, parts.sum(axis=-1), least), least)
    df[np.isnan(variance) | (least < 1)] = np.nan
    return variance, df, stands_in


def equality(moments: ReaderMoments) -> GlobalTest:
    """Whether the means of all modalities are the same; for two of them the squared t of their difference.

    As many numerator degrees of freedom as the differences have directions (Box's correction); as many
    times the denominator ones, which come from the average of what the factors add to a difference.
    """
    n = len(moments.means)
    variance, dfs, _ = variances(moments)
    pairs = np.triu_indices(n, 1)
    average = float(variance[pairs].mean())
    # By pairs: the mean of equal numbers need not be that number, their differences are 0.
    spread = float(((moments.means[:, None] - moments.means)[pairs] ** 2).sum()) / (n * (n - 1))
    directions = _directions(np.where(np.eye(n, dtype=bool), 0.0, variance))
    df = (directions, float(dfs[pairs][0]) if n == 2 else directions * _pooled_df(moments, average))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(spread == 0, 0.0, np.divide(spread, average / 2))
    return ratio_test(ratio, *df, average / 2)


def _factor_dfs(moments: ReaderMoments) -> Floats:
    """One less than the effective number of negatives, positives and readers of a modality, ``(t, 3)``."""
    own = np.arange(len(moments.means))
    return np.asarray(np.rint(moments.sizes[own, own] - 1))


def _parts(components: Floats, dfs: Floats) -> Floats:
    """What each factor adds to a variance, squared, over its degrees of freedom."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a single reader: no degrees of freedom, NaN
        return np.asarray((components / dfs) ** 2 / dfs)


def of_difference(of_means: Floats) -> Floats:
    """Variances of differences from covariances of means, ``(t, t, ...)`` each."""
    own = np.arange(len(of_means))
    variances = of_means[own, own]
    return np.asarray(variances[:, None] + variances[None, :] - 2 * of_means)


def _pooled_df(moments: ReaderMoments, average: float) -> float:
    """Degrees of freedom of one direction of several modalities: Satterthwaite's of the average variance."""
    pairs = np.triu_indices(len(moments.means), 1)
    dfs = _factor_dfs(moments).min(axis=0)
    components = of_difference(moments.components)[pairs].mean(axis=0)
    noise, least = _parts(components, dfs).sum(), float(dfs.min())
    return max(float(satterthwaite(average, noise, least)), least) if noise > 0 else least


def _directions(variances: Floats) -> float:
    """Box's number of directions of ``t`` means, 1 to t - 1, from the variances of their differences."""
    n = len(variances)
    center = np.eye(n) - 1 / n
    within = -center @ variances @ center / 2
    squares = float((within**2).sum())
    return float(np.clip(np.trace(within) ** 2 / squares, 1, n - 1)) if squares > 0 else float(n - 1)
