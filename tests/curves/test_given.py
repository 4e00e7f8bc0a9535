"""What may stand where labels and scores are expected, and where everything else belongs."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.simulate import hosts

LABELS, SCORES = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]
FUNCTIONS = {"roc_curve": rs.roc_curve, "auc": rs.auc, "auc_interval": rs.auc_interval}


@pytest.fixture
def score_set():
    return rs.ScoreSet.from_folds([(LABELS, SCORES), (LABELS, SCORES[::-1])], design="independent")


def refused(call, code="RS002"):
    with pytest.raises(UsageError, match=code) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{}, {"higher_is_positive": False}, {"sample_weight": [1, 2, 3, 4, 5, 6, 7, 8]}, {"positive": 0}],
    ids=str,
)
def test_scores_alone_are_as_good_as_labels_and_scores(options):
    alone = rs.Scores(LABELS, SCORES, name="reader 1", **options)
    curve = rs.roc_curve(alone)
    same = rs.roc_curve(LABELS, SCORES, **options)
    for name in ("thresholds", "true_positives", "false_positives"):
        np.testing.assert_array_equal(getattr(curve, name), getattr(same, name))
    assert curve.name == "reader 1"
    assert rs.roc_curve(alone, name="other").name == "other"
    assert curve.higher_is_positive == same.higher_is_positive
    assert rs.auc(alone) == rs.auc(LABELS, SCORES, **options)
    for method in ["bootstrap"] if "sample_weight" in options else ["logit", "bootstrap"]:
        a = rs.auc_interval(alone, method=method)
        b = rs.auc_interval(LABELS, SCORES, method=method, **options)
        assert (a.low, a.high) == (b.low, b.high)


def test_a_member_of_a_set_has_its_curve(score_set):
    assert rs.roc_curve(score_set["fold 2"]).auc == rs.roc_curves(score_set)["fold 2"].auc


@pytest.mark.filterwarnings("ignore:RS101")
def test_decisions_are_noted_once_where_the_scores_were_made():
    decisions = rs.Scores([1, 0] * 10, [1, 0, 0, 0] * 5)
    with np.testing.assert_no_warnings():
        rs.roc_curve(decisions)
        rs.auc(decisions)


def test_what_a_scores_knows_is_not_said_again():
    alone = rs.Scores(LABELS, SCORES)
    for options in ({"positive": 1}, {"sample_weight": [1] * 8}, {"higher_is_positive": False}):
        assert next(iter(options)) in refused(lambda: rs.roc_curve(alone, **options))  # noqa: B023
    low = rs.Scores(LABELS, SCORES, higher_is_positive=False)
    assert rs.auc(low, higher_is_positive=False) == rs.auc(low)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_set_leads_to_roc_curves(name, score_set):
    text = refused(lambda: FUNCTIONS[name](score_set))
    assert "found: ScoreSet(2 folds" in text
    assert "roc_curves(score_set)" in text
    assert f"{name}(score_set['fold 1'])" in text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_missing_second_argument_is_a_coded_error(name, score_set):
    function = FUNCTIONS[name]
    assert f"-> {name}(labels, scores)" in refused(lambda: function(LABELS))
    assert "list of 8 entries" in refused(lambda: function(LABELS))
    assert "frame['label']" in refused(lambda: function({"label": LABELS, "score": SCORES}))
    assert "RocCurve(" in refused(lambda: function(rs.roc_curve(LABELS, SCORES)))
    assert "and Scores(" in refused(lambda: function(LABELS, score_set[0]))
    assert "Scores(" in refused(lambda: function(score_set[0], SCORES))
    assert "ndarray of shape (8 × 2)" in refused(lambda: function(np.zeros((8, 2))))


def test_frames_are_told_apart_without_looking_into_them():
    import pandas
    import polars

    for frame in (pandas.DataFrame({"label": LABELS}), polars.DataFrame({"label": LABELS}).lazy()):
        assert "frame['label']" in refused(lambda: rs.auc(frame))  # noqa: B023
        assert "ScoreSet.from_frame(frame" in refused(lambda: rs.roc_curves(frame))  # noqa: B023


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        (rs.Scores(LABELS, SCORES), "roc_curve(scores)"),
        ([(LABELS, SCORES)], "ScoreSet.from_folds(pairs)"),
        (((LABELS, SCORES), (LABELS[:-1], SCORES[:-1])), "ScoreSet.from_folds(pairs)"),
        ({"label": LABELS, "score": SCORES}, "ScoreSet.from_frame(frame"),
        ("scores.csv", "read_scores(path)"),
        (rs.roc_curve(LABELS, SCORES), "curves already"),
        (LABELS, "ScoreSet.from_arrays(labels, scores, groups)"),
        (None, "roc_curve(labels, scores)"),
    ],
    ids=["Scores", "pairs", "ragged pairs", "dict", "path", "curve", "labels", "None"],
)
def test_what_becomes_a_set(given, typed):
    text = refused(lambda: rs.roc_curves(given))
    assert text.startswith("RS002: roc_curves takes a ScoreSet.")
    assert typed in text


def test_what_is_to_be_typed_works():
    table = hosts(n_hosts=4)
    curves = rs.roc_curves(
        rs.ScoreSet.from_frame(
            table, label="label", score="score", group="host", model="model", positive="attack"
        ),
        undefined="drop",
    )
    assert len(curves) == 6
    assert len(rs.roc_curves(rs.ScoreSet.from_folds([(LABELS, SCORES)], design="independent"))) == 1


def test_a_set_of_one_group_and_one_model_is_its_scores():
    table = {"sick": [1, 0, 1, 0], "score": [4, 3, 2, 1]}
    alone = rs.ScoreSet.from_frame(table, label="sick", score="score")
    assert rs.auc(alone) == rs.auc(table["sick"], table["score"]) == 0.75
    assert rs.roc_curve(alone).auc == 0.75
    assert rs.auc_interval(alone).low == rs.auc_interval(table["sick"], table["score"]).low


def test_what_a_set_writes_is_read_back(tmp_path):
    table = {"sick": [1, 0, 1, 0], "score": [4, 3, 2, 1], "fold": [1, 1, 2, 2]}
    before = rs.ScoreSet.from_frame(table, label="sick", score="score", group="fold")
    before.to_frame().to_csv(tmp_path / "scores.csv", index=False)
    after = rs.read_scores(tmp_path / "scores.csv")
    assert rs.roc_curves(after).auc.tolist() == rs.roc_curves(before).auc.tolist()
