"""AUCs of several classes."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from brute_force import psi
from rocsteady.curves.from_scores import auc
from rocsteady.curves.multiclass import AUCS
from rocsteady.errors import DataError, UsageError
from rocsteady.scores.multiclass import MulticlassScores


@st.composite
def scored(draw, n_classes=None):
    """Every fold has every class; outputs with ties, of either sign."""
    n_classes = n_classes or draw(st.integers(2, 4))
    labels, folds = [], []
    for fold in range(draw(st.integers(1, 3))):
        own = list(range(n_classes)) + draw(st.lists(st.integers(0, n_classes - 1), max_size=4))
        labels += own
        folds += [fold] * len(own)
    value = draw(st.sampled_from([st.integers(-2, 2).map(float), st.floats(-1, 1)]))
    size = len(labels) * n_classes
    outputs = np.array(draw(st.lists(value, min_size=size, max_size=size))).reshape(-1, n_classes)
    return MulticlassScores(labels, outputs, folds=folds)


def beats(a, b):
    """The share of pairs in which an a is larger, ties half."""
    return float(np.mean([float(psi(x, y)) for x in a for y in b]))


@given(scored())
def test_pairs_and_classes_are_what_counting_says(scores):
    pairs, classes = scores.auc(), scores.auc("one-versus-rest")
    n_classes = scores.n_classes
    for f in range(len(scores.folds)):
        own = scores.fold_index == f
        y, c = scores.outputs[own], scores.label_index[own]
        for i in range(n_classes):
            assert classes.parts_per_fold[f, i] == pytest.approx(beats(y[c == i, i], y[c != i, i]), abs=1e-14)
            for j in set(range(n_classes)) - {i}:
                expected = beats(y[c == i, i], y[c == j, i])
                assert pairs.parts_per_fold[f, i, j] == pytest.approx(expected, abs=1e-14)
        both = [
            (pairs.parts_per_fold[f, i, j] + pairs.parts_per_fold[f, j, i]) / 2
            for i, j in itertools.combinations(range(n_classes), 2)
        ]
        assert pairs.per_fold[f] == pytest.approx(np.mean(both), abs=1e-14)
        assert classes.per_fold[f] == pytest.approx(classes.parts_per_fold[f].mean(), abs=1e-14)
    assert np.isnan(np.diagonal(pairs.parts)).all()
    assert pairs.mean == pytest.approx(pairs.per_fold.mean(), abs=1e-14)
    if len(scores.folds) > 1:
        assert pairs.sd == pytest.approx(pairs.per_fold.std(ddof=1), abs=1e-14)
    else:
        assert np.isnan(pairs.sd)
        assert pairs.stacked == pairs.mean


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.integers(3, 6))
def test_scikit_learn_gives_the_same(seed, n_classes):
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 30)])
    outputs = np.round(rng.dirichlet(np.ones(n_classes), labels.size), 2) + 0.01
    outputs /= outputs.sum(axis=1, keepdims=True)
    scores = MulticlassScores(labels, outputs)
    for method, theirs in (("hand-till", "ovo"), ("one-versus-rest", "ovr")):
        for weigh, average in (("classes", "macro"), ("rows", "weighted")):
            expected = roc_auc_score(labels, outputs, multi_class=theirs, average=average)
            found = scores.auc(method, weigh=weigh)
            assert found.mean == pytest.approx(expected, abs=1e-12)
            assert found.stacked == found.mean


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=12))
def test_two_posteriors_have_one_auc(rows):
    labels = np.array([False, True] + [label for label, _ in rows])
    y = np.array([0.3, 0.6] + [value for _, value in rows])
    scores = MulticlassScores(labels, np.column_stack([0.0 - y, y]))
    expected = auc(labels, y)
    for method, weigh in itertools.product(AUCS, ("classes", "rows")):
        assert scores.auc(method, weigh=weigh).mean == pytest.approx(expected, abs=1e-14)


@given(scored(), st.randoms())
def test_the_order_of_classes_does_not_matter(scores, random):
    order = list(range(scores.n_classes))
    random.shuffle(order)
    folds = [scores.folds[f] for f in scores.fold_index]
    moved = MulticlassScores(scores.label_index, scores.outputs[:, order], folds=folds, classes=order)
    for method in AUCS:
        assert moved.auc(method).mean == pytest.approx(scores.auc(method).mean, abs=1e-14)


def test_yardstick_gives_the_same(data_folder):
    """roc_auc(hpc_cv, obs, VF:L) is 0.829 (hand_till) and 0.868 (macro_weighted): "Tidy Modeling with R", 9.4."""
    table = pd.read_csv(data_folder / "scores" / "yardstick_hpc_cv.csv")
    scores = MulticlassScores(table["obs"], table[["VF", "F", "M", "L"]], folds=table["Resample"])
    assert round(scores.auc().stacked, 3) == 0.829
    assert round(scores.auc("one-versus-rest", weigh="rows").stacked, 3) == 0.868
    assert len(scores.auc().per_fold) == 10


def test_one_versus_rest_scores_have_the_same_aucs(data_folder):
    table = pd.read_csv(data_folder / "scores" / "yardstick_hpc_cv.csv")
    scores = MulticlassScores(table["obs"], table[["VF", "F", "M", "L"]], folds=table["Resample"])
    found = scores.auc("one-versus-rest")
    for c, name in enumerate(scores.classes):
        own = scores.one_versus_rest(name)
        np.testing.assert_array_equal(
            [auc(fold.is_positive, fold.scores) for fold in own], found.parts_per_fold[:, c]
        )


def test_folds_and_classes_that_are_missing():
    outputs = np.random.default_rng(0).random((8, 3))
    uneven = MulticlassScores(list("abcababc"), outputs, folds=list("xxxyyzzz"))
    with pytest.raises(DataError, match=r"(?s)RS078: 1 fold lacks a class.*drop") as raised:
        uneven.auc()
    assert "keep" not in str(raised.value)
    dropped = uneven.auc(undefined="drop")
    assert dropped.folds == ("x", "z")
    assert dropped.undefined == ("fold y: no c",)
    with pytest.raises(DataError, match="RS078: 1 class has no rows"):
        MulticlassScores([0, 1], outputs[:2], classes=[0, 1, 2]).auc()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "ovo"}, "here that is  method='hand-till'"),
        ({"method": "micro"}, "known: 'hand-till'"),
        ({"weigh": "prevalence"}, "weigh"),
        ({"undefined": "keep"}, "undefined"),
    ],
)
def test_words_that_are_not_known(options, words):
    with pytest.raises(UsageError, match=f"(?s)RS001.*{words}"):
        MulticlassScores([0, 1], np.eye(2)).auc(**options)


def test_printing_and_plain_values():
    found = MulticlassScores([0, 1, 2], np.eye(3)).auc()
    assert repr(found) == "MulticlassAuc(hand-till: 1, 3 classes, 1 fold)"
    assert found.to_frame()["auc"].tolist() == [1]
    assert found.to_dict()["sd"] is None
