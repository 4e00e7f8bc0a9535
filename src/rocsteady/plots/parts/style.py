"""How figures look, and how they become files; Matplotlib is loaded only here, and only when one is drawn."""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.errors import fail

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers tell apart.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, GREY = "#E69F00", "#56B4E9", "#000000", "#7F7F7F"
DARK_VERMILLION = "#B34F00"
"""For text: the vermillion of lines is too light to read."""
TEXT = 9
COLUMN = 8.5 / 2.54
"""Inches: one column of a journal."""
_TITLE_LINES, _FEW_LETTERS, _TITLE_ROOM = 4, 12, 0.85
FORMATS = ("png", "pdf", "svg")


@dataclass(frozen=True)
class Look:
    """How one of several models, curves or groups is drawn: it differs from the others by more than colour.

    Attributes
    ----------
    colour, text : str
        Of lines and areas; of words, dark enough to be read.
    line : str or (offset, dashes)
        The dash of lines.
    marker : str
        Of points.
    hatch : str
        Of areas where they stand side by side.
    """

    colour: str
    text: str
    line: Any
    marker: str
    hatch: str


LOOKS = (
    Look(BLUE, BLUE, "-", "o", ""),
    Look(VERMILLION, DARK_VERMILLION, (0, (3.2, 1.4)), "s", "////"),
    Look(GREEN, "#00735A", (0, (4, 1.2, 1, 1.2)), "D", "...."),
    Look(PURPLE, "#A14C7C", (0, (1, 1)), "^", "xxxx"),
    Look(ORANGE, "#8F6200", (0, (6, 1)), "v", "\\\\\\\\"),
    Look(SKY, "#1F6F9F", (0, (2, 1, 2, 1, 0.6, 1)), "P", "++++"),
)
"""Of each in turn."""


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of its own, known to no window and no list of figures.

    Raises
    ------
    MissingPackageError
        RS061 if Matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: F401 - asked for here: our own classes are built on it
    except ImportError as error:
        raise fail("RS061.matplotlib") from error
    from rocsteady.plots.parts.canvas import OwnFigure

    return OwnFigure(figsize=(width, height), layout="constrained")


def dress(axes: Axes, title: str, *, furthest: float = 1.0) -> None:
    """A ROC plot: square, no grid, thin spines, the chance line dotted."""
    chance_line(axes)
    axes.set(xlim=(0, furthest), ylim=(0, 1))
    if furthest == 1.0:
        axes.set_aspect("equal")
    else:
        axes.set_box_aspect(1)
    axes.set_title(title, fontsize=TEXT + 1, loc="left")
    axes.set_xlabel("false positive rate", fontsize=TEXT)
    axes.set_ylabel("true positive rate", fontsize=TEXT)
    thin(axes)


def chance_line(axes: Axes) -> None:
    """Where a classifier that knows nothing lies."""
    axes.plot([0, 1], [0, 1], ":", color="0.6", linewidth=1, zorder=0, label="_chance")


def thin(axes: Axes, text_size: float | None = None) -> None:
    """Left and bottom spines only, small tick labels; lines grow with the text."""
    scale = 1.0 if text_size is None else text_size / 8
    axes.grid(False)  # a style may have asked for one
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_linewidth(0.8 * scale)
    axes.tick_params(labelsize=(text_size or TEXT) - 1, width=0.8 * scale, length=3.5 * scale)
    axes.tick_params(which="minor", width=0.6 * scale, length=2 * scale)


def rgb(colour: str) -> tuple[float, float, float]:
    """A colour in numbers, to which an alpha can be added."""
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def ground_of(axes: Axes) -> tuple[float, float, float]:
    """The colour behind what is drawn: of the axes, of their figure, or of paper."""
    from matplotlib.colors import to_rgba

    for own in (axes, axes.figure):
        red, green, blue, alpha = to_rgba(own.get_facecolor() if own is not None else "white")
        if alpha >= 0.5:
            return red, green, blue
    return 1.0, 1.0, 1.0


def is_dark(axes: Axes) -> bool:
    """Whether axes of the user are so dark that words and bars in them have to be light."""
    red, green, blue = ground_of(axes)
    return 0.3 * red + 0.59 * green + 0.11 * blue < 0.4


def ink_of(axes: Axes) -> str:
    """Black, or white in dark axes."""
    return "#FFFFFF" if is_dark(axes) else BLACK


def write_title(axes: Axes, title: str, text_size: float, **options: Any) -> None:
    """Above the axes, if there is one; a long one on several lines."""
    if title:
        words = axes.set_title(str(title), fontsize=text_size + 1, loc="left", **options)
        words.set_parse_math(False)  # a dollar sign starts no formula, as in names
        words.set_text(_wrapped(axes, str(title), words.get_window_extent().width))


def _wrapped(axes: Axes, words: str, width: float) -> str:
    """A title that is so wide, in lines that have room; what would fill a page is cut off."""
    figure: Any = axes.figure
    is_alone = len(figure.axes) == 1
    room = _TITLE_ROOM * (figure.bbox.x1 - axes.bbox.x0) if is_alone else axes.bbox.width
    if width <= room:
        return words
    letters = max(int(max(map(len, words.split("\n"))) * room / width), _FEW_LETTERS)
    lines = [line for own in words.split("\n") for line in textwrap.wrap(own, letters)]
    if len(lines) > _TITLE_LINES:
        lines = [*lines[: _TITLE_LINES - 1], lines[_TITLE_LINES - 1] + "…"]
    return "\n".join(lines)


def key(axes: Axes, text_size: float = TEXT, **options: Any) -> None:
    """The key, in the empty corner under a curve."""
    settings: dict[str, Any] = {"loc": "lower right", "frameon": False, "fontsize": text_size - 1}
    axes.legend(**{**settings, **options})


def rendered(figure: Figure, kind: str, *, dpi: int = 150) -> bytes:
    """The figure as a file; text stays text, and the same figure gives the same bytes."""
    from rocsteady.plots.parts.canvas import TEXT_AS_TEXT, while_written

    dates: dict[str, dict[str, Any]] = {
        "png": {"Software": None},
        "pdf": {"CreationDate": None},
        "svg": {"Date": None},
    }
    file = io.BytesIO()
    with while_written(figure, {**TEXT_AS_TEXT, "svg.hashsalt": "rocsteady"}):
        figure.savefig(file, format=kind, dpi=dpi, metadata=dates[kind])
    return file.getvalue()
