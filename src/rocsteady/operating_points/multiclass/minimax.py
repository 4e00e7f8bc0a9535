"""The smallest possible largest class error of two or three classes, by looking at every decision rule.

With a = log(w1/w3) and b = log(w2/w3) the weights of three classes are points of a plane. A row of outputs
(y1, y2, y3) changes sides on the lines a = log(y3/y1), b = log(y3/y2) and a - b = log(y2/y1), so within a
cell of the arrangement of all these lines no decision changes. One point inside each cell is tried, which is
about n**2 points; a row of class 1 needs only the two lines that concern class 1, and so on.

Points on a line need no look of their own. There ties go to the lowest class, and so they do in the cell that
one reaches by raising w1 a little and w2 a little less.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from rocsteady.errors import fail
from rocsteady.operating_points.multiclass.class_errors import (
    ClassRows,
    ClassWeightPoint,
    class_rows,
    objective,
    require_multiclass,
)
from rocsteady.operating_points.multiclass.deciding import Floats, Integers, normalized
from rocsteady.results import read_only
from rocsteady.scores.multiclass import MulticlassScores

MOST_ROWS = {2: 20_000, 3: 1000}
"""Rows of all folds, by the number of classes: time grows with n**2 and n**3."""
FARTHEST = 170.0
"""Logarithms of weight ratios stay within this, a ratio of 1e73: far beyond it products would be zero."""
_BLOCK = 2**18
"""Weight vectors tried at once; bounds the memory and does not change the answer."""


def exact_class_weights(
    multiclass_scores: MulticlassScores, *, threads: int | None = None
) -> ClassWeightPoint:
    """The smallest largest class error that any class weights attain, for two or three classes.

    Of all weights that attain it the smallest mean class error decides, then how far the decisions are from
    changing: the point returned lies inside its cell.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        Two classes and up to 20,000 rows, or three and up to 1,000. All folds are stacked.
    threads : int, optional
        All cores if not given. The result does not depend on it.

    Returns
    -------
    ClassWeightPoint
        Its errors are those of :func:`rocsteady.decide` with its weights, on the rows they were chosen on.

    Raises
    ------
    UsageError
        RS042 for more classes or rows.
    DataError
        RS076 if outputs are negative, RS078 if a class has no rows.

    See Also
    --------
    rocsteady.search_class_weights : For any number of classes and rows; need not find the minimum.

    Notes
    -----
    Cells thinner than the rounding of weights cannot be hit, and no weights in float64 use them. Weight
    ratios beyond 1e73 are not looked at.

    Examples
    --------
    >>> import rocsteady as rs
    >>> posteriors = [[0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.4, 0.6]]
    >>> rs.exact_class_weights(rs.MulticlassScores(["a", "a", "b", "b"], posteriors))
    ClassWeightPoint(weights 0.1429, 0.8571: largest class error 0.5)
    """
    scores = require_multiclass("exact_class_weights", multiclass_scores)
    _require_small(scores)
    rows = class_rows(scores)
    cells = _cells_of_two(rows) if scores.n_classes == 2 else _cells_of_three(rows)
    best: tuple[Floats, Integers, float] | None = None
    for logarithms, widths in cells:
        weights = normalized(np.exp(np.column_stack([logarithms, np.zeros(len(logarithms))])))
        counts, margins = rows.error_counts(weights, threads), widths
        if best is not None:  # the best so far goes first, and stays if nothing is better
            weights, counts = np.vstack([best[0], weights]), np.vstack([best[1], counts])
            margins = np.append(best[2], margins)
        first = _first_of_the_widest(counts, margins, rows)
        best = weights[first], counts[first], float(margins[first])
    if best is None:
        raise RuntimeError("an arrangement has at least one cell")
    errors = best[1] / rows.sizes
    return ClassWeightPoint(
        scores.classes, read_only(best[0]), read_only(errors), float(errors.max()), float(errors.mean())
    )


def _require_small(scores: MulticlassScores) -> None:
    if scores.n_classes not in MOST_ROWS:
        raise fail("RS042.many-classes", n_classes=scores.n_classes)
    most = MOST_ROWS[scores.n_classes]
    if scores.n_rows > most:
        raise fail("RS042.many-rows", n_classes=scores.n_classes, most=most, n_rows=scores.n_rows)


def _first_of_the_widest(counts: Integers, margins: Floats, rows: ClassRows) -> int:
    order = objective(counts, rows.sizes).order()
    alike = order[(counts[order] == counts[order[0]]).all(axis=1)]
    return int(alike[np.argmax(margins[alike])])


def _lines(rows: ClassRows, one: int, other: int) -> Floats:
    """Where rows of two classes change sides between them: log(y_other / y_one), sorted, each once."""
    own = [slice(*rows.offsets[c : c + 2]) for c in (one, other)]
    above, below = (np.concatenate([rows.columns[c, part] for part in own]) for c in (other, one))
    both = (above > 0) & (below > 0)  # an output of zero never wins: there is no line
    # The quotient is rounded once, so rows with the same ratio have the same line.
    found = np.log(np.unique(above[both] / below[both]))
    return np.unique(found[np.abs(found) < FARTHEST])


def _cells_of_two(rows: ClassRows) -> Iterator[tuple[Floats, Floats]]:
    """Points log(w1/w2) between the lines, and how far the next line is."""
    lines = _lines(rows, 0, 1)
    ends = np.concatenate([[-_reach(lines)], lines, [_reach(lines)]])
    yield ((ends[1:] + ends[:-1]) / 2)[:, None], np.diff(ends) / 2


def _reach(*lines: Floats) -> float:
    """Half the side of a square that meets every cell: no two lines cross beyond twice the farthest."""
    farthest = max((float(np.abs(part).max()) for part in lines if part.size), default=0.0)
    return min(3 * farthest + 2, FARTHEST)


def _cells_of_three(rows: ClassRows) -> Iterator[tuple[Floats, Floats]]:
    """Points (log(w1/w3), log(w2/w3)), one inside each cell, and how far it may move."""
    vertical, horizontal, oblique = _lines(rows, 0, 2), _lines(rows, 1, 2), _lines(rows, 0, 1)
    reach = _reach(vertical, horizontal, oblique)
    sides = [
        np.concatenate([[-reach], lines[np.abs(lines) < reach], [reach]]) for lines in (vertical, horizontal)
    ]
    low, high = sides[1][:-1], sides[1][1:]
    held: list[tuple[Floats, Floats]] = []
    for left, right in itertools.pairwise(sides[0]):
        held.append(_cut_by_oblique(left, right, low, high, oblique))
        if sum(len(margins) for _, margins in held) > _BLOCK:
            yield _joined(held)
            held = []
    if held:
        yield _joined(held)


def _joined(parts: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    return np.concatenate([points for points, _ in parts]), np.concatenate([margins for _, margins in parts])


def _cut_by_oblique(
    left: float, right: float, low: Floats, high: Floats, oblique: Floats
) -> tuple[Floats, Floats]:
    """The cells of a column of rectangles (left, right) x (low, high), cut by the lines a - b = oblique."""
    # a - b runs from left - high to right - low within a rectangle; the lines between cut it into strips.
    first = np.searchsorted(oblique, left - high, side="right")
    last = np.searchsorted(oblique, right - low, side="left")
    n_strips = np.maximum(last - first, 0) + 1
    cell = np.repeat(np.arange(low.size), n_strips)
    strip = np.arange(cell.size) - np.repeat(np.cumsum(n_strips) - n_strips, n_strips)
    padded = np.concatenate([[-np.inf], oblique, [np.inf]])
    below = np.maximum(padded[first[cell] + strip], (left - high)[cell])
    above = np.minimum(padded[first[cell] + strip + 1], (right - low)[cell])
    difference = (below + above) / 2
    start, stop = np.maximum(left, low[cell] + difference), np.minimum(right, high[cell] + difference)
    a = (start + stop) / 2
    margins = np.minimum(above - below, stop - start) / 2
    return np.column_stack([a, a - difference]), margins
