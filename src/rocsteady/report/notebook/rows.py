"""Which rows of a value are shown: what a curve reads at five rates, of everything else the first rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import RocsteadyError
from rocsteady.readers.curves import ReaderAverageCurve
from rocsteady.report.tables.rows import level_of
from rocsteady.results import TableResult
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.statistics.limits import Interval

ROWS, ALL_ROWS = 5, 10
"""Of a long table; and how many are few enough to be shown all."""
LEVEL = 0.95
READ_AT = (0.01, 0.05, 0.1, 0.2, 0.5)
"""False positive rates at which a curve is read: its first vertices would say nothing."""


@dataclass(frozen=True)
class Rows:
    """The columns to show, with the first rows or all; how many rows there are; the level of intervals."""

    columns: Mapping[str, Any]
    n_rows: int = ROWS
    level: float | None = None

    @property
    def n_shown(self) -> int:
        """How many rows are shown."""
        return self.n_rows if self.n_rows <= ALL_ROWS else ROWS


def rows_of(value: object) -> Rows | None:
    """The rows to show, or None where there are none."""
    return next((rows(value) for kind, rows in _ROWS if isinstance(value, kind)), None)


def _of_table(value: TableResult) -> Rows | None:
    columns = value._columns()
    n_rows = max((len(column) for column in columns.values()), default=0)
    return Rows(columns, n_rows, level_of(value)) if n_rows else None


def _read_average(average: Average) -> Rows:
    across, up = ("debit share", "credit share") if average.averaged.is_smroc else ("fpr", "tpr")
    at = np.array(READ_AT)
    point = average.at(fpr=at, confidence_level=LEVEL)
    return Rows({across: at, up: point.tpr} | _limits(point.tpr_interval), level=LEVEL)


def _read_curve(curve: RocCurve) -> Rows:
    at = np.array(READ_AT)
    try:
        limits = _limits(curve.tpr_interval(at, LEVEL))
    except RocsteadyError:  # weights and hulls have none by formula
        limits = {}
    return Rows({"fpr": at, "tpr": curve.tpr_at(at)} | limits, level=LEVEL)


def _read_readers(curve: ReaderAverageCurve) -> Rows:
    at = np.array(READ_AT)
    point = curve.at(fpr=at) if curve.hold == "fpr" else curve.at(tpr=1 - at)
    columns = {"fpr": point.fpr, "tpr": point.tpr}
    if curve.hold == "tpr":  # the rate that is held stands first, the one with an interval beside its limits
        columns = {"tpr": point.tpr, "fpr": point.fpr}
    return Rows(columns | _limits(point.interval), level=curve.confidence_level)


def _limits(interval: Interval | None) -> dict[str, Any]:
    if interval is None or np.isnan(interval.low).all():
        return {}
    return {"low": interval.low, "high": interval.high}


def _groups_of(scores: ScoreSet) -> Rows:
    few = slice(0, ALL_ROWS)
    columns: dict[str, Any] = {}
    if len(scores.models) > 1:
        columns["model"] = [scores.models[i] for i in scores.model_index[few]]
    word = scores.unit if scores.unit not in ("model", "n_positives", "n_negatives") else "group"
    columns[word] = [scores.groups[i] for i in scores.group_index[few]]
    columns |= {"n_positives": scores.n_positives[few], "n_negatives": scores.n_negatives[few]}
    return Rows(columns, len(scores))


def _first_rows(scores: Scores) -> Rows:
    words = (scores.classes.negative, scores.classes.positive)
    columns = scores.columns
    labels = [words[int(is_positive)] for is_positive in (columns.labels[:ALL_ROWS] == columns.positive)]
    shown: dict[str, Any] = {"label": labels, "score": columns.scores[:ALL_ROWS]}
    if columns.weights is not None:
        shown["weight"] = columns.weights[:ALL_ROWS]
    return Rows(shown, columns.n_rows)


def _first_outputs(scores: MulticlassScores) -> Rows:
    columns: dict[str, Any] = {}
    if len(scores.folds) > 1:
        columns["fold"] = [scores.folds[i] for i in scores.fold_index[:ALL_ROWS]]
    columns["class"] = [str(scores.classes[i]) for i in scores.label_index[:ALL_ROWS]]
    outputs = {f"output {name}": scores.outputs[:ALL_ROWS, i] for i, name in enumerate(scores.classes)}
    return Rows(columns | outputs, scores.n_rows)


_ROWS: tuple[tuple[type, Callable[[Any], Rows | None]], ...] = (
    (Average, _read_average),
    (RocCurve, _read_curve),
    (ReaderAverageCurve, _read_readers),
    (ScoreSet, _groups_of),
    (Scores, _first_rows),
    (MulticlassScores, _first_outputs),
    (TableResult, _of_table),
)
