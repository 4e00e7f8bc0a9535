"""Exchanging rows between groups: twin, brute force, threads, streams, Ctrl-C."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import psi
from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference
from rocsteady._kernels.resample import _shuffled


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


def ranked(scores: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> tuple:
    """The rows as the kernel takes them."""
    values, ranks = np.unique(-scores, return_inverse=True)
    order = np.argsort(ranks, kind="stable")
    positives, negatives = order[labels[order]], order[~labels[order]]
    at = [np.bincount(ranks[own], minlength=values.size) for own in (positives, negatives)]
    return groups[positives], groups[negatives], *at, int(groups.max()) + 1


@st.composite
def grouped_rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores with many ties, labels, groups; every group has both classes."""
    n_groups = draw(st.integers(1, 5))
    sizes = [(draw(st.integers(1, 4)), draw(st.integers(1, 4))) for _ in range(n_groups)]
    labels = np.array([kind for n, m in sizes for kind in [True] * n + [False] * m])
    groups = np.repeat(np.arange(n_groups), [n + m for n, m in sizes])
    value = draw(st.sampled_from([st.integers(0, 2), st.integers(0, 30)]))
    scores = np.array(draw(st.lists(value, min_size=labels.size, max_size=labels.size)), dtype=float)
    return scores, labels, groups


@given(grouped_rows(), st.integers(0, 2**64 - 1))
def test_kernel_and_twin_agree_bit_for_bit(rows: tuple, seed: int) -> None:
    arguments = (*ranked(*rows), seed, 12, 2)
    for ours, theirs in zip(
        kernels.exchange_groups(*arguments), reference.exchange_groups(*arguments), strict=True
    ):
        assert ours.shape == theirs.shape == (13,)
        assert ours.tobytes() == theirs.tobytes()


@given(grouped_rows())
def test_the_first_entry_is_of_the_rows_as_they_are(rows: tuple) -> None:
    scores, labels, groups = rows
    n = int(groups.max()) + 1
    parts = [[scores[(groups == g) & (labels == kind)].tolist() for g in range(n)] for kind in (True, False)]
    areas = [
        [Fraction(sum(psi(p, q) for p in a for q in b), len(a) * len(b)) for b in parts[1]] for a in parts[0]
    ]
    own, shared = kernels.exchange_groups(*ranked(*rows), 0, 0, 1)
    assert own[0] == pytest.approx(float(sum(areas[g][g] for g in range(n)) / n), abs=1e-14)
    assert shared[0] == pytest.approx(float(sum(map(sum, areas)) / n**2), abs=1e-14)


def many_rows(n_groups: int, n: int, seed: int = 4) -> tuple:
    rng = np.random.default_rng(seed)
    groups = np.concatenate([np.tile(np.arange(n_groups), 2), rng.integers(0, n_groups, n - 2 * n_groups)])
    labels = np.append(np.repeat([True, False], n_groups), rng.random(n - 2 * n_groups) < 0.3)
    return ranked((rng.normal(size=n) + labels).round(2), labels, groups)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    rows = many_rows(50, 30_000)
    alone = [a.tobytes() for a in kernels.exchange_groups(*rows, 5, 40, 1)]
    for threads in (2, 3, 7):
        assert [a.tobytes() for a in kernels.exchange_groups(*rows, 5, 40, threads)] == alone


def test_a_replicate_does_not_depend_on_how_many_follow() -> None:
    rows = many_rows(20, 2000)
    few, many = kernels.exchange_groups(*rows, 5, 10, 2), kernels.exchange_groups(*rows, 5, 60, 2)
    np.testing.assert_array_equal(few[0], many[0][:11])
    assert np.unique(many[0]).size == 61


def test_seeds_give_different_streams() -> None:
    rows = many_rows(20, 2000)
    drawn = [kernels.exchange_groups(*rows, seed, 5, 1)[0][1:] for seed in (0, 1, 2, 2**63, 2**64 - 1)]
    assert np.unique(np.concatenate(drawn)).size == 25


@pytest.mark.parametrize("n_groups", [2**16, 2**16 + 1])
def test_group_numbers_beyond_sixteen_bits(n_groups: int) -> None:
    rows = many_rows(n_groups, 2 * n_groups + 1000)
    ours, twin = kernels.exchange_groups(*rows, 1, 2, 2), reference.exchange_groups(*rows, 1, 2, 1)
    np.testing.assert_array_equal(ours[0], twin[0])
    np.testing.assert_array_equal(ours[1], twin[1])


def test_all_orders_are_equally_likely() -> None:
    """Of the twin, which the kernel equals bit for bit: chi-square with 23 degrees of freedom, mean 23, sd 6.8."""
    drawn = 24_000
    starts = np.random.default_rng(2).integers(0, 2**64 - 1, drawn, dtype=np.uint64)
    seen = Counter(tuple(_shuffled(np.arange(4), int(start), 0).tolist()) for start in starts)
    assert len(seen) == 24
    assert sum((n - drawn / 24) ** 2 for n in seen.values()) / (drawn / 24) < 23 + 4 * 6.8


@pytest.mark.parametrize(
    "spoil",
    [
        lambda p, q, a, b, n: (p, q, a, b, 1),
        lambda p, q, a, b, n: (p, q, a, b, n + 1),
        lambda p, q, a, b, n: (p, q, a, b, 0),
        lambda p, q, a, b, n: (p - 1, q, a, b, n),
        lambda p, q, a, b, n: (p, q, a[:-1], b, n),
        lambda p, q, a, b, n: (p, q, a + 1, b, n),
        lambda p, q, a, b, n: (p, q, a * np.where(np.arange(a.size) == a.argmax(), -1, 1), b, n),
        lambda p, q, a, b, n: (p[:-1], q, a, b, n),
        lambda p, q, a, b, n: (p, q, a, b, 2**62),
        lambda p, q, a, b, n: (p[:0], q, a[:0], b[:0], n),
    ],
)
@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
def test_rows_that_would_be_read_outside_are_refused(spoil, module) -> None:
    with pytest.raises(ValueError, match=r"group|counts?|replicates"):
        module.exchange_groups(*spoil(*many_rows(4, 40)), 0, 3, 1)


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
def test_counts_whose_sum_wraps_round_are_refused(module) -> None:
    """Four times 2**62 is 0 in 64 bits, and the rest would be as many as the rows."""
    p, q, a, b, n = many_rows(4, 40)
    many, none = np.full(4, 2**62), np.zeros(4, dtype=np.int64)
    with pytest.raises(ValueError, match="counts"):
        module.exchange_groups(p, q, np.append(many, a), np.append(none, b), n, 0, 3, 1)
    with pytest.raises(ValueError, match="counts"):
        module.exchange_groups(p, q, np.append(a, none), np.append(b, many), n, 0, 3, 1)


STOPPED_BY_CONTROL_C = """
import signal, _thread
import numpy as np
from rocsteady._kernels import kernels

n = 200_000
groups = np.arange(n) % 100
at = np.tile([1, 0], n), np.tile([0, 1], n)
signal.signal(signal.SIGALRM, lambda *_: _thread.interrupt_main())
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    kernels.exchange_groups(groups, groups, *at, 100, 0, 100_000, 2)
except KeyboardInterrupt:
    print("stopped")
"""


def test_control_c_stops_the_kernel() -> None:
    if sys.platform == "win32":
        skip_unless_required("no such signals")
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_BY_CONTROL_C], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout.strip() == "stopped", done.stderr
