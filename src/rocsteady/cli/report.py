"""``rocsteady report FILE``: the main job, a table of scores in, the answer out."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import files, options
from rocsteady.cli.classes import finish as finish_classes
from rocsteady.cli.options import (
    ClassColumns,
    Classes,
    Columns,
    Drawn,
    Large,
    Level,
    Minimum,
    OtherRows,
    Rows,
    Shown,
    Use,
)
from rocsteady.cli.runner import Run
from rocsteady.errors import Remedy, fail

if TYPE_CHECKING:
    from rocsteady.study import Study

_ENDINGS = ("html", "htm")
_INSTEAD: dict[str, list[Remedy]] = {
    ".json": ["everything as JSON:  --json > report.json"],
    ".pdf": ["print the page, or draw a figure:  rocsteady plot FILE -o figure.pdf"],
}


@options.command
def report(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    use: Use,
    outputs: Classes,
    drawn: Drawn,
    rows: Rows,
    minimum: Minimum,
    other: OtherRows,
    large: Large,
    shown: Shown,
    output: Annotated[
        Path,
        options.written(
            "Where to write the report. An earlier report there is replaced, another file is not.",
            default=True,
        ),
    ] = Path("report.html"),
    overwrite: Annotated[
        bool, options.flag("Output", "--overwrite", help="Replace a file that is no report.")
    ] = False,
    title: options.Title = "",
    sections: options.Sections = None,
    short: options.Short = False,
    require: options.Require = None,
) -> None:
    """Average, compare and explain the ROC curves in FILE; write a self-contained HTML report.

    If you do not say how the scores will be used (--deploy), you are asked on a terminal; elsewhere all
    averages are shown and none is recommended.
    """
    is_written = not shown.json or _is_typed(context, "output")  # who wants JSON and names no file wants none
    run = Run(context, shown, output=output if is_written else None, endings=(), require=require)
    if is_written:
        _require_page(output, overwrite=overwrite)
        run.overwrite = True  # what may be replaced is
    wanted = None if sections is None else [own.strip() for own in sections.split(",")]
    if wanted is not None:
        _require_sections(wanted, are_of_classes=outputs.outputs is not None)
    if outputs.outputs is not None:
        _require_for_classes(context)
        named = ClassColumns(columns.group, columns.label, columns.repeat, columns.design, rows.on_missing)  # type: ignore[arg-type]
        finish_classes(run, run.class_study(file, named, outputs, drawn, title=title), wanted, short=short)
        return
    if outputs.typed:
        raise fail("RS002.needs-outputs", names=outputs.typed)
    study = run.study(
        file, columns, rows, use=use, drawn=drawn, large=large, cutoff_from=other.cutoff_from, asks=True,
        needs_use=bool(run.requirements), min_per_class=minimum.min_per_class, title=title,
    )  # fmt: skip

    def blocks() -> Any:
        from rocsteady.show.sections import answer

        return [*_answer(answer.make(study)), *_at_the_point(study), *_declare(run, study)]

    def content(_: str) -> bytes:
        from rocsteady.show.report import page_of

        return page_of(study, sections=wanted, short=short).encode("utf-8", errors="replace")

    run.finish(study, blocks=blocks, content=content, in_short=is_written, warned=study.cautions())


def _answer(blocks: Any) -> list[Any]:
    """The sentences: the numbers stand in the table."""
    from rocsteady.show.document import flat
    from rocsteady.text import Text

    return [own for own in flat(blocks) if isinstance(own, Text)]


def _at_the_point(study: Study) -> list[Any]:
    """The table of the operating points; without a declared use there is none to stand at."""
    from rocsteady.show.document import Table
    from rocsteady.show.sections import points

    if study.deployment is None and not study.is_alone:
        return []
    return [own for own in points.make(study) if isinstance(own, Table)][:1]


def _declare(run: Run, study: Study) -> list[Any]:
    """What to type to get one answer, where nobody said how the scores will be used."""
    from rocsteady.show.document import Command
    from rocsteady.text import say

    if run.added():
        return [say("The same without questions:"), Command((*run.typed(), *run.added()))]
    if study.deployment is not None or study.is_alone:
        return []
    ways = [Command((*run.typed(), *own)) for own in run.use.answers()]
    return [say("To get one answer, say whether all {units} share a {threshold}:"), *ways]


def _require_page(path: Path, *, overwrite: bool) -> None:
    """RS054 for another ending, RS055 without a folder, RS003 for something in the way: before the work."""
    from rocsteady.show.report import is_report

    page = path.with_suffix(".html").name if path.name not in ("", "-") else "report.html"
    ways = _INSTEAD.get(path.suffix.casefold(), [])
    files.require_output(path, _ENDINGS, example=page, overwrite=overwrite or is_report(path), ways=ways)


def _require_sections(wanted: list[str], *, are_of_classes: bool) -> None:
    """RS001 for a name that no section has, before a large file is read."""
    from rocsteady.show.report import CLASS_SECTIONS, SECTIONS, section_names

    section_names(wanted, CLASS_SECTIONS if are_of_classes else SECTIONS)


_OF_CLASSES = {own.name for kind in (ClassColumns, Classes, Level, Shown) for own in fields(kind)}
_OF_CLASSES |= {"file", "output", "overwrite", "title", "sections", "short"}


def _require_for_classes(context: typer.Context) -> None:
    """RS002 for options that several classes do not have."""
    names = [str(own.name) for own in context.command.params if own.name not in _OF_CLASSES]
    typed = [f"--{name.replace('_', '-')}" for name in names if _is_typed(context, name)]
    if typed:
        raise fail("RS002.outputs-with", names=typed)


def _is_typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given, and is not merely what is taken without it."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
