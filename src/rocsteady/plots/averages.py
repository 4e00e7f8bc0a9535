"""Averages of several models in one plot, or each in a plot of its own beside the others."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.errors import Option, Remedy, fail
from rocsteady.options import one_of, yes_or_no
from rocsteady.plots.given.named_averages import given_averages, places_of
from rocsteady.plots.given.of_average import KINDS, bands_of, lowest_of, points_of, rate_words
from rocsteady.plots.given.values import flat_axes, given_size
from rocsteady.plots.keys.average_key import QUIET, KeyNote, average_key
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.keys.key_place import free_corner
from rocsteady.plots.keys.words_of_averages import (
    Asked,
    entries_of,
    heading_of,
    notes_of,
    notes_on_kind,
    on_one_line,
)
from rocsteady.plots.parts.curve_lines import MOST_MEMBERS, draw_average, draw_bands, faint_curves
from rocsteady.plots.parts.marks import TEXT_SIZE
from rocsteady.plots.parts.points_apart import draw_points
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.short_names import no_formula, on_lines
from rocsteady.plots.parts.style import COLUMN, LOOKS, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocsteady.curves.intervals import Band
    from rocsteady.plots.parts.curve_lines import HowMany

Points = Mapping[str, list[AveragePoint]]

MOST_TOGETHER = 4
"""Averages in one plot; more have a plot each."""
_FEW = 2
"""Averages in one plot whose members and wide bands can be told apart."""
MOST_PANELS = 24
_ACROSS = 3
"""Plots beside each other."""
_PAGE = 17.4 / 2.54
"""Inches: both columns of a journal."""
_LONGEST_TITLE, _LONGEST_NOTE = 21, 24
"""Letters in a line above a plot of a third of a page, and of its key; a few more are not worth a line."""
_LINE = 1.25 * (TEXT_SIZE + 1) / 72
"""Inches of a line above a plot."""
_LETTER = 0.6
"""Width of a letter, in sizes of the text; a little more than most need."""
_NO_LINE: Any = {"loc": "lower right", "handlelength": 0, "handletextpad": 0}
"""In a plot with one bold line the key need not show it."""
_OTHER: Any = {"color": "0.7", "linestyle": "-", "zorder": 1.2, "label": "_other"}


def averages(
    averages: Mapping[str, Average] | Sequence[Average],
    *,
    names: Sequence[str] | None = None,
    curves: bool | None = None,
    band: Any = "auto",
    at: Any = (),
    panels: bool | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    words: str = "ml",
    zoom: float | tuple[float, float] | None = None,
    xscale: str = "linear",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Any = None,
) -> Any:
    """Draw the averages of several models, to be compared.

    Every model has a colour, a dash and a marker of its own. The key has the area under each average with its
    interval, the kind of average and the number of groups. Up to four models share a plot; more have one
    each, in which the others are thin and grey.

    Parameters
    ----------
    averages : mapping of str to Average, or sequence of Average
        From :func:`rocsteady.average`, by name. All of one kind and over the same sort of groups. Averages of
        different kinds are drawn together only if their names say which is which: ``{"vertical": a,
        "threshold": b}``.
    names : sequence of str, optional
        Of averages in a sequence; those of different kinds are else named by these.
    curves : bool, optional
        Whether the groups' own curves are drawn, faintly; 300 of them at most. By default they are where a
        plot has one or two averages: those of more would hide each other.
    band : {"auto", "both", "pointwise", "simultaneous", "prediction", "none"} or None
        Around every average: each point by itself (darker), a whole range at once (lighter), or both.
        ``"auto"`` is both where a plot has one or two averages, and each point by itself where it has more.
        Fewer than eight groups have no band of a range, a single one has none.
    at : dict, sequence of dict, or mapping of str to these or AveragePoint
        Points to mark with their intervals: ``{"fpr": 0.05}`` or ``{"specificity": 0.95}``, read on every
        average; or by the name of the average. Markers are on their curves; bars that would hide each other
        stand up to two points aside.
    panels : bool, optional
        Whether every average has a plot of its own; by default where there are more than four.
    confidence_level : float
        Of areas, bands and points.
    seed : int
        Of what is resampled, and of which curves are drawn where there are too many.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    zoom : float or (float, float), optional
        The largest false positive rate that is shown; or that, and the smallest true positive rate.
    xscale : {"linear", "log"}
        Of the false positive rate.
    title : str
        Above the axes; it is good to say there where the averages would be used.
    text_size : float
        Points; lines and markers go by it, and so does the size of a figure that is made.
    ax : matplotlib Axes, or sequence of them, optional
        Where to draw, with ``panels`` one for each average; without it a figure is made.

    Returns
    -------
    matplotlib Axes, or tuple of them
        A tuple, in the order of the averages, where each has a plot of its own.

    Raises
    ------
    UsageError
        RS002 for anything but named averages that belong together; RS042 for more than can be told apart, or
        a size that is none.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 9)
    >>> scores = {"old": rng.normal(size=720) + sick, "new": rng.normal(size=720) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(9), 80), unit="site")
    >>> axes = averages({name: rs.average(both.model(name), "vertical") for name in scores}, at={"fpr": 0.1})
    >>> [text.get_text() for text in axes.get_legend().get_texts()[:3]]
    ['old  0.751 (0.697 to 0.798)', 'new  0.910 (0.896 to 0.922)', 'vertical average, 9 sites']
    """
    found = given_averages(averages, names)
    is_apart = _have_panels(panels, len(found))
    is_few = is_apart or len(found) <= _FEW
    curves = is_few if curves is None else yes_or_no("curves", curves)
    if band is not None:
        band = one_of("band", band, ("auto", *KINDS))
        band = ("both" if is_few else "pointwise") if band == "auto" else band
    asked = Asked(curves, band, confidence_level, seed, words, zoom, xscale, given_size(text_size))
    places = places_of(at, tuple(found))
    points = {
        name: points_of(own, places[name], confidence_level=confidence_level) for name, own in found.items()
    }
    if is_apart:
        return _small_multiples(found, points, asked, title, ax)
    is_own, ax = ax is None, flat_axes(ax, COLUMN, COLUMN, text_size)
    _dress(ax, found, asked, title)
    lines, bands, faint = _draw(ax, found, points, asked)
    said: Any = (found, bands, faint, list(points.values()), asked)
    key = Key(entries_of(found, lines, asked), tuple(notes_of(*said)), heading_of(found, asked))
    _write_key(ax, key, notes_of(*said, is_brief=True), text_size, is_own=is_own)
    return ax


def _write_key(ax: Axes, key: Key, briefly: Sequence[KeyNote], text_size: float, *, is_own: bool) -> None:
    """Into the corner under the curves, with fewer words if need be; else under the axes, a line for each."""
    brief = replace(key, notes=tuple(briefly))
    which, corner = free_corner(ax, [key.texts, brief.texts], text_size)
    chosen = (key, brief)[which] if corner else replace(key, entries=on_one_line(key.entries))
    write_key(ax, [chosen], text_size, is_own=is_own)


def _have_panels(panels: object, n: int) -> bool:
    """Whether every average has a plot of its own; RS042 if there are too many either way."""
    apart = n > MOST_TOGETHER if panels is None else yes_or_no("panels", panels)
    most = MOST_PANELS if apart else MOST_TOGETHER
    if n > most:
        ways: list[Remedy] = [] if apart else [("each in a plot of its own:  ", Option("panels", True))]
        ways.append("some of them:  rs.plot.averages({name: found[name] for name in chosen})")
        raise fail("RS042.room", most=most, what="averages", n=n, ways=ways)
    return apart


def _dress(ax: Axes, averages: Mapping[str, Average], asked: Asked, title: str) -> None:
    dress_roc(
        ax,
        words=asked.words,
        zoom=asked.zoom,
        xscale=asked.xscale,
        lowest=min(map(lowest_of, averages.values())) if asked.xscale == "log" else None,
        axis_words=rate_words(next(iter(averages.values()))),
        title=title,
        text_size=asked.text_size,
    )


def _draw(
    ax: Axes, averages: Mapping[str, Average], points: Points, asked: Asked
) -> tuple[list[Line2D], list[Band], list[HowMany]]:
    """Curves of groups, bands, averages and points, each over those before; what was drawn of them."""
    looked = list(zip(averages.values(), LOOKS, strict=False))
    bands: list[Band] = []
    faint: list[HowMany] = []
    (left, furthest), is_log = ax.get_xlim(), ax.get_xscale() == "log"
    level: Any = {"confidence_level": asked.confidence_level, "seed": asked.seed}
    level |= {"furthest": furthest, "lowest": left if is_log else None}
    for number, (own, look) in enumerate(looked):
        others = [other for other, _ in looked[:number] if other.method != own.method]
        if asked.curves and own.n_groups > 1 and not _is_drawn(own, others):
            few: Any = {"most": MOST_MEMBERS // len(looked), "seed": asked.seed, "scale": asked.scale}
            faint.append(faint_curves(ax, own.curves, colour=look.colour, **few))
        bands += draw_bands(ax, bands_of(own, asked.band, **level), look)
    lines = [draw_average(ax, own, look, scale=asked.scale) for own, look in looked]
    draw_points(ax, list(points.values()), asked.scale)
    return lines, bands, faint


def _is_drawn(average: Average, others: list[Average]) -> bool:
    """Whether its groups' curves are there already: of one model averaged in two ways they are the same."""
    own = [curve.auc for curve in average.curves]
    return any(other.members == average.members and [c.auc for c in other.curves] == own for other in others)


def _small_multiples(
    averages: Mapping[str, Average], points: Points, asked: Asked, title: str, given: Any
) -> Any:
    """A plot for every average, in which the others are thin and grey."""
    across = 2 if len(averages) == 4 else min(len(averages), _ACROSS)
    titles = on_lines(list(averages), _LONGEST_TITLE)
    axes = _panels(given, len(averages), across, asked.scale, more=max(own.count("\n") for own in titles))
    figure, size, explained = axes[0].figure, asked.text_size, dict[str, KeyNote]()
    if title:
        letters = max(int(72 * figure.bbox.width / figure.dpi / (_LETTER * (size + 2))), _LONGEST_TITLE)
        figure.suptitle(textwrap.fill(str(title), letters), fontsize=size + 2, x=0.01, ha="left")
    for number, (name, own) in enumerate(averages.items()):
        ax, alone = axes[number], {name: own}
        _dress(ax, averages, asked, "")
        ax.set_title(no_formula(titles[number]), fontsize=size + 1, loc="left")
        lines, bands, faint = _draw(ax, alone, {name: points[name]}, asked)
        notes = notes_of(alone, bands, faint, [points[name]], asked)
        for other in averages.values():
            if other is not own:
                draw_average(ax, other, LOOKS[0], scale=asked.scale, width=0.6).set(**_OTHER)
        kind = notes_on_kind(alone)
        explained.update({note.text: note for note in notes if note.text != kind[0].text})
        entries = entries_of(alone, lines, asked, is_named=False)
        short = len(kind[0].text) <= 1.2 * _LONGEST_NOTE
        said = kind if short else [KeyNote(textwrap.fill(kind[0].text, _LONGEST_NOTE))]
        average_key(ax, entries, said, text_size=size, **_NO_LINE)
        if given is None:
            _outer_labels_only(ax, number, across, len(averages))
    _explain(axes[0], list(explained.values()), asked, is_own=given is None)
    return axes


def _explain(ax: Axes, notes: list[KeyNote], asked: Asked, *, is_own: bool) -> None:
    """What holds for all plots: under them, or in the key of the first."""
    from matplotlib.lines import Line2D

    notes = [*notes, KeyNote("the other averages", Line2D([], [], linewidth=0.6 * asked.scale, **_OTHER))]
    if not is_own:
        average_key(ax, [], notes, text_size=asked.text_size)
        return
    handles = [note.handle or Line2D([], [], linestyle="none") for note in notes]
    place: Any = {"loc": "outside lower left", "ncols": 2, "frameon": False, "labelcolor": QUIET}
    texts = [note.text for note in notes]
    legend = ax.figure.legend(handles, texts, fontsize=asked.text_size - 1, **place)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _outer_labels_only(ax: Axes, number: int, across: int, n: int) -> None:
    """Words and numbers at the left edge of the page, and where no other plot is below."""
    if number % across:
        ax.set_ylabel("")
        ax.tick_params(labelleft=False)
    if number + across < n:
        ax.set_xlabel("")
        ax.tick_params(labelbottom=False)


def _panels(given: Any, n: int, across: int, scale: float, *, more: int) -> tuple[Axes, ...]:
    """The axes that were given, one for each; or new ones on a page, with so many more lines above each."""
    if given is None:
        down = -(-n // across)
        side = _PAGE / _ACROSS
        figure = new_figure(across * side * scale, (down * (side + more * _LINE) + 0.2) * scale)
        made = [figure.add_subplot(down, across, place + 1) for place in range(n)]
    else:
        made = [flat_axes(ax, COLUMN, COLUMN) for ax in np.ravel(np.asarray(given, dtype=object))]
    if len(made) != n:
        raise fail("RS002.axes-each", n=n, found=len(made))
    from rocsteady.plots.parts.canvas import Panels

    return Panels(made)
