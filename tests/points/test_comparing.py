"""Which points cannot be told apart: the tests, their combination, what the result says, how many cases."""

import json
import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
import strategies
from rocsteady.errors import RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.points.measures import MulticlassConfusion
from rocsteady.points.tables import OperatingPointTable
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.power import noncentrality


def made_table(seed=0, n_per_fold=20, n_folds=10, thresholds=30, **options):
    rng = np.random.default_rng(seed)
    n = n_per_fold * n_folds
    labels, folds = np.arange(n) % 2, np.repeat(np.arange(n_folds), n_per_fold)
    scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=n) + labels, folds, unit="fold")
    return rs.average_operating_points(scores, thresholds=thresholds, **options)


def several_classes(seed=0, n_folds=5, n_points=7, n_classes=3):
    counts = np.random.default_rng(seed).integers(1, 6, size=(n_folds, n_points, n_classes, n_classes))
    names = tuple("abcdefgh"[:n_classes])
    folds = tuple(map(str, range(n_folds)))
    return OperatingPointTable(MulticlassConfusion(names, counts), points=tuple(range(n_points)), folds=folds)


@pytest.fixture(scope="module")
def table():
    return made_table()


OPTIONS = st.fixed_dictionaries(
    {
        "df": st.sampled_from(["n-1", "2n-2"]),
        "test_train_ratio": st.sampled_from([None, 0.0, 0.25]),
    }
)


@settings(max_examples=40)
@given(
    strategies.grouped_scores(min_groups=2, max_groups=5),
    OPTIONS,
    st.sampled_from(["fpr", "precision"]),
    st.data(),
)
def test_every_test_is_a_paired_t_test(groups, options, measure, data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        table = rs.average_operating_points(rs.ScoreSet.from_folds(groups, design="independent"))
        index = data.draw(st.integers(0, table.n_points - 1))
        found = table.compare_to(index, measure, **options)
        values = table.measure(measure).per_fold
        for j in range(table.n_points):
            if j == index:
                assert (found.statistic[j], found.pvalue[j], found.indistinguishable[j]) == (0, 1, True)
                continue
            single = rs.paired_t(values[:, j], values[:, index], **options)
            np.testing.assert_equal(found.statistic[j], single.statistic)
            np.testing.assert_equal(found.pvalue[j], single.pvalue)
            if not math.isnan(single.df):
                assert np.broadcast_to(found.df, table.n_points)[j] == single.df
            assert found.indistinguishable[j] == (single.pvalue > 0.05)
            assert found.n_defined[j] == single.n


def test_decisions_by_thresholds_are_nested(table):
    """So the rates do differ, in the direction of the threshold, in every fold."""
    index = table.nearest(tpr=0.9)
    for measure in ("fpr", "tpr"):
        found = table.compare_to(index, measure)
        assert (found.difference[:index] <= 0).all()
        assert (found.difference[index + 1 :] >= 0).all()
        assert np.sign(found.statistic).tolist() == np.sign(found.difference).tolist()


def test_the_neighbourhood_and_the_corrections(table):
    index = table.nearest(tpr=0.9)
    plain = table.compare_to(index)
    assert index in plain.neighbourhood
    assert plain.neighbourhood.tolist() == np.flatnonzero(plain.indistinguishable).tolist()
    paper, careful = table.compare_to(index, df="2n-2"), table.compare_to(index, test_train_ratio=1 / 9)
    assert (plain.df, paper.df, careful.df) == (9, 18, 9)
    assert careful.test_train_ratio == pytest.approx(1 / 9)
    for more, fewer in ((plain, paper), (careful, plain)):
        assert set(fewer.neighbourhood) <= set(more.neighbourhood)
    assert careful.neighbourhood.size > plain.neighbourhood.size
    np.testing.assert_array_equal(plain.adjusted_pvalue, plain.pvalue)


@pytest.mark.parametrize("method", ["holm", "bh"])
def test_p_values_are_adjusted_over_the_other_points(table, method):
    index = 12
    found = table.compare_to(index, adjust=method)
    others = np.arange(table.n_points) != index
    np.testing.assert_array_equal(found.adjusted_pvalue[others], adjusted(found.pvalue[others], method))
    assert (found.adjusted_pvalue[index], found.statistic[index]) == (1, 0)
    np.testing.assert_array_equal(found.indistinguishable, (found.adjusted_pvalue > 0.05) | ~others)
    np.testing.assert_array_equal(found.pvalue, table.compare_to(index).pvalue)


def test_p_values_are_adjusted_over_all_measures_too(table):
    found = table.compare_to(12, ["fpr", "tpr"], adjust="holm")
    others = np.arange(table.n_points) != 12
    np.testing.assert_array_equal(found.adjusted_pvalue[others], adjusted(found.pvalue[others], "holm"))


@pytest.mark.parametrize("seed", range(4))
def test_and_over_or_over_measures(seed):
    """AND over accepted hypotheses: a point is in the neighbourhood if no measure tells it apart."""
    table = made_table(seed)
    alone = [table.compare_to(20, name).indistinguishable for name in ("fpr", "tpr", "accuracy")]
    together = table.compare_to(20, ["fpr", "tpr", "accuracy"])
    assert together.statistic.shape == (table.n_points, 3)
    assert together.measures == ("fpr", "tpr", "accuracy")
    np.testing.assert_array_equal(together.indistinguishable, np.all(alone, axis=0))
    either = table.compare_to(20, ["fpr", "tpr", "accuracy"], combine="or")
    np.testing.assert_array_equal(either.indistinguishable, np.any(alone, axis=0))
    assert either.indistinguishable.sum() > together.indistinguishable.sum()


def test_the_errors_of_several_classes_are_as_many_measures():
    table = several_classes()
    found = table.compare_to(2, "class_error")
    assert found.measures == ("class_error a", "class_error b", "class_error c")
    assert found.pvalue.shape == (7, 3)
    errors = table.measure("class_error").per_fold
    for c in range(3):
        single = rs.paired_t(errors[:, 4, c], errors[:, 2, c])
        assert found.pvalue[4, c] == single.pvalue
    accepted = found.pvalue > 0.05
    np.testing.assert_array_equal(found.indistinguishable, accepted.all(axis=1))
    assert list(found.cases_to_separate(4).cases) == [found.cases_to_separate(4).measure[-1]]


def test_points_that_cannot_be_tested_are_not_called_alike(table):
    """No fold has a precision where nothing is called positive."""
    found = table.compare_to(15, "precision")
    assert np.isnan(found.pvalue[0])
    assert not found.indistinguishable[0]
    assert found.untested.tolist() == [0, 1]  # nor has more than one fold at the next point
    assert table.measure("precision").n_defined.tolist()[:3] == [0, 1, 5]
    assert "2 points could not be tested" in found.reading
    both = table.compare_to(15, ["fpr", "precision"])
    assert both.untested.size == 0
    assert both.indistinguishable[0] == (both.pvalue[0, 0] > 0.05)
    undefined_itself = table.compare_to(0, "precision")
    assert undefined_itself.neighbourhood.tolist() == [0]
    assert undefined_itself.untested.tolist() == list(range(1, table.n_points))


def test_degrees_of_freedom_where_folds_are_undefined_at_some_points():
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 0, 1, 0], [2.5, 3, 2, 1]), ([0, 1, 1, 0], [4, 3, 2, 1])],
        design="independent",
    )
    with pytest.warns(RocsteadyWarning, match="RS245"):
        found = rs.average_operating_points(folds).compare_to(5, "precision")
    assert np.isnan(found.df[0])
    assert found.df[1] == 1  # two of three folds call something positive there
    assert found.df[5] == 2
    assert found.n_defined.tolist()[:2] == [0, 2]


def test_measures_with_infinite_values_have_no_test(table):
    found = table.compare_to(10, lambda c: c.tp / c.fp)
    assert np.isnan(found.pvalue[found.untested]).all()
    assert not found.indistinguishable[found.untested].any()


def test_one_warning_where_differences_do_not_vary():
    folds = rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 3, 2, 1])] * 4, design="independent")
    with pytest.warns(RocsteadyWarning, match="RS245") as caught:
        found = rs.average_operating_points(folds).compare_to(2, "accuracy")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert found.pvalue.tolist() == [0, 0, 1, 0, 0]
    assert found.statistic.tolist() == [-math.inf, -math.inf, 0, -math.inf, -math.inf]


def test_the_reading_says_what_it_does_not_mean(table):
    text = table.compare_to(20, ["fpr", "tpr"], adjust="holm", test_train_ratio=1 / 9).reading
    for part in (
        "FPR and TPR (all of them)",
        "10 folds",
        "Holm",
        "Nadeau & Bengio",
        "of 29 other points",
        "nested",
    ):
        assert part in text
    assert "nested" not in several_classes().compare_to(1, "class_error").reading


def test_a_comparison_is_one_line_plain_data_and_a_frame(table):
    found = table.compare_to(22)
    assert repr(found).startswith("PointTests(")
    assert "\n" not in repr(found)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["index"] == 22
    frame = found.to_frame()
    assert len(frame) == table.n_points
    assert {"threshold", "pvalue", "indistinguishable"} <= set(frame.columns)
    assert {"fpr pvalue", "tpr pvalue"} <= set(table.compare_to(22, ["fpr", "tpr"]).to_frame().columns)
    own = table.compare_to(22, [lambda c: c.tp, lambda c: c.fp]).to_frame()
    assert {"<lambda> pvalue", "<lambda> 2 pvalue"} <= set(own.columns)
    with pytest.raises(TypeError):
        iter(found)
    with pytest.raises(ValueError, match="read-only"):
        found.pvalue[0] = 1


def test_results_travel_between_processes(table):
    found = table.compare_to(22, ["fpr", "tpr"])
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.pvalue, found.pvalue)
    assert again.cases_to_separate(25).factor == found.cases_to_separate(25).factor


def test_indices_from_the_end(table):
    assert table.compare_to(-5).index == table.n_points - 5
    assert table.compare_to(np.int64(20)).index == 20


@pytest.mark.parametrize(
    ("arguments", "options", "code"),
    [
        ((99,), {}, "RS042"),
        ((-32,), {}, "RS042"),
        ((1.5,), {}, "RS042"),
        ((True,), {}, "RS042"),
        (("fpr",), {}, "RS042"),
        ((None,), {}, "RS042"),
        ((1, "fprr"), {}, "RS001"),
        ((1, []), {}, "RS002"),
        ((1, ["fpr", "nonsense"]), {}, "RS001"),
        ((1,), {"alpha": 5}, "RS042"),
        ((1,), {"alpha": 0}, "RS042"),
        ((1,), {"df": "n"}, "RS001"),
        ((1,), {"adjust": "bonferroni"}, "RS001"),
        ((1,), {"combine": "xor"}, "RS001"),
        ((1,), {"test_train_ratio": -1}, "RS042"),
        ((1,), {"test_train_ratio": "cv"}, "RS042"),
    ],
)
def test_comparisons_that_cannot_be_made(table, arguments, options, code):
    with pytest.raises(UsageError) as caught:
        table.compare_to(*arguments, **options)
    assert caught.value.code == code
    assert caught.value.remedies


def test_one_fold_has_no_test():
    one = rs.average_operating_points(rs.ScoreSet.from_folds([([1, 0, 1], [3, 2, 1])], design="independent"))
    with pytest.raises(RocsteadyError) as caught:
        one.compare_to(1)
    assert caught.value.code == "RS074"


# How many cases


@pytest.mark.parametrize("df", [1, 2, 4, 9, 40])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("power", [0.1, 0.5, 0.8, 0.99])
def test_the_noncentrality_gives_the_power(df, alpha, power):
    """Against a sample of the noncentral t distribution; SciPy's function is NaN for some of these."""
    rng = np.random.default_rng([df, int(1e4 * alpha), int(100 * power)])
    n = 200_000
    limit = stats.t.ppf(1 - alpha / 2, df)
    drawn = rng.normal(size=n) + noncentrality(df, alpha, power)
    share = np.mean(np.abs(drawn) > limit * np.sqrt(rng.chisquare(df, n) / df))
    assert abs(share - power) < 4.5 * math.sqrt(power * (1 - power) / n)


def test_the_noncentrality_is_that_of_the_normal_distribution_for_many_folds():
    expected = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert noncentrality(1e6, 0.05, 0.8) == pytest.approx(expected, abs=1e-5)


def test_cases_to_separate(table):
    found = table.compare_to(22)
    plan = found.cases_to_separate(23)
    expected = (noncentrality(9, 0.05, 0.8) / abs(found.statistic[23])) ** 2
    assert plan.factor == pytest.approx(expected, rel=1e-9)
    assert plan.cases == {"negative": math.ceil(100 * expected)}
    assert plan.present == {"negative": 100}
    assert "10 folds" in plan.assumed
    assert table.compare_to(22, "tpr").cases_to_separate(26).present == {"positive": 100}
    assert set(table.compare_to(22, "f1").cases_to_separate(2).cases) == {"negative", "positive"}
    # what is far apart needs fewer cases, more power and a careful test need more
    assert found.cases_to_separate(27).factor < plan.factor < found.cases_to_separate(23, power=0.95).factor
    assert table.compare_to(22, test_train_ratio=1 / 9).cases_to_separate(23).factor > plan.factor
    assert json.loads(json.dumps(plan.to_dict(), allow_nan=False))["cases"] == {
        "negative": plan.cases["negative"]
    }


def test_no_number_of_cases_separates_what_does_not_differ(table):
    own = table.compare_to(22).cases_to_separate(22)
    assert own.factor == math.inf
    assert own.cases == {"negative": math.inf}
    assert "inf" in repr(own)
    json.dumps(own.to_dict(), allow_nan=False)
    assert math.isnan(table.compare_to(22, "precision").cases_to_separate(0).factor)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        constant = rs.average_operating_points(
            rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 3, 2, 1])] * 4, design="independent")
        )
        assert math.isnan(constant.compare_to(2).cases_to_separate(3).factor)


def test_of_several_measures_the_quickest_or_the_slowest_decides(table):
    single = {name: table.compare_to(22, name).cases_to_separate(24).factor for name in ("fpr", "tpr")}
    both = table.compare_to(22, ["fpr", "tpr"]).cases_to_separate(24)
    assert both.factor == min(single.values())
    assert single[both.measure] == both.factor
    assert table.compare_to(22, ["fpr", "tpr"], combine="or").cases_to_separate(24).factor == max(
        single.values()
    )


@pytest.mark.parametrize(
    ("arguments", "code"), [((99,), "RS042"), (("x",), "RS042"), ((3, 80), "RS042"), ((3, 1.0), "RS042")]
)
def test_plans_that_cannot_be_made(table, arguments, code):
    with pytest.raises(UsageError) as caught:
        table.compare_to(22).cases_to_separate(*arguments)
    assert caught.value.code == code


def test_more_cases_separate_as_planned():
    """Four times the cases in the same folds: about twice the statistic."""
    ratios = []
    for seed in range(30):
        small, large = (
            made_table(seed, n_per_fold=n, thresholds=[0.0, 0.5]).compare_to(0).statistic[1]
            for n in (40, 160)
        )
        ratios.append(large / small)
    assert 1.6 < np.median(ratios) < 2.5


def test_a_plan_for_2n_minus_2_knows_that_the_spread_has_n_minus_1():
    """The limit of the test is that of 18 degrees of freedom, the spread of ten differences has 9."""
    limit, n = stats.t.isf(0.025, 18), 400_000
    rng = np.random.default_rng(5)
    delta = noncentrality(18, 0.05, 0.8, own_df=9)
    drawn = (rng.normal(size=n) + delta) / np.sqrt(rng.chisquare(9, n) / 9)
    assert np.mean(np.abs(drawn) > limit) == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / n))
    table = made_table(3)
    paper, own = (table.compare_to(22, df=df).cases_to_separate(23).factor for df in ("2n-2", "n-1"))
    assert paper / own == pytest.approx((delta / noncentrality(9, 0.05, 0.8)) ** 2, rel=1e-9)


def test_points_that_one_measure_tells_apart_already_are_not_planned_by_another():
    folds = [([1, 1, 0, 0], [4, 2.5 + i, 3, 1]) for i in (0, 1)]  # FPR differs by 1/2 in both, TPR varies
    table = rs.average_operating_points(
        rs.ScoreSet.from_folds(folds, design="independent"), thresholds=[3.2, 2.8]
    )
    with pytest.warns(rs.RocsteadyWarning, match="RS245"):
        found = table.compare_to(0, ["tpr", "fpr"])
    assert np.isinf(found.statistic[1, 1])
    plan = found.cases_to_separate(1)
    assert (plan.measure, math.isnan(plan.factor)) == ("fpr", True)


@pytest.mark.parametrize(("measure", "nested"), [("fpr", True), ("sensitivity", True), ("accuracy", False)])
def test_only_rates_of_one_class_are_said_to_differ_because_decisions_are_nested(table, measure, nested):
    reading = table.compare_to(12, measure).reading
    assert ("nested" in reading) == nested
