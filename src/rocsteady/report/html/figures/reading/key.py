"""The key of the ROC plot in section 2: in its empty corner, or below it where there are many models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.plots.parts.short_names import told_apart
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import Markup, tag

if TYPE_CHECKING:
    from rocsteady.report.summary.modes.modes import Mode

WIDTH, HEIGHT = 580, 572
LEFT, TOP, SIDE = 54, 12, 512
"""Of the plot, without a key below it."""
MOST_INSIDE = 5
"""Models whose names stand in the plot; more of them would cover curves."""
_LONGEST_NAME, _LONGEST_BELOW = 22, 16
_ALONG_A_DIRECTION = frozenset({"vertical", "horizontal", "diagonal", "alerts", "cost-direction"})
"""Averages whose area is the mean of the areas, in whichever direction they are taken."""
_ROW, _LINE, _NOTE = 26, 38, 24
_LETTER = 9.6
"""How wide a letter of the key is at most, on a telephone."""


@dataclass(frozen=True)
class Lines:
    """Bold lines with their words in the key: one of every model, or one of every average.

    Attributes
    ----------
    kind : {"models", "averages"}
        What they are of.
    names : sequence of str
        Their whole names.
    words : sequence of str
        In the key, in the order of their looks.
    data : sequence of str
        Path data.
    is_shown : bool
        Whether the page opens with these.
    first_look : int
        The look of the first; the others follow.
    """

    kind: str
    names: Sequence[str]
    words: Sequence[str]
    data: Sequence[str]
    is_shown: bool
    first_look: int = 0


def model_words(mode: Mode, names: Sequence[str]) -> list[str]:
    """The key of an average: every model and its area."""
    short = told_apart(names, _LONGEST_NAME if len(names) <= MOST_INSIDE else _LONGEST_BELOW)
    return [_joined(name, _auc(mode, k)) for k, name in enumerate(short)]


def average_words(modes: Sequence[Mode], model: int) -> list[str]:
    """The key of a model: every average and its area; averages along a direction share theirs."""
    areas = {mode.key: mode.models[model].auc for mode in modes}
    first = next((key for key in areas if key in _ALONG_A_DIRECTION), "")
    words = []
    for mode in modes:
        is_shared = mode.key in _ALONG_A_DIRECTION and mode.key != first
        is_shared = is_shared and bool(np.isclose(areas[mode.key], areas[first], rtol=0, atol=1e-9))
        words.append(_joined(mode.name, "the same AUC" if is_shared else _auc(mode, model)))
    return words


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _auc(mode: Mode, model: int) -> str:
    auc = mode.models[model].auc
    return f"AUC {auc:.3f}" if auc is not None and np.isfinite(auc) else ""


def below_plot(n_models: int) -> int:
    """How much room a key below the plot takes; none for one inside it."""
    return _ROW * -(-n_models // 2) + _NOTE + 8 if n_models > MOST_INSIDE else 0


def key_of(lines: Lines, note: str) -> Markup:
    """A piece of every line with its words, and which average it is."""
    rows, at_note, ground = (_below if _is_below(lines) else _inside)(lines, note)
    drawn = []
    for k, (x, y) in enumerate(rows):
        name, words, own = lines.names[k], lines.words[k], look(lines.first_look + k)
        drawn.append(tag("path", d=f"M{x:.1f} {y:g}h30", class_=f"r-line {own}"))
        said = tag("tspan", words, data_key=k)
        whole = None if words.startswith(name) else tag("title", name)
        drawn.append(tag("text", said, whole, x=x + _LINE, y=y + 5, class_=f"r-word {own}"))
    below = tag("text", note, x=at_note[0], y=at_note[1], class_="ax r-note-words")
    class_ = "r-small-key" if _is_below(lines) else None
    return tag("g", ground, drawn, below, id=f"r-key-{lines.kind}", class_=class_, hidden=not lines.is_shown)


def _is_below(lines: Lines) -> bool:
    return lines.kind == "models" and len(lines.words) > MOST_INSIDE


Places = list[tuple[float, float]]


def _inside(lines: Lines, note: str) -> tuple[Places, tuple[float, float], Markup]:
    """Where the rows and the note stand in the lower right corner, and the ground behind them."""
    height = _ROW * len(lines.words) + _NOTE
    top, right = TOP + SIDE - height - 14, LEFT + SIDE - 6
    longest = max([*map(len, lines.words), 0.9 * len(note) - 3])
    left = min(right - _LINE - _LETTER * longest, LEFT + 0.5 * SIDE)
    ground = tag("rect", x=left - 6, y=top, width=right - left + 6, height=height + 8, class_="r-ground")
    rows = [(left, top + _ROW * (k + 0.5)) for k in range(len(lines.words))]
    return rows, (left, top + height - 2), ground


def _below(lines: Lines, note: str) -> tuple[Places, tuple[float, float], Markup]:
    """The same in two columns under the plot."""
    half = -(-len(lines.words) // 2)
    column = (WIDTH - 6) / 2
    rows = [(6 + column * (k // half), HEIGHT + 8 + _ROW * (k % half + 0.5)) for k in range(len(lines.words))]
    return rows, (6, HEIGHT + _ROW * half + _NOTE), Markup("")
