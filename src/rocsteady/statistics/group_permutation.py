"""Tests over groups that exchange them: signs flipped, groups dealt to two samples, signed ranks.

The tests by the largest t hold at all positions of a curve at once, and give the factor of a band that does.
Folds share training cases, so their signs cannot be flipped: normal values that are as alike take the place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.options import How
from rocsteady.results import Result
from rocsteady.statistics.groups import mean_and_error
from rocsteady.statistics.limits import upper_tail

# The sign-flip test of paired differences, and a band that holds at all positions at once
# ----------------------------------------------------------------------------------------


MOST_EXACT = 14
"""Groups up to which all sign patterns are enumerated: 2**13, of which none is another's opposite."""

MOST_CELLS = 2**21
"""Cells held at once; bounds the memory and does not change the answer."""

_ONE_THREAD = 2**18
"""Multiplications up to which a product of matrices is not worth a second thread."""

SAME = 1e-11
"""Two means over the root of the mean square that differ by less are the same but for rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class MaxT(Result):
    """Mean differences at every position, a test of all by the largest t, and the factor of a band."""

    mean: Floats
    standard_error: Floats
    statistic: float  # the largest absolute t; infinite where all groups differ alike, NaN for one group
    pvalue: float  # that no position differs; 1 where all differences are 0
    adjusted: Floats  # the p-value of each position among all of them (single-step); NaN where undefined
    factor: float  # of standard errors that hold all positions at once; infinite with too few groups
    n_flips: int  # patterns compared, the observed one among them; a pattern and its opposite count once
    is_exact: bool  # whether these are all there are
    smallest_pvalue: float  # that this many groups, or flips, can give
    left_out: Mask  # positions without a band: no standard error, or some group has no difference there

    _line = "max |t| {statistic:.4g}, p {pvalue:.4g}, {n_flips} {_how} flips"

    @property
    def _how(self) -> str:
        return "all" if self.is_exact else "random"

    @property
    def half_width(self) -> Floats:
        """Of the simultaneous band; NaN where there is none, infinite where groups are too few."""
        half = np.full(self.mean.shape, np.nan)
        half[~self.left_out] = self.factor * self.standard_error[~self.left_out]
        return half


def against_maxima(
    mean: Floats,
    error: Floats,
    observed: Floats,
    maxima: Floats,
    *,
    statistic: float,
    factor: float,
    is_exact: bool = False,
) -> MaxT:
    """What is observed, NaN without a test, held against the largest of each pattern, itself among them."""
    rising = np.sort(maxima)
    values = np.append(observed, np.nanmax(observed, initial=0.0))
    *adjusted, pvalue = (rising.size - np.searchsorted(rising, values - SAME)) / rising.size
    return MaxT(
        mean=mean,
        standard_error=error,
        statistic=statistic,
        pvalue=float(pvalue),
        adjusted=np.where(np.isnan(observed), np.nan, adjusted),
        factor=factor,
        n_flips=rising.size,
        is_exact=is_exact,
        smallest_pvalue=1 / rising.size,
        left_out=~(error > 0),
    )


def max_t(values: Floats, how: How, *, ratio: float = 0.0, other: Floats | None = None) -> MaxT:
    """Test differences of groups, which may share training cases, or of two samples, at all positions."""
    asked: dict[str, Any] = {"n_resamples": how.n_resamples, "seed": how.seed}
    asked["confidence_level"] = how.confidence_level
    if other is not None:
        return two_sample_flips(values, other, **asked)
    return normal_maxima(values, ratio=ratio, **asked) if ratio else sign_flips(values, **asked)


def sign_flips(
    differences: Floats, *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> MaxT:
    """Test paired differences, ``(n_groups,)`` or ``(n_groups, n)``, by flipping the signs of whole groups.

    With up to 14 groups (or up to ``n_resamples`` patterns) all are tried. With random flips the p-value is
    ``(1 + b) / (n_resamples + 1)``, b flips having a statistic as large. Of M groups no p-value is below
    ``2 ** -(M - 1)``: fewer than six cannot reach 0.05 and have no 95 % band.

    The factor of the band is the larger of two quantiles: that of the flipped differences, so that a band
    without 0 somewhere implies a p-value below 1 - ``confidence_level``; and that of the flipped residuals,
    because a large common difference would make all positions move together and the band too narrow.

    >>> import numpy as np
    >>> sign_flips(np.array([0.02, 0.05, 0.01, 0.03, 0.04, 0.06]))
    MaxT(max |t| 4.583, p 0.03125, 32 all flips)
    >>> sign_flips(np.zeros((6, 3))).pvalue
    1.0
    >>> few = sign_flips(np.array([0.02, 0.05, 0.01]))
    >>> few.smallest_pvalue, few.factor
    (0.25, inf)
    """
    n_groups = len(differences)
    own = differences.reshape(n_groups, -1)
    mean, error = mean_and_error(own)
    usable = np.isfinite(mean)
    tested = own[:, usable]
    shares = [_scaled(tested), _scaled(tested - mean[usable])]
    largest_of_each = [
        [np.abs(signs @ share).max(axis=1, initial=0.0) for share in shares]
        for signs in _sign_patterns(n_groups, tested.shape[1], n_resamples, seed)
    ]
    parts = [*map(np.concatenate, zip(*largest_of_each, strict=True)), np.abs(shares[0].sum(axis=0))]
    # Exactly 1 where all flipped values of a column are alike.
    flipped, flipped_residuals, own_share = (np.where(part >= 1 - SAME, 1.0, part) for part in parts)
    observed = np.full(mean.shape, np.nan)
    observed[usable] = own_share
    factor = _quantile(flipped, confidence_level, end=1.0)
    if factor < 1:
        factor = max(factor, _quantile(flipped_residuals, confidence_level, end=1.0))
    return against_maxima(
        mean,
        error,
        observed,
        flipped,
        is_exact=_tries_all(n_groups, n_resamples),
        statistic=_as_t(float(np.nanmax(observed, initial=0.0)), n_groups),
        factor=_as_t(factor, n_groups),
    )


def _tries_all(n_groups: int, n_resamples: int) -> bool:
    """Whether sign patterns are few, or no more than the resamples asked for: then none is left to chance."""
    return n_groups <= MOST_EXACT or n_groups - 1 <= np.log2(n_resamples)


def _sign_patterns(n_groups: int, n_positions: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Rows of signs, the observed one first: all of them, or random ones; blocks do not change them."""
    cells = n_groups * max(n_positions, 1)  # small products stay on one thread, large ones fit the memory
    size = max(1, min(MOST_CELLS // max(n_positions, n_groups), max(64, _ONE_THREAD // cells)))
    if _tries_all(n_groups, n_resamples):
        n_patterns = 2 ** (n_groups - 1)
        for start in range(0, n_patterns, size):
            numbers = np.arange(start, min(start + size, n_patterns))
            # The first group keeps its sign: the opposite pattern has the same statistic.
            bits = numbers[:, None] >> np.arange(n_groups - 1, -1, -1) & 1
            yield 1.0 - 2.0 * bits.astype(np.float64)
        return
    stream = np.random.default_rng(seed)
    yield np.ones((1, n_groups))
    for start in range(0, n_resamples, size):
        n = min(size, n_resamples - start)
        yield 1.0 - 2.0 * stream.integers(2, size=(n, n_groups), dtype=np.int8).astype(np.float64)


def _scaled(differences: Floats) -> Floats:
    """Columns whose sum is the mean over the root of the mean square: a share in [-1, 1] that rises with t.

    No flip changes the mean square, so one product of matrices gives the shares of all patterns. A column of
    zeros stays one: where nothing differs there is no evidence.
    """
    largest = np.abs(differences).max(axis=0, initial=0.0)
    scaled = differences / np.where(largest > 0, largest, 1.0)  # so that no square is too large or too small
    root = np.sqrt(differences.shape[0] * (scaled**2).sum(axis=0))
    return np.asarray(scaled / np.where(root > 0, root, 1.0))


def _quantile(flipped: Floats, confidence_level: float, *, end: float, n_own: int = 1) -> float:
    """What a statistic must exceed for its p-value to be small enough; the end, if none can be.

    ``n_own`` is how many of the flips are the observed pattern.
    """
    n_beyond = int(np.floor((1 - confidence_level) * flipped.size * (1 + 1e-12)))
    place = flipped.size - n_beyond - n_own
    return float(np.partition(flipped, place)[place]) if n_beyond else end


def _as_t(share: float, n_groups: int) -> float:
    """Student's t of a share."""
    if share >= 1:
        return float("inf")
    return float(share * np.sqrt((n_groups - 1) / (1 - share**2))) if n_groups > 1 else float("nan")


# The largest studentised mean of normal values that are as alike as those at hand
# --------------------------------------------------------------------------------

_BLOCK = 4_000_000
"""Normal values that are drawn at once."""
_MANY = 100
"""Groups from which on all positions may share one chance of the spread: it is small then."""


def largest_of_normal(deviations: Floats, *, n_draws: int, seed: int) -> Floats:
    """The largest absolute t over all positions, of each of many draws.

    ``deviations``, ``(n_groups, n)``, are those of every group from the mean; some position must vary.
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
    ratio: float = 0.0,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
) -> MaxT:
    """Test paired differences of groups that share training cases, at all positions at once.

    As :func:`sign_flips`, with normal values in place of flipped ones: flips need independent groups.
    """
    own = differences.reshape(len(differences), -1)
    mean, error = mean_and_error(own, ratio)
    tested, observed = error > 0, np.full(mean.shape, np.nan)
    maxima, factor = np.full(n_resamples, np.inf), np.nan
    if tested.any():
        maxima = largest_of_normal(own[:, tested] - mean[tested], n_draws=n_resamples, seed=seed)
        observed[tested] = np.abs(mean[tested] / error[tested])
        factor = float(np.quantile(maxima, confidence_level, method="higher"))
    found = against_maxima(
        mean,
        error,
        observed,
        np.append(maxima, np.inf),
        statistic=float(np.nanmax(observed, initial=0.0)),
        factor=factor,
    )
    unvaried = mean[np.isfinite(mean) & (error == 0)]
    if not tested.any() and (unvaried.any() or not unvaried.size):  # no spread, and no equality either
        return replace(found, statistic=np.nan, pvalue=np.nan)
    return found


# A test of two independent samples of groups, and a band that holds at all positions at once
# -------------------------------------------------------------------------------------------

FEWEST = 4
"""Groups in each sample. With three the test was measured to reject 19 % of true hypotheses at 5 %."""


def two_sample_flips(
    first: Floats, second: Floats, *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> MaxT:
    """Test whether two independent samples of groups have the same mean, at one or many positions.

    Residuals are flipped as in :func:`sign_flips`, and the p-value is ``(1 + b) / (n + 1)``. With fewer than
    four groups in a sample it is NaN (1 if nothing differs) and the factor of the band infinite.

    >>> import numpy as np
    >>> two_sample_flips(np.array([0.9, 0.8, 0.85, 0.95]), np.array([0.6, 0.7, 0.75, 0.65]))
    MaxT(max |t| 4.382, p 0.0155, 129 all flips)
    """
    samples = [own.reshape(len(own), -1) for own in (first, second)]
    sizes = [own.shape[0] for own in samples]
    (mean, error), (other_mean, other_error) = map(mean_and_error, samples)
    mean, error = mean - other_mean, np.hypot(error, other_error)
    usable = np.isfinite(mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.where(usable, np.abs(np.where(mean == 0, 0.0, mean / error)), np.nan)
    largest = observed[usable].max(initial=0.0)
    residuals = [
        (own - mean_and_error(own)[0]) * np.sqrt(n / max(n - 1, 1))
        for own, n in zip([own[:, usable] for own in samples], sizes, strict=True)
    ]
    patterns = _sign_patterns(sum(sizes), int(usable.sum()), n_resamples, seed)
    flipped = np.concatenate([_largest_welch(signs, residuals) for signs in patterns])
    found = against_maxima(
        mean,
        error,
        observed * (1 - SAME),
        np.append(flipped, largest),
        statistic=float(largest),
        factor=_quantile(flipped, confidence_level, end=np.inf, n_own=0),
        is_exact=_tries_all(sum(sizes), n_resamples),
    )
    if min(sizes) >= FEWEST:
        return found
    certain = np.where(found.adjusted == 1.0, 1.0, np.nan)  # that nothing differs
    return replace(found, factor=np.inf, pvalue=1.0 if largest == 0 else np.nan, adjusted=certain)


def _largest_welch(signs: Floats, residuals: list[Floats]) -> Floats:
    """The largest of Welch's t of flipped residuals, for every pattern."""
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


# Wilcoxon's signed ranks: whether paired differences are centred at 0, by the order of their sizes alone
# -------------------------------------------------------------------------------------------------------

_MOST_TIED = 60
_MOST_EXACT = 400
_MOST_PAIRS = 2000


@dataclass(frozen=True, eq=False, repr=False)
class SignedRanks(Result):
    """Wilcoxon's signed-rank test: that differences are symmetric about 0.

    Skewed differences whose mean is 0 are not: with many groups they are told apart from symmetric ones.

    Attributes
    ----------
    estimate : float
        The median of all means of two differences (Hodges & Lehmann), zeros among them; of more than 2000
        differences, their median.
    statistic : float
        The sum of the ranks of positive differences.
    pvalue : float
        Two-sided; 1 if nothing differs, NaN if there is nothing.
    n, n_zeros : int
        Differences that are ranked, and those that are 0, which are left out.
    has_ties : bool
        Whether some sizes are alike; they share the mean of their ranks.
    is_exact : bool
        Whether the p-value counts all ways to give the ranks their signs, ties as they are; otherwise the sum
        is taken as normal, with its variance lowered for ties.
    """

    estimate: float
    statistic: float
    pvalue: float
    n: int
    n_zeros: int
    has_ties: bool
    is_exact: bool

    _line = "estimate {estimate:.4g}, {n} ranks, p {pvalue:.4g}"


def signed_ranks(differences: Floats) -> SignedRanks:
    """Test paired differences by their signed ranks.

    Zeros are left out. The p-value is exact up to 60 differences, up to 400 if no sizes are alike.

    Examples
    --------
    >>> import numpy as np
    >>> signed_ranks(np.array([0.02, 0.05, -0.01, 0.03, 0.04, 0.06]))
    SignedRanks(estimate 0.035, 6 ranks, p 0.0625)
    >>> signed_ranks(np.zeros(4)).pvalue
    1.0
    """
    every = np.asarray(differences, dtype=np.float64)
    own = every[every != 0]
    ranks, sizes = midranks(np.abs(own))
    doubled = (2 * ranks).astype(np.int64)  # whole also where ties share the mean
    above, below = int(doubled[own > 0].sum()), int(doubled[own < 0].sum())
    has_ties, least, n = bool((sizes > 1).any()), min(above, below), own.size
    is_exact = n <= (_MOST_TIED if has_ties else _MOST_EXACT)
    estimate = tail = np.nan
    if every.size:
        if is_exact:
            tail = _share_of_patterns(doubled, least)
        else:
            variance = n * (n + 1) * (2 * n + 1) / 24 - float((sizes**3 - sizes).sum()) / 48
            tail = upper_tail((n * (n + 1) / 4 - least / 2) / np.sqrt(variance))
        i, j = np.triu_indices(every.size if every.size <= _MOST_PAIRS else 0)
        estimate = float(np.median((every[i] + every[j]) / 2 if i.size else every))
    return SignedRanks(
        estimate=estimate,
        statistic=above / 2,
        pvalue=float(np.minimum(1.0, 2 * tail)),
        n=n,
        n_zeros=every.size - n,
        has_ties=has_ties,
        is_exact=is_exact,
    )


def midranks(values: NDArray[Any]) -> tuple[Floats, Integers]:
    """Ranks from 1, ties sharing their mean; and how many values share each rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place.ravel()]), counts


def _share_of_patterns(doubled: Integers, least: int) -> float:
    """The share of sign patterns whose positive ranks have at most this sum."""
    shares = np.zeros(least + 1)
    shares[0] = 1.0
    for rank in doubled.tolist():
        taken = np.zeros_like(shares)
        if rank <= least:
            taken[rank:] = shares[: least + 1 - rank]
        shares = (shares + taken) / 2
    return float(shares.sum())
