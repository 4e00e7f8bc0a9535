"""The key of averages: what each is worth and how sure that is, and below what kind of averages they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady.plots.parts.curve_lines import ALPHAS
from rocsteady.plots.parts.short_names import on_lines
from rocsteady.plots.parts.style import ground_of, is_dark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D

LONGEST_NAME = 24
"""Letters in a line of a name in the key, which has to fit under a curve."""
QUIET = "0.35"
"""Of words that only explain."""
QUIET_ON_DARK = "0.75"
"""Of the same words in dark axes of the user."""


@dataclass(frozen=True)
class KeyEntry:
    """One average in the key.

    Attributes
    ----------
    line : Line2D
        As the average is drawn; the key copies it.
    name, value : str
        The words beside the line, in its colour: ``"baseline"`` and ``"0.929"``.
    colour : str
        Of these words.
    below : str
        The line under them, for example the interval; none if it is empty.
    longest : int
        Letters of the name in one line; a longer one has two, and is cut if it needs more.
    """

    line: Line2D
    name: str
    value: str
    colour: str
    below: str = ""
    longest: int = LONGEST_NAME


@dataclass(frozen=True)
class KeyNote:
    """A quiet line of the key, below all averages.

    Attributes
    ----------
    text : str
        For example the kind of average, the number of groups, what a band is.
    handle : Line2D, Patch, or None
        What the words explain, for example :func:`band_patch`; nothing stands before them without it.
    """

    text: str
    handle: Any = None


@dataclass(frozen=True)
class _Written:
    """What a key says, so that more can be added to it."""

    entries: tuple[KeyEntry, ...] = ()
    notes: tuple[KeyNote, ...] = ()
    heading: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def labels_of(entries: Sequence[KeyEntry]) -> list[str]:
    """The name and the value of each; names that differ stay different."""
    longest = min((entry.longest for entry in entries), default=LONGEST_NAME)
    names = on_lines([entry.name for entry in entries], longest)
    return [
        "  ".join(part for part in (name, entry.value) if part)
        for name, entry in zip(names, entries, strict=True)
    ]


def average_key(
    ax: Axes,
    entries: Sequence[KeyEntry],
    notes: Sequence[KeyNote] = (),
    *,
    heading: str = "",
    text_size: float,
    **options: Any,
) -> Legend:
    """Write the key of averages, or add to the one that these axes have.

    Parameters
    ----------
    ax : Axes
        Where.
    entries : sequence of KeyEntry
        The averages in their order, after those of an earlier key.
    notes : sequence of KeyNote
        Lines below all of them; what an earlier key says already is not said again.
    heading : str
        Above all of them: what the numbers are.
    text_size : float
        Points of the axes' labels; the key is one smaller.
    **options
        Of the legend: its place. By default that of an earlier key, or the corner that is empty under curves.
    """
    earlier = _earlier(ax)
    said = {note.text for note in earlier.notes}
    written = _Written(
        (*earlier.entries, *entries),
        (*earlier.notes, *(note for note in notes if note.text not in said)),
        heading or earlier.heading,
        options or earlier.options,
    )
    rows, starts = _rows(written)
    settings: dict[str, Any] = {
        "loc": "lower right",
        "fontsize": text_size - 1,
        "title_fontsize": text_size - 1,
        "alignment": "left",
        "labelspacing": 0.25,
        "handlelength": 2.4,
        "handletextpad": 0.6,
        "borderaxespad": 0.2,
        "borderpad": 0.2,
        "frameon": False,
        "handler_map": _spaced(starts),
    }
    handles, labels = [row[0] for row in rows], [row[1] for row in rows]
    legend = ax.legend(handles, labels, title=written.heading or None, **{**settings, **written.options})
    legend.set_zorder(7)
    dark, ground = is_dark(ax), ground_of(ax)
    quiet = QUIET_ON_DARK if dark else QUIET
    legend.get_title().set_color(quiet)
    for text, (handle, _, colour) in zip(legend.get_texts(), rows, strict=True):
        is_entry = colour != QUIET
        light = handle.get_color() if is_entry else quiet
        text.set(color=light if dark else colour, fontweight="bold" if is_entry else "normal")
    for text in (legend.get_title(), *legend.get_texts()):
        text.set_parse_math(False)  # a dollar sign of a name starts no formula
        # A line that runs under a word must not be taken for part of it; a frame would hide more than that.
        text.set_bbox({"facecolor": ground, "edgecolor": "none", "alpha": 0.75, "pad": 0.4})
    legend._written = written  # type: ignore[attr-defined]
    return legend


def _earlier(ax: Axes) -> _Written:
    """What the key of these axes says already; of a key of the user, what stood in it."""
    legend = ax.get_legend()
    if legend is None or hasattr(legend, "_written"):
        return getattr(legend, "_written", _Written())
    own = zip(*ax.get_legend_handles_labels(), strict=True)
    return _Written(notes=tuple(KeyNote(label, handle) for handle, label in own))


def _rows(written: _Written) -> tuple[list[tuple[Any, str, str]], list[Any]]:
    """Handle, words and colour of every line; and the handles of those with room above them."""
    rows: list[tuple[Any, str, str]] = []
    for entry, words in zip(written.entries, labels_of(written.entries), strict=True):
        rows.append((entry.line, words, entry.colour))
        if entry.below:
            rows.append((_nothing(), entry.below, QUIET))
    starts: list[Any] = [entry.line for entry in written.entries]
    for number, note in enumerate(written.notes):
        handle = _nothing() if note.handle is None else note.handle
        rows.append((handle, note.text, QUIET))
        starts += [handle] if number == 0 and note.handle is None else []
    return rows, starts


def band_patch(kind: str, colour: str = "0.3") -> Any:
    """What stands for a band of a kind in the key; grey where models of several colours have one."""
    from matplotlib.patches import Patch

    return Patch(facecolor=colour, alpha=ALPHAS[kind], linewidth=0)


def _nothing() -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none")


def _spaced(starts: list[Any]) -> dict[Any, Any]:
    """How lines of the key with room above them are drawn: so one sees which words belong together."""
    from rocsteady.plots.parts.canvas import SpacedLine

    return dict.fromkeys(starts, SpacedLine())
