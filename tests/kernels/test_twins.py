"""The C++ kernels and their NumPy twins give the same answers, bit for bit."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


INF = math.inf
SCORE_VALUES = {
    "float64": st.sampled_from(
        [-INF, -1e300, -1.0, -5e-324, -0.0, 0.0, 5e-324, 0.1, 0.1 + 2**-56, 1.0, 1e300, INF]
    )
    | st.floats(allow_nan=False),
    "float32": st.floats(allow_nan=False, width=32),
    "int64": st.sampled_from([-(2**63), 2**53, 2**53 + 1, 2**63 - 1]) | st.integers(-3, 3),
    "uint64": st.sampled_from([0, 1, 2**63, 2**64 - 1]) | st.integers(0, 3),
}
LABEL_TYPES = ["bool", "int8", "uint8", "int32", "int64", "float32", "float64"]


@st.composite
def tables(draw: st.DrawFn) -> tuple:
    """Scores, labels, offsets, the two codes, the direction."""
    n = draw(st.integers(0, 60))
    kind = draw(st.sampled_from(list(SCORE_VALUES)))
    scores = np.array(draw(st.lists(SCORE_VALUES[kind], min_size=n, max_size=n)), dtype=kind)
    label_type = draw(st.sampled_from(LABEL_TYPES))
    codes = draw(st.sampled_from([(1, 0), (0, 1)] + ([(1, -1)] if label_type[0] in "if" else [])))
    positives = draw(hnp.arrays(bool, n))
    labels = np.where(positives, *codes).astype(label_type)
    cuts = sorted(draw(st.lists(st.integers(0, n), max_size=4)))
    offsets = np.array([0, *cuts, n], dtype=np.int64)
    return scores, labels, offsets, float(codes[0]), float(codes[1]), draw(st.booleans())


def same(native: object, twin: object) -> None:
    for ours, theirs in zip(map(np.asarray, native), map(np.asarray, twin), strict=True):  # type: ignore[call-overload]
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        np.testing.assert_array_equal(ours, theirs)


@given(tables())
def test_counts_of_small_tables(table: tuple) -> None:
    scores, labels, offsets, positive, negative, higher = table
    for name in ("count_wins", "delong_moments"):
        arguments = (scores, labels, offsets, positive, negative, higher, 2)
        same(getattr(kernels, name)(*arguments), getattr(reference, name)(*arguments))
    arguments = (scores, labels, offsets, positive, negative, None, higher, 2)
    curves = kernels.count_curves(*arguments)
    same(curves, reference.count_curves(*arguments))
    same(kernels.curve_moments(*curves[1:]), reference.curve_moments(*curves[1:]))


@given(tables(), st.data())
def test_weighted_counts(table: tuple, data: st.DataObject) -> None:
    scores, labels, offsets, positive, negative, higher = table
    weight = st.floats(1e-4, 1e12) | st.sampled_from([1.0, 0.1, 2.0**53, 5e-324])
    weights = np.array(data.draw(st.lists(weight, min_size=scores.size, max_size=scores.size)), dtype=float)
    arguments = (scores, labels, offsets, positive, negative, weights, higher, 2)
    same(kernels.count_curves(*arguments), reference.count_curves(*arguments))


@given(tables())
def test_placements(table: tuple) -> None:
    scores, labels, offsets, positive, negative, higher = table
    arguments = (scores, labels, offsets, positive, negative, higher, 2)
    same([kernels.placements(*arguments)], [reference.placements(*arguments)])
    several = ([scores, scores[::-1].copy(), scores], labels, positive, negative, higher, 2)
    same(kernels.delong_covariance(*several), reference.delong_covariance(*several))


@given(tables())
def test_ranks(table: tuple) -> None:
    scores, labels, offsets, positive, negative, higher = table
    arguments = (scores, labels, offsets, positive, negative, higher, 2)
    ranks = kernels.score_ranks(*arguments)
    same([ranks], [reference.score_ranks(*arguments)])
    for start, stop in itertools.pairwise(offsets):
        own, rank = scores[start:stop], ranks[start:stop]
        stricter = own[:, None] > own if higher else own[:, None] < own
        assert ((rank[:, None] < rank) == stricter).all()
        assert set(rank.tolist()) == set(range(np.unique(own).size))


def distributions(n: int, labels: np.ndarray) -> dict[str, np.ndarray]:
    """Scores on which a bucket sort could go wrong: each is cut differently."""
    rng = np.random.default_rng(20)
    normal = rng.normal(size=n) + labels
    return {
        "normal": normal,
        "float32": normal.astype(np.float32),
        "rounded": normal.round(1),
        "constant": np.full(n, 0.3),
        "two values": (normal > 0).astype(float),
        "lognormal": np.exp(8 * rng.normal(size=n)),
        "half zero": np.where(rng.random(n) < 0.5, 0.0, normal),
        "two far clusters": np.where(rng.random(n) < 0.5, 1 + 1e-9 * rng.random(n), 1e9 * rng.random(n)),
        "infinities": np.where(rng.random(n) < 0.1, np.where(rng.random(n) < 0.5, -INF, INF), normal),
        "mostly infinite": np.where(rng.random(n) < 0.999, INF, normal),
        "full range": rng.integers(0, 0x7FE0_0000_0000_0000, n).view(np.float64) * rng.choice([-1, 1], n),
        "denormal": 5e-324 * rng.integers(-1000, 1000, n),
        "one outlier": np.append(1e-3 * normal[:-1], 1e300),
        "sorted": np.sort(normal),
        "int64": rng.integers(-(2**63), 2**63 - 1, n),
        "int64 close": 2**62 + rng.integers(-5000, 5000, n),
        "uint64": rng.integers(0, 2**64 - 1, n, dtype=np.uint64),
    }


N = 70_000  # large enough to be cut into buckets, small enough for the twins
LABELS = np.random.default_rng(3).random(N) < 0.3
OFFSETS = np.array([0, 10, 10, 400, 34_000, N])  # tiny, empty, small, large-but-whole and cut groups


@pytest.mark.parametrize("name", list(distributions(N, LABELS)))
@pytest.mark.parametrize("higher", [True, False])
def test_large_tables_of_every_shape(name: str, higher: bool) -> None:
    scores = distributions(N, LABELS)[name]
    arguments = (scores, LABELS, OFFSETS, 1.0, 0.0, higher, 2)
    for kernel in ("count_wins", "delong_moments"):
        same(getattr(kernels, kernel)(*arguments), getattr(reference, kernel)(*arguments))
    for kernel in ("placements", "score_ranks"):
        same([getattr(kernels, kernel)(*arguments)], [getattr(reference, kernel)(*arguments)])
    arguments = (scores, LABELS, OFFSETS, 1.0, 0.0, None, higher, 2)
    same(kernels.count_curves(*arguments), reference.count_curves(*arguments))


@pytest.mark.parametrize("name", list(distributions(N, LABELS)))
def test_any_number_of_threads_gives_the_same_bits(name: str) -> None:
    scores = distributions(N, LABELS)[name]
    weights = 10.0 ** np.random.default_rng(1).uniform(-4, 12, N)
    other = scores[::-1].copy()

    def everything(threads: int) -> list[bytes]:
        rows = (scores, LABELS, OFFSETS, 1.0, 0.0)
        results = [
            *kernels.count_curves(*rows, None, True, threads),
            *kernels.count_curves(*rows, weights, True, threads),
            *kernels.count_wins(*rows, True, threads),
            *kernels.delong_moments(*rows, True, threads),
            kernels.placements(*rows, True, threads),
            kernels.score_ranks(*rows, True, threads),
            *kernels.delong_covariance([scores, other], LABELS, 1.0, 0.0, True, threads),
        ]
        return [np.asarray(result).tobytes() for result in results]

    alone = everything(1)
    for threads in (2, 3, 7):
        assert everything(threads) == alone


@pytest.mark.parametrize("decades", [150, 300])
def test_weights_over_hundreds_of_decades_sum_as_fsum_would(decades: int) -> None:
    """Parts of an exact sum hold few bits each then: there are more of them than doubles have room for."""
    random = np.random.default_rng(0)
    n = 20_000
    weights = 10.0 ** random.uniform(-decades, 0, n) * 10.0 ** random.uniform(0, decades, n)
    labels = np.arange(n) % 2 == 0
    scores = rs.ScoreSet.from_folds(
        [(labels, random.normal(size=n))], sample_weight=[weights], design="independent"
    )
    (curve,) = rs.roc_curves(scores)
    assert curve.true_positives[-1] == math.fsum(weights[labels])
    assert curve.false_positives[-1] == math.fsum(weights[~labels])


def test_weights_over_sixteen_decades_sum_as_fsum_would() -> None:
    rng = np.random.default_rng(5)
    n = 50_000
    scores, labels, weights = rng.normal(size=n), rng.random(n) < 0.5, 10.0 ** rng.uniform(-4, 12, n)
    rows = (scores, labels, np.array([0, n]), 1.0, 0.0, weights, True)
    _, true_positives, false_positives, _ = kernels.count_curves(*rows, 2)
    order = np.argsort(-scores)
    for last in (0, 1, 17, 1000, 33_333, n - 1):
        chosen = order[: last + 1]
        assert true_positives[last + 1] == math.fsum(weights[chosen][labels[chosen]])
        assert false_positives[last + 1] == math.fsum(weights[chosen][~labels[chosen]])


@pytest.mark.parametrize("twin", [kernels, reference])
@pytest.mark.parametrize("weight", [math.inf, math.nan])
def test_weights_that_are_not_finite_are_refused(twin: Any, weight: float) -> None:
    """An exact sum of them kept one more part with each, beyond its memory."""
    rng = np.random.default_rng(6)
    scores, labels, weights = rng.normal(size=500), rng.random(500) < 0.5, np.full(500, weight)
    rows = (scores, labels, np.array([0, 500]), 1.0, 0.0)
    with pytest.raises(ValueError, match="a weight is not finite"):
        twin.count_curves(*rows, weights, True, 1)
    with pytest.raises(ValueError, match="a weight is not finite"):
        twin.share_curve(*rows, weights[:2].reshape(2, 1), weights[:2].reshape(2, 1), True, 1)
    ranks = np.arange(4)
    ends, none = np.array([0, 2, 4]), np.empty((1, 0), dtype=np.int64)
    with pytest.raises(ValueError, match="a weight is not finite"):
        twin.resample_groups(
            ranks, ranks, ends, ends, None, None, weights[:2], np.ones(2), np.zeros(1, dtype=np.int64),
            np.zeros(1), np.ones(1), none, 0, 3, 1, None,
        )  # fmt: skip


@pytest.mark.parametrize("twin", [kernels, reference])
def test_finite_weights_may_pass_the_largest_float(twin: Any) -> None:
    scores, labels = np.arange(300.0), np.arange(300) % 2 == 0
    weights = np.full(300, 1.7e308)
    _, tp, fp, _ = twin.count_curves(scores, labels, np.array([0, 300]), 1.0, 0.0, weights, True, 1)
    assert (tp[0], tp[-1], fp[1], fp[-1]) == (0, math.inf, 1.7e308, math.inf)


def test_counts_that_are_no_numbers_end_an_average() -> None:
    """Positions that differ from themselves were walked over without an end, beyond the memory for them."""
    nothing = np.full(1000, np.nan)
    with pytest.raises(ValueError):
        kernels.average_paths(nothing, nothing, np.array([0, 1000]), np.ones(1), 1.0, 0.0, 1)


def test_squared_placements_pass_int64() -> None:
    """5e6 + 5e6 cases: the sums of squares need 66 bits. Checked against the closed form of a perfect curve's mirror."""
    n = 2_500_000
    # Interleaved: positive k beats exactly k negatives.
    scores = np.arange(2 * n, dtype=np.float64)
    labels = np.arange(2 * n) % 2 == 1
    wins, n_positives, n_negatives, positive_spread, negative_spread = kernels.delong_moments(
        scores, labels, np.array([0, 2 * n]), 1.0, 0.0, True, 2
    )
    beaten_twice_sum = n * (n + 1)  # sum of 2 k for k = 1 ... n
    beaten_twice_squares = 4 * n * (n + 1) * (2 * n + 1) // 6
    assert beaten_twice_squares > 2**63
    assert (wins[0], n_positives[0], n_negatives[0]) == (beaten_twice_sum, n, n)
    assert positive_spread[0] == float(n * beaten_twice_squares - beaten_twice_sum**2)
    assert negative_spread[0] == positive_spread[0]


def test_spread_near_a_perfect_curve_does_not_cancel() -> None:
    """One inversion among 2e5 cases: naive moments in floating point lose every digit."""
    n = 100_000
    scores = np.concatenate([np.arange(n) + 0.5, np.arange(n) - n]).astype(float)
    scores[0] = -1.25  # beaten by the best negative only
    labels = np.arange(2 * n) < n
    _, _, _, spread, _ = kernels.delong_moments(scores, labels, np.array([0, 2 * n]), 1.0, 0.0, True, 2)
    x = [2 * (n - 1)] + [2 * n] * (n - 1)
    assert spread[0] == float(n * sum(v * v for v in x) - sum(x) ** 2)
    variance = Fraction(int(spread[0]), n * (n - 1)) / (2 * n) ** 2 / n
    assert float(variance) == pytest.approx(1e-20, rel=1e-4)


def unclean() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    scores, labels = np.linspace(0, 1, N), LABELS.astype(np.int64)
    nan, stray = scores.copy(), labels.copy()
    nan[N - 3], stray[5] = np.nan, 2
    return {
        "NaN in a cut group": (nan, labels),
        "NaN in a small group": (np.where(np.arange(N) == 3, np.nan, scores), labels),
        "NaN of negative sign": (np.where(np.arange(N) == N - 1, -np.nan, scores), labels),
        "float32 NaN": (nan.astype(np.float32), labels),
        "a third label": (scores, stray),
        "a NaN label": (scores, np.where(np.arange(N) == 7, np.nan, labels)),
        "a third label in a cut group": (scores, np.where(np.arange(N) == N - 1, 7, labels)),
    }


@pytest.mark.parametrize("name", list(unclean()))
def test_unclean_rows_are_refused(name: str) -> None:
    scores, labels = unclean()[name]
    rows = (scores, labels, OFFSETS, 1.0, 0.0)
    for module in (kernels, reference):
        with pytest.raises(ValueError, match=r"NaN|neither"):
            module.count_wins(*rows, True, 2)
        with pytest.raises(ValueError, match=r"NaN|neither"):
            module.count_curves(*rows, None, True, 2)
        with pytest.raises(ValueError, match=r"NaN|neither"):
            module.placements(*rows, True, 2)
        with pytest.raises(ValueError, match=r"NaN|neither"):
            module.score_ranks(*rows, True, 2)


@pytest.mark.parametrize("offsets", [[], [0], [1, N], [0, 5, 3, N], [0, N + 1]])
def test_offsets_that_would_read_outside_are_refused(offsets: list[int]) -> None:
    rows = (np.zeros(N), LABELS, np.array(offsets, dtype=np.int64), 1.0, 0.0)
    with pytest.raises(ValueError, match="offsets"):
        kernels.count_wins(*rows, True, 1)


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
@pytest.mark.parametrize(
    ("positive", "converted"), [(300.0, 44), (1.5, 1), (-0.5, 0), (np.inf, 0), (np.nan, 0)]
)
def test_a_label_that_the_type_cannot_hold_is_no_label(module: Any, positive: float, converted: int) -> None:
    """Converted to the type of the labels it would be another one."""
    labels = np.array([converted, 7, converted, 7])
    for dtype in (np.uint8, np.int8):
        own = labels.astype(dtype)
        with pytest.raises(ValueError, match="neither"):
            module.count_wins(np.arange(4.0), own, np.array([0, 4]), 7.0, positive, True, 1)


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
def test_offsets_between_two_rows_are_refused(module: Any) -> None:
    rows = (np.arange(4.0), np.array([1, 0, 1, 0]))
    with pytest.raises(TypeError):
        module.count_wins(*rows, np.array([0, 2.7, 4]), 1.0, 0.0, True, 1)
    of_int32 = module.count_wins(*rows, np.array([0, 2, 4], dtype=np.int32), 1.0, 0.0, True, 1)
    assert of_int32[1].tolist() == [1, 1]


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
@pytest.mark.parametrize("counts", [[0, 2, 1], [1, 2, 3], [0, -1, 1], [-1, 0, 1]])
def test_counts_that_do_not_rise_from_none_are_refused(module: Any, counts: list[int]) -> None:
    rising, offsets = np.array([0, 1, 2]), np.array([0, 3])
    for columns in ((np.array(counts), rising), (rising, np.array(counts))):
        with pytest.raises(ValueError, match="rise from 0"):
            module.curve_moments(*columns, offsets)


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
def test_moments_of_more_pairs_than_can_be_counted_are_refused(module: Any) -> None:
    with pytest.raises(OverflowError):
        module.curve_moments(np.array([0, 2**31, 2**32]), np.array([0, 2**30, 2**32]), np.array([0, 3]))
    wins, n_positives, n_negatives, *_ = module.curve_moments(
        np.array([0, 2**31, 2**31]), np.array([0, 0, 2**30]), np.array([0, 3, 3])
    )
    assert (wins.tolist(), n_positives.tolist(), n_negatives.tolist()) == ([2**62, 0], [2**31, 0], [2**30, 0])
