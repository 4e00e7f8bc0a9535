"""What a plan is made from: groups with both classes, of one model or of two on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.errors import DataError, Option, fail, warn
from rocsteady.inference.comparing.matching import chosen_pairs, members_only, paired_models, unequal_rows
from rocsteady.scores.columns import require_single_cases
from rocsteady.scores.design import Design
from rocsteady.scores.score_set import ScoreSet

Integers = NDArray[np.int64]

FEW_GROUPS = 6
"""With fewer, the standard deviation between groups is known to no better than a factor of two or three."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups that a plan is made from.

    Attributes
    ----------
    models : tuple of str
        The two whose difference it is about, or nothing.
    sets : tuple of ScoreSet
        Of each model, the same groups in the same order.
    curves : tuple of CurveSet
        Their curves.
    undefined : tuple of str
        Groups left out, and why.
    """

    models: tuple[str, ...]
    sets: tuple[ScoreSet, ...]
    curves: tuple[CurveSet, ...]
    undefined: tuple[str, ...]

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.sets[0].unit

    @property
    def design(self) -> Design:
        """How the scores came about."""
        return self.sets[0].design

    @property
    def is_one(self) -> bool:
        """Whether there is a single group, whose cases alone are random."""
        return len(self.names) == 1

    @property
    def names(self) -> tuple[str, ...]:
        """Of the groups."""
        return self.sets[0].groups

    @property
    def n_positives(self) -> Integers:
        """Positives of every group."""
        return self.sets[0].n_positives

    @property
    def n_negatives(self) -> Integers:
        """Negatives of every group."""
        return self.sets[0].n_negatives


def groups_of(score_set: Any, models: Any, *, undefined: str, unmatched: str) -> Groups:
    """The groups of one model, or of two; RS002, RS044 and RS060 for what no plan can be made from."""
    refuse_counts(score_set, "plan")
    if not is_score_set(score_set):
        ways = [
            "plan(ScoreSet.from_arrays(labels, scores, groups))",
            "without data, from numbers alone:  plan_auc(0.8)",
        ]
        raise fail("RS002.set-of-scores", function="plan", found=described(score_set), ways=ways)
    require_single_cases(score_set.columns, "a plan needs")
    if score_set.columns.weights is not None:
        raise fail("RS038.counted", function="plan", scores=score_set)
    if models is None:
        found = _of_one(score_set, undefined)
    else:
        found = _of_two(score_set, _two_names(models), undefined=undefined, unmatched=unmatched)
    _warn_of_few(found)
    _warn_of_shared_cases(found)
    return found


def _of_one(score_set: ScoreSet, undefined: str) -> Groups:
    if len(score_set.models) > 1:
        a, b = score_set.models[:2]
        raise fail("RS044.plan", n=len(score_set.models), models=score_set.models, two=(a, b), first=a)
    curves = roc_curves(score_set, undefined=undefined)
    has_curve = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    kept = members_only(score_set, np.flatnonzero(has_curve))
    return Groups((), (kept,), (curves,), curves.undefined)


def _two_names(models: Any) -> tuple[Any, Any]:
    if isinstance(models, str) or not isinstance(models, Sequence) or len(models) != 2:
        found, ways = f"{models!r:.60}", [Option("models", ("old", "new"))]
        raise fail("RS002.kind", name="models", kind="the two models to compare", found=found, ways=ways)
    return models[0], models[1]


def _of_two(score_set: ScoreSet, names: tuple[Any, Any], *, undefined: str, unmatched: str) -> Groups:
    (pair,) = chosen_pairs(score_set, *names)
    try:
        paired = paired_models(score_set, pair, undefined=undefined, unmatched=unmatched)
    except DataError as error:
        error.remedies = tuple(remedy for remedy in error.remedies if "paired" not in str(remedy))
        raise  # a plan has no unpaired form, so that is not what to type
    unlike = [] if paired.has_cases else unequal_rows(paired)
    if unlike:
        raise fail("RS063.order", groups=unlike, unit=paired.unit, paired=None, random=None)
    curves = tuple(roc_curves(own) for own in paired.sets)
    return Groups(paired.names, paired.sets, curves, paired.undefined)


def _warn_of_few(found: Groups) -> None:
    n = len(found.names)
    if found.is_one:
        _warn_of_one(found)
    elif n < FEW_GROUPS and not found.design.shares_training:
        warn("RS291.few", unit=found.unit, n=n, needed=FEW_GROUPS)


def _warn_of_one(found: Groups) -> None:
    """RS291 if one group is what others left; a single dataset is no surprise to whoever has one."""
    if found.undefined:
        unit = found.unit
        warn("RS291.single", unit=unit, name=found.names[0], undefined=found.undefined)


def _warn_of_shared_cases(found: Groups) -> None:
    """RS293 where cases are in several groups: their luck does not average out over groups."""
    own = found.sets[0]
    if own.cases is None or found.design.shares_training:
        return
    groups = np.repeat(np.arange(len(own)), np.diff(own.columns.offsets))
    pairs = np.unique(groups * np.int64(len(own.cases)) + own.cases.codes)
    n_cases = np.unique(pairs % len(own.cases)).size
    if n_cases < pairs.size:
        warn(
            "RS293.shared",
            n_cases=n_cases,
            unit=found.unit,
            n=len(own),
            n_readings=int(pairs.size),
        )
