"""JSON lines: values are what was written, whatever DuckDB would make of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocsteady.errors import DataError, FileError
from rocsteady.scores import read_scores


def write(folder, *rows):
    path = folder / "s.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    "names",
    [
        ["2024-01-02", "2024-1-2"],
        ["2024-01-02 10:00:00", "2024-01-02T10:00:00"],
        ["A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
        ["007", "7", "7.0"],
        ["[a", "{b}"],
    ],
)
def test_text_stays_text(tmp_path, names):
    rows = [{"fold": name, "label": i % 2, "score": i} for i, name in enumerate(names)]
    assert read_scores(write(tmp_path, *rows)).groups == tuple(names)


def test_keys_may_differ_from_line_to_line(tmp_path):
    rows = [{"label": i % 2, "score": i, f"extra {i}": {"nested": [i]}} for i in range(300)]
    assert read_scores(write(tmp_path, *rows)).columns.scores.tolist() == list(range(300))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(lambda key: key != "label"))
def test_any_key_names_a_column(tmp_path, key):
    path = write(tmp_path, {"label": 1, key: 2}, {"label": 0, key: 1})
    assert read_scores(path, score=key, group=None).columns.scores.tolist() == [2, 1]


def test_integers_are_exact_or_refused(tmp_path):
    largest = {"label": 1, "score": 2**64 - 1}, {"label": 0, "score": 2**64 - 2}
    assert read_scores(write(tmp_path, *largest)).columns.scores.tolist() == [2**64 - 1, 2**64 - 2]
    with pytest.raises(DataError, match="RS033"):
        read_scores(write(tmp_path, {"label": 1, "score": 2**64}, {"label": 0, "score": 2**64 + 1}))


@pytest.mark.parametrize("role", ["label", "fold", "model"])
@pytest.mark.parametrize("value", [[1, 2], {"a": 1}])
def test_lists_and_objects_are_no_values(tmp_path, role, value):
    rows = [{"fold": "[x", "model": "m", "label": "[1", "score": 2}] * 2
    path = write(tmp_path, *rows, rows[0] | {role: value})
    with pytest.raises(DataError, match="RS034") as caught:
        read_scores(path, positive="[1")
    assert "line 3" in str(caught.value)
    assert f'"{role}"' in str(caught.value)


@pytest.mark.parametrize("line", ["[1, 2]", "5", "null", '"text"'])
def test_lines_that_are_no_objects(tmp_path, line):
    path = write(tmp_path, {"label": 1, "score": 2}, line)
    with pytest.raises(FileError, match="RS053") as caught:
        read_scores(path)
    assert "line 2 is not a JSON object" in str(caught.value)


def test_a_byte_order_mark_is_named(tmp_path):
    with pytest.raises(FileError, match="byte order mark"):
        read_scores(write(tmp_path, "\ufeff" + '{"label": 1, "score": 2}'))
