"""Venkatraman's test and bootstrap tests: laws, then traps and bad input. pROC's numbers are in tests/golden."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, UsageError
from rocsteady.inference import tests_on_cases as permuting
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings(
    "ignore:RS101", "ignore:RS270", "ignore:RS271", "ignore:RS294", "ignore:RS152"
)
LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 0]
FIRST = [9, 8, 7, 3, 6, 4, 2, 1, 0]
SECOND = [9, 2, 3, 7, 8, 6, 5, 1, 0]
FEW = {"n_permutations": 25}


@st.composite
def two_models(draw):
    """Labels and two score arrays of the same cases."""
    labels, scores = draw(labelled_scores(min_per_class=2))
    order = draw(st.permutations(range(labels.size)))
    return labels, scores, scores[list(order)]


def errors_at_every_rank(labels, ranks):
    """Errors when the cases of rank k or more are called positive, for every k: the definition."""
    return [
        sum((rank >= k) != label for rank, label in zip(ranks, labels, strict=True))
        for k in range(1, labels.size + 1)
    ]


@given(two_models())
@settings(max_examples=25)
def test_the_statistic_is_the_difference_of_errors_summed_over_ranks(data):
    labels, a, b = data
    found = rs.venkatraman_test(labels, a, b, ties="first", **FEW)
    errors = [errors_at_every_rank(labels, permuting.distinct_ranks(s, None)) for s in (a, b)]
    apart = sum(abs(x - y) for x, y in zip(*errors, strict=True))
    assert found.statistic == apart
    assert found.difference == apart / labels.size**2


@pytest.mark.parametrize("paired", [True, False])
@given(two_models(), st.integers(0, 2**32), st.randoms(use_true_random=False))
@settings(max_examples=12)
def test_venkatraman_does_not_depend_on_the_order_of_rows_or_models(paired, data, seed, random):
    labels, a, b = data
    order = list(range(labels.size))
    random.shuffle(order)
    found = rs.venkatraman_test(labels, a, b, paired=paired, seed=seed, **FEW)
    shuffled = rs.venkatraman_test(labels[order], a[order], b[order], paired=paired, seed=seed, **FEW)
    turned = rs.venkatraman_test(labels, b, a, paired=paired, seed=seed, **FEW)
    for other in (shuffled, turned):
        assert (other.statistic, other.pvalue) == (found.statistic, found.pvalue)


@pytest.mark.parametrize("paired", [True, False])
@given(labelled_scores(kinds=("tied floats", "integers")))
@settings(max_examples=12)
def test_T24_equal_models_have_p_of_exactly_one(paired, data):
    labels, scores = data
    same = rs.venkatraman_test(labels, scores, 3 * scores + 1, paired=paired, **FEW)
    assert (same.statistic, same.difference, same.pvalue) == (0, 0, 1)
    same = rs.bootstrap_test(labels, scores, 3 * scores + 1, paired=paired, n_resamples=25)
    assert (same.difference, same.statistic, same.pvalue) == (0, 0, 1)


@given(two_models(), st.integers(0, 2**32))
@settings(max_examples=10)
def test_permutations_exchange_the_ranks_of_whole_cases(data, seed):
    """All 2**n exchanges of a few cases with distinct ranks: the drawn statistics are among them."""
    labels, a, b = (column[:5] for column in data)
    a, b = permuting.distinct_ranks(a, None), permuting.distinct_ranks(b, None)
    possible = set()
    for exchanged in itertools.product([False, True], repeat=a.size):
        one, other = np.where(exchanged, b, a), np.where(exchanged, a, b)
        orders = [all_orders(ranks) for ranks in (one, other)]
        possible |= {permuting.errors_apart(x, y, labels) for x in orders[0] for y in orders[1]}
    assert set(permuting.exchanged_within_cases(a, b, labels, 50, seed).tolist()) <= possible


def all_orders(ranks):
    """Every way to break the ties of ranks that at most two cases share."""
    shared = [np.flatnonzero(ranks == r) for r in np.unique(ranks) if np.sum(ranks == r) == 2]
    ways = []
    for flipped in itertools.product([0.25, -0.25], repeat=len(shared)):
        keys = ranks.astype(float)
        for pair, shift in zip(shared, flipped, strict=True):
            keys[pair[0]] += shift
        ways.append(np.argsort(np.argsort(keys)))
    return ways


@given(two_models(), labelled_scores(min_per_class=2), st.floats(0.1, 0.9))
@settings(max_examples=25)
def test_the_unpaired_statistic_is_the_area_between_the_errors(data, other, share):
    """Row by row, as pROC computes it."""
    first, second = (x[0][np.argsort(x[1], kind="stable")] for x in (data, other))
    (x_a, y_a), (x_b, y_b) = ([v[0] for v in permuting.positions(x[None, :], share)] for x in (first, second))
    at = np.sort(np.concatenate([x_a, x_b]))
    at = at[at >= max(x_a[0], x_b[0])]
    apart = np.abs(np.interp(at, x_a, y_a) - np.interp(at, x_b, y_b))
    area = np.sum(np.diff(at) * (apart[1:] + apart[:-1]) / 2)
    rows = 3  # the same in every row
    found = permuting.area_between(np.tile(first, (rows, 1)), np.tile(second, (rows, 1)), share)
    np.testing.assert_allclose(found, area, atol=1e-12)


def test_T27_curves_that_cross_differ_though_their_areas_do_not():
    rng = np.random.default_rng(3)
    labels = np.arange(600) % 2 == 1
    wide = np.where(labels, rng.normal(1.0, 2.2, 600), rng.normal(0.0, 1.0, 600))
    shape = np.where(labels, rng.normal(1.0, 0.45, 600), rng.normal(0.0, 2.36, 600))
    assert rs.compare_auc(labels, wide, shape).pvalue > 0.1
    found = rs.venkatraman_test(labels, wide, shape, n_permutations=500)
    assert found.pvalue < 0.01
    assert "not whether their areas are" in found.reading
    assert rs.venkatraman_test(labels, wide, shape, n_permutations=500, paired=False).pvalue < 0.01


def test_unpaired_samples_of_other_sizes_keep_the_level():
    """Equal curves, other sizes and shares of positives: plain ranks of the two are not comparable."""
    rng = np.random.default_rng(5)
    rejected, n_tests = 0, 80
    for test in range(n_tests):
        labels = [np.arange(40) % 2 == 0, np.arange(120) % 4 == 0]
        scores = [rng.normal(size=own.size) + own for own in labels]
        found = rs.venkatraman_test(tuple(labels), *scores, paired=False, n_permutations=99, seed=test)
        rejected += found.pvalue <= 0.05
    assert rejected <= 0.05 * n_tests + 4 * math.sqrt(0.05 * 0.95 * n_tests)


STATISTICS = ["auc", {"fpr": 0.2}, {"tpr": 0.7}, rs.PartialAuc(fpr=(0, 0.3), standardized=True)]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
@given(two_models(), st.integers(0, 2**32), st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_bootstrap_tests_change_sign_with_the_models_and_nothing_with_the_rows(
    statistic, paired, data, seed, random
):
    labels, a, b = data
    order = list(range(labels.size))
    random.shuffle(order)
    asked = {"statistic": statistic, "paired": paired, "seed": seed, "n_resamples": 20}
    found = rs.bootstrap_test(labels, a, b, threads=1, **asked)
    shuffled = rs.bootstrap_test(labels[order], a[order], b[order], threads=2, **asked)
    turned = rs.bootstrap_test(labels, b, a, **asked)
    assert (shuffled.statistic, shuffled.pvalue) == (found.statistic, found.pvalue)
    assert (turned.statistic, turned.pvalue) == (-found.statistic, found.pvalue)
    assert found.difference == found.values[0] - found.values[1]
    sides = [rs.bootstrap_test(labels, a, b, alternative=side, **asked) for side in ("greater", "less")]
    assert sides[0].pvalue + sides[1].pvalue == pytest.approx(1)
    if math.isfinite(found.statistic):
        assert min(2 * sides[0].pvalue, 2 * sides[1].pvalue) == pytest.approx(found.pvalue)


def test_the_bootstrap_test_of_the_area_is_nearly_delongs():
    rng = np.random.default_rng(0)
    labels = rng.random(300) < 0.4
    a, b = (rng.normal(size=300) + labels * shift for shift in (1.0, 1.4))
    for paired in (True, False):
        delong = rs.compare_auc(labels, a, b, paired=paired)
        found = rs.bootstrap_test(labels, a, b, paired=paired)
        assert found.standard_error == pytest.approx(delong.standard_error, rel=0.08)
        assert found.difference == pytest.approx(delong.difference, abs=1e-15)


def test_pairing_narrows_what_correlated_models_differ_in():
    rng = np.random.default_rng(0)
    labels = rng.random(300) < 0.4
    shared = rng.normal(size=300) + labels
    a, b = (shared + 0.3 * rng.normal(size=300) for _ in range(2))
    for statistic in STATISTICS:
        errors = [
            rs.bootstrap_test(labels, a, b, statistic=statistic, paired=p).standard_error
            for p in (True, False)
        ]
        assert errors[0] < 0.7 * errors[1]


def test_warnings_say_when_not_to_believe_it():
    with pytest.warns(UserWarning, match="RS294"):
        rs.venkatraman_test([1, 0] * 10, [1, 1, 2, 2] * 5, list(range(20)))
    with pytest.warns(UserWarning, match="RS270"):
        rs.venkatraman_test(LABELS, FIRST, SECOND, n_permutations=50)
    perfect = [1.0 * y for y in LABELS]
    with pytest.warns(UserWarning, match="RS271"):
        found = rs.bootstrap_test(LABELS, perfect, [-s for s in perfect])
    assert (found.difference, found.statistic, found.pvalue) == (1, math.inf, 0)


def test_bad_input_is_refused():
    for function in (rs.venkatraman_test, rs.bootstrap_test):
        name = function.__name__
        with pytest.raises(UsageError, match=rf"RS002(.|\n)*{name}\(labels, scores_a, scores_b\)"):
            function(LABELS, FIRST)
        with pytest.raises(UsageError, match=r"RS002.*exactly two"):
            function(LABELS, FIRST, SECOND, FIRST)
        with pytest.raises(UsageError, match=r"RS002.*cannot be paired"):
            function((LABELS, LABELS), FIRST, SECOND)
        with pytest.raises(DataError, match=r"RS031.*score array 2 of 2"):
            function(LABELS, FIRST, [math.nan, *SECOND[1:]])
        with pytest.raises(DataError, match="RS024"):
            function([1] * 9, FIRST, SECOND, positive=1)
        with pytest.raises(UsageError, match="RS042"):
            function(LABELS, FIRST, SECOND, seed=-1)
        weighted = rs.Scores(LABELS, FIRST, sample_weight=[1.0] * 8 + [2.0])
        with pytest.raises(UsageError, match=r"RS038.*does not take weights"):
            function(weighted, weighted)
    with pytest.raises(UsageError, match="RS059"):
        rs.bootstrap_test(LABELS, FIRST, SECOND, statistic={"fpr": [0.1, 0.2]})
    with pytest.raises(UsageError, match=r"RS001(.|\n)*here that is  alternative='two-sided'"):
        rs.bootstrap_test(LABELS, FIRST, SECOND, alternative="two.sided")
    with pytest.raises(UsageError, match="RS001"):
        rs.venkatraman_test(LABELS, FIRST, SECOND, ties="average")
    with pytest.raises(UsageError, match="RS042"):
        rs.venkatraman_test(LABELS, FIRST, SECOND, n_permutations=0)


def test_results_are_plain_and_short():
    for found in (rs.venkatraman_test(LABELS, FIRST, SECOND), rs.bootstrap_test(LABELS, FIRST, SECOND)):
        assert "\n" not in repr(found)
        plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert plain["pvalue"] == found.pvalue
        assert "the cases are treated as a random sample" in plain["reading"].lower()


def test_low_scores_positive():
    turned = ([-s for s in FIRST], [-s for s in SECOND])
    for function in (rs.venkatraman_test, rs.bootstrap_test):
        found = function(LABELS, FIRST, SECOND)
        low = function(LABELS, *turned, higher_is_positive=False)
        assert (low.statistic, low.pvalue) == (found.statistic, found.pvalue)
