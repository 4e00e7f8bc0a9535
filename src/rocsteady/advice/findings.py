"""What speaks against an average, in the declared deployment or in the data: coded, kept, not issued."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocsteady.advice.deployment import Deployment
from rocsteady.averaging.average import average
from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.methods import (
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
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.errors import Option, RocsteadyWarning, caution
from rocsteady.inference.comparability import Comparability, comparability
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import said

READERS = ("reader", "rater", "radiologist", "pathologist", "observer", "annotator", "reviewer", "expert")
"""Words for groups that are people who rate."""
MOST_RATINGS = 12
"""Whole numbers of at most this many different values look like ratings."""
LEAST_USE = 5
"""Rows for each different value, below which they may be few by chance."""
LEAST_BALANCE = 0.5
"""Effective groups per group, below which sizes are very unequal."""
LEAST_STEP = 0.01
"""Difference between the top and the middle of the steps, on average, that is told."""
FEW_CASES = 50
"""Cases of a class in the middle group, below which steps are told without an operating point."""


@dataclass(frozen=True, eq=False)
class Subject:
    """What findings are about: an average of one model's scores, in a deployment if one was declared.

    ``levels`` is the comparison of score levels between groups, where it was made.
    """

    method: Method
    deployment: Deployment | None
    score_set: ScoreSet | None
    is_folds: bool
    confidence_level: float
    levels: Comparability | None = None
    names_model: bool = False
    """Whether what is said of the groups has to say for which model: another has other groups."""

    @property
    def unit(self) -> str:
        """The word for a group."""
        if self.score_set is not None:
            return self.score_set.unit
        return "fold" if self.is_folds else "group"

    @property
    def model(self) -> str | None:
        """Whose scores they are, where models are named."""
        return self.score_set.models[0] if self.score_set and self.score_set.models else None


def findings_about_all(subjects: Sequence[Subject]) -> list[RocsteadyWarning]:
    """Findings about one average of several models; what is about all of them is said once."""
    sets = [subject.score_set for subject in subjects if subject.score_set is not None]
    differ = len({(own.groups, own.undefined) for own in sets}) > 1
    found: dict[str, RocsteadyWarning] = {}
    for subject in subjects:
        for warning in _findings(replace(subject, names_model=differ)):
            found.setdefault(str(warning), warning)
    return list(found.values())


def _findings(subject: Subject) -> Iterator[RocsteadyWarning]:
    """Everything to know before the average is used."""
    yield from _about_the_question(subject)
    is_shared, levels = is_about_shared_threshold(subject.method), subject.levels
    # One model with one threshold will be deployed, so a shared threshold is what folds are asked about; but
    # every fold was scored by another model.
    if subject.is_folds and is_shared and (levels is None or levels.warnings):
        seen = {"has_scores": subject.score_set is not None, "is_seen": levels is not None}
        yield caution("RS311.folds", average=subject.method.label, unit=subject.unit, **seen)
    if subject.score_set is not None:
        curves = roc_curves(subject.score_set, undefined="drop")
        yield from _about_groups(subject, subject.score_set, curves)
        if is_shared:
            yield from _about_ratings(subject, subject.score_set, curves)
        yield from _about_sizes(subject, subject.score_set)
        yield from _about_steps(subject, subject.score_set)
    if levels is not None and is_shared:
        yield from levels.warnings  # RS301


def is_about_shared_threshold(method: Method) -> bool:
    """Whether scores of different groups are compared with each other."""
    return isinstance(method, Threshold | Pooled)


def is_of_folds(score_set: ScoreSet | None, folds: bool | None) -> bool:
    """Whether the groups are folds: as said, else by the design of the scores."""
    if folds is not None:
        return folds
    return score_set is not None and score_set.design.shares_training


def _about_the_question(subject: Subject) -> Iterator[RocsteadyWarning]:
    """RS314 or RS315 if the average answers another question than the declared one; RS316 for AtCosts."""
    deployment, method = subject.deployment, subject.method
    if deployment is not None and not _answers(method, deployment.method):
        right = deployment.method
        if {type(method), type(right)} == {Diagonal, Radial}:
            held, other = ("ratio", "difference") if deployment.hold == "ratio" else ("difference", "ratio")
            yield caution("RS315.held", average=method.label, other=other, held=held, right=str(right))
        else:
            declared, answers = (said("advice.question", own, subject.unit) for own in (right, method))
            typed = Option("method", str(right)) if "(" not in str(right) else f"method={right}"
            facts = {"declared": declared, "answers": answers, "ways": [("the one that fits:  ", typed)]}
            yield caution("RS314.other-question", average=method.label, **facts)
    if isinstance(method, AtCosts):
        yield caution("RS316.tuned", unit=subject.unit)


def _answers(method: Method, right: Method) -> bool:
    """Whether a method answers the question of the right one; how jumps are read makes no difference."""
    if isinstance(method, AtCosts):  # told of by RS316
        return isinstance(right, Tangent)
    if isinstance(right, Vertical | Horizontal):
        return type(method) is type(right)
    return method == right or (right == "threshold" and isinstance(method, Pooled) and method.balanced)


def _about_groups(subject: Subject, own: ScoreSet, curves: CurveSet) -> Iterator[RocsteadyWarning]:
    """RS201 for groups without a curve, RS312 for few groups, RS318 for groups ranked the wrong way round."""
    n_groups, facts = len(curves), {"unit": subject.unit, "model": subject.model}
    named = facts if subject.names_model else facts | {"model": None}
    left_out = [name for name, is_in in zip(own.names, own.has_curve, strict=True) if not is_in]
    if left_out and not isinstance(subject.method, Pooled):
        yield caution("RS201.left-out", groups=left_out, **named)
    if n_groups < FEWEST_GROUPS:
        few = {"n": n_groups, "has_spread": n_groups > 1, "needed": FEWEST_GROUPS}
        yield caution("RS312.few", **few, are_folds=subject.is_folds, **named)
    if curves.is_weighted:
        return
    with warnings.catch_warnings():  # whatever there is to say about single intervals, none is shown
        warnings.simplefilter("ignore", RocsteadyWarning)
        high = np.asarray(curves.auc_interval(subject.confidence_level, "guarded").high)
    below = [name for name, limit in zip(curves.names, high, strict=True) if limit < 0.5]
    if below:
        yield caution("RS318.reversed", n=len(below), n_groups=n_groups, below=below, **facts)


def _about_ratings(subject: Subject, own: ScoreSet, curves: CurveSet) -> Iterator[RocsteadyWarning]:
    """RS313: a threshold shared by people, or by what looks like their ratings."""
    scores = np.unique(curves.table.thresholds[np.isfinite(curves.table.thresholds)])
    is_rated = 2 < scores.size <= MOST_RATINGS and bool((scores == np.round(scores)).all())
    # Folds are scored by models, and a handful of rows has few different scores whatever they are.
    is_rated = is_rated and not subject.is_folds and own.columns.n_cases >= LEAST_USE * scores.size
    is_people = any(word in subject.unit.casefold() for word in READERS)
    low, high, n_values = (scores[0], scores[-1], scores.size) if is_rated else (None, None, None)
    if is_people or is_rated:
        facts = {"unit": subject.unit, "is_people": is_people}
        yield caution("RS313.ratings", **facts, low=low, high=high, n_values=n_values)


def _about_sizes(subject: Subject, own: ScoreSet) -> Iterator[RocsteadyWarning]:
    """RS310: pooling groups of very unequal size."""
    if not isinstance(subject.method, Pooled) or subject.method.balanced or len(own) < 2:
        return
    effective = []
    for word, counts in (("positives", own.n_positives), ("negatives", own.n_negatives)):
        shares = counts / max(counts.sum(), 1)
        effective.append((1 / max(float((shares**2).sum()), 1e-300), word, float(shares.max())))
    number, word, largest = min(effective)
    if number < LEAST_BALANCE * len(own):
        facts = {"number": number, "n_groups": len(own), "share": largest, "cases": word}
        yield caution("RS310.unequal", unit=own.unit, model=subject.model, **facts)


def _about_steps(subject: Subject, own: ScoreSet) -> Iterator[RocsteadyWarning]:
    """RS317: how far the top of the steps lies above their middle, at the operating point if there is one."""
    method, deployment = subject.method, subject.deployment
    if not isinstance(method, Vertical | Horizontal) or method.at_jumps == "mid":
        return
    is_vertical = isinstance(method, Vertical)
    held, free = ("fpr", "tpr") if is_vertical else ("tpr", "fpr")
    is_held = deployment is not None and not deployment.is_shared and deployment.hold == held
    at = deployment.at if deployment is not None and is_held else None
    middle = np.median((own.n_negatives if is_vertical else own.n_positives)[own.has_curve])
    facts = {"model": subject.model, "average": method.label, "unit": own.unit, "n": int(middle)}
    facts["cases"] = "negative" if is_vertical else "positive"
    if at is None:
        if middle < FEW_CASES:
            yield caution("RS317.large-steps", **facts)
        return
    upper, mid = (
        float(getattr(average(own, type(method)(at_jumps=where), undefined="drop").at_position(at), free))  # type: ignore[attr-defined]
        for where in ("upper", "mid")
    )
    if abs(upper - mid) >= LEAST_STEP:
        yield caution("RS317.better-end", rate=free.upper(), upper=upper, middle=mid, **facts)


def levels_of(own: ScoreSet, method: Method, confidence_level: float, seed: int) -> Comparability | None:
    """What one shared threshold costs; None with row weights or a single group."""
    if own.columns.weights is not None or np.count_nonzero(own.has_curve) < 2:
        return None
    # A warning needs no small p-value, and where no threshold is shared only the price is told.
    n_rows = own.columns.n_cases
    n_permutations = 999 if n_rows <= 200_000 else 199 if n_rows <= 5_000_000 else 99
    if not is_about_shared_threshold(method):
        n_permutations = 99
    return comparability(own, n_permutations=n_permutations, confidence_level=confidence_level, seed=seed)
