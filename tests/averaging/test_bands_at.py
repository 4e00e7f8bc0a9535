"""A band may be asked for at chosen false positive rates: there it is the same as elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError

AT = np.array([0.3, 0.004, 0.02, 0.1])  # in any order


@pytest.fixture(scope="module")
def sites() -> rs.ScoreSet:
    rng = np.random.default_rng(3)
    labels = np.tile(np.r_[np.ones(40), np.zeros(500)], 10)
    return rs.ScoreSet.from_arrays(
        labels, rng.normal(size=labels.size) + 1.2 * labels, np.repeat(np.arange(10), 540)
    )


@pytest.mark.parametrize("method", ["vertical", "threshold"])
def test_pointwise_limits_are_those_of_a_reading(sites, method) -> None:
    average = rs.average(sites, method)
    band, point = average.band(fpr=(0, 1), at=AT), average.at(fpr=np.sort(AT))
    chosen = np.searchsorted(band.lower.fpr, np.sort(AT), side="right") - 1  # the upper end of a jump
    np.testing.assert_allclose(band.lower.fpr[chosen], np.sort(AT))
    np.testing.assert_allclose(band.lower.tpr[chosen], point.tpr_interval.low)
    np.testing.assert_allclose(band.upper.tpr[chosen], point.tpr_interval.high)


@pytest.mark.parametrize("method", ["diagonal", "horizontal"])
def test_oblique_bands_have_their_middle_where_it_was_asked_for(sites, method) -> None:
    average = rs.average(sites, method)
    band = average.band(at=AT, scale="linear")
    middle = band.middle.fpr
    for fpr in AT:  # there, or at both ends of a jump over it
        assert np.abs(middle - fpr).min() < 1e-9 or ((middle < fpr).any() and (middle > fpr).any())
    along = middle * average.direction.cosine + band.middle.tpr * average.direction.sine
    half = band.factor * average.at_position(along).standard_error
    width = np.hypot(band.upper.fpr - band.lower.fpr, band.upper.tpr - band.lower.tpr)
    is_smooth = np.isclose(average.at_position(along).fpr, middle)  # not the other end of a jump
    assert is_smooth.sum() >= AT.size
    np.testing.assert_allclose(width[is_smooth], 2 * half[is_smooth])


def test_a_simultaneous_band_keeps_to_its_range(sites) -> None:
    average = rs.average(sites, "vertical")
    band = average.band(kind="simultaneous", fpr=(0.01, 0.2), at=AT, n_resamples=200)
    np.testing.assert_allclose(band.lower.fpr, [0.02, 0.1])
    assert (band.upper.tpr - band.lower.tpr > 0).all()
    wide = rs.average(sites, "threshold").band(kind="simultaneous", fpr=(0.01, 0.2), at=AT, n_resamples=200)
    np.testing.assert_allclose(wide.middle.fpr, [0.02, 0.1])


def test_a_rate_is_needed(sites) -> None:
    with pytest.raises(UsageError, match="RS042"):
        rs.average(sites, "vertical").band(at=[2.0])


@pytest.mark.parametrize("method", ["vertical", "diagonal", "threshold"])
def test_a_simultaneous_band_is_about_its_whole_range_wherever_it_is_read(sites, method) -> None:
    average = rs.average(sites, method)
    whole = average.band(kind="simultaneous", fpr=(0.1, 0.4), n_resamples=200)
    read = average.band(kind="simultaneous", fpr=(0.1, 0.4), at=[0.2], n_resamples=200)
    assert read.factor == pytest.approx(whole.factor, rel=0.05)
    assert read.middle.fpr == pytest.approx(0.2)
