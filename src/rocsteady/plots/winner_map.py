"""Who wins where: the difference with limits for the whole range at once, and a strip of winners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.plots.given.values import given_size, given_winner_map
from rocsteady.plots.keys.key_below import LONGEST, axes_over_key, cut, key_below, lines_of
from rocsteady.plots.keys.words_of_bands import at_once
from rocsteady.plots.parts.around_zero import (
    draw_band,
    draw_zero,
    name_sides,
    rate_labels,
    short_rate,
    spread_out,
)
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.short_names import no_formula, pair_words, told_apart
from rocsteady.plots.parts.style import BLACK, BLUE, COLUMN, LOOKS, thin, write_title
from rocsteady.words import cost_ratio, counted, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady.inference.winner_map import WinnerMap

_STRIP = 0.075
"""Height of the strip of winners, as a share of the axes."""
_THINNEST = 0.004
"""Width of a region of a single position, as a share of the axes; else nobody would see it."""
_CROWD = 4
"""Of more models only the one that is ahead has a band."""
_LEAD, _OVER = ": lead", " over the best other"
"""What lines of three or more models are; of long names, the second part is said once for all."""
_LABELS = {
    "costs": ("costs, false positive : false negative", "cost per case saved"),
    "alerts": ("share of cases called positive", "TPR gained"),
}
_RATIOS = (1, 2, 5)
_MANY = 8
"""More crossings have smaller marks."""


def winner_map(
    found: WinnerMap,
    *,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the difference of two models along the range, its limits, and who wins where.

    The strip along the bottom has the colour of the winner where there is one, and is white where that is
    undecided. Diamonds are where the means cross. Of three or more models every line is a model's lead over
    the best of the others; of more than four, only the one that is ahead has limits.

    Parameters
    ----------
    found : WinnerMap
        From :func:`rocsteady.winner_map`, of up to six models.
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
        RS002 for anything but a winner map; RS001 for words not known; RS042 for more models than can
        be told apart, or a size that is none.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 8)
    >>> scores = {"old": rng.normal(size=640) + sick, "new": rng.normal(size=640) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(8), 80))
    >>> axes = winner_map(rs.winner_map(both, fpr=(0.1, 0.4)))
    >>> [text.get_text() for text in axes.get_legend().get_texts()][-1]
    'new wins'
    """
    text_size, found = given_size(text_size), given_winner_map(found, len(LOOKS))
    scale = scale_of(text_size)
    two, heading = len(found.models) == 2, _heading(found)
    n_lines = 3 + lines_of([heading]) + len(found.winners)
    n_lines += pair_words(found.models[0], found.models[1], LONGEST).count("\n") if two else len(found.models)
    ax = axes_over_key(ax, COLUMN, 0.72 * COLUMN, n_lines, text_size)
    draw_zero(ax, scale)
    (_draw_pair if two else _draw_leads)(ax, found, words, text_size)
    _draw_crossings(ax, found, scale)
    _draw_strip(ax, found, scale)
    _dress(ax, found, words, title, text_size)
    key_below(ax, text_size, heading, handlelength=2.6)
    return ax


def _draw_pair(ax: Axes, found: WinnerMap, words: str, text_size: float) -> None:
    scale = scale_of(text_size)
    (pair,) = found.pairs
    draw_band(ax, found.position, pair.lower, pair.upper, 0.18, _limits(found, words))
    mean = ", mean" if found.n_groups > 1 else ""
    label = no_formula(pair_words(pair.a, pair.b, LONGEST - len(mean))) + mean
    ax.plot(found.position, pair.advantage, color=BLUE, linewidth=1.5 * scale, zorder=4, label=label)
    spread_out(ax, [pair.advantage, pair.lower, pair.upper])
    _leave_room_for_strip(ax)
    name_sides(ax, pair.a, pair.b, text_size, lowest=_STRIP)


def _draw_leads(ax: Axes, found: WinnerMap, words: str, text_size: float) -> None:
    from matplotlib.patches import Rectangle

    drawn: list[NDArray[np.float64]] = []
    is_crowded = len(found.models) > _CROWD
    after = _lead_words(found)
    names = map(no_formula, told_apart(found.models, LONGEST - len(after)))
    for lead, name, look in zip(map(found.lead, found.models), names, LOOKS, strict=False):
        # Bands of many would hide each other; only who is ahead can win.
        shown = lead.advantage >= 0 if is_crowded else np.ones(lead.advantage.shape, dtype=bool)
        low, high = (np.where(shown, limit, np.nan) for limit in (lead.lower, lead.upper))
        draw_band(ax, found.position, low, high, 0.14, "_limits", look.colour)
        line: Any = {"color": look.colour, "linestyle": look.line, "linewidth": 1.5 * scale_of(text_size)}
        ax.plot(found.position, lead.advantage, zorder=4, label=f"{name}{after}", **line)
        drawn += [lead.advantage, low, high]
    if any(band.get_label() == "_limits" for band in ax.collections):
        grey: Any = {"color": "0.4", "alpha": 0.25, "linewidth": 0, "transform": ax.transAxes}
        label = f"{_limits(found, words)}{', of the one ahead' * is_crowded}"
        ax.add_patch(Rectangle((0, 0), 0, 0, label=label, **grey))
    spread_out(ax, drawn)
    _leave_room_for_strip(ax)


def _lead_words(found: WinnerMap) -> str:
    """What stands after the name of each of several models."""
    longest = max(map(len, found.models))
    return f"{_LEAD}{_OVER}" if longest + len(_LEAD) + len(_OVER) <= LONGEST else _LEAD


def _limits(found: WinnerMap, words: str) -> str:
    level = f"{100 * found.confidence_level:g} %"
    if found.over not in ("fpr", "tpr"):
        return f"{level}: the whole range at once"
    axis = found._axis
    rate = short_rate(found.over, words)
    return f"{level}: {at_once(rate, (axis.low, axis.high), found.excluded, why='nothing varies')}"


def _leave_room_for_strip(ax: Axes) -> None:
    """The strip lies under everything else, where the upright axis has no numbers."""
    low, high = ax.get_ylim()
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
    ax.set_ylim(low - (high - low) * _STRIP / (1 - _STRIP), high)


def _draw_crossings(ax: Axes, found: WinnerMap, scale: float) -> None:
    if found.crossings:
        word = "the means cross" if len(found.models) == 2 else "the best mean changes"
        if found.n_groups == 1:
            word = "the leader changes"
        ax.plot(
            found.crossings,
            np.zeros(len(found.crossings)),
            linestyle="none",
            marker="D",
            markersize=(4 if len(found.crossings) <= _MANY else 2.5) * scale,
            markerfacecolor="white",
            markeredgecolor=BLACK,
            markeredgewidth=0.9 * scale,
            zorder=5,
            label=word,
        )


def _draw_strip(ax: Axes, found: WinnerMap, scale: float) -> None:
    """Winners along the bottom: place along the axis in its units, height in shares of the axes."""
    from matplotlib.patches import Rectangle

    looks = dict(zip(found.models, LOOKS, strict=False))
    names = dict(zip(found.models, told_apart(found.models, LONGEST - len(" wins")), strict=True))
    least = _THINNEST * (found.position[-1] - found.position[0])
    named: set[str] = set()
    frame: Any = {"transform": ax.get_xaxis_transform(), "zorder": 3}
    for region in found.regions:
        look: Any = {"facecolor": "white", "label": "_undecided"}
        if region.winner is not None:
            own = looks[region.winner]
            label = "_again" if region.winner in named else f"{no_formula(names[region.winner])} wins"
            look = {"facecolor": own.colour, "edgecolor": "white", "hatch": own.hatch, "linewidth": 0}
            look["label"] = label
            named.add(region.winner)
        width = max(region.high - region.low, least if region.winner else 0.0)
        ax.add_patch(Rectangle((region.low, 0), width, _STRIP, **look, **frame))
    ax.plot(
        [0, 1],
        [_STRIP] * 2,
        color="0.5",
        linewidth=0.6 * scale,
        zorder=4,
        transform=ax.transAxes,
        label="_edge",
    )
    if None in found.winner:
        edge: Any = {"facecolor": "white", "edgecolor": "0.5", "linewidth": 0.6 * scale}
        few = found.smallest_pvalue > 1 - found.confidence_level
        label = f"undecided: too few {plural(cut(found.unit, 16))}" if few else "undecided"
        ax.add_patch(Rectangle((0, 0), 0, 0, label=label, transform=ax.transAxes, **edge))


def _dress(ax: Axes, found: WinnerMap, words: str, title: str, text_size: float) -> None:
    axis = found._axis
    if found.over == "costs":
        _ratio_scale(ax, axis.low, axis.high)
    else:
        ax.locator_params(axis="x", nbins=6)
    ax.set_xlim(axis.low, axis.high)
    across, up = rate_labels(found.over, words) or _LABELS[found.over]
    ax.set_xlabel(across, fontsize=text_size)
    ax.set_ylabel(up, fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)


def _ratio_scale(ax: Axes, low: float, high: float) -> None:
    """A log scale with ticks at 1 : 2, 1 : 5, 1 : 10 ...; both ends where nothing round is inside."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    ax.set_xscale("log")
    decades = range(int(np.floor(np.log10(low))) - 1, int(np.ceil(np.log10(high))) + 2)
    round_ratios = [step * 10.0**power for power in decades for step in _RATIOS]
    round_ratios += [1 / ratio for ratio in round_ratios]
    ticks = sorted({float(f"{ratio:.6g}") for ratio in round_ratios if low <= ratio <= high})
    while len(ticks) > 7:
        ticks = ticks[::2]
    ticks = ticks if len(ticks) > 1 else [low, high]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_major_formatter(FixedFormatter([cost_ratio(tick) for tick in ticks]))
    ax.xaxis.set_minor_locator(NullLocator())


def _heading(found: WinnerMap) -> str:
    held = f", prevalence {100 * found.prevalence:.3g} %" if found.prevalence is not None else ""
    if len(found.models) > 2 and _lead_words(found) == _LEAD:
        held += f"\n{_LEAD.lstrip(': ')}:{_OVER}"
    groups = counted(found.n_groups, cut(found.unit, 16))
    if found.random == "cases":
        groups += ", cases random"
        if found.n_groups == 1:  # every average of one curve is that curve
            return f"{groups}{held}"
    axis = found._axis
    method = "alarm-rate" if found.over == "alerts" and not axis.is_shared else axis.method.label
    return f"{method} average, {groups}{held}"
