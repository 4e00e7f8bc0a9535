"""What a comparison says of each model by itself, who leads, and how unsure differences are worded."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit

import rocsteady as rs
from rocsteady.errors import RocsteadyWarning, UsageError
from rocsteady.inference.compare import compare
from rocsteady.inference.compare_over_cases import FEW_CASES, judged
from rocsteady.inference.differences import GroupDifferences
from rocsteady.show.sentences.comparing import of_leader
from rocsteady.simulate import hosts as simulated_hosts
from rocsteady.statistics.limits import t_quantile

LABELS, GROUPS = np.tile([0, 1], 240), np.repeat(np.arange(8), 60)


def noisy(noise, *, n=480, seed=0):
    """Models that know the same of a case, and add noise of their own."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n) + np.tile([0, 1], n // 2)
    return {name: base + sd * rng.normal(size=n) for name, sd in noise.items()}


def hosts(noise, **options):
    return rs.ScoreSet.from_arrays(LABELS, noisy(noise), GROUPS, unit="host", **options)


def one_dataset(noise, *, n=100, seed=0, **options):
    return rs.ScoreSet.from_arrays(np.tile([0, 1], n // 2), noisy(noise, n=n, seed=seed), **options)


TWO = {"old": 1.0, "new": 0.4}


def limits(interval):
    return interval.low, interval.high


def test_over_groups_each_model_has_the_t_interval_of_its_mean():
    score_set = hosts(TWO)
    found = compare(
        score_set,
        "new",
        "old",
        at=[{"fpr": 0.1}, {"threshold": 0.5}],
        confidence_level=0.9,
        method="vertical",
    )
    for name, own in (("new", found.auc.a_interval), ("old", found.auc.b_interval)):
        aucs = rs.roc_curves(score_set.model(name)).auc
        mean, half = aucs.mean(), stats.t.ppf(0.95, 7) * stats.sem(aucs)
        wanted = expit(logit(mean) + half / (mean * (1 - mean)) * np.array([-1, 1]))
        assert limits(own) == pytest.approx(wanted, rel=1e-12)
    point = rs.average(score_set.model("old"), "vertical").at(fpr=0.1, confidence_level=0.9)
    assert limits(found.at[0].b_interval) == pytest.approx(limits(point.tpr_interval), rel=1e-9)
    for own in found.differences:
        assert own.a_interval.low < own.a_value < own.a_interval.high
        assert (own.a_interval.confidence_level, own.a_interval.method) == (0.9, "logit t")


def test_folds_that_share_training_cases_have_wider_intervals_of_their_own():
    plain, shared = (
        compare(hosts(TWO), test_train_ratio=ratio, method="vertical").auc for ratio in (None, 1 / 7)
    )
    widths = [logit(own.a_interval.high) - logit(own.a_interval.low) for own in (plain, shared)]
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(1 + 8 / 7), rel=1e-12)


def test_of_one_dataset_each_model_has_the_intervals_of_its_curve():
    score_set = one_dataset(TWO)
    found = compare(
        score_set, "new", "old", at=[{"fpr": 0.1}, {"tpr": 0.8}, {"threshold": 0.5}], method="vertical"
    )
    curve = rs.roc_curve(np.tile([0, 1], 50), noisy(TWO, n=100)["new"])
    auc, at_fpr, at_tpr, *rates = found.differences
    assert limits(auc.a_interval) == limits(curve.auc_interval(method="guarded"))
    assert limits(at_fpr.a_interval) == limits(curve.tpr_interval(0.1))
    assert limits(at_tpr.a_interval) == limits(curve.fpr_interval(0.8))
    for own in rates:
        wanted = stats.binomtest(round(50 * own.a_value), 50).proportion_ci(method="wilson")
        assert limits(own.a_interval) == pytest.approx((wanted.low, wanted.high), rel=1e-12)


@pytest.mark.parametrize("method", ["vertical", "pooled", "threshold"])
def test_of_fixed_groups_each_model_has_the_spread_of_its_cases(method):
    found = compare(hosts(TWO), method=method, random="cases", at=[{"fpr": 0.1}, {"threshold": 0.5}])
    variances = [rs.roc_curve(own).auc_standard_error() ** 2 for own in hosts(TWO).model("old")]
    error = np.sqrt(np.sum(variances)) / 8
    width = found.auc.a_interval.high - found.auc.a_interval.low
    assert width == pytest.approx(2 * t_quantile(np.inf, 0.95) * error, rel=0.02)
    for own in found.differences:
        assert 0 <= own.a_interval.low < own.a_value < own.a_interval.high <= 1


def test_where_nothing_varies_the_cases_give_limits():
    labels = np.tile([0, 1], 20)
    score_set = rs.ScoreSet.from_arrays(
        labels, {"sure": labels, "old": noisy(TWO, n=40)["old"]}, np.repeat(np.arange(4), 10)
    )
    with pytest.warns(RocsteadyWarning):
        own = compare(score_set, "sure", "old", method="vertical").auc
    assert 0.5 < own.a_interval.low < own.a_interval.high == 1
    assert not np.isnan(own.b_interval.low)


@pytest.mark.filterwarnings("ignore:RS275")
@pytest.mark.parametrize("random", ["groups", "cases"])
def test_swapped_models_swap_their_intervals(random):
    how = {
        "at": [{"fpr": 0.2}, {"threshold": 0.5}],
        "random": random,
        "n_resamples": 200,
        "method": "vertical",
    }
    one, other = (compare(hosts(TWO), *names, **how) for names in (("old", "new"), ("new", "old")))
    for first, second in zip(one.differences, other.differences, strict=True):
        assert limits(first.a_interval) == limits(second.b_interval)
        assert limits(first.b_interval) == limits(second.a_interval)


def test_several_models_stand_in_the_order_of_their_values():
    found = compare(hosts({"old": 2.0, "new": 0.2, "newer": 0.15}), at={"tpr": 0.8}, method="vertical")
    by_auc, by_fpr = found.standings[:3], found.standings[3:]
    assert [own.value for own in by_auc] == sorted((own.value for own in by_auc), reverse=True)
    assert [own.value for own in by_fpr] == sorted(own.value for own in by_fpr)  # a low FPR is the better one
    pair = found["new", "newer"]
    assert {own.model: own.value for own in by_auc}["newer"] == pair.auc.b_value
    assert limits(next(own for own in by_fpr if own.model == "new").interval) == limits(pair.at[0].a_interval)
    first, second, last = (own.model for own in by_auc)
    assert last == "old"
    assert found.reading.startswith(f"{first} has the best mean AUC, ")
    assert f"Its lead over {second} is not significant." in found.reading
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [own["model"] for own in data["standings"]] == [own.model for own in found.standings]


def test_a_lead_over_all_others_is_said():
    found = compare(hosts({"old": 2.0, "worst": 4.0, "new": 0.1}), method="vertical")
    assert "Its lead is significant." in found.reading
    against_old = compare(
        hosts({"old": 2.0, "worst": 4.0, "new": 0.1}),
        "old",
        method="vertical",
    )  # new against worst: not asked
    assert "beyond chance" not in against_old.reading
    assert "new has the best mean AUC" in against_old.reading


def test_a_model_with_another_value_in_every_pair_has_no_standing():
    labels, groups = np.tile(LABELS, 3), np.tile(GROUPS, 3)
    scores = np.concatenate(list(noisy({"a": 1.0, "b": 0.5, "c": 0.2}).values()))
    models = np.repeat(["a", "b", "c"], LABELS.size)
    kept = ~((models == "c") & (groups == 0))  # so a and b are compared over eight, c over seven groups
    score_set = rs.ScoreSet.from_arrays(labels[kept], scores[kept], groups[kept], models=models[kept])
    found = compare(score_set, unmatched="drop", method="vertical")
    assert [own.model for own in found.standings] == ["c"]
    assert "highest" not in found.reading


def test_what_cannot_be_told_from_no_difference_is_no_finding():
    alike, unlike = (
        compare(one_dataset({"old": 1.0, "new": 0.9}), method="vertical"),
        compare(one_dataset(TWO, n=400), method="vertical"),
    )
    assert alike.auc.pvalue > 0.05 > unlike.auc.pvalue
    assert (alike.auc.is_decided, unlike.auc.is_decided) == (False, True)
    assert " is not significantly better than " in alike.auc.reading
    assert unlike.auc.reading.startswith("new is better than old: its AUC is 0.")
    again = compare(one_dataset(TWO, n=400), confidence_level=1 - unlike.auc.pvalue / 2, method="vertical")
    assert "not significantly" in again.auc.reading  # at this level p is too large


def test_it_is_the_adjusted_pvalue_that_decides():
    for seed in range(40):
        found = compare(
            one_dataset({"a": 1.0, "b": 0.6, "c": 0.8}, n=150, seed=seed), n_resamples=100, method="vertical"
        )
        own = next((pair.auc for pair in found if pair.auc.pvalue <= 0.05 < pair.auc.adjusted_pvalue), None)
        if own is not None:
            break
    assert own is not None
    assert "is not significantly better than" in own.reading


def test_tests_that_disagree_are_said_to():
    own = compare(hosts(TWO), method="vertical").auc
    doubtful = replace(own, pvalue=0.06, adjusted_pvalue=0.06, flip_pvalue=0.02)
    assert "The two tests disagree: t test p = 0.060, sign-flip test p = 0.020." in doubtful.reading
    assert "not significantly" in replace(doubtful, flip_pvalue=0.07).reading


def test_ranks_say_which_model_is_higher():
    old_first, new_first = (
        compare(hosts(TWO), *names, method="vertical") for names in (("old", "new"), ("new", "old"))
    )
    said = [sentence for sentence in old_first.reading.split(". ") if sentence.startswith("Signed-rank")]
    assert said[0].startswith("Signed-rank test of the hosts' AUCs: that of new is typically 0.")
    assert said[0] in new_first.reading


def test_signs_of_folds_are_not_flipped():
    plain, shared = (
        compare(hosts({"old": 1.0, "new": 0.8}), test_train_ratio=r, method="vertical").auc
        for r in (None, 0.1)
    )
    assert np.isnan(shared.flip_pvalue)
    assert not np.isnan(plain.flip_pvalue)
    assert "corrected for shared training cases" in shared.reading
    assert "flip" not in shared.reading
    assert "correct" not in plain.reading


@pytest.mark.filterwarnings("ignore:RS279")
def test_the_correlation_of_aucs_is_that_of_delong():
    scores = noisy(TWO, n=200)
    labels = np.tile([0, 1], 100)
    covariance = rs.compare_auc(labels, scores["old"], scores["new"]).covariance
    wanted = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert compare(
        rs.ScoreSet.from_arrays(labels, scores), method="vertical"
    ).auc_correlation == pytest.approx(wanted, rel=1e-9)
    assert np.isnan(compare(hosts(TWO), method="vertical").auc_correlation)
    assert np.isnan(compare(hosts(TWO), random="cases", paired=False, method="vertical").auc_correlation)


@pytest.mark.filterwarnings("ignore:RS151")  # three small groups may be separated
@settings(max_examples=10)
@given(seed=st.integers(0, 1000), method=st.sampled_from(["vertical", "horizontal", "threshold", "pooled"]))
@pytest.mark.filterwarnings("ignore:RS270")
@pytest.mark.parametrize("n_groups", [1, 3])
def test_negated_scores_that_are_low_for_positives_change_nothing(n_groups, seed, method):
    labels, groups = np.tile([0, 1], 30), np.repeat(np.arange(n_groups), 60 // n_groups)
    scores = {name: np.round(own, 1) for name, own in noisy(TWO, n=60, seed=seed).items()}
    how = {"at": {"fpr": 0.2}, "random": "cases", "method": method, "n_resamples": 20}
    high = compare(rs.ScoreSet.from_arrays(labels, scores, groups), **how)
    negated = {name: -own for name, own in scores.items()}
    low = compare(rs.ScoreSet.from_arrays(labels, negated, groups, higher_is_positive=False), **how)
    for first, second in zip(high.differences, low.differences, strict=True):
        assert first.standard_error == second.standard_error
    np.testing.assert_array_equal(high.curve.standard_error, low.curve.standard_error)
    assert high.curve.pvalue == low.curve.pvalue


@pytest.mark.parametrize("method", ["diagonal", rs.AtAngle(0.5), "vertical"])
def test_a_rate_of_alerts_needs_a_prevalence(method):
    with pytest.raises(UsageError, match="RS084") as caught:
        compare(hosts(TWO), method=method, at={"rate": 0.5})
    assert "prevalence" in str(caught.value)


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_one_threshold_calls_a_share_of_these_cases(method):
    given = hosts(TWO)
    (found,) = compare(given, method=method, at={"alerts": 0.4}).at
    for name, value, limits in (
        (found.a, found.a_value, found.a_interval),
        (found.b, found.b_value, found.b_interval),
    ):
        own = rs.average(given.model(name), method).at(alerts=0.4)
        assert value == own.tpr
        assert (limits.low, limits.high) == pytest.approx(
            (own.tpr_interval.low, own.tpr_interval.high), abs=1e-12
        )


def test_a_rate_of_alerts_is_said_with_its_prevalence():
    own = compare(hosts(TWO), method=rs.AtAlarmRate(prevalence=0.03), at={"rate": 0.1}).at[0]
    assert own.held.endswith("at a prevalence of 3 %")


@pytest.mark.parametrize("at", [{"threshold": 10**400}, {"threshold": {"old": 10**400, "new": 1}}])
def test_a_threshold_that_no_float_holds_is_refused(at):
    with pytest.raises(UsageError, match="RS042"):
        compare(hosts(TWO), at=at, method="vertical")


def test_a_deployment_brings_its_operating_point():
    own = rs.Deployment("own", hold="fpr", at=0.05)
    shared = rs.Deployment("shared", at={"fpr": 0.05})
    alerts = rs.Deployment("own", hold="alerts", at=0.1, prevalence=0.2)
    for deployment, quantity in (
        (own, "TPR at FPR 5 %"),
        (shared, "TPR at FPR 5 %"),
        (rs.Deployment("shared", at=0.5), "FPR at threshold 0.5"),
        (alerts, "TPR at alert rate 10 %"),
    ):
        found = compare(hosts(TWO), method=deployment, n_resamples=200)
        assert found.at[0].quantity == quantity
        assert found.method == deployment.method
    assert compare(hosts(TWO), method=own, at={"tpr": 0.9}).at[0].quantity == "FPR at TPR 90 %"
    assert compare(hosts(TWO), method=rs.Deployment("own", hold="balance")).at == ()


def test_bands_of_few_cases_take_the_larger_deviations():
    rng = np.random.default_rng(0)
    drawn, small = rng.normal(size=(500, 50)), np.full(500, 0.1)
    few, many = (
        judged(np.zeros(50), drawn, small, 0.95, fewest_cases=n).factor for n in (FEW_CASES - 1, FEW_CASES)
    )
    assert many == 0.1
    assert few > 2.5


@pytest.mark.parametrize(("at", "nearest"), [({"fpr": 0.01}, "'fpr': 0.04"), ({"tpr": 0.99}, "'tpr': 0.96")])
def test_a_budget_that_hardly_a_case_reaches_is_warned_of(at, nearest):
    with pytest.warns(RocsteadyWarning, match="RS280") as caught:
        compare(one_dataset(TWO), at=at, n_resamples=100, method="vertical")
    assert f"at={{{nearest}}}" in str(caught[0].message)
    compare(
        one_dataset(TWO), at=[{"fpr": 0.04}, {"tpr": 0.96}], n_resamples=100, method="vertical"
    )  # warnings are errors here
    compare(hosts(TWO), at={"fpr": 0.01}, method="vertical")  # random are the groups
    compare(hosts(TWO), at={"fpr": 0.01}, random="cases", method="pooled", n_resamples=100)  # 240 negatives


def test_under_a_shared_threshold_the_leader_is_that_of_the_shared_curve():
    """The candidate leads host by host, and not under one threshold for all: the sentence must not mix them."""
    scores = rs.ScoreSet.from_frame(
        simulated_hosts(),
        label="label",
        score="score",
        group="host",
        model="model",
        case="event",
        positive="attack",
    )
    own = rs.compare(scores, method="vertical", undefined="drop", n_resamples=200)
    shared = rs.compare(scores, method="threshold", undefined="drop", n_resamples=200)
    assert of_leader([own]).plain().startswith("candidate has the best mean AUC, 0.946")
    assert of_leader([shared]).plain().startswith("current has the best AUC of the average curve, 0.920")


@pytest.mark.parametrize("unit", ["difference", "old AUC"])
def test_a_unit_called_like_another_column_is_a_group(unit) -> None:
    found = GroupDifferences(unit, "new", "old", ("x",), np.array([0.75]), np.array([0.5]))
    assert list(found.to_frame()) == ["group", "new AUC", "old AUC", "difference"]
