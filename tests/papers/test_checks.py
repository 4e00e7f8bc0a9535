"""A check fails when it should, and says where its tolerance comes from."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.checks import Check, Checks, binomial, exact, simulated


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(0, 10))
def test_a_check_passes_within_its_tolerance_and_not_beyond(expected, found, tolerance) -> None:
    check = Check("section", "name", expected, found, tolerance, "here")
    assert check.passed == (abs(found - expected) <= tolerance)


def test_what_is_not_a_number_never_passes() -> None:
    assert not Check("section", "name", 0.0, float("nan"), 1.0, "here").passed


def test_a_simulated_number_may_be_four_standard_errors_off() -> None:
    assert simulated("s", "n", 1.0, 1.039, 0.01, "seeds").passed
    assert not simulated("s", "n", 1.0, 1.041, 0.01, "seeds").passed
    assert simulated("s", "n", 1.0, 1.0, 0.01, "seeds").tolerance_from == "4 standard errors, seeds"


def test_few_replicates_get_more_room_for_the_error_of_their_error() -> None:
    many, some, few = (simulated("s", "n", 0.0, 0.0, 1.0, "seeds", df=df).tolerance for df in (1e6, 99, 4))
    assert many == pytest.approx(4, abs=1e-3)
    assert 4.1 < some < 4.3
    assert few > 10


def test_an_identity_allows_rounding_only() -> None:
    assert exact("s", "n", 0.3, 0.1 + 0.2).passed
    assert not exact("s", "n", 0.3, 0.3 + 1e-9).passed


@pytest.mark.parametrize("n", [20, 200])
@pytest.mark.parametrize("share", [1e-21, 0.025, 0.5, 0.98, 1 - 1e-12])
def test_a_share_may_be_what_a_binomial_count_can_be(n: int, share: float) -> None:
    drawn = np.random.default_rng(1).binomial(n, share, size=2000)
    assert all(binomial("s", "n", share, count / n, n).passed for count in np.unique(drawn))
    far = 0.95 if share < 0.6 else 0.05
    assert not binomial("s", "n", share, far, n).passed


def test_what_happens_always_may_not_fail_to_happen_once() -> None:
    assert binomial("s", "n", 1 - 1e-12, 1.0, 200).passed
    assert not binomial("s", "n", 1 - 1e-12, 199 / 200, 200).passed


def test_checks_are_a_table() -> None:
    entries = (exact("a", "one", 1.0, 1.0), exact("b", "two", 1.0, 2.0), exact("a", "three", 3.0, 3.0))
    checks = Checks(entries)
    assert repr(checks) == "Checks(3 checks, 1 failed)"
    assert [check.name for check in checks.failed] == ["two"]
    assert {section: len(found) for section, found in checks.sections().items()} == {"a": 2, "b": 1}
    assert checks.to_frame().shape == (3, 7)
    assert json.loads(json.dumps(checks.to_dict()))["entries"][1]["passed"] is False
    assert "FAILED" in repr(entries[1])
