"""The error of each class at operating points of several classes: as a surface in space, and to be read.

Sections pass both pictures an :class:`~rocsteady.points.tables.OperatingPointTable` of several classes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.operating_points import given_table, neighbourhood, require_own_comparison
from rocsteady.figures.spec import (
    GUIDE,
    LOOKS,
    QUIET,
    Axis,
    Entry,
    Faint,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Region,
    even_ticks,
    short_names,
)
from rocsteady.figures.style import TEXT_SIZE
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.text import Count, Quote, phrase, tick, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
_ELEVATION, _AZIMUTH = math.radians(24.0), math.radians(-52.0)
"""From where the surface is seen."""
_LONGEST, _LONGEST_IN_SPACE = 18, 12
"""Letters of the name of a class."""


def class_error_surface(
    table: OperatingPointTable,
    *,
    comparison: PointTests | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the errors of three classes in space, one point for each operating point.

    Error bars would hide the points; :func:`class_errors` has them. Shadows on the floor show where a point
    is.

    Parameters
    ----------
    table : OperatingPointTable
        Of three classes, from :func:`rocsteady.average_multiclass_points`.
    comparison : optional
        From ``table.compare_to(...)``: its chosen point becomes a cross, those that do not differ
        significantly are circled.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if there are not three classes, or the comparison is of another table; RS042 for a size that is
        none.
    """
    table = given_table(table)
    require_own_comparison(comparison, table)
    made = surface(table, comparison=comparison)
    return draw(made.titled(title), words_of(table), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def class_errors(
    table: OperatingPointTable,
    *,
    comparison: PointTests | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the error of every class at every operating point, one line for each point.

    The flat twin of :func:`class_error_surface`, for any number of classes. A line that is low for one class
    and high for another is a trade; the chosen point has bars of one standard error of the mean.

    Parameters
    ----------
    table : OperatingPointTable
        From :func:`rocsteady.average_multiclass_points`.
    comparison : optional
        From ``table.compare_to(...)``: the chosen point is black, those that do not differ significantly are
        dashed. Without it the first point of the table has the bars.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if the axes are in space, or the comparison is of another table; RS042 for a size that is none.
    """
    table = given_table(table)
    require_own_comparison(comparison, table)
    made = picture(table, comparison=comparison).titled(title)
    return draw(made, words_of(table), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(table: OperatingPointTable, *, comparison: PointTests | None = None) -> Picture:
    """The error of every class, one line for each point."""
    measure = table.measure("class_error")
    n_points, n_classes = measure.mean.shape
    places = np.arange(n_classes, dtype=float)
    chosen, others, words = (
        (0, np.zeros(n_points, dtype=bool), None) if comparison is None else neighbourhood(comparison)
    )
    is_plain = ~others & (np.arange(n_points) != chosen)
    plain = Faint(
        [(places, own) for own in measure.mean[is_plain]], look=QUIET, width=0.6, alpha=0.4, name="points"
    )
    entries = [Entry(phrase("operating points" if comparison is None else "other points"), plain)]
    marks: list[Mark] = [plain]
    for own in measure.mean[others]:
        marks.append(Line(places, own, look=LOOKS[1], width=1.1, dash=(4, 1.5), name="alike"))
    if words is not None:
        entries.append(Entry(words, Line((), (), look=LOOKS[1], width=1.1, dash=(4, 1.5))))
    mean, error = measure.mean[chosen], measure.standard_error[chosen]
    marks.append(Line(places, mean, width=1.3, name="chosen"))
    here = Points(
        places, mean, y_limits=(mean - error, mean + error), size=6, capsize=2, bar_width=1, name="chosen"
    )
    marks.append(here)
    which = "first point" if comparison is None else "chosen"
    entries.append(Entry(phrase(f"{which}, ±1 standard error"), here))
    names = tuple(map(Quote, short_names([str(own) for own in table.classes], _LONGEST)))
    top = float(np.nanmax(np.append(measure.mean, mean + error)))
    panel = Panel(
        Axis(phrase("class"), -0.25, n_classes - 0.75, ticks=tuple(places.tolist()), names=names),
        Axis(phrase("error, mean of {folds}", folds=_folds(table)), 0.0, min(1.05 * top, 1.0) or 1.0),
        tuple(marks),
        key=Key(notes=tuple(entries), corners=()),
        aspect=0.8,
    )
    return Picture((panel,), description=phrase("Error of every class at every operating point"))


def surface(table: OperatingPointTable, *, comparison: PointTests | None = None) -> Picture:
    """The errors of three classes in space, seen from one side: a box, shadows on its floor, points."""
    errors = np.asarray(table.measure("class_error").mean)
    if errors.shape[1] != 3:
        raise fail("RS002.three-classes", n_classes=errors.shape[1])
    low, high = errors.min(axis=0), errors.max(axis=0)
    room = np.where(high > low, 0.08 * (high - low), 0.05)
    low, high = np.maximum(low - room * [1, 1, 2], 0.0), np.minimum(high + room, 1.0)
    inside = (errors - low) / (high - low)
    dots = Points(*_seen(inside), look=LOOKS[0], size=3.6, marker="o", name="points")
    shadows = Points(*_seen(inside * [1, 1, 0]), look=GUIDE, size=2.2, alpha=0.6, marker="o", name="shadow")
    names = short_names([str(own) for own in table.classes], _LONGEST_IN_SPACE)
    marks: list[Mark] = [*_box(low, high, names), shadows, dots]
    notes = [Entry(phrase("operating points, mean of {folds}", folds=_folds(table)), dots)]
    notes.append(Entry(phrase("their shadows on the floor"), shadows))
    if comparison is not None:
        chosen, others, words = neighbourhood(comparison)
        here = Points(*_seen(inside[[chosen]]), marker="X", size=7, name="chosen")
        circles = Points(*_seen(inside[others]), marker="o", size=7.5, is_open=True, name="alike")
        stem = Line(
            *_seen(inside[[chosen, chosen]] * [[1, 1, 0], [1, 1, 1]]), look=QUIET, width=0.7, name="stem"
        )
        marks += [stem, circles, here]
        notes += [Entry(phrase("chosen"), here), Entry(words, circles)]
    ends = _seen(np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 0]]))
    left, right, bottom, top = (
        ends[0].min() - 0.2,
        ends[0].max() + 0.34,
        ends[1].min() - 0.1,
        ends[1].max() + 0.12,
    )
    x, y = (
        Axis(None, float(a), float(b), ticks=(), is_shown=False) for a, b in ((left, right), (bottom, top))
    )
    aspect = float((top - bottom) / (right - left))
    panel = Panel(x, y, tuple(marks), key=Key(notes=tuple(notes), corners=()), aspect=aspect)
    return Picture((panel,), description=phrase("Errors of three classes at every operating point, in space"))


def _seen(places: Any) -> tuple[Floats, Floats]:
    """Across and up, of places in a box from 0 to 1: corner (1, 0, 0) is in front, (0, 1, 0) behind."""
    x, y, z = np.asarray(places, dtype=float).T
    along = math.cos(_AZIMUTH) * x + math.sin(_AZIMUTH) * y
    across = math.cos(_AZIMUTH) * y - math.sin(_AZIMUTH) * x
    return across, math.cos(_ELEVATION) * z - math.sin(_ELEVATION) * along


_SIDES = (
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]],
    [[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]],
    [[0, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]],
)
"""The floor and the walls behind."""
_EDGES = (
    ([0, 0, 0], [1, 0, 0], "right", (-3.0, -4.0), (-14.0, -17.0)),
    ([1, 0, 0], [1, 1, 0], "left", (3.0, -4.0), (14.0, -17.0)),
    ([1, 1, 0], [1, 1, 1], "left", (4.0, 0.0), (4.0, 11.0)),
)
"""Where numbers stand: from, to, at which side, how far off in points; and how far off the name is."""


def _box(low: Floats, high: Floats, names: Sequence[str]) -> list[Mark]:
    """Its sides, and numbers and names along the edges in front."""
    marks: list[Mark] = []
    for corners in _SIDES:
        x, y = _seen(corners)
        marks.append(Region(x, y, look=GUIDE, alpha=0.1, name="side"))
        marks.append(
            Line(np.append(x, x[0]), np.append(y, y[0]), look=GUIDE, width=0.6, dash=(), name="side")
        )
    for k, (start, stop, across, off, away) in enumerate(_EDGES):
        first, run = np.array(start, dtype=float), np.array(stop, dtype=float) - start
        marks.append(Line(*_seen([first, first + run]), width=0.8, name="edge"))
        side: Any = {"across": across, "off": off, "name": "tick"}
        for value in even_ticks(float(low[k]), float(high[k]), 3):
            share = (value - low[k]) / (high[k] - low[k])
            if 0.03 < share < 0.97:  # numbers of two edges would meet in a corner
                (x,), (y,) = _seen([first + run * share])
                marks.append(Label(float(x), float(y), Quote(tick(value)), **side))
        (x,), (y,) = _seen([first + run * (1.0 if k == 2 else 0.5)])
        side |= {"across": "right" if k == 2 else across, "off": away, "smaller": 0.0, "name": "axis"}
        marks.append(Label(float(x), float(y), phrase("error of {name}", name=Quote(names[k])), **side))
    return marks


def _folds(table: OperatingPointTable) -> Count:
    return Count(len(table.folds), table.unit)
