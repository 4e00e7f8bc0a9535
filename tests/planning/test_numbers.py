"""rs.plan from an AUC: cases and power from numbers alone."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.planning.plan import plan
from rocsteady.statistics.power import binormal_variance, obuchowski_variance

# pROC 1.18.0: power.roc.test(auc=, power=0.8, sig.level=0.05, kappa=)$ncases
PROC_CASES = {
    (0.6, 1): 123.68878432,
    (0.6, 4): 77.72809422,
    (0.7, 1): 30.28774985,
    (0.7, 4): 19.30246855,
    (0.8, 1): 12.74361653,
    (0.8, 4): 8.25782515,
    (0.9, 1): 6.25279979,
    (0.95, 4): 2.78441049,
}


@pytest.mark.parametrize(("auc", "ratio"), PROC_CASES)
def test_cases_are_those_of_proc(auc, ratio) -> None:
    found = plan(auc, ratio=ratio, variance="obuchowski")
    assert found.n_positives == math.ceil(PROC_CASES[auc, ratio])
    assert found.n_negatives == ratio * found.n_positives


@pytest.mark.parametrize(("auc", "chance"), [(0.6, 0.4425809705), (0.8, 0.9999509834)])
def test_power_is_that_of_proc(auc, chance) -> None:
    """power.roc.test(auc=, ncases=41, ncontrols=72): one tail only; the other is below 1e-3."""
    found = plan(auc, n_positives=41, n_negatives=72, variance="obuchowski")
    assert found.power == pytest.approx(chance, abs=2e-4)


def test_the_error_is_that_of_a_large_simulated_sample() -> None:
    """20 000 samples of 50 + 50 at an AUC of 0.9; the Monte-Carlo error of an sd is 0.5 %."""
    rng = np.random.default_rng(1)
    gap = math.sqrt(2) * 1.2815515655446004
    positives, negatives = rng.normal(gap, size=(20_000, 50)), rng.normal(size=(20_000, 50))
    order = np.argsort(np.concatenate([positives, negatives], axis=1), axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, 101)[None, :], axis=1)
    areas = (ranks[:, :50].sum(axis=1) - 50 * 51 / 2) / 2500
    assert plan(0.9, n_positives=50).standard_error == pytest.approx(areas.std(ddof=1), rel=0.02)


@given(
    st.floats(0.55, 0.97),
    st.floats(0.2, 10),
    st.sampled_from(["binormal", "hanley-mcneil", "obuchowski"]),
    st.one_of(st.none(), st.floats(-0.5, 0.95)),
)
@settings(deadline=None, max_examples=60)
def test_the_number_of_cases_is_the_smallest_that_does(auc, ratio, variance, correlation) -> None:
    against = {} if correlation is None else {"other_auc": auc - 0.05, "correlation": correlation}
    for wanted in ({"power": 0.8}, {"half_width": 0.04}):
        found = plan(auc, ratio=ratio, variance=variance, **against, **wanted)
        rarer = "n_positives" if ratio >= 1 else "n_negatives"
        n = int(getattr(found, rarer))
        assert found.power >= 0.8 if "power" in wanted else found.half_width <= 0.04
        if n > 2:
            fewer = plan(auc, **{rarer: n - 1}, ratio=ratio, variance=variance, **against)
            assert fewer.power < 0.8 if "power" in wanted else fewer.half_width > 0.04


def test_models_exchanged_change_nothing() -> None:
    one = plan(0.8, other_auc=0.75, correlation=0.5, n_positives=100)
    other = plan(0.75, other_auc=0.8, correlation=0.5, n_positives=100)
    assert one.power == pytest.approx(other.power)
    assert one.standard_error == pytest.approx(other.standard_error)


def test_correlation_helps() -> None:
    needed = [plan(0.8, other_auc=0.75, correlation=r).n_positives for r in (0.0, 0.5, 0.9)]
    assert needed[0] > needed[1] > needed[2]


def test_low_aucs_mirror_high_ones() -> None:
    assert binormal_variance(0.2, 30, 30) == pytest.approx(binormal_variance(0.8, 30, 30))
    assert obuchowski_variance(0.2, 30, 30) == pytest.approx(obuchowski_variance(0.8, 30, 30))
    assert plan(0.3).n_positives == plan(0.7).n_positives


@pytest.mark.parametrize("ratio", [3, 10, 1e9])
def test_either_class_may_be_the_rare_one(ratio) -> None:
    """Normal scores of equal spread: the classes may change places."""
    many, few = plan(0.8, null=0.7, ratio=ratio), plan(0.8, null=0.7, ratio=1 / ratio)
    assert (many.n_positives, many.n_negatives) == (few.n_negatives, few.n_positives)
    assert many.power == pytest.approx(few.power)
    assert many.n_negatives == ratio * many.n_positives


def test_nothing_to_type_is_a_guess() -> None:
    """How two AUCs go together is not to be made up: a number too high asks for far too few cases."""
    with pytest.raises(rs.errors.UsageError) as error:
        plan(0.8, other_auc=0.7)
    assert "correlation=0.5" not in str(error.value)
    assert "correlation=0.0" in str(error.value)


def test_the_words() -> None:
    found = plan(0.8, null=0.7)
    assert "With 96 positives and 96 negatives, an AUC of 0.8 against 0.7 is found" in found.reading
    assert "cases of one dataset are treated as a random sample" in found.reading
    json.dumps(found.to_dict(), allow_nan=False)
    assert "on the same cases" in repr(plan(0.8, other_auc=0.7, correlation=0.5))
    with pytest.raises(TypeError, match="not a tuple"):
        tuple(found)


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ({"auc": 1.0}, "RS042", "auc"),
        ({"auc": 80}, "RS042", "auc=0.8"),
        ({"auc": 0.5}, "RS042", "cannot be told apart by any number"),
        ({"auc": 0.8, "null": 0.8}, "RS042", "null=0.7"),
        ({"auc": 0.8, "other_auc": 0.8, "correlation": 0.5}, "RS042", "other_auc=0.7"),
        ({"auc": 0.8, "other_auc": 0.7}, "RS002", "compare_auc(labels, scores_a, scores_b).correlation"),
        ({"auc": 0.8, "half_width": 1e-9}, "RS042", "more than 1 000 000 000 cases of each class"),
        ({"auc": 0.8, "null": 0.799999999}, "RS042", "plan for a larger difference"),
        ({"auc": 0.8, "ratio": 1e300}, "RS042", "ratio must be between"),
        ({"auc": 0.8, "correlation": 0.7}, "RS002", "other_auc=0.75"),
        ({"auc": 0.8, "other_auc": 0.7, "null": 0.5}, "RS002", "leave one out"),
        ({"auc": 0.8, "other_auc": 0.7, "correlation": 1}, "RS042", "below 1"),
        ({"auc": 0.8, "half_width": 0}, "RS042", "half_width"),
        ({"auc": 0.8, "half_width": 0.1, "n_positives": 20}, "RS002", "leave out  half_width"),
        ({"auc": 0.8, "n_positives": 1}, "RS042", "at least 2"),
        ({"auc": 0.8, "n_positives": 20, "n_negatives": 20, "ratio": 1}, "RS002", "leave out  ratio"),
        ({"auc": 0.8, "ratio": 0}, "RS042", "ratio"),
        ({"auc": 0.8, "variance": "delong"}, "RS001", "variance='binormal'"),
        ({"auc": 0.8, "power": 80}, "RS042", "power"),
    ],
)
def test_bad_numbers(options, code, says) -> None:
    with pytest.raises(rs.errors.RocsteadyError) as error:
        plan(options["auc"], **{name: own for name, own in options.items() if name != "auc"})
    assert error.value.code == code
    assert says in str(error.value)
