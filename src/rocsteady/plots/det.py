"""DET curves: both error rates on normal-deviate axes, the equal error rate marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average
from rocsteady.counting.arguments import yes_or_no
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.det import DetCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.plots.average_key import KeyEntry, KeyNote, average_key
from rocsteady.plots.curve_lines import draw_average, faint_curves, marker
from rocsteady.plots.fitted_key import Key, write_key
from rocsteady.plots.given import _not_what_is_drawn, flat_axes, given_size
from rocsteady.plots.marks import TEXT_SIZE
from rocsteady.plots.named_curves import Path, Paths, crowd_words, is_crowd, named_curves
from rocsteady.plots.of_average import kind_words, rate_words
from rocsteady.plots.style import BLUE, COLUMN, LOOKS, Look, thin
from rocsteady.plots.vocabulary import vocabulary
from rocsteady.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Drawable = RocCurve | DetCurve | Average

_SMALL = (1e-6, 1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
_TICKS = (*_SMALL, *(1 - tick for tick in _SMALL[::-1]))
_MOST_TICKS = 8
_LOWEST, _USUAL = 1e-6, 0.02
"""Rates that axes start at: no less, and no more."""
_MIDDLE = 0.5
"""Where axes end: beyond it a curve is worse than a coin."""
_POOR, _LEAST_POOR = 0.4, 1e-3
"""An equal error rate from which axes show both halves, and where these start."""
_BEST = 0.1
"""Share of a crowd of curves that may leave the axes before the others do."""
_BENT = 12
"""Pieces of a straight line of the ROC plot, which is bent here."""
_BEYOND = 1.0
"""How far outside the axes a rate of 0 or 1 lies; infinitely far, but lines need an end."""


def det(
    curves: Drawable | CurveSet | Sequence[Drawable] | Mapping[str, Drawable],
    *,
    members: bool = True,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the two error rates against each other, on axes where normal scores give straight lines.

    Lower left is better. A marker on the dotted diagonal is the equal error rate, which the key has in
    numbers. A rate of 0 or 1 lies infinitely far away: there a line leaves the axes.

    Parameters
    ----------
    curves : RocCurve, DetCurve, Average, a sequence or a mapping from names, or CurveSet
        At most six. Of an average its ``fpr`` and ``1 - tpr`` are drawn. A set of more curves is drawn alike
        and faint, at most 300 of them.
    members : bool
        Whether the groups of a single average are drawn too, faint.
    words : {"ml", "medical", "biometric"}
        What the rates are called; ``"biometric"`` has FMR and FNMR.
    title : str
        Above the axes.
    text_size : float
        Points; lines and markers go by it, and so does the size of a figure that is made.
    ax : matplotlib Axes, optional
        Where to draw; without it a figure is made.

    Returns
    -------
    matplotlib Axes
        In normal deviates; ticks are in per cent.

    Raises
    ------
    UsageError
        RS002 for anything but curves; RS042 for more than can be told apart, or a size that is none; RS001
        for unknown words.
    MissingPackageError
        RS061 if Matplotlib is not installed.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1])
    >>> axes = det({"finger": curve}, words="biometric")
    >>> axes.get_ylabel()
    'false non-match rate (FNMR), %'
    >>> [text.get_text() for text in axes.get_legend().get_texts()][0]
    'finger  33.3 %'
    """
    text_size, said, with_members = given_size(text_size), vocabulary(words), yes_or_no("members", members)
    crowd = curves if isinstance(curves, CurveSet) and is_crowd(curves) else None
    several = [("", crowd)] if crowd is not None else _named(curves)
    scale = text_size / TEXT_SIZE
    is_own, ax = ax is None, flat_axes(ax, COLUMN, COLUMN, text_size)
    low, high = _limits([own for _, own in several])
    _dress(ax, low, high, scale)
    ax.set_xlabel(f"{said.fpr}, %", fontsize=text_size)
    ax.set_ylabel(f"{said.fnr}, %", fontsize=text_size)
    if title:
        ax.set_title(title, fontsize=text_size + 1, loc="left")
    thin(ax, text_size)
    if crowd is not None:
        drawn = faint_curves(ax, Paths(crowd, _on(ax)), colour=BLUE, scale=scale)
        average_key(ax, [], [KeyNote(crowd_words(drawn, crowd.unit))], text_size=text_size, loc="lower left")
        return ax
    entries, notes = [], []
    for (name, curve), look in zip(several, LOOKS, strict=False):
        if isinstance(curve, Average) and len(several) == 1 and with_members:
            drawn = faint_curves(ax, Paths(curve.curves, _on(ax)), colour=look.colour, scale=scale)
            notes.append(KeyNote(f"faint: {drawn.words(curve.unit)}"))
        line = draw_average(ax, _on(ax)(curve), look, scale=scale, width=1.6)
        line.set_clip_on(True)
        is_inside = _draw_equal(ax, curve.equal_error_rate, look, scale)
        below = [] if is_inside else ["outside these axes"]
        below += [kind_words(curve)] if isinstance(curve, Average) else []
        value = percent(curve.equal_error_rate)
        entries.append(KeyEntry(line, name, value, look.text, ", ".join(below)))
    key = Key(tuple(entries), tuple(notes), "equal error rate")
    write_key(ax, [key], text_size, is_own=is_own, corners=("lower left", "upper right"))
    return ax


def _named(curves: object) -> list[tuple[str, Any]]:
    way = "rs.plot.det(rs.roc_curve(labels, scores))"
    found = named_curves(curves, (RocCurve, DetCurve, Average), what="curves or averages", way=way)
    for _, own in found:
        if (
            isinstance(own, Average) and rate_words(own) is not None
        ):  # smROC: shares of credit, no error rates
            raise _not_what_is_drawn("error rates, which this average has none of", own, way)
    return found


def _rates(curve: Any) -> tuple[Floats, Floats]:
    """Both error rates at every vertex."""
    return curve.fpr, curve.fnr if hasattr(curve, "fnr") else 1 - curve.tpr


def _limits(curves: Sequence[Any]) -> tuple[float, float]:
    """The rates between which both axes run: from where the best curve leaves them to a coin's."""
    if isinstance(curves[0], CurveSet):
        # One group of a thousand that makes hardly any error should not set the scale.
        lowest = float(np.quantile([_least(own) for own in curves[0]], _BEST))
        is_poor = bool(np.median(curves[0].auc) < 1 - _POOR)
    else:
        lowest = min(_least(own) for own in curves)
        is_poor = any(own.equal_error_rate > _POOR for own in curves)
    lowest = float(np.clip(lowest, _LOWEST, _USUAL))
    power = np.floor(np.log10(lowest) + 1e-9)
    step = max(own for own in (1, 2, 5) if own * 10**power <= lowest * (1 + 1e-9))
    return (_LEAST_POOR, 1 - _LEAST_POOR) if is_poor else (float(step * 10**power), _MIDDLE)


def _least(curve: Any) -> float:
    """The smallest error rate, above 0, while the other is not above a half."""
    fpr, fnr = _rates(curve)
    seen = np.concatenate([fpr[fnr <= _MIDDLE], fnr[fpr <= _MIDDLE]])
    return float(np.min(seen[seen > 0], initial=_MIDDLE))


def _dress(ax: Axes, low: float, high: float, scale: float) -> None:
    """Square, the same on both axes, ticks in per cent; equal errors and chance dotted."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    start, stop = deviates(np.array([low, high]))
    ticks = _ticks(low, high)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(FixedLocator(deviates(ticks).tolist()))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(_tick_word))
    ax.set(xlim=(start, stop), ylim=(start, stop))
    ax.set_aspect("equal")
    dotted: Any = {"linestyle": ":", "color": "0.6", "linewidth": scale, "zorder": 0}
    ax.plot([start, stop], [start, stop], label="_equal", **dotted)
    if high > _MIDDLE:
        ax.plot([start, stop], [-start, -stop], label="_chance", **dotted)


def _ticks(low: float, high: float) -> Floats:
    """Rates with a tick: all that are usual, or of too many every other one."""
    inside = np.array([tick for tick in _TICKS if low * (1 - 1e-9) <= tick <= high])
    every = -(-inside.size // _MOST_TICKS)
    return inside[(inside.size - 1) % every :: every] if every > 1 else inside


def _tick_word(place: float, _: int | None = None) -> str:
    """A deviate in per cent."""
    from scipy.special import ndtr

    return f"{100 * float(ndtr(place)):.6g}"


def deviates(rates: Any) -> Floats:
    """Rates as normal deviates, the coordinates of the axes."""
    from scipy.special import ndtri

    return np.asarray(ndtri(rates))


def _on(ax: Axes) -> Any:
    """How curves become paths in these axes."""
    start, stop = ax.get_xlim()

    def path(curve: Any) -> Path:
        fpr, fnr = _bent(*_rates(curve))
        both = (np.clip(deviates(rates), start - _BEYOND, stop + _BEYOND) for rates in (fpr, fnr))
        return Path(*both)

    return path


def _bent(fpr: Floats, fnr: Floats) -> tuple[Floats, Floats]:
    """Points on the way where both rates change at once: straight in the ROC plot, bent in this one."""
    is_slanted = (np.diff(fpr) != 0) & (np.diff(fnr) != 0)
    # Many short pieces show no bend, and two million vertices need no more.
    is_slanted &= np.hypot(np.diff(fpr), np.diff(fnr)) > 1e-4
    pieces = np.where(is_slanted, _BENT, 1)
    which = np.repeat(np.arange(pieces.size), pieces)
    share = (np.arange(which.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[which]
    x = fpr[which] + share * np.diff(fpr)[which]
    y = fnr[which] + share * np.diff(fnr)[which]
    return np.append(x, fpr[-1]), np.append(y, fnr[-1])


def _draw_equal(ax: Axes, rate: float, look: Look, scale: float) -> bool:
    """Mark an equal error rate; whether it lies in the axes."""
    place = float(deviates(rate))
    start, stop = ax.get_xlim()
    is_inside = start <= place <= stop
    if is_inside:
        ax.plot([place], [place], **marker(look, scale), clip_on=False, zorder=6, label="_point")
    return is_inside
