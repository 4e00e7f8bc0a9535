"""The radial average: every group at the same ratio of its two error rates."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute_force
import rocsteady as rs
from rocsteady.averaging.radial_tangent import ErrorPaths, _bends
from strategies import FLOAT_KINDS, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS152", "ignore:RS210")

GROUPS = st.lists(labelled_scores(kinds=FLOAT_KINDS), min_size=1, max_size=4)
PARTS = st.one_of(st.integers(0, 4).map(float), st.floats(1e-6, 1e6))
RATIOS = st.tuples(PARTS, PARTS).filter(lambda ratio: ratio != (0, 0))


def radial(groups, **options):
    return rs.average(rs.ScoreSet.from_folds(groups, design="independent"), "radial", **options)


def area_under(average):
    """Of the polyline."""
    return float(np.sum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1])) / 2)


def exact_path(labels, scores):
    """(FPR, FNR) of every vertex as fractions, from the definition."""
    points = [(Fraction(0), Fraction(1))]
    for threshold in sorted(set(scores.tolist()), reverse=True):
        fpr, tpr = brute_force.rates_at(labels, scores, threshold, ">=")
        points.append((Fraction(fpr), 1 - Fraction(tpr)))
    return points


def exact_point(labels, scores, a, b):
    """Where b fpr = a fnr on the path: the last such point for a = 0, the first for b = 0."""
    a, b, points = Fraction(a), Fraction(b), exact_path(labels, scores)
    if a == 0:
        return max((p for p in points if p[0] == 0), key=lambda p: -p[1])
    for (x0, y0), (x1, y1) in pairwise(points):
        before, after = b * x0 - a * y0, b * x1 - a * y1
        if before < 0 <= after:
            share = -before / (after - before)
            return x0 + share * (x1 - x0), y0 + share * (y1 - y0)
    raise AssertionError("the path runs from below 0 to above")


@given(GROUPS, RATIOS)
def test_a_point_is_the_mean_of_the_groups_points(groups, ratio):
    points = [exact_point(*group, *ratio) for group in groups]
    found = radial(groups).at_error_ratio(*ratio)
    assert found.fpr == pytest.approx(float(np.mean([float(x) for x, _ in points])), rel=1e-12, abs=1e-300)
    assert 1 - found.tpr == pytest.approx(float(np.mean([float(y) for _, y in points])), rel=1e-12, abs=1e-15)
    assert ratio[1] * found.fpr == pytest.approx(ratio[0] * (1 - found.tpr), rel=1e-9, abs=1e-9 * max(ratio))


@given(GROUPS)
def test_equal_error_rates_are_averaged(groups):
    average = radial(groups)
    mean = np.mean([rs.roc_curve(*group).equal_error_rate for group in groups])
    assert average.equal_error_rate == pytest.approx(mean, abs=1e-15)
    assert average.at_error_ratio(1, 1).fpr == pytest.approx(mean, abs=1e-15)
    assert average.at_error_ratio(1, 1).fpr == pytest.approx(
        rs.average(rs.ScoreSet.from_folds(groups, design="independent"), "diagonal").equal_error_rate,
        abs=1e-12,
    )


@given(GROUPS)
def test_the_area_is_at_least_the_mean_area(groups):
    average = radial(groups)
    areas = [rs.auc(*group) for group in groups]
    assert average.auc >= np.mean(areas) - 1e-13
    assert average.auc <= 1 + 1e-15


@given(labelled_scores(kinds=FLOAT_KINDS), st.integers(1, 3))
def test_identical_curves_keep_their_area_and_their_shape(group, times):
    average, curve = radial([group] * times), rs.roc_curve(*group)
    assert average.auc == pytest.approx(curve.auc, abs=2e-14)
    at = np.unique(curve.fpr)
    np.testing.assert_allclose(average.tpr_at(at), curve.tpr_at(at), atol=1e-12)


@given(weighted_scores(), weighted_scores())
def test_weighted_rows_keep_the_laws(one, other):
    groups = rs.ScoreSet.from_folds(
        [(labels, np.asarray(scores, dtype=float)) for labels, scores, _ in (one, other)],
        sample_weight=[weights for _, _, weights in (one, other)],
        design="independent",
    )
    curves = rs.roc_curves(groups)
    average = rs.average(curves, "radial")
    assert average.auc >= curves.auc.mean() - 1e-12
    assert average.equal_error_rate == pytest.approx(np.mean([c.equal_error_rate for c in curves]), abs=1e-14)


@given(GROUPS)
def test_the_samples_rise_from_corner_to_corner_and_meet_the_outer_rays(groups):
    average = radial(groups)
    assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(average.fpr) >= 0).all()
    assert (np.diff(average.tpr) >= 0).all()
    no_alarms, no_misses = average.at_error_ratio(0, 1), average.at_error_ratio(1, 0)
    curves = [rs.roc_curve(*group) for group in groups]
    assert no_alarms.fpr == 0
    assert no_misses.tpr == 1
    assert no_alarms.tpr == pytest.approx(np.mean([c.tpr_at(0.0) for c in curves]), abs=1e-14)
    assert no_misses.fpr == pytest.approx(np.mean([c.fpr_at(1.0) for c in curves]), abs=1e-14)
    assert average.tpr_at(0.0) == pytest.approx(no_alarms.tpr, abs=1e-14)


@given(GROUPS, st.randoms(use_true_random=False), RATIOS)
def test_order_and_increasing_transforms_of_a_group_change_nothing(groups, random, ratio):
    moved = [
        (labels, np.unique(scores, return_inverse=True)[1] ** 3 - 5.0 * i)
        for i, (labels, scores) in enumerate(groups)
    ]
    random.shuffle(moved)
    one, other = radial(groups), radial(moved)
    assert one.auc == pytest.approx(other.auc, abs=1e-13)
    assert one.at_error_ratio(*ratio).fpr == pytest.approx(other.at_error_ratio(*ratio).fpr, abs=1e-14)


@given(GROUPS)
def test_exact_area_against_quadrature_between_the_vertices(groups):
    # Half the integral of rho**2 over phi, as it is defined; smooth between the directions of the vertices.
    average = radial(groups)
    curves = [rs.roc_curve(*group) for group in groups]
    bends = np.concatenate([np.arctan2(c.fpr, c.fnr) for c in curves])
    bends = np.unique(np.concatenate([[0, np.pi / 2], bends]))
    node, weight = np.polynomial.legendre.leggauss(60)
    phi = (bends[:-1, None] + bends[1:, None] + np.diff(bends)[:, None] * node) / 2
    point = average.at_error_ratio(np.sin(phi), np.cos(phi))
    rho_squared = point.fpr**2 + (1 - point.tpr) ** 2
    above = np.sum(rho_squared * weight * np.diff(bends)[:, None] / 2) / 2
    assert average.auc == pytest.approx(1 - above, abs=1e-13)


def test_exact_area_of_two_known_curves():
    # A perfect curve and the chance line: the mean has half the error rates of the chance line, whose points
    # are (t, 1 - t) at share t. Above the mean lies a triangle of legs 1/2, so the area is 1 - 1/8.
    perfect, chance = ([1, 0], [1.0, 0.0]), ([1, 0], [1.0, 1.0])
    average = radial([perfect, chance])
    assert average.auc == pytest.approx(0.875, abs=1e-15)
    assert average.at_error_ratio(1, 3).fpr == pytest.approx(0.125, abs=1e-16)
    assert radial([perfect, perfect]).auc == 1
    worst = ([0, 1], [1.0, 0.0])
    assert radial([worst, worst]).auc == pytest.approx(0, abs=1e-14)
    # The worst curve meets share t < 1/2 at (t, 1 - t) / (1 - t) and beyond at (t, 1 - t) / t; with a perfect
    # one at half of that: above lies 2 * integral over t in (0, 1/2) of (1 / (2 (1 - t)))**2 / 2 = 1/4.
    assert radial([worst, perfect]).auc == pytest.approx(0.75, abs=1e-14)


def test_steps_straight_on_make_one_segment_and_no_segment_leaves_its_curve():
    # Up, up, across, across, slanted, up; across, across, up; one step of the chance line.
    paths = ErrorPaths(
        fpr=np.array([0, 0, 0, 0.2, 0.4, 1, 1, 0, 0.5, 1, 1, 0, 1]),
        fnr=np.array([1, 0.8, 0.6, 0.6, 0.6, 0.3, 0, 1, 1, 1, 0, 1, 0]),
        offsets=np.array([0, 7, 11, 13]),
    )
    first, last, curve = _bends(paths)
    assert first.tolist() == [0, 2, 4, 5, 7, 9, 11]
    assert last.tolist() == [2, 4, 5, 6, 9, 10, 12]
    assert curve.tolist() == [0, 0, 0, 0, 1, 1, 2]


def test_spread_and_weights():
    rng = np.random.default_rng(3)
    groups = [(np.arange(40) < 15, rng.normal(size=40) + 1.2 * (np.arange(40) < 15)) for _ in range(5)]
    weights = np.array([1.0, 2.0, 3.0, 0.0, 4.0]) / 10
    points = np.array([[float(v) for v in exact_point(*group, 1, 2)] for group in groups])
    even = radial(groups).at_error_ratio(1, 2, scale="linear")
    assert even.fpr_sd == pytest.approx(points[:, 0].std(ddof=1), rel=1e-12)
    assert even.tpr_sd == pytest.approx(points[:, 1].std(ddof=1), rel=1e-12)
    assert even.fpr_standard_error == pytest.approx(points[:, 0].std(ddof=1) / np.sqrt(5), rel=1e-12)
    assert even.covariance == pytest.approx(-even.fpr_sd * even.tpr_sd, rel=1e-9)
    assert even.fpr_interval.high - even.fpr == pytest.approx(2.7764451 * even.fpr_standard_error, rel=1e-6)
    weighted = radial(groups, group_weights=weights)
    assert weighted.at_error_ratio(1, 2).fpr == pytest.approx(weights @ points[:, 0], rel=1e-12)
    without = radial(
        [g for g, w in zip(groups, weights, strict=True) if w], group_weights=weights[weights > 0]
    )
    assert weighted.auc == pytest.approx(without.auc, abs=1e-14)
    assert weighted.at_error_ratio(1, 2).fpr_sd == pytest.approx(without.at_error_ratio(1, 2).fpr_sd)


def test_one_group_has_no_spread():
    average = radial([([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2])])
    point = average.at_error_ratio(1, 1)
    assert np.isnan([point.fpr_sd, point.tpr_sd, point.covariance, point.fpr_standard_error]).all()
    assert "the spread" in point.reading


def test_arrays_and_broadcasting():
    average = radial([([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])])
    found = average.at_error_ratio([[0, 1], [1, 2]], 1)
    assert found.fpr.shape == found.covariance.shape == found.fpr_interval.low.shape == (2, 2)
    assert found.fpr[1, 1] == average.at_error_ratio(2, 1).fpr
    assert found.thresholds is None
    assert list(average.at_error_ratio([1, 2], 1).to_frame().columns)[:3] == ["ratio", "fpr", "tpr"]
    assert average.at_error_ratio(1e-300, 1e-300).fpr == average.at_error_ratio(1, 1).fpr


@pytest.mark.parametrize(
    "ratio", [(0, 0), (-1, 1), (1, np.inf), (np.nan, 1), ([1, 0], [1, 0]), ([1, 2], [1, 2, 3])]
)
def test_ratios_that_are_none(ratio):
    average = radial([([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2])])
    with pytest.raises(rs.RocsteadyError, match="RS042"):
        average.at_error_ratio(*ratio)


def test_words_points_and_bands():
    rng = np.random.default_rng(5)
    labels = np.tile(np.repeat(["attack", "normal"], [12, 20]), 10)
    scores = rng.normal(size=320) + 1.3 * (labels == "attack")
    hosts = rs.ScoreSet.from_frame(
        {"y": labels, "s": scores, "host": np.repeat([f"h{i}" for i in range(10)], 32)},
        label="y", score="s", group="host", positive="attack",
    )  # fmt: skip
    average = rs.average(hosts, "radial")
    reading = average.at_error_ratio(1, 2).reading
    assert "FPR : FNR = 1 : 2" in reading
    assert "thresholds run from" in reading
    point = average.at(fpr=0.1)
    assert point.tpr_interval.low < point.tpr < point.tpr_interval.high
    for kind in ("pointwise", "simultaneous"):
        band = average.band(kind=kind, n_resamples=200)
        inside = np.isfinite(band.lower.tpr)
        assert inside.sum() > 100
        assert (band.lower.tpr[inside] <= band.upper.tpr[inside]).all()
        np.testing.assert_allclose(band.middle.tpr, average.tpr_at(band.middle.fpr))
    assert average.to_dict()["method"] == "radial"
    with pytest.raises(rs.RocsteadyError, match="RS084"):
        average.at(threshold=0.5)


def test_many_groups_are_sampled_and_their_area_is_exact():
    # 300 curves of 300 points: there are more directions than are sampled, so the polyline only comes close.
    rng = np.random.default_rng(1)
    n_groups, n = 300, 300
    labels = rng.random(n_groups * n) < 0.4
    scores = np.where(rng.random(n_groups * n) < 0.5, rng.normal(size=n_groups * n), 0) + labels
    average = rs.average(rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), n)), "radial")
    assert average.fpr.size < 20_000
    assert area_under(average) == pytest.approx(average.auc, abs=1e-6)


@pytest.mark.parametrize("n_groups", [3, 10])
def test_intervals_cover_the_mean_of_very_many_groups(n_groups):
    # A reduced form of simulations/tuned_averages.py: groups whose separations scatter.
    rng = np.random.default_rng(n_groups)
    replicates, n = 500, 30
    separations = rng.normal(1.5, 0.3, size=replicates * n_groups)
    labels = np.tile(np.arange(2 * n) < n, separations.size)
    scores = rng.normal(size=labels.size) + np.repeat(separations, 2 * n) * labels
    groups = np.repeat(np.arange(separations.size), 2 * n)
    curves = rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, groups))
    sets = [list(curves[i : i + n_groups]) for i in range(0, separations.size, n_groups)]
    target = rs.average(curves, "radial").at_error_ratio(1, 2)
    points = [rs.average(own, "radial").at_error_ratio(1, 2) for own in sets]
    for rate in ("fpr", "tpr"):
        intervals = [getattr(point, f"{rate}_interval") for point in points]
        share = np.mean([own.low <= getattr(target, rate) <= own.high for own in intervals])
        assert 0.95 - 4 * np.sqrt(0.05 * 0.95 / replicates) < share < 0.985
