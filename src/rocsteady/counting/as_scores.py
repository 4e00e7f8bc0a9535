"""Counts as a set of scores: every cell is one tied score that stands for its rows; what a report reads."""

from __future__ import annotations

import numpy as np

from rocsteady.counting.counted import CountedScores
from rocsteady.errors import DataError
from rocsteady.scores.columns import Columns
from rocsteady.scores.score_set import ScoreSet


def scores_of_counts(counts: CountedScores) -> ScoreSet:
    """A ScoreSet whose curves are the middle ones of the counts.

    Its rows are not cases: what draws or splits cases refuses it (RS406).

    Raises
    ------
    DataError
        RS406 if rows have weights: a weighted sum is no number of cases.
    """
    if counts.is_weighted:
        raise DataError(
            "RS406",
            "counts of weighted rows have curves and averages, but no report.",
            f"found: {counts!r}",
            "leave the weights out, or ask for averages:  rs.average(counts, ...)",
        )
    cells = counts.spread_cells
    both = [cells.positives > 0, cells.negatives > 0]
    row = np.concatenate([np.flatnonzero(own) for own in both])
    labels = np.repeat(np.array([1, 0], dtype=np.uint8), [int(own.sum()) for own in both])
    order = np.argsort(row, kind="stable")
    row, labels = row[order], labels[order]
    # At the loosest score of a cell all its rows are in: there the counts are right.
    scores = cells.lowest if counts.higher_is_positive else cells.highest
    sizes = np.bincount(cells.member[row], minlength=cells.n_members)
    columns = Columns(
        scores=np.ascontiguousarray(scores[row]),
        labels=labels,
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        positive=1.0,
        negative=0.0,
        weights=np.where(labels == 1, cells.positives[row], cells.negatives[row]).astype(np.float64),
        higher_is_positive=counts.higher_is_positive,
        are_counts=True,
    )
    model_index = counts.model_index if counts.models else np.zeros(len(counts), dtype=np.int64)
    return ScoreSet(
        columns=columns,
        classes=counts.classes,
        groups=counts.groups,
        group_values=counts.groups,
        group_index=counts.group_index,
        models=counts.models,
        model_index=model_index,
        unit=counts.unit,
        dropped=counts.dropped,
        source=counts.source,
        columns_chosen=counts.columns_chosen,
        counted_from=counts,
    )
