"""The options of ``rocsteady report`` that no other command has, and what is typed behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rocsteady.cli import deployment as deploying
from rocsteady.cli.columns import panel_option
from rocsteady.cli.points import places_of
from rocsteady.cli.vocabulary import Words
from rocsteady.cli.writing import require_folder, require_free
from rocsteady.errors import Option, Remedy, fail

if TYPE_CHECKING:
    from rocsteady.report.summary.settings import Place

_DATA = "Data handling"
_UNCERTAINTY = "Uncertainty"
_OUTPUT = "Output"
_NAMED = ("eer", "youden")

AtOption = Annotated[
    list[str] | None,
    deploying.option(
        "--at",
        metavar="POINT",
        help="Operating point to report: fpr=0.05, tpr=0.9, t=0.5, alerts=0.02, eer, youden, ratio=1:2, "
        "cost=1:20. The first that fits the deployment is the declared one. Repeatable.",
    ),
]
LevelOption = Annotated[
    float,
    panel_option("--confidence-level", panel=_UNCERTAINTY, help="Of all intervals.", show_default=True),
]
BootOption = Annotated[
    int,
    panel_option(
        "--boot",
        panel=_UNCERTAINTY,
        metavar="N",
        help="Bootstrap samples of whole groups.",
        show_default=True,
    ),
]
SeedOption = Annotated[
    int, panel_option("--seed", panel=_UNCERTAINTY, help="Of resamples.", show_default=True)
]
MinimumOption = Annotated[
    int,
    panel_option(
        "--min-per-class",
        panel=_DATA,
        metavar="N",
        help="Leave out groups with fewer positives or negatives than this.",
        show_default=True,
    ),
]
FromOption = Annotated[
    str | None,
    panel_option(
        "--cutoff-from",
        panel=_DATA,
        metavar="FILE",
        help="Take thresholds from this file, with the same columns, so that they are not judged on the rows "
        "they were chosen on.",
    ),
]
OutputOption = Annotated[
    Path,
    panel_option(
        "--output",
        "-o",
        panel=_OUTPUT,
        metavar="PATH",
        help="Where to write the report. An earlier report there is replaced, another file is not.",
        show_default=True,
    ),
]
WordsOption = Annotated[
    Words,
    panel_option(
        "--words",
        panel=_OUTPUT,
        help="Vocabulary: ml (TPR, FPR), medical (sensitivity, specificity), biometric (FMR, FNMR, DET).",
        show_default=True,
    ),
]
TitleOption = Annotated[str, panel_option("--title", panel=_OUTPUT, metavar="TEXT", help="Of the page.")]


def require_page(path: Path, *, overwrite: bool) -> None:
    """RS054 for another ending, RS055 without a folder, RS003 for something in the way: before the work."""
    from rocsteady.report.writing import ENDINGS, is_report

    kind = path.suffix.casefold()
    if kind not in ENDINGS:
        instead = {
            ".json": "everything as JSON:  --json > report.json",
            ".pdf": "print the page, or draw a figure:  rocsteady plot FILE -o figure.pdf",
        }
        page = path.with_suffix(".html").name if path.name not in ("", "-") else "report.html"
        ways: list[Remedy] = [Option("output", page), *([instead[kind]] if kind in instead else [])]
        raise fail("RS054.ending", path=path, known=".html", ways=ways)
    require_folder(path)
    require_free(path, overwrite=overwrite or is_report(path))


def places_asked(given: list[str], declared: deploying.Declared) -> list[Place]:
    """The places that were typed, as a report takes them; RS092 for what is none."""
    from rocsteady.places import EVERYWHERE

    return [
        own.kind if own.value is None else own.to_dict()
        for own in places_of(given, declared, among=EVERYWHERE)
    ]


def checked(declared: deploying.Declared, given: list[str]) -> deploying.Declared:
    """What was declared, with its point; what does not fit together is refused before a file is read."""
    deploying.require_deploy(declared)
    if declared.is_half and deploying.can_ask():
        return declared
    declared = deploying.with_point(declared, given)
    if not declared.is_missing:
        declared.deployment()
    return declared
