"""Laws of cut-offs: the best vertices by brute force in fractions, and what a threshold may do to them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.points.criteria import (
    MinimumCost,
    TargetRate,
    optimal_vertices,
    strictest_optima,
)
from rocsteady.points.cutoffs import choose_cutoff
from strategies import FLOAT_KINDS, group_weights, grouped_scores, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS24[01]", "ignore:RS101")

costs = st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.5, 7.0, 1e-3, 1e6])
shares = st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), st.floats(0, 1))


@st.composite
def criteria(draw):
    kind = draw(st.sampled_from(["youden", "closest", "eer", "cost", "fpr", "tpr"]))
    if kind == "cost":
        false_positive, false_negative, prevalence = draw(costs), draw(costs), draw(shares)
        share = 0.5 if prevalence is None else prevalence
        assume(false_positive * (1 - share) + false_negative * share > 0)
        return MinimumCost(
            false_positive=false_positive, false_negative=false_negative, prevalence=prevalence
        )
    rate = st.one_of(
        st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 0.7, 2 / 3, 0.9, 1.0]), st.floats(0, 1)
    )
    return TargetRate(**{kind: draw(rate)}) if kind in ("fpr", "tpr") else kind


def decimal(number):
    return Fraction(str(number))


def losses(criterion, fpr, tpr, prevalence):
    """What the criterion minimises at every vertex, in fractions; None where it may not choose."""
    if criterion == "youden":
        return [x - y for x, y in zip(fpr, tpr, strict=True)]
    if criterion == "closest":
        return [x**2 + (1 - y) ** 2 for x, y in zip(fpr, tpr, strict=True)]
    if criterion == "eer":
        return [abs(x - (1 - y)) for x, y in zip(fpr, tpr, strict=True)]
    if isinstance(criterion, MinimumCost):
        share = prevalence if criterion.prevalence is None else decimal(criterion.prevalence)
        miss, alarm = (
            share * decimal(criterion.false_negative),
            (1 - share) * decimal(criterion.false_positive),
        )
        return [miss * (1 - y) + alarm * x for x, y in zip(fpr, tpr, strict=True)]
    if criterion.tpr is None:
        return [-y if float(x) <= criterion.fpr else None for x, y in zip(fpr, tpr, strict=True)]
    return [x if float(y) >= criterion.tpr else None for x, y in zip(fpr, tpr, strict=True)]


def best(criterion, fpr, tpr, prevalence):
    found = losses(criterion, fpr, tpr, prevalence)
    least = min(loss for loss in found if loss is not None)
    optima = [k for k, loss in enumerate(found) if loss == least]
    if isinstance(criterion, TargetRate) and criterion.tpr is not None:  # at that FPR the largest TPR
        optima = [k for k in optima if tpr[k] == tpr[optima[-1]]]
    return optima


def exact_rates(curve):
    totals = Fraction(curve.n_positives), Fraction(curve.n_negatives)
    tpr = [Fraction(count) / totals[0] for count in curve.true_positives.tolist()]
    fpr = [Fraction(count) / totals[1] for count in curve.false_positives.tolist()]
    return fpr, tpr, totals[0] / sum(totals)


@given(labelled_scores(kinds=FLOAT_KINDS), criteria())
def test_all_optima_are_those_of_a_search_in_fractions(data, criterion):
    curve = rs.roc_curve(*data)
    cutoff = choose_cutoff(curve, criterion)
    assert cutoff.all_optima.tolist() == best(criterion, *exact_rates(curve))
    assert cutoff.index == cutoff.all_optima[0]
    assert (cutoff.fpr, cutoff.tpr) == (curve.fpr[cutoff.index], curve.tpr[cutoff.index])
    assert cutoff.threshold == curve.thresholds[cutoff.index]
    fpr, tpr, _ = exact_rates(curve)
    value = losses(criterion, fpr, tpr, exact_rates(curve)[2])[cutoff.index]
    is_gain = criterion == "youden" or (isinstance(criterion, TargetRate) and criterion.tpr is None)
    assert cutoff.value == float(-value if is_gain else value)


@given(labelled_scores(kinds=FLOAT_KINDS), criteria(), st.floats(0.01, 100))
def test_equal_weights_change_nothing(data, criterion, weight):
    plain = choose_cutoff(rs.roc_curve(*data), criterion)
    weighted = choose_cutoff(rs.roc_curve(*data, sample_weight=np.full(data[0].size, weight)), criterion)
    assert weighted.all_optima.tolist() == plain.all_optima.tolist()
    assert weighted.value == pytest.approx(plain.value, rel=1e-12, abs=1e-12)


@given(labelled_scores(kinds=FLOAT_KINDS), criteria(), st.data())
def test_a_weight_is_a_repetition(data, criterion, draw):
    labels, scores = data
    times = np.array(draw.draw(st.lists(st.integers(1, 4), min_size=labels.size, max_size=labels.size)))
    weighted = choose_cutoff(rs.roc_curve(labels, scores, sample_weight=times.astype(float)), criterion)
    repeated = choose_cutoff(rs.roc_curve(np.repeat(labels, times), np.repeat(scores, times)), criterion)
    assert weighted.all_optima.tolist() == repeated.all_optima.tolist()
    assert (weighted.threshold, weighted.fpr, weighted.tpr) == (
        repeated.threshold,
        repeated.fpr,
        repeated.tpr,
    )
    assert weighted.threshold_interval == repeated.threshold_interval


@given(weighted_scores(kinds=FLOAT_KINDS), criteria())
def test_weighted_rows_are_summed_without_rounding(data, criterion):
    labels, scores, weights = data
    curve = rs.roc_curve(labels, scores, sample_weight=weights)
    rates = []
    for own in (labels, ~labels):
        total = sum(map(Fraction, weights[own].tolist()))
        beyond = [sum(map(Fraction, weights[own & (scores >= t)].tolist())) for t in curve.thresholds[1:]]
        rates.append([Fraction(0), *(Fraction(part) / total for part in beyond)])
    total = sum(map(Fraction, weights.tolist()))
    prevalence = sum(map(Fraction, weights[labels].tolist())) / total
    assert choose_cutoff(curve, criterion).all_optima.tolist() == best(
        criterion, rates[1], rates[0], prevalence
    )


def near(threshold):
    with np.errstate(over="ignore"):  # beside the largest float is infinity
        return [threshold, np.nextafter(threshold, -np.inf), np.nextafter(threshold, np.inf)]


@given(labelled_scores(kinds=FLOAT_KINDS), criteria(), st.booleans(), st.floats(allow_nan=False))
def test_thresholds_inside_the_interval_decide_alike_and_no_others_do(data, criterion, higher, anywhere):
    curve = rs.roc_curve(*data, higher_is_positive=higher)
    cutoff = choose_cutoff(curve, criterion)
    interval = cutoff.threshold_interval
    tried = {anywhere, -np.inf, np.inf, *near(interval.low), *near(interval.high), *near(cutoff.midpoint)}
    for threshold in tried | set(curve.thresholds.tolist()):
        rates = curve.rates_at(threshold, rule=cutoff.rule)
        assert ((rates.fpr, rates.tpr) == (cutoff.fpr, cutoff.tpr)) == (threshold in interval), threshold
    assert cutoff.threshold in interval
    assert cutoff.midpoint in interval


@given(labelled_scores(kinds=FLOAT_KINDS), criteria())
def test_negated_scores_give_the_mirrored_cutoff(data, criterion):
    labels, scores = data
    cutoff = choose_cutoff(rs.roc_curve(labels, scores), criterion)
    mirrored = choose_cutoff(rs.roc_curve(labels, -scores, higher_is_positive=False), criterion)
    assert mirrored.threshold == -cutoff.threshold
    assert mirrored.rule == cutoff.rule.replace(">", "<")
    assert mirrored.midpoint == -cutoff.midpoint
    low, high = cutoff.threshold_interval
    assert mirrored.threshold_interval == (-high, -low)
    swapped = {"low": "high", "high": "low", "both": "both"}
    assert mirrored.threshold_interval.closed == swapped[cutoff.threshold_interval.closed]
    assert mirrored.all_optima.tolist() == cutoff.all_optima.tolist()


@given(labelled_scores(kinds=FLOAT_KINDS), criteria(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(data, criterion, random):
    labels, scores = data
    order = list(range(labels.size))
    random.shuffle(order)
    a, b = (choose_cutoff(rs.roc_curve(*rows), criterion) for rows in (data, (labels[order], scores[order])))
    assert (a.threshold, a.all_optima.tolist(), a.value) == (b.threshold, b.all_optima.tolist(), b.value)


@given(labelled_scores(kinds=FLOAT_KINDS), costs, costs, st.floats(0.01, 0.99))
def test_the_cheapest_vertex_is_a_corner_of_the_hull(data, false_positive, false_negative, prevalence):
    assume(false_positive + false_negative > 0)
    curve = rs.roc_curve(*data)
    numbers = {"false_positive": false_positive, "false_negative": false_negative, "prevalence": prevalence}
    cutoff = choose_cutoff(curve, MinimumCost(**numbers))
    on_hull = choose_cutoff(curve.hull(), MinimumCost(**numbers))
    assert (on_hull.threshold, on_hull.fpr, on_hull.tpr) == (cutoff.threshold, cutoff.fpr, cutoff.tpr)
    scale = false_positive + false_negative
    assert cutoff.value == pytest.approx(curve.cost_curve().expected_cost(**numbers), abs=1e-12 * scale)


@given(labelled_scores(kinds=FLOAT_KINDS), st.data())
def test_targets_at_attained_rates_read_the_curve(data, draw):
    curve = rs.roc_curve(*data)
    k = draw.draw(st.integers(0, curve.fpr.size - 1))
    fpr, tpr = float(curve.fpr[k]), float(curve.tpr[k])
    assert choose_cutoff(curve, TargetRate(fpr=fpr)).value == curve.tpr_at(fpr)
    assert choose_cutoff(curve, TargetRate(tpr=tpr)).value == curve.fpr_at(tpr)


@given(labelled_scores(kinds=FLOAT_KINDS))
def test_the_eer_vertex_is_the_one_of_the_curve(data):
    curve = rs.roc_curve(*data)
    closest = curve.eer("closest-vertex")
    cutoff = choose_cutoff(curve, "eer")
    assert (cutoff.fpr, 1 - cutoff.tpr) == pytest.approx((closest.fpr, closest.fnr), abs=1e-15)


@given(grouped_scores(), criteria(), st.data())
def test_optima_of_a_threshold_average_are_exact(groups, criterion, draw):
    kind = draw.draw(st.sampled_from([None, "positives", "rows", "numbers"]))
    weights = draw.draw(group_weights(len(groups))) if kind == "numbers" else kind
    average = rs.average(
        rs.ScoreSet.from_folds(groups, design="independent"), "threshold", group_weights=weights
    )
    sizes = [(int(labels.sum()), int((~labels).sum())) for labels, _ in groups]
    own = {None: [1] * len(groups), "positives": [p for p, _ in sizes], "rows": [p + n for p, n in sizes]}
    exact = [Fraction(w) for w in (own[kind] if kind != "numbers" else weights)]
    if kind == "numbers" and len(set(exact)) > 1:  # shares of typed numbers are rounded when they are stored
        exact = [Fraction(w).limit_denominator(10**6) for w in weights]
        assume(all(w == float(e) and e.denominator <= 100 for w, e in zip(weights, exact, strict=True)))
    rates = [[], []]
    for k, t in enumerate(average.thresholds):
        for sign, found in ((True, rates[1]), (False, rates[0])):
            means = [
                weight
                * Fraction(
                    int(((scores >= t) & (labels == sign)).sum() if k else 0), int((labels == sign).sum())
                )
                for weight, (labels, scores) in zip(exact, groups, strict=True)
            ]
            found.append(sum(means) / sum(exact))
    used = [size for size, weight in zip(sizes, exact, strict=True) if weight]
    prevalence = Fraction(sum(p for p, _ in used), sum(map(sum, used)))
    cutoff = choose_cutoff(average, criterion)
    assert cutoff.all_optima.tolist() == best(criterion, *rates, prevalence)


@given(grouped_scores(), criteria())
def test_the_pooled_average_has_the_cutoff_of_the_pooled_curve(groups, criterion):
    average = rs.average(rs.ScoreSet.from_folds(groups, design="independent"), "pooled")
    curve = rs.roc_curve(np.concatenate([g[0] for g in groups]), np.concatenate([g[1] for g in groups]))
    a, b = choose_cutoff(average, criterion), choose_cutoff(curve, criterion)
    assert a.all_optima.tolist() == b.all_optima.tolist()
    assert (a.threshold, a.threshold_interval, a.midpoint) == (b.threshold, b.threshold_interval, b.midpoint)
    assert (a.fpr, a.tpr) == (b.fpr, b.tpr)
    assert a.value == pytest.approx(b.value, rel=1e-14, abs=1e-15)


@given(st.lists(labelled_scores(kinds=("tied floats",), max_per_class=5), min_size=1, max_size=4), criteria())
def test_many_curves_at_once_give_the_first_optimum_of_each(samples, criterion):
    if isinstance(criterion, MinimumCost):  # a longer decimal does not fit 64 bits
        assume(criterion.prevalence in (None, 0.0, 0.1, 0.25, 0.5, 1.0))
    grid = np.arange(3.0, -4.0, -1.0)
    tp, fp = (
        np.array([[0, *(int(((s >= t) & (y == sign)).sum()) for t in grid)] for y, s in samples])
        for sign in (True, False)
    )
    found = strictest_optima(criterion, tp, fp)
    assert found.tolist() == [int(optimal_vertices(criterion, a, b)[0]) for a, b in zip(tp, fp, strict=True)]


@given(labelled_scores(kinds=("integers above 2**53",)), criteria())
def test_a_threshold_that_stands_for_two_scores_is_refused_or_right(data, criterion):
    curve = rs.roc_curve(*data)
    thresholds = curve.thresholds.tolist()
    index = int(optimal_vertices(criterion, curve.true_positives, curve.false_positives)[0])
    if index and thresholds.count(thresholds[index]) > 1:
        with pytest.raises(rs.RocsteadyError, match="RS048"):
            choose_cutoff(curve, criterion)
        return
    cutoff = choose_cutoff(curve, criterion)
    rates = curve.rates_at(cutoff.threshold, rule=cutoff.rule)
    assert (rates.fpr, rates.tpr) == (cutoff.fpr, cutoff.tpr)


@given(
    data=st.data(),
    cost=st.sampled_from([1e300, 1e15, 1e9, 12_345.678901234567]),
    is_miss_dear=st.booleans(),
    prevalence=st.sampled_from([None, 1e-300, 0.3]),
)
def test_lopsided_costs_keep_their_second_term_in_many_curves_at_once(data, cost, is_miss_dear, prevalence):
    """Losses rounded to 12 places lost it, so a vertex that found no positive was as good as any."""
    pair = (1 / cost, cost) if is_miss_dear else (cost, 1 / cost)
    criterion = MinimumCost(false_positive=pair[0], false_negative=pair[1], prevalence=prevalence)
    steps = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
    tp, fp = np.cumsum([(0, 0), *steps, (1, 1)], axis=0).T
    (first,) = strictest_optima(criterion, tp[None], fp[None])
    assert first == optimal_vertices(criterion, tp, fp)[0]
    (of_rates,) = strictest_optima(
        criterion.at_prevalence(Fraction(1, 2)), tp[None] / tp[-1], fp[None] / fp[-1]
    )
    if prevalence is not None and cost > 1e14:
        assert of_rates == first
