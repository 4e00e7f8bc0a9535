"""Winner maps: laws of any two models, numbers read elsewhere, the level kept, what is refused."""

from __future__ import annotations

import json
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.readings import read_path
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.inference.compare import compare
from rocsteady.inference.winner_map import leaders, sign_changes, winner_map

FEW = settings(max_examples=25)
KINDS = (
    {"over": "fpr", "fpr": (0.02, 0.5)},
    {"over": "fpr", "fpr": (0.0, 1.0), "method": rs.Vertical(at_jumps="mid")},
    {"over": "fpr", "fpr": (0.1013, 0.9007), "method": "threshold"},
    {"over": "fpr", "fpr": (0.1013, 0.9007), "method": "pooled"},
    {"over": "tpr", "tpr": (0.2, 1.0)},
    {"over": "costs", "costs": ((3, 1), (1, 20)), "prevalence": 0.2},
    {"over": "alerts", "alerts": (0.05, 0.8), "prevalence": 0.3},
    {"over": "costs", "costs": ((3.01, 1), (1, 20.03)), "prevalence": 0.2, "method": "threshold"},
    {"over": "alerts", "alerts": (0.0517, 0.8029), "prevalence": 0.3, "method": "pooled"},
)
"""The third and fourth are linearised at positions that no rate of a few cases equals: there a rounded mean
would decide on which side of a step it is."""
kinds = st.sampled_from(KINDS)
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS275", "ignore:RS278", "ignore:RS28[23]")


@st.composite
def two_models(draw, min_groups=2, max_groups=8, alike=False):
    """Rows of two models on the same groups: labels, both scores and groups; many ties."""
    labels, scores, groups = [], ([], []), []
    for group in range(draw(st.integers(min_groups, max_groups))):
        sizes = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
        n = sum(sizes)
        labels += [1] * sizes[0] + [0] * sizes[1]
        for own in scores:
            own.extend(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
        groups += [group] * n
    return labels, scores[0], scores[0] if alike else scores[1], groups


def set_of(rows, names=("a", "b"), **options) -> rs.ScoreSet:
    labels, first, second, groups = rows
    return rs.ScoreSet.from_arrays(labels, {names[0]: first, names[1]: second}, groups, **options)


def simulated(n_groups=8, n=30, gain=0.0, seed=0, spread=1.0, unit="site") -> rs.ScoreSet:
    """Two normal models with a common part; the second has more signal, and more spread in the positives."""
    rng = np.random.default_rng(seed)
    labels = np.tile([1] * n + [0] * n, n_groups)
    common, own, other = rng.normal(size=(3, labels.size))
    other *= np.where(labels, spread, 1.0)
    scores = {"old": common + own + 1.5 * labels, "new": common + other + (1.5 + gain) * labels}
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), 2 * n), unit=unit)


class TestLaws:
    @FEW
    @given(two_models(), kinds)
    def test_swapped_models_mirror_the_map(self, rows, options) -> None:
        both = set_of(rows)
        there, back = winner_map(both, "a", "b", **options), winner_map(both, "b", "a", **options)
        np.testing.assert_array_equal(there.advantage, -back.advantage)
        np.testing.assert_array_equal(there.lower, -back.upper)
        assert (there.regions, there.winner, there.pvalue) == (back.regions, back.winner, back.pvalue)
        np.testing.assert_allclose(there.crossings, back.crossings, rtol=1e-12)

    @FEW
    @given(two_models(min_groups=6), kinds, st.sampled_from([0.5, 0.9]))
    def test_regions_are_the_range_in_parts_and_hold_what_they_say(self, rows, options, level) -> None:
        found = winner_map(set_of(rows), **options, confidence_level=level)
        assert (found.regions[0].low, found.regions[-1].high) == (found.position[0], found.position[-1])
        for left, right in pairwise(found.regions):
            assert left.high == right.low
            assert None in (left.winner, right.winner)
            assert left.winner != right.winner
        sides = {"a": found.lower > 0, "b": found.upper < 0}
        for name, side in sides.items():
            inside = [found.winner_at(x) == name for x in found.position]
            np.testing.assert_array_equal(inside, side)
            assert [winner == name for winner in found.winner] == side.tolist()

    @FEW
    @given(two_models(alike=True), kinds)
    def test_identical_models_are_undecided_everywhere(self, rows, options) -> None:
        found = winner_map(set_of(rows), **options)
        assert (found.pvalue, found.crossings, set(found.winner)) == (1.0, (), {None})
        assert not found.advantage.any()
        (region,) = found.regions
        assert region.winner is None
        assert "do not differ" in found.reading

    @FEW
    @given(two_models(max_groups=5), kinds)
    def test_fewer_than_six_groups_decide_nothing_and_say_so(self, rows, options) -> None:
        with pytest.warns(RocsteadyWarning, match="RS275"):
            found = winner_map(set_of(rows), **options)
        assert found.winners == ()
        assert found.smallest_pvalue > 0.05
        assert found.pvalue >= found.smallest_pvalue

    @FEW
    @given(two_models(), kinds, st.randoms(use_true_random=False))
    def test_the_order_of_groups_and_rows_does_not_matter(self, rows, options, random) -> None:
        order = list(range(len(rows[0])))
        random.shuffle(order)
        shuffled = tuple([own[i] for i in order] for own in rows)
        one, other = winner_map(set_of(rows), **options), winner_map(set_of(shuffled), **options)
        np.testing.assert_allclose(one.advantage, other.advantage, atol=1e-12)
        assert one.pvalue == pytest.approx(other.pvalue, abs=1e-12)
        np.testing.assert_allclose(one.crossings, other.crossings, atol=1e-9)

    @FEW
    @given(two_models(max_groups=6), kinds, st.integers(2, 3))
    def test_a_weight_is_as_good_as_repeated_rows(self, rows, options, times) -> None:
        weights = np.where(np.array(rows[0]) == 1, times, 1)
        again = tuple(np.repeat(own, weights).tolist() for own in rows)
        weighted = winner_map(set_of(rows, sample_weight=weights), **options)
        repeated = winner_map(set_of(again), **options)
        np.testing.assert_allclose(weighted.advantage, repeated.advantage, atol=1e-12)
        np.testing.assert_allclose(weighted.crossings, repeated.crossings, atol=1e-9)

    @FEW
    @given(two_models(), st.sampled_from(KINDS[:1] + KINDS[4:]))
    def test_between_crossings_the_mean_has_one_sign_and_there_it_changes(self, rows, options) -> None:
        found = winner_map(set_of(rows), **options)
        paths = [found._axis.path(own) for own in averages(set_of(rows), found)]
        ends = sorted(map(found._axis.place, (found._axis.low, found._axis.high)))
        places = sorted(map(found._axis.place, found.crossings))
        signs = []
        for low, high in pairwise([ends[0], *places, ends[1]]):
            bends = np.concatenate([own[0] for own in paths])
            inner = np.unique(np.concatenate([[low, high], bends[(bends > low) & (bends < high)]]))
            middles = (inner[1:] + inner[:-1]) / 2
            gap = read_path(*paths[0], middles, end="last") - read_path(*paths[1], middles, end="last")
            gap = np.where(np.abs(gap) < 1e-9, 0, np.sign(gap))
            assert not (gap.max(initial=0) > 0 > gap.min(initial=0))
            signs.append(gap.sum())
        for left, right in pairwise(signs):
            assert left * right <= 0


def averages(both, found):
    return [rs.average(both.model(name), found._axis.method) for name in found.models]


class TestNumbers:
    """The difference is that of readings which other functions make."""

    both = simulated(n_groups=7, spread=2.0)

    def read(self, reader, method) -> np.ndarray:
        return np.array([reader(rs.average(self.both.model(name), method)) for name in ("old", "new")])

    def test_over_fpr(self) -> None:
        found = winner_map(self.both)
        old, new = self.read(lambda own: own.tpr_at(found.position), "vertical")
        np.testing.assert_allclose(found.advantage, old - new, atol=1e-12)

    def test_over_tpr_less_is_better(self) -> None:
        found = winner_map(self.both, over="tpr")
        old, new = self.read(lambda own: own.fpr_at(found.position), "horizontal")
        np.testing.assert_allclose(found.advantage, new - old, atol=1e-12)

    @pytest.mark.parametrize("method", ["threshold", "pooled", "diagonal"])
    def test_other_averages_over_both_rates(self, method) -> None:
        found = winner_map(self.both, method=method)
        old, new = self.read(lambda own: own.tpr_at(found.position), method)
        np.testing.assert_allclose(found.advantage, old - new, atol=1e-12)
        found = winner_map(self.both, over="tpr", method=method)
        old, new = self.read(lambda own: own.fpr_at(found.position), method)
        np.testing.assert_allclose(found.advantage, new - old, atol=1e-12)

    def test_over_alerts(self) -> None:
        found = winner_map(self.both, over="alerts", alerts=(0.05, 0.6), prevalence=0.25)
        method = rs.AtAlarmRate(prevalence=0.25)
        at = found.position * method.direction.length
        old, new = self.read(lambda own: own.at_position(at).tpr, method)
        np.testing.assert_allclose(found.advantage, old - new, atol=1e-12)

    def test_over_costs(self) -> None:
        found = winner_map(self.both, over="costs", costs=((2, 1), (2, 30)), prevalence=0.1)
        np.testing.assert_allclose(np.diff(np.log(found.position)), np.log(30) / 199, rtol=1e-9)

        def costs(own):
            pairs = [(2.0, 2.0 * ratio) for ratio in found.position]
            options = ({"false_positive": a, "false_negative": b, "prevalence": 0.1} for a, b in pairs)
            return [own.at_costs(**given).cost for given in options]

        old, new = self.read(costs, "tangent")
        np.testing.assert_allclose(found.advantage, new - old, atol=1e-12)

    def test_crossings_of_costs_are_those_of_expected_costs(self) -> None:
        found = winner_map(self.both, over="costs", costs=((5, 1), (1, 30)), prevalence=0.2)
        assert found.crossings
        for ratio in found.crossings:
            price = {"false_positive": 1.0, "false_negative": ratio, "prevalence": 0.2}
            old, new = self.read(lambda own, price=price: own.minimum_cost(**price), "tangent")
            assert old == pytest.approx(new, abs=1e-12)

    def test_crossings_are_those_within_the_range(self) -> None:
        def crossings(low, high):
            return winner_map(self.both, over="costs", costs=((1, low), (1, high)), prevalence=0.2).crossings

        first = crossings(0.2, 30)[0]
        assert crossings(0.95 * first, 30)[0] == pytest.approx(first, rel=1e-12)
        assert crossings(0.2, 1.01 * first) == pytest.approx((first,), rel=1e-12)
        assert crossings(0.2, 0.99 * first) == ()

    @pytest.mark.parametrize("over", ["fpr", "tpr", "alerts", "threshold", "threshold over tpr"])
    def test_crossings_are_where_other_readings_change_sides(self, over) -> None:
        share = rs.AtAlarmRate(prevalence=0.25)
        options, method, reader = {
            "fpr": ({}, "vertical", lambda own, at: own.tpr_at(at)),
            "threshold": ({"method": "threshold"}, "threshold", lambda own, at: own.tpr_at(at)),
            "threshold over tpr": (
                {"over": "tpr", "tpr": (0.1, 1.0), "method": "threshold"},
                "threshold",
                lambda own, at: -own.fpr_at(at),
            ),
            "tpr": ({"over": "tpr", "tpr": (0.1, 1.0)}, "horizontal", lambda own, at: -own.fpr_at(at)),
            "alerts": (
                {"over": "alerts", "alerts": (0.01, 0.9), "prevalence": 0.25},
                share,
                lambda own, at: own.at_position(at * share.direction.length).tpr,
            ),
        }[over]
        found = winner_map(simulated(n_groups=4, spread=2.0, gain=0.5, seed=11), **options)
        both = simulated(n_groups=4, spread=2.0, gain=0.5, seed=11)
        at = np.linspace(found.position[0], found.position[-1], 4001)[1:-1] + 1e-7
        old, new = (reader(rs.average(both.model(name), method), at) for name in ("old", "new"))
        signs = np.where(np.abs(old - new) < 1e-9, 0, np.sign(old - new))
        n_before = np.searchsorted(found.crossings, at)
        sides = [set(signs[n_before == k].tolist()) - {0.0} for k in range(len(found.crossings) + 1)]
        assert len(found.crossings) > 0
        assert all(len(side) <= 1 for side in sides)
        known = [(k, side.pop()) for k, side in enumerate(sides) if side]
        assert all((-1) ** (k - known[0][0]) * known[0][1] == sign for k, sign in known)

    def test_expected_costs_are_in_the_unit_of_a_false_positive(self) -> None:
        small = winner_map(self.both, over="costs", costs=((1, 2), (1, 20)), prevalence=0.1)
        large = winner_map(self.both, over="costs", costs=((10, 200), (10, 20)), prevalence=0.1)
        np.testing.assert_allclose(large.advantage, 10 * small.advantage, rtol=1e-9)
        assert (large.regions, large.crossings, large.pvalue) == (
            small.regions,
            small.crossings,
            small.pvalue,
        )

    def test_limits_are_those_of_sign_flips(self) -> None:
        from rocsteady.statistics.group_permutation import sign_flips

        found = winner_map(self.both, confidence_level=0.9)
        values = [
            [curve.tpr_at(found.position) for curve in rs.roc_curves(self.both.model(m))]
            for m in ("old", "new")
        ]
        flips = sign_flips(np.array(values[0]) - np.array(values[1]), confidence_level=0.9)
        np.testing.assert_allclose(found.lower, flips.mean - flips.half_width, atol=1e-12)
        assert found.pvalue == flips.pvalue


def three_models(of_y=(3.2, 1.0), of_z=(2.0, 2.5)) -> rs.ScoreSet:
    rng = np.random.default_rng(5)
    labels = np.tile([1] * 40 + [0] * 40, 9)
    common = rng.normal(size=labels.size)
    scores = {
        name: common + rng.normal(size=labels.size) * np.where(labels, spread, 1) + gain * labels
        for name, gain, spread in (("x", 0.5, 1), ("y", *of_y), ("z", *of_z))
    }
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(9), 80))


def test_a_model_wins_where_its_lead_over_all_others_is_above_zero() -> None:
    found = winner_map(three_models())
    pairs = {(p.a, p.b): p for p in found.pairs}
    lead = found.lead("y")
    np.testing.assert_array_equal(
        lead.advantage, np.minimum(-pairs["x", "y"].advantage, pairs["y", "z"].advantage)
    )
    np.testing.assert_array_equal(lead.lower, np.minimum(-pairs["x", "y"].upper, pairs["y", "z"].lower))
    np.testing.assert_array_equal(lead.upper, np.minimum(-pairs["x", "y"].lower, pairs["y", "z"].upper))
    assert (lead.lower > 0).any()
    for name in found.models:
        won = np.array([winner == name for winner in found.winner])
        np.testing.assert_array_equal(found.lead(name).lower > 0, won)
    assert repr(lead).startswith("Lead(y: ahead at ")
    with pytest.raises(UsageError, match="RS001"):
        found.lead("w")


@pytest.mark.parametrize(
    "options",
    [
        {"method": "vertical", "fpr": (0.05, 0.4)},
        {"method": "threshold"},
        {"method": "pooled", "confidence_level": 0.8},
        {"method": "vertical", "test_train_ratio": 1 / 6},
    ],
)
def test_a_map_over_fpr_has_the_limits_of_the_difference_curve(options) -> None:
    both = simulated(n_groups=7, spread=2.0)
    found, curve = (
        winner_map(both, **options),
        compare(both, "old", "new", **{"method": "vertical"} | options).curve,
    )
    np.testing.assert_array_equal(found.position, curve.position)
    np.testing.assert_allclose(found.advantage, curve.difference, atol=1e-12)
    np.testing.assert_allclose(found.lower, curve.simultaneous_lower, atol=1e-12)
    assert found.pvalue == curve.pvalue


class TestSeveralModels:
    every = three_models()

    def test_a_winner_beats_each_of_the_others(self) -> None:
        found = winner_map(self.every)
        assert found.winners == ("y",)
        for i, winner in enumerate(found.winner):
            gains = {name: [] for name in found.models}
            for pair in found.pairs:
                gains[pair.a].append(pair.lower[i] > 0)
                gains[pair.b].append(pair.upper[i] < 0)
            best = [name for name, won in gains.items() if all(won)]
            assert best == ([] if winner is None else [winner])

    def test_limits_hold_for_all_pairs_at_once(self) -> None:
        found = winner_map(self.every)
        assert [(p.a, p.b) for p in found.pairs] == [("x", "y"), ("x", "z"), ("y", "z")]
        for pair in found.pairs:
            alone = winner_map(self.every, pair.a, pair.b)
            np.testing.assert_array_equal(pair.advantage, alone.advantage)
            assert pair.crossings == alone.crossings
            assert (pair.lower <= alone.lower + 1e-12).all()
            assert found.pvalue >= min(winner_map(self.every, p.a, p.b).pvalue for p in found.pairs)

    def test_the_difference_of_three_is_asked_for_by_pair(self) -> None:
        with pytest.raises(UsageError, match="RS065"):
            _ = winner_map(self.every).advantage

    def test_crossings_are_where_the_best_changes(self) -> None:
        flat, rising = ((np.array([0.0, 1.0]), np.array(v)) for v in ([0.4, 0.4], [0.0, 1.0]))
        low = (np.array([0.0, 1.0]), np.array([0.35, 0.35]))  # crossed by the rising one while it is behind
        places = [x for pair in ((flat, rising), (rising, low)) for x in sign_changes(*pair, 0, 1)]
        assert places == pytest.approx([0.4, 0.35])
        assert leaders([flat, rising, low], places, 0, 1) == pytest.approx((0.4,))

    @pytest.mark.parametrize("over", ["fpr", "tpr"])
    def test_crossings_are_where_the_best_reading_changes(self, over) -> None:
        every = three_models((2.2, 1.0), (3.0, 2.5))
        ends = {"fpr": (0.02, 0.5), "tpr": (0.5, 0.98)}[over]
        found = winner_map(every, over=over, method="threshold", **{over: ends})
        at = np.linspace(*ends, 4001)
        made = [rs.average(every.model(name), "threshold") for name in found.models]
        worth = np.array([own.tpr_at(at) if over == "fpr" else -own.fpr_at(at) for own in made])
        is_best = worth >= worth.max(axis=0) - 1e-9
        part = np.searchsorted(found.crossings, at, side="right")
        leading = [is_best[:, part == k].all(axis=1) for k in range(len(found.crossings) + 1)]
        assert len(leading) > 1
        assert all(own.any() for own in leading)
        assert not any((left & right).any() for left, right in pairwise(leading))

    def test_half_a_pair_of_names_is_refused(self) -> None:
        with pytest.raises(UsageError, match="RS065"):
            winner_map(self.every, "x")


class TestSignChanges:
    def test_where_both_run_together_it_is_the_end(self) -> None:
        at = np.array([0.0, 0.2, 0.6, 1.0])
        first, second = (at, np.array([0.0, 0.5, 0.5, 1.0])), (at, np.array([0.1, 0.5, 0.5, 0.9]))
        assert sign_changes(first, second, 0.0, 1.0) == (0.6,)

    def test_to_touch_is_not_to_cross(self) -> None:
        at = np.array([0.0, 0.5, 1.0])
        first, second = (at, np.array([0.0, 0.5, 1.0])), (at, np.array([0.1, 0.5, 1.1]))
        assert sign_changes(first, second, 0.0, 1.0) == ()

    def test_a_jump_crosses_where_it_is(self) -> None:
        jumping = (np.array([0.0, 0.3, 0.3, 1.0]), np.array([0.0, 0.0, 1.0, 1.0]))
        level = (np.array([0.0, 1.0]), np.array([0.5, 0.5]))
        assert sign_changes(jumping, level, 0.0, 1.0) == (0.3,)
        assert sign_changes(jumping, level, 0.3, 1.0) == ()  # the range starts with the upper end
        assert sign_changes(jumping, level, 0.0, 0.3) == (0.3,)


def test_threads_and_calls_give_the_same_bits() -> None:
    both = simulated(n_groups=16)
    maps = [winner_map(both, threads=threads, n_resamples=300, seed=4) for threads in (1, 2, 3)]
    for other in maps[1:]:
        np.testing.assert_array_equal(maps[0].lower, other.lower)
        assert maps[0].pvalue == other.pvalue
    assert maps[0].pvalue != winner_map(both, n_resamples=300, seed=5).pvalue


def test_a_clear_winner_wins_and_the_reading_says_where() -> None:
    found = winner_map(simulated(gain=1.5, n=60), fpr=(0.05, 0.4))
    assert found.is_decided
    assert found.winners == ("new",)
    assert found.crossings == ()
    assert found.reading.startswith("Over FPR 5 to 40 % with a threshold for each site: new is better at")
    assert "elsewhere" not in found.reading
    assert "the 8 sites are treated as a random sample of sites" in found.reading
    assert repr(found).startswith("WinnerMap(old and new over fpr, 8 sites: 1 region decided, p = 0.0078")


def test_models_that_cross_win_on_their_own_sides() -> None:
    found = winner_map(simulated(n_groups=12, n=200, spread=3.0, gain=0.8, seed=3))
    assert found.winners == ("new", "old")
    last_of_new = max(r.high for r in found.regions if r.winner == "new")
    first_of_old = min(r.low for r in found.regions if r.winner == "old")
    assert all(last_of_new <= x <= first_of_old for x in found.crossings)
    assert found.crossings
    assert "elsewhere the difference is not significant" in found.reading


def test_many_regions_are_said_as_a_share_of_the_range() -> None:
    found = winner_map(simulated(n_groups=7, n=80, gain=0.5, seed=7))
    parts = [region for region in found.regions if region.winner == "new"]
    assert len(parts) > 4
    share = sum(name == "new" for name in found.winner) / 200
    assert f"new is better on {share:.0%} of the range".replace("%", " %") in found.reading


def test_folds_share_training_cases_which_is_said() -> None:
    folds = simulated(unit="fold", gain=1.0).with_design("cross-validation")
    plain, corrected = winner_map(folds, test_train_ratio=0), winner_map(folds)
    assert "do not allow for the training cases" in plain.reading
    assert "do not allow for the training cases" not in corrected.reading
    assert corrected.test_train_ratio == 1 / 7
    assert (corrected.upper - corrected.lower > 1.2 * (plain.upper - plain.lower)).all()
    assert "share training" not in winner_map(simulated()).reading


@pytest.mark.parametrize("options", [KINDS[0], KINDS[5]])
def test_no_model_wins_anywhere_more_often_than_promised(options) -> None:
    """Equal models, 8 groups: 150 maps at 90 %, of which a binomial count up to 26 may decide something."""
    decided = sum(
        bool(winner_map(simulated(n=15, seed=s), **options, confidence_level=0.9).winners) for s in range(150)
    )
    assert decided <= 26  # P(Binomial(150, 0.1) > 26) = 0.002


def test_groups_of_one_class_are_refused_or_left_out() -> None:
    rows = ([1, 0, 1, 0, 1, 1], [3, 1, 2, 1, 1, 2], [1, 2, 3, 1, 2, 2], [0, 0, 1, 1, 2, 2])
    with pytest.raises(DataError, match="no negatives"):
        winner_map(set_of(rows))
    found = winner_map(set_of(rows), undefined="drop")
    assert (found.n_groups, found.undefined) == (2, ("2: no negatives",))
    pooled = winner_map(set_of(rows), method="pooled", undefined="drop")
    assert pooled.n_groups == 3


def test_groups_that_one_model_lacks_are_refused_or_left_out() -> None:
    both = rs.ScoreSet.from_arrays(
        [1, 0, 1, 0, 1, 0], [2, 1, 2, 1, 1, 2], list("ppqqpp"), models=list("aaaabb")
    )
    with pytest.raises(DataError, match="RS062") as caught:
        winner_map(both)
    assert "paired" not in str(caught.value)
    assert winner_map(both, unmatched="drop").n_groups == 1


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"over": "speed"}, "RS001"),
        ({"fpr": (0.5, 0.1)}, "RS042"),
        ({"costs": ((1, 2), (1, 20))}, "RS065"),
        ({"prevalence": 0.1}, "RS065"),
        ({"over": "tpr", "fpr": (0.1, 0.2)}, "RS065"),
        ({"over": "costs"}, "RS091"),
        ({"over": "alerts", "alerts": (0.1, 0.2)}, "RS091"),
        ({"over": "alerts", "prevalence": 0.2}, "RS065"),
        ({"over": "costs", "prevalence": 1.5}, "RS042"),
        ({"over": "costs", "prevalence": 0.1, "costs": (1, 20)}, "RS094"),
        ({"over": "costs", "prevalence": 0.1, "costs": ((1, 2), (2, 4))}, "RS094"),
        ({"over": "costs", "prevalence": 0.1, "costs": ((0, 2), (1, 4))}, "RS081"),
        ({"over": "costs", "prevalence": 0.1, "method": "vertical"}, "RS065"),
        ({"confidence_level": 95}, "RS042"),
        ({"n_resamples": 0}, "RS042"),
        ({"seed": -1}, "RS042"),
        ({"a": "old", "b": "old"}, "RS060"),
        ({"a": "old", "b": "mew"}, "RS"),
        ({"undefined": "keep"}, "RS001"),
    ],
)
def test_what_does_not_fit_is_refused(options, code) -> None:
    with pytest.raises(rs.RocsteadyError, match=code):
        winner_map(simulated(n_groups=3, n=4), **options)


def test_one_model_is_not_enough() -> None:
    with pytest.raises(UsageError, match="RS060"):
        winner_map(simulated(n_groups=3, n=4).model("old"))


class TestCases:
    """One dataset, or these very ones: the cases are random."""

    def test_one_group_has_the_limits_of_its_difference_curve(self) -> None:
        one = simulated(n_groups=1, n=80, gain=2.0)
        found, curve = winner_map(one), compare(one, method="vertical").curve
        np.testing.assert_array_equal(found.lower, curve.simultaneous_lower)
        np.testing.assert_array_equal(found.upper, curve.simultaneous_upper)
        assert (found.random, found.n_groups, found.pvalue) == ("cases", 1, curve.pvalue)
        assert found.winners == ("new",)
        assert found.reading.startswith("Over FPR 2 to 50 %: new is better")
        assert "the cases are treated as a random sample" in found.reading

    @pytest.mark.parametrize("method", ["vertical", "threshold", "pooled"])
    def test_fixed_groups_too(self, method) -> None:
        both = simulated(n_groups=3, n=30, gain=1.0)
        found = winner_map(both, random="cases", method=method)
        curve = compare(both, random="cases", method=method).curve
        np.testing.assert_allclose(found.lower, curve.simultaneous_lower, atol=1e-12)
        assert "the result is about these 3 sites only" in found.reading

    def test_any_average_of_one_group_is_its_curve(self) -> None:
        one = simulated(n_groups=1, n=30)
        for over, methods in (("fpr", ("tangent", "pooled")), ("tpr", ("vertical", "threshold"))):
            expected = winner_map(one, over=over)
            for method in methods:
                np.testing.assert_array_equal(winner_map(one, over=over, method=method).lower, expected.lower)

    @FEW
    @given(two_models(min_groups=1, max_groups=3), st.sampled_from(["fpr", "tpr"]))
    def test_swapped_models_mirror_the_map(self, rows, over) -> None:
        options = {"over": over, "random": "cases", "n_resamples": 100}
        there, back = (winner_map(set_of(rows), *names, **options) for names in (("a", "b"), ("b", "a")))
        np.testing.assert_array_equal(there.lower, -back.upper)
        np.testing.assert_equal(there.pvalue, back.pvalue)

    @FEW
    @given(two_models(min_groups=1, max_groups=3, alike=True), st.sampled_from(["fpr", "tpr"]))
    def test_identical_models_do_not_differ(self, rows, over) -> None:
        found = winner_map(set_of(rows), over=over, random="cases", n_resamples=100)
        assert (found.pvalue, found.winners) == (1.0, ())
        assert "The models do not differ" in found.reading

    def test_pairs_of_three_models_share_the_error(self) -> None:
        rng = np.random.default_rng(0)
        labels = np.repeat([1, 0], 60)
        scores = {name: rng.normal(size=120) + labels for name in "abc"}
        every = rs.ScoreSet.from_arrays(labels, scores, np.zeros(120))
        found = winner_map(every)
        for pair in found.pairs:
            alone = winner_map(every, pair.a, pair.b)
            assert np.mean(pair.upper - pair.lower) > 1.05 * np.mean(alone.upper - alone.lower)
        assert "and all pairs at once" in found.reading

    def test_cases_without_a_spread_are_not_judged(self) -> None:
        labels = [1] * 5 + [0] * 5
        found = winner_map(set_of((labels, [1 - y for y in labels], labels, [0] * 10)))
        assert np.isnan(found.pvalue)
        assert found.winners == ()
        assert "Nothing varies, so there are no limits." in found.reading
        assert "nan" not in found.reading

    @pytest.mark.parametrize("options", [KINDS[5], KINDS[6], KINDS[7], KINDS[8]])
    def test_costs_and_alerts_need_random_groups(self, options) -> None:
        with pytest.raises(UsageError, match="RS064"):
            winner_map(simulated(n_groups=1, n=10), **options)
        with pytest.raises(UsageError, match="random='groups'"):
            winner_map(simulated(n_groups=3, n=10), random="cases", **options)

    def test_what_cannot_be_is_refused(self) -> None:
        one, three = simulated(n_groups=1, n=10), simulated(n_groups=3, n=10)
        with pytest.raises(UsageError, match="RS064"):
            winner_map(one, random="groups")
        with pytest.raises(UsageError, match="RS064"):
            winner_map(three, random="cases", method="horizontal")
        with pytest.raises(UsageError, match="RS002"):
            winner_map(three, random="cases", test_train_ratio=0.5)
        with pytest.raises(UsageError, match="RS001"):
            winner_map(three, random="rows")
        with pytest.raises(UsageError, match="RS038"):
            winner_map(set_of(([1, 0], [1, 0], [0, 1], [0, 0]), sample_weight=[1, 2]))


class TestOneThresholdForAll:
    """Levels of the second model differ between groups: best by own thresholds, worst by a shared one."""

    @staticmethod
    def shifted(n_groups=10, n=60) -> rs.ScoreSet:
        rng = np.random.default_rng(5)
        labels = np.tile([1] * n + [0] * n, n_groups)
        groups = np.repeat(np.arange(n_groups), 2 * n)
        levels = 4 * rng.normal(size=n_groups)[groups]
        scores = {
            "steady": rng.normal(size=labels.size) + 1.5 * labels,
            "shifted": rng.normal(size=labels.size) + 2.5 * labels + levels,
        }
        return rs.ScoreSet.from_arrays(labels, scores, groups, unit="host")

    @pytest.mark.parametrize(
        "options", [{"over": "costs"}, {"over": "alerts", "alerts": (0.05, 0.3)}], ids=["costs", "alerts"]
    )
    def test_the_deployment_decides_who_wins(self, options) -> None:
        both, options = self.shifted(), {**options, "prevalence": 0.2}
        assert winner_map(both, **options).winners == ("shifted",)
        for method in ("threshold", "pooled"):
            found = winner_map(both, **options, method=method)
            assert found.winners == ("steady",)
            assert "with one threshold for all" in found.reading

    def test_few_groups_of_different_levels_are_warned_of(self) -> None:
        with pytest.warns(RocsteadyWarning, match="RS283"):
            winner_map(self.shifted(), method="threshold")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            winner_map(simulated(), method="threshold")
            winner_map(self.shifted())
            winner_map(self.shifted(30, 8), method="threshold")

    @pytest.mark.parametrize("method", ["threshold", "pooled"])
    def test_costs_are_those_of_the_averages(self, method) -> None:
        both = self.shifted()
        found = winner_map(both, over="costs", prevalence=0.2, method=method)
        for place in (0, 100, -1):
            costs = {"false_positive": 1, "false_negative": float(found.position[place]), "prevalence": 0.2}
            steady, shifted = (
                rs.average(both.model(name), method).minimum_cost(**costs) for name in both.models
            )
            assert found.advantage[place] == pytest.approx(shifted - steady, abs=1e-9)

    def test_alerts_are_those_of_the_averages(self) -> None:
        both = self.shifted()
        found = winner_map(both, over="alerts", alerts=(0.05, 0.3), prevalence=0.2, method="threshold")
        means = []
        for name in both.models:
            own = rs.average(both.model(name), "threshold")
            means.append(np.interp(found.position, 0.2 * own.tpr + 0.8 * own.fpr, own.tpr))
        np.testing.assert_allclose(found.advantage, means[0] - means[1], atol=1e-9)


def test_groups_that_all_differ_by_the_same_decide() -> None:
    labels = np.tile([1] * 4 + [0] * 6, 8)
    both = set_of((labels, 1 - labels, labels, np.repeat(np.arange(8), 10)), unit="site")
    found = winner_map(both)
    assert (found.winners, found.pvalue, found.excluded) == (("b",), 2 / 2**8, ())
    np.testing.assert_array_equal(found.lower, found.upper)
    few = set_of((labels[:50], 1 - labels[:50], labels[:50], np.repeat(np.arange(5), 10)))
    assert winner_map(few).winners == ()


def test_models_without_a_common_group_are_told_what_to_type() -> None:
    rows = {"y": [1, 0] * 4, "s": [1.0, 0] * 4, "m": ["a"] * 4 + ["b"] * 4, "g": [0, 0, 1, 1, 2, 2, 3, 3]}
    apart = rs.ScoreSet.from_frame(rows, label="y", score="s", model="m", group="g")
    with pytest.raises(DataError, match=r"RS062(.|\n)*compare\(score_set, paired=False\)"):
        winner_map(apart)


def test_few_cases_to_tune_on_are_warned_of() -> None:
    options = {"over": "costs", "prevalence": 0.2}
    with pytest.warns(RocsteadyWarning, match="RS282"):
        winner_map(simulated(n=19), **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        winner_map(simulated(n=20), **options)
        winner_map(simulated(n=19), **options, method="threshold")


def test_one_budget_of_alerts_is_told_what_to_type() -> None:
    with pytest.raises(UsageError, match=r"RS042(.|\n)*at=\{'alerts': 0\.01\}"):
        winner_map(simulated(), over="alerts", alerts=0.01, prevalence=0.1)


def test_skewed_differences_are_warned_of() -> None:
    rng = np.random.default_rng(0)
    labels, groups = np.tile([1] * 50 + [0] * 50, 8), np.repeat(np.arange(8), 100)
    shift = np.repeat([4, 4.2, 0.5, 4.1, 3.9, 4, 4.3, 4], 100)  # one site at which the old model fails
    scores = {"old": rng.normal(size=800) + shift * labels, "new": rng.normal(size=800) + 2.5 * labels}
    with pytest.warns(RocsteadyWarning, match="RS278"):
        winner_map(rs.ScoreSet.from_arrays(labels, scores, groups))


def test_plain_data_and_rows() -> None:
    found = winner_map(simulated(n_groups=4, n=10))
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["pairs"][0]["lower"][0] == "-inf"
    assert data["regions"] == [{"low": 0.02, "high": 0.5, "winner": None}]
    assert data["reading"] == found.reading
    frame = found.to_frame()
    assert list(frame.columns) == ["position", "a", "b", "advantage", "lower", "upper", "winner"]
    assert len(frame) == 200
    with pytest.raises(TypeError, match="by name"):
        list(found)


def test_nothing_is_warned_of_where_there_is_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        winner_map(simulated(n_groups=6, n=10))


def test_a_correction_for_folds_is_refused_where_cases_are_random_and_none_is_none() -> None:
    both = simulated(1, 40)
    plain = winner_map(both, method="vertical", n_resamples=100)
    none = winner_map(both, method="vertical", n_resamples=100, test_train_ratio=0.0)
    assert none.to_dict() == plain.to_dict()
    folds = simulated(4, 40).with_design("cross-validation")
    assert winner_map(folds, method="vertical", random="cases", n_resamples=100).random == "cases"
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        winner_map(both, method="vertical", n_resamples=100, test_train_ratio=0.1)
