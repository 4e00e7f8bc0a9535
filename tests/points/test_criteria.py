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


# Predictive values, measures and functions: words, refusals, edges


def code(problem, call):
    with pytest.raises(rs.RocsteadyError) as caught:
        call()
    assert caught.value.code == problem
    assert caught.value.remedies
    return caught.value


def test_a_plain_maximum_equals_its_name():
    assert rs.Maximum("mcc") == "mcc"
    assert repr(rs.Maximum("mcc")) == "Maximum('mcc')"
    assert repr(rs.Maximum("f1", prevalence=0.1)) == "Maximum('f1', prevalence=0.1)" != "f1"
    assert rs.Maximum("f1", prevalence=0.1) == rs.Maximum("f1", prevalence=0.1)
    one, other = rs.Maximum(lambda tp: tp), rs.Maximum(lambda tp: tp)
    assert one != other
    assert len({one, rs.Maximum(one.measure)}) == 1


def test_criteria_by_other_names_are_told(a_curve):
    curve, _ = a_curve
    assert "mcc" in str(code("RS001", lambda: rs.choose_cutoff(curve, "matthews_corrcoef")).remedies[0])
    assert "f1" in str(code("RS001", lambda: rs.Maximum("f1_score")).remedies[0])
    assert "ppv" in str(code("RS001", lambda: rs.choose_cutoff(curve, "ppv")).remedies[0])
    code("RS001", lambda: rs.choose_cutoff(curve, rs.Maximum))


def test_a_predictive_value_that_no_threshold_attains_names_the_best():
    curve = rs.roc_curve([0, 1, 1, 0], [4, 3, 2, 1])
    problem = code("RS007", lambda: rs.choose_cutoff(curve, precision=0.9))
    assert "PPV of 0.9" in problem.problem
    assert "0.6667" in problem.found
    assert (problem.remedies[0].name, problem.remedies[0].value) == ("ppv", 0.6666)
    assert rs.choose_cutoff(curve, ppv=0.6666).tpr == 1
    groups = rs.roc_curves(
        rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([0, 1, 1, 0], [4, 3, 2, 1])])
    )
    from rocsteady.points.cutoffs import choose_in_groups

    assert "in 1 of 2 folds" in code("RS007", lambda: choose_in_groups(groups, {"ppv": 0.9})).problem


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"ppv": 1.2}, "RS042"),
        ({"ppv": 0.9, "npv": 0.9}, "RS002"),
        ({"ppv": 0.9, "prevalence": 0}, "RS042"),
        ({"fpr": 0.1, "prevalence": 0.2}, "RS002"),
    ],
)
def test_targets_that_say_nothing(arguments, problem):
    code(problem, lambda: rs.TargetRate(**arguments))


def test_the_prevalence_is_that_of_the_criterion(a_curve):
    curve, _ = a_curve
    costs = rs.MinimumCost(false_positive=1, false_negative=5)
    for criterion in ("mcc", rs.TargetRate(ppv=0.5), costs):
        by_argument = rs.choose_cutoff(curve, criterion, prevalence=0.05)
        assert by_argument.criterion.prevalence == 0.05
        assert by_argument.fpr <= rs.choose_cutoff(curve, criterion).fpr
    code("RS002", lambda: rs.choose_cutoff(curve, "youden", prevalence=0.1))
    code("RS002", lambda: rs.choose_cutoff(curve, fpr=0.1, prevalence=0.1))
    code("RS002", lambda: rs.choose_cutoff(curve, rs.Maximum("f1", prevalence=0.2), prevalence=0.1))
    code("RS042", lambda: rs.choose_cutoff(curve, "f1", prevalence=30))


def test_functions_take_arrays_or_numbers_and_a_matrix_or_counts(a_curve):
    curve, _ = a_curve
    expected = rs.choose_cutoff(curve, "f1").all_optima.tolist()
    for function in (
        lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn),
        lambda fn, fp, tp: 2 * tp / (2 * tp + fp + fn),  # by their names, in any order
        lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn) if tp else 0.0,
        lambda c: float(2 * c.tp / (2 * c.tp + c.fp + c.fn)),
    ):
        assert rs.choose_cutoff(curve, rs.Maximum(function)).all_optima.tolist() == expected


def test_functions_that_cannot_be_used_are_refused(a_curve):
    curve, _ = a_curve
    for function in (lambda tp, false_alarms: tp, lambda c: "many", lambda c: None, lambda c: c.matrix):
        code("RS073", lambda function=function: rs.choose_cutoff(curve, rs.Maximum(function)))
    assert (
        "nowhere" in code("RS073", lambda: rs.choose_cutoff(curve, rs.Maximum(lambda tp: tp * np.nan))).entry
    )
    with pytest.raises(KeyError, match="mine"):
        rs.choose_cutoff(curve, rs.Maximum(lambda tp: {}["mine"]))
    code("RS002", lambda: rs.choose_cutoff(curve, "mcc", fpr=0.1))


def test_an_infinite_value_is_the_largest():
    curve = rs.roc_curve([1, 1, 0, 1, 0], [5, 4, 3, 2, 1])
    found = rs.choose_cutoff(curve, rs.Maximum(lambda tp, fp: tp / fp if fp else float("inf") * tp))
    assert found.all_optima.tolist() == [1, 2]
    assert found.value == np.inf


def test_all_equal_scores_have_only_trivial_cutoffs():
    curve = rs.roc_curve([1, 0, 0], [1.0, 1.0, 1.0])
    with pytest.warns(rs.RocsteadyWarning, match="RS241"):
        assert rs.choose_cutoff(curve, "mcc").value == 0
    with pytest.warns(rs.RocsteadyWarning, match="RS241"):
        assert rs.choose_cutoff(curve, "accuracy").tpr == 0
    assert rs.choose_cutoff(curve, ppv=1 / 3).tpr == 1


def test_a_number_is_a_threshold_with_all_that_belongs_to_it(a_curve):
    curve, labels = a_curve
    for number in (0.205, np.float64(0.205), 1, np.int64(1)):
        assert rs.choose_cutoff(curve, number).threshold == number
    given, table = rs.choose_cutoff(curve, 0.205), rs.choose_cutoff(curve, 0.205).two_by_two()
    assert table.tp + table.fn == labels.sum()
    assert table.ppv_interval.low < table.ppv < table.ppv_interval.high
    assert table.lr_positive_interval.low < table.lr_positive
    limits = given.intervals()
    assert (limits.tpr.low, limits.tpr.high) == pytest.approx(
        (table.sensitivity_interval.low, table.sensitivity_interval.high)
    )
    assert "was given" in given.reading
    assert "was given" in limits.reading
    code("RS042", lambda: rs.choose_cutoff(curve, float("nan")))


def test_a_threshold_on_weighted_rows_and_on_averages_has_intervals(folds):
    weights = np.tile([1.0, 2.0], 150)
    rng = np.random.default_rng(1)
    labels = np.tile([0, 0, 1], 100)
    weighted = rs.roc_curve(labels, rng.normal(size=300) + labels, sample_weight=weights)
    found = rs.choose_cutoff(weighted, 0.5).intervals()
    assert found.tpr.low < rs.choose_cutoff(weighted, 0.5).tpr < found.tpr.high
    average = rs.average(folds, "threshold")
    point, found = average.at(threshold=0.5), rs.choose_cutoff(average, 0.5).intervals()
    assert (found.tpr.low, found.tpr.high) == (point.tpr_interval.low, point.tpr_interval.high)
    assert found.unit == average.unit


def test_patients_with_several_rows_widen_the_intervals_of_a_given_threshold():
    rng = np.random.default_rng(5)
    labels, patient = np.repeat([0, 1] * 30, 5), np.repeat(np.arange(60), 5)
    scores = np.repeat(rng.normal(size=60), 5) + labels + 0.2 * rng.normal(size=300)
    frame = {"label": labels, "score": scores, "patient": patient}
    rows = rs.ScoreSet.from_frame(frame, label="label", score="score", cluster="patient")
    alone = rs.choose_cutoff(rs.roc_curve(labels, scores), 0.5).intervals()
    together = rs.choose_cutoff(rs.roc_curves(rows)[0], 0.5).intervals()
    assert together.tpr.high - together.tpr.low > 1.5 * (alone.tpr.high - alone.tpr.low)


def test_few_errors_behind_a_predictive_value_are_told():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 50)
    curve = rs.roc_curve(labels, rng.normal(size=100) + labels)
    with pytest.warns(rs.RocsteadyWarning, match="RS246: the cut-off rests on . false positive"):
        rs.choose_cutoff(curve, ppv=0.8).intervals(n_resamples=200)
    with pytest.warns(rs.RocsteadyWarning, match=r"RS246.* false negative"):
        rs.choose_cutoff(curve, npv=0.8).intervals(n_resamples=200)


@pytest.mark.parametrize(
    "criterion", ["f1", "accuracy", "mcc", "kappa", rs.TargetRate(ppv=0.6), {"npv": 0.7}]
)
@pytest.mark.filterwarnings("ignore:RS24[24]", "ignore:RS246", "ignore:RS258")
def test_every_question_is_answered_for_every_criterion(folds, a_curve, criterion):
    for curve in (a_curve[0], rs.average(folds, "threshold"), rs.average(folds, "pooled")):
        found = rs.choose_cutoff(curve, criterion)
        new = found.corrected(n_resamples=200)
        assert new.value_interval.low <= new.value <= new.value_interval.high
        assert new.value_interval.low >= found.criterion.range[0]
        around = found.intervals(n_resamples=200)
        assert around.threshold.low <= found.threshold <= around.threshold.high
        assert found.two_by_two(n_resamples=200).corrected is not None
        assert found.on(curve).value == pytest.approx(found.value)
    attained = rs.realise(folds, criterion, n_repeats=2)
    assert 0 <= attained.tpr.mean <= 1
    assert rs.realise(folds, criterion, threshold="shared", n_repeats=2).reading
