"""``rocsteady average FILE``: the points of one average curve, its band, and readings of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns, program
from rocsteady.cli import deployment as deploying
from rocsteady.cli.averages import AtJumps, BandKind, Made, Settings, Weights, as_json, make, table_of
from rocsteady.cli.check import _output, _read
from rocsteady.cli.console import WIDTH_OF_FILES, console, show_warnings, working
from rocsteady.cli.curve_files import as_csv, as_parquet, kind_of
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.points import costs_as_place, places_of
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


def average(
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
    overwrite: Annotated[bool, _output("--overwrite", help="Replace a file that is there.")] = False,
    json: Annotated[bool, _output("--json", help="Print JSON on standard output, nothing else.")] = False,
    strict: Annotated[bool, _output("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, _output("--quiet", "-q", help="Only errors, and the curve.")] = False,
) -> None:
    """Average the ROC curves in FILE: the points of the curve and of its band.

    Columns: model (if several), line (average, lower, upper), fpr, tpr, threshold.
    """
    columns.require_different(label=label, score=score, group=group, model=model)
    kind = kind_of(output)
    places = places_of(at or [], prevalence)
    declared = deploying.Declared(deploy, hold, weigh, costs, prevalence)
    deploying.require_deploy(declared)
    chosen = _with_jumps(_method(method, angle, declared), at_jumps)
    asks = chosen is None and declared.is_missing and deploying.can_ask() and not json
    if chosen is None and declared.is_missing and not asks:
        raise _undeclared(file)
    deployment = None if declared.is_missing else declared.deployment()
    settings = Settings(band, confidence_level, grid, group_weights, seed)
    with collected_warnings() as warned:
        with working(f"Reading {printable(file)}"):
            score_set, summary = _read(
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
            chosen = _with_jumps(deployment.method, at_jumps)
            places += costs_as_place(deployment, places)
        if chosen is None:
            raise TypeError("neither a method nor a deployment")
        with working("Averaging"):
            made = make(score_set, chosen, settings, places)
            found = _findings(score_set, summary, chosen, deployment, settings)
    everything = [*warned, *(finding.warning for finding in found)]
    text = as_json(score_set, deployment, chosen, made, warned, found) if json or kind == "json" else None
    _deliver(made, text, kind, output, overwrite=overwrite, json=json)
    if not (quiet or json):
        _tell(made, deployment)
        show_warnings(everything)
    raise typer.Exit(STRICT if strict and everything else DONE)


def _method(name: str | None, angle: str | None, declared: deploying.Declared) -> Method | None:
    """The method that was named, with the values it needs; None if none was."""
    from rocsteady.averaging.methods import AtAlarmRate, AtAngle, AtCosts, method_of

    if angle is not None:
        if name not in (None, "angle"):
            raise UsageError(
                "RS002", f"--angle is a method of its own; --method {name} is another.", "", "leave out one"
            )
        return AtAngle(_radians(angle))
    if name == "angle":
        raise UsageError("RS002", "--method angle needs an angle.", "", "--angle 30deg")
    if name == "alarm-rate":
        return AtAlarmRate(prevalence=_needed("prevalence", declared.prevalence, "0.03"))
    if name == "costs":
        pair = deploying.costs_of(_needed("costs", declared.costs, "1:20"))
        prevalence = _needed("prevalence", declared.prevalence, "0.03")
        if pair is None or isinstance(pair[0], tuple) or isinstance(pair[1], tuple):
            raise UsageError(
                "RS094",
                "an average along the direction of costs needs one pair of costs.",
                "",
                "--costs 1:20",
            )
        return AtCosts(pair[0], pair[1], prevalence)
    return None if name is None else method_of(name)


def _with_jumps(method: Method | None, at_jumps: AtJumps | None) -> Method | None:
    """The same method with what it reads on a step, where it has steps."""
    from rocsteady.averaging.methods import Horizontal, Vertical

    if at_jumps is None or method is None:
        return method
    if not isinstance(method, Vertical | Horizontal):
        raise UsageError(
            "RS002", f"the {method} average has no choice of --at-jumps.", "", "leave out  --at-jumps"
        )
    return type(method)(at_jumps=at_jumps.value)


def _needed(name: str, value: Any, example: str) -> Any:
    if value is None:
        raise UsageError("RS091", f"this method needs --{name}.", "", f"--{name} {example}")
    return value


def _radians(text: str) -> float:
    number, in_degrees = text.removesuffix("deg"), text.endswith("deg")
    try:
        value = float(number)
    except ValueError:
        raise UsageError(
            "RS080", f'"{text}" is no angle.', "", "--angle 30deg", "in radians:  --angle 0.5236"
        ) from None
    return math.radians(value) if in_degrees else value


def _undeclared(file: str) -> UsageError:
    command = f"{program.typed()} average {printable(file)}"
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
    from rocsteady.advice.findings import Subject, findings_about, is_of_folds, levels_of
    from rocsteady.advice.rules import is_about_shared_threshold
    from rocsteady.averaging.methods import Pooled
    from rocsteady.report.data import Finding

    found = [] if isinstance(method, Pooled) else [f for f in summary.findings if f.warning.code == "RS201"]
    for name in score_set.models if len(score_set.models) > 1 else ("",):
        own = score_set.model(name) if name else score_set
        folds = is_of_folds(score_set, None)
        level = settings.confidence_level
        levels = levels_of(own, method, level, settings.seed) if is_about_shared_threshold(method) else None
        subject = Subject(method, deployment, own, folds, level, levels)
        for warning in findings_about(subject):
            is_new = str(warning) not in [str(f.warning) for f in found]
            if is_new and warning.code != "RS201":  # the summary has named those groups already
                found.append(Finding(warning))
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
            _say(f"{output}  written.")
    if json:
        print(text, end="")
    elif output is None:
        import sys

        sys.stdout.write(as_csv(table_of(made)))


def _tell(made: list[Made], deployment: Deployment | None) -> None:
    """What was averaged and what it means, on standard error: standard output has the numbers."""
    if deployment is not None and made[0].average.method == deployment.method:
        from rocsteady.advice.rules import reasons

        _say(f"{reasons(deployment, made[0].average.unit)[-1 if deployment.is_shared else 1]}")
    for own in made:
        whose = f" of {own.model}" if own.model else ""
        _say(f"The {own.average.method} average{whose} has an AUC of {own.average.auc:.4f}.")
        for reading in own.readings:
            _say(reading.sentence)
    _say(made[0].average.reading)
    if made[0].band is not None:
        _say(f"Band: {made[0].band.reading}")


def _say(sentence: str) -> None:
    """A sentence on standard error, in lines of bearable length."""
    import textwrap

    screen = console(stderr=True)
    width = max(screen.width, 20) if screen.is_terminal else WIDTH_OF_FILES
    wrapped = textwrap.fill(printable(sentence), width, break_long_words=False, break_on_hyphens=False)
    screen.print(wrapped, soft_wrap=True)
