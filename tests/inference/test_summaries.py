"""summarize_auc: laws, what it says about data it cannot use well, bad input."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.inference.summarize import METHODS, summarize_auc
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.random_effects import random_effects
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS108")  # folds that nobody called folds of one data set

SITES = ShiftedDatasets("C-1", separation=1.2, separation_sd=0.4)
NOTES = ("RS101", "RS151", "RS210", "RS154", "RS285", "RS286", "RS287", "RS288", "RS289")
FEW = settings(max_examples=40)
quiet = pytest.mark.filterwarnings(*(f"ignore:{code}" for code in NOTES))


def drawn(n_groups=8, n_positives=30, n_negatives=40, seed=3, unit="site"):
    return SITES.draw(n_groups, n_positives, n_negatives, seed=seed, unit=unit)


def pairs_of(score_set):
    return [(own.is_positive, own.scores) for own in score_set]


def numbers(summary):
    found = [summary.estimate, summary.standard_error, summary.interval.low, summary.interval.high]
    if summary.prediction_interval is not None:
        found += [summary.prediction_interval.low, summary.prediction_interval.high]
    if summary.tau is not None:
        found += [summary.tau, summary.i_squared, summary.q, summary.heterogeneity_pvalue]
    return np.array(found)


SETS = st.lists(labelled_scores(kinds=("tied floats", "integers"), min_per_class=2), min_size=2, max_size=6)


@quiet
@FEW
@given(method=st.sampled_from(METHODS), pairs=SETS, seed=st.integers(0, 2**32 - 1))
def test_the_order_of_groups_and_rows_does_not_matter(method, pairs, seed):
    rng = np.random.default_rng(seed)
    shuffled = []
    for i in rng.permutation(len(pairs)):
        rows = rng.permutation(pairs[i][0].size)
        shuffled.append((pairs[i][0][rows], pairs[i][1][rows]))
    one = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), method)
    other = summarize_auc(rs.ScoreSet.from_folds(shuffled, design="independent"), method)
    np.testing.assert_allclose(numbers(one), numbers(other), rtol=1e-8, atol=1e-8)


@quiet
@FEW
@given(method=st.sampled_from(METHODS), pairs=SETS)
def test_turned_scores_turn_the_summary_round(method, pairs):
    one = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), method)
    other = summarize_auc(
        rs.ScoreSet.from_folds([(labels, -scores) for labels, scores in pairs], design="independent"), method
    )
    assert other.estimate == pytest.approx(1 - one.estimate, abs=1e-9)
    assert other.standard_error == pytest.approx(one.standard_error, rel=1e-6, abs=1e-9)
    limits = (1 - one.interval.high, 1 - one.interval.low)
    assert (other.interval.low, other.interval.high) == pytest.approx(limits, abs=1e-8)


@quiet
@FEW
@given(pairs=SETS, level=st.floats(0.5, 0.999))
def test_t_is_the_interval_of_the_vertical_average(pairs, level):
    folds = rs.ScoreSet.from_folds(pairs, design="independent")
    summary = summarize_auc(folds, confidence_level=level)
    average = rs.average(folds, "vertical")
    interval = average.auc_interval(level)
    assert summary.estimate == pytest.approx(average.auc, abs=1e-12)
    found, expected = (summary.interval.low, summary.interval.high), (interval.low, interval.high)
    assert found == pytest.approx(expected, abs=1e-9)


@quiet
@FEW
@given(method=st.sampled_from(METHODS), pairs=SETS)
def test_curves_and_scores_give_the_same(method, pairs):
    folds = rs.ScoreSet.from_folds(pairs, design="independent")
    expected = numbers(summarize_auc(folds, method))
    curves = rs.roc_curves(folds)
    for given_as in (curves, list(curves), list(folds)):
        np.testing.assert_array_equal(numbers(summarize_auc(given_as, method)), expected)


# Random effects


def likelihood(tau_squared, values, variances):
    """The restricted log-likelihood by the determinant and the quadratic form it is defined by."""
    covariance = np.diag(variances + tau_squared)
    ones = np.ones((values.size, 1))
    inverse = np.linalg.inv(covariance)
    information = (ones.T @ inverse @ ones).item()
    residual = values - (ones.T @ inverse @ values).item() / information
    return -0.5 * (np.linalg.slogdet(covariance)[1] + np.log(information) + residual @ inverse @ residual)


EFFECTS = st.integers(2, 9).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(-4, 4), min_size=n, max_size=n).map(np.array),
        st.lists(st.floats(0.01, 4), min_size=n, max_size=n).map(np.array),
    )
)


@FEW
@given(effects=EFFECTS)
def test_no_other_tau_is_more_likely(effects):
    values, variances = effects
    found = random_effects(values, variances, "reml").tau ** 2
    best = likelihood(found, values, variances)
    nearby = found * np.array([0.5, 0.9, 0.999, 1.001, 1.1, 2])
    others = np.concatenate([[0.0], nearby, np.geomspace(1e-6, 50, 100)])
    assert best >= max(likelihood(t, values, variances) for t in others) - 1e-9


@FEW
@given(effects=EFFECTS)
def test_i_squared_by_moments_is_the_excess_of_q(effects):
    values, variances = effects
    found = random_effects(values, variances, "dersimonian-laird")
    excess = max(0.0, (found.q - found.df) / found.q) if found.q else 0.0
    assert found.i_squared == pytest.approx(excess, abs=1e-9)


@FEW
@given(effects=EFFECTS, shift=st.floats(-50, 50), factor=st.floats(0.1, 10))
def test_random_effects_move_and_scale_with_their_values(effects, shift, factor):
    values, variances = effects
    for heterogeneity in ("reml", "dersimonian-laird"):
        one = random_effects(values, variances, heterogeneity)
        other = random_effects(shift + factor * values, factor**2 * variances, heterogeneity)
        assert other.center == pytest.approx(shift + factor * one.center, abs=1e-6)
        assert other.standard_error == pytest.approx(factor * one.standard_error, rel=1e-4, abs=1e-7)
        assert other.tau == pytest.approx(factor * one.tau, rel=1e-4, abs=1e-5)


def test_a_group_that_outweighs_all_others_by_far():
    """Variances of 1e-30 and 1e30: what the first leaves to the second is not lost in rounding."""
    fitted = random_effects(np.array([1.0, -1.0]), np.array([1e-30, 1e30]), "dersimonian-laird")
    assert (fitted.center, fitted.tau, fitted.i_squared) == (1, 0, 0)
    assert fitted.q == pytest.approx(4e-30)


def test_equal_variances_make_random_effects_a_t_interval_of_logits():
    """With equal variances all weights are equal, whatever tau is."""
    values = np.array([1.0, 2.5, 0.3, 1.9])
    for heterogeneity in ("reml", "dersimonian-laird"):
        fitted = random_effects(values, np.full(4, 0.2), heterogeneity)
        assert fitted.center == pytest.approx(values.mean())
        assert fitted.standard_error == pytest.approx(values.std(ddof=1) / 2)
        assert fitted.tau == pytest.approx(np.sqrt(values.var(ddof=1) - 0.2))


def test_the_public_numbers_are_those_of_the_logit_scale_brought_back():
    sites = drawn()
    summary = summarize_auc(sites, "random-effects", interval="hartung-knapp")
    curves = rs.roc_curves(sites)
    errors = curves.auc_standard_error()
    fitted = random_effects(logit(curves.auc), (errors / (curves.auc * (1 - curves.auc))) ** 2, "reml")
    assert summary.logit.estimate == pytest.approx(fitted.center)
    assert logit(summary.estimate) == pytest.approx(summary.logit.estimate)
    slope = summary.estimate * (1 - summary.estimate)
    assert summary.standard_error == pytest.approx(slope * fitted.standard_error)
    assert summary.interval.low == pytest.approx(expit(fitted.limits(0.95)[0]))
    assert summary.prediction_interval.high == pytest.approx(expit(fitted.prediction_limits(0.95)[1]))
    np.testing.assert_allclose(summary.per_group.weight, fitted.weights)
    np.testing.assert_allclose(summary.per_group.standard_error, errors)
    half = fitted.limits(0.95)[1] - fitted.center
    assert half == pytest.approx(2.364624 * fitted.standard_error, rel=1e-6)  # t with 7 degrees of freedom


@quiet
@FEW
@given(method=st.sampled_from(METHODS), pairs=SETS, level=st.floats(0.5, 0.999))
def test_every_group_has_the_interval_of_its_own_curve(method, pairs, level):
    folds = rs.ScoreSet.from_folds(pairs, design="independent")
    own = summarize_auc(folds, method, confidence_level=level).per_group
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limits = [curve.auc_interval(level) for curve in rs.roc_curves(folds)]
    np.testing.assert_allclose(own.interval.low, [found.low for found in limits], rtol=1e-9)
    np.testing.assert_allclose(own.interval.high, [found.high for found in limits], rtol=1e-9)
    assert own.interval.confidence_level == level


@quiet
def test_a_group_whose_interval_is_not_known_has_none():
    """With weights; and a single positive, whose error is NaN, leaves hardly anything out."""
    pairs = [([1, 0, 0, 0], [3, 1, 4, 2]), ([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [4, 1, 3, 2])]
    frame = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), "random-effects").to_frame()
    assert list(frame.columns) == ["fold", "auc", "standard_error", "low", "high", "weight"]
    assert not np.isnan(frame[["low", "high"]]).any(axis=None)
    assert frame["low"][0] < 0.02 < 0.98 < frame["high"][0]
    weighted = rs.ScoreSet.from_arrays(
        [1, 0] * 6, range(12), np.repeat([0, 1, 2], 4), sample_weight=[1.0, 2.0] * 6
    )
    assert np.isnan(summarize_auc(weighted).per_group.interval.high).all()


# Influence curves


def influence_by_pairs(pairs):
    """LeDell et al., case by case: mean of squared influence curves over the number of cases, fold by fold."""
    total = 0.0
    for labels, scores in pairs:
        beats = (scores[labels][:, None] > scores[~labels]) + 0.5 * (
            scores[labels][:, None] == scores[~labels]
        )
        auc, n = beats.mean(), labels.size
        of_positives = (beats.mean(axis=1) - auc) / (labels.sum() / n)
        of_negatives = (beats.mean(axis=0) - auc) / ((~labels).sum() / n)
        total += (np.concatenate([of_positives, of_negatives]) ** 2).mean() / n
    return np.sqrt(total) / len(pairs)


@quiet
@FEW
@given(pairs=SETS)
def test_influence_is_that_of_all_pairs(pairs):
    summary = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), "cv-influence")
    assert summary.standard_error == pytest.approx(influence_by_pairs(pairs), abs=1e-12)


def stacked(repeated, cases):
    """A set from lists of (labels, scores) and of the cases in them."""
    labels = np.concatenate([own for own, _ in repeated])
    scores = np.concatenate([own for _, own in repeated])
    folds = np.repeat(np.arange(len(repeated)), [own.size for own, _ in repeated])
    return rs.ScoreSet.from_arrays(labels, scores, folds, cases=np.concatenate(cases), unit="fold")


@pytest.mark.filterwarnings("ignore:RS104")
def test_named_cases_that_come_once_change_nothing():
    pairs = pairs_of(drawn(unit="fold"))
    cases = np.split(np.arange(560), 8)
    named = summarize_auc(stacked(pairs, cases), "cv-influence")
    plain = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), "cv-influence")
    assert named.standard_error == plain.standard_error
    one_more_row = summarize_auc(
        stacked(pairs, [*cases[:-1], [*cases[-1][:-1], cases[-1][-2]]]), "cv-influence"
    )
    assert one_more_row.standard_error == pytest.approx(plain.standard_error, rel=0.02)
    assert one_more_row.standard_error != plain.standard_error


def test_a_cross_validation_written_down_twice_is_not_surer():
    pairs = pairs_of(drawn(unit="fold"))
    cases = np.split(np.arange(560), 8)
    once = summarize_auc(stacked(pairs, cases), "cv-influence")
    twice = summarize_auc(stacked(pairs * 2, cases * 2), "cv-influence", repeats=2)
    assert twice.standard_error == pytest.approx(once.standard_error)
    assert twice.repeats == 2
    unnamed = summarize_auc(rs.ScoreSet.from_folds(pairs * 2, design="independent"), "cv-influence")
    assert unnamed.standard_error == pytest.approx(once.standard_error / np.sqrt(2))


@pytest.mark.filterwarnings("ignore:RS104")
def test_rows_of_one_patient_are_added_up():
    """Every case doubled, with its name: as many cases as before, so as sure as before."""
    pairs = pairs_of(drawn(unit="fold"))
    cases = np.split(np.arange(560), 8)
    doubled = [(np.tile(labels, 2), np.tile(scores, 2)) for labels, scores in pairs]
    once = summarize_auc(stacked(pairs, cases), "cv-influence")
    patients = summarize_auc(stacked(doubled, [np.tile(own, 2) for own in cases]), "cv-influence")
    assert patients.standard_error == pytest.approx(once.standard_error)


# Nadeau and Bengio


def test_folds_of_one_cross_validation_take_their_ratio_from_their_number():
    folds = drawn(10, unit="fold")
    plain, corrected = summarize_auc(folds), summarize_auc(folds, "nadeau-bengio", scale="linear")
    assert corrected.test_train_ratio == pytest.approx(1 / 9)
    assert corrected.standard_error == pytest.approx(plain.standard_error * np.sqrt(1 + 10 / 9))
    assert (corrected.df, corrected.repeats, corrected.estimate) == (9, 1, plain.estimate)
    half = corrected.interval.high - corrected.estimate
    assert half == pytest.approx(2.262157 * corrected.standard_error)  # t with 9 degrees of freedom


def test_repeats_are_named_or_told_by_the_cases():
    """Bouckaert & Frank: 1 / (k r) + n2 / n1 with n2 / n1 = 1 / (k - 1) and k r - 1 degrees of freedom."""
    rng = np.random.default_rng(5)
    labels, scores = np.arange(120) < 60, rng.normal(size=120)
    repeated, cases = [], []
    for _ in range(3):
        for rows in np.split(rng.permutation(120), 4):
            repeated.append((labels[rows], scores[rows] + labels[rows] + 0.1 * rng.normal(size=30)))
            cases.append(rows)
    unnamed = rs.ScoreSet.from_folds(repeated, design="independent")
    named = summarize_auc(unnamed, "nadeau-bengio", repeats=3)
    told = summarize_auc(stacked(repeated, cases), "nadeau-bengio")
    aucs = np.array([rs.auc(*own) for own in repeated])
    assert named.standard_error == pytest.approx(aucs.std(ddof=1) * np.sqrt(1 / 12 + 1 / 3))
    assert (named.df, named.test_train_ratio) == (11, pytest.approx(1 / 3))
    assert (told.standard_error, told.repeats) == (pytest.approx(named.standard_error), 3)
    plain = summarize_auc(stacked(repeated, cases))  # the cases tell the design, and nothing is warned of
    assert (plain.standard_error, plain.design.repeats) == (pytest.approx(named.standard_error), 3)
    split = summarize_auc(unnamed, "nadeau-bengio", test_train_ratio=0.25)
    assert split.standard_error == pytest.approx(aucs.std(ddof=1) * np.sqrt(1 / 12 + 0.25))
    with pytest.raises(UsageError, match=r"RS067.*the cases are in 3 folds each, not in 2"):
        summarize_auc(stacked(repeated, cases), "nadeau-bengio", repeats=2)


# What is said


@pytest.mark.parametrize("method", METHODS)
def test_every_summary_says_what_is_random(method):
    summary = summarize_auc(drawn(), method)
    assert summary.random in summary.reading
    assert f"{summary.estimate:.3f} (95 % CI" in summary.reading
    assert "\n" not in repr(summary)
    assert len(summary.to_frame()) == 8
    assert summary.to_dict()["per_group"]["weight"] == pytest.approx(summary.per_group.weight.tolist())
    assert summary.per_group.weight.sum() == pytest.approx(1)
    with pytest.raises(TypeError, match="by name"):
        _ = [*summary]


def test_readers_of_the_same_cases_are_random_and_the_cases_are_not():
    rng = np.random.default_rng(2)
    labels = np.arange(80) < 40
    read = [(labels, labels + rng.normal(size=80)) for _ in range(5)]
    summary = summarize_auc(stacked(read, [np.arange(80)] * 5))
    assert summary.random.endswith("the cases are fixed.")
    with pytest.warns(UserWarning, match="RS286"):
        summarize_auc(stacked(read, [np.arange(80)] * 5), "random-effects")
    with pytest.raises(UsageError, match=r"RS067.*cannot be 5 repeats"):
        summarize_auc(stacked(read, [np.arange(80)] * 5), "nadeau-bengio")


def test_a_median_is_not_a_mean():
    summary = summarize_auc(drawn(), "random-effects")
    assert "The median AUC of sites like these 8" in summary.reading
    assert summary.estimate != pytest.approx(summarize_auc(drawn()).estimate, abs=1e-4)


def test_limits_outside_the_possible_are_numbers_but_not_words():
    folds = rs.ScoreSet.from_folds(
        [([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 1, 2, 3])], design="independent"
    )
    summary = summarize_auc(folds, scale="linear")
    assert (summary.interval.low, summary.interval.high) == pytest.approx(
        (0.75 - 3.1766, 0.75 + 3.1766), abs=1e-3
    )
    assert "0.750 (95 % CI 0.000 to 1.000)" in summary.reading


# Degenerate and bad input


def test_perfect_groups_keep_a_place_on_the_logit_scale():
    perfect = (np.repeat([True, False], [20, 10]), np.arange(30, 0, -1.0))
    pairs = [*pairs_of(drawn()), perfect]
    with pytest.warns(UserWarning, match=r"RS285: 1 of 9 folds has no standard error") as caught:
        summary = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), "random-effects")
    assert "half a pair is taken off" in str(caught[0].message)
    corrected = 1 - 0.5 / 201
    q1, q2 = corrected / (2 - corrected), 2 * corrected**2 / (1 + corrected)
    variance = corrected * (1 - corrected) + 19 * (q1 - corrected**2) + 9 * (q2 - corrected**2)
    hanley_mcneil = np.sqrt(variance / 200)
    assert summary.per_group.standard_error[-1] == pytest.approx(hanley_mcneil)
    assert summary.per_group.auc[-1] == 1  # the table shows what was seen
    without = summarize_auc(rs.ScoreSet.from_folds(pairs[:-1], design="independent"), "random-effects")
    assert summary.estimate > without.estimate


def test_perfectly_wrong_groups_are_as_sure_as_perfect_ones():
    labels = np.repeat([True, False], [20, 10])
    pairs = [*pairs_of(drawn()), (labels, np.arange(30, 0, -1.0))]
    with pytest.warns(UserWarning, match="RS285"):
        summary = summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), "random-effects")
    turned_pairs = [(own, -scores) for own, scores in pairs]
    with pytest.warns(UserWarning, match="RS285"):
        turned = summarize_auc(rs.ScoreSet.from_folds(turned_pairs, design="independent"), "random-effects")
    assert turned.per_group.standard_error[-1] == summary.per_group.standard_error[-1]
    assert turned.estimate == pytest.approx(1 - summary.estimate, abs=1e-12)


@pytest.mark.filterwarnings("ignore:RS289")
def test_groups_without_a_variance_get_one():
    lone = ([1, 0, 0, 0], [2.0, 1.0, 3.0, 0.0])
    tied = ([1, 1, 0, 0], [0.0, 0.0, 0.0, 0.0])
    for odd in (lone, tied):
        with pytest.warns(UserWarning, match="RS285"):
            summary = summarize_auc(
                rs.ScoreSet.from_folds([*pairs_of(drawn()), odd], design="independent"), "random-effects"
            )
        assert np.isfinite(numbers(summary)).all()


@pytest.mark.parametrize("method", METHODS)
def test_nothing_but_perfect_groups(method):
    perfect = [([1] * 12 + [0] * 15, np.arange(27, 0, -1.0))] * 3
    with pytest.warns(RocsteadyWarning) as caught:
        summary = summarize_auc(rs.ScoreSet.from_folds(perfect, design="independent"), method)
    codes = {"random-effects": ["RS285", "RS286", "RS289"], "cv-influence": ["RS151"]}.get(method, ["RS287"])
    assert [note.message.code for note in caught] == codes
    if method == "cv-influence":
        assert summary.interval.method == "separated"
        assert (summary.interval.low, summary.interval.high) == pytest.approx((0.05 ** (1 / 36), 1))


def test_equal_aucs_are_not_certainty():
    same = [([1, 1, 0, 0], [4, 2, 3, 1])] * 4
    for method in ("t", "nadeau-bengio"):
        with pytest.warns(UserWarning, match=r"RS287.*spread says nothing"):
            summary = summarize_auc(rs.ScoreSet.from_folds(same, design="independent"), method)
        assert 0 < summary.interval.low < 0.75 < summary.interval.high < 1  # of eight cases
        with pytest.warns(UserWarning, match="RS287"):
            plain = summarize_auc(rs.ScoreSet.from_folds(same, design="independent"), method, scale="linear")
        assert plain.interval.low == plain.interval.high == 0.75


def test_groups_that_differ_much_near_one_are_noted():
    """Their AUCs scatter to one side; the same logits around 1/2 do not."""
    for separation, is_noted in ((2.3, True), (0.0, False)):
        population = ShiftedDatasets("C-1", separation=separation, separation_sd=0.6)
        sites = population.draw(8, 200, 200, seed=3)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            summarize_auc(sites)
        assert [note.message.code for note in caught] == ["RS289"] * is_noted


def near_one(n_cases, n_folds=10):
    """Folds of a good model, few cases in each: some are perfect, one is not."""
    rng = np.random.default_rng(2)
    labels = np.tile(np.arange(n_cases) % 2, n_folds)
    scores = rng.normal(size=labels.size) + 4 * labels
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_folds), n_cases), unit="fold")


@pytest.mark.parametrize("method", ["t", "nadeau-bengio", "random-effects"])
def test_advice_does_not_go_in_a_circle(method):
    """What a message says to take instead must not say to take the first one."""
    with pytest.warns(UserWarning, match="RS28") as caught:
        summarize_auc(near_one(40), method)
    told = "".join(str(note.message) for note in caught)
    assert "no method keeps its level here; more cases in each fold would help" in told
    for other in ("t", "random-effects"):
        assert f"method='{other}'" not in told


def test_advice_that_holds_is_given():
    """Large groups that differ much near 1: random effects keep their level, and say nothing that sends back."""
    apart = ShiftedDatasets("C-1", separation=2.5, separation_sd=0.7).draw(10, 200, 200, seed=3)
    with pytest.warns(UserWarning, match=r"RS289(.|\n)*method='random-effects'"):
        summarize_auc(apart)
    assert summarize_auc(apart, "random-effects").i_squared > 0.5  # and no warning


def test_a_limit_that_no_auc_has_is_pointed_out():
    with pytest.warns(UserWarning, match="RS289"):
        found = summarize_auc(near_one(40), scale="linear")
    assert found.interval.high > 1
    assert f"The formula's limit is {found.interval.high:.4f}" in found.reading
    assert "formula's limit" not in summarize_auc(drawn()).reading


@pytest.mark.parametrize("method", ["t", "nadeau-bengio"])
def test_folds_more_alike_than_chance_are_noted(method):
    """Other cases would scatter more; here every fold has nearly the same scores."""
    labels, scores = pairs_of(drawn(1))[0]
    noise = np.random.default_rng(0).normal(size=(6, scores.size))
    alike = [(labels, scores + 0.05 * own) for own in noise]
    with pytest.warns(UserWarning, match=r"RS286.*differ less than by chance"):
        summarize_auc(rs.ScoreSet.from_folds(alike, design="independent"), method)
    summarize_auc(drawn(), method)  # and no warning


def test_chance_alone_is_seldom_called_less_than_chance():
    """Six alike groups, 200 times: 1 % are among the lowest 1 %, give or take."""
    alike = ShiftedDatasets("C-1", separation=1.2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for seed in range(200):
            summarize_auc(alike.draw(6, 20, 20, seed=seed))
    assert sum(note.message.code == "RS286" for note in caught) <= 8  # 2 expected; 9 or more: 3 in 10,000


def test_flat_influence_is_not_certainty():
    """One fold is perfect, the other perfectly wrong: no case moves either AUC."""
    turned = [([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [1, 2, 3, 4])]
    with pytest.warns(UserWarning, match=r"RS154.*no width, although the AUC is 0\.5"):
        summary = summarize_auc(rs.ScoreSet.from_folds(turned, design="independent"), "cv-influence")
    assert (summary.estimate, summary.standard_error) == (0.5, 0)


def test_small_groups_are_noted():
    many = ShiftedDatasets("C-1", separation=1.8).draw(40, 8, 8, seed=1)
    with pytest.warns(RocsteadyWarning) as caught:
        summarize_auc(many, "random-effects")
    assert "RS289" in {note.message.code for note in caught}
    with pytest.warns(UserWarning, match="RS289.*too small"):
        summarize_auc(many, "cv-influence")


def test_a_prediction_needs_a_spread():
    """Where groups are not seen to differ, a tau of 0 is no knowledge of it."""
    alike = ShiftedDatasets("C-1", separation=1.2).draw(10, 50, 50, seed=4)
    with pytest.warns(UserWarning, match=r"RS288.*hardly seen to differ"):
        found = summarize_auc(alike, "random-effects", interval="hartung-knapp")
    assert found.i_squared < 0.5
    wide, narrow = summarize_auc(alike, "random-effects").prediction_interval, found.prediction_interval
    assert wide.low < narrow.low < narrow.high < wide.high  # and no warning
    apart = ShiftedDatasets("C-1", separation=1.2, separation_sd=0.8).draw(10, 50, 50, seed=4)
    assert summarize_auc(apart, "random-effects", interval="hartung-knapp").i_squared > 0.5


def test_one_group():
    one = rs.ScoreSet.from_folds(pairs_of(drawn())[:1], design="independent")
    for method in ("t", "random-effects", "nadeau-bengio"):
        with pytest.raises(DataError, match=r"RS066.*at least two"):
            summarize_auc(one, method)
    curve = rs.roc_curves(one)[0]
    alone = summarize_auc(one, "cv-influence")
    assert alone.estimate == curve.auc
    assert alone.standard_error == pytest.approx(curve.auc_standard_error(), rel=0.03)


def test_two_groups_foretell_nothing():
    two = rs.ScoreSet.from_folds(pairs_of(drawn())[:2], design="independent")
    summary = summarize_auc(two, "random-effects")
    assert np.isnan(summary.prediction_interval.low)
    assert "cannot be predicted from two folds" in summary.reading
    assert summary.to_dict()["prediction_interval"]["low"] is None


def test_groups_of_one_class_are_left_out_only_when_told():
    pairs = [*pairs_of(drawn(4, unit="fold")), (np.ones(5, dtype=bool), np.arange(5.0))]
    folds = rs.ScoreSet.from_folds(pairs, design="independent")
    with pytest.raises(DataError, match="RS036"):
        summarize_auc(folds)
    left = summarize_auc(folds, "nadeau-bengio", undefined="drop")
    assert left.undefined == ("fold 5: no negatives",)
    assert (left.n_groups, left.test_train_ratio) == (4, pytest.approx(1 / 4))  # it was one of five folds


@pytest.mark.filterwarnings("ignore:RS289")
def test_weights_are_taken_where_nothing_counts_cases():
    labels, scores = np.tile([1, 0, 1, 0], 3), np.array([1.0, 3, 2, 4, 8, 7, 6, 5, 9, 12, 11, 10])
    weighted = rs.ScoreSet.from_arrays(labels, scores, np.repeat([0, 1, 2], 4), sample_weight=1 + scores)
    found = summarize_auc(weighted)
    assert np.isnan(found.per_group.standard_error).all()
    np.testing.assert_array_equal(found.per_group.auc, rs.roc_curves(weighted).auc)
    for method in ("random-effects", "cv-influence"):
        with pytest.raises(UsageError, match="RS038"):
            summarize_auc(weighted, method)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "cvAUC"}, "RS001.*\n.*\n.*method='cv-influence'"),
        ({"method": "random-effects", "heterogeneity": "dl"}, "RS001.*\n.*\n.*dersimonian-laird"),
        (
            {"method": "DerSimonian-Laird"},
            "RS001(.|\n)*method='random-effects', heterogeneity='dersimonian-laird'",
        ),
        ({"confidence_level": 95}, "RS042.*\n.*\n.*confidence_level=0.95"),
        ({"repeats": 2}, "RS002: repeats does not go with"),
        ({"method": "cv-influence", "test_train_ratio": 0.1}, "RS002: test_train_ratio does not go with"),
        ({"method": "nadeau-bengio", "repeats": 3}, "RS067.*8 sites cannot be 3 repeats"),
        ({"method": "nadeau-bengio", "repeats": 8}, "RS067"),
        ({"method": "nadeau-bengio", "repeats": 0}, "RS042"),
        ({"method": "nadeau-bengio", "test_train_ratio": -1}, "RS042"),
        ({"method": "cv-influence", "repeats": 2}, "RS067.*must be known"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises((UsageError, DataError), match=message):
        summarize_auc(drawn(), **options)


def test_things_that_are_no_groups():
    with pytest.raises(UsageError, match=r"RS002.*summarize_auc is about groups"):
        summarize_auc(3)
    with pytest.raises(DataError, match=r"RS082.*no groups for summarize_auc"):
        summarize_auc([])
    two = rs.ScoreSet.from_arrays([1, 0, 1, 0], {"a": [1, 0, 3, 2], "b": [3, 1, 0, 2]}, [1, 1, 2, 2])
    with pytest.raises(UsageError, match=r"RS044.*summarize_auc is about one"):
        summarize_auc(two)


def folds_of(times, **options):
    rng = np.random.default_rng(7)
    labels = np.arange(100) < 40
    scores = [labels + rng.normal(size=100) for _ in range(times)]
    pairs = [(labels[k::5], own[k::5]) for own in scores for k in range(5)]
    return rs.ScoreSet.from_folds(pairs, **options)


@pytest.mark.parametrize(
    "folds", [folds_of(1), folds_of(4, repeats=4), folds_of(2, design=rs.Design.hold_out(0.25))]
)
def test_random_effects_of_folds_that_share_training_cases_are_said(folds):
    """Their interval covered 0.37 to 0.70 of 0.95, and only the end of the reading said why."""
    with pytest.warns(RocsteadyWarning, match="RS286.*share training cases") as told:
        summarize_auc(folds, "random-effects")
    assert [own.message.code for own in told].count("RS286") == 1
    assert "method='t'" in str(told[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert summarize_auc(folds).test_train_ratio == 0.25  # what was told to type


def test_groups_without_any_noise_leak_no_warning_of_numpy() -> None:
    """A division by their mean variance, 0, was done before it was asked whether there is any."""
    up, down = ([0, 0, 1, 1], [1, 2, 3, 4]), ([0, 0, 1, 1], [3, 4, 1, 2])
    folds = rs.ScoreSet.from_folds([up, up, down], design="independent")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert rs.summarize_auc(folds, "t").estimate == pytest.approx(2 / 3)
    assert not [own for own in caught if issubclass(own.category, RuntimeWarning)]
