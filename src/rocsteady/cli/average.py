"""``rocsteady average FILE``: the points of one average curve, its band, and readings of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli import deployment as deploying
from rocsteady.cli.averages import AtJumps, BandKind, Made, Settings, Weights, as_json, make, table_of
from rocsteady.cli.console import say, show_warnings, working
from rocsteady.cli.curve_files import as_csv, as_parquet, kind_of
from rocsteady.cli.methods import method_of, with_jumps
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.points import costs_as_place, places_of
from rocsteady.cli.reading import output_flag, read_file, typed_again
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.cli.writing import write_file
from rocsteady.errors import UsageError
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.methods import Method
    from rocsteady.report.data import DataSummary
    from rocsteady.scores import ScoreSet

_METHOD = "Average"
_UNCERTAINTY = "Uncertainty"


@says_what_to_type
def average(
    context: typer.Context,
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
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help="pooled, threshold, vertical, horizontal, diagonal, radial, tangent, binormal; alarm-rate "
            "(with --prevalence), costs (with --costs and --prevalence). Instead of --deploy.",
            rich_help_panel=_METHOD,
            show_default=False,
        ),
    ] = None,
    angle: Annotated[
        str | None,
        typer.Option(
            "--angle",
            metavar="ANGLE",
            help="Average along any direction: 30deg, or radians; 0 is vertical, 90deg horizontal.",
            rich_help_panel=_METHOD,
            show_default=False,
        ),
    ] = None,
    at_jumps: Annotated[
        AtJumps | None,
        typer.Option(
            "--at-jumps",
            help="What vertical and horizontal averages read on a step: its better end (upper, the default) "
            "or its middle, which is less biased in small groups.",
            rich_help_panel=_METHOD,
            show_default=False,
        ),
    ] = None,
    group_weights: Annotated[
        Weights | None,
        typer.Option(
            "--group-weights",
            help="Let groups count by their positives, negatives or rows; all the same unless said.",
            rich_help_panel=_METHOD,
            show_default=False,
        ),
    ] = None,
    deploy: deploying.DeployOption = None,
    hold: deploying.HoldOption = None,
    weigh: deploying.WeighOption = None,
    costs: deploying.CostsOption = None,
    prevalence: deploying.PrevalenceOption = None,
    at: Annotated[
        list[str] | None,
        deploying.option(
            "--at",
            metavar="POINT",
            help="Point to read: fpr=0.05, tpr=0.9, t=0.5, rate=0.02, eer, ratio=1:2, cost=1:20. Repeatable.",
        ),
    ] = None,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    allow_reversed: columns.AllowReversed = False,
    band: Annotated[
        BandKind,
        typer.Option(
            "--band", help="Band written as the lines lower and upper.", rich_help_panel=_UNCERTAINTY
        ),
    ] = BandKind.POINTWISE,
    confidence_level: Annotated[
        float,
        typer.Option("--confidence-level", help="Of bands and intervals.", rich_help_panel=_UNCERTAINTY),
    ] = 0.95,
    seed: Annotated[int, typer.Option("--seed", help="Of resamples.", rich_help_panel=_UNCERTAINTY)] = 0,
    grid: Annotated[
        int | None,
        typer.Option(
            "--grid",
            metavar="N",
            help="Write N evenly chosen points of the curve instead of all.",
            rich_help_panel="Output",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Write to a file, as its ending says: .csv, .json or .parquet. Without it CSV is printed.",
            rich_help_panel="Output",
            show_default=False,
        ),
    ] = None,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    json: Annotated[bool, output_flag("--json", help="Print JSON on standard output, nothing else.")] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors, and the curve.")] = False,
) -> None:
    """Average the ROC curves in FILE: the points of the curve and of its band.

    Columns: model (if several), line (average, lower, upper), fpr, tpr, threshold.
    """
    columns.require_different(label=label, score=score, group=group, model=model)
    kind = kind_of(output)
    _require_grid(grid)
    share = deploying.share_of("prevalence", prevalence)
    declared = deploying.Declared(deploy, hold, weigh, costs, share)
    deploying.require_deploy(declared)
    places = places_of(at or [], declared)
    chosen = with_jumps(method_of(method, angle, declared), at_jumps)
    asks = chosen is None and declared.is_missing and deploying.can_ask() and not json
    if chosen is None and declared.is_missing and not asks:
        raise _undeclared(typed_again(context))
    deployment = None if declared.is_missing else declared.deployment()
    settings = Settings(band, confidence_level, grid, group_weights, seed)
    with collected_warnings() as warned:
        with working(f"Reading {printable(file)}"):
            score_set, summary = read_file(
                file,
                allow_reversed=allow_reversed,
                group=group,
                label=label,
                score=columns.score_columns(score),
                model=model,
                case=case,
                weight=weight,
                readings=columns.positive_readings(positive),
                higher_is_positive=not low_is_positive,
                on_missing=on_missing.value,
            )
        if asks:
            deployment = deploying.ask(printable(plural(score_set.unit)), declared).deployment()
        if chosen is None and deployment is not None:
            chosen = with_jumps(deployment.method, at_jumps)
            places += costs_as_place(deployment, places)
        if chosen is None:
            raise TypeError("neither a method nor a deployment")
        with working("Averaging"):
            made = make(score_set, chosen, settings, places)
            found = _findings(score_set, summary, chosen, deployment, settings)
    everything = [for_shell(warning) for warning in [*warned, *(finding.warning for finding in found)]]
    text = as_json(score_set, deployment, chosen, made, warned, found) if json or kind == "json" else None
    _deliver(made, text, kind, output, overwrite=overwrite, json=json)
    if not (quiet or json):
        _tell(made, deployment)
        show_warnings(everything)
    raise typer.Exit(STRICT if strict and everything else DONE)


def _require_grid(grid: int | None) -> None:
    from rocsteady.counting.arguments import whole_number

    if grid is not None:
        whole_number("grid", grid, least=2, example=101)


def _undeclared(command: str) -> UsageError:
    error = deploying.undeclared_error("groups", command)
    named = f"or name an average:  {command} --method vertical"
    return UsageError(error.code, error.problem, error.found, *error.remedies, named)


def _findings(
    score_set: ScoreSet,
    summary: DataSummary,
    method: Method,
    deployment: Deployment | None,
    settings: Settings,
) -> list[Any]:
    """What to know about the groups and about this average of them, each with the groups it is about."""
    from rocsteady.advice.findings import Subject, findings_about_all, is_of_folds, levels_of
    from rocsteady.advice.rules import is_about_shared_threshold
    from rocsteady.averaging.methods import Pooled
    from rocsteady.report.data import Finding

    found = [] if isinstance(method, Pooled) else [f for f in summary.findings if f.warning.code == "RS201"]
    folds, level, subjects = is_of_folds(score_set, None), settings.confidence_level, []
    for name in score_set.models if len(score_set.models) > 1 else ("",):
        own = score_set.model(name) if name else score_set
        levels = levels_of(own, method, level, settings.seed) if is_about_shared_threshold(method) else None
        subjects.append(Subject(method, deployment, own, folds, level, levels))
    # The summary has named the groups without a curve already.
    found += [Finding(warning) for warning in findings_about_all(subjects) if warning.code != "RS201"]
    return found


def _deliver(
    made: list[Made], text: str | None, kind: str, output: Path | None, *, overwrite: bool, json: bool
) -> None:
    """To a file if one was named, else to standard output; JSON where it was asked for."""
    if output is not None:
        if kind == "json":
            content = (text or "").encode()
        else:
            table = table_of(made)
            content = as_parquet(table) if kind == "parquet" else as_csv(table).encode()
        write_file(output, content, overwrite=overwrite)
        if not json:
            say(f"{output}  written.")
    if json:
        print(text, end="")
    elif output is None:
        import sys

        sys.stdout.write(as_csv(table_of(made)))


def _tell(made: list[Made], deployment: Deployment | None) -> None:
    """What was averaged and what it means, on standard error: standard output has the numbers."""
    if deployment is not None and made[0].average.method == deployment.method:
        from rocsteady.advice.rules import reasons

        say(f"{reasons(deployment, made[0].average.unit)[-1 if deployment.is_shared else 1]}")
    for own in made:
        whose = f" of {own.model}" if own.model else ""
        say(f"The {own.average.method.label} average{whose} has an AUC of {own.average.auc:.4f}.")
        for reading in own.readings:
            say(reading.sentence)
    say(made[0].average.reading)
    if made[0].band is not None:
        say(f"Band: {made[0].band.reading}")
