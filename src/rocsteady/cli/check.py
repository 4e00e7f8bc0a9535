"""``rocsteady check FILE``: what was read, before any curve is drawn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli.console import plain_table, show, show_first_fitting, show_warnings, working
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.errors import RocsteadyWarning
from rocsteady.words import counted, grouped, listed, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.report.data import DataSummary
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1


def check(
    file: columns.File,
    *,
    group: columns.Group = None,
    label: columns.Label = None,
    score: columns.Score = None,
    model: columns.Model = None,
    case: columns.Case = None,
    weight: columns.Weight = None,
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print JSON on standard output, nothing else.", rich_help_panel="Output"),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 4 if there are warnings.", rich_help_panel="Output")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only errors.", rich_help_panel="Output")
    ] = False,
) -> None:
    """Read FILE and say what is in it: rows, groups, classes, models, ties, what is missing."""
    with working(f"Reading {printable(file)}"), collected_warnings() as warned:
        score_set, summary = _read(
            file,
            group=group,
            label=label,
            score=score,
            model=model,
            case=case,
            weight=weight,
            positive=columns.positive_labels(positive),
            higher_is_positive=not low_is_positive,
            on_missing=on_missing.value,
        )
    if as_json:
        print(json.dumps(_as_json(score_set, summary, warned), indent=2, allow_nan=False))
    elif not quiet:
        _print_summary(score_set, summary)
        show_warnings([*warned, *(finding.warning for finding in summary.findings)])
    raise typer.Exit(STRICT if strict and (warned or summary.findings) else DONE)


def _read(file: str, **options: Any) -> tuple[ScoreSet, DataSummary]:
    from rocsteady.curves.curve_set import roc_curves
    from rocsteady.report.data import summarize_data
    from rocsteady.scores.files import read_scores

    score_set = read_scores(file, **options)
    summary = summarize_data(score_set)
    if summary.n_curves == 0:
        roc_curves(score_set, undefined="drop")  # raises, and says why
    return score_set, summary


def _print_summary(score_set: ScoreSet, summary: DataSummary) -> None:
    where = f" of {printable(score_set.source)}" if score_set.source else ""
    unit = printable(summary.unit)
    parts = [] if summary.n_groups == 1 and unit == "group" else [counted(summary.n_groups, unit)]
    if len(summary.models) > 1:
        names = listed([printable(model.name) for model in summary.models])
        parts.append(f"{counted(len(summary.models), 'model')} ({names})")
    show(f"Read {counted(summary.n_rows, 'row')}{where}" + (": " if parts else "") + ", ".join(parts) + ".")
    direction = "Higher" if summary.higher_is_positive else "Lower"
    show(f"Positive: {printable(summary.positive)}. {direction} score: positive.")
    if score_set.columns_chosen:
        chosen = [
            role if name == role else f"{printable(name)} ({role})"
            for role, name in score_set.columns_chosen.items()
        ]
        show(f"Columns taken by their names: {listed(chosen)}.")
    show(f"{score_set.dropped}." if score_set.dropped else "Nothing is missing.")
    show(f"{grouped(summary.n_curves)} of {counted(summary.n_members, 'curve')} can be drawn.")
    show()
    show_first_fitting(_row_per_model(summary), _column_per_model(summary))
    show()


def _rows(summary: DataSummary) -> list[tuple[str, list[str]]]:
    """What the table says, one entry for each quantity, one value for each model."""
    models = summary.models
    return [
        ("rows", [grouped(model.n_rows) for model in models]),
        (_heading(summary.positive, "positive"), [grouped(model.n_positives) for model in models]),
        (_heading(summary.negative, "negative"), [grouped(model.n_negatives) for model in models]),
        ("lowest", [_number(model.lowest) for model in models]),
        ("highest", [_number(model.highest) for model in models]),
        ("distinct", [grouped(model.n_distinct) for model in models]),
        ("ties", [grouped(model.n_rows - model.n_distinct) for model in models]),
    ]


def _heading(label: str, side: str) -> str:
    return printable(label) if label.isalpha() and len(label) <= 12 else side


def _number(value: float) -> str:
    return grouped(value) if isinstance(value, int) else f"{value:.4g}"


def _row_per_model(summary: DataSummary) -> Table:
    rows = _rows(summary)
    table = plain_table("model" if summary.models[0].name else "", *(heading for heading, _ in rows))
    for index, model in enumerate(summary.models):
        table.add_row(printable(model.name) or "scores", *(values[index] for _, values in rows))
    return table


def _column_per_model(summary: DataSummary) -> Table:
    table = plain_table("", *(printable(model.name) or "scores" for model in summary.models))
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
