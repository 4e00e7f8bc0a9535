"""Groups with too few cases are left out, of every model alike."""

from __future__ import annotations

import numpy as np

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
    return score_set.take(kept), left_out
