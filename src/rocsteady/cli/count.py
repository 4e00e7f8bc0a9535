"""``rocsteady count FILE``: counts of every group, to be added to others and read by ``report``."""

from __future__ import annotations

import json as json_format
import os
import shlex
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns, program
from rocsteady.cli.console import say, show, show_command, show_warnings, working
from rocsteady.cli.counted_files import counted_file
from rocsteady.cli.large_files import announce
from rocsteady.cli.large_options import (
    MEMORY,
    EngineOption,
    Large,
    LargeFile,
    MemoryOption,
    ToleranceOption,
    large_of,
)
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.reading import output_flag, show_columns_chosen
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.cli.writing import require_folder, require_free, write_file
from rocsteady.errors import fail, warn
from rocsteady.words import counted, grouped, printable

if TYPE_CHECKING:
    from rocsteady.counting.counted import CountedScores

_MOST_CELLS = 2_000_000
"""Where nothing is asked for: files of counts should stay small, and so should their sums."""


@says_what_to_type
def count(
    file: LargeFile,
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Where the counts are written.",
            rich_help_panel="Output",
        ),
    ] = Path("counts.parquet"),
    add: Annotated[
        str | None,
        typer.Option(
            "--add",
            metavar="COUNTS",
            help="Counts made before: the same cells are used, and the sum of both is written.",
            rich_help_panel="Output",
            show_default=False,
        ),
    ] = None,
    group: columns.Group = None,
    label: columns.Label = None,
    score: columns.Score = None,
    model: columns.Model = None,
    weight: columns.Weight = None,
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    engine: EngineOption = None,
    tolerance: ToleranceOption = None,
    memory: MemoryOption = MEMORY,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    as_json: Annotated[
        bool, output_flag("--json", help="Print JSON on standard output, nothing else.")
    ] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors.")] = False,
) -> None:
    """Count the scores in FILE, of any size, and write the counts: exact, or within bounds that are told.

    Counts are small, they add up, and report and average read them like a file of scores.
    """
    from rocsteady.counting.counted import counts_as_bytes, open_counts

    columns.require_different(label=label, score=score, group=group, model=model)
    _require_parquet(output)
    require_folder(output)
    _require_elsewhere(output, file)
    require_free(output, overwrite=overwrite)
    large = large_of(engine, tolerance, memory)
    options: dict[str, Any] = {
        "label": label, "score": columns.score_columns(score), "group": group, "model": model,
        "weight": weight, "higher_is_positive": not low_is_positive, "on_missing": on_missing.value,
    }  # fmt: skip
    with collected_warnings() as warned, working(f"Counting {printable(file)}") as tell:
        earlier = None if add is None else open_counts(add)
        if not (quiet or as_json):
            announce(file, options, memory=None if large.engine == "memory" else memory)
        readings = columns.positive_readings(positive)
        most = None if large.engine == "memory" or large.tolerance is not None else _MOST_CELLS
        telling = replace(large, tell=tell)
        counts = counted_file(file, readings, options, telling, like=earlier, most_cells=most)
        whole = counts if earlier is None else _added(earlier, counts, large)
        write_file(output, counts_as_bytes(whole), overwrite=overwrite)
    if as_json:
        told = [{"code": own.code, "text": own.problem} for own in warned]
        data = {"schema_version": 1, "output": str(output), **whole.to_dict(), "warnings": told}
        print(json_format.dumps(data, indent=2, allow_nan=False))
    elif not quiet:
        _show(counts, whole, add, n_scores=len(score or [1]) if counts.how.n_passes else 1)
        show_warnings([for_shell(warning) for warning in warned])
        say(f"{output}  written.")
        if not whole.is_weighted:  # a sum of weights is no number of rows, which a report needs
            show_command(f"{program.typed()} report {shlex.quote(str(output))}")
    raise typer.Exit(STRICT if strict and warned else DONE)


def _added(earlier: CountedScores, new: CountedScores, large: Large) -> CountedScores:
    """The sum; RS410 if it is less certain than was asked."""
    whole = earlier + new
    asked = large.tolerance
    if asked is not None and not asked.is_met(whole.auc_bound, whole.rate_bound):
        warn(
            "RS410.sum",
            asked=asked,
            unit=printable(whole.unit),
            auc_bound=whole.auc_bound,
            rate_bound=whole.rate_bound,
            new_auc_bound=new.auc_bound,
        )
    return whole


def _show(new: CountedScores, whole: CountedScores, add: str | None, *, n_scores: int) -> None:
    """What was counted, and what is certain of it and of what it was added to."""
    groups = counted(len(whole.groups), printable(whole.unit))
    models = f", {counted(len(whole.models), 'model')}" if len(whole.models) > 1 else ""
    did = "Counted" if new.how.n_passes else "Read the counts of"
    where = f" of {printable(new.source)}" if new.source else ""
    dropped = f" ({grouped(new.dropped.n_rows)} more dropped)" if new.dropped else ""
    rows = counted(new.n_rows // n_scores, "row")  # each is there once for each column of scores
    total = (
        "" if add is None else f" With those of {printable(add)}: {counted(whole.n_rows // n_scores, 'row')},"
    )
    colon = ":" if add is None else "."
    cells = counted(len(whole.cells), "cell")
    show(f"{did} {rows}{dropped}{where}{colon}{total} {groups}{models}, in {cells}.")
    show_columns_chosen(new)
    if whole.undefined:
        show(f"{counted(len(whole.undefined), 'curve')} cannot be drawn: one class only.")
    if not whole.has_curve.any():
        return
    bounds = f"AUC within \u00b1 {whole.auc_bound:.2g}, rates within \u00b1 {whole.rate_bound:.2g}"
    if whole.is_weighted and whole.is_exact:
        show("Exact, but for the rounding of sums of weights.")
    elif whole.knows_thresholds:
        show("Exact: every distinct score was counted by itself.")
    elif whole.is_exact:
        show("All curves are exact; at thresholds between two cells counts are known within bounds.")
    else:
        show(f"Certain for every {printable(whole.unit)}: {bounds} of the middle of their bounds.")


def _require_elsewhere(output: Path, file: str) -> None:
    """RS003 if the counts would be one of the files that are counted, now or the next time."""
    from rocsteady.counting.engines import files_named

    if file == "-" or os.path.isfile(file):
        return  # that of one file is looked after for all commands
    inside = os.path.isdir(file) and Path(file).resolve() in output.resolve().parents
    is_next = fnmatch(str(output), file)  # the pattern would name it the next time
    if inside or is_next or output.resolve() in (Path(own).resolve() for own in files_named(file)):
        raise fail("RS003.counted", output=output, file=printable(file))


def _require_parquet(output: Path) -> None:
    if output.suffix.casefold() != ".parquet":
        ways = [f"--output {output.with_suffix('.parquet')}"]
        raise fail("RS054.ending", path=output, known=".parquet", ways=ways)
