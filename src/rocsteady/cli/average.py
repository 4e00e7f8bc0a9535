"""``rocsteady average FILE``: the points of one average curve, its band, and readings of it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns, program
from rocsteady.cli import deployment as deploying
from rocsteady.cli.check import _output, _read
from rocsteady.cli.console import WIDTH_OF_FILES, console, show_warnings, working
from rocsteady.cli.curve_files import as_csv, as_parquet, kind_of
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.points import Place, Reading, costs_as_place, places_of, read_place
from rocsteady.cli.writing import write_file
from rocsteady.errors import UsageError
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.bands import Band
    from rocsteady.averaging.base import Average
    from rocsteady.averaging.methods import Method
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import DataSummary
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1
_METHOD = "Average"
_UNCERTAINTY = "Uncertainty"


class BandKind(StrEnum):
    """Which band is written beside the curve."""

    NONE = "none"
    POINTWISE = "pointwise"
    SIMULTANEOUS = "simultaneous"
    PREDICTION = "prediction"


class Weights(StrEnum):
    """What groups count by."""

    POSITIVES = "positives"
    NEGATIVES = "negatives"
    ROWS = "rows"


@dataclass(frozen=True)
class Settings:
    """How averages are made and shown."""

    band: BandKind
    confidence_level: float
    grid: int | None
    group_weights: Weights | None
    seed: int


@dataclass(frozen=True, eq=False)
class Made:
    """One model's average and what was read off it."""

    model: str
    average: Average
    fpr: Any
    tpr: Any
    thresholds: Any
    band: Band | None
    readings: list[Reading]


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
        deploying._option(
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
    as_json: Annotated[bool, _output("--json", help="Print JSON on standard output, nothing else.")] = False,
    strict: Annotated[bool, _output("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, _output("--quiet", "-q", help="Only errors, and the curve.")] = False,
) -> None:
    """Average the ROC curves in FILE: the points of the curve, its band, and readings of it.

    Rows have a line (average, lower or upper), fpr, tpr and, under a shared threshold, the threshold. Several
    models are written one after the other, with a column model. What the curve means is said on standard error.
    """
    columns.require_different(label=label, score=score, group=group, model=model)
    kind = kind_of(output)
    places = places_of(at or [], prevalence)
    declared = deploying.Declared(deploy, hold, weigh, costs, prevalence)
    deploying.require_deploy(declared)
    chosen = _method(method, angle, declared)
    asks = chosen is None and declared.is_missing and deploying.can_ask() and not as_json
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
            chosen = deployment.method
            places += costs_as_place(deployment, places)
        if chosen is None:
            raise TypeError("neither a method nor a deployment")
        with working("Averaging"):
            made = _make(score_set, chosen, settings, places)
            found = _findings(score_set, summary, chosen, deployment, settings)
    everything = [*warned, *(finding.warning for finding in found)]
    text = _as_json(score_set, deployment, chosen, made, warned, found) if as_json or kind == "json" else None
    _deliver(made, text, kind, output, overwrite=overwrite, as_json=as_json)
    if not (quiet or as_json):
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


def _make(score_set: ScoreSet, method: Method, settings: Settings, places: list[Place]) -> list[Made]:
    """The average of every model."""
    names = score_set.models if len(score_set.models) > 1 else ("",)
    return [
        _one(name, score_set.model(name) if name else score_set, method, settings, places) for name in names
    ]


def _one(name: str, own: ScoreSet, method: Method, settings: Settings, places: list[Place]) -> Made:
    from rocsteady.averaging.average import average as make_average

    weights = None if settings.group_weights is None else settings.group_weights.value
    average = make_average(own, method, group_weights=weights, undefined="drop")
    band = None
    if settings.band is not BandKind.NONE and average.n_groups > 1:
        level, kind = settings.confidence_level, settings.band.value
        band = average.band(confidence_level=level, kind=kind, seed=settings.seed)
    fpr, tpr, thresholds = _points(average, settings.grid)
    read = [
        read_place(average, place, confidence_level=settings.confidence_level, seed=settings.seed)
        for place in places
    ]
    return Made(name, average, fpr, tpr, thresholds, band, read)


def _points(average: Average, grid: int | None) -> tuple[Any, Any, Any]:
    """The points that are written: all, or some of them."""
    if grid is None:
        return average.fpr, average.tpr, getattr(average, "thresholds", None)
    if hasattr(average, "grid"):
        some = average.grid(grid)
        return some.fpr, some.tpr, getattr(some, "thresholds", None)
    import numpy as np

    from rocsteady.counting.arguments import whole_number

    fpr = np.linspace(0, 1, whole_number("grid", grid, least=2, example=101))
    return fpr, average.tpr_at(fpr), None


def _findings(
    score_set: ScoreSet,
    summary: DataSummary,
    method: Method,
    deployment: Deployment | None,
    settings: Settings,
) -> list[Any]:
    """What to know about the groups and about this average of them, each with the groups it is about."""
    from rocsteady.advice.findings import Subject, findings_about, is_of_folds
    from rocsteady.averaging.methods import Pooled
    from rocsteady.report.data import Finding

    found = [] if isinstance(method, Pooled) else [f for f in summary.findings if f.warning.code == "RS201"]
    for name in score_set.models if len(score_set.models) > 1 else ("",):
        own = score_set.model(name) if name else score_set
        folds = is_of_folds(score_set, None)
        subject = Subject(method, deployment, own, folds, settings.confidence_level, settings.seed)
        for warning in findings_about(subject):
            is_new = str(warning) not in [str(f.warning) for f in found]
            if is_new and warning.code != "RS201":  # the summary has named those groups already
                found.append(Finding(warning))
    return found


def _deliver(
    made: list[Made], text: str | None, kind: str, output: Path | None, *, overwrite: bool, as_json: bool
) -> None:
    """To a file if one was named, else to standard output; JSON where it was asked for."""
    if output is not None:
        if kind == "json":
            content = (text or "").encode()
        else:
            table = _table(made)
            content = as_parquet(table) if kind == "parquet" else as_csv(table).encode()
        write_file(output, content, overwrite=overwrite)
        if not as_json:
            _say(f"{output}  written.")
    if as_json:
        print(text, end="")
    elif output is None:
        import sys

        sys.stdout.write(as_csv(_table(made)))


def _table(made: list[Made]) -> dict[str, list[Any]]:
    """All lines of all models, one row for each point."""
    names = ["line", "fpr", "tpr"]
    if any(own.thresholds is not None for own in made):
        names.append("threshold")
    if len(made) > 1:
        names.insert(0, "model")
    table: dict[str, list[Any]] = {name: [] for name in names}
    for own in made:
        lines = [("average", own.fpr, own.tpr, own.thresholds)]
        if own.band is not None:
            lines += [(side, *_edge(own.band, side), None) for side in ("lower", "upper")]
        for line, fpr, tpr, thresholds in lines:
            rows = {
                "model": [own.model] * len(fpr),
                "line": [line] * len(fpr),
                "fpr": [float(x) for x in fpr],
                "tpr": [float(y) for y in tpr],
                "threshold": [None] * len(fpr) if thresholds is None else [float(t) for t in thresholds],
            }
            for name, values in table.items():
                values.extend(rows[name])
    return table


def _edge(band: Band, side: str) -> tuple[Any, Any]:
    edge = getattr(band, side)
    return edge.fpr, edge.tpr


def _tell(made: list[Made], deployment: Deployment | None) -> None:
    """What was averaged and what it means, on standard error: standard output has the numbers."""
    if deployment is not None:
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


def _as_json(
    score_set: ScoreSet,
    deployment: Deployment | None,
    method: Method,
    made: list[Made],
    warned: list[RocsteadyWarning],
    found: list[Any],
) -> str:
    from rocsteady.counting.results import plain
    from rocsteady.report.data import Finding

    averages = []
    for own in made:
        data = own.average.to_dict() | {"model": own.model, "fpr": plain(own.fpr), "tpr": plain(own.tpr)}
        if own.thresholds is not None:
            data["threshold"] = plain(own.thresholds)
        data["band"] = None if own.band is None else _plain_band(own.band)
        averages.append(data)
    data = {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "deployment": None if deployment is None else deployment.to_dict(),
        "recommended": None if deployment is None else str(deployment.method),
        "method": str(method),
        "averages": averages,
        "operating_points": [
            {"model": own.model, **reading.to_dict()} for own in made for reading in own.readings
        ],
        "groups": list(score_set.groups),
        "warnings": [*(Finding(warning).to_dict() for warning in warned), *(f.to_dict() for f in found)],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _plain_band(band: Band) -> dict[str, Any]:
    from rocsteady.counting.results import plain

    edges = {
        side: {"fpr": plain(getattr(band, side).fpr), "tpr": plain(getattr(band, side).tpr)}
        for side in ("lower", "upper")
    }
    return {
        "kind": band.kind, "confidence_level": band.confidence_level, "reading": band.reading,
        "excluded": plain(band.excluded), **edges,
    }  # fmt: skip
