"""Building a ScoreSet from one pair of labels and scores for each fold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import ColumnError, DataError
from rocsteady.scores.arrays import Array, Column, Source, read_column, require_equal_lengths
from rocsteady.scores.building import concatenated, named_apart, set_from_arrays
from rocsteady.scores.columns import score_array
from rocsteady.scores.design import ASSUMED, Design, declared
from rocsteady.scores.grouping import shown, word
from rocsteady.scores.score_set import ScoreSet

Integers = NDArray[np.int64]


def set_from_folds(
    pairs: Iterable[tuple[object, object]],
    *,
    names: Iterable[object] | None,
    positive: object,
    sample_weight: Iterable[object] | None,
    higher_is_positive: bool,
    unit: str,
    repeats: int = 1,
    design: str | Design = "cross-validation",
) -> ScoreSet:
    """See :meth:`ScoreSet.from_folds`."""
    folds = [_fold(pair, i) for i, pair in enumerate(pairs)]
    if not folds:
        raise DataError(
            "RS010", "there are no folds.", "an empty list", "pass (labels, scores) for each fold"
        )
    named = [f"{unit} {i + 1}" for i in range(len(folds))] if names is None else list(names)
    weights = None if sample_weight is None else [read_column(w, "weight") for w in sample_weight]
    for what, entries in (("names", named), ("sample_weight", weights)):
        if entries is not None and len(entries) != len(folds):
            raise ColumnError(
                "RS013",
                f"{what} and folds have different lengths.",
                f"{what}: {len(entries)}, folds: {len(folds)}",
                f"pass one entry of {what} for each fold",
            )
    sizes = []
    for i, (labels, scores) in enumerate(folds):
        source = Source(name=str(named[i]))
        columns = {"label": labels, "score": scores}
        if weights is not None:
            columns["weight"] = weights[i]
        sizes.append(require_equal_lengths(columns, source))
    starts = np.cumsum([0, *sizes])

    def spell(row: int) -> str:
        fold = int(np.searchsorted(starts, row, side="right")) - 1
        return f"row {row - starts[fold]} of {shown(named[fold])}"

    codes = np.repeat(np.arange(len(folds)), sizes)
    fold_set = set_from_arrays(
        _stacked([labels for labels, _ in folds]),
        Column(_stacked_scores([scores for _, scores in folds], Source(row=spell), starts)),
        codes,
        sample_weight=None if weights is None else _stacked(weights),
        positive=positive,
        higher_is_positive=higher_is_positive,
        unit=unit,
        source=Source(row=spell),
    )
    is_single = len(folds) == 1 and repeats == 1  # one dataset, nothing to share
    known = ASSUMED if is_single else declared(design, n_groups=len(folds), repeats=repeats)
    return replace(_renamed(fold_set, named), known_design=known)


def _renamed(fold_set: ScoreSet, names: list[Any]) -> ScoreSet:
    return named_apart(replace(fold_set, groups=tuple(map(word, names)), group_values=tuple(names)))


def _fold(pair: Any, index: int) -> tuple[Column, Column]:
    try:
        labels, scores = pair
    except (TypeError, ValueError) as error:
        raise DataError(
            "RS034",
            f"fold {index + 1} is not a pair of labels and scores.",
            f"{type(pair).__name__}",
            "pass [(labels, scores), (labels, scores), ...]",
        ) from error
    return read_column(labels, "label"), read_column(scores, "score")


def _stacked(columns: list[Column]) -> Column:
    """All rows in one column; labels of different kinds stay what they are."""
    arrays = [column.array for column in columns]
    kinds = {"n" if a.dtype.kind in "biuf" else a.dtype.kind for a in arrays}
    if len(kinds) > 1:
        arrays = [a.astype(object) for a in arrays]
    missing = None
    if any(column.missing is not None for column in columns):
        missing = np.concatenate(
            [np.zeros(len(c), np.bool_) if c.missing is None else c.missing for c in columns]
        )
    return Column(np.concatenate(arrays), missing)


def _stacked_scores(columns: list[Column], source: Source, starts: Integers) -> Array:
    arrays = []
    for column, start in zip(columns, starts, strict=False):
        fold_source = Source(row=lambda row, start=start: source.row(row + start))  # type: ignore[misc]
        arrays.append(score_array(column, fold_source))
    return concatenated(arrays, "folds")
