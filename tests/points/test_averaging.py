"""Operating point averaging: laws, arbitrary points, and input that cannot be used."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
import strategies
from rocsteady.errors import RocsteadyError, UsageError
from rocsteady.points import measures as confusion

KINDS = ("tied floats", "any floats", "special floats", "integers", "float32", "unsigned")


def score_set(groups, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)  # of scores that look like decisions
        return rs.ScoreSet.from_folds(groups, **options, design="independent")


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def require_same_rates(table, rates):
    """Means, spreads and covariances are those of the threshold average."""
    both = table.between("fpr", "tpr")
    for measure, name in ((both.x, "fpr"), (both.y, "tpr")):
        close(measure.mean, getattr(rates, name))
        close(measure.sd, getattr(rates, f"{name}_sd"))
        close(measure.standard_error, getattr(rates, f"{name}_standard_error"))
    close(both.covariance, rates.covariance)


@given(strategies.grouped_scores(kinds=KINDS), st.booleans())
def test_two_classes_are_the_threshold_average_with_folds_as_datasets(groups, higher):
    scores = score_set(groups, higher_is_positive=higher)
    table, average = rs.average_operating_points(scores), rs.average(scores, "threshold")
    np.testing.assert_array_equal(table.thresholds, average.thresholds)
    assert table.rule == (">=" if higher else "<=")
    close(table.measure("fpr").mean, average.fpr)
    close(table.measure("tpr").mean, average.tpr)
    # at its own scores the average gives the spread; its first point is beyond everything
    rates = average.rates_at(average.thresholds[1:])
    some = rs.average_operating_points(scores, thresholds=average.thresholds[1:])
    require_same_rates(some, rates)
    both, part = table.between(), some.between()
    np.testing.assert_array_equal(both.x.sd[1:], part.x.sd)
    np.testing.assert_array_equal(both.covariance[1:], part.covariance)
    assert both.x.mean[0] == both.y.mean[0] == 0


@given(strategies.grouped_scores(kinds=KINDS), st.booleans(), st.data())
def test_any_threshold_under_both_rules(groups, higher, data):
    scores = score_set(groups, higher_is_positive=higher)
    own = [float(s) for _, fold in groups for s in fold]
    at = data.draw(
        st.lists(st.one_of(st.sampled_from(own), st.floats(allow_nan=False)), min_size=1, max_size=5)
    )
    average = rs.average(scores, "threshold")
    for rule in (">=", ">") if higher else ("<=", "<"):
        table = rs.average_operating_points(scores, thresholds=at, rule=rule)
        np.testing.assert_array_equal(table.thresholds, at)
        require_same_rates(table, average.rates_at(at, rule=rule))


@given(strategies.grouped_scores(kinds=KINDS), st.booleans(), st.sampled_from([None, 2, 3, 30]))
def test_both_rules_have_the_same_points_in_the_same_order(groups, higher, m):
    scores = score_set(groups, higher_is_positive=higher)
    rules = (">=", ">") if higher else ("<=", "<")
    first, second = (rs.average_operating_points(scores, thresholds=m, rule=rule) for rule in rules)
    np.testing.assert_array_equal(first.confusion.tp, second.confusion.tp)
    np.testing.assert_array_equal(first.confusion.fp, second.confusion.fp)
    end = math.inf if higher else -math.inf
    assert (first.thresholds[0], second.thresholds[-1]) == (end, -end)
    # the ends call nothing and everything positive, also where scores are infinite
    assert not first.confusion.tp[:, 0].any()
    assert not first.confusion.fn[:, -1].any()
    assert not first.confusion.tn[:, -1].any()
    # away from infinite scores the thresholds give what they say
    finite = ~np.isin(second.thresholds, [math.inf, -math.inf])
    if finite.any():
        again = rs.average_operating_points(scores, thresholds=second.thresholds[finite], rule=rules[1])
        np.testing.assert_array_equal(again.confusion.tp, second.confusion.tp[:, finite])


@given(strategies.grouped_scores(kinds=KINDS), st.integers(2, 12))
def test_thresholds_by_rank(groups, m):
    scores = score_set(groups)
    table = rs.average_operating_points(scores, thresholds=m)
    every = rs.average_operating_points(scores).thresholds
    assert table.n_points == min(m, every.size)
    assert (table.thresholds[0], table.thresholds[-1]) == (every[0], every[-1])
    if m > 2:
        grid = rs.average(scores, "threshold").grid(m - 1)
        np.testing.assert_array_equal(table.thresholds, grid.thresholds)
        close(table.measure("tpr").mean, grid.tpr)


def test_thirty_thresholds_are_thirty_points_the_infinite_end_among_them():
    rng = np.random.default_rng(0)
    scores = rs.ScoreSet.from_arrays(rng.random(400) < 0.5, rng.normal(size=400), np.repeat(range(4), 100))
    for rule, end in ((">=", 0), (">", -1)):
        table = rs.average_operating_points(scores, thresholds=30, rule=rule)
        assert len(table.thresholds) == len(table.points) == table.n_points == 30
        assert np.isinf(table.thresholds[end])
        assert np.isfinite(table.thresholds).sum() == 29
    assert rs.average_operating_points(scores, thresholds=2).thresholds.tolist() == [
        math.inf, min(own.scores.min() for own in scores)
    ]  # fmt: skip


@given(strategies.grouped_scores(kinds=KINDS))
def test_stacked_folds_are_the_pooled_curve(groups):
    scores = score_set(groups)
    table, pooled = rs.average_operating_points(scores), rs.average(scores, "pooled")
    np.testing.assert_array_equal(table.measure("fpr").stacked, pooled.fpr)
    np.testing.assert_array_equal(table.measure("tpr").stacked, pooled.tpr)


@given(strategies.equal_sized_groups(kinds=KINDS))
def test_the_mean_is_the_stacked_rate_if_folds_have_equal_class_sizes(groups):
    table = rs.average_operating_points(score_set(groups))
    for name in ("fpr", "tpr", "accuracy", "balanced_accuracy", "alarm_rate"):
        found = table.measure(name)
        close(found.mean, found.stacked)


def test_the_mean_is_not_the_stacked_rate_if_they_do_not():
    folds = score_set([([1, 0, 0], [3, 2, 1]), ([1, 0], [3, 2])])
    found = rs.average_operating_points(folds, thresholds=[2]).measure("fpr")
    assert (found.mean.tolist(), found.stacked.tolist()) == ([0.75], [2 / 3])


DECIDERS = {">=": np.greater_equal, ">": np.greater, "<=": np.less_equal, "<": np.less}


@given(strategies.grouped_scores(kinds=KINDS), st.sampled_from(list(DECIDERS)), st.data())
def test_a_function_that_decides_by_thresholds_gives_the_same_table(groups, rule, data):
    scores = score_set(groups, higher_is_positive=rule[0] == ">")
    own = [float(s) for _, fold in groups for s in fold]
    at = data.draw(
        st.lists(st.one_of(st.sampled_from(own), st.floats(allow_nan=False)), min_size=1, max_size=5)
    )
    by_threshold = rs.average_operating_points(scores, thresholds=at, rule=rule)
    decide = DECIDERS[rule]
    by_function = rs.average_operating_points(
        scores, points=at, decide=lambda s, t: decide(s.astype(float), t)
    )
    for name in ("tp", "fp", "fn", "tn"):
        np.testing.assert_array_equal(
            getattr(by_threshold.confusion, name), getattr(by_function.confusion, name)
        )
    assert by_function.thresholds is None
    assert by_function.points == tuple(at)


@given(strategies.grouped_scores(kinds=("tied floats",), max_groups=3), st.data())
def test_a_weight_is_a_repetition(groups, data):
    weights = [
        np.array(data.draw(st.lists(st.integers(1, 3), min_size=y.size, max_size=y.size))) for y, _ in groups
    ]
    weighted = score_set(groups, sample_weight=weights)
    repeated = score_set(
        [(np.repeat(y, w), np.repeat(s, w)) for (y, s), w in zip(groups, weights, strict=True)]
    )
    for options in ({}, {"points": [-1, 0, 2], "decide": lambda s, t: s >= t}):
        first, second = (rs.average_operating_points(each, **options) for each in (weighted, repeated))
        for name in ("fpr", "precision", "mcc", rs.Cost(false_positive=1, false_negative=3)):
            one, other = first.measure(name), second.measure(name)
            np.testing.assert_array_equal(one.n_defined, other.n_defined)
            for field in ("mean", "sd", "stacked"):
                close(getattr(one, field), getattr(other, field))


@given(strategies.grouped_scores(kinds=KINDS, min_groups=2), st.randoms(use_true_random=False))
def test_the_order_of_folds_does_not_matter(groups, random):
    shuffled = list(groups)
    random.shuffle(shuffled)
    first, second = (rs.average_operating_points(score_set(each)) for each in (groups, shuffled))
    np.testing.assert_array_equal(first.thresholds, second.thresholds)
    for name in ("fpr", "tpr", "precision", "mcc"):
        one, other = first.measure(name), second.measure(name)
        np.testing.assert_array_equal(one.n_defined, other.n_defined)
        np.testing.assert_array_equal(one.stacked, other.stacked)
        close(one.mean, other.mean)
        close(one.sd, other.sd)


@given(strategies.grouped_scores(kinds=strategies.FLOAT_KINDS))
def test_low_is_positive_is_the_mirror_image(groups):
    mirrored = score_set([(y, -s) for y, s in groups], higher_is_positive=False)
    first, second = rs.average_operating_points(score_set(groups)), rs.average_operating_points(mirrored)
    np.testing.assert_array_equal(first.thresholds, -second.thresholds)
    np.testing.assert_array_equal(first.confusion.tp, second.confusion.tp)
    np.testing.assert_array_equal(first.confusion.fp, second.confusion.fp)


@given(strategies.grouped_scores(kinds=("tied floats", "special floats"), max_groups=3))
def test_curves_and_single_scores_do_as_well(groups):
    scores = score_set(groups)
    table = rs.average_operating_points(scores)
    curves = rs.roc_curves(scores)
    for other in (curves, list(curves), list(scores)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocsteadyWarning)
            again = rs.average_operating_points(other)
        np.testing.assert_array_equal(again.thresholds, table.thresholds)
        np.testing.assert_array_equal(again.confusion.tp, table.confusion.tp)


def test_one_fold_has_no_spread():
    found = rs.average_operating_points(score_set([([1, 0, 1], [3, 2, 1])])).measure("tpr")
    assert found.mean.tolist() == [0, 0.5, 0.5, 1]
    assert np.isnan(found.sd).all()
    assert np.isnan(found.standard_error).all()
    assert np.isnan(
        rs.average_operating_points(score_set([([1, 0, 1], [3, 2, 1])])).between().covariance
    ).all()


def test_constant_scores_have_two_points():
    table = rs.average_operating_points(score_set([([1, 0], [5, 5]), ([1, 0], [5, 5])]), thresholds=30)
    assert table.thresholds.tolist() == [math.inf, 5]
    assert table.measure("tpr").mean.tolist() == [0, 1]


# Folds without a class


@pytest.fixture
def one_class():
    return score_set([([1, 0, 1], [3, 2, 1]), ([0, 0], [9, 2]), ([1, 0, 0], [3, 2, 1])])


def test_a_fold_without_a_class_is_refused(one_class):
    with pytest.raises(RocsteadyError, match="fold 2") as caught:
        rs.average_operating_points(one_class)
    assert caught.value.code == "RS036"


def test_means_are_over_the_folds_in_which_a_measure_is_defined():
    """A fold without negatives has a TPR, and one without positives an FPR."""
    pairs = [([1, 0, 1, 0], [2, 1, 3, 2]), ([1, 1], [2, 1]), ([1, 0, 0], [2, 1, 0])]
    table = rs.average_operating_points(score_set(pairs), thresholds=[1.5], undefined="drop")
    tpr, fpr = table.measure("tpr"), table.measure("fpr")
    assert (tpr.mean[0], tpr.stacked[0], tpr.n_defined[0]) == (pytest.approx(5 / 6), 4 / 5, 3)
    assert (fpr.mean[0], fpr.stacked[0], fpr.n_defined[0]) == (1 / 4, 1 / 4, 2)
    np.testing.assert_array_equal(fpr.per_fold[:, 0], [0.5, math.nan, 0])
    assert table.undefined == ("fold 2: no negatives",)
    turned = [(1 - np.array(labels), -np.array(scores)) for labels, scores in pairs]
    other = rs.average_operating_points(score_set(turned), thresholds=[-1.5], rule=">", undefined="drop")
    assert other.measure("fpr").mean[0] == pytest.approx(1 / 6)  # without positives
    assert other.measure("tpr").n_defined.tolist() == [2]


def test_a_comparison_of_points_counts_the_folds_that_define_its_measure(one_class):
    table = rs.average_operating_points(one_class, thresholds=[3, 2], undefined="drop")
    by_fpr, by_tpr = (table.compare_to(0, name, test_train_ratio=1 / 2) for name in ("fpr", "tpr"))
    assert (by_fpr.n_defined.tolist(), by_tpr.n_defined.tolist()) == ([3, 3], [2, 2])
    assert by_fpr.test_train_ratio == by_tpr.test_train_ratio == 1 / 2
    assert "over 3 folds" in by_fpr.reading
    assert "over 2 of 3 folds" in by_tpr.reading


@pytest.mark.parametrize("undefined", ["drop", "keep"])
def test_a_fold_without_a_class_counts_where_a_measure_is_defined(one_class, undefined):
    for options in ({}, {"points": [math.inf, 9, 3, 2, 1], "decide": lambda s, t: s >= t}):
        table = rs.average_operating_points(one_class, undefined=undefined, **options)
        assert (len(table.folds), table.undefined) == (3, ("fold 2: no positives",))
        assert table.measure("fpr").n_defined.tolist() == [3] * 5
        assert table.measure("fpr").mean.tolist()[1] == pytest.approx(1 / 6)
        assert table.measure("tpr").n_defined.tolist() == [2] * 5
        assert table.measure("precision").n_defined.tolist() == [0, 1, 3, 3, 3]
        assert np.isnan(table.measure("tpr").per_fold[1]).all()
        assert table.between("fpr", "tpr").n_defined.tolist() == [2] * 5


def test_no_fold_with_both_classes():
    apart = score_set([([1, 1], [1, 2]), ([0, 0], [1, 2])])
    with pytest.raises(RocsteadyError) as caught:
        rs.average_operating_points(apart)
    assert caught.value.code == "RS032"
    kept = rs.average_operating_points(apart, undefined="drop")
    assert kept.measure("tpr").n_defined.tolist() == [1, 1, 1]
    with pytest.raises(RocsteadyError):
        rs.average_operating_points(score_set([([1, 1], [1, 2])]), undefined="drop")


def test_an_empty_fold_is_kept_without_asking_the_function():
    empty = rs.ScoreSet.from_folds(
        [([1, 0], [2, 1]), ([1, 0], [2, 1])], sample_weight=[[1, 1], [0, 0]], design="independent"
    )
    table = rs.average_operating_points(
        empty, undefined="drop", points=[1.5], decide=lambda s, t: s >= min(t, s.max())
    )
    assert table.measure("accuracy").n_defined.tolist() == [1]
    assert rs.average_operating_points(empty, undefined="drop").measure("fpr").n_defined.tolist() == [1, 1, 1]


# Arbitrary points


@pytest.fixture
def folds():
    return score_set(
        [(["sick", "well", "sick"], [3, 2, 1]), (["well", "sick", "well"], [3, 2, 0])], positive="sick"
    )


def test_points_may_be_anything_and_come_from_a_generator(folds):
    def decide(scores, band):
        return (scores >= band[0]) & (scores <= band[1])

    bands = [(1, 2), (0, 3), (5, 6)]
    listed = rs.average_operating_points(folds, points=bands, decide=decide)
    made = rs.average_operating_points(folds, points=(band for band in bands), decide=decide)
    rows = rs.average_operating_points(folds, points=np.array(bands), decide=decide)
    for table in (listed, made, rows):
        assert table.measure("tpr").mean.tolist() == [0.75, 1.0, 0.0]
    named = rs.average_operating_points(
        folds, points=["strict", "lenient"], decide=lambda s, p: s >= {"strict": 3, "lenient": 1}[p]
    )
    assert named.points == ("strict", "lenient")


@pytest.mark.parametrize(
    "as_given",
    [
        lambda d: d,
        lambda d: d.tolist(),
        lambda d: d.astype(int),
        lambda d: d.astype(float),
        lambda d: np.where(d, "sick", "well"),
        lambda d: np.where(d, "sick", "well").astype(object),
        lambda d: np.where(d, b"sick", b"well"),
        lambda d: d.astype(object),
        lambda d: np.where(d, 1.0, -0.0),
        np.ma.array,
    ],
)
def test_decisions_in_every_spelling(folds, as_given):
    table = rs.average_operating_points(folds, points=[0, 2, 9], decide=lambda s, t: as_given(s >= t))
    plain = rs.average_operating_points(folds, thresholds=[0, 2, 9])
    np.testing.assert_array_equal(table.confusion.tp, plain.confusion.tp)
    np.testing.assert_array_equal(table.confusion.fp, plain.confusion.fp)


def test_numeric_labels_count_unless_they_mean_the_opposite():
    pairs = [([-1, 1, 1], [1, 2, 3]), ([1, -1, -1], [1, 2, 3])]
    signs = rs.average_operating_points(
        score_set(pairs), points=[2], decide=lambda s, t: np.where(s >= t, 1, -1)
    )
    assert signs.measure("tpr").mean.tolist() == [0.5]
    pairs = [([1, 2, 2], [1, 2, 3]), ([2, 1, 1], [1, 2, 3])]
    with pytest.raises(UsageError, match="label") as caught:  # 1 is the negative label, and the positive flag
        rs.average_operating_points(
            score_set(pairs, positive=2), points=[2], decide=lambda s, t: np.where(s >= t, 2, 1)
        )
    assert caught.value.code == "RS073"


def test_the_function_sees_the_scores_of_one_fold_in_their_own_units():
    seen = []
    scores = score_set([([1, 0], [7, 8]), ([0, 1, 0], [3, 1, 2])], higher_is_positive=False)

    def decide(own, point):
        seen.append((own.tolist(), own.dtype.kind, point))
        with pytest.raises(ValueError, match="read-only"):
            own[0] = 0
        return own <= point

    rs.average_operating_points(scores, points=[1, 2], decide=decide)
    assert seen == [([7, 8], "i", 1), ([7, 8], "i", 2), ([3, 1, 2], "i", 1), ([3, 1, 2], "i", 2)]


@pytest.mark.parametrize(
    "result",
    [
        None,
        True,
        0.5,
        [True],
        [True, False, True, False],
        [[True, False, True]],
        np.ones((3, 1), dtype=bool),
        [0.1, 0.9, 0.2],
        [0, 1, 2],
        [0, 1, math.nan],
        [0, 1, math.inf],
        ["sick", "well", "dead"],
        ["sick", None, "well"],
        [1j, 0, 1],
        {"a": 1},
        (x for x in [True, False, True]),
        [[True], [True, False], [True]],
        np.ma.array([True, False, True], mask=[False, True, False]),
        np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    ],
)
def test_decisions_that_are_none(folds, result):
    with pytest.raises(UsageError) as caught:
        rs.average_operating_points(
            folds, points=[0, "x"], decide=lambda s, t: (s >= 0) if t == 0 else result
        )
    assert caught.value.code == "RS073"
    assert "fold 1" in caught.value.found
    assert "point 1" in caught.value.found
    assert "sick" in str(caught.value)


def test_what_the_function_raises_comes_through(folds):
    with pytest.raises(ZeroDivisionError):
        rs.average_operating_points(folds, points=[1], decide=lambda s, t: 1 / 0)


# Input that cannot be used


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"points": [1]}, "RS002"),
        ({"decide": lambda s, t: s >= t}, "RS002"),
        ({"points": [1], "decide": "no"}, "RS002"),
        ({"points": [1], "decide": lambda s, t: s >= t, "thresholds": 5}, "RS002"),
        ({"points": "abc", "decide": lambda s, t: s >= t}, "RS002"),
        ({"points": 3, "decide": lambda s, t: s >= t}, "RS002"),
        ({"points": np.array(3), "decide": lambda s, t: s >= t}, "RS002"),
        ({"points": {"a": 1}, "decide": lambda s, t: s >= t}, "RS002"),
        ({"points": [], "decide": lambda s, t: s >= t}, "RS002"),
        ({"points": (x for x in ()), "decide": lambda s, t: s >= t}, "RS002"),
        ({"thresholds": 1}, "RS042"),
        ({"thresholds": 0}, "RS042"),
        ({"thresholds": -3}, "RS042"),
        ({"thresholds": 0.5}, "RS042"),
        ({"thresholds": True}, "RS042"),
        ({"thresholds": "30"}, "RS042"),
        ({"thresholds": []}, "RS042"),
        ({"thresholds": [0.1, math.nan]}, "RS042"),
        ({"thresholds": ["a"]}, "RS042"),
        ({"thresholds": [[1, 2], [3, 4]]}, "RS042"),
        ({"thresholds": [[1], [2, 3]]}, "RS042"),
        ({"thresholds": {1, 2}}, "RS042"),
        ({"thresholds": (x for x in [1, 2])}, "RS042"),
        ({"points": [1], "decide": lambda s, t: s >= t, "rule": ">="}, "RS002"),
        ({"rule": "<"}, "RS001"),
        ({"rule": "=>"}, "RS001"),
        ({"undefined": "ignore"}, "RS001"),
    ],
)
def test_arguments_that_cannot_be_used(folds, options, code):
    with pytest.raises(RocsteadyError) as caught:
        rs.average_operating_points(folds, **options)
    assert caught.value.code == code
    assert caught.value.found
    assert caught.value.remedies


def test_one_threshold_is_an_array_of_one(folds):
    with pytest.raises(UsageError, match=r"thresholds=\[0.5\]"):
        rs.average_operating_points(folds, thresholds=0.5)
    assert rs.average_operating_points(folds, thresholds=np.array(3)).n_points == 3
    assert rs.average_operating_points(folds, thresholds=np.int64(3)).n_points == 3


def test_several_models_are_several_tables():
    both = rs.ScoreSet.from_arrays([1, 0, 1, 0], {"x": [4, 3, 2, 1], "y": [1, 2, 3, 4]})
    with pytest.raises(UsageError, match="model") as caught:
        rs.average_operating_points(both)
    assert caught.value.code == "RS044"
    assert rs.average_operating_points(both.model("x")).n_points == 5


@pytest.mark.parametrize("x", [None, "file.csv", [1, 2], [], {"a": 1}, 7])
def test_what_is_no_set_of_scores(x):
    with pytest.raises(RocsteadyError) as caught:
        rs.average_operating_points(x)
    assert caught.value.code in ("RS002", "RS082")


def test_a_function_needs_scores_and_curves_have_none():
    curves = rs.roc_curves(score_set([([1, 0, 1], [3, 2, 1]), ([1, 0, 1], [3, 2, 1])]))
    with pytest.raises(UsageError, match="counts only"):
        rs.average_operating_points(curves, points=[1], decide=lambda s, t: s >= t)


@pytest.mark.parametrize("apart", [True, False])
def test_integers_that_floats_cannot_tell_apart(apart):
    """Whether they meet in one fold or not."""
    large = 2**53
    pairs = [([1, 0], [large, 5]), ([1, 0], [large + 1, 5])] if apart else [([1, 0], [large, large + 1])] * 2
    scores = rs.ScoreSet.from_folds(
        [(y, np.array(s, dtype=np.int64)) for y, s in pairs], design="independent"
    )
    for thresholds in (None, 2, [float(large)]):
        with pytest.raises(UsageError) as caught:
            rs.average_operating_points(scores, thresholds=thresholds)
        assert caught.value.code == "RS048"
    assert rs.average_operating_points(scores, thresholds=[6.0]).n_points == 1
    exact = rs.average_operating_points(scores, points=[large + 1], decide=lambda s, t: s >= t)
    assert exact.confusion.tp.sum() + exact.confusion.fp.sum() == (1 if apart else 2)


def test_a_table_too_large_to_hold_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(confusion, "MOST_NUMBERS", 1000)
    rng = np.random.default_rng(0)
    scores = rs.ScoreSet.from_arrays(rng.random(400) < 0.5, rng.random(400), np.repeat(np.arange(4), 100))
    with pytest.raises(RocsteadyError) as caught:
        rs.average_operating_points(scores)
    assert caught.value.code == "RS075"
    assert "thresholds=100" in str(caught.value)
    assert rs.average_operating_points(scores, thresholds=100).n_points == 100
    with pytest.raises(RocsteadyError, match="RS075"):
        rs.average_operating_points(scores, points=range(200), decide=lambda s, t: s >= t)


def test_thousands_of_folds():
    rng = np.random.default_rng(1)
    n = 5000
    labels = np.tile([0, 1, 0, 1], n)
    scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=4 * n) + labels, np.repeat(np.arange(n), 4))
    with pytest.raises(RocsteadyError, match="RS075"):
        rs.average_operating_points(scores)
    table = rs.average_operating_points(scores, thresholds=50)
    found = table.measure("fpr")
    assert found.per_fold.shape == (n, 50)
    close(found.mean, found.stacked)
    assert table.compare_to(25).df == n - 1


def test_weights_over_many_orders_of_magnitude():
    """All called positive is a rate of exactly 1, whatever the weights and however they are added."""
    rng = np.random.default_rng(2)
    pairs = [(rng.permutation(np.tile([1, 0], 50)), rng.random(100)) for _ in range(300)]
    weights = [10.0 ** rng.uniform(-6, 9, 100) for _ in pairs]
    scores = rs.ScoreSet.from_folds(pairs, sample_weight=weights, design="independent")
    perfect = rs.ScoreSet.from_folds(
        [(y, y + 0.5 * s) for y, s in pairs], sample_weight=weights, design="independent"
    )
    decided = rs.average_operating_points(perfect, points=[1], decide=lambda s, t: s >= t)
    assert not decided.confusion.fn.any()
    assert (decided.confusion.tn == decided.confusion.negatives).all()
    for options in ({"thresholds": 50}, {"points": [0.5, 0.0], "decide": lambda s, t: s >= t}):
        table = rs.average_operating_points(scores, **options)
        for name in ("fpr", "tpr"):
            found = table.measure(name)
            assert (found.per_fold[:, -1] == 1).all()
            assert found.stacked[-1] == 1
        assert (table.confusion.fn >= 0).all()
        assert (table.confusion.tn >= 0).all()
