"""Twins that count the rows of a stream in slots: leaves of a tree of cells, or places among anchors."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def cell_slots(
    scores: Floats,
    groups: Integers,
    starts: Floats,
    scales: Floats,
    firsts: Integers,
    sizes: Integers,
    stop: float,
    atoms: Floats,
    n_cells: int,
    nodes: Floats,
) -> Integers:
    """The leaf that every row belongs to.

    Parameters
    ----------
    scores, groups : arrays
        One entry per row; no score is NaN.
    starts, scales, firsts, sizes : arrays
        Straight pieces: scores from a start on have the cell ``first + floor((score - start) * scale)``, at
        most ``first + size - 1``. Cell 0 is -inf, 1 all scores below the first start; above the last piece
        come all scores from ``stop`` on, then the atoms, then +inf.
    atoms : array
        Scores with cells of their own.
    n_cells : int
        Group ``g`` has the slots from ``g * n_cells`` on.
    nodes : array, (n_slots, 4)
        Into what each slot was split, if it was: start, scale, first part, number of parts. Parts come later.
    """
    fits = starts.size == scales.size == firsts.size == sizes.size and (sizes >= 1).all()
    # Cells of a piece follow those of the one before. Python's integers: sums of int64 could wrap round.
    *bounds, above = itertools.accumulate(sizes.tolist(), initial=2)
    if not fits or firsts.tolist() != bounds or above + 2 + atoms.size > n_cells:
        raise ValueError("pieces and cells do not fit together")
    n_slots = nodes.shape[0]
    split = np.flatnonzero(nodes[:, 3] != 0)
    first, parts = nodes[split, 2], nodes[split, 3]
    whole = (first == np.floor(first)) & (parts == np.floor(parts))
    if not (whole & (parts >= 1) & (first > split) & (first + parts <= n_slots)).all():
        raise ValueError("the parts of a cell must come after it")
    first_child, n_children = np.zeros((2, n_slots), dtype=np.int64)
    first_child[split], n_children[split] = first.astype(np.int64), parts.astype(np.int64)
    _require_groups(groups, scores.size, n_slots // n_cells)
    piece = np.searchsorted(starts, scores, side="right") - 1
    cell = np.ones(scores.size, dtype=np.int64)
    for i in range(starts.size):
        own = piece == i
        cell[own] = firsts[i] + _inside(scores[own], starts[i], scales[i], sizes[i])
    cell[scores >= stop] = above
    for i, atom in enumerate(atoms):
        cell[scores == atom] = above + 1 + i
    cell[scores == -np.inf] = 0
    cell[scores == np.inf] = above + 1 + atoms.size
    slots = groups * n_cells + cell
    while scores.size:
        to_split = np.flatnonzero(n_children[slots])
        if not to_split.size:
            break
        own = slots[to_split]
        inside = _inside(scores[to_split], nodes[own, 0], nodes[own, 1], n_children[own])
        slots[to_split] = first_child[own] + inside
    return slots


def _inside(scores: Floats, start: Floats | float, scale: Floats | float, n: Integers | int) -> Integers:
    """Which of n equal parts a score is in; those beyond the ends are in the last and the first."""
    with np.errstate(over="ignore", invalid="ignore"):
        place = np.floor((scores - start) * scale)
    place = np.where(np.asarray(n) == 1, 0.0, place)
    place = np.where(np.isnan(place), np.inf, place)  # an infinite distance times nothing
    return np.clip(place, 0, np.asarray(n) - 1).astype(np.int64)


def anchor_slots(scores: Floats, groups: Integers, anchors: Floats, offsets: Integers) -> Integers:
    """The place of every row among the anchors of its group.

    Group ``g`` has the rising, distinct anchors ``offsets[g]:offsets[g + 1]``, k of them, and 2k + 1 slots
    from ``2 * offsets[g] + g`` on: slot 2j lies before anchor j and after the one before, slot 2j + 1 on it.
    """
    if not offsets.size or offsets[0] != 0 or offsets[-1] != anchors.size or (np.diff(offsets) < 0).any():
        raise ValueError("offsets must run from 0 to the number of anchors, and must not fall")
    _require_groups(groups, scores.size, offsets.size - 1)
    slots = np.empty(scores.size, dtype=np.int64)
    order = order_by_group(groups, offsets.size - 1)
    stops = np.cumsum(np.bincount(groups, minlength=offsets.size - 1))
    for group in np.unique(groups).tolist():
        own = order[stops[group - 1] if group else 0 : stops[group]]
        mine = anchors[offsets[group] : offsets[group + 1]]
        left = np.searchsorted(mine, scores[own], side="left")
        on_anchor = np.searchsorted(mine, scores[own], side="right") > left
        slots[own] = 2 * (offsets[group] + left) + on_anchor + group
    return slots


def add_to_slots(
    slots: Integers, classes: NDArray[np.int8], scores: Floats, weights: Floats | None, sums: Floats
) -> None:
    """Add rows to their slots, in place, one after the other.

    ``sums`` has a row for each slot: positives, negatives (rows, or their weights), lowest and highest score.
    Whatever else than a writable float64 array in C order is a ``TypeError``: a copy of it would be added to.
    """
    if sums.dtype != np.float64 or sums.ndim != 2 or sums.shape[1] != 4 or not sums.flags.carray:
        raise TypeError("sums must be a writable float64 array of (slots, 4) in C order")
    if classes.dtype != np.int8:
        raise TypeError("classes must be int8")
    fits = classes.size == scores.size == slots.size and (weights is None or weights.size == slots.size)
    if not fits or (slots.size and not (slots.min() >= 0 and slots.max() < sums.shape[0])):
        raise ValueError("rows and slots do not fit together")
    np.add.at(sums, (slots, np.where(classes != 0, 0, 1)), 1.0 if weights is None else weights)
    np.minimum.at(sums[:, 2], slots, scores)
    np.maximum.at(sums[:, 3], slots, scores)


def order_by_group(groups: Integers, n_groups: int) -> Integers:
    """The order that brings the rows of a group together, those of each as they came."""
    _require_groups(groups, groups.size, n_groups)
    return np.argsort(groups, kind="stable")


def _require_groups(groups: Integers, n_rows: int, n_groups: int) -> None:
    if (
        groups.size != n_rows
        or n_groups < 0
        or (n_rows and not (groups.min() >= 0 and groups.max() < n_groups))
    ):
        raise ValueError("every row must have a group, numbered below n_groups")
