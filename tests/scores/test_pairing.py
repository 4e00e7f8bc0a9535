"""Cases: however a table is sorted, the same cases line up in every model and group, and have one truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import LabelError, RocsteadyWarning, catalogue
from rocsteady.scores import ScoreSet, read_scores
from rocsteady.scores.score_set import paired_order

# Small examples look like decisions now and then, and repeat their cases.
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS104")

COLUMNS = {"label": "truth", "score": "rating", "group": "reader", "model": "treatment", "case": "patient"}


def crossed(n_cases, models, groups, seed=0):
    """Every case seen in every group under every model, in order; half of the cases are positive."""
    rng = np.random.default_rng(seed)
    rows = [
        {"patient": f"p{c}", "truth": c % 2, "treatment": m, "reader": g, "rating": rng.normal() + c % 2}
        for m in models
        for g in groups
        for c in range(n_cases)
    ]
    return pd.DataFrame(rows)


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from("gh"), st.sampled_from("xy"), st.integers(0, 9)),
        min_size=1,
        max_size=40,
    )
)
def test_rows_of_a_member_stand_in_the_order_of_their_cases(rows):
    cases, groups, models, values = (list(column) for column in zip(*rows, strict=True))
    score_set = ScoreSet.from_arrays([c % 2 for c in cases], values, groups, models=models, cases=cases)
    place = {case: i for i, case in enumerate(dict.fromkeys(cases))}
    for member in score_set:
        model, _, group = member.name.rpartition(" / ")
        own = [r for r in rows if r[1] == group and (not model or r[2] == model)]
        own.sort(key=lambda r: place[r[0]])  # stable, as is the order of rows with the same case
        assert member.cases == tuple(r[0] for r in own)
        assert member.scores.tolist() == [r[3] for r in own]
        assert member.is_positive.tolist() == [bool(r[0] % 2) for r in own]


@given(st.integers(0, 2**32 - 1))
def test_a_shuffled_table_pairs_as_the_sorted_one(seed):
    table = crossed(12, ["a", "b"], ["r1", "r2"])
    shuffled = table.sample(frac=1, random_state=seed)
    sets = [ScoreSet.from_frame(frame, **COLUMNS) for frame in (table, shuffled)]
    for group in ("r1", "r2"):
        pairs = [(s.model("a")[group], s.model("b")[group]) for s in sets]
        for a, b in pairs:
            assert a.cases == b.cases
            assert a.is_positive.tolist() == b.is_positive.tolist()
        sorted_test, shuffled_test = (rs.compare_auc(a.is_positive, a.scores, b.scores) for a, b in pairs)
        assert shuffled_test.aucs.tolist() == pytest.approx(sorted_test.aucs.tolist())
        assert shuffled_test.statistic == pytest.approx(sorted_test.statistic)


def test_without_cases_rows_keep_their_order():
    table = crossed(6, ["a", "b"], ["r1"]).iloc[::-1]
    columns = {role: name for role, name in COLUMNS.items() if role != "case"}
    score_set = ScoreSet.from_frame(table, **columns)
    own = table[table.treatment == "a"]
    assert score_set.model("a")[0].scores.tolist() == own.rating.tolist()
    assert score_set[0].cases is None


def test_weights_and_dropped_rows_follow_their_cases():
    table = crossed(4, ["a", "b"], ["r1"]).assign(weight=range(1, 9)).iloc[::-1]
    table.loc[2, "rating"] = np.nan
    with pytest.warns(RocsteadyWarning, match="RS102"):
        score_set = ScoreSet.from_frame(table, **COLUMNS, weight="weight", on_missing="drop")
    a, b = score_set.model("a")[0], score_set.model("b")[0]
    assert (a.cases, b.cases) == (("p3", "p1", "p0"), ("p3", "p2", "p1", "p0"))
    assert (a.sample_weight.tolist(), b.sample_weight.tolist()) == ([4, 2, 1], [8, 7, 6, 5])


def test_files_are_paired_by_case(tmp_path):
    table = crossed(10, ["a", "b"], ["r1"]).sample(frac=1, random_state=3)
    table.to_csv(tmp_path / "s.csv", index=False)
    table.to_parquet(tmp_path / "s.parquet")
    for name in ("s.csv", "s.parquet"):
        score_set = read_scores(tmp_path / name, **COLUMNS)
        assert score_set[0].cases == score_set[1].cases == tuple(dict.fromkeys(table.patient))


def test_rows_in_order_are_not_moved():
    members, cases = np.repeat(np.arange(2), 3), np.tile(np.arange(3), 2)
    assert paired_order(members, 2, cases, 3) is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=40))
def test_the_order_is_the_stable_one_by_member_and_case(rows):
    members, cases = (np.array([r[i] for r in rows], dtype=np.int64) for i in (0, 1))
    order = paired_order(members, 4, cases, 6)
    found = np.arange(len(rows)) if order is None else order
    assert found.tolist() == sorted(range(len(rows)), key=lambda i: rows[i])


def test_many_cases_and_members():
    rng = np.random.default_rng(0)
    members, cases = rng.integers(0, 70_000, 300_000), rng.integers(0, 100_000, 300_000)
    assert np.array_equal(paired_order(members, 70_000, cases, 100_000), np.lexsort((cases, members)))


# -- one truth --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "models"),
    [(None, ["a", "a", "b", "b"]), (["r1", "r1", "r2", "r2"], None), (None, None)],
    ids=["models", "readers", "rows"],
)
def test_a_case_is_positive_in_all_its_rows_or_in_none(groups, models):
    with pytest.raises(LabelError) as caught:
        ScoreSet.from_arrays([1, 0, 0, 0], [1, 2, 3, 4], groups, models=models, cases=["p", "q", "p", "q"])
    assert caught.value.code == "RS026"
    for phrase in ('the case "p" is positive in one row', "positive at row 0, negative at row 2", "mend"):
        assert phrase in str(caught.value)
    assert "other case" not in str(caught.value)
    assert "every model and group" in catalogue()["RS026"].explanation


def test_torn_cases_are_counted_and_named_by_line(tmp_path):
    text = "label,score,who\n1,1,p\n1,2,q\n0,,p\n0,3,q\n0,4,p\n"
    (tmp_path / "s.csv").write_text(text)
    with pytest.warns(RocsteadyWarning, match="RS102"), pytest.raises(LabelError, match="RS026") as caught:
        read_scores(tmp_path / "s.csv", case="who", on_missing="drop")
    assert 'the case "p" is positive in one row and negative in another in s.csv' in str(caught.value)
    assert "positive at line 2, negative at line 6; 1 other case as well" in str(caught.value)


def test_rows_that_do_not_count_tear_no_case():
    score_set = ScoreSet.from_arrays([1, 0], [1, 2], cases=["p", "p"], sample_weight=[1, 0])
    assert score_set[0].cases == ("p",)


def test_cases_come_out_with_the_rows():
    score_set = ScoreSet.from_arrays([1, 0, 0, 1], [1, 2, 3, 4], list("ghgh"), cases=list("pqqp"))
    assert score_set["g"].to_frame().to_dict("list") == {
        "case": ["p", "q"],
        "is_positive": [True, False],
        "score": [1, 3],
    }
    assert score_set["h"].to_dict()["cases"] == ["p", "q"]
    assert score_set.to_frame()["case"].tolist() == ["p", "q", "p", "q"]
    assert rs.Scores([0, 1], [1, 2]).cases is None
