"""Scores of many groups in one heap: every case counting once, or every group."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import count_table
from rocsteady.curves.curve_set import refuse_undefined
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import UsageError
from rocsteady.scores.columns import Columns
from rocsteady.scores.labels import NO_WORDS, Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """Scores to be counted: once as they are, once as they are to count."""

    counts: RocCurve
    curve: RocCurve
    n_groups: int
    unit: str
    undefined: tuple[str, ...]
    classes: Classes


def spread_of_set(score_set: ScoreSet, per_group: bool) -> Spread:
    """The scores of all groups together; RS002 if they are of several models, RS032 if a class is missing."""
    if len(score_set.models) > 1:
        raise UsageError(
            "RS002",
            "densities are of the scores of one model.",
            f"found: {score_set!r}",
            f"one of them:  score_densities(score_set.model({score_set.models[0]!r}))",
        )
    has_both = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    if not has_both.any() and (
        per_group or not (score_set.n_positives.any() and score_set.n_negatives.any())
    ):
        raise refuse_undefined(score_set)
    left_out = score_set.undefined if per_group else ()
    columns = _kept(score_set.columns, has_both) if per_group else score_set.columns
    n_groups = int(has_both.sum()) if per_group else len(score_set)
    counts = _pooled(columns)
    curve = _pooled(replace(columns, weights=_equal_weights(columns))) if per_group else counts
    return Spread(counts, curve, n_groups, score_set.unit, left_out, score_set.classes)


def _kept(columns: Columns, groups: NDArray[np.bool_]) -> Columns:
    """The rows of some of the groups."""
    if groups.all():
        return columns
    sizes = np.diff(columns.offsets)
    rows = np.repeat(groups, sizes)
    return replace(
        columns,
        scores=columns.scores[rows],
        labels=columns.labels[rows],
        offsets=np.concatenate([[0], np.cumsum(sizes[groups])]).astype(np.int64),
        weights=None if columns.weights is None else columns.weights[rows],
    )


def _equal_weights(columns: Columns) -> Floats:
    """What each row counts where every group counts once: its share of its class in its group."""
    group = np.repeat(np.arange(columns.n_groups), np.diff(columns.offsets))
    cell = 2 * group + (columns.labels == columns.positive)
    own = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    totals = np.bincount(cell, weights=own, minlength=2 * columns.n_groups)
    return np.asarray(own / totals[cell])


def _pooled(columns: Columns) -> RocCurve:
    """One curve of all rows."""
    together = replace(columns, offsets=np.array([0, columns.n_rows], dtype=np.int64))
    table = count_table(Scores.of_columns(together, NO_WORDS))
    return RocCurve(
        table.thresholds,
        table.true_positives,
        table.false_positives,
        higher_is_positive=table.higher_is_positive,
    )
