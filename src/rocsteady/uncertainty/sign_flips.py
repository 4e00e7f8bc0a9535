"""The sign-flip test of paired differences, and a band that holds at all positions at once.

If neither of two models is better, the difference of a group is as likely as its negative. So the signs of
whole groups are flipped, in every way where there are few, and the largest t over all positions is compared
with the one observed. The test is exact where differences are symmetric about 0; what is random is groups.

References
----------
Fisher (1935), The Design of Experiments (signs flipped). Westfall & Young (1993), Resampling-Based Multiple
Testing (the largest statistic). Romano & Wolf (2005), Journal of the American Statistical Association 100,
94-108.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import Result, read_only

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_EXACT = 14
"""Groups up to which all sign patterns are enumerated: 2**13, of which none is another's opposite."""

MOST_CELLS = 2**21
"""Cells held at once; bounds the memory and does not change the answer."""

_ONE_THREAD = 2**18
"""Multiplications up to which a product of matrices is not worth a second thread."""

SAME = 1e-11
"""Two means over the root of the mean square that differ by less are the same but for rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class SignFlips(Result):
    """The mean of paired differences, a test of it and the factor of a band.

    Attributes
    ----------
    mean, standard_error : float64 array
        Over groups, at every position.
    statistic : float
        The largest absolute t over positions; infinite where a difference is the same in every group, NaN for
        a single group.
    pvalue : float
        That no position differs. 1 where all differences are 0.
    adjusted : float64 array
        The p-value of each position, adjusted for all of them (single-step max-t). NaN where undefined.
    factor : float
        What a standard error is multiplied by so that the band holds at all positions at once; infinite
        where there are too few groups for the confidence level.
    n_flips : int
        Sign patterns compared, the observed one among them; a pattern and its opposite count once.
    is_exact : bool
        Whether these are all there are.
    smallest_pvalue : float
        The smallest p-value that this many groups (or flips) can give.
    left_out : bool array
        Positions without a band: the standard error is 0, or some group has no difference there.
    confidence_level : float
        Of the band.
    """

    mean: Floats
    standard_error: Floats
    statistic: float
    pvalue: float
    adjusted: Floats
    factor: float
    n_flips: int
    is_exact: bool
    smallest_pvalue: float
    left_out: Mask
    confidence_level: float

    @property
    def half_width(self) -> Floats:
        """Of the simultaneous band; NaN where there is none, infinite where groups are too few."""
        half = np.full(self.mean.shape, np.nan)
        half[~self.left_out] = self.factor * self.standard_error[~self.left_out]
        return half

    def __repr__(self) -> str:
        how = "all" if self.is_exact else "random"
        return f"SignFlips(max |t| {self.statistic:.4g}, p {self.pvalue:.4g}, {self.n_flips} {how} flips)"


def sign_flips(
    differences: Floats,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    error_factor: float = 1.0,
) -> SignFlips:
    """Test paired differences by flipping the signs of whole groups.

    Parameters
    ----------
    differences : (n_groups,) or (n_groups, n_positions) array
        One model less the other. A position where a group has NaN is left out.
    confidence_level : float
        Of the band.
    n_resamples : int
        Random flips, where there are too many patterns to try them all: with up to 14 groups (or up to
        ``n_resamples`` patterns) all are tried, and then neither this nor ``seed`` matters.
    seed : int
        The same seed gives the same flips on any machine.
    error_factor : float
        What standard errors are multiplied by before they are compared with the flips: groups that share
        cases, as the training folds of a cross-validation do, scatter less than the mean errs.

    Notes
    -----
    With random flips the p-value is ``(1 + b) / (n_resamples + 1)``, b flips having a statistic as large. Of
    M groups no p-value is below ``2 ** -(M - 1)``: fewer than six cannot reach 0.05, and have no 95 % band.

    The factor of the band is the larger of two quantiles: that of the flipped differences, so that a band
    without 0 somewhere implies a p-value below 1 - ``confidence_level``; and that of the flipped residuals,
    because a large common difference would make all positions move together and the band too narrow.

    Examples
    --------
    >>> import numpy as np
    >>> found = sign_flips(np.array([0.02, 0.05, 0.01, 0.03, 0.04, 0.06]))
    >>> found
    SignFlips(max |t| 4.583, p 0.03125, 32 all flips)
    >>> sign_flips(np.zeros((6, 3))).pvalue
    1.0
    >>> few = sign_flips(np.array([0.02, 0.05, 0.01]))
    >>> few.smallest_pvalue, few.factor
    (0.25, inf)
    """
    own = np.asarray(differences, dtype=np.float64)
    own = own[:, None] if own.ndim == 1 else own
    n_groups = own.shape[0]
    mean, error = mean_and_error(own)
    error *= error_factor
    usable = np.isfinite(mean)
    tested = own[:, usable]
    patterns = sign_patterns(n_groups, n_resamples, seed)
    flipped, flipped_residuals = patterns.largest(tested, tested - mean[usable])
    observed = _rounded(np.abs(_scaled(tested).sum(axis=0)))
    observed /= np.sqrt(observed**2 + error_factor**2 * (1 - observed**2))  # t over the factor, as a share
    largest = observed.max(initial=0.0, keepdims=True)
    factor = _quantile(flipped, confidence_level)
    if factor < 1:
        factor = max(factor, _quantile(flipped_residuals, confidence_level))
    adjusted = np.full(mean.shape, np.nan)
    adjusted[usable] = share_as_large(flipped, observed)
    return SignFlips(
        mean=read_only(mean),
        standard_error=read_only(error),
        statistic=_as_t(float(largest[0]), n_groups),
        pvalue=float(share_as_large(flipped, largest)[0]),
        adjusted=read_only(adjusted),
        factor=_as_t(factor, n_groups),
        n_flips=flipped.size,
        is_exact=patterns.is_exact,
        smallest_pvalue=max(1 / flipped.size, 2.0 ** (1 - n_groups)),
        left_out=read_only(~(error > 0)),
        confidence_level=confidence_level,
    )


def mean_and_error(differences: Floats) -> tuple[Floats, Floats]:
    """Mean and standard error of every column; exactly 0 where all groups agree."""
    n_groups = differences.shape[0]
    with np.errstate(invalid="ignore"):  # infinite values have no mean here
        mean = differences[0] + (differences - differences[0]).mean(axis=0)
        if n_groups < 2:
            return mean, np.full(mean.shape, np.nan)
        squares = ((differences - mean) ** 2).sum(axis=0)
        error = np.sqrt(squares / (n_groups * (n_groups - 1)))
        # Rates k / m leave rounding errors where all groups agree.
        error[error <= 1e-12 * np.abs(differences).max(axis=0)] = 0.0
    return mean, error


@dataclass(frozen=True, eq=False)
class SignPatterns:
    """Rows of signs, the observed one first: all of them, or some drawn at random."""

    n_groups: int
    n_random: int | None
    seed: int

    @property
    def is_exact(self) -> bool:
        """Whether these are all there are."""
        return self.n_random is None

    def largest(self, *differences: Floats) -> tuple[Floats, ...]:
        """The largest share over positions, for every pattern: of each of the differences."""
        scaled = [_scaled(own) for own in differences]
        size = block_size(self.n_groups, max(own.shape[1] for own in scaled))
        found: list[list[Floats]] = [[] for _ in scaled]
        for signs in self.rows(size):
            for own, blocks in zip(scaled, found, strict=True):
                blocks.append(np.abs(signs @ own).max(axis=1, initial=0.0))
        return tuple(_rounded(np.concatenate(blocks)) for blocks in found)

    def rows(self, size: int) -> Iterator[Floats]:
        """Blocks of at most ``size`` patterns; how they are cut does not change them."""
        if self.n_random is None:
            n_patterns = 2 ** (self.n_groups - 1)
            for start in range(0, n_patterns, size):
                numbers = np.arange(start, min(start + size, n_patterns))
                # The first group keeps its sign: the opposite pattern has the same statistic.
                bits = numbers[:, None] >> np.arange(self.n_groups - 1, -1, -1) & 1
                yield 1.0 - 2.0 * bits.astype(np.float64)
            return
        stream = np.random.default_rng(self.seed)
        yield np.ones((1, self.n_groups))
        for start in range(0, self.n_random, size):
            n = min(size, self.n_random - start)
            signs = stream.integers(2, size=(n, self.n_groups), dtype=np.int8).astype(np.float64)
            signs *= -2.0
            signs += 1.0
            yield signs


def sign_patterns(n_groups: int, n_resamples: int, seed: int) -> SignPatterns:
    """All patterns where they are few, or no more than the resamples asked for; else random ones."""
    is_few = n_groups <= MOST_EXACT or n_groups - 1 <= np.log2(n_resamples)
    return SignPatterns(n_groups, None if is_few else n_resamples, seed)


def block_size(n_groups: int, n_positions: int) -> int:
    """How many patterns are tried at once: small products stay on one thread, large ones fit the memory."""
    cells = max(n_positions, n_groups, 1)
    return max(1, min(MOST_CELLS // cells, max(64, _ONE_THREAD // (n_groups * max(n_positions, 1)))))


def _scaled(differences: Floats) -> Floats:
    """Columns whose sum is the mean over the root of the mean square: a share in [-1, 1] that rises with t.

    No flip changes the mean square, so one product of matrices gives the shares of all patterns. A column of
    zeros stays one: where nothing differs there is no evidence.
    """
    largest = np.abs(differences).max(axis=0, initial=0.0)
    scaled = differences / np.where(largest > 0, largest, 1.0)  # so that no square is too large or too small
    root = np.sqrt(differences.shape[0] * (scaled**2).sum(axis=0))
    return np.asarray(scaled / np.where(root > 0, root, 1.0))


def _rounded(shares: Floats) -> Floats:
    """Exactly 1 where all flipped values of a column are alike."""
    return np.where(shares >= 1 - SAME, 1.0, shares)


def share_as_large(flipped: Floats, values: Floats) -> Floats:
    """The share of flips with a statistic as large as each value, of which the observed is one."""
    rising = np.sort(flipped)
    return np.asarray((rising.size - np.searchsorted(rising, values - SAME)) / rising.size)


def _quantile(flipped: Floats, confidence_level: float) -> float:
    """What a statistic must exceed for its p-value to be small enough; 1, the end, if none can be."""
    n_beyond = int(np.floor((1 - confidence_level) * flipped.size * (1 + 1e-12)))
    if n_beyond == 0:
        return 1.0
    return float(np.partition(flipped, flipped.size - n_beyond - 1)[flipped.size - n_beyond - 1])


def _as_t(share: float, n_groups: int) -> float:
    """Student's t of a share."""
    if share >= 1:
        return float("inf")
    return float(share * np.sqrt((n_groups - 1) / (1 - share**2))) if n_groups > 1 else float("nan")
