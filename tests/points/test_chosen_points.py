"""Points of tables: those that keep a mean, the best by any criterion, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.points.criteria import criterion_of
from strategies import grouped_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")

NAMES = ("fpr", "tpr", "precision", "npv", "accuracy", "f1", "kappa")
CRITERIA = ["youden", "f1", "accuracy", "balanced_accuracy", "kappa", "closest", "eer"]


@pytest.fixture(scope="module")
def folds():
    rng = np.random.default_rng(6)
    labels = np.tile([0, 0, 1], 120)
    scores = rng.normal(size=360) + 1.5 * labels
    return rs.ScoreSet.from_arrays(labels, scores, np.arange(360) // 30, design="cross-validation")


@pytest.fixture(scope="module")
def table(folds):
    return rs.average_operating_points(folds, thresholds=40)


@pytest.fixture(scope="module")
def of_classes():
    rng = np.random.default_rng(2)
    outputs = rng.dirichlet(np.ones(3), 120)
    labels = np.array([rng.choice(list("abc"), p=own**2 / (own**2).sum()) for own in outputs])
    scores = rs.MulticlassScores(labels, outputs, folds=np.arange(120) % 4, classes=list("abc"))
    return rs.average_multiclass_points(scores, rng.dirichlet(np.ones(3) * 4, 30))


def code(problem, call):
    with pytest.raises(rs.RocsteadyError) as caught:
        call()
    assert caught.value.code == problem
    assert caught.value.remedies
    return caught.value


def mean_errors(table):
    return np.nanmean(table.measure("class_error").mean, axis=1).round(12)


@given(grouped_scores(), st.sampled_from(NAMES), st.floats(0, 1), st.booleans())
def test_the_point_that_keeps_a_mean_is_that_of_a_search(groups, name, value, is_least):
    table = rs.average_operating_points(rs.ScoreSet.from_folds(groups, design="independent"))
    found = table.measure(name)
    mean, n = found.mean.round(12), found.n_defined
    ask = table.at_least if is_least else table.at_most
    kept = [
        k
        for k, own in enumerate(mean.tolist())
        if n[k] == n.max() and (own >= round(value, 12) if is_least else own <= round(value, 12))
    ]
    if not kept:
        code("RS007", lambda: ask(**{name: value}))
        return
    errors = mean_errors(table)
    assert ask(**{name: value}) == min(kept, key=lambda k: (abs(mean[k] - round(value, 12)), errors[k], k))


def test_a_tpr_is_kept_by_the_strictest_threshold_and_an_fpr_by_the_loosest(table):
    """Of the thresholds with the same TPR the one with the smallest FPR, and the other way round."""
    fpr, tpr = (table.measure(name).mean.round(12) for name in ("fpr", "tpr"))
    strict, loose = table.at_least(tpr=0.9), table.at_most(fpr=0.05)
    assert tpr[strict] >= 0.9 > tpr[strict - 1]
    assert fpr[loose] <= 0.05 < fpr[loose + 1]


def test_a_mean_that_is_the_limit_keeps_it():
    folds = [(np.repeat([1, 0], 10), np.r_[np.full(9, 2.0), 0, 1, np.zeros(9)])] * 7
    table = rs.average_operating_points(rs.ScoreSet.from_folds(folds, design="independent"))
    assert table.measure("tpr").mean[table.at_least(tpr=0.9)] == pytest.approx(0.9)


def test_errors_of_a_class_are_kept(of_classes):
    errors = of_classes.measure("class_error").mean
    index = of_classes.at_most(class_error={"b": 0.5})
    assert errors[index, 1] == errors[errors[:, 1] <= 0.5, 1].max()
    assert "class_error of b" in code("RS007", lambda: of_classes.at_most(class_error={"b": 0.0})).problem
    code("RS042", lambda: of_classes.at_most(class_error=0.5))
    code("RS042", lambda: of_classes.at_most(class_error={"d": 0.5}))
    code("RS042", lambda: of_classes.at_most(class_error={"a": 0.5, "b": 0.5}))


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ({}, "RS002"),
        ({"tpr": 0.9, "fpr": 0.1}, "RS002"),
        ({"tpr": 1.2}, "RS042"),
        ({"tpr": np.nan}, "RS042"),
        ({"threshold": 0.5}, "RS042"),
        ({"sensitivty": 0.5}, "RS001"),
    ],
)
def test_targets_that_say_nothing(table, target, problem):
    code(problem, lambda: table.at_least(**target))


def test_the_message_names_the_best_that_there_is(table):
    problem = code("RS007", lambda: table.at_least(f1=0.99))
    best = np.nanmax(table.measure("f1").mean)
    assert f"{best:.4g}" in problem.found
    assert f"at point {np.nanargmax(table.measure('f1').mean)}" in problem.found
    (typed,) = problem.remedies
    asked = float(str(typed).removeprefix("table.at_least(f1=").removesuffix(")"))
    assert table.measure("f1").mean[table.at_least(f1=asked)] == best


# criteria


@given(grouped_scores(), st.sampled_from(CRITERIA))
def test_the_best_point_has_the_best_mean_over_folds(groups, name):
    table = rs.average_operating_points(rs.ScoreSet.from_folds(groups, design="independent"))
    fpr, tpr = (table.measure(own).per_fold for own in ("fpr", "tpr"))
    by_hand = {
        "youden": tpr - fpr,
        "closest": -(fpr**2) - (1 - tpr) ** 2,
        "eer": -np.abs(fpr - (1 - tpr)),
    }
    values = by_hand[name] if name in by_hand else table.measure(name).per_fold
    means = values.mean(axis=0).round(12)
    found = rs.choose_cutoff(table, name)
    assert found.all_optima.tolist() == np.flatnonzero(means == means.max()).tolist()
    assert found.index == found.all_optima[0]
    sign = 1 if criterion_of(name).is_gain else -1
    assert found.value == pytest.approx(sign * means.max(), abs=1e-11)
    assert found.threshold == table.thresholds[found.index]


@given(grouped_scores(), st.sampled_from(["fpr", "tpr"]), st.floats(0, 1))
def test_targets_are_those_of_the_threshold_average(groups, held, rate):
    scores = rs.ScoreSet.from_folds(groups, design="independent")
    table = rs.average_operating_points(scores)
    mean = {own: table.measure(own).mean.round(12) for own in ("fpr", "tpr")}
    kept = mean["fpr"] <= round(rate, 12) if held == "fpr" else mean["tpr"] >= round(rate, 12)
    found = rs.choose_cutoff(table, {held: rate})
    if held == "fpr":
        assert mean["tpr"][found.index] == mean["tpr"][kept].max()
    else:
        assert mean["fpr"][found.index] == mean["fpr"][kept].min()
    assert kept[found.index]


def test_predictive_values_alerts_and_costs_are_kept_in_the_mean(table):
    ppv, alerts = table.measure("precision"), table.measure("alarm_rate").mean
    found = rs.choose_cutoff(table, ppv=0.7)
    full = ppv.n_defined == ppv.n_defined.max()
    kept = full & (ppv.mean.round(12) >= 0.7)
    assert kept[found.index]
    assert found.tpr == table.measure("tpr").mean[kept].max()
    assert alerts[rs.choose_cutoff(table, alerts=0.2).index] == alerts[alerts <= 0.2 + 1e-12].max()
    costs = {"false_positive": 1, "false_negative": 5}
    cost = table.measure(rs.Cost(**costs)).mean
    assert rs.choose_cutoff(table, rs.MinimumCost(**costs)).value == pytest.approx(cost.min())
    assert rs.choose_cutoff(table, costs=(1, 5)).index == cost.argmin()
    code("RS007", lambda: rs.choose_cutoff(table, rs.TargetRate(ppv=0.99, prevalence=0.001)))


def test_a_function_is_the_measure_of_the_table(table):
    def profit(tp, fp):
        return 10 * tp - 3 * fp

    mean = table.measure(profit).mean
    found = rs.choose_cutoff(table, rs.Maximum(profit))
    assert (found.index, found.value) == (mean.argmax(), mean.max())
    assert rs.choose_cutoff(table, rs.Maximum(lambda c: 10 * c.tp - 3 * c.fp)).index == found.index
    there = rs.choose_cutoff(table, rs.Maximum(profit, prevalence=0.05))
    assert there.fpr < found.fpr


def test_a_threshold_that_is_a_point_can_be_given(table):
    chosen = rs.choose_cutoff(table, float(table.thresholds[7]))
    assert (chosen.index, chosen.tpr) == (7, table.measure("tpr").mean[7])
    code("RS042", lambda: rs.choose_cutoff(table, 0.123456))


def test_points_of_several_classes_and_of_functions_are_chosen(folds, of_classes):
    accuracy = of_classes.measure("accuracy").mean
    found = rs.choose_cutoff(of_classes, "accuracy")
    assert found.index == accuracy.argmax()
    assert found.point == of_classes.points[found.index]
    assert np.isnan(found.fpr)
    assert "fpr" not in repr(found)
    own = rs.Maximum(lambda c: c.matrix[..., 0, 0])
    assert (
        rs.choose_cutoff(of_classes, own).index
        == of_classes.measure(lambda c: c.matrix[..., 0, 0]).mean.argmax()
    )
    code("RS001", lambda: rs.choose_cutoff(of_classes, "youden"))
    code("RS002", found.corrected)
    shares = [0.2, 0.4, 0.6]
    alarms = rs.average_operating_points(
        folds, points=shares, decide=lambda score, share: score >= np.quantile(score, 1 - share)
    )
    chosen = rs.choose_cutoff(alarms, "mcc")
    assert chosen.point == shares[alarms.measure("mcc").mean.argmax()]
    assert chosen.corrected(n_resamples=200).tpr_interval.low < chosen.tpr


@pytest.mark.parametrize(
    "criterion",
    ["youden", "mcc", "kappa", rs.TargetRate(fpr=0.1), rs.TargetRate(ppv=0.7), {"alerts": 0.2}, rs.Maximum(lambda tp, fp: tp - fp)],
)  # fmt: skip
def test_what_is_asked_of_cutoffs_is_answered(table, criterion):
    chosen = rs.choose_cutoff(table, criterion)
    new = chosen.corrected(n_resamples=200)
    assert new.apparent_tpr == chosen.tpr
    assert new.tpr_interval.low <= new.tpr <= new.tpr_interval.high
    if criterion in ("youden", "mcc", "kappa"):
        assert new.value < chosen.value
        assert new.value_interval.low < new.value < new.value_interval.high
    if isinstance(criterion, rs.TargetRate) and criterion.ppv is not None:
        with pytest.warns(rs.RocsteadyWarning, match="RS242: 12 groups are too few"):
            around = chosen.intervals(n_resamples=200)
    else:
        around = chosen.intervals(n_resamples=200)
    assert around.threshold.low <= chosen.threshold <= around.threshold.high
    two = chosen.two_by_two(n_resamples=200)
    assert (two.tp + two.fn, two.fp + two.tn) == (120, 240)
    assert two.corrected is not None
    assert chosen.reading


def test_folds_that_share_training_cases_widen_the_intervals(folds, table):
    labels, scores = folds.columns.labels, folds.columns.scores
    independent = rs.ScoreSet.from_arrays(labels, scores, np.arange(360) // 30, design="independent")
    alone = rs.average_operating_points(independent, thresholds=40)
    found = [rs.choose_cutoff(own, "youden").corrected(n_resamples=200) for own in (alone, table)]
    widths = [own.tpr_interval.high - own.tpr_interval.low for own in found]
    assert widths[0] < widths[1]


def test_the_threshold_average_has_the_same_corrected_rates():
    """With all thresholds, and by a difference of the rates, it is the same choice in every resample."""
    rng = np.random.default_rng(9)
    labels = np.tile([0, 1], 100)
    scores = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=200) + labels, np.arange(200) // 20, design="independent"
    )
    of_average = rs.choose_cutoff(rs.average(scores, "threshold"), "youden")
    of_table = rs.choose_cutoff(rs.average_operating_points(scores), "youden")
    assert of_table.threshold == of_average.threshold
    a, b = of_average.corrected(n_resamples=300), of_table.corrected(n_resamples=300)
    assert (b.fpr, b.tpr) == pytest.approx((a.fpr, a.tpr), abs=1e-9)
    limits = [(own.tpr_interval.low, own.tpr_interval.high) for own in (a, b)]
    assert limits[1] == pytest.approx(limits[0], abs=2e-3)
