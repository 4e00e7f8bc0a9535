"""The H-measure. Numbers of the package hmeasure are in tests/golden/test_proc_inference.py."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import beta as beta_function

import rocsteady as rs
from rocsteady.errors import UsageError
from strategies import labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")
LABELS, SCORES = [1, 1, 1, 1, 0, 0, 0, 0, 0], [9, 8, 7, 3, 6, 4, 2, 1, 0]
PRIORS = st.tuples(st.floats(1.05, 6), st.floats(1.05, 6))


@given(labelled_scores(), PRIORS, st.floats(0.05, 0.95))
@settings(max_examples=8, deadline=None)
def test_it_is_the_mean_of_the_least_loss_over_costs(data, prior, prevalence):
    """The definition: at every cost share the best threshold, averaged by quadrature."""
    curve = rs.roc_curve(*data)
    alpha, beta = prior
    of_alarms, of_misses = (1 - prevalence) * curve.fpr, prevalence * curve.fnr

    def mean(loss):
        def at(c):
            return loss(c) * c ** (alpha - 1) * (1 - c) ** (beta - 1) / beta_function(alpha, beta)

        return sum(quad(at, k / 8, (k + 1) / 8, limit=200)[0] for k in range(8))

    best = mean(lambda c: np.min(c * of_alarms + (1 - c) * of_misses))
    worst = mean(lambda c: min(c * (1 - prevalence), (1 - c) * prevalence))
    found = rs.roc_curve(*data).h_measure(prior=prior, prevalence=prevalence)
    assert found.loss == pytest.approx(best, abs=2e-6)
    assert found.worst_loss == pytest.approx(worst, abs=2e-6)
    assert found.value == pytest.approx(1 - best / worst, abs=2e-4)


@given(labelled_scores(kinds=("tied floats", "integers")), PRIORS)
@settings(max_examples=25)
def test_only_the_order_of_scores_matters_and_the_hull_is_enough(data, prior):
    labels, scores = data
    found = rs.roc_curve(labels, scores).h_measure(prior=prior)
    assert -1e-12 <= found.value <= 1 + 1e-12
    assert rs.roc_curve(labels, 3 * scores + 1).h_measure(prior=prior).value == found.value
    assert rs.roc_curve(labels, scores).hull().h_measure(prior=prior).value == found.value


@given(labelled_scores(kinds=("tied floats", "integers")), PRIORS)
@settings(max_examples=25)
def test_classes_that_change_names_change_the_costs(data, prior):
    labels, scores = data
    found = rs.roc_curve(labels, scores).h_measure(prior=prior)
    mirrored = rs.roc_curve(~labels, -scores).h_measure(prior=prior[::-1])
    assert mirrored.value == pytest.approx(found.value, abs=1e-9)
    default, other = rs.roc_curve(labels, scores).h_measure(), rs.roc_curve(~labels, -scores).h_measure()
    assert other.value == pytest.approx(default.value, abs=1e-9)  # the usual prior treats both alike


@given(weighted_scores(kinds=("tied floats",)))
@settings(max_examples=25)
def test_a_weight_is_a_repetition(data):
    labels, scores, _ = data
    times = 1 + np.arange(labels.size) % 3
    weighted = rs.roc_curve(labels, scores, sample_weight=times).h_measure()
    repeated = rs.roc_curve(np.repeat(labels, times), np.repeat(scores, times)).h_measure()
    assert weighted.value == pytest.approx(repeated.value, abs=1e-12)


def test_ends_of_the_scale():
    assert rs.roc_curve([1, 1, 0, 0], [4, 3, 2, 1]).h_measure().value == 1
    assert rs.roc_curve([1, 1, 0, 0], [1, 2, 3, 4]).h_measure().value == 0  # never flipped
    assert rs.roc_curve([1, 1, 0, 0], [1, 1, 1, 1]).h_measure().value == 0


def test_priors():
    found = rs.roc_curve(LABELS, SCORES).h_measure()
    assert found.prior == pytest.approx((1 + 4 / 9, 1 + 5 / 9))
    assert rs.roc_curve(LABELS, SCORES).h_measure(severity_ratio=0.1).prior == pytest.approx((2, 11))
    assert rs.roc_curve(LABELS, SCORES).h_measure(prevalence=0.01).prior == pytest.approx((1.01, 1.99))
    assert "0.800 times that of a false negative" in found.reading
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["value"] == found.value
    with pytest.raises(UsageError, match="RS002"):
        rs.roc_curve(LABELS, SCORES).h_measure(severity_ratio=1, prior=(2, 2))
    for options in ({"severity_ratio": 0}, {"prior": (0, 1)}, {"prior": 2}, {"prevalence": 1}):
        with pytest.raises(UsageError, match="RS042"):
            rs.roc_curve(LABELS, SCORES).h_measure(**options)
