"""scikit-learn: cross-validated outputs of several classes."""

from __future__ import annotations

import builtins

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, LabelError, MissingPackageError, UsageError
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.sklearn import stratified_folds

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[y]


def test_every_row_is_judged_by_an_estimator_that_has_not_seen_it():
    scores = MulticlassScores.cross_validated(GaussianNB(), X, NAMES, folds=5, seed=3)
    folds = stratified_folds(NAMES, 5, seed=3)
    assert scores.folds == tuple(f"fold {i}" for i in range(1, 6))
    assert scores.classes == ("setosa", "versicolor", "virginica")
    np.testing.assert_array_equal(scores.fold_index, folds)
    np.testing.assert_array_equal(scores.label_index, y)
    for fold in range(5):
        fitted = clone(GaussianNB()).fit(X[folds != fold], NAMES[folds != fold])
        np.testing.assert_array_equal(scores.outputs[folds == fold], fitted.predict_proba(X[folds == fold]))


def test_columns_stand_in_the_order_of_the_estimator():
    scores = MulticlassScores.cross_validated(GaussianNB(), X, 2 - y, folds=3)
    assert scores.classes == (0, 1, 2)
    assert (scores.outputs.argmax(axis=1) == 2 - y).mean() > 0.9


def test_frames_and_other_classifiers():
    plain = MulticlassScores.cross_validated(KNeighborsClassifier(), X, y, folds=4)
    framed = MulticlassScores.cross_validated(KNeighborsClassifier(), pd.DataFrame(X), pd.Series(y), folds=4)
    np.testing.assert_array_equal(framed.outputs, plain.outputs)
    two = MulticlassScores.cross_validated(GaussianNB(), X[:100], y[:100], folds=2)
    assert (two.n_classes, two.n_rows) == (2, 100)


class Distances(ClassifierMixin, BaseEstimator):
    """A decision function with one column per class, shifted by ``least``."""

    def __init__(self, least=0.0, columns=3):
        self.least, self.columns = least, columns

    def fit(self, features, target):
        self.classes_ = np.unique(target)
        return self

    def decision_function(self, features):
        return np.abs(np.asarray(features)[:, : self.columns]) + self.least


def test_a_decision_function_serves_if_it_is_not_negative():
    scores = MulticlassScores.cross_validated(Distances(), X, y, folds=3)
    np.testing.assert_array_equal(scores.outputs, np.abs(X[:, :3]))
    with pytest.raises(DataError, match=r"(?s)RS076: Distances has no predict_proba.*CalibratedClassifierCV"):
        MulticlassScores.cross_validated(Distances(least=-9), X, y, folds=3)
    with pytest.raises(DataError, match="RS076: LinearSVC"):
        MulticlassScores.cross_validated(LinearSVC(dual="auto"), X, y, folds=3)
    assert (
        MulticlassScores.cross_validated(
            CalibratedClassifierCV(LinearSVC(dual="auto"), cv=2), X, y, folds=2
        ).n_classes
        == 3
    )
    with pytest.raises(UsageError, match=r"(?s)RS045: decision_function of Distances.*50, 2"):
        MulticlassScores.cross_validated(Distances(columns=2), X, y, folds=3)


class Forgetful(GaussianNB):
    """Learns only the first classes."""

    def fit(self, features, target):
        return super().fit(features[target < 2], target[target < 2])


class Wordless(ClassifierMixin, BaseEstimator):
    def fit(self, features, target):
        self.classes_ = np.unique(target)
        return self


def test_what_cannot_be_cross_validated():
    with pytest.raises(UsageError, match=r"(?s)RS045: the estimator of fold 1 knows other classes.*0 and 1"):
        MulticlassScores.cross_validated(Forgetful(), X, y, folds=3)
    with pytest.raises(UsageError, match="RS045: Wordless gives no scores"):
        MulticlassScores.cross_validated(Wordless(), X, y, folds=3)
    with pytest.raises(UsageError, match="RS045: LinearRegression is not a fitted classifier"):
        MulticlassScores.cross_validated(LinearRegression(), X, y, folds=3)
    with pytest.raises(UsageError, match="RS042: folds"):
        MulticlassScores.cross_validated(GaussianNB(), X, y, folds=1)
    with pytest.raises(LabelError, match="RS046"):
        MulticlassScores.cross_validated(GaussianNB(), X[:52], y[:52], folds=3)
    with pytest.raises(LabelError, match="RS024: y has one class"):
        MulticlassScores.cross_validated(GaussianNB(), X[:50], y[:50], folds=3)
    with pytest.raises(ColumnError, match="RS013"):
        MulticlassScores.cross_validated(GaussianNB(), X[:9], y, folds=3)


def test_without_scikit_learn(monkeypatch):
    real = builtins.__import__

    def refusing(name, *args, **kwargs):
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refusing)
    with pytest.raises(MissingPackageError, match="RS061"):
        MulticlassScores.cross_validated(None, X, y)


@pytest.mark.parametrize("score", [rs.cross_validated_scores, MulticlassScores.cross_validated])
@pytest.mark.parametrize("estimator", [None, GaussianNB, "lr"])
def test_what_is_no_estimator_is_refused(score, estimator):
    with pytest.raises(rs.RocsteadyError, match="RS045: estimator must be a classifier"):
        score(estimator, np.zeros((20, 1)), [0, 1] * 10, folds=2)


@pytest.mark.parametrize("seed", [-1, 0.5, True, None])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(rs.RocsteadyError, match="RS042: seed must be a whole number"):
        stratified_folds([0, 1] * 10, 2, seed=seed)
