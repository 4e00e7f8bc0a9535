"""DET curves: both error rates on normal-deviate axes, the equal error rate marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.curves.readings import DetCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.options import open_share, whole_number, yes_or_no
from rocsteady.plots.given.named_curves import Paths, crowd_words, is_crowd, named_curves
from rocsteady.plots.given.of_average import kind_words, points_of, rate_words
from rocsteady.plots.given.of_curve import CurvePoint, points_of_curve
from rocsteady.plots.given.values import flat_axes, given_size
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, average_key
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.parts.curve_lines import draw_average, faint_curves, marker
from rocsteady.plots.parts.det_axes import deviates, dress_det, limits_of, paths_on, shape_of
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, LOOKS, Look, ink_of, thin, write_title
from rocsteady.plots.parts.vocabulary import Vocabulary, vocabulary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.statistics.limits import Interval

Drawable = RocCurve | DetCurve | Average

_OPEN = 3.4
"""Size of a point that was asked for, by that of an equal error rate: smaller, and open."""

_BOX = 0.84
"""Share of a figure that its axes take."""


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
    """Draw the two error rates against each other, on axes where normal scores give straight lines.

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
    confidence_level, seed : float, int
        Of these intervals; those of some averages are resampled.
    words : {"ml", "medical", "biometric"}
        What the rates are called; ``"biometric"`` has FMR and FNMR.
    zoom : float or (float, float), optional
        The largest false positive rate in view; or that, and the smallest true positive rate.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes
        In normal deviates; ticks are in per cent.

    Raises
    ------
    UsageError
        RS002 for anything but curves, and for points that are none; RS042 for more than can be told apart,
        or a number that is none; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1] * 6 + [0] * 6, [9, 8, 8, 7, 5, 3, 6, 4, 3, 2, 2, 1])
    >>> axes = det({"finger": curve}, at={"fmr": 0.2}, words="biometric")
    >>> axes.get_ylabel()
    'false non-match rate (FNMR), %'
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['finger  16.7 %', 'FMR 20 %: FNMR 16.7 % (0 to 92.9)']
    """
    text_size, said, with_members = given_size(text_size), vocabulary(words), yes_or_no("members", members)
    level = open_share("confidence_level", confidence_level)
    whole_number("seed", seed, least=0, example=0)
    crowd = curves if isinstance(curves, CurveSet) and is_crowd(curves) else None
    if crowd is not None:
        _require_no_points(at, crowd)
    several = [("", crowd)] if crowd is not None else _named(curves)
    points = [_points(own, at, level, seed) for _, own in several]
    marked = [(own.fpr, 1 - own.tpr) for found in points for own in found]
    limits = limits_of([own for _, own in several], marked, zoom)
    height = COLUMN * (1 + _BOX * (shape_of(*limits) - 1))
    is_own, ax = ax is None, flat_axes(ax, COLUMN, height, text_size)
    dress_det(ax, *limits, text_size)
    ax.set_xlabel(f"{said.fpr}, %", fontsize=text_size)
    ax.set_ylabel(f"{said.fnr}, %", fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    if crowd is not None:
        drawn = faint_curves(ax, Paths(crowd, paths_on(ax)), colour=BLUE, scale=scale_of(text_size))
        average_key(ax, [], [KeyNote(crowd_words(drawn, crowd.unit))], text_size=text_size, loc="lower left")
        return ax
    key = _draw(ax, several, points, said, scale_of(text_size), with_members=with_members)
    write_key(ax, [key], text_size, is_own=is_own, corners=("lower left", "upper right"))
    return ax


def _draw(
    ax: Axes,
    several: list[tuple[str, Any]],
    points: list[list[CurvePoint]],
    said: Vocabulary,
    scale: float,
    *,
    with_members: bool,
) -> Key:
    """Draw curves with their points; gives what the key says."""
    entries, notes = [], []
    for (name, curve), found, look in zip(several, points, LOOKS, strict=False):
        if isinstance(curve, Average) and len(several) == 1 and with_members:
            drawn = faint_curves(ax, Paths(curve.curves, paths_on(ax)), colour=look.colour, scale=scale)
            notes.append(KeyNote(f"faint: {drawn.words(curve.unit)}"))
        line = draw_average(ax, paths_on(ax)(curve), look, scale=scale, width=1.6)
        line.set_clip_on(True)
        rate = curve.equal_error_rate
        is_inside = _mark(ax, rate, rate, scale, look)
        below = [] if is_inside else ["outside these axes"]
        below += [kind_words(curve)] if isinstance(curve, Average) else []
        lines = [", ".join(below)] if below else []
        for point in found:
            lines.append(_draw_point(ax, point, look, said, scale, alone=len(several) == 1))
        entries.append(KeyEntry(line, name, f"{_per_cent(rate)} %", look.text, "\n".join(lines)))
    levels = {f"{100 * own.confidence_level:g} %" for found in points for own in found if _interval(own)}
    notes += [KeyNote(f"bars, in brackets: {own} intervals") for own in sorted(levels)]
    return Key(tuple(entries), tuple(notes), "equal error rate")


def _named(curves: object) -> list[tuple[str, Any]]:
    way = "rs.plot.det(rs.roc_curve(labels, scores))"
    found = named_curves(curves, (RocCurve, DetCurve, Average), what="curves or averages", way=way)
    for _, own in found:
        # Of smROC curves: shares of credit, no error rates.
        if isinstance(own, Average) and rate_words(own) is not None:
            what = "error rates, which this average has none of"
            raise fail("RS002.drawn-from", what=what, found=described(own), ways=[way])
    return found


def _require_no_points(at: object, crowd: CurveSet) -> None:
    """RS042 if points are to be marked on curves that nobody can tell apart."""
    if at is None or (isinstance(at, Mapping | Sequence) and not at):
        return
    average = "of their average:  rs.plot.det(rs.average(score_set, 'threshold'), at={'fpr': 0.01})"
    ways = [average, Option("at", None)]
    raise fail("RS042.room", most=len(LOOKS), what="curves with points", n=len(crowd), ways=ways)


def _points(curve: Any, at: object, level: float, seed: int) -> list[CurvePoint]:
    """The places that were asked for, with the intervals that the value has."""
    if isinstance(curve, CurveSet):
        return []
    if not isinstance(curve, Average):
        read: Any = _Read(curve) if isinstance(curve, DetCurve) else curve
        return points_of_curve(read, at, level)
    found = []
    for own in points_of(curve, at, confidence_level=level):
        for i in range(np.size(own.fpr)):
            rates = [float(np.ravel(rate)[i]) for rate in (own.fpr, own.tpr)]
            limits = [_one_of(interval, i) for interval in (own.fpr_interval, own.tpr_interval)]
            threshold = None if own.threshold is None else float(np.ravel(own.threshold)[i])
            found.append(CurvePoint(rates[0], rates[1], threshold, limits[0], limits[1], level))
    return found


class _Read:
    """A DET curve where points are read off it: without its cases, so without intervals."""

    is_weighted = True

    def __init__(self, curve: DetCurve) -> None:
        self.tpr_at = lambda fpr: 1 - curve.fnr_at(fpr)
        self.fpr_at = lambda tpr: curve.fpr_at(round(1 - tpr, 15))


def _one_of(interval: Interval | None, i: int) -> Interval | None:
    if interval is None:
        return None
    low, high = (float(np.ravel(own)[i]) for own in (interval.low, interval.high))
    return replace(interval, low=low, high=high)


def _draw_point(
    ax: Axes, point: CurvePoint, look: Look, said: Vocabulary, scale: float, *, alone: bool
) -> str:
    """A smaller mark than that of equal errors, and bars of what was read; gives its words."""
    miss = 1 - point.tpr
    x, y = (float(own) for own in deviates(np.array([point.fpr, miss])))
    bar: Any = {"color": ink_of(ax) if alone else look.text, "linewidth": 1.1 * scale, "zorder": 5}
    bar |= {"label": "_interval", "solid_capstyle": "butt"}
    for axis, limits in enumerate(_both_limits(point)):
        if limits is None or not np.isfinite((x, y)[1 - axis]):
            continue
        shown = (ax.get_xlim, ax.get_ylim)[axis]()
        ends = np.clip(deviates(np.array(limits)), *shown)
        ax.plot(*((ends, [y, y]) if axis == 0 else ([x, x], ends)), **bar)
    words = _words(point, said)
    return words if _mark(ax, point.fpr, miss, scale, look, is_open=True) else f"{words},\noutside these axes"


def _words(point: CurvePoint, said: Vocabulary) -> str:
    """Both rates, that first which was held; the other with its limits."""
    written = []
    for name, rate, limits in zip(
        (said.fpr_short, said.fnr_short), (point.fpr, 1 - point.tpr), _both_limits(point), strict=True
    ):
        words = f"{name} {_per_cent(rate, is_held=limits is None)} %"
        written.append(words + (f" ({_per_cent(limits[0])} to {_per_cent(limits[1])})" if limits else ""))
    is_miss_held = point.fpr_interval is not None and point.tpr_interval is None
    return ": ".join(written[::-1] if is_miss_held else written)


def _interval(point: CurvePoint) -> bool:
    return any(own is not None for own in _both_limits(point))


def _both_limits(point: CurvePoint) -> list[tuple[float, float] | None]:
    """Of both error rates, where there are any; no rate lies outside 0 and 1."""
    found: list[tuple[float, float] | None] = []
    for own, is_rest in ((point.fpr_interval, False), (point.tpr_interval, True)):
        limits = np.clip([np.nan] * 2 if own is None else [own.low, own.high], 0, 1)
        low, high = 1 - limits[::-1] if is_rest else limits
        found.append((float(low), float(high)) if np.isfinite(limits).all() else None)
    return found


def _per_cent(rate: float, *, is_held: bool = False) -> str:
    """A rate in per cent with three digits: small ones matter here as much as large ones.

    >>> _per_cent(0.03333), _per_cent(0.55), _per_cent(2.5e-6), _per_cent(0.99951), _per_cent(0)
    ('3.33', '55.0', '0.000250', '99.95', '0')
    >>> _per_cent(1e-4, is_held=True)
    '0.01'
    """
    rate = round(100 * rate, 13)
    if rate in (0, 100):
        return f"{rate:g}"
    digits: Any = {"precision": 3 if rate < 99 else 4, "fractional": False}
    return np.format_float_positional(rate, unique=is_held, trim="-" if is_held else "k", **digits)


def _mark(ax: Axes, fpr: float, fnr: float, scale: float, look: Look, *, is_open: bool = False) -> bool:
    """Mark a point; whether it lies in the axes."""
    x, y = (float(own) for own in deviates(np.array([fpr, fnr])))
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    is_inside = left <= x <= right and bottom <= y <= top
    if is_inside:
        mark = marker(look, scale)
        if is_open:
            mark |= {"markersize": _OPEN * scale, "markerfacecolor": "white", "markeredgecolor": look.colour}
        ax.plot([x], [y], **mark, clip_on=False, zorder=6, label="_point")
    return is_inside
