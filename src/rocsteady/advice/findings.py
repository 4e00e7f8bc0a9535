"""What speaks against an average, in the declared deployment or in the data: coded, kept, not issued."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

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
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import Option, RocsteadyWarning, caution
from rocsteady.inference.comparability import Comparability, comparability
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import said
from rocsteady.statistics.groups import effective_number

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


def findings(
    method: Method,
    deployment: Deployment | None,
    sets: Sequence[ScoreSet | None],
    levels: Sequence[Comparability | None],
    *,
    is_folds: bool,
    confidence_level: float,
) -> list[RocsteadyWarning]:
    """Everything to know before an average is used, of every model; what is about all of them is said once.

    ``levels`` are the comparisons of score levels between groups, where they were made.
    """
    differ = len({(own.groups, own.undefined) for own in sets if own is not None}) > 1
    is_shared = is_about_shared_threshold(method)
    found: dict[str, RocsteadyWarning] = {}
    for own, compared in zip(sets, levels, strict=True):
        unit = own.unit if own is not None else "fold" if is_folds else "group"
        told = [*_of_the_question(method, deployment, unit)]
        # One model with one threshold will be deployed, so a shared threshold is what folds are asked about;
        # but every fold was scored by another model.
        if is_folds and is_shared and (compared is None or compared.warnings):
            seen = {"has_scores": own is not None, "is_seen": compared is not None}
            told.append(caution("RS311.folds", average=method.label, unit=unit, **seen))
        if own is not None:
            told += _of_scores(method, own, is_folds, differ, confidence_level)
            told += _of_steps(method, deployment, own)
        if compared is not None and is_shared:
            told += compared.warnings  # RS301
        for warning in told:
            found.setdefault(str(warning), warning)
    return list(found.values())


def of_forgotten_cases(score_set: ScoreSet) -> list[RocsteadyWarning]:
    """RS266 if groups are called like readers and no case was named: they may have seen the same ones."""
    unit = score_set.unit
    are_people = any(word in unit.casefold() for word in READERS)
    if score_set.cases is not None or not are_people or len(score_set.groups) < 2:
        return []
    if score_set.design.shares_training:  # somebody said that they are folds
        return []
    return [caution("RS266.no-cases", unit=unit)]


def is_about_shared_threshold(method: Method) -> bool:
    """Whether scores of different groups are compared with each other."""
    return isinstance(method, Threshold | Pooled)


def is_of_folds(score_set: ScoreSet | None, folds: bool | None) -> bool:
    """Whether the groups are folds: as said, else by the design of the scores."""
    if folds is not None:
        return folds
    return score_set is not None and score_set.design.shares_training


def _of_the_question(method: Method, deployment: Deployment | None, unit: str) -> Iterator[RocsteadyWarning]:
    """RS314 or RS315 if the average answers another question than the declared one; RS316 for AtCosts."""
    if deployment is not None and not _answers(method, deployment.method):
        right = deployment.method
        if {type(method), type(right)} == {Diagonal, Radial}:
            held, other = ("ratio", "difference") if deployment.hold == "ratio" else ("difference", "ratio")
            yield caution("RS315.held", average=method.label, other=other, held=held, right=str(right))
        else:
            declared, answers = (said("advice.question", own, unit) for own in (right, method))
            typed = Option("method", str(right)) if "(" not in str(right) else f"method={right}"
            facts = {"declared": declared, "answers": answers, "ways": [("the one that fits:  ", typed)]}
            yield caution("RS314.other-question", average=method.label, **facts)
    if isinstance(method, AtCosts):
        yield caution("RS316.tuned", unit=unit)


def _answers(method: Method, right: Method) -> bool:
    """Whether a method answers the question of the right one; how jumps are read makes no difference."""
    if isinstance(method, AtCosts):  # told of by RS316
        return isinstance(right, Tangent)
    if isinstance(right, Vertical | Horizontal):
        return type(method) is type(right)
    return method == right or (right == "threshold" and isinstance(method, Pooled) and method.balanced)


def _of_scores(
    method: Method, own: ScoreSet, is_folds: bool, names_model: bool, confidence_level: float
) -> Iterator[RocsteadyWarning]:
    """What speaks against an average in one model's scores; another model may have other groups.

    RS201 for groups without a curve, RS312 for few groups, RS318 for groups ranked the wrong way round, RS313
    for a threshold shared by people, or by what looks like their ratings, RS310 for pooling groups of very
    unequal size.
    """
    curves, unit = roc_curves(own, undefined="drop"), own.unit
    model = own.models[0] if own.models else None
    named = {"unit": unit, "model": model if names_model else None}
    left_out = [name for name, is_in in zip(own.names, own.has_curve, strict=True) if not is_in]
    if left_out and not isinstance(method, Pooled):
        yield caution("RS201.left-out", groups=left_out, **named)
    n_groups = len(curves)
    if n_groups < FEWEST_GROUPS:
        few = {"n": n_groups, "has_spread": n_groups > 1, "needed": FEWEST_GROUPS}
        yield caution("RS312.few", **few, are_folds=is_folds, **named)
    if not curves.is_weighted:
        with warnings.catch_warnings():  # whatever there is to say about single intervals, none is shown
            warnings.simplefilter("ignore", RocsteadyWarning)
            high = np.asarray(curves.auc_interval(confidence_level, "guarded").high)
        below = [name for name, limit in zip(curves.names, high, strict=True) if limit < 0.5]
        if below:
            yield caution(
                "RS318.reversed", n=len(below), n_groups=n_groups, below=below, unit=unit, model=model
            )
    if is_about_shared_threshold(method):
        scores = np.unique(curves.table.thresholds[np.isfinite(curves.table.thresholds)])
        is_rated = 2 < scores.size <= MOST_RATINGS and bool((scores == np.round(scores)).all())
        # Folds are scored by models, and a handful of rows has few different scores whatever they are.
        is_rated = is_rated and not is_folds and own.columns.n_cases >= LEAST_USE * scores.size
        is_people = any(word in unit.casefold() for word in READERS)
        if is_people or is_rated:
            ends: dict[str, Any] = dict.fromkeys(("low", "high", "n_values"))
            if is_rated:
                ends = {"low": scores[0], "high": scores[-1], "n_values": scores.size}
            yield caution("RS313.ratings", unit=unit, is_people=is_people, **ends)
    if isinstance(method, Pooled) and not method.balanced and len(own) > 1:
        effective = []
        for word, counts in (("positives", own.n_positives), ("negatives", own.n_negatives)):
            shares = counts / max(counts.sum(), 1)
            number = effective_number(shares) if shares.any() else np.inf
            effective.append((number, word, float(shares.max())))
        number, word, largest = min(effective)
        if number < LEAST_BALANCE * len(own):
            facts = {"number": number, "n_groups": len(own), "share": largest, "cases": word}
            yield caution("RS310.unequal", unit=unit, model=model, **facts)


def _of_steps(method: Method, deployment: Deployment | None, own: ScoreSet) -> Iterator[RocsteadyWarning]:
    """RS317: how far the top of the steps lies above their middle, at the operating point if there is one."""
    if not isinstance(method, Vertical | Horizontal) or method.at_jumps == "mid":
        return
    is_vertical = isinstance(method, Vertical)
    held, free = ("fpr", "tpr") if is_vertical else ("tpr", "fpr")
    is_held = deployment is not None and not deployment.is_shared and deployment.hold == held
    at = deployment.at if deployment is not None and is_held else None
    middle = np.median((own.n_negatives if is_vertical else own.n_positives)[own.has_curve])
    facts: dict[str, Any] = {
        "model": own.models[0] if own.models else None,
        "average": method.label,
        "unit": own.unit,
        "kind": type(method).__name__,
    }
    facts |= {"n": int(middle), "cases": "negative" if is_vertical else "positive"}
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


def levels_of(own: ScoreSet, confidence_level: float, seed: int) -> Comparability | None:
    """What one shared threshold costs; None with row weights or a single group."""
    if own.columns.weights is not None or np.count_nonzero(own.has_curve) < 2:
        return None
    return comparability(own, confidence_level=confidence_level, seed=seed)
