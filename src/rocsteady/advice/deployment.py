"""How a classifier will be used: the answers to the two questions that decide which average is right."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

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
from rocsteady.counting.arguments import one_of, one_rate, open_share, real_numbers
from rocsteady.counting.results import Result
from rocsteady.errors import Option, UsageError

THRESHOLDS = ("shared", "own")
WEIGHS = ("groups", "rows")
HOLDS = ("fpr", "tpr", "balance", "ratio", "cost", "alerts")
_RATES = ("fpr", "tpr")

Pair = tuple[float, float]


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
        The operating point, a value of what is held: an FPR (``hold="fpr"``), a TPR (``"tpr"``), FPR - FNR
        (``"balance"``; 0, the equal error rate, unless said), a pair ``(fpr, fnr)`` whose ratio counts
        (``"ratio"``), a share of cases (``"alerts"``). Under a shared threshold, that threshold, or
        ``{"fpr": x}`` or ``{"tpr": y}`` if the threshold will be set to reach a rate on average; that is
        also ``hold="fpr", at=x``. Costs are an operating point themselves.
    costs : pair, or pair of pairs, optional
        ``(false_positive, false_negative)``, or a range ``((1, 2), (1, 20))`` where they are not known
        precisely. The average that fits does not depend on them, expected costs do.
    prevalence : float, optional
        Share of positives where the classifier will be used. Needed where alerts are held.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.Deployment(threshold="own", hold="fpr", at=0.05)
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
        one_of("threshold", self.threshold, THRESHOLDS)
        one_of("weigh", self.weigh, WEIGHS)
        if self.hold is not None:
            one_of("hold", self.hold, HOLDS)
        self._refuse_contradictions()
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))
        if self.costs is not None:
            object.__setattr__(self, "costs", _costs(self.costs))
        self._refuse_missing()
        object.__setattr__(self, "at", self._operating_point())
        if isinstance(self.at, dict):  # hold="fpr", at=0.05 and at={"fpr": 0.05} are the same
            object.__setattr__(self, "hold", next(iter(self.at)))

    def _refuse_contradictions(self) -> None:
        if self.is_shared and self.hold not in (None, *_RATES):
            raise UsageError(
                "RS090",
                "a shared threshold can be set to a mean rate, fpr or tpr, and to nothing else.",
                f"found: a shared threshold, and {self.hold} to be held",
                ("leave out  hold, and say what counts equally:  ", Option("weigh", "groups")),
                ("or let every group have its own threshold:  ", Option("threshold", "own")),
            )
        if not self.is_shared and self.hold is None:
            raise UsageError(
                "RS090",
                "with own thresholds something has to be held fixed when the curve is read.",
                f"known: {', '.join(HOLDS)}",
                *(Option("hold", hold) for hold in HOLDS),
            )
        if not self.is_shared and self.weigh == "rows":
            raise UsageError(
                "RS090",
                "rows count equally only under a shared threshold.",
                "found: own thresholds, and rows to count equally",
                ("leave out  weigh; an average may still weigh groups:  ", Option("group_weights", "rows")),
            )

    def _refuse_missing(self) -> None:
        if self.hold == "alerts" and self.prevalence is None:
            example = Option("prevalence", 0.03)
            raise UsageError("RS091", "to hold alerts, the prevalence must be known.", "", example)

    def _operating_point(self) -> Any:
        """``at`` in one form: a float, a pair, or a dict of one rate; None if there is none."""
        if self.hold == "cost":
            if self.at is not None:
                raise self._misplaced("the costs are the operating point; leave out  at")
            return None
        if self.at is None:
            return 0.0 if self.hold == "balance" else None
        if self.is_shared:
            return self._shared_point()
        return {"ratio": self._ratio, "balance": self._balance}.get(str(self.hold), self._held_rate)()

    def _ratio(self) -> Pair:
        pair = real_numbers("at", self.at, example=(1, 2))
        if pair.shape != (2,) or not ((pair > 0) & (pair < math.inf)).all():
            raise self._misplaced(Option("at", (1, 2)))
        return float(pair[0]), float(pair[1])

    def _balance(self) -> float:
        number = real_numbers("at", self.at, example=0)
        if number.ndim or not -1 <= number <= 1:
            raise self._misplaced(Option("at", 0.0))
        return float(number)

    def _held_rate(self) -> float:
        """The value of the rate that is held; ``{"fpr": 0.05}`` names it once more."""
        if not isinstance(self.at, dict):
            return one_rate("at", self.at)
        name = "rate" if self.hold == "alerts" else self.hold
        if list(self.at) != [name]:
            raise self._misplaced(Option("at", 0.05))
        return one_rate("at", self.at[name])

    def _shared_point(self) -> Any:
        if isinstance(self.at, dict):
            if len(self.at) != 1 or next(iter(self.at)) not in _RATES:
                raise self._misplaced("at={'fpr': 0.05}, at={'tpr': 0.9} or a threshold")
            ((name, rate),) = self.at.items()
            if self.hold not in (None, name):
                raise self._misplaced(Option("at", {self.hold: 0.05 if self.hold == "fpr" else 0.9}))
            return {name: one_rate(name, rate)}
        if self.hold is not None:
            return {self.hold: one_rate("at", self.at)}
        threshold = real_numbers("at", self.at, example=0.5)
        if threshold.ndim or math.isnan(threshold):
            raise self._misplaced("at={'fpr': 0.05}, at={'tpr': 0.9} or a threshold")
        return float(threshold)

    def _misplaced(self, remedy: str | Option) -> UsageError:
        found = "found with " + ("a shared threshold" if self.is_shared else "own thresholds")
        if self.hold is not None:
            found += f" and {self.hold} held"
        return UsageError("RS092", f"{self.at!r:.60} is no operating point.", found, remedy)

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
        held: dict[str | None, Method] = {
            "fpr": Vertical(), "tpr": Horizontal(), "balance": Diagonal(), "ratio": Radial(),
            "cost": Tangent(),
        }  # fmt: skip
        return held[self.hold]

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
            if self.at is not None:
                rate = isinstance(self.at, dict)
                said.append(f"at a mean {self.hold} of {self.at[self.hold]:g}" if rate else f"at {self.at:g}")
            elif self.hold is not None:
                said.append(f"read at a mean {self.hold}")
        else:
            where = "" if self.at is None else f" at {self.at}"
            said = [f"own thresholds, {self.hold} held{where}"]
        if self.costs is not None:
            said.append(f"costs {self.costs}")
        if self.prevalence is not None:
            said.append(f"prevalence {self.prevalence:g}")
        return f"Deployment({', '.join(said)})"


def _costs(given: Any) -> Any:
    """A pair of costs, or two of them; RS081 or RS094 if they are neither."""
    numbers = real_numbers("costs", given, example=(1, 20))
    if numbers.shape not in ((2,), (2, 2)):
        raise _no_costs(given)
    pairs: list[Pair] = []
    for pair in numbers.reshape(-1, 2).tolist():
        if not all(0 <= own < math.inf for own in pair) or not any(pair):
            raise UsageError(
                "RS081",
                "costs must be finite and not negative, and not both 0.",
                f"found: {given!r:.60}",
                Option("costs", (1, 20)),
            )
        pairs.append((pair[0] + 0.0, pair[1] + 0.0))
    if len(pairs) == 1:
        return pairs[0]
    (a, b), (c, d) = pairs
    if a * d == b * c:
        raise _no_costs(given)
    return pairs[0], pairs[1]


def _no_costs(given: object) -> UsageError:
    return UsageError(
        "RS094",
        "costs must be (false_positive, false_negative), or two such pairs with different ratios.",
        f"found: {given!r:.60}",
        Option("costs", (1, 20)),
        ("a range:  ", Option("costs", ((1, 2), (1, 20)))),
    )
