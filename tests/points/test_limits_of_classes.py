"""Class weights under limits of class errors: held against every decision that weights can make."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from class_problems import all_decisions, errors_of, random_problem, small_problems
from rocsteady.errors import DataError, LabelError, UsageError
from rocsteady.points.multiclass import ClassRows, best_first, decide, search_class_weights
from rocsteady.scores.multiclass import MulticlassScores

pytestmark = pytest.mark.filterwarnings("ignore:RS250")
SEARCH = {"n_start": 100, "keep": 30, "n_steps": 2}


def searched(scores, **options):
    """What a search finds; None where it says that nothing keeps to the limits."""
    try:
        return search_class_weights(scores, **options)
    except DataError as error:
        if error.entry != "RS008.search":
            raise
        return None


def rank(errors, at_most):
    """What is to be small: the largest error of classes without a limit (of all, if all have one), the mean."""
    others = [e for c, e in enumerate(errors) if c not in at_most] or list(errors)
    return max(others), sum(errors) / len(errors)


def best_of(everywhere, at_most):
    """The best of error vectors that keep to the limits; None where none does."""
    kept = [own for own in everywhere.tolist() if all(own[c] <= x + 1e-12 for c, x in at_most.items())]
    return min((rank(own, at_most) for own in kept), default=None)


def limits(classes=(0, 1, 2)):
    value = st.sampled_from([0.0, 0.05, 0.2, 1 / 3, 0.5, 0.75, 1.0])
    return st.dictionaries(st.sampled_from(classes), value, min_size=1, max_size=len(classes))


@settings(max_examples=60)
@given(small_problems(), limits())
def test_no_cell_that_keeps_the_limits_is_better(scores, at_most):
    expected = best_of(all_decisions(scores), at_most)
    found = searched(scores, at_most=at_most, exact=True)
    if found is None:
        assert expected is None
        return
    best = found.best
    assert best.errors.tolist() == errors_of(scores, best.class_weights)
    assert all(best.errors[c] <= x + 1e-12 for c, x in at_most.items())
    if expected is not None:
        assert rank(best.errors.tolist(), at_most) <= (expected[0] + 1e-12, expected[1] + 1e-12)
    assert found.at_most == at_most


@settings(max_examples=60)
@given(small_problems(), limits(), st.integers(0, 1000))
def test_the_search_keeps_the_limits_and_is_never_better_than_the_exact_one(scores, at_most, seed):
    exact = searched(scores, at_most=at_most, exact=True)
    found = searched(scores, at_most=at_most, seed=seed, **SEARCH)
    if found is None:
        assert exact is None, "limits are kept wherever they can be"
        return
    assert exact is not None
    best = exact.best
    for errors, weights in zip(found.errors, found.class_weights, strict=True):
        assert errors.tolist() == errors_of(scores, weights)
        assert all(errors[c] <= x + 1e-12 for c, x in at_most.items())
        assert rank(best.errors.tolist(), at_most)[0] <= rank(errors.tolist(), at_most)[0] + 1e-12


@given(small_problems(n_classes=2), st.sampled_from([0, 1]), st.sampled_from([0.0, 0.25, 0.5]))
def test_of_two_classes_one_limit_leaves_the_threshold_next_to_it(scores, limited, limit):
    y = scores.outputs
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.unique((y[:, 0] / y[:, 1])[np.all(y > 0, axis=1)])
    assume((ratios[1:] > ratios[:-1] * (1 + 1e-9)).all())
    cuts = [0.5 * ratios[0], *np.sqrt(ratios[1:] * ratios[:-1]), 2 * ratios[-1]] if ratios.size else [1.0]
    everywhere = np.array([errors_of(scores, [1, cut]) for cut in cuts])
    expected = best_of(everywhere, {limited: limit})
    if expected is None:
        with pytest.raises(DataError, match="RS008"):
            search_class_weights(scores, at_most={limited: limit}, **SEARCH)
    else:
        found = search_class_weights(scores, at_most={limited: limit}, **SEARCH)
        assert rank(found.best.errors.tolist(), {limited: limit})[0] == pytest.approx(expected[0], abs=1e-12)


def test_how_often_the_search_reaches_the_best_under_a_limit():
    """Measured in simulations/class_weights.py; here of 30 problems, always the same ones."""
    rng = np.random.default_rng(0)
    reached = feasible = both = 0
    for seed in range(30):
        scores = random_problem(rng)
        one = {int(rng.integers(3)): float(rng.choice([0.05, 0.1, 0.2]))}
        exact = search_class_weights(scores, at_most=one, exact=True).best
        found = search_class_weights(scores, at_most=one, seed=seed).best
        reached += rank(found.errors, one)[0] <= rank(exact.errors, one)[0] + 1e-12
        two = {0: exact.errors[0] + 0.02, 1: exact.errors[1] + 0.02}
        assert search_class_weights(scores, at_most=two, exact=True).best
        feasible += 1
        both += bool(len(search_class_weights(scores, at_most=two, seed=seed)))
    assert reached >= 29
    assert both == feasible


@given(
    st.lists(st.integers(1, 50), min_size=2, max_size=4),
    st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=10),
    st.dictionaries(st.integers(0, 1), st.floats(0, 1), min_size=1),
)
def test_the_order_is_that_of_exact_fractions(sizes, shares, at_most):
    counts = np.array([[int(s * n) for s, n in zip(row, sizes, strict=False)] for row in shares])
    allowed = {c: int(x * sizes[c]) for c, x in at_most.items()}
    exact = [[Fraction(e, n) for e, n in zip(row, sizes, strict=True)] for row in counts.tolist()]

    def key(i):
        beyond = max(Fraction(max(int(counts[i, c]) - n, 0), sizes[c]) for c, n in allowed.items())
        return beyond, *rank(exact[i], allowed)

    assert best_first(counts, np.array(sizes), allowed).tolist() == sorted(range(len(counts)), key=key)


@pytest.mark.parametrize(
    ("limit", "n", "most"), [(0.29, 100, 29), (0.07, 100, 7), (0.05, 20, 1), (0.3, 10, 3)]
)
def test_limits_are_decimals(limit, n, most):
    """0.29 as a float is a little less, and 29 of 100 keep to it."""
    labels = [0] * n + [1] * n
    y = np.concatenate([np.linspace(0.01, 0.99, n), np.linspace(0.005, 0.985, n)])
    scores = MulticlassScores(labels, np.column_stack([y, 1 - y]))
    for exact in (True, False):
        found = search_class_weights(scores, at_most={0: limit}, exact=exact)
        assert found.best.errors[0] == most / n


@given(small_problems(), limits((0, 1)), st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_mended_weights_are_the_smallest_that_keep_the_limits(scores, at_most, logs):
    rows, given_weights = ClassRows(scores), np.exp(np.array([logs]))
    allowed, start = rows.allowed(at_most), np.exp(np.array([logs]))
    start[:, list(allowed)] = 1e-70
    mended = rows.keeping(start, allowed, list(allowed))
    counts = rows.error_counts(mended)[0]
    if any(counts[c] > n for c, n in allowed.items()):
        return  # there is none: the laws above hold the search to that
    inside = rows.in_cells(mended, allowed)
    assert rows.error_counts(inside)[0].tolist() == counts.tolist()
    free = [c for c in range(3) if c not in at_most]
    for a, b in itertools.combinations(free, 2):  # the ratios of the others stay
        assert mended[0, a] / mended[0, b] == pytest.approx(given_weights[0, a] / given_weights[0, b])
    others = np.exp(np.random.default_rng(0).normal(scale=3, size=(200, 3)))
    others[:, free] = given_weights[0, free]
    of_others = rows.error_counts(others)
    keeps = np.all([of_others[:, c] <= n for c, n in allowed.items()], axis=0)
    assert (of_others[keeps][:, free] >= counts[free]).all()


def test_rows_that_no_weights_find():
    """Three of ten have an output of zero for their class."""
    labels = [0] * 10 + [1] * 10 + [2] * 10
    outputs = np.full((30, 3), 1.0) + np.eye(3)[labels]
    outputs[:3, 0] = 0
    scores = MulticlassScores(labels, outputs, folds=np.arange(30) % 3)
    with pytest.raises(
        DataError, match=r"(?s)at most: 0: 0.2; attained: 0: 0.3 \(3 of 10\).*at_most={0: 0.3}"
    ):
        search_class_weights(scores, at_most={0: 0.2}, **SEARCH)
    assert search_class_weights(scores, at_most={0: 0.3}, **SEARCH).best.errors[0] == 0.3
    with pytest.raises(DataError, match=r"(?s)RS008.*without fold 0.*nested=False"):
        search_class_weights(scores.select(["0", "1", "2"]), at_most={0: 0.3}, nested=True, **SEARCH)


def test_limits_that_contradict_each_other():
    scores = random_problem(np.random.default_rng(3))
    with pytest.raises(DataError, match=r"(?s)RS008.*0: 0, 1: 0 and 2: 0; attained: 0: 0\.\d+ \(\d+ of"):
        search_class_weights(scores, at_most={0: 0, 1: 0, 2: 0})


def test_nested_searches_keep_to_the_limits_where_they_choose():
    rng = np.random.default_rng(4)
    labels = np.arange(240) % 3
    outputs = np.exp(rng.normal(size=(240, 3)) + 1.5 * np.eye(3)[labels])
    scores = MulticlassScores(labels, outputs, folds=np.arange(240) // 3 % 4)
    found = search_class_weights(scores, at_most={1: 0.1}, nested=True, **SEARCH)
    assert found.best.errors[1] <= 0.1
    for fold, weights in zip(found.nested.folds, found.nested.class_weights, strict=True):
        others = scores.select([own for own in scores.folds if own != fold])
        wrong = decide(others, weights) != others.label_index
        assert wrong[others.label_index == 1].mean() <= 0.1
        alone = search_class_weights(others, at_most={1: 0.1}, **SEARCH)
        np.testing.assert_array_equal(alone.class_weights[0], weights)


def test_four_classes_and_threads():
    rng = np.random.default_rng(5)
    labels = np.arange(400) % 4
    scores = MulticlassScores(labels, np.exp(rng.normal(size=(400, 4)) + 1.2 * np.eye(4)[labels]))
    asked = {0: 0.2, 3: 0.5}
    first = search_class_weights(scores, at_most=asked, threads=1, **SEARCH)
    again = search_class_weights(scores, at_most=asked, threads=3, **SEARCH)
    np.testing.assert_array_equal(first.class_weights, again.class_weights)
    assert (first.errors[:, 0] <= 0.2).all()
    assert (first.errors[:, 3] <= 0.5).all()
    assert np.all(np.diff(first.errors[:, 1:3].max(axis=1)) >= 0), "best first"
    free = search_class_weights(scores, **SEARCH)
    assert first.best.errors[1:3].max() > free.best.max_error


def test_what_was_asked_is_said():
    scores = random_problem(np.random.default_rng(6))
    found = search_class_weights(scores, at_most={"1": "20%"}, **SEARCH)
    assert found.at_most == {1: 0.2}
    assert repr(found).endswith(", 1 at most 0.2)")
    assert "with errors of at most 20.0 % of class 1" in found.reading
    assert found.to_dict()["at_most"] == {1: 0.2}


@pytest.mark.parametrize(
    ("at_most", "error", "words"),
    [
        ({}, UsageError, "RS002.*which error each class"),
        (0.05, UsageError, "RS002.*which error each class"),
        ({7: 0.1}, LabelError, 'RS021: there is no class "7"'),
        ({0: 1.5}, UsageError, "RS042"),
        ({0: float("nan")}, UsageError, "RS042"),
        ({0: True}, UsageError, "RS042"),
    ],
)
def test_limits_that_are_none(at_most, error, words):
    with pytest.raises(error, match=f"(?s){words}"):
        search_class_weights(random_problem(np.random.default_rng(7)), at_most=at_most)
