"""Measures of confusion matrices: against exact arithmetic, against scikit-learn, and by hostile functions."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.points.measures import NAMES, MulticlassConfusion, TwoClassConfusion, measure_of
from rocsteady.points.tables import OperatingPointTable

COUNT = st.integers(0, 6)


def ratio(top, bottom):
    return Fraction(top, bottom) if bottom else None


BY_HAND = {
    "fpr": lambda tp, fp, fn, tn: ratio(fp, fp + tn),
    "tpr": lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "sensitivity": lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "recall": lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "fnr": lambda tp, fp, fn, tn: ratio(fn, tp + fn),
    "tnr": lambda tp, fp, fn, tn: ratio(tn, fp + tn),
    "specificity": lambda tp, fp, fn, tn: ratio(tn, fp + tn),
    "precision": lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "ppv": lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: ratio(tn, tn + fn),
    "accuracy": lambda tp, fp, fn, tn: ratio(tp + tn, tp + fp + fn + tn),
    "error": lambda tp, fp, fn, tn: ratio(fp + fn, tp + fp + fn + tn),
    "alarm_rate": lambda tp, fp, fn, tn: ratio(tp + fp, tp + fp + fn + tn),
    "f1": lambda tp, fp, fn, tn: ratio(2 * tp, 2 * tp + fp + fn),
    "balanced_accuracy": lambda tp, fp, fn, tn: (
        (Fraction(tp, tp + fn) + Fraction(tn, tn + fp)) / 2 if (tp + fn) and (tn + fp) else None
    ),
}


def confusion_of(matrices):
    """Confusion of several folds at one point, from (tp, fp, fn, tn)."""
    tp, fp, fn, tn = (np.array(column, dtype=float)[:, None] for column in zip(*matrices, strict=True))
    return TwoClassConfusion(("well", "sick"), tp, fp, tp + fn, fp + tn)


def table_of(confusion):
    folds = tuple(f"fold {i}" for i in range(confusion.n_folds))
    return OperatingPointTable(confusion, points=tuple(range(confusion.n_points)), folds=folds)


@given(st.lists(st.tuples(COUNT, COUNT, COUNT, COUNT), min_size=1, max_size=4))
def test_every_named_measure_is_its_definition(matrices):
    table = table_of(confusion_of(matrices))
    of_classes = {"class_error", "class_recall", "class_precision"}
    assert set(BY_HAND) | {"mcc", "kappa"} | of_classes == set(NAMES)
    for name, by_hand in BY_HAND.items():
        exact = [by_hand(*matrix) for matrix in matrices]
        found = table.measure(name)
        expected = [math.nan if value is None else float(value) for value in exact]
        np.testing.assert_allclose(found.per_fold[:, 0], expected, rtol=1e-15)
        assert found.n_defined == sum(value is not None for value in exact)
        known = [value for value in exact if value is not None]
        mean = float(sum(known) / len(known)) if known else math.nan
        np.testing.assert_allclose(found.mean, [mean], rtol=1e-14)
        together = by_hand(*(sum(column) for column in zip(*matrices, strict=True)))
        np.testing.assert_allclose(
            found.stacked, [math.nan if together is None else float(together)], rtol=1e-15
        )


@given(st.lists(st.tuples(COUNT, COUNT, COUNT, COUNT), min_size=2, max_size=5))
def test_the_spread_has_the_divisor_n_minus_1(matrices):
    found = table_of(confusion_of(matrices)).measure("precision")
    known = found.per_fold[~np.isnan(found.per_fold)]
    if known.size < 2:
        assert math.isnan(found.sd[0])
        assert math.isnan(found.standard_error[0])
    else:
        np.testing.assert_allclose(found.sd, np.std(known, ddof=1), atol=1e-16)
        np.testing.assert_allclose(
            found.standard_error, np.std(known, ddof=1) / math.sqrt(known.size), atol=1e-16
        )


@given(st.lists(st.tuples(COUNT, COUNT, COUNT, COUNT), min_size=1, max_size=3))
def test_two_classes_as_a_matrix_have_the_same_measures(matrices):
    """What needs no positive class is the same whether counted as four numbers or as a matrix."""
    two = confusion_of(matrices)
    several = MulticlassConfusion(two.classes, two.matrix)
    np.testing.assert_array_equal(several.class_sizes, two.class_sizes)
    np.testing.assert_array_equal(several.stacked().matrix, two.stacked().matrix)
    for name in ("accuracy", "error", "balanced_accuracy", "mcc", "class_error"):
        first, second = (table_of(each).measure(name) for each in (two, several))
        np.testing.assert_allclose(first.per_fold, second.per_fold, rtol=1e-12, atol=1e-12)


def test_the_class_errors_are_fpr_and_fnr():
    table = table_of(confusion_of([(3, 1, 2, 4), (0, 0, 1, 2)]))
    both = table.measure("class_error").per_fold
    np.testing.assert_array_equal(both[..., 0], table.measure("fpr").per_fold)
    np.testing.assert_array_equal(both[..., 1], table.measure("fnr").per_fold)
    assert table.classes == ("well", "sick")


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_agrees(seed):
    rng = np.random.default_rng(seed)
    y, decided = rng.random(60) < 0.4, rng.random(60) < 0.5
    table = rs.average_operating_points(
        rs.ScoreSet.from_folds([(y, rng.normal(size=60))], design="independent"),
        points=[None],
        decide=lambda s, p: decided,
    )
    for name, peer in {
        "f1": metrics.f1_score,
        "mcc": metrics.matthews_corrcoef,
        "precision": metrics.precision_score,
        "recall": metrics.recall_score,
        "accuracy": metrics.accuracy_score,
        "balanced_accuracy": metrics.balanced_accuracy_score,
    }.items():
        assert table.measure(name).mean[0] == pytest.approx(peer(y, decided), abs=1e-15), name
    np.testing.assert_array_equal(table.confusion.matrix[0, 0], metrics.confusion_matrix(y, decided))


@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_agrees_on_several_classes(seed):
    rng = np.random.default_rng(seed)
    y, decided = rng.integers(0, 4, 80), rng.integers(0, 4, 80)
    counts = metrics.confusion_matrix(y, decided, labels=range(4))
    table = table_of(MulticlassConfusion(tuple("abcd"), counts[None, None]))
    assert table.measure("mcc").mean[0] == pytest.approx(metrics.matthews_corrcoef(y, decided), abs=1e-14)
    expected = metrics.balanced_accuracy_score(y, decided)
    assert table.measure("balanced_accuracy").mean[0] == pytest.approx(expected, abs=1e-15)
    recalls = metrics.recall_score(y, decided, average=None)
    np.testing.assert_allclose(table.measure("class_error").mean[0], 1 - recalls, atol=1e-15)


def test_mcc_is_exactly_1_for_perfect_decisions_and_never_beyond():
    for n in (3, 7, 12345677):
        matrices = [(n, 0, 0, n + 1), (0, n + 1, n, 0)]
        perfect, worst = table_of(confusion_of(matrices)).measure("mcc").per_fold.ravel().tolist()
        assert perfect == 1.0
        assert -1.0 <= worst < -1.0 + 1e-15


# Costs


@given(
    st.tuples(COUNT, COUNT, COUNT, COUNT).filter(lambda m: m[0] + m[2] and m[1] + m[3]),
    st.integers(0, 20),
    st.integers(1, 20),
    st.sampled_from([0.25, 0.5, 0.9]),
)
def test_costs_are_expected_costs_per_case(matrix, c_fp, c_fn, prevalence):
    tp, fp, fn, tn = matrix
    table = table_of(confusion_of([matrix]))
    own = table.measure(rs.Cost(false_positive=c_fp, false_negative=c_fn)).mean[0]
    assert own == pytest.approx((c_fp * fp + c_fn * fn) / (tp + fp + fn + tn), rel=1e-14)
    elsewhere = rs.Cost(false_positive=c_fp, false_negative=c_fn, prevalence=prevalence)
    expected = prevalence * c_fn * fn / (tp + fn) + (1 - prevalence) * c_fp * fp / (fp + tn)
    assert table.measure(elsewhere).mean[0] == pytest.approx(expected, rel=1e-14)
    # at the prevalence of the rows the two agree
    here = rs.Cost(false_positive=c_fp, false_negative=c_fn, prevalence=(tp + fn) / (tp + fp + fn + tn))
    assert table.measure(here).mean[0] == pytest.approx(own, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"false_positive": -1, "false_negative": 1}, "RS081"),
        ({"false_positive": 0, "false_negative": 0}, "RS081"),
        ({"false_positive": math.inf, "false_negative": 1}, "RS081"),
        ({"false_positive": 1, "false_negative": math.nan}, "RS081"),
        ({"false_positive": "a", "false_negative": 1}, "RS042"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": 0}, "RS042"),
        ({"false_positive": 1, "false_negative": 1, "prevalence": 40}, "RS042"),
    ],
)
def test_costs_that_cannot_be_used(options, code):
    with pytest.raises(UsageError) as caught:
        rs.Cost(**options)
    assert caught.value.code == code


# The caller's own


@pytest.fixture
def table():
    return table_of(confusion_of([(3, 1, 2, 4), (0, 0, 3, 2), (2, 2, 0, 1)]))


def test_a_function_of_arrays_one_of_numbers_and_the_named_measure_are_the_same(table):
    def by_numbers(c):
        if c.tp + c.fp == 0:  # an array has no truth value
            return float("nan")
        return float(c.tp) / float(c.tp + c.fp)

    named = table.measure("precision")
    for function in (
        lambda c: c.tp / (c.tp + c.fp),
        by_numbers,
        lambda c: c.matrix[..., 1, 1] / c.matrix[..., 1].sum(-1),
    ):
        found = table.measure(function)
        np.testing.assert_array_equal(found.per_fold, named.per_fold)
        np.testing.assert_array_equal(found.stacked, named.stacked)
        np.testing.assert_array_equal(found.n_defined, named.n_defined)
    assert table.measure(by_numbers).name == "by_numbers"


def test_zero_over_zero_is_undefined_in_python_numbers_too(table):
    found = table.measure(lambda c: int(c.tp) / int(c.tp + c.fp) if np.ndim(c.tp) == 0 else None)
    np.testing.assert_array_equal(found.per_fold, table.measure("precision").per_fold)


def test_a_function_that_mixes_matrices_is_called_for_each(table):
    """c.tp.sum() over everything is not what a measure means; alone it is c.tp."""
    np.testing.assert_array_equal(table.measure(lambda c: c.tp.sum()).per_fold, table.confusion.tp)
    shares = table.measure(lambda c: c.tp / c.tp.max())
    np.testing.assert_array_equal(shares.per_fold[[0, 2]], 1.0)
    np.testing.assert_array_equal(table.measure(lambda c: np.max(c.matrix)).per_fold, [[4], [3], [2]])


def test_a_constant_is_a_measure(table):
    found = table.measure(lambda c: 7)
    assert (found.mean.tolist(), found.sd.tolist()) == ([7.0], [0.0])


def test_exact_numbers_are_numbers(table):
    for kind in (Fraction, Decimal):
        found = table.measure(lambda c, kind=kind: kind(int(c.tp)) / int(c.total))
        np.testing.assert_allclose(found.per_fold, table.confusion.tp / table.confusion.total, rtol=1e-15)


def test_counts_do_not_overflow_in_products():
    n = 10**5
    table = table_of(confusion_of([(n, n, n, n)]))
    assert table.measure(lambda c: c.tp * c.tn * c.fp * c.fn * c.tp).mean[0] == float(n) ** 5


def test_infinite_values_are_kept_and_have_no_spread(table):
    found = table.measure(lambda c: c.tp / c.fp)
    assert found.per_fold.ravel().tolist()[:1] == [3.0]
    ratio = table_of(confusion_of([(3, 0, 2, 4), (1, 1, 3, 2)])).measure(lambda c: c.tp / c.fp)
    assert (ratio.mean[0], ratio.n_defined[0]) == (math.inf, 2)
    assert math.isnan(ratio.sd[0])


def test_no_negative_zeros(table):
    assert not np.signbit(table.measure(lambda c: -0.0 * c.tp).per_fold).any()
    assert not np.signbit(table.measure(lambda c: -0.0).mean).any()


def test_a_function_may_give_one_value_for_each_class(table):
    found = table.measure(lambda c: 1 - np.diagonal(c.matrix, axis1=-2, axis2=-1) / c.matrix.sum(-1))
    np.testing.assert_allclose(found.mean, table.measure("class_error").mean, atol=1e-15)


def test_what_the_function_raises_comes_through(table):
    class OwnError(Exception):
        pass

    def fails(c):
        raise OwnError("mine")

    with pytest.raises(OwnError, match="mine"):
        table.measure(fails)
    with pytest.raises(AttributeError):
        table.measure(lambda c: c.true_positives)


@pytest.mark.parametrize(
    "function",
    [
        lambda c: None,
        lambda c: "0.5",
        lambda c: [1, 2, 3],
        lambda c: np.zeros((2, 2)),
        lambda c: 1j,
        lambda c: object(),
        lambda c: {"a": 1},
        lambda c: [] if np.ndim(c.tp) else [[1], [1, 2]],
        lambda c: c,
    ],
)
def test_functions_that_give_no_number(table, function):
    with pytest.raises(UsageError) as caught:
        table.measure(function)
    assert caught.value.code == "RS073"
    assert caught.value.found
    assert caught.value.remedies


@pytest.mark.parametrize(
    ("name", "meant"),
    [("tpt", "tpr"), ("Precision", "precision"), ("acuracy", "accuracy"), ("f1_score", "f1"), ("FAR", "fpr")],
)
def test_a_misspelled_measure_is_recognised(table, name, meant):
    with pytest.raises(UsageError) as caught:
        table.measure(name)
    assert caught.value.code == "RS001"
    assert repr(meant) in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        b"fpr",
        ["fpr"],
        float,
        {"fpr"},
        np.array(["fpr"]),
        rs.AtCosts(false_positive=1, false_negative=2, prevalence=0.1),
    ],
)
def test_what_is_no_measure(table, value):
    with pytest.raises(UsageError) as caught:
        table.measure(value)
    assert caught.value.code == "RS001"


def test_a_cost_without_costs_says_what_to_type(table):
    with pytest.raises(UsageError, match=r"Cost\(false_positive=1, false_negative=20\)"):
        table.measure("cost")


@pytest.mark.parametrize(
    "name", ["fpr", "tpr", "precision", "f1", "recall", rs.Cost(false_positive=1, false_negative=2)]
)
def test_several_classes_have_no_positive_one(name):
    several = table_of(MulticlassConfusion(("a", "b", "c"), np.ones((2, 2, 3, 3))))
    with pytest.raises(UsageError, match="class_error") as caught:
        several.measure(name)
    assert caught.value.code == "RS001"
    with pytest.raises(UsageError):
        several.compare_to(0)


def test_a_measure_is_taken_as_it_is():
    one = measure_of("fpr")
    assert measure_of(one) is one


@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_the_unit_of_the_weights_does_not_matter(factor):
    rng = np.random.default_rng(0)
    labels, folds = rng.integers(0, 2, 80), np.arange(80) % 4
    scores, weights = rng.normal(size=80) + labels, rng.random(80)
    plain, scaled = (
        rs.average_operating_points(
            rs.ScoreSet.from_arrays(labels, scores, folds, sample_weight=w), thresholds=9
        )
        for w in (weights, weights * factor)
    )
    for name in ("mcc", "f1", "precision", "accuracy", "balanced_accuracy"):
        np.testing.assert_allclose(scaled.measure(name).per_fold, plain.measure(name).per_fold, rtol=1e-12)


@pytest.mark.parametrize(
    ("scores", "at"),
    [
        ([1, 1, 1, 1], {"fpr": 0}),
        ([1, 1, 1, 1], {"tpr": 1}),
        ([1, 3, 2, 4], {"fpr": 0}),
        ([1, 2, 3, 4], {"fpr": 0.5}),
    ],
)
@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_a_table_without_calls_of_a_kind_says_so(scores, at) -> None:
    """It said that nan % of positive calls are right, and that one multiplies the odds by inf."""
    found = rs.choose_cutoff(rs.roc_curve([0, 0, 1, 1], scores), **at)
    table = found.two_by_two(method="wilson")
    if at == {"fpr": 0.5}:
        table = found.on(rs.roc_curve([0, 0, 1, 1], [3, 4, 3, 1])).two_by_two()
    assert "nan" not in table.reading
    assert "inf" not in table.reading
