"""One average with the curves it was made of, both bands, points of interest, and what all of it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.averaging.directional import SmrocAverage
from rocsteady.averaging.shared_threshold import Ellipse, ThresholdAverage
from rocsteady.calling import welcomes
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band as Limits
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import (
    CREDIT,
    DEBIT,
    View,
    band_marks,
    band_notes,
    bands_of_average,
    kind_text,
    missing_band_notes,
    named,
    of_kind,
    point_marks,
    point_text,
    points_of_average,
    unit_of,
)
from rocsteady.figures.spec import Entry, Faint, Key, Line, Mark, Picture, Points, Region, evenly
from rocsteady.figures.style import LOOKS, MOST_FAINT, TEXT_SIZE, Hue, Look
from rocsteady.options import open_share, yes_or_no
from rocsteady.statistics.limits import Interval
from rocsteady.text import AREA, AUC, SMAUC, Count, Level, Model, Name, Quote, Rate, Text, phrase, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WAY = "rs.plot.average(rs.average(score_set, 'vertical'))"


@welcomes("rs.plot.average(rs.average(score_set, 'vertical'))")
def average(
    average: Average,
    *,
    curves: bool = True,
    band: str | Limits | Sequence[Any] | None = "both",
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
        Whether the curves of the groups are drawn, faintly; of more than 300 so many, evenly chosen in their
        order.
    band : {"both", "pointwise", "simultaneous", "prediction", "none"}, Band, sequence of these, or None
        What is drawn around the average; ``average.band(...)`` gives others. Of fewer than eight groups there
        is no band over a range at once, of fewer than three there is none.
    at : mapping, AveragePoint, or sequence of these
        Points to mark with their intervals: ``{"fpr": 0.05}``, ``{"specificity": 0.95}``, ``{"fnmr": 0.01}``,
        or what ``average.at(...)`` gave.
    ellipse : float, optional
        Confidence level of a region for both rates at the points of a threshold average.
    label : str, optional
        What the average is called in the key.
    look : Look, optional
        One of ``rocsteady.figures.style.LOOKS``; by default the next that is free in these axes.
    confidence_level, seed, words, zoom, xscale, title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

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
    average = of_kind(Average, average, "an average", _WAY)
    level: Any = {"confidence_level": confidence_level, "seed": seed}
    shown: Any = {
        "curves": curves,
        "band": band,
        "at": at,
        "ellipse": ellipse,
        "zoom": zoom,
        "xscale": xscale,
    }
    name = "" if label is None else str(label)
    found = picture_of(average, label=name, look=_given_look(look) or _next_look(ax), **shown, **level)
    return draw(found.titled(title), words_of(average, words), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture_of(
    average: Average,
    *,
    curves: bool = True,
    band: object = "both",
    at: object = (),
    ellipse: object = None,
    label: str = "",
    look: Hue = LOOKS[0],
    confidence_level: float = 0.95,
    seed: int = 0,
    zoom: object = None,
    xscale: str = "linear",
) -> Picture:
    """The description with bands, points and regions that are made for it."""
    yes_or_no("curves", curves)
    view, level = View.of(zoom, xscale, average._groups.n_negatives), {"confidence_level": confidence_level}
    bands = bands_of_average(average, band, view, seed=seed, **level)
    points = points_of_average(average, at, **level)
    return picture(
        average,
        curves=curves,
        bands=bands,
        points=points,
        ellipses=_ellipses(average, points, ellipse),
        label=label,
        look=look,
        view=view,
        area=average.auc_interval(confidence_level),
        notes=missing_band_notes(average, band),
    )


def picture(
    average: Average,
    *,
    curves: bool = True,
    bands: Sequence[Limits] = (),
    points: Sequence[Any] = (),
    ellipses: Sequence[Ellipse] = (),
    label: str = "",
    look: Hue = LOOKS[0],
    view: View | None = None,
    area: Interval | None = None,
    notes: Sequence[Entry] = (),
) -> Picture:
    """An average with bands, points and regions that were made of it; `area` is the interval of its AUC."""
    view = view or View.at(points, average._groups.n_negatives)
    members: list[Mark] = []
    faint: list[Entry] = []
    if curves and average.n_groups > 1:
        mark, entry = members_of(average, look)
        members, faint = [mark], [entry]
    regions = [
        Region(own.fpr, own.tpr, look=look, alpha=0.12, outline=0.9, name="ellipse") for own in ellipses
    ]
    line = Line(average.fpr, average.tpr, look=look, width=2.0, name="average")
    panel = view.panel(
        (*members, *band_marks(bands, look), line, *regions, *point_marks([points], [look])),
        axes=axes_of(average),
    )
    is_smroc = average.averaged.is_smroc
    marked = [
        Entry(point_text(own, is_smroc=is_smroc, view=view), Points((), (), look=look)) for own in points
    ]
    if ellipses:
        region = Region((), (), look=look, alpha=0.2, outline=0.9)
        marked.append(
            Entry(phrase("{level}: both rates at once", level=Level(ellipses[0].confidence_level)), region)
        )
    chance = [
        Entry(phrase("labels at random: smAUC about {area}", area=Rate(SMAUC, own)))
        for own in ([average.chance_auc] if isinstance(average, SmrocAverage) else [])
    ]
    entry = area_entry(average, area, label, line)
    said = (
        Entry(kind_text(average)),
        *chance,
        *faint,
        *band_notes(bands, unit_of(average), look),
        *notes,
        *marked,
    )
    return Picture(
        (replace(panel, key=Key((entry,), said, corners=view.corners)),),
        description=phrase("ROC curve: {kind}", kind=kind_text(average)),
    )


def axes_of(average: Average) -> tuple[Text, Text] | None:
    """What stands at the axes where they are no rates."""
    return (named(DEBIT), named(CREDIT)) if average.averaged.is_smroc else None


def members_of(average: Average, look: Hue, *, most: int = MOST_FAINT) -> tuple[Faint, Entry]:
    """The curves of the groups, and what the key says of them."""
    curves = average.curves
    paths = [(own.fpr, own.tpr) for own in (curves[k] for k in evenly(range(len(curves)), most))]
    unit = unit_of(average)
    text = phrase("each {unit}", unit=Quote(unit))
    if len(curves) > most:
        text = phrase("{n}", n=Count(most, unit, of=len(curves)))
    return Faint(paths, look=look, name="members"), Entry(text, Faint((), look=look))


def area_of(average: Average, interval: Interval | None) -> Rate:
    """The area with its interval; limits are numbers, and no area lies outside 0 and 1."""
    known = interval is not None and np.isfinite(interval.low) and average.n_groups > 1
    limits = None
    if known:
        assert interval is not None
        limits = replace(interval, low=max(float(interval.low), 0.0), high=min(float(interval.high), 1.0))
    return Rate(SMAUC if average.averaged.is_smroc else AREA, average.auc, limits)


def area_entry(average: Average, interval: Interval | None, label: str, line: Line) -> Entry:
    """The area under an average, and its interval."""
    area = area_of(average, interval)
    name = Name(SMAUC if average.averaged.is_smroc else AUC)
    text = phrase("{name} {area:bare}", name=name, area=area)
    if label:
        text = phrase("{label}  {text}", label=Model(label), text=text)
    detail = None
    if area.interval is not None:
        level = Level(area.interval.confidence_level)
        detail = phrase("{level} CI {area:limits}", level=level, area=area)
    return Entry(text, replace(line, x=(), y=()), detail)


def _ellipses(average: Average, points: Sequence[AveragePoint], level: object) -> list[Ellipse]:
    """A region of both rates around every point with a threshold that all groups share."""
    if level is None or level is False:
        return []
    level = open_share("ellipse", level)  # type: ignore[arg-type]
    if not isinstance(average, ThresholdAverage):
        raise fail("RS002.ellipse-threshold", label=average.method.label, average=average)
    thresholds = [
        float(own) for point in points if point.threshold is not None for own in np.ravel(point.threshold)
    ]
    return [average.ellipse(own, level) for own in thresholds]


def _given_look(look: object) -> Look | None:
    """How something is to be drawn, if anybody said so; RS002 for a colour alone."""
    if look is None or isinstance(look, Look):
        return look
    ways = ["look=rocsteady.figures.style.LOOKS[1]", "or leave out  look"]
    raise fail("RS002.kind", name="look", kind="a Look", found=described(look), ways=ways)


def _next_look(ax: Any) -> Look:
    """The look of the next average in these axes: another than those that are there."""
    n_there = sum(line.get_label() == "_average" for line in getattr(ax, "lines", ()))
    return LOOKS[n_there % len(LOOKS)]
