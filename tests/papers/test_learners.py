"""Naive Bayes and the probability tree: what a missing value, a level and a row may change, and by how much."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from papers.learners import NaiveBayes, ProbabilityTree
from rocsteady.errors import UsageError

NAN = float("nan")
CELL = st.one_of(st.just(NAN), st.integers(-3, 3).map(float), st.floats(-100, 100))
CODE = st.one_of(st.just(NAN), st.integers(0, 3).map(float))
FEW = settings(max_examples=50)  # each one fits a learner, some four
LEARNERS = pytest.mark.parametrize("learner", [NaiveBayes, ProbabilityTree])


@st.composite
def tables(draw, n_classes=(2, 3), cell=CELL, code=CODE):
    """Training rows with two numeric and two nominal columns (2 and 3), and their classes, all present."""
    k = draw(st.sampled_from(n_classes))
    y = np.array([*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=3, max_size=14))])
    rows = st.lists(st.tuples(cell, cell, code, code), min_size=len(y), max_size=len(y))
    return np.array(draw(rows)), y


def fitted(learner, X, y, **options):
    return learner(nominal_features=[2, 3], **options).fit(X, y)


def new_rows(X):
    """The training rows, shifted ones, and rows with missing values and a level that was never seen."""
    return np.vstack(
        [
            X,
            X + np.array([0.5, -7, 0, 0]),
            X * np.array([NAN, 1, 1, NAN]),
            np.full((1, 4), 99.0),
            np.full((1, 4), NAN),
        ]
    )


@LEARNERS
@FEW
@given(table=tables())
def test_probabilities_are_probabilities(learner, table) -> None:
    X, y = table
    probabilities = fitted(learner, X, y).predict_proba(new_rows(X))
    assert probabilities.shape == (len(new_rows(X)), y.max() + 1)
    assert np.all((probabilities >= 0) & (probabilities <= 1))
    assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)


@LEARNERS
@FEW
@given(table=tables(), seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(learner, table, seed) -> None:
    X, y = table
    order = np.random.default_rng(seed).permutation(len(y))
    expected = fitted(learner, X, y).predict_proba(new_rows(X))
    assert_allclose(fitted(learner, X[order], y[order]).predict_proba(new_rows(X)), expected, atol=1e-7)


@FEW
@given(table=tables(), names=st.permutations([0.0, 1.0, 2.0, 3.0, -8.5]))
def test_naive_bayes_does_not_care_what_levels_are_called(table, names) -> None:
    X, y = table
    renamed, rows = X.copy(), new_rows(X)
    renamed_rows = rows.copy()
    for given_, new in ((X, renamed), (rows, renamed_rows)):
        codes = given_[:, 2]
        known = np.isin(codes, [0, 1, 2, 3])
        new[known, 2] = np.array(names)[codes[known].astype(int)]
    expected = fitted(NaiveBayes, X, y).predict_proba(rows)
    assert_allclose(fitted(NaiveBayes, renamed, y).predict_proba(renamed_rows), expected, rtol=1e-12)


# Naive Bayes: numeric features


@FEW
@given(table=tables(), column=st.sampled_from([0, 1]))
def test_a_missing_number_contributes_nothing_to_prediction(table, column) -> None:
    X, y = table
    hidden = X.copy()
    hidden[:, column] = NAN
    with_it = fitted(NaiveBayes, X, y).predict_proba(hidden)
    others = [c for c in range(4) if c != column]
    without_it = NaiveBayes(nominal_features=[1, 2]).fit(X[:, others], y).predict_proba(X[:, others])
    assert_allclose(with_it, without_it, rtol=1e-10)


@FEW
@given(
    table=tables(cell=st.integers(-20, 20).map(float)), power=st.integers(-900, 900), shift=st.integers(-9, 9)
)
def test_the_unit_of_a_number_does_not_matter(table, power, shift) -> None:
    X, y = table
    scale = 2.0**power
    moved, rows = (np.column_stack([(a[:, 0] + shift) * scale, a[:, 1:]]) for a in (X, new_rows(X)))
    for learner in (NaiveBayes, ProbabilityTree):
        expected = fitted(learner, X, y).predict_proba(new_rows(X))
        assert_allclose(fitted(learner, moved, y).predict_proba(rows), expected, rtol=1e-6, atol=1e-12)


def random_numbers(n_classes=3, n=200, columns=4):
    rng = np.random.default_rng(5)
    y = rng.integers(n_classes, size=n)
    return rng.normal(y[:, np.newaxis], 1 + y[:, np.newaxis], size=(n, columns)), y


def test_without_missing_values_it_is_scikit_learns_gaussian_naive_bayes() -> None:
    X, y = random_numbers()
    expected = GaussianNB(var_smoothing=0).fit(X, y)
    model = NaiveBayes().fit(X, y)
    assert_allclose(model.sds_**2, expected.var_, rtol=1e-12)
    assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=1e-9)


def test_a_class_in_which_a_number_does_not_vary_gets_a_sixth_of_the_mean_gap() -> None:
    X = np.array([[1.0], [1.0], [3.0], [7.0]])
    model = NaiveBayes().fit(X, [0, 0, 1, 1])
    assert model.sds_.ravel() == pytest.approx([3 / 6, 2])
    density = np.array([np.exp(-0.5 * (1 / 0.5) ** 2) / 0.5, np.exp(-0.5 * (3 / 2) ** 2) / 2])
    assert_allclose(model.predict_proba([[2.0]])[0], density / density.sum(), rtol=1e-12)


@pytest.mark.parametrize("constant", [0.0, 5.0, NAN])
def test_a_number_that_never_varies_says_nothing(constant) -> None:
    X, y = random_numbers(n=30)
    more = np.column_stack([X, np.full(30, constant)])
    more_rows = np.column_stack([X, np.linspace(-9, 9, 30)])
    assert_allclose(
        NaiveBayes().fit(more, y).predict_proba(more_rows), NaiveBayes().fit(X, y).predict_proba(X)
    )


def test_a_class_without_an_observed_number_gets_that_of_all_classes() -> None:
    X = np.array([[1.0], [2.0], [6.0], [NAN], [NAN]])
    model = NaiveBayes().fit(X, [0, 0, 1, 2, 2])
    assert model.means_.ravel() == pytest.approx([1.5, 6, 3])
    assert model.sds_[2, 0] == pytest.approx(np.std([1, 2, 6]))


def test_probabilities_reach_0_and_1_exactly_but_never_become_undefined() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 50)
    X = rng.normal(y[:, np.newaxis], 0.1, size=(100, 500))  # each density is tiny, their product 0
    scores = NaiveBayes().fit(X, y).predict_proba(X)[:, 1]
    assert set(scores) == {0.0, 1.0}
    far = NaiveBayes().fit(X, y).predict_proba(np.full((1, 500), 1e308))
    assert np.isfinite(far).all()


def test_a_probability_close_to_1_is_not_rounded_to_1() -> None:
    # Rounding like this ties scores: on the data set spam it costs 0.02 of the area under the ROC curve.
    X = np.array([[-1.0, 0], [1, 1], [4, 0], [6, 1]])
    # Feature 1 is the same in both classes and far away (log density -44 700); feature 0 has log odds 30.
    probabilities = NaiveBayes().fit(X, [0, 0, 1, 1]).predict_proba([[8.5, 150]])[0]
    assert probabilities[0] == pytest.approx(np.exp(-30), rel=1e-9)
    assert 1 - probabilities[1] == pytest.approx(np.exp(-30), rel=0.01)


def test_huge_numbers_do_not_overflow() -> None:
    X = np.array([[1e300], [1.1e300], [-1e300], [-1.1e300]])
    assert_allclose(NaiveBayes().fit(X, [0, 0, 1, 1]).predict_proba(X)[:, 1], [0, 0, 1, 1], atol=1e-12)
    assert_allclose(ProbabilityTree().fit(X, [0, 0, 1, 1]).predict_proba(X)[:, 1], [0.25, 0.25, 0.75, 0.75])


# Naive Bayes: nominal features


def test_the_laplace_formula_by_hand() -> None:
    X = np.array([[0.0], [0], [1], [NAN], [1], [1], [1]])
    model = NaiveBayes(nominal_features=[0]).fit(X, [0, 0, 0, 0, 1, 1, 1])
    # Three levels (0, 1, missing): (count + 1) / (4 + 3) and (count + 1) / (3 + 3).
    for value, a, b in ((0.0, 3 / 7, 1 / 6), (1.0, 2 / 7, 4 / 6), (NAN, 2 / 7, 1 / 6)):
        joint = np.array([4 / 7 * a, 3 / 7 * b])
        assert_allclose(model.predict_proba([[value]])[0], joint / joint.sum(), rtol=1e-12)
    assert_allclose(model.predict_proba([[2.0]])[0], [4 / 7, 3 / 7], rtol=1e-12)


@FEW
@given(table=tables(), unseen=st.sampled_from([-1.0, 0.5, 99.0]))
def test_a_level_that_was_never_seen_says_nothing(table, unseen) -> None:
    X, y = table
    rows = X.copy()
    rows[:, 3] = unseen
    without_it = NaiveBayes(nominal_features=[2]).fit(X[:, :3], y).predict_proba(X[:, :3])
    assert_allclose(fitted(NaiveBayes, X, y).predict_proba(rows), without_it, rtol=1e-10)


def test_with_nominal_features_only_it_is_scikit_learns_categorical_naive_bayes() -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(3, size=120)
    X = (rng.integers(4, size=(120, 5)) + y[:, np.newaxis]) // 2
    expected = CategoricalNB(alpha=1).fit(X, y).predict_proba(X)
    assert_allclose(NaiveBayes(nominal_features=range(5)).fit(X, y).predict_proba(X), expected, rtol=1e-12)


# The tree


def test_leaves_give_the_laplace_formula_by_hand() -> None:
    # One split, at 2.5: on the left 2 rows of class 0, on the right 1 row of class 0 and 3 of class 1.
    X = np.array([[1.0], [2], [3], [3], [3], [3]])
    probabilities = ProbabilityTree().fit(X, [0, 0, 0, 1, 1, 1]).predict_proba([[2.4], [2.6]])
    assert_allclose(probabilities, [[3 / 4, 1 / 4], [2 / 6, 4 / 6]], rtol=1e-12)


@FEW
@given(table=tables(), fewest=st.integers(1, 5))
def test_leaves_hold_at_least_so_many_rows_and_give_their_laplace_shares(table, fewest) -> None:
    X, y = table
    tree = fitted(ProbabilityTree, X, y, min_samples_leaf=fewest)
    probabilities = tree.predict_proba(X)
    leaves = tree._leaves(X)
    for leaf in np.unique(leaves):
        held = leaves == leaf
        counts = np.bincount(y[held], minlength=y.max() + 1)
        assert held.sum() >= min(fewest, len(y))
        shares = (counts + 1) / (held.sum() + len(counts))
        assert_allclose(probabilities[held], np.tile(shares, (held.sum(), 1)), rtol=1e-12)


@pytest.mark.parametrize("y", [[0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1]])
def test_missing_numbers_go_with_the_side_that_gains_more(y) -> None:
    # Once they belong with the large values, once with the small ones: one split does for either.
    tree = ProbabilityTree().fit(np.array([[1.0], [2], [3], [4], [NAN], [NAN]]), y)
    assert tree.decision_tree_.get_n_leaves() == 2
    assert_allclose(tree.predict_proba([[NAN]])[:, 1], 5 / 6)


def test_splits_are_chosen_by_entropy() -> None:
    # Feature 0 parts the classes as 1+3 and 7+1, feature 1 as 5+0 and 3+4: the Gini index would take feature 0.
    y = np.repeat([0, 1], [8, 4])
    X = np.column_stack([np.isin(np.arange(12), [0, 8, 9, 10]), np.arange(12) < 5]).astype(float)
    tree = ProbabilityTree(nominal_features=[0, 1], min_samples_leaf=4).fit(X, y)
    assert_allclose(tree.predict_proba([[0.0, 1], [0, 0]])[:, 1], [1 / 7, 5 / 9])


def test_what_training_has_not_seen_goes_to_the_larger_side() -> None:
    y = [0] * 5 + [1] * 3
    numeric = ProbabilityTree().fit(np.arange(8.0)[:, np.newaxis], y)
    nominal = ProbabilityTree(nominal_features=[0]).fit(np.array(y, dtype=float)[:, np.newaxis], y)
    several = ProbabilityTree(nominal_features=[0]).fit([[0.0]] * 3 + [[2.0]] * 2 + [[1.0]] * 3, y)
    for tree in (numeric, nominal, several):
        assert_allclose(tree.predict_proba([[NAN]])[:, 1], 1 / 7)
    assert_allclose(nominal.predict_proba([[5.0]])[:, 1], 1 / 7)


def test_levels_have_no_order_for_the_tree() -> None:
    # Level 1 stands apart from 0 and 2: a threshold on the codes would need two splits.
    X = np.array([[0.0], [1], [2]] * 4)
    tree = ProbabilityTree(nominal_features=[0]).fit(X, [0, 1, 0] * 4)
    assert tree.decision_tree_.get_n_leaves() == 2
    assert_allclose(tree.predict_proba([[0.0], [1], [2]])[:, 1], [1 / 10, 5 / 6, 1 / 10])


# Both


@LEARNERS
def test_a_column_without_any_value_does_no_harm(learner) -> None:
    X, y = random_numbers(n=40)
    X[:, 1:3] = NAN
    expected = learner().fit(X[:, [0, 3]], y).predict_proba(X[:, [0, 3]])
    if learner is NaiveBayes:
        assert_allclose(learner(nominal_features=[2]).fit(X, y).predict_proba(X), expected, rtol=1e-12)
    assert np.isfinite(learner(nominal_features=[2]).fit(X, y).predict_proba(X)).all()


@LEARNERS
@pytest.mark.parametrize("wrong", [[4], [-1], ["age"], 2, [0.5], [True, False, False, False]])
def test_nominal_features_must_be_columns(learner, wrong) -> None:
    X, y = random_numbers(n=10)
    with pytest.raises(UsageError, match=r"(?s)RS042.*nominal_features must be numbers of columns"):
        learner(nominal_features=wrong).fit(X, y)


@pytest.mark.parametrize("wrong", [0, -1, 0.1, "two", True])
def test_the_smallest_leaf_is_a_whole_number(wrong) -> None:
    X, y = random_numbers(n=10)
    with pytest.raises(UsageError, match="min_samples_leaf"):
        ProbabilityTree(min_samples_leaf=wrong).fit(X, y)


# Every check that scikit-learn has for classifiers, in each version that is supported.

CHECKS = parametrize_with_checks(
    [
        learner(nominal_features=nominal)
        for learner in (NaiveBayes, ProbabilityTree)
        for nominal in (None, [0])
    ]
).mark


# Old versions of scikit-learn hand pytest a generator, which it warns about.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), ids=CHECKS.kwargs["ids"])
def test_scikit_learns_check(estimator, check, monkeypatch) -> None:
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it scikit-learn skips its check of array API input
    check(estimator)
