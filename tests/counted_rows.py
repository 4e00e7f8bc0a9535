"""Rows counted in cells of any kind, for tests: what a data engine hands over, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.counting.cells import CellTable, cells_of
from rocsteady.counting.counted import CountedScores, How


def cells_of_rows(
    labels: Any, scores: Any, numbers: Any, member: Any = None, n_members: int = 1, weights: Any = None
) -> CellTable:
    """Rows of one number (and member) are one cell."""
    labels, scores = np.asarray(labels, dtype=bool), np.asarray(scores, dtype=np.float64) + 0.0
    member = np.zeros(labels.size, dtype=np.int64) if member is None else np.asarray(member)
    keys, place = np.unique(np.stack([member, np.asarray(numbers)]), axis=1, return_inverse=True)
    n, place = keys.shape[1], np.ravel(place)
    kind = np.int64 if weights is None else np.float64
    worth = np.ones(labels.size, dtype=kind) if weights is None else np.asarray(weights)
    lowest, highest = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(lowest, place, scores)
    np.maximum.at(highest, place, scores)
    sums = []
    for own in (labels, ~labels):
        total = np.zeros(n, dtype=kind)
        np.add.at(total, place[own], worth[own])
        sums.append(total)
    rows = np.bincount(place, minlength=n).astype(np.int64)
    own_member, cell = keys.astype(np.int64)
    return cells_of(own_member, n_members, cell, sums[0], sums[1], rows, lowest, highest)


def together(groups: Sequence[Any], **options: Any) -> rs.ScoreSet:
    return rs.ScoreSet.from_folds(
        [group[:2] for group in groups], positive=True, **options, design="independent"
    )


def counted(
    groups: Sequence[Any], numbers: Sequence[Any], *, higher_is_positive: bool = True, weights: Any = None
) -> CountedScores:
    """The groups ``(labels, scores)``, the rows of each in the cells that ``numbers`` name."""
    rows = [np.concatenate([np.asarray(group[i], dtype=float) for group in groups]) for i in (0, 1)]
    member = np.repeat(np.arange(len(groups)), [len(group[0]) for group in groups])
    cells = cells_of_rows(*rows, np.concatenate(numbers), member, len(groups), weights)
    scores = together(groups, higher_is_positive=higher_is_positive)
    return CountedScores(
        cells, scores.classes, scores.groups, scores.group_index, (), np.zeros(len(groups), dtype=np.int64),
        scores.unit, higher_is_positive, how=How("cells"),
    )  # fmt: skip


def distinct(scores: Any) -> Any:
    """Every score a cell of its own."""
    return np.unique(np.asarray(scores, dtype=float) + 0.0, return_inverse=True)[1]


def anchored(labels: Any, scores: Any) -> Any:
    """Every row of the commoner class among the distinct scores of the rarer one."""
    labels, scores = np.asarray(labels, dtype=bool), np.asarray(scores, dtype=float)
    rarer = labels if 2 * labels.sum() <= labels.size else ~labels
    anchors = np.unique(scores[rarer])
    left, right = (np.searchsorted(anchors, scores, side=side) for side in ("left", "right"))
    return left + right


@st.composite
def partitions(draw, scores):
    """Cells of some rows: between cuts, all in one, one for each score, or any, which then overlap."""
    scores = np.asarray(scores, dtype=float) + 0.0
    kind = draw(st.sampled_from(["cuts", "cuts", "any", "distinct", "one", "two days"]))
    if kind == "distinct":
        return distinct(scores)
    if kind == "one":
        return np.zeros(scores.size, dtype=np.int64)
    if kind == "any":
        numbers = st.lists(st.integers(0, 3), min_size=scores.size, max_size=scores.size)
        return np.array(draw(numbers), dtype=np.int64)
    if kind == "cuts":
        return cut(scores, draw(_cuts(scores)))
    days = np.array(draw(st.lists(st.booleans(), min_size=scores.size, max_size=scores.size)))
    own = [cut(scores, draw(_cuts(scores))) for _ in range(2)]
    return np.where(days, own[0], scores.size + own[1])


def _cuts(scores):
    return st.lists(st.sampled_from(scores.tolist()), max_size=4)


def cut(scores, cuts):
    return np.searchsorted(np.unique(np.asarray(cuts, dtype=float)), scores, side="right")


@st.composite
def counted_groups(draw, groups):
    """Groups, their counts in cells of any kind, and the scores as they are."""
    groups = draw(groups)
    higher = draw(st.booleans())
    numbers = [draw(partitions(group[1])) for group in groups]
    return (
        groups,
        counted(groups, numbers, higher_is_positive=higher),
        together(groups, higher_is_positive=higher),
    )


def alike(own: object, other: object, where: str) -> None:
    """The plain data of two reports are the same, but for how sums are rounded."""
    if isinstance(own, dict) and isinstance(other, dict):
        assert own.keys() == other.keys(), where
        for key in own:
            alike(own[key], other[key], f"{where}.{key}")
    elif isinstance(own, list) and isinstance(other, list):
        assert len(own) == len(other), where
        for k, pair in enumerate(zip(own, other, strict=True)):
            alike(*pair, f"{where}[{k}]")
    elif isinstance(own, float) and isinstance(other, float):
        assert own == pytest.approx(other, rel=1e-9, abs=1e-12), where
    else:
        assert own == other, where
