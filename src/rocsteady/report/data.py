"""What a score set holds, and what to know about it before any curve is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import count_table
from rocsteady.errors import RocsteadyWarning, caution
from rocsteady.results import Result
from rocsteady.scores import ScoreSet
from rocsteady.words import cases, counted, grouped, listed, named

FEW_CASES = 10
"""With fewer cases of a class than this, each of them moves its rate by more than ten points."""


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
    lowest: float
    highest: float
    n_distinct: int
    n_ties: int


@dataclass(frozen=True)
class DataSummary(Result):
    """A score set in numbers, with the findings about its groups.

    Attributes
    ----------
    n_rows : int
        Rows that are used; ``n_dropped`` more were read. A row with several scores counts once for each.
    unit : str
        The word for a group.
    is_grouped : bool
        Whether there are groups; else all rows are one that nobody speaks of.
    n_groups, n_members, n_curves : int
        Groups; groups times models where those were scored; members that have both classes.
    positive, negative : str
        The words for the classes.
    models : tuple of ModelData
    findings : tuple of Finding
        RS201 for groups without a curve, RS203 for groups with few cases of one class.
    """

    n_rows: int
    n_dropped: int
    unit: str
    is_grouped: bool
    n_groups: int
    n_members: int
    n_curves: int
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


def summarize_data(score_set: ScoreSet) -> DataSummary:
    """Count what is in a score set and note what its groups lack.

    Examples
    --------
    >>> from rocsteady.scores import ScoreSet
    >>> folds = ScoreSet.from_folds([([0, 1, 1], [0.1, 0.4, 0.4]), ([0, 0], [0.2, 0.6])])
    >>> summary = summarize_data(folds)
    >>> summary.n_rows, summary.n_curves, summary.models[0].n_distinct, summary.models[0].n_ties
    (5, 1, 4, 1)
    >>> print(summary.findings[0].warning)
    RS201: fold 2 has no positive cases; left out of every average.
    """
    has_curve = score_set.has_curve
    return DataSummary(
        n_rows=score_set.columns.n_cases,
        n_dropped=score_set.dropped.n_rows,
        unit=score_set.unit,
        is_grouped=_is_grouped(score_set),
        n_groups=len(score_set.groups),
        n_members=len(score_set),
        n_curves=int(has_curve.sum()),
        positive=score_set.classes.positive,
        negative=score_set.classes.negative,
        higher_is_positive=score_set.higher_is_positive,
        models=_models(score_set),
        findings=(*_without_curve(score_set, ~has_curve), *_with_few_cases(score_set, has_curve)),
    )


def _models(score_set: ScoreSet) -> tuple[ModelData, ...]:
    columns = score_set.columns
    distinct = np.diff(count_table(score_set).offsets) - 1  # every curve starts with an infinite threshold
    found = []
    for index, name in enumerate(score_set.models or ("",)):
        members = score_set.model_index == index
        scores = columns.scores[np.repeat(members, np.diff(columns.offsets))]
        n_positives = int(score_set.n_positives[members].sum())
        n_negatives = int(score_set.n_negatives[members].sum())
        found.append(
            ModelData(
                name=name,
                n_rows=n_positives + n_negatives,
                n_positives=n_positives,
                n_negatives=n_negatives,
                lowest=scores.min().item() if scores.size else float("nan"),
                highest=scores.max().item() if scores.size else float("nan"),
                n_distinct=int(np.unique(scores).size),
                n_ties=int(n_positives + n_negatives - distinct[members].sum()),
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
    findings = []
    for is_positive, counts, label, rate in (
        (True, score_set.n_positives, score_set.classes.positive, "TPR"),
        (False, score_set.n_negatives, score_set.classes.negative, "FPR"),
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
