"""Statistics as values: they read what the curve reads, compare by what they say, and refuse nonsense."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.statistics import Auc, PartialAuc, Statistic, statistic_of
from rocsteady.statistics.resampling import RankedCases, resampled_cases
from strategies import FLOAT_KINDS, labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS152")

RATES = st.lists(st.floats(0, 1), min_size=1, max_size=4)


@given(labelled_scores(kinds=FLOAT_KINDS), RATES)
def test_a_statistic_reads_what_the_curve_reads(given_scores, at) -> None:
    curve = rs.roc_curve(*given_scores)
    assert Auc().read(curve) == curve.auc
    np.testing.assert_array_equal(statistic_of({"fpr": at}).read(curve), curve.tpr_at(at))
    np.testing.assert_array_equal(statistic_of({"tpr": at}).read(curve), curve.fpr_at(at))
    assert statistic_of({"fpr": at[0]}).read(curve) == curve.tpr_at(at[0])
    rates = curve.rates_at(0.5)
    assert statistic_of({"threshold": 0.5}).read(curve).tolist() == [rates.fpr, rates.tpr]
    both = curve.rates_at([0.5, 1.0])
    np.testing.assert_array_equal(statistic_of({"threshold": [0.5, 1.0]}).read(curve), [both.fpr, both.tpr])


@given(labelled_scores(kinds=FLOAT_KINDS), st.floats(0, 0.8), st.floats(0.01, 0.2), st.booleans())
def test_partial_areas_of_curves_and_of_averages(given_scores, low, width, standardized) -> None:
    curve = rs.roc_curve(*given_scores)
    average = rs.average([curve, curve], "vertical")  # the same path, as rates
    for where in ("fpr", "tpr"):
        asked = {where: (low, low + width), "standardized": standardized}
        found = PartialAuc(**asked).read(curve)
        assert found == curve.partial_auc(**asked)
        assert PartialAuc(**asked).read(average) == pytest.approx(found, abs=1e-9)


@given(labelled_scores(kinds=FLOAT_KINDS), st.sampled_from([True, False]))
def test_kernels_read_what_the_statistic_reads(given_scores, standardized) -> None:
    """A class of one case is resampled as itself, so there is one resample to compare with."""
    _, scores = given_scores
    labels = np.arange(scores.size) == 0
    scores = np.append(scores[0], np.full(scores.size - 1, scores[-1]))
    curve = rs.roc_curve(labels, scores)
    ranks = [np.repeat(np.arange(curve.thresholds.size - 1), np.diff(counts))
             for counts in (curve.true_positives, curve.false_positives)]  # fmt: skip
    cases = RankedCases.of_one(*ranks)
    for statistic in (
        Auc(),
        PartialAuc(fpr=(0.1, 0.4), standardized=standardized),
        PartialAuc(tpr=(0.5, 1), standardized=standardized),
        statistic_of({"fpr": [0, 0.3, 1]}),
        statistic_of({"tpr": [0, 0.3, 1]}),
        statistic_of({"threshold": float(scores[0])}),
    ):
        vertices = None
        if statistic.hold == "threshold":
            vertices = np.array([np.flatnonzero(curve.thresholds[1:] == scores[0])[0] + 1])
        values = resampled_cases(cases, statistic.readings(vertices), n_resamples=1)
        read = statistic.resampled(values)[0]
        np.testing.assert_allclose(read, np.ravel(statistic.read(curve)), atol=1e-12)


def test_every_number_has_a_name() -> None:
    curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    for statistic in (
        Auc(),
        PartialAuc(tpr=(0.9, 1)),
        statistic_of({"fpr": 0.1}),
        statistic_of({"fpr": [0.1, 0.2]}),
        statistic_of({"tpr": [0.5]}),
        statistic_of({"threshold": 0.7}),
    ):
        assert len(statistic.names) == np.size(statistic.read(curve))
        assert statistic.is_scalar == (np.ndim(statistic.read(curve)) == 0)
    assert PartialAuc(tpr=(0.9, 1), standardized=True).label == "standardised partial AUC over TPR 0.9 to 1"


def test_statistics_are_values() -> None:
    assert (
        statistic_of({"fpr": [0.1, 0.2]})
        == statistic_of({"fpr": np.array([0.1, 0.2])})
        != statistic_of({"fpr": [0.1, 0.3]})
    )
    assert len({PartialAuc(fpr=(0, 0.1)), PartialAuc(fpr=[0, 0.1]), Auc(), statistic_of("auc")}) == 2
    assert statistic_of(statistic_of({"fpr": 0.1})) == statistic_of({"fpr": 0.1})
    assert isinstance(statistic_of("auc"), Auc)


@pytest.mark.parametrize(
    ("make", "code", "said"),
    [
        (PartialAuc, "RS002", "PartialAuc(fpr=(0, 0.1))"),
        (lambda: PartialAuc(fpr=(0, 0.1), tpr=(0.9, 1)), "RS002", "one range"),
        (lambda: PartialAuc(fpr=(0.1, 0.1)), "RS042", "low < high"),
        (lambda: PartialAuc(fpr=(0, 0.1), standardized="yes"), "RS001", "True or False"),
        (lambda: statistic_of({"fpr": 5}), "RS042", "between 0 and 1"),
        (lambda: statistic_of({"fpr": []}), "RS042", "{'fpr': 0.05}"),
        (lambda: statistic_of({"tpr": [[0.1]]}), "RS042", "{'tpr': 0.9}"),
        (lambda: statistic_of({"threshold": float("nan")}), "RS042", "must be a number"),
        (lambda: statistic_of({"threshold": "high"}), "RS042", "threshold"),
        (lambda: statistic_of("AUC"), "RS001", "statistic='auc'"),
        (lambda: statistic_of("sensitivity"), "RS001", "{'fpr': 0.05}"),
        (lambda: statistic_of(PartialAuc), "RS001", "{'fpr': 0.05}"),
        (lambda: statistic_of(None), "RS001", "{'fpr': 0.05}"),
    ],
)
def test_what_is_no_statistic_is_refused(make, code, said) -> None:
    with pytest.raises(rs.RocsteadyError, match=code) as caught:
        make()
    assert said in str(caught.value)


def test_a_kind_of_statistic_must_say_how_it_is_read() -> None:
    for call in (lambda s: s.label, lambda s: s.read(None), lambda s: s.readings()):
        with pytest.raises(TypeError):
            call(Statistic())
    with pytest.raises(TypeError, match="vertices"):
        statistic_of({"threshold": 0.5}).readings()
