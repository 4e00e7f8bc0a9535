"""The precision-recall curve, from the same counts as the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import TableResult
from rocsteady.curves.area import compensated_sum, unit_scaled
from rocsteady.errors import counted
from rocsteady.showing import Drawn

Floats = NDArray[np.float64]
Counts = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(Drawn, TableResult, figure="precision_recall"):
    """Precision and recall at every threshold, strictest first.

    Attributes
    ----------
    thresholds, precision, recall : float64 array
        Precision at the first threshold, beyond every score, is NaN: nothing is called positive there, and
        0 / 0 has no value. (scikit-learn writes 1 there, whatever the scores.)
    average_precision : float
        ``sum((recall[k] - recall[k - 1]) * precision[k])``; no interpolation, which would be optimistic.

    Notes
    -----
    Precision depends on how common positives are in these scores; the ROC curve does not.
    """

    thresholds: Floats
    precision: Floats
    recall: Floats
    average_precision: float

    def _columns(self) -> dict[str, Any]:
        return {"threshold": self.thresholds, "precision": self.precision, "recall": self.recall}

    def __repr__(self) -> str:
        n = counted(self.thresholds.size - 1, "threshold")
        return f"PrecisionRecallCurve({n}, average precision {self.average_precision:.3f})"


def precision_recall_curve(
    thresholds: Floats, true_positives: Counts, false_positives: Counts
) -> PrecisionRecallCurve:
    """Read precision and recall off the counts."""
    if true_positives.dtype.kind == "f":  # one power of two for both: their sum must not overflow
        exponents = np.frexp(max(true_positives[-1], false_positives[-1]))[1]
        true_positives = unit_scaled(true_positives, exponents)
        false_positives = unit_scaled(false_positives, exponents)
    elif int(true_positives[-1]) + int(false_positives[-1]) >= 2**63:
        true_positives, false_positives = true_positives.astype(object), false_positives.astype(object)
    called = true_positives + false_positives
    precision = np.full(thresholds.size, np.nan)
    some = called > 0
    precision[some] = true_positives[some] / called[some]
    true_positives = true_positives.astype(np.float64)
    gained = np.diff(true_positives)
    hit = gained > 0
    average = compensated_sum(gained[hit] * precision[1:][hit]) / float(true_positives[-1])
    return PrecisionRecallCurve(thresholds, precision, true_positives / true_positives[-1], average)
