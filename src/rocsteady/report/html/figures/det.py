"""Both error rates on axes of normal deviates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.figures.axes import WIDTH, Scale, line, polyline, words
from rocsteady.report.html.parts import look, marker
from rocsteady.report.html.tags import NOTHING, Markup, svg, tag
from rocsteady.report.summary.points.det import DetPart
from rocsteady.report.summary.vocabulary import Wording

Floats = NDArray[np.float64]

_LEFT, _TOP, _RIGHT, _BOTTOM = 70, 12, 14, 56
_SIDE = WIDTH - _LEFT - _RIGHT
_HEIGHT = _TOP + _SIDE + _BOTTOM
_RATES = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99)
_ENDS = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02)
"""Where an axis may start."""
_HIGHEST = 0.5
_TOPS = (_HIGHEST, 0.8, 0.95, 0.99)
"""Where the upright axis may end: matchers that miss most are drawn too."""


def det_figure(part: DetPart, models: Sequence[str], wording: Wording) -> Markup:
    """The picture; nothing where no model makes an error that could be drawn."""
    least = [own.fnmr[(own.fnmr > 0) & (own.fmr <= _HIGHEST)] for own in part.models]
    known = np.concatenate(least)
    if not known.size:
        return NOTHING
    across = _scale(float(part.models[0].fmr[0]), (_LEFT, _LEFT + _SIDE))
    most = float(known.max())
    top = next((end for end in _TOPS if most <= end), _TOPS[-1])
    up = _scale(max(float(known.min()), part.least_fnmr), (_TOP + _SIDE, _TOP), top)
    drawn: list[Markup] = [_axes(across, up), _equal(across, up)]
    for own in part.models:
        k = models.index(own.model) if own.model in models else 0
        # A rate of 0 lies infinitely far down; the line ends at the edge of the picture.
        x, y = across.many(deviates(own.fmr)), up.many(deviates(np.where(own.fnmr > top, np.nan, own.fnmr)))
        drawn.append(tag("path", d=polyline(x, y), class_=f"model-line {look(k)}"))
        if np.isfinite(own.eer) and 0 < own.eer < _HIGHEST:
            at = float(deviates(np.array([own.eer]))[0])
            drawn.append(marker(k, across(at), up(at), size=10))
    drawn.append(words(f"{wording.fpr.axis} (%)", _LEFT + _SIDE / 2, _HEIGHT - 10, anchor="middle"))
    drawn.append(words("False non-match rate (%)", 15, _TOP + _SIDE / 2, anchor="middle", turned=True))
    label = "False non-match rate against false match rate of each model, marked where both are equal"
    return svg(WIDTH, _HEIGHT, drawn, label=label, class_="figure")


def deviates(rates: Floats) -> Floats:
    """Rates as normal deviates; 0 and 1 as far out as pictures go."""
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(rates, _ENDS[0] / 10, 1 - _ENDS[0] / 10)))


def _scale(least: float, ends: tuple[float, float], top: float = _HIGHEST) -> Scale:
    low = max((end for end in _ENDS if end <= least * (1 + 1e-9)), default=_ENDS[0])
    first, last = deviates(np.array([low, top])).tolist()
    return Scale(first, last, *ends)


def _axes(across: Scale, up: Scale) -> Markup:
    bottom, drawn = _TOP + _SIDE, list[Markup]()
    for rate in _RATES:
        at = float(deviates(np.array([rate]))[0])
        shown = f"{100 * rate:g}" if rate >= 1e-4 else f"{100 * rate:.4f}".rstrip("0")
        if across.low - 1e-9 <= at <= across.high + 1e-9:
            drawn.append(line(across(at), _TOP, across(at), bottom, "grid-line"))
            drawn.append(words(shown, across(at), bottom + 21, class_="ax", anchor="middle"))
        if up.low - 1e-9 <= at <= up.high + 1e-9:
            drawn.append(line(_LEFT, up(at), _LEFT + _SIDE, up(at), "grid-line"))
            drawn.append(words(shown, _LEFT - 9, up(at) + 4.5, class_="ax", anchor="end"))
    frame = tag("path", d=f"M{_LEFT} {_TOP}V{bottom}H{_LEFT + _SIDE}", class_="axis-line")
    return tag("g", drawn, frame)


def _equal(across: Scale, up: Scale) -> Markup:
    """Where both error rates are the same."""
    low, high = max(across.low, up.low), min(across.high, up.high)
    return line(across(low), up(low), across(high), up(high), "chance")
