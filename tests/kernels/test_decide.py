"""Deciding by class weights: kernel, twin, brute force, threads, Ctrl-C."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


VALUES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.1, 0.3, 0.7, 5e-324, 2.0**-1000]),
    st.floats(0, 1, allow_subnormal=True),
)


@st.composite
def weighed_rows(draw: st.DrawFn) -> tuple:
    """Outputs (C, n), true classes in order, weights (K, C); many ties."""
    n_classes, n_rows, n_vectors = draw(st.integers(1, 5)), draw(st.integers(0, 12)), draw(st.integers(0, 5))
    value = draw(st.sampled_from([VALUES, st.integers(0, 2).map(float)]))
    outputs = draw(st.lists(value, min_size=n_classes * n_rows, max_size=n_classes * n_rows))
    weights = draw(st.lists(value, min_size=n_classes * n_vectors, max_size=n_classes * n_vectors))
    true = sorted(draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows)))
    return (
        np.array(outputs, dtype=float).reshape(n_classes, n_rows),
        np.array(true, dtype=np.int64),
        np.array(weights, dtype=float).reshape(n_vectors, n_classes),
    )


def offsets_of(true: np.ndarray, n_classes: int) -> np.ndarray:
    return np.searchsorted(true, np.arange(n_classes + 1)).astype(np.int64)


def by_hand(outputs: np.ndarray, weights: np.ndarray) -> list[list[int]]:
    """Python's own loop: the first of the largest products."""
    decided = []
    for vector in weights.tolist():
        products = [[w * y for w, y in zip(vector, row, strict=True)] for row in outputs.T.tolist()]
        decided.append([row.index(max(row)) for row in products])
    return decided


@given(weighed_rows(), st.sampled_from([1, 2, 3]))
def test_kernel_twin_and_brute_force_agree(rows: tuple, threads: int) -> None:
    outputs, true, weights = rows
    n_classes = outputs.shape[0]
    decided = by_hand(outputs, weights)
    errors = [
        [sum(d != t == c for d, t in zip(own, true.tolist(), strict=True)) for c in range(n_classes)]
        for own in decided
    ]
    for module in (kernels, reference):
        counted = module.count_errors(outputs, offsets_of(true, n_classes), weights, threads)
        assert counted.dtype == np.int64
        assert counted.tolist() == errors
        cells = np.arange(true.size, dtype=np.int64)[::-1] % 3
        matrix = module.count_decisions(outputs, cells.copy(), 3, weights, threads)
        assert matrix.shape == (len(weights), 3, n_classes)
        for k, own in enumerate(decided):
            expected = np.zeros((3, n_classes), dtype=np.int64)
            np.add.at(expected, (cells, own), 1)
            np.testing.assert_array_equal(matrix[k], expected)


def many_rows(n: int, n_classes: int, n_vectors: int) -> tuple:
    rng = np.random.default_rng(3)
    outputs = rng.dirichlet(np.ones(n_classes), n).round(2).T.copy()
    true = np.sort(rng.integers(0, n_classes, n))
    return outputs, true, rng.dirichlet(np.ones(n_classes), n_vectors).round(2)


@pytest.mark.parametrize(
    ("n", "n_classes", "n_vectors"), [(1000, 3, 40), (129, 7, 17), (128, 2, 16), (5000, 20, 5)]
)
def test_any_number_of_threads_gives_what_the_twin_gives(n: int, n_classes: int, n_vectors: int) -> None:
    """Sizes around a tile of rows and a chunk of vectors."""
    outputs, true, weights = many_rows(n, n_classes, n_vectors)
    offsets = offsets_of(true, n_classes)
    errors = reference.count_errors(outputs, offsets, weights, 1)
    matrices = reference.count_decisions(outputs, true, n_classes, weights, 1)
    for threads in (1, 2, 3):
        np.testing.assert_array_equal(kernels.count_errors(outputs, offsets, weights, threads), errors)
        np.testing.assert_array_equal(
            kernels.count_decisions(outputs, true, n_classes, weights, threads), matrices
        )
    right = np.diagonal(matrices, axis1=1, axis2=2)
    np.testing.assert_array_equal(np.bincount(true, minlength=n_classes) - right, errors)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda y, o, w: (y, o, w[:, :-1].copy()),
        lambda y, o, w: (y, o[:-1], w),
        lambda y, o, w: (y, o + 1, w),
        lambda y, o, w: (y, o[::-1].copy(), w),
        lambda y, o, w: (y[:0], o, w[:, :0].copy()),
    ],
)
def test_arrays_that_would_be_read_outside_are_refused(spoil) -> None:
    outputs, true, weights = many_rows(50, 3, 4)
    for module in (kernels, reference):
        with pytest.raises(ValueError, match=r"offsets|weight"):
            module.count_errors(*spoil(outputs, offsets_of(true, 3), weights), 1)


@pytest.mark.parametrize(("cells", "n_cells"), [([0, 1, 3], 3), ([0, -1, 0], 3), ([0, 1], 3), ([0, 0, 0], 0)])
def test_cells_that_are_not_there_are_refused(cells: list[int], n_cells: int) -> None:
    for module in (kernels, reference):
        with pytest.raises(ValueError, match="cell"):
            module.count_decisions(np.ones((2, 3)), np.array(cells), n_cells, np.ones((1, 2)), 1)


def test_more_cells_than_there_is_memory_for() -> None:
    with pytest.raises(MemoryError):  # 2**62 cells of 4 classes would be none in 64 bits
        kernels.count_decisions(np.ones((4, 1)), np.zeros(1, dtype=np.int64), 2**62, np.ones((1, 4)), 1)


STOPPED_BY_CONTROL_C = """
import signal, _thread
import numpy as np
from rocsteady._kernels import kernels

outputs = np.random.default_rng(0).random((20, 200_000))
offsets = np.linspace(0, 200_000, 21).astype(np.int64)
weights = np.random.default_rng(1).random((20_000, 20))
signal.signal(signal.SIGALRM, lambda *_: _thread.interrupt_main())
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    kernels.count_errors(outputs, offsets, weights, 2)
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
