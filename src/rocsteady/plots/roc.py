"""A ROC curve with its area, or several by name, or very many, which are faint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.binormal import BinormalFit
from rocsteady.curves.from_scores import described
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import counted, fail
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.plots.given.named_curves import Paths, crowd_words, is_crowd, named_curves
from rocsteady.plots.given.of_average import band_words, point_words
from rocsteady.plots.given.of_curve import area_interval, bands_of_curves, line_of, points_of_curve
from rocsteady.plots.given.values import flat_axes, given_size
from rocsteady.plots.keys.average_key import LONGEST_NAME, KeyEntry, KeyNote, band_patch
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.parts.curve_lines import (
    MOST_MEMBERS,
    draw_average,
    draw_bands,
    faint_curves,
    point_handle,
)
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.points_apart import draw_points
from rocsteady.plots.parts.roc_axes import dress_roc, given_zoom, lowest_rate
from rocsteady.plots.parts.short_names import told_apart
from rocsteady.plots.parts.style import COLUMN, LOOKS
from rocsteady.plots.parts.vocabulary import Vocabulary, vocabulary
from rocsteady.words import grouped, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.curve_set import CurveSet
    from rocsteady.curves.intervals import Band
    from rocsteady.points.cutoffs import Cutoff

_WAY = "rs.plot.roc(rs.roc_curve(labels, scores))"
_TWO_LINES = 3
"""So many curves have their intervals on lines of their own in the key; of more, beside the areas."""


def roc(
    curves: RocCurve | BinormalFit | CurveSet | Sequence[Any] | Mapping[str, Any],
    *scores: Any,
    names: Sequence[str] | None = None,
    band: str | Band | Sequence[Band] | None = None,
    interval: bool = True,
    at: Mapping[str, float] | Cutoff | Sequence[Any] = (),
    confidence_level: float = 0.95,
    seed: int = 0,
    words: str = "ml",
    zoom: float | tuple[float, float] | None = None,
    xscale: str = "linear",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves, each with the area under it.

    Up to six curves have a colour and a dash each. More are faint lines, those of each model alike, at most
    300 of them drawn at random: for these an average says more.

    Parameters
    ----------
    curves : RocCurve, CurveSet, BinormalFit, sequence of curves, or mapping from names to curves
        From :func:`rocsteady.roc_curve`, :func:`rocsteady.roc_curves` or :func:`rocsteady.fit_binormal`.
    *scores
        Nothing: labels and scores become a curve first, ``rs.plot.roc(rs.roc_curve(labels, scores))``.
    names : sequence of str, optional
        What the curves are called; by default their own names.
    band : {"pointwise", "simultaneous", "both", "none"}, Band, or sequence of Band, optional
        Limits around each curve; ``curve.band(...)`` gives others. What is random is the cases.
    interval : bool
        Whether the key has the interval of each area (:meth:`RocCurve.auc_interval`; none with weights).
    at : mapping, Cutoff, or sequence of these
        Points to mark: ``{"fpr": 0.05}``, ``{"sensitivity": 0.9}`` with intervals, ``{"threshold": 0.5}``, or
        what :func:`rocsteady.choose_cutoff` gave. Of several curves each has its own.
    confidence_level : float
        Of bands and intervals that are made here.
    seed : int
        Of whatever is drawn at random.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    zoom : float or (float, float), optional
        The largest false positive rate in view; or that, and the smallest true positive rate.
    xscale : {"linear", "log"}
        Of the false positive rate. A log scale starts at about one false alarm; what lies left of that stands
        at the left edge.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but curves, bands and points; RS013 if names or bands are not as many; RS001 and
        RS042 for words and numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1] * 6 + [0] * 6
    >>> curve = rs.roc_curve(labels, [9, 8, 8, 7, 5, 3, 6, 4, 3, 2, 2, 1], name="model A")
    >>> axes = roc(curve, at={"fpr": 0.2})
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['model A  AUC 0.903', '0.493 to 0.989 (95 %)']
    """
    if scores:
        raise fail("RS002.drawn-from", what="ROC curves", found=described(curves), ways=[_WAY])
    text_size = given_size(text_size)
    yes_or_no("interval", interval)
    open_share("confidence_level", confidence_level)
    whole_number("seed", seed, least=0, example=0)
    said = vocabulary(words)
    crowd = _crowd_of(curves)
    found = [] if crowd is not None else _named(curves, names)
    several = [curve for _, curve in found]
    start = _lowest(several if crowd is None else crowd) if xscale == "log" else None
    view: Any = {"furthest": given_zoom(zoom)[0], "lowest": start}
    bands = bands_of_curves(several, band, confidence_level=confidence_level, seed=seed, **view)
    points = [points_of_curve(curve, at, confidence_level) for curve in several]
    is_own, ax = ax is None, flat_axes(ax, COLUMN, COLUMN, text_size)
    scale = scale_of(text_size)
    dress_roc(ax, words=words, zoom=zoom, xscale=xscale, lowest=start, title=title, text_size=text_size)
    if crowd is not None:
        _draw_crowd(ax, crowd, seed, text_size, is_own=is_own)
        return ax
    drawn = [draw_bands(ax, own, look) for own, look in zip(bands, LOOKS, strict=False)]
    lines = [
        draw_average(ax, line_of(curve), look, scale=scale, width=1.6)
        for curve, look in zip(several, LOOKS, strict=False)
    ]
    draw_points(ax, points, scale)
    level = confidence_level if interval else None
    notes = _notes(ax, several, drawn, points, said, scale)
    keys = [
        Key(_entries(found, lines, level, is_short=is_short), notes)
        for is_short in (False, True)
        if is_short or len(found) <= _TWO_LINES
    ]
    write_key(ax, keys, text_size, is_own=is_own)
    return ax


def _entries(
    found: list[tuple[str, Any]], lines: list[Any], level: float | None, *, is_short: bool
) -> tuple[KeyEntry, ...]:
    """Each curve with its area; the limits of that under it, or beside it."""
    entries = []
    for (name, curve), line, look in zip(found, lines, LOOKS, strict=False):
        area, below = _area(curve, level, is_short=is_short)
        entries.append(KeyEntry(line, name, area, look.text, below))
    return tuple(entries)


def _notes(
    ax: Axes,
    curves: list[Any],
    drawn: list[list[Band]],
    points: list[list[Any]],
    said: Vocabulary,
    scale: float,
) -> tuple[KeyNote, ...]:
    """Cases, bands and points; the last two of a single curve in its colour, of several not one by one."""
    is_one = len(curves) == 1
    kinds = {own.kind: own for one in drawn for own in one}
    colour = LOOKS[0].colour if is_one else "0.4"
    notes = [KeyNote(_cases(curves[0], said))] if is_one else []
    notes += [KeyNote(band_words(kinds[k], "case", said), band_patch(k, colour)) for k in sorted(kinds)]
    if is_one:
        notes += [KeyNote(point_words(own, said, ax), point_handle(LOOKS[0], scale)) for own in points[0]]
    return tuple(notes)


def _named(curves: Any, names: Sequence[str] | None) -> list[tuple[str, Any]]:
    found = named_curves(curves, (RocCurve, BinormalFit), what="ROC curves", way=_WAY, most=len(LOOKS))
    if names is None:
        return [
            (f"curve {i}" if len(found) > 1 and not name else name, own)
            for i, (name, own) in enumerate(found, 1)
        ]
    if isinstance(names, str) or len(names) != len(found):
        ways, given = ["names=['baseline', 'candidate']"], described(names)
        raise fail("RS013.one-each", name="names", of="curve", n=len(found), found=given, ways=ways)
    return [(str(name), own) for name, (_, own) in zip(names, found, strict=True)]


def _crowd_of(curves: Any) -> Any:
    """Curves that are too many to be told apart, else None."""
    if is_crowd(curves):
        return curves
    is_list = isinstance(curves, Sequence) and not isinstance(curves, str) and len(curves) > len(LOOKS)
    return curves if is_list and all(isinstance(own, RocCurve) for own in curves) else None


def _draw_crowd(ax: Axes, crowd: Any, seed: int, text_size: float, *, is_own: bool) -> None:
    from matplotlib.lines import Line2D

    scale, unit = scale_of(text_size), printable(getattr(crowd, "unit", "curve"))
    parts, few, drawn = _by_model(crowd), 0, list[KeyNote]()
    names = told_apart(list(parts), LONGEST_NAME)
    for (name, part), look in zip(zip(names, parts.values(), strict=True), LOOKS, strict=False):
        own: Any = {"colour": look.colour, "line": look.line if len(parts) > 1 else "-"}
        faint = faint_curves(ax, part, most=MOST_MEMBERS // len(parts), seed=seed, scale=scale, **own)
        line = Line2D([], [], color=look.colour, linestyle=own["line"], linewidth=0.8 * scale, alpha=0.6)
        drawn.append(KeyNote(name or crowd_words(faint, unit), line))
        few += faint.n
    if len(parts) > 1:
        groups, models = counted(len(set(crowd.group_index.tolist())), unit), counted(len(parts), "model")
        some = "" if few == len(crowd) else f"{grouped(few)} of {counted(len(crowd), 'curve')}: "
        drawn.insert(0, KeyNote(f"{some}{groups}, {models}"))
    write_key(ax, [Key((), tuple(drawn))], text_size, is_own=is_own)


def _by_model(crowd: Any) -> dict[str, Any]:
    """The curves of each model; all of them where no models are named, or too many."""
    models, of = getattr(crowd, "models", ()), getattr(crowd, "model_index", None)
    if of is None or not 1 < len(models) <= len(LOOKS):
        return {"": crowd}
    places = [np.flatnonzero(of == number).tolist() for number in range(len(models))]
    return {name: Paths(own, crowd.__getitem__) for name, own in zip(models, places, strict=True)}


def _area(curve: RocCurve | BinormalFit, level: float | None, *, is_short: bool) -> tuple[str, str]:
    """The area, and its limits: beside it or under it."""
    found = None if level is None else area_interval(curve, level)
    fitted = " (binormal)" if isinstance(curve, BinormalFit) else ""
    if found is None:
        return f"AUC {curve.auc:.3f}{fitted}", ""
    limits = f"{found.low:.3f} to {found.high:.3f}"
    if is_short:
        return f"{curve.auc:.3f} ({limits}){fitted}", ""
    return f"AUC {curve.auc:.3f}{fitted}", f"{limits} ({100 * found.confidence_level:g} %)"


def _cases(curve: RocCurve | BinormalFit, said: Vocabulary) -> str:
    if isinstance(curve, RocCurve) and curve.is_weighted:
        return f"weights: {curve.n_positives:.4g} positive, {curve.n_negatives:.4g} negative"
    hull = "convex hull, " if getattr(curve, "_is_hull", False) else ""
    positives, negatives = (
        counted(curve.n_positives, said.positives),
        counted(curve.n_negatives, said.negatives),
    )
    return f"{hull}{positives}, {negatives}"


def _lowest(curves: Any) -> float:
    """Where a log scale starts: at one false alarm of the largest curve."""
    if hasattr(curves, "table"):
        return lowest_rate(curves.n_negatives)
    return lowest_rate([curve.n_negatives for curve in curves])
