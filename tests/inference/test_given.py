"""What compare_auc takes: arrays paired by position, or Scores of the same cases."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, RocsteadyWarning, UsageError
from rocsteady.simulate import hosts

LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 0]
FIRST = [9, 8, 7, 3, 6, 4, 2, 1, 0]
SECOND = [9, 2, 3, 7, 8, 6, 5, 1, 0]
THIRD = [1, 9, 5, 8, 3, 2, 7, 4, 0]


def refused(call, kind=UsageError):
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def two_models(order=None):
    """The example's host-03 by both models, after the rows of the table have been put in some order."""
    table = {name: np.array(column) for name, column in hosts(n_hosts=3).items()}
    if order is not None:
        table = {name: column[order] for name, column in table.items()}
    scores = rs.ScoreSet.from_frame(
        table, label="label", score="score", group="host", model="model", case="event", positive="attack"
    )
    return scores.model("current")["host-03"], scores.model("candidate")["host-03"]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("higher_is_positive", [True, False])
def test_scores_are_as_good_as_arrays(paired, higher_is_positive):
    alone = [rs.Scores(LABELS, s, higher_is_positive=higher_is_positive) for s in (FIRST, SECOND)]
    found = rs.compare_auc(*alone, paired=paired)
    same = rs.compare_auc(LABELS, FIRST, SECOND, paired=paired, higher_is_positive=higher_is_positive)
    assert found.to_dict() == same.to_dict()


def test_three_scores():
    found = rs.compare_auc(*(rs.Scores(LABELS, s) for s in (FIRST, SECOND, THIRD)))
    assert found.pvalue == rs.compare_auc(LABELS, FIRST, SECOND, THIRD).pvalue


def test_members_of_a_set_with_cases_are_paired_however_the_table_is_sorted():
    """A table sorted by score pairs each case with another one; the p-value is then that of nothing."""
    expected = rs.compare_auc(*two_models())
    shuffled = rs.compare_auc(*two_models(np.argsort(hosts(n_hosts=3)["score"])))
    assert shuffled.pvalue == expected.pvalue
    assert shuffled.covariance[0, 1] > 0  # both models saw the same events


def test_other_cases_are_refused_even_if_their_labels_agree():
    table = {
        "y": [1, 1, 0, 0, 1, 1, 0, 0],
        "s": [4, 2, 3, 1, 4, 1, 3, 2],
        "m": ["a"] * 4 + ["b"] * 4,
        "id": [1, 2, 3, 4, 1, 5, 3, 6],
    }
    scores = rs.ScoreSet.from_frame(table, label="y", score="s", model="m", case="id")
    text = refused(lambda: rs.compare_auc(*scores))
    assert text.startswith("RS002: Scores to be paired need the same cases.")
    assert "paired=False" in text
    with pytest.warns(
        RocsteadyWarning, match=r"RS279(.|\n)*2 cases in both, of 4 and 4(.|\n)*unmatched='drop'"
    ):
        assert rs.compare_auc(*scores, paired=False).aucs.tolist() == [0.75, 0.5]


@pytest.mark.parametrize("test", [rs.compare_auc, rs.bootstrap_test, rs.venkatraman_test])
def test_the_same_named_cases_as_two_samples_are_said(test):
    first, second = two_models()
    with pytest.warns(RocsteadyWarning, match="RS279") as caught:
        test(first, second, paired=False)
    assert [own.message.code for own in caught] == ["RS279"]
    assert f"found: {len(first.cases)} cases in both" in str(caught[0].message)
    assert "leave out  paired=False" in str(caught[0].message)
    test(first, second)
    unnamed = [rs.Scores(own.is_positive, own.columns.scores) for own in (first, second)]
    test(*unnamed, paired=False)  # may be other cases


def test_scores_of_unlike_cases_are_refused():
    first = rs.Scores(LABELS, FIRST)
    text = refused(lambda: rs.compare_auc(first, rs.Scores(LABELS[:-1], SECOND[:-1])), ColumnError)
    assert text.startswith("RS013")
    swapped = [0, *LABELS[1:-1], 1]
    text = refused(lambda: rs.compare_auc(first, rs.Scores(swapped, SECOND)))
    assert "2 of 9 labels differ" in text
    assert "first at row 0" in text
    text = refused(lambda: rs.compare_auc(first, rs.Scores(LABELS, SECOND, higher_is_positive=False)))
    assert text.startswith("RS002: in one of the Scores high is positive, in another low.")
    text = refused(lambda: rs.compare_auc(first, rs.Scores(LABELS, SECOND, sample_weight=range(1, 10))))
    assert text.startswith("RS038")
    assert "positive already" in refused(lambda: rs.compare_auc(first, first, positive=1))
    assert "found: 1" in refused(lambda: rs.compare_auc(first))
    assert "found: 3" in refused(lambda: rs.compare_auc(first, first, first, paired=False))


def test_a_short_array_is_named():
    with pytest.raises(ColumnError, match="RS013: score array 2 of 3: ") as caught:
        rs.compare_auc(LABELS, FIRST, SECOND[:-1], THIRD)
    assert "scores: 8 rows" in str(caught.value)
    with pytest.raises(ColumnError, match="RS013: score array 2 of 2: "):
        rs.compare_auc((LABELS, LABELS), FIRST, SECOND[:-1], paired=False)


@pytest.mark.parametrize("paired", [True, False])
def test_an_array_with_a_missing_score_is_named(paired):
    with pytest.raises(DataError, match="RS031: score array 2 of 2: "):
        rs.compare_auc(LABELS, FIRST, [float("nan"), *SECOND[1:]], paired=paired)


def test_what_it_was_handed_is_said_with_what_to_type():
    scores = rs.ScoreSet.from_frame(
        hosts(n_hosts=3),
        label="label",
        score="score",
        group="host",
        model="model",
        case="event",
        positive="attack",
    )
    text = refused(lambda: rs.compare_auc(scores))
    assert "found: ScoreSet(3 hosts, 2 models" in text
    typed = text.splitlines()[-1].split(":  ")[1]
    assert eval(typed, {"compare_auc": rs.compare_auc, "score_set": scores}).aucs.size == 2
    assert "model='...'" in refused(lambda: rs.compare_auc(scores.model("current")))
    curves = rs.roc_curve(LABELS, FIRST), rs.roc_curve(LABELS, SECOND)
    assert "RocCurve(" in refused(lambda: rs.compare_auc(*curves))
    assert "which case is which" in refused(lambda: rs.compare_auc(LABELS, *curves))
    assert "frame['label']" in refused(lambda: rs.compare_auc({"label": LABELS, "a": FIRST, "b": SECOND}))
    both = np.column_stack([FIRST, SECOND])
    assert "compare_auc(labels, *scores.T)" in refused(lambda: rs.compare_auc(LABELS, both))
    assert rs.compare_auc(LABELS, *both.T).pvalue == rs.compare_auc(LABELS, FIRST, SECOND).pvalue
    assert "compare_auc(labels, *scores)" in refused(lambda: rs.compare_auc(LABELS, [FIRST, SECOND]))
    a = rs.Scores(LABELS, FIRST)
    assert "compare_auc(scores_a, scores_b)" in refused(lambda: rs.compare_auc(LABELS, a, a))
