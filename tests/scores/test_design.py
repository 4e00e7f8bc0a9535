"""What is known of how rows came about: said, shown by cases for certain, or assumed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.scores.design import ASSUMED, Design, n_covers


def repeated(n_cases: int, k: int, r: int, seed: int = 0):
    """Cases, folds and repeats of a repeated cross-validation, one row for each test."""
    rng = np.random.default_rng(seed)
    cases, folds, repeats = [], [], []
    for repeat in range(r):
        cases.append(rng.permutation(n_cases))
        folds.append(np.arange(n_cases) % k)
        repeats.append(np.full(n_cases, repeat))
    return np.concatenate(cases), np.concatenate(folds), np.concatenate(repeats)


def scored(tested, groups, **more):
    labels = np.asarray(tested) % 2
    scores = np.random.default_rng(1).normal(size=len(tested)) + labels
    return rs.ScoreSet.from_arrays(labels, scores, groups, **more)


def test_folds_are_those_of_one_cross_validation_unless_said_otherwise():
    pairs = [([1, 0, 0], [3, 2, 1])] * 6
    assert rs.ScoreSet.from_folds(pairs).design == Design.cross_validation(6)
    assert rs.ScoreSet.from_folds(pairs, repeats=2).design == Design("cross-validation", 3, 2, 0.5)
    assert rs.ScoreSet.from_folds(pairs, design="independent").design == Design("independent")
    assert rs.ScoreSet.from_folds(pairs[:1]).design == ASSUMED


def test_the_word_for_a_group_changes_no_design():
    pairs = [([1, 0, 0], [3, 2, 1])] * 6
    assert rs.ScoreSet.from_folds(pairs, unit="host").design == rs.ScoreSet.from_folds(pairs).design
    labels, scores, groups = [1, 0] * 4, range(8), [1, 1, 2, 2, 3, 3, 4, 4]
    for unit in ("fold", "host", "reader", "scaffold"):
        assert rs.ScoreSet.from_arrays(labels, scores, groups, unit=unit).design == ASSUMED


def test_splits_that_share_training_cases_need_their_ratio():
    for wrong in ("hold-out", "cross-validation"):
        with pytest.raises(rs.RocsteadyError, match="RS042"):
            Design(wrong)
    with pytest.raises(rs.RocsteadyError, match="RS042"):
        rs.ScoreSet.from_folds([([1, 0, 0], [3, 2, 1])] * 3, design="hold-out")
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        rs.ScoreSet.from_folds([([1, 0, 0], [3, 2, 1])] * 3, design="cv")


def test_repeats_must_have_the_same_number_of_folds():
    with pytest.raises(rs.RocsteadyError, match="RS067"):
        rs.ScoreSet.from_folds([([1, 0, 0], [3, 2, 1])] * 5, repeats=2)
    cases, folds, repeats = repeated(20, 4, 2)
    keep = ~((repeats == 1) & (folds == 3))
    with pytest.raises(rs.RocsteadyError, match="RS067"):
        scored(cases[keep], folds[keep], repeats=repeats[keep])


def test_a_column_of_repeats_makes_a_group_of_every_fold_of_every_repeat():
    cases, folds, repeats = repeated(40, 4, 3)
    found = scored(cases, folds, repeats=repeats)
    assert len(found.groups) == 12
    assert found.groups[0] == "0 of repeat 0"
    assert found.design == Design.cross_validation(4, repeats=3)
    frame = {"y": cases % 2, "s": cases * 1.0, "fold": folds, "again": repeats}
    read = rs.ScoreSet.from_frame(frame, label="y", score="s", group="fold", repeat="again")
    assert read.design == found.design
    numbered = scored(cases, folds + 4 * repeats, repeats=repeats)  # through all repeats
    assert numbered.groups == tuple(map(str, range(12)))
    assert numbered.design == found.design


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 2**32), st.booleans())
def test_two_exact_covers_of_named_cases_are_repeats_in_any_order_of_groups(k, r, seed, shuffled):
    cases, folds, repeats = repeated(6 * k, k, r, seed)
    groups = folds + k * repeats
    if shuffled:
        groups = np.random.default_rng(seed).permutation(k * r)[groups]
    assert n_covers(cases, groups, k * r) == r
    assert scored(cases, groups, cases=cases).design == Design.cross_validation(k, repeats=r)


def test_what_cases_do_not_show_for_certain_is_assumed():
    cases, folds, repeats = repeated(40, 4, 1)
    assert scored(cases, folds, cases=cases).design == ASSUMED  # one cover: hospitals look the same
    readers = np.repeat(np.arange(5), 40)
    assert scored(np.tile(np.arange(40), 5), readers, cases=np.tile(np.arange(40), 5)).design == ASSUMED
    cases, folds, repeats = repeated(40, 4, 2)
    torn = cases.copy()
    torn[0] = torn[1]
    groups = folds + 4 * repeats
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert scored(torn - torn % 2, groups, cases=torn - torn % 2).design == ASSUMED


def test_rows_of_a_wide_table_are_no_cases_that_tell_a_design():
    labels, groups = np.tile([0, 1], 40), np.repeat(np.arange(4), 20)
    both = {"a": np.arange(80.0), "b": np.arange(80.0)[::-1]}
    assert rs.ScoreSet.from_arrays(labels, both, groups).design == ASSUMED


def test_groups_called_fold_are_asked_about_once_and_hospitals_are_not():
    labels, scores, groups = np.tile([0, 1], 20), np.arange(40.0), np.repeat(np.arange(4), 10)
    for unit, is_asked in (("fold", True), ("split", True), ("hospital", False), ("scaffold", False)):
        found = rs.ScoreSet.from_arrays(labels, scores, groups, unit=unit)
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            rs.average(found, "vertical")
            rs.summarize_auc(found)
        assert sum("RS108" in str(each.message) for each in met) == is_asked, unit
    said = rs.ScoreSet.from_arrays(labels, scores, groups, unit="fold", design="independent")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="RS108")
        rs.average(said, "vertical")


def test_a_patient_in_several_folds_of_one_repeat_is_leakage():
    cases, folds, repeats = repeated(40, 4, 2)
    with pytest.warns(rs.RocsteadyWarning, match="RS109"):
        scored(cases, folds, repeats=repeats, clusters=cases // 4)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="RS109")
        scored(cases, folds, repeats=repeats, clusters=cases)  # tested once in each repeat


def test_a_design_stays_with_the_models_of_a_set():
    labels, groups = np.tile([0, 1], 40), np.repeat(np.arange(4), 20)
    both = {"a": np.arange(80.0), "b": np.arange(80.0)[::-1]}
    found = rs.ScoreSet.from_arrays(labels, both, groups, design="cross-validation")
    assert found.model("b").design == Design.cross_validation(4)
    assert rs.roc_curves(found.model("a")).design == Design.cross_validation(4)
    assert found.to_dict()["design"]["test_train_ratio"] == 1 / 3


def test_splitters_of_scikit_learn_tell_their_design():
    from sklearn import model_selection as selection
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 60)
    X, owners = rng.normal(size=(120, 2)) + y[:, None], np.arange(120) // 4
    splitters = {
        5: Design.cross_validation(5),
        selection.KFold(5): Design.cross_validation(5),
        selection.RepeatedStratifiedKFold(n_splits=6, n_repeats=3, random_state=0): Design.cross_validation(
            6, repeats=3
        ),
        selection.GroupKFold(4): Design.cross_validation(4),
        selection.LeaveOneGroupOut(): Design.cross_validation(30),
        selection.ShuffleSplit(7, test_size=0.25, random_state=0): Design.hold_out(30 / 90),
    }
    for cv, expected in splitters.items():
        groups = owners if "Group" in type(cv).__name__ else None
        found = rs.cross_validated_scores(GaussianNB(), X, y, cv=cv, groups=groups)
        assert found.design == expected
        assert (found.clusters is None) == (groups is None)
        run = selection.cross_validate(
            GaussianNB(), X, y, cv=cv, groups=groups, return_estimator=True, return_indices=True
        )
        assert rs.ScoreSet.from_cv_results(run, X, y).design == expected
    grown = rs.cross_validated_scores(GaussianNB(), X, y, cv=selection.TimeSeriesSplit(4)).design
    assert grown.kind == "hold-out"
    with pytest.raises(rs.RocsteadyError, match="RS045"):
        rs.cross_validated_scores(GaussianNB(), X, y, cv=3.5)
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        rs.cross_validated_scores(GaussianNB(), X, y, groups=owners)
