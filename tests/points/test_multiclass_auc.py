"""AUCs of several classes."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocsteady as rs
from brute_force import psi
from rocsteady.curves.from_scores import auc
from rocsteady.curves.multiclass import AUCS
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
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


# Intervals, from the design
# --------------------------


def drawn(seed, n=120, n_classes=3, **options):
    """Three overlapping classes in ten folds."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % n_classes
    outputs = np.exp(rng.normal(size=(n, n_classes)) + 1.2 * np.eye(n_classes)[labels])
    return MulticlassScores(labels, outputs, folds=np.arange(n) // n_classes % 10, **options)


def as_one(scores):
    """The same rows as a single fold."""
    return MulticlassScores(scores.label_index, scores.outputs)


@given(scored(), st.sampled_from(["classes", "rows"]))
def test_one_fold_has_the_error_of_its_cases(scores, weigh):
    """What each case adds to the mean, by definition: the mean of its placements in all pairs it is in."""
    scores = as_one(scores)
    found, n_classes = scores.auc(weigh=weigh), scores.n_classes
    y, c = scores.outputs, scores.label_index
    sizes = np.bincount(c)
    pairs = list(itertools.combinations(range(n_classes), 2))
    counts = {pair: sizes[list(pair)].sum() if weigh == "rows" else 1 for pair in pairs}
    total = sum(counts.values())
    variance = 0.0
    for k in range(n_classes):
        added = []
        for row in np.flatnonzero(c == k):
            own = 0.0
            for other in set(range(n_classes)) - {k}:
                share = counts[min(k, other), max(k, other)] / total / 2
                own += share * beats([y[row, k]], y[c == other, k])  # found by its own output
                own += share * beats(y[c == other, other], [y[row, other]])  # below the other's, by that one
            added.append(own)
        variance += np.var(added, ddof=1) / len(added) if len(added) > 1 else np.nan
    if np.isnan(variance):
        assert np.isnan(found.standard_error)
    else:
        assert found.standard_error == pytest.approx(np.sqrt(variance), abs=1e-12)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=15))
@pytest.mark.filterwarnings("ignore")
def test_two_posteriors_have_one_interval(rows):
    labels = np.array([False, True] + [label for label, _ in rows])
    y = np.array([3, 4] + [value for _, value in rows]) / 5
    one, curve = MulticlassScores(labels, np.column_stack([1 - y, y])), rs.roc_curve(labels, y)
    expected = curve.auc_interval()
    for method in AUCS:
        found = one.auc(method)
        np.testing.assert_allclose(
            [found.interval().low, found.interval().high], [expected.low, expected.high], atol=1e-12
        )
        assert found.interval().method == expected.method
        if not np.isnan(found.standard_error):
            assert found.standard_error == pytest.approx(curve.auc_standard_error(), abs=1e-12)


@given(scored())
@pytest.mark.filterwarnings("ignore")
def test_parts_of_one_fold_have_the_intervals_of_two_classes(scores):
    scores = as_one(scores)
    low, high = scores.auc("one-versus-rest").part_intervals()
    for c, name in enumerate(scores.classes):
        own = scores.one_versus_rest(name)[0]
        expected = rs.auc_interval(own.is_positive, own.scores)
        assert (low[c], high[c]) == (expected.low, expected.high)
    low, high = scores.auc().part_intervals(0.9)
    for i, j in itertools.permutations(range(scores.n_classes), 2):
        rows = np.isin(scores.label_index, [i, j])
        expected = rs.auc_interval(
            scores.label_index[rows] == i, scores.outputs[rows, i], confidence_level=0.9
        )
        assert (low[i, j], high[i, j]) == (expected.low, expected.high)
    assert np.isnan(np.diagonal(low)).all()


@pytest.mark.parametrize("design", [None, "independent", rs.Design.cross_validation(5, repeats=2)])
@pytest.mark.filterwarnings("ignore:RS286")
def test_folds_have_the_interval_of_their_mean_by_the_design(design):
    scores = drawn(1, design=design)
    found = scores.auc("one-versus-rest")
    ratio = scores.design.test_train_ratio
    assert ratio == {None: 1 / 9, "independent": 0.0}.get(design, 1 / 4)
    assert found.standard_error == pytest.approx(found.sd * np.sqrt(1 / 10 + ratio))
    low, high = found.part_intervals()
    for c, name in enumerate(scores.classes):
        summary = rs.summarize_auc(scores.one_versus_rest(name))
        assert found.parts[c] == pytest.approx(summary.estimate)
        np.testing.assert_allclose([low[c], high[c]], [summary.interval.low, summary.interval.high])
    whole = found.interval()
    assert whole.low < found.mean < whole.high
    assert whole.method == "logit t"
    wider = found.interval(0.99)
    assert wider.low < whole.low
    assert wider.high > whole.high


def test_folds_that_agree_leave_the_word_to_the_cases():
    outputs = np.tile(np.eye(3) + 0.1, (20, 1))
    scores = MulticlassScores(np.arange(60) % 3, outputs, folds=np.arange(60) // 3 % 4)
    with pytest.warns(RocsteadyWarning, match="RS287"):
        found = scores.auc().interval()
    assert found.high == 1
    assert 0.5 < found.low < 0.95
    low, _ = scores.auc().part_intervals()
    assert low[0, 1] == pytest.approx(found.low)


def test_separated_classes_have_a_bound():
    scores = MulticlassScores([0, 1, 2] * 10, np.tile(np.eye(3), (10, 1)))
    with pytest.warns(RocsteadyWarning, match="RS151"):
        found = scores.auc().interval()
    assert (found.low, found.high, found.method) == (pytest.approx(0.05 ** (1 / 10)), 1.0, "separated")


def test_few_groups_whose_aucs_are_skewed_are_warned_of():
    rng = np.random.default_rng(0)
    labels, folds = np.arange(600) % 3, np.arange(600) // 60
    apart = np.where(folds == 0, 0.2, 5.0)[:, None]
    outputs = np.exp(rng.normal(size=(600, 3)) + apart * np.eye(3)[labels])
    with pytest.warns(RocsteadyWarning, match=r"(?s)RS289.*10 folds"):
        MulticlassScores(labels, outputs, folds=folds, design="independent").auc().interval()


def test_scores_by_hospital_have_their_own_words():
    table = pd.DataFrame({"truth": list("abc") * 20, "hospital": ["x"] * 30 + ["y"] * 30})
    table[["p_a", "p_b", "p_c"]] = np.random.default_rng(0).random((60, 3))
    scores = MulticlassScores.from_frame(
        table, label="truth", outputs="p_*", group="hospital", design="independent"
    )
    assert repr(scores) == "MulticlassScores(3 classes, 60 rows, 2 hospitals)"
    assert repr(scores.auc()).endswith("3 classes, 2 hospitals)")
    assert scores.auc().design == rs.Design("independent")
    assert scores.one_versus_rest("a").unit == "hospital"
    assert scores.one_versus_rest("a").design == scores.design
