"""Wilcoxon's signed ranks: whether paired differences are centred at 0, by the order of their sizes alone.

References
----------
Wilcoxon (1945), Biometrics Bulletin 1, 80-83. Hodges & Lehmann (1963), Annals of Mathematical Statistics 34,
598-611 (the estimate). Demsar (2006), Journal of Machine Learning Research 7, 1-30 (for many datasets).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import Result

Floats = NDArray[np.float64]

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

    @property
    def method(self) -> str:
        """How zeros and ties were treated, in words."""
        how = "exact" if self.is_exact else "normal approximation"
        zeros = f", {self.n_zeros} without a difference left out" if self.n_zeros else ""
        return f"Wilcoxon signed ranks, {how}{', ties share ranks' if self.has_ties else ''}{zeros}"

    def __repr__(self) -> str:
        return f"SignedRanks(estimate {self.estimate:.4g}, {self.n} ranks, p {self.pvalue:.4g})"


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
    doubled, sizes = _doubled_ranks(np.abs(own))
    above, below = int(doubled[own > 0].sum()), int(doubled[own < 0].sum())
    has_ties = bool((sizes > 1).any())
    is_exact = own.size <= (_MOST_TIED if has_ties else _MOST_EXACT)
    pvalue = np.nan
    if every.size:
        least = min(above, below)
        pvalue = _exact(doubled, least) if is_exact else _normal(own.size, sizes, least / 2)
    return SignedRanks(
        estimate=_pseudo_median(every),
        statistic=above / 2,
        pvalue=float(pvalue),
        n=own.size,
        n_zeros=every.size - own.size,
        has_ties=has_ties,
        is_exact=is_exact,
    )


def _doubled_ranks(sizes: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Twice the rank of every size, which is whole also where ties share the mean; and how many tie."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (2 * last - counts + 1)[place.ravel()], counts


def _exact(doubled: NDArray[np.int64], least: int) -> float:
    """Twice the share of sign patterns whose positive ranks have at most this sum, at most 1."""
    shares = np.zeros(least + 1)
    shares[0] = 1.0
    for rank in doubled.tolist():
        taken = np.zeros_like(shares)
        if rank <= least:
            taken[rank:] = shares[: least + 1 - rank]
        shares = (shares + taken) / 2
    return min(1.0, 2 * float(shares.sum()))


def _normal(n: int, ties: NDArray[np.int64], least: float) -> float:
    from scipy.special import ndtr

    variance = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    return min(1.0, float(2 * ndtr((least - n * (n + 1) / 4) / np.sqrt(variance))))


def _pseudo_median(values: Floats) -> float:
    if not values.size:
        return float("nan")
    if values.size > _MOST_PAIRS:
        return float(np.median(values))
    i, j = np.triu_indices(values.size)
    return float(np.median((values[i] + values[j]) / 2))
