"""Averages of counts: a toy by hand, what they refuse, their intervals, and how they are shown."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import rocsteady as rs
from counted_rows import counted, distinct, together
from rocsteady.curves.readings import Bounds
from rocsteady.errors import DataError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:RS210")

LABELS = np.array([True, True, False, True, False, False])
SCORES = np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
CELLS = np.array([0, 1, 1, 1, 2, 2])


@pytest.fixture
def counts():
    """Two groups; of the second everything is known."""
    return counted([(LABELS, SCORES), (LABELS, SCORES + 0.5)], [CELLS, distinct(SCORES)])


def test_bounds_of_a_toy(counts):
    average = rs.average(counts, "vertical")
    assert average.bounds is not None
    assert average.auc_bounds.low == pytest.approx((7 / 9 + 8 / 9) / 2, abs=1e-12)
    assert average.auc_bounds.high == pytest.approx((1 + 8 / 9) / 2, abs=1e-12)
    point = average.at(fpr=0.0)
    assert point.fpr_bounds is None
    assert point.tpr_bounds.low == pytest.approx((1 / 3 + 2 / 3) / 2, abs=1e-12)
    assert point.tpr_bounds.high == pytest.approx((1 + 2 / 3) / 2, abs=1e-12)
    assert average.lower.tpr.max() == average.upper.tpr.max() == 1
    exact = rs.average(together([(LABELS, SCORES)]), "vertical")
    assert exact.lower is exact.upper is exact
    assert exact.auc_bounds == Bounds(exact.auc, exact.auc)
    assert exact.at(fpr=0.0).tpr_bounds is None


def test_ties_of_several_groups_are_one_step_of_the_pooled_curve():
    positive, negative = (np.array([own] * 2) for own in (True, False))
    tied, apart = np.array([1.0, 1.0]), np.array([5.0, 7.0])
    mixed = (np.array([True, False]), apart)
    counts = counted([(positive, tied), (negative, tied), mixed], [[0, 0], [0, 0], [0, 0]])
    truth = rs.average(together([(positive, tied), (negative, tied), mixed]), "pooled")
    average = rs.average(counts, "pooled", undefined="drop")
    assert average.auc_bounds.low <= truth.auc <= average.auc_bounds.high
    assert average.at(fpr=2 / 3).tpr_bounds.high == pytest.approx(truth.at(fpr=2 / 3).tpr, abs=1e-12)


def test_cells_that_end_at_the_same_score_can_be_averaged():
    overlapping = counted([(LABELS, SCORES), (LABELS, SCORES)], [[0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]])
    same_end = counted([(LABELS, np.array([3, 3, 2, 1, 1, 1.0]))], [[0, 1, 0, 1, 0, 1]])
    for counts in (overlapping, same_end, overlapping + overlapping):
        for method in ("threshold", "pooled", "vertical"):
            bounds = rs.average(counts, method).auc_bounds
            assert 0 <= bounds.low < bounds.high <= 1


def test_one_uncertain_group_among_many_widens_the_interval_enough():
    """All that is uncertain may be in one group: then the spread is off by more than the mean is."""
    groups = [(LABELS, SCORES)] * 9
    every = [distinct(SCORES)] * 9
    average = rs.average(counted(groups, [np.zeros(6, dtype=int), *every[1:]]), "vertical")
    found = average.at(fpr=0.0).tpr_interval
    for first in ([False, False, False, True, True, True], [True, True, True, False, False, False]):
        truth = rs.average(together([(np.array(first), SCORES), *groups[1:]]), "vertical").at(fpr=0.0)
        assert found.low <= truth.tpr_interval.low
        assert truth.tpr_interval.high <= found.high


def test_exact_curves_have_an_ordinary_average_unless_thresholds_are_needed():
    groups = [(LABELS, SCORES), (LABELS, SCORES + 0.5)]
    placed = counted(groups, [[0, 0, 1, 2, 3, 3]] * 2)
    assert placed.is_exact
    assert not placed.knows_thresholds
    vertical, shared = rs.average(placed, "vertical"), rs.average(placed, "threshold")
    assert vertical.auc == rs.average(together(groups), "vertical").auc
    assert vertical.bounds is None
    assert shared.bounds is not None
    assert shared.auc_bounds.low <= rs.average(together(groups), "threshold").auc <= shared.auc_bounds.high


def test_what_counts_in_cells_do_not_have(counts):
    with pytest.raises(DataError, match="RS406"):
        rs.average(counts, "binormal")
    with pytest.raises(UsageError, match="RS083"):
        rs.average(counts, "pooled", group_weights=[1, 2])
    with pytest.raises(UsageError, match="RS083"):
        rs.average(counts, "vertical", group_weights=[1, 2, 3])
    with pytest.raises(UsageError, match="RS084"):
        rs.average(counts, "vertical").at(threshold=0.5)
    with pytest.raises(UsageError, match="RS002"):
        rs.average(counts, "vertical").at(fpr=0.1, tpr=0.2)
    with pytest.raises(UsageError, match="undefined"):
        rs.average(counts, "vertical", undefined="keep")
    two = replace(counts, models=("a", "b"), model_index=np.array([0, 1]))
    with pytest.raises(UsageError, match="RS044"):
        rs.average(two, "vertical")


def test_curves_between_bounds_have_no_average_without(counts):
    curves = rs.roc_curves(counts)
    for given in (curves, [curves[0]]):
        with pytest.raises(DataError, match=r"(?s)RS406.*rs.average\(counts"):
            rs.average(given, "vertical")


def test_groups_without_a_curve_are_told():
    counts = counted([(LABELS, SCORES), (LABELS[:2], SCORES[:2])], [CELLS, CELLS[:2]])
    with pytest.raises(DataError, match="RS036"):
        rs.average(counts, "vertical")
    average = rs.average(counts, "vertical", undefined="drop", group_weights=[2.0, 1.0])
    assert average.undefined == ("fold 2: no negatives",)
    assert rs.average(counts, "pooled").members == ("fold 1", "fold 2")


def test_weights_by_size_and_by_name(counts):
    for weights in ("positives", "negatives", "rows", {"fold 1": 1, "fold 2": 3}):
        average = rs.average(counts, "vertical", group_weights=weights)
        assert average.auc_bounds.low <= average.auc <= average.auc_bounds.high


def test_how_they_print_and_what_they_say(counts):
    average = rs.average(counts, "vertical")
    assert repr(average) == "DirectionalAverage(vertical, 2 folds, AUC 0.833333 to 0.944444)"
    assert "exact to within ± 0.056" in average.reading
    point = average.at(fpr=0.0)
    assert repr(point) == "AveragePoint(fpr 0.0000, tpr 0.500000 to 0.833333)"
    assert "certain are TPR 50 to 83.3 %" in point.reading
    assert repr(average.at(fpr=[0.1, 0.2])) == "AveragePoint(at 2 positions)"
    assert repr(average.lower) == "DirectionalAverage(vertical, 2 folds, AUC 0.8333)"
    plain = json.loads(json.dumps(average.to_dict()))
    assert plain["auc_bounds"] == [average.auc_bounds.low, average.auc_bounds.high]


def test_a_radial_average_is_read_between_its_rays():
    """A concave curve lies above the chords between its samples, so these are no upper bound."""
    rng = np.random.default_rng(3)
    groups = [(rng.random(12) < 0.5, rng.normal(size=12).round(1)) for _ in range(3)]
    groups = [(np.append(own, [True, False]), np.append(score, [0.05, 0.15])) for own, score in groups]
    counts = counted(groups, [(own * 10 // 1).astype(int) for _, own in groups])
    exact = rs.average(together(groups), "radial")
    average = rs.average(counts, "radial") if not counts.is_exact else None
    assert average is not None
    ratios = np.linspace(0.01, 0.99, 40)
    truth = exact.at_error_ratio(ratios, 1 - ratios)
    found = average.at(fpr=truth.fpr).tpr_bounds
    assert (found.low <= truth.tpr).all()
    assert (truth.tpr <= found.high).all()
