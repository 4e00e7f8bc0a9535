"""RS041 of commands and RS106 of Python: scores that seem to run the other way."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
from rocsteady.curves.curve_set import _rough_auc, reversed_scores
from rocsteady.errors import RocsteadyWarning
from rocsteady.scores import ScoreSet
from rocsteady.simulate import binormal
from rocsteady.words import counted

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")


def pairs(n_groups: int, separation: float, size: int = 20):
    return [binormal(size, size, separation=separation, seed=seed) for seed in range(n_groups)]


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=6), st.integers(2, 12))
def test_it_is_the_interval_of_the_mean_that_decides(separations, size) -> None:
    folds = [binormal(size, size, separation=s, seed=i) for i, s in enumerate(separations)]
    aucs = np.array([np.mean(x[y][:, None] > x[~y]) for y, x in folds])
    found = reversed_scores(ScoreSet.from_folds(folds, design="independent"))
    if np.ptp(aucs) == 0:
        expected = aucs[0] < 0.5
    else:
        expected = stats.t.interval(0.95, aucs.size - 1, aucs.mean(), stats.sem(aucs))[1] < 0.5
    assert (found is not None) == expected
    if found is not None:
        below = f"{np.count_nonzero(aucs < 0.5)} of {counted(aucs.size, 'fold')}"
        assert f"AUC is below 0.5 in {below} (mean {aucs.mean():.2g})." in found.problem


def test_the_other_direction_is_never_refused_too() -> None:
    """At most one of the two can be clearly below one half."""
    for separation in (-2.0, -0.2, 0.0, 0.2, 2.0):
        folds = pairs(5, separation)
        up, down = (
            ScoreSet.from_folds(folds, higher_is_positive=higher, design="independent")
            for higher in (True, False)
        )
        assert reversed_scores(up) is None or reversed_scores(down) is None


def test_one_group_is_judged_by_its_own_interval() -> None:
    clear, unclear = binormal(40, 40, separation=-1.3, seed=0), binormal(5, 5, separation=-0.2, seed=0)
    found = reversed_scores(ScoreSet.from_folds([clear], design="independent"))
    assert found is not None
    assert (found.code, found.exit_code) == ("RS041", 3)
    assert found.problem.startswith("AUC is 0.1")
    assert found.found.startswith("95 % interval: ")
    assert reversed_scores(ScoreSet.from_folds([unclear], design="independent")) is None
    separated = ([0] * 9 + [1] * 9, range(18, 0, -1))
    assert reversed_scores(ScoreSet.from_folds([separated], design="independent")) is not None
    weighted = ScoreSet.from_folds([clear], sample_weight=[np.linspace(0.5, 1, 80)], design="independent")
    assert reversed_scores(weighted) is None  # no interval, no verdict


def test_weighted_groups_are_judged_by_their_mean() -> None:
    folds = pairs(4, -1.5)
    weights = [np.linspace(0.5, 1, 40)] * 4
    assert (
        reversed_scores(ScoreSet.from_folds(folds, sample_weight=weights, design="independent")) is not None
    )


def test_what_to_type() -> None:
    labels, scores = binormal(40, 40, separation=-1.3, seed=0)
    words = np.where(labels, "sick", "well")

    def remedy(**options) -> str:
        found = reversed_scores(ScoreSet.from_arrays(words, scores, **options))
        assert found is not None
        return found.lines(shell=True)[-1]

    assert remedy(positive="sick") == "  -> --low-is-positive, or --positive well, or --allow-reversed"
    assert (
        remedy(positive="well", higher_is_positive=False)
        == "  -> leave out  --low-is-positive, or --positive sick, or --allow-reversed"
    )
    words = np.where(labels, "sick", np.resize(["well", "well again"], labels.size))
    assert remedy(positive=["sick"]) == "  -> --low-is-positive, or --allow-reversed"


def test_several_models() -> None:
    labels, bad = binormal(40, 40, separation=-1.3, seed=0)
    good = -bad
    for scores, models, text, remedy in (
        ([good, bad], ["a", "b"], "AUC of b is 0.1", "turn the scores of b round, or  --allow-reversed"),
        ([bad, bad], ["a", "b"], "AUC of a is 0.1", "higher_is_positive=False"),
    ):
        score_set = ScoreSet.from_arrays(
            np.tile(labels, 2), np.concatenate(scores), models=np.repeat(models, labels.size)
        )
        found = reversed_scores(score_set)
        assert found is not None
        assert text in found.problem
        assert remedy in str(found)
    assert "the same for b" in str(found)


# In Python


def said(score_set: ScoreSet) -> list[RocsteadyWarning]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rs.roc_curves(score_set)
        rs.roc_curves(score_set)
        rs.average(score_set.model(score_set.models[0]) if score_set.models else score_set, "vertical")
    return [own.message for own in caught if own.message.code == "RS106"]


@pytest.mark.parametrize("separation", [-2.0, -0.5, -0.1, 0.0, 0.1, 2.0])
@pytest.mark.parametrize("n_groups", [1, 2, 12])
def test_python_says_once_where_a_command_would_stop(separation: float, n_groups: int) -> None:
    score_set = ScoreSet.from_folds(pairs(n_groups, separation, size=40), design="independent")
    stopped, told = reversed_scores(score_set), said(score_set)
    assert len(told) == (stopped is not None)
    if stopped is not None:
        assert (told[0].problem, told[0].found) == (stopped.problem, stopped.found)
        assert "higher_is_positive=False" in str(told[0])
        assert "--" not in str(told[0])


def test_python_says_what_to_type_for_scores_that_run_down() -> None:
    labels, scores = binormal(40, 40, separation=1.3, seed=0)
    (told,) = said(ScoreSet.from_arrays(labels, scores, higher_is_positive=False))
    assert "higher_is_positive=True" in str(told)


def test_python_names_the_model_whose_scores_are_reversed() -> None:
    labels, good = binormal(40, 40, separation=1.3, seed=0)
    (told,) = said(ScoreSet.from_arrays(labels, {"a": good, "b": -good}))
    assert "AUC of b is" in told.problem
    assert str(told).endswith("turn the scores of b round")


def test_the_fast_path_and_curves_on_the_way_to_something_else_say_nothing() -> None:
    labels, scores = binormal(40, 40, separation=-1.3, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.auc(labels, scores)
        rs.roc_curve(labels, scores)
        rs.summarize_auc(ScoreSet.from_folds(pairs(5, -1.5), design="independent"))


@pytest.mark.parametrize(
    "ask",
    [
        rs.roc_curves,
        lambda scores: rs.average(scores, "pooled"),
        lambda scores: scores.average("pooled"),
        rs.compare,
    ],
    ids=["curves", "average", "method", "compare"],
)
def test_every_first_question_says_it_at_the_line_of_the_user(ask) -> None:
    labels, scores = binormal(40, 40, separation=-1.3, seed=0)
    models = {"a": scores, "b": scores + labels} if ask is rs.compare else scores
    with pytest.warns(RocsteadyWarning, match="RS106") as caught:
        ask(ScoreSet.from_arrays(labels, models))
    assert {Path(own.filename).name for own in caught} == {Path(__file__).name}


@pytest.mark.parametrize("higher_is_positive", [True, False])
@pytest.mark.parametrize("n_groups", [1, 3, 50])
@pytest.mark.parametrize("size", [40, 3000])
def test_areas_of_some_rows_are_about_those_of_all(
    n_groups: int, size: int, higher_is_positive: bool
) -> None:
    folds = pairs(n_groups, 0.7, size=size)
    score_set = ScoreSet.from_folds(folds, higher_is_positive=higher_is_positive, design="independent")
    assert _rough_auc(score_set, 0) == pytest.approx(rs.roc_curves(score_set).auc.mean(), abs=0.06)
