"""A key that says as much as there is room for: the first of several that fits into a free corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, average_key, labels_of
from rocsteady.plots.keys.key_below import make_room, trim
from rocsteady.plots.keys.key_place import figure_of, free_corner, move_below, place_of_key, size_of_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend


@dataclass(frozen=True)
class Key:
    """What a key says.

    Attributes
    ----------
    entries, notes : tuple
        Curves with what they are worth, and lines that explain.
    heading : str
        Above all of them.
    """

    entries: tuple[KeyEntry, ...]
    notes: tuple[KeyNote, ...] = ()
    heading: str = ""

    @property
    def texts(self) -> list[str]:
        """Its lines."""
        words = zip(labels_of(self.entries), self.entries, strict=True)
        of_curves = [text for label, entry in words for text in (label, entry.below)]
        return [text for text in (self.heading, *of_curves, *(note.text for note in self.notes)) if text]


def write_key(
    ax: Axes,
    keys: Sequence[Key],
    text_size: float,
    *,
    is_own: bool,
    corners: Sequence[str] = ("lower right",),
) -> Legend:
    """Write the first of these keys that fits into a corner; none does: the first, where there is room.

    Parameters
    ----------
    ax : Axes
        With everything in it.
    keys : sequence of Key
        The one that says most first.
    text_size, is_own, corners
        As in :func:`rocsteady.plots.keys.key_place.place_of_key`.
    """
    which, corner = free_corner(ax, [key.texts for key in keys], text_size, corners=corners)
    key = keys[which]
    place = {"loc": corner}
    if corner is None:
        place = place_of_key(ax, key.texts, text_size, is_own=is_own, corners=corners)
        if place == {"loc": corners[0]}:  # nowhere is room: over the curves, as little as need be
            key = _smallest(ax, keys, text_size)
    legend = average_key(ax, key.entries, key.notes, heading=key.heading, text_size=text_size, **place)
    if corner is None and is_own:
        trim(ax)
    if corner is None and not is_own:
        make_room(ax)
        if figure_of(ax).get_layout_engine() is not None:
            _settle_others(ax, text_size)
    return legend


def _smallest(ax: Axes, keys: Sequence[Key], text_size: float) -> Key:
    """The first key that axes hold; if they are too small for all of them, only what each curve is."""
    for key in keys:
        if max(size_of_key(ax, key.texts, text_size)) < 1:
            return key
    return Key(tuple(replace(entry, below="") for entry in keys[0].entries))


def _settle_others(ax: Axes, text_size: float) -> None:
    """Put keys of other axes under them too, where a key under these has made those smaller."""
    for other in figure_of(ax).axes:
        legend: Any = other.get_legend()
        if other is ax or not hasattr(legend, "_written") or legend.get_bbox_to_anchor() != other.bbox:
            continue
        if free_corner(other, [[]], text_size, corners=(legend._written.options["loc"],))[1] is None:
            move_below(other, text_size)
