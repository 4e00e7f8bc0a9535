"""The hull of long curves, where the quick passes hand over to the scan."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.curves.readings import hull_vertices
from rocsteady.errors import UsageError


def concave(n):
    """Integer points of a strictly concave path: slopes n, n - 1, ..., 1."""
    return np.concatenate([[0], np.cumsum(np.arange(n, 0, -1))]), np.arange(n + 1)


def test_a_strictly_concave_curve_is_its_own_hull():
    y, x = concave(60)
    np.testing.assert_array_equal(hull_vertices(y, x), np.arange(61))


def test_a_point_on_an_edge_is_no_corner_however_few_there_are():
    y, x = concave(60)
    y, x = 2 * y, 2 * x
    middle = 30
    y = np.insert(y, middle, (y[middle - 1] + y[middle]) // 2)
    x = np.insert(x, middle, (x[middle - 1] + x[middle]) // 2)
    np.testing.assert_array_equal(hull_vertices(y, x), np.delete(np.arange(62), middle))


def test_a_last_tie_group_can_swallow_a_long_arc():
    """A constant block of low scores: one neighbour at a time would be removed, the scan takes them all."""
    y, x = concave(400)
    y, x = np.append(y, y[-1] * 50), np.append(x, x[-1] + 1)
    assert hull_vertices(y, x).tolist() == [0, 401]


def test_hull_of_a_large_random_curve_against_the_scan_alone():
    rng = np.random.default_rng(8)
    labels = rng.random(20_000) < 0.4
    curve = rs.roc_curve(labels, rng.normal(size=20_000) + labels)
    points = list(zip(curve.false_positives.tolist(), curve.true_positives.tolist(), strict=True))
    chain = []
    for x, y in points:
        while len(chain) > 1:
            (a, b), (c, d) = chain[-2:]
            if (c - a) * (y - d) < (d - b) * (x - c):
                break
            chain.pop()
        chain.append((x, y))
    hull = curve.hull()
    assert list(zip(hull.false_positives.tolist(), hull.true_positives.tolist(), strict=True)) == chain


@pytest.mark.parametrize("weights", [None, [1, 2, 1, 2, 1, 2, 1, 2]], ids=["plain", "weighted"])
def test_a_hull_has_readings_but_no_standard_error(weights):
    curve = rs.roc_curve([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1], sample_weight=weights)
    for hull in (curve.hull(), curve.hull().hull()):
        assert "convex hull" in repr(hull)
        assert hull.auc > curve.auc
        assert hull.tpr_at(0.1) >= curve.tpr_at(0.1)
        for refused in (
            hull.auc_standard_error,
            hull.auc_interval,
            lambda: hull.auc_interval(method="bootstrap"),  # noqa: B023
            hull.auc_null_test,
        ):
            with pytest.raises(UsageError, match="RS002: a convex hull"):
                refused()
    assert "hull" not in repr(curve)
