"""Bad input: each a coded error that names the offending thing, and nothing half done."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, LabelError, RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.scores import MulticlassScores, Scores, ScoreSet, stratified_folds

NAN = float("nan")

BAD_SCORES = {
    "empty": ([], [], {}, DataError, "RS010", ["no rows", "filter"]),
    "lengths differ": ([0, 1], [1, 2, 3], {}, ColumnError, "RS013", ["labels: 2 rows", "scores: 3 rows"]),
    "one is empty": ([], [1], {}, ColumnError, "RS013", ["labels: 0 rows", "scores: 1 row"]),
    "weights longer": ([0, 1], [1, 2], {"sample_weight": [1]}, ColumnError, "RS013", ["weights: 1 row"]),
    "unnamed text": (
        ["a", "b", "b"],
        [1, 2, 3],
        {},
        LabelError,
        "RS020",
        ["a (1 row)", "b (2 rows)", "positive='a'"],
    ),
    "unnamed numbers": ([1, 2], [1, 2], {}, LabelError, "RS020", ["1 (1 row)", "2 (1 row)"]),
    "text digits": (["0", "1"], [1, 2], {}, LabelError, "RS020", ["positive='1'"]),
    "minus one and zero": ([-1, 0], [1, 2], {}, LabelError, "RS020", ["-1 (1 row)", "0 (1 row)"]),
    "three labels, unnamed": (
        [0, 1, 2],
        [1, 2, 3],
        {},
        LabelError,
        "RS022",
        ["there are 3 labels", "2 (1 row)", "positive=[1, 2]"],
    ),
    "three of -1, 0, 1": (
        [-1, 0, 1],
        [1, 2, 3],
        {},
        LabelError,
        "RS022",
        ["-1 (1 row)", "positive=[1]", "positive=[0, 1]"],
    ),
    "one class only": (
        ["ok"] * 5,
        range(5),
        {"positive": "fraud"},
        LabelError,
        "RS021",
        ["rows of two classes"],
    ),
    "three words, unnamed": (["a", "b", "c"], [1, 2, 3], {}, LabelError, "RS022", ["positive=['b', 'c']"]),
    "no positives named": (["a"], [1], {"positive": []}, LabelError, "RS020", ["names no label"]),
    "unknown positive": (
        ["a", "b"],
        [1, 2],
        {"positive": "c"},
        LabelError,
        "RS021",
        ['"c"', "a (1 row)", "positive='b'"],
    ),
    "unknown number": ([1, 2], [1, 2], {"positive": 3}, LabelError, "RS021", ['"3"', "1 (1 row)"]),
    "unknown, all alike": ([5, 5], [1, 2], {"positive": 1}, LabelError, "RS021", ['"1"', "5 (2 rows)"]),
    "unknown, out of range": (
        np.array([1, 2], np.uint8),
        [1, 2],
        {"positive": -1},
        LabelError,
        "RS021",
        ['"-1"'],
    ),
    "unknown, fraction": ([1, 2], [1, 2], {"positive": 1.5}, LabelError, "RS021", ['"1.5"']),
    "unknown, bool": ([True, False], [1, 2], {"positive": 2}, LabelError, "RS021", ['"2"', "True (1 row)"]),
    "unknown, dict": ([True, False], [1, 2], {"positive": {}}, LabelError, "RS021", ["True (1 row)"]),
    "unknown, NaN": ([1, 0], [1, 2], {"positive": NAN}, LabelError, "RS021", ["nan"]),
    "text for a number": (
        [1, 0],
        [1, 2],
        {"positive": "1"},
        LabelError,
        "RS021",
        ["'1' is text", "positive=1"],
    ),
    "one of the list unknown": (
        list("abc"),
        [1, 2, 3],
        {"positive": ["a", "z"]},
        LabelError,
        "RS021",
        ['"z"', "leave it out:  positive=['a']"],
    ),
    "one of the list misspelt": (
        ["attack", "normal", "scan"],
        [1, 2, 3],
        {"positive": ["scan", "atack"]},
        LabelError,
        "RS021",
        ["did you mean  positive=['scan', 'attack'] ?"],
    ),
    "none of the list known": (
        ["a", "b"],
        [1, 2],
        {"positive": ["y", "z"]},
        LabelError,
        "RS021",
        ['"y"', "positive='a'"],
    ),
    "misspelt": (
        ["attack", "normal", "scan"],
        [1, 2, 3],
        {"positive": "atack"},
        LabelError,
        "RS021",
        ["did you mean  positive=['attack']"],
    ),
    "three labels": (
        ["I", "II", "III"],
        [1, 2, 3],
        {"positive": "III"},
        LabelError,
        "RS022",
        ["there are 3 labels", "II (1 row)", "positive="],
    ),
    "three numbers": ([0, 1, 2], [1, 2, 3], {"positive": 1}, LabelError, "RS022", ["0 (1 row)", "2 (1 row)"]),
    "label NaN": (
        [0.0, NAN, NAN],
        [1, 2, 3],
        {},
        LabelError,
        "RS023",
        ["2 of 3 labels are missing", "row 1"],
    ),
    "label None": (
        ["a", None],
        [1, 2],
        {"positive": "a"},
        LabelError,
        "RS023",
        ["1 of 2 labels is missing", "row 1"],
    ),
    "label number or None": ([1, 0, None], [1, 2, 3], {}, LabelError, "RS023", ["row 2"]),
    "label NA": (pd.Series([1, None], dtype="Int64"), [1, 2], {}, LabelError, "RS023", ["row 1"]),
    "label null": (pl.Series(["a", None]), [1, 2], {"positive": "a"}, LabelError, "RS023", ["row 1"]),
    "label NaT": (
        np.array(["2020", "NaT"], "M8[D]"),
        [1, 2],
        {"positive": "2020"},
        LabelError,
        "RS023",
        ["row 1"],
    ),
    "label masked": (np.ma.masked_array([1, 0], mask=[0, 1]), [1, 2], {}, LabelError, "RS023", ["row 1"]),
    "labels are lists": ([[1], [0]], [1, 2], {}, DataError, "RS034", ["labels", "shape (2, 1)"]),
    "labels are objects with lists": (
        pd.Series([[1], [0]]),
        [1, 2],
        {"positive": 1},
        DataError,
        "RS034",
        ["single values"],
    ),
    "score NaN": ([0, 1, 1], [1, NAN, NAN], {}, DataError, "RS031", ["2 of 3 scores are missing", "row 1"]),
    "score float32 NaN": (
        [0, 1],
        np.array([1, NAN], np.float32),
        {},
        DataError,
        "RS031",
        ["1 of 2 scores is"],
    ),
    "score None": ([0, 1], [1.0, None], {}, DataError, "RS031", ["1 of 2 scores is missing", "row 1"]),
    "score object None": ([0, 1], np.array([1.0, None]), {}, DataError, "RS031", ["row 1"]),
    "score NA": ([0, 1], pd.Series([None, 1], dtype="Int64"), {}, DataError, "RS031", ["row 0"]),
    "score null": ([0, 1], pl.Series([1, None]), {}, DataError, "RS031", ["row 1"]),
    "score masked": ([0, 1], np.ma.masked_array([1, 2], mask=[0, 1]), {}, DataError, "RS031", ["row 1"]),
    "score text": ([0, 1], ["a", "b"], {}, DataError, "RS033", ["text", "'a'"]),
    "score mixed": ([0, 1], [0.5, "b"], {}, DataError, "RS033", ["row 1", "'b'"]),
    "score object": ([0, 1], np.array([0.5, "1"], object), {}, DataError, "RS033", ["text", "dtype=float"]),
    "score text array": (
        [0, 1],
        np.array(["a", "b"]),
        {},
        DataError,
        "RS033",
        ["text, first at row 0", "'a'"],
    ),
    "score other object": (
        [0, 1],
        np.array([0.5, datetime.date(2020, 1, 2)], object),
        {},
        DataError,
        "RS033",
        ["first at row 1", "datetime.date(2020, 1, 2)"],
    ),
    "score complex": ([0, 1], [1j, 2], {}, DataError, "RS033", ["complex128"]),
    "score date": ([0, 1], np.array(["2020", "2021"], "M8[D]"), {}, DataError, "RS033", ["datetime64"]),
    "score duration": ([0, 1], [datetime.timedelta(1)] * 2, {}, DataError, "RS033", ["timedelta"]),
    "score longdouble": (
        [0, 1],
        np.array([1, 2], np.longdouble),
        {},
        DataError,
        "RS033",
        [str(np.dtype(np.longdouble))],
    ),
    "score record": ([0, 1], np.zeros(2, "i4,i4"), {}, DataError, "RS033", ["type"]),
    "score huge": ([0, 1], [2**80, 1], {}, DataError, "RS033", ["64 bits", str(2**80)]),
    "score of 65 bits": ([0, 1], [2**64, 1], {}, DataError, "RS033", ["64 bits", str(2**64)]),
    "score of 65 bits, negative": ([0, 1], [-(2**63) - 1, 1], {}, DataError, "RS033", ["more than 64 bits"]),
    "scores of 64 bits and no common type": (
        [0, 1],
        [2**64 - 1, -(2**63)],
        {},
        DataError,
        "RS033",
        ["64 bits", str(2**64 - 1)],
    ),
    "score huge or None": (
        [0, 1],
        [2**80, None],
        {},
        DataError,
        "RS031",
        ["1 of 2 scores is missing", "row 1"],
    ),
    "score huge and negative": ([0, 1], [2**63, -1], {}, DataError, "RS033", ["64 bits"]),
    "score ragged": ([0, 1], [[1], [1, 2]], {}, DataError, "RS034", ["scores", "flat"]),
    "score number": ([0, 1], 0.5, {}, DataError, "RS034", ["scores", "float"]),
    "score string": ([0, 1], "0.5", {}, DataError, "RS034", ["scores", "str"]),
    "score set": ([0, 1], {1, 2}, {}, DataError, "RS034", ["scores", "set"]),
    "score frame": (
        [0, 1],
        pd.DataFrame({"a": [1, 2]}),
        {},
        DataError,
        "RS034",
        ["scores", "shape (2, 1)", "numpy.ravel(scores)"],
    ),
    "one column": ([0, 1], np.zeros((2, 1)), {}, DataError, "RS034", ["numpy.ravel(scores)"]),
    "one row": ([0, 1], [[1, 2]], {}, DataError, "RS034", ["shape (1, 2)", "numpy.ravel(scores)"]),
    "two columns in lists": ([0, 1], [[1, 2]] * 2, {}, DataError, "RS034", ["numpy.asarray(scores)[:, 1]"]),
    "two columns": (
        [0, 1],
        np.zeros((2, 2)),
        {},
        DataError,
        "RS034",
        ["shape (2, 2)", "predict_proba", "[:, 1]"],
    ),
    "three columns": ([0, 1], np.zeros((2, 3)), {}, DataError, "RS034", ["[:, 1]", "MulticlassScores"]),
    "no dimension": ([0, 1], np.array(1.0), {}, DataError, "RS034", ["shape ()"]),
    "weight negative": (
        [0, 1, 1],
        [1, 2, 3],
        {"sample_weight": [1, -2, -3]},
        DataError,
        "RS037",
        ["2 of 3 weights are negative", "first at row 1", ": -2.0"],
    ),
    "weight NaN": (
        [0, 1],
        [1, 2],
        {"sample_weight": [1, NAN]},
        DataError,
        "RS037",
        ["1 of 2 weights is missing", "row 1"],
    ),
    "weight None": ([0, 1], [1, 2], {"sample_weight": [None, 1]}, DataError, "RS037", ["missing", "row 0"]),
    "weight infinite": (
        [0, 1],
        [1, 2],
        {"sample_weight": [1, np.inf]},
        DataError,
        "RS037",
        ["infinite", "first at row 1", ": inf"],
    ),
    "weight minus infinite": (
        [0, 1],
        [1, 2],
        {"sample_weight": [-np.inf, 1]},
        DataError,
        "RS037",
        ["negative", "row 0"],
    ),
    "weight text": (
        [0, 1],
        [1, 2],
        {"sample_weight": ["a", "b"]},
        DataError,
        "RS037",
        ["weights are not numeric", "object"],
    ),
    "weight complex": ([0, 1], [1, 2], {"sample_weight": [1j, 1]}, DataError, "RS037", ["complex128"]),
    "weight all zero": (
        [0, 1],
        [1, 2],
        {"sample_weight": [0, 0]},
        DataError,
        "RS037",
        ["all weights are zero"],
    ),
    "weight too large": (
        [0, 1],
        [1, 2],
        {"sample_weight": [1e308, 1e308]},
        DataError,
        "RS037",
        ["too large", "1e+308"],
    ),
    "weights all too small": (
        [0, 1],
        [1, 2],
        {"sample_weight": [1e-320, 1e-320]},
        DataError,
        "RS037",
        ["2 of 2 weights are too small to be divided by", "row 0", "divide all of them by the largest"],
    ),
    "weight too small": (
        [0, 1],
        [1, 2],
        {"sample_weight": [1, 1e-310]},
        DataError,
        "RS037",
        ["1 of 2 weights is too small", "1e-310", "weight 0 drops out"],
    ),
    "weight two columns": ([0, 1], [1, 2], {"sample_weight": [[1], [2]]}, DataError, "RS034", ["weights"]),
}


def through_folds(labels, scores, **options):
    if "sample_weight" in options:
        options = options | {"sample_weight": [options["sample_weight"]]}
    ScoreSet.from_folds([(labels, scores)], **options)


DOORS = {
    "Scores": Scores,
    "from_arrays": ScoreSet.from_arrays,
    "from_folds": through_folds,
}


@pytest.mark.parametrize("case", BAD_SCORES)
@pytest.mark.parametrize("door", DOORS)
def test_bad_scores(case, door):
    labels, scores, options, kind, code, phrases = BAD_SCORES[case]
    with pytest.raises(RocsteadyError) as caught:
        DOORS[door](labels, scores, **options)
    assert (type(caught.value), caught.value.code) == (kind, code), caught.value
    assert caught.value.remedies
    for phrase in phrases:
        assert phrase in str(caught.value)


BAD_SETS = {
    "groups shorter": (lambda: ScoreSet.from_arrays([0, 1], [1, 2], ["a"]), "RS013", ["groups: 1 row"]),
    "models longer": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], ["a", "b"], models=[1, 2, 3]),
        "RS013",
        ["models: 3 rows"],
    ),
    "group missing": (
        lambda: ScoreSet.from_arrays([0, 1, 1], [1, 2, 3], ["a", None, None]),
        "RS035",
        ["2 of 3 rows have no group", "row 1"],
    ),
    "group NaN": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], [1.0, NAN]),
        "RS035",
        ["1 of 2 rows has no group", "row 1"],
    ),
    "model missing": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], ["a", "b"], models=["x", None]),
        "RS035",
        ["no model", "row 1"],
    ),
    "case missing": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], ["a", "b"], cases=[None, 1]),
        "RS035",
        ["no case", "row 0"],
    ),
    "groups two-dimensional": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], [["a"], ["b"]]),
        "RS034",
        ["groups"],
    ),
    "group of lists": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], pd.Series([["a"], ["b"]])),
        "RS034",
        ["single values"],
    ),
    "no folds": (lambda: ScoreSet.from_folds([]), "RS010", ["no folds"]),
    "empty fold": (lambda: ScoreSet.from_folds([([0, 1], [1, 2]), ([], [])]), "RS010", ["fold 2"]),
    "fold lengths": (lambda: ScoreSet.from_folds([([0, 1], [1, 2, 3])]), "RS013", ["labels: 2 rows"]),
    "no pair": (lambda: ScoreSet.from_folds([([0, 1], [1, 2]), [1]]), "RS034", ["fold 2", "list"]),
    "NaN in a fold": (
        lambda: ScoreSet.from_folds([([0, 1], [1, 2]), ([0, 1], [1, NAN])]),
        "RS031",
        ["row 1 of fold 2", "1 of 4", 'all in group "fold 2"'],
    ),
    "text in a fold": (
        lambda: ScoreSet.from_folds([([0, 1], [1, 2]), ([0, 1], ["a", "b"])]),
        "RS033",
        ["row 0 of fold 2"],
    ),
    "stray label in a fold": (
        lambda: ScoreSet.from_folds([(["a", "b"], [1, 2]), (["a", "c"], [1, 2])], positive="a"),
        "RS022",
        ["c (1 row)"],
    ),
    "weights of folds": (
        lambda: ScoreSet.from_folds([([0, 1], [1, 2])], sample_weight=[[1, 1], [1, 1]]),
        "RS013",
        ["sample_weight: 2", "folds: 1"],
    ),
    "negative weight in a fold": (
        lambda: ScoreSet.from_folds([([0, 1], [1, 2])] * 2, sample_weight=[[1, 1], [-1, 1]]),
        "RS037",
        ["row 0 of fold 2"],
    ),
    "names of folds": (
        lambda: ScoreSet.from_folds([([0, 1], [1, 2])], names=["a", "b"]),
        "RS013",
        ["names: 2", "folds: 1"],
    ),
    "types of folds": (
        lambda: ScoreSet.from_folds([([0, 1], [1, 2**53 + 1]), ([0, 1], [0.5, 1])]),
        "RS033",
        ["float64, int64"],
    ),
    "unknown group": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], ["host", "b"])["hots"],
        "RS001",
        ['"hots"', "'host'"],
    ),
    "unknown model": (
        lambda: ScoreSet.from_arrays([0, 1], [1, 2]).model("x"),
        "RS001",
        ['model "x"', "none"],
    ),
    "few for folds": (lambda: stratified_folds([0] * 9 + [1] * 3, 5), "RS046", ['"1"', "3 cases", "folds=3"]),
    "one fold": (lambda: stratified_folds([0, 1], 1), "RS042", ["folds=1"]),
    "folds of missing": (lambda: stratified_folds([0, None], 2), "RS023", ["row 1"]),
    "folds of nothing": (lambda: stratified_folds([], 2), "RS010", ["no rows"]),
    "outputs flat": (lambda: MulticlassScores([0, 1], [0.5, 0.5]), "RS034", ["shape (2,)"]),
    "outputs one column": (lambda: MulticlassScores([0, 1], [[0.5], [0.5]]), "RS034", ["shape (2, 1)"]),
    "outputs ragged": (lambda: MulticlassScores([0, 1], [[0.5], [0.5, 1]]), "RS034", ["different lengths"]),
    "outputs NaN": (
        lambda: MulticlassScores([0, 1], [[0, 1], [1, NAN]]),
        "RS031",
        ["1 output is missing", "row 1, column 1"],
    ),
    "outputs infinite": (
        lambda: MulticlassScores([0, 1], [[0, 1], [np.inf, 1]]),
        "RS033",
        ["infinite", "row 1, column 0"],
    ),
    "outputs text": (lambda: MulticlassScores([0, 1], [["a", "b"]] * 2), "RS033", ["type <U1"]),
    "outputs longer": (
        lambda: MulticlassScores([0, 1], np.eye(3)),
        "RS013",
        ["labels: 2 rows", "outputs: 3 rows"],
    ),
    "outputs empty": (lambda: MulticlassScores([], np.empty((0, 2))), "RS010", ["no rows"]),
    "outputs of two, labels of three": (
        lambda: MulticlassScores([0, 1, 2], [[0, 1]] * 3),
        "RS013",
        ["2 columns", "classes: 0, 1, 2"],
    ),
    "classes twice": (
        lambda: MulticlassScores([0, 0], np.eye(2), classes=[0, 0]),
        "RS013",
        ["classes: 0, 0"],
    ),
    "label outside": (
        lambda: MulticlassScores(["a", "x"], np.eye(2), classes=["a", "b"]),
        "RS025",
        ['"x"', "row 1"],
    ),
    "class label missing": (lambda: MulticlassScores(["a", None], np.eye(2)), "RS023", ["row 1"]),
    "class fold missing": (lambda: MulticlassScores([0, 1], np.eye(2), folds=[1, None]), "RS035", ["row 1"]),
    "class folds longer": (lambda: MulticlassScores([0, 1], np.eye(2), folds=[1]), "RS013", ["folds: 1 row"]),
}


@pytest.mark.parametrize("case", BAD_SETS)
def test_bad_sets(case):
    call, code, phrases = BAD_SETS[case]
    with pytest.raises(RocsteadyError) as caught:
        call()
    assert caught.value.code == code, caught.value
    assert caught.value.remedies
    for phrase in phrases:
        assert phrase in str(caught.value)


def test_positions_beyond_the_set_end_iteration_as_in_any_sequence():
    score_set = ScoreSet.from_arrays([0, 1], [1, 2], ["a", "b"])
    for key, kind in ((2, IndexError), (-3, IndexError), ("c", KeyError), ([], KeyError)):
        with pytest.raises(kind, match="RS001: there is no") as caught:
            score_set[key]
        assert isinstance(caught.value, RocsteadyError)
    assert len(list(reversed(score_set))) == 2


ESCAPE = "a\x1b[2J\n-> type this"


@pytest.mark.parametrize(
    "call",
    [
        lambda: Scores([ESCAPE, "b", "c"], [1, 2, 3]),
        lambda: Scores(["b", "c"], [1, 2], positive=ESCAPE),
        lambda: Scores([0, 1], ["x", ESCAPE]),
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], [ESCAPE, "b"], unit=ESCAPE)["c"],
        lambda: ScoreSet.from_arrays([0, 1], [1, 2])[ESCAPE],
        lambda: ScoreSet.from_arrays([0, 1], [1, 2], cases=[ESCAPE] * 2),
        lambda: ScoreSet.from_arrays([0, 1], {"b": [1, 2], ESCAPE: [1, NAN]}),
        lambda: ScoreSet.from_folds([([0, 1], [1, 2]), ([0, 1], [1, NAN])], names=["b", ESCAPE]),
        lambda: ScoreSet.from_frame(
            {"y": [0, 1], "s": [1, NAN], "g": ["b", ESCAPE]}, label="y", score="s", group="g"
        ),
        lambda: ScoreSet.from_frame({"y": [0, 1], ESCAPE: [1, NAN]}, label="y", score=["y", ESCAPE]),
        lambda: ScoreSet.from_frame({"y": [0, 1], ESCAPE: [1, 2]}, label="y", score="s"),
        lambda: MulticlassScores(["b", ESCAPE], np.eye(2), classes=["b", "c"]),
        lambda: stratified_folds([ESCAPE, "b", "b"], 2),
    ],
)
def test_names_reach_no_terminal_with_control_characters_or_as_advice(call):
    with pytest.raises(RocsteadyError) as caught:
        call()
    for line in str(caught.value).split("\n"):
        assert line.isprintable()
        assert not line.lstrip().startswith("-> type this")


def test_errors_are_value_errors_too():
    for kind in (ColumnError, DataError, LabelError, UsageError):
        assert issubclass(kind, ValueError)


def objects(*values):
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


@pytest.mark.parametrize("value", [np.array([1, 2]), [1, 2], {}, {1}])
def test_labels_and_groups_are_single_values(value):
    with pytest.raises(DataError, match="RS034"):
        Scores(objects(value, value, "a"), [1, 2, 3], positive="a")
    with pytest.raises(DataError, match="RS034"):
        ScoreSet.from_arrays([0, 1, 0], [1, 2, 3], objects(value, value, "a"))


def test_a_signalling_nan_is_a_missing_label_and_no_label_to_name():
    with pytest.raises(LabelError, match="RS023"):
        Scores([Decimal("sNaN"), Decimal(1)], [1, 2])
    with pytest.raises(LabelError, match="RS021"):
        Scores(objects(Decimal(1), "a"), [1, 2], positive=Decimal("sNaN"))


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_positive_label_beyond_floats(digits):
    huge = 10**digits
    with pytest.raises(LabelError, match="RS021"):
        Scores([5, 4], [1, 2], positive=huge)


def test_a_positive_label_in_an_array_without_dimensions():
    assert Scores([4, 5], [1, 2], positive=np.array(5)).is_positive.tolist() == [False, True]
    assert Scores(["a", "b"], [1, 2], positive=np.array("a")).is_positive.tolist() == [True, False]


@pytest.mark.parametrize("direction", ["False", 0, None])
def test_the_direction_is_true_or_false(direction):
    for build in (Scores, Scores.in_place, ScoreSet.from_arrays):
        with pytest.raises(UsageError, match="RS001: higher_is_positive"):
            build([0, 1], [1, 2], higher_is_positive=direction)
    assert not Scores([0, 1], [1, 2], higher_is_positive=np.False_).higher_is_positive


@pytest.mark.parametrize("column", ["s", "w"])
def test_numbers_among_objects_are_numbers_once_gaps_are_dropped(column):
    table = {"y": [0, 1, 0], "s": [1, 2, 3], "w": [1, 1, 1]} | {column: objects(1, None, 2.5)}
    for frame in (table, pd.DataFrame(table)):
        with pytest.warns(RocsteadyWarning, match="RS102"):
            score_set = ScoreSet.from_frame(frame, label="y", score="s", weight="w", on_missing="drop")
        found = score_set.columns.scores if column == "s" else score_set.columns.weights
        assert found.tolist() == [1, 2.5]


def test_advice_can_be_typed_and_names_no_label_twice():
    for labels, positive in (([0, 1, 2], np.int64(1)), (np.array([0.0, 1.0, 2.0]), np.float32(1))):
        with pytest.raises(LabelError, match="RS022") as caught:
            Scores(labels, [1, 2, 3], positive=positive)
        assert "np." not in str(caught.value)
    with pytest.raises(LabelError, match="RS021") as caught:
        Scores([0, 1, 2], [1, 2, 3], positive=[np.int64(7), np.int64(1)])
    assert str(caught.value).endswith("positive=[1]")


@pytest.mark.parametrize(
    ("labels", "positive", "expected"),
    [
        (["F", "L", "M", "VF"], "M", [["M"], ["M", "VF"]]),
        (["F", "L", "M", "VF"], None, [["VF"], ["M", "VF"]]),
        ([0, 1, 2], 1, [[1], [1, 2]]),
        (["a", "b", "c"], "x", [["a"], ["b"]]),
        (["attack", "normal", "scan"], "atack", [["attack"]]),
    ],
)
def test_one_label_against_all_others_is_a_list_of_one(labels, positive, expected):
    """A single value with more than two labels is refused, and whatever is advised instead works."""
    with pytest.raises(LabelError) as caught:
        Scores(labels * 2, range(2 * len(labels)), positive=positive)
    assert caught.value.code == ("RS022" if positive in (None, *labels) else "RS021")
    parts = [part for remedy in caught.value.remedies for part in remedy if not isinstance(part, str)]
    assert [option.value for option in parts] == expected
    for option in parts:
        scores = Scores(labels * 2, range(2 * len(labels)), positive=option.value)
        assert scores.n_positives == 2 * len(option.value)


def test_columns_of_several_levels():
    levels = pd.MultiIndex.from_tuples([("a", "label"), ("a", "score")])
    frame = pd.DataFrame([[0, 1], [1, 2]], columns=levels)
    for name in ("label", "a"):
        with pytest.raises(ColumnError, match="RS011"):
            ScoreSet.from_frame(frame, label=name, score="score")


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="this Polars has no integers of 128 bits")
def test_integers_of_128_bits():
    def frame(*scores):
        return pl.DataFrame({"y": [0, 1], "s": pl.Series(scores, dtype=pl.Int128)})

    small = ScoreSet.from_frame(frame(1, 2), label="y", score="s")
    assert small.columns.scores.tolist() == [1, 2]
    with pytest.raises(DataError, match="RS033"):
        ScoreSet.from_frame(frame(1, 2**100), label="y", score="s")


@pytest.mark.filterwarnings("ignore:RS102")
def test_a_model_of_which_no_row_is_left():
    table = {"y": [0, 1, 0], "s": [1, 2, 3], "m": ["p", "p", "q"], "g": ["a", "a", None]}
    left = ScoreSet.from_frame(table, label="y", score="s", model="m", group="g", on_missing="drop")
    with pytest.raises(UsageError, match='RS001: no row of the model "q" is left'):
        left.model("q")


def test_large_integers_are_labels_of_their_own() -> None:
    large = 2**53
    with pytest.raises(rs.RocsteadyError, match="RS022"):
        rs.auc([large + 1, large, 0], [3, 1, 2], positive=float(large))
    with pytest.raises(rs.RocsteadyError, match="RS022"):
        rs.auc([large + 1, large, 0.5], [3, 1, 2], positive=large + 1)
    groups = [large + 1, large + 1, large, large, 0.5, 0.5]
    named = rs.ScoreSet.from_arrays([1, 0] * 3, [1, 2] * 3, groups).names
    assert named == (str(large + 1), str(large), "0.5")


def test_no_folds_are_said_to_be_none() -> None:
    with pytest.raises(rs.RocsteadyError, match="RS010"):
        rs.ScoreSet.from_folds(None)


def test_labels_without_end_and_integers_without_a_spelling_have_messages() -> None:
    with pytest.raises(rs.RocsteadyError, match="RS020") as found:
        rs.auc(["x" * 100_000, "y"], [1, 2])
    assert len(str(found.value)) < 10_000
    with pytest.raises(rs.RocsteadyError, match="an integer of 16610 bits"):
        rs.auc([1, 0], [10**5000, 1])


@pytest.mark.parametrize(
    "build",
    [
        lambda: Scores(None, [1, 2]),
        lambda: Scores([0, 1], None),
        lambda: ScoreSet.from_arrays(None, [1, 2]),
        lambda: ScoreSet.from_folds([([0, 1], None)]),
        lambda: ScoreSet.from_arrays([0, 1], {"a": None, "b": [1, 2]}),
        lambda: MulticlassScores(None, [[1, 2]]),
    ],
)
def test_no_labels_and_no_scores_are_told(build) -> None:
    """A model without scores had those of the next one; the others were a KeyError."""
    with pytest.raises(DataError, match="RS034"):
        build()
