"""The options of ``rocsteady plot`` that no other command has, and what is typed behind them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from rocsteady.cli.columns import panel_option
from rocsteady.cli.compare.files import FIGURES as FORMATS
from rocsteady.cli.model_names import names_of
from rocsteady.cli.writing import require_folder
from rocsteady.errors import fail
from rocsteady.words import number_of

_FIGURE = "Figure"
_UNCERTAINTY = "Uncertainty"
_OUTPUT = "Output"
_INCHES = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1.0}
_NARROWEST, _WIDEST = 5.0, 100.0  # centimetres
_COARSEST, _FINEST = 50, 2400  # dots per inch
_SLIDE_TEXT = 16.0
_TABLES = ("csv", "json", "parquet")


class FigureName(StrEnum):
    """What is drawn."""

    AVERAGE = "average"
    CURVES = "curves"
    FOREST = "forest"
    DENSITIES = "densities"
    DET = "det"
    COST = "cost"
    PRECISION_RECALL = "precision-recall"
    DIFFERENCE = "difference"
    WINNERS = "winners"
    CROSS_AUC = "cross-auc"
    POINTS = "points"
    CUTOFFS = "cutoffs"
    READERS = "readers"


_IN_PYTHON = {
    "roc": "curves",
    "averages": "average",
    "cost_curve": "cost",
    "precision_recall": "precision-recall",
    "winner_map": "winners",
    "cross_auc": "cross-auc",
    "operating_points": "points",
    "reader_values": "readers",
    "reader_curves": "readers",
}
"""Names of ``rs.plot`` that are others here."""


class BandChoice(StrEnum):
    """Which bands are drawn around an average."""

    BOTH = "both"
    POINTWISE = "pointwise"
    SIMULTANEOUS = "simultaneous"
    PREDICTION = "prediction"
    NONE = "none"


class Words(StrEnum):
    """What a field calls the rates."""

    ML = "ml"
    MEDICAL = "medical"
    BIOMETRIC = "biometric"


FigureOption = Annotated[
    str,
    panel_option(
        "--figure",
        "-f",
        panel=_FIGURE,
        metavar="NAME",
        help="average (of the curves of all groups), curves (of every group), forest (AUC of every group), "
        "densities (of the scores, with the curve), det, cost, precision-recall; difference and winners "
        "(models against each other), readers (a reader study, with --case); cross-auc (do scores mean the "
        "same in all groups?), points (operating points), cutoffs.",
        show_default=True,
        autocompletion=lambda incomplete: [own for own in FigureName if own.startswith(incomplete)],
    ),
]
ModelsOption = Annotated[
    list[str] | None,
    panel_option(
        "--models",
        panel=_FIGURE,
        metavar="A,B",
        help="The models to draw, in this order; all unless said. Names with commas: each with its own "
        "--models.",
    ),
]
BandOption = Annotated[
    BandChoice | None,
    panel_option(
        "--band",
        panel=_UNCERTAINTY,
        metavar="KIND",
        help="Around curves: pointwise (each point by itself), simultaneous (the whole curve), both (the "
        "default for one or two averages; for more, pointwise), none; of an average also prediction (one "
        "more group).",
    ),
]
AtOption = Annotated[
    list[str] | None,
    panel_option(
        "--at",
        panel=_FIGURE,
        metavar="POINT",
        help="Point to mark: fpr=0.05, tpr=0.9, t=0.5; of an average also alerts=0.02, eer, ratio=1:2, "
        "cost=1:20; cut-offs are chosen by youden, closest, eer, fpr=, tpr= or cost=. Repeatable.",
    ),
]
NoCurvesOption = Annotated[
    bool,
    panel_option("--no-curves", panel=_FIGURE, metavar="", help="Without the faint curves of single groups."),
]
ZoomOption = Annotated[
    str | None,
    panel_option(
        "--zoom",
        panel=_FIGURE,
        metavar="FPR[,TPR]",
        help="Show false positive rates up to this: 0.2, or 20%. With a comma: true ones from there on.",
    ),
]
LogOption = Annotated[
    bool,
    panel_option("--log", panel=_FIGURE, metavar="", help="False positive rates on a log scale."),
]
WordsOption = Annotated[
    Words | None,
    panel_option(
        "--words",
        panel=_FIGURE,
        help="What the rates are called: ml (TPR, FPR; the default), medical (sensitivity, specificity; the "
        "default for readers), biometric (FMR, FNMR).",
    ),
]
StandaloneOption = Annotated[
    str | None,
    panel_option(
        "--standalone",
        panel=_FIGURE,
        metavar="MODEL",
        help="With --figure readers: a model that scored each case once (AI, CAD), beside the readers.",
    ),
]
TitleOption = Annotated[str, panel_option("--title", panel=_FIGURE, metavar="TEXT", help="Above the axes.")]
SizeOption = Annotated[
    str,
    panel_option(
        "--size",
        panel=_FIGURE,
        metavar="SIZE",
        help="column (of a journal: 8.5 cm for each panel, text of 8 points), slide (all twice as large), or "
        "the width of the figure: 12cm (text of 8 points, smaller if it would not fit).",
        show_default=True,
    ),
]
LevelOption = Annotated[
    float,
    panel_option("--confidence-level", panel=_UNCERTAINTY, help="Of bands and intervals.", show_default=True),
]
SeedOption = Annotated[
    int, panel_option("--seed", panel=_UNCERTAINTY, help="Of resamples.", show_default=True)
]
OutputOption = Annotated[
    Path | None,
    panel_option(
        "--output",
        "-o",
        panel=_OUTPUT,
        metavar="PATH",
        help="Where to write the figure, as the ending says: .png, .pdf or .svg. Without it: NAME_FIGURE.png "
        "here, after FILE and the figure.",
    ),
]
DpiOption = Annotated[
    int, panel_option("--dpi", panel=_OUTPUT, help="Dots per inch of a .png.", show_default=True)
]


def figure_of(text: str) -> FigureName:
    """The figure of this name; RS001 if there is none, with what the library calls it turned into ours."""
    from rocsteady.options import one_of

    return FigureName(one_of("figure", text, [own.value for own in FigureName], elsewhere=_IN_PYTHON))


@dataclass(frozen=True)
class Size:
    """How large text is, in points; how wide the figure, in inches, unless its panels say."""

    text: float
    width: float | None = None


def size_of(text: str) -> Size:
    """``column``, ``slide`` or a width; RS042 if it is none.

    >>> size_of("slide"), size_of("127mm")
    (Size(text=16.0, width=None), Size(text=8.0, width=5.0))
    """
    if text in ("column", "slide"):
        return Size(8.0 if text == "column" else _SLIDE_TEXT)
    match = re.fullmatch(r"([\d.]+) ?(cm|mm|in)", text.strip())
    width = number_of(match[1], may_be_percent=False) * _INCHES[match[2]] if match else math.nan
    if not _NARROWEST <= round(width * 2.54, 6) <= _WIDEST:
        where = f"column, slide or a width from {_NARROWEST:g} to {_WIDEST:g} cm"
        ways = ["--size column", "--size 12cm"]
        raise fail("RS042", name="--size", where=where, found=text, ways=ways)
    return Size(8.0, width)


def zoom_of(text: str | None) -> float | tuple[float, float] | None:
    """``0.2`` or ``20%``, or that and the lowest TPR; RS042 if it is none."""
    if text is None:
        return None
    numbers = [number_of(part, may_be_percent=True) for part in text.split(",")]
    bottom = numbers[1] if len(numbers) == 2 else 0.0
    if len(numbers) > 2 or not (0 < numbers[0] <= 1 and 0 <= bottom < 1):
        where = "the largest FPR in view, or that and the smallest TPR"
        ways = ["--zoom 0.2", "--zoom 0.2,0.5"]
        raise fail("RS042", name="--zoom", where=where, found=text, ways=ways)
    return numbers[0] if len(numbers) == 1 else (numbers[0], bottom)


def models_of(given: list[str] | None, known: Sequence[str] = ()) -> tuple[str, ...]:
    """``a,b`` as names, each once; none for all. RS042 for an empty one."""
    names = names_of(given, known)
    if not all(names):
        where, found = "names with a comma between them", ", ".join(given or [])
        ways = ["all of them: leave out  --models"]
        raise fail("RS042", name="--models", where=where, found=found, ways=ways)
    return tuple(dict.fromkeys(names))


def require_dpi(dpi: int) -> None:
    """RS042 for dots that nobody sees, or that fill the memory."""
    if not _COARSEST <= dpi <= _FINEST:
        where = f"a whole number from {_COARSEST} to {_FINEST}"
        raise fail("RS042", name="--dpi", where=where, found=dpi, ways=["--dpi 300"])


def output_of(output: Path | None, file: str, figure: FigureName) -> Path:
    """Where the figure goes; RS054 for an unknown ending, RS055 where there is no folder."""
    if output is None:
        stem = "scores" if file == "-" else Path(file).name.split(".")[0] or "scores"
        return Path(f"{stem}_{figure.value.replace('-', '_')}.png")
    if kind_of(output) not in FORMATS:
        ways = ["--output figure.pdf"]
        ways += ["the points of the curve:  rocsteady average"] if kind_of(output) in _TABLES else []
        raise fail("RS054.ending", path=output, known=", ".join(f".{own}" for own in FORMATS), ways=ways)
    require_folder(output)
    return output


def kind_of(output: Path) -> str:
    """What the ending of a file says."""
    return output.suffix.removeprefix(".").casefold()
