"""Points of averages: their intervals, their words, and what a single group or alike curves give."""

import json
import math
import warnings

import numpy as np
import pytest
from scipy.special import logit
from scipy.stats import t

import rocsteady as rs

METHODS = ("vertical", "horizontal", "diagonal", rs.AtAngle(0.3), "threshold", "pooled")


@pytest.fixture(scope="module")
def hosts():
    """Eight hosts of unequal sizes, with words for classes and groups."""
    rng = np.random.default_rng(3)
    groups = np.repeat([f"host-{i}" for i in range(8)], 40 + 10 * np.arange(8))
    attack = rng.random(groups.size) < 0.4
    scores = rng.normal(size=groups.size) + 1.5 * attack
    labels = np.where(attack, "attack", "normal")
    return rs.ScoreSet.from_arrays(labels, scores, groups, positive="attack", unit="host")


@pytest.fixture
def single():
    return rs.ScoreSet.from_folds([([1, 0, 1, 0, 1], [5, 4, 3, 2, 1])], design="independent")


# What is held fixed has no interval, what is free has one


def test_held_and_free_rates(hosts):
    vertical, horizontal = rs.average(hosts, "vertical"), rs.average(hosts, "horizontal")
    point = vertical.at(fpr=0.1)
    assert point.fpr == 0.1
    assert point.fpr_interval is None
    assert point.tpr_interval.low < point.tpr < point.tpr_interval.high
    assert point.threshold is None
    point = horizontal.at(tpr=0.8)
    assert (point.tpr, point.tpr_interval) == (0.8, None)
    assert point.fpr_interval.low < point.fpr < point.fpr_interval.high
    both = rs.average(hosts, "threshold").at(threshold=1.0)
    assert both.threshold == 1.0
    assert both.fpr_interval.low < both.fpr < both.fpr_interval.high
    assert both.tpr_interval.low < both.tpr < both.tpr_interval.high


@pytest.mark.parametrize("confidence_level", [0.5, 0.95, 0.999])
def test_t_intervals_are_those_of_the_groups_own_values(hosts, confidence_level):
    average, curves = rs.average(hosts, "vertical"), rs.roc_curves(hosts)
    values = np.array([curve.tpr_at(0.1) for curve in curves])
    half = t.ppf((1 + confidence_level) / 2, 7) * values.std(ddof=1) / math.sqrt(8)
    interval = average.at(fpr=0.1, confidence_level=confidence_level, scale="linear").tpr_interval
    assert interval.low == pytest.approx(values.mean() - half, abs=1e-13)
    assert interval.high == pytest.approx(values.mean() + half, abs=1e-13)
    assert interval.confidence_level == confidence_level
    assert interval.method == "t"


@pytest.mark.parametrize("confidence_level", [0.5, 0.95, 0.999])
def test_limits_are_made_for_the_logit_of_the_mean(hosts, confidence_level):
    """Of the mean, by the delta method: not the mean of logits."""
    values = np.array([curve.tpr_at(0.1) for curve in rs.roc_curves(hosts)])
    mean, q = values.mean(), t.ppf((1 + confidence_level) / 2, 7)
    half = q * values.std(ddof=1) / math.sqrt(8) / (mean * (1 - mean))
    interval = rs.average(hosts, "vertical").at(fpr=0.1, confidence_level=confidence_level).tpr_interval
    np.testing.assert_allclose(
        [logit(interval.low), logit(interval.high)], logit(mean) + half * np.array([-1, 1])
    )
    assert interval.method == "logit t"


def test_intervals_of_a_horizontal_average_are_of_the_false_positive_rate(hosts):
    values = np.array([curve.fpr_at(0.8) for curve in rs.roc_curves(hosts)])
    half = t.ppf(0.975, 7) * values.std(ddof=1) / math.sqrt(8)
    interval = rs.average(hosts, "horizontal").at(tpr=0.8, scale="linear").fpr_interval
    assert interval.low == pytest.approx(values.mean() - half, abs=1e-13)
    assert interval.high == pytest.approx(values.mean() + half, abs=1e-13)


def test_intervals_along_an_oblique_direction_have_both_rates(hosts):
    """At a share called positive the two rates move together, along the direction."""
    for method, prevalence in ((rs.AtAlarmRate(prevalence=0.2), 0.2), ("diagonal", 0.5)):
        average = rs.average(hosts, method)
        point = average.at(rate=0.3)
        assert (1 - prevalence) * point.fpr + prevalence * point.tpr == pytest.approx(0.3, abs=1e-14)
        for corner in (
            (point.fpr_interval.high, point.tpr_interval.low),
            (point.fpr_interval.low, point.tpr_interval.high),
        ):
            assert (1 - prevalence) * corner[0] + prevalence * corner[1] == pytest.approx(0.3, abs=1e-14)
        place = average.at_position(0.3 * (math.cos(average.angle) + math.sin(average.angle)))
        assert place.tpr == pytest.approx(point.tpr, abs=1e-14)
        half = t.ppf(0.975, 7) * place.standard_error * math.cos(average.angle)
        assert point.tpr_interval.high - point.tpr == pytest.approx(half, abs=1e-13)


def test_the_angle_of_costs_makes_the_value_the_expected_cost(hosts):
    """Errata H3: cost = K (cos - value), whatever the position."""
    costs = rs.AtCosts(false_positive=2, false_negative=30, prevalence=0.1)
    average = rs.average(hosts, costs)
    of_misses, of_alarms = 0.1 * 30, 0.9 * 2
    assert average.angle == pytest.approx(math.atan(of_alarms / of_misses), abs=1e-15)
    k = math.hypot(of_misses, of_alarms)
    place = average.at_position(np.linspace(0.1, 1.2, 7))
    cost = of_misses * (1 - place.tpr) + of_alarms * place.fpr
    np.testing.assert_allclose(k * (math.cos(average.angle) - place.value), cost, atol=1e-13)
    np.testing.assert_allclose(
        average.expected_cost(), of_misses * (1 - average.tpr) + of_alarms * average.fpr, atol=1e-13
    )
    own = [np.min(of_misses * (1 - c.tpr) + of_alarms * c.fpr) for c in rs.roc_curves(hosts)]
    least = average.minimum_cost(false_positive=2, false_negative=30, prevalence=0.1)
    assert least == average.expected_cost().min()
    assert least > np.mean(own)  # tuned groups do better than this average says


def test_weighted_intervals(hosts):
    """Unequal weights: the standard error that belongs to them, and fewer degrees of freedom."""
    weights = np.arange(1, 9.0)
    average = rs.average(hosts, "vertical", group_weights=weights)
    values = np.array([curve.tpr_at(0.1) for curve in rs.roc_curves(hosts)])
    w = weights / weights.sum()
    mean, s = w @ values, (w**2).sum()
    place = average.at_position(0.1)
    assert place.value == pytest.approx(mean, abs=1e-14)
    assert place.sd == pytest.approx(math.sqrt(w @ (values - mean) ** 2 / (1 - s)), abs=1e-13)
    raw = (w**2) @ (values - mean) ** 2
    unbiased = s / (w**2 * (1 - 2 * w + s)).sum()  # exact where all groups scatter alike
    assert place.standard_error == pytest.approx(math.sqrt(raw * unbiased), abs=1e-13)
    assert average.effective_groups == pytest.approx(1 / s)
    interval = average.at(fpr=0.1, scale="linear").tpr_interval
    ratio = (interval.high - mean) / place.standard_error
    assert t.ppf(0.975, 7) < ratio < t.ppf(0.975, 3)


def test_arrays_in_arrays_out(hosts):
    average = rs.average(hosts, "vertical")
    at = np.array([[0.1, 0.3], [0.0, 0.2]])
    point = average.at(fpr=at)
    assert point.tpr.shape == point.tpr_interval.low.shape == at.shape
    for i, j in np.ndindex(at.shape):
        alone = average.at(fpr=at[i, j])
        assert alone.tpr == pytest.approx(point.tpr[i, j], abs=1e-15)
        assert alone.tpr_interval.high == pytest.approx(point.tpr_interval.high[i, j], abs=1e-14)
        assert isinstance(alone.tpr, float)
    both = rs.average(hosts, "threshold").at(threshold=at)
    assert both.fpr.shape == both.tpr_interval.low.shape == at.shape
    place = average.at_position(list(at.ravel()))
    np.testing.assert_array_equal(place.value, point.tpr.ravel())
    assert isinstance(average.at_position(0.1).sd, float)
    assert list(place.to_frame().columns) == ["position", "fpr", "tpr", "value", "sd", "standard_error"]


@pytest.mark.parametrize("method", METHODS)
def test_every_average_can_be_read_at_either_rate(hosts, method):
    average = rs.average(hosts, method)
    for name, free, read in (("fpr", "tpr", average.tpr_at), ("tpr", "fpr", average.fpr_at)):
        point = average.at(**{name: 0.4})
        assert getattr(point, name) == 0.4
        assert getattr(point, f"{name}_interval") is None
        assert getattr(point, free) == pytest.approx(read(0.4), abs=1e-12)
        interval = getattr(point, f"{free}_interval")
        assert interval.low <= getattr(point, free) <= interval.high
        assert 0 < interval.high - interval.low < 0.6


@pytest.mark.parametrize("method", ["threshold", "pooled", "diagonal"])
def test_resampled_intervals_are_seeded_and_narrow_with_confidence(hosts, method):
    average, asked = rs.average(hosts, method), {"kind": "simultaneous", "n_resamples": 300}
    one, again, other = (average.band(**asked, seed=seed).upper.tpr for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other, equal_nan=True)
    narrow = average.band(0.5, **asked, seed=1)
    assert np.nanmax(narrow.upper.tpr - narrow.middle.tpr) < np.nanmax(one - narrow.middle.tpr)


@pytest.mark.parametrize("method", ["threshold", "pooled", "diagonal"])
def test_intervals_where_a_threshold_is_set_again_narrow_with_confidence(hosts, method):
    average = rs.average(hosts, method)
    one = average.at(fpr=0.1).tpr_interval
    narrow = average.at(fpr=0.1, confidence_level=0.5).tpr_interval
    assert narrow.high - narrow.low < one.high - one.low


def test_a_shared_threshold_feels_shifts_that_own_thresholds_do_not():
    rng = np.random.default_rng(8)
    groups, labels = np.repeat(np.arange(20), 2000), np.tile([True, False], 20_000)
    scores = rng.normal(size=40_000) + labels + (0.4 * rng.normal(size=20))[groups]
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    own, shared = rs.average(score_set, "vertical").at(fpr=0.3), rs.average(score_set, "threshold")
    assert own.tpr_interval.high - own.tpr_interval.low < 0.02
    point = shared.at(threshold=0.5)
    assert point.fpr_interval.high - point.fpr_interval.low > 0.06
    # Read at a rate the two move together, and what is left is how the curve itself scatters.
    across = shared.at(fpr=0.3).tpr_interval
    assert 0.005 < across.high - across.low < 0.06


# One group, alike groups


@pytest.mark.parametrize("method", [*METHODS, rs.Vertical(at_jumps="mid"), rs.AtAlarmRate(prevalence=0.3)])
def test_a_single_group_has_nan_for_every_spread_and_the_reading_says_why(single, method):
    average = rs.average(single, method)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        points = [average.at(fpr=0.3), average.at(tpr=0.5)]
        if hasattr(average, "rates_at"):
            points.append(average.at(threshold=2.5))
            rates = average.rates_at(2.5)
            spreads = (rates.fpr_sd, rates.tpr_sd, rates.fpr_standard_error, rates.tpr_standard_error)
            assert np.isnan([*spreads, rates.covariance]).all()
        else:
            place = average.at_position(0.3)
            assert np.isnan([place.sd, place.standard_error]).all()
        for point in points:
            for interval in (point.fpr_interval, point.tpr_interval):
                if interval is not None:
                    assert np.isnan([interval.low, interval.high]).all()
            assert "With one fold" in point.reading
            assert "CI" not in point.reading
            assert "nan" not in point.reading
        for kind in ("pointwise", "simultaneous"):
            band = average.band(kind=kind)
            free = "fpr" if method == "horizontal" else "tpr"
            assert np.isnan(getattr(band.lower, free)).all()
            assert np.isnan(getattr(band.upper, free)).all()
            assert "With one fold" in band.reading
    assert average.auc == 0.5
    assert json.dumps(average.at(fpr=0.3).to_dict(), allow_nan=False)


def test_the_ellipse_needs_three_groups(hosts):
    pairs = [(["a", "b", "a", "b"], [4, 3, 2, 1]), (["a", "b", "a", "b"], [4, 2, 3, 1])]
    for n in (1, 2):
        ellipse = rs.average(
            rs.ScoreSet.from_folds(pairs[:n], positive="a", design="independent"), "threshold"
        ).ellipse(2.5)
        assert np.isnan(ellipse.fpr).all()
        assert np.isnan(ellipse.tpr).all()
    assert not np.isnan(rs.average(hosts, "threshold").ellipse(1.0).fpr).any()


def pairs_with(n_alike, n_other):
    """Folds with TPR 0.5 at FPR 0.25, and others with TPR 0.75 or more there, no two alike."""
    alike = ([1, 1, 1, 1, 0, 0, 0, 0], [9, 8, 1.5, 1.2, 7, 6, 5, 4])
    others = [([1] * (i + 9) + [0] * 4, [9.0] * (8 + i) + [1.5] + [7, 6, 5, 4]) for i in range(n_other)]
    return rs.ScoreSet.from_folds([alike] * n_alike + others, design="independent")


@pytest.mark.parametrize(("n_alike", "n_other"), [(2, 0), (3, 0), (3, 2), (6, 5), (20, 3)])
def test_RS210_where_more_than_half_of_the_curves_coincide(n_alike, n_other):
    average = rs.average(pairs_with(n_alike, n_other), "vertical")
    with pytest.warns(UserWarning, match=r"RS210: most folds.*\n.*more than half"):
        average.at(fpr=0.25)


@pytest.mark.parametrize(("n_alike", "n_other"), [(1, 1), (1, 4), (2, 1), (2, 2), (3, 3), (5, 6)])
def test_RS210_is_silent_where_no_more_than_half_coincide(n_alike, n_other):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "RS210")
        rs.average(pairs_with(n_alike, n_other), "vertical").at(fpr=0.25)


def test_RS210_is_silent_at_the_ends_that_all_curves_share(hosts):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        point = rs.average(hosts, "vertical").at(fpr=1)
        assert (point.tpr, point.tpr_interval.low, point.tpr_interval.high) == (1, 1, 1)
        point = rs.average(hosts, "horizontal").at(tpr=0)
        assert (point.fpr, point.fpr_interval.low) == (0, 0)
        rs.average(hosts, "diagonal").at(rate=1)


def test_RS210_fires_for_the_places_asked_for_only():
    average = rs.average(pairs_with(5, 2), "vertical")
    with pytest.warns(UserWarning, match="RS210"):
        average.at(fpr=[0.25, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        average.at(fpr=1.0)


def test_alike_curves_have_a_spread_of_zero_and_not_nan():
    average = rs.average(pairs_with(4, 0), "vertical")
    place = average.at_position(0.25)
    assert (place.sd, place.standard_error) == (0, 0)


# Words


def test_readings_speak_the_reader_s_words(hosts):
    vertical = rs.average(hosts, "vertical")
    assert vertical.unit == "host"
    assert "8 hosts" in vertical.reading
    said = vertical.at(fpr=0.1).reading
    for part in ("each host sets its own threshold to an FPR of 10 %", "95 % CI", "thresholds run from"):
        assert part in said
    assert "to a TPR of 90 %" in rs.average(hosts, "horizontal").at(tpr=0.9).reading
    said = rs.average(hosts, "threshold").at(threshold=1).reading
    assert "one threshold of 1, the average host" in said
    assert "Single hosts range over" in said
    said = rs.average(hosts, "pooled").at(threshold=1).reading
    assert "all hosts together" in said
    assert "Large hosts count more" in said


def test_readings_say_what_is_held_fixed_and_what_varies(hosts):
    said = {str(method): rs.average(hosts, method).reading for method in METHODS}
    assert len(set(said.values())) == len(METHODS)
    assert "FPR minus FNR" in said["diagonal"]  # errata H1: not their ratio
    assert "prevalence of 3 %" in rs.average(hosts, rs.AtAlarmRate(prevalence=0.03)).reading
    weighted = rs.average(hosts, "vertical", group_weights="positives").at(fpr=0.1).reading
    assert "weighted average of the hosts" in weighted
    assert "setting it again on other data" in rs.average(hosts, "threshold").at(fpr=0.1).reading
    assert "the vertical average is for that" in rs.average(hosts, "diagonal").at(fpr=0.1).reading


def test_one_line_when_printed(hosts):
    for method in METHODS:
        average = rs.average(hosts, method)
        for value in (
            average,
            average.at(fpr=0.2),
            average.band(n_resamples=100),
            average.method,
        ):
            assert "\n" not in repr(value)
            assert len(repr(value)) < 120
    assert repr(rs.average(hosts, "vertical")).startswith("DirectionalAverage(vertical, 8 hosts, AUC 0.")


def test_results_keep_the_undefined_groups():
    score_set = rs.ScoreSet.from_folds(
        [([1, 0, 1], [3, 2, 1]), ([1, 1], [2, 1]), ([0, 1, 0], [3, 2, 1])], design="independent"
    )
    for method in METHODS:
        average = rs.average(score_set, method, undefined="drop")
        assert average.undefined == ("fold 2: no negatives",)
        one_class = ("fold 2",) if method == "pooled" else ()
        assert set(average.members) == {"fold 1", "fold 3", *one_class}
        assert "1 without a curve" in repr(average)
        assert average.to_dict()["undefined"] == ["fold 2: no negatives"]
        for source in (rs.roc_curves(score_set, undefined="drop"),):
            assert rs.average(source, method).undefined == ("fold 2: no negatives",)


def test_one_class_groups_count_in_the_pooled_curve():
    """Five more negatives above everything: they halve nothing, they add."""
    both = [([1, 0], [2, 1]), ([1, 0], [4, 3])]
    alone = ([0, 0], [9, 8])
    score_set = rs.ScoreSet.from_folds([*both, alone], design="independent")
    pooled = rs.average(score_set, "pooled")
    assert pooled.auc == rs.auc([1, 0, 1, 0, 0, 0], [2, 1, 4, 3, 9, 8]) == 3 / 8
    assert pooled.undefined == ("fold 3: no positives",)
    assert pooled.n_groups == 3
    balanced = rs.average(score_set, rs.Pooled(balanced=True))
    # positives: two folds of one half; negatives: three folds of one third
    assert balanced.auc == pytest.approx((0.5 * (1 / 3) + 0.5 * (2 / 3)), abs=1e-15)
    for undefined in ("raise", "drop"):
        assert rs.average(score_set, "pooled", undefined=undefined).auc == 3 / 8


def test_data_frames_and_plain_data(hosts):
    for method in METHODS:
        average = rs.average(hosts, method)
        frame = average.to_frame()
        assert {"fpr", "tpr"} <= set(frame.columns)
        assert len(frame) == average.fpr.size
        with pytest.raises(ValueError, match="read-only"):
            average.fpr[0] = 1
    assert list(rs.average(hosts, "threshold").rates_at([0, 1]).to_frame().columns) == [
        "threshold", "fpr", "tpr", "fpr_sd", "tpr_sd", "fpr_standard_error", "tpr_standard_error", "covariance",
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:RS210")
@pytest.mark.parametrize("higher_is_positive", [True, False])
def test_a_point_tells_how_far_the_own_thresholds_run(hosts, higher_is_positive):
    """The loosest threshold that keeps the FPR, the strictest that reaches the TPR, on and between their rates."""
    sign = 1 if higher_is_positive else -1
    pairs = [(own.is_positive, sign * np.round(own.scores, 1)) for own in hosts]
    score_set = rs.ScoreSet.from_folds(pairs, higher_is_positive=higher_is_positive, design="independent")
    curves = rs.roc_curves(score_set)
    vertical, horizontal = rs.average(score_set, "vertical"), rs.average(score_set, "horizontal")
    for rate in (0.0, 0.1, *curves[0].fpr[[3, 7]], *curves[0].tpr[[2, 9]], 1.0):
        keeping = [curve.thresholds[curve.fpr <= rate][-1] for curve in curves]
        assert vertical.at(fpr=rate).thresholds == (min(keeping), max(keeping))
        reaching = [curve.thresholds[curve.tpr >= rate][0] for curve in curves]
        assert horizontal.at(tpr=rate).thresholds == (min(reaching), max(reaching))
    assert vertical.at(fpr=[0.1, 0.2]).thresholds is None


@pytest.mark.parametrize("method", ["vertical", "diagonal", "threshold"])
def test_a_single_group_with_weight_is_a_single_group(hosts, method):
    average = rs.average(hosts, method, group_weights=[1] + [0] * 7)
    point = average.at(fpr=0.2)
    assert math.isnan(point.tpr_interval.low)
    assert "are a sample" not in point.reading
    assert "the spread between hosts" in point.reading


@pytest.mark.parametrize("method", ["vertical", "threshold"])
@pytest.mark.parametrize("tiny", [1e-9, 1e-300])
def test_weights_next_to_nothing_do_not_break_the_arithmetic(hosts, method, tiny):
    average = rs.average(hosts, method, group_weights=[1] + [tiny] * 7)
    name = "threshold" if method == "threshold" else "fpr"
    point = average.at(**{name: 0.2})
    assert 0 <= point.tpr <= 1


def test_the_area_along_a_direction_has_the_t_interval_of_the_mean_area():
    curves = rs.roc_curves(scattered_folds())
    interval = rs.average(curves, "diagonal").auc_interval(0.9, scale="linear")
    half = t.ppf(0.95, len(curves) - 1) * np.std(curves.auc, ddof=1) / np.sqrt(len(curves))
    np.testing.assert_allclose([interval.low, interval.high], curves.auc.mean() + half * np.array([-1, 1]))


@pytest.mark.parametrize("method", ["threshold", "pooled", "radial", "tangent"])
@pytest.mark.parametrize("n_groups", [4, 12])
def test_the_area_of_other_averages_has_an_interval_around_it(method, n_groups):
    average = rs.average(scattered_folds(n_groups), method)
    interval = average.auc_interval()
    assert interval.low < average.auc < interval.high
    wider = average.auc_interval(0.99)
    assert wider.low < interval.low < interval.high < wider.high
    own = rs.average(scattered_folds(n_groups), "vertical").auc_interval()
    assert 0.3 < (interval.high - interval.low) / (own.high - own.low) < 3


def test_a_single_group_has_no_interval_of_the_area():
    for method in ("vertical", "threshold", "radial"):
        interval = rs.average(scattered_folds(1), method).auc_interval()
        assert np.isnan([interval.low, interval.high]).all()


def test_a_deployment_or_an_advice_names_its_average():
    deployment = rs.Deployment("own", hold="tpr", at={"tpr": 0.9})
    folds = scattered_folds()
    assert deployment.at == 0.9
    for named in (deployment, rs.advise(deployment)):
        assert rs.average(folds, named).method == "horizontal"
    with pytest.raises(rs.RocsteadyError, match="RS092"):
        rs.Deployment("own", hold="tpr", at={"fpr": 0.9})


def scattered_folds(n_groups=10):
    rng = np.random.default_rng(4)
    labels = np.repeat([1, 0], [20, 30])
    shifts = rng.normal(0, 0.3, n_groups)
    return rs.ScoreSet.from_folds(
        [(labels, rng.normal(size=50) + labels + s) for s in shifts], design="independent"
    )


# Small groups


def sites_of(n, n_groups=6, seed=3):
    rng = np.random.default_rng(seed)
    labels = np.tile(np.repeat([1, 0], n), n_groups)
    return rs.ScoreSet.from_arrays(
        labels,
        {"a": rng.normal(size=labels.size) + labels, "b": rng.normal(size=labels.size) + labels},
        np.repeat(np.arange(n_groups), 2 * n),
        design="independent",
    )


def test_RS317_where_fewer_than_five_cases_lie_beyond_the_place():
    """Errata H8: the top of a step is optimistic, and more groups do not cure it."""
    small = sites_of(20).model("a")
    for ask in (
        lambda: rs.average(small, "vertical").at(fpr=0.1),
        lambda: rs.average(small, "horizontal").at(tpr=0.9),
        lambda: rs.average(small, "vertical").band(),
        lambda: rs.compare(sites_of(20), "a", "b", method="vertical", at={"fpr": 0.1}),
        lambda: rs.compare(sites_of(20), "a", "b", method="diagonal", at={"fpr": 0.1}),
    ):
        with pytest.warns(rs.RocsteadyWarning, match="RS317"):
            ask()


def test_RS317_is_silent_where_steps_are_small_or_read_in_the_middle():
    small, large = sites_of(20).model("a"), sites_of(60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.average(small, rs.Vertical(at_jumps="mid")).at(fpr=0.1)
        rs.average(small, "vertical").at(fpr=0.3)
        rs.average(small, "threshold").at(fpr=0.1)
        rs.average(large.model("a"), "vertical").at(fpr=0.1)
        rs.average(large.model("a"), "vertical").band()
        rs.compare(large, "a", "b", method="vertical", at={"fpr": 0.1})


def test_RS317_advises_the_middle_of_steps_only_where_there_is_a_step():
    """Of 77 negatives none stands at an FPR of 0.05: the top and the middle are one number."""
    for n, advice in ((77, "read it where more negatives lie beyond"), (40, 'rs.Vertical(at_jumps="mid")')):
        few = sites_of(n)
        for ask in (
            lambda few=few: rs.average(few.model("a"), "vertical").at(fpr=0.05),
            lambda few=few: rs.compare(few, "a", "b", method="vertical", at={"fpr": 0.05}),
        ):
            with pytest.warns(rs.RocsteadyWarning, match="RS317") as caught:
                ask()
            assert advice in str(caught[0].message)
    with pytest.warns(rs.RocsteadyWarning, match="RS317"):
        upper = rs.average(sites_of(77).model("a"), "vertical").at(fpr=0.05).tpr
    assert upper == rs.average(sites_of(77).model("a"), rs.Vertical(at_jumps="mid")).at(fpr=0.05).tpr


def test_RS317_tells_a_horizontal_average_of_its_own_method():
    with pytest.warns(rs.RocsteadyWarning, match=r'rs\.Horizontal\(at_jumps="mid"\)'):
        rs.average(sites_of(20).model("a"), "horizontal").at(tpr=0.9)


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_beyond_all_scores_nobody_or_everybody_is_called_positive(method) -> None:
    """It said "with one threshold of inf"."""
    for higher in (True, False):
        arrays = [1, 0, 1, 0, 1, 0], [3, 1, 2, 5, 4, 2], list("aabbcc")
        average = rs.average(rs.ScoreSet.from_arrays(*arrays, higher_is_positive=higher), method)
        for threshold in (math.inf, -math.inf):
            who = "nobody" if (threshold > 0) == higher else "everybody"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reading = average.at(threshold=threshold).reading
            assert reading.startswith(f"With {who} called positive, ")
            assert "inf" not in reading
