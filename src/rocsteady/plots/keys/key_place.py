"""Where a key goes: into a corner of the axes that is free, else under or beside them.

The corner is measured, so everything is drawn first. A key covers no average, no band, no point and no bar;
it may lie on faint curves and on the chance line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.plots.keys.key_below import SLIDE, below, put_beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MUST_BE_SEEN = ("_average", "_interval", "_point", "_pointwise", "_simultaneous", "_prediction", "_ellipse")
"""Labels of what a key must not cover."""
_WIDTHS = {"digit": 0.67, "capital": 0.72, "space": 0.34, "wide": 1.0, "other": 0.57}
"""Of letters, in sizes of the text; a little more than they need, since some words are bold."""
_ROW, _GAPS = 1.27, 1.6
"""Height of a line in sizes of the text; what stands between entries and around all of them, in lines."""
_WIDEST, _HIGHEST = 1.2, 0.5
"""Of a key under axes that have to give it their own room, in shares of the axes."""
_BESIDE = 3.9
"""Width of what stands before the words, and of the gaps."""


def place_of_key(
    ax: Axes,
    texts: Sequence[str],
    text_size: float,
    *,
    is_own: bool,
    corners: Sequence[str] = ("lower right",),
) -> dict[str, Any]:
    """Options of a legend with these lines, so that it covers nothing that must be seen.

    Call it when everything is drawn. An own figure without a free corner is made higher by the key, or wider
    if it is for a slide. In axes whose figure has no layout that would make room, the key stands beside them,
    or below, where ``make_room`` of ``key_below`` is called next; if it cannot, in the first
    corner.

    Parameters
    ----------
    ax : Axes
        With everything in it.
    texts : sequence of str
        The lines of the key; those of an earlier key of these axes are added.
    text_size : float
        Points of the axes' labels; the key is one smaller.
    is_own : bool
        Whether the figure was made for these axes.
    corners : sequence of str
        Where it may stand inside, the best first.
    """
    corner = free_corner(ax, [texts], text_size, corners=corners)[1]
    if corner is not None:
        return {"loc": corner}
    lines, figure = _lines(ax, texts), figure_of(ax)
    if is_own or _is_only_one(ax):
        _make_room(ax, lines, text_size)
    elif figure.get_layout_engine() is None:
        room = 72 * (_next_to(ax, figure) - ax.bbox.x1) / figure.dpi
        if _width(lines) * (text_size - 1) < room:
            return {"loc": "lower left", "bbox_to_anchor": (1.0, 0.0)}
        width, height = size_of_key(ax, texts, text_size)
        if width > _WIDEST or height > _HIGHEST:
            return {"loc": corners[0]}
    return below(ax, text_size)


def _next_to(ax: Axes, figure: Any) -> float:
    """Where the next axes to the right start, or the figure ends."""
    box = ax.bbox
    others = [
        own.bbox for own in figure.axes if own is not ax and own.bbox.y0 < box.y1 and box.y0 < own.bbox.y1
    ]
    return float(min([figure.bbox.x1, *(own.x0 for own in others if own.x0 >= box.x1)]))


def _make_room(ax: Axes, lines: Sequence[str], text_size: float) -> None:
    """Make an own figure wider or higher by its key; an earlier key may have done some of that."""
    figure = figure_of(ax)
    if text_size >= SLIDE:
        put_beside(ax, _width(lines) * (text_size - 1), text_size)
        return
    across, up = figure.get_size_inches()
    before = getattr(figure, "_lines_below", -_GAPS)
    figure.set_size_inches(across, up + (len(lines) - before) * _ROW * (text_size - 1) / 72)
    figure._lines_below = len(lines)
    ax.set_anchor("N")


def free_corner(
    ax: Axes,
    variants: Sequence[Sequence[str]],
    text_size: float,
    *,
    corners: Sequence[str] = ("lower right",),
) -> tuple[int, str | None]:
    """The first of several keys that fits into a corner, and the corner; the first key if none does.

    ``variants`` are the lines of each key, the one that says most first.
    """
    for place, texts in enumerate(variants):
        width, height = size_of_key(ax, texts, text_size)
        for corner in corners:
            if width < 1 and height < 1 and _is_free(ax, corner, width, height):
                return place, corner
    return 0, None


def size_of_key(ax: Axes, texts: Sequence[str], text_size: float) -> tuple[float, float]:
    """Width and height of a key of these lines, in shares of the axes."""
    side, lines = sides_of(ax), _lines(ax, texts)
    width = _width(lines) * (text_size - 1) / side[0]
    return width, (len(lines) + _GAPS) * _ROW * (text_size - 1) / side[1]


def move_below(ax: Axes, text_size: float) -> None:
    """Put a key that stands inside under the axes."""
    legend, place = ax.get_legend(), below(ax, text_size)
    assert legend is not None
    legend.set_loc(place["loc"])
    legend.set_bbox_to_anchor(place["bbox_to_anchor"], transform=place["bbox_transform"])
    legend.borderaxespad = place["borderaxespad"]


def _lines(ax: Axes, texts: Sequence[str]) -> list[str]:
    """All lines of a key, those first that an earlier key has."""
    legend = ax.get_legend()
    earlier = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    new = [text for text in texts if text not in earlier]  # two curves may have the same words
    return [line for text in (*earlier, *new) if text for line in text.split("\n")]


def figure_of(ax: Axes) -> Any:
    """The whole figure, also of axes in a part of one."""
    figure: Any = ax.figure
    while not hasattr(figure, "get_size_inches"):
        figure = figure.figure
    return figure


def _is_only_one(ax: Axes) -> bool:
    """Whether the axes are alone in a figure that was made by a function here, earlier."""
    figure = figure_of(ax)
    return hasattr(figure, "_repr_png_") and len(figure.axes) == 1


def sides_of(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, as they will be drawn."""
    figure = figure_of(ax)
    layout = figure.get_layout_engine()
    if layout is not None:
        layout.execute(figure)
    ax.apply_aspect()
    return 72 * ax.bbox.width / figure.dpi, 72 * ax.bbox.height / figure.dpi


def _is_free(ax: Axes, corner: str, width: float, height: float) -> bool:
    """Whether nothing of importance crosses a corner of this size, in shares of the axes."""
    from matplotlib.transforms import Bbox

    left, bottom = (1 - width) * ("right" in corner), (1 - height) * ("upper" in corner)
    box = Bbox.from_bounds(left, bottom, width, height)
    to_shares: Any = ax.transScale + ax.transLimits
    drawn: list[Any] = [*ax.lines, *ax.patches, *ax.collections]
    for own in (own for own in drawn if own.get_label() in MUST_BE_SEEN):
        paths = own.get_paths() if hasattr(own, "get_paths") else [own.get_path()]
        if any(to_shares.transform_path(path).intersects_bbox(box, filled=False) for path in paths):
            return False
    return True


def _width(lines: Sequence[str]) -> float:
    """About how wide a key of these lines is, in sizes of the text."""
    return _BESIDE + max((sum(_WIDTHS[_kind(letter)] for letter in line) for line in lines), default=0.0)


def _kind(letter: str) -> str:
    if letter.isdigit():
        return "digit"
    if letter.isspace():
        return "space"
    if letter.isupper() or letter in "%—":
        return "capital"
    return "wide" if ord(letter) > 0x2E80 else "other"
