"""The count table, and what is said when the kernels refuse or are missing."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import _kernels
from rocsteady.counting import table
from rocsteady.counting.table import count_table, count_wins, delong_moments
from rocsteady.errors import DataError, LabelError, RocsteadyWarning


@pytest.fixture
def hosts():
    return rs.ScoreSet.from_arrays(
        [1, 0, 0, 0, 1, 0], [5, 4, 3, 2, 1, 1], ["a", "a", "b", "b", "c", "c"], unit="host"
    )


def test_one_block_per_group_each_led_by_infinity(hosts):
    counts = count_table(hosts)
    assert len(counts) == 3
    assert counts.offsets.tolist() == [0, 3, 6, 8]
    assert counts.thresholds.tolist() == [np.inf, 5, 4, np.inf, 3, 2, np.inf, 1]
    assert counts.n_positives.tolist() == [1, 0, 1]
    assert counts.n_negatives.tolist() == [1, 2, 1]


def test_groups_can_be_left_out(hosts):
    kept = count_table(hosts).keep(np.array([True, False, True]))
    assert kept.offsets.tolist() == [0, 3, 5]
    assert kept.thresholds.tolist() == [np.inf, 5, 4, np.inf, 1]
    assert kept.false_positives.tolist() == [0, 0, 1, 0, 1]


def test_wins_and_moments_agree_with_the_table(hosts):
    wins, n_positives, n_negatives = count_wins(hosts)
    moments = delong_moments(hosts)
    assert wins.tolist() == moments.wins.tolist() == [2, 0, 1]
    assert n_positives.tolist() == moments.n_positives.tolist() == [1, 0, 1]
    assert n_negatives.tolist() == moments.n_negatives.tolist() == [1, 2, 1]


def test_counts_do_not_change_once_they_are_made(hosts):
    with pytest.raises(ValueError, match="read-only"):
        count_table(hosts).true_positives[0] = 7


@pytest.mark.parametrize(
    "call", [rs.auc, rs.roc_curve, rs.auc_interval, lambda y, s: rs.compare_auc(y, y, s)]
)
def test_what_a_kernel_refuses_becomes_the_coded_error(call):
    with pytest.raises(DataError, match="RS031"):
        call([1, 0, 1, 0], [0.5, np.nan, 0.1, 0.2])
    with pytest.raises(LabelError, match=r"RS020|RS022"):
        call(np.array([1, 0, 2, 0]), [0.5, 0.4, 0.1, 0.2])


def test_a_kernels_own_error_is_not_swallowed(monkeypatch):
    def fail(*arguments):
        raise ValueError("something else")

    monkeypatch.setattr(_kernels, "kernels", type("Broken", (), {"count_curves": staticmethod(fail)}))
    with pytest.raises(ValueError, match="something else"):
        rs.roc_curve([1, 0], [2, 1])


def test_missing_kernels_are_warned_about_once(monkeypatch):
    monkeypatch.setattr(_kernels, "is_native", False)
    monkeypatch.setattr(_kernels, "kernels", _kernels.reference)
    table.warn_without_kernels.cache_clear()
    try:
        with pytest.warns(RocsteadyWarning, match="RS103"):
            rs.auc([1, 0], [2, 1])
        rs.auc([1, 0], [2, 1])  # warnings are errors in this suite: a second one would fail
        rs.roc_curve([1, 0], [2, 1])
        rs.compare_auc([1, 1, 0, 0], [4, 3, 2, 3], [1, 2, 3, 1])
    finally:
        table.warn_without_kernels.cache_clear()
