"""What every reader has with every modality, and the mean of each modality with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.inference.differences import Difference
from rocsteady.plots.given.values import given_size
from rocsteady.plots.keys.key_below import LONGEST, axes_over_key, cut, key_below
from rocsteady.plots.keys.key_place import sides_of
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, VERMILLION, thin, write_title
from rocsteady.plots.parts.vocabulary import vocabulary
from rocsteady.readers.compare import ReaderComparison, ReaderSummary, StandaloneComparison
from rocsteady.readers.study import NO_NAME, spoken
from rocsteady.words import counted, grouped, number, p_words, plural, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.statistics.limits import Interval

Floats = NDArray[np.float64]
Found = ReaderComparison | ReaderSummary | StandaloneComparison

_MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
"""Of the readers in turn."""
_MOST_NAMED = 12
"""Readers whose names stand beside their lines."""
_LONGEST = 14
"""Letters of a name beside a line, or under the axes."""
_ASIDE = 0.13
"""How far beside the readers' values a mean stands: left, but of the last modality right."""


def reader_values(
    found: Found,
    *,
    words: str = "medical",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw a line for every reader across the modalities, and the mean of each with its interval.

    Lines that all run the same way show a difference that readers share; lines that cross show readers who
    differ in what a modality does for them. Intervals are of each mean by itself: whether two modalities
    differ is told by the interval of the difference, in the key if there is one.

    Parameters
    ----------
    found : ReaderComparison, ReaderSummary or StandaloneComparison
        From :func:`rocsteady.compare_readers` (a standalone system is drawn beside the readers) or
        :func:`rocsteady.summarize_readers`.
    words : {"ml", "medical", "biometric"}
        As :func:`rocsteady.plot.reader_curves` has it. No rate stands at these axes, so nothing changes.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything else; RS042 for a size that is none; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> table = reader_study(standalone=False)
    >>> study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    >>> axes = reader_values(rs.compare_readers(study))
    >>> axes.get_ylabel(), [text.get_text() for text in axes.get_xticklabels()]
    ('AUC', ['film', 'digital'])
    """
    vocabulary(words)
    text_size, found = given_size(text_size), _given(found)
    scale, heading = scale_of(text_size), _heading(found)
    n, few = len(found.modalities), len(found.readers) <= _MOST_NAMED
    is_standalone = isinstance(found, StandaloneComparison)
    width = COLUMN * max(1.0, (2 + n) / 5)
    n_lines = 2 + is_standalone + heading.count("\n")
    ax = axes_over_key(ax, width, 0.8 * COLUMN, n_lines, text_size)
    place = np.arange(n, dtype=np.float64)
    beside = np.where((place == n - 1) & (n > 1), place + _ASIDE, place - _ASIDE)
    _draw_readers(ax, found, place, few, scale)
    _draw_means(ax, found, beside, scale)
    is_named = found.modalities != (NO_NAME,)
    names = [cut(name, _LONGEST) if is_named else "" for name in found.modalities]
    ax.set_xticks(place, names, fontsize=text_size - 1)
    left, right = (0.45, 0.4) if not is_standalone else (0.55, 0.5)
    ax.set_xlim(-left, n - 1 + right + 0.35 * few)
    ax.set_xlabel("modality" if is_named else "", fontsize=text_size)
    ax.set_ylabel(printable(found.measure), fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    key_below(ax, text_size, heading)
    if few:
        _name_readers(ax, found, 2 * _ASIDE if not is_standalone else 3 * _ASIDE, text_size)
    return ax


def _given(found: object) -> Any:
    """What is drawn, if it is of readers; RS002 otherwise."""
    if isinstance(found, Found):
        return found
    way = "rs.plot.reader_values(rs.compare_readers(score_set))"
    raise fail("RS002.drawn-from", what="a reader study", found=described(found), ways=[way])


def _heading(found: Any) -> str:
    """How many readers and cases, what is random, and the difference if there is one."""
    readers = f"{counted(len(found.readers), printable(found.unit))} ({found.readers_are})"
    sizes = sorted(set(np.ravel(found.n_cases).tolist()))
    cases = (
        counted(sizes[0], "case")
        if len(sizes) == 1
        else f"{grouped(sizes[0])} to {counted(sizes[-1], 'case')}"
    )
    lines = [f"{readers}, {cases} ({found.cases_are})"]
    differences: tuple[Difference, ...] = getattr(found, "differences", ())
    if len(differences) == 1:
        lines.append(_in_words(differences[0]))
    return "\n".join(lines)


def _in_words(own: Difference) -> str:
    """``b less a: 0.044 (-0.0003 to 0.088), p = 0.051``, in the direction that is positive; or two lines."""
    sign = -1 if own.difference < 0 else 1
    names = [cut(spoken(name), 20) for name in (own.a, own.b)][::sign]
    limits = sorted([sign * own.interval.low, sign * own.interval.high])
    words = number(sign * own.difference)
    if np.isfinite(limits).all():
        words += f" ({number(limits[0])} to {number(limits[1])})"
    words += f", {p_words(own.pvalue)}" if np.isfinite(own.pvalue) else ""
    who = f"{names[0]} less {names[1]}:"
    return f"{who} {words}" if len(who) + len(words) < LONGEST else f"{who}\n{words}"


def _draw_readers(ax: Axes, found: Any, place: Floats, few: bool, scale: float) -> None:
    unit = printable(found.unit)
    for order, values in enumerate(found.values.T):
        look: Any = {"color": "0.45", "linewidth": 0.8 * scale, "zorder": 2}
        look |= {"marker": _MARKS[order % len(_MARKS)] if few else "o", "markersize": 3.2 * scale}
        look |= {"markerfacecolor": "white", "markeredgewidth": 0.8 * scale}
        ax.plot(place, values, label=f"each {unit}" if order == 0 else "_reader", **look)


def _name_readers(ax: Axes, found: Any, aside: float, text_size: float) -> None:
    """Names right of each line's last value, moved up and down until none covers another."""
    ends: list[tuple[int, float, str]] = []
    for values, name in zip(found.values.T, found.readers, strict=True):
        known = np.flatnonzero(np.isfinite(values))
        ends += [(int(last), float(values[last]), name) for last in known[-1:]]
    low, high = ax.get_ylim()
    height = sides_of(ax)[1]
    step = 1.25 * (text_size - 2) * (high - low) / height
    for last in sorted({end[0] for end in ends}):
        own = sorted((value, name) for number, value, name in ends if number == last)
        spots = spread_apart(np.array([value for value, _ in own]), step)
        ax.set_ylim(min(low, spots[0] - step / 2), max(high, spots[-1] + step / 2))
        low, high = ax.get_ylim()
        for (value, name), spot in zip(own, spots.tolist(), strict=True):
            leader: Any = {"color": "0.75", "linewidth": 0.06 * text_size, "zorder": 1, "label": "_leader"}
            ax.plot([last, last + aside], [value, spot], **leader)
            words: Any = {"fontsize": text_size - 2, "va": "center", "color": "0.25"}
            ax.text(last + aside + 0.01, spot, cut(name, _LONGEST), **words)


def spread_apart(rising: Floats, step: float) -> Floats:
    """Places at least a step apart, as near to the given ones as a run of neighbours allows.

    Examples
    --------
    >>> import numpy as np
    >>> spread_apart(np.array([0.0, 0.1, 5.0]), 1.0).round(3).tolist()
    [-0.45, 0.55, 5.0]
    """
    # Less a step for each one before it, places may not fall; the nearest such ones are pooled means.
    shifted = [[value - step * number] for number, value in enumerate(rising.tolist())]
    runs: list[list[float]] = []
    for own in shifted:
        runs.append(own)
        while len(runs) > 1 and np.mean(runs[-2]) > np.mean(runs[-1]):
            runs[-2:] = [runs[-2] + runs[-1]]
    pooled = np.concatenate([np.full(len(run), np.mean(run)) for run in runs])
    return np.asarray(pooled + step * np.arange(rising.size))


def _draw_means(ax: Axes, found: Any, place: Floats, scale: float) -> None:
    level = f"{100 * found.confidence_level:g} %"
    mean = f"mean of the {plural(printable(found.unit))}, {level} interval {{kind}}"
    if not isinstance(found, StandaloneComparison):
        own = found.per_modality
        label = mean.format(kind=_kind(own.intervals))
        _draw_bars(ax, place, (own.value, own.low, own.high), (BLUE, "o"), label, scale)
        return
    of_readers = [own.b_interval for own in found.differences]
    label = mean.format(kind=_kind(of_readers))
    _draw_bars(ax, place, (found.means, *_limits(of_readers)), (BLUE, "o"), label, scale)
    ends = _limits([own.a_interval for own in found.differences])
    aside = place + np.where(place > np.round(place), _ASIDE, -_ASIDE)
    system = f"{cut(found.standalone, 20)}, {level} interval"
    _draw_bars(ax, aside, (found.standalone_values, *ends), (VERMILLION, "D"), system, scale)


def _kind(intervals: Sequence[Interval]) -> str:
    """How limits were made: plain ones pass 1 where others do not."""
    names = {"z": "normal", "separated": "bound at 0 or 1"}
    return f"({', '.join(dict.fromkeys(names.get(own.method, own.method) for own in intervals))})"


def _limits(intervals: list[Interval]) -> tuple[Floats, Floats]:
    return np.array([own.low for own in intervals]), np.array([own.high for own in intervals])


def _draw_bars(
    ax: Axes,
    place: Floats,
    bars: tuple[Floats, Floats, Floats],
    look: tuple[str, str],
    label: str,
    scale: float,
) -> None:
    """Values with limits, which are no bars where they are not known."""
    value, low, high = bars
    known = np.isfinite(low) & np.isfinite(high)
    lengths = np.where(known, [value - low, high - value], np.nan)
    ax.errorbar(
        place,
        value,
        yerr=np.maximum(lengths, 0.0),
        linestyle="none",
        marker=look[1],
        markersize=5.5 * scale,
        color=look[0],
        elinewidth=1.6 * scale,
        capsize=2.5 * scale,
        capthick=1.2 * scale,
        zorder=4,
        label=label,
    )
