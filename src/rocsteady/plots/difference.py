"""The difference of two curves, with limits of each position by itself and of the whole range at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady.plots.around_zero import draw_band, draw_zero, name_sides, rate_labels, scale_of, spread_out
from rocsteady.plots.given import given_difference_curve, given_size
from rocsteady.plots.key_below import axes_over_key, cut, key_below, lines_of
from rocsteady.plots.marks import TEXT_SIZE
from rocsteady.plots.style import BLUE, COLUMN, thin, write_title
from rocsteady.words import counted, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.inference.comparing.results import Comparison, DifferenceCurve

_ALONG = ("position along the direction", "gained along the direction")
"""What stands at the axes where no rate is held."""


def difference(
    found: Comparison | DifferenceCurve,
    *,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw by how much the first of two models is better, position by position.

    The darker band holds at each position by itself, the lighter one over the whole range at once; with too
    few groups there is none that does.

    Parameters
    ----------
    found : Comparison or DifferenceCurve
        ``rs.compare(score_set, "a", "b")``, or its ``.curve``.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    title : str
        Above the axes.
    text_size : float
        Points; lines go by it, and so does the size of a figure that is made.
    ax : matplotlib Axes, optional
        Where to draw; without it a figure is made.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a comparison of two models; RS001 for words not known; RS042 for a size
        that is none.
    MissingPackageError
        RS061 if Matplotlib is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 8)
    >>> scores = {"old": rng.normal(size=640) + sick, "new": rng.normal(size=640) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(8), 80))
    >>> axes = difference(rs.compare(both, "new", "old"))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['95 % limits, each position by itself', '95 % limits, the whole range at once', 'new less old']
    """
    text_size, curve = given_size(text_size), given_difference_curve(found)
    scale, level = scale_of(text_size), f"{100 * curve.confidence_level:g} %"
    limits = [
        (curve.lower, curve.upper, 0.24, f"{level} limits, each position by itself"),
        (
            curve.simultaneous_lower,
            curve.simultaneous_upper,
            0.13,
            f"{level} limits, the whole range at once",
        ),
    ]
    known = [own for own in limits if np.isfinite(own[0]).any()]
    heading = _heading(found, curve)
    ax = axes_over_key(ax, COLUMN, 0.72 * COLUMN, 1 + lines_of([heading]) + len(known), text_size)
    draw_zero(ax, scale)
    for low, high, alpha, label in known:
        draw_band(ax, curve.position, low, high, alpha, label)
    line = f"{cut(curve.a, 18)} less {cut(curve.b, 18)}"
    ax.plot(curve.position, curve.difference, color=BLUE, linewidth=1.5 * scale, zorder=4, label=line)
    spread_out(ax, [curve.difference, *(own for low, high, *_ in known for own in (low, high))])
    name_sides(ax, curve.a, curve.b, text_size)
    across, up = rate_labels(curve.over, words) or _ALONG
    ax.set_xlim(*curve.range)
    ax.set_xlabel(across, fontsize=text_size)
    ax.set_ylabel(up, fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    key_below(ax, text_size, heading, handlelength=2.6)
    return ax


def _heading(found: Comparison | DifferenceCurve, curve: DifferenceCurve) -> str:
    """What was averaged, where that is known, and over how many groups."""
    unit = cut(curve.unit, 16)
    kind = "" if found is curve else f"{found.method.label} averages: "  # type: ignore[union-attr]
    few = curve.smallest_pvalue > 1 - curve.confidence_level
    missing = f"\ntoo few {plural(unit)} for limits of the whole range" if few else ""
    if isinstance(curve.n_groups, int):
        return f"{kind}mean difference, {counted(curve.n_groups, unit)}{missing}"
    groups = f"{counted(curve.n_groups[0], unit)} and {curve.n_groups[1]}"
    return f"{kind}difference of means, {groups}{missing}"
