"""The difference of two curves, with limits of each point by itself and of a whole range at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady.plots.given.values import given_difference_curve, given_size
from rocsteady.plots.keys.key_below import LONGEST, axes_over_key, cut, key_below, lines_of
from rocsteady.plots.keys.words_of_bands import BY_ITSELF, at_once
from rocsteady.plots.parts.around_zero import (
    draw_band,
    draw_zero,
    name_sides,
    rate_labels,
    short_rate,
    spread_out,
)
from rocsteady.plots.parts.curve_lines import keep_outside
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.short_names import no_formula, pair_words
from rocsteady.plots.parts.style import BLUE, COLUMN, thin, write_title
from rocsteady.scores.design import Random
from rocsteady.words import counted, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.inference.differences import Comparison, DifferenceCurve

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

    The darker band holds at each point by itself, the lighter one over the whole range at once; with too few
    groups there is none that does.

    Parameters
    ----------
    found : Comparison or DifferenceCurve
        ``rs.compare(score_set, "a", "b", method="vertical")``, or its ``.curve``.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a comparison of two models; RS001 for words not known; RS042 for a size
        that is none.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 8)
    >>> scores = {"old": rng.normal(size=640) + sick, "new": rng.normal(size=640) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(8), 80))
    >>> axes = difference(rs.compare(both, "new", "old", method="vertical"))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['95 %: each point by itself', '95 %: FPR 0.02 to 0.5 at once', 'new less old']
    """
    text_size, curve = given_size(text_size), given_difference_curve(found)
    scale, level = scale_of(text_size), f"{100 * curve.confidence_level:g} %"
    across, up = rate_labels(curve.over, words) or _ALONG
    rate = short_rate(curve.over, words)
    alike = at_once(rate, curve.range, curve.excluded, why="nothing varies")
    limits = [
        (curve.lower, curve.upper, 0.24, f"{level}: {BY_ITSELF}"),
        (curve.simultaneous_lower, curve.simultaneous_upper, 0.13, f"{level}: {alike}"),
    ]
    known = [own for own in limits if np.isfinite(own[0]).any()]
    heading, line = _heading(found, curve), no_formula(pair_words(curve.a, curve.b, LONGEST))
    ax = axes_over_key(
        ax, COLUMN, 0.72 * COLUMN, lines_of([heading, line, *(own[-1] for own in known)]), text_size
    )
    draw_zero(ax, scale)
    areas = [draw_band(ax, curve.position, *own) for own in known]
    if len(areas) > 1:
        keep_outside(ax, areas[1], areas[:1])
    ax.plot(curve.position, curve.difference, color=BLUE, linewidth=1.5 * scale, zorder=4, label=line)
    spread_out(ax, [curve.difference, *(own for low, high, *_ in known for own in (low, high))])
    name_sides(ax, curve.a, curve.b, text_size)
    ax.set_xlim(*curve.range)
    ax.set_xlabel(across, fontsize=text_size)
    ax.set_ylabel(up, fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    key_below(ax, text_size, heading, handlelength=2.6)
    return ax


def _heading(found: Comparison | DifferenceCurve, curve: DifferenceCurve) -> str:
    """What was averaged, where that is known, over how many groups, and what is random if these are not."""
    unit, of_cases = cut(curve.unit, 16), curve.facts.random != Random.GROUPS
    few = curve.smallest_pvalue > 1 - curve.confidence_level
    missing = (
        f"\ntoo few {'cases' if of_cases else plural(unit)} for limits of the whole range" if few else ""
    )
    if of_cases and curve.n_groups in (1, (1, 1)):  # every average of one curve is that curve
        return f"{_both(curve.n_cases, 'case')} of one {unit}, cases random{missing}"
    kind = "" if found is curve else f"{found.method.label} averages: "  # type: ignore[union-attr]
    what = "mean difference" if isinstance(curve.n_groups, int) else "difference of means"
    return f"{kind}{what}, {_both(curve.n_groups, unit)}{', cases random' * of_cases}{missing}"


def _both(n: int | tuple[int, int], unit: str) -> str:
    """How many of a sort; of each model where they are not the same."""
    return counted(n, unit) if isinstance(n, int) else f"{counted(n[0], unit)} and {n[1]}"
