"""Traps T24 to T32 in which other libraries were caught, for everything that compares or summarizes.

Single AUCs and their intervals: tests/curves/test_traps.py; DeLong's test: tests/inference/test_comparison.py.
"""

import numpy as np
import pytest

import rocsteady as rs

RNG = np.random.default_rng(24)
LABELS = np.arange(180) < 80
GOOD = LABELS + 0.7 * RNG.normal(size=180)
FAIR = LABELS + 1.5 * RNG.normal(size=180)
GROUPS = np.arange(180) % 6


def two_models(first, second, groups=GROUPS, cases=None):
    cases = np.arange(len(first)) if cases is None else cases
    return rs.ScoreSet.from_arrays(
        LABELS, {"first": first, "second": second}, groups, cases=cases, unit="site"
    )


def pvalues(found):
    """All p-values of a comparison."""
    values = [own.pvalue for own in found.differences]
    values += [found.curve.pvalue] if found.curve is not None else []
    values += [found.wilcoxon.pvalue] if found.wilcoxon is not None else []
    return values


# T24: MLstatkit's Delong_test of a model with itself has p = 0


@pytest.mark.parametrize("transformed", [GOOD, np.exp(GOOD), 3 * GOOD - 7])
def test_T24_a_model_against_itself_by_resampling(transformed):
    for paired in (True, False):
        found = rs.bootstrap_test(LABELS, GOOD, transformed, paired=paired, n_resamples=200)
        assert (found.difference, found.statistic, found.pvalue) == (0, 0, 1)
    for statistic in (rs.PartialAuc(fpr=(0, 0.2)), {"fpr": 0.1}, {"tpr": 0.8}):
        assert rs.bootstrap_test(LABELS, GOOD, transformed, statistic=statistic, n_resamples=200).pvalue == 1
    for paired in (True, False):
        assert rs.venkatraman_test(LABELS, GOOD, transformed, paired=paired, n_permutations=200).pvalue == 1


@pytest.mark.filterwarnings("ignore:RS280")
@pytest.mark.parametrize("random", ["groups", "cases"])
@pytest.mark.parametrize("method", ["vertical", "horizontal", "threshold", "pooled"])
def test_T24_a_model_against_itself_over_datasets(method, random):
    found = rs.compare(
        two_models(GOOD, GOOD), method=method, random=random, at=[{"fpr": 0.1}, {"tpr": 0.9}], n_resamples=200
    )
    assert found.auc.difference == 0
    assert pvalues(found) == [1] * len(pvalues(found))
    assert all(own.difference == 0 for own in found.differences)


def test_T24_no_winner_between_a_model_and_itself():
    found = rs.winner_map(two_models(GOOD, GOOD), n_resamples=200)
    assert found.pvalue == 1
    assert {region.winner for region in found.regions} == {None}


# T25: DeLong in float32 gave AUC 1.0000001; recall was not the true positive rate


@pytest.mark.filterwarnings("ignore:RS289")
def test_T25_narrow_floats_are_compared_exactly_and_summed_in_full():
    narrow = [(LABELS[g == GROUPS], GOOD[g == GROUPS].astype(np.float32)) for g in range(6)]
    wide = [(labels, scores.astype(np.float64)) for labels, scores in narrow]
    for method in ("t", "cv-influence"):
        found, expected = (
            rs.summarize_auc(rs.ScoreSet.from_folds(own, design="independent"), method)
            for own in (narrow, wide)
        )
        assert found.to_dict() == expected.to_dict()
    drawn, expected = (rs.bootstrap(rs.Scores(*own[0]), n_resamples=200) for own in (narrow, wide))
    np.testing.assert_array_equal(drawn.values, expected.values)
    assert drawn.values.max() <= 1


def test_T25_recall_is_the_true_positive_rate():
    table = rs.average_operating_points(rs.ScoreSet.from_arrays(LABELS, GOOD, GROUPS))
    np.testing.assert_array_equal(table.measure("recall").per_fold, table.measure("tpr").per_fold)


# T26: one-sided bootstrap sign (pROC #64), single cases, perfect curves, large samples


@pytest.mark.parametrize("statistic", ["auc", rs.PartialAuc(fpr=(0, 0.3)), {"fpr": 0.2}])
@pytest.mark.parametrize("paired", [True, False])
def test_T26_a_better_first_model_is_greater(statistic, paired):
    def pvalue(first, second, alternative):
        options = {"statistic": statistic, "paired": paired, "n_resamples": 400, "alternative": alternative}
        return rs.bootstrap_test(LABELS, first, second, **options).pvalue

    greater, less = pvalue(GOOD, FAIR, "greater"), pvalue(GOOD, FAIR, "less")
    assert greater < 0.05 < 0.95 < less
    assert greater + less == pytest.approx(1)
    assert pvalue(FAIR, GOOD, "less") == pytest.approx(greater)
    assert pvalue(GOOD, FAIR, "two-sided") == pytest.approx(2 * greater)


def test_T26_the_sign_of_every_difference_is_first_less_second():
    data = two_models(GOOD, FAIR)
    forth = rs.compare(data, a="first", b="second", n_resamples=200, method="vertical")
    back = rs.compare(data, a="second", b="first", n_resamples=200, method="vertical")
    assert forth.auc.difference > 0 > back.auc.difference
    assert forth.auc.interval.low == pytest.approx(-back.auc.interval.high)
    assert forth.auc.pvalue == pytest.approx(back.auc.pvalue)
    np.testing.assert_allclose(forth.curve.difference, -back.curve.difference, atol=1e-12)


def test_T26_a_single_case_is_said_and_does_not_give_nan():
    with pytest.warns(UserWarning, match="RS274"):
        found = rs.bootstrap(rs.Scores([1, 0, 0, 0], [2, 3, 1, 0]), n_resamples=200)
    assert 0 <= found.interval.low <= found.interval.high <= 1


def test_T26_perfect_curves_have_usable_intervals():
    perfect = rs.Scores([1] * 20 + [0] * 50, np.arange(70, 0, -1))
    with pytest.warns(UserWarning, match="RS151"):
        found = rs.bootstrap(perfect, n_resamples=200).interval
    assert (found.low, found.high) == (pytest.approx(0.05 ** (1 / 20)), 1)
    with pytest.warns(UserWarning, match="RS151"):
        found = rs.summarize_auc([perfect, perfect], "cv-influence").interval
    assert (found.low, found.high) == (pytest.approx(0.05 ** (1 / 40)), 1)


def test_T26_large_samples_neither_wrap_nor_fill_the_memory():
    """An outer product of 1e5 positives and 1e5 negatives would need 80 GB."""
    n = 200_000
    labels = np.arange(n) % 2 == 0
    scores = np.sin(np.arange(n)) + labels
    expected = rs.roc_curve(labels, scores).auc_standard_error()
    drawn = rs.bootstrap(rs.Scores(labels, scores), n_resamples=120)
    assert drawn.standard_error == pytest.approx(expected, rel=0.3)
    summary = rs.summarize_auc([rs.Scores(labels, scores)], "cv-influence")
    assert summary.standard_error == pytest.approx(expected, rel=1e-4)


# T27: Venkatraman's test is of curves, not of areas; overlapping intervals are not a test


def test_T27_crossing_curves_of_equal_area():
    """One model is sure of the top, the other of the bottom; both have the same AUC."""
    n = 150
    positives = np.concatenate([np.linspace(2, 3, n // 2), np.linspace(-0.9, 0.9, n // 2)])
    negatives = np.linspace(-1, 1, n)
    labels = np.repeat([True, False], n)
    first = np.concatenate([positives, negatives])
    second = np.concatenate([-negatives, -positives])  # mirrored: the same area, the other way round
    assert rs.auc(labels, first) == pytest.approx(rs.auc(labels, second))
    found = rs.venkatraman_test(labels, first, second, paired=False, n_permutations=400)
    assert found.pvalue < 0.01
    assert "not whether their areas are" in found.reading
    assert rs.bootstrap_test(labels, first, second, paired=False, n_resamples=400).pvalue > 0.9
    assert rs.compare_auc(labels, first, second, paired=False).pvalue > 0.9


def test_T27_intervals_that_overlap_may_hide_a_sure_difference():
    second = GOOD - 0.25 * LABELS  # every positive loses a little: the same cases, nearly the same scores
    one, other = (rs.roc_curve(LABELS, own).auc_interval() for own in (GOOD, second))
    assert one.low < other.high
    assert rs.compare_auc(LABELS, GOOD, second).pvalue < 0.05
    assert rs.bootstrap_test(LABELS, GOOD, second, n_resamples=400).pvalue < 0.05


# T28: the standard deviation over folds plus the mean column; half of it as an interval


def test_T28_a_summary_is_made_of_the_folds_alone():
    aucs = np.array([rs.auc(LABELS[g == GROUPS], FAIR[g == GROUPS]) for g in range(6)])
    folds = rs.ScoreSet.from_arrays(LABELS, FAIR, GROUPS)
    summary = rs.summarize_auc(folds, scale="linear")
    assert summary.standard_error == pytest.approx(aucs.std(ddof=1) / np.sqrt(6))
    half = summary.interval.high - summary.estimate
    assert half == pytest.approx(2.570582 * summary.standard_error)  # t with 5 degrees of freedom
    with_mean = np.append(aucs, aucs.mean())
    assert summary.standard_error > with_mean.std(ddof=1) / np.sqrt(7)
    wide = summary.prediction_interval.high - summary.estimate
    assert wide == pytest.approx(half * np.sqrt(7))  # a new fold scatters, a mean much less


# T29: a resample without one class, drawn again or never drawn


def test_T29_resampled_cases_keep_both_classes():
    """Three positives among 60: drawn without regard to class, one in twenty resamples would have none."""
    labels, scores = np.arange(60) < 3, np.arange(60) % 7
    found = rs.bootstrap(rs.Scores(labels, scores), n_resamples=2000)
    assert found.n_redrawn == 0
    assert np.isfinite(found.values).all()
    assert "within each class" in found.random
    assert np.unique(np.round(found.values * 3 * 57 * 2, 6) % 1).tolist() == [0]  # shares of 3 x 57 pairs


def test_T29_groups_without_a_class_are_drawn_again_and_counted():
    """Of eight groups only two have positives: a tenth of all draws have none."""
    groups = np.repeat(np.arange(8), 10)
    labels = (groups < 2) & (np.arange(80) % 10 < 5)
    scores = np.random.default_rng(1).normal(size=80) + labels
    devices = rs.ScoreSet.from_arrays(labels, scores, groups)
    with pytest.warns(UserWarning, match="RS273"):
        found = rs.bootstrap(devices, random="groups", average="pooled", undefined="drop", n_resamples=2000)
    assert np.isfinite(found.values).all()
    share = found.n_redrawn / (found.n_redrawn + 2000)
    assert share == pytest.approx(0.75**8, abs=0.03)


# T30: McClish's formula away from zero, and below the diagonal


def test_T30_resampled_partial_areas_are_those_of_curves():
    scores = rs.Scores(LABELS, FAIR)
    curve = rs.roc_curve(scores)
    for span in ({"fpr": (0.2, 0.5)}, {"tpr": (0.6, 0.9)}):
        raw, standardized = (
            rs.bootstrap(scores, rs.PartialAuc(**span, standardized=own), n_resamples=200)
            for own in (False, True)
        )
        assert raw.estimate == pytest.approx(curve.partial_auc(**span))
        assert standardized.estimate == pytest.approx(curve.partial_auc(**span, standardized=True))
        # Both say the same on other scales: resample for resample a straight line.
        slope, offset = np.polyfit(raw.values, standardized.values, 1)
        np.testing.assert_allclose(slope * raw.values + offset, standardized.values, atol=1e-12)
        assert slope * raw.estimate + offset == pytest.approx(standardized.estimate)


def test_T30_below_the_diagonal_resamples_are_numbers():
    worst = rs.Scores(LABELS, -FAIR)
    with pytest.warns(UserWarning, match="RS152"):
        found = rs.bootstrap(worst, rs.PartialAuc(fpr=(0, 0.2), standardized=True), n_resamples=200)
    assert np.isfinite(found.values).all()
    assert found.estimate < 0.5


# T31: equal error rates by name


def test_T31_the_mean_of_equal_error_rates_is_not_that_of_the_average():
    folds = rs.ScoreSet.from_arrays(LABELS, FAIR, GROUPS)
    own = np.mean([curve.equal_error_rate for curve in rs.roc_curves(folds)])
    assert rs.average(folds, "radial").equal_error_rate == pytest.approx(own)
    assert rs.average(folds, "diagonal").equal_error_rate == pytest.approx(own)
    assert rs.average(folds, "vertical").equal_error_rate != pytest.approx(own, abs=1e-4)


# T32: answers that depend on the order or the chunks of the rows


ORDER = np.random.default_rng(32).permutation(180)


def shuffled(values):
    return np.asarray(values)[ORDER]


@pytest.mark.filterwarnings("ignore:RS294")
def test_T32_the_order_of_the_rows_does_not_matter_to_tests():
    tied = np.round(FAIR)  # ties are where order leaks in
    options = {"n_resamples": 300, "statistic": {"fpr": 0.2}}
    one = rs.bootstrap_test(LABELS, GOOD, tied, **options)
    other = rs.bootstrap_test(shuffled(LABELS), shuffled(GOOD), shuffled(tied), **options)
    assert one.to_dict() == other.to_dict()
    one = rs.venkatraman_test(LABELS, GOOD, tied, n_permutations=300)
    other = rs.venkatraman_test(shuffled(LABELS), shuffled(GOOD), shuffled(tied), n_permutations=300)
    assert one.to_dict() == other.to_dict()
    np.testing.assert_array_equal(
        rs.bootstrap(rs.Scores(LABELS, tied), n_resamples=300).values,
        rs.bootstrap(rs.Scores(shuffled(LABELS), shuffled(tied)), n_resamples=300).values,
    )


@pytest.mark.parametrize("random", ["groups", "cases"])
@pytest.mark.parametrize("average", ["mean", "pooled", "threshold"])
def test_T32_the_order_of_the_rows_does_not_matter_to_resamples(random, average):
    """Not even if it changes which group comes first."""
    tied = np.round(2 * FAIR)
    one = rs.ScoreSet.from_arrays(LABELS, tied, GROUPS)
    other = rs.ScoreSet.from_arrays(shuffled(LABELS), shuffled(tied), shuffled(GROUPS))
    assert one.groups != other.groups
    for statistic in ("auc", {"fpr": 0.1}):
        options = {"random": random, "average": average, "n_resamples": 150}
        first, second = (rs.bootstrap(own, statistic, **options).values for own in (one, other))
        np.testing.assert_allclose(first, second, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:RS280")
@pytest.mark.parametrize("random", ["groups", "cases"])
def test_T32_the_order_of_the_rows_does_not_matter_to_comparisons(random):
    def compared(order):
        frame = {"y": LABELS[order], "site": GROUPS[order], "case": np.arange(180)[order]}
        frame |= {"first": GOOD[order], "second": np.round(FAIR)[order]}
        data = rs.ScoreSet.from_frame(frame, label="y", score=["first", "second"], group="site", case="case")
        return rs.compare(data, random=random, at={"fpr": 0.1}, n_resamples=300, method="vertical")

    in_groups = np.argsort(GROUPS, kind="stable")
    dealt = in_groups.reshape(6, 30)  # the same groups in the same order, their rows in another
    dealt = np.random.default_rng(7).permuted(dealt, axis=1).ravel()
    one, other = compared(in_groups), compared(dealt)
    assert one.auc.difference == pytest.approx(other.auc.difference, abs=1e-12)
    assert pvalues(one) == pytest.approx(pvalues(other), abs=1e-9)


@pytest.mark.parametrize("method", ["vertical", "pooled"])
def test_T32_it_does_not_matter_which_group_comes_first(method):
    """Eighteen groups: too many for all flips of signs, so some are drawn."""
    groups = np.arange(180) % 18

    def sites(order):
        data = {"first": GOOD[order], "second": FAIR[order]}
        return rs.ScoreSet.from_arrays(LABELS[order], data, groups[order], cases=np.arange(180)[order])

    both = [sites(np.arange(180)), sites(ORDER)]
    one, other = (rs.compare(own, method=method, at={"fpr": 0.2}, n_resamples=200) for own in both)
    assert pvalues(one) == pytest.approx(pvalues(other), abs=1e-9)
    np.testing.assert_allclose(one.curve.adjusted, other.curve.adjusted, atol=1e-9)
    one, other = (rs.winner_map(own, method=method, n_resamples=200) for own in both)
    assert one.pvalue == pytest.approx(other.pvalue, abs=1e-9)
    np.testing.assert_allclose(one.lower, other.lower, atol=1e-9)


@pytest.mark.parametrize("threads", [1, 3])
def test_T32_the_number_of_threads_does_not_matter(threads):
    scores = rs.Scores(LABELS, FAIR)
    folds = rs.ScoreSet.from_arrays(LABELS, FAIR, GROUPS)
    for given, options in ((scores, {}), (folds, {"average": "pooled"}), (folds, {"random": "cases"})):
        one = rs.bootstrap(given, n_resamples=150, threads=threads, **options)
        other = rs.bootstrap(given, n_resamples=150, threads=2, **options)
        np.testing.assert_array_equal(one.values, other.values)
