"""What speaks against an average, in the declared deployment or in the data: coded, kept, not issued."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocsteady.advice.deployment import Deployment
from rocsteady.advice.rules import is_about_shared_threshold, question
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
    Vertical,
)
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.errors import Option, Remedy, RocsteadyWarning
from rocsteady.inference.comparability import Comparability, comparability
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted, listed, percent, plural

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
    def whose(self) -> str:
        """``" of candidate"`` where models are named."""
        return f" of {self.score_set.models[0]}" if self.score_set and self.score_set.models else ""

    @property
    def for_model(self) -> str:
        """``" for candidate"`` where models have different groups."""
        return f" for{self.whose.removeprefix(' of')}" if self.names_model and self.whose else ""


def findings_about_all(subjects: Sequence[Subject]) -> list[RocsteadyWarning]:
    """Findings about one average of several models; what is about all of them is said once."""
    sets = [subject.score_set for subject in subjects if subject.score_set is not None]
    differ = len({(own.groups, own.undefined) for own in sets}) > 1
    found: list[RocsteadyWarning] = []
    for subject in subjects:
        new = findings_about(replace(subject, names_model=differ))
        found += [warning for warning in new if str(warning) not in map(str, found)]
    return found


def findings_about(subject: Subject) -> tuple[RocsteadyWarning, ...]:
    """Everything to know before the average is used."""
    found = [*_about_the_question(subject), *_about_folds(subject)]
    if subject.score_set is not None:
        curves = roc_curves(subject.score_set, undefined="drop")
        found += _about_groups(subject, curves)
        found += _about_ratings(subject, curves)
        found += _about_sizes(subject)
        found += _about_steps(subject)
    if subject.levels is not None and is_about_shared_threshold(subject.method):
        found += subject.levels.warnings  # RS301
    return tuple(found)


def is_of_folds(score_set: ScoreSet | None, folds: bool | None) -> bool:
    """Whether the groups are folds: as said, else by the design of the scores."""
    if folds is not None:
        return folds
    return score_set is not None and score_set.design.shares_training


def _about_the_question(subject: Subject) -> list[RocsteadyWarning]:
    """RS314 or RS315 if the average answers another question than the declared one; RS316 for AtCosts."""
    found, deployment, method = [], subject.deployment, subject.method
    if deployment is not None and not _answers(method, deployment):
        right = deployment.method
        pair = {type(method), type(right)}
        if pair == {Diagonal, Radial}:
            held, other = ("ratio", "difference") if deployment.hold == "ratio" else ("difference", "ratio")
            found.append(
                RocsteadyWarning(
                    "RS315",
                    f"the {method.label} average holds the {other} of the error rates, and the {held} was "
                    "declared.",
                    "they agree only where both error rates are equal (errata H1)",
                    Option("method", str(right)),
                )
            )
        else:
            found.append(
                RocsteadyWarning(
                    "RS314",
                    f"the {method.label} average does not answer the question of this deployment.",
                    f"declared: {question(right, subject.unit)}\n"
                    f"it answers: {question(method, subject.unit)}",
                    ("the one that fits:  ", _chosen(right)),
                )
            )
    if isinstance(method, AtCosts):
        found.append(
            RocsteadyWarning(
                "RS316",
                f"the least cost here overstates what {plural(subject.unit)} cost when each is tuned.",
                "their optima do not share one position along the lines of equal cost (errata H3)",
                Option("method", "tangent"),
            )
        )
    return found


def _chosen(method: Method) -> Option | str:
    return Option("method", str(method)) if "(" not in str(method) else f"method={method}"


def _answers(method: Method, deployment: Deployment) -> bool:
    """Whether a method answers a deployment's question; how jumps are read makes no difference to that."""
    right = deployment.method
    if isinstance(method, AtCosts):  # told of by RS316
        return isinstance(right, Tangent)
    if isinstance(right, Vertical | Horizontal):
        return type(method) is type(right)
    if right == "threshold" and isinstance(method, Pooled) and method.balanced:
        return True
    return method == right


def _about_folds(subject: Subject) -> list[RocsteadyWarning]:
    """RS311: folds under one threshold whose scores are not seen to be comparable.

    One model with one threshold will be deployed, so a shared threshold is what folds are asked about; but
    every fold was scored by another model.
    """
    if not (subject.is_folds and is_about_shared_threshold(subject.method)):
        return []
    if subject.levels is not None and not subject.levels.warnings:
        return []
    units = plural(subject.unit)
    remedy: Remedy = "with the scores:  comparability(score_set)"
    if subject.score_set is not None:
        remedy = (
            "average in ROC space:  ",
            Option("method", "vertical"),
            "  or  ",
            Option("method", "horizontal"),
        )
    are = "need not be" if subject.levels is None else "are not"
    return [
        RocsteadyWarning(
            "RS311",
            f"the {subject.method.label} average compares scores of different {units}, thus of different "
            "models.",
            f"such scores {are} comparable (Parker, Günter & Bedo 2007; Hogan & Adams, section 4)",
            remedy,
        )
    ]


def _about_groups(subject: Subject, curves: CurveSet) -> list[RocsteadyWarning]:
    """RS201 for groups without a curve, RS312 for few groups, RS318 for groups ranked the wrong way round."""
    found, unit, n_groups = [], subject.unit, len(curves)
    own = subject.score_set
    assert own is not None  # it has curves
    has_curve = (own.n_positives > 0) & (own.n_negatives > 0)
    left_out = [name for name, is_in in zip(own.names, has_curve, strict=True) if not is_in]
    if left_out and not isinstance(subject.method, Pooled):
        has = "has" if len(left_out) == 1 else "have"
        found.append(
            RocsteadyWarning(
                "RS201",
                f"{counted(len(left_out), unit)} {has} one class only{subject.for_model}; left out of the "
                "average.",
                listed(left_out),
            )
        )
    if n_groups < FEWEST_GROUPS:
        has = "has" if n_groups == 1 else "have"
        problem = f"only {counted(n_groups, unit)} {has} a curve{subject.for_model}."
        why = f"differences and intervals that resample {plural(unit)} need {FEWEST_GROUPS} or more"
        if n_groups < 2:
            why = "there is no spread between them to judge by, so there are no intervals"
        remedy = f"more {plural(unit)} make it surer; more rows in each do not replace them"
        if subject.is_folds:
            remedy = "more repeats of the cross-validation make it surer"
        found.append(RocsteadyWarning("RS312", problem, why, remedy))
    below = _reversed(curves, subject.confidence_level)
    if below:
        found.append(
            RocsteadyWarning(
                "RS318",
                f"the AUC{subject.whose} is clearly below 0.5 in {len(below)} of {counted(n_groups, unit)}.",
                listed(below),
                f"look at the labels and the scores of these {plural(unit)}; nothing is turned round",
            )
        )
    return found


def _reversed(curves: CurveSet, confidence_level: float) -> list[str]:
    """Curves whose AUC interval lies below one half."""
    if curves.is_weighted:
        return []
    with warnings.catch_warnings():  # whatever there is to say about single intervals, none is shown
        warnings.simplefilter("ignore", RocsteadyWarning)
        high = np.asarray(curves.auc_interval(confidence_level, "guarded").high)
    return [name for name, limit in zip(curves.names, high, strict=True) if limit < 0.5]


def _about_ratings(subject: Subject, curves: CurveSet) -> list[RocsteadyWarning]:
    """RS313: a threshold shared by people, or by what looks like their ratings."""
    if not is_about_shared_threshold(subject.method):
        return []
    scores = np.unique(curves.table.thresholds[np.isfinite(curves.table.thresholds)])
    is_rated = 2 < scores.size <= MOST_RATINGS and bool((scores == np.round(scores)).all())
    # Folds are scored by models, and a handful of rows has few different scores whatever they are.
    n_rows = 0 if subject.score_set is None else subject.score_set.columns.n_cases
    is_rated = is_rated and not subject.is_folds and n_rows >= LEAST_USE * scores.size
    unit = subject.unit
    is_people = any(word in unit.casefold() for word in READERS)
    if not (is_people or is_rated):
        return []
    found = f"groups are called {unit!r}" if is_people else ""
    if is_rated:
        ratings = f"ratings from {scores[0]:g} to {scores[-1]:g}, {scores.size} different ones"
        found = f"{found}; {ratings}" if found else ratings
    return [
        RocsteadyWarning(
            "RS313",
            f"ratings are not calibrated, so one threshold means something else to every {unit}.",
            f"{found} (Hogan & Adams, section 4.2)",
            (f"set a threshold for every {unit}:  ", Option("method", "horizontal")),
        )
    ]


def _about_sizes(subject: Subject) -> list[RocsteadyWarning]:
    """RS310: pooling groups of very unequal size."""
    own = subject.score_set
    if own is None or not isinstance(subject.method, Pooled) or subject.method.balanced or len(own) < 2:
        return []
    effective = []
    for word, counts in (("positives", own.n_positives), ("negatives", own.n_negatives)):
        shares = counts / max(counts.sum(), 1)
        effective.append((1 / max(float((shares**2).sum()), 1e-300), word, float(shares.max())))
    number, word, largest = min(effective)
    if number >= LEAST_BALANCE * len(own):
        return []
    return [
        RocsteadyWarning(
            "RS310",
            f"pooling counts rows, and {plural(own.unit)}{subject.whose} are of very unequal size.",
            f"as unequal as {number:.1f} of {counted(len(own), own.unit)}; the largest has "
            f"{percent(largest)} of all {word}",
            (f"let every {own.unit} count once:  ", Option("weigh", "groups")),
        )
    ]


def _about_steps(subject: Subject) -> list[RocsteadyWarning]:
    """RS317: how far the top of the steps lies above their middle, at the operating point if there is one."""
    method, own, deployment = subject.method, subject.score_set, subject.deployment
    if own is None or not isinstance(method, Vertical | Horizontal) or method.at_jumps == "mid":
        return []
    is_vertical = isinstance(method, Vertical)
    held = "fpr" if is_vertical else "tpr"
    is_held = deployment is not None and not deployment.is_shared and deployment.hold == held
    at = deployment.at if deployment is not None and is_held else None
    usable = (own.n_positives > 0) & (own.n_negatives > 0)
    counts = (own.n_negatives if is_vertical else own.n_positives)[usable]
    word = "negatives" if is_vertical else "positives"
    middle = f"the middle {own.unit} has {counted(int(np.median(counts)), word[:-1])}"
    remedy = ("read the middle of the steps when you average:  ", Option("at_jumps", "mid"))
    if at is None:
        if np.median(counts) >= FEW_CASES:
            return []
        problem = f"steps{subject.whose} are large, and the {method.label} average reads their better end."
        return [RocsteadyWarning("RS317", problem, f"{middle} (errata H8)", remedy)]
    readings = [
        average(own, type(method)(at_jumps=where), undefined="drop").at_position(at)  # type: ignore[attr-defined]
        for where in ("upper", "mid")
    ]
    free = "tpr" if is_vertical else "fpr"
    upper, mid = (float(getattr(reading, free)) for reading in readings)
    if abs(upper - mid) < LEAST_STEP:
        return []
    return [
        RocsteadyWarning(
            "RS317",
            f"the {method.label} average{subject.whose} reads the better end of steps, which is optimistic "
            f"in small {plural(own.unit)}.",
            f"{free.upper()} {upper:.3f} there, {mid:.3f} in the middle of the steps; {middle} (errata H8)",
            remedy,
        )
    ]


def levels_of(own: ScoreSet, method: Method, confidence_level: float, seed: int) -> Comparability | None:
    """What one shared threshold costs; None with row weights or a single group."""
    if own.columns.weights is not None:
        return None
    if np.count_nonzero((own.n_positives > 0) & (own.n_negatives > 0)) < 2:
        return None
    # A warning needs no small p-value, and where no threshold is shared only the price is told.
    n_rows = own.columns.n_cases
    n_permutations = 999 if n_rows <= 200_000 else 199 if n_rows <= 5_000_000 else 99
    if not is_about_shared_threshold(method):
        n_permutations = 99
    return comparability(own, n_permutations=n_permutations, confidence_level=confidence_level, seed=seed)
