"""Both learners pass every check that scikit-learn has for classifiers, in each version that is supported."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from papers.learners import NaiveBayes, ProbabilityTree

LEARNERS = [
    NaiveBayes(),
    NaiveBayes(nominal_features=[0]),
    ProbabilityTree(),
    ProbabilityTree(nominal_features=[0]),
]


@pytest.fixture(autouse=True)
def _no_check_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without it scikit-learn skips its check of array API input.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


CHECKS = parametrize_with_checks(LEARNERS).mark


# Old versions of scikit-learn hand pytest a generator, which it warns about.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), ids=CHECKS.kwargs["ids"])
def test_scikit_learns_check(estimator, check) -> None:
    check(estimator)
