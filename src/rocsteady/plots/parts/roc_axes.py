"""Axes of a ROC plot: square, without a grid, in the words of a field, zoomed or with a log scale if asked.

They are dressed before anything is drawn in them: what is drawn goes by their scale and their limits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Option, fail
from rocsteady.options import one_of, real_numbers
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import thin, write_title
from rocsteady.plots.parts.vocabulary import vocabulary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

SCALES = ("linear", "log")
_CHANCE = 200
"""Points of the chance line, which is bent on a log scale."""
_SHORT = 100
"""A log scale over less than so many times its start has ticks between the powers of ten too."""
_LOWEST = 1e-3
"""Where a log scale starts if nobody knows better."""


def dress_roc(
    ax: Axes,
    *,
    words: str = "ml",
    zoom: object = None,
    xscale: str = "linear",
    lowest: float | None = None,
    axis_words: tuple[str, str] | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    chance: bool = True,
) -> None:
    """Make axes those of a ROC plot; call it before anything is drawn.

    Parameters
    ----------
    ax : Axes
        What to dress.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    zoom : float or (float, float), optional
        The largest false positive rate that is shown; or that, and the smallest true positive rate.
    xscale : {"linear", "log"}
        Of the false positive rate.
    lowest : float, optional
        Where a log scale starts; see :func:`lowest_rate`.
    axis_words : (str, str), optional
        What stands at the axes instead, where they are no rates.
    title : str
        Above the axes.
    text_size : float
        Points.
    chance : bool
        Whether there is a chance line.
    """
    said = vocabulary(words)
    furthest, bottom = given_zoom(zoom)
    start = 0.0
    if one_of("xscale", xscale, SCALES) == "log":
        start = min(_LOWEST if lowest is None else lowest, furthest / 10)
        ax.set_xscale("log")
    ax.set(xlim=(start, furthest), ylim=(bottom, 1))
    if xscale == "linear" and furthest == 1 - bottom:
        ax.set_aspect("equal")
    else:
        ax.set_box_aspect(1)
    across, up = axis_words or (said.fpr, said.tpr)
    ax.set_xlabel(across, fontsize=text_size)
    ax.set_ylabel(up, fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    _set_ticks(ax, furthest, bottom)
    if chance and not any(line.get_label() == "_chance" for line in ax.lines):
        draw_chance(ax, scale_of(text_size))


def draw_chance(ax: Axes, scale: float = 1.0) -> Any:
    """Where a classifier that knows nothing lies: straight, or bent on a log scale."""
    rate: Floats = np.array([0.0, 1.0])
    if ax.get_xscale() == "log":
        rate = np.geomspace(ax.get_xlim()[0], 1.0, _CHANCE)
    (line,) = ax.plot(rate, rate, ":", color="0.6", linewidth=scale, zorder=0, label="_chance")
    return line


def given_zoom(zoom: object) -> tuple[float, float]:
    """The largest false positive rate and the smallest true positive rate in view; RS042 if there are none.

    >>> given_zoom(0.2), given_zoom((0.1, 0.5)), given_zoom(None)
    ((0.2, 0.0), (0.1, 0.5), (1.0, 0.0))
    """
    if zoom is None:
        return 1.0, 0.0
    numbers = real_numbers("zoom", zoom, example=0.2)  # type: ignore[arg-type]
    is_pair = numbers.shape == (2,)
    furthest, bottom = map(float, numbers if is_pair else (numbers if numbers.ndim == 0 else math.nan, 0.0))
    if isinstance(zoom, bool) or not (0 < furthest <= 1 > bottom >= 0):
        where = "the largest FPR in view, or that and the smallest TPR"
        ways = [Option("zoom", 0.2), Option("zoom", (0.2, 0.5))]
        raise fail("RS042", name="zoom", where=where, found=zoom, ways=ways)
    return furthest, bottom


def lowest_rate(n_negatives: Any) -> float:
    """Where a log scale starts: at or below one false alarm of the largest group, a round number.

    >>> lowest_rate([40, 350]), lowest_rate(20000)
    (0.002, 5e-05)
    """
    largest = float(np.max(np.atleast_1d(n_negatives), initial=10.0))
    exponent = math.floor(math.log10(1 / largest) + 1e-9)
    step = max(step for step in (1, 2, 5) if step * 10.0**exponent <= 1 / largest * (1 + 1e-9))
    return float(f"{step}e{exponent}")


def _set_ticks(ax: Axes, furthest: float, bottom: float) -> None:
    """Quarters of the whole, round numbers elsewhere; a log scale has powers of ten."""
    from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter

    for axis, is_whole in ((ax.xaxis, furthest == 1), (ax.yaxis, bottom == 0)):
        if axis is ax.xaxis and ax.get_xscale() == "log":
            is_short = furthest < _SHORT * ax.get_xlim()[0]
            axis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if is_short else (1,), numticks=7))
            axis.set_major_formatter(_as_number)
            axis.set_minor_formatter(NullFormatter())
        elif is_whole:
            axis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        else:
            axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))


def _as_number(tick: float, _: object) -> str:
    """A rate as it is written: 0.01 is read faster than a power of ten."""
    return np.format_float_positional(tick, precision=12, trim="-")
