"""What was asked of ``rocsteady plot``, and which options each figure has a use for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.averages import Weights
from rocsteady.cli.deployment import Declared
from rocsteady.cli.plot.options import BandChoice, FigureName, Size
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.methods import Method

_DEPLOYMENT = ("deploy", "hold", "weigh", "costs", "prevalence", "method")
_AVERAGE = (*_DEPLOYMENT, "angle", "at_jumps", "group_weights")
_ROC = ("zoom", "log", "words")
_CUTOFF = ("at", "costs", "prevalence", "words")
_RESAMPLED = ("confidence_level", "seed")
_USES: dict[FigureName, tuple[str, ...]] = {
    FigureName.AVERAGE: (*_AVERAGE, *_ROC, *_RESAMPLED, "at", "band", "no_curves"),
    FigureName.CURVES: (*_ROC, *_RESAMPLED, "at", "band"),
    FigureName.FOREST: ("confidence_level",),
    FigureName.DENSITIES: ("at", "words"),
    FigureName.DET: (*_AVERAGE, *_RESAMPLED, "at", "zoom", "words"),
    FigureName.COST: ("costs", "prevalence"),
    FigureName.PRECISION_RECALL: ("words",),
    FigureName.DIFFERENCE: (*_DEPLOYMENT, *_RESAMPLED, "words"),
    FigureName.WINNERS: (*_DEPLOYMENT, *_RESAMPLED, "words"),
    FigureName.CROSS_AUC: _RESAMPLED,
    FigureName.POINTS: (*_CUTOFF, "confidence_level"),
    FigureName.CUTOFFS: (*_CUTOFF, *_RESAMPLED, "weigh"),
    FigureName.READERS: (*_RESAMPLED, "standalone", "words"),
}
_INSTEAD: dict[tuple[FigureName, str], str] = {
    (FigureName.DET, "log"): "its axes are wide where rates are small already; up to a rate:  --zoom 5%",
    (FigureName.DET, "band"): "of a point with its interval:  --at fpr=0.1%",
    (FigureName.COST, "at"): "where the costs lie:  --costs 1:20 --prevalence 0.03",
    (FigureName.PRECISION_RECALL, "at"): "with both rates:  --figure curves",
    (FigureName.READERS, "at"): "in numbers:  rocsteady compare --measure tpr@fpr=0.1",
}
"""What the figure that was asked for has instead of an option."""
OF_ONE_FIGURE = tuple(dict.fromkeys(name for names in _USES.values() for name in names))
"""Options that are about some figures only."""
AVERAGES = (FigureName.AVERAGE, FigureName.DET)
"""Figures of an average, so that how scores will be used must be said."""


@dataclass(frozen=True)
class Asked:
    """What is drawn, and how.

    Attributes
    ----------
    figure : FigureName
        Which figure.
    models : tuple of str
        Those that are drawn; none for all.
    at : tuple of str
        Points, as they were typed.
    declared, deployment, method
        How scores will be used, as typed and as a value; the average.
    band : BandChoice or None
        None for the usual one of the figure.
    words : str or None
        The vocabulary; None for the usual one of the figure.
    """

    figure: FigureName
    models: tuple[str, ...]
    at: tuple[str, ...]
    declared: Declared
    deployment: Deployment | None
    method: Method | None
    group_weights: Weights | None
    band: BandChoice | None
    has_curves: bool
    zoom: Any
    is_log: bool
    words: str | None
    standalone: str | None
    title: str
    size: Size
    confidence_level: float
    seed: int

    @property
    def look(self) -> dict[str, Any]:
        """What every figure takes."""
        return {"title": self.title, "text_size": self.size.text}

    @property
    def vocabulary(self) -> dict[str, Any]:
        """The words, if they were said."""
        return {} if self.words is None else {"words": self.words}

    @property
    def roc(self) -> dict[str, Any]:
        """What figures of ROC curves take."""
        return {"zoom": self.zoom, "xscale": "log" if self.is_log else "linear", **self.vocabulary}


def refuse_useless(figure: FigureName, typed: Iterable[str]) -> None:
    """RS002 if an option was typed that the figure has no use for: it would be ignored without a word."""
    for name in typed:
        if name in OF_ONE_FIGURE and name not in _USES[figure]:
            option = f"--{name.replace('_', '-')}"
            others = [own.value for own, names in _USES.items() if name in names]
            ways = [_INSTEAD[figure, name]] if (figure, name) in _INSTEAD else []
            raise fail("RS002.figure", option=option, figure=figure.value, others=others, ways=ways)
