"""Counts as Parquet files: a row for every cell, and a note of what they mean."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.counting.cells.table import CellTable, cells_of
from rocsteady.counting.engines.binning import Binning
from rocsteady.counting.tolerance import Tolerance
from rocsteady.errors import FileError, RocsteadyError, UsageError
from rocsteady.scores.labels import Classes
from rocsteady.scores.locating import located
from rocsteady.scores.records import Dropped
from rocsteady.whole_files import write_whole
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.counting.counted import CountedScores

_NOTE, _VERSION = b"rocsteady_counts", 1
_COUNTS = ("cell", "positives", "negatives", "rows", "lowest", "highest")


def counts_as_bytes(counts: CountedScores) -> bytes:
    """The Parquet file of counts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    cells = counts.cells
    columns: dict[str, Any] = {
        "group": pa.array(list(counts.groups)).take(pa.array(counts.group_index[cells.member])),
    }
    if counts.models:
        columns["model"] = pa.array(list(counts.models)).take(pa.array(counts.model_index[cells.member]))
    columns |= {name: pa.array(getattr(cells, name)) for name in _COUNTS}
    note = {
        "version": _VERSION,
        "unit": counts.unit,
        "groups": list(counts.groups),
        "models": list(counts.models),
        "members": np.stack([counts.model_index, counts.group_index]).tolist(),
        "positive": counts.classes.positive,
        "negative": counts.classes.negative,
        "higher_is_positive": counts.higher_is_positive,
        "is_weighted": counts.is_weighted,
        "n_rows": counts.n_rows,
        "dropped": counts.dropped.to_dict(),
        "source": counts.source,
        "score": counts.score,
        "rung": counts.how.rung,
        "engine": counts.how.engine,
        "tolerance": [counts.how.tolerance.auc, counts.how.tolerance.rate],
        "binning": None if counts.how.binning is None else counts.how.binning.to_dict(),
    }
    table = pa.table(columns).replace_schema_metadata({_NOTE: json.dumps(note).encode()})
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
    return stream.getvalue()


def save_counts(counts: CountedScores, path: Path) -> None:
    """Write counts to a Parquet file, whole or not at all."""
    if path.suffix.casefold() != ".parquet":
        raise UsageError(
            "RS054",
            f'counts are written as Parquet; "{printable(str(path))}" is called something else.',
            "",
            f"counts.save({str(path.with_suffix('.parquet'))!r})",
        )
    if not path.parent.is_dir():
        found = f"there is no folder {printable(str(path.parent))}"
        raise FileError("RS055", f"{printable(str(path))} cannot be written.", found, "make the folder first")
    write_whole(path, counts_as_bytes(counts))


def is_counts(path: object) -> bool:
    """Whether a file is a table of counts that :func:`save_counts` wrote."""
    import pyarrow as pa

    if not isinstance(path, str | Path) or not str(path).lower().endswith(".parquet"):
        return False
    if not os.path.isfile(path):  # a pipe would wait for somebody who writes
        return False
    try:
        import pyarrow.parquet as pq

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

    with located(path) as file:
        try:
            table = None
            if file.kind == "Parquet":
                table = pq.read_table(file.path, memory_map=False, page_checksum_verification=True)
        except (pa.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise FileError(
                "RS053", f"{file.name} cannot be read as Parquet.", reason, "count the rows again"
            ) from error
        metadata = {} if table is None else table.schema.metadata or {}
        try:
            note = json.loads(metadata.get(_NOTE, b"{}"))
            version = note.get("version")
        except (ValueError, AttributeError) as error:
            raise _damaged(file.name, "a note that is none") from error
        if version != _VERSION:
            found = f"written by a later version ({version})" if note else "no note of counts in it"
            raise FileError(
                "RS405",
                f"{file.name} is no table of counts.",
                found,
                "to count it:  count_scores(path, ...)",
            )
        try:
            return _read(table, note, file.name)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            if isinstance(error, RocsteadyError):
                raise
            raise _damaged(
                file.name, f"a note that does not fit its cells ({type(error).__name__})"
            ) from error


def _read(table: Any, note: dict[str, Any], name: str) -> CountedScores:
    from rocsteady.counting.counted import CountedScores, How

    groups, models = tuple(note["groups"]), tuple(note["models"])
    model_index, group_index = (np.array(own, dtype=np.int64) for own in note["members"])
    missing = [own for own in _COUNTS if own not in table.column_names or table.column(own).null_count]
    if missing:
        raise _damaged(name, f"without all values: {', '.join(missing)}")
    of_group = _places(table, "group", groups, name)
    of_model = _places(table, "model", models, name) if models else np.zeros(of_group.size, dtype=np.int64)
    order = np.full((max(len(models), 1), len(groups)), -1, dtype=np.int64)
    order[model_index, group_index] = np.arange(group_index.size)
    columns = {own: table.column(own).to_numpy() for own in _COUNTS}
    _require_kinds(columns, is_weighted=note["is_weighted"], name=name)
    cells = cells_of(order[of_model, of_group], group_index.size, **columns)
    _require_sound(cells, note["n_rows"], name)
    _require_exact(cells, note["rung"], name)
    dropped = Dropped(note["dropped"]["n_rows"], note["dropped"]["causes"])
    binning = None if note["binning"] is None else Binning.from_dict(note["binning"])
    how = How(note["rung"], note["engine"], 0, Tolerance(*note["tolerance"]), binning)
    return CountedScores(
        cells, Classes(note["positive"], note["negative"]), groups, group_index, models, model_index,
        note["unit"], note["higher_is_positive"], dropped, note["source"], {}, how, note.get("score", ""),
    )  # fmt: skip


def _places(table: Any, role: str, names: tuple[str, ...], file: str) -> Any:
    """The place of every cell's group, or model, among those that the note has."""
    place: dict[Any, int] = {name: i for i, name in enumerate(names)}
    found = table.column(role).to_pylist() if role in table.column_names else [None] * table.num_rows
    strange = [name for name in dict.fromkeys(found) if name not in place]
    if strange:
        raise _damaged(file, f"a {role} that its note does not have: {printable(str(strange[0]))}")
    return np.array([place[name] for name in found], dtype=np.int64)


def _require_kinds(columns: dict[str, Any], *, is_weighted: bool, name: str) -> None:
    """RS401 if a column has another type than the one that is written, or a cell has no row."""
    of_class = np.float64 if is_weighted else np.int64
    kinds = {"cell": np.int64, "rows": np.int64, "lowest": np.float64, "highest": np.float64}
    for own, values in columns.items():
        if values.dtype != kinds.get(own, of_class):
            raise _damaged(name, f"{own} of type {values.dtype}")
    if not (columns["rows"] > 0).all():
        raise _damaged(name, "cells without a row")


def _require_exact(cells: CellTable, rung: str, name: str) -> None:
    """RS401 if cells that are told to be exact cannot be.

    Counts of every distinct score have no cell of several; anchored ones none of both classes in an order
    that is not known; neither has cells that overlap. Others may, but no score has two cells of its own.
    """
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


def _require_sound(cells: CellTable, n_rows: int, name: str) -> None:
    """RS401 if the cells cannot be what was written."""
    counted = int(cells.rows.sum())
    if counted != n_rows:
        raise _damaged(name, f"rows counted: {counted}; rows by its note: {n_rows}")
    is_sum = cells.is_weighted or (cells.positives + cells.negatives == cells.rows).all()
    both = np.concatenate([cells.positives, cells.negatives])
    if not (is_sum and (both >= 0).all() and np.isfinite(both).all()):
        raise _damaged(name, "positives and negatives that are not the rows of their cell")
    if not (cells.lowest <= cells.highest).all():
        raise _damaged(name, "scores that end before they begin")


def _damaged(name: str, found: str) -> FileError:
    return FileError(
        "RS401",
        f"{name}: what was read is not what the file says about itself.",
        found,
        "the file was damaged: count the rows again",
    )
