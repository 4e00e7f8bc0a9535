"""Clusters: the patient of a case follows its rows through every door, and a case has one patient."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, RocsteadyWarning
from rocsteady.scores import ScoreSet, read_scores
from rocsteady.scores.score_set import warn_of_clusters

# Small examples look like decisions now and then, and repeat their cases.
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS104", "ignore:RS27[1-4]", "ignore:RS151")

ROLES = {"label": "truth", "score": "rating", "group": "reader", "model": "test", "case": "lesion"}
TABLES = {"dict": dict, "pandas": pd.DataFrame, "polars": pl.LazyFrame, "arrow": pa.table}


def study(n_cases=12, seed=0):
    """Two readers rate lesions in two modalities; three lesions in a row are of one patient."""
    stream = np.random.default_rng(seed)
    names = [(t, r, c) for t in ("old", "new") for r in ("r1", "r2") for c in range(n_cases)]
    return {
        "truth": [c % 2 for _, _, c in names],
        "rating": [float(stream.normal() + c % 2) for _, _, c in names],
        "reader": [r for _, r, _ in names],
        "test": [t for t, _, _ in names],
        "lesion": [f"l{c}" for _, _, c in names],
        "patient": [f"p{c // 3}" for _, _, c in names],
    }


def patient_of(lesion):
    return f"p{int(lesion[1:]) // 3}"


@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(TABLES)))
@settings(max_examples=30)
def test_the_patient_follows_the_case_however_the_table_is_sorted(seed, kind):
    table = study()
    order = np.random.default_rng(seed).permutation(len(table["truth"]))
    shuffled = {name: [values[i] for i in order] for name, values in table.items()}
    score_set = ScoreSet.from_frame(TABLES[kind](shuffled), **ROLES, cluster="patient")
    expected = tuple(map(patient_of, score_set.cases.listed()))
    assert score_set.clusters.listed() == expected
    assert (score_set.clusters.unit, len(score_set.clusters)) == ("patient", 4)
    assert repr(score_set) == "ScoreSet(2 readers, 2 models, 48 rows, 24 positives, 4 patients)"
    for one in (score_set.model("new"), score_set.model("old")):
        assert one.clusters.listed() == tuple(map(patient_of, one.cases.listed()))
        for member in one:
            assert member.clusters == tuple(map(patient_of, member.cases))


def test_arrays_frames_and_files_give_the_same_clusters(tmp_path):
    table = study()
    expected = ScoreSet.from_frame(table, **ROLES, cluster="patient")
    arrays = ScoreSet.from_arrays(
        table["truth"],
        table["rating"],
        table["reader"],
        models=table["test"],
        cases=table["lesion"],
        clusters=pd.Series(table["patient"], name="patient"),
    )
    frame = pd.DataFrame(table)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    lines = [json.dumps(row) for row in frame.to_dict("records")]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    read = [
        read_scores(tmp_path / name, **ROLES, cluster="patient") for name in ("a.csv", "a.parquet", "a.jsonl")
    ]
    for one in (arrays, *read):
        assert one.clusters.listed() == expected.clusters.listed()
        assert one.clusters.unit == "patient"


def test_a_table_that_was_written_is_read_again():
    score_set = ScoreSet.from_frame(study(), **ROLES, cluster="patient")
    again = ScoreSet.from_frame(
        score_set.to_frame(),
        label="is_positive",
        score="score",
        group="reader",
        model="model",
        case="case",
        cluster="cluster",
    )
    assert again.clusters.listed() == score_set.clusters.listed()
    assert list(score_set["old / r1"].to_frame()["cluster"]) == list(score_set["old / r1"].clusters)
    assert score_set["old / r1"].to_dict()["clusters"] == list(score_set["old / r1"].clusters)


def test_without_clusters_there_are_none():
    score_set = ScoreSet.from_frame(study(), **ROLES)
    assert score_set.clusters is None
    assert score_set[0].clusters is None
    assert "cluster" not in score_set.to_frame()


def test_each_row_of_a_wide_table_keeps_its_patient():
    table = {"y": [1, 0, 1, 0], "a": [4, 1, 3, 2], "b": [1, 2, 3, 4], "who": ["u", "u", "v", "w"]}
    score_set = ScoreSet.from_frame(table, label="y", score=["a", "b"], cluster="who")
    assert score_set.clusters.listed() == ("u", "u", "v", "w") * 2
    assert score_set.model("b").clusters.listed() == ("u", "u", "v", "w")
    both = ScoreSet.from_arrays(table["y"], {"a": table["a"], "b": table["b"]}, clusters=table["who"])
    assert both.clusters.listed() == score_set.clusters.listed()


def test_rows_without_a_patient_are_named_or_dropped():
    table = study()
    table["patient"][5] = None
    with pytest.raises(DataError, match="1 of 48 rows has no cluster") as caught:
        ScoreSet.from_frame(table, **ROLES, cluster="patient")
    assert caught.value.code == "RS035"
    with pytest.warns(RocsteadyWarning, match="1 row without a cluster dropped"):
        left = ScoreSet.from_frame(table, **ROLES, cluster="patient", on_missing="drop")
    assert left.dropped.causes == {"no cluster": 1}
    assert left.clusters.listed() == tuple(map(patient_of, left.cases.listed()))


def test_rows_that_weigh_nothing_leave_with_their_patient():
    table = study() | {"w": [1.0 if i % 5 else 0.0 for i in range(48)]}
    left = ScoreSet.from_frame(table, **ROLES, cluster="patient", weight="w")
    assert left.columns.n_rows == 38
    assert left.clusters.listed() == tuple(map(patient_of, left.cases.listed()))


def test_a_case_of_two_patients_is_refused():
    table = study()
    table["patient"][13] = "p9"
    table["patient"][14] = "p9"
    with pytest.raises(DataError, match='"l1" belongs to two clusters') as caught:
        ScoreSet.from_frame(table, **ROLES, cluster="patient")
    assert caught.value.code == "RS050"
    assert 'column "patient": "p0" at row 1 and "p9" at row 13; 1 other case as well' in str(caught.value)


def test_a_dropped_row_does_not_tear_a_case():
    table = study()
    table["patient"][13], table["rating"][13] = "p9", None
    with pytest.warns(RocsteadyWarning, match="RS102"):
        left = ScoreSet.from_frame(table, **ROLES, cluster="patient", on_missing="drop")
    assert left.columns.n_rows == 47


def test_a_case_of_two_patients_in_a_file_is_blamed_by_line(tmp_path):
    frame = pd.DataFrame(study())
    frame.loc[13, "patient"] = "p9"
    frame.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match='"p0" at line 3 and "p9" at line 15'):
        read_scores(tmp_path / "a.csv", **ROLES, cluster="patient")


def test_misspelt_and_short_clusters_are_explained():
    table = study()
    with pytest.raises(ColumnError, match="cluster='patient'"):
        ScoreSet.from_frame(table, **ROLES, cluster="patent")
    with pytest.raises(ColumnError, match="clusters: 3"):
        ScoreSet.from_arrays(table["truth"], table["rating"], clusters=["a", "b", "c"])


# What uses them


def test_the_bootstrap_draws_the_patients_of_the_set():
    table = study(60)
    score_set = ScoreSet.from_frame(table, **ROLES, cluster="patient")
    member = score_set["old / r1"]
    by_hand = rs.bootstrap(rs.Scores(member.is_positive, member.scores), clusters=list(member.clusters))
    for random in (None, "clusters"):
        found = rs.bootstrap(member, random=random)
        np.testing.assert_array_equal(found.values, by_hand.values)
        assert "20 patients" in found.random
    one_by_one = rs.bootstrap(rs.Scores(member.is_positive, member.scores), random="cases")
    with pytest.warns(RocsteadyWarning, match="rows of one patient are drawn one by one"):
        asked = rs.bootstrap(member, random="cases")
    np.testing.assert_array_equal(asked.values, one_by_one.values)
    two = rs.bootstrap(score_set.model("old"), random="clusters")
    assert "20 patients" in two.random
    assert "across all readers" in two.random


def test_the_test_of_two_models_draws_the_patients_of_the_set():
    score_set = ScoreSet.from_frame(study(60), **ROLES, cluster="patient")
    a, b = score_set["old / r1"], score_set["new / r1"]
    found = rs.bootstrap_test(a, b, n_resamples=200)
    by_hand = rs.bootstrap_test(a.is_positive, a.scores, b.scores, clusters=list(a.clusters), n_resamples=200)
    assert found.pvalue == by_hand.pvalue
    assert "20 patients" in found.random
    half = rs.bootstrap_test(rs.Scores(a.is_positive, a.scores), b, n_resamples=200)
    assert half.pvalue == found.pvalue


def test_rows_of_one_patient_warn_where_they_are_taken_as_independent():
    score_set = ScoreSet.from_frame(study(), **ROLES, cluster="patient")
    with pytest.warns(RocsteadyWarning, match="4 of 4 patients have several rows in one reader"):
        warn_of_clusters(score_set, "DeLong's formula")
    alone = ScoreSet.from_frame(study(), **ROLES, cluster="lesion")
    warn_of_clusters(alone, "DeLong's formula")  # warnings are errors here
