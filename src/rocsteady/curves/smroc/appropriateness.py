"""Appropriateness: whose scores agree with their labels (Figure 3 of Klement et al.)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import TableResult, plain
from rocsteady.curves.smroc.credit import credit_steps
from rocsteady.curves.smroc.digits import mid_word
from rocsteady.showing import Drawn
from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.curves.smroc.rows import SmrocRows

_CELLS = ("high_positives", "low_negatives", "low_positives", "high_negatives")


@dataclass(frozen=True, eq=False, repr=False)
class Appropriateness(Drawn, TableResult, figure="appropriateness"):
    """How many scores agree with their labels: high positives and low negatives do.

    Attributes
    ----------
    high_positives, low_negatives : int (float if weighted)
        Appropriate; H+ and L- in the paper. They earn their score.
    low_positives, high_negatives : int (float if weighted)
        Inappropriate; L+ and H-. They earn one minus their score.
    credits : dict of str to float
        The credit of all cases of each kind, by the names above: how far they go up. They go right by as
        much as is missing to their number.
    mid : float
        From which a score is high.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5).appropriateness
    >>> found
    Appropriateness(60.0 % appropriate at Mid 0.5: H+ 2, L- 1, L+ 1, H- 1)
    >>> found.appropriate.tolist(), found.inappropriate.tolist()
    ([[2, 0], [0, 1]], [[0, 1], [1, 0]])
    """

    high_positives: Any
    low_negatives: Any
    low_positives: Any
    high_negatives: Any
    credits: dict[str, float]
    mid: float

    @property
    def appropriate(self) -> NDArray[Any]:
        """The confusion matrix of the appropriate scores: rows high, low; columns positive, negative."""
        return np.array([[self.high_positives, 0], [0, self.low_negatives]])

    @property
    def inappropriate(self) -> NDArray[Any]:
        """The confusion matrix of the inappropriate scores: rows high, low; columns positive, negative."""
        return np.array([[0, self.high_negatives], [self.low_positives, 0]])

    @property
    def share(self) -> float:
        """The share of cases whose scores are appropriate."""
        found = self.high_positives + self.low_negatives
        return float(found / (found + self.low_positives + self.high_negatives))

    @property
    def share_of_positives(self) -> float:
        """The share of positives whose scores are high."""
        return float(self.high_positives / (self.high_positives + self.low_positives))

    @property
    def share_of_negatives(self) -> float:
        """The share of negatives whose scores are low."""
        return float(self.low_negatives / (self.low_negatives + self.high_negatives))

    def to_dict(self) -> dict[str, Any]:
        """The counts and shares as plain data that JSON can carry."""
        shares = ("share", "share_of_positives", "share_of_negatives")
        return super().to_dict() | {name: plain(getattr(self, name)) for name in shares}

    def _columns(self) -> dict[str, Any]:
        counts = [getattr(self, cell) for cell in _CELLS]
        earned = [self.credits[cell] for cell in _CELLS]
        return {
            "cases": list(_CELLS),
            "is_positive": [True, False, True, False],
            "is_high": [True, False, False, True],
            "is_appropriate": [True, True, False, False],
            "count": counts,
            "credit": earned,
            "debit": [float(count - own) for count, own in zip(counts, earned, strict=True)],
        }

    def __repr__(self) -> str:
        names = ("H+", "L-", "L+", "H-")
        counts = ", ".join(f"{n} {getattr(self, c):g}" for n, c in zip(names, _CELLS, strict=True))
        return f"Appropriateness({percent(self.share)} appropriate at Mid {mid_word(self.mid)}: {counts})"


def appropriateness(rows: SmrocRows, mid: float) -> Appropriateness:
    """The counts and credits of the four kinds of cases."""
    is_high = rows.levels >= mid
    counts: dict[str, Any] = {}
    credits: dict[str, float] = {}
    for cell in _CELLS:
        own = rows.positives if cell.endswith("positives") else rows.negatives
        chosen = np.where(is_high if cell.startswith("high") else ~is_high, own, 0)
        none = np.zeros_like(chosen)
        positives, negatives = (chosen, none) if cell.endswith("positives") else (none, chosen)
        counts[cell] = chosen.sum().item()
        credits[cell] = float(credit_steps(rows.levels, positives, negatives, mid)[0].sum())
    return Appropriateness(**counts, credits=credits, mid=mid)
