"""Operating points of several classes, averaged over folds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rocsteady.errors import DataError, UsageError
from rocsteady.points.multiclass import average_multiclass_points, decide
from rocsteady.points.tables import average_operating_points
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.score_set import ScoreSet


@st.composite
def scored_folds(draw, n_classes=None, values=(0.0, 0.1, 0.25, 0.5, 1.0)):
    """MulticlassScores whose folds have every class, with many ties."""
    n_classes = n_classes or draw(st.integers(2, 4))
    n_folds = draw(st.integers(1, 4))
    labels, folds = [], []
    for fold in range(n_folds):
        own = list(range(n_classes)) + draw(st.lists(st.integers(0, n_classes - 1), max_size=4))
        labels += own
        folds += [f"f{fold}"] * len(own)
    size = len(labels) * n_classes
    outputs = draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))
    return MulticlassScores(
        labels, np.array(outputs).reshape(-1, n_classes), folds=folds, classes=range(n_classes)
    )


VECTORS = st.integers(1, 4)
RNG_SEED = st.integers(0, 10**6)


def weights_for(scores, n_vectors, seed):
    return np.random.default_rng(seed).dirichlet(np.ones(scores.n_classes), n_vectors)


@given(scored_folds(), VECTORS, RNG_SEED)
def test_the_matrices_are_those_of_decide(scores, n_vectors, seed):
    weights = weights_for(scores, n_vectors, seed)
    table = average_multiclass_points(scores, weights)
    decided = decide(scores, weights)
    for f in range(len(scores.folds)):
        for k in range(n_vectors):
            for true in range(scores.n_classes):
                rows = (scores.fold_index == f) & (scores.label_index == true)
                expected = np.bincount(decided[k][rows], minlength=scores.n_classes)
                assert table.confusion.matrix[f, k, true].tolist() == expected.tolist()
    np.testing.assert_array_equal(table.class_weights, weights)
    assert table.folds == scores.folds
    assert table.classes == scores.classes


@given(scored_folds(), VECTORS, RNG_SEED)
def test_rows_of_a_matrix_add_up_to_the_class(scores, n_vectors, seed):
    table = average_multiclass_points(scores, weights_for(scores, n_vectors, seed))
    sums = table.confusion.matrix.sum(axis=-1)
    np.testing.assert_array_equal(sums, np.repeat(scores.class_counts[:, None, :], n_vectors, axis=1))
    errors = table.measure("class_error")
    assert errors.mean.shape == (n_vectors, scores.n_classes)
    assert errors.per_fold.shape == (len(scores.folds), n_vectors, scores.n_classes)
    np.testing.assert_allclose(errors.mean, errors.per_fold.mean(axis=0), atol=1e-15)
    if len(scores.folds) == 1:
        assert np.isnan(errors.sd).all()
    else:
        np.testing.assert_allclose(errors.sd, errors.per_fold.std(axis=0, ddof=1), atol=1e-12)


@given(scored_folds(), VECTORS, RNG_SEED, st.randoms())
def test_permuting_the_classes_permutes_their_errors(scores, n_vectors, seed, random):
    weights = weights_for(scores, n_vectors, seed)
    products = np.sort(scores.outputs * weights[:, None, :], axis=2)
    assume(np.all(products[..., -1] > products[..., -2] * (1 + 1e-9)))  # ties go to the lowest class
    order = list(range(scores.n_classes))
    random.shuffle(order)
    moved = MulticlassScores(
        scores.label_index,
        scores.outputs[:, order],
        folds=[scores.folds[f] for f in scores.fold_index],
        classes=order,
    )
    plain = average_multiclass_points(scores, weights).measure("class_error")
    other = average_multiclass_points(moved, weights[:, order]).measure("class_error")
    np.testing.assert_array_equal(other.mean, plain.mean[:, order])


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=5), min_size=1, max_size=4),
    st.lists(st.floats(0.05, 0.95), min_size=1, max_size=4),
)
def test_two_classes_are_thresholds_on_a_posterior(groups, thresholds):
    """Weights (t, 1 - t) on (1 - y, y) decide for y at or above t, away from ties."""
    pairs = [([1, 0] + [i % 2 for i in range(len(y))], [0.5, 0.25, *y]) for y in groups]
    score = np.concatenate([y for _, y in pairs])
    assume(all(np.abs(score - t).min() > 1e-9 for t in thresholds))
    folds = np.repeat([f"f{i}" for i in range(len(pairs))], [len(y) for _, y in pairs])
    labels = np.concatenate([label for label, _ in pairs])
    several = average_multiclass_points(
        MulticlassScores(labels, np.column_stack([1 - score, score]), folds=folds),
        [[t, 1 - t] for t in thresholds],
    )
    design = "cross-validation" if len(pairs) > 1 else "independent"
    two = average_operating_points(ScoreSet.from_folds(pairs, design=design), thresholds=thresholds)
    np.testing.assert_array_equal(several.confusion.matrix, two.confusion.matrix)
    for name in ("mean", "sd", "standard_error", "stacked"):
        found = getattr(several.measure("class_error"), name)
        np.testing.assert_array_equal(found[:, 0], getattr(two.measure("fpr"), name))
        np.testing.assert_allclose(found[:, 1], getattr(two.measure("fnr"), name), atol=1e-15)


@given(scored_folds(), VECTORS, RNG_SEED)
def test_a_function_that_decides_by_weights_gives_the_same_table(scores, n_vectors, seed):
    weights = weights_for(scores, n_vectors, seed)
    table = average_multiclass_points(scores, weights)
    for own in (decide, lambda y, w: np.array(list("abcd"))[decide(y, w)]):
        named = scores if own is decide else _with_letters(scores)
        by_function = average_multiclass_points(named, points=list(weights), decide=own)
        np.testing.assert_array_equal(by_function.confusion.matrix, table.confusion.matrix)
        assert by_function.class_weights is None
        assert len(by_function.points) == n_vectors


def _with_letters(scores):
    return MulticlassScores(
        [list("abcd")[i] for i in scores.label_index],
        scores.outputs,
        folds=[scores.folds[f] for f in scores.fold_index],
        classes=list("abcd")[: scores.n_classes],
    )


@pytest.fixture
def uneven():
    """Fold y has no class c."""
    outputs = np.eye(3)[[0, 1, 2, 0, 1, 0, 1, 2]] + 0.1
    return MulticlassScores(list("abcababc"), outputs, folds=list("xxxyyzzz"))


def test_a_fold_without_a_class(uneven):
    with pytest.raises(DataError, match=r"(?s)RS078: 1 fold lacks a class.*fold y: no c.*drop"):
        average_multiclass_points(uneven, [1, 1, 1])
    for undefined in ("drop", "keep"):
        table = average_multiclass_points(uneven, [1, 1, 1], undefined=undefined)
        assert table.folds == ("x", "y", "z")
        assert table.undefined == ("fold y: no c",)
        assert table.measure("class_error").n_defined.tolist() == [[3, 3, 2]]
        assert table.measure("class_error").mean.tolist() == [[0, 0, 0]]
    lost = uneven.select(["y"])
    with pytest.raises(DataError, match="RS078: 1 class has no rows"):
        average_multiclass_points(lost, [1, 1, 1], undefined="drop")


def test_one_fold_has_no_spread(uneven):
    table = average_multiclass_points(uneven.select(["x"]), [[1, 1, 1], [1, 2, 3]])
    assert np.isnan(table.measure("class_error").standard_error).all()
    with pytest.raises(DataError, match="RS074"):
        table.compare_to(0, "class_error")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "RS002"),
        ({"points": [1]}, "RS002"),
        ({"decide": decide}, "RS002"),
        ({"class_weights": [1, 1, 1], "points": [1], "decide": decide}, "RS002"),
        ({"points": [1], "decide": "max"}, "RS002"),
        ({"points": [], "decide": decide}, "RS002"),
        ({"class_weights": [1, 1]}, "RS077"),
        ({"class_weights": [1, 1, 0]}, "RS077"),
        ({"class_weights": [1, 1, 1], "undefined": "ignore"}, "RS001"),
    ],
)
def test_arguments_that_do_not_fit(uneven, arguments, code):
    with pytest.raises(UsageError, match=code):
        average_multiclass_points(uneven.select(["x"]), **arguments)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda y, p: None, "None"),
        (lambda y, p: [0, 1], r"shape \(2,\) for 3 rows"),
        (lambda y, p: [0, 1, 3], "the place 3, and there are 3 classes"),
        (lambda y, p: [0, -1, 2], "the place -1"),
        (lambda y, p: ["a", "b", "d"], "'d', which is no class"),
        (lambda y, p: [0.5, 1.0, 2.0], "'0.5', which is no class"),
        (lambda y, p: np.ma.masked_array([0, 1, 2], mask=[0, 1, 0]), "masked decisions"),
        (lambda y, p: [[0], [1, 2], [3]], "different lengths"),
        (lambda y, p: np.array([[], "b", 1], dtype=object), "which is no class"),
    ],
)
def test_decisions_that_cannot_be_used(uneven, given, words):
    with pytest.raises(UsageError, match=f"(?s)RS073.*{words}.*fold x, point 0"):
        average_multiclass_points(uneven.select(["x"]), points=[7], decide=given)


def test_what_a_function_does_to_the_outputs_does_not_last(uneven):
    def spoil(outputs, point):
        outputs[0, 0] = 9

    with pytest.raises(ValueError, match="read-only"):
        average_multiclass_points(uneven.select(["x"]), points=[7], decide=spoil)


def test_negative_outputs_and_other_inputs(uneven):
    logs = MulticlassScores([0, 1], [[-1.0, -2.0], [-3.0, -0.5]])
    with pytest.raises(DataError, match=r"(?s)RS076.*np\.exp"):
        average_multiclass_points(logs, [1, 1])
    # A function of one's own may do with them what it likes.
    table = average_multiclass_points(logs, points=[0], decide=lambda y, p: y.argmax(axis=1))
    assert table.measure("accuracy").mean.tolist() == [1]
    with pytest.raises(UsageError, match="RS001: average_multiclass_points works on MulticlassScores"):
        average_multiclass_points([[0.5, 0.5]], [1, 1])


def test_a_real_table(data_folder):
    table = pd.read_csv(data_folder / "scores" / "yardstick_hpc_cv.csv")
    scores = MulticlassScores(table["obs"], table[["VF", "F", "M", "L"]], folds=table["Resample"])
    points = average_multiclass_points(scores, np.ones(4))
    # The file's own decisions are the largest posterior.
    right = (table["pred"] == table["obs"]).groupby(table["Resample"]).mean()
    np.testing.assert_allclose(points.measure("accuracy").per_fold[:, 0], right, rtol=1e-15)
    assert points.classes == ("VF", "F", "M", "L")
    errors = (table["pred"] != table["obs"]).groupby(table["obs"]).mean()
    stacked = points.measure("class_error").stacked[0]
    np.testing.assert_allclose(stacked, errors[["VF", "F", "M", "L"]], rtol=1e-15)
    # yardstick: sensitivity(hpc_cv, obs, pred, estimator = "macro") is 0.560 ("Tidy Modeling with R", 9.4).
    assert round(1 - stacked.mean(), 3) == 0.560


@pytest.mark.parametrize("classes", [(0, 1, 2), (10, 20, 30), ("a", "b", "c")])
def test_a_function_may_give_classes_or_their_places(classes):
    rng = np.random.default_rng(3)
    outputs, places = rng.dirichlet([1, 1, 1], 60), rng.integers(0, 3, 60)
    labels = [classes[i] for i in places]
    scores = MulticlassScores(labels, outputs, folds=np.arange(60) % 3, classes=classes)
    by_place = {"points": [1.0, 2.0], "decide": lambda y, w: (y * [w, 1, 1]).argmax(axis=1)}
    by_class = by_place | {"decide": lambda y, w: np.array(classes)[(y * [w, 1, 1]).argmax(axis=1)]}
    first, second = (
        average_multiclass_points(scores, **how).confusion.matrix for how in (by_place, by_class)
    )
    np.testing.assert_array_equal(first, second)
    weights = average_multiclass_points(scores, [[1, 1, 1], [2, 1, 1]]).confusion.matrix
    np.testing.assert_array_equal(first, weights)


def test_decisions_that_can_be_read_both_ways_are_refused():
    """With the classes 1, 2 and 0 the number 1 is the first class, or the place of the second."""
    scores = MulticlassScores([1, 2, 0], np.eye(3), classes=[1, 2, 0])
    for give in (lambda y, _: y.argmax(axis=1), lambda y, _: np.array([1, 2, 0])[y.argmax(axis=1)]):
        with pytest.raises(UsageError, match=r"RS073.*\n.*classes and places of others"):
            average_multiclass_points(scores, points=[None], decide=give)


def test_true_and_false_are_no_classes_of_three():
    scores = MulticlassScores([0, 1, 2], np.eye(3))
    with pytest.raises(UsageError, match="RS073"):
        average_multiclass_points(scores, points=[None], decide=lambda y, _: y[:, 0] > 0)
