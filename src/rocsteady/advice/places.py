"""Where averages are read when they are set against each other, and what is read there.

A place is a line ``a * fpr + b * tpr = target`` that every curve crosses once, because neither rate falls
along a curve: a false positive rate, a true positive rate, a difference or a ratio of the two error rates, a
share of cases called positive. A cost is not such a line: the least cost on a curve is read instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.advice.deployment import Deployment
from rocsteady.averaging.methods import AtCosts
from rocsteady.words import percent

Floats = NDArray[np.float64]

_TOLERANCE = 1e-12
"""Means of equal rates differ by a rounding error; a jump at the target must not be missed for that."""


@dataclass(frozen=True)
class Place:
    """A place on every curve.

    Attributes
    ----------
    held : str
        What is the same for all curves: "fpr", "tpr", "balance", "ratio", "alerts", "cost" or "threshold".
    measure : str
        What is read there, in words.
    along : (float, float)
        The line's ``a`` and ``b``.
    target : float
        Its value; NaN where it depends on the curves (``threshold``).
    free : {"fpr", "tpr", "cost"}
        What is read.
    threshold : float or None
        A shared threshold: the target is the false positive rate that it gives on average.
    costs : AtCosts or None
        Whose least expected cost is read.
    """

    held: str
    measure: str
    along: tuple[float, float]
    target: float
    free: str
    threshold: float | None = None
    costs: AtCosts | None = None

    @property
    def higher_is_better(self) -> bool:
        """Whether more of what is read is better."""
        return self.free == "tpr"

    def read(self, fpr: Floats, tpr: Floats, targets: Floats | float) -> Floats:
        """What every curve (a row of each array) has at this place; one target for all or one for each."""
        if self.costs is not None:
            of_misses, of_alarms = self.costs.expected
            return np.asarray(np.min(of_misses * (1 - tpr) + of_alarms * fpr, axis=1))
        a, b = self.along
        position = a * fpr + b * tpr
        return crossing(position, fpr if self.free == "fpr" else tpr, targets, first=self.free == "fpr")


def crossing(position: Floats, free: Floats, targets: Floats | float, *, first: bool) -> Floats:
    """The free coordinate of every row where its rising position reaches the target.

    On a jump, where one position has many values, the first or the last of them.

    >>> import numpy as np
    >>> fpr, tpr = np.array([[0, 0, 0.5, 1]]), np.array([[0, 0.5, 0.5, 1]])
    >>> crossing(fpr, tpr, 0.0, first=False), crossing(fpr, tpr, 0.75, first=False)
    (array([0.5]), array([0.75]))
    """
    rows, last = np.arange(position.shape[0]), position.shape[1] - 1
    target = np.broadcast_to(np.asarray(targets, dtype=np.float64), rows.shape)
    if first:
        after = np.minimum((position < target[:, None] - _TOLERANCE).sum(axis=1), last)
        before = np.maximum(after - 1, 0)
        at_vertex, vertex = position[rows, after] <= target + _TOLERANCE, after
    else:
        before = np.maximum((position <= target[:, None] + _TOLERANCE).sum(axis=1) - 1, 0)
        after = np.minimum(before + 1, last)
        at_vertex, vertex = position[rows, before] >= target - _TOLERANCE, before
    width = position[rows, after] - position[rows, before]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.where(width > 0, (target - position[rows, before]) / width, 0.0), 0.0, 1.0)
    between = free[rows, before] + share * (free[rows, after] - free[rows, before])
    return np.asarray(np.where(at_vertex, free[rows, vertex], between))


def place_of(deployment: Deployment) -> Place | None:
    """Where a deployment operates; None if it was not said."""
    hold, at = deployment.hold, deployment.at
    if hold == "cost" and deployment.cost_direction is not None:
        costs = deployment.cost_direction
        return Place("cost", _cost_words(deployment, costs), (0.0, 0.0), np.nan, "cost", costs=costs)
    if at is None or deployment.is_shared:
        return None if at is None else _shared_place(at)
    if hold == "ratio":
        a, b = at
        return Place("ratio", f"FPR where FPR : FNR = {a:g} : {b:g}", (b, a), a, "fpr")
    if hold == "balance":
        words = "equal error rate" if at == 0 else f"FPR where FPR - FNR = {at:g}"
        return Place("balance", words, (1.0, 1.0), 1.0 + at, "fpr")
    if hold == "alerts":
        prevalence = deployment.prevalence or 0.0
        words = f"TPR where {percent(at)} of all cases are called positive"
        return Place("alerts", words, (1 - prevalence, prevalence), at, "tpr")
    return _rate_place(str(hold), at)


def _shared_place(at: Any) -> Place:
    if isinstance(at, dict):
        ((name, rate),) = at.items()
        return _rate_place(name, rate)
    words = f"TPR at the FPR that a threshold of {at:g} gives"
    return Place("threshold", words, (1.0, 0.0), np.nan, "tpr", threshold=at)


def _rate_place(held: str, rate: float) -> Place:
    if held == "fpr":
        return Place("fpr", f"TPR at FPR {percent(rate)}", (1.0, 0.0), rate, "tpr")
    return Place("tpr", f"FPR at TPR {percent(rate)}", (0.0, 1.0), rate, "fpr")


def _cost_words(deployment: Deployment, costs: AtCosts) -> str:
    which = "in the middle of the range" if deployment.cost_range else ""
    ratio = f"{costs.false_positive:.3g} : {costs.false_negative:.3g}"
    return " ".join(filter(None, ["least expected cost per case at costs", ratio, which]))
