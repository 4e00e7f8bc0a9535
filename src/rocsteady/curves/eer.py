"""The equal error rate, under the names of its several meanings.

An empirical curve rarely has a vertex where the two error rates are equal, and published code resolves that
in different ways that give 0.2 or 0.4 for the same scores. Here each way has a name.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocsteady.counting.arguments import one_of
from rocsteady.counting.results import Result

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve

METHODS = ("polyline", "hull", "closest-vertex", "mean-of-closest", "max-of-closest")


@dataclass(frozen=True, eq=False, repr=False)
class EqualErrorRate(Result):
    """An equal error rate and how to reach it.

    Attributes
    ----------
    value : float
        The error rate.
    fpr, fnr : float
        The two error rates at the point used; equal for ``"polyline"`` and ``"hull"``.
    strict_threshold, loose_threshold : float
        The neighbouring thresholds.
    attainable : bool
        Whether one threshold has these error rates; otherwise only a coin thrown between the two does.
    method : str
        Which meaning.
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


def equal_error_rate(curve: RocCurve, method: str) -> EqualErrorRate:
    """The equal error rate of a curve by a named method (see :meth:`RocCurve.eer`)."""
    one_of("method", method, METHODS)
    path = _ExactPath(curve.hull() if method == "hull" else curve)
    if method in ("polyline", "hull"):
        return path.crossing(method)
    return path.closest(method)


class _ExactPath:
    """A curve's vertices in exact numbers: integers, or fractions for weights."""

    def __init__(self, curve: RocCurve) -> None:
        self.exact: type[Fraction] | type[int] = Fraction if curve.is_weighted else int
        self.curve = curve
        self.n_positives = self.exact(curve.n_positives)
        self.n_negatives = self.exact(curve.n_negatives)
        self.after = bisect_left(range(curve.thresholds.size), 0, key=self.imbalance)

    def false_positives(self, vertex: int) -> Fraction | int:
        return self.exact(self.curve.false_positives[vertex].item())

    def true_positives(self, vertex: int) -> Fraction | int:
        return self.exact(self.curve.true_positives[vertex].item())

    def imbalance(self, vertex: int) -> Any:
        """FPR - FNR, times both totals; it rises along the path from below 0 to above."""
        return (
            self.false_positives(vertex) * self.n_positives
            + self.true_positives(vertex) * self.n_negatives
            - self.n_positives * self.n_negatives
        )

    def crossing(self, method: str) -> EqualErrorRate:
        after, before = self.after, self.after - 1
        past = self.imbalance(after)
        if past == 0:
            before = after
            false_positives = Fraction(self.false_positives(after))
        else:
            short = -self.imbalance(before)
            run = self.false_positives(after) - self.false_positives(before)
            false_positives = self.false_positives(before) + Fraction(short * run) / (short + past)
        value = float(false_positives / self.n_negatives)
        strict, loose = (float(self.curve.thresholds[k]) for k in (before, after))
        return EqualErrorRate(value, value, value, strict, loose, past == 0, method)

    def closest(self, method: str) -> EqualErrorRate:
        nearest = min(
            (self.after - 1, self.after), key=lambda k: abs(self.imbalance(k))
        )  # a tie: the stricter
        fpr = Fraction(self.false_positives(nearest)) / self.n_negatives
        fnr = 1 - Fraction(self.true_positives(nearest)) / self.n_positives
        value = {"closest-vertex": fpr, "mean-of-closest": (fpr + fnr) / 2, "max-of-closest": max(fpr, fnr)}
        threshold = float(self.curve.thresholds[nearest])
        return EqualErrorRate(
            float(value[method]), float(fpr), float(fnr), threshold, threshold, True, method
        )
