"""What a score set holds, what was left out of it, and what to know about it before any curve is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Integers
from rocsteady.counting.table import count_table
from rocsteady.errors import RocsteadyWarning, caution
from rocsteady.results import Result
from rocsteady.scores import ScoreSet
from rocsteady.scores.columns import word
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.words import cases, class_cases, counted, grouped, listed, named, plural

FEW_CASES = 10
"""With fewer cases of a class than this, each of them moves its rate by more than ten points."""
MANY_GROUPS = 300
"""From so many on, not every curve is drawn, and groups with few cases are counted."""


@dataclass(frozen=True)
class Finding:
    """Something to know about some of the groups: a coded warning, and the groups that it is about."""

    warning: RocsteadyWarning
    groups: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values: code, text and groups."""
        text = " ".join(filter(None, [self.warning.problem, self.warning.found]))
        return {"code": self.warning.code, "text": text, "groups": list(self.groups)}


@dataclass(frozen=True)
class ModelData(Result):
    """What one model said: how many rows, between which scores, with how many ties.

    Attributes
    ----------
    name : str
        Empty where no models were named.
    n_rows, n_positives, n_negatives : int
    n_groups : int
        Groups that have both classes.
    n_one_class : int
        Rows in the others.
    lowest, highest : float
        NaN if there are no rows.
    n_distinct : int
        Distinct scores among all rows of the model.
    n_ties : int
        Rows whose score another row of the same group has before them.
    """

    name: str
    n_rows: int
    n_positives: int
    n_negatives: int
    n_groups: int
    n_one_class: int
    lowest: float
    highest: float
    n_distinct: int
    n_ties: int


@dataclass(frozen=True)
class DataSummary(Result):
    """A score set in numbers, with the findings about its groups.

    Attributes
    ----------
    n_read : int
        Rows that were read. A row with several scores counts once for each.
    dropped : mapping
        How many of them were dropped while they were read, by cause; a row may have several.
    n_dropped : int
        How many rows these are.
    left_out : tuple of str
        Groups with too few cases of a class.
    n_left_out : int
        Their rows.
    n_rows : int
        The rows that remain.
    unit : str
        The word for a group.
    is_grouped : bool
        Whether there are groups; else all rows are one that nobody speaks of.
    n_groups, n_members, n_curves : int
        Groups; groups times models where those were scored; members that have both classes.
    one_class : tuple of str
        Groups where some model has one class only.
    positive, negative : str
        The words for the classes.
    models : tuple of ModelData
    findings : tuple of Finding
        RS201 for groups without a curve, RS203 for groups with few cases of one class, RS205 if these are
        very many.
    """

    n_read: int
    dropped: Mapping[str, int]
    n_dropped: int
    left_out: tuple[str, ...]
    n_left_out: int
    n_rows: int
    unit: str
    is_grouped: bool
    n_groups: int
    n_members: int
    n_curves: int
    one_class: tuple[str, ...]
    positive: str
    negative: str
    higher_is_positive: bool
    models: tuple[ModelData, ...]
    findings: tuple[Finding, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; a finding becomes its code, its text and its groups."""
        data = super().to_dict()
        data["findings"] = [finding.to_dict() for finding in self.findings]
        return data


def check(score_set: ScoreSet, left_out: tuple[str, ...] = (), n_left_out: int = 0) -> DataSummary:
    """Count what is in a score set and note what its groups lack.

    Parameters
    ----------
    score_set : ScoreSet
    left_out, n_left_out
        Groups that were taken out of it for their few cases, and their rows.

    Examples
    --------
    >>> from rocsteady.scores import ScoreSet
    >>> folds = ScoreSet.from_folds([([0, 1, 1], [0.1, 0.4, 0.4]), ([0, 0], [0.2, 0.6])])
    >>> summary = check(folds)
    >>> summary.n_rows, summary.n_curves, summary.models[0].n_distinct, summary.models[0].n_ties
    (5, 1, 4, 1)
    >>> print(summary.findings[0].warning)
    RS201: fold 2 has no positive cases; left out of every average.
    """
    has_curve, dropped = score_set.has_curve, score_set.dropped
    lacking = {score_set.groups[i] for i in score_set.group_index[~has_curve].tolist()}
    return DataSummary(
        n_read=score_set.columns.n_cases + dropped.n_rows + n_left_out,
        dropped={cause.value: int(n) for cause, n in dropped.causes.items()},
        n_dropped=dropped.n_rows,
        left_out=left_out,
        n_left_out=n_left_out,
        n_rows=score_set.columns.n_cases,
        unit=score_set.unit,
        is_grouped=_is_grouped(score_set),
        n_groups=len(score_set.groups),
        n_members=len(score_set),
        n_curves=int(has_curve.sum()),
        one_class=tuple(name for name in score_set.groups if name in lacking),
        positive=score_set.classes.positive,
        negative=score_set.classes.negative,
        higher_is_positive=score_set.higher_is_positive,
        models=_models(score_set),
        findings=(*_without_curve(score_set, ~has_curve), *_with_few_cases(score_set, has_curve)),
    )


def _models(score_set: ScoreSet) -> tuple[ModelData, ...]:
    columns, has_curve = score_set.columns, score_set.has_curve
    rows = score_set.n_positives + score_set.n_negatives
    distinct = np.diff(count_table(score_set).offsets) - 1  # every curve starts with an infinite threshold
    found = []
    for index, name in enumerate(score_set.models or ("",)):
        members = score_set.model_index == index
        scores = columns.scores[np.repeat(members, np.diff(columns.offsets))]
        found.append(
            ModelData(
                name=name,
                n_rows=int(rows[members].sum()),
                n_positives=int(score_set.n_positives[members].sum()),
                n_negatives=int(score_set.n_negatives[members].sum()),
                n_groups=int((members & has_curve).sum()),
                n_one_class=int(rows[members & ~has_curve].sum()),
                lowest=scores.min().item() if scores.size else float("nan"),
                highest=scores.max().item() if scores.size else float("nan"),
                n_distinct=int(np.unique(scores).size),
                n_ties=int(rows[members].sum() - distinct[members].sum()),
            )
        )
    return tuple(found)


def _without_curve(score_set: ScoreSet, chosen: NDArray[np.bool_]) -> list[Finding]:
    """RS201: one message for one group, one for all where there are several."""
    names = _names(score_set, chosen)
    if not names:
        return []
    lacks = {name: _lack(score_set, member) for name, member in names.items()}
    if len(names) == 1:
        ((name, lack),) = lacks.items()
        if not name:
            return _finding(names, caution("RS201.alone", lack=lack))
        return _finding(
            names, caution("RS201.group", group=_said(name, score_set), lack=lack, is_pooled=False)
        )
    found = [
        f"{lack}: {listed([name for name in names if lacks[name] == lack])}"
        for lack in dict.fromkeys(lacks.values())
    ]
    share = _share(names, chosen, score_set)
    return _finding(names, caution("RS201.groups", share=share, lacks="; ".join(found), is_pooled=False))


def _lack(score_set: ScoreSet, member: int) -> str:
    if score_set.n_positives[member] == score_set.n_negatives[member]:
        return "no rows left"
    if score_set.n_positives[member] == 0:
        return cases(0, score_set.classes.positive, is_positive=True)
    return cases(0, score_set.classes.negative, is_positive=False)


def _with_few_cases(score_set: ScoreSet, has_curve: NDArray[np.bool_]) -> list[Finding]:
    """RS203, for each class: its rate is coarse where few cases make it up."""
    if len(score_set.groups) > MANY_GROUPS:
        return _many_with_few_cases(score_set, has_curve)
    findings = []
    for is_positive, counts, label, rate in (
        (True, score_set.n_positives, score_set.classes.positive, "tpr"),
        (False, score_set.n_negatives, score_set.classes.negative, "fpr"),
    ):
        few_cases = has_curve & (counts < FEW_CASES)
        names = _names(score_set, few_cases)
        if not names:
            continue
        sizes = sorted({int(counts[member]) for member in names.values()})
        fewer = cases(sizes[0] if len(names) == 1 else FEW_CASES, label, is_positive=is_positive)
        rate_of_few: dict[str, str] = {"cases": fewer, "rate": rate, "steps": _steps(sizes)}
        if len(names) > 1:
            share = _share(names, few_cases, score_set)
            found = listed([f"{name} ({counts[member]})" for name, member in names.items()])
            warning = caution("RS203.groups", share=share, sizes=found, **rate_of_few)
        elif "" in names:
            warning = caution("RS203.alone", **rate_of_few)
        else:
            warning = caution("RS203.group", group=_said(next(iter(names)), score_set), **rate_of_few)
        findings += _finding(names, warning)
    return findings


def _many_with_few_cases(score_set: ScoreSet, has_curve: NDArray[np.bool_]) -> list[Finding]:
    """RS205, where there are so many groups that nobody looks at them one by one."""
    classes = (
        (score_set.n_positives, score_set.classes.positive, True),
        (score_set.n_negatives, score_set.classes.negative, False),
    )
    few = []
    for counts, label, is_positive in classes:
        groups = {int(i) for i in score_set.group_index[has_curve & (counts < FEW_CASES)]}
        if groups:
            few.append((groups, class_cases(label, is_positive=is_positive)))
    if not few:
        return []
    (first, own), (others, other_cases) = [*few, (set[int](), "")][:2]
    warning = caution(
        "RS205.coarse",
        n_groups=len(score_set.groups),
        units=plural(score_set.unit),
        few=FEW_CASES,
        n=len(first),
        cases=own,
        n_others=len(others) or None,
        other_cases=other_cases,
        most=MANY_GROUPS,
    )
    return [Finding(warning, tuple(score_set.groups[i] for i in sorted(first | others)))]


def _steps(sizes: list[int]) -> str:
    """How a rate moves that rests on so few cases, fewest first."""
    if sizes == [1]:
        return "can only be 0 or 1"
    finest, coarsest = f"{100 / sizes[-1]:.0f}", f"{100 / sizes[0]:.0f}"
    return f"moves in steps of {coarsest if finest == coarsest else f'{finest} to {coarsest}'} points"


def _finding(names: dict[str, int], warning: RocsteadyWarning) -> list[Finding]:
    return [Finding(warning, tuple(name for name in names if name))]


def _is_grouped(score_set: ScoreSet) -> bool:
    return (score_set.unit, score_set.groups) != ("group", ("all",))


def _said(name: str, score_set: ScoreSet) -> str:
    return named(score_set.unit, name) if name in score_set.groups else name


def _share(names: dict[str, int], chosen: NDArray[np.bool_], score_set: ScoreSet) -> str:
    """``3 of 24 hosts``; of curves where models differ."""
    if set(names) <= set(score_set.groups):
        return f"{grouped(len(names))} of {counted(len(score_set.groups), score_set.unit)}"
    return f"{grouped(int(np.count_nonzero(chosen)))} of {counted(len(score_set), 'curve')}"


def _names(score_set: ScoreSet, chosen: NDArray[np.bool_]) -> dict[str, int]:
    """Names of the chosen members, each with one member that bears it.

    A group is named once where all its models were chosen with the same counts, as they are when all of
    them scored the same cases. Where there are no groups a member is named by its model, or not at all.
    """
    groups, n_groups = score_set.group_index, len(score_set.groups)
    agree = np.bincount(groups, minlength=n_groups) == np.bincount(groups[chosen], minlength=n_groups)
    for counts in (score_set.n_positives, score_set.n_negatives):
        fewest, most = np.full(n_groups, np.iinfo(np.int64).max), np.full(n_groups, -1)
        np.minimum.at(fewest, groups, counts)
        np.maximum.at(most, groups, counts)
        agree &= fewest == most
    names: dict[str, int] = {}
    is_grouped = _is_grouped(score_set)
    for member in np.flatnonzero(chosen).tolist():
        group = groups[member]
        if is_grouped:
            name = score_set.groups[group] if agree[group] else score_set.names[member]
        else:
            name = "" if agree[group] else score_set.models[score_set.model_index[member]]
        names.setdefault(name, member)
    return names


# Several classes
# ---------------


@dataclass(frozen=True, eq=False, repr=False)
class ClassData(Result):
    """The outputs of a classifier of several classes in numbers.

    Attributes
    ----------
    classes, folds : tuple
    n_read, n_rows : int
        Rows that were read, and those that remain.
    dropped : mapping
        How many were dropped while they were read, by cause.
    cases : (n_folds, n_classes) int array
        Of each class in each fold.
    are_posteriors : bool
        Whether the outputs of every row are shares that sum to one, up to rounding.
    n_off_one : int
        Rows whose outputs are not.
    undefined : tuple of str
        Folds that lack a class, and which.
    findings : tuple of Finding
        RS253 for folds that lack a class.
    """

    _line: ClassVar = "{classes:count class}, {n_rows:count row}, {folds:count fold}"

    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    n_read: int
    n_rows: int
    dropped: Mapping[str, int]
    cases: Integers
    are_posteriors: bool
    n_off_one: int
    undefined: tuple[str, ...]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values; a finding becomes its code, its text and its folds."""
        data = super().to_dict()
        data["findings"] = [finding.to_dict() for finding in self.findings]
        return data


def check_classes(scores: MulticlassScores) -> ClassData:
    """Count what is in the outputs of several classes and note what their folds lack.

    Examples
    --------
    >>> from rocsteady.scores.multiclass import MulticlassScores
    >>> outputs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.5, 0.1, 0.4], [0.5, 0.6, 0.4]]
    >>> found = check_classes(MulticlassScores(["a", "b", "c", "b"], outputs, folds=[1, 1, 1, 2]))
    >>> found.cases.tolist(), found.are_posteriors, found.n_off_one
    ([[1, 1, 1], [0, 1, 0]], False, 1)
    >>> print(found.findings[0].warning.problem)
    1 fold lacks classes; errors of these classes leave it out.
    """
    lacking = np.flatnonzero((scores.class_counts == 0).any(axis=1))
    findings = []
    if lacking.size:
        folds = [scores.folds[i] for i in lacking.tolist()]
        classes = np.flatnonzero((scores.class_counts[lacking] == 0).any(axis=0)).tolist()
        facts = {"folds": folds, "classes": [word(scores.classes[c]) for c in classes]}
        found = caution("RS253.lacking", **facts, unit=scores.unit, undefined=scores.undefined)
        findings.append(Finding(found, tuple(folds)))
    return ClassData(
        classes=scores.classes,
        folds=scores.folds,
        n_read=scores.n_rows + scores.dropped.n_rows,
        n_rows=scores.n_rows,
        dropped={cause.value: int(n) for cause, n in scores.dropped.causes.items()},
        cases=scores.class_counts,
        are_posteriors=scores.are_posteriors,
        n_off_one=int(scores.rows_off_one.size),
        undefined=scores.undefined,
        findings=tuple(findings),
    )
