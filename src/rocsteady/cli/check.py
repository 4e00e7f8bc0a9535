"""``rocsteady check FILE``: what was read, before any curve is drawn."""

from __future__ import annotations

import typer

from rocsteady.cli import options
from rocsteady.cli.options import Columns, Minimum, Rows, Shown
from rocsteady.cli.runner import Run


@options.command
def check(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    rows: Rows,
    minimum: Minimum,
    shown: Shown,
) -> None:
    """Read FILE and say what is in it: rows, groups, classes, models, ties, what is missing."""
    from rocsteady.show.sections import check as section

    run = Run(context, shown)
    study = run.study(file, columns, rows, min_per_class=minimum.min_per_class)
    run.finish(
        study,
        data=lambda: study.to_dict("check"),
        blocks=lambda: section.make(study),
        warned=[own.warning for own in study.check.findings],
    )
