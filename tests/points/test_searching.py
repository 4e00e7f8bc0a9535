"""The greedy search for class weights."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsteady import _kernels
from rocsteady._kernels import reference
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.points.multiclass import (
    average_multiclass_points,
    best_first,
    decide,
    search_class_weights,
    spread_class_weights,
)
from rocsteady.scores.multiclass import MulticlassScores


def problem(seed, n=120, n_classes=3, priors=None):
    """Noisy posteriors of overlapping classes."""
    rng = np.random.default_rng(seed)
    priors = np.ones(n_classes) / n_classes if priors is None else np.asarray(priors)
    labels = np.concatenate([np.arange(n_classes), rng.choice(n_classes, n - n_classes, p=priors)])
    logs = rng.normal(size=(n, n_classes)) + np.log(priors)
    logs[np.arange(n), labels] += 1.2
    densities = np.exp(logs)
    return MulticlassScores(labels, densities / densities.sum(axis=1, keepdims=True), folds=np.arange(n) % 5)


def as_specified(scores, n_start, n_steps, keep, seed):
    """The definition, vector by vector, with exact fractions: [(largest, mean, order of creation, weights)]."""
    rng = np.random.default_rng(seed)
    sizes = scores.class_counts.sum(axis=0).tolist()
    created = 0

    def judged(vector):
        nonlocal created
        wrong = scores.label_index[decide(scores, vector) != scores.label_index].tolist()
        errors = [Fraction(wrong.count(c), n) for c, n in enumerate(sizes)]
        created += 1
        return max(errors), sum(errors) / len(errors), created, vector

    start = rng.dirichlet(np.ones(len(sizes)), n_start)
    start[0], start[1] = 1 / len(sizes), (1 / np.array(sizes)) / (1 / np.array(sizes)).sum()
    kept = sorted((judged(w) for w in start), key=lambda v: v[:3])[:keep]
    best = [kept[0][:2]]
    for k in range(n_steps):
        moves = rng.standard_normal((len(kept), 9, len(sizes)))
        children = [
            parent[3] * np.exp(2.0**-k * z) for parent, own in zip(kept, moves, strict=True) for z in own
        ]
        kept = sorted(kept + [judged(w / w.sum()) for w in children], key=lambda v: v[:3])[:keep]
        best.append(kept[0][:2])
    return kept, best


@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(2, 4), st.integers(2, 12), st.integers(0, 3), st.integers(1, 6))
def test_the_search_is_the_one_specified(seed, n_classes, n_start, n_steps, keep):
    scores = problem(seed, n=30, n_classes=n_classes)
    found = search_class_weights(scores, n_start=n_start, n_steps=n_steps, keep=keep, seed=seed)
    kept, best = as_specified(scores, n_start, n_steps, keep, seed)
    np.testing.assert_allclose(found.class_weights, [v[3] for v in kept], rtol=1e-12)
    np.testing.assert_allclose(found.max_errors, [float(v[0]) for v in kept], atol=1e-15)
    np.testing.assert_allclose(found.mean_errors, [float(v[1]) for v in kept], atol=1e-15)
    np.testing.assert_allclose(found.history, [[float(x) for x in pair] for pair in best], atol=1e-15)
    assert len(found) == len(kept)


@settings(max_examples=20)
@given(st.integers(0, 1000), st.integers(2, 5))
def test_the_result_hangs_together(seed, n_classes):
    scores = problem(seed, n=60, n_classes=n_classes)
    found = search_class_weights(scores, n_start=50, keep=20, seed=seed)
    wrong = decide(scores, found.class_weights) != scores.label_index
    for c in range(n_classes):
        np.testing.assert_array_equal(found.errors[:, c], wrong[:, scores.label_index == c].mean(axis=1))
    assert found.max_errors.tolist() == found.errors.max(axis=1).tolist()
    assert np.all(np.diff(found.max_errors) >= 0), "best first"
    assert np.all(np.diff(found.history[:, 0]) <= 0), "elitist"
    assert found.n_distinct == len({tuple(row) for row in found.errors.tolist()})
    assert found.best.max_error == found.max_errors[0] == found.history[-1, 0]
    np.testing.assert_allclose(found.class_weights.sum(axis=1), 1, rtol=1e-12)
    equal = wrong_at_equal_weights(scores)
    assert found.max_errors[0] <= equal + 1e-15


def wrong_at_equal_weights(scores):
    wrong = decide(scores, np.ones(scores.n_classes)) != scores.label_index
    return max(wrong[scores.label_index == c].mean() for c in range(scores.n_classes))


def test_the_seed_decides_and_threads_do_not():
    scores = problem(1)
    first = search_class_weights(scores, seed=3, threads=1)
    for threads in (1, 2, 3):
        again = search_class_weights(scores, seed=3, threads=threads)
        np.testing.assert_array_equal(again.class_weights, first.class_weights)
        np.testing.assert_array_equal(again.errors, first.errors)
    other = search_class_weights(scores, seed=4)
    assert not np.array_equal(other.class_weights, first.class_weights)
    assert (first.seed, other.seed) == (3, 4)


def test_without_the_compiler_it_is_the_same(monkeypatch):
    scores = problem(2, n=60)
    compiled = search_class_weights(scores, n_start=100, keep=10)
    monkeypatch.setattr(_kernels, "kernels", reference)
    np.testing.assert_array_equal(
        search_class_weights(scores, n_start=100, keep=10).class_weights, compiled.class_weights
    )


@given(
    st.lists(st.integers(1, 10**6), min_size=2, max_size=8),
    st.lists(st.lists(st.floats(0, 1), min_size=8, max_size=8), min_size=1, max_size=12),
)
def test_the_order_is_that_of_exact_fractions(sizes, shares):
    """Also where the common denominator of the class sizes is beyond 64 bits."""
    counts = np.array(
        [[int(s * n) for s, n in zip(row, sizes, strict=False)] for row in shares], dtype=np.int64
    )
    exact = [[Fraction(e, n) for e, n in zip(row, sizes, strict=True)] for row in counts.tolist()]
    expected = sorted(range(len(counts)), key=lambda i: (max(exact[i]), sum(exact[i])))
    assert best_first(counts, np.array(sizes)).tolist() == expected


def test_rounding_does_not_break_ties():
    """1/10 + 2/10 and 3/10 + 0/10 have the same sum, which floats deny."""
    counts = np.array([[1, 2, 3], [3, 0, 3], [0, 3, 3]])
    assert 0.1 + 0.2 != 0.3
    assert best_first(counts, np.array([10, 10, 10])).tolist() == [0, 1, 2]
    large = np.array([2**31 - 1, 2**31 - 19, 10**9 + 7])
    assert math.lcm(*large.tolist()) > 2**64
    assert best_first(np.array([[5, 5, 5], [5, 5, 4]]), large).tolist() == [1, 0]


def test_results_stand_for_their_weights():
    scores = problem(1)
    found = search_class_weights(scores, n_start=20, keep=4, n_steps=1)
    assert decide(scores, found.best).tolist() == decide(scores, found.class_weights[0]).tolist()
    assert decide(scores, found).tolist() == decide(scores, found.class_weights).tolist()
    table = average_multiclass_points(scores, found)
    np.testing.assert_array_equal(table.class_weights, found.class_weights)
    np.testing.assert_array_equal(table.measure("class_error").stacked, found.errors)
    assert average_multiclass_points(scores, found.best).n_points == 1
    own = np.array(found.best)
    own[0] = 7
    assert found.best.class_weights[0] < 1
    assert np.asarray(found, dtype=np.float32).dtype == np.float32


def test_printing_and_plain_values():
    found = search_class_weights(problem(1), n_start=20, keep=4, n_steps=1)
    assert repr(found).startswith("ClassWeightSearch(4 weight vectors of 3 classes, ")
    assert repr(found.best).startswith("ClassWeightPoint(weights 0.")
    assert list(found.to_frame().columns) == [
        *("weight 0", "weight 1", "weight 2", "error 0", "error 1", "error 2", "max_error", "mean_error")
    ]
    assert set(found.to_dict()) >= {"class_weights", "errors", "history", "seed", "n_distinct"}
    with pytest.raises(TypeError, match="not a tuple"):
        list(found)
    with pytest.raises(ValueError, match="read-only"):
        found.errors[0, 0] = 2


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"n_start": 1}, "n_start"),
        ({"n_steps": -1}, "n_steps"),
        ({"keep": 0}, "keep"),
        ({"keep": 2.5}, "keep"),
        ({"seed": -1}, "seed"),
        ({"seed": None}, "seed"),
    ],
)
def test_numbers_outside_their_range(options, name):
    with pytest.raises(UsageError, match=f"RS042: {name}"):
        search_class_weights(problem(1), **options)


def test_rows_that_cannot_be_searched():
    with pytest.raises(DataError, match="RS076"):
        search_class_weights(MulticlassScores([0, 1], [[-1.0, 1.0], [0.5, 0.5]]))
    with pytest.raises(DataError, match=r"(?s)RS078: 1 class has no rows.*without rows: b"):
        search_class_weights(MulticlassScores(["a", "a"], [[0.4, 0.6], [0.5, 0.5]], classes=["a", "b"]))
    with pytest.raises(UsageError, match="RS001: search_class_weights works on MulticlassScores"):
        search_class_weights([[0.5, 0.5]])


def test_outputs_that_weights_cannot_move():
    votes = MulticlassScores([0, 1, 2, 0], np.eye(3)[[0, 1, 2, 1]])
    with pytest.warns(RocsteadyWarning, match=r"(?s)RS250.*0 rows of 4") as caught:
        found = search_class_weights(votes)
    assert caught[0].filename == __file__
    assert found.n_distinct == 1
    assert found.best.errors.tolist() == [0.5, 0, 0]


def errors_of(scores, weights):
    """The error of each class under each weight vector, all folds together."""
    wrong = decide(scores, weights) != scores.label_index
    return np.column_stack([wrong[:, scores.label_index == c].mean(axis=1) for c in range(scores.n_classes)])


@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(2, 4), st.integers(1, 40))
def test_the_surface_has_no_point_that_another_beats(seed, n_classes, n_points):
    scores = problem(seed, n=60, n_classes=n_classes)
    weights = spread_class_weights(scores, n_points, seed=seed)
    errors = errors_of(scores, weights)
    assert 1 <= len(weights) <= n_points
    assert len(np.unique(errors, axis=0)) == len(errors)
    for own in errors:
        assert not ((errors <= own).all(axis=1) & (errors < own).any(axis=1)).any()


def test_the_surface_follows_outputs_of_any_scale():
    scores = problem(3, n_classes=3)
    scaled = MulticlassScores(scores.label_index, scores.outputs * [1e-20, 1.0, 1e9], folds=scores.fold_index)
    own, other = (errors_of(each, spread_class_weights(each)) for each in (scores, scaled))
    assert len(own) > 20
    assert own.max(axis=0).min() > 0.7, "every class is given up somewhere"
    np.testing.assert_allclose(other.max(axis=0), own.max(axis=0), atol=0.03)
