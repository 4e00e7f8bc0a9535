"""Cost curves: what the best threshold costs, for every mixture of costs and prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.methods import AtCosts
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.readings import CostCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.options import rate_range, rates, yes_or_no
from rocsteady.plots.given.named_curves import Paths, crowd_words, is_crowd, named_curves
from rocsteady.plots.given.values import flat_axes, given_size
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, average_key
from rocsteady.plots.parts.curve_lines import Path, draw_average, faint_curves, marker
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, LOOKS, Look, thin, write_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Drawable = CostCurve | RocCurve

_MOST_MARKS, _MOST_LINES = 4, 60
_WORST, _TOP = 0.5, 0.52
"""Nothing that is worth drawing costs more than a half; above it is room for the key."""
_LINE = 0.05
"""Height of a line of the key, where the axis across has length 1."""


def cost_curve(
    curves: Drawable | CurveSet | Sequence[Drawable] | Mapping[str, Drawable],
    *,
    between: tuple[float | AtCosts, float | AtCosts] | None = None,
    at: float | AtCosts | Sequence[float | AtCosts] = (),
    lines: bool = True,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the normalised cost of the best threshold over the probability cost.

    The probability cost is the share of the possible cost that positives could cause, ``p * c_fn / (p * c_fn
    + (1 - p) * c_fp)``. The dotted triangle is what calling everything negative (its left side) or everything
    positive (its right side) costs: a classifier is of use where its line runs below.

    Parameters
    ----------
    curves : CostCurve or RocCurve, a sequence or a mapping from names, or CurveSet
        ``curve.cost_curve()``, or the ROC curve that has it; at most six. A set of more curves is drawn alike
        and faint, at most 300 of them.
    between : (float, float) or (AtCosts, AtCosts), optional
        The probability costs that matter to you, shaded.
    at : float or AtCosts, or sequence of them
        Probability costs at which the costs are marked; at most four. The key has them, and of a single curve
        its best threshold. ``rs.AtCosts(1, 20, 0.03)`` stands for the costs of both errors and a prevalence.
    lines : bool
        Whether the cost lines of single thresholds are drawn under a single curve, faint; at most 60.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but such curves; RS042 for more than can be told apart, a range or a size that is
        none.

    References
    ----------
    Drummond & Holte (2006), Machine Learning 65, 95-130.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1])
    >>> axes = cost_curve(curve.cost_curve(), at=0.3)
    >>> [text.get_text() for text in axes.get_legend().get_texts()][1]
    'at 0.3: cost 0.100, threshold 0.8'
    """
    text_size, marks = given_size(text_size), _marks(at)
    limits = None if between is None else rate_range("between", _shares(between))
    with_lines = yes_or_no("lines", lines)
    crowd = curves if isinstance(curves, CurveSet) and is_crowd(curves) else None
    several = [] if crowd is not None else _named(curves)
    notes = [KeyNote(words) for words in _words(several, marks, limits)]
    scale = scale_of(text_size)
    per_curve = 1 + (-(-marks.size // 2) if len(several) > 1 else 0)
    top = _TOP + _LINE * (2 + per_curve * len(several) + len(notes))
    ax = flat_axes(ax, COLUMN, (0.22 + 0.84 * top) * COLUMN, text_size)
    _dress(ax, top, title, text_size)
    if limits is not None:
        ax.axvspan(
            *limits, 0, _WORST / top, color="0.5", alpha=0.16, linewidth=0, zorder=-1, label="_between"
        )
    if crowd is not None:
        drawn = faint_curves(ax, Paths(crowd, _path), colour=BLUE, scale=scale)
        notes.insert(0, KeyNote(crowd_words(drawn, crowd.unit)))
    elif len(several) == 1 and with_lines:
        _draw_lines(ax, several[0][1], scale)
    entries = []
    for (name, curve), look in zip(several, LOOKS, strict=False):
        line = draw_average(ax, _path(curve), look, scale=scale, width=1.6)
        _draw_marks(ax, curve, marks, look, scale)
        below = _costs(curve, marks) if len(several) > 1 else ""
        entries.append(KeyEntry(line, name, f"{curve.normalized_cost.max():.3f}", look.text, below))
    heading = "highest normalised cost" if entries else ""
    average_key(ax, entries, notes, heading=heading, text_size=text_size, loc="upper left")
    return ax


def _named(curves: object) -> list[tuple[str, CostCurve]]:
    way = "rs.plot.cost_curve(curve.cost_curve())"
    found = named_curves(curves, (CostCurve, RocCurve), what="cost curves", way=way)
    return [(name, own.cost_curve() if isinstance(own, RocCurve) else own) for name, own in found]


def _shares(given: Any) -> Any:
    """Numbers as they are; costs as the share of the possible cost that positives could cause."""
    if isinstance(given, AtCosts):
        of_misses, of_alarms = given.expected
        return of_misses / (of_misses + of_alarms)
    return [_shares(own) for own in given] if isinstance(given, list | tuple) else given


def _marks(at: object) -> Floats:
    """Probability costs to be marked; RS042 for what is none, or for too many."""
    marks = np.atleast_1d(rates("at", _shares(at))).ravel()
    if marks.size > _MOST_MARKS:
        ways = [Option("at", [0.1, 0.3])]
        raise fail("RS042.room", most=_MOST_MARKS, what="probability costs", n=marks.size, ways=ways)
    return marks


def _words(
    several: list[tuple[str, CostCurve]], marks: Floats, limits: tuple[float, float] | None
) -> list[str]:
    """Lines below all curves of the key."""
    words = []
    if len(several) == 1:
        curve = several[0][1]
        words = [
            f"at {mark:.4g}: cost {curve.at(mark):.3f}, threshold {curve.threshold_at(mark):.4g}"
            for mark in marks
        ]
    if limits is not None:
        words.append(f"shaded: probability cost {limits[0]:.4g} to {limits[1]:.4g}")
    return [*words, "dotted: all called negative, or all positive"]


def _costs(curve: CostCurve, marks: Floats) -> str:
    words = [f"{curve.at(mark):.3f} at {mark:.4g}" for mark in marks]
    return "\n".join(", ".join(words[k : k + 2]) for k in range(0, len(words), 2))


def _path(curve: Drawable) -> Path:
    curve = curve.cost_curve() if isinstance(curve, RocCurve) else curve
    return Path(curve.probability_cost, curve.normalized_cost)


def _draw_lines(ax: Axes, curve: CostCurve, scale: float) -> None:
    """The cost line of every threshold that is best somewhere: its FPR at 0, its FNR at 1."""
    from matplotlib.patches import Rectangle

    both = [Path(np.array([0.0, 1.0]), np.array(own)) for own in zip(curve.fpr, curve.fnr, strict=True)]
    faint_curves(ax, both, colour="0.4", scale=scale, alpha=0.3, most=_MOST_LINES)
    ax.collections[-1].set_clip_path(Rectangle((0, 0), 1, _WORST, transform=ax.transData))


def _draw_marks(ax: Axes, curve: CostCurve, marks: Floats, look: Look, scale: float) -> None:
    if marks.size:
        ax.plot(marks, curve.at(marks), **marker(look, scale), clip_on=False, zorder=6, label="_point")


def _dress(ax: Axes, top: float, title: str, text_size: float) -> None:
    """The same scale on both axes, with room for the key above what can be drawn."""
    from matplotlib.ticker import FixedLocator

    ax.set(xlim=(0, 1), ylim=(0, top))
    ax.set_aspect("equal")
    ax.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    ax.yaxis.set_major_locator(FixedLocator([0, 0.25, _WORST]))
    ax.spines["left"].set_bounds(0, _WORST)
    dotted: Any = {"linestyle": ":", "color": "0.6", "linewidth": scale_of(text_size), "zorder": 0}
    ax.plot([0, 0.5, 1], [0, 0.5, 0], label="_trivial", **dotted)
    ax.set_xlabel("probability cost (share due to positives)", fontsize=text_size)
    ax.set_ylabel("normalised cost", fontsize=text_size, y=_WORST / 2 / top)
    write_title(ax, title, text_size)
    thin(ax, text_size)
