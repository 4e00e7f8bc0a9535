"""How certain a count must be and how much memory it may take: what is accepted and what is said otherwise."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.counting.cells import Tolerance, memory_of, tolerance_of
from rocsteady.errors import UsageError


@pytest.mark.parametrize(
    ("given", "auc", "rate"),
    [
        (None, None, None),
        (0, 0.0, 0.0),
        (1e-3, 1e-3, 1e-3),
        (np.float32(0.25), 0.25, 0.25),
        ({"auc": 1e-6}, 1e-6, None),
        ({"rate": 0}, None, 0.0),
        ({"auc": 0.1, "rate": 0.2}, 0.1, 0.2),
        (Tolerance(0.1), 0.1, None),
    ],
)
def test_a_number_or_one_for_areas_and_one_for_rates(given, auc, rate):
    found = tolerance_of(given)
    assert (found.auc, found.rate) == (auc, rate)


@pytest.mark.parametrize(
    "given", [-1e-9, 0.5, 1, np.nan, np.inf, True, "small", [], {}, {"auc": -1}, {"AUC": 0.1}]
)
def test_what_is_no_tolerance(given):
    with pytest.raises(UsageError, match=r"RS042: tolerance must be a number from 0") as caught:
        tolerance_of(given)
    assert f"found: {given!r}" in str(caught.value)
    assert "tolerance=0.001" in str(caught.value)


def test_when_a_tolerance_is_met():
    assert tolerance_of(None).is_met(0.5, 0.5)
    assert not tolerance_of(None).is_asked
    both = tolerance_of({"auc": 0.1, "rate": 0.2})
    assert both.is_met(0.1, 0.2)
    assert not both.is_met(0.11, 0.2)
    assert not both.is_met(0.1, 0.21)
    assert both.is_asked
    assert not both.is_exact
    assert tolerance_of({"rate": 0}).is_exact


def test_a_tolerance_in_words():
    assert str(tolerance_of({"auc": 1e-6, "rate": 1e-3})) == "AUC 1e-06, rates 0.001"
    assert str(tolerance_of(None)) == "none"


@pytest.mark.parametrize(
    ("given", "n_bytes"),
    [
        (10**8, 10**8),
        (2e9, 2 * 10**9),
        (np.int64(10**9), 10**9),
        ("2GB", 2 * 10**9),
        (" 1.5 gib ", 3 * 2**29),
        ("500MB", 5 * 10**8),
        ("1T", 10**12),
        ("200000000", 2 * 10**8),
        (".5g", 5 * 10**8),
    ],
)
def test_bytes_or_text(given, n_bytes):
    assert memory_of(given) == n_bytes
    assert type(memory_of(given)) is int


@pytest.mark.parametrize(
    "given", [0, -1, 99_999_999, "99MB", 1e18, np.nan, np.inf, True, None, "much", "2 PB", "-2GB", "GB", ""]
)
def test_what_is_no_memory(given):
    with pytest.raises(UsageError, match=r"RS042: memory must be") as caught:
        memory_of(given)
    assert f"found: {given!r}" in str(caught.value)
    assert 'memory="2GB"' in str(caught.value) or "memory='2GB'" in str(caught.value)


def test_what_was_asked_for_is_kept_where_everything_fits_into_memory() -> None:
    rows = {"label": np.tile([1, 0], 4), "score": np.arange(8.0), "group": np.repeat(["a", "b"], 4)}
    columns = {name: name for name in rows}
    assert rs.count_scores(rows, **columns).how.tolerance == Tolerance()
    assert rs.count_scores(rows, **columns, tolerance={"auc": 1e-3}).how.tolerance == Tolerance(auc=1e-3)
