"""CountedScores: the counts of many groups, as a data engine made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.areas import Areas, areas_of
from rocsteady.counting.cells.certainty import rate_half_widths, rounding_of
from rocsteady.counting.cells.staircases import Staircases, middle_counts, staircases
from rocsteady.counting.cells.table import CellTable, Counts
from rocsteady.counting.engines.binning import Binning
from rocsteady.counting.results import TableResult
from rocsteady.counting.table import CountTable
from rocsteady.counting.tolerance import Tolerance
from rocsteady.scores.labels import Classes
from rocsteady.scores.records import Dropped, member_names, nothing_left, undefined_members, unknown_name
from rocsteady.words import counted, printable

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class How:
    """How rows were counted.

    Attributes
    ----------
    rung : {"memory", "distinct", "anchored", "cells"}
        Exactly, in memory; exactly, every distinct score by the engine; exactly, the commoner class placed
        among the rarer one; in cells, within bounds.
    engine : str
        What read the rows.
    n_passes : int
        How often it read them.
    tolerance : Tolerance
        What was asked for.
    binning : Binning or None
        Which cell a score belongs to, where all cells are those of one binning.
    """

    rung: str = "memory"
    engine: str = "memory"
    n_passes: int = 1
    tolerance: Tolerance = field(default_factory=Tolerance)
    binning: Binning | None = None


@dataclass(frozen=True, eq=False, repr=False)
class CountedScores(TableResult):
    """How many positives and negatives of every group have which scores; what curves need, without the rows.

    Made by :func:`rocsteady.count_scores` and :func:`rocsteady.open_counts`. ``roc_curves(counts)`` and
    ``average(counts, method)`` take it: they give ordinary curves and averages where the counts are exact,
    and certified ones, with bounds, where rows were counted in cells. Counts of other rows of the same kind
    are added with ``+``.

    Attributes
    ----------
    cells : CellTable
        Of all members (groups, or pairs of model and group, models first).
    classes : Classes
        The words for the two classes.
    groups, models : tuple of str
        Their names; ``models`` is empty if none were named.
    group_index, model_index : int64 arrays
        For each member its place in ``groups`` and ``models``.
    unit : str
        The word for a group.
    higher_is_positive : bool
        Whether high scores speak for the positive class.
    dropped : Dropped
        Rows left out, and why.
    source : str
        The file the rows came from, if any.
    columns_chosen : mapping
        Role to column name, for columns that were taken because of their conventional names.
    how : How
        What counted them.
    score : str
        The column that holds the scores; empty where that is not known, or there are several.
    """

    cells: CellTable
    classes: Classes
    groups: tuple[str, ...]
    group_index: Integers
    models: tuple[str, ...] = ()
    model_index: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    unit: str = "group"
    higher_is_positive: bool = True
    dropped: Dropped = field(default_factory=Dropped)
    source: str = ""
    columns_chosen: Mapping[str, str] = field(default_factory=dict)
    how: How = field(default_factory=How)
    score: str = ""

    def __len__(self) -> int:
        return self.cells.n_members

    @cached_property
    def names(self) -> tuple[str, ...]:
        """One per member: the group, or ``"model / group"`` where there are several models."""
        return member_names(self.groups, self.group_index, self.models, self.model_index)

    @property
    def n_positives(self) -> Counts:
        """Positives of every member (their weight if rows have weights)."""
        return self.cells.n_positives

    @property
    def n_negatives(self) -> Counts:
        """Negatives of every member (their weight if rows have weights)."""
        return self.cells.n_negatives

    @property
    def n_rows(self) -> int:
        """Rows that were counted."""
        return int(self.cells.rows.sum())

    @property
    def is_weighted(self) -> bool:
        """Whether rows have weights."""
        return self.cells.is_weighted

    @cached_property
    def has_curve(self) -> Mask:
        """Which members have both classes."""
        return np.asarray((self.n_positives > 0) & (self.n_negatives > 0))

    @cached_property
    def undefined(self) -> tuple[str, ...]:
        """Members without a curve, and why: ``('host-23: no positives',)``."""
        return undefined_members(self.names, self.n_positives, self.n_negatives)

    @cached_property
    def _oriented(self) -> CellTable:
        return self.cells if self.higher_is_positive else self.cells.reversed()

    @cached_property
    def _areas(self) -> Areas:
        return areas_of(self._oriented)

    @cached_property
    def auc_half_widths(self) -> Floats:
        """How far the AUC of every member can be from that of its middle curve; NaN without a curve."""
        return np.asarray(self._areas.half + rounding_of(self.cells))

    @cached_property
    def rate_half_widths(self) -> Floats:
        """Half of how far apart the bounds of a rate are where the other is held; NaN without a curve."""
        found = rate_half_widths(self._oriented) + rounding_of(self.cells)
        return np.where(self.has_curve, found, np.nan)

    @property
    def auc_bound(self) -> float:
        """The largest of the half-widths of areas; 0 where all curves are exact."""
        return _largest(self.auc_half_widths)

    @property
    def rate_bound(self) -> float:
        """The largest of the half-widths of rates; 0 where all curves are exact."""
        return _largest(self.rate_half_widths)

    @property
    def is_exact(self) -> bool:
        """Whether all curves are known exactly; at which thresholds, ``knows_thresholds`` tells."""
        return self.auc_bound == 0

    @cached_property
    def knows_thresholds(self) -> bool:
        """Whether the counts at every threshold are known, not only the curves."""
        return bool(self.cells.is_tied.all()) and not self.is_weighted

    @property
    def meets_tolerance(self) -> bool:
        """Whether the bounds are within what was asked; True where nothing was."""
        return self.how.tolerance.is_met(self.auc_bound, self.rate_bound)

    @cached_property
    def auc_bounds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest AUC that the counts allow, for every member that has a curve."""
        lost = rounding_of(self.cells)[self.has_curve]
        low, high = (own[self.has_curve] for own in (self._areas.low, self._areas.high))
        return np.maximum(low - lost, 0.0), np.minimum(high + lost, 1.0)

    def model(self, name: object) -> CountedScores:
        """The counts of one model, as counts of their own."""
        if str(name) not in self.models:
            raise unknown_name(str(name), self.models, "model")
        chosen = np.flatnonzero(self.model_index == self.models.index(str(name)))
        if chosen.size == 0:
            raise nothing_left(str(name), self.dropped)
        start, stop = int(chosen[0]), int(chosen[-1]) + 1  # members are sorted by model
        return replace(
            self,
            cells=self.cells.of_members(start, stop),
            groups=tuple(self.groups[i] for i in self.group_index[start:stop]),
            group_index=np.arange(stop - start),
            models=(str(name),),
            model_index=np.zeros(stop - start, dtype=np.int64),
        )

    def paths(self) -> Staircases:
        """The lowest, a middle and the highest curve of all members that have one."""
        cells = _members_of(self.cells, self.has_curve)
        return staircases(cells, higher_is_positive=self.higher_is_positive)

    @property
    def spread_cells(self) -> CellTable:
        """The cells, as a middle curve under one threshold for all has them.

        Rows of one class are spread over their cells: all of them at one end would be the best that can be,
        or the worst, as soon as another member has rows in between. Where all members have the same cells,
        they meet at their ends, and nothing is gained.
        """
        return self.cells.spread() if self.how.binning is None else self.cells

    def shared_counts(self, *, every: bool = False) -> CountTable:
        """The middle curves of all members that have one (of all, if asked) under thresholds for all."""
        cells = self.spread_cells if every else _members_of(self.spread_cells, self.has_curve)
        return middle_counts(cells, higher_is_positive=self.higher_is_positive)

    def __add__(self, other: object) -> CountedScores:
        if not isinstance(other, CountedScores):
            return NotImplemented
        from rocsteady.counting.adding import added

        return added(self, other)

    def __radd__(self, other: object) -> CountedScores:
        return self if other == 0 else NotImplemented  # where sum() begins

    def save(self, path: str | Path) -> None:
        """Write the counts to a Parquet file, from which :func:`rocsteady.open_counts` reads them again.

        A file that is there is replaced.

        Raises
        ------
        RocsteadyError
            RS054 if its name does not end in .parquet; RS055 if it cannot be written.
        """
        from rocsteady.counting.cells.saving import save_counts

        save_counts(self, Path(path))

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values: what was counted and how certain it is, without the cells."""
        return {
            "unit": self.unit,
            "groups": list(self.groups),
            "models": list(self.models),
            "n_rows": self.n_rows,
            "n_cells": len(self.cells),
            "positive": self.classes.positive,
            "negative": self.classes.negative,
            "higher_is_positive": self.higher_is_positive,
            "rung": self.how.rung,
            "engine": self.how.engine,
            "auc_bound": self.auc_bound,
            "rate_bound": self.rate_bound,
            "undefined": list(self.undefined),
            "dropped": self.dropped.to_dict(),
            "source": self.source,
        }

    def _columns(self) -> dict[str, Any]:
        cells = self.cells
        columns: dict[str, Any] = {}
        if self.models:
            columns["model"] = np.array(self.models, dtype=object)[self.model_index[cells.member]]
        columns["group"] = np.array(self.groups, dtype=object)[self.group_index[cells.member]]
        names = ("cell", "positives", "negatives", "rows", "lowest", "highest")
        return columns | {name: getattr(cells, name) for name in names}

    def __repr__(self) -> str:
        parts = [counted(len(self.groups), printable(self.unit))]
        if len(self.models) > 1:
            parts.append(counted(len(self.models), "model"))
        parts.append(counted(self.n_rows, "row"))
        if self.undefined:
            parts.append(f"{len(self.undefined)} undefined")
        parts.append(_certainty(self))
        return f"CountedScores({', '.join(parts)})"


def _certainty(counts: CountedScores) -> str:
    if not counts.has_curve.any():
        return "no curve"
    if counts.is_exact:
        return "exact" if counts.knows_thresholds else "exact curves"
    return f"AUC ± {counts.auc_bound:.2g}, rates ± {counts.rate_bound:.2g}"


def _largest(values: Floats) -> float:
    present = values[~np.isnan(values)]
    return float(present.max()) if present.size else 0.0


def _members_of(cells: CellTable, members: Mask) -> CellTable:
    """The cells of some members, those members only."""
    if members.all():
        return cells
    kept = cells.chosen(members[cells.member])
    sizes = np.diff(kept.offsets)[members]
    return replace(kept, offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
