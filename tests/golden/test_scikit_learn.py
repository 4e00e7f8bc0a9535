"""scikit-learn's curves, areas, precision and DET on random scores, heavy ties included."""

import numpy as np
import pytest
from sklearn import metrics

import rocsteady as rs


def scores_of(kind, n, rng):
    labels = rng.random(n) < 0.3
    raw = rng.normal(size=n) + labels
    return labels, {"continuous": raw, "tied": np.round(raw), "rounded": np.round(raw, 1)}[kind]


@pytest.fixture(
    params=[(kind, n) for kind in ("continuous", "tied", "rounded") for n in (20, 300, 5000)], ids=str
)
def data(request):
    kind, n = request.param
    rng = np.random.default_rng(n)
    labels, scores = scores_of(kind, n, rng)
    return labels, scores, rng.exponential(size=n)


def test_curve(data):
    labels, scores, _ = data
    fpr, tpr, thresholds = metrics.roc_curve(labels, scores, drop_intermediate=False)
    curve = rs.roc_curve(labels, scores)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    np.testing.assert_allclose(curve.fpr, fpr, atol=1e-15)
    np.testing.assert_allclose(curve.tpr, tpr, atol=1e-15)
    assert curve.auc == pytest.approx(metrics.roc_auc_score(labels, scores), abs=1e-12)


def test_weighted_curve(data):
    labels, scores, weights = data
    fpr, tpr, thresholds = metrics.roc_curve(labels, scores, sample_weight=weights, drop_intermediate=False)
    curve = rs.roc_curve(labels, scores, sample_weight=weights)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    np.testing.assert_allclose(curve.fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(curve.tpr, tpr, atol=1e-12)
    area = metrics.roc_auc_score(labels, scores, sample_weight=weights)
    assert curve.auc == pytest.approx(area, abs=1e-12)
    assert rs.auc(labels, scores, sample_weight=weights) == pytest.approx(area, abs=1e-12)


@pytest.mark.filterwarnings("ignore:RS152")
def test_partial_area_standardised(data):
    labels, scores, _ = data
    expected = metrics.roc_auc_score(labels, scores, max_fpr=0.13)
    assert rs.roc_curve(labels, scores).partial_auc(fpr=(0, 0.13), standardized=True) == pytest.approx(
        expected
    )


def test_average_precision(data):
    labels, scores, weights = data
    for weight in (None, weights):
        expected = metrics.average_precision_score(labels, scores, sample_weight=weight)
        found = rs.roc_curve(labels, scores, sample_weight=weight).precision_recall()
        assert found.average_precision == pytest.approx(expected, abs=1e-12)


def test_det_rates(data):
    labels, scores, _ = data
    det = rs.roc_curve(labels, scores).det()
    fpr, fnr, _ = metrics.det_curve(labels, scores)
    ours = set(zip(det.fpr.round(12).tolist(), det.fnr.round(12).tolist(), strict=True))
    assert set(zip(fpr.round(12).tolist(), fnr.round(12).tolist(), strict=True)) <= ours
