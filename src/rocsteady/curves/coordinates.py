"""The coordinates of the curve as SPSS prints them: cut-offs midway between neighbouring scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import TableResult
from rocsteady.curves.reading import alike_thresholds
from rocsteady.errors import counted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Coordinates(TableResult):
    """SPSS's table "Coordinates of the Curve", lowest cut-off first.

    Attributes
    ----------
    cutoffs : float64 array
        Midpoints of neighbouring scores; the first is the lowest score - 1, the last the highest + 1. Where
        two neighbouring scores have no number between them, the observed score itself.
    sensitivity, one_minus_specificity : float64 array
        The rates at each cut-off.
    rule : str
        ``">="`` or ``"<="``: what calls a score positive. Midpoints are no scores: there it does not matter.
    """

    cutoffs: Floats
    sensitivity: Floats
    one_minus_specificity: Floats
    rule: str

    def _columns(self) -> dict[str, Any]:
        rates = {"sensitivity": self.sensitivity, "one_minus_specificity": self.one_minus_specificity}
        return {"cutoff": self.cutoffs} | rates

    def __repr__(self) -> str:
        return f"Coordinates({counted(self.cutoffs.size, 'cut-off')}, positive if score {self.rule} cut-off)"


def spss_coordinates(thresholds: Floats, tpr: Floats, fpr: Floats, higher_is_positive: bool) -> Coordinates:
    """Put cut-offs between the scores of a curve; RS048 where two scores are one float."""
    alike = np.flatnonzero(thresholds[2:] == thresholds[1:-1])  # the first may equal an infinite score
    if alike.size:
        raise alike_thresholds(thresholds[1 + alike[0]])
    if higher_is_positive:
        return Coordinates(_cutoffs(thresholds[1:])[::-1], tpr[::-1], fpr[::-1], ">=")
    return Coordinates(-_cutoffs(-thresholds[1:]), tpr, fpr, "<=")


def _cutoffs(scores: Floats) -> Floats:
    """One cut-off per vertex, from falling scores: beyond the highest, between each two, below the lowest."""
    upper, lower = scores[:-1], scores[1:]
    with np.errstate(invalid="ignore"):  # inf - inf: no midpoint, caught below
        middle = upper / 2 + lower / 2
    between = (lower < middle) & (middle < upper)
    middle = np.where(between, middle, upper)
    highest = scores[0] + 1 if scores[0] + 1 > scores[0] else np.inf
    return np.concatenate([[highest], middle, [scores[-1] - 1]])
