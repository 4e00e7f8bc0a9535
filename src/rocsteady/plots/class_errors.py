"""The error of each class at operating points of several classes: as a surface in space, and to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.plots.given.values import flat_axes, given_size, given_table, require_own_comparison
from rocsteady.plots.keys.key_below import LINE, cut
from rocsteady.plots.keys.key_place import sides_of
from rocsteady.plots.parts.marks import (
    TEXT_SIZE,
    Neighbourhood,
    circle,
    cross,
    groups_of,
    headed_key,
    neighbourhood,
    scale_of,
)
from rocsteady.plots.parts.style import (
    BLUE,
    COLUMN,
    GREY,
    VERMILLION,
    ink_of,
    key,
    new_figure,
    thin,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.points.tables import OperatingPointTable, PointMeasure, PointTests

Floats = NDArray[np.float64]
VIEW = {"elev": 24.0, "azim": -52.0}
"""From where the surface is seen."""
_LONGEST, _LONGEST_IN_SPACE = 20, 12
"""Letters of the name of a class."""
_WIDE, _HIGH, _BELOW = 0.84, 0.84, 0.07
"""Width and height of axes in space, and room for words below them, in widths of the figure."""
_LINE = 1.6
"""Height of a line of the key above axes in space, in sizes of the text."""
_LABELS_OFF, _TICKS_OFF = 21, 8
"""Points that words and numbers are kept from axes in space, besides what is asked for."""
FLOOR = "0.82"
"""Grey of the shadows that points throw on the floor: without them nobody sees where a point is."""


def class_error_surface(
    table: OperatingPointTable,
    *,
    comparison: PointTests | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the errors of three classes in space, one point for each operating point.

    Error bars would hide the points; :func:`class_errors` has them.

    Parameters
    ----------
    table : OperatingPointTable
        Of three classes, from :func:`rocsteady.average_multiclass_points`.
    comparison : optional
        From ``table.compare_to(...)``: its chosen point becomes a cross, those not rejected are circled.
    title : str
        Above the axes.
    text_size : float
        As in every figure, see :mod:`rocsteady.plots`.
    ax : matplotlib Axes3D, optional
        Where to draw, made with ``projection="3d"``; without it a figure is made.

    Returns
    -------
    matplotlib Axes3D

    Raises
    ------
    UsageError
        RS002 if there are not three classes, the axes are flat, or the comparison is of another table; RS042
        for a size that is none.
    """
    text_size, table = given_size(text_size), given_table(table)
    require_own_comparison(comparison, table)
    errors = table.measure("class_error").mean
    if errors.shape[1] != 3:
        raise fail("RS002.three-classes", n_classes=errors.shape[1])
    n_lines = 2 if comparison is None else 4
    axes: Any = ax if ax is not None else _axes_in_space(n_lines + 1.5 * bool(title), text_size)
    if not hasattr(axes, "set_zlabel"):
        way, found = 'figure.add_subplot(projection="3d")', type(axes).__name__
        raise fail("RS002.kind", name="ax", kind="axes in space", found=found, ways=[way])
    _draw_surface(axes, errors, None if comparison is None else neighbourhood(comparison), text_size)
    _dress_space(axes, table, title, text_size)
    return axes  # type: ignore[no-any-return]


def _axes_in_space(n_lines: float, text_size: float) -> Any:
    """Axes with room for so many lines of words above them."""
    side, above = COLUMN * scale_of(text_size), _LINE * n_lines * text_size / 72
    high = _BELOW + _HIGH
    figure = new_figure(side, high * side + above)
    figure.set_layout_engine("none")  # it does not know how far the words of an axis in space reach
    share = side / (high * side + above)
    return figure.add_axes((0.01, _BELOW * share, _WIDE, _HIGH * share), projection="3d")


def _draw_surface(axes: Any, errors: Floats, found: Neighbourhood | None, text_size: float) -> None:
    scale = scale_of(text_size)
    dots: Any = {"linestyle": "none", "marker": "o", "markeredgewidth": 0}
    floor = errors[:, 2].min() - 0.15 * (np.ptp(errors[:, 2]) or 0.1)
    axes.plot(*errors[:, :2].T, floor, color=FLOOR, markersize=2 * scale, zorder=1, label="_shadow", **dots)
    label = "operating points"
    axes.plot(*errors.T, color=BLUE, markersize=3.2 * scale, zorder=4, label=label, **dots)
    if found is not None:
        here = errors[found.chosen]
        stem = np.array([[*here[:2], floor], here])
        axes.plot(*stem.T, color="0.5", linewidth=0.7 * scale, zorder=2, label="_stem")
        axes.plot(*errors[[found.chosen]].T, **cross(text_size), label="chosen")
        axes.plot(*errors[found.others].T, **circle(text_size), label=found.text)
    axes.set_zlim(floor, None)


def _dress_space(axes: Any, table: OperatingPointTable, title: str, text_size: float) -> None:
    scale = scale_of(text_size)
    for name, label in zip("xyz", table.classes, strict=True):
        write = getattr(axes, f"set_{name}label")
        off = 19 if name == "z" else 28
        write(
            f"error of {cut(str(label), _LONGEST_IN_SPACE)}",
            fontsize=text_size,
            labelpad=off * scale - _LABELS_OFF,
        )
        axis = getattr(axes, f"{name}axis")
        axis.set_tick_params(labelsize=text_size - 1, pad=7 * scale - _TICKS_OFF)
        axis.set_pane_color((0.97, 0.97, 0.97, 1.0))
        axis.pane.set_edgecolor("0.8")
        axis.line.set_linewidth(0.8 * scale)
        axis.set_major_locator(_few_ticks())
    axes.view_init(**VIEW)
    axes.grid(False)
    n_lines = 1 + len(axes.get_legend_handles_labels()[1])
    above = _LINE * n_lines * text_size - 0.06 * 72 * axes.bbox.height / axes.figure.dpi
    write_title(axes, title, text_size, pad=above)
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 0.93)}
    headed_key(axes, f"mean of {groups_of(table)}", text_size, **place)


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4)


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
        From ``table.compare_to(...)``: the chosen point is black, those not rejected are dashed. Without
        it the first point of the table has the bars.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if the axes are in space, or the comparison is of another table; RS042 for a size that is none.
    """
    text_size, table = given_size(text_size), given_table(table)
    require_own_comparison(comparison, table)
    measure = table.measure("class_error")
    ax = flat_axes(ax, COLUMN, 0.8 * COLUMN, text_size)
    if comparison is None:
        found = Neighbourhood(0, np.zeros(measure.mean.shape[0], dtype=bool), "")
    else:
        found = neighbourhood(comparison)
    _draw_lines(ax, measure, found, text_size)
    _dress_classes(ax, table, title, text_size)
    return ax


def _draw_lines(ax: Axes, measure: PointMeasure, found: Neighbourhood, text_size: float) -> None:
    scale = scale_of(text_size)
    places = np.arange(measure.mean.shape[1])
    is_chosen = np.arange(measure.mean.shape[0]) == found.chosen
    plain: Any = {"color": GREY, "linewidth": 0.6 * scale, "alpha": 0.55, "zorder": 1}
    like: Any = {"color": VERMILLION, "linewidth": 1.1 * scale, "linestyle": (0, (4, 1.5)), "zorder": 2}
    for chosen, look, text in (
        (~found.others & ~is_chosen, plain, "other points" if found.text else "operating points"),
        (found.others, like, found.text),
    ):
        for i, line in enumerate(ax.plot(places, measure.mean[chosen].T, **look)):
            line.set_label(text if i == 0 else "_point")
    ax.errorbar(
        places,
        measure.mean[found.chosen],
        yerr=measure.standard_error[found.chosen],
        fmt="X-",
        color=ink_of(ax),
        linewidth=1.3 * scale,
        markersize=6 * scale,
        markeredgecolor="white",
        markeredgewidth=0.6 * scale,
        elinewidth=1 * scale,
        capsize=2 * scale,
        zorder=4,
        label="chosen, ±1 standard error" if found.text else "first point, ±1 standard error",
    )


def _dress_classes(ax: Axes, table: OperatingPointTable, title: str, text_size: float) -> None:
    _name_classes(ax, [cut(str(label), _LONGEST) for label in table.classes], text_size)
    ax.set_xlim(-0.25, len(table.classes) - 0.75)
    ax.set_xlabel("class", fontsize=text_size)
    ax.set_ylabel(f"error, mean of {groups_of(table)}", fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    _make_room(ax, text_size)
    key(ax, text_size, loc="upper right")


def _make_room(ax: Axes, text_size: float) -> None:
    """Raise the upper limit until the key is above all errors; there are no ticks where no error can be."""
    n_lines = len(ax.get_legend_handles_labels()[1])
    share = min((n_lines + 1) * LINE * text_size / sides_of(ax)[1], 0.6)
    low, high = ax.get_ylim()
    low = max(low, 0.0)
    top = low + (min(high, 1.0) - low) / (1 - share)
    ax.set_ylim(low, top)
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= min(top, 1)])


def _name_classes(ax: Axes, names: list[str], text_size: float) -> None:
    """The classes along the axis; aslant where they would run into each other."""
    ax.set_xticks(range(len(names)), names)
    room = 72 * ax.bbox.width / ax.figure.dpi  # in points
    if 0.7 * text_size * (max(map(len, names)) + 1) * len(names) > room:
        for label in ax.get_xticklabels():
            label.set(rotation=45, horizontalalignment="right", rotation_mode="anchor")
