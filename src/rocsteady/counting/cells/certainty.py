"""How certain a curve is: how far its area can be off, and how far apart the bounds of a rate are."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.areas import areas_of
from rocsteady.counting.cells.staircases import bound_steps
from rocsteady.counting.cells.table import CellTable

Floats = NDArray[np.float64]

ROUNDING = 2.0**-52
"""Of one addition or product; a sum of n weights is known within n times that, relatively."""


def auc_half_widths(cells: CellTable) -> Floats:
    """How far the area of every member can be from that under its middle curve.

    0 where the curve is known exactly; NaN for a member that lacks a class. Scores are high where the class
    is positive.
    """
    return areas_of(cells).half


def rate_half_widths(cells: CellTable) -> Floats:
    """Half of how far apart the bounds of a rate are where the other is held, at worst, for every member."""
    shares = []
    mixed = cells.is_mixed
    for counts, totals in ((cells.positives, cells.n_positives), (cells.negatives, cells.n_negatives)):
        whole = np.where(totals > 0, totals, np.nan)
        share = np.where(mixed, counts / whole[cells.member], 0.0)
        shares.append(share)
    widest = np.zeros(cells.n_members)
    if cells.are_apart:
        np.maximum.at(widest, cells.member, np.maximum(*shares))
        return widest / 2
    for member in range(cells.n_members):
        widest[member] = _widest_gap(cells.of_members(member, member + 1))
    return widest / 2


def rounding_of(cells: CellTable) -> Floats:
    """What sums of weights may have lost, as a share of a class, for every member; 0 without weights."""
    if not cells.is_weighted:
        return np.zeros(cells.n_members)
    # Adding n numbers that are not negative loses at most n roundings; a rate divides two such sums.
    return np.asarray(4.0 * ROUNDING * (cells.n_rows + np.diff(cells.offsets)), dtype=np.float64)


def _widest_gap(cells: CellTable) -> float:
    """The widest gap between the two paths of one member, up or across."""
    if not (cells.n_positives[0] > 0 and cells.n_negatives[0] > 0):
        return np.nan
    paths = []
    for upper in (True, False):
        steps = bound_steps(cells, upper=upper)
        both = ((steps.negatives, cells.n_negatives[0]), (steps.positives, cells.n_positives[0]))
        paths.append([np.append(0.0, np.cumsum(counts) / total) for counts, total in both])
    (high_x, high_y), (low_x, low_y) = paths
    widest = 0.0
    for better, worse in (((high_x, high_y), (low_x, low_y)), ((low_y, low_x), (high_y, high_x))):
        at = np.unique(np.concatenate([better[0], worse[0]]))  # between them both paths run straight
        for side in ("left", "right"):
            gap = _read(*better, at, side) - _read(*worse, at, side)
            widest = max(widest, float(gap.max()))
    return widest


def _read(held: Floats, free: Floats, at: Floats, side: Literal["left", "right"]) -> Floats:
    """A path where it has reached a rate (left), or is about to leave it (right)."""
    vertex = np.searchsorted(held, at, side=side) - (side == "right")
    vertex = vertex.clip(0, held.size - 1)
    return np.where(held[vertex] == at, free[vertex], np.interp(at, held, free))
