"""What must hold on every engine, as functions of a back end: one list of laws for all of them.

The truth is computed here from the Arrow rows, by the kernels that stream; no engine has a part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

import rocsteady as rs
from engines.backends import IN_MEMORY, Backend
from engines.tables import COLUMNS
from rocsteady.counting import plan
from rocsteady.counting.cells import Binning, CellTable, Piece, Tolerance
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.ladder import (
    Batch,
    CellTree,
    EngineClimb,
    Faults,
    Survey,
    batch_of,
    columns_of,
    next_level,
    surveyed,
)
from rocsteady.scores.columns import Cause

BINNING = Binning(
    (Piece(-1.0, 2.0, 2, 4), Piece(0.0, 3e307, 6, 3), Piece(0.3, 10.0, 9, 5), Piece(1.0, 0.0, 14, 1)),
    1e200,
    (0.0, 0.25),
)
"""Pieces of every kind: an ordinary one, one as steep as floats go, a single cell, and two atoms."""


@dataclass(frozen=True)
class Case:
    """A table, its columns, and which label is positive."""

    table: pa.Table
    positive: Any = 1
    weight: str | None = None

    @property
    def roles(self) -> dict[str, str]:
        return COLUMNS | ({"weight": self.weight} if self.weight else {})


@dataclass(frozen=True)
class Truth:
    """The rows as arrays, faults apart."""

    batch: Batch
    hosts: list[Any]
    faults: Faults

    @classmethod
    def of(cls, case: Case) -> Truth:
        host, label, score = (
            case.table.column(COLUMNS[role]).to_pylist() for role in ("group", "label", "score")
        )
        weight = case.table.column(case.weight).to_pylist() if case.weight else [1.0] * len(host)
        hosts, faults, rows = sorted({own for own in host if own is not None}), Faults(), []
        for h, y, s, w in zip(host, label, score, weight, strict=True):
            if w == 0:
                faults[Cause.WEIGHT_ZERO] += 1
            elif y is None:
                faults[Cause.NO_LABEL] += 1
            elif s is None or s != s:
                faults[Cause.NO_SCORE] += 1
            elif h is None:
                faults[Cause.NO_GROUP] += 1
            else:
                rows.append((float(s) + 0.0, hosts.index(h), y == case.positive, w))
        scores, members, classes, weights = (np.array(column) for column in zip(*rows, strict=True))
        batch = Batch(scores, members, classes.astype(np.int8), weights if case.weight else None)
        return cls(batch, hosts, faults)


def check_plan(backend: Backend, case: Case, *, splits: bool = True) -> None:
    """Cells, faults, split cells, streamed rows and the rarer class are the same to the last bit."""
    truth = Truth.of(case)
    table = backend.table(backend.frame(case.table), case.roles)
    survey = surveyed(table, tuple(case.roles), case.positive)
    assert list(survey.members.values[0]) == truth.hosts
    assert survey.n_rows == case.table.num_rows
    tree = CellTree(BINNING, len(truth.hosts), is_weighted=case.weight is not None)
    expected = tree.count(iter([truth.batch]))

    climb = EngineClimb(table, survey, "score", Tolerance(auc=1e-9), 10**9, BINNING)
    cells = climb._counted(BINNING)
    assert_same(cells, expected)
    assert cells.cell.tolist() == (expected.cell % BINNING.n_cells).tolist()
    assert climb.faults == truth.faults
    if splits:
        _check_splits(climb, cells, tree, expected, truth.batch)
    _check_streamed(table, survey, truth, expected)
    _check_rarer_class(table, survey, truth)


def _check_splits(
    climb: EngineClimb, cells: CellTable, tree: CellTree, expected: CellTable, batch: Batch
) -> None:
    """Twice, so that a split cell is split again; then score by score."""
    for _ in range(1 if climb.table.engine == "dask" else 2):  # whose graphs double in size
        levels = [next_level(own, climb.tolerance, 10**6) for own in (cells, expected)]
        if levels[0] is None:
            break
        cells = climb._split(cells, levels[0])
        tree.split(expected.cell[levels[1].chosen], levels[1])
        expected = tree.count(iter([batch]))
        assert_same(cells, expected)
    if cells.is_mixed.any():
        finished = climb._by_score(cells, cells.is_mixed)
        assert finished is not None
        assert finished.is_tied.all()
        assert finished.rows.sum() == cells.rows[cells.is_mixed].sum()


def _check_streamed(table: Any, survey: Survey, truth: Truth, expected: CellTable) -> None:
    members = table.small(survey.columns())
    rows = table.collect(plan.streamed(_rows(table, survey), survey.question, members), "Reading")
    faults = Faults()
    batches = [batch_of(own, faults, survey.question.keys) for own in rows.to_batches()]
    tree = CellTree(BINNING, len(truth.hosts), is_weighted=survey.question.is_weighted)
    assert_same(tree.count(iter(batches)), expected)
    assert faults == truth.faults


def _check_rarer_class(table: Any, survey: Survey, truth: Truth) -> None:
    are_positive = survey.n_positives <= survey.n_negatives
    members = table.small(survey.columns(rarer_=are_positive.astype(np.int64)))
    rows = columns_of(
        table.collect(plan.of_rarer_class(_rows(table, survey), survey.question, members), "Reading")
    )
    rare = truth.batch.taken(truth.batch.classes == are_positive[truth.batch.members])
    names = ["member_", "score_"] + (["weight_"] if survey.question.is_weighted else [])
    found = sorted(zip(*(rows[name].tolist() for name in names), strict=True))
    columns = [rare.members, rare.scores] + ([rare.weights] if survey.question.is_weighted else [])
    assert found == sorted(zip(*(own.tolist() for own in columns), strict=True))


def _rows(table: Any, survey: Survey) -> Any:
    return table.frame().select(
        "label_", "score_", "group_", *(["weight_"] if survey.question.is_weighted else [])
    )


def assert_same(cells: CellTable, expected: CellTable) -> None:
    """The same cells to the last bit, whatever their numbers are."""
    for name in ("member", "positives", "negatives", "rows", "lowest", "highest"):
        own, other = getattr(cells, name), getattr(expected, name)
        assert own.dtype == other.dtype, name
        assert own.tobytes() == other.tobytes(), name


# -- count_scores -----------------------------------------------------------------------------------------------


def counted(backend: Backend, table: pa.Table, **options: Any) -> CountedScores:
    """What ``count_scores`` makes of the rows in this library, never read whole into memory."""
    engine = None
    if backend.name in IN_MEMORY:
        engine = "polars" if backend.name == "polars" else "duckdb"
    given = {"label": "truth", "score": "said", "group": "host", "memory": "100MB", "engine": engine}
    return rs.count_scores(backend.frame(table), **given | options)


def in_memory(table: pa.Table, **options: Any) -> rs.ScoreSet:
    """The same rows as the kernels in memory take them."""
    return rs.ScoreSet.from_frame(table, **{"label": "truth", "score": "said", "group": "host"} | options)


def assert_exact(counts: CountedScores, scores: rs.ScoreSet) -> None:
    """Areas, counts and DeLong standard errors to the last bit; thresholds where they are known."""
    curves, truth = rs.roc_curves(counts), rs.roc_curves(scores)
    assert counts.is_exact
    order = in_order_of(curves.names, truth.names)
    assert np.asarray(curves.auc).tobytes() == np.asarray(truth.auc)[order].tobytes()
    for own, place in zip(curves, order[:50], strict=False):
        other = truth[place]
        assert own.name == other.name
        assert own.auc_standard_error() == other.auc_standard_error()
        assert (own.n_positives, own.n_negatives) == (other.n_positives, other.n_negatives)
        if counts.knows_thresholds:
            assert own.thresholds.tobytes() == other.thresholds.tobytes()
            assert own.true_positives.tolist() == other.true_positives.tolist()
            assert own.false_positives.tolist() == other.false_positives.tolist()


def in_order_of(names: Sequence[str], others: Sequence[str]) -> list[int]:
    """Where each name is among the others: engines sort groups, a ScoreSet has them as they came."""
    assert sorted(names) == sorted(others)
    place = {name: i for i, name in enumerate(others)}
    return [place[name] for name in names]


def assert_contains(counts: CountedScores, scores: rs.ScoreSet) -> None:
    """Every AUC within its bounds, and every curve between the lowest and the highest."""
    curves, truth = rs.roc_curves(counts), rs.roc_curves(scores)
    low, high = counts.auc_bounds
    auc = np.asarray(truth.auc)[in_order_of(curves.names, truth.names)]
    assert (low <= auc).all()
    assert (auc <= high).all()
    half = counts.auc_half_widths[counts.has_curve]
    assert (np.abs(np.asarray(curves.auc) - auc) <= half + 1e-15).all()
    if counts.knows_thresholds:
        return
    for name in truth.names[:20]:
        at = np.unique(truth[name].fpr)
        for fpr in at[:: max(1, at.size // 25)].tolist():
            assert (
                curves.lower[name].tpr_at(fpr, side="lower") <= truth[name].tpr_at(fpr, side="lower") + 1e-15
            )
            assert (
                curves.upper[name].tpr_at(fpr, side="upper") >= truth[name].tpr_at(fpr, side="upper") - 1e-15
            )
