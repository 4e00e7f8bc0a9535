"""Cut-offs around a chosen one, and several cut-offs from the same resamples."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.points.cutoffs import intervals_together
from rocsteady.points.tables import neighbourhood_of
from rocsteady.simulate import ShiftedDatasets

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    return ShiftedDatasets("C-1", separation=2).draw(12, 20, 40, seed=5, unit="host")


def test_what_cannot_be_told_apart_is_what_the_table_says(hosts) -> None:
    chosen = rs.choose_cutoff(rs.average(hosts, "threshold"), "youden").threshold
    found = neighbourhood_of(hosts, chosen, n_points=20)
    assert found is not None
    at = found.table.thresholds
    assert at[found.index] == chosen
    table = rs.average_operating_points(hosts, thresholds=at)
    assert np.array_equal(table.compare_to(found.index, "tpr").pvalue, found.by_tpr.pvalue, equal_nan=True)
    around = found.around(6)
    assert found.index in around
    assert around == sorted(around)
    assert len(around) <= 7
    first, last = found.span
    assert around[0] == first
    assert around[-1] == last
    high, low = found.alike  # strictest first
    inside = (at <= high) & (at >= low)
    assert (found.by_fpr.indistinguishable & found.by_tpr.indistinguishable)[inside].all()
    assert inside[found.index]
    before = np.flatnonzero(inside)[0] - 1
    assert before < 0 or not (found.by_fpr.indistinguishable & found.by_tpr.indistinguishable)[before]


def test_one_group_tells_nothing_apart() -> None:
    alone = rs.ScoreSet.from_arrays([1, 0, 1, 0], [4, 3, 2, 1], ["a"] * 4)
    assert neighbourhood_of(alone, 2.0) is None


def test_cutoffs_together_have_the_intervals_they_have_alone(hosts) -> None:
    average = rs.average(hosts, "threshold")
    aims = ("youden", rs.TargetRate(fpr=0.1), rs.TargetRate(tpr=0.9))
    cutoffs = [rs.choose_cutoff(average, aim) for aim in aims]
    together = intervals_together(cutoffs, n_resamples=200, seed=4, confidence_level=0.9)
    for cutoff, own in zip(cutoffs, together, strict=True):
        alone = cutoff.intervals(0.9, 200, 4)
        assert own.to_dict() == alone.to_dict()
    assert together[1].fpr is None
    assert together[2].tpr is None
