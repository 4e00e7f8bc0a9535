"""Cost curves: the cost of the best threshold for every mixture of costs and prevalence.

References
----------
Drummond & Holte (2006), Machine Learning 65, 95-130.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_rate, rates, real_numbers
from rocsteady.counting.results import TableResult
from rocsteady.curves.area import exact_integers
from rocsteady.curves.reading import scalar_or_array
from rocsteady.errors import UsageError, counted
from rocsteady.showing import Drawn

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Drawn, TableResult, figure="cost_curve"):
    """The lower envelope of the cost lines of all thresholds.

    The *probability cost* PC is the share of the misclassification cost that the positives could cause,
    ``p * c_fn / (p * c_fn + (1 - p) * c_fp)``; at it, a threshold costs ``fnr * PC + fpr * (1 - PC)`` of the
    worst possible cost.

    Attributes
    ----------
    probability_cost : float64 array
        Ends of the straight pieces, from 0 to 1, where the best threshold changes.
    normalized_cost : float64 array
        The cost there, with the best threshold, as a share of the worst cost.
    thresholds, fpr, fnr : float64 array
        The best threshold on each piece and its error rates; one fewer than the ends.
    """

    probability_cost: Floats
    normalized_cost: Floats
    thresholds: Floats
    fpr: Floats
    fnr: Floats

    def at(self, probability_cost: ArrayLike) -> Any:
        """The normalised cost of the best threshold at a probability cost."""
        at = rates("probability_cost", probability_cost)
        piece = self._piece(at)
        return scalar_or_array(self.fnr[piece] * at + self.fpr[piece] * (1 - at), probability_cost)

    def threshold_at(self, probability_cost: ArrayLike) -> Any:
        """The best threshold at a probability cost; where two are equally good, the stricter."""
        at = rates("probability_cost", probability_cost)
        return scalar_or_array(self.thresholds[self._piece(at)], probability_cost)

    def expected_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the best threshold, in the units of the two costs.

        Examples
        --------
        >>> from rocsteady.curves.roc import RocCurve
        >>> curve = RocCurve.from_counts([3, 2, 1], [3, 4, 4], [0, 1, 4])
        >>> curve.cost_curve().expected_cost(false_positive=1, false_negative=20, prevalence=0.1)
        0.225
        """
        costs = real_numbers("costs", (false_positive, false_negative))
        if not ((costs >= 0) & (costs < np.inf)).all():
            found = f"found: false_positive={false_positive!r}, false_negative={false_negative!r}"
            example = "expected_cost(false_positive=1, false_negative=20, prevalence=0.1)"
            raise UsageError("RS042", "costs must be finite and not negative.", found, example)
        share = one_rate("prevalence", prevalence)
        from_positives, from_negatives = share * false_negative, (1 - share) * false_positive
        if from_positives + from_negatives == 0:
            return 0.0
        piece = self._piece(np.asarray(from_positives / (from_positives + from_negatives)))
        return float(self.fnr[piece] * from_positives + self.fpr[piece] * from_negatives)

    def _piece(self, at: Floats) -> NDArray[np.intp]:
        return np.maximum(np.searchsorted(self.probability_cost, at, side="left") - 1, 0)

    def _columns(self) -> dict[str, Any]:
        pieces = {
            "from_probability_cost": self.probability_cost[:-1],
            "to_probability_cost": self.probability_cost[1:],
        }
        return pieces | {"threshold": self.thresholds, "fpr": self.fpr, "fnr": self.fnr}

    def __repr__(self) -> str:
        highest = f"highest normalised cost {self.normalized_cost.max():.4f}"
        return f"CostCurve({counted(self.thresholds.size, 'piece')}, {highest})"


def cost_curve(hull: RocCurve) -> CostCurve:
    """The cost curve of a convex hull: one piece per corner, from the slopes of its edges."""
    x, y = (exact_integers(c).astype(object) for c in (hull.false_positives, hull.true_positives))
    run, rise = np.diff(x) * y[-1], np.diff(y) * x[-1]
    # Neighbouring corners cost the same where PC / (1 - PC) = d fpr / d tpr.
    changes = np.array([r / (r + u) for r, u in zip(run, rise, strict=True)])
    # A vertical first edge makes the stricter corner best only at PC = 0, a horizontal last edge at PC = 1.
    best = slice(int(changes[0] == 0), changes.size + 1 - int(changes[-1] == 1))
    inner = changes[(changes > 0) & (changes < 1)]
    ends = np.concatenate([[0.0], inner, [1.0]])
    fpr, fnr, thresholds = hull.fpr[best], hull.fnr[best], hull.thresholds[best]
    piece = np.minimum(np.arange(ends.size), thresholds.size - 1)
    cost = fnr[piece] * ends + fpr[piece] * (1 - ends)
    return CostCurve(ends, cost, thresholds, fpr, fnr)
