"""How the scores of both classes are spread, beside the curve that they give: thresholds in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.densities import ScoreDensities
from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, fail
from rocsteady.options import one_number, yes_or_no
from rocsteady.plots.given.values import flat_axes, given_size, of_kind
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, average_key
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.keys.key_below import axes_over_key, below, cut, make_room
from rocsteady.plots.parts.curve_lines import draw_average, marker
from rocsteady.plots.parts.density_bars import Places, cut_at, draw_bars, dress_scores, limit
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.style import BLACK, BLUE, COLUMN, LOOKS, VERMILLION, Look, ink_of, new_figure, rgb
from rocsteady.plots.parts.vocabulary import Vocabulary, vocabulary
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.show.sentences.curves import cases_outside
from rocsteady.words import class_cases, grouped, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Threshold = float | Cutoff | AppliedCutoff

MARKS = (Look(BLACK, BLACK, "-", "o", ""), *LOOKS[2:5])
"""Of each threshold in turn; the first two looks are those of the classes."""
_CURVE = Look("0.45", "0.25", "-", "o", "")
_SHADED = "shaded: called positive"
_LONGEST = 26
"""Letters of the name of a class."""


@dataclass(frozen=True)
class _Drawn:
    """A threshold in both plots."""

    threshold: float
    fpr: float
    tpr: float
    look: Look
    rule: str
    is_seen: bool

    def rates(self, said: Vocabulary) -> str:
        """Both rates."""
        return f"{said.tpr_short} {percent(self.tpr)}, {said.fpr_short} {percent(self.fpr)}"

    @property
    def called(self) -> str:
        """What is called positive."""
        sign = self.rule.replace(">=", "≥").replace("<=", "≤")
        return f"score {sign} " + f"{self.threshold:.4g}".replace("inf", "∞")


@overload
def densities(
    spread: ScoreDensities,
    *,
    thresholds: Threshold | Sequence[Threshold] = ...,
    curve: Literal[True] = ...,
    words: str = ...,
    title: str = ...,
    text_size: float = ...,
    ax: tuple[Axes, Axes] | None = ...,
) -> tuple[Axes, Axes]: ...
@overload
def densities(
    spread: ScoreDensities,
    *,
    thresholds: Threshold | Sequence[Threshold] = ...,
    curve: Literal[False],
    words: str = ...,
    title: str = ...,
    text_size: float = ...,
    ax: Axes | None = ...,
) -> Axes: ...
def densities(
    spread: ScoreDensities,
    *,
    thresholds: Threshold | Sequence[Threshold] = (),
    curve: bool = True,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Any = None,
) -> Any:
    """Draw the scores of both classes, positives upwards and negatives downwards, and beside them the curve.

    A threshold is an upright line through the scores and a mark on the curve: what lies beyond the line, up
    and down, is the mark's true and false positive rate. A single threshold has that side shaded. The key
    under the scores says how many lie outside the bars.

    Parameters
    ----------
    spread : ScoreDensities
        From :func:`rocsteady.score_densities`. Bars are as high as their share of the class; of bins that
        are not evenly wide, as their share over their width.
    thresholds : float or Cutoff, or sequence of them
        In the units of the scores; at most four.
    curve : bool
        Whether the curve is drawn too.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    title : str
        Above the scores.
    text_size : float
        Points; lines and markers go by it, and so does the size of a figure that is made.
    ax : pair of matplotlib Axes, or Axes without the curve, optional
        Where to draw; without it a figure is made, with the curve as wide as two columns.

    Returns
    -------
    pair of matplotlib Axes
        Of the scores and of the curve; without the curve only the first.

    Raises
    ------
    UsageError
        RS002 for anything but densities, and for axes that are no pair; RS042 for more thresholds than can be
        told apart, or a size that is none; RS001 for unknown words.

    Examples
    --------
    >>> from rocsteady.curves.densities import score_densities
    >>> ratings = score_densities([1, 1, 1, 0, 0, 0], [5, 4, 4, 4, 2, 1])
    >>> scores, curve = densities(ratings, thresholds=4)
    >>> [text.get_text() for text in curve.get_legend().get_texts()][:2]
    ['score ≥ 4', 'TPR 100 %, FPR 33.3 %']
    """
    text_size, said, with_curve = given_size(text_size), vocabulary(words), yes_or_no("curve", curve)
    way = "rs.plot.densities(rs.score_densities(score_set))"
    spread = of_kind(ScoreDensities, spread, "the densities of scores", way)
    drawn = _thresholds(spread, thresholds)
    notes = [f"outside: {cases_outside(own).plain()} {own.where}" for own in spread.outside]
    notes += [f"beyond the bars: {own.called}" for own in drawn if not own.is_seen]
    notes += [_SHADED] if len(drawn) == 1 and drawn[0].is_seen else []
    n_lines = 3 + len(notes) + (0 if with_curve else 2 * len(drawn))
    if with_curve:
        scores, beside = _pair(ax, n_lines, text_size)
    else:
        scores, beside = axes_over_key(ax, COLUMN, 0.75 * COLUMN, n_lines, text_size), None
    drawn = [_in_ink(own, ink_of(scores)) for own in drawn]
    places = draw_bars(scores, spread, scale_of(text_size))
    _draw_thresholds(scores, spread, drawn, places, scale_of(text_size))
    dress_scores(scores, spread, places, title, text_size)
    _say(scores, spread, [] if with_curve else drawn, notes, said, text_size)
    if beside is None:
        return scores
    _draw_curve(beside, spread, drawn, said, words, text_size)
    return _panels(scores, beside)


def _panels(*axes: Axes) -> tuple[Axes, ...]:
    """Both axes, as a pair that a notebook shows."""
    from rocsteady.plots.parts.canvas import Panels

    return Panels(axes)


def _thresholds(spread: ScoreDensities, given: object) -> list[_Drawn]:
    """Thresholds with their rates; RS042 for too many, or for what is none."""
    single = isinstance(given, str) or not isinstance(given, Sequence | np.ndarray)
    found = [given] if single else list(given)  # type: ignore[call-overload]
    if len(found) > len(MARKS):
        few = Option("thresholds", [0.2, 0.5])
        raise fail("RS042.room", most=len(MARKS), what="thresholds", n=len(found), ways=[few])
    values = [
        own.threshold if isinstance(own, Cutoff | AppliedCutoff) else one_number("thresholds", own)
        for own in found
    ]
    rates = [spread.rates_at(value) for value in values]
    return [
        _Drawn(float(value), own.fpr, own.tpr, look, own.rule, _is_seen(spread, value))
        for value, own, look in zip(values, rates, MARKS, strict=False)
    ]


def _in_ink(drawn: _Drawn, ink: str) -> _Drawn:
    """In dark axes what is black would not be seen."""
    if drawn.look.colour != BLACK:
        return drawn
    return replace(drawn, look=replace(drawn.look, colour=ink, text=ink))


def _is_seen(spread: ScoreDensities, threshold: float) -> bool:
    return spread.low.size > 0 and bool(spread.low[0] <= threshold <= spread.high[-1])


def _pair(ax: object, n_lines: int, text_size: float) -> tuple[Axes, Axes]:
    """Two axes side by side, with room for a key under the first."""
    if ax is None:
        scale = scale_of(text_size)
        figure = new_figure(
            2 * COLUMN * scale, (0.93 * COLUMN + 1.4 * (n_lines - 1) * TEXT_SIZE / 72) * scale
        )
        return figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2)
    if isinstance(ax, tuple | list | np.ndarray) and len(ax) == 2:
        scores, curve = flat_axes(ax[0], COLUMN, COLUMN), flat_axes(ax[1], COLUMN, COLUMN)
        shared = scores.get_shared_x_axes(), scores.get_shared_y_axes()
        if scores is not curve and not any(own.joined(scores, curve) for own in shared):
            return scores, curve
    raise fail("RS002.two-axes", found=described(ax))


def _draw_thresholds(
    ax: Axes, spread: ScoreDensities, drawn: list[_Drawn], places: Places, scale: float
) -> None:
    """Upright lines; of a single one, the side that is called positive is shaded."""
    limit(ax, spread, places)
    for own in (own for own in drawn if own.is_seen):
        place = cut_at(places.of(own.threshold), spread, places)
        line: Any = {"color": own.look.colour, "linestyle": own.look.line, "zorder": 4}
        ax.axvline(place, linewidth=1.2 * scale, label="_threshold", **line)
        top: Any = {"transform": ax.get_xaxis_transform(), "clip_on": False, "zorder": 6, "label": "_point"}
        ax.plot([place], [1], **marker(own.look, scale), **top)
        if len(drawn) == 1:
            left, right = ax.get_xlim()
            side = (place, right) if spread.higher_is_positive else (left, place)
            ax.axvspan(*side, color="0.5", alpha=0.14, linewidth=0, zorder=0, label="_called")


def _say(
    ax: Axes,
    spread: ScoreDensities,
    drawn: list[_Drawn],
    notes: list[str],
    said: Vocabulary,
    text_size: float,
) -> None:
    """The key under the scores: the classes, what counts once, what lies outside."""
    from matplotlib.patches import Patch

    curve = spread.curve
    up = Patch(facecolor=BLUE, alpha=0.75)
    down = Patch(facecolor=(*rgb(VERMILLION), 0.3), edgecolor=VERMILLION, hatch="////", linewidth=0.5)
    sides = (
        (up, spread.classes.positive, spread.positives, "n_positives", True),
        (down, spread.classes.negative, spread.negatives, "n_negatives", False),
    )
    lines = []
    for handle, label, inside, name, is_positive in sides:
        total = inside.sum() + sum(getattr(own, name) for own in spread.outside)
        cases = cut(class_cases(label, is_positive=is_positive), _LONGEST)
        amount = f"weight {total:.4g}" if curve.is_weighted and not spread.per_group else _amount(total)
        lines.append(KeyNote(f"{cases}, {'up' if is_positive else 'down'} ({amount})", handle))
    lines.append(KeyNote(cut(spread.what_counts)))
    entries = [_entry(own, said, text_size) for own in drawn]
    average_key(ax, entries, [*lines, *map(KeyNote, notes)], text_size=text_size, **below(ax, text_size))
    make_room(ax)


def _amount(total: Any) -> str:
    return grouped(int(total)) if float(total).is_integer() else f"weight {total:.4g}"


def _entry(own: _Drawn, said: Vocabulary, text_size: float) -> KeyEntry:
    """A threshold in a key, with its rates under it."""
    from matplotlib.lines import Line2D

    scale = scale_of(text_size)
    line = {**marker(own.look, scale), "linestyle": own.look.line, "color": own.look.colour}
    handle = Line2D([], [], linewidth=1.2 * scale, **line)
    return KeyEntry(handle, own.called, "", own.look.text, own.rates(said))


def _draw_curve(
    ax: Axes, spread: ScoreDensities, drawn: list[_Drawn], said: Vocabulary, words: str, text_size: float
) -> None:
    """The curve with a mark for each threshold."""
    scale = scale_of(text_size)
    dress_roc(ax, words=words, text_size=text_size)
    line = draw_average(ax, spread.curve, _CURVE, scale=scale, width=1.6)
    for own in drawn:
        ax.plot([own.fpr], [own.tpr], **marker(own.look, scale), clip_on=False, zorder=6, label="_point")
    entries = [_entry(own, said, text_size) for own in drawn]
    kind = "threshold average" if spread.per_group else "pooled curve" if spread.n_groups > 1 else "curve"
    area = KeyNote(f"{kind}, AUC {spread.curve.auc:.3f}", line)
    write_key(ax, [Key(tuple(entries), (area,))], text_size, is_own=False)
