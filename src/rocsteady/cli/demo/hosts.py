"""The example of ``rocsteady demo``: two detectors on many hosts, and their curves."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady.cli import program
from rocsteady.cli.console import (
    console,
    dash,
    plain_table,
    show,
    show_command,
    show_first_fitting,
    show_warnings,
    working,
)
from rocsteady.cli.demo.example_files import as_csv
from rocsteady.cli.outcome import collected_warnings
from rocsteady.cli.writing import write_file
from rocsteady.words import counted, grouped, listed, percent, plural

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from rocsteady.report.curve_table import CurveRow, CurveTable
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.uncertainty.intervals import Interval

FILE_NAME = "hosts.csv"
FPR = 0.05


def show_hosts(output: Path, *, overwrite: bool) -> None:
    """Write the example, show the AUC of each detector on every host, and what the choice depends on."""
    from rocsteady.report.curve_table import curve_table
    from rocsteady.report.data import summarize_data
    from rocsteady.scores.files import read_scores
    from rocsteady.simulate import hosts

    path = output / FILE_NAME
    is_new = write_file(path, as_csv(hosts()), overwrite=overwrite)
    with collected_warnings() as warned:
        score_set = read_scores(
            path,
            label="label",
            score="score",
            group="host",
            model="model",
            case="event",
            positive="attack",
        )
        summary, table = summarize_data(score_set), curve_table(score_set)
    show(
        f"Two intrusion detectors, {listed(score_set.models)}, scored the same events on "
        f"{counted(summary.n_groups, summary.unit)} (simulated; {counted(summary.n_rows, 'row')})."
    )
    show(f"The AUC of each on every {summary.unit}, with its {_level(table)} interval:")
    show()
    classes = score_set.classes
    show_first_fitting(
        _models_side_by_side(table, [classes.positive, classes.negative]),
        _model_after_model(table, f"{classes.positive}+{classes.negative}"),
        _model_after_model(table, None),
    )
    show()
    _show_what_it_depends_on(score_set)
    show()
    show_warnings([*warned, *(finding.warning for finding in summary.findings)])
    if console().is_terminal:  # elsewhere the warnings are in another stream
        show()
    _say_what_next(path, is_new)


def _show_what_it_depends_on(score_set: ScoreSet) -> None:
    """The point of it all: each use of the scores has its own average, and they pick different models."""
    from rocsteady.advice.advise import advise
    from rocsteady.advice.deployment import Deployment
    from rocsteady.words import class_cases

    with working("averaging"):
        advice = advise(Deployment("own", hold="fpr", at=FPR), score_set)
    attacks, normal = (
        class_cases(label, is_positive=is_positive)
        for label, is_positive in ((score_set.classes.positive, True), (score_set.classes.negative, False))
    )
    show(
        f"Which catches more {attacks} with false alarms on {percent(FPR)} of the {normal}? That depends on "
        "how the scores will be used:"
    )
    contests = {str(contest.method): contest for contest in advice.contests}
    for method, use in (
        ("vertical", f"each {score_set.unit} tunes its own threshold"),
        ("threshold", f"all {plural(score_set.unit)} share one threshold"),
    ):
        found = contests[method]
        values = listed([f"{model} {percent(value)}" for model, value in found.values.items()])
        ahead = f"{100 * found.difference:.1f} points apart"
        interval = f"{100 * found.interval.low:.1f} to {100 * found.interval.high:.1f}"
        show(f"- {use} ({method} average): {values}; {ahead} ({_level(found.interval)}: {interval})")


def _models_side_by_side(table: CurveTable, classes: list[str]) -> Table:
    """One row for each group: its cases, and for each model the AUC and its interval."""
    models = list(table.n_curves)
    headings = [heading for model in models for heading in (model, _level(table))]
    shown = plain_table(table.unit, *classes, *headings)
    for group, row_of in table.by_group().items():
        row = row_of[models[0]]
        cells = [cell for model in models for cell in _auc_cells(row_of[model])]
        shown.add_row(group, grouped(row.n_positives), grouped(row.n_negatives), *cells)
    shown.add_row("mean", "", "", *(c for model in models for c in _mean_cells(table, model)), style="bold")
    return shown


def _model_after_model(table: CurveTable, cases: str | None) -> RenderableType:
    """For narrow terminals: a table for each model; the cases only where there is room for them."""
    from rich.console import Group

    parts: list[RenderableType] = []
    for model in table.n_curves:
        shown = plain_table(table.unit, *([cases] if cases else []), model, _level(table))
        for row in table.rows:
            if row.model == model:
                sizes = [f"{grouped(row.n_positives)}+{grouped(row.n_negatives)}"] if cases else []
                shown.add_row(row.group, *sizes, *_auc_cells(row))
        shown.add_row("mean", *([""] if cases else []), *_mean_cells(table, model), style="bold")
        parts += [shown, ""]
    return Group(*parts[:-1])


def _level(shown: CurveTable | Interval) -> str:
    return f"{100 * shown.confidence_level:g} %"


def _auc_cells(row: CurveRow) -> list[str | Text]:
    from rich.text import Text

    if not row.has_curve:
        return [dash(console()), ""]
    return [f"{row.auc:.3f}", Text(f"{row.low:.3f} to {row.high:.3f}", style="bright_black")]


def _mean_cells(table: CurveTable, model: str) -> list[str]:
    return [f"{table.mean_auc[model]:.3f}", counted(table.n_curves[model], table.unit)]


def _say_what_next(path: Path, is_new: bool) -> None:
    show(f"{path}  {'written' if is_new else 'was there already, the same'}. Next:")
    table = f"{shlex.quote(str(path))} -g host -m model --case event -p attack"
    for command in (
        f"check {table}",
        f"advise {table} --deploy shared --at fpr={FPR:g}",
        f"average {table} --method vertical --output curves.csv",
        f"compare {table} --method vertical --at fpr={FPR:g}",
        f"cutoff {table} --at fpr={FPR:g}",
        f"plot {table} --deploy shared --at fpr={FPR:g} --output hosts.pdf",
        f"plan {table} --models candidate --at fpr={FPR:g} --half-width 0.02",
        "explain RS201",
    ):
        show_command(f"{program.typed()} {command}")
