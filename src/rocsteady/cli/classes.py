"""``rocsteady classes FILE``: several classes, their errors, and the class weights that keep these small."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import files, options
from rocsteady.cli.files import table_bytes
from rocsteady.cli.options import ClassColumns, Classes, Level, Shown
from rocsteady.cli.runner import Run

if TYPE_CHECKING:
    from rocsteady.class_study import ClassStudy
    from rocsteady.show.document import Block

PAGES = ("html", "htm")


@options.command
def classes(
    context: typer.Context,
    file: options.File,
    columns: ClassColumns,
    outputs: Classes,
    level: Level,
    shown: Shown,
    output: Annotated[
        Path | None,
        options.written(
            "Write a page with everything (.html), or the numbers of every class (.csv, .json, .parquet). "
            "Columns: nested_error is that of weights chosen on other folds, equal_... those of equal "
            "weights, decided_... count the cases of the class by the class decided for."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    title: options.Title = "",
    sections: options.ClassSections = None,
    short: options.Short = False,
) -> None:
    """Several classes: errors of every class, the class weights that keep the largest small, confusions, AUC.

    Each case is decided for the class with the largest product of output and class weight. Weights are
    searched (--class-weights gives them, --at-most limits the error of a class); the error to expect on new
    cases is that of folds under weights that were chosen without them.
    """
    from rocsteady.show.report import CLASS_SECTIONS, is_report, section_names

    is_page = output is not None and output.suffix.casefold().removeprefix(".") in PAGES
    may_replace = overwrite or (is_page and output is not None and is_report(output))
    endings = (*PAGES, *files.TABLES)
    run = Run(context, shown, output=output, endings=endings, example="classes.html", overwrite=may_replace)
    wanted = None if sections is None else [own.strip() for own in sections.split(",")]
    section_names(wanted, CLASS_SECTIONS)  # refuses an unknown one before a large file is read
    finish(run, run.class_study(file, columns, outputs, level, title=title), wanted, short=short)


def finish(run: Run, study: ClassStudy, wanted: list[str] | None, *, short: bool) -> None:
    """Print the answer, write the page or the numbers."""

    def content(kind: str) -> bytes:
        from rocsteady.show.report import page_of

        if kind in ("csv", "parquet"):
            return table_bytes(_table(study), kind)
        return page_of(study, sections=wanted, short=short).encode("utf-8", errors="replace")

    warned = [own.warning for own in study.check.findings]
    run.finish(
        study, blocks=lambda: _blocks(study), quiet_blocks=lambda: _weights(study), content=content,
        warned=warned, in_short=run.output is not None,
    )  # fmt: skip


def _blocks(study: ClassStudy) -> list[Block]:
    """The answer, the errors, the mistakes and the search, without figures and what is folded."""
    from rocsteady.show.document import Figure, Fold, Own, flat
    from rocsteady.show.sections import classes as section

    made = (section.answer, section.errors, section.confusion, section.search, section.areas)
    blocks = [own for make in made for own in make(study) if not isinstance(own, Fold | Own)]
    return [own for own in flat(blocks) if not isinstance(own, Figure)]


def _weights(study: ClassStudy) -> list[Block]:
    """The weights in use, each as ``--class-weights`` takes it."""
    from rocsteady.text import Quote, joined

    pairs = zip(study.class_words, study.weights.tolist(), strict=True)
    return [joined((Quote(f"{name}={weight!r}") for name, weight in pairs), between="\n")]


def _table(study: ClassStudy) -> dict[str, list[Any]]:
    """A row for every class."""
    from rocsteady.class_study import CHOSEN, EQUAL

    found, limits, matrix = study.errors, study.error_intervals, study.confusion()
    nested = None if study.given is not None else study.search.nested
    low, high = study.part_intervals("one-versus-rest")
    table: dict[str, Any] = {
        "class": list(study.class_words),
        "cases": study.scores.class_counts.sum(axis=0).tolist(),
        "weight": study.weights,
        "error": found.stacked[CHOSEN],
        "error_mean": found.mean[CHOSEN],
        "error_standard_error": found.standard_error[CHOSEN],
        "error_mean_low": limits.low[CHOSEN],
        "error_mean_high": limits.high[CHOSEN],
        "nested_error": [None] * len(study.classes) if nested is None else nested.stacked,
        "equal_error": found.stacked[EQUAL],
        "equal_error_mean": found.mean[EQUAL],
        "equal_error_standard_error": found.standard_error[EQUAL],
        "recall": matrix.recall,
        "precision": matrix.precision,
        "auc": study.auc("one-versus-rest").parts,
        "auc_low": low,
        "auc_high": high,
    }
    table |= {f"decided_{name}": matrix.counts[:, c] for c, name in enumerate(study.class_words)}
    return {name: own.tolist() if hasattr(own, "tolist") else own for name, own in table.items()}
