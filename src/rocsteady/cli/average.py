"""``rocsteady average FILE``: the points of one average curve, its band, and readings of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from rocsteady.cli import columns
from rocsteady.cli import deployment as deploying
from rocsteady.cli.averages import (
    BandKind,
    Made,
    Settings,
    as_json,
    findings_about,
    make,
    sentences_about,
    show_average,
    table_of,
)
from rocsteady.cli.console import say, show_warnings, working
from rocsteady.cli.curve_files import as_csv, as_parquet, kind_of
from rocsteady.cli.judging import judged
from rocsteady.cli.large_options import (
    MEMORY,
    EngineOption,
    LargeFile,
    MemoryOption,
    ToleranceOption,
    large_of,
)
from rocsteady.cli.methods import (
    AngleOption,
    JumpsOption,
    MethodOption,
    WeightsOption,
    method_of,
    undeclared_error,
    with_jumps,
)
from rocsteady.cli.outcome import collected_warnings
from rocsteady.cli.points import costs_as_place, places_of
from rocsteady.cli.reading import output_flag, read_file, score_names, show_what_was_read, typed_again
from rocsteady.cli.requirements import RequireOption, exit_code, requirements_of, show_verdicts
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.cli.vocabulary import Words, WordsOption, names_in, speaking
from rocsteady.cli.writing import write_file
from rocsteady.words import plural, printable

_UNCERTAINTY = "Uncertainty"


@says_what_to_type
def average(
    context: typer.Context,
    file: LargeFile,
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
    method: MethodOption = None,
    angle: AngleOption = None,
    at_jumps: JumpsOption = None,
    group_weights: WeightsOption = None,
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
            help="Point to read: fpr=0.05, tpr=0.9, t=0.5, alerts=0.02, eer, ratio=1:2, cost=1:20. "
            "Repeatable.",
        ),
    ] = None,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    engine: EngineOption = None,
    tolerance: ToleranceOption = None,
    memory: MemoryOption = MEMORY,
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
            help="Write to a file, as its ending says: .csv, .json or .parquet. Without it a terminal gets a "
            "summary, a pipe or a file all points as CSV.",
            rich_help_panel="Output",
            show_default=False,
        ),
    ] = None,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    words: WordsOption = Words.ML,
    json: Annotated[bool, output_flag("--json", help="Print JSON on standard output, nothing else.")] = False,
    require: RequireOption = None,
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
    declared = deploying.with_point(deploying.Declared(deploy, hold, weigh, costs, share), at or [])
    places = places_of(at or [], declared)
    requirements = requirements_of(require)
    chosen = with_jumps(method_of(method, angle, declared), at_jumps)
    asks = chosen is None and declared.is_missing and deploying.can_ask() and not json
    if chosen is None and declared.is_missing and not asks:
        raise undeclared_error(typed_again(context))
    deployment = None if declared.is_missing else declared.deployment()
    settings = Settings(band, confidence_level, grid, group_weights, seed)
    large = large_of(engine, tolerance, memory)
    with collected_warnings() as warned:
        with working(f"Reading {printable(file)}") as tell:
            score_set, summary = read_file(
                file,
                large=replace(large, tell=tell),
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
        if asks:
            deployment = deploying.ask(printable(plural(score_set.unit)), declared).deployment()
        if chosen is None and deployment is not None:
            chosen = with_jumps(deployment.method, at_jumps)
            places += costs_as_place(deployment, places)
        if chosen is None:
            raise TypeError("neither a method nor a deployment")
        with working("Averaging"):
            made = make(
                score_set, chosen, settings, places, share if deployment is None else deployment.prevalence
            )
            found = findings_about(score_set, summary, chosen, deployment, settings)
            verdicts = judged(
                requirements,
                score_set,
                chosen,
                averages={own.model: own.average for own in made},
                confidence_level=confidence_level,
                seed=seed,
            )
    everything = [for_shell(warning) for warning in [*warned, *(finding.warning for finding in found)]]
    text = (
        as_json(score_set, deployment, chosen, made, [*warned, *found], verdicts)
        if json or kind == "json"
        else None
    )
    if output is not None:
        write_file(output, _content(made, text, kind), overwrite=overwrite)
    is_seen = output is None and not (json or quiet) and sys.stdout.isatty()
    if json:
        print(text, end="")
    elif output is None and not is_seen:
        sys.stdout.write(as_csv(table_of(made)))
    with speaking(words, names_in(score_set)):
        sentences = [printable(sentence) for sentence in sentences_about(made, deployment)]
        if is_seen:
            show_what_was_read(summary, score_set, score_names(score, score_set))
            show_average(made, sentences, f"{typed_again(context)} -o curve.csv")
        elif not (quiet or json):
            for sentence in [*([f"{output}  written."] if output else []), *sentences]:
                say(sentence)
        if not (quiet or json):
            show_warnings(everything)
        show_verdicts(verdicts, quiet=quiet or json)
    raise typer.Exit(exit_code(verdicts, is_strict=strict, has_warnings=bool(everything)))


def _require_grid(grid: int | None) -> None:
    from rocsteady.options import whole_number

    if grid is not None:
        whole_number("grid", grid, least=2, example=101)


def _content(made: list[Made], text: str | None, kind: str) -> bytes:
    """What is written to a file of this kind; ``text`` is the JSON."""
    if kind == "json":
        return (text or "").encode()
    table = table_of(made)
    return as_parquet(table) if kind == "parquet" else as_csv(table).encode()
