"""Sensitivity and specificity are the rates of a curve under their medical names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.statistics import statistic_of
from rocsteady.errors import UsageError
from rocsteady.places import rest
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")
RATES = st.integers(0, 1000).map(lambda k: k / 1000)


@given(labelled_scores(), RATES, st.booleans())
def test_they_are_the_rates_of_the_curve(case, rate, higher):
    curve = rs.roc_curve(*case, higher_is_positive=higher)
    assert statistic_of({"specificity": rate}).read(curve) == curve.tpr_at(rest(rate))
    assert statistic_of({"sensitivity": rate}).read(curve) == 1 - curve.fpr_at(rate)


@given(labelled_scores(kinds=("tied floats",)), st.integers(-4, 4), st.booleans())
def test_at_a_threshold_they_count(case, threshold, higher):
    labels, scores = case
    curve = rs.roc_curve(labels, scores, higher_is_positive=higher)
    called = scores >= threshold if higher else scores <= threshold
    assert statistic_of({"threshold": threshold, "rate": "sensitivity"}).read(curve) == called[labels].mean()
    assert statistic_of({"threshold": threshold, "rate": "specificity"}).read(curve) == pytest.approx(
        (~called[~labels]).mean()
    )


def test_a_specificity_means_the_rate_as_it_is_written():
    """1 - 0.9 is less than 0.1 in floats, and a tenth of ten negatives would be missed."""
    labels, scores = [1, 1] + [0] * 10, [20, 8.5, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    curve = rs.roc_curve(labels, scores)
    assert curve.tpr_at(1 - 0.9) == 0.5
    assert statistic_of({"specificity": 0.9}).read(curve) == 1.0
    assert all(rest(k / 1000) == (1000 - k) / 1000 for k in range(1001))


@pytest.mark.parametrize(
    ("medical", "plain", "column", "sign"),
    [
        (statistic_of({"specificity": 0.8}), statistic_of({"fpr": 0.2}), 0, 1),
        (statistic_of({"sensitivity": 0.7}), statistic_of({"tpr": 0.7}), 0, -1),
        (statistic_of({"threshold": 3, "rate": "sensitivity"}), statistic_of({"threshold": 3}), 1, 1),
        (statistic_of({"threshold": 3, "rate": "specificity"}), statistic_of({"threshold": 3}), 0, -1),
    ],
    ids=lambda given: getattr(given, "label", ""),
)
@pytest.mark.parametrize("how", ["one", "mean", "pooled", "clusters"])
@pytest.mark.filterwarnings("ignore:RS")
def test_the_bootstrap_reads_them(medical, plain, column, sign, how):
    rng = np.random.default_rng(5)
    labels = np.arange(60) % 2
    scores = rng.integers(1, 6, size=60) + labels
    if how in ("one", "clusters"):
        given = rs.Scores(labels, scores)
        more = {"clusters": np.arange(60) // 3} if how == "clusters" else {}
    else:
        given = rs.ScoreSet.from_arrays(labels, scores, np.arange(60) // 12)
        more = {"average": "pooled"} if how == "pooled" else {}
    found, expected = (rs.bootstrap(given, one, n_resamples=200, **more) for one in (medical, plain))
    offset = 0 if sign > 0 else 1
    assert found.estimate == pytest.approx(offset + sign * np.ravel(expected.estimate)[column])
    values = expected.values.reshape(200, -1)[:, column]
    np.testing.assert_allclose(found.values, offset + sign * values, atol=1e-15)
    assert found.standard_error == pytest.approx(np.ravel(expected.standard_error)[column])
    assert medical.label in found.reading


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.filterwarnings("ignore:RS")
def test_two_classifiers_are_compared_at_a_threshold(paired):
    rng = np.random.default_rng(7)
    labels = np.arange(80) % 2
    a, b = (labels * shift + rng.normal(size=80) for shift in (1.5, 0.5))
    given = (labels, a, b) if paired else (rs.Scores(labels, a), rs.Scores(labels, b))
    found = rs.bootstrap_test(
        *given, statistic=statistic_of({"threshold": 0.4, "rate": "sensitivity"}), paired=paired
    )
    calls = [(scores >= 0.4)[labels == 1].astype(float) for scores in (a, b)]
    difference = calls[0] - calls[1]
    variance = difference.var() / 40 if paired else sum(own.var() / 40 for own in calls)
    assert found.difference == pytest.approx(difference.mean())
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=0.08)
    if paired:
        swapped = rs.bootstrap_test(
            labels, b, a, statistic=statistic_of({"threshold": 0.4, "rate": "sensitivity"})
        )
        assert swapped.difference == -found.difference
        assert swapped.standard_error == found.standard_error


@pytest.mark.filterwarnings("ignore:RS")
def test_a_plan_is_that_of_the_rate():
    rng = np.random.default_rng(1)
    labels = np.tile([0, 1], 100)
    given = rs.ScoreSet.from_arrays(labels, labels + rng.normal(size=200), np.arange(200) // 20)
    for medical, plain in (
        (statistic_of({"specificity": 0.8}), {"fpr": 0.2}),
        (statistic_of({"sensitivity": 0.8}), {"tpr": 0.8}),
    ):
        plans = [rs.plan(given, measure=one, half_width=0.05) for one in (medical, plain)]
        assert plans[0].to_dict() == plans[1].to_dict()


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: statistic_of({}), "RS092"),
        (lambda: statistic_of({"specificity": 0.9, "threshold": 3}), "RS002"),
        (lambda: statistic_of({"specificity": 0.9, "rate": "specificity"}), "RS001"),
        (lambda: statistic_of({"threshold": 3, "rate": "precision"}), "RS001"),
        (lambda: statistic_of({"sensitivity": 90}), "RS042"),
        (lambda: statistic_of({"sensitivity": [[0.8, 0.9]]}), "RS042"),
        (lambda: statistic_of({"threshold": np.nan, "rate": "sensitivity"}), "RS042"),
    ],
)
def test_one_place_is_needed(make, code):
    with pytest.raises(UsageError) as caught:
        make()
    assert caught.value.code == code


def test_several_are_read_one_by_one():
    curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    several = statistic_of({"sensitivity": [0.5, 1]})
    assert several.read(curve).tolist() == [statistic_of({"sensitivity": at}).read(curve) for at in (0.5, 1)]
    assert several.names == ("specificity at sensitivity 0.5", "specificity at sensitivity 1")
    assert several.label == "specificity at 2 sensitivities"
    fixed = statistic_of({"threshold": [0.8, 0.7], "rate": "specificity"})
    assert fixed.read(curve).tolist() == [1.0, 0.5]


def test_they_are_values():
    assert statistic_of({"specificity": 0.9}) == statistic_of("spec=90%") != statistic_of({"fpr": 0.1})
    found = {statistic_of({"threshold": 2, "rate": rate}) for rate in ("tpr", "sensitivity", "tpr")}
    assert len(found) == 2
