"""Averages are exact at their jumps: what a user's float is compared with is a correctly rounded rate.

Everything here is checked against fractions. An average that is an ulp off at a jump reads the wrong end of it,
which is off by the whole jump: a perfect group had FPR 1 at TPR 1.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from strategies import grouped_scores

pytestmark = pytest.mark.filterwarnings(
    "ignore:RS101",  # few distinct scores on purpose
    "ignore:RS210",
    "ignore:RS240",
    "ignore:RS241",
)

OBLIQUE = (
    "diagonal",
    rs.AtAngle(0.3),
    rs.AtAngle(1.2),
    rs.AtAngle(1e-4),
    rs.AtCosts(false_positive=1, false_negative=10, prevalence=0.1),
    rs.AtAlarmRate(prevalence=0.01),
    rs.AtAlarmRate(prevalence=0.4),
)
ALONG = ("vertical", "horizontal", *OBLIQUE)
SETS = grouped_scores(kinds=("tied floats", "any floats"), max_per_class=9)
WEIGHT = st.one_of(
    st.sampled_from([1.0, 2.0, 3.0, 7.0, 0.1, 0.3]), st.floats(1e-6, 1e6), st.integers(1, 10**6).map(float)
)


@st.composite
def weighted_sets(draw: st.DrawFn) -> tuple[list, list[float]]:
    """Groups and what they count, 0 among it, not everywhere."""
    groups = draw(SETS)
    weights = draw(st.lists(st.one_of(WEIGHT, st.just(0.0)), min_size=len(groups), max_size=len(groups)))
    weights[0] = weights[0] or 1.0
    return groups, weights


class Exact:
    """One curve in fractions."""

    def __init__(self, labels: Any, scores: Any) -> None:
        curve = rs.roc_curve(labels, scores)
        self.curve = curve
        self.x = [Fraction(int(n), int(curve.n_negatives)) for n in curve.false_positives]
        self.y = [Fraction(int(n), int(curve.n_positives)) for n in curve.true_positives]

    def tpr_at(self, x: Fraction, side: str = "upper") -> Fraction:
        return _read(self.x, self.y, x, last=side == "upper")

    def fpr_at(self, y: Fraction, side: str = "lower") -> Fraction:
        return _read(self.y, self.x, y, last=side == "upper")


def _read(held: list[Fraction], free: list[Fraction], at: Fraction, *, last: bool) -> Fraction:
    met = [k for k, value in enumerate(held) if value == at]
    if met:
        return free[met[-1 if last else 0]]
    k = next(k for k, value in enumerate(held) if value > at)
    share = (at - held[k - 1]) / (held[k] - held[k - 1])
    return free[k - 1] + share * (free[k] - free[k - 1])


def _mean(values: list[Fraction], weights: list[float]) -> float:
    """The weighted mean, rounded once."""
    parts = [Fraction(weight) for weight in weights]
    return float(sum(map(Fraction.__mul__, parts, values), Fraction(0)) / sum(parts))


def _weighed(groups: list, weights: list[float]) -> tuple[list[Exact], list[float]]:
    """The curves that count, and what they count."""
    curves = [Exact(*group) for group in groups]
    kept = [k for k, weight in enumerate(weights) if weight]
    return [curves[k] for k in kept], [weights[k] for k in kept]


def _own_rates(curves: list[Exact]) -> list[Fraction]:
    """k / n for the n of every class of every curve."""
    totals = {int(n) for own in curves for n in (own.curve.n_positives, own.curve.n_negatives)}
    return sorted({Fraction(k, n) for n in totals for k in range(n + 1)})


@given(SETS.map(lambda groups: groups[0]), st.integers(1, 4), st.lists(WEIGHT, min_size=4, max_size=4))
def test_identical_groups_average_to_their_curve_at_every_share_of_their_cases(
    group: tuple, n_groups: int, weights: list[float]
) -> None:
    labels, scores = group
    # The same curve of more cases is the same curve.
    groups = [(np.tile(labels, k + 1), np.tile(scores, k + 1)) for k in range(n_groups)]
    score_set, own = rs.ScoreSet.from_folds(groups, design="independent"), rs.roc_curve(labels, scores)
    for method in ("threshold", *ALONG):
        average = rs.average(score_set, method, group_weights=weights[:n_groups])
        for n, k in itertools.chain.from_iterable(
            ((n, k) for k in range(n + 1)) for n in (int(own.n_negatives), int(own.n_positives))
        ):
            for side in ("upper", "lower"):
                assert average.tpr_at(k / n, side) == pytest.approx(own.tpr_at(k / n, side), abs=1e-12)
                assert average.fpr_at(k / n, side) == pytest.approx(own.fpr_at(k / n, side), abs=1e-12)


@given(weighted_sets(), st.sampled_from(OBLIQUE))
def test_oblique_averages_reach_the_top_with_the_last_group_and_leave_fpr_0_with_the_first(
    given_set: tuple, method: Any
) -> None:
    groups, weights = given_set
    average = rs.average(rs.ScoreSet.from_folds(groups, design="independent"), method, group_weights=weights)
    curves, _ = _weighed(groups, weights)
    top = float(max(own.fpr_at(Fraction(1)) for own in curves))
    bottom = float(min(own.tpr_at(Fraction(0)) for own in curves))
    assert average.fpr_at(1.0) == average.at(tpr=1).fpr == top
    assert average.tpr_at(0.0) == average.at(fpr=0).tpr == bottom
    assert average.tpr_at(top) == 1.0
    assert average.fpr_at(bottom) == 0.0


@given(weighted_sets())
def test_vertical_averages_are_weighted_means_at_every_share_of_cases(given_set: tuple) -> None:
    groups, weights = given_set
    average = rs.average(
        rs.ScoreSet.from_folds(groups, design="independent"), "vertical", group_weights=weights
    )
    curves, own_weights = _weighed(groups, weights)
    for x in _own_rates(curves):
        for side in ("upper", "lower"):
            exact = _mean([own.tpr_at(x, side) for own in curves], own_weights)
            is_exact = all(any(x == at for at in own.x) or _is_flat(own, x) for own in curves)
            assert average.tpr_at(float(x), side) == (exact if is_exact else pytest.approx(exact, abs=1e-12))
    assert average.at(fpr=0).tpr == _mean([own.tpr_at(Fraction(0)) for own in curves], own_weights)
    top = float(max(own.fpr_at(Fraction(1)) for own in curves))
    assert average.fpr_at(1.0) == average.at(tpr=1).fpr == top


@given(weighted_sets())
def test_horizontal_averages_are_weighted_means_at_every_share_of_cases(given_set: tuple) -> None:
    groups, weights = given_set
    average = rs.average(
        rs.ScoreSet.from_folds(groups, design="independent"), "horizontal", group_weights=weights
    )
    curves, own_weights = _weighed(groups, weights)
    for y in _own_rates(curves):
        for side in ("lower", "upper"):
            exact = _mean([own.fpr_at(y, side) for own in curves], own_weights)
            is_exact = all(any(y == at for at in own.y) or _is_steep(own, y) for own in curves)
            assert average.fpr_at(float(y), side) == (exact if is_exact else pytest.approx(exact, abs=1e-12))
    assert average.at(tpr=1).fpr == _mean([own.fpr_at(Fraction(1)) for own in curves], own_weights)
    bottom = float(min(own.tpr_at(Fraction(0)) for own in curves))
    assert average.tpr_at(0.0) == average.at(fpr=0).tpr == bottom


def _is_flat(own: Exact, x: Fraction) -> bool:
    k = next(k for k, value in enumerate(own.x) if value > x)
    return own.y[k] == own.y[k - 1]


def _is_steep(own: Exact, y: Fraction) -> bool:
    k = next(k for k, value in enumerate(own.y) if value > y)
    return own.x[k] == own.x[k - 1]


@given(weighted_sets(), st.sampled_from(OBLIQUE))
def test_oblique_averages_are_right_on_every_straight_run(given_set: tuple, method: Any) -> None:
    """Where every group goes straight up the mean does, at the weighted mean of their false positive rates."""
    groups, weights = given_set
    average = rs.average(rs.ScoreSet.from_folds(groups, design="independent"), method, group_weights=weights)
    curves, own_weights = _weighed(groups, weights)
    direction = average.direction
    cosine, sine = Fraction(direction.cosine), Fraction(direction.sine)
    places = [[cosine * x + sine * y for x, y in zip(own.x, own.y, strict=True)] for own in curves]
    bends = sorted({u for own in places for u in own})
    near = 1e-9 / min(direction.cosine, direction.sine)  # a position is a float, and runs may be short
    for low, high in itertools.pairwise(bends):
        if float(high - low) < 1e-9:  # nor can the ends of such a run be told apart
            continue
        ends = [
            [
                [_read(own, free, u, last=True) for own, free in zip(places, axis, strict=True)]
                for u in (low, high)
            ]
            for axis in ([own.x for own in curves], [own.y for own in curves])
        ]
        (x_low, x_high), (y_low, y_high) = ends
        if x_low == x_high:  # straight up
            at = _mean(x_low, own_weights)
            assert average.tpr_at(at, "upper") >= _mean(y_high, own_weights) - near
            assert average.tpr_at(at, "lower") <= _mean(y_low, own_weights) + near
        if y_low == y_high:  # straight to the right
            at = _mean(y_low, own_weights)
            assert average.fpr_at(at, "upper") >= _mean(x_high, own_weights) - near
            assert average.fpr_at(at, "lower") <= _mean(x_low, own_weights) + near


@given(weighted_sets())
def test_the_threshold_average_is_the_weighted_mean_of_rates_rounded_once(given_set: tuple) -> None:
    groups, weights = given_set
    score_set = rs.ScoreSet.from_folds(groups, design="independent")
    curves, own_weights = _weighed(groups, weights)
    of_scores = rs.average(score_set, "threshold", group_weights=weights)
    of_curves = rs.average(rs.roc_curves(score_set), "threshold", group_weights=weights)
    for average in (of_scores, of_curves):
        for k, threshold in enumerate(average.thresholds[1:], start=1):
            rates = [own.curve.rates_at(threshold) for own in curves]
            for axis, found in (("fpr", average.fpr[k]), ("tpr", average.tpr[k])):
                totals = [own.curve.n_negatives if axis == "fpr" else own.curve.n_positives for own in curves]
                shares = [
                    Fraction(round(getattr(rate, axis) * int(n)), int(n))
                    for rate, n in zip(rates, totals, strict=True)
                ]
                assert found == _mean(shares, own_weights)


@given(weighted_sets(), st.sampled_from(("threshold", *ALONG)))
def test_a_point_is_what_the_curve_reads_to_the_last_digit(given_set: tuple, method: Any) -> None:
    groups, weights = given_set
    average = rs.average(rs.ScoreSet.from_folds(groups, design="independent"), method, group_weights=weights)
    curves, _ = _weighed(groups, weights)
    for rate in map(float, _own_rates(curves)[:5]):
        assert average.at(fpr=rate).tpr == average.tpr_at(rate)
        assert average.at(tpr=rate).fpr == average.fpr_at(rate)


@given(weighted_sets())
def test_points_and_cutoffs_of_one_average_agree(given_set: tuple) -> None:
    groups, weights = given_set
    average = rs.average(
        rs.ScoreSet.from_folds(groups, design="independent"), "threshold", group_weights=weights
    )
    for fpr, tpr in zip(average.fpr.tolist(), average.tpr.tolist(), strict=True):
        assert rs.choose_cutoff(average, rs.TargetRate(fpr=fpr)).tpr == average.at(fpr=fpr).tpr
        assert rs.choose_cutoff(average, rs.TargetRate(tpr=tpr)).fpr == average.at(tpr=tpr).fpr


@given(weighted_sets())
def test_the_tangent_average_reaches_the_top_where_the_last_hull_has(given_set: tuple) -> None:
    groups, weights = given_set
    average = rs.average(
        rs.ScoreSet.from_folds(groups, design="independent"), "tangent", group_weights=weights
    )
    curves, own_weights = _weighed(groups, weights)
    exact = _mean([own.fpr_at(Fraction(1)) for own in curves], own_weights)
    assert average.fpr_at(1.0) == pytest.approx(exact, abs=1e-12)


def test_a_perfect_group_has_no_false_alarms_at_tpr_1() -> None:
    perfect = rs.ScoreSet.from_folds([([1, 1, 1, 0, 0], [5, 4, 3, 2, 1])], design="independent")
    method = rs.AtCosts(false_positive=1, false_negative=10, prevalence=0.1)
    assert rs.average(perfect, method).at(tpr=1).fpr == 0.0


@pytest.mark.parametrize("n_groups", [1, 7, 1000])
def test_many_equal_weights_are_rounded_once(n_groups: int) -> None:
    rng = np.random.default_rng(n_groups)
    labels = np.tile([True] * 20 + [False] * 20, n_groups)
    groups = np.repeat(np.arange(n_groups), 40)
    scores = rng.normal(size=labels.size) + labels
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    curves = rs.roc_curves(score_set)
    counts = [round(curve.tpr_at(0.0) * 20) for curve in curves]
    vertical = rs.average(score_set, "vertical")
    assert vertical.tpr_at(0.0) == vertical.at(fpr=0).tpr == float(Fraction(sum(counts), 20 * n_groups))
    diagonal = rs.average(score_set, "diagonal")
    assert diagonal.tpr_at(0.0) == min(counts) / 20
    threshold = rs.average(score_set, "threshold")
    pooled = rs.average(score_set, "pooled")  # all groups have as many cases, so it is the same curve
    assert math.isclose(threshold.auc, pooled.auc, rel_tol=1e-13)
    np.testing.assert_array_equal(threshold.fpr, pooled.fpr)
    np.testing.assert_array_equal(threshold.tpr, pooled.tpr)


def test_row_weights_keep_the_curve_of_a_single_group() -> None:
    rng = np.random.default_rng(5)
    labels, scores = rng.random(60) < 0.4, rng.normal(size=60).round(1)
    weights = rng.random(60)
    curve = rs.roc_curve(labels, scores, sample_weight=weights)
    for method in ("threshold", *ALONG):
        average = rs.average([curve], method)
        for x, y in zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True):
            assert average.tpr_at(x) == pytest.approx(curve.tpr_at(x), abs=1e-12)
            assert average.fpr_at(y) == pytest.approx(curve.fpr_at(y), abs=1e-12)
