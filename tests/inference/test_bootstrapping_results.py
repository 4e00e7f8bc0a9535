"""What a bootstrap gives back, says and refuses."""

from __future__ import annotations

import csv
import json
import warnings

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import PartialAuc, bootstrap

pytestmark = pytest.mark.filterwarnings("ignore:RS295")  # samples here are small on purpose

PERFECT = rs.Scores([1, 1, 1, 0, 0], [5.0, 4.0, 3.0, 2.0, 1.0])


def folds(n_groups: int, n: int = 40, seed: int = 0, shift: float = 0.5) -> rs.ScoreSet:
    stream = np.random.default_rng(seed)
    labels = np.arange(n) < n // 2
    levels = shift * stream.normal(size=n_groups)
    return rs.ScoreSet.from_folds(
        [(labels.astype(int), stream.normal(1.5 * labels + level, 1)) for level in levels],
        design="independent",
    )


def only(record, code: str) -> list[str]:
    return [str(entry.message) for entry in record if str(entry.message).startswith(code)]


# Intervals


def test_intervals_are_made_of_the_resamples() -> None:
    found = bootstrap(folds(1)[0])
    low, high = np.quantile(found.values, [0.025, 0.975])
    error = found.values.std(ddof=1)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert found.bias == pytest.approx(found.values.mean() - found.estimate, abs=1e-12)
    expected = {
        "percentile": (low, high),
        "basic": (2 * found.estimate - high, 2 * found.estimate - low),
        "normal": (found.estimate - 1.959964 * error, found.estimate + 1.959964 * error),
    }
    for kind, limits in expected.items():
        interval = found.interval_of(kind)
        assert (interval.low, interval.high) == pytest.approx(limits, abs=1e-6)
        assert interval.method == f"bootstrap, {kind}"
    logit = found.interval_of("logit")
    assert 0 < logit.low < found.estimate < logit.high < 1
    share = np.log([x / (1 - x) for x in (logit.low, found.estimate, logit.high)])
    assert share[1] - share[0] == pytest.approx(share[2] - share[1], rel=1e-9)
    assert (found.interval.low, found.interval.high) == (logit.low, logit.high)  # the usual one


def test_wider_confidence_is_wider() -> None:
    found = bootstrap(folds(12), average="pooled")
    for kind in ("percentile", "basic", "normal", "t", "logit"):
        narrow, wide = (found.interval_of(kind, level) for level in (0.8, 0.99))
        assert wide.low < narrow.low < narrow.high < wide.high
    assert found.interval.confidence_level == 0.95


def test_few_groups_have_intervals_by_student() -> None:
    """The very interval of the vertical average, but for the luck of the draws."""
    found = bootstrap(folds(5), n_resamples=20_000)
    own = rs.average(folds(5), "vertical").auc_interval(scale="linear")
    t, logit = found.interval_of("t"), found.interval
    assert t.low == pytest.approx(own.low, abs=0.05 * (own.high - own.low))
    assert t.high == pytest.approx(own.high, abs=0.05 * (own.high - own.low))
    width = np.log(logit.high / (1 - logit.high)) - np.log(logit.low / (1 - logit.low))
    slope = found.estimate * (1 - found.estimate)
    assert width == pytest.approx((t.high - t.low) / slope, rel=1e-9)  # the same, on the logit scale
    with pytest.warns(rs.RocsteadyWarning, match="RS272"):
        bootstrap(folds(5), interval="percentile")


@pytest.mark.parametrize(
    ("separation", "interval", "is_warned"),
    [(5.0, "logit", True), (3.0, "t", True), (3.0, "logit", False), (1.5, "t", False)],
)
def test_areas_near_one_of_few_groups_are_skewed(separation, interval, is_warned, recwarn) -> None:
    stream, labels = np.random.default_rng(1), np.arange(100) % 2
    near = rs.ScoreSet.from_folds(
        [(labels, stream.normal(separation * labels, 1.2)) for _ in range(10)], design="independent"
    )
    bootstrap(near, interval=interval)
    assert bool(only(recwarn, "RS272")) == is_warned


def test_areas_under_one_threshold_are_made_on_the_logit_scale() -> None:
    """A group drawn twice is compared with itself, so resampled areas are too large."""
    far = folds(20, shift=2.0)
    with pytest.warns(rs.RocsteadyWarning, match="RS272") as record:
        found = bootstrap(far, average="pooled")
    assert f"{found.bias:+.3g}" in only(record, "RS272")[0]
    assert found.bias > 0.15 * found.standard_error
    assert found.interval.method == "bootstrap, logit"
    assert bootstrap(far, {"fpr": 0.1}, average="pooled").interval.method == "bootstrap, logit"
    near = bootstrap(folds(20, shift=0.2), average="pooled")  # and no warning
    assert abs(near.bias) < 0.15 * near.standard_error


def test_percentiles_of_groups_reach_as_far_as_student_does() -> None:
    found = bootstrap(folds(10), n_resamples=20_000, interval="percentile")
    assert found.interval.method == "bootstrap, percentile"
    low, high = np.quantile(found.values, [0.025, 0.975])
    assert found.interval.low < low < high < found.interval.high
    t = found.interval_of("t")
    assert found.interval.high - found.interval.low == pytest.approx(t.high - t.low, rel=0.1)


def test_raw_partial_areas_keep_to_their_range_on_the_logit_scale() -> None:
    found = bootstrap(folds(1)[0], PartialAuc(fpr=(0, 0.1)))
    assert 0 < found.interval.low < found.estimate < found.interval.high < 0.1


def test_an_estimate_at_the_edge_has_percentiles_on_the_logit_scale() -> None:
    found = bootstrap(folds(1)[0], {"fpr": [0.2, 1.0]})
    assert found.estimate[1] == found.interval.low[1] == found.interval.high[1] == 1
    assert found.interval.low[0] < found.estimate[0] < found.interval.high[0]


def test_separated_classes_have_the_exact_bound() -> None:
    with pytest.warns(rs.RocsteadyWarning, match="RS151"):
        found = bootstrap(PERFECT)
    with pytest.warns(rs.RocsteadyWarning, match="RS151"):
        own = rs.roc_curve(PERFECT).auc_interval()
    assert (found.interval.low, found.interval.high) == (own.low, own.high) == (pytest.approx(0.05**0.5), 1)
    assert found.interval.method == "separated"
    with pytest.warns(rs.RocsteadyWarning, match="RS151"):
        clustered = bootstrap(PERFECT, clusters=[0, 1, 2, 0, 1])
    assert clustered.interval.low <= found.interval.low
    with pytest.warns(rs.RocsteadyWarning, match="RS271"):
        flat = bootstrap(PERFECT, {"fpr": 0.1})
    assert flat.interval.low == flat.interval.high == 1


# pROC 1.18.0 (R 4.2.2) on its aSAH data, marker s100b, stratified, set.seed(1), boot.n = 20000:
#   r <- roc(label, s100b, levels = c(0, 1), direction = "<"); ci.auc(r, method = "bootstrap");
#   sqrt(var(r, method = "bootstrap")); the same with auc(r, partial.auc = c(1, 0.9));
#   ci.se(r, specificities = c(0.95, 0.9, 0.7)); ci.sp(r, sensitivities = c(0.9, 0.7))
# Limits of 95 % and, for the areas, standard deviations.
PROC = [
    ("auc", (0.62516938, 0.82639312), 0.051273278),
    (PartialAuc(fpr=(0, 0.1)), (0.019647696, 0.049225017), 0.0076002854),
    (
        {"fpr": [0.05, 0.1, 0.3]},
        ((0.19512195, 0.21951220, 0.48780488), (0.48780488, 0.61463415, 0.79106098)),
        None,
    ),
    ({"tpr": [0.9, 0.7]}, ((1 - 0.51043403, 1 - 0.86111111), (1 - 0.11527778, 1 - 0.38020544)), None),
]


@pytest.mark.parametrize(("statistic", "limits", "error"), PROC)
def test_golden_proc(data_folder, statistic, limits, error) -> None:
    with open(data_folder / "scores" / "proc_asah.csv") as file:
        rows = list(csv.DictReader(file))
    scores = rs.Scores([int(row["label"]) for row in rows], [float(row["s100b"]) for row in rows])
    found = bootstrap(scores, statistic, interval="percentile", n_resamples=20_000)
    # Both limits are quantiles of 20,000 resamples, with a Monte-Carlo error of about 0.02 standard errors.
    np.testing.assert_allclose(found.interval.low, limits[0], atol=0.15 * np.max(found.standard_error))
    np.testing.assert_allclose(found.interval.high, limits[1], atol=0.15 * np.max(found.standard_error))
    if error is not None:
        assert found.standard_error == pytest.approx(error, rel=0.035)  # 5 / sqrt(20000)


# Bands


def test_a_pointwise_band_is_the_intervals() -> None:
    at = np.linspace(0.02, 0.5, 30)
    for x, options in (
        (folds(1)[0], {}),
        (folds(12), {"average": "vertical"}),
        (folds(12), {"average": "pooled"}),
    ):
        found = bootstrap(x, {"fpr": at}, n_resamples=300, **options)
        band = found.band()
        np.testing.assert_array_equal(band.lower.fpr, at)
        np.testing.assert_array_equal(band.lower.tpr, found.interval.low)
        np.testing.assert_array_equal(band.upper.tpr, found.interval.high)
        np.testing.assert_array_equal(band.middle.tpr, found.estimate)


@pytest.mark.parametrize("options", [{}, {"random": "cases"}, {"average": "pooled"}])
def test_a_simultaneous_band_is_wider_and_holds_most_resamples(options) -> None:
    found = bootstrap(folds(12), {"fpr": np.linspace(0.02, 0.5, 30)}, n_resamples=1000, **options)
    narrow, wide = found.band(), found.band("simultaneous")
    assert wide.factor > 2
    inside = ((found.values >= wide.lower.tpr) & (found.values <= wide.upper.tpr)).all(axis=1)
    assert inside.mean() >= 0.93
    assert ((wide.upper.tpr - wide.lower.tpr) > (narrow.upper.tpr - narrow.lower.tpr)).mean() > 0.9
    assert "whole curve" in wide.reading
    assert "treated as a random sample" in wide.reading


def test_a_band_of_false_positive_rates_lies_the_other_way() -> None:
    found = bootstrap(folds(1)[0], {"tpr": [0.9, 0.5, 0.7]})
    band = found.band(confidence_level=0.8)
    np.testing.assert_array_equal(band.lower.tpr, [0.5, 0.7, 0.9])
    assert (band.lower.fpr >= band.middle.fpr).all()  # worse
    assert (band.upper.fpr <= band.middle.fpr).all()
    assert band.confidence_level == 0.8


def test_places_without_spread_are_left_out_of_simultaneous_bands() -> None:
    found = bootstrap(folds(1)[0], {"fpr": [0.1, 0.3, 1.0]})
    band = found.band("simultaneous")
    assert band.excluded == ((1.0, 1.0),)
    assert np.isnan(band.lower.tpr[2])
    assert "1 point without spread" in band.reading


# Words


def test_the_reading_says_effect_interval_and_what_is_random() -> None:
    found = bootstrap(folds(12))
    assert found.reading.startswith("The mean AUC of 12 folds is 0.830 (95 % CI ")
    assert "The 12 folds are treated as a random sample of folds and are drawn whole." in found.reading
    fixed = bootstrap(folds(12), {"fpr": 0.1}, random="cases")
    assert "the result is about these 12 folds only" in fixed.random
    pooled = bootstrap(folds(12), {"fpr": 0.1}, average="pooled")
    assert pooled.reading.startswith("The TPR at FPR 10 % of the pooled average of 12 folds is ")
    clustered = bootstrap(folds(1)[0], clusters=np.arange(40) // 2)
    assert "20 clusters are treated as a random sample; each is drawn with all its rows" in clustered.reading
    several = bootstrap(folds(1)[0], {"threshold": 0.5})
    assert "2 values with pointwise 95 % confidence intervals" in several.reading


def test_results_are_plain_data() -> None:
    found = bootstrap(folds(12), {"fpr": [0.1, 0.2]})
    data = json.loads(json.dumps(found.to_dict()))
    assert data["names"] == ["TPR at FPR 0.1", "TPR at FPR 0.2"]
    assert data["interval"]["low"] == found.interval.low.tolist()
    assert "values" not in data
    frame = found.to_frame()
    assert list(frame.columns) == ["statistic", "estimate", "standard_error", "bias", "low", "high"]
    assert len(frame) == 2
    assert repr(found) == "Bootstrap(TPR at 2 FPRs, 2 000 resamples)"
    assert repr(bootstrap(folds(3))).startswith("Bootstrap(AUC 0.8")
    with pytest.raises(TypeError, match="take its values by name"):
        iter(found)
    with pytest.raises(ValueError, match="read-only"):
        found.values[0] = 0
    assert bootstrap(folds(1)[0], {"threshold": [0.1, 0.2]}).values.shape == (2000, 2, 2)


def _kept(told: list[tuple[int, int]]):
    return lambda done, total: told.append((done, total))


def test_progress_is_told_and_ctrl_c_ends_it() -> None:
    class Stop(BaseException):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    patients = [np.arange(40) // 2] * 12
    for options in (
        {},
        {"random": "cases"},
        {"average": "pooled"},
        {"average": "radial"},
        {"clusters": patients},
    ):
        told: list[tuple[int, int]] = []
        bootstrap(folds(12), n_resamples=200, progress=_kept(told), **options)
        done, total = told[-1]
        assert done == total >= 200
        assert [entry[0] for entry in told] == sorted(entry[0] for entry in told)
        with pytest.raises(Stop):
            bootstrap(folds(12), n_resamples=200, progress=stop, **options)


# Bad input


@pytest.mark.parametrize("random", ["both", ("groups", "cases"), ["cases", "groups"]])
def test_groups_and_cases_are_never_both_drawn(random) -> None:
    with pytest.raises(rs.RocsteadyError, match="RS056"):
        bootstrap(folds(3), random=random)
    with pytest.raises(rs.RocsteadyError, match="RS056"):
        bootstrap(folds(3), random="groups", clusters=[np.arange(40)] * 3)


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (lambda: bootstrap(folds(1)[0], random="groups"), "RS057", "random='cases'"),
        (lambda: bootstrap(folds(1), random="groups"), "RS057", "one fold only"),
        (lambda: bootstrap(folds(1)[0], clusters=np.zeros(40)), "RS057", "all rows are one cluster"),
        (lambda: bootstrap(folds(2), clusters=[np.zeros(40), np.ones(40)]), "RS057", "one cluster"),
        (lambda: bootstrap(folds(1)[0], clusters=np.arange(39)), "RS013", "clusters: 39, rows: 40"),
        (lambda: bootstrap(folds(2), clusters=[np.arange(40), np.arange(3)]), "RS013", "fold 2"),
        (lambda: bootstrap(folds(2), clusters=np.arange(80)), "RS058", "one array for each"),
        (lambda: bootstrap(folds(2), clusters={"fold 1": np.arange(40)}), "RS058", "without: fold 2"),
        (lambda: bootstrap(folds(1)[0], clusters=[None, *range(39)]), "RS058", "first at row 0"),
        (lambda: bootstrap(folds(1)[0], random="clusters"), "RS058", "clusters=patients"),
        (
            lambda: bootstrap(folds(1)[0], random="cases", clusters=np.arange(40)),
            "RS058",
            "random='clusters'",
        ),
        (
            lambda: bootstrap(rs.roc_curve(folds(1)[0]), clusters=np.arange(40)),
            "RS058",
            "does not know its rows",
        ),
        (
            lambda: bootstrap(folds(2), clusters=[np.arange(40), np.arange(40) + 20]),
            "RS058",
            "average='pooled'",
        ),
        (
            lambda: bootstrap(folds(2), clusters=[np.arange(40)] * 2, average="threshold"),
            "RS058",
            "average='pooled'",
        ),
        (lambda: bootstrap(folds(2), average="radial", random="cases"), "RS002", "random='groups'"),
        (lambda: bootstrap(folds(2), {"threshold": 0.5}, average="radial"), "RS084", "average='threshold'"),
        (lambda: bootstrap(folds(2), average="vertcal"), "RS001", "vertical"),
        (lambda: bootstrap(folds(2), random="datasets"), "RS001", "random='groups'"),
        (lambda: bootstrap(folds(1), interval="bca"), "RS001", "interval='percentile'"),
        (lambda: bootstrap(folds(1), interval="t"), "RS002", "interval='normal'"),
        (lambda: bootstrap(folds(1), n_resamples=1), "RS042", "n_resamples=2000"),
        (lambda: bootstrap(folds(1), seed=-1), "RS042", "seed"),
        (lambda: bootstrap(folds(1), confidence_level=95), "RS042", "confidence_level=0.95"),
        (lambda: bootstrap(folds(1), "f1"), "RS001", "'fpr': 0.05"),
        (lambda: bootstrap(rs.average(folds(2), "vertical")), "RS002", "average='vertical'"),
        (lambda: bootstrap(rs.roc_curve(folds(1)[0]).hull()), "RS002", "convex hull"),
        (lambda: bootstrap([1, 0, 1]), "RS002", "ScoreSet.from_folds"),
        (lambda: bootstrap(([1, 0], [2.0, 1.0])), "RS002", "bootstrap(Scores(labels, scores))"),
        (lambda: bootstrap(folds(1), progress=True), "RS002", "progress=lambda done, total"),
        (lambda: bootstrap(folds(1), clusters=[(0, i) for i in range(40)]), "RS034", "clusters"),
        (lambda: bootstrap("scores.csv"), "RS002", "read_scores"),
        (lambda: bootstrap([]), "RS082", "no groups for bootstrap"),
        (lambda: bootstrap(folds(1)).band(), "RS002", "np.linspace"),
        (lambda: bootstrap(folds(1)).interval_of("normal", 0), "RS042", "confidence_level"),
    ],
)
def test_bad_input_is_refused_with_what_to_type(call, code, said) -> None:
    with pytest.raises(rs.RocsteadyError, match=code) as caught:
        call()
    assert said in str(caught.value)


def test_several_models_are_several_bootstraps() -> None:
    both = rs.ScoreSet.from_arrays([1, 0, 1, 0], {"a": [4, 3, 2, 1], "b": [1, 2, 3, 4]})
    with pytest.raises(rs.RocsteadyError, match="RS044") as caught:
        bootstrap(both)
    assert "score_set.model('a')" in str(caught.value)


def test_sums_of_weights_have_no_rows_to_draw() -> None:
    curve = rs.RocCurve.from_counts([3, 2, 1], [1.5, 2.0, 2.0], [0.0, 0.5, 1.5])
    with pytest.raises(rs.RocsteadyError, match="RS038"):
        bootstrap(curve)
    found = bootstrap(
        [curve] * 3 + [rs.RocCurve.from_counts([2, 1], [1.5, 2.0], [1.0, 1.5])], n_resamples=100
    )
    assert found.standard_error > 0  # whole curves can be drawn


def test_weighted_rows_are_drawn_from_any_form() -> None:
    stream = np.random.default_rng(4)
    columns = (np.arange(40) % 2, stream.normal(np.arange(40) % 2, 1))
    weights = stream.uniform(0.5, 2, 40)
    scores = rs.Scores(*columns, sample_weight=weights, name="w")
    score_set = rs.ScoreSet.from_folds(
        [columns] * 2, sample_weight=[weights, weights[::-1].copy()], design="independent"
    )
    expected = bootstrap(scores)
    np.testing.assert_array_equal(bootstrap(rs.roc_curve(scores)).values, expected.values)
    assert expected.estimate == rs.roc_curve(scores).auc
    for random in ("cases", "groups"):
        a, b = (bootstrap(x, random=random, n_resamples=100) for x in (score_set, rs.roc_curves(score_set)))
        np.testing.assert_array_equal(a.values, b.values)


def test_one_class_groups() -> None:
    one_class = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [4, 3, 2, 1]), ([0, 0], [1, 2]), ([1, 0], [1, 2])], design="independent"
    )
    with pytest.raises(rs.RocsteadyError, match="RS036"):
        bootstrap(one_class)
    found = bootstrap(one_class, undefined="drop", n_resamples=100)
    assert found.estimate == pytest.approx((0.75 + 0) / 2)
    pooled = bootstrap(one_class, average="pooled", n_resamples=100, interval="normal")
    assert pooled.estimate == rs.average(one_class, "pooled").auc
    assert pooled.n_redrawn > 0  # three times the fold without positives


def test_many_redraws_are_warned_of() -> None:
    """Trap T29: a resample with one class is drawn again, and that is said."""
    labels, patients = np.array([1, 1, *[0] * 18]), np.array([0, 0, *range(1, 19)])
    scores = rs.Scores(labels, np.arange(20)[::-1] % 7)
    with pytest.warns(rs.RocsteadyWarning) as record:
        found = bootstrap(scores, clusters=patients)
    (said,) = only(record, "RS273")
    # A patient is not drawn with probability (18 / 19)**19 = 0.358.
    assert found.n_redrawn / (found.n_redrawn + 2000) == pytest.approx(0.358, abs=0.05)
    assert "drawn again" in said


def test_a_class_with_one_case_is_warned_of() -> None:
    with pytest.warns(rs.RocsteadyWarning, match="RS274") as record:
        bootstrap(rs.Scores([1, 0, 0, 0], [2, 1, 3, 4]))
    assert "1 positive, 3 negatives" in only(record, "RS274")[0]
    with pytest.warns(rs.RocsteadyWarning, match="RS274") as record:
        bootstrap(
            rs.ScoreSet.from_folds(
                [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 0, 0], [1, 2, 0])], design="independent"
            ),
            random="cases",
        )
    assert "in fold 2" in only(record, "RS274")[0]


def test_a_class_in_one_cluster_is_warned_of() -> None:
    labels = np.arange(40) % 2
    scores = rs.Scores(labels, np.random.default_rng(1).normal(labels, 1))
    with pytest.warns(rs.RocsteadyWarning) as record:
        found = bootstrap(scores, clusters=np.where(labels == 1, 0, np.arange(40)))
    assert "in one cluster" in only(record, "RS274")[0]
    assert np.isnan(found.interval.low)
    assert "no 95 % CI" in found.reading


def test_decisions_are_warned_of_where_they_are_made_only() -> None:
    with pytest.warns(rs.RocsteadyWarning, match="RS101"):
        scores = rs.Scores(np.arange(20) % 2, np.arange(20) // 3 % 2)
    bootstrap(scores)


def test_few_clusters_with_misplaced_cases_need_the_logit_scale() -> None:
    labels = np.arange(60) % 2
    scores = rs.Scores(labels, np.random.default_rng(1).normal(2 * labels, 1))
    bootstrap(scores, clusters=np.arange(60) // 3)
    with pytest.warns(rs.RocsteadyWarning, match="RS272") as record:
        bootstrap(scores, clusters=np.arange(60) // 3, interval="t")
    assert "interval='logit'" in only(record, "RS272")[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: bootstrap(folds(12), n_resamples=99),
        lambda: rs.average(folds(12), "pooled").band(n_resamples=99),
        lambda: rs.choose_cutoff(rs.roc_curve(folds(1)[0]), "youden").intervals(n_resamples=99),
        lambda: rs.roc_curve(folds(1)[0]).auc_interval(method="bootstrap", n_resamples=99),
    ],
)
def test_fewer_than_a_hundred_resamples_are_warned_of_once(call) -> None:
    with pytest.warns(rs.RocsteadyWarning) as record:
        call()
    (said,) = only(record, "RS270")
    assert "99 resamples" in said
    assert "n_resamples=2000" in said


def test_a_rate_whose_threshold_few_cases_set_is_warned_of() -> None:
    stream, labels = np.random.default_rng(2), np.arange(200) < 100
    scores = rs.Scores(labels, stream.normal(1.5 * labels))
    with pytest.warns(rs.RocsteadyWarning, match=r"(?s)RS295.*at FPR 1 %: 1 case.*tpr_interval"):
        bootstrap(scores, {"fpr": [0.3, 0.01]})
    with pytest.warns(rs.RocsteadyWarning, match=r"(?s)RS295.*at TPR 99 %: 1 case.*fpr_interval"):
        bootstrap(scores, {"tpr": 0.99})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bootstrap(scores, {"fpr": 0.05})
        with pytest.raises(rs.RocsteadyWarning, match="RS295"):  # percentiles need more
            bootstrap(scores, {"fpr": 0.05}, interval="percentile")
