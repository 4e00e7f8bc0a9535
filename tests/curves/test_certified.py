"""Curves of counts: a toy by hand, what they refuse, and how they are found and shown."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from counted_rows import counted, distinct
from rocsteady.curves.readings import Bounds
from rocsteady.errors import DataError, UsageError

LABELS = np.array([True, True, False, True, False, False])
SCORES = np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
CELLS = np.array([0, 1, 1, 1, 2, 2])
"""The scores from 3 to 5, two positives and a negative, are one cell; so are the last two negatives."""


@pytest.fixture
def counts():
    return counted([(LABELS, SCORES), (LABELS, SCORES - 1)], [CELLS, distinct(SCORES)])


@pytest.fixture
def curve(counts):
    return rs.roc_curves(counts)[0]


def test_the_lowest_and_the_highest_curve_of_a_toy(curve):
    assert curve.lower.true_positives.tolist() == [0, 1, 1, 3, 3]
    assert curve.lower.false_positives.tolist() == [0, 0, 1, 1, 3]
    assert curve.true_positives.tolist() == [0, 1, 3, 3]
    assert curve.false_positives.tolist() == [0, 0, 1, 3]
    assert curve.upper.true_positives.tolist() == [0, 1, 3, 3, 3]
    assert curve.upper.false_positives.tolist() == [0, 0, 0, 1, 3]
    assert (curve.auc_bounds.low, curve.auc_bounds.high) == (7 / 9, 1.0)
    assert curve.auc == 8 / 9
    assert not curve.is_exact


def test_bounds_of_rates_of_a_toy(curve):
    assert curve.tpr_bounds_at(0.0) == Bounds(1 / 3, 1.0)
    assert curve.tpr_bounds_at(1 / 3) == Bounds(1.0, 1.0)
    assert curve.fpr_bounds_at(0.5) == Bounds(0.0, 1 / 3)
    fpr, tpr = curve.rate_bounds_at(4.0)
    assert (fpr, tpr) == (Bounds(0.0, 1 / 3), Bounds(1 / 3, 1.0))
    assert fpr.half_width == 1 / 6
    fpr, tpr = curve.rate_bounds_at([np.inf, 6.0, -np.inf], rule=">")
    assert tpr.low.tolist() == tpr.high.tolist() == [0, 0, 1]


def test_a_threshold_inside_a_cell_is_refused_and_one_beside_it_is_not(curve):
    assert (curve.rates_at(3.0).fpr, curve.rates_at(3.0).tpr) == (1 / 3, 1.0)
    assert curve.rates_at([5.5, 2.5]).tpr.tolist() == [1 / 3, 1.0]
    with pytest.raises(UsageError, match=r"(?s)RS407.*FPR.*TPR.*rate_bounds_at"):
        curve.rates_at(4.0)
    with pytest.raises(UsageError, match="RS407"):  # a cell of one class hides where its rows are
        curve.rates_at(1.5)
    with pytest.raises(UsageError, match="RS042"):
        curve.rate_bounds_at(np.nan)
    with pytest.raises(UsageError, match="RS042"):
        curve.tpr_bounds_at(1.5)


def test_curves_are_found_by_number_and_by_name(counts):
    curves = rs.roc_curves(counts)
    assert curves.bounds is not None
    assert len(curves) == len(list(curves)) == len(curves[:5]) == 2
    assert curves["fold 2"].is_exact
    assert curves[1].auc_bounds == Bounds(8 / 9, 8 / 9)
    assert curves[-1].bounds is not None
    assert isinstance(curves[0], rs.RocCurve)
    assert curves.auc_bounds.low.tolist() == [7 / 9, 8 / 9]
    assert curves.names == ("fold 1", "fold 2")
    with pytest.raises(KeyError):
        curves["fold 3"]


def test_exact_curves_are_their_own_bounds():
    curve = rs.roc_curve(LABELS, SCORES)
    assert curve.bounds is None
    assert curve.lower is curve.upper is curve
    assert curve.is_exact
    assert curve.auc_bounds == Bounds(8 / 9, 8 / 9)
    assert curve.tpr_bounds_at(0.0) == Bounds(2 / 3, 2 / 3)
    assert curve.fpr_bounds_at(1.0) == Bounds(1 / 3, 1 / 3)
    assert curve.rate_bounds_at(4.0) == (Bounds(1 / 3, 1 / 3), Bounds(2 / 3, 2 / 3))
    assert "bounds" not in curve.to_dict()


def test_weights_that_are_known_at_a_threshold_can_be_read_there():
    weights = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    curve = rs.roc_curves(counted([(LABELS, SCORES)], [CELLS], weights=weights))[0]
    assert curve.rates_at(3.0).tpr == 1.0
    assert curve.rates_at(6.0).tpr == pytest.approx(0.1 / 0.7)
    with pytest.raises(UsageError, match="RS407"):
        curve.rates_at(4.0)


def test_large_and_small_weights_beside_each_other_do_not_spoil_each_other():
    weights = np.concatenate([np.full(6, 1e300), np.full(6, 1e-10)])
    counts = counted([(LABELS, SCORES), (LABELS, SCORES)], [CELLS, CELLS], weights=weights)
    for bounds, exact in zip(counts.auc_bounds, (7 / 9, 1.0), strict=True):
        assert bounds == pytest.approx([exact, exact], abs=1e-13)


def test_groups_of_one_class_have_no_curve():
    groups = [(LABELS, SCORES), (LABELS[:2], SCORES[:2])]
    counts = counted(groups, [CELLS, CELLS[:2]])
    with pytest.raises(DataError, match="RS036"):
        rs.roc_curves(counts)
    curves = rs.roc_curves(counts, undefined="drop")
    assert curves.undefined == ("fold 2: no negatives",)
    assert len(curves) == 1
    assert np.isnan(counts.auc_half_widths).tolist() == np.isnan(counts.rate_half_widths).tolist() == [0, 1]


def test_how_they_print(counts, curve):
    assert repr(counts) == "CountedScores(2 folds, 12 rows, AUC ± 0.11, rates ± 0.33)"
    assert repr(rs.roc_curves(counts)) == "CurveSet(2 folds, mean AUC 0.889, AUC within 0.11)"
    assert repr(curve) == ("RocCurve(fold 1: 3 positives, 3 negatives, 3 cells, AUC 0.777778 to 1.000000)")
    assert repr(curve.auc_bounds) == "Bounds(0.777778 to 1)"
    assert repr(curve.tpr_bounds_at([0.1, 0.2])) == "Bounds(at 2 places)"
    exact = counted([(LABELS, SCORES)], [[0, 1, 2, 3, 4, 4]])
    assert repr(exact) == "CountedScores(1 fold, 6 rows, exact curves)"
    assert repr(rs.roc_curves(exact)[0]).endswith("5 cells, AUC 0.889)")
    assert repr(counted([(LABELS[:2], SCORES[:2])], [CELLS[:2]])).endswith("2 rows, 1 undefined, no curve)")


def test_bounds_are_not_shown_as_a_confidence_interval(counts, curve):
    for value in (curve.auc_bounds, rs.roc_curves(counts)):
        page = value._repr_html_()
        assert "certain bounds" in page
        assert "interval" not in page
        assert "CI" not in page
