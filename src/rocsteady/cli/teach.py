"""``rocsteady teach FILE``: a lesson on ROC curves from one's own data, with SPSS's tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import options
from rocsteady.cli.files import table_bytes
from rocsteady.cli.options import Columns, Drawn, Rows, Shown, SomeModels, Use
from rocsteady.cli.runner import Run

if TYPE_CHECKING:
    from rocsteady.show.sections.spss import Lesson

_ENDINGS = ("csv", "json", "parquet", "html")


@options.command
def teach(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    rows: Rows,
    models: SomeModels,
    drawn: Drawn,
    shown: Shown,
    at: Annotated[
        list[str] | None,
        options.option(
            "Lesson",
            "--at",
            metavar="POINT",
            help="The cut-off of the 2 x 2 table: youden (unless said), t=0.76, fpr=5%, sensitivity=90%, "
            "closest, eer. Repeatable.",
        ),
    ] = None,
    decimals: Annotated[
        int,
        options.option(
            "Lesson",
            "--decimals",
            metavar="N",
            show_default=True,
            help="Of the scores in SPSS's Variable View; its tables print cut-offs and means with two more.",
        ),
    ] = 2,
    title: options.Title = "",
    output: Annotated[
        Path | None,
        options.written(
            "Write it to a file too, as its ending says: .html, the lesson as a page with its pictures; .csv "
            "or .parquet, every step of the curve with SPSS's cut-off beside it; .json, all numbers."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Teach ROC curves from FILE: SPSS's tables, the curve step by step, the 2 x 2 table with totals.

    FILE is one dataset. Columns are called in the tables as they are in the file.
    """
    run = Run(context, shown, output=output, endings=_ENDINGS, example="lesson.html", overwrite=overwrite)
    use = Use(at=at)
    study = run.study(
        file,
        columns,
        rows,
        models=models,
        drawn=drawn,
        at=use.places(task="choose a cut-off") or ["youden"],
        title=title,
    )
    from rocsteady.show.sections.spss import Lesson

    chosen = study.scores.columns_chosen
    label = columns.label or chosen.get("label", "")
    scores = columns.score or [chosen.get("score", "")]
    lesson = Lesson(
        study, label, tuple(scores if len(scores) == len(study.models) else study.models), decimals
    )
    run.finish(
        study,
        data=lambda: study.to_dict("check") | {"lessons": _facts(lesson)},
        blocks=lesson.blocks,
        content=lambda kind: _page(lesson) if kind == "html" else table_bytes(_table(lesson), kind),
    )


def _page(lesson: Lesson) -> bytes:
    from rocsteady.show.html import page
    from rocsteady.show.report import meta_of, title_of

    study = lesson.study
    return page(title_of(study), meta_of(study), list(lesson.sections()), study.words).encode()


def _facts(lesson: Lesson) -> dict[str, Any]:
    """Every table of every model, with the 2 x 2 table at each place."""
    from rocsteady.results import plain

    study = lesson.study
    return {
        model: plain(
            {
                "spss": lesson.spss(model),
                "construction": study.construction(model),
                "two_by_two": [
                    {"at": own.to_dict(), "table": study.two_by_two(model, own)} for own in study.places
                ],
            }
        )
        for model in study.models
    }


def _table(lesson: Lesson) -> dict[str, list[Any]]:
    """A row for each step, strictest first: SPSS's cut-off, the score, and the counts."""
    made: dict[str, list[Any]] = {}
    for model in lesson.study.models:
        found, printed = lesson.study.construction(model), lesson.spss(model).coordinates
        order = slice(None, None, -1 if found.higher_is_positive else 1)  # SPSS begins with the lowest
        columns = {"cutoff": printed.cutoffs[order].tolist()}
        columns |= {name: own.tolist() for name, own in found._columns().items()}
        if len(lesson.study.models) > 1:
            columns = {"model": [model] * found.thresholds.size} | columns
        for name, own in columns.items():
            made.setdefault(name, []).extend(own)
    return made
