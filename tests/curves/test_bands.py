"""Bands of one curve."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings

import rocsteady as rs
from rocsteady.curves.intervals import Band
from rocsteady.errors import UsageError
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS270")
SIMULTANEOUS = ("fixed-width", "rectangle")


@given(labelled_scores(min_per_class=2))
@settings(max_examples=20)
def test_a_simultaneous_band_is_the_curve_moved_both_ways(data):
    curve = rs.roc_curve(*data)
    for method in SIMULTANEOUS:
        band = curve.band(kind="simultaneous", method=method, n_resamples=30)
        assert (band.middle.fpr == curve.fpr).all()
        for away in (band.upper.tpr - curve.tpr, curve.tpr - band.lower.tpr, curve.fpr - band.upper.fpr):
            assert (away >= 0).all()
            assert np.ptp(away) < 1e-12
        assert (band.lower.fpr - curve.fpr) == pytest.approx(curve.fpr - band.upper.fpr, abs=1e-12)


@given(labelled_scores(min_per_class=4))
@settings(max_examples=20)
def test_pointwise_limits_are_the_intervals_of_the_readings(data):
    curve = rs.roc_curve(*data)
    for method in ("score", "bootstrap"):
        asked = {"method": method, "n_resamples": 30, "seed": 1}
        band = curve.band(fpr=(0.1, 0.9), **asked)
        inside = ~np.isnan(band.lower.tpr)
        if inside.any():
            intervals = curve.tpr_interval(band.middle.fpr[inside], **asked)
            np.testing.assert_allclose(band.lower.tpr[inside], intervals.low, atol=1e-12)
            np.testing.assert_allclose(band.upper.tpr[inside], intervals.high, atol=1e-12)
        left_out = {round(x, 9) for low, high in band.excluded for x in (low, high)}
        assert left_out <= {round(x, 9) for x in band.middle.fpr[~inside]}


@given(labelled_scores(min_per_class=2))
@settings(max_examples=15)
def test_the_rectangle_is_two_kolmogorov_distances(data):
    """Each at the level sqrt(.95): the Kolmogorov distribution has 1 - sqrt(.95) beyond 1.47805; Stephens's sizes."""
    curve = rs.roc_curve(*data)
    band = curve.band(kind="simultaneous", method="rectangle")
    for away, n in (
        (band.upper.tpr - curve.tpr, curve.n_positives),
        (curve.fpr - band.upper.fpr, curve.n_negatives),
    ):
        assert away[0] * (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) == pytest.approx(1.4780533648, abs=1e-9)


def test_fixed_width_displaces_along_both_standard_errors():
    rng = np.random.default_rng(0)
    labels = np.arange(500) < 100
    curve = rs.roc_curve(labels, rng.normal(size=500) + labels)
    band = curve.band(kind="simultaneous")
    up, left = band.upper.tpr[0] - curve.tpr[0], curve.fpr[0] - band.upper.fpr[0]
    assert up / left == pytest.approx(math.sqrt(400 / 100))
    again = curve.band(kind="simultaneous", seed=1)
    assert up == pytest.approx(again.upper.tpr[0] - curve.tpr[0], rel=0.1)
    assert up != again.upper.tpr[0] - curve.tpr[0]


@pytest.mark.parametrize(("n_positives", "n_negatives"), [(40, 40), (20, 150)])
def test_the_fixed_width_band_holds_the_whole_curve(n_positives, n_negatives):
    """60 samples of binormal scores; the true curve is followed along the direction of displacement."""
    from scipy.special import ndtr

    rng = np.random.default_rng(7)
    labels = np.arange(n_positives + n_negatives) < n_positives
    z = np.linspace(-6, 6, 2000)
    true_fpr, true_tpr = ndtr(z), ndtr(z + 1.2)
    of_x, of_y = math.sqrt(n_negatives), math.sqrt(n_positives)
    held = dict.fromkeys(SIMULTANEOUS, 0)
    for _ in range(60):
        curve = rs.roc_curve(labels, rng.normal(size=labels.size) + 1.2 * labels)
        at = of_x * curve.fpr + of_y * curve.tpr
        truth = np.interp(at, of_x * true_fpr + of_y * true_tpr, of_y * true_tpr - of_x * true_fpr)
        band = curve.band(kind="simultaneous", n_resamples=200)
        half = 2 * of_y * (band.upper.tpr[0] - curve.tpr[0])
        held["fixed-width"] += np.abs(truth - (of_y * curve.tpr - of_x * curve.fpr)).max() <= half
        wide = curve.band(kind="simultaneous", method="rectangle")
        above = np.interp(true_fpr, wide.upper.fpr, wide.upper.tpr) >= true_tpr - 1e-9
        held["rectangle"] += above.all()
    assert held["fixed-width"] / 60 > 0.95 - 4 * math.sqrt(0.05 * 0.95 / 60)
    assert held["rectangle"] / 60 > 0.95


def test_the_band_of_separated_classes_is_the_bound_on_errors_that_were_not_seen():
    """Of n cases without an error, the rate is below -log(.025) / n with 97.5 % confidence, in each class."""
    for n_positives, n_negatives in ((30, 30), (30, 90), (90, 30)):
        labels = np.arange(n_positives + n_negatives) < n_positives
        band = rs.roc_curve(labels, labels * 1.0 + np.arange(labels.size) * 1e-6).band(kind="simultaneous")
        up, left = band.upper.tpr[0], -band.upper.fpr[0]
        rarer = min(n_positives, n_negatives)
        assert 2 * max(up, left) == pytest.approx(-math.log(0.025) / rarer)


def test_bands_are_plain_and_say_what_they_promise():
    rng = np.random.default_rng(0)
    labels = np.arange(100) < 50
    curve = rs.roc_curve(labels, rng.normal(size=100) + labels)
    for kind, methods in (("pointwise", ("score", "bootstrap")), ("simultaneous", SIMULTANEOUS)):
        for method in methods:
            band = curve.band(kind=kind, method=method)
            assert isinstance(band, Band)
            assert repr(band).startswith(f"CurveBand({kind}")
            assert json.loads(json.dumps(band.to_dict(), allow_nan=False))["method"] == method
            assert list(band.to_frame().columns)[:3] == ["fpr", "tpr", "lower_fpr"]
            assert ("whole curve" in band.reading) == (kind == "simultaneous")
    assert curve.band().excluded == ()
    band = curve.band(method="bootstrap")
    assert band.excluded[0][0] == 0.02  # fewer than ten of fifty negatives
    assert "left out" in band.reading
    assert np.isnan(band.lower.tpr[0])


def test_refusals():
    curve = rs.roc_curve([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    with pytest.raises(UsageError, match="RS001"):
        curve.band(kind="prediction")
    with pytest.raises(UsageError, match=r"RS001(.|\n)*here that is  method='rectangle'"):
        curve.band(kind="simultaneous", method="ks")
    with pytest.raises(UsageError, match="RS001"):
        curve.band(kind="simultaneous", method="score")
    with pytest.raises(UsageError, match="RS042"):
        curve.band(fpr=(0.5, 0.1))
    weighted = rs.roc_curve([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1], sample_weight=[1, 1, 1, 1, 2, 2.5])
    assert weighted.band(kind="simultaneous").upper.tpr[0] > 0
    for options in ({"kind": "simultaneous", "method": "rectangle"}, {}):
        with pytest.raises(UsageError, match="RS038"):
            weighted.band(**options)
    for options in ({"kind": "simultaneous"}, {}, {"method": "bootstrap"}):
        with pytest.raises(UsageError, match="RS002"):
            curve.hull().band(**options)
