"""Whether scores mean the same in all groups: size, interval, test, sentences."""

from __future__ import annotations

import importlib.util
import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.inference.comparability import (
    comparability,
    cross_auc,
    delta_error,
    delta_limits,
    level_shift,
    rank_test,
    ranked_rows,
)
from rocsteady.simulate import hosts
from strategies import SCORE_VALUES

# Tiny sets with many ties may take two values only; that is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:RS101")

SCRIPT = Path(__file__).parents[2] / "simulations" / "comparability.py"


@st.composite
def score_sets(draw, *, min_groups=2):
    """Labels, scores and groups of up to five small groups with both classes, ties and infinities included."""
    values, dtype = SCORE_VALUES[draw(st.sampled_from(list(SCORE_VALUES)))]
    size = st.tuples(st.integers(1, 4), st.integers(1, 4))
    sizes = draw(st.lists(size, min_size=min_groups, max_size=5))
    labels = np.array([kind for n, m in sizes for kind in [True] * n + [False] * m])
    groups = np.repeat(np.arange(len(sizes)), [n + m for n, m in sizes])
    scores = np.array(draw(st.lists(values, min_size=labels.size, max_size=labels.size)), dtype=dtype)
    return labels, scores, groups


def shifted(n_groups=20, n=50, *, shift, separation=1.5, seed=1, positives_only=False, unit="host"):
    """Groups whose levels move by N(0, shift)."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), 2 * n)
    labels = np.tile(np.arange(2 * n) < n, n_groups)
    level = shift * rng.normal(size=n_groups)[groups]
    scores = rng.normal(size=groups.size) + separation * labels + level * (labels | (not positives_only))
    return rs.ScoreSet.from_arrays(labels, scores, groups, unit=unit)


@given(score_sets())
def test_sizes_are_those_of_the_matrix(rows):
    given_set = rs.ScoreSet.from_arrays(*rows)
    matrix = cross_auc(given_set)
    n = len(matrix)
    found = comparability(given_set, n_permutations=3)
    between = (matrix.sum() - np.trace(matrix)) / (n * (n - 1))
    assert found.own_auc == pytest.approx(np.trace(matrix) / n, abs=1e-12)
    assert found.shared_auc == pytest.approx(matrix.mean(), abs=1e-12)
    assert found.price == pytest.approx(np.trace(matrix) / n - matrix.mean(), abs=1e-12)
    assert found.delta == pytest.approx(np.trace(matrix) / n - between, abs=1e-12)
    np.testing.assert_array_equal(found.aucs, np.diag(matrix))
    np.testing.assert_allclose(found.positive_aucs, matrix.mean(axis=1), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.negative_aucs, matrix.mean(axis=0), rtol=0, atol=1e-12)


def test_equal_sizes_make_the_shared_auc_the_pooled_one():
    """200 000 rows: the sums must not round away what the law promises."""
    given_set = shifted(100, 1000, shift=0.5)
    found = comparability(given_set, n_permutations=1)
    pooled = rs.auc(given_set.columns.labels, given_set.columns.scores)
    assert found.shared_auc == pytest.approx(pooled, abs=1e-13)
    assert found.positive_aucs.mean() == pytest.approx(pooled, abs=1e-13)
    assert found.negative_aucs.mean() == pytest.approx(pooled, abs=1e-13)


@given(score_sets(min_groups=3))
def test_the_error_is_that_of_leaving_groups_out(rows):
    matrix = cross_auc(rs.ScoreSet.from_arrays(*rows))
    n = len(matrix)

    def delta(chosen):
        part = matrix[np.ix_(chosen, chosen)]
        m = len(part)
        return np.trace(part) / m - (part.sum() - np.trace(part)) / (m * (m - 1))

    left = np.array([delta([j for j in range(n) if j != i]) for i in range(n)])
    error = delta_error(np.diag(matrix), matrix.mean(axis=1), matrix.mean(axis=0))
    assert error == pytest.approx(np.sqrt((n - 1) / n * np.sum((left - left.mean()) ** 2)), abs=1e-11)


def test_the_p_value_counts_all_ways_to_deal_the_rows():
    """Two groups of two and two: 36 equally likely deals, counted one by one."""
    labels, groups = np.tile([True, True, False, False], 2), np.repeat([0, 1], 4)
    scores = np.array([3, 1, 2, 0, 7, 5, 6, 4.0])
    positives, negatives = scores[labels], scores[~labels]

    def price(p, q):
        areas = [[Fraction(int(sum(2 * (a > b) + (a == b) for a in x for b in y)), 8) for y in q] for x in p]
        return (areas[0][0] + areas[1][1]) / 2 - sum(map(sum, areas)) / 4

    def deals(values):
        return [
            (values[list(own)], np.delete(values, list(own)))
            for own in product(range(4), repeat=2)
            if own[0] < own[1]
        ]

    observed = price((positives[:2], positives[2:]), (negatives[:2], negatives[2:]))
    every = [price(p, q) >= observed for p in deals(positives) for q in deals(negatives)]
    assert len(every) == 36
    exact = sum(every) / 36
    found = comparability(rs.ScoreSet.from_arrays(labels, scores, groups), n_permutations=20_000)
    assert found.price == float(observed)
    assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000))


@given(score_sets())
def test_a_common_increasing_transform_changes_nothing(rows):
    labels, scores, groups = rows
    _, ranks = np.unique(scores, return_inverse=True)
    one = comparability(rs.ScoreSet.from_arrays(labels, scores, groups), n_permutations=9)
    other = comparability(rs.ScoreSet.from_arrays(labels, ranks.astype(float) ** 3, groups), n_permutations=9)
    assert one.to_dict() == other.to_dict()


@given(score_sets())
def test_low_scores_positive_is_the_mirror(rows):
    labels, scores, groups = rows
    _, ranks = np.unique(scores, return_inverse=True)
    one = comparability(rs.ScoreSet.from_arrays(labels, ranks, groups), n_permutations=1)
    other = comparability(
        rs.ScoreSet.from_arrays(labels, -ranks, groups, higher_is_positive=False), n_permutations=1
    )
    assert one.price == pytest.approx(other.price, abs=1e-12)
    np.testing.assert_allclose(one.positive_aucs, other.positive_aucs, rtol=0, atol=1e-12)


def test_infinite_scores_are_legal():
    labels, groups = [1, 0, 1, 0, 1, 0, 1, 0], [0] * 4 + [1] * 4
    scores = [math.inf, -math.inf, 1, 0, math.inf, 2, 3, -math.inf]
    found = comparability(rs.ScoreSet.from_arrays(labels, scores, groups), n_permutations=19)
    assert math.isfinite(found.level_shift.overall)
    assert found.own_auc == 1.0


@given(score_sets())
def test_rank_tests_are_kruskal_and_wallis(rows):
    labels, scores, groups = rows
    ranked = ranked_rows(rs.ScoreSet.from_arrays(labels, scores, groups))
    for own in ranked[:2]:
        ranks = [own.ranks[own.groups == g] for g in range(groups.max() + 1)]
        found = rank_test(own)
        if np.unique(np.concatenate(ranks)).size == 1:
            assert (found.statistic, found.pvalue) == (0, 1)
            continue
        expected = stats.kruskal(*ranks)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
        assert found.pvalue == pytest.approx(expected.pvalue, abs=1e-9)


def test_a_level_shift_is_in_standard_deviations_within_a_group():
    """Levels N(0, 1.1) around scores N(., 1): 1.1, within the error of estimating it from 400 groups."""
    ranked = ranked_rows(shifted(400, 40, shift=1.1, seed=5))
    found = level_shift(*ranked[:2])
    for value in (found.overall, found.positives, found.negatives):
        assert value == pytest.approx(1.1, abs=4 * 1.1 / math.sqrt(2 * 400))
    assert level_shift(*ranked_rows(shifted(400, 40, shift=0.0))[:2]).overall < 0.1


def test_a_level_shift_of_one_class_is_told_from_the_other():
    found = comparability(shifted(30, shift=1.0, positives_only=True), n_permutations=99)
    assert found.level_shift.positives > 0.7
    assert found.level_shift.negatives < 0.2
    assert found.positives_test.pvalue < 1e-6
    assert found.negatives_test.pvalue > 0.025
    assert found.movement == "only scores of positives shift significantly"
    assert f"; {found.movement}." in found.reading


def test_degenerate_levels():
    one_each = rs.ScoreSet.from_arrays([1, 0, 1, 0, 1, 0], [3, 1, 4, 1, 5, 9], [0, 0, 1, 1, 2, 2])
    found = comparability(one_each, n_permutations=9)
    assert math.isnan(found.level_shift.overall)
    assert "one row each" in found.reading
    constant = rs.ScoreSet.from_arrays([1, 1, 0, 0] * 2, [5.0] * 8, [0] * 4 + [1] * 4)
    found = comparability(constant, n_permutations=9)
    assert (found.price, found.pvalue, found.level_shift.overall) == (0, 1, 0)
    apart = rs.ScoreSet.from_arrays([1, 1, 0, 0] * 2, [2, 2, 1, 1, 4, 4, 3, 3], [0] * 4 + [1] * 4)
    assert comparability(apart, n_permutations=9).level_shift.overall == math.inf


def test_the_balance_counts_groups_of_equal_size():
    labels = [1] * 4 + [0] * 2 + [1] * 4 + [0] * 2 + [1] * 4 + [0] * 8
    groups = [0] * 6 + [1] * 6 + [2] * 12
    found = comparability(rs.ScoreSet.from_arrays(labels, range(24), groups), n_permutations=1).balance
    assert found.positives == pytest.approx(3)
    assert found.negatives == pytest.approx(12**2 / (4 + 4 + 64))
    assert found.rows == pytest.approx(24**2 / (36 + 36 + 144))


def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads():
    given_set = shifted(10, shift=0.1)
    alone = comparability(given_set, seed=3, threads=1)
    for threads in (2, 3, 7):
        assert comparability(given_set, seed=3, threads=threads).to_dict() == alone.to_dict()
    assert len({comparability(given_set, seed=seed).pvalue for seed in range(5)}) > 1


def test_rows_that_are_tied_are_dealt_alike_in_whatever_order_they_stand():
    rng = np.random.default_rng(3)
    groups, labels = np.repeat(np.arange(6), 30), np.tile(np.arange(30) < 12, 6)
    ratings = rng.integers(1, 6, size=groups.size) + labels
    rows = np.lexsort((rng.random(groups.size), groups))
    given_set = rs.ScoreSet.from_arrays(labels, ratings, groups)
    shuffled = rs.ScoreSet.from_arrays(labels[rows], ratings[rows], groups[rows])
    for seed in range(3):
        found, again = (comparability(own, n_permutations=99, seed=seed) for own in (given_set, shuffled))
        assert again.pvalue == found.pvalue
        assert again.price_interval.low == pytest.approx(found.price_interval.low, rel=1e-12)


def test_a_shift_is_found_priced_and_warned_about():
    table = rs.ScoreSet.from_frame(
        hosts(), label="label", score="score", group="host", model="model", positive="attack"
    )
    moved = comparability(table.model("candidate"))
    assert moved.pvalue == 0.001
    assert moved.undefined == ("host-23: no positives",)
    assert len(moved.members) == 23
    assert moved.price_interval.low < moved.price < moved.price_interval.high
    [warning] = moved.warnings
    assert isinstance(warning, RocsteadyWarning)
    assert warning.code == "RS301"
    limits = warning.facts["low"], warning.facts["high"]
    assert limits == pytest.approx((moved.price_interval.low, moved.price_interval.high), abs=5e-4)
    assert warning.problem == (
        f"scores of candidate shift between hosts ({moved.level_shift.overall:.2f}); "
        f"a shared threshold costs {moved.price:.3f} AUC."
    )
    steady = comparability(table.model("current"))
    assert steady.pvalue < 0.05  # real, but too small to matter
    assert steady.price < 0.01
    assert steady.warnings == ()


def test_the_reading_has_the_size_first_and_says_what_is_random():
    found = comparability(shifted(shift=1.0))
    assert found.reading.startswith("One threshold for all hosts costs 0.")
    for part in (
        "p = 0.001",
        f"{found.own_auc:.3f} within hosts",
        f"{found.level_shift.overall:.2f} standard deviations",
    ):
        assert part in found.reading
    assert found.reading.count("random sample of hosts") == 1
    nothing = comparability(shifted(shift=0.0, seed=2)).reading
    assert "-0.000" not in nothing
    assert "neither positives nor negatives shift significantly" in nothing


def test_two_groups_have_a_test_but_no_interval():
    found = comparability(shifted(2, shift=1.0, seed=4))
    assert math.isnan(found.price_interval.low)
    assert 0 < found.pvalue <= 1
    assert "The interval is unknown" in found.reading
    assert "CI" not in found.reading


def test_one_group_cannot_be_compared():
    found = comparability(
        rs.ScoreSet.from_arrays([1, 0, 1, 0, 1], [4, 3, 2, 1, 9], list("aaaab"), unit="host")
    )
    numbers = [found.price, found.delta, found.pvalue, found.price_interval.low, found.delta_interval.high]
    numbers += [found.level_shift.overall, found.positives_test.pvalue, found.negatives_test.statistic]
    assert all(map(math.isnan, numbers))
    assert found.own_auc == found.shared_auc == 0.75
    assert found.reading.startswith("Only one host has both classes")
    assert found.undefined == ("b: no negatives",)
    assert repr(found) == "Comparability(1 host: nothing to compare)"
    json.dumps(found.to_dict(), allow_nan=False)


def test_results_are_plain_short_and_tabular():
    found = comparability(shifted(5, shift=1.0), n_permutations=99)
    assert repr(found) == (
        f"Comparability(5 hosts: a shared threshold costs {found.price:.3f} AUC, p = 0.01, "
        f"level shift {found.level_shift.overall:.2f})"
    )
    for part in (found, found.level_shift, found.positives_test, found.balance):
        assert "\n" not in repr(part)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["warnings"] == [{"code": "RS301", "text": found.warnings[0].problem}]
    assert plain["level_shift"]["overall"] == found.level_shift.overall
    assert list(found.to_frame().columns) == ["group", "auc", "positive_auc", "negative_auc"]
    assert not found.aucs.flags.writeable
    with pytest.raises(TypeError, match="not a tuple"):
        list(found)


def test_limits_far_below_what_chance_gives_are_plain():
    assert delta_limits(-0.2, 0.01, 0.02, 10, 0.95) == pytest.approx((-0.2226, -0.1774), abs=1e-4)
    assert delta_limits(0.1, 0.01, math.nan, 10, 0.95) == pytest.approx((0.0774, 0.1226), abs=1e-4)
    low, high = delta_limits(0.1, 0.05, 0.001, 10, 0.95)
    assert 0.1 - low < high - 0.1  # skewed like a variance


@pytest.mark.parametrize(
    "options",
    [
        {"n_permutations": 0},
        {"n_permutations": 1.5},
        {"confidence_level": 95},
        {"seed": -1},
        {"seed": "a"},
        {"threads": -1},
    ],
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(UsageError, match="RS042"):
        comparability(shifted(3, shift=0), **options)


def test_sets_that_cannot_be_compared_are_refused():
    both = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
    with pytest.raises(UsageError, match=r"RS044.*\n.*x and y\n.*comparability\(score_set\.model\('x'\)\)"):
        comparability(both)
    with pytest.raises(UsageError, match=r"RS002: comparability takes a ScoreSet"):
        comparability([([1, 0], [2, 1])])
    with pytest.raises(DataError, match="RS032"):
        comparability(rs.ScoreSet.from_arrays([1, 1, 0, 0], [1, 2, 3, 4], [0, 0, 1, 1]))
    weighted = rs.ScoreSet.from_arrays([1, 0] * 2, [1, 2, 3, 4], [0, 0, 1, 1], sample_weight=[1, 2, 1, 1])
    with pytest.raises(DataError, match=r"RS095(.|\n)*cross_auc"):
        comparability(weighted)


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("comparability_simulation", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("design", ["equal sizes", "unequal sizes", "ratings 1 to 5"])
def test_the_test_keeps_its_level(simulation, design):
    """A short, seeded run of simulations/comparability.py; Monte-Carlo error 0.007: 0.1 is caught 999 times of 1000."""
    found = simulation.results(10, 1000, seed=11, n=15, design=design)
    assert 0.03 < simulation.rejections(found) < 0.07


def test_the_test_finds_shifts(simulation):
    """Shifts of 0.3 standard deviations in ten groups of 20 and 20 rows."""
    assert simulation.rejections(simulation.results(10, 300, seed=12, shift=0.3)) > 0.5
    assert simulation.rejections(simulation.results(10, 100, seed=13, shift=1.0)) == 1


@pytest.mark.parametrize(("n_groups", "shift"), [(3, 1.1), (10, 0.0), (30, 0.3)])
def test_intervals_cover_the_price(simulation, n_groups, shift):
    found = simulation.results(n_groups, 600, seed=14, shift=shift)
    assert 0.92 < simulation.coverage(found, simulation.true_delta(1.5, shift)) < 0.995


def test_warnings_come_where_a_hundredth_of_auc_is_lost(simulation):
    def share(shift):
        return simulation.warned(simulation.results(20, 100, seed=15, separation=2, shift=shift, n=50))

    assert share(0.0) == 0
    assert share(0.2) < 0.1  # 0.004 AUC
    assert share(0.5) > 0.9  # 0.024 AUC


def stacked(n_groups=5, constant=False, unit="fold"):
    """Groups far apart, each in perfect order."""
    scores = [[1, 1, 0, 0] if constant else [4, 3, 2, 1] for _ in range(n_groups)]
    pairs = [([1, 1, 0, 0], [10 * i + score for score in own]) for i, own in enumerate(scores)]
    return rs.ScoreSet.from_folds(pairs, unit=unit, design="independent")


def test_words_do_not_contradict_the_test():
    """A cost that chance does not explain, too few rows of each class to say which one makes it."""
    found = comparability(stacked())
    assert [warning.code for warning in found.warnings] == ["RS301"]
    assert found.movement == "whether positives or negatives shift is unclear"
    assert "neither" not in found.reading


def test_no_interval_where_leaving_out_any_group_changes_nothing():
    for score_set in (stacked(), rs.ScoreSet.from_folds([([1, 0, 0], [2, 1, 3])] * 6, design="independent")):
        found = comparability(score_set, n_permutations=99)
        assert np.isnan([found.price_interval.low, found.delta_interval.high]).all()
        assert "The interval is unknown: leaving out any fold changes nothing" in found.reading
        assert "CI" not in found.reading + str(found.warnings)
    assert (found.price, np.signbit(found.price)) == (0, False)


def test_levels_without_a_spread_within_groups():
    found = comparability(stacked(constant=True))
    assert "inf" not in found.reading + "".join(map(str, found.warnings))
    assert "ows of a class score alike within a fold and differ between folds" in found.reading


def test_groups_that_are_called_classes():
    assert "neither class" not in comparability(stacked(unit="class")).reading
