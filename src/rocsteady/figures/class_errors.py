"""The error of each class at operating points of several classes: as a surface in space, and to be read.

Sections pass both pictures an :class:`~rocsteady.points.tables.OperatingPointTable` of several classes; the
page turns the points of a :class:`Space` itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Option, fail
from rocsteady.figures.matplotlib import draw, draw_in_space
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
    evenly,
    short_names,
    width_of,
)
from rocsteady.figures.style import TEXT_SIZE
from rocsteady.options import one_number
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.text import ML, Count, Quote, Text, phrase, tick, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
AZIMUTH, ELEVATION = -52.0, 24.0
"""From where the surface is seen, in degrees."""
_UNITS = 1 / 110
"""Sides of the box that a point of text takes, about."""
_EDGE = 0.03
"""Room around it."""
_SHORTEST = 0.2
"""Of an edge that has numbers, as it is seen; a side of the box is 1 long."""
MOST_POINTS = 400
"""In space; more would be one cloud."""
_LONGEST, _LONGEST_IN_SPACE = 18, 12
"""Letters of the name of a class."""


def class_error_surface(
    table: OperatingPointTable,
    *,
    comparison: PointTests | None = None,
    classes: Sequence[object] | None = None,
    azimuth: float = AZIMUTH,
    elevation: float = ELEVATION,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the errors of three classes in space, one point for each operating point.

    Error bars would hide the points; :func:`class_errors` has them. Shadows on the floor show where a point
    is. For a figure that the mouse turns, in a window or in a notebook with ``%matplotlib widget``, pass axes
    of Matplotlib's that are in space, as in the example.

    Parameters
    ----------
    table : OperatingPointTable
        Of three classes or more, from :func:`rocsteady.average_multiclass_points`.
    comparison : optional
        From ``table.compare_to(...)``: its chosen point becomes a cross, those that do not differ
        significantly are circled.
    classes : three of the classes, optional
        Which are drawn, in the order of the axes; by default the three with the largest errors at the chosen
        point, or at the first.
    azimuth, elevation : float
        From where the box is seen, in degrees: around it, and above its floor (-90 to 90).
    title, text_size
        As in every figure, see :mod:`rocsteady.plot`.
    ax : matplotlib Axes, optional
        Flat ones, or axes in space (``projection="3d"``).

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if there are fewer than three classes, classes are not three of them, or the comparison is of
        another table; RS042 for a size or an angle that is none.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import rocsteady as rs
    >>> outputs = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3]] * 2
    >>> scores = rs.MulticlassScores(["a", "b", "c"] * 2, outputs, folds=[1, 1, 1, 2, 2, 2])
    >>> table = rs.average_multiclass_points(scores, [[1, 1, 1], [1, 1, 2], [1, 2, 2]])
    >>> axes = class_error_surface(table, ax=Figure().add_subplot(projection="3d"))
    >>> axes.get_zlabel()
    'error of c'
    """
    table = given_table(table)
    require_own_comparison(comparison, table)
    turn = one_number("azimuth", azimuth, example=AZIMUTH)
    lift = one_number("elevation", elevation, example=ELEVATION)
    if not -90 <= lift <= 90:
        ways = [Option("elevation", ELEVATION)]
        raise fail("RS042", name="elevation", where="from -90 to 90 degrees", found=lift, ways=ways)
    words = words_of(table)
    if getattr(ax, "name", "") == "3d":
        space = Space.of(table, comparison, classes)
        clouds = space.clouds()
        axes = tuple(Axis(own, *ends) for own, *ends in zip(space.labels, space.low, space.high, strict=True))
        inside = [(mark, space.low + places * (space.high - space.low)) for mark, places in clouds]
        return draw_in_space(  # type: ignore[no-any-return]
            ax, inside, axes, space.key(clouds), words, view=(turn, lift), title=title, text_size=text_size
        )
    made = surface(table, comparison=comparison, classes=classes, azimuth=turn, elevation=lift)
    return draw(made.titled(title), words, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


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


def picture(
    table: OperatingPointTable,
    *,
    comparison: PointTests | None = None,
    beside: tuple[int, Text] | None = None,
) -> Picture:
    """The error of every class, one line for each point; ``beside`` is another one with a name in the key."""
    measure = table.measure("class_error")
    n_points, n_classes = measure.mean.shape
    places = np.arange(n_classes, dtype=float)
    chosen, others, words = (
        (0, np.zeros(n_points, dtype=bool), None) if comparison is None else neighbourhood(comparison)
    )
    is_plain = ~others & (np.arange(n_points) != chosen)
    if beside is not None:
        is_plain[beside[0]] = others[beside[0]] = False
    plain = Faint(
        [(places, own) for own in measure.mean[is_plain]], look=QUIET, width=0.6, alpha=0.4, name="points"
    )
    entries = [Entry(phrase("operating points" if comparison is None else "other points"), plain)]
    marks: list[Mark] = [plain]
    for own in measure.mean[others]:
        marks.append(Line(places, own, look=LOOKS[1], width=1.1, dash=(4, 1.5), name="alike"))
    if words is not None:
        entries.append(Entry(words, Line((), (), look=LOOKS[1], width=1.1, dash=(4, 1.5))))
    if beside is not None:
        other = Line(places, measure.mean[beside[0]], look=LOOKS[0], width=1.3, name="beside")
        marks.append(other)
        entries.append(Entry(beside[1], other))
    mean, error = measure.mean[chosen], measure.standard_error[chosen]
    marks.append(Line(places, mean, width=1.3, name="chosen"))
    here = Points(
        places, mean, y_limits=(mean - error, mean + error), size=6, capsize=2, bar_width=1, name="chosen"
    )
    marks.append(here)
    which = "first point" if comparison is None else "chosen"
    entries.append(Entry(phrase(f"{which}, ±1 standard error"), here))
    names = tuple(map(Quote, short_names(table.class_words, _LONGEST)))
    top = float(np.nanmax(np.append(measure.mean, mean + error)))
    panel = Panel(
        Axis(phrase("class"), -0.25, n_classes - 0.75, ticks=tuple(places.tolist()), names=names),
        Axis(phrase("error, mean of {folds}", folds=_folds(table)), 0.0, min(1.05 * top, 1.0) or 1.0),
        tuple(marks),
        key=Key(notes=tuple(entries), corners=()),
        aspect=0.8,
    )
    return Picture((panel,), description=phrase("Error of every class at every operating point"))


def surface(
    table: OperatingPointTable,
    *,
    comparison: PointTests | None = None,
    classes: Sequence[object] | None = None,
    azimuth: float = AZIMUTH,
    elevation: float = ELEVATION,
) -> Picture:
    """The errors of three classes in space, seen from one side: a box, shadows on its floor, points."""
    space = Space.of(table, comparison, classes)
    seen = Eye(math.radians(azimuth), math.radians(elevation))
    clouds = space.clouds()
    marks: list[Mark] = _box(space, seen)
    for mark, places in clouds:
        across, up, _ = seen(places)
        marks.append(replace(mark, x=across, y=up))
    if space.chosen is not None:
        foot = space.inside[[space.chosen] * 2] * [[1, 1, 0], [1, 1, 1]]
        marks.append(Line(*seen(foot)[:2], look=QUIET, width=0.7, name="stem"))
    left, right, bottom, top = _extent(marks)
    x, y = (Axis(None, a, b, ticks=(), is_shown=False) for a, b in ((left, right), (bottom, top)))
    panel = Panel(x, y, tuple(marks), key=space.key(clouds), aspect=(top - bottom) / (right - left))
    return Picture((panel,), description=space.description)


# Three errors in a box ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Space:
    """Operating points in a box whose sides are the errors of three classes.

    Attributes
    ----------
    table : OperatingPointTable
    classes : tuple of int
        The places of the three classes.
    low, high : (3,) arrays
        The errors at the ends of each side.
    inside : (n_points, 3) array
        Where points lie between them, from 0 to 1.
    chosen : int or None
        The point that others are compared to.
    alike : bool array
        Points that are not significantly different from it.
    said : Text or None
        Words for these.
    points : tuple of int
        The points that are drawn, in the order in which they are: others, those that are alike, the chosen
        one. Of more than 400 the others are some, evenly.
    """

    table: OperatingPointTable
    classes: tuple[int, ...]
    low: Floats
    high: Floats
    inside: Floats
    chosen: int | None
    alike: NDArray[np.bool_]
    said: Text | None
    points: tuple[int, ...]

    @classmethod
    def of(
        cls,
        table: OperatingPointTable,
        comparison: PointTests | None,
        classes: Sequence[object] | None = None,
    ) -> Space:
        """The space of some classes, by default the three with the largest errors at the chosen point."""
        chosen, alike, said = None, np.zeros(table.n_points, dtype=bool), None
        if comparison is not None:
            chosen, alike, said = neighbourhood(comparison)
        several = three_classes(table, 0 if chosen is None else chosen, classes)
        errors = np.asarray(table.measure("class_error").mean)[:, several]
        low, high = (np.array(ends) for ends in zip(*map(ends_of, errors.T), strict=True))
        last = [] if chosen is None else [chosen]
        last = [*evenly(np.flatnonzero(alike).tolist(), MOST_POINTS - 1), *last]
        others = np.flatnonzero(~alike & (np.arange(alike.size) != chosen)).tolist()
        room = MOST_POINTS - len(last)
        points = (*(evenly(others, room) if room else ()), *last)
        inside = (errors - low) / (high - low)
        return cls(table, several, low, high, inside, chosen, alike, said, points)

    @property
    def names(self) -> list[str]:
        """Of the three classes, short enough for an edge of the box."""
        words = self.table.class_words
        return short_names([words[k] for k in self.classes], _LONGEST_IN_SPACE)

    @property
    def labels(self) -> list[Text]:
        """What stands along the edges."""
        return [phrase("error of {name}", name=Quote(own)) for own in self.names]

    @property
    def description(self) -> Text:
        """What is read to those who do not see the figure."""
        return phrase("Errors of three classes at every operating point, in space")

    @property
    def counted(self) -> Text:
        """Operating points, with their number where not all are drawn."""
        n, of = len(self.points), self.table.n_points
        return phrase("operating points") if n == of else phrase("{n}", n=Count(n, "operating point", of=of))

    def clouds(self) -> list[tuple[Points, Floats]]:
        """Shadows, points, those that are alike, and the chosen one: how they look, and where they lie."""
        places = self.inside[list(self.points)]
        dots = Points((), (), look=LOOKS[0], size=3.6, marker="o", name="points")
        shadow = Points((), (), look=GUIDE, size=2.2, alpha=0.6, marker="o", name="shadow")
        if self.chosen is None:
            return [(shadow, places * [1, 1, 0]), (dots, places)]
        ring = Points((), (), marker="o", size=7.5, is_open=True, name="alike")
        cross = Points((), (), marker="X", size=7, name="chosen")
        is_alike = self.alike[list(self.points)]
        others, ringed, here = places[:-1][~is_alike[:-1]], places[is_alike], places[[-1]]
        return [
            (shadow, places * [1, 1, 0]), (dots, others), (ring, ringed), (dots, ringed), (dots, here),
            (cross, here),
        ]  # fmt: skip

    def key(self, clouds: Sequence[tuple[Points, Floats]]) -> Key:
        """What every kind of point is."""
        folds = Count(len(self.table.folds), self.table.unit)
        says = {
            "points": phrase("{points}, mean of {folds}", points=self.counted, folds=folds),
            "shadow": phrase("their shadows on the floor"),
            "chosen": phrase("chosen"),
            "alike": self.said,
        }
        samples = {mark.name: mark for mark, _ in clouds}
        return Key(notes=tuple(Entry(says[k], samples[k]) for k in says if k in samples), corners=())


def three_classes(
    table: OperatingPointTable, chosen: int, classes: Sequence[object] | None = None
) -> tuple[int, ...]:
    """The places of the three classes that are drawn; RS002 if they are not three classes of the table."""
    words = list(table.class_words)
    if len(words) < 3:
        raise fail("RS002.three-classes", n_classes=len(words))
    if classes is None:
        errors = np.asarray(table.measure("class_error").mean)[chosen]
        return tuple(sorted(np.argsort(-errors, kind="stable")[:3].tolist()))
    wanted = [classes] if isinstance(classes, str) else [str(own) for own in classes]
    if len(set(wanted)) != 3 or not set(wanted) <= set(words):
        ways = [Option("classes", words[:3])]
        raise fail("RS002.which-classes", found=wanted, known=words, ways=ways)
    return tuple(words.index(own) for own in wanted)


def ends_of(errors: Floats) -> tuple[float, float]:
    """The ends of an axis for these errors, with some room; more below, where shadows fall."""
    low, high = float(errors.min()), float(errors.max())
    room = 0.08 * (high - low) or 0.05
    return max(low - 2 * room, 0.0), min(high + room, 1.0)


def ticks_between(low: float, high: float) -> list[tuple[float, str]]:
    """Round errors along an edge, as shares of it, with their numbers; none where two edges meet."""
    shares = [((own - low) / (high - low), own) for own in even_ticks(low, high, 4)]
    return [(share, tick(own)) for share, own in shares if 0.03 < share < 0.97]


@dataclass(frozen=True)
class Eye:
    """From where the box is seen, in radians: corner (1, 0, 0) is in front at the usual azimuth."""

    azimuth: float
    elevation: float

    def __call__(self, places: Any) -> tuple[Floats, Floats, Floats]:
        """Across, up and towards the eye, of places in a box from 0 to 1."""
        x, y, z = np.asarray(places, dtype=float).reshape(-1, 3).T - 0.5
        (sin, cos), (sink, rise) = ((math.sin(own), math.cos(own)) for own in (self.azimuth, self.elevation))
        along = cos * x + sin * y
        return cos * y - sin * x, rise * z - sink * along, rise * along + sink * z

    def sides(self) -> list[Floats]:
        """The corners of the three sides behind."""
        found = []
        for k in range(3):
            axis = np.eye(3)[k]
            behind = 0.0 if self(0.5 + axis / 2)[2][0] > 0 else 1.0
            across, up = np.eye(3)[[own for own in range(3) if own != k]]
            found.append(behind * axis + np.array([0 * up, across, across + up, up]))
        return found

    def edge(self, k: int) -> Floats:
        """The ends of the edge along which the numbers of an axis stand: the lowest, or of the upright axis
        the one at the right.
        """
        a, b = (own for own in range(3) if own != k)
        ends = []
        for first, second in ((0, 0), (0, 1), (1, 0), (1, 1)):
            corner = np.zeros((2, 3))
            corner[:, a], corner[:, b], corner[1, k] = first, second, 1
            ends.append(corner)
        across, up, _ = np.round(self(np.array(ends).mean(axis=1)), 9)
        order = (-up, -across) if k == 2 else (across, up)  # by the last; the first decides between equals
        return ends[int(np.lexsort(order)[0])]


def _box(space: Space, seen: Eye) -> list[Mark]:
    """The sides behind, and numbers and names along three edges."""
    marks: list[Mark] = []
    for corners in seen.sides():
        x, y, _ = seen(corners)
        marks.append(Region(x, y, look=GUIDE, alpha=0.1, name="side"))
        marks.append(
            Line(np.append(x, x[0]), np.append(y, y[0]), look=GUIDE, width=0.6, dash=(), name="side")
        )
    for k, label in enumerate(space.labels):
        first, last = seen.edge(k)
        x, y, _ = seen([first, last])
        marks.append(Line(x, y, width=0.8, name="edge"))
        length, out = _outwards(x, y)
        if length < _SHORTEST:
            continue  # it points to the eye
        aligned: Any = {"across": "left" if out[0] > 0.3 else "right" if out[0] < -0.3 else "middle"}
        numbers = ticks_between(float(space.low[k]), float(space.high[k]))
        for share, number in numbers[:: 1 if length > 0.5 else 2]:
            at, above, _ = seen(first + (last - first) * share)
            off = 5 * out[0], 5 * out[1]
            marks.append(Label(at[0], above[0], Quote(number), **aligned, off=off, name="tick"))
        at, above = (x[1], y[1]) if k == 2 else (x.mean(), y.mean())
        off = (4.0, 11.0) if k == 2 else (20 * out[0], 24 * out[1])
        aligned = {"across": "right"} if k == 2 else aligned
        marks.append(Label(float(at), float(above), label, **aligned, off=off, smaller=0.0, name="axis"))
    return marks


def _outwards(x: Floats, y: Floats) -> tuple[float, tuple[float, float]]:
    """How long an edge is seen, and the way at right angles to it, away from the middle of the box."""
    across, up = y[0] - y[1], x[1] - x[0]
    length = math.hypot(across, up) or 1.0
    side = 1.0 if across * x.mean() + up * y.mean() >= 0 else -1.0
    return length, (side * across / length, side * up / length)


def _extent(marks: Sequence[Mark]) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of everything, words with the room that they take."""
    sides: list[tuple[float, float, float, float]] = []
    for mark in marks:
        if isinstance(mark, Label):
            wide, high = width_of(mark.text.spell(ML)) * 8 * _UNITS, 5 * _UNITS  # type: ignore[union-attr]
            x, y = mark.x + mark.off[0] * _UNITS, mark.y + mark.off[1] * _UNITS
            left = x - wide * {"left": 0.0, "middle": 0.5, "right": 1.0}[mark.across]
            sides.append((left, left + wide, y - high, y + high))
        elif isinstance(mark, Region):
            sides.append((min(mark.x), max(mark.x), min(mark.y), max(mark.y)))
    ends = np.array(sides)
    (left, _, bottom, _), (_, right, _, top) = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
    return left - _EDGE, right + _EDGE, bottom, top


def _folds(table: OperatingPointTable) -> Count:
    return Count(len(table.folds), table.unit)
