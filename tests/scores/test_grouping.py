"""Numbering names and bringing rows together, against plain Python."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.scores.columns import Column, factorize, gathering_order, read_column, word

COLUMNS = {
    "int8": st.integers(-128, 127).map(np.int8),
    "int64": st.integers(-(2**63), 2**63 - 1).map(np.int64),
    "uint64": st.integers(0, 2**64 - 1).map(np.uint64),
    "few integers": st.integers(0, 3).map(np.int64),
    "high integers": st.integers(2**64 - 4, 2**64 - 1).map(np.uint64),
    "bool": st.booleans().map(np.bool_),
    "float64": st.floats().map(np.float64),
    "text": st.text(st.characters(exclude_characters="\0"), max_size=3),  # NumPy cuts zero characters
    "dates": st.dates().map(np.datetime64),
    "objects": st.one_of(st.none(), st.integers(), st.text(max_size=2), st.just(float("nan"))),
}


def present(value: object) -> bool:
    return value is not None and value == value


@given(st.data())
@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("repeats", [1, 5])  # rows that stand together are numbered by their runs
def test_codes_number_the_values_in_order_of_appearance(kind, repeats, data):
    values = [v for v in data.draw(st.lists(COLUMNS[kind], min_size=1, max_size=30)) for _ in range(repeats)]
    array = np.empty(len(values), dtype=object)
    array[:] = values
    if kind != "objects":
        array = np.array(values)
    found = factorize(read_column(array, "group"))
    distinct = list(dict.fromkeys(v for v in values if present(v)))
    assert list(found.values) == distinct
    assert [found.values[code] if code >= 0 else None for code in found.codes] == [
        v if present(v) else None for v in values
    ]
    assert (found.codes < 0).tolist() == [not present(v) for v in values]


def test_an_empty_column_has_no_values():
    assert factorize(Column(np.empty(0))).values == ()


@given(st.lists(st.integers(0, 5)), st.sampled_from([1, 40_000, 1_000_000]))
def test_rows_are_gathered_in_their_old_order(small, spread):
    codes = np.array(small, dtype=np.int64) * spread
    order = gathering_order(codes, int(codes.max(initial=0)) + 1)
    expected = sorted(range(codes.size), key=lambda row: codes[row])
    if order is None:
        assert expected == list(range(codes.size))
    else:
        assert order.tolist() == expected


def test_rows_that_stand_together_are_not_moved():
    assert gathering_order(np.repeat(np.arange(5), 3), 5) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3.0"),
        ("host", "host"),
        (b"host", "host"),
        (np.datetime64("2020-01-02T00:00:00.000000000"), "2020-01-02"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (True, "True"),
    ],
)
def test_words(value, text):
    assert word(value) == text
