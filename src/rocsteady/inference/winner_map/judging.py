"""What is known of the differences between models at all positions: limits, and who may be called better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.statistics.groups import SignFlips

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Judged:
    """Differences of all pairs of models, with limits for all positions and pairs at once.

    Attributes
    ----------
    random : str
        "groups" or "cases".
    advantage, lower, upper : float64 arrays of (n_pairs, n)
        Limits are NaN where none are known, infinite where there are too few groups.
    pvalue, smallest_pvalue : float
        Of no difference anywhere; the first is NaN where no position has limits though models differ.
    """

    random: str
    advantage: Floats
    lower: Floats
    upper: Floats
    pvalue: float
    smallest_pvalue: float

    @property
    def left_out(self) -> NDArray[np.bool_]:
        """Positions at which some pair has no limits."""
        return np.asarray(np.isnan(self.lower).any(axis=0))


def judged_over_groups(flips: SignFlips, n_pairs: int) -> Judged:
    """From flipped signs of the groups' differences, those of all pairs one after the other.

    Where all groups differ by the same there is no spread to make limits of, but the flips can still say
    that so many groups do not agree by chance. If they do, the limits are the difference itself.
    """
    half = flips.half_width.copy()
    with np.errstate(invalid="ignore"):
        is_sure = flips.adjusted <= 1 - flips.confidence_level + 1e-12
    half[(flips.standard_error == 0) & (flips.mean != 0) & is_sure] = 0.0
    mean, half = (values.reshape(n_pairs, -1) for values in (flips.mean, half))
    return Judged("groups", mean, mean - half, mean + half, flips.pvalue, flips.smallest_pvalue)
