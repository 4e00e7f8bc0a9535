"""Bands: what they are made of, what they leave out, what they say."""

import math
import warnings

import numpy as np
import pytest
from scipy.stats import norm, t

import rocsteady as rs

KINDS = ("pointwise", "simultaneous", "prediction")


def drawn(n_groups, n=40, seed=1):
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(2 * n) < n, n_groups)
    groups = np.repeat(np.arange(n_groups), 2 * n)
    scores = rng.normal(size=labels.size) + 1.5 * labels + 0.3 * rng.normal(size=n_groups)[groups]
    return rs.ScoreSet.from_arrays(labels, scores, groups, unit="site")


@pytest.fixture(scope="module")
def sites():
    return drawn(12)


def test_a_pointwise_band_is_the_intervals_of_all_points(sites):
    average = rs.average(sites, "vertical")
    for quantile in ("t", "normal"):
        band = average.band(0.9, quantile=quantile, scale="linear")
        q = t.ppf(0.95, 11) if quantile == "t" else norm.ppf(0.95)
        assert band.factor == pytest.approx(q, rel=1e-12)
        at, last = np.unique(band.middle.fpr[::-1], return_index=True)  # the upper end of a jump
        last = band.middle.fpr.size - 1 - last
        place = average.at_position(at)
        np.testing.assert_allclose(band.middle.tpr[last], place.value, atol=1e-13)
        np.testing.assert_allclose(band.upper.tpr[last], place.value + q * place.standard_error, atol=1e-12)
        np.testing.assert_allclose(band.lower.tpr[last], place.value - q * place.standard_error, atol=1e-12)
        np.testing.assert_array_equal(band.upper.fpr, band.middle.fpr)
    assert band.fpr is None


def test_a_prediction_band_is_for_one_more_group(sites):
    average = rs.average(sites, "vertical")
    mean, one = average.band(scale="linear"), average.band(kind="prediction")
    ratio = (one.upper.tpr - one.middle.tpr) / np.where(
        mean.upper.tpr > mean.middle.tpr, mean.upper.tpr - mean.middle.tpr, np.nan
    )
    np.testing.assert_allclose(ratio[np.isfinite(ratio)], math.sqrt(13), rtol=1e-9)
    assert "one more site" in one.reading


@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal", rs.AtAngle(0.4)])
@pytest.mark.parametrize("kind", KINDS)
def test_edges_lie_along_the_direction_the_worse_one_below(sites, method, kind):
    average = rs.average(sites, method)
    band = average.band(kind=kind, n_resamples=300)
    c, s = average.direction.cosine, average.direction.sine
    for edge in (band.lower, band.upper):
        kept = np.isfinite(edge.fpr) & np.isfinite(edge.tpr)
        assert kept.any()
        position = c * edge.fpr + s * edge.tpr
        np.testing.assert_allclose(
            position[kept], (c * band.middle.fpr + s * band.middle.tpr)[kept], atol=1e-12
        )
    worth = [c * edge.tpr - s * edge.fpr for edge in (band.lower, band.middle, band.upper)]
    kept = np.isfinite(worth[0])
    assert (worth[0][kept] <= worth[1][kept] + 1e-15).all()
    assert (worth[1][kept] <= worth[2][kept] + 1e-15).all()


def test_nothing_is_clipped_to_the_square(sites):
    assert rs.average(sites, "vertical").band(0.999, kind="prediction").upper.tpr.max() > 1


@pytest.mark.parametrize("method", ["vertical", "diagonal", "threshold", "pooled"])
def test_a_simultaneous_band_is_wider_than_a_pointwise_one_over_its_declared_range(sites, method):
    average = rs.average(sites, method)
    band = average.band(kind="simultaneous", fpr=(0.1, 0.4), n_resamples=500)
    pointwise = average.band(kind="pointwise", fpr=(0.1, 0.4), n_resamples=500)
    assert band.fpr == (0.1, 0.4)
    assert band.middle.fpr[0] == pytest.approx(0.1, abs=0.03)
    assert band.middle.fpr[-1] == pytest.approx(0.4, abs=0.03)
    if isinstance(average.method, rs.Vertical) or method in ("threshold", "pooled"):
        assert (band.middle.fpr[0], band.middle.fpr[-1]) == (0.1, 0.4)
        np.testing.assert_allclose(band.middle.tpr, average.tpr_at(band.middle.fpr), atol=1e-12)
    if method in ("threshold", "pooled"):
        assert (band.upper.tpr - band.lower.tpr >= pointwise.upper.tpr - pointwise.lower.tpr - 1e-12).all()
    else:
        assert band.factor > pointwise.factor
    assert "from false positive rate 0.10 to 0.40" in band.reading
    assert "the 12 sites are treated as a random sample of sites" in band.reading


@pytest.mark.parametrize("method", ["vertical", "threshold", "pooled"])
def test_bands_are_seeded(sites, method):
    average = rs.average(sites, method)
    one, again, other = (
        average.band(kind="simultaneous", n_resamples=300, seed=seed).upper.tpr for seed in (4, 4, 5)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_a_simultaneous_band_leaves_out_where_most_curves_coincide_and_says_so():
    """Good classifiers: beyond some FPR most curves are at 1."""
    rng = np.random.default_rng(5)
    labels = np.tile(np.arange(60) < 30, 15)
    scores = rng.normal(size=labels.size) + 3 * labels
    score_set = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(15), 60))
    average = rs.average(score_set, "vertical")
    band = average.band(kind="simultaneous", n_resamples=300)
    assert band.excluded
    low, high = band.excluded[-1]
    assert 0.02 <= low <= high == 0.5
    inside = (band.middle.fpr >= low) & (band.middle.fpr <= high)
    assert np.isnan(band.lower.tpr[inside]).all()
    assert "left out, because most curves coincide there" in band.reading
    values = np.array([curve.tpr_at(band.middle.fpr) for curve in rs.roc_curves(score_set)])
    for column, is_out in zip(values.T, np.isnan(band.lower.tpr), strict=True):
        _, counts = np.unique(column, return_counts=True)
        assert is_out == (counts.max() > 7.5)


def test_fixed_ends_are_not_called_excluded(sites):
    for method in ("vertical", "diagonal"):
        for low, high in rs.average(sites, method).band().excluded:
            assert high < 1 or low > 0.5  # (1, 1) itself is where all curves must meet


def test_RS212_few_groups_cannot_carry_a_simultaneous_band():
    for n, method in ((2, "vertical"), (7, "vertical"), (7, "threshold")):
        with pytest.warns(UserWarning, match=f"RS212.*{n} sites"):
            rs.average(drawn(n), method).band(kind="simultaneous", n_resamples=100)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "RS212")
        rs.average(drawn(8), "vertical").band(kind="simultaneous", n_resamples=100)
        rs.average(drawn(3), "vertical").band(kind="pointwise")
        rs.average(drawn(3), "threshold").band(kind="pointwise", n_resamples=100)


def test_bands_are_tables(sites):
    band = rs.average(sites, "vertical").band()
    frame = band.to_frame()
    assert list(frame.columns) == ["fpr", "tpr", "lower_fpr", "lower_tpr", "upper_fpr", "upper_tpr"]
    assert len(frame) == band.middle.fpr.size
    assert repr(band) == "Band(pointwise, confidence level 0.95)"
    assert band.to_dict()["kind"] == "pointwise"


def test_bands_of_many_groups_stay_small():
    """A thousand curves have many bends; a band is drawn on a grid then, with the same middle."""
    average = rs.average(drawn(300, n=100, seed=3), "vertical")
    band = average.band()
    assert band.middle.fpr.size < 5000
    low, high = (average.tpr_at(band.middle.fpr, side=side) for side in ("lower", "upper"))
    assert (band.middle.tpr >= low - 1e-12).all()
    assert (band.middle.tpr <= high + 1e-12).all()


def test_a_diagonal_average_read_vertically_is_about_as_sure(sites):
    """Its own direction has a formula; across it the reading is linearised."""
    average = rs.average(sites, "diagonal")
    across = average.at(fpr=0.2).tpr_interval
    vertical = rs.average(sites, "vertical").at(fpr=0.2).tpr_interval
    ratio = (across.high - across.low) / (vertical.high - vertical.low)
    assert 0.4 < ratio < 1.6


@pytest.mark.parametrize("n_groups", [3, 12])
@pytest.mark.parametrize("method", ["threshold", "pooled", "radial", "tangent"])
def test_a_pointwise_band_is_the_interval_at_each_of_its_points(method, n_groups):
    rng = np.random.default_rng(8)
    labels = np.repeat([1, 0], [20, 30])
    folds = [(labels, rng.normal(size=50) + labels) for _ in range(n_groups)]
    average = rs.average(rs.ScoreSet.from_folds(folds, design="independent"), method)
    band = average.band(n_resamples=300)
    interval = average.at(fpr=band.middle.fpr).tpr_interval
    np.testing.assert_array_equal(band.lower.tpr, interval.low)
    np.testing.assert_array_equal(band.upper.tpr, interval.high)
