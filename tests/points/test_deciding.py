"""rs.decide: the arg max of weight times output."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, UsageError
from rocsteady.points.multiclass import decide, normalized
from rocsteady.scores.multiclass import MulticlassScores

OUTPUT = st.one_of(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]), st.floats(0, 1e6, allow_subnormal=False))
WEIGHT = st.one_of(st.sampled_from([0.25, 0.5, 1.0, 2.0]), st.floats(1e-3, 1e3))


@st.composite
def problems(draw, n_classes=None):
    """Outputs (n, C) and one vector of weights."""
    n_classes = n_classes or draw(st.integers(2, 5))
    n = draw(st.integers(1, 8))
    row = st.lists(OUTPUT, min_size=n_classes, max_size=n_classes)
    return (
        np.array(draw(st.lists(row, min_size=n, max_size=n))),
        np.array(draw(st.lists(WEIGHT, min_size=n_classes, max_size=n_classes))),
    )


def clear_cut(outputs, weights, share=1e-9):
    """Whether the largest product of every row stands clear of the others."""
    products = np.sort(outputs * weights, axis=1)
    return bool(np.all(products[:, -1] * (1 - share) > products[:, -2]))


@given(problems())
def test_the_largest_product_wins(problem):
    outputs, weights = problem
    assume(clear_cut(outputs, weights))
    exact = [
        [Fraction(float(w)) * Fraction(float(y)) for w, y in zip(weights, row, strict=True)]
        for row in outputs
    ]
    assert decide(outputs, weights).tolist() == [row.index(max(row)) for row in exact]


@given(problems(), st.integers(-300, 300), st.floats(0.01, 100))
def test_scaling_the_weights_changes_nothing(problem, exponent, factor):
    outputs, weights = problem
    plain = decide(outputs, weights)
    # A power of two changes no digit of the products, so not even ties move.
    assert decide(outputs, np.ldexp(weights, exponent)).tolist() == plain.tolist()
    if clear_cut(outputs, weights):
        assert decide(outputs, weights * factor).tolist() == plain.tolist()


@given(problems(), st.integers(-900, 900))
def test_scaling_a_row_by_a_power_of_two_changes_nothing(problem, exponent):
    """Densities of many dimensions are as small as 1e-300, and their products would underflow."""
    outputs, weights = problem
    scaled = np.ldexp(outputs, exponent)
    assume(np.isfinite(scaled).all() and (np.ldexp(scaled, -exponent) == outputs).all())
    assert decide(scaled, weights).tolist() == decide(outputs, weights).tolist()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10), WEIGHT, WEIGHT)
def test_two_posteriors_are_cut_at_a_threshold(first, w1, w2):
    """Weights (w1, w2) are the threshold w2 / (w1 + w2) on the first posterior, away from ties."""
    y1 = np.array(first)
    outputs = np.column_stack([y1, 1 - y1])
    assume(np.all(np.abs(y1 - w2 / (w1 + w2)) > 1e-9))
    assert (decide(outputs, [w1, w2]) == 0).tolist() == (y1 >= w2 / (w1 + w2)).tolist()


@given(problems(), st.randoms())
def test_permuting_the_classes_permutes_the_decisions(problem, random):
    outputs, weights = problem
    assume(clear_cut(outputs, weights))
    order = list(range(weights.size))
    random.shuffle(order)
    moved = decide(outputs[:, order], weights[order])
    assert [order[c] for c in moved] == decide(outputs, weights).tolist()


@given(problems())
def test_ties_go_to_the_lowest(problem):
    outputs, weights = problem
    doubled = np.repeat(outputs, 2, axis=1)
    assert np.all(decide(doubled, np.repeat(weights, 2)) % 2 == 0)


def test_shapes_and_types():
    outputs = [[0.7, 0.3], [0.2, 0.8]]
    one, several = decide(outputs, [1, 1]), decide(outputs, [[1, 1], [1, 9], [9, 1]])
    assert one.shape == (2,)
    assert several.tolist() == [[0, 1], [1, 1], [0, 0]]
    assert one.dtype == several.dtype == np.int64
    assert decide(outputs, [[1, 1]]).shape == (1, 2)
    assert decide(pd.DataFrame(outputs), [1, 1]).tolist() == one.tolist()
    assert decide(MulticlassScores(["a", "b"], outputs), [1, 1]).tolist() == one.tolist()


def test_a_row_of_zeros_is_a_tie():
    assert decide([[0.0, 0.0, 0.0], [0.0, 0.0, 0.1]], [1, 5, 1]).tolist() == [0, 2]
    assert decide([[-0.0, 0.0]], [1, 1]).tolist() == [0]


def test_tiny_densities_are_still_told_apart():
    tiny = np.array([[1e-310, 3e-310], [5e-324, 0.0]])
    assert decide(tiny, [1, 1]).tolist() == [1, 0]
    assert decide(tiny, [1e100, 1]).tolist() == [0, 0]
    assert decide([[1e308, 1.7e308]], [1e308, 1e308]).tolist() == [1]


@given(st.lists(st.lists(WEIGHT, min_size=3, max_size=3), min_size=1, max_size=4))
def test_normalised_weights_stay_as_they_are(vectors):
    once = normalized(np.array(vectors))
    np.testing.assert_allclose(once.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_array_equal(normalized(once), once)


@given(
    st.lists(st.integers(1, 9), min_size=3, max_size=3), st.lists(st.integers(0, 9), min_size=3, max_size=3)
)
def test_exact_ties_of_votes_go_to_the_lowest_class(weights, votes):
    """Divided by its sum a weight is rounded, and 3 * 7 would no longer tie with 7 * 3."""
    best = int(np.argmax(np.array(weights) * np.array(votes)))
    assert decide([votes], weights).tolist() == [best]
    scores = rs.MulticlassScores([0, 1, 2], [votes] * 3)
    table = rs.average_multiclass_points(scores, weights)
    assert table.confusion.matrix[0, 0, :, best].tolist() == [1, 1, 1]
    assert decide([votes], table.class_weights).tolist() == [[best]]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 0], r"class_weights\[1\] is 0"),
        ([1, -1], r"class_weights\[1\] is -1"),
        ([np.nan, 1], r"class_weights\[0\] is nan"),
        ([np.inf, 1], r"class_weights\[0\] is inf"),
        ([[1, 1], [1, 0]], r"class_weights\[1, 1\] is 0"),
        ([1, 1, 1], r"shape \(3,\); 2 classes"),
        ([[1, 1, 1]], r"shape \(1, 3\)"),
        (1.0, r"shape \(\)"),
        ([[[1, 1]]], r"shape \(1, 1, 2\)"),
        (np.empty((0, 2)), r"shape \(0, 2\)"),
        ([1e-200, 1e200], "ratios up to 400 decimal orders"),
    ],
)
def test_weights_that_cannot_be_used(weights, words):
    with pytest.raises(UsageError, match=f"(?s)RS077.*{words}"):
        decide([[0.5, 0.5]], weights)


def test_weights_that_are_no_numbers():
    with pytest.raises(UsageError, match="RS042: class_weights"):
        decide([[0.5, 0.5]], ["a", "b"])


@pytest.mark.parametrize(
    ("outputs", "code", "words"),
    [
        ([[0.5, -0.1], [0.1, 0.2]], "RS076", "1 output is negative(?s:.*)first at row 0, column 1: -0.1"),
        ([[0.5, 0.1], [-3, -0.2]], "RS076", "2 outputs are negative(?s:.*)row 1, column 0"),
        ([[0.5, np.nan]], "RS031", "row 0, column 1"),
        ([[np.inf, 1]], "RS033", "infinite"),
        ([0.5, 0.5], "RS034", "one column per class"),
        ([["a", "b"]], "RS033", "not real numbers"),
    ],
)
def test_outputs_that_cannot_be_used(outputs, code, words):
    with pytest.raises(DataError, match=f"(?s){code}.*{words}"):
        decide(outputs, [1, 1])
