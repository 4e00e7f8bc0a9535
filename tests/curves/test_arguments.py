"""Arguments of the wrong kind: coded errors, never what NumPy or Python happen to say."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.curves.curve_set import CurveSet
from rocsteady.errors import RocsteadyError, UsageError

LABELS, SCORES = [1, 1, 0, 1, 0], [9, 8, 7, 6, 5]


@pytest.fixture
def curve():
    return rs.roc_curve(LABELS, SCORES)


@pytest.fixture
def folds():
    return rs.roc_curves(
        rs.ScoreSet.from_folds([([1, 0, 1], [1, 0, 2]), ([1, 0, 1], [0, 1, 2])], design="independent")
    )


@pytest.mark.parametrize("level", ["0.95", None, [0.9, 0.95], np.nan, True, 95, 1 + 0j])
def test_confidence_levels(curve, folds, level):
    calls = [
        lambda: curve.auc_interval(level),
        lambda: curve.auc_interval(level, "bootstrap"),
        lambda: rs.auc_interval(LABELS, SCORES, confidence_level=level),
        lambda: rs.compare_auc(LABELS, SCORES, SCORES[::-1], confidence_level=level),
        lambda: folds.auc_interval(level),
    ]
    for call in calls:
        with pytest.raises(UsageError, match="RS042: confidence_level must"):
            call()


@pytest.mark.parametrize("seed", [-1, 1.5, "a", None, True])
def test_seeds(curve, seed):
    with pytest.raises(UsageError, match="RS042: seed must be a whole number"):
        curve.auc_interval(method="bootstrap", seed=seed)


@pytest.mark.parametrize("n_resamples", [1.5, 0, -3, "a", None, True])
def test_numbers_of_resamples(curve, n_resamples):
    with pytest.raises(UsageError, match="RS042: n_resamples must be a whole number"):
        curve.auc_interval(method="bootstrap", n_resamples=n_resamples)


@pytest.mark.parametrize("value", ["a", "0.5", b"1", [[0.1], [0.2, 0.3]], 1j, object(), {0.1}])
def test_readings_of_what_is_no_number(curve, value):
    cost = curve.cost_curve()
    for read in (curve.tpr_at, curve.fpr_at, curve.rates_at, cost.at, cost.threshold_at):
        with pytest.raises(UsageError, match="RS042"):
            read(value)
    for costs in ({"prevalence": value}, {"false_positive": value}, {"false_negative": value}):
        with pytest.raises(UsageError, match="RS042"):
            cost.expected_cost(**{"false_positive": 1, "false_negative": 1, "prevalence": 0.1} | costs)


@pytest.mark.parametrize("bounds", [(0, "a"), 0.1, (0,), (0, 0.1, 0.2), "ab", {0, 1}, (0.2, 0.1), (0, 10)])
def test_ranges(curve, bounds):
    for name in ("fpr", "tpr"):
        with pytest.raises(UsageError, match="RS042"):
            curve.partial_auc(**{name: bounds})


def test_very_narrow_ranges_have_a_standardised_area(curve):
    assert curve.partial_auc(tpr=(0, 1e-320), standardized=True) == 1
    assert curve.partial_auc(fpr=(1 - 2**-53, 1), standardized=True) == 1
    with pytest.raises(UsageError, match=r"RS042.*too narrow"):
        rs.roc_curve([0, 1], [2, 1]).partial_auc(tpr=(0, 1e-320), standardized=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ([np.inf], [0], [0]),
        (["a", "b"], [1, 2], [0, 1]),
        ([2, 1j], [1, 2], [0, 1]),
        ([[2], [1, 3]], [1, 2], [0, 1]),
        ([2, 1], [[1], [2, 3]], [0, 1]),
        ([2, 1], ["1", "2"], [0, 1]),
        (None, [1, 2], [0, 1]),
    ],
)
def test_counts(arguments):
    with pytest.raises(UsageError, match="RS043"):
        rs.RocCurve.from_counts(*arguments)


@pytest.mark.parametrize("key", [1.5, None, [1], True, 9, -3, np.float64(1)])
def test_positions_in_a_set(folds, key):
    with pytest.raises(UsageError, match="RS001: there is no curve"):
        folds[key]
    with pytest.raises(IndexError):
        folds[key]


@pytest.mark.parametrize("value", ["False", "True", 0, 1, None])
def test_flags_are_true_or_false(curve, value):
    calls = [
        lambda: rs.auc(LABELS, SCORES, higher_is_positive=value),
        lambda: rs.roc_curve(LABELS, SCORES, higher_is_positive=value),
        lambda: rs.auc_interval(LABELS, SCORES, higher_is_positive=value),
        lambda: rs.compare_auc(LABELS, SCORES, SCORES[::-1], higher_is_positive=value),
        lambda: rs.compare_auc(LABELS, SCORES, SCORES[::-1], paired=value),
        lambda: rs.RocCurve.from_counts([2, 1], [1, 2], [0, 1], higher_is_positive=value),
        lambda: curve.partial_auc(fpr=(0, 0.1), standardized=value),
    ]
    for call in calls:
        with pytest.raises(UsageError, match=r"RS001: .* must be True or False"):
            call()


def test_numpy_flags():
    assert rs.auc([1, 0], [1, 0], higher_is_positive=np.bool_(False)) == 0


def test_integer_scores_that_are_one_float():
    """2**53 + 1 and 2**53 are two scores, two vertices, and one threshold."""
    curve = rs.roc_curve([1, 0, 1, 0], np.array([2**53 + 1, 2**53, 5, 3]))
    assert curve.auc == 0.75
    for at in (2.0**53, np.array([5.0, 2.0**53])):
        for rule in (">=", ">"):
            with pytest.raises(UsageError, match="RS048"):
                curve.rates_at(at, rule)
    with pytest.raises(UsageError, match="RS048"):
        curve.coordinates()
    assert (curve.rates_at(5).fpr, curve.rates_at(5).tpr) == (0.5, 1)
    assert curve.rates_at(np.inf).tpr == 0


def test_low_integer_scores_that_are_one_float():
    curve = rs.roc_curve([1, 0, 1], np.array([2**53, 2**53 + 1, 2**54]), higher_is_positive=False)
    with pytest.raises(UsageError, match="RS048"):
        curve.rates_at(2.0**53)
    assert curve.rates_at(2**54, "<").tpr == 0.5


BIG = 2**53
ASKED = [3, 5, BIG - 1, BIG, BIG + 1, BIG + 2, BIG + 3, 2**63, 2**70, -(2**70)]


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
@pytest.mark.parametrize("high", [True, False])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 3.0, 4.0, 5.0]])
def test_rates_at_integers_above_2_to_the_53_compares_integers(kind, high, weights):
    labels, scores = [1, 0, 1, 0, 1], np.array([BIG + 1, BIG, 5, BIG + 3, BIG + 3], dtype=kind)
    curve = rs.roc_curve(labels, scores, higher_is_positive=high, sample_weight=weights)
    own = weights or [1.0] * 5
    compare = {">=": int.__ge__, ">": int.__gt__, "<=": int.__le__, "<": int.__lt__}
    for rule in (">=", ">") if high else ("<=", "<"):
        expected = []
        for at in ASKED:
            called = [compare[rule](int(score), at) for score in scores]
            sums = [
                sum(w for w, c, y in zip(own, called, labels, strict=True) if c and y == cls)
                for cls in (0, 1)
            ]
            totals = [sum(w for w, y in zip(own, labels, strict=True) if y == cls) for cls in (0, 1)]
            expected.append([part / whole for part, whole in zip(sums, totals, strict=True)])
            found = curve.rates_at(at, rule)
            assert [found.fpr, found.tpr] == expected[-1], (at, rule)
            assert found.threshold == at
        for asked in (ASKED, np.array(ASKED, dtype=object)):
            many = curve.rates_at(asked, rule)
            assert np.stack([many.fpr, many.tpr], axis=1).tolist() == expected
    several = curve.rates_at(np.array([BIG, BIG + 1]))
    assert several.threshold.tolist() == [BIG, BIG + 1]
    assert curve.thresholds.dtype == np.float64


def test_an_integer_beside_a_float_stays_an_integer():
    curve = rs.roc_curve([1, 0, 1], np.array([BIG + 2, BIG, 5]))
    assert curve.rates_at([BIG + 1, 0.5]).fpr.tolist() == [0, 1]
    assert curve.rates_at([BIG, 0.5]).fpr.tolist() == [1, 1]


def test_a_score_below_an_integer_that_rounds_to_it_is_not_called():
    """As floats 2**53 and 2**53 + 1 are equal, and nothing else tells them apart here."""
    curve = rs.roc_curve([1, 0], np.array([BIG, 7]))
    assert curve.rates_at(BIG).tpr == 1
    assert curve.rates_at(BIG + 1).tpr == 0
    assert curve.rates_at(curve.thresholds[1]).tpr == 1


def test_curves_of_a_set_and_their_hulls_compare_integers():
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 0], np.array([BIG + 1, BIG, 7])), ([0, 1], np.array([4, BIG + 5]))], design="independent"
    )
    curves = rs.roc_curves(folds)
    assert [curve.rates_at(BIG + 1).tpr for curve in curves] == [1, 1]
    assert [curve.rates_at(BIG + 1).fpr for curve in curves] == [0, 0]
    assert curves[0].rates_at(BIG).fpr == 0.5
    assert curves[0].hull().rates_at(BIG + 2).tpr == 0
    assert curves[0].hull().rates_at(BIG + 1).tpr == 1


def test_an_infinite_score_and_the_leading_threshold_are_no_doublet():
    curve = rs.roc_curve([1, 0], [np.inf, 0])
    assert curve.rates_at(np.inf).tpr == 1
    assert curve.coordinates().cutoffs.size == 3


def test_decisions_are_noticed_at_the_callers_line():
    decisions = np.tile([1, 0], 32)
    labels = np.where(np.arange(64) % 5 == 0, 1 - decisions, decisions)
    scores = np.arange(64)
    calls = [
        lambda: rs.auc(labels, decisions),
        lambda: rs.roc_curve(labels, decisions),
        lambda: rs.auc_interval(labels, decisions),
        lambda: rs.auc_interval(labels, decisions, method="bootstrap", n_resamples=100),
        lambda: rs.compare_auc(labels, scores, decisions),
        lambda: rs.compare_auc((labels, labels), decisions, scores, paired=False),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="RS101") as caught:
            call()
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("method", ["logit", "delong", "bootstrap"])
def test_an_interval_without_width_is_no_certainty(method):
    with pytest.warns(UserWarning, match="RS154") as caught:
        interval = rs.auc_interval([1, 0, 1, 0], [7, 7, 7, 7], method=method)
    assert [warning.filename for warning in caught] == [__file__]
    assert interval.low == pytest.approx(0.5) == interval.high


def test_constant_scores_elsewhere():
    constant, labels = (
        rs.ScoreSet.from_folds([([1, 0, 1, 0], [7, 7, 7, 7])] * 2, design="independent"),
        [1, 0, 1, 0, 0],
    )
    with pytest.warns(UserWarning, match="RS154: 2 intervals"):
        rs.roc_curves(constant).auc_interval()
    with pytest.warns(UserWarning, match="RS154: an AUC .*\n.*classifier 2"):
        rs.compare_auc(labels, [1, 2, 3, 2, 1], [7] * 5)


def test_no_name_of_two_curves_picks_one():
    """Model "a / b" on group "c" is called like model "a" on group "b / c"."""
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 1], scores) for scores in ([3, 2, 1], [1, 2, 0], [2, 1, 3])], design="independent"
    )
    curves = CurveSet(
        table=rs.roc_curves(folds).table,
        names=("a / b / c", "a / b / c", "a / c"),
        models=("a / b", "a"),
        groups=("c", "b / c"),
        model_index=np.array([0, 1, 1]),
        group_index=np.array([0, 1, 0]),
    )
    with pytest.raises(RocsteadyError, match=r"RS001: 2 curves") as caught:
        curves["a / b / c"]
    assert "curves[0]" in str(caught.value)
    assert "curves['a / b', 'c']" in str(caught.value)
    assert [curves["a / b", "c"].auc, curves["a", "b / c"].auc, curves["a / c"].auc] == [0.5, 0, 1]


def test_a_weighted_set_advises_what_it_can_do():
    weighted = rs.ScoreSet.from_arrays(
        [1, 0, 1, 0] * 2, range(8), list("aaaabbbb"), sample_weight=[1, 2, 1, 3] * 2
    )
    curves = rs.roc_curves(weighted)
    for refused in (curves.auc_interval, curves.auc_standard_error):
        with pytest.raises(UsageError, match="RS038") as caught:
            refused()
        assert "curves[0].auc_interval(method='bootstrap')" in str(caught.value)
    assert curves[0].auc_interval(method="bootstrap").method == "bootstrap"
