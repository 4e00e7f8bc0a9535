"""The nested search: weights chosen without the fold that they are judged on."""

from __future__ import annotations

import numpy as np
import pytest

from rocsteady.errors import DataError, UsageError
from rocsteady.points.multiclass import ClassRows, decide, search_class_weights
from rocsteady.scores.multiclass import MulticlassScores

SMALL = {"n_start": 50, "n_steps": 1, "keep": 10}
MEANS = np.array([[0.0, 0.0], [1.5, 0.0], [0.75, 1.3]])


def nested_class_weights(scores, **options):
    return search_class_weights(scores, nested=True, **options).nested


def three_normals(rng, n_per_class, folds=5):
    labels = np.tile(np.arange(3), n_per_class)
    x = MEANS[labels] + rng.normal(size=(labels.size, 2))
    densities = np.exp(-((x[:, None, :] - MEANS) ** 2).sum(axis=2) / 2)
    return MulticlassScores(labels, densities, folds=np.arange(labels.size) // 3 % folds)


@pytest.mark.parametrize("seed", range(3))
def test_every_fold_is_judged_by_weights_of_the_others(seed):
    scores = three_normals(np.random.default_rng(seed), 15)
    search = search_class_weights(scores, seed=seed, nested=True, **SMALL)
    found = search.nested
    wrong = np.zeros(3)
    for f, fold in enumerate(scores.folds):
        rows = scores.fold_index != f
        others = MulticlassScores(scores.label_index[rows], scores.outputs[rows])
        best = search_class_weights(others, seed=seed, **SMALL).best
        np.testing.assert_array_equal(found.class_weights[f], best.class_weights)
        own = scores.select([fold])
        missed = decide(own, best.class_weights) != own.label_index
        for c in range(3):
            of_class = missed[own.label_index == c]
            assert found.errors[f, c] == of_class.mean()
            wrong[c] += of_class.sum()
    np.testing.assert_allclose(found.mean, found.errors.mean(axis=0), atol=1e-15)
    np.testing.assert_allclose(
        found.standard_error, found.errors.std(axis=0, ddof=1) * np.sqrt(1 / 5 + 1 / 4), atol=1e-15
    )
    np.testing.assert_array_equal(found.stacked, wrong / 15)
    assert found.max_error == found.stacked.max()
    assert found.mean_max_error == pytest.approx(found.errors.max(axis=1).mean(), abs=1e-15)
    assert found.max_error <= found.mean_max_error + 1e-15
    np.testing.assert_array_equal(
        search.class_weights, search_class_weights(scores, seed=seed, **SMALL).class_weights
    )
    np.testing.assert_array_equal(found.optimism, found.stacked - search.best.errors)


def test_the_search_is_optimistic_and_the_nested_errors_are_not():
    """40 samples of 20 rows per class: the searched errors are too small by 0.05, the nested ones by nothing.

    The largest class error on new rows lies between the two figures that the nested search gives.
    """
    rng = np.random.default_rng(11)
    population = ClassRows(three_normals(rng, 5000))
    searched, nested, true, bounds = [], [], [], []
    for seed in range(40):
        search = search_class_weights(three_normals(rng, 20), seed=seed, nested=True, **SMALL)
        found = search.nested
        errors = population.error_counts(search.best.class_weights[None, :])[0] / population.sizes
        searched.append(search.best.mean_error)
        nested.append(found.stacked.mean())
        true.append((errors.mean(), errors.max()))
        bounds.append((found.max_error, found.mean_max_error))
    mean, largest = np.mean(true, axis=0)
    noise = np.std(nested, ddof=1) / np.sqrt(40)
    assert np.mean(searched) < mean - 4 * np.std(searched, ddof=1) / np.sqrt(40)
    assert abs(np.mean(nested) - mean) < 3 * noise
    below, above = np.mean(bounds, axis=0)
    assert below < largest < above


def test_a_fold_without_a_class():
    outputs = np.eye(3)[[0, 1, 2, 0, 1, 0, 1, 2]] + 0.1
    uneven = MulticlassScores(list("abcababc"), outputs, folds=list("xxxyyzzz"))
    with pytest.raises(DataError, match=r"(?s)RS078: 1 fold lacks a class.*fold y: no c"):
        nested_class_weights(uneven, **SMALL)
    assert nested_class_weights(uneven, undefined="drop", **SMALL).folds == ("x", "z")
    kept = nested_class_weights(uneven, undefined="keep", **SMALL)
    assert kept.n_defined.tolist() == [3, 3, 2]
    assert np.isnan(kept.errors[1, 2])
    assert kept.undefined == ("fold y: no c",)
    assert kept.mean_max_error == 0
    lonely = uneven.select(["x", "y"])
    with pytest.raises(DataError, match=r"(?s)RS078: one fold has all rows of a class.*class c, fold x"):
        nested_class_weights(lonely, undefined="keep", **SMALL)


def test_what_cannot_be_nested():
    rng = np.random.default_rng(0)
    one_fold = MulticlassScores([0, 1, 2], rng.random((3, 3)))
    with pytest.raises(UsageError, match=r"(?s)RS042: a nested search needs at least two folds.*1 fold"):
        nested_class_weights(one_fold)
    with pytest.raises(DataError, match="RS078"):
        nested_class_weights(MulticlassScores([0, 0], rng.random((2, 2)), classes=[0, 1]))
    with pytest.raises(UsageError, match="RS001: search_class_weights"):
        nested_class_weights(rng.random((3, 3)))
    with pytest.raises(UsageError, match="RS001: undefined"):
        nested_class_weights(three_normals(rng, 5), undefined="no")
    with pytest.raises(UsageError, match="RS042: n_start"):
        nested_class_weights(three_normals(rng, 5), n_start=0)
    negative = MulticlassScores([0, 1] * 2, [[-1.0, 1.0]] * 4, folds=[0, 0, 1, 1])
    with pytest.raises(DataError, match="RS076"):
        nested_class_weights(negative)


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ({"exact": True, "nested": True}, "nested"),
        ({"exact": True, "seed": 1, "keep": 5}, "keep and seed"),
        ({"exact": True, "undefined": "drop"}, "undefined"),
        ({"undefined": "drop"}, "undefined"),
    ],
)
def test_options_of_another_search(options, given):
    with pytest.raises(UsageError, match=f"(?s)RS002.*found: {given}"):
        search_class_weights(three_normals(np.random.default_rng(0), 5), **options)


def test_printing_and_plain_values():
    search = search_class_weights(three_normals(np.random.default_rng(1), 10), nested=True, **SMALL)
    assert ", nested 0." in repr(search)
    assert repr(search.nested).startswith("NestedErrors(5 folds: largest class error ")
    assert list(search.nested.to_frame().columns)[:2] == ["fold", "weight 0"]
    plain = search.to_dict()
    assert plain["seed"] == 0
    assert len(plain["nested"]["errors"]) == 5
