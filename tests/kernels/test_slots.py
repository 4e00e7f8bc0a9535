"""Counting streams in slots: the C++ kernels and their twins agree, and so does the expression of engines."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference
from rocsteady.counting.cells import Binning, Piece, binning_of
from rocsteady.counting.ladder import Anchors, Batch, Slots
from strategies import SCORE_VALUES


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


SCORES = SCORE_VALUES["any floats"][0] | SCORE_VALUES["special floats"][0] | SCORE_VALUES["tied floats"][0]
"""Ties, zeros of both signs, subnormal and huge numbers, infinities."""
N_GROUPS = 3


def floats(draw: st.DrawFn, n: int) -> Any:
    return np.array(draw(st.lists(SCORES, min_size=n, max_size=n)), dtype=np.float64)


def numbers(draw: st.DrawFn, n: int, below: int) -> Any:
    return np.array(draw(st.lists(st.integers(0, below - 1), min_size=n, max_size=n)), dtype=np.int64)


@st.composite
def binnings(draw: st.DrawFn) -> Binning:
    """Made from a sample, as always, or of any pieces that follow each other."""
    if draw(st.booleans()):
        samples = [floats(draw, draw(st.integers(0, 30))) for _ in range(2)]
        return binning_of(*samples, draw(st.integers(1, 40)))
    starts = np.unique(draw(st.lists(st.floats(-1e300, 1e300), max_size=4))).tolist()
    pieces, first = [], 2
    for start in starts:
        n = draw(st.integers(1, 5))
        pieces.append(Piece(start, draw(st.floats(1e-300, 1e300)), first, n))
        first += n
    stop = float(max([*starts, draw(st.floats(-1e300, 1e300))]))
    atoms = np.unique([0.0, *draw(st.lists(st.floats(-3, 3), max_size=2))]) + 0.0
    return Binning(tuple(pieces), stop, tuple(atoms.tolist()) if draw(st.booleans()) else ())


@st.composite
def trees(draw: st.DrawFn) -> tuple[Any, ...]:
    """Scores, groups, a binning and the nodes of cells that were split."""
    binning = draw(binnings())
    n_roots = N_GROUPS * binning.n_cells
    nodes = np.zeros((n_roots, 4))
    for _ in range(draw(st.integers(0, 4))):
        slot, parts = draw(st.integers(0, len(nodes) - 1)), draw(st.integers(1, 4))
        if nodes[slot, 3]:
            continue
        nodes[slot] = (
            draw(st.floats(-10, 10)),
            draw(st.sampled_from([0.0, 0.5, 3.0, 1e300])),
            len(nodes),
            parts,
        )
        nodes = np.concatenate([nodes, np.zeros((parts, 4))])
    n = draw(st.integers(0, 40))
    return floats(draw, n), numbers(draw, n, N_GROUPS), binning, nodes


def slots_of(side: Any, scores: Any, groups: Any, binning: Binning, nodes: Any) -> Any:
    return side.cell_slots(scores, groups, *binning.arrays, binning.n_cells, nodes)


@given(trees())
def test_every_row_has_the_same_leaf(tree: tuple[Any, ...]) -> None:
    *rows, nodes = tree
    ours, theirs = (slots_of(side, *rows, nodes) for side in (kernels, reference))
    assert ours.dtype == theirs.dtype == np.int64
    np.testing.assert_array_equal(ours, theirs)
    if ours.size:
        assert ours.min() >= 0
        assert ours.max() < len(nodes)
        assert (nodes[ours, 3] == 0).all()


@given(trees())
def test_cells_of_a_binning_rise_with_the_score(tree: tuple[Any, ...]) -> None:
    scores, groups, binning, _ = tree
    scores, none = np.sort(scores), np.zeros_like(groups)
    leaves = slots_of(kernels, scores, none, binning, np.zeros((binning.n_cells, 4)))
    atoms = np.isin(scores, binning.atoms) | np.isposinf(scores)
    assert (np.diff(leaves[~atoms]) >= 0).all()
    for leaf in np.unique(leaves[atoms]):  # those have cells of their own
        assert np.unique(scores[leaves == leaf]).size == 1


@given(trees())
def test_engines_put_a_row_into_the_same_cell(tree: tuple[Any, ...]) -> None:
    scores, groups, binning, _ = tree
    frame = nw.from_native(pl.DataFrame({"score": scores + 0.0}))
    found = frame.select(cell=binning.expression(nw.col("score"), nw.when, nw.lit))["cell"].to_numpy()
    own = slots_of(kernels, scores, np.zeros_like(groups), binning, np.zeros((binning.n_cells, 4)))
    np.testing.assert_array_equal(found, own)


@settings(max_examples=20)
@given(binnings())
def test_a_binning_survives_being_written_down(binning: Binning) -> None:
    assert Binning.from_dict(binning.to_dict()) == binning


@st.composite
def anchored_rows(draw: st.DrawFn) -> tuple[Any, ...]:
    anchors = [np.unique(floats(draw, draw(st.integers(0, 6))) + 0.0) for _ in range(N_GROUPS)]
    offsets = np.cumsum([0, *map(len, anchors)], dtype=np.int64)
    n = draw(st.integers(0, 40))
    scores = floats(draw, n)
    flat = np.concatenate(anchors)
    if flat.size and n:
        on = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
        scores = np.where(on, flat[numbers(draw, n, flat.size)], scores)
    return scores, numbers(draw, n, N_GROUPS), flat, offsets


@given(anchored_rows())
def test_every_row_has_the_same_place_among_anchors(rows: tuple[Any, ...]) -> None:
    ours, theirs = kernels.anchor_slots(*rows), reference.anchor_slots(*rows)
    assert ours.dtype == theirs.dtype == np.int64
    np.testing.assert_array_equal(ours, theirs)
    scores, groups, anchors, offsets = rows
    for score, group, slot in zip(scores, groups, ours.tolist(), strict=True):
        mine = anchors[offsets[group] : offsets[group + 1]]
        place, on_anchor = divmod(slot - 2 * int(offsets[group]) - int(group), 2)
        assert place == np.count_nonzero(mine < score)
        assert on_anchor == (score in mine)


@given(st.data(), st.booleans())
def test_slots_hold_the_same_sums_bit_for_bit(data: st.DataObject, weighted: bool) -> None:
    n, n_slots = data.draw(st.integers(0, 50)), 4
    slots = numbers(data.draw, n, n_slots)
    classes = numbers(data.draw, n, 2).astype(np.int8)
    scores = floats(data.draw, n) + 0.0
    weights = None
    if weighted:
        weights = np.array(data.draw(st.lists(st.floats(1e-4, 1e12), min_size=n, max_size=n)), dtype=float)
    sums = [np.tile([0.5, 0.0, np.inf, -np.inf], (n_slots, 1)) for _ in range(2)]
    for side, own in zip((kernels, reference), sums, strict=True):
        side.add_to_slots(slots, classes, scores, weights, own)
    assert sums[0].tobytes() == sums[1].tobytes()
    assert sums[0][:, :2].sum() == pytest.approx(0.5 * n_slots + (n if weights is None else weights.sum()))


@pytest.mark.parametrize("n_members", [3, 2**16 + 2])
def test_rows_of_a_group_come_together_as_they_came(n_members: int) -> None:
    """They are brought together first; sums of weights depend on the order of the rows of a group."""
    rng, n = np.random.default_rng(0), 5000
    members = rng.choice([0, 1, n_members - 1], n)  # of many, the last shares 16 bits with the second
    batch = Batch(rng.integers(0, 9, n) / 8, members, np.zeros(n, dtype=np.int8), rng.random(n))
    scores = np.tile([0.25, 0.5], n_members)
    anchors = Anchors(
        np.repeat(np.arange(n_members), 2), scores, np.ones(scores.size), np.ones(n_members, dtype=np.bool_)
    )
    placed = anchors.placed(iter([batch]))
    expected = Slots(5 * n_members, is_weighted=True)
    expected.add(kernels.anchor_slots(batch.scores, members, anchors.scores, anchors.offsets), batch)
    assert placed.sums.tobytes() == expected.sums.tobytes()
    assert placed.rows is not None
    assert placed.rows.tolist() == expected.rows.tolist()


# Refusals

ROWS = np.array([0.5, 1.5])
NONE, ONE = np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64)
PIECES = (np.array([0.0, 1.0]), np.array([2.0, 2.0]), np.array([2, 4]), np.array([2, 2]), 2.0, np.empty(0))
LEAVES = np.zeros((16, 4))


def with_node(*node: float) -> Any:
    nodes = LEAVES.copy()
    nodes[3] = node
    return nodes


def with_pieces(which: int, value: Any) -> tuple[Any, ...]:
    return (*PIECES[:which], value, *PIECES[which + 1 :])


BAD_CELLS = {
    "too few cells": (ROWS, NONE, *PIECES, 7, LEAVES),
    "no cells": (ROWS, NONE, *PIECES, 0, LEAVES),
    "a piece without a scale": (ROWS, NONE, *with_pieces(1, np.array([2.0])), 8, LEAVES),
    "pieces that overlap": (ROWS, NONE, *with_pieces(2, np.array([2, 3])), 8, LEAVES),
    "a piece beyond the others": (ROWS, NONE, *with_pieces(2, np.array([40, 4])), 8, LEAVES),
    "a piece of nothing": (ROWS, NONE, *with_pieces(3, np.array([0, 4])), 8, LEAVES),
    "parts before their cell": (ROWS, NONE, *PIECES, 8, with_node(0, 1, 2, 2)),
    "parts that are the cell": (ROWS, NONE, *PIECES, 8, with_node(0, 1, 3, 2)),
    "parts beyond the end": (ROWS, NONE, *PIECES, 8, with_node(0, 1, 15, 2)),
    "less than no parts": (ROWS, NONE, *PIECES, 8, with_node(0, 1, 5, -1)),
    "parts that begin between two": (ROWS, NONE, *PIECES, 8, with_node(0, 1, 3.5, 2)),
    "half a part": (ROWS, NONE, *PIECES, 8, with_node(0, 1, 5, 1.5)),
    "pieces that wrap round": (
        ROWS[:0],
        NONE[:0],
        np.arange(4.0),
        np.ones(4),
        np.array([2, 2 + 2**62, 2 - 2**63, 2 - 2**62]),
        np.full(4, 2**62),
        9.0,
        np.empty(0),
        2**62,
        LEAVES,
    ),
    "parts that are no number": (ROWS, NONE, *PIECES, 8, with_node(0, 1, np.nan, 2)),
    "a group too many": (ROWS, 2 * ONE, *PIECES, 8, LEAVES),
    "a negative group": (ROWS, -ONE, *PIECES, 8, LEAVES),
    "a row without a group": (ROWS, NONE[:1], *PIECES, 8, LEAVES),
}
SUMS = np.zeros((2, 4))
CLASSES = np.zeros(2, dtype=np.int8)
REFUSED = {f"cell_slots: {name}": ("cell_slots", rows) for name, rows in BAD_CELLS.items()} | {
    "anchor_slots: offsets": ("anchor_slots", (ROWS, NONE, ROWS, np.array([0, 1]))),
    "anchor_slots: falling": ("anchor_slots", (ROWS, NONE, ROWS, np.array([0, 3, 2]))),
    "anchor_slots: no offsets": ("anchor_slots", (ROWS, NONE, ROWS, np.empty(0, dtype=np.int64))),
    "anchor_slots: groups": ("anchor_slots", (ROWS, ONE, ROWS, np.array([0, 2]))),
    "add_to_slots: slots": ("add_to_slots", (2 * ONE, CLASSES, ROWS, None, SUMS)),
    "add_to_slots: negative": ("add_to_slots", (-ONE, CLASSES, ROWS, None, SUMS)),
    "add_to_slots: classes": ("add_to_slots", (ONE, CLASSES[:1], ROWS, None, SUMS)),
    "add_to_slots: scores": ("add_to_slots", (ONE, CLASSES, ROWS[:1], None, SUMS)),
    "add_to_slots: weights": ("add_to_slots", (ONE, CLASSES, ROWS, ROWS[:1], SUMS)),
}


@pytest.mark.parametrize("side", [kernels, reference], ids=["native", "twin"])
@pytest.mark.parametrize("name", list(REFUSED))
def test_what_does_not_fit_together_is_refused(name: str, side: Any) -> None:
    function, arguments = REFUSED[name]
    with pytest.raises(ValueError):  # bare by design: callers say what is wrong
        getattr(side, function)(*arguments)
    assert not SUMS.any()


def read_only(sums: Any) -> Any:
    sums.flags.writeable = False
    return sums


@pytest.mark.parametrize("side", [kernels, reference], ids=["native", "twin"])
@pytest.mark.parametrize(
    "sums",
    [
        np.zeros((2, 4), order="F"),
        np.zeros((2, 4), dtype=np.float32),
        np.zeros((2, 4), dtype=np.int64),
        np.zeros((4, 4))[::2],
        np.zeros((2, 5)),
        np.zeros(8),
        read_only(np.zeros((2, 4))),
    ],
    ids=["Fortran order", "float32", "integers", "every other row", "five columns", "one axis", "read-only"],
)
def test_sums_that_only_a_copy_could_be_added_to_are_refused(sums: Any, side: Any) -> None:
    with pytest.raises(TypeError):
        side.add_to_slots(NONE, CLASSES, ROWS, None, sums)
    assert not sums.any()


@pytest.mark.parametrize("side", [kernels, reference], ids=["native", "twin"])
def test_classes_of_another_type_are_refused(side: Any) -> None:
    """As int8, 256 would be 0, and a positive a negative."""
    with pytest.raises(TypeError):
        side.add_to_slots(NONE, np.array([256, 256]), ROWS, None, np.zeros((2, 4)))
