"""Files: what is written is what is read, and every fault is named by its line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocsteady.errors import (
    ColumnError,
    DataError,
    FileError,
    LabelError,
    RocsteadyError,
    RocsteadyWarning,
)
from rocsteady.scores import ScoreSet, read_scores

HEADER = "fold,label,score\n"
ROWS = "a,1,0.9\na,0,0.4\nb,1,0.3\nb,0,inf\n"
TABLE = {"fold": ["a", "a", "b", "b"], "label": [1, 0, 1, 0], "score": [0.9, 0.4, 0.3, float("inf")]}


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_table(folder, ending, columns):
    path = folder / f"scores{ending}"
    names, rows = list(columns), list(zip(*columns.values(), strict=True))
    if ending == ".parquet":
        pq.write_table(pa.table(columns), path)
        return path
    if "json" in ending:
        text = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
        text = text.replace("Infinity", '"inf"')
    else:
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter="\t" if ".tsv" in ending else ",")
        writer.writerows([names, *(["" if v is None else v for v in row] for row in rows)])
        text = stream.getvalue()
    return write(path, gzip.compress(text.encode()) if ending.endswith(".gz") else text)


ENDINGS = [".csv", ".csv.gz", ".tsv", ".tsv.gz", ".jsonl", ".ndjson", ".jsonl.gz", ".parquet"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_says_the_same(tmp_path, ending):
    path = write_table(tmp_path, ending, TABLE)
    scores = read_scores(path)
    assert scores.columns.scores.tolist() == [0.9, 0.4, 0.3, np.inf]
    assert scores.columns.labels.tolist() == [1, 0, 1, 0]
    assert (scores.names, scores.unit) == (("a", "b"), "fold")
    assert scores.source == path.name
    assert scores.columns_chosen == {"label": "label", "score": "score", "group": "fold"}
    assert read_scores(str(path), higher_is_positive=False).higher_is_positive is False


names = st.text(min_size=1, max_size=5).filter(
    lambda s: (s == s.strip() and s.isprintable() and "\0" not in s) or s in ("a,b", 'say "x"', "two\nlines")
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            names, st.sampled_from([0, 1]), st.floats(allow_nan=False), st.sampled_from(["x", "007", "NA"])
        ),
        min_size=1,
        max_size=15,
    ),
    st.sampled_from([".csv", ".tsv", ".csv.gz", ".parquet"]),
)
def test_a_file_is_the_set_of_its_rows(tmp_path, rows, ending):
    columns = dict(zip(("host", "label", "score", "model"), map(list, zip(*rows, strict=True)), strict=True))
    scores = read_scores(write_table(tmp_path, ending, columns), group="host")
    expected = ScoreSet.from_arrays(
        columns["label"], columns["score"], columns["host"], models=columns["model"], unit="host"
    )
    assert scores.names == expected.names
    assert scores.columns.scores.tolist() == expected.columns.scores.tolist()
    assert scores.columns.labels.tolist() == expected.columns.labels.tolist()
    assert scores.columns.offsets.tolist() == expected.columns.offsets.tolist()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["b", "a", "NA", "b ", "é"]), min_size=1, max_size=30),
    st.sampled_from([".csv", ".jsonl", ".parquet"]),
)
def test_names_are_numbered_in_order_of_appearance(tmp_path, groups, ending):
    """DuckDB numbers the names of files, NumPy those of arrays."""
    columns = {"label": ["1", "0"] * len(groups), "score": list(range(2 * len(groups))), "fold": groups * 2}
    trimmed = groups if ending == ".parquet" else [name.strip() for name in groups]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS105")
        scores = read_scores(write_table(tmp_path, ending, columns), positive="1")
    assert scores.groups == tuple(dict.fromkeys(trimmed))
    assert scores.to_frame()["score"].tolist() == [
        row for name in scores.groups for row, own in enumerate(trimmed * 2) if own == name
    ]


def test_standard_input_is_csv(monkeypatch):
    class Binary:
        buffer = io.BytesIO((HEADER + ROWS).encode())

    monkeypatch.setattr(sys, "stdin", Binary())
    scores = read_scores("-")
    assert (scores.source, scores.columns.n_rows) == ("standard input", 4)
    monkeypatch.setattr(sys, "stdin", io.StringIO(HEADER + "a,1,\n"))
    with pytest.raises(DataError, match="RS031") as caught:
        read_scores("-")
    assert "in standard input" in str(caught.value)
    assert "line 2" in str(caught.value)


@pytest.mark.parametrize(
    "name", ["it's.csv", "a b;--.csv", "x*.csv", "x?.csv", "[ab].csv", 'q"q.csv', "ü.csv"]
)
def test_odd_file_names(tmp_path, name):
    for decoy in ("xy.csv", "a.csv", "b.csv"):  # what x*.csv, x?.csv and [ab].csv would match
        write(tmp_path / decoy, HEADER + "decoy,1,5\n")
    scores = read_scores(write(tmp_path / name, HEADER + ROWS))
    assert scores.groups == ("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "label,score\r\n1,0.5\r\n0,0.25\r\n",
        "label,score\r1,0.5\r0,0.25\r",
        "\ufefflabel,score\n1,0.5\n0,0.25\n",
        "label;score\n1;0.5\n0;0.25\n",
        "label\tscore\n1\t0.5\n0\t0.25\n",
        "label|score\n1|0.5\n0|0.25",
        "label, score\n1, 0.5\n\n0, 0.25 \n",
        '"label","score"\n"1","0.5"\n"0","0.25"\n',
        "true,score,x\nyes,0.5,1\nno,0.25,2\n",
    ],
)
def test_dialects(tmp_path, text):
    options = {"label": "true", "positive": "yes"} if text.startswith("true") else {}
    scores = read_scores(write(tmp_path / "s.csv", text), **options)
    assert scores.columns.scores.tolist() == [0.5, 0.25]
    assert scores.columns.labels.tolist() == [1, 0]


# -- labels and numbers written as text -------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize(
    ("labels", "positive", "coded"),
    [
        ([1, 0], None, [1, 0]),
        ([1, 0], "1", [1, 0]),
        ([1, 0], "0", [0, 1]),
        ([1, 2], "2", [0, 1]),
        (["1", "2"], 2, [0, 1]),
        ([1.0, 2.0], "2", [0, 1]),
        ([True, False], None, [1, 0]),
        ([True, False], "true", [1, 0]),
        ([True, False], "False", [0, 1]),
        (["a", "b"], "b", [0, 1]),
        ([1, 2, 3], ["2", "3"], [0, 1, 1]),
    ],
)
def test_labels_of_files_are_the_same_as_text_and_as_numbers(tmp_path, ending, labels, positive, coded):
    path = write_table(tmp_path, ending, {"label": labels, "score": list(range(len(labels)))})
    assert read_scores(path, positive=positive).columns.labels.tolist() == coded


def test_text_that_is_no_number_is_not_the_label_one(tmp_path):
    path = write_table(tmp_path, ".csv", {"label": ["1", "x"], "score": [1, 2]})
    assert read_scores(path, positive=1).classes.negative == "x"


@pytest.mark.parametrize(
    ("texts", "values", "dtype"),
    [
        (["1", "2", "-3"], [1, 2, -3], np.int64),
        (["9007199254740993", "+1", "0"], [2**53 + 1, 1, 0], np.int64),
        (["18446744073709551615", "1", "2"], [2**64 - 1, 1, 2], np.uint64),
        (["1", "2.5", "3"], [1, 2.5, 3], np.float64),
        (["inf", "-inf", "Infinity"], [np.inf, -np.inf, np.inf], np.float64),
        (["1e-3", ".5", "5."], [0.001, 0.5, 5], np.float64),
    ],
)
def test_numbers_in_text(tmp_path, texts, values, dtype):
    path = write(tmp_path / "s.csv", "label,score\n" + "".join(f"{i % 2},{t}\n" for i, t in enumerate(texts)))
    scores = read_scores(path).columns.scores
    assert scores.tolist() == values
    assert scores.dtype == dtype


def test_group_names_stay_text(tmp_path):
    scores = read_scores(write(tmp_path / "s.csv", HEADER + "007,1,1\n7,0,2\n2020-01-01,1,3\nNA,0,4\n"))
    assert scores.groups == ("007", "7", "2020-01-01", "NA")
    assert [s.name for s in scores] == ["007", "7", "2020-01-01", "NA"]


def test_weights_models_and_cases(tmp_path):
    text = "w,who,treatment,label,rating,reader\n1,p1,t1,1,5,r1\n0,p2,t1,0,4,r1\n2.5,p1,t2,1,3,r1\n"
    scores = read_scores(
        write(tmp_path / "s.csv", text), score="rating", model="treatment", case="who", weight="w"
    )
    assert scores.columns.weights.tolist() == [1, 2.5]
    assert scores.models == ("t1", "t2")
    assert scores.cases.values == ("p1", "p2")
    assert scores.unit == "reader"
    assert scores.dropped.causes == {"weight zero": 1}
    assert scores.columns_chosen == {"label": "label", "group": "reader"}


# -- missing values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["", "NA", "nan", "NaN", "null", "NULL", "None", " ", "N/A"])
def test_missing_scores_are_named_by_their_line(tmp_path, word):
    path = write(tmp_path / "s.csv", HEADER + f"a,1,1\nb,0,{word}\nb,1,{word}\na,0,2\n")
    with pytest.raises(DataError) as caught:
        read_scores(path)
    assert caught.value.code == "RS031"
    for phrase in ("2 of 4 scores are missing", "in s.csv", "line 3", 'all in group "b"'):
        assert phrase in str(caught.value)
    with pytest.warns(RocsteadyWarning, match="RS102: 2 rows without a score dropped in s.csv"):
        scores = read_scores(path, on_missing="drop")
    assert scores.dropped.to_dict() == {"n_rows": 2, "causes": {"no score": 2}}
    assert scores.undefined == ("b: no rows left",)


def test_lines_are_counted_through_quoted_line_ends(tmp_path):
    path = write(tmp_path / "s.csv", 'fold,label,score\n"a\nb\nc",1,1\n\na,0,\n')
    with pytest.raises(DataError, match="RS031") as caught:
        read_scores(path)
    assert "line 6" in str(caught.value)


@pytest.mark.parametrize(
    ("ending", "place"),
    [(".csv", "line 3"), (".csv.gz", "line 3"), (".jsonl", "line 2"), (".parquet", "row 1")],
)
def test_missing_labels(tmp_path, ending, place):
    path = write_table(tmp_path, ending, {"label": [1, None, 0], "score": [1, 2, 3]})
    with pytest.raises(LabelError, match="RS023: 1 of 3 labels is missing") as caught:
        read_scores(path)
    assert place in str(caught.value)


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_missing_groups(tmp_path, ending):
    path = write_table(tmp_path, ending, {"label": [1, 0], "score": [1, 2], "fold": ["a", None]})
    with pytest.raises(DataError, match="RS035") as caught:
        read_scores(path)
    assert 'column "fold"' in str(caught.value)


def test_json_lines_may_lack_a_key_and_hold_nan(tmp_path):
    path = write(
        tmp_path / "s.jsonl", '{"label": 1, "score": 2}\n\n{"label": 0}\n{"label": 0, "score": NaN}\n'
    )
    with pytest.raises(DataError, match="RS031: 2 of 3") as caught:
        read_scores(path)
    assert "line 3" in str(caught.value)


# -- columns ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("y_true,y_score", {"label": "y_true", "score": "y_score"}),
        ("target,y_prob,dataset", {"label": "target", "score": "y_prob", "group": "dataset"}),
        ("x,label,score,group", {"label": "label", "score": "score", "group": "group"}),
        ("label,score,model", {"label": "label", "score": "score", "model": "model"}),
    ],
)
def test_conventional_names_are_taken_and_told(tmp_path, header, chosen):
    row = ",".join("1" * (header.count(",") + 1))
    assert read_scores(write(tmp_path / "s.csv", f"{header}\n{row}\n")).columns_chosen == chosen


@pytest.mark.parametrize(
    ("header", "phrases"),
    [
        ("label,y_true,score", ["label column", "label, y_true", "label='label'", "label='y_true'"]),
        ("label,y_score,y_prob", ["score column", "score='y_score'", "score='y_prob'"]),
        ("label,score,fold,dataset", ["group column", "group='fold'", "group='dataset'"]),
        ("a,b", ["label column", "columns: a, b"]),
        ("Label,Score", ["label column", "columns: Label, Score"]),
        ("0,0.5", ["label column", "first line"]),
    ],
)
def test_anything_else_has_to_be_named(tmp_path, header, phrases):
    path = write(tmp_path / "s.csv", f"{header}\n{','.join('1' * (header.count(',') + 1))}\n")
    with pytest.raises(ColumnError) as caught:
        read_scores(path)
    assert caught.value.code == "RS014"
    assert "s.csv" in str(caught.value)
    for phrase in phrases:
        assert phrase in str(caught.value)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_missing_column(tmp_path, ending):
    path = write_table(tmp_path, ending, TABLE)
    with pytest.raises(ColumnError) as caught:
        read_scores(path, label="lable")
    assert caught.value.code == "RS011"
    for phrase in ('no column "lable"', path.name, "fold, label, score", "label='label'"):
        assert phrase in str(caught.value)


def test_doubled_names_are_not_renamed(tmp_path):
    path = write(tmp_path / "s.csv", "label,score,score\n1,1,2\n")
    with pytest.raises(ColumnError, match=r'RS012: 2 columns are called "score" in s\.csv'):
        read_scores(path)
    pq.write_table(pa.table([[1], [1], [2]], names=["label", "score", "score"]), tmp_path / "s.parquet")
    with pytest.raises(ColumnError, match=r'RS012: 2 columns are called "score" in s\.parquet'):
        read_scores(tmp_path / "s.parquet")
    with pytest.raises(ColumnError, match="RS011"):  # what DuckDB would have called it
        read_scores(path, score="score_1")
    with pytest.raises(ColumnError, match=r'RS012: 2 columns are called "score" in s\.jsonl'):
        read_scores(write(tmp_path / "s.jsonl", '{"label": 1, "score": 1, "score": 2}\n'))


def test_names_that_differ_in_case_are_different(tmp_path):
    pq.write_table(pa.table([[1], [5], [7]], names=["label", "score", "Score"]), tmp_path / "s.parquet")
    assert read_scores(tmp_path / "s.parquet").columns.scores.tolist() == [5]
    assert read_scores(tmp_path / "s.parquet", score="Score").columns.scores.tolist() == [7]
    path = write(tmp_path / "s.csv", "label,score,Score\n1,5,7\n")
    assert read_scores(path, score="Score").columns.scores.tolist() == [7]


def test_nested_parquet_columns_are_passed_over(tmp_path):
    table = pa.table(
        {"meta": [{"score": 1, "deep": {"score": 2}}], "label": [1], "score": [7], "list": [[1, 2]]}
    )
    pq.write_table(table, tmp_path / "s.parquet")
    assert read_scores(tmp_path / "s.parquet").columns.scores.tolist() == [7]


# -- bad files --------------------------------------------------------------------------------------------


def test_bad_numbers_are_named_by_line_and_value(tmp_path):
    path = write(tmp_path / "s.csv", HEADER + "a,1,0.5\na,0,high\nb,1,low\n")
    with pytest.raises(DataError) as caught:
        read_scores(path)
    assert caught.value.code == "RS033"
    for phrase in ('column "score"', "2 of 3 rows", "line 3", "'high'", "s.csv"):
        assert phrase in str(caught.value)
    for text, value in (("1_000", "1_000"), ("0x10", "0x10"), ("2020-01-01", "2020-01-01"), ("true", "true")):
        with pytest.raises(DataError, match="RS033") as caught:
            read_scores(write(tmp_path / "t.csv", f"label,score\n1,{text}\n"))
        assert f"line 2: '{value}'" in str(caught.value)
    with pytest.raises(DataError, match="RS033") as caught:
        read_scores(write(tmp_path / "t.csv", "label;score\n1;0,5\n"))
    assert "decimals with a point" in str(caught.value)
    with pytest.raises(DataError, match="RS033") as caught:
        read_scores(write(tmp_path / "t.csv", f"label,score\n1,{2**64}\n0,-1\n"))
    assert "64 bits" in str(caught.value)
    with pytest.raises(DataError, match="RS037") as caught:
        read_scores(write(tmp_path / "t.csv", "label,score,w\n1,1,heavy\n"), weight="w")
    assert "line 2: 'heavy'" in str(caught.value)
    with pytest.raises(DataError, match="RS037") as caught:
        read_scores(write(tmp_path / "t.csv", "label,score,w\n1,1,1\n0,2,-4\n"), weight="w")
    assert "line 3: -4" in str(caught.value)
    pq.write_table(pa.table({"label": [1], "score": ["high"]}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="RS033") as caught:
        read_scores(tmp_path / "t.parquet")
    assert "row 0: 'high'" in str(caught.value)


def test_labels_are_refused_as_in_arrays(tmp_path):
    path = write(tmp_path / "s.csv", "stage,score\nI,1\nII,2\nIII,3\n")
    with pytest.raises(LabelError, match='RS022: column "stage" has 3 labels') as caught:
        read_scores(path, label="stage")
    assert "positive=['II', 'III']" in str(caught.value)
    with pytest.raises(LabelError, match='RS022: column "stage" has 3 labels'):
        read_scores(path, label="stage", positive="III")
    with pytest.raises(LabelError, match=r'RS021: no row of column "stage" has the label "IV" in s\.csv'):
        read_scores(path, label="stage", positive="IV")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet"])
def test_empty_files(tmp_path, ending):
    path = write_table(tmp_path, ending, {"label": np.array([], int), "score": np.array([], float)})
    with pytest.raises(DataError, match="RS010") as caught:
        read_scores(path)
    assert path.name in str(caught.value)
    assert "filter" not in str(caught.value)
    assert caught.value.exit_code == 3


def test_a_file_of_no_bytes(tmp_path):
    for name, content in (
        ("s.csv", b""),
        ("s.tsv", b"\n\n"),
        ("s.jsonl", b""),
        ("s.csv.gz", gzip.compress(b"")),
    ):
        with pytest.raises(DataError, match="RS010") as caught:
            read_scores(write(tmp_path / name, content))
        assert name in str(caught.value)
        assert "filter" not in str(caught.value)
    with pytest.raises(FileError, match="RS053"):
        read_scores(write(tmp_path / "s.parquet", b""))


def test_a_file_that_does_not_exist(tmp_path):
    write(tmp_path / "scores.csv", HEADER + ROWS)
    with pytest.raises(FileError) as caught:
        read_scores(tmp_path / "score.csv")
    assert caught.value.code == "RS051"
    assert f"did you mean  {tmp_path / 'scores.csv'}" in str(caught.value)
    assert isinstance(caught.value, OSError)
    with pytest.raises(FileError, match="RS051") as caught:
        read_scores(tmp_path / "nowhere" / "scores.csv")
    assert "no folder" in str(caught.value)


def test_a_directory(tmp_path):
    write(tmp_path / "scores.csv", HEADER + ROWS)
    with pytest.raises(FileError, match="RS052") as caught:
        read_scores(tmp_path)
    assert "scores.csv" in str(caught.value)
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(FileError, match="RS052"):
        read_scores(tmp_path / "d.csv")


@pytest.mark.parametrize("name", ["scores", "scores.txt", "scores.parquet.gz", ".csv.bak", "csv"])
def test_an_unknown_ending(tmp_path, name):
    with pytest.raises(FileError, match="RS054") as caught:
        read_scores(write(tmp_path / name, HEADER + ROWS))
    assert name in str(caught.value)
    assert ".csv" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("scores.xlsx", "pandas.read_excel("),
        ("SCORES.XLS", "export the sheet as CSV"),
        ("scores.csv.zip", "unpack it"),
        ("scores.json", "one JSON object per line"),
    ],
)
def test_kinds_that_renaming_would_not_help(tmp_path, name, remedy):
    with pytest.raises(FileError, match="RS054") as caught:
        read_scores(write(tmp_path / name, b"PK\x03\x04"))
    assert remedy in str(caught.value)
    assert "rename" not in str(caught.value)


def test_what_is_no_path():
    for thing in (pd.DataFrame(TABLE), TABLE, io.StringIO(HEADER), None, 3):
        with pytest.raises(RocsteadyError, match="RS001: path must be the name of a file") as caught:
            read_scores(thing)
        assert type(thing).__name__ in str(caught.value)
        assert "ScoreSet.from_frame(" in str(caught.value)
    for text in (HEADER + ROWS * 300, "label\0score.csv"):
        with pytest.raises(FileError, match="RS051"):
            read_scores(text)


def parquet_bytes():
    stream = io.BytesIO()
    pq.write_table(pa.table(TABLE), stream)
    return stream.getvalue()


UNREADABLE = {
    "truncated.parquet": (lambda: parquet_bytes()[:-20], "Parquet"),
    "start.parquet": (lambda: parquet_bytes()[:10], "Parquet"),
    "text.parquet": ((HEADER + ROWS).encode, "Parquet"),
    "binary.csv": (lambda: bytes(range(256)) * 20, "zero byte at position 0"),
    "parquet.csv": (parquet_bytes, "it is a Parquet file"),
    "gzipped.csv": (lambda: gzip.compress(b"label,score\n1,2\n"), "gzipped"),
    "workbook.csv": (lambda: b"PK\x03\x04\x14\0", "pandas.read_excel('workbook.csv')"),
    "plain.csv.gz": (lambda: b"label,score\n1,2\n", "plain.csv.gz"),
    "cut.csv.gz": (lambda: gzip.compress(os.urandom(9999).hex().encode())[:300], "cut.csv.gz"),
    "wide.csv": (lambda: "label,score\n1,2\n1,2\n".encode("utf-16"), "zero byte"),
    "latin.csv": (lambda: "label,score,group\n1,2,é\n".encode("latin-1"), "line 2 is not UTF-8"),
    "late.csv": (
        lambda: b"label,score,group\n" + b"1,2,a\n" * 40000 + b"1,2,\xe9\n",
        "line 40002 is not UTF-8",
    ),
    "long.csv": (lambda: b"label,score\n1,2\n1,2,3\n", "line 3 has 3 columns instead of 2: 1,2,3"),
    "short.csv": (lambda: b"label,score,group\n1,2,3\n1\n", "line 3 has 1 column instead of 3: 1"),
    "broken.jsonl": (lambda: b'{"label": 1, "score": 2}\n{"label": 1, "sco', "line 2 is not a JSON object"),
    "binary.jsonl": (lambda: bytes(range(128, 256)), "line 1 is not UTF-8"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_files(tmp_path, name):
    content, phrase = UNREADABLE[name]
    with pytest.raises(FileError) as caught:
        read_scores(write(tmp_path / name, content()))
    assert caught.value.code == "RS053"
    assert name in str(caught.value)
    assert phrase in str(caught.value)


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(*_):  # root may read everything, so permissions alone would not test it everywhere
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("rocsteady.scores.files.File.open", refuse)
    with pytest.raises(FileError, match="RS053") as caught:
        read_scores(write(tmp_path / "s.csv", HEADER + ROWS))
    assert "s.csv" in str(caught.value)
    assert "Permission denied" in str(caught.value)


def test_options_are_checked_before_the_file_is_opened():
    with pytest.raises(RocsteadyError, match="RS001"):
        read_scores("nowhere.csv", on_missing="ignore")


# -- real data --------------------------------------------------------------------------------------------


def test_real_tables(data_folder):
    folder = data_folder / "scores"
    hiv = read_scores(folder / "rocr_hiv.csv")
    assert (len(hiv.groups), hiv.models, hiv.unit) == (10, ("svm", "nn"), "fold")
    readers = read_scores(
        folder / "mrmc_franken.csv", label="truth", score="rating", model="treatment", case="case"
    )
    assert (len(readers), len(readers.cases), readers.columns.scores.dtype) == (8, 100, np.int64)
    asah = read_scores(folder / "proc_asah.csv", label="outcome", score="s100b", positive="Poor")
    assert (asah.n_positives.tolist(), asah.n_negatives.tolist()) == ([41], [72])
    assert asah.classes.negative == "Good"


# -- large files ------------------------------------------------------------------------------------------

N_LARGE = 500_000
PADDING = "x" * 60  # long names make the file large without making its rows many


def large_rows():
    return ((i % 2, i, f"{i // 1000}-{PADDING}") for i in range(N_LARGE))


def large_csv(faults=()):
    rows = [f"{label},{score},{fold}\n" for label, score, fold in large_rows()]
    for row in faults:
        rows[row] = rows[row].replace(f",{row},", ",,")
    return ("label,score,fold\n" + "".join(rows)).encode()


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".jsonl", ".parquet"])
def test_rows_keep_the_order_of_the_file(tmp_path, ending):
    """Small files cannot show it: DuckDB reads text in blocks of 8 MB, and it takes several to change places."""
    path = tmp_path / f"s{ending}"
    if ending == ".parquet":
        columns = dict(
            zip(("label", "score", "fold"), map(list, zip(*large_rows(), strict=True)), strict=True)
        )
        pq.write_table(pa.table(columns), path, row_group_size=20_000)
    elif ending == ".jsonl":
        text = "".join(f'{{"label":{y},"score":{s},"fold":"{g}"}}\n' for y, s, g in large_rows())
        write(path, text)
    else:
        write(path, gzip.compress(large_csv(), 1) if ending == ".csv.gz" else large_csv())
    scores = read_scores(path)
    assert scores.groups == tuple(f"{g}-{PADDING}" for g in range(N_LARGE // 1000))
    assert np.array_equal(scores.columns.scores, np.arange(N_LARGE))
    assert np.array_equal(scores.columns.labels, np.arange(N_LARGE) % 2)


def test_the_line_of_a_fault_deep_in_a_large_file(tmp_path):
    path = write(tmp_path / "s.csv", large_csv(faults=[450_000, 450_007]))
    with pytest.raises(DataError, match="RS031: 2 of 500 000") as caught:
        read_scores(path)
    assert "line 450002" in str(caught.value)
    assert f'all in group "450-{PADDING}"' in str(caught.value)


BLANKS = "host,model,label,score\n" + "".join(
    f"{host},{model},{i % 2},{i}\n"
    for i, (host, model) in enumerate(
        [("h1", "a")] * 4 + [("h1 ", "a")] * 6 + [(" h1", " b")] * 2 + [("h2 ", " b")] * 4
    )
)


def test_names_that_only_blanks_tell_apart_are_one_and_that_is_said(tmp_path):
    (tmp_path / "s.csv").write_text(BLANKS)
    with pytest.warns(RocsteadyWarning, match="RS105") as caught:
        scores = read_scores(tmp_path / "s.csv", group="host")
    assert scores.groups == ("h1", "h2")
    (only,) = caught
    assert only.filename == __file__
    said = str(only.message)
    assert 'names in the column "host" differ only by blanks at their ends in s.csv' in said
    assert '"h1 " (6 rows), "h1" (4 rows) and " h1" (2 rows)' in said
    assert "h2" not in said


def test_blanks_that_tell_nothing_apart_are_not_worth_a_word(tmp_path):
    (tmp_path / "s.csv").write_text(BLANKS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = read_scores(tmp_path / "s.csv", model="model")
    assert scores.models == ("a", "b")
