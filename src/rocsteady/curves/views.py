"""Other views of the counts of a ROC curve.

Its equal error rate, its coordinates as SPSS prints them, its cost, DET and precision-recall curves.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Counts, Floats, Indices
from rocsteady.curves.readings import (
    alike_thresholds,
    compensated_sum,
    exact_integers,
    read_path,
    scalar_or_array,
    unit_scaled,
)
from rocsteady.errors import fail
from rocsteady.options import one_rate, rates, real_numbers
from rocsteady.results import Result, TableResult
from rocsteady.showing import Drawn
from rocsteady.words import counted


@dataclass(frozen=True, eq=False, repr=False)
class EqualErrorRate(Result):
    """An equal error rate and how to reach it.

    Attributes
    ----------
    value : float
        The error rate.
    fpr, fnr : float
        The two error rates at the point used; equal for ``"polyline"``.
    strict_threshold, loose_threshold : float
        The neighbouring thresholds.
    attainable : bool
        Whether one threshold has these error rates; otherwise only a coin thrown between the two does.
    method : str
        ``"polyline"`` or ``"closest-vertex"``.
    """

    value: float
    fpr: float
    fnr: float
    strict_threshold: float
    loose_threshold: float
    attainable: bool
    method: str

    def __repr__(self) -> str:
        between = f"{self.strict_threshold:g}"
        if not self.attainable:
            between = f"between {between} and {self.loose_threshold:g}"
        return f"EqualErrorRate({self.value:.4f}, threshold {between}, {self.method})"


def equal_error_rate(
    thresholds: Floats, true_positives: Counts, false_positives: Counts, method: str
) -> EqualErrorRate:
    """The equal error rate of a path of counts (see :meth:`RocCurve.eer`), in exact numbers."""
    exact = Fraction if true_positives.dtype.kind == "f" else int
    n_positives, n_negatives = exact(true_positives[-1].item()), exact(false_positives[-1].item())

    def errors(vertex: int) -> tuple[Fraction, Fraction]:
        missed = n_positives - exact(true_positives[vertex].item())
        return Fraction(exact(false_positives[vertex].item())) / n_negatives, Fraction(missed) / n_positives

    def imbalance(vertex: int) -> Any:
        """FPR - FNR; it rises along the path from below 0 to above."""
        fpr, fnr = errors(vertex)
        return fpr - fnr

    before = after = bisect_left(range(thresholds.size), 0, key=imbalance)
    fpr, fnr = errors(after)
    past = fpr - fnr
    if method == "closest-vertex":
        before = after = min((after - 1, after), key=lambda k: abs(imbalance(k)))  # a tie: the stricter
        fpr, fnr = errors(after)
    elif past:
        before = after - 1
        start, short = errors(before)[0], -imbalance(before)
        fpr = fnr = start + short * (fpr - start) / (short + past)
    strict, loose = float(thresholds[before]), float(thresholds[after])
    return EqualErrorRate(float(fpr), float(fpr), float(fnr), strict, loose, before == after, method)


# The coordinates of the curve as SPSS prints them: cut-offs midway between neighbouring scores
# ---------------------------------------------------------------------------------------------


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


# Cost curves: the cost of the best threshold for every mixture of costs and prevalence
# -------------------------------------------------------------------------------------


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
            raise fail("RS042.costs", false_positive=false_positive, false_negative=false_negative)
        share = one_rate("prevalence", prevalence)
        from_positives, from_negatives = share * false_negative, (1 - share) * false_positive
        if from_positives + from_negatives == 0:
            return 0.0
        piece = self._piece(np.asarray(from_positives / (from_positives + from_negatives)))
        return float(self.fnr[piece] * from_positives + self.fpr[piece] * from_negatives)

    def _piece(self, at: Floats) -> Indices:
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


def cost_curve(thresholds: Floats, true_positives: Counts, false_positives: Counts) -> CostCurve:
    """The cost curve of a convex hull: one piece per corner, from the slopes of its edges."""
    x, y = (exact_integers(c).astype(object) for c in (false_positives, true_positives))
    run, rise = np.diff(x) * y[-1], np.diff(y) * x[-1]
    # Neighbouring corners cost the same where PC / (1 - PC) = d fpr / d tpr.
    changes = np.array([r / (r + u) for r, u in zip(run, rise, strict=True)])
    # A vertical first edge makes the stricter corner best only at PC = 0, a horizontal last edge at PC = 1.
    best = slice(int(changes[0] == 0), changes.size + 1 - int(changes[-1] == 1))
    inner = changes[(changes > 0) & (changes < 1)]
    ends = np.concatenate([[0.0], inner, [1.0]])
    n_positives, n_negatives = true_positives[-1].item(), false_positives[-1].item()
    fpr, fnr = false_positives[best] / n_negatives, (n_positives - true_positives[best]) / n_positives
    thresholds = thresholds[best]
    piece = np.minimum(np.arange(ends.size), thresholds.size - 1)
    cost = fnr[piece] * ends + fpr[piece] * (1 - ends)
    return CostCurve(ends, cost, thresholds, fpr, fnr)


# The detection error trade-off (DET) curve: both error rates on normal-deviate axes
# ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(Drawn, TableResult, figure="det"):
    """A DET curve, strictest threshold first.

    Attributes
    ----------
    thresholds, fpr, fnr : float64 array
        The two error rates at every threshold (FMR and FNMR in biometrics).
    fpr_deviate, fnr_deviate : float64 array
        Their normal deviates, the coordinates on which binormal scores give a straight line; infinite where
        a rate is 0 or 1.

    References
    ----------
    Martin, Doddington, Kamm, Ordowski & Przybocki (1997), Eurospeech, 1895-1898.
    """

    thresholds: Floats
    fpr: Floats
    fnr: Floats
    fpr_deviate: Floats
    fnr_deviate: Floats

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate at the point of the curve where both are equal."""
        return float(read_path(self.fpr - self.fnr, self.fpr, np.array(0.0), end="last"))

    def fnr_at(self, fpr: ArrayLike) -> Any:
        """The false negative rate at a false positive rate; on a jump the smaller one."""
        return scalar_or_array(read_path(self.fpr, self.fnr, rates("fpr", fpr), end="last"), fpr)

    def fpr_at(self, fnr: ArrayLike) -> Any:
        """The false positive rate at a false negative rate; on a jump the smaller one."""
        return scalar_or_array(read_path(-self.fnr, self.fpr, -rates("fnr", fnr), end="first"), fnr)

    def __repr__(self) -> str:
        return f"DetCurve({counted(self.thresholds.size - 1, 'threshold')})"


# The precision-recall curve, from the same counts as the ROC curve
# -----------------------------------------------------------------


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
