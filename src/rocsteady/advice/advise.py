"""``advise``: the average that fits how scores will be used, and what others would have said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.advice.alternatives import (
    Alternative,
    Answer,
    Contest,
    Read,
    alternative,
    answer,
    common_groups,
    contests,
    only_groups,
    read_all,
)
from rocsteady.advice.costs import CostRange, cost_range
from rocsteady.advice.deployment import Deployment
from rocsteady.advice.findings import Subject, findings_about_all, is_of_folds, levels_of
from rocsteady.advice.places import place_of
from rocsteady.advice.readings import draws_of
from rocsteady.advice.rules import Reason, candidates, reasons
from rocsteady.advice.wording import about_models, about_unread, reading
from rocsteady.averaging.average import average
from rocsteady.averaging.methods import Method, method_of, two_questions
from rocsteady.averaging.tuned import TangentAverage
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.from_scores import described
from rocsteady.errors import RocsteadyWarning, fail
from rocsteady.inference.comparability import Comparability
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.results import TableResult
from rocsteady.scores.score_set import ScoreSet


@dataclass(frozen=True, eq=False, repr=False)
class Advice(TableResult):
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
        Sentences, each with the code of its rule and its source.
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
    reading: str

    def to_dict(self) -> dict[str, Any]:
        """The advice as plain data that JSON can carry."""
        return {
            "deployment": self.deployment.to_dict(),
            "method": str(self.method),
            "chosen": None if self.chosen is None else str(self.chosen),
            "because": [{"code": r.code, "source": r.source, "text": str(r)} for r in self.because],
            "warnings": [
                {"code": w.code, "text": " ".join(filter(None, [w.problem, w.found]))} for w in self.warnings
            ],
            "answers": [own.to_dict() for own in self.answers],
            "alternatives": [own.to_dict() for own in self.alternatives],
            "contests": [own.to_dict() for own in self.contests],
            "cost_range": None if self.cost_range is None else self.cost_range.to_dict(),
            "comparability": [own.to_dict() for own in self.comparability],
            "unit": self.unit,
            "reading": self.reading,
        }

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
            found = [_compared(own, name) for own in rows]
            for i, part in enumerate(("difference", "low", "high")):
                columns[f"{name}_{part}"] = [values[i] for values in found]
        return {name: np.array(values) for name, values in columns.items()}

    def __repr__(self) -> str:
        parts = [str(self.method)]
        if self.chosen is not None:
            parts.append(f"asked about {self.chosen}")
        parts.append(f"{len(self.warnings)} warning{'' if len(self.warnings) == 1 else 's'}")
        if self.alternatives:
            parts.append(f"{len(self.alternatives)} alternatives")
        return f"Advice({', '.join(parts)})"


def _compared(own: Answer, name: str) -> tuple[float, float, float]:
    """Difference to the recommended average and its limits; NaN where there is none."""
    gap = getattr(own, f"{name}_difference", None)
    interval = getattr(own, f"{name}_interval")
    if gap is None or interval is None:
        return float("nan"), float("nan"), float("nan")
    return gap, interval.low, interval.high


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
        Whether the groups are folds of a cross-validation; by default where their word or their names say so.
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
    groups the intervals by resampling are rough (RS312). Measured with ten groups of 50 + 50 cases
    (``simulations/advice.py``), of 95 % intervals 92 to 98 % covered for differences at the operating point
    and 94 to 100 % for differences between models; for differences in AUC to radial and tangent averages,
    which are skewed, 87 to 92 %.

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
    by_model = _by_model(score_set)
    levels = {name: levels_of(own, about, confidence_level, seed) for name, own in by_model.items()}
    subjects = [
        Subject(about, declared, own, is_folds, confidence_level, levels.get(name))
        for name, own in (by_model.items() or [("", None)])
    ]
    warned = findings_about_all(subjects)
    told = _numbers(declared, by_model, levels, seed, confidence_level)
    warned += about_unread(declared, told["answers"], told["alternatives"])
    warned += about_models(told["contests"], told["cost_range"])
    return Advice(
        deployment=declared,
        method=declared.method,
        chosen=chosen,
        because=reasons(declared, unit),
        warnings=tuple(warned),
        comparability=tuple(found for found in levels.values() if found is not None),
        unit=unit,
        reading=reading(declared, unit, len(by_model), told["contests"], told["cost_range"]),
        **told,
    )


def _declared(deployment: object) -> Deployment:
    if isinstance(deployment, Deployment):
        return deployment
    if deployment is None:
        ways = [
            "Deployment(threshold='shared', weigh='groups')",
            "Deployment(threshold='own', hold='fpr', at=0.05)",
        ]
        raise fail("RS093.undeclared", questions=two_questions("groups"), ways=ways)
    way, found = "advise(Deployment(threshold='own', hold='fpr'), score_set)", described(deployment)
    raise fail("RS002.kind", name="deployment", kind="a Deployment", found=found, ways=[way])


def _by_model(score_set: ScoreSet | None) -> dict[str, ScoreSet]:
    if score_set is None:
        return {}
    roc_curves(score_set, undefined="drop")  # raises if there is no curve at all
    if len(score_set.models) < 2:
        return {score_set.models[0] if score_set.models else "": score_set}
    return {name: score_set.model(name) for name in score_set.models}


def _numbers(
    deployment: Deployment,
    by_model: dict[str, ScoreSet],
    levels: dict[str, Comparability | None],
    seed: int,
    level: float,
) -> dict[str, Any]:
    """What the averages say, where there are data."""
    methods, place = candidates(deployment), place_of(deployment)
    read: dict[str, list[Read]] = {}
    answers, others = [], []
    draws = {n_groups: draws_of(n_groups, seed) for n_groups in {len(own) for own in by_model.values()}}
    for name, own in by_model.items():
        entries = read[name] = read_all(own, methods, place, draws[len(own)])
        answers.append(answer(entries[0], name, own.unit, place, level))
        for entry in entries[1:]:
            others.append(alternative(entry, entries[0], name, own.unit, place, level, levels[name]))
    return {
        "answers": tuple(answers),
        "alternatives": tuple(others),
        "contests": contests(by_model, read, methods, place, seed=seed, confidence_level=level),
        "cost_range": _cost_range(deployment, by_model, read, level),
    }


def _cost_range(
    deployment: Deployment, by_model: dict[str, ScoreSet], read: dict[str, list[Read]], level: float
) -> CostRange | None:
    if deployment.cost_range is None or deployment.hold != "cost" or not by_model:
        return None
    tangents: dict[str, TangentAverage] = {}
    shared = common_groups(by_model)
    for name, own in by_model.items():
        made: Any = read[name][0].average
        if made.members != shared:
            if not shared:
                return None
            made = average(only_groups(own, shared), "tangent")
        tangents[name] = made
    return cost_range(tangents, deployment, level)
