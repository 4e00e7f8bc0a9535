"""Cases and groups drawn with replacement: twin, brute force, streams, threads."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference
from rocsteady._kernels.resample import drawn_below, stream_start, substream_start
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.roc import RocCurve

pytestmark = pytest.mark.filterwarnings("ignore:RS101")


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


RATES = np.array([0.0, 0.1, 1 / 3, 0.5, 0.7, 1.0])
KINDS = np.repeat(np.arange(7), [1, 3, 3, RATES.size, RATES.size, 2, 2])
LOW = np.concatenate([[0.0], [0.0, 0.2, 0.45], [0.8, 0.0, 0.5], RATES, RATES, [0, 1, 0, 1]])
HIGH = np.where((KINDS == 1) | (KINDS == 2), [0, 0.1, 0.25, 1.0, 1.0, 1.0, 0.51, *[0] * 16], 0.0)
AUC = (np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1), np.zeros((1, 0), dtype=np.int64))


def ranks_of(scores: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    nothing = np.zeros(scores.size, dtype=bool)
    return reference.score_ranks(scores, nothing, offsets, 1.0, 0.0, True, 1)


class Table:
    """Rows of many groups, and their columns as the kernels take them."""

    def __init__(
        self, scores: np.ndarray, labels: np.ndarray, groups: np.ndarray, weights: np.ndarray | None
    ):
        self.scores, self.labels, self.groups, self.weights = scores, labels, groups, weights
        self.n_groups = int(groups.max()) + 1
        self.offsets = np.append(0, np.cumsum(np.bincount(groups)))

    def columns(self, shared: bool) -> tuple:
        offsets = np.array([0, self.scores.size]) if shared else self.offsets
        ranks, own = ranks_of(self.scores, offsets), self.labels
        class_offsets = [np.append(0, np.cumsum(side))[self.offsets] for side in (own, ~own)]
        weights = (None, None) if self.weights is None else (self.weights[own], self.weights[~own])
        return ranks[own], ranks[~own], *class_offsets, *weights

    def frozen(self, shared: bool) -> np.ndarray:
        """The first and the middle vertex of every curve."""
        ends = np.array([0, self.scores.size]) if shared else self.offsets
        n = [np.unique(self.scores[a:b]).size for a, b in itertools.pairwise(ends)]
        return np.array([[1, (k + 1) // 2] for k in n])

    def curve(self, rows: np.ndarray) -> RocCurve:
        weights = None if self.weights is None else self.weights[rows]
        return roc_curve(self.labels[rows], self.scores[rows], sample_weight=weights)


@st.composite
def tables(draw: st.DrawFn, weighted: bool | None = None) -> Table:
    """Scores with many ties; every group has both classes."""
    n_groups = draw(st.integers(1, 4))
    sizes = [(draw(st.integers(1, 6)), draw(st.integers(1, 6))) for _ in range(n_groups)]
    labels = np.array([kind for n, m in sizes for kind in [True] * n + [False] * m])
    value = draw(st.sampled_from([st.integers(0, 2), st.integers(0, 40)]))
    scores = np.array(draw(st.lists(value, min_size=labels.size, max_size=labels.size)), dtype=float)
    weighted = draw(st.booleans()) if weighted is None else weighted
    weight = st.floats(0.01, 100)
    weights = draw(st.lists(weight, min_size=labels.size, max_size=labels.size)) if weighted else None
    groups = np.repeat(np.arange(n_groups), [n + m for n, m in sizes])
    return Table(scores, labels, groups, None if weights is None else np.array(weights))


def large(n_groups: int, n: int, seed: int = 3, weighted: bool = False) -> Table:
    rng = np.random.default_rng(seed)
    groups = np.sort(
        np.append(np.repeat(np.arange(n_groups), 2), rng.integers(0, n_groups, n - 2 * n_groups))
    )
    labels = rng.random(n) < 0.3
    first = np.searchsorted(groups, np.arange(n_groups))
    labels[first], labels[first + 1] = True, False
    return Table(
        np.round(rng.normal(size=n) + labels, 3), labels, groups, rng.random(n) if weighted else None
    )


seeds = st.integers(0, 2**64 - 1)


@given(tables(), seeds, st.booleans(), st.booleans())
def test_drawn_cases_kernel_and_twin_agree_bit_for_bit(
    table: Table, seed: int, shared: bool, auc_only: bool
) -> None:
    readings = (KINDS, LOW, HIGH, table.frozen(shared))
    if auc_only:
        readings = (*AUC[:3], np.zeros((readings[3].shape[0], 0), dtype=np.int64))
    weights = np.linspace(1, 2, table.n_groups)
    arguments = (*table.columns(shared), weights, shared, *readings, seed, 5, 2, None)
    ours, theirs = kernels.resample_cases(*arguments), reference.resample_cases(*arguments)
    assert ours.shape == theirs.shape
    assert ours.tobytes() == theirs.tobytes()


@given(tables(), seeds, st.booleans())
def test_drawn_groups_kernel_and_twin_agree_bit_for_bit(table: Table, seed: int, alike: bool) -> None:
    shares = (np.ones(table.n_groups),) * 2
    if not alike:
        shares = (np.linspace(0.1, 0.3, table.n_groups), np.linspace(0.7, 0.1, table.n_groups))
    arguments = (*table.columns(True), *shares, KINDS, LOW, HIGH, table.frozen(True), seed, 40, 2, None)
    (ours, redrawn), (theirs, their_redrawn) = (
        kernels.resample_groups(*arguments),
        reference.resample_groups(*arguments),
    )
    assert redrawn == their_redrawn
    assert ours.tobytes() == theirs.tobytes()


def expected_readings(curve: RocCurve) -> np.ndarray:
    """What the public curve says where the kernels read all but the frozen vertices."""
    return np.concatenate(
        [
            [curve.auc],
            [curve.partial_auc(fpr=(a, b)) for a, b in zip(LOW[1:4], HIGH[1:4], strict=True)],
            [curve.partial_auc(tpr=(a, b)) for a, b in zip(LOW[4:7], HIGH[4:7], strict=True)],
            curve.tpr_at(RATES),
            curve.fpr_at(RATES),
        ]
    )


def drawn_rows(table: Table, seed: int, replicate: int) -> list[np.ndarray]:
    """Rows of every group of a resample, from the definition of the streams."""
    start, found = stream_start(seed, replicate), []
    for group in range(table.n_groups):
        rows = []
        for which, side in enumerate((table.labels, ~table.labels)):
            own = np.flatnonzero(side & (table.groups == group))
            bounds = np.full(own.size, own.size, dtype=np.uint64)
            rows.append(own[drawn_below(substream_start(start, 2 * group + which), 0, bounds)])
        found.append(np.concatenate(rows))
    return found


@given(tables(), seeds)
def test_drawn_cases_are_read_as_the_public_curve_is(table: Table, seed: int) -> None:
    weights = np.linspace(1, 2, table.n_groups)
    rest = (KINDS, LOW, HIGH)
    each = kernels.resample_cases(
        *table.columns(False), weights, False, *rest, table.frozen(False), seed, 2, 1, None
    )
    one = kernels.resample_cases(
        *table.columns(True), weights, True, *rest, table.frozen(True), seed, 2, 1, None
    )
    for replicate in range(2):
        rows = drawn_rows(table, seed, replicate)
        own = np.array([expected_readings(table.curve(r)) for r in rows])
        assert_allclose(each[replicate][:-4], np.average(own, axis=0, weights=weights), rtol=0, atol=1e-12)
        together = np.concatenate(rows)
        assert_allclose(one[replicate][:-4], expected_readings(table.curve(together)), rtol=0, atol=1e-12)
        cut = np.unique(table.scores)[::-1][table.frozen(True)[0] - 1]  # frozen: not chosen again
        frozen = table.curve(together).rates_at(cut)
        assert_allclose(one[replicate][-4:], [*frozen.fpr, *frozen.tpr], rtol=0, atol=1e-12)


@given(tables(), seeds)
def test_drawn_groups_are_read_as_the_public_curve_is(table: Table, seed: int) -> None:
    alike = np.ones(table.n_groups)
    arguments = (*table.columns(True), alike, alike, KINDS, LOW, HIGH, table.frozen(True), seed, 3, 1, None)
    values, n_redrawn = kernels.resample_groups(*arguments)
    assert n_redrawn == 0  # every group has both classes
    for replicate in range(3):
        bounds = np.full(table.n_groups, table.n_groups, dtype=np.uint64)
        drawn = drawn_below(stream_start(seed, replicate), 0, bounds)
        rows = np.concatenate([np.flatnonzero(table.groups == g) for g in drawn])
        assert_allclose(values[replicate][:-4], expected_readings(table.curve(rows)), rtol=0, atol=1e-12)


@given(tables(weighted=False), seeds, st.data())
def test_a_weight_is_a_repetition_where_groups_are_drawn(
    table: Table, seed: int, data: st.DataObject
) -> None:
    """Not where cases are: there a row is drawn together with its weight, and copies apart."""
    n = table.scores.size
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    rows = np.repeat(np.arange(n), times)
    repeated = Table(table.scores[rows], table.labels[rows], table.groups[rows], None)
    weighted = Table(table.scores, table.labels, table.groups, times.astype(float))
    alike = np.ones(table.n_groups)
    values = [
        kernels.resample_groups(
            *t.columns(True), alike, alike, KINDS, LOW, HIGH, table.frozen(True), seed, 5, 1, None
        )[0]
        for t in (repeated, weighted)
    ]
    assert_array_equal(*values)  # whole numbers: no rounding


@pytest.mark.parametrize("weighted", [False, True])
def test_any_number_of_threads_gives_the_same_bits(weighted: bool) -> None:
    table = large(30, 4000, weighted=weighted)
    alike = np.ones(30)
    cases = (*table.columns(False), alike, False, KINDS, LOW, HIGH, table.frozen(False), 5, 200)
    groups = (*table.columns(True), alike, alike, KINDS, LOW, HIGH, table.frozen(True), 5, 200)
    aucs = (*table.columns(True), alike, True, *AUC, 5, 200)
    alone = [kernels.resample_cases(*cases, 1, None), kernels.resample_groups(*groups, 1, None)[0]]
    alone.append(kernels.resample_cases(*aucs, 1, None))
    for threads in (2, 3, 7):
        found = [
            kernels.resample_cases(*cases, threads, None),
            kernels.resample_groups(*groups, threads, None)[0],
        ]
        found.append(kernels.resample_cases(*aucs, threads, None))
        assert [a.tobytes() for a in found] == [a.tobytes() for a in alone]


def test_a_resample_does_not_depend_on_how_many_follow() -> None:
    table = large(10, 500)
    alike = np.ones(10)
    cases, groups = (*table.columns(False), alike, False), (*table.columns(True), alike, alike)
    for kernel, columns in ((kernels.resample_cases, cases), (kernels.resample_groups, groups)):
        frozen = table.frozen(columns is groups)
        few, many = (kernel(*columns, KINDS, LOW, HIGH, frozen, 9, n, 2, None) for n in (7, 90))
        few, many = (found[0] if isinstance(found, tuple) else found for found in (few, many))
        assert_array_equal(few, many[:7])
        assert np.unique(many[:, 0]).size > 80


@pytest.mark.parametrize("n", [2**15 - 1, 2**15, 2**15 + 1])
def test_classes_that_need_more_than_sixteen_bits(n: int) -> None:
    rng = np.random.default_rng(n)
    ranks = rng.permutation(2 * n)
    offsets = np.array([0, n])
    columns = (ranks[:n], ranks[n:], offsets, offsets, None, None, np.ones(1), False)
    for readings in (AUC, (KINDS[:-4], LOW[:-4], HIGH[:-4], AUC[3])):
        arguments = (*columns, *readings, 1, 3, 2, None)
        assert_array_equal(kernels.resample_cases(*arguments), reference.resample_cases(*arguments))


def test_streams_are_those_of_splitmix64() -> None:
    """The first numbers of the published generator for the state 1234567."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    drawn = drawn_below(1234567, 0, np.full(4, 2**31, dtype=np.uint64))
    assert drawn.tolist() == [number >> 33 for number in published]
    assert drawn_below(1234567, 2, np.full(2, 2**31, dtype=np.uint64)).tolist() == drawn[2:].tolist()


def test_the_same_seed_gives_the_same_resamples_for_ever() -> None:
    """Written down when the streams were made; whoever changes them changes published numbers."""
    offsets = np.array([0, 5]), np.array([0, 7])
    ranks = np.array([0, 1, 3, 4, 8]), np.array([2, 5, 6, 7, 9, 10, 11])
    for module in (kernels, reference):
        values = module.resample_cases(
            *ranks, *offsets, None, None, np.ones(1), False, *AUC, 20_260_901, 4, 2, None
        )
        assert (35 * values.ravel()).round(9).tolist() == [31, 29, 27, 26]


def counts_of_cases(n_positives: int, n_negatives: int, n_resamples: int, seed: int) -> np.ndarray:
    """How often every case was drawn: differences of rates at all vertices, cases being ranked as they come."""
    n = n_positives + n_negatives
    frozen = np.arange(n + 1)[None]
    kinds, column = np.repeat([5, 6], n + 1), np.tile(np.arange(n + 1.0), 2)
    offsets = np.array([0, n_positives]), np.array([0, n_negatives])
    ranks = np.arange(n_positives), np.arange(n_positives, n)
    rates = kernels.resample_cases(
        *ranks,
        *offsets,
        None,
        None,
        np.ones(1),
        False,
        kinds,
        column,
        0 * column,
        frozen,
        seed,
        n_resamples,
        2,
        None,
    )
    fpr, tpr = np.diff(rates[:, : n + 1]), np.diff(rates[:, n + 1 :])
    return np.rint(np.hstack([tpr[:, :n_positives] * n_positives, fpr[:, n_positives:] * n_negatives]))


def test_indices_are_drawn_evenly() -> None:
    """Chi-square of how often each of 7 and of 13 cases came up, 5 standard deviations allowed."""
    counts = counts_of_cases(7, 13, 20_000, seed=2)
    assert_array_equal(counts[:, :7].sum(axis=1), 7)
    assert_array_equal(counts[:, 7:].sum(axis=1), 13)
    for own in (counts[:, :7], counts[:, 7:]):
        n = own.shape[1]
        squares = ((own.sum(axis=0) - 20_000) ** 2 / 20_000).sum() * n / (n - 1)
        assert squares < n + 5 * np.sqrt(2 * n)
        # Of one resample the counts are multinomial: variance 1 - 1/n, correlation -1 / (n - 1).
        assert_allclose(own.var(axis=0), 1 - 1 / n, rtol=0.06)
        assert_allclose(np.cov(own.T)[0, 1], -1 / n, atol=5 / np.sqrt(20_000))


def test_classes_groups_resamples_and_seeds_have_streams_of_their_own() -> None:
    counts = [counts_of_cases(8, 8, 10_000, seed) for seed in (0, 1)]
    tolerance = 5 / np.sqrt(10_000)

    def related(a: np.ndarray, b: np.ndarray) -> float:
        return float(np.abs(np.corrcoef(a.T, b.T)[: a.shape[1], a.shape[1] :]).max())

    assert related(counts[0][:, :8], counts[0][:, 8:]) < tolerance
    assert related(counts[0], counts[1]) < tolerance
    assert related(counts[0][1:], counts[0][:-1]) < tolerance
    table = large(2, 400)
    weights = np.eye(2)
    first, second = (
        kernels.resample_cases(
            *table.columns(False), w, False, *AUC[:3], np.zeros((2, 0), dtype=np.int64), 0, 10_000, 2, None
        )
        for w in weights
    )
    assert related(first, second) < tolerance


def test_drawn_groups_come_up_evenly() -> None:
    """Every group has one positive at its own rank: rates at the vertices count how often it was drawn."""
    n_groups, n_resamples = 9, 20_000
    ranks, offsets = np.arange(n_groups), np.arange(n_groups + 1)
    frozen, column = np.arange(n_groups + 1)[None], np.arange(n_groups + 1.0)
    alike = np.ones(n_groups)
    rates, _ = kernels.resample_groups(
        ranks, ranks, offsets, offsets, None, None, alike, alike,
        np.full(n_groups + 1, 6), column, 0 * column, frozen, 4, n_resamples, 2, None,
    )  # fmt: skip
    counts = np.rint(np.diff(rates) * n_groups)
    assert_array_equal(counts.sum(axis=1), n_groups)
    squares = ((counts.sum(axis=0) - n_resamples) ** 2 / n_resamples).sum() * n_groups / (n_groups - 1)
    assert squares < n_groups + 5 * np.sqrt(2 * n_groups)
    assert_allclose(counts.var(axis=0), 1 - 1 / n_groups, rtol=0.06)


@pytest.mark.parametrize("n_groups", [2, 5, 40])
def test_draws_without_a_class_are_thrown_away_and_counted(n_groups: int) -> None:
    """Only group 0 has positives: the chance of a draw without it is (1 - 1/M)^M."""
    ranks = np.array([0]), 1 + np.arange(n_groups)
    offsets = np.append(0, np.ones(n_groups, dtype=np.int64)), np.arange(n_groups + 1)
    alike, n = np.ones(n_groups), 4000
    arguments = (*ranks, *offsets, None, None, alike, alike, *AUC, 6, n, 2, None)
    values, n_redrawn = kernels.resample_groups(*arguments)
    assert_array_equal(values, 1.0)
    missed = (1 - 1 / n_groups) ** n_groups
    expected = n * missed / (1 - missed)
    assert abs(n_redrawn - expected) < 5 * np.sqrt(n * missed) / (1 - missed)
    assert n_redrawn == reference.resample_groups(*arguments)[1]
