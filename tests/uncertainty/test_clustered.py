"""Rows that belong together: Obuchowski's variance, effective numbers of cases, and every door to them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.statistics.delong import ClusteredRates
from rocsteady.statistics.reader_covariance import jackknife
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS15[13457]", "ignore:RS10[14]", "ignore:RS272")


def together(labels, scores, clusters, **options) -> rs.RocCurve:
    return rs.roc_curve(
        rs.ScoreSet.from_arrays(labels, scores, clusters=clusters, positive=True, **options)[0]
    )


def by_definition(labels, scores, clusters, other=None) -> float:
    """Obuchowski (1997) from the kernel of all pairs, in double loops."""
    sick = np.flatnonzero(labels)
    well = np.flatnonzero(~labels)

    def wins(own):
        return np.array([[(own[i] > own[j]) + (own[i] == own[j]) / 2 for j in well] for i in sick])

    kernel = wins(scores) if other is None else wins(scores) - wins(other)
    mean, m, n = kernel.mean(), sick.size, well.size
    of_sick, of_well = kernel.mean(axis=1), kernel.mean(axis=0)
    s10 = s01 = s11 = 0.0
    names = set(clusters)
    for name in names:
        a = sum(of_sick[k] - mean for k in range(m) if clusters[sick[k]] == name)
        b = sum(of_well[k] - mean for k in range(n) if clusters[well[k]] == name)
        s10, s01, s11 = s10 + a**2, s01 + b**2, s11 + a * b
    i10, i01, i = len({clusters[k] for k in sick}), len({clusters[k] for k in well}), len(names)
    return i10 / (i10 - 1) * s10 / m**2 + i01 / (i01 - 1) * s01 / n**2 + 2 * i / (i - 1) * s11 / (m * n)


@st.composite
def clustered(draw):
    labels, scores = draw(labelled_scores(min_per_class=3))
    clusters = np.array(draw(st.lists(st.integers(0, 6), min_size=len(labels), max_size=len(labels))))
    labels = np.asarray(labels, dtype=bool)
    assume(min(np.unique(clusters[labels]).size, np.unique(clusters[~labels]).size) > 1)
    assume(np.unique(clusters).size < clusters.size)
    return labels, np.asarray(scores), clusters


@given(clustered())
def test_the_variance_is_that_of_all_pairs(data):
    labels, scores, clusters = data
    found = together(labels, scores, clusters).auc_standard_error() ** 2
    assert found == pytest.approx(by_definition(labels, scores, clusters), rel=1e-9, abs=1e-15)


@given(clustered(), st.randoms(use_true_random=False))
def test_so_is_that_of_a_difference(data, random):
    labels, scores, clusters = data
    other = scores.copy()
    random.shuffle(other)
    found = rs.compare_auc(labels, scores, other, clusters=clusters, positive=True)
    expected = by_definition(labels, scores, clusters, other)
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-9, abs=1e-15)
    both = found.covariance
    assert both[0, 0] + both[1, 1] - 2 * both[0, 1] == pytest.approx(expected, rel=1e-6, abs=1e-12)
    assert both[0, 0] == pytest.approx(by_definition(labels, scores, clusters), rel=1e-9, abs=1e-15)


@given(labelled_scores(min_per_class=3), st.randoms(use_true_random=False))
def test_one_row_a_cluster_is_delong(data, random):
    labels, scores = np.asarray(data[0], dtype=bool), np.asarray(data[1])
    other = scores.copy()
    random.shuffle(other)
    alone, plain = (
        together(labels, scores, np.arange(labels.size)),
        rs.roc_curve(labels, scores, positive=True),
    )
    assert alone.auc_standard_error() == plain.auc_standard_error()
    for method in ("guarded", "logit", "delong"):
        a, b = (curve.auc_interval(method=method) for curve in (alone, plain))
        assert (a.low, a.high) == (b.low, b.high)
    named = rs.compare_auc(labels, scores, other, clusters=np.arange(labels.size), positive=True)
    known = rs.compare_auc(labels, scores, other, positive=True)
    for field in ("standard_error", "df", "pvalue"):
        assert getattr(named, field) == pytest.approx(getattr(known, field), rel=1e-9, abs=1e-12)


@given(labelled_scores(min_per_class=3), st.integers(2, 3))
def test_rows_that_are_repeated_within_their_cluster_say_nothing_new(data, times):
    labels, scores = np.asarray(data[0], dtype=bool), np.asarray(data[1])
    plain = rs.roc_curve(labels, scores, positive=True)
    again = together(np.tile(labels, times), np.tile(scores, times), np.tile(np.arange(labels.size), times))
    assert again.auc_standard_error() == pytest.approx(plain.auc_standard_error(), rel=1e-9, abs=1e-15)
    a, b = again.auc_interval(), plain.auc_interval()
    assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-7, abs=1e-12)


@given(clustered())
def test_rates_have_the_variance_of_cluster_totals(data):
    labels, scores, clusters = data
    curve = together(labels, scores, clusters)
    codes = np.unique(clusters, return_inverse=True)[1]
    ranks = curve.thresholds.size - 2 - np.unique(scores, return_inverse=True)[1]
    found = ClusteredRates.of_rows(ranks, labels, codes, curve.thresholds.size - 1)
    n = int(codes.max()) + 1
    for vertex in range(curve.thresholds.size):
        beyond = ranks < vertex
        sums, sizes = [], []
        for own, rate in ((labels, curve.tpr[vertex]), (~labels, curve.fpr[vertex])):
            sums.append(np.bincount(codes[own], beyond[own] - rate, minlength=n) / own.sum())
            sizes.append(np.unique(codes[own]).size)
        expected = [k / (k - 1) * (part**2).sum() for part, k in zip(sums, sizes, strict=True)]
        assert found.tpr_variance[vertex] == pytest.approx(expected[0], rel=1e-9, abs=1e-12)
        assert found.fpr_variance[vertex] == pytest.approx(expected[1], rel=1e-9, abs=1e-12)
        crossed = n / (n - 1) * (sums[0] * sums[1]).sum()
        assert found.covariance[vertex] == pytest.approx(crossed, rel=1e-9, abs=1e-12)


def patients(n: int = 60, seed: int = 1):
    rng = np.random.default_rng(seed)
    named = np.repeat(np.arange(n), rng.integers(1, 7, n))
    labels = rng.random(named.size) < 0.4
    own = rng.normal(size=(3, n))[:, named]
    scores = 1.2 * labels + 0.7 * own + 0.7 * rng.normal(size=(3, named.size))
    return labels, scores, named


def test_leaving_out_each_cluster_says_nearly_the_same():
    labels, scores, named = patients(200)
    by_jackknife = jackknife(scores[:1], labels, named)[0, 0]
    assert together(labels, scores[0], named).auc_standard_error() ** 2 == pytest.approx(
        by_jackknife, rel=0.05
    )


def test_rows_taken_as_independent_look_too_sure_everywhere():
    """Each of these ignored clusters."""
    labels, scores, named = patients(40)
    own, rows = together(labels, scores[0], named), rs.roc_curve(labels, scores[0])

    def width(interval):
        return float(np.mean(interval.high - interval.low))

    readings = {
        "auc_standard_error": lambda curve: curve.auc_standard_error(),
        **{
            f"auc_interval {method}": lambda curve, method=method: width(curve.auc_interval(method=method))
            for method in ("guarded", "logit", "delong", "bootstrap")
        },
        "auc_null_test": lambda curve: curve.auc_null_test("delong").standard_error,
        "fpr_interval": lambda curve: width(curve.fpr_interval(0.8)),
        "band": lambda curve: float(np.mean(curve.band().upper.tpr - curve.band().lower.tpr)),
    }
    for name, read in readings.items():
        assert read(own) > read(rows), name
    threshold = float(np.median(scores[0]))
    tables = [
        rs.choose_cutoff(curve, rs.TargetRate(fpr=float(curve.rates_at(threshold).fpr))).two_by_two(
            method="wilson"
        )
        for curve in (own, rows)
    ]
    for measure in ("sensitivity_interval", "specificity_interval"):
        assert width(getattr(tables[0], measure)) > width(getattr(tables[1], measure))
    assert tables[0].ppv_interval is None
    assert "belong together" in tables[0].note
    both = rs.ScoreSet.from_arrays(labels, {"a": scores[0], "b": scores[1]}, clusters=named)
    of_sets = rs.compare_auc(both.model("a"), both.model("b"))
    assert of_sets.pvalue == pytest.approx(rs.compare_auc(labels, *scores[:2], clusters=named).pvalue)
    assert of_sets.df < 40
    compared = rs.compare(both, "a", "b", n_resamples=100).auc
    assert (compared.standard_error, compared.df) == pytest.approx((of_sets.standard_error, of_sets.df))
    assert compared.a_interval.low == pytest.approx(own.auc_interval().low)


def test_every_door_to_one_auc_agrees():
    labels, scores, named = patients(40)
    score_set = rs.ScoreSet.from_arrays(labels, scores[0], clusters=named)
    curves = rs.roc_curves(score_set)
    lows = [
        rs.auc_interval(score_set[0]).low,
        rs.roc_curve(score_set[0]).auc_interval().low,
        curves.auc_interval().low[0],
        curves[0].auc_interval().low,
        curves.to_frame()["low"][0],
    ]
    assert lows == [lows[0]] * 5
    assert rs.auc_interval(labels, scores[0]).low > lows[0]
    assert curves[0].auc_null_test().df < 40


def test_methods_without_a_clustered_form_refuse_and_say_what_to_type():
    labels, scores, named = patients()
    curve = together(labels, scores[0], named)
    for refused in (
        lambda: curve.auc_standard_error("nonparametric"),
        lambda: curve.auc_standard_error("hanley-mcneil"),
        lambda: curve.auc_null_test("nonparametric"),
        lambda: curve.tpr_interval(0.1, method="exact"),
        lambda: curve.band(kind="simultaneous", method="rectangle"),
    ):
        with pytest.raises(RocsteadyError) as caught:
            refused()
        assert caught.value.code == "RS016"
        assert "random='clusters'" in str(caught.value)


def test_weights_and_clusters_together_are_refused():
    labels, scores, named = patients()
    curve = together(labels, scores[0], named, sample_weight=np.linspace(1, 2, labels.size))
    for refused in (curve.auc_interval, curve.auc_standard_error, lambda: curve.tpr_interval(0.1)):
        with pytest.raises(RocsteadyError) as caught:
            refused()
        assert caught.value.code == "RS038"
    assert curve.auc_interval(method="bootstrap").low < curve.auc


@pytest.mark.parametrize(("n", "is_few"), [(12, True), (60, False)])
def test_few_clusters_are_warned_of(n, is_few):
    labels, scores, named = patients(n)
    curve = together(labels, scores[0], named)
    for call in (
        curve.auc_interval,
        curve.auc_standard_error,
        curve.auc_null_test,
        lambda: curve.tpr_interval(0.2),
        lambda: rs.compare_auc(labels, *scores[:2], clusters=named),
    ):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            call()
        assert [one.message.code for one in seen] == ["RS157"] * is_few


@pytest.mark.parametrize("rarer", [True, False])
def test_few_clusters_of_either_class_are_warned_of(rarer):
    named = np.r_[np.arange(60) // 2, 100 + np.arange(10) // 2]  # 30 clusters of one class, 5 of the other
    labels = (np.arange(70) < 60) == rarer
    curve = together(labels, np.arange(70) % 13 + 4.0 * labels, named)
    with pytest.warns(RocsteadyWarning, match="RS157"):
        curve.auc_interval()


def test_resamples_of_a_curve_draw_whole_clusters_whatever_the_order_of_the_rows():
    labels, scores, named = patients(40)
    order = np.random.default_rng(2).permutation(labels.size)
    curve = together(labels, scores[0], named)
    again = together(labels[order], scores[0][order], named[order])
    for read in (
        lambda own: own.auc_interval(method="bootstrap"),
        lambda own: own.tpr_interval(0.2, method="bootstrap"),
    ):
        assert (read(curve).low, read(curve).high) == (read(again).low, read(again).high)
    drawn = rs.bootstrap(curve, random="clusters", interval="percentile").interval
    own = curve.auc_interval(method="bootstrap")
    assert (own.low, own.high) == pytest.approx((drawn.low, drawn.high), abs=0.03)  # those are expanded
    assert curve.band(kind="simultaneous").lower.tpr[5] < rs.roc_curve(labels, scores[0]).tpr[5]


def test_three_classifiers_and_two_sets_of_patients():
    labels, scores, named = patients(40)
    three = rs.compare_auc(labels, *scores, clusters=named)
    assert (three.df, three.error_df < 40) == (2, True)
    twice = rs.compare_auc(labels, scores[0], scores[1], scores[0], clusters=named)
    two = rs.compare_auc(labels, scores[0], scores[1], clusters=named)
    assert twice.pvalue == pytest.approx(two.pvalue, rel=1e-6)
    other = patients(30, seed=3)
    apart = rs.compare_auc(
        (labels, other[0]), scores[0], other[1][0], paired=False, clusters=(named, other[2])
    )
    errors = [together(y, s[0], who).auc_standard_error() for y, s, who in ((labels, scores, named), other)]
    assert apart.standard_error == pytest.approx(np.hypot(*errors))
    with pytest.raises(RocsteadyError, match="RS058"):
        rs.compare_auc((labels, other[0]), scores[0], other[1][0], paired=False, clusters=named)


def test_named_cases_with_several_rows_belong_together_too():
    labels = np.repeat([True, False], 40)
    scores = np.arange(80) % 17 + 3.0 * labels
    with pytest.warns(RocsteadyWarning, match="RS104"):
        named = rs.ScoreSet.from_arrays(labels, scores, cases=np.arange(80) // 2)
    alike = together(labels, scores, np.arange(80) // 2)
    assert rs.roc_curve(named[0]).auc_interval().low == alike.auc_interval().low


@pytest.mark.parametrize(("rate", "value"), [("fpr", 0.1), ("tpr", 0.9)])
def test_what_is_said_instead_of_an_exact_rate_can_be_typed(rate, value):
    """The statistic is a place, which bootstrap takes, and no class that the package does not have."""
    labels, values, named = patients()
    scores = rs.ScoreSet.from_arrays(labels, values[0], clusters=named, positive=True)[0]
    curve = rs.roc_curve(scores)
    interval = curve.tpr_interval if rate == "fpr" else curve.fpr_interval
    with pytest.raises(RocsteadyError) as caught:
        interval(value, method="exact")
    said = str(caught.value).splitlines()[-1].partition(":  ")[2]
    found = eval(said, {"bootstrap": rs.bootstrap, "scores": scores})
    assert found.statistic.read(curve) == (curve.tpr_at if rate == "fpr" else curve.fpr_at)(value)
