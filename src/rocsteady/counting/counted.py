"""CountedScores: the counts of many groups, as a data engine made them.

Added, saved and opened again, read as scores.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rocsteady.arrays import Counts, Floats, Integers
from rocsteady.counting.cells import (
    COLUMNS,
    Areas,
    Binning,
    CellTable,
    Staircases,
    Tolerance,
    areas_of,
    cells_of,
    joined,
    largest,
    path_of,
    rate_half_widths,
    rounding_of,
)
from rocsteady.counting.table import CountTable
from rocsteady.errors import RocsteadyError, fail, first_line
from rocsteady.results import TableResult
from rocsteady.scores.columns import Cause, Columns, Dropped, Grouped, offsets_of
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.whole_files import write_whole
from rocsteady.words import counted, printable


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
class CountedScores(Grouped, TableResult):
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
    sources : tuple of str
        The files the rows came from, if any.
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
    sources: tuple[str, ...] = ()
    columns_chosen: Mapping[str, str] = field(default_factory=dict)
    how: How = field(default_factory=How)
    score: str = ""

    def __len__(self) -> int:
        return self.cells.n_members

    @property
    def source(self) -> str:
        """The files the rows came from, in one text."""
        return " and ".join(self.sources)

    @cached_property
    def n_positives(self) -> Counts:
        """Positives of every member (their weight if rows have weights)."""
        return self.cells.n_positives

    @cached_property
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

    def oriented_cells(self, cells: CellTable | None = None, *, every: bool = False) -> CellTable:
        """The cells of members that have a curve (of all, with ``every``), high scores being positive."""
        cells = self.cells if cells is None else cells
        cells = cells if every else cells.keep(self.has_curve)
        return cells if self.higher_is_positive else cells.reversed()

    @cached_property
    def _areas(self) -> Areas:
        return areas_of(self.oriented_cells(every=True))

    @cached_property
    def auc_half_widths(self) -> Floats:
        """How far the AUC of every member can be from that of its middle curve; NaN without a curve."""
        return np.asarray(self._areas.half + rounding_of(self.cells))

    @cached_property
    def rate_half_widths(self) -> Floats:
        """Half of how far apart the bounds of a rate are where the other is held; NaN without a curve."""
        found = rate_half_widths(self.oriented_cells(every=True)) + rounding_of(self.cells)
        return np.where(self.has_curve, found, np.nan)

    @property
    def auc_bound(self) -> float:
        """The largest of the half-widths of areas; 0 where all curves are exact."""
        return largest(self.auc_half_widths)

    @property
    def rate_bound(self) -> float:
        """The largest of the half-widths of rates; 0 where all curves are exact."""
        return largest(self.rate_half_widths)

    @property
    def threshold_bound(self) -> float:
        """How far a rate of any group can be off at a threshold: the largest share of a class in one cell.

        Of a cell of one class it is half of that, as its rows are spread.
        """
        cells, widest = self.cells, 0.0
        inside = ~cells.is_tied & self.has_curve[cells.member]
        is_spread = ~cells.is_mixed & (self.how.binning is None)
        known = np.where(is_spread, 0.5, 1.0)[inside]
        for own, totals in ((cells.positives, cells.n_positives), (cells.negatives, cells.n_negatives)):
            if inside.any():
                widest = max(widest, float((known * own[inside] / totals[cells.member[inside]]).max()))
        return widest

    @property
    def certainty(self) -> dict[str, Any]:
        """Who counted how much, and how far what is read from it can be off, as plain data."""
        return {
            "engine": self.how.engine,
            "n_rows": int(self.n_rows),
            "n_cells": len(self.cells),
            "auc_bound": float(self.auc_bound),
            "rate_bound": float(self.rate_bound),
            "threshold_bound": float(self.threshold_bound),
        }

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
        members, own = self._one_model(name)
        return replace(self, cells=self.cells.keep(members), **own)

    def paths(self) -> Staircases:
        """The lowest, a middle and the highest curve of all members that have one."""
        cells, higher = self.oriented_cells(), self.higher_is_positive
        return Staircases(
            *(path_of(cells, upper=upper, higher_is_positive=higher) for upper in (False, None, True))
        )

    @property
    def spread_cells(self) -> CellTable:
        """The cells, as a middle curve under one threshold for all has them.

        Rows of one class are spread over their cells: all of them at one end would be the best that can be,
        or the worst, as soon as another member has rows in between. Where all members have the same cells,
        they meet at their ends, and nothing is gained.
        """
        return self.cells.spread() if self.how.binning is None else self.cells

    def shared_counts(self, *, upper: bool | None = None, every: bool = False) -> CountTable:
        """The curves of all members that have one (of all, with ``every``) under thresholds for all.

        The highest with ``upper``, the lowest without, the middle ones for None.
        """
        cells = self.oriented_cells(self.spread_cells if upper is None else self.cells, every=every)
        return path_of(
            cells, upper=upper, shared=upper is not None, higher_is_positive=self.higher_is_positive
        )

    def __add__(self, other: object) -> CountedScores:
        return added(self, other) if isinstance(other, CountedScores) else NotImplemented

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
        path = Path(path)
        if path.suffix.casefold() != ".parquet":
            raise fail("RS054.counts", path=path, parquet=str(path.with_suffix(".parquet")))
        if not path.parent.is_dir():
            raise fail("RS055.no-folder", path=path, folder=printable(str(path.parent)))
        write_whole(path, counts_as_bytes(self))

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values: what was counted and how certain it is, without the cells."""
        return self._facts() | {
            "n_cells": len(self.cells),
            "auc_bound": self.auc_bound,
            "rate_bound": self.rate_bound,
            "undefined": list(self.undefined),
            "source": self.source,
        }

    def _facts(self) -> dict[str, Any]:
        """What a file of counts says, too."""
        return super()._facts() | {
            "n_rows": self.n_rows,
            "rung": self.how.rung,
            "engine": self.how.engine,
        }

    def _columns(self) -> dict[str, Any]:
        cells = self.cells
        columns: dict[str, Any] = {}
        if self.models:
            columns["model"] = np.array(self.models, dtype=object)[self.model_index[cells.member]]
        columns["group"] = np.array(self.groups, dtype=object)[self.group_index[cells.member]]
        return columns | {name: getattr(cells, name) for name in COLUMNS}

    def __repr__(self) -> str:
        parts = [counted(len(self.groups), printable(self.unit))]
        if len(self.models) > 1:
            parts.append(counted(len(self.models), "model"))
        parts.append(counted(self.n_rows, "row"))
        if self.undefined:
            parts.append(f"{len(self.undefined)} undefined")
        if not self.has_curve.any():
            parts.append("no curve")
        elif self.is_exact:
            parts.append("exact" if self.knows_thresholds else "exact curves")
        else:
            parts.append(f"AUC ± {self.auc_bound:.2g}, rates ± {self.rate_bound:.2g}")
        return f"CountedScores({', '.join(parts)})"


# Counts of one day and of the next: added, if they mean the same
# ---------------------------------------------------------------

_RUNGS = ("memory", "distinct", "anchored", "cells")


def added(first: CountedScores, second: CountedScores) -> CountedScores:
    """The counts of all rows of both, as if they had been counted together.

    Where both were counted in the same cells, cells are added; exact counts stay exact. Cells that differ
    stay beside each other, and the bounds tell what that costs.

    Raises
    ------
    DataError
        RS404 if they do not mean the same.
    """
    both = first, second
    one, other = map(_meaning, both)
    if not (first.score and second.score):  # one is not known
        del one["column of scores"], other["column of scores"]
    differ = [
        f"{what}: {own} in one, {other[what]} in the other" for what, own in one.items() if own != other[what]
    ]
    if differ:
        raise fail("RS404.added", differences="; ".join(differ))
    groups = tuple(dict.fromkeys([*first.groups, *second.groups]))
    models = tuple(dict.fromkeys([*first.models, *second.models]))
    pairs = [_pairs(own, groups, models) for own in both]
    every = np.unique(np.concatenate(pairs))
    members = [np.searchsorted(every, own) for own in pairs]
    binning = first.how.binning
    by_number = binning is not None and binning == second.how.binning
    rung = max((own.how.rung for own in both), key=_RUNGS.index)
    if rung == "anchored":  # the rows of one between the anchors of the other are not placed
        rung = "cells"
    causes = Counter(first.dropped.causes) + Counter(second.dropped.causes)
    return replace(
        first,
        cells=joined([own.cells for own in both], members, every.size, by_number=by_number),
        groups=groups,
        group_index=every % len(groups),
        models=models,
        model_index=every // len(groups),
        dropped=Dropped(first.dropped.n_rows + second.dropped.n_rows, dict(causes)),
        sources=tuple(dict.fromkeys([*first.sources, *second.sources])),
        score=first.score or second.score,
        how=How(rung, first.how.engine, 0, first.how.tolerance, binning if by_number else None),
    )


def _pairs(counts: CountedScores, groups: tuple[str, ...], models: tuple[str, ...]) -> Integers:
    """One number for the model and the group of every member."""
    place = {name: i for i, name in enumerate(groups)}
    of_group = np.array([place[name] for name in counts.groups], dtype=np.int64)[counts.group_index]
    if not models:
        return of_group
    of_model = np.array([models.index(name) for name in counts.models], dtype=np.int64)[counts.model_index]
    return of_model * len(groups) + of_group


def _meaning(counts: CountedScores) -> dict[str, str]:
    """What must be the same in counts that are added."""
    return {
        "positive scores": "high" if counts.higher_is_positive else "low",
        "row weights": "some" if counts.is_weighted else "none",
        "models": "some" if counts.models else "none",
        "column of scores": counts.score,
        "column of groups": "none" if counts.groups == ("all",) else counts.unit,
        "positive label": counts.classes.positive,
        "negative label": counts.classes.negative,
    }


# Counts as files
# ---------------

_NOTE, _VERSION = b"rocsteady_counts", 1


def counts_as_bytes(counts: CountedScores) -> bytes:
    """The Parquet file of counts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    how = counts.how
    note = counts._facts() | {
        "version": _VERSION,
        "members": np.stack([counts.model_index, counts.group_index]).tolist(),
        "is_weighted": counts.is_weighted,
        "sources": list(counts.sources),
        "score": counts.score,
        "tolerance": [how.tolerance.auc, how.tolerance.rate],
        "binning": None if how.binning is None else how.binning.to_dict(),
    }
    table = pa.table(counts._columns()).replace_schema_metadata({_NOTE: json.dumps(note).encode()})
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
    return stream.getvalue()


def is_counts(path: object) -> bool:
    """Whether a file is a table of counts that :meth:`CountedScores.save` wrote."""
    if not isinstance(path, str | Path) or not str(path).lower().endswith(".parquet"):
        return False
    if not os.path.isfile(path):  # a pipe would wait for somebody who writes
        return False
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return _NOTE in (pq.read_schema(path).metadata or {})
    except (pa.ArrowException, OSError):
        return False


def open_counts(path: str | Path) -> CountedScores:
    """Read counts that were saved before.

    Parameters
    ----------
    path : str or path
        A Parquet file that :meth:`CountedScores.save` or ``rocsteady count`` wrote.

    Raises
    ------
    FileError
        RS405 if it is something else; RS051 to RS053 if it cannot be read; RS401 if it was damaged.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rocsteady as rs
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "counts.parquet")
    >>> table = {"label": [1, 0, 1, 0], "score": [0.9, 0.4, 0.3, 0.2], "host": ["a", "a", "b", "b"]}
    >>> today = rs.count_scores(table, label="label", score="score", group="host")
    >>> today.save(path)
    >>> rs.open_counts(path) + today
    CountedScores(2 hosts, 8 rows, exact)
    >>> folder.cleanup()
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from rocsteady.scores.files import located  # of files only

    with located(path) as file:
        checked = {"memory_map": False, "page_checksum_verification": True}
        try:
            table = pq.read_table(file.path, **checked) if file.kind == "Parquet" else None
        except (pa.ArrowException, OSError) as error:
            raise fail("RS053.counts", name=file.name, reason=first_line(error)) from error
        metadata = {} if table is None else table.schema.metadata or {}
        try:
            note = json.loads(metadata.get(_NOTE, b"{}"))
            version = note.get("version")
        except (ValueError, AttributeError) as error:
            raise _damaged(file.name, "a note that is none") from error
        if not note:
            raise fail("RS405.no-note", name=file.name)
        if version != _VERSION:
            raise fail("RS405.later", name=file.name, version=version)
        try:
            return _read(table, note, file.name)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            if isinstance(error, RocsteadyError):
                raise
            kind = type(error).__name__
            raise _damaged(file.name, f"a note that does not fit its cells ({kind})") from error


def _read(table: Any, note: dict[str, Any], name: str) -> CountedScores:
    """The counts of a table and its note; RS401 if they cannot be what was written."""
    groups, models = tuple(note["groups"]), tuple(note["models"])
    model_index, group_index = (np.array(own, dtype=np.int64) for own in note["members"])
    missing = [own for own in COLUMNS if own not in table.column_names or table.column(own).null_count]
    if missing:
        raise _damaged(name, f"without all values: {', '.join(missing)}")
    of_group = _places(table, "group", groups, name)
    of_model = _places(table, "model", models, name) if models else np.zeros(of_group.size, dtype=np.int64)
    order = np.full((max(len(models), 1), len(groups)), -1, dtype=np.int64)
    order[model_index, group_index] = np.arange(group_index.size)
    columns = {own: table.column(own).to_numpy() for own in COLUMNS}
    of_class = np.float64 if note["is_weighted"] else np.int64
    kinds = {"cell": np.int64, "rows": np.int64, "lowest": np.float64, "highest": np.float64}
    for own, values in columns.items():
        if values.dtype != kinds.get(own, of_class):
            raise _damaged(name, f"{own} of type {values.dtype}")
    if not (columns["rows"] > 0).all():
        raise _damaged(name, "cells without a row")
    cells = cells_of(order[of_model, of_group], group_index.size, **columns)
    _require_sound(cells, note["n_rows"], note["rung"], name)
    causes = {Cause(own): n for own, n in note["dropped"]["causes"].items()}
    dropped = Dropped(note["dropped"]["n_rows"], causes)
    binning = None if note["binning"] is None else Binning.from_dict(note["binning"])
    how = How(note["rung"], note["engine"], 0, Tolerance(*note["tolerance"]), binning)
    return CountedScores(
        cells, Classes(note["positive"], note["negative"]), groups, group_index, models, model_index,
        note["unit"], note["higher_is_positive"], dropped, tuple(note["sources"]), {}, how, note["score"],
    )  # fmt: skip


def _places(table: Any, role: str, names: tuple[str, ...], file: str) -> Any:
    """The place of every cell's group, or model, among those that the note has."""
    place: dict[Any, int] = {name: i for i, name in enumerate(names)}
    found = table.column(role).to_pylist() if role in table.column_names else [None] * table.num_rows
    strange = [name for name in dict.fromkeys(found) if name not in place]
    if strange:
        raise _damaged(file, f"a {role} that its note does not have: {printable(str(strange[0]))}")
    return np.array([place[name] for name in found], dtype=np.int64)


def _require_sound(cells: CellTable, n_rows: int, rung: str, name: str) -> None:
    """RS401 if the cells cannot be what was written, or are told to be exact and cannot be.

    Counts of every distinct score have no cell of several; anchored ones none of both classes in an order
    that is not known; neither has cells that overlap. Others may, but no score has two cells of its own.
    """
    n_counted = int(cells.rows.sum())
    if n_counted != n_rows:
        raise _damaged(name, f"rows counted: {n_counted}; rows by its note: {n_rows}")
    is_sum = cells.is_weighted or (cells.positives + cells.negatives == cells.rows).all()
    both = np.concatenate([cells.positives, cells.negatives])
    if not (is_sum and (both >= 0).all() and np.isfinite(both).all()):
        raise _damaged(name, "positives and negatives that are not the rows of their cell")
    if not (cells.lowest <= cells.highest).all():
        raise _damaged(name, "scores that end before they begin")
    is_wrong = {"memory": ~cells.is_tied, "distinct": ~cells.is_tied, "anchored": cells.is_mixed}.get(rung)
    if is_wrong is not None and is_wrong.any():
        i = int(np.flatnonzero(is_wrong)[0])
        ends = f"from {float(cells.lowest[i])!r} to {float(cells.highest[i])!r}"
        raise _damaged(name, f"counts that are said to be exact, with a cell of scores {ends}")
    exact = cells.chosen(cells.is_tied) if is_wrong is None else cells
    same = exact.member[1:] == exact.member[:-1]
    overlap = np.flatnonzero(same & (exact.highest[1:] >= exact.lowest[:-1]))
    if overlap.size:
        score = float(exact.highest[overlap[0] + 1])
        raise _damaged(name, f"two exact cells of one group that overlap, at the score {score!r}")


def _damaged(name: str, found: str) -> RocsteadyError:
    return fail("RS401.counts", name=name, found=found)


# Counts as a set of scores: every cell is one tied score that stands for its rows; what a report reads
# -----------------------------------------------------------------------------------------------------


def scores_of_counts(counts: CountedScores) -> ScoreSet:
    """A ScoreSet whose curves are the middle ones of the counts.

    Its rows are not cases: what draws or splits cases refuses it (RS406).

    Raises
    ------
    DataError
        RS406 if rows have weights: a weighted sum is no number of cases.
    """
    if counts.is_weighted:
        raise fail("RS406.weights", counts=counts)
    cells = counts.spread_cells
    cases = np.stack([cells.positives, cells.negatives], axis=1)
    row, is_negative = np.nonzero(cases)  # at most two for each cell
    # At the loosest score of a cell all its rows are in: there the counts are right.
    scores = cells.lowest if counts.higher_is_positive else cells.highest
    sizes = np.bincount(cells.member[row], minlength=cells.n_members)
    columns = Columns(
        scores=np.ascontiguousarray(scores[row]),
        labels=(1 - is_negative).astype(np.uint8),
        offsets=offsets_of(sizes),
        weights=cases[row, is_negative].astype(np.float64),
        higher_is_positive=counts.higher_is_positive,
        are_counts=True,
    )
    return ScoreSet(
        columns=columns,
        classes=counts.classes,
        groups=counts.groups,
        group_values=counts.groups,
        group_index=counts.group_index,
        models=counts.models,
        model_index=counts.model_index,
        unit=counts.unit,
        dropped=counts.dropped,
        source=counts.source,
        columns_chosen=counts.columns_chosen,
        counted_from=counts,
    )
