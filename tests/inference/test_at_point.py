"""``compare_at`` is ``compare`` without its curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.inference.compare import compare_at, compare_own_rates


def scores(n_groups: int = 9) -> rs.ScoreSet:
    rng = np.random.default_rng(2)
    labels, groups = np.tile([1, 0, 0], 16 * n_groups), np.repeat(np.arange(n_groups), 48)
    both = {"a": rng.normal(size=labels.size) + 1.5 * labels, "b": rng.normal(size=labels.size) + labels}
    return rs.ScoreSet.from_arrays(labels, both, groups)


@pytest.mark.parametrize("method", ["threshold", "pooled", "vertical", "radial"])
@pytest.mark.parametrize("at", [None, {"fpr": 0.1}, {"threshold": 0.8}], ids=str)
def test_it_says_what_compare_says(method: str, at: Any) -> None:
    data = scores()
    found = compare_at(data, "a", "b", method=method, at=at, n_resamples=100)
    whole = rs.compare(data, "a", "b", method=method, at=at, n_resamples=100)
    expected = whole.at if at else (whole.area or whole.auc,)
    assert [own.to_dict() for own in found.differences] == [own.to_dict() for own in expected]
    assert (found.n_groups, found.random, found.paired) == (9, "groups", True)
    assert found.groups == whole.per_group.groups  # type: ignore[union-attr]


def test_one_dataset_has_random_cases() -> None:
    data = scores(1)
    found = compare_at(data, "a", "b", at={"fpr": 0.1}, n_resamples=100)
    (expected,) = rs.compare(data, "a", "b", at={"fpr": 0.1}, n_resamples=100, method="vertical").at
    assert found.random == "cases"
    assert found.differences[0].to_dict() == expected.to_dict()


def test_own_rates_are_compared_by_a_paired_t() -> None:
    rng = np.random.default_rng(1)
    rates: Any = {kind: tuple(rng.uniform(size=(2, 7))) for kind in ("fpr", "tpr")}
    found = compare_own_rates(("a", "b"), rates, tuple("stuvwxy"))
    assert [own.lower_is_better for own in found.differences] == [True, False]
    for kind, own in zip(("fpr", "tpr"), found.differences, strict=True):
        test = rs.paired_t(*rates[kind])
        assert (own.difference, own.pvalue) == pytest.approx((test.difference, test.pvalue))
        half = (own.interval.high - own.interval.low) / 2
        assert half == pytest.approx(2.4469118511 * test.standard_error)
