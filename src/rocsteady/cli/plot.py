"""``rocsteady plot FILE``: a figure of what is in it, ready for a paper or a slide."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocsteady.cli import files, options
from rocsteady.cli.options import Columns, Level, Named, Rows, Shown, SomeModels, Use, costs_of, option
from rocsteady.cli.runner import Run
from rocsteady.cli.smroc import require_probabilities
from rocsteady.errors import fail
from rocsteady.words import number_of

if TYPE_CHECKING:
    from rocsteady.figures.spec import Picture

_FIGURE = "Figure"
_USE = ("deploy", "hold", "weigh", "costs", "prevalence", "method")
_ROC = ("zoom", "log")
_LEVEL = ("confidence_level", "seed")
_USES: dict[str, tuple[str, ...]] = {
    "average": (*_USE, "angle", "at_jumps", *_ROC, *_LEVEL, "at", "band", "no_curves"),
    "curves": (*_ROC, *_LEVEL, "at", "band", "steps"),
    "forest": ("confidence_level",),
    "densities": ("at", "kind"),
    "det": (*_USE, "angle", "at_jumps", *_LEVEL, "at", "zoom", "no_curves"),
    "cost": ("costs", "prevalence"),
    "precision-recall": (),
    "difference": (*_USE, *_LEVEL),
    "winners": (*_USE, *_LEVEL),
    "cross-auc": _LEVEL,
    "points": ("at", "costs", "prevalence", "confidence_level"),
    "cutoffs": ("at", "costs", "prevalence", "weigh", *_LEVEL),
    "readers": (*_LEVEL, "standalone"),
    "smroc": ("mid", "confidence_level"),
}
"""Options that are about some figures only."""
_INSTEAD = {
    ("det", "log"): "its axes are wide where rates are small already; up to a rate:  --zoom 5%",
    ("cost", "at"): "where the costs lie:  --costs 1:20 --prevalence 0.03",
    ("precision-recall", "at"): "with both rates:  --figure curves",
    ("readers", "at"): "in numbers:  rocsteady compare --measure tpr@fpr=0.1",
}
_INCHES = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1.0}
_NARROWEST, _WIDEST, _COARSEST, _FINEST = 5.0, 100.0, 50, 2400  # centimetres; dots per inch
_PAPER, _SLIDE, _SMALLEST = 8.0, 16.0, 4.0  # points


@dataclass(frozen=True)
class Look:
    """What is drawn, and how."""

    figure: Annotated[
        str,
        option(
            _FIGURE,
            "--figure",
            "-f",
            metavar="NAME",
            show_default=True,
            autocompletion=lambda incomplete: [own for own in _USES if own.startswith(incomplete)],
            help="average (of the curves of all groups), curves (of every group), forest (AUC of every "
            "group), densities (of the scores, with the curve), det, cost, precision-recall, smroc; "
            "difference and winners (models against each other), readers (a reader study, with --case); "
            "cross-auc (do scores mean the same in all groups?), points (operating points), cutoffs.",
        ),
    ] = "average"
    no_curves: Annotated[
        bool, options.flag(_FIGURE, "--no-curves", help="Without the faint curves of single groups.")
    ] = False
    zoom: Annotated[
        str | None,
        option(
            _FIGURE,
            "--zoom",
            metavar="FPR[,TPR]",
            help="Show false positive rates up to this: 0.2, or 20%. With a comma: true ones from there on.",
        ),
    ] = None
    log: Annotated[bool, options.flag(_FIGURE, "--log", help="False positive rates on a log scale.")] = False
    kind: Annotated[
        Literal["mirrored", "overlaid", "smooth"],
        option(
            _FIGURE,
            "--kind",
            show_default=True,
            help="With --figure densities: positives up and negatives down, bars over each other, or smooth "
            "densities over each other; over each other, up to five groups have a plot each.",
        ),
    ] = "mirrored"
    steps: Annotated[
        bool,
        options.flag(
            _FIGURE,
            "--steps",
            help="With --figure curves: steps of one curve as arrows, each with its score; for few cases.",
        ),
    ] = False
    standalone: Annotated[
        str | None,
        option(
            _FIGURE,
            "--standalone",
            metavar="MODEL",
            help="With --figure readers: a model that scored each case once (AI, CAD), beside the readers.",
        ),
    ] = None
    title: Annotated[str, option(_FIGURE, "--title", metavar="TEXT", help="Above the axes.")] = ""
    size: Annotated[
        str,
        option(
            _FIGURE,
            "--size",
            metavar="SIZE",
            show_default=True,
            help="column (of a journal: 8.5 cm for each panel, text of 8 points), slide (all twice as "
            "large), or the width of the figure: 12cm (text of 8 points, smaller if it would not fit).",
        ),
    ] = "column"
    band: Annotated[
        Literal["both", "pointwise", "simultaneous", "prediction", "none"] | None,
        option(
            "Uncertainty",
            "--band",
            help="Around curves: pointwise (each point by itself), simultaneous (the whole curve), both "
            "(the default for one or two averages; for more, pointwise), none; of an average also "
            "prediction (one more group).",
        ),
    ] = None
    dpi: Annotated[int, option("Output", "--dpi", help="Dots per inch of a .png.", show_default=True)] = 300

    def view(self) -> float | tuple[float, float] | None:
        """``0.2`` or ``20%``, or that and the lowest TPR; RS042 if it is none."""
        if self.zoom is None:
            return None
        numbers = [number_of(part, may_be_percent=True) for part in self.zoom.split(",")]
        bottom = numbers[1] if len(numbers) == 2 else 0.0
        if len(numbers) > 2 or not (0 < numbers[0] <= 1 and 0 <= bottom < 1):
            where = "the largest FPR in view, or that and the smallest TPR"
            ways = ["--zoom 0.2", "--zoom 0.2,0.5"]
            raise fail("RS042", name="--zoom", where=where, found=self.zoom, ways=ways)
        return numbers[0] if len(numbers) == 1 else (numbers[0], bottom)

    def text_and_width(self) -> tuple[float, float | None]:
        """Points of text and inches of the figure, None where its panels say; RS042 for no size.

        >>> Look(size="slide").text_and_width(), Look(size="127mm").text_and_width()
        ((16.0, None), (8.0, 5.0))
        """
        if self.size in ("column", "slide"):
            return (_PAPER if self.size == "column" else _SLIDE), None
        match = re.fullmatch(r"([\d.]+) ?(cm|mm|in)", self.size.strip())
        width = number_of(match[1], may_be_percent=False) * _INCHES[match[2]] if match else math.nan
        if not _NARROWEST <= round(width * 2.54, 6) <= _WIDEST:
            where = f"column, slide or a width from {_NARROWEST} to {_WIDEST} cm"
            ways = ["--size column", "--size 12cm"]
            raise fail("RS042", name="--size", where=where, found=self.size, ways=ways)
        return _PAPER, width

    def require_usable(self) -> None:
        """RS042 for what is out of range, RS061 without Matplotlib, before a large file is read."""
        self.view()
        self.text_and_width()
        if not _COARSEST <= self.dpi <= _FINEST:
            where = f"a whole number from {_COARSEST} to {_FINEST}"
            raise fail("RS042", name="--dpi", where=where, found=self.dpi, ways=["--dpi 300"])
        try:
            import matplotlib.figure  # noqa: F401
        except ImportError as error:
            raise fail("RS061.matplotlib") from error


@options.command
def plot(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    rows: Rows,
    look: Look,
    models: SomeModels,
    use: Use,
    named: Named,
    drawn: Level,
    shown: Shown,
    angle: options.Angle = None,
    mid: options.Mid = None,
    output: Annotated[
        Path | None,
        options.written(
            "Where to write the figure, as the ending says: .png, .pdf or .svg. Without it: "
            "NAME_FIGURE.png here, after FILE and the figure."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Draw what is in FILE: averages of ROC curves with their bands, or another --figure.

    Models are named by a column (-m), or have a column of scores each (-s old -s new).
    """
    figure = _figure_of(look.figure)
    _refuse_useless(figure, context)
    output = output or _usual_name(file, figure)
    run = Run(
        context,
        _spoken(shown, figure, context),
        output=output,
        endings=files.FIGURES,
        example="figure.pdf",
        overwrite=overwrite,
        is_slow=True,
    )
    look.require_usable()
    method = named.average(use, angle)
    places = [own for own in use.places() if own.kind != "closest" or figure == "cutoffs"]
    needs_use = figure in ("average", "det") and method is None
    at_mid = options.mid_of(mid) if mid is not None or figure != "smroc" else "paper"
    if look.standalone is not None and models.models:
        models = replace(models, models=[*models.names(), look.standalone])
    study = run.study(
        file,
        columns,
        rows,
        use=_of(figure, use),
        drawn=drawn,
        models=models,
        asks=needs_use,
        needs_use=needs_use,
        at=places,
        mid=at_mid,
    )
    from rocsteady.figures import studies

    wish = studies.Drawn(
        method=method or (named.with_jumps(study.method) if named.at_jumps else None),
        curves=not look.no_curves,
        band=look.band,
        zoom=look.view(),
        xscale="log" if look.log else "linear",
        steps=look.steps,
        kind=look.kind,
        standalone=look.standalone,
        costs=costs_of(use.costs),
        prevalence=use.share,
    )
    with run.working("Drawing"), study.catching():
        if figure == "smroc":
            require_probabilities(study)
        picture = studies.picture(study, figure, wish, look.title)

    def content(kind: str) -> bytes:
        with _letters_missing(run, kind):
            return _rendered(picture, look, kind, run.words)

    from rocsteady.text import Quote, phrase

    run.finish(
        study,
        data=lambda: _facts(study.to_dict("check"), figure, output, study.models, wish.method),
        blocks=lambda: [phrase("Drawn: {what}.", what=picture.description or Quote(figure))],
        content=content,
        warned=study.cautions(wish.method)
        if needs_use or method
        else [own.warning for own in study.check.findings],
    )


def _figure_of(text: str) -> str:
    """The figure of this name; RS001 if there is none, with what the library calls it turned into ours."""
    from rocsteady.figures.studies import IN_PYTHON
    from rocsteady.options import one_of

    return one_of("figure", text, tuple(_USES), elsewhere=IN_PYTHON)


def _refuse_useless(figure: str, context: typer.Context) -> None:
    """RS002 if an option was typed that the figure has no use for: it would be ignored without a word."""
    for name in dict.fromkeys(name for names in _USES.values() for name in names):
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE" or name in _USES[figure]:
            continue
        others = [own for own, names in _USES.items() if name in names]
        ways = [_INSTEAD[figure, name]] if (figure, name) in _INSTEAD else []
        option = f"--{name.replace('_', '-')}"
        raise fail("RS002.figure", option=option, figure=figure, others=others, ways=ways)


def _spoken(shown: Shown, figure: str, context: typer.Context) -> Shown:
    """Reader studies are spoken of in medical words unless said."""
    source = context.get_parameter_source("words")
    is_said = source is not None and source.name == "COMMANDLINE"
    return replace(shown, words="medical") if figure == "readers" and not is_said else shown


def _of(figure: str, use: Use) -> Use:
    """Cut-offs, also through densities, and points are those of one threshold for all, as in ``cutoff``."""
    return replace(use, deploy="shared") if figure in ("points", "cutoffs", "densities") else use


def _usual_name(file: str, figure: str) -> Path:
    stem = "scores" if file == "-" else Path(file).name.split(".")[0] or "scores"
    return Path(f"{stem}_{figure.replace('-', '_')}.png")


def _rendered(picture: Picture, look: Look, kind: str, words: Any) -> bytes:
    """The file, as large as was asked; RS042 for a width at which nobody could read the text."""
    from rocsteady.figures.matplotlib import figure, rendered

    text, width = look.text_and_width()
    if width is not None and width < picture.width:
        text = _PAPER * width / picture.width
        if text < _SMALLEST:
            usual = 2.54 * picture.width
            narrowest = math.ceil(usual * _SMALLEST / _PAPER)
            raise fail("RS042.narrow", points=text, usual=usual, narrowest=narrowest)
    elif width is not None:
        picture = replace(picture, width=width)
    return rendered(figure(picture, words, text_size=text), kind, dpi=look.dpi)


_MISSING = re.compile(r"Glyph (\d+) .*missing from")


@contextmanager
def _letters_missing(run: Run, kind: str) -> Iterator[None]:
    """Say which letters Matplotlib has no shape for; in an SVG text stays text. Other warnings are issued."""
    missing: list[str] = []
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        yield
    for own in met:
        match = _MISSING.match(str(own.message))
        if match is None:
            warnings.warn_explicit(own.message, own.category, own.filename, own.lineno)
        elif chr(int(match[1])) not in missing:
            missing.append(chr(int(match[1])))
    if missing and kind != "svg" and not run.is_silent:
        from rocsteady.cli.console import say
        from rocsteady.show.sentences import commands

        say(commands.lacks_letters(missing), run.words)


def _facts(data: dict[str, Any], figure: str, output: Path, models: Any, method: Any) -> dict[str, Any]:
    return data | {
        "figure": figure,
        "output": str(output),
        "models": list(models),
        "method": None if method is None else str(method),
    }
