"""DET curves: both error rates on normal-deviate axes, the equal error rate marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.curves.readings import DetCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.figures.average import axes_of, members_of
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import (
    CurvePoint,
    crowd_marks,
    given_zoom,
    hues_of,
    is_crowd,
    kind_text,
    named_curves,
    place_text,
    points_of_average,
    points_of_curve,
    unit_of,
)
from rocsteady.figures.spec import (
    Axis,
    Entry,
    Faint,
    Floats,
    Key,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    deviates,
    short_names,
)
from rocsteady.figures.style import GUIDE, INK, LOOKS, TEXT_SIZE, Hue
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.statistics.limits import Interval
from rocsteady.text import EER, FNR, FPR, Level, Limits, Name, Quote, Rate, Text, joined, phrase, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Drawable = RocCurve | DetCurve | Average
Ends = tuple[float, float]

_CORNERS = ("lower left", "upper right")
_LOWEST, _USUAL, _MIDDLE = 1e-6, 0.02, 0.5
"""Rates that axes start at, no less and no more; and where they end, beyond which chance is better."""
_POOR, _LEAST_POOR = 0.4, 1e-3
"""An equal error rate from which axes show both halves, and where these start."""
_ENDS = (0.5, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
"""Where axes may end so that a point that is marked lies in them."""
_BEST = 0.1
"""Share of a crowd of curves that may leave the axes before the others do."""
_SHAPES = 0.65, 1.25
"""Height of the axes by their width, at the least and at the most."""


def det(
    curves: Drawable | CurveSet | Sequence[Drawable] | Mapping[str, Drawable],
    *,
    at: Mapping[str, float] | Sequence[Any] = (),
    members: bool = True,
    confidence_level: float = 0.95,
    seed: int = 0,
    words: str = "ml",
    zoom: float | tuple[float, float] | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the two error rates against each other, on axes where normal scores give straight lines.

    Lower left is better. A marker on the dotted diagonal is the equal error rate, which the key has in
    numbers, without an interval: that takes resamples, see :meth:`rocsteady.Cutoff.intervals`. A rate of 0 or
    1 lies infinitely far away: there a line leaves the axes. Each axis starts at the smallest rate that its
    cases resolve.

    Parameters
    ----------
    curves : RocCurve, DetCurve, Average, a sequence or a mapping from names, or CurveSet
        At most six. Of an average its ``fpr`` and ``1 - tpr`` are drawn. A set of more curves is drawn alike
        and faint, at most 300 of them.
    at : mapping, or sequence of these
        Points to mark, with both rates in the key: ``{"fpr": 1e-4}``, ``{"tpr": 0.99}``, or by other words
        ``{"fmr": 1e-4}``, ``{"fnmr": 0.01}``. The rate that is read has its interval, unless rows are
        weighted or the value is a :class:`DetCurve`, which has forgotten its cases.
    members : bool
        Whether the groups of a single average are drawn too, faint.
    confidence_level, seed, words, zoom, title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes
        Both scales are normal deviates, what is drawn there are rates; ticks are in per cent.

    Raises
    ------
    UsageError
        RS002 for anything but curves, and for points that are none; RS042 for more than can be distinguished,
        or a number that is none; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1] * 6 + [0] * 6, [9, 8, 8, 7, 5, 3, 6, 4, 3, 2, 2, 1])
    >>> axes = det({"finger": curve}, at={"fmr": 0.2}, words="biometric")
    >>> axes.get_ylabel()
    'False non-match rate (FNMR), %'
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['finger  16.7 %', 'FMR 20 %: FNMR 16.7 %\n(0.0 to 92.9)']
    """
    said = words_of(curves, words)
    yes_or_no("members", members)
    level = open_share("confidence_level", confidence_level)
    whole_number("seed", seed, least=0, example=0)
    if is_crowd(curves):
        if at is not None and not (isinstance(at, Mapping | Sequence) and not at):
            average = "of their average:  rs.plot.det(rs.average(score_set, 'threshold'), at={'fpr': 0.01})"
            ways = [average, Option("at", None)]
            raise fail("RS042.room", most=len(LOOKS), what="curves with points", n=len(curves), ways=ways)  # type: ignore[arg-type]
        made = picture(curves, zoom=zoom)
    else:
        several = _named(curves)
        points = [_points(own, at, level) for own in several.values()]
        made = picture(several, points=points, members=members, zoom=zoom)
    return draw(made.titled(title), said, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    curves: Any,
    *,
    points: Sequence[Sequence[Any]] = (),
    members: bool = True,
    zoom: object = None,
) -> Picture:
    """Curves or averages by name, with points in the same order; a set of many curves is drawn faintly."""
    if is_crowd(curves):
        crowd, note = crowd_marks(curves, _rates, unit_of(curves))
        return _picture([crowd], _limits([curves], [], zoom), Key(notes=(note,), corners=_CORNERS))
    curves = _named(curves)
    several, hues = list(curves.values()), hues_of(list(curves))
    found = [[own for point in one for own in _single(point)] for one in points] or [[] for _ in several]
    marked = [(own.fpr, 1 - own.tpr) for one in found for own in one]
    limits = _limits(several, marked, zoom)
    faint, marks, on_top = list[Mark](), list[Mark](), list[Mark]()
    entries, notes = list[Entry](), list[Entry]()
    for name, curve, own, hue in zip(short_names(list(curves), 60), several, found, hues, strict=True):
        if isinstance(curve, Average) and len(several) == 1 and members and curve.n_groups > 1:
            mark, note = members_of(curve, hue)
            faint.append(Faint([(x, 1 - np.asarray(y)) for x, y in mark.paths], look=hue, name="members"))
            notes.append(note)
        marks.append(Line(*_rates(curve), look=hue, name="average"))
        rate = float(curve.equal_error_rate)
        on_top.append(Points([rate], [rate], look=hue, name="point"))
        told: list[Text] = [] if _is_inside(rate, rate, limits) else [phrase("outside these axes")]
        told += [kind_text(curve)] if isinstance(curve, Average) else []
        for point in own:
            on_top.append(_point_mark(point, hue, alone=len(several) == 1))
            is_seen = _is_inside(point.fpr, 1 - point.tpr, limits)
            text = _point_text(point)
            told.append(text if is_seen else phrase("{text}, outside these axes", text=text))
        value = Rate(EER, rate)
        text = (
            phrase("{name}  {rate:bare}", name=Quote(name), rate=value)
            if name
            else phrase("{rate:bare}", rate=value)
        )
        # Each on a line of its own.
        entries.append(Entry(text, Line((), (), look=hue), joined(told, "\n") if told else None))
    levels = {own.confidence_level for one in found for own in one if own.fpr_interval or own.tpr_interval}
    notes += [Entry(phrase("bars, in brackets: {level} CI", level=Level(own))) for own in sorted(levels)]
    key = Key(tuple(entries), tuple(notes), phrase("{eer}", eer=Name(EER)), corners=_CORNERS)
    return _picture([*faint, *marks, *on_top], limits, key)


def _picture(marks: Sequence[Mark], limits: tuple[Ends, Ends], key: Key) -> Picture:
    across, up = limits
    start, stop = max(across[0], up[0]), min(across[1], up[1])
    guides: list[Mark] = [Line((start, stop), (start, stop), look=GUIDE, width=1.0, name="equal")]
    if max(across[1], up[1]) > _MIDDLE:
        ends = np.array(across)
        guides.append(Line(ends, 1 - ends, look=GUIDE, width=1.0, name="chance"))
    x, y = (phrase("{rate:axis}, %", rate=Name(own)) for own in (FPR, FNR))
    panel = Panel(
        Axis(x, *across, "probit", per=100),
        Axis(y, *up, "probit", per=100),
        (*guides, *marks),
        key=key,
        aspect=_shape(across, up),
    )
    return Picture((panel,), description=phrase("DET curves"))


def _named(curves: object) -> dict[str, Any]:
    way = "rs.plot.det(rs.roc_curve(labels, scores))"
    found = named_curves(curves, (RocCurve, DetCurve, Average), what="curves or averages", way=way)
    for _, own in found:
        # Of smROC curves: shares of credit, no error rates.
        if isinstance(own, Average) and axes_of(own) is not None:
            what = "error rates, which this average has none of"
            raise fail("RS002.drawn-from", what=what, found=described(own), ways=[way])
    return dict(found)


def _rates(curve: Any) -> tuple[Floats, Floats]:
    """Both error rates at every vertex."""
    return curve.fpr, curve.fnr if hasattr(curve, "fnr") else 1 - np.asarray(curve.tpr)


# Points


def _points(curve: Any, at: object, level: float) -> list[Any]:
    """The places that were asked for, with the intervals that the value has."""
    if isinstance(curve, Average):
        return points_of_average(curve, at, confidence_level=level)
    return points_of_curve(_Read(curve) if isinstance(curve, DetCurve) else curve, at, level)


class _Read:
    """A DET curve where points are read off it: without its cases, so without intervals."""

    def __init__(self, curve: DetCurve) -> None:
        self.tpr_at = lambda fpr: 1 - curve.fnr_at(fpr)
        self.fpr_at = lambda tpr: curve.fpr_at(round(1 - tpr, 15))


def _single(point: Any) -> list[Any]:
    """Several positions as a point each."""
    if np.ndim(point.fpr) == 0:
        return [point]
    found = []
    for i in range(np.size(point.fpr)):
        fpr, tpr = (float(np.ravel(rate)[i]) for rate in (point.fpr, point.tpr))
        across, up = (
            own and replace(own, low=float(np.ravel(own.low)[i]), high=float(np.ravel(own.high)[i]))
            for own in (point.fpr_interval, point.tpr_interval)
        )
        threshold = None if point.threshold is None else float(np.ravel(point.threshold)[i])
        found.append(CurvePoint(fpr, tpr, threshold, across, up, point.confidence_level, point.held))
    return found


def _misses(interval: Interval | None) -> Limits | None:
    """Limits of the rate of misses, from those of the rest; no rate lies outside 0 and 1."""
    if interval is None or not np.isfinite([interval.low, interval.high]).all():
        return None
    low, high = (float(own) for own in np.clip([1 - interval.high, 1 - interval.low], 0, 1))
    return Limits(low, high, interval.confidence_level)


def _point_mark(point: Any, hue: Hue, *, alone: bool) -> Points:
    """A smaller, open mark than that of equal errors, and bars of what was read."""
    fpr, misses = point.fpr_interval, _misses(point.tpr_interval)
    across = None if fpr is None else tuple([float(np.clip(end, 0, 1))] for end in (fpr.low, fpr.high))
    up = None if misses is None else ([misses.low], [misses.high])
    own: Any = {"x_limits": across, "y_limits": up, "bar": INK if alone else None}
    return Points(
        [float(point.fpr)], [1 - float(point.tpr)], look=hue, size=3.4, is_open=True, name="asked", **own
    )


def _point_text(point: Any) -> Text:
    """Where it was read, and the other error rate with its limits."""
    fpr = Rate(FPR, float(point.fpr), point.fpr_interval)
    fnr = Rate(FNR, 1 - float(point.tpr), _misses(point.tpr_interval))
    place = place_text(point) if point.held == "fpr" else None
    if point.held == "tpr":
        place = phrase("{fnr} {value}", fnr=Name(FNR), value=Level(round(1 - float(point.tpr), 12)))
    told = [
        phrase("{name} {rate:cell}", name=Name(rate.quantity), rate=rate)
        for rate, held in ((fpr, "fpr"), (fnr, "tpr"))
        if point.held != held
    ]
    return phrase("{place}: {rates}", place=place, rates=joined(told)) if place is not None else joined(told)


# Axes


def _is_inside(fpr: float, fnr: float, limits: tuple[Ends, Ends]) -> bool:
    return all(low <= rate <= high for rate, (low, high) in zip((fpr, fnr), limits, strict=True))


def _limits(curves: Sequence[Any], marked: Sequence[Ends], zoom: object) -> tuple[Ends, Ends]:
    """The rates between which each axis runs.

    It starts where the best curve leaves it, or at the smallest rate that is marked, and ends at a coin's,
    after the largest rate that is marked, or where ``zoom`` says.
    """
    furthest, bottom = given_zoom(zoom)
    several: Any = curves[0] if isinstance(curves[0], CurveSet) else curves
    if isinstance(several, CurveSet):
        is_poor = bool(np.median(several.auc) < 1 - _POOR)
    else:
        is_poor = any(own.equal_error_rate > _POOR for own in several)
    usual = 1 - _LEAST_POOR if is_poor else _MIDDLE
    most = []
    for axis, asked_for in enumerate((furthest, 1 - bottom)):
        ends = [usual, *_beyond(point[axis] for point in marked)]
        most.append(max(ends) if asked_for == 1 else min(asked_for, 1 - _LEAST_POOR))
    least = np.array([_least(own, most[0], most[1]) for own in several])
    # One group of a thousand that makes hardly any error should not set the scale.
    lowest = np.quantile(least, _BEST if isinstance(several, CurveSet) else 0, axis=0)
    seen = [point for point in marked if point[0] <= most[0] and point[1] <= most[1]]
    starts = []
    for axis, end in enumerate(most):
        asked = [point[axis] for point in seen if point[axis] > 0]
        low = float(np.clip(min([lowest[axis], *asked]), _LOWEST, min(_USUAL, end / 5)))
        power = np.floor(np.log10(low) + 1e-9)
        step = max(own for own in (1, 2, 5) if own * 10**power <= low * (1 + 1e-9))
        starts.append(min(_LEAST_POOR, end / 5) if is_poor else float(step * 10**power))
    return (starts[0], most[0]), (starts[1], most[1])


def _beyond(rates: Iterable[float]) -> list[float]:
    """Where an axis would end after each of these rates; none is followed to where it is 1."""
    return [next(end for end in _ENDS if rate <= end) for rate in rates if rate <= _ENDS[-1]]


def _least(curve: Any, furthest: float, highest: float) -> Ends:
    """The smallest of each error rate, above 0, while the other is in view."""
    fpr, fnr = _rates(curve)
    seen = (fpr[(fnr <= highest) & (fpr > 0)], fnr[(fpr <= furthest) & (fnr > 0)])
    return float(np.min(seen[0], initial=_MIDDLE)), float(np.min(seen[1], initial=_MIDDLE))


def _shape(across: Ends, up: Ends) -> float:
    """Height of the axes by their width: a deviate is as long on either, within bounds."""
    long = [float(np.ptp(deviates(np.array(own)))) for own in (across, up)]
    return float(np.clip(long[1] / long[0], *_SHAPES))
