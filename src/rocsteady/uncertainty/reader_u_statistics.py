"""Variances of mean AUCs over random readers and cases, for any design: U-statistics.

The AUC of a modality is an average of comparisons, each of a positive case, a negative case and a reader. The
variance of an average is its square less what the square would be worth if no two comparisons had a reader or
a case in common, and that is an average too: of the products of two comparisons that have neither in common.
Whoever read what, both can be counted. Eight sums do it, one for every way in which two comparisons can
share the reader, the positive case and the negative case.

Where readers read unequal shares of the cases, the two averages weigh readers and cases differently, and
their difference moves with the zero point of the comparisons: with 1 for a win and 0 for a loss a fifth of
the ratings missing triples the noise of the variance, and it often falls below zero. Comparisons are
therefore taken less the mean of their modality. In balanced designs, crossed or nested, this changes nothing.

All sums are of integers (comparisons are counted twice: 2 for a win, 1 for a tie), so neither the order of
cases nor that of readers changes a digit, and modalities with the same ratings have a difference of exactly
zero variance.

References
----------
Gallas (2006), Academic Radiology 13, 353-362.
Gallas, Bandos, Samuelson & Wagner (2009), Communications in Statistics A 38, 2586-2603.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.reader_covariance import doubled_wins, placed

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_BLOCK = 2**21
"""Pairs of cases times cells held at once; bounds the memory and does not change the answer."""

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
    """What eight sums say of the mean AUCs of ``t`` modalities.

    Attributes
    ----------
    means : (t,) float64 array
        Wins over comparisons of all readers: where all read the same cases, the mean of their AUCs.
    covariance : (t, t) float64 array
        Of the means, over random readers and cases: unbiased in balanced designs. Variances may come out
        negative. NaN where no two comparisons differ in the reader and both cases.
    uncentred : (t, t) float64 array
        The same with comparisons as they are, as the program iMRMC has it: unbiased in every design, and of
        much more noise in unbalanced ones.
    biased : (t, t) float64 array
        The same with moments that count comparisons with something in common as if they had nothing.
    components : (t, t, 3) float64 array
        What negative cases, positive cases and readers add to a (co)variance, each times its number; from
        the biased moments. 0 where nothing is shared.
    sizes : (t, t, 3) float64 array
        Their effective numbers: as many cases or readers, all read alike, would share as much. Infinite
        where nothing is shared.
    """

    means: Floats
    covariance: Floats
    uncentred: Floats
    biased: Floats
    components: Floats
    sizes: Floats


def reader_moments(ratings: Floats, is_read: Mask, truth: Mask, *, centred: bool = True) -> ReaderMoments:
    """Means and their covariances from ratings of ``(t, r, c)``, higher for the positive class.

    ``centred=False`` takes comparisons as they are, for ``biased`` and ``components`` too.

    Examples
    --------
    Two modalities, three readers, four cases:

    >>> import numpy as np
    >>> first = [[1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4]]
    >>> second = [[1, 4, 2, 3], [2, 3, 1, 4], [1, 2, 3, 4]]
    >>> ratings = np.array([first, second], dtype=float)
    >>> truth = np.array([False, False, True, True])
    >>> found = reader_moments(ratings, np.full(ratings.shape, True), truth)
    >>> found.means.round(4).tolist()
    [0.9167, 0.6667]
    >>> found.covariance.round(4).tolist()
    [[0.0069, 0.0278], [0.0278, 0.0278]]
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
    """The product of two means less the average product of comparisons with nothing in common.

    Written with what has something in common: few products are left to cancel, and none where there is none.
    """
    # Not @: the last bit would depend on the place of the modality.
    apart, n_apart = (sums * _EXACTLY[7]).sum(axis=-1), (counts * _EXACTLY[7]).sum(axis=-1)
    total, n_total = sums[..., 7], counts[..., 7]
    together = (total - apart) / n_total - total / n_total * ((n_total - n_apart) / n_total)
    return np.asarray(np.where(n_apart > 0, together / (n_apart / n_total), np.nan))


def _moved(products: Floats, means: Floats) -> Floats:
    """Sums of products of comparisons less the mean of their modality.

    ``products`` are of doubled comparisons followed by the ones and zeros of the design, ``(2t, 2t, 8)``.
    """
    n = len(means)
    a, b = means[:, None, None], means[None, :, None]
    of_wins, with_design = products[:n, :n] / 4, products[:n, n:] / 2
    moved = of_wins - (b * with_design + a * with_design.transpose(1, 0, 2)) + a * b * products[n:, n:]
    return np.ascontiguousarray(moved)


def _products(ratings: Floats, is_read: Mask, truth: Mask, *, with_design: bool) -> tuple[Floats, Floats]:
    """The eight sums of products of doubled comparisons, and the doubled wins of each modality.

    ``with_design`` adds what is compared at all, as ones and zeros, as if it were more modalities.
    """
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
        _products_of_pairs(seen[:, truth], seen[:, ~truth], with_design=with_design),
        of_case[:, truth] @ of_case[:, truth].T,
        of_case[:, ~truth] @ of_case[:, ~truth].T,
        np.outer(wins, wins),
    )
    n = len(wins) // r
    wins_of_modality = wins.reshape(n, r).sum(axis=1)[:t]
    return _summed([products.reshape(n, r, n, r) for products in of_cells]), wins_of_modality


def _products_of_pairs(positives: Floats, negatives: Floats, *, with_design: bool) -> Floats:
    """Products of the doubled comparisons of every two cells, summed over pairs of cases, ``(k, k)``.

    2 for a win, 1 for a tie, 0 where there is no comparison; ``with_design`` the cells are followed by as
    many that have 1 where there is one.
    """
    k, n_negatives = negatives.shape
    n = k * (2 if with_design else 1)
    found = np.zeros((n, n))
    size = max(1, _BLOCK // max(1, n * n_negatives))
    for start in range(0, positives.shape[1], size):
        block = positives[:, start : start + size]
        rows = doubled_wins(block, negatives)
        if with_design:
            compared = ~np.isnan(block)[:, :, None] & ~np.isnan(negatives)[:, None]
            rows = np.concatenate([rows, compared])
        # Sums of at most 2**21 products of 0, 1 and 2 are exact in single precision.
        flat = rows.reshape(n, -1).astype(np.float32)
        found += flat @ flat.T
    return found


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
