"""Laws of predictive values, of the largest measure and of any function of the four counts, by brute force."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.points.criteria import Maximum, TargetRate, optimal_vertices, strictest_optima
from rocsteady.points.cutoffs import choose_cutoff
from strategies import FLOAT_KINDS, grouped_scores, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS24[01]", "ignore:RS101")

shares = st.one_of(st.none(), st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.9]), st.floats(0.001, 0.999))
targets = st.one_of(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.9, 1.0]), st.floats(0, 1))


def _profit(tp, fp):
    return 3 * tp - 2 * fp


FUNCTIONS = {
    "f2": lambda c: 5 * c.tp / (5 * c.tp + 4 * c.fn + c.fp),
    "profit": _profit,
    "jaccard, one by one": lambda tp, fp, fn, tn: tp / (tp + fp + fn) if tp + fp + fn > 0 else float("nan"),
    "ppv": lambda c: c.tp / (c.tp + c.fp),
}


@st.composite
def criteria(draw):
    kind = draw(
        st.sampled_from(["ppv", "npv", "f1", "accuracy", "balanced_accuracy", "mcc", "kappa", *FUNCTIONS])
    )
    share = draw(shares)
    if kind in ("ppv", "npv") and draw(st.booleans()):
        return TargetRate(**{kind: draw(targets)}, prevalence=share)
    return Maximum(FUNCTIONS.get(kind, "accuracy" if kind in ("ppv", "npv") else kind), prevalence=share)


def over(part, whole):
    return Fraction(part) / whole if whole else None


def measured(criterion, fpr, tpr, share, n):
    """The measure at one vertex as a fraction that rises with it; None where it is not defined."""
    tp, fn, fp, tn = (
        n * share * tpr,
        n * share * (1 - tpr),
        n * (1 - share) * fpr,
        n * (1 - share) * (1 - fpr),
    )
    match criterion.measure:
        case "f1":
            return over(2 * tp, 2 * tp + fp + fn)
        case "accuracy":
            return over(tp + tn, n)
        case "balanced_accuracy":
            return (tpr + 1 - fpr) / 2
        case "kappa":
            observed = (tp + tn) / n
            chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
            return (observed - chance) / (1 - chance)
        case "mcc":
            scale, apart = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn), tp * tn - fp * fn
            return Fraction(0) if not scale else apart * abs(apart) / scale
    name = next(name for name, own in FUNCTIONS.items() if own is criterion.measure)
    if name == "f2":
        return over(5 * tp, 5 * tp + 4 * fn + fp)
    if name == "profit":
        return 3 * tp - 2 * fp
    return over(tp, tp + fp + fn) if name.startswith("jaccard") else over(tp, tp + fp)


def best(criterion, fpr, tpr, prevalence, n):
    """All optima by brute force; an empty list where nothing keeps a target."""
    share = prevalence if criterion.prevalence is None else Fraction(repr(criterion.prevalence))
    pairs = list(zip(fpr, tpr, strict=True))
    if isinstance(criterion, Maximum):
        found = [measured(criterion, x, y, share, n) for x, y in pairs]
        most = max(own for own in found if own is not None)
        return [k for k, own in enumerate(found) if own == most]
    if criterion.ppv is not None:
        attained = [over(share * y, share * y + (1 - share) * x) for x, y in pairs]
    else:
        attained = [over((1 - share) * (1 - x), (1 - share) * (1 - x) + share * (1 - y)) for x, y in pairs]
    kept = [k for k, own in enumerate(attained) if own is not None and float(own) >= criterion.rate]
    if criterion.ppv is not None:
        return [k for k in kept if tpr[k] == max(tpr[i] for i in kept)]
    kept = [k for k in kept if fpr[k] == min(fpr[i] for i in kept)]
    return [k for k in kept if tpr[k] == max(tpr[i] for i in kept)]


def exact_rates(curve):
    totals = Fraction(curve.n_positives), Fraction(curve.n_negatives)
    tpr = [Fraction(count) / totals[0] for count in curve.true_positives.tolist()]
    fpr = [Fraction(count) / totals[1] for count in curve.false_positives.tolist()]
    return fpr, tpr, totals[0] / sum(totals), sum(totals)


def check(curve, criterion, expected):
    if not expected:
        with pytest.raises(rs.RocsteadyError, match="RS007"):
            choose_cutoff(curve, criterion)
        return None
    found = choose_cutoff(curve, criterion)
    assert found.all_optima.tolist() == expected
    assert found.index == expected[0]
    return found


@given(labelled_scores(kinds=FLOAT_KINDS), criteria())
def test_all_optima_are_those_of_a_search_in_fractions(data, criterion):
    curve = rs.roc_curve(*data)
    fpr, tpr, prevalence, n = exact_rates(curve)
    found = check(curve, criterion, best(criterion, fpr, tpr, prevalence, n))
    if found is None:
        return
    if isinstance(criterion, TargetRate):
        assert found.value == (found.tpr if criterion.ppv is not None else found.fpr)
        return
    share = prevalence if criterion.prevalence is None else Fraction(repr(criterion.prevalence))
    value = measured(criterion, fpr[found.index], tpr[found.index], share, n)
    exact = float(value)
    if criterion.measure == "mcc":
        exact = float(np.sign(exact) * abs(exact) ** 0.5)
    assert found.value == pytest.approx(exact, rel=1e-12, abs=1e-14)


@given(labelled_scores(kinds=FLOAT_KINDS), criteria())
def test_negated_scores_give_the_mirrored_cutoff(data, criterion):
    labels, scores = data
    curve = rs.roc_curve(labels, scores)
    assume(best(criterion, *exact_rates(curve)))  # something keeps the target
    found = choose_cutoff(curve, criterion)
    mirrored = choose_cutoff(rs.roc_curve(labels, -scores, higher_is_positive=False), criterion)
    assert (mirrored.threshold, mirrored.all_optima.tolist()) == (-found.threshold, found.all_optima.tolist())


@given(weighted_scores(kinds=FLOAT_KINDS), criteria())
def test_weighted_rows_are_summed_without_rounding(data, criterion):
    assume(isinstance(criterion, TargetRate) or isinstance(criterion.measure, str))
    labels, scores, weights = data
    curve = rs.roc_curve(labels, scores, sample_weight=weights)
    rates = []
    for own in (labels, ~labels):
        total = sum(map(Fraction, weights[own].tolist()))
        beyond = [sum(map(Fraction, weights[own & (scores >= t)].tolist())) for t in curve.thresholds[1:]]
        rates.append([Fraction(0), *(Fraction(part) / total for part in beyond)])
    total = sum(map(Fraction, weights.tolist()))
    prevalence = sum(map(Fraction, weights[labels].tolist())) / total
    check(curve, criterion, best(criterion, rates[1], rates[0], prevalence, Fraction(1)))


@given(labelled_scores(kinds=FLOAT_KINDS), criteria(), st.data())
def test_a_weight_is_a_repetition(data, criterion, draw):
    labels, scores = data
    times = np.array(draw.draw(st.lists(st.integers(1, 4), min_size=labels.size, max_size=labels.size)))
    repeated = rs.roc_curve(np.repeat(labels, times), np.repeat(scores, times))
    weighted = rs.roc_curve(labels, scores, sample_weight=times.astype(float))
    check(weighted, criterion, best(criterion, *exact_rates(repeated)))


@given(grouped_scores(), criteria(), st.data())
def test_optima_of_a_threshold_average_are_exact(groups, criterion, draw):
    kind = draw.draw(st.sampled_from([None, "positives", "rows"]))
    scores = rs.ScoreSet.from_folds(groups, design="independent")
    average = rs.average(scores, "threshold", group_weights=kind)
    sizes = [(int(labels.sum()), int((~labels).sum())) for labels, _ in groups]
    own = {None: [1] * len(groups), "positives": [p for p, _ in sizes], "rows": [p + n for p, n in sizes]}[
        kind
    ]
    rates = [[], []]
    for k, t in enumerate(average.thresholds):
        for sign, found in ((True, rates[1]), (False, rates[0])):
            means = [
                weight * Fraction(int(((s >= t) & (y == sign)).sum() if k else 0), int((y == sign).sum()))
                for weight, (y, s) in zip(own, groups, strict=True)
            ]
            found.append(sum(means) / Fraction(sum(own)))
    n = Fraction(sum(map(sum, sizes)))
    prevalence = Fraction(sum(p for p, _ in sizes)) / n
    check(average, criterion, best(criterion, *rates, prevalence, n))


@given(grouped_scores(), criteria())
def test_the_pooled_average_has_the_cutoff_of_the_pooled_curve(groups, criterion):
    average = rs.average(rs.ScoreSet.from_folds(groups, design="independent"), "pooled")
    curve = rs.roc_curve(np.concatenate([g[0] for g in groups]), np.concatenate([g[1] for g in groups]))
    check(average, criterion, best(criterion, *exact_rates(curve)))


@given(st.lists(labelled_scores(kinds=("tied floats",), max_per_class=5), min_size=1, max_size=4), criteria())
def test_many_curves_at_once_give_the_first_optimum_of_each(samples, criterion):
    grid = np.arange(3.0, -4.0, -1.0)
    tp, fp = (
        np.array([[0, *(int(((s >= t) & (y == sign)).sum()) for t in grid)] for y, s in samples])
        for sign in (True, False)
    )
    found = strictest_optima(criterion, tp, fp).tolist()
    for first, a, b in zip(found, tp, fp, strict=True):
        n, share = Fraction(int(a[-1] + b[-1])), Fraction(int(a[-1]), int(a[-1] + b[-1]))
        rates = [[Fraction(int(k), int(of[-1])) for k in of] for of in (b, a)]
        if best(criterion, *rates, share, n):
            assert first == int(optimal_vertices(criterion, a, b)[0])
            continue
        attained = criterion.at_prevalence(share).attained(b / b[-1], a / a[-1])  # what comes nearest
        assert attained[first] == pytest.approx(np.nanmax(attained), abs=1e-11)


@given(labelled_scores(kinds=FLOAT_KINDS))
def test_accuracy_is_the_smallest_cost_of_equal_errors_and_balanced_accuracy_youdens(data):
    curve = rs.roc_curve(*data)
    equal = rs.MinimumCost(false_positive=1, false_negative=1)
    assert (
        choose_cutoff(curve, "accuracy").all_optima.tolist()
        == choose_cutoff(curve, equal).all_optima.tolist()
    )
    youden = choose_cutoff(curve, "youden").all_optima.tolist()
    assert choose_cutoff(curve, "balanced_accuracy").all_optima.tolist() == youden


@given(labelled_scores(kinds=FLOAT_KINDS), st.data())
def test_an_attained_predictive_value_is_kept(data, draw):
    curve = rs.roc_curve(*data)
    called = curve.true_positives + curve.false_positives
    k = draw.draw(st.integers(1, called.size - 1))
    ppv = float(Fraction(int(curve.true_positives[k]), int(called[k])))
    assert choose_cutoff(curve, TargetRate(ppv=ppv)).tpr >= curve.tpr[k]
    left = int(curve.n_positives + curve.n_negatives) - called
    if left[k]:
        npv = float(Fraction(int(curve.n_negatives - curve.false_positives[k]), int(left[k])))
        assert choose_cutoff(curve, TargetRate(npv=npv)).fpr <= curve.fpr[k]


def test_a_perfect_square_of_a_correlation_is_a_tie():
    """Correlations are compared as squares, which are fractions, not as roots, which are floats."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        tp, fp = (np.append(0, np.cumsum(rng.integers(0, 3, 12))) for _ in range(2))
        if not (tp[-1] and fp[-1]):
            continue
        p, n = int(tp[-1]), int(fp[-1])
        exact = []
        for a, b in zip(tp.tolist(), fp.tolist(), strict=True):
            called = a + b
            apart = a * (n - b) - b * (p - a)
            scale = called * p * n * (p + n - called)
            exact.append(Fraction(apart * abs(apart), scale) if scale else Fraction(0))
        expected = [k for k, own in enumerate(exact) if own == max(exact)]
        assert optimal_vertices("mcc", tp, fp).tolist() == expected
