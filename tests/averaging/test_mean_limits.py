"""Means and limits at many positions at once are those that an average gives one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.options import How
from rocsteady.report.summary.modes.reading import mean_points

# Scores with one place are alike in many groups, near the ends of their curves.
pytestmark = pytest.mark.filterwarnings("ignore:RS210")


def folds(n_groups: int = 6, *, seed: int = 0, weights: bool = False) -> rs.ScoreSet:
    rng = np.random.default_rng(seed)
    n = 40 * n_groups
    labels, groups = rng.integers(0, 2, n), np.repeat(range(n_groups), 40)
    scores = np.round(rng.normal(size=n) + 1.5 * labels + rng.normal(size=n_groups)[groups], 1)
    weight = rng.random(n) + 0.5 if weights else None
    return rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weight)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal"])
def test_along_a_direction(method: str, weights: bool) -> None:
    average = rs.average(folds(weights=weights), method)
    at = np.linspace(0.05, 0.95, 7)
    found = mean_points(average, average.group_points(at), confidence_level=0.9)
    name = {"vertical": "fpr", "horizontal": "tpr"}.get(method, "rate")
    point = average.at(**{name: at}, confidence_level=0.9)
    for rate in ("fpr", "tpr"):
        assert np.allclose(getattr(found, rate), getattr(point, rate), atol=1e-13)
        interval: Any = getattr(point, f"{rate}_interval")
        low, high = getattr(found, f"{rate}_low"), getattr(found, f"{rate}_high")
        if interval is None:
            assert np.isnan(low).all()
        else:
            assert np.allclose(low, interval.low, atol=1e-13)
            assert np.allclose(high, interval.high, atol=1e-13)


@pytest.mark.parametrize("weights", [False, True])
def test_at_ratios_and_at_costs(weights: bool) -> None:
    scores, at = folds(weights=weights), np.linspace(0.05, 0.95, 7)
    radial: Any = rs.average(scores, "radial")
    found, point = mean_points(radial, radial.group_points(at)), radial.at_error_ratio(at, 1 - at)
    assert np.allclose(found.fpr, point.fpr, atol=1e-13)
    assert np.allclose(found.tpr_low, point.tpr_interval.low, atol=1e-13)
    tangent: Any = rs.average(scores, "tangent")
    found = mean_points(tangent, tangent.group_points(at))
    for i, share in enumerate(at):
        point = tangent.at_costs(false_positive=1 - share, false_negative=share, prevalence=0.5)
        assert found.tpr[i] == pytest.approx(point.tpr, abs=1e-13)
        assert found.fpr_high[i] == pytest.approx(point.fpr_interval.high, abs=1e-13)


def test_a_pooled_curve_has_two_kinds_of_weights() -> None:
    pooled = rs.average(folds(), "pooled")
    with pytest.raises(TypeError, match="both axes"):
        mean_points(pooled, pooled.group_points([0.5]))


@pytest.mark.filterwarnings("ignore:RS230")
@pytest.mark.parametrize("method", ["threshold", "pooled", "radial", "tangent", "binormal"])
def test_what_groups_add_to_the_area_scatters_as_resampled_areas_do(method: str) -> None:
    average = rs.average(folds(60), method)
    linear = average.auc_interval(quantile="normal", scale="linear")
    areas = []
    for fpr, tpr in average._resampled(How(n_resamples=2000)):
        areas.append((np.diff(fpr, axis=1) * (tpr[:, 1:] + tpr[:, :-1]) / 2).sum(axis=1))
    drawn = 2 * 1.959964 * np.std(np.concatenate(areas), ddof=1)
    assert linear.high - linear.low == pytest.approx(drawn, rel=0.08)
    assert (linear.high + linear.low) / 2 == pytest.approx(average.auc)
