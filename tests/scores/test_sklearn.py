"""scikit-learn: scores of test folds, and stratified folds exactly as specified."""

from __future__ import annotations

import builtins

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocsteady.errors import ColumnError, DataError, LabelError, MissingPackageError, UsageError
from rocsteady.scores import ScoreSet, cross_validated_scores, stratified_folds

X, y = make_classification(120, 5, random_state=0)
WORDS = np.where(y == 1, "sick", "well")


def results(estimator=None, target=y, **options):
    return cross_validate(
        estimator or GaussianNB(),
        X,
        target,
        cv=4,
        **({"return_estimator": True, "return_indices": True} | options),
    )


# -- folds ----------------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(5, 30), min_size=2, max_size=4), st.integers(2, 5), st.integers(0, 9), st.randoms()
)
def test_folds_are_as_even_as_counts_allow(counts, n_folds, seed, random):
    labels = [c for c, n in enumerate(counts) for _ in range(n)]
    random.shuffle(labels)
    folds = stratified_folds(labels, n_folds, seed=seed)
    sizes = np.bincount(folds, minlength=n_folds)
    assert sizes.max() - sizes.min() <= 1
    for c in range(len(counts)):
        of_class = np.bincount(folds[np.array(labels) == c], minlength=n_folds)
        assert of_class.max() - of_class.min() <= 1
    assert folds.tolist() == stratified_folds(labels, n_folds, seed=seed).tolist()


def test_folds_are_dealt_as_specified():
    labels = ["b", "a", "b", "a", "a", "b", "a"]
    rng, fold_of_row, pointer = np.random.default_rng(3), [0] * 7, 0
    for label in ("a", "b"):
        for row in rng.permutation([i for i, found in enumerate(labels) if found == label]):
            fold_of_row[row] = pointer % 3
            pointer += 1
    assert stratified_folds(labels, 3, seed=3).tolist() == fold_of_row


def test_seeds_differ():
    assert stratified_folds(y, 5, seed=0).tolist() != stratified_folds(y, 5, seed=1).tolist()


# -- cross_validate ---------------------------------------------------------------------------------------


def test_scores_are_those_of_each_estimator_on_its_test_rows():
    for estimator in (
        GaussianNB(),
        LogisticRegression(),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ):
        run = results(estimator)
        score_set = ScoreSet.from_cv_results(run, X, y)
        assert score_set.names == ("fold 1", "fold 2", "fold 3", "fold 4")
        assert score_set.unit == "fold"
        for scores, fitted, rows in zip(score_set, run["estimator"], run["indices"]["test"], strict=True):
            expected = (
                fitted.decision_function(X[rows])
                if hasattr(fitted, "decision_function")
                else fitted.predict_proba(X[rows])[:, 1]
            )
            assert scores.scores.tolist() == expected.tolist()
            assert scores.is_positive.tolist() == (y[rows] == 1).tolist()
        assert [score_set.cases.values[c] for c in score_set.cases.codes] == np.concatenate(
            run["indices"]["test"]
        ).tolist()


@pytest.mark.parametrize("estimator", [GaussianNB(), LogisticRegression()])
def test_the_positive_class_is_the_second_unless_named(estimator):
    run = results(estimator, WORDS)
    default = ScoreSet.from_cv_results(run, X, WORDS)
    assert default.classes.positive == "well"  # classes_ are sorted
    named = ScoreSet.from_cv_results(run, X, WORDS, positive="sick")
    assert named.classes.positive == "sick"
    assert (named.columns.labels == 1 - default.columns.labels).all()
    ranks = [np.argsort(np.argsort(s.columns.scores)) for s in (default, named)]
    assert (ranks[0] == 119 - ranks[1]).all()


def test_hyperparameter_values_become_models():
    runs = {strength: results(LogisticRegression(C=strength)) for strength in (0.01, 1.0)}
    score_set = ScoreSet.from_cv_results(runs, X, y)
    assert score_set.models == ("0.01", "1.0")
    assert len(score_set) == 8
    alone = ScoreSet.from_cv_results(runs[1.0], X, y)
    assert score_set.model(1.0).columns.scores.tolist() == alone.columns.scores.tolist()
    assert score_set.names[0] == "0.01 / fold 1"


@pytest.mark.parametrize(
    "features",
    [X, X.tolist(), pd.DataFrame(X), pl.DataFrame(X), sparse.csr_array(X)],
    ids=["array", "list", "pandas", "polars", "sparse"],
)
@pytest.mark.parametrize("target", [y, y.tolist(), pd.Series(y, index=range(500, 620)), pl.Series(y)])
def test_containers(features, target):
    score_set = cross_validated_scores(LogisticRegression(), features, target, folds=3)
    expected = cross_validated_scores(LogisticRegression(), X, y, folds=3)
    assert score_set.columns.labels.tolist() == expected.columns.labels.tolist()
    np.testing.assert_allclose(score_set.columns.scores, expected.columns.scores, rtol=1e-3)


def test_cross_validated_scores_are_seeded_and_out_of_sample():
    one = cross_validated_scores(GaussianNB(), X, y, folds=5, seed=2)
    two = cross_validated_scores(GaussianNB(), X, y, folds=5, seed=2)
    assert one.columns.scores.tolist() == two.columns.scores.tolist()
    assert len(one) == 5
    assert sorted(one.cases.values) == list(range(120))
    fold_of_row = stratified_folds(y, 5, seed=2)
    rows = np.flatnonzero(fold_of_row == 0)
    fitted = GaussianNB().fit(X[fold_of_row != 0], y[fold_of_row != 0])
    assert one[0].scores.tolist() == fitted.predict_proba(X[rows])[:, 1].tolist()


def test_several_estimators_are_models_on_the_same_folds():
    tried = {"narrow": GaussianNB(), "wide": GaussianNB(var_smoothing=0.1)}
    both = cross_validated_scores(tried, X, y, folds=4, seed=3)
    assert both.models == ("narrow", "wide")
    for name, estimator in tried.items():
        alone = cross_validated_scores(estimator, X, y, folds=4, seed=3)
        for found, expected in zip(both.model(name), alone, strict=True):
            assert found.scores.tolist() == expected.scores.tolist()
            assert list(found.cases) == list(expected.cases)
    with pytest.raises(UsageError, match="RS045"):
        cross_validated_scores({"narrow": GaussianNB(), "none": None}, X, y)
    with pytest.raises(UsageError, match="RS045"):
        cross_validated_scores({}, X, y)


def test_the_estimator_given_is_not_fitted():
    estimator = GaussianNB()
    cross_validated_scores(estimator, X, y, folds=2)
    assert not hasattr(estimator, "classes_")


# -- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "phrase"),
    [
        ({"return_indices": False}, "return_indices=True"),
        ({"return_estimator": False}, "return_estimator=True"),
        (
            {"return_estimator": False, "return_indices": False},
            "return_estimator=True and return_indices=True",
        ),
    ],
)
def test_incomplete_results(options, phrase):
    with pytest.raises(UsageError, match="RS045") as caught:
        ScoreSet.from_cv_results(results(**options), X, y)
    assert f"lack {phrase}" in str(caught.value)
    with pytest.raises(UsageError, match="RS045") as caught:
        ScoreSet.from_cv_results({0.1: results(), 0.5: results(**options)}, X, y)
    assert 'of "0.5" lack' in str(caught.value)


@pytest.mark.parametrize("wrong", [{}, [], None])
def test_what_are_no_results(wrong):
    with pytest.raises(UsageError, match="RS045"):
        ScoreSet.from_cv_results(wrong, X, y)


def test_more_than_two_classes():
    three = np.arange(120) % 3
    with pytest.raises(LabelError, match="RS022: y has 3 classes"):
        ScoreSet.from_cv_results(results(target=three), X, three)


def test_an_unknown_positive_class():
    with pytest.raises(LabelError, match=r'RS021.*"ill"') as caught:
        ScoreSet.from_cv_results(results(target=WORDS), X, WORDS, positive="ill")
    assert "sick, well" in str(caught.value)


def test_estimators_without_scores():
    with pytest.raises(UsageError, match="RS045: LinearRegression is not a fitted classifier"):
        ScoreSet.from_cv_results(results(LinearRegression()), X, y)

    class Decider(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.zeros(len(X))

    with pytest.raises(UsageError, match="RS045: Decider gives no scores"):
        cross_validated_scores(Decider(), X, y, folds=2)


def test_a_fold_trained_on_one_class():
    run = {"estimator": [GaussianNB().fit(X[y == 1], y[y == 1])], "indices": {"test": [np.arange(9)]}}
    with pytest.raises(LabelError, match="RS024: the estimator of fold 1 was trained on one class"):
        ScoreSet.from_cv_results(run, X, y)


def test_a_class_with_fewer_cases_than_folds():
    with pytest.raises(LabelError, match='RS046: class "1" has fewer cases'):
        cross_validated_scores(GaussianNB(), X[:12], [0] * 8 + [1] * 4, folds=5)


def test_without_scikit_learn(monkeypatch):
    real = builtins.__import__

    def guarded(name, *args, **kwargs):
        if name.split(".")[0] == "sklearn":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", guarded)
    with pytest.raises(MissingPackageError, match="RS061"):
        cross_validated_scores(GaussianNB(), X, y)


@pytest.fixture(scope="module")
def cross_validated():
    X, y = np.random.default_rng(0).normal(size=(120, 2)), np.tile([0, 1], 60)
    return cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True), X, y


def test_features_and_labels_have_the_same_rows(cross_validated):
    results, X, y = cross_validated
    for features, labels in ((X, y[:60]), (X[:60], y)):
        with pytest.raises(ColumnError, match="RS013: X and y have different lengths"):
            cross_validated_scores(GaussianNB(), features, labels)
        with pytest.raises(ColumnError, match="RS013: X and y have different lengths"):
            ScoreSet.from_cv_results(results, features, labels)
    for features, labels in ((X[:60], y[:60]), (np.vstack([X, X]), np.tile(y, 2))):
        with pytest.raises(ColumnError, match=r"RS013: X and y have .* rows than were cross-validated"):
            ScoreSet.from_cv_results(results, features, labels)
    for call in (cross_validated_scores, ScoreSet.from_cv_results):
        with pytest.raises(DataError, match="RS034: X has no rows"):
            call(results if call == ScoreSet.from_cv_results else GaussianNB(), None, y)


def test_folds_may_leave_rows_out():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.tile([0, 1], 30)
    for cv in (ShuffleSplit(3, train_size=0.5, test_size=0.2, random_state=0), TimeSeriesSplit(3)):
        results = cross_validate(GaussianNB(), X, y, cv=cv, return_estimator=True, return_indices=True)
        assert len(ScoreSet.from_cv_results(results, X, y)) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"indices": None},
        {"indices": {"train": []}},
        {"estimator": None},
        {"estimator": []},
        {"indices": {"test": ["a"] * 5}},
        {"indices": {"test": [np.ones(50, bool)] * 5}},
    ],
)
def test_results_without_their_parts(cross_validated, change):
    results, X, y = cross_validated
    with pytest.raises(UsageError, match="RS045"):
        ScoreSet.from_cv_results({**results, **change}, X, y)


def test_test_folds_may_be_masks(cross_validated):
    results, X, y = cross_validated
    masks = [np.isin(np.arange(120), rows) for rows in results["indices"]["test"]]
    by_mask = ScoreSet.from_cv_results({**results, "indices": {"test": masks}}, X, y)
    by_number = ScoreSet.from_cv_results(results, X, y)
    assert [s.to_dict() for s in by_mask] == [s.to_dict() for s in by_number]


def test_one_class_teaches_nothing(cross_validated):
    with pytest.raises(LabelError, match="RS024"):
        cross_validated_scores(GaussianNB(), cross_validated[1], np.zeros(120))
