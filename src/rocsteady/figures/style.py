"""How figures look: one colour, dash and marker for each model, in all figures and in both backends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from rocsteady.text import Model

COLUMN = 8.5 / 2.54
"""Inches: one column of a journal, where text has 8 points."""
TEXT_SIZE = 8.0
MOST_FAINT = 300
"""Faint curves in one figure; of more, so many are drawn, evenly chosen in their order."""


@dataclass(frozen=True)
class Look:
    """How one of several models, curves or groups is drawn: it differs from the others by more than colour.

    Attributes
    ----------
    name : str
        The class of the SVG's elements: ``s-0`` for lines, ``f-0`` for areas, ``t-0`` for words.
    colour, text, dark : str
        Of lines and areas; of words, dark enough to be read; of both on a dark ground.
    dash : tuple of float
        Lengths of dashes and gaps, in widths of the line.
    marker : {"o", "s", "D", "^", "v", "P", "X"}
    hatch : str
        Of areas that stand side by side, as in Matplotlib.
    """

    name: str
    colour: str
    text: str
    dark: str
    dash: tuple[float, ...] = ()
    marker: str = "o"
    hatch: str = ""

    def plain(self) -> Look:
        """The same colour without a dash."""
        return replace(self, dash=())


# Okabe and Ito's colours, which colour-blind readers can distinguish; those too light on white, darker.
LOOKS = (
    Look("0", "#0072B2", "#0072B2", "#56A8E0", (), "o", ""),
    Look("1", "#D55E00", "#B34F00", "#F08A3C", (3.2, 1.4), "s", "////"),
    Look("2", "#009E73", "#00735A", "#35C49A", (4, 1.2, 1, 1.2), "D", "...."),
    Look("3", "#BF6598", "#9A4475", "#E3A3C8", (1, 1), "^", "xxxx"),
    Look("4", "#B37600", "#825800", "#F2BC4B", (6, 1), "v", "\\\\\\\\"),
    Look("5", "#4A5D00", "#4A5D00", "#D0DF5C", (2, 1, 2, 1, 0.6, 1), "P", "++++"),
)
"""Of each model in turn."""
INK = Look("ink", "#000000", "#000000", "#FFFFFF", (), "X")
"""Axes, words, what belongs to no model."""
QUIET = Look("quiet", "#595959", "#595959", "#BFBFBF", (), "o")
"""Words that only explain, lines in the background."""
GUIDE = Look("guide", "#999999", "#767676", "#8C8C8C", (1, 1.65), "o")
"""Lines to compare with: chance, no difference."""
ACCENT = LOOKS[1]
"""What is pointed at, where only one model is drawn."""
GROUND = Look("ground", "#FFFFFF", "#FFFFFF", "#000000")
"""The ground itself: open markers, edges of markers."""

Hue: TypeAlias = "Look | Model"
"""A look, or the model whose look it is: models keep theirs in all figures."""
ALPHAS = {"pointwise": 0.20, "simultaneous": 0.10, "prediction": 0.08}
"""Of bands, by what they hold."""
