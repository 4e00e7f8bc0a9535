"""Wide tables, one score column for each model: the same set as from the long table of the same scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.errors import DataError, LabelError, RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.scores import ScoreSet, read_scores

# Small examples look like decisions now and then, and repeat their cases.
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS104")

WIDE = {
    "y": ["sick", "well", "sick", "well"],
    "old": [0.4, 0.2, 0.9, 0.1],
    "new": [3, 1, 2, 0],
    "site": ["b", "b", "a", "a"],
    "w": [1.0, 2.0, 1.0, 0.0],
}
TABLES = {"dict": dict, "pandas": pd.DataFrame, "polars": pl.LazyFrame, "arrow": pa.table}


def described(score_set):
    columns = score_set.columns
    return {
        "names": score_set.names,
        "models": score_set.models,
        "scores": columns.scores.tolist(),
        "labels": columns.labels.tolist(),
        "offsets": columns.offsets.tolist(),
        "weights": None if columns.weights is None else columns.weights.tolist(),
        "cases": [member.cases for member in score_set],
        "dropped": score_set.dropped.to_dict(),
        "unit": score_set.unit,
        "classes": score_set.classes,
    }


def long(columns, models):
    """The long table of a wide one, with the row as the case."""
    n_rows = len(columns["y"])
    others = {name: list(values) * len(models) for name, values in columns.items() if name not in models}
    scores = [float(value) for model in models for value in columns[model]]
    names = [model for model in models for _ in range(n_rows)]
    return {**others, "model": names, "score": scores, "row": list(range(n_rows)) * len(models)}


rows = st.lists(
    st.tuples(
        st.booleans(),
        st.floats(-9, 9),
        st.integers(-9, 9),
        st.sampled_from("abc"),
        st.sampled_from([0.0, 2.0]),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("kind", TABLES)
@given(rows=rows)
def test_a_wide_table_is_the_long_table_of_its_scores(kind, rows):
    rows = [*rows, (True, 1.0, 1, "a", 1.0)]
    columns = dict(zip(("y", "old", "new", "site", "w"), map(list, zip(*rows, strict=True)), strict=True))
    options = {"label": "y", "group": "site", "weight": "w"}
    wide = ScoreSet.from_frame(TABLES[kind](columns), score=["old", "new"], **options)
    expected = ScoreSet.from_frame(
        long(columns, ["old", "new"]), score="score", model="model", case="row", **options
    )
    assert described(wide) == described(expected)


@pytest.mark.parametrize("score", [["old", "new"], ("old", "new"), pd.Index(["old", "new"])])
def test_models_are_called_as_their_columns_and_are_paired(score):
    score_set = ScoreSet.from_frame(WIDE, label="y", score=score, positive="sick")
    assert (score_set.models, score_set.names) == (("old", "new"), ("old / all", "new / all"))
    old, new = score_set
    assert old.cases == new.cases == (0, 1, 2, 3)
    assert old.is_positive.tolist() == new.is_positive.tolist()
    assert (old.scores.tolist(), new.scores.tolist()) == (WIDE["old"], WIDE["new"])


def test_one_column_in_a_list_is_one_model():
    score_set = ScoreSet.from_frame(WIDE, label="y", score=["old"], positive="sick")
    assert (score_set.models, score_set.names) == (("old",), ("all",))


def test_cases_may_still_be_named():
    table = {**WIDE, "who": ["p", "q", "p", "q"]}
    score_set = ScoreSet.from_frame(table, label="y", score=["old", "new"], case="who", positive="sick")
    assert score_set[0].cases == score_set[1].cases == ("p", "p", "q", "q")
    table["y"] = ["sick", "well", "well", "well"]
    with pytest.raises(LabelError, match="RS026") as caught:
        ScoreSet.from_frame(table, label="y", score=["old", "new"], case="who", positive="sick")
    assert "positive at row 0, negative at row 2" in str(caught.value)


def test_a_dict_of_scores_is_a_wide_table():
    by_frame = ScoreSet.from_frame(
        WIDE, label="y", score=["old", "new"], group="site", weight="w", positive="sick"
    )
    by_arrays = ScoreSet.from_arrays(
        WIDE["y"],
        {"old": np.array(WIDE["old"]), "new": pd.Series(WIDE["new"])},
        WIDE["site"],
        sample_weight=WIDE["w"],
        positive="sick",
        unit="site",
    )
    assert described(by_arrays) == described(by_frame)
    assert by_frame.dropped.to_dict() == {"n_rows": 2, "causes": {"weight zero": 2}}  # one in each model


def test_integers_stay_integers_where_all_are():
    scores = {"a": [2**53, 2**53 + 1], "b": [1, 2]}
    assert ScoreSet.from_arrays([0, 1], scores).columns.scores.tolist() == [2**53, 2**53 + 1, 1, 2]
    with pytest.raises(DataError, match="RS033: scores are of different types"):
        ScoreSet.from_arrays([0, 1], {"a": [2**53, 2**53 + 1], "b": [0.5, 1]})


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_wide_files(tmp_path, ending):
    frame, path = pd.DataFrame(WIDE), tmp_path / f"s{ending}"
    if ending == ".csv":
        frame.to_csv(path, index=False)
    elif ending == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    options = {"label": "y", "score": ["old", "new"], "group": "site", "positive": "sick"}
    assert described(read_scores(path, **options)) == described(ScoreSet.from_frame(frame, **options))


# -- missing scores ---------------------------------------------------------------------------------------

GAPS = {**WIDE, "old": [0.4, None, 0.9, 0.1], "new": [3.0, 1.0, None, 0.0]}


@pytest.mark.parametrize("kind", TABLES)
def test_a_missing_score_is_named_by_its_column(kind):
    with pytest.raises(DataError, match="RS031: 1 of 4 scores is missing") as caught:
        ScoreSet.from_frame(
            TABLES[kind]({**GAPS, "old": WIDE["old"]}), label="y", score=["old", "new"], positive="sick"
        )
    assert 'all in column "new"; first at row 2' in str(caught.value)


@pytest.mark.parametrize("kind", TABLES)
def test_a_row_that_lacks_one_score_is_dropped_for_all_models(kind):
    with pytest.warns(RocsteadyWarning, match="2 rows without a score dropped for all models"):
        score_set = ScoreSet.from_frame(
            TABLES[kind](GAPS), label="y", score=["old", "new"], positive="sick", on_missing="drop"
        )
    assert [member.cases for member in score_set] == [(0, 3), (0, 3)]
    assert score_set.columns.scores.tolist() == [0.4, 0.1, 3.0, 0.0]
    assert score_set.dropped.n_rows + score_set.columns.n_rows == 2 * 4


# -- refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "phrases"),
    [
        ({"score": ["old", "new"], "model": "site"}, "RS002", ["no model column", "old, new", '"site"']),
        ({"score": ["old", "old"]}, "RS002", ["old, old", "each score column once"]),
        ({"score": ["old", "news"]}, "RS011", ['no column "news"', "did you mean  'new' ?"]),
        ({"score": ["old", "site"]}, "RS033", ['column "site" is not numeric', "row 0: 'b'"]),
        ({"score": ["old", "new"], "positive": "ill"}, "RS021", ["sick (2 rows)"]),
        ({"score": ["old", "new"], "positive": None}, "RS020", ["sick (2 rows)"]),
        ({"score": ["old", "new"], "weight": "y"}, "RS037", ['column "y" is not numeric']),
    ],
)
def test_bad_wide_tables(options, code, phrases):
    with pytest.raises(RocsteadyError) as caught:
        ScoreSet.from_frame(WIDE, **{"label": "y", "positive": "sick", **options})
    assert caught.value.code == code
    for phrase in phrases:
        assert phrase in str(caught.value)


@pytest.mark.parametrize(
    ("scores", "options", "code", "phrases"),
    [
        ({}, {}, "RS002", ["empty"]),
        ({"a": [1, 2]}, {"models": ["x", "x"]}, "RS002", ["models must be left out", "a"]),
        ({"a": [1, 2], "b": [1, 2, 3]}, {}, "RS013", ["labels: 2 rows", "scores['b']: 3 rows"]),
        (
            {"a": [1, 2], "b": [1, np.nan]},
            {},
            "RS031",
            ["1 of 2 scores is missing (NaN) in scores['b']", "row 1"],
        ),
        ({"a": [1, 2], "b": ["x", "y"]}, {}, "RS033", ["not numeric in scores['b']"]),
        ({"a": [1, 2], "b": [[1, 2]]}, {}, "RS034", ["one dimension"]),
        ({"a": 1}, {}, "RS034", ["int"]),
    ],
)
def test_bad_dicts_of_scores(scores, options, code, phrases):
    with pytest.raises(RocsteadyError) as caught:
        ScoreSet.from_arrays([0, 1], scores, **options)
    assert caught.value.code == code
    for phrase in phrases:
        assert phrase in str(caught.value)


def test_bad_wide_files(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("label,old,new,model\n1,1,2,x\n0,3,four,y\n")
    with pytest.raises(UsageError, match=r"RS002: several score columns are several models, and s\.csv has"):
        read_scores(path, score=["old", "new"])
    with pytest.raises(DataError, match='RS033: column "new" is not all numbers') as caught:
        read_scores(path, score=["old", "new"], group="model")
    assert "line 3: 'four'" in str(caught.value)
    with pytest.raises(UsageError, match="RS002"):
        read_scores(path, score=["old", "new"], model="model")
    with pytest.raises(UsageError, match="RS002: group must be the name of one column"):
        read_scores(path, score="old", group=["label", "model"])
    with pytest.raises(UsageError, match="RS002: label must be"):
        read_scores(path, label=3.5, score="old")
