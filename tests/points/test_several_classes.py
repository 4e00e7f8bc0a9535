"""Real outputs of several classes: four classes in ten folds against plain NumPy, and scikit-learn's digits."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import confusion_matrix, precision_score, recall_score

import rocsteady as rs

CLASSES = ["VF", "F", "M", "L"]
WEIGHTS = np.array([[1.0, 1, 1, 1], [1, 2, 4, 6], [0.2, 1, 3, 2]])


@pytest.fixture(scope="module")
def path(data_folder):
    return data_folder / "scores" / "yardstick_hpc_cv.csv"


@pytest.fixture(scope="module")
def scores(path):
    return rs.read_scores(path, label="obs", outputs=CLASSES, group="Resample")


@pytest.fixture(scope="module")
def plain(path):
    """Labels, outputs and folds by the csv module and NumPy alone."""
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    y = np.array([[float(row[c]) for c in CLASSES] for row in rows])
    return (
        np.array([CLASSES.index(row["obs"]) for row in rows]),
        y,
        np.array([row["Resample"] for row in rows]),
    )


def errors_by_fold(plain, weights):
    """Share of each class that is decided wrongly in each fold, (folds, C)."""
    labels, y, folds = plain
    wrong = (weights * y).argmax(axis=1) != labels
    return np.array(
        [[wrong[(folds == f) & (labels == c)].mean() for c in range(4)] for f in dict.fromkeys(folds)]
    )


def test_class_errors_are_those_of_plain_numpy(scores, plain):
    found = rs.average_multiclass_points(scores, WEIGHTS).measure("class_error")
    for k, weights in enumerate(WEIGHTS):
        expected = errors_by_fold(plain, weights)
        np.testing.assert_allclose(found.per_fold[:, k], expected, atol=1e-15)
        np.testing.assert_allclose(found.mean[k], expected.mean(axis=0), atol=1e-15)
        error = expected.std(axis=0, ddof=1) * np.sqrt(1 / 10 + 1 / 9)
        np.testing.assert_allclose(found.standard_error[k], error, atol=1e-15)


def test_predictions_of_the_file_are_those_of_equal_weights(scores, path):
    with path.open(newline="") as stream:
        predicted = [row["pred"] for row in csv.DictReader(stream)]
    assert [CLASSES[i] for i in rs.decide(scores, np.ones(4))] == predicted


def test_searched_weights_do_in_plain_numpy_what_is_said(scores, plain):
    labels, y, _ = plain
    for options in ({}, {"at_most": {"L": 0.1}}, {"at_most": {"VF": 0.1, "L": 0.6}}):
        found = rs.search_class_weights(scores, **options)
        for weights, errors in zip(found.class_weights[::20], found.errors[::20], strict=True):
            wrong = (weights * y).argmax(axis=1) != labels
            assert errors.tolist() == [wrong[labels == c].mean() for c in range(4)]
        for name, limit in options.get("at_most", {}).items():
            assert (found.errors[:, CLASSES.index(name)] <= limit).all()
    free = rs.search_class_weights(scores).best
    equal = errors_by_fold(plain, np.ones(4)).mean(axis=0)
    assert free.max_error == pytest.approx(0.4393, abs=0.002)
    assert equal.max() > 0.8


def test_no_weights_tried_at_random_are_better(scores, plain):
    """A hundred thousand vectors around the found ones, under a limit and without."""
    labels, y, _ = plain
    rng = np.random.default_rng(0)
    for limits in ({}, {"L": 0.1}):
        best = rs.search_class_weights(scores, at_most=limits or None).best
        tried = best.class_weights * np.exp(
            rng.normal(size=(400, 4)) * rng.choice([0.02, 0.1, 0.5], (400, 1))
        )
        wrong = (tried[:, None] * y).argmax(axis=2) != labels
        errors = np.column_stack([wrong[:, labels == c].mean(axis=1) for c in range(4)])
        kept = np.all([errors[:, CLASSES.index(c)] <= x for c, x in limits.items()] or [True], axis=0)
        others = [i for i, c in enumerate(CLASSES) if c not in limits]
        assert best.errors[others].max() <= errors[kept][:, others].max(axis=1).min() + 0.003


def test_the_confusion_matrix_is_that_of_scikit_learn(scores, plain):
    labels, y, folds = plain
    matrix = rs.average_multiclass_points(scores, WEIGHTS).confusion_matrix(1)
    decided = (WEIGHTS[1] * y).argmax(axis=1)
    expected = confusion_matrix(labels, decided)
    assert matrix.counts.tolist() == expected.tolist()
    assert matrix.counts.dtype == np.int64
    assert matrix.row_totals.tolist() == expected.sum(axis=1).tolist()
    assert matrix.column_totals.tolist() == expected.sum(axis=0).tolist()
    assert matrix.total == len(labels)
    np.testing.assert_allclose(matrix.recall, recall_score(labels, decided, average=None))
    np.testing.assert_allclose(matrix.precision, precision_score(labels, decided, average=None))
    for name, score in (("recall", recall_score), ("precision", precision_score)):
        own = [score(labels[folds == f], decided[folds == f], average=None) for f in dict.fromkeys(folds)]
        error = np.std(own, axis=0, ddof=1) * np.sqrt(1 / 10 + 1 / 9)
        np.testing.assert_allclose(getattr(matrix, f"{name}_standard_error"), error)
    frame = matrix.to_frame()
    assert frame["class"].tolist() == CLASSES
    assert frame["decided M"].tolist() == expected[:, 2].tolist()


def test_which_class_tells_two_points_apart(scores, plain):
    table = rs.average_multiclass_points(scores, np.vstack([WEIGHTS, WEIGHTS[0]]))
    tests = table.compare_to(0, "class_error")
    assert tests.separated_by.shape == (4, 4)
    assert tests.separated_by.tolist() == [
        [False if k == 0 else bool(tests.adjusted_pvalue[k, c] <= 0.05) for c in range(4)] for k in range(4)
    ]
    assert not tests.separated_by[[0, 3]].any()
    for k in (1, 2):
        apart = errors_by_fold(plain, WEIGHTS[k]) - errors_by_fold(plain, WEIGHTS[0])
        t = apart.mean(axis=0) / (apart.std(axis=0, ddof=1) * np.sqrt(1 / 10 + 1 / 9))
        assert tests.separated_by[k].tolist() == (2 * student.sf(np.abs(t), 9) <= 0.05).tolist()
    assert tests.separated_by[1:3].any()
    alike = ~tests.separated_by.any(axis=1)
    assert alike.tolist() == tests.indistinguishable.tolist()
    one = rs.average_multiclass_points(scores, WEIGHTS).compare_to(0, "accuracy")
    assert one.separated_by.shape == (3, 1)


def test_nothing_is_decided_for_a_class_that_weighs_nothing(scores):
    matrix = rs.average_multiclass_points(scores, [1, 1, 1, 1e-60]).confusion_matrix(-1)
    assert matrix.column_totals[3] == 0
    assert np.isnan(matrix.precision[3])
    assert np.isnan(matrix.precision_standard_error[3])
    assert matrix.recall[3] == 0


def test_digits_of_scikit_learn():
    """Ten classes: outputs of a classifier of our own, fold by fold, against the same done by hand."""
    X, y = load_digits(return_X_y=True)
    scores = rs.MulticlassScores.cross_validated(LinearDiscriminantAnalysis(), X, y, folds=5, seed=3)
    made = np.empty((len(y), 10))
    for fold in range(5):
        test = scores.fold_index == fold
        made[test] = LinearDiscriminantAnalysis().fit(X[~test], y[~test]).predict_proba(X[test])
    np.testing.assert_allclose(scores.outputs, made, atol=1e-12)
    assert scores.classes == tuple(range(10))
    assert scores.are_posteriors
    table = rs.average_multiclass_points(scores, np.ones(10))
    assert table.confusion_matrix(0).counts.tolist() == confusion_matrix(y, made.argmax(axis=1)).tolist()
    found = rs.search_class_weights(scores, n_start=200, n_steps=2, keep=20)
    assert found.best.max_error < table.measure("class_error").stacked[0].max()
    strict = rs.search_class_weights(scores, at_most={8: 0.05, "1": 0.06}, n_start=200, n_steps=2, keep=20)
    assert strict.best.errors[8] <= 0.05
    assert strict.best.errors[1] <= 0.06
    auc = scores.auc().interval()
    assert 0.99 < auc.low < scores.auc().mean < auc.high < 1
