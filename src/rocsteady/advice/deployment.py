"""How a classifier will be used: the answers to the two questions that decide which average is right."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.averaging.methods import (
    AtAlarmRate,
    AtCosts,
    Diagonal,
    Horizontal,
    Method,
    Pooled,
    Radial,
    Tangent,
    Threshold,
    Vertical,
)
from rocsteady.errors import Either, Option, Remedy, RocsteadyError, fail
from rocsteady.options import one_of, one_rate, one_threshold, open_share, real_numbers
from rocsteady.places import EXAMPLES, RATES, Kind, Place, place_of
from rocsteady.results import Result

HOLDS = ("fpr", "tpr", "balance", "ratio", "cost", "alerts")
ON_OWN: tuple[Kind, ...] = ("fpr", "tpr", "alerts", "balance", "ratio", "eer")
ON_SHARED: tuple[Kind, ...] = ("fpr", "tpr", "threshold")

Pair = tuple[float, float]
_NO_POINT = Either(
    "the costs are the operating point; leave out  at", "the costs are the operating point; leave out  --at"
)
_ON_OWN: dict[str | None, Method] = {
    "fpr": Vertical(),
    "tpr": Horizontal(),
    "balance": Diagonal(),
    "ratio": Radial(),
    "cost": Tangent(),
}
"""The average that holds it; that at an alarm rate is one at a prevalence."""


@dataclass(frozen=True, repr=False)
class Deployment(Result):
    """How the scores will be used, in answers to two questions.

    Is one threshold shared by all groups? If it is, what should count equally? If not, what is held fixed
    when the curve is read?

    Parameters
    ----------
    threshold : {"shared", "own"}
        One threshold for all groups, or one for each.
    weigh : {"groups", "rows"}
        Under a shared threshold: every group counts once, or every row does.
    hold : {"fpr", "tpr", "balance", "ratio", "cost", "alerts"}
        Under own thresholds: the false positive rate, the true positive rate, the difference of the two error
        rates, their ratio, the costs of errors, or the share of cases called positive. Under a shared
        threshold a rate, "fpr" or "tpr": the one that the threshold is set to on average, or looked at.
    at : optional
        The operating point, by name as everywhere: ``{"fpr": 0.05}``, ``{"specificity": 0.95}``,
        ``{"tpr": 0.9}``; what is held follows from it. With own thresholds also ``{"alerts": 0.02}``,
        ``{"balance": 0}`` (FPR - FNR) and ``{"ratio": (1, 2)}`` (of FPR and FNR); under a shared one
        ``{"threshold": 2}``, and a rate is what the threshold will be set to reach on average. Without its
        name it is a value of what is held, or the shared threshold: ``hold="fpr", at=0.05``. A balance is 0,
        the equal error rate, unless said. Costs are an operating point themselves.
    costs : pair, or pair of pairs, optional
        ``(false_positive, false_negative)``, or a range ``((1, 2), (1, 20))`` where they are not known
        precisely. The average that fits does not depend on them, expected costs do.
    prevalence : float, optional
        Share of positives where the classifier will be used. Needed where alerts are held.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.Deployment(threshold="own", at={"specificity": 0.95})
    Deployment(own thresholds, fpr held at 0.05)
    >>> rs.Deployment(threshold="shared", weigh="groups").method
    Threshold()
    """

    threshold: str
    weigh: str = "groups"
    hold: str | None = None
    at: Any = field(default=None, hash=False)  # it may be a dict
    costs: Any = None
    prevalence: float | None = None

    def __post_init__(self) -> None:
        one_of("threshold", self.threshold, ("shared", "own"))
        one_of("weigh", self.weigh, ("groups", "rows"))
        if self.hold is not None:
            one_of("hold", self.hold, HOLDS)
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))
        if self.costs is not None:
            object.__setattr__(self, "costs", _costs(self.costs))
        place = self._named_place()
        if place is not None and self.hold is None and place.kind != "threshold":
            object.__setattr__(self, "hold", place.kind)  # what is held follows from where
        if self.is_shared and self.hold not in (None, *RATES):
            raise fail("RS090.shared", hold=self.hold)
        if not self.is_shared and self.hold is None:
            raise fail("RS090.own", known=", ".join(HOLDS), ways=[Option("hold", hold) for hold in HOLDS])
        if not self.is_shared and self.weigh == "rows":
            raise fail("RS090.rows")
        if self.hold == "alerts" and self.prevalence is None:
            raise fail("RS091.held")
        object.__setattr__(self, "at", self._operating_point(place))

    def _named_place(self) -> Place | None:
        """The place, if it was given by name; RS092 for one that cannot be held."""
        if not isinstance(self.at, Mapping | Place | str):
            return None
        if self.hold == "cost":
            raise self._misplaced(_NO_POINT)
        place = place_of(self.at, among=ON_SHARED if self.is_shared else ON_OWN, task="deploy at")
        if place.kind == "eer":
            place = Place("balance", 0.0)
        if self.hold not in (None, place.kind):
            usual = Option("at", {self.hold: EXAMPLES[self.hold]})
            raise fail("RS092.disagree", hold=self.hold, at=self.at, kind=place.kind, ways=[usual])
        if place.is_count:
            raise fail("RS092.count", count=place.value, share={"alerts": 0.02})
        if np.ndim(place.value) and place.kind != "ratio":
            first = next(iter(np.ravel(place.value).tolist()), 0.05)
            raise self._misplaced(Option("at", {place.kind: first}))
        return place

    def _operating_point(self, place: Place | None) -> Any:
        """``at`` in one form: a float, a pair, or a dict of one rate; None if there is none."""
        hold, at = self.hold, self.at if place is None else place.value
        if at is None:
            return 0.0 if hold == "balance" else None
        if hold == "cost":
            raise self._misplaced(_NO_POINT)
        if hold == "ratio":
            pair = real_numbers("at", at, example=(1, 2))
            if pair.shape != (2,) or not ((pair > 0) & (pair < math.inf)).all():
                raise self._misplaced(Option("at", (1, 2)))
            return float(pair[0]), float(pair[1])
        if hold in (*RATES, "alerts"):
            rate = one_rate("at", at)
            return {hold: rate} if self.is_shared else rate
        is_balance = hold == "balance"
        number = real_numbers("at", at, example=0 if is_balance else 0.5)
        if number.ndim or math.isnan(number) or (is_balance and not -1 <= number <= 1):
            usual = "at={'fpr': 0.05}, at={'tpr': 0.9} or a threshold"
            raise self._misplaced(Option("at", 0.0) if is_balance else usual)
        return float(number) if is_balance else one_threshold(at)

    def _misplaced(self, remedy: Remedy) -> RocsteadyError:
        held = [] if self.hold is None else [f"{self.hold} held"]
        whose = "a shared threshold" if self.is_shared else "own thresholds"
        return fail("RS092.deployment", at=self.at, used=[whose, *held], ways=[remedy])

    @property
    def place(self) -> Place | None:
        """Where curves are read, as it may be given elsewhere; None if that was not said."""
        if self.hold == "cost":
            return None if self.typical_costs is None else Place("costs", self.typical_costs)
        if self.at is None:
            return None
        if self.hold is None:
            return Place("threshold", self.at)
        return Place(self.hold, self.at[self.hold] if self.is_shared else self.at)  # type: ignore[arg-type]

    @property
    def line(self) -> Line | None:
        """The place as a line that every average can be read at; None if there is none."""
        hold, at = self.hold, self.at
        if hold == "cost":
            costs, is_middle = self.cost_direction, self.cost_range is not None
            return Line(hold, (0.0, 0.0), math.nan, "cost", None, costs, is_middle) if costs else None
        if at is None:
            return None
        if hold is None:
            return Line("threshold", (1.0, 0.0), math.nan, "tpr", threshold=at)
        target, share = at[hold] if self.is_shared else at, self.prevalence or 0.0
        lines: dict[str, tuple[Pair, Any, str]] = {
            "fpr": ((1.0, 0.0), target, "tpr"),
            "tpr": ((0.0, 1.0), target, "fpr"),
            "alerts": ((1 - share, share), target, "tpr"),
        }
        if hold == "balance":
            return Line(hold, (1.0, 1.0), 1.0 + at, "fpr")
        if hold == "ratio":
            return Line(hold, (at[1], at[0]), at[0], "fpr")
        return Line(hold, *lines[hold])

    @property
    def is_shared(self) -> bool:
        """Whether one threshold serves all groups."""
        return self.threshold == "shared"

    @property
    def lacks_costs(self) -> bool:
        """Whether errors are weighed by costs, but these or the prevalence are not known: no numbers."""
        return self.hold == "cost" and self.cost_direction is None

    @property
    def method(self) -> Method:
        """The average that answers this deployment's question."""
        if self.is_shared:
            return Threshold() if self.weigh == "groups" else Pooled()
        if self.hold == "alerts":
            return AtAlarmRate(prevalence=self.prevalence or 0.0)
        return _ON_OWN[self.hold]

    @property
    def cost_range(self) -> tuple[Pair, Pair] | None:
        """The two ends of the costs, where they are a range."""
        return self.costs if self.costs is not None and isinstance(self.costs[0], tuple) else None

    @property
    def typical_costs(self) -> Pair | None:
        """The costs, or the middle of their range: the geometric mean of its ends."""
        if self.cost_range is None:
            pair: Pair | None = self.costs
            return pair
        (a, b), (c, d) = self.cost_range
        if a and b and c and d:
            return math.sqrt(a * c), math.sqrt(b * d)
        return (a + c) / 2, (b + d) / 2

    @property
    def cost_direction(self) -> AtCosts | None:
        """The paper's average along the direction of the costs, if costs and prevalence are known."""
        if self.typical_costs is None or self.prevalence is None:
            return None
        false_positive, false_negative = self.typical_costs
        return AtCosts(false_positive, false_negative, self.prevalence)

    def __repr__(self) -> str:
        if self.is_shared:
            said = [f"shared threshold, {self.weigh} count equally"]
            if isinstance(self.at, dict):
                said.append(f"at a mean {self.hold} of {self.at[self.hold]:g}")
            elif self.at is not None or self.hold is not None:
                said.append(f"read at a mean {self.hold}" if self.at is None else f"at {self.at:g}")
        else:
            said = [f"own thresholds, {self.hold} held" + ("" if self.at is None else f" at {self.at}")]
        said += [] if self.costs is None else [f"costs {self.costs}"]
        said += [] if self.prevalence is None else [f"prevalence {self.prevalence:g}"]
        return f"Deployment({', '.join(said)})"


def _costs(given: Any) -> Any:
    """A pair of costs, or two of them; RS081 or RS094 if they are neither."""
    numbers = real_numbers("costs", given, example=(1, 20))
    if numbers.shape not in ((2,), (2, 2)):
        raise fail("RS094.pairs", found=given)
    pairs: list[Pair] = []
    for pair in numbers.reshape(-1, 2).tolist():
        if not all(0 <= own < math.inf for own in pair) or not any(pair):
            raise fail("RS081.costs", found=given)
        pairs.append((pair[0] + 0.0, pair[1] + 0.0))
    if len(pairs) == 1:
        return pairs[0]
    (a, b), (c, d) = pairs
    if a * d == b * c:
        raise fail("RS094.pairs", found=given)
    return pairs[0], pairs[1]


_TOLERANCE = 1e-12
"""Means of equal rates differ by a rounding error; a jump at the target must not be missed for that."""


@dataclass(frozen=True)
class Line:
    """Where averages are set against each other: a line that every curve crosses once.

    A false positive rate, a true positive rate, a difference or a ratio of the two error rates, a share of
    cases called positive are lines ``a * fpr + b * tpr = target``, because neither rate falls along a curve.
    A cost is not: the least cost on a curve is read instead. Under a shared threshold the target is the false
    positive rate that it gives on average.
    """

    held: str  # one of HOLDS, or "threshold"
    along: Pair  # a and b
    target: float  # NaN where it depends on the curves
    free: str  # what is read: "fpr", "tpr" or "cost"
    threshold: float | None = None
    costs: AtCosts | None = None
    is_middle: bool = False  # of a range of costs

    @property
    def higher_is_better(self) -> bool:
        """Whether more of what is read is better."""
        return self.free == "tpr"

    def read(self, fpr: Floats, tpr: Floats, targets: Floats | float) -> Floats:
        """What every curve (a row of each array) has on this line; one target for all or one for each."""
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
        after = vertex = np.minimum((position < target[:, None] - _TOLERANCE).sum(axis=1), last)
        before = np.maximum(after - 1, 0)
    else:
        before = vertex = np.maximum((position <= target[:, None] + _TOLERANCE).sum(axis=1) - 1, 0)
        after = np.minimum(before + 1, last)
    missed = position[rows, vertex] - target
    at_vertex = missed <= _TOLERANCE if first else missed >= -_TOLERANCE
    width = position[rows, after] - position[rows, before]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.where(width > 0, (target - position[rows, before]) / width, 0.0), 0.0, 1.0)
    between = free[rows, before] + share * (free[rows, after] - free[rows, before])
    return np.asarray(np.where(at_vertex, free[rows, vertex], between))
