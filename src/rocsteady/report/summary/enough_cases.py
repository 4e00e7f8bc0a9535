"""Groups with too few cases are left out, of every model alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.scores.score_set import ScoreSet


def with_enough_cases(score_set: ScoreSet, least: int) -> tuple[ScoreSet, tuple[str, ...]]:
    """The groups that have this many cases of each class in every model, and the names of the others."""
    if least <= 1:
        return score_set, ()
    fewest = np.minimum(score_set.n_positives, score_set.n_negatives)
    smallest = np.full(len(score_set.groups), np.iinfo(np.int64).max)
    np.minimum.at(smallest, score_set.group_index, fewest)
    kept = smallest >= least
    if kept.all():
        return score_set, ()
    left_out = tuple(name for name, is_kept in zip(score_set.groups, kept, strict=True) if not is_kept)
    if not kept.any():
        raise fail(
            "RS032.few-cases",
            unit=score_set.unit,
            least=least,
            most=int(smallest.max()),
            n_groups=len(kept),
            min_per_class=max(int(smallest.max()), 1),
        )
    return only_groups(score_set, kept), left_out


def only_groups(score_set: ScoreSet, kept: NDArray[np.bool_]) -> ScoreSet:
    """The rows of some of the groups, in every model."""
    members = kept[score_set.group_index]
    columns, sizes = score_set.columns, np.diff(score_set.columns.offsets)
    rows = np.repeat(members, sizes)
    place = np.cumsum(kept) - 1
    index = np.flatnonzero(rows)
    return replace(
        score_set,
        columns=replace(
            columns,
            scores=columns.scores[rows],
            labels=columns.labels[rows],
            offsets=np.concatenate([[0], np.cumsum(sizes[members])]).astype(np.int64),
            weights=None if columns.weights is None else columns.weights[rows],
        ),
        groups=tuple(name for name, is_kept in zip(score_set.groups, kept, strict=True) if is_kept),
        group_values=tuple(
            value for value, is_kept in zip(score_set.group_values, kept, strict=True) if is_kept
        ),
        group_index=place[score_set.group_index[members]].astype(np.int64),
        model_index=score_set.model_index[members] if score_set.model_index.size else score_set.model_index,
        cases=None if score_set.cases is None else score_set.cases.taken(index),
        clusters=None if score_set.clusters is None else score_set.clusters.taken(index),
    )
