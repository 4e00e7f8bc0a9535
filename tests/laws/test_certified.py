"""Laws of counts in cells: whatever the cells, what all rows say lies within the bounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import brute_force
import rocsteady as rs
from counted_rows import anchored, counted, counted_groups, distinct, partitions, together
from rocsteady.counting.cells import areas_of
from rocsteady.curves.curve_set import CurveSet, curves_between_bounds
from strategies import group_weights, grouped_scores, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS153", "ignore:RS210")

KINDS = ("tied floats", "any floats", "special floats")
METHODS = (
    "pooled", rs.Pooled(balanced=True), "threshold", "vertical", rs.Vertical(at_jumps="mid"), "horizontal",
    "diagonal", rs.AtAngle(0.3), rs.AtAngle(1e-9), rs.AtAlarmRate(prevalence=0.2),
    rs.AtCosts(false_positive=1, false_negative=5, prevalence=0.1), "radial", "tangent",
)  # fmt: skip
SHARED = ("pooled", rs.Pooled(balanced=True), "threshold")


def within(value, bounds, slack=0.0):
    low, high = np.asarray(bounds.low), np.asarray(bounds.high)
    assert (low - slack <= value).all(), (low, value, high)
    assert (value <= high + slack).all(), (low, value, high)


def every_rate(*rates):
    """All of these and a grid, each with the floats beside it."""
    own = np.unique(np.concatenate([*map(np.ravel, rates), np.linspace(0, 1, 11)]))
    return np.unique(np.clip(np.concatenate([own, np.nextafter(own, -1), np.nextafter(own, 2)]), 0, 1))


def every_threshold(scores):
    own = np.unique(np.asarray(scores, dtype=float))
    with np.errstate(over="ignore"):
        beside = [np.nextafter(own, -np.inf), np.nextafter(own, np.inf)]
    inside = own[np.isfinite(own)]
    return np.concatenate([own, *beside, inside[:-1] / 2 + inside[1:] / 2, [-np.inf, np.inf]])


@st.composite
def one_group(draw, kinds=KINDS):
    """A curve, its counts in cells, and its rows."""
    group = draw(labelled_scores(kinds=kinds))
    higher = draw(st.booleans())
    counts = counted([group], [draw(partitions(group[1]))], higher_is_positive=higher)
    return group, counts, rs.roc_curve(*group, positive=True, higher_is_positive=higher)


def certified(counts):
    """The curves and their bounds, also where all cells are single scores and need none."""
    return curves_between_bounds(counts)


def curve_of(counts):
    return certified(counts)[0]


# One curve


@given(one_group())
def test_a_curve_lies_between_its_bounds_everywhere(made):
    _, counts, curve = made
    own = curve_of(counts)
    at = every_rate(curve.fpr, own.lower.fpr, own.upper.fpr)
    for side in ("upper", "lower"):
        within(curve.tpr_at(at, side), own.tpr_bounds_at(at, side))
        within(own.tpr_at(at, side), own.tpr_bounds_at(at, side), 1e-15)
    at = every_rate(curve.tpr, own.lower.tpr, own.upper.tpr)
    for side in ("upper", "lower"):
        within(curve.fpr_at(at, side), own.fpr_bounds_at(at, side))
        within(own.fpr_at(at, side), own.fpr_bounds_at(at, side), 1e-15)


@given(one_group())
def test_an_area_lies_within_its_bounds(made):
    _, counts, curve = made
    own = curve_of(counts)
    low, high = counts.auc_bounds
    assert low[0] <= curve.auc <= high[0]
    assert (own.auc_bounds.low, own.auc_bounds.high) == (low[0], high[0])
    assert low[0] <= own.auc <= high[0]
    assert abs(curve.auc - own.auc) <= counts.auc_half_widths[0] + 1e-15
    assert (high[0] - low[0]) / 2 <= counts.auc_half_widths[0] + 1e-15
    assert counts.is_exact == own.is_exact == (low[0] == high[0])


@given(one_group())
def test_bounds_of_a_rate_are_no_further_apart_than_is_told(made):
    _, counts, _ = made
    own = curve_of(counts)
    at = every_rate(own.lower.fpr, own.upper.fpr)
    widths = [own.tpr_bounds_at(at, side).half_width.max() for side in ("upper", "lower")]
    at = every_rate(own.lower.tpr, own.upper.tpr)
    widths += [own.fpr_bounds_at(at, side).half_width.max() for side in ("upper", "lower")]
    assert max(widths) == pytest.approx(counts.rate_half_widths[0], abs=1e-12)


@given(one_group())
def test_rates_at_any_threshold_lie_within_their_bounds(made):
    (_, scores), counts, curve = made
    own = curve_of(counts)
    at = every_threshold(scores)
    for rule in (">=", ">") if curve.higher_is_positive else ("<=", "<"):
        fpr, tpr = own.rate_bounds_at(at, rule)
        truth = curve.rates_at(at, rule)
        within(truth.fpr, fpr)
        within(truth.tpr, tpr)
        for i in np.flatnonzero((fpr.low == fpr.high) & (tpr.low == tpr.high)):
            told = own.rates_at(float(at[i]), rule)
            assert (told.fpr, told.tpr) == (truth.fpr[i], truth.tpr[i])


@given(one_group(), st.data())
def test_smaller_cells_never_widen_the_bounds(made, data):
    group, counts, _ = made
    coarse = data.draw(partitions(group[1]))
    fine = coarse * 100 + data.draw(partitions(group[1]))
    wide, narrow = (
        counted([group], [own], higher_is_positive=counts.higher_is_positive) for own in (coarse, fine)
    )
    assert narrow.auc_bounds[0][0] >= wide.auc_bounds[0][0]
    assert narrow.auc_bounds[1][0] <= wide.auc_bounds[1][0]
    assert narrow.rate_bound <= wide.rate_bound + 1e-12
    outer, inner = curve_of(wide), curve_of(narrow)
    at = every_rate(outer.lower.fpr, inner.lower.fpr, outer.upper.fpr, inner.upper.fpr)
    within(inner.lower.tpr_at(at), outer.tpr_bounds_at(at))
    within(inner.upper.tpr_at(at), outer.tpr_bounds_at(at))


# Exact counts


def same_curves(ours, theirs):
    assert type(ours) is type(theirs) is CurveSet
    assert ours.names == theirs.names
    assert ours.undefined == theirs.undefined
    for name in ("thresholds", "true_positives", "false_positives", "offsets"):
        np.testing.assert_array_equal(getattr(ours.table, name), getattr(theirs.table, name), strict=True)
    np.testing.assert_array_equal(ours.auc, theirs.auc)
    np.testing.assert_array_equal(ours.auc_standard_error(), theirs.auc_standard_error())


@given(grouped_scores(), st.booleans())
def test_a_cell_for_each_score_is_the_curve_itself_bit_for_bit(groups, higher):
    counts = counted(groups, [distinct(own) for _, own in groups], higher_is_positive=higher)
    scores = together(groups, higher_is_positive=higher)
    assert counts.is_exact
    assert counts.knows_thresholds
    assert (counts.auc_bound, counts.rate_bound) == (0, 0)
    same_curves(rs.roc_curves(counts), rs.roc_curves(scores))
    at = every_threshold(np.concatenate([own for _, own in groups]))
    for ours, theirs in zip(rs.roc_curves(counts), rs.roc_curves(scores), strict=True):
        np.testing.assert_array_equal(ours.rates_at(at).fpr, theirs.rates_at(at).fpr)
        np.testing.assert_array_equal(ours.rates_at(at).tpr, theirs.rates_at(at).tpr)


@given(grouped_scores(), st.booleans(), st.sampled_from(METHODS), st.data())
def test_exact_counts_have_ordinary_averages(groups, higher, method, data):
    counts = counted(groups, [distinct(own) for _, own in groups], higher_is_positive=higher)
    weights = None if "ooled" in str(method) else data.draw(st.none() | group_weights(len(groups)))
    ours = rs.average(counts, method, group_weights=weights)
    theirs = rs.average(together(groups, higher_is_positive=higher), method, group_weights=weights)
    assert type(ours) is type(theirs)
    assert ours.auc == pytest.approx(theirs.auc, abs=1e-14)
    np.testing.assert_allclose(ours.fpr, theirs.fpr, atol=1e-14)
    np.testing.assert_allclose(ours.tpr, theirs.tpr, atol=1e-14)
    if method not in SHARED:  # rows and counts are added in another order
        assert ours.auc == theirs.auc
        np.testing.assert_array_equal(ours.fpr, theirs.fpr)
        np.testing.assert_array_equal(ours.tpr, theirs.tpr)


@given(grouped_scores(), st.booleans())
def test_rows_placed_among_the_rarer_class_give_the_exact_curve(groups, higher):
    counts = counted(groups, [anchored(*own) for own in groups], higher_is_positive=higher)
    truth = rs.roc_curves(together(groups, higher_is_positive=higher))
    assert counts.is_exact
    assert (counts.auc_bound, counts.rate_bound) == (0, 0)
    curves = certified(counts)
    np.testing.assert_array_equal(curves.auc, truth.auc)
    for ours, theirs in zip(curves, truth, strict=True):
        at = every_rate(theirs.fpr, theirs.tpr)
        for side in ("upper", "lower"):
            np.testing.assert_array_equal(ours.tpr_at(at, side), theirs.tpr_at(at, side))
            np.testing.assert_array_equal(ours.fpr_at(at, side), theirs.fpr_at(at, side))
    for method in ("vertical", "horizontal"):
        ours, theirs = rs.average(counts, method), rs.average(truth, method)
        assert type(ours) is type(theirs)
        assert ours.auc == theirs.auc
        at = every_rate(theirs.fpr, theirs.tpr)
        np.testing.assert_array_equal(ours.tpr_at(at), theirs.tpr_at(at))


# Averages


def bounding(counts, method, **options):
    """The average, if it has bounds."""
    found = rs.average(counts, method, **options)
    return None if found.bounds is None else found


@given(counted_groups(grouped_scores(max_per_class=5)), st.sampled_from(METHODS), st.data())
def test_the_average_of_all_rows_lies_within_the_bounds(made, method, data):
    groups, counts, scores = made
    weights = None if "ooled" in str(method) else data.draw(st.none() | group_weights(len(groups)))
    ours = bounding(counts, method, group_weights=weights)
    assume(ours is not None)
    truth = rs.average(scores, method, group_weights=weights)
    within(truth.auc, ours.auc_bounds)
    within(ours.auc, ours.auc_bounds)
    readings_lie_within(ours, truth, data)


def readings_lie_within(ours, truth, data):
    rates = every_rate(truth.fpr, truth.tpr, ours.lower.fpr, ours.upper.tpr)
    at = np.array(data.draw(st.lists(st.sampled_from(rates.tolist()), min_size=1, max_size=6)))
    if truth.method != "radial":  # whose readings are of samples; see the test of its points
        # Turned back from a direction, corners are rounded, and on a jump the next one is read.
        direction = getattr(truth, "direction", None)
        turned = direction is not None and not (direction.is_vertical or direction.is_horizontal)
        before, after = (np.clip(at + sign * turned * 1e-14, 0, 1) for sign in (-1, 1))
        for held, free in (("fpr", "tpr"), ("tpr", "fpr")):
            bounds = getattr(ours.at(**{held: at}), f"{free}_bounds")
            low, high = (getattr(truth.at(**{held: own}), free) for own in (before, after))
            assert (bounds.low <= high).all(), (bounds.low, high)
            assert (low <= bounds.high).all(), (low, bounds.high)
    try:
        point = truth.at(rate=at)
    except rs.RocsteadyError:
        return
    bounds = ours.at(rate=at)
    within(point.fpr, bounds.fpr_bounds, 1e-15)  # turned back from the direction, it may be -1e-17
    within(point.tpr, bounds.tpr_bounds, 1e-15)


@settings(max_examples=30)
@given(counted_groups(grouped_scores(max_per_class=5)), st.floats(0, 1), st.data())
def test_points_of_the_radial_average_lie_within_the_bounds(made, share, data):
    groups, counts, scores = made
    weights = data.draw(st.none() | group_weights(len(groups)))
    ours = bounding(counts, "radial", group_weights=weights)
    assume(ours is not None)
    point = rs.average(scores, "radial", group_weights=weights).at_error_ratio(share, 1 - share)
    within(point.tpr, ours.at(fpr=point.fpr).tpr_bounds)
    within(point.fpr, ours.at(tpr=point.tpr).fpr_bounds)


@given(counted_groups(grouped_scores()), st.sampled_from(SHARED), st.data())
def test_rates_of_an_average_at_thresholds_lie_within_the_bounds(made, method, data):
    groups, counts, scores = made
    weights = data.draw(group_weights(len(groups))) if method == "threshold" else None
    ours = bounding(counts, method, group_weights=weights)
    assume(ours is not None)
    truth = rs.average(scores, method, group_weights=weights)
    at = every_threshold(np.concatenate([own for _, own in groups]))
    point, bounds = truth.at(threshold=at), ours.at(threshold=at)
    within(point.fpr, bounds.fpr_bounds)
    within(point.tpr, bounds.tpr_bounds)
    for name in ("fpr", "tpr"):
        holds(getattr(bounds, f"{name}_interval"), getattr(point, f"{name}_interval"))


def holds(wide, narrow):
    """One interval lies within another; neither is there for a single group."""
    known = ~np.isnan(narrow.low)
    assert (np.asarray(wide.low)[known] <= np.asarray(narrow.low)[known] + 1e-12).all()
    assert (np.asarray(wide.high)[known] >= np.asarray(narrow.high)[known] - 1e-12).all()


@given(counted_groups(grouped_scores(min_groups=2)), st.sampled_from(METHODS[3:7]), st.data())
def test_the_interval_of_all_rows_lies_within_the_widened_one(made, method, data):
    groups, counts, scores = made
    weights = data.draw(st.none() | group_weights(len(groups)))
    ours = bounding(counts, method, group_weights=weights)
    assume(ours is not None)
    truth = rs.average(scores, method, group_weights=weights)
    place = {"horizontal": "tpr", "diagonal": "rate"}.get(str(truth.method.label), "fpr")
    at = {place: every_rate(truth.fpr if place == "fpr" else truth.tpr)}
    point, bounds = truth.at(**at), ours.at(**at)
    for name in {"fpr": ("tpr",), "tpr": ("fpr",), "rate": ("fpr", "tpr")}[place]:
        holds(getattr(bounds, f"{name}_interval"), getattr(point, f"{name}_interval"))


@given(grouped_scores(), st.sampled_from(METHODS), st.booleans(), st.data())
def test_groups_of_one_class_are_left_out_or_pooled(groups, method, exact, data):
    lonely = (np.array([True, True]), np.array([0.5, 2.0]))
    groups = [groups[0], lonely, *groups[1:]]
    numbers = [distinct(own) if exact else data.draw(partitions(own)) for _, own in groups]
    counts, scores = counted(groups, numbers), together(groups)
    weights = None if "ooled" in str(method) else data.draw(st.none() | group_weights(len(groups)))
    assume(weights is None or np.delete(weights, 1).any())
    ours, truth = (
        rs.average(own, method, group_weights=weights, undefined="drop") for own in (counts, scores)
    )
    assert ours.undefined == truth.undefined
    assert ours.members == truth.members
    if ours.bounds is not None:
        within(truth.auc, ours.auc_bounds)
        readings_lie_within(ours, truth, data)
    else:
        assert ours.auc == pytest.approx(truth.auc, abs=1e-14)


# Weights


@given(weighted_scores(kinds=KINDS), st.data())
def test_weighted_bounds_hold_the_exactly_weighted_truth(rows, data):
    labels, scores, weights = rows
    order = np.array(data.draw(st.permutations(range(labels.size))))
    numbers = data.draw(partitions(scores))
    counts = counted([(labels[order], scores[order])], [numbers[order]], weights=weights[order])
    truth = brute_force.auc(labels, scores, weights)
    low, high = counts.auc_bounds
    assert Fraction(low[0]) <= truth <= Fraction(high[0])
    own = curve_of(counts)
    for at in every_threshold(scores).tolist():
        for rule in (">=", ">"):
            truth = brute_force.rates_at(labels, scores, at, rule, weights)
            for rate, told in zip(truth, own.rate_bounds_at(at, rule), strict=True):
                assert Fraction(told.low) <= rate <= Fraction(told.high)


@given(weighted_scores(kinds=KINDS), st.data())
def test_weighted_readings_hold_the_exactly_weighted_truth(rows, data):
    labels, scores, weights = rows
    counts = counted([(labels, scores)], [data.draw(partitions(scores))], weights=weights)
    own = curve_of(counts)
    path = weighted_path(labels, scores, weights)
    average = rs.average(counts, "vertical")
    for fpr, _ in path:
        low, high = map(float, brute_force.tprs_on(path, fpr))
        at = float(fpr)
        told = own.tpr_bounds_at(at)
        assert told.low <= high
        assert told.high >= (high if Fraction(at) >= fpr else low) - 1e-15
        assert average.at(fpr=at).tpr_bounds.high >= high - 1e-15


def weighted_path(labels, scores, weights):
    thresholds = sorted(set(scores.tolist()), reverse=True)
    path = [brute_force.rates_at(labels, scores, own, ">=", weights) for own in thresholds]
    return [(Fraction(0), Fraction(0)), *path]


@given(counted_groups(grouped_scores()))
def test_spreading_rows_over_their_cells_changes_no_count_and_no_curve(made):
    cells = made[1].cells
    spread = cells.spread()
    np.testing.assert_array_equal(spread.n_positives, cells.n_positives)
    np.testing.assert_array_equal(spread.n_negatives, cells.n_negatives)
    assert (spread.is_tied | spread.is_mixed).all()
    if cells.are_apart:
        np.testing.assert_array_equal(areas_of(spread).middle, areas_of(cells).middle)
        np.testing.assert_array_equal(areas_of(spread).half, areas_of(cells).half)
