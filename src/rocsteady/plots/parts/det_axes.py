"""Axes of normal deviates: each from the smallest rate that its cases resolve, with ticks in per cent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.curve_set import CurveSet
from rocsteady.plots.parts.curve_lines import Path
from rocsteady.plots.parts.labels import side_in_points
from rocsteady.plots.parts.marks import scale_of
from rocsteady.plots.parts.roc_axes import given_zoom

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ends = tuple[float, float]

_POWERS = (0.4, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6)
_BETWEEN = (0.2, 0.05, 0.02, 0.005, 0.002, 5e-4, 2e-4, 5e-5, 2e-5, 5e-6, 2e-6)
"""Rates with a tick: those first that everybody looks for, the others where there is room."""
_LETTER, _GAP, _LINE = 0.53, 0.6, 1.3
"""Width of a digit, room between two labels and height of a line, in sizes of the text."""
_LOWEST, _USUAL = 1e-6, 0.02
"""Rates that axes start at: no less, and no more."""
_MIDDLE = 0.5
"""Where axes end: beyond it a curve is worse than a coin."""
_POOR, _LEAST_POOR = 0.4, 1e-3
"""An equal error rate from which axes show both halves, and where these start."""
_ENDS = (0.5, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
"""Where axes may end so that a point that is marked lies in them."""
_BEST = 0.1
"""Share of a crowd of curves that may leave the axes before the others do."""
_SHAPES = 0.65, 1.25
"""Height of the axes by their width, at the least and at the most: a key and the figure have to fit."""
_BENT = 12
"""Pieces of a straight line of the ROC plot, which is bent here."""
_BEYOND = 1.0
"""How far outside the axes a rate of 0 or 1 lies; infinitely far, but lines need an end."""


def error_rates(curve: Any) -> tuple[Floats, Floats]:
    """Both error rates at every vertex."""
    return curve.fpr, curve.fnr if hasattr(curve, "fnr") else 1 - curve.tpr


def limits_of(
    curves: Sequence[Any], marked: Sequence[tuple[float, float]], zoom: object
) -> tuple[Ends, Ends]:
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
    fpr, fnr = error_rates(curve)
    seen = (fpr[(fnr <= highest) & (fpr > 0)], fnr[(fpr <= furthest) & (fnr > 0)])
    return float(np.min(seen[0], initial=_MIDDLE)), float(np.min(seen[1], initial=_MIDDLE))


def shape_of(across: Ends, up: Ends) -> float:
    """Height of the axes by their width: a deviate is as long on either, within bounds."""
    long = [float(np.ptp(deviates(np.array(own)))) for own in (across, up)]
    return float(np.clip(long[1] / long[0], *_SHAPES))


def dress_det(ax: Axes, across: Ends, up: Ends, text_size: float) -> None:
    """Ticks in per cent, equal errors and chance dotted."""
    from matplotlib.ticker import FixedLocator, FuncFormatter

    ends = [deviates(np.array(own)) for own in (across, up)]
    ax.set(xlim=ends[0], ylim=ends[1])
    ax.set_box_aspect(shape_of(across, up))
    side = side_in_points(ax) / text_size  # in sizes of the text
    for axis, (low, high), upright in ((ax.xaxis, across, False), (ax.yaxis, up, True)):
        ticks, others = _ticks(low, high, side, upright=upright)
        axis.set_major_locator(FixedLocator(deviates(ticks).tolist()))
        axis.set_minor_locator(FixedLocator(deviates(others).tolist()))
        axis.set_major_formatter(FuncFormatter(_tick_word))
    dotted: Any = {"linestyle": ":", "color": "0.6", "linewidth": scale_of(text_size), "zorder": 0}
    start, stop = max(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1])
    ax.plot([start, stop], [start, stop], label="_equal", **dotted)
    if max(across[1], up[1]) > _MIDDLE:
        ax.plot(ends[0], -ends[0], label="_chance", **dotted)


def _ticks(low: float, high: float, side: float, *, upright: bool) -> tuple[list[float], list[float]]:
    """Rates with a labelled tick, the important ones first as long as there is room; and the others."""
    wanted = [*_POWERS, *(1 - own for own in _POWERS), *_BETWEEN, *(1 - own for own in _BETWEEN)]
    inside = [own for own in wanted if low * (1 - 1e-9) <= own <= high * (1 + 1e-9)]
    length = float(np.ptp(deviates(np.array([low, high]))))
    kept: list[tuple[float, float]] = []
    for rate in inside:
        place = float(deviates(rate)) / length * side
        half = 0.5 * (_LINE if upright else _LETTER * len(_word(rate)) + _GAP)
        if all(abs(place - other) >= half + beside for other, beside in kept):
            kept.append((place, half))
    chosen = [rate for rate in inside if any(float(deviates(rate)) / length * side == own for own, _ in kept)]
    return sorted(chosen), sorted(set(inside) - set(chosen))


def _word(rate: float) -> str:
    return f"{100 * rate:.6g}"


def _tick_word(place: float, _: int | None = None) -> str:
    """A deviate in per cent."""
    from scipy.special import ndtr

    return _word(float(ndtr(place)))


def deviates(rates: Any) -> Floats:
    """Rates as normal deviates, the coordinates of the axes."""
    from scipy.special import ndtri

    return np.asarray(ndtri(rates))


def paths_on(ax: Axes) -> Any:
    """How curves become paths in these axes."""
    limits = (ax.get_xlim(), ax.get_ylim())

    def path(curve: Any) -> Path:
        both = zip(_bent(*error_rates(curve)), limits, strict=True)
        return Path(*(np.clip(deviates(own), low - _BEYOND, high + _BEYOND) for own, (low, high) in both))

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
