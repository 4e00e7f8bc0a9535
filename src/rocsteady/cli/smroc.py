"""``rocsteady smroc FILE``: smAUC of every model with interval and permutation, models compared by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import files, options
from rocsteady.cli.options import Columns, Level, Matching, Rows, Shown, SomeModels, Testing
from rocsteady.cli.runner import Run
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.show.document import Block
    from rocsteady.study import Study

_ENDINGS = (*files.FIGURES, *files.TABLES)


@options.command
def smroc(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    rows: Rows,
    models: SomeModels,
    matching: Matching,
    testing: Testing,
    drawn: Level,
    shown: Shown,
    mid: options.Mid = None,
    output: Annotated[
        Path | None,
        options.written(
            "Write to a file, as its ending says: .png, .pdf or .svg the mean curves; .csv or .parquet the "
            "smAUC of every group; .json everything."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Draw smROC curves (Klement et al.): the smAUC of every model, and of one against the other.

    Scores are probabilities. Two models or more are compared over the folds or datasets of --group, or over
    cases, with the permutation that exchanges them.
    """
    run = Run(context, shown, output=output, endings=_ENDINGS, example="smroc.png", overwrite=overwrite)
    at = options.mid_of(mid)
    if testing.nadeau_bengio and columns.design is None and columns.repeat is None:
        columns = replace(columns, design="cross-validation")
    comparing: dict[str, Any] = {
        "unmatched": matching.unmatched,
        "adjust": None if testing.adjust == "none" else testing.adjust,
    }
    if matching.unpaired:
        comparing["paired"] = False
    study = run.study(
        file,
        columns,
        rows,
        models=models,
        drawn=drawn,
        mid="paper" if at is None else at,
        random=testing.random,
        comparing=comparing,
        as_readers=False,
    )
    with run.working("Computing"), study.catching():
        require_probabilities(study)

    def blocks() -> Sequence[Block]:
        from rocsteady.show.sections import smroc as section

        return section.opened(study)

    run.finish(
        study,
        data=lambda: study.to_dict("smroc"),
        blocks=blocks,
        quiet_blocks=lambda: [own for own in blocks() if hasattr(own, "rows")],
        content=lambda kind: _content(study, kind),
        warned=[own.warning for own in study.check.findings],
    )


def require_probabilities(study: Study) -> None:
    """The error of the curves themselves where no model has any."""
    from rocsteady.curves.smroc import smroc_curve

    for name in study.models:
        if study.smroc(name) is None:
            smroc_curve(study.of(name), mid=study.mid or "paper", undefined="drop")
            raise fail("RS042.no-smroc")


def _content(study: Study, kind: str) -> bytes:
    """What is written to a file of this kind."""
    if kind not in files.FIGURES:
        return files.table_bytes(_groups(study), kind)
    from rocsteady.figures.matplotlib import figure, rendered
    from rocsteady.figures.studies import picture

    return rendered(figure(picture(study, "smroc"), study.words), kind)


def _groups(study: Study) -> dict[str, list[Any]]:
    """The smAUC of every group of every model, one below the other."""
    found: dict[str, list[Any]] = {}
    for name in study.models:
        own = study.smroc_area(name)
        assert own is not None
        columns = {"model": [name] * own.n_groups} if len(study.models) > 1 else {}
        for column, values in (columns | dict(own._columns())).items():
            found.setdefault(column, []).extend(list(values))
    return found
