"""A criterion is one value in one place: a new one works wherever the others do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.points import criteria
from rocsteady.points.criteria import AlertBudget, Criterion


@dataclass(frozen=True, eq=False, repr=False)
class Threat(Criterion):
    """The largest share of hits among hits, misses and false alarms (threat score, Jaccard's index)."""

    name: ClassVar[str] = "threat"
    goal: ClassVar[str] = "the largest threat score"
    is_gain: ClassVar[bool] = True
    is_curved: ClassVar[bool] = True
    is_whole: ClassVar[bool] = False
    needs_prevalence: ClassVar[bool] = True
    _share: Fraction | None = field(default=None, init=False)

    def at_prevalence(self, prevalence: Fraction, n_cases: float | None = None) -> Threat:
        filled = replace(self)
        object.__setattr__(filled, "_share", prevalence)
        return filled

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        share = Fraction(1, 2) if self._share is None else self._share
        return -share * tp / (share + (1 - share) * fp)

    def values(self, fpr: Any, tpr: Any, prevalence: Any) -> Any:
        share = prevalence if self._share is None else float(self._share)
        return share * tpr / (share + (1 - share) * fpr)

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        return -self.values(fpr, tpr, n_positives / (n_positives + n_negatives))

    def value(self, fpr: Any, tpr: Any) -> Any:
        return self.values(float(fpr), float(tpr), np.nan)


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setitem(criteria.PLAIN, "threat", Threat())


@pytest.fixture
def folds():
    rng = np.random.default_rng(4)
    labels = np.tile([0, 0, 1], 100)
    return rs.ScoreSet.from_arrays(labels, rng.normal(size=300) + 1.5 * labels, np.arange(300) // 30)


def test_it_chooses_the_best_vertex(folds):
    one = folds.names[0]
    curve = rs.roc_curve(folds[one])
    found = rs.choose_cutoff(curve, "threat")
    table = rs.average_operating_points(folds.take([one]), thresholds=curve.thresholds)
    threat = table.measure(lambda tp, fp, fn: tp / (tp + fp + fn)).mean
    assert found.index == np.argmax(threat.round(12))
    assert found.value == pytest.approx(threat.max())
    assert "the largest threat score" in found.reading
    assert str(found.criterion) == "threat"


def test_what_is_asked_of_cutoffs_is_answered(folds):
    for place in (rs.roc_curve(folds[folds.names[0]]), rs.average(folds, "threshold")):
        found = rs.choose_cutoff(place, "threat")
        corrected = found.corrected(n_resamples=100)
        assert corrected.value < found.value
        low, high = found.intervals(n_resamples=100).tpr.low, found.intervals(n_resamples=100).tpr.high
        assert low <= found.tpr <= high
        assert found.two_by_two(n_resamples=100).sensitivity == pytest.approx(found.tpr)


def test_thresholds_are_set_by_it_and_tried_on_other_rows(folds):
    found = rs.realise(folds, "threat", n_repeats=2)
    assert "worse than promised" in repr(found)
    assert 0 < found.value.mean < found.promise.value


@pytest.fixture
def a_curve():
    rng = np.random.default_rng(8)
    labels = rng.random(300) < 0.2
    return rs.roc_curve(labels, np.round(rng.normal(size=300) + labels, 1)), labels


@pytest.mark.parametrize("share", [0.01, 0.05, 0.3, 0.77])
def test_a_budget_of_alerts_is_spent_as_far_as_ties_allow(a_curve, share):
    curve, labels = a_curve
    found = rs.choose_cutoff(curve, alerts=share)
    called = curve.true_positives + curve.false_positives
    kept = np.flatnonzero(called <= share * labels.size)[-1]
    assert (found.threshold, found.tpr) == (curve.thresholds[kept], curve.tpr[kept])
    assert found.value == found.tpr


def test_a_number_of_alerts_is_their_share_of_the_cases(a_curve):
    curve, _labels = a_curve
    assert rs.choose_cutoff(curve, alerts=30).threshold == rs.choose_cutoff(curve, alerts=0.1).threshold
    assert rs.choose_cutoff(curve, {"alerts": 30}).index == rs.choose_cutoff(curve, alerts=30).index
    found = rs.choose_cutoff(curve, alerts=0.1)
    corrected = found.corrected(n_resamples=500)  # each resample spends the same budget
    assert (corrected.fpr, corrected.tpr) == pytest.approx((found.fpr, found.tpr), abs=0.02)


@pytest.mark.parametrize("threshold", ["own", "shared"])
def test_a_budget_of_alerts_is_tried_on_other_rows(folds, threshold):
    found = rs.realise(folds, AlertBudget(share=0.2), threshold=threshold, n_repeats=5)
    share = lambda own: own.tpr / 3 + 2 / 3 * own.fpr  # noqa: E731  # every fold has two negatives a positive
    assert share(found.promise_on_part) <= 0.2 + 1e-12
    assert found.tpr.mean / 3 + 2 / 3 * found.fpr.mean == pytest.approx(0.2, abs=0.04)


def test_a_threshold_that_is_given_is_applied(a_curve):
    curve, labels = a_curve
    found = rs.choose_cutoff(curve, threshold=0.5)
    table = found.two_by_two()
    assert (found.threshold, found.rule) == (0.5, ">=")
    assert (table.tp, table.fp) == tuple(np.array([labels.sum(), (~labels).sum()]) * [found.tpr, found.fpr])
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        rs.choose_cutoff(curve, threshold=0.5, fpr=0.1)
