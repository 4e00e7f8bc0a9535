"""The models to compare, over the same groups and the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Indices, Integers
from rocsteady.curves.curve_set import refuse_undefined
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts, require_score_set
from rocsteady.errors import Option, Remedy, fail, warn
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
    undefined : tuple of str
        Groups left out, and why: of one class, or of one model only.
    defined : intp array or None
        Which of these groups have both classes in all models; None if the models are not paired.
    """

    names: tuple[str, ...]
    sets: tuple[ScoreSet, ...]
    undefined: tuple[str, ...]
    defined: Indices | None

    @property
    def is_paired(self) -> bool:
        """Whether differences are taken within groups."""
        return self.defined is not None

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that all models have."""
        return self.sets[0].groups

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.sets[0].unit

    @property
    def has_cases(self) -> bool:
        """Whether cases are named; then the rows of all models are about the same ones, in the same order."""
        return self.sets[0].cases is not None


def chosen_pairs(score_set: Any, a: object, b: object) -> list[tuple[str, str]]:
    """The pairs to compare: the one asked for, all against ``a``, or all; RS060 or RS001 if there is none."""
    refuse_counts(score_set, "compare")
    if not is_score_set(score_set):
        raise fail("RS002.models", given=described(score_set))
    models = score_set.models

    if len(models) < 2:
        raise fail("RS060.one-model", model=models[0] if models else None, n=score_set.columns.n_rows)
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
        raise fail("RS060.itself", model=str(a), models=models, two=list(models[:2]))
    return [(str(a), str(b))]


_matched: WeakKeyDictionary[ScoreSet, dict[Any, Paired]] = WeakKeyDictionary()
"""Models that were brought together last: they are compared at one point after the other."""
_MOST_KEPT = 2
APART: tuple[Remedy, ...] = (("as independent sets:  ", Option("paired", False)),)
"""What to type where models cannot be paired."""


def paired_models(
    score_set: ScoreSet,
    names: Sequence[str] | None = None,
    *,
    undefined: str = "raise",
    unmatched: str = "raise",
    all_rows_count: bool = False,
    ways: Sequence[Remedy] = APART,
) -> Paired:
    """One set per model, over the groups that all models have, the same cases in each.

    ``undefined`` is what to do about groups of one class, ``unmatched`` about groups and named cases that
    some model has no scores for. ``all_rows_count`` keeps groups of one class, as pooling does. ``ways`` are
    what to type where models cannot be paired.
    """
    one_of("undefined", undefined, ("raise", "drop"))
    one_of("unmatched", unmatched, ("raise", "drop"))
    score_set = require_score_set(score_set)
    names = tuple(map(str, score_set.models if names is None else names))
    known, asked = _matched.setdefault(score_set, {}), (names, undefined, unmatched, all_rows_count)
    if asked in known:
        return known[asked]
    sets = [score_set.model(name) for name in names]
    shared, left_out = _shared_groups(names, sets, unmatched, ways)
    sets = [own.take(shared) for own in sets]
    if score_set.cases is not None:
        sets = _same_cases(names, sets, unmatched, ways)
    kept = np.all([own.has_curve for own in sets], axis=0)
    lacking = [own for own in sets if own.undefined]
    if lacking and ((undefined == "raise" and not all_rows_count) or not kept.any()):
        raise refuse_undefined(lacking[0])
    of_all = [reason for reason in sets[0].undefined if all(reason in own.undefined for own in sets)]
    left_out += of_all  # without the name of a model
    for name, own in zip(names, sets, strict=True):
        left_out += [f"{reason} ({name})" for reason in own.undefined if reason not in of_all]
    defined = np.flatnonzero(kept)
    if not all_rows_count:
        sets = [own.take(defined) for own in sets]
        defined = np.arange(defined.size)
    if len(known) >= _MOST_KEPT:
        known.clear()
    known[asked] = Paired(names, tuple(sets), tuple(left_out), defined)
    return known[asked]


def common_groups(sets: Sequence[ScoreSet]) -> list[str]:
    """Groups that all models have, short names first, so that a shuffled table is resampled alike."""
    shared = list(set(sets[0].groups).intersection(*(own.groups for own in sets[1:])))
    return [shared[i] for i in by_name(shared)]


def by_name(names: Sequence[str]) -> Indices:
    """The order of names: short ones first, so that "fold 10" follows "fold 9"."""
    return np.array(sorted(range(len(names)), key=lambda i: (len(names[i]), names[i])), dtype=np.intp)


def rows_in_order(sets: Sequence[ScoreSet], names: Sequence[str]) -> list[ScoreSet]:
    """The same sets, the rows of every group sorted by class and by what all models say of them.

    Cases are drawn by position; so sorted, they are drawn alike however the rows came, and whichever model
    was named first, and if high scores were negated and called low.
    """
    c = sets[0].columns
    groups = _groups_of(sets[0])
    by_name = sorted(zip(names, sets, strict=True), key=lambda named_set: named_set[0], reverse=True)
    sign = 1 if c.higher_is_positive else -1
    order = np.lexsort([*(sign * own.columns.scores for _, own in by_name), c.labels, groups])
    return [own.with_rows(order, own.columns.offsets) for own in sets]


def _shared_groups(
    names: Sequence[str], sets: Sequence[ScoreSet], unmatched: str, ways: Sequence[Remedy]
) -> tuple[list[str], list[str]]:
    """Groups that all models have, and what is said of the others; RS062 if there are such."""
    shared = common_groups(sets)
    known, everything = set(shared), list(dict.fromkeys(group for own in sets for group in own.groups))
    lonely = [group for group in everything if group not in known]
    if not lonely or (unmatched == "drop" and shared):
        return shared, [f"{group}: not of all models" for group in lonely]
    missing = [
        [group for group in lonely if group not in theirs] for theirs in (set(own.groups) for own in sets)
    ]
    told = [
        f"{printable(name)} has no scores of {printable(listed(own))}"
        for name, own in zip(names, missing, strict=True)
        if own
    ]
    facts = {"n": len(lonely), "n_groups": len(everything), "unit": sets[0].unit, "missing": "; ".join(told)}
    raise fail("RS062.groups", drop="drop" if shared else None, ways=ways, **facts)


def _same_cases(
    names: Sequence[str], sets: list[ScoreSet], unmatched: str, ways: Sequence[Remedy]
) -> list[ScoreSet]:
    """Sets whose rows are about the same cases; RS063 if they are not and none may be dropped."""
    unlike = _unlike(sets, _codes(sets))
    if unlike and unmatched == "drop":
        most = max(int(codes.max(initial=0)) for codes in _codes(sets)) + 1
        rows = [_groups_of(own) * most + codes for own, codes in zip(sets, _codes(sets), strict=True)]
        common = reduce(np.intersect1d, rows)
        for i, mask in enumerate(np.isin(own, common) for own in rows):
            offsets = np.append(0, np.cumsum(mask))[sets[i].columns.offsets]
            sets[i] = sets[i].with_rows(np.flatnonzero(mask), offsets)
        unlike = _unlike(sets, _codes(sets))
    if not unlike:
        return sets
    unit, values = sets[0].unit, sets[0].cases.values  # type: ignore[union-attr]
    of_first = [own.columns.offsets[unlike[0] : unlike[0] + 2] for own in sets]
    have = [set(own[i:j].tolist()) for own, (i, j) in zip(_codes(sets), of_first, strict=True)]
    where, told = printable(named(unit, sets[0].groups[unlike[0]])), []
    for model, own in zip(names, have, strict=True):
        lacking = [str(values[code]) for code in sorted(set().union(*have) - own)]
        if lacking:
            what = f"{'case' if len(lacking) == 1 else 'the cases'} {printable(listed(lacking))}"
            told.append(f"{where}: {printable(model)} has no score of {what}")
    told = told or [f"{where}: a case has more rows in one model than in another"]
    more = f"; {counted(len(unlike) - 1, f'other {unit}')} as well" if len(unlike) > 1 else ""
    drop = "drop" if unmatched == "raise" else None
    raise fail("RS063.unmatched", cases="\n".join(told) + more, drop=drop, ways=ways)


def _codes(sets: Sequence[ScoreSet]) -> list[Integers]:
    """The case of every row; cases are named."""
    return [own.cases.codes for own in sets if own.cases is not None]


def _groups_of(score_set: ScoreSet) -> Integers:
    """The group of every row."""
    return np.repeat(score_set.group_index, np.diff(score_set.columns.offsets))


def _unlike(sets: Sequence[ScoreSet], rows: Sequence[NDArray[Any]]) -> list[int]:
    """Groups in which something about the rows is not the same in all sets, row by row."""
    parts = [np.split(own, of.columns.offsets[1:-1]) for of, own in zip(sets, rows, strict=True)]
    return [
        i
        for i, (first, *others) in enumerate(zip(*parts, strict=True))
        if any(not np.array_equal(first, own) for own in others)
    ]


def unequal_rows(paired: Paired) -> list[str]:
    """Groups whose rows cannot be about the same cases: the models' labels differ, row by row."""
    unlike = _unlike(paired.sets, [own.columns.labels for own in paired.sets])
    return [paired.groups[i] for i in unlike]


def unequal_sizes(paired: Paired) -> list[str]:
    """Groups in which the models have different numbers of positives or negatives."""
    sizes = np.array([(own.n_positives, own.n_negatives) for own in paired.sets])
    return [paired.groups[i] for i in np.flatnonzero((sizes != sizes[0]).any(axis=(0, 1)))]


# Cases that are in several groups, as where readers read the same ones: their luck is common to all of them
# ----------------------------------------------------------------------------------------------------------


def groups_of_cases(codes: Integers, groups: Integers) -> Integers:
    """In how many groups every case is, from the case and the group of every row."""
    of_case = np.zeros(int(codes.max(initial=-1)) + 1, dtype=groups.dtype)
    of_case[codes] = groups  # that of the last row
    if (of_case[codes] == groups).all():
        return np.minimum(np.bincount(codes), 1)
    n_groups = int(groups.max(initial=0)) + 1
    return np.bincount(np.unique(codes * n_groups + groups) // n_groups)


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
    return np.flatnonzero(_times(score_set) > 1)


def _times(score_set: ScoreSet) -> Integers:
    """In how many groups every case is; nothing if they are not named."""
    if score_set.cases is None or len(score_set.groups) < 2:
        return np.empty(0, dtype=np.int64)
    return groups_of_cases(score_set.cases.codes, _groups_of(score_set))


def is_like_a_reader_study(score_set: ScoreSet) -> bool:
    """Whether most cases are in several groups, as where readers read the same cases.

    A few that happen to be in two hosts do not make a reader study, nor does a cross-validation that was
    repeated.
    """
    times = _times(score_set)
    n_cases, n_shared = int(np.count_nonzero(times)), int(np.count_nonzero(times > 1))
    return not score_set.design.shares_training and 0 < n_cases <= 2 * n_shared


def may_be_folds(score_set: ScoreSet) -> bool:
    """Whether groups may be folds, repeated or not: no case is tested in more than half of them on average.

    Readers who all read the same cases are none, and a correction for shared training cases is not theirs.
    """
    times = _times(score_set)
    return not times.size or bool(2 * times.sum() <= np.count_nonzero(times) * len(score_set.groups))


def warn_of_shared_cases(score_set: ScoreSet, random: str) -> bool:
    """RS266 if cases are in several groups, and whether it was given."""
    times = _times(score_set)
    codes = np.flatnonzero(times > 1)
    if codes.size == 0 or score_set.cases is None:
        return False
    warn(
        "RS266.shared",
        are_fixed=random == "groups",
        unit=score_set.unit,
        n=codes.size,
        n_cases=np.count_nonzero(times),
        example=printable(shown(score_set.cases.values[int(codes[0])])),
    )
    return True
