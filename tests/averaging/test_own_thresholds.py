"""Thresholds that groups were given: their rates by hand, their intervals, and one threshold for all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.averaging.own_thresholds import at_own_thresholds
from rocsteady.statistics.groups import t_limits
from rocsteady.statistics.limits import t_quantile
from strategies import grouped_scores

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

FOLDS = [([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1]), ([1, 0], [5, 5])]


def test_rates_and_limits_by_hand() -> None:
    average = rs.average(rs.ScoreSet.from_folds(FOLDS, design="independent"), "vertical")
    point, groups = at_own_thresholds(average, [4, 7, 5])
    assert groups.fpr.ravel().tolist() == [0.5, 0, 1]
    assert groups.tpr.ravel().tolist() == [0.5, 0.5, 1]
    assert (point.fpr, point.tpr, point.thresholds) == (0.5, pytest.approx(2 / 3), (4, 7))
    error = np.std([0.5, 0.5, 1], ddof=1) / np.sqrt(3)
    limits = t_limits(np.array(2 / 3), t_quantile(2, 0.95) * error)
    assert [point.tpr_interval.low, point.tpr_interval.high] == pytest.approx([float(own) for own in limits])
    assert "4.000 to 7.000" in point.reading
    assert "3 folds" in point.reading


def test_groups_without_a_threshold_do_not_count() -> None:
    folds = rs.ScoreSet.from_folds(FOLDS, design="independent")
    point, groups = at_own_thresholds(rs.average(folds, "vertical"), [4, np.nan, 5])
    assert np.isnan(groups.tpr.ravel()).tolist() == [False, True, False]
    assert (point.fpr, point.tpr, point.averaged.n_groups) == (0.75, 0.75, 2)
    nothing, _ = at_own_thresholds(rs.average(folds, "vertical"), [np.nan] * 3)
    assert np.isnan([nothing.fpr, nothing.tpr]).all()
    assert nothing.thresholds is None
    with pytest.raises(rs.RocsteadyError, match="RS013"):
        at_own_thresholds(rs.average(folds, "vertical"), [4, 7])


@given(grouped_scores(), st.booleans())
def test_one_threshold_for_all_is_that_of_the_threshold_average(groups, higher) -> None:
    folds = rs.ScoreSet.from_folds(groups, higher_is_positive=higher, design="independent")
    if not folds.has_curve.all():
        return
    average = rs.average(folds, "threshold")
    for threshold in average.thresholds[1:3].tolist():
        point, own = at_own_thresholds(average, [threshold] * average.n_groups)
        shared = average.rates_at(threshold)
        assert (point.fpr, point.tpr) == pytest.approx((shared.fpr, shared.tpr), abs=1e-12)
        np.testing.assert_array_equal(own.tpr, average.group_points([threshold]).tpr)
