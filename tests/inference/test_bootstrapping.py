"""The bootstrap: laws first, then other implementations, then what it says and refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady import PartialAuc, bootstrap
from strategies import FLOAT_KINDS, grouped_scores, labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS(101|151|152|27[1-4]|295)")

STATISTICS = ["auc", PartialAuc(fpr=(0, 0.3)), PartialAuc(tpr=(0.5, 1), standardized=True), {"fpr": 0.2},
              {"fpr": [0, 0.3, 1]}, {"tpr": 0.8}, {"threshold": 0.5}, {"threshold": [0.5, -1]}]  # fmt: skip
AVERAGES = [None, "vertical", "pooled", "threshold", rs.Pooled(balanced=True)]
_FEW = settings(max_examples=25)


def folds(n_groups: int, n: int = 40, seed: int = 0, shift: float = 0.5) -> rs.ScoreSet:
    stream = np.random.default_rng(seed)
    pairs = []
    for _ in range(n_groups):
        labels = np.arange(n) < n // 2
        pairs.append((labels.astype(int), stream.normal(1.5 * labels + shift * stream.normal(), 1)))
    return rs.ScoreSet.from_folds(pairs, design="independent")


def _estimate(score_set, statistic, average) -> np.ndarray:
    """What the statistic is, the long way round."""
    from rocsteady.curves.statistics import statistic_of

    read = statistic_of(statistic).read
    if average is None:
        return np.mean([read(rs.roc_curve(scores)) for scores in score_set], axis=0)
    return read(rs.average(score_set, average))


# Laws


@_FEW
@given(grouped_scores(min_groups=2), st.sampled_from(STATISTICS), st.sampled_from(AVERAGES))
def test_the_estimate_is_that_of_the_data(groups, statistic, average) -> None:
    if average == "vertical" and not (statistic == "auc" or getattr(statistic, "fpr", None) is not None):
        return  # other readings along other directions are tested below
    score_set = rs.ScoreSet.from_folds(groups, design="independent")
    for random in ("groups", "cases"):
        found = bootstrap(score_set, statistic, average=average, random=random, n_resamples=100)
        np.testing.assert_allclose(found.estimate, _estimate(score_set, statistic, average), atol=1e-12)
        assert found.values.shape == (100, *np.shape(found.estimate))
        assert np.isfinite(found.values).all()
        assert found.values.max() <= 1


@_FEW
@given(
    grouped_scores(min_groups=1), st.sampled_from(STATISTICS), st.sampled_from([None, "pooled"]), st.data()
)
def test_the_order_of_rows_does_not_matter(groups, statistic, average, data) -> None:
    shuffled = []
    for labels, scores in groups:
        order = np.array(data.draw(st.permutations(range(labels.size))))
        shuffled.append((labels[order], scores[order]))
    random = "cases" if len(groups) == 1 else data.draw(st.sampled_from(["cases", "groups"]))
    a, b = (
        bootstrap(
            rs.ScoreSet.from_folds(given, design="independent"),
            statistic,
            average=average,
            random=random,
            n_resamples=100,
        )
        for given in (groups, shuffled)
    )
    np.testing.assert_array_equal(a.values, b.values)
    np.testing.assert_array_equal(a.interval.low, b.interval.low)


@_FEW
@given(
    grouped_scores(min_groups=2),
    st.sampled_from(["auc", {"fpr": 0.2}, {"threshold": 0.5}]),
    st.sampled_from([None, "pooled"]),
)
def test_the_order_of_groups_does_not_matter(groups, statistic, average) -> None:
    names = [f"host {i}" for i in range(9, 9 + len(groups))]
    a, b = (
        rs.ScoreSet.from_folds(given, names=named, design="independent")
        for given, named in ((groups, names), (groups[::-1], names[::-1]))
    )
    for random in ("cases", "groups"):
        options = {"average": average, "random": random, "n_resamples": 100}
        expected = bootstrap(a, statistic, **options).values
        np.testing.assert_allclose(bootstrap(b, statistic, **options).values, expected, rtol=0, atol=1e-14)
        curves = bootstrap(rs.roc_curves(b), statistic, **options).values
        np.testing.assert_allclose(curves, expected, rtol=0, atol=1e-14)


@_FEW
@given(labelled_scores(kinds=FLOAT_KINDS), st.sampled_from(STATISTICS), st.integers(0, 2**70))
def test_threads_change_nothing(given_scores, statistic, seed) -> None:
    scores = rs.Scores(*given_scores)
    one, many = (bootstrap(scores, statistic, seed=seed, n_resamples=100, threads=n) for n in (1, 4))
    np.testing.assert_array_equal(one.values, many.values)


@_FEW
@given(weighted_scores(kinds=("tied floats",)), st.sampled_from(STATISTICS))
def test_the_scale_of_weights_does_not_matter(given_scores, statistic) -> None:
    labels, scores, weights = given_scores
    a, b = (
        bootstrap(rs.Scores(labels, scores, sample_weight=scale * weights), statistic, n_resamples=100)
        for scale in (1, 8)
    )
    np.testing.assert_allclose(a.values, b.values, rtol=1e-12, atol=1e-14)


@_FEW
@given(labelled_scores(kinds=FLOAT_KINDS), st.sampled_from(STATISTICS))
def test_weights_of_one_are_no_weights(given_scores, statistic) -> None:
    labels, scores = given_scores
    weighted = rs.Scores(labels, scores, sample_weight=np.ones(labels.size))
    a, b = (bootstrap(x, statistic, n_resamples=100) for x in (rs.Scores(labels, scores), weighted))
    np.testing.assert_allclose(a.values, b.values, atol=1e-12)


@_FEW
@given(labelled_scores(kinds=FLOAT_KINDS), st.sampled_from(STATISTICS))
def test_a_curve_is_resampled_as_its_scores(given_scores, statistic) -> None:
    scores = rs.Scores(*given_scores)
    curve = rs.roc_curve(scores)
    expected = bootstrap(scores, statistic, n_resamples=100).values
    for same in (curve, [curve], rs.roc_curves(rs.ScoreSet.from_folds([given_scores], design="independent"))):
        np.testing.assert_array_equal(bootstrap(same, statistic, n_resamples=100).values, expected)


@_FEW
@given(labelled_scores(kinds=FLOAT_KINDS, min_per_class=2), st.integers(0, 99))
def test_a_cluster_for_every_row_is_an_unstratified_bootstrap(given_scores, seed) -> None:
    labels, scores = given_scores
    found = bootstrap(rs.Scores(*given_scores), clusters=np.arange(labels.size), n_resamples=100, seed=seed)
    assert found.estimate == rs.auc(labels, scores)
    # A class may die out, and is drawn again then: every value is the AUC of some resample.
    pairs = [(s > scores[~labels]) + (s == scores[~labels]) / 2 for s in scores[labels]]
    assert found.values.min() >= np.min(pairs)
    assert found.values.max() <= np.max(pairs)


@_FEW
@given(labelled_scores(kinds=FLOAT_KINDS, min_per_class=2), st.data())
def test_names_of_clusters_and_order_of_rows_do_not_matter(given_scores, data) -> None:
    labels, scores = given_scores
    clusters = np.array(data.draw(st.lists(st.integers(0, 3), min_size=labels.size, max_size=labels.size)))
    clusters[:2] = 0, 1
    order = np.array(data.draw(st.permutations(range(labels.size))))
    a = bootstrap(rs.Scores(labels, scores), clusters=clusters, n_resamples=100)
    named = [f"patient {i}" for i in clusters[order]]
    b = bootstrap(rs.Scores(labels[order], scores[order]), clusters=named, n_resamples=100)
    np.testing.assert_array_equal(a.values, b.values)
    assert a.n_redrawn == b.n_redrawn


def test_every_row_twice_in_one_cluster_is_as_sure_as_once() -> None:
    """Doubled rows are no new cases; drawn one by one they would seem to be."""
    scores = folds(1, 60)[0]
    twice = rs.Scores(np.repeat(scores.is_positive, 2), np.repeat(scores.scores, 2))
    clusters = np.repeat(np.arange(60), 2)
    once = bootstrap(scores, clusters=np.arange(60)).standard_error
    assert bootstrap(twice, clusters=clusters).standard_error == pytest.approx(once, rel=1e-12)
    assert bootstrap(twice).standard_error < 0.8 * once


def test_groups_that_are_alike_have_no_spread_between_them() -> None:
    scores = folds(1)[0]
    same = [scores] * 10
    with pytest.warns(rs.RocsteadyWarning, match="RS271"):
        found = bootstrap(same)
    assert found.standard_error == 0
    assert found.interval.low == found.interval.high == found.estimate
    assert bootstrap(same, random="cases").standard_error > 0


def test_clusters_that_all_groups_share_are_drawn_for_all_at_once() -> None:
    """Two groups that are alike: their mean scatters as one does if the same patients are drawn in both."""
    scores = folds(1)[0]
    patients = np.arange(len(scores.scores)) // 2
    alone = bootstrap(scores, clusters=patients)
    both = bootstrap([scores, scores], clusters=[patients, patients])
    np.testing.assert_allclose(both.values, alone.values, rtol=1e-14)
    apart = bootstrap([scores, scores], clusters={"fold 1 (1)": patients, "fold 1 (2)": patients + 1000})
    assert apart.standard_error == pytest.approx(alone.standard_error / np.sqrt(2), rel=0.15)
    assert "across all sets" in both.random
    assert "within each set" in apart.random


def test_pooling_draws_clusters_from_all_rows() -> None:
    score_set = folds(4, 30)
    patients = [np.arange(30) // 3 for _ in range(4)]
    pooled = bootstrap(score_set, clusters=patients, average="pooled")
    columns = score_set.columns
    rows = rs.Scores(columns.labels, columns.scores)
    expected = bootstrap(rows, clusters=np.concatenate(patients))
    np.testing.assert_array_equal(pooled.values, expected.values)


@pytest.mark.parametrize("average", ["vertical", "horizontal", "diagonal", "radial", "tangent", "threshold"])
def test_averages_made_anew_scatter_as_their_own_intervals_say(average) -> None:
    made = rs.average(folds(12), average)
    found = bootstrap(folds(12), {"fpr": 0.2}, average=average, n_resamples=1000, interval="percentile")
    own = made.at(fpr=0.2).tpr_interval
    width = own.high - own.low
    assert found.estimate == pytest.approx(made.tpr_at(0.2), abs=1e-12)
    assert found.interval.low == pytest.approx(own.low, abs=0.2 * width)
    assert found.interval.high == pytest.approx(own.high, abs=0.2 * width)


# Other implementations


def _agree(found, values, spread) -> None:
    """Within five Monte-Carlo standard errors of the mean and of the spread."""
    n = len(values)
    assert np.mean(values) == pytest.approx(found.values.mean(), abs=5 * spread / np.sqrt(n))
    assert np.std(values) == pytest.approx(spread, rel=5 / np.sqrt(2 * n))


def _drawn_rows(scores, stream) -> tuple[np.ndarray, np.ndarray]:
    rows = [np.flatnonzero(scores.is_positive == k) for k in (False, True)]
    drawn = np.concatenate([stream.choice(own, own.size) for own in rows])
    return scores.is_positive[drawn], scores.scores[drawn]


def test_cases_of_one_dataset_against_a_plain_loop() -> None:
    scores, stream = folds(1, 60)[0], np.random.default_rng(1)
    curves = [rs.roc_curve(*_drawn_rows(scores, stream)) for _ in range(400)]
    for statistic in ("auc", {"fpr": 0.2}, {"tpr": 0.8}, PartialAuc(fpr=(0, 0.3))):
        found = bootstrap(scores, statistic, n_resamples=4000)
        _agree(found, [found.statistic.read(curve) for curve in curves], found.standard_error)


@pytest.mark.parametrize("average", ["pooled", "threshold", "mean"])
def test_whole_groups_against_a_plain_loop(average) -> None:
    score_set = folds(10, 30, shift=1.0)
    stream, values = np.random.default_rng(2), []
    for _ in range(300):
        drawn = [score_set[i] for i in stream.integers(10, size=10)]
        if average == "mean":
            values.append(np.mean([rs.roc_curve(scores).tpr_at(0.2) for scores in drawn]))
        else:
            values.append(rs.average(drawn, average).tpr_at(0.2))  # the budget is met again
    found = bootstrap(score_set, {"fpr": 0.2}, average=average, n_resamples=4000)
    _agree(found, values, found.values.std())
    assert found.standard_error == pytest.approx(found.values.std(ddof=1) * np.sqrt(10 / 9), rel=1e-9)


@pytest.mark.parametrize("average", ["pooled", "threshold", "mean"])
def test_cases_within_fixed_groups_against_a_plain_loop(average) -> None:
    score_set = folds(4, 30, shift=1.0)
    stream, values = np.random.default_rng(3), []
    for _ in range(300):
        drawn = [rs.Scores(*_drawn_rows(scores, stream)) for scores in score_set]
        own = [rs.auc(scores) for scores in drawn]
        values.append(np.mean(own) if average == "mean" else rs.average(drawn, average).auc)
    found = bootstrap(score_set, random="cases", average=average, n_resamples=4000)
    _agree(found, values, found.standard_error)


def test_the_mean_over_groups_against_its_formula() -> None:
    """Resampled means have the spread of the values over the root of their number: no simulation needed."""
    score_set = folds(40)
    found = bootstrap(score_set, n_resamples=4000)
    exact = np.std(rs.roc_curves(score_set).auc, ddof=1) / np.sqrt(40)
    assert found.standard_error == pytest.approx(exact, rel=0.06)
    own = rs.average(score_set, "vertical").auc_interval()
    for kind in ("percentile", "t"):
        made = found.interval_of(kind)
        assert made.low == pytest.approx(own.low, abs=0.15 * (own.high - own.low))
        assert made.high == pytest.approx(own.high, abs=0.15 * (own.high - own.low))


def test_delong_and_the_bootstrap_agree_in_large_samples() -> None:
    scores = folds(1, 2000)[0]
    assert bootstrap(scores, n_resamples=4000).standard_error == pytest.approx(
        rs.roc_curve(scores).auc_standard_error(), rel=0.06
    )


@pytest.mark.parametrize("random", ["cases", "groups"])
def test_integers_that_floats_cannot_tell_apart_are_ranked_together_as_they_are(random):
    scores = np.random.default_rng(3).integers(0, 9, 120)
    labels, groups = np.tile([0, 1], 60), np.repeat(np.arange(8), 15)
    found = []
    for start in (0, 2**60):
        own = rs.ScoreSet.from_arrays(labels, scores + labels + start, groups, design="independent")
        options = {"average": "pooled", "random": random, "n_resamples": 100}
        found.append(bootstrap(own, {"fpr": 0.3}, **options).values)
        found.append(bootstrap(rs.roc_curves(own), {"fpr": 0.3}, **options).values)
    assert all(np.array_equal(found[0], own) for own in found[1:])


@pytest.mark.parametrize("average", [None, "pooled", "threshold"])
@pytest.mark.parametrize("random", ["cases", "groups"])
def test_a_frozen_threshold_is_the_integer_that_it_is(random, average):
    scores = np.random.default_rng(3).integers(0, 9, 120)
    labels, groups = np.tile([0, 1], 60), np.repeat(np.arange(8), 15)
    found = []
    for start in (0, 2**60):
        own = rs.ScoreSet.from_arrays(labels, scores + labels + start, groups, design="independent")
        options = {"average": average, "random": random, "n_resamples": 100}
        found.append(bootstrap(own, {"threshold": start + 5}, **options).values)
    np.testing.assert_array_equal(*found)
