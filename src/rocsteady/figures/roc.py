"""A ROC curve with its area, or several by name, or very many, which are faint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.binormal import BinormalFit
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band as Limits
from rocsteady.curves.intervals import quiet_intervals
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import (
    View,
    band_marks,
    band_notes,
    bands_of_curves,
    crowd_marks,
    has_interval,
    hues_of,
    is_crowd,
    named_curves,
    path_of,
    point_marks,
    point_text,
    points_of_curve,
)
from rocsteady.figures.spec import (
    Entry,
    Key,
    Label,
    Line,
    Mark,
    Picture,
    Points,
    Segments,
    rounded,
    short_names,
    width_of,
)
from rocsteady.figures.style import LOOKS, MOST_FAINT, QUIET, TEXT_SIZE, Hue
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.statistics.limits import Interval
from rocsteady.text import (
    AUC,
    Count,
    Cut,
    Item,
    Level,
    Model,
    Name,
    Number,
    Quote,
    Rate,
    Text,
    joined,
    phrase,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.curve_set import CurveSet
    from rocsteady.points.cutoffs import Cutoff

_WAY = "rs.plot.roc(rs.roc_curve(labels, scores))"
_STEPS = "rs.plot.roc(rs.roc_curve(labels, scores), steps=True)"


def roc(
    curves: RocCurve | BinormalFit | CurveSet | Sequence[Any] | Mapping[str, Any],
    *scores: Any,
    names: Sequence[str] | None = None,
    band: str | Limits | Sequence[Limits] | None = None,
    interval: bool = True,
    at: Mapping[str, float] | Cutoff | Sequence[Any] = (),
    steps: bool = False,
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
    300 of them, evenly chosen in their order: for these an average says more.

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
    steps : bool
        Whether a single curve of at most 40 distinct scores is drawn as the steps it is made of, the highest
        score first: an arrow up for a positive, to the right for a negative, slanted for both at one score.
        Each has its score beside it where there is room.
    confidence_level, seed, words, zoom, xscale, title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but curves, bands and points; RS013 if names or bands are not as many; RS001 and
        RS042 for words and numbers that are none, and for steps of several curves, or too many.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1] * 6 + [0] * 6
    >>> curve = rs.roc_curve(labels, [9, 8, 8, 7, 5, 3, 6, 4, 3, 2, 2, 1], name="model A")
    >>> axes = roc(curve, at={"fpr": 0.2})
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['model A  AUC 0.903', '95 % CI 0.493 to 0.989']
    """
    if scores:
        raise fail("RS002.drawn-from", what="ROC curves", found=described(curves), ways=[_WAY])
    yes_or_no("interval", interval)
    is_stepwise = yes_or_no("steps", steps)
    level = open_share("confidence_level", confidence_level)
    whole_number("seed", seed, least=0, example=0)
    said = words_of(curves, words)
    crowd = _crowd_of(curves)
    if is_stepwise:
        curves = of_few_steps(curves)
    elif crowd is not None:
        view = View.of(zoom, xscale, _negatives(crowd))
        return draw(picture(crowd, view=view).titled(title), said, text_size=text_size, ax=ax)  # type: ignore[no-any-return]
    found = _named(curves, names)
    several = list(found.values())
    view = View.of(zoom, xscale, _negatives(several))
    bands = bands_of_curves(several, band, view, confidence_level=level, seed=seed)
    points = [points_of_curve(curve, at, level) for curve in several]
    areas = [area_interval(curve, level) if interval else None for curve in several]
    made = picture(found, bands=bands, points=points, areas=areas, view=view, steps=is_stepwise)
    return draw(made.titled(title), said, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    curves: Any,
    *,
    bands: Sequence[Sequence[Limits]] = (),
    points: Sequence[Sequence[Any]] = (),
    areas: Sequence[Interval | None] = (),
    view: View | None = None,
    steps: bool = False,
) -> Picture:
    """Curves by name, with bands, points and intervals of their areas, in the same order; or a crowd.

    The steps are those of the first.
    """
    if _crowd_of(curves) is not None:
        return crowd_picture(curves, view=view)
    curves = _named(curves, None)
    several, hues = list(curves.values()), hues_of(list(curves))
    bands, points = list(bands) or [()] * len(several), list(points) or [()] * len(several)
    areas = list(areas) or [None] * len(several)
    view = view or View.at([own for one in points for own in one], _negatives(several))
    marks: list[Mark] = [mark for own, hue in zip(bands, hues, strict=True) for mark in band_marks(own, hue)]
    for curve, hue in zip(several, hues, strict=True):
        x, y = path_of(curve)
        marks.append(Line(x, y, look=hue, width=0.5 if steps else 1.6, name="average"))
    is_one = len(several) == 1
    notes = [Entry(_cases(several[0]))] if is_one else []
    if steps:
        own_marks, own_notes = _steps(several[0])
        marks += own_marks
        notes += own_notes
    notes += band_notes([own for one in bands for own in one], "case", hues[0] if is_one else QUIET)
    if is_one:
        sample = Points((), (), look=hues[0])
        notes += [Entry(point_text(own, view=view), sample) for own in points[0]]
    panel = view.panel((*marks, *point_marks(points, hues)))
    entries = [
        _entry(name, curve, own, hue, is_one=is_one, has_line=not steps)
        for name, curve, own, hue in zip(short_names(list(curves), 60), several, areas, hues, strict=True)
    ]
    levels = [own.confidence_level for own in areas if own is not None]
    heading = phrase("{auc}, {level} CI", auc=Name(AUC), level=Level(levels[0])) if levels else Name(AUC)
    key = Key(tuple(entries), tuple(notes), None if is_one else heading, view.corners)
    names = joined([Model(name) for name in curves])
    return Picture(
        (replace(panel, key=key),),
        description=phrase("ROC curve: {names}", names=names),
    )


def crowd_picture(crowd: Any, *, view: View | None = None, model: str = "") -> Picture:
    """Curves that are too many to be distinguished, those of each model alike.

    ``model`` is whose colour they have where they are those of one.
    """
    view = view or View()
    parts, unit = _by_model(crowd), str(getattr(crowd, "unit", "curve"))
    marks: list[Mark] = []
    notes: list[Entry] = []
    most = MOST_FAINT // len(parts)
    hues = [Model(model)] if model and len(parts) == 1 else hues_of(list(parts))
    for name, hue in zip(parts, hues, strict=True):
        faint, note = crowd_marks(parts[name], path_of, unit, hue, most=most)
        marks.append(faint)
        notes.append(replace(note, text=Model(name)) if name else note)
    if len(parts) > 1:
        groups = Count(len(set(crowd.group_index.tolist())), unit)
        n_drawn, models = sum(min(len(own), most) for own in parts.values()), Count(len(parts), "model")
        text: Text = phrase("{groups}, {models}", groups=groups, models=models)
        if n_drawn < len(crowd):
            text = phrase("{n}: {rest}", n=Count(n_drawn, "curve", of=len(crowd)), rest=text)
        notes.insert(0, Entry(text))
    return Picture(
        (replace(view.panel(marks), key=Key(notes=tuple(notes))),), description=phrase("ROC curves")
    )


MOST_STEPS = 40
"""Distinct scores of a curve that is drawn step by step."""
_SIDE = 27.0
"""Sizes of the text of a step that an axis is long."""
_HIGH = 0.95 / _SIDE
"""Of a line of it, in shares of the axis."""


def _steps(curve: RocCurve) -> tuple[list[Mark], list[Entry]]:
    """Arrows from point to point, the score of each where it has room, and what their ways mean."""
    x, y = np.asarray(curve.fpr, dtype=float), np.asarray(curve.tpr, dtype=float)
    right, up = np.diff(x) > 0, np.diff(y) > 0
    marks: list[Mark] = []
    notes: list[Entry] = []
    for which, look, words, name in (
        (up & ~right, LOOKS[0], "up: {positives}", "up"),
        (right & ~up, LOOKS[1], "right: {negatives}", "right"),
        (right & up, LOOKS[2], "slanted: both, tied at one score", "tied"),
    ):
        k = np.flatnonzero(which)
        arrows = Segments(x[k], y[k], x[k + 1], y[k + 1], look=look, width=1.3, dash=(), head=5, name=name)
        if k.size:
            marks.append(arrows)
            notes.append(Entry(phrase(words), replace(arrows, x0=(), y0=(), x1=(), y1=())))
    marks.append(Points(x, y, size=2.6, marker="o", name="vertices"))
    labels = _scores_beside(curve, right, up)
    if labels and len(labels) == right.size:
        notes.append(Entry(phrase("numbers: the score of a step")))
    elif labels:
        n = Count(len(labels), "step", of=right.size)
        notes.append(Entry(phrase("numbers: the score, where there is room ({n})", n=n)))
    return [*marks, *labels], notes


def _scores_beside(curve: RocCurve, right: Any, up: Any) -> list[Label]:
    """The score of each step beside its middle, where nothing is in the way: left of an arrow up, below
    one to the right, or at the other side.
    """
    scores = [float(own) for own in curve.thresholds[1:]]
    numbers = [[rounded(own, n_digits) for own in scores] for n_digits in (3, 6)]
    shown = next((own for own in numbers if len(set(own)) == len(scores)), scores)
    texts = [phrase("{score:bare}", score=Cut(own)) for own in shown]
    x, y = (np.asarray(own, dtype=float) for own in (curve.fpr, curve.tpr))
    path = View().panel((Line(x, y),), chance=False)
    widths = [width_of(own.plain()) / _SIDE for own in texts]
    is_narrow = any(wide > run > 0 for wide, run in zip(widths, np.diff(x), strict=True))
    found: list[Label] = []
    taken: list[_Box] = []
    for k, text in enumerate(texts):
        middle = float(x[k] + x[k + 1]) / 2, float(y[k] + y[k + 1]) / 2
        is_turned = bool(right[k] and not up[k] and is_narrow)
        sides = (("left", "top"), ("right", "bottom")) if right[k] and up[k] else (
            (("left", "middle"), ("right", "middle")) if up[k] else (("middle", "bottom"), ("middle", "top"))
        )  # fmt: skip
        for across, above in sides:
            size = (_HIGH, widths[k]) if is_turned else (widths[k], _HIGH)
            box = _box_beside(middle, (_WAYS[across], _WAYS[above]), size)
            is_inside = min(box) >= 0 and max(box) <= 1
            if is_inside and path.is_free(box) and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                off = 3.0 * _WAYS[across], 3.0 * _WAYS[above]
                opposite: Any = {"across": _OPPOSITE[across], "up": _OPPOSITE[above]}
                own = Label(*middle, text, **opposite, off=off, smaller=1.5, is_turned=is_turned)
                found.append(replace(own, look=QUIET, name="score"))
                break
    return found


_Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in shares of the axes."""
_WAYS = {"left": -1, "right": 1, "middle": 0, "bottom": -1, "top": 1}
_OPPOSITE = {"left": "right", "right": "left", "middle": "middle", "bottom": "top", "top": "bottom"}


def _box_beside(middle: tuple[float, float], ways: tuple[int, int], size: tuple[float, float]) -> _Box:
    """What words of this size take that stand at this side of a place."""
    ends = []
    for at, way, length in zip(middle, ways, size, strict=True):
        start = at + way * 0.4 / _SIDE + (way - 1) / 2 * length
        ends.append((start, start + length))
    (left, right), (bottom, top) = ends
    return left, bottom, right, top


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def of_few_steps(curves: Any) -> dict[str, Any]:
    """The only curve, with its name, if it has few enough steps; RS042 otherwise."""
    found = dict(
        named_curves(curves, (RocCurve,), what="the steps of a ROC curve", way=_STEPS, most=MOST_FAINT)
    )
    if len(found) > 1:
        raise fail("RS042.steps-of-one", n=len(found))
    n = max(curve.thresholds.size - 1 for curve in found.values())
    if n > MOST_STEPS:
        raise fail("RS042.many-steps", most=MOST_STEPS, n=n)
    return found


def area_interval(curve: RocCurve | BinormalFit, confidence_level: float) -> Interval | None:
    """The interval of the area, without a word where it is a bound; None where there is none."""
    if not has_interval(curve):
        return None
    if isinstance(curve, BinormalFit):
        return curve.auc_interval
    found = quiet_intervals(curve._moments("guarded"), confidence_level)
    low, high = float(found.low[0]), float(found.high[0])
    return Interval(low, high, confidence_level, found.method) if np.isfinite(low) else None


def _entry(
    name: str, curve: Any, interval: Interval | None, hue: Hue, *, is_one: bool, has_line: bool = True
) -> Entry:
    """A curve with its area: of a single one the limits stand below; arrows have their own samples."""
    area, sample = Rate(AUC, curve.auc, interval), Line((), (), look=hue) if has_line else None
    fitted = " (binormal)" if isinstance(curve, BinormalFit) else ""
    if not is_one:
        return Entry(phrase("{name}  {area:cell}" + fitted, name=Quote(name), area=area), sample)
    text = phrase("{auc} {area:bare}" + fitted, auc=Name(AUC), area=area)
    if name:
        text = phrase("{name}  {text}", name=Quote(name), text=text)
    detail = None
    if interval is not None:
        detail = phrase("{level} CI {area:limits}", level=Level(interval.confidence_level), area=area)
    return Entry(text, sample, detail)


def _cases(curve: RocCurve | BinormalFit) -> Item:
    positives, negatives = curve.n_positives, curve.n_negatives
    if isinstance(curve, RocCurve) and curve.is_weighted:
        own = {"p": Number(float(positives), 4), "n": Number(float(negatives), 4)}
        return phrase("weights: {p} positive, {n} negative", **own)
    hull = "convex hull, " if getattr(curve, "_is_hull", False) else ""
    return phrase(hull + "{p} {positives}, {n} {negatives}", p=Count(positives), n=Count(negatives))


def _named(curves: Any, names: Sequence[str] | None) -> dict[str, Any]:
    found = named_curves(curves, (RocCurve, BinormalFit), what="ROC curves", way=_WAY, most=len(LOOKS))
    if names is None:
        return {
            f"curve {i}" if len(found) > 1 and not name else name: own
            for i, (name, own) in enumerate(found, 1)
        }
    if isinstance(names, str) or len(names) != len(found):
        ways, given = ["names=['baseline', 'candidate']"], described(names)
        raise fail("RS013.one-each", name="names", of="curve", n=len(found), found=given, ways=ways)
    return {str(name): own for name, (_, own) in zip(names, found, strict=True)}


def _crowd_of(curves: Any) -> Any:
    """Curves that are too many to be distinguished, else None."""
    if is_crowd(curves):
        return curves
    is_list = isinstance(curves, Sequence) and not isinstance(curves, str) and len(curves) > len(LOOKS)
    return curves if is_list and all(isinstance(own, RocCurve) for own in curves) else None


class _Part:
    """Some curves of a crowd, each made when it is drawn: of ten thousand few are."""

    def __init__(self, crowd: Any, places: Sequence[int]) -> None:
        self.crowd, self.places = crowd, places

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, place: int) -> Any:
        return self.crowd[self.places[place]]


def _by_model(crowd: Any) -> dict[str, Any]:
    """The curves of each model; all of them where no models are named, or too many."""
    models, of = getattr(crowd, "models", ()), getattr(crowd, "model_index", None)
    if of is None or not 1 < len(models) <= len(LOOKS):
        return {"": crowd}
    return {name: _Part(crowd, np.flatnonzero(of == k).tolist()) for k, name in enumerate(models)}


def _negatives(curves: Any) -> Any:
    """Negatives of every curve."""
    return curves.n_negatives if hasattr(curves, "table") else [own.n_negatives for own in curves]
