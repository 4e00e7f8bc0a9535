"""The binormal average: fits against foreign numbers and brute force, then the mean of parameters."""

import csv
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import ndtr, ndtri

import rocsteady as rs
from rocsteady import simulate
from rocsteady.averaging.binormal import categories, log_likelihood
from rocsteady.averaging.binormal import maximum_likelihood as fit_binormal
from strategies import FLOAT_KINDS, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS152", "ignore:RS230")
quiet = pytest.mark.filterwarnings("ignore:RS23")

GROUPS = st.lists(labelled_scores(kinds=FLOAT_KINDS), min_size=1, max_size=4)


def binormal(groups, **options):
    return rs.average(rs.ScoreSet.from_folds(groups, design="independent"), "binormal", **options)


def area_under(average):
    """Of the polyline."""
    return float(np.sum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1])) / 2)


def drawn(n_groups, n, *, a, b, seed, cuts=None):
    rng = np.random.default_rng(seed)
    labels = np.arange(2 * n) < n
    scores = np.where(
        labels, a / b + rng.normal(size=(n_groups, 2 * n)) / b, rng.normal(size=(n_groups, 2 * n))
    )
    scores = scores if cuts is None else np.digitize(scores, cuts).astype(float)
    return [(labels, row) for row in scores]


def test_vandyke_against_mrmcaov(data_folder):
    # a and b as printed in docs/jss/MRMCaov.tex of MRMCaov (f1c63dc4), section "Parametric Curves", and the areas
    # of reader 1 in "Single-Reader" and "Single-Test". Reader 4 has no finite fit under treatment 2.
    printed = {
        "1": ([1.70, 1.40, 1.74, 1.93, 1.06], [0.537, 0.561, 0.635, 0.202, 0.464], 0.93316085),
        "2": ([1.85, 1.66, 1.62, np.inf, 1.73], [0.503, 0.447, 0.488, 1, 0.422], 0.9508185),
    }
    with open(data_folder / "scores" / "mrmc_vandyke.csv") as file:
        rows = list(csv.DictReader(file))
    for treatment, (a, b, area) in printed.items():
        own = [row for row in rows if row["treatment"] == treatment]
        columns = [[row[name] for row in own] for name in ("truth", "rating", "reader")]
        score_set = rs.ScoreSet.from_arrays(
            np.array(columns[0], dtype=int), np.array(columns[1], dtype=int), columns[2]
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            parameters = rs.average(score_set, "binormal").parameters
        exists = np.isfinite(a)
        np.testing.assert_allclose(parameters.a[exists], np.array(a)[exists], atol=5.1e-3)
        np.testing.assert_allclose(parameters.b[exists], np.array(b)[exists], atol=5.1e-4)
        assert parameters.auc[0] == pytest.approx(area, abs=5e-7)
        assert [how == "fitted" for how in parameters.status] == exists.tolist()
        assert ("RS231" in str([str(w.message) for w in caught])) == (not exists.all())


def test_asah_lies_near_the_empirical_area(data_folder):
    with open(data_folder / "scores" / "proc_asah.csv") as file:
        rows = list(csv.DictReader(file))
    outcome = [row["outcome"] for row in rows]
    for marker in ("s100b", "ndka", "wfns"):
        average = rs.average(
            rs.Scores(outcome, [float(row[marker]) for row in rows], positive="Poor"), "binormal"
        )
        assert average.parameters.status == ("fitted",)
        assert average.auc == pytest.approx(average.parameters.empirical_auc[0], abs=0.03)


@pytest.mark.parametrize("cuts", [None, [-0.5, 0.3, 1.0, 1.8]])
def test_the_fit_is_the_maximum_of_the_likelihood(cuts):
    for labels, scores in drawn(3, 60, a=1.3, b=0.7, seed=4, cuts=cuts):
        curve = rs.roc_curve(labels, scores)
        table = categories(curve.true_positives.astype(float), curve.false_positives.astype(float), 8)
        fit = fit_binormal([table])
        negatives, positives = (counts[None] for counts in table)

        def loss(p, negatives=negatives, positives=positives):
            state = np.concatenate([p[:3], p[2] + np.cumsum(np.exp(p[3:]))])
            value = -log_likelihood(state[None], negatives, positives)[0]
            return value if np.isfinite(value) else 1e10

        start = np.concatenate([[1.0, 0.0, -1.5], np.full(table[0].size - 2, np.log(0.4))])
        best = minimize(loss, start, method="BFGS", options={"gtol": 1e-7})
        best = minimize(
            loss, best.x, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxfev": 20000}
        )
        assert fit.a[0] == pytest.approx(best.x[0], abs=1e-5)
        assert fit.b[0] == pytest.approx(np.exp(best.x[1]), abs=1e-5)


def test_the_likelihood_is_that_of_the_model():
    a, b, z = 1.2, 0.8, np.array([-1.0, 0.2])
    negatives, positives = np.array([[3.0, 5.0, 7.0]]), np.array([[6.0, 2.0, 1.0]])
    fpr, tpr = ndtr(z), ndtr(a + b * z)
    cells = [np.diff(np.concatenate([[0], rate, [1]])) for rate in (fpr, tpr)]
    expected = negatives @ np.log(cells[0]) + positives @ np.log(cells[1])
    state = np.concatenate([[a, np.log(b)], z])[None]
    assert log_likelihood(state, negatives, positives)[0] == pytest.approx(expected[0], rel=1e-14)


@pytest.mark.parametrize(("a", "b"), [(1.5, 1.0), (1.2, 0.7), (0.8, 1.4)])
@pytest.mark.parametrize("cuts", [None, [-1.0, -0.2, 0.6, 1.4]])
@quiet
def test_parameters_are_recovered_and_scatter_as_their_errors_say(a, b, cuts):
    average = binormal(drawn(300, 200, a=a, b=b, seed=7, cuts=cuts))
    parameters = average.parameters
    fitted = np.array(parameters.status) == "fitted"
    assert fitted.mean() > 0.99
    for name, true in (("a", a), ("b", b)):
        values, errors = (
            getattr(parameters, name)[fitted],
            getattr(parameters, f"{name}_standard_error")[fitted],
        )
        # Bias of maximum likelihood is of the order of its squared error; then Monte-Carlo noise.
        assert values.mean() == pytest.approx(true, abs=4 * values.std() / np.sqrt(300) + 0.02)
        assert np.median(errors) == pytest.approx(values.std(), rel=0.2)
    assert average.auc == pytest.approx(ndtr(a / np.sqrt(1 + b**2)), abs=0.01)


def test_the_merged_categories_lose_little():
    for labels, scores in drawn(5, 150, a=1.3, b=0.8, seed=2):
        curve = rs.roc_curve(labels, scores)
        paths = curve.true_positives.astype(float), curve.false_positives.astype(float)
        few, all_runs = fit_binormal([categories(*paths)]), fit_binormal([categories(*paths, 1000)])
        assert all_runs.status == ("fitted",)
        assert few.a[0] == pytest.approx(all_runs.a[0], abs=0.5 * np.sqrt(all_runs.covariance[0, 0, 0]))
        assert few.b[0] == pytest.approx(
            all_runs.b[0], abs=0.5 * all_runs.b[0] * np.sqrt(all_runs.covariance[0, 1, 1])
        )


@given(labelled_scores(kinds=FLOAT_KINDS))
def test_merging_runs_of_one_class_keeps_all_counts(group):
    curve = rs.roc_curve(*group)
    for most in (3, 20):
        negatives, positives = categories(
            curve.true_positives.astype(float), curve.false_positives.astype(float), most
        )
        assert (negatives.sum(), positives.sum()) == (curve.n_negatives, curve.n_positives)
        assert (negatives + positives > 0).all()
        assert negatives.size <= max(most, 1)


@quiet
@given(GROUPS)
def test_every_group_gets_finite_parameters_and_a_curve(groups):
    average = binormal(groups)
    assert np.isfinite([average.a, average.b]).all()
    assert average.b > 0
    assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(average.fpr) >= 0).all()
    assert (np.diff(average.tpr) >= 0).all()
    assert average.auc == pytest.approx(area_under(average), abs=2e-4)
    assert average.auc == pytest.approx(ndtr(average.a / np.sqrt(1 + average.b**2)), abs=1e-15)


@quiet
@given(GROUPS, st.randoms(use_true_random=False))
def test_order_and_increasing_transforms_of_a_group_change_nothing(groups, random):
    moved = [
        (labels, np.unique(scores, return_inverse=True)[1] ** 3 - 5.0 * i)
        for i, (labels, scores) in enumerate(groups)
    ]
    random.shuffle(moved)
    one, other = binormal(groups), binormal(moved)
    assert (one.a, one.b) == pytest.approx((other.a, other.b), rel=1e-9, abs=1e-9)


@quiet
@settings(max_examples=20)
@given(weighted_scores(), st.sampled_from([2.0**-40, 2.0**40]))
def test_only_ratios_of_row_weights_matter(group, factor):
    labels, scores, weights = group
    scores = np.asarray(scores, dtype=float)
    one, other = (
        rs.average(
            rs.ScoreSet.from_folds([(labels, scores)], sample_weight=[w], design="independent"), "binormal"
        )
        for w in (weights, weights * factor)
    )
    assert (one.a, one.b) == pytest.approx((other.a, other.b), rel=1e-9)
    assert np.isnan(one.parameters.a_standard_error).all()


@given(st.floats(0, 1), st.floats(0, 1))
def test_readings_follow_the_formula(fpr, tpr):
    average = AVERAGE
    assert average.tpr_at(fpr) == pytest.approx(ndtr(average.a + average.b * ndtri(fpr)), abs=1e-15)
    assert average.fpr_at(tpr) == pytest.approx(ndtr((ndtri(tpr) - average.a) / average.b), abs=1e-15)
    assert average.tpr_at(average.fpr_at(tpr)) == pytest.approx(tpr, abs=1e-12)
    polyline = np.interp(fpr, average.fpr, average.tpr)
    assert average.tpr_at(fpr) == pytest.approx(polyline, abs=1e-4)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.01, 0.99))
def test_the_minimal_cost_is_found(false_positive, false_negative, prevalence):
    average = AVERAGE
    cost = prevalence * false_negative * (1 - average.tpr) + (1 - prevalence) * false_positive * average.fpr
    found = average.minimum_cost(
        false_positive=false_positive, false_negative=false_negative, prevalence=prevalence
    )
    assert found <= cost.min() + 1e-15
    assert found == pytest.approx(cost.min(), rel=1e-3)


def test_equal_error_rate_and_crossing():
    average = AVERAGE
    assert average.tpr_at(average.equal_error_rate) == pytest.approx(1 - average.equal_error_rate, abs=1e-12)
    low, high = average.below_chance
    crossing = low if average.b < 1 else high
    assert average.tpr_at(crossing) == pytest.approx(crossing, abs=1e-9)


@quiet
def test_means_spread_and_weights():
    groups = drawn(6, 80, a=1.2, b=0.9, seed=9)
    average = binormal(groups)
    own = average.parameters
    assert (average.a, average.b) == pytest.approx((own.a.mean(), own.b.mean()), rel=1e-14)
    assert (average.a_sd, average.b_sd) == pytest.approx((own.a.std(ddof=1), own.b.std(ddof=1)), rel=1e-12)
    assert average.a_standard_error == pytest.approx(own.a.std(ddof=1) / np.sqrt(6), rel=1e-12)
    weights = np.array([1, 2, 3, 4, 0, 5])
    weighted = binormal(groups, group_weights=weights)
    assert weighted.a == pytest.approx(np.average(own.a, weights=weights), rel=1e-12)
    alone = binormal(groups[:1])
    assert np.isnan([alone.a_sd, alone.b_sd, alone.a_standard_error, alone.b_standard_error]).all()
    assert np.isnan(alone.at(fpr=0.1).tpr_interval.low)


def codes_of(groups):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        average = binormal(groups)
    codes = [w.message.code for w in caught]
    return average, [code for code in codes if code.startswith("RS23")]


LABELS = [1] * 5 + [0] * 5


def test_warned_as_not_area_preserving_at_every_call():
    groups = drawn(3, 60, a=1.3, b=1.0, seed=1)
    for _ in range(2):
        average, codes = codes_of(groups)
        assert codes == ["RS230"]
    assert "The area is not the mean" in average.reading


@pytest.mark.parametrize(
    "scores",
    [
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],  # perfect
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],  # worst
        [3, 3, 3, 2, 2, 1, 1, 1, 1, 1],  # perfect, ordinal
        [3, 3, 3, 2, 2, 2, 1, 1, 1, 1],  # never both wrong: points on two edges of the square
        [2, 2, 2, 2, 2, 3, 3, 1, 1, 1],  # all positives in one category
    ],
)
def test_fits_that_do_not_exist_are_helped_and_said(scores):
    average, codes = codes_of([(LABELS, scores)])
    assert "RS231" in codes
    assert average.parameters.status[0].startswith("degenerate, one case added")
    assert np.isfinite([average.a, average.b]).all()
    assert average.auc == pytest.approx(rs.auc(LABELS, scores), abs=0.12)


def test_one_cut_off_means_equal_variances():
    scores = [2, 2, 2, 2, 1, 2, 1, 1, 1, 1]
    average, codes = codes_of([(LABELS, scores)])
    assert codes == ["RS230", "RS232"]
    assert average.b == 1
    assert average.a == pytest.approx(ndtri(0.8) - ndtri(0.2), rel=1e-8)
    assert average.parameters.a_standard_error[0] > 0
    assert np.isnan(average.parameters.b_standard_error[0])


def test_constant_scores_are_chance():
    average, codes = codes_of([(LABELS, [1] * 10)])
    assert codes == ["RS230"]
    assert (average.a, average.b, average.auc) == (0, 1, 0.5)
    assert average.parameters.status == ("one score, chance",)


def test_hooks_are_said():
    average, codes = codes_of(drawn(4, 400, a=0.5, b=0.4, seed=3))
    assert codes == ["RS230", "RS233"]
    low, high = average.below_chance
    assert high == 1
    assert low == pytest.approx(ndtr(0.5 / 0.6), abs=0.05)
    assert "below the chance line" in average.reading
    average, _ = codes_of(drawn(4, 400, a=0.5, b=2.0, seed=3))
    assert average.below_chance[0] == 0
    assert average.below_chance[1] == pytest.approx(ndtr(-0.5), abs=0.05)


def test_points_bands_and_data():
    average = AVERAGE
    for point, held in ((average.at(fpr=0.1), "tpr"), (average.at(tpr=0.8), "fpr")):
        interval = getattr(point, f"{held}_interval")
        assert interval.low < getattr(point, held) < interval.high
    # At a fixed FPR it is the t interval of the groups' normal quantiles.
    values = average.parameters.a + average.parameters.b * ndtri(0.1)
    half = 2.2009852 * values.std(ddof=1) / np.sqrt(values.size)
    interval = average.at(fpr=0.1).tpr_interval
    assert (interval.low, interval.high) == pytest.approx(
        (ndtr(values.mean() - half), ndtr(values.mean() + half)), rel=1e-6
    )
    # The band of the fpr at a tpr and of the tpr at that fpr are one band, read along either axis, to first order.
    point = average.at(tpr=0.8)
    other = average.at(fpr=point.fpr)
    slope = (average.tpr_at(point.fpr + 1e-6) - average.tpr_at(point.fpr - 1e-6)) / 2e-6
    width = point.fpr_interval.high - point.fpr_interval.low
    assert (other.tpr_interval.high - other.tpr_interval.low) / slope == pytest.approx(width, rel=0.1)
    ends = average.at(fpr=[0.0, 1.0])
    assert ends.tpr.tolist() == ends.tpr_interval.low.tolist() == ends.tpr_interval.high.tolist() == [0, 1]
    assert "the curve with the mean parameters has a TPR" in average.at(fpr=0.1).reading
    for kind in ("pointwise", "simultaneous"):
        band = average.band(kind=kind, n_resamples=200)
        assert (band.lower.tpr < band.upper.tpr).all()
    fields = average.to_dict()
    assert fields["parameters"]["status"] == ["fitted"] * 12
    assert fields["a"] == average.a
    assert list(average.parameters.to_frame().columns)[:3] == ["group", "a", "b"]
    assert "fitted as they are" in repr(average.parameters)


@quiet
@pytest.mark.parametrize("held", ["fpr", "tpr"])
def test_what_a_group_adds_is_the_slope_towards_its_own_curve(held):
    average = binormal(drawn(5, 80, a=1.2, b=0.6, seed=4), group_weights=[1, 2, 3, 4, 5])
    at, own, step = np.array([0.05, 0.3, 0.8]), average.parameters, 1e-5

    def moved(by):
        a, b = (
            (mean + by * (values - mean))[:, None]
            for mean, values in ((average.a, own.a), (average.b, own.b))
        )
        return ndtr(a + b * ndtri(at)) if held == "fpr" else ndtr((ndtri(at) - a) / b)

    slopes = (moved(step) - moved(-step)) / (2 * step)
    added = average._linearised(at, held)
    np.testing.assert_allclose(added, 5 * average.weights[:, None] * slopes, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(added.mean(axis=0), 0, atol=1e-14)
    assert (average._linearised(np.array([0.0, 1.0]), held) == 0).all()


def test_draws_of_the_simulation_module_are_fitted():
    groups = [simulate.binormal(300, 300, separation=1.5, ratio=1.25, seed=seed) for seed in range(20)]
    average, _ = codes_of(groups)
    # N(0, 1) against N(1.5, 1.25): a = 1.5 / 1.25, b = 1 / 1.25
    assert average.a == pytest.approx(1.2, abs=4 * average.a_standard_error)
    assert average.b == pytest.approx(0.8, abs=4 * average.b_standard_error)


@pytest.mark.parametrize("n_groups", [3, 10])
def test_intervals_cover_the_curve_of_very_many_groups(n_groups):
    # A reduced form of simulations/tuned_averages.py: groups whose a scatter, and the mean of very many.
    rng = np.random.default_rng(n_groups)
    replicates, n = 300, 60
    a = rng.normal(1.2, 0.3, size=replicates * n_groups)
    labels = np.tile(np.arange(2 * n) < n, a.size)
    scores = rng.normal(size=labels.size) + np.repeat(a, 2 * n) * labels
    curves = rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(a.size), 2 * n)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        true = rs.average(curves, "binormal")
        sets = [list(curves[i : i + n_groups]) for i in range(0, a.size, n_groups)]
        points = [rs.average(own, "binormal") for own in sets]
    for held, free, value in (("fpr", "tpr_interval", 0.1), ("tpr", "fpr_interval", 0.8)):
        target = getattr(true, "tpr_at" if held == "fpr" else "fpr_at")(value)
        intervals = [getattr(point.at(**{held: value}), free) for point in points]
        share = np.mean([own.low <= target <= own.high for own in intervals])
        assert 0.95 - 4 * np.sqrt(0.05 * 0.95 / replicates) < share < 0.99


AVERAGE, _ = codes_of(drawn(12, 100, a=1.2, b=0.8, seed=11))
