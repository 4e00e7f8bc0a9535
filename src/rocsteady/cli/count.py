"""``rocsteady count FILE``: counts of every group, to be added to others and read by ``report``."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import files, options
from rocsteady.cli.options import Columns, Large, Rows, Shown
from rocsteady.cli.runner import Run, columns_taken
from rocsteady.errors import fail, warn
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.counting.counted import CountedScores

_MOST_CELLS = 2_000_000
"""Where nothing is asked for: files of counts should stay small, and so should their sums."""


@options.command
def count(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    rows: Rows,
    large: Large,
    shown: Shown,
    output: Annotated[Path, options.written("Where the counts are written.", default=True)] = Path(
        "counts.parquet"
    ),
    add: Annotated[
        str | None,
        options.option(
            "Output",
            "--add",
            metavar="COUNTS",
            help="Counts made before: the same cells are used, and the sum of both is written.",
        ),
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Count the scores in FILE, of any size, and write the counts: exact, or within bounds that are reported.

    Counts are small, they add up, and report and average read them like a file of scores.
    """
    from rocsteady.counting.counted import counts_as_bytes, open_counts

    run = Run(
        context, shown, output=output, endings=("parquet",), example="counts.parquet", overwrite=overwrite
    )
    columns.require_different()
    _require_elsewhere(output, file)
    files.require_free(output, overwrite=overwrite)  # before long work is done in vain
    tolerance = large.most_uncertain()
    most = None if large.engine == "memory" or tolerance is not None else _MOST_CELLS
    with run.working(f"Counting {printable(file)}") as tell:
        earlier = None if add is None else open_counts(add)
        memory = None if large.engine == "memory" else large.memory
        files.announce(file, columns.named(), memory=memory, tell=None if run.is_silent else tell)
        new = files.count(
            file, columns, rows, large, tolerance=tolerance, tell=tell, like=earlier, most_cells=most
        )
        whole = new if earlier is None else _added(earlier, new, tolerance)
    n_scores = len(columns.score or [1]) if new.how.n_passes else 1

    def data() -> dict[str, Any]:
        told = [{"code": own.code, "problem": own.problem, "found": own.found} for own in run.met]
        return {"schema_version": 2, "output": str(output), **whole.to_dict(), "warnings": told}

    def blocks() -> Any:
        from rocsteady.show.document import Command
        from rocsteady.show.sections import counts as section

        found = [*section.make(new, whole, add or "", n_scores), *columns_taken(new)]
        # A sum of weights is no number of rows, which a report needs.
        again = [] if whole.is_weighted else [Command((*run.program, "report", str(output)))]
        return [*found, *again]

    run.finish(data=data, blocks=blocks, content=lambda _: counts_as_bytes(whole))


def _added(earlier: CountedScores, new: CountedScores, tolerance: Any) -> CountedScores:
    """The sum; RS410 if it is less certain than was asked."""
    whole = earlier + new
    if tolerance is not None and not tolerance.is_met(whole.auc_bound, whole.rate_bound):
        warn(
            "RS410.sum",
            asked=tolerance,
            unit=printable(whole.unit),
            auc_bound=whole.auc_bound,
            rate_bound=whole.rate_bound,
            new_auc_bound=new.auc_bound,
        )
    return whole


def _require_elsewhere(output: Path, file: str) -> None:
    """RS003 if the counts would be one of the files that are counted, now or the next time."""
    from rocsteady.counting.engines import files_named

    if file == "-" or os.path.isfile(file):
        return  # that of one file is looked after for all commands
    inside = os.path.isdir(file) and Path(file).resolve() in output.resolve().parents
    is_next = fnmatch(str(output), file)  # the pattern would name it the next time
    if inside or is_next or output.resolve() in (Path(own).resolve() for own in files_named(file)):
        raise fail("RS003.counted", output=output, file=printable(file))
