"""The mean of many curves along a direction: twin, area, ends and threads."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference
from rocsteady._kernels.reference import shares_of_cases
from rocsteady.errors import DataError

ANGLES = (0.0, math.pi / 4, math.pi / 6, 1e-6, 1.5, math.pi / 2)


def direction(angle: float) -> tuple[float, float]:
    """Cosine and sine, exact at a right angle."""
    return (0.0, 1.0) if angle == math.pi / 2 else (math.cos(angle), math.sin(angle))


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


@st.composite
def curve_sets(draw: st.DrawFn) -> tuple:
    """Counts of up to five curves with both classes, ties included; what each of them counts."""
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
    return true_positives, false_positives, curve_offsets, weights


@given(curve_sets(), st.sampled_from(ANGLES), st.booleans())
def test_kernel_and_twin_agree(curves: tuple, angle: float, weighted: bool) -> None:
    true_positives, false_positives, offsets, weights = curves
    if weighted:
        true_positives, false_positives = true_positives / 4, false_positives * 3.0
    arguments = (true_positives, false_positives, offsets, weights, *direction(angle), 2)
    ours, twin = kernels.average_paths(*arguments), reference.average_paths(*arguments)
    np.testing.assert_array_equal(ours[0], twin[0])
    np.testing.assert_allclose(ours[1], twin[1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(ours[2], twin[2], rtol=0, atol=1e-13)


@given(curve_sets(), st.sampled_from(ANGLES), st.booleans(), st.lists(st.floats(-0.1, 1.6), max_size=5))
def test_readings_of_kernel_and_twin_agree(
    curves: tuple, angle: float, weighted: bool, between: list[float]
) -> None:
    true_positives, false_positives, offsets, weights = curves
    if weighted:
        true_positives, false_positives = true_positives / 4, false_positives * 3.0
    cosine, sine = direction(angle)
    corners = kernels.average_paths(true_positives, false_positives, offsets, weights, cosine, sine, 1)[0]
    at = np.sort(np.concatenate([corners, between]))
    ours = kernels.read_paths(true_positives, false_positives, offsets, cosine, sine, at, 2)
    twin = reference.read_paths(true_positives, false_positives, offsets, cosine, sine, at, 2)
    for mine, theirs in zip(ours, twin, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@given(curve_sets(), st.sampled_from(ANGLES))
def test_the_mean_of_the_readings_is_the_reading_of_the_mean(curves: tuple, angle: float) -> None:
    true_positives, false_positives, offsets, weights = curves
    cosine, sine = direction(angle)
    u, fpr, tpr = kernels.average_paths(true_positives, false_positives, offsets, weights, cosine, sine, 2)
    values = cosine * tpr - sine * fpr
    at, begins = np.unique(u, return_index=True)
    ends = np.append(begins[1:], u.size) - 1
    read_first, read_last = kernels.read_paths(true_positives, false_positives, offsets, cosine, sine, at, 2)
    if cosine * sine == 0 or angle in (math.pi / 4, math.pi / 6):  # steep stretches magnify a rounded u
        shares = weights / weights.sum()
        np.testing.assert_allclose(shares @ read_first, values[begins], rtol=0, atol=1e-12)
        np.testing.assert_allclose(shares @ read_last, values[ends], rtol=0, atol=1e-12)


@given(curve_sets(), st.sampled_from(ANGLES))
def test_the_area_under_the_mean_is_the_mean_area(curves: tuple, angle: float) -> None:
    true_positives, false_positives, offsets, weights = curves
    cosine, sine = direction(angle)
    _, fpr, tpr = kernels.average_paths(true_positives, false_positives, offsets, weights, cosine, sine, 2)
    wins, n_positives, n_negatives, _, _ = kernels.curve_moments(true_positives, false_positives, offsets)
    mean_auc = np.average(wins / (2 * n_positives * n_negatives), weights=weights)
    assert np.sum(np.diff(fpr) * (tpr[:-1] + tpr[1:]) / 2) == pytest.approx(mean_auc, abs=1e-12)
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)


@pytest.mark.parametrize("module", [kernels, reference], ids=["native", "twin"])
@pytest.mark.parametrize(
    ("counts", "offsets", "error"),
    [
        (np.array([0, 1, 2], dtype=np.int32), [0, 3], TypeError),
        (np.array([0, 1, 2], dtype=np.float32), [0, 3], TypeError),
        (np.array([0, 1, 2]), [0, 0, 3], ValueError),
        (np.array([0, 1, 2]), [0, 3, 3], ValueError),
        (np.array([0, 0, 0]), [0, 3], ValueError),
    ],
    ids=["int32", "float32", "empty first", "empty last", "a class is missing"],
)
def test_counts_of_another_type_and_curves_without_vertices_are_refused(
    module: Any, counts: np.ndarray, offsets: list[int], error: type[Exception]
) -> None:
    ends = np.array(offsets)
    with pytest.raises(error):
        module.average_paths(counts, counts, ends, np.ones(ends.size - 1), 1.0, 0.0, 1)
    with pytest.raises(error):
        module.read_paths(counts, counts, ends, 1.0, 0.0, np.array([0.5]), 1)


@pytest.mark.parametrize("module", [kernels, reference], ids=["native", "twin"])
@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [0.0, 0.0], [1.0, np.nan], [np.inf, 1.0]])
def test_weights_that_make_no_mean_are_refused(module: Any, weights: list[float]) -> None:
    counts = np.array([0, 1, 2, 0, 1, 2])
    with pytest.raises(ValueError):
        module.average_paths(counts, counts, np.array([0, 3, 6]), np.array(weights), 1.0, 0.0, 1)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    rng = np.random.default_rng(8)
    n_curves, rows = 300, 400
    labels = rng.random(n_curves * rows) < 0.3
    scores = (rng.normal(size=labels.size) + labels).round(2)
    offsets = np.arange(0, labels.size + 1, rows)
    _, tp, fp, curve_offsets = kernels.count_curves(scores, labels, offsets, 1.0, 0.0, None, True, 2)
    weights = np.ones(n_curves)
    for angle in ANGLES:
        arguments = (tp, fp, curve_offsets, weights, *direction(angle))
        alone = [a.tobytes() for a in kernels.average_paths(*arguments, 1)]
        for threads in (2, 3, 7):
            assert [a.tobytes() for a in kernels.average_paths(*arguments, threads)] == alone


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.booleans()), min_size=1, max_size=40),
    st.booleans(),
    st.lists(st.floats(0.001, 1), min_size=10, max_size=10),
)
def test_shared_curves_of_kernel_and_twin_are_the_same_bits(
    cases: list, higher_is_positive: bool, weights: list[float]
) -> None:
    cases = sorted(cases, key=lambda case: case[0])
    groups, scores, labels = (np.array(column) for column in zip(*cases, strict=True))
    offsets = np.searchsorted(groups, np.arange(6)).astype(np.int64)
    arguments = (
        scores.astype(float),
        labels,
        offsets,
        1.0,
        0.0,
        *(np.array(shares_of_cases(np.array(own), np.arange(1, 6))) for own in (weights[:5], weights[5:])),
        higher_is_positive,
        2,
    )
    for ours, twin in zip(kernels.share_curve(*arguments), reference.share_curve(*arguments), strict=True):
        np.testing.assert_array_equal(ours, twin)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.booleans()), min_size=1, max_size=40),
    st.booleans(),
    st.sampled_from(ANGLES),
)
def test_readings_of_scores_are_those_of_their_curves(
    cases: list, higher_is_positive: bool, angle: float
) -> None:
    cases = sorted(cases, key=lambda case: case[0])
    groups, scores, labels = (np.array(column) for column in zip(*cases, strict=True))
    offsets = np.searchsorted(groups, np.arange(6)).astype(np.int64)
    at = np.linspace(0, 1.4, 11)
    arguments = (
        scores.astype(float),
        labels,
        offsets,
        1.0,
        0.0,
        higher_is_positive,
        *direction(angle),
        at,
        2,
    )
    for ours, twin in zip(kernels.read_scores(*arguments), reference.read_scores(*arguments), strict=True):
        np.testing.assert_array_equal(ours, twin)


def test_readings_of_a_large_group_of_scores() -> None:
    rng = np.random.default_rng(6)
    scores, labels = rng.normal(size=100_000).round(3), rng.random(100_000) < 0.2
    offsets, at = np.array([0, 90_000, 100_000]), np.linspace(0, 1, 21)
    _, tp, fp, ends = kernels.count_curves(scores, labels, offsets, 1.0, 0.0, None, True, 2)
    curves = kernels.read_paths(tp, fp, ends, 1.0, 0.0, at, 2)
    for threads in (1, 2, 3):
        read = kernels.read_scores(scores, labels, offsets, 1.0, 0.0, True, 1.0, 0.0, at, threads)
        np.testing.assert_array_equal(read, curves)


def test_shared_curves_are_the_same_bits_for_any_number_of_threads() -> None:
    rng = np.random.default_rng(5)
    scores, labels = rng.normal(size=200_000).round(3), rng.random(200_000) < 0.2
    offsets = np.linspace(0, scores.size, 101).astype(np.int64)
    shares = np.array(shares_of_cases(rng.random(100), np.full(100, scores.size // 100)))
    alone = kernels.share_curve(scores, labels, offsets, 1.0, 0.0, shares, shares, True, 1)
    for threads in (2, 3, 7):
        many = kernels.share_curve(scores, labels, offsets, 1.0, 0.0, shares, shares, True, threads)
        assert [a.tobytes() for a in many] == [a.tobytes() for a in alone]


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_counts_too_small_to_be_divided_by_are_refused_before_a_kernel_sees_them(method: str) -> None:
    counts = np.array([1.0, 2, 3, 3]), np.array([0.0, 1, 2, 3])
    curves = [rs.RocCurve.from_counts([4, 3, 2, 1], *(1e-320 * own for own in counts)) for _ in range(3)]
    with pytest.raises(DataError, match="RS037"):  # a RuntimeWarning before it would fail this test
        rs.average(curves, method)
    plain = [rs.RocCurve.from_counts([4, 3, 2, 1], *(1e-290 * own for own in counts)) for _ in range(3)]
    assert rs.average(plain, method).auc == pytest.approx(7 / 9)


@pytest.mark.parametrize("module", [kernels, reference], ids=["native", "twin"])
@pytest.mark.parametrize("angle", ANGLES)
def test_empty_steps_of_counts_hide_no_corner(module: Any, angle: float) -> None:
    """Straight up, nowhere, straight right: taken for one slant, once."""
    tp, fp = np.array([0, 2, 2, 2, 3, 3, 3]), np.array([0, 0, 0, 3, 4, 4, 4])
    kept = np.array([0, 1, 3, 4])
    cosine, sine = direction(angle)
    whole = module.average_paths(tp, fp, np.array([0, 7]), np.ones(1), cosine, sine, 1)
    plain = module.average_paths(tp[kept], fp[kept], np.array([0, 4]), np.ones(1), cosine, sine, 1)
    for ours, expected in zip(whole, plain, strict=True):
        np.testing.assert_array_equal(ours, expected)
