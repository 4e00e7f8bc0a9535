"""Where two empirical curves cross: laws that hold for any two curves, exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.statistics import crossings
from rocsteady.errors import UsageError
from strategies import labelled_scores, weighted_scores

FEW = settings(max_examples=50)
"""Every example has two curves."""


@st.composite
def curves(draw, **options) -> rs.RocCurve:
    labels, scores = draw(labelled_scores(kinds=("tied floats",), **options))
    return rs.roc_curve(labels, scores)


def exact_points(curve: rs.RocCurve) -> list[tuple[Fraction, Fraction]]:
    """FPR and TPR of every vertex."""
    counts = zip(curve.false_positives.tolist(), curve.true_positives.tolist(), strict=True)
    return [(Fraction(fp, curve.n_negatives), Fraction(tp, curve.n_positives)) for fp, tp in counts]


def height_at(points: list[tuple[Fraction, Fraction]], total: Fraction) -> Fraction:
    """TPR - FPR where FPR + TPR is the total."""
    for (x, y), (u, v) in pairwise(points):
        if total <= u + v:
            share = (total - x - y) / (u + v - x - y)
            return (y - x) + share * ((v - u) - (y - x))
    raise AssertionError("beyond the curve")


def ahead_at(found: Any, total: float) -> set[int]:
    """Who is said to be ahead where FPR + TPR is the total: one answer, or two at a meeting point."""
    return {
        stretch.ahead
        for stretch in found.stretches
        if sum(stretch.start) - 1e-12 <= total <= sum(stretch.end) + 1e-12
    }


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
class TestCrossings:
    @FEW
    @given(curves(), curves())
    def test_areas_between_the_curves_are_the_difference_of_the_aucs(self, first, second) -> None:
        assert crossings(first, second).area == pytest.approx(first.auc - second.auc, abs=1e-12)

    @FEW
    @given(curves(), curves())
    def test_the_other_way_round_only_the_names_change(self, first, second) -> None:
        there, back = crossings(first, second), crossings(second, first)
        np.testing.assert_allclose(there.points, back.points, rtol=0, atol=1e-12)
        assert [s.ahead for s in there.stretches] == [-s.ahead for s in back.stretches]

    @FEW
    @given(curves(), curves())
    def test_crossings_lie_on_both_curves(self, first, second) -> None:
        for fpr, tpr in crossings(first, second).points:
            for curve in (first, second):
                fpr_low, fpr_high = np.nextafter(fpr, 0), np.nextafter(fpr, 1)
                low, high = curve.tpr_at(fpr_low, side="lower"), curve.tpr_at(fpr_high, side="upper")
                assert low - 1e-9 <= tpr <= high + 1e-9

    @FEW
    @given(curves(), curves())
    def test_who_is_ahead_agrees_with_fractions_at_and_between_all_vertices(self, first, second) -> None:
        found = crossings(first, second)
        points = exact_points(first), exact_points(second)
        totals = sorted({x + y for own in points for x, y in own})
        middles = [(a + b) / 2 for a, b in pairwise(totals)]
        for total in totals + middles:
            gap = height_at(points[0], total) - height_at(points[1], total)
            sign = (gap > 0) - (gap < 0)
            said = ahead_at(found, float(total))
            assert sign in said or sign == 0  # to touch is not to cross

    @FEW
    @given(curves(), curves())
    def test_the_stretches_cover_the_square_and_alternate(self, first, second) -> None:
        stretches = crossings(first, second).stretches
        assert stretches[0].start == (0, 0)
        assert stretches[-1].end == (1, 1)
        for left, right in pairwise(stretches):
            assert left.end == right.start
            assert left.ahead != right.ahead

    @FEW
    @given(curves())
    def test_a_curve_does_not_cross_itself(self, curve) -> None:
        found = crossings(curve, curve)
        assert found.points == ()
        assert [stretch.ahead for stretch in found.stretches] == [0]

    @FEW
    @given(curves(max_per_class=5), st.integers(2, 9))
    def test_more_cases_of_the_same_kind_change_nothing(self, curve, times) -> None:
        other = rs.roc_curve([0, 1, 1, 0, 1], [1, 2, 3, 4, 5])
        more = rs.RocCurve.from_counts(
            curve.thresholds, times * curve.true_positives, curve.false_positives * times
        )
        assert crossings(curve, other).points == crossings(more, other).points

    @FEW
    @given(weighted_scores(kinds=("tied floats",), max_per_class=4))
    def test_weights(self, rows) -> None:
        labels, scores, weights = rows
        curve = rs.roc_curve(labels, scores, sample_weight=weights)
        other = rs.roc_curve([0, 1, 1, 0, 1], [1, 2, 3, 4, 5])
        assert crossings(curve, other).area == pytest.approx(curve.auc - other.auc, abs=1e-9)

    def test_large_numbers_do_not_overflow(self) -> None:
        sizes = (999_983, 1_000_003)  # primes: no small common multiple
        steep = rs.RocCurve.from_counts([2, 1], [sizes[0] - 1, sizes[0]], [1, 7])
        flat = rs.RocCurve.from_counts([2, 1], [5, sizes[1]], [2, 11])
        found = crossings(steep, flat)
        assert found.points == ()
        assert found.area == pytest.approx(steep.auc - flat.auc, abs=1e-12)


def test_the_table_of_stretches() -> None:
    first = rs.roc_curve([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], name="strict")
    second = rs.roc_curve([0, 1, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    found = crossings(first, second)
    assert found.to_frame()["ahead"].tolist() == ["strict", "second", "both"]
    assert json.loads(json.dumps(found.to_dict()))["points"] == [[1 / 3, 2 / 3]]


def test_anything_but_two_curves_is_refused() -> None:
    curve = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    for wrong in (
        None,
        [curve],
        np.array([0.1]),
        rs.ScoreSet.from_folds([([1, 0], [2, 1])], design="independent"),
    ):
        with pytest.raises(UsageError, match="RS002"):
            curve.crossings(wrong)
