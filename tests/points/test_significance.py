"""The paired t test, its degenerate cases, corrections for many tests, and its level."""

import importlib.util
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.errors import DataError, RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.paired_t import paired_tests

VALUES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=12)


@given(VALUES, st.sampled_from([1, 7, 10, 37]))
def test_it_is_the_paired_t_test(pairs, n_cases):
    x1, x2 = (np.array(side) / n_cases for side in zip(*pairs, strict=True))
    assume(len({a - b for a, b in pairs}) > 1)
    found, peer = rs.paired_t(x1, x2), stats.ttest_rel(x1, x2)
    assert found.statistic == pytest.approx(peer.statistic, rel=1e-9, abs=1e-12)
    assert found.pvalue == pytest.approx(peer.pvalue, rel=1e-9)
    assert found.df == len(pairs) - 1
    assert found.difference == pytest.approx(np.mean(x1 - x2), rel=1e-14, abs=1e-15)


@given(VALUES, st.sampled_from([3, 7, 10, 37]))
def test_differences_of_rates_that_do_not_vary(pairs, n_cases):
    """k / m leaves rounding errors; they must not pass for a spread."""
    shift = 1
    x1 = np.array([a for a, _ in pairs]) / n_cases
    x2 = np.array([a + shift for a, _ in pairs]) / n_cases
    with pytest.warns(RocsteadyWarning, match="RS245"):
        found = rs.paired_t(x1, x2)
    assert (found.statistic, found.pvalue) == (-math.inf, 0.0)


@given(VALUES)
def test_no_difference_is_no_difference(pairs):
    """Not p = 0, as some programs have it."""
    x = np.array([a for a, _ in pairs]) / 7
    found = rs.paired_t(x, x)
    assert (found.statistic, found.pvalue, found.difference) == (0.0, 1.0, 0.0)


@given(VALUES, st.floats(-1e3, 1e3).filter(lambda c: abs(c) > 1e-3))
def test_the_order_the_sign_and_the_scale(pairs, scale):
    x1, x2 = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    assume(len({a - b for a, b in pairs}) > 1)
    found = rs.paired_t(x1, x2)
    back = rs.paired_t(x2, x1)
    assert (back.statistic, back.pvalue) == (-found.statistic, found.pvalue)
    turned = rs.paired_t(x1[::-1], x2[::-1])
    assert turned.statistic == pytest.approx(found.statistic, rel=1e-9, abs=1e-12)
    scaled = rs.paired_t(scale * x1, scale * x2)
    assert abs(scaled.statistic) == pytest.approx(abs(found.statistic), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("size", [1e-300, 5e-324, 1e300, 1.7e308])
def test_numbers_at_the_ends_of_the_range(size):
    x1, x2 = np.array([1.0, 0.5, 1.0, -1.0]) * size, np.array([-1.0, 0.0, 0.0, -1.0]) * size
    plain = rs.paired_t([1.0, 0.5, 1.0, -1.0], [-1.0, 0.0, 0.0, -1.0])
    found = rs.paired_t(x1, x2)
    if size > 1e-323:
        assert found.statistic == pytest.approx(plain.statistic, rel=1e-12)
    assert 0 < found.pvalue < 1


def test_the_corrections():
    x1, x2 = [0.2, 0.3, 0.25, 0.35], [0.1, 0.25, 0.2, 0.2]
    plain = rs.paired_t(x1, x2)
    corrected = rs.paired_t(x1, x2, test_train_ratio=1 / 3)
    assert corrected.statistic == pytest.approx(plain.statistic * math.sqrt(0.25 / (0.25 + 1 / 3)))
    assert rs.paired_t(x1, x2, test_train_ratio=0).pvalue == plain.pvalue
    paper = rs.paired_t(x1, x2, df="2n-2")
    assert (paper.df, paper.statistic) == (6, plain.statistic)
    assert paper.pvalue == pytest.approx(2 * stats.t.sf(paper.statistic, 6), rel=1e-12)
    # ten folds: the standard error is 1.45 times as large
    rng = np.random.default_rng(0)
    x1, x2 = rng.random((2, 10))
    plain, corrected = (rs.paired_t(x1, x2, test_train_ratio=rho).standard_error for rho in (None, 1 / 9))
    assert corrected / plain == pytest.approx(1.4530, abs=1e-4)


def test_undefined_pairs_are_left_out():
    x1, x2 = [0.2, math.nan, 0.25, 0.35, 0.1], [0.1, 0.25, 0.2, 0.2, math.nan]
    found = rs.paired_t(x1, x2)
    peer = stats.ttest_rel([0.2, 0.25, 0.35], [0.1, 0.2, 0.2])
    assert (found.n, found.df) == (3, 2)
    assert found.pvalue == pytest.approx(peer.pvalue, rel=1e-12)
    alone = rs.paired_t([0.2, math.nan], [0.1, 0.3])
    assert alone.n == 1
    assert math.isnan(alone.statistic)
    assert math.isnan(alone.pvalue)
    assert math.isnan(alone.df)


def test_many_tests_at_once_are_the_tests_one_by_one():
    rng = np.random.default_rng(3)
    x1, x2 = rng.integers(0, 4, size=(2, 6, 5, 3)) / 4
    x1[rng.random(x1.shape) < 0.2] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        found = rs.paired_t(x1, x2, test_train_ratio=0.1)
        assert found.pvalue.shape == (5, 3)
        for i in range(5):
            for j in range(3):
                single = rs.paired_t(x1[:, i, j], x2[:, i, j], test_train_ratio=0.1)
                np.testing.assert_equal(single.statistic, found.statistic[i, j])
                np.testing.assert_equal(single.pvalue, found.pvalue[i, j])


def test_one_warning_for_many_tests():
    x = np.zeros((4, 50))
    with pytest.warns(RocsteadyWarning, match="50 differences of 50") as caught:
        rs.paired_t(x, x + 1)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("arguments", "options", "code"),
    [
        (([1, 2], [1, 2, 3]), {}, "RS013"),
        (([1], [2]), {}, "RS074"),
        (([], []), {}, "RS074"),
        ((1, 2), {}, "RS042"),
        ((["a", "b"], [1, 2]), {}, "RS042"),
        (([1, math.inf], [1, 2]), {}, "RS042"),
        (([1, 2], [2, 2]), {"df": "n"}, "RS001"),
        (([1, 2], [2, 2]), {"df": 9}, "RS001"),
        (([1, 2], [2, 2]), {"test_train_ratio": -0.1}, "RS042"),
        (([1, 2], [2, 2]), {"test_train_ratio": math.nan}, "RS042"),
        (([1, 2], [2, 2]), {"test_train_ratio": "cv"}, "RS042"),
        (([1, 2], [2, 2]), {"test_train_ratio": [0.1, 0.2]}, "RS042"),
    ],
)
def test_what_cannot_be_tested(arguments, options, code):
    with pytest.raises(RocsteadyError) as caught:
        rs.paired_t(*arguments, **options)
    assert caught.value.code == code
    assert caught.value.remedies
    assert isinstance(caught.value, UsageError | DataError | ValueError)


def test_a_result_is_one_line_and_no_tuple():
    found = rs.paired_t([1, 2, 4], [1, 1, 1])
    assert repr(found) == "SignificanceResult(t 1.512, df 2, p 0.2697)"
    assert found.to_dict()["df"] == 2
    with pytest.raises(TypeError):
        iter(found)


# Many tests


def holm_by_definition(p):
    """The largest share that any step of the procedure would need: Holm's p by its definition."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    out, worst = [0.0] * len(p), 0.0
    for step, i in enumerate(order):
        worst = max(worst, (len(p) - step) * p[i])
        out[i] = min(worst, 1.0)
    return out


def bh_by_definition(p):
    """For each test the smallest level at which the step-up procedure rejects it."""
    m = len(p)
    rank = {v: sum(q <= v for q in p) for v in p}
    return [min([m * q / rank[q] for q in p if q >= own] + [1.0]) for own in p]


P = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), min_size=1, max_size=8)


@given(P)
def test_holm_and_bh_by_their_definitions(p):
    np.testing.assert_allclose(adjusted(np.array(p), "holm"), holm_by_definition(p), rtol=1e-12)
    np.testing.assert_allclose(adjusted(np.array(p), "bh"), bh_by_definition(p), rtol=1e-12)
    np.testing.assert_array_equal(adjusted(np.array(p), None), p)


@given(P, st.floats(0.001, 0.5))
def test_holm_rejects_what_stepping_down_rejects(p, alpha):
    """The procedure itself, not its p-values."""
    order, rejected = np.argsort(p, kind="stable"), set()
    for step, i in enumerate(order):
        if not (len(p) - step) * p[i] <= alpha:
            break
        rejected.add(i)
    assert {i for i, q in enumerate(adjusted(np.array(p), "holm")) if q <= alpha} == rejected


@given(P)
def test_tests_that_could_not_be_made_do_not_count(p):
    with_gaps = np.array([x for q in p for x in (q, np.nan)])
    for method in ("holm", "bh"):
        found = adjusted(with_gaps, method)
        np.testing.assert_array_equal(found[::2], adjusted(np.array(p), method))
        assert np.isnan(found[1::2]).all()


def test_scipy_agrees_on_bh():
    p = np.random.default_rng(1).random(40) ** 3
    np.testing.assert_allclose(adjusted(p, "bh"), stats.false_discovery_control(p), rtol=1e-12)


def test_an_unknown_correction_is_recognised():
    with pytest.raises(UsageError, match="adjust='bh'"):
        adjusted(np.array([0.1]), "fdr")


# Level

SCRIPT = Path(__file__).parents[2] / "simulations" / "paired_tests.py"
REPLICATES = 4000
ERROR = math.sqrt(0.05 * 0.95 / REPLICATES)


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("paired_tests", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("n_folds", "printed"), [(10, 0.065), (5, 0.082)])
def test_the_level_with_independent_folds(simulation, n_folds, printed):
    """5 % with n - 1; 2n - 2, as the paper has it, rejects too often (errata P1)."""
    assert simulation.exact_level(n_folds) == pytest.approx(printed, abs=5e-4)
    found = simulation.independent_levels(n_folds, 100, REPLICATES, seed=5)
    assert abs(found["n-1"] - 0.05) < 4 * ERROR
    assert abs(found["2n-2"] - printed) < 4 * math.sqrt(printed * (1 - printed) / REPLICATES)
    assert found["2n-2"] > 0.05 + 2 * ERROR


def test_shared_training_data_makes_the_plain_test_reject_too_often(simulation):
    found = simulation.cross_validated_levels(40, 20, 2000, seed=6)
    assert found["n-1"] > 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)
    assert found["Nadeau-Bengio"] < 0.05


def test_one_of_many_points(simulation):
    found = simulation.any_rejection(30, 10, 1000, seed=7)
    assert found["none"] > 0.3
    assert found["holm"] < 0.05 + 4 * math.sqrt(0.05 * 0.95 / 1000)


def test_the_planned_number_of_cases_gives_the_power(simulation):
    _, attained = simulation.attained_power(10, 0.8, REPLICATES, seed=8)
    assert abs(attained - 0.8) < 0.015 + 4 * math.sqrt(0.8 * 0.2 / REPLICATES)  # cases come whole


def test_the_vectorised_core_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = paired_tests(np.zeros((3, 4)), np.ones((3, 4)))
    assert (found.pvalue == 0).all()


def test_results_of_many_tests_are_read_only():
    found = rs.paired_t(np.array([[1.0, 2], [2, 4], [4, 4]]), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="read-only"):
        found.pvalue[0] = 1


def test_differences_beyond_the_largest_float_leave_no_numpy_warning():
    assert rs.paired_t([1e308, -1e308], [-1e308, 1e308]).pvalue == 1
