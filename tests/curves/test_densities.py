"""Densities of scores: what lies beyond the end of a bin is what a threshold there calls positive."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import gaussian_kde

import rocsteady as rs
from rocsteady.curves.densities import round_edges, score_densities, score_quantiles
from rocsteady.errors import DataError, UsageError

INF = float("inf")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    labels = rng.random(600) < 0.3
    return labels, rng.normal(size=600) + 1.5 * labels, rng.integers(0, 12, 600), rng.uniform(0.1, 3, 600)


def beyond(shares, outside, *, higher_is_positive: bool):
    """The share at or beyond the near end of each bin."""
    ordered = shares[::-1] if higher_is_positive else shares
    sums = np.cumsum(ordered) + outside
    return sums[::-1] if higher_is_positive else sums


def require_ends_are_thresholds(found) -> None:
    higher = found.higher_is_positive
    far = [own for own in found.outside if own.side == ("high" if higher else "low")]
    ends = found.low if higher else found.high
    rates = found.rates_at(ends)
    for shares, name, rate in (
        (found.negative_share, "negative_share", rates.fpr),
        (found.positive_share, "positive_share", rates.tpr),
    ):
        outside = sum(getattr(own, name) for own in far)
        np.testing.assert_allclose(beyond(shares, outside, higher_is_positive=higher), rate, atol=1e-12)
        total = shares.sum() + sum(getattr(own, name) for own in found.outside)
        assert total == pytest.approx(1, abs=1e-12)


SCORES = st.one_of(
    st.floats(-1e3, 1e3),
    st.sampled_from([INF, -INF, 1e300, -1e300, 0.0, 0.1, 0.2, 0.3]),
    st.integers(-5, 5).map(float),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), SCORES), min_size=2, max_size=60).filter(
        lambda rows: len({label for label, _ in rows}) == 2
    ),
    st.booleans(),
    st.sampled_from([None, 1, 7, "values", [-2.0, 0.1, 0.3, 500.0]]),
)
def test_ends_of_bins_are_thresholds(rows, higher, bins) -> None:
    labels, scores = zip(*rows, strict=True)
    found = score_densities(labels, scores, bins=bins, higher_is_positive=higher)
    require_ends_are_thresholds(found)
    counted = [found.positives.sum(), found.negatives.sum()]
    counted[0] += sum(own.n_positives for own in found.outside)
    counted[1] += sum(own.n_negatives for own in found.outside)
    assert counted == [sum(labels), len(labels) - sum(labels)]
    if bins is None and found.low.size > 1 and not found.is_discrete:
        assert (np.diff(found.low) > 0).all()
        assert found.low.size <= 61


def test_groups_count_once_as_in_the_threshold_average(rows) -> None:
    labels, scores, groups, weights = rows
    for sample_weight in (None, weights):
        hosts = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=sample_weight, unit="host")
        found = score_densities(hosts, per_group=True)
        average = rs.average(hosts, "threshold")
        assert found.curve.auc == pytest.approx(average.auc, abs=1e-12)
        at = average.rates_at(found.low)
        np.testing.assert_allclose(
            beyond(found.negative_share, 0, higher_is_positive=True), at.fpr, atol=1e-12
        )
        np.testing.assert_allclose(
            beyond(found.positive_share, 0, higher_is_positive=True), at.tpr, atol=1e-12
        )
        assert found.what_counts == "12 hosts, each counting once"
        pooled = score_densities(hosts)
        np.testing.assert_allclose(pooled.positives, found.positives)
        assert not np.allclose(pooled.positive_share, found.positive_share)
        assert pooled.curve.auc == pytest.approx(rs.average(hosts, "pooled").auc, abs=1e-12)


def test_groups_of_one_class_count_only_among_all_cases() -> None:
    hosts = rs.ScoreSet.from_arrays([1, 0, 0, 0], [3, 1, 2, 2], ["a", "a", "b", "b"])
    each = score_densities(hosts, per_group=True)
    assert (each.undefined, each.n_groups, each.negatives.sum()) == (("b: no positives",), 1, 1)
    assert "1 group of one class left out" in each.reading
    assert score_densities(hosts).negatives.sum() == 3
    apart = rs.ScoreSet.from_arrays([1, 1, 0, 0], [3, 1, 2, 2], ["a", "a", "b", "b"])
    assert score_densities(apart).curve.auc == 0.5
    with pytest.raises(DataError, match="RS032"):
        score_densities(apart, per_group=True)
    with pytest.raises(DataError, match="RS032"):
        score_densities(rs.ScoreSet.from_arrays([1, 1], [3, 1], ["a", "b"]))
    with pytest.raises(DataError, match="RS024"):
        score_densities([1, 1], [1, 2])


def test_one_far_score_does_not_stretch_the_bins(rows) -> None:
    labels, scores, *_ = rows
    plain = score_densities(labels, scores)
    for far in (1e6, 1e300, INF):
        moved = scores.copy()
        moved[np.flatnonzero(~labels)[0]] = far
        found = score_densities(labels, moved)
        assert (found.low[0], found.high[-1]) == pytest.approx((plain.low[0], plain.high[-1]), abs=0.6)
        (outside,) = found.outside
        assert (outside.side, outside.n_negatives, outside.n_positives) == ("high", 1, 0)
        assert outside.where == ("at inf" if far == INF else f"above {found.high[-1]:.4g}")
        assert "1 negative" in found.reading
        assert "1 case outside" in repr(found)


def test_a_rare_class_far_away_is_not_called_far_out() -> None:
    rng = np.random.default_rng(0)
    scores = np.append(rng.normal(size=5000), 40 + rng.normal(size=50))
    found = score_densities(np.arange(5050) >= 5000, scores)
    assert found.outside == ()
    assert found.high[-1] >= scores.max()
    # Nor is a tenth of the positives, however far from the others.
    scores[-5:] = 1000
    assert score_densities(np.arange(5050) >= 5000, scores).high[-1] >= 1000


def test_few_values_have_a_bar_each() -> None:
    ratings = score_densities([1, 1, 0, 0, 1, 0], [5, 4, 4, 1, 5, 1])
    assert ratings.is_discrete
    assert ratings.low.tolist() == ratings.high.tolist() == [1, 4, 5]
    assert (ratings.positives.tolist(), ratings.negatives.tolist()) == ([0, 1, 2], [2, 1, 0])
    constant = score_densities([1, 0], [0.5, 0.5])
    assert (constant.low.tolist(), constant.positive_share.tolist()) == ([0.5], [1.0])
    assert not score_densities([1, 0, 1], [0.5, 0.41, 0.2]).is_discrete
    nowhere = score_densities([1, 0], [INF, -INF])
    assert nowhere.low.size == 0
    assert [(own.where, own.side) for own in nowhere.outside] == [("at -inf", "low"), ("at inf", "high")]
    ends = score_densities([1, 0], [1.0, 0.0], scale="log-odds").outside
    assert [(own.where, own.side) for own in ends] == [("at 0", "low"), ("at 1", "high")]
    assert nowhere.reading.startswith("No score is finite.")


def test_bins_are_round_and_rounded_scores_fall_evenly_into_them() -> None:
    labels = np.arange(1001) % 2
    found = score_densities(labels, np.arange(1001) / 1000)
    counts = found.positives + found.negatives
    assert set(counts[:-1].tolist()) == {counts[0]}  # the last holds its own end, too
    assert counts[-1] == counts[0] + 1
    assert 0.3 in found.low
    assert round_edges(-7.0, 12.0, 20).tolist() == list(range(-7, 13))
    assert round_edges(1e16, 1e16 + 8, 4).size == 5


@pytest.mark.parametrize("scale", ["log", "log-odds"])
def test_scales_spread_out_what_lies_close_to_their_ends(scale, rows) -> None:
    labels, scores, *_ = rows
    given = np.exp(5 * scores) if scale == "log" else 1 / (1 + np.exp(-5 * scores))
    given = np.append(given, [0.0, 1.0])
    found = score_densities(np.append(labels, [True, False]), given, scale=scale)
    assert found.is_even
    assert not np.allclose(np.diff(found.low), np.diff(found.low)[0])
    assert [own.where for own in found.outside] == (["at 0"] if scale == "log" else ["at 0", "at 1"])
    require_ends_are_thresholds(found)
    with pytest.raises(UsageError, match="RS042"):
        score_densities([1, 0], [-1.0, 0.5], scale=scale)
    with pytest.raises(UsageError, match="RS042"):
        score_densities([1, 0], [0.2, 0.5], scale=scale, bins=[0.0, 0.5, 0.9])


def test_densities_of_uneven_bins_are_shares_over_widths(rows) -> None:
    labels, scores, *_ = rows
    found = score_densities(labels, scores, bins=[-5, 0, 1, 8])
    assert not found.is_even
    np.testing.assert_allclose(found.positive_density, found.positive_share / [5, 1, 7])
    np.testing.assert_allclose(found.negative_density, found.negative_share / [5, 1, 7])


def test_scores_may_come_as_scores_sets_curves_or_arrays(rows) -> None:
    labels, scores, *_ = rows
    ways = [
        score_densities(labels, scores),
        score_densities(rs.Scores(labels, scores)),
        score_densities(rs.ScoreSet.from_arrays(labels, scores)),
        score_densities(rs.roc_curve(labels, scores)),
    ]
    for other in ways[1:]:
        np.testing.assert_array_equal(other.positives, ways[0].positives)
        np.testing.assert_array_equal(other.low, ways[0].low)
    assert ways[0].to_frame()["positives"].sum() == labels.sum()
    json.dumps(ways[0].to_dict(), allow_nan=False)
    assert "\n" not in repr(ways[0])
    with pytest.raises(ValueError, match="read-only"):
        ways[0].positive_share[0] = 1


@pytest.mark.parametrize("bins", [0, -3, 2.5, "auto", [1], [2, 1], [0, np.nan], [0, INF], 10**9, True])
def test_bins_that_are_none_are_refused(bins) -> None:
    with pytest.raises(UsageError, match="RS042"):
        score_densities([1, 0], [1.0, 2.0], bins=bins)


def test_what_has_no_scores_of_one_model_is_refused() -> None:
    two = rs.ScoreSet.from_arrays([1, 0], {"x": [1, 2], "y": [2, 1]})
    with pytest.raises(UsageError, match="RS002") as caught:
        score_densities(two)
    assert "score_set.model('x')" in str(caught.value)
    with pytest.raises(UsageError, match="RS002"):
        score_densities([1, 0])
    with pytest.raises(UsageError, match="RS001"):
        score_densities([1, 0], [1, 2], scale="sqrt")
    with pytest.raises(UsageError, match="RS042"):
        score_densities(np.arange(5000) % 2, np.arange(5000), bins="values")


@pytest.mark.parametrize("is_weighted", [False, True])
def test_quantiles_of_groups_are_those_of_their_rows(rows, is_weighted) -> None:
    labels, scores, group, weights = rows
    kept = (group != 3) | ~labels  # a group without positives
    weights = np.ceil(weights)[kept] if is_weighted else None
    given = rs.ScoreSet.from_arrays(labels[kept], scores[kept], group[kept], sample_weight=weights)
    found = score_quantiles(given)
    assert len(found.to_dict()["positives"]) == len(given.groups)
    for number, name in enumerate(given.groups):
        for label, quantiles in ((True, found.positives), (False, found.negatives)):
            rows_of = (group[kept].astype(str) == name) & (labels[kept] == label)
            own = scores[kept][rows_of]
            if not own.size:
                assert np.isnan(quantiles[number]).all()
                continue
            if weights is not None:
                own = np.repeat(own, weights[rows_of].astype(int))
            expected = np.quantile(own, found.shares, method="inverted_cdf")
            np.testing.assert_array_equal(quantiles[number], expected)


# Smooth densities ---------------------------------------------------------------------------------------


def test_smooth_densities_are_those_of_scipy(rows):
    labels, scores, _, _ = rows
    found = score_densities(labels, scores)
    smooth = found.smooth()
    is_inside = (scores >= found.low[0]) & (scores <= found.high[-1])
    for side, density, width in (
        (labels, smooth.positive, smooth.positive_bandwidth),
        (~labels, smooth.negative, smooth.negative_bandwidth),
    ):
        own = scores[side & is_inside]
        kernel = gaussian_kde(own, bw_method=width / own.std(ddof=1))
        wanted = kernel(smooth.place) * own.size / side.sum()
        np.testing.assert_allclose(density, wanted, atol=1e-3 * wanted.max())
        inner = np.subtract(*np.quantile(own, [0.75, 0.25], method="inverted_cdf")) / 1.349
        usual = 0.9 * min(own.std(ddof=1), inner) * own.size**-0.2
        assert width == pytest.approx(usual, rel=0.02)
    wide = found.smooth(0.5)
    assert (wide.positive_bandwidth, wide.negative_bandwidth) == pytest.approx((0.5, 0.5))
    assert wide.positive.max() < smooth.positive.max()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), SCORES), min_size=2, max_size=60).filter(
        lambda rows: (
            len({label for label, _ in rows}) == 2 and len({own for _, own in rows if abs(own) < INF}) > 1
        )
    ),
    st.sampled_from([None, 0.3]),
)
def test_the_area_under_a_smooth_density_is_the_share_in_the_bins(rows, bandwidth):
    labels, scores = (np.array(own) for own in zip(*rows, strict=True))
    found = score_densities(labels, scores, bins=12)
    smooth = found.smooth(bandwidth)
    assume(np.isfinite(smooth.positive + smooth.negative).all())  # scores that hardly differ
    assert (np.diff(smooth.place) > 0).all()
    for density, shares in (
        (smooth.positive, found.positive_share),
        (smooth.negative, found.negative_share),
    ):
        assert (density >= 0).all()
        area = float((density[1:] / 2 + density[:-1] / 2) @ np.diff(smooth.place))
        assert area == pytest.approx(shares.sum(), abs=4e-3)  # but for tails beyond 3 bandwidths


def test_smooth_densities_know_weights_groups_directions_and_scales(rows):
    labels, scores, groups, _ = rows
    times = 1 + np.arange(600) % 3
    bins = np.linspace(-5, 6, 12)
    weighted = score_densities(labels, scores, sample_weight=times, bins=bins).smooth(0.4)
    repeated = score_densities(np.repeat(labels, times), np.repeat(scores, times), bins=bins).smooth(0.4)
    np.testing.assert_allclose(weighted.positive, repeated.positive, atol=1e-12)
    turned = score_densities(labels, -scores, bins=-bins[::-1], higher_is_positive=False).smooth(0.4)
    np.testing.assert_allclose(turned.positive, repeated_of(labels, scores, bins)[::-1], atol=1e-9)
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    each = [score_densities(score_set[k], bins=bins).smooth(0.4) for k in range(len(score_set))]
    together = score_densities(score_set, per_group=True, bins=bins).smooth(0.4)
    np.testing.assert_allclose(together.negative, np.mean([own.negative for own in each], axis=0), atol=1e-12)
    chances = 1 / (1 + np.exp(-scores))
    odds = score_densities(labels, chances, scale="log-odds", bins=1 / (1 + np.exp(-bins))).smooth(0.4)
    np.testing.assert_allclose(odds.positive, repeated_of(labels, scores, bins), atol=1e-6)


def repeated_of(labels, scores, bins):
    return score_densities(labels, scores, bins=bins).smooth(0.4).positive


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 0.4), (0.6, 1.0), (0.45, 0.55)])
def test_densities_of_scores_between_0_and_1_stay_there(rows, low, high):
    labels, scores, _, _ = rows
    chances = low + (high - low) / (1 + np.exp(-2 * scores))
    smooth = score_densities(labels, chances, bins=np.linspace(low, high, 21)).smooth()
    assert smooth.place[0] >= 0
    assert smooth.place[-1] <= 1
    assert (smooth.place[0] == 0) == (low == 0)
    assert (smooth.place[-1] == 1) == (high == 1)
    for side, density, width in (
        (labels, smooth.positive, smooth.positive_bandwidth),
        (~labels, smooth.negative, smooth.negative_bandwidth),
    ):
        own = chances[side]
        mirrored = np.concatenate([own, -own, 2 - own])
        away = (smooth.place[:, None] - mirrored) / width
        wanted = np.exp(-(away**2) / 2).sum(axis=1) / (own.size * width * np.sqrt(2 * np.pi))
        np.testing.assert_allclose(density, wanted, atol=2e-3 * wanted.max())


def test_one_group_counts_once_in_any_case(rows):
    labels, scores, _, _ = rows
    one = rs.ScoreSet.from_arrays(labels, scores, np.zeros(600, dtype=int), unit="site")
    found = score_densities(one, per_group=True)
    assert str(found.what_counts) == "600 cases"
    np.testing.assert_array_equal(found.positive_share, score_densities(labels, scores).positive_share)


def test_smooth_densities_that_are_none_are_refused(rows):
    labels, scores, groups, _ = rows
    for wrong in (0, -1, "x", INF, np.nan, [1, 2]):
        with pytest.raises(UsageError, match="RS042"):
            score_densities(labels, scores).smooth(wrong)
    with pytest.raises(UsageError, match="RS042") as caught:
        score_densities(labels, groups).smooth()
    assert "kind='overlaid'" in str(caught.value)
    one = score_densities(labels, np.where(labels, 1.0, np.arange(600.0)))  # all positives alike
    assert one.smooth().positive_bandwidth > 0
