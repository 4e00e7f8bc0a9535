"""What other averages would have said: how much the answer changes, and which model would win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rocsteady.advice.places import Place
from rocsteady.advice.readings import (
    ROUNDING,
    Difference,
    Draws,
    Quantity,
    Reader,
    difference,
    draws_of,
)
from rocsteady.advice.rules import question
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import AlongDirection, AtCosts, Method, Pooled, Threshold
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import UsageError
from rocsteady.inference.comparability import Comparability
from rocsteady.results import Result, plain
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.intervals import Interval
from rocsteady.words import printable


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Result):
    """What the recommended average says.

    Attributes
    ----------
    model : str
        Empty where no models were named.
    method : Method
    question : str
        What the average answers.
    auc : float
    auc_interval : Interval
        Over groups.
    measure : str
        What is read at the declared operating point; empty if there is none.
    value : float or None
        That number.
    value_interval : Interval or None
    """

    model: str
    method: Method
    question: str
    auc: float
    auc_interval: Interval
    measure: str
    value: float | None
    value_interval: Interval | None

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {**super().to_dict(), "method": str(self.method)}

    def __repr__(self) -> str:
        whose = f"{printable(self.model)}, " if self.model else ""
        read = "" if self.value is None else f", {self.measure} {self.value:.4f}"
        return f"{type(self).__name__}({whose}{self.method}: AUC {self.auc:.4f}{read})"


@dataclass(frozen=True, eq=False, repr=False)
class Alternative(Answer):
    """What another average says, and how far that is from the recommended one.

    ``auc_interval`` and ``value_interval`` are those of the differences, paired over groups.

    Attributes
    ----------
    auc_difference, value_difference : float
        This average less the recommended one.
    note : str
        What to know before using it.
    """

    auc_difference: float
    value_difference: float | None
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Contest(Result):
    """Which model wins under one average, over the groups that all models have.

    Attributes
    ----------
    method : Method
    question : str
        What the average answers.
    measure : str
        What the models are compared by: the reading at the declared operating point, else the AUC.
    values : mapping
        That number for every model, best first.
    winner, runner_up : str or None
        None where the two best are equal.
    difference : float
        By how much the winner is better than the runner-up; 0 where they are equal.
    interval : Interval
        Of that difference, paired over groups. It is not widened for having picked the best of several.
    n_groups : int
    is_recommended : bool
        Whether this average is the one that the deployment asks for: only then is it evidence.
    """

    method: Method
    question: str
    measure: str
    values: Mapping[str, float]
    winner: str | None
    runner_up: str | None
    difference: float
    interval: Interval
    n_groups: int
    is_recommended: bool

    @property
    def equals(self) -> tuple[str, ...]:
        """The models that share the first place; empty where one has it alone."""
        if self.winner is not None:
            return ()
        best = next(iter(self.values.values()))
        return tuple(name for name, value in self.values.items() if abs(value - best) <= ROUNDING)

    @property
    def is_decided(self) -> bool:
        """Whether the interval of the difference leaves out zero."""
        return bool(self.interval.low > 0)

    def to_dict(self) -> dict[str, Any]:
        """The contest as plain data."""
        values = {name: plain(value) for name, value in self.values.items()}
        return {
            **super().to_dict(),
            "method": str(self.method),
            "values": values,
            "is_decided": self.is_decided,
        }

    def __repr__(self) -> str:
        if self.winner is None:
            return f"Contest({self.method}: {printable(' = '.join(self.equals))} in {self.measure})"
        winner = printable(self.winner)
        return f"Contest({self.method}: {winner} by {self.difference:.4f} in {self.measure})"


@dataclass(frozen=True, eq=False)
class Read:
    """One average of one model, read."""

    method: Method
    average: Average
    auc: Quantity
    value: Quantity | None


def read_all(
    curves: Any,
    methods: Sequence[Method],
    place: Place | None,
    draws: Draws,
) -> list[Read]:
    """Every average of one model; the first is the one that a shared threshold is set on.

    One that cannot be read because its thresholds are integers that a float cannot tell apart (RS048) is left
    out, unless it is the first.
    """
    found: list[Read] = []
    base = None
    for method in methods:
        made = average(curves, method, undefined="drop")
        base = made if base is None else base
        reader = Reader(made, draws)
        try:
            found.append(Read(method, made, reader.auc(), reader.value(place, base) if place else None))
        except UsageError as error:
            if error.code != "RS048" or base is made:
                raise
    return found


def answer(read: Read, model: str, unit: str, place: Place | None, level: float) -> Answer:
    """The recommended average, with intervals of its own."""
    auc = difference(read.auc, None, level)
    value = difference(read.value, None, level) if read.value else None
    return Answer(
        model=model,
        method=read.method,
        question=question(read.method, unit),
        auc=auc.value,
        auc_interval=auc.interval,
        measure=place.measure if place else "",
        value=value.value if value else None,
        value_interval=value.interval if value else None,
    )


def alternative(
    read: Read,
    recommended: Read,
    model: str,
    unit: str,
    place: Place | None,
    level: float,
    levels: Comparability | None,
) -> Alternative:
    """Another average, set against the recommended one."""
    auc = _priced(read, recommended, levels) or difference(read.auc, recommended.auc, level)
    value = None
    if read.value is not None and recommended.value is not None:
        value = difference(read.value, recommended.value, level)
    return Alternative(
        model=model,
        method=read.method,
        question=question(read.method, unit),
        auc=read.auc.value,
        auc_interval=auc.interval,
        measure=place.measure if place else "",
        value=read.value.value if read.value else None,
        value_interval=value.interval if value else None,
        auc_difference=auc.value,
        value_difference=value.value if value else None,
        note=_note(read.method, unit),
    )


def _priced(read: Read, recommended: Read, levels: Comparability | None) -> Difference | None:
    """What one shared threshold costs in AUC is known better: comparability has an interval made for it."""
    if levels is None:
        return None
    is_shared = [_is_priced(entry, levels) for entry in (read, recommended)]
    along = isinstance(read.method, AlongDirection) or isinstance(recommended.method, AlongDirection)
    if is_shared[0] == is_shared[1] or not along:
        return None
    low, high = levels.price_interval.low, levels.price_interval.high
    if is_shared[0]:
        low, high = -high, -low
    gap = read.auc.value - recommended.auc.value
    return Difference(gap, replace(levels.price_interval, low=low, high=high))


def _is_priced(read: Read, levels: Comparability) -> bool:
    """Whether this is the threshold average, or a pool that is the same: all groups are of one size."""
    is_shared = isinstance(read.method, Threshold | Pooled)
    return is_shared and abs(read.auc.value - levels.shared_auc) < 1e-12


def _note(method: Method, unit: str) -> str:
    if isinstance(method, AtCosts):
        return f"its least cost is never below what each {unit} tuned to the costs would achieve (errata H3)"
    return ""


def contests(
    by_model: Mapping[str, ScoreSet],
    read: Mapping[str, list[Read]],
    methods: Sequence[Method],
    place: Place | None,
    *,
    seed: int,
    confidence_level: float,
) -> tuple[Contest, ...]:
    """For every average, which model is best over the groups that all of them have."""
    if len(by_model) < 2:
        return ()
    # A threshold on one model's scores says nothing about another's.
    place = None if place is not None and place.threshold is not None else place
    shared = common_groups(by_model)
    if len(shared) < 1:
        return ()
    by_method = {name: {entry.method: entry for entry in own} for name, own in read.items()}
    again = [method for method in methods if _differs(method, by_model, shared)]
    if again:
        draws = draws_of(len(shared), seed)
        for name, own in by_model.items():
            found = read_all(only_groups(own, shared), again, place, draws)
            known = {method: entry for method, entry in by_method[name].items() if method not in again}
            by_method[name] = known | {entry.method: entry for entry in found}
    unit = next(iter(by_model.values())).unit
    rows = []
    for method in methods:
        entries = {name: own[method] for name, own in by_method.items() if method in own}
        if len(entries) == len(by_model):
            rows.append(_contest(entries, place, unit, confidence_level, len(shared), method == methods[0]))
    return tuple(rows)


def _differs(method: Method, by_model: Mapping[str, ScoreSet], shared: tuple[str, ...]) -> bool:
    """Whether models were not read on the same groups: others have a curve, or, in pooling, only rows."""
    if isinstance(method, Pooled):
        return any(own.groups != shared or own.undefined for own in by_model.values())
    lists = {own.groups for own in by_model.values()}  # draws are paired by a group's place in its list
    return len(lists) > 1 or any(common_groups({"": own}) != shared for own in by_model.values())


def _contest(
    entries: Mapping[str, Read],
    place: Place | None,
    unit: str,
    level: float,
    n_groups: int,
    is_recommended: bool,
) -> Contest:
    quantities = {name: own.value if place and own.value else own.auc for name, own in entries.items()}
    sign = 1 if place is None or place.higher_is_better else -1
    ranking = sorted(quantities, key=lambda name: -sign * quantities[name].value)
    best, second = ranking[:2]
    found = difference(quantities[best], quantities[second], level)
    low, high = sorted([sign * found.interval.low, sign * found.interval.high])
    is_equal = abs(found.value) <= ROUNDING
    method = entries[best].method
    return Contest(
        method=method,
        question=question(method, unit),
        measure=place.measure if place else "AUC",
        values={name: quantities[name].value for name in ranking},
        winner=None if is_equal else best,
        runner_up=None if is_equal else second,
        difference=0.0 if is_equal else sign * found.value,
        interval=replace(found.interval, low=low + 0.0, high=high + 0.0),  # no -0.0
        n_groups=n_groups,
        is_recommended=is_recommended,
    )


def common_groups(by_model: Mapping[str, ScoreSet]) -> tuple[str, ...]:
    """Groups that have a curve for every model, in the order of the first."""
    defined = []
    for own in by_model.values():
        defined.append({name: None for name, has in zip(own.groups, own.has_curve, strict=True) if has})
    return tuple(name for name in defined[0] if all(name in other for other in defined[1:]))


def only_groups(own: ScoreSet, groups: Sequence[str]) -> Any:
    """The curves of some groups, in this order."""
    curves = roc_curves(own, undefined="drop")
    if curves.names == tuple(groups):
        return replace(curves, undefined=(), unit="curve", classes=None)
    position = {name: i for i, name in enumerate(curves.names)}
    return [curves[position[name]] for name in groups]
