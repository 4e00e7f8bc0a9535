"""Laws of thresholds tried on other rows: counted by hand in fractions, and what must not matter."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.points import realised
from rocsteady.points.criteria import MinimumCost, TargetRate, Youden
from rocsteady.points.realised import realise
from strategies import FLOAT_KINDS, labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS25", "ignore:RS101")

CRITERIA = (
    TargetRate(fpr=0.0),
    TargetRate(fpr=0.2),
    TargetRate(fpr=0.5),
    TargetRate(tpr=0.5),
    TargetRate(tpr=0.9),
    MinimumCost(false_positive=1, false_negative=3),
    MinimumCost(false_positive=1, false_negative=2.5, prevalence=0.1),
    Youden(),
)
RATES = ("fpr", "tpr")
OPTIONS = st.fixed_dictionaries(
    {"n_parts": st.integers(2, 3), "n_repeats": st.integers(1, 3), "seed": st.integers(0, 99)}
)


@st.composite
def groups_to_split(draw, min_groups=1, weighted=False, high=None):
    """A set whose groups have at least three cases of each class."""
    kind = draw(st.sampled_from(FLOAT_KINDS))
    one = labelled_scores(kinds=(kind,), min_per_class=3, max_per_class=6)
    pairs = draw(st.lists(one, min_size=min_groups, max_size=4))
    weights = None
    if weighted:
        value = st.sampled_from([0.25, 0.5, 1.0, 3.0])
        weights = [draw(st.lists(value, min_size=len(s), max_size=len(s))) for _, s in pairs]
    high = draw(st.booleans()) if high is None else high
    return rs.ScoreSet.from_folds(pairs, sample_weight=weights, higher_is_positive=high, design="independent")


# Counting by hand


class Row:
    def __init__(self, scores, i, part):
        higher = scores.higher_is_positive
        self.score = float(scores.scores[i])
        self.strictness = -self.score if higher else self.score
        self.positive = bool(scores.is_positive[i])
        weights = scores.sample_weight
        self.weight = Fraction(1) if weights is None else Fraction(float(weights[i]))
        self.part = part


def rows_of(scores, parts):
    """The rows of a group, ranked; parts are by rank."""
    weights = np.ones(len(scores.scores)) if scores.sample_weight is None else scores.sample_weight
    sign = -1 if scores.higher_is_positive else 1
    order = sorted(range(len(weights)), key=lambda i: (sign * float(scores.scores[i]), sign * weights[i]))
    return [Row(scores, i, part) for i, part in zip(order, parts, strict=True)]


def counts(rows, strictness):
    """tp, fp, positives, negatives at a threshold; None is beyond everything."""
    found = [Fraction(0)] * 4
    for row in rows:
        found[2 if row.positive else 3] += row.weight
        if strictness is not None and row.strictness <= strictness:
            found[0 if row.positive else 1] += row.weight
    return found


def loss(criterion, groups):
    """Exact loss of the mean over groups of counts, None if not permitted."""
    fpr = sum(fp / n for _, fp, _, n in groups) / len(groups)
    tpr = sum(tp / n for tp, _, n, _ in groups) / len(groups)
    if isinstance(criterion, TargetRate):
        if criterion.tpr is None:
            return 1 - tpr if float(fpr) <= criterion.fpr else None
        return fpr if float(tpr) >= criterion.tpr else None
    if isinstance(criterion, Youden):
        return fpr - tpr
    a, b = (Fraction(repr(cost)) for cost in (criterion.false_positive, criterion.false_negative))
    if criterion.prevalence is not None:
        share = Fraction(repr(criterion.prevalence))
        return (1 - share) * a * fpr + share * b * (1 - tpr)
    return sum((a * fp + b * (n1 - tp)) / (n1 + n0) for tp, fp, n1, n0 in groups) / len(groups)


def best_threshold(criterion, groups, pooled=False):
    """The best threshold for rows of some groups, by trying all their scores; None is beyond everything.

    Of several the strictest, but the loosest if a budget of false alarms is to be used up.
    """
    if pooled:
        groups = [[row for rows in groups for row in rows]]
    tried = [None, *sorted({row.strictness for rows in groups for row in rows})]
    losses = [loss(criterion, [counts(rows, t) for rows in groups]) for t in tried]
    least = min(value for value in losses if value is not None)
    best = [t for t, value in zip(tried, losses, strict=True) if value == least]
    is_budget = isinstance(criterion, TargetRate) and criterion.fpr is not None
    return best[-1 if is_budget else 0]


def in_user_units(strictness, higher):
    if strictness is None:
        return np.inf if higher else -np.inf
    return -strictness if higher else strictness


def check_trial(result, i, column, threshold, tested, higher):
    t = result._tried
    assert t.thresholds[i, column] == in_user_units(threshold, higher)
    tp, fp, n_positives, n_negatives = counts(tested, threshold)
    assert t.true_positives[i, column] == tp
    assert t.false_positives[i, column] == fp
    assert (t.n_positives[i, column], t.n_negatives[i, column]) == (n_positives, n_negatives)


def dealt(score_set, options):
    """The rows of every group with their parts, one list for each repeat."""
    repeats = [[] for _ in range(options["n_repeats"])]
    for name, scores in zip(score_set.names, score_set, strict=True):
        ranked = rows_of(scores, [0] * len(scores.scores))
        is_positive = np.array([row.positive for row in ranked])
        stream = realised.stream_of(options["seed"], name)
        parts = realised.deal_rows(is_positive, options["n_parts"], options["n_repeats"], stream)
        for repeat, own in zip(repeats, parts, strict=True):
            repeat.append(rows_of(scores, own.tolist()))
    return repeats


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(CRITERIA), st.booleans(), OPTIONS)
def test_own_thresholds_are_those_found_by_trying_all(data, criterion, weighted, options):
    score_set = data.draw(groups_to_split(weighted=weighted))
    result = realise(score_set, criterion, **options)
    for repeat, groups in enumerate(dealt(score_set, options)):
        for i, rows in enumerate(groups):
            for part in range(options["n_parts"]):
                column = repeat * options["n_parts"] + part
                setting = [row for row in rows if row.part != part]
                tested = [row for row in rows if row.part == part]
                threshold = best_threshold(criterion, [setting])
                check_trial(result, i, column, threshold, tested, score_set.higher_is_positive)
                tp, fp, n_positives, n_negatives = counts(setting, threshold)
                assert result._tried.promised_fpr[i, column] == float(fp / n_negatives)
                assert result._tried.promised_tpr[i, column] == float(tp / n_positives)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(CRITERIA), st.booleans(), st.sampled_from(["groups", "rows"]), OPTIONS)
def test_shared_thresholds_are_those_found_by_trying_all(data, criterion, weighted, weigh, options):
    score_set = data.draw(groups_to_split(weighted=weighted))
    result = realise(score_set, criterion, threshold="shared", weigh=weigh, **options)
    for repeat, groups in enumerate(dealt(score_set, options)):
        for part in range(options["n_parts"]):
            setting = [[row for row in rows if row.part != part] for rows in groups]
            threshold = best_threshold(criterion, setting, pooled=weigh == "rows")
            for i, rows in enumerate(groups):
                tested = [row for row in rows if row.part == part]
                column = repeat * options["n_parts"] + part
                check_trial(result, i, column, threshold, tested, score_set.higher_is_positive)


@settings(max_examples=40, deadline=None)
@given(groups_to_split(min_groups=3), st.sampled_from(CRITERIA), st.sampled_from(["groups", "rows"]), OPTIONS)
def test_a_group_held_out_has_no_part_in_its_threshold(score_set, criterion, weigh, options):
    result = realise(score_set, criterion, threshold="shared", split="groups", weigh=weigh, **options)
    parts = realised.deal_groups(score_set.names, options["n_parts"], options["n_repeats"], options["seed"])
    every = [rows_of(scores, [0] * len(scores.scores)) for scores in score_set]
    for repeat, of_groups in enumerate(parts):
        for i, own in enumerate(of_groups):
            setting = [rows for rows, part in zip(every, of_groups, strict=True) if part != own]
            threshold = best_threshold(criterion, setting, pooled=weigh == "rows")
            check_trial(result, i, repeat, threshold, every[i], score_set.higher_is_positive)


@settings(max_examples=40, deadline=None)
@given(groups_to_split(), st.sampled_from(CRITERIA), OPTIONS)
def test_shares_summed_as_floats_choose_as_integers_do(score_set, criterion, options):
    exact = realise(score_set, criterion, threshold="shared", **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(realised, "_MOST_SHARES", 0)
        floats = realise(score_set, criterion, threshold="shared", **options)
    np.testing.assert_array_equal(floats.thresholds, exact.thresholds)


@settings(max_examples=40, deadline=None)
@given(groups_to_split(), st.floats(0, 1))
def test_a_budget_is_used_up_and_a_needed_rate_is_not_overdone(score_set, rate):
    """No threshold that keeps the rate comes closer to it, on the rows that it is set on."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS2")
        promised = [realise(score_set, TargetRate(**{name: rate}), n_repeats=1).promise for name in RATES]
    curves = rs.roc_curves(score_set)
    most = np.mean([curve.fpr[curve.fpr <= rate].max() for curve in curves])
    least = np.mean([curve.tpr[curve.tpr >= rate].min() for curve in curves])
    assert promised[0].fpr == pytest.approx(most, abs=1e-12)
    assert promised[1].tpr == pytest.approx(least, abs=1e-12)


# What is dealt


@st.composite
def readers_of_cases(draw):
    """Cases with a class each, of which every reader has some; and their order in the table.

    Six of a class, of which a reader lacks two at most, can always be dealt into three parts.
    """
    is_positive = [i % 2 == 0 for i in range(draw(st.integers(12, 16)))]
    rows = []
    for reader in range(draw(st.integers(2, 4))):
        left_out = draw(st.sets(st.integers(0, len(is_positive) - 1), max_size=2))
        rows += [(reader, case) for case in range(len(is_positive)) if case not in left_out]
    rows = draw(st.permutations(rows))
    scores = draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows)))
    return [
        (reader, case, is_positive[case], score) for (reader, case), score in zip(rows, scores, strict=True)
    ]


def score_set_of(rows):
    readers, cases, labels, scores = zip(*rows, strict=True)
    names = [f"case {case}" for case in cases]
    return rs.ScoreSet.from_arrays(list(labels), list(scores), list(readers), cases=names, unit="reader")


READERS_WHO_LACK_CASES = [
    (reader, case, case % 2 == 0, {(3, 7): 3, (3, 8): 9}.get((reader, case), 0))
    for reader, left_out in ((0, ()), (3, (0, 4)), (1, ()), (2, (3,)))
    for case in range(9)
    if case not in left_out
]
"""Cases have to be moved until every reader has both classes in all of three parts."""


@settings(max_examples=40, deadline=None)
@given(readers_of_cases(), st.integers(2, 3), st.integers(0, 9), st.sampled_from(CRITERIA))
@example(READERS_WHO_LACK_CASES, 3, 9, TargetRate(fpr=0.5))
def test_cases_that_groups_share_are_dealt_as_wholes(rows, n_parts, seed, criterion):
    seen = []
    deal_cases = realised.deal_cases

    def listening(cases, cells, *rest):
        parts = deal_cases(cases, cells, *rest)
        seen.append((cases, cells, parts))
        return parts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(realised, "deal_cases", listening)
        options = {"threshold": "shared", "n_parts": n_parts, "seed": seed, "n_repeats": 3}
        found = realise(score_set_of(rows), criterion, **options)
        again = realise(score_set_of(sorted(rows)), criterion, **options)
    assert found.by_case
    cases, cells, parts = seen[0]
    for of_repeat in parts:
        together = {}
        for case, part in zip(cases.tolist(), of_repeat.tolist(), strict=True):
            assert together.setdefault(case, part) == part
        assert len(set(zip(cells.tolist(), of_repeat.tolist(), strict=True))) == n_parts * len(
            set(cells.tolist())
        )
    place = [again.groups.index(name) for name in found.groups]
    np.testing.assert_array_equal(found.thresholds, again.thresholds[place])
    np.testing.assert_array_equal(found.tpr.per_group, again.tpr.per_group[place])


@settings(max_examples=20, deadline=None)
@given(readers_of_cases(), st.sampled_from(["own", "shared"]), OPTIONS)
def test_cases_seen_once_do_not_matter(rows, threshold, options):
    """Named anew in every group, they are dealt as rows without a name."""
    readers, cases, labels, scores = zip(*sorted(rows), strict=True)
    plain = rs.ScoreSet.from_arrays(list(labels), list(scores), list(readers))
    names = [f"{reader}, {case}" for reader, case in zip(readers, cases, strict=True)]
    named = rs.ScoreSet.from_arrays(list(labels), list(scores), list(readers), cases=names)
    before, after = (realise(s, "youden", threshold=threshold, **options) for s in (plain, named))
    assert not after.by_case
    same(before, after)


@given(st.integers(1, 20), st.integers(2, 5), st.integers(1, 4), st.integers(0, 9))
def test_parts_are_as_equal_as_can_be(n, n_parts, n_repeats, seed):
    dealt = realised.deal(n, n_parts, n_repeats, np.random.default_rng(seed))
    assert dealt.shape == (n_repeats, n)
    sizes = np.array([np.bincount(parts, minlength=n_parts) for parts in dealt])
    assert sizes.max() - sizes.min() <= 1
    assert (sizes.sum(axis=1) == n).all()


def test_every_subset_is_as_likely_as_any_other():
    dealt = realised.deal(4, 2, 6000, np.random.default_rng(1))
    counted = np.bincount(dealt @ (1 << np.arange(4)), minlength=16)
    assert np.count_nonzero(counted) == 6
    assert (np.abs(counted[counted > 0] - 1000) < 5 * np.sqrt(1000 * 5 / 6)).all()


@settings(max_examples=30, deadline=None)
@given(groups_to_split(min_groups=3), st.sampled_from(["own", "shared", "groups"]), OPTIONS)
def test_every_row_is_tried_once_in_every_repeat(score_set, how, options):
    asked = {"threshold": "shared", "split": "groups"} if how == "groups" else {"threshold": how}
    tried = realise(score_set, "youden", **asked, **options)._tried
    for found, n in ((tried.n_positives, score_set.n_positives), (tried.n_negatives, score_set.n_negatives)):
        of_repeat = found.reshape(len(score_set), options["n_repeats"], -1).sum(axis=2)
        assert (of_repeat == n[:, None]).all()


# What must not matter


def same(a, b, *, but=()):
    for name in a._columns():
        if name not in but:
            np.testing.assert_array_equal(a._columns()[name], b._columns()[name], err_msg=name)


@settings(max_examples=30, deadline=None)
@given(groups_to_split(), st.sampled_from(CRITERIA), st.sampled_from(["own", "shared"]), OPTIONS)
def test_a_rising_transformation_changes_thresholds_only(score_set, criterion, threshold, options):
    columns = score_set.columns
    ranks = np.unique(columns.scores, return_inverse=True)[1].reshape(columns.scores.shape)
    moved = replace(score_set, columns=replace(columns, scores=ranks.astype(np.int64) ** 3 - 7))
    before, after = (realise(s, criterion, threshold=threshold, **options) for s in (score_set, moved))
    same(before, after, but=("threshold_mean", "threshold_min", "threshold_max"))


@settings(max_examples=30, deadline=None)
@given(groups_to_split(high=True), st.sampled_from(CRITERIA), st.sampled_from(["own", "shared"]), OPTIONS)
def test_low_scores_may_be_the_positive_ones(score_set, criterion, threshold, options):
    c = score_set.columns
    mirrored = replace(score_set, columns=replace(c, scores=-c.scores, higher_is_positive=False))
    before, after = (realise(s, criterion, threshold=threshold, **options) for s in (score_set, mirrored))
    np.testing.assert_array_equal(after.thresholds, -before.thresholds)
    same(before, after, but=("threshold_mean", "threshold_min", "threshold_max"))


@settings(max_examples=30, deadline=None)
@given(st.data(), st.booleans(), st.sampled_from(["own", "shared", "groups"]), OPTIONS)
def test_the_order_of_rows_and_groups_does_not_matter(data, weighted, how, options):
    asked = {"threshold": "shared", "split": "groups"} if how == "groups" else {"threshold": how}
    score_set = data.draw(groups_to_split(min_groups=3, weighted=weighted))
    c = score_set.columns
    groups = np.repeat(score_set.names, np.diff(c.offsets))
    order = np.array(data.draw(st.permutations(range(c.n_rows))))

    def made(rows):
        return rs.ScoreSet.from_arrays(
            c.labels[rows],
            c.scores[rows],
            groups[rows],
            sample_weight=None if c.weights is None else c.weights[rows],
            higher_is_positive=c.higher_is_positive,
        )

    first, second = made(np.arange(c.n_rows)), made(order)
    before, after = (realise(s, "youden", **asked, **options) for s in (first, second))
    place = [after.groups.index(name) for name in before.groups]
    np.testing.assert_array_equal(before.thresholds, after.thresholds[place])
    np.testing.assert_array_equal(before.fpr.per_group, after.fpr.per_group[place])


@settings(max_examples=30, deadline=None)
@given(groups_to_split(min_groups=3), st.sampled_from(CRITERIA), OPTIONS)
def test_a_group_with_its_own_threshold_does_not_know_the_others(score_set, criterion, options):
    whole = realise(score_set, criterion, **options)
    first = score_set[0]
    alone = rs.ScoreSet.from_folds(
        [(first.is_positive, first.scores)],
        names=[score_set.names[0]],
        higher_is_positive=score_set.higher_is_positive,
        design="independent",
    )
    np.testing.assert_array_equal(realise(alone, criterion, **options).thresholds[0], whole.thresholds[0])


@settings(max_examples=30, deadline=None)
@given(groups_to_split(), st.sampled_from(CRITERIA), st.sampled_from(["own", "shared"]), OPTIONS)
def test_equal_weights_are_no_weights(score_set, criterion, threshold, options):
    c = score_set.columns
    weighted = replace(score_set, columns=replace(c, weights=np.full(c.n_rows, 0.25)))
    before, after = (realise(s, criterion, threshold=threshold, **options) for s in (score_set, weighted))
    np.testing.assert_array_equal(before.thresholds, after.thresholds)
    np.testing.assert_allclose(before.tpr.per_group, after.tpr.per_group, rtol=0, atol=1e-15)
    assert before.fpr.sd_of_test_rows == pytest.approx(after.fpr.sd_of_test_rows, abs=1e-12, nan_ok=True)


# The promise


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(groups_to_split(), st.floats(0, 1))
def test_the_promise_is_the_reading_of_the_averages(score_set, rate):
    """Where no tie of both classes makes a curve run obliquely, readings are vertices."""
    for scores in score_set:
        mixed = set(scores.scores[scores.is_positive]) & set(scores.scores[~scores.is_positive])
        assume(not mixed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS2")
        vertical = realise(score_set, TargetRate(fpr=rate), n_repeats=1).promise.tpr
        horizontal = realise(score_set, TargetRate(tpr=rate), n_repeats=1).promise.fpr
        assert vertical == pytest.approx(rs.average(score_set, "vertical").tpr_at(rate), abs=1e-12)
        assert horizontal == pytest.approx(rs.average(score_set, "horizontal").fpr_at(rate), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(groups_to_split(), st.sampled_from(["groups", "rows"]), st.floats(0, 1))
def test_a_shared_promise_is_a_vertex_of_the_threshold_average_or_the_pooled_curve(score_set, weigh, rate):
    found = realise(score_set, TargetRate(fpr=rate), threshold="shared", weigh=weigh, n_repeats=1).promise
    average = rs.average(score_set, "threshold" if weigh == "groups" else "pooled")
    near = np.isclose(average.fpr, found.fpr, atol=1e-12) & np.isclose(average.tpr, found.tpr, atol=1e-12)
    assert near.any()
    assert found.fpr <= rate + 1e-12


@settings(max_examples=30, deadline=None)
@given(groups_to_split())
def test_the_promised_cost_is_the_mean_of_the_least_costs(score_set):
    cost = MinimumCost(false_positive=1, false_negative=3, prevalence=0.25)
    least = [min(0.25 * 3 * (1 - curve.tpr) + 0.75 * curve.fpr) for curve in rs.roc_curves(score_set)]
    assert realise(score_set, cost, n_repeats=1).promise.value == pytest.approx(np.mean(least), abs=1e-12)
