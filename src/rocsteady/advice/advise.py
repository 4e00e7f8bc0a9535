"""``advise``: the average that fits how scores will be used, and what others would have said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from rocsteady.advice.deployment import Deployment, Floats, Line, Pair
from rocsteady.advice.findings import Subject, findings_about_all, is_of_folds, levels_of
from rocsteady.advice.readings import (
    ROUNDING,
    Difference,
    Draws,
    Quantity,
    Reader,
    difference,
    draws_of,
    least_costs,
)
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import (
    PLAIN,
    AlongDirection,
    AtAlarmRate,
    Method,
    Pooled,
    Threshold,
    method_of,
)
from rocsteady.averaging.tuned import TangentAverage
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.from_scores import described
from rocsteady.errors import RocsteadyWarning, UsageError, caution, fail
from rocsteady.inference.comparability import Comparability
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.results import Result, TableResult
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Said, Told, notes, said
from rocsteady.statistics.groups import spread
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.words import printable

# What is found


@dataclass(frozen=True, repr=False)
class Reason(Told, Result, sentence="advice.reason"):
    """A rule that speaks for an average; ``str`` of it is the sentence.

    Attributes
    ----------
    code : str
        ``rocsteady explain RS331`` tells more.
    deployment : Deployment
        What it is applied to.
    unit : str
        The word for a group.
    """

    code: str
    deployment: Deployment
    unit: str

    _line = "{reading}"

    source = Said("advice.source", of="code")
    """Section of the paper, or erratum."""

    def __str__(self) -> str:
        return self.reading

    def to_dict(self) -> dict[str, Any]:
        """The reason as plain data."""
        return {"code": self.code, "source": self.source, "text": self.reading}


_RULES = {"fpr": "RS334", "tpr": "RS335", "balance": "RS336", "ratio": "RS337", "alerts": "RS338"}
_RULES |= {"cost": "RS339"}


def reasons(deployment: Deployment, unit: str) -> tuple[Reason, ...]:
    """Why the deployment's average is the right one."""
    if deployment.is_shared:
        codes = ["RS330", "RS331" if deployment.weigh == "groups" else "RS332"]
    else:
        hold = str(deployment.hold)
        codes = ["RS333", _RULES[hold], *([] if hold in ("ratio", "cost") else ["RS340"])]
    return tuple(Reason(code, deployment, unit) for code in codes)


@dataclass(frozen=True, eq=False, repr=False)
class _OfAverage(Result):
    """What one average says, of its area and of a place."""

    method: Method
    unit: str
    line: Line | None  # where it is read, besides its area

    _told: ClassVar[tuple[str, ...]] = ("question", "measure")
    _untold = ("line", "unit")

    @property
    def question(self) -> str:
        """What the average answers."""
        return said("advice.question", self.method, self.unit)

    @property
    def measure(self) -> str:
        """What is read at the declared operating point; empty if there is none."""
        return said("advice.measure", self.line) if self.line else ""


@dataclass(frozen=True, eq=False, repr=False)
class Answer(_OfAverage):
    """What the recommended average says.

    Attributes
    ----------
    method, unit, line, question, measure
        The average, what it answers, and what is read at the declared operating point.
    model : str
        Empty where no models were named.
    auc : float
    auc_interval : Interval
        Over groups.
    value : float or None
        What is read.
    value_interval : Interval or None
    """

    model: str
    auc: float
    auc_interval: Interval
    value: float | None
    value_interval: Interval | None

    _line = "{model:?{model}, }{method}: AUC {auc:.4f}{value:?, {measure} {value:.4f}}"


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

    _told = ("question", "measure", "note")

    @property
    def note(self) -> str:
        """What to know before using it."""
        return said("advice.note", self.method, self.unit)


@dataclass(frozen=True, eq=False, repr=False)
class Contest(_OfAverage):
    """Which model wins under one average, over the groups that all models have.

    Attributes
    ----------
    method, unit, line, question, measure
        The average, what it answers, and what models are compared by: the reading at the declared operating
        point, else the AUC.
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

    values: Mapping[str, float]
    winner: str | None
    runner_up: str | None
    difference: float
    interval: Interval
    n_groups: int
    is_recommended: bool

    _told = ("is_decided", "question", "measure")

    @property
    def measure(self) -> str:
        """What the models are compared by."""
        return super().measure or "AUC"

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

    def disagrees(self, right: Contest) -> bool:
        """Whether the two have other winners, and at least one of them says so surely."""
        if self.winner is None or right.winner is None or self.winner == right.winner:
            return False
        return self.is_decided or right.is_decided

    def __repr__(self) -> str:
        if self.winner is None:
            return f"Contest({self.method}: {printable(' = '.join(self.equals))} in {self.measure})"
        winner = printable(self.winner)
        return f"Contest({self.method}: {winner} by {self.difference:.4f} in {self.measure})"


@dataclass(frozen=True, eq=False, repr=False)
class TunedCost(Result):
    """What a model costs at one pair of costs, every group tuned to them.

    Attributes
    ----------
    model : str
    costs : (float, float)
        Of a false positive and of a false negative.
    cost : float
        Expected cost per case: the mean of the groups' least costs.
    interval : Interval
        Over groups.
    fpr, tpr : float
        The mean of the groups' best points.
    """

    model: str
    costs: Pair
    cost: float
    interval: Interval
    fpr: float
    tpr: float

    _line = "costs {costs[0]:g} : {costs[1]:g}, cost {cost:.4g} at fpr {fpr:.4f}, tpr {tpr:.4f}"


@dataclass(frozen=True, eq=False, repr=False)
class CostDifference(Result):
    """By how much the second of two models costs more than the first at one pair of costs.

    Attributes
    ----------
    costs : (float, float)
    better, worse : str
        By their mean costs there.
    difference : float
        Expected cost per case, worse less better.
    interval : Interval
        Paired over groups.
    """

    costs: Pair
    better: str
    worse: str
    difference: float
    interval: Interval

    _line = "costs {costs[0]:g} : {costs[1]:g}, {better} cheaper by {difference:.4g}"

    @property
    def is_nothing(self) -> bool:
        """Whether the two cost the same."""
        return abs(self.difference) <= ROUNDING


@dataclass(frozen=True, eq=False, repr=False)
class CostRange(Told, Result, sentence="advice.cost_range"):
    """What happens between the ends of a range of costs.

    Attributes
    ----------
    points : tuple of TunedCost
        Of every model at both ends and in the middle.
    winners : tuple of str
        The cheapest model from one end to the other; one name if it does not change, none if there is one
        model or several cost the same all the way.
    crossings : tuple of (float, float)
        The costs at which one gives way to the next.
    differences : tuple of CostDifference
        The two cheapest at both ends, and where they are furthest apart.
    equals : tuple of str
        The models that cost the same all the way, if they are cheapest.
    reading : str
        The same in a sentence.
    """

    points: tuple[TunedCost, ...]
    winners: tuple[str, ...]
    crossings: tuple[Pair, ...]
    differences: tuple[CostDifference, ...]
    equals: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether another model is cheapest somewhere in the range."""
        return len(self.winners) > 1

    def __repr__(self) -> str:
        return f"CostRange({printable(' then '.join(self.winners)) or 'no model is cheaper'})"


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Told, TableResult, sentence="advice.advice"):
    """Which average answers a deployment's question, and what speaks for and against it.

    Attributes
    ----------
    deployment : Deployment
        What was declared.
    method : Method
        The average to use; a plain one equals its name.
    chosen : Method or None
        The average that was asked about instead (``method=``); the warnings are about it.
    because : tuple of Reason
        The rules that speak for it, each with its code and source; printed, they are sentences.
    warnings : tuple of RocsteadyWarning
        What to know first; kept here, not issued.
    answers : tuple of Answer
        What the recommended average says, for every model; empty without data.
    alternatives : tuple of Alternative
        What every other average says and by how much that differs, for every model; empty without data.
    contests : tuple of Contest
        Which model wins under each average, the recommended one first; empty for one model.
    cost_range : CostRange or None
        What happens between the ends of a range of costs.
    comparability : tuple of Comparability
        For every model, whether scores mean the same in all groups; empty without data or with row weights.
    unit : str
        The word for a group.
    reading : str
        The advice in a few sentences.
    """

    deployment: Deployment
    method: Method
    chosen: Method | None
    because: tuple[Reason, ...]
    warnings: tuple[RocsteadyWarning, ...]
    answers: tuple[Answer, ...]
    alternatives: tuple[Alternative, ...]
    contests: tuple[Contest, ...]
    cost_range: CostRange | None
    comparability: tuple[Comparability, ...]
    unit: str

    _line = (
        "{method}{chosen:?, asked about {chosen}}, {warnings:count warning}"
        "{alternatives:?, {alternatives:count alternative}}"
    )

    def to_dict(self) -> dict[str, Any]:
        """The advice as plain data that JSON can carry."""
        texts = [" ".join(filter(None, [own.problem, own.found])) for own in self.warnings]
        found = [{"code": own.code, "text": text} for own, text in zip(self.warnings, texts, strict=True)]
        return super().to_dict() | {"warnings": found}

    def _columns(self) -> dict[str, Any]:
        """One row for each average of each model, the recommended ones first."""
        rows: list[Answer] = [*self.answers, *self.alternatives]
        nothing = float("nan")
        columns: dict[str, list[Any]] = {
            "model": [own.model for own in rows],
            "method": [str(own.method) for own in rows],
            "auc": [own.auc for own in rows],
            "value": [nothing if own.value is None else own.value for own in rows],
        }
        for name in ("auc", "value"):
            gaps = [getattr(own, f"{name}_difference", None) for own in rows]  # an answer has none
            columns[f"{name}_difference"] = [nothing if gap is None else gap for gap in gaps]
            for end in ("low", "high"):
                limits = [getattr(getattr(own, f"{name}_interval"), end, nothing) for own in rows]
                known = zip(gaps, limits, strict=True)
                columns[f"{name}_{end}"] = [nothing if gap is None else limit for gap, limit in known]
        return {name: np.array(values) for name, values in columns.items()}


# Giving it


def advise(
    deployment: Deployment | None,
    score_set: ScoreSet | None = None,
    *,
    method: str | Method | None = None,
    folds: bool | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
) -> Advice:
    """Which average answers the question of a deployment.

    Parameters
    ----------
    deployment : Deployment
        How the scores will be used. Without one nothing is recommended (RS093).
    score_set : ScoreSet, optional
        The data, to be warned about them and to see how much other averages would change the answer. Groups
        of one class are left out of averages of curves and listed.
    method : str or Method, optional
        An average that you mean to use: the warnings are then about it.
    folds : bool, optional
        Whether the groups are folds of a cross-validation; by default as the design of the scores says.
    confidence_level : float
        Of all intervals; random are the groups.
    seed : int
        Of resamples and permutations.

    Returns
    -------
    Advice

    Notes
    -----
    Differences between averages are paired: all averages, also of other models, see the same resamples of the
    groups, and a difference of means over groups has a t interval of the groups' own differences. With few
    groups the intervals by resampling are rough (RS312); how often they cover is in ``docs/coverage.md``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> devices = rs.Deployment(threshold="shared", weigh="groups")
    >>> advice = rs.advise(devices)
    >>> advice.method == "threshold"
    True
    >>> print(advice.because[1])
    Every group counts once: the threshold average. Pooling would draw the curve towards the groups with most
    rows. (Hogan & Adams, section 4.2; RS331)
    >>> [warning.code for warning in rs.advise(devices, method="pooled", folds=True).warnings]
    ['RS314', 'RS311']
    """
    declared = _declared(deployment)
    open_share("confidence_level", confidence_level)
    whole_number("seed", seed, least=0, example=0)
    if folds is not None:
        yes_or_no("folds", folds)
    if score_set is not None and not isinstance(score_set, ScoreSet):
        ways = ["advise(deployment, ScoreSet.from_folds(pairs))"]
        raise fail("RS002.set-of-scores", function="advise", found=described(score_set), ways=ways)
    chosen = None if method is None else method_of(method)
    about = declared.method if chosen is None else chosen
    is_folds = is_of_folds(score_set, folds)
    unit = score_set.unit if score_set is not None else "fold" if is_folds else "group"
    by_model: dict[str, ScoreSet] = {}
    if score_set is not None:
        roc_curves(score_set, undefined="drop")  # raises if there is no curve at all
        by_model = {name: score_set.model(name) for name in score_set.models}
        if len(by_model) < 2:
            by_model = dict.fromkeys(score_set.models or ("",), score_set)
    levels = {name: levels_of(own, about, confidence_level, seed) for name, own in by_model.items()}
    subjects = [
        Subject(about, declared, own, is_folds, confidence_level, levels.get(name))
        for name, own in (by_model.items() or [("", None)])
    ]
    warned = findings_about_all(subjects)
    methods, line = candidates(declared), declared.line
    draws = {n_groups: draws_of(n_groups, seed) for n_groups in {len(own) for own in by_model.values()}}
    read: dict[str, list[Read]] = {}
    answers: list[Answer] = []
    others: list[Any] = []
    for name, own in by_model.items():
        read[name] = read_all(own, methods, line, draws[len(own)])
        right, *rest = _answers(name, read[name], own.unit, line, confidence_level, levels[name])
        answers.append(right)
        others += rest
    contests = _contests(by_model, read, methods, line, seed, confidence_level)
    costs = _cost_range(declared, by_model, read, confidence_level)
    unread = [own.label for own in methods if own not in {row.method for row in [*answers, *others]}]
    if answers and unread:  # thresholds are integers that no float can tell apart
        warned.append(caution("RS048.averages", averages=unread))
    ahead = [own for own in contests if own.disagrees(contests[0])]
    if ahead:
        first, standings = contests[0], said("advice.standings", [contests[0], *ahead])
        facts = {"winner": first.winner, "measure": first.measure, "standings": standings}
        warned.append(caution("RS319.ahead", averages=[own.method.label for own in ahead], **facts))
    if costs is not None and costs.changes:
        later, gaps = list(notes("advice.changes", costs)), said("advice.gaps", costs)
        warned.append(caution("RS320.changes", winners=costs.winners, others=later, gaps=gaps))
    return Advice(
        deployment=declared,
        method=declared.method,
        chosen=chosen,
        because=reasons(declared, unit),
        warnings=tuple(warned),
        answers=tuple(answers),
        alternatives=tuple(others),
        contests=contests,
        cost_range=costs,
        comparability=tuple(found for found in levels.values() if found is not None),
        unit=unit,
    )


def _declared(deployment: object) -> Deployment:
    if isinstance(deployment, Deployment):
        return deployment
    if deployment is None:
        ways = [
            "Deployment(threshold='shared', weigh='groups')",
            "Deployment(threshold='own', hold='fpr', at=0.05)",
        ]
        raise fail("RS093.undeclared", units="groups", ways=ways)
    way, found = "advise(Deployment(threshold='own', hold='fpr'), score_set)", described(deployment)
    raise fail("RS002.kind", name="deployment", kind="a Deployment", found=found, ways=[way])


def candidates(deployment: Deployment) -> tuple[Method, ...]:
    """The averages that a deployment could be read off, the right one first.

    The binormal average is not among them: it is a model of curves, not an answer to another question.
    """
    found = [deployment.method, *(method for name, method in PLAIN.items() if name != "binormal")]
    if deployment.prevalence is not None:
        found.append(AtAlarmRate(prevalence=deployment.prevalence))
    if deployment.cost_direction is not None:
        found.append(deployment.cost_direction)
    return tuple(dict.fromkeys(found))


# What every average says


@dataclass(frozen=True, eq=False)
class Read:
    """One average of one model, read."""

    method: Method
    average: Average
    auc: Quantity
    value: Quantity | None


def read_all(curves: Any, methods: Sequence[Method], line: Line | None, draws: Draws) -> list[Read]:
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
            found.append(Read(method, made, reader.auc(), reader.value(line, base) if line else None))
        except UsageError as error:
            if error.code != "RS048" or base is made:
                raise
    return found


def _answers(
    model: str, read: Sequence[Read], unit: str, line: Line | None, level: float, levels: Comparability | None
) -> Iterator[Answer]:
    """The recommended average of a model, with intervals of its own; then the others, set against it."""
    right = read[0]
    for entry in read:
        is_right, value = entry is right, None
        auc = (not is_right and _priced(entry, right, levels)) or difference(
            entry.auc, None if is_right else right.auc, level
        )
        if entry.value and right.value:
            value = difference(entry.value, None if is_right else right.value, level)
        own: dict[str, Any] = {"model": model, "method": entry.method, "unit": unit, "line": line}
        own |= {"auc_interval": auc.interval, "value_interval": value.interval if value else None}
        gaps: dict[str, Any] = {"auc": auc.value, "value": value.value if value else None}
        if is_right:
            yield Answer(**own, **gaps)
        else:
            own |= {"auc": entry.auc.value, "value": entry.value.value if entry.value else None}
            yield Alternative(**own, auc_difference=gaps["auc"], value_difference=gaps["value"])


def _priced(read: Read, right: Read, levels: Comparability | None) -> Difference | None:
    """What one shared threshold costs in AUC is known better: comparability has an interval made for it."""
    if levels is None:
        return None
    # The threshold average, or a pool that is the same: all groups are of one size.
    is_shared, is_other = (
        isinstance(entry.method, Threshold | Pooled) and abs(entry.auc.value - levels.shared_auc) < 1e-12
        for entry in (read, right)
    )
    along = isinstance(read.method, AlongDirection) or isinstance(right.method, AlongDirection)
    if is_shared == is_other or not along:
        return None
    low, high = levels.price_interval.low, levels.price_interval.high
    if is_shared:
        low, high = -high, -low
    gap = read.auc.value - right.auc.value
    return Difference(gap, replace(levels.price_interval, low=low, high=high))


# Which model wins


def _contests(
    by_model: Mapping[str, ScoreSet],
    read: Mapping[str, list[Read]],
    methods: Sequence[Method],
    line: Line | None,
    seed: int,
    level: float,
) -> tuple[Contest, ...]:
    """For every average, which model is best over the groups that all of them have."""
    shared = common_groups(by_model) if len(by_model) > 1 else ()
    if not shared:
        return ()
    # A threshold on one model's scores says nothing about another's.
    line = None if line is not None and line.threshold is not None else line
    by_method = {name: {entry.method: entry for entry in own} for name, own in read.items()}
    again = [method for method in methods if _differs(method, by_model, shared)]
    if again:
        draws = draws_of(len(shared), seed)
        for name, own in by_model.items():
            found = read_all(only_groups(own, shared), again, line, draws)
            known = {method: entry for method, entry in by_method[name].items() if method not in again}
            by_method[name] = known | {entry.method: entry for entry in found}
    unit = next(iter(by_model.values())).unit
    rows = []
    for method in methods:
        entries = {name: own[method] for name, own in by_method.items() if method in own}
        if len(entries) == len(by_model):
            rows.append(_contest(entries, line, unit, level, len(shared), method == methods[0]))
    return tuple(rows)


def _differs(method: Method, by_model: Mapping[str, ScoreSet], shared: tuple[str, ...]) -> bool:
    """Whether models were not read on the same groups: others have a curve, or, in pooling, only rows."""
    if isinstance(method, Pooled):
        return any(own.groups != shared or own.undefined for own in by_model.values())
    lists = {own.groups for own in by_model.values()}  # draws are paired by a group's place in its list
    return len(lists) > 1 or any(common_groups({"": own}) != shared for own in by_model.values())


def _contest(
    entries: Mapping[str, Read],
    line: Line | None,
    unit: str,
    level: float,
    n_groups: int,
    is_recommended: bool,
) -> Contest:
    quantities = {name: own.value if line and own.value else own.auc for name, own in entries.items()}
    sign = 1 if line is None or line.higher_is_better else -1
    ranking = sorted(quantities, key=lambda name: -sign * quantities[name].value)
    best, second = ranking[:2]
    found = difference(quantities[best], quantities[second], level)
    low, high = sorted([sign * found.interval.low, sign * found.interval.high])
    is_equal = abs(found.value) <= ROUNDING
    return Contest(
        method=entries[best].method,
        unit=unit,
        line=line,
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


# Costs that are not known precisely. With every group tuned to the costs, the expected cost of a model is a
# concave function of their shares, made of straight pieces: the lower envelope of the tangent average's
# vertices. Where two models cost the same is found on those pieces, not on a grid.


def _cost_range(
    deployment: Deployment, by_model: Mapping[str, ScoreSet], read: Mapping[str, list[Read]], level: float
) -> CostRange | None:
    """Over the range of a deployment's costs, on the groups that all models have; None if there is none."""
    ends, prevalence, middle = deployment.cost_range, deployment.prevalence, deployment.typical_costs
    shared = common_groups(by_model) if by_model else ()
    if ends is None or prevalence is None or middle is None or deployment.hold != "cost" or not shared:
        return None
    tangents: dict[str, TangentAverage] = {}
    for name, own in by_model.items():
        made: Any = read[name][0].average
        if made.members != shared:
            made = average(only_groups(own, shared), "tangent")
        tangents[name] = made
    points = []
    for costs in (ends[0], middle, ends[1]):
        for name, tangent in tangents.items():
            found = tangent.at_costs(
                false_positive=costs[0],
                false_negative=costs[1],
                prevalence=prevalence,
                confidence_level=level,
            )
            points.append(TunedCost(name, costs, found.cost, found.cost_interval, found.fpr, found.tpr))
    if len(tangents) == 1:
        return CostRange(tuple(points), (), (), ())
    scale = _Scale(*ends, prevalence)
    places, costs_there = _envelope(tangents, scale)
    winners, crossings, equals = _succession(list(tangents), places, costs_there)
    rising = np.sort(costs_there, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # the two cheapest, as a share of what they cost
        gap = np.where(rising[1] > 0, (rising[1] - rising[0]) / rising[1], 0.0)
    furthest = scale.costs(float(places[int(np.argmax(gap))]))
    at = dict.fromkeys([ends[0], furthest, ends[1]])
    differences = tuple(_cost_difference(tangents, pair, prevalence, level) for pair in at)
    return CostRange(tuple(points), winners, tuple(map(scale.costs, crossings)), differences, equals)


def _cost_difference(
    tangents: Mapping[str, TangentAverage], costs: Pair, prevalence: float, level: float
) -> CostDifference:
    of_misses, of_alarms = prevalence * costs[1], (1 - prevalence) * costs[0]
    least = {name: least_costs(own, of_misses, of_alarms) for name, own in tangents.items()}
    better, worse = sorted(least, key=lambda name: float(tangents[name].weights @ least[name]))[:2]
    own = tangents[better]
    found = spread((least[worse] - least[better])[:, None], own.weights, own.design.test_train_ratio)
    mean, error = float(found.mean[0]), float(found.standard_error[0])
    half = t_quantile(own.effective_groups - 1, level) * error
    return CostDifference(
        costs, better, worse, mean, Interval(mean - half, mean + half, level, "t over groups")
    )


@dataclass(frozen=True)
class _Scale:
    """Costs as shares of their sum, on which costs are straight lines: 0 at one end, 1 at the other."""

    first: Pair
    last: Pair
    prevalence: float

    @cached_property
    def shares(self) -> Pair:
        """The share of a false positive at both ends."""
        return self.first[0] / sum(self.first), self.last[0] / sum(self.last)

    def weights(self, place: Any) -> tuple[Any, Any]:
        """Expected cost of missing every positive and of a false alarm on every negative."""
        (a, b), share = self.shares, np.asarray(place)
        false_positive = (1 - share) * a + share * b
        return self.prevalence * (1 - false_positive), (1 - self.prevalence) * false_positive

    def costs(self, place: float) -> Pair:
        """The costs at a place, in the units of the end that has a false positive cost of its own."""
        if place in (0, 1):
            return self.first if place == 0 else self.last
        a, b = self.shares
        share = (1 - place) * a + place * b
        unit = self.first[0] or self.last[0]
        return (unit, unit * (1 - share) / share) if share > 0 else (0.0, 1.0)

    def place_of_slope(self, slope: Floats) -> Floats:
        """Where two points joined by a line of this slope cost the same."""
        (a, b), p, q = self.shares, self.prevalence, 1 - self.prevalence
        with np.errstate(invalid="ignore"):
            share = np.where(np.isinf(slope), 1.0, p * slope / (q + p * slope))
        return np.asarray((share - a) / (b - a))


def _envelope(tangents: Mapping[str, TangentAverage], scale: _Scale) -> tuple[Floats, Floats]:
    """Places where the best point of any model changes, ends included, and the cost of each model there."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = [np.diff(own.tpr) / np.diff(own.fpr) for own in tangents.values()]
        places = np.concatenate([np.array([0.0, 1.0]), *map(scale.place_of_slope, slopes)])
        places = np.unique(places[(places >= 0) & (places <= 1)])
        of_misses, of_alarms = scale.weights(places)
        wanted = of_alarms / of_misses
    least = []
    for own, slope in zip(tangents.values(), slopes, strict=True):  # cheapest below the slope of costs
        falling = np.minimum.accumulate(np.nan_to_num(slope, nan=np.inf, posinf=np.inf))
        vertex = np.searchsorted(-falling, -wanted, side="left")
        least.append(of_misses * (1 - own.tpr[vertex]) + of_alarms * own.fpr[vertex])
    return places, np.array(least)


def _succession(
    names: list[str], places: Floats, costs: Floats
) -> tuple[tuple[str, ...], tuple[float, ...], tuple[str, ...]]:
    """The cheapest model from place to place, and where it changes; exact, as costs are straight between.

    Last, the models that cost the same all the way and are cheapest; then none comes first.
    """
    # Between two places all costs are straight lines, so two models change places at most once there.
    # Models that cost the same must not seem to change places for a rounding error.
    extra, tolerance = [], 1e-12 * float(costs.max())
    for i in range(len(names)):
        for j in range(i):
            gap = costs[i] - costs[j]
            gap[np.abs(gap) <= tolerance] = 0.0
            turns = np.flatnonzero(gap[1:] * gap[:-1] < 0)
            share = gap[turns] / (gap[turns] - gap[turns + 1])
            extra.append(places[turns] + share * (places[turns + 1] - places[turns]))
    every = np.unique(np.concatenate([places, *extra]))
    between = (every[1:] + every[:-1]) / 2
    there = np.array([np.interp(between, places, own) for own in costs])
    is_cheapest = there <= there.min(axis=0) + tolerance
    order, changes, alive = [], [], is_cheapest[:, 0]
    for segment in range(1, between.size):  # whoever is cheapest stays it for as long as nobody undercuts
        if not (alive & is_cheapest[:, segment]).any():
            order.append(int(np.argmax(alive)))
            changes.append(float(every[segment]))
            alive = is_cheapest[:, segment]
        alive = alive & is_cheapest[:, segment]
    equal = tuple(names[i] for i in np.flatnonzero(alive)) if not changes and alive.sum() > 1 else ()
    order.append(int(np.argmax(alive)))
    return () if equal else tuple(names[i] for i in order), tuple(changes), equal
