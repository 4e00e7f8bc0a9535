"""``rocsteady check FILE``: what was read, before any curve is drawn."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli.console import (
    fitting_name,
    plain_table,
    show,
    show_first_fitting,
    show_warnings,
    working,
)
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.reading import division_of, output_flag, read_file, show_columns_chosen
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.errors import RocsteadyWarning
from rocsteady.words import counted, grouped, listed, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.report.data import DataSummary
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1


@says_what_to_type
def check(
    file: columns.File,
    *,
    group: columns.Group = None,
    label: columns.Label = None,
    score: columns.Score = None,
    model: columns.Model = None,
    case: columns.Case = None,
    weight: columns.Weight = None,
    repeat: columns.Repeat = None,
    design: columns.Design = None,
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    allow_reversed: columns.AllowReversed = False,
    as_json: Annotated[
        bool, output_flag("--json", help="Print JSON on standard output, nothing else.")
    ] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors.")] = False,
) -> None:
    """Read FILE and say what is in it: rows, groups, classes, models, ties, what is missing."""
    columns.require_different(label=label, score=score, group=group, model=model)
    with working(f"Reading {printable(file)}"), collected_warnings() as warned:
        score_set, summary = read_file(
            file,
            allow_reversed=allow_reversed,
            group=group,
            label=label,
            score=columns.score_columns(score),
            model=model,
            case=case,
            weight=weight,
            repeat=repeat,
            design=None if design is None else design.value,
            readings=columns.positive_readings(positive),
            higher_is_positive=not low_is_positive,
            on_missing=on_missing.value,
            quiet=quiet,
        )
    if as_json:
        print(json.dumps(_as_json(score_set, summary, warned), indent=2, allow_nan=False))
    elif not quiet:
        _print_summary(score_set, summary, score or [score_set.columns_chosen["score"]])
        show_warnings(for_shell(one) for one in [*warned, *(found.warning for found in summary.findings)])
    raise typer.Exit(STRICT if strict and (warned or summary.findings) else DONE)


def _print_summary(score_set: ScoreSet, summary: DataSummary, score_columns: list[str]) -> None:
    where = f" of {printable(score_set.source)}" if score_set.source else ""
    width = len(score_columns)  # each row of the file is there once for each of them
    rows = counted((summary.n_rows + summary.n_dropped) // width, "row")
    if summary.n_dropped:
        rows = f"{grouped(summary.n_rows // width)} of {rows}"
    show(f"Read {rows}{where}{division_of(summary)}.")
    plural = "s" if width > 1 else ""
    scores = f"Score column{plural}: {listed([printable(column) for column in score_columns])}"
    direction = "higher" if summary.higher_is_positive else "lower"
    show(f"Positive: {printable(summary.positive)}. {scores}; {direction} is positive.")
    show_columns_chosen(score_set)
    dropped = score_set.dropped
    causes = {cause: n_rows // width for cause, n_rows in dropped.causes.items()}
    show(
        f"{replace(dropped, n_rows=dropped.n_rows // width, causes=causes)}."
        if dropped
        else "Nothing is missing."
    )
    show(f"{grouped(summary.n_curves)} of {counted(summary.n_members, 'curve')} can be drawn.")
    show()
    show_first_fitting(_row_per_model(summary), _column_per_model(summary))
    show()


def _rows(summary: DataSummary) -> list[tuple[str, list[str]]]:
    """What the table says, one entry for each quantity, one value for each model."""
    models = summary.models
    ties = f"ties in a {printable(summary.unit)}" if summary.is_grouped else "ties"
    return [
        ("rows", [grouped(model.n_rows) for model in models]),
        (_heading(summary.positive, "positive"), [grouped(model.n_positives) for model in models]),
        (_heading(summary.negative, "negative"), [grouped(model.n_negatives) for model in models]),
        ("lowest", [_number(model.lowest) for model in models]),
        ("highest", [_number(model.highest) for model in models]),
        ("distinct", [grouped(model.n_distinct) for model in models]),
        (ties, [grouped(model.n_ties) for model in models]),
    ]


def _heading(label: str, side: str) -> str:
    return printable(label) if label.isalpha() and len(label) <= 12 else side


def _number(value: float) -> str:
    return grouped(value) if isinstance(value, int) else f"{value:.4g}"


def _row_per_model(summary: DataSummary) -> Table:
    rows = _rows(summary)
    table = plain_table("model" if summary.models[0].name else "", *(heading for heading, _ in rows))
    for index, model in enumerate(summary.models):
        table.add_row(fitting_name(printable(model.name)) or "scores", *(values[index] for _, values in rows))
    return table


def _column_per_model(summary: DataSummary) -> Table:
    table = plain_table("", *(fitting_name(printable(model.name)) or "scores" for model in summary.models))
    for heading, values in _rows(summary):
        table.add_row(heading, *values)
    return table


def _as_json(score_set: ScoreSet, summary: DataSummary, warned: list[RocsteadyWarning]) -> dict[str, Any]:
    from rocsteady.report.data import Finding

    data = summary.to_dict()
    findings = data.pop("findings")
    return {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        **data,
        "groups": list(score_set.groups),
        "undefined": list(score_set.undefined),
        "dropped": score_set.dropped.to_dict(),
        "warnings": [*(Finding(warning).to_dict() for warning in warned), *findings],
    }
