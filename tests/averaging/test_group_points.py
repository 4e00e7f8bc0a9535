"""Points of single groups: their mean is the average, and their thresholds do what they say."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.simulate import ShiftedDatasets

METHODS = {
    "threshold": ("threshold", [2.5, 0.3]),
    "pooled": ("pooled", [2.5, 0.3]),
    "vertical": ("vertical", [0.05, 0.3]),
    "horizontal": ("horizontal", [0.9, 0.5]),
    "diagonal": ("diagonal", [0.5, 0.2]),
    "alerts": (rs.AtAlarmRate(prevalence=0.2), [0.3, 0.1]),
    "costs": (rs.AtCosts(1, 20, 0.03), [0.3, 0.1]),
    "radial": ("radial", [0.5, 0.2]),
    "tangent": ("tangent", [0.5, 0.2]),
}


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    return ShiftedDatasets("C-2a", separation=2).draw(9, 12, 30, seed=3, unit="host")


@pytest.mark.parametrize("name", METHODS)
def test_the_mean_of_the_points_is_the_average(hosts, name) -> None:
    method, at = METHODS[name]
    average = rs.average(hosts, method)
    points = average.group_points(at)
    assert points.fpr.shape == points.tpr.shape == points.thresholds.shape == (9, 2)
    fpr, tpr = average.weights @ points.fpr, average.weights @ points.tpr
    for x, y in zip(fpr, tpr, strict=True):
        # the mean point lies on the curve: between what it has just before and just after
        low, high = average.tpr_at(max(x - 1e-9, 0)), average.tpr_at(min(x + 1e-9, 1))
        off = 1e-4 if name == "radial" else 1e-9  # a radial average is drawn through samples
        assert low - off <= y <= high + off


@pytest.mark.parametrize("name", METHODS)
def test_every_group_by_itself_has_the_same_point(hosts, name) -> None:
    """Points come in the order of the members, and of the positions."""
    method, at = METHODS[name]
    together = rs.average(hosts, method).group_points(at)
    for i in (0, 8):
        alone = rs.average([rs.roc_curve(hosts[i])], method)
        for k, position in enumerate(at):
            own = alone.group_points([position])
            assert own.fpr[0, 0] == pytest.approx(together.fpr[i, k], abs=1e-12)
            assert own.tpr[0, 0] == pytest.approx(together.tpr[i, k], abs=1e-12)
            assert own.thresholds[0, 0] == together.thresholds[i, k]


@pytest.mark.parametrize("at", [0.0, 0.05, 0.1, 0.5, 1.0])
def test_own_thresholds_keep_or_reach_the_rate(hosts, at) -> None:
    curves = rs.roc_curves(hosts)
    vertical = rs.average(hosts, "vertical").group_points([at]).thresholds[:, 0]
    horizontal = rs.average(hosts, "horizontal").group_points([at]).thresholds[:, 0]
    for curve, loosest, strictest in zip(curves, vertical, horizontal, strict=True):
        assert curve.rates_at(loosest).fpr <= at
        looser = curve.thresholds[curve.thresholds < loosest]
        assert not looser.size or curve.rates_at(looser.max()).fpr > at
        assert curve.rates_at(strictest).tpr >= at
        stricter = curve.thresholds[curve.thresholds > strictest]
        assert not stricter.size or curve.rates_at(stricter.min()).tpr < at


def test_a_group_without_a_class_has_no_rate_of_it() -> None:
    rows = rs.ScoreSet.from_arrays([1, 0, 0, 0, 1, 1], [3, 1, 2, 5, 4, 2], list("aabbcc"))
    points = rs.average(rows, "pooled").group_points([2])
    assert np.isnan(points.tpr[1, 0])
    assert points.fpr[1, 0] == 1
    assert np.isnan(points.fpr[2, 0])
    assert points.tpr[2, 0] == 1


@pytest.mark.parametrize(
    ("method", "place", "at"),
    [
        ("vertical", {"fpr": 0.05}, 0.05),
        ("horizontal", "sensitivity=90%", 0.9),
        ("threshold", {"threshold": 0.3}, 0.3),
        ("pooled", "t=0.3", 0.3),
        (rs.AtAlarmRate(prevalence=0.5), {"alerts": "10%"}, 0.1),
        (rs.AtAlarmRate(prevalence=0.5), {"alerts": 12}, 0.1),
        ("radial", {"ratio": (1, 2)}, 1 / 3),
    ],
)
def test_a_place_means_here_what_it_means_everywhere(method, place, at):
    rng, labels = np.random.default_rng(0), np.tile(np.repeat([0, 1], 20), 3)
    sites = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=120) + labels, np.repeat([1, 2, 3], 40), design="independent"
    )
    average = rs.average(sites, method)
    named, plain = average.group_points(place), average.group_points([at])
    for rate in ("fpr", "tpr", "thresholds"):
        np.testing.assert_array_equal(getattr(named, rate), getattr(plain, rate))


def test_a_place_that_the_average_does_not_hold_is_refused():
    sites = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    with pytest.raises(rs.RocsteadyError, match="RS092"):
        rs.average(sites, "vertical").group_points({"tpr": 0.9})


@pytest.mark.parametrize("at", [[1.5], [0.5, -1], [np.nan], [np.inf, -np.inf]])
@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal", "radial", "tangent"])
def test_what_is_no_position_is_refused(method, at) -> None:
    """They were clipped, or read as NaN beside a threshold; infinite ones leaked a RuntimeWarning."""
    rows = rs.ScoreSet.from_arrays([1, 0, 1, 0, 0, 1], [3.0, 1, 2, 5, 1, 2], list("aabbbb"))
    with pytest.raises(UsageError, match="RS042: at must be between 0 and 1"):
        rs.average(rows, method).group_points(at)


@pytest.mark.parametrize("method", ["threshold", "pooled"])
@pytest.mark.parametrize("shift", [0, 0.5])
def test_nan_is_no_threshold_of_groups(method, shift) -> None:
    rows = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3 + shift, 1, 2, 5], list("aabb"))
    with pytest.raises(UsageError, match="RS042: a threshold must be a number"):
        rs.average(rows, method).group_points([1, np.nan])
    beyond = rs.average(rows, method).group_points([np.inf, -np.inf])
    assert beyond.fpr.tolist() == [[0, 1], [0, 1]]
