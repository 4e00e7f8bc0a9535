"""The AUC of one group's positives against another's negatives."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from brute_force import psi
from rocsteady.errors import DataError, UsageError
from rocsteady.inference.comparability import cross_auc
from strategies import SCORE_VALUES

# Tiny sets with many ties may take two values only; that is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:RS101")


@st.composite
def score_sets(draw, *, both_classes=False, weighted=False, min_groups=1):
    """Labels, scores, groups and weights (or None) of up to five small groups, ties and infinities included."""
    values, dtype = SCORE_VALUES[draw(st.sampled_from(list(SCORE_VALUES)))]
    least = 1 if both_classes else 0
    sizes = draw(
        st.lists(
            st.tuples(st.integers(least, 4), st.integers(least, 4)).filter(any),
            min_size=min_groups,
            max_size=5,
        )
    )
    labels = np.array([kind for n, m in sizes for kind in [True] * n + [False] * m])
    groups = np.repeat(np.arange(len(sizes)), [n + m for n, m in sizes])
    scores = np.array(draw(st.lists(values, min_size=labels.size, max_size=labels.size)), dtype=dtype)
    weight = st.sampled_from([0.25, 1.0, 3.0]) | st.floats(1e-4, 1e12)
    weights = draw(st.lists(weight, min_size=labels.size, max_size=labels.size)) if weighted else None
    return labels, scores, groups, weights


def matrix(labels, scores, groups, weights=None, higher=True):
    """The definition, in fractions; None where a class is missing."""
    weights = [1] * labels.size if weights is None else weights
    rows = list(zip(labels.tolist(), scores.tolist(), groups.tolist(), map(Fraction, weights), strict=True))
    n = int(groups.max()) + 1

    def area(i, j):
        own = [(s, w) for y, s, g, w in rows if y and g == i]
        others = [(s, w) for y, s, g, w in rows if not y and g == j]
        if not own or not others:
            return None
        won = sum(w * v * (psi(s, t) if higher else psi(t, s)) for s, w in own for t, v in others)
        return won / (sum(w for _, w in own) * sum(v for _, v in others))

    return [[area(i, j) for j in range(n)] for i in range(n)]


@given(score_sets(), st.booleans())
def test_the_matrix_is_its_definition(rows, higher):
    labels, scores, groups, _ = rows
    given_set = rs.ScoreSet.from_arrays(labels, scores, groups, positive=True, higher_is_positive=higher)
    expected = [
        [math.nan if a is None else float(a) for a in row]
        for row in matrix(labels, scores, groups, None, higher)
    ]
    np.testing.assert_array_equal(cross_auc(given_set), expected)


@given(score_sets(weighted=True))
def test_row_weights_count(rows):
    labels, scores, groups, weights = rows
    given_set = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights, positive=True)
    found = cross_auc(given_set)
    for i, row in enumerate(matrix(labels, scores, groups, weights)):
        for j, area in enumerate(row):
            if area is None:
                assert math.isnan(found[i, j])
            elif area in (0, 1):
                assert found[i, j] == area
            else:
                assert found[i, j] == pytest.approx(float(area), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_only_ratios_of_weights_matter(scale):
    labels, scores, groups = [1, 0, 1, 0, 1, 0], [3, 2, 2, 2, 1, 4], [0, 0, 0, 1, 1, 1]
    weights = np.array([1.0, 2.0, 0.5, 3.0, 1.0, 1.0])
    plain, scaled = (
        cross_auc(rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights * by))
        for by in (1, scale)
    )
    np.testing.assert_allclose(plain, scaled, rtol=1e-14)


@given(score_sets(both_classes=True))
def test_the_diagonal_is_each_groups_own_auc(rows):
    labels, scores, groups, _ = rows
    given_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    np.testing.assert_array_equal(np.diag(cross_auc(given_set)), rs.roc_curves(given_set).auc)


@given(score_sets(both_classes=True))
def test_the_pooled_auc_is_the_mean_weighted_by_class_sizes(rows):
    labels, scores, groups, _ = rows
    given_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    positives, negatives = given_set.n_positives, given_set.n_negatives
    pooled = positives / positives.sum() @ cross_auc(given_set) @ (negatives / negatives.sum())
    assert rs.auc(labels, scores) == pytest.approx(pooled, abs=1e-12)


@given(score_sets(both_classes=True))
def test_the_auc_under_one_threshold_is_the_plain_mean(rows):
    """The threshold average, drawn through the mean rates at every distinct score."""
    labels, scores, groups, _ = rows
    thresholds = sorted(set(scores.tolist()), reverse=True)
    points = []
    for kind in (False, True):
        own = [scores[(groups == g) & (labels == kind)] for g in range(groups.max() + 1)]
        points.append(
            [0.0] + [np.mean([np.mean(s >= np.array(t, s.dtype)) for s in own]) for t in thresholds]
        )
    fpr, tpr = map(np.array, points)
    area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)
    assert cross_auc(rs.ScoreSet.from_arrays(labels, scores, groups)).mean() == pytest.approx(area, abs=1e-12)


def test_many_groups():
    rng = np.random.default_rng(3)
    groups, labels = rng.integers(0, 300, 6000), rng.random(6000) < 0.3
    given_set = rs.ScoreSet.from_arrays(labels, rng.normal(size=6000).round(1), groups)
    found = cross_auc(given_set)
    assert found.shape == (300, 300)
    one, other = given_set[7], given_set[200]
    own = np.concatenate(
        [one.columns.scores[one.columns.labels == 1], other.columns.scores[other.columns.labels == 0]]
    )
    assert found[7, 200] == rs.auc(np.arange(own.size) < given_set.n_positives[7], own)


def test_several_models_are_refused():
    both = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
    with pytest.raises(UsageError, match=r"RS044.*\n.*x and y\n.*\.model\('x'\)"):
        cross_auc(both)
    assert cross_auc(both.model("x")).tolist() == [[1.0]]


@pytest.mark.parametrize("wrong", [None, [([1, 0], [2, 1])], rs.Scores([1, 0], [2, 1])])
def test_anything_but_a_set_is_refused(wrong):
    with pytest.raises((UsageError, DataError), match="RS002"):
        cross_auc(wrong)
