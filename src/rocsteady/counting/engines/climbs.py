"""Two ways up the ladder: rows stream by and are counted here, or the engine counts and only cells travel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.table import CellTable
from rocsteady.counting.engines import plan
from rocsteady.counting.engines.binning import Binning
from rocsteady.counting.engines.ladder import Climb, columns_of, together
from rocsteady.counting.engines.placing import Anchors, Placed
from rocsteady.counting.engines.splitting import Level
from rocsteady.counting.engines.streaming import Batch, CellTree, batch_of, by_score
from rocsteady.counting.engines.survey import survey_columns

Mask = NDArray[np.bool_]


@dataclass
class StreamClimb(Climb):
    """Rows stream through our own kernels: the engine decodes, joins and sends them on."""

    tree: CellTree | None = None
    _counts_faults: bool = True

    def _batches(self, what: str) -> Iterator[Batch]:
        """The usable rows; faults are noted in the first pass only."""
        survey = self.survey
        members = self.table.small(survey_columns(survey)) if survey.question.keys else None
        frame = plan.streamed(self._rows(), survey.question, members)
        faults = self.faults if self._counts_faults else type(self.faults)()
        self._counts_faults = False
        n_seen = 0
        for arrow in self.table.stream(frame):
            n_seen += arrow.num_rows
            self.table.tell(what, min(n_seen / max(survey.n_rows, 1), 1.0))
            yield batch_of(arrow, faults, is_weighted=survey.question.is_weighted, keys=survey.question.keys)

    def _placed(self, anchors: Anchors) -> Placed:
        self.n_passes += 1
        return anchors.placed(self._batches("Placing the commoner class"))

    def _counted(self, binning: Binning) -> CellTable:
        self.tree = CellTree.of(binning, len(self.survey.members))
        cells = self._leaves("Counting cells")
        self._widen(cells.lowest, cells.highest)
        return cells

    def count(self) -> CellTable:
        """The cells; unless they were split, numbered alike in every member and on every day."""
        found = super().count()
        if self.rung != "cells" or self.is_split or self.binning is None:
            return found
        return replace(found, cell=found.cell % self.binning.n_cells)

    def _leaves(self, what: str) -> CellTable:
        assert self.tree is not None
        self.n_passes += what == "Counting cells"
        return self.tree.count(self._batches(what), is_weighted=self.survey.question.is_weighted)

    def _split(self, cells: CellTable, level: Level) -> CellTable:
        assert self.tree is not None
        self.tree = self.tree.split(cells.cell[level.chosen], level)
        return self._leaves("Splitting cells")

    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        assert self.tree is not None
        self.n_passes += 1
        return by_score(
            self.tree,
            cells.cell[heavy],
            self._batches("Counting scores"),
            self.most_cells,
            is_weighted=self.survey.question.is_weighted,
        )


@dataclass
class EngineClimb(Climb):
    """The engine groups and adds; what comes back has a row for each cell."""

    levels: list[Any] = field(default_factory=list)
    first_free: int = 0

    def _placed(self, anchors: Anchors) -> Placed:
        survey, question = self.survey, self.survey.question
        found = self._collect(plan.totals(plan.coded(self._rows(), question), question), "Looking for gaps")
        column = columns_of(found)
        self.faults.note(column["fault_"], column["rows"], survey.members.places(found), question.keys)
        self.n_passes += 1
        members = self.table.small(survey_columns(survey)) if question.keys else None
        return anchors.joined(self.table.place(plan.streamed(self._rows(), question, members), anchors))

    def _numbered(self, binning: Binning) -> Any:
        frame = plan.numbered(plan.coded(self._rows(), self.survey.question), binning)
        for level in self.levels:
            frame = plan.split(frame, level, self.survey.question.keys)
        return frame

    def _counted(self, binning: Binning) -> CellTable:
        self.first_free = binning.n_cells
        rows = self._collect(plan.counted(self._numbered(binning), self.survey.question), "Counting cells")
        column = columns_of(rows)
        return self._cells(rows, column["cell_"], column["lowest"], column["highest"])

    def _split(self, cells: CellTable, level: Level) -> CellTable:
        assert self.binning is not None
        stays = level.parts == 1
        first = np.where(
            stays, cells.cell[level.chosen], self.first_free + np.cumsum(level.parts) - level.parts
        )
        self.first_free += int(level.parts.sum())
        self._add_level(cells, level.chosen, level.starts, level.scales, level.parts, first)
        frame = plan.counted(self._numbered(self.binning), self.survey.question)
        rows = self.table.collect(frame, "Splitting cells")
        column = columns_of(rows)
        smaller = self._cells(rows, column["cell_"], column["lowest"], column["highest"], again=True)
        return together(cells.chosen(~level.chosen), smaller)

    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        assert self.binning is not None
        n = int(heavy.sum())
        one, none = np.ones(n, dtype=np.int64), np.zeros(n)
        self._add_level(cells, heavy, none, none, one, cells.cell[heavy])
        counted = plan.counted(self._numbered(self.binning), self.survey.question, by=("score_",))
        rows = self._collect(counted.head(self.most_cells + 1), "Counting scores")
        if rows.num_rows > self.most_cells:
            return None
        score = columns_of(rows)["score_"]
        numbers = self.first_free + np.arange(score.size)
        return self._cells(rows, numbers, score, score, again=True)

    def _add_level(
        self, cells: CellTable, chosen: Mask, starts: Any, scales: Any, parts: Any, first: Any
    ) -> None:
        """Rows of other cells fall out of every later pass."""
        import pyarrow as pa

        columns = {
            "cell_": cells.cell[chosen],
            "start_": starts,
            "scale_": scales,
            "last_": (parts - 1).astype(np.float64),
            "first_": first.astype(np.float64),
        }
        keys = self.survey.members.columns(cells.member[chosen])
        table = pa.table(keys | {name: pa.array(values) for name, values in columns.items()})
        self.levels.append(self.table.small(table))


def climb_of(table: Any, *arguments: Any) -> Climb:
    """The way up that an engine takes."""
    return (StreamClimb if table.streams else EngineClimb)(table, *arguments)
