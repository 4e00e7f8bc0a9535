"""Percentiles of resampled groups, and the factor of a simultaneous band."""

from __future__ import annotations

import numpy as np
import pytest

from rocsteady.statistics.resampling import expanded_percentiles, sup_t_factor


def test_percentiles_reach_as_far_as_student_is_wider() -> None:
    """Of normal resamples with the spread that M groups leave: the mean, and t times the standard error."""
    from scipy.special import ndtri, stdtrit

    normal = ndtri((np.arange(200_000) + 0.5) / 200_000)
    for n_groups in (5, 10, 50):
        error = 0.1
        readings = 0.7 + error * np.sqrt((n_groups - 1) / n_groups) * normal
        low, high = expanded_percentiles(readings[:, None], 0.95, n_groups=n_groups, df=n_groups - 1)
        half = stdtrit(n_groups - 1, 0.975) * error
        assert (low[0], high[0]) == pytest.approx((0.7 - half, 0.7 + half), abs=1e-4)


def test_one_group_has_no_percentiles() -> None:
    low, high = expanded_percentiles(np.zeros((10, 3)), 0.95, n_groups=1, df=0)
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_the_factor_holds_the_promised_share_of_resamples_at_once() -> None:
    deviations = np.random.default_rng(0).normal(size=(1000, 20)) * np.linspace(0.1, 2, 20)
    error = deviations.std(axis=0)
    error[3] = 0.0  # left out, however large
    factor = sup_t_factor(deviations, error, 0.9)
    kept = np.arange(20) != 3
    inside = (np.abs(deviations[:, kept]) <= factor * error[kept]).all(axis=1)
    assert 0.9 <= inside.mean() <= 0.902
    assert np.isnan(sup_t_factor(deviations, np.zeros(20), 0.9))
