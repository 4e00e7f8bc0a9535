"""One average with the curves it was made of, both bands, points of interest, and what all of it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.averaging.directional import SmrocAverage
from rocsteady.calling import welcomes
from rocsteady.options import yes_or_no
from rocsteady.plots.given.of_average import (
    area_words,
    band_words,
    bands_of,
    ellipse_words,
    ellipses_of,
    given_average,
    kind_words,
    lowest_of,
    point_words,
    points_of,
    rate_words,
    said_of,
    unit_of,
)
from rocsteady.plots.given.values import flat_axes, given_look, given_size
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, band_patch
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.keys.words_of_averages import too_few_groups
from rocsteady.plots.parts.curve_lines import (
    HowMany,
    draw_average,
    draw_bands,
    draw_ellipse,
    draw_point,
    ellipse_handle,
    faint_curves,
    next_look,
    point_handle,
)
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.roc_axes import dress_roc, given_zoom
from rocsteady.plots.parts.style import COLUMN, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocsteady.averaging.base import Average, AveragePoint
    from rocsteady.curves.intervals import Band


@welcomes("rs.plot.average(rs.average(score_set, 'vertical'))")
def average(
    average: Average,
    *,
    curves: bool = True,
    band: str | Band | Sequence[Any] | None = "both",
    at: Mapping[str, Any] | AveragePoint | Sequence[Any] = (),
    ellipse: float | None = None,
    label: str | None = None,
    look: Look | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    words: str = "ml",
    zoom: float | tuple[float, float] | None = None,
    xscale: str = "linear",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw an average, the curves it was made of, and how sure it is.

    The darker band holds at each point by itself, the lighter one over a whole range at once. The key has the
    area with its interval, the kind of average and the number of groups.

    Parameters
    ----------
    average : Average
        From :func:`rocsteady.average`.
    curves : bool
        Whether the curves of the groups are drawn, faintly; of more than 300 so many, drawn at random.
    band : {"both", "pointwise", "simultaneous", "prediction", "none"}, Band, sequence of these, or None
        What is drawn around the average; ``average.band(...)`` gives others. Of fewer than eight groups there
        is no band over a range at once, and of one there is none.
    at : mapping, AveragePoint, or sequence of these
        Points to mark with their intervals: ``{"fpr": 0.05}``, ``{"specificity": 0.95}``, ``{"fnmr": 0.01}``,
        or what ``average.at(...)`` gave.
    ellipse : float, optional
        Confidence level of a region for both rates at the points of a threshold average.
    label : str, optional
        What the average is called in the key.
    look : Look, optional
        One of ``rocsteady.plots.parts.style.LOOKS``; by default the next that is free in these axes.
    confidence_level : float
        Of bands and intervals that are made here.
    seed : int
        Of whatever is drawn at random.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    zoom : float or (float, float), optional
        The largest false positive rate in view; or that, and the smallest true positive rate.
    xscale : {"linear", "log"}
        Of the false positive rate. A log scale starts at about one false alarm of the largest group; what
        lies left of that stands at the left edge.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but an average, for points without a place, and for an ellipse where groups share
        no threshold; RS086 for a prediction band where there is none; RS001 and RS042 for words and numbers
        that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> axes = average(rs.average(rs.ScoreSet.from_folds(folds), "threshold"))
    >>> [text.get_text() for text in axes.get_legend().get_texts()][2]
    'threshold average, 2 folds'
    """
    text_size, average = given_size(text_size), given_average(average)
    yes_or_no("curves", curves)
    (furthest, _), said = given_zoom(zoom), said_of(average, words)
    asked: Any = {"confidence_level": confidence_level, "seed": seed}
    start = lowest_of(average) if xscale == "log" else None
    bands = bands_of(average, band, furthest=furthest, lowest=start, **asked)
    points = points_of(average, at, confidence_level=confidence_level)
    ellipses = ellipses_of(average, points, ellipse)
    is_own, ax = ax is None, flat_axes(ax, COLUMN, COLUMN, text_size)
    scale, look = scale_of(text_size), given_look(look) or next_look(ax)
    place: Any = {"words": words, "zoom": zoom, "xscale": xscale, "lowest": start}
    dress_roc(ax, **place, axis_words=rate_words(average), title=title, text_size=text_size)
    faint = None
    if curves and average.n_groups > 1:
        faint = faint_curves(ax, average.curves, colour=look.colour, seed=seed, scale=scale)
    drawn = draw_bands(ax, bands, look)
    line = draw_average(ax, average, look, scale=scale)
    for region in ellipses:
        draw_ellipse(ax, region.fpr, region.tpr, look, scale=scale)
    for point in points:
        draw_point(ax, point, look, scale=scale)
    notes = [KeyNote(kind_words(average)), *_chance(average), *_members(average, faint, look, scale)]
    around = [
        KeyNote(band_words(own, unit_of(average), said), band_patch(own.kind, look.colour))
        for own in drawn[::-1]
    ]
    marked = [KeyNote(point_words(own, said, ax), point_handle(look, scale)) for own in points]
    marked += [KeyNote(ellipse_words(own), ellipse_handle(look, scale)) for own in ellipses[:1]]
    area = area_words(average, confidence_level)
    label = "" if label is None else str(label)
    entry = _entry(line, label, area, look, confidence_level, is_short=False)
    key = Key((entry,), (*notes, *around, *too_few_groups(average, band), *marked))
    short = Key((_entry(line, label, area, look, confidence_level, is_short=True),), key.notes)
    shorter = Key(short.entries, (*notes, *_joined(around), *too_few_groups(average, band), *marked))
    write_key(ax, (key, short, shorter), text_size, is_own=is_own)
    return ax


def _entry(
    line: Line2D, label: str, area: tuple[str, str, str], look: Look, level: float, *, is_short: bool
) -> KeyEntry:
    """The average with its area; the interval of that under it, or beside it."""
    word, value, limits = area
    if not limits:
        return KeyEntry(line, label, f"{word} {value}", look.text)
    if is_short:
        return KeyEntry(line, label, f"{word} {value} ({100 * level:g} %: {limits})", look.text)
    return KeyEntry(line, label, f"{word} {value}", look.text, f"{limits} ({100 * level:g} %)")


def _joined(bands: list[KeyNote]) -> list[KeyNote]:
    """Two bands on one line."""
    if len(bands) != 2 or not bands[1].text.endswith(" at once"):
        return bands
    level = bands[0].text.partition(":")[0]
    where = bands[1].text.removeprefix(f"{level}: ").removesuffix(" at once")
    return [KeyNote(f"{level}: each point; lighter: {where}", bands[0].handle)]


def _chance(average: Average) -> list[KeyNote]:
    """The diagonal says nothing about smROC curves."""
    if isinstance(average, SmrocAverage):
        return [KeyNote(f"labels at random: smAUC about {average.chance_auc:.3f}")]
    return []


def _members(average: Average, faint: HowMany | None, look: Look, scale: float) -> list[KeyNote]:
    from matplotlib.lines import Line2D

    if faint is None:
        return []
    line = Line2D([], [], color=look.colour, linewidth=0.6 * scale, alpha=0.5)
    return [KeyNote(faint.words(unit_of(average)), line)]
