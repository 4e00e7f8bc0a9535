"""Thresholds tried on other rows: what chance does to them, what is said about it, and what is refused."""

from __future__ import annotations

import importlib.util
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import binom

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.errors import RocsteadyWarning
from rocsteady.points.criteria import MinimumCost, TargetRate
from rocsteady.points.realised import (
    expected_rate,
    realise,
    vertices_to_set,
)
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.groups import mean_share_interval, spread_over_groups

SCRIPT = Path(__file__).parents[2] / "simulations" / "realised.py"
POPULATION = ShiftedDatasets("C-1", separation=2.0)
SHIFTED = ShiftedDatasets("C-2a", separation=3.0)


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("realised_simulation", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def hosts():
    return POPULATION.draw(30, 60, 120, seed=2, unit="host")


# What chance does


@pytest.mark.parametrize("fpr", [0.02, 0.1, 0.25])
def test_a_kept_fpr_becomes_k_plus_1_of_n_plus_1_where_positives_fill_the_gaps(fpr):
    """40 negatives, 30 positives in every gap: half of them still fill it."""
    negatives = np.arange(40.0)
    positives = (np.arange(-1, 40)[:, None] + np.linspace(0.1, 0.9, 30)).ravel()
    labels = np.repeat([0, 1], [negatives.size, positives.size])
    one = rs.ScoreSet.from_folds([(labels, np.append(negatives, positives))], design="independent")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS256")
        found = realise(one, TargetRate(fpr=fpr), n_repeats=4000)
    k = int(20 * fpr)
    assert found.exchangeable_rate == pytest.approx((k + 1) / 21, abs=1e-15)
    error = found.fpr._per_trial.std() / np.sqrt(4000)
    assert found.fpr.mean == pytest.approx((k + 1) / 21, abs=5 * error)


@pytest.mark.parametrize("tpr", [0.1, 0.5, 0.85, 0.9])
def test_a_kept_tpr_becomes_k_of_m_plus_1(tpr):
    scores = np.random.default_rng(1).normal(size=60)
    one = rs.ScoreSet.from_folds([(np.repeat([1, 0], [40, 20]), scores)], design="independent")
    found = realise(one, TargetRate(tpr=tpr), n_repeats=4000)
    k = int(np.ceil(20 * tpr))
    assert found.exchangeable_rate == pytest.approx(k / 21, abs=1e-15)
    error = found.tpr._per_trial.std() / np.sqrt(4000)
    assert found.tpr.mean == pytest.approx(k / 21, abs=5 * error)


@pytest.mark.parametrize("fpr", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("at", [[0.99], [0.1], [0.01, 0.05, 0.08, 0.2, 0.5], np.linspace(0.02, 0.98, 25)])
def test_few_positives_keep_the_fpr_lower_as_the_sum_says(simulation, at, fpr):
    """Positives at given FPRs, 30 uniform negatives: the expected FPR of the threshold that is set."""
    rng, n, replicates, at = np.random.default_rng(3), 30, 5_000, np.array(at)
    scores = np.concatenate([np.tile(1 - at, (replicates, 1)), rng.random((replicates, n))], axis=1)
    order = np.argsort(-scores, axis=1)
    positives = np.cumsum(order < at.size, axis=1)
    edge = np.zeros((replicates, 1), dtype=np.int64)
    tp = np.append(edge, positives, axis=1)
    fp = np.append(edge, np.arange(1, n + at.size + 1) - positives, axis=1)
    best = vertices_to_set(TargetRate(fpr=fpr), tp, fp)
    ranked = np.append(np.ones((replicates, 1)), np.take_along_axis(scores, order, axis=1), axis=1)
    found = 1 - ranked[np.arange(replicates), best]
    expected, k = simulation.expected_fpr(at, n, fpr), int(n * fpr + 1e-9)
    assert found.mean() == pytest.approx(expected, abs=4.5 * found.std() / np.sqrt(replicates) + 1e-12)
    assert k / (n + 1) <= expected <= expected_rate(TargetRate(fpr=fpr), np.array([n]))[0]
    dense = simulation.expected_fpr(np.linspace(0, 1, 100_001), n, fpr)
    assert dense == pytest.approx((k + 1) / (n + 1), abs=1e-4)


def test_a_budget_is_not_thrown_away_where_there_are_few_positives(simulation):
    """1000 negatives and 4 positives: 5 of 500 may be false alarms, and the threshold lets them be."""
    drawn = simulation.draw("none", 150, np.random.default_rng(11), sizes=(4, 1000))
    own = realise(drawn, simulation.BUDGET)
    assert own.promise.fpr == own.promise_on_part.fpr == 0.01
    assert 5 / 501 - 0.0003 < own.fpr.mean < 6 / 501
    assert own.tpr.mean > own.promise.tpr - 0.05
    assert np.isfinite(own.thresholds).all()


def test_a_needed_tpr_is_reached_by_the_strictest_threshold():
    """8 of 10 positives, set on all rows: the score of the eighth, though the ninth costs nothing more."""
    scores = np.array([20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8], dtype=float)
    labels = [1] * 10 + [0] * 3
    one = rs.ScoreSet.from_folds([(labels, scores)], design="independent")
    assert realise(one, TargetRate(tpr=0.8)).promise.tpr == 0.8
    assert realise(one, TargetRate(fpr=0.0)).promise.tpr == 1.0


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("n", [1, 3, 10, 30, 70])
def test_counts_that_keep_a_rate_are_rounded_as_rates_are(rate, n):
    kept = max(k for k in range(n + 1) if k / n <= rate)
    needed = min(k for k in range(n + 1) if k / n >= rate)
    sizes = np.array([n])
    assert expected_rate(TargetRate(fpr=rate), sizes)[0] == min((kept + 1) / (n + 1), 1.0)
    assert expected_rate(TargetRate(tpr=rate), sizes)[0] == needed / (n + 1)


# Spread


def test_the_scatter_of_test_rows_is_told_from_differences_between_groups():
    rng = np.random.default_rng(4)
    n, n_groups = 5, 20_000  # few, so that a divisor of n instead of n - 1 would be seen
    truth = rng.beta(2, 18, size=(n_groups, 1))
    seen = rng.binomial(n, np.tile(truth, (1, 6))) / n
    whole, of_rows, between = spread_over_groups(seen, np.full(seen.shape, float(n)))
    sd = np.sqrt(0.1 * 0.9 / 21)
    assert between == pytest.approx(sd, rel=0.05)
    assert of_rows == pytest.approx(np.sqrt((0.09 - sd**2) / n), rel=0.02)
    assert whole**2 == pytest.approx(of_rows**2 + between**2)


def test_groups_alike_have_no_spread_between_them():
    rng = np.random.default_rng(5)
    seen = rng.binomial(50, 0.1, size=(200, 1)) / 50
    assert spread_over_groups(seen, np.full(seen.shape, 50.0))[2] < 0.015
    same = np.full((5, 4), 0.2)
    assert spread_over_groups(same, np.full(same.shape, 10.0))[2] == 0.0
    assert np.isnan(spread_over_groups(seen[:1], np.full((1, 1), 50.0))).all()


# The budget of the issue, and coverage, in short


def test_a_budget_of_one_per_cent_is_overrun_although_the_curve_promises_it(simulation):
    """200 negatives per group: 1.7 % attained with own thresholds where the curves promise 1 %."""
    drawn = simulation.draw("N(0, 1)", 400, np.random.default_rng(6))
    own = realise(drawn, simulation.BUDGET, n_repeats=5)
    assert own.promise.fpr == 0.01
    assert own.fpr.interval.low > 0.016
    assert own.fpr.interval.high < own.exchangeable_rate
    assert own.exchangeable_rate == pytest.approx(2 / 101)
    assert own.exchangeable_rate_all_rows == pytest.approx(3 / 201)
    assert own.share_over_budget == pytest.approx(0.446, abs=0.02)
    with pytest.warns(RocsteadyWarning, match="RS258"):
        shared = realise(drawn, simulation.BUDGET, threshold="shared", n_repeats=2)
    assert shared.fpr.mean == pytest.approx(0.01, abs=0.0015)
    assert shared.tpr.mean == pytest.approx(SHIFTED.threshold_tpr(0.01), abs=0.06)
    assert shared.tpr.mean < own.tpr.mean - 0.25


@pytest.mark.parametrize("n_groups", [5, 20])
def test_intervals_of_own_thresholds_cover(simulation, n_groups):
    replicates = 4000 // n_groups
    shares = simulation.own_coverage("none", n_groups, replicates, seed=7, n_repeats=2)
    error = np.sqrt(0.05 * 0.95 / replicates)
    assert shares["fpr"] == pytest.approx(0.95, abs=4 * error)
    assert shares["tpr"] == pytest.approx(0.95, abs=4 * error)
    assert shares["share over"] > 0.95 - 4 * error


@pytest.mark.parametrize("n_groups", [5, 20])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.5])
def test_the_interval_of_a_share_covers_where_groups_are_all_or_nothing(n_groups, share):
    """Every group keeps the budget always or never: the share is a binomial proportion."""
    held = [
        (found := mean_share_interval(np.repeat([1.0, 0.0], [k, n_groups - k]), 0.95)).low
        <= share
        <= found.high
        for k in range(n_groups + 1)
    ]
    assert binom.pmf(np.arange(n_groups + 1), n_groups, share) @ held > 0.93


def test_the_interval_of_a_share_has_a_width_where_groups_agree():
    for same in (0.0, 0.5, 1.0):
        found = mean_share_interval(np.full(10, same), 0.95)
        assert found.low <= same <= found.high
        assert 0.1 < found.high - found.low < 0.5
    exact = [betaincinv(2, 2.5, 0.025), betaincinv(2.5, 2, 0.975)]
    found = mean_share_interval(np.array([0.0, 1.0, 0.0, 1.0]), 0.95)
    assert [found.low, found.high] == pytest.approx(exact, abs=0.01)
    wide, narrow = (mean_share_interval(np.tile([0.2, 0.6], 10), level) for level in (0.99, 0.8))
    assert wide.low < narrow.low < 0.4 < narrow.high < wide.high


@pytest.mark.parametrize("split", ["rows", "groups"])
def test_intervals_of_shared_thresholds_cover(simulation, split):
    shares = simulation.shared_coverage("none", split, 10, 300, seed=8, n_repeats=2)
    error = np.sqrt(0.05 * 0.95 / 300)
    assert min(shares.values()) > 0.95 - 4 * error


# Results


def test_the_table_has_a_row_for_each_group(hosts):
    found = realise(hosts, TargetRate(fpr=0.05))
    frame = found.to_frame()
    assert frame["host"].tolist() == list(hosts.names)
    assert frame["attained_fpr"].mean() == pytest.approx(found.fpr.mean)
    assert frame["promised_tpr"].mean() == pytest.approx(found.promise_on_part.tpr)
    assert frame["share_over_budget"].mean() == pytest.approx(found.share_over_budget)
    assert (frame["threshold_min"] <= frame["threshold_mean"]).all()
    assert (frame["threshold_mean"] <= frame["threshold_max"]).all()
    assert (frame["promised_fpr"] <= 0.05).all()


def test_the_reading_says_what_was_set_what_came_and_what_is_random(hosts):
    found = realise(hosts, TargetRate(fpr=0.05))
    for said in ("on half of its rows, 14 random splits", "miss the target", "random sample of hosts"):
        assert said in found.reading
    shared = realise(hosts, TargetRate(tpr=0.9), threshold="shared", split="groups", n_parts=5).reading
    assert "on 4 of 5 parts of the hosts" in shared
    assert "exclude the variability of choosing one threshold" in shared
    cost = realise(hosts, MinimumCost(false_positive=1, false_negative=5), weigh="rows").reading
    assert "a cost of " in cost
    assert "do worse there" in cost


def test_results_are_plain_data_and_one_line(hosts):
    found = realise(hosts, "youden")
    assert "\n" not in repr(found)
    assert json.loads(json.dumps(found.to_dict()))["fpr"]["mean"] == found.fpr.mean
    assert found.to_dict()["target"] == "youden"
    assert found.quantile(0.0) <= found.quantile(0.5) <= found.quantile(1.0, "fpr")
    with pytest.raises(TypeError, match="by name"):
        iter(found)


@pytest.mark.parametrize("options", [{}, {"threshold": "shared"}, {"threshold": "shared", "split": "groups"}])
def test_arrays_of_a_result_do_not_change(hosts, options):
    found = realise(hosts, "youden", n_repeats=2, **options)
    arrays = [found.thresholds, found.n_positives, found.n_negatives]
    arrays += [getattr(found, rate).per_group for rate in ("fpr", "tpr", "value")]
    arrays += [getattr(found, rate).weights for rate in ("fpr", "tpr", "value")]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_only_a_target_has_a_budget_to_be_over(hosts):
    assert "% over budget)" in repr(realise(hosts, TargetRate(tpr=0.9), n_repeats=1))
    for criterion in ("youden", MinimumCost(false_positive=1, false_negative=5)):
        assert "% worse than promised)" in repr(realise(hosts, criterion, n_repeats=1))


def test_groups_that_agree_have_no_limits_in_words():
    apart = rs.ScoreSet.from_folds([([0] * 6 + [1] * 6, range(12))] * 4, design="independent")
    found = realise(apart, TargetRate(tpr=0.5))
    assert found.fpr.interval.low == found.fpr.interval.high == 0
    assert "to 0 %" not in found.reading


def test_the_same_seed_gives_the_same_result_and_another_does_not(hosts):
    first, again, other = (realise(hosts, "youden", seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.thresholds, again.thresholds)
    assert (first.thresholds != other.thresholds).any()


def test_more_parts_set_on_more_rows_and_promise_less(hosts):
    halves, tenths = (realise(hosts, "youden", n_parts=n) for n in (2, 10))
    assert tenths.promise_on_part.value < halves.promise_on_part.value
    assert tenths.promise_on_part.value > halves.promise.value - 0.02
    assert tenths.value.mean < tenths.promise_on_part.value


def test_youden_and_cost_are_over_budget_where_they_do_worse_than_promised(hosts):
    for criterion, sign in (("youden", -1), (MinimumCost(false_positive=1, false_negative=3), 1)):
        found = realise(hosts, criterion, n_repeats=2)
        worse = sign * (found.value._per_trial - found._tried.promised_value) > 1e-9
        assert found.share_over_budget == pytest.approx(worse.mean())


def test_a_single_group_has_rates_and_no_interval():
    found = realise(POPULATION.draw(1, 30, 60, seed=1), TargetRate(fpr=0.1))
    assert 0 < found.fpr.mean < 0.3
    assert np.isnan([found.fpr.interval.low, found.fpr.sd, found.share_over_budget_interval.high]).all()
    assert "are unknown" in found.reading


def test_weighing_rows_gives_large_groups_their_share():
    sizes = (10, 90)
    rng = np.random.default_rng(9)
    pairs = [(np.arange(2 * n) < n, rng.normal(size=2 * n) + 2 * (np.arange(2 * n) < n)) for n in sizes]
    both = rs.ScoreSet.from_folds(pairs, design="independent")
    found = realise(both, "youden", weigh="rows")
    assert found.fpr.mean == pytest.approx(found.fpr.per_group @ [0.1, 0.9])
    assert realise(both, "youden").fpr.mean == pytest.approx(found.fpr.per_group.mean())


@pytest.mark.parametrize(
    ("n_groups", "options", "n_repeats"),
    [
        (1, {}, 400),
        (7, {}, 58),
        (40, {}, 10),
        (60, {}, 10),
        (7, {"n_repeats": 3}, 3),
        (7, {"threshold": "shared", "split": "groups"}, 58),
        (7, {"threshold": "shared", "split": "groups", "n_parts": 7}, 1),
    ],
)
def test_few_groups_are_dealt_more_often(n_groups, options, n_repeats):
    found = realise(POPULATION.draw(n_groups, 10, 10, seed=1), "youden", **options)
    assert found.n_repeats == n_repeats
    assert found.thresholds.shape[1] == n_repeats * (1 if "split" in options else 2)


def test_very_many_rows_are_not_dealt_hundreds_of_times(monkeypatch):
    monkeypatch.setattr("rocsteady.points.realised._MOST_CELLS", 20 * 25)
    one, another = (POPULATION.draw(1, n, n, seed=1) for n in (10, 100))
    assert realise(one, "youden").n_repeats == 25
    assert realise(another, "youden").n_repeats == 10


def test_the_name_of_a_group_hardly_matters():
    rng = np.random.default_rng(8)
    labels = np.arange(113) < 41
    scores = rng.normal(size=113) + labels
    tpr = [
        realise(
            rs.ScoreSet.from_folds([(labels, scores)], names=[name], design="independent"), "youden"
        ).tpr.mean
        for name in "abcdefgh"
    ]
    assert np.ptp(tpr) < 0.02


# What is left out, warned of and refused


def small_sets(n_positives, n_negatives):
    rng = np.random.default_rng(1)
    pairs = []
    for p, n in zip(n_positives, n_negatives, strict=True):
        pairs.append((np.repeat([1, 0], [p, n]), rng.normal(size=p + n)))
    return rs.ScoreSet.from_folds(
        pairs, names=[f"host {i}" for i in range(len(pairs))], unit="host", design="independent"
    )


def test_groups_too_small_are_named_and_left_out():
    given = small_sets([5, 1, 5, 2], [5, 5, 1, 2])
    with pytest.warns(RocsteadyWarning) as seen:
        found = realise(given, "youden")
    assert [w.message.code for w in seen] == ["RS255"]
    assert found.groups == ("host 0", "host 3")
    assert found.undefined == (
        "host 1: 1 positive, too few to split",
        "host 2: 1 negative, too few to split",
    )
    held_out = realise(given, "youden", threshold="shared", split="groups")
    assert held_out.groups == given.names


def test_groups_of_one_class_raise_unless_dropped():
    given = small_sets([5, 0, 4], [5, 5, 6])
    with pytest.raises(rs.RocsteadyError) as refused:
        realise(given, "youden")
    assert refused.value.code == "RS036"
    assert realise(given, "youden", undefined="drop").undefined == ("host 1: no positives",)


@pytest.mark.parametrize(
    ("given", "options", "code"),
    [
        (small_sets([1, 1], [5, 5]), {}, "RS079"),
        (small_sets([3, 3], [5, 5]), {"n_parts": 4}, "RS079"),
        (small_sets([3], [5]), {"threshold": "shared", "split": "groups"}, "RS079"),
        (small_sets([3, 3], [5, 5]), {"threshold": "shared", "split": "groups", "n_parts": 3}, "RS079"),
        (small_sets([3, 3], [5, 5]), {"split": "groups"}, "RS002"),
        (small_sets([3, 3], [5, 5]), {"threshold": "common"}, "RS001"),
        (small_sets([3, 3], [5, 5]), {"weigh": "positives"}, "RS001"),
        (small_sets([3, 3], [5, 5]), {"n_parts": 1}, "RS042"),
        (small_sets([3, 3], [5, 5]), {"n_repeats": 0}, "RS042"),
        (small_sets([3, 3], [5, 5]), {"seed": -1}, "RS042"),
        (small_sets([3, 3], [5, 5]), {"confidence_level": 95}, "RS042"),
        (small_sets([3, 3], [5, 5]), {"undefined": "keep"}, "RS001"),
        (rs.roc_curves(small_sets([3, 3], [5, 5])), {}, "RS002"),
        ("scores.csv", {}, "RS002"),
    ],
)
def test_what_cannot_be_tried_is_refused(given, options, code):
    with pytest.raises(rs.RocsteadyError) as refused:
        realise(given, "youden", **options)
    assert refused.value.code == code


@pytest.mark.parametrize("given", [None, [], 3, "scores.csv", {"y": [1]}, [([1, 0], [2, 1])]])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: realise(x, "youden"), "realise("),
        (rs.average_operating_points, "average_operating_points("),
    ],
)
def test_the_function_that_was_called_is_the_one_to_call(call, name, given):
    with pytest.raises(rs.RocsteadyError) as refused:
        call(given)
    assert refused.value.code in ("RS002", "RS082")
    assert "an average is" not in str(refused.value)
    assert "average(" not in str(refused.value)
    assert name in str(refused.value) or "from_frame" in str(refused.value)


def test_several_models_are_refused():
    labels = np.tile([1, 0], 6)
    both = rs.ScoreSet.from_arrays(labels, {"x": np.arange(12.0), "y": np.arange(12.0) ** 2}, ["a"] * 12)
    with pytest.raises(rs.RocsteadyError) as refused:
        realise(both, "youden")
    assert refused.value.code == "RS044"
    assert "realise is about one" in str(refused.value)


@pytest.mark.parametrize(
    ("target", "is_coarse"),
    [
        (TargetRate(fpr=0.05), True),
        (TargetRate(fpr=0.1), False),
        (TargetRate(fpr=0.0), False),
        (TargetRate(tpr=0.95), True),
        (TargetRate(tpr=0.9), False),
        (TargetRate(tpr=1.0), False),
        ("youden", False),
    ],
)
def test_a_target_finer_than_the_rows_is_warned_of(target, is_coarse):
    """20 of each class, so 10 to set a threshold on."""
    given = small_sets([20, 20], [20, 20])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        realise(given, target)
    assert [w.message.code for w in seen] == (["RS256"] if is_coarse else [])
    assert all(w.filename == __file__ for w in seen)


@pytest.mark.filterwarnings("ignore:RS104")
def test_several_rows_of_one_case_are_warned_of():
    labels, scores = np.tile([1, 0], 10), np.arange(20.0)
    twice = rs.ScoreSet.from_arrays(labels, scores, ["a"] * 20, cases=np.tile(np.arange(10), 2))
    with pytest.warns(RocsteadyWarning, match="RS257"):
        realise(twice, "youden")


def test_a_patient_whom_several_readers_judge_is_on_one_side():
    """Ten patients, three readers who agree: a shared threshold set on a patient is not tried on him."""
    labels, patients = np.tile(np.arange(10) < 5, 3), np.tile(np.arange(10), 3)
    scores = np.tile(np.random.default_rng(2).permutation(10), 3)
    readers = np.repeat(["x", "y", "z"], 10)
    drawn = rs.ScoreSet.from_arrays(labels, scores, readers, cases=patients, unit="reader")
    found = realise(drawn, "youden", threshold="shared")
    assert found.by_case
    assert (found.tpr._per_trial == found.tpr._per_trial[0]).all()
    assert "on half of the cases that readers share, 134 random splits" in found.reading
    own = realise(drawn, "youden")
    assert not own.by_case
    held_out = realise(drawn, "youden", threshold="shared", split="groups", n_parts=3)
    assert not held_out.by_case


@pytest.mark.filterwarnings("ignore:RS104")
def test_cases_that_cannot_be_dealt_as_wholes_are_said():
    """A reader whose positives are two rows of one patient would lack positives in one half."""
    labels = [1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    patients = list("aadefabcdef")
    drawn = rs.ScoreSet.from_arrays(labels, np.arange(11.0), ["x"] * 5 + ["y"] * 6, cases=patients)
    with pytest.warns(RocsteadyWarning) as seen:
        found = realise(drawn, "youden", threshold="shared")
    assert [w.message.code for w in seen] == ["RS259", "RS257"]
    assert all(w.filename == __file__ for w in seen)
    assert not found.by_case


def test_infinite_scores_and_ties_are_legal():
    labels = np.tile([1, 0], 8)
    scores = np.repeat([np.inf, 1.0, 1.0, -np.inf], 4)
    found = realise(rs.ScoreSet.from_folds([(labels, scores)] * 2, design="independent"), TargetRate(fpr=0.5))
    assert np.isfinite(found.fpr.mean)
    assert set(np.unique(found.thresholds)) <= {np.inf, 1.0, -np.inf}
