"""Groups that judged the same cases, as readers do: their values have the luck of the cases in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import warn
from rocsteady.scores.columns import shown
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import printable


def shared_cases(score_set: ScoreSet) -> NDArray[np.int64]:
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
