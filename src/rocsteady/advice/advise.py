"""``advise``: the average that fits how scores will be used, and what others would have said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rocsteady.advice.deployment import Deployment, Line, Pair
from rocsteady.advice.findings import findings, is_of_folds, levels_of
from rocsteady.advice.readings import ROUNDING, Draws, Quantity, area_of, difference, read_at
from rocsteady.arrays import Floats
from rocsteady.averaging.average import average
from rocsteady.averaging.methods import (
    PLAIN,
    AlongDirection,
    AtAlarmRate,
    AtCosts,
    Method,
    Pooled,
    Threshold,
    method_of,
)
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.from_scores import described
from rocsteady.errors import RocsteadyWarning, UsageError, caution, fail
from rocsteady.inference.comparability import Comparability
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.results import Result, TableResult
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Said, Told, notes, said
from rocsteady.statistics.limits import Interval
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

    _line = "{model:?{model}, }{method}: AUC {auc:.4f}{value:?, {measure} {value:.4f}}"

    model: str
    auc: float
    auc_interval: Interval
    value: float | None
    value_interval: Interval | None


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
    _line = "{method}: {winner:?{winner} by {difference:.4f}}{equals:?{_equals}} in {measure}"

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
    def _equals(self) -> str:
        return " = ".join(self.equals)

    @property
    def is_decided(self) -> bool:
        """Whether the interval of the difference leaves out zero."""
        return bool(self.interval.low > 0)

    def disagrees(self, right: Contest) -> bool:
        """Whether the two have other winners, and at least one of them says so surely."""
        if self.winner is None or right.winner is None or self.winner == right.winner:
            return False
        return self.is_decided or right.is_decided


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
    models : (str, str)
        The two, the one with the lower mean cost there first.
    better, worse : str or None
        By their mean costs there; None where they cost the same.
    difference : float
        Expected cost per case, worse less better.
    interval : Interval
        Paired over groups.
    """

    costs: Pair
    models: tuple[str, str]
    difference: float
    interval: Interval

    _told = ("better", "worse")
    _line = (
        "costs {costs[0]:g} : {costs[1]:g}, {better:?{better} cheaper by {difference:.4g}}"
        "{is_nothing:?{models:list} cost the same}"
    )

    @property
    def better(self) -> str | None:
        """The cheaper model; None where they cost the same."""
        return None if self.is_nothing else self.models[0]

    @property
    def worse(self) -> str | None:
        """The dearer model; None where they cost the same."""
        return None if self.is_nothing else self.models[1]

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
    compared: Mapping[str, Comparability | None] | None = None,
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
    compared : mapping, optional
        What :func:`comparability` found of the models, where it was asked already.

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
    Every group counts once: the threshold average. In the pooled curve groups with many rows count more.
    (Hogan & Adams 2023, section 4.2; RS331)
    >>> [warning.code for warning in rs.advise(devices, method="pooled", folds=True).warnings]
    ['RS314', 'RS311']
    """
    if deployment is None:
        ways = [
            "Deployment(threshold='shared', weigh='groups')",
            "Deployment(threshold='own', hold='fpr', at=0.05)",
        ]
        raise fail("RS093.undeclared", units="groups", ways=ways)
    if not isinstance(deployment, Deployment):
        way, found = "advise(Deployment(threshold='own', hold='fpr'), score_set)", described(deployment)
        raise fail("RS002.kind", name="deployment", kind="a Deployment", found=found, ways=[way])
    level = open_share("confidence_level", confidence_level)
    seed = whole_number("seed", seed, least=0, example=0)
    if folds is not None:
        yes_or_no("folds", folds)
    if score_set is not None and not isinstance(score_set, ScoreSet):
        ways = ["advise(deployment, ScoreSet.from_folds(pairs))"]
        raise fail("RS002.set-of-scores", function="advise", found=described(score_set), ways=ways)
    chosen = None if method is None else method_of(method)
    about, is_folds = chosen or deployment.method, is_of_folds(score_set, folds)
    by_model: dict[str, ScoreSet] = {}
    if score_set is not None:
        roc_curves(score_set, undefined="drop")  # raises if there is no curve at all
        by_model = {name: score_set.model(name) for name in score_set.models}
        if len(by_model) < 2:
            by_model = dict.fromkeys(score_set.models or ("",), score_set)
    levels = {
        name: levels_of(own, level, seed) if compared is None else compared[name]
        for name, own in by_model.items()
    }
    sets: list[ScoreSet | None] = [*by_model.values()] or [None]
    known = [*levels.values()] or [None]
    warned = findings(about, deployment, sets, known, is_folds=is_folds, confidence_level=level)
    methods, line = candidates(deployment), deployment.line
    read: dict[str, Read] = {}
    answers: list[Answer] = []
    others: list[Any] = []
    for name, own in by_model.items():
        read[name] = read_all(own, methods, line, Draws(len(own), seed))
        right, *rest = read[name].values()
        how: dict[str, Any] = {"level": level, "levels": levels[name], "model": name, "unit": own.unit}
        answers.append(_answer(right, None, **how, line=line))
        others += [_answer(each, right, **how, line=line) for each in rest]
    contests = _contests(by_model, read, methods, line, seed, level)
    costs = _cost_range(deployment, by_model, read, level)
    unread = [own.label for own in methods if not any(own in found for found in read.values())]
    if read and unread:  # thresholds are integers that no float can tell apart
        warned.append(caution("RS048.averages", averages=unread))
    ahead = [own for own in contests if own.disagrees(contests[0])]
    if ahead:
        first, standings = contests[0], said("advice.standings", [contests[0], *ahead])
        facts = {"winner": first.winner, "measure": first.measure, "standings": standings}
        warned.append(caution("RS319.ahead", averages=[own.method.label for own in ahead], **facts))
    if costs is not None and costs.changes:
        later, gaps = list(notes("advice.changes", costs)), said("advice.gaps", costs)
        warned.append(caution("RS320.changes", winners=costs.winners, others=later, gaps=gaps))
    unit = score_set.unit if score_set is not None else "fold" if is_folds else "group"
    return Advice(
        deployment=deployment,
        method=deployment.method,
        chosen=chosen,
        because=reasons(deployment, unit),
        warnings=tuple(warned),
        answers=tuple(answers),
        alternatives=tuple(others),
        contests=contests,
        cost_range=costs,
        comparability=tuple(found for found in levels.values() if found is not None),
        unit=unit,
    )


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


Read = dict[Method, tuple[Quantity, Quantity | None]]
"""The area under every average of one model, and what it has on the line, if there is one."""


def read_all(curves: Any, methods: Sequence[Method], line: Line | None, draws: Draws) -> Read:
    """Every average of one model; the first is the one that a shared threshold is set on.

    One that cannot be read because its thresholds are integers that a float cannot tell apart (RS048) is left
    out, unless it is the first.
    """
    found: Read = {}
    base = None
    for method in methods:
        made = average(curves, method, undefined="drop")
        base = made if base is None else base
        try:
            found[method] = area_of(made, draws), read_at(line, made, base, draws) if line else None
        except UsageError as error:
            if error.code != "RS048" or base is made:
                raise
    return found


def _answer(
    own: tuple[Quantity, Quantity | None],
    right: tuple[Quantity, Quantity | None] | None,
    level: float,
    levels: Comparability | None,
    **about: Any,
) -> Answer:
    """What an average of a model says, set against the recommended one unless it is that itself."""
    (auc, value), (right_auc, right_value) = own, right or (None, None)
    gap, interval = _priced(auc, right_auc, levels) or difference(auc, right_auc, level)
    facts = about | {"method": auc.average.method, "auc": auc.value, "auc_interval": interval}
    facts |= {"value": value.value if value else None, "value_interval": None}
    value_gap = None
    if value and (right is None or right_value):
        value_gap, facts["value_interval"] = difference(value, right_value, level)
    if right is None:
        return Answer(**facts)
    return Alternative(**facts, auc_difference=gap, value_difference=value_gap)


def _priced(
    auc: Quantity, right: Quantity | None, levels: Comparability | None
) -> tuple[float, Interval] | None:
    """What one shared threshold costs in AUC is known better: comparability has an interval made for it."""
    if levels is None or right is None:
        return None
    methods = [own.average.method for own in (auc, right)]
    # The threshold average, or a pool that is the same: all groups are of one size.
    is_shared, is_other = (
        isinstance(own.average.method, Threshold | Pooled) and abs(own.value - levels.shared_auc) < 1e-12
        for own in (auc, right)
    )
    if is_shared == is_other or not any(isinstance(method, AlongDirection) for method in methods):
        return None
    interval = levels.price_interval
    if is_shared:
        interval = replace(interval, low=-interval.high, high=-interval.low)
    return auc.value - right.value, interval


# Which model wins


def _contests(
    by_model: Mapping[str, ScoreSet],
    read: Mapping[str, Read],
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
    again = [method for method in methods if _differs(method, by_model, shared)]
    found = dict(read)
    if again:
        draws = Draws(len(shared), seed)
        for name, own in by_model.items():
            kept = {method: known for method, known in read[name].items() if method not in again}
            found[name] = kept | read_all(own.take(shared), again, line, draws)
    sign, contests = 1 if line is None or line.higher_is_better else -1, []
    for method in methods:
        if not all(method in own for own in found.values()):
            continue
        both = {name: own[method] for name, own in found.items()}
        quantities = {name: value if line and value else auc for name, (auc, value) in both.items()}
        best, second, *rest = sorted(quantities, key=lambda name: -sign * quantities[name].value)
        gap, interval = difference(quantities[best], quantities[second], level)
        low, high = sorted([sign * interval.low, sign * interval.high])
        is_equal = abs(gap) <= ROUNDING
        contests.append(
            Contest(
                method=method,
                unit=next(iter(by_model.values())).unit,
                line=line,
                values={name: quantities[name].value for name in (best, second, *rest)},
                winner=None if is_equal else best,
                runner_up=None if is_equal else second,
                difference=0.0 if is_equal else sign * gap,
                interval=replace(interval, low=low + 0.0, high=high + 0.0),  # no -0.0
                n_groups=len(shared),
                is_recommended=method == methods[0],
            )
        )
    return tuple(contests)


def _differs(method: Method, by_model: Mapping[str, ScoreSet], shared: tuple[str, ...]) -> bool:
    """Whether models were not read on the same groups: others have a curve, or, in pooling, only rows."""
    if isinstance(method, Pooled):
        return any(own.groups != shared or own.undefined for own in by_model.values())
    lists = {own.groups for own in by_model.values()}  # draws are paired by a group's place in its list
    return len(lists) > 1 or any(common_groups({"": own}) != shared for own in by_model.values())


def common_groups(by_model: Mapping[str, ScoreSet]) -> tuple[str, ...]:
    """Groups that have a curve for every model, in the order of the first."""
    defined = []
    for own in by_model.values():
        defined.append({name: None for name, has in zip(own.groups, own.has_curve, strict=True) if has})
    return tuple(name for name in defined[0] if all(name in other for other in defined[1:]))


# Costs that are not known precisely. With every group tuned to the costs, the expected cost of a model is a
# concave function of their shares, made of straight pieces: the lower envelope of the tangent average's
# vertices. Where two models cost the same is found on those pieces, not on a grid. A place between the ends,
# 0 to 1, is one on the scale of the share of a false positive, on which costs are straight lines.


def _cost_range(
    deployment: Deployment,
    by_model: Mapping[str, ScoreSet],
    read: Mapping[str, Read],
    level: float,
) -> CostRange | None:
    """Over the range of a deployment's costs, on the groups that all models have; None if there is none."""
    ends, prevalence, middle = deployment.cost_range, deployment.prevalence, deployment.typical_costs
    shared = common_groups(by_model) if by_model else ()
    if ends is None or prevalence is None or middle is None or deployment.hold != "cost" or not shared:
        return None
    tangents: dict[str, Any] = {}
    for name, own in by_model.items():
        tangents[name] = read[name][deployment.method][0].average
        if tangents[name].members != shared:
            tangents[name] = average(own.take(shared), "tangent")
    points = []
    for costs in (ends[0], middle, ends[1]):
        asked = {"false_positive": costs[0], "false_negative": costs[1], "prevalence": prevalence}
        for name, tangent in tangents.items():
            found = tangent.at_costs(**asked, confidence_level=level)
            points.append(TunedCost(name, costs, found.cost, found.cost_interval, found.fpr, found.tpr))
    if len(tangents) == 1:
        return CostRange(tuple(points), (), (), ())
    places, costs_there = _envelope(tangents, ends, prevalence)
    winners, crossings, equals = _succession(list(tangents), places, costs_there)
    rising = np.sort(costs_there, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # the two cheapest, as a share of what they cost
        gap = np.where(rising[1] > 0, (rising[1] - rising[0]) / rising[1], 0.0)
    furthest = _costs_at(float(places[int(np.argmax(gap))]), ends)
    differences = []
    for costs in dict.fromkeys([ends[0], furthest, ends[1]]):
        line = Line("cost", (0.0, 0.0), float("nan"), "cost", None, AtCosts(*costs, prevalence))
        draws = Draws(len(shared), 0)  # none is made: the groups' own costs are known
        tuned = {name: read_at(line, tangent, tangent, draws) for name, tangent in tangents.items()}
        better, worse = sorted(tuned, key=lambda name: tuned[name].value)[:2]
        differences.append(
            CostDifference(costs, (better, worse), *difference(tuned[worse], tuned[better], level))
        )
    changes = tuple(_costs_at(place, ends) for place in crossings)
    return CostRange(tuple(points), winners, changes, tuple(differences), equals)


def _costs_at(place: float, ends: tuple[Pair, Pair]) -> Pair:
    """The costs at a place, in the units of the end that has a false positive cost of its own."""
    first, last = ends
    if place in (0, 1):
        return first if place == 0 else last
    share = (1 - place) * first[0] / sum(first) + place * last[0] / sum(last)
    unit = first[0] or last[0]
    return (unit, unit * (1 - share) / share) if share > 0 else (0.0, 1.0)


def _envelope(
    tangents: Mapping[str, Any], ends: tuple[Pair, Pair], prevalence: float
) -> tuple[Floats, Floats]:
    """Places where the best point of any model changes, ends included, and the cost of each model there."""
    (a, b), p, q = (own[0] / sum(own) for own in ends), prevalence, 1 - prevalence
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = [np.diff(own.tpr) / np.diff(own.fpr) for own in tangents.values()]
        # Two points joined by a line of this slope cost the same there.
        shares = [np.where(np.isinf(slope), 1.0, p * slope / (q + p * slope)) for slope in slopes]
        places = np.concatenate([np.array([0.0, 1.0]), *((share - a) / (b - a) for share in shares)])
        places = np.unique(places[(places >= 0) & (places <= 1)])
        share = (1 - places) * a + places * b
        of_misses, of_alarms = p * (1 - share), q * share
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
