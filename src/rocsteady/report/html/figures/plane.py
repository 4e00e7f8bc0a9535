"""A square from 0 to 1 with curves in it: smROC curves, curves of readers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.figures.axes import WIDTH, Scale, between, line, polyline, words
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import Child, Markup, svg, tag

Floats = NDArray[np.float64]
Path = tuple[Floats, Floats]

_LEFT, _TOP, _RIGHT, _BOTTOM = 62, 12, 14, 56
_SIDE = WIDTH - _LEFT - _RIGHT
HEIGHT = _TOP + _SIDE + _BOTTOM
ACROSS = Scale(0, 1, _LEFT, _LEFT + _SIDE)
UP = Scale(0, 1, _TOP + _SIDE, _TOP)
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def plane(across: str, up: str, *drawn: Child, label: str, has_diagonal: bool = True) -> Markup:
    """The square with its axes and what is drawn in it."""
    bottom, right = _TOP + _SIDE, _LEFT + _SIDE
    ticks, said = [], []
    for tick in _TICKS:
        x, y, shown = ACROSS(tick), UP(tick), f"{100 * tick:g}"
        ticks.append(f"M{x:g} {bottom}v5M{_LEFT} {y:g}h-5")
        said.append(words(shown, x, bottom + 21, class_="ax", anchor="middle"))
        said.append(words(shown, _LEFT - 10, y + 5, class_="ax", anchor="end"))
    frame = tag("path", d=f"M{_LEFT} {_TOP}V{bottom}H{right}{''.join(ticks)}", class_="axis-line")
    diagonal = line(_LEFT, bottom, right, _TOP, "chance") if has_diagonal else None
    said.append(words(up, 15, _TOP + _SIDE / 2, anchor="middle", turned=True))
    said.append(words(across, _LEFT + _SIDE / 2, HEIGHT - 10, anchor="middle"))
    return svg(WIDTH, HEIGHT, frame, diagonal, drawn, said, label=label, class_="figure")


def curve(path: Path, model: int, class_: str = "model-line") -> Markup:
    """A curve in the colour and dash of a model."""
    return tag("path", d=_placed(path), class_=f"{class_} {look(model)}")


def thread(paths: Sequence[Path], model: int) -> Markup:
    """Many thin curves of one model."""
    return tag("path", d="".join(map(_placed, paths)), class_=f"thread-model {look(model)}")


def band(x: Floats, low: Floats, high: Floats, model: int) -> Markup:
    """Limits of a curve."""
    data = between(ACROSS.many(x), UP.many(low), UP.many(high))
    return tag("path", d=data, class_=f"model-band {look(model)}") if data else Markup("")


def _placed(path: Path) -> str:
    return polyline(ACROSS.many(path[0]), UP.many(path[1]))
