"""What every comparison of models obeys, whatever the scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.inference.compare import compare

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{code}")
    for code in (
        "RS101",
        "RS210",
        "RS270",
        "RS275",
        "RS276",
        "RS278",
        "RS279",
        "RS280",
        "RS245",
        "RS151",
        "RS153",
    )
]

METHODS = ("vertical", "horizontal", "diagonal", "threshold", "pooled")
PLACES = [{"fpr": 0.2}, {"tpr": 0.7}, {"threshold": 0.5}]


@st.composite
def tables(draw, *, min_groups=2, max_groups=5, least=1):
    """Labels, groups and the scores of two models, with many ties."""
    sizes = draw(
        st.lists(
            st.tuples(st.integers(least, 4), st.integers(least, 4)), min_size=min_groups, max_size=max_groups
        )
    )
    labels = np.array([kind for n, m in sizes for kind in [True] * n + [False] * m])
    groups = np.repeat(np.arange(len(sizes)), [n + m for n, m in sizes])
    values = st.lists(st.integers(-2, 3), min_size=labels.size, max_size=labels.size)
    scores = {name: np.array(draw(values), dtype=np.float64) for name in ("old", "new")}
    return labels, scores, groups


def asked(labels, scores, groups, a="old", b="new", **options):
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    given = {"method": "vertical", "n_resamples": 20} | options
    return compare(score_set, a, b, at=PLACES, **given)


def numbers(found, sign=1.0):
    """Everything a comparison measured, as one array."""
    rows = []
    for own in found.differences:
        limits = sorted([sign * own.interval.low, sign * own.interval.high])
        rows.append([sign * own.difference, own.standard_error, *limits, own.pvalue, own.flip_pvalue, own.df])
    curve = found.curve
    lines = [sign * curve.difference, curve.standard_error, curve.adjusted]
    return np.concatenate([np.ravel(rows), *lines, [curve.pvalue, curve.factor]])


@settings(max_examples=25)
@given(tables(), st.sampled_from(METHODS), st.sampled_from(["groups", "cases"]), st.booleans())
def test_swapped_models_have_the_opposite_difference(table, method, random, paired):
    assume(random == "groups" or method != "diagonal")
    options = {"method": method, "random": random, "paired": paired}
    if not paired and (random == "cases" or method in ("threshold", "pooled")):
        return  # the two samples are drawn from streams of their own, which do not swap
    found, swapped = asked(*table, **options), asked(*table, "new", "old", **options)
    np.testing.assert_allclose(numbers(swapped, -1.0), numbers(found), atol=1e-12)


@settings(max_examples=25)
@given(tables(), st.sampled_from(METHODS), st.sampled_from(["groups", "cases"]))
def test_a_model_does_not_differ_from_its_copy(table, method, random):
    assume(random == "groups" or method != "diagonal")
    labels, scores, groups = table
    found = asked(
        labels, {"old": scores["old"], "new": scores["old"].copy()}, groups, method=method, random=random
    )
    assert [own.difference for own in found.differences] == [0.0] * len(found.differences)
    known = [own for own in found.differences if not np.isnan(own.standard_error)]  # not of a single case
    assert [own.pvalue for own in known] == [1.0] * len(known)
    assert found.auc.difference == 0
    assert found.curve.pvalue == 1
    assert not found.curve.difference.any()


@settings(max_examples=20)
@given(tables(), st.sampled_from(METHODS), st.sampled_from(["groups", "cases"]), st.booleans(), st.data())
def test_the_order_of_groups_and_rows_does_not_matter(table, method, random, paired, data):
    assume(random == "groups" or method != "diagonal")
    labels, scores, groups = table
    order = np.array(data.draw(st.permutations(range(labels.size))))
    shuffled = labels[order], {name: own[order] for name, own in scores.items()}, groups[order]
    options = {"method": method, "random": random, "paired": paired}
    found, again = asked(*table, **options), asked(*shuffled, **options)
    np.testing.assert_allclose(numbers(again), numbers(found), atol=1e-12)


@settings(max_examples=20)
@given(tables(), st.sampled_from(("vertical", "horizontal", "diagonal", "threshold")))
def test_each_model_may_be_rescaled(table, method):
    labels, scores, groups = table
    other = {"old": scores["old"], "new": np.exp(scores["new"])}
    places = [{"fpr": 0.2}, {"tpr": 0.7}]
    first, second = (
        compare(
            rs.ScoreSet.from_arrays(labels, own, groups),
            "old",
            "new",
            at=places,
            method=method,
            n_resamples=20,
        )
        for own in (scores, other)
    )
    np.testing.assert_allclose(numbers(second), numbers(first), atol=1e-12)


@settings(max_examples=20)
@given(tables(max_groups=4), st.data(), st.sampled_from(("vertical", "threshold", "pooled")))
def test_a_weight_is_a_repetition(table, data, method):
    labels, scores, groups = table
    counts = np.array(data.draw(st.lists(st.integers(1, 3), min_size=labels.size, max_size=labels.size)))
    weighted = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=counts.astype(float))
    repeated = rs.ScoreSet.from_arrays(
        np.repeat(labels, counts),
        {k: np.repeat(v, counts) for k, v in scores.items()},
        np.repeat(groups, counts),
    )
    first, second = (
        compare(own, at=PLACES, method=method, n_resamples=20, random="groups")
        for own in (weighted, repeated)
    )
    np.testing.assert_allclose(numbers(first), numbers(second), atol=1e-9)


@settings(max_examples=20)
@given(tables(), st.sampled_from(("vertical", "threshold", "pooled")))
def test_the_difference_curve_is_that_of_the_averages(table, method):
    labels, scores, groups = table
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups)
    curve = compare(score_set, "old", "new", method=method, n_resamples=20).curve
    averages = [rs.average(score_set.model(name), method) for name in ("old", "new")]
    wanted = averages[0].tpr_at(curve.position) - averages[1].tpr_at(curve.position)
    np.testing.assert_allclose(curve.difference, wanted, atol=1e-12)
    np.testing.assert_allclose(curve.a_value - curve.b_value, wanted, atol=1e-12)


@settings(max_examples=10)
@given(
    tables(least=2), st.sampled_from([("vertical", "cases"), ("pooled", "groups"), ("threshold", "cases")])
)
def test_any_number_of_threads_gives_the_same_bits(table, how):
    found = [numbers(asked(*table, method=how[0], random=how[1], threads=n)) for n in (1, 3)]
    np.testing.assert_array_equal(found[0], found[1])
