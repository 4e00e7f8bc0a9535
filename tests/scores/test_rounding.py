"""Scores that differ as they were written but not as floats: counted and said, once, at every door."""

from __future__ import annotations

import warnings
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from rocsteady.errors import RocsteadyWarning

BIG = 2**53


def written(folder: Any, ending: str, texts: list[str]) -> Any:
    path = folder / f"s{ending}"
    mark = "\t" if ending == ".tsv" else ","
    if ending == ".jsonl":
        lines = [f'{{"label": {i % 2}, "score": {text}}}' for i, text in enumerate(texts)]
    else:
        lines = [mark.join(["label", "score"]), *(f"{i % 2}{mark}{text}" for i, text in enumerate(texts))]
    path.write_text("\n".join(lines) + "\n")
    return path


def told(call: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(isinstance(warning.message, RocsteadyWarning) for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


ROUNDED = {
    "beyond the range": (["1e310", "1e311", "2.5"], ["2 finite scores become infinite", "1e310 is inf"]),
    "one beyond the range": (["-1e310", "1", "2.5"], ["1 finite score becomes infinite", "-1e310 is -inf"]),
    "integers beside decimals": (
        [str(BIG + 1), str(BIG), "0.5"],
        ["2 different scores become 1", f"{BIG} and {BIG + 1} are both {float(BIG)!r}", "as integers"],
    ),
    "decimals of 20 digits": (
        ["0.10000000000000000001", "0.10000000000000000002", "0.3", "0.30000000000000000001", "0.7"],
        ["4 different scores become 2", "0.10000000000000000001 and 0.10000000000000000002 are both 0.1"],
    ),
    "too small": (["1e-400", "1e-401", "0", "1.5"], ["3 different scores become 1", "are both 0.0"]),
    "of few digits left": (["4e-324", "5e-324", "1.5"], ["2 different scores become 1"]),
    "both": (
        ["1e310", "0.10000000000000000001", "0.1"],
        ["2 different scores become 1 as floats", "1 finite score becomes infinite"],
    ),
}
EXACT = {
    "shortest texts": [repr(x) for x in np.random.default_rng(0).normal(size=200).tolist()],
    "17 digits": [f"{x:.17g}" for x in np.random.default_rng(0).normal(size=200)],
    "19 digits": [f"{x:.18e}" for x in np.random.default_rng(0).normal(size=200)],
    "one number, two texts": ["0.5", "0.50000000000000000000", "5e-1", "1.5"],
    "zeros": ["0", "0.0", "-0.0", "0.00000000000000000000", "0e5"],
    "one of 20 digits": ["0.10000000000000000001", "0.2"],
    "the smallest": ["5e-324", "1e-323", "2.2250738585072014e-308", "1.7976931348623157e308"],
}


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl"])
@pytest.mark.parametrize("case", ROUNDED)
def test_text_scores_that_are_rounded_into_ties_or_infinity_are_said(tmp_path, ending, case):
    texts, expected = ROUNDED[case]
    path = written(tmp_path, ending, texts)
    for call in (
        lambda: rs.read_scores(path),
        lambda: rs.count_scores(path),
        lambda: rs.count_scores(path, engine="duckdb"),
    ):
        messages = told(call)
        for message in messages:
            assert message.startswith('RS107: column "score": ')
            assert f"in s{ending}." in message
            assert "\n  -> " in message
        message = "\n".join(messages)
        for part in expected:
            assert part in message


@pytest.mark.parametrize("case", EXACT)
def test_text_scores_that_stay_different_are_not_warned_of(tmp_path, case):
    assert told(lambda: rs.read_scores(written(tmp_path, ".csv", EXACT[case]))) == []


def test_words_for_infinity_are_infinite(tmp_path):
    path = written(tmp_path, ".csv", ["inf", "Infinity", "-inf", "0.5"])
    assert told(lambda: rs.read_scores(path)) == []


def test_integers_alone_are_exact(tmp_path):
    path = written(tmp_path, ".csv", [str(BIG + 1), str(BIG), "5"])
    assert told(lambda: rs.read_scores(path)) == []
    assert rs.read_scores(path).columns.scores.tolist() == [BIG + 1, BIG, 5]


def test_weights_may_be_rounded(tmp_path):
    (tmp_path / "w.csv").write_text("label,score,w\n1,1,0.10000000000000000001\n0,2,0.1\n")
    assert told(lambda: rs.read_scores(tmp_path / "w.csv", weight="w")) == []


DECIMALS = [Decimal("0.10000000000000000001"), Decimal("0.10000000000000000002"), Decimal("0.3")]
COLUMNS = {
    "list of decimals": DECIMALS,
    "objects": np.array(DECIMALS),
    "pandas": pd.Series(DECIMALS),
    "Polars": pl.Series(DECIMALS),
    "Arrow": pa.array(DECIMALS),
    "integers beside floats": [BIG + 1, BIG, 0.5],
    "NumPy's integers beside floats": [np.int64(BIG + 1), np.float64(BIG), 0.5],
    "integers beside floats, as objects": np.array([BIG + 1, BIG, 0.5], dtype=object),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_of_decimals_and_of_mixed_numbers_are_said(kind):
    for call in (
        lambda: rs.Scores([0, 1, 1], COLUMNS[kind]),
        lambda: rs.ScoreSet.from_frame({"y": [0, 1, 1], "s": COLUMNS[kind]}, label="y", score="s"),
    ):
        (message,) = told(call)
        assert message.startswith("RS107: ")
        assert "2 different scores become 1 as floats" in message


@pytest.mark.parametrize(
    "made", [pd.DataFrame, pl.DataFrame, pa.table, lambda rows: duckdb.from_arrow(pa.table(rows))]
)
def test_decimals_of_tables_are_said(made):
    (message,) = told(
        lambda: rs.ScoreSet.from_frame(made({"y": [0, 1, 1], "s": DECIMALS}), label="y", score="s")
    )
    assert message.startswith('RS107: column "s": 2 different scores become 1 as floats.')


def test_decimals_of_a_parquet_file_are_said(tmp_path):
    pq.write_table(pa.table({"label": [0, 1, 1], "score": DECIMALS}), tmp_path / "s.parquet")
    (message,) = told(lambda: rs.read_scores(tmp_path / "s.parquet"))
    assert "2 different scores become 1 as floats in s.parquet." in message


@pytest.mark.parametrize(
    "scores",
    [
        [BIG + 1, BIG, 5],
        [2.0**60, 3.0, np.inf],
        [Decimal("0.1"), 0.1, 1],
        [Decimal("Infinity"), Decimal("0.5"), 2],
        [BIG, float(BIG), 0.5],
        [None, 0.5, 2.0**70],
    ],
    ids=str,
)
def test_numbers_that_stay_what_they_are_are_not_warned_of(scores):
    labels = [label for label, score in zip([0, 1, 1], scores, strict=True) if score is not None]
    assert told(lambda: rs.Scores(labels, [score for score in scores if score is not None])) == []
