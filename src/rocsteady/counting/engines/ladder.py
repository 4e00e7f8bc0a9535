"""The ladder: every distinct score, else the commoner class among the rarer, else cells, ever narrower.

Each rung says what it reached; none claims a tolerance that it did not meet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.certainty import auc_half_widths, rate_half_widths
from rocsteady.counting.cells.table import CellTable, cells_of
from rocsteady.counting.engines import plan
from rocsteady.counting.engines.binning import MISSING_SCORE, Binning, binning_of
from rocsteady.counting.engines.faults import Faults
from rocsteady.counting.engines.placing import BYTES_PER_ANCHOR, Anchors, Placed, anchors_of, placed_cells
from rocsteady.counting.engines.splitting import Level, heaviest, next_level
from rocsteady.counting.engines.survey import Survey, rows_of, survey_columns
from rocsteady.counting.engines.tables import EngineTable
from rocsteady.counting.tolerance import Tolerance
from rocsteady.errors import DataError, Option, counted

BYTES_PER_CELL = 250
"""Memory of one cell, from the engine's own table to the curves made of it."""
_BYTES_PER_SLOT = 64
"""Memory of a place for a cell, in use or not."""
CELLS_OF_A_GROUP, CELLS_OF_ALL = 1024, 65_536
"""Cells of a member where there are several, and where there is one."""
_MOST_ANCHORS = 200_000
"""Anchors of a member on average above which placing a row costs more than splitting its cell."""
_FEW_DISTINCT = 2000
"""So few distinct scores in a sample may be all there are."""
_MOST_SPLITS = 4
"""Passes; then what is left is finished score by score, or told."""
_LARGEST_INTEGER = 2.0**53


@dataclass
class Climb(ABC):
    """One table, one column of scores, on its way up the ladder."""

    table: EngineTable
    survey: Survey
    score: str
    tolerance: Tolerance
    memory: int
    binning: Binning | None = None
    faults: Faults = field(default_factory=Faults)
    rung: str = ""
    n_passes: int = 1
    is_split: bool = False
    cell_limit: int | None = None
    ends: tuple[float, float] = (np.inf, -np.inf)
    _sample: tuple[Any, Any] | None = None

    @property
    def most_cells(self) -> int:
        """Cells that fit the memory, or as few as were asked for."""
        fitting = self.memory // BYTES_PER_CELL
        return fitting if self.cell_limit is None else min(fitting, self.cell_limit)

    def count(self) -> CellTable:
        """The cells, exact if that was asked or costs nothing, else within the tolerance if that can be."""
        found = None
        if self.binning is None:
            if self.survey.n_rows <= self.most_cells:
                found = self._distinct(self.survey.n_rows)
            elif self._should_anchor():
                found = self._anchored()
            elif self._has_few_distinct():
                found = self._distinct(self.most_cells)
        if found is None:
            found = self._in_cells()
        self._check(found)
        return found

    # -- exactly -----------------------------------------------------------------------------------------

    def _distinct(self, most: int) -> CellTable | None:
        """Every distinct score as a cell of its own, counted by the engine; None if they are too many."""
        question = self.survey.question
        coded = plan.coded(self._rows(), question)
        rows = plan.counted(coded, question, by=("fault_", "score_")).head(most + 1)
        found = self._collect(rows, "Counting every score")
        if found.num_rows > most:
            return None
        column = columns_of(found)
        self.rung = "distinct"
        fault, score = column["fault_"].astype(np.int64), column["score_"]
        fault[(fault == 0) & np.isnan(score)] = (
            MISSING_SCORE  # an engine may trust a footer and not look for NaN
        )
        return self._cells(found, fault, score, score)

    def _should_anchor(self) -> bool:
        n_rarer = self.survey.n_rarer
        if not self.tolerance.is_asked or n_rarer * BYTES_PER_ANCHOR > self.memory:
            return False
        return self.tolerance.is_exact or n_rarer <= _MOST_ANCHORS * len(self.survey.members)

    def _anchored(self) -> CellTable:
        survey = self.survey
        are_positive = survey.n_positives <= survey.n_negatives
        members = self.table.small(survey_columns(survey, rarer_=are_positive.astype(np.int64)))
        rare = columns_of(
            self._collect(
                plan.of_rarer_class(self._rows(), survey.question, members), "Reading the rarer class"
            )
        )
        known = ~np.isnan(rare["score_"])  # an engine may trust a footer and not look for NaN
        rare = {name: values[known] for name, values in rare.items()}
        scores = rare["score_"] + 0.0  # once more: Polars takes adding nothing for nothing, and -0.0 stays
        anchors = anchors_of(rare["member_"], scores, rare.get("weight_"), are_positive)
        del rare
        self.rung = "anchored"
        cells = placed_cells(anchors, self._placed(anchors))
        self._widen(cells.lowest, cells.highest)
        return cells

    @abstractmethod
    def _placed(self, anchors: Anchors) -> Placed:
        """Place the rows of the commoner classes, and note faults."""

    # -- in cells ----------------------------------------------------------------------------------------

    def _in_cells(self) -> CellTable:
        self.rung = "cells"
        if self.binning is not None:
            self._require_room(self.binning)
        self.binning = self.binning or self._chosen_binning()
        cells = self._counted(self.binning)
        for _ in range(_MOST_SPLITS):
            if self._is_met(cells):
                return cells
            level = next_level(cells, self.tolerance, self.most_cells)
            if level is None:
                break
            self.is_split = True
            self.n_passes += 1
            cells = self._split(cells, level)
        if not self._is_met(cells):
            heavy = heaviest(cells, self.tolerance)
            finished = self._by_score(cells, heavy) if heavy.any() else None
            if finished is not None:
                self.is_split = True
                cells = together(cells.chosen(~heavy), finished)
        return cells

    def _require_room(self, binning: Binning) -> None:
        """RS400 if cells that were made for few groups are asked for of many."""
        n_cells = binning.n_cells * len(self.survey.members)
        if n_cells * _BYTES_PER_SLOT > 2 * self.memory:
            raise DataError(
                "RS400",
                "the cells of the counts that these are to be like do not fit into memory.",
                f"{binning.n_cells} cells for each of {counted(len(self.survey.members), 'group')}",
                ["allow more memory:  ", Option("memory", "8GB")],
                "or count without them; the sum of both has wider bounds then",
            )

    @abstractmethod
    def _counted(self, binning: Binning) -> CellTable:
        """The cells of a binning, and note faults."""

    @abstractmethod
    def _split(self, cells: CellTable, level: Level) -> CellTable:
        """All cells, after some were split."""

    @abstractmethod
    def _by_score(self, cells: CellTable, heavy: NDArray[np.bool_]) -> CellTable | None:
        """Every score of some cells as a cell of its own; None where there are too many."""

    def _is_met(self, cells: CellTable) -> bool:
        if not self.tolerance.is_asked:
            return True
        auc, rate = auc_half_widths(cells), rate_half_widths(cells)
        return self.tolerance.is_met(largest(auc), largest(rate))

    # -- the sample --------------------------------------------------------------------------------------

    def _has_few_distinct(self) -> bool:
        scores = self._sampled()[1]
        return bool(np.unique(scores).size <= min(_FEW_DISTINCT, scores.size // 4))

    def _chosen_binning(self) -> Binning:
        is_positive, scores = self._sampled()
        n_members = len(self.survey.members)
        usual = CELLS_OF_ALL if n_members == 1 else CELLS_OF_A_GROUP
        n_cells = int(np.clip(self.most_cells // max(n_members, 1), 64, usual))
        return binning_of(scores[is_positive], scores[~is_positive], n_cells)

    def _sampled(self) -> tuple[Any, Any]:
        """Whether each row of a sample is positive, and its score."""
        if self._sample is None:
            self.table.n_rows = self.survey.n_rows
            rows = self.table.sample(f"{self.score}_")
            wanted = set(self.survey.question.positives)
            is_positive = np.array(
                [own in wanted for own in rows.column("label_").to_pylist()], dtype=np.bool_
            )
            # Unsafe: integers that floats cannot tell apart are told later, with a code.
            scores = rows.column("score_").cast("float64", safe=False).fill_null(np.nan).to_numpy() + 0.0
            usable = ~np.isnan(scores)
            self._sample = is_positive[usable], scores[usable]
        return self._sample

    # -- common ------------------------------------------------------------------------------------------

    def _rows(self) -> Any:
        return rows_of(self.table, self.survey.question, self.score)

    def _collect(self, frame: Any, what: str) -> Any:
        self.n_passes += 1
        return self.table.collect(frame, what)

    def _cells(self, rows: Any, number: Any, lowest: Any, highest: Any, *, again: bool = False) -> CellTable:
        """The cells in what an engine counted; faults are noted the first time."""
        survey, column = self.survey, columns_of(rows)
        place = survey.members.places(rows)
        if not again:
            self.faults.note(number, column["rows"], place, survey.question.keys)
            seen = number != MISSING_SCORE
            self._widen(lowest[seen], highest[seen])
        usable = (number >= 0) & (place >= 0)
        positives = column["positives"]
        negatives = column["negatives"] if survey.question.is_weighted else column["rows"] - positives
        picked = (place, number, positives, negatives, column["rows"], lowest + 0.0, highest + 0.0)
        member, *others = (values[usable] for values in picked)
        return cells_of(member, len(survey.members), *others)

    def _widen(self, lowest: Any, highest: Any) -> None:
        lowest, highest = lowest[~np.isnan(lowest)], highest[~np.isnan(highest)]
        if lowest.size:
            self.ends = min(self.ends[0], float(lowest.min())), max(self.ends[1], float(highest.max()))

    def _check(self, cells: CellTable) -> None:
        """RS401 to RS403: what was counted must be what is there, and be told apart."""
        self._require_same_rows(cells)
        self.table.check(self.score, self.ends, self.survey.n_rows, are_all=not self.faults.n_rows)
        scale = self.table.integers.get(self.score)
        furthest = max(abs(self.ends[0]), abs(self.ends[1]))
        if scale is not None and furthest * 10.0**scale >= _LARGEST_INTEGER:
            kind = "decimals" if scale else "integers"
            raise DataError(
                "RS403",
                f"{self.table.source.column(self.score)} holds {kind} that floats cannot tell apart.",
                f"found: scores from {self.ends[0]:.17g} to {self.ends[1]:.17g}",
                "in memory they are compared as integers:  read_scores(path, ...)",
                "or subtract an offset, which changes no order",
            )

    def _require_same_rows(self, cells: CellTable) -> None:
        """RS402 unless every pass saw the rows, and the classes, that the first one saw."""
        survey = self.survey
        n_counted, n_expected = int(cells.rows.sum()), survey.n_rows - self.faults.n_rows
        found = f"found: {counted(n_counted, 'row')} instead of {n_expected}"
        if n_counted == n_expected and not survey.question.is_weighted:
            more = (cells.n_positives > survey.n_positives) | (cells.n_negatives > survey.n_negatives)
            found = f"found: as many rows, but other classes in {counted(int(more.sum()), 'group')}"
            n_counted -= int(more.any())
        if n_counted != n_expected:
            raise DataError(
                "RS402",
                f"{self.table.engine} gave other rows the second time, so there is no result.",
                found,
                "the table changes while it is read, or rows were lost: write it down first",
            )


def together(first: CellTable, second: CellTable) -> CellTable:
    """The cells of two tables of the same members."""
    names = ("cell", "positives", "negatives", "rows", "lowest", "highest")
    columns = [np.concatenate([getattr(first, name), getattr(second, name)]) for name in names]
    return cells_of(np.concatenate([first.member, second.member]), first.n_members, *columns)


def largest(values: NDArray[np.float64]) -> float:
    """The largest that is not NaN, or 0."""
    return float(np.max(values[~np.isnan(values)], initial=0.0))


def columns_of(table: Any) -> dict[str, Any]:
    """The numbers of an Arrow table as NumPy arrays; null is NaN, or 0 among integers."""
    import pyarrow as pa

    columns = {}
    for name in table.schema.names:
        kind = table.schema.field(name).type
        if pa.types.is_floating(kind):
            columns[name] = table.column(name).fill_null(np.nan).to_numpy().astype(np.float64)
        elif pa.types.is_integer(kind):
            columns[name] = table.column(name).fill_null(0).to_numpy().astype(np.int64)
    return columns
