"""The models to compare, over the same groups and the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from weakref import ReferenceType, ref

import numpy as np

from rocsteady.arrays import Indices, Integers
from rocsteady.curves.curve_set import refuse_undefined
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts, require_score_set
from rocsteady.errors import RocsteadyError, fail, warn
from rocsteady.options import one_of
from rocsteady.scores.columns import shown, unknown_name
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted, listed, named, printable


@dataclass(frozen=True, eq=False)
class Paired:
    """Models over the same groups.

    Attributes
    ----------
    names : tuple of str
        The models.
    sets : tuple of ScoreSet
        Of each model, groups in the same order.
    groups : tuple of str
        The groups that all models have.
    undefined : tuple of str
        Groups left out, and why: of one class, or of one model only.
    unit : str
        The word for a group.
    has_cases : bool
        Whether cases are named; then the rows of all models are about the same ones, in the same order.
    defined : intp array or None
        Which of these groups have both classes in all models; None if the models are not paired.
    """

    names: tuple[str, ...]
    sets: tuple[ScoreSet, ...]
    groups: tuple[str, ...]
    undefined: tuple[str, ...]
    unit: str
    has_cases: bool
    defined: Indices | None


def chosen_pairs(score_set: Any, a: object, b: object) -> list[tuple[str, str]]:
    """The pairs to compare: the one asked for, all against ``a``, or all; RS060 or RS001 if there is none."""
    refuse_counts(score_set, "compare")
    if not is_score_set(score_set):
        raise fail("RS002.models", given=described(score_set))
    models = score_set.models

    if len(models) < 2:
        raise fail("RS060.one-model", model=models[0] if models else None, scores=score_set)
    for name in (a, b):
        if name is not None and str(name) not in models:
            raise unknown_name(str(name), models, "model")
    if b is None:
        if a is None:
            return list(combinations(models, 2))
        return [(str(a), other) for other in models if other != str(a)]
    if a is None:
        return [(other, str(b)) for other in models if other != str(b)]
    if str(a) == str(b):
        raise fail("RS060.itself", model=str(a), models=models)
    return [(str(a), str(b))]


_matched_last: list[tuple[ReferenceType[ScoreSet], tuple[Any, ...], Paired]] = []
"""Models that were brought together last: they are compared at one point after the other."""


_MOST_KEPT = 2


def _forget(gone: ReferenceType[ScoreSet]) -> None:
    _matched_last[:] = [own for own in _matched_last if own[0] is not gone]


def paired_models(
    score_set: ScoreSet,
    names: Sequence[str] | None = None,
    *,
    undefined: str = "raise",
    unmatched: str = "raise",
    all_rows_count: bool = False,
) -> Paired:
    """One set per model, over the groups that all models have, the same cases in each.

    ``undefined`` is what to do about groups of one class, ``unmatched`` about groups and named cases that
    some model has no scores for. ``all_rows_count`` keeps groups of one class, as pooling does.
    """
    one_of("undefined", undefined, ("raise", "drop"))
    one_of("unmatched", unmatched, ("raise", "drop"))
    score_set = require_score_set(score_set)
    names = tuple(map(str, score_set.models if names is None else names))
    asked = names, undefined, unmatched, all_rows_count
    for known, asked_then, paired in _matched_last:
        if known() is score_set and asked_then == asked:
            return paired
    paired = _brought_together(score_set, *asked)
    _matched_last[:] = [(ref(score_set, _forget), asked, paired), *_matched_last][:_MOST_KEPT]
    return paired


def _brought_together(
    score_set: ScoreSet, names: tuple[str, ...], undefined: str, unmatched: str, all_rows_count: bool
) -> Paired:
    sets = [score_set.model(name) for name in names]
    shared, left_out = _shared_groups(names, sets, unmatched)
    sets = [own.take(shared) for own in sets]
    if score_set.cases is not None:
        sets = _same_cases(names, sets, unmatched)
    kept = np.ones(len(shared), dtype=np.bool_)
    for own in sets:
        if own.undefined and undefined == "raise" and not all_rows_count:
            raise refuse_undefined(own)
        kept &= own.has_curve
    left_out += _said_once({name: own.undefined for name, own in zip(names, sets, strict=True)})
    if not kept.any():
        raise refuse_undefined(next((own for own in sets if own.undefined), sets[0]))
    defined = np.flatnonzero(kept)
    if not all_rows_count:
        sets = [own.take(defined) for own in sets]
        defined = np.arange(defined.size)
    return Paired(
        names,
        tuple(sets),
        sets[0].groups,
        tuple(left_out),
        score_set.unit,
        score_set.cases is not None,
        defined,
    )


def _said_once(undefined: Mapping[str, tuple[str, ...]]) -> list[str]:
    """What is wrong with groups of each model, and without the model's name where all models share it."""
    every = list(undefined.values())
    shared = [reason for reason in every[0] if all(reason in own for own in every)]
    return shared + [
        f"{reason} ({name})" for name, own in undefined.items() for reason in own if reason not in shared
    ]


def common_groups(sets: Sequence[ScoreSet]) -> list[str]:
    """Groups that all models have, short names first, so that a shuffled table is resampled alike."""
    others = [set(own.groups) for own in sets[1:]]
    shared = [group for group in sets[0].groups if all(group in other for other in others)]
    return sorted(shared, key=lambda group: (len(group), group))


def groups_in_order(score_set: ScoreSet) -> ScoreSet:
    """The same set with its groups in the order of :func:`common_groups`."""
    return score_set.take(common_groups([score_set]))


def rows_in_order(sets: Sequence[ScoreSet], names: Sequence[str]) -> list[ScoreSet]:
    """The same sets, the rows of every group sorted by class and by what all models say of them.

    Cases are drawn by position; so sorted, they are drawn alike however the rows came, and whichever model
    was named first, and if high scores were negated and called low.
    """
    c = sets[0].columns
    groups = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    by_name = sorted(zip(names, sets, strict=True), key=lambda named_set: named_set[0], reverse=True)
    sign = 1 if c.higher_is_positive else -1
    order = np.lexsort([*(sign * own.columns.scores for _, own in by_name), c.labels, groups])
    return [own.with_rows(order, own.columns.offsets) for own in sets]


def _shared_groups(
    names: Sequence[str], sets: Sequence[ScoreSet], unmatched: str
) -> tuple[list[str], list[str]]:
    """Groups that all models have, and what is said of the others; RS062 if there are such."""
    shared, unit = common_groups(sets), sets[0].unit
    everything = list(dict.fromkeys(group for own in sets for group in own.groups))
    known = set(shared)
    lonely = [group for group in everything if group not in known]
    if not lonely:
        return shared, []
    missing = {
        name: [group for group in lonely if group not in theirs]
        for name, theirs in zip(names, (set(own.groups) for own in sets), strict=True)
    }
    told = [
        f"{printable(name)} has no scores of {printable(listed(own))}" for name, own in missing.items() if own
    ]
    if unmatched == "drop" and shared:
        return shared, [f"{group}: not of all models" for group in lonely]
    raise fail(
        "RS062.groups",
        n=len(lonely),
        n_groups=len(everything),
        unit=unit,
        missing="; ".join(told),
        drop="drop" if shared else None,
    )


def _same_cases(names: Sequence[str], sets: list[ScoreSet], unmatched: str) -> list[ScoreSet]:
    """Sets whose rows are about the same cases; RS063 if they are not and none may be dropped."""
    if all(_is_alike(sets[0], own) for own in sets[1:]):
        return sets
    if unmatched == "drop":
        kept = [np.ones(own.columns.n_rows, dtype=np.bool_) for own in sets]
        for group in range(len(sets[0])):
            parts = [_codes(own, group) for own in sets]
            common = set(parts[0].tolist()).intersection(*(part.tolist() for part in parts[1:]))
            for own, part, mask in zip(sets, parts, kept, strict=True):
                start, stop = own.columns.offsets[group : group + 2]
                mask[start:stop] = np.isin(part, list(common))
        sets = [
            own.with_rows(np.flatnonzero(mask), np.append(0, np.cumsum(mask))[own.columns.offsets])
            for own, mask in zip(sets, kept, strict=True)
        ]
        if all(_is_alike(sets[0], own) for own in sets[1:]):
            return sets
    raise _unlike_cases(names, sets, unmatched)


def _is_alike(first: ScoreSet, other: ScoreSet) -> bool:
    own, theirs = first.cases, other.cases
    return (
        own is not None
        and theirs is not None
        and np.array_equal(first.columns.offsets, other.columns.offsets)
        and np.array_equal(own.codes, theirs.codes)
    )


def _codes(score_set: ScoreSet, group: int) -> Integers:
    start, stop = score_set.columns.offsets[group : group + 2]
    return score_set.cases.codes[start:stop]  # type: ignore[union-attr]


def _unlike_cases(names: Sequence[str], sets: Sequence[ScoreSet], unmatched: str) -> RocsteadyError:
    """RS063, with the first group where the cases differ and which they are."""
    first, unit = sets[0], sets[0].unit
    values = first.cases.values  # type: ignore[union-attr]
    told: list[str] = []
    n_groups = 0
    for group, name in enumerate(first.groups):
        everything = [set(_codes(own, group).tolist()) for own in sets]
        union = set().union(*everything)
        lacking = {
            model: sorted(union - own) for model, own in zip(names, everything, strict=True) if union - own
        }
        is_twice = not lacking and any(
            not np.array_equal(_codes(first, group), _codes(own, group)) for own in sets[1:]
        )
        n_groups += bool(lacking) or is_twice
        if n_groups == 1 and not told:
            told = [
                f"{printable(named(unit, name))}: {printable(model)} has no score of "
                f"{'case' if len(codes) == 1 else 'the cases'} "
                f"{printable(listed([str(values[code]) for code in codes]))}"
                for model, codes in lacking.items()
            ] or [f"{printable(named(unit, name))}: a case has more rows in one model than in another"]
    more = f"; {counted(n_groups - 1, f'other {unit}')} as well" if n_groups > 1 else ""
    drop = "drop" if unmatched == "raise" else None
    return fail("RS063.unmatched", cases="\n".join(told) + more, drop=drop)


def unequal_rows(paired: Paired) -> list[str]:
    """Groups whose rows cannot be about the same cases: the models' labels differ, row by row."""
    first, *others = paired.sets
    unlike = []
    for group, name in enumerate(paired.groups):
        parts = []
        for own in (first, *others):
            start, stop = own.columns.offsets[group : group + 2]
            parts.append(own.columns.labels[start:stop])
        if any(not np.array_equal(parts[0], part) for part in parts[1:]):
            unlike.append(name)
    return unlike


def unequal_sizes(paired: Paired) -> list[str]:
    """Groups in which the models have different numbers of positives or negatives."""
    first, *others = paired.sets
    unlike = np.zeros(len(paired.groups), dtype=np.bool_)
    for own in others:
        unlike |= (own.n_positives != first.n_positives) | (own.n_negatives != first.n_negatives)
    return [name for name, differs in zip(paired.groups, unlike, strict=True) if differs]


# Cases that are in several groups, as where readers read the same ones: their luck is common to all of them
# ----------------------------------------------------------------------------------------------------------


def shared_cases(score_set: ScoreSet) -> Integers:
    """Codes of the cases that are in several groups; empty if cases are not named.

    Examples
    --------
    >>> import rocsteady as rs
    >>> readers = ["a", "a", "b", "b"]
    >>> both = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], readers, cases=[1, 2, 1, 3])
    >>> shared_cases(both).tolist()
    [0]
    """
    if score_set.cases is None or len(score_set.groups) < 2:
        return np.empty(0, dtype=np.int64)
    groups = np.repeat(score_set.group_index, np.diff(score_set.columns.offsets))
    lowest = np.full(len(score_set.cases), len(score_set.groups))
    highest = np.full(len(score_set.cases), -1)
    np.minimum.at(lowest, score_set.cases.codes, groups)
    np.maximum.at(highest, score_set.cases.codes, groups)
    return np.flatnonzero(highest > lowest)


def n_cases(score_set: ScoreSet) -> int:
    """How many cases the rows are about; 0 if they are not named."""
    if score_set.cases is None:
        return 0
    return int(np.count_nonzero(np.bincount(score_set.cases.codes, minlength=1)))


def is_like_a_reader_study(score_set: ScoreSet) -> bool:
    """Whether most cases are in several groups, as where readers read the same cases.

    A few that happen to be in two hosts do not make a reader study, nor does a cross-validation that was
    repeated.
    """
    if score_set.design.shares_training:
        return False
    n_shared = shared_cases(score_set).size
    return n_shared > 0 and 2 * n_shared >= n_cases(score_set)


def may_be_folds(score_set: ScoreSet) -> bool:
    """Whether groups may be folds, repeated or not: no case is tested in more than half of them on average.

    Readers who all read the same cases are none, and a correction for shared training cases is not theirs.
    """
    if score_set.cases is None:
        return True
    groups = np.repeat(score_set.group_index, np.diff(score_set.columns.offsets))
    pairs = np.unique(score_set.cases.codes * len(score_set.groups) + groups)
    return 2 * pairs.size <= n_cases(score_set) * len(score_set.groups)


def warn_of_shared_cases(score_set: ScoreSet, random: str) -> bool:
    """RS266 if cases are in several groups, and whether it was given."""
    codes = shared_cases(score_set)
    if codes.size == 0 or score_set.cases is None:
        return False
    warn(
        "RS266.shared",
        are_fixed=random == "groups",
        unit=score_set.unit,
        n=codes.size,
        n_cases=n_cases(score_set),
        example=printable(shown(score_set.cases.values[int(codes[0])])),
    )
    return True
