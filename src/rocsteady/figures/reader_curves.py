"""The curves of all readers, and the average curve of each modality with its band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band as Limits
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import View, band_marks, point_marks, require_room
from rocsteady.figures.spec import Band, Entry, Faint, Key, Line, Mark, Picture, short_names
from rocsteady.figures.style import ALPHAS, LOOKS, QUIET, TEXT_SIZE
from rocsteady.options import one_of, yes_or_no
from rocsteady.readers.compare import ReaderComparison
from rocsteady.readers.curves import HOLDS, ReaderAverageCurve
from rocsteady.readers.study import spoken
from rocsteady.statistics.limits import Interval
from rocsteady.text import AUC, Count, Level, Model, Name, Quote, Rate, Text, listed, phrase, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CROWD = 24
"""Curves of readers; more of them are drawn fainter."""
_SAME = 1e-9
"""Mean areas that differ by less are one."""


def reader_curves(
    found: ReaderComparison | ReaderAverageCurve | Sequence[ReaderAverageCurve],
    *,
    hold: str = "fpr",
    readers: bool = True,
    confidence_level: float | None = None,
    words: str = "medical",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw every reader's curve thinly, and the average curve of each modality with its pointwise band.

    The area under an average curve is the mean AUC of its readers. The band is for one position at a time,
    for what is random: readers, cases or both, as the key says. There is none where too few cases decide.

    Parameters
    ----------
    found : ReaderComparison, ReaderAverageCurve, or several of these
        From :func:`rocsteady.compare_readers`, or its ``.average_curve(modality)``; of up to six modalities.
    hold : {"fpr", "tpr"}
        The rate that is held where a comparison is averaged.
    readers : bool
        Whether the readers' own curves are drawn.
    confidence_level : float, optional
        Of the band; that of the comparison or of the curve if left out.
    words, title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a comparison or average curves; RS042 for more modalities than can be
        distinguished, or a size that is none; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> table = reader_study(standalone=False)
    >>> study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    >>> axes = reader_curves(rs.compare_readers(study))
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('1 − specificity', 'Sensitivity')
    """
    one_of("hold", hold, tuple(HOLDS))
    yes_or_no("readers", readers)
    curves = _given_curves(found, hold)
    bands = [curve.band(confidence_level) for curve in curves]
    areas = [_interval(found, curve) for curve in curves]
    made = picture(curves, bands=bands, areas=areas, readers=readers).titled(title)
    said = replace(words_of(curves[0], words), models=tuple(curve.modality for curve in curves))
    return draw(made, said, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    curves: ReaderAverageCurve | Sequence[ReaderAverageCurve],
    *,
    bands: Sequence[Limits] = (),
    areas: Sequence[Interval | None] = (),
    points: Sequence[Sequence[Any]] = (),
    readers: bool = True,
    view: View | None = None,
) -> Picture:
    """Average curves of modalities, with bands, intervals of mean areas and points in the same order."""
    curves = [curves] if isinstance(curves, ReaderAverageCurve) else curves
    bands, areas = list(bands), list(areas) or [None] * len(curves)
    hues = [Model(curve.modality) for curve in curves]
    n_lines = sum(len(curve.readers) for curve in curves)
    alpha = 0.45 if n_lines <= _CROWD else 0.22
    marks: list[Mark] = []
    for curve, hue in zip(curves, hues, strict=True):
        if readers:
            paths = [(own.fpr, own.tpr) for own in curve.reader_curves]
            marks.append(Faint(paths, look=hue, width=0.6, alpha=alpha, name="reader"))
    for band, hue in zip(bands, hues, strict=False):
        marks += [replace(own, name="band") for own in band_marks([band], hue)]
    marks += [
        Line(curve.fpr, curve.tpr, look=hue, width=2.0, name="average")
        for curve, hue in zip(curves, hues, strict=True)
    ]
    marks += point_marks(points, hues)
    names = short_names([spoken(curve.modality) for curve in curves], 30)
    entries = [
        Entry(
            phrase(
                "{name}: {auc} {area:cell}", name=Quote(name), auc=Name(AUC), area=Rate(AUC, curve.auc, area)
            ),
            Line((), (), look=hue, width=2.0),
        )
        for name, curve, area, hue in zip(names, curves, areas, hues, strict=True)
    ]
    notes = [Entry(_heading(curves))]
    if readers:
        notes.append(Entry(phrase("each {unit}", unit=Quote(curves[0].unit)), Faint((), look=QUIET)))
    seen = [own for own in bands if np.isfinite(own.lower.tpr + own.lower.fpr).any()]
    if seen:
        levels = listed([Level(own) for own in sorted({band.confidence_level for band in seen})])
        sample = Band(((), ()), ((), ()), look=QUIET, alpha=ALPHAS["pointwise"])
        notes.append(Entry(phrase("{levels}: each point by itself", levels=levels), sample))
    known = {own.confidence_level for own in areas if own is not None}
    heading = phrase("{level} CI in brackets", level=Level(known.pop())) if len(known) == 1 else None
    panel = replace((view or View()).panel(marks), key=Key(tuple(entries), tuple(notes), heading))
    return Picture(
        (panel,),
        description=phrase("ROC curves of {what}", what=_heading(curves)),
    )


def _given_curves(found: object, hold: str) -> list[ReaderAverageCurve]:
    """The average curves; RS002 if there are none, RS042 if they are too many."""
    some = ["some of them:  rs.plot.reader_curves([found.average_curve(name) for name in names])"]
    if isinstance(found, ReaderComparison):
        require_room(found.modalities, len(LOOKS), "modalities", some)
        return [found.average_curve(name, hold=hold) for name in found.modalities]
    given: Any = [found] if isinstance(found, ReaderAverageCurve) else found
    is_list = isinstance(given, Sequence) and len(given) > 0
    if not is_list or not all(isinstance(own, ReaderAverageCurve) for own in given):
        way = "rs.plot.reader_curves(rs.compare_readers(score_set))"
        what = "a reader comparison, or its average curves"
        raise fail("RS002.drawn-from", what=what, found=described(found), ways=[way])
    require_room(given, len(LOOKS), "modalities", some)
    return list(given)


def _interval(found: object, curve: ReaderAverageCurve) -> Interval | None:
    """Of the mean area, where a comparison of areas has it; no area lies outside 0 and 1."""
    if not isinstance(found, ReaderComparison):
        return None
    per = found.per_modality
    place = per.modalities.index(curve.modality)
    own = per.logit_intervals[place]
    # What was compared may be no area, or the mean of other areas where readers read different cases.
    if not np.isfinite([own.low, own.high]).all() or abs(per.value[place] - curve.auc) > _SAME:
        return None
    return own


def _heading(curves: Sequence[ReaderAverageCurve]) -> Text:
    """How the curves were averaged, over how many, and what is random."""
    first = curves[0]
    sizes = {len(curve.readers) for curve in curves}
    n: Text = phrase("{n}" if len(sizes) == 1 else "up to {n}", n=Count(max(sizes), first.unit))
    words: dict[str, Any] = {
        "kind": Quote(first.method),
        "readers": Quote(first.readers_are),
        "cases": Quote(first.cases_are),
    }
    return phrase("{kind} average, {n} ({readers}), cases {cases}", n=n, **words)
