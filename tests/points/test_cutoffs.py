"""Cut-offs: warnings, refusals, edges, words, tables and other rows."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.points.criteria import (
    Closest,
    MinimumCost,
    TargetRate,
    Youden,
    criterion_of,
    strictest_optima,
)
from rocsteady.points.cutoffs import ThresholdInterval, choose_cutoff
from rocsteady.points.measures import NAMES_OF_TABLE
from rocsteady.statistics.limits import share_interval
from strategies import FLOAT_KINDS, labelled_scores

LABELS = [1, 1, 0, 1, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]


@pytest.fixture
def curve():
    return rs.roc_curve(LABELS, SCORES)


@pytest.fixture
def folds():
    rng = np.random.default_rng(5)
    sets = []
    for shift in rng.normal(0, 0.3, 10):
        labels = np.arange(40) < 18
        sets.append((labels, rng.normal(size=40) + 1.5 * labels + shift))
    return rs.ScoreSet.from_folds(sets, design="independent")


def code(problem, call):
    with pytest.raises(rs.RocsteadyError) as caught:
        call()
    assert caught.value.code == problem
    assert caught.value.remedies
    return caught.value


# criteria as values


def test_a_plain_criterion_equals_its_name():
    assert criterion_of("youden") == "youden"
    assert Youden() == "youden"
    assert Closest() != "youden"
    assert {Youden(): 1}["youden"] == 1
    assert repr(Youden()) == "Youden()"
    assert TargetRate(fpr=0.05) == TargetRate(fpr=0.05) != TargetRate(tpr=0.05)
    assert pickle.loads(pickle.dumps(MinimumCost(false_positive=1, false_negative=2))) == MinimumCost(
        false_positive=1, false_negative=2
    )


@pytest.mark.parametrize("wrong", ["yuden", "topleft", "cost", True, [0.5], TargetRate, Youden])
def test_an_unknown_criterion_is_refused_with_a_remedy(curve, wrong):
    code("RS001", lambda: choose_cutoff(curve, wrong))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "RS002"),
        ({"fpr": 0.1, "tpr": 0.9}, "RS002"),
        ({"fpr": 1.2}, "RS042"),
        ({"tpr": np.nan}, "RS042"),
        ({"fpr": -0.1}, "RS042"),
        ({"fpr": [0.1, 0.2]}, "RS042"),
        ({"tpr": "high"}, "RS042"),
    ],
)
def test_targets_that_are_no_rate(arguments, expected):
    code(expected, lambda: TargetRate(**arguments))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"false_positive": 0, "false_negative": 0}, "RS081"),
        ({"false_positive": 0, "false_negative": 1, "prevalence": 0}, "RS081"),
        ({"false_positive": 1, "false_negative": 0, "prevalence": 1}, "RS081"),
        ({"false_positive": -1, "false_negative": 1}, "RS081"),
        ({"false_positive": np.nan, "false_negative": 1}, "RS081"),
        ({"false_positive": np.inf, "false_negative": 1}, "RS081"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": np.nan}, "RS042"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": 1.5}, "RS042"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": 30}, "RS042"),
    ],
)
def test_costs_that_decide_nothing(arguments, expected):
    code(expected, lambda: MinimumCost(**arguments))


def test_decimals_mean_what_they_say():
    """0.1 * 9 = 0.9 = 1 - 0.1: both errors weigh the same, although no float is one tenth."""
    curve = rs.RocCurve.from_counts([4, 3, 2, 1], [1, 2, 3, 3], [0, 1, 2, 3])
    even = choose_cutoff(curve, MinimumCost(false_positive=1, false_negative=9, prevalence=0.1))
    assert even.all_optima.tolist() == choose_cutoff(curve, "youden").all_optima.tolist() == [1, 2, 3]


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_costs_of_any_size_can_be_compared(curve, scale):
    huge = choose_cutoff(curve, MinimumCost(false_positive=scale, false_negative=2 * scale, prevalence=0.5))
    plain = choose_cutoff(curve, MinimumCost(false_positive=1, false_negative=2, prevalence=0.5))
    assert huge.all_optima.tolist() == plain.all_optima.tolist()
    apart = MinimumCost(false_positive=1e-300, false_negative=1e300)
    assert choose_cutoff(curve, apart).threshold == 0.6


# trivial cut-offs


def test_a_target_that_only_nothing_keeps():
    curve = rs.roc_curve([0, 1, 1, 0], [4, 3, 2, 1])
    with pytest.warns(rs.RocsteadyWarning, match=r"RS240: .*nothing") as caught:
        cutoff = choose_cutoff(curve, TargetRate(fpr=0.1))
    assert (cutoff.threshold, cutoff.tpr, cutoff.index) == (np.inf, 0, 0)
    assert "FPR 0.5 with TPR 0" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_a_target_that_only_everything_reaches():
    curve = rs.roc_curve([0, 1, 0, 1], [4, 3, 2, 1])
    with pytest.warns(rs.RocsteadyWarning, match=r"RS240: .*everything") as caught:
        cutoff = choose_cutoff(curve, TargetRate(tpr=0.9))
    assert (cutoff.threshold, cutoff.fpr) == (1, 1)
    assert cutoff.threshold_interval == (-np.inf, 1)
    assert -np.inf in cutoff.threshold_interval
    assert "TPR 0.5" in str(caught[0].message)


def test_scores_that_are_all_equal():
    with pytest.warns(rs.RocsteadyWarning, match="RS240.*\n.*all scores are equal"):
        choose_cutoff(rs.roc_curve([0, 1, 1], [5, 5, 5]), TargetRate(tpr=0.5))
    with pytest.warns(rs.RocsteadyWarning, match="RS241"):
        cutoff = choose_cutoff(rs.roc_curve([0, 1, 1], [5, 5, 5]), "youden")
    assert cutoff.all_optima.tolist() == [0, 1]


def test_a_curve_below_the_diagonal_and_costs_that_never_pay():
    with pytest.warns(rs.RocsteadyWarning, match="RS241"):
        choose_cutoff(rs.roc_curve([0, 0, 1, 1], [4, 3, 2, 1]), "youden")
    with pytest.warns(rs.RocsteadyWarning, match="RS241: the best cut-off calls nothing"):
        choose_cutoff(
            rs.roc_curve([0, 1, 0, 1], [4, 3, 2, 1]), MinimumCost(false_positive=9, false_negative=1)
        )


@pytest.mark.filterwarnings("ignore:RS241")
def test_prevalence_zero_and_one_are_costs_of_one_error(curve):
    none = choose_cutoff(curve, MinimumCost(false_positive=1, false_negative=1, prevalence=0))
    assert none.value == none.fpr == 0
    every = choose_cutoff(curve, MinimumCost(false_positive=1, false_negative=1, prevalence=1))
    assert every.value == 0
    assert (every.tpr, every.threshold) == (1, 0.6)


def test_one_case_of_each_class():
    cutoff = choose_cutoff(rs.roc_curve([0, 1], [1.0, 2.0], positive=1), "youden")
    assert (cutoff.threshold, cutoff.value, cutoff.midpoint) == (2, 1, 1.5)


def test_an_infinite_score_is_excluded_only_by_a_strict_rule():
    curve = rs.roc_curve([0, 0, 1, 1], [np.inf, 3, 2, -np.inf])
    with pytest.warns(rs.RocsteadyWarning, match="RS241"):
        cutoff = choose_cutoff(curve, "youden")
    assert (cutoff.threshold, cutoff.rule, cutoff.tpr) == (np.inf, ">", 0)
    assert curve.rates_at(cutoff.threshold, rule=cutoff.rule).fpr == 0


# where a cut-off can be chosen


@pytest.mark.filterwarnings("ignore:RS23")
@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal", "radial", "tangent", "binormal"])
def test_averages_of_own_thresholds_have_no_cutoff(folds, method):
    error = code("RS071", lambda: choose_cutoff(rs.average(folds, method), "youden"))
    assert any("realise" in str(remedy) for remedy in error.remedies)


@pytest.mark.parametrize("thing", [None, [0.1, 0.2], "curve", 3.0])
def test_other_things_have_no_cutoff(thing):
    code("RS002", lambda: choose_cutoff(thing, "youden"))


def test_a_hull_knows_its_corners_only(curve):
    cutoff = choose_cutoff(curve.hull(), "youden")
    assert cutoff.threshold_interval == (cutoff.threshold, cutoff.threshold)
    assert cutoff.threshold_interval.closed == "both"
    assert np.isnan(cutoff.midpoint)
    code("RS002", cutoff.intervals)


def test_empty_steps_of_counts_widen_the_interval():
    curve = rs.RocCurve.from_counts([4, 3, 2, 1], [2, 2, 2, 2], [0, 0, 0, 2])
    cutoff = choose_cutoff(curve, "youden")
    assert cutoff.all_optima.tolist() == [1, 2, 3]
    assert cutoff.threshold_interval == (1, 4)
    assert all(curve.rates_at(t).tpr == 1 and curve.rates_at(t).fpr == 0 for t in (4, 3, 2.5, 1.01))


def test_counts_of_a_data_engine_may_be_huge():
    n = 4 * 10**18
    curve = rs.RocCurve.from_counts([3, 2, 1], [n - 1, n - 1, n], [1, 2, n])
    for criterion in ("youden", "closest", "eer", MinimumCost(false_positive=1, false_negative=1)):
        assert choose_cutoff(curve, criterion).index == 1


def test_very_many_ties_are_all_found():
    """Positives and negatives take turns, so half a million vertices are equally good."""
    n = 250_000
    curve = rs.roc_curve(np.tile([True, False], n), np.arange(2.0 * n, 0, -1))
    cutoff = choose_cutoff(curve, MinimumCost(false_positive=1, false_negative=1, prevalence=0.123456789))
    assert choose_cutoff(curve, "youden").all_optima.size == n
    assert cutoff.all_optima.size == 1


# the interval


def test_a_threshold_interval_is_a_pair_that_knows_its_ends():
    interval = ThresholdInterval(0.4, 0.7, "low")
    low, high = interval
    assert (low, high) == (interval.low, interval.high) == interval
    assert (0.4 in interval, 0.7 in interval) == (True, False)
    for other in (copy.copy(interval), pickle.loads(pickle.dumps(interval))):
        assert repr(other) == repr(interval) == "[0.4, 0.7)"


# words


def test_a_reading_says_all_there_is_to_say(curve):
    reading = choose_cutoff(curve, "youden").reading
    for part in (
        "score ≥ 0.8",
        "TPR 66.7 %",
        "FPR 0.0 %",
        "TPR − FPR",
        "1 other threshold is as good",
        "optimistic",
    ):
        assert part.casefold() in reading.casefold()
    low = rs.roc_curve(LABELS, -np.array(SCORES), higher_is_positive=False)
    assert "Score ≤ −0.8" in choose_cutoff(low, "youden").reading


def test_a_cost_at_the_samples_prevalence_says_so(curve):
    cutoff = choose_cutoff(curve, MinimumCost(false_positive=1, false_negative=2))
    assert "the sample's prevalence of 50.0 %" in cutoff.reading
    assert cutoff.criterion == MinimumCost(false_positive=1, false_negative=2)


def test_results_are_plain_data_and_not_tuples(curve):
    cutoff = choose_cutoff(curve, "youden")
    data = json.loads(json.dumps(cutoff.to_dict()))
    assert data["threshold_interval"] == [0.7, 0.8]
    assert (data["criterion"], data["all_optima"], data["closed"]) == ("youden", [2, 4], "high")
    json.dumps(cutoff.two_by_two().to_dict())
    json.dumps(cutoff.on(curve).to_dict())
    with pytest.raises(TypeError, match="not a tuple"):
        list(cutoff)
    with pytest.raises(AttributeError):
        cutoff.threshold = 1
    with pytest.raises(ValueError, match="read-only"):
        cutoff.all_optima[0] = 1


# other rows


def test_choose_here_report_there(curve):
    other = rs.roc_curve([1, 1, 0, 0, 0], [0.95, 0.75, 0.85, 0.2, 0.1])
    applied = choose_cutoff(curve, "youden").on(other)
    assert (applied.threshold, applied.tpr, applied.fpr) == (0.8, 0.5, pytest.approx(1 / 3))
    assert applied.value == pytest.approx(0.5 - 1 / 3)
    table = applied.two_by_two()
    assert (table.tp, table.fp, table.fn, table.tn) == (1, 1, 1, 2)
    assert "chosen elsewhere" in applied.reading
    assert "flatter" not in table.note


def test_on_its_own_rows_a_cutoff_is_itself(folds, curve):
    for chosen_on in (curve, rs.average(folds, "threshold"), rs.average(folds, "pooled")):
        cutoff = choose_cutoff(chosen_on, "closest")
        applied = cutoff.on(chosen_on)
        assert (applied.fpr, applied.tpr) == (cutoff.fpr, cutoff.tpr)
        assert applied.value == pytest.approx(cutoff.value, rel=1e-12)


def test_the_other_rows_must_run_the_same_way(curve, folds):
    cutoff = choose_cutoff(curve, "youden")
    code("RS002", lambda: cutoff.on(rs.roc_curve(LABELS, SCORES, higher_is_positive=False)))
    code("RS002", lambda: cutoff.on(SCORES))
    code("RS071", lambda: cutoff.on(rs.average(folds, "vertical")))


# the 2x2 table


@pytest.mark.filterwarnings("ignore:RS24[01]", "ignore:RS101")
@given(labelled_scores(kinds=FLOAT_KINDS), st.one_of(st.none(), st.floats(0, 1)), st.data())
def test_the_table_adds_up(data, prevalence, draw):
    labels, scores = data
    curve = rs.roc_curve(labels, scores)
    rate = draw.draw(st.sampled_from(curve.tpr.tolist()))
    cutoff = choose_cutoff(curve, TargetRate(tpr=rate))
    table = cutoff.two_by_two(prevalence, method="wilson")
    called = scores >= cutoff.threshold if cutoff.rule == ">=" else scores > cutoff.threshold
    assert table.tp == (called & labels).sum()
    assert table.fp == (called & ~labels).sum()
    assert table.tp + table.fn == labels.sum()
    assert table.fp + table.tn == (~labels).sum()
    assert table.is_sample_prevalence == (prevalence is None)
    for name in NAMES_OF_TABLE:
        value, interval = getattr(table, name), getattr(table, f"{name}_interval")
        if np.isnan(value):
            assert np.isnan(interval.low)
            assert np.isnan(interval.high)
        else:
            assert interval.low <= value <= interval.high
            assert interval.low >= 0
            assert interval.high <= (np.inf if name.startswith("lr") else 1)
    if prevalence is None and called.any():
        assert table.ppv == pytest.approx(labels[called].mean())


def table_of(tp, fp, fn, tn, **options):
    curve = rs.RocCurve.from_counts([2, 1], [tp, tp + fn], [fp, fp + tn])
    return choose_cutoff(curve, "youden").two_by_two(method="wilson", **options)


def test_intervals_of_a_published_kind():
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29 by Wilson's and by Clopper & Pearson's method."""
    wilson = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    exact = {
        (81, 263): (0.2527, 0.3676),
        (15, 148): (0.0578, 0.1617),
        (0, 20): (0, 0.1684),
        (1, 29): (0.0009, 0.1776),
    }
    for method, expected in (("wilson", wilson), ("clopper-pearson", exact)):
        for (part, whole), limits in expected.items():
            found = share_interval(part, whole, 0.95, method)
            assert (found.low, found.high) == pytest.approx(limits, abs=5.1e-5)


def test_likelihood_ratios_and_predictive_values_by_hand():
    table = table_of(90, 20, 10, 180, prevalence=0.1)
    assert table.lr_positive == pytest.approx(9)
    assert table.lr_negative == pytest.approx(1 / 9)
    half = 1.959963984540054 * np.sqrt(1 / 90 - 1 / 100 + 1 / 20 - 1 / 200)
    low, high = 9 * np.exp(-half), 9 * np.exp(half)
    assert (table.lr_positive_interval.low, table.lr_positive_interval.high) == pytest.approx((low, high))
    # Odds of a positive call: 0.1 * 0.9 to 0.9 * 0.1, so the predictive value is one half.
    assert table.ppv == pytest.approx(0.5)
    half = 1.959963984540054 * np.sqrt(0.1 / (0.9 * 100) + 0.9 / (0.1 * 200))
    assert table.ppv_interval.high == pytest.approx(1 / (1 + np.exp(-half)))
    assert table.ppv_interval.low == pytest.approx(1 / (1 + np.exp(half)))
    assert table.accuracy == pytest.approx(0.9)
    assert not table.is_sample_prevalence


def test_at_the_samples_prevalence_a_predictive_value_is_a_share_of_cases():
    table = table_of(90, 20, 10, 180)
    assert (table.ppv, table.npv, table.accuracy) == (90 / 110, 180 / 190, 270 / 300)
    assert table.ppv_interval.high == share_interval(90, 110, 0.95, "wilson").high
    assert table.is_sample_prevalence
    assert "that of these rows" in table.reading
    assert "flatter" in table.note


def test_empty_cells_have_one_sided_intervals():
    perfect = table_of(10, 0, 0, 12, prevalence=0.2)
    assert (perfect.lr_positive, perfect.lr_negative, perfect.ppv, perfect.npv) == (np.inf, 0, 1, 1)
    assert perfect.lr_positive_interval.high == np.inf
    assert 1 < perfect.lr_positive_interval.low < np.inf
    assert perfect.lr_negative_interval.low == 0
    assert 0 < perfect.ppv_interval.low < perfect.ppv_interval.high == 1
    assert "1/2 added" in perfect.ppv_interval.method


@pytest.mark.filterwarnings("ignore:RS241")
def test_nothing_called_positive_has_no_predictive_value():
    curve = rs.roc_curve([0, 1, 0, 1], [4, 3, 2, 1])
    table = choose_cutoff(curve, MinimumCost(false_positive=9, false_negative=1)).two_by_two()
    assert np.isnan([table.ppv, table.lr_positive, table.ppv_interval.low, table.corrected.ppv]).all()
    assert table.npv == 0.5


@pytest.mark.parametrize("prevalence", [0.0, 1.0])
def test_a_prevalence_of_zero_or_one(prevalence):
    table = table_of(90, 20, 10, 180, prevalence=prevalence)
    assert table.ppv == table.ppv_interval.low == table.ppv_interval.high == prevalence
    assert table.npv == 1 - prevalence
    assert table.accuracy == pytest.approx(0.9)


@pytest.mark.parametrize("prevalence", [np.nan, -0.1, 1.1, "half", [0.1]])
def test_prevalences_that_are_none(curve, prevalence):
    code("RS042", lambda: choose_cutoff(curve, "youden").two_by_two(prevalence))


def test_weighted_rows_and_averages_have_no_binomial_intervals(folds):
    weighted = choose_cutoff(rs.roc_curve(LABELS, SCORES, sample_weight=[1, 2, 1, 1, 0.5, 1]), "youden")
    table = weighted.two_by_two(method="wilson")
    assert (table.tp, table.fn) == (3, 1)
    assert table.sensitivity_interval is None
    assert "weights" in table.note
    pooled = choose_cutoff(rs.average(folds, "pooled"), "youden").two_by_two(method="wilson")
    assert pooled.tp + pooled.fn == 180
    assert pooled.sensitivity == pooled.tp / 180
    assert pooled.ppv_interval is None
    assert "binomial" in table.note
    averaged = choose_cutoff(rs.average(folds, "threshold"), "youden").two_by_two(0.1, method="wilson")
    assert averaged.tp is None
    assert averaged.lr_positive == pytest.approx(averaged.sensitivity / (1 - averaged.specificity))
    assert averaged.note
    assert len(averaged.to_frame()) == len(NAMES_OF_TABLE)
    assert repr(averaged).startswith("TwoByTwo(sensitivity")


@pytest.mark.parametrize("value", [True, False, np.True_])
def test_truth_values_are_not_rates_or_costs(value):
    """They counted as 1 and 0, silently."""
    for make in (
        lambda: TargetRate(fpr=value),
        lambda: TargetRate(tpr=value),
        lambda: MinimumCost(false_positive=1, false_negative=1, prevalence=value),
        lambda: MinimumCost(false_positive=value, false_negative=1),
        lambda: MinimumCost(false_positive=1, false_negative=value),
    ):
        with pytest.raises(rs.RocsteadyError, match=r"RS042.*number.*\n.*(True|False)"):
            make()


def test_scores_may_come_instead_of_their_curve():
    labels, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    curve, own = rs.roc_curve(labels, scores), rs.Scores(labels, scores)
    first, second = (rs.choose_cutoff(given, "youden") for given in (curve, own))
    assert (first.threshold, first.fpr, first.tpr) == (second.threshold, second.fpr, second.tpr)
    assert second.on(own).value == second.value == first.on(curve).value
    assert second.intervals().threshold.low == first.intervals().threshold.low


def test_a_target_is_never_a_dominated_vertex():
    """Of vertices with the smallest FPR that reach a TPR the one with the largest TPR is chosen."""
    curve = rs.roc_curve([1, 1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3])
    found = choose_cutoff(curve, TargetRate(tpr=0.3))
    assert (found.fpr, found.tpr, found.threshold) == (0, 0.75, 7)
    assert found.all_optima.tolist() == [found.index] == [3]
    assert choose_cutoff(curve, TargetRate(tpr=0.8)).threshold == 5
    within = choose_cutoff(curve, TargetRate(fpr=0.9))  # 4 is as good in TPR, and has a larger FPR
    assert (within.threshold, within.fpr, within.tpr) == (5, 1 / 3, 1)
    weighted = rs.roc_curve(
        [1, 1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3], sample_weight=np.linspace(0.1, 0.7, 7)
    )
    assert choose_cutoff(weighted, TargetRate(tpr=0.1)).threshold == 7
    sets = rs.ScoreSet.from_folds(
        [([1, 1, 0, 1, 0], [9, 8, 6, 5, 4]), ([1, 1, 1, 0], [9, 8, 7, 6])], design="independent"
    )
    for method in ("threshold", "pooled", rs.Pooled(balanced=True)):
        assert choose_cutoff(rs.average(sets, method), TargetRate(tpr=0.4)).threshold == 7


@given(labelled_scores(kinds=FLOAT_KINDS), st.integers(0, 20).map(lambda k: k / 20))
def test_no_vertex_is_better_than_the_one_that_keeps_a_target(rows, rate):
    for criterion in (TargetRate(tpr=rate), TargetRate(fpr=rate)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocsteadyWarning)
            curve = rs.roc_curve(*rows)
            found = choose_cutoff(curve, criterion)
        fp, tp = curve.false_positives, curve.true_positives
        better = (fp <= fp[found.index]) & (tp >= tp[found.index])
        better &= (fp < fp[found.index]) | (tp > tp[found.index])
        assert not (better & criterion.permits(curve.fpr, curve.tpr)).any()
        many = strictest_optima(criterion, np.stack([tp, tp]), np.stack([fp, fp]))
        assert many.tolist() == [found.index] * 2
        floats = strictest_optima(criterion, curve.tpr[None], curve.fpr[None])
        assert floats.tolist() == [found.index]


def test_a_prevalence_may_be_a_percentage():
    cutoff = rs.choose_cutoff(rs.roc_curve([1, 1, 0, 0, 1, 0, 0], [5, 4, 3, 2, 1, 2, 1]), "youden")
    for how in ({"method": "wilson"}, {"n_resamples": 200}):
        assert cutoff.two_by_two("2%", **how).to_dict() == cutoff.two_by_two(0.02, **how).to_dict()
    for wrong in ("200%", "2 %%", "two"):
        with pytest.raises(rs.RocsteadyError, match="RS042"):
            cutoff.two_by_two(wrong)
