"""U-statistics of reader studies: unbiased by enumeration, the same as by hand, and their laws."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from rocsteady.statistics.obuchowski_rockette import components
from rocsteady.statistics.reader_covariance import unbiased
from rocsteady.statistics.u_statistics import equality, reader_moments, variances

FIELDS = ("means", "covariance", "uncentred", "biased", "components", "sizes")


def everything(ratings):
    return np.full(np.shape(ratings), True)


@st.composite
def studies(draw, *, with_gaps=True):
    """Ratings with ties, who read what, truth; two cases of each class, the first two readers read all."""
    t, r, n1, n0 = (draw(st.integers(2, m)) for m in (3, 4, 5, 5))
    ratings = draw(npst.arrays(float, (t, r, n1 + n0), elements=st.integers(0, 4).map(float)))
    is_read = everything(ratings)
    if with_gaps:
        is_read[:, 2:] = draw(npst.arrays(bool, is_read[:, 2:].shape))
    return ratings, is_read, np.arange(n1 + n0) < n1


def by_hand(ratings, is_read, truth):
    """Means and uncentred covariances from a list of all comparisons."""
    pairs = list(itertools.product(np.flatnonzero(truth), np.flatnonzero(~truth)))
    made = [
        [
            (r, p, n, (x[p] > x[n]) + 0.5 * (x[p] == x[n]))
            for r, x in enumerate(of_modality)
            for p, n in pairs
            if is_read[i, r, p] and is_read[i, r, n]
        ]
        for i, of_modality in enumerate(ratings)
    ]
    means = np.array([np.mean([c[3] for c in own]) for own in made])
    covariance = np.empty((len(made), len(made)))
    for i, j in np.ndindex(covariance.shape):
        apart = [
            c[3] * d[3]
            for c, d in itertools.product(made[i], made[j])
            if c[0] != d[0] and c[1] != d[1] and c[2] != d[2]
        ]
        covariance[i, j] = means[i] * means[j] - np.mean(apart)
    return means, covariance


def test_equals_products_of_comparisons_one_by_one():
    rng = np.random.default_rng(5)
    ratings = rng.integers(1, 5, size=(2, 4, 7)).astype(float)
    is_read = rng.random(ratings.shape) > 0.25
    is_read[0, 3] = False
    truth = np.array([1, 0, 1, 0, 0, 1, 0], dtype=bool)
    means, covariance = by_hand(ratings, is_read, truth)
    found = reader_moments(ratings, is_read, truth)
    np.testing.assert_allclose(found.means, means, rtol=1e-14)
    np.testing.assert_allclose(found.uncentred, covariance, rtol=1e-11)
    assert np.abs(found.uncentred - found.covariance).max() > 1e-4  # the design is unbalanced


# Who reads what, of two modalities, two readers, two positives and three negatives.
DESIGNS = {
    "crossed": np.ones((2, 2, 5), dtype=bool),
    "gaps": np.array([[[1, 1, 1, 1, 0], [1, 1, 1, 0, 1]], [[1, 1, 0, 1, 1], [1, 1, 1, 1, 1]]], dtype=bool),
    "one modality only": np.stack([np.ones((3, 5)), np.repeat([1, 1, 0], 5).reshape(3, 5)]).astype(bool),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_is_unbiased_over_all_samples_of_a_small_population(design):
    is_read = DESIGNS[design]
    n_readers = is_read.shape[1]
    truth = np.array([True, True, False, False, False])
    # Two kinds of reader, of positive and of negative: what each modality makes of them.
    positives = np.array([[[3.0, 2], [4, 1]], [[2, 2], [5, 0]]])  # modality, reader, case
    negatives = np.array([[[1.0, 2], [2, 3]], [[1, 3], [0, 4]]])
    means, covariances = [], []
    for drawn in itertools.product((0, 1), repeat=n_readers + 5):
        readers, cases = list(drawn[:n_readers]), list(drawn[n_readers:])
        ratings = np.concatenate(
            [positives[:, readers][..., cases[:2]], negatives[:, readers][..., cases[2:]]], 2
        )
        found = reader_moments(ratings, is_read, truth)
        means.append(found.means)
        covariances.append(found.uncentred)
        if design == "crossed":
            np.testing.assert_array_equal(found.covariance, found.uncentred)
    population = np.cov(np.transpose(means), bias=True)
    assert population.min() > 0.001
    np.testing.assert_allclose(np.mean(covariances, axis=0), population, rtol=1e-10)


@pytest.mark.parametrize(
    "kept",
    [
        lambda i, j, k: k % 3 == j % 3,
        lambda i, j, k: k % 2 == i,
        lambda i, j, k: k % 2 == j % 2,
        lambda i, j, k: j % 2 == i,
    ],
    ids=["cases in readers", "cases in modalities", "split-plot", "readers in modalities"],
)
def test_centring_changes_nothing_in_balanced_designs(kept):
    rng = np.random.default_rng(2)
    ratings = rng.integers(0, 6, size=(2, 6, 24)).astype(float)
    is_read = np.fromfunction(np.vectorize(kept), ratings.shape)
    truth = np.arange(24) >= 12
    found = reader_moments(ratings, is_read, truth)
    np.testing.assert_allclose(found.covariance, found.uncentred, atol=1e-15)
    plain = reader_moments(ratings, is_read, truth, centred=False)
    np.testing.assert_allclose(found.biased, plain.biased, atol=1e-15)
    np.testing.assert_allclose(variances(found)[1], variances(plain)[1], rtol=1e-9)


@settings(max_examples=40)
@given(studies(with_gaps=False))
def test_the_variance_of_a_difference_is_obuchowski_and_rockettes_with_unbiased_covariances(study):
    ratings, is_read, truth = study
    t, r, c = ratings.shape
    found = reader_moments(ratings, is_read, truth)
    covariance = unbiased(ratings.reshape(t * r, c), truth).reshape(t, r, t, r)
    theirs = components(by_cell(ratings, truth), covariance)
    errors = 2 / r * (theirs.ms_modality_reader + r * (theirs.cov2 - theirs.cov3))
    own = np.diag(found.covariance)
    pairs = np.triu_indices(t, 1)
    ours = (own[:, None] + own - 2 * found.covariance)[pairs].mean()
    assert ours == pytest.approx(float(errors), abs=1e-12)


def by_cell(ratings, truth):
    positives, negatives = ratings[..., truth, None], ratings[..., None, ~truth]
    return ((positives > negatives) + 0.5 * (positives == negatives)).mean(axis=(2, 3))


@settings(max_examples=40)
@given(studies(), st.randoms(use_true_random=False))
def test_neither_the_order_of_cases_nor_of_readers_changes_a_digit(study, random):
    ratings, is_read, truth = study
    cases = random.sample(range(len(truth)), len(truth))
    readers = random.sample(range(ratings.shape[1]), ratings.shape[1])
    moved = reader_moments(ratings[:, readers][..., cases], is_read[:, readers][..., cases], truth[cases])
    found = reader_moments(ratings, is_read, truth)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(moved, name), getattr(found, name))


@settings(max_examples=40)
@given(studies())
def test_only_the_order_of_ratings_counts(study):
    ratings, is_read, truth = study
    found = reader_moments(ratings, is_read, truth)
    far = np.where(ratings == 4, np.inf, np.where(ratings == 0, -np.inf, ratings**3))
    stretched = reader_moments(np.where(is_read, far, 17.0), is_read, truth)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(stretched, name), getattr(found, name))


@settings(max_examples=40)
@given(studies())
def test_the_same_modality_again_has_no_difference(study):
    ratings, is_read, truth = study
    n = len(ratings)
    found = reader_moments(np.stack([ratings[0]] * n), np.stack([is_read[0]] * n), truth)
    variance, _, is_biased = variances(found)
    apart = ~np.eye(n, dtype=bool)
    np.testing.assert_array_equal(variance[apart], 0)
    assert not is_biased[apart].any()
    test = equality(found)
    assert (test.statistic, test.pvalue) == (0, 1)


@settings(max_examples=40)
@given(studies())
def test_modalities_in_another_order(study):
    ratings, is_read, truth = study
    order = np.arange(len(ratings))[::-1]
    found, moved = (
        reader_moments(ratings, is_read, truth),
        reader_moments(ratings[order], is_read[order], truth),
    )
    np.testing.assert_array_equal(moved.covariance, found.covariance[np.ix_(order, order)])
    dfs, moved_dfs = variances(found)[1], variances(moved)[1]
    np.testing.assert_array_equal(moved_dfs, dfs[np.ix_(order, order)])
    assert equality(moved).pvalue == pytest.approx(equality(found).pvalue, abs=1e-12, nan_ok=True)


@settings(max_examples=40)
@given(studies())
def test_wins_for_losses_mirror_the_means_and_keep_the_variances(study):
    ratings, is_read, truth = study
    found, mirrored = reader_moments(ratings, is_read, truth), reader_moments(-ratings, is_read, truth)
    np.testing.assert_allclose(mirrored.means, 1 - found.means, atol=1e-15)
    np.testing.assert_allclose(mirrored.covariance, found.covariance, atol=1e-14)


def test_a_study_in_many_blocks_is_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=(2, 3, 30))
    is_read = rng.random(ratings.shape) > 0.2
    truth = np.arange(30) % 2 == 0
    whole = reader_moments(ratings, is_read, truth)
    monkeypatch.setattr("rocsteady.statistics.reader_covariance._BLOCK", 200)
    for name in FIELDS:
        np.testing.assert_array_equal(
            getattr(reader_moments(ratings, is_read, truth), name), getattr(whole, name)
        )


def test_degrees_of_freedom_are_never_fewer_than_those_of_the_scarcest_factor():
    rng = np.random.default_rng(3)
    for _ in range(50):
        ratings = rng.integers(0, 3, size=(2, 4, 12)).astype(float)
        found = reader_moments(ratings, everything(ratings), np.arange(12) < 5)
        assert np.nanmin(variances(found)[1]) >= 3


def test_a_negative_variance_gives_way_to_the_biased_one():
    first = [[3, 2, 4, 1, 6, 5], [3, 5, 2, 6, 4, 1]]
    second = [[5, 3, 2, 1, 6, 4], [4, 6, 2, 3, 1, 5]]
    ratings = np.array([first, second], dtype=float)
    found = reader_moments(ratings, everything(ratings), np.arange(6) % 2 == 0)
    unbiased_variance = found.covariance[0, 0] + found.covariance[1, 1] - 2 * found.covariance[0, 1]
    variance, _, is_biased = variances(found)
    assert unbiased_variance < -0.01
    assert is_biased[0, 1]
    biased = found.biased[0, 0] + found.biased[1, 1] - 2 * found.biased[0, 1]
    assert variance[0, 1] == biased > 0.05


def test_a_variance_that_is_nothing_but_rounding_gives_way_too():
    ratings = np.zeros((2, 3, 5))
    ratings[0] = [[1, 0, -1, 0, 0], [-1, 0, 0, -1, 0], [0, 0, 1, -1, 0]]
    ratings[1, :2] = [[1, 0, 0, 0, 0], [0, 0, 0, -1, 1]]
    found = reader_moments(ratings, everything(ratings), np.arange(5) < 3)
    variance, _, is_biased = variances(found)
    assert is_biased[0, 1]
    assert variance[0, 1] > 1e-3


def test_three_modalities_that_are_two():
    """A modality that repeats another one leaves a single direction."""
    rng = np.random.default_rng(8)
    ratings = rng.normal(size=(2, 5, 40)) + (np.arange(40) < 20)
    repeated = ratings[[0, 1, 1]]
    truth = np.arange(40) < 20
    assert equality(reader_moments(repeated, everything(repeated), truth)).df[0] == pytest.approx(1)
    assert equality(reader_moments(ratings, everything(ratings), truth)).df[0] == 1
