"""Points of a curve that no threshold has: where scores are few and far apart, a rate lies between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_TOLERANCE = 1e-12
_AS_GOOD = 0.005
"""A threshold whose rates are off by less than half a point is taken for the point itself."""


@dataclass(frozen=True)
class Between:
    """Two neighbouring thresholds with their rates; only deciding by lot between them has what is between.

    Attributes
    ----------
    strict, loose : float
        The thresholds.
    strict_fpr, strict_tpr, loose_fpr, loose_tpr : float
    """

    strict: float
    strict_fpr: float
    strict_tpr: float
    loose: float
    loose_fpr: float
    loose_tpr: float

    def share(self, fpr: float, tpr: float) -> float:
        """How often the looser one decides at a point between them."""
        strict, loose = self.strict_fpr + self.strict_tpr, self.loose_fpr + self.loose_tpr
        return (fpr + tpr - strict) / (loose - strict)

    def nearest(self, held: str, rate: float) -> float:
        """The threshold whose rate comes nearer to the one that is held."""
        strict, loose = (abs(getattr(self, f"{end}_{held}") - rate) for end in ("strict", "loose"))
        return self.strict if strict < loose else self.loose


def used_vertex(curve: Any, held: str, fpr: float, tpr: float) -> int:
    """The vertex whose threshold is used for a point of a curve: the loosest that does not go beyond it.

    Where the TPR is ``held``, the strictest that reaches it.
    """
    along = np.asarray(curve.fpr + curve.tpr)
    if held == "tpr":
        return min(int(np.searchsorted(along, fpr + tpr - _TOLERANCE, side="left")), along.size - 1)
    return max(int(np.searchsorted(along, fpr + tpr + _TOLERANCE, side="right")) - 1, 0)


def between(curve: Any, held: str, fpr: float, tpr: float) -> Between | None:
    """The two thresholds that a point of a curve lies between; None where the one that is used is there.

    That is the looser one where the TPR is ``held``, which must be reached, and the stricter one where the
    FPR is, which must be kept.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [3, 3, 3, 2, 1, 1])
    >>> between(curve, "fpr", 0.1, float(curve.tpr_at(0.1)))
    Between(strict=inf, strict_fpr=0.0, strict_tpr=0.0, loose=3.0, loose_fpr=0.3333333333333333, \
loose_tpr=0.6666666666666666)
    >>> between(curve, "fpr", 1 / 3, 1.0)
    """
    used = used_vertex(curve, held, fpr, tpr)
    loose = min(max(used if held == "tpr" else used + 1, 1), curve.fpr.size - 1)
    ends = [[float(path[i]) for path in (curve.thresholds, curve.fpr, curve.tpr)] for i in (loose - 1, loose)]
    _, x, y = ends[held == "tpr"]
    if max(abs(x - fpr), abs(y - tpr)) < _AS_GOOD:
        return None
    (strict, strict_fpr, strict_tpr), (at, loose_fpr, loose_tpr) = ends
    return Between(strict, strict_fpr, strict_tpr, at, loose_fpr, loose_tpr)
