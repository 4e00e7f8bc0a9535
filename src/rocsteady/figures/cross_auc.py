"""The AUC of every group's positives against every group's negatives, as a map.

Sections pass :func:`picture` the matrix of :func:`rocsteady.cross_auc`, the names of its groups and, where it
is known, the :class:`~rocsteady.inference.comparability.Comparability` of the same scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.spec import (
    GUIDE,
    INK,
    LOOKS,
    Axis,
    Bars,
    Cells,
    Entry,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Region,
    fitting_names,
)
from rocsteady.figures.style import ACCENT, GROUND, TEXT_SIZE
from rocsteady.inference.comparability import Comparability
from rocsteady.options import one_of, rate_range
from rocsteady.text import AUC, Count, Item, Limits, P, Quote, Rate, noun, phrase, tick, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

ORDERS = ("given", "level")
MOST_NUMBERS = 9
"""Groups whose AUCs are written into the cells."""
MOST_NAMED = 16
"""Groups whose names stand at the axes."""
_WIDEST = 7.0
"""Width of a name, in sizes of the text."""
_LEAST_SPAN = 0.02
_DARK = 0.55
"""Shade of a cell from which numbers on it have the colour of the ground."""
_LIGHTEST = 0.06
"""Shade of the lowest AUC: cells without one are white, and hatched."""
_EMPTY = replace(GUIDE, hatch="////")


def cross_auc(
    matrix: Floats,
    *,
    names: Sequence[object] | None = None,
    comparability: Comparability | None = None,
    order: str | None = None,
    unit: str = "group",
    limits: tuple[float, float] | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the positives of each group stand against the negatives of each group.

    Cells on the framed diagonal are the AUCs of the groups themselves. Where scores mean the same in all
    groups, the others differ from them by sampling error only; a dark row with a light column is a group
    that scores high as a whole. Cells without an AUC are hatched.

    Parameters
    ----------
    matrix : (M, M) array
        From :func:`rocsteady.cross_auc`: ``[i, j]`` has the positives of group i and the negatives of j.
    names : sequence, optional
        Of the groups: ``score_set.names``.
    comparability : Comparability, optional
        From :func:`rocsteady.comparability` of the same scores: what one threshold for all costs is then in
        the key.
    order : {"given", "level"}, optional
        How groups stand: as they came, or those first that score low as a whole, which a comparability
        knows. By default as they came if they are named, else by level if that is known.
    unit : str
        The word for a group, where no comparability has it.
    limits : (float, float), optional
        The AUCs of the lightest and of the darkest colour, so that maps of several models can be compared;
        by default the lowest and the highest of the matrix.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a square matrix of AUCs, for the comparability of other scores, and for levels
        that are not known; RS013 if there are not as many names as groups; RS001 and RS042 for words and
        numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> readers = rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [8, 6, 7, 5])])
    >>> axes = cross_auc(rs.cross_auc(readers), names=["Anna", "Jan"])
    >>> [text.get_text() for text in axes.texts]
    ['0.75', '0.00', '1.00', '0.75']
    """
    made = picture(matrix, names=names, comparability=comparability, order=order, unit=unit, limits=limits)
    return draw(made.titled(title), words_of(None), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    matrix: Floats,
    *,
    names: Sequence[object] | None = None,
    comparability: Comparability | None = None,
    order: str | None = None,
    unit: str = "group",
    limits: tuple[float, float] | None = None,
) -> Picture:
    """The figure as a description."""
    areas = _given_areas(matrix)
    found = _given_comparability(comparability, areas)
    places = _places(order, areas, found)
    labels = [_given_names(names, areas, found)[i] for i in places]
    areas, n = areas[np.ix_(places, places)], len(areas)
    low, high = colour_range(areas) if limits is None else rate_range("limits", limits)
    share = np.clip((areas - low) / (high - low), 0, 1)
    shades = _LIGHTEST + (1 - _LIGHTEST) * share
    edges = np.arange(n + 1) - 0.5
    marks: list[Mark] = []
    if not np.isfinite(areas).all():
        marks.append(
            Region(
                [-0.5, n - 0.5, n - 0.5, -0.5],
                [-0.5, -0.5, n - 0.5, n - 0.5],
                look=_EMPTY,
                alpha=0.35,
                is_hatched=True,
                name="no AUC",
            )
        )
        marks.append(Cells(edges, edges, np.where(np.isfinite(areas), 0, -1), (GROUND,), name="ground"))
    marks.append(Cells(edges, edges, np.where(np.isfinite(areas), 0, -1), (LOOKS[0],), shades, name="cells"))
    marks += _diagonal(n)
    if n <= MOST_NUMBERS:
        marks += [
            Label(
                column, row, Quote(tick(area, 2)), across="middle", smaller=2.0, name="area",
                look=GROUND if shades[row, column] > _DARK else INK,
            )
            for (row, column), area in np.ndenumerate(areas)
            if np.isfinite(area)
        ]  # fmt: skip
    is_named = n <= MOST_NAMED
    short = tuple(map(Quote, fitting_names(labels, _WIDEST))) if is_named else ()
    ticks = tuple(map(float, range(n))) if is_named else ()
    x = Axis(phrase("negatives of"), -0.5, n - 0.5, ticks=ticks, names=short, is_shown=False)
    y = Axis(phrase("positives of"), n - 0.5, -0.5, ticks=ticks, names=short, is_shown=False)
    scale = [low, (low + high) / 2, high]
    entries = tuple(
        Entry(
            Quote(tick(value, 2)),
            Bars([0], [1], look=LOOKS[0], alpha=_LIGHTEST + (1 - _LIGHTEST) * k / 2, outline=0.4),
        )
        for k, value in enumerate(scale)
    )
    notes = [*_notes(found, n, unit if found is None else found.unit)]
    if (np.diff(places) < 0).any():
        notes.append(phrase("those first that score low as a whole"))
    key = Key(notes=(*entries, *map(Entry, notes)), title=phrase("AUC"), corners=())
    panel = Panel(x, y, tuple(marks), key=key, aspect=1.0)
    return Picture(
        (panel,), description=phrase("AUC of the positives of each group against the negatives of each")
    )


def colour_range(areas: Floats) -> tuple[float, float]:
    """AUCs of the lightest and the darkest colour unless ``limits`` says: the lowest and the highest."""
    known = areas[np.isfinite(areas)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    if high - low < _LEAST_SPAN:  # differences that nobody should see
        low, high = (low + high - _LEAST_SPAN) / 2, (low + high + _LEAST_SPAN) / 2
    return max(low, 0.0), min(high, 1.0)


def _given_areas(matrix: object) -> Floats:
    """The matrix, if it is one of AUCs; RS002 otherwise."""
    try:
        areas = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        areas = np.empty(0)
    is_square = areas.ndim == 2 and areas.shape[0] == areas.shape[1] > 0
    if is_square and not ((areas < 0) | (areas > 1)).any():
        return areas
    found = f"shape {areas.shape}" if areas.ndim == 2 and not is_square else described(matrix)
    way = "rs.plot.cross_auc(rs.cross_auc(score_set), names=score_set.names)"
    raise fail("RS002.drawn-from", what="a square matrix of AUCs, from 0 to 1", found=found, ways=[way])


def _given_comparability(comparability: object, areas: Floats) -> Comparability | None:
    """It, if it is of the same groups; RS002 otherwise."""
    if comparability is None:
        return None
    ways = ["of the scores drawn:  comparability=rs.comparability(score_set)"]
    if not isinstance(comparability, Comparability):
        found = described(comparability)
        raise fail("RS002.kind", name="comparability", kind="a Comparability", found=found, ways=ways)
    own = np.diag(areas)[np.isfinite(np.diag(areas))]
    if own.shape == comparability.aucs.shape and np.allclose(own, comparability.aucs):
        return comparability
    raise fail("RS002.elsewhere", name="comparability", found=comparability, ways=ways)


def _places(order: str | None, areas: Floats, found: Comparability | None) -> NDArray[np.intp]:
    """Which group stands where; RS002 if levels are asked for and not known."""
    n = len(areas)
    is_known = found is not None and len(found.members) == n
    usual = "level" if is_known and n > MOST_NAMED else "given"
    if (usual if order is None else one_of("order", order, ORDERS)) == "given":
        return np.arange(n)
    if found is None or not is_known:
        raise fail("RS002.levels-unknown", is_given=found is not None)
    return np.argsort(found.positive_aucs - found.negative_aucs, kind="stable")


def _given_names(names: object, areas: Floats, found: Comparability | None) -> list[str]:
    if names is None:
        given = found.members if found is not None and len(found.members) == len(areas) else None
        return [str(name) for name in given or range(1, len(areas) + 1)]
    is_list = isinstance(names, Sequence | np.ndarray) and not isinstance(names, str)
    if is_list and len(names) == len(areas):  # type: ignore[arg-type]
        return [str(name) for name in names]  # type: ignore[attr-defined]
    way = "names=score_set.names"
    raise fail("RS013.one-each", name="names", of="group", n=len(areas), found=described(names), ways=[way])


def _diagonal(n: int) -> list[Mark]:
    """Every group against itself: framed, or a line where cells are small."""
    if n > MOST_NAMED:
        return [Line([-0.5, n - 0.5], [-0.5, n - 0.5], look=ACCENT, width=0.8, dash=(), name="diagonal")]
    # White around, so that the frame is seen on dark and on light cells.
    return [
        Line(
            np.array([-0.5, 0.5, 0.5, -0.5, -0.5]) + k, np.array([-0.5, -0.5, 0.5, 0.5, -0.5]) + k,
            look=look, width=width, dash=(), name="diagonal",
        )
        for look, width in ((GROUND, 2.6), (ACCENT, 1.2))
        for k in range(n)
    ]  # fmt: skip


def _notes(found: Comparability | None, n: int, unit: str) -> list[Item]:
    """What is framed; and what one threshold for all costs, if that is known."""
    where = "framed" if n <= MOST_NAMED else "on the line"
    notes: list[Item] = [
        phrase(f"{{groups}}; {where}: each {{unit}} by itself", groups=Count(n, unit), unit=Quote(noun(unit)))
    ]
    if found is not None and np.isfinite(found.price):
        own, shared = Rate(AUC, found.own_auc), Rate(AUC, found.shared_auc)
        limits = found.price_interval
        price = Rate(AUC, found.price, Limits(limits.low, limits.high, limits.confidence_level))
        notes.append(phrase("AUC {own} by own, {shared} by one {threshold} for all:", own=own, shared=shared))
        notes.append(phrase("that costs {price:cell}, {p}", price=price, p=P(found.pvalue)))
    return notes
