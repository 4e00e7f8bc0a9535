"""The tangent average: every group at the threshold that costs it least."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from strategies import FLOAT_KINDS, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS152")

GROUPS = st.lists(labelled_scores(kinds=FLOAT_KINDS), min_size=1, max_size=5)
COST = st.one_of(st.integers(0, 5).map(float), st.floats(1e-3, 1e3))
COSTS = st.fixed_dictionaries(
    {"false_positive": COST, "false_negative": COST, "prevalence": st.sampled_from([0.5, 0.2, 0.25]) | st.floats(1e-3, 0.999)}
).filter(lambda costs: costs["false_positive"] + costs["false_negative"] > 0)  # fmt: skip


def tangent(groups, **options):
    return rs.average(rs.ScoreSet.from_folds(groups, design="independent"), "tangent", **options)


def cheapest(curve, false_positive, false_negative, prevalence):
    """The least cost of any vertex, from the definition."""
    return np.min(prevalence * false_negative * curve.fnr + (1 - prevalence) * false_positive * curve.fpr)


@given(GROUPS, COSTS, st.data())
def test_its_minimal_cost_is_the_mean_of_the_minimal_costs(groups, costs, data):
    weights = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(groups), max_size=len(groups))))
    average = tangent(groups, group_weights=weights)
    mean = np.average([cheapest(rs.roc_curve(*group), **costs) for group in groups], weights=weights)
    scale = max(costs["false_positive"], costs["false_negative"])
    assert average.minimum_cost(**costs) == pytest.approx(mean, abs=1e-12 * scale)
    found = average.at_costs(**costs)
    assert found.cost == pytest.approx(mean, abs=1e-12 * scale)
    # The mean of the optimal points lies on the curve, and has that cost.
    assert average.tpr_at(found.fpr) >= found.tpr - 1e-12


@given(GROUPS)
def test_the_area_is_at_least_the_mean_area_of_the_hulls(groups):
    curves = [rs.roc_curve(*group) for group in groups]
    average = tangent(groups)
    hulls = np.mean([curve.hull().auc for curve in curves])
    assert average.auc >= hulls - 1e-13
    assert hulls >= np.mean([curve.auc for curve in curves]) - 1e-13


@given(GROUPS)
def test_a_concave_path_from_corner_to_corner(groups):
    average = tangent(groups)
    assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)
    dx, dy = np.diff(average.fpr), np.diff(average.tpr)
    assert (dx >= 0).all()
    assert (dy >= 0).all()
    assert (dx[:-1] * dy[1:] - dy[:-1] * dx[1:] <= 1e-15).all()


@given(labelled_scores(kinds=FLOAT_KINDS), st.integers(1, 4))
def test_identical_curves_give_their_hull(group, times):
    average, hull = tangent([group] * times), rs.roc_curve(*group).hull()
    np.testing.assert_allclose(average.fpr, hull.fpr, atol=1e-15)
    np.testing.assert_allclose(average.tpr, hull.tpr, atol=1e-15)


@given(weighted_scores(), weighted_scores(), COSTS)
def test_weighted_rows_keep_the_law_of_costs(one, other, costs):
    curves = rs.roc_curves(
        rs.ScoreSet.from_folds(
            [(labels, np.asarray(scores, dtype=float)) for labels, scores, _ in (one, other)],
            sample_weight=[weights for _, _, weights in (one, other)],
            design="independent",
        )
    )
    average = rs.average(curves, "tangent")
    scale = max(costs["false_positive"], costs["false_negative"])
    mean = np.mean([cheapest(curve, **costs) for curve in curves])
    assert average.minimum_cost(**costs) == pytest.approx(mean, abs=1e-12 * scale)
    assert average.at_costs(**costs).cost == pytest.approx(mean, abs=1e-12 * scale)


@given(GROUPS, COSTS)
def test_the_average_along_the_cost_direction_understates_it(groups, costs):
    score_set = rs.ScoreSet.from_folds(groups, design="independent")
    along = rs.average(score_set, rs.AtCosts(**costs))
    scale = max(costs["false_positive"], costs["false_negative"])
    assert (
        along.minimum_cost(**costs) >= rs.average(score_set, "tangent").minimum_cost(**costs) - 1e-12 * scale
    )


@given(GROUPS, st.randoms(use_true_random=False))
def test_order_and_increasing_transforms_of_a_group_change_nothing(groups, random):
    moved = [
        (labels, np.unique(scores, return_inverse=True)[1] ** 3 - 5.0 * i)
        for i, (labels, scores) in enumerate(groups)
    ]
    random.shuffle(moved)
    one, other = tangent(groups), tangent(moved)
    np.testing.assert_allclose(one.fpr, other.fpr, atol=1e-12)
    np.testing.assert_allclose(one.tpr, other.tpr, atol=1e-12)


@given(GROUPS)
def test_the_mean_of_its_points_is_the_curve(groups):
    average = tangent(groups)
    fpr, tpr, weights, _ = average._points
    x, y = weights @ fpr, weights @ tpr
    np.testing.assert_allclose(
        average.tpr_at(np.clip(x, 0, 1)), np.maximum(y, average.tpr_at(np.clip(x, 0, 1))), atol=1e-12
    )
    area = float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)
    assert area == pytest.approx(average.auc, abs=1e-12)


def test_ties_go_to_the_strictest_threshold():
    # One step to (0, 1/2), an edge of slope 1 to (1/2, 1): at 1 : 1 both of its ends cost the same.
    group = ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])
    point = tangent([group]).at_costs(false_positive=1, false_negative=1, prevalence=0.5)
    assert (point.fpr, point.tpr, point.thresholds) == (0, 0.5, (0.8, 0.8))
    # Without a cost of misses the highest point without false alarms, without one of alarms the lowest without misses.
    point = tangent([group]).at_costs(false_positive=1, false_negative=0, prevalence=0.5)
    assert (point.fpr, point.tpr, point.cost) == (0, 0.5, 0)
    point = tangent([group]).at_costs(false_positive=0, false_negative=1, prevalence=0.5)
    assert (point.fpr, point.tpr, point.cost) == (0.5, 1, 0)


def test_spread_of_costs():
    rng = np.random.default_rng(3)
    groups = [(np.arange(40) < 15, rng.normal(size=40) + 1.2 * (np.arange(40) < 15)) for _ in range(6)]
    costs = {"false_positive": 1, "false_negative": 4, "prevalence": 0.3}
    own = np.array([cheapest(rs.roc_curve(*group), **costs) for group in groups])
    point = tangent(groups).at_costs(**costs)
    assert point.cost_sd == pytest.approx(own.std(ddof=1), rel=1e-12)
    assert point.cost_standard_error == pytest.approx(own.std(ddof=1) / np.sqrt(6), rel=1e-12)
    half = 2.5705818 * point.cost_standard_error
    assert point.cost_interval.high - point.cost == pytest.approx(half, rel=1e-6)
    best = [rs.roc_curve(*group).cost_curve().threshold_at(0.3 * 4 / (0.3 * 4 + 0.7)) for group in groups]
    assert point.thresholds == (min(best), max(best))
    alone = tangent(groups[:1]).at_costs(**costs)
    assert np.isnan(
        [alone.cost_sd, alone.cost_standard_error, alone.cost_interval.low, alone.covariance]
    ).all()
    assert alone.cost == pytest.approx(own[0], rel=1e-12)


def test_words_points_and_bands():
    rng = np.random.default_rng(5)
    labels = np.tile(np.arange(32) < 12, 10)
    scores = rng.normal(size=320) + 1.3 * labels
    groups = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(10), 32))
    average = rs.average(groups, "tangent")
    assert "optimistic" in average.reading
    assert "AtCosts" in average.reading
    reading = average.at_costs(false_positive=1, false_negative=20, prevalence=0.03).reading
    assert "costs 1 : 20" in reading
    assert "prevalence of 3 %" in reading
    point = average.at(fpr=0.1)
    assert point.tpr_interval.low < point.tpr < point.tpr_interval.high
    for kind in ("pointwise", "simultaneous"):
        band = average.band(kind=kind, n_resamples=200)
        inside = np.isfinite(band.lower.tpr)
        assert inside.sum() > 100
        assert (band.lower.tpr[inside] <= band.upper.tpr[inside]).all()
    assert average.to_dict()["auc"] == average.auc
    assert list(average.to_frame().columns) == ["fpr", "tpr"]


@pytest.mark.parametrize(
    ("costs", "code"),
    [
        ({"false_positive": 0, "false_negative": 0, "prevalence": 0.5}, "RS081"),
        ({"false_positive": -1, "false_negative": 1, "prevalence": 0.5}, "RS081"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": 1}, "RS042"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": 0.5, "quantile": "z"}, "RS001"),
    ],
)
def test_costs_that_are_none(costs, code):
    with pytest.raises(rs.RocsteadyError, match=code):
        tangent([([1, 0], [0.9, 0.4])]).at_costs(**costs)


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
    costs = {"false_positive": 1.0, "false_negative": 4.0, "prevalence": 0.2}
    target = rs.average(curves, "tangent").at_costs(**costs)
    points = [rs.average(own, "tangent").at_costs(**costs) for own in sets]
    for name in ("cost", "fpr", "tpr"):
        intervals = [getattr(point, f"{name}_interval") for point in points]
        share = np.mean([own.low <= getattr(target, name) <= own.high for own in intervals])
        assert 0.95 - 4 * np.sqrt(0.05 * 0.95 / replicates) < share < 0.985
