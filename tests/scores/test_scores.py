"""Scores: labels of every kind, scores of every type, and what is refused."""

from __future__ import annotations

import contextlib
import copy
import datetime
import json
import pickle
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import LabelError, RocsteadyError, RocsteadyWarning
from rocsteady.scores import Classes, Scores

booleans = st.lists(st.booleans(), min_size=1, max_size=8)

LABEL_PAIRS = [
    ("sick", "well"),
    (True, False),
    (1, 0),
    (1, 2),
    (0, 1),
    (-1, 1),
    (2.5, -0.5),
    (2**60, 2**60 + 1),
    (datetime.date(2020, 1, 2), datetime.date(2020, 1, 1)),
    (np.datetime64("2020-01-02"), np.datetime64("2020-01-01")),
    (("a", 1), ("a", 2)),
    (b"p", b"n"),
    (Decimal("1.5"), "other"),
]
TYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def as_objects(values: list[object]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


# -- labels ---------------------------------------------------------------------------------------------


@given(is_positive=booleans, pair=st.sampled_from(LABEL_PAIRS), as_list=st.booleans())
def test_labels_of_any_kind_mean_what_positive_says(is_positive, pair, as_list):
    if not any(is_positive):
        is_positive = [*is_positive, True]
    values = [pair[0] if yes else pair[1] for yes in is_positive]
    labels = values if as_list and not isinstance(pair[0], tuple) else as_objects(values)
    positive = [pair[0]] if isinstance(pair[0], tuple) else pair[0]
    scores = Scores(labels, range(len(values)), positive=positive)
    assert scores.is_positive.tolist() == is_positive
    assert scores.n_positives == sum(is_positive)
    assert scores.n_negatives == len(is_positive) - sum(is_positive)


@given(is_positive=booleans, dtype=st.sampled_from(TYPES + FLOATS), minus_one=st.booleans())
def test_known_pairs_need_no_positive(is_positive, dtype, minus_one):
    labels = np.array(is_positive, dtype=dtype)
    if minus_one and dtype in (np.int8, np.int16, np.int32, np.int64, *FLOATS):
        labels = np.where(labels == 0, dtype(-1), dtype(1))
    assert Scores(labels, np.arange(labels.size)).is_positive.tolist() == is_positive
    assert Scores(labels.tolist(), np.arange(labels.size)).is_positive.tolist() == is_positive


@pytest.mark.parametrize("value", [0, 1, -1, True, False, 0.0, 1.0])
@pytest.mark.parametrize("positive", [None, 1])
def test_one_class_of_a_known_pair_is_one_class(value, positive):
    scores = Scores([value] * 3, [1, 2, 3], positive=positive)
    assert scores.n_positives == (3 if value == 1 else 0)
    assert scores.n_negatives == 3 - scores.n_positives


def test_positive_zero_of_labels_that_are_all_one_is_one_class():
    assert Scores([1, 1], [1, 2], positive=0).n_positives == 0


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["a", "b", "a"], dtype="category"),
        pd.Series(["a", "b", "a"], index=[7, 7, 9]),
        pd.Categorical(["a", "b", "a"]),
        pl.Series(["a", "b", "a"]),
        pl.Series(["a", "b", "a"], dtype=pl.Categorical),
        pa.array(["a", "b", "a"]),
        pa.chunked_array([["a"], ["b", "a"]]),
        np.array(["a", "b", "a"], dtype=object),
        np.ma.masked_array(["a", "b", "a"], mask=False),
        (c for c in "aba"),
    ],
    ids=lambda labels: type(labels).__module__ + "." + type(labels).__name__,
)
def test_label_containers(labels):
    assert Scores(labels, [1, 2, 3], positive="a").is_positive.tolist() == [True, False, True]


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([1, 0, 1], dtype="Int64"),
        pd.Series([True, False, True], dtype="boolean"),
        pd.Series([1, 0, 1], dtype="category"),
        pl.Series([True, False, True]),
        pa.array([1, 0, 1], pa.int8()),
        np.array([1, 9, 0, 9, 1])[::2],
        np.array([1, 0, 1], dtype=">i4"),
        as_objects([True, False, np.True_]),
    ],
    ids=lambda labels: (
        f"{type(labels).__module__}.{labels.dtype if hasattr(labels, 'dtype') else labels.type}"
    ),
)
def test_number_label_containers_need_no_positive(labels):
    assert Scores(labels, [1, 2, 3]).is_positive.tolist() == [True, False, True]


def test_several_positive_labels_are_merged():
    scores = Scores(["I", "II", "III", "IV"], [1, 2, 3, 4], positive=["III", "IV"])
    assert scores.is_positive.tolist() == [False, False, True, True]
    assert scores.classes == Classes("III or IV", "I or II")
    for positive in ({2, 3}, (2, 3), np.array([2, 3]), pd.Series([2, 3])):
        assert Scores([1, 2, 3], [1, 2, 3], positive=positive).n_positives == 2


@pytest.mark.parametrize(
    ("labels", "positive", "words"),
    [
        ([1, 0], None, ("1", "0")),
        ([1, 1], None, ("1", "0")),
        ([-1, 1], None, ("1", "-1")),
        ([True, False], None, ("True", "False")),
        ([1.0, 2.0], 2, ("2", "1")),
        (["a", "b"], "a", ("a", "b")),
        (["a", "a"], "a", ("a", "other")),
        (list("abcdef"), ["a"], ("a", "other")),
        (
            np.array(["2020-01-01", "2021-01-01"], "M8[ns]"),
            datetime.date(2020, 1, 1),
            ("2020-01-01", "2021-01-01"),
        ),
    ],
)
def test_words_for_the_classes(labels, positive, words):
    assert Scores(labels, np.arange(len(labels)), positive=positive).classes == Classes(*words)


def test_t21_labels_one_and_two_are_not_taken_for_weights():
    with pytest.raises(LabelError, match="RS020"):
        Scores([1, 2, 2, 1], [0.1, 0.4, 0.3, 0.8])
    scores = Scores([1, 2, 2, 1], [0.1, 0.4, 0.3, 0.8], positive=2)
    assert (scores.n_positives, scores.n_negatives) == (2, 2)
    assert scores.sample_weight is None


@pytest.mark.parametrize("sign", [1, -1])
def test_labels_that_floats_cannot_tell_apart_are_told_apart(sign):
    near, next_to_it = sign * 2**53, sign * (2**53 + 1)
    for positive, negative in ((near, next_to_it), (next_to_it, near), (1, next_to_it)):
        scores = Scores([positive, negative], [1, 2], positive=positive)
        assert scores.is_positive.tolist() == [True, False]
        assert scores.classes == Classes(str(positive), str(negative))
    assert Scores([1, next_to_it], [1, 2], positive=next_to_it).is_positive.tolist() == [False, True]
    with pytest.raises(LabelError, match="RS021: no row has the label"):
        Scores([1, near], [1, 2], positive=next_to_it)
    with pytest.raises(LabelError, match="RS022: there are 3 labels"):
        Scores([1, next_to_it, near], [1, 2, 3], positive=1)


# -- scores ---------------------------------------------------------------------------------------------


@given(st.lists(st.floats(allow_nan=False, width=32), min_size=1, max_size=20), st.sampled_from(FLOATS[1:]))
def test_t22_scores_are_never_transformed(values, dtype):
    given_scores = np.array(values, dtype=dtype)
    scores = Scores([True] * len(values), given_scores)
    assert scores.scores.dtype == dtype
    assert scores.scores.tobytes() == given_scores.tobytes()


@pytest.mark.parametrize("dtype", TYPES + FLOATS)
def test_score_types_are_widened_exactly(dtype):
    values = np.array([0, 1, 1], dtype=dtype)
    scores = Scores([0, 1, 1], values).scores
    assert scores.dtype in (np.float64, np.float32, np.int64, np.uint64)
    assert scores.tolist() == values.tolist()
    if values.dtype.kind != "b":
        extreme = np.array(
            [np.iinfo(dtype).max if values.dtype.kind in "iu" else np.finfo(dtype).max] * 2, dtype
        )
        assert Scores([0, 1], extreme).scores.tolist() == extreme.tolist()


@pytest.mark.parametrize(
    ("values", "dtype", "polars_type"),
    [
        ([2**53, 2**53 + 1], np.int64, pl.Int64),
        ([2**63, 2**63 + 1], np.uint64, pl.UInt64),
        ([2**64 - 1, 1], np.uint64, pl.UInt64),
    ],
)
def test_large_integers_keep_their_own_type(values, dtype, polars_type):
    for column in (
        values,
        tuple(values),
        np.array(values, dtype),
        pd.Series(values, dtype=dtype),
        pl.Series(values, dtype=polars_type),
        pa.array(values, pa.from_numpy_dtype(dtype)),
    ):
        scores = Scores([0, 1], column).scores
        assert scores.dtype == dtype
        assert scores.tolist() == values


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([2**63, 2**64 - 1], np.uint64),
        ([-(2**63), 2**63 - 1], np.int64),
        ([0.1, 0.1 + 2**-55], np.float64),
        ([0.5, 0.25], np.float32),
    ],
)
def test_scores_in_the_other_byte_order_keep_their_type_and_every_digit(values, dtype):
    scores = Scores([0, 1], np.array(values, np.dtype(dtype).newbyteorder())).scores
    assert scores.dtype == dtype
    assert scores.tolist() == values


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        (1, 2, 3),
        range(1, 4),
        np.array([3, 2, 1])[::-1],
        np.array([[1, 0], [2, 0], [3, 0]])[:, 0],
        np.array([1, 2, 3], dtype=">f8"),
        np.frombuffer(b"\0" + np.array([1.0, 2, 3]).tobytes(), dtype=np.uint8)[1:].view(np.float64),
        np.ma.masked_array([1, 2, 3]),
        pd.Series([1, 2, 3], index=list("cab")),
        pd.Series([1, 2, 3], dtype="Float32"),
        pd.Series([1, 2, 3], dtype="category"),
        pl.Series([1, 2, 3]),
        pa.array([1, 2, 3]),
        pa.chunked_array([[1], [2, 3]]),
        memoryview(np.array([1.0, 2, 3])),
    ],
    ids=lambda v: f"{type(v).__module__}.{type(v).__name__}",
)
def test_score_containers(values):
    scores = Scores([0, 1, 1], values)
    assert scores.scores.tolist() == [1, 2, 3]
    assert scores.scores.flags.c_contiguous
    assert scores.scores.flags.aligned


def test_infinite_scores_are_legal():
    assert Scores([0, 1], [-np.inf, np.inf]).scores.tolist() == [-np.inf, np.inf]


def test_read_only_arrays_are_taken_and_given():
    labels, values = np.array([0, 1, 1]), np.array([1.0, 2, 3])
    labels.flags.writeable = values.flags.writeable = False
    scores = Scores(labels, values, sample_weight=values)
    for array in (scores.scores, scores.is_positive, scores.sample_weight):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert values.flags.owndata


def test_scores_are_frozen_and_print_in_one_line():
    scores = Scores([0, 1, 1], [1, 2, 3], name="fold 3", sample_weight=[1, 1, 2], higher_is_positive=False)
    assert repr(scores) == "Scores(fold 3: 2 positives, 1 negative, weighted, low is positive)"
    with pytest.raises(AttributeError):
        scores.name = "other"
    with pytest.raises(TypeError):
        iter(scores)
    assert scores.to_dict() == {
        "name": "fold 3",
        "positive": "1",
        "negative": "0",
        "higher_is_positive": False,
        "n_positives": 2,
        "n_negatives": 1,
        "cases": None,
        "clusters": None,
        "is_positive": [False, True, True],
        "scores": [1, 2, 3],
        "sample_weight": [1.0, 1.0, 2.0],
    }
    assert scores.to_frame().columns.tolist() == ["is_positive", "score", "weight"]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_scores_can_be_copied_and_sent(copied):
    scores = copied(Scores(["a", "b"], [1, 2], positive="a", name="n"))
    assert scores.name == "n"
    assert scores.is_positive.tolist() == [True, False]


# -- weights --------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.sampled_from([0.0, 0.5, 2.0])), min_size=1))
def test_t23_rows_of_weight_zero_drop_out(rows):
    rows = [*rows, (True, 1, 1.0)]
    labels, values, weights = (list(column) for column in zip(*rows, strict=True))
    scores = Scores(labels, values, sample_weight=weights)
    kept = [row for row in rows if row[2] > 0]
    assert list(zip(scores.is_positive, scores.scores, scores.sample_weight, strict=True)) == kept


def test_weights_that_cannot_be_summed_can_be_divided():
    weights = np.full(40, 1e308)
    with pytest.raises(RocsteadyError, match=r"RS037: 40 of 40 weights are too large") as caught:
        Scores([0, 1] * 20, range(40), sample_weight=weights)
    assert "divide all of them by the largest" in str(caught.value)
    assert Scores([0, 1] * 20, range(40), sample_weight=weights / weights.max()).n_positives == 20


@pytest.mark.parametrize("size", [1e300, 1e153, 1e-161, 1e-300])
def test_only_ratios_of_weights_matter(size):
    labels, values, weights = [0, 1, 1, 0, 1], [1, 3, 2, 2, 5], np.array([1, 2, 3, 4, 5.0])
    assert rs.auc(labels, values, sample_weight=weights * size) == pytest.approx(
        rs.auc(labels, values, sample_weight=weights), rel=1e-14
    )


def test_names_are_printed_without_control_characters():
    assert repr(Scores([0, 1], [1, 2], name="a\x1b[2J\n")) == r"Scores(a\x1b[2J\n: 1 positive, 1 negative)"


def test_the_smallest_weight_that_can_be_divided_by_is_taken():
    assert Scores([0, 1], [1, 2], sample_weight=[1e-305, 1e-305]).sample_weight.tolist() == [1e-305] * 2
    with pytest.raises(RocsteadyError, match="1 of 2 weights is too small") as caught:
        Scores([0, 1], [1, 2], sample_weight=[1e-305, 9e-306])
    assert "weight 0 drops out" in str(caught.value)


# -- decimals -------------------------------------------------------------------------------------------

decimals = st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9)


@given(st.lists(decimals, min_size=2, max_size=8))
def test_decimals_are_the_nearest_floats(values):
    labels = [Decimal(i % 2) for i in range(len(values))]
    scores = Scores(labels, values, sample_weight=[Decimal("0.1")] * len(values))
    assert scores.scores.tolist() == [float(value) for value in values]
    assert scores.scores.dtype == scores.sample_weight.dtype == np.float64
    assert scores.is_positive.tolist() == [bool(label) for label in labels]
    assert scores.sample_weight[0] == 0.1


def test_decimals_beside_other_numbers_and_gaps():
    assert Scores([0, 1, 1], [Decimal("0.5"), 1, 2.5]).scores.tolist() == [0.5, 1, 2.5]
    assert Scores([0, 1], [Decimal("Infinity"), Decimal(1)]).scores.tolist() == [np.inf, 1]
    for gap in (None, Decimal("NaN"), Decimal("sNaN")):
        with pytest.raises(RocsteadyError, match="RS031: 1 of 2 scores is missing") as caught:
            Scores([0, 1], [Decimal(1), gap])
        assert "row 1" in str(caught.value)
    with pytest.raises(RocsteadyError, match="RS033: scores are not numeric") as caught:
        Scores([0, 1], [Decimal(1), "high"])
    assert "row 1: 'high'" in str(caught.value)


def test_weights_of_any_number_type():
    for weights in ([1, 2], [True, True], np.array([1, 2], np.float16), pd.Series([1, 2], dtype="Int64")):
        assert Scores([0, 1], [1, 2], sample_weight=weights).sample_weight.dtype == np.float64


# -- hard decisions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("scores", [[0, 1] * 5, [True, False] * 600, [-1.0] * 2000 + [1.0], [0.3, 0.7] * 5])
def test_t23_hard_decisions_are_warned_of(scores):
    with pytest.warns(RocsteadyWarning, match="RS101") as caught:
        Scores([0, 1] * (len(scores) // 2) + [1] * (len(scores) % 2), scores)
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "scores", [[1] * 20, [0, 1] * 4, [0, 1, 2] * 5, [0] * 2000 + [1, 2], [1] * 1500 + [0, 2] * 9]
)
def test_other_scores_are_not(scores):
    Scores([True] * len(scores), scores)


def test_scores_in_place_do_not_warn():
    Scores.in_place([0, 1] * 10, [0, 1] * 10)


# -- the fast path --------------------------------------------------------------------------------------


@pytest.mark.parametrize("score_type", [np.float64, np.float32, np.int64, np.uint64])
@pytest.mark.parametrize(
    "label_type", [np.bool_, np.int8, np.uint8, np.int32, np.int64, np.float32, np.float64]
)
def test_in_place_copies_no_scores(score_type, label_type):
    labels, values = np.array([0, 1, 1], label_type), np.array([3, 1, 2], score_type)
    columns = Scores.in_place(labels, values).columns
    assert np.shares_memory(columns.scores, values)
    assert (columns.labels.tolist(), columns.weights) == ([0, 1, 1], None)
    assert columns.offsets.tolist() == [0, 3]


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (np.array([-1, 1], np.int8), None),
        (np.array([5, -128], np.int8), -128),
        (np.array([5, 127], np.int8), 127),
        (np.array([5, 255], np.uint8), 255),
        (np.array([True, False]), False),
        (np.array([0.25, 2.5], np.float32), 2.5),
        (np.array([0, 2**63 + 1], np.uint64), 2**63 + 1),
        (np.array([0, 2**53 + 1]), 2**53 + 1),
        (np.array([0.0, 1.0], ">f8"), 1),
    ],
)
def test_any_number_may_be_the_positive_label(labels, positive):
    assert Scores(labels, [1.0, 2.0], positive=positive).columns.labels.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (np.array([44, 0], np.uint8), 300),  # 300 is 44 in eight bits
        (np.array([255, 0], np.uint8), -1),
        (np.array([1, 2]), 1.5),
        (np.array([True, False]), 2),
        (np.array([0.1, 0.2], np.float32), 0.1),
    ],
)
def test_a_number_that_labels_cannot_be_is_refused_before_anything_is_counted(labels, positive):
    with pytest.raises(LabelError, match=f'RS021: no row has the label "{positive}"'):
        Scores.in_place(labels, [1.0, 2.0], positive=positive)


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 1, 2, np.nan]), st.sampled_from([0.5, np.nan, np.inf])), min_size=1
    )
)
def test_unclean_rows_are_refused_and_clean_ones_are_not(rows):
    labels, values = (np.array(column) for column in zip(*rows, strict=True))
    is_clean = not np.isnan(labels).any() and not np.isnan(values).any() and set(labels) <= {0, 1}
    for make in (Scores, Scores.in_place):
        with contextlib.nullcontext() if is_clean else pytest.raises(ValueError, match="RS0"):
            make(labels, values)


def test_t19_a_missing_score_is_never_ranked():
    with pytest.raises(ValueError, match="RS031: 2 of 3 scores are missing") as caught:
        Scores.in_place(np.array([0, 1, 1]), np.array([1.0, np.nan, np.nan]))
    assert "first at row 1" in str(caught.value)


@pytest.mark.parametrize("build", [Scores, Scores.in_place])
def test_scores_do_not_change_with_the_arrays_they_were_made_of(build):
    for wrap in (lambda a: a, pd.Series):
        arrays = [np.array([0, 1, 1], np.uint8), np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 1.0])]
        labels, scores, weights = map(wrap, arrays)
        made = build(labels, scores, sample_weight=weights)
        before = made.to_dict()
        for array in arrays:
            array[:] = 7
        assert made.to_dict() == before


def test_scores_without_weights_do_not_change_either():
    labels, scores = np.array([0, 1]), np.array([1.0, 2.0])
    made = Scores(labels, scores)
    labels[:], scores[:] = 7, 7
    assert made.is_positive.tolist() == [False, True]
    assert made.scores.tolist() == [1, 2]


def test_infinite_scores_go_through_json():
    made = Scores([0, 1, 1], [-np.inf, 0.5, np.inf]).to_dict()
    assert json.loads(json.dumps(made, allow_nan=False))["scores"] == ["-inf", 0.5, "inf"]


def test_scores_that_stay_in_place_say_the_same() -> None:
    labels, scores = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    there, here = Scores.in_place(labels, scores), Scores(labels, scores)
    assert there.higher_is_positive is here.higher_is_positive is True
    assert rs.auc(there) == rs.auc(here) == 0.75


def test_numbers_of_16_bits_leak_no_warning_of_numpy() -> None:
    """Held against 2**53, which 16 bits cannot hold, they made one."""
    halves, scores = list(np.array([0.5, 0.75], dtype=np.float16)), [1.0, 2.0]
    labels = np.array([0, 1], dtype=np.float16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.auc([0, 1], halves) == rs.auc([0, 1], np.array(halves)) == 1
        assert rs.auc([0, 1], scores, sample_weight=halves) == 1
        assert rs.auc(labels, scores, positive=np.float16(1)) == rs.auc(list(labels), scores) == 1
        with pytest.raises(LabelError, match="RS021"):
            rs.auc(labels, scores, positive=100000)
