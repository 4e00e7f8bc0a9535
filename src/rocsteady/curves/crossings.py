"""Where two empirical curves cross, exactly, and which one is ahead where.

A curve only ever goes up and to the right, so it has one point on each falling diagonal FPR + TPR = s. Turned
by 45 degrees, two curves are two continuous functions of s, linear between vertices, even where a curve rises
straight up; they cross where the difference changes its sign. Counts are integers: every sign is exact.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from rocsteady.arrays import Counts
from rocsteady.curves.from_scores import described
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail
from rocsteady.results import TableResult
from rocsteady.words import counted, printable

Node = tuple[Fraction, Fraction]
"""The sum s and by how much the first curve is ahead there, both in units of ``1 / scale``."""
Point = tuple[float, float]
_MOST = 500_000
"""Below this scale no product passes 64 bits: the largest is 24 times its cube."""


@dataclass(frozen=True)
class Stretch:
    """A part of the square in which one curve is ahead, or both run together.

    Attributes
    ----------
    start, end : (FPR, TPR)
        Where the two curves meet before and after.
    ahead : int
        1 if the first curve is nearer to the upper left, -1 if the second is, 0 if they are the same.
    area : float
        Between the curves; negative where the second is ahead. All of them add up to the difference of the
        AUCs.
    """

    start: Point
    end: Point
    ahead: int
    area: float


@dataclass(frozen=True, eq=False, repr=False)
class Crossings(TableResult):
    """All crossings of two curves, from :func:`crossings`.

    Attributes
    ----------
    stretches : tuple of Stretch
        From (0, 0) to (1, 1). Where two of them with different ``ahead`` follow each other, or enclose one in
        which the curves run together, the curves cross; to touch is not to cross.
    names : (str, str)
        What the curves are called.
    """

    stretches: tuple[Stretch, ...]
    names: tuple[str, str]

    @property
    def points(self) -> tuple[Point, ...]:
        """Where the curves cross; where they run together before, the end of that stretch."""
        ahead = [stretch for stretch in self.stretches if stretch.ahead]
        pairs = pairwise(ahead)
        return tuple(later.start for earlier, later in pairs if earlier.ahead != later.ahead)

    @property
    def area(self) -> float:
        """The AUC of the first curve less that of the second."""
        return math.fsum(stretch.area for stretch in self.stretches)

    _told = ("points",)

    def _columns(self) -> dict[str, Sequence[Any]]:
        words = {1: self.names[0], -1: self.names[1], 0: "both"}
        return {
            "fpr_from": [own.start[0] for own in self.stretches],
            "tpr_from": [own.start[1] for own in self.stretches],
            "fpr_to": [own.end[0] for own in self.stretches],
            "tpr_to": [own.end[1] for own in self.stretches],
            "ahead": [words[own.ahead] for own in self.stretches],
            "area": [own.area for own in self.stretches],
        }

    def __repr__(self) -> str:
        names = " and ".join(map(printable, self.names))
        return f"Crossings({names}: {counted(len(self.points), 'crossing')})"


def crossings(first: RocCurve, second: RocCurve) -> Crossings:
    """Find every crossing of two curves from counts, and the area between them on each side of it.

    Parameters
    ----------
    first, second : RocCurve
        Of any cases; they need not be the same. Weighted curves work, slowly.

    Returns
    -------
    Crossings
        ``.points``, and ``.stretches`` in which one curve is ahead. It counts what is seen in these cases;
        how sure that is, :func:`rocsteady.winner_map` says for several groups.

    Raises
    ------
    UsageError
        RS002 for anything but a curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> strict = rs.roc_curve([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], name="strict")
    >>> loose = rs.roc_curve([0, 1, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1], name="loose")
    >>> found = rs.crossings(strict, loose)
    >>> found
    Crossings(strict and loose: 1 crossing)
    >>> [(round(fpr, 6), round(tpr, 6)) for fpr, tpr in found.points]
    [(0.333333, 0.666667)]
    >>> [stretch.ahead for stretch in found.stretches], round(found.area, 12)
    ([1, -1, 0], 0.111111111111)
    """
    for given in (first, second):
        if not isinstance(given, RocCurve):
            raise fail("RS002.crossings", found=described(given))
    is_weighted = first.is_weighted or second.is_weighted
    sizes = (first.n_positives, first.n_negatives, second.n_positives, second.n_negatives)
    scale = 1 if is_weighted else math.lcm(*sizes)  # weights: fractions
    of_first, of_second = _turned(first, scale), _turned(second, scale)
    sums = np.unique(np.concatenate([of_first[0], of_second[0]]))
    (above, run), (other_above, other_run) = _heights(*of_first, sums), _heights(*of_second, sums)
    gaps = above * other_run - other_above * run
    columns = (sums.tolist(), gaps.tolist(), (run * other_run).tolist())
    nodes = [(Fraction(total), Fraction(gap, width)) for total, gap, width in zip(*columns, strict=True)]
    stretches = tuple(_stretch(part, *of_first, scale) for part in _parts(_with_zeros(nodes)))
    return Crossings(stretches, (first.name or "first", second.name or "second"))


def _turned(curve: RocCurve, scale: int) -> tuple[Counts, Counts]:
    """TPR + FPR and TPR - FPR at every vertex, integers in units of ``1 / scale``; fractions if weighted."""
    rates = []
    for counts in (curve.true_positives, curve.false_positives):
        total = counts[-1].item()
        if scale == 1:  # of weights, or of one case of each class
            rates.append(np.array([Fraction(count) / Fraction(total) for count in counts.tolist()]))
        else:
            rates.append(counts.astype(np.int64 if scale < _MOST else object) * (scale // total))
    tpr, fpr = rates
    kept = np.concatenate([[True], np.diff(tpr + fpr) > 0])  # a weight of 0 moves nothing
    return (tpr + fpr)[kept], (tpr - fpr)[kept]


def _heights(sums: Counts, heights: Counts, at: Counts) -> tuple[Counts, Counts]:
    """The turned curve at some sums, as numerators and denominators."""
    before = np.clip(np.searchsorted(sums, at, side="right") - 1, 0, sums.size - 2)
    run, rise = np.diff(sums)[before], np.diff(heights)[before]
    return heights[before] * run + (at - sums[before]) * rise, run


def _with_zeros(nodes: list[Node]) -> list[Node]:
    """The nodes, and one more where the difference passes through 0 between two of them."""
    found = nodes[:1]
    for (start, before), (end, after) in pairwise(nodes):
        if before * after < 0:
            found.append((start + (end - start) * before / (before - after), Fraction(0)))
        found.append((end, after))
    return found


def _parts(nodes: list[Node]) -> list[list[Node]]:
    """Runs of nodes over which the same curve is ahead; a run ends where the next one starts."""
    parts: list[list[Node]] = []
    signs: list[int] = []
    for left, right in pairwise(nodes):
        total = left[1] + right[1]
        sign = (total > 0) - (total < 0)
        if signs and signs[-1] == sign:
            parts[-1].append(right)
        else:
            parts.append([left, right])
            signs.append(sign)
    return parts


def _stretch(nodes: list[Node], sums: Counts, heights: Counts, scale: int) -> Stretch:
    """The stretch over some nodes; its ends are points of the first curve, turned back and rounded once."""
    ends = []
    for total in (nodes[0][0], nodes[-1][0]):
        after = min(bisect_right(sums.tolist(), total), sums.size - 1)
        left, right = (Fraction(sums[k]) for k in (after - 1, after))
        low, high = (Fraction(heights[k]) for k in (after - 1, after))
        height = low + (high - low) * (total - left) / (right - left)
        ends.append((float((total - height) / (2 * scale)), float((total + height) / (2 * scale))))
    area = sum(
        ((before + after) / 2 * (end - start) for (start, before), (end, after) in pairwise(nodes)),
        Fraction(0),
    )
    ahead = (area > 0) - (area < 0)
    # A square on edge: the diagonals s and TPR - FPR have twice the area of FPR and TPR.
    return Stretch(ends[0], ends[1], ahead, float(area / (2 * scale**2)))
