"""``rocsteady plot FILE``: a figure of what is in it, ready for a paper or a slide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from rocsteady.cli import columns
from rocsteady.cli import deployment as deploying
from rocsteady.cli.compare.words import for_terminal, said_once, says_what_to_type
from rocsteady.cli.console import say, show, show_command, show_warnings, working
from rocsteady.cli.methods import (
    AngleOption,
    JumpsOption,
    MethodOption,
    WeightsOption,
    method_of,
    undeclared_error,
    with_jumps,
)
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.plot import options
from rocsteady.cli.plot.asked import AVERAGES, OF_ONE_FIGURE, Asked, refuse_useless
from rocsteady.cli.plot.figures import as_json, draw
from rocsteady.cli.plot.letters import letters_missing, of_letters
from rocsteady.cli.reading import output_flag, read_file, show_what_was_read, typed_again
from rocsteady.cli.writing import require_free, write_file
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rocsteady.cli.averages import AtJumps
    from rocsteady.report.data import DataSummary, Finding
    from rocsteady.scores import ScoreSet

_DECLARES = (*AVERAGES, options.FigureName.DIFFERENCE, options.FigureName.WINNERS)


@says_what_to_type
def plot(
    context: typer.Context,
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
    figure: options.FigureOption = "average",
    models: options.ModelsOption = None,
    at: options.AtOption = None,
    no_curves: options.NoCurvesOption = False,
    zoom: options.ZoomOption = None,
    log: options.LogOption = False,
    words: options.WordsOption = None,
    standalone: options.StandaloneOption = None,
    title: options.TitleOption = "",
    size: options.SizeOption = "column",
    method: MethodOption = None,
    angle: AngleOption = None,
    at_jumps: JumpsOption = None,
    group_weights: WeightsOption = None,
    deploy: deploying.DeployOption = None,
    hold: deploying.HoldOption = None,
    weigh: deploying.WeighOption = None,
    costs: deploying.CostsOption = None,
    prevalence: deploying.PrevalenceOption = None,
    band: options.BandOption = None,
    confidence_level: options.LevelOption = 0.95,
    seed: options.SeedOption = 0,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    allow_reversed: columns.AllowReversed = False,
    output: options.OutputOption = None,
    dpi: options.DpiOption = 300,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    json: Annotated[bool, output_flag("--json", help="Print JSON on standard output, nothing else.")] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors.")] = False,
) -> None:
    """Draw what is in FILE: averages of ROC curves with their bands, or another --figure.

    Models are named by a column (-m), or have a column of scores each (-s old -s new).
    """
    columns.require_different(label=label, score=score, group=group, model=model)
    drawing = options.figure_of(figure)
    refuse_useless(drawing, _typed(context))
    output = options.output_of(output, file, drawing)
    require_free(output, overwrite=overwrite)
    options.require_dpi(dpi)
    share = deploying.share_of("prevalence", prevalence)
    declared = deploying.Declared(deploy, hold, weigh, costs, share)
    asked = Asked(
        figure=drawing,
        models=options.models_of(models),
        at=tuple(at or ()),
        declared=declared,
        deployment=None,
        method=None,
        group_weights=group_weights,
        band=band,
        has_curves=not no_curves,
        zoom=options.zoom_of(zoom),
        is_log=log,
        words=words,
        standalone=standalone,
        title=title.replace("$", r"\$"),  # words, not a formula
        size=options.size_of(size),
        confidence_level=confidence_level,
        seed=seed,
    )
    asked = _with_method(asked, method, angle, at_jumps)
    _require_usable(asked)
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
                repeat=repeat,
                design=None if design is None else design.value,
                readings=columns.positive_readings(positive),
                higher_is_positive=not low_is_positive,
                on_missing=on_missing.value,
                quiet=quiet,
            )
        asked = replace(asked, models=options.models_of(models, score_set.models))
        command = typed_again(context)
        asked = _declared(asked, score_set, command, at_jumps, can_ask=not json)
        from rocsteady.plots.parts import style

        with working("Drawing"), letters_missing() as missing:
            drawn = draw(score_set, asked)
            found = _findings(score_set, summary, asked)
            content = style.rendered(drawn.figure, options.kind_of(output), dpi=dpi)
    write_file(output, content, overwrite=overwrite)
    warned = said_once(warned)
    everything = [for_terminal(warning) for warning in [*warned, *(finding.warning for finding in found)]]
    if json:
        print(as_json(score_set, asked, drawn, output, warned, found), end="")
    elif not quiet:
        show_what_was_read(summary, score_set, score or [score_set.columns_chosen["score"]])
        for sentence in drawn.sentences:
            show(printable(sentence))
        if asked.declared is not declared:
            show("The same without questions:")
            show_command(f"{command} {deploying.as_options(asked.declared, declared)}")
        say(f"{output}  written.")
        if lacks := of_letters(missing, options.kind_of(output)):
            say(lacks)
        show_warnings(everything)
    raise typer.Exit(STRICT if strict and everything else DONE)


def _typed(context: typer.Context) -> list[str]:
    """The names of options that were typed and are about some figures only."""
    sources = {name: context.get_parameter_source(name) for name in OF_ONE_FIGURE}
    return [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]


def _with_method(asked: Asked, name: str | None, angle: str | None, at_jumps: AtJumps | None) -> Asked:
    """What was asked, with the average that was named or declared."""
    if asked.figure not in _DECLARES:
        return asked
    declared = deploying.with_point(asked.declared, asked.at)
    method = with_jumps(method_of(name, angle, declared), at_jumps)
    deployment = None if declared.is_missing else declared.deployment()
    if method is None and deployment is not None:
        method = with_jumps(deployment.method, at_jumps)
    return replace(asked, method=method, deployment=deployment)


def _require_usable(asked: Asked) -> None:
    """RS042 for numbers out of range, RS061 without Matplotlib, before a large file is read."""
    from rocsteady.cli.points import places_of
    from rocsteady.options import open_share, whole_number
    from rocsteady.plots.parts.style import new_figure

    open_share("confidence_level", asked.confidence_level)
    whole_number("seed", asked.seed, least=0, example=0)
    if asked.figure in (*AVERAGES, options.FigureName.CURVES):
        places_of(asked.at, asked.declared)
    new_figure(1, 1)


def _declared(
    asked: Asked, score_set: ScoreSet, command: str, at_jumps: AtJumps | None, *, can_ask: bool
) -> Asked:
    """What was asked, with the answers of whoever sits there; RS093 if nobody says. One curve needs none."""
    if asked.figure not in AVERAGES or asked.method is not None:
        return asked
    if len(score_set.groups) == 1:
        if asked.figure is options.FigureName.DET:
            return asked
        band = asked.band or options.BandChoice.BOTH
        return replace(asked, figure=options.FigureName.CURVES, band=band)
    if not (can_ask and deploying.can_ask()):
        raise undeclared_error(command, f"or draw the curves alone:  {command} --figure curves")
    answered = deploying.ask(printable(plural(score_set.unit)), asked.declared)
    deployment = answered.deployment()
    return replace(
        asked, declared=answered, deployment=deployment, method=with_jumps(deployment.method, at_jumps)
    )


def _findings(score_set: ScoreSet, summary: DataSummary, asked: Asked) -> list[Finding]:
    """What to know about the groups, and about an average of them if one is drawn."""
    if asked.method is None or asked.figure not in AVERAGES:
        return list(summary.findings)
    from rocsteady.cli.averages import findings_about
    from rocsteady.cli.plot.averages import settings_of

    return findings_about(
        score_set, summary, asked.method, asked.deployment, settings_of(asked), asked.models
    )
