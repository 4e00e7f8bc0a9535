"""The mean of many curves along a direction: twin, area, ends and threads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference

ANGLES = (0.0, math.pi / 4, math.pi / 6, 1e-6, 1.5)


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


@st.composite
def curve_sets(draw: st.DrawFn) -> tuple:
    """Counts of up to five curves with both classes, ties included; weights that sum to one."""
    rows = []
    for _ in range(draw(st.integers(1, 5))):
        case = st.tuples(st.integers(0, 6), st.booleans())
        cases = [
            (draw(st.integers(0, 6)), True),
            (draw(st.integers(0, 6)), False),
            *draw(st.lists(case, max_size=12)),
        ]
        rows.append(cases)
    offsets = np.cumsum([0, *map(len, rows)])
    scores, labels = (
        np.array(column) for column in zip(*(case for cases in rows for case in cases), strict=True)
    )
    _, true_positives, false_positives, curve_offsets = kernels.count_curves(
        scores.astype(float), labels, offsets, 1.0, 0.0, None, True, 1
    )
    weights = np.array([draw(st.floats(0.1, 1)) for _ in rows])
    return true_positives, false_positives, curve_offsets, weights / weights.sum()


@given(curve_sets(), st.sampled_from(ANGLES), st.booleans(), st.booleans())
def test_kernel_and_twin_agree(curves: tuple, angle: float, mirrored: bool, weighted: bool) -> None:
    true_positives, false_positives, offsets, weights = curves
    if weighted:
        true_positives, false_positives = true_positives / 4, false_positives * 3.0
    arguments = (
        true_positives,
        false_positives,
        offsets,
        weights,
        math.cos(angle),
        math.sin(angle),
        mirrored,
        2,
    )
    ours, twin = kernels.average_paths(*arguments), reference.average_paths(*arguments)
    np.testing.assert_array_equal(ours[0], twin[0])
    np.testing.assert_allclose(ours[1], twin[1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(ours[2], twin[2], rtol=0, atol=1e-13)


@given(curve_sets(), st.sampled_from(ANGLES), st.booleans())
def test_the_area_under_the_mean_is_the_mean_area(curves: tuple, angle: float, mirrored: bool) -> None:
    true_positives, false_positives, offsets, weights = curves
    cosine, sine = math.cos(angle), math.sin(angle)
    u, first, last = kernels.average_paths(
        true_positives, false_positives, offsets, weights, cosine, sine, mirrored, 2
    )
    area = np.sum(np.diff(u) * (last[:-1] + first[1:]) / 2)
    chord = (cosine + sine) * (cosine - sine) / 2  # the area under the chance line, seen along the angle
    wins, n_positives, n_negatives, _, _ = kernels.curve_moments(true_positives, false_positives, offsets)
    mean_auc = np.sum(weights * wins / (2 * n_positives * n_negatives))
    assert area - chord + 0.5 == pytest.approx(mean_auc, abs=1e-12)
    assert u[0] == 0
    assert first[0] == 0
    assert last[-1] == pytest.approx(cosine - sine, abs=1e-12)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    rng = np.random.default_rng(8)
    n_curves, rows = 300, 400
    labels = rng.random(n_curves * rows) < 0.3
    scores = (rng.normal(size=labels.size) + labels).round(2)
    offsets = np.arange(0, labels.size + 1, rows)
    _, tp, fp, curve_offsets = kernels.count_curves(scores, labels, offsets, 1.0, 0.0, None, True, 2)
    weights = np.full(n_curves, 1 / n_curves)
    for angle in ANGLES:
        arguments = (tp, fp, curve_offsets, weights, math.cos(angle), math.sin(angle), False)
        alone = [a.tobytes() for a in kernels.average_paths(*arguments, 1)]
        for threads in (2, 3, 7):
            assert [a.tobytes() for a in kernels.average_paths(*arguments, threads)] == alone
