"""One suite over all tables: whatever holds the columns, the set is the same."""

from __future__ import annotations

import builtins
from decimal import Decimal

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.errors import MissingPackageError, RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.results import to_frame
from rocsteady.scores import ScoreSet

# Small examples look like decisions now and then, and repeat their cases.
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS104")

ROLES = {"label": "y", "score": "s", "group": "g", "model": "m", "case": "c", "weight": "w"}


def duckdb_relation(columns):
    return duckdb.from_arrow(pa.table(columns))


TABLES = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "arrow": pa.table,
    "arrow batch": lambda columns: (
        pa.table(columns).combine_chunks().to_batches()[0]
        if len(next(iter(columns.values())))
        else pa.RecordBatch.from_pydict(columns)
    ),
    "arrow reader": lambda columns: pa.table(columns).to_reader(max_chunksize=2),
    "duckdb": duckdb_relation,
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
}


@pytest.fixture(params=TABLES)
def table(request):
    return TABLES[request.param]


def same(a: ScoreSet, b: ScoreSet) -> bool:
    for field in ("scores", "labels", "offsets", "weights"):
        x, y = getattr(a.columns, field), getattr(b.columns, field)
        if (x is None) != (y is None) or (x is not None and x.tolist() != y.tolist()):
            return False
    cases = [None if s.cases is None else (s.cases.codes.tolist(), s.cases.values) for s in (a, b)]
    return (a.names, a.models, a.groups, a.unit, a.undefined, cases[0]) == (
        b.names,
        b.models,
        b.groups,
        b.unit,
        b.undefined,
        cases[1],
    )


rows = st.lists(
    st.tuples(
        st.sampled_from(["sick", "well"]),
        st.floats(-5, 5),
        st.integers(0, 3),
        st.sampled_from(["x", "y"]),
        st.integers(0, 9),
        st.sampled_from([1.0, 0.5]),
    ),
    min_size=1,
    max_size=12,
)


@given(rows)
@pytest.mark.parametrize("kind", TABLES)
def test_every_table_gives_the_set_of_its_arrays(kind, rows):
    rows = [("sick", 0.0, 0, "x", 0, 1.0), *rows]
    rows = [(*row[:4], row[4] + 10 * (row[0] == "sick"), row[5]) for row in rows]  # a case has one truth
    columns = dict(zip("ysgmcw", map(list, zip(*rows, strict=True)), strict=True))
    expected = ScoreSet.from_arrays(
        columns["y"],
        columns["s"],
        columns["g"],
        models=columns["m"],
        cases=columns["c"],
        sample_weight=columns["w"],
        positive="sick",
        unit="g",
    )
    assert same(ScoreSet.from_frame(TABLES[kind](columns), **ROLES, positive="sick"), expected)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([True, False, True], None),
        ([1, 0, 1], None),
        ([1, 2, 1], 1),
        ([1.5, 2.5, 1.5], 1.5),
        (list("aba"), "a"),
    ],
)
def test_label_types(table, labels, positive):
    score_set = ScoreSet.from_frame(
        table({"y": labels, "s": [1, 2, 3]}), label="y", score="s", positive=positive
    )
    assert score_set.columns.labels.tolist() == [1, 0, 1]


def test_large_integers_survive(table):
    values = [2**53, 2**53 + 1, -(2**62)]
    score_set = ScoreSet.from_frame(table({"y": [0, 1, 1], "s": values}), label="y", score="s")
    assert score_set.columns.scores.tolist() == values


def test_only_the_named_columns_are_read(table):
    columns = {"y": [0, 1], "s": [1.0, 2.0], "junk": [{"a": 1}, {"a": 2}]}
    assert len(ScoreSet.from_frame(table(columns), label="y", score="s")) == 1


def test_lazy_tables_are_asked_for_the_named_columns_only():
    def refuse(column):
        raise AssertionError("a column that nobody named was computed")

    lazy = pl.LazyFrame({"y": [0, 1], "s": [1.0, 2.0], "z": [1, 2]}).with_columns(
        pl.col("z").map_batches(refuse, return_dtype=pl.Int64)
    )
    assert ScoreSet.from_frame(lazy, label="y", score="s").columns.n_rows == 2


def test_column_names_are_not_code():
    name = 'a "b"; DROP TABLE x; --'
    for make in TABLES.values():
        score_set = ScoreSet.from_frame(make({"y": [0, 1], name: [1.0, 2.0]}), label="y", score=name)
        assert score_set.columns.scores.tolist() == [1.0, 2.0]


# -- missing values ---------------------------------------------------------------------------------------

GAPS = {
    "y": ["a", None, "a", "b", "a", "b"],
    "s": [0.1, 0.2, None, 0.4, None, 0.6],
    "g": ["h1", "h1", "h2", "h3", "h2", "h1"],
    "m": ["x", "x", "x", "x", "x", "y"],
}


def test_missing_scores_are_counted_and_the_first_is_named(table):
    with pytest.raises(RocsteadyError) as caught:
        ScoreSet.from_frame(table(GAPS), label="y", score="s", group="g", positive="a")
    assert caught.value.code == "RS031"
    for phrase in ("2 of 6 scores are missing", "row 2", 'all in group "h2"', "on_missing='drop'"):
        assert phrase in str(caught.value)


def test_missing_labels_and_groups_are_refused(table):
    full = {"y": ["a", None], "s": [1, 2], "g": ["h", None]}
    for roles, code, phrase in (
        ({"label": "y", "score": "s"}, "RS023", "1 of 2 labels is missing"),
        ({"label": "s", "score": "s", "group": "g", "positive": 1}, "RS035", "1 of 2 rows has no group"),
        ({"label": "s", "score": "s", "model": "g", "positive": 1}, "RS035", "no model"),
        ({"label": "s", "score": "s", "case": "g", "positive": 1}, "RS035", "no case"),
    ):
        with pytest.raises(RocsteadyError) as caught:
            ScoreSet.from_frame(table(full), **({"positive": "a"} | roles))
        assert caught.value.code == code
        assert phrase in str(caught.value)
        assert "row 1" in str(caught.value)


def test_null_and_nan_are_alike():
    for score in ([0.1, None, 0.3], [0.1, float("nan"), 0.3], pl.Series([0.1, None, float("nan")])):
        frame = pl.DataFrame({"y": [0, 1, 1], "s": score}, strict=False)
        with pytest.raises(RocsteadyError, match="RS031") as caught:
            ScoreSet.from_frame(frame, label="y", score="s")
        assert "row 1" in str(caught.value)


def test_dropped_rows_are_counted_by_cause(table):
    with pytest.warns(RocsteadyWarning, match="RS102") as caught:
        score_set = ScoreSet.from_frame(
            table(GAPS), label="y", score="s", group="g", model="m", positive="a", on_missing="drop"
        )
    assert len(caught) == 1
    assert caught[0].filename == __file__
    for phrase in ("1 row without a label", "2 rows without a score", "3 rows in all", 'all in model "x"'):
        assert phrase in str(caught[0].message)
    assert score_set.dropped.n_rows == 3
    assert score_set.dropped.causes == {"no label": 1, "no score": 2}
    assert score_set.columns.scores.tolist() == [0.1, 0.4, 0.6]
    assert "x / h2: no rows left" in score_set.undefined  # a group that lost all its rows is still listed
    assert "3 rows dropped" in repr(score_set)


def test_missing_weights_and_names_can_be_dropped(table):
    columns = {"y": [0, 1, 1, 0], "s": [1, 2, 3, 4], "g": ["a", None, "b", "a"], "w": [1.0, 1.0, None, 0.0]}
    with pytest.warns(RocsteadyWarning, match="RS102"):
        score_set = ScoreSet.from_frame(
            table(columns), label="y", score="s", group="g", weight="w", on_missing="drop"
        )
    assert score_set.dropped.causes == {"no group": 1, "no weight": 1, "weight zero": 1}
    assert score_set.dropped.n_rows == 3
    assert score_set.columns.scores.tolist() == [1]
    with pytest.raises(RocsteadyError, match="RS037") as caught:
        ScoreSet.from_frame(table(columns), label="y", score="s", weight="w")
    assert "row 2" in str(caught.value)


def test_rows_keep_their_numbers_after_dropping():
    columns = {"y": [0, None, 1, 0], "s": [1, 2, 3, 4], "w": [1.0, 1.0, 1.0, -2.0]}
    with (
        pytest.warns(RocsteadyWarning, match="RS102"),
        pytest.raises(RocsteadyError, match="RS037") as caught,
    ):
        ScoreSet.from_frame(columns, label="y", score="s", weight="w", on_missing="drop")
    assert "row 3: -2.0" in str(caught.value)


def test_nothing_left_after_dropping():
    columns = {"y": [0, 1], "s": [float("nan"), float("nan")]}
    with pytest.warns(RocsteadyWarning, match="RS102"), pytest.raises(RocsteadyError, match="RS010"):
        ScoreSet.from_frame(columns, label="y", score="s", on_missing="drop")
    full = ScoreSet.from_frame({"y": [0, 1], "s": [1, 2]}, label="y", score="s", on_missing="drop")
    assert not full.dropped
    assert str(full.dropped) == "0 rows dropped"


# -- columns ----------------------------------------------------------------------------------------------


def test_a_missing_column_is_named_with_a_near_match(table):
    frame = table({"fold": [1, 2], "y_true": [0, 1], "y_prob": [0.1, 0.2]})
    with pytest.raises(RocsteadyError) as caught:
        ScoreSet.from_frame(frame, label="y_true", score="probability")
    assert caught.value.code == "RS011"
    for phrase in ('no column "probability"', "fold, y_true, y_prob", "score='y_prob'"):
        assert phrase in str(caught.value)
    for name in ("Y_TRUE", 3):
        with pytest.raises(RocsteadyError, match=f'RS011: no column "{name}"'):
            ScoreSet.from_frame(frame, label=name, score="y_prob")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[0, 1, 2]], columns=["y", "s", "s"]),
        pa.table([[0], [1], [2]], names=["y", "s", "s"]),
        "SELECT 0 AS y, 1 AS s, 2 AS s",
    ],
    ids=["pandas", "arrow", "duckdb"],
)
def test_two_columns_of_one_name_are_refused(frame):
    frame = duckdb.sql(frame) if isinstance(frame, str) else frame
    with pytest.raises(RocsteadyError) as caught:
        ScoreSet.from_frame(frame, label="y", score="s")
    assert caught.value.code == "RS012"
    assert '2 columns are called "s"' in str(caught.value)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[0, 1, 2, 2]], columns=["y", "s", "z", "z"]),
        pa.table([[0], [1], [2], [2]], names=["y", "s", "z", "z"]),
        "SELECT 0 AS y, 1 AS s, 2 AS z, 3 AS z",
    ],
    ids=["pandas", "arrow", "duckdb"],
)
def test_doubles_that_nobody_named_do_no_harm(frame):
    frame = duckdb.sql(frame) if isinstance(frame, str) else frame
    assert ScoreSet.from_frame(frame, label="y", score="s").columns.scores.tolist() == [1]


def test_an_empty_table_is_refused(table):
    frame = table({"y": np.array([], dtype=np.int64), "s": np.array([], dtype=float)})
    with pytest.raises(RocsteadyError, match="RS010"):
        ScoreSet.from_frame(frame, label="y", score="s")


def test_columns_of_a_dict_may_differ_in_length():
    with pytest.raises(RocsteadyError, match="RS013") as caught:
        ScoreSet.from_frame({"y": [0, 1], "s": [1]}, label="y", score="s")
    assert 'column "y": 2 rows, column "s": 1 row' in str(caught.value)


@pytest.mark.parametrize("frame", [[1, 2], 3, None, "scores.csv"])
def test_what_is_no_table(frame):
    with pytest.raises(RocsteadyError, match="RS001") as caught:
        ScoreSet.from_frame(frame, label="y", score="s")
    assert type(frame).__name__ in str(caught.value)


def test_on_missing_is_raise_or_drop():
    with pytest.raises(RocsteadyError, match="RS001") as caught:
        ScoreSet.from_frame({"y": [0], "s": [1]}, label="y", score="s", on_missing="ignore")
    assert "'raise', 'drop'" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": "stage", "positive": "III"}, 'RS022: column "stage" has 3 labels'),
        ({"label": "stage"}, 'RS022: column "stage" has 3 labels'),
        ({"label": "stage", "positive": "IV"}, 'RS021: no row of column "stage" has the label "IV"'),
        ({"label": "s", "score": "stage", "positive": 1}, 'RS033: column "stage" is not numeric.\n  text'),
        ({"label": "two", "weight": "stage"}, 'RS037: column "stage" is not numeric'),
    ],
)
def test_messages_call_columns_by_their_names(options, message):
    frame = {"stage": ["I", "II", "III"], "two": [1, 0, 1], "s": [1, 2, 3]}
    with pytest.raises(RocsteadyError, match=message):
        ScoreSet.from_frame(frame, **{"score": "s", **options})


@pytest.mark.parametrize(
    ("options", "phrases"),
    [
        ({"label": None}, ["label must be the name of one column", "found: None"]),
        ({"label": ["y", "z"]}, ["label must be", "['y', 'z']"]),
        ({"score": None}, ["score must be"]),
        ({"score": 0.5}, ["score must be", "0.5"]),
        ({"score": {"a": "s"}}, ["score must be"]),
        ({"score": np.array([0.5, 1.0])}, ["score must be"]),
        ({"score": pd.Series([0.5, 1.0])}, ["score must be", "Series"]),
        ({"score": []}, ["at least one"]),
        ({"score": ["s", ["t"]]}, ["score must be"]),
        ({"score": ["s", None]}, ["score must be"]),
        (
            {"group": ["site", "reader"]},
            ["group must be", "join them into one column", "site + ' ' + reader"],
        ),
        ({"group": ["site"]}, ["pass the name itself:  group='site'"]),
        ({"group": True}, ["group must be", "True"]),
        ({"case": b"s"}, ["case must be"]),
        ({"model": lambda: "m"}, ["model must be"]),
        ({"weight": pl.Series([1, 2])}, ["weight must be", "Series"]),
    ],
)
def test_what_is_no_column_name(options, phrases):
    frame = {"y": [0, 1], "s": [1, 2]}
    with pytest.raises(UsageError, match="RS002") as caught:
        ScoreSet.from_frame(frame, **{"label": "y", "score": "s", **options})
    for phrase in phrases:
        assert phrase in str(caught.value)


def test_a_file_is_no_table(tmp_path):
    for path in ("scores.csv", tmp_path / "scores.csv"):
        with pytest.raises(
            UsageError, match=r"RS001: this is not a table(.|\n)*rs\.read_scores\('.*scores\.csv'"
        ):
            ScoreSet.from_frame(path, label="y", score="s")


def test_a_reader_is_read_once():
    reader = pa.table({"y": [0, 1], "s": [1, 2]}).to_reader()
    assert ScoreSet.from_frame(reader, label="y", score="s").columns.n_rows == 2
    with pytest.raises(RocsteadyError, match=r"RS010(.|\n)*reader\.read_all"):
        ScoreSet.from_frame(reader, label="y", score="s")


def test_what_duckdb_calls_arrow():
    relation = duckdb.sql("SELECT 1 AS y, 0.5::DOUBLE AS s, 'unread' AS z UNION ALL SELECT 0, 0.25, ''")
    assert ScoreSet.from_frame(relation.arrow(), label="y", score="s").columns.n_rows == 2


# -- decimals ---------------------------------------------------------------------------------------------


def test_decimals_are_the_nearest_floats_in_every_table(table):
    rng = np.random.default_rng(0)
    texts = ["0.3", "1.1", "-0.7", *(f"{n // 10**9}.{n % 10**9:09d}" for n in rng.integers(0, 10**15, 300))]
    values = [Decimal(text).quantize(Decimal("1e-9")) for text in texts]
    columns = {
        "y": [Decimal(i % 2) for i in range(len(values))],
        "s": values,
        "w": [Decimal("0.25")] * len(values),
        "g": [Decimal("1.50")] * len(values),
    }
    scores = ScoreSet.from_frame(table(columns), label="y", score="s", weight="w", group="g")
    assert scores.columns.scores.tolist() == [float(value) for value in values]
    assert scores.columns.labels.tolist() == [i % 2 for i in range(len(values))]
    assert scores.columns.weights.tolist() == [0.25] * len(values)
    assert scores.groups == ("1.50",)


def test_missing_decimals(table):
    frame = table({"y": [0, 1, 1], "s": [Decimal("0.5"), None, Decimal("1.5")]})
    with pytest.raises(RocsteadyError, match="RS031: 1 of 3") as caught:
        ScoreSet.from_frame(frame, label="y", score="s")
    assert "row 1" in str(caught.value)


def test_pandas_columns_may_be_called_by_numbers():
    frame = pd.DataFrame({0: [0, 1], 1: [1.0, 2.0]})
    assert ScoreSet.from_frame(frame, label=0, score=1).columns.scores.tolist() == [1.0, 2.0]


def test_sums_of_integers_in_duckdb_stay_integers():
    relation = duckdb.sql(
        "SELECT y, sum(s) AS s FROM (VALUES (0, 9007199254740993), (1, 5)) t(y, s) GROUP BY y ORDER BY y"
    )
    assert ScoreSet.from_frame(relation, label="y", score="s").columns.scores.tolist() == [2**53 + 1, 5]
    huge = duckdb.sql("SELECT 1 AS y, 170141183460469231731687303715884105727::HUGEINT AS s")
    with pytest.raises(RocsteadyError, match="RS033"):
        ScoreSet.from_frame(huge, label="y", score="s")


def test_duckdb_enumerations():
    relation = duckdb.sql("SELECT 'sick'::ENUM('sick', 'well') AS y, 1 AS s UNION ALL SELECT 'well', 2")
    assert ScoreSet.from_frame(relation, label="y", score="s", positive="sick").n_positives.tolist() == [1]


# -- tables out -------------------------------------------------------------------------------------------


def without(monkeypatch, *packages):
    real = builtins.__import__

    def guarded(name, *args, **kwargs):
        if name.split(".")[0] in packages:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", guarded)


def test_tables_come_out_in_pandas_else_polars_else_an_error(monkeypatch):
    columns = {"name": np.array(["a", "b"], dtype=object), "value": np.array([1, 2])}
    assert isinstance(to_frame(columns), pd.DataFrame)
    without(monkeypatch, "pandas")
    frame = to_frame(columns)
    assert isinstance(frame, pl.DataFrame)
    assert frame.schema == {"name": pl.String, "value": pl.Int64}
    without(monkeypatch, "pandas", "polars")
    with pytest.raises(MissingPackageError, match="RS061"):
        to_frame(columns)


def test_duckdb_needs_no_arrow(monkeypatch):
    relation = duckdb.sql("SELECT 1 AS y, 0.5::DOUBLE AS s, 'a' AS g UNION ALL SELECT 0, 0.25, 'b'")
    without(monkeypatch, "pyarrow", "pandas", "polars")
    assert ScoreSet.from_frame(relation, label="y", score="s", group="g").columns.n_rows == 2
