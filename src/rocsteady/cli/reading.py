"""What every command that reads a file has in common: reading it, its flags, and how it was called."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from rocsteady.cli import program
from rocsteady.cli.console import keep_standard_input, show
from rocsteady.cli.counted_files import counted_scores, is_counted, require_rows
from rocsteady.cli.large_files import announce
from rocsteady.cli.large_options import Large
from rocsteady.errors import LabelError
from rocsteady.words import counted, grouped, listed, printable

if TYPE_CHECKING:
    from rocsteady.counting.counted import CountedScores
    from rocsteady.report.data import DataSummary
    from rocsteady.scores import ScoreSet


def output_flag(*names: str, help: str) -> Any:
    """A flag in the panel of the output."""
    return typer.Option(*names, metavar="", help=help, rich_help_panel="Output")  # else a flag shows <bool>


def read_file(
    file: str,
    *,
    allow_reversed: bool,
    readings: list[Any],
    quiet: bool = False,
    large: Large | None = None,
    **options: Any,
) -> tuple[ScoreSet, DataSummary]:
    """The scores in a file and what is in them; RS041 if they run the other way.

    ``options`` are those of :func:`rocsteady.read_scores`; what ``--patient`` names is its ``cluster``. A
    large file is announced unless ``quiet``; where the command knows how (``large``), it is counted if it
    does not fit into memory.
    """
    from rocsteady.curves.curve_set import reversed_scores
    from rocsteady.report.data import summarize_data

    design = options.pop("design", None)
    if options.get("repeat") is None:
        options.pop("repeat", None)
    counts = large is not None and "repeat" not in options and is_counted(file, large, options)
    if large is None:
        require_rows(file)
    if not quiet:
        announce(file, options, memory=large.memory if large is not None and counts else None)
    if large is not None and counts:
        score_set = counted_scores(file, readings, options, large)
        score_set = score_set if design is None else score_set.with_design(design)
    else:
        score_set = _read_scores(file, readings, options | {"design": design})
    problem = reversed_scores(score_set)  # raises if there is no curve at all
    if problem is not None and not allow_reversed:
        raise problem
    return score_set, summarize_data(score_set)


def _read_scores(file: str, readings: list[Any], options: dict[str, Any]) -> ScoreSet:
    """Read the file with the first meaning of ``--positive`` that its labels allow."""
    from rocsteady.scores.files import read_scores

    if file == "-" and len(readings) > 1:
        keep_standard_input()
    try:
        return read_scores(file, positive=readings[0], **options)
    except LabelError as error:
        if error.code != "RS021" or len(readings) == 1:
            raise
        try:
            if file == "-":
                sys.stdin.seek(0)
            return read_scores(file, positive=readings[1], **options)
        except LabelError as other:
            raise (error if other.code == "RS021" else other) from None


def score_names(given: list[str] | None, score_set: ScoreSet) -> list[str]:
    """The columns of scores; counts do not know theirs."""
    return given or [score_set.columns_chosen.get("score", "score")]


def typed_again(context: typer.Context) -> str:
    """The command as it was typed, so that something can be added to it."""
    words = [program.typed(), str(context.command.name)]
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if source is None or source.name != "COMMANDLINE":
            continue
        given = context.params[str(parameter.name)]
        for value in given if isinstance(given, list | tuple) else [given]:
            words += _typed(parameter, value)
    return " ".join(words)


def _typed(parameter: Any, value: Any) -> list[str]:
    if parameter.param_type_name == "argument":
        return [shlex.quote(str(value))]
    if value is False:
        return [parameter.secondary_opts[0]]
    name = min(parameter.opts, key=len)
    return [name] if value is True else [name, shlex.quote(str(getattr(value, "value", value)))]


def show_what_was_read(
    summary: DataSummary,
    score_set: Any,
    score_columns: list[str],
    file: str = "-",
    read: Mapping[str, Any] | None = None,
) -> None:
    """The rows, their classes, the direction, columns that were taken by their names, and those left over.

    The last if ``read`` says how the ``file`` was read.
    """
    where = f" of {printable(score_set.source)}" if score_set.source else ""
    scores = listed([printable(column) for column in score_columns])
    direction = "high" if summary.higher_is_positive else "low"
    verb = "is" if len(score_columns) == 1 else "are"
    side = f"Positive: {printable(summary.positive)}, where {scores} {verb} {direction}."
    # Each row is there once for each column of scores; what was dropped was read too.
    n_dropped = summary.n_dropped // len(score_columns)
    rows = counted(summary.n_rows // len(score_columns) + n_dropped, "row")
    rows += f" ({grouped(n_dropped)} dropped)" if n_dropped else ""
    show(f"{_did(score_set)} {rows}{where}{division_of(summary)}. {side}")
    show_columns_chosen(score_set)
    if read is not None:
        taken = {read.get(role) for role in ("group", "label", "model", "case", "weight")} | {*score_columns}
        _show_columns_unused(file, score_set, taken)


def _did(score_set: ScoreSet) -> str:
    """What was done with the rows, now or before."""
    counts = score_set.counted_from
    if counts is None:
        return "Read"
    return "Counted" if counts.how.n_passes else "Read the counts of"


def _show_columns_unused(file: str, score_set: ScoreSet, taken: set[str | None]) -> None:
    """Columns that nothing was asked of, where rows are not told apart by any."""
    from rocsteady.cli.completion import columns_of

    is_divided = len(score_set.groups) > 1 or len(score_set.models) > 1
    if file == "-" or is_divided or score_set.counted_from is not None:
        return
    known = set(score_set.columns_chosen.values())
    rest = [printable(name) for name in dict.fromkeys(columns_of(file)) if name not in taken | known]
    if rest:
        show(
            f"Not used: {listed(rest)}. (-g names groups, -m models, --case cases that occur several times.)"
        )


def division_of(summary: DataSummary) -> str:
    """``: 24 hosts, 2 models (current and candidate)``, or nothing where nothing was divided."""
    parts = [counted(summary.n_groups, printable(summary.unit))] if summary.is_grouped else []
    if len(summary.models) > 1:
        names = listed([printable(model.name) for model in summary.models])
        parts.append(f"{counted(len(summary.models), 'model')} ({names})")
    return f": {', '.join(parts)}" if parts else ""


def show_columns_chosen(score_set: ScoreSet | CountedScores) -> None:
    """The columns that nobody named: conventional names, or what an iMRMC file always has."""
    if score_set.columns_chosen:
        chosen = [
            role if name == role else f"{printable(name)} ({role})"
            for role, name in score_set.columns_chosen.items()
        ]
        # No name is a convention for cases: only a file that always has them brings them by itself.
        is_fixed = "case" in score_set.columns_chosen
        show(f"Columns {'of an iMRMC file' if is_fixed else 'taken by their names'}: {listed(chosen)}.")
