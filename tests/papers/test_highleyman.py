"""Highleyman's classes: what is drawn, and the limit of the detector in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr

from rocsteady.simulate import highleyman, highleyman_fpr, highleyman_rates

LIMIT = {0.5: 0.102619, 0.7: 0.205303, 0.8: 0.256886, 0.9: 0.324475, 0.95: 0.377997, 0.99: 0.473416}


@pytest.mark.parametrize(("tpr", "fpr"), LIMIT.items())
def test_the_limit_has_the_values_of_the_specification(tpr: float, fpr: float) -> None:
    assert highleyman_fpr(tpr) == pytest.approx(fpr, abs=6e-7)


@settings(max_examples=20)  # quad is slow
@given(st.floats(0.05, 20))
def test_the_limit_is_the_integral(radius: float) -> None:
    def height(x: float) -> float:
        h = 0.5 * np.sqrt(max(radius**2 - (x - 1) ** 2, 0.0))
        share = ndtr((1 + h) / 2) - ndtr((1 - h) / 2)
        return float(share * np.exp(-(((x - 2) / 0.1) ** 2) / 2) / (0.1 * np.sqrt(2 * np.pi)))

    fpr, tpr = highleyman_rates(radius)
    low, high = max(1 - radius, 1.0), min(1 + radius, 3.0)
    assert fpr == pytest.approx(quad(height, low, high, points=[min(2.0, high)], limit=400)[0], abs=1e-7)
    assert tpr == pytest.approx(1 - np.exp(-(radius**2) / 2), abs=1e-12)


def test_a_curve_from_nothing_to_everything() -> None:
    fpr, tpr = highleyman_rates(np.linspace(0, 40, 200))
    assert (fpr[0], tpr[0]) == (0, 0)
    assert (fpr[-1], tpr[-1]) == pytest.approx((1, 1), abs=1e-12)
    assert (np.diff(fpr) >= -1e-13).all()
    assert (np.diff(tpr) >= 0).all()


def test_scalars_stay_scalars_and_shapes_stay() -> None:
    assert isinstance(highleyman_fpr(0.9), float)
    fpr, tpr = highleyman_rates(np.ones((2, 3)))
    assert fpr.shape == tpr.shape == (2, 3)


def test_the_classes_have_their_means_and_variances() -> None:
    n = 20_000
    features, is_first = highleyman(n, seed=4)
    for chosen, mean, variances in ((is_first, (1, 1), (1, 0.25)), (~is_first, (2, 0), (0.01, 4))):
        own = features[chosen]
        assert len(own) == n
        error = np.sqrt(np.array(variances) / n)
        assert (np.abs(own.mean(axis=0) - mean) < 4 * error).all()
        assert (np.abs(own.var(axis=0) / variances - 1) < 4 * np.sqrt(2 / n)).all()
        assert abs(np.corrcoef(own.T)[0, 1]) < 4 / np.sqrt(n)


def test_the_share_within_a_radius_is_the_limit() -> None:
    n = 20_000
    features, is_first = highleyman(n, seed=5)
    inside = ((features - 1) ** 2 / [1, 0.25]).sum(axis=1) <= 1.7**2
    for chosen, share in zip((~is_first, is_first), highleyman_rates(1.7), strict=True):
        assert inside[chosen].mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / n))


def test_a_seed_is_a_sample() -> None:
    assert np.array_equal(highleyman(5, seed=1)[0], highleyman(5, seed=1)[0])
    assert not np.array_equal(highleyman(5, seed=1)[0], highleyman(5, seed=2)[0])
