"""Non-inferiority and equivalence: laws, then numbers from R, then what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.inference.differences import Difference
from rocsteady.readers.margins import OfReaders, ReaderTest, equivalent, margin_of, non_inferior
from rocsteady.statistics.limits import Interval

NOTHING = Interval(math.nan, math.nan, 0.95, "none")


def difference(size=0.01, error=0.02, df=15.0, *, a="a", b="b", lower_is_better=False, quantity="mean AUC"):
    return Difference(
        a, b, 0.8 + size, 0.8, size, error, NOTHING, 0.0, df, 1.0, math.nan, 1.0,
        lower_is_better, NOTHING, NOTHING,
        OfReaders(quantity, ReaderTest.OBUCHOWSKI_ROCKETTE, "delong", "reader", 5, "random", "random", False),
    )  # fmt: skip


def swapped(of: Difference) -> Difference:
    return difference(
        -of.difference, of.standard_error, of.df, a=of.b, b=of.a, lower_is_better=of.lower_is_better
    )


class Several:
    """A comparison of three modalities."""

    differences = (difference(0.03), difference(0.05, b="c"), difference(0.02, a="b", b="c"))


sizes = st.floats(-0.3, 0.3)
errors = st.floats(0.001, 0.2)
dfs = st.one_of(st.floats(1, 200), st.just(math.inf))
margins = st.floats(0.001, 0.4)
alphas = st.sampled_from([0.005, 0.025, 0.05])


# Laws


@given(sizes, errors, dfs, margins, alphas, st.booleans(), st.sampled_from("ab"))
def test_the_interval_decides_as_the_test_does(size, error, df, margin, alpha, lower, new):
    found = non_inferior(difference(size, error, df, lower_is_better=lower), margin, new=new, alpha=alpha)
    room = margin - found.interval.high if lower else found.interval.low + margin
    assert found.interval.confidence_level == 1 - alpha
    if abs(room) > 1e-9:
        assert found.is_shown == (room > 0)
    assert math.isinf(found.interval.low if lower else found.interval.high)


@given(sizes, errors, dfs, margins, alphas)
def test_the_interval_within_the_margin_is_equivalence(size, error, df, margin, alpha):
    found = equivalent(difference(size, error, df), margin, alpha=alpha)
    room = margin - max(-found.interval.low, found.interval.high)
    assert found.interval.confidence_level == pytest.approx(1 - 2 * alpha)
    if abs(room) > 1e-9:
        assert found.is_shown == (room > 0)


@given(sizes, errors, dfs, margins)
def test_equivalence_is_non_inferiority_both_ways(size, error, df, margin):
    of = difference(size, error, df)
    both = [non_inferior(of, margin, new=name).pvalue for name in ("a", "b")]
    assert equivalent(of, margin).pvalue == pytest.approx(max(both), abs=1e-12)


@given(sizes, errors, dfs, margins, st.booleans())
def test_the_order_of_a_difference_does_not_matter(size, error, df, margin, lower):
    of = difference(size, error, df, lower_is_better=lower)
    for name in ("a", "b"):
        one, other = (non_inferior(own, margin, new=name) for own in (of, swapped(of)))
        assert (one.pvalue, one.difference, one.new) == (other.pvalue, other.difference, other.new)
        assert one.interval.low == other.interval.low


@given(sizes, errors, dfs, margins)
def test_where_less_is_better_signs_change(size, error, df, margin):
    higher = non_inferior(difference(size, error, df), margin, new="a")
    lower = non_inferior(difference(-size, error, df, lower_is_better=True), margin, new="a")
    assert lower.pvalue == higher.pvalue
    assert lower.is_superior == higher.is_superior
    assert lower.interval.high == -higher.interval.low


@given(sizes, errors, dfs, margins, st.floats(0.001, 0.5))
def test_a_wider_margin_is_easier(size, error, df, margin, more):
    of = difference(size, error, df)
    for test in (lambda m: non_inferior(of, m, new="a"), lambda m: equivalent(of, m)):
        assert test(margin + more).pvalue <= test(margin).pvalue


@given(sizes, errors, dfs)
def test_superiority_needs_no_margin(size, error, df):
    found = non_inferior(difference(size, error, df), 0.1, new="a")
    two_sided = difference(size, error, df)
    pvalue = 2 * min(*(non_inferior(two_sided, 1e-12, new=name).pvalue for name in "ab"))
    if abs(pvalue - 0.05) > 1e-6:
        assert found.is_superior == (size > 0 and pvalue < 0.05)


# Numbers from R 4: pt(x, df, lower = FALSE) and qt of RJafroc's difference of the study of Van Dyke et al.

VAN_DYKE = (-0.0438003220611917, 0.020748618378945, 15.2596745891418)
R_NUMBERS = (
    0.3845618111,  # pt((d + 0.05) / se, df, lower = FALSE)
    0.0001948845,  # pt((-d + 0.05) / se, df, lower = FALSE)
    -0.0879594986,  # d - qt(.975, df) * se
    -0.0003588544,  # -d - qt(.975, df) * se
    0.0079954668,  # pt((0.1 - abs(d)) / se, df, lower = FALSE)
    -0.0801330924,  # d - qt(.95, df) * se
    -0.0074675517,  # d + qt(.95, df) * se
)


def test_numbers_of_a_published_study():
    of = difference(*VAN_DYKE, a="1", b="2")
    first, second = (non_inferior(of, 0.05, new=name) for name in ("1", "2"))
    assert first.pvalue == pytest.approx(R_NUMBERS[0], abs=1e-9)
    assert not first.is_shown
    assert second.pvalue == pytest.approx(R_NUMBERS[1], abs=1e-9)
    assert second.is_shown
    assert first.interval.low == pytest.approx(R_NUMBERS[2], abs=1e-9)
    assert second.interval.low == pytest.approx(R_NUMBERS[3], abs=1e-9)
    both = equivalent(of, 0.1, alpha=0.05)
    assert both.pvalue == pytest.approx(R_NUMBERS[4], abs=1e-9)
    assert (both.interval.low, both.interval.high) == pytest.approx(R_NUMBERS[5:], abs=1e-9)
    assert "is shown to be not inferior to modality 1 within a margin of 0.05:" in second.reading
    assert "is not shown to be not inferior" in first.reading


# What it takes


def test_the_three_kinds_of_comparisons():
    labels = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    scores = {"old": [9, 8, 7, 6, 3, 5, 4, 2, 1, 0], "new": [9, 8, 7, 5, 4, 6, 3, 2, 1, 0]}
    compared = rs.compare(rs.ScoreSet.from_arrays(labels, scores), "old", "new")
    found = non_inferior(compared, 0.3, new="new")
    assert found.difference == -compared.auc.difference
    assert found.standard_error == compared.auc.standard_error
    assert non_inferior(compared.auc, 0.3, new="new").pvalue == found.pvalue
    three = non_inferior(Several(), 0.05, new="c", reference="a")
    assert (three.new, three.reference, three.difference) == ("c", "a", -0.05)
    assert equivalent(Several(), 0.05, modalities=("c", "b")).difference == -0.02


def test_results_are_plain_data():
    of = difference()
    for found in (non_inferior(of, 0.05, new="a"), equivalent(of, 0.05)):
        data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert data["is_shown"] is found.is_shown
        assert data["reading"] == found.reading
        assert "\n" not in repr(found)
        with pytest.raises(TypeError, match="not a tuple"):
            list(found)
    lower = non_inferior(difference(0.01, lower_is_better=True, quantity="mean FPR"), 0.05, new="a")
    assert "higher by at most 0.053" in lower.reading


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("size", [0.0, 0.2, -0.2])
def test_nothing_is_shown_where_nothing_varies(size, lower):
    of = difference(size, 0.0, lower_is_better=lower)
    with pytest.warns(RocsteadyWarning, match="RS224"):
        found = non_inferior(of, 0.05, new="a")
    assert not found.is_shown
    assert not found.is_superior
    with pytest.warns(RocsteadyWarning, match="RS224"):
        both = equivalent(of, 0.05)
    assert not both.is_shown
    for own in (found, both):
        assert math.isnan(own.pvalue)
        assert math.isnan(own.statistic)
        assert "nothing varies, so this cannot be tested" in own.reading
        assert "is not shown" in own.reading
        assert "p <" not in own.reading
        data = json.loads(json.dumps(own.to_dict(), allow_nan=False))
        assert data["is_shown"] is False
        assert data["pvalue"] is None


def test_numbers_name_modalities_that_are_numbers():
    of = difference(a="1", b="2")
    assert non_inferior(of, 0.05, new=2).new == "2"
    assert equivalent(of, 0.05, modalities=[2, 1]).a == "2"


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        (lambda: non_inferior(difference(), 0.05), "RS097", "new='b'"),
        (lambda: non_inferior(difference(), 0.05, new="x"), "RS097", "known: a and b"),
        (lambda: non_inferior(difference(), 0.05, new="a", reference="a"), "RS097", "direction"),
        (lambda: non_inferior(Several(), 0.05, new="c"), "RS097", "reference='a'"),
        (lambda: equivalent(Several(), 0.05), "RS097", "modalities=('a', 'b')"),
        (lambda: equivalent(Several(), 0.05, modalities=("a", "x")), "RS097", "known: a, b and c"),
        (lambda: equivalent(Several(), 0.05, modalities="ab"), "RS097", "two modalities"),
        (lambda: equivalent(Several(), 0.05, modalities=5), "RS097", "two modalities"),
        (lambda: non_inferior(difference(), 5, new="a"), "RS097", "margin=0.05"),
        (lambda: non_inferior(difference(), -0.05, new="a"), "RS097", "margin=0.05"),
        (lambda: non_inferior(difference(), 0, new="a"), "RS097", "margin=0.05"),
        (lambda: non_inferior(difference(), np.nan, new="a"), "RS097", "margin=0.05"),
        (lambda: non_inferior(difference(), "wide", new="a"), "RS042", "margin=0.05"),
        (lambda: non_inferior(difference(), 0.05, new="a", alpha=0.5), "RS042", "one-sided"),
        (lambda: non_inferior(difference(0.01, math.nan), 0.05, new="a"), "RS097", "no standard error"),
        (lambda: non_inferior([0.1], 0.05, new="a"), "RS097", "found: list"),
    ],
)
def test_what_is_refused(call, code, says):
    with pytest.raises(RocsteadyError) as caught:
        call()
    assert caught.value.code == code
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("call", "ways"),
    [
        (lambda: non_inferior(difference(), 0.05), ["new='b'", "new='a'"]),
        (lambda: non_inferior(difference(), 0.05, reference="a"), ["new='b'"]),
        (lambda: non_inferior(difference(), 0.05, new="a", reference="a"), ["reference='b'"]),
        (
            lambda: non_inferior(Several(), 0.05),
            ["new='c', reference='a'", "new='a', reference='c'"],
        ),
        (lambda: non_inferior(Several(), 0.05, new="b"), ["reference='a'", "reference='c'"]),
    ],
)
def test_both_directions_are_told(call, ways):
    """Only the second modality was suggested as the new one, whichever was meant."""
    with pytest.raises(RocsteadyError, match="RS097") as caught:
        call()
    told = [line.rpartition(":  ")[2] for line in str(caught.value).splitlines() if "->" in line]
    assert told == ways


def test_a_misspelt_modality_has_its_near_one():
    of = difference(a="standard", b="with aid")
    for named, near in (({"new": "standart"}, "new='standard'"), ({"new": "aid"}, "new='with aid'")):
        with pytest.raises(RocsteadyError, match=f"RS097(.|\n)*-> {near}"):
            non_inferior(of, 0.05, **named)
    with pytest.raises(RocsteadyError, match=r"RS097(.|\n)*modalities=\('with aid', 'standard'\)"):
        equivalent(of, 0.05, modalities=("with aid", "standrad"))


@pytest.mark.parametrize(("given", "meant"), [(5, 0.05), (-5, 0.05), (-0.05, 0.05)])
def test_a_margin_in_percent_or_with_a_sign_is_taken_as_meant(given, meant):
    with pytest.raises(rs.RocsteadyError, match=f"margin={meant}"):
        margin_of(given)
