"""Outputs of several classes from tables and files: which columns, which classes, and what is refused."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, LabelError, RocsteadyError, RocsteadyWarning, UsageError

TABLE = {
    "species": ["cat", "dog", "eel", "dog", "cat", "eel"],
    "p_dog": [0.2, 0.7, 0.1, 0.5, 0.3, 0.2],
    "p_eel": [0.1, 0.1, 0.7, 0.2, 0.1, 0.6],
    "p_cat": [0.7, 0.2, 0.2, 0.3, 0.6, 0.2],
    "site": ["x", "x", "x", "y", "y", "y"],
    "note": ["a", "b", "c", "d", "e", "f"],
}
NAMED = {"label": "species", "outputs": "p_*", "group": "site"}
WAYS = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "arrow": pa.table,
    "batch": lambda table: pa.table(table).to_batches()[0],
    "reader": lambda table: pa.table(table).to_reader(),
    "duckdb": lambda table: duckdb.from_arrow(pa.table(table)),
}


def written(folder, table, ending):
    """The table as a file of this kind."""
    frame, path = pd.DataFrame(table), folder / f"outputs{ending}"
    if ending == ".parquet":
        frame.to_parquet(path)
    elif ending == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in frame.to_dict("records")))
    else:
        frame.to_csv(path, index=False, sep="\t" if ending == ".tsv" else ",")
    return path


def is_the_table(scores):
    assert scores.classes == ("dog", "eel", "cat")
    expected = np.column_stack([TABLE[f"p_{own}"] for own in scores.classes])
    np.testing.assert_array_equal(scores.outputs, expected)
    assert [scores.classes[i] for i in scores.label_index] == TABLE["species"]
    assert scores.folds == ("x", "y")
    assert scores.fold_index.tolist() == [0, 0, 0, 1, 1, 1]
    assert scores.unit == "site"
    assert scores.design == rs.Design.cross_validation(2)
    return True


@pytest.mark.parametrize("way", WAYS)
def test_every_kind_of_table(way):
    assert is_the_table(rs.MulticlassScores.from_frame(WAYS[way](TABLE), **NAMED))


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".parquet", ".jsonl"])
def test_every_kind_of_file(tmp_path, ending):
    scores = rs.read_scores(written(tmp_path, TABLE, ending), **NAMED)
    assert is_the_table(scores)
    assert scores.source == f"outputs{ending}"


@pytest.mark.parametrize(
    ("outputs", "classes"),
    [
        (["p_cat", "p_dog", "p_eel"], None),
        ({"cat": "p_cat", "dog": "p_dog", "eel": "p_eel"}, ("cat", "dog", "eel")),
        ("p_???", None),
        ("*_*", None),
    ],
)
def test_ways_to_name_the_columns(outputs, classes):
    """A pattern names a class by what its star stands for; else it is called like its column."""
    if classes:
        found = rs.MulticlassScores.from_frame(TABLE, label="species", outputs=outputs)
        assert found.classes == classes
        assert found.folds == ("all",)
        return
    with pytest.raises(LabelError, match=r"(?s)RS025: 3 labels have no column.*cat, dog and eel \(6 rows"):
        rs.MulticlassScores.from_frame(TABLE, label="species", outputs=outputs)
    renamed = {**TABLE, "species": [f"p_{own}" for own in TABLE["species"]]}
    assert set(rs.MulticlassScores.from_frame(renamed, label="species", outputs=outputs).classes) == {
        "p_cat",
        "p_dog",
        "p_eel",
    }


@settings(max_examples=30)
@given(st.lists(st.integers(0, 11), min_size=1, max_size=20), st.sampled_from([int, float, str]))
def test_labels_are_what_their_columns_are_called(labels, kind):
    """Numbers and the texts that spell them."""
    classes = sorted(set(labels) | {0, 11})
    table = {"y": [kind(own) for own in [*labels, 0, 11]]}
    rng = np.random.default_rng(0)
    for own in classes:
        table[f"s{own}"] = rng.random(len(table["y"])).tolist()
    scores = rs.MulticlassScores.from_frame(table, label="y", outputs="s*")
    assert scores.classes == tuple(str(own) if kind is str else own for own in classes)
    assert [int(scores.classes[i]) for i in scores.label_index] == [*labels, 0, 11]


def test_repeats_of_a_cross_validation():
    table = {key: value * 2 for key, value in TABLE.items()} | {"run": [1] * 6 + [2] * 6}
    scores = rs.MulticlassScores.from_frame(table, **NAMED, repeat="run")
    assert scores.design == rs.Design.cross_validation(2, repeats=2)
    assert scores.folds == ("x of repeat 1", "y of repeat 1", "x of repeat 2", "y of repeat 2")
    assert rs.MulticlassScores.from_frame(TABLE, **NAMED, design="independent").design.kind == "independent"


def test_columns_that_nobody_named_are_told(tmp_path):
    table = {("fold" if key == "site" else key): value for key, value in TABLE.items()}
    table["label"] = table.pop("species")
    scores = rs.read_scores(written(tmp_path, table, ".csv"), outputs="p_*")
    assert scores.columns_chosen == {"label": "label", "group": "fold"}
    table["split"] = table.pop("fold")
    with pytest.warns(RocsteadyWarning, match=r"(?s)RS110.*split.*x and y"):
        rs.read_scores(written(tmp_path, table, ".csv"), outputs="p_*")


# What is refused: coded, with the rows, and what to type
# -------------------------------------------------------


@pytest.mark.parametrize("ending", [".csv", ".parquet", None])
def test_missing_outputs(tmp_path, ending):
    table = TABLE | {"p_eel": [0.1, None, 0.7, 0.2, None, 0.6]}

    def read(**options):
        if ending is None:
            return rs.MulticlassScores.from_frame(pd.DataFrame(table), **NAMED, **options)
        return rs.read_scores(written(tmp_path, table, ending), **NAMED, **options)

    place = {".csv": "line 3", ".parquet": "row 1", None: "row 1"}[ending]
    with pytest.raises(DataError, match=rf'(?s)RS031: 2 of 6.*"p_eel".*{place}.*on_missing=\'drop\''):
        read()
    with pytest.warns(RocsteadyWarning, match="RS102: 2 rows without a score dropped") as caught:
        scores = read(on_missing="drop")
    assert "for all models" not in str(caught[0].message)
    assert scores.n_rows == 4
    assert scores.dropped.n_rows == 2
    assert [scores.classes[i] for i in scores.label_index] == ["cat", "eel", "dog", "eel"]


def test_missing_labels_and_groups():
    for role, words in (("species", "RS023: 1 of 6 labels"), ("site", "RS035")):
        table = TABLE | {role: [None, *TABLE[role][1:]]}
        with pytest.raises(RocsteadyError, match=rf"(?s){words}.*row 0.*on_missing='drop'"):
            rs.MulticlassScores.from_frame(table, **NAMED)
        with pytest.warns(RocsteadyWarning, match="RS102"):
            assert rs.MulticlassScores.from_frame(table, **NAMED, on_missing="drop").n_rows == 5


def test_a_class_whose_column_is_missing(tmp_path):
    table = {key: value for key, value in TABLE.items() if key != "p_eel"}
    words = r"(?s)RS025: 1 label has no column of outputs in .*eel \(2 rows, first at line 4\).*dog and cat"
    with pytest.raises(LabelError, match=words):
        rs.read_scores(written(tmp_path, table, ".csv"), **NAMED)
    with pytest.raises(ColumnError, match='RS011: no column "p_eel"'):
        rs.MulticlassScores.from_frame(table, label="species", outputs=["p_cat", "p_dog", "p_eel"])


def test_a_class_without_a_row_is_said():
    table = TABLE | {"p_fox": [0.1] * 6}
    with pytest.warns(RocsteadyWarning, match=r"(?s)RS252: 1 class has.*fox; labels: cat, dog and eel"):
        scores = rs.MulticlassScores.from_frame(table, **NAMED)
    assert scores.classes == ("dog", "eel", "cat", "fox")
    with pytest.raises(DataError, match="RS078: 1 class has no rows"):
        scores.auc()


def test_labels_that_look_like_a_class():
    table = TABLE | {"species": ["Cat", *TABLE["species"][1:]]}
    with pytest.raises(LabelError, match=r"(?s)without a column: Cat \(1 row.*did you mean cat \?"):
        rs.MulticlassScores.from_frame(table, **NAMED)


def test_the_pattern_is_found_out():
    with pytest.raises(LabelError, match=r"what stands for the class is  \*:  outputs='p_\*'"):
        rs.MulticlassScores.from_frame(TABLE, label="species", outputs=["p_cat", "p_dog", "p_eel"])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"outputs": "q_*"}, ColumnError, r"RS011: no column fits the pattern 'q_\*'"),
        ({"outputs": "p_cat"}, DataError, "(?s)RS034.*two at least.*columns of outputs: p_cat"),
        ({"outputs": ["p_cat"]}, DataError, "RS034"),
        ({"outputs": []}, UsageError, "RS002: outputs must be a pattern"),
        ({"outputs": ["p_cat", "p_cat"]}, UsageError, "RS002: outputs must be a pattern"),
        ({"outputs": {"cat": "p_cat", "dog": "p_cat"}}, DataError, "RS034"),
        ({"outputs": 3}, UsageError, "RS002: outputs must be a pattern"),
        ({"outputs": [["p_cat"], "p_dog"]}, UsageError, "RS002"),
        ({"outputs": "p_*", "label": "animal"}, ColumnError, 'RS011: no column "animal"'),
        ({"outputs": "*"}, DataError, '(?s)RS033.*"note"'),
        ({"outputs": "p_*", "on_missing": "keep"}, UsageError, "RS001"),
        ({"outputs": "p_*", "design": "folds"}, UsageError, "RS001"),
    ],
)
def test_names_that_do_not_fit(options, error, words):
    with pytest.raises(error, match=words):
        rs.MulticlassScores.from_frame(TABLE, **({"label": "species", "group": "site"} | options))


def test_options_of_two_classes_and_rows_of_two_models(tmp_path):
    path = written(tmp_path, TABLE, ".csv")
    with pytest.raises(UsageError, match="RS002: outputs of several classes are read without score and pos"):
        rs.read_scores(path, **NAMED, score="p_cat", positive="cat")
    path = written(tmp_path, TABLE | {"model": list("aaabbb")}, ".csv")
    with pytest.raises(UsageError, match=r'(?s)RS002.*column "model": a and b'):
        rs.read_scores(path, **NAMED)
    assert rs.read_scores(written(tmp_path, TABLE | {"model": ["a"] * 6}, ".csv"), **NAMED).n_rows == 6


def test_infinite_and_textual_outputs(tmp_path):
    table = TABLE | {"p_dog": [0.2, np.inf, 0.1, 0.5, 0.3, 0.2]}
    with pytest.raises(DataError, match=r'(?s)RS033: 1 output is infinite.*line 3, column "p_dog"'):
        rs.read_scores(written(tmp_path, table, ".csv"), **NAMED)
    with pytest.raises(DataError, match=r"(?s)RS033: 1 output is infinite.*row 1, column 0"):
        rs.MulticlassScores(
            table["species"], np.column_stack([table[f"p_{c}"] for c in ("dog", "eel", "cat")])
        )
    with pytest.raises(DataError, match=r'(?s)RS033.*"p_dog".*line 2'):
        rs.read_scores(written(tmp_path, TABLE | {"p_dog": ["high"] * 6}, ".csv"), **NAMED)


def test_empty_files_and_names_that_want_to_be_run(tmp_path):
    with pytest.raises(DataError, match="RS010"):
        rs.read_scores(written(tmp_path, {key: [] for key in TABLE}, ".csv"), **NAMED)
    hostile = "<script>alert(1)</script>\n" + "x" * 5000
    table = {"y": [hostile, "b"], f"p_{hostile}": [0.6, 0.4], "p_b": [0.4, 0.6]}
    scores = rs.MulticlassScores.from_frame(table, label="y", outputs="p_*")
    assert scores.classes == (hostile, "b")
    assert repr(scores) == "MulticlassScores(2 classes, 2 rows, 1 fold)"


# Whether outputs are posteriors
# ------------------------------


@given(st.integers(2, 8), st.integers(1, 12), st.integers(0, 10**6))
def test_rounded_posteriors_are_posteriors(n_classes, decimals, seed):
    outputs = np.random.default_rng(seed).dirichlet(np.ones(n_classes), 12)
    labels = np.arange(12) % n_classes
    scores = rs.MulticlassScores(labels, outputs.round(decimals), classes=range(n_classes))
    assert scores.are_posteriors
    off = outputs.copy()
    off[3] *= 1.5
    scores = rs.MulticlassScores(labels, off, classes=range(n_classes))
    assert (scores.are_posteriors, scores.rows_off_one.tolist()) == (False, [3])


def test_votes_densities_and_negative_outputs_are_no_posteriors():
    labels = [0, 1, 2]
    assert rs.MulticlassScores(labels, [[7, 2, 1], [0, 9, 1], [3, 3, 4]]).rows_off_one.tolist() == [0, 1, 2]
    assert rs.MulticlassScores(labels, np.eye(3)).are_posteriors
    assert rs.MulticlassScores(labels, [[1.2, -0.2, 0], *np.eye(3)[1:]]).rows_off_one.tolist() == [0]
    assert rs.MulticlassScores(labels, np.full((3, 3), 1e308)).rows_off_one.size == 3


def test_real_outputs_are_read(data_folder):
    path = data_folder / "scores" / "yardstick_hpc_cv.csv"
    scores = rs.read_scores(path, label="obs", outputs=["VF", "F", "M", "L"], group="Resample")
    table = pd.read_csv(path)
    assert scores.classes == ("VF", "F", "M", "L")
    np.testing.assert_array_equal(scores.outputs, table[["VF", "F", "M", "L"]].to_numpy())
    assert [scores.classes[i] for i in scores.label_index] == table["obs"].tolist()
    assert [scores.folds[i] for i in scores.fold_index] == table["Resample"].tolist()
    assert scores.are_posteriors


@pytest.mark.parametrize(
    ("spelled", "labels", "classes"),
    [
        (("true", "false"), ("true", "false"), (True, False)),
        (("0.5", "1.5", "2.0"), ("0.5", "1.5", "2.0"), (0.5, 1.5, 2)),
        (("0", "1"), ("0.0", "1.0"), (0, 1)),
        (("0.0", "1.0"), ("0", "1"), (0, 1)),
        (("01", "02"), ("01", "02"), (1, 2)),
        (("True", "False"), ("TRUE", "FALSE"), (True, False)),
    ],
)
def test_a_column_is_of_the_label_that_it_spells(tmp_path, spelled, labels, classes):
    lines = [",".join(["truth", *(f"p_{own}" for own in spelled)])]
    shares = np.full((len(labels), len(labels)), 0.1) + np.eye(len(labels)) * 0.5
    lines += [",".join([own, *map(str, row)]) for own, row in zip(labels, shares, strict=True)]
    (tmp_path / "spelled.csv").write_text("\n".join(lines) + "\n")
    scores = rs.read_scores(tmp_path / "spelled.csv", label="truth", outputs="p_*")
    assert scores.classes == classes
    assert [type(own) for own in scores.classes] == [type(own) for own in classes]
    assert scores.label_index.tolist() == list(range(len(classes)))


def test_two_columns_of_one_number_are_refused(tmp_path):
    (tmp_path / "twice.csv").write_text("truth,p_1,p_1.0,p_2\n1,0.5,0.4,0.1\n2,0.2,0.2,0.6\n")
    with pytest.raises(UsageError, match="RS049"):
        rs.read_scores(tmp_path / "twice.csv", label="truth", outputs="p_*")


def test_outputs_of_readers_are_refused():
    for make in (
        lambda: rs.MulticlassScores.from_frame(TABLE, **NAMED, design="readers"),
        lambda: rs.MulticlassScores([0, 1], np.eye(2), folds=[0, 1], design="readers"),
        lambda: rs.MulticlassScores([0, 1], np.eye(2), folds=[0, 1]).with_design("readers"),
    ):
        with pytest.raises(UsageError, match="RS001"):
            make()
