"""Which cells to split, and into how many: as few rows as needed are read into as few cells as needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.table import CellTable
from rocsteady.counting.tolerance import Tolerance

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

_MARGIN = 0.7
"""Scores are not spread evenly within a cell: aim below what is asked."""


@dataclass(frozen=True, eq=False)
class Level:
    """How cells are split: part ``floor((score - start) * scale)`` of ``parts``; one part is left as it is.

    Attributes
    ----------
    chosen : bool array
        Which cells of the table.
    starts, scales, parts : arrays
        Of each of them.
    """

    chosen: Mask
    starts: Floats
    scales: Floats
    parts: Integers


def next_level(cells: CellTable, tolerance: Tolerance, most_cells: int) -> Level | None:
    """What to split so that the tolerance is met; None where there is nothing to split, or no room.

    All mixed cells are in it, those that need not be split in one part.
    """
    mixed = cells.is_mixed
    if not mixed.any():
        return None
    parts = np.minimum(_parts_wanted(cells, tolerance)[mixed], 2.0 * cells.rows[mixed])
    room, total = max(most_cells - len(cells), 0), float(parts.sum())
    if total > room:  # as far as it goes; what is reached will be told
        parts = np.maximum(parts * (room / total), 1.0)
    whole = np.maximum(np.floor(parts), 1).astype(np.int64)
    low, high = cells.lowest[mixed], cells.highest[mixed]
    with np.errstate(over="ignore", divide="ignore"):
        widths = high - low
        scales = whole / widths
    # A cell may be narrower than floats can be divided by, or wider than they go.
    stays = (whole == 1) | ~np.isfinite(scales) | ~np.isfinite(widths)
    whole[stays] = 1
    if stays.all():
        return None
    return Level(mixed, np.where(stays, 0.0, low), np.where(stays, 0.0, scales), whole)


def heaviest(cells: CellTable, tolerance: Tolerance) -> Mask:
    """The cells that have to go for the tolerance to be met."""
    return np.asarray(cells.is_mixed & (_parts_wanted(cells, tolerance) > 1))


def _parts_wanted(cells: CellTable, tolerance: Tolerance) -> Floats:
    """Into how many cells each is to be split, 1 where it may stay."""
    mixed, parts = cells.is_mixed, np.ones(len(cells))
    of_positives, of_negatives = (
        np.where(mixed, counts / np.maximum(totals, 1e-300)[cells.member], 0.0)
        for counts, totals in (
            (cells.positives, cells.n_positives.astype(np.float64)),
            (cells.negatives, cells.n_negatives.astype(np.float64)),
        )
    )
    if tolerance.auc is not None:
        root = np.sqrt(of_positives * of_negatives)
        target = max(2 * _MARGIN * tolerance.auc, 1e-300)
        # Least cells for a given sum of e / parts: parts go with the root of e.
        factor, is_needed = cells.sums(root) / target, cells.sums(root**2) > target
        parts = np.where(is_needed[cells.member], np.maximum(parts, root * factor[cells.member]), parts)
    if tolerance.rate is not None:
        share = np.maximum(of_positives, of_negatives)
        parts = np.maximum(parts, share / max(2 * _MARGIN * tolerance.rate, 1e-300))
    return np.ceil(np.minimum(parts, 1e15))
