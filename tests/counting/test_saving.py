"""Counts as files: the same again to the last bit; what is no such file, or a damaged one, is refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from counted_rows import counted_groups
from every_value import HOSTILE
from rocsteady import whole_files
from rocsteady.counting.cells import Binning, Piece, Tolerance
from rocsteady.counting.counted import How, is_counts
from rocsteady.errors import FileError, UsageError
from strategies import grouped_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")  # few distinct scores on purpose

COLUMNS = ("cell", "positives", "negatives", "rows", "lowest", "highest", "offsets")
FIELDS = ("classes", "groups", "models", "unit", "higher_is_positive", "dropped", "sources", "names")


def same(ours: Any, theirs: Any) -> None:
    for name in COLUMNS:
        own, other = getattr(ours.cells, name), getattr(theirs.cells, name)
        assert own.dtype == other.dtype
        assert own.tobytes() == other.tobytes()
    for name in FIELDS:
        assert getattr(ours, name) == getattr(theirs, name)
    np.testing.assert_array_equal(ours.group_index, theirs.group_index)
    np.testing.assert_array_equal(ours.model_index, theirs.model_index)
    assert (ours.how.rung, ours.how.engine) == (theirs.how.rung, theirs.how.engine)
    assert (ours.how.tolerance, ours.how.binning) == (theirs.how.tolerance, theirs.how.binning)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("counts")


def again(counts: Any, folder: Any) -> Any:
    path = folder / "counts.parquet"
    counts.save(path)
    return rs.open_counts(path)


@settings(max_examples=30)
@given(counted_groups(grouped_scores()))
def test_counts_come_back_to_the_last_bit(folder, made):
    cells = made[1].cells
    own = np.stack([cells.member, cells.lowest])[:, cells.is_tied]
    if np.unique(own, axis=1).shape[1] < own.shape[1]:  # no engine gives a score two cells of its own
        with pytest.raises(FileError, match="RS401"):
            again(made[1], folder)
    else:
        same(again(made[1], folder), made[1])


FRAME = {
    "label": [1, 0, 1, 0, 1, 1],
    "score": [np.inf, -np.inf, 5e-324, 0.1, 1e300, -0.0],
    "group": [f"a{HOSTILE}", f"a{HOSTILE}", "", "", "only\0positives", "only\0positives"],
    "weight": [0.1, 0.2, 1e-4, 1e12, 3.0, 0.7],
    "model": ["m\n", "m\n", f"{HOSTILE}", f"{HOSTILE}", "m\n", "m\n"],
}


@pytest.mark.parametrize("roles", [("group",), ("group", "weight"), ("group", "model"), ("weight",)], ids=str)
def test_odd_names_weights_models_and_groups_of_one_class(folder, roles):
    counts = rs.count_scores(FRAME, label="label", score="score", **{role: role for role in roles})
    same(again(counts, folder), counts)
    for added in (again(counts, folder) + counts, counts + again(counts, folder)):
        assert added.n_rows == 2 * counts.n_rows


def test_how_they_were_made_comes_back_too(folder):
    counts = rs.count_scores(FRAME, label="label", score="score")
    binning = Binning((Piece(0.1, 1 / 3, 2, 5),), 0.7, (0.3,))
    how = How("cells", "duckdb", 3, Tolerance(1e-3, None), binning)
    found = again(replace(counts, how=how, sources=("days/*.parquet",)), folder)
    same(found, replace(counts, how=how, sources=("days/*.parquet",)))


def test_a_file_that_is_no_counts(folder):
    path = folder / "scores.parquet"
    pq.write_table(pa.table({"label": [1, 0], "score": [0.5, 0.1]}), path)
    assert not is_counts(path)
    with pytest.raises(FileError, match=r"RS405: scores.parquet is no table of counts"):
        rs.open_counts(path)
    (folder / "scores.csv").write_text("label,score\n1,0.5\n")
    with pytest.raises(FileError, match="RS405"):
        rs.open_counts(folder / "scores.csv")
    assert not is_counts(folder / "scores.csv")
    assert not is_counts(folder / "none.parquet")
    assert not is_counts(7)


def test_a_file_of_a_later_version(folder):
    with pytest.raises(FileError, match=r"(?s)RS405.*later version \(2\)"):
        rs.open_counts(changed(folder, version=2))


def test_a_missing_file(folder):
    with pytest.raises(FileError, match="RS05"):
        rs.open_counts(folder / "none.parquet")


@pytest.mark.parametrize("left", [0, 3, 100, -1])
def test_a_truncated_file(folder, left):
    whole = saved(folder).read_bytes()
    path = folder / "cut.parquet"
    path.write_bytes(whole[:left])
    with pytest.raises(FileError, match="RS05"):
        rs.open_counts(path)
    assert not is_counts(path)


def saved(folder: Any) -> Any:
    path = folder / "whole.parquet"
    rs.count_scores(FRAME, label="label", score="score", group="group").save(path)
    assert is_counts(path)
    return path


def changed(folder: Any, columns: Any = None, **notes: Any) -> Any:
    """A file whose note, or whose columns, somebody changed."""
    table = pq.read_table(saved(folder))
    note = json.loads(table.schema.metadata[b"rocsteady_counts"]) | notes
    if columns is not None:
        table = columns(table)
    path = folder / "changed.parquet"
    pq.write_table(table.replace_schema_metadata({b"rocsteady_counts": json.dumps(note).encode()}), path)
    return path


DAMAGE = {
    "rows lost": lambda table: table.slice(1),
    "a column lost": lambda table: table.drop_columns(["lowest"]),
    "a group that nobody knows": lambda table: table.set_column(0, "group", pa.array(["?"] * len(table))),
    "counts that are not its rows": lambda table: table.set_column(
        2, "positives", pa.array(np.asarray(table["positives"]) + 1)
    ),
    "an end missing": lambda table: table.set_column(
        5, "lowest", pa.array([None] * len(table), type=pa.float64())
    ),
    "ends that are swapped": lambda table: table.set_column(
        5, "lowest", pa.array(np.full(len(table), np.inf))
    ),
    "a limit that is not a number": lambda table: replaced(table, "highest", 0, np.nan),
    "cells without a row": lambda table: with_cell(table, positives=0, negatives=0, rows=0),
    "a cell of fewer than no rows": lambda table: with_cell(table, positives=-1, negatives=0, rows=-1),
    "negative counts": lambda table: replaced(replaced(table, "positives", 0, 2), "negatives", 0, -1),
    "counts that are not whole": lambda table: table.set_column(
        2, "positives", pa.array(np.asarray(table["positives"], dtype=float))
    ),
    "an exact cell of several scores": lambda table: replaced(table, "lowest", 0, -9.0),
    "two exact cells of one score": lambda table: moved(table, 0, 1),
}


def replaced(table: Any, name: str, row: int, value: Any) -> Any:
    values = np.asarray(table[name]).copy()
    values[row] = value
    return table.set_column(table.column_names.index(name), name, pa.array(values))


def moved(table: Any, row: int, to: int) -> Any:
    """One cell where another of its group is."""
    assert table["group"][row] == table["group"][to]
    for name in ("lowest", "highest"):
        table = replaced(table, name, row, table[name][to].as_py())
    return table


def with_cell(table: Any, **counts: int) -> Any:
    """One cell more, of counts that add nothing."""
    own = {name: [table[name][0].as_py()] for name in table.column_names} | {"cell": [99], "lowest": [7.5]}
    own |= {"highest": [7.5]} | {name: [value] for name, value in counts.items()}
    return pa.concat_tables([table, pa.table(own, schema=table.schema)])


@pytest.mark.parametrize("what", list(DAMAGE))
def test_a_damaged_table_is_refused(folder, what):
    with pytest.raises(FileError, match=r"RS401: changed.parquet"):
        rs.open_counts(changed(folder, DAMAGE[what]))


def test_what_is_wrong_with_exact_cells_is_told(folder):
    for what, told in {
        "an exact cell of several scores": "said to be exact, with a cell of scores from -9.0 to",
        "two exact cells of one score": "two exact cells of one group that overlap, at the score",
        "a limit that is not a number": "scores that end before they begin",
        "counts that are not whole": "positives of type float64",
    }.items():
        with pytest.raises(FileError, match=told):
            rs.open_counts(changed(folder, DAMAGE[what]))


def in_cells(folder: Any, made: str, change: Any = lambda table: table, **notes: Any) -> Any:
    """Counts that are not of every distinct score, saved and changed."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=4000).round(3)
    rows = {"label": rng.integers(0, 2, 4000) * (scores > -1), "score": scores}
    options = {"most_cells": 1000} if made == "cells" else {"tolerance": 0, "most_cells": 1000}
    counts = rs.count_scores(rows, label="label", score="score", engine="duckdb", **options)
    assert counts.how.rung == made
    counts.save(folder / "cells.parquet")
    table = pq.read_table(folder / "cells.parquet")
    note = json.loads(table.schema.metadata[b"rocsteady_counts"]) | notes
    written = change(table).replace_schema_metadata({b"rocsteady_counts": json.dumps(note).encode()})
    pq.write_table(written, folder / "cells.parquet", write_page_checksum=True)
    return rs.open_counts(folder / "cells.parquet")


def onto_another(table: Any, *, tied: bool) -> Any:
    """One cell where another is that holds one score, or several."""
    is_tied = np.asarray(table["lowest"]) == np.asarray(table["highest"])
    row, to = np.flatnonzero(is_tied)[0], np.flatnonzero(is_tied if tied else ~is_tied)[-1]
    assert row != to
    score = table["highest"][int(to)].as_py()
    return replaced(replaced(table, "lowest", row, score), "highest", row, score)


def test_cells_may_overlap_but_a_score_has_one_of_its_own(folder):
    whole = in_cells(folder, "cells")
    assert not whole.cells.is_tied.all()
    assert not in_cells(folder, "cells", lambda table: onto_another(table, tied=False)).cells.are_apart
    with pytest.raises(FileError, match=r"RS401.*\n.*two exact cells"):
        in_cells(folder, "cells", lambda table: onto_another(table, tied=True))


def test_cells_of_several_scores_are_not_taken_for_distinct_ones(folder):
    for rung in ("memory", "distinct"):
        with pytest.raises(FileError, match=r"RS401.*\n.*said to be exact"):
            in_cells(folder, "cells", rung=rung)


def test_anchored_counts_that_cannot_be_exact_are_refused(folder):
    whole = in_cells(folder, "anchored")
    assert whole.is_exact
    assert not whole.cells.is_tied.all()
    for tied in (True, False):
        with pytest.raises(FileError, match=r"RS401.*\n.*two exact cells"):
            in_cells(folder, "anchored", lambda table, tied=tied: onto_another(table, tied=tied))
    with pytest.raises(FileError, match=r"RS401.*\n.*said to be exact"):
        in_cells(folder, "cells", rung="anchored")


NOTES = {
    "groups": [], "members": [[0], [9]], "dropped": None, "tolerance": [1, 2, 3], "binning": {"pieces": 1},
    "models": ["a"], "n_rows": None,
}  # fmt: skip


@pytest.mark.parametrize("name", list(NOTES))
def test_a_note_that_somebody_changed_is_no_crash(folder, name):
    with pytest.raises(FileError, match="RS401"):
        rs.open_counts(changed(folder, **{name: NOTES[name]}))


def test_a_flipped_bit_is_noticed(folder):
    whole = saved(folder).read_bytes()
    note = whole.index(b"rocsteady_counts")
    path = folder / "flipped.parquet"
    n_noticed = 0
    for place in range(4, note - 200, 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 8]) + whole[place + 1 :])
        try:
            found = rs.open_counts(path)
        except FileError:
            n_noticed += 1
            continue
        same(found, rs.open_counts(folder / "whole.parquet"))  # in a header that says nothing about values
    assert n_noticed > 50


def test_where_counts_cannot_be_written(folder):
    counts = rs.open_counts(saved(folder))
    with pytest.raises(FileError, match="RS055"):
        counts.save(folder / "nowhere" / "counts.parquet")
    with pytest.raises(UsageError, match="RS054"):
        counts.save(folder / "counts.csv")


def test_counts_are_not_counted_again(folder):
    with pytest.raises(UsageError, match="RS406"):
        rs.count_scores(saved(folder))


def test_a_pipe_is_no_table_of_counts(folder):
    os.mkfifo(folder / "pipe.parquet")
    assert not is_counts(folder / "pipe.parquet")


def test_a_note_with_another_number_of_rows_is_refused(folder):
    with pytest.raises(FileError, match=r"(?s)RS401.*rows counted: 6; rows by its note: 7"):
        rs.open_counts(changed(folder, n_rows=7))


def test_an_interrupted_write_leaves_what_was_there(folder, monkeypatch):
    path = saved(folder)
    before, others = path.read_bytes(), set(folder.iterdir())
    monkeypatch.setattr(whole_files.os, "replace", interrupted)
    counts = rs.count_scores(FRAME, label="label", score="score")
    with pytest.raises(KeyboardInterrupt):
        counts.save(path)
    with pytest.raises(KeyboardInterrupt):
        counts.save(folder / "new.parquet")
    assert path.read_bytes() == before
    assert set(folder.iterdir()) == others


def interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


@given(st.text(max_size=20), st.text(max_size=20))
@settings(max_examples=15)
def test_any_names_come_back(folder, one, other):
    group = [f"1{one}", f"1{one}", f"2{other}", f"2{other}"]
    frame = {"label": [1, 0, 1, 0], "score": [4, 3, 2, 1], "group": group}
    counts = rs.count_scores(frame, label="label", score="score", group="group")
    assert again(counts, folder).groups == counts.groups
